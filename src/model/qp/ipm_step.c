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
/* REFINED: what refinement aims at; PREDICTED: the same of a predictor, which only tells how far a step can
 * go. EXACT: of iterates, below which residuals are summed in twice the precision. */
static const double REFINED = 1e-8, PREDICTED = 1e-5, UNUSABLE = 1e-3, DAMPING = 5e-6, EXACT = 1e-4;

/* Slacks and their inverses, v, and mu. */
static void find_products(perp_qp_interior *p)
{
  const perp_qp_scaled *d = &p->s->scaled;
  double sum = 0;
  for (int j = 0; j < p->bounds; j++) {
    const int k = p->row[j];
    p->w[j] = j < p->lowers ? p->t[k] - d->L[k] : d->U[k] - p->t[k];
    p->inverse[j] = 1 / p->w[j];
    p->v[k] = 0;
    sum += p->z[j] * p->w[j];
  }
  for (int j = 0; j < p->bounds; j++)
    p->v[p->row[j]] += j < p->lowers ? -p->z[j] : p->z[j];
  p->mu = p->bounds > 0 ? sum / p->bounds : 0;
}

void perp_qp_interior_residuals(perp_qp_interior *p)
{
  const perp_qp_scaled *d = &p->s->scaled;
  const int n = p->n;
  void (*const add)(const perp_qp_rows *, const double *, double *) =
      p->error < EXACT ? perp_qp_add_exact : perp_qp_add;
  find_products(p);
  perp_fill(n, 0, p->rd);
  add(&d->P, p->x, p->rd);
  double dual = d->unit_dual, xPx = 0, qx = 0;
  for (int i = 0; i < n; i++) {
    dual = perp_max(dual, fabs(p->rd[i]));
    xPx += p->x[i] * p->rd[i];
    qx += p->x[i] * d->q[i];
    p->rd[i] += d->q[i];
  }
  const double gradient = dual;
  p->dual_scale = dual = perp_max(dual, perp_norm_inf(p->all, p->v));
  add(&d->T, p->v + n, p->rd);
  for (int i = 0; i < n; i++) {
    p->rd[i] = is_equation(p, i) ? 0 : p->rd[i] + p->v[i];
    p->rp[i] = p->x[i] - p->t[i];
  }
  for (int k = n; k < p->all; k++)
    p->rp[k] = -p->t[k] - p->s->rho * p->v[k];
  add(&d->G, p->x, p->rp + n);
  for (int k = 0; k < p->all; k++)
    if (isinf(d->L[k]) && isinf(d->U[k])) {
      p->t[k] += p->rp[k]; /* a row without bounds only follows */
      p->rp[k] = 0;
    }
  const double left_d = perp_norm_inf(n, p->rd), left_p = perp_norm_inf(p->all, p->rp);
  const double primal = perp_max(perp_norm_inf(p->all, p->t), d->unit);
  p->feasible = left_p <= 0.1 * p->run->options->tol * primal;
  p->error = perp_max(perp_max(left_d / dual, left_p / primal), p->mu / dual / primal);
  /* the gap of all products is at most tol |f|, and one of two equal factors tol of its unit */
  const double tol = perp_max(p->run->options->tol, 1e-10);
  p->s->goal[0] = perp_max(0.5 * left_d, 0.01 * tol * perp_min(1, dual));
  p->s->goal[1] = perp_max(0.5 * left_p, 0.01 * tol * perp_min(1, primal));
  p->s->exact = p->exact;
  const double f = fabs(0.5 * xPx + qx);
  p->gap = p->mu * p->bounds / perp_max(perp_min(1, primal * dual), f);
  p->mu_least = 0.01 * perp_min(tol * perp_max(perp_min(1, primal * dual), f) / (p->bounds + 1),
                                tol * tol * primal * gradient);
}

/* The steps before were short or in vain. */
static bool is_stuck(const perp_qp_interior *p)
{
  return p->stalled >= PERP_QP_PATIENCE || p->last < 0.3;
}

/* Computes the step for the products mu - e of slacks and multipliers. Returns the relative residual of
 * its system, which need not be smaller than `enough`; infinite: any, and 0 is returned. */
static double find_step(perp_qp_interior *p, double mu, double enough)
{
  perp_qp_solver *s = p->s;
  const perp_qp_step *d = &p->step;
  double *c = d->t, *r = s->step[3];
  perp_fill(p->all, 0, c);
  for (int j = 0; j < p->bounds; j++) {
    const double change = (mu - p->e[j]) * p->inverse[j] - p->z[j]; /* of z_j, for dt = 0 */
    d->z[j] = change;
    c[p->row[j]] += j < p->lowers ? -change : change;
  }
  /* bounds of x: dv = Sigma (dx + r_p) + c goes into the first rows */
  for (int i = 0; i < p->n; i++)
    r[i] = -p->rd[i] - s->own[i] * p->rp[i] - c[i];
  for (int k = p->n; k < p->all; k++)
    r[k] = -p->rp[k] - s->own[k] * c[k];
  double inaccuracy = 0;
  if (enough < INFINITY)
    inaccuracy = perp_qp_system_solve(p->run, r, enough);
  else
    perp_qp_system_solve_once(p->run, r);
  perp_copy(p->n, r, d->x);
  for (int i = 0; i < p->n; i++)
    d->t[i] = r[i] + p->rp[i];
  for (int k = p->n; k < p->all; k++) {
    d->v[k] = r[k];
    d->t[k] = (r[k] - c[k]) * s->own[k]; /* dt = (dv - c) / Sigma */
  }
  for (int j = 0; j < p->bounds; j++) {
    const double dt = d->t[p->row[j]];
    d->w[j] = j < p->lowers ? dt : -dt;
    d->z[j] -= p->z[j] * p->inverse[j] * d->w[j];
  }
  return inaccuracy;
}

/* Computes a step to take, as accurate as it can be if many before were in vain. */
static double find_accurate_step(perp_qp_interior *p, double mu)
{
  const bool in_vain = p->stalled >= PERP_QP_PATIENCE;
  const double inaccuracy = find_step(p, mu, in_vain ? 0 : REFINED);
  p->inaccuracy = perp_max(p->inaccuracy, inaccuracy);
  return inaccuracy;
}

/* The longest steps that keep t and the multipliers inside. */
typedef struct {
  double primal, dual;
} lengths;

static lengths step_lengths(const perp_qp_interior *p)
{
  const perp_qp_step *d = &p->step;
  lengths most = {INFINITY, INFINITY};
  for (int j = 0; j < p->bounds; j++) {
    if (p->w[j] + most.primal * d->w[j] < 0)
      most.primal = -p->w[j] / d->w[j];
    if (p->z[j] + most.dual * d->z[j] < 0)
      most.dual = -p->z[j] / d->z[j];
  }
  return most;
}

static lengths shorten(lengths l, double factor)
{
  return (lengths){perp_min(1, factor * l.primal), perp_min(1, factor * l.dual)};
}

/* Returns the product of bound j after a step of these lengths. */
static double product_after(const perp_qp_interior *p, lengths l, int j)
{
  return (p->z[j] + l.dual * p->step.z[j]) * (p->w[j] + l.primal * p->step.w[j]);
}

static double mu_after(const perp_qp_interior *p, lengths l)
{
  double sum = 0;
  for (int j = 0; j < p->bounds; j++)
    sum += product_after(p, l, j);
  return sum / p->bounds;
}

static bool step_is_finite(const perp_qp_interior *p)
{
  return perp_all_finite(p->n, p->step.x) && perp_all_finite(p->all, p->step.t) &&
         perp_all_finite(p->all - p->n, p->step.v + p->n) && perp_all_finite(p->bounds, p->step.z);
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

/* Lowers e so that the products after steps of this length are nearer to the target. */
static void correct_outliers(perp_qp_interior *p, lengths l, double target)
{
  for (int j = 0; j < p->bounds; j++)
    p->e[j] -= outlier(product_after(p, l, j), target);
}

/* Sets e to `weight` times the products of the predictor's changes. */
static void set_second_order(perp_qp_interior *p, double weight)
{
  for (int j = 0; j < p->bounds; j++)
    p->e[j] = weight * p->step.w[j] * p->step.z[j];
}

/* The number of Gondzio's corrections of a step of these lengths: each takes a solve or two, and
 * pays if the factors that it spares cost more. A short step needs them at any price. */
static int correctors(const perp_qp_interior *p, lengths most)
{
  const double work = perp_qp_factor_work(p->s->factor);
  const bool brief = perp_min(most.primal, most.dual) < 0.3;
  return work > 30 || brief || is_stuck(p) ? 2 : work > 6;
}

static void exchange_steps(perp_qp_interior *p)
{
  const perp_qp_step step = p->step;
  p->step = p->spare;
  p->spare = step;
}

/* Adds Gondzio's corrections while they make the step longer, from its longest lengths `most`. Returns
 * the longest lengths. */
static lengths lengthen(perp_qp_interior *p, lengths most, double target)
{
  for (int round = correctors(p, most); round > 0; round--) {
    const lengths now = shorten(most, 1);
    if (now.primal > 0.9 && now.dual > 0.9)
      break;
    correct_outliers(p, shorten((lengths){most.primal + 0.3, most.dual + 0.3}, 1), target);
    exchange_steps(p);
    const bool usable = find_accurate_step(p, target) < UNUSABLE && step_is_finite(p);
    const lengths corrected = step_lengths(p), next = shorten(corrected, 1);
    if (!usable || next.primal + next.dual < now.primal + now.dual + 0.02) { /* not worth it */
      exchange_steps(p);
      break;
    }
    most = corrected;
  }
  return most;
}

/* Computes the corrected step after the predictor, and its longest lengths, which for the predictor are
 * *most. Returns the relative residual of its system, infinity if it is not finite. */
static double correct(perp_qp_interior *p, lengths *most)
{
  const double ratio = perp_min(1, mu_after(p, shorten(*most, 1)) / p->mu);
  const double sigma = ratio * ratio * ratio;
  const double reach = perp_min(1, perp_min(most->primal, most->dual));
  set_second_order(p, reach > 0.1 ? 1 : reach * reach);
  double target = perp_max(sigma * p->mu, p->mu_least);
  double inaccuracy = find_accurate_step(p, target);
  *most = step_lengths(p);
  if (!(inaccuracy < UNUSABLE && step_is_finite(p)) ||
      perp_min(most->primal, most->dual) < 0.3 * reach) {
    target = perp_max(perp_max(0.1, sigma) * p->mu, p->mu_least);
    set_second_order(p, 0);
    inaccuracy = find_accurate_step(p, target);
    if (!step_is_finite(p))
      return INFINITY;
    *most = step_lengths(p);
  }
  *most = lengthen(p, *most, target);
  return inaccuracy;
}

/* Unequal steps leave r_d at (1 - dual) r_d + (primal - dual) P dx. Without them, programs with very
 * large multipliers take hundreds of iterations; with them, some cycle. A cautious iteration takes
 * them if that r_d is at most the error of the iterate. */
static lengths choose_lengths(perp_qp_interior *p, lengths most)
{
  lengths l = shorten(most, perp_max(0.995, 1 - 10 * p->error));
  if (!p->cautious)
    return l;
  double *g = p->spare.x, worst = 0; /* free here */
  perp_fill(p->n, 0, g);
  perp_qp_add(&p->s->scaled.P, p->step.x, g);
  for (int i = 0; i < p->n; i++)
    if (!is_equation(p, i))
      worst = perp_max(worst, fabs((1 - l.dual) * p->rd[i] + (l.primal - l.dual) * g[i]));
  if (!(worst <= p->error * p->dual_scale))
    l.primal = l.dual = perp_min(l.primal, l.dual);
  return l;
}

/* Adds the step; rounding leaves t strictly inside. */
static void take_step(perp_qp_interior *p, lengths l)
{
  const perp_qp_scaled *d = &p->s->scaled;
  const perp_qp_step *step = &p->step;
  perp_axpy(p->n, l.primal, step->x, p->x);
  perp_axpy(p->all, l.primal, step->t, p->t);
  perp_axpy(p->bounds, l.dual, step->z, p->z);
  for (int k = p->n; k < p->all; k++)
    if (is_equation(p, k))
      p->v[k] += l.dual * step->v[k];
  for (int j = 0; j < p->bounds; j++) {
    const int k = p->row[j];
    const double L = d->L[k], U = d->U[k];
    if (j < p->lowers && !(p->t[k] > L))
      p->t[k] = L + 4e-16 * fabs(L) + 1e-30 * d->unit;
    else if (j >= p->lowers && !(p->t[k] < U))
      p->t[k] = U - 4e-16 * fabs(U) - 1e-30 * d->unit;
  }
}

/* Computes the step and its longest lengths by a factor with the current proximal term. Returns the
 * relative residual of its system, infinity if it is not finite; -1 if the run was stopped. */
static double find_directions(perp_qp_interior *p, double predicted, lengths *most)
{
  if (!perp_qp_system_factorise(p->run))
    return -1;
  p->inaccuracy = 0;
  perp_fill(p->bounds, 0, p->e);
  const bool predicts = p->bounds > 0 && !is_stuck(p);
  const double inaccuracy = predicts ? find_step(p, 0, predicted) : find_accurate_step(p, 0);
  if (!step_is_finite(p))
    return INFINITY;
  *most = step_lengths(p);
  const bool usable = inaccuracy < UNUSABLE || p->s->delta >= PERP_QP_MOST_DELTA;
  return p->bounds > 0 && usable ? correct(p, most) : inaccuracy;
}

bool perp_qp_interior_step(perp_qp_interior *p)
{
  perp_qp_solver *s = p->s;
  for (int k = 0; k < p->all; k++)
    s->sigma[k] = is_equation(p, k) ? INFINITY : 0;
  for (int j = 0; j < p->bounds; j++)
    s->sigma[p->row[j]] += p->z[j] * p->inverse[j];
  s->damping = perp_min(DAMPING * p->error, PERP_QP_MOST_DELTA);
  /* the predictor is tested if the last factor was not accurate */
  double predicted = p->inaccuracy < ACCURATE[p->fine] ? INFINITY : PREDICTED;
  lengths most = {INFINITY, INFINITY};
  for (;;) { /* at the end a factor may need a larger proximal term */
    const double inaccuracy = find_directions(p, predicted, &most);
    if (inaccuracy < 0)
      return false;
    if (inaccuracy < (s->delta < PERP_QP_MOST_DELTA ? UNUSABLE : INFINITY))
      break;
    if (s->delta >= PERP_QP_MOST_DELTA)
      return false;
    s->delta *= 100;
    predicted = PREDICTED;
  }
  if (p->inaccuracy < ACCURATE[p->fine])
    s->delta = perp_max(0.1 * s->delta, PERP_QP_LEAST_DELTA[p->fine]);
  else if (p->inaccuracy > INACCURATE[p->fine])
    s->delta = perp_min(10 * s->delta, PERP_QP_MOST_DELTA);
  const lengths l = choose_lengths(p, most);
  p->last = perp_min(l.primal, l.dual);
  take_step(p, l);
  return true;
}
