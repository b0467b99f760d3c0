/* elementary.h: elementary functions of + - * / and sqrt alone
 *
 * Those of the C library may differ in the last bit from one machine to the next, and fmin and fmax
 * in the sign of a zero; these do not. The library calls these only (tools/check-functions). All
 * but perp_pow are within 2 units in the last place (tests/test_elementary.c). */
#pragma once

#include "base/shared.h"

#include <math.h>

/* As fmin and fmax: a number rather than a NaN. Of two equal ones, the second. */
static inline double perp_min(double a, double b)
{
  return a < b || b != b ? a : b;
}

static inline double perp_max(double a, double b)
{
  return a > b || b != b ? a : b;
}

/* sqrt(a^2 + b^2) if a square overflows, underflows, or is no number. */
PERP_SHARED double perp_hypot_scaled(double a, double b);

/* sqrt(a^2 + b^2), as hypot: no square overflows, and an infinite a or b outweighs a NaN. */
static inline double perp_hypot(double a, double b)
{
  const double square = a * a + b * b;
  return square > 0x1p-900 && square < 0x1p1000 ? sqrt(square) : perp_hypot_scaled(a, b);
}

/* Within 2 units in the last place for |x| <= 1e5; beyond that the argument is reduced with fewer
 * bits than a result has. */
PERP_SHARED double perp_sin(double x);
PERP_SHARED double perp_cos(double x);
/* 0 below -745, infinity above 710. */
PERP_SHARED double perp_exp(double x);
/* y_i <- exp x_i, with the bits of perp_exp, in less time. */
PERP_SHARED void perp_exp_all(int64_t n, const double *x, double *y);
/* x > 0 and finite. */
double perp_log(double x);
/* x^y = exp(y log x) for x > 0 and finite, within 2 + 2 |y log x| units in the last place; 0^y is 0
 * for y > 0 and 1 for y = 0. */
PERP_SHARED double perp_pow(double x, double y);
