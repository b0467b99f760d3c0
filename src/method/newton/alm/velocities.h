/* velocities.h: linear systems of a contact operator, solved in the velocities of its bodies
 *
 *   (A + diag(d)) z + e o z_normal = r,   A = J Minv J^T + C with C diagonal,
 *
 * (z_normal)_i = z_(normal_i); the term is absent if normal_i < 0, and a normal has no normal
 * itself. A row with an infinite d has the equation z_i = -e_i z_normal instead: 0, or tied to the
 * normal. The matrix is not symmetric: a row depends on its normal, not the reverse.
 *
 * With D the matrix of d, C and e, which is inverted contact by contact, and v = Minv J^T z
 *
 *   (I + Minv J^T D^-1 J) v = Minv J^T D^-1 r,     z = D^-1 (r - J v):
 *
 * the system has six unknowns per body, however many contacts the body has. */
#pragma once

#include "method/run/method.h"

typedef struct perp_velocities perp_velocities;

/* normal: n, -1: none. A must be a contact operator with a diagonal C. Takes the rest of the run's
 * arena, so open it last. Close it whatever is returned (NULL is fine); do not use it if the run
 * expired meanwhile. */
perp_error perp_velocities_open(perp_run *run, const int *normal, perp_velocities **s);
void perp_velocities_close(perp_velocities *s);

/* Assembles and factors for d and e, which are the caller's and must live until the next set.
 * Returns false if there is no factor or if factoring would exceed the time left. */
bool perp_velocities_set(perp_velocities *s, const double *d, const double *e);
bool perp_velocities_too_long(const perp_velocities *s); /* the second reason, at the last set */
/* z <- z + the solution for r by the factor. Entries of r are ignored in rows with an infinite
 * d. */
void perp_velocities_add(perp_velocities *s, const double *r, double *z);
