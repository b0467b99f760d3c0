/* floor.h: the rounding floor of the natural residual in doubles, and the residual of numbers
 * stored as two doubles each
 *
 * `room` has perp_judge_bytes(A) bytes, as for perp_judge. */
#pragma once

#include "operator/operator.h"
#include <perp/problem.h>

/* Returns true if the exact entries of A are stored; the functions below need them. */
static inline bool perp_floor_is_known(const perp_operator *A)
{
  return A->table->row && A->table->exact_rows;
}

/* Returns the floor at x, not scaled; 0 if it overflows. */
double perp_problem_floor(const perp_problem *p, const double *x, void *room);

/* Returns the natural residual of x + low for boxes, y <- A (x + low) + b, both in twice the
 * precision. */
double perp_judge_low(const perp_problem *p, const double *x, const double *low, double *y,
                      void *room);
