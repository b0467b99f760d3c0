/* generate/kinds.h: a list of tables of generators, for problems and for quadratic programs */
#pragma once

#include "generate/generate.h"

typedef struct perp_kinds {
  const perp_generator *const *family; /* each ends with a generator without a name */
  int families;
  const char *what; /* "problem": for messages */
} perp_kinds;

int perp_kinds_count(const perp_kinds *kinds);
int perp_kinds_find(const perp_kinds *kinds, const char *name); /* -1: there is none */
void perp_kinds_tell(const perp_kinds *kinds, int index, perp_generator_info *info, size_t size);

/* What KIND:key=value,... asks for; the parameters are in the arena. */
typedef struct perp_kind_request {
  const perp_generator *generator;
  const void *parameters;
  perp_random random; /* of the seed, nothing drawn yet */
} perp_kind_request;

perp_error perp_kinds_read(const perp_kinds *kinds, const char *text, perp_arena *arena,
                           perp_kind_request *request, perp_message *why);
