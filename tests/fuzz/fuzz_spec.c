/* fuzz_spec.c: specifications of problems, KIND:key=value,..., on arbitrary bytes
 *
 * For any text perp_generate refuses it with one line or returns a valid problem. Sizes are kept
 * small, since a problem of a million unknowns is valid but slow: a text without the size of its
 * kind, or with a number above 30, is only parsed. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include "base/memory.h"
#include "base/parameter.h"

#include <perp/lab.h>

/* Every number of the text except the seed is at most 30 and has no exponent. */
static int is_small(const char *text)
{
  for (const char *at = strchr(text, ':'); at && *at; at++) {
    if (*at < '0' || *at > '9')
      continue;
    char *end;
    const double value = strtod(at, &end);
    const int seed = at - text >= 5 && strncmp(at - 5, "seed=", 5) == 0;
    if (!seed && (value > 30 || (*end && strchr("eEdDx", *end))))
      return 0;
    at = end - 1;
  }
  return 1;
}

/* The keys that set the size of each kind. */
static int has_size(const char *text)
{
  static const char *const keys[] = {
      "n=", "points=", "grid=", "cells=", "rows=", "prices=", "steps="};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    const char *at = strstr(text, keys[k]);
    if (at && at > text && (at[-1] == ':' || at[-1] == ','))
      return 1;
  }
  return 0;
}

/* Returns the parameter table of a kind. */
static void parse(const char *text)
{
  const size_t kind = strcspn(text, ":");
  for (int k = 0; k < perp_generator_count(); k++) {
    const perp_generator_info info = perp_generator_at(k);
    if (strlen(info.name) != kind || strncmp(info.name, text, kind) != 0 || !text[kind])
      continue;
    _Alignas(16) char parameters[4096] = {0};
    char *settings = strdup(text + kind + 1);
    uint64_t seed = 1;
    perp_message why = {""};
    perp_parameters_default(info.parameters, parameters);
    require(settings != NULL, "memory");
    if (perp_parameters_parse(info.name, info.parameters, parameters, settings, &seed, &why))
      require(why.text[0] != 0, "there is a message");
    free(settings);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char text[256];
  if (size >= sizeof text)
    return 0;
  memcpy(text, data, size);
  text[size] = 0;
  parse(text);
  const size_t kind = strcspn(text, ":");
  char name[256];
  snprintf(name, sizeof name, "%.*s", (int)kind, text);
  if (perp_generator_find(name) >= 0 && !(is_small(text) && has_size(text)))
    return 0;
  perp_instance instance;
  perp_message why = {""};
  if (perp_generate(text, &instance, &why)) {
    require(why.text[0] != 0 && !strchr(why.text, '\n'), "one line says why");
    return 0;
  }
  const perp_problem problem = perp_instance_problem(&instance);
  require(perp_problem_validate(&problem, &why) == PERP_OK, "the problem is sound");
  perp_instance_destroy(&instance);
  return 0;
}
