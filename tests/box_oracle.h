/* box_oracle.h: solves boxed problems by enumeration of bases, with independent elimination */
#pragma once

#include "problems.h"

/* Solves M x = r by elimination with partial pivoting; returns false if M is singular up to
 * rounding. */
static inline bool oracle_solve(int n, const double *M, const double *r, double *x)
{
  double a[16 * 17];
  CHECK(n <= 16);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      a[i * 17 + j] = M[i * n + j];
    a[i * 17 + n] = r[i];
  }
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(a[i * 17 + k]) > fabs(a[p * 17 + k]))
        p = i;
    if (fabs(a[p * 17 + k]) < 1e-13)
      return false;
    for (int j = 0; j <= n; j++) {
      const double t = a[k * 17 + j];
      a[k * 17 + j] = a[p * 17 + j];
      a[p * 17 + j] = t;
    }
    for (int i = 0; i < n; i++)
      if (i != k) {
        const double l = a[i * 17 + k] / a[k * 17 + k];
        for (int j = k; j <= n; j++)
          a[i * 17 + j] -= l * a[k * 17 + j];
      }
  }
  for (int i = 0; i < n; i++)
    x[i] = a[i * 17 + n] / a[i * 17 + i];
  return true;
}

/* Solves a boxed problem with a P-matrix: tries every row at lo, at hi or inside. */
static inline bool oracle_box(int n, const double *A, const double *b, const double *lo,
                              const double *hi, double *x)
{
  int total = 1;
  for (int i = 0; i < n; i++)
    total *= 3;
  for (int code = 0; code < total; code++) {
    int place[8], list[8], k = 0, c = code;
    double M[64], r[8], z[8], full[8] = {0};
    bool fine = true;
    for (int i = 0; i < n; i++, c /= 3) {
      place[i] = c % 3;
      if (place[i] == 2)
        list[k++] = i;
      else
        full[i] = place[i] ? hi[i] : lo[i];
      fine = fine && isfinite(full[i]);
    }
    if (!fine)
      continue;
    for (int p = 0; p < k; p++) {
      r[p] = -b[list[p]];
      for (int j = 0; j < n; j++)
        r[p] -= A[list[p] * n + j] * full[j];
      for (int q = 0; q < k; q++)
        M[p * k + q] = A[list[p] * n + list[q]];
    }
    if (!oracle_solve(k, M, r, z))
      continue;
    for (int p = 0; p < k; p++)
      full[list[p]] = z[p];
    for (int i = 0; i < n && fine; i++) {
      double y = b[i];
      for (int j = 0; j < n; j++)
        y += A[i * n + j] * full[j];
      fine = place[i] == 0   ? y >= -1e-11
             : place[i] == 1 ? y <= 1e-11
                             : full[i] >= lo[i] - 1e-11 && full[i] <= hi[i] + 1e-11;
    }
    if (fine) {
      memcpy(x, full, (size_t)n * sizeof *x);
      return true;
    }
  }
  return false;
}
