/* residual.c: the natural residual
 *
 *   max_i |x_i - P_K(x - y)_i|
 *
 * For a box the difference is y_i clamped to [x_i - hi_i, x_i - lo_i] (for the plain LCP:
 * min(x_i, y_i)), which is how it is computed: forming x - y first would lose a small y beside a
 * large x. Non-finite entries are caught apart, since a clamp would hide them: v - v is 0 for
 * every finite v and NaN for all others. */
#include "base/elementary.h"
#include "base/message.h"
#include "linalg/vector.h"
#include "linalg/wide.h"
#include "problem/judge.h"
#include "set/set.h"

/* max |min(x_i, y_i)| */
KERNEL double residual_few(int n, const double *x, const double *y)
{
  double worst = 0, bad = 0;
  for (int i = 0; i < n; i++) {
    const double u = x[i], v = y[i], r = fabs(u < v ? u : v);
    worst = r > worst ? r : worst;
    bad += (u - u) + (v - v);
  }
  return bad == 0 ? worst : INFINITY;
}

/* The same in lanes, so that the loop has no dependence from row to row. */
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
  double most = residual_few(n - i, x + i, y + i);
  for (int k = 0; k < LANES; k++) {
    most = worst[k] > most ? worst[k] : most;
    bad[0] += k > 0 ? bad[k] : 0;
  }
  return bad[0] == 0 ? most : INFINITY;
}

/* |x_t| - mu x_n, not lost beside a large x: near 0 it is (|x_t|^2 - mu^2 x_n^2) / (|x_t| + mu x_n)
 * with the squares, of x scaled by a power of two, summed up in twice the precision. */
static double cone_excess(double mu, const double *x)
{
  const double tangent = perp_hypot(x[1], x[2]), bound = mu * x[0];
  if (!(bound > 0.5 * tangent && bound < 2 * tangent))
    return tangent - bound;
  int exponent;
  frexp(tangent, &exponent);
  const double t = ldexp(x[1], -exponent), o = ldexp(x[2], -exponent), n = ldexp(x[0], -exponent);
  const double m = mu * n, rest = fma(mu, n, -m); /* mu n = m + rest */
  const double left[4] = {t, o, -m, -2 * rest}, right[4] = {t, o, m, m};
  return ldexp(perp_dot_exact(4, left, right, 0) / (perp_hypot(t, o) + m), exponent);
}

/* |x_t - y_t| - |x_t| - |y_t| = -2 (|x_t| |y_t| + x_t y_t) / (|x_t - y_t| + |x_t| + |y_t|), which is 0
 * if the two are opposite, as in sliding: with unit vectors a and c, 1 + a c = (a x c)^2 / (1 - a c)
 * for a c < 0. `x` and `y` are the two lengths, `z` that of the difference. */
static double cone_bend(const double *at, double x, const double *slip, double y, double z)
{
  if (!(x > 0) || !(y > 0))
    return 0;
  const double a[2] = {at[0] / x, at[1] / x}, c[2] = {slip[0] / y, slip[1] / y};
  const double cosine = a[0] * c[0] + a[1] * c[1], part = a[1] * c[0];
  const double cross = fma(a[0], c[1], -part) - fma(a[1], c[0], -part);
  const double sum = cosine < 0 ? cross * cross / (1 - cosine) : 1 + cosine;
  const double mean = 0.5 * z + 0.5 * x + 0.5 * y; /* a whole sum might overflow */
  return -x * (y / mean) * sum;
}

/* One cone in De Saxce's form: u is y with y_n raised by mu |y_t|, and z = x - u. With
 *
 *   e = |z_t| - |y_t| - mu x_n = (|x_t| - mu x_n) + (|z_t| - |x_t| - |y_t|),
 *   q = (e + mu y_n) / (1 + mu^2),   h = mu (|z_t| - |y_t|) + x_n - y_n
 *
 *   x - P(z) = x                                                  in the polar cone, h <= 0
 *            = u                                                  in the cone, |y_t| + q <= 0
 *            = ((y_n - mu e) / (1 + mu^2), y_t + (|y_t| + q) z_t / |z_t|)   else
 *
 * In sliding e = 0: both of its parts are computed as the small numbers they are, and mu |y_t|, which
 * for a large mu hides all others, is in none of them. */
static double residual_cone(double mu, const double *x, const double *y)
{
  const double z[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]}, s = perp_hypot(z[1], z[2]);
  const double force = perp_hypot(x[1], x[2]), slip = perp_hypot(y[1], y[2]);
  const double largest =
      perp_max(perp_max(s, force), perp_max(slip, perp_max(fabs(x[0]), fabs(y[0]))));
  if (!isfinite(mu * largest) || !isfinite(2 * largest))
    return INFINITY; /* an overflow, in which nothing can be told */
  const double e = cone_excess(mu, x) + cone_bend(x + 1, force, y + 1, slip, s);
  const double secant = perp_hypot(1, mu), sine = mu / secant; /* mu^2 may overflow */
  const double q = (e / secant + sine * y[0]) / secant, mean = 0.5 * s + 0.5 * slip;
  double longer = 0, worst = 0, r[3] = {x[0], x[1], x[2]}; /* |z_t| - |y_t| */
  for (int k = 1; k < 3 && mean > 0; k++)
    longer += x[k] * ((0.5 * x[k] - y[k]) / mean);
  if (mu * longer + z[0] > 0) {
    const bool inside = slip + q <= 0;
    const double part = inside || !(s > 0) ? 0 : (slip + q) / s;
    r[0] = inside ? y[0] + mu * slip : (y[0] / secant - sine * e) / secant;
    r[1] = y[1] + part * z[1];
    r[2] = y[2] + part * z[2];
  }
  for (int k = 0; k < 3; k++)
    worst = fabs(r[k]) <= worst ? worst : fabs(r[k]);
  return isfinite(worst) ? worst : INFINITY;
}

/* |mid(x - hi, y, x - lo)| */
static inline double residual_row(double x, double y, double lo, double hi)
{
  const double below = x - lo, above = x - hi;
  return fabs(y > below ? below : y < above ? above : y);
}

/* x - bound * normal, exactly: in one rounding. An infinite bound is so whatever the normal. */
KERNEL double distance_from(double x, double bound, double normal, bool exact)
{
  const double distance = exact ? fma(-bound, normal, x) : x - bound * normal;
  return perp_bound_is_infinite(bound) ? -perp_bound(bound) : distance;
}

/* Both bounds and a friction index, as contact problems have them: the loop that small ones spend
 * their time in. */
KERNEL double friction(const perp_set *K, const double *x, const double *y, bool exact)
{
  const double *lo = K->lo, *hi = K->hi;
  double worst = 0, bad = 0;
  for (int i = 0; i < K->n; i++) {
    const int j = K->findex[i];
    const double normal = j >= 0 ? fabs(x[j]) : 1;
    const double below = distance_from(x[i], lo[i], normal, exact);
    const double above = distance_from(x[i], hi[i], normal, exact);
    const double r = fabs(y[i] > below ? below : y[i] < above ? above : y[i]);
    worst = r > worst ? r : worst;
    bad += (x[i] - x[i]) + (y[i] - y[i]);
  }
  return bad == 0 ? worst : INFINITY;
}

#ifdef PERP_FUSED
PERP_FUSED static double friction_fused(const perp_set *K, const double *x, const double *y)
{
  return friction(K, x, y, true);
}
#endif

static double friction_exact(const perp_set *K, const double *x, const double *y)
{
#ifdef PERP_FUSED
  if (perp_is_fused())
    return friction_fused(K, x, y);
#endif
  return friction(K, x, y, true);
}

static bool is_plain_friction(const perp_set *K)
{
  return K->cones == 0 && K->findex && K->lo && K->hi;
}

/* Both bounds and nothing else: the same for boxes. */
static double residual_box(const perp_set *K, const double *x, const double *y)
{
  const double *lo = K->lo, *hi = K->hi;
  double worst = 0, bad = 0;
  for (int i = 0; i < K->n; i++) {
    const double below = lo[i] > -PERP_INFINITE ? x[i] - lo[i] : INFINITY;
    const double above = hi[i] < PERP_INFINITE ? x[i] - hi[i] : -INFINITY;
    const double r = fabs(y[i] > below ? below : y[i] < above ? above : y[i]);
    worst = r > worst ? r : worst;
    bad += (x[i] - x[i]) + (y[i] - y[i]);
  }
  return bad == 0 ? worst : INFINITY;
}

static double residual_mixed(const perp_set *K, const double *x, const double *y)
{
  double worst = 0, bad = 0;
  for (int c = 0; c < K->cones; c++) {
    const int first = perp_set_cone_row(K, c);
    const double r = residual_cone(K->mu[c], x + first, y + first);
    worst = r > worst ? r : worst;
    for (int i = first; i < first + 3; i++)
      bad += (x[i] - x[i]) + (y[i] - y[i]);
  }
  for (perp_rows row = perp_rows_beside(K); row.i < K->n; perp_rows_next(&row)) {
    const int i = row.i;
    double lo, hi;
    perp_row_bounds(K, x, i, &lo, &hi);
    const double r = residual_row(x[i], y[i], lo, hi);
    worst = r > worst ? r : worst;
    bad += (x[i] - x[i]) + (y[i] - y[i]);
  }
  return bad == 0 ? worst : INFINITY;
}

double perp_problem_residual(const perp_problem *p, const double *x, const double *y)
{
  enum { FEW = 32 };
  const perp_set *K = &p->K;
  if (!K->lo && !K->hi && !K->findex && K->cones == 0)
    return K->n <= FEW ? residual_few(K->n, x, y) : residual_plain(K->n, x, y);
  if (K->cones > 0 || !K->lo || !K->hi)
    return residual_mixed(K, x, y);
  return K->findex ? friction(K, x, y, false) : residual_box(K, x, y);
}

double perp_residual_exact(const perp_problem *p, const double *x, const double *y)
{
  const perp_set *K = &p->K;
  if (is_plain_friction(K))
    return friction_exact(K, x, y);
  double worst = perp_problem_residual(p, x, y);
  if (!K->findex)
    return worst;
  for (perp_rows row = perp_rows_beside(K); row.i < K->n && worst < INFINITY; perp_rows_next(&row))
    if (K->findex[row.i] >= 0) {
      const int i = row.i;
      const double normal = fabs(x[K->findex[i]]);
      const double below = K->lo ? distance_from(x[i], K->lo[i], normal, true) : x[i];
      const double above = K->hi ? distance_from(x[i], K->hi[i], normal, true) : -INFINITY;
      const double r = fabs(y[i] > below ? below : y[i] < above ? above : y[i]);
      worst = r > worst ? r : worst;
    }
  return worst;
}

double perp_problem_scale(const perp_problem *p)
{
  double scale = 0;
  for (int i = 0; i < p->K.n; i++)
    scale = fabs(p->b[i]) > scale ? fabs(p->b[i]) : scale;
  return scale > 0 ? scale : 1;
}
