/* primal.c: Newton's method in body velocities, for contacts with compliance
 *
 *   A = J Minv J^T + C,   C > 0 diagonal
 *
 * The dual problem has no constraints (Todorov 2011, 2014; docs/theory/newton.md). With A = G G^T + C,
 * G = J F, Minv = F F^T, and u the velocity of the bodies in the norm of their masses:
 *
 *   min over u of  F(u) = 1/2 |u|^2 + sum s_i(z_i),   z = G u + b,   s' = -x,   x(z) = P_K(-z / C)
 *
 * Its gradient and Hessian are
 *
 *   u - G^T x(z),   I + G^T D G,   D = -dx/dz:  1 / C_ii in a row inside its bounds, 0 at one
 *
 * and x at the minimum solves the problem. F is piecewise quadratic and strongly convex; Newton's
 * method with an exact line search ends after finitely many steps, in practice after about ten. A
 * step costs the assembly and the factor of a matrix in the velocities, however many rows there are.
 *
 * If C is small relative to A, Newton's method takes many more steps: far from the minimum x(z) =
 * -z / C is far too large. So C is first raised to at least a share of A_ii, and the share falls,
 * each minimum being the start of the next; soon most reductions take one step. x(z) also carries
 * the rounding of z divided by C, so at the end Newton steps on the natural map in x refine it
 * (below). With both, problems whose x is not itself of the size of 1 / C are solved to 1e-9 with C
 * down to 1e-10 A.
 *
 * The line search. phi'(t) = (u + t d)^T d - x(z + t q)^T q, q = G d, is continuous, piecewise
 * linear, and rises. Newton steps within a bracket find its zero.
 *
 * Newton steps in x. z has the rounding of A x, so x(z) = -z / C loses the digits by which C is
 * smaller than A. A step in x does not lose them. With u = G^T x, z = G u + b, y = z + C x, the
 * natural map x = P_K(x - theta y) linearises row by row to
 *
 *   dx = dx0 - D dz,   dz = G du,   du = G^T dx,
 *
 *   inside       dx = -(y + dz) / C,   so  dx0 = -y / C,  D = 1 / C
 *   at a bound   dx = bound - x,           dx0 = bound - x,  D = 0
 *
 * Eliminating dx leaves  (I + G^T D G) du = G^T dx0:  the Hessian of the convex problem. Near a
 * solution dx0 is small, so the rounding of the step is small against it, and repeated steps are
 * an iterative refinement: each gains about log10(C / A) + 16 digits.
 *
 * Friction is refused. Its bounds follow a normal impulse, and the law is not the minimum over K.
 *
 * Cost of an iteration: three products with G, n (numbers in a row)^2 for H, its factor. Memory: G,
 * H and its factor, about 15 vectors of n. */
#include "method/newton/primal/primal.h"

#include "linalg/vector.h"
#include "method/system/active_set.h"
#include "set/set.h"

#include <float.h>

typedef struct primal {
  perp_run *run;
  int n, m;
  perp_primal_rows rows;
  perp_primal_hessian H;
  double *lo, *hi;    /* n: with infinities */
  double *x;          /* n: the caller's */
  double *u;          /* m: scaled velocities */
  double *z, *y;      /* n: G u + b, and A x + b */
  double *d;          /* m: the step, or its gradient */
  double *gradient;   /* m */
  double *q;          /* n: G d */
  double *D;          /* n: at z, or of a step in x */
  signed char *state; /* n: at its lower bound, inside, at its upper bound */
  double *dx;         /* n: a step in x */
  double *best;       /* n: the best x of the steps in x */
} primal;

/* ---- Impulses as a function of velocities, and the line search ---- */

/* Computes x, D and state at z. Returns true if any state changed. */
static bool respond(primal *s)
{
  bool changed = false;
  for (int i = 0; i < s->n; i++) {
    const double w = -s->z[i] * s->rows.inverse[i];
    const signed char state = (signed char)((w >= s->hi[i]) - (w <= s->lo[i]));
    changed = changed || s->state[i] != state;
    s->x[i] = perp_clamp(w, s->lo[i], s->hi[i]);
    s->D[i] = w > s->lo[i] && w < s->hi[i] ? s->rows.inverse[i] : 0;
    s->state[i] = state;
  }
  return changed;
}

/* Returns x(z + t q)^T q; *bend is minus its derivative in t, q^T D q. */
static double work_along(const primal *s, double t, double *bend)
{
  double work = 0;
  *bend = 0;
  for (int i = 0; i < s->n; i++) {
    const double q = s->q[i], inverse = s->rows.inverse[i];
    const double w = -(s->z[i] + t * q) * inverse, lo = s->lo[i], hi = s->hi[i];
    work += perp_clamp(w, lo, hi) * q;
    *bend += w > lo && w < hi ? q * q * inverse : 0;
  }
  return work;
}

/* Returns the t >= 0 that minimises F along u + t d; slope < 0 is the derivative at t = 0. */
static double search(const primal *s, double slope)
{
  enum { MOST = 60 };
  const double close = 1e-3; /* relative to the first slope; an exact full Newton step passes */
  const double ud = perp_dot(s->m, s->u, s->d), dd = perp_dot(s->m, s->d, s->d);
  double low = 0, high = INFINITY, t = 1;
  for (int k = 0; k < MOST; k++) {
    double bend;
    const double now = ud + t * dd - work_along(s, t, &bend);
    if (fabs(now) <= -close * slope)
      break;
    *(now < 0 ? &low : &high) = t;
    const double next = t - now / (dd + bend);
    if (next > low && next < high)
      t = next;
    else
      t = high < INFINITY ? 0.5 * (low + high) : 2 * t;
  }
  return t;
}

/* ---- Newton steps in x ---- */

static const double LEAST_STEP = 1.0 / 32;

static void refresh(primal *s)
{
  const double *b = s->run->problem->b;
  perp_primal_impulse(&s->rows, s->x, s->u);
  perp_primal_velocity(&s->rows, s->u, s->z);
  for (int i = 0; i < s->n; i++) {
    s->z[i] += b[i];
    s->y[i] = s->z[i] + s->rows.C[i] * s->x[i];
  }
}

/* Returns x_i - theta y_i. */
static double moved(const primal *s, int i, double *theta)
{
  *theta = 1 / (s->rows.square[i] + s->rows.C[i]);
  return s->x[i] - *theta * s->y[i];
}

/* Returns the sum of squares of (x - P_K(x - theta y)) / theta: velocities, independent of the
 * masses. */
static double merit(const primal *s)
{
  double sum = 0, theta;
  for (int i = 0; i < s->n; i++) {
    const double w = moved(s, i, &theta), lo = s->lo[i], hi = s->hi[i];
    const double left = (s->x[i] - (w < lo ? lo : w > hi ? hi : w)) / theta;
    sum += left * left;
  }
  return sum;
}

/* Sets dx0 and D. */
static void linearise(primal *s)
{
  for (int i = 0; i < s->n; i++) {
    double theta;
    const perp_side side = perp_side_guess(moved(s, i, &theta), s->lo[i], s->hi[i]);
    const bool inside = side == PERP_SIDE_FREE;
    s->D[i] = inside ? s->rows.inverse[i] : 0;
    s->dx[i] = inside ? -s->y[i] * s->rows.inverse[i]
                      : (side == PERP_SIDE_LO ? s->lo[i] : s->hi[i]) - s->x[i];
  }
}

static bool step_in_x(primal *s)
{
  linearise(s);
  if (!perp_primal_hessian_set(&s->H, s->D))
    return false;
  perp_primal_impulse(&s->rows, s->dx, s->d);
  if (!perp_body_matrix_solve(&s->H.H, s->d))
    return false;
  perp_primal_velocity(&s->rows, s->d, s->q);
  for (int i = 0; i < s->n; i++)
    s->dx[i] -= s->q[i] * s->D[i];
  if (!perp_all_finite(s->n, s->dx))
    return false;
  const double before = merit(s);
  double *start = s->q; /* q is free now */
  perp_copy(s->n, s->x, start);
  for (double step = 1; step >= LEAST_STEP; step *= 0.5) {
    for (int i = 0; i < s->n; i++)
      s->x[i] = start[i] + step * s->dx[i];
    perp_set_project(&s->run->problem->K, s->x, s->x);
    refresh(s);
    if (merit(s) <= (1 - 0.1 * step) * before)
      return true;
  }
  return false;
}

/* ---- The iteration ---- */

/* Calls perp_run_next with the A x + b of the given compliance. Between two minima x may be
 * arbitrarily large. */
static bool show(primal *s)
{
  for (int i = 0; i < s->n; i++)
    s->q[i] = s->y[i] + (s->rows.compliance[i] - s->rows.C[i]) * s->x[i];
  return perp_run_next_iterate(
      s->run, perp_iterate_guess(s->x, s->q, perp_problem_residual(s->run->problem, s->x, s->q)));
}

/* y <- A x + b and d <- the gradient u - G^T x */
static void measure(primal *s)
{
  const double *b = s->run->problem->b;
  perp_primal_impulse(&s->rows, s->x, s->d);
  perp_primal_velocity(&s->rows, s->d, s->y);
  for (int i = 0; i < s->n; i++)
    s->y[i] += s->rows.C[i] * s->x[i] + b[i];
  for (int k = 0; k < s->m; k++)
    s->d[k] = s->u[k] - s->d[k];
}

/* Takes one Newton step from u, whose gradient is in d. Returns true if it was the last: no row
 * changed sides in a full step, or rounding leaves no descent. */
static bool step(primal *s)
{
  if (!perp_primal_hessian_set(&s->H, s->D))
    return true;
  perp_copy(s->m, s->d, s->gradient);
  perp_multiply(s->m, -1, s->d);
  if (!perp_body_matrix_solve(&s->H.H, s->d))
    return true;
  const double slope = perp_dot(s->m, s->gradient, s->d);
  const double size = perp_dot(s->m, s->u, s->u) + perp_dot(s->m, s->d, s->d);
  if (!(slope < -DBL_EPSILON * DBL_EPSILON * size))
    return true;
  perp_primal_velocity(&s->rows, s->d, s->q);
  const double t = search(s, slope);
  perp_axpy(s->m, t, s->d, s->u);
  perp_axpy(s->n, t, s->q, s->z);
  const bool changed = respond(s);
  return !changed && fabs(t - 1) < 1e-2;
}

/* Minimises F from u. Returns false if the driver ends the run. */
static bool minimise(primal *s)
{
  enum { MOST = 200 };
  respond(s);
  measure(s);
  for (int k = 0; k < MOST; k++) {
    const bool last = step(s);
    measure(s);
    if (!show(s))
      return false;
    if (last)
      break;
  }
  return !perp_run_expired(s->run);
}

/* Takes Newton steps in x while they help; x ends as the best of them. Returns false if the driver
 * ends the run. */
static bool polish(primal *s)
{
  enum { MOST = 50, PATIENCE = 8 };
  const perp_problem *p = s->run->problem;
  double best = perp_problem_residual(p, s->x, s->y), mark = best;
  perp_copy(s->n, s->x, s->best);
  for (int k = 0, since = 0; k < MOST && since < PATIENCE && best > 0.01 * s->run->target; k++) {
    if (!step_in_x(s))
      break;
    if (!show(s))
      return false;
    const double residual = perp_problem_residual(p, s->x, s->y);
    if (residual < best) {
      best = residual;
      perp_copy(s->n, s->x, s->best);
    }
    since = best < 0.5 * mark ? 0 : since + 1;
    mark = since == 0 ? best : mark;
  }
  perp_copy(s->n, s->best, s->x);
  return true;
}

/* Minimises F while the compliance falls to the given one, each time from the minimum before, and
 * ends with Newton steps in x. */
static void iterate(primal *s)
{
  const double first = 1e-2, fall = 0.1;
  bool own = false;
  for (double share = first; !own; share *= fall) {
    own = perp_primal_raise_compliance(&s->rows, share);
    if (!minimise(s))
      return;
  }
  if (polish(s))
    perp_run_claim(s->run, PERP_STAGNATED);
}

static perp_error take_vectors(primal *s)
{
  perp_run *run = s->run;
  const perp_set *K = &run->problem->K;
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  if (!PERP_TAKE_REALS(run->arena, n, &s->lo, &s->hi, &s->z, &s->y, &s->q, &s->D, &s->dx,
                       &s->best) ||
      !PERP_TAKE_REALS(run->arena, m, &s->u, &s->d, &s->gradient) ||
      !PERP_TAKE_ZERO(run->arena, PERP_ARRAY(s->state, n)))
    return perp_run_no_memory(run);
  perp_set_all_bounds(K, s->lo, s->hi);
  return PERP_OK;
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params;
  primal s = {.run = run, .n = p->K.n, .x = x};
  perp_error error = perp_primal_rows_create(run, &s.rows);
  if (error || perp_run_expired(run))
    return error;
  s.m = s.rows.m;
  error = take_vectors(&s);
  if (error || perp_run_expired(run))
    return error;
  error = perp_primal_hessian_open(run, &s.rows, &s.H);
  if (!error && !perp_run_expired(run)) {
    refresh(&s);
    if (show(&s))
      iterate(&s);
  }
  perp_body_matrix_close(&s.H.H);
  return error;
}

const perp_method perp_method_primal = {
    .name = "primal",
    .title = "Newton's method in body velocities",
    .family = "newton",
    .reference = true,
    .source = "todorov-2014",
    .takes = PERP_TAKES_BOXES,
    .needs = PERP_CAN_APPLY | PERP_CAN_VELOCITIES,
    .iteration = "u <- u - t (I + G^T D G)^-1 (u - G^T x(u)), x(u) = P_K(-C^-1 (G u + b))",
    .works = "contact operators with compliance, C > 0 diagonal; no friction",
    .max_iterations = 5000,
    PERP_SOLVES_WITHOUT_PARAMETERS,
};
