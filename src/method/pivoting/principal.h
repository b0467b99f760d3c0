/* principal.h: principal pivoting on a box with a symmetric positive semi-definite matrix, which
 * dantzig, baraff and keller share; principal.c has the mathematics */
#pragma once

#include "linalg/rows.h"
#include "linalg/vector.h"
#include "method/run/method.h"
#include "method/system/active_factor.h"

#include <math.h>

typedef enum perp_principal_state {
  PERP_PRINCIPAL_DONE,    /* every row is right */
  PERP_PRINCIPAL_STUCK,   /* some row can be driven without bound: `ray` is the direction */
  PERP_PRINCIPAL_LIMIT,   /* too many pivots: rounding decides, or an unbroken cycle */
  PERP_PRINCIPAL_EXPIRED, /* out of time */
} perp_principal_state;

/* The state of a row that is not in C. */
typedef enum perp_row_state {
  PERP_ROW_PLAIN,
  PERP_ROW_PASSED, /* it depends on C: skipped until C changes */
  PERP_ROW_STUCK,  /* it could be driven without bound */
} perp_row_state;

static const double PERP_PRINCIPAL_APART =
    0.1; /* the largest difference of A_ij and A_ji, relative */

typedef struct perp_principal {
  perp_run *run;
  int n;
  const double *A;       /* symmetric; the problem's own array if that is dense and symmetric */
  const double *A_true;  /* A if that is symmetric, else the given matrix */
  int64_t ld;            /* of both */
  const perp_span *span; /* n: the nonzero columns of each row of A */
  double *b;             /* the box problem: b, lo, hi (set by the owner), x and w */
  double *lo, *hi;
  double *x, *w;      /* w = A x + b, kept up to date; lo <= x <= hi */
  const double *root; /* sqrt(A_ii) */
  double *slack;      /* |w_i| up to this is zero */
  perp_active active;
  perp_active_factor *kept;
  double *d;    /* direction in the order of C */
  double *full; /* direction of x by rows */
  double *dw;   /* change of w by rows */
  double *ray;
  int *list;     /* n, scratch */
  int *state;    /* n: perp_row_state */
  uint64_t hash; /* of C */
  double reach;  /* root_j + sum_c root_c |d_c|: the size of the direction */
  bool sharp;    /* w is summed in twice the precision, and slack is only the rounding */
  bool strict;   /* right rows are kept right from the beginning */
} perp_principal;

/* Returns true if there is time to make the dense matrix; otherwise ends the run with a message. */
bool perp_principal_affords(perp_run *run);
/* Takes memory from the run's arena and makes A a symmetric dense matrix, w unset, C = {}. Returns
 * PERP_ERROR_MEMORY also if the limit of the options forbids a dense copy, PERP_ERROR_UNSUPPORTED
 * if |A_ij - A_ji| is above `apart` sqrt(A_ii A_jj), apart <= PERP_PRINCIPAL_APART. x is the
 * caller's. If the time limit is reached, the matrix is incomplete. */
perp_error perp_principal_create(perp_run *run, double *x, double apart, perp_principal *e);

/* If A is not symmetric: b <- b of the problem + (A - S) x, S the symmetric part; the caller then
 * refreshes w. Otherwise does nothing. */
void perp_principal_freeze(perp_principal *e);
/* w <- A x + b from scratch. */
void perp_principal_refresh(perp_principal *e);
/* Projects x onto its bounds and updates w, which must be up to date on entry; then C becomes all
 * rows strictly inside, the unbounded ones first, except rows that depend on others. */
void perp_principal_place(perp_principal *e);
/* Sets C to the rows with side 0, except dependent ones; x and w do not change. */
void perp_principal_assign(perp_principal *e, const int *side);
/* Computes slack from b and x. */
void perp_principal_measure(perp_principal *e);

/* Call at the end of the run: lends the factor of A_CC (run/factor_cache.h) if A is symmetric. */
void perp_principal_offer(perp_principal *e);

/* Returns true if row i is outside C, wrong and not stuck. */
bool perp_principal_wants(const perp_principal *e, int i);
/* Returns |w_i| / root_i, the square root of twice the energy that moving only x_i could save. */
double perp_principal_gain(const perp_principal *e, int i);
/* x_C <- x_C - A_CC^-1 w_C, which brings w_C to 0. Rows that reach a bound are set to it and leave
 * C; then the rest is solved again. Returns false if the time is over. */
bool perp_principal_settle(perp_principal *e);
/* Drives row j until it is right, for at most that many pivots. strict: keeps all right rows right,
 * and w up to date; else only bounds limit x, and only w_j is updated. */
perp_principal_state perp_principal_drive(perp_principal *e, int j, bool strict, int64_t *pivots);
/* Solves the box problem from the current x and C. */
perp_principal_state perp_principal_solve(perp_principal *e);
