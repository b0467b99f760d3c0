/* gauss.h: linear systems by elimination with full pivoting, in long double: an oracle */
#pragma once

#include <math.h>
#include <stdbool.h>

static inline void gauss_exchange(long double *a, long double *b)
{
  const long double t = *a;
  *a = *b;
  *b = t;
}

/* Solves K x = r; row i of K and r_i are the first `size` and the next number of its `stride`;
 * overwrites K, `column` is scratch. Returns false if no pivot is greater than `least`. */
static bool gauss_solve(int size, int stride, long double *K, long double least, int *column,
                        long double *x)
{
  for (int k = 0; k < size; k++)
    column[k] = k;
  for (int k = 0; k < size; k++) {
    int row = k, at = k;
    for (int i = k; i < size; i++)
      for (int j = k; j < size; j++)
        if (fabsl(K[i * stride + j]) > fabsl(K[row * stride + at])) {
          row = i;
          at = j;
        }
    if (!(fabsl(K[row * stride + at]) > least))
      return false;
    for (int j = 0; j <= size; j++)
      gauss_exchange(&K[k * stride + j], &K[row * stride + j]);
    for (int i = 0; i < size; i++)
      gauss_exchange(&K[i * stride + k], &K[i * stride + at]);
    const int c = column[k];
    column[k] = column[at];
    column[at] = c;
    for (int i = 0; i < size; i++)
      for (int j = size; i != k && j >= k; j--)
        K[i * stride + j] -= K[i * stride + k] * K[k * stride + j] / K[k * stride + k];
  }
  for (int k = 0; k < size; k++)
    x[column[k]] = K[k * stride + size] / K[k * stride + k];
  return true;
}
