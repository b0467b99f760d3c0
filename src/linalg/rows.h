/* rows.h: products with some of the rows of a dense matrix, A_ij = a[i * ld + j] */
#ifndef PERP_LINALG_ROWS_H
#define PERP_LINALG_ROWS_H

#include <stdint.h>

/* s_r <- a_r^T x for four rows. Each sum runs in four lanes, sixteen chains in all. */
static inline void perp_dot_four(int n, const double *const a[4], const double *x, double s[4])
{
  enum { LANES = 4 };
  double t[4][LANES] = {{0}};
  int j = 0;
  for (; j + LANES <= n; j += LANES)
    for (int r = 0; r < 4; r++)
      for (int l = 0; l < LANES; l++)
        t[r][l] += a[r][j + l] * x[j + l];
  for (; j < n; j++)
    for (int r = 0; r < 4; r++)
      t[r][0] += a[r][j] * x[j];
  for (int r = 0; r < 4; r++)
    s[r] = (t[r][0] + t[r][2]) + (t[r][1] + t[r][3]);
}

/* y <- y + sum_k c_k (row[k] of A), rows of n numbers. */
void perp_rows_combine(int n, int count, const int *row, const double *c, const double *A,
                       int64_t ld, double *y);
/* y_i <- (row i of A)^T x for each i among row[0 .. count-1]; other entries of y stay. */
void perp_rows_dot(int n, int count, const int *row, const double *A, int64_t ld, const double *x,
                   double *y);

#endif
