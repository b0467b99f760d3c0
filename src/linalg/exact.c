/* exact.c: a dot product as if in twice the precision
 *
 * Products are split into a rounded part and what the rounding left (Dekker 1971), sums likewise
 * (Knuth), and the rests are added up apart. This file is compiled without fused multiply-add,
 * which would change what a rounding leaves. */
#include "linalg/vector.h"

#include <math.h>

/* What the rounding of x y left: x y = product + rest, exactly. */
#ifdef FP_FAST_FMA
static double rest_of_product(double x, double y, double product)
{
  return fma(x, y, -product);
}
#else
/* a = high + low with 26 bits each, so that products of halves are exact (Veltkamp, Dekker 1971) */
static perp_pair split(double a)
{
  const double shifted = 134217729.0 * a; /* 2^27 + 1 */
  const double over = shifted - a;
  const double high = shifted - over;
  return (perp_pair){high, a - high};
}

static double rest_of_product(double x, double y, double product)
{
  const perp_pair a = split(x), b = split(y);
  return (((a.hi * b.hi - product) + a.hi * b.lo) + a.lo * b.hi) + a.lo * b.lo;
}
#endif

double perp_dot_exact(int64_t n, const double *x, const double *y, double start)
{
  perp_pair sum = {start, 0};
  for (int64_t i = 0; i < n; i++) {
    const double product = x[i] * y[i];
    const perp_pair next = perp_pair_add((perp_pair){sum.hi, 0}, product);
    sum = (perp_pair){next.hi, sum.lo + (next.lo + rest_of_product(x[i], y[i], product))};
  }
  return sum.hi + sum.lo;
}

void perp_dot_exact_4(int64_t n, const double *a, int64_t stride, const double *x,
                      const double start[4], double dot[4])
{
  double hi[4] = {start[0], start[1], start[2], start[3]}, lo[4] = {0};
  for (int64_t i = 0; i < n; i++) {
    /* step by step over all four: compilers put them into vectors then */
    double product[4], sum[4], part[4], rest[4];
    const double value[4] = {a[i], a[stride + i], a[2 * stride + i], a[3 * stride + i]};
    for (int r = 0; r < 4; r++)
      product[r] = value[r] * x[i];
    for (int r = 0; r < 4; r++)
      rest[r] = rest_of_product(value[r], x[i], product[r]);
    for (int r = 0; r < 4; r++)
      sum[r] = hi[r] + product[r];
    for (int r = 0; r < 4; r++)
      part[r] = sum[r] - hi[r];
    for (int r = 0; r < 4; r++)
      lo[r] += ((hi[r] - (sum[r] - part[r])) + (product[r] - part[r])) + rest[r];
    for (int r = 0; r < 4; r++)
      hi[r] = sum[r];
  }
  for (int r = 0; r < 4; r++)
    dot[r] = hi[r] + lo[r];
}
