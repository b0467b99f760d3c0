/* place.h: where mg works on a grid: the processor or a device
 *
 * The loop in mg.c is the same for both. */
#pragma once

#include "method/multilevel/grid/grid.h"

typedef struct perp_mg_place perp_mg_place;
struct perp_mg_place {
  perp_run *run;
  perp_relaxer *relaxer; /* whose store brings x up to date */
  bool cold;             /* x is 0 on entry */
  perp_error failure;    /* of a device or for lack of memory, with the run's message */
  /* The natural residual at x, close to exact. */
  double (*residual)(perp_mg_place *p);
  /* Full multigrid from x = 0. */
  void (*start)(perp_mg_place *p, int cycles, perp_smoothing fine, perp_smoothing coarse);
  void (*sweep)(perp_mg_place *p, int count);
  /* Finds the free cells, how many changed, and restricts the residual, of which it returns an
   * estimate. */
  double (*prepare)(perp_mg_place *p, int64_t *changed);
  /* A V-cycle and its correction; careful: with a line search. */
  void (*correct)(perp_mg_place *p, perp_smoothing coarse, bool careful);
  /* Whether x is over a bound that was left out; then the grid is opened again with all bounds. */
  bool (*exceeds)(perp_mg_place *p);
  perp_error (*reopen)(perp_mg_place *p, double *x);
};

/* *place in the arena of the run; NULL if A is no grid. If the run has ended, it is not usable. */
perp_error perp_mg_here(perp_run *run, double *x, perp_mg_place **place);
perp_error perp_mg_there(perp_run *run, double *x, perp_mg_place **place);
