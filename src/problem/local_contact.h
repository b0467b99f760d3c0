/* problem/local_contact.h: the complementarity problem of one contact or one small block
 *
 *   y = W z + q,   z in K,   -y in N_K(z)        (cones: De Saxce's form)
 *
 * W is row major with a positive diagonal, symmetric or not. Each solver returns whether it found
 * a solution to rounding; where it did not (W not positive definite: there may be none) z is the
 * best that it saw, always finite and in K. Nothing here allocates. */
#pragma once

#include "set/cone.h"

#include <stdbool.h>

/* The most rows that perp_local_box enumerates. */
enum { PERP_LOCAL_ROWS = 3 };

perp_cone_matrix perp_cone_matrix_make(const double W[9]);

/* One Coulomb cone, rows (n, t, o), with the matrix W / omega. *slip is where a sliding contact is
 * looked for first (0: nowhere in particular) and holds what was found: keep it from one call to
 * the next. */
bool perp_local_cone(const perp_cone_matrix *W, double omega, const double q[3], double mu,
                     double *slip, double z[3]);

/* m <= PERP_LOCAL_ROWS rows with bounds; with `friction` those of rows 1 .. m-1 are times |z_0|,
 * an infinite one stays infinite. *state is tried first and holds the state found; start with 0. */
bool perp_local_box(int m, const double *W, const double *q, const double *lo, const double *hi,
                    bool friction, int *state, double *z);

/* The same for any m, by projected Gauss-Seidel from the z given: good to `tol` of |z|. */
bool perp_local_sweeps(int m, const double *W, const double *q, const double *lo, const double *hi,
                       bool friction, double tol, double *z);
