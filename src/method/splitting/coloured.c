/* coloured.c: projected over-relaxation by colours
 *
 *   for each colour:  x_i <- P_i( x_i - omega (A x + b)_i / A_ii )  for its rows i, all at once
 *
 * No two rows of a colour are coupled, neither by an entry of A nor by a friction index, so the
 * rows of a colour may be relaxed in any order and by any number of threads: the bits of x do not
 * depend on it. Red and black on stencils, greedy colours elsewhere. It is PSOR on a permuted
 * matrix and converges as that does (Adams and Ortega 1982). omega = 0: estimated on the run, see
 * sweep.c; red and black cells are a consistent order, for which that estimate is exact.
 * One sweep: one pass over the nonzeros of A. Workspace: what the operator's relaxer keeps. */
#include "method/splitting/sweep.h"

typedef struct {
  double omega;
} coloured_parameters;

static const perp_parameter parameters[] = {
    PERP_REAL(coloured_parameters, omega, 0, 0, 1.99,
              "relaxation; 1 is Gauss-Seidel, 0: estimated on the run"),
    {0},
};

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  const coloured_parameters *par = params;
  return perp_sweep_relaxed(run, "coloured", x, PERP_SWEEP_COLOURED, par->omega);
}

const perp_method perp_method_coloured = {
    .name = "coloured",
    .title = "projected over-relaxation by colours, in parallel",
    .family = "splitting",
    .source = "adams-ortega-1982",
    .takes = PERP_TAKES_LCP | PERP_TAKES_MIXED | PERP_TAKES_BOXED | PERP_TAKES_FINDEX,
    .needs = PERP_CAN_RELAX,
    .iteration = "x_i <- P_i(x_i - omega (A x + b)_i / A_ii), colour by colour",
    .works = "symmetric positive (semi-)definite A with a positive diagonal",
    .max_iterations = 10000,
    .parameters = parameters,
    .parameter_bytes = sizeof(coloured_parameters),
    .solve = solve,
};
