/* registry.c: the list of generators, and parsing of the text that names a problem */
#include "base/sized.h"
#include "generate/generate.h"
#include "generate/scene_pieces.h"

#include <stdio.h>
#include <string.h>

void perp_kinds_tell(const perp_kinds *kinds, int index, perp_generator_info *info, size_t size)
{
  const perp_generator *g = perp_lists_at(&kinds->generators, index);
  const perp_generator_info own = g ? (perp_generator_info){.name = g->name,
                                                            .title = g->title,
                                                            .family = g->family,
                                                            .source = g->source,
                                                            .parameters = g->parameters}
                                    : (perp_generator_info){0};
  perp_sized_write(&own, sizeof own, info, size);
}

perp_error perp_kinds_make(const perp_kinds *kinds, const char *text, perp_making *m)
{
  const size_t length = strlen(text) + 1;
  char *copy = perp_arena_alloc(&m->arena, length, 1);
  if (!copy)
    return perp_fail(m->why, PERP_ERROR_MEMORY, "generate: out of memory");
  memcpy(copy, text, length);
  char *settings = strchr(copy, ':');
  if (settings)
    *settings++ = 0;
  const perp_generator *g =
      perp_lists_at(&kinds->generators, perp_lists_find(&kinds->generators, copy));
  if (!g)
    return perp_fail(m->why, PERP_ERROR_ARGUMENT, "there is no kind of %s '%.64s'", kinds->what,
                     copy);
  void *parameters = perp_arena_alloc_zero(&m->arena, 1, g->parameter_bytes);
  if (!parameters)
    return perp_fail(m->why, PERP_ERROR_MEMORY, "%s: out of memory", g->name);
  perp_parameters_default(g->parameters, parameters);
  uint64_t seed = 1;
  const perp_error error =
      perp_parameters_parse(g->name, g->parameters, parameters, settings, &seed, m->why);
  m->owner = g->name;
  m->parameters = parameters;
  m->variant = g->variant;
  m->random = perp_random_from(seed);
  return error ? error : g->make(m);
}

/* ---- Problems ---- */

/* Each ends with one without a name. */
extern const perp_generator perp_generators_random[], perp_generators_notes[],
    perp_generators_hard[], perp_generators_fluid[], perp_generators_membrane[],
    perp_generators_finance[], perp_generators_scenes[], perp_generators_particle[],
    perp_generators_mass[];

static const void *const families[] = {
    perp_generators_random, perp_generators_notes,    perp_generators_hard,
    perp_generators_fluid,  perp_generators_membrane, perp_generators_finance,
    perp_generators_scenes, perp_generators_particle, perp_generators_mass};
static const perp_kinds kinds = {
    {families, sizeof families / sizeof *families, sizeof(perp_generator)}, "problem"};

int perp_generator_count(void)
{
  return perp_lists_count(&kinds.generators);
}

void perp_generator_at_sized(int index, perp_generator_info *info, size_t size)
{
  perp_kinds_tell(&kinds, index, info, size);
}

int perp_generator_find(const char *name)
{
  return perp_lists_find(&kinds.generators, name);
}

/* pieces: NULL, or the pieces of which the generator makes one. */
static perp_error generate(const char *text, perp_pieces *pieces, perp_instance *instance,
                           perp_message *why)
{
  *instance = (perp_instance){0};
  perp_making m = {.instance = instance, .why = why, .pieces = pieces};
  const perp_error error = perp_kinds_make(&kinds, text, &m);
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
    return perp_fail(why, PERP_ERROR_ARGUMENT, "text or instance is NULL");
  return generate(text, NULL, instance, why);
}

/* ---- Pieces ---- */

static bool is_scene(const char *text)
{
  const size_t length = strcspn(text, ":");
  for (const perp_generator *g = perp_generators_scenes; g->name; g++)
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
