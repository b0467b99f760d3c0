/* bfgs.h: descent with an inverse Hessian learned on the way, for the examples
 *
 *   theta <- theta - t H g,   t = 1, 1/2, ... until the loss falls by 1e-4 of what its slope says,
 *   H <- (I - s y^T / y^T s) H (I - y s^T / y^T s) + s s^T / y^T s,
 *
 * with s the step and y the change of the gradient g (Broyden, Fletcher, Goldfarb, Shanno 1970). */
#pragma once

#include <math.h>
#include <perp/base.h>
#include <string.h>

enum { BFGS_MOST = 16 };

typedef struct bfgs {
  int n;          /* unknowns, at most BFGS_MOST */
  int iterations; /* at most */
  double enough;  /* a loss that ends it */
  /* Loss and gradient at theta, which may be moved to where they are defined. */
  perp_error (*evaluate)(void *context, double *theta, double *loss, double *gradient);
  /* After each iteration, and before the first. */
  void (*report)(void *context, int iteration, double loss, const double *theta);
  void *context;
} bfgs;

static inline double bfgs_dot(int n, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

static inline void bfgs_learn(int n, double H[BFGS_MOST][BFGS_MOST], const double *s,
                              const double *y)
{
  double Hy[BFGS_MOST];
  const double ys = bfgs_dot(n, y, s);
  if (!(ys > 1e-12))
    return;
  for (int i = 0; i < n; i++)
    Hy[i] = bfgs_dot(n, H[i], y);
  const double yHy = bfgs_dot(n, y, Hy);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      H[i][j] += (1 + yHy / ys) * s[i] * s[j] / ys - (s[i] * Hy[j] + Hy[i] * s[j]) / ys;
}

/* theta is the start, and what was found. */
static inline perp_error bfgs_descend(const bfgs *b, double *theta, double *loss)
{
  const int n = b->n;
  double H[BFGS_MOST][BFGS_MOST] = {{0}}, g[BFGS_MOST], next[BFGS_MOST], g_next[BFGS_MOST];
  perp_error error = b->evaluate(b->context, theta, loss, g);
  for (int i = 0; i < n; i++)
    H[i][i] = 0.1;
  if (!error)
    b->report(b->context, 0, *loss, theta);
  for (int k = 1; k <= b->iterations && *loss > b->enough && !error; k++) {
    double d[BFGS_MOST], s[BFGS_MOST], y[BFGS_MOST], after = INFINITY;
    for (int i = 0; i < n; i++)
      d[i] = -bfgs_dot(n, H[i], g);
    const double slope = bfgs_dot(n, d, g);
    for (double t = 1; t > 1e-8 && !(after <= *loss + 1e-4 * t * slope) && !error; t /= 2) {
      for (int i = 0; i < n; i++)
        next[i] = theta[i] + t * d[i];
      error = b->evaluate(b->context, next, &after, g_next);
    }
    if (error || !(after < *loss))
      break;
    *loss = after;
    for (int i = 0; i < n; i++) {
      s[i] = next[i] - theta[i];
      y[i] = g_next[i] - g[i];
    }
    bfgs_learn(n, H, s, y);
    memcpy(theta, next, (size_t)n * sizeof *theta);
    memcpy(g, g_next, (size_t)n * sizeof *g);
    b->report(b->context, k, *loss, theta);
  }
  return error;
}
