/* convex.c: whether P is positive semi-definite
 *
 * P + delta I = L D L^T without exchanges exists with D > 0 if and only if P + delta I is positive
 * definite. With delta a little above the rounding of the factor, a pivot that is not positive says that P
 * has an eigenvalue below 0 by more than rounding: then d with L^T d = e_k has
 * d^T (P + delta) d = D_k, and d^T P d < 0 is computed in twice the precision. A matrix whose
 * diagonal dominates its rows needs no factor. */
#include "model/qp/data.h"

#include "linalg/vector.h"

#include <float.h>

static bool is_dominant(const perp_qp_rows *P)
{
  for (int i = 0; i < P->rows; i++) {
    double diagonal = 0, others = 0;
    for (int64_t e = P->start[i]; e < P->start[i + 1]; e++)
      if (P->column[e] == i)
        diagonal = P->value[e];
      else
        others += fabs(P->value[e]);
    if (!(diagonal >= others))
      return false;
  }
  return true;
}

/* d^T P d / d^T d */
static double curvature_along(const perp_qp_solver *s, const double *d, double *y)
{
  for (int i = 0; i < s->n; i++)
    y[i] = perp_dot_exact_at(s->P.start[i + 1] - s->P.start[i], s->P.value + s->P.start[i],
                             s->P.column + s->P.start[i], d, 0);
  return perp_dot_exact(s->n, d, y, 0) / perp_dot_exact(s->n, d, d, 0);
}

perp_error perp_qp_convex(perp_qp_solver *s, perp_message *why)
{
  const int n = s->n;
  s->convex = true;
  if (s->applied || is_dominant(&s->P))
    return PERP_OK;
  perp_arena arena = {0};
  double *diagonal = NULL, *y;
  signed char *sign;
  perp_qp_factor *f = perp_qp_factor_create(&s->scaled.P, &arena);
  const double delta = 10 * n * DBL_EPSILON * perp_norm_inf(s->P.start[n], s->scaled.P.value);
  const perp_alarm never = {0};
  int first = 0;
  if (!f || !PERP_TAKE_REALS(&arena, (size_t)n, &diagonal, &y) ||
      !PERP_TAKE(&arena, PERP_ARRAY(sign, n))) {
    perp_arena_free(&arena);
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a factor of P");
  }
  for (int i = 0; i < n; i++) {
    diagonal[i] = s->scaled.diagonal[i] + delta;
    sign[i] = 1;
  }
  if (perp_qp_factorise(f, diagonal, sign, 0, 1, &never, &first) > 0) {
    perp_qp_factor_direction(f, first, s->ray);
    for (int i = 0; i < n; i++)
      s->ray[i] *= s->D[i];
    const double size = perp_norm_inf(n, s->ray);
    if (size > 0 && size < INFINITY)
      perp_multiply(n, 1 / size, s->ray);
    s->curvature = curvature_along(s, s->ray, y);
    s->convex = !(s->curvature < 0);
    s->not_convex_row = first;
  }
  perp_arena_free(&arena);
  return PERP_OK;
}
