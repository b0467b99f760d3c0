/* block_order.c: sweeps of a block relaxer forward, backward, both ways or in random order */
#include "operator/block_order.h"

const char *const perp_block_orders[] = {"forward", "backward", "symmetric", "random", NULL};

perp_error perp_block_sweeps_create(perp_block_relaxer *relaxer, perp_block_order order,
                                    uint64_t seed, perp_arena *arena, perp_block_sweeps *s)
{
  *s = (perp_block_sweeps){.relaxer = relaxer, .order = order, .random = perp_random_from(seed)};
  if (order != PERP_BLOCKS_FORWARD)
    s->visit = perp_arena_alloc(arena, (size_t)relaxer->blocks.count, sizeof *s->visit);
  return order == PERP_BLOCKS_FORWARD || s->visit ? PERP_OK : PERP_ERROR_MEMORY;
}

/* A block relaxer visits as many blocks as its list has: the list is cut to what is asked for. */
static void visit(const perp_block_sweeps *s, const int *order, int count, perp_block_body body,
                  void *context)
{
  const int all = s->relaxer->blocks.count;
  s->relaxer->blocks.count = count;
  s->relaxer->sweep(s->relaxer, order, body, context);
  s->relaxer->blocks.count = all;
}

int perp_block_sweep(perp_block_sweeps *s, const int *list, int count, perp_block_body body,
                     void *context)
{
  if (s->order == PERP_BLOCKS_FORWARD || s->order == PERP_BLOCKS_SYMMETRIC)
    visit(s, list, count, body, context);
  if (s->order == PERP_BLOCKS_FORWARD)
    return 1;
  if (s->order == PERP_BLOCKS_RANDOM)
    perp_random_permutation(&s->random, count, s->visit);
  for (int k = 0; k < count; k++) {
    const int place = s->order == PERP_BLOCKS_RANDOM ? s->visit[k] : count - 1 - k;
    s->visit[k] = list ? list[place] : place;
  }
  visit(s, s->visit, count, body, context);
  return s->order == PERP_BLOCKS_SYMMETRIC ? 2 : 1;
}
