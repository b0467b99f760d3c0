/* sparse_lu.h: factors of principal submatrices of one sparse matrix, symmetric or not
 *
 *   P R (A_SS + diag(d_S)) Q = L U,   for one index set S after another
 *
 * by UMFPACK (Davis 2004), if it is built in. */
#ifndef PERP_LINALG_SPARSE_LU_H
#define PERP_LINALG_SPARSE_LU_H

#include "linalg/sparse_factor.h"

typedef struct perp_sparse_lu perp_sparse_lu;

/* Whether it is built in. Without it open returns NULL. */
bool perp_sparse_lu_available(void);
/* The arrays of A, compressed rows with ascending columns, are the caller's and must outlive the
 * factor; memory comes from the arena and from UMFPACK. NULL when out of memory. */
perp_sparse_lu *perp_sparse_lu_open(const perp_sparse *A, perp_arena *arena);
/* For callers that refine solutions themselves: solve then does not refine. */
void perp_sparse_lu_plain(perp_sparse_lu *f);
/* S ascending; d: A->n numbers, NULL: zero. If S is that of the call before, its analysis is kept.
 * False if the matrix is singular up to rounding, if memory runs out, or if the analysis predicts
 * more than `most` flops. */
bool perp_sparse_lu_factor(perp_sparse_lu *f, int m, const int *S, const double *d, double most);
/* x <- (A_SS + diag(d_S))^-1 x, in the order of S. False when out of memory. */
bool perp_sparse_lu_solve(perp_sparse_lu *f, double *x);
/* Flops of the last factor, by its analysis, or of an analysis that would have taken too long. */
double perp_sparse_lu_flops(const perp_sparse_lu *f);
/* Frees the memory that is not the arena's. f may be NULL. */
void perp_sparse_lu_free(perp_sparse_lu *f);

#endif
