/* certificate.c: a ray as a proof that there is no solution
 *
 * The proof is exact (problem/prove.c), but the ray of a method carries rounding: A^T u = 0,
 * which must hold if A is monotone, holds for u only up to rounding. So several vectors near the
 * ray are tried: the ray itself; its null vector recomputed with less rounding; and multiples of a
 * fraction, since the rays of matrices with few digits are ratios of small integers. */
#include "method/run/certificate.h"

#include "base/elementary.h"
#include "linalg/dense.h"
#include "linalg/vector.h"
#include "problem/judge.h"
#include "set/set.h"

#include <math.h>
#include <string.h>

/* Removes the rounding of the factors from a ray. If A is symmetric and A u = 0 on the support S of
 * u, one step of inverse iteration, (A_SS + delta I) v = u_S, leaves only the null vector. Returns
 * NULL if that does not give v > 0. */
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
  if (k == 0 || k > MOST || perp_set_form(&run->problem->K) != PERP_FORM_LCP)
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

/* Returns the least d <= most such that w d is an integer up to d times `error`, by continued
 * fractions; 0: none. */
static double find_denominator(double w, double error, double most)
{
  double before = 0, d = 1, rest = fabs(w);
  for (int k = 0; k < 64 && d <= most; k++) {
    if (fabs(w * d - round(w * d)) <= error * d)
      return d;
    rest -= floor(rest);
    if (!(rest > 0))
      return 0;
    rest = 1 / rest;
    const double next = floor(rest) * d + before;
    before = d;
    d = next;
  }
  return 0;
}

/* Returns u as integers if its ratios are ratios of integers; NULL if not. */
static const double *as_integers(perp_run *run, const double *u)
{
  static const double ERROR = 1e-11, MOST = 1 << 24;
  const int n = run->problem->K.n;
  const double top = perp_norm_inf(n, u);
  double *v = perp_run_reals(run, (size_t)n), q = 1;
  if (!v || !(top > 0) || isinf(top))
    return NULL;
  for (int i = 0; i < n; i++) {
    const double w = u[i] / top * q;
    const double d = find_denominator(w, q * ERROR, MOST / q);
    if (d == 0)
      return NULL;
    q *= d;
  }
  for (int i = 0; i < n; i++)
    v[i] = round(u[i] / top * q);
  return v;
}

/* Returns u without the entries that have the wrong sign in their row. */
static const double *admissible(perp_run *run, const double *u)
{
  const perp_set *K = &run->problem->K;
  double *v = perp_run_reals(run, (size_t)K->n);
  if (!v)
    return u;
  for (int i = 0; i < K->n; i++) {
    const bool in_cone = perp_set_in_cone(K, i);
    const bool above =
        in_cone ? perp_set_cone_row(K, perp_set_cone_of(K, i)) == i : isinf(perp_set_hi(K, i));
    const bool below = !in_cone && isinf(perp_set_lo(K, i));
    v[i] = (u[i] > 0 && above) || (u[i] < 0 && below) ? u[i] : 0;
  }
  return v;
}

static bool is_proof(perp_run *run, const double *u)
{
  return u && perp_prove(run->problem, u, run->arena, NULL);
}

bool perp_certificate_holds(perp_run *run, const double **ray)
{
  if (!*ray || !run->problem->A->table->exact_rows)
    return false;
  run->count.applies++;
  if (is_proof(run, *ray))
    return true;
  const double *near[4] = {admissible(run, *ray)};
  near[1] = as_integers(run, near[0]);
  near[2] = polished(run, near[0]);
  near[3] = near[2] ? as_integers(run, near[2]) : NULL;
  for (int k = 0; k < 4; k++)
    if (is_proof(run, near[k])) {
      *ray = near[k];
      return true;
    }
  return false;
}
