/* refine.c: a solution in two doubles, by corrections
 *
 * Let X = x + low, an approximate solution in the box [lo, hi], and y = A X + b, summed in twice
 * the precision. X + d is a solution exactly if
 *
 *   d in [lo - X, hi - X],   y' = A d + y,   -y' in the normal cone at d,
 *
 * which is a problem of the same form with the same A; its natural residual at d is the residual of
 * the problem itself at X + d. The solution d is small, and so is its rounding: A d has an error of
 * 2^-53 |A| |d| instead of 2^-53 |A| |x|. So the method runs on the correction from d = 0
 * repeatedly, until X meets the tolerance or no longer improves. This is iterative refinement
 * (Wilkinson 1963) for a box; all runs share the solver's cache of A.
 *
 * Units. b' = y is small if all rows are free: the correction is solved for z = sigma d with sigma
 * a power of two such that max |sigma y_i| is about 1; bounds times sigma, the same A. This rounds
 * nothing. A row that ends at a bound of the correction gets the bound itself: lo - X is rounded,
 * lo is not.
 *
 * Rows that stay at their bounds may have a y far larger than all others, which methods would use
 * as the scale of the problem and of their rounding. Only its sign matters there, so it is cut to
 * `most` times the residual of X, which the correction hardly exceeds. If it does, the verdict
 * shows it, and the correction is repeated without the cut.
 *
 * Every run solves for a few digits only, the first for a relative residual of 1e-8, a correction
 * for a millionth of the residual of X: the last digits of doubles take many methods a long time.
 *
 * Cost: a run and a pass over the rows in twice the precision each; a correction gains about the
 * digits of a run that ends at the floor of doubles. Workspace: 11 n. */

#include "base/clock.h"
#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/run/driver.h"
#include "method/run/factor_cache.h"
#include "problem/judge.h"
#include "set/set.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct refinement {
  const perp_refiner *by;
  const perp_problem *p;
  const perp_options *callers;
  perp_result *result;
  double *x, *low;         /* the caller's */
  double *start;           /* the caller's x */
  double *y;               /* A (x + low) + b */
  double *b, *lo, *hi, *z; /* the correction */
  double *next_x, *next_low, *next_y;
  double *seen; /* for the observer */
  void *room;
  double residual, target, sigma;
  double most; /* largest y_i in rows at a bound, relative to the residual */
  bool cut;    /* some y_i is larger */
  double began, deadline;
  double earlier; /* seconds before the current run */
  int rounds;
  bool stopped; /* by the observer */
} refinement;

perp_error perp_refine_check(const perp_method *method, const perp_problem *p, perp_message *why)
{
  const perp_form form = perp_set_form(&p->K);
  if (form >= PERP_FORM_FINDEX)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "x_low is for the forms lcp, mixed and boxed, not for '%s'",
                     perp_form_name(form));
  if (!perp_floor_is_known(p->A))
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "x_low needs stored entries of A, but this %s operator computes them",
                     perp_operator_kind(p->A));
  if (method && !(method->takes & PERP_TAKES(PERP_FORM_BOXED)))
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "x_low: the corrections are boxed problems, which %s does not take",
                     method->name);
  return PERP_OK;
}

static bool make_room(refinement *r)
{
  const size_t n = (size_t)r->p->K.n;
  double *piece = perp_arena_alloc(r->by->arena, 10 * n, sizeof *piece);
  r->room = perp_arena_alloc(r->by->arena, perp_judge_bytes(r->p->A) / sizeof(double) + 1,
                             sizeof(double));
  double **const part[] = {&r->start, &r->y,      &r->b,        &r->lo,     &r->hi,
                           &r->z,     &r->next_x, &r->next_low, &r->next_y, &r->seen};
  for (int k = 0; k < 10 && piece; k++)
    *part[k] = piece + (size_t)k * n;
  return piece && r->room;
}

/* ---- One correction ---- */

/* Returns sigma (bound - X); an infinite bound stays infinite. */
static double shifted_bound(const refinement *r, int i, double bound)
{
  const perp_pair pair = perp_pair_add((perp_pair){-r->x[i], -r->low[i]}, bound);
  return perp_bound_is_infinite(bound) ? bound : r->sigma * (pair.hi + pair.lo);
}

/* Returns y_i, cut at a bound. */
static double cut_y(refinement *r, int i)
{
  const double y = r->y[i], most = r->most * r->residual;
  const double bound = y > 0 ? perp_set_lo(&r->p->K, i) : perp_set_hi(&r->p->K, i);
  if (!(fabs(y) > most) || r->x[i] != bound || r->low[i] != 0)
    return y;
  r->cut = true;
  return copysign(most, y);
}

/* Sets b', lo' and hi' at X; z <- 0. */
static void state_correction(refinement *r)
{
  const perp_set *K = &r->p->K;
  int exponent = 0;
  r->cut = false;
  for (int i = 0; i < K->n; i++)
    r->b[i] = cut_y(r, i);
  frexp(perp_norm_inf(K->n, r->b), &exponent);
  r->sigma = ldexp(1, exponent < -1000 ? 1000 : -exponent);
  for (int i = 0; i < K->n; i++) {
    r->b[i] *= r->sigma;
    r->lo[i] = shifted_bound(r, i, perp_set_lo(K, i));
    r->hi[i] = shifted_bound(r, i, perp_set_hi(K, i));
    r->z[i] = 0;
  }
}

/* X + d in two doubles, the first of them X + d rounded. */
static void add_correction(const refinement *r)
{
  const perp_set *K = &r->p->K;
  for (int i = 0; i < K->n; i++) {
    const double z = r->z[i], d = z / r->sigma;
    perp_pair sum = perp_pair_add((perp_pair){r->x[i], r->low[i]}, d);
    if (z <= r->lo[i] && isfinite(r->lo[i]))
      sum = (perp_pair){perp_set_lo(K, i), 0};
    else if (z >= r->hi[i] && isfinite(r->hi[i]))
      sum = (perp_pair){perp_set_hi(K, i), 0};
    const perp_pair rounded = perp_pair_add((perp_pair){sum.hi, 0}, sum.lo);
    r->next_x[i] = rounded.hi;
    r->next_low[i] = rounded.lo;
  }
}

/* Observes the first run unchanged. */
static bool observe_first(void *context, const perp_progress *progress)
{
  refinement *r = context;
  r->stopped = !r->callers->observer(r->callers->observer_context, progress);
  return !r->stopped;
}

/* Reports the correction to the observer as an iteration of the problem itself. */
static bool observe(void *context, const perp_progress *progress)
{
  refinement *r = context;
  perp_progress own = *progress;
  for (int i = 0; progress->x && i < progress->n; i++)
    r->seen[i] = r->x[i] + (r->low[i] + progress->x[i] / r->sigma);
  own.x = progress->x ? r->seen : NULL;
  own.residual = progress->residual / r->sigma;
  own.scale = r->result->scale;
  own.relative_residual = own.residual / own.scale;
  own.iteration = r->result->counts.iterations + progress->iteration;
  own.seconds = r->earlier + progress->seconds;
  r->stopped = !r->callers->observer(r->callers->observer_context, &own);
  return !r->stopped;
}

static perp_options correction_options(refinement *r, double scale)
{
  const perp_options *callers = r->callers;
  perp_options o = *callers;
  /* a fourth of the target: later rounding must not change the verdict */
  o.tol = perp_max(0.25 * r->target, 1e-6 * r->residual) * r->sigma / scale;
  o.merit_tol = o.merit_rel_tol = 0;
  if (o.max_iterations > 0)
    o.max_iterations -= r->result->counts.iterations;
  if (o.observer) {
    o.observer = observe;
    o.observer_context = r;
  }
  o.found = NULL;
  return o;
}

static void adopt(refinement *r, double residual)
{
  const int n = r->p->K.n;
  perp_copy(n, r->next_x, r->x);
  perp_copy(n, r->next_low, r->low);
  perp_copy(n, r->next_y, r->y);
  r->residual = residual;
}

static void tell(const refinement *r, perp_outcome ending, double residual)
{
  char line[200];
  if (!r->callers->logger)
    return;
  snprintf(line, sizeof line, "%s: correction %d: %s, relative residual of x + x_low %.2e",
           r->by->method->name, r->rounds, perp_outcome_name(ending), residual / r->result->scale);
  r->callers->logger(r->callers->logger_context, PERP_LOG_INFO, line);
}

/* Makes one correction. *goes_on: continue; *ending: how the run ended. */
static perp_error correct(refinement *r, perp_outcome *ending, bool *goes_on)
{
  perp_problem p = *r->p;
  perp_result result = perp_result_empty();
  state_correction(r);
  p.b = r->b;
  p.K.lo = r->lo;
  p.K.hi = r->hi;
  const perp_options options = correction_options(r, perp_problem_scale(&p));
  const perp_arena_mark mark = perp_arena_hold(r->by->arena);
  r->earlier = perp_clock_seconds() - r->began;
  perp_memory_begin(r->by->memory);
  const perp_error error =
      perp_driver_run(r->by->method, r->by->parameters, r->by->services, &p, &options, r->deadline,
                      r->by->arena, r->by->memory, r->z, false, &result);
  perp_arena_release(r->by->arena, mark);
  *goes_on = false;
  if (error) {
    r->result->message = result.message;
    return error;
  }
  perp_counts_add(&r->result->counts, &result.counts);
  r->result->counts.iterations += result.counts.iterations;
  r->rounds++;
  *ending = result.outcome;
  add_correction(r);
  const double before = r->residual;
  const double residual = perp_judge_low(r->p, r->next_x, r->next_low, r->next_y, r->room);
  if (residual < before)
    adopt(r, residual);
  tell(r, *ending, residual);
  const bool better = r->residual <= 0.5 * before;
  if (!better)
    r->most = INFINITY;
  if (r->stopped) /* perhaps after the run had ended */
    *ending = PERP_STOPPED;
  *goes_on = (better || r->cut) && r->residual > r->target && *ending != PERP_TIME_LIMIT &&
             *ending != PERP_STOPPED;
  return PERP_OK;
}

/* ---- The whole ---- */

static void conclude(refinement *r, perp_outcome ending)
{
  static const double UNIT = 0x1p-53;
  perp_result *result = r->result;
  perp_message *message = &result->message;
  const bool limit =
      ending == PERP_TIME_LIMIT || ending == PERP_STOPPED || ending == PERP_ITERATION_LIMIT;
  result->residual = r->residual;
  result->relative_residual = r->residual / result->scale;
  result->y = r->y;
  result->seconds = perp_clock_seconds() - r->began;
  result->outcome = perp_verdict_outcome(r->residual, r->target, limit ? ending : PERP_STAGNATED);
  if (result->outcome == PERP_SOLVED) {
    perp_fail(message, PERP_OK, "x + x_low is within the tolerance, after %d corrections",
              r->rounds);
  } else if (limit) {
    perp_fail(message, PERP_OK, "%s after %d corrections, relative residual %.2e",
              perp_outcome_name(ending), r->rounds, result->relative_residual);
  } else {
    const double floor = UNIT * perp_problem_floor(r->p, r->x, r->room);
    if (r->residual <= 4 * floor && r->target < floor)
      result->outcome = PERP_PRECISION;
    perp_fail(message, PERP_OK,
              result->outcome == PERP_PRECISION
                  ? "no more progress near the rounding floor of x + x_low, relative residual %.2e"
                  : "corrections no longer make progress, relative residual %.2e",
              result->relative_residual);
  }
}

perp_error perp_refine_run(const perp_refiner *by, const perp_problem *p,
                           const perp_options *options, double *x, perp_result *result)
{
  enum { MOST = 40 };
  const size_t bytes = (size_t)p->K.n * sizeof *x;
  refinement r = {
      .by = by,
      .p = p,
      .callers = options,
      .result = result,
      .x = x,
      .low = options->x_low,
      .most = 0x1p30,
      .began = perp_clock_seconds(),
  };
  r.deadline = options->time_limit > 0 ? r.began + options->time_limit : INFINITY;
  if (!make_room(&r))
    return perp_fail(&result->message, PERP_ERROR_MEMORY, "out of memory at n = %d", p->K.n);
  memcpy(r.start, x, bytes);
  perp_options first_options = *options;
  first_options.tol = perp_max(options->tol, 1e-8);
  if (options->observer) {
    first_options.observer = observe_first;
    first_options.observer_context = &r;
  }
  perp_error error = perp_driver_run(by->method, by->parameters, by->services, p, &first_options,
                                     r.deadline, by->arena, by->memory, x, true, result);
  if (error)
    return error;
  memset(r.low, 0, bytes);
  const perp_outcome first = result->outcome;
  if (first != PERP_SOLVED && first != PERP_PRECISION && first != PERP_ITERATION_LIMIT &&
      !perp_driver_is_stuck(first))
    return PERP_OK;
  r.target = perp_verdict_target(options->tol, result->scale);
  r.residual = perp_judge_low(p, x, r.low, r.y, r.room);
  perp_outcome ending = r.stopped ? PERP_STOPPED : first;
  bool goes_on = r.residual > r.target && !r.stopped;
  while (goes_on && !error && r.rounds < MOST) {
    if (options->max_iterations > 0 && result->counts.iterations >= options->max_iterations) {
      ending = PERP_ITERATION_LIMIT;
      break;
    }
    error = correct(&r, &ending, &goes_on);
  }
  if (error) {
    memcpy(x, r.start, bytes);
    memset(r.low, 0, bytes);
    perp_result_fail(result);
    return error;
  }
  conclude(&r, ending);
  return PERP_OK;
}
