/* cone.c: the natural maps of a Coulomb cone and their linearisations
 *
 * Rows (n, t), t in the plane, z = x - rho g, u = z_t / |z_t|, v = u turned by a right angle.
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
 * De Saxce and Feng (1998): the projection onto the cone itself of x - rho (g + mu |g_t| e_n),
 *
 *   z in the polar cone   d = -x
 *   z in the cone         A d = -g  (the derivative of g + mu |g_t| e_n is invertible)
 *   else                  P(z) = c (1, mu u),  c = (z_n + mu |z_t|) / (1 + mu^2)
 *
 *     DP = a a^T + beta v v^T,   a = (1, mu u) / sqrt(1 + mu^2),   beta = mu c / |z_t|
 *
 *     and with f = (mu, -u) / sqrt(1 + mu^2), normal to both, h = g_t / |g_t|, H = I + mu e_n h^T:
 *
 *     f^T d = -f^T Phi
 *     rho a^T H A d = -a^T Phi
 *     (1 - beta) v^T d_t + beta rho v^T (A d)_t = -v^T Phi_t
 *
 * In both a sliding contact has the unknowns e_1 along (1, mu u) and e_2 along (0, v); x_t is tied
 * to x_n. At a solution h = -u, a^T H = (1, 0) / sqrt(1 + mu^2), and the two steps are the same. */
#include "base/elementary.h"
#include "method/newton/ssn/model.h"

/* The directions of a sliding contact: d = (1, mu u) e_1 + (0, v) e_2 + w. */
static void slide(perp_ssn_model *m, int i, double mu, const double u[2], int first, int second,
                  const double w[3])
{
  const double v[2] = {-u[1], u[0]};
  for (int k = 0; k < 3; k++) {
    m->column[2 * (i + k)] = first;
    m->factor[2 * (i + k)] = k == 0 ? 1 : mu * u[k - 1];
    m->column[2 * (i + k) + 1] = k == 0 ? -1 : second;
    m->factor[2 * (i + k) + 1] = k == 0 ? 0 : v[k - 1];
    m->w[i + k] = w[k];
  }
}

/* (1 - beta) e_2 + beta rho v^T (A d)_t = -v^T Phi_t, divided by beta rho. */
static int add_turning(perp_ssn_model *m, int i, double beta, const double u[2], const double *phi)
{
  const double v[2] = {-u[1], u[0]}, length = beta * m->rho[i];
  const int k = perp_ssn_unknown(m, (1 - beta) / length, -(v[0] * phi[1] + v[1] * phi[2]) / length);
  for (int t = 0; t < 2; t++) {
    m->row[3 * k + t] = i + 1 + t;
    m->weight[3 * k + t] = v[t];
  }
  return k;
}

/* beta is kept off zero: there the contact loses its radius, and e_2 its equation. */
static double away_from_zero(double beta)
{
  return perp_max(beta, 1e-10);
}

static void fix_all(perp_ssn_model *m, int i, const double *x)
{
  for (int k = 0; k < 3; k++) {
    m->phi[i + k] = x[k];
    perp_ssn_fix(m, i + k, -x[k]);
  }
}

static void free_all(perp_ssn_model *m, int i, const double *g)
{
  for (int k = 0; k < 3; k++)
    perp_ssn_free(m, i + k, g[k]);
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
  const int first = perp_ssn_unknown(m, 0, -g[0]);
  m->row[3 * first] = i;
  m->weight[3 * first] = 1;
  const int second = add_turning(m, i, away_from_zero(radius / s), u, phi);
  const double behind = mu * rho * g[0] - (u[0] * phi[1] + u[1] * phi[2]);
  slide(m, i, mu, u, first, second, (double[3]){0, u[0] * behind, u[1] * behind});
}

static void natural(perp_ssn_model *m, int i, double mu, const double *x, const double *g,
                    bool linear)
{
  const double rho = m->rho[i], slip = perp_hypot(g[1], g[2]);
  const double z[3] = {x[0] - rho * (g[0] + mu * slip), x[1] - rho * g[1], x[2] - rho * g[2]};
  const double s = perp_hypot(z[1], z[2]);
  double *phi = m->phi + i;
  if (mu * s <= -z[0]) {
    fix_all(m, i, x);
    return;
  }
  if (s <= mu * z[0]) {
    phi[0] = rho * (g[0] + mu * slip);
    for (int k = 1; k < 3; k++)
      phi[k] = rho * g[k];
    if (linear)
      free_all(m, i, g);
    return;
  }
  const double u[2] = {z[1] / s, z[2] / s};
  const double c = (z[0] + mu * s) / (1 + mu * mu), radius = mu * c;
  phi[0] = x[0] - c;
  for (int k = 1; k < 3; k++)
    phi[k] = x[k] - radius * u[k - 1];
  if (!linear)
    return;

  /* rho (1, mu (h + u))^T A d = -(1, mu u)^T Phi: a^T H, both sides times sqrt(1 + mu^2) */
  const double along = phi[0] + mu * (u[0] * phi[1] + u[1] * phi[2]);
  const int first = perp_ssn_unknown(m, 0, -along / rho);
  for (int k = 0; k < 3; k++) {
    const double h = k > 0 && slip > 0 ? g[k] / slip : 0;
    m->row[3 * first + k] = i + k;
    m->weight[3 * first + k] = k == 0 ? 1 : mu * (h + u[k - 1]);
  }
  const int second = add_turning(m, i, away_from_zero(radius / s), u, phi);
  /* w = -f f^T Phi */
  const double across = (mu * phi[0] - (u[0] * phi[1] + u[1] * phi[2])) / (1 + mu * mu);
  slide(m, i, mu, u, first, second, (double[3]){-mu * across, u[0] * across, u[1] * across});
}

void perp_ssn_cone(perp_ssn_model *m, int c, const double *x, const double *g, bool linear)
{
  const int i = 3 * c;
  if (m->map == PERP_SSN_NATURAL)
    natural(m, i, m->p->K.mu[c], x + i, g + i, linear);
  else
    alart_curnier(m, i, m->p->K.mu[c], x + i, g + i, linear);
}
