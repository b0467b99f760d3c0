/* small_solve.h: solves of a few rows without a driver
 *
 * For ten rows the driver takes longer than the method: loops over the rows for each check, the clock,
 * counters, the best iterate so far. If nobody listens and no limit is set, none of this can be seen
 * from outside, and one pass over the rows of b and K is enough. It checks the problem as
 * perp_problem_validate does, finds form, scale and the residual at x = 0; the method has an x, and the
 * judge is the driver's. Everything out of the ordinary, a wrong input as well, is left to the driver,
 * which begins anew from the same start. So results are the same to the last bit and count, except for
 * the seconds: without a time limit the clock is not read. (dantzig, called by its name, counts the
 * check of the start, which its run with a driver does not make.) */
#pragma once

#include "method/run/method.h"

enum { PERP_SMALL_ROWS = 64 /* at most */ };

/* What the pass over the rows has found, for perp_method.solve_small. */
typedef struct perp_small {
  perp_form form;
  double start_residual;
  bool solved; /* x = 0 meets the target: a method that may refuse the problem returns false then */
} perp_small;

/* `method` has an entry `solve_small`. False: nothing was done, x is as it was, and the result is as
 * perp_call_begin makes it. True: solved; the result is filled. */
bool perp_small_solve(const perp_method *method, const perp_problem *problem,
                      const perp_options *options, perp_arena *arena, struct perp_memory *memory,
                      double *x, perp_result *result);
