/* grid_transfer.c: codes, restriction and interpolation (grid.h has the formulas)
 *
 * In a row of one colour cell m lies in coarse column m where the first axis is halved: rows of
 * both grids are then read along. Blocks of cells that have all around them free need no look at
 * their codes; blocks without a free cell are passed over; the others go cell by cell.
 * Cost: one pass over a colour. */
#include "method/multilevel/grid.h"

#include <string.h>

enum { BLOCK = 16 };

/* ---- Codes ---- */

/* A neighbour of the cells of a row: where it is, and the face between. */
typedef struct side {
  const uint8_t *state;
  const float *w; /* NULL: open where the neighbour is an unknown */
} side;

/* The sides of row (j, k) of a colour along an axis: [0] towards lower numbers. */
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

/* Adds the bits of one axis for cells begin .. end-1, at most a block; `inner` is the side of the
 * other half. Without branches, so that it becomes vector code. */
static void code_axis(side inner, side outer, const uint8_t *dirs, int outward, int axis,
                      bool halve, int begin, int end, uint8_t *restrict code,
                      uint8_t *restrict inside)
{
  uint8_t open_in[BLOCK], open_out[BLOCK];
  for (int m = begin; m < end; m++)
    open_in[m - begin] = inner.w ? inner.w[m] > 0 : inner.state[m] >> 1 & 1;
  for (int m = begin; m < end; m++)
    open_out[m - begin] = outer.w ? outer.w[m] > 0 : outer.state[m] >> 1 & 1;
  for (int m = begin; m < end; m++) {
    const int q = m - begin, in = inner.state[m] & open_in[q], out = outer.state[m] & open_out[q];
    const int sink = dirs[m] >> outward & 1;
    if (halve)
      code[q] |= (uint8_t)((in & (open_out[q] | sink)) * (PERP_CODE_BETWEEN << axis) |
                           (in & out) * (PERP_CODE_NEXT << axis));
    inside[q] &= (uint8_t)(in & out);
  }
}

/* At most a block of cells. */
static void code_cells(const perp_grid *g, int j, int k, int colour, int begin, int end)
{
  const int64_t c = perp_grid_row(g, j, k, colour);
  const int h = (j + k + colour) & 1, parity[3] = {h, j & 1, k & 1};
  const uint8_t *state = g->state + c, *dirs = g->dirs + c;
  uint8_t code[BLOCK] = {0}, inside[BLOCK];
  for (int m = begin; m < end; m++)
    inside[m - begin] = !dirs[m];
  for (int axis = 0; axis < g->axes; axis++) {
    const int upper = parity[axis]; /* an odd cell has its other half below */
    side sides[2];
    sides_of(g, axis, c, colour, h, sides);
    code_axis(sides[1 - upper], sides[upper], dirs, 2 * axis + upper, axis, g->halve[axis], begin,
              end, code, inside);
  }
  for (int m = begin; m < end; m++) {
    const int q = m - begin, all = code[q] | inside[q] * PERP_CODE_INSIDE | PERP_CODE_FREE;
    g->code[c + m] = (uint8_t)((state[m] & PERP_CELL_FREE) * all);
  }
}

static bool all_positive(const float *w)
{
  uint8_t all = 1;
  for (int q = 0; q < BLOCK; q++)
    all &= w[q] > 0;
  return all;
}

/* Whether the cells of a block are inside. */
static bool block_is_inside(const perp_grid *g, int64_t c, int colour, int h, int m)
{
  static const uint8_t full = PERP_CELL_FREE | PERP_CELL_UNKNOWN;
  const int64_t at = c + m, other = (colour ? at - g->colour : at + g->colour);
  const int64_t starts[] = {other - 1 + h,  other + h,        other - g->row,
                            other + g->row, other - g->plane, other + g->plane};
  uint8_t all = full, dirs = 0;
  for (int q = 0; q < BLOCK; q++) {
    all &= g->state[at + q];
    dirs |= g->dirs[at + q];
  }
  for (int s = 0; s < 2 * g->axes; s++)
    for (int q = 0; q < BLOCK; q++)
      all &= g->state[starts[s] + q];
  bool open = all == full && !dirs;
  for (int axis = 0; open && axis < g->axes && g->w[axis]; axis++)
    open = all_positive(g->w[axis] + at) && all_positive(g->w[axis] + starts[2 * axis]);
  return open;
}

void perp_grid_code_all(const perp_grid *g)
{
  for (int k = 0; k < g->n[2]; k++)
    for (int j = 0; j < g->n[1]; j++)
      for (int colour = 0; colour < 2; colour++) {
        const int h = (j + k + colour) & 1, length = perp_grid_length(g, h);
        const int64_t c = perp_grid_row(g, j, k, colour);
        for (int m = 0; m < length; m += BLOCK) {
          const int end = m + BLOCK < length ? m + BLOCK : length;
          if (end == m + BLOCK && block_is_inside(g, c, colour, h, m))
            memset(g->code + c + m, g->standard, BLOCK);
          else
            code_cells(g, j, k, colour, m, end);
        }
      }
}

void perp_grid_code_cell(const perp_grid *g, int i, int j, int k)
{
  code_cells(g, j, k, (i + j + k) & 1, i / 2, i / 2 + 1);
}

/* ---- Transfers ---- */

/* The coarse rows that a fine row has to do with. */
typedef struct rows {
  float *own, *y, *z; /* y, z: next to it along these axes; own where there is none */
  int step;           /* of coarse columns to a cell */
  int first;          /* column of cell 0 */
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
  float *flat = coarse->flat;
  return (rows){.own = flat + (C[2] * ny + C[1]) * nx,
                .y = flat + (C[2] * ny + D[1]) * nx,
                .z = flat + (D[2] * ny + C[1]) * nx,
                .step = fine->halve[0] ? 1 : 2,
                .first = fine->halve[0] ? 0 : h,
                .next = h ? 1 : -1};
}

static bool all_are(const uint8_t *code, uint8_t value)
{
  uint8_t different = 0;
  for (int q = 0; q < BLOCK; q++)
    different |= code[q] ^ value;
  return !different;
}

static void restrict_cells(const perp_grid *fine, rows to, const uint8_t *code, const float *r,
                           int begin, int end)
{
  for (int m = begin; m < end; m++) {
    const uint8_t c = code[m];
    if (!c)
      continue;
    const int I = to.first + to.step * m;
    const float part = fine->share * r[m];
    to.own[I] += fine->centre[c / PERP_CODE_BETWEEN & 7] * r[m];
    if (c & PERP_CODE_NEXT)
      to.own[I + to.next] += part;
    if (c & PERP_CODE_NEXT << 1)
      to.y[I] += part;
    if (c & PERP_CODE_NEXT << 2)
      to.z[I] += part;
  }
}

static void block_add(float *restrict to, float factor, const float *restrict from)
{
  for (int q = 0; q < BLOCK; q++)
    to[q] += factor * from[q];
}

/* A block with all around it free, the first axis halved. */
static void restrict_block(const perp_grid *fine, rows to, const float *r, int begin)
{
  const float share = fine->share;
  block_add(to.own + begin, fine->centre[fine->standard / PERP_CODE_BETWEEN & 7], r + begin);
  block_add(to.own + begin + to.next, share, r + begin);
  if (fine->halve[1])
    block_add(to.y + begin, share, r + begin);
  if (fine->halve[2])
    block_add(to.z + begin, share, r + begin);
}

void perp_grid_restrict_row(const perp_grid *fine, const perp_grid *coarse, int j, int k,
                            int colour, const float *r)
{
  const int length = perp_grid_length(fine, (j + k + colour) & 1);
  const uint8_t *code = fine->code + perp_grid_row(fine, j, k, colour);
  const rows to = rows_of(fine, coarse, j, k, colour);
  int m = 0;
  for (; m + BLOCK <= length; m += BLOCK) {
    if (fine->halve[0] && all_are(code + m, fine->standard))
      restrict_block(fine, to, r, m);
    else if (!all_are(code + m, 0))
      restrict_cells(fine, to, code, r, m, m + BLOCK);
  }
  restrict_cells(fine, to, code, r, m, length);
}

static void interpolate_cells(const perp_grid *fine, rows from, const uint8_t *code, float *v,
                              int begin, int end)
{
  for (int m = begin; m < end; m++) {
    const uint8_t c = code[m];
    const int I = from.first + from.step * m;
    float next = 0;
    if (c & PERP_CODE_NEXT)
      next += from.own[I + from.next];
    if (c & PERP_CODE_NEXT << 1)
      next += from.y[I];
    if (c & PERP_CODE_NEXT << 2)
      next += from.z[I];
    v[m] = c ? fine->centre[c / PERP_CODE_BETWEEN & 7] * from.own[I] + fine->share * next : 0;
  }
}

static void interpolate_block(const perp_grid *fine, rows from, float *restrict v, int begin)
{
  const float share = fine->share, centre = fine->centre[fine->standard / PERP_CODE_BETWEEN & 7];
  const float *own = from.own + begin, *next = own + from.next;
  const float *y = from.y + begin, *z = from.z + begin;
  float *restrict to = v + begin;
  if (fine->halve[1] && fine->halve[2])
    for (int q = 0; q < BLOCK; q++)
      to[q] = centre * own[q] + share * (next[q] + (y[q] + z[q]));
  else if (fine->halve[1] || fine->halve[2]) {
    const float *beside = fine->halve[1] ? y : z;
    for (int q = 0; q < BLOCK; q++)
      to[q] = centre * own[q] + share * (next[q] + beside[q]);
  } else {
    for (int q = 0; q < BLOCK; q++)
      to[q] = centre * own[q] + share * next[q];
  }
}

void perp_grid_interpolate_row(const perp_grid *fine, const perp_grid *coarse, int j, int k,
                               int colour, float *v)
{
  const int length = perp_grid_length(fine, (j + k + colour) & 1);
  const uint8_t *code = fine->code + perp_grid_row(fine, j, k, colour);
  const rows from = rows_of(fine, coarse, j, k, colour);
  int m = 0;
  for (; m + BLOCK <= length; m += BLOCK) {
    if (fine->halve[0] && all_are(code + m, fine->standard))
      interpolate_block(fine, from, v, m);
    else if (all_are(code + m, 0))
      memset(v + m, 0, BLOCK * sizeof *v);
    else
      interpolate_cells(fine, from, code, v, m, m + BLOCK);
  }
  interpolate_cells(fine, from, code, v, m, length);
}

/* ---- Between flat and coloured ---- */

/* Both halves of a flat row: even cells have the colour (j + k) & 1. */
static void receive_half(const float *flat, const float *gain, float *restrict f, float *restrict x,
                         int length, bool red)
{
  for (int m = 0; m < length; m++)
    f[m] = gain[m] * flat[2 * m];
  if (red)
    memcpy(x, f, (size_t)length * sizeof *x);
  else
    memset(x, 0, (size_t)length * sizeof *x);
}

void perp_grid_receive(const perp_grid *g)
{
  const float *flat = g->flat;
  for (int k = 0; k < g->n[2]; k++)
    for (int j = 0; j < g->n[1]; j++, flat += g->n[0])
      for (int h = 0; h < 2; h++) {
        const int colour = (j + k + h) & 1;
        const int64_t c = perp_grid_row(g, j, k, colour);
        receive_half(flat + h, g->gain + c, g->f + c, g->x + c, perp_grid_length(g, h),
                     colour == 0);
      }
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
