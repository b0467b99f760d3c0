/* judge.h: the residual that the verdict uses
 *
 * If A has its rows stored, y = A x + b is summed in twice the precision, because a plain sum over
 * entries of very different sizes may lose the decisive digits. For the same reason the product of
 * a friction bound with a large normal is not rounded separately. */
#pragma once

#include "base/memory.h"
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

/* ---- The rounding floor of the residual, and numbers stored as two doubles each (floor.c) ----
 *
 * `room` has perp_judge_bytes(A) bytes, as for perp_judge. */

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

/* ---- Certificates (prove.c) ---- */

/* Returns true if u is a certificate, without rounding, for the exact doubles of the problem;
 * prove.c has the conditions. Also returns false if this cannot be decided: A computes its entries,
 * or memory ran out; `why`, which may be NULL, gives the reason. Temporary memory is from the arena
 * and released. */
bool perp_prove(const perp_problem *p, const double *u, perp_arena *arena, perp_message *why);
