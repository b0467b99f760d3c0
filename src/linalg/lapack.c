/* lapack.c: dense factors by LAPACK
 *
 * LAPACK stores matrices by columns. A symmetric matrix by rows is the same matrix by columns with
 * its triangles exchanged, so Cholesky works in place: L by rows is U = L^T by columns. LU would
 * exchange columns instead of rows: the matrix is transposed, factored and transposed back, n^2
 * operations compared with 2 n^3/3. */
#include "linalg/dense.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>

#ifdef PERP_HAVE_BLAS

#include "linalg/blas_threads.h"
#include "linalg/vector.h"

/* LAPACK's names in Fortran's convention; the last argument is the length of `uplo`. */
void dpotrf_(const char *uplo, const int *n, double *A, const int *lda, int *info, size_t length);
void dgetrf_(const int *m, const int *n, double *A, const int *lda, int *swap, int *info);

/* Measured against dense.c with OpenBLAS 0.3.21 on one thread: Cholesky takes 0.55 of its time at
 * n = 32 and 0.45 from 100 on, LU as long at 128, 0.6 at 400 and 0.4 at 1600. */
enum { LEAST_CHOLESKY = 32, LEAST_LU = 128 };

bool perp_lapack_cholesky(int n, double *A, int64_t ld, double least, int *done)
{
  if (n < LEAST_CHOLESKY)
    return false;
  assert(n <= ld && ld <= INT_MAX);
  const perp_blas_limit before = perp_blas_one_thread(false);
  const int lda = (int)ld;
  int info = 0;
  dpotrf_("U", &n, A, &lda, &info, 1);
  perp_blas_restore_threads(before);
  *done = info > 0 ? info - 1 : n;
  for (int k = 0; k < *done; k++) {
    const double root = A[k * ld + k];
    if (!(root * root > least && root > 0 && root * root < INFINITY))
      *done = k;
  }
  return true;
}

static void transpose(int n, double *A, int64_t ld)
{
  enum { TILE = 16 };
  for (int i0 = 0; i0 < n; i0 += TILE)
    for (int j0 = 0; j0 <= i0; j0 += TILE)
      for (int i = i0; i < n && i < i0 + TILE; i++)
        for (int j = j0; j < i && j < j0 + TILE; j++)
          perp_swap(1, A + i * ld + j, A + j * ld + i);
}

bool perp_lapack_lu(int n, double *A, int64_t ld, int *swap)
{
  if (n < LEAST_LU)
    return false;
  assert(n <= ld && ld <= INT_MAX);
  transpose(n, A, ld);
  const perp_blas_limit before = perp_blas_one_thread(false);
  const int lda = (int)ld;
  int info = 0;
  dgetrf_(&n, &n, A, &lda, swap, &info);
  perp_blas_restore_threads(before);
  transpose(n, A, ld);
  for (int k = 0; k < n; k++)
    swap[k]--; /* LAPACK counts from 1 */
  return true;
}

#else

bool perp_lapack_cholesky(int n, double *A, int64_t ld, double least, int *done)
{
  (void)n, (void)A, (void)ld, (void)least, (void)done;
  return false;
}

bool perp_lapack_lu(int n, double *A, int64_t ld, int *swap)
{
  (void)n, (void)A, (void)ld, (void)swap;
  return false;
}

#endif
