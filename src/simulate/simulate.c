/* simulate.c: scenes by name, steps and their statistics */
#include "simulate/simulate.h"
#include "base/clock.h"
#include "base/lists.h"
#include "base/sized.h"
#include <perp/frame.h>

#include <math.h>
#include <string.h>

/* ---- Scenes ---- */

/* Each list ends with a scene without a name. */
extern const perp_scene perp_scenes_plane[], perp_scenes_space[], perp_scenes_fluid[],
    perp_scenes_particle[];

static const void *const families[] = {perp_scenes_plane, perp_scenes_space, perp_scenes_fluid,
                                       perp_scenes_particle};
static const perp_lists scenes = {families, sizeof families / sizeof *families, sizeof(perp_scene)};

/* ---- Simulations ---- */

struct perp_simulation {
  const perp_scene *scene;
  void *state;
  int64_t steps;
  perp_stepper stepper;
};

int perp_scene_count(void)
{
  return perp_lists_count(&scenes);
}

void perp_scene_at_sized(int index, perp_scene_info *info, size_t size)
{
  const perp_scene *s = perp_lists_at(&scenes, index);
  const perp_scene_info own = s ? (perp_scene_info){.name = s->name,
                                                    .title = s->title,
                                                    .family = s->simulator->family,
                                                    .parameters = s->parameters}
                                : (perp_scene_info){0};
  perp_sized_write(&own, sizeof own, info, size);
}

int perp_scene_find(const char *name)
{
  return perp_lists_find(&scenes, name);
}

/* settings: the text after the colon; it is split in place */
static perp_error create_state(const perp_scene *scene, char *settings, void **state,
                               perp_message *why)
{
  void *parameters = perp_alloc_zero(1, scene->simulator->parameter_bytes);
  if (!parameters)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for the scene %s", scene->name);
  perp_parameters_default(scene->parameters, parameters);
  uint64_t seed = 1;
  perp_error error =
      perp_parameters_parse(scene->name, scene->parameters, parameters, settings, &seed, why);
  if (!error)
    error = scene->simulator->create(scene, parameters, seed, state, why);
  perp_free(parameters);
  return error;
}

perp_error perp_simulation_create(const char *scene, const char *method,
                                  const perp_options *options, perp_simulation **simulation,
                                  perp_message *why)
{
  if (!scene || !simulation)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "scene or simulation is NULL");
  *simulation = NULL;
  perp_simulation *s = perp_alloc_zero(1, sizeof *s);
  char *copy = perp_alloc_copy(scene, strlen(scene) + 1, 1);
  perp_error error =
      s && copy ? PERP_OK : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a scene");
  if (!error) {
    s->stepper.warm = s->stepper.keeps_start = true;
    s->stepper.options = perp_options_default();
    if (options)
      error = perp_sized_read("perp_options", options, &s->stepper.options,
                              sizeof s->stepper.options, why);
  }
  if (!error)
    error = perp_solver_create(method, &s->stepper.solver, why);
  if (!error) {
    char *settings = strchr(copy, ':');
    if (settings)
      *settings++ = 0;
    const int index = perp_scene_find(copy);
    if (index < 0)
      error = perp_fail(why, PERP_ERROR_ARGUMENT, "there is no scene '%.64s'", copy);
    else
      error = create_state(s->scene = perp_lists_at(&scenes, index), settings, &s->state, why);
  }
  perp_free(copy);
  if (error)
    perp_simulation_destroy(s);
  else
    *simulation = s;
  return error;
}

void perp_simulation_destroy(perp_simulation *simulation)
{
  if (!simulation)
    return;
  if (simulation->state)
    simulation->scene->simulator->destroy(simulation->state);
  perp_solver_destroy(simulation->stepper.solver);
  perp_islands_destroy(simulation->stepper.islands);
  perp_free(simulation->stepper.start);
  perp_free(simulation);
}

perp_solver *perp_simulation_solver(perp_simulation *simulation)
{
  if (!simulation)
    return NULL;
  const perp_stepper *stepper = &simulation->stepper;
  return stepper->islands ? perp_islands_solver(stepper->islands) : stepper->solver;
}

perp_options *perp_simulation_options(perp_simulation *simulation)
{
  return simulation ? &simulation->stepper.options : NULL;
}

void perp_simulation_set_warm(perp_simulation *simulation, bool warm)
{
  if (simulation)
    simulation->stepper.warm = warm;
}

perp_error perp_simulation_set_islands(perp_simulation *simulation, bool islands, perp_message *why)
{
  if (!simulation)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "simulation is NULL");
  perp_stepper *stepper = &simulation->stepper;
  perp_islands_destroy(stepper->islands);
  stepper->islands = NULL;
  return islands
             ? perp_islands_create(perp_solver_method(stepper->solver).name, &stepper->islands, why)
             : PERP_OK;
}

perp_error perp_simulation_step_sized(perp_simulation *simulation, perp_step *frame, size_t size,
                                      perp_message *why)
{
  if (!simulation || !frame)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "simulation or frame is NULL");
  const double begin = perp_clock_seconds();
  perp_step own = {
      .index = ++simulation->steps,
      .outcome = PERP_SOLVED, /* if there is no problem to solve */
      .kinetic = NAN,
      .potential = NAN,
      .penetration = NAN,
      .volume = NAN,
  };
  simulation->stepper.frame = &own;
  simulation->stepper.problem = (perp_problem){0};
  simulation->stepper.x = NULL;
  simulation->stepper.trouble.text[0] = 0;
  const perp_error error =
      simulation->scene->simulator->step(simulation->state, &simulation->stepper, why);
  simulation->stepper.frame = NULL;
  own.step_seconds = perp_clock_seconds() - begin;
  perp_sized_write(&own, sizeof own, frame, size);
  return error;
}

const perp_problem *perp_simulation_problem(const perp_simulation *simulation)
{
  return simulation && simulation->stepper.problem.A ? &simulation->stepper.problem : NULL;
}

const double *perp_simulation_solution(const perp_simulation *simulation)
{
  return simulation ? simulation->stepper.x : NULL;
}

const double *perp_simulation_start(const perp_simulation *simulation)
{
  return simulation && simulation->stepper.x ? simulation->stepper.start : NULL;
}

const char *perp_simulation_trouble(const perp_simulation *simulation)
{
  return simulation ? simulation->stepper.trouble.text : "";
}

void perp_simulation_view_sized(const perp_simulation *simulation, perp_view *view, size_t size)
{
  perp_view own = {0};
  if (simulation)
    simulation->scene->simulator->view(simulation->state, &own);
  perp_sized_write(&own, sizeof own, view, size);
}

/* Returns true if the masses of the body and their inverses are far from overflow. */
static bool is_measured(const perp_shape *body, double density)
{
  bool fine = density == 0 || density >= 1e-6;
  for (int k = 0; k < 3; k++)
    fine = fine && (body->size[k] == 0 || (body->size[k] >= 1e-6 && body->size[k] <= 1e6));
  double area = body->corners > 0 && body->corner ? 0 : 1;
  for (int k = 0; body->corner && k < body->corners; k++) {
    const double *p = body->corner + 2 * k, *q = body->corner + 2 * ((k + 1) % body->corners);
    fine = fine && fabs(p[0]) <= 1e6 && fabs(p[1]) <= 1e6;
    area += 0.5 * (p[0] * q[1] - p[1] * q[0]);
  }
  return fine && area >= 1e-12;
}

perp_error perp_simulation_act(perp_simulation *simulation, const perp_action *action,
                               perp_message *why)
{
  if (!simulation || !action)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "simulation or action is NULL");
  perp_action own = {0};
  const perp_error error = perp_sized_read("perp_action", action, &own, sizeof own, why);
  if (error)
    return error;
  static const char *const names[] = {"at", "at", "at", "to", "to", "to", "value", "radius"};
  const double number[] = {own.at[0], own.at[1], own.at[2], own.to[0],
                           own.to[1], own.to[2], own.value, own.radius};
  for (int k = 0; k < 8; k++)
    if (!(fabs(number[k]) <= 1e9))
      return perp_fail(why, PERP_ERROR_ARGUMENT, "action.%s = %g is not within -1e9 .. 1e9",
                       names[k], number[k]);
  if (own.body && own.kind == PERP_ACT_ADD && !is_measured(own.body, own.value))
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "action.body: sizes must be from 1e-6 to 1e6, the density 0 or at least 1e-6");
  if (!simulation->scene->simulator->act)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, "the scene %s supports no actions",
                     simulation->scene->name);
  return simulation->scene->simulator->act(simulation->state, &own, why);
}

perp_error perp_simulation_follow(perp_simulation *simulation, const perp_simulation *from,
                                  perp_message *why)
{
  if (!simulation || !from)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "simulation or from is NULL");
  if (simulation->scene != from->scene || !simulation->scene->simulator->follow)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "the scene %s cannot copy the state of the scene %s", simulation->scene->name,
                     from->scene->name);
  return simulation == from
             ? PERP_OK
             : simulation->scene->simulator->follow(simulation->state, from->state, why);
}
