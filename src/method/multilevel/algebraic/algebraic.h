/* algebraic.h: mg without a grid */
#ifndef PERP_MULTILEVEL_ALGEBRAIC_H
#define PERP_MULTILEVEL_ALGEBRAIC_H

#include "method/multilevel/algebraic/aggregation.h"
#include "method/multilevel/grid/grid.h"

/* The method mg on a csr matrix; sweeps of A itself before and after each correction. nested: x = 0
 * is replaced by the start below. */
perp_error perp_algebraic_solve(perp_run *run, perp_smoothing how, bool nested, double *x);

/* start.c. Afterwards the hierarchy belongs to no set F. */
perp_error perp_algebraic_start(perp_run *run, perp_aggregation *a, double *x);

#endif
