/* solve.c: nonlinear complementarity problems: checks, attempts from several starts, the verdict */
#include "base/clock.h"
#include "base/elementary.h"
#include "base/sized.h"
#include "linalg/vector.h"
#include "model/ncp/run.h"
#include "operator/pattern.h"
#include "set/set.h"
#include "verdict/verdict.h"

#include <limits.h>
#include <string.h>

void perp_ncp_init(perp_ncp *ncp, size_t size)
{
  const perp_ncp own = {.size = sizeof own};
  perp_sized_write(&own, sizeof own, ncp, size);
}

void perp_ncp_options_init(perp_ncp_options *options, size_t size)
{
  const perp_ncp_options own = {
      .size = sizeof own, .tol = 1e-8, .max_iterations = 300, .restarts = 5};
  perp_sized_write(&own, sizeof own, options, size);
}

void perp_ncp_result_init(perp_ncp_result *result, size_t size)
{
  const perp_ncp_result own = {.size = sizeof own, .residual = INFINITY};
  perp_sized_write(&own, sizeof own, result, size);
}

/* ---- Methods ---- */

static void fischer(perp_ncp_run *run)
{
  perp_ncp_semismooth(run, &perp_ncp_fischer);
}

static void minmap(perp_ncp_run *run)
{
  perp_ncp_semismooth(run, &perp_ncp_natural);
}

typedef struct method {
  const char *name;
  void (*run)(perp_ncp_run *run);
} method;

enum { AUTO, JOSEPHY, FISCHER, MINMAP, HOMOTOPY, INTERIOR, METHODS };

static const method methods[METHODS] = {
    {"auto", NULL},     {"josephy", perp_ncp_josephy},   {"fischer", fischer},
    {"minmap", minmap}, {"homotopy", perp_ncp_homotopy}, {"interior", perp_ncp_interior}};

/* Their steps, merits and ways from the start differ, so that one rarely fails where another does. The
 * second time josephy begins with proximal steps. */
static const int ladder[] = {JOSEPHY, JOSEPHY, INTERIOR, HOMOTOPY, MINMAP};
enum { RUNGS = sizeof ladder / sizeof *ladder, CRASH = 1 };

const char *perp_ncp_method_name(int index)
{
  return index >= 0 && index < METHODS ? methods[index].name : NULL;
}

/* ---- Checks ---- */

static perp_error read_problem(const perp_ncp *from, perp_ncp *p, perp_message *why)
{
  if (!from)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "problem is NULL");
  *p = perp_ncp_default();
  const perp_error error = perp_sized_read("perp_ncp", from, p, sizeof *p, why);
  if (error)
    return error;
  if (p->n < 0 || p->n > INT_MAX)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "n = %lld must be from 0 to 2^31 - 1",
                     (long long)p->n);
  if (!p->F)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "problem.F is NULL");
  if (p->start && !p->jacobian)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "a sparse Jacobian (start, column) needs the callback jacobian");
  for (int64_t i = 0; i < p->n; i++) {
    const double lo = p->lo ? perp_bound(p->lo[i]) : 0;
    const double hi = p->hi ? perp_bound(p->hi[i]) : INFINITY;
    if (!(lo <= hi) || lo == INFINITY || hi == -INFINITY)
      return perp_fail(why, PERP_ERROR_PROBLEM,
                       "no finite number is between lo[%lld] = %g and hi[%lld] = %g", (long long)i,
                       lo, (long long)i, hi);
  }
  return p->start
             ? perp_pattern_check("Jacobian", "row", (int)p->n, (int)p->n, p->start, p->column, why)
             : PERP_OK;
}

static perp_error read_options(const perp_ncp_options *from, perp_ncp_options *to,
                               perp_message *why)
{
  *to = perp_ncp_options_default();
  const perp_error error =
      from ? perp_sized_read("perp_ncp_options", from, to, sizeof *to, why) : PERP_OK;
  if (error)
    return error;
  if (!(to->tol > 0) || to->max_iterations < 0 || !(to->time_limit >= 0) || to->restarts < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "tol = %g must be > 0; max_iterations = %lld, time_limit = %g and restarts = "
                     "%lld must be >= 0",
                     to->tol, (long long)to->max_iterations, to->time_limit,
                     (long long)to->restarts);
  if (to->verbose < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "verbose = %lld is below 0", (long long)to->verbose);
  if (to->linear && perp_method_find(to->linear) < 0)
    return perp_fail(why, PERP_ERROR_PARAMETER, "linear = %s: there is no such method", to->linear);
  return PERP_OK;
}

/* Makes verbose output precede the caller's observer. */
static void begin_verbose(perp_ncp_run *run)
{
  perp_ncp_options *o = &run->options;
  if (o->verbose == 0)
    return;
  run->verbose = (perp_verbose){.logger = o->logger ? o->logger : perp_log_to_stderr,
                                .logger_context = o->logger_context,
                                .observer = o->observer,
                                .observer_context = o->observer_context,
                                .every = o->verbose};
  o->observer = perp_verbose_observe;
  o->observer_context = &run->verbose;
}

static perp_error take_memory(perp_ncp_run *run, perp_message *why)
{
  const size_t n = (size_t)run->n;
  const size_t entries = run->p.start ? (size_t)run->p.start[n] : n * n;
  if ((!run->p.start && n > 0 && n > SIZE_MAX / n / sizeof(double)) ||
      !PERP_TAKE_REALS(&run->memory, n, &run->lo, &run->hi, &run->x, &run->F, &run->start,
                       &run->try_x, &run->try_F, &run->d, &run->gradient, &run->value, &run->a,
                       &run->b, &run->best) ||
      !PERP_TAKE_ZERO(&run->memory, PERP_ARRAY(run->J, entries)))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory, n = %d", run->n);
  for (int i = 0; i < run->n; i++) {
    run->lo[i] = run->p.lo ? perp_bound(run->p.lo[i]) : 0;
    run->hi[i] = run->p.hi ? perp_bound(run->p.hi[i]) : INFINITY;
  }
  return PERP_OK;
}

/* ---- Attempts ---- */

/* The first attempt begins at the start; later ones at starts that are moved further each time. */
static void move_start(const perp_ncp_run *run, const double *from, int64_t attempt, double *x)
{
  perp_random random = perp_random_from(run->options.seed * 1000 + (uint64_t)attempt);
  const double reach = 0.1 * (double)(1 << (attempt < 8 ? 2 * attempt : 14)) / 4;
  for (int i = 0; i < run->n; i++) {
    const double size = fabs(from[i]) > 1 ? fabs(from[i]) : 1;
    x[i] = from[i];
    if (attempt > 0)
      x[i] += reach * size * perp_random_between(&random, -1, 1);
  }
}

/* Reports the row in which F is not defined at the start, with the values there. */
static void refuse_start(perp_ncp_run *run, const double *from, perp_message *why)
{
  if (perp_ncp_move(run, from) || run->error) /* F has a value there now */
    return;
  const int64_t row = run->said_no ? -1 : perp_first_not_finite(run->n, run->try_F);
  run->error = row < 0
                   ? perp_fail(why, PERP_ERROR_CALLBACK,
                               "F is not defined at the start x: the callback refused it")
                   : perp_fail(why, PERP_ERROR_CALLBACK,
                               "F is not defined at the start: F[%lld] = %g at x[%lld] = %g",
                               (long long)row, run->try_F[row], (long long)row, run->try_x[row]);
}

/* Moves to a start away from the bounds, free variables away from 0, and nearer to 0 if that does not
 * suffice: the logarithm of a price, or a quotient, may have no value at a bound, and an exponential
 * none far from it. */
static bool enter_domain(perp_ncp_run *run, const double *from)
{
  for (double part = 1; part > 1e-4; part *= 0.1)
    for (double reach = 1e-2; reach < 1e2; reach *= 10) {
      for (int i = 0; i < run->n; i++) {
        const double lo = run->lo[i], hi = run->hi[i];
        const double away = perp_min(reach, 0.5 * (hi - lo));
        run->start[i] = perp_clamp(part * from[i], lo + away, hi - away);
        if (run->start[i] == 0)
          run->start[i] = away;
      }
      if (perp_ncp_move(run, run->start))
        return true;
      if (run->error)
        return false;
    }
  return false;
}

/* From each start by one method, or by each of the ladder in turn. */
static void attempts(perp_ncp_run *run, const method *m, const double *from)
{
  perp_message *why = &run->result->message;
  const int64_t rungs = !m->run && perp_ncp_has_newton(run) ? RUNGS : 1;
  for (int64_t k = 0; k / rungs <= run->options.restarts && !run->error; k++) {
    const method *now = m->run ? m : &methods[ladder[k % rungs]];
    move_start(run, from, k / rungs, run->start);
    if (!perp_ncp_move(run, run->start)) {
      if (run->error)
        return;
      if (perp_ncp_expired(run, &run->outcome))
        return;
      const bool entered = k < rungs && enter_domain(run, from);
      if (k == 0 && !entered && !run->error)
        refuse_start(run, from, why);
      if (run->error)
        return;
      if (!entered)
        continue; /* try another start; the outcome stays that of the last */
    }
    run->result->method = now->name;
    run->outcome = PERP_NOT_RUN;
    run->iterations = 0;
    run->merits_known = 0;
    perp_copy(run->n, run->x, run->start);
    run->result->counts.restarts = k / rungs;
    run->crash = rungs > 1 && k % rungs == CRASH;
    now->run(run);
    if (run->error || run->outcome == PERP_SOLVED || run->outcome == PERP_STOPPED ||
        run->outcome == PERP_TIME_LIMIT)
      return;
  }
}

/* Evaluates F at the best x again and sets the outcome. */
static void judge(perp_ncp_run *run, double *x)
{
  perp_ncp_result *r = run->result;
  const bool defined = perp_ncp_evaluate(run, run->best, run->F);
  if (run->error)
    return;
  r->residual = defined ? perp_ncp_residual(run, run->best, run->F) : INFINITY;
  r->outcome = perp_verdict_outcome(r->residual, perp_verdict_target(run->options.tol, 1),
                                    run->outcome == PERP_SOLVED ? PERP_REFUTED : run->outcome);
  perp_copy(run->n, run->best, x);
  perp_fail(&r->message, PERP_OK, "%s after %lld iterations and %lld restarts at residual %.3g%s",
            perp_outcome_name(r->outcome), (long long)r->counts.iterations,
            (long long)r->counts.restarts, r->residual,
            !r->differences   ? ""
            : run->p.jacobian ? ", Jacobian by differences where the callback does not define it"
                              : ", Jacobian by differences");
}

static perp_error solve(perp_ncp_run *run, const method *m, double *x)
{
  perp_message *why = &run->result->message;
  const perp_error error = take_memory(run, why);
  if (error)
    return error;
  if (m->run && m->run != perp_ncp_josephy && !perp_ncp_has_newton(run))
    return run->error
               ? run->error
               : perp_fail(
                     why, PERP_ERROR_BACKEND,
                     "%s: %d rows need UMFPACK, which is not installed; josephy does not need it",
                     m->name, run->n);
  attempts(run, m, x);
  if (!run->error)
    judge(run, x);
  return run->error;
}

perp_error perp_ncp_solve(const char *name, const perp_ncp *ncp, const perp_ncp_options *options,
                          double *x, perp_ncp_result *result)
{
  if (!result || !perp_sized_is_sane(result->size))
    return PERP_ERROR_ARGUMENT;
  perp_ncp_result own = perp_ncp_result_empty();
  perp_ncp_run run = {.result = &own, .best_residual = INFINITY};
  const method *m = methods;
  for (; name && m < methods + METHODS && strcmp(m->name, name) != 0;)
    m++;
  run.began = perp_clock_seconds();
  perp_error error = read_problem(ncp, &run.p, &own.message);
  if (!error)
    error = read_options(options, &run.options, &own.message);
  if (!error && m == methods + METHODS)
    error = perp_fail(&own.message, PERP_ERROR_ARGUMENT,
                      "no method \"%s\" for nonlinear problems: there are auto, josephy, fischer, "
                      "minmap, homotopy and interior",
                      name);
  if (!error && run.p.n > 0 && !x)
    error = perp_fail(&own.message, PERP_ERROR_ARGUMENT, "x is NULL");
  const int64_t bad = error ? -1 : perp_first_not_finite(run.p.n, x);
  if (bad >= 0)
    error = perp_fail(&own.message, PERP_ERROR_ARGUMENT, "x[%lld] = %g is not finite",
                      (long long)bad, x[bad]);
  if (!error) {
    run.n = (int)run.p.n;
    own.method = m->name;
    begin_verbose(&run);
    own.differences = !run.p.jacobian;
    error = solve(&run, m, x);
  }
  perp_ncp_system_close(&run);
  perp_operator_destroy(run.A);
  perp_solver_destroy(run.solver);
  perp_arena_free(&run.memory);
  own.seconds = perp_clock_seconds() - run.began;
  if (error)
    own.outcome = PERP_NOT_RUN;
  perp_sized_write(&own, sizeof own, result, result->size);
  return error;
}

perp_error perp_ncp_judge(const perp_ncp *ncp, const double *x, double *residual, perp_message *why)
{
  perp_ncp_result result = perp_ncp_result_empty();
  perp_ncp_run run = {.result = &result};
  perp_error error = read_problem(ncp, &run.p, why);
  if (!error && (!residual || (run.p.n > 0 && !x)))
    error = perp_fail(why, PERP_ERROR_ARGUMENT, "x or residual is NULL");
  if (error)
    return error;
  run.n = (int)run.p.n;
  error = take_memory(&run, why);
  if (!error) {
    const bool defined = perp_all_finite(run.n, x) && perp_ncp_evaluate(&run, x, run.F);
    *residual = defined ? perp_ncp_residual(&run, x, run.F) : INFINITY;
    error = run.error;
    if (error && why)
      *why = result.message;
  }
  perp_arena_free(&run.memory);
  return error;
}
