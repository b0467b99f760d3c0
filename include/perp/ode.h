/* perp/ode.h: drop-in replacement for ODE's LCP solver
 *
 * It also replaces the copies of that solver in DART and Gazebo.
 *
 * ODE writes A x = b + w and perp writes y = A x + b: w is y, and b changes its sign. */
#ifndef PERP_ODE_H
#define PERP_ODE_H

#include <perp/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the distance between rows of A: n rounded up to a multiple of 4, but 1 if n is 1. */
static inline int perp_ode_stride(int n)
{
  return n > 1 ? (n + 3) & ~3 : n;
}

/* A solver with its memory: create it once and use it in every frame. It allocates only when n is
 * larger than ever before. Use it from one thread at a time. */
typedef struct perp_ode perp_ode;

/* method: any method that takes friction indices; NULL: `dantzig`. */
PERP_API perp_error perp_ode_create(const char *method, perp_ode **ode, perp_message *why);
PERP_API void perp_ode_destroy(perp_ode *ode); /* may be NULL */
/* Returns the inner solver, to set its parameters; owned by ode. NULL for NULL. */
PERP_API perp_solver *perp_ode_solver(perp_ode *ode);

/* Finds x and w with A x = b + w and, in each row,
 *
 *   lo_i <= x_i <= hi_i,   w_i >= 0 if x_i = lo_i,   w_i <= 0 if x_i = hi_i,   else w_i = 0
 *
 * for A symmetric positive semi-definite with rows perp_ode_stride(n) apart. Only the lower triangle is
 * read, as ODE fills only that. Rows 0 .. nub-1 are unbounded for any lo and hi. If findex_i = j >= 0,
 * the bounds are -hi_i |x_j| and hi_i |x_j| at the x_j that is returned, not at an earlier iterate.
 * findex and w may be NULL; bounds of 1e300 and more are infinite. Only x and w are written; the start
 * is 0.
 *
 * options NULL: solves to a natural residual of 1e-10 max |b_i|, without limits. x holds the best
 * iterate for every outcome. If an error is returned (NULL, NaN, lo > hi, a findex out of range, out of
 * memory), x = 0 and w = 0, and result->message says why. */
PERP_API perp_error perp_ode_solve(perp_ode *ode, int n, const double *A, double *x,
                                   const double *b, double *w, int nub, const double *lo,
                                   const double *hi, const int *findex, const perp_options *options,
                                   perp_result *result);

#ifdef __cplusplus
}
#endif
#endif
