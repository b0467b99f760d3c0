/* velocities.h: linear systems of a contact operator, solved in the velocities of its bodies
 *
 *   (A + diag(d)) z + e o z_normal = r,   A = J Minv J^T + C with C diagonal,
 *
 * (z_normal)_i = z_(normal_i), with no such term if normal_i < 0; a normal has no normal itself. In rows with an infinite d the equation is  z_i = -e_i z_normal  instead: 0, or tied
 * to the normal. Not symmetric: what follows a normal is not followed by it.
 *
 * With D the matrix of d, C and e, which is inverted contact by contact, and v = Minv J^T z
 *
 *   (I + Minv J^T D^-1 J) v = Minv J^T D^-1 r,     z = D^-1 (r - J v):
 *
 * six unknowns to a body however many contacts it has. */
#pragma once

#include "method/run/method.h"

typedef struct perp_velocities perp_velocities;

/* normal: n, -1: none. Takes the rest of the run's arena: open it last. Closed whatever comes back
 * (NULL is fine), and not to be used if the run has expired meanwhile. A is a contact operator with a
 * diagonal C. */
perp_error perp_velocities_open(perp_run *run, const int *normal, perp_velocities **s);
void perp_velocities_close(perp_velocities *s);

/* d and e are the caller's and stay until the next set. False if there is no factor, or if one
 * would take longer than what is left. */
bool perp_velocities_set(perp_velocities *s, const double *d, const double *e);
bool perp_velocities_too_long(const perp_velocities *s); /* the latter, at the last set */
/* z <- z + the solution for r, as the factor gives it; r counts nothing if d is infinite. */
void perp_velocities_add(perp_velocities *s, const double *r, double *z);
