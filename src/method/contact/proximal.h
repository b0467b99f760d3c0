/* proximal.h: from a rough solution of a problem with friction to the last digit
 *
 * Proximal steps, each by Newton's method in the unique velocities of the bodies. */
#pragma once

#include "method/contact/coupled.h"

typedef struct perp_proximal perp_proximal;

/* In the run's arena; the contacts are the caller's. NULL when out of memory. */
perp_proximal *perp_proximal_open(perp_run *run, const perp_contact_list *contacts);
/* Proximal steps from x with at most so many factors, E = *share A_cc at first, and *share becomes what
 * the next should begin with. x <- the best iterate, which may be that of the call; y <- A x + b.
 * Returns its natural residual. Every iterate is shown: look at perp_run_expired afterwards. */
double perp_proximal_steps(perp_proximal *s, perp_coupled *system, double *share, int factors,
                           double *x, double *y);
/* The same, and again and again after some sweeps, until so many rounds had no effect. */
double perp_proximal_run(perp_proximal *s, perp_coupled *system, int patience, double *x,
                         double *y);
