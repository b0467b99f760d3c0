/* interior/system.c: see system.h. Near the end the shift spans many orders of magnitude; where a
 * Cholesky factor fails for it (A singular, rounding), the diagonal is raised by 1e-12, 1e-10, ...
 * of the largest entry of the diagonal of A, and solutions are refined against the matrix itself.
 * Workspace: 3 n beside the factors. */
#include "method/interior/system.h"

#include "linalg/vector.h"

#include <math.h>
#include <string.h>

/* Whether A is sparse, not symmetric, and worth a sparse LU. */
static perp_error open_lu(perp_interior *s)
{
  enum { DENSE_IS_FASTER = 200 };
  perp_run *run = s->run;
  const perp_operator *A = run->problem->A;
  if (!perp_sparse_lu_available() || s->n <= DENSE_IS_FASTER || !A->table->has_rows ||
      strcmp(A->table->kind, "dense") == 0 || perp_reduced_is_symmetric(s->reduced))
    return PERP_OK;
  perp_gathered g;
  const perp_error error = perp_gather(run, false, &g);
  if (error || !g.column)
    return error;
  const perp_sparse rows = {.n = s->n, .start = g.start, .column = g.column, .value = g.value};
  s->lu = perp_sparse_lu_open(&rows, run->arena);
  return s->lu ? PERP_OK : perp_run_no_memory(run);
}

perp_error perp_interior_open(perp_interior *s, perp_run *run, perp_reduced_solver solver)
{
  const perp_operator *A = run->problem->A;
  const size_t n = (size_t)A->n;
  *s = (perp_interior){.run = run,
                       .n = A->n,
                       .raised = perp_run_reals(run, n),
                       .t = perp_run_reals(run, n),
                       .q = perp_run_reals(run, n)};
  if (!s->raised || !s->t || !s->q)
    return perp_run_no_memory(run);
  s->size = 1;
  if (perp_operator_diagonal(A, s->t) == PERP_OK && perp_norm_inf(s->n, s->t) > 0)
    s->size = perp_norm_inf(s->n, s->t);
  enum { DIRECT_LIMIT = 100000 };
  if (solver == PERP_REDUCED_AUTO && A->table->row && A->n <= DIRECT_LIMIT)
    solver = PERP_REDUCED_DIRECT;
  const perp_error error = perp_reduced_open(run, solver, PERP_PRECONDITION_AUTO, &s->reduced);
  return error || solver > PERP_REDUCED_DIRECT ? error : open_lu(s);
}

void perp_interior_close(perp_interior *s)
{
  perp_reduced_close(s->reduced);
  perp_sparse_lu_free(s->lu);
}

bool perp_interior_set(perp_interior *s, int m, const int *F, const double *d)
{
  s->m = m;
  s->F = F;
  s->d = d;
  s->by_lu = false;
  if (s->lu) {
    s->run->count.factorisations++;
    s->by_lu = perp_sparse_lu_factor(s->lu, m, F, d, perp_run_flops(s->run));
  }
  if (s->by_lu || perp_reduced_set_definite(s->reduced, m, F, d))
    return true;
  for (double more = 1e-12; more < 1e-5; more *= 100) {
    for (int k = 0; k < m; k++)
      s->raised[F[k]] = d[F[k]] + more * s->size;
    if (perp_reduced_set_definite(s->reduced, m, F, s->raised))
      return true;
  }
  return perp_reduced_set(s->reduced, m, F, d);
}

/* q <- r - (A_FF + d_F) z, in F; its norm. */
static double residual(perp_interior *s, const double *r, const double *z)
{
  perp_run_apply(s->run, z, s->q);
  double sum = 0;
  for (int i = 0; i < s->n; i++)
    s->t[i] = 0;
  for (int k = 0; k < s->m; k++) {
    const int i = s->F[k];
    s->t[i] = r[i] - s->q[i] - s->d[i] * z[i];
    sum += s->t[i] * s->t[i];
  }
  perp_copy(s->n, s->t, s->q);
  return sqrt(sum);
}

/* z <- z + M^-1 r, M what was factored. */
static bool add(perp_interior *s, const double *r, double *z)
{
  if (s->by_lu) {
    for (int k = 0; k < s->m; k++)
      s->t[k] = r[s->F[k]];
    s->run->count.solves++;
    if (!perp_sparse_lu_solve(s->lu, s->t))
      return false;
    for (int k = 0; k < s->m; k++)
      z[s->F[k]] += s->t[k];
    return true;
  }
  if (!isfinite(perp_reduced_solve(s->reduced, r, 1e-10, s->t)))
    return false;
  perp_axpy(s->n, 1, s->t, z);
  return true;
}

bool perp_interior_solve(perp_interior *s, const double *r, double *z)
{
  enum { REFINEMENTS = 2 };
  double whole = 0;
  for (int k = 0; k < s->m; k++)
    whole += r[s->F[k]] * r[s->F[k]];
  whole = sqrt(whole);
  perp_fill(s->n, 0, z);
  if (!add(s, r, z))
    return false;
  double before = residual(s, r, z);
  for (int k = 0; k < REFINEMENTS && before > 1e-12 * whole; k++) {
    if (!add(s, s->q, z))
      return false;
    const double now = residual(s, r, z);
    if (!(now < 0.5 * before))
      break;
    before = now;
  }
  return perp_all_finite(s->n, z);
}
