/* resolvent.h: solving (A + rho D) x = r for one rho after another
 *
 * Dense operators: Cholesky, or LU where A is not symmetric. Operators with rows: a sparse
 * Cholesky factor, in an order found once. Others, and where the memory limit forbids a factor:
 * conjugate gradients, preconditioned by the diagonal and started from what x holds. */
#ifndef PERP_METHOD_GRADIENT_RESOLVENT_H
#define PERP_METHOD_GRADIENT_RESOLVENT_H

#include "linalg/dense.h"
#include "linalg/sparse_factor.h"
#include "method/method.h"

typedef enum perp_resolvent_kind {
  PERP_RESOLVENT_CHOLESKY,
  PERP_RESOLVENT_LU,
  PERP_RESOLVENT_SPARSE,
  PERP_RESOLVENT_CG,
} perp_resolvent_kind;

typedef struct perp_resolvent {
  perp_run *run;
  perp_resolvent_kind kind;
  int n;
  double rho;
  const double *D;              /* n, the caller's */
  double *matrix;               /* dense factor, n x n */
  int *swap;                    /* of an LU */
  perp_lu lu;                   /* */
  perp_sparse entries;          /* A by rows, for the sparse factor */
  double *shift;                /* n: rho D */
  int *all;                     /* 0 .. n-1 */
  perp_sparse_factor *sparse;   /* to be closed */
  double *r, *p, *Ap, *inverse; /* n each: conjugate gradients */
} perp_resolvent;

/* Takes memory from the run's arena; nothing that is to be kept may be taken from it afterwards.
 * factored = false: conjugate gradients whatever A is. To be closed whatever comes back. */
perp_error perp_resolvent_open(perp_run *run, const double *D, bool factored, perp_resolvent *f);
/* Factors A + rho D. False where that is not positive definite. */
bool perp_resolvent_set(perp_resolvent *f, double rho);
/* x <- (A + rho D)^-1 right; x holds a guess on entry. */
void perp_resolvent_solve(perp_resolvent *f, const double *right, double *x);
void perp_resolvent_close(perp_resolvent *f);

#endif
