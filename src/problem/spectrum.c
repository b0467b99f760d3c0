/* spectrum.c: all eigenvalues of the symmetric part of an operator
 *
 *   S = (A + A^T)/2,   S assembled, then tridiagonal by reflections and the QL iteration
 *
 * Cost: O(n^3). Workspace: n^2 + 3 n doubles beside the dense copy of A. */
#include "base/memory.h"
#include "base/message.h"
#include "linalg/eigen.h"
#include <perp/problem.h>

/* S, without padding. */
static void take_symmetric_part(int n, const double *a, int64_t stride, double *S)
{
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j <= i; j++)
      S[i * n + j] = S[j * n + i] = 0.5 * (a[i * stride + j] + a[j * stride + i]);
}

perp_error perp_operator_spectrum(const perp_operator *A, double *eigenvalues, perp_message *why)
{
  if (!A || !eigenvalues)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_operator_spectrum: a NULL pointer");
  const int n = perp_operator_size(A);
  perp_operator *dense = NULL;
  const double *a;
  int64_t stride;
  perp_error error = perp_operator_to_dense(A, 0, &dense, why);
  if (error)
    return error;
  perp_arena arena = {0};
  double *S, *work;
  error = perp_operator_dense_array(dense, &a, &stride);
  if (!PERP_TAKE(&arena, PERP_ARRAY(S, (size_t)n * (size_t)n), PERP_ARRAY(work, 3 * n)))
    error = perp_fail(why, PERP_ERROR_MEMORY, "perp_operator_spectrum: out of memory at n = %d", n);
  if (!error) {
    take_symmetric_part(n, a, stride, S);
    if (!perp_eigen_symmetric(n, S, n, eigenvalues, NULL, work))
      error = perp_fail(why, PERP_ERROR_PROBLEM,
                        "perp_operator_spectrum: the eigenvalues were not found, n = %d", n);
  }
  perp_arena_free(&arena);
  perp_operator_destroy(dense);
  return error;
}
