/* primal.h: what the files of the method `primal` share; primal.c has the mathematics */
#ifndef PERP_NEWTON_PRIMAL_H
#define PERP_NEWTON_PRIMAL_H

#include "method/newton/primal/hessian.h"

typedef struct perp_primal {
  perp_run *run;
  const perp_set *K;
  int n, m;
  bool coupled; /* some bounds follow normal impulses */
  perp_primal_rows rows;
  perp_primal_hessian H;
  double *lo, *hi;         /* n: infinite as infinity; of followers, times the normal */
  double *x;               /* n: the caller's */
  double *u;               /* m: scaled velocities */
  double *shift;           /* n: what is added to the velocities of normals with friction */
  double *z, *y;           /* n: G u + b + shift, and A x + b */
  double *d;               /* m: the step, or the gradient it is made of */
  double *q;               /* n: G d */
  perp_primal_curvature D; /* at z, or of a step in x */
  signed char *state;      /* n: at its lower bound, inside, at its upper bound */
  /* steps in x (primal_polish.c) */
  double *dx;     /* n */
  double *slope;  /* n: of a bound in its normal impulse */
  double *backup; /* n */
  double *good;   /* n: the solution with more compliance */
  double *krylov; /* for GMRES; m numbers if nothing is coupled */
} perp_primal;

enum { PERP_PRIMAL_RESTART = 40 }; /* vectors of GMRES */

/* ---- The convex problem (primal_response.c) ---- */

/* x, D and state at z. Returns whether any state changed. */
bool perp_primal_respond(perp_primal *s);
/* The t >= 0 that minimises along u + t d; q = G d, slope = the derivative at t = 0, below 0. */
double perp_primal_search(const perp_primal *s, double slope);
/* What De Saxce's form adds to the velocity of the normal of unit t, at y. */
double perp_primal_slip(const perp_primal *s, const perp_primal_unit *unit);

/* ---- Newton steps in x (primal_polish.c) ---- */

/* y <- A x + b by way of u = G^T x, which is left in s->u, and z = G u + b. */
void perp_primal_refresh(perp_primal *s);
/* x <- P_K(x + t dx), and what perp_primal_refresh does, with dx a Newton step on the natural map
 * at x, y and t <= 1 such that the map becomes smaller. False if there is none. */
bool perp_primal_polish(perp_primal *s);

#endif
