/* primal.h: rows and Hessian of the method `primal`; primal.c has the mathematics */
#pragma once

#include "method/contact/body_matrix.h"
#include "method/run/method.h"
#include "operator/contact/contact.h"

/* ---- The rows of a compliant contact problem in scaled velocities ----
 *
 *   A = G G^T + C,   G = J F,   Minv = F F^T by blocks,   v = F u
 *
 * With |u|^2 = v^T M v masses drop out of every norm, and a body that does not move (a zero or
 * singular block of Minv) needs no special case. Rows come in units, consecutive rows that touch the
 * same blocks, with G as a small dense matrix over these blocks. */

typedef struct perp_primal_unit {
  int first, count; /* rows */
  int width;        /* velocities of its blocks together */
  int touched;      /* blocks */
  int64_t block;    /* its blocks are block[block] .. block[block + touched - 1] */
  int64_t G;        /* its count x width numbers begin at G[G] */
} perp_primal_unit;

typedef struct perp_primal_rows {
  const perp_contact *contact;
  int n, m; /* rows, velocities */
  int units;
  perp_primal_unit *unit;
  int *block; /* of the units, one after another */
  double *G;
  const double *compliance; /* n: the diagonal of C */
  double *C;                /* n: compliance, or a larger diagonal: see primal.c */
  double *inverse;          /* n: 1 / C_ii */
  double *square;           /* n: |G_i|^2 */
  double *gather;           /* the largest width */
  int widest;
} perp_primal_rows;

/* Returns UNSUPPORTED, with the reason in the run's message, if the operator is not a contact
 * operator, C is not a positive diagonal or Minv is not positive semi-definite. Memory is the run's
 * arena. */
perp_error perp_primal_rows_create(perp_run *run, perp_primal_rows *rows);

/* C <- max(compliance, share A_ii), by a common factor in each unit. Returns true if C is the
 * compliance itself. */
bool perp_primal_raise_compliance(perp_primal_rows *rows, double share);

/* z <- G u and u <- G^T x. */
void perp_primal_velocity(const perp_primal_rows *rows, const double *u, double *z);
void perp_primal_impulse(const perp_primal_rows *rows, const double *x, double *u);

/* ---- H = I + G^T D G in scaled velocities, D >= 0 diagonal, assembled and factored ---- */

/* One block that a unit adds to: columns `row` of its rows of G times columns `column`. */
typedef struct perp_primal_piece {
  perp_body_block to; /* in H */
  int row, rows, column, columns;
} perp_primal_piece;

typedef struct perp_primal_hessian {
  const perp_primal_rows *rows;
  perp_body_matrix H;
  int64_t *piece_start; /* units + 1 */
  perp_primal_piece *piece;
  double *D; /* n: of the current factor */
  bool factored;
} perp_primal_hessian;

/* Create everything else in the run's arena first. Close H whatever is returned. */
perp_error perp_primal_hessian_open(perp_run *run, const perp_primal_rows *rows,
                                    perp_primal_hessian *h);
/* Assembles and factors H. Returns false if H is not finite or is singular up to rounding. */
bool perp_primal_hessian_set(perp_primal_hessian *h, const double *D);
