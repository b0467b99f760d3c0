/* anytime.c: residual against time
 *
 * A method gets time budgets, each twice the one before, and the residual of its x at the end of each is
 * recorded: the x that a caller has at the deadline. Every budget is a separate solve, so that watching
 * costs no time. The first budget that solves the problem to 1e-10 is the last.
 *
 * The suite friction shows its hard problems in this way too, in series named after the difficulty. */
#include "bench.h"
#include "suite.h"

#include <math.h>
#include <string.h>

static perp_error follow(const bench_task *t, const char *method)
{
  enum { BUDGETS = 12 };
  const double most = t->s->seconds;
  perp_solver *solver = NULL;
  perp_error error = perp_solver_create(method, &solver, t->why), refusal;
  perp_result result;
  bool solved = false;
  if (!error) /* once before, so that no point pays for the memory */
    bench_solve(solver, &t->p, 1e-10, ldexp(most, 1 - BUDGETS), t->x, &refusal, &result);
  for (int k = BUDGETS - 1; k >= 0 && !error && !solved; k--) {
    double residual, scale;
    const double seconds =
        bench_solve(solver, &t->p, 1e-10, ldexp(most, -k), t->x, &refusal, &result);
    if (refusal)
      break;
    error = perp_problem_judge(&t->p, t->x, &residual, &scale, t->why);
    bench_point *point = error ? NULL : bench_add_point(t->table);
    if (!error && !point)
      error = PERP_ERROR_MEMORY;
    if (error)
      break;
    point->suite = t->suite->name;
    snprintf(point->problem, sizeof point->problem, "%s", t->text);
    snprintf(point->method, sizeof point->method, "%s", method);
    point->seconds = seconds;
    point->residual = residual / scale;
    /* a method that has ended of itself ends there with every larger budget */
    solved = result.outcome != PERP_TIME_LIMIT && result.outcome != PERP_STOPPED;
  }
  perp_solver_destroy(solver);
  return error;
}

perp_error bench_anytime(const bench_task *t)
{
  const bench_settings *s = t->s;
  perp_error error = PERP_OK;
  for (int k = 0; k < perp_method_count() && !error; k++) {
    const perp_method_info m = perp_method_at(k);
    if (s->progress && !s->progress(t->text, k, perp_method_count()))
      break;
    if (bench_takes(s, &m, &t->p))
      error = follow(t, m.name);
  }
  return error;
}

perp_error bench_friction(const bench_task *t)
{
  static const char *const hard[] = {"heavy stack", "standing wall", "pushed wall", "jammed pile"};
  perp_error error = bench_contest(t);
  for (size_t k = 0; k < sizeof hard / sizeof *hard && !error; k++)
    if (t->series && strcmp(t->series, hard[k]) == 0)
      error = bench_anytime(t);
  return error;
}
