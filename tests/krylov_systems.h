/* krylov_systems.h: small dense systems, and Gaussian elimination as their oracle */
#pragma once

#include "base/random.h"
#include "test.h"

enum { MOST = 64 };

typedef struct {
  int n;
  double a[MOST * MOST];
  double diagonal[MOST]; /* of the Jacobi preconditioner */
  int calls;
  double poison; /* written into every product if it is not 0 */
} matrix;

static void times(const matrix *A, const double *x, double *y)
{
  for (int i = 0; i < A->n; i++) {
    y[i] = 0;
    for (int j = 0; j < A->n; j++)
      y[i] += A->a[i * A->n + j] * x[j];
  }
}

/* Gaussian elimination with partial pivoting on a copy; returns false if a pivot vanishes. */
static bool eliminate(int n, const double *a, const double *b, double *x)
{
  double M[MOST * (MOST + 1)];
  for (int i = 0; i < n; i++) {
    memcpy(M + i * (n + 1), a + i * n, (size_t)n * sizeof *M);
    M[i * (n + 1) + n] = b[i];
  }
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k; i < n; i++)
      if (fabs(M[i * (n + 1) + k]) > fabs(M[p * (n + 1) + k]))
        p = i;
    if (fabs(M[p * (n + 1) + k]) < 1e-12)
      return false;
    for (int j = 0; j <= n; j++) {
      const double t = M[k * (n + 1) + j];
      M[k * (n + 1) + j] = M[p * (n + 1) + j];
      M[p * (n + 1) + j] = t;
    }
    for (int i = k + 1; i < n; i++) {
      const double l = M[i * (n + 1) + k] / M[k * (n + 1) + k];
      for (int j = k; j <= n; j++)
        M[i * (n + 1) + j] -= l * M[k * (n + 1) + j];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    x[i] = M[i * (n + 1) + n];
    for (int j = i + 1; j < n; j++)
      x[i] -= M[i * (n + 1) + j] * x[j];
    x[i] /= M[i * (n + 1) + i];
  }
  return true;
}

typedef enum { SPD, INDEFINITE, GENERAL, SINGULAR } sort;

/* G diag(s) G^T with G random, or a general one dominated by its diagonal and a skew part. Singular:
 * half of the s are 0. */
static void make(matrix *A, int n, sort kind, perp_random *random)
{
  double G[MOST * MOST], s[MOST];
  *A = (matrix){.n = n};
  for (int k = 0; k < n * n; k++)
    G[k] = perp_random_between(random, -1, 1) / sqrt(n);
  for (int k = 0; k < n; k++) {
    s[k] = perp_random_between(random, 0.5, 2);
    if (kind == INDEFINITE && k % 2)
      s[k] = -s[k];
    if (kind == SINGULAR && k % 2)
      s[k] = 0;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += G[i * n + k] * s[k] * G[j * n + k];
      if (kind == GENERAL)
        sum = G[i * n + j] + (i == j);
      if (kind == SPD && i == j)
        sum += 0.1 + 10.0 * i / n;
      if (kind == INDEFINITE && i == j)
        sum += (i % 2 ? -1 : 1) * (0.5 + 3.0 * i / n);
      A->a[i * n + j] = sum;
    }
  for (int i = 0; i < n; i++)
    A->diagonal[i] = fabs(A->a[i * n + i]) + 1e-3;
}

static void random_vector(int n, double *x, perp_random *random)
{
  for (int i = 0; i < n; i++)
    x[i] = perp_random_between(random, -1, 1);
}
