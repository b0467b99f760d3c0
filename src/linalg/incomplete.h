/* incomplete.h: incomplete Cholesky factors of principal submatrices, without fill
 *
 *   A_FF + diag(d_F) ~ L L^T,   L_ij = 0 if A_ij = 0      (Meijerink, van der Vorst 1977)
 *
 * for one index set F after another of one sparse symmetric matrix. If a pivot is not positive, the
 * diagonal is raised and the factor computed again (Manteuffel 1980). */
#pragma once

#include "base/clock.h"

/* The lower triangle of A by rows, columns ascending, the diagonal entry last in each row. All
 * arrays are the caller's. */
typedef struct perp_incomplete {
  int n;
  const int64_t *start; /* n + 1 */
  const int *column;
  const double *value;
  const double *d;  /* n: added to the diagonal; NULL: none */
  double *L;        /* one per value: L_ij, on the diagonal 1 / L_ii */
  double *work;     /* n: zero between calls; the caller sets it once */
  const bool *in;   /* n: row i is in F */
  double shift;     /* relative shift of the diagonal that the last factor needed */
  perp_alarm alarm; /* if it rings, the factor fails */
} perp_incomplete;

/* F is given by f->in. Returns false if no shift up to the diagonal itself helps (some A_ii <= 0),
 * or if the alarm rang. */
bool perp_incomplete_factor(perp_incomplete *f);
/* z <- (L L^T)^-1 r in the rows of F, 0 elsewhere; z may be r. */
void perp_incomplete_solve(const perp_incomplete *f, const double *r, double *z);

/* ---- ILU(0), of any sparse matrix ----
 *
 *   A_FF + diag(d_F) ~ L U without fill               (Meijerink, van der Vorst 1977)
 *
 * If a pivot is too small, the diagonal is raised and the factor computed again. */

/* Compressed rows, columns ascending, with every diagonal entry. All arrays are the caller's. */
typedef struct perp_ilu {
  int n;
  const int64_t *start; /* n + 1 */
  const int *column;
  const double *value;
  const int64_t *diagonal; /* n: position of each diagonal entry */
  const bool *in;          /* n: row i is in F */
  double *LU;              /* one per value: L without its unit diagonal, 1 / U_ii, U */
  int64_t *place;          /* n: -1 between calls; the caller sets it once */
  double shift;            /* shift of the diagonal that the factor needed, relative to the row's
                            * sum */
  perp_alarm alarm;        /* if it rings, the factor fails */
} perp_ilu;

/* d: n numbers, NULL: none. Returns false if numbers are not finite, or if the alarm rang. */
bool perp_ilu_factor(perp_ilu *f, const double *d);
/* z <- (L U)^-1 r in the rows of F, 0 elsewhere; z may be r. */
void perp_ilu_solve(const perp_ilu *f, const double *r, double *z);
