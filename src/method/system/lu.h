/* lu.h: LU factors of principal submatrices of a matrix by rows, symmetric or not
 *
 *   M_FF + diag(d_F) = L U
 *
 * sparse if UMFPACK is built in and there are more than `dense_most` rows, else dense. */
#pragma once

#include "linalg/dense.h"
#include "linalg/sparse_lu.h"
#include "method/run/method.h"

typedef struct perp_rows_lu {
  perp_run *run;
  perp_sparse M; /* the caller's; its numbers may change from set to set */
  int m;
  const int *F; /* the caller's */
  const perp_sparse_lu_table *umfpack;
  perp_sparse_lu *sparse; /* to be freed; NULL: dense */
  perp_lu dense;
  double *matrix; /* m x m in use */
  int *swap;
  bool too_long; /* the last set began no factor, for want of time */
} perp_rows_lu;

/* refined: UMFPACK refines its solutions; else the caller does. Closed whatever comes back; a
 * struct of zeros may be closed too. */
perp_error perp_rows_lu_open(perp_rows_lu *s, perp_run *run, const perp_sparse *M, int dense_most,
                             bool refined);
void perp_rows_lu_close(perp_rows_lu *s);
/* For another run, as if opened for it with the same M. */
void perp_rows_lu_reopen(perp_rows_lu *s, perp_run *run);
/* F ascending, d: n numbers (NULL: zero). False if there is no factor. */
bool perp_rows_lu_set(perp_rows_lu *s, int m, const int *F, const double *d);
/* x <- (M_FF + diag(d_F))^-1 x, in the order of F; false if that failed. */
bool perp_rows_lu_solve(perp_rows_lu *s, double *x);
