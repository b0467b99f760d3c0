/* ray.c: what a ray of Lemke's method proves
 *
 * The direction of the ray satisfies w~ = A z~ + d z0~, z~^T w~ = 0. For copositive A
 * 0 <= z~^T A z~ = -z0~ d^T z~, so z0~ = 0; copositive-plus then gives (A + A^T) z~ = 0, hence
 * A^T z~ = -A z~ = -w~ <= 0, and z~ is orthogonal to the end point's w, its z to w~, so
 *
 *   0 = z~^T (A z + b + d z0) = -z^T w~ + z~^T b + z0 d^T z~,   b^T z~ = -z0 d^T z~ < 0
 *
 * u = z~ proves the problem infeasible. Whether A is of that class need not be known: the three
 * inequalities are checked exactly for this u, and the outcome is "infeasible" only if they hold. */
#include "linalg/vector.h"
#include "method/pivoting/lemke/path.h"
#include "method/run/certificate.h"

/* z~ of the ray in the units of `scale`, largest entry 1; all but free ones at least 0. */
static void ray_direction(const perp_lemke_path *t, const double *scale, double *ray)
{
  const perp_lemke *s = &t->basis;
  perp_fill(s->n, 0, ray);
  for (int c = 0; c < s->m; c++)
    if (s->columns[c] < s->n)
      ray[s->columns[c]] = -s->v[c];
  if (!t->entering_w)
    ray[t->entering] = 1;
  const double noise = 1e-13 * perp_norm_inf(s->n, ray);
  for (int i = 0; i < s->n; i++)
    ray[i] = t->is_free[i] || ray[i] > noise ? ray[i] * scale[i] : 0;
  const double largest = perp_norm_inf(s->n, ray);
  if (largest > 0)
    perp_multiply(s->n, 1 / largest, ray);
}

perp_error perp_lemke_judge_ray(perp_lemke_path *t, bool last, bool *claimed)
{
  perp_run *run = t->basis.run;
  double *ray = perp_run_reals(run, (size_t)t->basis.n);
  if (!ray)
    return perp_run_no_memory(run);
  ray_direction(t, t->basis.row_scale, ray);
  *claimed = last;
  if (perp_certificate_claim(run, ray)) {
    perp_run_say(run, "no solution: the ray after %lld pivots proves it exactly",
                 (long long)run->count.pivots);
    *claimed = true;
    return PERP_OK;
  }
  if (last) {
    ray_direction(t, t->basis.column_scale, ray);
    perp_run_claim(run, PERP_RAY);
    perp_run_say(run, "a ray after %lld pivots; it does not prove that there is no solution",
                 (long long)run->count.pivots);
  }
  perp_run_ray(run, ray);
  return PERP_OK;
}
