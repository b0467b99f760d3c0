/* judge.h: the residual that the verdict uses
 *
 * If A has its rows stored, y = A x + b is summed in twice the precision, because a plain sum over
 * entries of very different sizes may lose the decisive digits. For the same reason the product of
 * a friction bound with a large normal is not rounded separately. */
#pragma once

#include "operator/operator.h"
#include "verdict/verdict.h"
#include <perp/problem.h>

/* The part of perp_problem_validate that reads no array of values. */
perp_error perp_problem_validate_sizes(const perp_problem *p, perp_message *why);

/* Returns the bytes of workspace that perp_judge needs besides y and the scratch of a product. */
size_t perp_judge_bytes(const perp_operator *A);

/* Returns the natural residual at x; y <- A x + b. `room` has perp_judge_bytes(A) bytes, aligned
 * for doubles. */
double perp_judge(const perp_problem *p, const double *x, double *y, const perp_work *work,
                  void *room);

/* Returns the natural residual for a given y; in friction rows x - mu |x_j| is rounded only
 * once. */
double perp_residual_exact(const perp_problem *p, const double *x, const double *y);
