/* polish.c: Newton steps on the natural map in x, through the factor in velocities
 *
 * x(z) = -z / C loses what C is smaller than A by: z has the rounding of A x. A step in x has not.
 * With u = G^T x, z = G u + b, y = z + C x, the natural map x = P_K(x - theta y) linearises row by
 * row to
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
 * E holds what is due to slope and mu. Eliminating dx leaves
 *
 *   (I + G^T (D + E) G) du = G^T dx0:
 *
 * for E = 0 the Hessian of the convex problem, else GMRES with its factor as preconditioner. Near a
 * solution dx0 is small, so the rounding of the step is small against it, and repeated steps are
 * an iterative refinement: each gains about log10(C / A) + 16 digits. */
#include "base/elementary.h"
#include "linalg/krylov.h"
#include "linalg/vector.h"
#include "method/newton/primal/primal.h"
#include "method/system/active_set.h"

static const double LEAST_STEP = 1.0 / 32;

void perp_primal_refresh(perp_primal *s)
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

/* (x - P_K(x - theta y)) / theta, squared and summed: velocities, whatever the masses. */
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

/* dx0 without the share of the normals, D, and the slope of the bound that holds. */
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

/* What follows the normals: v_i += slope_i v_normal, v_t += tau mu v_n. */
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
      .limit = 4 * PERP_PRIMAL_RESTART,
  };
  perp_copy(s->m, s->d, rhs);
  perp_fill(s->m, 0, s->d);
  const perp_krylov_end end = perp_gmres(&k, PERP_PRIMAL_RESTART, rhs, s->d, s->krylov);
  return end.residual <= 0.1 * perp_norm2(s->m, rhs);
}

bool perp_primal_polish(perp_primal *s)
{
  perp_fill(s->rows.units, 0, s->D.weight); /* what moves with a normal is in E */
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
  double *start = s->q; /* free now */
  perp_copy(s->n, s->x, start);
  for (double step = 1; step >= LEAST_STEP; step *= 0.5) {
    for (int i = 0; i < s->n; i++)
      s->x[i] = start[i] + step * s->dx[i];
    perp_set_project(s->K, s->x, s->x);
    perp_primal_refresh(s);
    if (merit(s) <= (1 - 0.1 * step) * before)
      return true;
  }
  return false;
}
