/* compare.c: the runs of a call: one, or one for each value that --compare names */
#include "parameters.h"
#include "robot.h"
#include "simulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool compares_methods(const sim_request *r)
{
  return r->compare && strncmp(r->compare, "method=", 7) == 0;
}

/* Cuts the count of iterations off a method such as pgs:40; false if it is not a count. */
static bool cut_limit(sim_run *run)
{
  char *colon = strchr(run->method, ':'), *end;
  if (!colon)
    return true;
  const long long count = strtoll(colon + 1, &end, 10);
  *colon = 0;
  run->max_iterations = count;
  return count > 0 && *end == 0;
}

/* The run with the value that `value` begins with; equals: in r->compare, NULL if it is not
 * given. */
static perp_error plan_one(const sim_request *r, const char *equals, const char *value,
                           sim_run *run, perp_message *why)
{
  const int length = (int)strcspn(value, ","), key = equals ? (int)(equals - r->compare) : 0;
  const bool method = compares_methods(r);
  *run = (sim_run){.dimension = 2,
                   .worst_residual = NAN,
                   .paged = r->files.html,
                   .robot = robot_is(r->scene),
                   .max_iterations = r->options.max_iterations};
  run->spectrum = (sim_spectrum){.least = INFINITY, .greatest = -INFINITY};
  int scene = snprintf(run->scene, sizeof run->scene, "%s", r->scene);
  if (equals && !method)
    scene = snprintf(run->scene, sizeof run->scene, "%s%c%.*s=%.*s", r->scene,
                     strchr(r->scene, ':') ? ',' : ':', key, r->compare, length, value);
  const int name = method ? snprintf(run->method, sizeof run->method, "%.*s", length, value)
                          : snprintf(run->method, sizeof run->method, "%s", r->method);
  if (scene >= (int)sizeof run->scene || name >= (int)sizeof run->method)
    return app_say(why, PERP_ERROR_ARGUMENT, r->scene, ": the scene or the method is too long");
  if (!cut_limit(run))
    return app_say(why, PERP_ERROR_ARGUMENT, r->compare,
                   ": after METHOD: write a number of iterations, as in pgs:40");
  engine_read(run);
  memcpy(run->label, run->stepper, sizeof run->label);
  if (equals)
    snprintf(run->label, sizeof run->label, "%.*s", length, value);
  memcpy(run->title, run->label, sizeof run->label);
  if (equals && !method)
    snprintf(run->title, sizeof run->title, "%.*s=%.*s", key, r->compare, length, value);
  return PERP_OK;
}

perp_error runs_plan(const sim_request *r, runs *all, perp_message *why)
{
  const char *equals = r->compare ? strchr(r->compare, '=') : NULL;
  if (r->compare && (!equals || equals == r->compare))
    return app_say(why, PERP_ERROR_ARGUMENT, r->compare, ": --compare takes KEY=VALUE,VALUE,...");
  const char *value = equals ? equals + 1 : "";
  do {
    if (all->count == RUNS) {
      snprintf(why->text, sizeof why->text, "--compare %.300s: at most %d runs are compared",
               r->compare, RUNS);
      return PERP_ERROR_ARGUMENT;
    }
    sim_run *run = &all->item[all->count];
    const perp_error error = plan_one(r, equals, value, run, why);
    if (error)
      return error;
    for (int k = 0; k < all->count; k++)
      if (strcmp(all->item[k].label, run->label) == 0) {
        snprintf(why->text, sizeof why->text, "--compare %.300s: \"%.96s\" is given twice",
                 r->compare, run->label);
        return PERP_ERROR_ARGUMENT;
      }
    all->count++;
    value += strcspn(value, ",");
  } while (*value++ == ',');
  return PERP_OK;
}

perp_error runs_try(const sim_request *r, const runs *all, perp_message *why)
{
  perp_error error = PERP_OK;
  for (int k = 0; k < all->count && all->count > 1 && !error; k++) {
    const sim_run *run = &all->item[k];
    sim_world world = {0};
    error = world_create(run->scene, run->method, &r->options, &world, why);
    if (!error)
      error = app_set_parameters(world_solver(&world), &r->set, why);
    world_destroy(&world);
  }
  return error;
}
