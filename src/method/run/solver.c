/* solver.c: solver objects, options, results; ../registry.c makes solvers by name */
#include "base/parameter.h"
#include "method/run/driver.h"
#include "problem/judge.h"
#include "set/set.h"

#include <string.h>

struct perp_solver {
  const perp_method *method;
  const perp_services *services;
  void *parameters; /* method->parameter_bytes */
  perp_arena arena;
};

void perp_options_init(perp_options *options, size_t size)
{
  if (!options || size < sizeof *options)
    return;
  memset(options, 0, size);
  *options = (perp_options){
      .size = size,
      .tol = 1e-8,
      .threads = 1,
  };
}

void perp_result_init(perp_result *result, size_t size)
{
  if (!result || size < sizeof *result)
    return;
  memset(result, 0, size);
  result->size = size;
  result->outcome = PERP_NOT_RUN;
  result->residual = INFINITY;
  result->scale = 1;
  result->merit = NAN;
}

perp_method_info perp_method_describe(const perp_method *m)
{
  return (perp_method_info){
      .name = m->name,
      .title = m->title,
      .family = m->family,
      .source = m->source,
      .takes = m->takes,
      .needs = m->needs,
      .max_iterations = m->max_iterations,
      .most_unknowns = m->most_unknowns,
      .iteration = m->iteration,
      .works = m->works,
      .parameters = m->parameters,
      .reference = m->reference,
  };
}

void perp_method_defaults(const perp_method *method, void *parameters)
{
  if (method->preset)
    memcpy(parameters, method->preset, method->parameter_bytes);
  perp_parameters_default(method->parameters, parameters);
}

perp_error perp_solver_make(const perp_method *method, const perp_services *services,
                            perp_solver **solver, perp_message *why)
{
  perp_solver *s = perp_alloc_zero(1, sizeof *s);
  void *parameters = perp_alloc_zero(1, method->parameter_bytes);
  if (!s || !parameters) {
    perp_free(s);
    perp_free(parameters);
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a solver of %s", method->name);
  }
  s->method = method;
  s->services = services;
  s->parameters = parameters;
  perp_method_defaults(method, parameters);
  *solver = s;
  return PERP_OK;
}

void perp_solver_destroy(perp_solver *solver)
{
  if (!solver)
    return;
  perp_arena_free(&solver->arena);
  perp_free(solver->parameters);
  perp_free(solver);
}

perp_method_info perp_solver_method(const perp_solver *solver)
{
  return solver ? perp_method_describe(solver->method) : (perp_method_info){0};
}

perp_error perp_solver_set(perp_solver *solver, const char *name, double value, perp_message *why)
{
  if (!solver || !name)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "no solver, or no parameter named");
  return perp_parameter_set(solver->method->name, solver->method->parameters, solver->parameters,
                            name, value, why);
}

perp_error perp_solver_set_text(perp_solver *solver, const char *name, const char *text,
                                perp_message *why)
{
  if (!solver || !name || !text)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "no solver, no parameter named, or no value");
  return perp_parameter_set_text(solver->method->name, solver->method->parameters,
                                 solver->parameters, name, text, why);
}

perp_error perp_solver_get(const perp_solver *solver, const char *name, double *value)
{
  if (!solver || !name || !value)
    return PERP_ERROR_ARGUMENT;
  return perp_parameter_get(solver->method->parameters, solver->parameters, name, value);
}

static perp_error check_options(const perp_options *o, perp_message *why)
{
  if (o->size != sizeof *o)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "options of %zu bytes, but this library's have %zu: make them with "
                     "perp_options_default()",
                     o->size, sizeof *o);
  if (!(o->tol >= 0) || isinf(o->tol))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "tol = %g is not a tolerance", o->tol);
  if (o->max_iterations < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "max_iterations = %lld is below 0",
                     (long long)o->max_iterations);
  if (!(o->time_limit >= 0))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "time_limit = %g is not a number of seconds",
                     o->time_limit);
  if (!(o->merit_tol >= 0) || !(o->merit_rel_tol >= 0))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "merit_tol = %g, merit_rel_tol = %g: below 0",
                     o->merit_tol, o->merit_rel_tol);
  if (o->check_every < -1 || o->stagnation < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "check_every = %d, stagnation = %d: below 0",
                     o->check_every, o->stagnation);
  if (o->threads < 1 || o->threads > 1024)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "threads = %d is not in 1 .. 1024", o->threads);
  return PERP_OK;
}

/* Whether the method solves this form natively on this kind of operator. */
static perp_error check_fit(const perp_method *method, const perp_problem *p, perp_message *why)
{
  const perp_form form = perp_set_form(&p->K);
  if (!(method->takes & (1u << form)))
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, "%s does not take problems of the form '%s'",
                     method->name, perp_form_name(form));
  if (method->most_unknowns > 0 && p->K.n > method->most_unknowns)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "%s takes at most n = %d, this problem has n = %d", method->name,
                     method->most_unknowns, p->K.n);
  static const char *const abilities[] = {"apply",     "apply_t",        "diagonal",
                                          "row",       "column",         "relax",
                                          "principal", "block_diagonal", "velocities"};
  const unsigned missing = method->needs & ~perp_operator_abilities(p->A);
  for (unsigned k = 0; k < sizeof abilities / sizeof *abilities; k++)
    if (missing & (1u << k))
      return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                       "%s needs the ability '%s', which this %s operator lacks%s", method->name,
                       abilities[k], perp_operator_kind(p->A),
                       1u << k == PERP_CAN_RELAX ? " (rows would give it)" : "");
  return PERP_OK;
}

static perp_error check_start(int n, const double *x, perp_message *why)
{
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i]))
      return perp_fail(why, PERP_ERROR_ARGUMENT, "the start x[%d] = %g is not finite", i, x[i]);
  return PERP_OK;
}

perp_error perp_solver_solve(perp_solver *solver, const perp_problem *problem,
                             const perp_options *options, double *x, perp_result *result)
{
  if (!result || result->size != sizeof *result)
    return PERP_ERROR_ARGUMENT;
  perp_result_init(result, sizeof *result);
  perp_message *why = &result->message;
  const perp_options defaults = perp_options_default();
  if (!options)
    options = &defaults;
  if (!solver)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "no solver");

  perp_error error;
  if ((error = check_options(options, why)) || (error = perp_problem_check(problem, why)))
    return error;
  if (problem->K.n == 0) {
    result->outcome = PERP_SOLVED;
    result->method = solver->method->name;
    result->residual = 0;
    perp_fail(why, PERP_OK, "an empty problem is solved");
    return PERP_OK;
  }
  if (!x)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "x is NULL");
  if ((error = check_fit(solver->method, problem, why)) ||
      (error = check_start(problem->K.n, x, why)))
    return error;

  perp_arena_reset(&solver->arena);
  return perp_driver_run(solver->method, solver->parameters, solver->services, problem, options,
                         INFINITY, &solver->arena, x, result);
}

perp_error perp_check(const perp_problem *problem, const double *x, double *residual, double *scale,
                      perp_message *why)
{
  perp_error error = perp_problem_check(problem, why);
  if (error)
    return error;
  const int n = problem->K.n;
  if ((n > 0 && !x) || !residual || !scale)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "perp_check needs x, residual and scale");
  double *y = perp_alloc((size_t)n, sizeof *y);
  double *scratch = perp_alloc(problem->A->scratch, sizeof *scratch);
  void *room = perp_alloc(perp_judge_bytes(problem->A), 1);
  if (!y || !scratch || !room) {
    error = perp_fail(why, PERP_ERROR_MEMORY, "out of memory at n = %d", n);
  } else {
    *residual = perp_judge(problem, x, y, &(perp_work){.threads = 1, .scratch = scratch}, room);
    *scale = perp_scale(problem);
  }
  perp_free(room);
  perp_free(y);
  perp_free(scratch);
  return error;
}
