/* registry.c: the list of generators, and parsing of the text that names a problem */
#include "base/sized.h"
#include "generate/generate.h"
#include "generate/scene_pieces.h"

#include <stdio.h>
#include <string.h>

/* ---- Lists of generators ---- */

/* Returns NULL if the index is out of range. */
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

static int find_kind(const perp_kinds *kinds, const char *name)
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
  const int index = find_kind(kinds, copy);
  if (index < 0)
    return perp_fail(m->why, PERP_ERROR_ARGUMENT, "there is no kind of %s '%.64s'", kinds->what,
                     copy);
  const perp_generator *g = kind_at(kinds, index);
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

static const perp_generator *const families[] = {
    perp_generators_random, perp_generators_notes,    perp_generators_hard,
    perp_generators_fluid,  perp_generators_membrane, perp_generators_finance,
    perp_generators_scenes, perp_generators_particle, perp_generators_mass};
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
  return find_kind(&kinds, name);
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
