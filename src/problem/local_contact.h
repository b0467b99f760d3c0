/* problem/local_contact.h: the complementarity problem of one small block; set/cone.h has the one of a
 * cone
 *
 *   y = W z + q,   z in K,   -y in N_K(z)
 *
 * W is row major with a positive diagonal, symmetric or not. Each solver returns true if it found a
 * solution to rounding. Otherwise (W may not be positive definite, and there may be no solution) z
 * is the best point found, always finite and in K. These functions do not allocate. */
#pragma once

#include <stdbool.h>

/* Most rows that perp_local_box enumerates. */
enum { PERP_LOCAL_ROWS = 3 };

/* Solves m <= PERP_LOCAL_ROWS rows with bounds; with `friction` the bounds of rows 1 .. m-1 are
 * multiplied by |z_0|, infinite ones stay infinite. *state is tried first and returns the state
 * found; start with 0. */
bool perp_local_box(int m, const double *W, const double *q, const double *lo, const double *hi,
                    bool friction, int *state, double *z);

/* Solves a block of any m by projected Gauss-Seidel from the given z, to within `tol` of |z|. disc:
 * as perp_set_disc, by row; NULL: no discs. */
bool perp_local_sweeps(int m, const double *W, const double *q, const double *lo, const double *hi,
                       bool friction, const int *disc, double tol, double *z);

/* Solves a normal z_0 >= 0 with friction rows and discs, at most 6 rows: |z_D| <= hi z_0, lo = -hi.
 * *slip is the initial guess, one number per disc, and returns what was found: keep it from
 * one call to the next. Returns false, and leaves z, if it found nothing. */
bool perp_local_discs(int m, const double *W, const double *q, const double *hi, const int *disc,
                      double *slip, double *z);
