/* operator/block_relax.h: sweeps by blocks of rows, in any order
 *
 * A block relaxer visits blocks of rows one after another. For each it computes y = (A x + b) on
 * the rows of the block at the newest x and passes it to the caller's body, which writes the new
 * values of x. Blocks of one row give a relaxation in any order of the rows, for example a random
 * one. */
#pragma once

#include "base/random.h"
#include "operator/operator.h"

/* Block k has the rows row[start[k]] .. row[start[k+1]-1], in the order the body sees them; every
 * row of A is in one block. */
typedef struct perp_block_list {
  int count;
  int largest; /* rows of the largest block */
  const int *start;
  const int *row;
} perp_block_list;

/* On entry x holds the old values on the rows of the block, on return the new ones. */
typedef void (*perp_block_body)(void *context, int block, const double *y, double *x);

typedef struct perp_block_relaxer perp_block_relaxer;
struct perp_block_relaxer {
  perp_relaxer *relaxer; /* provides x, load and gradient; its sweep is NULL */
  perp_block_list blocks;
  /* One sweep over the blocks order[0], order[1], ...; NULL: 0, 1, 2, ... */
  void (*sweep)(perp_block_relaxer *relaxer, const int *order, perp_block_body body, void *context);
};

/* Creates it in the arena. Returns PERP_ERROR_UNSUPPORTED if A has no row access. The list must
 * outlive it. */
perp_error perp_block_relaxer_create(const char *method, const perp_operator *A, const double *b,
                                     const perp_set *K, double *x, int threads,
                                     const perp_block_list *blocks, perp_arena *arena,
                                     perp_block_relaxer **relaxer, perp_message *why);

/* ---- Orders that methods offer ---- */

typedef enum perp_block_order {
  PERP_BLOCKS_FORWARD,
  PERP_BLOCKS_BACKWARD,
  PERP_BLOCKS_SYMMETRIC, /* forward, then backward: two sweeps */
  PERP_BLOCKS_RANDOM,    /* a new permutation for each sweep */
} perp_block_order;

/* Names for parameter tables; the last has index 3. */
extern const char *const perp_block_orders[];

typedef struct perp_block_sweeps {
  perp_block_relaxer *relaxer;
  perp_block_order order;
  perp_random random;
  int *visit; /* the order of the next sweep; NULL for forward */
} perp_block_sweeps;

perp_error perp_block_sweeps_create(perp_block_relaxer *relaxer, perp_block_order order,
                                    uint64_t seed, perp_arena *arena, perp_block_sweeps *sweeps);

/* Sweeps once over list[0] .. list[count-1], no block twice; NULL: over 0 .. count-1. Returns the
 * number of passes: symmetric takes two. */
int perp_block_sweep(perp_block_sweeps *sweeps, const int *list, int count, perp_block_body body,
                     void *context);
