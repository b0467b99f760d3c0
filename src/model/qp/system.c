/* system.c: the linear system of a step, with a proximal term and refinement
 *
 *   K = ( P + diag(sigma_x)   G^T              )
 *       ( G                   -diag(1/sigma_g) )
 *
 * may be singular: P has directions without curvature, equations depend on each other. The factor is
 * that of K + diag(delta, -delta), which is quasi-definite, and what delta changes is taken back by
 * steps of refinement on K itself:
 *
 *   d <- d + (K + delta)^-1 (r - K d)
 *
 * This is the proximal point iteration of the quadratic program with these sigma (Rockafellar 1976):
 * it converges whenever K d = r has a solution, to one of them. */
#include "model/qp/qp.h"

#include "linalg/vector.h"

#include <float.h>

bool perp_qp_system_factorise(perp_qp_run *run)
{
  perp_qp_solver *s = run->solver;
  const int n = s->n;
  const double delta = s->delta;
  for (int i = 0; i < n; i++)
    s->weight[i] = s->scaled.diagonal[i] + s->sigma[i] + delta;
  for (int k = n; k < n + s->m; k++)
    s->weight[k] = s->sigma[k] > 0 ? -(1 / s->sigma[k] + delta) : -INFINITY;
  const perp_alarm alarm = perp_qp_run_alarm(run);
  run->factorisations++;
  s->factored = false;
  return perp_qp_factorise(s->factor, s->weight, s->sign, 1e-3 * delta, delta, &alarm, NULL) >= 0;
}

/* y <- r - K d */
static double residual(const perp_qp_solver *s, const double *r, const double *d, double *y)
{
  const int n = s->n, all = n + s->m;
  double *g = y + n;
  perp_fill(all, 0, y);
  perp_qp_add(&s->scaled.P, d, y);
  perp_qp_add_t(&s->scaled.G, d + n, y);
  perp_qp_add(&s->scaled.G, d, g);
  for (int i = 0; i < n; i++)
    y[i] = isinf(s->sigma[i]) ? 0 : r[i] - (y[i] + s->sigma[i] * d[i]);
  for (int k = n; k < all; k++)
    y[k] = s->sigma[k] > 0 ? r[k] - (y[k] - d[k] / s->sigma[k]) : 0;
  return perp_norm_inf(all, y);
}

double perp_qp_system_solve(perp_qp_run *run, double *r, int most)
{
  perp_qp_solver *s = run->solver;
  const int all = s->n + s->m;
  double *d = s->step[0], *y = s->step[1], *trial = s->step[2];
  const double size = perp_norm_inf(all, r);
  if (!(size > 0))
    return size == 0 ? 0 : INFINITY;
  perp_copy(all, r, d);
  perp_qp_factor_solve(s->factor, d);
  run->solves++;
  double left = residual(s, r, d, y);
  for (int k = 0; k < most && left > 16 * DBL_EPSILON * size; k++) {
    perp_qp_factor_solve(s->factor, y);
    run->solves++;
    for (int i = 0; i < all; i++)
      trial[i] = d[i] + y[i];
    const double next = residual(s, r, trial, y);
    if (!(next < left))
      break;
    perp_copy(all, trial, d);
    const bool slow = next > 0.5 * left;
    left = next;
    if (slow)
      break;
  }
  perp_copy(all, d, r);
  return left / size;
}
