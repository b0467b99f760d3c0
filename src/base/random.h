/* random.h: xoshiro256** seeded by splitmix64 (Blackman and Vigna 2018): the same numbers from
 * the same seed on every machine */
#pragma once

#include "base/shared.h"

#include <stdint.h>

typedef struct perp_random {
  uint64_t state[4];
} perp_random;

PERP_SHARED perp_random perp_random_from(uint64_t seed);
uint64_t perp_random_bits(perp_random *random);
/* Uniform in [0, 1), a multiple of 2^-53. */
PERP_SHARED double perp_random_uniform(perp_random *random);
/* Uniform in [lo, hi). */
PERP_SHARED double perp_random_between(perp_random *random, double lo, double hi);
/* Uniform in 0 .. count-1 without bias; count >= 1. */
PERP_SHARED int perp_random_below(perp_random *random, int count);
/* Mean 0 and variance 1: the sum of twelve uniforms less six. Only approximately normal, but it
 * needs no logarithm, whose last bit differs between machines. */
PERP_SHARED double perp_random_normal(perp_random *random);
/* A random permutation of 0 .. n-1. */
PERP_SHARED void perp_random_permutation(perp_random *random, int n, int *permutation);
