/* linalg/two.h: two numbers side by side, what every vector unit has
 *
 * For loops that a compiler does not turn into vectors by itself: least and greatest of rows, and
 * tests of all rows at once. A comparison of two such gives bits, all set where it holds; bits of
 * several are joined by & and |. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* They may start anywhere. */
typedef double perp_two __attribute__((vector_size(16), aligned(8), may_alias));
typedef uint64_t perp_two_bits __attribute__((vector_size(16), aligned(8), may_alias));

static inline perp_two perp_two_at(const double *v)
{
  return *(const perp_two *)v;
}

static inline double perp_two_sum(perp_two p, perp_two q)
{
  p += q;
  return p[0] + p[1];
}

/* u where the bits are set, else v */
static inline perp_two perp_two_choose(perp_two_bits where, perp_two u, perp_two v)
{
  return (perp_two)((where & (perp_two_bits)u) | (~where & (perp_two_bits)v));
}

static inline perp_two perp_two_min(perp_two u, perp_two v)
{
  return perp_two_choose((perp_two_bits)(u < v), u, v);
}

static inline perp_two perp_two_max(perp_two u, perp_two v)
{
  return perp_two_choose((perp_two_bits)(u > v), u, v);
}

static inline perp_two perp_two_abs(perp_two v)
{
  const perp_two_bits magnitude = {~0ull >> 1, ~0ull >> 1};
  return (perp_two)((perp_two_bits)v & magnitude);
}

static inline bool perp_two_any(perp_two_bits bits)
{
  return (bits[0] | bits[1]) != 0;
}
