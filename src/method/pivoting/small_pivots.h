/* small_pivots.h: block pivots of a few rows in local arrays, for blockpivot.c and dantzig.c */
#pragma once

#include "method/run/method.h"

enum {
  PERP_SMALL_BOX = 32,      /* rows at most, without friction */
  PERP_SMALL_FRICTION = 64, /* with friction */
  PERP_SMALL_STEPS = 12,    /* block pivots at most before a driver is needed */
  PERP_BAND_LEAST = 16,     /* rows of a banded factor */
};

/* Boxes: block pivots from x, with its first word to the driver; at most PERP_SMALL_BOX rows. Returns
 * true if the run has ended; if not, x is the start again. */
bool perp_small_box(perp_run *run, double *x, int trials);

/* Friction: up to so many block pivots from x, which is shown to the driver, as is the solution if they
 * end at one; else x is as it was. *fits: A is symmetric, of at most PERP_SMALL_FRICTION rows, and K has
 * friction indices; if not, x is shown, and no more. Returns true if the method is to go on. */
bool perp_small_friction(perp_run *run, int steps, double *x, bool *fits);

/* Both from x = 0 without a driver: perp_method.solve_small. */
bool perp_small_box_cold(perp_run *run, const struct perp_small *problem, perp_result *result,
                         double *x);
bool perp_small_friction_cold(perp_run *run, const struct perp_small *problem, perp_result *result,
                              double *x);
