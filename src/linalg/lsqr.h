/* lsqr.h: least squares by products with B and B^T (Paige, Saunders 1982)
 *
 * From x = 0 it converges to the least-norm x among those for which |B x - b| is least. */
#pragma once

#include "linalg/vector.h"

typedef struct perp_lsqr {
  int n; /* B is n x n */
  perp_product product, product_t;
  void *context;
  double tol;    /* ends at |B x - b| <= tol |b|, or |B^T r| <= tol |B| |r| as estimated */
  int64_t limit; /* of pairs of products */
} perp_lsqr;

/* x <- the solution; work: 3 n numbers, b is overwritten. Returns the pairs of products taken. */
int64_t perp_lsqr_solve(const perp_lsqr *k, double *b, double *x, double *work);
