/* active.c: active sets that exchange many rows at once
 *
 * For a set A of rows held at one of their bounds, t_A = B_A with t = (x, G x),
 *
 *   P x + q + E_A^T v_A = 0,   E_A x = B_A,   all other v = 0
 *
 * is a linear system. Its x and v solve the program if the other rows are within their bounds and
 * the v_A have the signs of their bounds; otherwise
 *
 *   rows of A whose v has the wrong sign leave, rows outside that violate a bound join
 *
 * and the next system is solved (Kunisch, Rendl 2003; Hintermueller, Ito, Kunisch 2003: a Newton
 * method for a function that is not smooth). Near a solution, such as the last one of a sequence,
 * this ends after one or a few systems; far from it, it may cycle. So if ten rounds do not lower
 * the number of wrong rows, each round exchanges only the last of them (Judice, Pires 1994), up to
 * a limit.
 *
 * Rows that are not in A, and x that are, stay in the system with an infinite diagonal: the pattern
 * of the factor never changes. The factor is kept for the next solve: another q, l or u with the
 * same set takes only triangular solves.
 *
 * Cost: one factor for each round. Workspace: none. */
#include "model/qp/qp.h"

#include <float.h>
#include <string.h>

/* r <- the residual of the equations of the set at (x, v). Returns its size relative to the
 * data. */
static double find_residual(const perp_qp_solver *s, double *r)
{
  const int n = s->n, all = n + s->m;
  const perp_qp_scaled *d = &s->scaled;
  double *g = r + n, dual = d->unit_dual, primal = d->unit;
  perp_fill(all, 0, r);
  perp_qp_add_exact(&d->P, s->x, r);
  dual = perp_max(dual, perp_norm_inf(n, r));
  perp_qp_add_exact(&d->T, s->v + n, r);
  perp_qp_add_exact(&d->G, s->x, g);
  for (int i = 0; i < n; i++)
    r[i] = s->side[i] == PERP_QP_INSIDE ? -(r[i] + d->q[i]) : 0;
  for (int k = n; k < all; k++) {
    const double bound = s->side[k] == PERP_QP_LOWER ? d->L[k] : d->U[k];
    primal = perp_max(primal, fabs(r[k]));
    if (s->side[k] != PERP_QP_INSIDE)
      primal = perp_max(primal, fabs(bound));
    r[k] = s->side[k] == PERP_QP_INSIDE ? 0 : bound - r[k];
  }
  const double a = perp_norm_inf(n, r), b = perp_norm_inf(s->m, r + n);
  return perp_max(a / dual, b / primal);
}

bool perp_qp_set_factorise(perp_qp_run *run)
{
  perp_qp_solver *s = run->solver;
  const int n = s->n, all = n + s->m;
  if (s->factored && memcmp(s->side, s->factored_side, (size_t)all) == 0)
    return true;
  for (int k = 0; k < all; k++) {
    const bool in = s->side[k] != PERP_QP_INSIDE;
    s->sigma[k] = in ? INFINITY : 0;
  }
  if (!perp_qp_system_factorise(run))
    return false;
  memcpy(s->factored_side, s->side, (size_t)all);
  s->factored = true;
  return true;
}

/* Solves the equations of the set s->side from the current iterate: x and v of the minimum on it.
 * Returns false if they have no solution up to rounding, or if it was stopped. */
static bool solve_set(perp_qp_run *run)
{
  enum { MOST = 30 };
  static const double ENOUGH = 1e-10;
  perp_qp_solver *s = run->solver;
  const perp_qp_scaled *d = &s->scaled;
  const int n = s->n, all = n + s->m;
  double *r = s->step[0], *before = s->step[1];
  if (!perp_qp_set_factorise(run))
    return false;
  for (int k = 0; k < all; k++) {
    const double bound = s->side[k] == PERP_QP_LOWER ? d->L[k] : d->U[k];
    if (s->side[k] == PERP_QP_INSIDE)
      s->v[k] = 0;
    else if (k < n)
      s->x[k] = bound;
  }
  double left = find_residual(s, r);
  for (int step = 0; step < MOST && left > 4 * DBL_EPSILON; step++) {
    perp_copy(n, s->x, before);
    perp_copy(s->m, s->v + n, before + n);
    perp_qp_factor_solve(s->factor, r);
    run->solves++;
    for (int i = 0; i < n; i++)
      s->x[i] += r[i];
    for (int k = n; k < all; k++)
      s->v[k] += r[k];
    const double next = find_residual(s, r);
    if (!(next < left)) {
      perp_copy(n, before, s->x);
      perp_copy(s->m, before + n, s->v + n);
      break;
    }
    const bool slow = next > 0.5 * left && next < ENOUGH;
    left = next;
    if (slow)
      break;
  }
  /* the multipliers of bounds of x are the residual of stationarity */
  perp_copy(n, d->q, r);
  perp_qp_add(&d->P, s->x, r);
  perp_qp_add_t(&d->G, s->v + n, r);
  for (int i = 0; i < n; i++)
    s->v[i] = s->side[i] == PERP_QP_INSIDE ? 0 : -r[i];
  return left < ENOUGH;
}

/* Returns the side where row k should be; its own side if it is right. t: (x, G x). */
static signed char better_side(const perp_qp_solver *s, int k, double t, double primal, double dual)
{
  const perp_qp_scaled *d = &s->scaled;
  const signed char side = s->side[k];
  if (d->L[k] == d->U[k])
    return PERP_QP_UPPER;
  if (side != PERP_QP_INSIDE)
    return side * s->v[k] < -dual ? PERP_QP_INSIDE : side;
  return t > d->U[k] + primal ? PERP_QP_UPPER : t < d->L[k] - primal ? PERP_QP_LOWER : side;
}

/* The wrong rows of the set after its equations were solved. */
typedef struct {
  int wrong, last; /* number of wrong rows, and the last of them */
  double primal, dual;
} errors;

static errors find_errors(perp_qp_solver *s, double *t)
{
  static const double NOISE = 1e-12;
  const int all = s->n + s->m;
  perp_qp_extend(&s->scaled.G, s->x, t);
  errors e = {.last = -1};
  e.primal = NOISE * perp_max(perp_norm_inf(all, t), s->scaled.unit);
  e.dual = NOISE * perp_max(perp_norm_inf(all, s->v), s->scaled.unit_dual);
  for (int k = 0; k < all; k++)
    if (better_side(s, k, t[k], e.primal, e.dual) != s->side[k]) {
      e.wrong++;
      e.last = k;
    }
  return e;
}

bool perp_qp_active_rounds(perp_qp_run *run, int most)
{
  enum { PATIENCE = 10 };
  perp_qp_solver *s = run->solver;
  double *t = s->step[3];
  int least = s->n + s->m + 1, patience = PATIENCE;
  for (int round = 0; round < most; round++) {
    if (perp_qp_expired(run))
      return false;
    solve_set(run);
    const errors e = find_errors(s, t);
    if (!(e.primal < INFINITY && e.dual < INFINITY)) {
      run->claim = PERP_STAGNATED;
      return false;
    }
    if (run->by_sets)
      perp_qp_tell(run, run->iterations + round + 1, perp_max(e.primal, e.dual), NAN);
    if (e.wrong == 0) {
      run->claim = PERP_STAGNATED; /* unless the verdict is "solved" */
      return perp_qp_show(run);
    }
    patience = e.wrong < least ? PATIENCE : patience - 1;
    least = e.wrong < least ? e.wrong : least;
    for (int k = patience > 0 ? 0 : e.last; k <= e.last; k++)
      s->side[k] = better_side(s, k, t[k], e.primal, e.dual);
    run->rounds++;
  }
  run->claim = PERP_ITERATION_LIMIT;
  return false;
}

void perp_qp_active(perp_qp_run *run, int most)
{
  perp_qp_solver *s = run->solver;
  const int n = s->n, all = n + s->m;
  if (!s->warm) {
    perp_fill(n, 0, s->x);
    perp_fill(all, 0, s->v);
    for (int k = 0; k < all; k++)
      s->side[k] = PERP_QP_INSIDE;
  }
  for (int k = 0; k < all; k++) { /* the bounds may have changed since the set was found */
    const double L = s->scaled.L[k], U = s->scaled.U[k];
    if (L == U)
      s->side[k] = PERP_QP_UPPER;
    else if (isinf(s->side[k] == PERP_QP_LOWER ? L : s->side[k] == PERP_QP_UPPER ? U : 0))
      s->side[k] = PERP_QP_INSIDE;
  }
  run->by_sets = true;
  perp_qp_active_rounds(run, most < run->max_iterations ? most : (int)run->max_iterations);
  run->by_sets = false;
  run->iterations += 1 + run->rounds;
}
