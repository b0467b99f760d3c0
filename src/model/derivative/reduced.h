/* reduced.h: the linear system of the unknowns, B = W^T A Z + D (laws.h), and its transpose
 *
 *   dense     LU with one step of refinement; singular: LSQR
 *   sparse    Cholesky if B is symmetric and definite, else LU by UMFPACK
 *   products  GMRES; if it does not converge, LSQR
 *   lent      the solver's last factor, if B = A_FF and F are its rows (run/factor_cache.h), with one
 *             step of refinement; an own factor replaces it once the residual is not small
 *
 * LSQR gives the least-norm solution. If a sparse B has no factor, it is treated as dense, or by
 * products with its rows if it is large. */
#pragma once

#include "io/mtx.h"
#include "linalg/dense.h"
#include "linalg/sparse_factor.h"
#include "method/run/factor_cache.h"
#include "model/derivative/laws.h"
#include "operator/operator.h"

typedef struct perp_reduced {
  const perp_operator *A;
  const perp_laws *laws;
  perp_derivative_way way;
  double krylov_tol;
  int64_t krylov_limit;
  int m, rank;          /* rank -1: unknown */
  perp_arena memory;    /* all arrays */
  perp_arena of_factor; /* for the sparse factor, which needs a separate arena */

  double *B;        /* dense, m x m; NULL: none */
  perp_lu lu;       /* of it */
  bool singular;    /* it is, so lu is not used */
  perp_mtx entries; /* of a sparse B */
  perp_sparse rows; /* the same; start NULL: none */
  perp_sparse_factor *cholesky;
  const perp_sparse_lu_table *umfpack;
  perp_sparse_lu *sparse;
  perp_shared_factor *shared; /* replaces all these; NULL: none */
  int *place;                 /* m: position of unknown k in it */
  double *diagonal;           /* of B, for preconditioning; NULL: none */
  double *u, *v;              /* n each */
  double *r, *s, *t;          /* m each */
  double *scratch;            /* of products with A */
  int *index;                 /* a row of A */
  double *value;
  double *work; /* of GMRES and LSQR */
  int restart;
  bool transposed; /* GMRES and LSQR solve with B^T */
} perp_reduced;

/* Close it whatever is returned. shared: may be NULL; closing s returns it, or an earlier call
 * does. */
perp_error perp_reduced_open(const perp_operator *A, const perp_laws *laws,
                             const perp_derivative_options *options, perp_shared_factor *shared,
                             perp_reduced *s, perp_message *why);
void perp_reduced_close(perp_reduced *s);
/* q <- B^-1 q, or B^-T q; *error: |B q - r| / |r|. */
perp_error perp_reduced_solve(perp_reduced *s, bool transposed, double *q, double *error,
                              perp_message *why);
/* y <- A^T x, by rows if A has no transposed product. */
perp_error perp_reduced_transposed_product(perp_reduced *s, const double *x, double *y,
                                           perp_message *why);
