/* solve.h: solves one contact world, from its data to its end, by one team */
#pragma once

#include "method/splitting/world/kernel/single.h"

/* The kind of job that a kernel is compiled for. */
enum { PERP_WORLD_BOUNDS, PERP_WORLD_CONES, PERP_WORLD_SINGLE, PERP_WORLD_SINGLE_CONES };

static inline int perp_world_kind(const perp_world_job *job)
{
  return (job->single ? PERP_WORLD_SINGLE : PERP_WORLD_BOUNDS) + (job->batch.mu ? 1 : 0);
}

TEAM bool perp_world_is_single(int kind)
{
  return kind == PERP_WORLD_SINGLE || kind == PERP_WORLD_SINGLE_CONES;
}

/* Reports the fault of the data in the job's end. */
TEAM void perp_world_tell(const perp_world *w, const double *x, int64_t fault, int freedom,
                          perp_job_end *end)
{
  const int index = (int)(fault & 0x7fffffff);
  end->state = (int)(fault >> 32);
  end->row = index;
  if (end->state == PERP_JOB_BAD_A) {
    end->row = index / (2 * freedom);
    end->column = index % (2 * freedom);
    end->value = w->J[index];
  } else if (end->state == PERP_JOB_BAD_B) {
    end->value = w->b[index];
  } else if (end->state == PERP_JOB_BAD_START) {
    end->value = x[index];
  } else if (end->state == PERP_JOB_BAD_MU) {
    end->value = w->mu[index];
  } else if (end->state == PERP_JOB_BAD_C) {
    end->value = w->C[index];
  }
}

/* Returns the first fault of all lanes. */
TEAM int64_t perp_world_first(perp_team t, int64_t fault)
{
  return perp_team_vote(t, fault != INT64_MAX).count > 0 ? perp_team_least(t, fault) : INT64_MAX;
}

/* Solves a world that fits. Returns INT64_MAX, or its fault. */
TEAM int64_t perp_world_solve(perp_team t, perp_single *p, const perp_world_job *job, double *x,
                              perp_job_end *end, int width, int freedom, int kind)
{
  perp_world *w = &p->w;
  int64_t fault = perp_world_check_contacts(t, w, freedom);
  fault = perp_value_least(fault, perp_world_check_masses(t, w, freedom));
  fault = perp_world_first(t, perp_value_least(fault, perp_world_check_rows(t, w, x)));
  if (fault != INT64_MAX)
    return fault;
  if (!perp_world_arrange(t, w))
    return perp_value_fault(PERP_JOB_COLOURS, 0);
  fault = perp_world_first(t, perp_world_is_single(kind) ? perp_single_fill(t, p, width, freedom)
                                                         : perp_world_fill(t, w, width, freedom));
  if (fault != INT64_MAX)
    return fault;
  perp_world_load(t, w, x);
  double scale = 0;
  for (int i = t.lane; i < w->n; i += t.lanes)
    scale = perp_value_greater(scale, fabs(w->b[i]));
  scale = perp_team_max(t, scale);
  end->scale = perp_verdict_scale(scale);
  const double target = perp_verdict_target(job->tol, end->scale);
  if (perp_world_is_single(kind))
    perp_single_refine(t, p, job, target, x, end, width, freedom);
  else
    perp_world_run(t, w, job, target, x, end, width, freedom);
  return INT64_MAX;
}

/* Solves world k of the job. memory: perp_world_bytes of the largest that fits. Width and kind are
 * constants at compile time. */
TEAM void perp_world_one(perp_team t, const perp_world_job *job, int k, int width, int kind,
                         double *memory)
{
  const perp_batch *batch = &job->batch;
  const perp_contact_bodies *worlds = &job->worlds;
  const bool cones = kind == PERP_WORLD_CONES || kind == PERP_WORLD_SINGLE_CONES;
  const int freedom = width == 6 ? 6 : 3;
  const int64_t begin = job->rows ? job->rows[k] : (int64_t)k * batch->n;
  const int64_t bodies = job->bodies ? job->bodies[k] : (int64_t)k * worlds->bodies;
  const int64_t n = job->rows ? job->rows[k + 1] - begin : batch->n;
  const int64_t m = job->bodies ? job->bodies[k + 1] - bodies : worlds->bodies;
  const int64_t set = batch->same_K ? 0 : begin;
  perp_job_end end = {HUGE_VAL, 1, 0, PERP_JOB_TOO_LARGE, 0, 0, 0, 0, 0};
  if (n == 0) {
    end.residual = 0;
    end.state = PERP_JOB_CLAIMED;
  } else if (n <= PERP_WORLD_ROWS && m <= PERP_WORLD_BODIES) {
    perp_single p;
    double *x = job->x + begin;
    p.w.n = (int)n;
    p.w.m = (int)m;
    p.w.groups = p.w.colours = 0;
    p.w.together = worlds->together;
    p.w.body = worlds->body + 2 * (begin / worlds->together);
    p.w.J = worlds->J + 2 * freedom * begin;
    p.w.Minv = worlds->Minv + freedom * freedom * bodies;
    p.w.C = worlds->C_diagonal ? worlds->C_diagonal + begin : NULL;
    p.w.cfm = worlds->cfm;
    p.w.b = batch->b + begin;
    p.w.lo = batch->lo ? batch->lo + set : NULL;
    p.w.hi = batch->hi ? batch->hi + set : NULL;
    p.w.findex = batch->findex && !cones ? batch->findex + set : NULL;
    p.w.cones = cones;
    p.w.mu = cones ? batch->mu + set / 3 : NULL;
    if (perp_world_is_single(kind))
      perp_single_share(&p, memory);
    else
      perp_world_share(&p.w, memory, width);
    end.state = PERP_JOB_NOT_RUN;
    const int64_t fault = perp_world_solve(t, &p, job, x, &end, width, freedom, kind);
    if (fault != INT64_MAX)
      perp_world_tell(&p.w, x, fault, freedom, &end);
    else if (job->y)
      perp_world_store(t, &p.w, p.w.y, job->y + begin);
  }
  if (t.lane == 0) {
    perp_job_judge(&end, job->tol);
    job->end[k] = end;
  }
}
