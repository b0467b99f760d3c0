/* multilevel/algebraic.h: mg without a grid */
#ifndef PERP_MULTILEVEL_ALGEBRAIC_H
#define PERP_MULTILEVEL_ALGEBRAIC_H

#include "method/multilevel/grid.h"

/* The method mg on a csr matrix; sweeps of A itself before and after each correction. */
perp_error perp_algebraic_solve(perp_run *run, perp_smoothing how, double *x);

#endif
