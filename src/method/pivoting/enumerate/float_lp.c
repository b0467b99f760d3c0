/* float_lp.c: proves in floating point that inequalities contradict each other
 *
 * The dictionary of linalg/exact_lp.c in doubles. If a row cannot be moved to its bound, its
 * multipliers u prove that, up to rounding: for g = A^T u the bound b^T u + sup g^T x < 0 is tested
 * with the largest errors that its sums can have. If g_j <= 0 must hold and g_j = 0, as for basic
 * x_j, rounding would break the proof; so the row of x_j times a small epsilon is added first,
 * which makes g_j = -epsilon. Exact integers decide the remaining cases: a wrong pivot costs only
 * time. */
#include "method/pivoting/enumerate/float_lp.h"

#include "base/elementary.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double ZERO = 1e-9;

static void restore(perp_quick *q)
{
  memcpy(q->t, q->a, sizeof q->t);
  for (int i = 0; i < q->n; i++) {
    q->basic[i] = q->n + i;
    q->nonbasic[i] = i;
    q->place[i] = -1 - i;
    q->place[q->n + i] = i;
  }
  q->pivots = 0;
}

void perp_quick_start(perp_quick *q)
{
  restore(q);
  for (int v = 0; v < 2 * q->n; v++) {
    q->lo[v] = -INFINITY;
    q->hi[v] = INFINITY;
    q->value[v] = 0;
  }
}

static void pivot(perp_quick *q, int r, int s)
{
  const int n = q->n, leaves = q->basic[r], enters = q->nonbasic[s];
  const double p = q->t[r][s];
  for (int j = 0; j <= n; j++)
    q->t[r][j] = j == s ? 1 / p : -q->t[r][j] / p;
  for (int i = 0; i < n; i++) {
    const double factor = q->t[i][s];
    if (i == r || factor == 0)
      continue;
    for (int j = 0; j <= n; j++)
      q->t[i][j] = j == s ? factor * q->t[r][s] : q->t[i][j] + factor * q->t[r][j];
  }
  q->basic[r] = enters;
  q->nonbasic[s] = leaves;
  q->place[enters] = r;
  q->place[leaves] = -1 - s;
  q->pivots++;
}

/* Recomputes the dictionary of the basis from the entries of A, so that rounding does not
 * accumulate. */
static void renew(perp_quick *q)
{
  const int n = q->n;
  bool wanted[2 * PERP_QUICK_MOST];
  for (int v = 0; v < 2 * n; v++)
    wanted[v] = q->place[v] >= 0;
  restore(q);
  for (int step = 0; step < n; step++) {
    int row = -1, column = -1;
    double largest = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n && !wanted[q->basic[i]]; j++)
        if (wanted[q->nonbasic[j]] && fabs(q->t[i][j]) > largest) {
          largest = fabs(q->t[i][j]);
          row = i;
          column = j;
        }
    if (row < 0)
      break;
    pivot(q, row, column);
  }
  q->pivots = 0;
}

/* Computes the basic variables. Returns the row farthest outside its bounds, relative to its terms,
 * -1 if none is. *side: 1 if it must rise. */
static int find_violated(perp_quick *q, int *side)
{
  double worst = ZERO;
  int row = -1;
  for (int i = 0; i < q->n; i++) {
    const int v = q->basic[i];
    double sum = q->t[i][q->n], size = fabs(sum);
    for (int j = 0; j < q->n; j++) {
      const double term = q->t[i][j] * q->value[q->nonbasic[j]];
      sum += term;
      size += fabs(term);
    }
    q->value[v] = sum;
    const double below = q->lo[v] - sum, above = sum - q->hi[v], out = perp_max(below, above);
    const double bound = below > above ? q->lo[v] : q->hi[v];
    if (out > 0 && out > worst * (size + fabs(bound))) {
      worst = out / (size + fabs(bound));
      row = i;
      *side = below > above ? 1 : -1;
    }
  }
  return row;
}

static int find_entering(const perp_quick *q, int r, int side)
{
  double size = 0, largest = 0;
  int column = -1;
  for (int j = 0; j < q->n; j++)
    size = perp_max(size, fabs(q->t[r][j]));
  for (int j = 0; j < q->n; j++) {
    const int v = q->nonbasic[j];
    const double t = side * q->t[r][j];
    const bool moves = t > 0 ? q->value[v] < q->hi[v] : q->value[v] > q->lo[v];
    if (moves && fabs(t) > largest && fabs(t) > ZERO * size) {
      largest = fabs(t);
      column = j;
    }
  }
  return column;
}

/* u <- u + factor times the coefficients of y in  x_r - sum T_rj x_j - t = 0 */
static void add_row(const perp_quick *q, int r, double factor, double *u)
{
  for (int j = 0; j < q->n; j++)
    if (q->nonbasic[j] >= q->n)
      u[q->nonbasic[j] - q->n] -= factor * q->t[r][j];
  if (q->basic[r] >= q->n)
    u[q->basic[r] - q->n] += factor;
}

static void set_multipliers(const perp_quick *q, int r, int side, double *u)
{
  static const double EPSILON = 1e-7;
  const int n = q->n;
  double size = 1;
  memset(u, 0, (size_t)n * sizeof *u);
  for (int j = 0; j < n; j++)
    size = perp_max(size, fabs(q->t[r][j]));
  add_row(q, r, side, u);
  for (int i = 0; i < n; i++) {
    const int v = q->basic[i];
    const bool above = isinf(q->hi[v]), below = isinf(q->lo[v]);
    if (i == r || v >= n || above == below)
      continue;
    double row = 1;
    for (int j = 0; j < n; j++)
      row = perp_max(row, fabs(q->t[i][j]));
    add_row(q, i, (above ? 1 : -1) * EPSILON * size / (row * n), u);
  }
  for (int i = 0; i < n; i++)
    if ((u[i] > 0 && q->lo[n + i] != 0) || (u[i] < 0 && q->hi[n + i] != 0))
      u[i] = 0; /* rounding, or useless for a proof */
}

/* Returns true if b^T u + sup g^T x < 0 with all errors against it. */
static bool proves(const perp_quick *q, const double *u)
{
  const int n = q->n;
  const double gamma = 2 * (n + 8) * DBL_EPSILON, least = 100 * DBL_MIN;
  double sum = 0, size = 0;
  for (int i = 0; i < n; i++) {
    sum += q->a[i][n] * u[i];
    size += fabs(q->a[i][n] * u[i]) + least;
  }
  for (int j = 0; j < n; j++) {
    double g = 0, terms = 0;
    for (int i = 0; i < n; i++) {
      g += q->a[i][j] * u[i];
      terms += fabs(q->a[i][j] * u[i]) + (u[i] != 0 && q->a[i][j] != 0 ? least : 0);
    }
    const double high = g + gamma * terms, low = g - gamma * terms, lo = q->lo[j], hi = q->hi[j];
    if ((high > 0 && isinf(hi)) || (low < 0 && isinf(lo)) || isnan(g) || isinf(terms))
      return false;
    /* at 0 if neither bound is required */
    double most = isinf(lo) && isinf(hi) ? 0 : -INFINITY;
    if (!isinf(hi))
      most = perp_max(most, perp_max(high * hi, low * hi));
    if (!isinf(lo))
      most = perp_max(most, perp_max(high * lo, low * lo));
    sum += most;
    size += fabs(most) + least;
  }
  return sum + gamma * size < 0;
}

/* Nonbasic variables into their bounds. */
static void clamp(perp_quick *q)
{
  for (int j = 0; j < q->n; j++) {
    const int v = q->nonbasic[j];
    q->value[v] = perp_min(perp_max(q->value[v], q->lo[v]), q->hi[v]);
  }
}

perp_quick_verdict perp_quick_decide(perp_quick *q)
{
  enum { MOST_PIVOTS = 60, FRESH = 40 };
  double u[PERP_QUICK_MOST];
  clamp(q);
  for (int step = 0; step < MOST_PIVOTS; step++) {
    if (q->pivots > FRESH) {
      renew(q);
      clamp(q);
    }
    int side = 0;
    const int r = find_violated(q, &side);
    if (r < 0)
      return PERP_QUICK_FEASIBLE;
    const int s = find_entering(q, r, side), leaves = q->basic[r];
    if (s < 0) {
      set_multipliers(q, r, side, u);
      return proves(q, u) ? PERP_QUICK_INFEASIBLE : PERP_QUICK_UNKNOWN;
    }
    pivot(q, r, s);
    q->value[leaves] = side > 0 ? q->lo[leaves] : q->hi[leaves];
  }
  return PERP_QUICK_UNKNOWN;
}
