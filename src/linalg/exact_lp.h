/* exact_lp.h: systems of linear inequalities, decided without rounding
 *
 *   y = A x + b,   lo <= (x, y) <= hi
 *
 * Variables 0 .. n-1 are x, n .. n+m-1 are y. Bounds may change between calls, and the next call
 * continues from the last basis. For a few dozen rows. */
#pragma once

#include "base/memory.h"
#include <perp/base.h>

#include <stdint.h>

typedef struct perp_lp perp_lp;

/* A has m rows in steps of `stride`, with b_i behind the n entries of row i. `bounds` has all
 * finite bounds that an x will ever have; the bounds of y are 0. At first all variables are free.
 * Returns PERP_ERROR_UNSUPPORTED if the integers would be longer than `most_bits`. */
perp_error perp_lp_create(perp_arena *arena, int m, int n, const double *rows, int64_t stride,
                          int bounds, const double *bound, int64_t most_bits, perp_lp **made);

void perp_lp_set_bounds(perp_lp *lp, int variable, double lo, double hi); /* lo <= hi */

/* Calls go_on before every pivot, which may take milliseconds. If it returns false,
 * perp_lp_feasible returns false and perp_lp_move returns at once, without meaning;
 * perp_lp_was_stopped then returns true. */
void perp_lp_watch(perp_lp *lp, bool (*go_on)(void *context), void *context);
bool perp_lp_was_stopped(const perp_lp *lp);

/* Returns true if there is such an x. Finite by Bland's rule. Adds to *pivots. */
bool perp_lp_feasible(perp_lp *lp, int64_t *pivots);

/* After perp_lp_feasible returned false: u with u_i y_i >= 0 for all allowed y, and b^T u + sup
 * (A^T u)^T x < 0 over the allowed x; the largest about 1. Returns false if u had to be rounded to
 * doubles. */
bool perp_lp_certificate(const perp_lp *lp, double *u);

/* After perp_lp_feasible returned true: raises (way = 1) or lowers (-1) a variable as far as
 * possible. Returns true if it moved; *endless: it is unbounded, and the basis is the ray's. */
bool perp_lp_move(perp_lp *lp, int variable, int way, bool *endless, int64_t *pivots);

/* Returns true if every nonbasic variable has lo = hi: then the basic solution is the only one. */
bool perp_lp_is_point(const perp_lp *lp);

/* After an endless move: the change of an x along the ray, of any length. */
double perp_lp_direction(const perp_lp *lp, int variable);

/* The basic solution, rounded; and the exact sign of a variable's value minus `bound`, which is one
 * of its bounds or 0. */
double perp_lp_value(const perp_lp *lp, int variable);
int perp_lp_compare(const perp_lp *lp, int variable, double bound);
