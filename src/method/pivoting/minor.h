/* minor.h: the factor of a principal submatrix A_FF + diag(d_F) that follows its index set F
 *
 * Symmetric A: Cholesky, A_FF + d_F = L L^T; adding a row costs k^2 flops, removing one 2 k^2
 * (k = |F|). Else: the inverse, by bordering, 6 k^2 flops in and 2 k^2 out; or, after
 * perp_minor_factor, an LU factor that is not updated. murty and blockpivot share it. */
#pragma once

#include "linalg/dense.h"
#include "method/run/factor_cache.h"

struct perp_minor_kept;

typedef struct perp_minor {
  perp_run *run;
  const perp_operator *A;
  const double *entries; /* of a dense operator, row major; NULL for other kinds */
  int64_t stride;
  int n;
  bool symmetric;
  double *diagonal; /* n: A_ii */
  double *shift;    /* n: d, zeros at the start; change it only while F is empty */

  int count;  /* k */
  int *index; /* F in the order of the factor */
  int *place; /* n: position in F, -1 outside */
  int room;   /* rows that `factor` has space for */
  int64_t ld;
  double *factor; /* L, the inverse, or LU */
  bool is_lu;
  perp_lu lu;
  int *swap;      /* n, for LU of unsymmetric matrices */
  double *a, *c;  /* n + 1: row and column of the next row, in the order of F; scratch */
  double *v;      /* n: -(A_FF + d_F)^-1 A_Fj of the last row of perp_minor_reach */
  double *work;   /* 3 n */
  int *row_index; /* row_capacity: one row of A */
  double *row_value;
  struct perp_minor_kept *kept; /* of a dense A: has `factor` and `swap` */
} perp_minor;

/* F = {}. Memory from the run's arena; returns PERP_ERROR_MEMORY, with the reason, beyond the limit
 * of the options (1 GiB if they set none). The factor that perp_minor_factor makes of a dense A with
 * d = 0 is kept for a later solve with the same rows, unless it has changed since. */
perp_error perp_minor_create(perp_minor *f, perp_run *run);
void perp_minor_close(perp_minor *f);
void perp_minor_clear(perp_minor *f);

/* Computes v and the pivot s = A_jj + d_j - A_jF (A_FF + d_F)^-1 A_Fj of a row outside F. *noise
 * bounds the rounding error of s. Returns PERP_ERROR_MEMORY if F cannot grow. */
perp_error perp_minor_reach(perp_minor *f, int j, double *pivot, double *noise);
/* Adds the row just reached; its pivot must be positive. */
void perp_minor_append(perp_minor *f, int j, double pivot);
void perp_minor_delete(perp_minor *f, int i);
/* Sets F to the `count` indices of the list and factors. *failed: the first row whose pivot is zero
 * up to rounding or negative, and F is then empty; -1: none. */
perp_error perp_minor_factor(perp_minor *f, int count, const int *list, int *failed);
/* r <- (A_FF + d_F)^-1 r, in the order of F. */
void perp_minor_solve(const perp_minor *f, double *r);
/* column <- A_Fj in the order of F. */
void perp_minor_column(const perp_minor *f, int j, double *column);
