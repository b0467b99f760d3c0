/* presolve.c: rows that fix x or only bound it, taken out before ipm and put back with multipliers
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
 * >= 0. A singleton takes all of w_j if w_j pushes against a bound that comes from the row. Rays are
 * treated alike.
 *
 * Cost: a pass over G for each round. Workspace: none. */
#include "model/qp/qp.h"

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
  s->cut[s->cuts++] = (perp_qp_cut){.row = k, .column = -1, .side = side};
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
  if (fabs(a->entry) < SMALL * a->largest)
    return false;
  const double one = (s->low[s->n + k] - rest) / a->entry,
               two = (s->high[s->n + k] - rest) / a->entry;
  const double least = a->entry > 0 ? one : two, most = a->entry > 0 ? two : one;
  const double low = perp_max(least, s->low[j]), high = perp_min(most, s->high[j]);
  if (low - high > ROUNDING * perp_max(fabs(low), fabs(high)))
    return false;
  const int side =
      (least > s->low[j] ? PERP_QP_CUT_LOW : 0) | (most < s->high[j] ? PERP_QP_CUT_HIGH : 0);
  s->low[j] = perp_min(low, high);
  s->high[j] = high;
  s->cut[s->cuts++] = (perp_qp_cut){.row = k, .column = j, .side = side};
  return true;
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
