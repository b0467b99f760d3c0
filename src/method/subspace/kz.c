/* kz.c: the two-step method of Kocvara and Zowe (1994)
 *
 * Sweeps, then one subspace minimisation from which x goes back into the box along the straight
 * line: pgssm with k_sm = 1 and the point z^b always (cycle.c). Each cycle lowers the energy, but
 * a step may end at the first bound it meets, so that rows join the bounds one by one: on
 * ill-conditioned problems hundreds of systems take the place of ten. */
#include "method/subspace/cycle.h"

typedef struct {
  int k_gs, solver, precondition;
  double cg_tol;
} kz_parameters;

static const perp_parameter parameters[] = {
    PERP_INTEGER(kz_parameters, k_gs, 5, 1, 10000, "sweeps in a cycle"),
    PERP_CHOICE(kz_parameters, solver, PERP_LINEAR_AUTO, 5, perp_subspace_solvers,
                "of the subspace systems"),
    PERP_CHOICE(kz_parameters, precondition, PERP_PRECONDITION_AUTO, 7,
                perp_subspace_preconditioners, "of Krylov solvers"),
    PERP_REAL(kz_parameters, cg_tol, 1e-4, 1e-14, 0.9,
              "relative residual at which Krylov solvers end"),
    {0},
};

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  const kz_parameters *par = params;
  const perp_cycle_plan plan = {
      .k_gs = par->k_gs,
      .k_sm = 1,
      .backtrack = true,
      .system.solver = (perp_linear_solver)par->solver,
      .system.preconditioner = (perp_linear_preconditioner)par->precondition,
      .system.factor_grids = true, /* a factor outlives many sets of rows */
      .cg_tol = par->cg_tol,
  };
  return perp_cycle_solve(run, &plan, x);
}

const perp_method perp_method_kz = {
    .name = "kz",
    .title = "sweeps and one subspace minimisation with backtracking",
    .family = "subspace",
    .source = "kocvara-zowe-1994",
    .takes = PERP_TAKES_LCP | PERP_TAKES_MIXED | PERP_TAKES_BOXED,
    .needs = PERP_CAN_RELAX,
    .works = "symmetric positive (semi-)definite A with a positive diagonal",
    .iteration = "Gauss-Seidel sweeps, then A_FF p = -y_F, x <- x + alpha p as far as the box goes",
    .max_iterations = 10000,
    .parameters = parameters,
    .parameter_bytes = sizeof(kz_parameters),
    .solve = solve,
};
