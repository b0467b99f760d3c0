/* rows.h: products with some of the rows of a dense matrix, A_ij = a[i * ld + j] */
#pragma once

#include "linalg/dot.h"
#include "linalg/wide.h"

/* s_r <- a_r^T x for four rows, each sum in four lanes: sixteen chains. */
static inline void perp_rows_dot_four(int n, const double *const a[4], const double *x, double s[4])
{
  perp_two even[4] = {{0}}, odd[4] = {{0}};
  int j = 0;
  for (; j + 4 <= n; j += 4) {
    const perp_two x0 = perp_two_at(x + j), x2 = perp_two_at(x + j + 2);
    for (int r = 0; r < 4; r++) {
      even[r] += perp_two_at(a[r] + j) * x0;
      odd[r] += perp_two_at(a[r] + j + 2) * x2;
    }
  }
  for (int r = 0; r < 4; r++) {
    const perp_two t = even[r] + odd[r];
    s[r] = t[0] + t[1];
  }
  for (; j < n; j++)
    for (int r = 0; r < 4; r++)
      s[r] += a[r][j] * x[j];
}

/* row <- row - f top from column `from`, a multiple of four, to column `to`, rounded up to a
 * multiple of four: elimination in arrays with room for that. */
KERNEL void perp_row_subtract(double *row, double f, const double *top, int from, int to)
{
  for (int q = from; q <= to; q += 4) {
    double t[4];
    for (int k = 0; k < 4; k++)
      t[k] = row[q + k] - f * top[q + k];
    for (int k = 0; k < 4; k++)
      row[q + k] = t[k];
  }
}

/* row_q <- a[index[q]] for from <= q < m, last in column m, and 0 up to the next multiple of four.
 * The stores have the width of the loads in perp_row_subtract, which would otherwise stall. */
KERNEL void perp_row_gather(double *row, const double *a, const int *index, int from, int m,
                            double last)
{
  int q = from;
  for (; q + 4 <= m; q += 4) {
    const double t[4] = {a[index[q]], a[index[q + 1]], a[index[q + 2]], a[index[q + 3]]};
    for (int k = 0; k < 4; k++)
      row[q + k] = t[k];
  }
  const int rest = m - q;
  const double t[4] = {rest > 0 ? a[index[q]] : last,
                       rest > 1    ? a[index[q + 1]]
                       : rest == 1 ? last
                                   : 0,
                       rest > 2    ? a[index[q + 2]]
                       : rest == 2 ? last
                                   : 0,
                       rest == 3 ? last : 0};
  for (int k = 0; k < 4; k++)
    row[q + k] = t[k];
}

/* The columns begin .. end - 1 contain all nonzeros of a row. */
typedef struct perp_span {
  int begin, end;
} perp_span;

/* Returns the span of a row of n numbers; begin = end if all are 0. */
perp_span perp_span_of(int n, const double *a);

/* y <- y + sum_k c_k (row[k] of A); reads only span[row[k]] of each row. */
void perp_rows_combine(int count, const int *row, const double *c, const double *A, int64_t ld,
                       const perp_span *span, double *y);
/* y_i <- (row i of A)^T x for each i among row[0 .. count-1]; other entries of y do not change. */
void perp_rows_dot(int count, const int *row, const double *A, int64_t ld, const perp_span *span,
                   const double *x, double *y);
