/* finest.h: grid 0 in double precision, on which the problem itself is relaxed: all of it, or the
 * part of one of several processes, with copies of its neighbours' cells around
 *
 * x, b and the bounds have the layout of the stencil's relaxer. The hierarchy below sees x / size,
 * so that floats neither overflow nor underflow. */
#pragma once

#include "method/multilevel/grid/grid.h"
#include "method/multilevel/grid/kernel/flow.h"

typedef struct perp_finest {
  perp_mg_place place;   /* first: a perp_mg_place is its own address */
  perp_flow flow;        /* makes the steps; over several processes with exchanges */
  const perp_stencil *s; /* NULL: A is not a grid */
  perp_set plain;        /* x >= 0, if x is measured from the lower bounds */
  bool from_lower;       /* it is, and the upper bounds are ignored */
  bool stale;            /* the grids below grid 0 are those of the last solve */
  perp_lattice *g;       /* of the relaxer */
  perp_grids grids;
  double size;     /* of x in the hierarchy's units */
  float *diagonal; /* divided by the unit; NULL: `common` for all */
  float common;
  double residual; /* at the last restriction; 0 before */
  double *buffer;  /* a row */
  double *step;    /* a correction, for the line search; NULL until needed */
  int own[3][2];   /* own cells begin .. end-1 along each axis, for residuals and sums */
  /* results of steps: of PREPARE and NATURAL of own cells, of STEP sums over own cells */
  double natural, energy[2];
  int64_t changed;
} perp_finest;

/* Returns true if x is counted from its lower bounds, and the upper bounds are ignored. */
bool perp_finest_counts_from_lower(perp_run *run);
/* Opens the relaxer of the run's problem at x. Far upper bounds may be ignored, unless `whole`. */
perp_error perp_finest_relax(perp_finest *f, double *x, bool whole, perp_message *why);
/* Makes only grid 0 of f->s, divided by `unit`, and its diagonal. */
bool perp_finest_begin(perp_finest *f, double unit);
/* Makes what depends on the relaxer: the buffer, the size of x, and own cells: all. */
bool perp_finest_measure(perp_finest *f);
/* Sets the functions of f->place, and what they read of the hierarchy. */
void perp_finest_place(perp_finest *f);

/* Determines the free cells and updates the hierarchy. Returns the number of own cells that
 * changed. */
int64_t perp_finest_mark(perp_finest *f);
/* Estimates the natural residual from the largest restricted one: a coarse cell sums half its
 * cells, the red ones. */
static inline double perp_residual_estimate(const perp_grid *g, double unit, double size,
                                            double most)
{
  const int red = (1 + g->halve[0]) * (1 + g->halve[1]) * (1 + g->halve[2]) / 2;
  return unit * size * most / red;
}
/* x <- P(x + correction) in the black cells; a sweep must follow. */
void perp_finest_correct(perp_finest *f);
/* x <- P(interpolated values) in all cells. */
void perp_finest_prolong(perp_finest *f);

/* ---- finest_residual.c ---- */

/* Returns the natural residual of the own cells at x, close to exact. */
double perp_finest_residual(perp_finest *f);
/* Restricts the red residuals after a sweep, into the next grid's flat array. Returns an estimate of
 * the natural residual of all processes from the coarse cells, or the exact one if that is near the
 * target. */
double perp_finest_restrict(perp_finest *f);

/* ---- start.c ---- */

/* Makes a step on this process's grids alone, both halves of a sweep in one: the perp_flow.step of a
 * single process. The second assumes that x of the next grid is in its flat array. */
void perp_finest_flow_step(void *finest, int op, int level, int colour, int set);
void perp_finest_own_step(perp_finest *f, int op, int level, int colour, int set);
/* Returns true if a step reads the next grid's flat array. */
bool perp_grid_op_interpolates(int op);
/* Makes a step on grid 0. */
void perp_finest_make(perp_finest *f, int op);
/* Returns the set K of coarse problems. */
perp_grid_set perp_finest_set(const perp_finest *f);
