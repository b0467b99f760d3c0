/* residual.c: the natural residual max_i |x_i - P_K(x - y)_i| of all rows (verdict/natural.h) */
#include "linalg/vector.h"
#include "linalg/wide.h"
#include "problem/judge.h"
#include "set/set.h"
#include "verdict/natural.h"

/* max |min(x_i, y_i)| */
KERNEL double residual_few(int n, const double *x, const double *y)
{
  double worst = 0, doubt = 0;
  for (int i = 0; i < n; i++) {
    const double r = perp_natural_ray(x[i], y[i]);
    worst = r > worst ? r : worst;
    doubt += perp_natural_nan(x[i], y[i]);
  }
  return perp_natural_settle(worst, doubt);
}

/* residual_few in lanes, so that the loop has no dependency between rows. */
static double residual_plain(int n, const double *x, const double *y)
{
  enum { LANES = 8 };
  double worst[LANES] = {0}, doubt[LANES] = {0};
  int i = 0;
  for (; i + LANES <= n; i += LANES)
    for (int k = 0; k < LANES; k++) {
      const double r = perp_natural_ray(x[i + k], y[i + k]);
      worst[k] = r > worst[k] ? r : worst[k];
      doubt[k] += perp_natural_nan(x[i + k], y[i + k]);
    }
  double most = residual_few(n - i, x + i, y + i);
  for (int k = 0; k < LANES; k++) {
    most = worst[k] > most ? worst[k] : most;
    doubt[0] += k > 0 ? doubt[k] : 0;
  }
  return perp_natural_settle(most, doubt[0]);
}

/* Returns x - bound normal with one rounding if `exact`. An infinite bound is infinite for every
 * normal. */
KERNEL double distance_from(double x, double bound, double normal, bool exact)
{
  const double distance = exact ? perp_natural_distance(x, bound, normal) : x - bound * normal;
  return perp_bound_is_infinite(bound) ? -perp_bound(bound) : distance;
}

/* Both bounds and a friction index, the form of contact problems; small ones spend their time in
 * this loop. */
KERNEL double friction(const perp_set *K, const double *x, const double *y, bool exact)
{
  const double *lo = K->lo, *hi = K->hi;
  double worst = 0, doubt = 0;
  for (int i = 0; i < K->n; i++) {
    const int j = K->findex[i];
    const double normal = j >= 0 ? fabs(x[j]) : 1;
    const double below = distance_from(x[i], lo[i], normal, exact);
    const double above = distance_from(x[i], hi[i], normal, exact);
    const double r = perp_natural_mid(y[i], below, above);
    worst = r > worst ? r : worst;
    doubt += perp_natural_nan(x[i], y[i]);
  }
  return perp_natural_settle(worst, doubt);
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

/* Returns the set whose residual decides, if that is not K itself. */
static const perp_reduction *reduction_of(const perp_set *K)
{
  const perp_reduction *r = perp_set_reduction(K);
  return r && r->given ? r : NULL;
}

static bool is_plain_friction(const perp_set *K)
{
  return !perp_set_has_cones(K) && !reduction_of(K) && K->findex && K->lo && K->hi;
}

/* Both bounds and nothing else. */
static double residual_box(const perp_set *K, const double *x, const double *y)
{
  const double *lo = K->lo, *hi = K->hi;
  double worst = 0, doubt = 0;
  for (int i = 0; i < K->n; i++) {
    const double below = lo[i] > -PERP_INFINITE ? x[i] - lo[i] : INFINITY;
    const double above = hi[i] < PERP_INFINITE ? x[i] - hi[i] : -INFINITY;
    const double r = perp_natural_mid(y[i], below, above);
    worst = r > worst ? r : worst;
    doubt += perp_natural_nan(x[i], y[i]);
  }
  return perp_natural_settle(worst, doubt);
}

KERNEL double cone_law(const perp_set *K, const perp_cone *k, const double *x, const double *y)
{
  if (!K->dim)
    return perp_natural_cone(K->mu[k->c], x, y);
  const perp_friction f = perp_set_friction(K, k->c);
  return perp_friction_residual(&f, x, y);
}

#ifdef PERP_FUSED
PERP_FUSED static double cone_fused(const perp_set *K, const perp_cone *k, const double *x,
                                    const double *y)
{
  return cone_law(K, k, x, y);
}
#endif

static double cone_residual(const perp_set *K, const perp_cone *k, const double *x, const double *y)
{
#ifdef PERP_FUSED
  if (perp_is_fused())
    return cone_fused(K, k, x, y);
#endif
  return cone_law(K, k, x, y);
}

/* Returns the residual of the contacts as given. */
static double given_residual(const perp_reduction *r, const double *x, const double *y)
{
  double worst = 0, force[PERP_FRICTION_ROWS], slip[PERP_FRICTION_ROWS];
  for (perp_cone k = perp_set_cones(r->given); k.c < r->given->cones;
       perp_cone_next(r->given, &k)) {
    for (int i = 0; i < k.rows; i++) {
      const int at = r->place[k.row + i];
      const double unit = r->d ? r->d[at] : 1;
      force[i] = x[at] * unit;
      slip[i] = y[at] / unit;
    }
    const double own = cone_residual(r->given, &k, force, slip);
    worst = own > worst ? own : worst;
  }
  return worst;
}

static double residual_mixed(const perp_set *K, const double *x, const double *y)
{
  const perp_reduction *given = reduction_of(K);
  double worst = given ? given_residual(given, x, y) : 0, doubt = 0;
  for (perp_cone k = perp_set_cones(K); k.c < K->cones && !given; perp_cone_next(K, &k)) {
    const double r = cone_residual(K, &k, x + k.row, y + k.row);
    worst = r > worst ? r : worst;
  }
  for (perp_rows row = perp_rows_outside_cones(K); row.i < K->n; perp_rows_next(&row)) {
    const int i = row.i;
    double lo, hi;
    if (given && given->inside[i])
      continue;
    perp_row_bounds(K, x, i, &lo, &hi);
    doubt += perp_natural_nan(x[i], y[i]);
    const int disc = perp_set_disc(K, i);
    if (disc < 0)
      continue;
    double r = perp_natural_mid(y[i], x[i] - lo, x[i] - hi), map[PERP_FRICTION_MU];
    if (disc > 0) {
      perp_set_disc_map(disc, hi, x + i, y + i, map);
      r = perp_norm_inf(disc, map);
    }
    worst = r > worst ? r : worst;
  }
  return perp_natural_settle(worst, doubt);
}

double perp_problem_residual(const perp_problem *p, const double *x, const double *y)
{
  enum { FEW = 32 };
  const perp_set *K = &p->K;
  if (!K->lo && !K->hi && !K->findex && K->cones == 0)
    return K->n <= FEW ? residual_few(K->n, x, y) : residual_plain(K->n, x, y);
  if (perp_set_has_cones(K) || reduction_of(K) || !K->lo || !K->hi)
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
  for (perp_rows row = perp_rows_outside_cones(K); row.i < K->n && worst < INFINITY;
       perp_rows_next(&row))
    if (K->findex[row.i] >= 0 && perp_set_disc(K, row.i) == 0 &&
        !(reduction_of(K) && reduction_of(K)->inside[row.i])) {
      const int i = row.i;
      const double normal = fabs(x[K->findex[i]]);
      const double below = K->lo ? distance_from(x[i], K->lo[i], normal, true) : x[i];
      const double above = K->hi ? distance_from(x[i], K->hi[i], normal, true) : -INFINITY;
      const double r = perp_natural_mid(y[i], below, above);
      worst = r > worst ? r : worst;
    }
  return worst;
}

double perp_problem_scale(const perp_problem *p)
{
  const perp_reduction *r = reduction_of(&p->K);
  double largest = 0;
  for (int i = 0; i < p->K.n; i++) {
    const double b = fabs(r && r->d ? p->b[i] / r->d[i] : p->b[i]);
    largest = b > largest ? b : largest;
  }
  return perp_verdict_scale(largest);
}

bool perp_residual_solved(double residual, double tol, double scale)
{
  return perp_verdict_solved(residual, perp_verdict_target(tol, scale));
}
