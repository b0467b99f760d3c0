/* active_factor.h: the factor of linalg/active.h, kept for the next solve
 *
 * Methods that follow the active set begin with a factor of the rows that the start suggests. If A
 * and these rows are those of the solve before, and that solve did not change the factor after it was
 * made, it is still there, to the last bit. */
#pragma once

#include "linalg/active.h"
#include "method/run/factor_cache.h"

typedef struct perp_active_factor {
  perp_kept *entry; /* NULL: nothing is kept */
  int n;
  double *reals; /* of the factor */
  int *integers;
  int count; /* of the rows that it was made for; -1: there is none */
  int *rows;
  int size; /* |C| when it was made, and the rows appended until then */
  int64_t appended;
  int64_t version;  /* grows with every change */
  int64_t made;     /* version when it was made */
  perp_active lent; /* as a solve left it */
} perp_active_factor;

/* The memory of a factor of n rows, C = {}: in the memory of the solver under the name of the maker,
 * or in the run's arena. NULL when out of memory. */
perp_active_factor *perp_active_open(perp_run *run, const void *maker, const double *A, int64_t lda,
                                     perp_active *f);
/* Whether the factor of these rows, in this order, is there: then it is in f, which was empty. */
bool perp_active_recall(perp_active_factor *kept, const perp_run *run, int count, const int *rows,
                        perp_active *f);
/* f is the factor of these rows, made from C = {}: for the next solve. */
void perp_active_keep(perp_active_factor *kept, const perp_run *run, int count, const int *rows,
                      const perp_active *f);
/* At the end of the solve: f is offered (run/factor_cache.h). kept may be NULL. */
void perp_active_offer(perp_active_factor *kept, perp_run *run, const perp_active *f);
