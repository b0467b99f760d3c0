/* registry.c: the tables of generators, in the order in which they are listed, and the text that
 * names a problem */
#include "base/sized.h"
#include "generate/generate.h"

#include <stdio.h>
#include <string.h>

/* Each ends with one without a name. */
extern const perp_generator perp_generators_random_dense[], perp_generators_random_sparse[],
    perp_generators_random_spectrum[], perp_generators_notes[], perp_generators_hard[],
    perp_generators_fluid[], perp_generators_membrane[], perp_generators_journal[],
    perp_generators_finance[], perp_generators_finance_two[], perp_generators_scene_pile[],
    perp_generators_scene_stack[], perp_generators_scene_wall[], perp_generators_scene_cards[],
    perp_generators_scene_arch[], perp_generators_particle[];

static const perp_generator *const families[] = {
    perp_generators_random_dense, perp_generators_random_sparse, perp_generators_random_spectrum,
    perp_generators_notes,        perp_generators_hard,          perp_generators_fluid,
    perp_generators_membrane,     perp_generators_journal,       perp_generators_finance,
    perp_generators_finance_two,  perp_generators_scene_pile,    perp_generators_scene_stack,
    perp_generators_scene_wall,   perp_generators_scene_cards,   perp_generators_scene_arch,
    perp_generators_particle};
enum { FAMILIES = sizeof families / sizeof *families };

/* NULL: there are not so many. */
static const perp_generator *at(int index)
{
  for (int f = 0; f < FAMILIES; f++)
    for (const perp_generator *g = families[f]; g->name; g++)
      if (index-- == 0)
        return g;
  return NULL;
}

int perp_generator_count(void)
{
  int count = 0;
  while (at(count))
    count++;
  return count;
}

void perp_generator_at_sized(int index, perp_generator_info *info, size_t size)
{
  const perp_generator *g = index < 0 ? NULL : at(index);
  const perp_generator_info own = g ? (perp_generator_info){.name = g->name,
                                                            .title = g->title,
                                                            .family = g->family,
                                                            .source = g->source,
                                                            .parameters = g->parameters}
                                    : (perp_generator_info){0};
  perp_sized_write(&own, sizeof own, info, size);
}

int perp_generator_find(const char *name)
{
  for (int k = 0; name && at(k); k++)
    if (strcmp(at(k)->name, name) == 0)
      return k;
  return -1;
}

static perp_error make(const perp_generator *g, char *settings, perp_instance *instance,
                       perp_message *why)
{
  perp_making m = {.owner = g->name, .instance = instance, .why = why};
  void *parameters = perp_arena_alloc_zero(&m.arena, 1, g->parameter_bytes);
  if (!parameters)
    return perp_making_no_memory(&m);
  perp_parameters_default(g->parameters, parameters);
  uint64_t seed = 1;
  perp_error error =
      perp_parameters_parse(g->name, g->parameters, parameters, settings, &seed, why);
  m.parameters = parameters;
  m.random = perp_random_from(seed);
  if (!error)
    error = g->make(&m);
  if (error)
    perp_instance_destroy(instance);
  perp_arena_free(&m.arena);
  return error;
}

perp_error perp_generate(const char *text, perp_instance *instance, perp_message *why)
{
  if (!text || !instance)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "no kind named, or nowhere to put the problem");
  *instance = (perp_instance){0};
  char *copy = perp_alloc_copy(text, strlen(text) + 1, 1);
  if (!copy)
    return perp_fail(why, PERP_ERROR_MEMORY, "generate: out of memory");
  char *settings = strchr(copy, ':');
  if (settings)
    *settings++ = 0;
  const int index = perp_generator_find(copy);
  perp_error error;
  if (index < 0)
    error = perp_fail(why, PERP_ERROR_ARGUMENT, "there is no kind of problem '%.64s'", copy);
  else
    error = make(at(index), settings, instance, why);
  if (!error && !instance->name[0])
    snprintf(instance->name, sizeof instance->name, "%.63s", text);
  perp_free(copy);
  return error;
}
