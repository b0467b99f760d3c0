/* natural.h: the natural residual x - P_K(x - y) of a row and of a cone, for every judge
 *
 * C, CUDA and the PETSc back end compile this text. For bounds the residual is y clamped to
 * [x - hi, x - lo], which is min(x, y) for x >= 0 and y for a free row. Forming x - y first would
 * lose a small y next to a large x. A clamp hides numbers that are not finite, so a separate test
 * finds them: v - v is 0 for every finite v and NaN for all others. */
#pragma once

#include "verdict/twice.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Returns 0 if x and y are finite, else NaN. Doubts of several rows add up. */
EVERYWHERE double perp_natural_nan(double x, double y)
{
  return (x - x) + (y - y);
}

/* Returns the residual if the doubt is 0, else infinity. */
EVERYWHERE double perp_natural_settle(double residual, double doubt)
{
  return doubt == 0 ? residual : HUGE_VAL;
}

/* Returns mid(above, y, below) with below = x - lo and above = x - hi: x - P(x - y) with its
 * sign. */
EVERYWHERE double perp_natural_map(double y, double below, double above)
{
  return y > below ? below : y < above ? above : y;
}

/* Returns |perp_natural_map|; x and y must be finite. */
EVERYWHERE double perp_natural_mid(double y, double below, double above)
{
  return fabs(perp_natural_map(y, below, above));
}

/* Returns |min(x, y)|, the residual for x >= 0. */
EVERYWHERE double perp_natural_ray(double x, double y)
{
  return fabs(x < y ? x : y);
}

/* Returns the residual of a row with bounds; below and above as for perp_natural_mid, infinite for
 * infinite bounds. */
EVERYWHERE double perp_natural_row(double x, double y, double below, double above)
{
  return perp_natural_settle(perp_natural_mid(y, below, above), perp_natural_nan(x, y));
}

/* x - bound normal in one rounding; the bound is finite. */
EVERYWHERE double perp_natural_distance(double x, double bound, double normal)
{
  return fma(-bound, normal, x);
}

/* Returns the residual of a friction row, lo normal <= x <= hi normal. An infinite bound is
 * infinite at any normal. */
EVERYWHERE double perp_natural_friction(double x, double y, double lo, double hi, double normal)
{
  const double below = lo > -HUGE_VAL ? perp_natural_distance(x, lo, normal) : HUGE_VAL;
  const double above = hi < HUGE_VAL ? perp_natural_distance(x, hi, normal) : -HUGE_VAL;
  return perp_natural_row(x, y, below, above);
}

/* ---- Cones ---- */

/* Returns the power of two that brings v >= 0 into 1/2 .. 1, at most 2^1000. */
EVERYWHERE double perp_natural_unit(double v)
{
  uint64_t bits;
  memcpy(&bits, &v, sizeof v);
  const int field = (int)(bits >> 52); /* v = 2^(field - 1022) times a number in 1/2 .. 1 */
  if (field > 22 && field < 2045) {
    bits = (uint64_t)(2045 - field) << 52;
    memcpy(&v, &bits, sizeof v);
    return v;
  }
  int exponent;
  frexp(v, &exponent);
  return ldexp(1.0, exponent > -1000 ? -exponent : 1000);
}

/* Returns |x_t| - mu x_n without cancellation at a large x: near 0 it is (|x_t|^2 - mu^2
 * x_n^2) / (|x_t| + mu x_n) with the squares summed in twice the precision. */
EVERYWHERE double perp_natural_excess(double mu, const double *x, double tangent)
{
  const double bound = mu * x[0];
  if (!(bound > 0.5 * tangent && bound < 2 * tangent))
    return tangent - bound;
  const double m = fma(mu, x[0], 0.0), left = fma(mu, x[0], -m); /* mu x_n = m + left */
  double sum = 0, rest = 0;
  perp_twice_add(x[1], x[1], &sum, &rest);
  perp_twice_add(-m, m, &sum, &rest);
  perp_twice_add(x[2], x[2], &sum, &rest);
  perp_twice_add(-2 * left, m, &sum, &rest);
  return (sum + rest) / (tangent + m);
}

/* Measures how far x_t and y_t are from opposite directions, as they are in sliding: with the unit
 * vectors a and c and the cross product k = a x c,
 *
 *   bend = |x_t - y_t| - |x_t| - |y_t| = -2 |x_t| |y_t| (1 + a c) / (|x_t - y_t| + |x_t| + |y_t|),
 *   turn = |x_t| (a + c),   1 + a c = k^2 / (1 - a c),   a + c = k (c_o - a_o, a_t - c_t) / (1 - a c)
 *
 * for a c < 0. The lengths of x_t, y_t and x_t - y_t are x, y and z. */
EVERYWHERE double perp_natural_turn(const double *force, double x, const double *slip, double y,
                                    double z, double turn[2])
{
  turn[0] = turn[1] = 0;
  if (!(x > 0) || !(y > 0))
    return 0;
  const double a[2] = {force[0] / x, force[1] / x}, c[2] = {slip[0] / y, slip[1] / y};
  const double cosine = a[0] * c[0] + a[1] * c[1];
  const double unit = perp_natural_unit(y); /* k of the given numbers: a and c are rounded */
  const double v[2] = {unit * slip[0], unit * slip[1]}, part = fma(force[1], v[0], 0.0);
  const double cross = (fma(force[0], v[1], -part) - fma(force[1], v[0], -part)) / x / (unit * y);
  const double sum = cosine < 0 ? cross * cross / (1 - cosine) : 1 + cosine;
  turn[0] = x * (cosine < 0 ? cross * (c[1] - a[1]) / (1 - cosine) : a[0] + c[0]);
  turn[1] = x * (cosine < 0 ? cross * (a[0] - c[0]) / (1 - cosine) : a[1] + c[1]);
  return -2 * x * (y / (z + x + y)) * sum;
}

/* One cone |x_t| <= mu x_n in De Saxce's form: u is y with y_n raised by mu |y_t|, and z = x - u.
 * With
 *
 *   e = |z_t| - |y_t| - mu x_n = (|x_t| - mu x_n) + bend,   q = (e + mu y_n) / (1 + mu^2),
 *   h = mu (|z_t| - |y_t|) + x_n - y_n
 *
 *   x - P(z) = x                                                  in the polar cone, h <= 0
 *            = u                                                  in the cone, |y_t| + q <= 0
 *            = ((y_n - mu e) / (1 + mu^2), y_t + (|y_t| + q) z_t / |z_t|)   else
 *
 * with y_t |z_t| + |y_t| z_t = |y_t| turn + y_t bend. In sliding e, bend and turn are 0: all three
 * are computed without cancellation, and mu |y_t|, which for a large mu hides all others, is in
 * none of them. If x_t is near y_t, so that |z_t| < |x_t|, these two terms cancel, and the sum is
 * taken as written above. Numbers are scaled by a power of two first. */
EVERYWHERE double perp_natural_cone(double mu, const double *force, const double *slip)
{
  double x[3], y[3], r[3], turn[2], largest = 0, doubt = mu - mu, worst = 0;
  for (int k = 0; k < 3; k++) {
    largest = fabs(force[k]) > largest ? fabs(force[k]) : largest;
    largest = fabs(slip[k]) > largest ? fabs(slip[k]) : largest;
    doubt += perp_natural_nan(force[k], slip[k]);
  }
  if (!(doubt == 0))
    return HUGE_VAL;
  const double scale = perp_natural_unit(largest);
  for (int k = 0; k < 3; k++) {
    x[k] = r[k] = scale * force[k];
    y[k] = scale * slip[k];
  }
  const double z[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]},
               s = perp_everywhere_hypot(z[1], z[2]);
  const double x_t = perp_everywhere_hypot(x[1], x[2]), y_t = perp_everywhere_hypot(y[1], y[2]);
  const double bend = perp_natural_turn(x + 1, x_t, y + 1, y_t, s, turn);
  const double e = perp_natural_excess(mu, x, x_t) + bend;
  const double secant = perp_everywhere_hypot(1.0, mu), sine = mu / secant; /* mu^2 may overflow */
  const double q = (e / secant + sine * y[0]) / secant;
  if (mu * (x_t + bend) + z[0] > 0) {
    const bool inside = y_t + q <= 0;
    r[0] = inside ? y[0] + mu * y_t : (y[0] / secant - sine * e) / secant;
    for (int k = 1; k < 3; k++)
      r[k] = inside || !(s > 0) ? y[k]
             : s >= x_t         ? y_t / s * turn[k - 1] + bend / s * y[k] + q / s * z[k]
                                : y[k] + (y_t + q) / s * z[k];
  }
  for (int k = 0; k < 3; k++)
    worst = fabs(r[k]) <= worst ? worst : fabs(r[k]);
  worst /= scale;
  return perp_natural_settle(worst, worst - worst);
}
