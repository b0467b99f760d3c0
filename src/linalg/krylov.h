/* krylov.h: linear systems A x = b by products with A only
 *
 *   CG        A symmetric positive definite, M too            Hestenes, Stiefel 1952
 *   GMRES     any A; flexible: M may change from step to step  Saad 1993
 *
 * M^-1 is applied from the right in GMRES, so its residual is the residual of the system itself. Each
 * method recomputes the residual before it reports convergence, and starts again from x if rounding had
 * hidden a part of it. The result is never worse than the start. */
#pragma once

#include "base/clock.h"
#include "linalg/vector.h"

typedef struct perp_krylov {
  int n;
  perp_product product; /* y <- A x */
  void *context;
  perp_product precondition; /* z <- M^-1 r; NULL: M = I */
  void *precondition_context;
  perp_alarm alarm; /* if it rings, the iteration ends */
  double target;    /* converged at |b - A x| <= target, Euclidean */
  int limit;        /* largest number of products, not counting residuals */
} perp_krylov;

typedef enum perp_krylov_state {
  PERP_KRYLOV_CONVERGED,
  PERP_KRYLOV_LIMIT,
  PERP_KRYLOV_BREAKDOWN, /* no further progress: the attainable or the least residual is reached, or
                          * a product is not finite */
  PERP_KRYLOV_NEGATIVE,  /* CG: p^T A p <= 0 up to rounding; p is in work[0 .. n-1] */
  PERP_KRYLOV_EXPIRED,
} perp_krylov_state;

typedef struct perp_krylov_end {
  perp_krylov_state state;
  int products;
  double residual; /* Euclidean |b - A x|, recomputed; infinity if it is not finite */
} perp_krylov_end;

/* x holds the start and becomes the solution. work: the number of doubles given by the _work
 * function; the arrays do not overlap. x never becomes NaN if b and the start are finite. */
int64_t perp_cg_work(int n);
perp_krylov_end perp_cg(const perp_krylov *k, const double *b, double *x, double *work);

/* restart >= 1: vectors per cycle; twice that number are in memory. */
int64_t perp_gmres_work(int n, int restart);
perp_krylov_end perp_gmres(const perp_krylov *k, int restart, const double *b, double *x,
                           double *work);

/* ---- LSQR: least squares by products with B and B^T (Paige, Saunders 1982) ----
 *
 * From x = 0 it converges to the least-norm x among those for which |B x - b| is least. */

typedef struct perp_lsqr {
  int n; /* B is n x n */
  perp_product product, product_t;
  void *context;
  double tol;    /* ends at |B x - b| <= tol |b|, or |B^T r| <= tol |B| |r| as estimated */
  int64_t limit; /* number of pairs of products */
} perp_lsqr;

/* x <- the solution; work: 3 n numbers, b is overwritten. Returns the pairs of products made. */
int64_t perp_lsqr_solve(const perp_lsqr *k, double *b, double *x, double *work);
