/* common.c: problems and solves, with a trace or a clock, rates, and Lemke's worst case */
#include "experiment.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool experiment_open(experiment *e, experiment_case *c, const char *format, ...)
{
  char text[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  perp_message why = {""};
  perp_error error = perp_generate(text, &c->instance, &why);
  if (!error) {
    c->p = perp_instance_problem(&c->instance);
    c->x = calloc((size_t)c->p.K.n + 1, sizeof *c->x);
    error = c->x ? PERP_OK : PERP_ERROR_MEMORY;
    if (error)
      experiment_close(c);
  }
  if (error)
    experiment_fail(e, error, why.text);
  return !error;
}

void experiment_close(experiment_case *c)
{
  free(c->x);
  perp_instance_destroy(&c->instance);
}

/* ---- Solves ---- */

typedef struct tracing {
  double *residual;
  int room, count;
} tracing;

static bool observe(void *context, const perp_progress *p)
{
  tracing *t = context;
  if (t->count < t->room)
    t->residual[t->count++] = p->residual / p->scale;
  return true;
}

perp_error experiment_solver(const char *text, perp_solver **solver)
{
  char copy[256];
  snprintf(copy, sizeof copy, "%s", text);
  char *settings = strchr(copy, ':');
  if (settings)
    *settings++ = 0;
  perp_error error = perp_solver_create(copy, solver, NULL);
  while (!error && settings && *settings) {
    char *next = strchr(settings, ','), *value = strchr(settings, '=');
    if (next)
      *next++ = 0;
    if (!value)
      return PERP_ERROR_PARAMETER;
    *value++ = 0;
    error = perp_solver_set_text(*solver, settings, value, NULL);
    settings = next;
  }
  return error;
}

experiment_solve experiment_run_on(const perp_problem *p, const char *method, const perp_options *o,
                                   double *x, double *trace, int room)
{
  perp_solver *solver = NULL;
  perp_options options = o ? *o : perp_options_default();
  tracing seen = {trace, room, 0};
  if (trace) {
    options.observer = observe;
    options.observer_context = &seen;
  }
  perp_result result = perp_result_empty();
  perp_error error = experiment_solver(method, &solver);
  const clock_t began = clock();
  if (!error)
    error = perp_solver_solve(solver, p, &options, x, &result);
  /* one thread: other load on the machine adds to wall time, not to CPU time */
  const double processor = (double)(clock() - began) / CLOCKS_PER_SEC;
  perp_solver_destroy(solver);
  return (experiment_solve){
      .error = error,
      .outcome = result.outcome,
      .residual = result.relative_residual,
      .seconds = processor > 1e-3 ? fmin(result.seconds, processor) : result.seconds,
      .merit = result.merit,
      .counts = result.counts,
      .traced = seen.count,
  };
}

experiment_solve experiment_run_from_0(experiment_case *c, const char *method,
                                       const perp_options *o, double *trace, int room)
{
  memset(c->x, 0, (size_t)c->p.K.n * sizeof *c->x);
  return experiment_run_on(&c->p, method, o, c->x, trace, room);
}

experiment_solve experiment_solve_text(experiment *e, const char *problem, const char *method,
                                       const perp_options *o)
{
  experiment_case c;
  if (!experiment_open(e, &c, "%s", problem))
    return (experiment_solve){.error = PERP_ERROR_PROBLEM, .residual = INFINITY};
  const experiment_solve s = experiment_run_from_0(&c, method, o, NULL, 0);
  experiment_close(&c);
  return s;
}

double experiment_time(experiment_case *c, const char *method, int iterations,
                       experiment_solve *last)
{
  double least = NAN;
  for (int k = 0; k < 3; k++) { /* what the machine does besides only adds */
    perp_options o = perp_options_default();
    o.check_every = 1000;
    o.time_limit = 60;
    if (iterations > 0) {
      o.max_iterations = iterations;
      o.tol = 1e-15;
    }
    const experiment_solve s = experiment_run_from_0(c, method, &o, NULL, 0);
    if (last)
      *last = s;
    if (s.error || s.counts.iterations == 0)
      return NAN;
    least = fmin(least, s.seconds / (iterations > 0 ? (double)s.counts.iterations : 1));
    if (s.seconds > 0.5)
      break;
  }
  return least;
}

/* ---- Rates ---- */

double experiment_factor(int count, const double *trace, double rounding)
{
  int last = count - 1;
  while (last > 0 && !(trace[last] > rounding))
    last--;
  const int first = last / 2;
  return last > first ? pow(trace[last] / trace[first], 1.0 / (last - first)) : NAN;
}

double experiment_order(int count, const double *trace, double fall, double rounding)
{
  double most = NAN;
  for (int k = 1; k + 1 < count; k++) {
    const double a = trace[k - 1], b = trace[k], c = fmax(trace[k + 1], 1e-16);
    if (b < fall * a && b < 0.1 && b > rounding && c < b)
      most = fmax(most, log(c / b) / log(b / a));
  }
  return most;
}

experiment_solve experiment_solve_dense(int n, const double *a, const double *b, const char *method,
                                        const perp_options *o)
{
  perp_operator *A = NULL;
  double *x = calloc((size_t)n + 1, sizeof *x);
  experiment_solve s = {.error = PERP_ERROR_MEMORY};
  if (x)
    s.error = perp_operator_dense(n, a, n, PERP_BORROW, &A, NULL);
  if (!s.error) {
    const perp_problem p = perp_problem_lcp(A, b);
    s = experiment_run_on(&p, method, o, x, NULL, 0);
  }
  perp_operator_destroy(A);
  free(x);
  return s;
}

/* y_i = x_i + 2 sum_{j < i} x_j - (2^n + 2^(n-1) + ... + 2^(n-i)), rows from 0 */
int64_t experiment_lemke_worst(int n)
{
  double *a = calloc((size_t)n * (size_t)n + (size_t)n, sizeof *a);
  if (!a)
    return -1;
  double *b = a + (size_t)n * (size_t)n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      a[i * n + j] = i == j ? 1 : 2;
    b[i] = (i ? b[i - 1] : 0) - ldexp(1, n - i);
  }
  const experiment_solve s =
      experiment_solve_dense(n, a, b, "lemke:cover=ones,scaling=none,warm=no,retries=0", NULL);
  free(a);
  return !s.error && s.outcome == PERP_SOLVED ? s.counts.pivots : -1;
}
