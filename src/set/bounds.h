/* set/bounds.h: K prepared for the kernels of relaxations
 *
 * A kernel takes the part as a constant argument, so that the compiler makes one loop for each:
 * plain (one comparison), box, friction index. */
#ifndef PERP_SET_BOUNDS_H
#define PERP_SET_BOUNDS_H

#include "base/memory.h"
#include "set/set.h"

typedef enum perp_part {
  PERP_PART_PLAIN,  /* x_i >= 0 in every row */
  PERP_PART_BOX,    /* lo and hi arrays in every row */
  PERP_PART_FINDEX, /* some rows with friction bounds */
} perp_part;

/* Unless the part is plain, lo and hi exist for every row, and infinite bounds are INFINITY. Arrays
 * are K's own if they qualify, else in the arena. */
typedef struct perp_bounds {
  perp_part part;
  const double *lo, *hi;
  const int *findex; /* if part is PERP_PART_FINDEX */
} perp_bounds;

perp_part perp_set_part(const perp_set *K);
perp_error perp_bounds_create(const perp_set *K, perp_arena *arena, perp_bounds *bounds);

/* P_i(t) at the newest x. */
static inline double perp_bounds_project(perp_part part, const perp_bounds *bounds, const double *x,
                                         int64_t i, double t)
{
  if (part == PERP_PART_PLAIN)
    return perp_clamp_nonnegative(t);
  double lo = bounds->lo[i], hi = bounds->hi[i];
  if (part == PERP_PART_FINDEX && bounds->findex[i] >= 0) {
    const double normal = fabs(x[bounds->findex[i]]);
    lo = perp_bound_times(lo, normal);
    hi = perp_bound_times(hi, normal);
  }
  return perp_clamp(t, lo, hi);
}

#endif
