/* lapack.h: dense factors by LAPACK, if the component `blas` is built in
 *
 * dense.c asks for every size, and uses its own kernels if the answer is no. LAPACK's bits depend
 * on the library and on the number of its own threads (OPENBLAS_NUM_THREADS), never on the threads
 * option of a solve; if both are fixed, every run gives the same bits. */
#ifndef PERP_LINALG_LAPACK_H
#define PERP_LINALG_LAPACK_H

#include <stdbool.h>
#include <stdint.h>

/* Whether it is built in, and faster than dense.c at this size. */
bool perp_lapack_does_cholesky(int n);
bool perp_lapack_does_lu(int n);

/* As perp_cholesky: L into the lower triangle, row major; the first row whose pivot is not above
 * `least`, or n. */
int perp_lapack_cholesky(int n, double *A, int64_t ld, double least);
/* P A = L U in place, row major; swap as in perp_lu. */
void perp_lapack_lu(int n, double *A, int64_t ld, int *swap);

#endif
