/* sparse_back.h: the back ends of sparse_factor.h: CHOLMOD, or a factor of our own */
#pragma once

#include "linalg/sparse_factor.h"

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
