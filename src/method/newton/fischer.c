/* fischer.c: Newton's method on the equations of Fischer and Burmeister, for LCP and boxed problems
 *
 *   F_i(x) = x_i + y_i - sqrt(x_i^2 + y_i^2) = 0   <=>   0 <= x_i _|_ y_i >= 0,     y = A x + b
 *
 * with boxes by Billups's nesting (phi.h). F is strongly semismooth and theta = 1/2 |F|^2 is
 * continuously differentiable. With J = D_p + D_q A from the generalised Jacobian and steps that
 * lower theta (descent.c), convergence is quadratic where all such J are regular at the solution:
 * where A_aa is regular for the rows a with x > 0, and its Schur complement in the rows with
 * x = y = 0 is a P-matrix (De Luca, Facchinei, Kanzow 1996). Positive semi-definite A may be
 * singular: a regularisation that vanishes with F keeps the steps short.
 *
 * strategy says which J is taken where x_i = y_i = 0; with "approximation" J is never formed, and A
 * is used for products alone. Cost and workspace: descent.c. */
#include "method/newton/descent.h"

static const perp_parameter parameters[] = {
    PERP_NEWTON_PARAMETERS,
    PERP_DESCENT_PARAMETERS,
    {0},
};

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  return perp_descent_solve(run, params, 1, x);
}

const perp_method perp_method_fischer = {
    .name = "fischer",
    .title = "Fischer-Newton",
    .family = "newton",
    .source = "deluca-facchinei-kanzow-1996",
    .takes = PERP_TAKES_LCP | PERP_TAKES_MIXED | PERP_TAKES_BOXED,
    .needs = PERP_CAN_APPLY,
    .iteration = "x <- x + t dx, (D_p + D_q A) dx = -phi(x, y), phi of Fischer and Burmeister",
    .works = "P0 matrices, positive semi-definite ones among them, and friction pyramids",
    .max_iterations = 500,
    .parameters = parameters,
    .parameter_bytes = sizeof(perp_descent_parameters),
    .solve = solve,
};
