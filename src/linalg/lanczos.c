/* lanczos.c: extreme eigenvalues of a large symmetric operator
 *
 *   beta_{j+1} q_{j+1} = B q_j - alpha_j q_j - beta_j q_{j-1},    alpha_j = q_j^T B q_j
 *
 * T = tridiag(beta, alpha, beta) = Q^T B Q has as eigenvalues the Ritz values; each lies at most
 * beta_{m+1} |last component of its eigenvector| from an eigenvalue of B (Lanczos 1950; Paige
 * 1971). With full reorthogonalisation, twice by classical Gram-Schmidt, Q stays orthogonal to
 * rounding, at the cost of 4 n m^2 flops and m + 2 vectors. Without it three vectors are enough: Q
 * loses orthogonality, which repeats converged Ritz values but moves none out of the spectrum by
 * more than rounding (Paige 1980). */
#include "base/elementary.h"
#include "linalg/eigen.h"

#include "base/random.h"
#include "linalg/vector.h"

#include <assert.h>
#include <float.h>

enum { CHECK_EVERY = 10 };

int64_t perp_lanczos_work(int n, int steps, bool full)
{
  const int64_t vectors = full ? (int64_t)steps + 2 : 3;
  return vectors * n + 6 * ((int64_t)steps + 1);
}

/* The same vector for the same n on every machine, in general position. */
static void start_vector(int n, double *q)
{
  perp_random random = perp_random_from(20240229);
  for (int i = 0; i < n; i++)
    q[i] = perp_random_between(&random, -1, 1);
  perp_multiply(n, 1 / perp_norm2(n, q), q);
}

/* q <- q - Q Q^T q against `count` vectors, twice: once leaves what cancellation made. */
static void orthogonalise(int n, int count, const double *Q, double *q)
{
  for (int pass = 0; pass < 2; pass++)
    for (int j = 0; j < count; j++) {
      const double *Qj = Q + (int64_t)j * n;
      perp_axpy(n, -perp_dot(n, Qj, q), Qj, q);
    }
}

/* Extreme eigenvalues of T of order m and their error bounds; `next` is beta_{m+1}. */
static void ritz(perp_lanczos *result, int m, const double *alpha, const double *beta, double next,
                 double *room)
{
  double *d = room, *e = room + m, *last = room + 2 * (int64_t)m;
  perp_copy(m, alpha, d);
  perp_copy(m - 1, beta + 1, e);
  perp_fill(m, 0, last);
  last[m - 1] = 1;
  result->steps = m;
  if (!perp_eigen_tridiagonal(m, d, e, last, 1)) {
    result->finite = false;
    return;
  }
  result->eigen_min = d[0];
  result->eigen_max = d[m - 1];
  result->error_min = next * fabs(last[0]);
  result->error_max = next * fabs(last[m - 1]);
}

perp_lanczos perp_lanczos_extremes(int n, perp_product product, void *context, int steps, bool full,
                                   double tol, double *work)
{
  assert(n >= 1 && steps >= 1);
  const int64_t vectors = full ? (int64_t)steps + 2 : 3;
  double *alpha = work + vectors * n, *beta = alpha + steps + 1, *room = beta + steps + 1;
  perp_lanczos result = {.finite = true};

  start_vector(n, work);
  beta[0] = 0;
  double size = 0; /* of T so far: beta is small relative to it */
  for (int j = 0; j < steps; j++) {
    /* vector j stands in slot j, or in slot j mod 3 if only three are kept */
    const double *q = work + (full ? j : j % 3) * (int64_t)n;
    double *next = work + (full ? j + 1 : (j + 1) % 3) * (int64_t)n;
    product(context, q, next);
    if (j > 0)
      perp_axpy(n, -beta[j], work + (full ? j - 1 : (j + 2) % 3) * (int64_t)n, next);
    alpha[j] = perp_dot(n, q, next);
    perp_axpy(n, -alpha[j], q, next);
    if (full)
      orthogonalise(n, j + 1, work, next);
    else /* once more against its neighbour, which costs little and keeps T accurate */
      perp_axpy(n, -perp_dot(n, q, next), q, next);
    beta[j + 1] = perp_norm2(n, next);
    if (!isfinite(alpha[j]) || !isfinite(beta[j + 1]))
      return (perp_lanczos){.steps = j + 1, .finite = false};

    size = perp_max(size, fabs(alpha[j]) + beta[j] + beta[j + 1]);
    const bool invariant = beta[j + 1] <= 4 * DBL_EPSILON * size || j + 1 >= n;
    if (invariant || j + 1 == steps || (j + 1) % CHECK_EVERY == 0) {
      ritz(&result, j + 1, alpha, beta, beta[j + 1], room);
      const double enough = tol * perp_max(fabs(result.eigen_min), fabs(result.eigen_max));
      if (invariant || !result.finite || (result.error_min <= enough && result.error_max <= enough))
        break;
    }
    perp_multiply(n, 1 / beta[j + 1], next);
  }
  return result;
}
