/* eigenvalue.h: the largest eigenvalue of D^-1 A, for the step lengths of methods */
#ifndef PERP_METHOD_SYSTEM_EIGENVALUE_H
#define PERP_METHOD_SYSTEM_EIGENVALUE_H

#include "method/run/method.h"

/* In magnitude, from below, by `steps` power iterations from a random start:
 * lambda ~ |z|_D / |w|_D with z = D^-1 A w. w, z are n doubles of scratch. 1 if A is 0. */
double perp_largest_eigenvalue(perp_run *run, const double *D, int steps, double *w, double *z);

#endif
