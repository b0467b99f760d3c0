/* stepper.c: solves the problem of a step and records its statistics */
#include "base/elementary.h"
#include "simulate/simulate.h"

#include <math.h>
#include <string.h>

/* Sets x to 0 if that has the smaller residual. A bad warm start can mislead a solve that is cut
 * short, while x = 0 has a relative residual of at most 1. Only failed solves are checked:
 * replacing every start that is worse than 0 would cost much more than it saves, since one new
 * contact in a pile is enough to make a good start worse than 0. */
static void fall_back(const perp_problem *p, double *x, perp_result *result)
{
  const size_t n = (size_t)p->K.n;
  double *zero = perp_alloc_zero(n, sizeof *zero), residual, scale;
  perp_message unused;
  if (zero && !perp_problem_judge(p, zero, &residual, &scale, &unused) &&
      !(result->residual <= residual)) {
    const perp_message why = result->message;
    memset(x, 0, n * sizeof *x);
    result->residual = residual;
    result->scale = scale;
    perp_fail(&result->message, PERP_OK, "%.400s; worse than zero impulses; using zero", why.text);
  }
  perp_free(zero);
}

/* Limits the impulses of a failed solve so that they add no kinetic energy to the velocities v: half a
 * solution could throw a stack. */
static perp_error limit(const perp_problem *p, const double *v, double *x, perp_result *result)
{
  int limited;
  const perp_message why = result->message;
  perp_error error = perp_contacts_limit(p, v, x, &limited, &result->message);
  if (error || limited == 0)
    return error;
  error = perp_problem_judge(p, x, &result->residual, &result->scale, &result->message);
  if (!error)
    perp_fail(&result->message, PERP_OK, "%.400s; impulses limited so that they add no energy",
              why.text);
  return error;
}

/* Keeps x from before the solve, for perp_simulation_start only; if memory runs out there is no
 * copy. */
static void keep_start(perp_stepper *stepper, int n, const double *x)
{
  const size_t rows = (size_t)n;
  if (rows > stepper->room) {
    perp_free(stepper->start);
    stepper->start = perp_alloc(2 * rows, sizeof *stepper->start);
    stepper->room = stepper->start ? 2 * rows : 0;
  }
  if (stepper->start)
    memcpy(stepper->start, x, rows * sizeof *x);
}

perp_error perp_stepper_solve(perp_stepper *stepper, const perp_problem *p, const double *v,
                              double *x, perp_message *why)
{
  perp_step *frame = stepper->frame;
  const bool first = frame->rows == 0;
  stepper->problem = *p;
  stepper->x = x;
  if (stepper->keeps_start)
    keep_start(stepper, p->K.n, x);
  perp_result result = perp_result_empty();
  perp_options options = stepper->options;
  options.y = options.ray = options.x_low = NULL; /* their length is unknown before the step */
  const perp_error error = stepper->islands
                               ? perp_islands_solve(stepper->islands, p, &options, x, &result)
                               : perp_solver_solve(stepper->solver, p, &options, x, &result);
  if (error && (error == PERP_ERROR_MEMORY || error == PERP_ERROR_BACKEND || !stepper->taken))
    return perp_fail(why, error, "frame %lld: %.400s", (long long)frame->index,
                     result.message.text);
  stepper->taken = stepper->taken || !error;
  if (error) { /* x is the start */
    perp_message unused;
    result.outcome = PERP_NOT_RUN;
    result.seconds = 0;
    if (perp_problem_judge(p, x, &result.residual, &result.scale, &unused)) {
      result.residual = NAN;
      result.scale = 1;
    }
  }
  if (result.outcome != PERP_SOLVED) {
    fall_back(p, x, &result);
    const perp_error failed = v ? limit(p, v, x, &result) : PERP_OK;
    if (failed)
      return perp_fail(why, failed, "frame %lld: %.400s", (long long)frame->index,
                       result.message.text);
    stepper->trouble = result.message;
  }
  const double residual = result.residual, relative = result.residual / result.scale;
  if (first || frame->outcome == PERP_SOLVED)
    frame->outcome = result.outcome;
  frame->residual = first ? residual : perp_max(frame->residual, residual);
  frame->relative_residual = first ? relative : perp_max(frame->relative_residual, relative);
  frame->rows += p->K.n;
  frame->iterations += result.counts.iterations;
  frame->solve_seconds += result.seconds;
  for (int i = 0; i < p->K.n; i++)
    frame->active += x[i] != 0;
  return PERP_OK;
}
