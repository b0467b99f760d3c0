/* problem/entries.h: what one pass over the entries of A tells */
#pragma once

#include <perp/problem.h>

typedef struct perp_entries {
  bool seen;        /* every row was read; else only the diagonal is known, where it is finite */
  double asymmetry; /* max |A_ij - A_ji| / max |A_ij|; NaN: unknown */
  double diagonal_min, diagonal_max; /* NaN: unknown */
  int diagonal_zeros, diagonal_negatives;
  bool z_matrix;
  /* Of the symmetric part, as far as diagonal dominance and the way A is made tell. POSITIVE is
   * proven, SEMI holds up to rounding, NOT follows from a negative diagonal entry. */
  perp_definite definite;
} perp_entries;

/* By rows where A has them, else by n applications where n is at most 2000. PERP_ERROR_PROBLEM
 * where an entry is not finite. */
perp_error perp_entries_read(const perp_operator *A, perp_entries *entries, perp_message *why);

/* max |A_ij - A_ji| of a dense or csr operator, and where that is above 0 max |A_ij|, else 0; cursor:
 * n numbers of workspace. False for other kinds. */
bool perp_entries_difference(const perp_operator *A, int64_t *cursor, double *difference,
                             double *greatest);

/* What one pass over compressed rows tells, while other work waits for it. */
typedef struct perp_glance {
  double difference;                 /* max |A_ij - A_ji| */
  double greatest;                   /* max |A_ij| where that is above 0, else 0 */
  double diagonal_min, diagonal_max; /* infinity and 0 where n = 0 */
  int64_t positive;                  /* entries above 0 */
} perp_glance;

/* cursor: n numbers of workspace. False where A is not in compressed rows. */
bool perp_entries_glance(const perp_operator *A, int64_t *cursor, perp_glance *glance);

/* Whether the symmetric n x n matrix A (row major, no padding, lower triangle read and overwritten)
 * is positive definite, proven: Cholesky of A - c I succeeds, with c above what rounding can make
 * of the factorisation, and `uncertainty` the greatest error of an entry of A (Rump 2006). */
bool perp_proves_positive(int n, double *A, double uncertainty);
