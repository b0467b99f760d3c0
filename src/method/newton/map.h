/* map.h: a boxed problem as a system of equations, F(x) = 0
 *
 *   F_i(x) = box(c s_i x_i, c y_i / s_i),    y = A x + b,   the box scaled like x      (phi.h)
 *   J = D_p + D_q A,      theta = 1/2 |F|^2,      grad theta = J^T F = D_p F + A^T D_q F
 *
 * The weights s_i > 0 and the unit 1/c change no solution. s_i^2 = A_ii brings x_i and y_i to the
 * same size, as the change of variables that gives A a unit diagonal would; rows without a positive
 * diagonal take the geometric mean of the others. 1/c = max |b_i / s_i| frees F from the units of
 * the problem: F(0) is of order one. */
#pragma once

#include "base/random.h"
#include "method/newton/phi.h"
#include "method/run/method.h"

/* Which element of the generalised Jacobian is taken where F_i has no derivative, at a corner: x_i at
 * a bound and y_i = 0. The direction in which corners are left is */
typedef enum perp_strategy {
  PERP_STRATEGY_RANDOM,       /* any, row by row */
  PERP_STRATEGY_ZERO,         /* none: the middle of all elements, for an LCP p = q = 1 */
  PERP_STRATEGY_PERTURBATION, /* dx = 1 into the box, dy = 0: as if x_i were a little inside */
  PERP_STRATEGY_APPROXIMATION, /* whatever v is in J v ~ (F(x + h v) - F(x)) / h: no element at all */
  PERP_STRATEGY_ANALYTIC, /* (z, A z) with z = 1 into the box in all corners, 0 elsewhere: a limit of
                             Jacobians (De Luca, Facchinei, Kanzow 1996) */
} perp_strategy;

typedef struct perp_map {
  perp_run *run;
  int n;
  perp_phi phi;
  perp_strategy strategy;
  perp_random random;
  double c;        /* one over the unit */
  double *lo, *hi; /* bounds, infinite ones as infinities */
  double *s;       /* weights */
  double *p, *q;   /* D_p and D_q, by perp_map_linearise */
  double *v, *Av;  /* scratch */
  bool symmetric;  /* A^T = A: said by who knows */
} perp_map;

/* weighted = false: s = 1. */
perp_error perp_map_create(perp_run *run, perp_phi phi, perp_strategy strategy, bool weighted,
                           perp_map *map);
/* F; returns theta, infinity where it is not finite. */
double perp_map_value(const perp_map *map, const double *x, const double *y, double *F);
/* D_p and D_q at x. */
void perp_map_linearise(perp_map *map, const double *x, const double *y);
/* Jv <- D_p v + D_q A v, A v given. */
void perp_map_product(const perp_map *map, const double *v, const double *Av, double *Jv);
/* g <- J^T u. False where A can be multiplied from one side only and is not known to be symmetric. */
bool perp_map_transposed(perp_map *map, const double *u, double *g);
/* x <- its projection onto the box. */
void perp_map_project(const perp_map *map, double *x);
