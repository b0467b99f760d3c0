/* ipm.c: a primal-dual interior point method for quadratic programs
 *
 * With E = (I; G) and t = E x, the bounds L <= t <= U have slacks t - L and U - t and multipliers
 * a, b > 0, of which v = b - a:
 *
 *   P x + q + E^T v = 0,   E x - t = 0,   (t - L) a = mu,   (U - t) b = mu,          mu -> 0
 *
 * t stays strictly inside, x need not: equations have t = L = U and any v. Newton's method, with
 * a and b eliminated, gives dv = Sigma dt + c, Sigma = a/(t - L) + b/(U - t), and
 *
 *   ( P   E^T       ) (dx)   (-r_d               )     r_d = P x + q + E^T v
 *   ( E   -Sigma^-1 ) (dv) = (-r_p - Sigma^-1 c  )     r_p = E x - t
 *
 * The rows of bounds on x are eliminated too: they only add Sigma to the diagonal of P. system.c
 * solves the rest, with a proximal term delta around the iterate: a step leaves delta dx and delta dv
 * of the residuals, and stays bounded if the rows of E or the x of an optimal face are dependent.
 * Predictor and corrector by Mehrotra (1992): the predictor has the c of mu = 0; if its step would
 * leave mu at mu_a, the corrector uses (mu_a/mu)^3 mu and the products of the predictor's changes.
 * Further corrections by Gondzio (1996) bring products that are far from mu nearer to it. (x, t) and
 * v have separate step lengths: if P is not 0, unequal steps leave a part of P dx in r_d, which
 * the next steps remove.
 *
 * The end. If mu is small and the set of rows with a > t - L or b > U - t, in units of v and of t,
 * was the same one iteration before, the equations of this active set are solved (active.c) and
 * shown to the driver; if the result is not a solution, the iteration continues unchanged.
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
 * presolve.c takes rows out first that leave no interior points.
 *
 * No solution: v grows, and v / |v| tends to a ray with E^T v = 0 and sup v^T t < 0, which proves
 * that there is no feasible point; or x grows, and x / |x| to a d with P d = 0 and q^T d < 0. The
 * exact check (prove.c, vertex.c) tests such rays.
 *
 * Cost: a factor and two to four solves, each with some refinement, in an iteration. Workspace:
 * 16 (n + m). */
#include "model/qp/qp.h"

#include "linalg/exact_lp.h"
#include "linalg/vector.h"

#include <string.h>

enum { PROOFS = 16, PATIENCE = 6, RECENTRED = 4 };

/* The proximal term delta falls while the systems are solved to ACCURATE, and rises if not to
 * INACCURATE. If the verdict stalls, less accurate steps with a smaller delta are taken: [1]. In
 * rows of G it is at least DAMPING times the error, which keeps multipliers from running along
 * directions in which G^T v is almost 0. */
static const double ACCURATE[] = {1e-9, 1e-5}, INACCURATE[] = {1e-6, 1e-2},
                    LEAST[] = {1e-11, 1e-13};
static const double UNUSABLE = 1e-3, MOST_DELTA = 1e-6, DAMPING = 5e-6;

/* The iterate; all arrays are the solver's work. */
typedef struct {
  perp_qp_run *run;
  perp_qp_solver *s;
  int n, all;
  double *x, *t, *a, *b;           /* n; n + m each */
  double *dx, *dv, *da, *db;       /* n and n + m */
  double *ea, *eb;                 /* n + m: what the products are lowered by */
  double *rd, *rp;                 /* n; n + m */
  double mu, left, error;          /* mu; relative: r_d and r_p; the error: these and mu */
  double dual_scale;               /* of r_d */
  double mu_least;                 /* a smaller mu is not needed, and hides r_d and r_p that stay */
  double inaccuracy;               /* of the systems of this iteration */
  int64_t begun;                   /* the run's iterations before */
  double start_v, start_x;         /* sizes of the first iterate */
  bool grown;                      /* v is much larger than at the start */
  int bounds;                      /* number of products that make up mu */
  int proofs;                      /* number of rays tried */
  double proof_error;              /* of the last ray tried */
  perp_outcome likely;             /* the outcome that an inexact ray suggests */
  double best_verdict, best_error; /* as they were last halved */
  int stalled;                     /* iterations since then */
  double last;                     /* length of the last step */
  int fine;                        /* 1: with a smaller proximal term */
  bool feasible;                   /* r_p is far below tol */
  bool cautious;                   /* about unequal steps */
  bool exact;                      /* GMRES removes the proximal term */
  bool tried;                      /* the current set was tried as an active set */
  double tried_error;              /* p->error at that time */
  signed char *guess;              /* n + m: the set */
} interior;

static bool has_lower(const interior *p, int k)
{
  return p->s->scaled.L[k] > -INFINITY && p->s->scaled.L[k] < p->s->scaled.U[k];
}

static bool has_upper(const interior *p, int k)
{
  return p->s->scaled.U[k] < INFINITY && p->s->scaled.L[k] < p->s->scaled.U[k];
}

static bool is_equation(const interior *p, int k)
{
  return p->s->scaled.L[k] == p->s->scaled.U[k];
}

/* ---- The start ---- */

/* Returns the part of v that is not in a and b: the multipliers of equations; the multipliers of
 * fixed x are found at the end. */
static double multiplier(const interior *p, int k)
{
  return p->b[k] - p->a[k];
}

/* Computes x and v of the program in which bounds are springs of stiffness 1 towards their point
 * nearest to 0. */
static bool solve_start(interior *p)
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
  for (int i = 0; i < p->n; i++) { /* fixed: x is at its bound already */
    p->x[i] = is_equation(p, i) ? s->scaled.L[i] : 0;
  }
  perp_fill(p->n, 0, p->rd);
  perp_fill(p->all, 0, p->rp);
  perp_qp_add(&s->scaled.P, p->x, p->rd);
  perp_qp_add(&s->scaled.G, p->x, p->rp + p->n);
  for (int i = 0; i < p->n; i++)
    r[i] = is_equation(p, i) ? 0 : r[i] - p->rd[i];
  for (int k = p->n; k < p->all; k++)
    r[k] -= p->rp[k];
  perp_copy(p->all, r, p->dv);
  for (;;) { /* without bounds, a small proximal term may leave no digits */
    if (!perp_qp_system_factorise(p->run))
      return false;
    perp_qp_system_solve(p->run, r, 0);
    if (perp_all_finite(p->all, r) || s->delta >= MOST_DELTA)
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
static void push_inside(interior *p)
{
  const perp_qp_scaled *d = &p->s->scaled;
  double *r = p->dx;
  perp_copy(p->n, p->x, p->rp);
  perp_fill(p->all - p->n, 0, p->rp + p->n);
  perp_qp_add(&d->G, p->x, p->rp + p->n);
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

/* ---- An iteration ---- */

static void find_residuals(interior *p)
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
    p->rp[k] = -p->t[k];
  for (int i = 0; i < p->n; i++)
    p->rp[i] += p->x[i];
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
  p->feasible = perp_norm_inf(p->all, p->rp) <= 0.1 * p->run->options->tol * primal;
  p->mu = p->bounds > 0 ? sum / p->bounds : 0;
  p->dual_scale = dual;
  p->left = perp_max(perp_norm_inf(p->n, p->rd) / dual, perp_norm_inf(p->all, p->rp) / primal);
  p->error = perp_max(p->left, p->mu / dual / primal);
  /* the gap of all products is at most tol |f|, and one of two equal factors tol of its unit */
  const double tol = perp_max(p->run->options->tol, 1e-10);
  p->s->goal[0] = perp_max(0.5 * perp_norm_inf(p->n, p->rd), 0.01 * tol * perp_min(1, dual));
  p->s->goal[1] = perp_max(0.5 * perp_norm_inf(p->all, p->rp), 0.01 * tol * perp_min(1, primal));
  p->s->goal[0] = p->exact ? p->s->goal[0] : 0;
  const double f = fabs(0.5 * (xPx + 2 * perp_dot(p->n, d->q, p->x)));
  p->mu_least = 0.01 * perp_min(tol * perp_max(perp_min(1, primal * dual), f) / (p->bounds + 1),
                                tol * tol * primal * gradient);
}

/* Steps are as accurate as they can be if those before were short or in vain. */
static bool is_stuck(const interior *p)
{
  return p->stalled >= PATIENCE || p->last < 0.3;
}

/* Computes the step for the products mu - ea of a (t - L) and mu - eb of b (U - t). Returns the
 * relative residual of its system. */
static double find_step(interior *p, double mu)
{
  perp_qp_solver *s = p->s;
  const perp_qp_scaled *d = &s->scaled;
  double *c = p->dv, *r = p->s->step[3];
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
  const double enough = is_stuck(p) ? 0 : 0.1 * ACCURATE[0];
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
  p->inaccuracy = perp_max(p->inaccuracy, inaccuracy);
  return inaccuracy;
}

/* The longest steps that keep t and the multipliers inside. */
typedef struct {
  double primal, dual;
} lengths;

static lengths step_lengths(const interior *p)
{
  const perp_qp_scaled *d = &p->s->scaled;
  lengths most = {INFINITY, INFINITY};
  for (int k = 0; k < p->all; k++) {
    const double dt = p->dv[k];
    if (has_lower(p, k)) {
      if (dt < 0)
        most.primal = perp_min(most.primal, -(p->t[k] - d->L[k]) / dt);
      if (p->da[k] < 0)
        most.dual = perp_min(most.dual, -p->a[k] / p->da[k]);
    }
    if (has_upper(p, k)) {
      if (dt > 0)
        most.primal = perp_min(most.primal, (d->U[k] - p->t[k]) / dt);
      if (p->db[k] < 0)
        most.dual = perp_min(most.dual, -p->b[k] / p->db[k]);
    }
  }
  return most;
}

static lengths shorten(lengths l, double factor)
{
  return (lengths){perp_min(1, factor * l.primal), perp_min(1, factor * l.dual)};
}

static double mu_after(const interior *p, lengths l)
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
  return p->bounds > 0 ? sum / p->bounds : 0;
}

static bool step_is_finite(const interior *p)
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
static void correct_outliers(interior *p, lengths l, double target)
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
static void set_second_order(interior *p, double weight)
{
  for (int k = 0; k < p->all; k++) {
    p->ea[k] = has_lower(p, k) ? weight * p->dv[k] * p->da[k] : 0;
    p->eb[k] = has_upper(p, k) ? -weight * p->dv[k] * p->db[k] : 0;
  }
}

/* The number of Gondzio's corrections of a step of these lengths: each takes a solve or two, and
 * pays if the factors that it spares cost more. A short step needs them at any price. */
static int correctors(const interior *p, lengths most)
{
  const double work = perp_qp_factor_work(p->s->factor);
  const bool brief = perp_min(most.primal, most.dual) < 0.3;
  return work > 30 || brief || is_stuck(p) ? 2 : work > 6;
}

/* Computes the corrected step after the predictor, whose longest steps are `affine`. Returns false
 * if it is not finite. */
static bool correct(interior *p, lengths affine)
{
  const double ratio = perp_min(1, mu_after(p, shorten(affine, 1)) / p->mu);
  const double sigma = ratio * ratio * ratio;
  const double reach = perp_min(1, perp_min(affine.primal, affine.dual));
  set_second_order(p, reach > 0.1 ? 1 : reach * reach);
  double target = perp_max(sigma * p->mu, p->mu_least);
  const bool exact = find_step(p, target) < UNUSABLE;
  lengths most = step_lengths(p);
  if (!exact || !step_is_finite(p) || perp_min(most.primal, most.dual) < 0.3 * reach) {
    target = perp_max(perp_max(0.1, sigma) * p->mu, p->mu_least);
    set_second_order(p, 0);
    find_step(p, target);
    if (!step_is_finite(p))
      return false;
    most = step_lengths(p);
  }
  for (int round = correctors(p, most); round > 0; round--) {
    const lengths now = shorten(most, 1);
    if (now.primal > 0.9 && now.dual > 0.9)
      break;
    double *const kept[] = {p->dx, p->dv, p->da, p->db};
    for (int k = 0; k < 4; k++)
      perp_copy(k ? p->all : p->n, kept[k], p->s->kept[k]);
    correct_outliers(p, shorten((lengths){most.primal + 0.3, most.dual + 0.3}, 1), target);
    const bool usable = find_step(p, target) < UNUSABLE;
    const lengths next = step_lengths(p);
    if (!usable || !step_is_finite(p) ||
        shorten(next, 1).primal + shorten(next, 1).dual <
            now.primal + now.dual + 0.02) { /* not worth it */
      for (int k = 0; k < 4; k++)
        perp_copy(k ? p->all : p->n, p->s->kept[k], kept[k]);
      break;
    }
    most = next;
  }
  return true;
}

/* Unequal steps leave r_d at (1 - dual) r_d + (primal - dual) P dx. Without them, programs with very
 * large multipliers take hundreds of iterations; with them, some cycle. A cautious iteration takes
 * them if that r_d is at most the error of the iterate. */
static lengths choose_lengths(interior *p)
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

static bool iterate(interior *p, double *alpha)
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
  *alpha = 0;
  s->damping = perp_min(DAMPING * p->error, MOST_DELTA);
  for (;;) { /* at the end a factor may need a larger proximal term */
    if (!perp_qp_system_factorise(p->run))
      return false;
    p->inaccuracy = 0;
    const double inaccuracy = find_step(p, 0);
    if (step_is_finite(p) && (inaccuracy < UNUSABLE || s->delta >= MOST_DELTA))
      break;
    if (s->delta >= MOST_DELTA)
      return false;
    s->delta *= 100;
  }
  if (p->bounds > 0 && !correct(p, step_lengths(p)))
    return false;
  if (p->inaccuracy < ACCURATE[p->fine])
    s->delta = perp_max(0.1 * s->delta, LEAST[p->fine]);
  else if (p->inaccuracy > INACCURATE[p->fine])
    s->delta = perp_min(10 * s->delta, MOST_DELTA);
  const lengths l = choose_lengths(p);
  *alpha = p->last = perp_min(l.primal, l.dual);
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

/* ---- The end ---- */

/* Sets the multipliers of fixed x so that stationarity holds, and the multipliers of other bounds of x
 * if that changes them by less than their size. */
static void find_fixed(interior *p, double *v)
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
static bool show(interior *p)
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
static bool watch_progress(interior *p)
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
  if (p->stalled == PATIENCE) {
    p->fine = 1;
    p->proof_error = INFINITY; /* the vertex was not tried */
  }
  for (int at = PATIENCE; at <= 8 * PATIENCE; at *= 2)
    if (p->stalled == at)
      p->cautious = !p->cautious;
  if (p->stalled == 2 * PATIENCE || p->stalled == 8 * PATIENCE)
    p->exact = !p->exact;
  return p->stalled < 16 * PATIENCE;
}

/* Raises one slack and its multiplier until their product is mu, the smaller in its unit first. */
static void raise_product(double mu, double unit, double *slack, double *multiplier)
{
  if (*slack * *multiplier >= 0.1 * mu)
    return;
  *slack = perp_max(*slack, perp_min(sqrt(mu) * unit, mu / *multiplier));
  *multiplier = perp_max(*multiplier, mu / *slack);
}

/* If steps end near 0, some products are far below mu: brings them back. */
static void recentre(interior *p)
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

/* Determines the active set of the iterate. Returns true if it is the same as last time. */
static bool guess_set(interior *p)
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

static bool try_set(interior *p)
{
  perp_copy(p->n, p->x, p->s->x);
  for (int k = 0; k < p->all; k++)
    p->s->v[k] = multiplier(p, k);
  /* some rows at a bound with a zero multiplier may be on the wrong side: a few rounds */
  const perp_outcome claim = p->run->claim;
  memcpy(p->guess, p->s->side, (size_t)p->all);
  const double rho = p->s->rho;
  p->s->rho = p->s->damping = 0;
  const bool solved = perp_qp_active_rounds(p->run, p->error < 1e-5 ? 3 : 1);
  p->s->rho = rho;
  if (!solved) {
    memcpy(p->s->side, p->guess, (size_t)p->all);
    p->run->claim = claim;
  }
  return solved;
}

/* ---- Rays ---- */

/* Returns the error of the multipliers of G x as a proof that there is no feasible point. They are in
 * dv; other parts of the program than the one without such a point have zeros. */
static double infeasible_error(interior *p)
{
  const perp_qp_scaled *d = &p->s->scaled;
  const perp_inequalities all = {.n = p->n,
                                 .m = p->all - p->n,
                                 .start = d->G.start,
                                 .column = d->G.column,
                                 .value = d->G.value,
                                 .L = d->L,
                                 .U = d->U};
  double *z = p->dv + p->n;
  for (int k = p->n; k < p->all; k++)
    p->dv[k] = multiplier(p, k);
  const double size = perp_norm_inf(all.m, z);
  p->grown = size > 1e3 * p->start_v;
  return size > 1 ? perp_ray_error(&all, z, p->s->part, p->s->step) : INFINITY;
}

static double unbounded_error(interior *p)
{
  const perp_qp_scaled *d = &p->s->scaled;
  const double size = perp_norm_inf(p->n, p->x);
  if (!(size > 1e3 * p->start_x))
    return INFINITY;
  const double slope = perp_dot(p->n, d->q, p->x) / size;
  double *g = p->dv, left = 0;
  perp_fill(p->all, 0, g);
  perp_qp_add(&d->P, p->x, g);
  left = perp_norm_inf(p->n, g);
  perp_copy(p->n, p->x, g);
  perp_qp_add(&d->G, p->x, g + p->n);
  for (int k = 0; k < p->all; k++) {
    if (!isinf(d->U[k]))
      left = perp_max(left, g[k]);
    if (!isinf(d->L[k]))
      left = perp_max(left, -g[k]);
  }
  return slope < 0 ? left / size / perp_min(1, -slope) : INFINITY;
}

/* Tries rays, and the vertex near one that is exact up to rounding, or if nothing else helps: integers
 * of a vertex far from it may take minutes. Returns true if one ends the run. */
static bool try_rays(interior *p)
{
  static const double GOOD = 1e-3, LIKELY = 1e-8;
  const double no_end = unbounded_error(p), no_point = p->feasible ? INFINITY : infeasible_error(p);
  const double error = perp_min(no_point, no_end);
  const perp_outcome what = no_point <= no_end ? PERP_INFEASIBLE : PERP_UNBOUNDED;
  if (!(error < GOOD))
    return false;
  if (error < LIKELY && (p->grown || what == PERP_UNBOUNDED))
    p->likely = what == PERP_INFEASIBLE ? PERP_INFEASIBLE_RAY : PERP_UNBOUNDED_RAY;
  if (p->proofs >= PROOFS || error > 0.1 * p->proof_error)
    return p->proofs >= PROOFS && p->likely != PERP_NOT_RUN;
  p->proofs++;
  p->proof_error = error;
  double *ray = p->s->step[0];
  if (what == PERP_INFEASIBLE) {
    ray = p->s->shown_v;
    for (int k = p->n; k < p->all; k++)
      ray[k] = p->s->D[k] * p->dv[k];
    perp_fill(p->n, 0, ray); /* w = -G^T z */
    perp_qp_add_t(&p->s->G, ray + p->n, ray);
    perp_multiply(p->n, -1, ray);
    perp_qp_postsolve(p->s, ray);
    ray += p->n;
  } else
    for (int i = 0; i < p->n; i++)
      ray[i] = p->s->D[i] * p->x[i];
  return perp_qp_claim_ray(p->run, what, ray) ||
         (what == PERP_INFEASIBLE && (error < LIKELY || p->stalled >= PATIENCE) &&
          perp_qp_prove_vertex(p->run, ray));
}

/* The first iterate. Returns false if the run is over. */
static bool start(interior *p)
{
  perp_qp_solver *s = p->s;
  double **w = s->work;
  p->x = w[0], p->t = w[1], p->a = w[2], p->b = w[3], p->dx = w[4], p->dv = w[5], p->da = w[6];
  p->db = w[7], p->rd = w[8], p->rp = w[9], p->ea = w[10], p->eb = w[11];
  p->fine = 1; /* unless an x has little own curvature */
  for (int i = 0; i < s->n; i++)
    p->fine = p->fine && s->scaled.diagonal[i] > 0.01;
  p->guess = s->guess;
  p->last = 1;
  s->goal[0] = 0; /* not that of the last solve */
  p->proof_error = p->best_verdict = p->best_error = INFINITY;
  for (int k = 0; k < p->all; k++) {
    p->bounds += has_lower(p, k) + has_upper(p, k);
    s->side[k] = 2; /* no set yet */
  }
  if (!solve_start(p))
    return false;
  push_inside(p);
  return true;
}

static bool run_iterations(interior *p);

/* Solves the program with G x - t = rho v. Returns true if the run is over; otherwise the iterate is
 * as before. */
static bool shorten_multipliers(interior *p, double rho)
{
  perp_qp_solver *s = p->s;
  perp_qp_run *run = p->run;
  const double delta = s->delta;
  const perp_outcome claim = run->claim;
  interior short_ones = {.run = run, .s = s, .n = p->n, .all = p->all, .begun = p->begun};
  double *const kept[] = {p->x, p->t, p->a, p->b};
  for (int k = 0; k < 4; k++)
    perp_copy(k ? p->all : p->n, kept[k], s->work[12 + k]);
  s->rho = rho;
  const bool over = !start(&short_ones) || run_iterations(&short_ones);
  s->rho = 0;
  s->delta = delta;
  run->claim = over ? run->claim : claim;
  for (int k = 0; k < 4; k++)
    perp_copy(k ? p->all : p->n, s->work[12 + k], kept[k]);
  return over;
}

/* Iterates until nothing helps. Returns true if the run is over. */
static bool run_iterations(interior *p)
{
  /* below these, the active set is tried, and multipliers of least norm */
  static const double NEAR = 1e-2, CLOSE = 1e-3;
  /* the least that acts beside the proximal term, then one that takes fewer iterations */
  const double RHO[] = {LEAST[0], 1e-7};
  perp_qp_run *run = p->run;
  int small = 0, recentred = 0;
  bool shortened = false;
  for (int64_t k = 0;; k++) {
    find_residuals(p);
    if (k == 0) {
      p->start_x = perp_max(perp_norm_inf(p->n, p->x), 1);
      p->start_v = 1; /* without the multipliers of narrow boxes, which are large and cancel */
      for (int i = p->n; i < p->all; i++)
        p->start_v = perp_max(p->start_v, fabs(multiplier(p, i)));
    }
    if (!(p->error < INFINITY))
      return false;
    if (p->error < 10 * run->options->tol && show(p))
      return true;
    if (p->error < NEAR) {
      const bool same = guess_set(p);
      if (!same)
        p->tried = false;
      else if (!p->tried || p->error < 1e-3 * p->tried_error) {
        p->tried = true;
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
    double alpha;
    run->iterations++;
    if (!iterate(p, &alpha))
      return run->stopped;
    perp_qp_tell(run, run->iterations, p->error, alpha);
    small = alpha < 1e-7 ? small + 1 : 0;
    if (small >= 3 && recentred < RECENTRED) {
      recentre(p);
      small = 0;
      recentred++;
    }
    if (small >= 3 || !watch_progress(p) || (p->s->rho > 0 && p->stalled > 2 * PATIENCE))
      return false;
    if (p->stalled == 2 * PATIENCE && !shortened && p->s->rho == 0 &&
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
  interior p = {.run = run, .s = s, .n = s->n, .all = s->n + s->m, .begun = run->iterations};
  s->rho = 0;
  const bool over = !start(&p) || run_iterations(&p);
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
