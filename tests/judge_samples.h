/* judge_samples.h: numbers made to deceive a judge, and the natural residual in 113 bits
 *
 * x is up to 1e16 times y, coefficients of friction reach from 0 to 1e17. The oracle shares no code
 * with the library. */
#pragma once

#include "quad.h"

#include "base/random.h"

/* Returns |x - P(x - y)| of a row with bounds; bounds from 1e300 on are infinite. */
static inline quad oracle_row(quad x, quad y, double lo, double hi, quad normal)
{
  const quad z = x - y;
  if (lo > -1e300 && z < lo * normal)
    return quad_abs(x - lo * normal);
  if (hi < 1e300 && z > hi * normal)
    return quad_abs(x - hi * normal);
  return quad_abs(y);
}

/* Returns the largest |x - P(x - u)| of a cone; u is y with the normal raised by mu |y_t|; *slop:
 * bound of the oracle's own rounding. */
static inline quad oracle_cone(double mu, const double *x, const quad *y, quad *slop)
{
  const quad u[3] = {y[0] + mu * quad_sqrt(y[1] * y[1] + y[2] * y[2]), y[1], y[2]};
  const quad z[3] = {x[0] - u[0], x[1] - u[1], x[2] - u[2]};
  const quad t = quad_sqrt(z[1] * z[1] + z[2] * z[2]);
  quad q[3] = {z[0], z[1], z[2]}, worst = 0, size = t;
  if (t > mu * z[0]) {
    const bool polar = mu * t <= -z[0];
    q[0] = polar ? 0 : (z[0] + mu * t) / (1 + (quad)mu * mu);
    q[1] = polar ? 0 : mu * q[0] * (z[1] / t);
    q[2] = polar ? 0 : mu * q[0] * (z[2] / t);
  }
  for (int k = 0; k < 3; k++) {
    worst = quad_max(worst, quad_abs(x[k] - q[k]));
    size = quad_max(size, quad_max(quad_abs(u[k]), quad_abs(x[k])));
  }
  *slop = quad_max(*slop, 1e-30L * size);
  return worst;
}

/* 10^a with a in [low, high], of either sign. */
static inline double draw(perp_random *random, double low, double high)
{
  const double size = pow(10, perp_random_between(random, low, high));
  return perp_random_below(random, 2) ? size : -size;
}

static inline double draw_mu(perp_random *random)
{
  const int kind = perp_random_below(random, 6);
  return kind == 0   ? 0
         : kind == 1 ? 1
                     : fabs(draw(random, kind == 2 ? -17 : -2, kind == 3 ? 17 : 1));
}

/* A point of a cone and a y that nearly match: take-off, stick, slide or anything. */
static inline void draw_cone(perp_random *random, double mu, double large, double small, double *x,
                             double *y)
{
  const int kind = perp_random_below(random, 5);
  const double angle = perp_random_between(random, 0, 6.3), c = cos(angle), s = sin(angle);
  const double slip = fabs(draw(random, -3, 3)) * small;
  x[0] = kind == 0 ? 0 : fabs(large);
  const double tangent = kind == 2 ? mu * x[0] : mu * x[0] * perp_random_between(random, 0, 1.1);
  x[1] = tangent * c;
  x[2] = tangent * s;
  y[0] = kind == 0 ? fabs(draw(random, -1, 3)) * small : small * perp_random_between(random, -1, 1);
  y[1] = kind == 1 ? small * perp_random_between(random, -1, 1) : -slip * c;
  y[2] = kind == 1 ? small * perp_random_between(random, -1, 1) : -slip * s;
  if (perp_random_below(random, 4) == 0)
    for (int k = 0; k < 3; k++) {
      x[k] *= 1 + small / large * perp_random_between(random, -1, 1);
      y[k] += small * 1e-3 * perp_random_between(random, -1, 1);
    }
  if (perp_random_below(random, 8) == 0)
    y[perp_random_below(random, 3)] = 0;
}
