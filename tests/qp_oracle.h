/* qp_oracle.h: small quadratic programs by trying all active sets, in long double
 *
 * Shares no code with the library. Each row of (I; G) is inside, at its lower or at its upper bound;
 * for each such choice the equations are solved by elimination with full pivoting, and x and v are
 * tested. A program with finite lb and ub whose P is positive semi-definite has a solution, if it is
 * feasible, at which such a system is not singular: a vertex of the set of solutions. */
#pragma once

#include "gauss.h"

enum { QP_MOST = 12 };

typedef struct small_qp {
  int n, m;
  double P[QP_MOST * QP_MOST], q[QP_MOST], G[QP_MOST * QP_MOST]; /* row major, n columns */
  double L[2 * QP_MOST], U[2 * QP_MOST];                         /* of x, then of the rows */
} small_qp;

static long double oracle_entry(const small_qp *p, int k, int j)
{
  return k < p->n ? k == j : (long double)p->G[(k - p->n) * p->n + j];
}

static inline long double oracle_objective(const small_qp *p, const long double *x)
{
  long double sum = 0;
  for (int i = 0; i < p->n; i++) {
    sum += p->q[i] * x[i];
    for (int j = 0; j < p->n; j++)
      sum += 0.5L * x[i] * p->P[i * p->n + j] * x[j];
  }
  return sum;
}

/* Returns true if the choice `side` gives a solution. */
static bool oracle_try(const small_qp *p, const int *side, long double *x)
{
  const int n = p->n, all = n + p->m;
  static long double K[2 * QP_MOST][2 * QP_MOST + 1];
  long double solution[2 * QP_MOST];
  int active[2 * QP_MOST], count = 0;
  for (int k = 0; k < all; k++)
    if (side[k] != 0)
      active[count++] = k;
  const int size = n + count;
  if (count > n)
    return false;
  for (int i = 0; i < size; i++)
    for (int j = 0; j <= size; j++)
      K[i][j] = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      K[i][j] = p->P[i * n + j];
    K[i][size] = -(long double)p->q[i];
  }
  for (int a = 0; a < count; a++) {
    for (int j = 0; j < n; j++)
      K[n + a][j] = K[j][n + a] = oracle_entry(p, active[a], j);
    K[n + a][size] = side[active[a]] < 0 ? p->L[active[a]] : p->U[active[a]];
  }
  int column[2 * QP_MOST];
  if (!gauss_solve(size, 2 * QP_MOST + 1, K[0], 1e-13L, column, solution))
    return false;
  for (int a = 0; a < count; a++)
    if (p->L[active[a]] < p->U[active[a]] && side[active[a]] * solution[n + a] < -1e-12L)
      return false;
  for (int k = 0; k < all; k++) {
    long double t = 0;
    for (int j = 0; j < n; j++)
      t += oracle_entry(p, k, j) * solution[j];
    if (t < p->L[k] - 1e-12L || t > p->U[k] + 1e-12L)
      return false;
  }
  for (int i = 0; i < n; i++)
    x[i] = solution[i];
  return true;
}

/* Finds x of a solution; returns false if there is none. */
static inline bool oracle_qp(const small_qp *p, long double *x)
{
  const int all = p->n + p->m;
  int side[2 * QP_MOST] = {0};
  for (;;) {
    bool allowed = true;
    for (int k = 0; k < all && allowed; k++) {
      if (p->L[k] == p->U[k])
        allowed = side[k] != -1;
      else
        allowed = side[k] == 0 || !isinf(side[k] < 0 ? p->L[k] : p->U[k]);
    }
    if (allowed && oracle_try(p, side, x))
      return true;
    /* the next choice: 0, 1, -1, and then the next row */
    int k = 0;
    while (k < all && side[k] == -1)
      side[k++] = 0;
    if (k == all)
      return false;
    side[k] = side[k] == 0 ? 1 : -1;
  }
}
