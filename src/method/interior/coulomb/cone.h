/* interior/coulomb/cone.h: vectors of the cone { (a_0, a_1, a_2) : a_0 >= |(a_1, a_2)| }
 *
 * Its Jordan product is u o v = (u^T v, u_0 v_t + v_0 u_t), with e = (1, 0, 0) as one. Two vectors a
 * and z inside have one scaling W, symmetric, with W z = W^-1 a = lambda (Nesterov and Todd 1997):
 *
 *   W = eta [ w_0  w_t^T ; w_t  I + w_t w_t^T / (1 + w_0) ],   w_0^2 - |w_t|^2 = 1. */
#pragma once

#include "base/elementary.h"

#include <string.h>

typedef struct perp_scaling {
  double W[9], inverse[9];
  double theta[9]; /* W^-2 */
  double lambda[3];
} perp_scaling;

/* a_0^2 - |a_t|^2 */
static inline double perp_cone_det(const double *a)
{
  const double length = perp_hypot(a[1], a[2]);
  return (a[0] - length) * (a[0] + length);
}

static inline void perp_cone_times(const double *M, const double *v, double *out)
{
  const double u[3] = {v[0], v[1], v[2]};
  for (int i = 0; i < 3; i++)
    out[i] = M[3 * i] * u[0] + M[3 * i + 1] * u[1] + M[3 * i + 2] * u[2];
}

static inline void perp_cone_product(const double *u, const double *v, double *out)
{
  const double first = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const double t = u[0] * v[1] + v[0] * u[1], o = u[0] * v[2] + v[0] * u[2];
  out[0] = first;
  out[1] = t;
  out[2] = o;
}

/* out with l o out = r */
static inline void perp_cone_divide(const double *l, const double *r, double *out)
{
  const double first = (l[0] * r[0] - l[1] * r[1] - l[2] * r[2]) / perp_cone_det(l);
  const double t = (r[1] - first * l[1]) / l[0], o = (r[2] - first * l[2]) / l[0];
  out[0] = first;
  out[1] = t;
  out[2] = o;
}

/* The largest step with a + step d in the cone; a is inside. */
static inline double perp_cone_step(const double *a, const double *d)
{
  const double A = perp_cone_det(d), C = perp_cone_det(a);
  const double B = a[0] * d[0] - a[1] * d[1] - a[2] * d[2], root = B * B - A * C;
  if (A >= 0 && (d[0] >= 0 || !(root >= 0)))
    return INFINITY;
  const double below = sqrt(perp_max(root, 0));
  if (B > 0)
    return A < 0 ? (below + B) / -A : INFINITY;
  return C / (below - B);
}

/* Both inside; false if rounding put one outside. */
static inline bool perp_cone_scale(const double *a, const double *z, perp_scaling *s)
{
  const double det_a = perp_cone_det(a), det_z = perp_cone_det(z);
  if (!(det_a > 0) || !(det_z > 0))
    return false;
  const double size_a = sqrt(det_a), size_z = sqrt(det_z), eta = sqrt(size_a / size_z);
  double product = 0, w[3];
  for (int k = 0; k < 3; k++)
    product += (a[k] / size_a) * (z[k] / size_z);
  const double gamma = 2 * sqrt(perp_max(0.5 * (1 + product), 1));
  for (int k = 0; k < 3; k++)
    w[k] = (a[k] / size_a + (k == 0 ? 1 : -1) * (z[k] / size_z)) / gamma;
  w[0] = sqrt(1 + w[1] * w[1] + w[2] * w[2]);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const double sign = (i == 0) == (j == 0) ? 1 : -1;
      const double q = i == 0 || j == 0 ? w[i > j ? i : j] : (i == j) + w[i] * w[j] / (1 + w[0]);
      s->W[3 * i + j] = eta * q;
      s->inverse[3 * i + j] = sign * q / eta;
      s->theta[3 * i + j] = (2 * sign * w[i] * w[j] + (i != j ? 0 : i == 0 ? -1 : 1)) / (eta * eta);
    }
  perp_cone_times(s->W, z, s->lambda);
  return true;
}
