/* fischer_map.h: a boxed problem as a system of equations, F(x) = 0
 *
 *   F_i(x) = box(c s_i x_i, c y_i / s_i),    y = A x + b,   the box scaled like x      (below)
 *   J = D_p + D_q A,      theta = 1/2 |F|^2,      grad theta = J^T F = D_p F + A^T D_q F
 *
 * The weights s_i > 0 and the unit 1/c change no solution. s_i^2 = A_ii brings x_i and y_i to the
 * same size, as the change of variables that gives A a unit diagonal would; rows without a positive
 * diagonal take the geometric mean of the others. 1/c = max |b_i / s_i| frees F from the units of
 * the problem: F(0) is of order one. */
#pragma once

#include "base/elementary.h"
#include "base/random.h"
#include "method/run/method.h"

#include <math.h>

/* ---- Functions whose zeros are the complementary pairs, with their derivatives ----
 *
 *   phi(a, b) = lambda (a + b - r) + (1 - lambda) a+ b+,     r = sqrt(a^2 + b^2 + 2 mu)
 *
 * lambda = 1, mu = 0: Fischer and Burmeister (Fischer 1992), zero if and only if 0 <= a _|_ b >= 0;
 * lambda < 1: the penalised function of Chen, Chen and Kanzow (2000), with the same zeros, that
 *     grows if a and b are both large; mu > 0: Kanzow's smoothing (1996), zero for a, b > 0
 *     and a b = mu.
 *
 * These forms avoid cancellation, however different a and b are in size: with a + b > 0
 *
 *   a + b - r = 2 (a b - mu) / (a + b + r),        1 - a / r = (b^2 + 2 mu) / (r (r + a)) for a > 0.
 *
 * At a = b = 0 phi has no derivative; its elements there are the limits along a direction (da, db),
 * (1 - da, 1 - db) with |(da, db)| = 1, and their convex hull, of which da = db = 0 is the middle.
 *
 * A box (Billups 1995) has
 *
 *   f(x, y) = phi(x - lo, g(x, y)),   g(x, y) = -phi(hi - x, -y),
 *
 * with g = y if hi is infinite and f = g if lo is. By the chain rule, with phi' at the arguments
 * above,
 *
 *   g_x = phi_a,  g_y = phi_b;    f_x = phi_a + phi_b g_x,  f_y = phi_b g_y,    none negative. */

typedef struct perp_phi {
  double lambda;
  double mu;
} perp_phi;

/* A value with its derivatives by the two arguments. */
typedef struct perp_slopes {
  double value, a, b;
} perp_slopes;

/* (da, db): the direction from which the element at a = b = 0 is the limit; (0, 0) gives the centre
 * of the convex hull. */
static inline perp_slopes perp_phi_pair(const perp_phi *f, double a, double b, double da, double db)
{
  const double root = f->mu > 0 ? perp_hypot(perp_hypot(a, b), sqrt(2 * f->mu)) : perp_hypot(a, b);
  perp_slopes s;
  if (root == 0) {
    const double length = perp_hypot(da, db);
    s = (perp_slopes){0, length > 0 ? 1 - da / length : 1, length > 0 ? 1 - db / length : 1};
  } else {
    const double extra = 2 * f->mu / root;
    s.value = a + b > 0 ? 2 * (a * (b / (a + b + root)) - f->mu / (a + b + root)) : a + b - root;
    s.a = a > 0 ? (b * (b / root) + extra) / (root + a) : 1 - a / root;
    s.b = b > 0 ? (a * (a / root) + extra) / (root + b) : 1 - b / root;
  }
  const double rest = 1 - f->lambda;
  if (rest > 0) {
    s.value = f->lambda * s.value + (a > 0 && b > 0 ? rest * a * b : 0);
    s.a = f->lambda * s.a + (a > 0 && b > 0 ? rest * b : 0);
    s.b = f->lambda * s.b + (a > 0 && b >= 0 ? rest * a : 0);
  }
  return s;
}

/* (dx, dy): the direction of that limit at points (x, y) without a derivative. */
static inline perp_slopes perp_phi_box(const perp_phi *f, double x, double y, double lo, double hi,
                                       double dx, double dy)
{
  perp_slopes g = {y, 0, 1};
  if (hi < INFINITY) {
    g = perp_phi_pair(f, hi - x, -y, -dx, -dy);
    g.value = -g.value;
  }
  if (lo == -INFINITY)
    return g;
  const perp_slopes s = perp_phi_pair(f, x - lo, g.value, dx, g.a * dx + g.b * dy);
  return (perp_slopes){s.value, s.a + s.b * g.a, s.b * g.b};
}

/* ---- The map ---- */

/* The element of the generalised Jacobian at a corner: x_i at a bound and y_i = 0, where F_i has no
 * derivative. It is the limit along */
typedef enum perp_strategy {
  PERP_STRATEGY_RANDOM,        /* a random direction, row by row */
  PERP_STRATEGY_ZERO,          /* no direction: the centre of all elements, p = q = 1 for an LCP */
  PERP_STRATEGY_PERTURBATION,  /* dx = 1 into the box, dy = 0: as if x_i were a little inside */
  PERP_STRATEGY_APPROXIMATION, /* the v of J v ~ (F(x + h v) - F(x)) / h; not an element */
  PERP_STRATEGY_ANALYTIC, /* (z, A z) with z = 1 into the box in all corners, 0 elsewhere: a limit of
                             Jacobians (De Luca, Facchinei, Kanzow 1996) */
} perp_strategy;

typedef struct perp_map {
  perp_run *run;
  int n;
  perp_phi phi;
  perp_strategy strategy;
  perp_random random;
  double c;        /* 1 / unit */
  double *lo, *hi; /* bounds, infinite ones as infinities */
  double *s;       /* weights */
  double *p, *q;   /* D_p and D_q, by perp_map_linearise */
  double *v, *Av;  /* scratch */
  bool symmetric;  /* A^T = A, set by the caller */
} perp_map;

/* weighted = false: s = 1. */
perp_error perp_map_create(perp_run *run, perp_phi phi, perp_strategy strategy, bool weighted,
                           perp_map *map);
/* F <- F(x). Returns theta, infinity if it is not finite. */
double perp_map_value(const perp_map *map, const double *x, const double *y, double *F);
/* Sets D_p and D_q at x. */
void perp_map_linearise(perp_map *map, const double *x, const double *y);
/* Jv <- D_p v + D_q A v, A v given. */
void perp_map_product(const perp_map *map, const double *v, const double *Av, double *Jv);
/* g <- J^T u. Returns false if A has no product with its transpose and is not known to be
 * symmetric. */
bool perp_map_transposed(perp_map *map, const double *u, double *g);
/* Projects x onto the box. */
void perp_map_project(const perp_map *map, double *x);
