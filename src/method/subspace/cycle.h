/* subspace/cycle.h: projected Gauss-Seidel sweeps and subspace minimisation in turn; what pgssm and
 * kz share. cycle.c has the algorithm. */
#ifndef PERP_METHOD_SUBSPACE_CYCLE_H
#define PERP_METHOD_SUBSPACE_CYCLE_H

#include "method/subspace/system.h"

typedef enum perp_cycle_choice {
  PERP_CHOICE_AUTO, /* phi as long as A is symmetric and no step shows negative curvature */
  PERP_CHOICE_PHI,
  PERP_CHOICE_RESIDUAL,
} perp_cycle_choice;
extern const char *const perp_cycle_choices[]; /* for a PERP_CHOICE, its last word is number 2 */

extern const char *const perp_subspace_solvers[];         /* its last word is number 5 */
extern const char *const perp_subspace_preconditioners[]; /* its last word is number 7 */

typedef struct perp_cycle_plan {
  int k_gs; /* 0: found on the run */
  int k_sm;
  bool accelerate; /* the sweeps */
  double caution;  /* gamma */
  bool backtrack;  /* always take z^b */
  perp_cycle_choice choice;
  perp_linear_plan system;
  double cg_tol;
} perp_cycle_plan;

perp_error perp_cycle_solve(perp_run *run, const perp_cycle_plan *plan, double *x);

#endif
