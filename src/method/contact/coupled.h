/* coupled.h: linear systems with a small matrix for each contact
 *
 *   (I + T A') z = s,   T made of one block for each contact, A' = A - diag(own)
 *
 * the systems of Newton's method for friction, in interior point methods and in proximal steps:
 * with T = (K + diag(own))^-1 and s = T r it is (A + K) z = r. T need not be symmetric, nor
 * regular.
 *
 * contacts.h defines contacts. The back ends:
 *
 *   velocities   contact operators A = J Minv J^T + C with a diagonal C, own = C: with w = Minv J^T z
 *
 *                  (I + Minv J^T T J) w = Minv J^T s,     z = s - T J w,
 *
 *                six unknowns per body, however many contacts it has
 *   dense        dense operators, and few rows: L U of I + T A, rows brought to order one
 *   blocks       other operators with rows: in velocities too if the bodies can be recognised
 *                (operator/contact/recognise.h), else I + T A by contacts
 *
 * body_matrix.h factors the matrices of the first and the last. Their order of elimination depends
 * only on the pattern: it is found once, and the solver keeps it for the next problem with the same
 * pattern. */
#pragma once

#include "method/contact/body_rows.h"

typedef struct perp_coupled perp_coupled;

/* Takes the rest of the run's arena, so open it last. Close it whatever is returned (NULL is fine);
 * do not use it if the run has expired meanwhile. Returns UNSUPPORTED if A has neither rows nor
 * velocities. */
perp_error perp_coupled_open(perp_run *run, const perp_contact_list *contacts,
                             perp_coupled **system);
void perp_coupled_close(perp_coupled *system);
const double *perp_coupled_own(const perp_coupled *system); /* n */

/* Assembles and factors for T, which is the caller's and must live until the next set. Returns
 * false if there is no factor, or if there is no time for one, with the run's message. */
bool perp_coupled_set(perp_coupled *system, const double *T);
bool perp_coupled_too_long(const perp_coupled *system); /* the latter, at the last set */
/* Returns the sign of det (I + T A') at the last set, 0 if the factor does not tell: block LU and dense LU
 * do, the factors of more than PERP_BLOCK_LU_MOST bodies do not if UMFPACK is built in. */
int perp_coupled_sign(const perp_coupled *system);
/* z <- the solution by the factor. Returns false if it is not finite. z may be s. */
bool perp_coupled_solve(perp_coupled *system, const double *s, double *z);
/* For changes of T by rank one, if the back end is `velocities`, else NULL: J and Minv J^T by
 * contact; and v <- (I + Minv J^T T J)^-1 v. Returns false if there is no solution. */
const perp_body_rows *perp_coupled_rows(const perp_coupled *system);
bool perp_coupled_solve_bodies(perp_coupled *system, double *v);
/* Returns A' z of the last solve, accurate also if T is large, or NULL: the back end lacks it. */
const double *perp_coupled_rest(const perp_coupled *system);
/* z <- T r */
void perp_coupled_times(const perp_contact_list *contacts, const double *T, const double *r,
                        double *z);
/* p <- A x, and p <- A' x, by the bodies if they were recognised: accurate enough for steering, not
 * for a verdict */
void perp_coupled_product(perp_coupled *system, const double *x, double *p);
void perp_coupled_apply(perp_coupled *system, const double *x, double *p);

/* ---- From an approximate solution to full precision (proximal.c) ----
 *
 * Proximal steps, each by Newton's method in the unique velocities of the bodies. */

typedef struct perp_proximal perp_proximal;

/* Allocates in the run's arena; the contacts are the caller's. Returns NULL when out of memory. */
perp_proximal *perp_proximal_open(perp_run *run, const perp_contact_list *contacts);
/* Takes proximal steps from x with at most `factors` factors, E = *share A_cc at first; *share
 * becomes the start value for the next call. x <- the best iterate, perhaps the given x; y <- A
 * x + b. Returns its natural residual. Shows every iterate: check perp_run_expired afterwards. */
double perp_proximal_steps(perp_proximal *s, perp_coupled *system, double *share, int factors,
                           double *x, double *y);
/* perp_proximal_steps, repeated after some sweeps, until `patience` rounds had no effect. */
double perp_proximal_run(perp_proximal *s, perp_coupled *system, int patience, double *x,
                         double *y);
