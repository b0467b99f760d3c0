/* certificate.c: whether a ray proves that an LCP has no solution */
#include "method/run/certificate.h"

#include "base/elementary.h"
#include "linalg/dense.h"
#include "linalg/vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* z <- A^T u, m <- |A|^T u, by rows; false where there is no memory for one. */
static bool transposed_sums(perp_run *run, const double *u, double *z, double *m)
{
  const perp_operator *A = run->problem->A;
  int *column;
  double *value;
  if (!PERP_TAKE(run->arena, PERP_ARRAY(column, A->row_capacity),
                 PERP_ARRAY(value, A->row_capacity)))
    return false;
  memset(z, 0, (size_t)A->n * sizeof *z);
  memset(m, 0, (size_t)A->n * sizeof *m);
  for (int i = 0; i < A->n; i++) {
    const int count = u[i] > 0 ? A->table->row(A, i, column, value) : 0;
    for (int k = 0; k < count; k++) {
      z[column[k]] += value[k] * u[i];
      m[column[k]] += fabs(value[k]) * u[i];
    }
  }
  run->count.applies++;
  return true;
}

/* A certificate that the LCP has no solution: u >= 0, A^T u <= 0, b^T u < 0, since then for every
 * x >= 0 the number u^T (A x + b) is negative and so is some (A x + b)_i. A sum counts as zero only
 * where it is within the rounding of its own terms: of a matrix that is singular but for 1e-11, A^T u
 * is small beside b^T u, and yet there is a solution, a large one. */
static bool is_certificate(perp_run *run, const double *u, double *z)
{
  const perp_problem *p = run->problem;
  const double rounding = 8 * (p->K.n + 4) * DBL_EPSILON;
  double product = 0, size = 0;
  for (int i = 0; i < p->K.n; i++) {
    if (!(u[i] >= 0) || isinf(u[i]))
      return false;
    product += p->b[i] * u[i];
    size += fabs(p->b[i]) * u[i];
  }
  if (!(product < -rounding * size))
    return false;
  double *m = perp_run_reals(run, (size_t)p->K.n);
  if (!m || !transposed_sums(run, u, z, m))
    return false;
  for (int i = 0; i < p->K.n; i++)
    if (!(z[i] <= rounding * m[i]))
      return false;
  return true;
}

/* A ray carries the rounding of the factors it came from. Where A is symmetric and A u = 0 on the
 * support S of u, one step of inverse iteration, (A_SS + delta I) v = u_S, leaves the null vector
 * alone. NULL where that does not give v > 0. */
static const double *polished(perp_run *run, const double *u)
{
  enum { MOST = 2000 }; /* rows of a dense factor */
  const perp_operator *A = run->problem->A;
  const int n = A->n;
  int k = 0, *S = perp_run_integers(run, (size_t)n);
  double *v = perp_run_reals(run, (size_t)n);
  for (int i = 0; i < n && S; i++)
    if (u[i] > 0)
      S[k++] = i;
  if (k > MOST)
    return NULL;
  double *F = perp_run_reals(run, (size_t)k * (size_t)k), *w = perp_run_reals(run, (size_t)k);
  if (!S || !v || !F || !w || perp_operator_principal(A, k, S, F, NULL) != PERP_OK)
    return NULL;
  double largest = 0;
  for (int i = 0; i < k; i++)
    largest = perp_max(largest, F[(int64_t)i * k + i]);
  for (int i = 0; i < k; i++) {
    F[(int64_t)i * k + i] += 1e-13 * k * largest;
    w[i] = u[S[i]];
  }
  if (perp_cholesky(k, F, k, 0) != k)
    return NULL;
  perp_cholesky_solve(k, F, k, w);
  const double top = perp_norm_inf(k, w);
  memset(v, 0, (size_t)n * sizeof *v);
  for (int i = 0; i < k; i++) {
    if (!(w[i] > 0) || isinf(w[i]))
      return NULL;
    v[S[i]] = w[i] / top;
  }
  return v;
}

bool perp_certificate_holds(perp_run *run, double *z, const double **ray)
{
  const perp_problem *p = run->problem;
  if (!*ray || !p->A->table->row || perp_set_form(&p->K) != PERP_FORM_LCP)
    return false;
  if (is_certificate(run, *ray, z))
    return true;
  const double *better = polished(run, *ray);
  if (!better || !is_certificate(run, better, z))
    return false;
  *ray = better;
  return true;
}
