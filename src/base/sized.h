/* sized.h: structs that begin with their size, for callers built with other versions
 *
 * perp/base.h has the rule. */
#pragma once

#include "base/shared.h"

/* Returns true if a caller's size is plausible: it has room for the size itself, cuts no field, and
 * is not garbage from an uninitialised struct. */
bool perp_sized_is_sane(size_t size);

/* Reads the caller's struct `from`, named `name` in messages, into `to`, this library's own of
 * `size` bytes, which holds the defaults on entry: fields that the caller does not have keep them.
 * Returns PERP_ERROR_ARGUMENT if the caller has more fields and one of these is not 0. */
PERP_SHARED perp_error perp_sized_read(const char *name, const void *from, void *to, size_t size,
                                       perp_message *why);

/* Writes `from`, of `size` bytes, into the caller's struct `to` of `room` bytes: all of its bytes,
 * 0 beyond `size`, and its size. Does nothing if `to` is NULL or the room is not plausible. */
PERP_SHARED void perp_sized_write(const void *from, size_t size, void *to, size_t room);
