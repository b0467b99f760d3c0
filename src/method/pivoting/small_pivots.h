/* small_pivots.h: block pivots of a few rows in local arrays, for blockpivot.c and dantzig.c */
#pragma once

#include "method/run/method.h"

enum {
  PERP_SMALL_BOX = 32,      /* largest number of rows without friction */
  PERP_SMALL_FRICTION = 64, /* with friction */
  PERP_SMALL_STEPS = 12,    /* largest number of block pivots without a driver */
  PERP_BAND_LEAST = 16,     /* rows of a banded factor */
};

/* A by dense rows, for any operator. */
typedef struct perp_dense_rows {
  const double *a;
  int64_t stride; /* from row to row */
  bool symmetric; /* up to rounding */
} perp_dense_rows;

/* Uses the array of a dense A; otherwise a copy, which the solver keeps while the numbers of A are
 * unchanged: for a dozen rows reading a sparse matrix takes longer than solving. Returns false if A
 * has no rows or memory is out. */
bool perp_small_open_rows(perp_run *run, perp_dense_rows *rows);

/* Boxes of at most PERP_SMALL_BOX rows: shows x to the driver and makes block pivots from it.
 * Returns true if the run has ended; if not, x is the start again. */
bool perp_small_box(perp_run *run, double *x, int trials);

/* Friction: shows x to the driver and makes up to `steps` block pivots from it. Shows the solution
 * if they end at one; otherwise x is unchanged. It only shows x unless A is symmetric, has at most
 * PERP_SMALL_FRICTION rows, and K has friction indices. Returns true if the method is to continue. */
bool perp_small_friction(perp_run *run, int steps, double *x);

/* Both from x = 0 without a driver: perp_method.solve_small. */
bool perp_small_box_cold(perp_run *run, const struct perp_small *problem, perp_result *result,
                         double *x);
bool perp_small_friction_cold(perp_run *run, const struct perp_small *problem, perp_result *result,
                              double *x);
