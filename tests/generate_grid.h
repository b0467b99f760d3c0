/* generate_grid.h: generated problems on grids, assembled, solved and examined plainly */
#pragma once

#include "generated.h"
#include "linalg/eigen.h"
#include <perp/lab.h>
#include <perp/perp.h>

/* Compressed rows of a generated problem. */
typedef struct sparse {
  int n;
  perp_operator *csr;
  const int64_t *start;
  const int *column;
  const double *value;
} sparse;

static sparse assemble(const perp_operator *A)
{
  sparse s = {.n = perp_operator_size(A)};
  CHECK(perp_operator_to_csr(A, 0, &s.csr, NULL) == PERP_OK);
  CHECK(perp_operator_csr_arrays(s.csr, &s.start, &s.column, &s.value) == PERP_OK);
  return s;
}

static double entry(const sparse *s, int i, int j)
{
  for (int64_t k = s->start[i]; k < s->start[i + 1]; k++)
    if (s->column[k] == j)
      return s->value[k];
  return 0;
}

static double *reals(int n)
{
  double *a = calloc((size_t)n + 1, sizeof *a);
  CHECK(a != NULL);
  return a;
}

/* x <- a solution to 1e-13 of the greatest change in a sweep, from the x given. */
static void psor(const perp_instance *p, double omega, double *x)
{
  const sparse s = assemble(p->A);
  double change = 1, size = 1;
  for (int sweep = 0; sweep < 40000 && change > 1e-13 * size; sweep++) {
    change = 0;
    for (int i = 0; i < s.n; i++) {
      double y = p->b[i], d = 0;
      for (int64_t k = s.start[i]; k < s.start[i + 1]; k++) {
        y += s.value[k] * x[s.column[k]];
        if (s.column[k] == i)
          d = s.value[k];
      }
      const double lo = p->lo ? p->lo[i] : 0, hi = p->hi ? p->hi[i] : INFINITY;
      const double z = fmin(fmax(x[i] - omega * y / d, lo), hi);
      change = fmax(change, fabs(z - x[i]));
      size = fmax(size, fabs(z));
      x[i] = z;
    }
  }
  CHECK_SAY(change <= 1e-12 * size, "PSOR stopped at a change of %g", change);
  perp_operator_destroy(s.csr);
}

/* natural residual over scale */
static double residual(const perp_instance *p, const double *x)
{
  const perp_problem problem = perp_instance_problem(p);
  double *y = reals(perp_operator_size(p->A));
  CHECK(perp_operator_apply(p->A, x, y, NULL, NULL) == PERP_OK);
  for (int i = 0; i < perp_operator_size(p->A); i++)
    y[i] += p->b[i];
  const double r = perp_problem_residual(&problem, x, y) / perp_problem_scale(&problem);
  free(y);
  return r;
}

static double *dense(const perp_operator *A)
{
  perp_operator *full;
  const double *a;
  int64_t stride;
  const size_t n = (size_t)perp_operator_size(A);
  double *copy = reals((int)(n * n));
  CHECK(perp_operator_to_dense(A, 0, &full, NULL) == PERP_OK);
  CHECK(perp_operator_dense_array(full, &a, &stride) == PERP_OK);
  for (size_t i = 0; i < n; i++)
    memcpy(copy + i * n, a + (int64_t)i * stride, n * sizeof *copy);
  perp_operator_destroy(full);
  return copy;
}

/* Least and greatest eigenvalue of the symmetric part. */
static void spectrum(const perp_operator *A, double *least, double *most)
{
  const int n = perp_operator_size(A);
  double *a = dense(A), *w = reals(4 * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      a[i * n + j] = a[j * n + i] = 0.5 * (a[i * n + j] + a[j * n + i]);
  CHECK(perp_eigen_symmetric(n, a, n, w, NULL, w + n));
  *least = w[0];
  *most = w[n - 1];
  free(a);
  free(w);
}

/* Checks the signs of a Z-matrix, dominance of rows, and symmetry on request. */
static void check_m_matrix(const char *text, const perp_operator *A, bool symmetric, double margin)
{
  const sparse s = assemble(A);
  for (int i = 0; i < s.n; i++) {
    double sum = 0, size = 0;
    for (int64_t k = s.start[i]; k < s.start[i + 1]; k++) {
      const int j = s.column[k];
      CHECK_SAY(i == j ? s.value[k] > 0 : s.value[k] <= 0, "%s: A(%d, %d) = %g", text, i, j,
                s.value[k]);
      if (symmetric)
        CHECK_SAY(s.value[k] == entry(&s, j, i), "%s: A(%d, %d)", text, i, j);
      sum += s.value[k];
      size = fmax(size, fabs(s.value[k]));
    }
    CHECK_SAY(sum >= margin - 1e-12 * size, "%s: row %d sums to %g", text, i, sum);
  }
  perp_operator_destroy(s.csr);
}
