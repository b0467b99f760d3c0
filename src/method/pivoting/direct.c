/* direct.c: problems of at most three unknowns, by their complementary cones
 *
 * With x_i = 0 off a set S and y_i = 0 on it, y = A x + b says that b lies in the cone of the
 * columns -A_j (j in S) and e_i (i not in S): 2^n complementary cones (Murty 1972). For a P-matrix
 * they fill the space and meet in facets only. A cone is tested by
 *
 *   x_S = -A_SS^-1 b_S >= 0,   y_i = b_i + A_iS x_S >= 0  (i not in S),
 *
 * by Cramer's rule, and one step of refinement if |S| > 1. The smallest sets come first.
 *
 * Facets. On a facet two cones hold the same point, and rounding may put b just outside of both. A
 * flat cone (det A_SS = 0) holds b only if one of its faces does. Both cases are treated by testing
 * all points that can be vertices of the solution set: for sets of columns S and of rows R of one
 * size with det A_RS != 0,
 *
 *   x_S = -A_RS^-1 b_R,   x = 0 else,
 *
 * since a solution piece { x_S >= 0, A_SS x_S = -b_S, y >= 0 } contains no line and so has a
 * vertex, at which |S| independent constraints are active. There are 2, 6, 20 such points for
 * n = 1, 2, 3, and the one of least
 *
 *   omega = max_i |violation of y_i| / (|b_i| + sum_j |A_ij x_j|)
 *
 * wins: the change of b and A, relative to themselves, that makes x exact (Oettli, Prager 1964),
 * which no scaling of rows or columns alters. With a box the x off S are at either bound. If b lies
 * in no cone there is no solution. Workspace: none. */
#include "base/elementary.h"
#include "method/system/farkas.h"
#include "set/set.h"

#include <assert.h>
#include <float.h>

enum { MOST = 3 };

static const double rounding = 64 * DBL_EPSILON;

/* ---- Linear systems ---- */

/* Returns the determinant of a 2 x 2 matrix, exactly 0 if only rounding is left. */
static double determinant(double a, double b, double c, double d)
{
  const double p = a * d, q = b * c, det = p - q;
  return fabs(det) <= 2 * DBL_EPSILON * (fabs(p) + fabs(q)) ? 0 : det;
}

static bool solve2(const double M[4], const double r[2], double z[2])
{
  const double det = determinant(M[0], M[1], M[2], M[3]);
  if (det == 0 || !isfinite(det))
    return false;
  z[0] = (M[3] * r[0] - M[1] * r[1]) / det;
  z[1] = (M[0] * r[1] - M[2] * r[0]) / det;
  const double e0 = r[0] - M[0] * z[0] - M[1] * z[1], e1 = r[1] - M[2] * z[0] - M[3] * z[1];
  z[0] += (M[3] * e0 - M[1] * e1) / det;
  z[1] += (M[0] * e1 - M[2] * e0) / det;
  return true;
}

static bool solve3(const double M[9], const double r[3], double z[3])
{
  /* C = adj M, row by row */
  double C[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int p = (j + 1) % 3, q = (j + 2) % 3, s = (i + 1) % 3, t = (i + 2) % 3;
      C[3 * i + j] = M[3 * p + s] * M[3 * q + t] - M[3 * p + t] * M[3 * q + s];
    }
  const double det = M[0] * C[0] + M[1] * C[3] + M[2] * C[6];
  double size = 0;
  for (int j = 0; j < 3; j++) {
    const int s = (j + 1) % 3, t = (j + 2) % 3;
    size += fabs(M[j]) * (fabs(M[3 + s] * M[6 + t]) + fabs(M[3 + t] * M[6 + s]));
  }
  if (!(fabs(det) > 4 * DBL_EPSILON * size) || !isfinite(det))
    return false;
  for (int i = 0; i < 3; i++)
    z[i] = (C[3 * i] * r[0] + C[3 * i + 1] * r[1] + C[3 * i + 2] * r[2]) / det;
  double e[3];
  for (int i = 0; i < 3; i++)
    e[i] = r[i] - (M[3 * i] * z[0] + M[3 * i + 1] * z[1] + M[3 * i + 2] * z[2]);
  for (int i = 0; i < 3; i++)
    z[i] += (C[3 * i] * e[0] + C[3 * i + 1] * e[1] + C[3 * i + 2] * e[2]) / det;
  return true;
}

static bool solve_any(int k, const double *M, const double *r, double *z)
{
  if (k == 0)
    return true;
  if (k == 1) {
    z[0] = r[0] / M[0];
    return isfinite(z[0]);
  }
  return k == 2 ? solve2(M, r, z) : solve3(M, r, z);
}

/* ---- Every vertex ---- */

typedef struct box {
  int n;
  const double *A, *b, *lo, *hi;
} box;

/* Returns omega of x, which lies in the box. */
static double violation(const box *p, const double *x)
{
  double most = 0;
  for (int i = 0; i < p->n; i++) {
    double y = p->b[i], size = fabs(p->b[i]);
    for (int j = 0; j < p->n; j++) {
      const double term = p->A[i * p->n + j] * x[j];
      y += term;
      size += fabs(term);
    }
    const bool low = x[i] <= p->lo[i], high = x[i] >= p->hi[i];
    const double wrong = low && high ? 0 : low ? -y : high ? y : fabs(y);
    if (wrong > most * size)
      most = wrong / size;
    if (isnan(y))
      return INFINITY;
  }
  return most;
}

static int members(int n, unsigned mask, int *list)
{
  int count = 0;
  for (int i = 0; i < n; i++)
    if (mask >> i & 1)
      list[count++] = i;
  return count;
}

/* Lists the values that an x off S may have: its finite bounds, or 0 if it has none. Returns their
 * number. */
static int rests(const box *p, int i, double value[2])
{
  int count = 0;
  if (isfinite(p->lo[i]))
    value[count++] = p->lo[i];
  if (isfinite(p->hi[i]) && p->hi[i] != p->lo[i])
    value[count++] = p->hi[i];
  if (count == 0)
    value[count++] = 0;
  return count;
}

/* Computes x_S from A_RS x_S = -b_R - (A x)_R with the x off S fixed, clamped to the box. */
static bool vertex(const box *p, int k, const int *R, const int *S, double *x)
{
  double M[9], r[3], z[3];
  for (int s = 0; s < k; s++)
    x[S[s]] = 0;
  for (int t = 0; t < k; t++) {
    r[t] = -p->b[R[t]];
    for (int j = 0; j < p->n; j++)
      r[t] -= p->A[R[t] * p->n + j] * x[j];
    for (int s = 0; s < k; s++)
      M[t * k + s] = p->A[R[t] * p->n + S[s]];
  }
  if (!solve_any(k, M, r, z))
    return false;
  for (int s = 0; s < k; s++)
    x[S[s]] = perp_min(perp_max(z[s], p->lo[S[s]]), p->hi[S[s]]);
  return true;
}

/* Tries all values of the x off S; keeps the best candidate in best and *omega. Returns true once
 * it is good enough. */
static bool try_sets(const box *p, unsigned rows, unsigned columns, double *best, double *omega)
{
  int R[3], S[3], off[3];
  const unsigned all = (1u << p->n) - 1;
  const int k = members(p->n, columns, S), others = members(p->n, all & ~columns, off);
  members(p->n, rows, R);
  double value[3][2];
  int count[3] = {1, 1, 1};
  for (int o = 0; o < others; o++)
    count[o] = rests(p, off[o], value[o]);
  int at[3];
  for (at[0] = 0; at[0] < count[0]; at[0]++)
    for (at[1] = 0; at[1] < count[1]; at[1]++)
      for (at[2] = 0; at[2] < count[2]; at[2]++) {
        double x[3] = {0, 0, 0};
        for (int o = 0; o < others; o++)
          x[off[o]] = value[o][at[o]];
        if (!vertex(p, k, R, S, x))
          return false;
        const double w = violation(p, x);
        if (w < *omega) {
          *omega = w;
          for (int i = 0; i < p->n; i++)
            best[i] = x[i];
        }
        if (*omega <= 4 * DBL_EPSILON)
          return true;
      }
  return false;
}

static int weight(unsigned mask)
{
  return (int)((mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1));
}

/* Returns true if x solves the problem up to rounding; otherwise x is the nearest candidate. */
static bool search(const box *p, double *x)
{
  const unsigned sets = 1u << p->n;
  double omega = INFINITY;
  for (int i = 0; i < p->n; i++)
    x[i] = perp_min(perp_max(0, p->lo[i]), p->hi[i]);
  for (int size = 0; size <= p->n; size++)
    for (unsigned S = 0; S < sets; S++)
      if (weight(S) == size && try_sets(p, S, S, x, &omega))
        return true;
  for (unsigned S = 0; S < sets; S++)
    for (unsigned R = 0; R < sets; R++)
      if (R != S && weight(R) == weight(S) && try_sets(p, R, S, x, &omega))
        return true;
  return omega <= rounding;
}

/* ---- The method ---- */

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params;
  const int n = p->K.n;
  assert(n <= MOST); /* most_unknowns: the solver refuses more */
  if (!perp_run_next(run, x, NULL))
    return PERP_OK;
  double a[MOST * MOST] = {0}, lo[MOST], hi[MOST];
  if (!perp_operator_fill_dense(p->A, run->arena, (perp_alarm){0}, a, n))
    return perp_run_no_memory(run);
  perp_set_all_bounds(&p->K, lo, hi);
  if (search(&(box){n, a, p->b, lo, hi}, x)) {
    perp_run_claim(run, PERP_SOLVED);
    return PERP_OK;
  }
  const double *u;
  perp_feasible feasible;
  if (perp_farkas_decide(run, &feasible, &u))
    return perp_run_no_memory(run);
  perp_farkas_claim(run, feasible, u);
  if (feasible <= PERP_FEASIBLE) {
    perp_run_claim(run, PERP_STAGNATED);
    perp_run_say(run, "b is in none of the complementary cones: there is no solution");
  }
  return PERP_OK;
}

const perp_method perp_method_direct = {
    .name = "direct",
    .title = "complementary cones of at most three unknowns",
    .family = "pivoting",
    .source = "murty-1972",
    .reference = true,
    .takes = PERP_TAKES_BOXES,
    .needs = PERP_CAN_APPLY,
    .max_iterations = 10,
    .most_unknowns = MOST,
    .iteration = "finds the complementary cone that b lies in, for at most 3 unknowns",
    .works = "any matrix",
    PERP_SOLVES_WITHOUT_PARAMETERS,
};
