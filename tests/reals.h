/* reals.h: arrays and random matrices on the heap */
#ifndef PERP_TESTS_REALS_H
#define PERP_TESTS_REALS_H

#include "base/memory.h"
#include "base/random.h"
#include "test.h"

static double *reals(int64_t count)
{
  double *block = perp_alloc((size_t)count, sizeof *block);
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

#endif
