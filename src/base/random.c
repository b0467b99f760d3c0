/* random.c: random numbers of xoshiro256** and distributions */
#include "base/random.h"

static uint64_t rotate(uint64_t x, int k)
{
  return (x << k) | (x >> (64 - k));
}

perp_random perp_random_from(uint64_t seed)
{
  perp_random random;
  for (int i = 0; i < 4; i++) {
    uint64_t z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    random.state[i] = z ^ (z >> 31);
  }
  return random;
}

uint64_t perp_random_bits(perp_random *random)
{
  uint64_t *s = random->state;
  const uint64_t result = rotate(s[1] * 5, 7) * 9;
  const uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}

double perp_random_uniform(perp_random *random)
{
  return (double)(perp_random_bits(random) >> 11) * 0x1p-53;
}

double perp_random_between(perp_random *random, double lo, double hi)
{
  return lo + (hi - lo) * perp_random_uniform(random);
}

int perp_random_below(perp_random *random, int count)
{
  const uint64_t range = (uint64_t)count;
  const uint64_t limit = UINT64_MAX - UINT64_MAX % range;
  uint64_t bits;
  do
    bits = perp_random_bits(random);
  while (bits >= limit);
  return (int)(bits % range);
}

double perp_random_normal(perp_random *random)
{
  double sum = -6;
  for (int k = 0; k < 12; k++)
    sum += perp_random_uniform(random);
  return sum;
}

void perp_random_permutation(perp_random *random, int n, int *permutation)
{
  for (int i = 0; i < n; i++) {
    int j = perp_random_below(random, i + 1);
    permutation[i] = permutation[j];
    permutation[j] = i;
  }
}
