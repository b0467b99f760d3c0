/* twice.h: sums in twice the precision, for every judge (Dekker 1971; Knuth 1969)
 *
 * Products are written as fma, so that no compiler contracts one with the sum that follows. */
#pragma once

#include "verdict/everywhere.h"

/* high + low <- high + low + a b */
EVERYWHERE void perp_twice_add(double a, double b, double *high, double *low)
{
  const double product = fma(a, b, 0.0), rest = fma(a, b, -product);
  const double sum = *high + product, part = sum - *high;
  *low += ((*high - (sum - part)) + (product - part)) + rest;
  *high = sum;
}

/* high + low <- high + low + a (b + b_low) */
EVERYWHERE void perp_twice_add_pair(double a, double b, double b_low, double *high, double *low)
{
  perp_twice_add(a, b, high, low);
  *low = fma(a, b_low, *low);
}
