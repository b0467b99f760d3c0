/* scaling.h: the same problem in units in which the diagonal of A is about 1
 *
 * With x = D z, D diagonal and positive, and y' = D y,
 *
 *   y' = (D A D) z + D b,
 *
 * and z lies as x does: bounds are divided by d_i, a friction bound mu |x_j| becomes
 * (mu d_j / d_i) |z_j|, a cone (whose two tangents share one d_t) has mu d_n / d_t. Complementarity
 * and, since mu' |y'_t| = d_n mu |y_t|, De Saxce's form of it are kept. */
#pragma once

#include "method/run/method.h"

typedef struct perp_scaled {
  perp_problem problem;
  perp_operator *A; /* its own */
  const double *d;  /* n */
} perp_scaled;

/* Whether A is of a kind that is copied with new values. */
bool perp_scaling_fits(const perp_problem *p);

/* Arrays are the arena's; the operator is to be closed. The diagonal of A is positive. */
perp_error perp_scaled_open(const perp_problem *p, perp_arena *arena, perp_scaled *scaled,
                            perp_message *why);
void perp_scaled_close(perp_scaled *scaled); /* {0} is fine */
