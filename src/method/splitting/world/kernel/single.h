/* single.h: sweeps over one contact world in single precision, refined and judged in double
 *
 *   x = X + d,   y_i = (A X + b)_i + G_i v + C_ii d_i,   v = G^T d
 *   d_i <- P(d_i - omega y_i / A_ii) onto the bounds of x_i less X_i,   v kept up to date
 *
 * X, A X + b and the bounds are double; d, v, G and the arithmetic of sweeps are single. If the
 * residual of the sweeps is 1e-5 times the residual at X, or small enough for a verdict,
 * X <- P(X + d) and d <- 0. A X + b is then recomputed in double from the given J and Minv, so that
 * the rounding of single precision returns as a right-hand side (iterative refinement). Only that
 * residual counts.
 *
 * While it helps, a sweep starts from a combination of the last three (Anderson acceleration with a
 * memory of two steps). With S = the d after a sweep, g = S - the d before it, and ', '' for the
 * sweeps before:
 *
 *   gamma minimises |g - gamma_0 (g - g') - gamma_1 (g' - g'')|
 *   d <- S - gamma_0 (S - S') - gamma_1 (S' - S''),   v likewise
 *
 * If g is longer than g', the memory is cleared; d is within its bounds after the next sweep.
 * Accelerated sweeps have the relaxation 1 + (omega - 1) / 2. If 100 of them have not halved the
 * residual, plain sweeps follow. With friction and omega > 1 these may cycle, so if 100 have not
 * halved it either, omega <- 1 + (omega - 1) / 2 for the next plain sweeps, and accelerated ones
 * follow. (With 50 accelerated sweeps the slowest of 1000 heaps takes up to twice as many.)
 *
 * A friction bound mu |x_j| moves with d_j: |X_j + d_j| - |X_j| = max(s d_j, -2 |X_j| - s d_j), s
 * the sign of X_j, without a difference of large numbers.
 *
 * A cone takes a step of the same kind instead of the exact one of bgs, whose search for the slip is
 * several times as long: x_n >= 0, then x_t <- P(x_t - c y_t) onto the disk |x_t| <= mu x_n with one c for
 * both tangents, so that x_t and y_t are opposite where it rests. The slip does not tend to 0, so the
 * tangents are turned: the first points along X_t, the second across it, where y does. With R = |X_t| and
 * x_t - c y_t = (R + a, b), b and the results below are small, and no large numbers are subtracted:
 *
 *   rho = mu (X_n + d_n),   e = rho - R = (mu X_n - R) + mu d_n,   L = |(R + a, b)|
 *   if L > rho, that is (a - e) (R + a + rho) + b^2 > 0:
 *   d_2 = rho b / L,   d_1 = rho (R + a) / L - R = e - rho b^2 / (L (L + R + a))
 *
 * One lane relaxes a group. It reads the data that do not depend on the previous colour before the
 * barrier; after it the velocities of two bodies, 36 multiply-adds, the rows one after another, and
 * 36 multiply-adds. Workspace of a team: perp_world_bytes. */
#pragma once

#include "method/splitting/world/kernel/sweep.h"

enum { PERP_SINGLE_REFINE = 100 }; /* sweeps between refinements, at most */
enum { PERP_SINGLE_CHECK = 4 };    /* sweeps between checks of their residual, at least */
enum { PERP_SINGLE_NOBODY = 1023 };

typedef struct perp_single {
  perp_world w;   /* x is X; its numbers are unused */
  float *numbers; /* number k of a slot: [slot APART + k] */
  float *v;       /* PERP_SINGLE_BODY apart */
  float *d;       /* by slot */
  float *twice;   /* by slot: 2 X of its friction index, or 0 */
  float *g;       /* by slot: its change in a sweep */
  float *part;    /* of sums, PERP_WORLD_PARTS of each */
  float *total;   /* of sums, four of each */
  uint32_t
      *place; /* by group: its first slot, its rows times 2^10, its bodies times 2^12 and 2^22 */
  /* S', g', S' - S'' and g' - g'', the first two in the memory of y, which sweeps do not need; v
   * after the previous sweep, and its change */
  float *d_before, *g_before, *d_change, *g_change, *v_before, *v_change;
} perp_single;

TEAM void perp_single_share(perp_single *p, double *memory)
{
  perp_world *w = &p->w;
  const int n = w->n, room = (n + 3) / 4 * 4; /* four at once */
  w->pitch = 0;
  w->numbers = memory; /* while the rows are arranged */
  w->start = w->part = NULL;
  w->factor = NULL;
  p->numbers = (float *)(void *)memory;
  p->v = p->numbers + PERP_SINGLE_APART * n;
  p->v_before = p->v + PERP_SINGLE_BODY * (w->m + 1);
  p->v_change = p->v_before + PERP_SINGLE_BODY * (w->m + 1);
  p->part = p->v_change + PERP_SINGLE_BODY * (w->m + 1);
  p->total = p->part + PERP_SINGLE_SUMS * PERP_WORLD_PARTS;
  w->u = w->exact = (double *)(void *)p->v; /* used only between sweeps: 4 width singles a body */
  w->x = (double *)(void *)(p->total + 4 * PERP_SINGLE_SUMS);
  w->y = w->x + room;
  p->d = (float *)(void *)(w->y + room);
  p->twice = p->d + room;
  p->g = p->twice + room;
  p->d_before = (float *)(void *)w->y;
  p->g_before = p->d_before + room;
  p->d_change = p->g + room;
  p->g_change = p->d_change + room;
  w->pair = (int *)(void *)(p->g_change + room);
  p->place = (uint32_t *)(void *)(w->pair + n);
  w->colour = w->pair + 2 * n;
  w->row = (int16_t *)(void *)(w->colour + PERP_WORLD_COLOURS + 1);
  w->normal = w->row + n;
  w->first = w->normal + n;
  /* memory from here on is free until the rows are scaled; colours are found in p->v */
  double *begin = (double *)(void *)p->v_before;
  if (PERP_WORLD_FACTOR * w->m <= (double *)(void *)w->pair - begin)
    w->factor = begin;
}

/* ---- Numbers ---- */

TEAM float perp_single_dot(const float *a, const float *b, int width)
{
  float sum = 0;
  TEAM_ALL
  for (int k = 0; k < 2 * width; k++)
    sum += a[k] * b[k];
  return sum;
}

/* Writes the constant numbers that follow G in row q of a group. Returns true if its diagonal is a
 * positive number. */
TEAM bool perp_single_extras(const perp_single *p, int begin, int q, int count, int width)
{
  const perp_world *w = &p->w;
  const int i = w->row[begin + q];
  const double C_own = perp_world_C(w, i), lo = perp_world_lo(w, i), hi = perp_world_hi(w, i);
  float *G = p->numbers + (begin + q) * PERP_SINGLE_APART, *extra = G + 2 * width;
  const float *next = p->numbers + (begin + (q + 1 < count ? q + 1 : 0)) * PERP_SINGLE_APART;
  const float C = (float)C_own, diagonal = perp_single_dot(G, G, width) + C, inverse = 1 / diagonal;
  extra[PERP_SINGLE_INVERSE] = inverse;
  extra[PERP_SINGLE_COUPLING] = perp_single_dot(G, next, width);
  extra[PERP_SINGLE_OWN] = C;
  extra[PERP_SINGLE_LEAST] = w->cones ? (float)(q < 2) : (float)lo; /* of a cone: not turned */
  extra[PERP_SINGLE_MOST] = w->cones ? (float)w->mu[i / 3] : (float)hi;
  return diagonal > 0 && inverse > 0 && inverse < HUGE_VALF;
}

/* Returns the position of a group, packed in one number. */
TEAM uint32_t perp_single_place(const perp_world *w, int g)
{
  const int begin = w->first[g], pair = w->pair[begin];
  const int low = pair < 0 ? PERP_SINGLE_NOBODY : perp_world_low(pair);
  const int high = pair < 0 ? PERP_SINGLE_NOBODY : perp_world_high(pair);
  return (uint32_t)begin | (uint32_t)(w->first[g + 1] - begin) << 10 | (uint32_t)low << 12 |
         (uint32_t)high << 22;
}

/* Writes all numbers except those of X, and X by slot. Returns the fault of this lane. */
TEAM int64_t perp_single_fill(perp_team t, const perp_single *p, int width, int freedom)
{
  const perp_world *w = &p->w;
  int64_t fault = INT64_MAX;
  TEAM_SHORT
  for (int e = t.lane; e < 2 * w->groups; e += t.lanes)
    if (!perp_world_scale(w, p->numbers, e / 2, e % 2, width, freedom))
      fault =
          perp_value_least(fault, perp_value_fault(PERP_JOB_NO_FACTOR, w->row[w->first[e / 2]]));
  perp_team_sync(t);
  TEAM_TWICE
  for (int e = t.lane; e < PERP_CONTACT_ROWS * w->groups; e += t.lanes) {
    const int begin = w->first[e / PERP_CONTACT_ROWS], q = e % PERP_CONTACT_ROWS;
    const int count = w->first[e / PERP_CONTACT_ROWS + 1] - begin;
    if (q < count && !perp_single_extras(p, begin, q, count, width))
      fault = perp_value_least(fault, perp_value_fault(PERP_JOB_NO_SINGLE, w->row[begin + q]));
  }
  TEAM_SHORT
  for (int g = t.lane; g < w->groups; g += t.lanes) {
    p->place[g] = perp_single_place(w, g);
    fault = perp_value_least(fault, perp_world_check_cone(w, g));
  }
  perp_team_sync(t);
  return fault;
}

/* Returns |X_t| of a cone, and its direction. */
TEAM double perp_single_along(const double *X, double along[2])
{
  const double radius = perp_team_hypot(X[1], X[2]);
  along[0] = radius > 0 ? X[1] / radius : 1;
  along[1] = radius > 0 ? X[2] / radius : 0;
  return radius;
}

/* Turns the tangents of a cone along X, with their C, and writes its numbers that depend on X. */
TEAM void perp_single_turn(const perp_single *p, int s, int width)
{
  const perp_world *w = &p->w;
  const double *X = w->x + s, *y = w->y + s;
  float *G = p->numbers + s * PERP_SINGLE_APART, *first = G + PERP_SINGLE_APART;
  float *second = first + PERP_SINGLE_APART, *extra[PERP_CONTACT_ROWS];
  double to[2];
  const double radius = perp_single_along(X, to);
  TEAM_ALL
  for (int q = 0; q < PERP_CONTACT_ROWS; q++)
    extra[q] = G + q * PERP_SINGLE_APART + 2 * width;
  float *cosine = extra[1] + PERP_SINGLE_LEAST, *sine = extra[2] + PERP_SINGLE_LEAST;
  const float c = (float)(to[0] * (double)*cosine + to[1] * (double)*sine);
  const float d = (float)(to[1] * (double)*cosine - to[0] * (double)*sine);
  TEAM_ALL
  for (int k = 0; k < 2 * width; k++) {
    const float one = first[k], two = second[k];
    first[k] = c * one + d * two;
    second[k] = c * two - d * one;
  }
  *cosine = (float)to[0];
  *sine = (float)to[1];
  const double C = perp_world_C(w, w->row[s + 1]), more = perp_world_C(w, w->row[s + 2]) - C;
  extra[1][PERP_SINGLE_OWN] = (float)(C + more * to[1] * to[1]);
  extra[2][PERP_SINGLE_OWN] = (float)(C + more * to[0] * to[0]);
  extra[1][PERP_SINGLE_LOWER] = (float)(more * to[0] * to[1]);
  const float one = perp_single_dot(first, first, width) + extra[1][PERP_SINGLE_OWN];
  const float two = perp_single_dot(second, second, width) + extra[2][PERP_SINGLE_OWN];
  const float between = perp_single_dot(first, second, width) + extra[1][PERP_SINGLE_LOWER];
  const float half = (one - two) / 2;
  /* the inverse of the largest eigenvalue of both tangents */
  extra[1][PERP_SINGLE_INVERSE] = 1 / ((one + two) / 2 + sqrtf(half * half + between * between));
  extra[0][PERP_SINGLE_COUPLING] = perp_single_dot(G, first, width);
  extra[2][PERP_SINGLE_COUPLING] = perp_single_dot(G, second, width);
  extra[0][PERP_SINGLE_RHS] = (float)y[0];
  extra[1][PERP_SINGLE_RHS] = (float)(to[0] * y[1] + to[1] * y[2]);
  extra[2][PERP_SINGLE_RHS] = (float)(to[0] * y[2] - to[1] * y[1]);
  extra[0][PERP_SINGLE_LOWER] = (float)-X[0];
  extra[0][PERP_SINGLE_UPPER] = (float)(w->mu[w->row[s] / 3] * X[0] - radius);
  extra[1][PERP_SINGLE_UPPER] = (float)radius;
}

/* Writes the numbers that depend on X; y is A X + b. */
TEAM void perp_single_begin(perp_team t, const perp_single *p, int width)
{
  const perp_world *w = &p->w;
  TEAM_SHORT
  for (int g = t.lane; w->cones && g < w->groups; g += t.lanes)
    perp_single_turn(p, w->first[g], width);
  TEAM_TWICE
  for (int s = t.lane; s < w->n; s += t.lanes) {
    float *extra = p->numbers + s * PERP_SINGLE_APART + 2 * width;
    const int j = w->normal[s];
    p->d[s] = 0;
    p->twice[s] = j >= 0 ? (float)(2 * w->x[j]) : 0;
    if (w->cones)
      continue;
    const double at = j >= 0 ? fabs(w->x[j]) : 1, x = w->x[s];
    extra[PERP_SINGLE_RHS] = (float)w->y[s];
    extra[PERP_SINGLE_LOWER] = (float)(perp_world_lo(w, w->row[s]) * at - x);
    extra[PERP_SINGLE_UPPER] = (float)(perp_world_hi(w, w->row[s]) * at - x);
  }
  TEAM_SHORT
  for (int k = t.lane; k < (w->m + 1) * PERP_SINGLE_BODY; k += t.lanes)
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

/* Loads G and the numbers that follow it, of a slot. */
TEAM void perp_single_numbers(const perp_single *p, int s, int width, float *number)
{
  TEAM_ALL
  for (int k = 0; k < 2 * width + PERP_SINGLE_NUMBERS; k += 4)
    perp_team_load_four(p->numbers + s * PERP_SINGLE_APART + k, number + k);
}

/* Loads the velocities of a body, with room for eight. */
TEAM void perp_single_load(const float *v, int width, float *to)
{
  TEAM_ALL
  for (int k = 0; k < width; k += 4)
    perp_team_load_four(v + k, to + k);
}

/* The data of a group read by a lane. */
typedef struct perp_single_task {
  int begin, count, low, high; /* bodies */
  bool still;                  /* neither moves */
  int normal[PERP_CONTACT_ROWS];
  float G[PERP_CONTACT_ROWS][PERP_SINGLE_APART]; /* and the numbers that follow it */
  float d[PERP_CONTACT_ROWS], twice[PERP_CONTACT_ROWS];
} perp_single_task;

/* Reads a group, given its position. */
TEAM void perp_single_read(const perp_single *p, uint32_t place, int width, perp_single_task *a)
{
  a->begin = (int)(place & 1023);
  a->count = (int)(place >> 10 & 3);
  a->low = (int)(place >> 12 & 1023);
  a->high = (int)(place >> 22);
  a->still = a->low == PERP_SINGLE_NOBODY;
  TEAM_ALL
  for (int q = 0; q < PERP_CONTACT_ROWS; q++) {
    const int s = a->begin + (q < a->count ? q : 0);
    perp_single_numbers(p, s, width, a->G[q]);
    a->normal[q] = p->w.normal[s];
    a->d[q] = p->d[s];
    a->twice[q] = p->twice[s];
  }
}

TEAM void perp_single_store(float *v, int width, const float *from)
{
  TEAM_ALL
  for (int k = 0; k < width; k += 4)
    perp_team_store_four(v + k, from + k);
}

/* A group for PERP_GROUP_UPDATE, with d in place of x. */
typedef struct perp_single_rows {
  const perp_single *p;
  const perp_single_task *a;
  float omega;
  int width;
} perp_single_rows;

TEAM const float *perp_single_rows_extra(const perp_single_rows *l, int t)
{
  return l->a->G[t] + 2 * l->width;
}

TEAM float perp_single_rows_step(const perp_single_rows *l, int t)
{
  return l->omega * perp_single_rows_extra(l, t)[PERP_SINGLE_INVERSE];
}

TEAM float perp_single_rows_coupling(const perp_single_rows *l, int t)
{
  return perp_single_rows_extra(l, t)[PERP_SINGLE_COUPLING];
}

/* A normal of the group itself is not read again. */
TEAM bool perp_single_rows_bounds(const perp_single_rows *l, int t, const float *d, float *lower,
                                  float *upper)
{
  const perp_single_task *a = l->a;
  const float *extra = perp_single_rows_extra(l, t);
  const int normal = a->normal[t];
  float other = 0;
  *lower = extra[PERP_SINGLE_LOWER];
  *upper = extra[PERP_SINGLE_UPPER];
  if (t < a->count && normal >= 0 && (normal < a->begin || normal >= a->begin + t))
    other = l->p->d[normal];
  TEAM_ALL
  for (int s = 0; s < t; s++)
    other = normal == a->begin + s ? d[s] : other;
  if (normal >= 0) {
    const float growth = perp_single_growth(a->twice[t], other);
    *lower += extra[PERP_SINGLE_LEAST] * growth;
    *upper += extra[PERP_SINGLE_MOST] * growth;
  }
  return true;
}

PERP_ROW_UPDATE(TEAM, float, perp_single_rows, PERP_ROW_NOT_BELOW, PERP_ROW_NOT_ABOVE)

TEAM float perp_single_rows_x(const perp_single_rows *l, int t)
{
  return l->a->d[t];
}

TEAM float perp_single_rows_rest(const perp_single_rows *l, int t, float d)
{
  const float *extra = perp_single_rows_extra(l, t);
  return extra[PERP_SINGLE_RHS] + extra[PERP_SINGLE_OWN] * d;
}

/* Loads the velocities of both bodies; G is 0 for a missing one. */
TEAM void perp_single_rows_load(const perp_single_rows *l, int width, float *u)
{
  float A[PERP_SINGLE_BODY], B[PERP_SINGLE_BODY];
  perp_single_load(l->p->v + (l->a->still ? 0 : l->a->low) * PERP_SINGLE_BODY, width, A);
  perp_single_load(l->p->v + (l->a->still ? 0 : l->a->high) * PERP_SINGLE_BODY, width, B);
  TEAM_ALL
  for (int k = 0; k < width; k++) {
    u[k] = A[k];
    u[width + k] = B[k];
  }
}

TEAM void perp_single_rows_save(const perp_single_rows *l, int width, const float *u)
{
  TEAM_ALL
  for (int side = 0; side < 2; side++) {
    float body[PERP_SINGLE_BODY] = {0};
    TEAM_ALL
    for (int k = 0; k < width; k++)
      body[k] = u[side * width + k];
    if (side == 0 ? !l->a->still : l->a->low != l->a->high)
      perp_single_store(l->p->v + (side == 0 ? l->a->low : l->a->high) * PERP_SINGLE_BODY, width,
                        body);
  }
}

/* d of a cone after a step from d, at which y was. */
TEAM void perp_single_cone(const float *const extra[PERP_CONTACT_ROWS], float omega, const float *y,
                           const float *d, float *to)
{
  const float lower = extra[0][PERP_SINGLE_LOWER], mu = extra[0][PERP_SINGLE_MOST];
  const float normal = d[0] - omega * extra[0][PERP_SINGLE_INVERSE] * y[0];
  const float radius = extra[1][PERP_SINGLE_UPPER], step = omega * extra[1][PERP_SINGLE_INVERSE];
  to[0] = normal > lower ? normal : lower;
  const float moved = to[0] - d[0];
  const float first = y[1] + extra[0][PERP_SINGLE_COUPLING] * moved;
  const float second = y[2] + extra[2][PERP_SINGLE_COUPLING] * moved;
  const float C = extra[1][PERP_SINGLE_LOWER]; /* between the tangents */
  const float a = d[1] - step * (first + C * d[2]), b = d[2] - step * (second + C * d[1]);
  const float e = extra[0][PERP_SINGLE_UPPER] + mu * to[0], rho = radius + e, at = radius + a;
  const float square = at * at + b * b, root = perp_team_inverse_root(square), L = square * root;
  const bool sticks = (a - e) * (at + rho) + b * b <= 0, some = rho > 1e-18F;
  const float turned = at > 0 ? -b * b * root / (L + at) : at * root - 1;
  to[1] = sticks ? a : some ? e + rho * turned : e;
  to[2] = sticks ? b : some ? rho * b * root : 0;
}

TEAM bool perp_single_rows_cone(const perp_single_rows *l, const float *y, float *x, float *d)
{
  if (!l->p->w.cones)
    return false;
  const float *const extra[] = {perp_single_rows_extra(l, 0), perp_single_rows_extra(l, 1),
                                perp_single_rows_extra(l, 2)};
  float to[PERP_CONTACT_ROWS];
  perp_single_cone(extra, l->omega, y, x, to);
  TEAM_ALL
  for (int t = 0; t < PERP_CONTACT_ROWS; t++) {
    d[t] = to[t] - x[t];
    x[t] = to[t];
  }
  return true;
}

TEAM void perp_single_rows_store(const perp_single_rows *l, int t, float d, float change)
{
  l->p->d[l->a->begin + t] = d;
  l->p->g[l->a->begin + t] = change;
}

PERP_GROUP_UPDATE(float, perp_single_rows)

/* Returns true if this lane moved a row. Reads the position of the next group before relaxing one,
 * and its numbers before the barrier. */
TEAM bool perp_single_sweep(perp_team t, const perp_single *p, float omega, int width)
{
  const perp_world *w = &p->w;
  int group = t.lane, end = w->colour[1], end_of_next = w->colour[w->colours > 1 ? 2 : 1];
  bool moved = false;
  perp_single_task task;
  const perp_single_rows rows = {p, &task, omega, width};
  task.begin = task.count = task.low = task.high = 0;
  task.still = true;
  if (group < end) /* another lane may write the numbers of its group already */
    perp_single_read(p, p->place[group], width, &task);
  TEAM_SHORT
  for (int colour = 0; colour < w->colours;) {
    const bool has = group < end;
    group += t.lanes;
    const bool other = group >= end;
    if (other) {
      colour++;
      group = end + t.lane;
      end = end_of_next;
      end_of_next = w->colour[colour + 2 <= w->colours ? colour + 2 : w->colours];
    }
    const uint32_t next = p->place[group < end ? group : 0];
    if (has)
      moved = perp_single_rows_relax(&rows, width) || moved;
    if (group < end)
      perp_single_read(p, next, width, &task);
    if (other)
      perp_team_sync(t);
  }
  return moved;
}

/* ---- Acceleration ---- */

/* Sums the parts of all slots, in four partial sums. */
TEAM float perp_single_total(const float *sum)
{
  float four[4];
  perp_team_load_four(sum, four);
  return (four[0] + four[1]) + (four[2] + four[3]);
}

/* The memory of previous sweeps. */
typedef struct perp_single_past {
  int sweeps;         /* 0: none, 1: g', 2: g' - g'' too */
  float last, square; /* |g'|^2, |g' - g''|^2 */
  float gamma[2];     /* 0 without the sweep that it belongs to */
} perp_single_past;

/* Computes the sums of a sweep, in a fixed number of parts for any number of lanes. An unknown
 * change is not read as a number. */
TEAM void perp_single_sums(perp_team t, const perp_single *p, int sweeps)
{
  enum { PARTS = PERP_WORLD_PARTS };
  TEAM_SHORT
  for (int j = t.lane; j < PARTS; j += t.lanes) {
    float sum[PERP_SINGLE_SUMS] = {0, 0, 0, 0, 0};
    TEAM_TWICE
    for (int s = j; s < p->w.n; s += PARTS) {
      const float g = p->g[s], change = sweeps > 0 ? g - p->g_before[s] : 0;
      const float older = sweeps > 1 ? p->g_change[s] : 0;
      sum[0] += g * g;
      sum[1] += g * change;
      sum[2] += change * change;
      sum[3] += g * older;
      sum[4] += change * older;
    }
    TEAM_ALL
    for (int k = 0; k < PERP_SINGLE_SUMS; k++)
      p->part[k * PARTS + j] = sum[k];
  }
  perp_team_sync(t);
  TEAM_SHORT
  for (int e = t.lane; e < 4 * PERP_SINGLE_SUMS; e += t.lanes) {
    float sum = 0;
    TEAM_ALL
    for (int j = 0; j < PARTS; j += 4)
      sum += p->part[e / 4 * PARTS + e % 4 + j];
    p->total[e] = sum;
  }
  perp_team_sync(t);
}

/* gamma after a sweep. */
TEAM void perp_single_weigh(perp_team t, const perp_single *p, perp_single_past *past)
{
  perp_single_sums(t, p, past->sweeps);
  const float own = perp_single_total(p->total), along = perp_single_total(p->total + 4);
  const float square = perp_single_total(p->total + 8);
  const float older = perp_single_total(p->total + 12);
  const float between = perp_single_total(p->total + 16);
  const float determinant = square * past->square - between * between;
  const bool both = past->sweeps > 1 && determinant > 1e-5F * square * past->square;
  const float first =
      both ? (along * past->square - older * between) / determinant : along / square;
  const float second = both ? (older * square - along * between) / determinant : 0;
  const bool known =
      past->sweeps > 0 && own <= past->last && fabsf(first) < 1e4F && fabsf(second) < 1e4F;
  past->gamma[0] = known ? first : 0;
  past->gamma[1] = known ? second : 0;
  past->sweeps = past->sweeps > 0 && own <= past->last ? 2 : 1;
  past->last = own;
  past->square = square;
}

/* value <- value - gamma_0 (value - before) - gamma_1 change; then updates before and change */
TEAM void perp_single_ahead(const perp_single_past *past, float *value, float *before,
                            float *change)
{
  const float now = *value, step = now - *before;
  const float first = past->gamma[0] != 0 ? past->gamma[0] * step : 0;
  const float second = past->gamma[1] != 0 ? past->gamma[1] * *change : 0;
  *value = now - (first + second);
  *before = now;
  *change = step;
}

/* perp_single_ahead for four numbers. */
TEAM void perp_single_ahead_four(const perp_single_past *past, float *value, float *before,
                                 float *change)
{
  float now[4], last[4], step[4];
  perp_team_load_four(value, now);
  perp_team_load_four(before, last);
  perp_team_load_four(change, step);
  TEAM_ALL
  for (int k = 0; k < 4; k++)
    perp_single_ahead(past, now + k, last + k, step + k);
  perp_team_store_four(value, now);
  perp_team_store_four(before, last);
  perp_team_store_four(change, step);
}

/* g' <- g, and updates its change */
TEAM void perp_single_keep_four(const float *value, float *before, float *change)
{
  float now[4], last[4];
  perp_team_load_four(value, now);
  perp_team_load_four(before, last);
  TEAM_ALL
  for (int k = 0; k < 4; k++)
    last[k] = now[k] - last[k];
  perp_team_store_four(before, now);
  perp_team_store_four(change, last);
}

/* Sets d and v for the next sweep. Four numbers at once: there is room after the last slot. */
TEAM void perp_single_extrapolate(perp_team t, const perp_single *p, perp_single_past *past)
{
  perp_single_weigh(t, p, past);
  TEAM_TWICE
  for (int s = 4 * t.lane; s < p->w.n; s += 4 * t.lanes) {
    perp_single_ahead_four(past, p->d + s, p->d_before + s, p->d_change + s);
    perp_single_keep_four(p->g + s, p->g_before + s, p->g_change + s);
  }
  TEAM_TWICE
  for (int k = 4 * t.lane; k < (p->w.m + 1) * PERP_SINGLE_BODY; k += 4 * t.lanes)
    perp_single_ahead_four(past, p->v + k, p->v_before + k, p->v_change + k);
  perp_team_sync(t);
}

/* ---- Residual and refinement ---- */

/* Computes the bounds of d in a slot, for the current d of its normal. */
TEAM void perp_single_bounds(const perp_single *p, int s, int width, float *lower, float *upper)
{
  const perp_world *w = &p->w;
  const float *extra = p->numbers + s * PERP_SINGLE_APART + 2 * width;
  const int j = w->normal[s];
  *lower = extra[PERP_SINGLE_LOWER];
  *upper = extra[PERP_SINGLE_UPPER];
  if (j >= 0) {
    const float growth = perp_single_growth(p->twice[s], p->d[j]);
    *lower += extra[PERP_SINGLE_LEAST] * growth;
    *upper += extra[PERP_SINGLE_MOST] * growth;
  }
}

/* Returns y of a slot. */
TEAM float perp_single_y(const perp_single *p, int s, int width)
{
  const int pair = p->w.pair[s] < 0 ? 0 : p->w.pair[s];
  float number[PERP_SINGLE_APART], A[PERP_SINGLE_BODY], B[PERP_SINGLE_BODY];
  perp_single_numbers(p, s, width, number);
  perp_single_load(p->v + perp_world_low(pair) * PERP_SINGLE_BODY, width, A);
  perp_single_load(p->v + perp_world_high(pair) * PERP_SINGLE_BODY, width, B);
  const float *extra = number + 2 * width;
  float sum[4] = {extra[PERP_SINGLE_RHS], extra[PERP_SINGLE_OWN] * p->d[s], 0, 0};
  TEAM_ALL
  for (int k = 0; k < 2 * width; k++)
    sum[k % 4] += number[k] * (k < width ? A[k] : B[k - width]);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Returns the natural residual in the precision of the sweeps. */
TEAM double perp_single_residual(perp_team t, const perp_single *p, int width)
{
  const perp_world *w = &p->w;
  float worst = 0;
  TEAM_SHORT
  for (int g = t.lane; w->cones && g < w->groups; g += t.lanes) {
    const int s = w->first[g];
    const float *extra[PERP_CONTACT_ROWS];
    float y[PERP_CONTACT_ROWS], to[PERP_CONTACT_ROWS];
    TEAM_ALL
    for (int q = 0; q < PERP_CONTACT_ROWS; q++) {
      extra[q] = p->numbers + (s + q) * PERP_SINGLE_APART + 2 * width;
      y[q] = perp_single_y(p, s + q, width);
    }
    perp_single_cone(extra, 1, y, p->d + s, to);
    TEAM_ALL
    for (int q = 0; q < PERP_CONTACT_ROWS; q++) {
      /* the residual of a step of another length is at most this */
      const float inverse = extra[q < 1 ? 0 : 1][PERP_SINGLE_INVERSE];
      const float r = fabsf(to[q] - p->d[s + q]) / (inverse < 1 ? inverse : 1);
      worst = r <= worst ? worst : r < HUGE_VALF ? r : HUGE_VALF;
    }
  }
  TEAM_TWICE
  for (int s = t.lane; !w->cones && s < w->n; s += t.lanes) {
    const float d = p->d[s], y = perp_single_y(p, s, width);
    float lower, upper;
    perp_single_bounds(p, s, width, &lower, &upper);
    const float below = d - lower, above = d - upper;
    const float r = (float)perp_natural_mid((double)y, (double)below, (double)above);
    worst = r <= worst ? worst : r < HUGE_VALF ? r : HUGE_VALF;
  }
  const double residual = perp_team_max(t, (double)worst);
  perp_team_sync(t); /* the data read here are written next */
  return residual;
}

/* X <- P(X + d), exactly on a bound if d is; the normals first. */
TEAM void perp_single_add(perp_team t, const perp_single *p, int width)
{
  const perp_world *w = &p->w;
  TEAM_SHORT
  for (int g = t.lane; w->cones && g < w->groups; g += t.lanes) {
    const int s = w->first[g];
    double along[2];
    perp_single_along(w->x + s, along);
    const double one = (double)p->d[s + 1], two = (double)p->d[s + 2];
    w->x[s] += (double)p->d[s];
    w->x[s + 1] += along[0] * one - along[1] * two;
    w->x[s + 2] += along[1] * one + along[0] * two;
    perp_cone_project(w->mu[w->row[s] / 3], w->x + s);
  }
  TEAM_SHORT
  for (int s = t.lane; !w->cones && s < w->n; s += t.lanes) {
    float lower, upper;
    perp_single_bounds(p, s, width, &lower, &upper);
    w->y[s] = p->d[s] <= lower ? -1 : p->d[s] >= upper ? 1 : 0;
  }
  perp_team_sync(t);
  TEAM_SHORT
  for (int turn = 0; !w->cones && turn < 2; turn++) {
    TEAM_TWICE
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

TEAM int perp_single_next_check(int steps)
{
  const int next = perp_world_next_check(steps), least = steps + PERP_SINGLE_CHECK;
  return next > least ? next : least;
}

/* The state of the sweeps of a world. */
typedef struct perp_single_pace {
  double plain; /* omega of plain sweeps */
  bool accelerated;
} perp_single_pace;

TEAM double perp_single_omega(const perp_world_job *job, const perp_single_pace *pace)
{
  return !pace->accelerated ? pace->plain : job->omega > 1 ? 1 + (job->omega - 1) / 2 : job->omega;
}

/* Changes the pace after a period that did not halve the residual. */
TEAM void perp_single_change(perp_single_pace *pace)
{
  if (!pace->accelerated && pace->plain > 1)
    pace->plain = 1 + (pace->plain - 1) / 2;
  pace->accelerated = !pace->accelerated;
}

/* Sweeps from X until the residual is `goal` or X is to be refined. Returns true if X changed. */
TEAM bool perp_single_run(perp_team t, const perp_single *p, const perp_world_job *job,
                          const perp_single_pace *pace, double goal, int *steps, int width)
{
  const float omega = (float)perp_single_omega(job, pace);
  const int begin = *steps;
  perp_single_past past = {0, 0, 0, {0, 0}};
  bool ever = false;
  perp_single_begin(t, p, width);
  TEAM_SHORT
  for (int next = *steps + PERP_SINGLE_CHECK;;) {
    const bool moved = perp_single_sweep(t, p, omega, width);
    ever = ever || moved;
    ++*steps;
    if (*steps >= next || *steps >= job->most) {
      next = perp_single_next_check(*steps);
      const bool any = perp_team_vote(t, moved).count > 0;
      if (!(perp_single_residual(t, p, width) > goal) || !any || *steps >= job->most ||
          *steps - begin >= PERP_SINGLE_REFINE) {
        perp_single_add(t, p, width);
        return perp_team_vote(t, ever).count > 0;
      }
    }
    if (pace->accelerated)
      perp_single_extrapolate(t, p, &past);
  }
}

/* Refines until the residual in double shows a solution; x is the best X seen. */
TEAM void perp_single_refine(perp_team t, perp_single *p, const perp_world_job *job, double target,
                             double *x, perp_job_end *end, int width, int freedom)
{
  double best = HUGE_VAL, before = HUGE_VAL;
  perp_single_pace pace = {job->omega, true};
  int begin = 0;
  bool moved = true, ended = false;
  TEAM_SHORT
  for (;;) {
    const double residual = perp_world_judge(t, &p->w, width, freedom);
    if (ended) {
      end->residual = residual;
      return;
    }
    if (end->iterations - begin >= PERP_SINGLE_REFINE && residual > 0.5 * before)
      perp_single_change(&pace);
    before = residual;
    begin = end->iterations;
    end->state = perp_world_state(residual, target, !moved, end->iterations >= job->most);
    if (residual < best) {
      best = residual;
      perp_world_store(t, &p->w, p->w.x, x);
    }
    if (end->state == PERP_JOB_CLAIMED) {
      end->residual = residual;
      return;
    }
    ended = end->state != PERP_JOB_NOT_RUN;
    if (ended) { /* the best x is judged by the same code: the kernel has to fit into the instruction cache */
      perp_world_load(t, &p->w, x);
      continue;
    }
    const double goal = perp_value_greater(0.9 * target, 1e-5 * residual);
    moved = perp_single_run(t, p, job, &pace, goal, &end->iterations, width);
  }
}
