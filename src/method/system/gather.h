/* gather.h: the entries of A by rows, in the run's arena, and properties of A that several methods
 * need */
#pragma once

#include "linalg/sparse_factor.h"
#include "method/run/method.h"

typedef struct perp_gathered {
  int n;
  int64_t *start; /* n + 1 */
  int *column;    /* ascending in each row; NULL: over the memory limit, or out of time */
  double *value;
  int64_t *diagonal; /* n: position of each diagonal entry, a zero one if A has none */
} perp_gathered;

/* A must have rows. */
perp_error perp_gather(perp_run *run, perp_gathered *g);
/* Reads the current values of A if its sparsity pattern is that of g; otherwise
 * returns false and leaves g unchanged. */
bool perp_gather_again(perp_run *run, perp_gathered *g);

/* d <- the diagonal of A. Returns an error that names the row if an entry is not positive and
 * finite. */
perp_error perp_run_diagonal(perp_run *run, double *d);
/* Returns true if A has a diagonal that sweeps can divide by, positive and finite. d: n numbers of
 * scratch. */
bool perp_has_positive_diagonal(const perp_operator *A, double *d);
/* Returns true if A is symmetric up to rounding, by products with two random vectors
 * (perp_operator_try_symmetry). u, v, t: n numbers of scratch. */
bool perp_product_is_symmetric(perp_run *run, double *u, double *v, double *t);

/* Returns true if a matrix of that many bytes is within the memory limit. */
bool perp_run_allows(const perp_run *run, double bytes);

/* Returns a lower bound of the largest eigenvalue of D^-1 A in magnitude, by `steps` power
 * iterations from a random start: lambda ~ |z|_D / |w|_D with z = D^-1 A w. w, z are n doubles of
 * scratch. 1 if A is 0. */
double perp_largest_eigenvalue(perp_run *run, const double *D, int steps, double *w, double *z);
/* x <- the projection of x onto K, or of 0 if x is not a solution and 0 has a smaller natural
 * residual; y <- A x + b. Returns the residual. other: 2 n numbers of scratch. One product with A,
 * two if 0 is not in K. */
double perp_start_choose(perp_run *run, double *x, double *y, double *other);

/* Analyses a factor of A in the run's arena, within its memory limit; logs a warning if CHOLMOD is
 * missing. Returns NULL if out of memory. */
perp_sparse_factor *perp_run_analyse(perp_run *run, const perp_sparse *A);
