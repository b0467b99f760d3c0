/* coarse.h: kernels of coarse grids: relaxation, residuals and transfers (cycle.c, transfer.c)
 *
 * Residuals of red cells are stored and then gathered by the cells of the next grid: each adds what
 * the processor's code distributes. */
#pragma once

#include "device/grid/place.h"
#include "device/values.h"

TEAM float perp_cell_project(const perp_cells *g, int set, int64_t c, float a)
{
  if (set == PERP_GRID_BOX) {
    const float above = a < g->lo[c] ? g->lo[c] : a;
    return above > g->hi[c] ? g->hi[c] : above;
  }
  return set == PERP_GRID_PLAIN && a < 0 ? 0 : a;
}

/* gain sum w x + f */
TEAM float perp_cell_relaxed(const perp_cells *g, const perp_spot *s)
{
  const float *x = g->x;
  const int64_t left = perp_spot_next(g, s, 0, 0), right = left + 1;
  const int64_t up = s->other - g->row, down = s->other + g->row;
  float sum = (g->w[0][left] * x[left] + g->w[0][s->slot] * x[right]) +
              (g->w[1][up] * x[up] + g->w[1][s->slot] * x[down]);
  if (g->axes == 3) {
    const int64_t front = s->other - g->plane, back = s->other + g->plane;
    sum += g->w[2][front] * x[front] + g->w[2][s->slot] * x[back];
  }
  return g->gain[s->slot] * sum + g->f[s->slot];
}

TEAM bool perp_cell_spot(const perp_cells *g, int colour, int m, int j, int k, perp_spot *s)
{
  const int i = 2 * m + ((j + k + colour) & 1);
  if (i >= g->n[0])
    return false;
  *s = perp_spot_at(g, i, j, k);
  return true;
}

TEAM double perp_op_relax(const perp_grid_task *t, int m, int j, int k)
{
  const perp_cells *g = &t->g;
  perp_spot s;
  if (perp_cell_spot(g, t->colour, m, j, k, &s))
    g->x[s.slot] = perp_cell_project(g, t->set, s.slot, perp_cell_relaxed(g, &s));
  return 0;
}

/* r <- f / gain - A x in red cells */
TEAM double perp_op_remainder(const perp_grid_task *t, int m, int j, int k)
{
  const perp_cells *g = &t->g;
  perp_spot s;
  if (!perp_cell_spot(g, 0, m, j, k, &s))
    return 0;
  const float gain = g->gain[s.slot];
  g->r[s.slot] = gain > 0 ? (perp_cell_relaxed(g, &s) - g->x[s.slot]) / gain : 0;
  return 0;
}

/* What a red cell gives: to its own coarse cell (axis < 0), or to the next one along an axis. */
TEAM float perp_cell_share(const perp_cells *g, int i, int j, int k, int axis)
{
  if (i >= g->n[0] || j >= g->n[1] || k >= g->n[2] || (i + j + k) & 1)
    return 0;
  const int64_t c = perp_cell_slot(g, i, j, k);
  const uint8_t code = g->code[c];
  if (axis < 0)
    return code ? perp_code_own(code, g->share) * g->r[c] : 0;
  return code & PERP_CODE_NEXT << axis ? g->share * g->r[c] : 0;
}

/* The sum over the cells of a layer of a coarse cell's cells: all of them (axis < 0), or those at
 * number `at` along an axis. */
TEAM float perp_cell_layer(const perp_cells *g, int I, int J, int K, int axis, int at)
{
  const int C[3] = {I, J, K};
  int first[3], last[3];
  for (int a = 0; a < 3; a++) {
    first[a] = a == axis ? at : g->halve[a] ? 2 * C[a] : C[a];
    last[a] = a == axis ? at : first[a] + g->halve[a];
  }
  float sum = 0;
  for (int k = first[2]; k <= last[2]; k++)
    for (int j = first[1]; j <= last[1]; j++)
      for (int i = first[0]; i <= last[0]; i++)
        sum += perp_cell_share(g, i, j, k, axis);
  return sum;
}

/* The restricted residual of a cell if some axes are halved. */
TEAM float perp_cell_gathered_along(const perp_cells *g, int I, int J, int K)
{
  const int C[3] = {I, J, K};
  float sum = perp_cell_layer(g, I, J, K, -1, 0);
  for (int axis = 0; axis < g->axes; axis++) {
    if (!g->halve[axis])
      continue;
    if (C[axis] > 0) /* odd cells of the one before */
      sum += perp_cell_layer(g, I, J, K, axis, 2 * C[axis] - 1);
    if (2 * C[axis] + 2 < g->n[axis])
      sum += perp_cell_layer(g, I, J, K, axis, 2 * C[axis] + 2);
  }
  return sum;
}

/* Two red cells beside each other, in a row: their residuals and codes. */
typedef struct perp_red_pair {
  float r[2];
  uint8_t code[2];
} perp_red_pair;

TEAM perp_red_pair perp_red_pair_at(const perp_cells *g, int64_t c)
{
  perp_red_pair p;
  perp_team_load_two(g->r + c, p.r);
  perp_team_load_bytes(g->code + c, p.code);
  return p;
}

/* What a red cell gives: to its own coarse cell (axis < 0), or to the next one along an axis. */
TEAM float perp_red_share(const perp_cells *g, float r, uint8_t code, int axis)
{
  if (axis < 0)
    return perp_code_own(code, g->share) * r;
  return code & PERP_CODE_NEXT << axis ? g->share * r : 0;
}

/* A row beside those of two coarse cells: red cells above their columns. */
TEAM void perp_red_beside(const perp_cells *g, int64_t c, int axis, float *sum)
{
  const perp_red_pair p = perp_red_pair_at(g, c);
  for (int v = 0; v < 2; v++)
    sum[v] += perp_red_share(g, p.r[v], p.code[v], axis);
}

/* The restricted residuals of the cells I, which is even, and I + 1 if all axes are halved. In row
 * (j, k) the cell at place I of a colour lies above column I, and it is red if it is odd like j + k.
 * Beyond the border there are zeros. */
TEAM void perp_cell_gathered(const perp_cells *g, int I, int J, int K, float *sum)
{
  const bool solid = g->axes == 3;
  sum[0] = sum[1] = 0;
  TEAM_ALL
  for (int q = 0; q < 4; q++) {
    const int j = 2 * J + (q & 1), k = solid ? 2 * K + (q >> 1) : K, odd = (j + k) & 1;
    if (!solid && q > 1)
      break;
    const int64_t c = k * g->plane + j * g->row + I, side = odd ? c - 1 : c + 2;
    const perp_red_pair p = perp_red_pair_at(g, c);
    const float r = g->r[side];
    const uint8_t code = g->code[side];
    sum[0] += perp_red_share(g, p.r[0], p.code[0], -1);
    sum[0] += perp_red_share(g, odd ? r : p.r[1], odd ? code : p.code[1], 0);
    sum[1] += perp_red_share(g, p.r[1], p.code[1], -1);
    sum[1] += perp_red_share(g, odd ? p.r[0] : r, odd ? p.code[0] : code, 0);
  }
  TEAM_ALL
  for (int q = 0; q < 4; q++) {
    const int j = q & 1 ? 2 * J + 2 : 2 * J - 1, k = solid ? 2 * K + (q >> 1) : K;
    if (!solid && q > 1)
      break;
    perp_red_beside(g, k * g->plane + j * g->row + I, 1, sum);
  }
  if (solid) {
    TEAM_ALL
    for (int q = 0; q < 4; q++) {
      const int j = 2 * J + (q >> 1), k = q & 1 ? 2 * K + 2 : 2 * K - 1;
      perp_red_beside(g, k * g->plane + j * g->row + I, 2, sum);
    }
  }
}

/* f <- gain (restricted residual), x <- the result of a red half sweep from zero, of two cells; the
 * greater residual itself is the number given. */
TEAM double perp_op_gather(const perp_grid_task *t, int pair, int J, int K)
{
  const perp_cells *g = &t->g, *below = &t->below;
  const bool all = g->halve[0] && g->halve[1] && (g->halve[2] || g->axes == 2);
  const int I = 2 * pair;
  float sum[2] = {0, 0};
  if (all)
    perp_cell_gathered(g, I, J, K, sum);
  for (int v = 0; v < 2 && I + v < below->n[0]; v++) {
    if (!all)
      sum[v] = perp_cell_gathered_along(g, I + v, J, K);
    const int64_t slot = perp_cell_slot(below, I + v, J, K);
    const float f = below->gain[slot] * sum[v];
    below->f[slot] = f;
    below->x[slot] = (I + v + J + K) & 1 ? 0 : f;
    sum[v] = fabsf(sum[v]);
  }
  return I + 1 < below->n[0] ? perp_value_most((double)sum[1], (double)sum[0]) : (double)sum[0];
}

/* As if nothing had been restricted. */
TEAM double perp_op_forget(const perp_grid_task *t, int I, int J, int K)
{
  const int64_t slot = perp_cell_slot(&t->below, I, J, K);
  t->below.f[slot] = 0;
  t->below.x[slot] = 0;
  return 0;
}

/* x <- P(x + correction) in the cells of a colour */
TEAM double perp_op_add(const perp_grid_task *t, int m, int j, int k)
{
  const perp_cells *g = &t->g;
  perp_spot s;
  if (!perp_cell_spot(g, t->colour, m, j, k, &s))
    return 0;
  const float v = perp_cell_interpolated(g, &t->below, &s, g->share);
  g->x[s.slot] = perp_cell_project(g, t->set, s.slot, g->x[s.slot] + v);
  return 0;
}

/* ---- Full multigrid ---- */

/* x <- P(interpolated values) */
TEAM double perp_op_interpolate(const perp_grid_task *t, int i, int j, int k)
{
  const perp_cells *g = &t->g;
  const perp_spot s = perp_spot_at(g, i, j, k);
  g->x[s.slot] =
      perp_cell_project(g, t->set, s.slot, perp_cell_interpolated(g, &t->below, &s, 0.25f));
  return 0;
}

/* f, which holds a load, <- gain f; x <- the result of a red half sweep from zero. The last grid has
 * one cell, and that is its solution. */
TEAM double perp_op_receive(const perp_grid_task *t, int i, int j, int k)
{
  const perp_cells *g = &t->g;
  const int64_t c = perp_cell_slot(g, i, j, k);
  const float f = g->gain[c] * g->f[c];
  const bool alone = g->n[0] * g->n[1] * g->n[2] == 1;
  g->f[c] = f;
  g->x[c] = (i + j + k) & 1 ? 0 : alone ? perp_cell_project(g, t->set, c, f) : f;
  return 0;
}

/* A cell is free if it is strictly inside its bounds: so says the problem of this grid itself, and the
 * grid above will have to build the cell again. */
TEAM double perp_op_mark(const perp_grid_task *t, int i, int j, int k)
{
  const perp_cells *g = &t->g;
  const int64_t c = perp_cell_slot(g, i, j, k);
  const float x = g->x[c];
  const bool inside = t->set == PERP_GRID_BOX ? x > g->lo[c] && x < g->hi[c] : x > 0;
  const uint8_t state = g->state[c];
  const int now = (state & PERP_CELL_UNKNOWN) && inside ? 1 : 0;
  if (now == (state & PERP_CELL_FREE))
    return 0;
  g->state[c] = state ^ PERP_CELL_FREE;
  perp_cell_touch(g, i, j, k);
  perp_cell_touch_own(g, i, j, k);
  return 1;
}
