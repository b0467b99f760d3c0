/* dense.h: factors of dense principal submatrices, for system.c
 *
 *   A_FF + diag(d_F) = L L^T if A is symmetric and the factor exists, L D L^T of complete pivoting
 *                      if it does not, L U if A is not symmetric
 *
 * with rows and columns brought to order one first. */
#pragma once

#include "linalg/dense.h"
#include "method/system/gather.h"

typedef struct perp_square {
  int n, m;
  bool symmetric;
  enum { PERP_SQUARE_NONE, PERP_SQUARE_CHOLESKY, PERP_SQUARE_LDLT, PERP_SQUARE_LU } kind;
  double *matrix;         /* m x m in use; the caller's */
  double *work;           /* 2 n, the caller's */
  int *pivots;            /* n */
  int *position;          /* n: place in F, -1 outside; for matrices read by rows */
  double *e;              /* n: of the LDL^T */
  double *rows, *columns; /* n each: what those of the matrix were multiplied by */
  perp_lu lu;
  perp_ldlt ldlt;
} perp_square;

/* All but `matrix` and `work`. */
perp_error perp_square_open(perp_square *s, perp_run *run);
/* Of A, if it is a dense operator, else of its entries. False if the matrix is singular: then only
 * the L D L^T solves as much as can be solved. definite: L L^T or nothing if A is symmetric. */
bool perp_square_factor(perp_square *s, const perp_operator *A, const perp_gathered *entries, int m,
                        const int *F, const double *d, bool definite);
/* c <- the solution, in the order of F. */
void perp_square_solve(perp_square *s, double *c);
