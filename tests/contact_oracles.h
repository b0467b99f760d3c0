/* contact_oracles.h: dense oracles for problems of contacts
 *
 * Solutions are judged by the definitions of the forms, written out once more. */
#pragma once

#include "test.h"
#include <perp/lab.h>
#include <perp/perp.h>

static inline double *dense_of(const perp_operator *A)
{
  const size_t n = (size_t)perp_operator_size(A);
  double *a = calloc(n * n + 1, sizeof *a);
  double *e = calloc(n + 1, sizeof *e), *y = calloc(n + 1, sizeof *y);
  double *scratch = calloc(perp_operator_scratch(A) + 1, sizeof *scratch);
  for (size_t j = 0; j < n; j++) {
    e[j] = 1;
    CHECK(perp_operator_apply(A, e, y, scratch, NULL) == PERP_OK);
    e[j] = 0;
    for (size_t i = 0; i < n; i++)
      a[i * n + j] = y[i];
  }
  free(e);
  free(y);
  free(scratch);
  return a;
}

/* The y of x, from dense A. */
static inline double *velocity_of(const perp_instance *p, const double *a, const double *x)
{
  const size_t n = (size_t)perp_operator_size(p->A);
  double *y = malloc((n + 1) * sizeof *y);
  for (size_t i = 0; i < n; i++) {
    long double sum = p->b[i];
    for (size_t j = 0; j < n; j++)
      sum += (long double)a[i * n + j] * x[j];
    y[i] = (double)sum;
  }
  return y;
}

static inline double violation_of_bounds(double x, double y, double lo, double hi)
{
  double z = x - y;
  z = z < lo ? lo : z > hi ? hi : z;
  return fabs(x - z);
}

/* Coulomb's law itself: the impulse in its cone, no penetration, and if there is an impulse no
 * separation, and friction that opposes the slip (or no slip). */
static inline double violation_of_coulomb(double mu, const double *x, const double *y)
{
  const double friction = sqrt(x[1] * x[1] + x[2] * x[2]), slip = sqrt(y[1] * y[1] + y[2] * y[2]);
  double worst = fmax(0, friction - mu * x[0]);
  worst = fmax(worst, fabs(fmin(x[0], y[0])));
  if (x[0] > 1e-9 && slip > 1e-9)
    for (int k = 1; k < 3; k++)
      worst = fmax(worst, fabs(x[k] + mu * x[0] * y[k] / slip));
  return worst;
}

/* The law of a contact with slides, torsion and rolls: the forces of its axes within their cone or
 * discs, Signorini's condition, and in each disc the force that dissipates most, the lowest point of
 * an ellipse along y. mu: five coefficients. */
static inline double violation_of_axes(int rows, bool discs, const double *mu, const double *x,
                                       const double *y)
{
  /* of each row after the normal: its coefficient and its disc */
  static const int coefficient[7][5] = {
      {0}, {0}, {0}, {0, 1}, {0, 1, 2}, {0, 1, 3, 4}, {0, 1, 2, 3, 4}};
  static const int disc[5] = {0, 0, 1, 2, 2};
  double used[3] = {0}, slip[3] = {0}, worst = fabs(fmin(x[0], y[0]));
  for (int k = 1; k < rows; k++) {
    const int c = coefficient[rows][k - 1], d = discs ? disc[c] : 0;
    if (mu[c] == 0) {
      worst = fmax(worst, fabs(x[k]));
      continue;
    }
    used[d] += (x[k] / mu[c]) * (x[k] / mu[c]);
    slip[d] += (mu[c] * y[k]) * (mu[c] * y[k]);
  }
  for (int d = 0; d < 3; d++)
    worst = fmax(worst, sqrt(used[d]) - x[0]);
  for (int k = 1; k < rows && x[0] > 1e-9; k++) {
    const int c = coefficient[rows][k - 1], d = discs ? disc[c] : 0;
    if (mu[c] > 0 && sqrt(slip[d]) > 1e-9)
      worst = fmax(worst, fabs(x[k] + mu[c] * mu[c] * y[k] / sqrt(slip[d]) * x[0]));
  }
  return worst;
}

static inline double violation(const perp_instance *p, const double *x, const double *y)
{
  const int n = perp_operator_size(p->A);
  double worst = 0;
  int first = 0;
  for (int c = 0; c < p->cones; first += p->dim ? p->dim[c] : 3, c++)
    worst = fmax(worst, p->dim ? violation_of_axes(p->dim[c], p->law && p->law[c], p->mu + 5 * c,
                                                   x + first, y + first)
                               : violation_of_coulomb(p->mu[c], x + first, y + first));
  for (int i = first; i < n; i++) {
    const double reach = p->findex && p->findex[i] >= 0 ? fabs(x[p->findex[i]]) : 1;
    const double lo = p->lo ? p->lo[i] : 0, hi = p->hi ? p->hi[i] : INFINITY;
    worst = fmax(worst, violation_of_bounds(x[i], y[i], isinf(lo) ? lo : lo * reach,
                                            isinf(hi) ? hi : hi * reach));
  }
  return worst;
}

static inline double scale_of(const perp_instance *p)
{
  double scale = 0;
  for (int i = 0; i < perp_operator_size(p->A); i++)
    scale = fmax(scale, fabs(p->b[i]));
  return scale > 0 ? scale : 1;
}

/* Returns true if a + shift I has a Cholesky factor. */
static inline bool is_positive(int size, const double *a, double shift)
{
  const size_t n = (size_t)size;
  double *L = malloc((n * n + 1) * sizeof *L);
  bool positive = true;
  for (size_t i = 0; i < n && positive; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = a[i * n + j] + (i == j ? shift : 0);
      for (size_t k = 0; k < j; k++)
        sum -= L[i * n + k] * L[j * n + k];
      if (i == j)
        positive = sum > 0;
      L[i * n + j] = i == j ? sqrt(fmax(sum, 0)) : sum / L[j * n + j];
    }
  free(L);
  return positive;
}

/* Eigenvalues of symmetric a (destroyed) by cyclic Jacobi rotations. */
static inline void eigenvalues(int n, double *a, double *lambda)
{
  for (int sweep = 0; sweep < 60; sweep++) {
    double off = 0;
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) {
        off += fabs(a[p * n + q]);
        if (fabs(a[p * n + q]) < 1e-300)
          continue;
        const double theta = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
        const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
        const double c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < n; k++) {
          const double u = a[k * n + p], v = a[k * n + q];
          a[k * n + p] = c * u - s * v;
          a[k * n + q] = s * u + c * v;
        }
        for (int k = 0; k < n; k++) {
          const double u = a[p * n + k], v = a[q * n + k];
          a[p * n + k] = c * u - s * v;
          a[q * n + k] = s * u + c * v;
        }
      }
    if (off == 0)
      break;
  }
  for (int k = 0; k < n; k++)
    lambda[k] = a[k * n + k];
}

static inline void extremes(int n, const double *lambda, double *least, double *most)
{
  *least = *most = lambda[0];
  for (int k = 1; k < n; k++) {
    *least = fmin(*least, lambda[k]);
    *most = fmax(*most, lambda[k]);
  }
}

/* Projected Gauss-Seidel on the dense matrix until the violation is below tol; returns false if it
 * does not get there. */
static inline bool solve_pgs(const perp_instance *p, const double *a, double tol, int sweeps,
                             double *x)
{
  const int n = perp_operator_size(p->A);
  for (int sweep = 0; sweep < sweeps; sweep++) {
    for (int i = 0; i < n; i++) {
      double r = p->b[i];
      for (int j = 0; j < n; j++)
        r += a[(size_t)i * (size_t)n + (size_t)j] * x[j];
      const double reach = p->findex && p->findex[i] >= 0 ? fabs(x[p->findex[i]]) : 1;
      const double lo = p->lo ? p->lo[i] : 0, hi = p->hi ? p->hi[i] : INFINITY;
      double z = x[i] - r / a[(size_t)i * (size_t)n + (size_t)i];
      z = fmax(z, isinf(lo) ? lo : lo * reach);
      x[i] = fmin(z, isinf(hi) ? hi : hi * reach);
    }
    if (sweep % 50 == 49) {
      double *y = velocity_of(p, a, x);
      const double worst = violation(p, x, y);
      free(y);
      if (worst <= tol)
        return true;
    }
  }
  return false;
}
