/* pfischer.c: Newton's method on the penalised equations of Fischer and Burmeister
 *
 *   F_i(x) = lambda (x_i + y_i - sqrt(x_i^2 + y_i^2)) + (1 - lambda) x_i+ y_i+ = 0
 *
 * Where x_i and y_i are both large and positive the Fischer-Burmeister function grows like the
 * smaller of them; the added product grows with both, so that the level sets of theta are bounded
 * for every monotone problem with a strictly feasible point (Chen, Chen, Kanzow 2000). The price is
 * a function that is no longer homogeneous: lambda weighs the two in the unit of map.h, where
 * max |b_i| / sqrt(A_ii) is one. Steps, cost and workspace as in descent.c. */
#include "method/newton/descent.h"

static const perp_parameter parameters[] = {
    PERP_NEWTON_PARAMETERS,
    PERP_REAL(perp_descent_parameters, lambda, 0.95, 0.01, 1,
              "weight of the Fischer-Burmeister part; 1 leaves it alone"),
    PERP_DESCENT_PARAMETERS,
    {0},
};

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  const perp_descent_parameters *par = params;
  return perp_descent_solve(run, par, par->lambda, x);
}

const perp_method perp_method_pfischer = {
    .name = "pfischer",
    .title = "penalised Fischer-Newton",
    .family = "newton",
    .source = "chen-chen-kanzow-2000",
    .takes = PERP_TAKES_LCP | PERP_TAKES_MIXED | PERP_TAKES_BOXED,
    .needs = PERP_CAN_APPLY,
    .iteration = "x <- x + t dx, (D_p + D_q A) dx = -phi(x, y), phi with a penalty for x y > 0",
    .works = "P0 matrices, positive semi-definite ones among them, and friction pyramids",
    .max_iterations = 500,
    .parameters = parameters,
    .parameter_bytes = sizeof(perp_descent_parameters),
    .solve = solve,
};
