/* rows.c: products with some of the rows of a dense matrix
 *
 * Four rows at a time: the vector is read a quarter as often, and four chains of sums run in
 * parallel. Rows of contact problems are mostly 0 outside a span of columns, so only that span is
 * read; for four rows together, the hull of their spans. At most 2 n count flops; the order of the
 * sums depends only on the spans and count. */
#include "linalg/rows.h"

#include "linalg/vector.h"

perp_span perp_span_of(int n, const double *a)
{
  perp_span s = {0, n};
  while (s.begin < n && a[s.begin] == 0)
    s.begin++;
  while (s.end > s.begin && a[s.end - 1] == 0)
    s.end--;
  return s;
}

/* Returns the smallest span that contains the spans of four rows. */
static perp_span hull(const perp_span *span, const int *row)
{
  perp_span s = span[row[0]];
  for (int k = 1; k < 4; k++) {
    const perp_span t = span[row[k]];
    s.begin = t.begin < s.begin ? t.begin : s.begin;
    s.end = t.end > s.end ? t.end : s.end;
  }
  return s;
}

void perp_rows_combine(int count, const int *row, const double *c, const double *A, int64_t ld,
                       const perp_span *span, double *restrict y)
{
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    const double c0 = c[k], c1 = c[k + 1], c2 = c[k + 2], c3 = c[k + 3];
    const double *a0 = A + row[k] * ld, *a1 = A + row[k + 1] * ld;
    const double *a2 = A + row[k + 2] * ld, *a3 = A + row[k + 3] * ld;
    const perp_span s = hull(span, row + k);
    for (int j = s.begin; j < s.end; j++)
      y[j] += (c0 * a0[j] + c1 * a1[j]) + (c2 * a2[j] + c3 * a3[j]);
  }
  for (; k < count; k++) {
    const perp_span s = span[row[k]];
    perp_axpy(s.end - s.begin, c[k], A + row[k] * ld + s.begin, y + s.begin);
  }
}

void perp_rows_dot(int count, const int *row, const double *A, int64_t ld, const perp_span *span,
                   const double *x, double *y)
{
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    const perp_span h = hull(span, row + k);
    const double *a[4];
    for (int r = 0; r < 4; r++)
      a[r] = A + row[k + r] * ld + h.begin;
    double s[4];
    perp_rows_dot_four(h.end - h.begin, a, x + h.begin, s);
    for (int r = 0; r < 4; r++)
      y[row[k + r]] = s[r];
  }
  for (; k < count; k++) {
    const perp_span s = span[row[k]];
    y[row[k]] = perp_dot(s.end - s.begin, A + row[k] * ld + s.begin, x + s.begin);
  }
}
