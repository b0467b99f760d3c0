/* ipm_start.c: iterates well inside the bounds
 *
 * The first x and v solve the program in which bounds are springs of stiffness 1: one linear system.
 * Slacks and multipliers are then moved away from 0 as in Mehrotra (1992), and t of a row with two
 * bounds is put between them.
 *
 * Steps that end near 0 leave products (t - L) a far below mu, which makes the next steps short too.
 * Recentring raises them. */
#include "model/qp/ipm.h"

/* Computes x and v of the program in which bounds are springs of stiffness 1 towards their point
 * nearest to 0. */
static bool solve_start(perp_qp_interior *p)
{
  perp_qp_solver *s = p->s;
  double *r = p->dx;
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
  perp_copy(p->all, r, p->dv);
  for (;;) { /* without bounds, a small proximal term may leave no digits */
    if (!perp_qp_system_factorise(p->run))
      return false;
    perp_qp_system_solve(p->run, r, 0);
    if (perp_all_finite(p->all, r) || s->delta >= PERP_QP_MOST_DELTA)
      break;
    s->delta *= 100;
    perp_copy(p->all, p->dv, r);
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
  double *r = p->dx;
  perp_qp_extend(&d->G, p->x, p->rp);
  double slack = 0, dual = 0;
  for (int k = 0; k < p->all; k++) {
    const double v = k < p->n ? p->x[k] - p->t[k] : r[k];
    p->a[k] = has_lower(p, k) ? -v : 0;
    p->b[k] = has_upper(p, k) ? v : 0;
    if (has_lower(p, k)) {
      slack = perp_max(slack, d->L[k] - p->rp[k]);
      dual = perp_max(dual, has_upper(p, k) ? 0 : v);
    }
    if (has_upper(p, k)) {
      slack = perp_max(slack, p->rp[k] - d->U[k]);
      dual = perp_max(dual, has_lower(p, k) ? 0 : -v);
    }
    if (is_equation(p, k) && k >= p->n)
      p->b[k] = v;
  }
  slack *= 1.5;
  dual *= 1.5;
  double product = 0, slacks = 0, duals = 0;
  for (int k = 0; k < p->all; k++) {
    const bool lower = has_lower(p, k), upper = has_upper(p, k);
    if (lower == upper)
      continue;
    const double s = slack + (lower ? p->rp[k] - d->L[k] : d->U[k] - p->rp[k]);
    const double w = dual + (lower ? p->a[k] : p->b[k]);
    product += s * w;
    slacks += s;
    duals += w;
  }
  double more_slack = duals > 0 ? 0.5 * product / duals : 0;
  double more_dual = slacks > 0 ? 0.5 * product / slacks : 0;
  if (!(more_slack > 1e-3))
    more_slack = perp_max(1e-3 * perp_norm_inf(p->all, p->rp), 1e-3);
  if (!(more_dual > 1e-3))
    more_dual = perp_max(1e-3 * perp_norm_inf(p->n, d->q), 1e-3);
  const double goal = (slack + more_slack) * (dual + more_dual);
  for (int k = 0; k < p->all; k++) {
    const bool lower = has_lower(p, k), upper = has_upper(p, k);
    if (is_equation(p, k)) {
      p->t[k] = d->L[k];
    } else if (lower && upper) {
      const double width = d->U[k] - d->L[k], edge = perp_min(0.25 * width, slack + more_slack);
      p->t[k] = perp_min(perp_max(p->rp[k], d->L[k] + edge), d->U[k] - edge);
      /* in a narrow box the slacks are small: larger multipliers keep the products alike */
      p->a[k] = perp_max(perp_max(p->a[k], 0) + more_dual, goal / (p->t[k] - d->L[k]));
      p->b[k] = perp_max(perp_max(p->b[k], 0) + more_dual, goal / (d->U[k] - p->t[k]));
    } else if (lower) {
      p->t[k] = perp_max(p->rp[k] + slack, d->L[k]) + more_slack;
      p->a[k] += dual + more_dual;
    } else if (upper) {
      p->t[k] = perp_min(p->rp[k] - slack, d->U[k]) - more_slack;
      p->b[k] += dual + more_dual;
    } else {
      p->t[k] = p->rp[k];
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

void perp_qp_interior_recentre(perp_qp_interior *p)
{
  const perp_qp_scaled *d = &p->s->scaled;
  const double primal = perp_max(perp_norm_inf(p->all, p->t), d->unit);
  const double mu = perp_max(p->mu, 1e-10 * primal * p->dual_scale);
  const double unit = sqrt(primal / p->dual_scale);
  for (int k = 0; k < p->all; k++) {
    const bool lower = has_lower(p, k), upper = has_upper(p, k);
    double below = p->t[k] - d->L[k], above = d->U[k] - p->t[k];
    if (lower && !(upper && above < below)) {
      raise_product(mu, unit, &below, &p->a[k]);
      p->t[k] = upper ? perp_min(d->L[k] + below, 0.5 * (d->L[k] + d->U[k])) : d->L[k] + below;
    } else if (upper) {
      raise_product(mu, unit, &above, &p->b[k]);
      p->t[k] = lower ? perp_max(d->U[k] - above, 0.5 * (d->L[k] + d->U[k])) : d->U[k] - above;
    }
  }
}

bool perp_qp_interior_start(perp_qp_interior *p)
{
  perp_qp_solver *s = p->s;
  double **w = s->work;
  p->x = w[0], p->t = w[1], p->a = w[2], p->b = w[3], p->dx = w[4], p->dv = w[5], p->da = w[6];
  p->db = w[7], p->rd = w[8], p->rp = w[9], p->ea = w[10], p->eb = w[11];
  p->fine = 1; /* unless an x has little own curvature */
  for (int i = 0; i < s->n; i++)
    p->fine = p->fine && s->scaled.diagonal[i] > 0.01;
  p->last = 1;
  s->goal[0] = 0; /* not that of the last solve */
  p->proof_error = p->best_verdict = p->best_error = p->tried_error = INFINITY;
  for (int k = 0; k < p->all; k++) {
    p->bounds += has_lower(p, k) + has_upper(p, k);
    s->side[k] = 2; /* no set yet */
  }
  if (!solve_start(p))
    return false;
  push_inside(p);
  p->start_x = perp_max(perp_norm_inf(p->n, p->x), 1);
  p->start_v = 1; /* without the multipliers of narrow boxes, which are large and cancel */
  for (int k = p->n; k < p->all; k++)
    p->start_v = perp_max(p->start_v, fabs(multiplier(p, k)));
  return true;
}
