/* registry.c: every generator, one line each, and the text that names a problem */
#include "generate/generate.h"

#include <stdio.h>
#include <string.h>

extern const perp_generator perp_generator_pd;
extern const perp_generator perp_generator_psd;
extern const perp_generator perp_generator_nonsym;
extern const perp_generator perp_generator_pmatrix;
extern const perp_generator perp_generator_mmatrix;
extern const perp_generator perp_generator_banded;
extern const perp_generator perp_generator_blocked;
extern const perp_generator perp_generator_spd_sparse;
extern const perp_generator perp_generator_fluid_notes;
extern const perp_generator perp_generator_contact_notes;
extern const perp_generator perp_generator_murty;
extern const perp_generator perp_generator_fathi;
extern const perp_generator perp_generator_kostreva;
extern const perp_generator perp_generator_degenerate;
extern const perp_generator perp_generator_bimatrix;
extern const perp_generator perp_generator_scaled;
extern const perp_generator perp_generator_several;
extern const perp_generator perp_generator_none;
extern const perp_generator perp_generator_infeasible;
extern const perp_generator perp_generator_single;
extern const perp_generator perp_generator_fluid;
extern const perp_generator perp_generator_obstacle;
extern const perp_generator perp_generator_torsion;
extern const perp_generator perp_generator_journal;
extern const perp_generator perp_generator_put;
extern const perp_generator perp_generator_put2;
extern const perp_generator perp_generator_pile;
extern const perp_generator perp_generator_stack;
extern const perp_generator perp_generator_chain;
extern const perp_generator perp_generator_wall;
extern const perp_generator perp_generator_cards;
extern const perp_generator perp_generator_arch;
extern const perp_generator perp_generator_particle;

/* clang-format off */
const perp_generator *const perp_generators[] = {
    &perp_generator_pd,
    &perp_generator_psd,
    &perp_generator_nonsym,
    &perp_generator_pmatrix,
    &perp_generator_mmatrix,
    &perp_generator_banded,
    &perp_generator_blocked,
    &perp_generator_spd_sparse,
    &perp_generator_fluid_notes,
    &perp_generator_contact_notes,
    &perp_generator_murty,
    &perp_generator_fathi,
    &perp_generator_kostreva,
    &perp_generator_degenerate,
    &perp_generator_bimatrix,
    &perp_generator_scaled,
    &perp_generator_several,
    &perp_generator_none,
    &perp_generator_infeasible,
    &perp_generator_single,
    &perp_generator_fluid,
    &perp_generator_obstacle,
    &perp_generator_torsion,
    &perp_generator_journal,
    &perp_generator_put,
    &perp_generator_put2,
    &perp_generator_pile,
    &perp_generator_stack,
    &perp_generator_chain,
    &perp_generator_wall,
    &perp_generator_cards,
    &perp_generator_arch,
    &perp_generator_particle,
    NULL,
};
/* clang-format on */

int perp_generator_count(void)
{
  int count = 0;
  while (perp_generators[count])
    count++;
  return count;
}

perp_generator_info perp_generator_at(int index)
{
  if (index < 0 || index >= perp_generator_count())
    return (perp_generator_info){0};
  const perp_generator *g = perp_generators[index];
  return (perp_generator_info){
      .name = g->name,
      .title = g->title,
      .family = g->family,
      .source = g->source,
      .parameters = g->parameters,
  };
}

int perp_generator_find(const char *name)
{
  for (int k = 0; perp_generators[k]; k++)
    if (name && strcmp(perp_generators[k]->name, name) == 0)
      return k;
  return -1;
}

static perp_error make(const perp_generator *g, char *settings, perp_instance *instance,
                       perp_message *why)
{
  void *parameters = perp_alloc_zero(1, g->parameter_bytes);
  if (!parameters)
    return perp_generate_no_memory(g->name, why);
  perp_parameters_default(g->parameters, parameters);
  uint64_t seed = 1;
  perp_error error =
      perp_parameters_parse(g->name, g->parameters, parameters, settings, &seed, why);
  if (!error)
    error = g->make(parameters, seed, instance, why);
  if (error)
    perp_instance_destroy(instance);
  perp_free(parameters);
  return error;
}

perp_error perp_generate(const char *text, perp_instance *instance, perp_message *why)
{
  if (!text || !instance)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "no kind named, or nowhere to put the problem");
  *instance = (perp_instance){0};
  char *copy = perp_alloc_copy(text, strlen(text) + 1, 1);
  if (!copy)
    return perp_generate_no_memory("generate", why);
  char *settings = strchr(copy, ':');
  if (settings)
    *settings++ = 0;
  const int index = perp_generator_find(copy);
  perp_error error;
  if (index < 0)
    error = perp_fail(why, PERP_ERROR_ARGUMENT, "there is no kind of problem '%.64s'", copy);
  else
    error = make(perp_generators[index], settings, instance, why);
  if (!error && !instance->name[0])
    snprintf(instance->name, sizeof instance->name, "%.63s", text);
  perp_free(copy);
  return error;
}
