/* quad.h: numbers of 113 bits for oracles; long double has 64 on x86, 53 on some machines */
#pragma once

#include <float.h>
#include <math.h>

#if LDBL_MANT_DIG < 113 && defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 quad;
#else
typedef long double quad;
#endif

static inline quad quad_abs(quad v)
{
  return v < 0 ? -v : v;
}

static inline quad quad_max(quad a, quad b)
{
  return a > b ? a : b;
}

/* By one Newton step from the root in long double. */
static inline quad quad_sqrt(quad v)
{
  const quad r = sqrtl((long double)v);
  return r > 0 && (long double)r < INFINITY ? (r + v / r) / 2 : r;
}
