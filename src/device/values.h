/* values.h: numbers that a kernel looks at before it solves: bounds, and what is wrong with data */
#pragma once

#include "device/team.h"
#include "verdict/natural.h"
#include "verdict/verdict.h"

#include <math.h>

/* Numbers from 1e300 on are infinite bounds. */
TEAM double perp_value_bound(double bound)
{
  return fabs(bound) >= 1e300 ? (bound > 0 ? HUGE_VAL : -HUGE_VAL) : bound;
}

TEAM bool perp_value_is_finite(double v)
{
  return v - v == 0;
}

TEAM double perp_value_greater(double a, double b)
{
  return a > b ? a : b;
}

/* The greater of two numbers from 0 on; NaN is above all. */
TEAM double perp_value_most(double a, double b)
{
  return a <= b || b != b ? b : a;
}

TEAM int64_t perp_value_least(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* A state and an index as one number: the least of them is the first thing that is wrong. */
TEAM int64_t perp_value_fault(int state, int64_t index)
{
  return ((int64_t)state << 32) | index;
}
