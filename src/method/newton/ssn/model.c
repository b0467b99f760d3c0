/* model.c: the natural map of rows, friction rows and Coulomb cones, and its linearisation
 *
 * Rows. With z_i = x_i - rho_i g_i, a row is inside if lo_i < z_i < hi_i: Phi_i = rho_i g_i; else
 * Phi_i = x_i - lo_i or x_i - hi_i. In a friction row of normal j the bounds are multiples of
 * |P_j(z_j)|: if row j is at a bound it does not change, else, as row j itself says,
 *
 *   (A d)_j = -g_j,  the change of z_j is d_j + rho_j g_j
 *
 * Cones. Rows (n, t), t in the plane, z = x - rho g, u = z_t / |z_t|, v = u turned by a right
 * angle.
 *
 * Alart and Curnier (1991): a half-line and a disc whose radius follows the normal,
 *
 *   Phi_n = x_n - max(z_n, 0),   Phi_t = x_t - P_disc(z_t, mu max(z_n, 0))
 *
 *   z_n <= 0            Phi = x:  d = -x
 *   |z_t| <= mu z_n     Phi = rho g:  A d = -g in the three rows (stick)
 *   else (slide)        Phi_t = x_t - mu z_n u, and with beta = mu z_n / |z_t| < 1
 *
 *     (A d)_n = -g_n                                   (so that the change of z_n is d_n + rho g_n)
 *     u^T d_t = mu d_n + mu rho g_n - u^T Phi_t
 *     (1 - beta) v^T d_t + beta rho v^T (A d)_t = -v^T Phi_t
 *
 * Discs. m friction rows of one normal j bounded by |x_D| <= hi |x_j|, as friction rows: inside, or
 * with u = z_D / |z_D| and an orthonormal basis V of the directions across u, beta = radius / |z_D|,
 *
 *     u^T d_D = +-hi (d_j + rho_j g_j) - u^T Phi_D
 *     (1 - beta) V^T d_D + beta rho V^T (A d)_D = -V^T Phi_D
 *
 * A sliding contact has the unknowns e_1 along (1, mu u) and e_2 along (0, v); x_t is tied to x_n. */

#include "method/newton/ssn/ssn.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/system/active_set.h"

#include <stddef.h>

/* ---- Unknowns ---- */

/* Adds an unknown without entries of L. Returns its number. */
static int add_unknown(perp_ssn_model *m, double shift, double right)
{
  const int k = m->unknowns++;
  for (int t = 0; t < m->L_width; t++)
    m->row[m->L_width * k + t] = -1;
  m->shift[k] = shift;
  m->right[k] = right;
  return k;
}

/* Row i is fixed: d_i = w. */
static void fix_row(perp_ssn_model *m, int i, double w)
{
  for (int q = m->T_width * i; q < m->T_width * (i + 1); q++) {
    m->column[q] = -1;
    m->factor[q] = 0;
  }
  m->w[i] = w;
}

/* Row i is free: d_i = e_k, (A d)_i = -g_i. */
static void free_row(perp_ssn_model *m, int i, double g)
{
  const int k = add_unknown(m, 0, -g);
  m->row[m->L_width * k] = i;
  m->weight[m->L_width * k] = 1;
  fix_row(m, i, 0);
  m->column[m->T_width * i] = k;
  m->factor[m->T_width * i] = 1;
}

/* ---- Cones ---- */

/* The directions of a sliding contact: d = (1, mu u) e_1 + (0, v) e_2 + w. */
static void slide(perp_ssn_model *m, int i, double mu, const double u[2], int first, int second,
                  const double w[3])
{
  const double v[2] = {-u[1], u[0]};
  for (int k = 0; k < 3; k++) {
    const int q = m->T_width * (i + k);
    fix_row(m, i + k, w[k]);
    m->column[q] = first;
    m->factor[q] = k == 0 ? 1 : mu * u[k - 1];
    m->column[q + 1] = k == 0 ? -1 : second;
    m->factor[q + 1] = k == 0 ? 0 : v[k - 1];
  }
}

/* (1 - beta) e_2 + beta rho v^T (A d)_t = -v^T Phi_t, divided by beta rho. */
static int add_turning(perp_ssn_model *m, int i, double beta, const double u[2], const double *phi)
{
  const double v[2] = {-u[1], u[0]}, length = beta * m->rho[i];
  const int k = add_unknown(m, (1 - beta) / length, -(v[0] * phi[1] + v[1] * phi[2]) / length);
  for (int t = 0; t < 2; t++) {
    m->row[m->L_width * k + t] = i + 1 + t;
    m->weight[m->L_width * k + t] = v[t];
  }
  return k;
}

/* Keeps beta away from zero, where the contact loses its radius and e_2 its equation. */
static double away_from_zero(double beta)
{
  return perp_max(beta, 1e-10);
}

static void fix_all(perp_ssn_model *m, int i, const double *x)
{
  for (int k = 0; k < 3; k++) {
    m->phi[i + k] = x[k];
    fix_row(m, i + k, -x[k]);
  }
}

static void free_all(perp_ssn_model *m, int i, const double *g)
{
  for (int k = 0; k < 3; k++)
    free_row(m, i + k, g[k]);
}

static void alart_curnier(perp_ssn_model *m, int i, double mu, const double *x, const double *g,
                          bool linear)
{
  const double rho = m->rho[i];
  const double z[3] = {x[0] - rho * g[0], x[1] - rho * g[1], x[2] - rho * g[2]};
  const double s = perp_hypot(z[1], z[2]), radius = mu * z[0];
  double *phi = m->phi + i;
  if (!(z[0] > 0)) {
    fix_all(m, i, x);
    return;
  }
  phi[0] = rho * g[0];
  if (s <= radius) {
    for (int k = 1; k < 3; k++)
      phi[k] = rho * g[k];
    if (linear)
      free_all(m, i, g);
    return;
  }
  const double u[2] = {z[1] / s, z[2] / s};
  for (int k = 1; k < 3; k++)
    phi[k] = x[k] - radius * u[k - 1];
  if (!linear)
    return;
  const int first = add_unknown(m, 0, -g[0]);
  m->row[m->L_width * first] = i;
  m->weight[m->L_width * first] = 1;
  const int second = add_turning(m, i, away_from_zero(radius / s), u, phi);
  const double behind = mu * rho * g[0] - (u[0] * phi[1] + u[1] * phi[2]);
  slide(m, i, mu, u, first, second, (double[3]){0, u[0] * behind, u[1] * behind});
}

/* ---- Rows ---- */

/* Computes P_j(z_j) of a row with constant bounds. Returns true if it is inside. */
static bool project_row(const perp_ssn_model *m, int j, double x, double g, double *projected)
{
  const double z = x - m->rho[j] * g;
  const double lo = perp_set_lo(&m->p->K, j), hi = perp_set_hi(&m->p->K, j);
  *projected = perp_clamp(z, lo, hi);
  return lo < z && z < hi;
}

static void take_row(perp_ssn_model *m, int i, const double *x, const double *g, bool linear)
{
  double projected;
  if (project_row(m, i, x[i], g[i], &projected)) {
    m->phi[i] = m->rho[i] * g[i];
    if (linear)
      free_row(m, i, g[i]);
  } else {
    m->phi[i] = x[i] - projected;
    if (linear)
      fix_row(m, i, -m->phi[i]);
  }
}

/* Call after its normal. */
static void take_friction(perp_ssn_model *m, int i, const double *x, const double *g, bool linear)
{
  const perp_set *K = &m->p->K;
  const int j = K->findex[i];
  double normal;
  const bool moves = project_row(m, j, x[j], g[j], &normal);
  const double lo = perp_bound_times(perp_set_lo(K, i), fabs(normal));
  const double hi = perp_bound_times(perp_set_hi(K, i), fabs(normal));
  const double z = x[i] - m->rho[i] * g[i];
  if (lo < z && z < hi) {
    m->phi[i] = m->rho[i] * g[i];
    if (linear)
      free_row(m, i, g[i]);
    return;
  }
  const perp_side state = z <= lo ? PERP_SIDE_LO : PERP_SIDE_HI;
  m->phi[i] = x[i] - (state == PERP_SIDE_LO ? lo : hi);
  if (!linear)
    return;
  fix_row(m, i, -m->phi[i]);
  if (!moves)
    return;
  /* d_i = tie (d_j + rho_j g_j) - Phi_i */
  const double tie = perp_side_tie(K, i, state, normal);
  const double ahead = m->rho[j] * g[j];
  m->w[i] += tie * (m->w[j] + ahead);
  for (int k = 0; k < m->T_width; k++) {
    m->column[m->T_width * i + k] = m->column[m->T_width * j + k];
    m->factor[m->T_width * i + k] = tie * m->factor[m->T_width * j + k];
  }
}

/* Call after its normal, a row of one unknown or none. */
static void take_disc(perp_ssn_model *m, int i, const double *x, const double *g, bool linear)
{
  const perp_set *K = &m->p->K;
  const int j = K->findex[i], rows = perp_set_disc(K, i);
  const double mu = perp_set_hi(K, i), rho = m->rho[i];
  double normal, z[PERP_FRICTION_MU], v[PERP_FRICTION_MU];
  const bool moves = project_row(m, j, x[j], g[j], &normal);
  for (int k = 0; k < rows; k++)
    z[k] = x[i + k] - rho * g[i + k];
  const double s = perp_set_norm(rows, z), radius = mu * fabs(normal);
  if (s <= radius) {
    for (int k = 0; k < rows; k++) {
      m->phi[i + k] = rho * g[i + k];
      if (linear)
        free_row(m, i + k, g[i + k]);
    }
    return;
  }
  double along = 0;
  for (int k = 0; k < rows; k++) {
    z[k] /= s; /* u */
    m->phi[i + k] = x[i + k] - radius * z[k];
    along += z[k] * m->phi[i + k];
    if (linear)
      fix_row(m, i + k, -m->phi[i + k]);
  }
  if (!linear || !(radius > 0))
    return;
  const double tie = moves ? (normal < 0 ? -mu : mu) : 0;
  const double ahead = m->rho[j] * g[j];
  const double behind = tie * (m->w[j] + ahead) - along;
  for (int k = 0; k < rows; k++) {
    m->w[i + k] = z[k] * behind;
    m->column[m->T_width * (i + k)] = tie != 0 ? m->column[m->T_width * j] : -1;
    m->factor[m->T_width * (i + k)] = tie * z[k] * m->factor[m->T_width * j];
  }
  /* v: the columns of I - 2 w w^T / w^T w but the first, w = u + sign(u_0) e_0 */
  const double beta = away_from_zero(radius / s), first = z[0] + (z[0] < 0 ? -1 : 1);
  for (int c = 1; c < rows; c++) {
    double turn = 0;
    for (int k = 0; k < rows; k++) {
      v[k] = (k == c) - z[c] * (k == 0 ? first : z[k]) / fabs(first);
      turn += v[k] * m->phi[i + k];
    }
    const int e = add_unknown(m, (1 - beta) / (beta * rho), -turn / (beta * rho));
    for (int k = 0; k < rows; k++) {
      m->row[m->L_width * e + k] = i + k;
      m->weight[m->L_width * e + k] = v[k];
      m->column[m->T_width * (i + k) + c] = e;
      m->factor[m->T_width * (i + k) + c] = v[k];
    }
  }
}

static double take(perp_ssn_model *m, const double *x, const double *g, bool linear)
{
  const perp_set *K = &m->p->K;
  m->unknowns = linear ? 0 : m->unknowns;
  for (int c = 0; c < K->cones; c++)
    alart_curnier(m, 3 * c, m->p->K.mu[c], x + 3 * c, g + 3 * c, linear);
  for (int i = 3 * K->cones; i < m->n; i++)
    if (!perp_set_is_friction(K, i))
      take_row(m, i, x, g, linear);
  for (int i = 3 * K->cones; i < m->n && K->findex; i++)
    if (K->findex[i] >= 0 && perp_set_disc(K, i) == 0)
      take_friction(m, i, x, g, linear);
    else if (perp_set_disc(K, i) > 0)
      take_disc(m, i, x, g, linear);
  double sum = 0;
  for (int i = 0; i < m->n; i++)
    sum += m->phi[i] * m->phi[i] / m->rho[i];
  return sum / 2;
}

double perp_ssn_value(perp_ssn_model *m, const double *x, const double *g)
{
  return take(m, x, g, false);
}

double perp_ssn_linearise(perp_ssn_model *m, const double *x, const double *g)
{
  return take(m, x, g, true);
}

void perp_ssn_expand(const perp_ssn_model *m, const double *e, double *d)
{
  for (int i = 0; i < m->n; i++) {
    d[i] = m->w[i];
    for (int k = m->T_width * i; k < m->T_width * (i + 1); k++)
      if (m->column[k] >= 0)
        d[i] += m->factor[k] * e[m->column[k]];
  }
}

/* rho_i = scale / A_ii, in a cone over the largest of its three diagonal entries. If A_ii is not
 * positive, as in the multipliers of friction pyramids, rho_i is scale over the largest entry of
 * the row. */
static perp_error set_rho(perp_run *run, double scale, double *rho, double *own)
{
  const perp_operator *A = run->problem->A;
  const perp_set *K = &run->problem->K;
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  const int capacity = perp_operator_row_capacity(A);
  int *column;
  double *value, *diagonal;
  if (!PERP_TAKE(run->arena, PERP_ARRAY(column, capacity), PERP_ARRAY(value, capacity),
                 PERP_ARRAY(diagonal, K->n)))
    return perp_run_no_memory(run);
  if (perp_operator_diagonal(A, diagonal, NULL) != PERP_OK)
    perp_fill(K->n, 0, diagonal);
  double largest = 0;
  for (int i = 0; i < K->n; i++) {
    rho[i] = diagonal[i];
    if (!(diagonal[i] > 0) && A->table->row)
      rho[i] = perp_norm_inf(A->table->row(A, i, column, value), value);
    largest = perp_max(largest, rho[i]);
  }
  for (int i = 0; i < K->n; i++)
    if (!(rho[i] > 0 && rho[i] < INFINITY))
      rho[i] = largest > 0 && largest < INFINITY ? largest : 1;
  for (int c = 0; c < K->cones; c++) {
    double *r = rho + 3 * c;
    r[0] = r[1] = r[2] = perp_max(r[0], perp_max(r[1], r[2]));
  }
  for (int i = 0; i < K->n; i++)
    own[i] = scale / rho[i];
  perp_set_share(K, rho, perp_max);
  for (int i = 0; i < K->n; i++)
    rho[i] = scale / rho[i];
  perp_arena_release(run->arena, mark);
  return PERP_OK;
}

perp_error perp_ssn_model_create(perp_run *run, double scale, perp_ssn_model *m)
{
  const size_t n = (size_t)run->problem->K.n;
  const bool discs = perp_set_has_discs(&run->problem->K);
  *m = (perp_ssn_model){.p = run->problem,
                        .n = run->problem->K.n,
                        .T_width = discs ? PERP_FRICTION_MU : 2,
                        .L_width = discs ? PERP_FRICTION_MU : 2};
  const size_t T = n * (size_t)m->T_width, L = n * (size_t)m->L_width;
  if (!PERP_TAKE_REALS(run->arena, n, &m->rho, &m->own, &m->phi, &m->w, &m->shift, &m->right) ||
      !PERP_TAKE(run->arena, PERP_ARRAY(m->column, T), PERP_ARRAY(m->factor, T),
                 PERP_ARRAY(m->row, L), PERP_ARRAY(m->weight, L)))
    return perp_run_no_memory(run);
  return set_rho(run, scale, m->rho, m->own);
}
