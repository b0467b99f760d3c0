/* update.h: a Cholesky factor that follows its matrix, in O(n^2) per change
 *
 * L is lower triangular with positive diagonal, A = L L^T, row major with leading dimension ld;
 * what stands above the diagonal is neither read nor written. */
#pragma once

#include <stdint.h>

/* A grows by a last row and column: a_0 .. a_(n-1) and the diagonal entry a_n. Returns the new
 * pivot, a_n - |L^-1 a|^2. If that is above `least` (>= 0), row n of L is the new row of the
 * factor; otherwise the factor stays n x n, and row n holds L^-1 a. ld > n. n^2 flops. */
double perp_cholesky_append(int n, double *L, int64_t ld, const double *a, double least);

/* A loses row and column k; those behind it move up. L is then (n-1) x (n-1).
 * first: row i of L is 0 before column first[i]; updated. NULL: no such zeros. work: 3 n doubles. 2
 * (n-k)^2 multiplications, and none for the last row. */
void perp_cholesky_delete(int n, double *L, int64_t ld, int k, int *first, double *work);
