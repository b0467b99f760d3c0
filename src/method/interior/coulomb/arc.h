/* interior/coulomb/arc.h: the path of point.h round its folds
 *
 * Let lambda = log tau and u be all variables of a point, each relative to its size: da / a, db / b,
 * df / f_0, dz / z_0. The path is a curve (u, lambda); at a fold lambda turns back, and du / dlambda
 * is infinite. A step of point.h is linear in the tau that it leads to,
 *
 *   d(tau') = d(0) + (tau' / tau) v,   v = d(tau) - d(0) = du / dlambda,
 *
 * so that one factor and two solutions give both the correction c = d(tau) to the path at the present
 * tau and the tangent (v, 1). The curve is followed with the variable as its parameter that changes
 * the most (Rheinboldt 1986): with i the largest |v_i|, if that is above 3, the correction is
 *
 *   c - alpha v,  lambda - alpha,   alpha = c_i / v_i,
 *
 * which leaves u_i where it is, and with alpha = 0 otherwise. It is regular at a fold, as a sum: c and
 * v are large there, and what they add up to is not. A mean over all variables would not do for
 * v_i: a fold belongs to a few contacts that change from sticking to sliding, and among thousands of
 * others they would not be seen.
 *
 * The tangent (v, 1) or its opposite is taken that goes on in the direction of the last one: by the
 * sum of p |p| with p the products of their parts, in which the largest decide. The point goes on
 * along it if max |c - alpha v| is small, half of the way to the boundary at the most; is corrected
 * otherwise; and goes back to the last point from which it went on, for a shorter step, if
 * corrections do not end. At first lambda is held until the point is on the path.
 *
 * If x is bounded on it the path leads to a solution, but for chance, as that of Lemke's method does:
 * it cannot end, cannot meet itself, and comes from tau = infinity. How long it is nobody knows, and a
 * step may still land on another branch, one that leads back: the path is given up if tau is larger
 * than at the start. Factors that it took: 180 to 260 on walls of 8 x 8 bricks that are pushed, mu =
 * 0.8; 460 on one of 25 x 20 bricks, mu = 0.5. On three hexagonal piles of 200 and 400 balls it was
 * given up. Constants were chosen with walls of the seeds 1, 5, 21 and 22; of four others, seeds 51 to
 * 54, mu = 0.5 to 1, three were solved. What broke the symmetry of hexagonal piles, a random share of
 * tau from 1 / 1.3 to 1.3 for each pair and cone, solved some that were solved otherwise too, but none
 * of six with 200 balls and mu = 1, in four paths of 600 steps each; on one of 1,000 balls, mu = 0.5,
 * the path wound about tau = 4e-5 for 400 steps, at a residual of 7e-3. */
#pragma once

#include "method/interior/coulomb/point.h"

typedef struct perp_arc perp_arc;

/* In the run's arena. NULL when out of memory. */
perp_arc *perp_arc_open(perp_run *run, perp_point *point);
/* From the point as it is now. */
void perp_arc_begin(perp_arc *s);
/* One factor and a step; y = A x + b of the point is at hand. False if there is none, or if the path
 * has come back to where tau is larger than at the start. */
bool perp_arc_advance(perp_arc *s, perp_coupled *system);
