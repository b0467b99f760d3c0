/* merit.c: merit functions and the residuals of mixed problems
 *
 * Fischer-Burmeister, with the sign that makes phi > 0 in the open positive quadrant:
 *
 *   phi(a, b) = a + b - sqrt(a^2 + b^2),   phi = 0  <=>  0 <= a ⊥ b >= 0
 *
 * A box lo <= x <= hi has phi(x - lo, -phi(hi - x, -y)) (Billups 1995); with one bound infinite
 * this is phi(x - lo, y) or -phi(hi - x, -y), and y for a free row. The penalised function of Chen,
 * Chen and Kanzow (2000) is xi phi + (1 - xi) a+ b+. */
#include "base/elementary.h"
#include "set/set.h"
#include "verdict/natural.h"

#include <perp/problem.h>

/* a + b - sqrt(a^2 + b^2) without cancellation: for a + b > 0 it is 2ab / (a + b + sqrt) */
static double fischer(double a, double b)
{
  const double norm = perp_hypot(a, b);
  return a + b > 0 ? 2 * a * (b / (a + b + norm)) : a + b - norm;
}

static double penalised(double a, double b, double xi)
{
  return xi * fischer(a, b) + (1 - xi) * perp_max(a, 0) * perp_max(b, 0);
}

/* phi over a box; xi = 1 is Fischer-Burmeister itself */
static double box_function(double x, double y, double lo, double hi, double xi)
{
  if (hi < INFINITY)
    y = -penalised(hi - x, -y, xi);
  return lo > -INFINITY ? penalised(x - lo, y, xi) : y;
}

/* 1/2 sum of squares over the natural map (xi = 0 means mid instead of phi) */
static double half_squares(const perp_problem *p, const double *x, const double *y, bool natural,
                           double xi)
{
  const perp_set *K = &p->K;
  double sum = 0;
  for (perp_cone c = perp_set_cones(K); c.c < K->cones; perp_cone_next(K, &c)) {
    const double *xc = x + c.row, *yc = y + c.row;
    double z[PERP_FRICTION_ROWS];
    perp_set_cone_map(K, &c, xc, yc, z);
    for (int k = 0; k < c.rows; k++)
      sum += z[k] * z[k];
  }
  for (perp_rows row = perp_rows_outside_cones(K); row.i < K->n; perp_rows_next(&row)) {
    const int i = row.i;
    double lo, hi;
    perp_row_bounds(K, x, i, &lo, &hi);
    const int disc = perp_set_disc(K, i);
    double r[PERP_FRICTION_MU];
    if (disc > 0)
      perp_set_disc_map(disc, hi, x + i, y + i, r);
    else
      r[0] = natural ? perp_natural_map(y[i], x[i] - lo, x[i] - hi)
                     : box_function(x[i], y[i], lo, hi, xi);
    for (int k = 0; k < (disc ? disc : 1); k++)
      sum += r[k] * r[k];
  }
  return sum / 2;
}

perp_error perp_problem_merit(const perp_problem *p, perp_merit_kind kind, double xi,
                              const double *x, const double *y, double *value)
{
  if ((kind == PERP_MERIT_FISCHER || kind == PERP_MERIT_PENALISED) && perp_set_has_cones(&p->K))
    return PERP_ERROR_UNSUPPORTED;
  double sum = 0;
  switch (kind) {
  case PERP_MERIT_NATURAL:
    sum = perp_problem_residual(p, x, y);
    break;
  case PERP_MERIT_MINMAP:
    sum = half_squares(p, x, y, true, 0);
    break;
  case PERP_MERIT_FISCHER:
    sum = half_squares(p, x, y, false, 1);
    break;
  case PERP_MERIT_PENALISED:
    sum = half_squares(p, x, y, false, xi);
    break;
  case PERP_MERIT_COMPLEMENTARITY:
    for (int i = 0; i < p->K.n; i++)
      sum += x[i] * fabs(y[i]);
    break;
  case PERP_MERIT_ENERGY:
    /* 1/2 x^T A x + b^T x = 1/2 x^T (y + b) */
    for (int i = 0; i < p->K.n; i++)
      sum += 0.5 * x[i] * (y[i] + p->b[i]);
    break;
  }
  *value = sum;
  return PERP_OK;
}
