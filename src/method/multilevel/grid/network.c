/* network.c: coarse grids as networks, built from the grid above, and updated after a change
 *
 * Most cells are inside: all their neighbours are free, without a sink in any direction. Plain
 * loops build rows of such cells, and blocks of four the other cells. The coarse diagonal is the
 * sum of the coarse sink and faces, and gain is its inverse. kernel/cells.h has the formulas of a
 * face, of a sink and of the gain.
 *
 * With w the faces and s the sink of each fine cell, a coarse face along an axis that is halved is
 * the sum over its fine faces of the paths
 *
 *   p = 1 / (1 / w_face + 1 / (2 w_inside) + 1 / (2 w_inside')),
 *
 * without the half faces that are closed or lead to a cell that is not free; along an axis that is
 * not halved it is the sum of the fine faces. A fine face that leads to a cell that is not free is
 * a sink. So is the share of s in a direction of dirs (s is divided equally among them). A sink is
 * lengthened by the half face towards the centre,
 *
 *   s' = 1 / (1 / s + 1 / (2 w_inside)),   only outward and if the other half is free,
 *
 * and is added to the coarse sink, its direction to the coarse dirs. A sink without a direction is
 * added unchanged. The resistance of a half face is r / a with r = 1, or r = 0 and a = 1 if there
 * is no such half face, so that nothing is divided by zero.
 *
 * Four cells of one colour are computed at once; compilers do not vectorise this, so the numbers
 * are vectors here. Cells behind the end of a row are read, but their results are not used. Cost:
 * per four fine cells and axis some forty operations, three divisions for every two axes.
 *
 * A coarse cell depends only on its own cells and on its neighbours' cells along the axes. So after
 * some cells of a grid became free or stopped being free, the blocks with the coarse cells over
 * them and next to them are built again; then, on the grid below, the blocks over the changed
 * cells. Cost of a whole build: about a dozen sweeps over the coarse grid. */
#include "base/kernel.h"
#include "method/multilevel/grid/grid.h"

#include <string.h>

enum { WIDTH = 4 };
enum { QUEUED = 128 }; /* in dirs of a block's first cell: the block is in a list */
enum { MANY = 16 };    /* all rows are built if more than one cell in MANY changed */

/* ---- Four adjacent coarse cells ---- */

/* Adjacent coarse cells. */
typedef struct coarse_block {
  float w[3][WIDTH], sink[WIDTH];
  uint8_t state[WIDTH], dirs[WIDTH];
} coarse_block;

typedef float numbers __attribute__((vector_size(4 * WIDTH)));
typedef int32_t masks __attribute__((vector_size(4 * WIDTH))); /* all bits of a lane, or none */

/* The cells of one colour over a block. */
typedef struct stretch {
  int64_t slot, other; /* of the first; other: the same place in the other colour */
  int at[3];           /* its coordinates; along the row their parity */
  masks own;           /* free */
  uint32_t dirs;       /* a byte each */
  numbers share;       /* of a free cell's sink, for each of its directions */
} stretch;

typedef struct sums {
  numbers w[3], sink;
  masks dirs;
  uint32_t state; /* a byte each */
} sums;

/* The neighbours of a stretch on one side along an axis. */
typedef struct side {
  masks free;
  numbers w; /* the faces between */
} side;

static inline numbers kept(masks where, numbers a)
{
  return (numbers)(where & (masks)a);
}

static inline numbers numbers_at(const float *from)
{
  numbers a;
  memcpy(&a, from, sizeof a);
  return a;
}

/* Byte q at bits 8 q .. */
static inline uint32_t bytes_at(const uint8_t *from)
{
  return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

/* Returns a mask of the bytes, of four, that have a bit. */
static inline masks having(uint32_t bytes, int bit)
{
  const int32_t b = (int32_t)(bytes >> bit);
  const masks all = {b, b, b, b}, which = {1, 1 << 8, 1 << 16, 1 << 24};
  return (all & which) != 0;
}

/* Reads the cells from `next` on, behind the faces of the cells from `face` on. A face without a
 * stored weight is open if an unknown is behind it. */
static inline side side_read(const perp_grid *g, int axis, int64_t next, int64_t face)
{
  const uint32_t states = bytes_at(g->state + next);
  const float w = g->weight;
  const masks free = having(states, 0);
  if (g->w[axis])
    return (side){free, numbers_at(g->w[axis] + face)};
  return (side){free, kept(having(states, 1), (numbers){w, w, w, w})};
}

static inline side side_of(const perp_grid *g, const stretch *s, int axis, bool upper)
{
  const int64_t step = axis == 1 ? g->row : g->plane;
  const int64_t next =
      axis == 0 ? s->other - 1 + s->at[0] + upper : s->other + (upper ? step : -step);
  return side_read(g, axis, next, upper ? s->slot : next);
}

/* Reads the cells behind the upper neighbours; arbitrary beyond the border. */
static inline side side_beyond(const perp_grid *g, const stretch *s, int axis)
{
  const int64_t step = axis == 1 ? g->row : g->plane;
  if (axis == 0)
    return side_read(g, axis, s->slot + 1, s->other + s->at[0]);
  if (s->at[axis] + 1 < g->n[axis])
    return side_read(g, axis, s->slot + 2 * step, s->other + step);
  return side_read(g, axis, s->slot, s->slot);
}

static const numbers ONE = {1, 1, 1, 1};

/* Half faces to free cells, as r / a. */
typedef struct halves {
  numbers a, r;
} halves;

static inline halves halves_of(side s)
{
  const numbers half = kept(s.free, s.w + s.w);
  const numbers r = kept(half > 0, ONE);
  return (halves){half + (ONE - r), r};
}

/* Returns the sinks of free cells in a direction. */
static inline numbers sinks_of(const stretch *s, side to, int direction)
{
  return kept(having(s->dirs, direction), s->share) + kept(s->own & ~to.free, to.w);
}

static inline void add_sinks(numbers sinks, int direction, sums *to)
{
  const masks bit = {1 << direction, 1 << direction, 1 << direction, 1 << direction};
  to->dirs |= (sinks > 0) & bit;
}

KERNEL void add_halved(const perp_grid *g, const stretch *s, int axis, sums *to)
{
  const bool odd = s->at[axis] & 1; /* the other half of an odd cell is below it */
  const side inner = side_of(g, s, axis, !odd), outer = side_of(g, s, axis, odd);
  const halves in = halves_of(inner);
  const numbers sinks_in = sinks_of(s, inner, 2 * axis + !odd);
  const numbers sinks_out = sinks_of(s, outer, 2 * axis + odd);
  to->sink += sinks_in + PERP_LENGTHENED(sinks_out, in);
  add_sinks(sinks_in, 2 * axis + !odd, to);
  add_sinks(sinks_out, 2 * axis + odd, to);
  if (!odd)
    return;
  const halves out = halves_of(side_beyond(g, s, axis));
  const numbers w = kept(s->own & outer.free, outer.w);
  to->w[axis] += PERP_PATH(w, in, out);
}

KERNEL void add_whole(const perp_grid *g, const stretch *s, int axis, sums *to)
{
  const side lower = side_of(g, s, axis, false), upper = side_of(g, s, axis, true);
  const numbers below = sinks_of(s, lower, 2 * axis), above = sinks_of(s, upper, 2 * axis + 1);
  to->sink += below + above;
  to->w[axis] += kept(s->own & upper.free, upper.w);
  add_sinks(below, 2 * axis, to);
  add_sinks(above, 2 * axis + 1, to);
}

KERNEL void add_axis(const perp_grid *g, const stretch *s, int axis, sums *to)
{
  if (g->halve[axis])
    add_halved(g, s, axis, to);
  else
    add_whole(g, s, axis, to);
}

/* Adds the contribution of four cells of one colour. */
static inline void add_stretch(const perp_grid *g, stretch *s, sums *to)
{
  const uint32_t every = 0x01010101, states = bytes_at(g->state + s->slot);
  to->state |= states & every * (PERP_CELL_FREE | PERP_CELL_UNKNOWN);
  s->own = having(states, 0);
  if (!(states & every * PERP_CELL_FREE))
    return;
  s->dirs = bytes_at(g->dirs + s->slot);
  s->share = kept(s->own, numbers_at(g->sink + s->slot));
  if (!s->dirs) {
    to->sink += s->share;
  } else {
    numbers parts = {0};
    for (int direction = 0; direction < 2 * g->axes; direction++)
      parts += kept(having(s->dirs, direction), ONE);
    const masks none = parts <= 0;
    to->sink += kept(none, s->share);
    s->share /= parts + kept(none, ONE);
  }
  add_axis(g, s, 0, to);
  add_axis(g, s, 1, to);
  if (g->axes == 3)
    add_axis(g, s, 2, to);
}

/* Sums the cells from place m on over row (J, K), even ones (h = 0), odd ones (1) or both. */
static sums sums_of(const perp_grid *g, int m, int J, int K, int first, int last)
{
  sums to = {.state = 0};
  for (int dk = 0; dk <= g->halve[2]; dk++)
    for (int dj = 0; dj <= g->halve[1]; dj++)
      for (int h = first; h <= last; h++) {
        const int j = (J << g->halve[1]) + dj, k = (K << g->halve[2]) + dk;
        const int colour = (j + k + h) & 1;
        const int64_t slot = perp_grid_row(g, j, k, colour) + m;
        if (j >= g->n[1] || k >= g->n[2])
          continue;
        stretch s = {
            .slot = slot, .other = colour ? slot - g->colour : slot + g->colour, .at = {h, j, k}};
        add_stretch(g, &s, &to);
      }
  return to;
}

static void sums_store(const sums *from, coarse_block *to)
{
  for (int axis = 0; axis < 3; axis++)
    memcpy(to->w[axis], &from->w[axis], sizeof to->w[axis]);
  memcpy(to->sink, &from->sink, sizeof to->sink);
  for (int q = 0; q < WIDTH; q++) {
    to->state[q] = (uint8_t)(from->state >> 8 * q);
    to->dirs[q] = (uint8_t)from->dirs[q];
  }
}

/* Builds the cells of the next grid from column I of row (J, K) on and returns their number: if the
 * first axis is halved, WIDTH cells in blocks[0]; otherwise twice that number, the even columns in
 * blocks[0] and the odd ones in blocks[1]. I is a multiple of that number; columns behind the last
 * one have no meaning. */
static int block_build(const perp_grid *g, int I, int J, int K, coarse_block blocks[2])
{
  if (g->halve[0]) {
    const sums both = sums_of(g, I, J, K, 0, 1);
    sums_store(&both, &blocks[0]);
    return WIDTH;
  }
  for (int h = 0; h < 2; h++) {
    const sums one = sums_of(g, I / 2, J, K, h, h);
    sums_store(&one, &blocks[h]);
  }
  return 2 * WIDTH;
}

/* ---- A whole coarse grid ---- */

/* all_I <- the code bits common to all cells of coarse cell I in row (J, K); the first axis is
 * halved. */
static void survey_row(const perp_grid *g, int nx, int J, int K, uint8_t *restrict all)
{
  const int j0 = g->halve[1] ? 2 * J : J, k0 = g->halve[2] ? 2 * K : K;
  const int j1 = j0 + g->halve[1], k1 = k0 + g->halve[2];
  const bool whole = j1 < g->n[1] && k1 < g->n[2];
  memset(all, whole ? 255 : 0, (size_t)nx);
  for (int k = k0; k <= k1 && whole; k++)
    for (int j = j0; j <= j1; j++)
      for (int colour = 0; colour < 2; colour++) {
        const int length = perp_grid_length(g, (j + k + colour) & 1);
        const uint8_t *code = g->code + perp_grid_row(g, j, k, colour);
        for (int m = 0; m < length; m++)
          all[m] &= code[m];
      }
  if (g->n[0] % 2)
    all[nx - 1] = 0;
}

/* Half of a face, a whole one and half of another; NaN, if a face is closed, is not used. */
static inline float path(float inner, float face, float beyond)
{
  const perp_half in = {2 * inner, 1}, out = {2 * beyond, 1};
  return PERP_PATH(face, in, out);
}

/* Computes the row (J, K) of coarse cells as if all their cells were inside, the first axis halved:
 * faces and sinks, by column, into rows of `length` each. Cells 2I and 2I + 1 of a fine row are
 * both at place I of their colours. */
static void network_row(const perp_grid *g, int J, int K, int length, float *restrict w[3],
                        float *restrict sink)
{
  const int j0 = g->halve[1] ? 2 * J : J, k0 = g->halve[2] ? 2 * K : K;
  const int j1 = j0 + g->halve[1], k1 = k0 + g->halve[2];
  for (int axis = 0; axis < g->axes; axis++)
    memset(w[axis], 0, (size_t)length * sizeof(float));
  memset(sink, 0, (size_t)length * sizeof *sink);
  for (int k = k0; k <= k1; k++)
    for (int j = j0; j <= j1; j++) {
      const int colour = (j + k) & 1;
      const int64_t even = perp_grid_row(g, j, k, colour), odd = perp_grid_row(g, j, k, 1 - colour);
      for (int I = 0; I < length; I++)
        sink[I] = (sink[I] + g->sink[even + I]) + g->sink[odd + I];
      const float *inner = g->w[0] + even, *face = g->w[0] + odd;
      for (int I = 0; I < length; I++)
        w[0][I] += path(inner[I], face[I], inner[I + 1]);
      for (int axis = 1; axis < g->axes; axis++) {
        const int64_t step = axis == 1 ? g->row : g->plane;
        for (int h = 0; h < 2; h++) { /* neighbours along these axes have the other colour */
          const int64_t own = h ? odd : even, other = h ? even : odd;
          const float *f = g->w[axis] + own;
          if (!g->halve[axis]) {
            for (int I = 0; I < length; I++)
              w[axis][I] += f[I];
          } else if (axis == 1 ? j == j1 : k == k1) {
            const float *before = g->w[axis] + other - step, *beyond = g->w[axis] + other + step;
            for (int I = 0; I < length; I++)
              w[axis][I] += path(before[I], f[I], beyond[I]);
          }
        }
      }
    }
}

/* network_row for equal face weights. */
static void network_row_even(const perp_grid *g, int J, int K, int length, float *restrict w[3],
                             float *restrict sink)
{
  const int j0 = g->halve[1] ? 2 * J : J, k0 = g->halve[2] ? 2 * K : K;
  const int j1 = j0 + g->halve[1], k1 = k0 + g->halve[2];
  const int cells = (1 + g->halve[0]) * (1 + g->halve[1]) * (1 + g->halve[2]);
  memset(sink, 0, (size_t)length * sizeof *sink);
  for (int axis = 0; axis < g->axes; axis++) {
    /* halved: half the cells have a path, of half the conductance of a face */
    const float face = g->weight * (float)cells * (g->halve[axis] ? 0.25f : 1);
    for (int I = 0; I < length; I++)
      w[axis][I] = face;
  }
  for (int k = k0; k <= k1; k++)
    for (int j = j0; j <= j1; j++) {
      const float *even = g->sink + perp_grid_row(g, j, k, (j + k) & 1);
      const float *odd = g->sink + perp_grid_row(g, j, k, (j + k + 1) & 1);
      for (int I = 0; I < length; I++)
        sink[I] = (sink[I] + even[I]) + odd[I];
    }
}

/* Rows j0 <= j <= j1 with k0 <= k <= k1. */
typedef struct band {
  int j0, j1, k0, k1;
} band;

static band all_rows(const perp_grid *g)
{
  return (band){0, g->n[1] - 1, 0, g->n[2] - 1};
}

/* Widens the band by this number of rows on either side, if they exist. */
static band band_widened(const perp_grid *g, band b, int lower, int upper)
{
  const int j0 = b.j0 - lower, j1 = b.j1 + upper, k0 = b.k0 - lower, k1 = b.k1 + upper;
  return (band){j0 > 0 ? j0 : 0, j1 < g->n[1] ? j1 : g->n[1] - 1, k0 > 0 ? k0 : 0,
                k1 < g->n[2] ? k1 : g->n[2] - 1};
}

static void gain_cells(const perp_grid *g, int j, int k, int colour, int begin, int end)
{
  const int h = (j + k + colour) & 1;
  const int64_t c = perp_grid_row(g, j, k, colour);
  const int64_t other = colour ? c - g->colour : c + g->colour;
  const float *wx = g->w[0] + c, *wx_side = g->w[0] + other + h - 1;
  const float *wy = g->w[1] + c, *wy_up = g->w[1] + other - g->row;
  const float *wz = g->axes == 3 ? g->w[2] + c : NULL;
  const float *wz_front = wz ? g->w[2] + other - g->plane : NULL;
  float *restrict gain = g->gain + c;
  for (int m = begin; m < end; m++) {
    float d = g->sink[c + m] + ((wx[m] + wx_side[m]) + (wy[m] + wy_up[m]));
    if (wz)
      d += wz[m] + wz_front[m];
    gain[m] = perp_gain(d, g->state[c + m]);
  }
}

static void gain_rows(const perp_grid *g, band b)
{
  for (int k = b.k0; k <= b.k1; k++)
    for (int j = b.j0; j <= b.j1; j++)
      for (int colour = 0; colour < 2; colour++)
        gain_cells(g, j, k, colour, 0, perp_grid_length(g, (j + k + colour) & 1));
}

/* The next cells along each axis read the faces of the cell itself. */
static void gain_around(const perp_grid *g, int number)
{
  int at[3];
  perp_grid_cell(g, number, at);
  for (int axis = -1; axis < g->axes; axis++) {
    int next[3] = {at[0], at[1], at[2]};
    if (axis >= 0 && ++next[axis] == g->n[axis])
      continue;
    gain_cells(g, next[1], next[2], (next[0] + next[1] + next[2]) & 1, next[0] / 2,
               next[0] / 2 + 1);
  }
}

void perp_grid_gains(const perp_grid *g, const int *cells, int64_t count)
{
  if (count < 0)
    gain_rows(g, all_rows(g));
  for (int64_t q = 0; q < count; q++)
    gain_around(g, cells[q]);
}

/* Stores a row of coarse cells whose cells are all inside. */
static void store_row(const perp_grid *g, int J, int K, float *const w[3], const float *sink)
{
  for (int h = 0; h < 2; h++) {
    const int64_t c = perp_grid_row(g, J, K, (J + K + h) & 1);
    const int length = perp_grid_length(g, h);
    for (int axis = 0; axis < g->axes; axis++) {
      float *restrict to = g->w[axis] + c;
      for (int m = 0; m < length; m++)
        to[m] = w[axis][2 * m + h];
    }
    float *restrict to = g->sink + c;
    for (int m = 0; m < length; m++)
      to[m] = sink[2 * m + h];
    memset(g->state + c, PERP_CELL_FREE | PERP_CELL_UNKNOWN, (size_t)length);
    memset(g->dirs + c, 0, (size_t)length);
  }
}

/* all_I <- 1 if cell I and the next ones along all axes are inside */
static void survey_inside(const perp_grid *g, int nx, int J, int K, uint8_t *all, uint8_t *other)
{
  const perp_grid *coarse = g + 1;
  survey_row(g, nx, J, K, all);
  for (int axis = 1; axis < g->axes; axis++) {
    const int at[3] = {0, J, K};
    if (!g->halve[axis] || at[axis] + 1 >= coarse->n[axis])
      continue;
    survey_row(g, nx, J + (axis == 1), K + (axis == 2), other);
    for (int I = 0; I < nx; I++)
      all[I] &= other[I];
  }
  for (int I = 0; I + 1 < nx; I++)
    all[I] &= all[I + 1];
  for (int I = 0; I < nx; I++)
    all[I] &= PERP_CODE_INSIDE;
  all[nx - 1] = 0;
}

static bool block_is_inside(const uint8_t *all)
{
  uint32_t word;
  memcpy(&word, all, sizeof word);
  return word == 0x80808080;
}

/* Writes cell q of a block. Returns true if it changed. */
static bool cell_store(const perp_grid *g, int64_t slot, const coarse_block *from, int q)
{
  bool same = g->state[slot] == from->state[q] && g->sink[slot] == from->sink[q] &&
              g->dirs[slot] == from->dirs[q];
  for (int axis = 0; axis < g->axes; axis++) {
    same &= g->w[axis][slot] == from->w[axis][q];
    g->w[axis][slot] = from->w[axis][q];
  }
  g->state[slot] = from->state[q];
  g->sink[slot] = from->sink[q];
  g->dirs[slot] = from->dirs[q];
  return !same;
}

/* Builds the block of column I in row (J, K). Bit q of the result is set if column I + q
 * changed. */
static uint32_t block_make(const perp_grid *g, int I, int J, int K)
{
  const perp_grid *coarse = g + 1;
  coarse_block blocks[2];
  const int width = block_build(g, I, J, K, blocks), left = coarse->n[0] - I;
  uint32_t changed = 0;
  for (int q = 0; q < width && q < left; q++) {
    const int64_t slot = perp_grid_slot(coarse, I + q, J, K);
    const bool fresh = g->halve[0] ? cell_store(coarse, slot, &blocks[0], q)
                                   : cell_store(coarse, slot, &blocks[q % 2], q / 2);
    changed |= (uint32_t)fresh << q;
  }
  return changed;
}

static void code_rows(const perp_grid *g, band b)
{
  for (int k = b.k0; k <= b.k1; k++)
    for (int j = b.j0; j <= b.j1; j++)
      for (int colour = 0; colour < 2; colour++)
        for (int m = 0; m < perp_grid_length(g, (j + k + colour) & 1);)
          m = perp_grid_code_from(g, j, k, colour, m);
}

static void build_row(perp_grids *grids, int level, int J, int K)
{
  const perp_grid *g = &grids->grid[level], *coarse = g + 1;
  const int nx = coarse->n[0], width = g->halve[0] ? WIDTH : 2 * WIDTH;
  uint8_t *all = grids->bytes, *other = all + nx;
  float *w[3], *sink = grids->rows;
  bool some = false;
  for (int axis = 0; axis < 3; axis++)
    w[axis] = grids->rows + (axis + 1) * (nx + 1);
  if (g->halve[0] && nx > WIDTH)
    survey_inside(g, nx, J, K, all, other);
  else
    memset(all, 0, (size_t)nx);
  for (int I = 0; I + WIDTH <= nx; I += WIDTH)
    some = some || block_is_inside(all + I);
  if (some && g->w[0])
    network_row(g, J, K, nx, w, sink);
  else if (some)
    network_row_even(g, J, K, nx, w, sink);
  if (some)
    store_row(coarse, J, K, w, sink);
  for (int I = 0; I < nx; I += width)
    if (I + WIDTH > nx || !block_is_inside(all + I))
      block_make(g, I, J, K);
}

/* Rebuilds after changes in some rows of a grid. Returns the rows of the grid below that may have
 * changed. */
static band build_rows(perp_grids *grids, int level, band rows)
{
  const perp_grid *g = &grids->grid[level], *coarse = g + 1;
  const band over = {rows.j0 >> g->halve[1], rows.j1 >> g->halve[1], rows.k0 >> g->halve[2],
                     rows.k1 >> g->halve[2]};
  const band below = band_widened(coarse, over, 1, 1);
  code_rows(g, band_widened(g, rows, 1, 1));
  for (int K = below.k0; K <= below.k1; K++)
    for (int J = below.j0; J <= below.j1; J++)
      build_row(grids, level, J, K);
  gain_rows(coarse, band_widened(coarse, below, 0, 1)); /* these read the faces of the previous
                                                         * row */
  return below;
}

void perp_grids_build(perp_grids *grids, int level)
{
  build_rows(grids, level, all_rows(&grids->grid[level]));
}

/* ---- Changes ---- */

/* Finds the first cell of a block of a grid by its number, row by row. */
static void block_cell(const perp_grid *g, int width, int number, int at[3])
{
  const int blocks = (g->n[0] + width - 1) / width, row = number / blocks;
  at[0] = number % blocks * width;
  at[1] = row % g->n[1];
  at[2] = row / g->n[1];
}

/* Adds the block of a cell, if it is not in the list and the list has room. */
static int64_t enlist(const perp_grid *g, int width, const int at[3], int64_t room, int *list,
                      int64_t count)
{
  const int blocks = (g->n[0] + width - 1) / width, block = at[0] / width;
  uint8_t *dirs = g->dirs + perp_grid_slot(g, block * width, at[1], at[2]);
  if (*dirs & QUEUED || count == room)
    return count;
  *dirs |= QUEUED;
  list[count] = (at[2] * g->n[1] + at[1]) * blocks + block;
  return count + 1;
}

/* Lists the blocks with coarse cells that depend on the listed cells: the cells over them and their
 * neighbours. If the list is full, some may be missing. */
static int64_t list_blocks(const perp_grid *g, int width, const int *cells, int64_t count,
                           int64_t room, int *list)
{
  const perp_grid *coarse = g + 1;
  int64_t found = 0;
  for (int64_t q = 0; q < count; q++) {
    int at[3];
    perp_grid_cell(g, cells[q], at);
    for (int axis = 0; axis < 3; axis++)
      at[axis] = g->halve[axis] ? at[axis] / 2 : at[axis];
    found = enlist(coarse, width, at, room, list, found);
    for (int axis = 0; axis < g->axes; axis++)
      for (int step = -1; step <= 1; step += 2) {
        int next[3] = {at[0], at[1], at[2]};
        next[axis] += step;
        if (next[axis] >= 0 && next[axis] < coarse->n[axis])
          found = enlist(coarse, width, next, room, list, found);
      }
  }
  return found;
}

/* Recomputes the codes of the listed cells and of their neighbours. Cells of one row and colour are
 * consecutive in a list, and codes come in blocks: most are done already. */
static void recode(const perp_grid *g, const int *cells, int64_t count)
{
  static const int steps[6][2] = {{0, 0}, {0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  int64_t row[6];
  int from[6] = {0}, to[6] = {0}; /* places coded there */
  for (int t = 0; t < 6; t++)
    row[t] = -1;
  for (int64_t q = 0; q < count; q++) {
    int at[3];
    perp_grid_cell(g, cells[q], at);
    const int own = (at[0] + at[1] + at[2]) & 1, m = at[0] / 2;
    for (int t = 0; t < 2 * g->axes; t++) {
      const int j = at[1] + steps[t][0], k = at[2] + steps[t][1];
      const int colour = t == 0 ? own : 1 - own;
      const int begin = t == 1 && m > 0 ? m - 1 + at[0] % 2 : m;
      const int end = t == 1 ? m + 1 + at[0] % 2 : m + 1;
      if (j < 0 || j >= g->n[1] || k < 0 || k >= g->n[2])
        continue;
      const int64_t here = perp_grid_row(g, j, k, colour);
      if (here == row[t] && begin >= from[t] && end <= to[t])
        continue;
      row[t] = here;
      from[t] = begin;
      to[t] = perp_grid_code_from(g, j, k, colour, begin);
    }
  }
}

/* Builds the listed blocks. Lists the coarse cells that changed; returns -1 if there is no room. */
static int64_t build_listed(perp_grids *grids, int level, const int *list, int64_t count,
                            int *cells)
{
  const perp_grid *g = &grids->grid[level], *coarse = g + 1;
  const int width = g->halve[0] ? WIDTH : 2 * WIDTH;
  int64_t kept = 0;
  for (int64_t q = 0; q < count; q++) {
    int at[3];
    block_cell(coarse, width, list[q], at);
    coarse->dirs[perp_grid_slot(coarse, at[0], at[1], at[2])] &= (uint8_t)~QUEUED;
    uint32_t changed = block_make(g, at[0], at[1], at[2]);
    const int first = (at[2] * coarse->n[1] + at[1]) * coarse->n[0] + at[0];
    for (int I = 0; changed; changed >>= 1, I++)
      if (changed & 1) {
        if (kept < grids->room)
          cells[kept] = first + I;
        kept++;
      }
  }
  for (int64_t q = 0; q < count; q++) {
    int at[3];
    block_cell(coarse, width, list[q], at);
    for (int h = 0; h < 2; h++) {
      const int length = perp_grid_length(coarse, h), begin = at[0] / 2, end = begin + width / 2;
      gain_cells(coarse, at[1], at[2], (at[1] + at[2] + h) & 1, begin, end < length ? end : length);
    }
  }
  return kept < grids->room ? kept : -1;
}

/* Updates the grid below after the listed cells changed. Returns -1 and does nothing if too many
 * cells depend on them. */
static int64_t follow_listed(perp_grids *grids, int level, int64_t count)
{
  const perp_grid *g = &grids->grid[level];
  const int width = g->halve[0] ? WIDTH : 2 * WIDTH;
  int *cells = grids->changed[0], *blocks = grids->changed[1];
  const int64_t found = list_blocks(g, width, cells, count, grids->room, blocks);
  if (found == grids->room)
    return -1;
  recode(g, cells, count);
  return build_listed(grids, level, blocks, found, cells);
}

static band rows_listed(const perp_grid *g, const int *cells, int64_t count)
{
  band b = {g->n[1], 0, g->n[2], 0};
  for (int64_t q = 0; q < count; q++) {
    const int row = cells[q] / g->n[0], j = row % g->n[1], k = row / g->n[1];
    b = (band){j < b.j0 ? j : b.j0, j > b.j1 ? j : b.j1, k < b.k0 ? k : b.k0, k > b.k1 ? k : b.k1};
  }
  return b;
}

void perp_grids_follow(perp_grids *grids, int level, int64_t count)
{
  int l = level;
  band rows = all_rows(&grids->grid[level]);
  for (; l < grids->count - 1 && count > 0; l++) {
    const perp_grid *g = &grids->grid[l];
    rows = rows_listed(g, grids->changed[0], count);
    count = MANY * count > g->cells ? -1 : follow_listed(grids, l, count);
    if (count < 0)
      break;
  }
  for (; l < grids->count - 1 && count < 0; l++)
    rows = build_rows(grids, l, rows);
  grids->listed = count;
}
