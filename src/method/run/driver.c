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
 * A run whose residual is near the floor of doubles (problem/floor.c) and has not been halved for
 * long ends there, if the floor is above the target: PERP_PRECISION. So does one whose method finds
 * no way to go on there. The floor is estimated only then: it takes a pass over the rows of A.
 *
 * Whatever the method says, the verdict is the driver's: it recomputes y = A x + b at the final
 * iterate and at the best one, and hands back the better of the two. */
#include "method/run/driver.h"

#include "base/clock.h"
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/run/certificate.h"
#include "method/run/placed.h"
#include "problem/floor.h"
#include "problem/judge.h"
#include "set/set.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_SPACING = 100, MEASURED_ALONE = 16, HALVING = 16 };

void perp_driver_end(perp_driver *d, perp_outcome outcome)
{
  if (!d->ended) {
    d->ended = true;
    d->ending = outcome;
  }
}

static inline bool is_same(perp_run *run, const double *x, const double *other)
{
  return x == other || run->driver->vectors->is_same(run, x, other);
}

/* The natural residual at x with y recomputed here. That of the start is taken once. */
double perp_driver_fresh(perp_run *run, const double *x)
{
  perp_driver *d = run->driver;
  const bool start = is_same(run, x, d->start);
  if (start && isfinite(d->start_residual))
    return d->start_residual;
  run->count.checks++;
  const double residual =
      d->vectors->fresh(run, x, start ? run->cold : d->vectors->is_zero(run, x));
  if (start)
    d->start_residual = residual;
  return residual;
}

/* The same as the verdict takes it. */
double perp_driver_judged(perp_run *run, const double *x)
{
  perp_driver *d = run->driver;
  run->count.applies++;
  run->count.checks++;
  d->y_count++;
  return d->vectors->judge(run, x);
}

void perp_run_gradient_exact(perp_run *run, const double *x, double *y)
{
  run->count.applies++;
  perp_judge(run->problem, x, y, &run->work, run->driver->room);
}

/* The verdict on a candidate; one that a check has just judged is not judged again. */
double perp_driver_verdict(perp_run *run, const double *x)
{
  perp_driver *d = run->driver;
  if (d->best_judged && is_same(run, x, d->best)) {
    d->verdict_y = d->best_y;
    return d->best_residual;
  }
  const double residual = perp_driver_judged(run, x);
  d->verdict_y = d->y_count;
  return residual;
}

/* A method that claims a proof has told of it; what it did not claim may prove it all the same. */
bool perp_driver_proves(perp_run *run)
{
  perp_driver *d = run->driver;
  const bool claimed = d->ending == PERP_INFEASIBLE, proves = perp_certificate_holds(run, &d->ray);
  if (claimed && !proves)
    perp_run_say_plainly(run, "a ray; it does not prove exactly that there is no solution");
  if (!claimed && proves)
    perp_run_say_plainly(run, "no solution: the ray is a certificate that holds exactly");
  return proves;
}

void perp_driver_keep(perp_run *run, const double *x, double residual, bool judged)
{
  perp_driver *d = run->driver;
  if (residual < d->best_residual) {
    d->best_residual = residual;
    d->best_judged = judged;
    d->best_y = d->y_count;
    d->best_method = d->method->name;
    d->vectors->copy(run, x, d->best);
  }
}

/* Near: within a factor of four, since a sum in doubles has more errors than its terms.
 * If the floor is no small part of the scale, x has few digits left: then it may as well be on its way
 * to infinity, and nothing is said. */
bool perp_driver_is_at_floor(perp_run *run, const double *x, double residual)
{
  static const double NEAR = 4, SMALL = 1e-4;
  perp_driver *d = run->driver;
  if (!perp_floor_is_known(run->problem->A) || !d->vectors->is_finite(run, x))
    return false;
  const double floor = d->vectors->floor(run, x);
  d->result->floor = floor;
  d->at_floor = run->target < floor && residual <= NEAR * floor && floor <= SMALL * run->scale;
  return d->at_floor;
}

bool perp_driver_is_stuck(perp_outcome ending)
{
  return ending == PERP_STAGNATED || ending == PERP_REFUTED || ending == PERP_DIVERGED ||
         ending == PERP_LOCAL_MINIMUM || ending == PERP_NON_DESCENT;
}

/* Iterations that did not halve the residual, a quarter of all: is this the end of the digits? */
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
      perp_driver_end(d, PERP_PRECISION);
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
    perp_driver_end(d, PERP_STAGNATED);
  judge_digits(run);

  const double growth = d->residual / d->best_residual;
  if ((d->rises >= 8 && growth > 1e4) || (d->rises >= 3 && growth > 1e8))
    perp_driver_end(d, PERP_DIVERGED);
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
    d->y_count++;
    run->count.applies++;
    run->count.checks++;
    d->residual = perp_problem_residual(run->problem, x, d->y);
    if (run->count.iterations == 0 && is_same(run, x, d->start))
      d->start_checked = d->residual;
  } else if (y && !d->distrust) {
    run->count.checks++;
    d->residual = perp_problem_residual(run->problem, x, y);
  } else {
    d->residual = perp_driver_fresh(run, x);
    own = true;
  }
  const bool judged = d->residual <= run->target;
  if (judged) {
    d->residual = perp_driver_judged(run, x);
    d->distrust = !own && d->residual > run->target;
  }
  if (!isfinite(d->residual)) {
    perp_driver_end(d, PERP_NON_FINITE);
    return;
  }
  const bool moved = !relaxer || run->count.iterations <= d->first_iteration ||
                     d->residual != d->best_residual || !is_same(run, x, d->best);
  perp_driver_keep(run, x, d->residual, judged);
  d->rises = d->residual > previous ? d->rises + 1 : 0;
  if (d->residual <= run->target)
    perp_driver_end(d, PERP_SOLVED);
  else if (!moved) /* a sweep is a function of x: what did not move once never will */
    perp_driver_end(d, PERP_STAGNATED);
  else
    judge_progress(run);
}

/* `measured` is the method's own residual, NaN where it has none. */
static bool check_is_due(const perp_run *run, bool y_at_hand, double measured)
{
  const perp_options *o = run->options;
  const int64_t iteration = run->count.iterations;
  if (!o->observer && iteration > 0 && iteration == o->max_iterations)
    return false; /* it is the last, and the verdict to come is on it */
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
    perp_driver_end(d, PERP_MERIT_REACHED);
}

void perp_driver_observe(perp_run *run, const double *x, bool checked)
{
  perp_driver *d = run->driver;
  if (!run->options->observer)
    return;
  x = run->placed ? NULL : x; /* the processor may not be able to read it */
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
    perp_driver_end(d, PERP_STOPPED);
  }
}

/* The clock is asked where there is a limit alone: for a dozen rows it costs as much as the work. */
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

/* A look at the clock, at the callbacks of A, and whether the caller wants to have x back. */
static void look(perp_run *run)
{
  perp_driver *d = run->driver;
  const perp_options *o = run->options;
  if (perp_driver_failed(run)) {
    d->ended = true;
    d->ending = PERP_STOPPED; /* never told: perp_driver_run returns an error */
  } else if (!d->ended && o->interrupted && o->interrupted(o->interrupted_context))
    perp_driver_end(d, PERP_STOPPED);
  else if (!d->ended && perp_driver_late(d))
    perp_driver_end(d, PERP_TIME_LIMIT);
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
  if (d->ended) { /* every iteration that is counted is seen */
    perp_driver_observe(run, relaxer && relaxer->store ? NULL : x, false);
  } else {
    if (due) {
      if (relaxer)
        perp_relaxer_store(relaxer);
      check(run, x, y, relaxer, measured);
      plan_next_check(run);
    }
    if (run->count.iterations == 0 && !relaxer)
      look(run); /* after the check of the start; who sweeps may do so once */
    judge_merit(run);
    const bool x_current = !relaxer || !relaxer->store || due;
    perp_driver_observe(run, x_current ? x : NULL, due);
    if (run->count.iterations >= d->limit)
      perp_driver_end(d, PERP_ITERATION_LIMIT);
  }
  if (d->ended && relaxer)
    perp_relaxer_store(relaxer);
  return !d->ended;
}

bool perp_run_next(perp_run *run, const double *x, const double *y)
{
  if (run->ranks)
    return run->ranks->next(run->ranks->context, run, x, y);
  return next(run, x, y, NULL, NAN);
}

bool perp_run_next_known(perp_run *run, const double *x, double residual)
{
  return next(run, x, NULL, NULL, residual);
}

bool perp_run_next_relaxed(perp_run *run, perp_relaxer *relaxer)
{
  return next(run, relaxer ? relaxer->x : NULL, NULL, relaxer, NAN);
}

bool perp_run_next_measured(perp_run *run, perp_relaxer *relaxer, double residual)
{
  return next(run, relaxer->x, NULL, relaxer, residual);
}

bool perp_run_show(perp_run *run, const double *x, double residual)
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
    perp_driver_end(d, PERP_ITERATION_LIMIT);
  return !d->ended;
}

bool perp_run_next_guess(perp_run *run, const double *x, const double *y, double residual)
{
  const double far_off = 1e3;
  return residual <= far_off * run->driver->best_residual ? perp_run_next(run, x, y)
                                                          : perp_run_show(run, x, NAN);
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

void perp_run_claim(perp_run *run, perp_outcome outcome)
{
  perp_driver_end(run->driver, outcome);
}

static void say_ending(perp_run *run)
{
  perp_driver *d = run->driver;
  perp_result *r = d->result;
  const double relative = r->residual / r->scale;
  if (r->outcome == PERP_PRECISION)
    perp_run_say(run,
                 "the digits of x end here, at relative residual %.2e: the least tolerance that "
                 "doubles can be expected to meet is %.2g; x_low gives more digits",
                 relative, 1.005 * r->floor / r->scale);
  if (r->message.text[0])
    return;
  switch (r->outcome) {
  case PERP_SOLVED:
    perp_run_say_plainly(run, "the residual is within the tolerance");
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

/* Whether the verdict on x may be better than `residual`, where a check found `checked` for it: the
 * two differ by rounding. A verdict takes as long as some sweeps, which after the deadline count. */
static bool may_be_better(double checked, double residual)
{
  return !isfinite(checked) || !(residual < 0.99 * checked);
}

/* The best of the method's last iterate, the best one seen and the start, judged anew where one may
 * be; numbers that are not finite are never handed back, and the start is finite. */
static void settle(perp_run *run, double *x, bool with_y)
{
  perp_driver *d = run->driver;
  perp_result *r = d->result;

  r->residual = perp_driver_verdict(run, x);
  r->method = d->last_method;
  int64_t y_of_x = d->verdict_y;
  if (!(r->residual <= run->target)) {
    const double *others[2] = {d->best, d->start};
    for (int k = 0; k < 2; k++) {
      if (is_same(run, x, others[k]))
        continue;
      const bool finite = d->vectors->is_finite(run, x);
      const double checked = k == 0                       ? d->best_residual
                             : isfinite(d->start_checked) ? d->start_checked
                                                          : perp_driver_fresh(run, d->start);
      if (finite && !may_be_better(checked, r->residual))
        continue;
      const double residual = perp_driver_verdict(run, others[k]);
      if (residual < r->residual || !finite) {
        d->vectors->copy(run, others[k], x);
        r->method = d->best_method;
        r->residual = residual;
        y_of_x = d->verdict_y;
      }
    }
  }

  if (r->residual <= run->target)
    r->outcome = PERP_SOLVED;
  else if (!d->ended)
    r->outcome = PERP_STAGNATED;
  else if (d->ending == PERP_SOLVED)
    r->outcome = PERP_REFUTED;
  else if (d->ending == PERP_INFEASIBLE || d->ending == PERP_RAY)
    r->outcome = perp_driver_proves(run) ? PERP_INFEASIBLE : PERP_RAY;
  else
    r->outcome = d->ending;
  /* auto may have gone on from there, in vain */
  const bool in_vain = d->at_floor && r->outcome == PERP_ITERATION_LIMIT;
  if (in_vain || (perp_driver_is_stuck(r->outcome) && perp_driver_is_at_floor(run, x, r->residual)))
    r->outcome = PERP_PRECISION;
  r->relative_residual = r->residual / run->scale;
  if (with_y && y_of_x != d->y_count)
    d->vectors->judge(run, x);
  r->y = with_y ? d->y : NULL;
  r->ray = r->outcome == PERP_RAY || r->outcome == PERP_INFEASIBLE ? d->ray : NULL;
}

/* Two copies of the start. Whether it is 0. */
static bool take_start(size_t n, const double *restrict x, double *restrict start,
                       double *restrict best)
{
  bool cold = true;
  for (size_t i = 0; i < n; i++) {
    start[i] = best[i] = x[i];
    cold &= x[i] == 0;
  }
  return cold;
}

void perp_result_fail(perp_result *result)
{
  result->outcome = PERP_NOT_RUN;
  result->residual = result->relative_residual = INFINITY;
  result->y = result->ray = NULL;
}

/* *placed <- the problem where the options' device has it, NULL if it is judged on the processor. */
static perp_error place(const perp_method *method, const perp_problem *problem,
                        const perp_options *options, perp_arena *arena, double *x,
                        perp_placed **placed, perp_message *why)
{
  *placed = NULL;
  if (!perp_placed_is_wanted(method, problem, options, x))
    return PERP_OK;
  const perp_error error = perp_placed_open(problem, options, arena, x, placed, why);
  if (error || *placed)
    return error;
  return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                   "what is judged on devices such as %s is a grid, this %s matrix is none",
                   options->device->name, perp_operator_kind(problem->A));
}

/* x and y to where the caller has them. If the device is not to judge, its verdict is given again here,
 * on x as it is handed back. */
static perp_error return_placed(perp_run *run, perp_result *result)
{
  perp_placed *placed = run->placed;
  double *y = run->options->y;
  perp_error error = perp_placed_fetch(placed, y ? result->y : NULL, y, &result->message);
  result->y = NULL; /* the processor may not be able to read it */
  if (error || placed->device->judge == PERP_JUDGE_DEVICE || result->outcome != PERP_SOLVED)
    return error;
  error =
      perp_placed_judge_here(placed, &run->work, run->arena, &result->residual, &result->message);
  result->relative_residual = result->residual / run->scale;
  if (!error && !(result->residual <= run->target))
    result->outcome = PERP_REFUTED;
  return error;
}

perp_error perp_driver_run(const perp_method *method, const void *parameters,
                           const perp_services *services, const perp_problem *problem,
                           const perp_options *options, double deadline, perp_arena *arena,
                           struct perp_memory *memory, double *x, bool with_y, perp_result *result)
{
  perp_placed *placed;
  perp_error error = place(method, problem, options, arena, x, &placed, &result->message);
  if (error) {
    perp_result_fail(result);
    return error;
  }
  const size_t n = (size_t)problem->K.n, width = placed ? 0 : (n + 7) / 8 * 8;
  const size_t scratch = problem->A->scratch;
  /* y, start, best, scratch and room in one piece */
  const size_t room = perp_judge_bytes(problem->A) / sizeof(double) + 1;
  double *piece = perp_arena_alloc(arena, 3 * width + scratch + room, sizeof *piece);
  perp_driver d = {
      .method = method,
      .vectors = placed ? &perp_vectors_there : &perp_vectors_here,
      .last_method = method->name,
      .best_method = method->name,
      .result = result,
      .y = placed ? placed->y : piece,
      .start = placed  ? placed->start
               : piece ? piece + width
                       : NULL,
      .best = placed  ? placed->best
              : piece ? piece + 2 * width
                      : NULL,
      .room = piece ? piece + 3 * width + scratch : NULL,
      .best_residual = INFINITY,
      .start_residual = INFINITY,
      .start_checked = INFINITY,
      .began = perp_clock_seconds(),
      .limit = options->max_iterations ? options->max_iterations : method->max_iterations,
      .residual = INFINITY,
      .merit = NAN,
      .first_merit = NAN,
      .stale_residual = INFINITY,
      .halved_residual = INFINITY,
  };
  d.lap = d.began;
  d.failures = perp_operator_failures(problem->A);
  d.deadline =
      options->time_limit > 0 ? perp_min(d.began + options->time_limit, deadline) : deadline;
  perp_run run = {
      .problem = placed ? &placed->problem : problem,
      .options = options,
      .count.iterations = -1,
      .scale = placed ? placed->scale : perp_problem_scale(problem),
      .arena = arena,
      .memory = memory,
      .services = services,
      .work = {.threads = options->threads, .scratch = piece ? piece + 3 * width : NULL},
      .driver = &d,
      .placed = placed,
  };
  run.target =
      perp_min(options->tol * run.scale, DBL_MAX); /* an infinite residual never meets it */
  result->scale = run.scale;
  if (!piece)
    return perp_run_no_memory(&run);
  run.cold = placed ? placed->cold : take_start(n, x, d.start, d.best);

  double *at = placed ? placed->x : x;
  error = options->device ? method->solve_device(&run, run.problem, parameters, at)
                          : method->solve(&run, run.problem, parameters, at);
  if (!error && !perp_driver_failed(&run))
    settle(&run, at, placed ? options->y != NULL : with_y);
  if (placed && placed->error)
    error = perp_fail(&result->message, placed->error, "%s", placed->why.text);
  else if (perp_driver_failed(&run)) /* whatever the method made of it */
    error = perp_operator_failed(problem->A, d.failures, &result->message);
  else if (!error && placed)
    error = return_placed(&run, result);
  if (error) {
    /* the call could not be carried out: the start is handed back as it was */
    if (!placed || at == x)
      d.vectors->copy(&run, d.start, x);
    perp_result_fail(result);
    return error;
  }
  result->counts = run.count;
  if (result->counts.iterations < 0)
    result->counts.iterations = 0;
  result->merit = d.merit;
  /* what auto has solved ended with its last attempt */
  const bool just = result->outcome == PERP_SOLVED && d.lap > d.began;
  result->seconds = (just ? d.lap : perp_clock_seconds()) - d.began;
  say_ending(&run);
  return PERP_OK;
}
