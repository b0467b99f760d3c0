/* cone.h: the complementarity problem of one Coulomb cone, for the CPU and for devices
 *
 * By De Saxce's form one of three cases holds:
 *
 *   take off   z = 0,  y_n >= 0          (y + mu |y_t| e_n is in the dual cone iff y_n >= 0)
 *   stick      y = 0,  |z_t| <= mu z_n
 *   slide      y_n = 0,  |z_t| = mu z_n,  y_t = -a z_t with a > 0
 *
 * If q_n >= 0 the contact takes off. Else y_n = 0 gives z_n = -(q_n + W_nt z_t) / W_nn, and two
 * rows remain, y_t = S z_t + c with the Schur complement S = W_tt - W_tn W_nt / W_nn. Both of the
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
 * steps. */
#pragma once

#include "device/values.h"

#include <float.h>

/* Data that depend only on the W of a cone, scaled by W_nn; equal for all multiples of W. */
typedef struct perp_cone_matrix {
  double normal;             /* 1 / W_nn */
  double k[2], g[2];         /* W_nt and W_tn */
  double S[4];               /* W_tt - W_tn W_nt */
  double trace, determinant; /* of S */
  double least;              /* start of the search for a sliding contact */
} perp_cone_matrix;

/* Returns a number above the roots of D and, by rounding, above 0. */
TEAM double perp_least_slip(double trace, double determinant, double rounding)
{
  const double half = trace / 2, disc = half * half - determinant;
  const double root = disc >= 0 ? sqrt(disc) - half : -HUGE_VAL;
  return root > 0 ? root * (1 + 1e-10) + rounding : rounding;
}

TEAM perp_cone_matrix perp_cone_make(const double W[9])
{
  const double w = 1 / W[0];
  perp_cone_matrix c;
  c.normal = w;
  c.k[0] = W[1] * w;
  c.k[1] = W[2] * w;
  c.g[0] = W[3] * w;
  c.g[1] = W[6] * w;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      c.S[2 * i + j] = W[3 * (i + 1) + j + 1] * w - c.g[i] * c.k[j];
  c.trace = c.S[0] + c.S[3];
  c.determinant = c.S[0] * c.S[3] - c.S[1] * c.S[2];
  c.least = perp_least_slip(c.trace, c.determinant, DBL_EPSILON * (W[4] + W[8]) * w);
  return c;
}

/* The two tangential rows, scaled as above. */
typedef struct perp_slide {
  const perp_cone_matrix *W;
  double f, mu;
  double a[2], c[2]; /* S' c and c */
  double ka, kc;     /* k S' c and k c */
} perp_slide;

TEAM double perp_slide_D(const perp_slide *s, double alpha)
{
  return s->W->determinant + alpha * (s->W->trace + alpha);
}

TEAM perp_slide perp_slide_make(const perp_cone_matrix *W, const double q[3], double mu)
{
  const double f = -q[0], *S = W->S;
  const double c[2] = {q[1] + f * W->g[0], q[2] + f * W->g[1]};
  const double a[2] = {S[3] * c[0] - S[1] * c[1], S[0] * c[1] - S[2] * c[0]};
  perp_slide s;
  s.W = W;
  s.f = f;
  s.mu = mu;
  s.a[0] = a[0];
  s.a[1] = a[1];
  s.c[0] = c[0];
  s.c[1] = c[1];
  s.ka = W->k[0] * a[0] + W->k[1] * a[1];
  s.kc = W->k[0] * c[0] + W->k[1] * c[1];
  return s;
}

/* G and its derivative at alpha; the sign of F, which is the sign of G unless N < 0. */
typedef struct perp_slide_value {
  double G, slope;
  bool positive; /* F > 0 */
  bool root;     /* a nearby root of G is a root of F: N >= 0 */
  bool rounded;  /* G is below its rounding */
} perp_slide_value;

TEAM perp_slide_value perp_slide_at(const perp_slide *s, double alpha)
{
  const double v[2] = {s->a[0] + alpha * s->c[0], s->a[1] + alpha * s->c[1]};
  const double N = s->mu * (s->f * perp_slide_D(s, alpha) + s->ka + alpha * s->kc);
  const double growth = s->mu * (s->f * (2 * alpha + s->W->trace) + s->kc);
  const double square = v[0] * v[0] + v[1] * v[1], G = square - N * N;
  perp_slide_value at;
  at.G = G;
  at.slope = 2 * (s->c[0] * v[0] + s->c[1] * v[1] - N * growth);
  at.positive = N < 0 || G > 0;
  at.root = N >= 0;
  at.rounded = fabs(G) <= 4 * DBL_EPSILON * square;
  return at;
}

/* Finds a root of F above low, F(low) > 0, by Newton's method from alpha. Every value narrows the
 * bracket [low, high], to which steps outside fall back; high is infinite at first, and found by
 * growing steps. A step below 1e-8 alpha is the last: by quadratic convergence the next would be
 * below rounding. */
TEAM double perp_slide_root(const perp_slide *s, double low, double alpha)
{
  double high = HUGE_VAL;
  TEAM_SHORT
  for (int step = 0; step < 2000; step++) {
    if (high < HUGE_VAL && high - low <= 2 * DBL_EPSILON * high)
      break;
    if (!(alpha > low && alpha < high)) {
      if (high == HUGE_VAL)
        alpha = 4 * perp_value_greater(1e-3 * (fabs(s->W->trace) + DBL_MIN), low);
      else
        alpha = high > 16 * low ? sqrt(low) * sqrt(high) : low + (high - low) / 2;
    }
    const perp_slide_value at = perp_slide_at(s, alpha);
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

/* Computes z for q_n < 0. Returns false if no solution was found. */
TEAM bool perp_cone_pressed(const perp_cone_matrix *W, double omega, const double q[3], double mu,
                            double *slip, double z[3])
{
  const perp_slide s = perp_slide_make(W, q, mu);
  double alpha = W->least;
  if (perp_slide_at(&s, alpha).positive) {
    const double guess =
        *slip > 0 ? *slip : perp_team_hypot(s.c[0], s.c[1]) / (mu * s.f) - W->trace / 2;
    alpha = perp_slide_root(&s, W->least, guess);
    *slip = alpha;
  }
  const double D = perp_slide_D(&s, alpha), inverse = -1 / D, unit = W->normal * omega;
  double t[2] = {(s.a[0] + alpha * s.c[0]) * inverse, (s.a[1] + alpha * s.c[1]) * inverse};
  const double normal = s.f - W->k[0] * t[0] - W->k[1] * t[1], most = mu * normal;
  const double square = t[0] * t[0] + t[1] * t[1];
  /* rounding may leave z_t slightly too long; more than that is not a solution */
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
  return found && perp_value_is_finite(z[0] + z[1] + z[2]);
}

/* Solves y = W z + q with the matrix W / omega. *slip is the initial guess for a sliding contact (0:
 * none) and returns the value found: keep it from one call to the next. Returns false if it found no
 * solution to rounding (W may not be positive definite): z is then finite and in the cone. */
TEAM bool perp_cone_solve(const perp_cone_matrix *W, double omega, const double q[3], double mu,
                          double *slip, double z[3])
{
  z[0] = z[1] = z[2] = 0;
  if (q[0] >= 0)
    return true;
  /* the normal part is lost in the rounding of the others: zero impulse is as good an answer */
  if (-q[0] < 1e-100 * (fabs(q[1]) + fabs(q[2])))
    return true;
  if (mu >= 1e-100 && perp_cone_pressed(W, omega, q, mu, slip, z))
    return true;
  /* without friction, or the best that a normal impulse can do */
  z[0] = -q[0] * W->normal * omega;
  z[1] = z[2] = 0;
  return mu < 1e-100;
}

/* Projects z onto the cone. */
TEAM void perp_cone_project(double mu, double z[3])
{
  const double s = perp_team_hypot(z[1], z[2]);
  if (z[0] >= 0 && s <= mu * z[0])
    return;
  if (mu * s <= -z[0]) {
    z[0] = z[1] = z[2] = 0;
    return;
  }
  /* neither c nor mu c may overflow for a large mu */
  const double inverse = 1 / mu;
  const double c = mu <= 1 ? (z[0] + mu * s) / (1 + mu * mu)
                           : (z[0] * inverse + s) * inverse / (1 + inverse * inverse);
  const double tangent = mu <= 1 ? mu * c : (z[0] * inverse + s) / (1 + inverse * inverse);
  z[0] = c;
  z[1] = tangent * (z[1] / s);
  z[2] = tangent * (z[2] / s);
}

/* Solves the cone's problem with the others held: x <- its solution, d <- the change; y: A x + b of
 * its rows, made: perp_cone_make(W). */
TEAM void perp_cone_relax(const double W[9], const perp_cone_matrix *made, double mu, double omega,
                          double *slip, const double y[3], double x[3], double d[3])
{
  const double scale = 1 / omega;
  double q[3], z[3];
  TEAM_ALL
  for (int t = 0; t < 3; t++)
    q[t] = y[t] - scale * (W[3 * t] * x[0] + W[3 * t + 1] * x[1] + W[3 * t + 2] * x[2]);
  if (!perp_cone_solve(made, omega, q, mu, slip, z)) { /* a step that cannot overshoot */
    const double length = omega / (W[0] + W[4] + W[8]);
    z[0] = x[0] - length * (y[0] + mu * perp_team_hypot(y[1], y[2]));
    z[1] = x[1] - length * y[1];
    z[2] = x[2] - length * y[2];
    perp_cone_project(mu, z);
  }
  TEAM_ALL
  for (int t = 0; t < 3; t++) {
    d[t] = z[t] - x[t];
    x[t] = z[t];
  }
}
