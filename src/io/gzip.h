/* gzip.h: the bytes that a gzip file holds */
#pragma once

#include <perp/base.h>

/* Whether the bytes begin as a gzip file does. */
bool perp_is_gzip(const char *bytes, size_t count);
/* *bytes, from perp_alloc, is replaced by what it holds, a NUL behind its last byte. An error leaves
 * it as it is. `name` is the file in messages. */
perp_error perp_gzip_expand(const char *name, char **bytes, size_t *count, perp_message *why);
