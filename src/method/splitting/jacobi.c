/* jacobi.c: projected Jacobi with safe damping
 *
 *   x <- P( x - omega D^-1 (A x + b) ),   D = diag(A), all rows with the old x
 *
 * This is a gradient step in the norm of D. For symmetric A it converges when
 * omega < 2 / lambda, lambda the largest eigenvalue of D^-1 A; the textbook omega = 1 does so only
 * for lambda < 2, which every matrix with a block of three or more strongly coupled rows breaks
 * (Erleben 2013 reports the divergence on contact problems).
 *
 * Damping (omega = 0): lambda is estimated by power iterations on D^-1 A. The estimate is a lower
 * bound in the norm of D when A is symmetric, so omega = 1 / lambda lies well inside the interval,
 * and it is capped at 1. Should the residual still grow over several iterations (a nonsymmetric A,
 * an estimate that was too small), omega is halved and the iteration goes on from there.
 * One iteration: one product with A; y is at hand, so every iterate is checked at no cost.
 * Workspace: 3 n. */
#include "base/elementary.h"
#include "method/system/gather.h"

#include <string.h>

typedef struct {
  double omega;
  int power;
} jacobi_parameters;

static const perp_parameter parameters[] = {
    PERP_REAL(jacobi_parameters, omega, 0.0, 0.0, 1.99, "damping; 0: found by power iterations"),
    PERP_INTEGER(jacobi_parameters, power, 20, 1, 1000, "power iterations for omega = 0"),
    {0},
};

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const jacobi_parameters *par = params;
  const int n = p->K.n;
  double *d, *y, *z;
  if (!PERP_TAKE_REALS(run->arena, (size_t)n, &d, &y, &z))
    return perp_run_no_memory(run);
  const perp_error error = perp_run_diagonal(run, d);
  if (error)
    return error;

  double omega = par->omega;
  if (omega == 0) {
    const double lambda = perp_largest_eigenvalue(run, d, par->power, y, z);
    omega = lambda > 1 ? 1 / lambda : 1;
  }

  double lowest = INFINITY; /* residual since omega was last changed */
  for (;;) {
    perp_run_gradient(run, x, y);
    if (!perp_run_next(run, x, y))
      return PERP_OK;
    const double residual = perp_problem_residual(p, x, y);
    if (par->omega == 0 && residual > 10 * lowest) {
      omega /= 2;
      lowest = residual;
    }
    lowest = perp_min(lowest, residual);
    /* z = P(x - omega D^-1 y), friction bounds at the new normals */
    for (int i = 0; i < n; i++)
      z[i] = x[i] - omega * y[i] / d[i];
    perp_set_project(&p->K, z, z);
    memcpy(x, z, (size_t)n * sizeof *x);
  }
}

const perp_method perp_method_jacobi = {
    .name = "jacobi",
    .title = "projected Jacobi with safe damping",
    .family = "splitting",
    .reference = true,
    .source = "cottle-pang-stone-1992",
    .takes = PERP_TAKES_ROWS,
    .needs = PERP_CAN_APPLY | PERP_CAN_DIAGONAL,
    .iteration = "x <- P_K(x - omega D^-1 (A x + b))",
    .works = "symmetric positive (semi-)definite A with a positive diagonal",
    .max_iterations = 20000,
    PERP_SOLVES_WITH(jacobi_parameters),
};
