/* active.h: a Cholesky factor of A_CC that follows the index set C, for active-set methods
 *
 * A is symmetric positive semi-definite, C a set of linearly independent rows, in the order in
 * which they were added:
 *
 *   A_CC = L L^T
 *
 * A row is added in two steps. perp_active_reach(j) computes
 *
 *   l = L^-1 A_Cj,   s = A_jj - l^T l   (the Schur complement),
 *
 * and perp_active_append puts (l, sqrt(s)) under the factor, at no further cost. s = 0 means that
 * row j depends on the rows of C; with rounding the test is s <= perp_active_noise. Adding a row
 * costs k^2 flops, removing the one at position p costs 6 (k-p)^2.
 *
 * L keeps leading zeros of A: a row of L begins at the column where the row of A_CC begins (George
 * and Liu 1981), and earlier columns are skipped. If rows come in the order of a band, L has that
 * band. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct perp_active {
  int n;
  const double *A; /* n x n, the caller's, both triangles */
  int64_t lda;
  int count;  /* k = |C| */
  int *index; /* C: n, of which count are in use */
  int *place; /* n: the position of row i in C, -1 outside */
  int *first; /* n: row k of L is 0 before this column, and so is its memory */
  double *L;  /* count rows, and the row below them for the next row */
  int64_t ld;
  double *inverse;  /* 1 / L_ii */
  double *work;     /* 4 n */
  double schur;     /* of the last row of perp_active_reach */
  int begin;        /* its l, below the factor, is 0 before this column */
  int reached;      /* that row, -1 if the set has changed since */
  int64_t changes;  /* rows appended and deleted since the factor was built */
  int64_t *version; /* if not NULL: incremented with every change of C or the factor */
} perp_active;

/* Number of doubles and ints for perp_active_init. */
int64_t perp_active_reals(int n);
int64_t perp_active_integers(int n);
/* C = {}. The memory is the caller's and must outlive the factor. */
void perp_active_init(perp_active *f, int n, const double *A, int64_t lda, double *reals,
                      int *integers);
void perp_active_clear(perp_active *f);

/* Returns s for row j outside C; l is in the row under the factor. */
double perp_active_reach(perp_active *f, int j);
/* d <- -A_CC^-1 A_Cj of the row just reached, in the order of C: then A_Cj + A_CC d = 0. */
void perp_active_direction(const perp_active *f, double *d);
/* Returns the size of rounding errors in s, for the current direction d: a change of A by epsilon
 * changes s = A_jj + A_jC d by at most epsilon (|d_j| r_j + sum |d_c| r_c)^2, r_i^2 = A_ii; errors
 * of random signs give the sum of squares. */
double perp_active_noise(const perp_active *f, int j, const double *d);
/* Returns true if s of the row just reached is above its noise. d: n doubles of scratch,
 * overwritten. */
bool perp_active_independent(const perp_active *f, double *d);
/* Adds the row just reached: s must be positive. */
void perp_active_append(perp_active *f);
/* Removes the row at position p; the rows behind it move up. */
void perp_active_delete(perp_active *f, int p);
/* r <- A_CC^-1 r, in the order of C. */
void perp_active_solve(const perp_active *f, double *r);
/* Adds rows outside C, in order, except rows that depend on earlier ones. Returns the number added.
 * d: n doubles of scratch. */
int perp_active_extend(perp_active *f, int count, const int *rows, double *d);
/* Sets C to the first of these rows with a new factor, computed in blocks: all before a pivot that is
 * at most 1e-13 of its diagonal entry. Returns their number. */
int perp_active_build(perp_active *f, int count, const int *rows);
