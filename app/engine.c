/* engine.c: who makes the steps of a run, and options that have no effect on them
 *
 * Scenes of bodies in space have the parameters engine (perp, or one of ODE's steppers), after
 * (steps that perp makes before ODE's takes over) and iterations (sweeps of ODE's quickstep). ODE's
 * steps have neither a method nor a problem. An option for these, or a parameter of an engine that
 * no run has, would have no effect, and is refused. If runs are compared, it is enough that one of
 * them uses it. */
#include "simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int length_of(const char *value)
{
  return (int)strcspn(value, ",");
}

static sim_engine find_engine(const char *scene)
{
  static const char *const names[] = {"perp", "ode-step", "ode-quickstep"};
  const char *value = scene_find_value(scene, "engine");
  for (int k = ENGINE_PERP; k <= ENGINE_QUICKSTEP && value; k++)
    if (strlen(names[k]) == (size_t)length_of(value) &&
        strncmp(names[k], value, strlen(names[k])) == 0)
      return (sim_engine)k;
  return value ? ENGINE_UNKNOWN : ENGINE_PERP;
}

void engine_read(sim_run *run)
{
  const char *after = scene_find_value(run->scene, "after");
  run->engine = find_engine(run->scene);
  run->after = after ? fmax(0, strtod(after, NULL)) : 0; /* the scene reports other texts */
  const char *ode = run->engine == ENGINE_STEP        ? "dWorldStep of ODE"
                    : run->engine == ENGINE_QUICKSTEP ? "dWorldQuickStep of ODE"
                                                      : "";
  const bool ours = !*ode || run->after > 0;
  snprintf(run->stepper, sizeof run->stepper, "%s%s%s", ours ? run->method : "",
           ours && *ode ? ", then " : "", ode);
}

perp_error engines_check(const char *option, int64_t steps, const runs *all, perp_message *why)
{
  int solves = 0, ode = 0,
      quick = 0; /* runs in which perp solves, in which ODE steps, and sweeps */
  const char *after = NULL, *iterations = NULL;
  for (int k = 0; k < all->count; k++) {
    const sim_run *run = &all->item[k];
    if (!scene_has(run->scene, "engine") || run->engine == ENGINE_UNKNOWN)
      return PERP_OK; /* perp makes all steps, or the scene reports what is wrong */
    solves += run->engine == ENGINE_PERP || run->after > 0;
    ode += run->engine != ENGINE_PERP;
    quick += run->engine == ENGINE_QUICKSTEP;
    after = run->after > 0 ? scene_find_value(run->scene, "after") : after;
    iterations = scene_find_value(run->scene, "iterations");
    if (run->engine != ENGINE_PERP && run->after >= (double)steps) {
      snprintf(why->text, sizeof why->text,
               "after=%.0f: perp would make all %lld steps and ODE none; raise --steps", run->after,
               (long long)steps);
      return PERP_ERROR_ARGUMENT;
    }
  }
  if (option && solves == 0)
    snprintf(why->text, sizeof why->text,
             "--%s is for perp's solver, but every step here is made by %s; with after=N perp "
             "makes the first N",
             option, all->item[0].stepper);
  else if (after && ode == 0)
    snprintf(why->text, sizeof why->text,
             "after=%.*s needs another engine to take over from perp: add engine=ode-step or "
             "engine=ode-quickstep",
             length_of(after), after);
  else if (iterations && quick == 0)
    snprintf(why->text, sizeof why->text,
             "iterations=%.*s is for engine=ode-quickstep, which makes no step here; for perp use "
             "--max-iter",
             length_of(iterations), iterations);
  else
    return PERP_OK;
  return PERP_ERROR_ARGUMENT;
}
