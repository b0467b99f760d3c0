/* driver.c: time, stopping, tracing and the verdict
 *
 * A method shows its iterate at the top of each iteration (perp_run_next). The driver then
 *
 *   1. looks at the clock, unless the method says that this is a solution;
 *   2. when a check is due, takes the natural residual, keeps the best iterate, and ends the run
 *      where the residual is at most tol * scale;
 *   3. applies the merit tests, the stagnation and divergence tests;
 *   4. calls the observer;
 *   5. counts.
 *
 * A check costs one product with A unless the method has y = A x + b at hand, and a sweep costs
 * about as much, so checks of sweep-based methods are spaced: after k iterations the next comes
 * k/8 later, which adds at most an eighth to the sweeps and little to the checks.
 *
 * Whatever the method says, the verdict is the driver's: it recomputes y = A x + b at the final
 * iterate and at the best one, and hands back the better of the two. */
#include "method/driver.h"

#include "base/clock.h"
#include "linalg/vector.h"
#include "method/certificate.h"
#include "method/scaling.h"
#include "problem/judge.h"
#include "problem/set.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_SPACING = 100, MEASURED_ALONE = 16 };

static void end(perp_driver *d, perp_outcome outcome)
{
  if (!d->ended) {
    d->ended = true;
    d->ending = outcome;
  }
}

static bool is_zero(int n, const double *x)
{
  int i = 0;
  while (i < n && x[i] == 0)
    i++;
  return i == n;
}

/* The natural residual at x with y recomputed here; y = b at a cold start, where the entries of A
 * are known to be finite. */
static double fresh_residual(perp_run *run, const double *x)
{
  perp_driver *d = run->driver;
  const perp_problem *p = run->problem;
  run->count.checks++;
  if (p->A->table->has_rows && is_zero(p->K.n, x)) {
    run->count.applies++; /* counted as any other, known without work */
    return perp_residual(p, x, p->b);
  }
  perp_run_gradient(run, x, d->y);
  return perp_residual(p, x, d->y);
}

/* The same as the verdict takes it. */
static double judged_residual(perp_run *run, const double *x)
{
  perp_driver *d = run->driver;
  const perp_problem *p = run->problem;
  run->count.applies++;
  run->count.checks++;
  if (p->A->table->has_rows && is_zero(p->K.n, x))
    return perp_residual_exact(p, x, p->b);
  return perp_judge(p, x, d->y, &run->work, d->room);
}

/* The verdict on a candidate; one that a check has just judged is not judged again. */
static double verdict(perp_run *run, const double *x)
{
  const perp_driver *d = run->driver;
  const size_t bytes = (size_t)run->problem->K.n * sizeof *x;
  if (d->best_judged && (x == d->best || memcmp(x, d->best, bytes) == 0))
    return d->best_residual;
  return judged_residual(run, x);
}

static void keep_best(perp_run *run, const double *x, double residual, bool judged)
{
  perp_driver *d = run->driver;
  if (residual < d->best_residual) {
    d->best_residual = residual;
    d->best_judged = judged;
    d->best_method = d->method->name;
    memcpy(d->best, x, (size_t)run->problem->K.n * sizeof *x);
  }
}

/* No progress of the best residual for long, in iterations, so that watching a run more closely
 * does not end it sooner; or nothing but growth. */
static void judge_progress(perp_run *run)
{
  perp_driver *d = run->driver;
  const int64_t now = run->count.iterations, patience = run->options->stagnation;
  if (d->best_residual < 0.9999 * d->stale_residual) {
    d->stale_residual = d->best_residual;
    d->stale_since = now;
  } else if (patience && now - d->stale_since >= patience && now - d->stale_since >= now / 2)
    end(d, PERP_STAGNATED);

  const double growth = d->residual / d->best_residual;
  if ((d->rises >= 8 && growth > 1e4) || (d->rises >= 3 && growth > 1e8))
    end(d, PERP_DIVERGED);
}

/* The residual of the iterate: as measured, by the y at hand, or by a product. A residual that meets the
 * target is always confirmed with a y of the driver's own. */
static void check(perp_run *run, const double *x, const double *y, perp_relaxer *relaxer,
                  double measured)
{
  perp_driver *d = run->driver;
  const double previous = d->residual;
  bool own = false;
  if (measured <= run->target && !d->distrust) {
    d->residual = measured;
  } else if (relaxer && relaxer->gradient && !d->distrust) {
    relaxer->gradient(relaxer, d->y);
    run->count.applies++;
    run->count.checks++;
    d->residual = perp_residual(run->problem, x, d->y);
  } else if (y && !d->distrust) {
    run->count.checks++;
    d->residual = perp_residual(run->problem, x, y);
  } else {
    d->residual = fresh_residual(run, x);
    own = true;
  }
  const bool judged = d->residual <= run->target;
  if (judged) {
    d->residual = judged_residual(run, x);
    d->distrust = !own && d->residual > run->target;
  }
  if (!isfinite(d->residual)) {
    end(d, PERP_NON_FINITE);
    return;
  }
  const bool moved = !relaxer || run->count.iterations <= d->first_iteration ||
                     d->residual != d->best_residual ||
                     memcmp(x, d->best, (size_t)run->problem->K.n * sizeof *x) != 0;
  keep_best(run, x, d->residual, judged);
  d->rises = d->residual > previous ? d->rises + 1 : 0;
  if (d->residual <= run->target)
    end(d, PERP_SOLVED);
  else if (!moved) /* a sweep is a function of x: what did not move once never will */
    end(d, PERP_STAGNATED);
  else
    judge_progress(run);
}

/* `measured` is the method's own residual, NaN where it has none. */
static bool check_is_due(const perp_run *run, bool y_at_hand, double measured)
{
  const perp_options *o = run->options;
  const int64_t iteration = run->count.iterations;
  if (o->check_every > 0)
    return iteration % o->check_every == 0;
  if (y_at_hand || (o->check_every == 0 && o->observer) || measured <= run->target)
    return true;
  if (isfinite(measured) && iteration < MEASURED_ALONE)
    return false;
  return iteration >= run->driver->next_check;
}

static void plan_next_check(perp_run *run)
{
  const int64_t iteration = run->count.iterations;
  int64_t spacing = iteration / 8;
  spacing = spacing < 1 ? 1 : spacing > LONGEST_SPACING ? LONGEST_SPACING : spacing;
  run->driver->next_check = iteration + spacing;
}

static void judge_merit(perp_run *run)
{
  perp_driver *d = run->driver;
  const perp_options *o = run->options;
  if (isnan(d->merit))
    return;
  if (isnan(d->first_merit))
    d->first_merit = d->merit;
  if ((o->merit_tol > 0 && d->merit <= o->merit_tol) ||
      (o->merit_rel_tol > 0 && d->merit <= o->merit_rel_tol * d->first_merit))
    end(d, PERP_MERIT_REACHED);
}

static void observe(perp_run *run, const double *x, bool checked)
{
  perp_driver *d = run->driver;
  if (!run->options->observer)
    return;
  const perp_progress progress = {
      .iteration = run->count.iterations,
      .seconds = perp_clock_seconds() - d->began,
      .residual = d->residual,
      .scale = run->scale,
      .merit = d->merit,
      .checked = checked,
      .n = run->problem->K.n,
      .x = x,
      .counts = &run->count,
  };
  if (!run->options->observer(run->options->observer_context, &progress)) {
    if (d->ended && d->ending != PERP_SOLVED)
      d->ending = PERP_STOPPED;
    end(d, PERP_STOPPED);
  }
}

/* The clock is asked where there is a limit alone: for a dozen rows it costs as much as the work. */
static bool is_late(const perp_driver *d)
{
  return d->deadline < INFINITY && perp_clock_seconds() >= d->deadline;
}

static bool next(perp_run *run, const double *x, const double *y, perp_relaxer *relaxer,
                 double measured)
{
  perp_driver *d = run->driver;
  if (d->ended)
    return false;
  run->count.iterations++; /* starts at -1: the first call shows the start */
  const bool due = check_is_due(run, y != NULL, measured);
  const bool claimed = measured <= run->target && !d->distrust;
  const bool look = run->count.iterations > 0 && !claimed;
  if (look && is_late(d)) {
    end(d, PERP_TIME_LIMIT);
  } else {
    if (due) {
      if (relaxer)
        perp_relaxer_store(relaxer);
      check(run, x, y, relaxer, measured);
      plan_next_check(run);
    }
    judge_merit(run);
    const bool x_current = !relaxer || !relaxer->store || due;
    observe(run, x_current ? x : NULL, due);
    if (run->count.iterations >= d->limit)
      end(d, PERP_ITERATION_LIMIT);
  }
  if (d->ended && relaxer)
    perp_relaxer_store(relaxer);
  return !d->ended;
}

bool perp_run_next(perp_run *run, const double *x, const double *y)
{
  return next(run, x, y, NULL, NAN);
}

bool perp_run_next_known(perp_run *run, const double *x, double residual)
{
  return next(run, x, NULL, NULL, residual);
}

bool perp_run_next_relaxed(perp_run *run, perp_relaxer *relaxer)
{
  return next(run, relaxer->x, NULL, relaxer, NAN);
}

bool perp_run_next_measured(perp_run *run, perp_relaxer *relaxer, double residual)
{
  return next(run, relaxer->x, NULL, relaxer, residual);
}

bool perp_run_expired(perp_run *run)
{
  perp_driver *d = run->driver;
  if (!d->ended && is_late(d))
    end(d, PERP_TIME_LIMIT);
  return d->ended;
}

int64_t perp_run_left(const perp_run *run)
{
  const int64_t left = run->driver->limit - run->count.iterations;
  return left > 0 ? left : 0;
}

double perp_run_flops(const perp_run *run)
{
  static const double RATE = 2e9; /* flops in a second */
  const double deadline = run->driver->deadline;
  return deadline == INFINITY ? INFINITY : RATE * (deadline - perp_clock_seconds());
}

bool perp_run_affords(const perp_run *run, double flops)
{
  return flops <= perp_run_flops(run);
}

void perp_run_too_long(perp_run *run, const char *what, int rows)
{
  perp_run_claim(run, PERP_TIME_LIMIT);
  perp_run_say(run, "%s of %d rows would take longer than what is left of %g seconds", what, rows,
               run->options->time_limit);
}

void perp_run_merit(perp_run *run, double merit)
{
  run->driver->merit = merit;
}

void perp_run_claim(perp_run *run, perp_outcome outcome)
{
  end(run->driver, outcome);
}

void perp_run_ray(perp_run *run, const double *ray)
{
  run->driver->ray = ray;
}

perp_error perp_run_fail(perp_run *run, perp_error error, const char *format, ...)
{
  perp_message *message = &run->driver->result->message;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message->text, sizeof message->text, format, arguments);
  va_end(arguments);
  return error;
}

void perp_run_say(perp_run *run, const char *format, ...)
{
  perp_message *message = &run->driver->result->message;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message->text, sizeof message->text, format, arguments);
  va_end(arguments);
}

double *perp_run_reals(perp_run *run, size_t count)
{
  return perp_arena_alloc(run->arena, count, sizeof(double));
}

int *perp_run_integers(perp_run *run, size_t count)
{
  return perp_arena_alloc(run->arena, count, sizeof(int));
}

perp_error perp_run_no_memory(perp_run *run)
{
  return perp_run_fail(run, PERP_ERROR_MEMORY, "%s: out of memory at n = %d",
                       run->driver->method->name, run->problem->K.n);
}

void perp_run_apply(perp_run *run, const double *x, double *y)
{
  const perp_operator *A = run->problem->A;
  A->table->apply(A, x, y, &run->work);
  run->count.applies++;
}

void perp_run_gradient(perp_run *run, const double *x, double *y)
{
  perp_run_apply(run, x, y);
  const double *b = run->problem->b;
  for (int i = 0; i < run->problem->K.n; i++)
    y[i] += b[i];
}

perp_error perp_run_relaxer(perp_run *run, double *x, unsigned orders, perp_relaxer **relaxer)
{
  return perp_relaxer_create(run->driver->method->name, run->problem->A, run->problem->b,
                             &run->problem->K, x, run->options->threads, orders, run->arena,
                             relaxer, &run->driver->result->message);
}

bool perp_run_over(const perp_run *run)
{
  const perp_driver *d = run->driver;
  const int64_t most = run->options->max_iterations;
  /* what takes too long for one method leaves time for another */
  const bool late = d->ending == PERP_TIME_LIMIT && is_late(d);
  return d->ended && (d->ending == PERP_SOLVED || late || d->ending == PERP_STOPPED ||
                      d->ending == PERP_INFEASIBLE || (most > 0 && run->count.iterations >= most));
}

void perp_run_plan(perp_run *run, const perp_plan *plan, double seconds)
{
  run->driver->result->plan = *plan;
  run->driver->result->plan_seconds = seconds;
}

static void add_counts(perp_counts *to, const perp_counts *of)
{
  to->sweeps += of->sweeps;
  to->applies += of->applies;
  to->checks += of->checks;
  to->pivots += of->pivots;
  to->factorisations += of->factorisations;
  to->solves += of->solves;
  to->cycles += of->cycles;
  to->restarts += of->restarts;
}

/* Who listens hears of a run on the scaled problem in the problem's own units. */
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
    run->driver->residual = fresh_residual(run, w->x);
  observe(run, progress->x ? w->x : NULL, checked);
  return !run->driver->ended;
}

/* From x, to the tolerance in the scaled units, and again to a tighter one where that was not enough
 * in the problem's own. */
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
    if (run->options->time_limit > 0) /* what is left of it is above zero */
      options.time_limit = fmax(d->deadline - perp_clock_seconds(), 1e-9);
    watch.before = run->count.iterations;
    options.max_iterations = d->limit - watch.before; /* above zero, where 0 would mean no limit */
    perp_result result = perp_result_empty();
    const perp_arena_mark mark = perp_arena_hold(run->arena);
    const perp_error error =
        perp_driver_run(method, parameters, &scaled->problem, &options, run->arena, z, &result);
    if (error)
      return perp_run_fail(run, error, "%s", result.message.text);
    add_counts(&run->count, &result.counts);
    run->count.iterations = watch.before + result.counts.iterations;
    for (int i = 0; i < n; i++)
      x[i] = scaled->d[i] * z[i];
    if (result.ray) { /* (D A D)^T v <= 0, (D b)^T v < 0: D v is one of the problem's own */
      for (int i = 0; i < n; i++)
        z[i] = scaled->d[i] * result.ray[i];
      perp_run_ray(run, z);
    }
    perp_arena_release(run->arena, mark);
    const double residual = judged_residual(run, x);
    const bool met = residual <= run->target;
    if (met || result.outcome != PERP_SOLVED || !isfinite(residual))
      end(d, result.outcome == PERP_SOLVED ? (met ? PERP_SOLVED : PERP_STAGNATED) : result.outcome);
    else if (run->count.iterations >= d->limit)
      end(d, PERP_ITERATION_LIMIT);
    options.tol *= fmax(0.1 * run->target / residual, 1e-6);
  }
  end(d, PERP_STAGNATED);
  return PERP_OK;
}

/* The stop tests start anew for each attempt; clock, counts and best iterate go on. What it took from
 * the arena is given back, unless a ray lies there. */
perp_error perp_run_attempt(perp_run *run, const perp_method *method, int64_t limit,
                            const perp_scaled *scaled, double *x, perp_attempt *attempt,
                            perp_message *why)
{
  perp_driver *d = run->driver;
  const perp_method *caller = d->method;
  const bool had_ended = d->ended;
  const perp_outcome earlier = d->ending;
  const double began = perp_clock_seconds();
  const int64_t iterations = run->count.iterations;
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  void *parameters = perp_arena_alloc_zero(run->arena, 1, method->parameter_bytes);
  if (!parameters)
    return perp_run_no_memory(run);
  perp_parameters_default(method->parameters, parameters);
  d->method = method;
  d->ended = d->distrust = false;
  d->limit = iterations + (limit > 0 ? limit : method->max_iterations);
  if (run->options->max_iterations && run->options->max_iterations < d->limit)
    d->limit = run->options->max_iterations;
  d->next_check = 0;
  d->residual = d->stale_residual = INFINITY;
  d->stale_since = iterations;
  d->first_iteration = iterations + 1;
  d->rises = 0;
  d->merit = d->first_merit = NAN;

  perp_error error = scaled ? solve_scaled(run, method, parameters, scaled, x)
                            : method->solve(run, run->problem, parameters, x);
  if (error) { /* as if it had not been tried */
    *why = d->result->message;
    d->ended = had_ended;
    d->ending = earlier;
    perp_copy(run->problem->K.n, d->best, x);
  } else {
    const double residual = verdict(run, x); /* it may never have been shown */
    if (isfinite(residual))
      keep_best(run, x, residual, true);
    if (d->ended && d->ending == PERP_INFEASIBLE && !perp_certificate_holds(run, d->y, &d->ray))
      d->ending = PERP_RAY;
  }
  const perp_outcome ending = d->ended ? d->ending : PERP_STAGNATED;
  d->result->message.text[0] = 0;
  if (!error) {
    d->last_method = method->name;
    perp_copy(run->problem->K.n, d->best, x);
    *attempt = (perp_attempt){method->name, ending, d->best_residual,
                              run->count.iterations - iterations, perp_clock_seconds() - began};
    if (d->result->attempts < PERP_ATTEMPTS)
      d->result->attempt[d->result->attempts++] = *attempt;
  }
  if (error || (ending != PERP_RAY && ending != PERP_INFEASIBLE))
    perp_arena_release(run->arena, mark);
  d->method = caller;
  return error;
}

static void say_ending(perp_run *run)
{
  perp_driver *d = run->driver;
  perp_result *r = d->result;
  if (r->message.text[0])
    return;
  static const char solved[] = "the residual is within the tolerance";
  const double relative = r->residual / r->scale;
  switch (r->outcome) {
  case PERP_SOLVED:
    /* a constant: printing numbers would cost more than solving a dozen rows */
    memcpy(r->message.text, solved, sizeof solved);
    break;
  case PERP_ITERATION_LIMIT:
    perp_run_say(run, "%lld iterations done, relative residual %.2e", (long long)d->limit,
                 relative);
    break;
  case PERP_TIME_LIMIT:
    perp_run_say(run, "%g seconds are over, relative residual %.2e", run->options->time_limit,
                 relative);
    break;
  case PERP_STAGNATED:
    perp_run_say(run, "no progress any more at relative residual %.2e", relative);
    break;
  case PERP_DIVERGED:
    perp_run_say(run, "%s diverges on this matrix; the best iterate has relative residual %.2e",
                 d->method->name, relative);
    break;
  case PERP_NON_FINITE:
    perp_run_say(run,
                 "%s met a number that is not finite; the best iterate has relative "
                 "residual %.2e",
                 d->method->name, relative);
    break;
  case PERP_REFUTED:
    perp_run_say(run, "%s claims a solution, but its relative residual is %.2e", d->method->name,
                 relative);
    break;
  default:
    perp_run_say(run, "%s: relative residual %.2e", perp_outcome_name(r->outcome), relative);
  }
}

/* The best of the method's last iterate, the best one seen and the start, all judged anew; numbers
 * that are not finite are never handed back, and the start is finite. */
static void settle(perp_run *run, double *x)
{
  perp_driver *d = run->driver;
  perp_result *r = d->result;
  const size_t bytes = (size_t)run->problem->K.n * sizeof *x;

  r->residual = verdict(run, x);
  r->method = d->last_method;
  if (!(r->residual <= run->target)) {
    const double *others[2] = {d->best, d->start};
    for (int k = 0; k < 2; k++) {
      if (memcmp(others[k], x, bytes) == 0)
        continue;
      const double residual = verdict(run, others[k]);
      if (residual < r->residual || !perp_all_finite(run->problem->K.n, x)) {
        memcpy(x, others[k], bytes);
        r->method = d->best_method;
        r->residual = residual;
      }
    }
  }

  if (r->residual <= run->target)
    r->outcome = PERP_SOLVED;
  else if (!d->ended)
    r->outcome = PERP_STAGNATED;
  else if (d->ending == PERP_SOLVED)
    r->outcome = PERP_REFUTED;
  else if (d->ending == PERP_INFEASIBLE && !perp_certificate_holds(run, d->y, &d->ray))
    r->outcome = PERP_RAY;
  else
    r->outcome = d->ending;
  r->ray = r->outcome == PERP_RAY || r->outcome == PERP_INFEASIBLE ? d->ray : NULL;
}

perp_error perp_driver_run(const perp_method *method, const void *parameters,
                           const perp_problem *problem, const perp_options *options,
                           perp_arena *arena, double *x, perp_result *result)
{
  const size_t n = (size_t)problem->K.n;
  perp_driver d = {
      .method = method,
      .last_method = method->name,
      .best_method = method->name,
      .result = result,
      .y = perp_arena_alloc(arena, n, sizeof(double)),
      .start = perp_arena_alloc(arena, n, sizeof(double)),
      .best = perp_arena_alloc(arena, n, sizeof(double)),
      .room = perp_arena_alloc(arena, perp_judge_bytes(problem->A), 1),
      .best_residual = INFINITY,
      .began = perp_clock_seconds(),
      .limit = options->max_iterations ? options->max_iterations : method->max_iterations,
      .residual = INFINITY,
      .merit = NAN,
      .first_merit = NAN,
      .stale_residual = INFINITY,
  };
  d.deadline = options->time_limit > 0 ? d.began + options->time_limit : INFINITY;
  perp_run run = {
      .problem = problem,
      .options = options,
      .count.iterations = -1,
      .scale = perp_scale(problem),
      .arena = arena,
      .work = {.threads = options->threads,
               .scratch = perp_arena_alloc(arena, problem->A->scratch, sizeof(double))},
      .driver = &d,
  };
  run.target = fmin(options->tol * run.scale, DBL_MAX); /* an infinite residual never meets it */
  result->scale = run.scale;
  if (!d.y || !d.start || !d.best || !d.room || !run.work.scratch)
    return perp_run_no_memory(&run);
  memcpy(d.start, x, n * sizeof *x);
  memcpy(d.best, x, n * sizeof *x);

  perp_error error = method->solve(&run, problem, parameters, x);
  if (error) {
    /* the call could not be carried out: the start is handed back as it was */
    memcpy(x, d.start, n * sizeof *x);
    return error;
  }
  settle(&run, x);
  result->counts = run.count;
  if (result->counts.iterations < 0)
    result->counts.iterations = 0;
  result->merit = d.merit;
  result->seconds = perp_clock_seconds() - d.began;
  say_ending(&run);
  return PERP_OK;
}

perp_error perp_run_subsolve(perp_run *run, const perp_subrun *sub, const perp_problem *problem,
                             double *x, perp_outcome *outcome)
{
  const perp_method *method = sub->method;
  const perp_form form = perp_set_form(&problem->K);
  if (!(method->takes & (1u << form)) || (method->needs & ~perp_operator_abilities(problem->A)) ||
      (method->most_unknowns > 0 && problem->K.n > method->most_unknowns))
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                         "%s: its part of form '%s' on this %s operator is not taken by %s",
                         run->driver->method->name, perp_form_name(form),
                         perp_operator_kind(problem->A), method->name);
  *outcome = PERP_TIME_LIMIT;
  if (perp_run_expired(run))
    return PERP_OK;
  perp_options options = *run->options;
  options.tol = sub->target / perp_scale(problem);
  options.max_iterations = sub->max_iterations;
  options.merit_tol = options.merit_rel_tol = 0;
  options.check_every = options.stagnation = 0;
  options.observer = sub->observer;
  options.observer_context = sub->observer_context;
  if (options.time_limit > 0) /* what is left of it is above zero */
    options.time_limit = fmax(run->driver->deadline - perp_clock_seconds(), 1e-9);

  const perp_arena_mark mark = perp_arena_hold(run->arena);
  const void *parameters = sub->parameters;
  if (!parameters) {
    void *defaults = perp_arena_alloc_zero(run->arena, 1, method->parameter_bytes);
    if (!defaults)
      return perp_run_no_memory(run);
    perp_parameters_default(method->parameters, defaults);
    parameters = defaults;
  }
  perp_result result = perp_result_empty();
  const perp_error error =
      perp_driver_run(method, parameters, problem, &options, run->arena, x, &result);
  perp_arena_release(run->arena, mark);
  if (error)
    return perp_run_fail(run, error, "%s: %s", run->driver->method->name, result.message.text);
  add_counts(&run->count, &result.counts);
  *outcome = result.outcome;
  return PERP_OK;
}
