/* fischer.c: Newton's method on the equations of Fischer and Burmeister, for LCP and boxed problems
 *
 *   F_i(x) = x_i + y_i - sqrt(x_i^2 + y_i^2) = 0   <=>   0 <= x_i _|_ y_i >= 0,     y = A x + b
 *
 * with boxes by Billups's nesting (phi.h). F is strongly semismooth and theta = 1/2 |F|^2 is
 * continuously differentiable. With J = D_p + D_q A from the generalised Jacobian and steps that
 * lower theta (descent.c), convergence is quadratic if all such J are regular at the solution:
 * if A_aa is regular for the rows a with x > 0, and its Schur complement in the rows with
 * x = y = 0 is a P-matrix (De Luca, Facchinei, Kanzow 1996). Positive semi-definite A may be
 * singular: a regularisation that vanishes with F keeps the steps short.
 *
 * strategy says which J is taken if x_i = y_i = 0; with "approximation" J is never formed, and A
 * is used for products alone. Cost and workspace: descent.c.
 *
 * pfischer has penalised equations (Chen, Chen, Kanzow 2000),
 *
 *   F_i(x) = lambda (x_i + y_i - sqrt(x_i^2 + y_i^2)) + (1 - lambda) x_i+ y_i+ = 0,
 *
 * of which those of fischer are lambda = 1. If x_i and y_i are both large and positive the
 * Fischer-Burmeister function grows like the smaller of them; the added product grows with both, so
 * that the level sets of theta are bounded for every monotone problem with a strictly feasible
 * point. The price is a function that is no longer homogeneous: lambda weighs the two in the unit
 * of map.h, in which max |b_i| / sqrt(A_ii) is one. */
#include "method/newton/descent.h"

static const perp_parameter fischer[] = {
    PERP_NEWTON_PARAMETERS,
    PERP_DESCENT_PARAMETERS,
    {0},
};
static const perp_parameter pfischer[] = {
    PERP_NEWTON_PARAMETERS,
    PERP_REAL(perp_descent_parameters, lambda, 0.95, 0.01, 1,
              "weight of the Fischer-Burmeister part; 1 leaves it alone"),
    PERP_DESCENT_PARAMETERS,
    {0},
};

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  return perp_descent_solve(run, params, x);
}

#define FISCHER                                                                                    \
  .family = "newton", .takes = PERP_TAKES_BOXES, .needs = PERP_CAN_APPLY, .max_iterations = 500,   \
  .works = "P0 matrices, positive semi-definite ones among them, and friction pyramids",           \
  .parameter_bytes = sizeof(perp_descent_parameters), .solve = solve

const perp_method perp_method_fischer = {
    FISCHER,
    .name = "fischer",
    .title = "Fischer-Newton",
    .source = "deluca-facchinei-kanzow-1996",
    .iteration = "x <- x + t dx, (D_p + D_q A) dx = -phi(x, y), phi of Fischer and Burmeister",
    .parameters = fischer,
    .preset = &(const perp_descent_parameters){.lambda = 1},
};

const perp_method perp_method_pfischer = {
    FISCHER,
    .name = "pfischer",
    .title = "penalised Fischer-Newton",
    .reference = true,
    .source = "chen-chen-kanzow-2000",
    .iteration = "x <- x + t dx, (D_p + D_q A) dx = -phi(x, y), phi with a penalty for x y > 0",
    .parameters = pfischer,
};
