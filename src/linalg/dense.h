/* dense.h: factors of dense matrices
 *
 * Matrices are row major with a leading dimension, A_ij = a[i * ld + j], ld >= n. Factors work in
 * memory that the caller hands in and take nothing from the heap. */
#pragma once

#include <stdint.h>

/* ---- Products ---- */

/* C <- C - A B with A m x k, B k x n, C m x n, which do not overlap. */
void perp_dense_subtract_product(int m, int n, int k, const double *A, int64_t lda, const double *B,
                                 int64_t ldb, double *C, int64_t ldc);
/* y <- A x and y <- A^T x, A m x n. */
void perp_dense_apply(int m, int n, const double *A, int64_t ld, const double *x, double *y);
void perp_dense_apply_t(int m, int n, const double *A, int64_t ld, const double *x, double *y);

/* ---- Triangles: lower, diagonal included or unit; in place ---- */

void perp_lower_solve(int n, const double *L, int64_t ld, double *x);        /* L x = b */
void perp_lower_solve_t(int n, const double *L, int64_t ld, double *x);      /* L^T x = b */
void perp_unit_lower_solve(int n, const double *L, int64_t ld, double *x);   /* unit diagonal */
void perp_unit_lower_solve_t(int n, const double *L, int64_t ld, double *x); /* unit diagonal */

/* ---- Cholesky, A = L L^T ---- */

/* Overwrites the lower triangle of A by L; the upper one is neither read nor written. Returns n,
 * or the first row k < n whose pivot (L_kk^2) is not above `least`: then the rows below k are
 * meaningless. */
int perp_cholesky(int n, double *A, int64_t ld, double least);
void perp_cholesky_solve(int n, const double *L, int64_t ld, double *x);

/* ---- LDL^T of any symmetric matrix, complete pivoting ---- */

/* P A P^T = L D L^T: L unit lower, D of 1 x 1 and 2 x 2 blocks. Row k of P A P^T is row order[k]
 * of A. D_kk stands on the diagonal of L, and D_(k+1,k) of a 2 x 2 block in e[k], 0 else. */
typedef struct perp_ldlt {
  int n, rank;
  const double *L; /* n x n, the caller's */
  int64_t ld;
  const double *e;        /* n, the caller's */
  const int *order;       /* n, the caller's */
  int positive, negative; /* inertia of the leading `rank` rows */
  double pivot_min;       /* least and greatest |eigenvalue| of the blocks of D, 0 if rank = 0 */
  double pivot_max;       /* */
  double left_over;       /* greatest |entry| left when the factorisation stopped */
} perp_ldlt;

/* Overwrites the lower triangle of A. Stops at the rank: when no entry left is above tol * max
 * |A_ij| (tol < 0: n * epsilon). e: n doubles, order: n ints, work: 2 n doubles. */
perp_ldlt perp_ldlt_factor(int n, double *A, int64_t ld, double tol, double *e, int *order,
                           double *work);
/* x <- the solution of A x = b given in x, work: n doubles. If rank < n, the one with zeros in the
 * rows left over; it solves A x = b if there is a solution. */
void perp_ldlt_solve(const perp_ldlt *factor, double *x, double *work);

/* ---- LU with partial pivoting, P A = L U ---- */

typedef struct perp_lu {
  int n;
  const double *LU; /* n x n, the caller's: unit L below, U from the diagonal on */
  int64_t ld;
  const int *swap;  /* n, the caller's: in step k row k was exchanged with row swap[k] */
  int singular;     /* column of the first pivot that is 0 or not finite, -1: none */
  double pivot_min; /* least and greatest |U_kk| */
  double pivot_max; /* */
} perp_lu;

/* Overwrites A. swap: n ints. With a zero pivot the factorisation goes on and P A = L U still
 * holds, but it must not be used to solve. */
perp_lu perp_lu_factor(int n, double *A, int64_t ld, int *swap);
void perp_lu_solve(const perp_lu *factor, double *x);
void perp_lu_solve_t(const perp_lu *factor, double *x);
