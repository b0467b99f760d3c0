/* vector.h: kernels on vectors of doubles
 *
 * Sums run in eight interleaved accumulators that are added in a fixed tree at the end: compilers
 * vectorise this without reordering sums, the result depends only on n and the data, and the
 * rounding error is that of a sum of n/8 terms. A number that is not finite is never lost: every
 * reduction returns NaN or infinity then. */
#pragma once

#include "base/shared.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { PERP_LANES = 8 };

/* The final tree of a sum in lanes. */
static inline double perp_lanes_sum(const double s[PERP_LANES])
{
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

/* x^T y */
static inline double perp_dot(int64_t n, const double *x, const double *y)
{
  double s[PERP_LANES] = {0};
  int64_t i = 0;
  for (; i + PERP_LANES <= n; i += PERP_LANES)
    for (int k = 0; k < PERP_LANES; k++)
      s[k] += x[i + k] * y[i + k];
  for (int k = 0; k < PERP_LANES && i + k < n; k++)
    s[k] += x[i + k] * y[i + k];
  return perp_lanes_sum(s);
}

/* sum + sum_k a_k x[column_k], k = begin .. end-1 in this order: a row of a sparse matrix */
static inline double perp_add_row(double sum, int64_t begin, int64_t end, const double *a,
                                  const int *column, const double *x)
{
  for (int64_t k = begin; k < end; k++)
    sum += a[k] * x[column[k]];
  return sum;
}

/* sum |x_i| */
static inline double perp_norm1(int64_t n, const double *x)
{
  double s[PERP_LANES] = {0};
  int64_t i = 0;
  for (; i + PERP_LANES <= n; i += PERP_LANES)
    for (int k = 0; k < PERP_LANES; k++)
      s[k] += fabs(x[i + k]);
  for (int k = 0; k < PERP_LANES && i + k < n; k++)
    s[k] += fabs(x[i + k]);
  return perp_lanes_sum(s);
}

/* max |x_i|; infinity if any x_i is not finite. */
double perp_norm_inf(int64_t n, const double *x);
/* max |x_i - y_i|; infinity if any difference is not finite. */
double perp_distance_inf(int64_t n, const double *x, const double *y);
/* |x|, free of overflow and underflow. */
double perp_norm2(int64_t n, const double *x);
bool perp_all_finite(int64_t n, const double *x);
bool perp_all_zero(int64_t n, const double *x); /* stops at the first nonzero */
/* Returns the index of the first x_i that is NaN or infinite, -1 if there is none. */
int64_t perp_first_not_finite(int64_t n, const double *x);

/* y <- y + a x */
static inline void perp_axpy(int64_t n, double a, const double *restrict x, double *restrict y)
{
  for (int64_t i = 0; i < n; i++)
    y[i] += a * x[i];
}

/* y <- x + a y */
static inline void perp_xpay(int64_t n, const double *restrict x, double a, double *restrict y)
{
  for (int64_t i = 0; i < n; i++)
    y[i] = x[i] + a * y[i];
}

/* z <- x - y; z may be x or y. */
static inline void perp_subtract(int64_t n, const double *x, const double *y, double *z)
{
  for (int64_t i = 0; i < n; i++)
    z[i] = x[i] - y[i];
}

/* x <- a x */
static inline void perp_multiply(int64_t n, double a, double *x)
{
  for (int64_t i = 0; i < n; i++)
    x[i] *= a;
}

/* x <- a */
static inline void perp_fill(int64_t n, double a, double *x)
{
  for (int64_t i = 0; i < n; i++)
    x[i] = a;
}

static inline void perp_fill_integers(int64_t n, int a, int *list)
{
  for (int64_t k = 0; k < n; k++)
    list[k] = a;
}

/* y <- -x */
static inline void perp_negate(int64_t n, const double *restrict x, double *restrict y)
{
  for (int64_t i = 0; i < n; i++)
    y[i] = -x[i];
}

/* y <- x; they do not overlap. */
static inline void perp_copy(int64_t n, const double *restrict x, double *restrict y)
{
  if (n > 0)
    memcpy(y, x, (size_t)n * sizeof *x);
}

/* Swaps two vectors. */
static inline void perp_swap(int64_t n, double *a, double *b)
{
  for (int64_t i = 0; i < n; i++) {
    const double t = a[i];
    a[i] = b[i];
    b[i] = t;
  }
}

/* Swaps two pointers. */
static inline void perp_exchange_vectors(double **a, double **b)
{
  double *c = *a;
  *a = *b;
  *b = c;
}

/* A matrix given by its product with a vector, y <- B x; x and y do not overlap. */
typedef void (*perp_product)(void *context, const double *x, double *y);

/* A number held as hi + lo, about 106 bits: the rounding error of a sum is kept (Knuth's exact sum
 * of two, 1969). */
typedef struct perp_pair {
  double hi, lo;
} perp_pair;

static inline perp_pair perp_pair_add(perp_pair a, double b)
{
  const double sum = a.hi + b;
  const double part = sum - a.hi;
  const double rest = (a.hi - (sum - part)) + (b - part);
  return (perp_pair){sum, a.lo + rest};
}

/* Returns x^T y as if in twice the precision (Ogita, Rump, Oishi 2005), added to `start`. */
double perp_dot_exact(int64_t n, const double *x, const double *y, double start);
/* perp_dot_exact with x_column[k] for y_k: a row of a sparse matrix. */
double perp_dot_exact_at(int64_t n, const double *a, const int *column, const double *x,
                         double start);
/* perp_dot_exact_at before rounding. */
perp_pair perp_dot_pair_at(int64_t n, const double *a, const int *column, const double *x,
                           double start);
/* y <- A x + b for `rows` rows of n numbers, row r at a + r * stride. Four at once: their sums are
 * independent, so four take little longer than one. Same bits as perp_dot_exact; y is not b. */
void perp_dot_exact_rows(int rows, int64_t n, const double *a, int64_t stride, const double *x,
                         const double *b, double *y);

/* Returns the position of entry (i, j) of compressed rows whose columns ascend, or -1. */
static inline int64_t perp_row_find(const int64_t *start, const int *column, int i, int j)
{
  int64_t begin = start[i], end = start[i + 1];
  while (begin < end) {
    const int64_t middle = begin + (end - begin) / 2;
    if (column[middle] < j)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin < start[i + 1] && column[begin] == j ? begin : -1;
}

/* T <- A^T, both as compressed rows; columns ascend in the rows of T. T has `columns` rows: t_start
 * has columns + 1 numbers. place[k] is the entry of A that is entry k of T. value and t_value, or
 * place, may be NULL. */
PERP_SHARED void perp_transpose(int rows, int columns, const int64_t *start, const int *column,
                                const double *value, int64_t *t_start, int *t_column,
                                double *t_value, int64_t *place);
