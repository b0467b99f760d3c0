/* descent.h: Newton's method on the map of fischer_map.h, made global by descent of theta = 1/2
 * |F|^2
 *
 * The caller takes one step at a time and may change F between steps. descent.c has the
 * mathematics. */
#pragma once

#include "method/newton/fischer_map.h"
#include "method/newton/newton.h"

typedef struct perp_descent_parameters {
  perp_newton_parameters newton;
  int strategy;
  double lambda;
  int weighted;
  int projected;
  int window;
  double regularise;
  int restarts;
} perp_descent_parameters;

extern const char *const perp_strategy_words[]; /* perp_strategy; the last is number 4 */

#define PERP_DESCENT_PARAMETERS                                                                    \
  PERP_CHOICE(perp_descent_parameters, strategy, PERP_STRATEGY_ANALYTIC, 4, perp_strategy_words,   \
              "element of the Jacobian where x_i is at a bound and y_i = 0"),                      \
      PERP_FLAG(perp_descent_parameters, weighted, 1,                                              \
                "bring x and y to the same size by diag(A)"),                                      \
      PERP_FLAG(perp_descent_parameters, projected, 0,                                             \
                "search along the projected direction first"),                                     \
      PERP_INTEGER(perp_descent_parameters, window, 5, 1, PERP_DESCENT_WINDOW,                     \
                   "number of earlier iterates that a new one is compared with; 1: monotone"),     \
      PERP_REAL(perp_descent_parameters, regularise, 1e-3, 0, 1e3,                                 \
                "epsilon of A + epsilon diag(A) at the first step"),                               \
      PERP_INTEGER(perp_descent_parameters, restarts, 3, 0, 1000,                                  \
                   "restarts from perturbed points after stagnation")

enum { PERP_DESCENT_WINDOW = 32 };

/* A direction of descent for theta. */
typedef struct perp_direction {
  perp_map *map;
  /* one of the two, by the map's strategy */
  perp_linear_system *system;
  struct perp_difference *difference;
  const double *x, *F; /* the caller's current point and F there */
  double *dx, *Adx;    /* the direction, and A times it */
  double slope;        /* of theta along it: F^T J dx */
  double *size;        /* n: |A_ii|, or their mean if that is 0 */
  double *r, *z, *d;   /* n each */
  double *work;        /* of the normal equations */
  int *rows;
} perp_direction;

typedef struct perp_descent {
  perp_run *run;
  const perp_descent_parameters *par;
  perp_map map;
  perp_direction direction;
  int n;
  double *x; /* the caller's */
  double *y, *F;
  double theta;
  double damping; /* of the regularisation */
  double eta;     /* the last forcing term, and its |F| */
  double before;
  double recent[PERP_DESCENT_WINDOW]; /* theta of the last iterates */
  int count;                          /* iterates in `recent` */
  bool monotone;                      /* for any window */
  double *new_x, *new_y, *new_F;
  double new_theta;
  bool descends; /* the last step had a direction of descent */
} perp_descent;

/* Opens at x. Close it whatever is returned. Take no lasting memory from the arena afterwards. */
perp_error perp_descent_open(perp_run *run, const perp_descent_parameters *par, perp_phi phi,
                             double *x, perp_descent *s);
void perp_descent_close(perp_descent *s);
/* Computes y, F and theta at x after the caller changed x or the map; forgets earlier steps. */
void perp_descent_start(perp_descent *s);
/* Takes one step. Returns its length in Newton directions, 0 if x has not moved: no direction of
 * descent, or no decrease along it. */
double perp_descent_step(perp_descent *s);
