/* gram.h: semi-definite matrices of any rank */
#pragma once

#include "base/random.h"
#include "test.h"

/* A = G^T G of the given rank, rows and columns scaled by up to 10^spread. */
static double *gram(int n, int rank, double spread, perp_random *random)
{
  double *g = calloc((size_t)(n * rank + 1), sizeof *g);
  double *a = calloc((size_t)(n * n), sizeof *a);
  for (int i = 0; i < n; i++) {
    const double size = pow(10, perp_random_between(random, -spread, spread));
    for (int k = 0; k < rank; k++)
      g[k * n + i] = size * perp_random_between(random, -1, 1);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < rank; k++)
        a[i * n + j] += g[k * n + i] * g[k * n + j];
  free(g);
  return a;
}
