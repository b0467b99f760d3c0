/* phase_one.c: a certificate that there is no solution, by interior points
 *
 * How far y = A x + b is from the signs that a solution requires (prove.c):
 *
 *   minimise 1/2 |u|^2   over x in [lo, hi] and u such that A x + b + u has these signs.
 *
 * This has a solution for every A and b. Its optimality conditions are a complementarity problem with
 * a positive semi-definite matrix, which an interior point method solves:
 *
 *   x in [lo, hi],             y_x = -A^T u
 *   u >= 0, u <= 0 or free,    y_u = A x + b + u      (no row for y_i without a sign: there u_i = 0)
 *
 * At its solution x maximises (A^T u)^T x over the box, and u^T y_u = 0, so
 *
 *   b^T u + sup (A^T u)^T x = -|u|^2:
 *
 * u is a certificate unless it is 0. Many (A^T u)_j are 0 there, and rounding gives them a sign. On the
 * way, y_x > 0 for x_j >= 0 and the left side is -|u|^2 plus the sum of all products: as soon as this
 * is below 0, u is an interior point of the cone of rays. So each iterate is offered (rays.c). If the
 * problem is known to have no solution, the iterates of the method on the problem itself grow along an
 * interior ray, and are offered too. */
#include "method/system/farkas.h"

#include "linalg/vector.h"
#include "set/set.h"

#include <math.h>

typedef struct {
  perp_run *run;
  perp_rays *rays;
  int n, m;       /* rows of A; rows of u */
  int *of;        /* n: the row of u_i, or -1 */
  double *u;      /* n */
  double nothing; /* a smaller u counts as 0 */
} phase;

static bool has_sign(const perp_set *K, int i)
{
  return isinf(perp_set_lo(K, i)) || isinf(perp_set_hi(K, i));
}

/* Offers the u of an iterate. */
static perp_feasible offer(const phase *s, const double *x, bool last)
{
  for (int i = 0; i < s->n; i++)
    s->u[i] = s->of[i] < 0 ? 0 : x[s->of[i]] * s->rays->all.D[s->n + i];
  return perp_rays_offer(s->rays, s->u, last);
}

/* Of b: what is smaller counts as 0. */
static const double NOTHING = 1e-7;

/* Ends the search with a certificate, or near a solution where u is 0 up to rounding: the signs do not
 * contradict each other. */
static bool go_on(void *context, const perp_progress *at)
{
  const phase *s = context;
  if (!at->x)
    return true;
  if (at->relative_residual <= NOTHING && !(perp_norm_inf(s->m, at->x + s->n) > s->nothing))
    return false;
  return offer(s, at->x, false) != PERP_FEASIBLE_PROVEN_NOT;
}

/* Offers an iterate of the problem itself. */
static bool go_on_growing(void *context, const perp_progress *at)
{
  const phase *s = context;
  return !at->x || perp_rays_offer(s->rays, at->x, false) != PERP_FEASIBLE_PROVEN_NOT;
}

/* Offers the iterates of the interior point method as they grow. */
static perp_error follow(phase *s, const perp_method *interior, perp_arena *arena)
{
  double *x;
  if (!PERP_TAKE_ZERO_REALS(arena, (size_t)s->n, &x))
    return PERP_ERROR_MEMORY;
  const perp_subrun sub = {.method = interior,
                           .target = s->run->target,
                           .observer = go_on_growing,
                           .observer_context = s};
  perp_outcome outcome;
  return perp_run_subsolve(s->run, &sub, s->run->problem, x, &outcome);
}

/* Solves for u, and offers it. */
static perp_error minimise(phase *s, const perp_method *interior, perp_arena *arena)
{
  static const double TOL = 1e-13;
  const perp_problem *p = s->run->problem;
  const perp_inequalities *r = &s->rays->all;
  const double *D = r->D;
  const int n = s->n;
  if (!PERP_TAKE(arena, PERP_ARRAY(s->of, n), PERP_ARRAY(s->u, n)))
    return PERP_ERROR_MEMORY;
  for (int i = 0; i < n; i++)
    s->of[i] = has_sign(&p->K, i) ? n + s->m++ : -1;
  const int size = n + s->m;
  const int64_t entries = 2 * r->start[n] + s->m;
  int64_t *start, at = 0;
  int *column;
  double *value, *b, *lo, *hi, *x;
  perp_operator *M = NULL;
  if (!PERP_TAKE(arena, PERP_ARRAY(start, size + 1), PERP_ARRAY(column, entries),
                 PERP_ARRAY(value, entries)) ||
      !PERP_TAKE_ZERO_REALS(arena, (size_t)size, &b, &lo, &hi, &x))
    return PERP_ERROR_MEMORY;
  for (int j = 0; j < n; j++) {
    start[j] = at;
    for (int64_t e = r->t_start[j]; e < r->t_start[j + 1]; e++) {
      const int i = r->t_column[e];
      if (s->of[i] < 0)
        continue;
      column[at] = s->of[i];
      value[at++] = -r->t_value[e] * D[j] * D[n + i];
    }
    lo[j] = r->L[j] / D[j];
    hi[j] = r->U[j] / D[j];
  }
  for (int i = 0; i < n; i++) {
    const int k = s->of[i];
    if (k < 0)
      continue;
    start[k] = at;
    for (int64_t e = r->start[i]; e < r->start[i + 1]; e++, at++) {
      column[at] = r->column[e];
      value[at] = r->value[e] * D[r->column[e]] * D[n + i];
    }
    column[at] = k;
    value[at++] = 1;
    b[k] = p->b[i] * D[n + i];
    lo[k] = isinf(r->L[i]) ? -INFINITY : 0;
    hi[k] = isinf(r->U[i]) ? INFINITY : 0;
  }
  start[size] = at;
  perp_error error = perp_operator_csr(size, start, column, value, PERP_BORROW, &M, NULL);
  if (error)
    return error;
  const perp_problem q = perp_problem_boxed(M, b, lo, hi);
  const double most = perp_norm_inf(size, b);
  const perp_subrun sub = {
      .method = interior, .target = TOL * most, .observer = go_on, .observer_context = s};
  s->nothing = NOTHING * most;
  perp_outcome outcome;
  error = perp_run_subsolve(s->run, &sub, &q, x, &outcome);
  perp_operator_destroy(M);
  if (!error && perp_norm_inf(s->m, x + n) > s->nothing)
    offer(s, x, true);
  return error;
}

perp_error perp_farkas_search(perp_run *run, const perp_method *interior, perp_feasible *feasible,
                              const double **u)
{
  const int n = run->problem->K.n;
  phase s = {.run = run, .n = n};
  perp_error error = perp_rays_open(run, true, &s.rays);
  if (error)
    return error == PERP_ERROR_UNSUPPORTED ? PERP_OK : error;
  double *certificate = perp_run_reals(run, (size_t)n);
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  s.rays->feasible = *feasible;
  error = certificate ? minimise(&s, interior, run->arena) : PERP_ERROR_MEMORY;
  if (!error && s.rays->feasible == PERP_FEASIBLE_NOT)
    error = follow(&s, interior, run->arena);
  perp_arena_release(run->arena, mark);
  if (!error) {
    *feasible = s.rays->feasible;
    perp_copy(n, s.rays->u, certificate);
    *u = certificate;
  }
  perp_rays_close(s.rays);
  return error;
}
