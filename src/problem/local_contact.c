/* local_contact.c: one Coulomb cone, and one block of bounded rows
 *
 * Cone. De Saxce's form says that one of three holds:
 *
 *   take off   z = 0,  y_n >= 0          (y + mu |y_t| e_n is in the dual cone iff y_n >= 0)
 *   stick      y = 0,  |z_t| <= mu z_n
 *   slide      y_n = 0,  |z_t| = mu z_n,  y_t = -a z_t with a > 0
 *
 * So q_n >= 0 takes off. Else y_n = 0 gives z_n = -(q_n + W_nt z_t) / W_nn, and what is left are
 * two rows, y_t = S z_t + c with the Schur complement S = W_tt - W_tn W_nt / W_nn. Both of the
 * other cases read
 *
 *   (S + a I) z_t = -c,   stick: a = 0,   slide: a > 0 and |z_t| = mu z_n
 *
 * (a quartic in a, Bonnefon and Daviet 2011). With W measured in W_nn and z in 1 / W_nn, by
 * Cramer's rule, S' the adjugate of S, k = W_nt / W_nn and f = -q_n:
 *
 *   v(a) = S' c + a c,   D(a) = det(S + a I),   N(a) = f D(a) + k v(a)
 *   z_t = -v / D,   z_n = f - k z_t = N / D
 *   F(a) = |v| - mu N = D (|z_t| - mu z_n)
 *
 * F falls to minus infinity, since D grows as a^2. If F(0) <= 0 the contact sticks; else F has
 * a root a > 0, found by Newton's method on G = |v|^2 - mu^2 N^2, which needs no square root,
 * inside a bracket by the sign of F; and as D > 0 there (S positive
 * definite) it is a solution. There may be three; any one is the answer. If S is singular or
 * indefinite the search starts above the roots of D. Cost: some 60 flops and one to four Newton
 * steps.
 *
 * Bounded rows. Every row is inside (y_i = 0) or at one of its bounds; in a friction block the
 * bounds are multiples of z_0, whose sign is a guess of its own. Each combination is one linear
 * system in the rows inside: at most 4 x 3^(m-1) of them, and mostly the first tried is right,
 * because it was right the last time. */
#include "problem/local_contact.h"

#include "base/elementary.h"
#include "set/set.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- Coulomb cone ---- */

/* Above the roots of D and, by rounding, above 0. */
static double least_slip(double trace, double determinant, double rounding)
{
  const double half = trace / 2, disc = half * half - determinant;
  const double root = disc >= 0 ? sqrt(disc) - half : -INFINITY;
  return root > 0 ? root * (1 + 1e-10) + rounding : rounding;
}

perp_cone_matrix perp_cone_matrix_make(const double W[9])
{
  const double w = 1 / W[0];
  perp_cone_matrix c = {
      .normal = w,
      .k = {W[1] * w, W[2] * w},
      .g = {W[3] * w, W[6] * w},
  };
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      c.S[2 * i + j] = W[3 * (i + 1) + j + 1] * w - c.g[i] * c.k[j];
  c.trace = c.S[0] + c.S[3];
  c.determinant = c.S[0] * c.S[3] - c.S[1] * c.S[2];
  c.least = least_slip(c.trace, c.determinant, DBL_EPSILON * (W[4] + W[8]) * w);
  return c;
}

/* The two tangential rows, scaled as above. */
typedef struct slide {
  const perp_cone_matrix *W;
  double f, mu;
  double a[2], c[2]; /* S' c and c */
  double ka, kc;     /* k S' c and k c */
} slide;

static double slide_D(const slide *s, double alpha)
{
  return s->W->determinant + alpha * (s->W->trace + alpha);
}

static slide slide_make(const perp_cone_matrix *W, const double q[3], double mu)
{
  const double f = -q[0], *S = W->S;
  const double c[2] = {q[1] + f * W->g[0], q[2] + f * W->g[1]};
  const double a[2] = {S[3] * c[0] - S[1] * c[1], S[0] * c[1] - S[2] * c[0]};
  return (slide){
      .W = W,
      .f = f,
      .mu = mu,
      .a = {a[0], a[1]},
      .c = {c[0], c[1]},
      .ka = W->k[0] * a[0] + W->k[1] * a[1],
      .kc = W->k[0] * c[0] + W->k[1] * c[1],
  };
}

/* G and its derivative at alpha; the sign of F, which is that of G unless N < 0. */
typedef struct slide_value {
  double G, slope;
  bool positive; /* F > 0 */
  bool root;     /* a root of G near by is one of F: N >= 0 */
  bool rounded;  /* G is no more than its rounding */
} slide_value;

static slide_value slide_at(const slide *s, double alpha)
{
  const double v[2] = {s->a[0] + alpha * s->c[0], s->a[1] + alpha * s->c[1]};
  const double N = s->mu * (s->f * slide_D(s, alpha) + s->ka + alpha * s->kc);
  const double growth = s->mu * (s->f * (2 * alpha + s->W->trace) + s->kc);
  const double square = v[0] * v[0] + v[1] * v[1], G = square - N * N;
  return (slide_value){
      .G = G,
      .slope = 2 * (s->c[0] * v[0] + s->c[1] * v[1] - N * growth),
      .positive = N < 0 || G > 0,
      .root = N >= 0,
      .rounded = fabs(G) <= 4 * DBL_EPSILON * square,
  };
}

/* A root of F above low, F(low) > 0, by Newton's method from alpha. Every value narrows the
 * bracket [low, high], to which steps that leave it fall back; high is infinite at first, and found
 * by growing steps. A step below 1e-8 alpha is the last: the next one would not be seen. */
static double slide_root(const slide *s, double low, double alpha)
{
  double high = INFINITY;
  for (int step = 0; step < 2000; step++) {
    if (high < INFINITY && high - low <= 2 * DBL_EPSILON * high)
      break;
    if (!(alpha > low && alpha < high)) {
      if (high == INFINITY)
        alpha = 4 * perp_max(low, 1e-3 * (fabs(s->W->trace) + DBL_MIN));
      else
        alpha = high > 16 * low ? sqrt(low) * sqrt(high) : low + (high - low) / 2;
    }
    const slide_value at = slide_at(s, alpha);
    const double change = at.G / at.slope;
    if (at.root && at.rounded)
      return alpha;
    if (at.positive)
      low = alpha;
    else
      high = alpha;
    alpha -= change; /* a slope of 0 leaves the bracket, as does NaN */
    if (at.root && fabs(change) <= 1e-8 * alpha && alpha >= low && alpha <= high)
      return alpha;
  }
  return high;
}

/* z for q_n < 0; false if nothing was found. */
static bool cone_pressed(const perp_cone_matrix *W, double omega, const double q[3], double mu,
                         double *slip, double z[3])
{
  const slide s = slide_make(W, q, mu);
  double alpha = W->least;
  if (slide_at(&s, alpha).positive) {
    const double guess = *slip > 0 ? *slip : perp_hypot(s.c[0], s.c[1]) / (mu * s.f) - W->trace / 2;
    alpha = slide_root(&s, W->least, guess);
    *slip = alpha;
  }
  const double D = slide_D(&s, alpha), inverse = -1 / D, unit = W->normal * omega;
  double t[2] = {(s.a[0] + alpha * s.c[0]) * inverse, (s.a[1] + alpha * s.c[1]) * inverse};
  const double normal = s.f - W->k[0] * t[0] - W->k[1] * t[1], most = mu * normal;
  const double square = t[0] * t[0] + t[1] * t[1];
  /* rounding may leave z_t a little too long; more than that is no solution */
  bool found = D > 0 && normal >= 0;
  if (square > most * most) {
    const double shorten = most / sqrt(square);
    found = found && shorten > 1 - 1e-6;
    t[0] *= shorten;
    t[1] *= shorten;
  }
  z[0] = unit * normal;
  z[1] = unit * t[0];
  z[2] = unit * t[1];
  return found && isfinite(z[0] + z[1] + z[2]);
}

bool perp_local_cone(const perp_cone_matrix *W, double omega, const double q[3], double mu,
                     double *slip, double z[3])
{
  z[0] = z[1] = z[2] = 0;
  if (q[0] >= 0)
    return true;
  /* a normal part lost in the rounding of the others: no impulse is as good an answer */
  if (-q[0] < 1e-100 * (fabs(q[1]) + fabs(q[2])))
    return true;
  if (mu >= 1e-100 && cone_pressed(W, omega, q, mu, slip, z))
    return true;
  /* without friction, or as far as a normal impulse alone can help */
  z[0] = -q[0] * W->normal * omega;
  z[1] = z[2] = 0;
  return mu < 1e-100;
}

/* ---- Bounded rows ---- */

enum { INSIDE, AT_LO, AT_HI, INSIDE_NEGATIVE };

typedef struct block {
  int m;
  const double *W, *q, *lo, *hi;
  bool friction;
} block;

/* The bounds of row i at z. */
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

/* max_i |z_i - P(z_i - y_i / W_ii)| against the size of the numbers it is made of. */
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

/* M u = r for k <= 3 unknowns with M in rows of PERP_LOCAL_ROWS, by elimination with row
 * exchanges; false if a pivot is 0. Overwrites both, the answer is in r. */
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

/* z with every row in its state: rows at a bound are z_i = fixed_i + slope_i z_0, the others
 * solve y_i = 0. False if a bound is infinite or the system singular. */
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

/* z into its bounds, exactly. */
static void tidy(const block *b, double *z)
{
  for (int i = 0; i < b->m; i++) {
    double lo, hi;
    bounds_at(b, i, z, &lo, &hi);
    z[i] = perp_clamp(z[i], lo, hi);
  }
}

/* One state by number, digits 4 for row 0 and 3 for the others; its violation after tidying. */
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
  if (best == INFINITY) { /* no state at all: the nearest point to the origin */
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
    if (!(size < 1e300)) { /* it diverges: back to where nothing can go wrong */
      memset(z, 0, (size_t)m * sizeof *z);
      tidy(&b, z);
      return false;
    }
  }
  return false;
}
