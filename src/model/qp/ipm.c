/* ipm.c: a primal-dual interior point method for quadratic programs
 *
 * With E = (I; G) and t = E x, the bounds L <= t <= U have slacks t - L and U - t and multipliers
 * a, b > 0, of which v = b - a:
 *
 *   P x + q + E^T v = 0,   E x - t = 0,   (t - L) a = mu,   (U - t) b = mu,          mu -> 0
 *
 * t stays strictly inside, x need not: equations have t = L = U and any v. ipm_start.c chooses the
 * first iterate, and ipm_step.c makes Newton's steps. presolve.c has taken out rows that leave
 * no interior points.
 *
 * The end. If mu is small and the set of rows with a > t - L or b > U - t, in units of v and of t,
 * was the same one iteration before, the equations of this active set are solved (active.c) and
 * shown to the driver; if the result is not a solution, the iteration continues unchanged. If there
 * is no solution, the iterate tends to a ray (ipm_ray.c).
 *
 * Long multipliers. If no point is strictly inside, multipliers grow without end along rays on which
 * their sum cancels, and rounding of the long ones keeps r_d from falling. In the program with
 *
 *   E x - t = rho v   in the rows of G,
 *
 * they have a price, rho |v|^2 / 2. If rho is small, but not only in the limit, its v of a linear
 * program are the shortest multipliers of the program itself (Mangasarian and Meyer 1979, on the
 * dual), and multipliers suit any solution x. So if the iteration stalls near a solution, this
 * program is solved, for a small rho and then a larger one, and its v are shown with the best x.
 *
 * Cost: a factor in an iteration, and two to five solves, each with some refinement. Workspace:
 * 24 (n + m). */
#include "model/qp/ipm.h"

#include <string.h>

/* Sets the multipliers of fixed x so that stationarity holds, and the multipliers of other bounds of x
 * if that changes them by less than their size. */
static void find_fixed(perp_qp_interior *p, double *v)
{
  const perp_qp_scaled *d = &p->s->scaled;
  double *r = p->ea; /* free here */
  perp_copy(p->n, d->q, r);
  perp_qp_add(&d->P, p->s->x, r);
  perp_qp_add_t(&d->G, v + p->n, r);
  for (int i = 0; i < p->n; i++)
    if (is_equation(p, i) || fabs(r[i] + v[i]) < fabs(v[i]))
      v[i] = -r[i];
}

/* Shows the iterate to the driver; if rho > 0, its multipliers with the best x. */
static bool show(perp_qp_interior *p)
{
  perp_qp_solver *s = p->s;
  for (int i = 0; i < p->n; i++)
    s->x[i] = s->rho > 0 ? s->best_x[i] / s->D[i] : p->x[i];
  for (int k = 0; k < p->all; k++)
    s->v[k] = multiplier(p, k);
  find_fixed(p, s->v);
  return perp_qp_show(p->run);
}

/* Counts the iterations since the error or the verdict was halved. If they are many, makes the
 * proximal term smaller, removes it, and changes the rule for unequal steps, for longer and longer.
 * Returns false if nothing helps. */
static bool watch_progress(perp_qp_interior *p)
{
  const double worst = perp_qp_worst(&p->run->best);
  p->stalled++;
  if (worst < 0.5 * p->best_verdict) {
    p->best_verdict = worst;
    p->stalled = 0;
  }
  if (p->error < 0.5 * p->best_error) {
    p->best_error = p->error;
    p->stalled = 0;
  }
  if (p->stalled == PERP_QP_PATIENCE) {
    p->fine = 1;
    p->proof_error = INFINITY; /* so that the vertex of the next ray is tried */
  }
  for (int at = PERP_QP_PATIENCE; at <= 8 * PERP_QP_PATIENCE; at *= 2)
    if (p->stalled == at)
      p->cautious = !p->cautious;
  if (p->stalled == 2 * PERP_QP_PATIENCE || p->stalled == 8 * PERP_QP_PATIENCE)
    p->exact = !p->exact;
  return p->stalled < 16 * PERP_QP_PATIENCE;
}

/* Determines the active set of the iterate. Returns true if it is the same as last time. */
static bool guess_set(perp_qp_interior *p)
{
  const perp_qp_scaled *d = &p->s->scaled;
  const double dual = perp_max(perp_norm_inf(p->all, p->a), perp_norm_inf(p->all, p->b));
  const double primal = perp_norm_inf(p->all, p->t);
  const double ratio = primal > 0 && dual > 0 ? primal / dual : 1;
  bool same = true;
  for (int k = 0; k < p->all; k++) {
    signed char side = PERP_QP_INSIDE;
    if (is_equation(p, k))
      side = PERP_QP_UPPER;
    else if (has_lower(p, k) && p->a[k] * ratio > p->t[k] - d->L[k])
      side = PERP_QP_LOWER;
    else if (has_upper(p, k) && p->b[k] * ratio > d->U[k] - p->t[k])
      side = PERP_QP_UPPER;
    same = same && p->s->side[k] == side;
    p->s->side[k] = side;
  }
  return same;
}

/* Solves the equations of the active set. Returns true if that is the solution; otherwise the set is
 * as before. */
static bool try_set(perp_qp_interior *p)
{
  perp_qp_solver *s = p->s;
  const perp_outcome claim = p->run->claim;
  const double rho = s->rho;
  perp_copy(p->n, p->x, s->x);
  for (int k = 0; k < p->all; k++)
    s->v[k] = multiplier(p, k);
  memcpy(s->guess, s->side, (size_t)p->all);
  s->rho = s->damping = 0;
  /* some rows at a bound with a zero multiplier may be on the wrong side: a few rounds */
  const bool solved = perp_qp_active_rounds(p->run, p->error < 1e-5 ? 3 : 1);
  s->rho = rho;
  if (!solved) {
    memcpy(s->side, s->guess, (size_t)p->all);
    p->run->claim = claim;
  }
  return solved;
}

static bool run_iterations(perp_qp_interior *p);

/* Solves the program with G x - t = rho v. Returns true if the run is over; otherwise the iterate is
 * as before. */
static bool shorten_multipliers(perp_qp_interior *p, double rho)
{
  perp_qp_solver *s = p->s;
  perp_qp_run *run = p->run;
  const double delta = s->delta;
  const perp_outcome claim = run->claim;
  perp_qp_interior short_ones = {.run = run, .s = s, .n = p->n, .all = p->all, .begun = p->begun};
  double *const kept[] = {p->x, p->t, p->a, p->b};
  for (int k = 0; k < 4; k++)
    perp_copy(k ? p->all : p->n, kept[k], s->work[12 + k]);
  s->rho = rho;
  const bool over = !perp_qp_interior_start(&short_ones) || run_iterations(&short_ones);
  s->rho = 0;
  s->delta = delta;
  run->claim = over ? run->claim : claim;
  for (int k = 0; k < 4; k++)
    perp_copy(k ? p->all : p->n, s->work[12 + k], kept[k]);
  return over;
}

/* Iterates until nothing helps. Returns true if the run is over. */
static bool run_iterations(perp_qp_interior *p)
{
  enum { MOST_RECENTRED = 4 };
  /* below these, the active set is tried, and multipliers of least norm */
  static const double NEAR = 1e-2, CLOSE = 1e-3;
  /* the least that acts beside the proximal term, then one that takes fewer iterations */
  const double RHO[] = {PERP_QP_LEAST_DELTA[0], 1e-7};
  perp_qp_run *run = p->run;
  int small = 0, recentred = 0;
  bool shortened = false;
  for (int64_t k = 0;; k++) {
    perp_qp_interior_residuals(p);
    if (!(p->error < INFINITY))
      return false;
    if (p->error < 10 * run->options->tol && show(p))
      return true;
    if (p->error < NEAR) {
      if (!guess_set(p))
        p->tried_error = INFINITY;
      else if (p->error < 1e-3 * p->tried_error) {
        p->tried_error = p->error;
        if (try_set(p))
          return true;
      }
    }
    if (k > 0 && p->s->rho == 0 && perp_qp_interior_try_rays(p))
      return false;
    if (run->iterations - p->begun >= run->max_iterations) {
      run->claim = PERP_ITERATION_LIMIT;
      return false;
    }
    if (perp_qp_expired(run))
      return true;
    run->iterations++;
    if (!perp_qp_interior_step(p))
      return run->stopped;
    perp_qp_tell(run, run->iterations, p->error, p->last);
    small = p->last < 1e-7 ? small + 1 : 0;
    if (small >= 3 && recentred < MOST_RECENTRED) {
      perp_qp_interior_recentre(p);
      small = 0;
      recentred++;
    }
    if (small >= 3 || !watch_progress(p) || (p->s->rho > 0 && p->stalled > 2 * PERP_QP_PATIENCE))
      return false;
    if (p->stalled == 2 * PERP_QP_PATIENCE && !shortened && p->s->rho == 0 &&
        perp_qp_worst(&run->best) < CLOSE) {
      shortened = true;
      for (int i = 0; i < 2; i++)
        if (shorten_multipliers(p, RHO[i]))
          return true;
    }
  }
}

void perp_qp_ipm(perp_qp_run *run)
{
  perp_qp_solver *s = run->solver;
  perp_qp_interior p = {.run = run, .s = s, .n = s->n, .all = s->n + s->m};
  p.begun = run->iterations;
  s->rho = 0;
  const bool over = !perp_qp_interior_start(&p) || run_iterations(&p);
  s->damping = 0;
  if (over)
    return;
  if (p.error < INFINITY)
    show(&p);
  if (run->claim == PERP_INFEASIBLE || run->claim == PERP_UNBOUNDED)
    return;
  if (p.likely != PERP_NOT_RUN)
    run->claim = p.likely;
  else if (run->claim == PERP_NOT_RUN)
    run->claim = PERP_STAGNATED;
}
