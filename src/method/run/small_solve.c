/* small_solve.c: solves a few rows without a driver: one pass over the problem, the method, the
 * judge */
#include "method/run/small_solve.h"

#include "base/clock.h"
#include "linalg/dot.h"
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

/* Returns true if x is 0 and every b_i and every bound is valid. Computes the scale of b and the
 * natural residual at 0, where y = b. */
static bool look_at_plain(const perp_problem *p, const double *x, double *scale, double *residual)
{
  enum { LANES = 4 };
  const int n = p->K.n;
  const double *b = p->b;
  double most[LANES] = {0}, least[LANES] = {0}, away[LANES] = {0};
  int i = 0;
  for (; i + LANES <= n; i += LANES)
    for (int k = 0; k < LANES; k++) {
      const double v = b[i + k];
      most[k] = v > most[k] ? v : most[k];
      least[k] = v < least[k] ? v : least[k];
      away[k] += fabs(x[i + k]) + (v - v);
    }
  for (int k = 0; i < n; i++, k++) {
    const double v = b[i];
    most[k] = v > most[k] ? v : most[k];
    least[k] = v < least[k] ? v : least[k];
    away[k] += fabs(x[i]) + (v - v);
  }
  for (int k = 1; k < LANES; k++) {
    most[0] = most[k] > most[0] ? most[k] : most[0];
    least[0] = least[k] < least[0] ? least[k] : least[0];
    away[0] += away[k];
  }
  *residual = fabs(least[0]);
  *scale = most[0] > -least[0] ? most[0] : -least[0];
  return away[0] == 0; /* false for NaN */
}

/* Facts about rows, two at a time. */
typedef struct rows {
  perp_two most, worst, away;      /* |b|, the residual, and numbers that must be 0 */
  perp_two_bits bad, bounded, box; /* invalid; not x >= 0; neither that nor free */
} rows;

static inline void look_at_two(perp_two b, perp_two x, perp_two lo, perp_two hi, rows *r)
{
  const perp_two zero = {0}, great = {PERP_INFINITE, PERP_INFINITE};
  const perp_two_bits above = (perp_two_bits)(hi >= great);
  const perp_two_bits ray = (perp_two_bits)(lo == zero) & above;
  r->bad |=
      ~((perp_two_bits)(lo <= hi) & (perp_two_bits)(lo < great) & (perp_two_bits)(hi > -great));
  r->bounded |= ~ray;
  r->box |= ~(ray | ((perp_two_bits)(lo <= -great) & above));
  const perp_two natural = {perp_natural_mid(b[0], -lo[0], -hi[0]),
                            perp_natural_mid(b[1], -lo[1], -hi[1])};
  r->worst = perp_two_max(r->worst, natural);
  r->most = perp_two_max(r->most, perp_two_abs(b));
  r->away += perp_two_abs(x) + (b - b);
}

static inline perp_two twice(double v)
{
  return (perp_two){v, v};
}

/* look_at_plain with bounds; also determines the form. */
static bool look_at_box(const perp_problem *p, const double *x, double *scale, perp_small *small)
{
  const int n = p->K.n;
  const double *b = p->b, *lo = p->K.lo, *hi = p->K.hi;
  rows r = {{0}, {0}, {0}, {0}, {0}, {0}};
  int i = 0;
  for (; i + 2 <= n; i += 2)
    look_at_two(perp_two_at(b + i), perp_two_at(x + i), perp_two_at(lo + i), perp_two_at(hi + i),
                &r);
  if (i < n)
    look_at_two(twice(b[i]), twice(x[i]), twice(lo[i]), twice(hi[i]), &r);
  small->form = !perp_two_any(r.bounded) ? PERP_FORM_LCP
                : perp_two_any(r.box)    ? PERP_FORM_BOXED
                                         : PERP_FORM_MIXED;
  small->start_residual = r.worst[0] > r.worst[1] ? r.worst[0] : r.worst[1];
  *scale = r.most[0] > r.most[1] ? r.most[0] : r.most[1];
  return !perp_two_any(r.bad) && r.away[0] + r.away[1] == 0;
}

/* look_at_plain with at least one friction row. */
static bool look_at_friction(const perp_problem *p, const double *x, double *scale,
                             perp_small *small)
{
  const perp_set *K = &p->K;
  double most = 0, worst = 0, away = 0;
  bool bad = false, friction = false;
  for (int i = 0; i < K->n; i++) {
    const double v = p->b[i], low = K->lo[i], high = K->hi[i];
    const int j = K->findex[i];
    bad |= !((low <= high) & (low < PERP_INFINITE) & (high > -PERP_INFINITE)) | (j < -1);
    if (j >= 0 && (j >= K->n || K->findex[j] >= 0))
      return false;
    friction |= j >= 0;
    /* a finite bound times the zero normal is 0 */
    const double l = j >= 0 && low > -PERP_INFINITE ? 0 : low;
    const double h = j >= 0 && high < PERP_INFINITE ? 0 : high;
    const double size = fabs(v), r = perp_natural_mid(v, -l, -h);
    most = size > most ? size : most;
    worst = r > worst ? r : worst;
    away += fabs(x[i]) + (v - v);
  }
  small->form = PERP_FORM_FINDEX;
  small->start_residual = worst;
  *scale = most;
  return friction && !bad && away == 0;
}

/* look_at_plain with cones only. */
static bool look_at_cones(const perp_problem *p, const double *x, double *scale, perp_small *small)
{
  double unused;
  bool fine = look_at_plain(p, x, scale, &unused);
  for (int c = 0; c < p->K.cones; c++)
    fine = fine && p->K.mu[c] >= 0 && p->K.mu[c] < INFINITY;
  small->form = PERP_FORM_CONE;
  small->start_residual = fine ? perp_problem_residual(p, x, p->b) : INFINITY;
  return fine;
}

/* look_at_plain with contacts that were taken apart: their set was checked before. */
static bool look_at_contacts(const perp_problem *p, const double *x, double *scale,
                             perp_small *small)
{
  double scaled, unused;
  small->form = perp_set_form(&p->K);
  small->start_residual = perp_problem_residual(p, x, p->b);
  *scale = perp_problem_scale(p); /* in the caller's units */
  return look_at_plain(p, x, &scaled, &unused) && small->form >= PERP_FORM_CONE;
}

static bool look(const perp_problem *p, const double *x, double *scale, perp_small *small)
{
  if (perp_set_reduction(&p->K))
    return look_at_contacts(p, x, scale, small);
  if (p->K.cones > 0)
    return look_at_cones(p, x, scale, small);
  if (p->K.findex)
    return look_at_friction(p, x, scale, small);
  return p->K.lo ? look_at_box(p, x, scale, small)
                 : look_at_plain(p, x, scale, &small->start_residual);
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
