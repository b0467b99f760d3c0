/* prove.c: rays that prove a quadratic program infeasible or unbounded, exactly
 *
 * Infeasible: numbers z with
 *
 *   sup { z^T t : l <= t <= u }  <  inf { (G^T z)^T x : lb <= x <= ub },
 *
 * since z^T G x is at most the left side and at least the right side for a feasible x (Farkas
 * 1902). Unbounded: d with P d = 0, q^T d < 0, and d in the recession cone of all bounds. Both are
 * certificates of the complementarity problem of mixed.c, and src/problem/prove.c checks them in
 * integers, without rounding.
 *
 * A method finds rays up to rounding, which is enough if the conditions are inequalities. Equations
 * (x_j without bounds: (G^T z)_j = 0) hold exactly only for numbers with few digits. So a ray is
 * tried as it is, without its tiny entries, and with entries rounded to multiples of simple
 * fractions of the largest and the smallest one. If all fail and the program is small, an exact
 * linear program (linalg/exact_lp.c) decides. Its ray consists of fractions: if the rounded ray is
 * a proof, it is returned. */
#include "model/qp/qp.h"

#include "linalg/exact_lp.h"
#include "problem/judge.h"
#include <perp/problem.h>

#include <string.h>

/* The conditions of optimality, whose certificates are the program's, and room for one. */
typedef struct {
  perp_arena arena;
  perp_qp_mixed mixed;
  perp_problem problem;
  double *u;
} conditions;

/* To be closed after an error, too. */
static perp_error conditions_open(const perp_qp_solver *s, conditions *c, perp_message *why)
{
  *c = (conditions){0};
  const perp_error error = perp_qp_mixed_make(s, &c->arena, &c->mixed, why);
  if (error)
    return error;
  c->problem = perp_problem_boxed(c->mixed.A, c->mixed.b, c->mixed.lo, c->mixed.hi);
  return PERP_TAKE_REALS(&c->arena, (size_t)c->mixed.rows, &c->u)
             ? PERP_OK
             : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a proof");
}

static void conditions_close(conditions *c)
{
  perp_operator_destroy(c->mixed.A);
  perp_arena_free(&c->arena);
}

/* Tests exactly if the ray v_g proves the program infeasible, or the ray d proves it unbounded. */
static bool try_ray(const perp_qp_solver *s, conditions *c, perp_outcome outcome, const double *ray,
                    perp_message *why)
{
  const int *of_row = c->mixed.of_row;
  perp_fill(c->mixed.rows, 0, c->u);
  if (outcome == PERP_UNBOUNDED)
    perp_copy(s->n, ray, c->u);
  for (int i = 0; i < s->m && outcome == PERP_INFEASIBLE; i++) {
    if (of_row[i] >= 0)
      c->u[of_row[i]] = ray[i];
    else if (ray[i] != 0) {
      perp_fail(why, PERP_OK, "row %d has no bounds, but the ray is not 0 there", i);
      return false;
    }
  }
  return perp_prove(&c->problem, c->u, &c->arena, why);
}

/* Sets entries with a sign that the bounds do not allow, and entries below `tiny` times the
 * largest, to 0. */
static void clean(const perp_qp_solver *s, perp_outcome outcome, const double *from, double tiny,
                  double *to)
{
  const bool rows = outcome == PERP_INFEASIBLE;
  const int count = rows ? s->m : s->n, first = rows ? s->n : 0;
  const double most = perp_norm_inf(count, from);
  for (int k = 0; k < count; k++) {
    const bool lower = !isinf(s->L[first + k]), upper = !isinf(s->U[first + k]);
    const double v = most > 0 ? from[k] / most : 0;
    const bool wrong = rows ? (v > 0 ? !upper : !lower) : (v > 0 ? upper : lower);
    to[k] = wrong || fabs(v) < tiny ? 0 : v;
  }
}

/* Returns true if all entries of v / unit are near whole numbers, which are then in `to`. */
static bool make_whole(int count, const double *v, double unit, double *to)
{
  for (int k = 0; k < count; k++) {
    to[k] = floor(v[k] / unit + 0.5);
    if (!(fabs(v[k] / unit - to[k]) < 1e-4) || fabs(to[k]) > 1e6)
      return false;
  }
  return true;
}

bool perp_qp_claim_ray(perp_qp_run *run, perp_outcome outcome, const double *ray)
{
  enum { PARTS = 12 };
  static const double tiny[] = {0, 1e-9, 1e-6, 1e-4};
  perp_qp_solver *s = run->solver;
  const int count = outcome == PERP_INFEASIBLE ? s->m : s->n;
  conditions c;
  double *v;
  bool holds = false;
  if (!conditions_open(s, &c, NULL) && PERP_TAKE_REALS(&c.arena, (size_t)count, &v)) {
    for (size_t k = 0; k < sizeof tiny / sizeof *tiny && !holds; k++) {
      clean(s, outcome, ray, tiny[k], s->ray);
      holds = try_ray(s, &c, outcome, s->ray, NULL);
    }
    clean(s, outcome, ray, 1e-5, v);
    double least = 1;
    for (int k = 0; k < count; k++)
      if (v[k] != 0)
        least = perp_min(least, fabs(v[k]));
    for (int part = 1; part <= 2 * PARTS && !holds; part++) {
      const double unit = part <= PARTS ? 1.0 / part : least / (part - PARTS);
      holds = make_whole(count, v, unit, s->ray) && try_ray(s, &c, outcome, s->ray, NULL);
    }
  }
  if (holds) {
    run->claim = outcome;
    run->proven = true;
  }
  conditions_close(&c);
  return holds;
}

perp_error perp_qp_certificate_judge(const perp_qp *qp, perp_outcome outcome, const double *ray,
                                     bool *holds, perp_message *why)
{
  if (!holds || !ray)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_qp_certificate_judge needs ray and holds");
  if (outcome != PERP_INFEASIBLE && outcome != PERP_UNBOUNDED)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "the outcome \"%s\" has no ray; only infeasible and unbounded have one",
                     perp_outcome_name(outcome));
  *holds = false;
  perp_qp_solver *s;
  perp_error error = perp_qp_read(qp, &s, why);
  if (!error && s->applied)
    perp_fail(why, PERP_OK,
              "an exact proof needs the entries of P, and this operator gives only products");
  else if (!error) {
    conditions c;
    perp_message row = {""};
    error = conditions_open(s, &c, why);
    *holds = !error && try_ray(s, &c, outcome, ray, &row);
    if (!error && !*holds)
      perp_fail(why, PERP_OK, "%s; u is the ray in the conditions of optimality, x before G x",
                row.text);
    conditions_close(&c);
  }
  perp_qp_solver_destroy(s);
  return error;
}

static bool may_go_on(void *run)
{
  return !perp_qp_expired(run);
}

static bool claim_proof(void *context, const double *z)
{
  perp_qp_run *run = context;
  run->claim = PERP_INFEASIBLE;
  return perp_qp_claim_ray(run, PERP_INFEASIBLE, z);
}

bool perp_qp_prove_vertex(perp_qp_run *run, const double *z)
{
  const perp_qp_solver *s = run->solver;
  const perp_inequalities all = {s->n,        s->m,       s->G.start,  s->T.start, s->G.column,
                                 s->T.column, s->G.value, s->T.value,  s->L,       s->U,
                                 s->D,        may_go_on,  claim_proof, run};
  return perp_vertex_prove(&all, z);
}

/* ---- Small programs: decided without rounding ---- */

enum { MOST_ROWS = 100, MOST_BITS = 6000 };

/* Decides L <= t <= U as rows y = t - U <= 0 and y = t - L >= 0, a row for each bound of G; bounds
 * of x are the program's own. If there is no such t = G x, z is a ray: the certificate u of these
 * rows has u^T y < 0 for every x, and u^T y >= 0 within the bounds, so that z = -u, summed over the
 * two rows of each bound. */
static bool decide_feasible(perp_qp_run *run, perp_arena *arena, bool *feasible, double *z)
{
  const perp_qp_solver *s = run->solver;
  const int n = s->n, stride = n + 1;
  int rows = 0, bounds = 0;
  int *of_row;
  double *a, *bound, *u;
  bool *upper;
  if (!PERP_TAKE_ZERO(arena, PERP_ARRAY(a, 2 * s->m * stride), PERP_ARRAY(bound, 2 * n),
                      PERP_ARRAY(upper, 2 * s->m), PERP_ARRAY(of_row, 2 * s->m),
                      PERP_ARRAY(u, 2 * s->m)))
    return false;
  for (int i = 0; i < s->m; i++)
    for (int side = 0; side < 2; side++) {
      const double b = side ? s->U[n + i] : s->L[n + i];
      if (isinf(b))
        continue;
      for (int64_t e = s->G.start[i]; e < s->G.start[i + 1]; e++)
        a[rows * stride + s->G.column[e]] = s->G.value[e];
      a[rows * stride + n] = -b;
      of_row[rows] = i;
      upper[rows++] = side;
    }
  for (int i = 0; i < n; i++) {
    bound[bounds++] = isinf(s->L[i]) ? 0 : s->L[i];
    bound[bounds++] = isinf(s->U[i]) ? 0 : s->U[i];
  }
  perp_lp *lp;
  if (rows == 0 ||
      perp_lp_create(arena, rows, n, a, stride, bounds, bound, MOST_BITS, &lp) != PERP_OK)
    return false;
  for (int i = 0; i < n; i++)
    perp_lp_set_bounds(lp, i, s->L[i], s->U[i]);
  for (int r = 0; r < rows; r++)
    perp_lp_set_bounds(lp, n + r, upper[r] ? -INFINITY : 0, upper[r] ? 0 : INFINITY);
  int64_t pivots = 0;
  perp_lp_watch(lp, may_go_on, run);
  *feasible = perp_lp_feasible(lp, &pivots);
  if (perp_lp_was_stopped(lp))
    return false;
  if (!*feasible)
    perp_lp_certificate(lp, u);
  for (int r = 0; r < rows && !*feasible; r++)
    z[of_row[r]] -= u[r];
  return true;
}

/* Decides if there is a d with P d = 0, q^T d + 1 <= 0, and G d and d in the recession cones. */
static bool decide_ray(perp_qp_run *run, perp_arena *arena, bool *ray, double *d)
{
  const perp_qp_solver *s = run->solver;
  const int n = s->n, m = s->m, stride = n + 1, rows = n + m + 1;
  double *a;
  if (!PERP_TAKE_ZERO(arena, PERP_ARRAY(a, rows * stride)))
    return false;
  for (int i = 0; i < n; i++)
    for (int64_t e = s->P.start[i]; e < s->P.start[i + 1]; e++)
      a[i * stride + s->P.column[e]] = s->P.value[e];
  for (int i = 0; i < m; i++)
    for (int64_t e = s->G.start[i]; e < s->G.start[i + 1]; e++)
      a[(n + i) * stride + s->G.column[e]] = s->G.value[e];
  perp_copy(n, s->q, a + (n + m) * stride);
  a[(n + m) * stride + n] = 1;
  const double zero[1] = {0};
  perp_lp *lp;
  if (perp_lp_create(arena, rows, n, a, stride, 1, zero, MOST_BITS, &lp) != PERP_OK)
    return false;
  for (int i = 0; i < n; i++) {
    perp_lp_set_bounds(lp, i, isinf(s->L[i]) ? -INFINITY : 0, isinf(s->U[i]) ? INFINITY : 0);
    perp_lp_set_bounds(lp, n + i, 0, 0);
  }
  for (int k = n; k < n + m; k++)
    perp_lp_set_bounds(lp, n + k, isinf(s->L[k]) ? -INFINITY : 0, isinf(s->U[k]) ? INFINITY : 0);
  perp_lp_set_bounds(lp, n + n + m, -INFINITY, 0);
  int64_t pivots = 0;
  perp_lp_watch(lp, may_go_on, run);
  *ray = perp_lp_feasible(lp, &pivots);
  for (int i = 0; i < n && *ray; i++)
    d[i] = perp_lp_value(lp, i);
  return !perp_lp_was_stopped(lp);
}

void perp_qp_decide(perp_qp_run *run)
{
  const perp_qp_solver *s = run->solver;
  if (s->applied || s->n + 2 * s->m > MOST_ROWS)
    return;
  perp_arena arena = {0};
  bool feasible = true, ray = false;
  double *z, *d;
  perp_outcome outcome = PERP_NOT_RUN;
  if (PERP_TAKE_ZERO(&arena, PERP_ARRAY(z, s->m), PERP_ARRAY(d, s->n))) {
    if (decide_feasible(run, &arena, &feasible, z) && !feasible)
      outcome = PERP_INFEASIBLE;
    else if (decide_ray(run, &arena, &ray, d) && ray)
      outcome = PERP_UNBOUNDED;
  }
  if (outcome != PERP_NOT_RUN) {
    run->claim = outcome;
    perp_qp_claim_ray(run, outcome, outcome == PERP_INFEASIBLE ? z : d);
  }
  perp_arena_free(&arena);
}
