/* elementary.c: elementary functions with the same bits on every machine
 *
 * Each reduces its argument to a small interval and sums a Taylor series by Horner's rule:
 *
 *   sin, cos  x = k pi/2 + r, |r| <= pi/4, pi/2 in three parts of which k times the first two is
 *             exact; terms to r^17 and r^16, the next one is below 2e-18
 *   exp       x = k ln 2 + r, |r| <= ln(2)/2; terms to r^13, the next one is below 5e-18
 *   log       x = 2^k m, sqrt(1/2) <= m < sqrt(2); log m = 2 artanh(s), s = (m-1)/(m+1),
 *             |s| < 0.172; terms to s^21, the next one is below 3e-19
 *
 * Powers of two are applied by frexp and ldexp, which are exact. This file is compiled without
 * fused multiply-add, which would change the rounding. */
#include "base/elementary.h"

double perp_hypot_scaled(double a, double b)
{
  if (isinf(a) || isinf(b))
    return INFINITY;
  if (isnan(a) || isnan(b))
    return NAN;
  if (a == 0 || b == 0)
    return fabs(a) + fabs(b);
  int exponent;
  frexp(fabs(a) > fabs(b) ? a : b, &exponent);
  const double u = ldexp(a, -exponent), v = ldexp(b, -exponent);
  return ldexp(sqrt(u * u + v * v), exponent);
}

/* pi/2 = PI_HIGH + PI_MIDDLE + PI_LOW, the first two with 33 bits each: times k < 2^20 exact. */
static const double PI_HIGH = 0x1.921fb544p+0, PI_MIDDLE = 0x1.0b4611a6p-34,
                    PI_LOW = 0x1.3198a2e037073p-69;
static const double TWO_PI = 0x1.921fb54442d18p+2;
static const double TWO_OVER_PI = 0x1.45f306dc9c883p-1;
/* ln 2 = LN2_HIGH + LN2_LOW, the first with 32 bits */
static const double LN2_HIGH = 0x1.62e42feep-1, LN2_LOW = 0x1.a39ef35793c76p-33;
static const double ONE_OVER_LN2 = 0x1.71547652b82fep+0;

/* r - r^3/3! + ... of r + low, low far below r */
static double sin_series(double r, double low)
{
  const double z = r * r;
  double sum = 0;
  for (int k = 17; k >= 5; k -= 2)
    sum = (1 - sum) * z / (k * (k - 1));
  /* sin(r + low) = r + (low (1 - r^2/2) - r^3/3! (1 - ...)) */
  return r + (low * (1 - 0.5 * z) - r * (z / 6 * (1 - sum)));
}

static double cos_series(double r, double low)
{
  const double z = r * r, half = 0.5 * z, head = 1 - half;
  double sum = 0;
  for (int k = 16; k >= 4; k -= 2)
    sum = (1 - sum) * z / (k * (k - 1));
  /* cos(r + low) = 1 - z/2 + z/2 sum - r low, plus the rounding error of 1 - z/2 */
  return head + (((1 - head) - half) + (half * sum - r * low));
}

/* quarter: 0 for sin, 1 for cos = sin(x + pi/2) */
static double sine(double x, int quarter)
{
  if (!(fabs(x) <= 1e5)) {
    x = fmod(x, TWO_PI); /* exact by definition */
    if (isnan(x))
      return NAN;
  }
  const double k = floor(x * TWO_OVER_PI + 0.5);
  const double first = x - k * PI_HIGH, middle = k * PI_MIDDLE;
  const double head = first - middle;
  const double tail = ((first - head) - middle) - k * PI_LOW;
  const double r = head + tail, low = (head - r) + tail;
  const int turn = (int)(k - 4 * floor(k / 4)) + quarter;
  const double value = turn % 2 ? cos_series(r, low) : sin_series(r, low);
  return turn % 4 < 2 ? value : -value;
}

double perp_sin(double x)
{
  return sine(x, 0);
}

double perp_cos(double x)
{
  return sine(x, 1);
}

double perp_exp(double x)
{
  if (isnan(x))
    return NAN;
  if (x < -745)
    return 0;
  if (x > 710)
    return INFINITY;
  const double k = floor(x * ONE_OVER_LN2 + 0.5);
  const double first = x - k * LN2_HIGH, second = k * LN2_LOW;
  const double r = first - second, low = (first - r) - second;
  double sum = 0;
  for (int j = 13; j >= 3; j--)
    sum = (1 + sum) * r / j;
  /* 1 + r + r^2/2 (1 + ...) + low (1 + r) */
  const double head = 1 + r;
  const double tail = ((1 - head) + r) + (0.5 * r * r * (1 + sum) + low * head);
  return ldexp(head + tail, (int)k);
}

double perp_log(double x)
{
  int k;
  double m = frexp(x, &k);
  if (m < 0x1.6a09e667f3bcdp-1) {
    m *= 2;
    k--;
  }
  /* with f = m - 1: log m = f - f^2/2 + s (f^2/2 + R), R = 2 (s^2/3 + s^4/5 + ...) */
  const double f = m - 1, s = f / (2 + f), z = s * s, half = 0.5 * f * f;
  double R = 0;
  for (int j = 21; j >= 3; j -= 2)
    R = z * (2.0 / j + R);
  return k * LN2_HIGH - ((half - (s * (half + R) + k * LN2_LOW)) - f);
}

double perp_pow(double x, double y)
{
  return y == 0 ? 1 : x > 0 ? perp_exp(y * perp_log(x)) : 0;
}
