/* anytime.c: residual against time
 *
 * A method is given budgets, each twice the one before, and the residual of what it returns is
 * judged: what a caller has in hand when time is up. So no point pays for being watched. It ends
 * with the first budget in which the problem is solved to 1e-10. */
#include "bench.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>

static perp_error follow(const char *method, const bench_case *c, const perp_problem *p,
                         const bench_settings *s, double *x, bench_table *table, perp_message *why)
{
  enum { BUDGETS = 12 };
  perp_solver *solver = NULL;
  perp_error error = perp_solver_create(method, &solver, why), refusal;
  perp_result result;
  bool solved = false;
  if (!error) /* once before, so that no point pays for the memory */
    bench_solve(solver, p, 1e-10, ldexp(s->seconds, 1 - BUDGETS), x, &refusal, &result);
  for (int k = BUDGETS - 1; k >= 0 && !error && !solved; k--) {
    double residual, scale;
    const double seconds =
        bench_solve(solver, p, 1e-10, ldexp(s->seconds, -k), x, &refusal, &result);
    if (refusal)
      break;
    error = perp_check(p, x, &residual, &scale, why);
    bench_point *point = error ? NULL : bench_add_point(table);
    if (!error && !point)
      error = PERP_ERROR_MEMORY;
    if (error)
      break;
    snprintf(point->problem, sizeof point->problem, "%s", c->text);
    snprintf(point->method, sizeof point->method, "%s", method);
    point->seconds = seconds;
    point->residual = residual / scale;
    /* a method that has ended of itself ends there with every larger budget */
    solved = result.outcome != PERP_TIME_LIMIT && result.outcome != PERP_STOPPED;
  }
  perp_solver_destroy(solver);
  return error;
}

perp_error bench_anytime(const bench_suite *suite, const bench_case *c, const bench_settings *s,
                         bench_table *table, perp_message *why)
{
  (void)suite;
  perp_instance instance;
  perp_error error = perp_generate(c->text, &instance, why);
  if (error)
    return error;
  const perp_problem p = perp_instance_problem(&instance);
  double *x = malloc(((size_t)p.K.n + 1) * sizeof *x);
  error = x ? PERP_OK : PERP_ERROR_MEMORY;
  for (int k = 0; k < perp_method_count() && !error; k++) {
    const perp_method_info m = perp_method_at(k);
    if (s->progress && !s->progress(c->text, k, perp_method_count()))
      break;
    if (bench_takes(s, &m, &p))
      error = follow(m.name, c, &p, s, x, table, why);
  }
  free(x);
  perp_instance_destroy(&instance);
  return error;
}
