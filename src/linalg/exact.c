/* exact.c: a dot product as if in twice the precision
 *
 * Products are split into a rounded part and what the rounding left (Dekker 1971), sums likewise
 * (Knuth), and the remainders are summed separately. This file is compiled without fused
 * multiply-add, which would change what a rounding leaves. */
#include "linalg/rows.h"
#include "linalg/vector.h"

#include <math.h>

/* What the rounding of x y left: x y = product + rest, exactly. The two ways differ only if
 * something overflows or underflows, and a portable build must not differ even then. */
#if defined FP_FAST_FMA && !defined PERP_PORTABLE
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

/* Even and odd columns of a row are summed separately: a vector unit does both at once. */
typedef struct lanes {
  perp_two hi, lo;
} lanes;

static inline lanes lanes_add(lanes s, perp_two u, perp_two v)
{
  const perp_two product = u * v;
  const perp_two rest = {rest_of_product(u[0], v[0], product[0]),
                         rest_of_product(u[1], v[1], product[1])};
  const perp_two sum = s.hi + product, part = sum - s.hi;
  s.lo += ((s.hi - (sum - part)) + (product - part)) + rest;
  s.hi = sum;
  return s;
}

/* The last column of an odd number, and the two sums as one. */
static double lanes_close(lanes s, bool odd, double a, double x)
{
  perp_pair sum = perp_pair_add((perp_pair){s.hi[0], s.lo[0] + s.lo[1]}, s.hi[1]);
  if (odd) {
    const double product = a * x;
    sum = perp_pair_add(sum, product);
    sum.lo += rest_of_product(a, x, product);
  }
  return sum.hi + sum.lo;
}

double perp_dot_exact(int64_t n, const double *x, const double *y, double start)
{
  lanes s = {{start, 0}, {0, 0}};
  for (int64_t i = 0; i + 2 <= n; i += 2)
    s = lanes_add(s, perp_two_at(x + i), perp_two_at(y + i));
  return lanes_close(s, n % 2, n % 2 ? x[n - 1] : 0, n % 2 ? y[n - 1] : 0);
}

double perp_dot_exact_at(int64_t n, const double *a, const int *column, const double *x,
                         double start)
{
  lanes s = {{start, 0}, {0, 0}};
  for (int64_t i = 0; i + 2 <= n; i += 2)
    s = lanes_add(s, perp_two_at(a + i), (perp_two){x[column[i]], x[column[i + 1]]});
  return lanes_close(s, n % 2, n % 2 ? a[n - 1] : 0, n % 2 ? x[column[n - 1]] : 0);
}

void perp_dot_exact_4(int64_t n, const double *a, int64_t stride, const double *x,
                      const double start[4], double dot[4])
{
  const double *a0 = a, *a1 = a + stride, *a2 = a + 2 * stride, *a3 = a + 3 * stride;
  lanes s0 = {{start[0], 0}, {0, 0}}, s1 = {{start[1], 0}, {0, 0}};
  lanes s2 = {{start[2], 0}, {0, 0}}, s3 = {{start[3], 0}, {0, 0}};
  for (int64_t i = 0; i + 2 <= n; i += 2) {
    const perp_two v = perp_two_at(x + i);
    s0 = lanes_add(s0, perp_two_at(a0 + i), v);
    s1 = lanes_add(s1, perp_two_at(a1 + i), v);
    s2 = lanes_add(s2, perp_two_at(a2 + i), v);
    s3 = lanes_add(s3, perp_two_at(a3 + i), v);
  }
  const bool odd = n % 2;
  const double last = odd ? x[n - 1] : 0;
  dot[0] = lanes_close(s0, odd, odd ? a0[n - 1] : 0, last);
  dot[1] = lanes_close(s1, odd, odd ? a1[n - 1] : 0, last);
  dot[2] = lanes_close(s2, odd, odd ? a2[n - 1] : 0, last);
  dot[3] = lanes_close(s3, odd, odd ? a3[n - 1] : 0, last);
}
