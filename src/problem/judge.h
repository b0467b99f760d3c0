/* judge.h: the residual as the verdict takes it
 *
 * If A has its rows at hand, y = A x + b is summed up in twice the precision: with entries of
 * very different sizes a plain sum may lose what decides. So may the product of a friction bound
 * with a large normal, which is not rounded on its own. */
#pragma once

#include "operator/operator.h"
#include "verdict/verdict.h"
#include <perp/problem.h>

/* The part of perp_problem_validate that reads no array of numbers. */
perp_error perp_problem_validate_sizes(const perp_problem *p, perp_message *why);

/* Bytes of workspace that perp_judge needs beside y and the scratch of a product. */
size_t perp_judge_bytes(const perp_operator *A);

/* The natural residual at x; y <- A x + b. `room` has perp_judge_bytes(A) bytes, aligned for
 * doubles. */
double perp_judge(const perp_problem *p, const double *x, double *y, const perp_work *work,
                  void *room);

/* The natural residual with y given; in friction rows x - mu |x_j| is rounded but once. */
double perp_residual_exact(const perp_problem *p, const double *x, const double *y);
