/* place.h: where cells and their neighbours are, for the kernels beside */
#pragma once

#include "device/grid/cells.h"

TEAM int64_t perp_cell_slot(const perp_cells *g, int i, int j, int k)
{
  return ((i + j + k) & 1) * g->colour + k * g->plane + j * g->row + i / 2;
}

/* The number of places of a row of the next grid along an axis. */
TEAM int perp_cell_halved(const perp_cells *g, int axis)
{
  return g->halve[axis] ? (g->n[axis] + 1) / 2 : g->n[axis];
}

/* A cell of a colour, and the slots around it. */
typedef struct perp_spot {
  int at[3];
  int colour;
  int64_t slot, other; /* other: the same place in the other colour */
} perp_spot;

TEAM perp_spot perp_spot_at(const perp_cells *g, int i, int j, int k)
{
  perp_spot s;
  s.at[0] = i;
  s.at[1] = j;
  s.at[2] = k;
  s.colour = (i + j + k) & 1;
  s.slot = perp_cell_slot(g, i, j, k);
  s.other = s.colour ? s.slot - g->colour : s.slot + g->colour;
  return s;
}

/* The slot of the neighbour along an axis; beyond the border lies a zero. */
TEAM int64_t perp_spot_next(const perp_cells *g, const perp_spot *s, int axis, int upper)
{
  const int64_t step = axis == 1 ? g->row : g->plane;
  return axis == 0 ? s->other - 1 + (s->at[0] & 1) + upper : s->other + (upper ? step : -step);
}

/* Notes that a cell changed, for the grid below. */
TEAM void perp_cell_touch(const perp_cells *g, int i, int j, int k)
{
  if (!g->dirty_next)
    return;
  const int I = g->halve[0] ? i / 2 : i, J = g->halve[1] ? j / 2 : j, K = g->halve[2] ? k / 2 : k;
  const int segments = (perp_cell_halved(g, 0) + PERP_SEGMENT - 1) / PERP_SEGMENT;
  g->dirty_next[((int64_t)K * perp_cell_halved(g, 1) + J) * segments + I / PERP_SEGMENT] = 1;
}

/* Notes that a cell is no longer what it was built as. */
TEAM void perp_cell_touch_own(const perp_cells *g, int i, int j, int k)
{
  g->dirty[((int64_t)k * g->n[1] + j) * g->segments + i / PERP_SEGMENT] = 1;
}

/* Whether a cell must be built again: in its segment or in one beside it something changed. */
TEAM bool perp_cell_is_dirty(const perp_cells *g, int I, int J, int K)
{
  const uint8_t *own = g->dirty + ((int64_t)K * g->n[1] + J) * g->segments;
  const int s = I / PERP_SEGMENT;
  int any = own[s];
  any |= I > 0 ? own[(I - 1) / PERP_SEGMENT] : 0;
  any |= I + 1 < g->n[0] ? own[(I + 1) / PERP_SEGMENT] : 0;
  any |= J > 0 ? own[s - g->segments] : 0;
  any |= J + 1 < g->n[1] ? own[s + g->segments] : 0;
  any |= K > 0 ? own[s - (int64_t)g->n[1] * g->segments] : 0;
  any |= K + 1 < g->n[2] ? own[s + (int64_t)g->n[1] * g->segments] : 0;
  return any != 0;
}

/* The share of its residual that a cell keeps, or of its own coarse value that it takes. */
TEAM float perp_code_own(uint8_t code, float share)
{
  const int between = (code >> 1 & 1) + (code >> 2 & 1) + (code >> 3 & 1);
  return (float)(code & PERP_CODE_FREE) * (1 - share * (float)between);
}

/* The value that the next grid's x gives a cell. All that it may take is read at once, so that a lane
 * waits for memory once. */
TEAM float perp_cell_interpolated(const perp_cells *g, const perp_cells *below, const perp_spot *s,
                                  float share)
{
  const uint8_t code = g->code[s->slot];
  int C[3];
  for (int axis = 0; axis < 3; axis++)
    C[axis] = g->halve[axis] ? s->at[axis] / 2 : s->at[axis];
  const perp_spot to = perp_spot_at(below, C[0], C[1], C[2]);
  const float own = below->x[to.slot];
  float next[3] = {0, 0, 0};
  TEAM_ALL
  for (int axis = 0; axis < 3; axis++)
    if (axis < g->axes) {
      const float x = below->x[perp_spot_next(below, &to, axis, s->at[axis] & 1)];
      next[axis] = code & PERP_CODE_NEXT << axis ? x : 0;
    }
  const float value = perp_code_own(code, share) * own + share * (next[0] + (next[1] + next[2]));
  return code ? value : 0;
}

typedef struct perp_grid_sums {
  double slope, bend;
} perp_grid_sums;

/* A face along an axis, and whether it is open. */
TEAM perp_grid_sums perp_cell_faces(const perp_grid_task *t, int i, int j, int k)
{
  const float w = t->g.w[t->set][perp_cell_slot(&t->g, i, j, k)];
  perp_grid_sums sums;
  sums.slope = (double)w;
  sums.bend = w > 0 ? 1 : 0;
  return sums;
}
