/* interior/system.h: the linear systems of the interior point method, (A_FF + diag(d_F)) z_F = r_F
 *
 * Symmetric and dense matrices go through method/reduced.h. A sparse matrix that is not symmetric is
 * factored as L U where UMFPACK is built in (linalg/sparse_lu.h), else by what reduced.h offers. */
#ifndef PERP_METHOD_INTERIOR_SYSTEM_H
#define PERP_METHOD_INTERIOR_SYSTEM_H

#include "linalg/sparse_lu.h"
#include "method/system/gather.h"
#include "method/system/reduced.h"

typedef struct perp_interior {
  perp_run *run;
  int n;
  perp_reduced *reduced; /* to be closed */
  perp_sparse_lu *lu;    /* to be closed; NULL: not in use */
  bool by_lu;            /* the present factor is that of lu */
  int m;
  const int *F;
  const double *d;
  double *raised; /* n: d, where it had to be raised */
  double *t, *q;  /* n each */
  double size;    /* of the diagonal of A */
} perp_interior;

/* Takes the rest of the run's arena: open it last. Closed whatever comes back. */
perp_error perp_interior_open(perp_interior *s, perp_run *run, perp_reduced_solver solver);
void perp_interior_close(perp_interior *s);

/* F and d are the caller's and stay until the next set. False where the matrix has no factor. */
bool perp_interior_set(perp_interior *s, int m, const int *F, const double *d);
/* z, n numbers, zero outside F. False where there is no solution to be had. */
bool perp_interior_solve(perp_interior *s, const double *r, double *z);

#endif
