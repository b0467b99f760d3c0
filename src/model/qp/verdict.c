/* verdict.c: how far x and multipliers are from optimal; <perp/qp.h> has the definitions
 *
 * All products are summed in twice the precision, so that the numbers are those of x and v and not
 * of the rounding in the verdict. */
#include "model/qp/data.h"

#include "base/sized.h"
#include "linalg/vector.h"

/* y <- A x, row by row */
static void product(const perp_qp_rows *A, const double *x, double *y)
{
  for (int i = 0; i < A->rows; i++)
    y[i] = perp_dot_exact_at(A->start[i + 1] - A->start[i], A->value + A->start[i],
                             A->column + A->start[i], x, 0);
}

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

perp_error perp_qp_verdict_of(perp_qp_solver *s, const double *x, const double *v,
                              perp_qp_verdict *t, perp_message *why)
{
  const int n = s->n, all = n + s->m;
  double *Px = s->y[0], *Gv = s->y[1], *Ex = s->y[2];
  *t = (perp_qp_verdict){NAN, INFINITY, INFINITY, INFINITY, INFINITY, 1, 1};
  if (!perp_all_finite(n, x) || !perp_all_finite(all, v))
    return PERP_OK;
  if (s->applied) {
    const perp_error error = perp_operator_apply(s->applied, x, Px, s->applied_scratch, why);
    if (error)
      return error;
  } else {
    product(&s->P, x, Px);
  }
  product(&s->T, v + n, Gv);
  product(&s->G, x, Ex + n);
  perp_copy(n, x, Ex);
  /* maxima pass over what is no number, and a scale that overflows hides every error */
  if (!perp_all_finite(n, Px) || !perp_all_finite(n, Gv) || !perp_all_finite(all, Ex))
    return PERP_OK;
  t->objective = 0.5 * perp_dot_exact(n, x, Px, 0) + perp_dot_exact(n, x, s->q, 0);
  /* stationarity */
  double error = 0;
  for (int i = 0; i < n; i++) {
    perp_pair sum = perp_pair_add((perp_pair){Px[i], 0}, s->q[i]);
    sum = perp_pair_add(perp_pair_add(sum, Gv[i]), v[i]);
    const double rest = fabs(sum.hi + sum.lo);
    error = isfinite(rest) ? perp_max(error, rest) : INFINITY;
  }
  for (int k = 0; k < all; k++)
    if ((v[k] > 0 && isinf(s->U[k])) || (v[k] < 0 && isinf(s->L[k])))
      error = perp_max(error, fabs(v[k]));
  const double unit = perp_qp_unit(n, all, s->q, s->L, s->U, s->P_max, &t->dual_scale);
  t->dual_scale = perp_max(perp_max(t->dual_scale, perp_norm_inf(n, Px)),
                           perp_max(perp_norm_inf(n, Gv), perp_norm_inf(n, v)));
  t->stationarity = error / t->dual_scale;
  /* feasibility */
  double violated = 0, scale = 0, product_max = 0;
  for (int k = 0; k < all; k++) {
    const double below = s->L[k] - Ex[k], above = Ex[k] - s->U[k];
    if (isinf(s->L[k]) && isinf(s->U[k]))
      continue;
    scale = perp_max(scale, fabs(Ex[k]));
    if (below > 0 || (v[k] < 0 && !isinf(s->L[k])))
      scale = perp_max(scale, fabs(s->L[k]));
    if (above > 0 || (v[k] > 0 && !isinf(s->U[k])))
      scale = perp_max(scale, fabs(s->U[k]));
    violated = perp_max(violated, perp_max(below, above));
    const double gap = v[k] > 0 ? fabs(above) : v[k] < 0 ? fabs(below) : 0;
    if (gap < INFINITY)
      product_max = perp_max(product_max, fabs(v[k]) * gap);
  }
  t->primal_scale = perp_max(scale, unit);
  t->feasibility = violated / t->primal_scale;
  t->gap = product_max / t->primal_scale / t->dual_scale;
  t->complementarity = 0;
  for (int k = 0; k < all; k++) {
    const double gap = v[k] > 0 ? fabs(Ex[k] - s->U[k]) : v[k] < 0 ? fabs(s->L[k] - Ex[k]) : 0;
    if (gap < INFINITY)
      t->complementarity =
          perp_max(t->complementarity, perp_min(fabs(v[k]) / t->dual_scale, gap / t->primal_scale));
  }
  return PERP_OK;
}

/* w that fits x and z best: what is left of the stationarity, as far as a bound is there to take it
 * and x is nearer to it, in its scale, than the rest to 0. */
static void fit_bounds(perp_qp_solver *s, const double *x, double *v)
{
  const int n = s->n;
  double *r = s->y[3];
  if (s->applied)
    perp_operator_apply(s->applied, x, r, s->applied_scratch, NULL);
  else
    product(&s->P, x, r);
  product(&s->T, v + n, s->y[1]);
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
  perp_qp_solver *s = perp_alloc_zero(1, sizeof *s);
  perp_error error = s ? perp_qp_load(s, qp, &own.message)
                       : perp_fail(&own.message, PERP_ERROR_MEMORY, "out of memory for a verdict");
  double *v = NULL;
  if (!error && s->n > 0 && !x)
    error = perp_fail(&own.message, PERP_ERROR_ARGUMENT, "there is no x to judge: NULL");
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
    own.objective = t.objective;
    own.stationarity = t.stationarity;
    own.feasibility = t.feasibility;
    own.complementarity = t.complementarity;
    own.gap = t.gap;
    own.primal_scale = t.primal_scale;
    own.dual_scale = t.dual_scale;
    own.outcome = perp_qp_worst(&t) <= tol ? PERP_QP_SOLVED : PERP_QP_NOT_RUN;
    for (int k = 0; k < s->n + s->m; k++)
      own.active += v[k] != 0;
  }
  if (s)
    perp_arena_free(&s->arena);
  perp_free(s);
  size_t room;
  memcpy(&room, result, sizeof room);
  perp_sized_write(&own, sizeof own, result, room);
  return error;
}
