/* rows.h: the rows of a compliant contact problem in scaled velocities
 *
 *   A = G G^T + C,   G = J F,   Minv = F F^T by blocks,   v = F u
 *
 * With |u|^2 = v^T M v masses drop out of every norm, and a body that does not move (a block of
 * Minv that is zero or singular) is no special case. Rows come in units, each with G as a small
 * dense matrix over the blocks that it touches, side by side: a cone; a normal with all rows whose
 * bounds follow it; or consecutive other rows that touch the same blocks. */
#ifndef PERP_NEWTON_PRIMAL_ROWS_H
#define PERP_NEWTON_PRIMAL_ROWS_H

#include "method/run/method.h"
#include "operator/contact/contact.h"

typedef enum perp_primal_kind {
  PERP_PRIMAL_PLAIN,
  PERP_PRIMAL_GROUP, /* row[first] is the normal */
  PERP_PRIMAL_CONE,  /* n, t, o */
} perp_primal_kind;

typedef struct perp_primal_unit {
  perp_primal_kind kind;
  int first, count; /* its rows are row[first] .. row[first + count - 1] */
  int width;        /* velocities of its blocks together */
  int touched;      /* blocks */
  int64_t block;    /* its blocks are block[block] .. block[block + touched - 1] */
  int64_t G;        /* its count x width numbers begin at G[G] */
} perp_primal_unit;

typedef struct perp_primal_rows {
  const perp_contact *contact;
  int n, m;  /* rows, velocities */
  int units; /* */
  perp_primal_unit *unit;
  int *row;                 /* n: by unit */
  int *block;               /* of the units, one after another */
  double *G;                /* */
  const double *compliance; /* n: the diagonal of C */
  double *C;                /* n: the same, or more of it: see primal.c */
  double *inverse;          /* n: 1 / C_ii */
  double *square;           /* n: |G_i|^2 */
  double *gather;           /* the greatest width, and the most rows */
  int widest, longest;
} perp_primal_rows;

/* UNSUPPORTED, with the reason in the run's message, where the operator is no contact operator, C
 * is not a positive diagonal, Minv is not positive semi-definite, a cone's C differs in its two
 * tangents, or a normal of friction rows may fall below 0. Memory is the run's arena. */
perp_error perp_primal_rows_create(perp_run *run, perp_primal_rows *rows);

/* C <- max(compliance, share A_ii), in cones and groups by a common factor; returns whether that is
 * the compliance itself. */
bool perp_primal_raise_compliance(perp_primal_rows *rows, double share);

/* z <- G u and u <- G^T x. */
void perp_primal_velocity(const perp_primal_rows *rows, const double *u, double *z);
void perp_primal_impulse(const perp_primal_rows *rows, const double *x, double *u);

#endif
