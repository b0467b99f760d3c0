/* principal.c: principal pivoting on a box, for symmetric positive semi-definite matrices
 *
 * Rows are basic (in C: w_i = 0, A_CC positive definite) or not. A nonbasic row is right if
 *
 *   w_i >= 0 at x_i = lo_i,   w_i <= 0 at x_i = hi_i,   w_i = 0 between them,
 *
 * and wrong otherwise. A wrong row j is driven: x_j moves in the direction of -w_j, x_C follows so
 * that w_C stays 0,
 *
 *   d_j = +-1,  d_C = -d_j A_CC^-1 A_Cj,  dw = A d,  dw_j = d_j s,  s = A_jj - A_jC A_CC^-1 A_Cj,
 *
 * until w_j is 0 (j joins C), x_j is at its other bound, some x_c is at a bound (c leaves C) or
 * some right w_i would turn wrong (i joins C first); in the last two cases the drive of j
 * continues. Right rows stay right, so every row is driven at most once (Cottle and Dantzig 1968;
 * Baraff 1994).
 *
 * Without the last case x still stays in its bounds, the energy 1/2 x^T A x + b^T x falls with
 * every step of some length, and there are finitely many sets C: this ends as well (Lawson and
 * Hanson 1974). Right rows turn wrong and are driven again, but far fewer pivots are taken, and w
 * is needed only to choose j: once for many rows. This is done first (descend), within a limit of 3
 * n pivots; after that, rows are kept right (drive).
 *
 * Semi-definite A. s = 0 means A d = 0: w stays, so neither j nor any i blocks, and j is driven
 * until some x is at a bound. If it is x_c, row j no longer depends on the rest of C. If nothing
 * blocks, d is a ray: A d = 0, d^T b = d^T w = d_j w_j < 0, and the energy falls without bound. So
 * C never holds dependent rows; a row left out for that reason may be anywhere between its bounds:
 * its w is a combination of the w of C, 0.
 *
 * Degenerate steps. Ties are broken by the largest pivot. Within steps of length zero the sets C
 * are hashed and compared with an earlier one (Brent 1980); when a set repeats, the least index
 * breaks ties until x moves, which breaks every cycle (Cottle and Chang 1992: least indices in
 * principal pivoting, for sufficient matrices, of which the semi-definite ones are a part).
 *
 * Cost of a pivot: k^2 flops for each triangle, k = |C|; with rows kept right 2 n min(k, n - k)
 * more for dw. Workspace: n^2 for the factor, 11 n; n^2 more if A is copied. */
#include "method/pivoting/principal.h"

#include "base/elementary.h"
#include "linalg/rows.h"
#include "linalg/vector.h"
#include "method/pivoting/cycle.h"

#include <float.h>

/* ---- Positions of rows ---- */

static bool is_basic(const perp_principal *e, int i)
{
  return e->active.place[i] >= 0;
}

/* (row i of A)^T x */
static double product(const perp_principal *e, int i)
{
  const perp_span s = e->span[i];
  return perp_dot(s.end - s.begin, e->A + i * e->ld + s.begin, e->x + s.begin);
}

/* Returns the direction in which x_i should move: -1 or 1, 0 if the row is right. */
static int way_of(const perp_principal *e, int i)
{
  if (e->w[i] < -e->slack[i] && e->x[i] < e->hi[i])
    return 1;
  if (e->w[i] > e->slack[i] && e->x[i] > e->lo[i])
    return -1;
  return 0;
}

bool perp_principal_wants(const perp_principal *e, int i)
{
  return !is_basic(e, i) && e->state[i] != PERP_ROW_STUCK && way_of(e, i);
}

double perp_principal_gain(const perp_principal *e, int i)
{
  return e->root[i] > 0 ? fabs(e->w[i]) / e->root[i] : INFINITY;
}

/* Sets slack: the error of w_i is epsilon times its terms, at most |b_i| + root_i sum_j root_j
 * |x_j|, or, more exactly, |b_i| + sum_j |A_ij x_j|. */
void perp_principal_measure(perp_principal *e)
{
  double sum = 0;
  for (int i = 0; i < e->n && e->sharp; i++) {
    const perp_span s = e->span[i];
    double terms = fabs(e->b[i]);
    for (int j = s.begin; j < s.end; j++)
      terms += fabs(e->A[i * e->ld + j] * e->x[j]);
    e->slack[i] = 2 * DBL_EPSILON * terms;
  }
  if (e->sharp)
    return;
  for (int i = 0; i < e->n; i++)
    sum += e->root[i] * fabs(e->x[i]);
  for (int i = 0; i < e->n; i++)
    e->slack[i] = 8 * DBL_EPSILON * (fabs(e->b[i]) + e->root[i] * sum);
}

void perp_principal_freeze(perp_principal *e)
{
  if (e->A == e->A_true)
    return;
  perp_run_gradient(e->run, e->x, e->b);
  for (int i = 0; i < e->n; i++)
    e->b[i] -= product(e, i);
}

void perp_principal_refresh(perp_principal *e)
{
  const int n = e->n;
  int count = 0;
  for (int i = 0; i < n && e->sharp; i++) {
    const perp_span s = e->span[i];
    e->w[i] = perp_dot_exact(s.end - s.begin, e->A + i * e->ld + s.begin, e->x + s.begin, e->b[i]);
  }
  if (e->sharp)
    return;
  for (int i = 0; i < n; i++)
    if (e->x[i] != 0) {
      e->list[count] = i;
      e->dw[count++] = e->x[i];
    }
  perp_copy(n, e->b, e->w);
  perp_rows_combine(count, e->list, e->dw, e->A, e->ld, e->span, e->w);
}

/* x_i <- value for a nonbasic row; the change is queued for w. */
static void set_row(perp_principal *e, int i, double value, int *count)
{
  if (value == e->x[i])
    return;
  e->list[*count] = i;
  e->dw[(*count)++] = value - e->x[i];
  e->x[i] = value;
}

static void carry_to_w(perp_principal *e, int count)
{
  perp_rows_combine(count, e->list, e->dw, e->A, e->ld, e->span, e->w);
}

/* Adds the row last reached by the factor to C. */
static void enter_row(perp_principal *e, int i)
{
  perp_active_append(&e->active);
  e->w[i] = 0;
  e->hash ^= perp_place_key(i, 0);
}

static void leave_row(perp_principal *e, int p)
{
  e->hash ^= perp_place_key(e->active.index[p], 0);
  perp_active_delete(&e->active, p);
}

/* Adds these rows to C, in groups; the clock is read between two groups. */
static void extend(perp_principal *e, int count, const int *rows)
{
  enum { LOT = 64 };
  const int before = e->active.count;
  for (int k = 0; k < count && !(k > 0 && perp_run_expired(e->run)); k += LOT)
    perp_active_extend(&e->active, count - k < LOT ? count - k : LOT, rows + k, e->d);
  for (int k = before; k < e->active.count; k++)
    e->hash ^= perp_place_key(e->active.index[k], 0);
}

void perp_principal_place(perp_principal *e)
{
  const int n = e->n;
  int count = 0;
  for (int i = 0; i < n; i++)
    set_row(e, i, perp_min(perp_max(e->x[i], e->lo[i]), e->hi[i]), &count);
  carry_to_w(e, count);
  count = 0;
  for (int bounded = 0; bounded < 2; bounded++)
    for (int i = 0; i < n; i++)
      if (e->lo[i] < e->x[i] && e->x[i] < e->hi[i] &&
          bounded == !(isinf(e->lo[i]) && isinf(e->hi[i])))
        e->list[count++] = i;
  e->hash = 0;
  const bool recalled =
      e->active.count == 0 && perp_active_recall(e->kept, count, e->list, &e->active);
  const int built = recalled ? count : perp_active_build(&e->active, count, e->list);
  for (int k = 0; k < e->active.count; k++)
    e->hash ^= perp_place_key(e->active.index[k], 0);
  if (recalled)
    return;
  extend(e, count - built, e->list + built); /* after the first dependent row */
  e->run->count.factorisations++;
  if (!perp_run_expired(e->run))
    perp_active_keep(e->kept, count, e->list, &e->active);
}

void perp_principal_assign(perp_principal *e, const int *side)
{
  perp_active *C = &e->active;
  int leaving = 0, count = 0;
  for (int k = 0; k < C->count; k++)
    leaving += side[C->index[k]] != 0;
  /* removing one row costs as much as adding many together */
  if (leaving > C->count / 4) {
    perp_active_clear(C);
    e->hash = 0;
  }
  if (C->count == 0)
    e->run->count.factorisations++;
  for (int p = C->count - 1; leaving > 0 && p >= 0; p--)
    if (side[C->index[p]] != 0)
      leave_row(e, p);
  for (int i = 0; i < e->n; i++)
    if (side[i] == 0 && !is_basic(e, i))
      e->list[count++] = i;
  extend(e, count, e->list);
}

/* ---- Solving on C ---- */

/* Reduces C to `count` of its rows, given in its order. Removing one row costs as much as adding
 * many together. */
static void keep(perp_principal *e, int count, const int *rows)
{
  perp_active *C = &e->active;
  if (C->count - count > C->count / 16) {
    perp_active_clear(C);
    e->hash = 0;
    extend(e, count, rows);
    e->run->count.factorisations++;
    return;
  }
  for (int p = C->count - 1; p >= 0; p--)
    if (count > 0 && rows[count - 1] == C->index[p])
      count--;
    else
      leave_row(e, p);
}

bool perp_principal_settle(perp_principal *e)
{
  perp_active *C = &e->active;
  while (C->count > 0) {
    if (perp_run_expired(e->run))
      return false;
    for (int k = 0; k < C->count; k++)
      e->d[k] = -e->w[C->index[k]];
    perp_active_solve(C, e->d);
    e->run->count.solves++;
    int count = 0, kept = e->n; /* the list: changes of x at its front, kept rows at its end */
    for (int p = C->count - 1; p >= 0; p--) {
      const int i = C->index[p];
      const double to = e->x[i] + e->d[p];
      if (e->lo[i] < to && to < e->hi[i])
        e->list[--kept] = i;
      else
        set_row(e, i, to <= e->lo[i] ? e->lo[i] : e->hi[i], &count);
    }
    if (e->n - kept < C->count) {
      e->run->count.pivots += C->count - (e->n - kept);
      carry_to_w(e, count);
      keep(e, e->n - kept, e->list + kept);
      continue;
    }
    for (int k = 0; k < C->count; k++)
      e->x[C->index[k]] += e->d[k];
    perp_rows_combine(C->count, C->index, e->d, e->A, e->ld, e->span, e->w);
    for (int k = 0; k < C->count; k++)
      e->w[C->index[k]] = 0;
    break;
  }
  return true;
}

/* ---- One row after another ---- */

/* |A d| below this times the size of its terms is rounding. */
static const double insignificant = 1e-12;

typedef enum { EVENT_NONE, EVENT_ENTER, EVENT_BOUND, EVENT_LEAVE, EVENT_BLOCK } event_kind;

typedef struct event {
  event_kind kind;
  int row;
  double step;  /* step length of the event */
  double pivot; /* scaled size of the divisor */
} event;

/* Computes d_C for x_j moving in the direction `way`. Returns s, or 0 if it is rounding. */
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

/* Computes dw in all rows outside C, 0 in C: by the rows of C, or by the others if they are
 * fewer. */
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
      if (!is_basic(e, i))
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

/* Replaces the best event if this one comes first, or ties and has a larger pivot. */
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

/* Returns the first of these events: w_j is 0, x_j is at its bound, some x_c is at its bound. */
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

/* Returns the first event of find_exit, or an earlier one: some right row outside C would become
 * wrong. */
static event find_block(const perp_principal *e, int j, event best, bool least)
{
  for (int i = 0; i < e->n; i++) {
    const double dw = e->dw[i];
    if (dw == 0 || i == j || e->state[i] == PERP_ROW_PASSED ||
        fabs(dw) <= insignificant * e->root[i] * e->reach)
      continue;
    /* only if dw makes the row wrong */
    if ((dw < 0 ? e->x[i] >= e->hi[i] : e->x[i] <= e->lo[i]) || way_of(e, i))
      continue;
    const double way_left = dw < 0 ? e->w[i] : -e->w[i];
    consider(&best, EVENT_BLOCK, i, perp_max(way_left, 0) / fabs(dw),
             fabs(dw) / (e->root[i] * e->root[j]), least);
  }
  return best;
}

/* Moves x, not w. */
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

/* Adds row i, whose w has reached 0, to C. If it depends on C, its dw was rounding: it is skipped
 * until C changes. */
static void admit(perp_principal *e, int i)
{
  e->w[i] = 0;
  perp_active_reach(&e->active, i);
  if (!perp_active_independent(&e->active, e->d)) {
    e->state[i] = PERP_ROW_PASSED;
    return;
  }
  enter_row(e, i);
}

static void leave_at_bound(perp_principal *e, int i)
{
  const int p = e->active.place[i];
  e->x[i] = e->d[p] < 0 ? e->lo[i] : e->hi[i];
  leave_row(e, p);
}

/* Stores the direction d as the ray, since nothing blocks it. */
static void keep_ray(perp_principal *e, int j, int way)
{
  perp_fill(e->n, 0, e->ray);
  for (int c = 0; c < e->active.count; c++)
    if (fabs(e->d[c]) * e->root[e->active.index[c]] > insignificant * e->reach)
      e->ray[e->active.index[c]] = e->d[c];
  e->ray[j] = way;
}

/* Watches steps of length zero: if a set C repeats, the least index decides until x moves. */
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

perp_principal_state perp_principal_drive(perp_principal *e, int j, bool strict, int64_t *pivots)
{
  const int way = way_of(e, j);
  watch watched = {.least = false};
  perp_cycle_forget(&watched.cycle, e->hash);
  for (; *pivots > 0; --*pivots) {
    if (perp_run_expired(e->run))
      return PERP_PRINCIPAL_EXPIRED;
    const double s = find_direction(e, j, way);
    event next = find_exit(e, j, way, s, watched.least);
    if (strict) {
      find_change(e, j, way, s);
      next = find_block(e, j, next, watched.least);
    }
    if (next.kind == EVENT_NONE) {
      keep_ray(e, j, way);
      return PERP_PRINCIPAL_STUCK;
    }
    advance(e, j, way, next.step);
    if (strict)
      perp_axpy(e->n, next.step, e->dw, e->w);
    else
      e->w[j] += next.step * way * s;
    e->run->count.pivots++;
    switch (next.kind) {
    case EVENT_ENTER:
      enter_row(e, j);
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
    if (!way_of(e, j))
      return PERP_PRINCIPAL_DONE;
    if (strict)
      watch_step(&watched, next.step * e->reach > 1e-14 * fabs(e->x[j]) * e->root[j], e->hash);
  }
  return PERP_PRINCIPAL_LIMIT;
}

/* ---- Many rows, loosely ---- */

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

/* Drives wrong rows, many per product with A, even if other rows become wrong, until all are right.
 * Returns PERP_PRINCIPAL_LIMIT if that takes too long. w is up to date before and after. */
static perp_principal_state descend(perp_principal *e)
{
  int64_t pivots = 3 * (int64_t)e->n + 20;
  for (int count; (count = collect_wrong(e, 0.1)) > 0;) {
    for (int k = 0; k < count; k++) {
      const int j = e->list[k];
      /* earlier rows of the list have moved x */
      e->w[j] = k > 0 ? e->b[j] + product(e, j) : e->w[j];
      if (!way_of(e, j))
        continue;
      const perp_principal_state state = perp_principal_drive(e, j, false, &pivots);
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

/* ---- All rows ---- */

/* Returns the row with the largest possible gain, or -1. */
static int choose(const perp_principal *e)
{
  int best = -1;
  double most = -1;
  for (int i = 0; i < e->n; i++)
    if (perp_principal_wants(e, i) && perp_principal_gain(e, i) > most) {
      most = perp_principal_gain(e, i);
      best = i;
    }
  return best;
}

/* Recomputes w and makes one step of refinement on C; if that step is not small, the factor has
 * drifted and is computed again. Returns true if x changed by much. */
static bool polish(perp_principal *e)
{
  perp_active *C = &e->active;
  perp_principal_refresh(e);
  double size = 0, change = 0;
  for (int k = 0; k < C->count; k++)
    e->d[k] = -e->w[C->index[k]];
  perp_active_solve(C, e->d);
  e->run->count.solves++;
  for (int k = 0; k < C->count; k++) {
    const int i = C->index[k];
    size = perp_max(size, e->root[i] * fabs(e->x[i]));
    change = perp_max(change, e->root[i] * fabs(e->d[k]));
  }
  if (change > 1e-9 * size) {
    perp_principal_place(e);
    return true;
  }
  for (int k = 0; k < C->count; k++) {
    const int i = C->index[k];
    e->x[i] = perp_min(perp_max(e->x[i] + e->d[k], e->lo[i]), e->hi[i]);
    e->w[i] = 0;
  }
  return false;
}

static perp_principal_state drive_all(perp_principal *e)
{
  perp_principal_state worst = PERP_PRINCIPAL_DONE;
  while (worst != PERP_PRINCIPAL_EXPIRED) {
    int64_t pivots = 10 * (int64_t)e->n + 100;
    perp_principal_measure(e);
    const int j = choose(e);
    if (j < 0)
      break;
    const perp_principal_state state = perp_principal_drive(e, j, true, &pivots);
    if (state == PERP_PRINCIPAL_DONE)
      continue;
    worst = state;
    e->state[j] = PERP_ROW_STUCK;
  }
  return worst;
}

/* Returns true if a row is wrong by more than the run allows, from rounding or not. */
static bool is_off(const perp_principal *e)
{
  const double most = 0.5 * e->run->target;
  for (int i = 0; i < e->n; i++)
    if ((e->w[i] < -most && e->hi[i] - e->x[i] > most) ||
        (e->w[i] > most && e->x[i] - e->lo[i] > most))
      return true;
  return false;
}

perp_principal_state perp_principal_solve(perp_principal *e)
{
  enum { ROUNDS = 6 };
  perp_principal_state state = PERP_PRINCIPAL_LIMIT;
  e->sharp = false;
  for (int round = 0; round < ROUNDS; round++) {
    perp_fill_integers(e->n, PERP_ROW_PLAIN, e->state);
    if (!perp_principal_settle(e))
      return PERP_PRINCIPAL_EXPIRED;
    perp_principal_measure(e);
    /* strict applies to the first round: later rows are wrong only by rounding */
    state = e->strict && round == 0 ? PERP_PRINCIPAL_LIMIT : descend(e);
    if (state == PERP_PRINCIPAL_LIMIT)
      state = drive_all(e);
    if (state == PERP_PRINCIPAL_EXPIRED)
      return state;
    if (polish(e) || choose(e) >= 0)
      continue;
    if (e->sharp || (state == PERP_PRINCIPAL_DONE && !is_off(e)))
      break;
    /* once more, with close bounds on rounding, exact sums and a new factor: the ray may come from
     * a factor that has drifted */
    e->sharp = true;
    perp_principal_refresh(e);
    perp_principal_place(e);
  }
  return state;
}
