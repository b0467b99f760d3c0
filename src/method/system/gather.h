/* gather.h: the entries of A by rows, in the run's arena, and what several methods ask of A */
#pragma once

#include "linalg/sparse_factor.h"
#include "method/run/method.h"

typedef struct perp_gathered {
  int n;
  int64_t *start; /* n + 1 */
  int *column;    /* ascending in each row; NULL: more than the memory limit, or time is over */
  double *value;
  int64_t *diagonal; /* n: position of each diagonal entry, a zero one if A has none */
} perp_gathered;

/* lower: nothing above the diagonal, whose entry is then the last of each row. A has rows. */
perp_error perp_gather(perp_run *run, bool lower, perp_gathered *g);
/* The values of A now, if it has entries where g has them, which was gathered whole; else false,
 * and g is as it was. */
bool perp_gather_again(perp_run *run, perp_gathered *g);
/* Up to rounding; the transposed of each entry is found by a cursor in its row. cursor: n. */
bool perp_gathered_is_symmetric(const perp_gathered *g, int64_t *cursor);

/* d <- the diagonal of A; an error that names the row if an entry is not positive and finite. */
perp_error perp_run_diagonal(perp_run *run, double *d);
/* Returns true if A has a diagonal that sweeps can divide by, positive and finite. d: n numbers of
 * scratch. */
bool perp_has_positive_diagonal(const perp_operator *A, double *d);
/* Of a dense matrix, up to rounding; if time is over no matter what. */
bool perp_dense_is_symmetric(perp_run *run, int n, const double *a, int64_t ld);
/* As perp_operator_try_symmetry. u, v, t: n numbers of scratch. */
bool perp_product_is_symmetric(perp_run *run, double *u, double *v, double *t);

/* Whether so many bytes may be taken for a matrix. */
bool perp_run_allows(const perp_run *run, double bytes);

/* The largest eigenvalue of D^-1 A in magnitude, from below, by `steps` power iterations from a
 * random start: lambda ~ |z|_D / |w|_D with z = D^-1 A w. w, z are n doubles of scratch. 1 if A is
 * 0. */
double perp_largest_eigenvalue(perp_run *run, const double *D, int steps, double *w, double *z);
/* x <- the projection of x onto K, or that of 0 if x is not solved and 0 has a smaller natural
 * residual; y <- A x + b. Returns the residual. other: 2 n numbers of scratch. One product with A,
 * two if 0 is not in K. */
double perp_start_choose(perp_run *run, double *x, double *y, double *other);

/* A factor of A to be, in the run's arena and within its memory limit; the log hears of it if CHOLMOD
 * is missing. NULL: no memory. */
perp_sparse_factor *perp_run_analyse(perp_run *run, const perp_sparse *A);
