/* finish.h: Newton steps for a contact world that its sweeps leave unsolved, by one team
 *
 * The law of each row or cone is that of the projection of z = x - rho y, rho = 1 / A_ii (one number
 * for both tangents of a cone): p is x with rows at the bounds that z crosses, and sliding cones on
 * their disk. With the laws of the pair (p, (P(z) - z) / rho) a step solves (active_kernel.h)
 *
 *   W^T (A (p + Z q) + b) + D q = 0:   B q = -W^T (A p + b),   d = p + Z q - x,
 *
 * the semismooth Newton method for bounds, friction rows, joints and cones alike (Qi, Sun 1993).
 * x <- x + tau d with the tau = 1, 1/2, ..., 1/128 of the least natural residual with steps rho. If B is
 * singular, or after short steps, which come from active sets that alternate, B + epsilon I takes its
 * place: a proximal step. The caller's x changes only to one of smaller natural residual; then sweeps
 * follow, and judge it (perp_world_one).
 *
 * Cost of a step: 2/3 m^3 multiply-adds for m unknowns. */
#pragma once

#include "method/splitting/world/kernel/solve.h"
#include "method/system/active_kernel.h"

enum {
  PERP_FINISH_VECTORS = PERP_ACTIVE_VECTORS + 5,
  PERP_FINISH_HALVINGS = 8,
  PERP_FINISH_STEPS = 10
};
enum { PERP_FINISH_MOST = 225 * 1024 }; /* bytes of a team, on every device */

/* Returns the memory of a team, without its matrix. */
EVERYWHERE size_t perp_finish_bytes(const perp_world_job *job)
{
  const size_t n = (size_t)job->n, bodies = (size_t)job->m * (size_t)job->freedom;
  return ((PERP_FINISH_VECTORS * n + 2 * bodies) * sizeof(double) +
          PERP_ACTIVE_LISTS * n * sizeof(int16_t) + 15) /
         16 * 16;
}

/* Returns the most unknowns of a step: a matrix for them fits into the memory of a multiprocessor. */
static inline int perp_finish_room(const perp_world_job *job)
{
  const size_t vectors = perp_finish_bytes(job);
  int room = job->n;
  while (room > 0 && vectors + sizeof(double) * (size_t)(room * (room | 1)) > PERP_FINISH_MOST)
    room--;
  return room;
}

typedef struct perp_finish {
  perp_active f; /* its x is p, its y (P(z) - z) / rho */
  const double *b;
  double *x, *y, *rho, *d, *Ad;
  double *u, *v; /* of bodies, freedom each */
} perp_finish;

/* to <- A w + start */
TEAM void perp_finish_product(perp_team t, const perp_finish *s, const double *w,
                              const double *start, double *to)
{
  const perp_active *f = &s->f;
  const int freedom = f->freedom;
  perp_active_gather(t, f, w, s->u);
  TEAM_SHORT
  for (int e = t.lane; e < f->bodies * freedom; e += t.lanes)
    s->v[e] = perp_active_velocity(f, s->u + e / freedom * freedom, e / freedom, e % freedom);
  perp_team_sync(t);
  TEAM_SHORT
  for (int i = t.lane; i < f->n; i += t.lanes)
    to[i] = perp_active_product(f, i, s->v, (start ? start[i] : 0) + perp_active_C(f, i) * w[i]);
  perp_team_sync(t);
}

/* rho_i <- 1 / A_ii, in a cone the lesser of both tangents. */
TEAM void perp_finish_steps(perp_team t, const perp_finish *s)
{
  const perp_active *f = &s->f;
  TEAM_SHORT
  for (int i = t.lane; i < f->n; i += t.lanes) {
    double sum = perp_active_C(f, i);
    for (int side = 0; side < 2; side++) {
      const int k = f->body[2 * (i / f->together) + side];
      double g[6];
      perp_active_response(f, i, side, k, g);
      for (int c = 0; k >= 0 && c < f->freedom; c++)
        sum += g[c] * f->J[2 * f->freedom * i + f->freedom * side + c];
    }
    s->rho[i] = 1 / sum;
  }
  perp_team_sync(t);
  TEAM_SHORT
  for (int c = t.lane; f->mu && c < f->n / 3; c += t.lanes) {
    double *rho = s->rho + 3 * c;
    rho[1] = rho[2] = rho[1] < rho[2] ? rho[1] : rho[2];
  }
  perp_team_sync(t);
}

/* The law of a cone at x, for p and its y. Sliding cones are a rounding outside of their disk, not
 * within it. */
TEAM void perp_finish_cone(const perp_finish *s, int row, double *p, double *y)
{
  const double outside = 1 + 4 * DBL_EPSILON, z = s->x[row] - s->rho[row] * s->y[row];
  double along[2], length = 0;
  p[row] = z > 0 ? perp_value_greater(s->x[row], 0) : 0;
  y[row] = z > 0 ? 0 : 0 - z / s->rho[row];
  for (int k = 0; k < 2; k++)
    along[k] = s->x[row + 1 + k] - s->rho[row + 1] * s->y[row + 1 + k];
  length = perp_everywhere_hypot(along[0], along[1]);
  const double most = s->f.mu[row / 3] * p[row];
  for (int k = 0; k < 2; k++) {
    const int i = row + 1 + k;
    const bool slides = length > most;
    p[i] = slides ? most * outside * (along[k] / length) : s->x[i];
    y[i] = slides ? 0 - (length - most) * (along[k] / length) / s->rho[i] : 0;
  }
}

/* The same for a row, a friction row after its normal. */
TEAM void perp_finish_row(const perp_finish *s, int i, double *p, double *y)
{
  const perp_active *f = &s->f;
  const double normal = perp_active_is_friction(f, i) ? fabs(p[f->findex[i]]) : 1;
  const double lo = perp_active_bound(perp_active_lo(f, i), normal);
  const double hi = perp_active_bound(perp_active_hi(f, i), normal);
  const double z = s->x[i] - s->rho[i] * s->y[i];
  p[i] = z < lo ? lo : z > hi ? hi : s->x[i];
  y[i] = z < lo ? (lo - z) / s->rho[i] : z > hi ? (hi - z) / s->rho[i] : 0;
}

/* p and its y, in the memory of Ad and d. */
TEAM void perp_finish_pair(perp_team t, const perp_finish *s)
{
  const perp_active *f = &s->f;
  TEAM_SHORT
  for (int pass = 0; pass < 2; pass++) {
    TEAM_SHORT
    for (int i = t.lane; i < f->n; i += t.lanes)
      if (f->mu && pass == 0 && i % 3 == 0)
        perp_finish_cone(s, i, s->d, s->Ad);
      else if (!f->mu && perp_active_is_friction(f, i) == (pass == 1))
        perp_finish_row(s, i, s->d, s->Ad);
    perp_team_sync(t);
  }
}

/* Returns the natural residual of x + tau d, with steps rho or 1. */
TEAM double perp_finish_residual(perp_team t, const perp_finish *s, double tau, bool scaled)
{
  const perp_active *f = &s->f;
  double worst = 0;
  TEAM_SHORT
  for (int i = t.lane; i < f->n; i += t.lanes) {
    const int row = f->mu ? i / 3 * 3 : i;
    double x[3], y[3], r;
    for (int k = 0; k < (f->mu ? 3 : 1); k++) {
      x[k] = s->x[row + k] + tau * s->d[row + k];
      y[k] = (scaled ? s->rho[row + k] : 1) * (s->y[row + k] + tau * s->Ad[row + k]);
    }
    const int j = perp_active_is_friction(f, i) ? f->findex[i] : -1;
    if (f->mu)
      r = perp_natural_cone(f->mu[i / 3], x, y);
    else
      r = perp_natural_friction(x[0], y[0], perp_active_lo(f, i), perp_active_hi(f, i),
                                j >= 0 ? fabs(s->x[j] + tau * s->d[j]) : 1);
    worst = perp_value_most(worst, r);
  }
  worst = perp_team_max(t, worst);
  perp_team_sync(t);
  return worst;
}

/* d and A d of a step; returns false if B has more than `room` unknowns. */
TEAM bool perp_finish_direction(perp_team t, perp_finish *s, int room, double epsilon)
{
  const perp_law_limits limits = {0, 0, false};
  perp_active *f = &s->f;
  f->x = s->d;
  f->y = s->Ad;
  perp_finish_pair(t, s);
  perp_active_laws(t, f, &limits);
  if (f->m > room)
    return false;
  f->apart = f->m | 1;
  perp_finish_product(t, s, s->d, s->b, s->Ad); /* A p + b */
  int16_t *order = f->kink;                     /* no longer needed */
  const double most = perp_active_fill(t, f, 0);
  /* more rows than velocities are singular without C */
  if (epsilon > 0 || f->m > f->bodies * f->freedom ||
      !perp_active_factorise(t, f, 1e-13 * most, order)) {
    perp_active_fill(t, f, perp_value_greater(epsilon, 1e-9) * most);
    perp_active_factorise(t, f, 0, order);
  }
  TEAM_SHORT
  for (int at = t.lane; at < f->m; at += t.lanes) {
    const int i = f->W_row[order[at]];
    const bool two = i + 1 < f->n && f->W_column[i + 1] == order[at];
    f->rhs[at] = 0 - (f->W[i] * s->Ad[i] + (two ? f->W[i + 1] * s->Ad[i + 1] : 0));
  }
  perp_team_sync(t);
  perp_active_solve(t, f);
  TEAM_SHORT
  for (int i = t.lane; i < f->n; i += t.lanes) {
    double step = s->d[i] - s->x[i];
    for (int k = 2 * i; k < 2 * i + 2; k++)
      step += f->Z_column[k] >= 0 ? f->Z[k] * f->rhs[f->Z_column[k]] : 0;
    s->d[i] = step;
  }
  perp_team_sync(t);
  perp_finish_product(t, s, s->d, NULL, s->Ad);
  return true;
}

/* x <- x + tau d with the best tau, which is returned, and y with it */
TEAM double perp_finish_walk(perp_team t, const perp_finish *s)
{
  double best = HUGE_VAL, length = 0, tau = 1;
  TEAM_SHORT
  for (int h = 0; h < PERP_FINISH_HALVINGS; h++, tau /= 2) {
    const double residual = perp_finish_residual(t, s, tau, true);
    if (residual < best) {
      best = residual;
      length = tau;
    }
  }
  TEAM_SHORT
  for (int i = t.lane; i < s->f.n; i += t.lanes)
    s->x[i] += length * s->d[i];
  perp_team_sync(t);
  perp_finish_product(t, s, s->x, s->b, s->y);
  return length;
}

/* Returns epsilon after a step of length tau. */
TEAM double perp_finish_epsilon(double epsilon, double tau)
{
  const double least = 1e-4, most = 0.1, more = epsilon < least ? least : 10 * epsilon;
  if (tau < 0.2)
    return more < most ? more : most;
  return tau < 1 ? epsilon : epsilon > least ? epsilon / 10 : 0;
}

/* Takes at most `steps` steps from the x of world k of the job, while it has at most `room` unknowns.
 * memory: perp_finish_bytes; matrix: room (room | 1) numbers. */
TEAM void perp_finish_one(perp_team t, const perp_world_job *job, int k, int steps, int room,
                          double *memory, double *matrix)
{
  const int64_t begin = job->rows ? job->rows[k] : (int64_t)k * job->n;
  const int64_t bodies = job->bodies ? job->bodies[k] : (int64_t)k * job->m;
  const int64_t set = job->same_K ? 0 : begin;
  perp_finish s;
  perp_active *f = &s.f;
  f->n = job->rows ? (int)(job->rows[k + 1] - begin) : job->n;
  f->bodies = job->bodies ? (int)(job->bodies[k + 1] - bodies) : job->m;
  f->freedom = job->freedom;
  f->together = job->together;
  f->transposed = false;
  f->A = NULL;
  f->J = job->J + 2 * job->freedom * begin;
  f->Minv = job->Minv + job->freedom * job->freedom * bodies;
  f->C = job->C ? job->C + begin : NULL;
  f->cfm = job->cfm;
  f->body = job->body + 2 * (begin / job->together);
  f->mu = job->mu ? job->mu + set / 3 : NULL;
  f->findex = job->findex && !job->mu ? job->findex + set : NULL;
  f->lo = job->lo ? job->lo + set : NULL;
  f->hi = job->hi ? job->hi + set : NULL;
  s.b = job->b + begin;
  s.x = memory + PERP_ACTIVE_VECTORS * f->n;
  s.y = s.x + f->n;
  s.rho = s.y + f->n;
  s.d = s.rho + f->n;
  s.Ad = s.d + f->n;
  s.u = s.Ad + f->n;
  s.v = s.u + f->bodies * f->freedom;
  perp_active_share(f, memory, (int16_t *)(void *)(s.v + f->bodies * f->freedom), matrix);
  TEAM_SHORT
  for (int i = t.lane; i < f->n; i += t.lanes)
    s.x[i] = job->x[begin + i];
  perp_team_sync(t);
  perp_finish_steps(t, &s);
  perp_finish_product(t, &s, s.x, s.b, s.y);
  TEAM_SHORT
  for (int i = t.lane; i < f->n; i += t.lanes)
    s.d[i] = s.Ad[i] = 0;
  perp_team_sync(t);
  const double target = perp_verdict_target(job->tol, job->end[k].scale);
  double best = perp_finish_residual(t, &s, 0, false), epsilon = 0;
  TEAM_SHORT
  for (int step = 0; step < steps && !perp_verdict_solved(best, 0.5 * target); step++) {
    if (!perp_finish_direction(t, &s, room, epsilon))
      return;
    epsilon = perp_finish_epsilon(epsilon, perp_finish_walk(t, &s));
    const double residual = perp_finish_residual(t, &s, 0, false);
    if (residual < best) {
      best = residual;
      TEAM_SHORT
      for (int i = t.lane; i < f->n; i += t.lanes)
        job->x[begin + i] = s.x[i];
    }
  }
}
