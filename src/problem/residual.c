/* residual.c: the natural residual max_i |x_i - P_K(x - y)_i| of all rows (verdict/natural.h) */
#include "linalg/vector.h"
#include "linalg/wide.h"
#include "problem/judge.h"
#include "set/set.h"
#include "verdict/natural.h"

KERNEL void add_ray(double x, double y, double *worst, double *doubt)
{
  const double r = perp_natural_ray(x, y);
  *worst = r > *worst ? r : *worst;
  *doubt += perp_natural_nan(x, y);
}

/* max |min(x_i, y_i)|, in lanes, so that the loop has no dependency between rows. */
static double residual_plain(int n, const double *x, const double *y)
{
  enum { LANES = 8 };
  double worst[LANES] = {0}, doubt[LANES] = {0};
  int i = 0;
  for (; i + LANES <= n; i += LANES)
    for (int k = 0; k < LANES; k++)
      add_ray(x[i + k], y[i + k], &worst[k], &doubt[k]);
  for (; i < n; i++)
    add_ray(x[i], y[i], &worst[0], &doubt[0]);
  for (int k = 1; k < LANES; k++) {
    worst[0] = worst[k] > worst[0] ? worst[k] : worst[0];
    doubt[0] += doubt[k];
  }
  return perp_natural_settle(worst[0], doubt[0]);
}

/* Returns x - bound normal with one rounding if `exact`. */
KERNEL double distance_from(double x, double bound, double normal, bool exact)
{
  return exact ? perp_natural_distance(x, bound, normal) : x - bound * normal;
}

/* x - lo normal and x - hi normal; an infinite bound is infinite for every normal. */
KERNEL double below_of(double x, double lo, double normal, bool exact)
{
  return lo > -PERP_INFINITE ? distance_from(x, lo, normal, exact) : INFINITY;
}

KERNEL double above_of(double x, double hi, double normal, bool exact)
{
  return hi < PERP_INFINITE ? distance_from(x, hi, normal, exact) : -INFINITY;
}

/* Both bounds, and perhaps a friction index (findex NULL: none), the form of contact problems; small
 * ones spend their time in this loop. */
KERNEL double bounded(const perp_set *K, const int *findex, const double *x, const double *y,
                      bool exact)
{
  const double *lo = K->lo, *hi = K->hi;
  double worst = 0, doubt = 0;
  for (int i = 0; i < K->n; i++) {
    const int j = findex ? findex[i] : -1;
    const double normal = j >= 0 ? fabs(x[j]) : 1;
    const double below = below_of(x[i], lo[i], normal, exact);
    const double above = above_of(x[i], hi[i], normal, exact);
    const double r = perp_natural_mid(y[i], below, above);
    worst = r > worst ? r : worst;
    doubt += perp_natural_nan(x[i], y[i]);
  }
  return perp_natural_settle(worst, doubt);
}

PERP_FUSED static double bounded_fused(const perp_set *K, const double *x, const double *y)
{
  return bounded(K, K->findex, x, y, true);
}

/* Returns the set whose residual decides, if that is not K itself. */
static const perp_reduction *reduction_of(const perp_set *K)
{
  const perp_reduction *r = perp_set_reduction(K);
  return r && r->given ? r : NULL;
}

/* Returns true if every row has both bounds, and none belongs to a cone or a disc. */
static bool is_bounded(const perp_set *K)
{
  return !perp_set_has_cones(K) && !reduction_of(K) && K->lo && K->hi;
}

KERNEL double cone_law(const perp_set *K, const perp_cone *k, const double *x, const double *y)
{
  if (!K->dim)
    return perp_natural_cone(K->mu[k->c], x, y);
  const perp_friction f = perp_set_friction(K, k->c);
  return perp_friction_residual(&f, x, y);
}

PERP_FUSED static double cone_fused(const perp_set *K, const perp_cone *k, const double *x,
                                    const double *y)
{
  return cone_law(K, k, x, y);
}

static double cone_residual(const perp_set *K, const perp_cone *k, const double *x, const double *y)
{
  return perp_is_fused() ? cone_fused(K, k, x, y) : cone_law(K, k, x, y);
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

static double residual_mixed(const perp_set *K, const double *x, const double *y, bool exact)
{
  const perp_reduction *given = reduction_of(K);
  double worst = given ? given_residual(given, x, y) : 0, doubt = 0;
  for (perp_cone k = perp_set_cones(K); k.c < K->cones && !given; perp_cone_next(K, &k)) {
    const double r = cone_residual(K, &k, x + k.row, y + k.row);
    worst = r > worst ? r : worst;
  }
  for (perp_rows row = perp_rows_outside_cones(K); row.i < K->n; perp_rows_next(&row)) {
    const int i = row.i;
    if (given && given->inside[i])
      continue;
    doubt += perp_natural_nan(x[i], y[i]);
    const int disc = perp_set_disc(K, i);
    if (disc < 0)
      continue;
    const double normal = perp_set_is_friction(K, i) ? fabs(x[K->findex[i]]) : 1;
    const double lo = perp_set_lo(K, i), hi = perp_set_hi(K, i);
    double map[PERP_FRICTION_MU], r = perp_natural_mid(y[i], below_of(x[i], lo, normal, exact),
                                                       above_of(x[i], hi, normal, exact));
    if (disc > 0) {
      perp_set_disc_map(disc, perp_bound_times(hi, normal), x + i, y + i, map);
      r = perp_norm_inf(disc, map);
    }
    worst = r > worst ? r : worst;
  }
  return perp_natural_settle(worst, doubt);
}

double perp_problem_residual(const perp_problem *p, const double *x, const double *y)
{
  const perp_set *K = &p->K;
  if (!K->lo && !K->hi && !K->findex && K->cones == 0)
    return residual_plain(K->n, x, y);
  if (!is_bounded(K))
    return residual_mixed(K, x, y, false);
  return K->findex ? bounded(K, K->findex, x, y, false) : bounded(K, NULL, x, y, false);
}

double perp_residual_exact(const perp_problem *p, const double *x, const double *y)
{
  const perp_set *K = &p->K;
  if (!K->findex)
    return perp_problem_residual(p, x, y);
  if (!is_bounded(K))
    return residual_mixed(K, x, y, true);
  return perp_is_fused() ? bounded_fused(K, x, y) : bounded(K, K->findex, x, y, true);
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
