/* primal.c: Newton's method in body velocities, for contacts with compliance
 *
 *   A = J Minv J^T + C,   C > 0 diagonal
 *
 * The dual of  min 1/2 x^T A x + b^T x  over a convex set K is a convex problem without constraints
 * (Todorov 2011, 2014). With A = G G^T + C, G = J F, Minv = F F^T, and 1/2 |G^T x|^2 written as the
 * maximum over u of  -u^T G^T x - 1/2 |u|^2,  minimum and maximum change places; u with its sign
 * turned is the velocity of the bodies in the norm of their masses:
 *
 *   min over u of  F(u) = 1/2 |u|^2 + sum s_i(z_i),   z = G u + b,
 *   s(z) = max over x in K of  -(z^T x + 1/2 x^T C x),   reached at  x(z) = P_K(-z / C),  s' = -x.
 *
 * Its gradient and Hessian are
 *
 *   u - G^T x(z),   I + G^T D G,   D = -dx/dz:  1 / C_ii in a row inside its bounds, 0 at one
 *
 * (response.c).
 *
 * At the minimum u = G^T x, so y = A x + b = z + C x and x = P_K(x - y / C): x solves the problem.
 * F is piecewise quadratic and strongly convex; Newton's method with an exact line search ends
 * after finitely many steps, in practice after about ten. A step costs the assembly and the factor
 * of a matrix in the velocities, however many rows there are.
 *
 * If C is small relative to A, Newton's method takes many more steps: far from the minimum x(z) =
 * -z / C is far too large. So C is first raised to at least a share of A_ii, and the share falls,
 * each minimum being the start of the next; soon most reductions take one step. x(z) also carries
 * the rounding of z divided by C, so at the end Newton steps on the natural map in x refine it
 * (below). With both, problems whose x is not itself of the size of 1 / C are solved to 1e-9 with C
 * down to 1e-10 A.
 *
 * Friction. If bounds follow a normal impulse, lo_i x_n <= x_i <= hi_i x_n (findex) or |x_t| <= mu
 * x_n (cones), K is still convex, but the minimum over K does not satisfy the law: it has -y in
 * N_K(x), with an opening velocity y_n = sigma at every sliding contact,
 *
 *   sigma(y) = mu |y_t|,   or  sum over the rows i that follow of  max(-lo_i y_i, -hi_i y_i).
 *
 * Coulomb's law requires y + sigma(y) e_n instead (De Saxce and Feng 1991). So a shift is added to
 * b_n, and minimisation alternates with the update shift <- sigma(y) (Acary, Cadoux, Lemarechal and
 * Malick 2011). From each minimum the method tries Newton steps in x on the natural map of the law
 * itself; near a solution they converge quadratically. If they fail, the next minimisation starts
 * from the last minimum. All this is done with a large C, for which the problem is easy; then C
 * falls, and the steps in x follow the solution.
 *
 * Newton steps in x. z has the rounding of A x, so x(z) = -z / C loses the digits by which C is
 * smaller than A. A step in x does not lose them. With u = G^T x, z = G u + b, y = z + C x, the
 * natural map x = P_K(x - theta y) linearises row by row to
 *
 *   dx = dx0 - (D + E) dz,   dz = G du,   du = G^T dx,
 *
 *   inside       dx = -(y + dz) / C,               so  dx0 = -y / C,  D = 1 / C
 *   at a bound   dx = bound - x + slope dx_normal,      dx0 = bound - x + slope dx0_normal
 *
 * and in the tangents of a sliding cone, with w = x - theta y, tau = w / |w|, beta = r / |w| and
 * P = I - tau tau^T, from x + dx = (r + dr) tau + beta P (dx - theta (dz + C dx)),
 *
 *   dx = tau (r - tau^T x + mu dx_n) - kappa P (x + beta theta dz),
 *   kappa = 1 / (1 - beta (1 - theta C)).
 *
 * E holds the terms of slope and mu. Eliminating dx leaves
 *
 *   (I + G^T (D + E) G) du = G^T dx0:
 *
 * for E = 0 the Hessian of the convex problem, else GMRES with its factor as preconditioner. Near a
 * solution dx0 is small, so the rounding of the step is small against it, and repeated steps are
 * an iterative refinement: each gains about log10(C / A) + 16 digits.
 *
 * Cost of an iteration: three products with G, n (numbers in a row)^2 for H, its factor. Memory: G,
 * H and its factor, about 15 vectors of n, with friction also GMRES's vectors in velocities. */
#include "method/newton/primal/primal.h"

#include "base/elementary.h"
#include "linalg/krylov.h"
#include "linalg/vector.h"
#include "method/system/active_set.h"
#include "set/set.h"

#include <float.h>

typedef struct {
  int polish;
} primal_parameters;

static const perp_parameter parameters[] = {
    PERP_INTEGER(primal_parameters, polish, 50, 1, 1000,
                 "successive Newton steps in x after each minimum in velocities"),
    {0},
};

/* ---- Newton steps in x ---- */

enum { RESTART = 40 }; /* vectors of GMRES */

static const double LEAST_STEP = 1.0 / 32;

static void refresh(perp_primal *s)
{
  const double *b = s->run->problem->b;
  perp_primal_impulse(&s->rows, s->x, s->u);
  perp_primal_velocity(&s->rows, s->u, s->z);
  for (int i = 0; i < s->n; i++) {
    s->z[i] += b[i];
    s->y[i] = s->z[i] + s->rows.C[i] * s->x[i];
  }
}

static double row_theta(const perp_primal *s, int i)
{
  return 1 / (s->rows.square[i] + s->rows.C[i]);
}

static double tangent_theta(const perp_primal *s, int i)
{
  return 1 / (perp_max(s->rows.square[i], s->rows.square[i + 1]) + s->rows.C[i]);
}

/* Returns the sum of squares of (x - P_K(x - theta y)) / theta: velocities, independent of the
 * masses. */
static double merit(const perp_primal *s)
{
  double sum = 0;
  for (int i = 0; i < s->n; i++) {
    const int cone = i < 3 * s->K->cones ? i / 3 : -1;
    if (cone >= 0 && i % 3 == 1) {
      const double theta = tangent_theta(s, i), r = s->K->mu[cone] * perp_max(s->x[i - 1], 0);
      const double wt = s->x[i] - theta * s->y[i], wo = s->x[i + 1] - theta * s->y[i + 1];
      const double size = perp_hypot(wt, wo), part = size > r ? r / size : 1;
      sum += (s->x[i] - part * wt) / theta * ((s->x[i] - part * wt) / theta);
      i++;
      sum += (s->x[i] - part * wo) / theta * ((s->x[i] - part * wo) / theta);
      continue;
    }
    double lo = 0, hi = INFINITY;
    if (cone < 0)
      perp_row_bounds(s->K, s->x, i, &lo, &hi);
    const double theta = row_theta(s, i), w = s->x[i] - theta * s->y[i];
    const double left = (s->x[i] - (w < lo ? lo : w > hi ? hi : w)) / theta;
    sum += left * left;
  }
  return sum;
}

/* Sets dx0 without the contribution of the normals, D, and the slope of the active bound. */
static void linearise_row(perp_primal *s, int i)
{
  const double theta = row_theta(s, i);
  const double w = s->x[i] - theta * s->y[i];
  double lo = 0, hi = INFINITY;
  if (i >= 3 * s->K->cones)
    perp_row_bounds(s->K, s->x, i, &lo, &hi);
  const perp_side state = perp_side_guess(w, lo, hi);
  s->slope[i] = 0;
  if (state == PERP_SIDE_FREE) {
    s->D.free[i] = s->rows.inverse[i];
    s->dx[i] = -s->y[i] * s->rows.inverse[i];
    return;
  }
  s->D.free[i] = 0;
  s->dx[i] = (state == PERP_SIDE_LO ? lo : hi) - s->x[i];
  if (perp_set_is_friction(s->K, i))
    s->slope[i] = perp_side_tie(s->K, i, state, s->x[s->K->findex[i]]);
}

static void linearise_tangents(perp_primal *s, int cone)
{
  const int i = 3 * cone + 1;
  const double c = s->rows.C[i], r = s->K->mu[cone] * perp_max(s->x[i - 1], 0);
  const double theta = tangent_theta(s, i);
  const double wt = s->x[i] - theta * s->y[i], wo = s->x[i + 1] - theta * s->y[i + 1];
  const double size = perp_hypot(wt, wo);
  double *tau = s->D.tau + 2 * cone;
  s->D.turn[cone] = tau[0] = tau[1] = 0;
  s->D.free[i] = s->D.free[i + 1] = 0;
  if (size < r) {
    s->D.free[i] = s->D.free[i + 1] = s->rows.inverse[i];
    s->dx[i] = -s->y[i] * s->rows.inverse[i];
    s->dx[i + 1] = -s->y[i + 1] * s->rows.inverse[i];
    return;
  }
  if (size > 0) {
    tau[0] = wt / size;
    tau[1] = wo / size;
  }
  const double beta = size > 0 ? r / size : 0, kappa = 1 / (1 - beta * (1 - theta * c));
  const double along = s->x[i] * tau[0] + s->x[i + 1] * tau[1];
  for (int k = 0; k < 2; k++) {
    const double across = s->x[i + k] - along * tau[k];
    s->dx[i + k] = tau[k] * (r - along) - kappa * across;
  }
  s->D.turn[cone] = kappa * beta * theta;
}

/* Adds the contribution of the normals: v_i += slope_i v_normal, v_t += tau mu v_n. */
static void follow_normals(const perp_primal *s, double *v)
{
  const perp_set *K = s->K;
  for (int c = 0; c < K->cones; c++)
    for (int k = 0; k < 2; k++)
      v[3 * c + 1 + k] += s->D.tau[2 * c + k] * K->mu[c] * v[3 * c];
  for (int i = 3 * K->cones; K->findex && i < s->n; i++)
    if (s->slope[i] != 0)
      v[i] += s->slope[i] * v[K->findex[i]];
}

/* v <- (D + E) v */
static void apply_D(const perp_primal *s, double *v)
{
  for (int c = 0; c < s->K->cones; c++) {
    double *w = v + 3 * c;
    const double *tau = s->D.tau + 2 * c;
    const double turned = s->D.turn[c] * (tau[0] * w[2] - tau[1] * w[1]);
    w[0] *= s->D.free[3 * c];
    w[1] = s->D.free[3 * c + 1] * w[1] - tau[1] * turned;
    w[2] = s->D.free[3 * c + 2] * w[2] + tau[0] * turned;
  }
  for (int i = 3 * s->K->cones; i < s->n; i++)
    v[i] *= s->D.free[i];
  if (s->coupled)
    follow_normals(s, v);
}

/* out <- (I + G^T (D + E) G) u */
static void multiply(void *context, const double *u, double *out)
{
  const perp_primal *s = context;
  perp_primal_velocity(&s->rows, u, s->q);
  apply_D(s, s->q);
  perp_primal_impulse(&s->rows, s->q, out);
  perp_axpy(s->m, 1, u, out);
}

static void precondition(void *context, const double *r, double *out)
{
  perp_primal *s = context;
  perp_copy(s->m, r, out);
  perp_body_matrix_solve(&s->H.H, out);
}

/* d <- the solution of the coupled system with right-hand side d; rhs is scratch. */
static bool solve_coupled(perp_primal *s, double *rhs)
{
  const perp_krylov k = {
      .n = s->m,
      .product = multiply,
      .context = s,
      .precondition = precondition,
      .precondition_context = s,
      .alarm = perp_run_alarm(s->run),
      .target = 1e-10 * perp_norm2(s->m, s->d),
      .limit = 4 * RESTART,
  };
  perp_copy(s->m, s->d, rhs);
  perp_fill(s->m, 0, s->d);
  const perp_krylov_end end = perp_gmres(&k, RESTART, rhs, s->d, s->krylov);
  return end.residual <= 0.1 * perp_norm2(s->m, rhs);
}

static bool step_in_x(perp_primal *s)
{
  perp_fill(s->rows.units, 0, s->D.weight); /* rows that move with a normal are in E */
  perp_fill(s->n, 0, s->D.edge);
  for (int c = 0; c < s->K->cones; c++) {
    linearise_row(s, 3 * c);
    linearise_tangents(s, c);
  }
  for (int i = 3 * s->K->cones; i < s->n; i++)
    linearise_row(s, i);
  if (s->coupled)
    follow_normals(s, s->dx);
  if (!perp_primal_hessian_set(s->run, &s->H, &s->D))
    return false;
  perp_primal_impulse(&s->rows, s->dx, s->d);
  const bool solved = s->coupled ? solve_coupled(s, s->u) : perp_body_matrix_solve(&s->H.H, s->d);
  if (!solved)
    return false;
  perp_primal_velocity(&s->rows, s->d, s->q);
  apply_D(s, s->q);
  for (int i = 0; i < s->n; i++)
    s->dx[i] -= s->q[i];
  if (!perp_all_finite(s->n, s->dx))
    return false;
  const double before = merit(s);
  double *start = s->q; /* q is free now */
  perp_copy(s->n, s->x, start);
  for (double step = 1; step >= LEAST_STEP; step *= 0.5) {
    for (int i = 0; i < s->n; i++)
      s->x[i] = start[i] + step * s->dx[i];
    perp_set_project(s->K, s->x, s->x);
    refresh(s);
    if (merit(s) <= (1 - 0.1 * step) * before)
      return true;
  }
  return false;
}

/* ---- The iteration ---- */

/* Calls perp_run_next with the A x + b of the given compliance. Between two minima x may be
 * arbitrarily large. */
static bool show(perp_primal *s)
{
  for (int i = 0; i < s->n; i++)
    s->q[i] = s->y[i] + (s->rows.compliance[i] - s->rows.C[i]) * s->x[i];
  return perp_run_next_iterate(
      s->run, perp_iterate_guess(s->x, s->q, perp_problem_residual(s->run->problem, s->x, s->q)));
}

/* y <- A x + b and d <- the gradient u - G^T x */
static void measure(perp_primal *s)
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
static bool step(perp_primal *s)
{
  if (!perp_primal_hessian_set(s->run, &s->H, &s->D))
    return true;
  double *gradient = s->krylov; /* m numbers of scratch */
  perp_copy(s->m, s->d, gradient);
  perp_multiply(s->m, -1, s->d);
  if (!perp_body_matrix_solve(&s->H.H, s->d))
    return true;
  const double slope = perp_dot(s->m, gradient, s->d);
  const double size = perp_dot(s->m, s->u, s->u) + perp_dot(s->m, s->d, s->d);
  if (!(slope < -DBL_EPSILON * DBL_EPSILON * size))
    return true;
  perp_primal_velocity(&s->rows, s->d, s->q);
  const double t = perp_primal_search(s, slope);
  perp_axpy(s->m, t, s->d, s->u);
  perp_axpy(s->n, t, s->q, s->z);
  const bool changed = perp_primal_respond(s);
  return !changed && fabs(t - 1) < 1e-2;
}

/* Minimises F from u with the current shift. Returns false if the driver ends the run. */
static bool minimise(perp_primal *s)
{
  enum { MOST = 200 };
  perp_primal_respond(s);
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

/* Takes Newton steps in x while they help. x ends as the best of them, *reached as its residual
 * over the target. Returns false if the driver ends the run. */
static bool polish(perp_primal *s, int most, double *reached)
{
  enum { PATIENCE = 8 };
  const perp_problem *p = s->run->problem;
  double best = perp_problem_residual(p, s->x, s->y), mark = best;
  perp_copy(s->n, s->x, s->backup);
  for (int k = 0, since = 0; k < most && since < PATIENCE && best > 0.01 * s->run->target; k++) {
    if (!step_in_x(s))
      break;
    if (!show(s))
      return false;
    const double residual = perp_problem_residual(p, s->x, s->y);
    if (residual < best) {
      best = residual;
      perp_copy(s->n, s->x, s->backup);
    }
    since = best < 0.5 * mark ? 0 : since + 1;
    mark = since == 0 ? best : mark;
  }
  perp_copy(s->n, s->backup, s->x);
  refresh(s);
  *reached = best / s->run->target;
  return true;
}

/* shift <- sigma(y) */
static void take_shift(perp_primal *s)
{
  for (int t = 0; t < s->rows.units; t++) {
    const perp_primal_unit *unit = &s->rows.unit[t];
    if (unit->kind != PERP_PRIMAL_PLAIN)
      s->shift[s->rows.row[unit->first]] = perp_primal_slip(s, unit);
  }
}

/* Minimises F again and again with an updated shift, with Newton steps in x from each minimum, at
 * the current compliance; *reached as in polish. Only minima update the shift, so failed steps in x
 * do not disturb it. Returns false if the driver ends the run. */
static bool follow_shift(perp_primal *s, int most, int most_polish, double *reached)
{
  refresh(s);
  take_shift(s);
  for (int k = 0; k < most; k++) {
    perp_axpy(s->n, 1, s->shift, s->z);
    if (!minimise(s))
      return false;
    take_shift(s);
    if (!polish(s, most_polish, reached))
      return false;
    if (*reached <= 1)
      break;
  }
  return true;
}

/* Without friction: minimises F while the compliance falls to the given one, each time from the
 * minimum before, and ends with Newton steps in x. */
static void solve_convex(perp_primal *s, int most_polish)
{
  const double first = 1e-2, fall = 0.1;
  bool own = false;
  for (double share = first; !own; share *= fall) {
    own = perp_primal_raise_compliance(&s->rows, share);
    if (!minimise(s))
      return;
  }
  double reached;
  if (polish(s, most_polish, &reached))
    perp_run_claim(s->run, PERP_STAGNATED);
}

/* With friction: solves with falling compliance, each time by Newton steps in x from the solution
 * before. If they fail, the compliance falls by less; if that fails, minima with an updated shift
 * close the gap. */
static void solve_friction(perp_primal *s, int most_polish)
{
  enum { FEW = 12, MANY = 100 };
  const double usual = 0.1, most = 0.01, least = 0.5;
  double share = 1, fall = usual, reached;
  bool own = perp_primal_raise_compliance(&s->rows, share);
  if (!follow_shift(s, FEW, most_polish, &reached))
    return;
  while (!own) {
    perp_copy(s->n, s->x, s->good);
    own = perp_primal_raise_compliance(&s->rows, share * fall);
    refresh(s);
    if (!polish(s, most_polish, &reached))
      return;
    if (reached <= 1) {
      share *= fall;
      fall = perp_max(fall * fall, most);
      continue;
    }
    own = false;
    fall = sqrt(fall);
    perp_copy(s->n, s->good, s->x);
    if (fall > least) {
      fall = usual;
      share *= fall;
      own = perp_primal_raise_compliance(&s->rows, share);
      if (!follow_shift(s, FEW, most_polish, &reached))
        return;
    }
  }
  if (follow_shift(s, MANY, most_polish, &reached))
    perp_run_claim(s->run, PERP_STAGNATED);
}

/* Copies the bounds for the response; the bounds of friction rows are factors of the normal. */
static void take_bounds(perp_primal *s)
{
  for (int i = 0; i < s->n; i++) {
    const bool cone = i < 3 * s->K->cones;
    s->lo[i] = cone ? 0 : perp_set_lo(s->K, i);
    s->hi[i] = cone ? INFINITY : perp_set_hi(s->K, i);
  }
}

static perp_error take_vectors(perp_primal *s)
{
  perp_run *run = s->run;
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  const size_t room = s->coupled ? (size_t)perp_gmres_work(s->m, RESTART) : m;
  if (!PERP_TAKE_REALS(run->arena, n, &s->lo, &s->hi, &s->z, &s->y, &s->q, &s->dx, &s->slope,
                       &s->backup, &s->good) ||
      !PERP_TAKE_REALS(run->arena, m, &s->u, &s->d) ||
      !PERP_TAKE(run->arena, PERP_ARRAY(s->krylov, room)) ||
      !PERP_TAKE_ZERO(run->arena, PERP_ARRAY(s->shift, n), PERP_ARRAY(s->state, n)) ||
      !perp_primal_curvature_create(run, &s->rows, &s->D))
    return perp_run_no_memory(run);
  take_bounds(s);
  return PERP_OK;
}

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  const primal_parameters *par = params;
  const perp_form form = perp_set_form(&p->K);
  perp_primal s = {.run = run,
                   .K = &p->K,
                   .n = p->K.n,
                   .x = x,
                   .coupled = form == PERP_FORM_FINDEX || form == PERP_FORM_CONE};
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
      (s.coupled ? solve_friction : solve_convex)(&s, par->polish);
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
    .takes = PERP_TAKES_ALL,
    .needs = PERP_CAN_APPLY | PERP_CAN_VELOCITIES,
    .iteration = "u <- u - t (I + G^T D G)^-1 (u - G^T x(u)), x(u) = P_K(-C^-1 (G u + b))",
    .works = "contact operators with compliance, C > 0 diagonal; friction mostly",
    .max_iterations = 5000,
    PERP_SOLVES_WITH(primal_parameters),
};
