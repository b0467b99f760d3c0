/* friction_oracle.h: contacts of 1 to 6 rows in 113 bits, by bisection, from the text of perp/set.h;
 * it shares no code with the library */
#pragma once

#include "quad.h"

enum { ORACLE_ROWS = 6, ORACLE_GROUPS = 3 };

static inline quad quad_abs(quad v)
{
  return v < 0 ? -v : v;
}

static inline quad quad_max(quad a, quad b)
{
  return a > b ? a : b;
}

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

/* The part of group g at a normal of t, by bisection on its multiplier. Returns the multiplier. */
static inline quad group_at(const oracle_law *l, int g, const quad *z, quad t, quad *p)
{
  quad low = 0, high = t > 0 ? norm_of(l, g, z) / t : 0, lambda = 0;
  for (int step = 0; step < 400; step++) {
    quad sum = 0;
    for (int k = 1; k < l->rows; k++)
      if (l->group[k] == g) {
        const quad square = (quad)l->mu[k] * l->mu[k], q = z[k] * l->mu[k] / (square + lambda);
        p[k] = q * l->mu[k];
        sum += q * q;
      }
    if (step == 0 && sum <= t * t)
      return 0;
    if (sum > t * t)
      low = lambda;
    else
      high = lambda;
    lambda = (low + high) / 2;
    if (step > 0 && high - low <= 1e-33L * high)
      break;
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
  quad low = z[0] > 0 ? z[0] : 0, high = sum;
  for (int step = 0; step < 400; step++) {
    const quad t = step == 0 && z[0] > 0 ? z[0] : (low + high) / 2;
    quad F = t - z[0];
    for (int g = 0; g < ORACLE_GROUPS; g++)
      F -= t * group_at(l, g, z, t, p);
    p[0] = t;
    if (F == 0 || (step > 0 && high - low <= 1e-33L * high))
      break;
    if (F < 0)
      low = t;
    else
      high = t;
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
