/* sweep.h: sweeps over one contact world by one team
 *
 *   y_i = G_i u + C_ii x_i + b_i,   x_i <- P_i(x_i - omega y_i / A_ii),   u = G^T x kept up to date
 *
 * colour by colour, as method/splitting/psor.c (coloured), with its adaptive relaxation
 * (relaxation.h) and the driver's spacing of checks. One lane relaxes a group: it reads its numbers
 * before the barrier of the previous colour, and after it the velocities of two bodies; the rows
 * follow one another, y_l += (G_l . G_t) d_t, and G^T d is added to the velocities.
 *
 * Cones are solved exactly, contact by contact, as in method/splitting/bgs.c, with its damping, in
 * the order of the colours.
 *
 * A check recomputes u. The verdict uses the given J and Minv, not G.
 *
 * One sweep: 2 (2 width) multiply-adds for each row. Workspace of a team: perp_world_bytes. */
#pragma once

#include "method/splitting/relaxation.h"
#include "method/splitting/world/kernel/arrange.h"
#include "set/cone.h"

enum { PERP_WORLD_SPACING = 100 }; /* sweeps between checks, at most */

/* ---- Sweeps ---- */

TEAM double *perp_world_body(const perp_world *w, int pair, int side, int width)
{
  return w->u + (side == 0 ? perp_world_low(pair) : perp_world_high(pair)) * (width + 1);
}

/* b_i + C_ii x_i of a slot */
TEAM double perp_world_rest(const perp_world *w, int s, int width)
{
  const double rhs = w->numbers[(2 * width + PERP_WORLD_RHS) * w->pitch + s];
  return w->C || w->cfm != 0 ? rhs + perp_world_C(w, w->row[s]) * w->x[s] : rhs;
}

/* Loads the velocities of both bodies; 0 for a missing one. */
TEAM void perp_world_velocities(const perp_world *w, int pair, int width, double *u)
{
  const double *a = perp_world_body(w, pair, 0, width), *b = perp_world_body(w, pair, 1, width);
  TEAM_ALL
  for (int k = 0; k < width; k++) {
    u[k] = pair < 0 ? 0 : a[k];
    u[width + k] = pair < 0 ? 0 : b[k];
  }
}

/* Returns y of a slot, from the current velocities. */
TEAM double perp_world_gradient(const perp_world *w, int s, int width)
{
  double u[12], sum[4] = {0, 0, 0, 0};
  perp_world_velocities(w, w->pair[s], width, u);
  TEAM_ALL
  for (int k = 0; k < 2 * width; k++)
    sum[k % 4] += w->numbers[k * w->pitch + s] * u[k];
  return ((sum[0] + sum[2]) + (sum[1] + sum[3])) + perp_world_rest(w, s, width);
}

/* The data of a group that a lane reads before the velocities are known. */
typedef struct perp_world_task {
  int begin, count, pair;
  int normal[PERP_CONTACT_ROWS];
  double G[PERP_CONTACT_ROWS][12], rest[PERP_CONTACT_ROWS], x[PERP_CONTACT_ROWS];
  double inverse[PERP_CONTACT_ROWS], coupling[PERP_CONTACT_ROWS];
  double lower[PERP_CONTACT_ROWS], upper[PERP_CONTACT_ROWS];
} perp_world_task;

TEAM void perp_world_read(const perp_world *w, int g, int width, perp_world_task *a)
{
  a->begin = w->first[g];
  a->count = w->first[g + 1] - a->begin;
  a->pair = w->pair[a->begin];
  TEAM_ALL
  for (int q = 0; q < PERP_CONTACT_ROWS; q++) {
    const int s = a->begin + (q < a->count ? q : 0);
    const double *numbers = w->numbers + s, *extra = numbers + 2 * width * w->pitch;
    TEAM_ALL
    for (int k = 0; k < 2 * width; k++)
      a->G[q][k] = numbers[k * w->pitch];
    a->rest[q] = perp_world_rest(w, s, width);
    if (w->cones)
      continue;
    a->normal[q] = w->normal[s];
    a->x[q] = w->x[s];
    a->inverse[q] = extra[PERP_WORLD_INVERSE * w->pitch];
    a->coupling[q] = extra[PERP_WORLD_COUPLING * w->pitch];
    a->lower[q] = perp_world_lo(w, w->row[s]);
    a->upper[q] = perp_world_hi(w, w->row[s]);
  }
}

/* One lane relaxes the rows of a group that it has read, from the velocities u of its two bodies,
 *
 *   y_t = G_t u + C_tt x_t + b_t,   the rows in order,   u += sum_t G_t^T d_t
 *
 * The sums G_t u have the order of the CPU (operator/contact/rows.c). A layout L of row_update.h also
 * has, with its task l->a,
 *
 *   number L_x(l, t), L_rest(l, t, x_t)                    x_t; C_tt x_t + b_t
 *   void L_load(l, width, u), L_save(l, width, u)          the velocities of both bodies
 *   bool L_cone(l, y, x, d)          true: x and d are those of a cone; else its rows are updated
 *   void L_store(l, t, x_t, d_t)
 *
 * Rows beyond the task's count are read and computed, but not stored or added to u. Defines
 * L_relax(l, width), which returns true if a row moved. */
#define PERP_GROUP_UPDATE(number, L)                                                               \
  TEAM bool L##_relax(const L *l, int width)                                                       \
  {                                                                                                \
    number u[16], x[PERP_CONTACT_ROWS], y[PERP_CONTACT_ROWS], d[PERP_CONTACT_ROWS];                \
    bool moved = false;                                                                            \
    L##_load(l, width, u);                                                                         \
    TEAM_ALL                                                                                       \
    for (int t = 0; t < PERP_CONTACT_ROWS; t++) {                                                  \
      number sum[4] = {0, 0, 0, 0};                                                                \
      TEAM_ALL                                                                                     \
      for (int k = 0; k < 2 * width; k++)                                                          \
        sum[k % 4] += l->a->G[t][k] * u[k];                                                        \
      x[t] = L##_x(l, t);                                                                          \
      y[t] = ((sum[0] + sum[2]) + (sum[1] + sum[3])) + L##_rest(l, t, x[t]);                       \
      d[t] = 0;                                                                                    \
    }                                                                                              \
    if (!L##_cone(l, y, x, d)) {                                                                   \
      TEAM_ALL                                                                                     \
      for (int t = 0; t < PERP_CONTACT_ROWS; t++)                                                  \
        L##_update(l, t, PERP_CONTACT_ROWS, false, y[t], x, d);                                    \
    }                                                                                              \
    TEAM_ALL                                                                                       \
    for (int t = 0; t < PERP_CONTACT_ROWS; t++) {                                                  \
      d[t] = t < l->a->count ? d[t] : 0;                                                           \
      moved = moved || d[t] != 0;                                                                  \
      if (t < l->a->count)                                                                         \
        L##_store(l, t, x[t], d[t]);                                                               \
      TEAM_ALL                                                                                     \
      for (int k = 0; k < 2 * width; k++)                                                          \
        u[k] += l->a->G[t][k] * d[t];                                                              \
    }                                                                                              \
    L##_save(l, width, u);                                                                         \
    return moved;                                                                                  \
  }

/* A group for PERP_GROUP_UPDATE. */
typedef struct perp_world_rows {
  const perp_world *w;
  const perp_world_task *a;
  double omega;
  int width;
} perp_world_rows;

TEAM double perp_world_rows_step(const perp_world_rows *l, int t)
{
  return l->omega * l->a->inverse[t];
}

TEAM double perp_world_rows_coupling(const perp_world_rows *l, int t)
{
  return l->a->coupling[t];
}

/* A normal of the group itself is not read again. */
TEAM bool perp_world_rows_bounds(const perp_world_rows *l, int t, const double *x, double *lower,
                                 double *upper)
{
  const perp_world_task *a = l->a;
  double normal = t < a->count && a->normal[t] >= 0 ? fabs(l->w->x[a->normal[t]]) : 1;
  TEAM_ALL
  for (int s = 0; s < t; s++)
    normal = a->normal[t] == a->begin + s ? fabs(x[s]) : normal;
  *lower = a->lower[t] * normal;
  *upper = a->upper[t] * normal;
  return true;
}

PERP_ROW_UPDATE(TEAM, double, perp_world_rows, PERP_ROW_NOT_BELOW, PERP_ROW_NOT_ABOVE)

TEAM double perp_world_rows_x(const perp_world_rows *l, int t)
{
  return l->w->cones ? l->w->x[l->a->begin + t] : l->a->x[t]; /* cones need registers for other
                                                            * numbers */
}

TEAM double perp_world_rows_rest(const perp_world_rows *l, int t, double x)
{
  (void)x;
  return l->a->rest[t];
}

TEAM void perp_world_rows_load(const perp_world_rows *l, int width, double *u)
{
  perp_world_velocities(l->w, l->a->pair, width, u);
}

TEAM void perp_world_rows_save(const perp_world_rows *l, int width, const double *u)
{
  if (l->a->pair < 0)
    return;
  double *first = perp_world_body(l->w, l->a->pair, 0, width);
  double *second = perp_world_body(l->w, l->a->pair, 1, width);
  TEAM_ALL
  for (int k = 0; k < width; k++) {
    first[k] = u[k];
    if (second != first)
      second[k] = u[width + k];
  }
}

TEAM bool perp_world_rows_cone(const perp_world_rows *l, const double *y, double *x, double *d)
{
  const perp_world *w = l->w;
  const int s = l->a->begin;
  if (!w->cones)
    return false;
  double *extra = w->numbers + 2 * l->width * w->pitch + s;
  const double *diagonal = extra + PERP_WORLD_DIAGONAL * w->pitch;
  const double *between = extra + PERP_WORLD_COUPLING * w->pitch; /* (0,1), (1,2), (2,0) */
  const double W[9] = {diagonal[0], between[0], between[2], between[0], diagonal[1],
                       between[1],  between[2], between[1], diagonal[2]};
  const perp_cone_matrix made = perp_cone_make(W);
  perp_cone_relax(W, &made, w->mu[w->row[s] / 3], l->omega, extra + PERP_WORLD_SLIP * w->pitch, y,
                  x, d);
  return true;
}

/* Stores x, and its change in place of y. */
TEAM void perp_world_rows_store(const perp_world_rows *l, int t, double x, double d)
{
  l->w->x[l->a->begin + t] = x;
  l->w->y[l->a->begin + t] = d;
}

PERP_GROUP_UPDATE(double, perp_world_rows)

/* u += G^T v, for the slots from .. to - 1 of one group: lane e % 4 has half the velocities of one
 * of its bodies */
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
  for (int q = 0; q < PERP_CONTACT_ROWS; q++)
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

/* perp_world_push_part for the groups begin .. end - 1. */
TEAM void perp_world_push(perp_team t, const perp_world *w, int begin, int end, const double *v,
                          int width)
{
  TEAM_SHORT
  for (int e = t.lane; e < 4 * (end - begin); e += t.lanes) {
    const int from = w->first[begin + e / 4];
    perp_world_push_part(w, from, w->first[begin + e / 4 + 1], w->pair[from], e, v, width);
  }
  perp_team_sync(t);
}

/* The walk of a lane through the colours: a group, and the end of its colour. A lane without a
 * group in a colour walks along. */
typedef struct perp_world_walk {
  int colour, group, end;
} perp_world_walk;

TEAM perp_world_walk perp_world_walk_first(perp_team t, const perp_world *w)
{
  const perp_world_walk walk = {0, t.lane, w->colour[1]};
  return walk;
}

TEAM bool perp_world_walk_has(const perp_world_walk *walk)
{
  return walk->group < walk->end;
}

/* Moves to the next group. Returns true if it has another colour. */
TEAM bool perp_world_walk_on(perp_team t, const perp_world *w, perp_world_walk *walk)
{
  walk->group += t.lanes;
  if (walk->group < walk->end)
    return false;
  walk->colour++;
  walk->group = walk->end + t.lane;
  walk->end = w->colour[walk->colour < w->colours ? walk->colour + 1 : walk->colour];
  return true;
}

/* Reads data that do not depend on the previous colour before the barrier. Returns true if this
 * lane moved a row. */
TEAM bool perp_world_sweep(perp_team t, const perp_world *w, double omega, int width)
{
  perp_world_walk walk = perp_world_walk_first(t, w);
  bool moved = false;
  perp_world_task task;
  const perp_world_rows rows = {w, &task, omega, width};
  task.begin = task.count = 0;
  task.pair = -1;
  if (perp_world_walk_has(&walk))
    perp_world_read(w, walk.group, width, &task);
  TEAM_SHORT
  while (walk.colour < w->colours) {
    if (perp_world_walk_has(&walk))
      moved = perp_world_rows_relax(&rows, width) || moved;
    const bool other = perp_world_walk_on(t, w, &walk);
    if (perp_world_walk_has(&walk))
      perp_world_read(w, walk.group, width, &task);
    if (other)
      perp_team_sync(t);
  }
  return moved;
}

/* ---- Residuals ---- */

/* u <- G^T x */
TEAM void perp_world_refresh(perp_team t, const perp_world *w, int width)
{
  TEAM_SHORT
  for (int k = t.lane; k < w->m * (width + 1); k += t.lanes)
    w->u[k] = 0;
  perp_team_sync(t);
  TEAM_SHORT
  for (int c = 0; c < w->colours; c++)
    perp_world_push(t, w, w->colour[c], w->colour[c + 1], w->x, width);
}

/* Returns the natural residual of x and y; x - mu |x_j| is rounded once. Infinity if a number is
 * not finite. */
TEAM double perp_world_natural(perp_team t, const perp_world *w)
{
  double worst = 0;
  TEAM_SHORT
  for (int g = t.lane; w->cones && g < w->groups; g += t.lanes) {
    const int s = w->first[g];
    const double mu = w->mu[w->row[s] / 3];
    worst = perp_value_greater(worst, perp_natural_cone(mu, w->x + s, w->y + s));
  }
  TEAM_LONG
  for (int s = t.lane; !w->cones && s < w->n; s += t.lanes) {
    const double lo = perp_world_lo(w, w->row[s]), hi = perp_world_hi(w, w->row[s]);
    const double normal = w->normal[s] >= 0 ? fabs(w->x[w->normal[s]]) : 1;
    worst = perp_value_greater(worst, perp_natural_friction(w->x[s], w->y[s], lo, hi, normal));
  }
  worst = perp_team_max(t, worst);
  perp_team_sync(t); /* the data read here are written next */
  return worst;
}

/* Returns the residual of a check, after recomputing u. */
TEAM double perp_world_residual(perp_team t, const perp_world *w, int width)
{
  perp_world_refresh(t, w, width);
  TEAM_SHORT
  for (int s = t.lane; s < w->n; s += t.lanes)
    w->y[s] = perp_world_gradient(w, s, width);
  perp_team_sync(t);
  return perp_world_natural(t, w);
}

/* The data of one side of a group read by a lane: J of its rows. */
typedef struct perp_world_side {
  int at; /* 2 g + side */
  int begin, count, pair;
  double J[PERP_CONTACT_ROWS][6];
} perp_world_side;

TEAM void perp_world_side_read(const perp_world *w, int at, int freedom, perp_world_side *a)
{
  a->at = at;
  a->begin = w->first[at / 2];
  a->count = w->first[at / 2 + 1] - a->begin;
  a->pair = w->pair[a->begin];
  TEAM_ALL
  for (int q = 0; q < PERP_CONTACT_ROWS; q++) {
    const double *own = perp_world_J(w, a->begin + (q < a->count ? q : 0), at % 2, freedom);
    TEAM_ALL
    for (int k = 0; k < freedom; k++)
      a->J[q][k] = own[k];
  }
}

/* Returns the velocities of a body in two doubles each, first all high parts. */
TEAM double *perp_world_exact(const perp_world *w, int pair, int side, int width)
{
  return w->exact + 2 * width * (side == 0 ? perp_world_low(pair) : perp_world_high(pair));
}

/* u += J^T x of that side */
TEAM void perp_world_side_push(const perp_world *w, const perp_world_side *a, int width,
                               int freedom)
{
  const int side = a->at % 2;
  if (a->pair < 0 || (side == 1 && perp_world_low(a->pair) == perp_world_high(a->pair)))
    return;
  double *u = perp_world_exact(w, a->pair, side, width);
  TEAM_ALL
  for (int k = 0; k < freedom; k++) {
    double high = u[k], low = u[width + k];
    TEAM_ALL
    for (int q = 0; q < PERP_CONTACT_ROWS; q++)
      if (q < a->count)
        perp_twice_add(a->J[q][k], w->x[a->begin + q], &high, &low);
    u[k] = high;
    u[width + k] = low;
  }
}

/* Computes Minv J^T x in two doubles each, from the given numbers; returns false if x = 0. Reads J of a
 * colour ahead, while the previous colour is computed, to hide memory latency. */
TEAM bool perp_world_true_velocities(perp_team t, const perp_world *w, int width, int freedom)
{
  bool any = false;
  TEAM_SHORT
  for (int s = t.lane; s < w->n; s += t.lanes)
    any = any || w->x[s] != 0;
  if (perp_team_vote(t, any).count == 0)
    return false;
  TEAM_SHORT
  for (int k = t.lane; k < 2 * width * w->m; k += t.lanes)
    w->exact[k] = 0;
  perp_team_sync(t);
  perp_world_side mine;
  mine.at = mine.pair = -1;
  mine.begin = mine.count = 0;
  if (t.lane < 2 * w->colour[1])
    perp_world_side_read(w, t.lane, freedom, &mine);
  TEAM_SHORT
  for (int c = 0; c < w->colours; c++) {
    const int from = 2 * w->colour[c] + t.lane, to = 2 * w->colour[c + 1];
    TEAM_SHORT
    for (int e = from; e < to; e += t.lanes) {
      if (e != mine.at)
        perp_world_side_read(w, e, freedom, &mine);
      perp_world_side_push(w, &mine, width, freedom);
    }
    if (c + 1 < w->colours && to + t.lane < 2 * w->colour[c + 2])
      perp_world_side_read(w, to + t.lane, freedom, &mine);
    perp_team_sync(t);
  }
  TEAM_SHORT
  for (int k = t.lane; k < w->m; k += t.lanes) {
    const double *M = w->Minv + (int64_t)k * freedom * freedom;
    double *u = w->exact + 2 * width * k, high[6], low[6];
    TEAM_ALL
    for (int i = 0; i < freedom; i++) {
      high[i] = low[i] = 0;
      TEAM_ALL
      for (int j = 0; j < freedom; j++)
        perp_twice_add_pair(M[i * freedom + j], u[j], u[width + j], &high[i], &low[i]);
    }
    TEAM_ALL
    for (int i = 0; i < freedom; i++) {
      u[i] = high[i];
      u[width + i] = low[i];
    }
  }
  perp_team_sync(t);
  return true;
}

/* Returns the residual of the verdict and sets y of x, summed in twice the precision. The
 * velocities overwrite u. */
TEAM double perp_world_judge(perp_team t, const perp_world *w, int width, int freedom)
{
  const bool any = perp_world_true_velocities(t, w, width, freedom);
  TEAM_TWICE
  for (int s = t.lane; s < w->n; s += t.lanes) {
    const int pair = w->pair[s], i = w->row[s];
    double high = w->b[i], low = 0;
    perp_twice_add(perp_world_C(w, i), w->x[s], &high, &low);
    TEAM_ALL
    for (int side = 0; side < 2; side++)
      if (any && pair >= 0 && (side == 0 || perp_world_low(pair) != perp_world_high(pair))) {
        const double *u = perp_world_exact(w, pair, side, width);
        const double *J = perp_world_J(w, s, side, freedom);
        TEAM_ALL
        for (int k = 0; k < freedom; k++)
          perp_twice_add_pair(J[k], u[k], u[width + k], &high, &low);
      }
    w->y[s] = high + low;
  }
  perp_team_sync(t);
  return perp_world_natural(t, w);
}

/* ---- The run ---- */

/* Returns |v - start| over all slots, or |v| if start is NULL, by a fixed number of sums for any
 * number of lanes. */
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

/* Adapts the damping after a sweep over cones. */
TEAM void perp_world_damp(perp_team t, const perp_world *w, perp_damping *d)
{
  const double step = perp_world_length(t, w, w->y, NULL);
  if (!perp_damping_step(d, step))
    return;
  perp_damping_adapt(d, perp_world_length(t, w, w->x, w->start), step);
  TEAM_SHORT
  for (int s = t.lane; s < w->n; s += t.lanes)
    w->start[s] = w->x[s];
  perp_team_sync(t);
}

/* Stores x in the caller's array, by rows. */
TEAM void perp_world_store(perp_team t, const perp_world *w, const double *from, double *x)
{
  for (int s = t.lane; s < w->n; s += t.lanes)
    x[w->row[s]] = from[s];
  perp_team_sync(t);
}

/* Returns the sweep of the next check, with the driver's spacing. */
TEAM int perp_world_next_check(int steps)
{
  const int spacing = steps / 8;
  return steps + (spacing < 1 ? 1 : spacing > PERP_WORLD_SPACING ? PERP_WORLD_SPACING : spacing);
}

/* Returns the state after a check. */
TEAM int perp_world_state(double residual, double target, bool still, bool last)
{
  return perp_verdict_solved(residual, target) ? PERP_JOB_CLAIMED
         : residual == HUGE_VAL                ? PERP_JOB_NON_FINITE
         : still                               ? PERP_JOB_STILL
         : last                                ? PERP_JOB_LIMIT
                                               : PERP_JOB_NOT_RUN;
}

/* Restores the best x, and its residual. */
TEAM void perp_world_best(perp_team t, const perp_world *w, const double *x, perp_job_end *end,
                          int width, int freedom)
{
  perp_world_load(t, w, x);
  end->residual = perp_world_judge(t, w, width, freedom);
}

/* Sweeps until a check shows a solution; x is the best seen. */
TEAM void perp_world_run(perp_team t, perp_world *w, const perp_world_job *job, double target,
                         double *x, perp_job_end *end, int width, int freedom)
{
  perp_tuning tuning = perp_tuning_begin(job->omega > 0 ? job->omega : 1);
  perp_damping damping = perp_damping_begin(tuning.omega);
  double best = HUGE_VAL;
  bool moved = true;
  TEAM_SHORT
  for (int s = t.lane; w->cones && s < w->n; s += t.lanes)
    w->start[s] = w->x[s];
  TEAM_SHORT
  for (;;) {
    const bool last = end->iterations >= job->most;
    const bool still = end->iterations > 0 && perp_team_vote(t, moved).count == 0;
    double residual = perp_world_residual(t, w, width);
    const bool judged = perp_verdict_solved(residual, target);
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
    /* a separate loop, so that the check above takes none of its registers */
    const int next = perp_world_next_check(end->iterations);
    TEAM_SHORT
    do {
      moved = perp_world_sweep(t, w, w->cones ? damping.omega : tuning.omega, width);
      if (job->omega == 0 && w->cones)
        perp_world_damp(t, w, &damping);
      else if (job->omega == 0)
        perp_tuning_sweep(&tuning,
                          perp_tuning_measures(&tuning) ? perp_world_length(t, w, w->y, NULL) : 0);
      end->iterations++;
    } while (end->iterations < next && end->iterations < job->most);
  }
  perp_world_best(t, w, x, end, width, freedom);
}
