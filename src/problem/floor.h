/* floor.h: how small the natural residual of numbers in doubles can be expected to be, and the
 * residual of numbers in two doubles each
 *
 * `room` has perp_judge_bytes(A) bytes, as for perp_judge. */
#pragma once

#include "operator/operator.h"
#include <perp/problem.h>

/* Whether the entries of A are at hand as they are: only then can either be told. */
static inline bool perp_floor_is_known(const perp_operator *A)
{
  return A->table->row && A->table->exact_rows;
}

/* The floor at x, not scaled; 0 if it overflows. */
double perp_problem_floor(const perp_problem *p, const double *x, void *room);

/* The natural residual of x + low for boxes, y <- A (x + low) + b, both in twice the precision. */
double perp_judge_low(const perp_problem *p, const double *x, const double *low, double *y,
                      void *room);
