/* friction_oracle.h: contacts of 1 to 6 rows in 113 bits, from the text of perp/set.h: Newton's method on
 * the normal and on the multiplier of each group, within an interval that is also bisected. It shares no
 * code with the library; test_friction checks its projections by Moreau's conditions. */
#pragma once

#include "quad.h"

enum { ORACLE_ROWS = 6, ORACLE_GROUPS = 3 };

typedef struct oracle_law {
  int rows, group[ORACLE_ROWS];
  double mu[ORACLE_ROWS];
} oracle_law;

/* The axes of a contact, from the text of perp/set.h. */
static inline oracle_law oracle_law_of(int rows, int kind, const double mu[5])
{
  static const int columns[7][5] = {
      {0}, {0}, {0}, {0, 1}, {0, 1, 2}, {0, 1, 3, 4}, {0, 1, 2, 3, 4}};
  oracle_law l = {.rows = rows};
  for (int k = 1; k < rows; k++) {
    const int column = columns[rows][k - 1];
    l.mu[k] = mu[column];
    l.group[k] = l.mu[k] == 0 ? -1 : kind == 0 ? 0 : column < 2 ? 0 : column == 2 ? 1 : 2;
  }
  return l;
}

static inline quad norm_of(const oracle_law *l, int g, const quad *y)
{
  quad sum = 0;
  for (int k = 1; k < l->rows; k++)
    if (l->group[k] == g)
      sum += (l->mu[k] * y[k]) * (l->mu[k] * y[k]);
  return quad_sqrt(sum);
}

/* Newton's point from `at`, where a rising function is f with this slope and moves the end of [low, high]
 * that it proves; every fourth time, and if it leaves the interval, the middle. Returns `at` if nothing is
 * left to find. */
static inline quad next_point(int step, quad at, quad f, quad slope, quad *low, quad *high)
{
  if (f < 0)
    *low = at;
  else
    *high = at;
  const quad newton = at - f / slope, middle = (*low + *high) / 2;
  if (quad_abs(newton - at) <= 1e-33L * at || *high - *low <= 1e-33L * *high)
    return at;
  return step % 4 < 3 && newton > *low && newton < *high ? newton : middle;
}

/* The part of group g at a normal of t: p_k = mu_k^2 z_k / (mu_k^2 + lambda), where lambda solves
 * 1 / |q| = 1 / t, q_k = p_k / mu_k. Returns lambda, and its slope by t. */
static inline quad group_at(const oracle_law *l, int g, const quad *z, quad t, quad *p, quad *slope)
{
  quad low = 0, high = t > 0 ? norm_of(l, g, z) / t : 0, lambda = 0;
  *slope = 0;
  for (int step = 0; step < 1000; step++) {
    quad sum = 0, part = 0;
    for (int k = 1; k < l->rows; k++)
      if (l->group[k] == g) {
        const quad square = (quad)l->mu[k] * l->mu[k], q = z[k] * l->mu[k] / (square + lambda);
        p[k] = q * l->mu[k];
        sum += q * q;
        part += q * q / (square + lambda);
      }
    if (step == 0 && sum <= t * t)
      return 0;
    const quad norm = quad_sqrt(sum);
    *slope = -norm / part;
    const quad next = next_point(step, lambda, 1 / norm - 1 / t, part / (sum * norm), &low, &high);
    if (next == lambda)
      break;
    lambda = next;
  }
  return lambda;
}

static inline void oracle_project(const oracle_law *l, const quad *z, quad *p)
{
  quad sum = z[0];
  for (int k = 0; k < l->rows; k++)
    p[k] = 0;
  for (int g = 0; g < ORACLE_GROUPS; g++)
    sum += norm_of(l, g, z);
  if (!(sum > 0))
    return;
  quad low = z[0] > 0 ? z[0] : 0, high = sum, t = z[0] > 0 ? z[0] : sum / 2;
  for (int step = 0; step < 1000; step++) {
    quad F = t - z[0], slope = 1, turn;
    for (int g = 0; g < ORACLE_GROUPS; g++) {
      const quad lambda = group_at(l, g, z, t, p, &turn);
      F -= t * lambda;
      slope -= lambda + t * turn;
    }
    p[0] = t;
    const quad next = F == 0 ? t : next_point(step, t, F, slope, &low, &high);
    if (next == t)
      break;
    t = next;
  }
}

/* Returns the natural residual of a contact; *size: its largest number. */
static inline quad oracle_residual(const oracle_law *l, const double *x, const quad *y, quad *size)
{
  quad z[ORACLE_ROWS] = {0}, p[ORACLE_ROWS], shift = 0, worst = 0;
  for (int g = 0; g < ORACLE_GROUPS; g++)
    shift += norm_of(l, g, y);
  for (int k = 0; k < l->rows; k++)
    z[k] = x[k] - y[k] - (k == 0 ? shift : 0);
  oracle_project(l, z, p);
  *size = shift;
  for (int k = 0; k < l->rows; k++) {
    worst = quad_max(worst, quad_abs(x[k] - p[k]));
    *size = quad_max(*size, quad_max(quad_abs(x[k]), quad_abs(y[k])));
  }
  return worst;
}
