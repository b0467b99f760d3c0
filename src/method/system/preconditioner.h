/* preconditioner.h: M ~ A_FF + diag(d_F) for the Krylov solvers of linear.h
 *
 * What is to be symmetric positive definite if A is symmetric is so whatever A is: a diagonal
 * entry that is not positive counts by its magnitude, and one that is zero as 1. */
#pragma once

#include "linalg/incomplete.h"
#include "method/system/gather.h"
#include "method/system/linear.h"
#include "operator/stencil/stencil.h"

typedef struct perp_preconditioner {
  perp_run *run;
  perp_linear_preconditioner kind; /* never auto */
  bool symmetric;                  /* A is */
  bool stencil;                    /* ic without a matrix */
  bool failed;                     /* the factor of this F could not be had: the diagonal is used */
  const bool *in;                  /* n: whether row i is in F, the caller's */
  double *diagonal;                /* n: of A */
  double *D;                       /* n: A_ii + d_i, positive */
  perp_incomplete incomplete;
  perp_ilu ilu;
  perp_stencil_incomplete grid;
  int blocks;        /* of consecutive rows */
  int *block_start;  /* blocks + 1 */
  int64_t *block_at; /* blocks + 1: where the entries of each begin */
  double *entries;   /* of A */
  double *factors;   /* LU, of the part in F; the identity outside */
  int *swap;         /* n */
  bool *block_sound; /* the factor can be solved with */
  void *multigrid;   /* of the hook */
} perp_preconditioner;

/* symmetric: what auto chooses by. assembled: ic by rows on a stencil too. entries: all of A by rows if they were gathered already, else
 * NULL. UNSUPPORTED, said in the run's message, if A cannot do what is wished for. */
perp_error perp_preconditioner_open(perp_run *run, perp_linear_preconditioner kind, bool symmetric,
                                    bool assembled, const bool *in, const perp_gathered *entries,
                                    perp_preconditioner *M);
/* F as `in` says. */
void perp_preconditioner_set(perp_preconditioner *M, int m, const int *F, const double *d);
/* z <- M^-1 r in F, 0 elsewhere; a perp_product. */
void perp_preconditioner_apply(void *M, const double *r, double *z);
