/* pgs.c: projected Gauss-Seidel
 *
 *   x_i <- P_i( x_i - (A x + b)_i / A_ii ),   i = 1..n in order, always with the newest x
 *
 * Each step minimises the energy 1/2 x^T A x + b^T x over x_i alone, so for symmetric positive
 * definite A it converges from any start (Cottle, Pang and Stone 1992, ch. 5); linearly, the
 * slower the worse the condition. In friction rows P_i clamps to the bounds at the newest normal.
 * One sweep: one pass over the nonzeros of A. Workspace: what the operator's relaxer keeps. */
#include "method/method.h"

typedef struct {
  int order;
} pgs_parameters;

static const char *const orders[] = {"forward", "backward", "coloured", NULL};

static const perp_parameter parameters[] = {
    PERP_CHOICE(pgs_parameters, order, PERP_FORWARD, 2, orders, "order of the rows in a sweep"),
    {0},
};

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  const pgs_parameters *par = params;
  const perp_order order = (perp_order)par->order;
  perp_relaxer *relaxer;
  perp_error error = perp_run_relaxer(run, x, 1u << order, &relaxer);
  if (error)
    return error;
  while (perp_run_next_relaxed(run, relaxer)) {
    perp_relax(relaxer, 1.0, order);
    run->count.sweeps++;
  }
  return PERP_OK;
}

const perp_method perp_method_pgs = {
    .name = "pgs",
    .title = "projected Gauss-Seidel",
    .family = "splitting",
    .source = "cottle-pang-stone-1992",
    .takes = PERP_TAKES_LCP | PERP_TAKES_MIXED | PERP_TAKES_BOXED | PERP_TAKES_FINDEX,
    .needs = PERP_CAN_RELAX,
    .works = "symmetric positive (semi-)definite A with a positive diagonal",
    .max_iterations = 10000,
    .parameters = parameters,
    .parameter_bytes = sizeof(pgs_parameters),
    .solve = solve,
};
