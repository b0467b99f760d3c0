/* exact_lp.h: systems of linear inequalities, decided without rounding
 *
 *   y = A x + b,   lo <= (x, y) <= hi
 *
 * Variables 0 .. n-1 are x, n .. n+m-1 are y. Bounds may change between calls, and the next call
 * continues from the last basis. For a few dozen rows. */
#pragma once

#include "base/memory.h"
#include <perp/base.h>

#include <stdbool.h>
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

/* ---- A proof that inequalities contradict each other, from a ray up to rounding (vertex.c) ---- */

/* L <= (x, G x) <= U */
typedef struct perp_inequalities {
  int n, m;
  const int64_t *start, *t_start; /* G by rows, and G^T */
  const int *column, *t_column;
  const double *value, *t_value;
  const double *L, *U; /* n + m */
  const double *D;     /* n + m powers of two: entries G_ij D_(n+i) D_j are about 1 */
  bool (*go_on)(void *context);
  /* Gets each exact proof z, rounded to doubles. If it returns false, another one is tried. */
  bool (*holds)(void *context, const double *z);
  void *context;
} perp_inequalities;

/* Removes the entries of z that have the wrong sign for the bounds of G x. Then keeps the part of z
 * that is nearest to a proof: parts have no x in common. Returns its error, 0 for a proof without
 * rounding, or infinity: the largest (G^T z)_j that no bound of x_j allows, relative to the smaller
 * of |z| and the gap. D may be NULL: units of 1. part and the arrays of work have n + m entries. */
double perp_ray_error(const perp_inequalities *s, double *z, int *part, double *const work[4]);

/* Tries the vertex of the cone of rays near z, m numbers: sup z^T G x over the bounds of G x is less
 * than inf over those of x. Returns true if there is a proof, also if doubles do not hold it. */
bool perp_vertex_prove(const perp_inequalities *s, const double *z);
