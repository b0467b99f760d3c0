/* aggregation.h: an algebraic hierarchy over a sparse matrix
 *
 * Unknowns are matched along their strongest couplings, twice: aggregates of about four, found once
 * from all of A. The coarse matrix of a set F sums the entries of A_FF over pairs of aggregates;
 * the coarse entry to which each entry is added is stored, so a new F costs one pass over the
 * entries and no search (unsmoothed aggregation: Braess 1995; pairs: Notay 2010).
 *
 * Piecewise constants are too stiff by a factor of about two per level, and a V-cycle would lose
 * this factor on every level. So each coarse system is solved by two cycles, with the lengths of
 * Chebyshev's iteration for the spectrum [LEAST, 1] of the cycle below (AMLI; Axelsson and
 * Vassilevski 1989). That is a fixed symmetric positive definite operator, good for conjugate
 * gradients.
 *
 * Cost of a cycle: four passes over the entries on the first level, twice that in all. Memory: 4
 * bytes per entry of A, and a third of A for the coarse matrices. */
#pragma once

#include "method/multilevel/grid/grid.h"

enum { PERP_AGGREGATION_LEVELS = 40 };

typedef struct perp_aggregated {
  int n;
  const int64_t *start;
  const int *column;
  const double *value;   /* A on level 0 */
  double *sums;          /* value, on the others */
  const double *d;       /* added to the diagonal of the first level, NULL: none */
  const int64_t *centre; /* positions of the diagonal entries, -1: none */
  const bool *in;        /* the rows of F on the first level; NULL on the others */
  int *parent;           /* aggregate on the next level */
  int *place;            /* of each entry among the entries of the next level */
  double *gain;          /* 1 / diagonal, 0 if the row is not in F */
  double *x, *f, *r;
} perp_aggregated;

typedef struct perp_aggregation {
  int count;
  perp_aggregated level[PERP_AGGREGATION_LEVELS];
} perp_aggregation;

/* Opens the run's matrix: uses its own arrays if it is csr, otherwise a copy of its rows. The
 * message names `method` if the memory limit does not allow that. If time runs out, there are fewer
 * levels, or none. */
perp_error perp_aggregation_open(perp_run *run, const char *method, perp_aggregation *a);
/* Sets F by its rows on level `first`, and the addition to the diagonal; the caller keeps both.
 * Recomputes the sums below. */
void perp_aggregation_set(perp_aggregation *a, int first, const bool *in, const double *d);
/* z <- M^-1 r on level `first`, zero outside F. */
void perp_aggregation_apply(perp_aggregation *a, int first, const double *r, double *z);

/* ---- mg without a grid: algebraic.c ---- */

/* The method mg on a csr matrix, with `pre` sweeps of A itself before each correction. nested: a
 * nested start replaces x = 0. */
perp_error perp_algebraic_solve(perp_run *run, int pre, bool nested, double *x);
