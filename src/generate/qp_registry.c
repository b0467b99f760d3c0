/* qp_registry.c: the kinds of quadratic programs, and the text that names one */
#include "generate/qp.h"

#include "base/sized.h"

#include <stdio.h>
#include <string.h>

/* Each ends with one without a name. */
extern const perp_qp_generator perp_qp_generators_models[], perp_qp_generators_random[];

static const perp_qp_generator *const families[] = {perp_qp_generators_models,
                                                    perp_qp_generators_random};

static const perp_qp_generator *at(int index)
{
  for (size_t f = 0; f < sizeof families / sizeof *families; f++)
    for (const perp_qp_generator *g = families[f]; g->name; g++)
      if (index-- == 0)
        return g;
  return NULL;
}

int perp_qp_generator_count(void)
{
  int count = 0;
  while (at(count))
    count++;
  return count;
}

void perp_qp_generator_at_sized(int index, perp_generator_info *info, size_t size)
{
  const perp_qp_generator *g = index < 0 ? NULL : at(index);
  const perp_generator_info own = g ? (perp_generator_info){.name = g->name,
                                                            .title = g->title,
                                                            .family = g->family,
                                                            .source = g->source,
                                                            .parameters = g->parameters}
                                    : (perp_generator_info){0};
  perp_sized_write(&own, sizeof own, info, size);
}

static perp_error make(const perp_qp_generator *g, char *settings, perp_qp_instance *instance,
                       perp_message *why)
{
  perp_qp_making m = {.owner = g->name, .instance = instance, .why = why};
  void *parameters = perp_arena_alloc_zero(&m.arena, 1, g->parameter_bytes);
  if (!parameters)
    return perp_fail(why, PERP_ERROR_MEMORY, "%s: out of memory", g->name);
  perp_parameters_default(g->parameters, parameters);
  uint64_t seed = 1;
  perp_error error =
      perp_parameters_parse(g->name, g->parameters, parameters, settings, &seed, why);
  m.parameters = parameters;
  m.random = perp_random_from(seed);
  if (!error)
    error = g->make(&m);
  if (!error)
    error = perp_qp_making_finish(&m);
  if (error)
    perp_qp_instance_destroy(instance);
  perp_qp_making_free(&m);
  return error;
}

perp_error perp_qp_generate(const char *text, perp_qp_instance *instance, perp_message *why)
{
  if (!text || !instance)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "no kind named, or nowhere to put the program");
  *instance = (perp_qp_instance){0};
  char *copy = perp_alloc_copy(text, strlen(text) + 1, 1);
  if (!copy)
    return perp_fail(why, PERP_ERROR_MEMORY, "generate: out of memory");
  char *settings = strchr(copy, ':');
  if (settings)
    *settings++ = 0;
  const perp_qp_generator *found = NULL;
  for (int k = 0; at(k); k++)
    if (strcmp(at(k)->name, copy) == 0)
      found = at(k);
  perp_error error;
  if (!found)
    error =
        perp_fail(why, PERP_ERROR_ARGUMENT, "there is no kind of quadratic program '%.64s'", copy);
  else
    error = make(found, settings, instance, why);
  if (!error)
    snprintf(instance->name, sizeof instance->name, "%.63s", text);
  perp_free(copy);
  return error;
}
