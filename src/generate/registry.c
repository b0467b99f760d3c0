/* registry.c: the tables of generators, in the order in which they are listed, and the text that
 * names a problem */
#include "generate/kinds.h"

#include <stdio.h>

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
static const perp_kinds kinds = {families, sizeof families / sizeof *families, "problem"};

int perp_generator_count(void)
{
  return perp_kinds_count(&kinds);
}

void perp_generator_at_sized(int index, perp_generator_info *info, size_t size)
{
  perp_kinds_tell(&kinds, index, info, size);
}

int perp_generator_find(const char *name)
{
  return perp_kinds_find(&kinds, name);
}

perp_error perp_generate(const char *text, perp_instance *instance, perp_message *why)
{
  if (!text || !instance)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "no kind named, or nowhere to put the problem");
  *instance = (perp_instance){0};
  perp_making m = {.instance = instance, .why = why};
  perp_kind_request request;
  perp_error error = perp_kinds_read(&kinds, text, &m.arena, &request, why);
  if (!error) {
    m.owner = request.generator->name;
    m.parameters = request.parameters;
    m.random = request.random;
    error = request.generator->make(&m);
  }
  if (error)
    perp_instance_destroy(instance);
  else if (!instance->name[0])
    snprintf(instance->name, sizeof instance->name, "%.63s", text);
  perp_arena_free(&m.arena);
  return error;
}
