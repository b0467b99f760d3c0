/* lapack.c: dense factors by LAPACK
 *
 * LAPACK's matrices stand by columns. A symmetric matrix by rows is the same one by columns with
 * its triangles exchanged, so Cholesky works in place: L by rows is U = L^T by columns. LU would
 * exchange columns instead of rows: the matrix is transposed, factored and transposed back, n^2
 * beside 2 n^3/3. */
#include "linalg/lapack.h"

#include <assert.h>
#include <limits.h>
#include <math.h>

#ifdef PERP_HAVE_BLAS

#include "linalg/alone.h"
#include <lapacke.h>

/* Measured against dense.c with OpenBLAS 0.3.21 on one thread: Cholesky takes 0.55 of its time at
 * n = 32 and 0.45 from 100 on, LU as long at 128, 0.6 at 400 and 0.4 at 1600. */
enum { LEAST_CHOLESKY = 32, LEAST_LU = 128 };

bool perp_lapack_does_cholesky(int n)
{
  return n >= LEAST_CHOLESKY;
}

bool perp_lapack_does_lu(int n)
{
  return n >= LEAST_LU;
}

int perp_lapack_cholesky(int n, double *A, int64_t ld, double least)
{
  assert(n <= ld && ld <= INT_MAX);
  const int threads = perp_alone_begin();
  const lapack_int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'U', n, A, (lapack_int)ld);
  perp_alone_end(threads);
  const int done = info > 0 ? (int)info - 1 : n;
  for (int k = 0; k < done; k++) {
    const double root = A[k * ld + k];
    if (!(root * root > least && root > 0 && root * root < INFINITY))
      return k;
  }
  return done;
}

static void transpose(int n, double *A, int64_t ld)
{
  enum { TILE = 16 };
  for (int i0 = 0; i0 < n; i0 += TILE)
    for (int j0 = 0; j0 <= i0; j0 += TILE)
      for (int i = i0; i < n && i < i0 + TILE; i++)
        for (int j = j0; j < i && j < j0 + TILE; j++) {
          const double t = A[i * ld + j];
          A[i * ld + j] = A[j * ld + i];
          A[j * ld + i] = t;
        }
}

void perp_lapack_lu(int n, double *A, int64_t ld, int *swap)
{
  assert(n <= ld && ld <= INT_MAX && sizeof(lapack_int) == sizeof(int));
  transpose(n, A, ld);
  const int threads = perp_alone_begin();
  LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, A, (lapack_int)ld, swap);
  perp_alone_end(threads);
  transpose(n, A, ld);
  for (int k = 0; k < n; k++)
    swap[k]--; /* LAPACK counts from 1 */
}

#else

bool perp_lapack_does_cholesky(int n)
{
  (void)n;
  return false;
}

bool perp_lapack_does_lu(int n)
{
  (void)n;
  return false;
}

int perp_lapack_cholesky(int n, double *A, int64_t ld, double least)
{
  (void)n, (void)A, (void)ld, (void)least;
  assert(false);
  return 0;
}

void perp_lapack_lu(int n, double *A, int64_t ld, int *swap)
{
  (void)n, (void)A, (void)ld, (void)swap;
  assert(false);
}

#endif
