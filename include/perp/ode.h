/* perp/ode.h: a drop-in for the LCP solver inside ODE, and inside engines that copied it (DART,
 * Gazebo)
 *
 * ODE writes A x = b + w and perp writes y = A x + b: w is y, and b changes its sign. */
#ifndef PERP_ODE_H
#define PERP_ODE_H

#include <perp/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The distance between rows of A: n rounded up to a multiple of 4, and 1 if n is 1. */
static inline int perp_ode_stride(int n)
{
  return n > 1 ? (n + 3) & ~3 : n;
}

/* Finds x and w with A x = b + w and, in each row,
 *
 *   lo_i <= x_i <= hi_i,   w_i >= 0 if x_i = lo_i,   w_i <= 0 if x_i = hi_i,   else w_i = 0
 *
 * for A symmetric positive semi-definite with rows perp_ode_stride(n) apart, of which only the
 * lower triangle is read: ODE fills no more. Rows 0 .. nub-1 are unbounded whatever lo and hi say.
 * If findex_i = j >= 0, the bounds are -hi_i |x_j| and hi_i |x_j|, at the x_j that is returned, not
 * at one of an earlier stage. findex and w may be NULL; bounds of 1e300 and more are infinite. Only
 * x and w are written.
 *
 * Solved by `dantzig` to a natural residual of 1e-10 max |b_i|. For every outcome x holds the best
 * iterate. PERP_NOT_RUN means that the data are wrong (NULL, NaN, lo > hi, a findex out of range)
 * or that memory ran out; then x = 0. */
PERP_API perp_outcome perp_ode_solve(int n, const double *A, double *x, const double *b, double *w,
                                     int nub, const double *lo, const double *hi,
                                     const int *findex);

#ifdef __cplusplus
}
#endif
#endif
