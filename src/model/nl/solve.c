/* solve.c: solves a model, by the method that its class allows, and judges the result
 *
 * The residual is that of the model as it was read, before presolve. */
#include "base/clock.h"
#include "base/elementary.h"
#include "base/sized.h"
#include "linalg/vector.h"
#include "model/nl/nl.h"
#include "set/set.h"
#include "verdict/natural.h"
#include "verdict/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void perp_nl_options_init(perp_nl_options *options, size_t size)
{
  const perp_nl_options own = {.size = sizeof own, .tol = 1e-6, .restarts = -1};
  perp_sized_write(&own, sizeof own, options, size);
}

void perp_nl_result_init(perp_nl_result *result, size_t size)
{
  const perp_nl_result own = {.size = sizeof own, .residual = INFINITY};
  perp_sized_write(&own, sizeof own, result, size);
}

/* ---- The judge ---- */

typedef struct worst {
  double residual;
  int row, variable; /* one of them; -1 */
} worst;

static void worsen(worst *w, double residual, int row, int variable)
{
  if (!(residual <= w->residual))
    *w = (worst){residual, row, variable};
}

static double outside(double value, double lo, double hi)
{
  const double out = value < lo ? lo - value : value > hi ? value - hi : 0;
  return perp_natural_settle(out, perp_natural_nan(value, 0));
}

static worst judge_rows(const perp_nl *model, const double *x, const double *bodies)
{
  worst w = {0, -1, -1};
  for (int j = 0; j < model->n; j++)
    worsen(&w, outside(x[j], model->lo[j], model->hi[j]), -1, j);
  for (int i = 0; i < model->m; i++) {
    const int v = model->partner[i], k = model->kind[i];
    const double c = bodies[i];
    if (v < 0 || k == 0)
      worsen(&w, outside(c, model->L[i], model->U[i]), i, -1);
    else
      worsen(&w,
             perp_natural_row(x[v], c, k & 1 ? x[v] - model->lo[v] : INFINITY,
                              k & 2 ? x[v] - model->hi[v] : -INFINITY),
             i, -1);
  }
  return w;
}

static void name_worst(const perp_nl *model, const worst *w, perp_message *where)
{
  if (w->row >= 0)
    perp_nl_row_name(model, w->row, where);
  else if (w->variable >= 0)
    perp_nl_variable_name(model, w->variable, where);
  else
    where->text[0] = 0;
}

perp_error perp_nl_judge(const perp_nl *model, const double *x, double *residual,
                         perp_message *where, perp_message *why)
{
  if (!model || !x || !residual)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "model, x or residual is NULL");
  double *bodies = perp_alloc((size_t)model->m + 1, sizeof *bodies);
  if (!bodies)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d rows", model->m);
  const perp_error error = perp_nl_evaluate(model, x, bodies, why);
  if (!error) {
    const worst w = judge_rows(model, x, bodies);
    *residual = w.residual;
    if (where)
      name_worst(model, &w, where);
  }
  perp_free(bodies);
  return error;
}

/* ---- The square problem as callbacks ---- */

static void scatter(nl_solve *s, const double *z)
{
  const nl_square *q = &s->square;
  for (int u = 0; u < q->n; u++)
    s->at[q->variable[u]] = z[u];
  nl_prepare(s->model, &s->work, s->at);
}

static int function(void *context, const double *z, double *F)
{
  nl_solve *s = context;
  const nl_square *q = &s->square;
  scatter(s, z);
  for (int u = 0; u < q->n; u++) {
    const double body =
        q->row[u] < 0 ? s->at[-1 - q->row[u]] : nl_body(s->model, &s->work, s->at, q->row[u]);
    F[u] = q->factor[u] * (body - q->shift[u]);
  }
  return 0;
}

static int jacobian(void *context, const double *z, double *J)
{
  nl_solve *s = context;
  const nl_square *q = &s->square;
  const perp_mtx *rows = &s->model->J;
  scatter(s, z);
  for (int u = 0; u < q->n; u++) {
    const int row = q->row[u];
    int64_t to = q->start[u];
    if (row < 0) {
      for (; q->column[to] != q->unknown[-1 - row]; to++)
        ;
      J[to] = q->factor[u];
      continue;
    }
    nl_row_gradient(s->model, &s->work, s->at, row, s->values);
    for (int64_t e = rows->start[row]; e < rows->start[row + 1]; e++) {
      const int v = q->unknown[rows->column[e]];
      if (v < 0)
        continue;
      while (q->column[to] < v)
        to++; /* a diagonal entry that the row does not have */
      J[to] = q->factor[u] * s->values[e - rows->start[row]];
    }
  }
  return 0;
}

static double entry_at(const nl_solve *s, int i, int j)
{
  const int64_t at = perp_row_find(s->square.start, s->square.column, i, j);
  return at < 0 ? 0 : s->J[at];
}

/* An equation may have either sign. F is monotone only with the sign of a positive diagonal, or, as
 * for an equation and its multiplier, with that of J_ij J_ji < 0. */
static void turn_equations(nl_solve *s, const double *z)
{
  nl_square *q = &s->square;
  perp_fill(q->start[q->n], 0, s->J);
  jacobian(s, z, s->J);
  for (int u = 0; u < q->n; u++) {
    const double diagonal = entry_at(s, u, u);
    double sum = 0;
    if (q->row_lo[u] != -INFINITY || q->row_hi[u] != INFINITY)
      continue;
    for (int64_t e = q->start[u]; e < q->start[u + 1] && diagonal == 0; e++)
      sum += s->J[e] * entry_at(s, q->column[e], u);
    if (diagonal < 0 || sum > 0)
      q->factor[u] = -q->factor[u];
  }
}

/* ---- Routes ---- */

/* Keeps z if the residual of the model is the lowest so far. Returns true if it is solved. */
static bool keep(nl_solve *s, const double *z, const char *method)
{
  nl_square_expand(&s->square, &s->work, z, s->x);
  nl_prepare(s->model, &s->work, s->x);
  for (int i = 0; i < s->model->m; i++)
    s->bodies[i] = nl_body(s->model, &s->work, s->x, i);
  const worst w = judge_rows(s->model, s->x, s->bodies);
  if (w.residual < s->result->residual || !s->kept) {
    s->kept = true;
    s->result->residual = w.residual;
    s->result->method = method;
    name_worst(s->model, &w, &s->where);
    perp_copy(s->model->n, s->x, s->best);
  }
  return perp_verdict_solved(w.residual, perp_verdict_target(s->options.tol, 1));
}

static double time_left(const nl_solve *s)
{
  const double left = s->options.time_limit - (perp_clock_seconds() - s->began);
  return s->options.time_limit <= 0 ? 0 : left > 1e-3 ? left : 1e-3;
}

/* Names the rows of the certificate, which make the problem infeasible. */
static void name_certificate(nl_solve *s, const double *u)
{
  char names[300] = "";
  int count = 0;
  for (int k = 0; k < s->square.n; k++) {
    perp_message name;
    if (u[k] == 0 || count > 6)
      continue;
    perp_nl_row_name(s->model, s->square.named[k], &name);
    const size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%.40s", count ? ", " : "",
             count == 6 ? "..." : name.text);
    count++;
  }
  snprintf(s->said.text, sizeof s->said.text, "infeasible, proven by the rows %s", names);
}

static bool knows_method(const char *name)
{
  for (int k = 0; name && perp_ncp_method_name(k); k++)
    if (strcmp(perp_ncp_method_name(k), name) == 0)
      return true;
  return !name;
}

static perp_error solve_linear(nl_solve *s, const double *lo, const double *hi, double *z)
{
  nl_square *q = &s->square;
  perp_nl_result *r = s->result;
  perp_fill(q->n, 0, z);
  perp_fill(q->start[q->n], 0, s->J);
  function(s, z, s->F);
  jacobian(s, z, s->J);
  perp_operator *A = NULL;
  perp_error error =
      perp_operator_csr(q->n, q->start, q->column, s->J, PERP_BORROW, &A, &r->message);
  if (error)
    return error;
  for (int u = 0; u < q->n; u++) /* the start */
    z[u] = perp_clamp(s->best[q->variable[u]], lo[u], hi[u]);
  const perp_problem p = perp_problem_boxed(A, s->F, lo, hi);
  perp_options options = perp_options_default();
  perp_result result = perp_result_empty();
  const double wanted = 0.1 * s->options.tol / perp_problem_scale(&p);
  options.tol = wanted < 1e-14 ? 1e-14 : wanted > 1e-8 ? 1e-8 : wanted;
  options.max_iterations = s->options.max_iterations;
  options.time_limit = time_left(s);
  options.interrupted = s->options.interrupted;
  options.interrupted_context = s->options.interrupted_context;
  options.logger = s->options.logger;
  options.logger_context = s->options.logger_context;
  options.verbose = s->options.verbose;
  options.ray = s->ray;
  error = perp_solve(s->options.method, &p, &options, z, &result);
  r->message = result.message;
  if (!error) {
    r->iterations += result.counts.iterations;
    s->outcome = result.outcome;
    if (result.outcome == PERP_INFEASIBLE && result.ray)
      name_certificate(s, result.ray);
    if (keep(s, z, result.method))
      s->outcome = PERP_SOLVED;
    else if (s->outcome == PERP_SOLVED)
      s->outcome = PERP_REFUTED;
  }
  perp_operator_destroy(A);
  return error;
}

/* One line for each iteration: the worst row, and its variable. */
static void report(nl_solve *s, const perp_progress *progress)
{
  const nl_square *q = &s->square;
  function(s, progress->x, s->F);
  double most = -1, step = 0;
  int at = 0;
  for (int u = 0; u < q->n; u++) {
    const double z = progress->x[u];
    const double here = perp_natural_row(z, s->F[u], z - s->box_lo[u], z - s->box_hi[u]);
    if (here > most) {
      most = here;
      at = u;
    }
    step = perp_max(step, fabs(z - s->last[u]));
    s->last[u] = z;
  }
  perp_message row = {"-"}, variable = {"-"};
  if (q->n > 0) {
    perp_nl_row_name(s->model, q->named[at], &row);
    perp_nl_variable_name(s->model, q->variable[at], &variable);
  }
  char line[400];
  snprintf(line, sizeof line, "%5lld  residual %.3e  step %.1e  F %.100s = %.3e, %.100s = %.6g",
           (long long)progress->iteration, progress->residual, step, row.text,
           q->n > 0 ? s->F[at] : 0.0, variable.text, q->n > 0 ? progress->x[at] : 0.0);
  (s->options.logger ? s->options.logger : perp_log_to_stderr)(s->options.logger_context,
                                                               PERP_LOG_INFO, line);
}

/* The solve aims at a hundredth of the tolerance, but for a few iterations only. */
static bool observe(void *context, const perp_progress *progress)
{
  nl_solve *s = context;
  if (s->options.verbose && progress->x)
    report(s, progress);
  s->enough = progress->residual <= 0.5 * s->options.tol ? s->enough + 1 : 0;
  return s->enough <= 3;
}

static perp_error solve_nonlinear(nl_solve *s, const char *method, const double *lo,
                                  const double *hi, double *z)
{
  const nl_square *q = &s->square;
  perp_nl_result *r = s->result;
  perp_ncp problem = perp_ncp_default();
  problem.n = q->n;
  problem.lo = s->box_lo = lo;
  problem.hi = s->box_hi = hi;
  problem.F = function;
  problem.jacobian = jacobian;
  problem.start = q->start;
  problem.column = q->column;
  problem.context = s;
  perp_ncp_options options = perp_ncp_options_default();
  perp_ncp_result result = perp_ncp_result_empty();
  options.tol = 0.01 * s->options.tol;
  if (s->options.max_iterations > 0)
    options.max_iterations = s->options.max_iterations;
  if (s->options.restarts >= 0)
    options.restarts = s->options.restarts;
  options.time_limit = time_left(s);
  options.seed = s->options.seed;
  options.interrupted = s->options.interrupted;
  options.interrupted_context = s->options.interrupted_context;
  options.observer = observe;
  options.observer_context = s;
  s->enough = 0;
  for (int u = 0; u < q->n; u++)
    z[u] = s->start[q->variable[u]];
  perp_copy(q->n, z, s->last);
  if (!knows_method(method)) {
    options.linear = method;
    method = NULL;
  }
  const perp_error error = perp_ncp_solve(method, &problem, &options, z, &result);
  r->message = result.message;
  if (error)
    return error;
  r->iterations += result.counts.iterations;
  r->restarts += result.counts.restarts;
  r->evaluations += result.evaluations;
  r->jacobians += result.jacobians;
  s->outcome = keep(s, z, result.method)       ? PERP_SOLVED
               : result.outcome == PERP_SOLVED ? PERP_REFUTED
                                               : result.outcome;
  return PERP_OK;
}

/* Returns true if the Jacobian in s->J is symmetric: `auto` and so `josephy` have fast methods then. */
static bool is_symmetric(const nl_solve *s)
{
  const nl_square *q = &s->square;
  for (int u = 0; u < q->n; u++)
    for (int64_t e = q->start[u]; e < q->start[u + 1]; e++) {
      const double other = entry_at(s, q->column[e], u);
      if (fabs(s->J[e] - other) > 1e-10 * (fabs(s->J[e]) + fabs(other)))
        return false;
    }
  return true;
}

static bool is_final(const nl_solve *s)
{
  return s->outcome == PERP_SOLVED || s->outcome == PERP_INFEASIBLE ||
         s->outcome == PERP_UNSOLVABLE || s->outcome == PERP_TIME_LIMIT ||
         (s->options.interrupted && s->options.interrupted(s->options.interrupted_context));
}

/* Tries one method after another, with these bounds: large problems that are not symmetric by
 * interior points first. */
static perp_error try_methods(nl_solve *s, bool large, const double *lo, const double *hi)
{
  const nl_square *q = &s->square;
  const char *chosen = s->options.method;
  perp_error error = PERP_OK;
  if (large && !chosen)
    error = solve_nonlinear(s, "interior", lo, hi, s->z);
  if (error == PERP_ERROR_BACKEND) /* no UMFPACK */
    error = PERP_OK;
  if (!error && !is_final(s) && q->linear)
    error = solve_linear(s, lo, hi, s->z);
  if (!error && !is_final(s) && (!q->linear || knows_method(chosen)))
    error = solve_nonlinear(s, chosen, lo, hi, s->z);
  return error;
}

/* Solves with the bounds of the model. If a bound that no row complements is then active and holds
 * an equation off, again without these bounds. */
static perp_error solve_square(nl_solve *s)
{
  enum { LARGE = 2000 };
  nl_square *q = &s->square;
  for (int u = 0; u < q->n; u++)
    s->z[u] = perp_clamp(s->start[q->variable[u]], q->lo[u], q->hi[u]);
  turn_equations(s, s->z);
  const bool large = q->n > LARGE && !is_symmetric(s);
  s->result->kind = q->linear ? "lcp" : "ncp";
  perp_error error = try_methods(s, large, q->lo, q->hi);
  if (!error && q->sides && !is_final(s))
    error = try_methods(s, large, q->row_lo, q->row_hi);
  return error;
}

/* ---- The call ---- */

static int64_t code_of(perp_outcome outcome)
{
  switch (outcome) {
  case PERP_SOLVED:
    return 0;
  case PERP_INFEASIBLE:
  case PERP_UNSOLVABLE:
    return 200;
  case PERP_UNBOUNDED:
    return 300;
  case PERP_ITERATION_LIMIT:
  case PERP_TIME_LIMIT:
  case PERP_STOPPED:
    return 400;
  default:
    return 500;
  }
}

static bool take(nl_solve *s)
{
  const size_t n = (size_t)s->model->n + 1, m = (size_t)s->model->m + 1;
  const size_t k = (size_t)s->square.n + 1, most = n > m ? n : m;
  return nl_work_take(s->model, &s->memory, &s->work) &&
         PERP_TAKE_REALS(&s->memory, n, &s->x, &s->best, &s->at, &s->start, &s->values) &&
         PERP_TAKE_ZERO_REALS(&s->memory, m, &s->bodies, &s->y) &&
         PERP_TAKE_ZERO_REALS(&s->memory, most, &s->ray) &&
         PERP_TAKE_ZERO_REALS(&s->memory, k, &s->z, &s->F, &s->last) &&
         PERP_TAKE_REALS(&s->memory, s->square.start ? (size_t)s->square.start[s->square.n] : 0,
                         &s->J);
}

/* The values of the rows at the best point: c_i, less the bound of an equation. */
static void measure_rows(nl_solve *s)
{
  nl_prepare(s->model, &s->work, s->best);
  for (int i = 0; i < s->model->m; i++) {
    const double c = nl_body(s->model, &s->work, s->best, i);
    s->y[i] = s->model->L[i] == s->model->U[i] ? c - s->model->L[i] : c;
  }
}

static perp_error solve_equilibrium(nl_solve *s)
{
  perp_nl_result *r = s->result;
  perp_error error = nl_square_make(s->model, &s->square, &r->message);
  s->said = r->message;
  if (error)
    return error;
  if (!take(s))
    return perp_fail(&r->message, PERP_ERROR_MEMORY, "out of memory for %d variables", s->model->n);
  perp_copy(s->model->n, s->given, s->start);
  perp_copy(s->model->n, s->given, s->best);
  r->kind = "lcp";
  r->method = "presolve";
  if (s->square.infeasible) {
    s->outcome = PERP_INFEASIBLE;
  } else {
    s->said.text[0] = 0;
    r->n = s->square.n;
    r->nonzeros = s->square.start[s->square.n];
    perp_copy(s->model->n, s->square.x, s->at);
    error = solve_square(s);
  }
  if (error)
    return error;
  measure_rows(s);
  if (s->outcome == PERP_INFEASIBLE && s->said.text[0])
    r->message = s->said;
  else
    perp_fail(&r->message, PERP_OK,
              "%s: residual %.3g%s%.60s, %lld iterations, %lld evaluations, %lld restarts, %s",
              perp_outcome_name(s->outcome), r->residual, s->outcome == PERP_SOLVED ? "" : " in ",
              s->outcome == PERP_SOLVED ? "" : s->where.text, (long long)r->iterations,
              (long long)r->evaluations, (long long)r->restarts, r->method);
  return PERP_OK;
}

static bool has_objective(const perp_nl *model)
{
  for (int k = model->m; k < model->m + model->objectives; k++) {
    if (!nl_is_linear(model, k))
      return true;
    for (int64_t e = model->J.start[k]; e < model->J.start[k + 1]; e++)
      if (model->J.value[e] != 0)
        return true;
  }
  return false;
}

static perp_error solve_any(nl_solve *s)
{
  const perp_nl *model = s->model;
  perp_message *why = &s->result->message;
  if (!has_objective(model))
    return solve_equilibrium(s);
  for (int i = 0; i < model->m; i++)
    if (model->partner[i] >= 0)
      return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                       "an objective with complementarity (MPEC); KNITRO solves these, or Ipopt "
                       "after a reformulation");
  if (!take(s))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d variables", model->n);
  return nl_solve_program(s);
}

perp_error perp_nl_solve(const perp_nl *model, const perp_nl_options *options, double *x, double *y,
                         perp_nl_result *result)
{
  if (!result || !perp_sized_is_sane(result->size))
    return PERP_ERROR_ARGUMENT;
  perp_nl_result own = perp_nl_result_empty();
  perp_error error = PERP_OK;
  nl_solve s = {.model = model,
                .result = &own,
                .given = x,
                .options = perp_nl_options_default(),
                .began = perp_clock_seconds()};
  if (options)
    error = perp_sized_read("perp_nl_options", options, &s.options, sizeof s.options, &own.message);
  if (!error && (!model || !x))
    error = perp_fail(&own.message, PERP_ERROR_ARGUMENT, "model or x is NULL");
  if (!error &&
      (!(s.options.tol > 0) || s.options.max_iterations < 0 || !(s.options.time_limit >= 0)))
    error = perp_fail(&own.message, PERP_ERROR_ARGUMENT,
                      "tol = %g must be > 0; max_iterations and time_limit must be >= 0",
                      s.options.tol);
  const int64_t bad = error ? -1 : perp_first_not_finite(model->n, x);
  if (bad >= 0)
    error = perp_fail(&own.message, PERP_ERROR_ARGUMENT, "x[%lld] = %g is not finite",
                      (long long)bad, x[bad]);
  if (!error)
    error = solve_any(&s);
  if (!error) {
    own.outcome = s.outcome;
    own.code = code_of(s.outcome);
    perp_copy(model->n, s.best, x);
    if (y)
      perp_copy(model->m, s.y, y);
  }
  nl_square_free(&s.square);
  perp_arena_free(&s.memory);
  own.seconds = perp_clock_seconds() - s.began;
  perp_sized_write(&own, sizeof own, result, result->size);
  return error;
}
