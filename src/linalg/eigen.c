/* eigen.c: all eigenvalues of a dense symmetric matrix, all singular values
 *
 * Householder reflections H = I - beta v v^T take A to tridiagonal form T = Q^T A Q in 2 n^3 flops
 * (the whole square is updated, so that every loop runs along rows), implicit QR steps with
 * Wilkinson's shift take T to its eigenvalues in O(n^2), 3 n^3 more with eigenvectors (Golub, Van
 * Loan 2013, ch. 8). Singular values: reflections from both sides take A to upper bidiagonal B,
 * and the symmetric tridiagonal matrix of order 2 n with zero diagonal and off-diagonal
 * B_11, B_12, B_22, B_23, ... has the eigenvalues +- sigma_i (Golub, Kahan 1965). */
#include "linalg/eigen.h"

#include "base/elementary.h"
#include "linalg/vector.h"

#include "base/random.h"
#include <assert.h>
#include <float.h>

/* Divides A by a power of two so that its largest entry is of order one: squares then neither
 * overflow nor underflow. *exponent is 0 for A = 0. Returns false if A is not finite. */
static bool normalise(int n, double *A, int64_t ld, int *exponent)
{
  double most = 0;
  for (int i = 0; i < n; i++)
    most = perp_max(most, perp_norm_inf(n, A + i * ld));
  *exponent = 0;
  if (!(most < INFINITY))
    return false;
  if (most == 0)
    return true;
  frexp(most, exponent);
  /* in two steps: 2^-exponent itself may be out of range */
  const int half = *exponent / 2;
  const double first = ldexp(1, -half), second = ldexp(1, half - *exponent);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      A[i * ld + j] = A[i * ld + j] * first * second;
  return true;
}

/* Turns x into v with (I - beta v v^T) x = alpha e_1. Returns alpha. */
static double reflect(int n, double *x, double *beta)
{
  const double norm = perp_norm2(n, x);
  *beta = 0;
  if (norm == 0)
    return 0;
  const double alpha = x[0] > 0 ? -norm : norm;
  /* v = x - alpha e_1, v^T v = 2 |x| (|x| + |x_1|) */
  *beta = 1 / (norm * (norm + fabs(x[0])));
  x[0] -= alpha;
  return alpha;
}

/* A <- Q^T A Q; d and e receive the tridiagonal, row k of A keeps the vector of reflection k in
 * columns k+1 .. n-1, beta[k] its factor. */
static void tridiagonalise(int n, double *A, int64_t ld, double *d, double *e, double *beta,
                           double *p)
{
  for (int k = 0; k + 1 < n; k++) {
    const int m = n - 1 - k;
    double *v = A + k * ld + k + 1, *B = A + (k + 1) * ld + k + 1;
    d[k] = A[k * ld + k];
    /* symmetric: the row is the column */
    e[k] = reflect(m, v, beta + k);
    if (beta[k] == 0)
      continue;
    /* B <- B - v w^T - w v^T, w = p - (beta p^T v / 2) v, p = beta B v */
    for (int i = 0; i < m; i++)
      p[i] = beta[k] * perp_dot(m, B + i * ld, v);
    perp_axpy(m, -0.5 * beta[k] * perp_dot(m, p, v), v, p);
    for (int i = 0; i < m; i++) {
      double *row = B + i * ld;
      const double vi = v[i], wi = p[i];
      for (int j = 0; j < m; j++)
        row[j] -= vi * p[j] + wi * v[j];
    }
  }
  d[n - 1] = A[(n - 1) * ld + n - 1];
}

/* Z <- Q^T = ... H_1 H_0: from the left each reflection mixes rows, from the right it would mix
 * columns, so Q is made from the last reflection on and transposed. t: n doubles. */
static void accumulate(int n, const double *A, int64_t ld, const double *beta, double *Z, double *t)
{
  perp_fill((int64_t)n * n, 0, Z);
  for (int i = 0; i < n; i++)
    Z[(int64_t)i * n + i] = 1;
  for (int k = n - 2; k >= 0; k--) {
    const int m = n - 1 - k;
    const double *v = A + k * ld + k + 1;
    double *B = Z + (int64_t)(k + 1) * n + k + 1;
    /* B <- B - beta v (v^T B) */
    perp_fill(m, 0, t);
    for (int i = 0; i < m; i++)
      perp_axpy(m, v[i], B + (int64_t)i * n, t);
    for (int i = 0; i < m; i++)
      perp_axpy(m, -beta[k] * v[i], t, B + (int64_t)i * n);
  }
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < i; j++)
      perp_swap(1, Z + i * n + j, Z + j * n + i);
}

static void rotate_rows(int n, double c, double s, double *restrict a, double *restrict b)
{
  for (int j = 0; j < n; j++) {
    const double t = c * a[j] + s * b[j];
    b[j] = c * b[j] - s * a[j];
    a[j] = t;
  }
}

/* Makes one implicit QR step on rows first .. last, whose off-diagonal entries are not zero: the
 * first rotation is that of T - mu I, the others chase its `bulge` off the band down. */
static void qr_step(int first, int last, double *d, double *e, double *Z, int columns)
{
  /* mu: the eigenvalue of the last 2 x 2 block nearer to its last entry */
  const double half = 0.5 * (d[last - 1] - d[last]), b2 = e[last - 1];
  const double root = perp_hypot(half, b2);
  const double mu = d[last] - b2 * (b2 / (half + (half >= 0 ? root : -root)));

  double x = d[first] - mu, bulge = e[first];
  for (int k = first; k < last; k++) {
    const double r = perp_hypot(x, bulge);
    const double c = r > 0 ? x / r : 1, s = r > 0 ? bulge / r : 0;
    if (k > first)
      e[k - 1] = r;
    /* (c s; -s c) (a b; b g) (c -s; s c), with u = 2 c b + s (g - a) */
    const double b = e[k], u = 2 * c * b + s * (d[k + 1] - d[k]);
    d[k] += s * u;
    d[k + 1] -= s * u;
    e[k] = c * u - b;
    x = e[k];
    if (k + 1 < last) {
      bulge = s * e[k + 1];
      e[k + 1] *= c;
    }
    if (Z)
      rotate_rows(columns, c, s, Z + (int64_t)k * columns, Z + (int64_t)(k + 1) * columns);
  }
}

/* Sorts by selection, so that rows of Z move at most once. */
static void sort_ascending(int n, double *d, double *Z, int columns)
{
  for (int k = 0; k < n; k++) {
    int least = k;
    for (int i = k + 1; i < n; i++)
      least = d[i] < d[least] ? i : least;
    if (least == k)
      continue;
    perp_swap(1, d + k, d + least);
    if (Z)
      perp_swap(columns, Z + (int64_t)k * columns, Z + (int64_t)least * columns);
  }
}

bool perp_eigen_tridiagonal(int n, double *d, double *e, double *Z, int columns)
{
  if (n == 0)
    return true;
  const double size = perp_max(perp_norm_inf(n, d), perp_norm_inf(n - 1, e));
  if (!(size < INFINITY))
    return false;
  /* an off-diagonal entry counts as zero if it is below the rounding of its neighbours, or far
   * below the rounding of T itself */
  const double least = 0.01 * DBL_EPSILON * size;
  int64_t left = 60 * (int64_t)n;
  int last = n - 1;
  while (last > 0) {
    int first = last;
    while (first > 0) {
      const double beside = DBL_EPSILON * (fabs(d[first - 1]) + fabs(d[first]));
      if (fabs(e[first - 1]) <= (beside > least ? beside : least))
        break;
      first--;
    }
    if (first > 0)
      e[first - 1] = 0;
    if (first == last) {
      last--;
      continue;
    }
    if (left-- == 0)
      return false;
    qr_step(first, last, d, e, Z, columns);
  }
  sort_ascending(n, d, Z, columns);
  return true;
}

bool perp_eigen_symmetric(int n, double *A, int64_t ld, double *w, double *Z, double *work)
{
  double *e = work, *beta = work + n, *p = work + 2 * (int64_t)n;
  int exponent;
  if (n == 0)
    return true;
  if (!normalise(n, A, ld, &exponent))
    return false;
  tridiagonalise(n, A, ld, w, e, beta, p);
  if (Z)
    accumulate(n, A, ld, beta, Z, p);
  if (!perp_eigen_tridiagonal(n, w, e, Z, n))
    return false;
  for (int i = 0; i < n; i++)
    w[i] = ldexp(w[i], exponent);
  return true;
}

/* A <- U^T A V upper bidiagonal; band receives B_11, B_12, B_22, ... (2 n - 1 numbers).
 * v, t: n doubles each. */
static void bidiagonalise(int n, double *A, int64_t ld, double *band, double *v, double *t)
{
  for (int k = 0; k < n; k++) {
    const int m = n - k, right = m - 1;
    double beta;
    for (int i = 0; i < m; i++)
      v[i] = A[(k + i) * ld + k];
    band[2 * k] = reflect(m, v, &beta);
    /* from the left: A <- A - beta v (v^T A) in the columns right of k */
    perp_fill(right, 0, t);
    for (int i = 0; i < m; i++)
      perp_axpy(right, v[i], A + (k + i) * ld + k + 1, t);
    for (int i = 0; i < m; i++)
      perp_axpy(right, -beta * v[i], t, A + (k + i) * ld + k + 1);
    if (right == 0)
      break;
    /* from the right: A <- A - beta (A u) u^T in the rows below k */
    double *u = A + k * ld + k + 1;
    band[2 * k + 1] = reflect(right, u, &beta);
    for (int i = k + 1; i < n; i++) {
      double *row = A + i * ld + k + 1;
      perp_axpy(right, -beta * perp_dot(right, row, u), u, row);
    }
  }
}

bool perp_singular_values(int n, double *A, int64_t ld, double *w, double *work)
{
  double *d = work, *band = work + 2 * (int64_t)n, *t = work + 4 * (int64_t)n;
  int exponent;
  if (n == 0)
    return true;
  if (!normalise(n, A, ld, &exponent))
    return false;
  bidiagonalise(n, A, ld, band, d, t);
  perp_fill(2 * (int64_t)n, 0, d);
  if (!perp_eigen_tridiagonal(2 * n, d, band, NULL, 0))
    return false;
  /* the upper half; rounding may leave it just below zero */
  for (int i = 0; i < n; i++)
    w[i] = ldexp(fabs(d[n + i]), exponent);
  return true;
}

/* ---- Lanczos: extreme eigenvalues of a large symmetric operator ----
 *
 *   beta_{j+1} q_{j+1} = B q_j - alpha_j q_j - beta_j q_{j-1},    alpha_j = q_j^T B q_j
 *
 * T = tridiag(beta, alpha, beta) = Q^T B Q has as eigenvalues the Ritz values; each lies at most
 * beta_{m+1} |last component of its eigenvector| from an eigenvalue of B (Lanczos 1950; Paige
 * 1971). With full reorthogonalisation, twice by classical Gram-Schmidt, Q stays orthogonal to
 * rounding, at the cost of 4 n m^2 flops and m + 2 vectors. Without it three vectors are enough: Q
 * loses orthogonality, which repeats converged Ritz values but moves none out of the spectrum by
 * more than rounding (Paige 1980). */

enum { CHECK_EVERY = 10 };

int64_t perp_lanczos_work(int n, int steps, bool full)
{
  const int64_t vectors = full ? (int64_t)steps + 2 : 3;
  return vectors * n + 6 * ((int64_t)steps + 1);
}

/* Makes a vector in general position that depends only on n, on every machine. */
static void start_vector(int n, double *q)
{
  perp_random random = perp_random_from(20240229);
  for (int i = 0; i < n; i++)
    q[i] = perp_random_between(&random, -1, 1);
  perp_multiply(n, 1 / perp_norm2(n, q), q);
}

/* q <- q - Q Q^T q against `count` vectors, twice: one pass leaves the errors of cancellation. */
static void orthogonalise(int n, int count, const double *Q, double *q)
{
  for (int pass = 0; pass < 2; pass++)
    for (int j = 0; j < count; j++) {
      const double *Qj = Q + (int64_t)j * n;
      perp_axpy(n, -perp_dot(n, Qj, q), Qj, q);
    }
}

/* Computes the extreme eigenvalues of T of order m and their error bounds; `next` is beta_{m+1}. */
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
    /* vector j is in slot j, or in slot j mod 3 if only three are kept */
    const double *q = work + (full ? j : j % 3) * (int64_t)n;
    double *next = work + (full ? j + 1 : (j + 1) % 3) * (int64_t)n;
    product(context, q, next);
    if (j > 0)
      perp_axpy(n, -beta[j], work + (full ? j - 1 : (j + 2) % 3) * (int64_t)n, next);
    alpha[j] = perp_dot(n, q, next);
    perp_axpy(n, -alpha[j], q, next);
    if (full)
      orthogonalise(n, j + 1, work, next);
    else /* once more against its neighbour, which is cheap and keeps T accurate */
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
