/* reals.h: arrays of zeros and random matrices on the heap */
#pragma once

#include "base/memory.h"
#include "base/random.h"
#include "test.h"

static double *reals(int64_t count)
{
  double *block = perp_alloc_zero((size_t)count, sizeof *block);
  if (!block)
    abort();
  return block;
}

static double *random_matrix(perp_random *random, int m, int64_t ld)
{
  double *A = reals(m * ld);
  for (int64_t i = 0; i < m * ld; i++)
    A[i] = perp_random_between(random, -1, 1);
  return A;
}

/* A <- H A and, on request, A H, with H the reflection along a random vector */
static __attribute__((unused)) void reflect_randomly(perp_random *random, int n, double *A,
                                                     bool left, bool right)
{
  double *v = random_matrix(random, 1, n + 1);
  double square = 0;
  for (int i = 0; i < n; i++)
    square += v[i] * v[i];
  for (int j = 0; j < n && left; j++) {
    double s = 0;
    for (int i = 0; i < n; i++)
      s += v[i] * A[i * n + j];
    for (int i = 0; i < n; i++)
      A[i * n + j] -= 2 * s / square * v[i];
  }
  for (int i = 0; i < n && right; i++) {
    double s = 0;
    for (int j = 0; j < n; j++)
      s += v[j] * A[i * n + j];
    for (int j = 0; j < n; j++)
      A[i * n + j] -= 2 * s / square * v[j];
  }
  perp_free(v);
}
