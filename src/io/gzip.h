/* gzip.h: the bytes that a gzip file holds */
#pragma once

#include "base/shared.h"

#include <perp/base.h>

/* Whether the bytes begin as a gzip file does. */
bool perp_is_gzip(const char *bytes, size_t count);
/* *bytes, from perp_alloc, is replaced by what it holds, a NUL behind its last byte. An error leaves
 * it as it is. `name` is the file in messages. */
perp_error perp_gzip_expand(const char *name, char **bytes, size_t *count, perp_message *why);
/* The first bytes, at most `room`, of what a zlib stream holds, of which `count` bytes are given: their
 * number; 0 without zlib. */
PERP_SHARED size_t perp_inflate_head(const char *bytes, size_t count, char *head, size_t room);
