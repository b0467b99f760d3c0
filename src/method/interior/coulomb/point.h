/* interior/coulomb/point.h: a point of the path of coulomb.c, and a step from it
 *
 * The path is the set of solutions over tau > 0 of A x + b = Y, tau for all pairs and cones:
 *
 *   pairs    a b = tau, a > 0, b > 0. The slack of row i at one of its bounds is
 *            a = sign (x_i - bound r), r = x_j in a row that follows the normal j, else 1; sign is 1
 *            at a lower bound and -1 at an upper one. Its multiplier adds sign b to Y_i.
 *   cones    f o z = tau e, f = (mu x_n, x_t) and z = (l, q) inside { f_0 >= |f_t| } (cone.h).
 *            Y_t = q, and l is a number of its own that only the cone knows. The normal of a cone has
 *            the pair x_n, Y_n as well.
 *
 * For tau = 0 this is Coulomb's law: Y_n is complementary to x_n and does not feel the tangents; q is
 * 0 if x_t is inside its disc, else opposite to x_t, since f and z are then both on the boundary and
 * orthogonal, and l = |q|. De Saxce's term is nowhere: so the equations have no kink at q = 0, and
 * A x + b - Y is linear.
 *
 * Newton's method for a step to another tau, z and b eliminated, is (A + K) dx = Y - A x - b + h with
 * a K that couples only the rows of a contact. A pair has b + db = b + h - (b / a) da, so
 *
 *   K_ii += b / a,   K_ij -= bound b / a,   h = (tau - da db) / a - b in row i, times sign,
 *
 * and a cone has dz = h - W^-2 df with the scaling W of f and z (Nesterov and Todd 1997) and
 *
 *   h = W^-1 (lambda \ (tau e - lambda o lambda - (W^-1 df) o (W dz))),
 *
 * its rows 1 and 2 in rows t and o; the products of steps, of second order, are those of a predictor
 * (Mehrotra 1992). K is not symmetric: the tangents feel the normal, which does not feel them.
 *
 * Convex friction does: with De Saxce's term moved along the step, Y_n + dY_n gains mu dl, and
 * -sign bound db of each pair that follows. A share omega of that is added, with its part in K and
 * in h: for omega = 1 the matrix is symmetric and positive definite, and steps are safe. As the term
 * is a change it vanishes when steps do. Each contact has a weight besides, added to K_ii and nowhere
 * else: a proximal term that holds it back. */
#pragma once

#include "method/interior/coulomb/cone.h"
#include "method/system/coupled.h"

typedef struct perp_point {
  perp_run *run;
  const perp_contacts *contacts;
  const double *mu; /* by cone */
  int n, cones, pairs;
  bool *in; /* n: rows that are not fixed */

  int *pair_start; /* by contact, and one more: its pairs */
  int *row, *normal;
  double *sign, *bound;
  double *a, *b, *da, *db; /* by pair */
  double *h;               /* by pair: of the right side */

  double *f, *z, *df, *dz, *hz; /* by cone, 3 each */
  perp_scaling *scaling;        /* by cone */

  double *x, *y, *dx; /* y = A x + b; x is the caller's */
  double *error;      /* n: Y - y */
  double omega;       /* share of convex friction */
  double *weight;     /* by contact, of its unit */
  double *reach;      /* by contact: the step at which it comes to the boundary */
  double *K, *T;      /* by contact */
  double *r, *s, *t;  /* n each: right side, scratch */
  double *square;     /* scratch for a contact */
} perp_point;

/* The pairs of the run's problem; UNSUPPORTED if a normal may be negative. In the run's arena. */
perp_error perp_point_create(perp_run *run, const perp_contacts *contacts, double *x,
                             perp_point *p);
/* The middle of the path at tau = x_size y_size: x_size from bounds and cones, or less. */
void perp_point_start(perp_point *p, double x_size, double y_size);

/* The sum of a b and f^T z, over the number of pairs and cones, after a step of that length; and the least of all of them, over tau, a negative one if something is not inside. */
double perp_point_gap(const perp_point *p, double step);
double perp_point_centrality(const perp_point *p, double step, double tau);
/* error <- Y - y; its size, max |error_i| / sqrt(unit) */
double perp_point_imbalance(perp_point *p);

/* K, T and the factor; false if there is none. */
bool perp_point_factor(perp_point *p, perp_coupled *system);
/* The step to tau, with the terms of second order of the step before if that is wished for, and
 * refined once or as the factor gives it; false if there is none. */
bool perp_point_step(perp_point *p, perp_coupled *system, double tau, bool second, bool refined);
/* reach; returns the least. */
double perp_point_reach(perp_point *p);
void perp_point_move(perp_point *p, double step);
