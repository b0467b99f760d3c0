/* small_solve.h: solves a few rows without a driver
 *
 * For ten rows the driver takes longer than the method: loops over the rows for each check, the
 * clock, counters, the best iterate so far. Without an observer and limits none of this is visible
 * outside, and one pass over b and K suffices. It checks the problem as perp_problem_validate does
 * and finds form, scale and the residual at x = 0; then the method computes x, and the driver's
 * judge judges it. The driver takes over all unusual cases, wrong input included, and starts again
 * from the same start. So results agree to the last bit and count, except for the seconds: without
 * a time limit the clock is not read. Contacts with dim come here after they were taken apart
 * (method/run/cones_first.c). (dantzig and ssn, called by their name, count the check of
 * the start, which their runs with a driver do not make.) */
#pragma once

#include "method/run/method.h"

enum { PERP_SMALL_ROWS = 64 /* at most */ };

/* Results of the pass over the rows, for perp_method.solve_small. */
typedef struct perp_small {
  perp_form form;
  double start_residual;
  bool solved; /* x = 0 meets the target: a method that may refuse the problem returns false then */
} perp_small;

/* `method` has an entry `solve_small`. Returns true if solved, with the result filled. Returns
 * false if nothing was done: x is unchanged, and the result is as perp_call_begin makes it. */
bool perp_small_solve(const perp_method *method, const perp_problem *problem,
                      const perp_options *options, perp_arena *arena, struct perp_memory *memory,
                      double *x, perp_result *result);
