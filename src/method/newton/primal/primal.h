/* primal.h: rows, Hessian and state of the method `primal`; primal.c has the mathematics */
#pragma once

#include "method/contact/body_matrix.h"
#include "method/run/method.h"
#include "operator/contact/contact.h"

/* ---- rows.c: the rows of a compliant contact problem in scaled velocities ----
 *
 *   A = G G^T + C,   G = J F,   Minv = F F^T by blocks,   v = F u
 *
 * With |u|^2 = v^T M v masses drop out of every norm, and a body that does not move (a zero or
 * singular block of Minv) needs no special case. Rows come in units, each with G as a small dense
 * matrix over the blocks that it touches: a cone; a normal with all rows whose bounds follow it; or
 * consecutive other rows that touch the same blocks. */

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
  int n, m; /* rows, velocities */
  int units;
  perp_primal_unit *unit;
  int *row;   /* n: by unit */
  int *block; /* of the units, one after another */
  double *G;
  const double *compliance; /* n: the diagonal of C */
  double *C;                /* n: compliance, or a larger diagonal: see primal.c */
  double *inverse;          /* n: 1 / C_ii */
  double *square;           /* n: |G_i|^2 */
  double *gather;           /* the largest width, and the largest number of rows */
  int widest, longest;
} perp_primal_rows;

/* Returns UNSUPPORTED, with the reason in the run's message, if the operator is not a contact
 * operator, C is not a positive diagonal, Minv is not positive semi-definite, C differs in the two
 * tangents of a cone, or a normal of friction rows may be negative. Memory is the run's arena. */
perp_error perp_primal_rows_create(perp_run *run, perp_primal_rows *rows);

/* C <- max(compliance, share A_ii), by a common factor in each cone and group. Returns true if C is
 * the compliance itself. */
bool perp_primal_raise_compliance(perp_primal_rows *rows, double share);

/* z <- G u and u <- G^T x. */
void perp_primal_velocity(const perp_primal_rows *rows, const double *u, double *z);
void perp_primal_impulse(const perp_primal_rows *rows, const double *x, double *u);

/* ---- H = I + G^T D G in scaled velocities, assembled and factored ----
 *
 * D = -dx/dz is a sum of squares: one for each row that is free, one for each group or cone on the
 * edge of its set, one for each cone that slides. body_matrix.h has the factor. */

/* D = diag(free) + sum over units of (weight e e^T + turn p p^T), with e the rows of `edge` in the
 * unit and p = (0, -tau_o, tau_t) in a cone. */
typedef struct perp_primal_curvature {
  double *free;   /* n: 1 / C_ii, or 0 */
  double *edge;   /* n: 0 if the row does not move with its edge */
  double *weight; /* units */
  double *turn;   /* cones */
  double *tau;    /* 2 for each cone */
} perp_primal_curvature;

/* One block that a unit adds to: columns `row` of its squares times columns `column`. */
typedef struct perp_primal_piece {
  double *at; /* in H */
  int row, rows, column, columns, ld;
} perp_primal_piece;

typedef struct perp_primal_hessian {
  const perp_primal_rows *rows;
  perp_body_matrix H;
  int64_t *piece_start; /* units + 1 */
  perp_primal_piece *piece;
  perp_primal_curvature D; /* of the current factor */
  bool *changed;           /* by block */
  bool factored;
  const double **square; /* of one unit */
  double *weight;        /* of its squares */
  double *combined;      /* two rows that are sums of others */
} perp_primal_hessian;

/* Create everything else in the run's arena first. Close H whatever is returned. */
perp_error perp_primal_hessian_open(perp_run *run, const perp_primal_rows *rows,
                                    perp_primal_hessian *h);

/* In the run's arena. Returns false, with NULL entries, when out of memory. */
bool perp_primal_curvature_create(perp_run *run, const perp_primal_rows *rows,
                                  perp_primal_curvature *D);
/* Assembles and factors H. Returns false if H is not finite or is singular up to rounding. */
bool perp_primal_hessian_set(perp_run *run, perp_primal_hessian *h, const perp_primal_curvature *D);

/* ---- The method ---- */

typedef struct perp_primal {
  perp_run *run;
  const perp_set *K;
  int n, m;
  bool coupled; /* some bounds follow normal impulses */
  perp_primal_rows rows;
  perp_primal_hessian H;
  double *lo, *hi;         /* n: with infinities; of friction rows, factors of the normal */
  double *x;               /* n: the caller's */
  double *u;               /* m: scaled velocities */
  double *shift;           /* n: added to the velocities of normals with friction */
  double *z, *y;           /* n: G u + b + shift, and A x + b */
  double *d;               /* m: the step, or its gradient */
  double *q;               /* n: G d */
  perp_primal_curvature D; /* at z, or of a step in x */
  signed char *state;      /* n: at its lower bound, inside, at its upper bound */
  /* steps in x */
  double *dx;     /* n */
  double *slope;  /* n: of a bound in its normal impulse */
  double *backup; /* n */
  double *good;   /* n: the solution with more compliance */
  double *krylov; /* for GMRES; m numbers if nothing is coupled */
} perp_primal;

/* ---- response.c: the convex problem ---- */

/* Computes x, D and state at z. Returns true if any state changed. */
bool perp_primal_respond(perp_primal *s);
/* Returns the t >= 0 that minimises F along u + t d; q = G d, slope < 0 is the derivative at t =
 * 0. */
double perp_primal_search(const perp_primal *s, double slope);
/* Returns the De Saxce term for the normal velocity of the unit at y. */
double perp_primal_slip(const perp_primal *s, const perp_primal_unit *unit);
