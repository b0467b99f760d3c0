/* scaling.h: the problem in units in which the diagonal of A is about 1
 *
 * With x = D z, D diagonal and positive, and y' = D y,
 *
 *   y' = (D A D) z + D b,
 *
 * and z has the constraints of x in the new units: bounds are divided by d_i, a friction bound mu
 * |x_j| becomes (mu d_j / d_i) |z_j|, a cone (whose two tangents share one d_t) has mu d_n / d_t.
 * Complementarity is preserved and, since mu' |y'_t| = d_n mu |y_t|, so is De Saxce's form of
 * it. */
#pragma once

#include "method/run/method.h"

typedef struct perp_scaled {
  perp_problem problem;
  perp_operator *A; /* its own */
  const double *d;  /* n */
} perp_scaled;

/* Returns true if the kind of A can be copied with new values. */
bool perp_scaling_fits(const perp_problem *p);

/* Arrays belong to the arena; the caller closes the operator. The diagonal of A must be
 * positive. */
perp_error perp_scaled_open(const perp_problem *p, perp_arena *arena, perp_scaled *scaled,
                            perp_message *why);
void perp_scaled_close(perp_scaled *scaled); /* {0} is fine */
