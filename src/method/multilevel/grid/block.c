/* block.c: four coarse cells of a network side by side, from the grid above
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
 * Four cells of one colour are computed at once; compilers do not vectorise this by themselves, so
 * the numbers are vectors here. Cells behind the end of a row are read, but their results are not
 * used. Cost: per four fine cells and axis some forty operations, three divisions for every two
 * axes. */
#include "base/kernel.h"
#include "method/multilevel/grid/grid.h"

#include <string.h>

enum { WIDTH = PERP_BLOCK };

typedef float numbers __attribute__((vector_size(4 * WIDTH)));
typedef int32_t masks __attribute__((vector_size(4 * WIDTH))); /* all bits of a lane, or none */

/* The cells of one colour over a block. */
typedef struct stretch {
  int64_t slot, other; /* of the first; other: the same place in the other colour */
  int at[3];           /* its coordinates; along the row whether they are even */
  masks own;           /* free */
  uint32_t dirs;       /* a byte each */
  numbers share;       /* of a free cell's sink, for each of its directions */
} stretch;

/* Sums for a block. */
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

/* Which of four bytes have a bit. */
static inline masks having(uint32_t bytes, int bit)
{
  const int32_t b = (int32_t)(bytes >> bit);
  const masks all = {b, b, b, b}, which = {1, 1 << 8, 1 << 16, 1 << 24};
  return (all & which) != 0;
}

/* Of the cells from `next` on, behind the faces of the cells from `face` on. A face that has no
 * weight of its own is open if an unknown lies behind it. */
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

/* The cells behind the upper neighbours; arbitrary if those are beyond the border. */
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
  const masks there = half > 0;
  const numbers r = kept(there, ONE);
  return (halves){half + (ONE - r), r};
}

/* What free cells lose in a direction. */
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
  const bool odd = s->at[axis] & 1; /* an odd cell has its other half below */
  const side inner = side_of(g, s, axis, !odd), outer = side_of(g, s, axis, odd);
  const halves in = halves_of(inner);
  const numbers sinks_in = sinks_of(s, inner, 2 * axis + !odd);
  const numbers sinks_out = sinks_of(s, outer, 2 * axis + odd);
  to->sink += sinks_in + sinks_out * in.a / (in.a + sinks_out * in.r);
  add_sinks(sinks_in, 2 * axis + !odd, to);
  add_sinks(sinks_out, 2 * axis + odd, to);
  if (!odd)
    return;
  const halves out = halves_of(side_beyond(g, s, axis));
  const numbers w = kept(s->own & outer.free, outer.w), both = in.a * out.a;
  to->w[axis] += w * both / (both + w * (in.r * out.a + out.r * in.a));
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

/* The contribution of four cells of one colour. */
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

/* Of the cells from place m on over row (J, K), even ones (h = 0), odd ones (1) or both. */
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

static void sums_store(const sums *from, perp_grid_block *block)
{
  for (int axis = 0; axis < 3; axis++)
    memcpy(block->w[axis], &from->w[axis], sizeof block->w[axis]);
  memcpy(block->sink, &from->sink, sizeof block->sink);
  for (int q = 0; q < WIDTH; q++) {
    block->state[q] = (uint8_t)(from->state >> 8 * q);
    block->dirs[q] = (uint8_t)from->dirs[q];
  }
}

int perp_grid_block_build(const perp_grid *g, int I, int J, int K, perp_grid_block block[2])
{
  if (g->halve[0]) {
    const sums both = sums_of(g, I, J, K, 0, 1);
    sums_store(&both, &block[0]);
    return WIDTH;
  }
  for (int h = 0; h < 2; h++) {
    const sums one = sums_of(g, I / 2, J, K, h, h);
    sums_store(&one, &block[h]);
  }
  return 2 * WIDTH;
}
