/* eigen.h: eigenvalues of symmetric matrices and operators, singular values */
#pragma once

#include "base/shared.h"
#include "linalg/vector.h"

/* Computes all eigenvalues w_0 <= w_1 <= ... of the symmetric n x n matrix A, row major, both
 * triangles read, overwritten. Z: NULL, or n x n without padding for the eigenvectors, that of w_k
 * in row k. work: 3 n doubles. Absolute error of order epsilon * |A|. Returns false if A has NaN or
 * infinity or the iteration does not converge. */
PERP_SHARED bool perp_eigen_symmetric(int n, double *A, int64_t ld, double *w, double *Z,
                                      double *work);

/* Computes all singular values w_0 <= w_1 <= ... of the n x n matrix A, overwritten. work: 5 n
 * doubles. */
bool perp_singular_values(int n, double *A, int64_t ld, double *w, double *work);

/* Computes the eigenvalues of the tridiagonal matrix with diagonal d (n) and off-diagonal e (n-1),
 * which is overwritten; ascending in d. The rows of Z (n rows of `columns` numbers; NULL: none)
 * undergo the same rotations: with Z the identity they become the eigenvectors, with column j of
 * the identity their j-th components. */
bool perp_eigen_tridiagonal(int n, double *d, double *e, double *Z, int columns);

typedef struct perp_lanczos {
  int steps;                   /* taken */
  double eigen_min, eigen_max; /* extreme Ritz values: inside the spectrum up to rounding */
  double error_min, error_max; /* distance bounds to an eigenvalue of B */
  bool finite;                 /* false: a product held NaN or infinity; the rest is invalid */
} perp_lanczos;

/* Returns the doubles of workspace for n unknowns and `steps` steps. With `full` every vector is
 * kept and orthogonalised against: (steps + 2) n and O(steps), else 3 n and O(steps). */
int64_t perp_lanczos_work(int n, int steps, bool full);

/* Takes at most `steps` steps from a start vector that depends only on n; ends earlier if both
 * errors are at most tol * max(|eigen_min|, |eigen_max|). n >= 1, steps >= 1. */
perp_lanczos perp_lanczos_extremes(int n, perp_product product, void *context, int steps, bool full,
                                   double tol, double *work);
