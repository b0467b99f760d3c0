/* problems.h: small problems with known answers, made here without the generators, for tests that
 * walk the registry. Everything is owned by the perp_instance. */
#pragma once

#include "base/memory.h"
#include "base/random.h"
#include "test.h"
#include <perp/lab.h>
#include <perp/perp.h>

static perp_operator *problem_dense(int n, const double *a)
{
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(n, a, n, PERP_COPY, &A, NULL) == PERP_OK);
  return A;
}

/* Symmetric, diagonally dominant with `margin` to spare: every splitting method converges. */
static double *problem_dominant(int n, double margin, perp_random *random)
{
  double *a = perp_alloc_zero((size_t)n * (size_t)n + 1, sizeof *a);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[i * n + j] = a[j * n + i] = perp_random_between(random, -1, 1);
  for (int i = 0; i < n; i++) {
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += fabs(a[i * n + j]);
    a[i * n + i] = sum + margin;
  }
  return a;
}

/* b = y - A x for the x and y of the instance's arrays. */
static void problem_plant(perp_instance *p, int n, const double *a, const double *x,
                          const double *y)
{
  p->x = perp_alloc_copy(x, (size_t)n, sizeof *x);
  p->b = perp_alloc((size_t)n, sizeof *p->b);
  for (int i = 0; i < n; i++) {
    p->b[i] = y[i];
    for (int j = 0; j < n; j++)
      p->b[i] -= a[i * n + j] * x[j];
  }
}

/* A planted problem of the given form; about a third of the rows inside, at a bound, degenerate.
 * findex: rows (normal, friction, friction) with mu = 0.5. */
static __attribute__((unused)) perp_instance problem_random(int n, perp_form form, double margin,
                                                            uint64_t seed)
{
  perp_random random = perp_random_from(seed);
  perp_instance p = {0};
  double *a = problem_dominant(n, margin, &random);
  double *x = perp_alloc_zero((size_t)n + 1, sizeof *x),
         *y = perp_alloc_zero((size_t)n + 1, sizeof *y);
  if (form != PERP_FORM_LCP) {
    p.lo = perp_alloc_zero((size_t)n, sizeof *p.lo);
    p.hi = perp_alloc_zero((size_t)n, sizeof *p.hi);
  }
  if (form == PERP_FORM_FINDEX)
    p.findex = perp_alloc((size_t)n, sizeof *p.findex);
  for (int i = 0; i < n; i++) {
    const int state = perp_random_below(&random, 3); /* inside, at a bound, degenerate */
    const double size = perp_random_between(&random, 0.1, 1);
    const bool friction = form == PERP_FORM_FINDEX && i % 3 != 0;
    if (p.lo) {
      p.lo[i] = 0;
      p.hi[i] = INFINITY;
    }
    if (p.findex)
      p.findex[i] = friction ? i - i % 3 : -1;
    if (form == PERP_FORM_MIXED && i % 3 == 1) {
      p.lo[i] = -INFINITY;
      x[i] = size - 0.5;
    } else if (form == PERP_FORM_BOXED) {
      p.lo[i] = -0.5;
      p.hi[i] = 1.5;
      x[i] = state == 0 ? size : seed % 2 ? p.lo[i] : p.hi[i];
      y[i] = state == 1 ? (seed % 2 ? size : -size) : 0;
    } else if (friction) {
      const double normal = x[p.findex[i]];
      p.lo[i] = -0.5;
      p.hi[i] = 0.5;
      x[i] = state == 0 ? 0.4 * normal : state == 1 ? 0.5 * normal : -0.5 * normal;
      y[i] = state == 1 ? -size : 0;
    } else {
      x[i] = state == 0 ? size : 0;
      y[i] = state == 1 ? size : 0;
    }
  }
  problem_plant(&p, n, a, x, y);
  p.A = problem_dense(n, a);
  perp_free(a);
  perp_free(x);
  perp_free(y);
  return p;
}

/* Converts A to a contact operator: C = c I, Minv = I as one block and J the Cholesky factor of
 * A - c I, which must exist. */
static __attribute__((unused)) void problem_to_contact(perp_instance *p, double c)
{
  const int n = perp_operator_size(p->A);
  const double *a;
  int64_t stride;
  CHECK(perp_operator_dense_array(p->A, &a, &stride) == PERP_OK);
  double *J = perp_alloc((size_t)n * (size_t)n, sizeof *J);
  double *Minv = perp_alloc_zero((size_t)n * (size_t)n, sizeof *Minv);
  double *C = perp_alloc((size_t)n, sizeof *C);
  int64_t *J_start = perp_alloc((size_t)n + 1, sizeof *J_start);
  int64_t *C_start = perp_alloc((size_t)n + 1, sizeof *C_start);
  int *J_column = perp_alloc((size_t)n * (size_t)n, sizeof *J_column);
  int *C_column = perp_alloc((size_t)n, sizeof *C_column);
  J_start[0] = C_start[0] = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = a[i * stride + j] - (i == j ? c : 0);
      for (int k = 0; k < j; k++)
        sum -= J[J_start[i] + k] * J[J_start[j] + k];
      CHECK(i > j || sum > 0);
      J[J_start[i] + j] = i == j ? sqrt(sum) : sum / J[J_start[j] + j];
      J_column[J_start[i] + j] = j;
    }
    J_start[i + 1] = J_start[i] + i + 1;
    C_start[i + 1] = i + 1;
    C_column[i] = i;
    C[i] = c;
    Minv[i * n + i] = 1;
  }
  const perp_contact_data data = {.size = sizeof(perp_contact_data),
                                  .rows = n,
                                  .velocities = n,
                                  .J_start = J_start,
                                  .J_column = J_column,
                                  .J_value = J,
                                  .blocks = 1,
                                  .Minv = Minv,
                                  .C_start = C_start,
                                  .C_column = C_column,
                                  .C_value = C};
  perp_operator *A = NULL;
  CHECK(perp_operator_contact(&data, PERP_COPY, &A, NULL) == PERP_OK);
  perp_operator_destroy(p->A);
  p->A = A;
  perp_free(J);
  perp_free(Minv);
  perp_free(C);
  perp_free(J_start);
  perp_free(C_start);
  perp_free(J_column);
  perp_free(C_column);
}

/* problem_random for a method: as a contact operator if it takes no other. */
static __attribute__((unused)) perp_instance
problem_for(const perp_method_info *m, int n, perp_form form, double margin, uint64_t seed)
{
  perp_instance p = problem_random(n, form, margin, seed);
  if (m->needs & PERP_CAN_VELOCITIES)
    problem_to_contact(&p, margin / 2);
  return p;
}

/* n = 1: y = a x + b. */
static __attribute__((unused)) perp_instance problem_single(double a, double b)
{
  perp_instance p = {0};
  p.A = problem_dense(1, &a);
  p.b = perp_alloc_copy(&b, 1, sizeof b);
  return p;
}

/* A = G^T G of rank n/2 with a feasible right-hand side. */
static __attribute__((unused)) perp_instance problem_singular(int n, uint64_t seed)
{
  perp_random random = perp_random_from(seed);
  perp_instance p = {0};
  const int rank = (n + 1) / 2;
  double *g = perp_alloc((size_t)(rank * n), sizeof *g);
  double *a = perp_alloc_zero((size_t)(n * n), sizeof *a);
  double *x = perp_alloc_zero((size_t)n, sizeof *x), *y = perp_alloc_zero((size_t)n, sizeof *y);
  for (int k = 0; k < rank * n; k++)
    g[k] = perp_random_between(&random, -1, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < rank; k++)
        a[i * n + j] += g[k * n + i] * g[k * n + j];
  for (int i = 0; i < n; i++)
    *(i % 2 ? &x[i] : &y[i]) = perp_random_between(&random, 0.1, 1);
  problem_plant(&p, n, a, x, y);
  p.A = problem_dense(n, a);
  perp_free(g);
  perp_free(a);
  perp_free(x);
  perp_free(y);
  return p;
}

/* Rows 0 and 1 contradict each other: y_0 = x_0 - x_1 - 1, y_1 = x_1 - x_0 - 1; u = (1, 1, 0...) */
static __attribute__((unused)) perp_instance problem_infeasible(int n)
{
  perp_instance p = {0};
  double *a = perp_alloc_zero((size_t)(n * n), sizeof *a);
  p.b = perp_alloc_zero((size_t)n, sizeof *p.b);
  for (int i = 0; i < n; i++)
    a[i * n + i] = 1;
  a[1] = a[n] = -1;
  p.b[0] = p.b[1] = -1;
  p.A = problem_dense(n, a);
  perp_free(a);
  return p;
}
