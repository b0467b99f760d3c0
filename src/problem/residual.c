/* residual.c: the natural residual
 *
 *   max_i |x_i - P_K(x - y)_i|
 *
 * For a box the difference is y_i clamped to [x_i - hi_i, x_i - lo_i] (for the plain LCP:
 * min(x_i, y_i)), which is how it is computed: forming x - y first would lose a small y beside a
 * large x. Non-finite entries are caught apart, since a clamp would hide them: v - v is 0 for
 * every finite v and NaN for all others. */
#include "base/message.h"
#include "problem/set.h"

/* max |min(x_i, y_i)|, in lanes, so that the loop has no dependence from row to row. */
static double residual_plain(int n, const double *x, const double *y)
{
  enum { LANES = 8 };
  double worst[LANES] = {0}, bad[LANES] = {0};
  int i = 0;
  for (; i + LANES <= n; i += LANES)
    for (int k = 0; k < LANES; k++) {
      const double u = x[i + k], v = y[i + k];
      const double r = fabs(u < v ? u : v);
      worst[k] = r > worst[k] ? r : worst[k];
      bad[k] += (u - u) + (v - v);
    }
  for (; i < n; i++) {
    const double r = fabs(x[i] < y[i] ? x[i] : y[i]);
    worst[0] = r > worst[0] ? r : worst[0];
    bad[0] += (x[i] - x[i]) + (y[i] - y[i]);
  }
  for (int k = 1; k < LANES; k++) {
    worst[0] = worst[k] > worst[0] ? worst[k] : worst[0];
    bad[0] += bad[k];
  }
  return bad[0] == 0 ? worst[0] : INFINITY;
}

/* One cone in De Saxce's form: y_n is raised by mu |(y_t, y_o)|. */
static double residual_cone(double mu, const double *x, const double *y)
{
  const double u[3] = {y[0] + mu * hypot(y[1], y[2]), y[1], y[2]};
  if (!isfinite(u[0]))
    return INFINITY; /* an overflow, which the projection would take for a point far below the cone */
  double z[3] = {x[0] - u[0], x[1] - u[1], x[2] - u[2]};
  perp_cone_project(mu, z);
  double worst = 0;
  for (int k = 0; k < 3; k++)
    worst = fabs(x[k] - z[k]) <= worst ? worst : fabs(x[k] - z[k]);
  return isfinite(worst) ? worst : INFINITY;
}

/* |mid(x - hi, y, x - lo)| */
static inline double residual_row(double x, double y, double lo, double hi)
{
  const double below = x - lo, above = x - hi;
  return fabs(y > below ? below : y < above ? above : y);
}

/* Both bounds and a friction index, as contact problems have them: the loop that small ones spend
 * their time in. A bound of 1e300 and more is infinite, whatever the normal. */
static double residual_friction(const perp_set *K, const double *x, const double *y)
{
  double worst = 0, bad = 0;
  for (int i = 0; i < K->n; i++) {
    const int j = K->findex[i];
    const double scale = j >= 0 ? fabs(x[j]) : 1;
    const double lo = K->lo[i] > -1e300 ? K->lo[i] * scale : -INFINITY;
    const double hi = K->hi[i] < 1e300 ? K->hi[i] * scale : INFINITY;
    const double r = residual_row(x[i], y[i], lo, hi);
    worst = r > worst ? r : worst;
    bad += (x[i] - x[i]) + (y[i] - y[i]);
  }
  return bad == 0 ? worst : INFINITY;
}

double perp_residual(const perp_problem *p, const double *x, const double *y)
{
  const perp_set *K = &p->K;
  if (!K->lo && !K->hi && !K->findex && K->cones == 0)
    return residual_plain(K->n, x, y);

  if (K->cones == 0 && K->findex && K->lo && K->hi)
    return residual_friction(K, x, y);
  double worst = 0, bad = 0;
  for (int i = 0; i < 3 * K->cones; i++)
    bad += (x[i] - x[i]) + (y[i] - y[i]);
  for (int c = 0; c < K->cones; c++) {
    const double r = residual_cone(K->mu[c], x + 3 * c, y + 3 * c);
    worst = r > worst ? r : worst;
  }
  for (int i = 3 * K->cones; i < K->n; i++) {
    double lo, hi;
    perp_row_bounds(K, x, i, &lo, &hi);
    const double r = residual_row(x[i], y[i], lo, hi);
    worst = r > worst ? r : worst;
    bad += (x[i] - x[i]) + (y[i] - y[i]);
  }
  return bad == 0 ? worst : INFINITY;
}

double perp_scale(const perp_problem *p)
{
  double scale = 0;
  for (int i = 0; i < p->K.n; i++)
    scale = fabs(p->b[i]) > scale ? fabs(p->b[i]) : scale;
  return scale > 0 ? scale : 1;
}
