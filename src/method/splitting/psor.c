/* psor.c: projected successive over-relaxation
 *
 *   x_i <- P_i( x_i - omega (A x + b)_i / A_ii ),   i = 1..n in order, always with the newest x
 *
 * A step of length omega in (0, 2) times the one-dimensional minimiser never raises the energy
 * 1/2 x^T A x + b^T x, also after the projection, so PSOR converges for symmetric positive
 * definite A (Cryer 1971; Mangasarian 1977). The best omega depends on the matrix: near 2 on fine
 * grids, near 1 on contact problems.
 * omega = 0 finds it on the run, see sweep.c.
 * One sweep: one pass over the nonzeros of A. Workspace: what the operator's relaxer keeps. */
#include "method/splitting/sweep.h"

typedef struct {
  double omega;
  int order;
} psor_parameters;

static const perp_parameter parameters[] = {
    PERP_REAL(psor_parameters, omega, 0, 0, 1.99,
              "relaxation; 1 is Gauss-Seidel, 0: estimated on the run"),
    PERP_CHOICE(psor_parameters, order, PERP_SWEEP_FORWARD, 4, perp_sweep_orders,
                "order of the rows in a sweep"),
    {0},
};

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  const psor_parameters *par = params;
  return perp_sweep_relaxed(run, "psor", x, (perp_sweep_order)par->order, par->omega);
}

const perp_method perp_method_psor = {
    .name = "psor",
    .title = "projected successive over-relaxation",
    .family = "splitting",
    .source = "cryer-1971",
    .takes = PERP_TAKES_LCP | PERP_TAKES_MIXED | PERP_TAKES_BOXED | PERP_TAKES_FINDEX,
    .needs = PERP_CAN_RELAX,
    .iteration = "x_i <- P_i(x_i - omega (A x + b)_i / A_ii), i = 0, 1, ...",
    .works = "symmetric positive (semi-)definite A with a positive diagonal",
    .max_iterations = 10000,
    .parameters = parameters,
    .parameter_bytes = sizeof(psor_parameters),
    .solve = solve,
};
