/* submatrix.h: factors of principal submatrices, A_FF + diag(d_F)
 *
 *   perp_square    dense: L L^T if A is symmetric and the factor exists, L U with complete pivoting
 *                  if it does not, with partial pivoting if A is not symmetric; rows and columns are
 *                  brought to order one first
 *   perp_rows_lu   L U of a matrix by rows, symmetric or not: sparse if UMFPACK is built in and there
 *                  are more than `dense_most` rows, else dense */
#pragma once

#include "linalg/dense.h"
#include "linalg/sparse_factor.h"
#include "method/system/gather.h"

#include <float.h>
#include <math.h>

/* Returns a power of two near 1 / a, exact to multiply with; 1 if a has no usable reciprocal. */
static inline double perp_inverse_power(double a)
{
  return a > DBL_MIN && a < INFINITY ? ldexp(1, -ilogb(a)) : 1;
}

typedef struct perp_square {
  int n, m;
  bool symmetric;
  enum { PERP_SQUARE_NONE, PERP_SQUARE_CHOLESKY, PERP_SQUARE_COMPLETE, PERP_SQUARE_LU } kind;
  double *matrix;         /* m x m in use; the caller's */
  double *work;           /* n, the caller's */
  int *pivots;            /* n */
  int *position;          /* n: place in F, -1 outside, for matrices read by rows; then columns */
  double *rows, *columns; /* n each: scale factors of the rows and columns */
  perp_lu lu;
  perp_complete_lu complete;
} perp_square;

/* Allocates all but `matrix` and `work`. */
perp_error perp_square_open(perp_square *s, perp_run *run);
/* Factors A if it is a dense operator, else its entries. Returns false if the matrix is singular:
 * then only complete pivoting solves the regular part. definite: L L^T only if A is symmetric. */
bool perp_square_factor(perp_square *s, const perp_operator *A, const perp_gathered *entries, int m,
                        const int *F, const double *d, bool definite);
/* c <- the solution, in the order of F; of the transposed system if that is wanted. */
void perp_square_solve(perp_square *s, bool transposed, double *c);

typedef struct perp_rows_lu {
  perp_run *run;
  perp_sparse M; /* the caller's; its numbers may change from set to set */
  int m;
  const int *F; /* the caller's */
  const perp_sparse_lu_table *umfpack;
  perp_sparse_lu *sparse; /* to be freed; NULL: dense */
  perp_lu dense;
  double *matrix; /* m x m in use */
  int *swap;
  bool too_long; /* the last set had no time for a factor */
} perp_rows_lu;

/* refined: UMFPACK refines its solutions; else the caller does. Close it whatever is returned; a
 * zero struct may be closed too. */
perp_error perp_rows_lu_open(perp_rows_lu *s, perp_run *run, const perp_sparse *M, int dense_most,
                             bool refined);
void perp_rows_lu_close(perp_rows_lu *s);
/* Prepares it for another run with the same M. */
void perp_rows_lu_reopen(perp_rows_lu *s, perp_run *run);
/* F ascending, d: n numbers (NULL: zero). Returns false if there is no factor. */
bool perp_rows_lu_set(perp_rows_lu *s, int m, const int *F, const double *d);
/* x <- (M_FF + diag(d_F))^-1 x, in the order of F. Returns false on failure. */
bool perp_rows_lu_solve(perp_rows_lu *s, double *x);
