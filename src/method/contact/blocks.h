/* blocks.h: which rows are solved together, and how; for sweeps by blocks
 *
 *   Coulomb cones           (n, t, o)                            exact, local_contact.c
 *   a normal and its        all rows i with findex_i = j,        exact up to three rows, else
 *   friction rows           after row j                          by inner sweeps
 *   other rows              `size` neighbours; 0: as many as     the same
 *                           the matrix says (bsr), else one
 *
 * A block is solved for the step of length omega that its own matrix suggests,
 *
 *   x_B <- argmin over K_B of  y_B^T z + 1/(2 omega) (z - x_B)^T A_BB (z - x_B)
 *
 * that is the local problem with A_BB / omega and q = y_B - A_BB x_B / omega. */
#pragma once

#include "method/run/method.h"
#include "operator/block_relax.h"
#include "problem/local_contact.h"

typedef struct perp_blocks {
  const perp_problem *problem;
  const double *x; /* the iterate that friction bounds of lone rows are taken at */
  perp_block_list list;
  bool *friction;         /* by block: rows 1.. are friction rows of row 0 */
  int64_t *W_start;       /* by block: where A_BB begins in W */
  double *W;              /* A_BB, row major, block after block */
  double *lo, *hi;        /* in the order of the list */
  perp_cone_matrix *cone; /* by cone */
  double *slip;           /* by block: where a sliding cone was, see perp_local_cone */
  int *state;             /* by block: of the enumeration, see perp_local_box */
  double *room;           /* old x, A_BB / omega and q of one block, `largest` rows each */
  double omega;           /* set before a sweep */
  double moved;           /* perp_blocks_solve adds |new x - old x|^2 */
  bool changed;           /* ... and sets this if a bit of x, slip or state is another one */
} perp_blocks;

/* Cones, and every other row a block of its own. */
perp_error perp_blocks_list_rows(perp_run *run, perp_block_list *list);
/* Sweeps over the blocks of a list, with the iterate x, in one of the orders. */
perp_error perp_blocks_sweeps(perp_run *run, double *x, const perp_block_list *list, int order,
                              perp_block_sweeps *sweeps);

/* The blocks of the run's problem. `single`: every row outside cones is a block of its own.
 * Refuses a diagonal that is not positive, by row and value. */
perp_error perp_blocks_create(perp_run *run, const double *x, int size, bool single,
                              perp_blocks **out);

/* A perp_block_body whose context is a perp_blocks; it keeps `moved`. */
void perp_blocks_solve(void *context, int block, const double *y, double *x);

/* The same for many blocks side by side: `room` is largest * (largest + 1) numbers. */
void perp_blocks_solve_in(const perp_blocks *blocks, int block, const double *y, double *x,
                          double *room);

/* x <- P(z + beta (z - z before)) for z = x of the relaxer, which becomes z before: the momentum of
 * nncg between two sweeps. */
void perp_blocks_extrapolate(perp_relaxer *relaxer, double beta, double *before, int n);
