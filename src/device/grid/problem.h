/* problem.h: kernels between a problem by unknowns and grid 0, and of the operator itself
 *
 * Memory is zero before: cells that are no unknowns stay so. */
#pragma once

#include "device/grid/place.h"
#include "device/values.h"

TEAM int64_t perp_fine_cell(const perp_cells *g, int i, int j, int k)
{
  return ((int64_t)k * g->n[1] + j) * g->n[0] + i;
}

/* The unknown of a cell; -1: none. */
TEAM int64_t perp_fine_unknown(const perp_fine *p, int64_t cell)
{
  return p->unknown ? p->unknown[cell] : cell;
}

TEAM double perp_fine_entry(const perp_fine *p, int64_t cell)
{
  return p->a_diagonal ? p->a_diagonal[cell] : p->a_common;
}

/* The couplings of a cell: the weight of the face on a side, 0 if no unknown lies behind it. */
TEAM double perp_fine_face(const perp_cells *g, const perp_fine *p, const int at[3], int axis,
                           int upper, int64_t *next)
{
  const int64_t cell = perp_fine_cell(g, at[0], at[1], at[2]);
  const int64_t step = axis == 0 ? 1 : axis == 1 ? g->n[0] : (int64_t)g->n[0] * g->n[1];
  const int64_t there = upper ? cell + step : cell - step;
  *next = -1;
  if (upper ? at[axis] + 1 >= g->n[axis] : at[axis] == 0)
    return 0;
  *next = perp_fine_unknown(p, there);
  if (*next < 0)
    return 0;
  const double *w = axis == 0 ? p->a_wx : axis == 1 ? p->a_wy : p->a_wz;
  return w ? w[upper ? cell : there] : p->a_weight;
}

TEAM float perp_cell_float(double a)
{
  const double most = 3.40282346638528859812e38; /* FLT_MAX */
  const double below = a < most ? a : most;
  return (float)(below > -most ? below : -most);
}

/* Grid 0 as a network (build.c): faces, the surplus of the diagonal as a sink, every unknown free. */
TEAM double perp_op_fill_cell(const perp_grid_task *t, int i, int j, int k)
{
  const perp_cells *g = &t->g;
  const perp_fine *p = &t->top;
  const int64_t cell = perp_fine_cell(g, i, j, k), slot = perp_cell_slot(g, i, j, k);
  if (perp_fine_unknown(p, cell) < 0)
    return 0;
  const int at[3] = {i, j, k};
  double sum = 0;
  uint8_t closed = 0;
  for (int axis = 0; axis < g->axes; axis++)
    for (int upper = 0; upper < 2; upper++) {
      int64_t next;
      const double w = perp_fine_face(g, p, at, axis, upper, &next);
      if (next < 0)
        closed |= (uint8_t)(1 << (2 * axis + upper));
      sum += fabs(w);
      if (upper && g->w[axis])
        g->w[axis][slot] = perp_cell_float((w > 0 ? w : 0) / p->unit);
    }
  const double diagonal = perp_fine_entry(p, cell), sink = diagonal - sum;
  const bool dominant = sink > 1e-13 * diagonal;
  g->sink[slot] = dominant ? perp_cell_float(sink / p->unit) : 0;
  g->dirs[slot] = dominant ? closed : 0;
  g->state[slot] = PERP_CELL_FREE | PERP_CELL_UNKNOWN;
  return 0;
}

/* What sweeps read of A. */
TEAM double perp_op_fill_lattice(const perp_grid_task *t, int i, int j, int k)
{
  const perp_cells *g = &t->g;
  const perp_fine *p = &t->top;
  const int64_t cell = perp_fine_cell(g, i, j, k), slot = perp_cell_slot(g, i, j, k);
  if (perp_fine_unknown(p, cell) < 0 || p->mode == PERP_CELLS_UNIFORM)
    return 0;
  const double diagonal = perp_fine_entry(p, cell), inverse = p->scale / diagonal;
  const bool weighted = p->mode == PERP_CELLS_WEIGHTED;
  p->gains[slot] = weighted ? inverse : p->a_weight * inverse;
  p->diagonal[slot] = (float)(1 / p->unit * diagonal);
  double *const to[3] = {p->wx, p->wy, p->wz};
  const int at[3] = {i, j, k};
  for (int axis = 0; weighted && axis < g->axes; axis++) {
    int64_t next;
    to[axis][slot] = perp_fine_face(g, p, at, axis, 1, &next);
  }
  return 0;
}

/* b of x - lo: y <- A lo + b, by unknown. */
TEAM double perp_op_take_lower(const perp_grid_task *t, int i, int j, int k)
{
  const perp_cells *g = &t->g;
  const perp_fine *p = &t->top;
  const int64_t cell = perp_fine_cell(g, i, j, k), u = perp_fine_unknown(p, cell);
  if (u < 0)
    return 0;
  const int at[3] = {i, j, k};
  double sum = 0;
  for (int axis = 0; axis < g->axes; axis++) {
    int64_t lower, upper;
    const double below = perp_fine_face(g, p, at, axis, 0, &lower);
    const double above = perp_fine_face(g, p, at, axis, 1, &upper);
    sum += (lower < 0 ? 0 : below * p->from[lower]) + (upper < 0 ? 0 : above * p->from[upper]);
  }
  p->by_y[u] = (perp_fine_entry(p, cell) * p->from[u] - sum) + p->b[u];
  return 0;
}

TEAM double perp_op_take_problem(const perp_grid_task *t, int i, int j, int k)
{
  const perp_cells *g = &t->g;
  const perp_fine *p = &t->top;
  const int64_t cell = perp_fine_cell(g, i, j, k), slot = perp_cell_slot(g, i, j, k);
  const int64_t u = perp_fine_unknown(p, cell);
  if (u < 0) {
    p->x[slot] = 0; /* a solve before may have left a number that is not finite */
    return 0;
  }
  const double b = p->from ? p->by_y[u] : p->b[u];
  p->x[slot] = p->by_x[u] - (p->from ? p->from[u] : 0);
  p->offset[slot] = -b * (p->scale / perp_fine_entry(p, cell));
  if (p->set == PERP_GRID_BOX) {
    p->lo[slot] = p->by_lo ? perp_value_bound(p->by_lo[u]) : 0;
    p->hi[slot] = p->by_hi ? perp_value_bound(p->by_hi[u]) : (double)INFINITY;
  }
  return 0;
}

TEAM double perp_op_give_x(const perp_grid_task *t, int i, int j, int k)
{
  const perp_fine *p = &t->top;
  const int64_t u = perp_fine_unknown(p, perp_fine_cell(&t->g, i, j, k));
  if (u >= 0)
    p->by_x[u] = p->x[perp_cell_slot(&t->g, i, j, k)] + (p->from ? p->from[u] : 0);
  return 0;
}

TEAM double perp_op_exceeds(const perp_grid_task *t, int i, int j, int k)
{
  const perp_fine *p = &t->top;
  const int64_t u = perp_fine_unknown(p, perp_fine_cell(&t->g, i, j, k));
  if (u < 0 || !p->by_hi)
    return 0;
  const double x = p->x[perp_cell_slot(&t->g, i, j, k)] + (p->from ? p->from[u] : 0);
  return x > perp_value_bound(p->by_hi[u]) ? 1 : 0;
}
