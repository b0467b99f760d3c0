/* dense.c: see dense.h. m^3/3 flops for L L^T, 2 m^3/3 for L U. */
#include "method/system/dense.h"

#include "base/elementary.h"
#include "linalg/vector.h"

#include <float.h>

perp_error perp_square_open(perp_square *s, perp_run *run)
{
  const size_t n = (size_t)run->problem->K.n;
  *s = (perp_square){.n = (int)n};
  const bool there = PERP_TAKE_INTEGERS(run->arena, n, &s->pivots, &s->position) &&
                     PERP_TAKE_REALS(run->arena, n, &s->e, &s->rows, &s->columns);
  return there ? PERP_OK : perp_run_no_memory(run);
}

/* matrix <- A_FF + diag(d_F) */
static void fill_matrix(perp_square *s, const perp_operator *A, const perp_gathered *g,
                        const int *F, const double *d)
{
  const int m = s->m;
  const double *a;
  int64_t stride;
  if (perp_operator_dense_array(A, &a, &stride) == PERP_OK) {
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++)
        s->matrix[(int64_t)i * m + j] = a[F[i] * stride + F[j]];
  } else {
    perp_fill((int64_t)m * m, 0, s->matrix);
    for (int i = 0; i < s->n; i++)
      s->position[i] = -1;
    for (int i = 0; i < m; i++)
      s->position[F[i]] = i;
    for (int i = 0; i < m; i++)
      for (int64_t e = g->start[F[i]]; e < g->start[F[i] + 1]; e++)
        if (s->position[g->column[e]] >= 0)
          s->matrix[(int64_t)i * m + s->position[g->column[e]]] = g->value[e];
  }
  for (int i = 0; d && i < m; i++)
    s->matrix[(int64_t)i * m + i] += d[F[i]];
}

/* A power of two near 1 / a, exact to multiply with; 1 if a is none to divide by. */
static double inverse_power(double a)
{
  return a > DBL_MIN && a < INFINITY ? ldexp(1, -ilogb(a)) : 1;
}

/* Rows and columns of very different sizes, and a diagonal d of many decades, would make a regular
 * matrix look singular: all are brought to order one, symmetric ones by their diagonal. */
static void equilibrate(perp_square *s)
{
  const int m = s->m;
  double *a = s->matrix;
  for (int i = 0; i < m; i++) {
    double most = 0;
    for (int j = 0; j < m && !s->symmetric; j++)
      most = perp_max(most, fabs(a[(int64_t)i * m + j]));
    s->rows[i] = inverse_power(s->symmetric ? sqrt(fabs(a[(int64_t)i * m + i])) : most);
    s->columns[i] = s->symmetric ? s->rows[i] : 0;
  }
  for (int i = 0; i < m && !s->symmetric; i++)
    for (int j = 0; j < m; j++)
      s->columns[j] = perp_max(s->columns[j], fabs(s->rows[i] * a[(int64_t)i * m + j]));
  for (int j = 0; j < m && !s->symmetric; j++)
    s->columns[j] = inverse_power(s->columns[j]);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      a[(int64_t)i * m + j] *= s->rows[i] * s->columns[j];
}

bool perp_square_factor(perp_square *s, const perp_operator *A, const perp_gathered *entries, int m,
                        const int *F, const double *d, bool definite)
{
  s->m = m;
  s->kind = PERP_SQUARE_NONE;
  fill_matrix(s, A, entries, F, d);
  equilibrate(s);
  if (!s->symmetric) {
    s->lu = perp_lu_factor(m, s->matrix, m, s->pivots);
    if (s->lu.singular < 0 && s->lu.pivot_min > DBL_EPSILON * s->lu.pivot_max)
      s->kind = PERP_SQUARE_LU;
    return s->kind == PERP_SQUARE_LU;
  }
  double largest = 0;
  for (int i = 0; i < m; i++)
    largest = perp_max(largest, s->matrix[(int64_t)i * m + i]);
  if (perp_cholesky(m, s->matrix, m, m * DBL_EPSILON * largest) == m) {
    s->kind = PERP_SQUARE_CHOLESKY;
    return true;
  }
  if (definite)
    return false;
  fill_matrix(s, A, entries, F, d);
  equilibrate(s);
  s->kind = PERP_SQUARE_LDLT;
  s->ldlt = perp_ldlt_factor(m, s->matrix, m, -1, s->e, s->pivots, s->work);
  return s->ldlt.rank == m;
}

void perp_square_solve(perp_square *s, double *c)
{
  for (int k = 0; k < s->m; k++)
    c[k] *= s->rows[k];
  if (s->kind == PERP_SQUARE_CHOLESKY)
    perp_cholesky_solve(s->m, s->matrix, s->m, c);
  else if (s->kind == PERP_SQUARE_LDLT)
    perp_ldlt_solve(&s->ldlt, c, s->work);
  else
    perp_lu_solve(&s->lu, c);
  for (int k = 0; k < s->m; k++)
    c[k] *= s->columns[k];
}
