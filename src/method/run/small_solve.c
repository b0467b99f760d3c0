/* small_solve.c: solves a few rows without a driver: one pass over the problem, the method, the
 * judge */
#include "method/run/small_solve.h"

#include "base/clock.h"
#include "linalg/wide.h"
#include "method/run/driver.h"
#include "problem/judge.h"
#include "set/set.h"
#include "verdict/natural.h"

#include <float.h>
#include <string.h>

/* Larger numbers may count as infinite or overflow: the driver treats them. */
static const double GREAT = 1e290;

/* A solve that ends within microseconds cannot exceed a longer limit, in seconds. */
static const double LEAST_LIMIT = 1e-3;

/* Returns true if the options set only a tolerance, y, and settings without effect on a few rows.
 * The stop callback is called once, before: a few rows take less time than another call. */
static bool are_plain(const perp_options *o)
{
  return o->tol >= 0 && o->tol <= DBL_MAX && o->max_iterations == 0 &&
         (o->time_limit == 0 || o->time_limit >= LEAST_LIMIT) && o->merit_tol == 0 &&
         o->merit_rel_tol == 0 && o->check_every == 0 && o->stagnation == 0 && o->threads >= 1 &&
         o->threads <= 1024 && !o->observer && !o->logger &&
         !(o->interrupted && o->interrupted(o->interrupted_context));
}

/* Returns true for a problem of a few stored rows whose arrays are present. */
static bool is_small(const perp_problem *p)
{
  if (!p || !p->A || p->A->refused)
    return false;
  const perp_operator *A = p->A;
  const perp_set *K = &p->K;
  const double *a;
  const int64_t *start;
  const int *column;
  int64_t stride;
  if (perp_operator_dense_array(A, &a, &stride) != PERP_OK &&
      perp_operator_csr_arrays(A, &start, &column, &a) != PERP_OK)
    return false;
  const bool bounded = K->cones == 0 && !K->lo == !K->hi && (!K->findex || K->lo),
             cones = 3 * K->cones == K->n && K->mu && !K->cone && !K->lo && !K->hi && !K->findex;
  return A->n > 0 && A->n <= PERP_SMALL_ROWS && K->n == A->n && A->values != 0 && p->b &&
         (perp_set_reduction(K) || ((bounded || cones) && !K->dim && !K->law));
}

/* Returns true if x is 0 and every b_i and every bound is valid, with at least one friction row if K
 * has indices. Computes the form, the scale of b, and the natural residual at 0, where y = b.
 * `bounds` and `indices`, constants: K has them. */
KERNEL bool look_at_rows(const perp_set *K, bool bounds, bool indices, const double *b,
                         const double *x, double *scale, perp_small *small)
{
  double most = 0, worst = 0, away = 0;
  bool bad = false, bounded = false, box = false, friction = false;
  for (int i = 0; i < K->n; i++) {
    const double y = b[i], size = fabs(y);
    const double lo = bounds ? K->lo[i] : 0, hi = bounds ? K->hi[i] : INFINITY;
    const int j = indices ? K->findex[i] : -1;
    const bool no_lo = lo <= -PERP_INFINITE, no_hi = hi >= PERP_INFINITE;
    if (j < -1 || j >= K->n || (j >= 0 && K->findex[j] >= 0))
      return false;
    friction |= j >= 0;
    bad |= !((lo <= hi) & (lo < PERP_INFINITE) & (hi > -PERP_INFINITE));
    bounded |= !((lo == 0) & no_hi);
    box |= !(((lo == 0) | no_lo) & no_hi);
    /* a finite bound times the zero normal is 0 */
    const double r = perp_natural_mid(y, j >= 0 && !no_lo ? 0 : -lo, j >= 0 && !no_hi ? 0 : -hi);
    worst = r > worst ? r : worst;
    most = size > most ? size : most;
    away += fabs(x[i]) + (y - y); /* NaN if y is not finite */
  }
  small->form = friction   ? PERP_FORM_FINDEX
                : !bounded ? PERP_FORM_LCP
                : box      ? PERP_FORM_BOXED
                           : PERP_FORM_MIXED;
  small->start_residual = worst;
  *scale = most;
  return !bad && away == 0 && friction == indices;
}

/* look_at_rows for any set; one with a reduction, of contacts that were taken apart, was checked
 * before. */
static bool look(const perp_problem *p, const double *x, double *scale, perp_small *small)
{
  const perp_set *K = &p->K;
  const bool reduced = perp_set_reduction(K);
  if (K->findex && !reduced)
    return look_at_rows(K, true, true, p->b, x, scale, small);
  if (K->lo && !reduced)
    return look_at_rows(K, true, false, p->b, x, scale, small);
  bool fine = look_at_rows(K, false, false, p->b, x, scale, small);
  if (!reduced && K->cones == 0)
    return fine;
  for (int c = 0; !reduced && c < K->cones; c++)
    fine = fine && K->mu[c] >= 0 && K->mu[c] < INFINITY;
  small->form = perp_set_form(K);
  small->start_residual = fine ? perp_problem_residual(p, x, p->b) : INFINITY;
  if (reduced)
    *scale = perp_problem_scale(p); /* in the caller's units */
  return fine && small->form >= PERP_FORM_CONE;
}

static void tell(const perp_run *run, double residual, perp_result *result)
{
  static const char text[] = "the residual is within the tolerance";
  result->outcome = perp_verdict_outcome(residual, run->target, PERP_NOT_RUN);
  result->residual = residual;
  result->relative_residual = residual / run->scale;
  result->scale = run->scale;
  result->counts = run->count;
  memcpy(result->message.text, text, sizeof text);
  if (result->plan.steps == 0)
    return;
  result->attempts = 1;
  result->attempt[0] = (perp_attempt){.method = result->method,
                                      .outcome = result->outcome,
                                      .residual = residual,
                                      .iterations = run->count.iterations};
}

bool perp_small_solve(const perp_method *method, const perp_problem *p, const perp_options *options,
                      perp_arena *arena, struct perp_memory *memory, double *x, perp_result *result)
{
  if (!is_small(p) || !x || !are_plain(options))
    return false;
  const bool timed = options->time_limit > 0;
  const double began = timed ? perp_clock_seconds() : 0;
  perp_small small = {.form = PERP_FORM_LCP};
  double scale;
  if (!look(p, x, &scale, &small) || !(scale < GREAT))
    return false;
  perp_driver driver; /* asked only if the run has expired, and for the name of the method */
  driver.method = method;
  driver.result = result;
  driver.deadline = INFINITY;
  driver.ended = false;
  driver.failures = perp_operator_failures(p->A);
  perp_run run; /* its other fields are not read */
  run.driver = &driver;
  run.placed = NULL;
  run.ranks = NULL;
  run.work = (perp_work){.threads = 1};
  run.problem = p;
  run.options = options;
  run.count = result->counts;               /* all 0 */
  run.count.applies = run.count.checks = 2; /* the start and the verdict */
  run.scale = perp_verdict_scale(scale);
  run.target = perp_verdict_target(options->tol, run.scale);
  run.cold = true;
  run.arena = arena;
  run.memory = memory;
  const size_t n = (size_t)p->K.n;
  const perp_arena_mark mark = perp_arena_hold(arena);
  double *y = perp_arena_alloc(arena, n, sizeof *y);
  if (!y)
    return false;
  result->method = method->name;
  small.solved = perp_verdict_solved(small.start_residual, run.target);
  double start[PERP_SMALL_ROWS], residual = INFINITY; /* the start may have a -0 */
  memcpy(start, x, n * sizeof *x);
  if ((method->takes & PERP_TAKES(small.form)) && method->solve_small(&run, &small, result, x)) {
    if (small.solved) {
      memcpy(y, p->b, n * sizeof *y);
      residual = perp_residual_exact(p, x, y);
    } else {
      residual = perp_judge(p, x, y, NULL, NULL);
    }
  }
  if (!perp_verdict_solved(residual, run.target)) {
    memcpy(x, start, n * sizeof *x);
    result->method = NULL;
    result->message.text[0] = 0;
    result->plan.class_name[0] = 0;
    result->plan.steps = result->plan.scaled = 0;
    perp_arena_release(arena, mark);
    return false;
  }
  tell(&run, residual, result);
  result->y = y;
  if (timed)
    result->seconds = perp_clock_seconds() - began;
  return true;
}
