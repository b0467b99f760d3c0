/* local_contact.c: solves one Coulomb cone, or one block of bounded rows
 *
 * Cone: set/cone.h.
 *
 * Bounded rows. Every row is inside (y_i = 0) or at one of its bounds; in a friction block the
 * bounds are multiples of z_0, and the sign of z_0 is enumerated as well. Each combination is one
 * linear system in the inside rows: at most 4 x 3^(m-1) of them. Usually the first one tried is
 * right, because it was right the last time. */
#include "problem/local_contact.h"

#include "base/elementary.h"
#include "device/team.h"
#include "set/set.h"

#include "set/cone.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- Coulomb cone ---- */

perp_cone_matrix perp_cone_matrix_make(const double W[9])
{
  return perp_cone_make(W);
}

bool perp_local_cone(const perp_cone_matrix *W, double omega, const double q[3], double mu,
                     double *slip, double z[3])
{
  return perp_cone_solve(W, omega, q, mu, slip, z);
}

/* ---- Bounded rows ---- */

enum { INSIDE, AT_LO, AT_HI, INSIDE_NEGATIVE };

typedef struct block {
  int m;
  const double *W, *q, *lo, *hi;
  bool friction;
} block;

static void bounds_at(const block *b, int i, const double *z, double *lo, double *hi)
{
  *lo = b->lo[i];
  *hi = b->hi[i];
  if (b->friction && i > 0) {
    const double normal = fabs(z[0]);
    *lo = perp_bound_times(*lo, normal);
    *hi = perp_bound_times(*hi, normal);
  }
}

/* max_i |z_i - P(z_i - y_i / W_ii)| relative to the size of its terms. */
static double violation(const block *b, const double *z)
{
  double worst = 0, size = DBL_MIN;
  for (int i = 0; i < b->m; i++) {
    double lo, hi, y = b->q[i], terms = fabs(b->q[i]);
    for (int j = 0; j < b->m; j++) {
      y += b->W[i * b->m + j] * z[j];
      terms += fabs(b->W[i * b->m + j] * z[j]);
    }
    bounds_at(b, i, z, &lo, &hi);
    const double d = b->W[i * b->m + i];
    worst = perp_max(worst, fabs(z[i] - perp_clamp(z[i] - y / d, lo, hi)));
    size = perp_max(size, perp_max(fabs(z[i]), terms / d));
    if (!isfinite(z[i]))
      return INFINITY;
  }
  return worst / size;
}

/* Solves M u = r for k <= 3 unknowns with M in rows of PERP_LOCAL_ROWS, by elimination with row
 * exchanges; returns false if a pivot is 0. Overwrites both; the solution is in r. */
static bool solve_small(int k, double M[][PERP_LOCAL_ROWS], double *r)
{
  for (int p = 0; p < k; p++) {
    int best = p;
    for (int i = p + 1; i < k; i++)
      if (fabs(M[i][p]) > fabs(M[best][p]))
        best = i;
    if (M[best][p] == 0)
      return false;
    for (int j = p; j < k; j++) {
      const double swap = M[p][j];
      M[p][j] = M[best][j];
      M[best][j] = swap;
    }
    const double swap = r[p];
    r[p] = r[best];
    r[best] = swap;
    for (int i = p + 1; i < k; i++) {
      const double factor = M[i][p] / M[p][p];
      for (int j = p + 1; j < k; j++)
        M[i][j] -= factor * M[p][j];
      r[i] -= factor * r[p];
    }
  }
  for (int p = k - 1; p >= 0; p--) {
    for (int j = p + 1; j < k; j++)
      r[p] -= M[p][j] * r[j];
    r[p] /= M[p][p];
  }
  return true;
}

/* Computes z with every row in its state: rows at a bound are z_i = fixed_i + slope_i z_0, the
 * others solve y_i = 0. Returns false if a bound is infinite or the system singular. */
static bool solve_state(const block *b, const int *state, double *z)
{
  const int m = b->m;
  const bool moving = b->friction && (state[0] == INSIDE || state[0] == INSIDE_NEGATIVE);
  double fixed[PERP_LOCAL_ROWS] = {0}, slope[PERP_LOCAL_ROWS] = {0};
  int inside[PERP_LOCAL_ROWS], count = 0;
  for (int i = 0; i < m; i++) {
    if (state[i] == INSIDE || state[i] == INSIDE_NEGATIVE) {
      inside[count++] = i;
      continue;
    }
    const double bound = state[i] == AT_LO ? b->lo[i] : b->hi[i];
    if (isinf(bound))
      return false;
    if (b->friction && i > 0 && moving)
      slope[i] = state[0] == INSIDE ? bound : -bound;
    else
      fixed[i] = b->friction && i > 0 ? bound * fabs(fixed[0]) : bound;
  }
  double M[PERP_LOCAL_ROWS][PERP_LOCAL_ROWS], r[PERP_LOCAL_ROWS];
  for (int k = 0; k < count; k++) {
    const double *W = b->W + inside[k] * m;
    r[k] = -b->q[inside[k]];
    for (int l = 0; l < count; l++)
      M[k][l] = W[inside[l]];
    for (int j = 0; j < m; j++) {
      r[k] -= W[j] * fixed[j];
      if (moving)
        M[k][0] += W[j] * slope[j];
    }
  }
  if (!solve_small(count, M, r))
    return false;
  for (int k = 0; k < count; k++)
    z[inside[k]] = r[k];
  for (int i = 0; i < m; i++)
    if (state[i] == AT_LO || state[i] == AT_HI)
      z[i] = fixed[i] + (moving ? slope[i] * z[0] : 0);
  return true;
}

/* Clamps z to its bounds, exactly. */
static void tidy(const block *b, double *z)
{
  for (int i = 0; i < b->m; i++) {
    double lo, hi;
    bounds_at(b, i, z, &lo, &hi);
    z[i] = perp_clamp(z[i], lo, hi);
  }
}

/* Tries one state by its number, with 4 digits for row 0 and 3 for the others; returns its
 * violation after clamping. */
static double try_state(const block *b, int number, double *z)
{
  int state[PERP_LOCAL_ROWS];
  state[0] = number % 4;
  number /= 4;
  for (int i = 1; i < b->m; i++, number /= 3)
    state[i] = number % 3;
  if (state[0] == INSIDE_NEGATIVE && !(b->friction && b->lo[0] < 0))
    return INFINITY;
  if (!solve_state(b, state, z))
    return INFINITY;
  tidy(b, z);
  return violation(b, z);
}

bool perp_local_box(int m, const double *W, const double *q, const double *lo, const double *hi,
                    bool friction, int *state, double *z)
{
  const block b = {m, W, q, lo, hi, friction};
  const int states = m == 1 ? 4 : m == 2 ? 12 : 36;
  const double enough = 16 * DBL_EPSILON;
  double best = INFINITY, trial[PERP_LOCAL_ROWS];
  for (int k = -1; k < states; k++) {
    const int number = k < 0 ? *state : k;
    if (k >= 0 && k == *state)
      continue;
    const double v = try_state(&b, number, trial);
    if (v < best) {
      best = v;
      memcpy(z, trial, (size_t)m * sizeof *z);
      if (v <= enough) {
        *state = number;
        return true;
      }
    }
  }
  if (best == INFINITY) { /* no state worked: the point nearest to the origin */
    memset(z, 0, (size_t)m * sizeof *z);
    tidy(&b, z);
  }
  return best <= 1e-10;
}

bool perp_local_sweeps(int m, const double *W, const double *q, const double *lo, const double *hi,
                       bool friction, double tol, double *z)
{
  const block b = {m, W, q, lo, hi, friction};
  enum { SWEEPS = 200 };
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double change = 0, size = 0;
    for (int i = 0; i < m; i++) {
      double low, high, y = q[i];
      for (int j = 0; j < m; j++)
        y += W[i * m + j] * z[j];
      bounds_at(&b, i, z, &low, &high);
      const double new = perp_clamp(z[i] - y / W[i * m + i], low, high);
      change = perp_max(change, fabs(new - z[i]));
      size = perp_max(size, fabs(new));
      z[i] = new;
    }
    if (change <= tol * size)
      return true;
    if (!(size < 1e300)) { /* it diverges: reset to a safe point */
      memset(z, 0, (size_t)m * sizeof *z);
      tidy(&b, z);
      return false;
    }
  }
  return false;
}
