/* lu.c: see lu.h. Dense: 2 m^3 / 3 flops, n^2 numbers. */
#include "method/system/lu.h"

#include "linalg/vector.h"
#include "method/system/gather.h"

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
    perp_run_misses(run, "UMFPACK", "factors are dense");
  enum { DENSE_MOST = 2500 }; /* a factor of more takes seconds, and a solve takes dozens */
  if (M->n > DENSE_MOST)
    return perp_run_fail(
        run, PERP_ERROR_UNSUPPORTED,
        "without UMFPACK there is no factor of more than %d rows, but %d are needed", DENSE_MOST,
        M->n);
  if (!perp_run_allows(run, (double)n * (double)n * sizeof *s->matrix))
    return perp_run_fail(run, PERP_ERROR_MEMORY, "a factor of %d rows takes more than the limit",
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
  perp_rows_lu_close(s); /* whose factor is computed again */
}

static bool factor_dense(perp_rows_lu *s, const double *d)
{
  const int m = s->m, *F = s->F;
  int *position = s->swap;
  for (int i = 0; i < s->M.n; i++)
    position[i] = -1;
  for (int k = 0; k < m; k++)
    position[F[k]] = k;
  perp_fill((int64_t)m * m, 0, s->matrix);
  for (int k = 0; k < m; k++) {
    double *row = s->matrix + (int64_t)k * m;
    for (int64_t e = s->M.start[F[k]]; e < s->M.start[F[k] + 1]; e++)
      if (position[s->M.column[e]] >= 0)
        row[position[s->M.column[e]]] = s->M.value[e];
    if (d)
      row[k] += d[F[k]];
  }
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
