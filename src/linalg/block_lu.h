/* block_lu.h: LU factor of a sparse matrix of small dense blocks, with a symmetric sparsity pattern
 *
 *   P H P^T = L U,   H made of blocks H_ij of size_i x size_j, H_ij is stored if H_ji is
 *
 * For rigid bodies with friction: one block row per body. block_factor.h gives order and places.
 * Pivots are chosen only within the diagonal blocks, so a factor may be inaccurate if H is far from
 * symmetric and definite: refine its solutions. */
#pragma once

#include "linalg/block_factor.h"

/* The largest size of a block; the number of blocks up to which UMFPACK is slower. Seconds of a
 * factor in ipm, UMFPACK and this: 2,000 balls displaced at random 0.25 and 0.10, 1,500 in a
 * hexagonal pile 0.40 and 0.24. */
enum { PERP_BLOCK_LU_WIDEST = 16, PERP_BLOCK_LU_MOST = 4096 };

typedef struct perp_block_lu {
  perp_block_factor *f; /* order and places, H or L up to the diagonal, the inverses of the L_jj */
  double *U;       /* H or U above the diagonal, transposed: block (j, i) at the place of (i, j)
                    * below */
  double *inverse; /* of the U_jj */
} perp_block_lu;

/* Arguments as for perp_block_analyse. Returns NULL when out of memory. */
perp_block_lu *perp_block_lu_analyse(int blocks, const int *first, const int64_t *start,
                                     const int *neighbour, double most, perp_arena *arena);
/* Returns the start of block (i, j) of H; *down and *across are the steps to the next row and the
 * next column. */
double *perp_block_lu_find(const perp_block_lu *f, int i, int j, int *down, int *across);
/* H <- I */
void perp_block_lu_reset(perp_block_lu *f);
/* L and U overwrite H. Returns false, without a factor, if a diagonal block cannot be inverted. */
bool perp_block_lu_factorise(perp_block_lu *f);
/* x <- H^-1 x, in the order of the blocks. */
void perp_block_lu_solve(perp_block_lu *f, double *x);
