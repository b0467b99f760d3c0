/* parameter.h: typed parameter tables: defaults, and checked values from numbers or text, for
 * methods and generators. Messages name `owner`. */
#pragma once

#include "base/shared.h"

#include <perp/base.h>

/* A field with another name, or in a nested struct. */
#define PERP_ROW(type, word, kind, field, value, least, most, words, text)                         \
  {                                                                                                \
    word, kind, offsetof(type, field), value, least, most, words, text                             \
  }
#define PERP_REAL(type, field, value, least, most, text)                                           \
  {                                                                                                \
#field, PERP_TYPE_REAL, offsetof(type, field), value, least, most, NULL, text                  \
  }
#define PERP_INTEGER(type, field, value, least, most, text)                                        \
  {                                                                                                \
#field, PERP_TYPE_INTEGER, offsetof(type, field), value, least, most, NULL, text               \
  }
#define PERP_FLAG(type, field, value, text)                                                        \
  {                                                                                                \
#field, PERP_TYPE_FLAG, offsetof(type, field), value, 0, 1, NULL, text                         \
  }
/* `words` is a static array of strings ending with NULL, `last` the index of its last word. */
#define PERP_CHOICE(type, field, value, last, words, text)                                         \
  {                                                                                                \
#field, PERP_TYPE_CHOICE, offsetof(type, field), value, 0, last, words, text                   \
  }
/* In the struct: double for a REAL, int for an INTEGER, a FLAG and a CHOICE. */

PERP_SHARED void perp_parameters_default(const perp_parameter *table, void *parameters);
perp_error perp_parameter_set(const char *owner, const perp_parameter *table, void *parameters,
                              const char *name, double value, perp_message *why);
perp_error perp_parameter_set_text(const char *owner, const perp_parameter *table, void *parameters,
                                   const char *name, const char *text, perp_message *why);
perp_error perp_parameter_get(const char *owner, const perp_parameter *table,
                              const void *parameters, const char *name, double *value,
                              perp_message *why);
/* settings: "key=value,key=value,...", split in place; NULL or "": none. The key seed is the
 * owner's seed, a whole number. */
PERP_SHARED perp_error perp_parameters_parse(const char *owner, const perp_parameter *table,
                                             void *parameters, char *settings, uint64_t *seed,
                                             perp_message *why);
