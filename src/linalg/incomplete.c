/* incomplete.c: ILU(0), row i from the rows above it
 *
 *   L_ik = A_ik / U_kk,   A_ij <- A_ij - L_ik U_kj   for the j > k with A_ij != 0, k < i ascending
 *
 * Cost: the sum over entries (i,k), k < i, of the length of row k. */
#include "linalg/incomplete.h"

#include <math.h>

/* Computes row i. Returns false if its pivot is only a small part of the diagonal, or of the row. */
static bool factor_row(perp_incomplete *f, int i, const double *d, double shift)
{
  const int64_t begin = f->start[i], end = f->start[i + 1];
  double size = d ? fabs(d[i]) : 0;
  for (int64_t e = begin; e < end; e++) {
    f->LU[e] = f->in[f->column[e]] ? f->value[e] : 0;
    size += fabs(f->LU[e]);
    f->place[f->column[e]] = e;
  }
  const double diagonal = f->LU[f->diagonal[i]] += d ? d[i] : 0;
  f->LU[f->diagonal[i]] += shift * (f->positive ? diagonal : size);
  for (int64_t e = begin; e < f->diagonal[i]; e++) {
    const int k = f->column[e];
    if (!f->in[k])
      continue;
    const double l = f->LU[e] *= f->LU[f->diagonal[k]];
    for (int64_t g = f->diagonal[k] + 1; g < f->start[k + 1]; g++)
      if (f->place[f->column[g]] >= 0)
        f->LU[f->place[f->column[g]]] -= l * f->LU[g];
  }
  for (int64_t e = begin; e < end; e++)
    f->place[f->column[e]] = -1;
  const double pivot = f->LU[f->diagonal[i]];
  f->LU[f->diagonal[i]] = 1 / pivot;
  return (f->positive ? pivot > 1e-8 * diagonal && diagonal > 0 : fabs(pivot) > 1e-6 * size) &&
         isfinite(pivot);
}

bool perp_incomplete_factor(perp_incomplete *f, const double *d)
{
  enum { TRIES = 8 }; /* shifts 0, 0.001, 0.004, ..., 4.096: at 1 every row is dominant */
  double shift = 0;
  for (int k = 0; k < TRIES; k++) {
    bool sound = true;
    for (int i = 0; sound && i < f->n; i++) {
      if (perp_alarm_rings_at(&f->alarm, i))
        return false;
      sound = !f->in[i] || factor_row(f, i, d, shift);
    }
    f->shift = shift;
    if (sound)
      return true;
    shift = shift > 0 ? 4 * shift : 1e-3;
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
    double sum = r[i];
    for (int64_t e = f->start[i]; e < f->diagonal[i]; e++)
      sum -= f->LU[e] * z[f->column[e]];
    z[i] = sum;
  }
  for (int i = f->n - 1; i >= 0; i--) {
    if (!f->in[i])
      continue;
    double sum = z[i];
    for (int64_t e = f->diagonal[i] + 1; e < f->start[i + 1]; e++)
      sum -= f->LU[e] * z[f->column[e]];
    z[i] = sum * f->LU[f->diagonal[i]];
  }
}
