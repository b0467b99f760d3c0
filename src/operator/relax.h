/* operator/relax.h: what the relaxation kernels of all kinds share
 *
 * One relaxed row, with the row's own entry taken out of the product:
 *
 *   t = -(b_i + sum_{j != i} A_ij x_j) / A_ii          minimises over x_i alone
 *   x_i <- P_i( (1 - omega) x_i + omega t )            = P_i( x_i - omega (A x + b)_i / A_ii )
 *
 * With omega = 1 the first term is exactly 0. A kernel takes the part as a constant argument, so
 * that the compiler makes one loop for each: plain (one comparison), box, friction index. The
 * comparisons are written so that NaN passes through and the driver can see it. */
#ifndef PERP_OPERATOR_RELAX_H
#define PERP_OPERATOR_RELAX_H

#include "operator/operator.h"

#include <math.h>

/* K ready for kernels: where the part is not plain, lo and hi are there for every row. Arrays
 * are those of K where it has them, else in the arena. */
typedef struct perp_bounds {
  perp_part part;
  const double *lo, *hi;
  const int *findex; /* where part is PERP_PART_FINDEX */
} perp_bounds;

perp_error perp_bounds_create(const perp_set *K, perp_arena *arena, perp_bounds *bounds);

static inline double perp_clamp(double t, double lo, double hi)
{
  return t < lo ? lo : t > hi ? hi : t;
}

static inline double perp_clamp_nonnegative(double t)
{
  return t < 0 ? 0 : t;
}

/* lo |x_j| <= t <= hi |x_j|; an infinite bound stays infinite also where x_j = 0. */
static inline double perp_clamp_friction(double t, double lo, double hi, double x_j)
{
  const double normal = fabs(x_j);
  return perp_clamp(t, lo <= -1e300 ? -INFINITY : lo * normal,
                    hi >= 1e300 ? INFINITY : hi * normal);
}

/* P_i(t) at the newest x. */
static inline double perp_bounds_project(perp_part part, const perp_bounds *bounds, const double *x,
                                         int64_t i, double t)
{
  if (part == PERP_PART_PLAIN)
    return perp_clamp_nonnegative(t);
  if (part == PERP_PART_FINDEX && bounds->findex[i] >= 0)
    return perp_clamp_friction(t, bounds->lo[i], bounds->hi[i], x[bounds->findex[i]]);
  return perp_clamp(t, bounds->lo[i], bounds->hi[i]);
}

/* d_i = A_ii by row access; `column` and `value` have room for row_capacity entries. */
void perp_diagonal_by_rows(const perp_operator *A, int *column, double *value, double *d);

/* 1 / A_ii in the arena, where A has its own diagonal function; NULL: no memory. */
double *perp_inverse_diagonal(const perp_operator *A, perp_arena *arena);

#endif
