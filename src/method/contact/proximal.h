/* proximal.h: from an approximate solution of a problem with friction to full precision
 *
 * Proximal steps, each by Newton's method in the unique velocities of the bodies. */
#pragma once

#include "method/contact/coupled.h"

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
