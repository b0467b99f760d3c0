/* sparse_factor.h: factors of principal submatrices of one sparse symmetric matrix
 *
 *   A_SS + diag(d_S) = L D L^T,   for one index set S after another
 *
 * The order of elimination is found once, for all of A: the fill of A_SS under the order that S
 * inherits is part of the fill of A. CHOLMOD does the work if it is built in, otherwise a factor of
 * our own. */
#pragma once

#include "base/memory.h"

#include <stdbool.h>
#include <stdint.h>

/* Compressed rows of a symmetric matrix, both triangles, columns ascending. */
typedef struct perp_sparse {
  int n;
  const int64_t *start;
  const int *column;
  const double *value;
} perp_sparse;

typedef struct perp_sparse_factor perp_sparse_factor;

typedef enum perp_sparse_state {
  PERP_SPARSE_OK,
  PERP_SPARSE_INDEFINITE, /* a pivot is not positive, up to rounding */
  PERP_SPARSE_MEMORY,     /* out of memory, or more than the limit */
} perp_sparse_state;

/* Orders A. The arrays of A are the caller's and must outlive the factor, memory comes from the
 * arena: nothing else may be allocated there and kept while the factor lives. limit: bytes that L
 * may take, 0: any. NULL when out of memory. */
perp_sparse_factor *perp_sparse_analyse(const perp_sparse *A, perp_arena *arena, size_t limit);
/* The same with a back end of the caller's choice. */
struct perp_sparse_back;
perp_sparse_factor *perp_sparse_analyse_by(const struct perp_sparse_back *back,
                                           const perp_sparse *A, perp_arena *arena, size_t limit);
/* S ascending; d: A->n numbers, NULL: zero. Replaces the earlier factor. If d is unchanged and few
 * rows of S changed, they are exchanged in the factor if that is cheaper (CHOLMOD). */
perp_sparse_state perp_sparse_factorise(perp_sparse_factor *f, int m, const int *S,
                                        const double *d);
/* The numbers of A have changed: the next factor is computed from scratch. */
void perp_sparse_forget(perp_sparse_factor *f);
/* Between two uses that must not know of each other: the next set gets the factor, bit by bit, that
 * it would get as the first one. */
void perp_sparse_rest(perp_sparse_factor *f);
/* x <- (A_SS + diag(d_S))^-1 x, in the order of S. False when out of memory. */
bool perp_sparse_solve(perp_sparse_factor *f, double *x);
/* Rows exchanged in the factor by the last call to factorise; -1 if the factor was computed from
 * scratch. */
int perp_sparse_updates(const perp_sparse_factor *f);
/* Flops that a factor of all of A takes, by the analysis; 0: not known. */
double perp_sparse_flops(const perp_sparse_factor *f);
/* Numbers in L. */
int64_t perp_sparse_fill(const perp_sparse_factor *f);
/* Frees the memory that is not the arena's. f may be NULL. */
void perp_sparse_free(perp_sparse_factor *f);

/* Orders without CHOLMOD: order[k] is the k-th row to eliminate. Reverse Cuthill-McKee, for bands and
 * grids; queue and level: n ints each. */
void perp_sparse_order(const perp_sparse *A, int *order, int *queue, int *level);
/* Minimum degree, for all others; only the pattern of A is read. False when out of memory. */
bool perp_sparse_order_degree(const perp_sparse *A, int *order);

/* ---- Back ends: CHOLMOD, or a factor of our own ---- */

typedef struct perp_sparse_back {
  /* Fills f->order and f->flops; what it takes from the arena lives as long as f. False when out of
   * memory. */
  bool (*create)(perp_sparse_factor *f);
  /* Of f->rows, with the diagonal raised by f->d. */
  perp_sparse_state (*factorise)(perp_sparse_factor *f);
  /* x <- (A_SS + diag(d_S))^-1 x in the order of f->rows. False when out of memory. */
  bool (*solve)(perp_sparse_factor *f, double *x);
  void (*destroy)(perp_sparse_factor *f);
  /* The factor of the rows f->rows from that of the set before: `gone` and `come` list the rows in
   * which they differ. False if that does not pay or does not succeed: the factor is then lost.
   * NULL: the back end cannot do it. */
  bool (*update)(perp_sparse_factor *f, int gone_count, const int *gone, int come_count,
                 const int *come);
} perp_sparse_back;

extern const perp_sparse_back perp_sparse_own;
const perp_sparse_back *perp_sparse_cholmod(void); /* NULL: not available */

struct perp_sparse_factor {
  const perp_sparse_back *back;
  void *state; /* of the back end */
  perp_sparse A;
  perp_arena *arena;
  perp_arena_mark mark; /* the memory after it belongs to the present S */
  size_t limit;
  int *order; /* n: rows by elimination */
  int *place; /* n: position in the order of S, -1 outside */
  int m;
  int *rows;        /* n: S in the order of elimination */
  int *from;        /* n: position in S, as the caller lists it, of rows[k] */
  int *change;      /* n: rows that left and rows that joined */
  double *d;        /* n: what was added to the diagonal, in the rows of S */
  double *permuted; /* n */
  bool valid;       /* there is a factor of `rows` and `d` */
  bool same;        /* S is that of the call before */
  bool scratch;     /* the present factor was computed, not updated */
  bool resting;     /* since perp_sparse_rest */
  int updates;      /* rows exchanged to make the present factor, -1: computed from scratch */
  int64_t fill;
  double flops; /* of a factor of all of A, as far as the analysis tells; else 0 */
};
