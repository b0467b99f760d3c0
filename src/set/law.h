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
  PERP_LAW_SEPARATE, /* this and the next two: all rows of a cone */
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

/* Returns the law of a cone; if it slides, *force is its normal force, and slip the unit vector that
 * it slides along, or 0. Touching without force: it stays at 0 or gains a force. About to slide: it
 * slides in the direction of the force, or it sticks. */
EVERYWHERE perp_law perp_law_cone(const perp_law_limits *f, double mu, const double *x,
                                  const double *y, bool *degenerate, double *force, double slip[2])
{
  const double tangent = perp_everywhere_hypot(x[1], x[2]);
  const double speed = perp_everywhere_hypot(y[1], y[2]);
  const bool rests = speed <= f->near_y;
  *force = 0;
  slip[0] = slip[1] = 0;
  if (x[0] <= f->near_x) {
    *degenerate = y[0] <= f->near_y;
    if (!*degenerate || f->hold)
      return PERP_LAW_SEPARATE;
    if (rests)
      return PERP_LAW_STICK;
    slip[0] = y[1] / speed;
    slip[1] = y[2] / speed;
    return PERP_LAW_SLIDE;
  }
  *degenerate = false;
  if (tangent < mu * x[0] - f->near_x)
    return PERP_LAW_STICK;
  *degenerate = rests;
  if (rests && !f->hold)
    return PERP_LAW_STICK;
  *force = x[0];
  if (!rests) {
    slip[0] = y[1] / speed;
    slip[1] = y[2] / speed;
  } else if (tangent > 0) {
    slip[0] = -x[1] / tangent;
    slip[1] = -x[2] / tangent;
  }
  return PERP_LAW_SLIDE;
}
