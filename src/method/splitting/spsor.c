/* spsor.c: symmetric projected over-relaxation
 *
 *   one forward sweep of PSOR, then one backward sweep
 *
 * The pair treats the first and the last rows alike, so information crosses the problem in both
 * directions within one iteration (a stack of bodies is the case in point), and for an inactive
 * set of constraints it is a symmetric linear map, which conjugate gradients can build on.
 * Converges as PSOR does: symmetric positive definite A, 0 < omega < 2.
 * One iteration: two passes over the nonzeros of A. Workspace: what the operator's relaxer keeps. */
#include "method/splitting/sweep.h"

typedef struct {
  double omega;
} spsor_parameters;

static const perp_parameter parameters[] = {
    PERP_REAL(spsor_parameters, omega, 1.0, 0.01, 1.99, "relaxation; 1 is Gauss-Seidel"),
    {0},
};

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  const spsor_parameters *par = params;
  perp_sweeper sweeper;
  perp_error error = perp_sweeper_create(run, "spsor", x, PERP_SWEEP_SYMMETRIC, &sweeper);
  if (error)
    return error;
  while (perp_run_next_relaxed(run, sweeper.relaxer))
    perp_sweeper_sweep(&sweeper, par->omega);
  return PERP_OK;
}

const perp_method perp_method_spsor = {
    .name = "spsor",
    .title = "symmetric projected over-relaxation",
    .family = "splitting",
    .source = "cottle-pang-stone-1992",
    .takes = PERP_TAKES_LCP | PERP_TAKES_MIXED | PERP_TAKES_BOXED | PERP_TAKES_FINDEX,
    .needs = PERP_CAN_RELAX,
    .iteration = "psor forwards, then backwards",
    .works = "symmetric positive (semi-)definite A with a positive diagonal",
    .max_iterations = 5000,
    .parameters = parameters,
    .parameter_bytes = sizeof(spsor_parameters),
    .solve = solve,
};
