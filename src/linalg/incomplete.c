/* incomplete.c: row i of the factor, from the rows above it,
 *
 *   L_ij = (A_ij - sum_(k<j) L_ik L_jk) / L_jj,   L_ii^2 = A_ii (1 + shift) - sum_k L_ik^2
 *
 * for the j with A_ij != 0. Cost: the sum over entries (i,j) of the length of row j. */
#include "linalg/incomplete.h"

#include "linalg/vector.h"

#include <math.h>

/* Computes row i. Returns false if its pivot is not positive by a margin. */
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

/* ---- ILU(0): row i from the rows above it ----
 *
 *   L_ik = A_ik / U_kk,   A_ij <- A_ij - L_ik U_kj   for the j > k with A_ij != 0, k < i ascending
 *
 * Cost: the sum over entries (i,k), k < i, of the length of row k. */

/* Computes row i. Returns false if its pivot is only a small part of the row. */
static bool ilu_row(perp_ilu *f, int i, const double *d, double shift)
{
  const int64_t begin = f->start[i], end = f->start[i + 1];
  double size = d ? fabs(d[i]) : 0;
  for (int64_t e = begin; e < end; e++) {
    f->LU[e] = f->in[f->column[e]] ? f->value[e] : 0;
    size += fabs(f->LU[e]);
    f->place[f->column[e]] = e;
  }
  f->LU[f->diagonal[i]] += (d ? d[i] : 0) + shift * size;
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
  return fabs(pivot) > 1e-6 * size && isfinite(pivot);
}

bool perp_ilu_factor(perp_ilu *f, const double *d)
{
  enum { TRIES = 8 }; /* shifts 0, 0.001, 0.004, ..., 4.096: at 1 every row is dominant */
  double shift = 0;
  for (int k = 0; k < TRIES; k++) {
    bool sound = true;
    for (int i = 0; sound && i < f->n; i++) {
      if (perp_alarm_rings_at(&f->alarm, i))
        return false;
      sound = !f->in[i] || ilu_row(f, i, d, shift);
    }
    f->shift = shift;
    if (sound)
      return true;
    shift = shift > 0 ? 4 * shift : 1e-3;
  }
  return false;
}

void perp_ilu_solve(const perp_ilu *f, const double *r, double *z)
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
