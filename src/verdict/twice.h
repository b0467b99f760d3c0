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

/* ---- Numbers of twice the precision: high + low, |low| at most half a unit of high ---- */

typedef struct perp_twice {
  double high, low;
} perp_twice;

EVERYWHERE perp_twice perp_twice_of(double high, double low) /* |high| >= |low| */
{
  const double sum = high + low;
  const perp_twice r = {sum, low - (sum - high)};
  return r;
}

EVERYWHERE perp_twice perp_twice_sum(perp_twice a, perp_twice b)
{
  const double sum = a.high + b.high, part = sum - a.high;
  return perp_twice_of(sum, ((a.high - (sum - part)) + (b.high - part)) + a.low + b.low);
}

EVERYWHERE perp_twice perp_twice_product(perp_twice a, perp_twice b)
{
  const double product = fma(a.high, b.high, 0.0), rest = fma(a.high, b.high, -product);
  return perp_twice_of(product, fma(a.high, b.low, fma(a.low, b.high, rest)));
}

EVERYWHERE perp_twice perp_twice_quotient(perp_twice a, perp_twice b)
{
  const double q = a.high / b.high;
  const perp_twice times = {-q, 0}, rest = perp_twice_sum(a, perp_twice_product(times, b));
  return perp_twice_of(q, (rest.high + rest.low) / b.high);
}

EVERYWHERE perp_twice perp_twice_root(perp_twice a) /* a >= 0 */
{
  const double root = sqrt(a.high);
  if (!(root > 0))
    return perp_twice_of(0, 0);
  const perp_twice minus = {-root, 0}, plus = {root, 0};
  const perp_twice rest = perp_twice_sum(a, perp_twice_product(minus, plus));
  return perp_twice_of(root, (rest.high + rest.low) / (2 * root));
}
