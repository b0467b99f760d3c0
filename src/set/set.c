/* set.c: the set K: its form, its bounds, projection onto it */
#include "set/set.h"

#include "base/elementary.h"
#include "set/cone.h"

#include <math.h>

bool perp_set_is_plain(const perp_set *K)
{
  bool plain = true;
  for (int i = 0; plain && K->lo && i < K->n; i++)
    plain = K->lo[i] == 0;
  for (int i = 0; plain && K->hi && i < K->n; i++)
    plain = K->hi[i] >= PERP_INFINITE;
  return plain;
}

/* Returns the simplest form that describes the contacts. */
static perp_form contact_form(const perp_set *K)
{
  perp_form form = PERP_FORM_LCP;
  for (int c = 0; c < K->cones; c++) {
    const perp_friction f = perp_set_friction(K, c);
    int axes[PERP_FRICTION_GROUPS] = {0}, all = 0, fixed = 0, widest = 0;
    for (int k = 1; k < f.rows; k++) {
      const int g = f.group[k];
      fixed += g < 0;
      all += g >= 0;
      if (g >= 0 && ++axes[g] > widest)
        widest = axes[g];
    }
    const perp_form own = widest > 2 || (widest == 2 && all > 2) ? PERP_FORM_CONTACT
                          : widest == 2                          ? PERP_FORM_CONE
                          : widest == 1                          ? PERP_FORM_FINDEX
                          : fixed > 0                            ? PERP_FORM_BOXED
                                                                 : PERP_FORM_LCP;
    form = own > form ? own : form;
  }
  return form;
}

perp_form perp_set_form(const perp_set *K)
{
  perp_form form = perp_set_has_discs(K) ? PERP_FORM_CONTACT
                   : K->cones == 0       ? PERP_FORM_LCP
                   : K->dim              ? contact_form(K)
                                         : PERP_FORM_CONE;
  if (form >= PERP_FORM_CONE)
    return form;
  for (int i = 0; K->findex && i < K->n; i++)
    if (K->findex[i] >= 0)
      return PERP_FORM_FINDEX;
  if (form != PERP_FORM_LCP || perp_set_is_plain(K))
    return form;
  for (perp_rows r = perp_rows_outside_cones(K); r.i < K->n; perp_rows_next(&r)) {
    const double lo = perp_set_lo(K, r.i), hi = perp_set_hi(K, r.i);
    if (lo == 0 && hi == INFINITY)
      continue;
    if (lo != -INFINITY || hi != INFINITY)
      return PERP_FORM_BOXED;
    form = PERP_FORM_MIXED;
  }
  return form;
}

const char *perp_form_name(perp_form form)
{
  static const char *const names[] = {"lcp", "mixed", "boxed", "findex", "cone", "contact"};
  return form <= PERP_FORM_CONTACT ? names[form] : "unknown";
}

void perp_set_bounds(const perp_set *K, const double *x, int i, double *lo, double *hi)
{
  perp_row_bounds(K, x, i, lo, hi);
}

/* Projects z onto the cone s <= mu z_n, s = |(z_t, z_o)|: z itself inside, 0 inside the polar cone
 * mu s <= -z_n, else the foot on the ray (1, mu) of the half-plane through z:
 *
 *   c = (z_n + mu s) / (1 + mu^2),   (c, mu c z_t / s, mu c z_o / s) */
void perp_set_project_cone(double mu, double z[3])
{
  perp_cone_project(mu, z);
}

static void project_cone(const perp_set *K, int c, double *z)
{
  if (!K->dim) {
    perp_set_project_cone(K->mu[c], z);
    return;
  }
  const perp_friction f = perp_set_friction(K, c);
  perp_friction_project(&f, z);
}

double perp_set_cone_shift(const perp_set *K, const perp_cone *k, const double *y)
{
  if (!K->dim)
    return K->mu[k->c] * perp_hypot(y[1], y[2]);
  const perp_friction f = perp_set_friction(K, k->c);
  return perp_friction_shift(&f, y);
}

void perp_set_cone_map(const perp_set *K, const perp_cone *k, const double *x, const double *y,
                       double *r)
{
  for (int i = 0; i < k->rows; i++)
    r[i] = x[i] - y[i];
  r[0] -= perp_set_cone_shift(K, k, y);
  project_cone(K, k->c, r);
  for (int i = 0; i < k->rows; i++)
    r[i] = x[i] - r[i];
}

void perp_set_map(const perp_set *K, const double *x, const double *y, double *r)
{
  for (int i = 0; i < K->n; i++)
    r[i] = x[i] - y[i];
  for (perp_cone k = perp_set_cones(K); k.c < K->cones; perp_cone_next(K, &k))
    r[k.row] -= perp_set_cone_shift(K, &k, y + k.row);
  perp_set_project(K, x, r);
  for (int i = 0; i < K->n; i++)
    r[i] = x[i] - r[i];
}

int perp_set_cone(const perp_set *K, int i, int *first)
{
  const int c = perp_set_cone_of(K, i);
  if (first)
    *first = c < 0 ? -1 : perp_set_cone_row(K, c);
  return c;
}

void perp_set_share(const perp_set *K, double *v, double (*choose)(double, double))
{
  for (int i = 0; perp_set_has_discs(K) && i < K->n; i++) {
    const int rows = perp_set_disc(K, i);
    for (int k = 1; k < rows; k++)
      v[i] = choose(v[i], v[i + k]);
    for (int k = 1; k < rows; k++)
      v[i + k] = v[i];
  }
}

double perp_set_norm(int count, const double *z)
{
  double norm = count > 0 ? fabs(z[0]) : 0;
  for (int k = 1; k < count; k++)
    norm = perp_hypot(norm, z[k]);
  return norm;
}

/* With a multiplier lambda of |p|^2 <= radius^2 the foot has p_k = w_k z_k / (w_k + lambda): the point
 * of an ellipse whose axes are mu_k = sqrt(w_k) that is nearest to mu_k z_k (verdict/friction.h), so
 * the same Newton iteration finds lambda. Lengths are measured in |z|. */
void perp_set_project_disc(int count, double radius, const double *w, double *z)
{
  const double norm = perp_set_norm(count, z);
  if (!(norm > radius))
    return;
  double most = 0, least = INFINITY, slope;
  for (int k = 0; w && k < count; k++) {
    most = perp_max(most, w[k]);
    least = perp_min(least, w[k]);
  }
  if (!(least < most) || !(radius > 1e-100 * norm)) {
    for (int k = 0; k < count; k++)
      z[k] = radius * (z[k] / norm);
    return;
  }
  perp_friction f = {.rows = count + 1, .first = {1}, .end = {count + 1}};
  double v[PERP_FRICTION_ROWS] = {0};
  for (int k = 0; k < count; k++) {
    f.mu[k + 1] = sqrt(w[k] / most);
    v[k + 1] = f.mu[k + 1] * (z[k] / norm);
  }
  const double lambda = perp_friction_multiplier(&f, 0, v, radius / norm, &slope);
  for (int k = 0; k < count; k++)
    z[k] *= w[k] / (w[k] + most * lambda);
}

void perp_set_disc_map(int count, double radius, const double *x, const double *y, double *r)
{
  for (int k = 0; k < count; k++)
    r[k] = x[k] - y[k];
  const double norm = perp_set_norm(count, r);
  for (int k = 0; k < count; k++)
    r[k] = norm > radius ? x[k] - radius * (r[k] / norm) : y[k];
}

/* Friction rows come last: their bounds may depend on normals that were just projected. */
void perp_set_project_in(const perp_set *K, const double *w, const double *x, double *z)
{
  for (perp_cone k = perp_set_cones(K); k.c < K->cones; perp_cone_next(K, &k))
    project_cone(K, k.c, z + k.row);
  for (perp_rows r = perp_rows_outside_cones(K); r.i < K->n; perp_rows_next(&r))
    if (!perp_set_is_friction(K, r.i))
      z[r.i] = perp_clamp(z[r.i], perp_set_lo(K, r.i), perp_set_hi(K, r.i));
  if (!K->findex)
    return;
  for (perp_rows r = perp_rows_outside_cones(K); r.i < K->n; perp_rows_next(&r))
    if (K->findex[r.i] >= 0 && perp_set_disc(K, r.i) >= 0) {
      const int rows = perp_set_disc(K, r.i);
      double lo, hi;
      perp_row_bounds(K, x, r.i, &lo, &hi);
      if (rows > 0)
        perp_set_project_disc(rows, hi, w ? w + r.i : NULL, z + r.i);
      else
        z[r.i] = perp_clamp(z[r.i], lo, hi);
    }
}

void perp_set_project(const perp_set *K, const double *x, double *z)
{
  perp_set_project_in(K, NULL, x, z);
}
