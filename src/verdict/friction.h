/* friction.h: contacts of 1 to 6 rows: the set of their forces, its projection and natural residual
 *
 * A contact has a normal x_n and axes x_k in groups g, each axis with its mu_k > 0:
 *
 *   K = { x : x_n >= 0,  sum over k in g of (x_k / mu_k)^2 <= x_n^2  for each g }.
 *
 * An elliptic cone is one group of all axes; separate discs are the groups slide, torsion and roll.
 * The dual cone is { y : y_n >= sum_g s_g }, s_g = |(mu_k y_k)|: the least of y^T x at x_n = 1 is
 * y_n - sum_g s_g. With De Saxce's y_n + sum_g s_g in place of y_n it says y_n >= 0, and x^T y = 0
 * is a sum of terms that are not negative,
 *
 *   x_n y_n = 0,   x_n s_g + sum_(k in g) x_k y_k = 0  for each g:
 *
 * Signorini's condition, and the greatest dissipation in each group (De Saxce and Feng 1998). In
 * the variables x_k / mu_k and mu_k y_k every group is a disc of radius x_n, and one group of two
 * axes is Coulomb's cone. An axis with mu_k = 0 has x_k = 0, and y_k is free.
 *
 * Projection of z. With multipliers lambda_g >= 0 of the squares and t = p_n,
 *
 *   p_k = z_k mu_k^2 / (mu_k^2 + lambda_g),   t (1 - sum_g lambda_g) = z_n,
 *   sum_(k in g) (z_k mu_k / (mu_k^2 + lambda_g))^2 = t^2,  or less if lambda_g = 0.           (1)
 *
 * (1) has one root lambda_g(t); t lambda_g is at most s_g(z) and its limit for t = 0 is s_g. So
 *
 *   F(t) = t - z_n - sum_g t lambda_g(t),   F' >= 1,   F(0) = -z_n - sum_g s_g,
 *
 * the derivative of half the squared distance of z from the points of K with x_n = t, has one root
 * t > 0 unless F(0) >= 0, which says that z is in the polar cone. t = z_n and lambda = 0 if z is
 * in K. For round groups (equal mu_k) t lambda_g = mu (|z_g| - mu t)+ and F is piecewise linear.
 * Newton's method in a bracket finds t, and another one, monotone, lambda_g (for |p| as in trust
 * regions: More and Sorensen 1983).
 *
 * Residual. r = x - P(x - u), with u = y and u_n = y_n + sum_g s_g:
 *
 *   r_k = (sigma_g x_k + mu_k^2 t y_k) / (mu_k^2 t + sigma_g),   sigma_g = t lambda_g,   r_n = x_n - t.
 *
 * A small y next to a large x would be lost in x - u, so t and sigma get Newton steps whose
 * right-hand sides are summed in twice the precision. Cost: some hundred flops for each Newton
 * step. */
#pragma once

#include "verdict/natural.h"

#include <perp/set.h>

#include <float.h>

enum { PERP_FRICTION_ROWS = 6, PERP_FRICTION_MU = 5, PERP_FRICTION_GROUPS = 3 };

typedef struct perp_friction {
  int rows;
  int group[PERP_FRICTION_ROWS]; /* of row k > 0; -1: no friction */
  double mu[PERP_FRICTION_ROWS];
  int first[PERP_FRICTION_GROUPS], end[PERP_FRICTION_GROUPS]; /* rows between which a group lies */
} perp_friction;

/* Returns the column of mu of row k > 0 in a contact of that many rows. */
EVERYWHERE int perp_friction_column(int rows, int k)
{
  return k - 1 + (rows == 5 && k > 2);
}

/* mu: five coefficients, at most 1e100; those below 1e-100 count as 0. */
EVERYWHERE perp_friction perp_friction_make(int rows, perp_friction_law law, const double *mu)
{
  perp_friction f;
  f.rows = rows;
  for (int g = 0; g < PERP_FRICTION_GROUPS; g++)
    f.first[g] = f.end[g] = 1;
  for (int k = 1; k < rows; k++) {
    const int column = perp_friction_column(rows, k);
    f.mu[k] = mu[column];
    f.group[k] = !(mu[column] >= 1e-100)         ? -1
                 : law == PERP_FRICTION_ELLIPTIC ? 0
                                                 : (column > 1) + (column > 2);
    const int g = f.group[k];
    if (g < 0)
      continue;
    f.first[g] = f.end[g] > 1 ? f.first[g] : k;
    f.end[g] = k + 1;
  }
  return f;
}

/* Returns s_g of y. */
EVERYWHERE double perp_friction_norm(const perp_friction *f, int g, const double *y)
{
  double square = 0, norm = 0;
  for (int k = f->first[g]; k < f->end[g]; k++)
    square += f->group[k] == g ? (f->mu[k] * y[k]) * (f->mu[k] * y[k]) : 0;
  if (square > 0x1p-900 && square < 0x1p1000)
    return sqrt(square);
  for (int k = f->first[g]; k < f->end[g]; k++)
    if (f->group[k] == g && y[k] != 0)
      norm = perp_everywhere_hypot(norm, f->mu[k] * y[k]);
  return norm;
}

/* Returns De Saxce's term, the sum of s_g. */
EVERYWHERE double perp_friction_shift(const perp_friction *f, const double *y)
{
  return perp_friction_norm(f, 0, y) + perp_friction_norm(f, 1, y) + perp_friction_norm(f, 2, y);
}

/* Sets *h and *d to the sum of q_k^2 and of q_k^2 / w_k, w_k = mu_k^2 + lambda, q_k = mu_k z_k /
 * w_k. */
EVERYWHERE void perp_friction_sums(const perp_friction *f, int g, const double *z, double lambda,
                                   double *h, double *d)
{
  *h = *d = 0;
  for (int k = f->first[g]; k < f->end[g]; k++)
    if (f->group[k] == g) {
      const double w = f->mu[k] * f->mu[k] + lambda, q = f->mu[k] * z[k] / w;
      *h += q * q;
      *d += q * q / w;
    }
}

/* Returns lambda_g(t), t > 0; *slope <- d(t lambda) / dt. */
EVERYWHERE double perp_friction_multiplier(const perp_friction *f, int g, const double *z, double t,
                                           double *slope)
{
  double lambda = 0, most = 0, h, d;
  for (int k = f->first[g]; k < f->end[g]; k++) { /* no single term of (1) is above t^2 */
    const double mu = f->group[k] == g ? f->mu[k] : 0, least = mu * (fabs(z[k]) / t - mu);
    lambda = least > lambda ? least : lambda;
    most = mu > most ? mu : most;
  }
  /* nor is the sum with the largest mu in each w_k: the root if the group is round */
  const double least = perp_friction_norm(f, g, z) / t - most * most;
  lambda = least > lambda ? least : lambda;
  for (int step = 0; step < 100; step++) {
    perp_friction_sums(f, g, z, lambda, &h, &d);
    const double excess = sqrt(h) / t - 1;
    if (!(excess > DBL_EPSILON))
      break;
    lambda += h / d * excess;
  }
  *slope = lambda > 0 ? lambda - t * t / d : 0;
  return lambda;
}

/* The projection of a point: t = 0 in the polar cone, no group is active inside K. In rounding an
 * active group may have lambda = 0, and the point may lie outside the polar cone although t = 0:
 * `polar` says that it surely lies in it. */
typedef struct perp_friction_foot {
  double t, lambda[PERP_FRICTION_GROUPS];
  bool active[PERP_FRICTION_GROUPS], polar;
} perp_friction_foot;

EVERYWHERE perp_friction_foot perp_friction_find(const perp_friction *f, const double *z)
{
  perp_friction_foot foot = {0, {0, 0, 0}, {false, false, false}, false};
  double sum = z[0], steep = 1; /* -F(0) and F'(0) */
  double length[PERP_FRICTION_GROUPS], d;
  bool inside = z[0] >= 0;
  for (int g = 0; g < PERP_FRICTION_GROUPS; g++) {
    const double s = perp_friction_norm(f, g, z);
    sum += s;
    for (int k = f->first[g]; k < f->end[g]; k++) {
      const double share = f->group[k] == g && s > 0 ? f->mu[k] * f->mu[k] * (z[k] / s) : 0;
      steep += share * share;
    }
    perp_friction_sums(f, g, z, 0, &length[g], &d);
    length[g] = sqrt(length[g]);
    inside = inside && length[g] <= z[0];
  }
  foot.t = inside ? z[0] : 0;
  for (int g = 0; g < PERP_FRICTION_GROUPS && inside; g++)
    foot.active[g] = length[g] > z[0] * (1 - 8 * DBL_EPSILON);
  /* surely: z and s_g have some roundings each, fewer than 16 in all */
  foot.polar = !(sum > -16 * DBL_EPSILON * (fabs(z[0]) + (sum - z[0])));
  if (inside || !(sum > 0))
    return foot;
  double low = z[0] > 0 ? z[0] : 0, high = sum > low ? sum : low, t = sum / steep;
  t = t > low ? t : low;
  for (int step = 0; step < 200; step++) {
    double F = t - z[0], size = t + fabs(z[0]), slope = 1, part;
    for (int g = 0; g < PERP_FRICTION_GROUPS; g++) {
      foot.lambda[g] = perp_friction_multiplier(f, g, z, t, &part);
      F -= t * foot.lambda[g];
      size += t * foot.lambda[g];
      slope -= part;
    }
    low = F < 0 ? t : low;
    high = F > 0 ? t : high;
    double next = t - F / slope;
    if (!(next >= low && next <= high))
      next = low + (high - low) / 2;
    if (fabs(F) <= DBL_EPSILON * size || fabs(next - t) <= DBL_EPSILON * t || !(next > 0))
      break;
    t = next;
  }
  foot.t = t;
  for (int g = 0; g < PERP_FRICTION_GROUPS; g++)
    foot.active[g] = foot.lambda[g] > 0 || length[g] > t * (1 - 8 * DBL_EPSILON);
  return foot;
}

/* Returns a power of two near 1 / max |v_k|, so that no square over- or underflows. */
EVERYWHERE double perp_friction_unit(int count, const double *v, double largest)
{
  for (int k = 0; k < count; k++)
    largest = fabs(v[k]) > largest ? fabs(v[k]) : largest;
  return perp_natural_unit(largest);
}

/* z <- P(z) */
EVERYWHERE void perp_friction_project(const perp_friction *f, double *z)
{
  double v[PERP_FRICTION_ROWS] = {0};
  const double unit = perp_friction_unit(f->rows, z, 0);
  for (int k = 0; k < f->rows; k++)
    v[k] = unit * z[k];
  const perp_friction_foot foot = perp_friction_find(f, v);
  for (int k = 1; k < f->rows; k++) {
    const int g = f->group[k];
    const double square = f->mu[k] * f->mu[k];
    z[k] = g < 0 || !(foot.t > 0) ? 0
           : foot.lambda[g] > 0   ? square / (square + foot.lambda[g]) * z[k]
                                  : z[k];
  }
  z[0] = foot.t == v[0] ? z[0] : foot.t / unit;
}

/* Returns the length of (mu_k v_k) in group g, v = x - y, in twice the precision: s_g(x - y). */
EVERYWHERE perp_twice perp_friction_length(const perp_friction *f, int g, const double *x,
                                           const double *y)
{
  perp_twice squares = {0, 0};
  for (int k = f->first[g]; k < f->end[g]; k++) {
    if (f->group[k] != g)
      continue;
    const perp_twice mu = {f->mu[k], 0};
    const perp_twice v = perp_twice_sum(perp_twice_of(x[k], 0), perp_twice_of(-y[k], 0));
    const perp_twice s = perp_twice_product(mu, v);
    squares = perp_twice_sum(squares, perp_twice_product(s, s));
  }
  return perp_twice_root(squares);
}

/* Returns z_n = x_n - y_n - sum of s_g(y) in twice the precision. */
EVERYWHERE perp_twice perp_friction_normal(const perp_friction *f, const double *x, const double *y)
{
  const double none[PERP_FRICTION_ROWS] = {0};
  perp_twice normal = perp_twice_sum(perp_twice_of(x[0], 0), perp_twice_of(-y[0], 0));
  for (int g = 0; g < PERP_FRICTION_GROUPS; g++) {
    const perp_twice s = perp_friction_length(f, g, none, y);
    normal = perp_twice_sum(normal, perp_twice_of(-s.high, -s.low));
  }
  return normal;
}

/* Returns z_n + sum of s_g(z) <= 0: z is in the polar cone. */
EVERYWHERE bool perp_friction_is_polar(const perp_friction *f, const double *x, const double *y,
                                       perp_twice normal)
{
  for (int g = 0; g < PERP_FRICTION_GROUPS; g++)
    normal = perp_twice_sum(normal, perp_friction_length(f, g, x, y));
  return normal.high + normal.low <= 0;
}

/* One Newton step for t and sigma_g = t lambda_g with right-hand sides in twice the precision. (1) is
 * h_g = sum of q_k^2 = 1, q_k = mu_k z_k / w_k, w_k = mu_k^2 t + sigma_g, which has no pole at t = 0.
 * active[g] <- sigma_g > 0, or h_g > 1 at sigma_g = 0: then it must grow. *error <- what is to be
 * added to t, `more` to sigma. x, y: scaled. Returns false if a group that is not active at t is so
 * at t + error, where h_g = (1 + error / t)^-2 h_g(t) at sigma_g = 0. */
EVERYWHERE bool perp_friction_correct(const perp_friction *f, const double *x, const double *y,
                                      perp_twice normal, perp_twice t, const double *sigma,
                                      bool *active, double *error,
                                      double more[PERP_FRICTION_GROUPS])
{
  const perp_twice minus = {-1, 0};
  /* t - sum sigma - z_n */
  perp_twice rest = perp_twice_sum(t, perp_twice_of(-normal.high, -normal.low));
  double slope = 1, parts = 0, part[PERP_FRICTION_GROUPS], turn[PERP_FRICTION_GROUPS];
  double above = -1; /* the largest h_g - 1 of the groups near their disc that are not active */
  for (int g = 0; g < PERP_FRICTION_GROUPS; g++) {
    part[g] = turn[g] = 0;
    double length = 0; /* h_g at sigma_g = 0, in doubles */
    for (int k = f->first[g]; k < f->end[g] && t.high > 0; k++) {
      const double q = f->group[k] == g ? (x[k] - y[k]) / (f->mu[k] * t.high) : 0;
      length += q * q;
    }
    active[g] = sigma[g] > 0 || length > 1 - 128 * DBL_EPSILON;
    perp_twice h = minus;
    double d = 0, e = 0; /* of (1), half its slopes in sigma and in t */
    for (int k = f->first[g]; k < f->end[g] && active[g]; k++) {
      if (f->group[k] != g)
        continue;
      const perp_twice mu = {f->mu[k], 0};
      const perp_twice w = perp_twice_sum(perp_twice_product(perp_twice_product(mu, mu), t),
                                          perp_twice_of(sigma[g], 0));
      const perp_twice z = perp_twice_sum(perp_twice_of(x[k], 0), perp_twice_of(-y[k], 0));
      const perp_twice q = perp_twice_quotient(perp_twice_product(mu, z), w);
      h = perp_twice_sum(h, perp_twice_product(q, q));
      d += q.high * q.high / w.high;
      e += f->mu[k] * q.high * (f->mu[k] * q.high / w.high);
    }
    rest = perp_twice_sum(rest, perp_twice_of(-sigma[g], 0));
    const bool near = active[g];
    active[g] = near && (sigma[g] > 0 || h.high + h.low > 0);
    above = near && !active[g] && h.high + h.low > above ? h.high + h.low : above;
    part[g] = active[g] ? (h.high + h.low) / (2 * d) : 0;
    turn[g] = active[g] ? e / d : 0;
    parts += part[g];
    slope += turn[g];
  }
  *error = (parts - (rest.high + rest.low)) / slope;
  for (int g = 0; g < PERP_FRICTION_GROUPS; g++)
    more[g] = part[g] - turn[g] * *error;
  return !(above > -1 && above * t.high > 2 * *error);
}

/* Returns the largest |x_k - P(x - u)_k| of a contact; infinity if a number is not finite. */
EVERYWHERE double perp_friction_residual(const perp_friction *f, const double *force,
                                         const double *slip)
{
  /* Next to the pole of an axis with a small mu_k^2 t + sigma_g a step from below adds half of that sum. */
  enum { STEPS = 200 };
  double x[PERP_FRICTION_ROWS] = {0}, y[PERP_FRICTION_ROWS] = {0}, z[PERP_FRICTION_ROWS], doubt = 0;
  for (int k = 0; k < f->rows; k++)
    doubt += perp_natural_nan(force[k], slip[k]);
  if (!(doubt == 0))
    return HUGE_VAL;
  const double unit = perp_friction_unit(f->rows, slip, 1 / perp_friction_unit(f->rows, force, 0));
  for (int k = 0; k < f->rows; k++) {
    x[k] = unit * force[k];
    y[k] = unit * slip[k];
    z[k] = x[k] - y[k];
  }
  const double shift = perp_friction_shift(f, y);
  z[0] -= shift;
  perp_friction_foot foot = perp_friction_find(f, z);
  bool *active = foot.active, polar = foot.polar, again = false;
  perp_twice t = {foot.t, 0};
  double error = 0, sigma[PERP_FRICTION_GROUPS], more[PERP_FRICTION_GROUPS] = {0, 0, 0};
  for (int g = 0; g < PERP_FRICTION_GROUPS; g++) {
    sigma[g] = foot.t > 0 ? foot.t * foot.lambda[g] : perp_friction_norm(f, g, z);
    active[g] = active[g] || !(foot.t > 0);
  }
  const bool inside = !active[0] && !active[1] && !active[2];
  const perp_twice normal = polar || inside ? perp_twice_of(0, 0) : perp_friction_normal(f, x, y);
  for (int step = 0; step < STEPS && !polar && !inside; step++) {
    t = perp_twice_sum(t, perp_twice_of(error, 0));
    for (int g = 0; g < PERP_FRICTION_GROUPS; g++)
      sigma[g] = sigma[g] + more[g] > 0 ? sigma[g] + more[g] : 0;
    const bool settled = perp_friction_correct(f, x, y, normal, t, sigma, active, &error, more);
    if (t.high + error <= 0) { /* F is concave: from a t above its root a step may end below 0 */
      polar = again || perp_friction_is_polar(f, x, y, normal);
      again = true;
      t = perp_twice_of(0, 0);
      error = 0;
      for (int g = 0; g < PERP_FRICTION_GROUPS; g++) {
        sigma[g] = perp_friction_norm(f, g, z);
        more[g] = 0;
      }
      continue;
    }
    /* the next one would be the square of this one */
    bool last = settled && fabs(error) <= 1e-14 * t.high;
    for (int g = 0; g < PERP_FRICTION_GROUPS; g++)
      last = last && (!active[g] || fabs(more[g]) <= 1e-14 * sigma[g]);
    if (last)
      break;
  }
  double worst = fabs(polar ? x[0] : inside ? y[0] + shift : ((x[0] - t.high) - t.low) - error);
  for (int k = 1; k < f->rows; k++) {
    const int g = f->group[k];
    double r = polar || g < 0 ? x[k] : y[k];
    if (!polar && g >= 0 && active[g] && sigma[g] + more[g] > 0) {
      const double mu = f->mu[k], square = fma(mu, mu, 0.0), S = sigma[g];
      const double own = fma(square, t.high, 0.0), left = t.low + error;
      /* mu^2 (t + error) = own + rest */
      const double rest = fma(square, t.high, -own) + fma(mu, mu, -square) * t.high + square * left;
      double high = 0, low = rest * y[k] + more[g] * x[k];
      perp_twice_add(S, x[k], &high, &low);
      perp_twice_add(own, y[k], &high, &low);
      r = (high + low) / (own + rest + (S + more[g]));
    }
    worst = fabs(r) <= worst ? worst : fabs(r);
    doubt += r - r;
  }
  worst /= unit;
  return perp_natural_settle(worst, doubt + (error - error) + (worst - worst));
}
