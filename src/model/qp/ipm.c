/* ipm.c: a primal-dual interior point method for quadratic programs
 *
 * With E = (I; G) and t = E x, the bounds L <= t <= U have slacks t - L and U - t and multipliers
 * a, b > 0, of which v = b - a:
 *
 *   P x + q + E^T v = 0,   E x - t = 0,   (t - L) a = mu,   (U - t) b = mu,          mu -> 0
 *
 * t stays strictly inside, x need not: equations have t = L = U and any v. ipm_step.c makes
 * Newton's steps. presolve.c has taken out rows that leave no interior points.
 *
 * The end. If mu is small and the set of rows with a > t - L or b > U - t, in units of v and of t,
 * was the same one iteration before, the equations of this active set are solved (active.c) and
 * shown to the driver; if the result is not a solution, the iteration continues unchanged. If there
 * is no solution, the iterate tends to a ray.
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
 * 34 (n + m). */
#include "model/qp/ipm.h"

#include "linalg/exact_lp.h"

#include <string.h>

/* ---- Iterates well inside the bounds ----
 *
 * The first x and v solve the program in which bounds are springs of stiffness 1: one linear system.
 * Slacks and multipliers are then moved away from 0 as in Mehrotra (1992), and t of a row with two
 * bounds is put between them.
 *
 * Steps that end near 0 leave products (t - L) a far below mu, which makes the next steps short too.
 * Recentring raises them. */

/* Computes x and v of the program in which bounds are springs of stiffness 1 towards their point
 * nearest to 0. */
static bool solve_start(perp_qp_interior *p)
{
  perp_qp_solver *s = p->s;
  double *r = p->step.x;
  for (int k = 0; k < p->all; k++) {
    const double target = perp_min(perp_max(s->scaled.L[k], 0), s->scaled.U[k]);
    const bool any = has_lower(p, k) || has_upper(p, k);
    p->t[k] = target;
    s->sigma[k] = is_equation(p, k) ? INFINITY : any ? 1 : 0;
    r[k] = k >= p->n ? target : -s->scaled.q[k] + (any ? target : 0);
  }
  for (int i = 0; i < p->n; i++) /* fixed: x is at its bound already */
    p->x[i] = is_equation(p, i) ? s->scaled.L[i] : 0;
  perp_fill(p->n, 0, p->rd);
  perp_qp_add(&s->scaled.P, p->x, p->rd);
  perp_qp_extend(&s->scaled.G, p->x, p->rp);
  for (int i = 0; i < p->n; i++)
    r[i] = is_equation(p, i) ? 0 : r[i] - p->rd[i];
  for (int k = p->n; k < p->all; k++)
    r[k] -= p->rp[k];
  perp_copy(p->all, r, p->spare.x);
  for (;;) { /* without bounds, a small proximal term may leave no digits */
    if (!perp_qp_system_factorise(p->run))
      return false;
    perp_qp_system_solve(p->run, r, 0);
    if (perp_all_finite(p->all, r) || s->delta >= PERP_QP_MOST_DELTA)
      break;
    s->delta *= 100;
    perp_copy(p->all, p->spare.x, r);
  }
  for (int i = 0; i < p->n; i++)
    p->x[i] += r[i];
  return true;
}

/* Moves slacks and multipliers away from 0 (Mehrotra 1992): shifts both until positive, then by
 * half of their weighted means. Puts a row with two bounds between them. */
static void push_inside(perp_qp_interior *p)
{
  const perp_qp_scaled *d = &p->s->scaled;
  const double *r = p->step.x;
  perp_qp_extend(&d->G, p->x, p->rp);
  for (int k = 0; k < p->all; k++)
    p->v[k] = k >= p->n ? r[k] : has_lower(p, k) || has_upper(p, k) ? p->x[k] - p->t[k] : 0;
  double slack = 0, dual = 0;
  for (int j = 0; j < p->bounds; j++) {
    const int k = p->row[j];
    p->w[j] = j < p->lowers ? p->rp[k] - d->L[k] : d->U[k] - p->rp[k];
    p->z[j] = j < p->lowers ? -p->v[k] : p->v[k];
    slack = perp_max(slack, -p->w[j]);
    dual = perp_max(dual, is_box(p, k) ? 0 : -p->z[j]);
  }
  slack *= 1.5;
  dual *= 1.5;
  double product = 0, slacks = 0, duals = 0;
  for (int j = 0; j < p->bounds; j++) {
    if (is_box(p, p->row[j]))
      continue;
    product += (slack + p->w[j]) * (dual + p->z[j]);
    slacks += slack + p->w[j];
    duals += dual + p->z[j];
  }
  double more_slack = duals > 0 ? 0.5 * product / duals : 0;
  double more_dual = slacks > 0 ? 0.5 * product / slacks : 0;
  if (!(more_slack > 1e-3))
    more_slack = perp_max(1e-3 * perp_norm_inf(p->all, p->rp), 1e-3);
  if (!(more_dual > 1e-3))
    more_dual = perp_max(1e-3 * perp_norm_inf(p->n, d->q), 1e-3);
  const double goal = (slack + more_slack) * (dual + more_dual);
  for (int k = 0; k < p->all; k++) {
    const double t = p->rp[k], L = d->L[k], U = d->U[k];
    if (is_box(p, k)) {
      const double edge = perp_min(0.25 * (U - L), slack + more_slack);
      p->t[k] = perp_min(perp_max(t, L + edge), U - edge);
    } else {
      p->t[k] = is_equation(p, k) ? L
                : isfinite(L)     ? perp_max(t + slack, L) + more_slack
                : isfinite(U)     ? perp_min(t - slack, U) - more_slack
                                  : t;
    }
  }
  for (int j = 0; j < p->bounds; j++) {
    const int k = p->row[j];
    if (is_box(
            p,
            k)) { /* in a narrow box the slacks are small: larger multipliers keep the products alike */
      const double w = j < p->lowers ? p->t[k] - d->L[k] : d->U[k] - p->t[k];
      p->z[j] = perp_max(perp_max(p->z[j], 0) + more_dual, goal / w);
    } else {
      p->z[j] += dual + more_dual;
    }
  }
}

/* Raises one slack and its multiplier until their product is mu, the smaller in its unit first. */
static void raise_product(double mu, double unit, double *slack, double *multiplier)
{
  if (*slack * *multiplier >= 0.1 * mu)
    return;
  *slack = perp_max(*slack, perp_min(sqrt(mu) * unit, mu / *multiplier));
  *multiplier = perp_max(*multiplier, mu / *slack);
}

static void recentre(perp_qp_interior *p)
{
  const perp_qp_scaled *d = &p->s->scaled;
  const double primal = perp_max(perp_norm_inf(p->all, p->t), d->unit);
  const double mu = perp_max(p->mu, 1e-10 * primal * p->dual_scale);
  const double unit = sqrt(primal / p->dual_scale);
  for (int j = 0; j < p->bounds; j++) {
    const int k = p->row[j];
    const bool lower = j < p->lowers;
    const double L = d->L[k], U = d->U[k], below = p->t[k] - L, above = U - p->t[k];
    if (lower ? above < below : below <= above) /* the other bound is nearer */
      continue;
    double slack = lower ? below : above;
    raise_product(mu, unit, &slack, &p->z[j]);
    if (is_box(p, k))
      slack = perp_min(slack, 0.5 * (U - L));
    p->t[k] = lower ? L + slack : U - slack;
  }
}

static bool start(perp_qp_interior *p)
{
  perp_qp_solver *s = p->s;
  double **a = s->work, **b = s->bound;
  p->x = a[0], p->t = a[1], p->v = a[2], p->rd = a[3], p->rp = a[4];
  p->w = b[0], p->inverse = b[1], p->z = b[2], p->e = b[3];
  p->step = (perp_qp_step){a[5], a[6], a[7], b[4], b[5]};
  p->spare = (perp_qp_step){a[8], a[9], a[10], b[6], b[7]};
  p->fine = 1; /* unless an x has little own curvature */
  for (int i = 0; i < s->n; i++)
    p->fine = p->fine && s->scaled.diagonal[i] > 0.01;
  p->last = 1;
  s->goal[0] = s->goal[1] = 0; /* not those of the last solve */
  s->exact = false;
  p->error = p->proof_error = p->best_verdict = p->best_error = p->best_mu = p->tried_error =
      INFINITY;
  for (int k = 0; k < p->all; k++) {
    if (has_lower(p, k))
      s->bound_row[p->bounds++] = k;
    s->side[k] = 2; /* no set yet */
  }
  p->lowers = p->bounds;
  for (int k = 0; k < p->all; k++)
    if (has_upper(p, k))
      s->bound_row[p->bounds++] = k;
  p->row = s->bound_row;
  if (!solve_start(p))
    return false;
  push_inside(p);
  p->start_x = perp_max(perp_norm_inf(p->n, p->x), 1);
  p->start_v = 1; /* without the multipliers of narrow boxes, which are large and cancel */
  for (int k = p->n; k < p->all; k++)
    p->start_v = perp_max(p->start_v, fabs(p->step.x[k]));
  return true;
}

/* ---- Programs without solution ----
 *
 * If there is no feasible point, v grows, and v / |v| tends to a ray with E^T v = 0 and
 * sup { v^T t : L <= t <= U } < 0. If the objective falls without end, x grows, and x / |x| tends to a
 * d with P d = 0, q^T d < 0, and E d in the recession cone of the bounds. Either proves the outcome if
 * it holds exactly, which prove.c and vertex.c test. */

/* Returns the error of the multipliers of G x as a proof that there is no feasible point. They are in
 * step.v; other parts of the program than the one without such a point have zeros. */
static double infeasible_error(perp_qp_interior *p)
{
  const perp_qp_scaled *d = &p->s->scaled;
  const perp_inequalities all = {.n = p->n,
                                 .m = p->all - p->n,
                                 .start = d->G.start,
                                 .column = d->G.column,
                                 .value = d->G.value,
                                 .L = d->L,
                                 .U = d->U};
  double *z = p->step.v + p->n;
  perp_copy(all.m, p->v + p->n, z);
  const bool grown = perp_norm_inf(all.m, z) > 10 * p->start_v;
  return grown || p->ended || p->stalled >= PERP_QP_PATIENCE
             ? perp_ray_error(&all, z, p->s->part, p->s->step)
             : INFINITY;
}

/* Returns the error of x as a ray along which the objective falls. If x grows along a face of
 * solutions, q^T x is rounding of large terms: so a slope counts relative to |q| if |q| > 1. */
static double unbounded_error(perp_qp_interior *p)
{
  const perp_qp_scaled *d = &p->s->scaled;
  const double size = perp_norm_inf(p->n, p->x);
  if (!(size > 1e3 * p->start_x))
    return INFINITY;
  const double slope = perp_dot(p->n, d->q, p->x) / size / perp_max(1, perp_norm_inf(p->n, d->q));
  double *g = p->spare.t; /* free here */
  perp_fill(p->n, 0, g);
  perp_qp_add(&d->P, p->x, g);
  double left = perp_norm_inf(p->n, g);
  perp_qp_extend(&d->G, p->x, g);
  for (int k = 0; k < p->all; k++) {
    if (!isinf(d->U[k]))
      left = perp_max(left, g[k]);
    if (!isinf(d->L[k]))
      left = perp_max(left, -g[k]);
  }
  return slope < 0 ? left / size / perp_min(1, -slope) : INFINITY;
}

/* Returns true if x may violate the rows by no more than tol although the multipliers v are a proof
 * that there is no feasible point: sum |z_i| p_i >= -sum v_k B_k for the violations p of every x, B_k
 * the bound that v_k pushes against. */
static bool is_within_tolerance(const perp_qp_interior *p, const double *v)
{
  const perp_qp_solver *s = p->s;
  double sum = 0, room = 0;
  for (int k = 0; k < p->all; k++) {
    const double bound = v[k] > 0 ? s->U[k] : s->L[k];
    if (v[k] == 0 || isinf(bound))
      continue;
    sum += v[k] * bound;
    room += k < p->n ? 0 : fabs(v[k]) * perp_max(fabs(bound), 1);
  }
  return -sum <= p->run->options->tol * room;
}

/* Tries rays, and the vertex near one that is exact up to rounding, or if nothing else helps: integers
 * of a vertex far from it may take minutes. A proof that bounds contradict each other by less than the
 * tolerance, such as 0 <= -1e-17 in an empty row, counts only if no solution is found. Returns true if
 * one ends the run. */
static bool try_rays(perp_qp_interior *p)
{
  enum { PROOFS = 16 };
  static const double GOOD = 1e-3, LIKELY = 1e-8;
  const double no_end = unbounded_error(p), no_point = p->feasible ? INFINITY : infeasible_error(p);
  const double error = perp_min(no_point, no_end);
  const perp_outcome what = no_point <= no_end ? PERP_INFEASIBLE : PERP_UNBOUNDED;
  if (!(error < GOOD))
    return false;
  if (error < LIKELY && what == PERP_UNBOUNDED)
    p->likely = PERP_UNBOUNDED_RAY;
  else if (error < LIKELY && perp_norm_inf(p->all - p->n, p->step.v + p->n) > 1e3 * p->start_v)
    p->likely = PERP_INFEASIBLE_RAY;
  if (p->proofs >= PROOFS || error > 0.1 * p->proof_error)
    return p->proofs >= PROOFS && p->likely != PERP_NOT_RUN;
  p->proofs++;
  p->proof_error = error;
  double *ray = p->s->step[0];
  if (what == PERP_INFEASIBLE) {
    ray = p->s->shown_v;
    for (int k = p->n; k < p->all; k++)
      ray[k] = p->s->D[k] * p->step.v[k];
    perp_fill(p->n, 0, ray); /* w = -G^T z */
    perp_qp_add_t(&p->s->G, ray + p->n, ray);
    perp_multiply(p->n, -1, ray);
    perp_qp_postsolve(p->s, ray);
    if (!p->ended && is_within_tolerance(p, ray))
      return false;
    ray += p->n;
  } else
    for (int i = 0; i < p->n; i++)
      ray[i] = p->s->D[i] * p->x[i];
  return perp_qp_claim_ray(p->run, what, ray) ||
         (what == PERP_INFEASIBLE && (error < LIKELY || p->stalled >= PERP_QP_PATIENCE) &&
          perp_qp_prove_vertex(p->run, ray));
}

/* ---- The iterations ---- */

/* Sets the multipliers of fixed x so that stationarity holds, and the multipliers of other bounds of x
 * if that changes them by less than their size. */
static void find_fixed(perp_qp_interior *p, double *v)
{
  const perp_qp_scaled *d = &p->s->scaled;
  double *r = p->spare.x; /* free here */
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
  perp_copy(p->all, p->v, s->v);
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
  if (p->mu < 0.5 * p->best_mu) {
    p->best_mu = p->mu;
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
  signed char *guess = p->s->guess;
  const double dual = perp_max(perp_norm_inf(p->all, p->v), perp_norm_inf(p->bounds, p->z));
  const double primal = perp_norm_inf(p->all, p->t);
  const double ratio = primal > 0 && dual > 0 ? primal / dual : 1;
  for (int k = 0; k < p->all; k++)
    guess[k] = is_equation(p, k) ? PERP_QP_UPPER : PERP_QP_INSIDE;
  for (int j = p->bounds - 1; j >= 0; j--)
    if (p->z[j] * ratio > p->w[j])
      guess[p->row[j]] = j < p->lowers ? PERP_QP_LOWER : PERP_QP_UPPER;
  const bool same = memcmp(guess, p->s->side, (size_t)p->all) == 0;
  memcpy(p->s->side, guess, (size_t)p->all);
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
  perp_copy(p->all, p->v, s->v);
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
  perp_copy(p->n, p->x, s->work[11]);
  perp_copy(p->all, p->t, s->work[12]);
  perp_copy(p->all, p->v, s->work[13]);
  perp_copy(p->bounds, p->z, s->bound[8]);
  s->rho = rho;
  const bool over = !start(&short_ones) || run_iterations(&short_ones);
  s->rho = 0;
  s->delta = delta;
  run->claim = over ? run->claim : claim;
  perp_copy(p->n, s->work[11], p->x);
  perp_copy(p->all, s->work[12], p->t);
  perp_copy(p->all, s->work[13], p->v);
  perp_copy(p->bounds, s->bound[8], p->z);
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
    if (perp_max(p->error, p->gap) < 10 * run->options->tol && show(p))
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
    if (k > 0 && p->s->rho == 0 && try_rays(p))
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
      recentre(p);
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
  const bool over = !start(&p) || run_iterations(&p);
  s->damping = 0;
  if (over)
    return;
  if (p.error < INFINITY)
    show(&p);
  p.ended = true;
  if (run->claim == PERP_NOT_RUN && p.error < INFINITY && !run->proven) {
    p.proofs = 0;
    p.proof_error = INFINITY;
    try_rays(&p);
  }
  if (run->claim == PERP_INFEASIBLE || run->claim == PERP_UNBOUNDED)
    return;
  if (p.likely != PERP_NOT_RUN)
    run->claim = p.likely;
  else if (run->claim == PERP_NOT_RUN)
    run->claim = PERP_STAGNATED;
}
