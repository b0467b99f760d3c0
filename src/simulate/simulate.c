/* simulate.c: the public face of simulations: scenes by name, steps and their account */
#include "simulate/simulate.h"
#include "base/clock.h"
#include "base/elementary.h"
#include <perp/frame.h>

#include <math.h>
#include <string.h>

struct perp_simulation {
  const perp_scene *scene;
  void *state;
  int64_t steps;
  perp_stepper stepper;
};

int perp_scene_count(void)
{
  int count = 0;
  while (perp_scenes[count])
    count++;
  return count;
}

perp_scene_info perp_scene_at(int index)
{
  if (index < 0 || index >= perp_scene_count())
    return (perp_scene_info){0};
  const perp_scene *s = perp_scenes[index];
  return (perp_scene_info){s->name, s->title, s->family, s->parameters};
}

int perp_scene_find(const char *name)
{
  for (int k = 0; perp_scenes[k]; k++)
    if (name && strcmp(perp_scenes[k]->name, name) == 0)
      return k;
  return -1;
}

/* settings: what follows the colon, cut up in place */
static perp_error create_state(const perp_scene *scene, char *settings, void **state,
                               perp_message *why)
{
  void *parameters = perp_alloc_zero(1, scene->parameter_bytes);
  if (!parameters)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for the scene %s", scene->name);
  perp_parameters_default(scene->parameters, parameters);
  uint64_t seed = 1;
  perp_error error =
      perp_parameters_parse(scene->name, scene->parameters, parameters, settings, &seed, why);
  if (!error)
    error = scene->create(parameters, seed, state, why);
  perp_free(parameters);
  return error;
}

perp_error perp_simulation_create(const char *scene, const char *method,
                                  const perp_options *options, perp_simulation **simulation,
                                  perp_message *why)
{
  if (!scene || !method || !simulation)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "no scene, no method, or nowhere to put it");
  *simulation = NULL;
  perp_simulation *s = perp_alloc_zero(1, sizeof *s);
  char *copy = perp_alloc_copy(scene, strlen(scene) + 1, 1);
  perp_error error =
      s && copy ? PERP_OK : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a scene");
  if (!error) {
    s->stepper.options = options ? *options : perp_options_default();
    s->stepper.warm = true;
    error = perp_solver_create(method, &s->stepper.solver, why);
  }
  if (!error) {
    char *settings = strchr(copy, ':');
    if (settings)
      *settings++ = 0;
    const int index = perp_scene_find(copy);
    if (index < 0)
      error = perp_fail(why, PERP_ERROR_ARGUMENT, "there is no scene '%.64s'", copy);
    else
      error = create_state(s->scene = perp_scenes[index], settings, &s->state, why);
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
    simulation->scene->destroy(simulation->state);
  perp_solver_destroy(simulation->stepper.solver);
  perp_free(simulation);
}

perp_solver *perp_simulation_solver(perp_simulation *simulation)
{
  return simulation ? simulation->stepper.solver : NULL;
}

perp_options *perp_simulation_options(perp_simulation *simulation)
{
  return simulation ? &simulation->stepper.options : NULL;
}

void perp_simulation_warm(perp_simulation *simulation, bool warm)
{
  if (simulation)
    simulation->stepper.warm = warm;
}

void perp_simulation_islands(perp_simulation *simulation, bool islands)
{
  if (simulation)
    simulation->stepper.islands = islands;
}

/* The account of a problem that the method could not take: x is the start. */
static void account_refusal(const perp_problem *p, const double *x, perp_result *result)
{
  perp_message unused;
  result->outcome = PERP_NOT_RUN;
  result->seconds = 0;
  if (perp_check(p, x, &result->residual, &result->scale, &unused)) {
    result->residual = NAN;
    result->scale = 1;
  }
}

/* A carried start can lead astray, and a solve that was cut short then ends farther from a solution than
 * x = 0 is, whose relative residual is 1 at most: no forces are better than those. It is asked after a
 * solve that failed alone. To drop every start that is worse than 0 at first would cost much more than it
 * saves: in a pile one new contact makes it so, while all others are right. */
static void fall_back(const perp_problem *p, double *x, perp_result *result)
{
  const size_t n = (size_t)p->K.n;
  double *zero = perp_alloc_zero(n, sizeof *zero), residual, scale;
  perp_message unused;
  if (zero && !perp_check(p, zero, &residual, &scale, &unused) && !(result->residual <= residual)) {
    const perp_message why = result->message;
    memset(x, 0, n * sizeof *x);
    result->residual = residual;
    result->scale = scale;
    perp_fail(&result->message, PERP_OK, "%.400s; worse than no forces at all, which are taken",
              why.text);
  }
  perp_free(zero);
}

perp_error perp_stepper_solve(perp_stepper *stepper, const perp_problem *p, double *x,
                              perp_message *why)
{
  perp_step *frame = stepper->frame;
  const bool first = frame->rows == 0;
  stepper->problem = *p;
  stepper->x = x;
  perp_result result = perp_result_empty();
  const perp_error error =
      stepper->islands ? perp_islands_solve(perp_solver_method(stepper->solver).name, p,
                                            &stepper->options, x, &result)
                       : perp_solver_solve(stepper->solver, p, &stepper->options, x, &result);
  if (error && (error == PERP_ERROR_MEMORY || !stepper->taken))
    return perp_fail(why, error, "frame %lld: %.400s", (long long)frame->index,
                     result.message.text);
  if (error)
    account_refusal(p, x, &result);
  else
    stepper->taken = true;
  if (result.outcome != PERP_SOLVED) {
    fall_back(p, x, &result);
    stepper->trouble = result.message;
  }
  const double residual = result.residual / result.scale;
  if (first || frame->outcome == PERP_SOLVED)
    frame->outcome = result.outcome;
  frame->residual = first ? residual : perp_max(frame->residual, residual);
  frame->rows += p->K.n;
  frame->iterations += result.counts.iterations;
  frame->solve_seconds += result.seconds;
  for (int i = 0; i < p->K.n; i++)
    frame->active += x[i] != 0;
  return PERP_OK;
}

double perp_restitution_share(const double added[3])
{
  const double most = perp_max(0, added[0]);
  if (added[2] <= most)
    return 1;
  /* a s^2 + b s = room */
  const double a = 2 * added[0] - 4 * added[1] + 2 * added[2], b = added[2] - added[0] - a;
  const double room = most - added[0], root = sqrt(perp_max(0, b * b + 4 * a * room));
  const double share = b > 0 ? 2 * room / (b + root) : a > 0 ? (root - b) / (2 * a) : 0;
  return perp_max(0, perp_min(1, share));
}

perp_error perp_simulation_step(perp_simulation *simulation, perp_step *frame, perp_message *why)
{
  if (!simulation || !frame)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "no simulation, or nowhere to put the frame");
  const double begin = perp_clock_seconds();
  *frame = (perp_step){
      .index = ++simulation->steps,
      .outcome = PERP_SOLVED, /* where nothing is to be solved */
      .kinetic = NAN,
      .potential = NAN,
      .penetration = NAN,
      .volume = NAN,
  };
  simulation->stepper.frame = frame;
  simulation->stepper.problem = (perp_problem){0};
  simulation->stepper.x = NULL;
  simulation->stepper.trouble.text[0] = 0;
  const perp_error error = simulation->scene->step(simulation->state, &simulation->stepper, why);
  frame->step_seconds = perp_clock_seconds() - begin;
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

const char *perp_simulation_trouble(const perp_simulation *simulation)
{
  return simulation ? simulation->stepper.trouble.text : "";
}

void perp_simulation_view(const perp_simulation *simulation, perp_view *view)
{
  *view = (perp_view){0};
  if (simulation)
    simulation->scene->view(simulation->state, view);
}
