/* brief.h: solves of a few rows, without a run around them
 *
 * For ten rows the driver takes longer than the method: loops over the rows for each check, the clock,
 * counters, the best iterate so far. If nobody listens and no limit is set, none of this can be seen
 * from outside, and one pass over the rows of b and K is enough. It checks the problem as
 * perp_problem_check does, finds form, scale and the residual at x = 0, and the verdict on the x that
 * a method finds is the driver's own. Whatever is out of the ordinary, a wrong input as well, is left to
 * the driver, which begins anew from the same start. So results are the same to the last bit and
 * count, but for the seconds: without a time limit the clock is not read. (dantzig, called by its name,
 * counts the look at the start, which the long way does not take.) */
#pragma once

#include "method/run/method.h"

enum { PERP_BRIEF = 64 /* rows at most */ };

/* What the pass over the rows has found. */
typedef struct perp_brief {
  perp_form form;
  double start_residual;
} perp_brief;

/* `method` has an entry `brief` or `few`. False: nothing was done, x is as it was, and the result is as
 * perp_call_begin makes it. True: solved; the result is filled. */
bool perp_brief_solve(const perp_method *method, const perp_problem *problem,
                      const perp_options *options, perp_arena *arena, struct perp_memory *memory,
                      double *x, perp_result *result);
