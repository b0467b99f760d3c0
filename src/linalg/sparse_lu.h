/* sparse_lu.h: factors of principal submatrices of one sparse matrix, symmetric or not
 *
 *   P R (A_SS + diag(d_S)) Q = L U,   for one index set S after another
 *
 * by UMFPACK (Davis 2004), if it is built in. */
#pragma once

#include "linalg/sparse_factor.h"

typedef struct perp_sparse_lu perp_sparse_lu;

typedef struct perp_sparse_lu_table {
  /* The arrays of A, compressed rows with ascending columns, are the caller's and must outlive the
   * factor; memory comes from the arena and from UMFPACK. refined: solve refines its solutions;
   * else the caller does. Returns NULL when out of memory. */
  perp_sparse_lu *(*open)(const perp_sparse *A, bool refined, perp_arena *arena);
  /* S ascending; d: A->n numbers, NULL: zero. Keeps the analysis if S is unchanged. Returns false
   * if the matrix is singular up to rounding, if memory runs out, or if the analysis predicts more
   * than `most` flops. *flops: of the factor, by its analysis, or of an analysis that would have
   * taken too long. */
  bool (*factor)(perp_sparse_lu *f, int m, const int *S, const double *d, double most,
                 double *flops);
  /* x <- (A_SS + diag(d_S))^-1 x, in the order of S. Returns false when out of memory. */
  bool (*solve)(perp_sparse_lu *f, double *x);
  /* `solve` with the transposed matrix. */
  bool (*solve_t)(perp_sparse_lu *f, double *x);
  /* Frees the memory outside the arena; the next factor is computed from scratch. */
  void (*forget)(perp_sparse_lu *f);
} perp_sparse_lu_table;

const perp_sparse_lu_table *perp_sparse_umfpack(void); /* NULL: not available */
