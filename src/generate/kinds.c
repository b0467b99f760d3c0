/* kinds.c: a list of tables of generators, and the text that names a problem: KIND:key=value,... */
#include "generate/kinds.h"

#include "base/sized.h"

#include <string.h>

/* NULL: there is no such index. */
static const perp_generator *kind_at(const perp_kinds *kinds, int index)
{
  for (int f = 0; f < kinds->families && index >= 0; f++)
    for (const perp_generator *g = kinds->family[f]; g->name; g++)
      if (index-- == 0)
        return g;
  return NULL;
}

int perp_kinds_count(const perp_kinds *kinds)
{
  int count = 0;
  while (kind_at(kinds, count))
    count++;
  return count;
}

int perp_kinds_find(const perp_kinds *kinds, const char *name)
{
  const perp_generator *g;
  for (int k = 0; name && (g = kind_at(kinds, k)) != NULL; k++)
    if (strcmp(g->name, name) == 0)
      return k;
  return -1;
}

void perp_kinds_tell(const perp_kinds *kinds, int index, perp_generator_info *info, size_t size)
{
  const perp_generator *g = kind_at(kinds, index);
  const perp_generator_info own = g ? (perp_generator_info){.name = g->name,
                                                            .title = g->title,
                                                            .family = g->family,
                                                            .source = g->source,
                                                            .parameters = g->parameters}
                                    : (perp_generator_info){0};
  perp_sized_write(&own, sizeof own, info, size);
}

perp_error perp_kinds_read(const perp_kinds *kinds, const char *text, perp_arena *arena,
                           perp_kind_request *request, perp_message *why)
{
  const size_t length = strlen(text) + 1;
  char *copy = perp_arena_alloc(arena, length, 1);
  if (!copy)
    return perp_fail(why, PERP_ERROR_MEMORY, "generate: out of memory");
  memcpy(copy, text, length);
  char *settings = strchr(copy, ':');
  if (settings)
    *settings++ = 0;
  const int index = perp_kinds_find(kinds, copy);
  if (index < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "there is no kind of %s '%.64s'", kinds->what, copy);
  const perp_generator *g = kind_at(kinds, index);
  void *parameters = perp_arena_alloc_zero(arena, 1, g->parameter_bytes);
  if (!parameters)
    return perp_fail(why, PERP_ERROR_MEMORY, "%s: out of memory", g->name);
  perp_parameters_default(g->parameters, parameters);
  uint64_t seed = 1;
  const perp_error error =
      perp_parameters_parse(g->name, g->parameters, parameters, settings, &seed, why);
  *request = (perp_kind_request){g, parameters, perp_random_from(seed)};
  return error;
}
