/* generate_contact.h: small scenes of contacts in every form */
#pragma once

#include "generated.h"
#include <perp/lab.h>
#include <perp/perp.h>

static const char *const scenes[] = {
    "pile:n=14",          "pile:n=14,layout=random",
    "stack:n=3",          "wall:rows=2,columns=3",
    "wall:size=nb8_nc45", "cards:n=2",
    "arch:n=4",           "chain:n=5,ratio=10",
};
static const char *const forms[] = {"lcp",        "mixed", "stick",    "findex",
                                    "polyhedral", "cone",  "elliptic", "discs"};
enum { SCENES = sizeof scenes / sizeof *scenes, FORMS = sizeof forms / sizeof *forms };

static inline bool named_wall(const char *scene)
{
  return strstr(scene, "size=") != NULL;
}

static perp_instance generate(const char *format, ...)
{
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const perp_instance instance = generated(text);
  perp_message why = {""};
  const perp_problem p = perp_instance_problem(&instance);
  CHECK_SAY(perp_problem_validate(&p, &why) == PERP_OK, "%s: %s", text, why.text);
  return instance;
}
