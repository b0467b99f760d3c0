/* incomplete.c: row i of the factor, from the rows above it,
 *
 *   L_ij = (A_ij - sum_(k<j) L_ik L_jk) / L_jj,   L_ii^2 = A_ii (1 + shift) - sum_k L_ik^2
 *
 * for the j with A_ij != 0. Cost: the sum over entries (i,j) of the length of row j. */
#include "linalg/incomplete.h"

#include <math.h>

/* False if the pivot of row i is not positive by a margin. */
static bool factor_row(perp_incomplete *f, int i, double shift)
{
  double *w = f->work; /* row i of L, spread out */
  const int64_t last = f->start[i + 1] - 1;
  double square = 0;
  for (int64_t e = f->start[i]; e < last; e++) {
    const int j = f->column[e];
    if (!f->in[j])
      continue;
    double sum = f->value[e];
    const int64_t end = f->start[j + 1] - 1;
    for (int64_t g = f->start[j]; g < end; g++)
      if (f->in[f->column[g]])
        sum -= f->L[g] * w[f->column[g]];
    w[j] = f->L[e] = sum * f->L[end];
    square += w[j] * w[j];
  }
  for (int64_t e = f->start[i]; e < last; e++)
    w[f->column[e]] = 0;
  const double diagonal = f->value[last] + (f->d ? f->d[i] : 0);
  const double pivot = diagonal * (1 + shift) - square;
  f->L[last] = 1 / sqrt(pivot);
  return pivot > 1e-8 * diagonal && diagonal > 0;
}

bool perp_incomplete_factor(perp_incomplete *f)
{
  enum { TRIES = 7 }; /* shifts 0, 0.001, 0.004, ..., 1.024 */
  double shift = 0;
  for (int k = 0; k<TRIES; k++, shift = shift> 0 ? 4 * shift : 1e-3) {
    bool positive = true;
    for (int i = 0; positive && i < f->n; i++) {
      if (perp_alarm_rings_at(&f->alarm, i))
        return false;
      positive = !f->in[i] || factor_row(f, i, shift);
    }
    f->shift = shift;
    if (positive)
      return true;
  }
  return false;
}

void perp_incomplete_solve(const perp_incomplete *f, const double *r, double *z)
{
  for (int i = 0; i < f->n; i++) {
    if (!f->in[i]) {
      z[i] = 0;
      continue;
    }
    const int64_t last = f->start[i + 1] - 1;
    double sum = r[i];
    for (int64_t e = f->start[i]; e < last; e++)
      if (f->in[f->column[e]])
        sum -= f->L[e] * z[f->column[e]];
    z[i] = sum * f->L[last];
  }
  for (int i = f->n - 1; i >= 0; i--) {
    if (!f->in[i])
      continue;
    const int64_t last = f->start[i + 1] - 1;
    z[i] *= f->L[last];
    for (int64_t e = f->start[i]; e < last; e++)
      if (f->in[f->column[e]])
        z[f->column[e]] -= f->L[e] * z[i];
  }
}
