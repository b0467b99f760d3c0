/* presolve.c: rows that fix x or only bound it, and rows that are multiples of other rows, taken out
 * before ipm and put back with multipliers
 *
 *   twin        row k is c times row r: the bounds of row k, divided by c, become bounds of row r
 *
 * With the bounds of x, row k of G x is in [min_k, max_k]. Repeated until nothing changes:
 *
 *   redundant   L_k <= min_k and max_k <= U_k: the row has no bounds any more
 *   forcing     min_k = U_k: every x of the row is at the bound that gives min_k (max_k = L_k alike)
 *   singleton   only one x_j of the row is not fixed: the row becomes bounds of x_j
 *
 * A forcing row leaves the feasible set without interior points: multipliers of the row and of the
 * bounds that it presses x against may grow together without end, and an interior point method
 * follows them until no digits are left.
 *
 * Only bounds change (s->low, s->high), so that patterns and factors stay. To undo a row, in
 * reverse order: its multiplier z must leave w_j - a_j z, for each x_j that the row has fixed, with
 * the sign of x_j's bound. For U_k that is z >= w_j / a_j in all these j; z is the least such number
 * >= 0. A singleton takes all of w_j if w_j pushes against a bound that comes from the row, and a
 * twin all of z_r, divided by c. Rays are treated alike.
 *
 * Twins depend on G only, and are found once. The key of a row in a hash table is its columns and its
 * entries over the first one, in single precision; twins that round to different keys stay.
 *
 * Cost: a pass over G for each round. Workspace: none; 2 to 4 m integers for the table. */
#include "model/qp/qp.h"

#include <string.h>

static const double ROUNDING = 1e-15; /* of a sum, in the size of its terms */

/* The row, over the bounds of x. */
typedef struct {
  double min, max, size; /* size: of the terms */
  int open, column;      /* the number of x that are not fixed; one of them */
  double entry, largest; /* the entry of that column; the largest of all */
} activity;

static activity find_activity(const perp_qp_solver *s, int k)
{
  activity a = {0};
  for (int64_t e = s->G.start[k]; e < s->G.start[k + 1]; e++) {
    const int j = s->G.column[e];
    const double v = s->G.value[e];
    const double low = v * (v > 0 ? s->low[j] : s->high[j]);
    const double high = v * (v > 0 ? s->high[j] : s->low[j]);
    a.min += low;
    a.max += high;
    a.size += perp_min(fabs(low), fabs(high));
    a.largest = perp_max(a.largest, fabs(v));
    if (s->low[j] < s->high[j]) {
      a.open++;
      a.column = j;
      a.entry = v;
    }
  }
  return a;
}

/* Fixes the x of row k that are not fixed, at the bounds of the least (side 1) or greatest value. */
static void force(perp_qp_solver *s, int k, int side)
{
  for (int64_t e = s->G.start[k]; e < s->G.start[k + 1]; e++) {
    const int j = s->G.column[e];
    if (!(s->low[j] < s->high[j]))
      continue;
    const bool at_low = (s->G.value[e] > 0) == (side > 0);
    s->low[j] = s->high[j] = at_low ? s->low[j] : s->high[j];
    s->fixed_by[j] = s->cuts;
  }
  s->cut[s->cuts++] = (perp_qp_cut){.row = k, .column = -1, .twin = -1, .side = side};
}

/* Passes the bounds of row k, less `rest` and divided by `entry`, on to row or x `to`. Returns false
 * if that leaves no values. */
static bool pass_bounds(perp_qp_solver *s, perp_qp_cut cut, int to, double entry, double rest)
{
  const int row = s->n + cut.row;
  const double one = (s->low[row] - rest) / entry, two = (s->high[row] - rest) / entry;
  const double least = entry > 0 ? one : two, most = entry > 0 ? two : one;
  double low = s->low[to], high = s->high[to];
  if (least > low) {
    low = least;
    cut.side |= PERP_QP_CUT_LOW;
  }
  if (most < high) {
    high = most;
    cut.side |= PERP_QP_CUT_HIGH;
  }
  if (low - high > ROUNDING * perp_max(fabs(low), fabs(high)))
    return false;
  s->low[to] = perp_min(low, high);
  s->high[to] = high;
  s->low[row] = -INFINITY;
  s->high[row] = INFINITY;
  s->cut[s->cuts++] = cut;
  return true;
}

/* Gives the bounds of row k to the only x that is not fixed. Returns false if that leaves none of
 * its values, or if its entry is small. */
static bool bound_column(perp_qp_solver *s, int k, const activity *a)
{
  static const double SMALL = 1e-3;
  const int j = a->column;
  double rest = 0;
  for (int64_t e = s->G.start[k]; e < s->G.start[k + 1]; e++)
    if (s->G.column[e] != j)
      rest += s->G.value[e] * s->low[s->G.column[e]];
  return fabs(a->entry) >= SMALL * a->largest &&
         pass_bounds(s, (perp_qp_cut){.row = k, .column = j, .twin = -1}, j, a->entry, rest);
}

/* ---- Twins ---- */

static double first_entry(const perp_qp_solver *s, int k)
{
  return s->G.value[s->G.start[k]];
}

static uint64_t hash_row(const perp_qp_solver *s, int k)
{
  uint64_t hash = 0;
  for (int64_t e = s->G.start[k]; e < s->G.start[k + 1]; e++) {
    const float ratio = (float)(s->G.value[e] / first_entry(s, k));
    uint32_t digits;
    memcpy(&digits, &ratio, sizeof digits);
    hash = (hash ^ digits ^ (uint64_t)s->G.column[e] << 32) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29;
  }
  return hash;
}

/* Returns true if rows a and b are multiples of one another, up to the rounding of their entries. */
static bool is_parallel(const perp_qp_solver *s, int a, int b)
{
  const int64_t count = s->G.start[a + 1] - s->G.start[a];
  const int *ca = s->G.column + s->G.start[a], *cb = s->G.column + s->G.start[b];
  const double *va = s->G.value + s->G.start[a], *vb = s->G.value + s->G.start[b];
  if (s->G.start[b + 1] - s->G.start[b] != count || !isnormal(vb[0] / va[0]))
    return false;
  for (int64_t e = 0; e < count; e++)
    if (ca[e] != cb[e] || !(fabs(va[e] / va[0] - vb[e] / vb[0]) <= ROUNDING * fabs(va[e] / va[0])))
      return false;
  return true;
}

bool perp_qp_find_twins(perp_qp_solver *s)
{
  uint64_t slots = 2;
  while (slots < 2 * (uint64_t)s->m)
    slots *= 2;
  int *table;
  if (!PERP_TAKE(&s->arena, PERP_ARRAY(s->twin, s->m)))
    return false;
  const perp_arena_mark mark = perp_arena_hold(&s->arena);
  const bool taken = PERP_TAKE_ZERO(&s->arena, PERP_ARRAY(table, slots)); /* a row + 1, or 0 */
  for (int k = 0; k < s->m && taken; k++) {
    s->twin[k] = -1;
    if (s->G.start[k] == s->G.start[k + 1])
      continue;
    uint64_t at = hash_row(s, k) & (slots - 1);
    while (table[at] > 0 && !is_parallel(s, table[at] - 1, k))
      at = (at + 1) & (slots - 1);
    if (table[at] > 0)
      s->twin[k] = table[at] - 1;
    else
      table[at] = k + 1;
  }
  perp_arena_release(&s->arena, mark);
  return taken;
}

static bool is_near(double sum, double bound, double size)
{
  return isfinite(sum) && fabs(sum - bound) <= ROUNDING * size;
}

/* Takes row k out if it is redundant, forcing or a singleton. */
static bool take_out(perp_qp_solver *s, int k)
{
  const int row = s->n + k;
  const double L = s->low[row], U = s->high[row];
  if (isinf(L) && isinf(U))
    return false;
  const activity a = find_activity(s, k);
  const double noise = a.open > 0 ? 0 : ROUNDING * a.size;
  if (!(a.min >= L - noise && a.max <= U + noise)) {
    if (a.open > 0 && is_near(a.min, U, a.size))
      force(s, k, 1);
    else if (a.open > 0 && is_near(a.max, L, a.size))
      force(s, k, -1);
    else if (a.open != 1 || !bound_column(s, k, &a))
      return false;
  }
  s->low[row] = -INFINITY;
  s->high[row] = INFINITY;
  return true;
}

void perp_qp_presolve(perp_qp_solver *s)
{
  enum { ROUNDS = 30 };
  for (int j = 0; j < s->n; j++)
    s->fixed_by[j] = -1;
  for (int k = 0; k < s->m; k++)
    if (s->twin[k] >= 0)
      pass_bounds(s, (perp_qp_cut){.row = k, .column = -1, .twin = s->twin[k]}, s->n + s->twin[k],
                  first_entry(s, k) / first_entry(s, s->twin[k]), 0);
  bool changed = true;
  for (int round = 0; round < ROUNDS && changed; round++) {
    changed = false;
    for (int k = 0; k < s->m; k++)
      changed |= take_out(s, k);
  }
}

void perp_qp_postsolve(const perp_qp_solver *s, double *v)
{
  for (int at = s->cuts - 1; at >= 0; at--) {
    const perp_qp_cut cut = s->cut[at];
    const int64_t begin = s->G.start[cut.row], end = s->G.start[cut.row + 1];
    double z = 0;
    if (cut.twin >= 0) {
      double *of_twin = v + s->n + cut.twin;
      if (cut.side & (*of_twin > 0 ? PERP_QP_CUT_HIGH : PERP_QP_CUT_LOW)) {
        v[s->n + cut.row] = *of_twin * (first_entry(s, cut.twin) / first_entry(s, cut.row));
        *of_twin = 0;
      }
      continue;
    }
    for (int64_t e = begin; e < end; e++) {
      const int j = s->G.column[e];
      const double share = v[j] / s->G.value[e];
      if (cut.column < 0 && s->fixed_by[j] == at)
        z = cut.side > 0 ? perp_max(z, share) : perp_min(z, share);
      else if (j == cut.column && (cut.side & (v[j] > 0 ? PERP_QP_CUT_HIGH : PERP_QP_CUT_LOW)))
        z = share;
    }
    v[s->n + cut.row] = z;
    for (int64_t e = begin; e < end && z != 0; e++) {
      const int j = s->G.column[e];
      v[j] = j == cut.column ? 0 : v[j] - s->G.value[e] * z;
    }
  }
}
