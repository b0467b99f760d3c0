/* blockpivot_small.h: block principal pivoting of a few rows, for blockpivot.c */
#pragma once

#include "method/run/method.h"

enum { PERP_BLOCKPIVOT_SMALL = 32, PERP_BAND_LEAST = 16 /* rows of a banded factor */ };

/* From x, with its first word to the driver; at most PERP_BLOCKPIVOT_SMALL rows. Whether the run has
 * ended; if not, x is the start again, or what the driver has just refused. */
bool perp_blockpivot_small(perp_run *run, double *x, int trials);
/* The same from 0 without a driver, see perp_method.solve_small. */
bool perp_blockpivot_few(perp_run *run, const struct perp_small *problem, perp_result *result,
                         double *x);
