/* local_contact.c: solves one block of bounded rows, or a normal with discs
 *
 * Bounded rows. Every row is inside (y_i = 0) or at one of its bounds; in a friction block the
 * bounds are multiples of z_0, and the sign of z_0 is enumerated as well. Each combination is one
 * linear system in the inside rows: at most 4 x 3^(m-1) of them. Usually the first one tried is
 * right, because it was right the last time.
 *
 * A normal with discs D (verdict/friction.h). If q_0 >= 0 it takes off, z = 0. Else y_0 = 0, and a
 * disc sticks, y_D = 0, or slides, y_D = -a_D z_D with a_D > 0 and |z_D| = mu_D z_0:
 *
 *   (W + diag(0, a_D I)) z = -q,   G_D(a) = mu_D z_0 / |z_D| - 1 = 0  or  a_D = 0 and G_D >= 0.
 *
 * G is linear in a if W_DD is a multiple of I, so Newton's method takes few steps: one factor each,
 * and a solve for each sliding disc, dz / da_D = -(W + diag(a))^-1 (z in the rows of D). One disc:
 * set/cone.h's equation. If it fails (W not positive definite, or several solutions), sweeps over
 * the normal and the discs, each solved exactly, take over. */
#include "problem/local_contact.h"

#include "base/elementary.h"
#include "linalg/vector.h"
#include "set/set.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

enum { WIDTH = PERP_FRICTION_ROWS }; /* of the rows of a small matrix */

/* M <- its factors by elimination with row exchanges, k <= WIDTH; row p was exchanged with from[p].
 * Returns false if a pivot is 0. */
static bool factor_small(int k, double M[][WIDTH], int *from)
{
  for (int p = 0; p < k; p++) {
    int best = p;
    for (int i = p + 1; i < k; i++)
      if (fabs(M[i][p]) > fabs(M[best][p]))
        best = i;
    if (M[best][p] == 0)
      return false;
    from[p] = best;
    if (best != p)
      perp_swap(k, M[p], M[best]);
    for (int i = p + 1; i < k; i++) {
      const double factor = M[i][p] /= M[p][p];
      for (int j = p + 1; j < k; j++)
        M[i][j] -= factor * M[p][j];
    }
  }
  return true;
}

/* r <- M^-1 r, by the factors */
static void solve_factored(int k, double M[][WIDTH], const int *from, double *r)
{
  for (int p = 0; p < k; p++)
    if (from[p] != p)
      perp_swap(1, r + p, r + from[p]);
  for (int i = 1; i < k; i++)
    for (int p = 0; p < i; p++)
      r[i] -= M[i][p] * r[p];
  for (int p = k - 1; p >= 0; p--) {
    for (int j = p + 1; j < k; j++)
      r[p] -= M[p][j] * r[j];
    r[p] /= M[p][p];
  }
}

/* r <- M^-1 r; M becomes its factors. Returns false if a pivot is 0. */
static bool solve_small(int k, double M[][WIDTH], double *r)
{
  int from[WIDTH];
  if (!factor_small(k, M, from))
    return false;
  solve_factored(k, M, from, r);
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
  double M[PERP_LOCAL_ROWS][WIDTH], r[WIDTH];
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

/* ---- Discs ---- */

enum { DISCS = PERP_FRICTION_ROWS - 1 };

/* A block's discs; a single friction row is a disc of one row. */
typedef struct discs {
  int count, first[DISCS], rows[DISCS];
} discs;

static discs find_discs(int m, const int *disc)
{
  discs d = {0};
  for (int i = 1; i < m; i += d.rows[d.count++]) {
    d.first[d.count] = i;
    d.rows[d.count] = disc[i] > 0 ? disc[i] : 1;
  }
  return d;
}

/* W + diag(a), factored, z(a) and G(a). */
typedef struct slips {
  double M[WIDTH][WIDTH], z[WIDTH], norm[DISCS], G[DISCS];
  int from[WIDTH];
} slips;

/* Returns false if W + diag(a) is singular. */
static bool at_slips(int m, const double *W, const double *q, const double *hi, const discs *d,
                     const double *a, slips *s)
{
  for (int i = 0; i < m; i++) {
    s->z[i] = -q[i];
    memcpy(s->M[i], W + i * m, (size_t)m * sizeof *W);
  }
  for (int k = 0; k < d->count; k++)
    for (int i = d->first[k]; i < d->first[k] + d->rows[k]; i++)
      s->M[i][i] += a[k];
  if (!factor_small(m, s->M, s->from))
    return false;
  solve_factored(m, s->M, s->from, s->z);
  for (int k = 0; k < d->count; k++) {
    s->norm[k] = perp_set_norm(d->rows[k], s->z + d->first[k]);
    s->G[k] = s->norm[k] > 0 ? hi[d->first[k]] * s->z[0] / s->norm[k] - 1 : HUGE_VAL;
  }
  return true;
}

/* Moves the slips of the `count` discs in `active` by Newton's step. Returns false if dG / da is
 * singular. */
static bool step_slips(int m, const double *hi, const discs *d, slips *s, int count,
                       const int *active, double *a)
{
  double M[DISCS][WIDTH], v[DISCS][WIDTH] = {{0}}, change[WIDTH];
  for (int l = 0; l < count; l++) { /* dz / da_l = -v_l */
    const int from = d->first[active[l]], rows = d->rows[active[l]];
    memcpy(v[l] + from, s->z + from, (size_t)rows * sizeof *s->z);
    solve_factored(m, s->M, s->from, v[l]);
  }
  for (int k = 0; k < count; k++) {
    const int from = d->first[active[k]];
    const double norm = s->norm[active[k]], *own = s->z + from;
    change[k] = -s->G[active[k]];
    for (int l = 0; l < count; l++) {
      double along = 0;
      for (int i = 0; i < d->rows[active[k]]; i++)
        along += own[i] * v[l][from + i];
      M[k][l] = norm > 0 ? (s->z[0] * (along / norm / norm) - v[l][0]) * (hi[from] / norm) : k == l;
    }
  }
  if (!solve_small(count, M, change))
    return false;
  for (int k = 0; k < count; k++)
    a[active[k]] = perp_max(a[active[k]] + change[k], 0);
  return true;
}

/* Returns the slip of disc k if it were alone, W_DD = w I, and its force changed the normal's little:
 * |z_D| = |c| / (w + a) = mu z_n with y_n = 0. Without w: the limit of fast slip. */
static double lone_slip(int m, const double *W, const double *q, double mu, const discs *d, int k,
                        bool fast)
{
  double c[WIDTH], w = 0;
  for (int i = 0; i < d->rows[k]; i++) {
    const double *row = W + (d->first[k] + i) * m;
    c[i] = q[d->first[k] + i] - q[0] * row[0] / W[0];
    w += (row[d->first[k] + i] - row[0] * row[0] / W[0]) / d->rows[k];
  }
  return perp_max(perp_set_norm(d->rows[k], c) * W[0] / (mu * -q[0]) - (fast ? 0 : w), 0);
}

bool perp_local_discs(int m, const double *W, const double *q, const double *hi, const int *disc,
                      double *slip, double *z)
{
  enum { STEPS = 40, RESTART = 10 };
  const double enough = 8 * DBL_EPSILON;
  if (q[0] >= 0) {
    memset(z, 0, (size_t)m * sizeof *z);
    return true;
  }
  const discs d = find_discs(m, disc);
  double a[DISCS], known = 0;
  for (int k = 0; k < d.count; k++) {
    a[k] = slip[k];
    known += a[k];
  }
  for (int step = 0; step < STEPS; step++) {
    slips s;
    for (int k = 0; step == RESTART && k < d.count; k++)
      a[k] = lone_slip(m, W, q, hi[d.first[k]], &d, k, true);
    if (!at_slips(m, W, q, hi, &d, a, &s))
      return false;
    double worst = 0;
    int active[DISCS], count = 0;
    for (int k = 0; k < d.count; k++)
      if (a[k] > 0 || s.G[k] < 0) {
        active[count++] = k;
        worst = perp_max(worst, fabs(s.G[k]));
      }
    if (worst <= enough || (step == STEPS - 1 && worst <= 1e-9)) {
      if (!(s.z[0] > 0) || !isfinite(perp_set_norm(m, s.z)))
        return false;
      for (int k = 0; k < d.count; k++)
        perp_set_project_disc(d.rows[k], hi[d.first[k]] * s.z[0], NULL, s.z + d.first[k]);
      memcpy(slip, a, (size_t)d.count * sizeof *a);
      memcpy(z, s.z, (size_t)m * sizeof *z);
      return true;
    }
    /* Newton's method from a = 0 is slow and may cycle if a disc slides fast. */
    double start = 0;
    for (int k = 0; step == 0 && known == 0 && k < count; k++)
      start += a[active[k]] = lone_slip(m, W, q, hi[d.first[active[k]]], &d, active[k], false);
    if (!(start > 0) && !step_slips(m, hi, &d, &s, count, active, a))
      return false;
  }
  return false;
}

/* Minimises 1/2 z^T W z + c^T z over |z| <= radius, k rows of W `ld` apart: (W + a I) z = -c with a =
 * 0 or |z| = radius, by Newton's method on radius / |z| - 1 in the bracket 0 .. |c| / radius. */
static void solve_disc(int k, const double *W, int ld, const double *c, double radius, double *z)
{
  double low = 0, high = radius > 0 ? perp_set_norm(k, c) / radius : 0, a = 0;
  memset(z, 0, (size_t)k * sizeof *z);
  for (int step = 0; step < 100 && radius > 0; step++) {
    double M[WIDTH][WIDTH], v[WIDTH], slope = 0;
    int from[WIDTH];
    for (int i = 0; i < k; i++) {
      z[i] = -c[i];
      for (int j = 0; j < k; j++)
        M[i][j] = W[i * ld + j] + (i == j ? a : 0);
    }
    if (!factor_small(k, M, from)) {
      a = low = perp_max(DBL_EPSILON * high, 2 * low);
      continue;
    }
    solve_factored(k, M, from, z);
    const double norm = perp_set_norm(k, z), G = radius / norm - 1;
    if ((a == 0 && G >= 0) || fabs(G) <= 4 * DBL_EPSILON || !(high > low))
      break;
    memcpy(v, z, (size_t)k * sizeof *z);
    solve_factored(k, M, from, v);
    for (int i = 0; i < k; i++)
      slope += z[i] * v[i];
    low = G < 0 ? a : low;
    high = G > 0 ? a : high;
    const double next = a - G * norm / (radius * (slope / norm / norm));
    a = next > low && next < high ? next : low + (high - low) / 2;
  }
  perp_set_project_disc(k, radius, NULL, z);
}

bool perp_local_sweeps(int m, const double *W, const double *q, const double *lo, const double *hi,
                       bool friction, const int *disc, double tol, double *z)
{
  const block b = {m, W, q, lo, hi, friction};
  enum { SWEEPS = 200 };
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double change = 0, size = 0;
    for (int i = 0; i < m; i++) {
      double low, high, c[WIDTH], new[WIDTH];
      const int rows = disc && disc[i] > 0 ? disc[i] : 1;
      bounds_at(&b, i, z, &low, &high);
      for (int k = 0; k < rows; k++) {
        c[k] = q[i + k];
        for (int j = 0; j < m; j++)
          c[k] += rows > 1 && j >= i && j < i + rows ? 0 : W[(i + k) * m + j] * z[j];
      }
      if (rows > 1)
        solve_disc(rows, W + i * m + i, m, c, high, new);
      else
        new[0] = perp_clamp(z[i] - c[0] / W[i * m + i], low, high);
      for (int k = 0; k < rows; k++) {
        change = perp_max(change, fabs(new[k] - z[i + k]));
        size = perp_max(size, fabs(new[k]));
        z[i + k] = new[k];
      }
      i += rows - 1;
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
