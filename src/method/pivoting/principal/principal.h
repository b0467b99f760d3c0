/* principal.h: principal pivoting on a box with a symmetric positive semi-definite matrix, which
 * dantzig and baraff share; principal.c has the mathematics */
#pragma once

#include "linalg/rows.h"
#include "linalg/vector.h"
#include "method/run/method.h"
#include "method/system/active_factor.h"

#include <math.h>

typedef enum perp_principal_state {
  PERP_PRINCIPAL_DONE,    /* every row is right */
  PERP_PRINCIPAL_STUCK,   /* some row can be driven forever: `ray` is the direction */
  PERP_PRINCIPAL_LIMIT,   /* too many pivots: rounding decides, or an unbroken cycle */
  PERP_PRINCIPAL_EXPIRED, /* out of time */
} perp_principal_state;

/* The state of a row that is not in C. */
typedef enum perp_row_state {
  PERP_ROW_PLAIN,
  PERP_ROW_PASSED, /* it depends on C: skipped as long as C stays */
  PERP_ROW_STUCK,  /* it could be driven forever */
} perp_row_state;

typedef struct perp_principal {
  perp_run *run;
  int n;
  const double *A;      /* symmetric; the problem's own array if that is dense and symmetric */
  const double *A_true; /* A if that is symmetric, else the given matrix */
  int64_t ld;           /* of both */
  perp_span *span;      /* n: the nonzero columns of each row of A */
  double *b;       /* these four are the box problem that is solved: the owner sets b, lo, hi */
  double *lo, *hi; /* */
  double *x, *w;   /* w = A x + b, kept up to date; lo <= x <= hi */
  double *root;    /* sqrt(A_ii) */
  double *slack;   /* |w_i| up to this is zero */
  perp_active active;
  perp_active_factor *kept;
  double *d;     /* direction, in the order of C; then that of x, and of w, by rows */
  double *full;  /* */
  double *dw;    /* */
  double *ray;   /* */
  int *list;     /* n, scratch */
  int *state;    /* n: perp_row_state */
  uint64_t hash; /* of C */
  double reach;  /* root_j + sum_c root_c |d_c|: the size of the direction */
  bool early;    /* end at the first row that is stuck */
  bool sharp;    /* w is summed in twice the precision, slack is no more than rounding can be */
  bool strict;   /* right rows are kept right from the first */
} perp_principal;

/* Whether there is time to make the dense matrix; if not, the run ends with a message. */
bool perp_principal_affords(perp_run *run);
/* Memory from the run's arena, A as a symmetric dense matrix, w unset, C = {}. PERP_ERROR_MEMORY
 * also if the limit of the options forbids a dense copy; PERP_ERROR_UNSUPPORTED if |A_ij - A_ji| is
 * above 0.1 sqrt(A_ii A_jj). x is the caller's. If the time is over, the matrix is incomplete. */
perp_error perp_principal_create(perp_run *run, double *x, perp_principal *e);

/* If A is not symmetric: b <- that of the problem + (A - S) x, S the symmetric part; the caller
 * then refreshes w. Otherwise nothing. */
void perp_principal_freeze(perp_principal *e);
/* w <- A x + b from scratch. */
void perp_principal_refresh(perp_principal *e);
/* Projects x onto its bounds and updates w (which is that of x on entry); then C becomes all rows
 * strictly inside, the unbounded ones first, except those that depend on others. */
void perp_principal_place(perp_principal *e);
/* C becomes the set of rows with side 0, except dependent ones; x and w stay as they are. */
void perp_principal_assign(perp_principal *e, const int *side);
/* slack, from b and x. */
void perp_principal_measure(perp_principal *e);
static inline bool perp_principal_basic(const perp_principal *e, int i)
{
  return e->active.place[i] >= 0;
}

/* (row i of A)^T x */
static inline double perp_principal_product(const perp_principal *e, int i)
{
  const perp_span s = e->span[i];
  return perp_dot(s.end - s.begin, e->A + i * e->ld + s.begin, e->x + s.begin);
}

/* The direction in which x_i should move: -1 or 1, 0 if the row is right. */
static inline int perp_principal_way(const perp_principal *e, int i)
{
  if (e->w[i] < -e->slack[i] && e->x[i] < e->hi[i])
    return 1;
  if (e->w[i] > e->slack[i] && e->x[i] > e->lo[i])
    return -1;
  return 0;
}

/* Whether row i is outside C, wrong and not stuck, and its possible gain: |w_i| / root_i is the
 * square root of twice the energy that moving x_i alone could save. */
static inline bool perp_principal_wants(const perp_principal *e, int i)
{
  return !perp_principal_basic(e, i) && e->state[i] != PERP_ROW_STUCK && perp_principal_way(e, i);
}

static inline double perp_principal_gain(const perp_principal *e, int i)
{
  return e->root[i] > 0 ? fabs(e->w[i]) / e->root[i] : INFINITY;
}

/* The row that the factor has just reached comes to C; the row at position p of C leaves it. */
void perp_principal_enter(perp_principal *e, int i);
void perp_principal_leave(perp_principal *e, int p);
/* Drives row j until it is right, with all right rows kept right. */
perp_principal_state perp_principal_drive(perp_principal *e, int j);
/* Drives wrong rows, many per product with A, even if other rows become wrong, until all are right;
 * PERP_PRINCIPAL_LIMIT if that takes too long. w is up to date before and after. */
perp_principal_state perp_principal_descend(perp_principal *e);
/* At the end of the run: the factor of A_CC is lent (run/factor_cache.h), if A is symmetric. */
void perp_principal_offer(perp_principal *e);
/* Solves the box problem from the present x and C. */
perp_principal_state perp_principal_solve(perp_principal *e);
