/* elementary.h: elementary functions built from + - * / and sqrt
 *
 * Functions of the C library may differ in the last bit between machines, and fmin and fmax in the
 * sign of a zero; these do not. The library calls only these (tools/check-functions). All but
 * perp_pow are within 2 units in the last place (tests/test_elementary.c). */
#pragma once

#include "base/shared.h"

#include <math.h>

/* Like fmin and fmax: prefer a number to a NaN. Of two equal numbers, they return the second. */
static inline double perp_min(double a, double b)
{
  return a < b || b != b ? a : b;
}

static inline double perp_max(double a, double b)
{
  return a > b || b != b ? a : b;
}

/* Returns sqrt(a^2 + b^2) if a square overflows, underflows, or is NaN. */
PERP_SHARED double perp_hypot_scaled(double a, double b);

/* Returns sqrt(a^2 + b^2) like hypot: no square overflows, and an infinite a or b outweighs a
 * NaN. */
static inline double perp_hypot(double a, double b)
{
  const double square = a * a + b * b;
  return square > 0x1p-900 && square < 0x1p1000 ? sqrt(square) : perp_hypot_scaled(a, b);
}

/* Within 2 units in the last place for |x| <= 1e5; for larger |x| the argument reduction is less
 * accurate. */
PERP_SHARED double perp_sin(double x);
PERP_SHARED double perp_cos(double x);
/* 0 below -745, infinity above 710. */
PERP_SHARED double perp_exp(double x);
/* x > 0 and finite. */
double perp_log(double x);
/* x^y = exp(y log x) for x > 0 and finite, within 2 + 2 |y log x| units in the last place; 0^y is 0
 * for y > 0 and 1 for y = 0. */
PERP_SHARED double perp_pow(double x, double y);
