/* rigid3d/broad.c: broad phase: finds all overlapping pairs of axis-aligned boxes
 *
 * A box whose longest side e satisfies 2^(l-1) <= e < 2^l belongs to the grid of level l with cell
 * width w = 2^l, and is stored only in the cell of its centre. A box [lo, hi] can overlap a box of
 * level l only if that box's centre is in [lo - w/2, hi + w/2]. To find the partners of a box on
 * its own level and on larger ones, the search visits these cells, at most three along each axis.
 * Cells are hashed; the boxes of a bucket are contiguous. Time and memory are linear if few boxes
 * overlap and the sizes span few levels. */
#include "base/elementary.h"
#include "simulate/rigid3d/world.h"

#include <string.h>

/* Sides of 1e-6 to 1e23; positions stay below 1e12, so that cell indices fit. */
enum { LOWEST = -20, LEVELS = 100 };

typedef struct place {
  int64_t cell[3];
  int level; /* from LOWEST; -1: no box */
} place;

typedef struct grid {
  const perp_box3 *box;
  place *at; /* of each box */
  unsigned mask;
  int *start; /* mask + 3: the boxes of bucket k are item[start[k + 1]] .. item[start[k + 2] - 1] */
  int *item;
  int boxes[LEVELS]; /* of each level */
} grid;

static unsigned hash(const grid *g, int level, const int64_t cell[3])
{
  const uint64_t mixed = (uint64_t)cell[0] * 0x9e3779b97f4a7c15u ^
                         (uint64_t)cell[1] * 0xc2b2ae3d27d4eb4fu ^
                         (uint64_t)cell[2] * 0x165667b19e3779f9u ^ (uint64_t)level << 7;
  return (unsigned)(mixed >> 32 ^ mixed) & g->mask;
}

static int level_of(const perp_box3 *box)
{
  double side = 0;
  int level = 0;
  for (int k = 0; k < 3; k++) {
    if (!(box->lo[k] <= box->hi[k]))
      return -1;
    side = perp_max(side, box->hi[k] - box->lo[k]);
  }
  frexp(side, &level); /* side < 2^level */
  return side == 0 || level < LOWEST ? 0 : level >= LOWEST + LEVELS ? LEVELS - 1 : level - LOWEST;
}

/* Sorts the boxes into their buckets by counting. */
static void fill(grid *g, int count)
{
  memset(g->start, 0, ((size_t)g->mask + 2) * sizeof *g->start);
  for (int k = 0; k < count; k++) {
    place *p = &g->at[k];
    p->level = level_of(&g->box[k]);
    if (p->level < 0)
      continue;
    const double w = ldexp(1, p->level + LOWEST);
    for (int j = 0; j < 3; j++)
      p->cell[j] = (int64_t)floor((0.5 * g->box[k].lo[j] + 0.5 * g->box[k].hi[j]) / w);
    g->boxes[p->level]++;
    g->start[hash(g, p->level, p->cell) + 1]++;
  }
  for (unsigned at = 0; at <= g->mask; at++)
    g->start[at + 1] += g->start[at];
  /* fills each bucket from its end downwards, which turns its end index into its start */
  for (int k = count - 1; k >= 0; k--)
    if (g->at[k].level >= 0)
      g->item[--g->start[hash(g, g->at[k].level, g->at[k].cell) + 1]] = k;
}

static bool overlap(const perp_box3 *a, const perp_box3 *b)
{
  for (int k = 0; k < 3; k++)
    if (a->lo[k] > b->hi[k] || b->lo[k] > a->hi[k])
      return false;
  return true;
}

/* Reports the boxes of one cell that overlap box a; on a's own level only boxes after a. */
static bool meet_cell(const grid *g, int a, int level, const int64_t cell[3], perp_meet3 *meet,
                      void *context)
{
  const unsigned bucket = hash(g, level, cell);
  for (int i = g->start[bucket + 1]; i < g->start[bucket + 2]; i++) {
    const int b = g->item[i];
    const place *p = &g->at[b];
    if (p->level == level && memcmp(p->cell, cell, sizeof p->cell) == 0 &&
        (level > g->at[a].level || b > a) && overlap(&g->box[a], &g->box[b]) &&
        !meet(context, a, b))
      return false;
  }
  return true;
}

static bool meet_level(const grid *g, int a, int level, perp_meet3 *meet, void *context)
{
  const double w = ldexp(1, level + LOWEST);
  int64_t first[3], last[3], cell[3];
  for (int k = 0; k < 3; k++) {
    first[k] = (int64_t)floor((g->box[a].lo[k] - 0.5 * w) / w);
    last[k] = (int64_t)floor((g->box[a].hi[k] + 0.5 * w) / w);
  }
  bool fine = true;
  for (cell[0] = first[0]; cell[0] <= last[0] && fine; cell[0]++)
    for (cell[1] = first[1]; cell[1] <= last[1] && fine; cell[1]++)
      for (cell[2] = first[2]; cell[2] <= last[2] && fine; cell[2]++)
        fine = meet_cell(g, a, level, cell, meet, context);
  return fine;
}

bool perp_boxes3_meet(int count, const perp_box3 *box, perp_arena *arena, perp_meet3 *meet,
                      void *context)
{
  grid g = {.box = box, .mask = 1};
  while (g.mask < 2 * (unsigned)count)
    g.mask = 2 * g.mask + 1;
  if (!PERP_TAKE(arena, PERP_ARRAY(g.at, count), PERP_ARRAY(g.start, (size_t)g.mask + 3),
                 PERP_ARRAY(g.item, count)))
    return false;
  fill(&g, count);
  g.start[g.mask + 2] = 0;
  for (int level = 0; level < LEVELS; level++)
    g.start[g.mask + 2] += g.boxes[level];
  bool fine = true;
  for (int a = 0; a < count && fine; a++)
    for (int level = g.at[a].level; level >= 0 && level < LEVELS && fine; level++)
      if (g.boxes[level] > 0)
        fine = meet_level(&g, a, level, meet, context);
  return fine;
}
