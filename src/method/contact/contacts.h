/* contacts.h: the rows of a problem contact by contact, and the blocks that sweeps solve together */
#pragma once

#include "method/run/method.h"
#include "operator/block_relax.h"
#include "problem/local_contact.h"

/* ---- Contacts ----
 *
 * A contact is a normal with the rows that follow it: the three rows of a cone and the rows whose
 * friction index is its normal; every other row is a contact of its own. */

/* The rows by contact. */
typedef struct perp_contact_list {
  int n, count, cones; /* contacts c < cones begin with the three rows of a cone */
  int *start;          /* count + 1 */
  int *row;            /* n: those of contact c from start[c], the normal first */
  int *of;             /* n: the contact of each row */
  int64_t *block;      /* count + 1: where the numbers of a contact begin in T, row major */
  double *unit;        /* count: the largest A_ii of its rows, or the largest of all if that is 0 */
} perp_contact_list;

/* In the run's arena. */
perp_error perp_contact_list_create(perp_run *run, perp_contact_list *contacts);

/* Whether contacts have few points to a pair of bodies, as those of balls; walls have more. By rows these
 * have long rows: more than 75 entries, balls up to 50. */
bool perp_contacts_have_few_points(const perp_operator *A);
bool perp_contacts_have_long_rows(const perp_operator *A);

static inline int perp_contact_rows(const perp_contact_list *s, int c)
{
  return s->start[c + 1] - s->start[c];
}

/* ---- Blocks ----
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

typedef struct perp_blocks {
  const perp_problem *problem;
  const double *x; /* the iterate that friction bounds of lone rows are taken at */
  perp_block_list list;
  bool *friction;           /* by block: rows 1.. are friction rows of row 0 */
  int64_t *W_start;         /* by block: where A_BB begins in W */
  double *W;                /* A_BB, row major, block after block */
  double *lo, *hi;          /* in the order of the list */
  perp_cone_matrix *cone;   /* by cone */
  double *slip;             /* by block: where a sliding cone was, see perp_local_cone */
  int *state;               /* by block: of the enumeration, see perp_local_box */
  double *room;             /* old x, A_BB / omega and q of one block, `largest` rows each */
  double omega;             /* set before a sweep */
  double moved;             /* perp_blocks_solve adds |new x - old x|^2 */
  bool changed;             /* ... and sets this if a bit of x, slip or state is another one */
  perp_block_sweeps sweeps; /* of perp_blocks_open */
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

/* The same with sweeps over them; not to be used if the run has expired meanwhile. */
perp_error perp_blocks_open(perp_run *run, double *x, int size, bool single, perp_block_order order,
                            perp_blocks **out);
/* One sweep of blocks that were opened (symmetric: two), counted; it adds to `moved`. */
void perp_blocks_sweep(perp_run *run, perp_blocks *blocks);

/* Solves many blocks side by side: `room` is largest * (largest + 1) numbers. */
void perp_blocks_solve_in(const perp_blocks *blocks, int block, const double *y, double *x,
                          double *room);

/* x <- P(z + beta (z - z before)) for z = x of the relaxer, which becomes z before: the momentum of
 * nncg between two sweeps. */
void perp_blocks_extrapolate(perp_relaxer *relaxer, double beta, double *before, int n);
