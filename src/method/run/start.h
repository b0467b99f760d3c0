/* start.h: a start that is no worse than none */
#ifndef PERP_METHOD_START_H
#define PERP_METHOD_START_H

#include "method/run/method.h"

/* x <- the projection of x onto K, or that of 0 where its natural residual is smaller; y <- A x + b. Returns
 * the residual. other: 2 n numbers of scratch. */
double perp_start_choose(perp_run *run, double *x, double *y, double *other);

#endif
