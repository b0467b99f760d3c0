/* json.h: writing one JSON object, member by member
 *
 * The key is NULL for the items of an array. Numbers have the fewest digits that read back as the
 * same number; a number that is not finite becomes null. Text may hold any bytes: UTF-8 passes through,
 * what is not UTF-8 becomes U+FFFD. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json {
  FILE *out;
  int depth;
  bool empty; /* nothing in the innermost object or array yet */
} json;

json json_open(FILE *out); /* begins the object */
void json_close(json *j);  /* ends it, and the line */

void json_begin_object(json *j, const char *key);
void json_end_object(json *j);
void json_begin_array(json *j, const char *key);
void json_end_array(json *j);

void json_text(json *j, const char *key, const char *value); /* NULL: null */
void json_real(json *j, const char *key, double value);
void json_integer(json *j, const char *key, int64_t value);
void json_bool(json *j, const char *key, bool value);
/* Null for NULL, and for more than 10,000 numbers unless all are asked for. */
void json_vector(json *j, const char *key, int64_t n, const double *v, bool all);
