/* sparse_ldlt.h: L D L^T of a sparse symmetric matrix in a given order of elimination
 *
 * For sparse_factor.c, and for quadratic programs, in which only the diagonal changes. */
#pragma once

#include "base/clock.h"
#include "linalg/sparse_factor.h"

/* Rows are in the order of elimination. All arrays come from the arena of the call that allocates
 * them. */
typedef struct perp_sparse_ldlt {
  int n;
  int head;       /* columns before the dense tail; n: no tail */
  int64_t *start; /* entries of row k left of the diagonal */
  int *index;
  double *value;
  int *parent;      /* elimination tree */
  int64_t *L_start; /* columns of L below the diagonal */
  int *L_index;
  int64_t *row_start; /* rows of L before the tail, each in an order of elimination */
  int *row;
  double *L_value;
  double *D;
  int64_t *next; /* after the analysis, the entries of each column of L; then scratch */
  int *mark, *path, *pattern;
  double *z;
  double *S; /* tail x tail: S, then L of the tail below its diagonal */
  double *Z; /* a block of rows x tail: scratch */
} perp_sparse_ldlt;

/* Loads the n rows `rows` of A, rows[k] at place[rows[k]] = k; place < 0: the column is left out.
 * Adds its diagonal to `diagonal`, n numbers, unless that is NULL. Returns false when out of
 * memory. */
bool perp_sparse_ldlt_load(perp_sparse_ldlt *f, const perp_sparse *A, int n, const int *rows,
                           const int *place, double *diagonal, perp_arena *arena);
/* Loads the numbers again; the pattern is that of the last load. Replaces `diagonal`. */
void perp_sparse_ldlt_reload(perp_sparse_ldlt *f, const perp_sparse *A, const int *rows,
                             const int *place, double *diagonal);
/* Finds the tree and the columns of L, and a nearly full tail if `tail`. Returns the entries of the
 * columns before the tail; it ends early, without them, if L has more than `most` entries. */
int64_t perp_sparse_ldlt_analyse(perp_sparse_ldlt *f, bool tail, int64_t most);
/* Allocates L. Returns false when out of memory. */
bool perp_sparse_ldlt_take(perp_sparse_ldlt *f, int64_t fill, perp_arena *arena);
/* The rule for pivots: row k has this diagonal entry, which may be infinite, and this pivot, which
 * the rule may replace. Returning false ends the factor. */
typedef bool (*perp_pivot_rule)(void *context, int k, double diagonal, double *pivot);
/* Returns false if the rule or the alarm, which may be NULL, ended it. */
bool perp_sparse_ldlt_factorise(perp_sparse_ldlt *f, const double *diagonal, perp_pivot_rule rule,
                                void *context, const perp_alarm *alarm);
/* x <- (L D L^T)^-1 x */
void perp_sparse_ldlt_solve(const perp_sparse_ldlt *f, double *x);
/* Computes x with x^T A x = D_at. */
void perp_sparse_ldlt_direction(const perp_sparse_ldlt *f, int at, double *x);
