/* solver.c: solver objects; ../registry.c makes them by name */
#include "base/parameter.h"
#include "linalg/vector.h"
#include "method/run/device_problem.h"
#include "method/run/driver.h"
#include "method/run/factor_cache.h"
#include "method/run/small_solve.h"
#include "problem/judge.h"
#include "set/set.h"

#include <string.h>

struct perp_solver {
  const perp_method *method;
  const perp_services *services;
  void *parameters; /* method->parameter_bytes */
  perp_arena arena;
  struct perp_memory memory;
  perp_ordered_copy ordered;
  bool once;    /* nothing is kept */
  bool altered; /* some parameter was set */
  void *companion;
  void (*destroy_companion)(void *companion);
};

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

void perp_solver_keep_nothing(perp_solver *solver)
{
  solver->once = true;
}

perp_error perp_solver_like(const perp_solver *model, perp_solver **solver, perp_message *why)
{
  if (!*solver) {
    const perp_error error = perp_solver_make(model->method, model->services, solver, why);
    if (error)
      return error;
  }
  memcpy((*solver)->parameters, model->parameters, model->method->parameter_bytes);
  (*solver)->altered = model->altered;
  return PERP_OK;
}

perp_shared_factor *perp_solver_borrow(perp_solver *solver, const perp_operator *A)
{
  struct perp_memory *memory = &solver->memory;
  if (!memory->offer.entry || memory->offer.values != A->values)
    return NULL;
  if (!memory->shared) {
    memory->shared = perp_alloc_zero(1, sizeof *memory->shared);
    if (!memory->shared)
      return NULL;
    *memory->shared = (perp_shared_factor){.holders = 1, .stands = true, .what = memory->offer};
  }
  memory->shared->holders++;
  return memory->shared;
}

void *perp_solver_companion(const perp_solver *solver)
{
  return solver->companion;
}

void perp_solver_set_companion(perp_solver *solver, void *object, void (*destroy)(void *object))
{
  solver->companion = object;
  solver->destroy_companion = destroy;
}

void perp_solver_destroy(perp_solver *solver)
{
  if (!solver)
    return;
  if (solver->companion)
    solver->destroy_companion(solver->companion);
  perp_arena_free(&solver->arena);
  perp_memory_free(&solver->memory);
  perp_ordered_copy_free(&solver->ordered);
  perp_free(solver->parameters);
  perp_free(solver);
}

void perp_solver_method_sized(const perp_solver *solver, perp_method_info *info, size_t size)
{
  perp_method_describe(solver ? solver->method : NULL, info, size);
}

perp_error perp_solver_set(perp_solver *solver, const char *name, double value, perp_message *why)
{
  if (!solver || !name)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "solver or name is NULL");
  solver->altered = true;
  return perp_parameter_set(solver->method->name, solver->method->parameters, solver->parameters,
                            name, value, why);
}

perp_error perp_solver_set_text(perp_solver *solver, const char *name, const char *text,
                                perp_message *why)
{
  if (!solver || !name || !text)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "solver, name or text is NULL");
  solver->altered = true;
  return perp_parameter_set_text(solver->method->name, solver->method->parameters,
                                 solver->parameters, name, text, why);
}

perp_error perp_solver_get(const perp_solver *solver, const char *name, double *value,
                           perp_message *why)
{
  if (!solver || !name || !value)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "solver, name or value is NULL");
  return perp_parameter_get(solver->method->name, solver->method->parameters, solver->parameters,
                            name, value, why);
}

static perp_error refuse_device(const perp_method *method, const perp_device *device,
                                perp_message *why)
{
  return perp_fail(why, PERP_ERROR_UNSUPPORTED, "%s does not run on devices (%s)", method->name,
                   perp_device_facts(device).name);
}

/* Only contact worlds support single precision. */
static perp_error check_precision(const perp_method *method, const perp_device *device,
                                  perp_message *why)
{
  if (device->precision == PERP_PRECISION_DOUBLE)
    return PERP_OK;
  return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                   "%s on device %s runs in double precision only; single precision is available "
                   "for batches of contact worlds with coloured or bgs",
                   method->name, perp_device_facts(device).name);
}

perp_error perp_solver_batch_device(const perp_solver *solver, perp_device *device,
                                    struct perp_job *job, int first, int count, int threads,
                                    perp_message *why)
{
  const perp_method *method = solver->method;
  if (!method->device || !method->device->batch)
    return refuse_device(method, device, why);
  const perp_error error = check_precision(method, device, why);
  return error ? error
         : job ? method->device->batch(device, job, first, count, threads, solver->parameters, why)
               : PERP_OK;
}

perp_error perp_solver_worlds_device(const perp_solver *solver, perp_device *device,
                                     struct perp_world_job *job, int first, int count, int threads,
                                     perp_message *why)
{
  const perp_method *method = solver->method;
  if (!method->device || !method->device->worlds)
    return refuse_device(method, device, why);
  return job ? method->device->worlds(device, job, first, count, threads, solver->parameters, why)
             : PERP_OK;
}

/* Checks that the method solves this form on this kind of operator, on the device of the
 * options. */
static perp_error check_fit(const perp_method *method, const perp_problem *p,
                            const perp_options *options, bool placed, perp_message *why)
{
  if (options->device && (!method->device || !method->device->solve))
    return refuse_device(method, options->device, why);
  const perp_error error =
      options->device ? check_precision(method, options->device, why) : PERP_OK;
  if (error)
    return error;
  if (options->device && options->x_low)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, "x_low is not available for a solve on a device");
  const perp_form form = placed ? PERP_FORM_BOXED : perp_set_form(&p->K); /* see check_placed */
  if (!(method->takes & PERP_TAKES(form)))
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
  for (unsigned k = 0; missing && k < sizeof abilities / sizeof *abilities; k++)
    if (missing & (1u << k))
      return perp_fail(
          why, PERP_ERROR_UNSUPPORTED, "%s needs the ability '%s', which this %s operator lacks%s",
          method->name, abilities[k], perp_operator_kind(p->A),
          1u << k == PERP_CAN_RELAX ? " (an operator with the ability 'row' has it too)" : "");
  return PERP_OK;
}

/* Checks a problem that is judged on a device, where its numbers are checked (device_problem.c). */
static perp_error check_placed(const perp_method *method, const perp_problem *p, perp_message *why)
{
  const perp_error error = perp_problem_validate_sizes(p, why);
  const bool takes = method->device && method->device->placed;
  if (!error && (!takes || p->K.findex || p->K.cones > 0))
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, "%s takes arrays in device memory %s",
                     method->name,
                     takes ? "only for problems with bounds and without friction"
                           : "only in batches; for a single solve pass arrays in CPU memory");
  return error;
}

static perp_error check_start(int n, const double *x, perp_message *why)
{
  const int64_t i = perp_first_not_finite(n, x);
  if (i < 0)
    return PERP_OK;
  return perp_fail(why, PERP_ERROR_ARGUMENT, "the start x[%d] = %g is not finite", (int)i, x[i]);
}

/* Returns true if the problem has few rows and was solved without a driver. */
static bool solve_small(perp_solver *solver, struct perp_memory *memory,
                        const perp_problem *problem, const perp_options *options, double *x,
                        perp_result *result)
{
  return solver->method->solve_small && memory && !solver->altered && !options->x_low &&
         !options->device &&
         perp_small_solve(solver->method, problem, options, &solver->arena, memory, x, result);
}

static perp_error drive(perp_solver *solver, struct perp_memory *memory,
                        const perp_problem *problem, const perp_options *options, double *x,
                        perp_result *result)
{
  return perp_driver_run(solver->method, solver->parameters, solver->services, problem, options,
                         INFINITY, &solver->arena, memory, x, true, result);
}

/* x, y and the ray in the caller's order and units. */
static void return_order(const perp_ordered *o, double *x, double *y, perp_result *result)
{
  const size_t n = (size_t)o->problem.K.n;
  perp_ordered_return(o, o->x, 1, x);
  perp_ordered_return(o, result->y, -1, y);
  result->y = y;
  if (result->ray)
    perp_ordered_return(o, result->ray, 1, y + n);
  result->ray = result->ray ? y + n : NULL;
}

/* The verdict on x and on a certificate for contacts that were taken apart: the numbers of the
 * problem that was solved are rounded if its rows are scaled or have another order. */
static perp_error judge_contacts(perp_solver *solver, const perp_problem *problem,
                                 const perp_options *options, const double *x, double *y,
                                 perp_result *result)
{
  double *scratch;
  char *room;
  if (!PERP_TAKE(&solver->arena, PERP_ARRAY(scratch, problem->A->scratch),
                 PERP_ARRAY(room, perp_judge_bytes(problem->A))))
    return perp_fail(&result->message, PERP_ERROR_MEMORY, "out of memory at n = %d", problem->K.n);
  const int failures = perp_operator_failures(problem->A);
  const perp_work work = {.threads = 1, .scratch = scratch};
  result->residual = perp_judge(problem, x, y, &work, room);
  if (result->outcome == PERP_INFEASIBLE && !perp_prove(problem, result->ray, &solver->arena, NULL))
    result->outcome = PERP_RAY;
  result->relative_residual = result->residual / result->scale;
  const perp_outcome ending = result->outcome == PERP_SOLVED ? PERP_STAGNATED : result->outcome;
  result->outcome = perp_verdict_outcome(result->residual,
                                         perp_verdict_target(options->tol, result->scale), ending);
  return perp_operator_failed(problem->A, failures, &result->message);
}

/* Solves problems whose cones are not the first rows or not of three rows, by a copy of the
 * matrix. */
static perp_error drive_in_order(perp_solver *solver, struct perp_memory *memory,
                                 const perp_problem *problem, const perp_options *options,
                                 double *x, perp_result *result)
{
  perp_ordered o;
  double *y = perp_arena_alloc(&solver->arena, 2 * (size_t)problem->K.n, sizeof *y);
  if (!y)
    return perp_fail(&result->message, PERP_ERROR_MEMORY, "out of memory at n = %d", problem->K.n);
  if (problem->K.dim && options->device)
    return perp_fail(&result->message, PERP_ERROR_UNSUPPORTED,
                     "device %s takes cones of three rows, not contacts with dim",
                     perp_device_facts(options->device).name);
  perp_error error = perp_ordered_begin(problem, options, x, &solver->arena,
                                        memory ? &solver->ordered : NULL, &o, &result->message);
  if (!error)
    error = check_fit(solver->method, &o.problem, options, false, &result->message);
  if (!error && !solve_small(solver, memory, &o.problem, &o.options, o.x, result))
    error = drive(solver, memory, &o.problem, &o.options, o.x, result);
  if (!error)
    return_order(&o, x, y, result);
  if (!error && problem->K.dim && !o.same)
    error = judge_contacts(solver, problem, options, x, y, result);
  perp_ordered_end(&o);
  return error;
}

/* Solves with options and a result of this library's size. */
static perp_error solve(perp_solver *solver, const perp_problem *problem,
                        const perp_options *options, double *x, perp_result *result)
{
  perp_message *why = &result->message;
  perp_error error;
  perp_arena_reset(&solver->arena);
  perp_memory_begin(&solver->memory);
  struct perp_memory *memory = solver->once ? NULL : &solver->memory;
  if (problem && !problem->K.reserved[0] &&
      solve_small(solver, memory, problem, options, x, result)) {
    if (options->y)
      memcpy(options->y, result->y, (size_t)problem->K.n * sizeof *x);
    return PERP_OK;
  }
  const bool placed = perp_placed_is_wanted(solver->method, problem, options, x);
  if ((error = perp_options_check(options, why)) ||
      (error = placed ? check_placed(solver->method, problem, why)
                      : perp_problem_validate(problem, why)))
    return error;
  if (problem->K.n == 0) {
    result->outcome = PERP_SOLVED;
    result->method = solver->method->name;
    result->residual = result->relative_residual = 0;
    perp_fail(why, PERP_OK, "an empty problem is solved");
    return PERP_OK;
  }
  if (!x)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "x is NULL");
  if ((error = check_fit(solver->method, problem, options, placed, why)) ||
      (error = placed ? PERP_OK : check_start(problem->K.n, x, why)) ||
      (options->x_low && (error = perp_refine_check(solver->method, problem, why))))
    return error;

  const perp_refiner refiner = {solver->method, solver->parameters, solver->services,
                                &solver->arena, memory};
  error = options->x_low ? perp_refine_run(&refiner, problem, options, x, result)
          : perp_set_is_ordered(&problem->K)
              ? drive(solver, memory, problem, options, x, result)
              : drive_in_order(solver, memory, problem, options, x, result);
  if (!error && options->y && result->y)
    memcpy(options->y, result->y, (size_t)problem->K.n * sizeof *x);
  if (!error && options->ray && result->ray)
    memcpy(options->ray, result->ray, (size_t)problem->K.n * sizeof *x);
  return error;
}

perp_error perp_solver_solve(perp_solver *solver, const perp_problem *problem,
                             const perp_options *options, double *x, perp_result *result)
{
  perp_call c;
  if (!perp_call_begin(&c, options, result))
    return PERP_ERROR_ARGUMENT;
  const perp_error error =
      !c.options ? PERP_ERROR_ARGUMENT
      : !solver  ? perp_fail(&c.result->message, PERP_ERROR_ARGUMENT, "solver is NULL")
                 : solve(solver, problem, c.options, x, c.result);
  return perp_call_end(&c, solver ? solver->method->name : "perp", error);
}

/* Judges x, or x + low if `twice`. */
static perp_error judge(const perp_problem *problem, const double *x, bool twice, const double *low,
                        double *residual, double *scale, perp_message *why)
{
  perp_error error = perp_problem_validate(problem, why);
  if (!error && ((problem->K.n > 0 && (!x || (twice && !low))) || !residual || !scale))
    error =
        perp_fail(why, PERP_ERROR_ARGUMENT, "perp_problem_judge%s needs x, %sresidual and scale",
                  twice ? "_low" : "", twice ? "x_low, " : "");
  if (!error && twice)
    error = perp_refine_check(NULL, problem, why);
  if (error)
    return error;
  const int n = problem->K.n;
  double *y = perp_alloc((size_t)n, sizeof *y);
  double *scratch = perp_alloc(problem->A->scratch, sizeof *scratch);
  void *room = perp_alloc(perp_judge_bytes(problem->A), 1);
  if (!y || !scratch || !room) {
    error = perp_fail(why, PERP_ERROR_MEMORY, "out of memory at n = %d", n);
  } else {
    const int failures = perp_operator_failures(problem->A);
    *residual =
        twice ? perp_judge_low(problem, x, low, y, room)
              : perp_judge(problem, x, y, &(perp_work){.threads = 1, .scratch = scratch}, room);
    *scale = perp_problem_scale(problem);
    error = perp_operator_failed(problem->A, failures, why);
  }
  perp_free(room);
  perp_free(y);
  perp_free(scratch);
  return error;
}

perp_error perp_problem_judge(const perp_problem *problem, const double *x, double *residual,
                              double *scale, perp_message *why)
{
  return judge(problem, x, false, NULL, residual, scale, why);
}

perp_error perp_problem_judge_low(const perp_problem *problem, const double *x, const double *x_low,
                                  double *residual, double *scale, perp_message *why)
{
  return judge(problem, x, true, x_low, residual, scale, why);
}
