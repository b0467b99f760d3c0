/* josephy.c: Newton's method for a nonlinear complementarity problem
 *
 *   z solves   lo <= z <= hi,  F(x) + J (z - x) + delta (z - x)  complementary
 *   x <- x + t (z - x),   t = 1, 1/2, ... until the merit 1/2 |phi|^2 is below the greatest of the last
 *
 * The linear problems are boxed ones, y = (J + delta I) z + b with b = F - (J + delta I) x, and any
 * method of ours may solve them. delta = 0 unless J has no solution there; then it grows (a proximal term,
 * Billups and Ferris 1997). If no z is found, or no t, the step is that of the semismooth Newton method
 * for phi, for which the merit falls unless x is a stationary point of it. Near a solution at which
 * the linear problem is regular, t = 1 and convergence is quadratic (Josephy 1979, Robinson 1980;
 * the search: Ralph 1994, Dirkse and Ferris 1995). */
#include "base/clock.h"
#include "linalg/vector.h"
#include "model/ncp/run.h"

#include <string.h>

static bool open_solver(perp_ncp_run *run)
{
  if (run->solver)
    return true;
  const char *name = run->options.linear ? run->options.linear : "auto";
  perp_message *why = &run->result->message;
  run->error = perp_solver_create(name, &run->solver, why);
  if (!run->error)
    run->error = run->p.start
                     ? perp_operator_csr(run->n, run->p.start, run->p.column, run->J, PERP_BORROW,
                                         &run->A, why)
                     : perp_operator_dense(run->n, run->J, run->n, PERP_BORROW, &run->A, why);
  return !run->error;
}

/* J <- J + delta I; false if a row has no diagonal entry. */
static bool add_diagonal(perp_ncp_run *run, double delta)
{
  for (int i = 0; i < run->n; i++) {
    int64_t at = run->p.start ? -1 : (int64_t)i * run->n + i;
    for (int64_t e = run->p.start ? run->p.start[i] : 0; run->p.start && e < run->p.start[i + 1];
         e++)
      at = run->p.column[e] == i ? e : at;
    if (at < 0)
      return false;
    run->J[at] += delta;
  }
  return true;
}

/* The linear problem at x; d <- z - x. b goes to try_F, z to try_x. */
static bool solve_linear(perp_ncp_run *run)
{
  perp_message why;
  if (perp_operator_refresh(run->A, &why))
    return false;
  double *z = run->try_x, *b = run->try_F;
  perp_copy(run->n, run->x, z);
  perp_operator_apply(run->A, run->x, b, NULL, NULL);
  for (int i = 0; i < run->n; i++)
    b[i] = run->F[i] - b[i];
  if (!perp_all_finite(run->n, b)) /* J x overflows: fischer needs no such product */
    return false;
  const perp_problem p = perp_problem_boxed(run->A, b, run->lo, run->hi);
  perp_options options = perp_options_default();
  perp_result result = perp_result_empty();
  const double wanted = 0.01 * run->options.tol / perp_problem_scale(&p);
  options.tol = wanted < 1e-14 ? 1e-14 : wanted > 1e-8 ? 1e-8 : wanted;
  options.interrupted = run->options.interrupted;
  options.interrupted_context = run->options.interrupted_context;
  if (run->options.time_limit > 0) {
    const double left = run->options.time_limit - (perp_clock_seconds() - run->began);
    options.time_limit = left > 1e-3 ? left : 1e-3;
  }
  const double before = perp_clock_seconds();
  const perp_error error = perp_solver_solve(run->solver, &p, &options, z, &result);
  run->result->linear_seconds += perp_clock_seconds() - before;
  run->result->counts.solves++;
  if (error) { /* a method that does not take such problems is the caller's choice */
    if (error != PERP_ERROR_MEMORY || run->options.linear) {
      run->error = error;
      run->result->message = result.message;
    }
    return false;
  }
  /* a direction need not be exact to be one */
  if (result.outcome != PERP_SOLVED && !(result.relative_residual <= 1e-6))
    return false;
  perp_subtract(run->n, z, run->x, run->d);
  return perp_all_finite(run->n, run->d);
}

/* z - x, with a proximal term if there is no other way. */
static bool direction(perp_ncp_run *run)
{
  if (solve_linear(run))
    return true;
  for (double delta = 1e-2; delta <= 1e2 && !run->error; delta *= 100) {
    if (!add_diagonal(run, delta)) {
      run->fresh = false;
      return false;
    }
    const bool found = solve_linear(run);
    run->fresh = false; /* J is not that of x any more */
    if (found)
      return true;
    if (!perp_ncp_differentiate(run))
      return false;
  }
  return false;
}

void perp_ncp_josephy(perp_ncp_run *run)
{
  if (!open_solver(run))
    return;
  while (perp_ncp_next(run)) {
    if (!perp_ncp_differentiate(run))
      return;
    /* the merit need not fall along d, but it does if x is near a regular solution */
    const double merit = perp_ncp_merit_here(run, &perp_ncp_fischer);
    if (direction(run) && perp_ncp_search(run, &perp_ncp_fischer, -2 * merit, 10))
      continue;
    if (run->error)
      return;
    if (!perp_ncp_step(run, &perp_ncp_fischer))
      perp_ncp_end(run, PERP_LOCAL_MINIMUM);
  }
}
