/* orthogonal.h: the pseudo-inverse of a dense square matrix of any rank
 *
 *   B P = Q [T^T Z^T; 0],   Q, Z orthogonal, T upper triangular of the size of the rank
 *   B^+ = P Z [T^-T 0; 0 0] Q^T
 *
 * the complete orthogonal decomposition (Golub, Van Loan 2013, section 5.4): B^+ r is the
 * least-norm minimiser of |B x - r|. */
#pragma once

#include <stdint.h>

typedef struct perp_orthogonal {
  int m, rank;
  double *Q;      /* m x m, the caller's: column k at Q + k m has the reflection k from row k on */
  double *Z;      /* the same for Z, the first `rank` columns; T from the front of each column */
  double *scale;  /* 2 m, the caller's: of the reflections of Q and of Z */
  double *corner; /* 2 m, the caller's: diagonals of R and of T */
  int *order;     /* m, the caller's: column k of B P is column order[k] of B */
} perp_orthogonal;

/* Factors B, row major. The rank ends at the first column whose remainder is not above tol times
 * the longest column. The caller sets all arrays of f. */
void perp_orthogonal_factor(perp_orthogonal *f, int m, const double *B, double tol);
/* x <- B^+ x, and x <- (B^T)^+ x; work: m numbers. */
void perp_orthogonal_solve(const perp_orthogonal *f, double *x, double *work);
void perp_orthogonal_solve_t(const perp_orthogonal *f, double *x, double *work);
