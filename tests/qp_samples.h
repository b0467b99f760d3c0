/* qp_samples.h: small quadratic programs made at random, for the tests that solve them */
#pragma once

#include "qp_oracle.h"
#include "test.h"

#include "base/random.h"
#include <perp/lab.h>
#include <perp/perp.h>

/* kind: the number of digits of the data, and which bounds there are. */
typedef struct sample_kind {
  bool whole;    /* small whole numbers: many ties */
  int rank;      /* of P; -1: n */
  bool boxed;    /* lb and ub are finite */
  double equal;  /* share of rows with l = u */
  double around; /* bounds of rows are about this far from G x at a random x; below 0: infeasible
                    ones come up too */
} sample_kind;

static inline double draw(perp_random *random, bool whole)
{
  const double v = perp_random_between(random, -4, 4);
  return whole ? floor(v + 0.5) : v;
}

static inline small_qp make_sample(const sample_kind *kind, int n, int m, uint64_t seed)
{
  small_qp p = {.n = n, .m = m};
  perp_random random = perp_random_from(seed);
  double F[QP_MOST * QP_MOST] = {0}, x[QP_MOST];
  const int rank = kind->rank < 0 ? n : kind->rank < n ? kind->rank : n;
  for (int r = 0; r < rank; r++)
    for (int i = 0; i < n; i++)
      F[r * n + i] = draw(&random, kind->whole);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      for (int r = 0; r < rank; r++)
        p.P[i * n + j] += F[r * n + i] * F[r * n + j];
      if (i == j && kind->rank < 0)
        p.P[i * n + j] += 1;
    }
  for (int i = 0; i < n; i++) {
    p.q[i] = draw(&random, kind->whole) * 3;
    x[i] = draw(&random, kind->whole);
    const double below = fabs(draw(&random, kind->whole)), above = fabs(draw(&random, kind->whole));
    p.L[i] = kind->boxed || perp_random_uniform(&random) < 0.4 ? x[i] - below : -INFINITY;
    p.U[i] = kind->boxed || perp_random_uniform(&random) < 0.4 ? x[i] + above : INFINITY;
  }
  for (int r = 0; r < m; r++) {
    double t = 0;
    for (int j = 0; j < n; j++) {
      p.G[r * n + j] = perp_random_uniform(&random) < 0.7 ? draw(&random, kind->whole) : 0;
      t += p.G[r * n + j] * x[j];
    }
    const double shift = kind->around < 0 ? 4 * draw(&random, kind->whole) : 0;
    const double below = fabs(draw(&random, kind->whole)), above = fabs(draw(&random, kind->whole));
    p.L[n + r] = t + shift - below;
    p.U[n + r] = t + shift + above;
    if (perp_random_uniform(&random) < kind->equal)
      p.U[n + r] = p.L[n + r] = t + shift;
    else if (perp_random_uniform(&random) < 0.3)
      p.L[n + r] = -INFINITY;
    else if (perp_random_uniform(&random) < 0.4)
      p.U[n + r] = INFINITY;
  }
  return p;
}

/* Returns the library's program with borrowed arrays; the caller destroys P. */
static inline perp_qp to_library(const small_qp *p, perp_operator **P)
{
  perp_qp qp = perp_qp_default();
  CHECK(perp_operator_dense(p->n, p->P, p->n, PERP_BORROW, P, NULL) == PERP_OK);
  qp.n = p->n, qp.m = p->m, qp.P = *P, qp.q = p->q, qp.G_value = p->G;
  qp.lb = p->L, qp.ub = p->U, qp.l = p->L + p->n, qp.u = p->U + p->n;
  return qp;
}

/* The scales X and Y of <perp/qp.h>, in long double. */
static inline void verdict_scales(const small_qp *p, const double *x, const double *z,
                                  const double *w, long double *X, long double *Y,
                                  long double *x_unit, long double *v_unit)
{
  const int n = p->n, all = n + p->m;
  long double P_max = 0, q_max = 0, unit = INFINITY;
  for (int i = 0; i < n; i++) {
    q_max = fmaxl(q_max, fabsl((long double)p->q[i]));
    for (int j = 0; j < n; j++)
      P_max = fmaxl(P_max, fabsl((long double)p->P[i * n + j]));
  }
  for (int k = 0; k < all; k++) {
    if (p->L[k] != 0)
      unit = fminl(unit, fabsl((long double)p->L[k]));
    if (p->U[k] != 0)
      unit = fminl(unit, fabsl((long double)p->U[k]));
  }
  if (q_max > 0 && P_max > 0)
    unit = fminl(unit, q_max / P_max);
  if (isinf(unit))
    unit = 1;
  *X = unit;
  *Y = q_max > 0 ? q_max : P_max > 0 ? P_max * unit : 1;
  *x_unit = *X, *v_unit = *Y;
  for (int i = 0; i < n; i++) {
    long double Px = 0, Gz = 0;
    for (int j = 0; j < n; j++)
      Px += (long double)p->P[i * n + j] * x[j];
    for (int r = 0; r < p->m; r++)
      Gz += (long double)p->G[r * n + i] * z[r];
    *Y = fmaxl(fmaxl(*Y, fabsl(Px)), fmaxl(fabsl(Gz), fabsl((long double)w[i])));
  }
  for (int k = 0; k < all; k++) {
    const double v = k < n ? w[k] : z[k - n];
    long double t = 0;
    for (int j = 0; j < n; j++)
      t += oracle_entry(p, k, j) * x[j];
    if (isinf(p->L[k]) && isinf(p->U[k]))
      continue;
    *X = fmaxl(*X, fabsl(t));
    if (p->L[k] > t || v < 0)
      *X = fmaxl(*X, fabsl((long double)p->L[k]));
    if (t > p->U[k] || v > 0)
      *X = fmaxl(*X, fabsl((long double)p->U[k]));
  }
}

/* The verdict as <perp/qp.h> defines it, in long double: the worst of the four numbers. Multipliers
 * must not push against infinite bounds. */
static inline double verdict(const small_qp *p, const double *x, const double *z, const double *w)
{
  const int n = p->n, all = n + p->m;
  long double X, Y, x_unit, v_unit, x_max = 0, v_max = 0, worst = 0, above = 0, below = 0,
                                    right[QP_MOST];
  verdict_scales(p, x, z, w, &X, &Y, &x_unit, &v_unit);
  for (int i = 0; i < n; i++) {
    right[i] = x[i];
    x_max = fmaxl(x_max, fabsl(right[i]));
    v_max = fmaxl(v_max, fabsl((long double)w[i]));
  }
  for (int r = 0; r < p->m; r++)
    v_max = fmaxl(v_max, fabsl((long double)z[r]));
  x_max = x_max > 0 ? x_max : x_unit;
  v_max = v_max > 0 ? v_max : v_unit;
  for (int i = 0; i < n; i++) {
    long double Px = 0, Gz = 0;
    for (int j = 0; j < n; j++)
      Px += (long double)p->P[i * n + j] * x[j];
    for (int r = 0; r < p->m; r++)
      Gz += (long double)p->G[r * n + i] * z[r];
    const long double q = p->q[i], rest = Px + q + Gz + w[i], size = fabsl(rest),
                      own = fmaxl(fmaxl(fabsl(Px), fabsl(q)),
                                  fmaxl(fabsl(Gz), fabsl((long double)w[i])));
    worst = fmaxl(worst, size / fmaxl(own, fminl(1, Y)));
    long double reach = fmaxl(fabsl(right[i]), fminl(1, x_max));
    if (p->P[i * n + i] > 0)
      reach = fmaxl(reach, size / p->P[i * n + i]);
    const long double room = rest > 0 ? right[i] - p->L[i] : p->U[i] - right[i];
    above += size * fminl(reach, fmaxl(0, room));
  }
  for (int k = 0; k < all; k++) {
    const long double v = k < n ? w[k] : z[k - n], bound = v > 0 ? p->U[k] : p->L[k];
    long double t = 0;
    for (int j = 0; j < n; j++)
      t += oracle_entry(p, k, j) * x[j];
    const long double violated = fmaxl(0, fmaxl(p->L[k] - t, t - p->U[k]));
    if (violated > 0) {
      const long double end = fabsl((long double)(t > p->U[k] ? p->U[k] : p->L[k]));
      worst = fmaxl(worst, violated / fmaxl(end, fminl(1, X)));
      below += violated * (fabsl(v) + fmaxl(fabsl(v), fminl(1, v_max)));
    }
    if (v == 0)
      continue;
    above += fmaxl(0, v * (bound - t));
    worst = fmaxl(worst, fminl(fabsl(v) / Y, fabsl(bound - t) / X));
  }
  const long double error = fmaxl(above, below), f = fabsl(oracle_objective(p, right));
  return (double)fmaxl(worst, error / (fminl(1, X * Y) + fmaxl(0, f - error)));
}
