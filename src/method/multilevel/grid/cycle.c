/* cycle.c: relaxation on coarse grids, codes and transfers, V-cycles
 *
 *   x_c <- gain_c sum over the neighbours d of c of w_cd x_d + f_c
 *
 * in red-black order, projected if the coarse problem has bounds. Black rows follow one row (in
 * solid grids one plane) behind the red ones, so that memory is read once per sweep. A V-cycle: on
 * each grid `pre` sweeps from zero, the residual, the coarse grid, `post` sweeps; on the next grid
 * one sweep more of each, and two more on all further grids (the variable V-cycle; Bramble and
 * Pasciak 1987). If a boundary crosses the grid, a coarse cell that it cuts has one value although
 * the solution has a slope, and is too stiff. With more levels less of the error at the boundary is
 * corrected: 0.2 of it remains on a grid of 2048^2. Sweeps on those grids cost almost nothing. The
 * last grid has one cell and is solved by its gain. Cost: about (pre + post + 1) 3/2 sweeps of the
 * first grid in the plane, 8/7 in solid grids.
 *
 * Transfers. If the first axis is halved, cell m of a row of one colour lies in coarse column m, so
 * rows of both grids are read in order. Stretches without a free cell are skipped. Cost: one pass
 * over a colour. */
#include "base/kernel.h"
#include "method/multilevel/grid/grid.h"

#include <string.h>

enum { BLOCK = 16 }; /* two words of bytes */

/* ---- Codes ---- */

/* Returns true if a cell of a block has one of these bits. */
static bool any_bits(const uint8_t *bytes, uint8_t bits)
{
  uint64_t word[2];
  memcpy(word, bytes, sizeof word);
  return (word[0] | word[1]) & bits * (uint64_t)0x0101010101010101;
}

/* A neighbour of the cells of a row: its place, and the face between. */
typedef struct side {
  const uint8_t *state;
  const float *w; /* NULL: open if the neighbour is an unknown */
} side;

/* Finds the sides of row (j, k) of a colour along an axis: [0] towards lower numbers. */
static void sides_of(const perp_grid *g, int axis, int64_t c, int colour, int h, side sides[2])
{
  const int64_t other = colour ? c - g->colour : c + g->colour;
  const int64_t step = axis == 1 ? g->row : g->plane;
  const int64_t lower = axis == 0 ? other - 1 + h : other - step;
  const int64_t upper = axis == 0 ? other + h : other + step;
  const float *w = g->w[axis];
  sides[0] = (side){g->state + lower, w ? w + lower : NULL};
  sides[1] = (side){g->state + upper, w ? w + c : NULL};
}

/* Adds the bits of one axis for a block of cells; `inner` is the side of the other half.
 * Branch-free and of a fixed length, so that it vectorises. */
KERNEL void code_axis(side inner, side outer, const uint8_t *restrict dirs, int outward, int axis,
                      bool halve, bool weighted, uint8_t *restrict code, uint8_t *restrict inside)
{
  const uint8_t direction = (uint8_t)(1 << outward);
  uint8_t open_in[BLOCK], open_out[BLOCK];
  for (int q = 0; q < BLOCK; q++)
    open_in[q] = weighted ? inner.w[q] > 0 : (inner.state[q] & PERP_CELL_UNKNOWN) != 0;
  for (int q = 0; q < BLOCK; q++)
    open_out[q] = weighted ? outer.w[q] > 0 : (outer.state[q] & PERP_CELL_UNKNOWN) != 0;
  for (int q = 0; q < BLOCK; q++) {
    const uint8_t in = inner.state[q] & open_in[q], out = outer.state[q] & open_out[q];
    if (halve)
      code[q] |= perp_code_axis(in, out, open_out[q], (dirs[q] & direction) != 0, axis);
    inside[q] &= in & out;
  }
}

/* Computes the codes of a block of cells from place m on; results beyond the row's end have no
 * meaning. */
static void code_block(const perp_grid *g, int j, int k, int colour, int m, uint8_t *restrict code)
{
  const int64_t c = perp_grid_row(g, j, k, colour) + m;
  const int h = (j + k + colour) & 1, parity[3] = {h, j & 1, k & 1};
  const uint8_t *state = g->state + c, *dirs = g->dirs + c;
  uint8_t inside[BLOCK];
  memset(code, 0, BLOCK);
  if (!any_bits(state, PERP_CELL_FREE))
    return;
  for (int q = 0; q < BLOCK; q++)
    inside[q] = !dirs[q];
  for (int axis = 0; axis < g->axes; axis++) {
    const int upper = parity[axis]; /* an odd cell has its other half below */
    side sides[2];
    sides_of(g, axis, c, colour, h, sides);
    if (g->w[axis])
      code_axis(sides[1 - upper], sides[upper], dirs, 2 * axis + upper, axis, g->halve[axis], true,
                code, inside);
    else
      code_axis(sides[1 - upper], sides[upper], dirs, 2 * axis + upper, axis, g->halve[axis], false,
                code, inside);
  }
  for (int q = 0; q < BLOCK; q++) {
    const uint8_t all = (uint8_t)(code[q] | (inside[q] ? PERP_CODE_INSIDE : 0) | PERP_CODE_FREE);
    code[q] = state[q] & PERP_CELL_FREE ? all : 0;
  }
}

int perp_grid_code_from(const perp_grid *g, int j, int k, int colour, int m)
{
  const int length = perp_grid_length(g, (j + k + colour) & 1);
  uint8_t *to = g->code + perp_grid_row(g, j, k, colour) + m;
  if (m + BLOCK <= length) {
    code_block(g, j, k, colour, m, to);
    return m + BLOCK;
  }
  uint8_t code[BLOCK];
  code_block(g, j, k, colour, m, code);
  memcpy(to, code, (size_t)(length - m) * sizeof *to);
  return length;
}

/* ---- Transfers ---- */

/* The coarse rows connected with a fine row. */
typedef struct rows {
  float *own, *y, *z; /* y, z: next to it along these axes; own if there is none */
  int step;           /* of coarse columns to a cell */
  int next;           /* to the next column along x */
} rows;

static rows rows_of(const perp_grid *fine, const perp_grid *coarse, int j, int k, int colour)
{
  const int h = (j + k + colour) & 1, at[3] = {0, j, k};
  int C[3] = {0, 0, 0}, D[3] = {0, 0, 0};
  for (int axis = 1; axis < 3; axis++) {
    C[axis] = fine->halve[axis] ? at[axis] / 2 : at[axis];
    D[axis] = fine->halve[axis] ? C[axis] + (at[axis] & 1 ? 1 : -1) : C[axis];
    if (D[axis] < 0 || D[axis] >= coarse->n[axis])
      D[axis] = C[axis];
  }
  const int64_t nx = coarse->n[0], ny = coarse->n[1];
  float *flat = coarse->flat + (fine->halve[0] ? 0 : h);
  return (rows){.own = flat + (C[2] * ny + C[1]) * nx,
                .y = flat + (C[2] * ny + D[1]) * nx,
                .z = flat + (D[2] * ny + C[1]) * nx,
                .step = fine->halve[0] ? 1 : 2,
                .next = h ? 1 : -1};
}

/* Cells begin .. end-1 of a row, in blocks that each have a free cell, or that have none. */
typedef struct stretch {
  int begin, end;
  bool free;
} stretch;

static stretch stretch_from(const uint8_t *code, int begin, int length)
{
  stretch s = {begin, begin, true};
  while (s.end < length) {
    const bool next = s.end + BLOCK > length || any_bits(code + s.end, PERP_CODE_FREE);
    if (s.end > begin && next != s.free)
      break;
    s.free = next;
    s.end = s.end + BLOCK < length ? s.end + BLOCK : length;
  }
  return s;
}

KERNEL void add_own(float *restrict to, int step, const uint8_t *restrict code, float share,
                    const float *restrict r, int count)
{
  for (int m = 0; m < count; m++)
    to[step * m] += perp_code_own(code[m], share) * r[m];
}

KERNEL void add_next(float *restrict to, int step, const uint8_t *restrict code, int axis,
                     float share, const float *restrict r, int count)
{
  for (int m = 0; m < count; m++)
    to[step * m] += perp_code_next(code[m], axis, share) * r[m];
}

/* Adds axis by axis, since a number just written would be read again one column later. */
KERNEL void restrict_kernel(const perp_grid *fine, rows to, const uint8_t *code, const float *r,
                            stretch s, int step)
{
  const int count = s.end - s.begin, at = step * s.begin;
  const float share = fine->share;
  add_own(to.own + at, step, code, share, r, count);
  if (fine->halve[0])
    add_next(to.own + at + to.next, step, code, 0, share, r, count);
  if (fine->halve[1])
    add_next(to.y + at, step, code, 1, share, r, count);
  if (fine->halve[2])
    add_next(to.z + at, step, code, 2, share, r, count);
}

void perp_grid_restrict_row(const perp_grid *fine, const perp_grid *coarse, int j, int k,
                            int colour, const float *r)
{
  const int length = perp_grid_length(fine, (j + k + colour) & 1);
  const uint8_t *code = fine->code + perp_grid_row(fine, j, k, colour);
  const rows to = rows_of(fine, coarse, j, k, colour);
  for (int m = 0; m < length;) {
    const stretch s = stretch_from(code, m, length);
    if (s.free && to.step == 1)
      restrict_kernel(fine, to, code + m, r + m, s, 1);
    else if (s.free)
      restrict_kernel(fine, to, code + m, r + m, s, 2);
    m = s.end;
  }
}

/* Reads values beyond the ends of a row, without effect. */
KERNEL void interpolate_kernel(rows from, const uint8_t *restrict code, float share,
                               float *restrict v, stretch s, int step, bool halve_x)
{
  const int64_t at = (int64_t)step * s.begin;
  const float *own = from.own + at, *next = own + (halve_x ? from.next : 0);
  const float *y = from.y + at, *z = from.z + at;
  for (int m = 0; m < s.end - s.begin; m++) {
    const uint8_t c = code[m];
    const float a_x = next[step * m], a_y = y[step * m], a_z = z[step * m]; /* for vector code */
    v[m] = perp_code_value(c, share, own[step * m], a_x, a_y, a_z);
  }
}

void perp_grid_interpolate_row(const perp_grid *fine, const perp_grid *coarse, int j, int k,
                               int colour, float share, float *v)
{
  const int length = perp_grid_length(fine, (j + k + colour) & 1);
  const uint8_t *code = fine->code + perp_grid_row(fine, j, k, colour);
  const rows from = rows_of(fine, coarse, j, k, colour);
  for (int m = 0; m < length;) {
    const stretch s = stretch_from(code, m, length);
    if (!s.free)
      memset(v + m, 0, (size_t)(s.end - m) * sizeof *v);
    else if (from.step == 1)
      interpolate_kernel(from, code + m, share, v + m, s, 1, true);
    else
      interpolate_kernel(from, code + m, share, v + m, s, 2, false);
    m = s.end;
  }
}

/* ---- Between flat and coloured arrays ---- */

/* Between the rows of f there are zeros, as in x. */
void perp_grid_begin(const perp_grid *g)
{
  const size_t bytes = (size_t)g->colour * sizeof *g->x;
  memcpy(g->x, g->f, bytes);
  memset(g->x + g->colour, 0, bytes);
}

/* Even cells of a row have the colour (j + k) & 1. */
void perp_grid_receive(const perp_grid *g)
{
  const float *flat = g->flat;
  for (int k = 0; k < g->n[2]; k++)
    for (int j = 0; j < g->n[1]; j++, flat += g->n[0])
      for (int h = 0; h < 2; h++) {
        const int64_t c = perp_grid_row(g, j, k, (j + k + h) & 1);
        const float *gain = g->gain + c;
        float *restrict f = g->f + c;
        for (int m = 0; m < perp_grid_length(g, h); m++)
          f[m] = gain[m] * flat[2 * m + h];
      }
  perp_grid_begin(g);
}

void perp_grid_send(const perp_grid *g)
{
  float *flat = g->flat;
  for (int k = 0; k < g->n[2]; k++)
    for (int j = 0; j < g->n[1]; j++, flat += g->n[0])
      for (int h = 0; h < 2; h++) {
        const float *x = g->x + perp_grid_row(g, j, k, (j + k + h) & 1);
        for (int m = 0; m < perp_grid_length(g, h); m++)
          flat[2 * m + h] = x[m];
      }
}

void perp_grid_fetch(const perp_grid *g)
{
  const float *flat = g->flat;
  for (int k = 0; k < g->n[2]; k++)
    for (int j = 0; j < g->n[1]; j++)
      for (int i = 0; i < g->n[0]; i++)
        g->x[perp_grid_slot(g, i, j, k)] = *flat++;
}

/* ---- Relaxation ---- */

static inline float max_float(float a, float b)
{
  return a > b ? a : b;
}

static inline float min_float(float a, float b)
{
  return a < b ? a : b;
}

/* out_m <- gain sum w x + f, projected. */
KERNEL void row_kernel(const perp_grid *g, perp_around r, float *restrict out, perp_grid_set set,
                       bool solid)
{
  const float *x = g->x, *gain = g->gain + r.c, *f = g->f + r.c;
  const float *wx = g->w[0] + r.c, *wx_side = g->w[0] + r.side, *x_side = x + r.side;
  const float *wy = g->w[1] + r.c, *wy_up = g->w[1] + r.up, *x_up = x + r.up, *x_down = x + r.down;
  const float *wz = solid ? g->w[2] + r.c : NULL, *wz_front = solid ? g->w[2] + r.front : NULL;
  const float *x_front = x + (solid ? r.front : 0), *x_back = x + (solid ? r.back : 0);
  const float *lo = set == PERP_GRID_BOX ? g->lo + r.c : NULL;
  const float *hi = set == PERP_GRID_BOX ? g->hi + r.c : NULL;
  for (int m = 0; m < r.count; m++) {
    float sum = (wx_side[m - 1] * x_side[m - 1] + wx[m] * x_side[m]) +
                (wy_up[m] * x_up[m] + wy[m] * x_down[m]);
    if (solid)
      sum += wz_front[m] * x_front[m] + wz[m] * x_back[m];
    float t = gain[m] * sum + f[m];
    if (set == PERP_GRID_PLAIN)
      t = max_float(t, 0);
    if (set == PERP_GRID_BOX)
      t = min_float(max_float(t, lo[m]), hi[m]);
    out[m] = t;
  }
}

static void row_relax(const perp_grid *g, perp_grid_set set, int row, int colour)
{
  const perp_around r = perp_grid_around(g, row % g->n[1], row / g->n[1], colour);
  float *x = g->x + r.c;
  if (set == PERP_GRID_LINEAR && g->axes == 2)
    row_kernel(g, r, x, PERP_GRID_LINEAR, false);
  else if (set == PERP_GRID_LINEAR)
    row_kernel(g, r, x, PERP_GRID_LINEAR, true);
  else if (set == PERP_GRID_PLAIN)
    row_kernel(g, r, x, PERP_GRID_PLAIN, g->axes == 3);
  else
    row_kernel(g, r, x, PERP_GRID_BOX, g->axes == 3);
}

void perp_grid_half_sweep(const perp_grid *g, int colour)
{
  for (int row = 0; row < g->n[1] * g->n[2]; row++)
    row_relax(g, PERP_GRID_LINEAR, row, colour);
}

void perp_grid_sweep(const perp_grid *g, perp_grid_set set)
{
  const int count = g->n[1] * g->n[2], lag = g->axes == 3 ? g->n[1] : 1;
  for (int row = 0; row < count + lag; row++) {
    if (row < count)
      row_relax(g, set, row, 0);
    if (row >= lag)
      row_relax(g, set, row - lag, 1);
  }
}

/* r <- the residuals of a row, f / gain - A x. */
static void residual_row(const perp_grid *g, int j, int k, int colour, float *restrict r)
{
  const perp_around at = perp_grid_around(g, j, k, colour);
  const float *x = g->x + at.c, *gain = g->gain + at.c;
  row_kernel(g, at, r, PERP_GRID_LINEAR, g->axes == 3);
  for (int m = 0; m < at.count; m++)
    r[m] = gain[m] > 0 ? (r[m] - x[m]) / gain[m] : 0;
}

static void flat_clear(const perp_grid *g)
{
  memset(g->flat, 0, (size_t)g->cells * sizeof *g->flat);
}

void perp_grids_restrict(perp_grids *grids, int level)
{
  const perp_grid *g = &grids->grid[level];
  flat_clear(g + 1);
  for (int k = 0; k < g->n[2]; k++)
    for (int j = 0; j < g->n[1]; j++) {
      residual_row(g, j, k, 0, grids->buffer);
      perp_grid_restrict_row(g, g + 1, j, k, 0, grids->buffer);
    }
}

/* Red then black before the coarse grid, black then red after it; so the red cells are
 * corrected. */
void perp_grids_cycle_symmetric(perp_grids *grids, int level, int sweeps)
{
  const perp_grid *g = &grids->grid[level];
  if (level == grids->count - 1)
    return;
  perp_grid_half_sweep(g, 1);
  for (int s = 1; s < sweeps; s++)
    perp_grid_sweep(g, PERP_GRID_LINEAR);
  perp_grids_restrict(grids, level);
  perp_grid_receive(g + 1);
  perp_grids_cycle_symmetric(grids, level + 1, sweeps);
  perp_grid_send(g + 1);
  perp_grids_interpolate(grids, level, PERP_GRID_LINEAR, 0, true);
  for (int s = 0; s < sweeps; s++) {
    perp_grid_half_sweep(g, 1);
    perp_grid_half_sweep(g, 0);
  }
}
