/* rows.h: kernels over the unknowns of a problem: checks of its numbers, and the verdict
 *
 * A check gives n - u for a wrong unknown u, so that the greatest number tells the first of them.
 * Bounds of magnitude 1e300 on are infinite. */
#pragma once

#include "device/grid/problem.h"

#include <string.h>

/* The unknown of a place; -1: none. */
TEAM int64_t perp_row_at(const perp_grid_task *t, int m, int j)
{
  const int64_t u = (int64_t)j * PERP_ROW_LENGTH + m;
  return u < t->count ? u : -1;
}

TEAM double perp_row_wrong(const perp_grid_task *t, int64_t u, bool wrong)
{
  return wrong ? (double)(t->count - u) : 0;
}

TEAM double perp_row_lo(const perp_fine *p, int64_t u)
{
  return p->by_lo ? perp_value_bound(p->by_lo[u]) : 0;
}

TEAM double perp_row_hi(const perp_fine *p, int64_t u)
{
  return p->by_hi ? perp_value_bound(p->by_hi[u]) : (double)INFINITY;
}

/* ---- The numbers of a problem ---- */

TEAM double perp_op_wrong_b(const perp_grid_task *t, int m, int j, int k)
{
  const int64_t u = perp_row_at(t, m, j);
  (void)k;
  return u < 0 ? 0 : perp_row_wrong(t, u, !perp_value_is_finite(t->top.b[u]));
}

/* A box that is empty, or has a bound that is no number. */
TEAM double perp_op_wrong_bounds(const perp_grid_task *t, int m, int j, int k)
{
  const int64_t u = perp_row_at(t, m, j);
  (void)k;
  if (u < 0)
    return 0;
  const double lo = perp_row_lo(&t->top, u), hi = perp_row_hi(&t->top, u);
  return perp_row_wrong(t, u, !(lo <= hi && lo < (double)INFINITY && hi > -(double)INFINITY));
}

TEAM double perp_op_wrong_x(const perp_grid_task *t, int m, int j, int k)
{
  const int64_t u = perp_row_at(t, m, j);
  (void)k;
  return u < 0 ? 0 : perp_row_wrong(t, u, !perp_value_is_finite(t->top.by_x[u]));
}

/* |b| */
TEAM double perp_op_size_b(const perp_grid_task *t, int m, int j, int k)
{
  const int64_t u = perp_row_at(t, m, j);
  (void)k;
  return u < 0 ? 0 : fabs(t->top.b[u]);
}

/* |lo|, and lo itself if it is above 0 */
TEAM double perp_op_size_lo(const perp_grid_task *t, int m, int j, int k)
{
  const int64_t u = perp_row_at(t, m, j);
  (void)k;
  return u < 0 ? 0 : fabs(perp_row_lo(&t->top, u));
}

TEAM double perp_op_above_0(const perp_grid_task *t, int m, int j, int k)
{
  const int64_t u = perp_row_at(t, m, j);
  (void)k;
  const double lo = u < 0 ? 0 : perp_row_lo(&t->top, u);
  return lo > 0 ? lo : 0;
}

/* 1 if hi is at most `near` */
TEAM double perp_op_near_hi(const perp_grid_task *t, int m, int j, int k)
{
  const int64_t u = perp_row_at(t, m, j);
  (void)k;
  return u >= 0 && perp_row_hi(&t->top, u) <= t->top.near ? 1 : 0;
}

/* 1 if a row is not x >= 0, and if it has a bound at all */
TEAM double perp_op_not_plain(const perp_grid_task *t, int m, int j, int k)
{
  const int64_t u = perp_row_at(t, m, j);
  (void)k;
  if (u < 0)
    return 0;
  const double lo = perp_row_lo(&t->top, u), hi = perp_row_hi(&t->top, u);
  return lo == 0 && hi == (double)INFINITY ? 0 : 1;
}

TEAM double perp_op_bounded(const perp_grid_task *t, int m, int j, int k)
{
  const int64_t u = perp_row_at(t, m, j);
  (void)k;
  if (u < 0)
    return 0;
  const double lo = perp_row_lo(&t->top, u), hi = perp_row_hi(&t->top, u);
  return lo > -(double)INFINITY || hi < (double)INFINITY ? 1 : 0;
}

/* ---- Vectors ---- */

/* 1 if x is not 0 */
TEAM double perp_op_not_zero(const perp_grid_task *t, int m, int j, int k)
{
  const int64_t u = perp_row_at(t, m, j);
  (void)k;
  return u >= 0 && t->top.by_x[u] != 0 ? 1 : 0;
}

/* 1 if a bit of x differs from y */
TEAM double perp_op_differ(const perp_grid_task *t, int m, int j, int k)
{
  const int64_t u = perp_row_at(t, m, j);
  uint64_t a, b;
  (void)k;
  if (u < 0)
    return 0;
  memcpy(&a, &t->top.by_x[u], sizeof a);
  memcpy(&b, &t->top.by_y[u], sizeof b);
  return a != b ? 1 : 0;
}

/* ---- The verdict ---- */

/* y <- A x + b summed up in twice the precision, from the numbers as they were given;
 * |mid(x - hi, y, x - lo)|, infinity if a number is not finite */
TEAM double perp_op_judge(const perp_grid_task *t, int i, int j, int k)
{
  const perp_cells *g = &t->g;
  const perp_fine *p = &t->top;
  const int64_t cell = perp_fine_cell(g, i, j, k), u = perp_fine_unknown(p, cell);
  if (u < 0)
    return 0;
  const int at[3] = {i, j, k};
  const double x = p->by_x[u];
  double high = p->b[u], low = 0;
  perp_value_add(perp_fine_entry(p, cell), x, &high, &low);
  for (int axis = 0; axis < g->axes; axis++)
    for (int upper = 0; upper < 2; upper++) {
      int64_t next;
      const double w = perp_fine_face(g, p, at, axis, upper, &next);
      if (next >= 0)
        perp_value_add(-w, p->by_x[next], &high, &low);
    }
  const double y = high + low, below = x - perp_row_lo(p, u), above = x - perp_row_hi(p, u);
  p->by_y[u] = y;
  return perp_value_natural(x, y, below, above);
}

/* e = 2 u |A| |x| of a row that is not at a bound with |y| > 2 e (problem/floor.c) */
TEAM double perp_op_rounding(const perp_grid_task *t, int i, int j, int k)
{
  const perp_cells *g = &t->g;
  const perp_fine *p = &t->top;
  const int64_t cell = perp_fine_cell(g, i, j, k), u = perp_fine_unknown(p, cell);
  if (u < 0)
    return 0;
  const int at[3] = {i, j, k};
  const double x = p->by_x[u], own = perp_fine_entry(p, cell) * x;
  double y = p->b[u] + own, size = fabs(own);
  for (int axis = 0; axis < g->axes; axis++)
    for (int upper = 0; upper < 2; upper++) {
      int64_t next;
      const double w = perp_fine_face(g, p, at, axis, upper, &next);
      const double term = next < 0 ? 0 : -w * p->by_x[next];
      y += term;
      size += fabs(term);
    }
  const double error = 0x1p-52 * size;
  const bool beyond =
      y - 2 * error > x - perp_row_lo(p, u) || y + 2 * error < x - perp_row_hi(p, u);
  return beyond ? 0 : error;
}
