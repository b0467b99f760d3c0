/* phi.h: functions whose zeros are the complementary pairs, with their derivatives
 *
 *   phi(a, b) = lambda (a + b - r) + (1 - lambda) a+ b+,     r = sqrt(a^2 + b^2 + 2 mu)
 *
 * lambda = 1, mu = 0: Fischer and Burmeister (Fischer 1992), zero where 0 <= a _|_ b >= 0;
 * lambda < 1: the penalised function of Chen, Chen and Kanzow (2000), with the same zeros, that
 *     grows where a and b are both large; mu > 0: Kanzow's smoothing (1996), zero where a, b > 0
 *     and a b = mu.
 *
 * Nothing is lost to cancellation, however different a and b are in size: with a + b > 0
 *
 *   a + b - r = 2 (a b - mu) / (a + b + r),        1 - a / r = (b^2 + 2 mu) / (r (r + a)) for a > 0.
 *
 * At a = b = 0 phi has no derivative; its elements there are the limits along a direction (da, db),
 * (1 - da, 1 - db) with |(da, db)| = 1, and their convex hull, of which da = db = 0 is the middle.
 *
 * A box (Billups 1995) has
 *
 *   f(x, y) = phi(x - lo, g(x, y)),   g(x, y) = -phi(hi - x, -y),
 *
 * with g = y where hi is infinite and f = g where lo is. By the chain rule, with phi' taken at the
 * arguments above,
 *
 *   g_x = phi_a,  g_y = phi_b;    f_x = phi_a + phi_b g_x,  f_y = phi_b g_y,    none negative. */
#pragma once

#include "base/elementary.h"

#include <math.h>

typedef struct perp_phi {
  double lambda;
  double mu;
} perp_phi;

/* A value with its derivatives by the two arguments. */
typedef struct perp_slopes {
  double value, a, b;
} perp_slopes;

/* (da, db): from where a point a = b = 0 is looked at; (0, 0) gives the middle of the elements. */
static inline perp_slopes perp_phi_pair(const perp_phi *f, double a, double b, double da, double db)
{
  const double root = f->mu > 0 ? perp_hypot(perp_hypot(a, b), sqrt(2 * f->mu)) : perp_hypot(a, b);
  perp_slopes s;
  if (root == 0) {
    const double length = perp_hypot(da, db);
    s = (perp_slopes){0, length > 0 ? 1 - da / length : 1, length > 0 ? 1 - db / length : 1};
  } else {
    const double extra = 2 * f->mu / root;
    s.value = a + b > 0 ? 2 * (a * (b / (a + b + root)) - f->mu / (a + b + root)) : a + b - root;
    s.a = a > 0 ? (b * (b / root) + extra) / (root + a) : 1 - a / root;
    s.b = b > 0 ? (a * (a / root) + extra) / (root + b) : 1 - b / root;
  }
  const double rest = 1 - f->lambda;
  if (rest > 0) {
    s.value = f->lambda * s.value + (a > 0 && b > 0 ? rest * a * b : 0);
    s.a = f->lambda * s.a + (a > 0 && b > 0 ? rest * b : 0);
    s.b = f->lambda * s.b + (a > 0 && b >= 0 ? rest * a : 0);
  }
  return s;
}

/* (dx, dy): the direction in which (x, y) is left where the derivative depends on it. */
static inline perp_slopes perp_phi_box(const perp_phi *f, double x, double y, double lo, double hi,
                                       double dx, double dy)
{
  perp_slopes g = {y, 0, 1};
  if (hi < INFINITY) {
    g = perp_phi_pair(f, hi - x, -y, -dx, -dy);
    g.value = -g.value;
  }
  if (lo == -INFINITY)
    return g;
  const perp_slopes s = perp_phi_pair(f, x - lo, g.value, dx, g.a * dx + g.b * dy);
  return (perp_slopes){s.value, s.a + s.b * g.a, s.b * g.b};
}
