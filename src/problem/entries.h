/* problem/entries.h: properties of A found in one pass over its entries */
#pragma once

#include <perp/problem.h>

typedef struct perp_entries {
  bool seen;        /* every row was read; else only the diagonal is known, if it is finite */
  double asymmetry; /* max |A_ij - A_ji| / max |A_ij|; NaN: unknown */
  double diagonal_min, diagonal_max; /* NaN: unknown */
  int diagonal_zeros, diagonal_negatives;
  bool z_matrix;
  /* Sign of the symmetric part, from diagonal dominance and from the structure of A. POSITIVE is
   * proven, SEMI holds up to rounding, NOT follows from a negative diagonal entry. */
  perp_definite definite;
} perp_entries;

/* Reads A by rows if it has them, else by n products if n <= 2000. Returns PERP_ERROR_PROBLEM if an
 * entry is not finite. */
perp_error perp_entries_read(const perp_operator *A, perp_entries *entries, perp_message *why);

/* Returns max |A_ij - A_ji| of a dense matrix. */
double perp_dense_difference(int n, const double *a, int64_t stride);

/* Properties of compressed rows found in one quick pass. */
typedef struct perp_glance {
  double difference;                 /* max |A_ij - A_ji| */
  double greatest;                   /* max |A_ij| if the difference is positive, else 0 */
  double diagonal_min, diagonal_max; /* infinity and 0 if n = 0 */
  int64_t positive;                  /* entries above 0 */
} perp_glance;

/* cursor: n numbers of workspace. Returns false if A is not in compressed rows. */
bool perp_entries_glance(const perp_operator *A, int64_t *cursor, perp_glance *glance);

/* Returns true if the symmetric n x n matrix A (row major, no padding, lower triangle read and
 * overwritten) is provably positive definite: Cholesky of A - c I succeeds, with c above the
 * possible rounding error of the factorisation, given that no entry of A has an error above
 * `uncertainty` (Rump 2006). */
bool perp_proves_positive(int n, double *A, double uncertainty);
