/* coulomb.h: the interior point method on problems with friction, called by ipm.c */
#pragma once

#include "method/contact/coupled.h"
#include "verdict/friction.h"

perp_error perp_interior_coulomb(perp_run *run, double *x);

/* ---- point.c: a point of the path, and a step from it ----
 *
 * The path is the set of solutions over tau > 0 of A x + b = Y, tau for all pairs and cones:
 *
 *   pairs    a b = tau, a > 0, b > 0. The slack of row i at one of its bounds is
 *            a = sign (x_i - bound r), r = x_j in a row that follows the normal j, else 1; sign is 1
 *            at a lower bound and -1 at an upper one. Its multiplier adds sign b to Y_i.
 *   cones    f o z = tau e, f = (mu x_n, x_t) and z = (l, q) inside { f_0 >= |f_t| } (point.c).
 *            Y_t = q, and l is an unknown of the cone only. The normal of a cone has
 *            the pair x_n, Y_n as well. Discs are cones, several of which may share a normal.
 *
 * For tau = 0 this is Coulomb's law: Y_n is complementary to x_n and does not depend on the
 * tangents; q is 0 if x_t is inside its disc, else opposite to x_t, since f and z are then both on
 * the boundary and orthogonal, and l = |q|. De Saxce's term does not appear, so the equations have
 * no kink at q = 0, and A x + b - Y is linear.
 *
 * Newton's method for a step to another tau, z and b eliminated, is (A + K) dx = Y - A x - b + h
 * with a K that couples only the rows of a contact. A pair has b + db = b + h - (b / a) da, so
 *
 *   K_ii += b / a,   K_ij -= bound b / a,   h = (tau - da db) / a - b in row i, times sign,
 *
 * and a cone has dz = h - W^-2 df with the scaling W of f and z (Nesterov and Todd 1997) and
 *
 *   h = W^-1 (lambda \ (tau e - lambda o lambda - (W^-1 df) o (W dz))),
 *
 * its rows but the first in the rows of the tangents; the second-order products use the steps of a predictor
 * (Mehrotra 1992). K is not symmetric: the tangents depend on the normal, not the reverse.
 *
 * In convex friction the normal does depend on the tangents: with De Saxce's term moved along the
 * step, Y_n + dY_n gains mu dl, and -sign bound db of each pair that follows. A share omega of this
 * is added, in K and in h: for omega = 1 the matrix is symmetric and positive definite, and steps
 * are safe. The term is a change, so it vanishes with the steps. Each contact also has a weight,
 * added to K_ii only: a proximal term that slows it down. */

/* The scaling of two vectors of a cone, see point.c. */
typedef struct perp_scaling {
  double eta, w[PERP_FRICTION_ROWS];
} perp_scaling;

/* A cone { (mu x_n, x_t) } of three rows, or of a disc and its normal; mu > 0. */
typedef struct perp_point_cone {
  double mu;
  int normal, row; /* rows of x: the normal, the first tangent */
  int place;       /* of that tangent in its contact */
  int rows;        /* of the cone: tangents and one */
  int at;          /* its first number in f, z, df, dz and hz */
} perp_point_cone;

typedef struct perp_point {
  perp_run *run;
  const perp_contact_list *contacts;
  int n, cones, pairs;
  bool *in; /* n: rows that are not fixed */

  int *pair_start;           /* count + 1: the pairs of each contact */
  int *row, *normal, *place; /* place: of the row in its contact */
  double *sign, *bound;
  double *a, *b, *da, *db; /* by pair */
  double *h;               /* by pair: right-hand side */

  perp_point_cone *cone;
  int *cone_start;              /* count + 1: the cones of each contact */
  int length;                   /* of f: the rows of all cones */
  double *f, *z, *df, *dz, *hz; /* by cone */
  perp_scaling *scaling;        /* by cone */

  double *x, *y, *dx;    /* y = A x + b; x is the caller's */
  double *error;         /* n: Y - y */
  double omega;          /* share of convex friction */
  double *weight;        /* by contact, of its unit */
  double *reach;         /* by contact: the step length that reaches the boundary */
  double *K, *T, *arrow; /* by contact */
  double *r, *s, *t, *q; /* n each: right-hand side, scratch */
  double *scratch;       /* for a contact */
} perp_point;

/* Creates the pairs of the run's problem in the run's arena. Returns UNSUPPORTED if a normal may be
 * negative. */
perp_error perp_point_create(perp_run *run, const perp_contact_list *contacts, double *x,
                             perp_point *p);
/* Sets the centre of the path at tau = x_size y_size: distance x_size from bounds and cones, or
 * less. */
void perp_point_start(perp_point *p, double x_size, double y_size);
/* Sets a point whose products are all tau near x with y = A x + b: with rho = 1 / unit its x - rho Y is
 * the given x - rho y, unless that is farther than rounding permits from a bound. */
void perp_point_start_near(perp_point *p, const double *x, const double *y, double tau);

/* Returns the sum of a b and f^T z over the number of pairs and cones, after a step of that length,
 * and the smallest of them relative to tau, negative if something is outside. */
double perp_point_gap(const perp_point *p, double step);
double perp_point_centrality(const perp_point *p, double step, double tau);
/* error <- Y - y. Returns max |error_i| / sqrt(unit). */
double perp_point_imbalance(perp_point *p);

/* Computes K, T and the factor. Returns false if there is none. */
bool perp_point_factor(perp_point *p, perp_coupled *system);
/* Computes the step to tau, with the second-order terms of the previous step if `second`, refined
 * once if `refined`. Returns false if there is none. */
bool perp_point_step(perp_point *p, perp_coupled *system, double tau, bool second, bool refined);
/* Sets reach. Returns its minimum. */
double perp_point_reach(perp_point *p);
void perp_point_move(perp_point *p, double step);

/* ---- arc.c: the path round its folds ----
 *
 * Let lambda = log tau and u be all variables of a point, each relative to its size: da / a,
 * db / b, df / f_0, dz / z_0. The path is a curve (u, lambda); at a fold lambda turns back, and
 * du / dlambda is infinite. A step of a point is linear in the tau that it leads to,
 *
 *   d(tau') = d(0) + (tau' / tau) v,   v = d(tau) - d(0) = du / dlambda,
 *
 * so that one factor and two solutions give both the correction c = d(tau) to the path at the
 * current tau and the tangent (v, 1). The parameter of the curve is the variable that changes the
 * most (Rheinboldt 1986): with i the index of the largest |v_i|, if that is above 3, the correction
 * is
 *
 *   c - alpha v,  lambda - alpha,   alpha = c_i / v_i,
 *
 * which leaves u_i unchanged; otherwise alpha = 0. It is regular at a fold: c and v are large
 * there, but their combination is not. v_i cannot be a mean over all variables: at a fold a few
 * contacts change from sticking to sliding, and a mean over thousands of others would hide them.
 *
 * The sign of the tangent (v, 1) is chosen to continue the direction of the last one: by the sum of
 * p |p| with p the products of their components, in which the largest decide. If max |c - alpha v|
 * is small, the point moves along the tangent, at most half of the way to the boundary; otherwise
 * it is corrected. If corrections do not converge, the point returns to the last predictor and
 * takes a shorter step. At first lambda is held until the point is on the path.
 *
 * If x is bounded on the path it generically leads to a solution, as the path of Lemke's method
 * does: it cannot end, cannot meet itself, and comes from tau = infinity. Its length is unknown,
 * and a step may still land on another branch that leads back: the method gives the path up if tau
 * is larger than at the start. Walls of 8 x 8 bricks that are pushed take 180 to 260 factors. */

typedef struct perp_arc perp_arc;

/* Allocates in the run's arena. Returns NULL when out of memory. */
perp_arc *perp_arc_open(perp_run *run, perp_point *point);
/* Starts from the current point. */
void perp_arc_begin(perp_arc *s);
/* Makes one factor and one step; needs y = A x + b of the point. Returns false if there is no step,
 * or if tau has returned to a larger value than at the start. */
bool perp_arc_advance(perp_arc *s, perp_coupled *system);

/* ---- pieces.c: Newton's path from piece to piece ----
 *
 * Follows Coulomb's law itself, without tau. For problems with cones and no other rows. */

typedef struct perp_pieces perp_pieces;

/* Allocates in the run's arena; the contacts are the caller's. Returns NULL when out of memory. */
perp_pieces *perp_pieces_open(perp_run *run, const perp_contact_list *contacts);
/* Follows the path from x with at most that many factors. x <- the best iterate, perhaps the given x; y <-
 * A x + b. Returns its natural residual. Shows every iterate: check perp_run_expired afterwards. */
double perp_pieces_follow(perp_pieces *s, perp_coupled *system, int factors, double *x, double *y);

/* ---- segments.c: Newton's path from piece to piece, in straight segments ----
 *
 * With a friction index the law is piecewise linear, and a segment changes the matrix by rank one.
 * For contact operators. */

typedef struct perp_segments perp_segments;

/* Returns true if the path is defined: friction rows with finite bounds, normals x >= 0, no cones. */
bool perp_segments_fit(const perp_run *run);
/* Allocates in the run's arena; the contacts are the caller's. Returns NULL when out of memory. */
perp_segments *perp_segments_open(perp_run *run, const perp_contact_list *contacts);
/* Follows the path from x with at most that many segments. x <- the best iterate, perhaps the given
 * x; y <- A x + b. Returns its natural residual. Shows the end of each stage: check perp_run_expired
 * afterwards. */
double perp_segments_follow(perp_segments *s, perp_coupled *system, int segments, double *x,
                            double *y);
