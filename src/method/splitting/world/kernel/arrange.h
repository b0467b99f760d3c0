/* arrange.h: one contact world in the memory of a team: its data checked, its rows by colour
 *
 *   Minv_k = L_k L_k^T (Cholesky),   G = J L,   A = G G^T + C
 *
 * The rows of one contact, up to three that touch the same bodies, are a group. The colour of a
 * group is the lowest that no earlier group coupled with it has; groups are coupled by a body or by
 * a friction index. Rows are in slots, in the order of the colours; the numbers of a slot are
 * `pitch` apart. The groups and their colours are the same as in operator/contact/groups.c, so that
 * sweeps on every device compute the same. */
#pragma once

#include "device/values.h"
#include "method/splitting/world/world.h"
#include "operator/contact/row_update.h"

#include <float.h>

enum { PERP_WORLD_TURNED = 1 << 30 }; /* the lower body comes second in J */
enum { PERP_WORLD_FACTOR = 21 };      /* numbers of L */

typedef struct perp_world {
  int n, m, pitch;
  int groups, colours;
  /* the caller's arrays, of this world */
  int together;
  const int *body, *findex;
  const double *J, *Minv, *C, *b, *lo, *hi;
  const double *mu; /* of cones */
  bool cones;       /* a constant at compile time */
  double cfm;
  /* memory of the team */
  double *numbers; /* number k of a slot: [k pitch + slot] */
  double *u;       /* scaled velocities, width + 1 apart */
  double *exact; /* in place of u: velocities in two doubles each, 2 width apart, for the verdict */
  double *x;     /* by slot */
  double *y;     /* by slot: A x + b, and in a sweep the change of x after it */
  double *start; /* by slot, with cones: x some sweeps ago */
  double *part;  /* of a sum */
  double *factor; /* by body: L if there was room, else NULL; see check_masses */
  int *pair;      /* by slot: the bodies, the second times 2^16, and TURNED; -1: neither moves */
  int *colour;    /* colours + 1: the first group of each */
  int16_t *row, *normal; /* by slot: its row, and the slot of its friction index or -1 */
  int16_t *first;        /* groups + 1: the first slot of each */
} perp_world;

/* ---- Memory ---- */

TEAM void perp_world_share(perp_world *w, double *memory, int width)
{
  const int n = w->n;
  w->pitch = n | 1;
  w->numbers = memory;
  w->u = w->exact = w->numbers + perp_world_numbers(width, w->cones) * w->pitch;
  w->part = w->u + (width + 1) * w->m;
  w->x = w->part + perp_world_rest_room(width, w->m);
  w->y = w->x + n;
  w->start = w->y + n;
  w->factor = NULL;
  w->pair = (int *)(void *)(w->start + (w->cones ? n : 0));
  w->colour = w->pair + n;
  w->row = (int16_t *)(void *)(w->colour + PERP_WORLD_COLOURS + 1);
  w->normal = w->row + n;
  w->first = w->normal + n;
}

TEAM double perp_world_C(const perp_world *w, int i)
{
  return w->C ? w->C[i] : w->cfm;
}

TEAM double perp_world_lo(const perp_world *w, int i)
{
  return w->lo && !w->cones ? perp_value_bound(w->lo[i]) : 0;
}

TEAM double perp_world_hi(const perp_world *w, int i)
{
  return w->hi && !w->cones ? perp_value_bound(w->hi[i]) : HUGE_VAL;
}

/* ---- Checks ---- */

TEAM int64_t perp_world_check_rows(perp_team t, const perp_world *w, const double *x)
{
  int64_t fault = INT64_MAX;
  TEAM_TWICE
  for (int i = t.lane; i < w->n; i += t.lanes) {
    const double lo = perp_world_lo(w, i), hi = perp_world_hi(w, i);
    const int j = w->findex ? w->findex[i] : -1;
    if (!perp_value_is_finite(w->b[i]))
      fault = perp_value_least(fault, perp_value_fault(PERP_JOB_BAD_B, i));
    if (w->cones && !(w->mu[i / 3] >= 0 && w->mu[i / 3] < HUGE_VAL))
      fault = perp_value_least(fault, perp_value_fault(PERP_JOB_BAD_MU, i / 3));
    if (!(lo <= hi && lo < HUGE_VAL && hi > -HUGE_VAL))
      fault = perp_value_least(fault, perp_value_fault(PERP_JOB_BAD_BOUNDS, i));
    if (j < -1 || j >= w->n || (j >= 0 && w->findex[j] >= 0))
      fault = perp_value_least(fault, perp_value_fault(PERP_JOB_BAD_FINDEX, i));
    if (w->C && !perp_value_is_finite(w->C[i]))
      fault = perp_value_least(fault, perp_value_fault(PERP_JOB_BAD_C, i));
    if (!perp_value_is_finite(x[i]))
      fault = perp_value_least(fault, perp_value_fault(PERP_JOB_BAD_START, i));
  }
  return fault;
}

/* Checks the bodies of contacts, and the numbers of J that are read. */
TEAM int64_t perp_world_check_contacts(perp_team t, const perp_world *w, int freedom)
{
  int64_t fault = INT64_MAX;
  TEAM_SHORT
  for (int c = t.lane; c < w->n / w->together; c += t.lanes) {
    const int a = w->body[2 * c], b = w->body[2 * c + 1];
    if (a < -1 || a >= w->m || b < -1 || b >= w->m || (a >= 0 && a == b))
      fault = perp_value_least(fault, perp_value_fault(PERP_JOB_BAD_BODY, c));
  }
  TEAM_LONGER
  for (int e = t.lane; e < 2 * freedom * w->n; e += t.lanes) {
    if (perp_value_is_finite(w->J[e]))
      continue;
    const int i = e / (2 * freedom), side = e / freedom % 2;
    if (w->body[2 * (i / w->together) + side] >= 0)
      fault = perp_value_least(fault, perp_value_fault(PERP_JOB_BAD_A, e));
  }
  return fault;
}

/* Computes L of a body. Returns false if Minv is not positive definite, except for rows of
 * zeros. */
TEAM bool perp_world_factor(const double *M, int freedom, double L[6][6])
{
  bool fine = true;
  TEAM_ALL
  for (int j = 0; j < freedom; j++) {
    const double own = M[j * freedom + j];
    const bool still = own == 0;
    double pivot = own;
    TEAM_ALL
    for (int k = 0; k < j; k++)
      pivot -= L[j][k] * L[j][k];
    fine = fine && (still ? pivot >= 0 : pivot > 1e-14 * own);
    L[j][j] = sqrt(still ? 0 : pivot);
    TEAM_ALL
    for (int i = j + 1; i < freedom; i++) {
      double sum = M[i * freedom + j];
      fine = fine && !(still && sum != 0);
      TEAM_ALL
      for (int k = 0; k < j; k++)
        sum -= L[i][k] * L[j][k];
      L[i][j] = still ? 0 : sum / L[j][j];
    }
  }
  return fine;
}

/* Returns the place of L of a body. */
TEAM double *perp_world_factor_at(const perp_world *w, int body)
{
  return w->factor + body * PERP_WORLD_FACTOR;
}

/* Stores L; its first number is NaN if there is no L. */
TEAM void perp_world_keep_factor(const perp_world *w, int body, const double *M, int freedom)
{
  double L[6][6], *to = perp_world_factor_at(w, body);
  const bool fine = perp_world_factor(M, freedom, L);
  TEAM_ALL
  for (int i = 0; i < freedom; i++)
    TEAM_ALL
  for (int j = 0; j <= i; j++)
    to[i * (i + 1) / 2 + j] = fine ? L[i][j] : (double)NAN;
}

/* Checks that Minv is finite, and symmetric up to rounding. Every Minv is read once, so its factor
 * is made here. */
TEAM int64_t perp_world_check_masses(perp_team t, const perp_world *w, int freedom)
{
  int64_t fault = INT64_MAX;
  TEAM_SHORT
  for (int k = t.lane; k < w->m; k += t.lanes) {
    const double *from = w->Minv + (int64_t)k * freedom * freedom;
    double M[36], largest = 0, skew = 0;
    bool finite = true;
    TEAM_ALL
    for (int e = 0; e < freedom * freedom; e++)
      M[e] = from[e];
    TEAM_ALL
    for (int e = 0; e < freedom * freedom; e++) {
      const double other = M[e % freedom * freedom + e / freedom];
      finite = finite && perp_value_is_finite(M[e]);
      largest = perp_value_greater(largest, fabs(M[e]));
      skew = perp_value_greater(skew, fabs(M[e] - other));
    }
    if (!finite || skew > 1e-12 * largest)
      fault = perp_value_least(fault, perp_value_fault(PERP_JOB_BAD_MASS, k));
    if (w->factor)
      perp_world_keep_factor(w, k, M, freedom);
  }
  return fault;
}

/* ---- Groups and colours ---- */

/* Arrays needed until the slots are known, in the memory of the numbers. */
typedef struct perp_world_order {
  uint64_t *named;           /* by row: the colours of groups whose friction index names this row */
  int *pair, *findex, *slot; /* by row */
  int *tint;                 /* by row: its colour */
  int *start, *group_tint;   /* by group, in the order of rows: its first row, its colour */
  int *place, *count;        /* by group: its place by colour; by place: its rows */
} perp_world_order;

TEAM perp_world_order perp_world_order_in(const perp_world *w)
{
  perp_world_order o;
  o.named = (uint64_t *)(void *)w->numbers;
  o.pair = (int *)(void *)(w->numbers + w->n);
  o.findex = o.pair + w->n;
  o.slot = o.findex + w->n;
  o.tint = o.slot + w->n;
  o.start = o.tint + w->n;
  o.group_tint = o.start + w->n + 1;
  o.place = o.group_tint + w->n;
  o.count = o.place + w->n;
  return o;
}

/* Returns both bodies as one number, the lower first. */
TEAM int perp_world_pair(const perp_world *w, int i)
{
  const int a = w->body[2 * (i / w->together)], b = w->body[2 * (i / w->together) + 1];
  const int low = a < 0 ? b : b < 0 || a < b ? a : b, high = a > b ? a : b;
  return low < 0 ? -1 : low | high << 16;
}

/* Returns true if the lower of two bodies, or the only moving one, comes second. */
TEAM bool perp_world_is_turned(const perp_world *w, int i)
{
  const int *body = w->body + 2 * (i / w->together);
  return body[0] < 0 || (body[1] >= 0 && body[0] > body[1]);
}

TEAM int perp_world_low(int pair)
{
  return pair & 0xffff;
}

TEAM int perp_world_high(int pair)
{
  return pair >> 16 & 0x3fff;
}

/* Returns true if row i belongs to the group of the row before it, if there is room. A cone is a group
 * also without a body that moves. */
TEAM bool perp_world_goes_on(const perp_world_order *o, bool cones, int i)
{
  return i > 0 && (cones || o->pair[i] >= 0) && o->pair[i] == o->pair[i - 1] &&
         !(o->findex[i] < 0 && o->findex[i - 1] >= 0);
}

/* Lists the groups in the order of rows: the start of each. */
TEAM void perp_world_group(perp_team t, perp_world *w, const perp_world_order *o)
{
  w->groups = 0;
  TEAM_SHORT
  for (int from = 0; from < w->n; from += t.lanes) {
    const int i = from + t.lane;
    int back = 0;
    TEAM_SHORT
    while (i < w->n && perp_world_goes_on(o, w->cones, i - back))
      back++;
    const bool begins = i < w->n && back % PERP_CONTACT_ROWS == 0;
    const perp_vote vote = perp_team_vote(t, begins);
    if (begins)
      o->start[w->groups + vote.before] = i;
    w->groups += vote.count;
  }
  if (t.lane == 0)
    o->start[w->groups] = w->n;
  perp_team_sync(t);
}

/* Stores the bodies of each group at the later position of its place. Returns true if a friction
 * index names a row of another group. */
TEAM bool perp_world_couple(perp_team t, const perp_world *w, const perp_world_order *o)
{
  bool far = false;
  TEAM_SHORT
  for (int g = t.lane; g < w->groups; g += t.lanes) {
    const int begin = o->start[g], end = o->start[g + 1];
    o->place[g] = o->pair[begin];
    TEAM_SHORT
    for (int i = begin; i < end; i++)
      far = far || (o->findex[i] >= 0 && (o->findex[i] < begin || o->findex[i] >= end));
  }
  const bool any = perp_team_vote(t, far).count > 0;
  perp_team_sync(t);
  return any;
}

/* One lane: returns the colours that friction indices forbid to group g. */
TEAM uint64_t perp_world_named(const perp_world_order *o, int g)
{
  uint64_t forbidden = 0;
  TEAM_SHORT
  for (int i = o->start[g]; i < o->start[g + 1]; i++) {
    const int j = o->findex[i];
    forbidden |= o->named[i];
    if (j >= 0 && j < o->start[g])
      forbidden |= (uint64_t)1 << o->tint[j];
  }
  return forbidden;
}

/* One lane: stores the colour of group g for the rows that it names and its own rows. */
TEAM void perp_world_name(const perp_world_order *o, int g, int tint)
{
  TEAM_SHORT
  for (int i = o->start[g]; i < o->start[g + 1]; i++) {
    o->tint[i] = tint;
    if (o->findex[i] >= 0)
      o->named[o->findex[i]] |= (uint64_t)1 << tint;
  }
}

/* One lane: colours the groups one after another. Returns false if there are too many colours. far:
 * friction indices name rows of other groups. */
TEAM bool perp_world_colour(perp_world *w, const perp_world_order *o, bool far)
{
  uint64_t *used = (uint64_t *)(void *)w->u;
  int pair = o->place[0];
  w->colours = 0;
  TEAM_SHORT
  for (int g = 0; g < w->groups; g++) {
    const int next = o->place[g + 1 < w->groups ? g + 1 : g]; /* read ahead */
    const int low = perp_world_low(pair), high = perp_world_high(pair);
    const uint64_t first = pair < 0 ? 0 : used[low], second = pair < 0 ? 0 : used[high];
    const uint64_t forbidden = first | second | (far ? perp_world_named(o, g) : 0);
    if (forbidden == ~(uint64_t)0)
      return false;
    int tint = 0;
    while (forbidden >> tint & 1)
      tint++;
    const uint64_t bit = (uint64_t)1 << tint;
    if (pair >= 0) {
      used[low] = first | bit;
      used[high] = (low == high ? first : second) | bit;
    }
    if (far)
      perp_world_name(o, g, tint);
    o->group_tint[g] = tint;
    w->colours = tint >= w->colours ? tint + 1 : w->colours;
    pair = next;
  }
  return true;
}

/* Sorts groups by colour, giving first and colour; and slots by row. A lane handles its colours,
 * then its groups. */
TEAM void perp_world_sort(perp_team t, perp_world *w, const perp_world_order *o)
{
  const int groups = w->groups;
  TEAM_SHORT
  for (int c = t.lane; c <= w->colours; c += t.lanes) {
    int before = 0;
    TEAM_LONG
    for (int g = 0; g < groups; g++)
      before += o->group_tint[g] < c;
    w->colour[c] = before;
  }
  perp_team_sync(t);
  /* the place of each group and its number of rows, in the memory of its first slot */
  TEAM_SHORT
  for (int g = t.lane; g < groups; g += t.lanes) {
    const int tint = o->group_tint[g];
    int at = w->colour[tint];
    TEAM_LONG
    for (int h = 0; h < g; h++)
      at += o->group_tint[h] == tint;
    o->place[g] = at;
    o->count[at] = o->start[g + 1] - o->start[g];
  }
  perp_team_sync(t);
  TEAM_SHORT
  for (int g = t.lane; g <= groups; g += t.lanes) {
    int slot = 0;
    TEAM_LONG
    for (int h = 0; h < g; h++)
      slot += o->count[h];
    w->first[g] = (int16_t)slot;
  }
  perp_team_sync(t);
  TEAM_SHORT
  for (int g = t.lane; g < groups; g += t.lanes)
    for (int i = o->start[g]; i < o->start[g + 1]; i++)
      o->slot[i] = w->first[o->place[g]] + i - o->start[g];
  perp_team_sync(t);
}

/* Computes slots, groups and colours. Returns false if there are too many colours. */
TEAM bool perp_world_arrange(perp_team t, perp_world *w)
{
  const perp_world_order o = perp_world_order_in(w);
  TEAM_LONG
  for (int i = t.lane; i < w->n; i += t.lanes) {
    o.named[i] = 0;
    o.pair[i] = perp_world_pair(w, i);
    o.findex[i] = w->findex ? w->findex[i] : -1;
  }
  TEAM_SHORT
  for (int k = t.lane; k < w->m; k += t.lanes)
    ((uint64_t *)(void *)w->u)[k] = 0;
  perp_team_sync(t);
  perp_world_group(t, w, &o);
  const bool far = perp_world_couple(t, w, &o);
  if (t.lane == 0)
    w->normal[0] = (int16_t)(perp_world_colour(w, &o, far) ? w->colours : -1);
  perp_team_sync(t);
  w->colours = w->normal[0];
  perp_team_sync(t);
  if (w->colours < 0)
    return false;
  perp_world_sort(t, w, &o);
  TEAM_SHORT
  for (int i = t.lane; i < w->n; i += t.lanes) {
    const int s = o.slot[i];
    w->row[s] = (int16_t)i;
    w->pair[s] = o.pair[i] | (perp_world_is_turned(w, i) ? PERP_WORLD_TURNED : 0);
    w->normal[s] = (int16_t)(o.findex[i] >= 0 ? o.slot[o.findex[i]] : -1);
  }
  perp_team_sync(t);
  return true;
}

/* ---- Numbers ---- */

/* Returns the numbers of J for the lower body of a slot, or the higher. */
TEAM const double *perp_world_J(const perp_world *w, int s, int side, int freedom)
{
  const bool turned = (w->pair[s] & PERP_WORLD_TURNED) != 0;
  return w->J + ((int64_t)2 * w->row[s] + (turned ? 1 - side : side)) * freedom;
}

/* Returns true if a row of the group moves that body: the lower, or the higher of two. */
TEAM bool perp_world_moves(const perp_world *w, int s, int side)
{
  const int pair = w->pair[s];
  return pair >= 0 && (side == 0 || perp_world_low(pair) != perp_world_high(pair));
}

/* Loads L of that body of group g, if there is one. Returns false if there is no factor. */
TEAM bool perp_world_body_factor(const perp_world *w, int g, int side, int freedom, double L[6][6])
{
  const int s = w->first[g], pair = w->pair[s];
  const int body = side == 0 ? perp_world_low(pair) : perp_world_high(pair);
  if (!perp_world_moves(w, s, side))
    return true;
  if (!w->factor)
    return perp_world_factor(w->Minv + (int64_t)body * freedom * freedom, freedom, L);
  const double *own = perp_world_factor_at(w, body);
  TEAM_ALL
  for (int i = 0; i < freedom; i++)
    TEAM_ALL
  for (int j = 0; j <= i; j++)
    L[i][j] = own[i * (i + 1) / 2 + j];
  return own[0] == own[0];
}

/* G of a slot for one of its bodies. */
TEAM void perp_world_row(const perp_world *w, int s, int side, int freedom, double L[6][6],
                         double G[6])
{
  TEAM_ALL
  for (int k = 0; k < 6; k++)
    G[k] = 0;
  if (!perp_world_moves(w, s, side))
    return;
  const double *J = perp_world_J(w, s, side, freedom);
  TEAM_ALL
  for (int r = 0; r < freedom; r++) {
    const double value = J[r];
    TEAM_ALL
    for (int k = 0; k <= r; k++)
      G[k] += value * L[r][k];
  }
}

/* Writes G of the rows of group g for one of its bodies to w->numbers, or to `single` if that is
 * not NULL. */
TEAM bool perp_world_scale(const perp_world *w, float *single, int g, int side, int width,
                           int freedom)
{
  double L[6][6];
  if (!perp_world_body_factor(w, g, side, freedom, L))
    return false;
  TEAM_SHORT
  for (int s = w->first[g]; s < w->first[g + 1]; s++) {
    double G[6];
    perp_world_row(w, s, side, freedom, L, G);
    TEAM_ALL
    for (int k = 0; k < width; k++) {
      const int at = side * width + k;
      if (single)
        single[s * PERP_SINGLE_APART + at] = (float)G[k];
      else
        w->numbers[at * w->pitch + s] = G[k];
    }
  }
  return true;
}

/* G_s . G_r */
TEAM double perp_world_product(const perp_world *w, int s, int r, int width)
{
  double sum = 0;
  TEAM_ALL
  for (int k = 0; k < 2 * width; k++)
    sum += w->numbers[k * w->pitch + s] * w->numbers[k * w->pitch + r];
  return sum;
}

/* Writes the numbers that follow G in the rows of group g. Returns the first row whose diagonal is
 * not positive, or -1. */
TEAM int perp_world_extras(const perp_world *w, int g, int width)
{
  const int begin = w->first[g], count = w->first[g + 1] - begin;
  int bad = -1;
  TEAM_SHORT
  for (int q = 0; q < count; q++) {
    const int s = begin + q, i = w->row[s];
    double *extra = w->numbers + 2 * width * w->pitch + s;
    const double diagonal = perp_world_product(w, s, s, width) + perp_world_C(w, i);
    if (bad < 0 && !(diagonal > 0 && diagonal < HUGE_VAL))
      bad = i;
    extra[PERP_WORLD_INVERSE * w->pitch] = 1 / diagonal;
    extra[PERP_WORLD_RHS * w->pitch] = w->b[i];
    extra[PERP_WORLD_COUPLING * w->pitch] =
        perp_world_product(w, s, begin + (q + 1) % count, width);
    if (w->cones) {
      extra[PERP_WORLD_DIAGONAL * w->pitch] = diagonal;
      extra[PERP_WORLD_SLIP * w->pitch] = 0;
    }
  }
  return bad;
}

/* Loads the caller's x by slot. */
TEAM void perp_world_load(perp_team t, const perp_world *w, const double *x)
{
  TEAM_SHORT
  for (int s = t.lane; s < w->n; s += t.lanes)
    w->x[s] = x[w->row[s]];
  perp_team_sync(t);
}

/* Returns the fault of a group that must be a cone and is none, or INT64_MAX. */
TEAM int64_t perp_world_check_cone(const perp_world *w, int g)
{
  const int row = w->row[w->first[g]];
  const bool fine = !w->cones || (row % 3 == 0 && w->first[g + 1] - w->first[g] == 3);
  return fine ? INT64_MAX : perp_value_fault(PERP_JOB_NO_CONE, row / 3);
}

/* Writes all numbers. Returns the fault of this lane. */
TEAM int64_t perp_world_fill(perp_team t, const perp_world *w, int width, int freedom)
{
  int64_t fault = INT64_MAX;
  TEAM_SHORT
  for (int e = t.lane; e < 2 * w->groups; e += t.lanes)
    if (!perp_world_scale(w, NULL, e / 2, e % 2, width, freedom))
      fault =
          perp_value_least(fault, perp_value_fault(PERP_JOB_NO_FACTOR, w->row[w->first[e / 2]]));
  perp_team_sync(t);
  TEAM_SHORT
  for (int g = t.lane; g < w->groups; g += t.lanes) {
    fault = perp_value_least(fault, perp_world_check_cone(w, g));
    const int bad = perp_world_extras(w, g, width);
    if (bad >= 0)
      fault = perp_value_least(fault, perp_value_fault(PERP_JOB_NO_DIAGONAL, bad));
  }
  perp_team_sync(t);
  return fault;
}
