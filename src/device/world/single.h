/* single.h: sweeps over one contact world in single precision, refined and judged in double
 *
 *   x = X + d,   y_i = (A X + b)_i + G_i v + C_ii d_i,   v = G^T d
 *   d_i <- P(d_i - omega y_i / A_ii) onto the bounds of x_i less X_i,   v kept up to date
 *
 * X, A X + b and the bounds are double; d, v, G and what sweeps compute are single. If the residual of
 * the sweeps is a 1e-5th of the one at X, or small enough to ask for the verdict, X <- P(X + d) and
 * d <- 0: A X + b is then computed anew in double from J and Minv as they were given, so that what
 * single precision rounded away comes back as a right-hand side (iterative refinement). Only that
 * residual counts.
 *
 * With friction, sweeps with omega > 1 may go round in circles: if the residual has not halved in 100
 * sweeps, omega <- 1 + (omega - 1) / 2.
 *
 * A friction bound mu |x_j| moves with d_j: |X_j + d_j| - |X_j| = max(s d_j, -2 |X_j| - s d_j), s the
 * sign of X_j, without a difference of large numbers.
 *
 * One lane relaxes a group. What it reads of it does not depend on the colour before and is read
 * before the barrier; after it there are the velocities of two bodies, 36 multiply-adds, the rows one
 * after another, and 36 multiply-adds. Workspace of a team: perp_world_bytes. */
#pragma once

#include "device/world/solve.h"

enum { PERP_SINGLE_REFINE = 100 }; /* sweeps between refinements, at most */

typedef struct perp_single {
  perp_world w;   /* x is X; numbers are not there */
  float *numbers; /* number k of a slot: [k pitch + slot] */
  float *v;       /* width + 1 apart */
  float *d;       /* by slot */
} perp_single;

TEAM void perp_single_share(perp_single *p, double *memory, int width)
{
  perp_world *w = &p->w;
  const int n = w->n;
  w->pitch = n | 1;
  w->u = memory;
  w->x = w->u + (width + 1) * w->m;
  w->y = w->x + n;
  w->numbers = w->y + n; /* for the time in which the rows are arranged */
  w->start = w->part = NULL;
  p->numbers = (float *)(void *)w->numbers;
  p->v = p->numbers + (2 * width + PERP_SINGLE_NUMBERS) * w->pitch;
  p->d = p->v + (width + 1) * (w->m + 1);
  w->pair = (int *)(void *)(p->d + n);
  w->colour = w->pair + n;
  w->row = (int16_t *)(void *)(w->colour + PERP_WORLD_COLOURS + 1);
  w->normal = w->row + n;
  w->first = w->normal + n;
}

/* ---- Numbers ---- */

/* What follows G and stays; the first row whose diagonal is no positive number here, or -1. */
TEAM int perp_single_extras(const perp_single *p, int g, int width)
{
  const perp_world *w = &p->w;
  const int begin = w->first[g], count = w->first[g + 1] - begin, pitch = w->pitch;
  int bad = -1;
  TEAM_SHORT
  for (int q = 0; q < count; q++) {
    const int s = begin + q, next = begin + (q + 1) % count, i = w->row[s];
    float *extra = p->numbers + 2 * width * pitch + s;
    float own = 0, coupling = 0;
    TEAM_ALL
    for (int k = 0; k < 2 * width; k++) {
      own += p->numbers[k * pitch + s] * p->numbers[k * pitch + s];
      coupling += p->numbers[k * pitch + s] * p->numbers[k * pitch + next];
    }
    const float C = (float)perp_world_C(w, i), diagonal = own + C, inverse = 1 / diagonal;
    if (bad < 0 && !(diagonal > 0 && inverse > 0 && inverse < HUGE_VALF))
      bad = i;
    extra[PERP_SINGLE_INVERSE * pitch] = inverse;
    extra[PERP_SINGLE_COUPLING * pitch] = coupling;
    extra[PERP_SINGLE_OWN * pitch] = C;
    extra[PERP_SINGLE_LEAST * pitch] = (float)perp_world_lo(w, i);
    extra[PERP_SINGLE_MOST * pitch] = (float)perp_world_hi(w, i);
  }
  return bad;
}

/* All numbers but those of X, and X by slot. The fault of this lane. */
TEAM int64_t perp_single_fill(perp_team t, const perp_single *p, const double *x, int width,
                              int freedom)
{
  const perp_world *w = &p->w;
  int64_t fault = INT64_MAX;
  TEAM_SHORT
  for (int e = t.lane; e < 2 * w->groups; e += t.lanes)
    if (!perp_world_scale(w, p->numbers, e / 2, e % 2, width, freedom))
      fault =
          perp_value_least(fault, perp_value_fault(PERP_JOB_NO_FACTOR, w->row[w->first[e / 2]]));
  perp_team_sync(t);
  TEAM_SHORT
  for (int g = t.lane; g < w->groups; g += t.lanes) {
    const int bad = perp_single_extras(p, g, width);
    if (bad >= 0)
      fault = perp_value_least(fault, perp_value_fault(PERP_JOB_NO_SINGLE, bad));
  }
  TEAM_SHORT
  for (int s = t.lane; s < w->n; s += t.lanes)
    w->x[s] = x[w->row[s]];
  perp_team_sync(t);
  return fault;
}

/* What depends on X; y is A X + b. */
TEAM void perp_single_begin(perp_team t, const perp_single *p, int width)
{
  const perp_world *w = &p->w;
  TEAM_SHORT
  for (int s = t.lane; s < w->n; s += t.lanes) {
    float *extra = p->numbers + 2 * width * w->pitch + s;
    const double at = w->normal[s] >= 0 ? fabs(w->x[w->normal[s]]) : 1, x = w->x[s];
    extra[PERP_SINGLE_RHS * w->pitch] = (float)w->y[s];
    extra[PERP_SINGLE_LOWER * w->pitch] = (float)(perp_world_lo(w, w->row[s]) * at - x);
    extra[PERP_SINGLE_UPPER * w->pitch] = (float)(perp_world_hi(w, w->row[s]) * at - x);
    p->d[s] = 0;
  }
  TEAM_SHORT
  for (int k = t.lane; k < (w->m + 1) * (width + 1); k += t.lanes)
    p->v[k] = 0;
  perp_team_sync(t);
}

/* ---- Sweeps ---- */

/* |X + d| - |X|, twice = 2 X */
TEAM float perp_single_growth(float twice, float d)
{
  const float up = twice < 0 ? -d : d, down = -fabsf(twice) - up;
  return up > down ? up : down;
}

/* What a lane has read of a group. */
typedef struct perp_single_task {
  int begin, count, pair;
  int normal[PERP_CONTACTS_ROWS];
  float G[PERP_CONTACTS_ROWS][12];
  float number[PERP_SINGLE_NUMBERS][PERP_CONTACTS_ROWS];
  float d[PERP_CONTACTS_ROWS], twice[PERP_CONTACTS_ROWS];
} perp_single_task;

TEAM void perp_single_read(const perp_single *p, int g, int width, perp_single_task *a)
{
  const perp_world *w = &p->w;
  a->begin = w->first[g];
  a->count = w->first[g + 1] - a->begin;
  a->pair = w->pair[a->begin];
  TEAM_ALL
  for (int q = 0; q < PERP_CONTACTS_ROWS; q++) {
    const int s = a->begin + (q < a->count ? q : 0), j = w->normal[s];
    const float *numbers = p->numbers + s;
    TEAM_ALL
    for (int k = 0; k < 2 * width; k++)
      a->G[q][k] = numbers[k * w->pitch];
    TEAM_ALL
    for (int k = 0; k < PERP_SINGLE_NUMBERS; k++)
      a->number[k][q] = numbers[(2 * width + k) * w->pitch];
    a->normal[q] = j;
    a->d[q] = p->d[s];
    a->twice[q] = j >= 0 ? (float)(2 * w->x[j]) : 0;
  }
}

/* The rows of a group in order; whether one of them moved. Comparisons with a bound that is no number
 * are false: there is none then. */
TEAM bool perp_single_relax(const perp_single *p, const perp_single_task *a, float omega, int width)
{
  const int pair = a->pair < 0 ? 0 : a->pair; /* G is 0 then */
  const int low = perp_world_low(pair), high = perp_world_high(pair);
  float *first = p->v + low * (width + 1), *second = p->v + high * (width + 1);
  float u[12], y[PERP_CONTACTS_ROWS], z[PERP_CONTACTS_ROWS], step[PERP_CONTACTS_ROWS];
  TEAM_ALL
  for (int k = 0; k < width; k++) {
    u[k] = first[k];
    u[width + k] = second[k];
  }
  TEAM_ALL
  for (int q = 0; q < PERP_CONTACTS_ROWS; q++) {
    float sum[4] = {a->number[PERP_SINGLE_RHS][q], a->number[PERP_SINGLE_OWN][q] * a->d[q], 0, 0};
    TEAM_ALL
    for (int k = 0; k < 2 * width; k++)
      sum[k % 4] += a->G[q][k] * u[k];
    y[q] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
  bool moved = false;
  TEAM_ALL
  for (int q = 0; q < PERP_CONTACTS_ROWS; q++) {
    float other = q < a->count && a->normal[q] >= 0 ? p->d[a->normal[q]] : 0;
    float lower = a->number[PERP_SINGLE_LOWER][q], upper = a->number[PERP_SINGLE_UPPER][q];
    TEAM_ALL
    for (int l = 0; l < q; l++) {
      y[q] += a->number[PERP_SINGLE_COUPLING][q == l + 1 ? l : q] * step[l];
      other = a->normal[q] == a->begin + l ? z[l] : other;
    }
    if (a->normal[q] >= 0) {
      const float growth = perp_single_growth(a->twice[q], other);
      lower += a->number[PERP_SINGLE_LEAST][q] * growth;
      upper += a->number[PERP_SINGLE_MOST][q] * growth;
    }
    const float value = a->d[q] - omega * a->number[PERP_SINGLE_INVERSE][q] * y[q];
    const float above = value < lower ? lower : value;
    z[q] = above > upper ? upper : above;
    step[q] = q < a->count ? z[q] - a->d[q] : 0;
    moved = moved || step[q] != 0;
    if (q < a->count)
      p->d[a->begin + q] = z[q];
  }
  TEAM_ALL
  for (int q = 0; q < PERP_CONTACTS_ROWS; q++)
    TEAM_ALL
  for (int k = 0; k < 2 * width; k++)
    u[k] += a->G[q][k] * step[q];
  TEAM_ALL
  for (int k = 0; k < width; k++) {
    if (a->pair >= 0)
      first[k] = u[k];
    if (low != high)
      second[k] = u[width + k];
  }
  return moved;
}

/* Whether this lane moved a row. */
TEAM bool perp_single_sweep(perp_team t, const perp_single *p, float omega, int width)
{
  const perp_world *w = &p->w;
  perp_world_walk walk = perp_world_walk_first(t, w);
  bool moved = false;
  perp_single_task task;
  task.begin = task.count = 0;
  task.pair = -1;
  if (perp_world_walk_has(&walk))
    perp_single_read(p, walk.group, width, &task);
  TEAM_SHORT
  while (walk.colour < w->colours) {
    if (perp_world_walk_has(&walk))
      moved = perp_single_relax(p, &task, omega, width) || moved;
    const bool other = perp_world_walk_on(t, w, &walk);
    if (perp_world_walk_has(&walk))
      perp_single_read(p, walk.group, width, &task);
    if (other)
      perp_team_sync(t);
  }
  return moved;
}

/* ---- Residual and refinement ---- */

/* The bounds of d in a slot, d of its normal being what it is. */
TEAM void perp_single_bounds(const perp_single *p, int s, int width, float *lower, float *upper)
{
  const perp_world *w = &p->w;
  const float *extra = p->numbers + 2 * width * w->pitch + s;
  const int j = w->normal[s];
  *lower = extra[PERP_SINGLE_LOWER * w->pitch];
  *upper = extra[PERP_SINGLE_UPPER * w->pitch];
  if (j >= 0) {
    const float growth = perp_single_growth((float)(2 * w->x[j]), p->d[j]);
    *lower += extra[PERP_SINGLE_LEAST * w->pitch] * growth;
    *upper += extra[PERP_SINGLE_MOST * w->pitch] * growth;
  }
}

/* The natural residual as the sweeps see it. */
TEAM double perp_single_residual(perp_team t, const perp_single *p, int width)
{
  const perp_world *w = &p->w;
  float worst = 0;
  TEAM_TWICE
  for (int s = t.lane; s < w->n; s += t.lanes) {
    const int pair = w->pair[s] < 0 ? 0 : w->pair[s];
    const float *first = p->v + perp_world_low(pair) * (width + 1);
    const float *second = p->v + perp_world_high(pair) * (width + 1), *own = p->numbers + s;
    const float d = p->d[s];
    float sum[2] = {own[(2 * width + PERP_SINGLE_RHS) * w->pitch],
                    own[(2 * width + PERP_SINGLE_OWN) * w->pitch] * d};
    TEAM_ALL
    for (int k = 0; k < width; k++) {
      sum[0] += own[k * w->pitch] * first[k];
      sum[1] += own[(width + k) * w->pitch] * second[k];
    }
    float lower, upper;
    perp_single_bounds(p, s, width, &lower, &upper);
    const float y = sum[0] + sum[1], below = d - lower, above = d - upper;
    const float r = fabsf(y > below ? below : y < above ? above : y);
    worst = r <= worst ? worst : r < HUGE_VALF ? r : HUGE_VALF;
  }
  return perp_team_max(t, (double)worst);
}

/* X <- P(X + d), exactly on the bounds on which d is; the normals first. */
TEAM void perp_single_add(perp_team t, const perp_single *p, int width)
{
  const perp_world *w = &p->w;
  TEAM_SHORT
  for (int s = t.lane; s < w->n; s += t.lanes) {
    float lower, upper;
    perp_single_bounds(p, s, width, &lower, &upper);
    w->y[s] = p->d[s] <= lower ? -1 : p->d[s] >= upper ? 1 : 0;
  }
  perp_team_sync(t);
  TEAM_SHORT
  for (int turn = 0; turn < 2; turn++) {
    TEAM_SHORT
    for (int s = t.lane; s < w->n; s += t.lanes) {
      const int j = w->normal[s];
      if ((j >= 0) != (turn == 1))
        continue;
      const double at = j >= 0 ? fabs(w->x[j]) : 1, moved = w->x[s] + (double)p->d[s];
      const double lower = perp_world_lo(w, w->row[s]) * at,
                   upper = perp_world_hi(w, w->row[s]) * at;
      const double above = w->y[s] < 0 || moved < lower ? lower : moved;
      w->x[s] = w->y[s] > 0 || above > upper ? upper : above;
    }
    perp_team_sync(t);
  }
}

/* Sweeps from X until their residual is `goal`, or X is to be refined; whether it changed. */
TEAM bool perp_single_run(perp_team t, const perp_single *p, const perp_world_job *job,
                          double omega, double goal, int *steps, int width)
{
  const int begin = *steps;
  perp_single_begin(t, p, width);
  TEAM_SHORT
  for (int next = *steps + 1;;) {
    const bool moved = perp_single_sweep(t, p, (float)omega, width);
    ++*steps;
    if (*steps < next && *steps < job->most)
      continue;
    next = perp_world_next_check(*steps);
    const bool any = perp_team_vote(t, moved).count > 0;
    if (perp_single_residual(t, p, width) > goal && any && *steps < job->most &&
        *steps - begin < PERP_SINGLE_REFINE)
      continue;
    perp_single_add(t, p, width);
    return any || *steps > begin + 1;
  }
}

/* Until the residual in double says that X is a solution; x is the best that was seen. */
TEAM void perp_single_refine(perp_team t, perp_single *p, const perp_world_job *job, double target,
                             double *x, perp_job_end *end, int width, int freedom)
{
  double best = HUGE_VAL, before = HUGE_VAL, omega = job->omega;
  int begin = 0;
  bool moved = true;
  TEAM_SHORT
  for (;;) {
    const double residual = perp_world_judge(t, &p->w, width, freedom);
    if (end->steps - begin >= PERP_SINGLE_REFINE && residual > 0.5 * before && omega > 1)
      omega = 1 + (omega - 1) / 2;
    before = residual;
    begin = end->steps;
    end->state = perp_world_state(residual, target, !moved, end->steps >= job->most);
    if (residual < best) {
      best = residual;
      perp_world_store(t, &p->w, p->w.x, x);
    }
    if (end->state == PERP_JOB_CLAIMED) {
      end->residual = residual;
      return;
    }
    if (end->state != PERP_JOB_NOT_RUN)
      break;
    const double goal = perp_value_greater(0.9 * target, 1e-5 * residual);
    moved = perp_single_run(t, p, job, omega, goal, &end->steps, width);
  }
  perp_world_best(t, &p->w, x, end, width, freedom);
}
