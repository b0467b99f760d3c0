/* verdict.c: how far x and multipliers are from optimal, and how far the objective can be
 *
 * With E = (I; G), t = E x, v = (w, z), B_k the bound that v_k pushes against (U_k if v_k > 0, L_k
 * if v_k < 0), p_k >= 0 the violation of row k and r = P x + q + E^T v. A multiplier that pushes
 * against an infinite bound counts as 0, so that it shows in r.
 *
 * From above. f is convex and P x + q = r - E^T v, so that for every feasible y
 *
 *   f(x) - f(y) <= (P x + q)^T (x - y) = r^T (x - y) + sum_k v_k ((E y)_k - t_k)
 *               <= r^T (x - y) + sum_k v_k (B_k - t_k)
 *
 * The last sum is the duality gap x^T P x + q^T x + sup { v^T s : L <= s <= U }, less r^T x. For
 * y = x*, r_j (x_j - x*_j) is at most |r_j| times the distance of x_j from the bound in the
 * direction -r_j, and at most |r_j| |x_j - x*_j|.
 *
 * From below. For multipliers v* of x*, f(x) - f* >= -v*^T (t - E x*) >= -sum_k |v*_k| p_k.
 *
 * x* and v* are unknown. The verdict assumes that x and v have their order of magnitude:
 *
 *   |x_j - x*_j| <= R_j = max(|x_j|, min(1, max |x|), |r_j| / P_jj),
 *   |v_k - v*_k| <= V_k = max(|v_k|, min(1, max |v|))     if r_j and p_k are not 0,
 *
 * the last term of R_j because x_j could move that far by itself; a unit of the data replaces max
 * |x| or max |v| if that is 0. Then |f(x) - f*| <= Delta with
 *
 *   Delta = max( sum_k |v_k| (B_k - t_k)^+ + sum_j |r_j| min(distance_j, R_j),
 *                sum_k p_k (|v_k| + V_k) )
 *
 * which is measured against the objective only: no large variable or multiplier divides this sum
 * over all rows. |f*| >= |f| - Delta, so that gap <= tol says |f - f*| <= tol (1 + |f*|) for
 *
 *   gap = Delta / (min(1, X Y) + (|f| - Delta)^+)
 *
 * This assumption is not needed for steps of one variable: if P has no entry in column j, f falls by
 * exactly |q_j| times the step of x_j to the first bound or row that stops it. The same quotient, with
 * this fall in place of Delta and at most 1, is a lower limit of the gap.
 *
 * The residuals are relative to their own rows: a row of size 1e12 does not relax another row. "1"
 * is the absolute part of a tolerance; X and Y, the sizes of x and of the gradient, replace it if
 * all numbers of the program are small in its units.
 *
 * All products are summed in twice the precision, and differences are taken before a sum is
 * rounded, so that the numbers show the errors of x and v and not the rounding of the verdict. A P
 * that is only applied is as exact as the caller's product. */
#include "model/qp/qp.h"

#include "base/sized.h"

#include <stdio.h>

double perp_qp_unit(int n, int all, const double *q, const double *L, const double *U, double P_max,
                    double *dual)
{
  double least = INFINITY;
  for (int k = 0; k < all; k++) {
    if (L[k] != 0)
      least = perp_min(least, fabs(L[k]));
    if (U[k] != 0)
      least = perp_min(least, fabs(U[k]));
  }
  const double size = perp_norm_inf(n, q);
  if (size > 0 && P_max > 0)
    least = perp_min(least, size / P_max);
  if (!(least < INFINITY && least > 0))
    least = 1;
  *dual = size > 0 ? size : P_max > 0 ? P_max * least : 1;
  return least;
}

/* The row by row results; the arrays are the solver's. */
typedef struct {
  const perp_qp_solver *s;
  const double *x;
  double *v;         /* without multipliers that push against infinite bounds */
  double *scale;     /* n: the largest of |P x|, |q|, |G^T z| and |w|: the scale of a row of r */
  double *r;         /* n: P x + q + E^T v */
  double *h, low;    /* n: P x / 2 + q, rounded; x^T of its rounding error */
  double *down, *up; /* m: G x - l, u - G x */
  double *violated;  /* n + m: p, negative below L */
  double *distance;  /* n + m: |B - t| if v is not 0 */
  double x_max, v_max, primal_scale, dual_scale;
  double above, below; /* the two sums of Delta */
  bool finite;
} inspection;

static perp_pair row_product(const perp_qp_rows *A, int i, const double *x)
{
  return perp_dot_pair_at(A->start[i + 1] - A->start[i], A->value + A->start[i],
                          A->column + A->start[i], x, 0);
}

/* a - b, for a sum that is not rounded yet */
static double difference(perp_pair a, double b)
{
  const perp_pair sum = perp_pair_add(a, -b);
  return sum.hi + sum.lo;
}

static double diagonal_of(const perp_qp_rows *P, int i)
{
  const int64_t at = perp_row_find(P->start, P->column, i, i);
  return at < 0 ? 0 : P->value[at];
}

/* Inspects row j of the stationarity and its share of the error of f. The product P x is in
 * c->scale if P is only applied. */
static void inspect_gradient(inspection *c, int j)
{
  const perp_qp_solver *s = c->s;
  const double x = c->x[j], q = s->q[j];
  const perp_pair Px = s->applied ? (perp_pair){c->scale[j], 0} : row_product(&s->P, j, c->x);
  const perp_pair Gz = row_product(&s->T, j, c->v + s->n);
  const perp_pair sum = perp_pair_add(perp_pair_add(perp_pair_add(Px, q), Gz.hi), c->v[j]);
  const perp_pair h = perp_pair_add((perp_pair){0.5 * Px.hi, 0.5 * Px.lo}, q);
  const double r = sum.hi + (sum.lo + Gz.lo), size = fabs(r);
  c->r[j] = r;
  c->h[j] = h.hi;
  c->low += x * h.lo;
  c->scale[j] = perp_max(perp_max(fabs(Px.hi), fabs(q)), perp_max(fabs(Gz.hi), fabs(c->v[j])));
  c->finite = c->finite && isfinite(r) && isfinite(Px.hi) && isfinite(Gz.hi);
  c->dual_scale = perp_max(c->dual_scale, c->scale[j]);
  double reach = perp_max(fabs(x), perp_min(1, c->x_max));
  const double diagonal = s->applied ? 0 : diagonal_of(&s->P, j);
  if (diagonal > 0)
    reach = perp_max(reach, size / diagonal);
  if (size > 0)
    c->above += size * perp_min(reach, perp_max(0, r > 0 ? x - s->L[j] : s->U[j] - x));
}

/* Compares row k of (x, G x) with its bounds. */
static void inspect_bounds(inspection *c, int k)
{
  const perp_qp_solver *s = c->s;
  const double L = s->L[k], U = s->U[k], v = c->v[k], size = fabs(v);
  const perp_pair t = k < s->n ? (perp_pair){c->x[k], 0} : row_product(&s->G, k - s->n, c->x);
  c->violated[k] = c->distance[k] = 0;
  c->finite = c->finite && isfinite(t.hi);
  const double below = isinf(L) ? -INFINITY : -difference(t, L);
  const double above = isinf(U) ? -INFINITY : difference(t, U);
  if (k >= s->n) {
    c->down[k - s->n] = -below;
    c->up[k - s->n] = -above;
  }
  if (isinf(L) && isinf(U))
    return;
  c->primal_scale = perp_max(c->primal_scale, fabs(t.hi));
  if (below > 0 || v < 0)
    c->primal_scale = perp_max(c->primal_scale, fabs(L));
  if (above > 0 || v > 0)
    c->primal_scale = perp_max(c->primal_scale, fabs(U));
  if (v != 0) {
    const double inside = v > 0 ? -above : -below;
    c->distance[k] = fabs(inside);
    if (inside > 0)
      c->above += size * inside;
  }
  const double violated = perp_max(below, above);
  if (violated > 0) {
    c->violated[k] = below > 0 ? -violated : violated;
    c->below += violated * (size + perp_max(size, perp_min(1, c->v_max)));
  }
}

/* Returns by how much f falls if only x_j moves, 0 if P has entries in its column. */
static double fall_along(const inspection *c, int j)
{
  const perp_qp_solver *s = c->s;
  const double q = s->q[j];
  if (q == 0 || s->applied || s->P.start[j + 1] > s->P.start[j])
    return 0;
  double step = perp_max(0, q > 0 ? c->x[j] - s->L[j] : s->U[j] - c->x[j]);
  for (int64_t e = s->T.start[j]; e < s->T.start[j + 1]; e++) {
    const double a = q > 0 ? -s->T.value[e] : s->T.value[e];
    const double room = (a > 0 ? c->up : c->down)[s->T.column[e]];
    if (a != 0)
      step = perp_min(step, perp_max(0, room) / fabs(a));
  }
  return fabs(q) * step;
}

/* An error of the objective, relative to it. */
static double share(const perp_qp_verdict *t, double error)
{
  return error /
         (perp_min(1, t->primal_scale * t->dual_scale) + perp_max(0, fabs(t->objective) - error));
}

/* Computes the numbers of <perp/qp.h> from the results. */
static void conclude(const inspection *c, perp_qp_verdict *t)
{
  const perp_qp_solver *s = c->s;
  const int n = s->n, all = n + s->m;
  const double X = c->primal_scale, Y = c->dual_scale;
  t->primal_scale = X;
  t->dual_scale = Y;
  t->objective = perp_dot_exact(n, c->x, c->h, 0) + c->low;
  t->primal = t->dual = t->complementarity = 0;
  for (int j = 0; j < n; j++)
    t->dual = perp_max(t->dual, fabs(c->r[j]) / perp_max(c->scale[j], perp_min(1, Y)));
  for (int k = 0; k < all; k++) {
    const double bound = c->violated[k] < 0 ? s->L[k] : c->violated[k] > 0 ? s->U[k] : 0;
    t->primal = perp_max(t->primal, fabs(c->violated[k]) / perp_max(fabs(bound), perp_min(1, X)));
    t->complementarity =
        perp_max(t->complementarity, perp_min(fabs(c->v[k]) / Y, c->distance[k] / X));
  }
  double fall = 0;
  for (int j = 0; j < n; j++)
    fall = perp_max(fall, fall_along(c, j));
  t->gap = perp_max(share(t, perp_max(c->above, c->below)), perp_min(1, share(t, fall)));
}

perp_error perp_qp_verdict_of(perp_qp_solver *s, const double *x, const double *v,
                              perp_qp_verdict *t, perp_message *why)
{
  const int n = s->n, all = n + s->m;
  *t = perp_qp_verdict_none();
  if (!perp_all_finite(n, x) || !perp_all_finite(all, v))
    return PERP_OK;
  inspection c = {.s = s,
                  .x = x,
                  .scale = s->y[0],
                  .v = s->y[1],
                  .distance = s->y[2],
                  .r = s->y[3],
                  .h = s->y[4],
                  .violated = s->y[5],
                  .down = s->y[3] + n,
                  .up = s->y[4] + n,
                  .finite = true};
  if (s->applied) {
    const perp_error error = perp_operator_apply(s->applied, x, c.scale, s->applied_scratch, why);
    if (error)
      return error;
  }
  for (int k = 0; k < all; k++)
    c.v[k] = (v[k] > 0 && isinf(s->U[k])) || (v[k] < 0 && isinf(s->L[k])) ? 0 : v[k];
  c.primal_scale = perp_qp_unit(n, all, s->q, s->L, s->U, s->P_max, &c.dual_scale);
  c.x_max = perp_norm_inf(n, x);
  c.v_max = perp_norm_inf(all, c.v);
  c.x_max = c.x_max > 0 ? c.x_max : c.primal_scale;
  c.v_max = c.v_max > 0 ? c.v_max : c.dual_scale;
  for (int j = 0; j < n; j++)
    inspect_gradient(&c, j);
  for (int k = 0; k < all; k++)
    inspect_bounds(&c, k);
  if (c.finite) /* maxima ignore NaN, and a scale that overflows hides errors */
    conclude(&c, t);
  return PERP_OK;
}

void perp_qp_verdict_report(const perp_qp_verdict *t, perp_qp_result *result)
{
  result->objective = t->objective;
  result->primal = t->primal;
  result->dual = t->dual;
  result->gap = t->gap;
  result->complementarity = t->complementarity;
  result->primal_scale = t->primal_scale;
  result->dual_scale = t->dual_scale;
}

void perp_qp_verdict_explain(const perp_qp_verdict *t, double tol, perp_message *why)
{
  const struct {
    const char *name;
    double value;
  } parts[] = {{"primal", t->primal},
               {"dual", t->dual},
               {"gap", t->gap},
               {"complementarity", t->complementarity}};
  char list[160] = "";
  for (size_t k = 0, used = 0; k < 4; k++)
    if (!perp_verdict_solved(parts[k].value, tol))
      used += (size_t)snprintf(list + used, sizeof list - used, "%s %s %.6g", used ? "," : "",
                               parts[k].name, parts[k].value);
  if (perp_qp_worst(t) < INFINITY)
    perp_fail(why, PERP_OK, "above tol = %g:%s", tol, list);
  else
    perp_fail(why, PERP_OK, "no x and multipliers with finite residuals");
}

/* Computes the w that fits x and z best: the residual of stationarity if there is a bound to absorb
 * it and x is nearer to that bound, in its scale, than the residual to 0. */
static void fit_bounds(perp_qp_solver *s, const double *x, double *v)
{
  const int n = s->n;
  double *r = s->y[3];
  if (s->applied)
    perp_operator_apply(s->applied, x, r, s->applied_scratch, NULL);
  else
    for (int i = 0; i < n; i++) {
      const perp_pair Px = row_product(&s->P, i, x);
      r[i] = Px.hi + Px.lo;
    }
  for (int i = 0; i < n; i++) {
    const perp_pair Gz = row_product(&s->T, i, v + n);
    s->y[1][i] = Gz.hi + Gz.lo;
  }
  const double size = perp_max(perp_norm_inf(n, s->q), perp_norm_inf(n, r));
  const double length = perp_norm_inf(n, x);
  for (int i = 0; i < n; i++) {
    const double rest = -(r[i] + s->q[i] + s->y[1][i]);
    const double gap = rest > 0 ? fabs(s->U[i] - x[i]) : fabs(x[i] - s->L[i]);
    v[i] = gap * (size > 0 ? size : 1) <= fabs(rest) * (length > 0 ? length : 1) ? rest : 0;
  }
}

perp_error perp_qp_judge(const perp_qp *qp, const double *x, const double *z, const double *w,
                         double tol, perp_qp_result *result)
{
  if (!result)
    return PERP_ERROR_ARGUMENT;
  perp_qp_result own;
  perp_qp_result_init(&own, sizeof own);
  perp_qp_verdict t;
  perp_qp_solver *s;
  perp_error error = perp_qp_read(qp, &s, &own.message);
  double *v = NULL;
  if (!error && s->n > 0 && !x)
    error = perp_fail(&own.message, PERP_ERROR_ARGUMENT, "x is NULL");
  if (!error && !(v = perp_arena_alloc_zero(&s->arena, (size_t)(s->n + s->m), sizeof *v)))
    error = perp_fail(&own.message, PERP_ERROR_MEMORY, "out of memory for a verdict");
  if (!error) {
    if (z)
      perp_copy(s->m, z, v + s->n);
    if (w)
      perp_copy(s->n, w, v);
    else
      fit_bounds(s, x, v);
    error = perp_qp_verdict_of(s, x, v, &t, &own.message);
  }
  if (!error) {
    perp_qp_verdict_report(&t, &own);
    own.outcome = perp_verdict_outcome(perp_qp_worst(&t), tol, PERP_NOT_RUN);
    if (own.outcome != PERP_SOLVED)
      perp_qp_verdict_explain(&t, tol, &own.message);
    for (int k = 0; k < s->n + s->m; k++)
      own.active += v[k] != 0;
  }
  perp_qp_solver_destroy(s);
  perp_sized_write(&own, sizeof own, result, result->size);
  return error;
}
