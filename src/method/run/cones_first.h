/* cones_first.h: the problem that methods solve: cones of three rows first, and contacts of other
 * sizes as normals with friction rows and discs */
#pragma once

#include "method/run/method.h"

/* The matrix of the last problem, which a solver keeps: it serves again while the numbers of A, the
 * order, the units and the parts of K are the same. All zero: none. */
typedef struct perp_ordered_copy {
  perp_arena arena;
  perp_operator *A;
  uint64_t values; /* of the caller's A */
  int n, cones;
  const int *row, *findex, *disc; /* n each; the last two may be NULL */
  const double *d;                /* n, or NULL */
} perp_ordered_copy;

void perp_ordered_copy_free(perp_ordered_copy *copy);

typedef struct perp_ordered {
  perp_problem problem;
  perp_options options; /* the caller's, whose observer sees x in the caller's order */
  double *x;            /* n: the start on entry, the answer on return */
  const int *row;       /* row k of this problem is row[k] of the caller's */
  const double *d;      /* n: x of the caller's is d x; NULL: 1 */
  perp_operator *A;     /* the problem's, destroyed by perp_ordered_end unless a copy keeps it */
  bool kept;
  bool same; /* a copy of the caller's stored rows, bit by bit: its verdict is the caller's too */
  const perp_options *callers;
  double *seen; /* n: for the observer */
} perp_ordered;

/* Memory comes from the arena; A from the heap, or from `copy`, unless that is NULL. `o` must not
 * move until perp_ordered_end. */
perp_error perp_ordered_begin(const perp_problem *p, const perp_options *options, const double *x,
                              perp_arena *arena, perp_ordered_copy *copy, perp_ordered *o,
                              perp_message *why);
/* to[row[k]] = from[k] d_k^power, power 1 for x and certificates, -1 for y */
void perp_ordered_return(const perp_ordered *o, const double *from, int power, double *to);
void perp_ordered_end(perp_ordered *o);
