/* coupling.h: friction bounds that follow their normals, on given index sets; coupling.c has the
 * mathematics */
#ifndef PERP_METHOD_PIVOTING_COUPLING_H
#define PERP_METHOD_PIVOTING_COUPLING_H

#include "method/pivoting/principal.h"

typedef struct perp_coupling {
  perp_run *run;
  const perp_problem *p;
  perp_principal e; /* the box problem with frozen bounds; its C is the set of all solves here */
  bool skew;        /* A is not symmetric: what is left over of it is frozen with the bounds */
  bool coupled;     /* skew, or there are friction rows */
  double *point;    /* n: the iterate, not necessarily within its bounds */
  double *y;        /* n: A point + b */
  double *before;   /* n: the point that y belongs to, while it is carried on */
  double *best;     /* n: the best point of some steps; the owner's to use */
  double *scratch;  /* n */
  double *r;        /* n */
  int *side;        /* n: -1 and 1 at the bounds, 0 inside */
  int *rows;        /* F: the friction rows at a bound that moves, `count` of them */
  int count;        /* */
  double *ratio;    /* x of row rows[k] over x of its normal */
  double *krylov;   /* vectors of GMRES */
} perp_coupling;

/* Everything from the run's arena; the engine works on x. */
perp_error perp_coupling_create(perp_run *run, const perp_problem *p, double *x, perp_coupling *c);

/* Bounds of the box problem, and its b where A is not symmetric, from the engine's x. Its w is
 * up to date afterwards only where A is not symmetric. */
void perp_coupling_freeze(perp_coupling *c);
/* Projected Gauss-Seidel sweeps with true bounds on the engine's x and w; with `guess` they end
 * when the sides of all rows have stayed for two sweeps. Returns whether they stayed in the last. */
bool perp_coupling_sweep(perp_coupling *c, int sweeps, bool guess);
/* One block principal pivot: the sides that point and y say, C from them, and the next point with
 * its y. Returns the natural residual of that point. */
double perp_coupling_step(perp_coupling *c);

#endif
