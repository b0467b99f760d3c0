/* contacts.h: the rows of a problem contact by contact, and the blocks that sweeps solve together */
#pragma once

#include "method/run/factor_cache.h"
#include "operator/block_relax.h"
#include "operator/contact/contact.h"
#include "problem/local_contact.h"
#include "set/cone.h"

/* ---- Contacts ----
 *
 * A contact is a normal with the rows that follow it: the three rows of a cone and the rows whose
 * friction index is its normal; every other row is a separate contact. */

typedef struct perp_contact_list {
  int n, count, cones; /* contacts c < cones begin with the three rows of a cone */
  int largest;         /* rows of the largest */
  int *start;          /* count + 1 */
  int *row;            /* n: the rows of contact c from start[c], the normal first */
  int *of;             /* n: the contact of each row */
  int64_t *block;      /* count + 1: start of the numbers of a contact in T, row major */
  double *unit;        /* count: the largest A_ii of its rows, or the largest of all if that is 0 */
} perp_contact_list;

/* In the run's arena. */
perp_error perp_contact_list_create(perp_run *run, perp_contact_list *contacts);

/* Returns true if contacts have few points per pair of bodies, as balls do; walls have more. By
 * rows: walls have more than 75 entries in a row, balls up to 50. */
bool perp_contacts_have_few_points(const perp_operator *A);
bool perp_contacts_have_long_rows(const perp_operator *A);
/* Returns true if bodies meet at several points: a pair of bodies has on average over 1.5 times the
 * `most` rows that a point has. The rows of a pair are consecutive. */
bool perp_contacts_meet_in_faces(const perp_contact *c, int most);

static inline int perp_contact_rows(const perp_contact_list *s, int c)
{
  return s->start[c + 1] - s->start[c];
}

/* ---- Blocks ----
 *
 *   Coulomb cones           (n, t, o)                            exact, local_contact.c
 *   a normal and its        all rows i with findex_i = j,        exact up to three rows and with
 *   friction rows           after row j                          discs, else by inner sweeps
 *   other rows              `size` neighbours; 0: as in the       the same
 *                           matrix (bsr), else one
 *
 * A block is solved for the step of length omega that its own matrix suggests,
 *
 *   x_B <- argmin over K_B of  y_B^T z + 1/(2 omega) (z - x_B)^T A_BB (z - x_B)
 *
 * that is the local problem with A_BB / omega and q = y_B - A_BB x_B / omega. */

typedef struct perp_blocks {
  perp_keep keep; /* see perp_blocks_open */
  const perp_problem *problem;
  const double *x; /* the iterate that determines the friction bounds of lone rows */
  perp_block_list list;
  bool *friction;           /* by block: rows 1.. are friction rows of row 0 */
  int64_t *W_start;         /* by block: where A_BB begins in W */
  double *W;                /* A_BB, row major, block after block */
  double *lo, *hi;          /* in the order of the list */
  perp_cone_matrix *cone;   /* by cone */
  double *slip;             /* by block: the last slip of a cone, see perp_cone_solve */
  const int *disc;          /* in the order of the list, as perp_set_disc; NULL: none */
  double *slips;            /* by row of the list: the last slips of discs, see perp_local_discs */
  int *state;               /* by block: the last case of the enumeration, see perp_local_box */
  double *room;             /* old x, A_BB / omega and q of one block, `largest` rows each */
  double omega;             /* set before a sweep */
  double moved;             /* perp_blocks_solve adds |new x - old x|^2 */
  bool changed;             /* perp_blocks_solve sets it if a bit of x, slip or state changes */
  perp_block_sweeps sweeps; /* of perp_blocks_open */
} perp_blocks;

/* Lists cones, and every other row as a separate block. */
perp_error perp_blocks_list_rows(perp_run *run, perp_block_list *list);
/* Sweeps over the blocks of a list, with the iterate x, in one of the orders. */
perp_error perp_blocks_sweeps(perp_run *run, double *x, const perp_block_list *list, int order,
                              perp_block_sweeps *sweeps);

/* Creates the blocks of the run's problem. `single`: every row outside cones is a separate block.
 * Refuses a diagonal that is not positive, naming row and value. */
perp_error perp_blocks_create(perp_run *run, const double *x, int size, bool single,
                              perp_blocks **out);

/* perp_blocks_create with sweeps over them; do not use them if the run has expired meanwhile. Up to a
 * thousand rows of cones the solver keeps them for the next solve with this A, if they are closed. */
perp_error perp_blocks_open(perp_run *run, double *x, int size, bool single, perp_block_order order,
                            perp_blocks **out);
void perp_blocks_close(const perp_run *run, perp_blocks *blocks);
/* Makes one sweep over opened blocks (symmetric: two), counted; adds to `moved`. */
void perp_blocks_sweep(perp_run *run, perp_blocks *blocks);

/* Solves a block while other threads solve others: `room` is largest * (largest + 1) numbers. */
void perp_blocks_solve_in(const perp_blocks *blocks, int block, const double *y, double *x,
                          double *room);

/* x <- P(z + beta (z - before)), before <- z, for z = x of the relaxer: the momentum of nncg
 * between two sweeps. */
void perp_blocks_extrapolate(perp_relaxer *relaxer, double beta, double *before, int n);
