/* coupled.h: linear systems with a small matrix for each contact
 *
 *   (I + T A') z = s,   T made of one block for each contact, A' = A - diag(own)
 *
 * which is what Newton's method for friction comes to, in interior points and in proximal steps:
 * with T = (K + diag(own))^-1 and s = T r it is (A + K) z = r. T need not be symmetric, nor regular.
 *
 * Contacts are those of contacts.h. The back ends:
 *
 *   velocities   contact operators A = J Minv J^T + C with a diagonal C, own = C: with w = Minv J^T z
 *
 *                  (I + Minv J^T T J) w = Minv J^T s,     z = s - T J w,
 *
 *                six unknowns to a body however many contacts it has
 *   dense        dense operators, and few rows: L U of I + T A, rows brought to order one
 *   blocks       other operators with rows: in velocities too if the bodies can be recognised
 *                (operator/contact/recognise.h), else I + T A by contacts
 *
 * The matrices of the first and the last are factored as body_matrix.h says. Their order of
 * elimination depends on the pattern alone: it is found once, and kept by the solver for the next
 * problem with the same one. */
#pragma once

#include "method/contact/contacts.h"

typedef struct perp_coupled perp_coupled;

/* Closed whatever comes back (NULL is fine), not to be used if the run has expired meanwhile. Takes
 * the rest of the run's arena: open it last. UNSUPPORTED if A has neither rows nor velocities. */
perp_error perp_coupled_open(perp_run *run, const perp_contact_list *contacts,
                             perp_coupled **system);
void perp_coupled_close(perp_coupled *system);
const double *perp_coupled_own(const perp_coupled *system); /* n */

/* T is the caller's and stays until the next set. False if there is no factor, or if one would take
 * longer than what is left: the run is told so. */
bool perp_coupled_set(perp_coupled *system, const double *T);
bool perp_coupled_too_long(const perp_coupled *system); /* the latter, at the last set */
/* z <- the solution, as the factor gives it; false if it is not finite. z may be s. */
bool perp_coupled_solve(perp_coupled *system, const double *s, double *z);
/* z <- T r */
void perp_coupled_times(const perp_contact_list *contacts, const double *T, const double *r,
                        double *z);
/* p <- A x, and p <- A' x, by the bodies if they were recognised: good for steering, not to judge */
void perp_coupled_product(perp_coupled *system, const double *x, double *p);
void perp_coupled_apply(perp_coupled *system, const double *x, double *p);
