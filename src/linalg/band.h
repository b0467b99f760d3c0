/* band.h: LU factors of principal submatrices of one narrow banded matrix
 *
 *   A_SS + diag(d_S) = L U,   for one index set S after another
 *
 * A_SS, its rows and columns moved together, has the band of A or a narrower one. No rows are
 * exchanged: the pivots are quotients of principal minors, which are positive for a P-matrix. */
#pragma once

#include "linalg/sparse_factor.h"

typedef struct perp_band {
  int below, above; /* diagonals of A below and above the main one */
  int *position;    /* n: of a row in S, -1 for the others */
  double *entries;  /* the rows of L and U, below + 1 + above numbers each; NULL: not created */
  double *pivot;    /* their reciprocals */
  perp_sparse A;    /* any square matrix; its arrays are the caller's */
  int count;        /* |S| */
} perp_band;

/* Returns true if A has at most `most` diagonals on each side. */
bool perp_band_is_narrow(const perp_sparse *A, int most, int *below, int *above);
/* Returns false when out of memory. */
bool perp_band_create(perp_band *f, const perp_sparse *A, int below, int above, perp_arena *arena);
/* S ascending; d: n numbers. Returns -1, or a row whose pivot is not positive. */
int perp_band_factorise(perp_band *f, int m, const int *S, const double *d);
/* x <- (A_SS + diag(d_S))^-1 x, in the order of S. */
void perp_band_solve(const perp_band *f, double *x);

static inline double perp_band_flops(const perp_band *f, int m)
{
  return m * (1.0 + 2.0 * f->below) * (1.0 + f->above);
}
