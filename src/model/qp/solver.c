/* solver.c: the driver of quadratic programs: the solver object, the choice of method, the verdict
 *
 * Methods work on the scaled program and show iterates; the driver unscales and judges them
 * (verdict.c). Only that makes a solve "solved".
 *
 * auto: admm if P is only applied. With a last solution, active runs from its set for a few rounds.
 * If that fails, or without a last solution, ipm runs. If nothing solves it and the program is
 * small, its feasibility is decided exactly. */
#include "model/qp/qp.h"

#include "base/sized.h"
#include "linalg/krylov.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

enum { IPM_ITERATIONS = 500, ACTIVE_ROUNDS = 200, WARM_ROUNDS = 20, ADMM_ITERATIONS = 50000 };

void perp_qp_options_init(perp_qp_options *options, size_t size)
{
  const perp_qp_options standard = {.size = sizeof standard, .tol = 1e-8};
  perp_sized_write(&standard, sizeof standard, options, size);
}

void perp_qp_result_init(perp_qp_result *result, size_t size)
{
  const perp_qp_result empty = {.size = sizeof empty,
                                .method = "",
                                .objective = NAN,
                                .primal = INFINITY,
                                .dual = INFINITY,
                                .gap = INFINITY,
                                .complementarity = INFINITY,
                                .primal_scale = 1,
                                .dual_scale = 1};
  perp_sized_write(&empty, sizeof empty, result, size);
}

/* ---- A run ---- */

bool perp_qp_expired(perp_qp_run *run)
{
  const perp_qp_options *o = run->options;
  if (!run->stopped && o->time_limit > 0 && perp_clock_seconds() - run->start > o->time_limit)
    run->stopped = run->by_time = true;
  if (!run->stopped && o->interrupted && o->interrupted(o->interrupted_context))
    run->stopped = true;
  return run->stopped;
}

static bool rings(void *run)
{
  return perp_qp_expired(run);
}

perp_alarm perp_qp_run_alarm(perp_qp_run *run)
{
  return (perp_alarm){rings, run};
}

bool perp_qp_show(perp_qp_run *run)
{
  perp_qp_solver *s = run->solver;
  const int n = s->n, all = n + s->m;
  double *x = s->shown_x, *v = s->shown_v;
  for (int i = 0; i < n; i++) {
    x[i] = perp_min(perp_max(s->D[i] * s->x[i], s->low[i]), s->high[i]);
    v[i] = s->v[i] / s->D[i];
  }
  for (int k = n; k < all; k++)
    v[k] = s->D[k] * s->v[k];
  perp_qp_postsolve(s, v);
  for (int k = 0; k < all; k++)
    if (isinf(v[k] > 0 ? s->U[k] : s->L[k])) /* no bound to push against */
      v[k] = 0;
  perp_qp_verdict t;
  if ((run->error = perp_qp_verdict_of(s, x, v, &t, &run->why)))
    return false;
  const double worst = perp_qp_worst(&t), least = perp_qp_worst(&run->best);
  if (worst < least || (worst == least && t.primal < run->best.primal)) {
    run->best = t;
    perp_exchange_vectors(&s->shown_x, &s->best_x);
    perp_exchange_vectors(&s->shown_v, &s->best_v);
  }
  return perp_qp_solved(&run->best, run->options->tol);
}

static bool solved(const perp_qp_run *run)
{
  return perp_qp_solved(&run->best, run->options->tol);
}

/* ---- Creation ---- */

/* (P G^T; G 0), scaled, for the order and the factor. */
static perp_qp_factor *make_factor(perp_qp_solver *s)
{
  const int n = s->n, m = s->m;
  const perp_qp_scaled *d = &s->scaled;
  perp_arena arena = {0};
  perp_qp_rows K;
  perp_qp_factor *f = NULL;
  if (perp_qp_take_rows(&arena, n + m, n + m, d->P.start[n] + 2 * d->G.start[m], &K)) {
    int64_t at = 0;
    for (int i = 0; i < n; i++) {
      K.start[i] = at;
      at = perp_qp_append(&K, at, &d->P, i, 0, 1);
      at = perp_qp_append(&K, at, &d->T, i, n, 1);
    }
    for (int i = 0; i < m; i++) {
      K.start[n + i] = at;
      at = perp_qp_append(&K, at, &d->G, i, 0, 1);
    }
    K.start[n + m] = at;
    f = perp_qp_factor_create(&K, &s->arena);
  }
  perp_arena_free(&arena);
  return f;
}

static bool take_arrays(perp_qp_solver *s)
{
  const size_t n = (size_t)s->n, m = (size_t)s->m, all = n + m;
  bool taken =
      PERP_TAKE_ZERO_REALS(&s->arena, all, &s->sigma, &s->weight, &s->own, &s->v, &s->best_v,
                           &s->shown_v) &&
      PERP_TAKE_INTEGERS(&s->arena, 2 * all, &s->bound_row) &&
      PERP_TAKE_ZERO_REALS(&s->arena, n, &s->x, &s->best_x, &s->shown_x) &&
      PERP_TAKE_ZERO_REALS(&s->arena, n > m ? n : m, &s->ray) &&
      PERP_TAKE(&s->arena, PERP_ARRAY(s->krylov, perp_gmres_work((int)all, PERP_QP_KRYLOV))) &&
      PERP_TAKE_ZERO(&s->arena, PERP_ARRAY(s->factored_side, all), PERP_ARRAY(s->sign, all),
                     PERP_ARRAY(s->side, all), PERP_ARRAY(s->guess, all), PERP_ARRAY(s->part, all));
  for (size_t k = 0; k < sizeof s->work / sizeof *s->work && taken; k++)
    taken = PERP_TAKE_REALS(&s->arena, all, &s->work[k]);
  for (size_t k = 0; k < sizeof s->bound / sizeof *s->bound && taken; k++)
    taken = PERP_TAKE_REALS(&s->arena, 2 * all, &s->bound[k]);
  for (size_t k = 0; k < sizeof s->step / sizeof *s->step && taken; k++)
    taken = PERP_TAKE_ZERO_REALS(&s->arena, all, &s->step[k]);
  for (size_t k = 0; k < all && taken; k++)
    s->sign[k] = k < n ? 1 : -1;
  return taken;
}

/* Checks that the method exists; *name becomes "auto" if it is NULL. */
static perp_error check_method(const char **name, perp_message *why)
{
  *name = *name ? *name : "auto";
  const bool kkt = strncmp(*name, "kkt:", 4) == 0;
  const bool known = !strcmp(*name, "auto") || !strcmp(*name, "ipm") || !strcmp(*name, "active") ||
                     !strcmp(*name, "admm") || (kkt && perp_method_find(*name + 4) >= 0);
  return known ? PERP_OK
               : perp_fail(why, PERP_ERROR_PARAMETER,
                           "no method \"%.100s\" for quadratic programs: there are auto, ipm, "
                           "active, admm and kkt:NAME",
                           *name);
}

perp_error perp_qp_solver_set_method(perp_qp_solver *solver, const char *method, perp_message *why)
{
  if (!solver)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "solver is NULL");
  const perp_error error = check_method(&method, why);
  if (!error)
    perp_fail(&solver->method_name, PERP_OK, "%s", method);
  return error;
}

perp_error perp_qp_solver_create(const char *method, const perp_qp *qp, perp_qp_solver **solver,
                                 perp_message *why)
{
  if (!solver)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "solver is NULL");
  *solver = NULL;
  perp_error error = check_method(&method, why);
  if (error)
    return error;
  perp_qp_solver *s;
  error = perp_qp_read(qp, &s, why);
  if (!error)
    perp_fail(&s->method_name, PERP_OK, "%s", method);
  if (!error && (!perp_qp_scale(s) || !take_arrays(s)))
    error = perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a quadratic program");
  if (!error && !s->applied && !(s->factor = make_factor(s)))
    error = perp_fail(why, PERP_ERROR_MEMORY, "out of memory for the factor of n = %d, m = %d",
                      s->n, s->m);
  if (!error)
    error = perp_qp_convex(s, why);
  if (error)
    perp_qp_solver_destroy(s);
  else
    *solver = s;
  return error;
}

void perp_qp_solver_destroy(perp_qp_solver *s)
{
  if (!s)
    return;
  perp_arena_free(&s->arena);
  perp_free(s);
}

perp_error perp_qp_solver_set(perp_qp_solver *s, const double *q, const double *l, const double *u,
                              const double *lb, const double *ub, perp_message *why)
{
  if (!s)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "solver is NULL");
  const int n = s->n, m = s->m;
  const int64_t bad = q ? perp_first_not_finite(n, q) : -1;
  if (bad >= 0)
    return perp_fail(why, PERP_ERROR_PROBLEM, "q[%d] = %g is not finite", (int)bad, q[bad]);
  const double *low = l ? l : s->L + n, *high = u ? u : s->U + n;
  const double *least = lb ? lb : s->L, *most = ub ? ub : s->U;
  perp_error error = perp_qp_validate_bounds("l", "u", m, low, high, why);
  if (!error)
    error = perp_qp_validate_bounds("lb", "ub", n, least, most, why);
  if (error)
    return error;
  if (q)
    memcpy(s->q, q, (size_t)n * sizeof *q);
  perp_qp_set_bounds(n, least, most, s->L, s->U);
  perp_qp_set_bounds(m, low, high, s->L + n, s->U + n);
  perp_qp_scale_vectors(s, false);
  return PERP_OK;
}

/* Finds the set of a solution: a row is on a bound if its multiplier, in its scale, exceeds its
 * distance. */
static void find_sides(perp_qp_solver *s, const double *x, const double *v,
                       const perp_qp_verdict *t)
{
  const int all = s->n + s->m;
  double *Ex = s->y[0];
  perp_qp_extend(&s->G, x, Ex);
  for (int k = 0; k < all; k++) {
    const double gap = v[k] > 0 ? fabs(s->U[k] - Ex[k]) : fabs(Ex[k] - s->L[k]);
    const bool on = v[k] != 0 && fabs(v[k]) * t->primal_scale > gap * t->dual_scale;
    s->side[k] = !on ? PERP_QP_INSIDE : v[k] > 0 ? PERP_QP_UPPER : PERP_QP_LOWER;
  }
}

void perp_qp_take_iterate(perp_qp_solver *s, const double *x, const double *v)
{
  for (int i = 0; i < s->n; i++) {
    s->x[i] = x[i] / s->D[i];
    s->v[i] = v[i] * s->D[i];
  }
  for (int k = s->n; k < s->n + s->m; k++)
    s->v[k] = v[k] / s->D[k];
}

perp_error perp_qp_solver_start(perp_qp_solver *s, const double *x, const double *z,
                                const double *w, perp_message *why)
{
  if (!s || (s->n > 0 && !x))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "solver or x is NULL");
  const int n = s->n, m = s->m;
  const double *const given[] = {x, z, w};
  for (int k = 0; k < 3; k++) {
    const int64_t bad = given[k] ? perp_first_not_finite(k == 1 ? m : n, given[k]) : -1;
    if (bad >= 0)
      return perp_fail(why, PERP_ERROR_PROBLEM, "the start has %c[%d] = %g, which is not finite",
                       "xzw"[k], (int)bad, given[k][bad]);
  }
  double *start = s->shown_x, *v = s->shown_v; /* z and w may belong to the last result */
  perp_fill(n + m, 0, v);
  if (z)
    perp_copy(m, z, v + n);
  if (w)
    perp_copy(n, w, v);
  perp_copy(n, x, start);
  perp_qp_verdict t;
  const perp_error error = perp_qp_verdict_of(s, start, v, &t, why);
  if (error)
    return error;
  find_sides(s, start, v, &t);
  perp_qp_take_iterate(s, start, v);
  s->warm = true;
  return PERP_OK;
}

/* ---- Solving ---- */

static void log_end(const perp_qp_run *run, const char *method)
{
  perp_message line;
  if (!run->options->logger)
    return;
  perp_fail(&line, PERP_OK, "%s: %s, largest residual %.3g after %.4g s", method,
            solved(run) ? "solved" : perp_outcome_name(run->claim), perp_qp_worst(&run->best),
            perp_clock_seconds() - run->start);
  run->options->logger(run->options->logger_context, PERP_LOG_INFO, line.text);
}

void perp_qp_tell(perp_qp_run *run, int64_t iteration, double residual, double step)
{
  const perp_qp_options *o = run->options;
  char line[120], moved[24] = "";
  if (o->verbose == 0 || iteration % o->verbose != 0)
    return;
  if (!run->told)
    o->logger(o->logger_context, PERP_LOG_INFO, " iteration    residual        step    seconds");
  run->told = true;
  if (!isnan(step))
    snprintf(moved, sizeof moved, "%.3e", step);
  snprintf(line, sizeof line, "%10lld  %10.3e  %10s  %9.3g", (long long)iteration, residual, moved,
           perp_clock_seconds() - run->start);
  o->logger(o->logger_context, PERP_LOG_INFO, line);
}

/* Runs a method of this folder, for at most this number of iterations by default. Returns its name. */
static const char *run_own(perp_qp_run *run, const char *name, int iterations)
{
  const int64_t given = run->options->max_iterations;
  run->max_iterations = given > 0 ? given : iterations;
  if (!strcmp(name, "ipm")) {
    perp_qp_scale_vectors(run->solver, true);
    perp_qp_ipm(run);
    perp_qp_scale_vectors(run->solver, false);
  } else if (!strcmp(name, "active")) {
    perp_qp_active(run, iterations);
  } else {
    perp_qp_admm(run);
  }
  log_end(run, name);
  return name;
}

static const char *run_auto(perp_qp_run *run)
{
  perp_qp_solver *s = run->solver;
  if (s->applied)
    return run_own(run, "admm", ADMM_ITERATIONS);
  if (s->warm) {
    run_own(run, "active", WARM_ROUNDS);
    if (solved(run) || run->stopped || run->error)
      return "active";
    run->claim = PERP_NOT_RUN;
  }
  return run_own(run, "ipm", IPM_ITERATIONS);
}

/* Runs the method. Returns its name, "" if P is not convex and nothing runs, or NULL and an
 * error. */
static const char *run_method(perp_qp_run *run)
{
  perp_qp_solver *s = run->solver;
  const char *name = s->method_name.text;
  if (!s->convex)
    return "";
  if (s->applied && strcmp(name, "auto") != 0 && strcmp(name, "admm") != 0) {
    run->error = perp_fail(
        &run->why, PERP_ERROR_UNSUPPORTED,
        "%s needs the entries of P, and this operator gives only products; use admm", name);
    return NULL;
  }
  if (strncmp(name, "kkt:", 4) == 0) {
    perp_qp_registered(run, name + 4);
    log_end(run, name);
    return name;
  }
  return !strcmp(name, "ipm")      ? run_own(run, "ipm", IPM_ITERATIONS)
         : !strcmp(name, "active") ? run_own(run, "active", ACTIVE_ROUNDS)
         : !strcmp(name, "admm")   ? run_own(run, "admm", ADMM_ITERATIONS)
                                   : run_auto(run);
}

/* A ray d proves that the objective falls without end from any feasible point. Whether there is one is
 * asked of the program without an objective, which cannot be unbounded. Returns UNBOUNDED if it has a
 * solution, INFEASIBLE if it has none, else UNBOUNDED_RAY. */
static perp_outcome settle_unbounded(perp_qp_run *run)
{
  perp_qp_solver *s = run->solver;
  perp_qp qp = perp_qp_default();
  qp.n = s->n, qp.m = s->m;
  qp.G_start = s->G.start, qp.G_column = s->G.column, qp.G_value = s->G.value;
  qp.l = s->L + s->n, qp.u = s->U + s->n;
  qp.lb = s->L, qp.ub = s->U;
  perp_qp_options options = perp_qp_options_default();
  options.tol = run->options->tol;
  options.interrupted = run->options->interrupted;
  options.interrupted_context = run->options->interrupted_context;
  options.ray = s->ray;
  if (run->options->time_limit > 0) /* what is left of it */
    options.time_limit =
        perp_max(run->options->time_limit - (perp_clock_seconds() - run->start), DBL_MIN);
  perp_qp_result result = perp_qp_result_empty();
  perp_qp_solve("ipm", &qp, &options, s->shown_x, &result);
  if (result.outcome == PERP_INFEASIBLE)
    run->proven = result.ray != NULL;
  return result.outcome == PERP_SOLVED       ? PERP_UNBOUNDED
         : result.outcome == PERP_INFEASIBLE ? PERP_INFEASIBLE
                                             : PERP_UNBOUNDED_RAY;
}

static perp_outcome find_outcome(perp_qp_run *run)
{
  const perp_outcome outcome =
      perp_verdict_outcome(perp_qp_worst(&run->best), run->options->tol, PERP_STAGNATED);
  if (outcome == PERP_SOLVED)
    return outcome;
  if (run->stopped)
    return run->by_time ? PERP_TIME_LIMIT : PERP_STOPPED;
  if (!run->proven)
    perp_qp_decide(run);
  return run->claim == PERP_UNBOUNDED ? settle_unbounded(run)
         : run->claim == PERP_NOT_RUN ? outcome
                                      : run->claim;
}

/* Fills the caller's result. */
static void report(perp_qp_run *run, const char *method, double *x, perp_qp_result *result)
{
  perp_qp_solver *s = run->solver;
  const perp_qp_options *o = run->options;
  const int n = s->n, m = s->m;
  perp_copy(n, s->best_x, x);
  result->outcome = s->convex ? find_outcome(run) : PERP_NOT_CONVEX;
  result->method = method;
  perp_qp_verdict_report(&run->best, result);
  result->counts.iterations = run->iterations;
  result->counts.factorisations = run->factorisations;
  result->counts.solves = run->solves;
  for (int k = 0; k < n + m; k++)
    result->active += s->best_v[k] != 0;
  result->z = s->best_v + n;
  result->w = s->best_v;
  result->ray = run->proven || !s->convex ? s->ray : NULL;
  if (!s->convex)
    perp_fail(
        &result->message, PERP_OK,
        "P is not positive semi-definite: the pivot of row %d is negative, and d'Pd/d'd = %.6g "
        "for the ray d",
        s->not_convex_row, s->curvature);
  else if (result->outcome == PERP_INFEASIBLE || result->outcome == PERP_UNBOUNDED)
    perp_fail(&result->message, PERP_OK, "%s: %s", perp_outcome_name(result->outcome),
              run->proven ? "the ray proves it" : "decided exactly, by a linear program");
  else if (result->outcome == PERP_UNBOUNDED_RAY || result->outcome == PERP_INFEASIBLE_RAY)
    perp_fail(&result->message, PERP_OK, "%s",
              run->proven ? "the objective falls along the ray, but no feasible point was found"
                          : "the ray holds only up to rounding, which proves nothing");
  else if (result->outcome != PERP_SOLVED)
    perp_qp_verdict_explain(&run->best, o->tol, &result->message);
  if (o->z)
    perp_copy(m, result->z, o->z);
  if (o->w)
    perp_copy(n, result->w, o->w);
  if (o->ray && result->ray)
    perp_copy(result->outcome == PERP_INFEASIBLE ? m : n, result->ray, o->ray);
}

static perp_error read_options(const perp_qp_options *from, perp_qp_options *to, perp_message *why)
{
  *to = perp_qp_options_default();
  const perp_error error =
      from ? perp_sized_read("perp_qp_options", from, to, sizeof *to, why) : PERP_OK;
  if (error)
    return error;
  if (!(to->tol >= 0 && to->tol < INFINITY) || !(to->time_limit >= 0) || to->max_iterations < 0 ||
      to->verbose < 0)
    return perp_fail(
        why, PERP_ERROR_ARGUMENT,
        "tol = %g (finite), time_limit = %g, max_iterations = %lld, verbose = %lld: each >= 0",
        to->tol, to->time_limit, (long long)to->max_iterations, (long long)to->verbose);
  if (to->verbose && !to->logger)
    to->logger = perp_log_to_stderr;
  return PERP_OK;
}

static perp_error solve(perp_qp_solver *s, const perp_qp_options *options, double *x,
                        perp_qp_result *result)
{
  if (!s || (s->n > 0 && !x))
    return perp_fail(&result->message, PERP_ERROR_ARGUMENT, "solver or x is NULL");
  perp_qp_run run = {.solver = s, .options = options, .start = perp_clock_seconds()};
  run.best = perp_qp_verdict_none();
  if (options->cold)
    s->warm = false;
  if (s->delta != PERP_QP_DELTA)
    s->factored = false;
  s->delta = PERP_QP_DELTA;
  s->goal[0] = s->goal[1] = 0;
  /* if no iterate is ever shown: the point within the bounds nearest to 0 */
  for (int i = 0; i < s->n; i++)
    s->best_x[i] = perp_min(perp_max(0, s->L[i]), s->U[i]);
  perp_fill(s->n + s->m, 0, s->best_v);
  const char *method = run_method(&run);
  if (run.error) {
    result->message = run.why;
    s->warm = false;
    return run.error;
  }
  report(&run, method, x, result);
  if (result->outcome == PERP_SOLVED) {
    if (strcmp(method, "active") != 0)
      find_sides(s, s->best_x, s->best_v, &run.best);
    perp_qp_take_iterate(s, s->best_x, s->best_v);
  }
  s->warm = result->outcome == PERP_SOLVED;
  result->seconds = perp_clock_seconds() - run.start;
  return PERP_OK;
}

perp_error perp_qp_solver_solve(perp_qp_solver *solver, const perp_qp_options *options, double *x,
                                perp_qp_result *result)
{
  if (!result)
    return PERP_ERROR_ARGUMENT;
  perp_qp_result own = perp_qp_result_empty();
  perp_qp_options read;
  perp_error error = read_options(options, &read, &own.message);
  if (!error)
    error = solve(solver, &read, x, &own);
  perp_sized_write(&own, sizeof own, result, result->size);
  return error;
}

perp_error perp_qp_solve(const char *method, const perp_qp *qp, const perp_qp_options *options,
                         double *x, perp_qp_result *result)
{
  if (!result)
    return PERP_ERROR_ARGUMENT;
  const double start = perp_clock_seconds();
  perp_qp_result own = perp_qp_result_empty();
  perp_qp_options read;
  perp_qp_solver *s = NULL;
  perp_error error = perp_qp_solver_create(method, qp, &s, &own.message);
  if (!error)
    error = read_options(options, &read, &own.message);
  if (!error)
    error = solve(s, &read, x, &own);
  if (!error) { /* what belongs to the solver goes with it */
    own.seconds = perp_clock_seconds() - start;
    if (!strncmp(own.method, "kkt:", 4))
      own.method = "kkt";
    own.z = read.z;
    own.w = read.w;
    own.ray = own.ray ? read.ray : NULL;
  }
  perp_qp_solver_destroy(s);
  perp_sized_write(&own, sizeof own, result, result->size);
  return error;
}
