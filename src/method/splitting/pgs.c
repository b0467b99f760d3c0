/* pgs.c: projected Gauss-Seidel
 *
 *   x_i <- P_i( x_i - (A x + b)_i / A_ii ),   i = 1..n in order, always with the newest x
 *
 * Each step minimises the energy 1/2 x^T A x + b^T x over x_i alone, so for symmetric positive
 * definite A it converges from any start (Cottle, Pang and Stone 1992, ch. 5); linearly, the
 * slower the worse the condition. In friction rows P_i clamps to the bounds at the newest normal.
 * One sweep: one pass over the nonzeros of A. Workspace: what the operator's relaxer keeps. */
#include "method/splitting/sweep.h"

typedef struct {
  int order;
} pgs_parameters;

static const perp_parameter parameters[] = {
    PERP_CHOICE(pgs_parameters, order, PERP_SWEEP_FORWARD, 4, perp_sweep_orders,
                "order of the rows in a sweep"),
    {0},
};

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  const pgs_parameters *par = params;
  perp_sweeper sweeper;
  perp_error error = perp_sweeper_create(run, "pgs", x, (perp_sweep_order)par->order, &sweeper);
  if (error)
    return error;
  while (perp_run_next_relaxed(run, sweeper.relaxer))
    perp_sweeper_sweep(&sweeper, 1.0);
  return PERP_OK;
}

const perp_method perp_method_pgs = {
    .name = "pgs",
    .title = "projected Gauss-Seidel",
    .family = "splitting",
    .source = "cottle-pang-stone-1992",
    .takes = PERP_TAKES_LCP | PERP_TAKES_MIXED | PERP_TAKES_BOXED | PERP_TAKES_FINDEX,
    .needs = PERP_CAN_RELAX,
    .iteration = "x_i <- P_i(x_i - (A x + b)_i / A_ii), i = 0, 1, ...",
    .works = "symmetric positive (semi-)definite A with a positive diagonal",
    .max_iterations = 10000,
    .parameters = parameters,
    .parameter_bytes = sizeof(pgs_parameters),
    .solve = solve,
};
