/* psor.c: projected successive over-relaxation
 *
 *   x_i <- P_i( x_i - omega (A x + b)_i / A_ii ),   i = 1..n in order, always with the newest x
 *
 * A step of length omega in (0, 2) times the one-dimensional minimiser never raises the energy
 * 1/2 x^T A x + b^T x, also after the projection, so PSOR converges for symmetric positive
 * definite A (Cryer 1971; Mangasarian 1977). The best omega depends on the matrix: near 2 on fine
 * grids, near 1 on contact problems.
 * One sweep: one pass over the nonzeros of A. Workspace: what the operator's relaxer keeps. */
#include "method/method.h"

typedef struct {
  double omega;
  int order;
} psor_parameters;

static const char *const orders[] = {"forward", "backward", "coloured", NULL};

static const perp_parameter parameters[] = {
    PERP_REAL(psor_parameters, omega, 1.4, 0.01, 1.99, "relaxation; 1 is Gauss-Seidel"),
    PERP_CHOICE(psor_parameters, order, PERP_FORWARD, 2, orders, "order of the rows in a sweep"),
    {0},
};

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  const psor_parameters *par = params;
  const perp_order order = (perp_order)par->order;
  perp_relaxer *relaxer;
  perp_error error = perp_run_relaxer(run, x, 1u << order, &relaxer);
  if (error)
    return error;
  while (perp_run_next_relaxed(run, relaxer)) {
    perp_relax(relaxer, par->omega, order);
    run->count.sweeps++;
  }
  return PERP_OK;
}

const perp_method perp_method_psor = {
    .name = "psor",
    .title = "projected successive over-relaxation",
    .family = "splitting",
    .source = "cryer-1971",
    .takes = PERP_TAKES_LCP | PERP_TAKES_MIXED | PERP_TAKES_BOXED | PERP_TAKES_FINDEX,
    .needs = PERP_CAN_RELAX,
    .works = "symmetric positive (semi-)definite A with a positive diagonal",
    .max_iterations = 10000,
    .parameters = parameters,
    .parameter_bytes = sizeof(psor_parameters),
    .solve = solve,
};
