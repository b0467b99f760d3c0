/* finish.h: Newton steps for a contact world that its sweeps leave unsolved, by one team
 *
 * A row is on a bound if x_i - y_i / A_ii lies beyond it, else it is free; with the laws of these rows
 * (active_kernel.h) a step solves
 *
 *   W^T (y + A dx) = 0,   dx = Z q + p,   p_i = bound - x_i  on a bound, else 0:
 *   B q = -W^T (y + A p),
 *
 * the semismooth Newton method for the natural map (Qi, Sun 1993). If B is singular, B + epsilon I
 * takes its place: a proximal step. x replaces the result of the sweeps only if its natural residual
 * meets the target; the sweeps' own verdict then follows in perp_world_one. For bounds and friction
 * rows, not for cones. Cost of a step: 2/3 m^3 multiply-adds for m free rows. */
#pragma once

#include "method/splitting/world/world.h"
#include "method/system/active_kernel.h"

enum { PERP_FINISH_VECTORS = PERP_ACTIVE_VECTORS + 5, PERP_FINISH_PATIENCE = 80 };

/* Returns the memory of a team, without its matrix. */
EVERYWHERE size_t perp_finish_bytes(const perp_world_job *job)
{
  const size_t n = (size_t)job->n, bodies = (size_t)job->m * (size_t)job->freedom;
  return ((PERP_FINISH_VECTORS * n + bodies) * sizeof(double) +
          PERP_ACTIVE_LISTS * n * sizeof(int16_t) + 15) /
         16 * 16;
}

typedef struct perp_finish {
  perp_active f;
  const double *b;
  double *x, *y, *scaled, *p, *inverse; /* scaled: y_i / A_ii */
  double *u;                            /* of bodies, freedom each */
} perp_finish;

/* Returns (A v)_i, with u = J^T v. */
TEAM double perp_finish_product(const perp_finish *s, const double *v, int i)
{
  const perp_active *f = &s->f;
  double sum = perp_active_C(f, i) * v[i];
  for (int side = 0; side < 2; side++) {
    const int k = f->body[2 * (i / f->together) + side];
    for (int c = 0; k >= 0 && c < f->freedom; c++)
      sum += f->J[2 * f->freedom * i + f->freedom * side + c] * perp_active_velocity(f, s->u, k, c);
  }
  return sum;
}

/* inverse_i <- 1 / A_ii, which is positive. */
TEAM void perp_finish_diagonal(perp_team t, const perp_finish *s)
{
  const perp_active *f = &s->f;
  TEAM_SHORT
  for (int i = t.lane; i < f->n; i += t.lanes) {
    double sum = perp_active_C(f, i);
    for (int side = 0; side < 2; side++) {
      const int k = f->body[2 * (i / f->together) + side];
      if (k >= 0)
        sum += perp_active_energy(f, k, f->J + 2 * f->freedom * i + f->freedom * side);
    }
    s->inverse[i] = 1 / sum;
  }
  perp_team_sync(t);
}

/* y <- A x + b; returns the natural residual. */
TEAM double perp_finish_residual(perp_team t, const perp_finish *s)
{
  const perp_active *f = &s->f;
  double worst = 0;
  perp_active_gather(t, f, s->x, s->u);
  TEAM_SHORT
  for (int i = t.lane; i < f->n; i += t.lanes) {
    const double y = s->b[i] + perp_finish_product(s, s->x, i);
    const double normal = perp_active_is_friction(f, i) ? fabs(s->x[f->findex[i]]) : 1;
    s->y[i] = y;
    s->scaled[i] = y * s->inverse[i];
    worst = perp_value_most(worst, perp_natural_friction(s->x[i], y, perp_active_lo(f, i),
                                                         perp_active_hi(f, i), normal));
  }
  worst = perp_team_max(t, worst);
  perp_team_sync(t);
  return worst;
}

/* p <- the way of each row to its bound; a friction row uses the new normal. */
TEAM void perp_finish_shift(perp_team t, const perp_finish *s)
{
  const perp_active *f = &s->f;
  for (int pass = 0; pass < 2; pass++) {
    TEAM_SHORT
    for (int i = t.lane; i < f->n; i += t.lanes) {
      const bool friction = perp_active_is_friction(f, i);
      if (friction != (pass == 1))
        continue;
      const double bound = f->law[i] == PERP_LAW_LO ? perp_active_lo(f, i) : perp_active_hi(f, i);
      double way = 0;
      if (f->law[i] != PERP_LAW_FREE && !friction)
        way = bound - s->x[i];
      else if (f->law[i] != PERP_LAW_FREE)
        way = bound * fabs(s->x[f->findex[i]]) - s->x[i] +
              perp_active_factor(f, i, 0) * s->p[f->findex[i]];
      s->p[i] = way;
    }
    perp_team_sync(t);
  }
}

/* A step of this length; returns false if B has more than `room` unknowns. */
TEAM bool perp_finish_step(perp_team t, perp_finish *s, int room, double length)
{
  const perp_law_limits limits = {0, 0, false};
  perp_active *f = &s->f;
  perp_active_laws(t, f, &limits);
  if (f->m > room)
    return false;
  f->apart = f->m | 1;
  perp_finish_shift(t, s);
  perp_active_gather(t, f, s->p, s->u);
  TEAM_SHORT
  for (int q = t.lane; q < f->m; q += t.lanes) {
    const int i = f->W_row[q];
    f->rhs[q] = -(s->y[i] + perp_finish_product(s, s->p, i));
  }
  perp_team_sync(t);
  const double most = perp_active_fill(t, f, false, 0);
  if (!perp_active_factorise(t, f, 1e-13 * most, f->kink)) {
    perp_active_fill(t, f, false, 1e-9 * most);
    perp_active_factorise(t, f, 0, f->kink);
  }
  perp_active_solve(t, f, f->kink);
  TEAM_SHORT
  for (int i = t.lane; i < f->n; i += t.lanes)
    s->x[i] += length *
               (s->p[i] + (f->Z_column[2 * i] >= 0 ? f->Z[2 * i] * f->rhs[f->Z_column[2 * i]] : 0));
  perp_team_sync(t);
  return true;
}

/* The length of the next step, by the steps since the least residual: active sets that alternate are
 * left by shorter steps. */
TEAM double perp_finish_length(int since)
{
  return since <= 2 || since % 4 == 0 ? 1 : since % 4 == 1 ? 0.25 : 0.5;
}

/* Takes world k of the job on from its x if it is not solved, by at most job->finish steps; on success
 * x is the caller's, and the state PERP_JOB_FINISHED. memory: perp_finish_bytes; matrix: room
 * (room | 1) numbers. */
TEAM void perp_finish_one(perp_team t, const perp_world_job *job, int k, int room, double *memory,
                          double *matrix)
{
  perp_job_end *end = job->end + k;
  const int64_t begin = job->rows ? job->rows[k] : (int64_t)k * job->n;
  const int64_t bodies = job->bodies ? job->bodies[k] : (int64_t)k * job->m;
  const int64_t set = job->same_K ? 0 : begin;
  perp_finish s;
  perp_active *f = &s.f;
  f->n = job->rows ? (int)(job->rows[k + 1] - begin) : job->n;
  f->bodies = job->bodies ? (int)(job->bodies[k + 1] - bodies) : job->m;
  f->freedom = job->freedom;
  f->together = job->together;
  f->A = NULL;
  f->mu = NULL;
  f->J = job->J + 2 * job->freedom * begin;
  f->Minv = job->Minv + job->freedom * job->freedom * bodies;
  f->C = job->C ? job->C + begin : NULL;
  f->cfm = job->cfm;
  f->body = job->body + 2 * (begin / job->together);
  f->findex = job->findex ? job->findex + set : NULL;
  f->lo = job->lo ? job->lo + set : NULL;
  f->hi = job->hi ? job->hi + set : NULL;
  s.b = job->b + begin;
  s.x = memory + PERP_ACTIVE_VECTORS * f->n;
  s.y = s.x + f->n;
  s.scaled = s.y + f->n;
  s.p = s.scaled + f->n;
  s.inverse = s.p + f->n;
  s.u = s.inverse + f->n;
  perp_active_share(f, memory, (int16_t *)(void *)(s.u + f->bodies * f->freedom), matrix);
  f->x = s.x;
  f->y = s.scaled;
  for (int i = t.lane; i < f->n; i += t.lanes)
    s.x[i] = job->x[begin + i];
  const double target = perp_verdict_target(job->tol, end->scale);
  perp_team_sync(t);
  perp_finish_diagonal(t, &s);
  double best = HUGE_VAL;
  int steps = 0, last = 0;
  TEAM_SHORT
  for (;; steps++) {
    const double residual = perp_finish_residual(t, &s);
    if (perp_verdict_solved(residual, 0.5 * target)) {
      for (int i = t.lane; i < f->n; i += t.lanes)
        job->x[begin + i] = s.x[i];
      perp_team_sync(t);
      if (t.lane == 0) {
        end->state = PERP_JOB_FINISHED;
        end->iterations += steps;
      }
      return;
    }
    if (residual < best) {
      best = residual;
      last = steps;
    }
    if (steps >= job->finish || steps - last > PERP_FINISH_PATIENCE || !(residual < HUGE_VAL) ||
        !perp_finish_step(t, &s, room, perp_finish_length(steps - last)))
      return;
  }
}
