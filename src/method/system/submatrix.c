/* submatrix.c: factors of principal submatrices. m^3/3 flops for L L^T,
 * 2 m^3/3 for L U; n^2 numbers if dense. */
#include "method/system/submatrix.h"

#include "base/elementary.h"
#include "linalg/vector.h"

/* B <- M_FF, m x m. position: n numbers of scratch. */
static void take_principal(const perp_sparse *M, int m, const int *F, int *position, double *B)
{
  perp_fill_integers(M->n, -1, position);
  for (int k = 0; k < m; k++)
    position[F[k]] = k;
  perp_fill((int64_t)m * m, 0, B);
  for (int k = 0; k < m; k++)
    for (int64_t e = M->start[F[k]]; e < M->start[F[k] + 1]; e++)
      if (position[M->column[e]] >= 0)
        B[(int64_t)k * m + position[M->column[e]]] = M->value[e];
}

/* ---- Dense ---- */

perp_error perp_square_open(perp_square *s, perp_run *run)
{
  const size_t n = (size_t)run->problem->K.n;
  *s = (perp_square){.n = (int)n};
  const bool there = PERP_TAKE_INTEGERS(run->arena, n, &s->pivots, &s->position) &&
                     PERP_TAKE_REALS(run->arena, n, &s->rows, &s->columns);
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
    const perp_sparse M = {.n = g->n, .start = g->start, .column = g->column, .value = g->value};
    take_principal(&M, m, F, s->position, s->matrix);
  }
  for (int i = 0; d && i < m; i++)
    s->matrix[(int64_t)i * m + i] += d[F[i]];
}

/* Scales rows and columns to order one, symmetric matrices by their diagonal: very different sizes,
 * or a d of many decades, would make a regular matrix look singular. */
static void equilibrate(perp_square *s)
{
  const int m = s->m;
  double *a = s->matrix;
  for (int i = 0; i < m; i++) {
    const double *row = a + (int64_t)i * m;
    s->rows[i] = perp_inverse_power(s->symmetric ? sqrt(fabs(row[i])) : perp_norm_inf(m, row));
    s->columns[i] = s->symmetric ? s->rows[i] : 0;
  }
  for (int i = 0; i < m && !s->symmetric; i++)
    for (int j = 0; j < m; j++) {
      const double entry = s->rows[i] * fabs(a[(int64_t)i * m + j]);
      s->columns[j] = entry > s->columns[j] ? entry : s->columns[j];
    }
  for (int j = 0; j < m && !s->symmetric; j++)
    s->columns[j] = perp_inverse_power(s->columns[j]);
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
  s->kind = PERP_SQUARE_COMPLETE;
  for (int k = 0; k < m; k++)
    s->pivots[k] = s->position[k] = k;
  const double least = m * DBL_EPSILON * perp_norm_inf((int64_t)m * m, s->matrix);
  s->complete =
      perp_complete_lu_factor(m, s->matrix, m, least, s->pivots, s->position, (perp_alarm){0});
  return s->complete.rank == m;
}

void perp_square_solve(perp_square *s, bool transposed, double *c)
{
  const double *before = transposed ? s->columns : s->rows;
  const double *after = transposed ? s->rows : s->columns;
  for (int k = 0; k < s->m; k++)
    c[k] *= before[k];
  if (s->kind == PERP_SQUARE_CHOLESKY)
    perp_cholesky_solve(s->m, s->matrix, s->m, c);
  else if (s->kind == PERP_SQUARE_COMPLETE)
    perp_complete_lu_solve(&s->complete, c, s->work);
  else
    (transposed ? perp_lu_solve_t : perp_lu_solve)(&s->lu, c);
  for (int k = 0; k < s->m; k++)
    c[k] *= after[k];
}

/* ---- L U by rows ---- */

perp_error perp_rows_lu_open(perp_rows_lu *s, perp_run *run, const perp_sparse *M, int dense_most,
                             bool refined)
{
  const size_t n = (size_t)M->n;
  *s = (perp_rows_lu){.run = run, .M = *M};
  s->umfpack = perp_sparse_umfpack();
  if (M->n > dense_most && s->umfpack) {
    s->sparse = s->umfpack->open(M, refined, run->arena);
    return s->sparse ? PERP_OK : perp_run_no_memory(run);
  }
  if (M->n > dense_most)
    perp_run_misses(run, "UMFPACK", "using dense factors");
  enum { DENSE_MOST = 2500 }; /* a larger factor takes seconds */
  if (M->n > DENSE_MOST)
    return perp_run_fail(
        run, PERP_ERROR_UNSUPPORTED,
        "without UMFPACK factors are limited to %d rows, and this one has %d; install UMFPACK",
        DENSE_MOST, M->n);
  if (!perp_run_allows(run, (double)n * (double)n * sizeof *s->matrix))
    return perp_run_fail(run, PERP_ERROR_MEMORY, "a factor of %d rows needs more than memory_limit",
                         M->n);
  s->matrix = perp_run_reals(run, n * n);
  s->swap = perp_run_integers(run, n);
  return s->matrix && s->swap ? PERP_OK : perp_run_no_memory(run);
}

void perp_rows_lu_close(perp_rows_lu *s)
{
  if (s->sparse)
    s->umfpack->forget(s->sparse);
}

void perp_rows_lu_reopen(perp_rows_lu *s, perp_run *run)
{
  s->run = run;
  s->too_long = false;
  perp_rows_lu_close(s); /* its factor is computed again */
}

static bool factor_dense(perp_rows_lu *s, const double *d)
{
  const int m = s->m;
  take_principal(&s->M, m, s->F, s->swap, s->matrix);
  for (int k = 0; d && k < m; k++)
    s->matrix[(int64_t)k * m + k] += d[s->F[k]];
  s->dense = perp_lu_factor(m, s->matrix, m, s->swap);
  return s->dense.singular < 0;
}

bool perp_rows_lu_set(perp_rows_lu *s, int m, const int *F, const double *d)
{
  s->m = m;
  s->F = F;
  s->run->count.factorisations++;
  const double most = perp_run_flops(s->run);
  double flops = 2.0 / 3 * (double)m * m * m;
  const bool done = s->sparse && s->umfpack->factor(s->sparse, m, F, d, most, &flops);
  s->too_long = !done && flops > most;
  return done || (!s->sparse && !s->too_long && factor_dense(s, d));
}

bool perp_rows_lu_solve(perp_rows_lu *s, double *x)
{
  s->run->count.solves++;
  if (s->sparse)
    return s->umfpack->solve(s->sparse, x);
  perp_lu_solve(&s->dense, x);
  return true;
}
