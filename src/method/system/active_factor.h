/* active_factor.h: the factor of linalg/active.h, kept for the next solve
 *
 * Active set methods begin with a factor of the rows that the start suggests. If A and these rows
 * are the same as in the previous solve, and that solve did not change the factor later, it is
 * reused, to the last bit. */
#pragma once

#include "linalg/active.h"
#include "method/run/factor_cache.h"

typedef struct perp_active_factor {
  perp_keep keep; /* first */
  int n;
  double *reals; /* of the factor */
  int *integers;
  int count; /* number of its rows; -1: no factor */
  int *rows;
  int size; /* |C| when it was made, and the rows appended until then */
  int64_t appended;
  int64_t version;  /* grows with every change */
  int64_t made;     /* version when it was made */
  perp_active lent; /* as a solve left it */
} perp_active_factor;

/* Allocates a factor of n rows, C = {}: in the solver's cache under the name of the maker, or in
 * the run's arena. Returns NULL when out of memory. */
perp_active_factor *perp_active_open(perp_run *run, const void *maker, const double *A, int64_t lda,
                                     perp_active *f);
/* Restores the factor of these rows, in this order, into an empty f. Returns true if it was
 * kept. */
bool perp_active_recall(const perp_active_factor *kept, int count, const int *rows, perp_active *f);
/* Keeps f, the factor of these rows made from C = {}, for the next solve. */
void perp_active_keep(perp_active_factor *kept, int count, const int *rows, const perp_active *f);
/* Makes f the factor of the rows F (ascending): the kept one, by updates if few rows changed, or anew. Returns
 * false, with an empty f, if A_FF is singular up to rounding. scratch: n numbers. */
bool perp_active_follow(perp_active_factor *kept, perp_run *run, int m, const int *F,
                        double *scratch, perp_active *f);
/* Offers f at the end of the solve (run/factor_cache.h). kept may be NULL. */
void perp_active_offer(perp_active_factor *kept, perp_run *run, const perp_active *f);
