/* incomplete.h: incomplete factors of principal submatrices of one sparse matrix, without fill
 *
 *   A_FF + diag(d_F) ~ L U,   L_ij = U_ij = 0 if A_ij = 0      (Meijerink, van der Vorst 1977)
 *
 * for one index set F after another. If A is symmetric this is L D L^T. If a pivot is too small, the
 * diagonal is raised and the factor computed again (Manteuffel 1980). */
#pragma once

#include "base/clock.h"

/* Compressed rows, columns ascending, with every diagonal entry. All arrays are the caller's. */
typedef struct perp_incomplete {
  int n;
  const int64_t *start; /* n + 1 */
  const int *column;
  const double *value;
  const int64_t *diagonal; /* n: position of each diagonal entry */
  const bool *in;          /* n: row i is in F */
  bool positive;           /* A is symmetric, and so are to be the pivots: positive */
  double *LU;              /* one per value: L without its unit diagonal, 1 / U_ii, U */
  int64_t *place;          /* n: -1 between calls; the caller sets it once */
  double shift;            /* of the diagonal that the factor needed, relative to it if `positive`,
                            * else to the row's sum */
  perp_alarm alarm;        /* if it rings, the factor fails */
} perp_incomplete;

/* d: n numbers, NULL: none. Returns false if no shift helps, if numbers are not finite, or if the
 * alarm rang. */
bool perp_incomplete_factor(perp_incomplete *f, const double *d);
/* z <- (L U)^-1 r in the rows of F, 0 elsewhere; z may be r. */
void perp_incomplete_solve(const perp_incomplete *f, const double *r, double *z);
