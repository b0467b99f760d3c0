/* multigrid.c: mg on grids: cycles, time for each unknown, red-black sweeps that take as long, and
 * the price of the bounds
 *
 * A sweep is that of `pgs` in red-black order on the same problem in the same round. The equation
 * is the same matrix and right-hand side with every row free. Times are for a second solve with
 * the same solver, including the set-up of the hierarchy and all checks. */
#include "bench.h"
#include "kit/numbers.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 3 };

/* Seconds of a solve; NaN if it is not solved. */
static double timed(perp_solver *solver, const perp_problem *p, double limit, double *x,
                    perp_error *error, perp_result *r)
{
  const double seconds = bench_solve(solver, p, 1e-8, limit, x, error, r);
  return r->outcome == PERP_SOLVED ? seconds : NAN;
}

static perp_error measure(const perp_problem *p, const perp_problem *equation, double limit,
                          double *x, double *figure, perp_message *why)
{
  perp_solver *bounded = NULL, *linear = NULL;
  perp_error error = perp_solver_create("mg", &bounded, why);
  if (!error)
    error = perp_solver_create("mg", &linear, why);
  double seconds[ROUNDS], sweeps[ROUNDS], price[ROUNDS];
  for (int k = -1; k < ROUNDS && !error; k++) { /* the first warms up */
    perp_result r = perp_result_empty(), free_r = perp_result_empty();
    perp_error refusal = PERP_OK;
    const double with = timed(bounded, p, limit, x, &error, &r);
    const double without = timed(linear, equation, limit, x, &refusal, &free_r);
    error = error ? error : refusal;
    if (k < 0 || error)
      continue;
    seconds[k] = with;
    sweeps[k] = with / bench_sweep_seconds("pgs", "coloured", p, 1, 20);
    price[k] = with / without;
    figure[0] = (double)r.counts.cycles;
  }
  figure[1] = 1e9 * kit_median(ROUNDS, seconds) / p->K.n;
  figure[2] = kit_median(ROUNDS, sweeps);
  figure[3] = kit_median(ROUNDS, price);
  perp_solver_destroy(bounded);
  perp_solver_destroy(linear);
  return error;
}

perp_error bench_multigrid(const bench_task *t)
{
  static const char *const names[] = {"n", "cycles", "ns per unknown", "in sweeps",
                                      "over the equation"};
  const size_t n = (size_t)t->p.K.n;
  if (!bench_wants(t->s, "mg"))
    return PERP_OK;
  double *bounds = malloc(2 * n * sizeof *bounds), figure[5] = {t->p.K.n};
  if (!bounds)
    return PERP_ERROR_MEMORY;
  for (size_t i = 0; i < n; i++) {
    bounds[i] = -INFINITY;
    bounds[n + i] = INFINITY;
  }
  const perp_problem equation = perp_problem_boxed(t->p.A, t->p.b, bounds, bounds + n);
  perp_error error = measure(&t->p, &equation, 10 * t->s->seconds, t->x, figure + 1, t->why);
  if (!error)
    error = bench_add_figures(t, "mg", 5, names, figure);
  free(bounds);
  return error;
}
