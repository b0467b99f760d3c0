/* active_set.h: the side of a row by a guess, and how it follows its normal
 *
 *   t = x - y / A_ii:   row i is at lo if t_i <= lo_i, at hi if t_i >= hi_i, else free
 *
 * as in Newton's method on the natural map and in block pivots. A free row has y_i = 0, a row at a
 * bound has x_i = bound. In a friction row of normal j the bounds are lo_i |x_j| and hi_i |x_j|, so
 * that a row at one of them is tied to a normal that moves: x_i = tie x_j. */
#pragma once

#include "set/set.h"

typedef enum perp_side { PERP_SIDE_LO = -1, PERP_SIDE_FREE = 0, PERP_SIDE_HI = 1 } perp_side;

static inline perp_side perp_side_guess(double t, double lo, double hi)
{
  return t <= lo ? PERP_SIDE_LO : t >= hi ? PERP_SIDE_HI : PERP_SIDE_FREE;
}

/* Returns the bound of a row that is not free; in a friction row the factor of its normal. */
static inline double perp_side_bound(const perp_set *K, int i, perp_side state)
{
  return state == PERP_SIDE_LO ? perp_set_lo(K, i) : perp_set_hi(K, i);
}

/* Returns the tie of a friction row that is not free to a normal of that sign. */
static inline double perp_side_tie(const perp_set *K, int i, perp_side state, double normal)
{
  const double bound = perp_side_bound(K, i, state);
  return normal < 0 ? -bound : bound;
}
