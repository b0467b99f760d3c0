/* attempt.c: runs within a run
 *
 * An attempt is a step of `auto`: another method continues from the best x so far, under the same
 * clock, limits, observer and best iterate, on the problem itself or on the scaled problem. A
 * subsolve is a separate run on another problem; its caller sees only the outcome. */
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/run/driver.h"
#include "method/run/factor_cache.h"
#include "method/run/scaling.h"
#include "operator/contact/contact.h"

#include <math.h>
#include <string.h>

bool perp_run_over(const perp_run *run)
{
  const perp_driver *d = run->driver;
  const int64_t most = run->options->max_iterations;
  /* a method that is too slow leaves time for another */
  const bool late = d->ending == PERP_TIME_LIMIT && perp_driver_late(d);
  if (perp_driver_failed(run))
    return true;
  /* another method may still find a solution that is exact in doubles, if that is cheap */
  enum { FEW = 1000 };
  if (d->ended && d->ending == PERP_PRECISION && run->problem->K.n > FEW)
    return true;
  return d->ended && (d->ending == PERP_SOLVED || late || d->ending == PERP_STOPPED ||
                      d->ending == PERP_INFEASIBLE || d->ending == PERP_UNSOLVABLE ||
                      (most > 0 && run->count.iterations >= most));
}

const double *perp_run_start(const perp_run *run)
{
  return run->driver->start;
}

bool perp_run_start_solves(perp_run *run)
{
  return perp_verdict_solved(perp_driver_fresh(run, run->driver->start), run->target);
}

perp_plan *perp_run_plan(perp_run *run)
{
  return &run->driver->result->plan;
}

/* Records the seconds of the plan. For a few rows reading the clock takes as long as the plan: the
 * seconds of the first attempt then include it. */
void perp_run_planned(perp_run *run)
{
  enum { FEW = 16 };
  if (run->problem->K.n > FEW)
    run->driver->result->plan_seconds = perp_driver_lap(run->driver);
}

/* Reports a run on the scaled problem to the observer in the problem's own units. */
typedef struct scaled_watch {
  perp_run *run;
  const double *d; /* x = D z */
  double *x;
  int64_t before; /* iterations of the attempt so far */
} scaled_watch;

static bool observe_scaled(void *context, const perp_progress *progress)
{
  const scaled_watch *w = context;
  perp_run *run = w->run;
  const bool checked = progress->checked && progress->x;
  for (int i = 0; progress->x && i < progress->n; i++)
    w->x[i] = w->d[i] * progress->x[i];
  run->count.iterations = w->before + progress->iteration;
  if (checked)
    run->driver->residual = perp_driver_fresh(run, w->x);
  perp_driver_observe(run, progress->x ? w->x : NULL, checked);
  return !run->driver->ended;
}

/* Solves from x to the tolerance in the scaled units, and again to a tighter one if that was not
 * enough in the problem's own units. */
static perp_error solve_scaled(perp_run *run, const perp_method *method, const void *parameters,
                               const perp_scaled *scaled, double *x)
{
  enum { TURNS = 4 };
  perp_driver *d = run->driver;
  const int n = run->problem->K.n;
  double *z = perp_run_reals(run, (size_t)n);
  scaled_watch watch = {run, scaled->d, perp_run_reals(run, (size_t)n), 0};
  if (!z || !watch.x)
    return perp_run_no_memory(run);
  perp_options options = *run->options;
  options.merit_tol = options.merit_rel_tol = 0;
  if (options.observer) {
    options.observer = observe_scaled;
    options.observer_context = &watch;
  }
  for (int i = 0; i < n; i++)
    z[i] = x[i] / scaled->d[i];
  for (int turn = 0; turn < TURNS && !perp_run_expired(run); turn++) {
    watch.before = run->count.iterations > 0 ? run->count.iterations : 0;
    options.max_iterations = d->limit - watch.before; /* above zero; 0 would mean no limit */
    perp_result result = perp_result_empty();
    const perp_arena_mark mark = perp_arena_hold(run->arena);
    const perp_error error =
        perp_driver_run(method, parameters, run->services, &scaled->problem, &options, d->deadline,
                        run->arena, NULL, z, false, &result);
    if (error)
      return perp_run_fail(run, error, "%s", result.message.text);
    perp_counts_add(&run->count, &result.counts);
    run->count.iterations = watch.before + result.counts.iterations;
    for (int i = 0; i < n; i++)
      x[i] = scaled->d[i] * z[i];
    if (result.ray) { /* (D A D)^T v <= 0, (D b)^T v < 0: D v is a ray of the problem itself */
      for (int i = 0; i < n; i++)
        z[i] = scaled->d[i] * result.ray[i];
      perp_run_ray(run, z);
    }
    perp_arena_release(run->arena, mark);
    const double residual = perp_driver_judged(run, x);
    const bool met = perp_verdict_solved(residual, run->target);
    if (met || result.outcome != PERP_SOLVED || !isfinite(residual))
      perp_run_claim(run, met ? PERP_SOLVED
                          : result.outcome == PERP_SOLVED || result.outcome == PERP_PRECISION
                              ? PERP_STAGNATED
                              : result.outcome);
    else if (run->count.iterations >= d->limit)
      perp_run_claim(run, PERP_ITERATION_LIMIT);
    options.tol *= perp_max(0.1 * run->target / residual, 1e-6);
  }
  perp_run_claim(run, PERP_STAGNATED);
  return PERP_OK;
}

/* Returns true for sweeps on problems with friction, which may run for long without converging. */
static bool may_sweep_in_vain(const perp_run *run, const perp_method *method)
{
  const perp_form form = perp_set_form(&run->problem->K);
  return form >= PERP_FORM_FINDEX && strcmp(method->family, "splitting") == 0;
}

/* Returns the factor by which the rate may still improve. Sweeps are slow while contacts open and
 * close and directions turn, and faster in the end: on cones, and from the forces of the last frame
 * on balls and discs, which have at least one velocity for two rows. */
static double rate_gain_of(const perp_run *run)
{
  const perp_problem *p = run->problem;
  const bool balls = perp_operator_is_contact(p->A) &&
                     p->K.n <= 2 * (int64_t)perp_contact_of(p->A)->data.velocities;
  return perp_set_has_cones(&p->K) || (!run->cold && balls) ? 3 : 1;
}

/* Each attempt starts its own stop tests; clock, counts and best iterate continue. Memory of the
 * attempt is given back, unless it holds a ray. */
perp_error perp_run_attempt(perp_run *run, const perp_method *method, int64_t limit,
                            const perp_scaled *scaled, double *x, perp_attempt *attempt,
                            perp_message *why)
{
  perp_driver *d = run->driver;
  const perp_method *caller = d->method;
  const bool had_ended = d->ended;
  const perp_outcome earlier = d->ending;
  const int64_t iterations = run->count.iterations;
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  void *parameters = perp_arena_alloc_zero(run->arena, 1, method->parameter_bytes);
  if (!parameters)
    return perp_run_no_memory(run);
  perp_method_defaults(method, parameters);
  perp_memory_begin(run->memory);
  d->method = method;
  d->ended = d->distrust = false;
  d->limit = iterations + (limit > 0 ? limit : method->max_iterations);
  if (run->options->max_iterations && run->options->max_iterations < d->limit)
    d->limit = run->options->max_iterations;
  d->next_check = 0;
  d->residual = d->stale_residual = d->halved_residual = INFINITY;
  d->halved_since = iterations;
  d->next_floor = 0;
  d->stale_since = iterations;
  d->first_iteration = iterations + 1;
  d->rises = 0;
  d->watched = limit > 0 && may_sweep_in_vain(run, method);
  d->rate_gain = rate_gain_of(run);
  d->marked = 0;
  d->merit = d->first_merit = NAN;

  perp_error error = scaled ? solve_scaled(run, method, parameters, scaled, x)
                            : method->solve(run, run->problem, parameters, x);
  if (error) { /* as if the attempt had not been made */
    *why = d->result->message;
    d->ended = had_ended;
    d->ending = earlier;
    perp_copy(run->problem->K.n, d->best, x);
  } else {
    const double residual = perp_driver_verdict(run, x); /* x may never have been shown */
    if (isfinite(residual))
      perp_driver_keep(run, x, residual, true);
    if (d->ended && (d->ending == PERP_INFEASIBLE || d->ending == PERP_RAY))
      d->ending = perp_driver_proves(run) ? PERP_INFEASIBLE : PERP_RAY;
    if ((!d->ended || perp_driver_is_stuck(d->ending)) && d->best_residual > run->target &&
        perp_driver_is_at_floor(run, d->best, d->best_residual)) {
      d->ended = true;
      d->ending = PERP_PRECISION;
    }
  }
  const perp_outcome ending = d->ended ? d->ending : PERP_STAGNATED;
  if (!error && ending == PERP_UNSOLVABLE)
    *why = d->result->message;
  d->result->message.text[0] = 0;
  if (!error) {
    d->last_method = method->name;
    perp_copy(run->problem->K.n, d->best, x);
    /* the count is -1 before the start is shown */
    const int64_t begun = iterations > 0 ? iterations : 0, done = run->count.iterations;
    *attempt = (perp_attempt){.method = method->name,
                              .outcome = ending,
                              .residual = d->best_residual,
                              .iterations = done > begun ? done - begun : 0,
                              .seconds = perp_driver_lap(d)};
    if (d->result->attempts < PERP_ATTEMPTS)
      d->result->attempt[d->result->attempts++] = *attempt;
    if (run->options->logger)
      perp_run_log(run, PERP_LOG_INFO, "%s: %s%s: %s after %lld iterations, relative residual %.2e",
                   caller->name, method->name, scaled ? " on the scaled matrix" : "",
                   perp_outcome_name(ending), (long long)attempt->iterations,
                   attempt->residual / run->scale);
  } else {
    perp_run_log(run, PERP_LOG_INFO, "%s: %s skipped: %.400s", caller->name, method->name,
                 why->text);
  }
  if (error || (ending != PERP_RAY && ending != PERP_INFEASIBLE))
    perp_arena_release(run->arena, mark);
  d->method = caller;
  return error;
}

double perp_run_begin_share(perp_run *run, double share)
{
  perp_driver *d = run->driver;
  const double deadline = d->deadline;
  if (deadline < INFINITY)
    d->deadline = deadline - (1 - share) * (deadline - perp_clock_seconds());
  return deadline;
}

void perp_run_end_share(perp_run *run, double deadline)
{
  run->driver->deadline = deadline;
}

perp_error perp_run_subsolve(perp_run *run, const perp_subrun *sub, const perp_problem *problem,
                             double *x, perp_outcome *outcome)
{
  const perp_method *method = sub->method;
  const perp_form form = perp_set_form(&problem->K);
  if (!perp_method_fits(method, form, perp_operator_abilities(problem->A), problem->K.n))
    return perp_run_fail(
        run, PERP_ERROR_UNSUPPORTED,
        "%s: the subproblem of form '%s' on this %s operator is not supported by %s",
        run->driver->method->name, perp_form_name(form), perp_operator_kind(problem->A),
        method->name);
  *outcome = PERP_TIME_LIMIT;
  if (perp_run_expired(run))
    return PERP_OK;
  perp_options options = *run->options;
  options.tol = sub->target / perp_problem_scale(problem);
  options.max_iterations = sub->max_iterations;
  options.merit_tol = options.merit_rel_tol = 0;
  options.check_every = options.check_every < 0 ? -1 : 0;
  options.stagnation = 0;
  options.observer = sub->observer;
  options.observer_context = sub->observer_context;

  const perp_arena_mark mark = perp_arena_hold(run->arena);
  const void *parameters = sub->parameters;
  if (!parameters) {
    void *defaults = perp_arena_alloc_zero(run->arena, 1, method->parameter_bytes);
    if (!defaults)
      return perp_run_no_memory(run);
    perp_method_defaults(method, defaults);
    parameters = defaults;
  }
  perp_result result = perp_result_empty();
  const perp_error error =
      perp_driver_run(method, parameters, run->services, problem, &options, run->driver->deadline,
                      run->arena, NULL, x, false, &result);
  perp_arena_release(run->arena, mark);
  if (error)
    return perp_run_fail(run, error, "%s: %s", run->driver->method->name, result.message.text);
  perp_counts_add(&run->count, &result.counts);
  *outcome = result.outcome;
  return PERP_OK;
}
