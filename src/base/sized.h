/* sized.h: structs that begin with their size, as callers of other versions have them
 *
 * perp/base.h has the rule. */
#pragma once

#include "base/shared.h"

/* Whether a caller's size can be true: the size itself has room in it, no field is cut, and it is
 * not the garbage of a struct that nobody made. */
bool perp_sized_is_sane(size_t size);

/* Reads the caller's struct `from`, named `name` in messages, into `to`, this library's own of
 * `size` bytes, which holds the defaults on entry: fields that the caller does not have stay so.
 * PERP_ERROR_ARGUMENT if the caller has more fields and one of these is not 0. */
PERP_SHARED perp_error perp_sized_read(const char *name, const void *from, void *to, size_t size,
                                       perp_message *why);

/* Writes `from`, of `size` bytes, into the caller's struct `to` of `room` bytes: all of its bytes,
 * those beyond `size` as 0, and its size. Nothing if there is none or the room is not sane. */
PERP_SHARED void perp_sized_write(const void *from, size_t size, void *to, size_t room);
