/* apgd_kernel.h: kernels of accelerated projected gradients over contacts of rigid bodies
 *
 *   v  = x + beta (x - x_before),   y_v = y + beta (y - y_before)
 *   w  = P(v - (y_v + s) / (L D)),  y_w = A w + b
 *
 * with the frame of method/gradient/convex.h: each contact holds a number `held`, so that friction
 * bounds are mu held, or held is the shift s of a cone. w replaces x_before. One lane has one
 * contact; A w applies impulses to the bodies, colour by colour, and then reads the velocities at
 * each contact. Bytes of an iteration: 2 x 120 for the directions and arms of a contact, 24 each
 * for rows of D and b, 18 vectors of 24; the bodies as in a sweep. */
#pragma once

#include "operator/contact/rigid_kernel.h"

typedef enum perp_descent_op {
  PERP_DESCENT_AHEAD, /* direction <- ahead of x; before <- the projected step from there */
  PERP_DESCENT_AGAIN, /* the step only, with another L */
  PERP_DESCENT_WEIGH, /* y, sums and maxima of `before`, whose velocities are in v */
} perp_descent_op;

/* Results of WEIGH for w = before, v = direction and x; sums come first. `part` has PARTS of
 * each. */
enum {
  PERP_DESCENT_BEND,                       /* (w - v)^T A (w - v) */
  PERP_DESCENT_LENGTH,                     /* |w - v|_D^2 */
  PERP_DESCENT_UPHILL,                     /* (v - w)^T D (w - x) */
  PERP_DESCENT_SUMS,                       /* the others are maxima */
  PERP_DESCENT_WITHIN = PERP_DESCENT_SUMS, /* the residual of w with the frame fixed */
  PERP_DESCENT_LAG,                        /* of the frame behind w */
  PERP_DESCENT_RESIDUAL,                   /* of the problem */
  PERP_DESCENT_VALUES,
};

typedef struct perp_descent {
  perp_rigids rigids;
  double *y, *y_before, *y_direction; /* A z + b of x and of the vectors named */
  double *held;                       /* by contact: |x_0| of friction, s of a cone */
  double L, beta;
  double move; /* fraction of the way that the frame moves to x and y before the step */
} perp_descent;

extern const perp_kernel perp_kernel_descent; /* a perp_descent_op of perp_descent */

/* Loads the numbers of contact c. */
TEAM void perp_descent_load(const perp_rigids *s, const double *from, int64_t c, double to[3])
{
  TEAM_ALL
  for (int t = 0; t < 3; t++)
    to[t] = from[t * s->pitch + c];
}

TEAM void perp_descent_store(const perp_rigids *s, double *to, int64_t c, const double from[3])
{
  TEAM_ALL
  for (int t = 0; t < 3; t++)
    to[t * s->pitch + c] = from[t];
}

/* D of contact c; in a cone the largest of its three entries. */
TEAM void perp_descent_metric(const perp_descent *d, int64_t c, int part, double D[3])
{
  const perp_rigids *s = &d->rigids;
  TEAM_ALL
  for (int t = 0; t < 3; t++)
    D[t] = 1 / s->numbers[(PERP_RIGID_STEP + t) * s->pitch + c];
  if (part == PERP_RIGIDS_CONE)
    D[0] = D[1] = D[2] = perp_value_greater(D[0], perp_value_greater(D[1], D[2]));
}

TEAM bool perp_descent_moves(int part)
{
  return part == PERP_RIGIDS_FRICTION || part == PERP_RIGIDS_CONE;
}

/* Returns the number that the frame should hold at x and y. */
TEAM double perp_descent_target(int part, double mu, const double x[3], const double y[3])
{
  return part == PERP_RIGIDS_CONE ? mu * perp_team_hypot(y[1], y[2]) : fabs(x[0]);
}

TEAM void perp_descent_project(int part, const double *bound, double held, double z[3])
{
  if (part == PERP_RIGIDS_CONE) {
    perp_cone_project(bound[0], z);
    return;
  }
  const perp_rigid_rows rows = {NULL, bound, part, 0};
  TEAM_ALL
  for (int t = 0; t < 3; t++)
    z[t] = perp_rigid_rows_project(&rows, t, z[t], &held);
}

/* v and y_v of contact c; moves the frame if d->move is not 0. */
TEAM void perp_descent_ahead(const perp_descent *d, int64_t c, int part, double mu)
{
  const perp_rigids *s = &d->rigids;
  double x[3], y[3], v[3], y_v[3];
  perp_descent_load(s, s->x, c, x);
  perp_descent_load(s, d->y, c, y);
  perp_descent_load(s, s->before, c, v);
  perp_descent_load(s, d->y_before, c, y_v);
  TEAM_ALL
  for (int t = 0; t < 3; t++) {
    v[t] = x[t] + d->beta * (x[t] - v[t]);
    y_v[t] = y[t] + d->beta * (y[t] - y_v[t]);
  }
  perp_descent_store(s, s->direction, c, v);
  perp_descent_store(s, d->y_direction, c, y_v);
  if (!perp_descent_moves(part) || d->move == 0)
    return;
  const double target = perp_descent_target(part, mu, x, y);
  d->held[c] = d->move < 1 ? d->held[c] + d->move * (target - d->held[c]) : target;
}

TEAM void perp_descent_bounds(const perp_rigids *s, int64_t c, int part, double bound[6])
{
  TEAM_ALL
  for (int k = 0; k < perp_rigid_bounds(part); k++)
    bound[k] = s->numbers[(PERP_RIGID_BOUNDS + k) * s->pitch + c];
}

/* The projected step of contact c, from the stored v or from a v computed here. */
TEAM void perp_descent_step(const perp_descent *d, int64_t c, int part, bool ahead)
{
  const perp_rigids *s = &d->rigids;
  double bound[6] = {0, 0, 0, 0, 0, 0}, D[3], v[3], y_v[3], w[3];
  perp_descent_bounds(s, c, part, bound);
  if (ahead)
    perp_descent_ahead(d, c, part, bound[0]);
  perp_descent_load(s, s->direction, c, v);
  perp_descent_load(s, d->y_direction, c, y_v);
  perp_descent_metric(d, c, part, D);
  const double held = perp_descent_moves(part) ? d->held[c] : 0;
  y_v[0] += part == PERP_RIGIDS_CONE ? held : 0;
  TEAM_ALL
  for (int t = 0; t < 3; t++)
    w[t] = v[t] - y_v[t] / (d->L * D[t]);
  perp_descent_project(part, bound, held, w);
  perp_descent_store(s, s->before, c, w);
}

/* Returns the natural residual of the rows of a contact, with friction bounds of `held`. */
TEAM double perp_descent_natural(int part, const double *bound, double held, const double x[3],
                                 const double y[3])
{
  double worst = 0;
  TEAM_ALL
  for (int t = 0; t < 3; t++) {
    const bool box = part == PERP_RIGIDS_BOX, friction = part == PERP_RIGIDS_FRICTION && t > 0;
    const bool free = part == PERP_RIGIDS_FREE;
    const double lo = box ? bound[t] : friction ? -bound[0] : free ? -HUGE_VAL : 0;
    const double hi = box ? bound[3 + t] : friction ? bound[0] : HUGE_VAL;
    const double r = perp_natural_friction(x[t], y[t], lo, hi, friction ? held : 1);
    worst = perp_value_greater(worst, r);
  }
  return worst;
}

/* Returns max |x - P(x - y - s e_n)| of a cone whose shift s is held. */
TEAM double perp_descent_within(double mu, double s, const double x[3], const double y[3])
{
  double z[3] = {x[0] - y[0] - s, x[1] - y[1], x[2] - y[2]}, worst = 0;
  perp_cone_project(mu, z);
  TEAM_ALL
  for (int t = 0; t < 3; t++) {
    const double r = perp_natural_settle(fabs(x[t] - z[t]), perp_natural_nan(x[t], y[t]));
    worst = perp_value_greater(worst, r);
  }
  return worst;
}

/* Computes y of w at contact c from the velocities of w; adds its values to the sums and maxima. */
TEAM void perp_descent_weigh(const perp_descent *d, int64_t c, int part, bool compliant,
                             double value[PERP_DESCENT_VALUES])
{
  enum { NUMBERS = PERP_RIGID_RHS + 3 };
  const perp_rigids *s = &d->rigids;
  double p[NUMBERS], A[PERP_RIGID_BODY], B[PERP_RIGID_BODY], bound[6] = {0, 0, 0, 0, 0, 0};
  double C[3] = {0, 0, 0}, D[3], x[3], w[3], v[3], y[3], y_v[3];
  TEAM_ALL
  for (int k = 0; k < NUMBERS; k++)
    p[k] = k < PERP_RIGID_STEP || k >= PERP_RIGID_RHS ? s->numbers[k * s->pitch + c] : 0;
  TEAM_ALL
  for (int t = 0; t < 3 && compliant; t++)
    C[t] = s->numbers[(PERP_RIGID_BOUNDS + perp_rigid_bounds(part) + t) * s->pitch + c];
  perp_descent_bounds(s, c, part, bound);
  perp_descent_metric(d, c, part, D);
  perp_rigid_load(s->v + (int64_t)s->body[2 * c] * PERP_RIGID_BODY, A);
  perp_rigid_load(s->v + (int64_t)s->body[2 * c + 1] * PERP_RIGID_BODY, B);
  perp_descent_load(s, s->x, c, x);
  perp_descent_load(s, s->before, c, w);
  perp_descent_load(s, s->direction, c, v);
  perp_descent_load(s, d->y_direction, c, y_v);
  perp_rigid_gradient(p, A, B, compliant ? C : NULL, w, y);
  perp_descent_store(s, d->y_before, c, y);
  TEAM_ALL
  for (int t = 0; t < 3; t++) {
    const double step = w[t] - v[t];
    value[PERP_DESCENT_BEND] += step * (y[t] - y_v[t]);
    value[PERP_DESCENT_LENGTH] += D[t] * step * step;
    value[PERP_DESCENT_UPHILL] -= D[t] * step * (w[t] - x[t]);
  }
  const double held = perp_descent_moves(part) ? d->held[c] : 0;
  const double target = perp_descent_moves(part) ? perp_descent_target(part, bound[0], w, y) : 0;
  const bool cone = part == PERP_RIGIDS_CONE;
  const double found[] = {cone ? perp_descent_within(bound[0], held, w, y)
                               : perp_descent_natural(part, bound, held, w, y),
                          (cone ? 1 : bound[0]) * fabs(target - held),
                          cone ? perp_natural_cone(bound[0], w, y)
                               : perp_descent_natural(part, bound, target, w, y)};
  TEAM_ALL
  for (int k = 0; k < PERP_DESCENT_VALUES - PERP_DESCENT_SUMS; k++) {
    double *most = value + PERP_DESCENT_SUMS + k;
    *most = perp_value_greater(*most, found[k]);
  }
}
