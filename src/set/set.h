/* set.h: the bounds of one row, inline for the loops of residuals and methods */
#ifndef PERP_PROBLEM_SET_H
#define PERP_PROBLEM_SET_H

#include <math.h>
#include <perp/problem.h>

/* Bounds of magnitude 1e300 and more are infinite. */
static inline double perp_bound(double bound)
{
  return bound >= 1e300 ? INFINITY : bound <= -1e300 ? -INFINITY : bound;
}

static inline double perp_set_lo(const perp_set *K, int i)
{
  return K->lo ? perp_bound(K->lo[i]) : 0;
}

static inline double perp_set_hi(const perp_set *K, int i)
{
  return K->hi ? perp_bound(K->hi[i]) : INFINITY;
}

static inline bool perp_set_is_friction(const perp_set *K, int i)
{
  return K->findex && K->findex[i] >= 0;
}

/* A friction bound at a normal force; an infinite one stays infinite where that is 0. */
static inline double perp_bound_times(double bound, double normal)
{
  return fabs(bound) < 1e300 ? bound * normal : copysign(INFINITY, bound);
}

/* lo_i and hi_i, in a friction row times |x_j|. */
static inline void perp_row_bounds(const perp_set *K, const double *x, int i, double *lo,
                                   double *hi)
{
  if (perp_set_is_friction(K, i)) {
    const double normal = fabs(x[K->findex[i]]);
    *lo = K->lo ? perp_bound_times(K->lo[i], normal) : 0;
    *hi = K->hi ? perp_bound_times(K->hi[i], normal) : INFINITY;
  } else {
    *lo = perp_set_lo(K, i);
    *hi = perp_set_hi(K, i);
  }
}

#endif
