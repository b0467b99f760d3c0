/* dense.h: factors of dense matrices
 *
 * Matrices are row major with a leading dimension, A_ij = a[i * ld + j], ld >= n. Factors work in
 * the caller's memory and allocate nothing. */
#pragma once

#include "base/clock.h"
#include "base/shared.h"

#include <stdbool.h>
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

/* ---- LU with complete pivoting, P A Q = L U, of a square matrix of any rank ---- */

typedef struct perp_complete_lu {
  int n, rank;
  const double *LU; /* n x n, the caller's: unit L below, U from the diagonal on, up to the rank */
  int64_t ld;
  const int *row, *column; /* n each, the caller's: the places of the rows of P A Q in A */
} perp_complete_lu;

/* Overwrites A, and permutes row and column, which the caller fills with 0 .. n-1, as its rows and
 * columns. Stops at the rank: when no remaining entry exceeds `least`, at a number that is not
 * finite, or if the alarm rings. */
perp_complete_lu perp_complete_lu_factor(int n, double *A, int64_t ld, double least, int *row,
                                         int *column, perp_alarm alarm);
/* Solves A x = b, given b in x; work: n doubles. If rank < n, x is zero in the remaining columns; it
 * solves A x = b if there is a solution. */
void perp_complete_lu_solve(const perp_complete_lu *factor, double *x, double *work);

/* ---- LU with partial pivoting, P A = L U ---- */

typedef struct perp_lu {
  int n;
  const double *LU; /* n x n, the caller's: unit L below, U from the diagonal on */
  int64_t ld;
  const int *swap;  /* n, the caller's: in step k row k was exchanged with row swap[k] */
  int singular;     /* column of the first pivot that is 0 or not finite, -1: none */
  double pivot_min; /* smallest |U_kk| */
  double pivot_max; /* largest |U_kk| */
} perp_lu;

/* Overwrites A. swap: n ints. With a zero pivot the factorisation continues and P A = L U still
 * holds, but it must not be used to solve. */
PERP_SHARED perp_lu perp_lu_factor(int n, double *A, int64_t ld, int *swap);
int perp_lu_sign(const perp_lu *factor); /* of det A */
PERP_SHARED void perp_lu_solve(const perp_lu *factor, double *x);
PERP_SHARED void perp_lu_solve_t(const perp_lu *factor, double *x);

/* ---- A Cholesky factor that follows its matrix ----
 *
 * L is lower triangular with positive diagonal, A = L L^T, row major with leading dimension ld; the
 * part above the diagonal is neither read nor written. */

/* Removes row and column k from A; later ones move up. L is then (n-1) x (n-1). first: row i of L
 * is 0 before column first[i]; updated. NULL: no such zeros. work: 3 n doubles. 2 (n-k)^2
 * multiplications, none for the last row. */
void perp_cholesky_delete(int n, double *L, int64_t ld, int k, int *first, double *work);

/* ---- Factors by LAPACK, if the component `blas` is built in (lapack.c) ----
 *
 * dense.c calls these for every size, and uses its own kernels if they return false. LAPACK's bits
 * depend on the library and on the number of its own threads (OPENBLAS_NUM_THREADS), never on the
 * threads option of a solve; if both are fixed, every run gives the same bits. */

/* Both return false and do nothing if LAPACK is not built in, or not faster than dense.c at this
 * size. */

/* As perp_cholesky: L into the lower triangle, row major; *done is the first row whose pivot is not
 * above `least`, or n. */
bool perp_lapack_cholesky(int n, double *A, int64_t ld, double least, int *done);
/* P A = L U in place, row major; swap as in perp_lu. */
bool perp_lapack_lu(int n, double *A, int64_t ld, int *swap);
