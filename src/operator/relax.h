/* operator/relax.h: helpers of the relaxation kernels of all kinds
 *
 * One relaxed row, with the row's own entry taken out of the product:
 *
 *   t = -(b_i + sum_{j != i} A_ij x_j) / A_ii          minimises over x_i
 *   x_i <- P_i( (1 - omega) x_i + omega t )            = P_i( x_i - omega (A x + b)_i / A_ii )
 *
 * With omega = 1 the first term is exactly 0. perp_bounds_project is P_i. */
#pragma once

#include "base/memory.h"
#include "operator/operator.h"
#include "set/set.h"

/* Allocates room for one row of A; returns false when out of memory. */
bool perp_row_take(const perp_operator *A, perp_arena *arena, int **column, double **value);

/* d_i = A_ii by row access; `column` and `value` have room for row_capacity entries. */
void perp_diagonal_by_rows(const perp_operator *A, int *column, double *value, double *d);

/* Returns PERP_OK if the diagonal is positive, or unknown (a shell with its own relax). */
perp_error perp_relax_check_diagonal(const char *method, const perp_operator *A, perp_arena *arena,
                                     perp_message *why);

/* Returns 1 / A_ii in the arena, for an A with its own diagonal function; NULL: no memory. For
 * A_ii = 0 the entry is so large that a step moves x_i to its bound, as in the limit A_ii -> 0,
 * unless b_i = 0. */
double *perp_inverse_diagonal(const perp_operator *A, perp_arena *arena);

/* Creates the relaxer that reads A row by row, for kinds without their own kernel. */
perp_error perp_row_relaxer_create(const perp_operator *A, const perp_set *K, unsigned orders,
                                   perp_arena *arena, perp_relaxer **relaxer);

/* ---- K prepared for the kernels of relaxations ----
 *
 * A kernel takes the part as a constant argument, so that the compiler makes one loop for each:
 * plain (one comparison), box, friction index. */

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
