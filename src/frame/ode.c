/* ode.c: ODE's problem as perp's
 *
 *   A x = b' + w   is   y = A x + b   with b = -b', y = w,
 *
 * and a friction row's bounds -hi |x_j|, hi |x_j| are perp's with lo = -hi. ODE leaves the upper
 * triangle of A unset, so A is copied: n^2 numbers, little beside the n^3 of a solve. */
#include "base/memory.h"
#include "set/set.h"
#include <perp/ode.h>

#include <string.h>

/* What perp reads, filled from what ODE has: n^2 + 3 n doubles and n ints. */
typedef struct translation {
  double *A, *b, *lo, *hi;
  int *findex;
} translation;

static void translate(int n, const double *A, const double *b, int nub, const double *lo,
                      const double *hi, const int *findex, const translation *t)
{
  for (int i = 0; i < n; i++) {
    const int j = findex && i >= nub ? findex[i] : -1;
    t->b[i] = -b[i];
    t->hi[i] = i < nub ? INFINITY : hi[i];
    t->lo[i] = i < nub ? -INFINITY : j >= 0 ? -hi[i] : lo[i];
    t->findex[i] = j >= 0 ? j : -1;
    for (int64_t k = 0; k <= i; k++)
      t->A[i * (int64_t)n + k] = t->A[k * n + i] = A[i * (int64_t)perp_ode_stride(n) + k];
  }
}

static perp_outcome solve(int n, double *x, double *w, const translation *t)
{
  perp_operator *matrix;
  if (perp_operator_dense(n, t->A, n, PERP_BORROW, &matrix, NULL))
    return PERP_NOT_RUN;
  const perp_problem p = perp_problem_friction(matrix, t->b, t->lo, t->hi, t->findex);
  perp_options options = perp_options_default();
  options.tol = 1e-10;
  perp_result result = perp_result_empty();
  const perp_error error = perp_solve("dantzig", &p, &options, x, &result);
  if (!error && w) {
    perp_operator_apply(matrix, x, w, NULL);
    for (int i = 0; i < n; i++)
      w[i] += t->b[i];
  }
  perp_operator_destroy(matrix);
  return error ? PERP_NOT_RUN : result.outcome;
}

perp_outcome perp_ode_solve(int n, const double *A, double *x, const double *b, double *w, int nub,
                            const double *lo, const double *hi, const int *findex)
{
  if (n < 0 || (n > 0 && (!A || !x || !b)) || nub < 0 || nub > n || (nub < n && (!lo || !hi)))
    return PERP_NOT_RUN;
  if (n == 0)
    return PERP_SOLVED;
  memset(x, 0, (size_t)n * sizeof *x);
  if (w)
    memset(w, 0, (size_t)n * sizeof *w);
  const size_t rows = (size_t)n;
  double *reals = perp_alloc(rows * (rows + 3), sizeof *reals);
  int *integers = perp_alloc(rows, sizeof *integers);
  perp_outcome outcome = PERP_NOT_RUN;
  if (reals && integers) {
    const translation t = {reals + 3 * rows, reals, reals + rows, reals + 2 * rows, integers};
    translate(n, A, b, nub, lo, hi, findex, &t);
    outcome = solve(n, x, w, &t);
  }
  perp_free(reals);
  perp_free(integers);
  return outcome;
}
