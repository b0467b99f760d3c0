/* block_factor.h: LU factor of a sparse matrix of small dense blocks with a symmetric pattern
 *
 *   P H P^T = L U,   H made of blocks H_ij of size_i x size_j, H_ij is stored if H_ji is
 *
 * For rigid bodies: one block row per body, six numbers wide. The order of elimination (minimum
 * degree) and the places of all blocks of L and U are found once; then H can be filled and
 * factored many times. */
#pragma once

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- Order, places, and the lower triangle (block_factor.c) ---- */

typedef struct perp_block_factor {
  int blocks, n;      /* n: the sum of the sizes */
  const int *first;   /* blocks + 1: first row of each block, the caller's */
  int *order, *place; /* block by place in the elimination, place by block */
  int *size, *offset; /* by place: size of the block, first row in the permuted order */
  int *parent;        /* by place: of the elimination tree, -1 at a root */
  int64_t *list;      /* blocks + 1: column j of L lists row[list[j]] .. row[list[j+1]-1] below j */
  int *row;           /* places, ascending in each column */
  int64_t *panel;     /* blocks + 1: start of column j: its diagonal block, then the blocks below,
                       * row major with leading dimension size[j] */
  int64_t *block;     /* by entry of `row`: start of that block */
  int64_t *row_list;  /* blocks + 1: row j of L lists row_entry[row_list[j]] .., entries of `row` */
  int64_t *row_entry;
  int *row_column;   /* their columns */
  double *L;         /* panel[blocks] numbers: H, which L overwrites */
  double *inverse;   /* the triangles L_jj inverted, at the places in `diagonal` */
  int64_t *diagonal; /* blocks + 1 */
  int64_t *map;      /* blocks: scratch */
  double *work;      /* n */
  int equal;         /* the size of all blocks, 0 if they differ */
  int64_t flops;     /* multiplications of a whole factorisation */
} perp_block_factor;

/* neighbour[start[i]] .. neighbour[start[i+1]-1] are the blocks coupled to block i, in any order,
 * both (i, j) and (j, i); i itself may be among them. Returns NULL when out of memory. */
perp_block_factor *perp_block_analyse(int blocks, const int *first, const int64_t *start,
                                      const int *neighbour, perp_arena *arena);
/* Returns the place of block (i, j) of H; i comes later in the order: place[i] >= place[j]. Row
 * major with leading dimension size[place[j]]. */
int64_t perp_block_find(const perp_block_factor *f, int i, int j);

/* ---- The factor (block_lu.c) ----
 *
 * Pivots are chosen only within the diagonal blocks, so a factor may be inaccurate if H is far from
 * symmetric and definite: refine its solutions. */

/* The largest size of a block; the number of blocks up to which UMFPACK is slower. Seconds of a
 * factor in ipm, UMFPACK and this: 2,000 balls displaced at random 0.25 and 0.10, 1,500 in a
 * hexagonal pile 0.40 and 0.24. */
enum { PERP_BLOCK_LU_WIDEST = 16, PERP_BLOCK_LU_MOST = 4096 };

typedef struct perp_block_lu {
  perp_block_factor *f; /* order and places, H or L up to the diagonal, the inverses of the L_jj */
  double *U;       /* H or U above the diagonal, transposed: block (j, i) at the place of (i, j)
                    * below */
  double *inverse; /* of the U_jj */
  int sign;        /* of det H at the last factor, 0: there is none */
} perp_block_lu;

/* Arguments as for perp_block_analyse. Returns NULL when out of memory. */
perp_block_lu *perp_block_lu_analyse(int blocks, const int *first, const int64_t *start,
                                     const int *neighbour, perp_arena *arena);
/* Returns the start of block (i, j) of H; *down and *across are the steps to the next row and the
 * next column. */
double *perp_block_lu_find(const perp_block_lu *f, int i, int j, int *down, int *across);
/* H <- I */
void perp_block_lu_reset(perp_block_lu *f);
/* L and U overwrite H. Returns false, without a factor, if a diagonal block cannot be inverted. */
bool perp_block_lu_factorise(perp_block_lu *f);
/* x <- H^-1 x, in the order of the blocks. */
void perp_block_lu_solve(perp_block_lu *f, double *x);
