/* model.c: rows with bounds, and friction rows whose bounds move with their normal; see
 * model.h
 *
 * With z_i = x_i - rho_i g_i, a row is inside if lo_i < z_i < hi_i: Phi_i = rho_i g_i; else
 * Phi_i = x_i - lo_i or x_i - hi_i. In a friction row of normal j the bounds are multiples of
 *
 *   |x_j|                 natural: their derivative is lo_i sign(x_j) d_j
 *   |P_j(z_j)|            alart-curnier: 0 if row j is at a bound, else, as row j itself says
 *                         (A d)_j = -g_j,  the change of z_j is d_j + rho_j g_j */
#include "method/newton/ssn/model.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "method/system/active_set.h"

#include <stddef.h>

/* P_j(z_j) of a row with bounds of its own; whether it is inside. */
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
      perp_ssn_free(m, i, g[i]);
  } else {
    m->phi[i] = x[i] - projected;
    if (linear)
      perp_ssn_fix(m, i, -m->phi[i]);
  }
}

/* After its normal. */
static void take_friction(perp_ssn_model *m, int i, const double *x, const double *g, bool linear)
{
  const perp_set *K = &m->p->K;
  const int j = K->findex[i];
  double normal = x[j];
  const bool moves = m->map == PERP_SSN_NATURAL || project_row(m, j, x[j], g[j], &normal);
  const double lo = perp_bound_times(perp_set_lo(K, i), fabs(normal));
  const double hi = perp_bound_times(perp_set_hi(K, i), fabs(normal));
  const double z = x[i] - m->rho[i] * g[i];
  if (lo < z && z < hi) {
    m->phi[i] = m->rho[i] * g[i];
    if (linear)
      perp_ssn_free(m, i, g[i]);
    return;
  }
  const perp_side state = z <= lo ? PERP_SIDE_LO : PERP_SIDE_HI;
  m->phi[i] = x[i] - (state == PERP_SIDE_LO ? lo : hi);
  if (!linear)
    return;
  perp_ssn_fix(m, i, -m->phi[i]);
  if (!moves)
    return;
  /* d_i = tie (d_j + rho_j g_j) - Phi_i */
  const double tie = perp_side_tie(K, i, state, normal);
  const double ahead = m->map == PERP_SSN_NATURAL ? 0 : m->rho[j] * g[j];
  m->w[i] += tie * (m->w[j] + ahead);
  for (int k = 0; k < 2; k++) {
    m->column[2 * i + k] = m->column[2 * j + k];
    m->factor[2 * i + k] = tie * m->factor[2 * j + k];
  }
}

static double take(perp_ssn_model *m, const double *x, const double *g, bool linear)
{
  const perp_set *K = &m->p->K;
  m->unknowns = linear ? 0 : m->unknowns;
  for (int c = 0; c < K->cones; c++)
    perp_ssn_cone(m, c, x, g, linear);
  for (int i = 3 * K->cones; i < m->n; i++)
    if (!perp_set_is_friction(K, i))
      take_row(m, i, x, g, linear);
  for (int i = 3 * K->cones; i < m->n && K->findex; i++)
    if (K->findex[i] >= 0)
      take_friction(m, i, x, g, linear);
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
    for (int k = 2 * i; k < 2 * i + 2; k++)
      if (m->column[k] >= 0)
        d[i] += m->factor[k] * e[m->column[k]];
  }
}

/* rho_i = scale / A_ii, in a cone over the largest of its three; if A_ii is not positive, as in
 * the multipliers of friction pyramids, over the largest entry of the row. */
static perp_error set_rho(perp_run *run, double scale, double *rho)
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
    rho[i] = scale / rho[i];
  perp_arena_release(run->arena, mark);
  return PERP_OK;
}

perp_error perp_ssn_model_create(perp_run *run, perp_ssn_map map, double scale, perp_ssn_model *m)
{
  const size_t n = (size_t)run->problem->K.n;
  *m = (perp_ssn_model){.p = run->problem, .map = map, .n = run->problem->K.n};
  if (!PERP_TAKE_REALS(run->arena, n, &m->rho, &m->phi, &m->w, &m->shift, &m->right) ||
      !PERP_TAKE(run->arena, PERP_ARRAY(m->column, 2 * n), PERP_ARRAY(m->factor, 2 * n),
                 PERP_ARRAY(m->row, 3 * n), PERP_ARRAY(m->weight, 3 * n)))
    return perp_run_no_memory(run);
  return set_rho(run, scale, m->rho);
}
