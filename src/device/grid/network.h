/* network.h: kernels that build coarse grids (block.c has the formulas)
 *
 * A coarse cell depends on its own cells and on those of its neighbours along the axes. So the rule
 * by which the hierarchy follows the free cells, grid by grid and each of them in parallel, is
 *
 *   build a cell again if a cell above its segment, or above a segment beside it, changed;
 *   if that changed the cell, its own segment on the next grid has changed.
 *
 * A cell is a function of the grid above alone: whatever else is built again comes out the same, so
 * the result does not depend on the segments, nor on the order.
 *
 * Between two rounds of this only those flags are set that belong to cells which full multigrid gave a
 * state of their own (perp_op_mark): the grid above builds them again. */
#pragma once

#include "device/grid/place.h"

/* The neighbour of a cell on one side along an axis. */
typedef struct perp_side {
  bool free;
  float w; /* the face between */
} perp_side;

TEAM perp_side perp_side_read(const perp_cells *g, int axis, int64_t next, int64_t face)
{
  const uint8_t state = g->state[next];
  perp_side s;
  s.free = state & PERP_CELL_FREE;
  s.w = g->w[axis] ? g->w[axis][face] : state & PERP_CELL_UNKNOWN ? g->weight : 0;
  return s;
}

TEAM perp_side perp_side_of(const perp_cells *g, const perp_spot *s, int axis, int upper)
{
  const int64_t next = perp_spot_next(g, s, axis, upper);
  return perp_side_read(g, axis, next, upper ? s->slot : next);
}

/* The cell behind the upper neighbour; arbitrary if that is beyond the border. */
TEAM perp_side perp_side_beyond(const perp_cells *g, const perp_spot *s, int axis)
{
  const int64_t step = axis == 1 ? g->row : g->plane;
  if (axis == 0)
    return perp_side_read(g, axis, s->slot + 1, s->other + (s->at[0] & 1));
  if (s->at[axis] + 1 < g->n[axis])
    return perp_side_read(g, axis, s->slot + 2 * step, s->other + step);
  return perp_side_read(g, axis, s->slot, s->slot);
}

/* A half face to a free cell, as r / a; r = 0 and a = 1 if there is none. */
typedef struct perp_half {
  float a, r;
} perp_half;

TEAM perp_half perp_half_of(perp_side s)
{
  const float half = s.free ? s.w + s.w : 0;
  perp_half h;
  h.r = half > 0 ? 1 : 0;
  h.a = half > 0 ? half : 1;
  return h;
}

/* What a cell has beside it along an axis: inwards lies its other half, outwards the next coarse cell
 * (if the axis is not halved, the lower and the upper neighbour); and the cell behind that. */
typedef struct perp_beside {
  perp_side inner, outer, beyond;
} perp_beside;

/* What a cell gives to its coarse cell; the sink in parts, which are added one by one. */
typedef struct perp_cell_part {
  float w[3], sink[4];
  uint8_t dirs, state, code;
} perp_cell_part;

/* Sums for a coarse cell. */
typedef struct perp_cell_sums {
  float w[3], sink;
  uint8_t dirs, state;
} perp_cell_sums;

/* What a free cell loses in a direction. */
TEAM float perp_cell_loss(uint8_t dirs, float share, perp_side to, int direction,
                          perp_cell_part *part)
{
  const float loss = (dirs >> direction & 1 ? share : 0) + (to.free ? 0 : to.w);
  if (loss > 0)
    part->dirs |= (uint8_t)(1 << direction);
  return loss;
}

TEAM void perp_cell_part_axis(const perp_cells *g, int odd, const perp_beside *by, uint8_t dirs,
                              float share, int axis, perp_cell_part *part)
{
  const float in_loss = perp_cell_loss(dirs, share, by->inner, 2 * axis + !odd, part);
  const float out_loss = perp_cell_loss(dirs, share, by->outer, 2 * axis + odd, part);
  const float w = by->outer.free ? by->outer.w : 0;
  if (!g->halve[axis]) {
    part->sink[1 + axis] = in_loss + out_loss;
    part->w[axis] = w;
    return;
  }
  const perp_half in = perp_half_of(by->inner);
  part->sink[1 + axis] = in_loss + out_loss * in.a / (in.a + out_loss * in.r);
  if (!odd)
    return;
  const perp_half out = perp_half_of(by->beyond);
  const float both = in.a * out.a;
  part->w[axis] = w * both / (both + w * (in.r * out.a + out.r * in.a));
}

/* How a cell takes part in transfers along an axis; *inside stays if the cell has free neighbours on
 * both sides. */
TEAM int perp_cell_code_axis(const perp_cells *g, int odd, const perp_beside *by, uint8_t dirs,
                             int axis, bool *inside)
{
  const bool in = by->inner.free && by->inner.w > 0, out = by->outer.free && by->outer.w > 0;
  const bool sink = dirs >> (2 * axis + odd) & 1;
  *inside = *inside && in && out;
  if (!g->halve[axis] || !in)
    return 0;
  return (by->outer.w > 0 || sink ? PERP_CODE_BETWEEN << axis : 0) |
         (out ? PERP_CODE_NEXT << axis : 0);
}

/* The part of a cell. All that is around it is read at once, so that a lane waits for memory once. */
TEAM void perp_cell_part_of(const perp_cells *g, const perp_spot *s, perp_cell_part *part)
{
  const uint8_t state = g->state[s->slot], dirs = g->dirs[s->slot];
  const float sink = g->sink[s->slot];
  perp_beside by[3];
  int odd[3];
  TEAM_ALL
  for (int axis = 0; axis < 3; axis++)
    if (axis < g->axes) {
      odd[axis] = g->halve[axis] ? s->at[axis] & 1 : 1; /* an odd cell has its other half below */
      by[axis].inner = perp_side_of(g, s, axis, !odd[axis]);
      by[axis].outer = perp_side_of(g, s, axis, odd[axis]);
      by[axis].beyond = perp_side_beyond(g, s, axis);
    }
  part->state = state & (PERP_CELL_FREE | PERP_CELL_UNKNOWN);
  if (!(state & PERP_CELL_FREE))
    return;
  int parts = 0, code = PERP_CODE_FREE;
  bool inside = !dirs;
  for (int direction = 0; direction < 2 * g->axes; direction++)
    parts += dirs >> direction & 1;
  const float share = parts == 0 ? sink : sink / (float)parts;
  if (parts == 0)
    part->sink[0] = sink;
  TEAM_ALL
  for (int axis = 0; axis < 3; axis++)
    if (axis < g->axes) {
      perp_cell_part_axis(g, odd[axis], &by[axis], dirs, share, axis, part);
      code |= perp_cell_code_axis(g, odd[axis], &by[axis], dirs, axis, &inside);
    }
  part->code = (uint8_t)(inside ? code | PERP_CODE_INSIDE : code);
}

/* Adds the part that a lane of a group has: in the same order on every device. Parts that a cell does
 * not have are zeros, which change no sum. */
TEAM void perp_cell_add(const perp_cell_part *own, int lane, int group, perp_cell_sums *sums)
{
  const int bits = perp_group_int(own->dirs | own->state << 8, lane, group);
  TEAM_ALL
  for (int k = 0; k < 4; k++)
    sums->sink += perp_group_float(own->sink[k], lane, group);
  TEAM_ALL
  for (int axis = 0; axis < 3; axis++)
    sums->w[axis] += perp_group_float(own->w[axis], lane, group);
  sums->dirs |= (uint8_t)(bits & 0xff);
  sums->state |= (uint8_t)(bits >> 8);
}

/* Stores the sums; whether the cell changed. */
TEAM bool perp_cell_store(const perp_cells *g, int64_t c, const perp_cell_sums *sums)
{
  bool same = g->state[c] == sums->state && g->sink[c] == sums->sink && g->dirs[c] == sums->dirs;
  for (int axis = 0; axis < g->axes; axis++) {
    same = same && g->w[axis][c] == sums->w[axis];
    g->w[axis][c] = sums->w[axis];
  }
  g->state[c] = sums->state;
  g->sink[c] = sums->sink;
  g->dirs[c] = sums->dirs;
  return !same;
}

/* The codes of the cells of a coarse cell, and the coarse cell, if it must be built again. A group of
 * lanes does it, each of them one of the eight cells; a lane by itself takes them one after another. */
TEAM void perp_cell_build(const perp_grid_task *t, int I, int J, int K, int lane, int group)
{
  const perp_cells *g = &t->g, *below = &t->below;
  const int first[3] = {g->halve[0] ? 2 * I : I, g->halve[1] ? 2 * J : J, g->halve[2] ? 2 * K : K};
  perp_cell_sums sums = {{0, 0, 0}, 0, 0, 0};
  if (!perp_cell_is_dirty(below, I, J, K))
    return;
  TEAM_SHORT
  for (int from = 0; from < 8; from += group) {
    const int q = from + lane, di = q & 1, dj = q >> 1 & 1, dk = q >> 2;
    const int i = first[0] + di, j = first[1] + dj, k = first[2] + dk;
    perp_cell_part part = {{0, 0, 0}, {0, 0, 0, 0}, 0, 0, 0};
    if (di <= g->halve[0] && dj <= g->halve[1] && dk <= g->halve[2] && i < g->n[0] && j < g->n[1] &&
        k < g->n[2]) {
      const perp_spot s = perp_spot_at(g, i, j, k);
      perp_cell_part_of(g, &s, &part);
      g->code[s.slot] = part.code;
    }
    TEAM_ALL
    for (int other = 0; other < group; other++)
      perp_cell_add(&part, other, group, &sums);
  }
  if (lane == 0 && perp_cell_store(below, perp_cell_slot(below, I, J, K), &sums))
    perp_cell_touch(below, I, J, K);
}

TEAM double perp_op_build(const perp_grid_task *t, int I, int J, int K)
{
  perp_cell_build(t, I, J, K, 0, 1);
  return 0;
}

/* Every unknown is free again. */
TEAM double perp_op_release(const perp_grid_task *t, int i, int j, int k)
{
  uint8_t *state = t->g.state + perp_cell_slot(&t->g, i, j, k);
  const uint8_t before = *state;
  if (!(before & PERP_CELL_UNKNOWN))
    return 0;
  *state = PERP_CELL_FREE | PERP_CELL_UNKNOWN;
  if (!(before & PERP_CELL_FREE))
    perp_cell_touch(&t->g, i, j, k);
  return 0;
}

/* gain <- 1 / diagonal, after all cells are built. */
TEAM double perp_op_gains(const perp_grid_task *t, int I, int J, int K)
{
  const perp_cells *g = &t->below;
  if (!perp_cell_is_dirty(g, I, J, K))
    return 0;
  const perp_spot s = perp_spot_at(g, I, J, K);
  float d = g->sink[s.slot] + ((g->w[0][s.slot] + g->w[0][perp_spot_next(g, &s, 0, 0)]) +
                               (g->w[1][s.slot] + g->w[1][s.other - g->row]));
  if (g->axes == 3)
    d += g->w[2][s.slot] + g->w[2][s.other - g->plane];
  const bool free = g->state[s.slot] & PERP_CELL_FREE;
  g->gain[s.slot] = d >= 1.17549435e-38f && free ? 1 / d : 0; /* FLT_MIN */
  return 0;
}
