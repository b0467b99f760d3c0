/* registry.c: the tables of generators, in the order in which they are listed, and the text that
 * names a problem */
#include "generate/kinds.h"
#include "generate/pieces.h"

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

/* pieces: NULL, or of which the generator makes one. */
static perp_error generate(const char *text, perp_pieces *pieces, perp_instance *instance,
                           perp_message *why)
{
  *instance = (perp_instance){0};
  perp_making m = {.instance = instance, .why = why, .pieces = pieces};
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

perp_error perp_generate(const char *text, perp_instance *instance, perp_message *why)
{
  if (!text || !instance)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "no kind named, or nowhere to put the problem");
  return generate(text, NULL, instance, why);
}

/* ---- Pieces ---- */

/* Kinds that are made of bodies that touch, generate/scene.h. */
static const perp_generator *const scenes[] = {
    perp_generators_scene_pile, perp_generators_scene_stack, perp_generators_scene_wall,
    perp_generators_scene_cards, perp_generators_scene_arch};

static bool is_scene(const char *text)
{
  const size_t length = strcspn(text, ":");
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++)
    for (const perp_generator *g = scenes[k]; g->name; g++)
      if (strlen(g->name) == length && strncmp(g->name, text, length) == 0)
        return true;
  return false;
}

perp_error perp_pieces_begin(const char *text, perp_pieces *pieces, bool *yes, perp_message *why)
{
  perp_instance nothing;
  *pieces = (perp_pieces){0};
  *yes = is_scene(text);
  if (!*yes)
    return PERP_OK;
  const perp_error error = generate(text, pieces, &nothing, why);
  *yes = !error;
  return pieces->refused ? PERP_OK : error;
}

perp_error perp_generate_piece(const char *text, perp_pieces *pieces, perp_instance *instance,
                               perp_message *why)
{
  pieces->seen = 0;
  return generate(text, pieces, instance, why);
}

void perp_pieces_free(perp_pieces *pieces)
{
  perp_free(pieces->pair);
  perp_free(pieces->contact);
  perp_free(pieces->body);
  *pieces = (perp_pieces){0};
}
