/* set.c: the set K: its form, its bounds, projection onto it */
#include "set/set.h"

#include "base/elementary.h"
#include "device/team.h"
#include "linalg/dot.h"

#include <math.h>

#include "set/cone.h"

bool perp_set_is_plain(const perp_set *K)
{
  const double *lo = K->lo, *hi = K->hi;
  const perp_two zero = {0}, most = {PERP_INFINITE, PERP_INFINITE};
  int i = 0;
  perp_two_bits amiss = {0};
  for (; i + 2 <= K->n && !perp_two_any(amiss); i += 2) {
    if (lo)
      amiss |= (perp_two_bits)(perp_two_at(lo + i) != zero);
    if (hi)
      amiss |= ~(perp_two_bits)(perp_two_at(hi + i) >= most);
  }
  bool plain = !perp_two_any(amiss);
  for (; plain && i < K->n; i++)
    plain = (!lo || lo[i] == 0) && (!hi || hi[i] >= PERP_INFINITE);
  return plain;
}

perp_form perp_set_form(const perp_set *K)
{
  if (K->cones > 0)
    return PERP_FORM_CONE;
  if (K->findex)
    for (int i = 0; i < K->n; i++)
      if (K->findex[i] >= 0)
        return PERP_FORM_FINDEX;
  if (perp_set_is_plain(K))
    return PERP_FORM_LCP;
  perp_form form = PERP_FORM_LCP;
  for (int i = 0; i < K->n; i++) {
    const double lo = perp_set_lo(K, i), hi = perp_set_hi(K, i);
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
  static const char *const names[] = {"lcp", "mixed", "boxed", "findex", "cone"};
  return form <= PERP_FORM_CONE ? names[form] : "unknown";
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

/* Friction rows come last: their bounds may depend on normals that were just projected. */
void perp_set_project(const perp_set *K, const double *x, double *z)
{
  for (int c = 0; c < K->cones; c++)
    perp_set_project_cone(K->mu[c], z + perp_set_cone_row(K, c));
  for (perp_rows r = perp_rows_outside_cones(K); r.i < K->n; perp_rows_next(&r))
    if (!perp_set_is_friction(K, r.i))
      z[r.i] = perp_clamp(z[r.i], perp_set_lo(K, r.i), perp_set_hi(K, r.i));
  if (!K->findex)
    return;
  for (perp_rows r = perp_rows_outside_cones(K); r.i < K->n; perp_rows_next(&r))
    if (K->findex[r.i] >= 0) {
      double lo, hi;
      perp_row_bounds(K, x, r.i, &lo, &hi);
      z[r.i] = perp_clamp(z[r.i], lo, hi);
    }
}
