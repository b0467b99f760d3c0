/* admm.c: alternating directions, for programs whose P is only applied
 *
 *   (P + sigma I + E^T R E) x = sigma x - q + E^T (R t - v)
 *   t <- the point of [L, U] nearest to E x + v / R,    v <- v + R (E x - t)
 *
 * with E = (I; G) and R = rho, a thousand times that in equations (Boyd et al. 2011; Stellato et
 * al. 2020). Conjugate gradients solve the system from the last x to a tenth of the current
 * residuals. rho follows the ratio of primal to dual residual. Converges for every convex program
 * that has a solution, linearly at the end. The driver sees the v of t, which has the right signs,
 * and x clamped to its bounds.
 *
 * Cost: the products of the conjugate gradients in an iteration. Workspace: 8 (n + m). */
#include "model/qp/qp.h"

static const double SIGMA = 1e-7;

typedef struct {
  perp_qp_run *run;
  perp_qp_solver *s;
  int n, all;
  double *x, *t, *v, *rhs, *Ex, *r, *d, *Kd;
  double rho;
} splitting;

static double weight(const splitting *p, int k)
{
  const double L = p->s->scaled.L[k], U = p->s->scaled.U[k];
  return L == U ? 1e3 * p->rho : isinf(L) && isinf(U) ? 0 : p->rho;
}

/* y <- P x, scaled. Returns false if the caller's function failed. */
static bool apply_P(splitting *p, const double *x, double *y)
{
  perp_qp_solver *s = p->s;
  if (!s->applied) {
    perp_fill(p->n, 0, y);
    perp_qp_add(&s->scaled.P, x, y);
    return true;
  }
  double *scaled = s->step[3];
  for (int i = 0; i < p->n; i++)
    scaled[i] = s->D[i] * x[i];
  p->run->error = perp_operator_apply(s->applied, scaled, y, s->applied_scratch, &p->run->why);
  for (int i = 0; i < p->n; i++)
    y[i] *= s->D[i];
  return p->run->error == PERP_OK;
}

/* y <- (P + sigma + E^T R E) x; g: m numbers of scratch */
static bool apply_K(splitting *p, const double *x, double *y, double *g)
{
  if (!apply_P(p, x, y))
    return false;
  perp_fill(p->all - p->n, 0, g);
  perp_qp_add(&p->s->scaled.G, x, g);
  for (int k = p->n; k < p->all; k++)
    g[k - p->n] *= weight(p, k);
  perp_qp_add_t(&p->s->scaled.G, g, y);
  for (int i = 0; i < p->n; i++)
    y[i] += (SIGMA + weight(p, i)) * x[i];
  return true;
}

/* x <- K^-1 rhs, to this residual. */
static bool solve_x(splitting *p, double tol)
{
  double *g = p->s->step[0];
  if (!apply_K(p, p->x, p->Kd, g))
    return false;
  for (int i = 0; i < p->n; i++)
    p->d[i] = p->r[i] = p->rhs[i] - p->Kd[i];
  double rr = perp_dot(p->n, p->r, p->r);
  for (int k = 0; k < 4 * p->n + 50 && perp_norm_inf(p->n, p->r) > tol; k++) {
    if (!apply_K(p, p->d, p->Kd, g))
      return false;
    p->run->solves++;
    const double curvature = perp_dot(p->n, p->d, p->Kd);
    if (!(curvature > 0) || perp_qp_expired(p->run))
      return curvature > 0 || rr == 0;
    const double alpha = rr / curvature;
    perp_axpy(p->n, alpha, p->d, p->x);
    perp_axpy(p->n, -alpha, p->Kd, p->r);
    const double next = perp_dot(p->n, p->r, p->r);
    perp_xpay(p->n, p->r, next / rr, p->d);
    rr = next;
  }
  return true;
}

void perp_qp_admm(perp_qp_run *run)
{
  enum { CHECK = 10 };
  perp_qp_solver *s = run->solver;
  double **w = s->work;
  splitting p = {.run = run, .s = s, .n = s->n, .all = s->n + s->m, .rho = 0.1};
  p.x = w[0], p.t = w[1], p.v = w[2], p.rhs = w[3], p.Ex = w[4], p.r = w[5], p.d = w[6],
  p.Kd = w[7];
  const perp_qp_scaled *d = &s->scaled;
  perp_copy(p.n, s->x, p.x);
  perp_copy(p.all, s->v, p.v);
  if (!s->warm) {
    perp_fill(p.n, 0, p.x);
    perp_fill(p.all, 0, p.v);
  }
  perp_qp_extend(&d->G, p.x, p.t);
  for (int k = 0; k < p.all; k++)
    p.t[k] = perp_min(perp_max(p.t[k], d->L[k]), d->U[k]);
  double error = 1;
  for (int64_t round = 0;; round++) {
    if (round >= run->max_iterations) {
      run->claim = PERP_ITERATION_LIMIT;
      return;
    }
    if (perp_qp_expired(run))
      return;
    for (int k = 0; k < p.all; k++)
      p.Ex[k] = weight(&p, k) * p.t[k] - p.v[k];
    for (int i = 0; i < p.n; i++)
      p.rhs[i] = SIGMA * p.x[i] - d->q[i] + p.Ex[i];
    perp_qp_add_t(&d->G, p.Ex + p.n, p.rhs);
    if (!solve_x(&p, 0.1 * perp_min(error, 0.1))) {
      if (!run->error)
        run->claim = PERP_STAGNATED;
      return;
    }
    run->iterations++;
    perp_qp_extend(&d->G, p.x, p.Ex);
    double primal = 0, size_primal = 0;
    for (int k = 0; k < p.all; k++) {
      const double rho = weight(&p, k);
      if (rho == 0)
        continue;
      const double target = p.Ex[k] + p.v[k] / rho;
      p.t[k] = perp_min(perp_max(target, d->L[k]), d->U[k]);
      p.v[k] = rho * (target - p.t[k]);
      primal = perp_max(primal, fabs(p.Ex[k] - p.t[k]));
      size_primal = perp_max(size_primal, perp_max(fabs(p.Ex[k]), fabs(p.t[k])));
    }
    /* P x + q + E^T v */
    if (!apply_P(&p, p.x, p.r))
      return;
    double size_dual = perp_max(perp_norm_inf(p.n, p.r), perp_norm_inf(p.n, d->q));
    for (int i = 0; i < p.n; i++)
      p.r[i] += d->q[i] + p.v[i];
    perp_qp_add_t(&d->G, p.v + p.n, p.r);
    const double dual = perp_norm_inf(p.n, p.r);
    size_dual = perp_max(size_dual, perp_norm_inf(p.all, p.v));
    if (!(primal < INFINITY && dual < INFINITY)) {
      run->claim = PERP_STAGNATED;
      return;
    }
    const double relative_primal = size_primal > 0 ? primal / size_primal : 0;
    const double relative_dual = size_dual > 0 ? dual / size_dual : 0;
    perp_qp_tell(run, run->iterations, perp_max(relative_primal, relative_dual), NAN);
    error = perp_max(perp_min(primal, dual), 1e-14);
    if (perp_max(relative_primal, relative_dual) < 10 * run->options->tol) {
      perp_copy(p.n, p.x, s->x);
      perp_copy(p.all, p.v, s->v);
      if (perp_qp_show(run))
        return;
    }
    if (round % CHECK == CHECK - 1) {
      const double ratio = sqrt((relative_primal + 1e-30) / (relative_dual + 1e-30));
      if (ratio > 5 || ratio < 0.2)
        p.rho = perp_min(perp_max(p.rho * perp_min(perp_max(ratio, 0.1), 10), 1e-6), 1e6);
    }
  }
}
