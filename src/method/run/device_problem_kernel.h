/* device_problem_kernel.h: kernels over the unknowns of a problem on a grid: checks of its numbers,
 * and the verdict
 *
 * Each computes a number per unknown, and the task's word keeps the largest (the bits of a
 * nonnegative number, NaN above all) or counts them. Bounds of magnitude 1e300 and more are
 * infinite. */
#pragma once

#include "device/device.h"
#include "device/values.h"
#include "operator/stencil/stencil_kernel.h"

#include <string.h>

extern const perp_kernel perp_kernel_rows; /* a perp_rows_op of perp_rows_task (device_problem.c) */

typedef enum perp_rows_op {
  /* the largest number: */
  PERP_ROWS_JUDGE,    /* y <- A x + b; the natural residual */
  PERP_ROWS_ROUNDING, /* rounding that may be added to it */
  PERP_ROWS_SIZE_B,   /* |b| */
  PERP_ROWS_SIZE_LO,
  PERP_ROWS_ABOVE_0, /* lo if it is above 0 */
  /* the number of unknowns: */
  PERP_ROWS_WRONG,      /* with b or x that is not finite, or an empty box */
  PERP_ROWS_NOT_FINITE, /* with x that is not finite */
  PERP_ROWS_NEAR_HI,    /* with hi at most `near` */
  PERP_ROWS_NOT_PLAIN,  /* with bounds other than x >= 0 */
  PERP_ROWS_BOUNDED,    /* with a bound at all */
  PERP_ROWS_NOT_ZERO,   /* with x not 0 */
  PERP_ROWS_DIFFER,     /* with a bit of x other than in y */
  PERP_ROWS_OPS,
} perp_rows_op;

typedef struct perp_rows_task {
  perp_stencil_cells A;
  int64_t count;             /* of unknowns */
  const double *b, *lo, *hi; /* lo NULL: 0; hi NULL: infinity */
  const double *x;
  double *y;
  double near;
  uint64_t *word;
} perp_rows_task;

enum { PERP_ROW_LENGTH = 1024 }; /* unknowns (m, j): number PERP_ROW_LENGTH j + m */

static inline void perp_rows_extent(const perp_rows_task *t, int op, int extent[3])
{
  const bool cells = op <= PERP_ROWS_ROUNDING;
  extent[0] = cells ? t->A.n[0] : PERP_ROW_LENGTH;
  extent[1] = cells ? t->A.n[1] : (int)((t->count + PERP_ROW_LENGTH - 1) / PERP_ROW_LENGTH);
  extent[2] = cells ? t->A.n[2] : 1;
}

TEAM bool perp_rows_differ(double x, double y)
{
  uint64_t a, b;
  memcpy(&a, &x, sizeof a);
  memcpy(&b, &y, sizeof b);
  return a != b;
}

/* ---- The verdict: over cells ---- */

/* y <- A x + b summed in twice the precision, from the given numbers. Returns |mid(x - hi, y,
 * x - lo)|, infinity if a number is not finite. */
TEAM double perp_rows_judge(const perp_rows_task *t, int i, int j, int k)
{
  const perp_stencil_cells *A = &t->A;
  const int64_t cell = perp_stencil_number(A, i, j, k), u = perp_stencil_row(A, cell);
  if (u < 0)
    return 0;
  const int at[3] = {i, j, k};
  const double x = t->x[u];
  double high = t->b[u], low = 0;
  perp_twice_add(perp_stencil_entry(A, cell), x, &high, &low);
  for (int axis = 0; axis < A->axes; axis++)
    for (int upper = 0; upper < 2; upper++) {
      int64_t next;
      const double w = perp_stencil_face(A, at, axis, upper, &next);
      if (next >= 0)
        perp_twice_add(-w, t->x[next], &high, &low);
    }
  const double y = high + low, below = x - perp_value_lo(t->lo, u),
               above = x - perp_value_hi(t->hi, u);
  t->y[u] = y;
  return perp_natural_row(x, y, below, above);
}

/* Returns e = 2 u |A| |x| of a row that is not at a bound with |y| > 2 e (problem/floor.c). */
TEAM double perp_rows_rounding(const perp_rows_task *t, int i, int j, int k)
{
  const perp_stencil_cells *A = &t->A;
  const int64_t cell = perp_stencil_number(A, i, j, k), u = perp_stencil_row(A, cell);
  if (u < 0)
    return 0;
  const int at[3] = {i, j, k};
  const double x = t->x[u], own = perp_stencil_entry(A, cell) * x;
  double y = t->b[u] + own, size = fabs(own);
  for (int axis = 0; axis < A->axes; axis++)
    for (int upper = 0; upper < 2; upper++) {
      int64_t next;
      const double w = perp_stencil_face(A, at, axis, upper, &next);
      const double term = next < 0 ? 0 : -w * t->x[next];
      y += term;
      size += fabs(term);
    }
  const double error = 0x1p-52 * size;
  const bool beyond =
      y - 2 * error > x - perp_value_lo(t->lo, u) || y + 2 * error < x - perp_value_hi(t->hi, u);
  return beyond ? 0 : error;
}

/* ---- Dispatch ---- */

TEAM double perp_rows_at(int op, const perp_rows_task *t, int m, int j, int k)
{
  const double infinity = (double)INFINITY;
  const int64_t u = (int64_t)j * PERP_ROW_LENGTH + m;
  if (op == PERP_ROWS_JUDGE)
    return perp_rows_judge(t, m, j, k);
  if (op == PERP_ROWS_ROUNDING)
    return perp_rows_rounding(t, m, j, k);
  if (u >= t->count)
    return 0;
  switch (op) {
  case PERP_ROWS_NOT_FINITE:
    return perp_value_is_finite(t->x[u]) ? 0 : 1;
  case PERP_ROWS_SIZE_B:
    return fabs(t->b[u]);
  case PERP_ROWS_NOT_ZERO:
    return t->x[u] != 0 ? 1 : 0;
  case PERP_ROWS_DIFFER:
    return perp_rows_differ(t->x[u], t->y[u]) ? 1 : 0;
  default:
    break;
  }
  const double lo = perp_value_lo(t->lo, u), hi = perp_value_hi(t->hi, u);
  switch (op) {
  case PERP_ROWS_WRONG:
    return perp_value_is_finite(t->b[u]) && perp_value_is_finite(t->x[u]) && lo <= hi &&
                   lo < infinity && hi > -infinity
               ? 0
               : 1;
  case PERP_ROWS_SIZE_LO:
    return fabs(lo);
  case PERP_ROWS_ABOVE_0:
    return lo > 0 ? lo : 0;
  case PERP_ROWS_NEAR_HI:
    return hi <= t->near ? 1 : 0;
  case PERP_ROWS_NOT_PLAIN:
    return lo == 0 && hi == infinity ? 0 : 1;
  case PERP_ROWS_BOUNDED:
    return lo > -infinity || hi < infinity ? 1 : 0;
  default:
    return 0;
  }
}
