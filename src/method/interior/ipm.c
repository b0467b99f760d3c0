/* ipm.c: primal-dual interior point method, for LCP, mixed and boxed problems; friction: coulomb/
 *
 * With slacks s = x - lo if lo is finite and t = hi - x if hi is, and multipliers w, v > 0,
 *
 *   A x + b - w + v = 0,    s_i w_i = mu,    t_i v_i = mu,          mu -> 0
 *
 * (a free row has neither w nor v). Newton's method for the step, r = A x + b - w + v:
 *
 *   A dx - dw + dv = -r,    s dw + w dx = m - s w - e,    t dv - v dx = m' - ...
 *
 * and with dw and dv eliminated
 *
 *   (A + diag(w/s + v/t)) dx = -(A x + b) + (sigma mu - e_s)/s - (sigma mu - e_t)/t,
 *   dw = (sigma mu - e_s - w dx)/s - w,      dv = (sigma mu - e_t + v dx)/t - v,
 *
 * e a second-order term. The matrix keeps its pattern, so that it is analysed once. Two variants:
 *
 *   mehrotra  sigma = 0, e = 0 first (the predictor); if its step would leave mu at mu_a,
 *             sigma = (mu_a / mu)^3 and e_s = ds dw, e_t = dt dv of the predictor (Mehrotra 1992);
 *             one step length for x and the multipliers, as y = A x + b ties them: then r falls
 *             by the factor 1 - alpha in every step
 *   plain     sigma = 0.25, e = 0, steps 0.9995 of the way to the boundary, x and multipliers each
 *             by their own (as in Morales, Nocedal, Smelyanskiy 2008)
 *
 * For monotone A (positive semi-definite, symmetric or not) some tens of iterations for any n.
 *
 * The end. At a solution with s_i + w_i > 0 for all i (and t_i + v_i) one of each pair tends to
 * zero like mu, and the other does not. So from some mu on F = { i : s_i > w_i and t_i > v_i }, in
 * units of x and of y, is the set of rows inside the box, and
 *
 *   A_FF x_F = -(b + A x)_F with the others on their bounds
 *
 * is the solution itself, to the accuracy of a linear solve. This is tried when mu is small and F
 * has not changed over an iteration; if the result is not a solution (F not yet right) the
 * iteration continues unchanged. The driver sees this x in addition to the iterate, which it never
 * replaces.
 *
 * No solution: then x grows without bound (for monotone A), and x / |x| tends to a ray u >= 0 with
 * u^T A u = 0 and A u >= 0, so A^T u = -A u <= 0, and b^T u < 0. The method offers such a u to the
 * certificate check and claims nothing that the check rejects.
 *
 * With friction, by index or by cones, coulomb/ follows another path with one variant and ignores
 * the parameters.
 *
 * Cost: a factor and two solves (plain: one) in an iteration. Workspace: 14 n and the systems'. */
#include "base/elementary.h"
#include "method/interior/coulomb/coulomb.h"

#include "linalg/vector.h"
#include "method/system/farkas.h"
#include "method/system/linear.h"
#include "set/set.h"

typedef struct {
  int variant;
  double sigma;
  int crossover, solver;
} ipm_parameters;

static const double TAU = 0.9995; /* of the step to the boundary */

enum { MEHROTRA, PLAIN };
static const char *const variants[] = {"mehrotra", "plain", NULL};

static const perp_parameter parameters[] = {
    PERP_CHOICE(ipm_parameters, variant, MEHROTRA, 1, variants,
                "predictor and corrector, or a fixed sigma and two step lengths"),
    PERP_REAL(ipm_parameters, sigma, 0.25, 1e-6, 0.999, "centring of the plain variant"),
    PERP_FLAG(ipm_parameters, crossover, 1,
              "try the linear solve in the rows that seem to be inside the box"),
    PERP_CHOICE(ipm_parameters, solver, PERP_LINEAR_AUTO, PERP_LINEAR_GMRES, perp_linear_solvers,
                "solver of the linear systems"),
    {0},
};

typedef struct state {
  perp_run *run;
  const ipm_parameters *par;
  int n;
  double *x, *y; /* y = A x + b */
  double *lo, *hi;
  double *w, *v;         /* multipliers; 0 if there is no bound */
  double *es, *et;       /* second-order terms */
  double *dx, *dw, *dv;  /* the step */
  double *shift, *right; /* of the reduced system */
  double *trial;         /* n: crossover, ray */
  double *other;         /* n: its y */
  int *all, rows;        /* rows with lo < hi */
  int *F, m;             /* crossover */
  bool *inside;          /* n: F of the iteration before */
  int pairs;             /* of slacks and multipliers */
  double x_size, y_size; /* units of x and y */
  double unit;           /* the largest |A_ii|, or 1 */
  perp_linear_system *system;
  perp_rays *rays; /* NULL until x grows */
} state;

static bool bounded_below(const state *s, int i)
{
  return s->lo[i] > -INFINITY;
}

static bool bounded_above(const state *s, int i)
{
  return s->hi[i] < INFINITY;
}

/* ---- The start ---- */

/* Returns a point inside the box, at least `room` from its bounds or in its middle. */
static double inner(const state *s, int i, double room)
{
  const double lo = s->lo[i], hi = s->hi[i], half = 0.5 * (hi - lo);
  if (isfinite(half) && half <= room)
    return lo + half;
  return perp_min(perp_max(s->x[i], lo + room), hi - room);
}

static void start(state *s)
{
  const perp_problem *p = s->run->problem;
  double largest = 0;
  if (perp_operator_diagonal(p->A, s->right, NULL) == PERP_OK)
    largest = perp_norm_inf(s->n, s->right);
  s->unit = largest > 0 ? largest : 1;
  s->y_size = s->run->scale;
  s->x_size = largest > 0 ? s->run->scale / largest : 1;
  for (int t = 0; t < s->rows; t++)
    s->x[s->all[t]] = inner(s, s->all[t], s->x_size);
  perp_run_gradient(s->run, s->x, s->y);
  for (int t = 0; t < s->rows; t++) {
    const int i = s->all[t];
    /* y = w - v, both at least of the size of y */
    s->w[i] = bounded_below(s, i) ? perp_max(s->y[i], 0) + s->y_size : 0;
    s->v[i] = bounded_above(s, i) ? perp_max(-s->y[i], 0) + s->y_size : 0;
    s->pairs += bounded_below(s, i) + bounded_above(s, i);
  }
}

static perp_error create(state *s, perp_run *run, const ipm_parameters *par, double *x)
{
  const size_t n = (size_t)run->problem->K.n;
  *s = (state){.run = run, .par = par, .n = (int)n, .x = x};
  if (!PERP_TAKE_INTEGERS(run->arena, n, &s->all, &s->F) ||
      !PERP_TAKE_ZERO(run->arena, PERP_ARRAY(s->inside, n)) ||
      !PERP_TAKE_ZERO_REALS(run->arena, n, &s->y, &s->lo, &s->hi, &s->w, &s->v, &s->es, &s->et,
                            &s->dx, &s->dw, &s->dv, &s->shift, &s->right, &s->trial, &s->other))
    return perp_run_no_memory(run);
  perp_set_all_bounds(&run->problem->K, s->lo, s->hi);
  for (int i = 0; i < s->n; i++)
    if (s->lo[i] < s->hi[i])
      s->all[s->rows++] = i;
  return PERP_OK;
}

/* ---- The step ---- */

static bool factor(state *s)
{
  for (int t = 0; t < s->rows; t++) {
    const int i = s->all[t];
    s->shift[i] = 0;
    if (bounded_below(s, i))
      s->shift[i] += s->w[i] / (s->x[i] - s->lo[i]);
    if (bounded_above(s, i))
      s->shift[i] += s->v[i] / (s->hi[i] - s->x[i]);
  }
  return perp_linear_set_raised(s->system, s->rows, s->all, s->shift, s->unit);
}

/* dx from `right`, refined: near the end the shift spans many orders of magnitude. */
static bool solve_system(state *s)
{
  return perp_linear_refine(s->system, s->right, 1e-12, 2, s->dx);
}

/* Computes dx, dw, dv for s w = t v = target. Returns false if the system cannot be solved. */
static bool find_step(state *s, double target, bool corrected)
{
  for (int t = 0; t < s->rows; t++) {
    const int i = s->all[t];
    double r = -s->y[i];
    if (bounded_below(s, i))
      r += (target - (corrected ? s->es[i] : 0)) / (s->x[i] - s->lo[i]);
    if (bounded_above(s, i))
      r -= (target - (corrected ? s->et[i] : 0)) / (s->hi[i] - s->x[i]);
    s->right[i] = r;
  }
  if (!solve_system(s))
    return false;
  for (int t = 0; t < s->rows; t++) {
    const int i = s->all[t];
    const double below = s->x[i] - s->lo[i], above = s->hi[i] - s->x[i], dx = s->dx[i];
    if (bounded_below(s, i))
      s->dw[i] = (target - (corrected ? s->es[i] : 0) - s->w[i] * dx) / below - s->w[i];
    if (bounded_above(s, i))
      s->dv[i] = (target - (corrected ? s->et[i] : 0) + s->v[i] * dx) / above - s->v[i];
  }
  return perp_all_finite(s->n, s->dx) && perp_all_finite(s->n, s->dw) &&
         perp_all_finite(s->n, s->dv);
}

/* Finds the longest steps that keep slacks and multipliers nonnegative, at most 1 / tau. */
static void reach(const state *s, double *primal, double *dual)
{
  double a = INFINITY, b = INFINITY;
  for (int t = 0; t < s->rows; t++) {
    const int i = s->all[t];
    const double dx = s->dx[i];
    if (dx < 0 && bounded_below(s, i))
      a = perp_min(a, (s->lo[i] - s->x[i]) / dx);
    if (dx > 0 && bounded_above(s, i))
      a = perp_min(a, (s->hi[i] - s->x[i]) / dx);
    if (s->dw[i] < 0)
      b = perp_min(b, -s->w[i] / s->dw[i]);
    if (s->dv[i] < 0)
      b = perp_min(b, -s->v[i] / s->dv[i]);
  }
  *primal = a;
  *dual = b;
}

/* Returns mu, the mean of s w and t v, after a step. */
static double duality_gap_after(const state *s, double step)
{
  double sum = 0;
  for (int t = 0; t < s->rows; t++) {
    const int i = s->all[t];
    const double x = s->x[i] + step * s->dx[i];
    sum += bounded_below(s, i) ? (x - s->lo[i]) * (s->w[i] + step * s->dw[i]) : 0;
    sum += bounded_above(s, i) ? (s->hi[i] - x) * (s->v[i] + step * s->dv[i]) : 0;
  }
  return s->pairs ? sum / s->pairs : 0;
}

/* Computes predictor and corrector. */
static bool mehrotra(state *s, double mu, double *primal, double *dual)
{
  if (!find_step(s, 0, false))
    return false;
  reach(s, primal, dual);
  const double step = perp_min(1, perp_min(*primal, *dual));
  const double ratio = mu > 0 ? perp_max(duality_gap_after(s, step), 0) / mu : 0;
  for (int t = 0; t < s->rows; t++) {
    const int i = s->all[t];
    s->es[i] = s->dx[i] * s->dw[i];
    s->et[i] = -s->dx[i] * s->dv[i];
  }
  if (!find_step(s, ratio * ratio * ratio * mu, true))
    return false;
  reach(s, primal, dual);
  *primal = *dual = perp_min(*primal, *dual);
  return true;
}

static void move(state *s, double primal, double dual)
{
  for (int t = 0; t < s->rows; t++) {
    const int i = s->all[t];
    const double x = s->x[i] + primal * s->dx[i];
    /* rounding must not put x on its bound */
    if (x > s->lo[i] && x < s->hi[i])
      s->x[i] = x;
    s->w[i] += dual * s->dw[i];
    s->v[i] += dual * s->dv[i];
  }
}

/* ---- Endings ---- */

/* Determines F. Returns true if it has not changed. */
static bool settled(state *s)
{
  bool same = true;
  s->m = 0;
  for (int t = 0; t < s->rows; t++) {
    const int i = s->all[t];
    const double below = (s->x[i] - s->lo[i]) / s->x_size, above = (s->hi[i] - s->x[i]) / s->x_size;
    const bool in = below > s->w[i] / s->y_size && above > s->v[i] / s->y_size;
    same = same && in == s->inside[i];
    s->inside[i] = in;
    if (in)
      s->F[s->m++] = i;
  }
  return same;
}

/* trial <- the solution in the rows F with the others on their bounds. Returns true if it solves
 * the problem. */
static bool cross_over(state *s)
{
  perp_copy(s->n, s->x, s->trial);
  for (int t = 0; t < s->rows; t++) {
    const int i = s->all[t];
    if (!s->inside[i])
      s->trial[i] = s->x[i] - s->lo[i] <= s->hi[i] - s->x[i] ? s->lo[i] : s->hi[i];
  }
  perp_run_gradient(s->run, s->trial, s->other);
  if (s->m > 0) {
    perp_fill(s->n, 0, s->shift);
    perp_negate(s->n, s->other, s->right);
    if (!perp_linear_set_raised(s->system, s->m, s->F, s->shift, s->unit) || !solve_system(s))
      return false;
    perp_axpy(s->n, 1, s->dx, s->trial);
    perp_set_project(&s->run->problem->K, s->trial, s->trial);
    perp_run_gradient(s->run, s->trial, s->other);
  }
  return perp_problem_residual(s->run->problem, s->trial, s->other) <= s->run->target;
}

/* u <- x / |x| without its insignificant entries. */
static void take_ray(int n, const double *x, double *u)
{
  const double top = perp_norm_inf(n, x);
  for (int i = 0; i < n; i++)
    u[i] = x[i] > 1e-5 * top ? x[i] / top : 0;
}

/* Offers x / |x| as a certificate that there is no solution. If A u = 0, (A + D) u = D u with the D
 * of the present factor: solving for u reduces the components outside the null space. */
static bool is_infeasible(state *s)
{
  if ((s->rays || perp_rays_open(s->run, false, &s->rays) == PERP_OK) &&
      perp_rays_offer(s->rays, s->x, false) == PERP_FEASIBLE_PROVEN_NOT) {
    perp_copy(s->n, s->rays->u, s->trial); /* the ray must outlive the solve */
    return perp_certificate_claim(s->run, s->trial);
  }
  take_ray(s->n, s->x, s->trial);
  for (int i = 0; i < s->n; i++)
    s->right[i] = s->shift[i] * s->trial[i];
  if (solve_system(s))
    take_ray(s->n, s->dx, s->trial);
  return perp_certificate_claim(s->run, s->trial);
}

/* ---- The iteration ---- */

static perp_error iterate(state *s)
{
  enum { PATIENCE = 4 };
  const ipm_parameters *par = s->par;
  perp_run *run = s->run;
  double asked = 1e4; /* |x| in its units at which a ray is looked for */
  int short_steps = 0;
  for (;;) {
    const double mu = duality_gap_after(s, 0);
    perp_run_merit(run, mu);
    if (!perp_run_next(run, s->x, s->y))
      return PERP_OK;
    const bool same = settled(s);
    if (par->crossover && same && mu <= 1e-3 * s->x_size * s->y_size && cross_over(s)) {
      perp_copy(s->n, s->trial, s->x);
      perp_copy(s->n, s->other, s->y);
      perp_run_next(run, s->x, s->y);
      return PERP_OK;
    }
    double primal, dual;
    bool found = factor(s);
    const double size = perp_norm_inf(s->n, s->x) / s->x_size;
    if (found && size > asked) {
      if (is_infeasible(s))
        return PERP_OK;
      asked = 10 * size;
    }
    if (found && par->variant == MEHROTRA) {
      found = mehrotra(s, mu, &primal, &dual);
    } else if (found) {
      found = find_step(s, par->sigma * mu, false);
      reach(s, &primal, &dual);
    }
    if (!found) {
      perp_run_claim(run, PERP_STAGNATED);
      perp_run_say(run, "ipm: the linear system cannot be solved to working accuracy");
      return PERP_OK;
    }
    primal = perp_min(1, TAU * primal);
    dual = perp_min(1, TAU * dual);
    short_steps = perp_max(primal, dual) < 1e-8 ? short_steps + 1 : 0;
    if (short_steps >= PATIENCE) {
      perp_run_claim(run, PERP_STAGNATED);
      return PERP_OK;
    }
    move(s, primal, dual);
    perp_run_gradient(run, s->x, s->y);
  }
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const ipm_parameters *par = params;
  if (perp_set_form(&p->K) >= PERP_FORM_FINDEX)
    return perp_interior_coulomb(run, x);
  state s;
  perp_error error = create(&s, run, par, x);
  if (error)
    return error;
  perp_run_gradient(run, x, s.y);
  if (!perp_run_next(run, x, s.y))
    return PERP_OK;
  perp_set_project(&run->problem->K, x, x);
  start(&s);
  const perp_linear_plan plan = {
      .solver = (perp_linear_solver)par->solver, .factor_grids = true, .sparse_lu = true};
  error = perp_linear_open(run, &plan, &s.system);
  if (!error)
    error = iterate(&s);
  perp_linear_close(s.system);
  perp_rays_close(s.rays);
  return error;
}

const perp_method perp_method_ipm = {
    .name = "ipm",
    .title = "primal-dual interior point method",
    .family = "interior",
    .source = "mehrotra-1992",
    .takes = PERP_TAKES_CONTACTS,
    .needs = PERP_CAN_APPLY,
    .works = "positive (semi-)definite A, symmetric or not; friction and cones mostly",
    .iteration = "(A + diag(w/s + v/t)) dx = right side; a step inside s, t, w, v > 0",
    .max_iterations = 5000,
    PERP_SOLVES_WITH(ipm_parameters),
};
