/* law.h: which linear law holds for a row or a cone at a solution (laws.h has the laws themselves)
 *
 * laws.c and the kernel for devices compile this text. Entries of x up to near_x and of y up to
 * near_y count as 0; `hold` chooses the law if two meet. */
#pragma once

#include "verdict/everywhere.h"

#include <stdbool.h>

typedef enum perp_law {
  PERP_LAW_FREE,
  PERP_LAW_LO,
  PERP_LAW_HI,
  PERP_LAW_SEPARATE, /* this and the next two: rows of a contact */
  PERP_LAW_STICK,
  PERP_LAW_SLIDE,
} perp_law;

typedef struct perp_law_limits {
  double near_x, near_y;
  bool hold;
} perp_law_limits;

/* Returns the law of a row with these bounds. Equal bounds hold on either side. */
EVERYWHERE perp_law perp_law_row(const perp_law_limits *f, double x, double y, double lo, double hi,
                                 bool *degenerate)
{
  const double below = x - lo, above = hi - x;
  const bool near_lo = below <= f->near_x, near_hi = above <= f->near_x;
  *degenerate = fabs(y) <= f->near_y && (near_lo || near_hi);
  if (near_lo && near_hi)
    return y >= 0 ? PERP_LAW_LO : PERP_LAW_HI;
  if (*degenerate)
    return !f->hold ? PERP_LAW_FREE : near_lo ? PERP_LAW_LO : PERP_LAW_HI;
  /* the side of the projection of x - y */
  return y > below ? PERP_LAW_LO : -y > above ? PERP_LAW_HI : PERP_LAW_FREE;
}

/* Returns the law of a group of axes, |(x_k / u_k)| <= mu x_n, of a contact with the normal force x_n
 * and speed y_n; units u_k = mu_k / mu, NULL: 1. If it slides, *force is x_n, and slip the unit vector
 * of u_k y_k, or 0. Touching without force: it stays at 0 or gains a force. About to slide: it slides
 * in the direction of the force, or it sticks. */
EVERYWHERE perp_law perp_law_group(const perp_law_limits *f, int axes, double mu,
                                   const double *unit, double normal, double gap, const double *x,
                                   const double *y, bool *degenerate, double *force, double *slip)
{
  double tangent = 0, speed = 0;
  for (int k = 0; k < axes; k++) {
    const double u = unit ? unit[k] : 1;
    tangent = k == 0 ? fabs(x[k] / u) : perp_everywhere_hypot(tangent, x[k] / u);
    speed = k == 0 ? fabs(u * y[k]) : perp_everywhere_hypot(speed, u * y[k]);
    slip[k] = 0;
  }
  const bool rests = speed <= f->near_y, loose = normal <= f->near_x;
  *force = 0;
  *degenerate = loose && gap <= f->near_y;
  if (loose && (!*degenerate || f->hold))
    return PERP_LAW_SEPARATE;
  if (loose ? rests : tangent < mu * normal - f->near_x)
    return PERP_LAW_STICK;
  *degenerate = loose || rests;
  if (rests && !f->hold)
    return PERP_LAW_STICK;
  *force = loose ? 0 : normal;
  for (int k = 0; k < axes; k++) {
    const double u = unit ? unit[k] : 1;
    slip[k] = !rests ? u * y[k] / speed : tangent > 0 ? -x[k] / u / tangent : 0;
  }
  return PERP_LAW_SLIDE;
}
