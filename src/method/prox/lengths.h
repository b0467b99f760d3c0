/* prox/lengths.h: step lengths from the matrix */
#ifndef PERP_METHOD_PROX_LENGTHS_H
#define PERP_METHOD_PROX_LENGTHS_H

#include "method/run/method.h"

/* r* = 2 / (eta_max + eta_min), the extreme eigenvalues of (A + A^T) / 2 + zeta I; a negative
 * eta_min counts as 0. Refuses a matrix without a positive eigenvalue. */
perp_error perp_prox_star(perp_run *run, double zeta, double *star);

/* D, n numbers: 1 / (A_ii + zeta) in a row; in the rows of a cone one over the largest eigenvalue
 * of its block, plus zeta. */
perp_error perp_prox_diagonal(perp_run *run, double zeta, double *d);

#endif
