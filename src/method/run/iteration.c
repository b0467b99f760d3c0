/* iteration.c: what happens between two iterations of a run: checks and stop tests
 *
 * A method shows its iterate at the top of each iteration (perp_run_next). The driver then
 *
 *   1. reads the clock, unless the method claims a solution;
 *   2. when a check is due, computes the natural residual, keeps the best iterate, and ends the run
 *      if the residual is at most tol * scale;
 *   3. applies the merit tests, the stagnation and divergence tests;
 *   4. calls the observer;
 *   5. counts.
 *
 * A check costs one product with A unless the method has y = A x + b, and a sweep costs about as
 * much, so checks of sweep-based methods are spaced: after k iterations the next comes k/8 later,
 * which adds at most an eighth to the sweeps and little to the checks.
 *
 * A run ends with PERP_PRECISION if its residual is near the floor of doubles (problem/floor.c),
 * the floor is above the target, and the residual has not been halved for long or the method cannot
 * continue. The floor is estimated only then: it takes a pass over the rows of A. */
#include "method/run/driver.h"

#include "base/clock.h"
#include "base/elementary.h"
#include "method/run/device_problem.h"

#include <math.h>

enum { LONGEST_SPACING = 100, MEASURED_ALONE = 16, HALVING = 16 };

void perp_run_claim(perp_run *run, perp_outcome outcome)
{
  perp_driver *d = run->driver;
  if (!d->ended) {
    d->ended = true;
    d->ending = outcome;
  }
}

/* Tests if the precision is exhausted: a quarter of all iterations have not halved the residual. */
static void judge_digits(perp_run *run)
{
  perp_driver *d = run->driver;
  const int64_t now = run->count.iterations, done = now - d->first_iteration;
  if (d->best_residual < 0.5 * d->halved_residual) {
    d->halved_residual = d->best_residual;
    d->halved_since = now;
  } else if (now - d->halved_since >= HALVING && now - d->halved_since >= done / 4 &&
             done >= d->next_floor) {
    d->next_floor = 2 * done;
    if (perp_driver_is_at_floor(run, d->best, d->best_residual))
      perp_run_claim(run, PERP_PRECISION);
  }
}

/* Ends a watched attempt if the residual would not meet the target within the limit at the rate of
 * the second half of the iterations so far, or `rate_gain` times that rate. */
static void judge_rate(perp_run *run)
{
  enum { FIRST = 64, SHARE = 16 };
  perp_driver *d = run->driver;
  const int64_t done = run->count.iterations - d->first_iteration + 1,
                whole = d->limit - d->first_iteration + 1;
  if (done < 2 * d->marked || done < 1)
    return;
  if (d->marked > 0 && done >= FIRST && done >= whole / SHARE) {
    const double fall = perp_log(d->marked_residual / d->best_residual);
    const double rate = d->rate_gain * fall / (double)(done - d->marked);
    if (!(rate * (double)(whole - done) >= perp_log(d->best_residual / run->target)))
      perp_run_claim(run, PERP_ITERATION_LIMIT);
  }
  d->marked = done;
  d->marked_residual = d->best_residual;
}

/* Ends the run if the best residual has made no progress for many iterations, counted so that more
 * frequent checks do not end it sooner, or if the residual only grows. */
static void judge_progress(perp_run *run)
{
  perp_driver *d = run->driver;
  const int64_t now = run->count.iterations, patience = run->options->stagnation;
  if (d->best_residual < 0.9999 * d->stale_residual) {
    d->stale_residual = d->best_residual;
    d->stale_since = now;
  } else if (patience && now - d->stale_since >= patience && now - d->stale_since >= now / 2)
    perp_run_claim(run, PERP_STAGNATED);
  judge_digits(run);
  if (d->watched)
    judge_rate(run);

  const double growth = d->residual / d->best_residual;
  if ((d->rises >= 8 && growth > 1e4) || (d->rises >= 3 && growth > 1e8))
    perp_run_claim(run, PERP_DIVERGED);
}

/* Computes the residual of the iterate: as measured, by the given y, or by a product. The driver
 * confirms a residual that meets the target with its own y. */
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
    d->y_count++;
    run->count.applies++;
    run->count.checks++;
    d->residual = perp_problem_residual(run->problem, x, d->y);
    if (run->count.iterations == 0 && perp_driver_is_same(run, x, d->start))
      d->start_checked = d->residual;
  } else if (y && !d->distrust) {
    run->count.checks++;
    d->residual = perp_problem_residual(run->problem, x, y);
  } else {
    d->residual = perp_driver_fresh(run, x);
    own = true;
  }
  const bool judged = perp_verdict_solved(d->residual, run->target);
  if (judged) {
    d->residual = perp_driver_judged(run, x);
    d->distrust = !own && d->residual > run->target;
  }
  if (!isfinite(d->residual)) {
    perp_run_claim(run, PERP_NON_FINITE);
    return;
  }
  const bool moved = !relaxer || run->count.iterations <= d->first_iteration ||
                     d->residual != d->best_residual || !perp_driver_is_same(run, x, d->best);
  perp_driver_keep(run, x, d->residual, judged);
  d->rises = d->residual > previous ? d->rises + 1 : 0;
  if (perp_verdict_solved(d->residual, run->target))
    perp_run_claim(run, PERP_SOLVED);
  else if (!moved) /* a sweep is a function of x: without a move now there is none later */
    perp_run_claim(run, PERP_STAGNATED);
  else
    judge_progress(run);
}

/* `measured` is the method's own residual, NaN if unknown. */
static bool check_is_due(const perp_run *run, bool y_at_hand, double measured)
{
  const perp_options *o = run->options;
  const int64_t iteration = run->count.iterations;
  if (!o->observer && iteration > 0 && iteration == o->max_iterations)
    return false; /* the last iterate: the verdict follows */
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
    perp_run_claim(run, PERP_MERIT_REACHED);
}

void perp_driver_observe(perp_run *run, const double *x, bool checked)
{
  perp_driver *d = run->driver;
  if (!run->options->observer)
    return;
  x = run->placed ? NULL : x; /* the CPU may not be able to read it */
  const perp_progress progress = {
      .size = sizeof progress,
      .iteration = run->count.iterations,
      .seconds = perp_clock_seconds() - d->began,
      .residual = d->residual,
      .scale = run->scale,
      .merit = d->merit,
      .checked = checked,
      .n = run->problem->K.n,
      .x = x,
      .counts = &run->count,
      .relative_residual = d->residual / run->scale,
  };
  if (!run->options->observer(run->options->observer_context, &progress)) {
    if (d->ended && d->ending != PERP_SOLVED)
      d->ending = PERP_STOPPED;
    perp_run_claim(run, PERP_STOPPED);
  }
}

/* Reads the clock only if there is a limit: for a dozen rows it costs as much as the work. */
bool perp_driver_late(const perp_driver *d)
{
  return d->deadline < INFINITY && perp_clock_seconds() >= d->deadline;
}

double perp_driver_lap(perp_driver *d)
{
  const double from = d->lap;
  d->lap = perp_clock_seconds();
  return d->lap - from;
}

bool perp_driver_failed(const perp_run *run)
{
  return perp_operator_failures(run->problem->A) != run->driver->failures ||
         (run->placed && run->placed->error);
}

/* Checks the clock, the callbacks of A, and the caller's request to stop. */
static void look(perp_run *run)
{
  perp_driver *d = run->driver;
  const perp_options *o = run->options;
  if (perp_driver_failed(run)) {
    d->ended = true;
    d->ending = PERP_STOPPED; /* never reported: perp_driver_run returns an error */
  } else if (!d->ended && o->interrupted && o->interrupted(o->interrupted_context))
    perp_run_claim(run, PERP_STOPPED);
  else if (!d->ended && perp_driver_late(d))
    perp_run_claim(run, PERP_TIME_LIMIT);
}

/* Shows x to the observer only. */
static bool show(perp_run *run, const double *x, double residual)
{
  perp_driver *d = run->driver;
  if (d->ended)
    return false;
  run->count.iterations++;
  look(run);
  if (d->ended)
    return false;
  const double checked = d->residual;
  d->residual = isnan(residual) ? checked : residual;
  perp_driver_observe(run, x, !isnan(residual));
  d->residual = checked;
  if (run->count.iterations >= d->limit)
    perp_run_claim(run, PERP_ITERATION_LIMIT);
  return !d->ended;
}

static bool next(perp_run *run, const double *x, const double *y, perp_relaxer *relaxer,
                 double measured)
{
  perp_driver *d = run->driver;
  if (perp_driver_failed(run))
    look(run);
  if (d->ended) {
    if (relaxer)
      perp_relaxer_store(relaxer);
    return false;
  }
  run->count.iterations++; /* starts at -1: the first call shows the start */
  const bool due = check_is_due(run, y != NULL, measured);
  const bool claimed = measured <= run->target && !d->distrust;
  if (run->count.iterations > 0 && !claimed)
    look(run);
  if (d->ended) { /* every counted iteration is shown */
    perp_driver_observe(run, relaxer && relaxer->store ? NULL : x, false);
  } else {
    if (due) {
      if (relaxer)
        perp_relaxer_store(relaxer);
      check(run, x, y, relaxer, measured);
      plan_next_check(run);
    }
    if (run->count.iterations == 0 && !relaxer)
      look(run); /* after the check of the start, so that one sweep is possible */
    judge_merit(run);
    const bool x_current = !relaxer || !relaxer->store || due;
    perp_driver_observe(run, x_current ? x : NULL, due);
    if (run->count.iterations >= d->limit)
      perp_run_claim(run, PERP_ITERATION_LIMIT);
  }
  if (d->ended && relaxer)
    perp_relaxer_store(relaxer);
  return !d->ended;
}

bool perp_run_next_iterate(perp_run *run, perp_iterate i)
{
  static const double FAR = 1e3;
  if (run->ranks)
    return run->ranks->next(run->ranks->context, run, &i);
  if (i.shown)
    return show(run, i.x, i.residual);
  if (i.guess && !(i.residual <= FAR * run->driver->best_residual))
    return show(run, i.x, NAN);
  return next(run, i.x, i.y, i.relaxer, i.guess ? NAN : i.residual);
}

bool perp_run_expired(perp_run *run)
{
  if (run->ranks) /* clocks differ */
    return false;
  look(run);
  return run->driver->ended;
}

static bool rings(void *run)
{
  return perp_run_expired(run);
}

perp_alarm perp_run_alarm(perp_run *run)
{
  return (perp_alarm){rings, run};
}

int64_t perp_run_left(const perp_run *run)
{
  const int64_t left = run->driver->limit - run->count.iterations;
  return left > 0 ? left : 0;
}

double perp_run_seconds(const perp_run *run)
{
  const double deadline = run->driver->deadline;
  return deadline == INFINITY ? INFINITY : deadline - perp_clock_seconds();
}

double perp_run_flops(const perp_run *run)
{
  static const double RATE = 2e9; /* flops per second */
  return RATE * perp_run_seconds(run);
}

bool perp_run_affords(const perp_run *run, double flops)
{
  return flops <= perp_run_flops(run);
}

void perp_run_too_long(perp_run *run, const char *what, int rows)
{
  perp_run_claim(run, PERP_TIME_LIMIT);
  perp_run_say(run, "%s of %d rows would exceed the time limit (%g s)", what, rows,
               run->options->time_limit);
}
