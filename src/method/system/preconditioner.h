/* preconditioner.h: M ~ A_FF + diag(d_F) for the Krylov solvers of linear.h
 *
 * If A is symmetric, M is symmetric positive definite for any A: a diagonal entry that is not
 * positive counts by its magnitude, and a zero entry as 1. */
#pragma once

#include "linalg/incomplete.h"
#include "method/system/gather.h"
#include "method/system/linear.h"
#include "operator/stencil/stencil.h"

typedef struct perp_preconditioner {
  perp_run *run;
  perp_linear_preconditioner kind; /* never auto */
  bool stencil;                    /* ic without a matrix */
  bool failed;                     /* this F has no factor: the diagonal is used */
  const bool *in;                  /* n: row i is in F; the caller's */
  double *diagonal;                /* n: of A */
  double *D;                       /* n: A_ii + d_i, positive */
  perp_incomplete incomplete;
  perp_stencil_incomplete grid;
  void *multigrid; /* of the hook */
} perp_preconditioner;

/* symmetric: decides the choice of auto. assembled: ic by rows on a stencil too. entries: all of A
 * by rows if gathered already, else NULL. Returns UNSUPPORTED, with the reason in the run's
 * message, if A lacks an ability that the kind needs. */
perp_error perp_preconditioner_open(perp_run *run, perp_linear_preconditioner kind, bool symmetric,
                                    bool assembled, const bool *in, const perp_gathered *entries,
                                    perp_preconditioner *M);
/* Sets M for F, given by `in` too. */
void perp_preconditioner_set(perp_preconditioner *M, int m, const int *F, const double *d);
/* z <- M^-1 r in F, 0 elsewhere; a perp_product. */
void perp_preconditioner_apply(void *M, const double *r, double *z);
