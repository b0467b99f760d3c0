/* lapack.h: dense factors by LAPACK, if the component `blas` is built in
 *
 * dense.c calls these for every size, and uses its own kernels if they return false. LAPACK's bits
 * depend on the library and on the number of its own threads (OPENBLAS_NUM_THREADS), never on the
 * threads option of a solve; if both are fixed, every run gives the same bits. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Both return false and do nothing if LAPACK is not built in, or not faster than dense.c at this
 * size. */

/* As perp_cholesky: L into the lower triangle, row major; *done is the first row whose pivot is not
 * above `least`, or n. */
bool perp_lapack_cholesky(int n, double *A, int64_t ld, double least, int *done);
/* P A = L U in place, row major; swap as in perp_lu. */
bool perp_lapack_lu(int n, double *A, int64_t ld, int *swap);
