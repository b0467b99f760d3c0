/* values.h: checks of the data that kernels do before they solve: bounds and faults */
#pragma once

#include "device/team.h"
#include "verdict/natural.h"
#include "verdict/verdict.h"

#include <math.h>

/* Bounds of magnitude 1e300 or more are infinite. */
TEAM double perp_value_bound(double bound)
{
  return fabs(bound) >= 1e300 ? (bound > 0 ? HUGE_VAL : -HUGE_VAL) : bound;
}

/* Returns bound i of x; NULL: 0 and infinity. */
TEAM double perp_value_lo(const double *lo, int64_t i)
{
  return lo ? perp_value_bound(lo[i]) : 0;
}

TEAM double perp_value_hi(const double *hi, int64_t i)
{
  return hi ? perp_value_bound(hi[i]) : HUGE_VAL;
}

TEAM bool perp_value_is_finite(double v)
{
  return v - v == 0;
}

TEAM double perp_value_greater(double a, double b)
{
  return a > b ? a : b;
}

/* Returns the larger of two nonnegative numbers; NaN is largest. */
TEAM double perp_value_most(double a, double b)
{
  return a <= b || b != b ? b : a;
}

TEAM int64_t perp_value_least(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* Combines a state and an index into one number: the smallest is the first fault. */
TEAM int64_t perp_value_fault(int state, int64_t index)
{
  return ((int64_t)state << 32) | index;
}

/* Replaces the last 10 bits of a nonnegative number by a tag below 1024. */
TEAM double perp_value_tagged(double value, int tag)
{
  union {
    double real;
    uint64_t bits;
  } u;
  u.real = value;
  u.bits = (u.bits & ~(uint64_t)1023) | (uint64_t)tag;
  return u.real;
}

TEAM int perp_value_tag(double value)
{
  union {
    double real;
    uint64_t bits;
  } u;
  u.real = value;
  return (int)(u.bits & 1023);
}
