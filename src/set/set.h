/* set/set.h: one bound and one row of K, inline for the loops of residuals, kernels and methods
 *
 * The arrays of a perp_set are the caller's, who may write an infinite bound as any number from
 * 1e300 on. What perp_bound gives is either finite or INFINITY: all other code compares with
 * INFINITY alone. The clamps are written so that NaN passes through and the driver can see it. */
#ifndef PERP_SET_SET_H
#define PERP_SET_SET_H

#include <math.h>
#include <perp/set.h>

static inline bool perp_bound_is_infinite(double bound)
{
  return fabs(bound) >= 1e300;
}

static inline double perp_bound(double bound)
{
  return perp_bound_is_infinite(bound) ? copysign(INFINITY, bound) : bound;
}

/* A friction bound, as perp_bound gives it, at a normal force; an infinite one stays infinite if
 * that is 0. */
static inline double perp_bound_times(double bound, double normal)
{
  return fabs(bound) < INFINITY ? bound * normal : bound;
}

static inline double perp_clamp(double t, double lo, double hi)
{
  return t < lo ? lo : t > hi ? hi : t;
}

static inline double perp_clamp_nonnegative(double t)
{
  return t < 0 ? 0 : t;
}

/* ---- Rows of K ---- */

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

/* lo_i and hi_i, in a friction row times |x_j|. */
static inline void perp_row_bounds(const perp_set *K, const double *x, int i, double *lo,
                                   double *hi)
{
  *lo = perp_set_lo(K, i);
  *hi = perp_set_hi(K, i);
  if (perp_set_is_friction(K, i)) {
    const double normal = fabs(x[K->findex[i]]);
    *lo = perp_bound_times(*lo, normal);
    *hi = perp_bound_times(*hi, normal);
  }
}

#endif
