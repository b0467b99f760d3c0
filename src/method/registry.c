/* registry.c: every method, one line each, and solvers by the name of a method */
#include "method/run/method.h"
#include "method/system/linear.h"

#include <string.h>

extern const perp_method perp_method_auto;
extern const perp_method perp_method_direct;
extern const perp_method perp_method_enumerate;
extern const perp_method perp_method_lemke;
extern const perp_method perp_method_dantzig;
extern const perp_method perp_method_baraff;
extern const perp_method perp_method_keller;
extern const perp_method perp_method_murty;
extern const perp_method perp_method_blockpivot;
extern const perp_method perp_method_jacobi;
extern const perp_method perp_method_pgs;
extern const perp_method perp_method_psor;
extern const perp_method perp_method_spsor;
extern const perp_method perp_method_coloured;
extern const perp_method perp_method_bgs;
extern const perp_method perp_method_bjacobi;
extern const perp_method perp_method_nncg;
extern const perp_method perp_method_apgd;
extern const perp_method perp_method_spg;
extern const perp_method perp_method_mprgp;
extern const perp_method perp_method_gpcg;
extern const perp_method perp_method_admm;
extern const perp_method perp_method_minmap;
extern const perp_method perp_method_fischer;
extern const perp_method perp_method_pfischer;
extern const perp_method perp_method_ssn;
extern const perp_method perp_method_alm;
extern const perp_method perp_method_primal;
extern const perp_method perp_method_homotopy;
extern const perp_method perp_method_ipm;
extern const perp_method perp_method_pgssm;
extern const perp_method perp_method_kz;
extern const perp_method perp_method_mg;
extern const perp_method perp_method_policy;
extern const perp_method perp_method_prox;
extern const perp_method perp_method_staggered;
extern const perp_method perp_method_shock;

/* clang-format off */
static const perp_method *const methods[] = {
    &perp_method_auto,
    &perp_method_direct,
    &perp_method_enumerate,
    &perp_method_lemke,
    &perp_method_dantzig,
    &perp_method_baraff,
    &perp_method_keller,
    &perp_method_murty,
    &perp_method_blockpivot,
    &perp_method_jacobi,
    &perp_method_pgs,
    &perp_method_psor,
    &perp_method_spsor,
    &perp_method_coloured,
    &perp_method_bgs,
    &perp_method_bjacobi,
    &perp_method_nncg,
    &perp_method_apgd,
    &perp_method_spg,
    &perp_method_mprgp,
    &perp_method_gpcg,
    &perp_method_admm,
    &perp_method_minmap,
    &perp_method_fischer,
    &perp_method_pfischer,
    &perp_method_ssn,
    &perp_method_primal,
    &perp_method_alm,
    &perp_method_homotopy,
    &perp_method_ipm,
    &perp_method_pgssm,
    &perp_method_kz,
    &perp_method_mg,
    &perp_method_policy,
    &perp_method_prox,
    &perp_method_staggered,
    &perp_method_shock,
    NULL,
};
/* clang-format on */

int perp_method_count(void)
{
  int count = 0;
  while (methods[count])
    count++;
  return count;
}

perp_method_info perp_method_at(int index)
{
  return index >= 0 && index < perp_method_count() ? perp_method_describe(methods[index])
                                                   : (perp_method_info){0};
}

int perp_method_find(const char *name)
{
  for (int k = 0; name && methods[k]; k++)
    if (methods[k]->name[0] == name[0] && strcmp(methods[k]->name, name) == 0)
      return k;
  return -1;
}

extern const perp_linear_hook perp_multilevel_preconditioner;
const perp_services perp_registry = {methods, &perp_multilevel_preconditioner};

/* ---- Solvers by name ---- */

perp_error perp_solver_create_with(const perp_method *method, perp_solver **solver,
                                   perp_message *why)
{
  return perp_solver_make(method, &perp_registry, solver, why);
}

perp_error perp_solver_create(const char *method, perp_solver **solver, perp_message *why)
{
  if (!method || !solver)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "no method named, or nowhere to put the solver");
  *solver = NULL;
  const int index = perp_method_find(method);
  if (index < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "there is no method '%.64s'", method);
  return perp_solver_create_with(methods[index], solver, why);
}

perp_error perp_solve(const char *method, const perp_problem *problem, const perp_options *options,
                      double *x, perp_result *result)
{
  if (!result || result->size != sizeof *result)
    return PERP_ERROR_ARGUMENT;
  perp_solver *solver = NULL;
  perp_result_init(result, sizeof *result);
  perp_error error = perp_solver_create(method, &solver, &result->message);
  if (error)
    return error;
  error = perp_solver_solve(solver, problem, options, x, result);
  perp_solver_destroy(solver);
  result->ray = NULL; /* it lived in the solver */
  return error;
}
