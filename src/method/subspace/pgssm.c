/* pgssm.c: projected Gauss-Seidel with subspace minimisation (Morales, Nocedal, Smelyanskiy 2008)
 *
 * A few sweeps guess which rows are at their bounds; systems in the others, solved and projected
 * several times over with ever fewer rows, mend the guess. cycle.c has the algorithm, its
 * derivation and its costs. */
#include "method/subspace/cycle.h"

typedef struct {
  int k_gs, k_sm, accelerate, choice, solver, precondition;
  double caution, cg_tol;
} pgssm_parameters;

static const perp_parameter parameters[] = {
    PERP_INTEGER(pgssm_parameters, k_gs, 0, 0, 10000,
                 "sweeps in a cycle; 0: as many as take about as long as a factor"),
    PERP_INTEGER(pgssm_parameters, k_sm, 5, 0, 10000,
                 "subspace minimisations in a cycle at the most; 0: sweeps alone"),
    PERP_FLAG(pgssm_parameters, accelerate, 1, "conjugate directions over the sweeps"),
    PERP_REAL(
        pgssm_parameters, caution, 300, 0, 1e9,
        "rows that so many more sweeps would take to a bound are held there; 0: as published"),
    PERP_CHOICE(pgssm_parameters, choice, PERP_CHOICE_AUTO, 2, perp_cycle_choices,
                "what decides between z^s and the safeguard z^b"),
    PERP_CHOICE(pgssm_parameters, solver, PERP_LINEAR_AUTO, 5, perp_subspace_solvers,
                "of the subspace systems"),
    PERP_CHOICE(pgssm_parameters, precondition, PERP_PRECONDITION_AUTO, 7,
                perp_subspace_preconditioners, "of Krylov solvers"),
    PERP_REAL(pgssm_parameters, cg_tol, 1e-4, 1e-14, 0.9,
              "relative residual at which Krylov solvers end"),
    {0},
};

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p;
  const pgssm_parameters *par = params;
  const perp_cycle_plan plan = {
      .k_gs = par->k_gs,
      .k_sm = par->k_sm,
      .accelerate = par->accelerate != 0,
      .caution = par->caution,
      .choice = (perp_cycle_choice)par->choice,
      .system.solver = (perp_linear_solver)par->solver,
      .system.preconditioner = (perp_linear_preconditioner)par->precondition,
      .system.factor_grids = true, /* a factor outlives many sets of rows */
      .cg_tol = par->cg_tol,
  };
  return perp_cycle_solve(run, &plan, x);
}

const perp_method perp_method_pgssm = {
    .name = "pgssm",
    .title = "projected Gauss-Seidel with subspace minimisation",
    .family = "subspace",
    .source = "morales-nocedal-smelyanskiy-2008",
    .takes = PERP_TAKES_LCP | PERP_TAKES_MIXED | PERP_TAKES_BOXED,
    .needs = PERP_CAN_RELAX,
    .works = "symmetric positive (semi-)definite A with a positive diagonal",
    .iteration = "Gauss-Seidel sweeps, then A_FF p = -y_F, x <- P(x + p), F smaller, a few times",
    .max_iterations = 10000,
    .parameters = parameters,
    .parameter_bytes = sizeof(pgssm_parameters),
    .solve = solve,
};
