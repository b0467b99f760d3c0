/* run.c: F, J and the iterate; line search */
#include "model/ncp/run.h"

#include "base/clock.h"
#include "linalg/vector.h"
#include "set/set.h"
#include "verdict/natural.h"
#include "verdict/verdict.h"

static bool fail_callback(perp_ncp_run *run, const char *name, int code)
{
  run->error = perp_fail(&run->result->message, PERP_ERROR_CALLBACK, "the callback %s returned %d",
                         name, code);
  return false;
}

bool perp_ncp_evaluate(perp_ncp_run *run, const double *x, double *F)
{
  if (run->error)
    return false;
  run->result->evaluations++;
  const int code = run->p.F(run->p.context, x, F);
  if (code != 0 && code != PERP_NCP_UNDEFINED)
    return fail_callback(run, "F", code);
  run->said_no = code == PERP_NCP_UNDEFINED;
  const bool defined = code == 0 && perp_all_finite(run->n, F);
  run->result->undefined += !defined;
  return defined;
}

/* J_ij <- value, if it is stored. */
static void put(perp_ncp_run *run, int i, int j, double value)
{
  const int64_t at = perp_ncp_place(run, i, j);
  if (at >= 0)
    run->J[at] = value;
}

/* Computes column j from F at x_j + h, or at x_j - h if that is outside the bounds or undefined. */
static bool difference_column(perp_ncp_run *run, int j)
{
  const double root = 1.4901161193847656e-08; /* of the rounding unit */
  const double at = run->x[j], size = fabs(at) > 1 ? fabs(at) : 1;
  perp_copy(run->n, run->x, run->try_x);
  for (int side = 0; side < 2; side++) {
    double h = (side ? -1 : 1) * root * size;
    run->try_x[j] = at + h;
    h = run->try_x[j] - at; /* the rounded step */
    if (run->try_x[j] < run->lo[j] || run->try_x[j] > run->hi[j] || h == 0)
      continue;
    if (perp_ncp_evaluate(run, run->try_x, run->try_F)) {
      for (int i = 0; i < run->n; i++)
        put(run, i, j, (run->try_F[i] - run->F[i]) / h);
      return true;
    }
    if (run->error)
      return false;
  }
  if (run->lo[j] == run->hi[j]) { /* fixed: its column is never used */
    for (int i = 0; i < run->n; i++)
      put(run, i, j, 0);
    return true;
  }
  run->error =
      perp_fail(&run->result->message, PERP_ERROR_CALLBACK,
                "Jacobian by differences: F is not defined on either side of x[%d] = %g", j, at);
  return false;
}

/* value_j <- 1 if column j needs differences: it has an entry that is not finite, or the callback
 * set none. */
static void mark_columns(perp_ncp_run *run)
{
  const int64_t *start = run->p.start;
  bool any = false;
  perp_fill(run->n, 0, run->value);
  for (int i = 0; i < run->n && run->p.jacobian; i++) {
    const int64_t first = start ? start[i] : (int64_t)i * run->n;
    for (int64_t e = first; e < (start ? start[i + 1] : first + run->n); e++)
      if (!isfinite(run->J[e])) {
        run->value[start ? run->p.column[e] : (int)(e - first)] = 1;
        any = true;
      }
  }
  if (!any)
    perp_fill(run->n, 1, run->value);
}

bool perp_ncp_differentiate(perp_ncp_run *run)
{
  if (run->fresh || run->error)
    return !run->error;
  const int64_t count = run->p.start ? run->p.start[run->n] : (int64_t)run->n * run->n;
  run->result->jacobians++;
  bool defined = run->p.jacobian != NULL;
  if (defined) {
    perp_fill(count, 0, run->J);
    const int code = run->p.jacobian(run->p.context, run->x, run->J);
    if (code != 0 && code != PERP_NCP_UNDEFINED)
      return fail_callback(run, "jacobian", code);
    /* F has a value here, but a slope may be infinite, as of a root at 0 */
    defined = code == 0 && perp_all_finite(count, run->J);
  }
  run->result->differences |= !defined;
  if (!defined)
    mark_columns(run);
  for (int j = 0; j < run->n && !defined; j++)
    if (run->value[j] != 0 && !difference_column(run, j))
      return false;
  run->fresh = true;
  return true;
}

double perp_ncp_residual(const perp_ncp_run *run, const double *x, const double *F)
{
  double worst = 0;
  for (int i = 0; i < run->n; i++) {
    const double below = x[i] - run->lo[i], above = x[i] - run->hi[i];
    worst = perp_max(worst, perp_natural_row(x[i], F[i], below, above));
  }
  return worst;
}

static void keep_best(perp_ncp_run *run)
{
  run->residual = perp_ncp_residual(run, run->x, run->F);
  if (run->residual < run->best_residual) {
    run->best_residual = run->residual;
    perp_copy(run->n, run->x, run->best);
  }
}

void perp_ncp_end(perp_ncp_run *run, perp_outcome outcome)
{
  if (run->outcome == PERP_NOT_RUN)
    run->outcome = outcome;
}

static bool observe(perp_ncp_run *run)
{
  if (!run->options.observer)
    return true;
  perp_counts counts = run->result->counts;
  counts.applies = run->result->evaluations;
  const perp_progress progress = {.size = sizeof progress,
                                  .iteration = run->result->counts.iterations,
                                  .seconds = perp_clock_seconds() - run->began,
                                  .residual = run->residual,
                                  .scale = 1,
                                  .merit = NAN,
                                  .checked = true,
                                  .n = run->n,
                                  .x = run->x,
                                  .counts = &counts,
                                  .relative_residual = run->residual};
  return run->options.observer(run->options.observer_context, &progress);
}

bool perp_ncp_expired(const perp_ncp_run *run, perp_outcome *outcome)
{
  const perp_ncp_options *o = &run->options;
  if (o->interrupted && o->interrupted(o->interrupted_context))
    *outcome = PERP_STOPPED;
  else if (o->time_limit > 0 && perp_clock_seconds() - run->began > o->time_limit)
    *outcome = PERP_TIME_LIMIT;
  else
    return false;
  return true;
}

/* Returns true if the residual fell by less than a tenth in the last 40 iterations: the next attempt
 * is worth more. */
static bool is_stagnant(perp_ncp_run *run)
{
  enum { WINDOW = 40 };
  if (run->iterations == 0 || run->residual < 0.9 * run->progress_residual) {
    run->progress_residual = run->residual;
    run->progress_iteration = run->iterations;
  }
  return run->iterations - run->progress_iteration >= WINDOW;
}

bool perp_ncp_next(perp_ncp_run *run)
{
  if (run->error || run->outcome != PERP_NOT_RUN)
    return false;
  const perp_ncp_options *o = &run->options;
  perp_outcome limit = PERP_NOT_RUN;
  perp_ncp_expired(run, &limit);
  if (!observe(run) || limit == PERP_STOPPED)
    perp_ncp_end(run, PERP_STOPPED);
  else if (perp_verdict_solved(run->residual, o->tol))
    perp_ncp_end(run, PERP_SOLVED);
  else if (limit == PERP_TIME_LIMIT) /* first, since later attempts end with it too */
    perp_ncp_end(run, PERP_TIME_LIMIT);
  else if (run->iterations >= o->max_iterations)
    perp_ncp_end(run, PERP_ITERATION_LIMIT);
  else if (is_stagnant(run))
    perp_ncp_end(run, PERP_STAGNATED);
  run->iterations++;
  run->result->counts.iterations += run->outcome == PERP_NOT_RUN;
  return run->outcome == PERP_NOT_RUN;
}

bool perp_ncp_move(perp_ncp_run *run, const double *x)
{
  for (int i = 0; i < run->n; i++)
    run->try_x[i] = perp_clamp(x[i], run->lo[i], run->hi[i]);
  if (!perp_all_finite(run->n, run->try_x) || !perp_ncp_evaluate(run, run->try_x, run->try_F))
    return false;
  perp_exchange_vectors(&run->x, &run->try_x);
  perp_exchange_vectors(&run->F, &run->try_F);
  run->fresh = false;
  keep_best(run);
  return true;
}

/* ---- Line search ---- */

double perp_ncp_merit(const perp_ncp_run *run, const perp_ncp_map *map, const double *x,
                      const double *F)
{
  double sum = 0;
  for (int i = 0; i < run->n; i++) {
    const double f = perp_ncp_scaled(map, i, x[i], F[i]);
    const double below = x[i] - run->lo[i], above = x[i] - run->hi[i];
    const double v = map->natural
                         ? (f > below   ? below
                            : f < above ? above
                                        : f)
                         : perp_phi_box(&map->phi, x[i], f, run->lo[i], run->hi[i], 0, 0).value;
    sum += v * v;
  }
  return 0.5 * sum;
}

/* Returns the merit that a step must beat: the largest of the last few (Grippo, Lampariello, Lucidi
 * 1986). */
static double reference(perp_ncp_run *run, double merit)
{
  const int room = sizeof run->merits / sizeof *run->merits;
  run->merits[run->merits_known++ % room] = merit;
  double most = merit;
  for (int k = 0; k < room && k < run->merits_known; k++)
    most = run->merits[k] > most ? run->merits[k] : most;
  return most;
}

bool perp_ncp_search(perp_ncp_run *run, const perp_ncp_map *map, double slope, int halvings)
{
  const double sigma = 1e-4, merit = perp_ncp_merit(run, map, run->x, run->F);
  const double most = reference(run, merit);
  double t = 1;
  for (int k = 0; k <= halvings && !run->error; k++, t /= 2) {
    double moved = 0;
    for (int i = 0; i < run->n; i++) {
      run->try_x[i] = perp_clamp(run->x[i] + t * run->d[i], run->lo[i], run->hi[i]);
      moved += fabs(run->try_x[i] - run->x[i]);
    }
    if (moved == 0 || !isfinite(moved))
      continue;
    if (!perp_ncp_evaluate(run, run->try_x, run->try_F))
      continue;
    /* a step that hardly moves x must descend */
    const double bar = k < 8 ? most : merit;
    if (perp_ncp_merit(run, map, run->try_x, run->try_F) <= bar + sigma * t * slope) {
      perp_exchange_vectors(&run->x, &run->try_x);
      perp_exchange_vectors(&run->F, &run->try_F);
      run->fresh = false;
      keep_best(run);
      return true;
    }
  }
  run->merits_known = 0;
  return false;
}
