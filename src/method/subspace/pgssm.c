/* pgssm.c: projected Gauss-Seidel with subspace minimisation (Morales, Nocedal, Smelyanskiy 2008)
 *
 * A few sweeps guess which rows are at their bounds; systems in the others, solved and projected
 * several times over with ever fewer rows, mend the guess. cycle.c has the algorithm, its
 * derivation and its costs.
 *
 * kz is the two-step method of Kocvara and Zowe (1994): sweeps, then one subspace minimisation from
 * which x goes back into the box along the straight line: k_sm = 1 and the point z^b always. Each
 * cycle lowers the energy, but a step may end at the first bound it meets, so that rows join the
 * bounds one by one: on ill-conditioned problems hundreds of systems take the place of ten. */
#include "method/subspace/cycle.h"

typedef struct {
  int k_gs, k_sm, accelerate, backtrack, choice, solver, precondition;
  double caution, cg_tol;
} pgssm_parameters;

#define SYSTEMS                                                                                    \
  PERP_CHOICE(pgssm_parameters, solver, PERP_LINEAR_AUTO, 5, perp_subspace_solvers,                \
              "of the subspace systems"),                                                          \
      PERP_CHOICE(pgssm_parameters, precondition, PERP_PRECONDITION_AUTO, 7,                       \
                  perp_subspace_preconditioners, "of Krylov solvers"),                             \
      PERP_REAL(pgssm_parameters, cg_tol, 1e-4, 1e-14, 0.9,                                        \
                "relative residual at which Krylov solvers end")

static const perp_parameter pgssm[] = {
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
    SYSTEMS,
    {0},
};
static const perp_parameter kz[] = {
    PERP_INTEGER(pgssm_parameters, k_gs, 5, 1, 10000, "sweeps in a cycle"),
    SYSTEMS,
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
      .backtrack = par->backtrack != 0,
      .choice = (perp_cycle_choice)par->choice,
      .system.solver = (perp_linear_solver)par->solver,
      .system.preconditioner = (perp_linear_preconditioner)par->precondition,
      .system.factor_grids = true, /* a factor outlives many sets of rows */
      .cg_tol = par->cg_tol,
  };
  return perp_cycle_solve(run, &plan, x);
}

#define CYCLES                                                                                     \
  .family = "subspace", .takes = PERP_TAKES_LCP | PERP_TAKES_MIXED | PERP_TAKES_BOXED,             \
  .needs = PERP_CAN_RELAX,                                                                         \
  .works = "symmetric positive (semi-)definite A with a positive diagonal",                        \
  .max_iterations = 10000, .parameter_bytes = sizeof(pgssm_parameters), .solve = solve

const perp_method perp_method_pgssm = {
    CYCLES,
    .name = "pgssm",
    .title = "projected Gauss-Seidel with subspace minimisation",
    .source = "morales-nocedal-smelyanskiy-2008",
    .iteration = "Gauss-Seidel sweeps, then A_FF p = -y_F, x <- P(x + p), F smaller, a few times",
    .parameters = pgssm,
};

const perp_method perp_method_kz = {
    CYCLES,
    .name = "kz",
    .title = "sweeps and one subspace minimisation with backtracking",
    .source = "kocvara-zowe-1994",
    .iteration = "Gauss-Seidel sweeps, then A_FF p = -y_F, x <- x + alpha p as far as the box goes",
    .parameters = kz,
    .preset = &(const pgssm_parameters){.k_sm = 1, .backtrack = true},
};
