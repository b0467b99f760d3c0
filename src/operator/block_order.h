/* operator/block_order.h: sweeps of a block relaxer in the orders that methods offer */
#pragma once

#include "base/random.h"
#include "operator/block_relax.h"

typedef enum perp_block_order {
  PERP_BLOCKS_FORWARD,
  PERP_BLOCKS_BACKWARD,
  PERP_BLOCKS_SYMMETRIC, /* forward, then backward: two sweeps */
  PERP_BLOCKS_RANDOM,    /* a new permutation for each sweep */
} perp_block_order;

/* Their names for parameter tables; the last is number 3. */
extern const char *const perp_block_orders[];

typedef struct perp_block_sweeps {
  perp_block_relaxer *relaxer;
  perp_block_order order;
  perp_random random;
  int *visit; /* the order of the next sweep; NULL where that is forward */
} perp_block_sweeps;

perp_error perp_block_sweeps_create(perp_block_relaxer *relaxer, perp_block_order order,
                                    uint64_t seed, perp_arena *arena, perp_block_sweeps *sweeps);

/* One sweep over list[0] .. list[count-1], no block twice; NULL: over 0 .. count-1. Returns how
 * many passes that was: symmetric takes two. */
int perp_block_sweep(perp_block_sweeps *sweeps, const int *list, int count, perp_block_body body,
                     void *context);
