/* verdict.c: residuals that the driver computes itself, and how a run ended
 *
 * Whatever the method reports, the driver gives the verdict: it recomputes y = A x + b at the final
 * iterate and at the best one, and returns the better of the two. */
#include "method/run/certificate.h"
#include "method/run/driver.h"
#include "problem/judge.h"

#include <math.h>

/* Returns the natural residual at x with y recomputed, once for the start. */
double perp_driver_fresh(perp_run *run, const double *x)
{
  perp_driver *d = run->driver;
  const bool start = perp_driver_is_same(run, x, d->start);
  if (start && isfinite(d->start_residual))
    return d->start_residual;
  run->count.checks++;
  const double residual =
      d->vectors->fresh(run, x, start ? run->cold : d->vectors->is_zero(run, x));
  if (start)
    d->start_residual = residual;
  return residual;
}

/* Returns the residual of the verdict. */
double perp_driver_judged(perp_run *run, const double *x)
{
  perp_driver *d = run->driver;
  run->count.applies++;
  run->count.checks++;
  d->y_count++;
  return d->vectors->judge(run, x);
}

void perp_run_gradient_exact(perp_run *run, const double *x, double *y)
{
  run->count.applies++;
  perp_judge(run->problem, x, y, &run->work, run->driver->room);
}

/* Returns the verdict on a candidate; a candidate that a check has just judged is not judged
 * again. */
double perp_driver_verdict(perp_run *run, const double *x)
{
  perp_driver *d = run->driver;
  if (d->best_judged && perp_driver_is_same(run, x, d->best)) {
    d->verdict_y = d->best_y;
    return d->best_residual;
  }
  const double residual = perp_driver_judged(run, x);
  d->verdict_y = d->y_count;
  return residual;
}

/* A method reports the proof that it claims; a ray without a claim may also prove it. */
bool perp_driver_proves(perp_run *run)
{
  perp_driver *d = run->driver;
  const bool claimed = d->ending == PERP_INFEASIBLE, proves = perp_certificate_holds(run, &d->ray);
  if (claimed && !proves)
    perp_run_say_plainly(run, "found a ray; it does not prove exactly that there is no solution");
  if (!claimed && proves)
    perp_run_say_plainly(run, "no solution: the ray is a certificate that holds exactly");
  return proves;
}

void perp_driver_keep(perp_run *run, const double *x, double residual, bool judged)
{
  perp_driver *d = run->driver;
  if (residual < d->best_residual) {
    d->best_residual = residual;
    d->best_judged = judged;
    d->best_y = d->y_count;
    d->best_method = d->method->name;
    d->vectors->copy(run, x, d->best);
  }
}

/* Near means within a factor of four, since a sum in doubles has more errors than its terms. If the
 * floor is a large part of the scale, x has few digits left and may be diverging: returns false
 * then. */
bool perp_driver_is_at_floor(perp_run *run, const double *x, double residual)
{
  static const double NEAR = 4, SMALL = 1e-4;
  perp_driver *d = run->driver;
  if (!perp_floor_is_known(run->problem->A) || !d->vectors->is_finite(run, x))
    return false;
  const double floor = d->vectors->floor(run, x);
  d->result->floor = floor;
  d->at_floor = run->target < floor && residual <= NEAR * floor && floor <= SMALL * run->scale;
  return d->at_floor;
}

bool perp_driver_is_stuck(perp_outcome ending)
{
  return ending == PERP_STAGNATED || ending == PERP_REFUTED || ending == PERP_DIVERGED ||
         ending == PERP_LOCAL_MINIMUM || ending == PERP_NON_DESCENT;
}

void perp_driver_tell(perp_run *run)
{
  perp_driver *d = run->driver;
  perp_result *r = d->result;
  const double relative = r->residual / r->scale;
  if (r->outcome == PERP_PRECISION)
    perp_run_say(
        run,
        "no more progress, relative residual %.2e; the last digits of x change it by up to %.2g "
        "(rounding floor); for more digits set x_low",
        relative, r->floor / r->scale);
  if (r->message.text[0])
    return;
  switch (r->outcome) {
  case PERP_SOLVED:
    perp_run_say_plainly(run, "the residual is within the tolerance");
    break;
  case PERP_ITERATION_LIMIT:
    perp_run_say(run, "iteration limit (%lld) reached, relative residual %.2e", (long long)d->limit,
                 relative);
    break;
  case PERP_TIME_LIMIT:
    perp_run_say(run, "time limit (%g s) reached, relative residual %.2e", run->options->time_limit,
                 relative);
    break;
  case PERP_STAGNATED:
    perp_run_say(run, "no more progress, relative residual %.2e", relative);
    break;
  case PERP_DIVERGED:
    perp_run_say(run, "%s diverges on this matrix; the best iterate has relative residual %.2e",
                 d->method->name, relative);
    break;
  case PERP_NON_FINITE:
    perp_run_say(
        run, "%s computed a value that is not finite; the best iterate has relative residual %.2e",
        d->method->name, relative);
    break;
  case PERP_REFUTED:
    perp_run_say(run, "%s claims a solution, but its relative residual is %.2e", d->method->name,
                 relative);
    break;
  default:
    perp_run_say(run, "%s: relative residual %.2e", perp_outcome_name(r->outcome), relative);
  }
}

/* Returns true if the verdict on x may be better than `residual`, given the `checked` residual of a
 * check, which differs by rounding. A verdict takes as long as some sweeps, which matters after the
 * deadline. */
static bool may_be_better(double checked, double residual)
{
  return !isfinite(checked) || !(residual < 0.99 * checked);
}

/* Returns the outcome of a run whose residual is above the target. */
static perp_outcome unsolved(perp_run *run)
{
  const perp_outcome ending = run->driver->ending;
  if (ending == PERP_INFEASIBLE || ending == PERP_RAY)
    return perp_driver_proves(run) ? PERP_INFEASIBLE : PERP_RAY;
  return ending == PERP_SOLVED ? PERP_REFUTED : ending;
}

void perp_driver_settle(perp_run *run, double *x, bool with_y)
{
  perp_driver *d = run->driver;
  perp_result *r = d->result;

  r->residual = perp_driver_verdict(run, x);
  r->method = d->last_method;
  int64_t y_of_x = d->verdict_y;
  if (!perp_verdict_solved(r->residual, run->target)) {
    const double *others[2] = {d->best, d->start};
    for (int k = 0; k < 2; k++) {
      if (perp_driver_is_same(run, x, others[k]))
        continue;
      const bool finite = d->vectors->is_finite(run, x);
      const double checked = k == 0                       ? d->best_residual
                             : isfinite(d->start_checked) ? d->start_checked
                                                          : perp_driver_fresh(run, d->start);
      if (finite && !may_be_better(checked, r->residual))
        continue;
      const double residual = perp_driver_verdict(run, others[k]);
      if (residual < r->residual || !finite) {
        d->vectors->copy(run, others[k], x);
        r->method = d->best_method;
        r->residual = residual;
        y_of_x = d->verdict_y;
      }
    }
  }

  r->outcome = perp_verdict_outcome(r->residual, run->target, PERP_STAGNATED);
  if (r->outcome != PERP_SOLVED && d->ended)
    r->outcome = unsolved(run);
  /* auto may have continued from the floor without success; the floor is that of the x returned */
  const bool in_vain = d->at_floor && r->outcome == PERP_ITERATION_LIMIT;
  const bool said = r->outcome == PERP_PRECISION;
  if (in_vain || said || perp_driver_is_stuck(r->outcome)) {
    if (perp_driver_is_at_floor(run, x, r->residual))
      r->outcome = PERP_PRECISION;
    else if (said)
      r->outcome = PERP_STAGNATED;
  }
  r->relative_residual = r->residual / run->scale;
  if (with_y && y_of_x != d->y_count)
    d->vectors->judge(run, x);
  r->y = with_y ? d->y : NULL;
  r->ray = r->outcome == PERP_RAY || r->outcome == PERP_INFEASIBLE ? d->ray : NULL;
}
