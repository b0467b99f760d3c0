/* common.c: solving with a trace, and Lemke's worst case */
#include "experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct tracing {
  double *residual, *seconds;
  int room, count;
} tracing;

static bool observe(void *context, const perp_progress *p)
{
  tracing *t = context;
  if (t->count < t->room) {
    t->residual[t->count] = p->residual / p->scale;
    if (t->seconds)
      t->seconds[t->count] = p->seconds;
    t->count++;
  }
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
                                   double *x, double *trace, double *trace_seconds, int room)
{
  perp_solver *solver = NULL;
  perp_options options = o ? *o : perp_options_default();
  tracing seen = {trace, trace_seconds, room, 0};
  if (trace) {
    options.observer = observe;
    options.observer_context = &seen;
  }
  perp_result result = perp_result_empty();
  perp_error error = experiment_solver(method, &solver);
  const clock_t began = clock();
  if (!error)
    error = perp_solver_solve(solver, p, &options, x, &result);
  /* one thread: what other programs do adds to the time alone, never to that of the processor */
  const double processor = (double)(clock() - began) / CLOCKS_PER_SEC;
  perp_solver_destroy(solver);
  return (experiment_solve){
      .error = error,
      .outcome = result.outcome,
      .residual = result.residual / result.scale,
      .seconds = processor > 1e-3 ? fmin(result.seconds, processor) : result.seconds,
      .merit = result.merit,
      .counts = result.counts,
      .traced = seen.count,
  };
}

experiment_solve experiment_solve_text(const char *problem, const char *method,
                                       const perp_options *o, double *trace, double *trace_seconds,
                                       int room)
{
  perp_instance instance;
  experiment_solve none = {.error = perp_generate(problem, &instance, NULL), .residual = INFINITY};
  if (none.error)
    return none;
  const perp_problem p = perp_instance_problem(&instance);
  double *x = calloc((size_t)p.K.n + 1, sizeof *x);
  experiment_solve s = none;
  if (x)
    s = experiment_run_on(&p, method, o, x, trace, trace_seconds, room);
  else
    s.error = PERP_ERROR_MEMORY;
  free(x);
  perp_instance_destroy(&instance);
  return s;
}

/* y_i = x_i + 2 sum_{j < i} x_j - (2^n + 2^(n-1) + ... + 2^(n-i)), rows from 0 */
int64_t experiment_lemke_worst(int n)
{
  double *a = calloc((size_t)n * (size_t)n + 2 * (size_t)n, sizeof *a);
  perp_operator *A = NULL;
  int64_t pivots = -1;
  if (!a)
    return pivots;
  double *b = a + (size_t)n * (size_t)n, *x = b + n;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++)
      a[i * n + j] = i == j ? 1 : 2;
    b[i] = (i ? b[i - 1] : 0) - ldexp(1, n - i);
  }
  if (!perp_operator_dense(n, a, n, PERP_BORROW, &A, NULL)) {
    const perp_problem p = perp_problem_lcp(A, b);
    const experiment_solve s = experiment_run_on(
        &p, "lemke:cover=ones,scaling=none,warm=no,retries=0", NULL, x, NULL, NULL, 0);
    if (!s.error && s.outcome == PERP_SOLVED)
      pivots = s.counts.pivots;
  }
  perp_operator_destroy(A);
  free(a);
  return pivots;
}
