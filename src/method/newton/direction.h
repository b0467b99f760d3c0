/* direction.h: directions of descent for theta = 1/2 |F|^2, with F the map of map.h */
#pragma once

#include "method/newton/map.h"
#include "method/newton/newton.h"

typedef struct perp_direction {
  perp_map *map;
  /* the one or the other, as the map's strategy says */
  perp_linear_system *system;
  struct perp_difference *difference;
  const double *x, *F; /* where: the caller's, up to date when a direction is asked for */
  double *dx, *Adx;    /* the direction, and A times it */
  double slope;        /* of theta along it: F^T J dx */
  double *size;        /* n: |A_ii|, the mean of them where that is 0 */
  double *r, *z, *d;   /* n each */
  double *work;        /* of the normal equations */
  int *rows;
} perp_direction;

/* Takes memory last of all, for factors that grow: nothing that is to be kept may be taken from the
 * run's arena afterwards. `system` is to be closed whatever comes back. x and F are for the caller
 * to set. */
perp_error perp_direction_open(perp_map *map, const perp_newton_parameters *par,
                               perp_direction *direction);

/* Newton's direction at x: (J + epsilon D_q diag(size)) dx = -F up to |residual| <= eta |F|. Returns
 * |F + J dx| / |F|, infinity where there is none: below 1 it is one of descent. */
double perp_direction_newton(perp_direction *direction, double epsilon, double eta);
/* Levenberg's and Marquardt's: (J^T J + nu I) dx = -J^T F with nu = epsilon |J^T F|^2 / |F|^2, by
 * conjugate gradients that end early rather than late: every iterate of theirs is a direction of
 * descent. False where A^T cannot be had, or the gradient J^T F is zero up to rounding. */
bool perp_direction_damped(perp_direction *direction, double epsilon);
/* dx = -t grad theta, with the t that minimises |F + J dx|. False where A^T cannot be had or the
 * gradient is zero up to rounding. */
bool perp_direction_gradient(perp_direction *direction);
