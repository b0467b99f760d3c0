/* operator/relax.h: helpers of the relaxation kernels of all kinds
 *
 * One relaxed row, with the row's own entry taken out of the product:
 *
 *   t = -(b_i + sum_{j != i} A_ij x_j) / A_ii          minimises over x_i
 *   x_i <- P_i( (1 - omega) x_i + omega t )            = P_i( x_i - omega (A x + b)_i / A_ii )
 *
 * With omega = 1 the first term is exactly 0. set/bounds.h has P_i. */
#pragma once

#include "operator/operator.h"
#include "set/bounds.h"

/* Allocates room for one row of A; returns false when out of memory. */
bool perp_row_take(const perp_operator *A, perp_arena *arena, int **column, double **value);

/* d_i = A_ii by row access; `column` and `value` have room for row_capacity entries. */
void perp_diagonal_by_rows(const perp_operator *A, int *column, double *value, double *d);

/* Returns PERP_OK if the diagonal is positive, or unknown (a shell with its own relax). */
perp_error perp_relax_check_diagonal(const char *method, const perp_operator *A, perp_arena *arena,
                                     perp_message *why);

/* Returns 1 / A_ii in the arena, for an A with its own diagonal function; NULL: no memory. For
 * A_ii = 0 the entry is so large that a step moves x_i to its bound, as in the limit A_ii -> 0,
 * unless b_i = 0. */
double *perp_inverse_diagonal(const perp_operator *A, perp_arena *arena);
