/* ray.c: what a ray of Lemke's method proves
 *
 * The direction of the ray satisfies w~ = A z~ + d z0~, z~^T w~ = 0. For copositive A
 * 0 <= z~^T A z~ = -z0~ d^T z~, so z0~ = 0; copositive-plus then gives (A + A^T) z~ = 0, hence
 * A^T z~ = -A z~ = -w~ <= 0, and z~ is orthogonal to the end point's w, its z to w~, so
 *
 *   0 = z~^T (A z + b + d z0) = -z^T w~ + z~^T b + z0 d^T z~,   b^T z~ = -z0 d^T z~ < 0
 *
 * u = z~ proves the problem infeasible. Whether A is of that class need not be known: the three
 * inequalities are checked for this u, and the outcome is "infeasible" only if they hold. */
#include "linalg/vector.h"
#include "method/pivoting/lemke/path.h"
#include "set/set.h"

/* u >= 0, A^T u <= 0, b^T u < 0, as the driver will check it. */
static bool is_certificate(perp_run *run, const double *u, double *z)
{
  const perp_problem *p = run->problem;
  if (perp_set_form(&p->K) != PERP_FORM_LCP || !p->A->table->apply_t)
    return false;
  const double product = perp_dot(p->K.n, p->b, u);
  if (!(product < -2e-10 * run->scale * perp_norm_inf(p->K.n, u)))
    return false;
  p->A->table->apply_t(p->A, u, z, &run->work);
  run->count.applies++;
  for (int i = 0; i < p->K.n; i++)
    if (!(z[i] <= -0.5e-10 * product))
      return false;
  return true;
}

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
  if (is_certificate(run, ray, t->basis.product)) {
    perp_run_claim(run, PERP_INFEASIBLE);
    perp_run_say(run, "no solution: the ray u after %lld pivots has u >= 0, A'u <= 0, b'u < 0",
                 (long long)run->count.pivots);
    *claimed = true;
  } else if (last) {
    ray_direction(t, t->basis.column_scale, ray);
    perp_run_claim(run, PERP_RAY);
    perp_run_say(run, "a ray after %lld pivots; it does not prove that there is no solution",
                 (long long)run->count.pivots);
  }
  perp_run_ray(run, ray);
  return PERP_OK;
}
