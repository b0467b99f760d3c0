/* drive.c: one row after another is made right; principal.c has the mathematics */
#include "base/elementary.h"
#include "linalg/rows.h"
#include "linalg/vector.h"
#include "method/pivoting/principal/principal.h"
#include "method/pivoting/watch.h"

/* |A d| below this times the size of its terms is rounding. */
static const double insignificant = 1e-12;

typedef enum { EVENT_NONE, EVENT_ENTER, EVENT_BOUND, EVENT_LEAVE, EVENT_BLOCK } event_kind;

typedef struct event {
  event_kind kind;
  int row;
  double step;  /* at which it happens */
  double pivot; /* scaled size of what it divides by */
} event;

/* d_C for x_j moving in the direction `way`. Returns s, or 0 if that is rounding. */
static double find_direction(perp_principal *e, int j, int way)
{
  perp_active *C = &e->active;
  const double s = perp_active_reach(C, j);
  perp_active_direction(C, e->d);
  e->run->count.solves++;
  const double noise = perp_active_noise(C, j, e->d);
  e->reach = e->root[j];
  for (int c = 0; c < C->count; c++) {
    e->d[c] *= way;
    e->reach += e->root[C->index[c]] * fabs(e->d[c]);
  }
  return fabs(s) > noise ? s : 0;
}

/* dw in all rows outside C, 0 in C: by the rows of C, or by those outside if they are fewer. */
static void find_change(perp_principal *e, int j, int way, double s)
{
  const perp_active *C = &e->active;
  const int n = e->n, k = C->count;
  perp_fill(n, 0, e->dw);
  if (k + 1 <= n - k) {
    perp_axpy(n, way, e->A + j * e->ld, e->dw);
    perp_rows_combine(k, C->index, e->d, e->A, e->ld, e->span, e->dw);
    for (int c = 0; c < k; c++)
      e->dw[C->index[c]] = 0;
  } else {
    int count = 0;
    for (int i = 0; i < n; i++)
      if (!perp_principal_basic(e, i))
        e->list[count++] = i;
    for (int c = 0; c < k; c++)
      e->full[C->index[c]] = e->d[c];
    e->full[j] = way;
    perp_rows_dot(count, e->list, e->A, e->ld, e->span, e->full, e->dw);
    for (int c = 0; c < k; c++)
      e->full[C->index[c]] = 0;
    e->full[j] = 0;
  }
  e->dw[j] = way * s;
}

/* Whether `a` is to be taken before `b`: it comes first, or they tie and its pivot is greater. */
static void consider(event *best, event_kind kind, int row, double step, double pivot, bool least)
{
  const double tie = 1e-14 * best->step;
  if (step > best->step + tie)
    return;
  if (step >= best->step - tie && best->kind != EVENT_NONE) {
    if (best->kind == EVENT_ENTER || best->kind == EVENT_BOUND)
      return;
    if (least ? row > best->row : pivot <= best->pivot)
      return;
  }
  *best = (event){kind, row, step, pivot};
}

/* The first of these events: w_j is 0, x_j is at its bound, some x_c is at its bound. */
static event find_exit(const perp_principal *e, int j, int way, double s, bool least)
{
  const perp_active *C = &e->active;
  event best = {EVENT_NONE, -1, INFINITY, 0};
  const double room = way > 0 ? e->hi[j] - e->x[j] : e->x[j] - e->lo[j];
  if (s > 0)
    best = (event){EVENT_ENTER, j, fabs(e->w[j]) / s, 1};
  if (room < best.step)
    best = (event){EVENT_BOUND, j, room, 1};
  for (int c = 0; c < C->count; c++) {
    const int i = C->index[c];
    const double d = e->d[c], bound = d < 0 ? e->lo[i] : e->hi[i];
    if (isinf(bound) || fabs(d) * e->root[i] <= insignificant * e->reach)
      continue;
    consider(&best, EVENT_LEAVE, i, perp_max((bound - e->x[i]) / d, 0),
             fabs(d) * e->root[i] / e->root[j], least);
  }
  return best;
}

/* The same, with one more event: some right row outside C would become wrong. */
static event find_block(const perp_principal *e, int j, event best, bool least)
{
  for (int i = 0; i < e->n; i++) {
    const double dw = e->dw[i];
    if (dw == 0 || i == j || e->state[i] == PERP_ROW_PASSED ||
        fabs(dw) <= insignificant * e->root[i] * e->reach)
      continue;
    /* only if dw makes the row wrong */
    if ((dw < 0 ? e->x[i] >= e->hi[i] : e->x[i] <= e->lo[i]) || perp_principal_way(e, i))
      continue;
    const double way_left = dw < 0 ? e->w[i] : -e->w[i];
    consider(&best, EVENT_BLOCK, i, perp_max(way_left, 0) / fabs(dw),
             fabs(dw) / (e->root[i] * e->root[j]), least);
  }
  return best;
}

/* x, not w. */
static void advance(perp_principal *e, int j, int way, double step)
{
  const perp_active *C = &e->active;
  for (int c = 0; c < C->count; c++)
    e->x[C->index[c]] += step * e->d[c];
  e->x[j] += step * way;
}

static void forget_passed(perp_principal *e)
{
  for (int i = 0; i < e->n; i++)
    if (e->state[i] == PERP_ROW_PASSED)
      e->state[i] = PERP_ROW_PLAIN;
}

/* Row i, whose w has come to 0, joins C. If it depends on C, its dw was rounding: it is skipped
 * until C has changed. */
static void admit(perp_principal *e, int i)
{
  e->w[i] = 0;
  perp_active_reach(&e->active, i);
  if (!perp_active_independent(&e->active, e->d)) {
    e->state[i] = PERP_ROW_PASSED;
    return;
  }
  perp_principal_enter(e, i);
}

static void leave_at_bound(perp_principal *e, int i)
{
  const int p = e->active.place[i];
  e->x[i] = e->d[p] < 0 ? e->lo[i] : e->hi[i];
  perp_principal_leave(e, p);
}

/* The ray: the direction d, in which nothing blocks. */
static void keep_ray(perp_principal *e, int j, int way)
{
  perp_fill(e->n, 0, e->ray);
  for (int c = 0; c < e->active.count; c++)
    if (fabs(e->d[c]) * e->root[e->active.index[c]] > insignificant * e->reach)
      e->ray[e->active.index[c]] = e->d[c];
  e->ray[j] = way;
}

/* Steps of length zero: if a set C comes back, the least index decides from then on until x
 * moves. */
typedef struct watch {
  perp_cycle cycle;
  bool least;
} watch;

static void watch_step(watch *watched, bool moved, uint64_t hash)
{
  if (moved) {
    perp_cycle_forget(&watched->cycle, hash);
    watched->least = false;
  } else if (perp_cycle_repeats(&watched->cycle, hash)) {
    watched->least = true;
  }
}

perp_principal_state perp_principal_drive(perp_principal *e, int j)
{
  const int way = perp_principal_way(e, j);
  const int64_t most = 10 * (int64_t)e->n + 100;
  watch watched = {.least = false};
  perp_cycle_forget(&watched.cycle, e->hash);
  perp_principal_measure(e);
  for (int64_t pivots = 0; pivots < most; pivots++) {
    if (perp_run_expired(e->run))
      return PERP_PRINCIPAL_EXPIRED;
    const double s = find_direction(e, j, way);
    find_change(e, j, way, s);
    const event exit = find_exit(e, j, way, s, watched.least);
    const event next = find_block(e, j, exit, watched.least);
    if (next.kind == EVENT_NONE) {
      keep_ray(e, j, way);
      return PERP_PRINCIPAL_STUCK;
    }
    advance(e, j, way, next.step);
    perp_axpy(e->n, next.step, e->dw, e->w);
    e->run->count.pivots++;
    switch (next.kind) {
    case EVENT_ENTER:
      perp_principal_enter(e, j);
      forget_passed(e);
      return PERP_PRINCIPAL_DONE;
    case EVENT_BOUND:
      e->x[j] = way > 0 ? e->hi[j] : e->lo[j];
      return PERP_PRINCIPAL_DONE;
    case EVENT_LEAVE:
      leave_at_bound(e, next.row);
      forget_passed(e);
      break;
    default:
      admit(e, next.row);
    }
    if (!perp_principal_way(e, j))
      return PERP_PRINCIPAL_DONE;
    watch_step(&watched, next.step * e->reach > 1e-14 * fabs(e->x[j]) * e->root[j], e->hash);
  }
  return PERP_PRINCIPAL_LIMIT;
}

/* ---- Many rows, loosely ---- */

/* Drives row j, limited by bounds only; only w_j is updated. */
static perp_principal_state drive_loosely(perp_principal *e, int j, int64_t *pivots)
{
  const int way = perp_principal_way(e, j);
  while (*pivots > 0) {
    if (perp_run_expired(e->run))
      return PERP_PRINCIPAL_EXPIRED;
    const double s = find_direction(e, j, way);
    const event next = find_exit(e, j, way, s, false);
    if (next.kind == EVENT_NONE) {
      keep_ray(e, j, way);
      return PERP_PRINCIPAL_STUCK;
    }
    advance(e, j, way, next.step);
    e->w[j] += next.step * way * s;
    e->run->count.pivots++;
    --*pivots;
    if (next.kind == EVENT_ENTER) {
      perp_principal_enter(e, j);
      return PERP_PRINCIPAL_DONE;
    }
    if (next.kind == EVENT_BOUND) {
      e->x[j] = way > 0 ? e->hi[j] : e->lo[j];
      return PERP_PRINCIPAL_DONE;
    }
    leave_at_bound(e, next.row);
    if (!perp_principal_way(e, j))
      return PERP_PRINCIPAL_DONE;
  }
  return PERP_PRINCIPAL_LIMIT;
}

/* Lists the wrong rows whose possible gain is at least a part of the best one. */
static int collect_wrong(perp_principal *e, double part)
{
  double most = -1;
  int count = 0;
  for (int i = 0; i < e->n; i++)
    if (perp_principal_wants(e, i))
      most = perp_max(most, perp_principal_gain(e, i));
  for (int i = 0; i < e->n; i++)
    if (perp_principal_wants(e, i) && perp_principal_gain(e, i) >= part * most)
      e->list[count++] = i;
  return count;
}

perp_principal_state perp_principal_descend(perp_principal *e)
{
  int64_t pivots = 3 * (int64_t)e->n + 20;
  for (int count; (count = collect_wrong(e, 0.1)) > 0;) {
    for (int k = 0; k < count; k++) {
      const int j = e->list[k];
      /* the rows before it have moved x */
      e->w[j] = k > 0 ? e->b[j] + perp_principal_product(e, j) : e->w[j];
      if (!perp_principal_way(e, j))
        continue;
      const perp_principal_state state = drive_loosely(e, j, &pivots);
      if (state != PERP_PRINCIPAL_DONE) {
        perp_principal_refresh(e);
        return state;
      }
    }
    perp_principal_refresh(e);
    perp_principal_measure(e);
  }
  return PERP_PRINCIPAL_DONE;
}
