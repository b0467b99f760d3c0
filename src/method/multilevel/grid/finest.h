/* finest.h: grid 0 in double precision, on which the problem itself is relaxed
 *
 * x, b and the bounds have the layout of the stencil's relaxer. The hierarchy below sees x / size,
 * so that floats neither overflow nor underflow. */
#pragma once

#include "method/multilevel/grid/grid.h"

typedef struct perp_finest {
  perp_run *run;
  const perp_stencil *s; /* NULL: A is not a grid */
  perp_set plain;        /* x >= 0, if x is measured from the lower bounds; otherwise n = 0 */
  perp_relaxer *relaxer;
  perp_lattice *g; /* of the relaxer */
  perp_grids grids;
  double size;     /* of x in the hierarchy's units */
  float *diagonal; /* divided by the unit; NULL: `common` for all */
  float common;
  double residual; /* at the last restriction; 0 before */
  double *buffer;  /* a row, twice */
  double *step;    /* a correction, for the line search; NULL until needed */
  int own[3][2];   /* own cells begin .. end-1 along each axis, for residuals and sums: all cells,
                  * or a process's part without its copies of neighbouring cells */
} perp_finest;

/* Returns true if x is counted from its lower bounds, and the upper bounds are ignored. */
bool perp_finest_counts_from_lower(perp_run *run);
/* Determines the free cells and updates the hierarchy. Returns the number of own cells that
 * changed. */
int64_t perp_finest_mark(perp_finest *f);
/* step <- P(x + correction) - x in all cells, energy <- its product with y and with A step, over
 * the own cells. Returns false if out of memory. Then x <- P(x + length step). */
bool perp_finest_search(perp_finest *f, double energy[2]);
void perp_finest_step(perp_finest *f, double length);
/* Returns the a in [0, 1] that minimises the energy a slope + a^2/2 bend. */
static inline double perp_energy_length(const double energy[2])
{
  const double slope = energy[0], bend = energy[1];
  return slope < 0 ? (bend > -slope ? -slope / bend : 1) : 0;
}
/* Estimates the natural residual from the largest restricted one: a coarse cell sums half its
 * cells, the red ones. */
static inline double perp_residual_estimate(const perp_grid *g, double unit, double size,
                                            double most)
{
  const int red = (1 + g->halve[0]) * (1 + g->halve[1]) * (1 + g->halve[2]) / 2;
  return unit * size * most / red;
}
/* Makes buffers and only grid 0, divided by `unit`, for the relaxer. */
bool perp_finest_begin(perp_finest *f, double unit, double scale);
/* x <- P(x + correction) in the black cells; a sweep must follow. */
void perp_finest_correct(perp_finest *f);
/* x <- P(interpolated values) in all cells. */
void perp_finest_prolong(perp_finest *f);

/* ---- finest_residual.c ---- */

/* Returns the natural residual at x, close to exact. */
double perp_finest_residual(perp_finest *f);
/* Restricts the red residuals after a sweep. Returns an estimate of the natural residual from the
 * coarse cells, or the exact one if that is near the target. */
double perp_finest_restrict(perp_finest *f);
/* Restricts only the red residuals, into the next grid's flat array. */
void perp_finest_restrict_red(perp_finest *f);
/* Adds c^T y and c^T A c of a row, c being `step`. */
void perp_finest_line_row(perp_finest *f, int j, int k, int colour, double *slope, double *bend);

/* start.c: full multigrid. x <- the start from coarse grids, each problem solved by `cycles` cycles
 * from the one before. */
void perp_finest_start(perp_finest *f, int cycles, perp_smoothing fine, perp_smoothing coarse);
/* Its parts: the problem on grid level + 1, in flat, lo and hi; its solution on grid `first` from
 * the problem there; x <- P(x + interpolated), or P(interpolated), on one colour; free cells of a
 * coarse grid; and the set K there. */
void perp_start_load(perp_finest *f, int level);
void perp_start_solve(perp_finest *f, int first, int cycles, perp_smoothing fine,
                      perp_smoothing coarse);
void perp_start_interpolate(perp_finest *f, int level, perp_grid_set set, int colour, bool add);
void perp_start_mark(perp_finest *f, int level, perp_grid_set set);
perp_grid_set perp_finest_set(const perp_finest *f);
