/* sparse_factor.h: factors of principal submatrices of one sparse symmetric matrix
 *
 *   A_SS + diag(d_S) = L D L^T,   for one index set S after another
 *
 * The order of elimination is found once, for all of A: the fill of A_SS under the order that S
 * inherits is part of the fill of A. CHOLMOD makes the factors if it is built in, otherwise
 * sparse_ldlt.c. */
#pragma once

#include "base/memory.h"
#include "linalg/vector.h"

#include <stdbool.h>
#include <stdint.h>

/* Compressed rows of a symmetric matrix, both triangles, columns ascending. */
typedef struct perp_sparse {
  int n;
  const int64_t *start;
  const int *column;
  const double *value;
} perp_sparse;

/* y <- y + A x and y <- y + A^T x for compressed rows; the second reads no rows with x_i = 0. */
static inline void perp_csr_add(int rows, const int64_t *start, const int *column,
                                const double *value, const double *x, double *y)
{
  for (int i = 0; i < rows; i++)
    y[i] = perp_add_row(y[i], start[i], start[i + 1], value, column, x);
}

static inline void perp_csr_add_t(int rows, const int64_t *start, const int *column,
                                  const double *value, const double *x, double *y)
{
  for (int i = 0; i < rows; i++)
    for (int64_t e = start[i]; e < start[i + 1] && x[i] != 0; e++)
      y[column[e]] += value[e] * x[i];
}

typedef struct perp_sparse_factor perp_sparse_factor;

typedef enum perp_sparse_state {
  PERP_SPARSE_OK,
  PERP_SPARSE_INDEFINITE, /* a pivot is not positive, up to rounding */
  PERP_SPARSE_MEMORY,     /* out of memory, or more than the limit */
} perp_sparse_state;

/* Orders A. The caller owns the arrays of A, which must outlive the factor. Memory comes from the
 * arena: allocate nothing else there to keep while the factor lives. limit: largest number of bytes
 * of L, 0: any. Returns NULL when out of memory. */
perp_sparse_factor *perp_sparse_analyse(const perp_sparse *A, perp_arena *arena, size_t limit);
/* perp_sparse_analyse with a back end of the caller's choice. */
struct perp_sparse_back;
perp_sparse_factor *perp_sparse_analyse_by(const struct perp_sparse_back *back,
                                           const perp_sparse *A, perp_arena *arena, size_t limit);
/* S ascending; d: A->n numbers, NULL: zero. Replaces the earlier factor, unless S and d are
 * unchanged. */
perp_sparse_state perp_sparse_factorise(perp_sparse_factor *f, int m, const int *S,
                                        const double *d);
/* Call when the numbers of A have changed: the next factor is computed from scratch. */
void perp_sparse_forget(perp_sparse_factor *f);
/* x <- (A_SS + diag(d_S))^-1 x, in the order of S. Returns false when out of memory. */
bool perp_sparse_solve(perp_sparse_factor *f, double *x);
/* Frees the memory that is not the arena's. f may be NULL. */
void perp_sparse_free(perp_sparse_factor *f);

/* An order without CHOLMOD: order[k] is the k-th row to eliminate. Minimum degree; reads only the
 * pattern of A, in which columns may come in any order. Scratch memory comes from the arena. Returns
 * false when out of memory. */
bool perp_sparse_order_degree(const perp_sparse *A, perp_arena *arena, int *order);

/* Nested dissection by CHOLMOD and METIS: short paths in the elimination tree. Returns false if it is
 * not available. */
bool perp_sparse_order_dissection(const perp_sparse *A, perp_arena *arena, int *order);

/* ---- Back ends: CHOLMOD, or the built-in factor ---- */

typedef struct perp_sparse_back {
  /* Sets f->order and f->flops; its arena memory lives as long as f. Returns false when out of
   * memory. */
  bool (*create)(perp_sparse_factor *f);
  /* Factors f->rows, with f->d added to the diagonal. */
  perp_sparse_state (*factorise)(perp_sparse_factor *f);
  /* x <- (A_SS + diag(d_S))^-1 x in the order of f->rows. Returns false when out of memory. */
  bool (*solve)(perp_sparse_factor *f, double *x);
  void (*destroy)(perp_sparse_factor *f);
} perp_sparse_back;

extern const perp_sparse_back perp_sparse_own;
const perp_sparse_back *perp_sparse_cholmod(void); /* NULL: not available */

struct perp_sparse_factor {
  const perp_sparse_back *back;
  void *state; /* of the back end */
  perp_sparse A;
  perp_arena *arena;
  perp_arena_mark mark; /* later memory belongs to the current S */
  size_t limit;
  int *order; /* n: rows by elimination */
  int *place; /* n: position in the order of S, -1 outside */
  int m;
  int *rows;        /* n: S in the order of elimination */
  int *from;        /* n: position of rows[k] in the caller's S */
  double *d;        /* n: added to the diagonal, in the rows of S */
  double *permuted; /* n */
  bool valid;       /* there is a factor of `rows` and `d` */
  bool anew;        /* the last call to factorise computed a factor */
  int64_t fill;     /* entries of L */
  double flops;     /* of a factor of all of A by the analysis; else 0 */
};

/* ---- Factors of principal submatrices of a matrix, symmetric or not (sparse_lu.c) ----
 *
 *   P R (A_SS + diag(d_S)) Q = L U,   for one index set S after another
 *
 * by UMFPACK (Davis 2004), if it is built in. */

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

/* ---- Scaling by powers of two, which round nothing ---- */

/* D <- n + m factors for which the largest entry of every row of D K D, K = (P G^T; G 0), is about 1: each
 * pass divides row and column k by the root of the largest entry of row k (Ruiz 2001). P has n rows, or
 * is NULL: 0; G has G->n = m rows. norm: n + m numbers. */
void perp_ruiz(int n, const perp_sparse *P, const perp_sparse *G, double *D, double *norm);
