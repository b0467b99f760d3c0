/* engine.c: who makes the steps of a run
 *
 * Scenes of bodies in space have the parameters engine (perp, or one of ODE's steppers) and after (steps
 * that perp makes before ODE's takes over). */
#include "simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What stands behind "key=" in NAME:key=value,..., up to the comma; the last one counts. NULL: nothing. */
static const char *find_value(const char *scene, const char *key)
{
  const size_t length = strlen(key);
  const char *found = NULL;
  for (const char *at = strchr(scene, ':'); at; at = strchr(at + 1, ','))
    if (strncmp(at + 1, key, length) == 0 && at[1 + length] == '=')
      found = at + length + 2;
  return found;
}

static int length_of(const char *value)
{
  return (int)strcspn(value, ",");
}

static sim_engine find_engine(const char *scene)
{
  static const char *const names[] = {"perp", "ode-step", "ode-quickstep"};
  const char *value = find_value(scene, "engine");
  for (int k = ENGINE_PERP; k <= ENGINE_QUICKSTEP && value; k++)
    if (strlen(names[k]) == (size_t)length_of(value) &&
        strncmp(names[k], value, strlen(names[k])) == 0)
      return (sim_engine)k;
  return value ? ENGINE_UNKNOWN : ENGINE_PERP;
}

void engine_read(sim_run *run)
{
  const char *after = find_value(run->scene, "after");
  run->engine = find_engine(run->scene);
  run->after = after ? fmax(0, strtod(after, NULL)) : 0; /* the scene tells what is no number */
  const char *ode = run->engine == ENGINE_STEP        ? "dWorldStep of ODE"
                    : run->engine == ENGINE_QUICKSTEP ? "dWorldQuickStep of ODE"
                                                      : "";
  const bool ours = !*ode || run->after > 0;
  snprintf(run->stepper, sizeof run->stepper, "%s%s%s", ours ? run->method : "",
           ours && *ode ? ", then " : "", ode);
}
