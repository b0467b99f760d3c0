/* rows.c: products with some of the rows of a dense matrix
 *
 * Four rows at a time: the vector is then passed over a quarter as often, and four chains of sums
 * run side by side. 2 n count flops; the sums run in an order that depends on n and count alone. */
#include "linalg/rows.h"

#include "linalg/vector.h"

void perp_rows_combine(int n, int count, const int *row, const double *c, const double *A,
                       int64_t ld, double *restrict y)
{
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    const double c0 = c[k], c1 = c[k + 1], c2 = c[k + 2], c3 = c[k + 3];
    const double *a0 = A + row[k] * ld, *a1 = A + row[k + 1] * ld;
    const double *a2 = A + row[k + 2] * ld, *a3 = A + row[k + 3] * ld;
    for (int j = 0; j < n; j++)
      y[j] += (c0 * a0[j] + c1 * a1[j]) + (c2 * a2[j] + c3 * a3[j]);
  }
  for (; k < count; k++)
    perp_axpy(n, c[k], A + row[k] * ld, y);
}

void perp_rows_dot(int n, int count, const int *row, const double *A, int64_t ld, const double *x,
                   double *y)
{
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    const double *a[4];
    for (int r = 0; r < 4; r++)
      a[r] = A + row[k + r] * ld;
    double s[4];
    perp_dot_four(n, a, x, s);
    for (int r = 0; r < 4; r++)
      y[row[k + r]] = s[r];
  }
  for (; k < count; k++)
    y[row[k]] = perp_dot(n, A + row[k] * ld, x);
}
