/* ipm_step.c: one iteration of the interior point method
 *
 * Newton's method for the conditions of ipm.c, with a and b eliminated, gives dv = Sigma dt + c,
 * Sigma = a/(t - L) + b/(U - t), and
 *
 *   ( P   E^T       ) (dx)   (-r_d               )     r_d = P x + q + E^T v
 *   ( E   -Sigma^-1 ) (dv) = (-r_p - Sigma^-1 c  )     r_p = E x - t
 *
 * The rows of bounds on x are eliminated too: they only add Sigma to the diagonal of P. system.c
 * solves the rest, with a proximal term delta around the iterate: a step leaves delta dx and delta dv
 * of the residuals, and stays bounded if the rows of E or the x of an optimal face are dependent.
 *
 * Predictor and corrector by Mehrotra (1992): the predictor has the c of mu = 0; if its step would
 * leave mu at mu_a, the corrector uses (mu_a/mu)^3 mu and the products of the predictor's changes.
 * Further corrections by Gondzio (1996) bring products that are far from mu nearer to it. (x, t) and
 * v have separate step lengths: if P is not 0, unequal steps leave a part of P dx in r_d, which
 * the next steps remove. */
#include "model/qp/ipm.h"

/* The proximal term delta falls while the systems are solved to ACCURATE, and rises if not to
 * INACCURATE. An iteration that has stalled takes less accurate steps with a smaller delta: [1]. In
 * rows of G it is at least DAMPING times the error, which keeps multipliers from running along
 * directions in which G^T v is almost 0. */
static const double ACCURATE[] = {1e-9, 1e-5}, INACCURATE[] = {1e-6, 1e-2};
/* PREDICTED: of a predictor, which only tells how far a step can go. */
static const double PREDICTED = 1e-5, UNUSABLE = 1e-3, DAMPING = 5e-6;

void perp_qp_interior_residuals(perp_qp_interior *p)
{
  const perp_qp_scaled *d = &p->s->scaled;
  double *v = p->dv; /* free here */
  for (int k = 0; k < p->all; k++)
    v[k] = multiplier(p, k);
  perp_copy(p->n, d->q, p->rd);
  perp_qp_add_exact(&d->P, p->x, p->rd);
  double dual = d->unit_dual, xPx = 0;
  for (int i = 0; i < p->n; i++) {
    dual = perp_max(dual, fabs(p->rd[i] - d->q[i]));
    xPx += p->x[i] * (p->rd[i] - d->q[i]);
  }
  const double gradient = dual;
  dual = perp_max(dual, perp_norm_inf(p->all, v));
  perp_qp_add_exact(&d->T, v + p->n, p->rd);
  for (int i = 0; i < p->n; i++)
    p->rd[i] = is_equation(p, i) ? 0 : p->rd[i] + v[i];
  for (int k = 0; k < p->all; k++)
    p->rp[k] = k < p->n ? p->x[k] - p->t[k] : -p->t[k];
  perp_qp_add_exact(&d->G, p->x, p->rp + p->n);
  perp_axpy(p->all - p->n, -p->s->rho, v + p->n, p->rp + p->n);
  double sum = 0, primal = perp_max(perp_norm_inf(p->all, p->t), d->unit);
  for (int k = 0; k < p->all; k++) {
    if (!has_lower(p, k) && !has_upper(p, k) && !is_equation(p, k)) {
      p->t[k] += p->rp[k]; /* a row without bounds only follows */
      p->rp[k] = 0;
    }
    if (has_lower(p, k))
      sum += p->a[k] * (p->t[k] - d->L[k]);
    if (has_upper(p, k))
      sum += p->b[k] * (d->U[k] - p->t[k]);
  }
  p->mu = p->bounds > 0 ? sum / p->bounds : 0;
  p->dual_scale = dual;
  const double left_d = perp_norm_inf(p->n, p->rd), left_p = perp_norm_inf(p->all, p->rp);
  p->feasible = left_p <= 0.1 * p->run->options->tol * primal;
  p->error = perp_max(perp_max(left_d / dual, left_p / primal), p->mu / dual / primal);
  /* the gap of all products is at most tol |f|, and one of two equal factors tol of its unit */
  const double tol = perp_max(p->run->options->tol, 1e-10);
  p->s->goal[0] = p->exact ? perp_max(0.5 * left_d, 0.01 * tol * perp_min(1, dual)) : 0;
  p->s->goal[1] = perp_max(0.5 * left_p, 0.01 * tol * perp_min(1, primal));
  const double f = fabs(0.5 * (xPx + 2 * perp_dot(p->n, d->q, p->x)));
  p->mu_least = 0.01 * perp_min(tol * perp_max(perp_min(1, primal * dual), f) / (p->bounds + 1),
                                tol * tol * primal * gradient);
}

/* The steps before were short or in vain. */
static bool is_stuck(const perp_qp_interior *p)
{
  return p->stalled >= PERP_QP_PATIENCE || p->last < 0.3;
}

/* Computes the step for the products mu - ea of a (t - L) and mu - eb of b (U - t). Returns the
 * relative residual of its system, which need not be smaller than `enough`. */
static double find_step(perp_qp_interior *p, double mu, double enough)
{
  perp_qp_solver *s = p->s;
  const perp_qp_scaled *d = &s->scaled;
  double *c = p->dv, *r = s->step[3];
  for (int k = 0; k < p->all; k++) {
    c[k] = 0;
    if (has_lower(p, k))
      c[k] -= (mu - p->ea[k]) / (p->t[k] - d->L[k]) - p->a[k];
    if (has_upper(p, k))
      c[k] += (mu - p->eb[k]) / (d->U[k] - p->t[k]) - p->b[k];
  }
  /* bounds of x: dv = Sigma (dx + r_p) + c goes into the first rows */
  for (int i = 0; i < p->n; i++)
    r[i] = isinf(s->sigma[i]) ? 0 : -p->rd[i] - s->sigma[i] * p->rp[i] - c[i];
  for (int k = p->n; k < p->all; k++)
    r[k] = s->sigma[k] > 0 ? -p->rp[k] - c[k] / s->sigma[k] : 0;
  const double inaccuracy = perp_qp_system_solve(p->run, r, enough);
  perp_copy(p->n, r, p->dx);
  for (int k = 0; k < p->all; k++) {
    const double dv = k >= p->n            ? r[k]
                      : isinf(s->sigma[k]) ? 0
                                           : s->sigma[k] * (r[k] + p->rp[k]) + c[k];
    /* dt = (dv - c) / Sigma; for x, and for rows with a small Sigma, from E dx + r_p */
    double dt = 0;
    if (k < p->n)
      dt = isinf(s->sigma[k]) ? 0 : r[k] + p->rp[k];
    else if (s->sigma[k] > 0 && !isinf(s->sigma[k]))
      dt = (dv - c[k]) / s->sigma[k];
    p->da[k] = p->db[k] = 0;
    if (has_lower(p, k))
      p->da[k] = (mu - p->ea[k] - p->a[k] * dt) / (p->t[k] - d->L[k]) - p->a[k];
    if (has_upper(p, k))
      p->db[k] = (mu - p->eb[k] + p->b[k] * dt) / (d->U[k] - p->t[k]) - p->b[k];
    if (is_equation(p, k) && k >= p->n)
      p->db[k] = dv;
    p->dv[k] = dt; /* from here on, the step of t */
  }
  return inaccuracy;
}

/* Computes a step to take, as accurate as it can be if many before were in vain. */
static double find_accurate_step(perp_qp_interior *p, double mu)
{
  const bool in_vain = p->stalled >= PERP_QP_PATIENCE;
  const double inaccuracy = find_step(p, mu, in_vain ? 0 : 0.1 * ACCURATE[0]);
  p->inaccuracy = perp_max(p->inaccuracy, inaccuracy);
  return inaccuracy;
}

/* The longest steps that keep t and the multipliers inside. */
typedef struct {
  double primal, dual;
} lengths;

/* Returns the length of the step that takes a positive number to 0. */
static double steps_to_zero(double number, double change)
{
  return change < 0 ? -number / change : INFINITY;
}

static lengths step_lengths(const perp_qp_interior *p)
{
  const perp_qp_scaled *d = &p->s->scaled;
  lengths most = {INFINITY, INFINITY};
  for (int k = 0; k < p->all; k++) {
    const double dt = p->dv[k];
    if (has_lower(p, k)) {
      most.primal = perp_min(most.primal, steps_to_zero(p->t[k] - d->L[k], dt));
      most.dual = perp_min(most.dual, steps_to_zero(p->a[k], p->da[k]));
    }
    if (has_upper(p, k)) {
      most.primal = perp_min(most.primal, steps_to_zero(d->U[k] - p->t[k], -dt));
      most.dual = perp_min(most.dual, steps_to_zero(p->b[k], p->db[k]));
    }
  }
  return most;
}

static lengths shorten(lengths l, double factor)
{
  return (lengths){perp_min(1, factor * l.primal), perp_min(1, factor * l.dual)};
}

static double mu_after(const perp_qp_interior *p, lengths l)
{
  const perp_qp_scaled *d = &p->s->scaled;
  double sum = 0;
  for (int k = 0; k < p->all; k++) {
    const double dt = l.primal * p->dv[k];
    if (has_lower(p, k))
      sum += (p->a[k] + l.dual * p->da[k]) * (p->t[k] - d->L[k] + dt);
    if (has_upper(p, k))
      sum += (p->b[k] + l.dual * p->db[k]) * (d->U[k] - p->t[k] - dt);
  }
  return sum / p->bounds;
}

static bool step_is_finite(const perp_qp_interior *p)
{
  return perp_all_finite(p->n, p->dx) && perp_all_finite(p->all, p->dv) &&
         perp_all_finite(p->all, p->da) && perp_all_finite(p->all, p->db);
}

/* The correction of Gondzio (1996) for one product that would be v: what brings it back to between
 * BETA and 1 / BETA times the target. */
static double outlier(double v, double target)
{
  static const double BETA = 0.1;
  return v < BETA * target   ? BETA * target - v
         : v > target / BETA ? perp_max(target / BETA - v, -target / BETA)
                             : 0;
}

/* Lowers ea and eb so that the products after steps of this length are nearer to the target. */
static void correct_outliers(perp_qp_interior *p, lengths l, double target)
{
  const perp_qp_scaled *d = &p->s->scaled;
  for (int k = 0; k < p->all; k++) {
    const double dt = l.primal * p->dv[k];
    if (has_lower(p, k))
      p->ea[k] -= outlier((p->a[k] + l.dual * p->da[k]) * (p->t[k] - d->L[k] + dt), target);
    if (has_upper(p, k))
      p->eb[k] -= outlier((p->b[k] + l.dual * p->db[k]) * (d->U[k] - p->t[k] - dt), target);
  }
}

/* Sets ea and eb to `weight` times the products of the predictor's changes. */
static void set_second_order(perp_qp_interior *p, double weight)
{
  for (int k = 0; k < p->all; k++) {
    p->ea[k] = has_lower(p, k) ? weight * p->dv[k] * p->da[k] : 0;
    p->eb[k] = has_upper(p, k) ? -weight * p->dv[k] * p->db[k] : 0;
  }
}

/* The number of Gondzio's corrections of a step of these lengths: each takes a solve or two, and
 * pays if the factors that it spares cost more. A short step needs them at any price. */
static int correctors(const perp_qp_interior *p, lengths most)
{
  const double work = perp_qp_factor_work(p->s->factor);
  const bool brief = perp_min(most.primal, most.dual) < 0.3;
  return work > 30 || brief || is_stuck(p) ? 2 : work > 6;
}

static void copy_step(const perp_qp_interior *p, double *const from[4], double *const to[4])
{
  for (int k = 0; k < 4; k++)
    perp_copy(k ? p->all : p->n, from[k], to[k]);
}

/* Adds Gondzio's corrections while they make the step longer; `most`: its longest lengths. */
static void lengthen(perp_qp_interior *p, lengths most, double target)
{
  double *const step[] = {p->dx, p->dv, p->da, p->db};
  for (int round = correctors(p, most); round > 0; round--) {
    const lengths now = shorten(most, 1);
    if (now.primal > 0.9 && now.dual > 0.9)
      return;
    copy_step(p, step, p->s->kept);
    correct_outliers(p, shorten((lengths){most.primal + 0.3, most.dual + 0.3}, 1), target);
    const bool usable = find_accurate_step(p, target) < UNUSABLE && step_is_finite(p);
    most = step_lengths(p);
    const lengths next = shorten(most, 1);
    if (!usable || next.primal + next.dual < now.primal + now.dual + 0.02) { /* not worth it */
      copy_step(p, p->s->kept, step);
      return;
    }
  }
}

/* Computes the corrected step after the predictor, whose longest steps are `affine`. Returns false
 * if it is not finite. */
static bool correct(perp_qp_interior *p, lengths affine)
{
  const double ratio = perp_min(1, mu_after(p, shorten(affine, 1)) / p->mu);
  const double sigma = ratio * ratio * ratio;
  const double reach = perp_min(1, perp_min(affine.primal, affine.dual));
  set_second_order(p, reach > 0.1 ? 1 : reach * reach);
  double target = perp_max(sigma * p->mu, p->mu_least);
  const bool usable = find_accurate_step(p, target) < UNUSABLE && step_is_finite(p);
  lengths most = step_lengths(p);
  if (!usable || perp_min(most.primal, most.dual) < 0.3 * reach) {
    target = perp_max(perp_max(0.1, sigma) * p->mu, p->mu_least);
    set_second_order(p, 0);
    find_accurate_step(p, target);
    if (!step_is_finite(p))
      return false;
    most = step_lengths(p);
  }
  lengthen(p, most, target);
  return true;
}

/* Unequal steps leave r_d at (1 - dual) r_d + (primal - dual) P dx. Without them, programs with very
 * large multipliers take hundreds of iterations; with them, some cycle. A cautious iteration takes
 * them if that r_d is at most the error of the iterate. */
static lengths choose_lengths(perp_qp_interior *p)
{
  lengths l = shorten(step_lengths(p), perp_max(0.995, 1 - 10 * p->error));
  double *g = p->ea, worst = 0; /* free here */
  perp_fill(p->n, 0, g);
  perp_qp_add(&p->s->scaled.P, p->dx, g);
  for (int i = 0; i < p->n; i++)
    if (!is_equation(p, i))
      worst = perp_max(worst, fabs((1 - l.dual) * p->rd[i] + (l.primal - l.dual) * g[i]));
  if (p->cautious && !(worst <= p->error * p->dual_scale))
    l.primal = l.dual = perp_min(l.primal, l.dual);
  return l;
}

bool perp_qp_interior_step(perp_qp_interior *p)
{
  perp_qp_solver *s = p->s;
  const perp_qp_scaled *d = &s->scaled;
  for (int k = 0; k < p->all; k++) {
    double sigma = 0;
    if (has_lower(p, k))
      sigma += p->a[k] / (p->t[k] - d->L[k]);
    if (has_upper(p, k))
      sigma += p->b[k] / (d->U[k] - p->t[k]);
    s->sigma[k] = is_equation(p, k) ? INFINITY : sigma;
    p->ea[k] = p->eb[k] = 0;
  }
  s->damping = perp_min(DAMPING * p->error, PERP_QP_MOST_DELTA);
  for (;;) { /* at the end a factor may need a larger proximal term */
    if (!perp_qp_system_factorise(p->run))
      return false;
    p->inaccuracy = 0;
    const bool predicts = p->bounds > 0 && !is_stuck(p);
    const double inaccuracy = predicts ? find_step(p, 0, PREDICTED) : find_accurate_step(p, 0);
    if (step_is_finite(p) && (inaccuracy < UNUSABLE || s->delta >= PERP_QP_MOST_DELTA))
      break;
    if (s->delta >= PERP_QP_MOST_DELTA)
      return false;
    s->delta *= 100;
  }
  if (p->bounds > 0 && !correct(p, step_lengths(p)))
    return false;
  if (p->inaccuracy < ACCURATE[p->fine])
    s->delta = perp_max(0.1 * s->delta, PERP_QP_LEAST_DELTA[p->fine]);
  else if (p->inaccuracy > INACCURATE[p->fine])
    s->delta = perp_min(10 * s->delta, PERP_QP_MOST_DELTA);
  const lengths l = choose_lengths(p);
  p->last = perp_min(l.primal, l.dual);
  for (int i = 0; i < p->n; i++)
    p->x[i] += l.primal * p->dx[i];
  for (int k = 0; k < p->all; k++) {
    p->t[k] += l.primal * p->dv[k];
    p->a[k] += l.dual * p->da[k];
    p->b[k] += l.dual * p->db[k];
    /* rounding: stay strictly inside */
    const double L = d->L[k], U = d->U[k];
    if (has_lower(p, k) && !(p->t[k] > L))
      p->t[k] = L + 4e-16 * fabs(L) + 1e-30 * d->unit;
    if (has_upper(p, k) && !(p->t[k] < U))
      p->t[k] = U - 4e-16 * fabs(U) - 1e-30 * d->unit;
  }
  return true;
}
