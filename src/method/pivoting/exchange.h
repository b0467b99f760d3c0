/* exchange.h: bases of a boxed problem and their exchange, which murty and blockpivot share;
 * exchange.c has the mathematics */
#pragma once

#include "linalg/band.h"
#include "method/pivoting/cycle.h"
#include "method/system/active_factor.h"
#include "method/system/linear.h"

typedef enum perp_exchange_state {
  PERP_EXCHANGE_OK,
  PERP_EXCHANGE_NOT_P,   /* a principal minor is not positive: claimed, with a message */
  PERP_EXCHANGE_EXPIRED, /* out of time, or stopped */
  PERP_EXCHANGE_ERROR,   /* see `error` */
} perp_exchange_state;

enum { PERP_AT_LO, PERP_AT_HI, PERP_BASIC }; /* the place of a row */

typedef struct perp_exchange {
  perp_run *run;
  int n;
  double *x;       /* n, the caller's */
  double *y;       /* n: A x + b */
  bool opened;     /* y is that of the start, which is unchanged so far */
  double *lo, *hi; /* n */
  int *place;      /* n: the place of row i */
  int *wrong;      /* n: scratch for lists of rows */
  int *set;        /* n: F, ascending */
  int count;       /* |F| */
  double *step;    /* n */
  double slack;    /* violations up to this count as zero */
  double noise;    /* the same for the rounding of y_i, divided by sqrt(A_ii) */
  bool symmetric;
  double *diagonal; /* n: A_ii */
  double *shift;    /* n: of proximal problems, else 0 */

  /* A_FF + diag(shift_F) has its factor in the band, in `active`, or in the system. */
  perp_band band;
  perp_active active;
  perp_active_factor *kept;   /* NULL: `active` is not in use */
  bool follows;               /* `active` has the factor */
  perp_linear_system *system; /* NULL until it is needed */
  double *full, *solution;    /* n each: for it */

  double proximal; /* > 0: solves for A + diag(shift) about `centre`, shift_i = this times A_ii */
  int hold, holds; /* centres before the next reduction; doubled each time */
  double *centre;
  int centres;         /* number so far */
  double centre_best;  /* the residual to improve on */
  int centre_failures; /* times that failed */
  double *ray;

  perp_best best;
  perp_cycle cycle;
  uint64_t hash; /* of the basis */
  perp_error error;
} perp_exchange;

/* Allocates, computes y and shows the start to the driver; *go_on is false if that ends the run. */
perp_error perp_exchange_open(perp_exchange *e, perp_run *run, double *x, bool *go_on);
void perp_exchange_close(perp_exchange *e);
/* Sets the basis that x suggests and solves it; with `grow` from a cold start perp_exchange_grow first. */
perp_exchange_state perp_exchange_begin(perp_exchange *e, bool grow);
/* Moves row i to another place without updating x and y. */
static inline void perp_exchange_put(perp_exchange *e, int i, int place)
{
  e->hash ^= perp_place_key(i, e->place[i]) ^ perp_place_key(i, place);
  e->place[i] = place;
}
/* From a basis with all rows at lo and its y: finds the basis of the solution if A is a tridiagonal
 * M-matrix and no row has an upper bound; otherwise does nothing (tridiagonal.c). */
void perp_exchange_grow(perp_exchange *e);
/* Lists the wrong rows, ascending, in e->wrong. Returns their number. */
int perp_exchange_wrong(perp_exchange *e);
/* Exchanges the rows of the list and solves for x and y of the new basis. */
perp_exchange_state perp_exchange_rows(perp_exchange *e, int count, const int *list);
/* Switches to proximal problems, as happens automatically if a pivot vanishes, or raises their
 * term. Returns false if A is not symmetric or the term is at its largest. */
bool perp_exchange_add_proximal_term(perp_exchange *e, perp_exchange_state *state);
/* Returns to the problem itself. */
perp_exchange_state perp_exchange_drop_proximal_term(perp_exchange *e);
/* Moves the centre of a proximal problem when no row is wrong. Returns false if nothing is left to
 * do. */
bool perp_exchange_recentre(perp_exchange *e, perp_exchange_state *state);
/* Murty's rule: exchanges only the first wrong row. Returns false and claims stagnation if the
 * basis was met before, since the last perp_cycle_forget. */
bool perp_exchange_first(perp_exchange *e, perp_exchange_state *state);

/* Pivots in twice the precision from the present basis, for a symmetric A of few rows. Returns true and claims the
 * solution if its x, rounded to doubles, is within the tolerance (twice_pivots.c). */
bool perp_pivot_twice(perp_exchange *e);
/* Claims that proximal steps ended without a solution, with the reason. */
void perp_exchange_give_up(perp_exchange *e);
