/* ipm_ray.c: programs without solution
 *
 * If there is no feasible point, v grows, and v / |v| tends to a ray with E^T v = 0 and
 * sup { v^T t : L <= t <= U } < 0. If the objective falls without end, x grows, and x / |x| tends to a
 * d with P d = 0, q^T d < 0, and E d in the recession cone of the bounds. Either proves the outcome if
 * it holds exactly, which prove.c and vertex.c test. */
#include "model/qp/ipm.h"

#include "linalg/exact_lp.h"

/* Returns the error of the multipliers of G x as a proof that there is no feasible point. They are in
 * dv; other parts of the program than the one without such a point have zeros. */
static double infeasible_error(perp_qp_interior *p)
{
  const perp_qp_scaled *d = &p->s->scaled;
  const perp_inequalities all = {.n = p->n,
                                 .m = p->all - p->n,
                                 .start = d->G.start,
                                 .column = d->G.column,
                                 .value = d->G.value,
                                 .L = d->L,
                                 .U = d->U};
  double *z = p->dv + p->n;
  for (int k = p->n; k < p->all; k++)
    p->dv[k] = multiplier(p, k);
  return perp_norm_inf(all.m, z) > 1 ? perp_ray_error(&all, z, p->s->part, p->s->step) : INFINITY;
}

/* Returns the error of x as a ray along which the objective falls. If x grows along a face of
 * solutions, q^T x is rounding of large terms: so a slope counts relative to |q| if |q| > 1. */
static double unbounded_error(perp_qp_interior *p)
{
  const perp_qp_scaled *d = &p->s->scaled;
  const double size = perp_norm_inf(p->n, p->x);
  if (!(size > 1e3 * p->start_x))
    return INFINITY;
  const double slope = perp_dot(p->n, d->q, p->x) / size / perp_max(1, perp_norm_inf(p->n, d->q));
  double *g = p->dv; /* free here */
  perp_fill(p->n, 0, g);
  perp_qp_add(&d->P, p->x, g);
  double left = perp_norm_inf(p->n, g);
  perp_qp_extend(&d->G, p->x, g);
  for (int k = 0; k < p->all; k++) {
    if (!isinf(d->U[k]))
      left = perp_max(left, g[k]);
    if (!isinf(d->L[k]))
      left = perp_max(left, -g[k]);
  }
  return slope < 0 ? left / size / perp_min(1, -slope) : INFINITY;
}

/* Tries rays, and the vertex near one that is exact up to rounding, or if nothing else helps: integers
 * of a vertex far from it may take minutes. Returns true if one ends the run. */
bool perp_qp_interior_try_rays(perp_qp_interior *p)
{
  enum { PROOFS = 16 };
  static const double GOOD = 1e-3, LIKELY = 1e-8;
  const double no_end = unbounded_error(p), no_point = p->feasible ? INFINITY : infeasible_error(p);
  const double error = perp_min(no_point, no_end);
  const perp_outcome what = no_point <= no_end ? PERP_INFEASIBLE : PERP_UNBOUNDED;
  if (!(error < GOOD))
    return false;
  if (error < LIKELY && what == PERP_UNBOUNDED)
    p->likely = PERP_UNBOUNDED_RAY;
  else if (error < LIKELY && perp_norm_inf(p->all - p->n, p->dv + p->n) > 1e3 * p->start_v)
    p->likely = PERP_INFEASIBLE_RAY;
  if (p->proofs >= PROOFS || error > 0.1 * p->proof_error)
    return p->proofs >= PROOFS && p->likely != PERP_NOT_RUN;
  p->proofs++;
  p->proof_error = error;
  double *ray = p->s->step[0];
  if (what == PERP_INFEASIBLE) {
    ray = p->s->shown_v;
    for (int k = p->n; k < p->all; k++)
      ray[k] = p->s->D[k] * p->dv[k];
    perp_fill(p->n, 0, ray); /* w = -G^T z */
    perp_qp_add_t(&p->s->G, ray + p->n, ray);
    perp_multiply(p->n, -1, ray);
    perp_qp_postsolve(p->s, ray);
    ray += p->n;
  } else
    for (int i = 0; i < p->n; i++)
      ray[i] = p->s->D[i] * p->x[i];
  return perp_qp_claim_ray(p->run, what, ray) ||
         (what == PERP_INFEASIBLE && (error < LIKELY || p->stalled >= PERP_QP_PATIENCE) &&
          perp_qp_prove_vertex(p->run, ray));
}
