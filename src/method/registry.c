/* registry.c: every method, one line each, and solvers by the name of a method */
#include "method/run/method.h"
#include "method/system/linear.h"

#include <string.h>

/* A new method is one line here. */
/* clang-format off */
#define METHODS(method) \
  method(auto)       \
  method(direct)     \
  method(enumerate)  \
  method(lemke)      \
  method(dantzig)    \
  method(baraff)     \
  method(keller)     \
  method(murty)      \
  method(blockpivot) \
  method(jacobi)     \
  method(pgs)        \
  method(psor)       \
  method(spsor)      \
  method(coloured)   \
  method(bgs)        \
  method(bjacobi)    \
  method(nncg)       \
  method(apgd)       \
  method(spg)        \
  method(mprgp)      \
  method(gpcg)       \
  method(admm)       \
  method(minmap)     \
  method(fischer)    \
  method(pfischer)   \
  method(ssn)        \
  method(primal)     \
  method(alm)        \
  method(ipm)        \
  method(pgssm)      \
  method(kz)         \
  method(mg)         \
  method(prox)       \
  method(staggered)  \
  method(shock)
/* clang-format on */

#define DECLARE(name) extern const perp_method perp_method_##name;
#define ADDRESS(name) &perp_method_##name,
METHODS(DECLARE)
static const perp_method *const methods[] = {METHODS(ADDRESS) NULL};

int perp_method_count(void)
{
  int count = 0;
  while (methods[count])
    count++;
  return count;
}

void perp_method_at_sized(int index, perp_method_info *info, size_t size)
{
  const bool known = index >= 0 && index < perp_method_count();
  perp_method_describe(known ? methods[index] : NULL, info, size);
}

int perp_method_find(const char *name)
{
  for (int k = 0; name && methods[k]; k++)
    if (methods[k]->name[0] == name[0] && strcmp(methods[k]->name, name) == 0)
      return k;
  return -1;
}

extern const perp_linear_hook perp_multilevel_preconditioner;
static const perp_services services = {methods, &perp_multilevel_preconditioner};

/* ---- Solvers by name ---- */

perp_error perp_solver_create_with(const perp_method *method, perp_solver **solver,
                                   perp_message *why)
{
  return perp_solver_make(method, &services, solver, why);
}

perp_error perp_solver_create(const char *method, perp_solver **solver, perp_message *why)
{
  if (!solver)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "solver is NULL");
  *solver = NULL;
  method = method ? method : "auto";
  const int index = perp_method_find(method);
  if (index < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "there is no method '%.64s'", method);
  return perp_solver_create_with(methods[index], solver, why);
}

perp_error perp_solve(const char *method, const perp_problem *problem, const perp_options *options,
                      double *x, perp_result *result)
{
  perp_call c;
  if (!perp_call_begin(&c, options, result))
    return PERP_ERROR_ARGUMENT;
  perp_solver *solver = NULL;
  perp_result *r = c.result;
  perp_error error =
      c.options ? perp_solver_create(method, &solver, &r->message) : PERP_ERROR_ARGUMENT;
  if (!error) {
    perp_solver_keep_nothing(solver);
    error = perp_solver_solve(solver, problem, c.options, x, r);
  }
  perp_solver_destroy(solver);
  if (r->y) /* it was in the solver */
    r->y = c.options->y;
  if (r->ray)
    r->ray = c.options->ray;
  return perp_call_end(&c, NULL, error);
}
