/* exchange.h: bases of a boxed problem and their exchange, which murty and blockpivot share;
 * exchange.c has the mathematics */
#pragma once

#include "linalg/band.h"
#include "method/pivoting/cycle.h"
#include "method/pivoting/minor.h"
#include "method/run/factor_cache.h"

typedef enum perp_exchange_state {
  PERP_EXCHANGE_OK,
  PERP_EXCHANGE_NOT_P,   /* a principal minor is not positive: claimed and said */
  PERP_EXCHANGE_EXPIRED, /* out of time, or stopped */
  PERP_EXCHANGE_ERROR,   /* see `error` */
} perp_exchange_state;

enum { PERP_AT_LO, PERP_AT_HI, PERP_BASIC }; /* where a row stands */

typedef struct perp_exchange {
  perp_run *run;
  int n;
  double *x;       /* n, the caller's */
  double *y;       /* n: A x + b */
  bool opened;     /* ... of the start, which nothing has changed yet */
  double *lo, *hi; /* n */
  int *place;      /* n: where row i stands */
  int *wrong;      /* n: scratch for lists of rows */
  int *set;        /* n: F, ascending, if the factor is sparse or a band */
  int count;       /* |F| */
  double *step;    /* n */
  double slack;    /* violations up to this are none */
  double noise;    /* the same, divided by sqrt(A_ii), for the rounding of y_i */
  bool follow;     /* the factor follows exchanges of few rows */
  int64_t stale;   /* exchanges since it was made */
  bool partial;    /* y is up to date in the rows of F alone */
  perp_minor minor;
  /* If neither of the two is there the minor has the factor. */
  perp_band band;
  perp_sparse_factor *sparse;
  perp_kept *kept; /* its entry; NULL: it is closed after the solve */

  double proximal; /* > 0: A + diag(shift) about `centre` is solved for, shift_i this times A_ii */
  double least_proximal; /* where that ends */
  int hold, holds;       /* centres that the next lowering waits for; twice that the next time */
  double *centre;
  int centres;         /* taken so far */
  double centre_best;  /* the residual to improve on, and how often that failed */
  int centre_failures; /* */
  double *ray;

  perp_best best;
  perp_cycle cycle;
  uint64_t hash; /* of the basis */
  perp_error error;
} perp_exchange;

/* Memory, y, and the first word to the driver; *go_on is false if that ends the run. With
 * `sparse` a matrix of compressed rows in a narrow band gets banded factors, and other symmetric
 * ones that are not dense a sparse factor. */
perp_error perp_exchange_open(perp_exchange *e, perp_run *run, double *x, bool sparse, bool *go_on);
void perp_exchange_close(perp_exchange *e);
/* The basis that x suggests, and its solution. */
perp_exchange_state perp_exchange_begin(perp_exchange *e);
/* Row i goes to another place; x and y wait. */
static inline void perp_exchange_put(perp_exchange *e, int i, int place)
{
  e->hash ^= perp_place_key(i, e->place[i]) ^ perp_place_key(i, place);
  e->place[i] = place;
}
/* From a basis with all rows at lo and the y of it: the basis of the solution, if A is a
 * tridiagonal M-matrix and nothing has an upper bound; else nothing happens (tridiagonal.c). */
void perp_exchange_grow(perp_exchange *e);
/* The rows that are wrong, ascending, into e->wrong; returns their number. */
int perp_exchange_wrong(perp_exchange *e);
/* The rows of the list change places, and x and y become those of the new basis. */
perp_exchange_state perp_exchange_rows(perp_exchange *e, int count, const int *list);
/* Goes over to proximal problems, as it does by itself if a pivot vanishes, or to more of it.
 * False if A is not symmetric or there is enough of it. */
bool perp_exchange_add_proximal_term(perp_exchange *e, perp_exchange_state *state);
/* Back to the problem itself. */
perp_exchange_state perp_exchange_drop_proximal_term(perp_exchange *e);
/* When no row is wrong: moves the centre of a proximal problem. False if nothing is left to do. */
bool perp_exchange_recentre(perp_exchange *e, perp_exchange_state *state);
/* Murty's rule: exchanges the first wrong row alone. False if the basis was met before, since
 * perp_exchange_forget: claims stagnation then. */
bool perp_exchange_first(perp_exchange *e, perp_exchange_state *state);
void perp_exchange_forget(perp_exchange *e);

/* If proximal steps end without a solution: claims so, and says why. */
void perp_exchange_give_up(perp_exchange *e);
