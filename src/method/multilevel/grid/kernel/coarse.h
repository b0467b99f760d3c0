/* coarse.h: kernels of coarse grids: relaxation, residuals, transfers, building, full multigrid
 *
 * Residuals of red cells are stored, and each cell of the next grid gathers the contributions that
 * the CPU's code distributes (cycle.c).
 *
 * A coarse cell depends on its own cells and on the cells of its neighbours along the axes. So the
 * hierarchy follows the free cells grid by grid, each grid in parallel, by the rule
 *
 *   rebuild a cell if a cell above its segment, or above a neighbouring segment, changed;
 *   if that changed the cell, its own segment on the next grid has changed.
 *
 * A cell is a function of the grid above only: rebuilding other cells gives the same numbers, so
 * the result does not depend on the segments or on the order.
 *
 * Between two such rounds only the flags of cells whose state full multigrid has set (perp_op_mark)
 * are set: the grid above rebuilds them. */
#pragma once

#include "method/multilevel/grid/kernel/cells.h"

/* ---- Relaxation and transfers ---- */

TEAM float perp_cell_project(const perp_grid *g, int set, int64_t c, float a)
{
  if (set == PERP_GRID_BOX) {
    const float above = a < g->lo[c] ? g->lo[c] : a;
    return above > g->hi[c] ? g->hi[c] : above;
  }
  return set == PERP_GRID_PLAIN && a < 0 ? 0 : a;
}

/* gain sum w x + f */
TEAM float perp_cell_relaxed(const perp_grid *g, const perp_spot *s)
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

/* Finds the cell at place m of a row of a colour. Returns false if the row is shorter. */
TEAM bool perp_cell_spot(const perp_grid *g, int colour, int m, int j, int k, perp_spot *s)
{
  const int i = 2 * m + ((j + k + colour) & 1);
  if (i >= g->n[0])
    return false;
  *s = perp_spot_at(g, i, j, k);
  return true;
}

TEAM double perp_op_relax(const perp_grid_task *t, int m, int j, int k)
{
  const perp_grid *g = &t->g;
  perp_spot s;
  if (perp_cell_spot(g, t->colour, m, j, k, &s))
    g->x[s.slot] = perp_cell_project(g, t->set, s.slot, perp_cell_relaxed(g, &s));
  return 0;
}

/* r <- f / gain - A x in red cells */
TEAM double perp_op_remainder(const perp_grid_task *t, int m, int j, int k)
{
  const perp_grid *g = &t->g;
  perp_spot s;
  if (!perp_cell_spot(g, 0, m, j, k, &s))
    return 0;
  const float gain = g->gain[s.slot];
  g->r[s.slot] = gain > 0 ? (perp_cell_relaxed(g, &s) - g->x[s.slot]) / gain : 0;
  return 0;
}

/* Returns the contribution of a red cell to its own coarse cell (axis < 0), or to the next one
 * along an axis. */
TEAM float perp_red_share(const perp_grid *g, float r, uint8_t code, int axis)
{
  if (axis < 0)
    return perp_code_own(code, g->share) * r;
  return perp_code_next(code, axis, g->share) * r;
}

TEAM float perp_cell_share(const perp_grid *g, int i, int j, int k, int axis)
{
  if (i >= g->n[0] || j >= g->n[1] || k >= g->n[2] || (i + j + k) & 1)
    return 0;
  const int64_t c = perp_grid_slot(g, i, j, k);
  const uint8_t code = g->code[c];
  return code ? perp_red_share(g, g->r[c], code, axis) : 0;
}

/* Sums over a layer of a coarse cell's cells: all of them (axis < 0), or the cells at number `at`
 * along an axis. */
TEAM float perp_cell_layer(const perp_grid *g, int I, int J, int K, int axis, int at)
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

/* Returns the restricted residual of a cell if only some axes are halved. */
TEAM float perp_cell_gathered_along(const perp_grid *g, int I, int J, int K)
{
  const int C[3] = {I, J, K};
  float sum = perp_cell_layer(g, I, J, K, -1, 0);
  for (int axis = 0; axis < g->axes; axis++) {
    if (!g->halve[axis])
      continue;
    if (C[axis] > 0) /* odd cells of the previous coarse cell */
      sum += perp_cell_layer(g, I, J, K, axis, 2 * C[axis] - 1);
    if (2 * C[axis] + 2 < g->n[axis])
      sum += perp_cell_layer(g, I, J, K, axis, 2 * C[axis] + 2);
  }
  return sum;
}

/* Returns the share of the red cell at slot c if all axes are halved; beyond the border there are
 * zeros. */
TEAM float perp_red_at(const perp_grid *g, int64_t c, int axis)
{
  return perp_red_share(g, g->r[c], g->code[c], axis);
}

/* Returns the restricted residual of a cell if all axes are halved. In row (j, k) the cell at place
 * I of a colour lies above column I, and it is red if it is odd like j + k. */
TEAM float perp_cell_gathered(const perp_grid *g, int I, int J, int K)
{
  const bool solid = g->axes == 3;
  float sum = 0;
  TEAM_ALL
  for (int q = 0; q < 4; q++) {
    const int j = 2 * J + (q & 1), k = solid ? 2 * K + (q >> 1) : K;
    if (!solid && q > 1)
      break;
    const int64_t c = k * g->plane + j * g->row + I;
    sum += perp_red_at(g, c, -1);
    sum += perp_red_at(g, (j + k) & 1 ? c - 1 : c + 1, 0);
  }
  TEAM_ALL
  for (int q = 0; q < 4; q++) {
    const int j = q & 1 ? 2 * J + 2 : 2 * J - 1, k = solid ? 2 * K + (q >> 1) : K;
    if (!solid && q > 1)
      break;
    sum += perp_red_at(g, k * g->plane + j * g->row + I, 1);
  }
  if (solid) {
    TEAM_ALL
    for (int q = 0; q < 4; q++) {
      const int j = 2 * J + (q >> 1), k = q & 1 ? 2 * K + 2 : 2 * K - 1;
      sum += perp_red_at(g, k * g->plane + j * g->row + I, 2);
    }
  }
  return sum;
}

/* f <- gain (restricted residual), x <- the result of a red half sweep from zero. Returns the
 * residual. */
TEAM double perp_op_gather(const perp_grid_task *t, int I, int J, int K)
{
  const perp_grid *g = &t->g, *below = &t->below;
  const bool all = g->halve[0] && g->halve[1] && (g->halve[2] || g->axes == 2);
  const float sum = all ? perp_cell_gathered(g, I, J, K) : perp_cell_gathered_along(g, I, J, K);
  const int64_t slot = perp_grid_slot(below, I, J, K);
  const float f = below->gain[slot] * sum;
  below->f[slot] = f;
  below->x[slot] = (I + J + K) & 1 ? 0 : f;
  return (double)sum;
}

/* Sets f and x as if the residual were zero. */
TEAM double perp_op_forget(const perp_grid_task *t, int I, int J, int K)
{
  const int64_t slot = perp_grid_slot(&t->below, I, J, K);
  t->below.f[slot] = 0;
  t->below.x[slot] = 0;
  return 0;
}

/* Returns the value of a cell interpolated from the next grid's x. Reads all inputs at once, so
 * that a lane waits for memory once. */
TEAM float perp_cell_interpolated(const perp_grid *g, const perp_grid *below, const perp_spot *s,
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
    if (axis < g->axes)
      next[axis] = below->x[perp_spot_next(below, &to, axis, s->at[axis] & 1)];
  return code ? perp_code_value(code, share, own, next[0], next[1], next[2]) : 0;
}

/* x <- P(x + correction) in the cells of a colour */
TEAM double perp_op_add(const perp_grid_task *t, int m, int j, int k)
{
  const perp_grid *g = &t->g;
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
  const perp_grid *g = &t->g;
  const perp_spot s = perp_spot_at(g, i, j, k);
  g->x[s.slot] =
      perp_cell_project(g, t->set, s.slot, perp_cell_interpolated(g, &t->below, &s, 0.25f));
  return 0;
}

/* f, which holds a load, <- gain f; x <- the result of a red half sweep from zero, which on the
 * last grid, of one cell, is the solution. */
TEAM double perp_op_receive(const perp_grid_task *t, int i, int j, int k)
{
  const perp_grid *g = &t->g;
  const int64_t c = perp_grid_slot(g, i, j, k);
  const float f = g->gain[c] * g->f[c];
  g->f[c] = f;
  g->x[c] = (i + j + k) & 1 ? 0 : g->cells == 1 ? perp_cell_project(g, t->set, c, f) : f;
  return 0;
}

/* Makes a cell free if it is strictly inside its bounds in the problem of this grid. Returns true
 * if that changed it; the grid above must then rebuild the cell. */
TEAM bool perp_cell_mark(const perp_grid *g, int set, int64_t c)
{
  const float x = g->x[c];
  const bool inside = set == PERP_GRID_BOX ? x > g->lo[c] && x < g->hi[c] : x > 0;
  const uint8_t state = g->state[c];
  const int now = (state & PERP_CELL_UNKNOWN) && inside ? 1 : 0;
  if (now == (state & PERP_CELL_FREE))
    return false;
  g->state[c] = state ^ PERP_CELL_FREE;
  return true;
}

TEAM double perp_op_mark(const perp_grid_task *t, int i, int j, int k)
{
  const perp_grid *g = &t->g;
  if (!perp_cell_mark(g, t->set, perp_grid_slot(g, i, j, k)))
    return 0;
  perp_cell_touch(g, i, j, k);
  perp_cell_touch_own(g, i, j, k);
  return 1;
}

/* ---- Building coarse grids ---- */

/* The neighbour of a cell on one side along an axis. */
typedef struct perp_side {
  bool free;
  float w; /* the face between */
} perp_side;

TEAM perp_side perp_side_read(const perp_grid *g, int axis, int64_t next, int64_t face)
{
  const uint8_t state = g->state[next];
  perp_side s;
  s.free = state & PERP_CELL_FREE;
  s.w = g->w[axis] ? g->w[axis][face] : state & PERP_CELL_UNKNOWN ? g->weight : 0;
  return s;
}

TEAM perp_side perp_side_of(const perp_grid *g, const perp_spot *s, int axis, int upper)
{
  const int64_t next = perp_spot_next(g, s, axis, upper);
  return perp_side_read(g, axis, next, upper ? s->slot : next);
}

/* Returns the cell behind the upper neighbour; arbitrary beyond the border. */
TEAM perp_side perp_side_beyond(const perp_grid *g, const perp_spot *s, int axis)
{
  const int64_t step = axis == 1 ? g->row : g->plane;
  if (axis == 0)
    return perp_side_read(g, axis, s->slot + 1, s->other + (s->at[0] & 1));
  if (s->at[axis] + 1 < g->n[axis])
    return perp_side_read(g, axis, s->slot + 2 * step, s->other + step);
  return perp_side_read(g, axis, s->slot, s->slot);
}

/* The neighbours of a cell along an axis: inwards its other half, outwards the next coarse cell (if
 * the axis is not halved, the lower and the upper neighbour); and the cell behind that. */
typedef struct perp_axis_neighbours {
  perp_side inner, outer, beyond;
} perp_axis_neighbours;

/* The contribution of a cell to its coarse cell; the sink in parts, which are added one by one. */
typedef struct perp_cell_part {
  float w[3], sink[4];
  uint8_t dirs, state, code;
} perp_cell_part;

typedef struct perp_cell_sums {
  float w[3], sink;
  uint8_t dirs, state;
} perp_cell_sums;

/* Returns the sink of a free cell in a direction. */
TEAM float perp_cell_loss(uint8_t dirs, float share, perp_side to, int direction,
                          perp_cell_part *part)
{
  const float loss = (dirs >> direction & 1 ? share : 0) + (to.free ? 0 : to.w);
  if (loss > 0)
    part->dirs |= (uint8_t)(1 << direction);
  return loss;
}

TEAM void perp_cell_part_axis(const perp_grid *g, int odd, const perp_axis_neighbours *by,
                              uint8_t dirs, float share, int axis, perp_cell_part *part)
{
  const float in_loss = perp_cell_loss(dirs, share, by->inner, 2 * axis + !odd, part);
  const float out_loss = perp_cell_loss(dirs, share, by->outer, 2 * axis + odd, part);
  const float w = by->outer.free ? by->outer.w : 0;
  if (!g->halve[axis]) {
    part->sink[1 + axis] = in_loss + out_loss;
    part->w[axis] = w;
    return;
  }
  const perp_half in = perp_half_of(by->inner.free, by->inner.w);
  part->sink[1 + axis] = in_loss + PERP_LENGTHENED(out_loss, in);
  if (!odd)
    return;
  const perp_half out = perp_half_of(by->beyond.free, by->beyond.w);
  part->w[axis] = PERP_PATH(w, in, out);
}

/* Returns the code bits of a cell along an axis; *inside stays if the cell has free neighbours on
 * both sides. */
TEAM int perp_cell_code_axis(const perp_grid *g, int odd, const perp_axis_neighbours *by,
                             uint8_t dirs, int axis, bool *inside)
{
  const bool in = by->inner.free && by->inner.w > 0, out = by->outer.free && by->outer.w > 0;
  *inside = *inside && in && out;
  if (!g->halve[axis] || !in)
    return 0;
  return perp_code_axis(in, out, by->outer.w > 0, dirs >> (2 * axis + odd) & 1, axis);
}

/* Computes the contribution of a cell. Reads all neighbours at once, so that a lane waits for
 * memory once. */
TEAM void perp_cell_part_of(const perp_grid *g, const perp_spot *s, perp_cell_part *part)
{
  const uint8_t state = g->state[s->slot], dirs = g->dirs[s->slot];
  const float sink = g->sink[s->slot];
  perp_axis_neighbours by[3];
  int odd[3];
  TEAM_ALL
  for (int axis = 0; axis < 3; axis++)
    if (axis < g->axes) {
      odd[axis] = g->halve[axis] ? s->at[axis] & 1 : 1; /* the other half of an odd cell is below
                                                         * it */
      by[axis].inner = perp_side_of(g, s, axis, !odd[axis]);
      by[axis].outer = perp_side_of(g, s, axis, odd[axis]);
      if (PERP_GROUP > 1 || (odd[axis] && g->halve[axis])) /* a path ends in it */
        by[axis].beyond = perp_side_beyond(g, s, axis);
    }
  part->state = state & (PERP_CELL_FREE | PERP_CELL_UNKNOWN);
  if (!(state & PERP_CELL_FREE))
    return;
  int parts = 0, code = PERP_CODE_FREE;
  bool inside = !dirs;
  for (int rest = dirs; rest != 0; rest &= rest - 1)
    parts++;
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

/* Adds the parts of the lanes of a group in the same order on every device. Missing parts are
 * zeros, which change no sum. */
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

/* Stores the sums. Returns true if the cell changed. */
TEAM bool perp_cell_store(const perp_grid *g, int64_t c, const perp_cell_sums *sums)
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

/* Builds a cell of the next grid and the codes of its cells; cells that are not free add nothing
 * but their state. A group of lanes does it, one of the eight cells each; a single lane takes them
 * one after another. Returns true in lane 0 if the cell changed. */
TEAM bool perp_cell_make(const perp_grid *g, const perp_grid *below, int I, int J, int K, int lane,
                         int group)
{
  const int first[3] = {g->halve[0] ? 2 * I : I, g->halve[1] ? 2 * J : J, g->halve[2] ? 2 * K : K};
  perp_cell_sums sums = {{0, 0, 0}, 0, 0, 0};
  TEAM_SHORT
  for (int from = 0; from < (g->halve[2] ? 8 : 4); from += group) {
    const int q = from + lane, di = q & 1, dj = q >> 1 & 1, dk = q >> 2;
    const int i = first[0] + di, j = first[1] + dj, k = first[2] + dk;
    perp_cell_part part = {{0, 0, 0}, {0, 0, 0, 0}, 0, 0, 0};
    if (di <= g->halve[0] && dj <= g->halve[1] && dk <= g->halve[2] && i < g->n[0] && j < g->n[1] &&
        k < g->n[2]) {
      const perp_spot s = perp_spot_at(g, i, j, k);
      if (group > 1 || g->state[s.slot] & PERP_CELL_FREE) /* a group does not wait for the state */
        perp_cell_part_of(g, &s, &part);
      else
        part.state = g->state[s.slot] & PERP_CELL_UNKNOWN;
      g->code[s.slot] = part.code;
    }
    TEAM_ALL
    for (int other = 0; other < group; other++)
      perp_cell_add(&part, other, group, &sums);
  }
  return lane == 0 && perp_cell_store(below, perp_grid_slot(below, I, J, K), &sums);
}

/* Makes the cell if necessary. */
TEAM void perp_cell_build(const perp_grid_task *t, int I, int J, int K, int lane, int group)
{
  if (perp_cell_is_dirty(&t->below, I, J, K) &&
      perp_cell_make(&t->g, &t->below, I, J, K, lane, group))
    perp_cell_touch(&t->below, I, J, K);
}

TEAM double perp_op_build(const perp_grid_task *t, int I, int J, int K)
{
  perp_cell_build(t, I, J, K, 0, 1);
  return 0;
}

/* gain <- 1 / diagonal, after all cells are built. */
TEAM double perp_op_gains(const perp_grid_task *t, int I, int J, int K)
{
  const perp_grid *g = &t->below;
  if (!perp_cell_is_dirty(g, I, J, K))
    return 0;
  const perp_spot s = perp_spot_at(g, I, J, K);
  float d = g->sink[s.slot] + ((g->w[0][s.slot] + g->w[0][perp_spot_next(g, &s, 0, 0)]) +
                               (g->w[1][s.slot] + g->w[1][s.other - g->row]));
  if (g->axes == 3)
    d += g->w[2][s.slot] + g->w[2][s.other - g->plane];
  g->gain[s.slot] = perp_gain(d, g->state[s.slot]);
  return 0;
}

typedef struct perp_grid_sums {
  double slope, bend;
} perp_grid_sums;

/* Returns the weight of a face along an axis, and 1 if it is open. */
TEAM perp_grid_sums perp_cell_faces(const perp_grid_task *t, int i, int j, int k)
{
  const float w = t->g.w[t->set][perp_grid_slot(&t->g, i, j, k)];
  perp_grid_sums sums;
  sums.slope = (double)w;
  sums.bend = w > 0 ? 1 : 0;
  return sums;
}

/* ---- The problem on coarse grids ---- */

/* Returns f / gain of a cell: of a coarse grid, stored in its f, or of grid 0. */
TEAM float perp_cell_load(const perp_grid_task *t, bool fine, int64_t c)
{
  const perp_fine *p = &t->top;
  if (!fine)
    return t->g.f[c];
  return perp_to_float(p->shrink * p->offset[c]) * (p->diagonal ? p->diagonal[c] : p->common);
}

/* Returns the part of b of a boundary cell that shrinks with the conductance; start.c has the
 * reason. */
TEAM float perp_cell_boundary(const perp_grid_task *t, bool fine, const perp_spot *s)
{
  const perp_grid *g = &t->g;
  const uint8_t dirs = g->dirs[s->slot];
  int count = 0;
  float sum = 0;
  for (int rest = dirs; rest != 0; rest &= rest - 1)
    count++;
  for (int axis = 0; axis < g->axes; axis++) {
    const int odd = s->at[axis] & 1;
    if (!g->halve[axis] || !(dirs >> (2 * axis + odd) & 1))
      continue;
    const int64_t next = perp_spot_next(g, s, axis, !odd); /* not an unknown beyond the border */
    const float w = g->w[axis] ? g->w[axis][odd ? next : s->slot] : g->weight;
    const float B = g->sink[s->slot] / (float)count;
    if ((g->state[next] & PERP_CELL_UNKNOWN) && w > 0)
      sum += (perp_cell_load(t, fine, next) - perp_cell_load(t, fine, s->slot)) *
             (B / (B + 2 * w)); /* 1 - p / B with p = B 2w / (B + 2w) */
  }
  return sum;
}

/* f <- the load of a cell of the next grid: red cells first in each row. */
TEAM double perp_op_load(const perp_grid_task *t, int I, int J, int K)
{
  const perp_grid *g = &t->g;
  const bool fine = t->level == 0;
  const int wide = g->halve[0], i0 = wide ? 2 * I : I, k0 = g->halve[2] ? 2 * K : K;
  const int j0 = g->halve[1] ? 2 * J : J;
  float sum = 0;
  for (int k = k0; k <= k0 + g->halve[2] && k < g->n[2]; k++)
    for (int j = j0; j <= j0 + g->halve[1] && j < g->n[1]; j++)
      for (int q = 0; q <= wide; q++) {
        const int odd = (j + k) & 1, i = i0 + (wide ? q ^ odd : 0);
        const int64_t c =
            k * g->plane + j * g->row + (wide ? q : (i & 1) ^ odd) * g->colour + (wide ? I : I / 2);
        if (i >= g->n[0])
          continue;
        sum += perp_cell_load(t, fine, c);
        if (g->dirs[c]) {
          const perp_spot s = perp_spot_at(g, i, j, k);
          sum += perp_cell_boundary(t, fine, &s);
        }
      }
  t->below.f[perp_grid_slot(&t->below, I, J, K)] = sum;
  return 0;
}

/* Computes means of the bounds of the unknowns; a cell that is not an unknown has the bounds 0 and
 * 0. */
TEAM double perp_op_bounds(const perp_grid_task *t, int I, int J, int K)
{
  const perp_grid *g = &t->g, *below = &t->below;
  const bool fine = t->level == 0;
  const perp_fine *p = &t->top;
  const int first[3] = {g->halve[0] ? 2 * I : I, g->halve[1] ? 2 * J : J, g->halve[2] ? 2 * K : K};
  float lo = 0, hi = 0, count = 0;
  for (int dk = 0; dk <= g->halve[2]; dk++)
    for (int dj = 0; dj <= g->halve[1]; dj++)
      for (int di = 0; di <= g->halve[0]; di++) {
        const int i = first[0] + di, j = first[1] + dj, k = first[2] + dk;
        if (i >= g->n[0] || j >= g->n[1] || k >= g->n[2])
          continue;
        const int64_t c = perp_grid_slot(g, i, j, k);
        lo += fine ? perp_to_float(1 / p->size * p->lo[c]) : g->lo[c];
        hi += fine ? perp_to_float(1 / p->size * p->hi[c]) : g->hi[c];
        count += (float)(g->state[c] >> 1 & 1);
      }
  const int64_t C = perp_grid_slot(below, I, J, K);
  below->lo[C] = count > 0 ? lo / count : 0;
  below->hi[C] = count > 0 ? hi / count : 0;
  return 0;
}
