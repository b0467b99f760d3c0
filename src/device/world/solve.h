/* solve.h: sweeps over one contact world by one team
 *
 *   y_i = G_i u + C_ii x_i + b_i,   x_i <- P_i(x_i - omega y_i / A_ii),   u = G^T x kept up to date
 *
 * colour by colour, as method/splitting/psor.c (coloured) does, with its relaxation found on the run
 * (sweep.c) and the driver's times of checking. The work on a colour has three parts, between
 * barriers: a lane for each row multiplies G_i u; a lane for each group relaxes its rows one after
 * another, y_l += (G_l . G_t) d_t; and four lanes for each group add G^T d to the velocities of two
 * bodies. So 12 multiply-adds follow one another where one lane for each group would have 90.
 *
 * Cones are solved exactly, contact by contact, as method/splitting/bgs.c does, with its damping; the
 * order is that of the colours.
 *
 * A check computes u anew. The verdict takes J and Minv as they were given, not G.
 *
 * One sweep: 2 (2 width) multiply-adds for each row. Workspace of a team: perp_world_bytes. */
#pragma once

#include "device/contact/cone.h"
#include "device/world/read.h"

enum { PERP_WORLD_SHORTEST = 8, PERP_WORLD_LONGEST = 50 }; /* periods of the tuner */
enum { PERP_WORLD_SPACING = 100 };                         /* sweeps between checks, at most */

/* ---- Sweeps ---- */

TEAM double *perp_world_body(const perp_world *w, int pair, int side, int width)
{
  return w->u + (side == 0 ? perp_world_low(pair) : perp_world_high(pair)) * (width + 1);
}

/* y of a slot, from the velocities as they are: four sums, so that no long chain is waited for */
TEAM double perp_world_gradient(const perp_world *w, int s, int width)
{
  const double *G = w->numbers + s, *extra = G + 2 * width * w->pitch;
  double sum[4] = {0, 0, 0, 0};
  if (w->pair[s] >= 0) {
    const double *a = perp_world_body(w, w->pair[s], 0, width);
    const double *b = perp_world_body(w, w->pair[s], 1, width);
    TEAM_ALL
    for (int k = 0; k < width; k++) {
      sum[k % 2] += G[k * w->pitch] * a[k];
      sum[2 + k % 2] += G[(width + k) * w->pitch] * b[k];
    }
  }
  double rest = extra[PERP_WORLD_RHS * w->pitch];
  if (w->C || w->cfm != 0)
    rest += perp_world_C(w, w->row[s]) * w->x[s];
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + rest;
}

/* What a lane has read of a group before its y is known. */
typedef struct perp_world_task {
  int begin, count; /* no rows: there is no group for this lane */
  int normal[PERP_CONTACTS_ROWS];
  double x[PERP_CONTACTS_ROWS], at[PERP_CONTACTS_ROWS]; /* at: |x| of the normal, 1 if none */
  double step[PERP_CONTACTS_ROWS], coupling[PERP_CONTACTS_ROWS];
  double lower[PERP_CONTACTS_ROWS], upper[PERP_CONTACTS_ROWS];
} perp_world_task;

TEAM void perp_world_read(const perp_world *w, int g, int end, double omega, int width,
                          perp_world_task *a)
{
  a->begin = a->count = 0;
  if (g >= end || w->mu)
    return;
  a->begin = w->first[g];
  a->count = w->first[g + 1] - a->begin;
  TEAM_ALL
  for (int q = 0; q < PERP_CONTACTS_ROWS; q++) {
    const int s = a->begin + (q < a->count ? q : 0), j = w->normal[s];
    const double *extra = w->numbers + 2 * width * w->pitch + s;
    a->normal[q] = j;
    a->x[q] = w->x[s];
    a->at[q] = j >= 0 ? fabs(w->x[j]) : 1;
    a->step[q] = omega * extra[PERP_WORLD_INVERSE * w->pitch];
    a->coupling[q] = extra[PERP_WORLD_COUPLING * w->pitch];
    a->lower[q] = perp_world_lo(w, w->row[s]);
    a->upper[q] = perp_world_hi(w, w->row[s]);
  }
}

/* The rows of a group in order: x, and the change of x in place of y. Infinity times a normal of 0
 * is NaN, which no comparison heeds: the bound stays infinite. */
TEAM void perp_world_relax(const perp_world *w, const perp_world_task *a)
{
  double d[PERP_CONTACTS_ROWS] = {0, 0, 0}, z[PERP_CONTACTS_ROWS] = {0, 0, 0};
  double y[PERP_CONTACTS_ROWS] = {0, 0, 0};
  TEAM_ALL
  for (int q = 0; q < PERP_CONTACTS_ROWS; q++)
    if (q < a->count)
      y[q] = w->y[a->begin + q];
  TEAM_ALL
  for (int q = 0; q < PERP_CONTACTS_ROWS; q++) {
    if (q >= a->count)
      continue;
    double normal = a->at[q];
    TEAM_ALL
    for (int l = 0; l < q; l++) {
      y[q] += a->coupling[q == l + 1 ? l : q] * d[l]; /* that of the third is with the first */
      normal = a->normal[q] == a->begin + l ? fabs(z[l]) : normal;
    }
    const double lower = a->lower[q] * normal, upper = a->upper[q] * normal;
    const double value = a->x[q] - a->step[q] * y[q], above = value < lower ? lower : value;
    z[q] = above > upper ? upper : above;
    d[q] = z[q] - a->x[q];
    w->x[a->begin + q] = z[q];
    w->y[a->begin + q] = d[q];
  }
}

/* The cone of group g: x, and its change in place of y. */
TEAM void perp_world_relax_cone(const perp_world *w, int g, double omega, int width)
{
  const int s = w->first[g];
  double *extra = w->numbers + 2 * width * w->pitch + s;
  const double *diagonal = extra + PERP_WORLD_DIAGONAL * w->pitch;
  const double *between = extra + PERP_WORLD_COUPLING * w->pitch; /* (0,1), (1,2), (2,0) */
  const double W[9] = {diagonal[0], between[0], between[2], between[0], diagonal[1],
                       between[1],  between[2], between[1], diagonal[2]};
  const double y[3] = {w->y[s], w->y[s + 1], w->y[s + 2]};
  perp_cone_relax(W, w->mu[w->row[s] / 3], omega, extra + PERP_WORLD_SLIP * w->pitch, y, w->x + s,
                  w->y + s);
}

/* u += G^T v, of the slots from .. to - 1 of one group: lane e % 4 has half the velocities of one of
 * its bodies */
TEAM void perp_world_push_part(const perp_world *w, int from, int to, int pair, int e,
                               const double *v, int width)
{
  const int half = width / 2, side = e % 4 / 2, part = e % 2 * half;
  if (pair < 0 || (side == 1 && perp_world_low(pair) == perp_world_high(pair)))
    return;
  double *u = perp_world_body(w, pair, side, width) + part;
  const double *G = w->numbers + (side * width + part) * w->pitch;
  double sum[3];
  TEAM_ALL
  for (int k = 0; k < half; k++)
    sum[k] = u[k];
  TEAM_ALL
  for (int q = 0; q < PERP_CONTACTS_ROWS; q++)
    if (from + q < to) {
      const double value = v[from + q];
      TEAM_ALL
      for (int k = 0; k < half; k++)
        sum[k] += G[k * w->pitch + from + q] * value;
    }
  TEAM_ALL
  for (int k = 0; k < half; k++)
    u[k] = sum[k];
}

/* The same for the groups begin .. end - 1, from lane `e` on. */
TEAM void perp_world_push(perp_team t, const perp_world *w, int begin, int end, int e,
                          const double *v, int width)
{
  TEAM_SHORT
  for (; e < 4 * (end - begin); e += t.lanes) {
    const int from = w->first[begin + e / 4];
    perp_world_push_part(w, from, w->first[begin + e / 4 + 1], w->pair[from], e, v, width);
  }
  perp_team_sync(t);
}

/* What does not depend on the colour before is read ahead: mostly a colour has no more groups than
 * there are lanes for. */
TEAM void perp_world_sweep(perp_team t, const perp_world *w, double omega, int width)
{
  int begin = 0, end = w->colour[1], slot = 0, slots = w->first[end];
  TEAM_SHORT
  for (int c = 0; c < w->colours; c++) {
    const int after = w->colour[c + 1 < w->colours ? c + 2 : c + 1], slots_after = w->first[after];
    const int mine = begin + t.lane / 4, from = mine < end ? w->first[mine] : 0;
    const int to = mine < end ? w->first[mine + 1] : 0, pair = mine < end ? w->pair[from] : -1;
    perp_world_task task;
    perp_world_read(w, begin + t.lane, end, omega, width, &task);
    TEAM_SHORT
    for (int s = slot + t.lane; s < slots; s += t.lanes)
      w->y[s] = perp_world_gradient(w, s, width);
    perp_team_sync(t);
    TEAM_SHORT
    for (int g = begin + t.lane; g < end; g += t.lanes) {
      if (w->mu)
        perp_world_relax_cone(w, g, omega, width);
      else
        perp_world_relax(w, &task);
      if (g + t.lanes < end)
        perp_world_read(w, g + t.lanes, end, omega, width, &task);
    }
    perp_team_sync(t);
    perp_world_push_part(w, from, to, pair, t.lane, w->y, width);
    perp_world_push(t, w, begin, end, t.lane + t.lanes, w->y, width);
    begin = end;
    end = after;
    slot = slots;
    slots = slots_after;
  }
}

/* ---- Residuals ---- */

TEAM void perp_world_clear(perp_team t, const perp_world *w, int width)
{
  TEAM_SHORT
  for (int k = t.lane; k < w->m * (width + 1); k += t.lanes)
    w->u[k] = 0;
  perp_team_sync(t);
}

/* u <- G^T x */
TEAM void perp_world_refresh(perp_team t, const perp_world *w, int width)
{
  perp_world_clear(t, w, width);
  TEAM_SHORT
  for (int c = 0; c < w->colours; c++)
    perp_world_push(t, w, w->colour[c], w->colour[c + 1], t.lane, w->x, width);
}

/* max |x - P(x - u)| of group g, u = y with y_n raised by mu |y_t|. */
TEAM double perp_world_natural_cone(const perp_world *w, int g)
{
  const int s = w->first[g];
  const double *x = w->x + s, *y = w->y + s;
  const double mu = w->mu[w->row[s] / 3];
  double z[3] = {x[0] - (y[0] + mu * perp_team_hypot(y[1], y[2])), x[1] - y[1], x[2] - y[2]};
  perp_cone_project(mu, z);
  double worst = 0;
  TEAM_ALL
  for (int k = 0; k < 3; k++) {
    worst = perp_value_greater(worst, fabs(x[k] - z[k]));
    if (!perp_value_is_finite(x[k]) || !perp_value_is_finite(y[k]))
      worst = HUGE_VAL;
  }
  return worst;
}

/* The natural residual of x and y; x - mu |x_j| is rounded once. Infinity if a number is not
 * finite. */
TEAM double perp_world_natural(perp_team t, const perp_world *w)
{
  double worst = 0;
  TEAM_SHORT
  for (int g = t.lane; w->mu && g < w->groups; g += t.lanes)
    worst = perp_value_greater(worst, perp_world_natural_cone(w, g));
  TEAM_SHORT
  for (int s = t.lane; !w->mu && s < w->n; s += t.lanes) {
    const double lower = perp_world_lo(w, w->row[s]), upper = perp_world_hi(w, w->row[s]);
    const double x = w->x[s], y = w->y[s],
                 normal = w->normal[s] >= 0 ? fabs(w->x[w->normal[s]]) : 1;
    const double below = lower > -HUGE_VAL ? fma(-lower, normal, x) : HUGE_VAL;
    const double above = upper < HUGE_VAL ? fma(-upper, normal, x) : -HUGE_VAL;
    const double r = fabs(y > below ? below : y < above ? above : y);
    worst = perp_value_is_finite(x) && perp_value_is_finite(y) ? perp_value_greater(worst, r)
                                                               : HUGE_VAL;
    if (worst == HUGE_VAL)
      break;
  }
  return perp_team_max(t, worst);
}

/* That of a check; u is that of x then. */
TEAM double perp_world_residual(perp_team t, const perp_world *w, int width)
{
  perp_world_refresh(t, w, width);
  TEAM_SHORT
  for (int s = t.lane; s < w->n; s += t.lanes)
    w->y[s] = perp_world_gradient(w, s, width);
  perp_team_sync(t);
  return perp_world_natural(t, w);
}

/* u <- Minv J^T x, not scaled, from the numbers as given */
TEAM void perp_world_true_velocities(perp_team t, const perp_world *w, int width, int freedom)
{
  perp_world_clear(t, w, width);
  TEAM_SHORT
  for (int c = 0; c < w->colours; c++) {
    TEAM_SHORT
    for (int e = 2 * w->colour[c] + t.lane; e < 2 * w->colour[c + 1]; e += t.lanes) {
      const int from = w->first[e / 2], to = w->first[e / 2 + 1], pair = w->pair[from];
      if (pair < 0 || (e % 2 == 1 && perp_world_low(pair) == perp_world_high(pair)))
        continue;
      double *u = perp_world_body(w, pair, e % 2, width);
      TEAM_SHORT
      for (int s = from; s < to; s++) {
        const double *J = perp_world_J(w, w->row[s], e % 2, freedom);
        TEAM_ALL
        for (int k = 0; k < freedom; k++)
          u[k] += J[k] * w->x[s];
      }
    }
    perp_team_sync(t);
  }
  TEAM_SHORT
  for (int k = t.lane; k < w->m; k += t.lanes) {
    const double *M = w->Minv + (int64_t)k * freedom * freedom;
    double *u = w->u + k * (width + 1), v[6];
    TEAM_ALL
    for (int i = 0; i < freedom; i++) {
      v[i] = 0;
      TEAM_ALL
      for (int j = 0; j < freedom; j++)
        v[i] += M[i * freedom + j] * u[j];
    }
    TEAM_ALL
    for (int i = 0; i < freedom; i++)
      u[i] = v[i];
  }
  perp_team_sync(t);
}

/* The residual as the verdict takes it; y of x. The velocities are not scaled then. */
TEAM double perp_world_judge(perp_team t, const perp_world *w, int width, int freedom)
{
  perp_world_true_velocities(t, w, width, freedom);
  TEAM_SHORT
  for (int s = t.lane; s < w->n; s += t.lanes) {
    const int pair = w->pair[s], i = w->row[s];
    double sum = 0;
    for (int side = 0; side < 2; side++)
      if (pair >= 0 && (side == 0 || perp_world_low(pair) != perp_world_high(pair))) {
        const double *u = perp_world_body(w, pair, side, width);
        const double *J = perp_world_J(w, i, side, freedom);
        TEAM_ALL
        for (int k = 0; k < freedom; k++)
          sum += J[k] * u[k];
      }
    w->y[s] = sum + perp_world_C(w, i) * w->x[s] + w->b[i];
  }
  perp_team_sync(t);
  return perp_world_natural(t, w);
}

/* ---- The run ---- */

/* The relaxation that the sweeps suggest: perp_tuner of method/splitting/sweep.c. */
typedef struct perp_world_tuner {
  double omega, most, first;
  int period, sweeps;
} perp_world_tuner;

/* |v - start| over all slots, or |v| if start is NULL: by as many sums whatever the number of
 * lanes. */
TEAM double perp_world_length(perp_team t, const perp_world *w, const double *v,
                              const double *start)
{
  TEAM_SHORT
  for (int j = t.lane; j < PERP_WORLD_PARTS && j < w->n; j += t.lanes) {
    double sum = 0;
    TEAM_LONG
    for (int s = j; s < w->n; s += PERP_WORLD_PARTS) {
      const double value = start ? v[s] - start[s] : v[s];
      sum += value * value;
    }
    w->part[j] = sum;
  }
  perp_team_sync(t);
  double total = 0;
  TEAM_LONG
  for (int j = 0; j < PERP_WORLD_PARTS && j < w->n; j++)
    total += w->part[j];
  perp_team_sync(t);
  return sqrt(total);
}

TEAM void perp_world_tune(perp_world_tuner *o, double last)
{
  const double ratio = last / o->first;
  if (!(ratio < 1)) {
    o->most = 1 + 0.8 * (o->omega - 1);
    o->omega = 1 + (o->omega - 1) / 2;
    return;
  }
  const double rho = perp_team_pow(ratio, 1.0 / (o->period - 2));
  if (!(rho > o->omega - 1) || rho == 0)
    return;
  const double sum = rho + o->omega - 1, mu2 = sum * sum / (rho * o->omega * o->omega);
  const double best = 2 / (1 + sqrt(1 - (mu2 < 1 - 1e-9 ? mu2 : 1 - 1e-9)));
  const double raised = best > o->omega ? best : o->omega;
  o->omega = raised < o->most ? raised : o->most;
}

/* After a sweep. */
TEAM void perp_world_tuned(perp_team t, const perp_world *w, perp_world_tuner *o)
{
  const bool first = o->sweeps == 1, last = o->sweeps == o->period - 1;
  o->sweeps++;
  if (!first && !last)
    return;
  const double step = perp_world_length(t, w, w->y, NULL);
  if (first) {
    o->first = step;
    return;
  }
  perp_world_tune(o, step);
  o->sweeps = 0;
  o->period = o->period * 3 / 2 < PERP_WORLD_LONGEST ? o->period * 3 / 2 : PERP_WORLD_LONGEST;
}

enum { PERP_WORLD_PERIOD = 50, PERP_WORLD_FIRST = 10 }; /* sweeps of the damper */

/* The damping of sweeps over cones: `damper` of method/splitting/bgs.c. */
typedef struct perp_world_damper {
  double first, path, most;
  bool relaxed;
  int sweeps;
} perp_world_damper;

/* omega after a sweep. */
TEAM double perp_world_damped(perp_team t, const perp_world *w, perp_world_damper *o, double omega)
{
  const double step = perp_world_length(t, w, w->y, NULL);
  if (o->path == 0)
    o->first = step;
  o->path += step;
  if (++o->sweeps < PERP_WORLD_PERIOD)
    return omega;
  const double distance = perp_world_length(t, w, w->x, w->start);
  if (distance < 0.5 * o->path && step > 0.5 * o->first) {
    o->most = 0.85 * omega;
    omega = perp_value_greater(0.7 * omega, 0.05);
  } else if (distance > 0.7 * o->path) {
    o->most = 1.02 * o->most < 1.4 ? 1.02 * o->most : 1.4;
    omega = 1.1 * omega < o->most ? 1.1 * omega : o->most;
  }
  if (!o->relaxed)
    omega = 1.3;
  o->relaxed = true;
  o->path = 0;
  o->sweeps = 0;
  TEAM_SHORT
  for (int s = t.lane; s < w->n; s += t.lanes)
    w->start[s] = w->x[s];
  perp_team_sync(t);
  return omega;
}

/* x of the caller <- x; by rows */
TEAM void perp_world_store(perp_team t, const perp_world *w, const double *from, double *x)
{
  for (int s = t.lane; s < w->n; s += t.lanes)
    x[w->row[s]] = from[s];
  perp_team_sync(t);
}

/* The sweep after which there is the next check, as those of the driver. */
TEAM int perp_world_next_check(int steps)
{
  const int spacing = steps / 8;
  return steps + (spacing < 1 ? 1 : spacing > PERP_WORLD_SPACING ? PERP_WORLD_SPACING : spacing);
}

/* What a check says. */
TEAM int perp_world_state(double residual, double target, bool still, bool last)
{
  return residual <= target     ? PERP_JOB_CLAIMED
         : residual == HUGE_VAL ? PERP_JOB_NON_FINITE
         : still                ? PERP_JOB_STILL
         : last                 ? PERP_JOB_LIMIT
                                : PERP_JOB_NOT_RUN;
}

/* Back to the x that was the best, and its residual. */
TEAM void perp_world_best(perp_team t, const perp_world *w, const double *x, perp_job_end *end,
                          int width, int freedom)
{
  for (int s = t.lane; s < w->n; s += t.lanes)
    w->x[s] = x[w->row[s]];
  perp_team_sync(t);
  end->residual = perp_world_judge(t, w, width, freedom);
}

/* Sweeps until a check says that x is a solution; x is the best that was seen. */
TEAM void perp_world_run(perp_team t, perp_world *w, const perp_world_job *job, double target,
                         double *x, perp_job_end *end, int width, int freedom)
{
  perp_world_tuner tuner = {job->omega > 0 ? job->omega : 1, 1.98, 0, PERP_WORLD_SHORTEST, 0};
  perp_world_damper damper = {0, 0, 1.4, false, PERP_WORLD_PERIOD - PERP_WORLD_FIRST};
  double best = HUGE_VAL;
  int next = 0;
  TEAM_SHORT
  for (int s = t.lane; w->mu && s < w->n; s += t.lanes)
    w->start[s] = w->x[s];
  TEAM_SHORT
  for (;; end->steps++) {
    const bool last = end->steps >= job->most;
    if (end->steps >= next || last) {
      const bool still = end->steps > 0 && perp_world_length(t, w, w->y, NULL) == 0;
      double residual = perp_world_residual(t, w, width);
      const bool judged = residual <= target;
      if (judged)
        residual = perp_world_judge(t, w, width, freedom);
      end->state = perp_world_state(residual, target, still, last);
      if (residual < best) {
        best = residual;
        perp_world_store(t, w, w->x, x);
      }
      if (end->state == PERP_JOB_CLAIMED) {
        end->residual = residual;
        return;
      }
      if (end->state != PERP_JOB_NOT_RUN)
        break;
      if (judged)
        perp_world_refresh(t, w, width);
      next = perp_world_next_check(end->steps);
    }
    perp_world_sweep(t, w, tuner.omega, width);
    if (job->omega == 0 && w->mu)
      tuner.omega = perp_world_damped(t, w, &damper, tuner.omega);
    else if (job->omega == 0)
      perp_world_tuned(t, w, &tuner);
  }
  perp_world_best(t, w, x, end, width, freedom);
}
