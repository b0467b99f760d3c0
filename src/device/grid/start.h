/* start.h: kernels of full multigrid: the problem on coarse grids (start.c has the formulas) */
#pragma once

#include "device/grid/problem.h"

/* f / gain of a cell of grid 0, or of a coarse grid, whose f holds it. */
TEAM float perp_cell_load(const perp_grid_task *t, bool fine, int64_t c)
{
  const perp_fine *p = &t->top;
  if (!fine)
    return t->g.f[c];
  return perp_cell_float(p->offset[c] / (p->scale * p->size)) *
         (p->diagonal ? p->diagonal[c] : p->common);
}

/* The correction of b for a cell beside the boundary. */
TEAM float perp_cell_boundary(const perp_grid_task *t, bool fine, const perp_spot *s)
{
  const perp_cells *g = &t->g;
  const uint8_t dirs = g->dirs[s->slot];
  int count = 0;
  float sum = 0;
  for (int q = 0; q < 6; q++)
    count += dirs >> q & 1;
  for (int axis = 0; axis < g->axes; axis++) {
    const int odd = s->at[axis] & 1;
    if (!g->halve[axis] || !(dirs >> (2 * axis + odd) & 1) ||
        (!odd && s->at[axis] + 1 >= g->n[axis]))
      continue;
    const int64_t next = perp_spot_next(g, s, axis, !odd);
    const float w = g->w[axis] ? g->w[axis][odd ? next : s->slot] : g->weight;
    const float B = g->sink[s->slot] / (float)count;
    if ((g->state[next] & PERP_CELL_UNKNOWN) && w > 0)
      sum += (perp_cell_load(t, fine, next) - perp_cell_load(t, fine, s->slot)) *
             (B / (B + 2 * w)); /* 1 - p / B with p = B 2w / (B + 2w) */
  }
  return sum;
}

TEAM void perp_cell_load_below(const perp_grid_task *t, bool fine, int I, int J, int K)
{
  const perp_cells *g = &t->g, *below = &t->below;
  const int first[3] = {g->halve[0] ? 2 * I : I, g->halve[1] ? 2 * J : J, g->halve[2] ? 2 * K : K};
  float sum = 0;
  for (int dk = 0; dk <= g->halve[2]; dk++)
    for (int dj = 0; dj <= g->halve[1]; dj++)
      for (int di = 0; di <= g->halve[0]; di++) {
        const int i = first[0] + di, j = first[1] + dj, k = first[2] + dk;
        if (i >= g->n[0] || j >= g->n[1] || k >= g->n[2])
          continue;
        const perp_spot s = perp_spot_at(g, i, j, k);
        sum += perp_cell_load(t, fine, s.slot);
        if (g->dirs[s.slot])
          sum += perp_cell_boundary(t, fine, &s);
      }
  below->f[perp_cell_slot(below, I, J, K)] = sum;
}

TEAM double perp_op_load_fine(const perp_grid_task *t, int I, int J, int K)
{
  perp_cell_load_below(t, true, I, J, K);
  return 0;
}

TEAM double perp_op_load(const perp_grid_task *t, int I, int J, int K)
{
  perp_cell_load_below(t, false, I, J, K);
  return 0;
}

/* Means of the bounds of the unknowns; a cell that is no unknown has the bounds 0 and 0. */
TEAM void perp_cell_bounds_below(const perp_grid_task *t, bool fine, int I, int J, int K)
{
  const perp_cells *g = &t->g, *below = &t->below;
  const perp_fine *p = &t->top;
  const int first[3] = {g->halve[0] ? 2 * I : I, g->halve[1] ? 2 * J : J, g->halve[2] ? 2 * K : K};
  float lo = 0, hi = 0, count = 0;
  for (int dk = 0; dk <= g->halve[2]; dk++)
    for (int dj = 0; dj <= g->halve[1]; dj++)
      for (int di = 0; di <= g->halve[0]; di++) {
        const int i = first[0] + di, j = first[1] + dj, k = first[2] + dk;
        if (i >= g->n[0] || j >= g->n[1] || k >= g->n[2])
          continue;
        const int64_t c = perp_cell_slot(g, i, j, k);
        lo += fine ? perp_cell_float(1 / p->size * p->lo[c]) : g->lo[c];
        hi += fine ? perp_cell_float(1 / p->size * p->hi[c]) : g->hi[c];
        count += (float)(g->state[c] >> 1 & 1);
      }
  const int64_t C = perp_cell_slot(below, I, J, K);
  below->lo[C] = count > 0 ? lo / count : 0;
  below->hi[C] = count > 0 ? hi / count : 0;
}

TEAM double perp_op_bounds_fine(const perp_grid_task *t, int I, int J, int K)
{
  perp_cell_bounds_below(t, true, I, J, K);
  return 0;
}

TEAM double perp_op_bounds(const perp_grid_task *t, int I, int J, int K)
{
  perp_cell_bounds_below(t, false, I, J, K);
  return 0;
}
