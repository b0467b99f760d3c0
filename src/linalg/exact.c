/* exact.c: a dot product as if in twice the precision
 *
 * Products are split into a rounded part and the rounding error (Dekker 1971), sums likewise
 * (Knuth), and the errors are summed separately. This file is compiled without fused multiply-add,
 * which would change the rounding errors. */
#include "linalg/rows.h"
#include "linalg/vector.h"
#include "linalg/wide.h"

/* a = high + low with 26 bits each, so that products of halves are exact (Veltkamp, Dekker 1971) */
KERNEL perp_pair split(double a)
{
  const double shifted = 134217729.0 * a; /* 2^27 + 1 */
  const double over = shifted - a;
  const double high = shifted - over;
  return (perp_pair){high, a - high};
}

/* Returns the rounding error of x y: x y = product + rest, exactly. The two ways differ only on
 * overflow or underflow, and a portable build must not differ even then. */
KERNEL double rest_of_product(double x, double y, double product, bool fused)
{
  if (fused)
    return fma(x, y, -product);
  const perp_pair a = split(x), b = split(y);
  return (((a.hi * b.hi - product) + a.hi * b.lo) + a.lo * b.hi) + a.lo * b.lo;
}

/* Even and odd columns of a row are summed separately: a vector unit does both at once. */
typedef struct lanes {
  perp_two hi, lo;
} lanes;

KERNEL lanes lanes_add(lanes s, perp_two u, perp_two v, bool fused)
{
  const perp_two product = u * v;
  const perp_two rest = {rest_of_product(u[0], v[0], product[0], fused),
                         rest_of_product(u[1], v[1], product[1], fused)};
  const perp_two sum = s.hi + product, part = sum - s.hi;
  s.lo += ((s.hi - (sum - part)) + (product - part)) + rest;
  s.hi = sum;
  return s;
}

/* Adds the last column of an odd number, and joins the two sums. */
KERNEL perp_pair lanes_pair(lanes s, bool odd, double a, double x, bool fused)
{
  perp_pair sum = perp_pair_add((perp_pair){s.hi[0], s.lo[0] + s.lo[1]}, s.hi[1]);
  if (odd) {
    const double product = a * x;
    sum = perp_pair_add(sum, product);
    sum.lo += rest_of_product(a, x, product, fused);
  }
  return sum;
}

KERNEL double lanes_close(lanes s, bool odd, double a, double x, bool fused)
{
  const perp_pair sum = lanes_pair(s, odd, a, x, fused);
  return sum.hi + sum.lo;
}

/* column NULL: a dense row */
KERNEL perp_pair dot(int64_t n, const double *a, const int *column, const double *x, double start,
                     bool fused)
{
  lanes s = {{start, 0}, {0, 0}};
  for (int64_t i = 0; i + 2 <= n; i += 2)
    s = lanes_add(s, perp_two_at(a + i),
                  column ? (perp_two){x[column[i]], x[column[i + 1]]} : perp_two_at(x + i), fused);
  const bool odd = n % 2;
  return lanes_pair(s, odd, odd ? a[n - 1] : 0, odd ? x[column ? column[n - 1] : n - 1] : 0, fused);
}

KERNEL double dot_row(int64_t n, const double *x, const double *y, double start, bool fused)
{
  const perp_pair sum = dot(n, x, NULL, y, start, fused);
  return sum.hi + sum.lo;
}

KERNEL void dot_4(int64_t n, const double *a, int64_t stride, const double *x,
                  const double start[4], double sums[4], bool fused)
{
  const double *a0 = a, *a1 = a + stride, *a2 = a + 2 * stride, *a3 = a + 3 * stride;
  lanes s0 = {{start[0], 0}, {0, 0}}, s1 = {{start[1], 0}, {0, 0}};
  lanes s2 = {{start[2], 0}, {0, 0}}, s3 = {{start[3], 0}, {0, 0}};
  for (int64_t i = 0; i + 2 <= n; i += 2) {
    const perp_two v = perp_two_at(x + i);
    s0 = lanes_add(s0, perp_two_at(a0 + i), v, fused);
    s1 = lanes_add(s1, perp_two_at(a1 + i), v, fused);
    s2 = lanes_add(s2, perp_two_at(a2 + i), v, fused);
    s3 = lanes_add(s3, perp_two_at(a3 + i), v, fused);
  }
  const bool odd = n % 2;
  const double last = odd ? x[n - 1] : 0;
  sums[0] = lanes_close(s0, odd, odd ? a0[n - 1] : 0, last, fused);
  sums[1] = lanes_close(s1, odd, odd ? a1[n - 1] : 0, last, fused);
  sums[2] = lanes_close(s2, odd, odd ? a2[n - 1] : 0, last, fused);
  sums[3] = lanes_close(s3, odd, odd ? a3[n - 1] : 0, last, fused);
}

PERP_FUSED static perp_pair dot_fused(int64_t n, const double *a, const int *column,
                                      const double *x, double start)
{
  return dot(n, a, column, x, start, true);
}

#ifdef PERP_EIGHT
/* dot_4 with two rows in a vector, each in two of its lanes. */
typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

typedef struct wide_lanes {
  four hi, lo;
} wide_lanes;

PERP_FUSED KERNEL four four_fma(four u, four v, four w)
{
  return (four){fma(u[0], v[0], w[0]), fma(u[1], v[1], w[1]), fma(u[2], v[2], w[2]),
                fma(u[3], v[3], w[3])};
}

PERP_FUSED KERNEL wide_lanes wide_add(wide_lanes s, four u, four v)
{
  const four product = u * v, rest = four_fma(u, v, -product);
  const four sum = s.hi + product, part = sum - s.hi;
  s.lo += ((s.hi - (sum - part)) + (product - part)) + rest;
  s.hi = sum;
  return s;
}

PERP_FUSED KERNEL four two_rows(const double *u, const double *v)
{
  return (four){u[0], u[1], v[0], v[1]};
}

PERP_FUSED KERNEL void dot_4_wide(int64_t n, const double *a, int64_t stride, const double *x,
                                  const double start[4], double sums[4])
{
  const double *a0 = a, *a1 = a + stride, *a2 = a + 2 * stride, *a3 = a + 3 * stride;
  wide_lanes s = {{start[0], 0, start[1], 0}, {0}}, t = {{start[2], 0, start[3], 0}, {0}};
  for (int64_t i = 0; i + 2 <= n; i += 2) {
    const four v = two_rows(x + i, x + i);
    s = wide_add(s, two_rows(a0 + i, a1 + i), v);
    t = wide_add(t, two_rows(a2 + i, a3 + i), v);
  }
  /* as lanes_close, in all four rows at once */
  const four even = {s.hi[0], s.hi[2], t.hi[0], t.hi[2]},
             odd = {s.hi[1], s.hi[3], t.hi[1], t.hi[3]};
  const four low = {s.lo[0], s.lo[2], t.lo[0], t.lo[2]},
             more = {s.lo[1], s.lo[3], t.lo[1], t.lo[3]};
  four sum = even + odd, part = sum - even;
  four rest = (low + more) + ((even - (sum - part)) + (odd - part));
  if (n % 2) {
    const four u = {a0[n - 1], a1[n - 1], a2[n - 1], a3[n - 1]};
    const four v = {x[n - 1], x[n - 1], x[n - 1], x[n - 1]}, product = u * v, before = sum;
    sum = before + product;
    part = sum - before;
    rest = (rest + ((before - (sum - part)) + (product - part))) + four_fma(u, v, -product);
  }
  *(four *)sums = sum + rest;
}
#else
PERP_FUSED KERNEL void dot_4_wide(int64_t n, const double *a, int64_t stride, const double *x,
                                  const double start[4], double sums[4])
{
  dot_4(n, a, stride, x, start, sums, true);
}
#endif

/* y <- b + A x for `rows` rows, four at a time; the last four may overlap the ones before. */
static void dot_rows(int rows, int64_t n, const double *a, int64_t stride, const double *x,
                     const double *b, double *y)
{
  for (int i = 0; i < rows && rows < 4; i++)
    y[i] = dot_row(n, a + i * stride, x, b[i], false);
  for (int i = 0; i < rows && rows >= 4; i += 4) {
    const int r = i + 4 <= rows ? i : rows - 4;
    dot_4(n, a + r * stride, stride, x, b + r, y + r, false);
  }
}

PERP_FUSED static void dot_rows_fused(int rows, int64_t n, const double *a, int64_t stride,
                                      const double *x, const double *b, double *y)
{
  for (int i = 0; i < rows && rows < 4; i++)
    y[i] = dot_row(n, a + i * stride, x, b[i], true);
  for (int i = 0; i < rows && rows >= 4; i += 4) {
    const int r = i + 4 <= rows ? i : rows - 4;
    dot_4_wide(n, a + r * stride, stride, x, b + r, y + r);
  }
}

perp_pair perp_dot_pair_at(int64_t n, const double *a, const int *column, const double *x,
                           double start)
{
  return perp_is_fused() ? dot_fused(n, a, column, x, start) : dot(n, a, column, x, start, false);
}

double perp_dot_exact(int64_t n, const double *x, const double *y, double start)
{
  return perp_dot_exact_at(n, x, NULL, y, start);
}

double perp_dot_exact_at(int64_t n, const double *a, const int *column, const double *x,
                         double start)
{
  const perp_pair sum = perp_dot_pair_at(n, a, column, x, start);
  return sum.hi + sum.lo;
}

void perp_dot_exact_rows(int rows, int64_t n, const double *a, int64_t stride, const double *x,
                         const double *b, double *y)
{
  (perp_is_fused() ? dot_rows_fused : dot_rows)(rows, n, a, stride, x, b, y);
}
