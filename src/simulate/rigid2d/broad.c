/* rigid2d/broad.c: which bodies may touch
 *
 * Moving bodies stand in the cells of a grid as wide as the largest of them, so that each meets the
 * bodies of its own cell and of the eight around it: linear if sizes do not differ without bound.
 * Cells are found by hashing, with the bodies of a bucket one after another. Fixed bodies are few
 * and large: each moving one is held against the circle or the box around them all. */
#include "base/elementary.h"
#include "simulate/rigid2d/world.h"

#include <math.h>
#include <string.h>

typedef struct grid {
  double width;
  unsigned mask;
  int *start; /* mask + 3: the first place of bucket k in `body` is start[k + 1] */
  int *body;
  int *cell; /* i and j of each body */
} grid;

static unsigned hash(const grid *g, int i, int j)
{
  return ((unsigned)i * 73856093u ^ (unsigned)j * 19349663u) & g->mask;
}

/* How far a body may come in a step, and what overlap is left alone. */
static double reach_of(const perp_world *world, const perp_rigid_body *b)
{
  return world->par.slop +
         world->par.h * (perp_hypot(b->v[0], b->v[1]) + fabs(b->spin[2]) * b->radius);
}

/* Moving bodies into their buckets, by counting. */
static void fill(const perp_world *world, grid *g)
{
  memset(g->start, 0, ((size_t)g->mask + 2) * sizeof *g->start);
  for (int pass = 0; pass < 2; pass++) {
    for (int k = world->bodies - 1; k >= 0; k--) {
      const perp_rigid_body *b = &world->body[k];
      if (b->mass_inverse == 0)
        continue;
      if (pass == 0) {
        g->cell[2 * k] = (int)perp_max(-1e8, perp_min(1e8, floor(b->at[0] / g->width)));
        g->cell[2 * k + 1] = (int)perp_max(-1e8, perp_min(1e8, floor(b->at[1] / g->width)));
      }
      const unsigned at = hash(g, g->cell[2 * k], g->cell[2 * k + 1]);
      if (pass == 0)
        g->start[at + 1]++;
      else
        g->body[--g->start[at + 1]] = k;
    }
    /* First sums, so that start[at + 1] is the end of the bucket; the second pass fills it from
     * there downwards, and leaves its beginning. */
    for (unsigned at = 0; pass == 0 && at <= g->mask; at++)
      g->start[at + 1] += g->start[at];
  }
}

static bool meet(perp_world *world, int a, int b)
{
  const perp_rigid_body *p = &world->body[a], *q = &world->body[b];
  const double reach = reach_of(world, p) + reach_of(world, q);
  const double most = p->radius + q->radius + reach;
  if (fabs(p->at[0] - q->at[0]) > most || fabs(p->at[1] - q->at[1]) > most)
    return true;
  return perp_world2_collide_pair(world, a < b ? a : b, a < b ? b : a, reach);
}

static bool meet_neighbours(perp_world *world, const grid *g, int a)
{
  bool fine = true;
  for (int di = -1; di <= 1; di++)
    for (int dj = -1; dj <= 1; dj++) {
      const int i = g->cell[2 * a] + di, j = g->cell[2 * a + 1] + dj;
      const unsigned at = hash(g, i, j);
      for (int k = g->start[at + 1]; k < g->start[at + 2] && fine; k++) {
        const int b = g->body[k];
        /* a bucket may hold other cells as well */
        if (b > a && g->cell[2 * b] == i && g->cell[2 * b + 1] == j)
          fine = meet(world, a, b);
      }
    }
  return fine;
}

perp_error perp_world2_collide(perp_world *world, perp_message *why)
{
  const size_t n = (size_t)world->bodies;
  grid g = {.mask = 1};
  while (g.mask < 2 * n)
    g.mask = 2 * g.mask + 1;
  for (int k = 0; k < world->bodies; k++)
    if (world->body[k].mass_inverse > 0)
      g.width = perp_max(g.width, 2 * (world->body[k].radius + reach_of(world, &world->body[k])));
  world->contacts = 0;
  bool fine = PERP_TAKE(&world->frame, PERP_ARRAY(g.start, (size_t)g.mask + 3),
                        PERP_ARRAY(g.body, n), PERP_ARRAY(g.cell, 2 * n));
  if (fine && g.width > 0) {
    fill(world, &g);
    g.start[g.mask + 2] = 0;
    for (int k = 0; k < world->bodies; k++)
      g.start[g.mask + 2] += world->body[k].mass_inverse > 0;
    for (int a = 0; a < world->bodies && fine; a++) {
      const bool moving = world->body[a].mass_inverse > 0;
      if (moving)
        fine = meet_neighbours(world, &g, a);
      for (int b = 0; b < world->bodies && fine && !moving; b++)
        if (world->body[b].mass_inverse > 0)
          fine = meet(world, a, b);
    }
  }
  return fine ? PERP_OK
              : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for the contacts of %d bodies",
                          world->bodies);
}
