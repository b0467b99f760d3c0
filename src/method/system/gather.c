/* gather.c: reads the entries of A and tests its properties. Gathered rows are computed twice:
 * counted, then stored. */
#include "method/system/gather.h"

#include "base/elementary.h"
#include "base/random.h"
#include "linalg/sparse_factor.h"
#include "linalg/vector.h"

#include <string.h>

bool perp_run_allows(const perp_run *run, double bytes)
{
  const size_t limit = run->options->memory_limit;
  return limit == 0 || bytes <= (double)limit;
}

/* Finds the place of column j in a row and inserts a missing entry. Returns the count. */
static int place(int j, int count, int *column, double *value, int *at)
{
  int k = 0;
  while (k < count && column[k] < j)
    k++;
  *at = k;
  if (k < count && column[k] == j)
    return count;
  for (int e = count; e > k; e--) {
    column[e] = column[e - 1];
    value[e] = value[e - 1];
  }
  column[k] = j;
  value[k] = 0;
  return count + 1;
}

/* Reads one row, with an entry at the diagonal. */
static int take_row(const perp_operator *A, int i, int *column, double *value, int *at)
{
  return place(i, A->table->row(A, i, column, value), column, value, at);
}

perp_error perp_gather(perp_run *run, perp_gathered *g)
{
  const perp_operator *A = run->problem->A;
  const size_t n = (size_t)A->n, room = (size_t)perp_operator_row_capacity(A) + 1;
  int *column;
  double *value;
  *g = (perp_gathered){.n = A->n};
  if (!PERP_TAKE(run->arena, PERP_ARRAY(column, room), PERP_ARRAY(value, room),
                 PERP_ARRAY(g->start, n + 1), PERP_ARRAY(g->diagonal, n)))
    return perp_run_no_memory(run);
  int at;
  g->start[0] = 0;
  for (int i = 0; i < g->n; i++) {
    if (perp_run_expired_at(run, i))
      return PERP_OK;
    g->start[i + 1] = g->start[i] + take_row(A, i, column, value, &at);
  }
  const size_t entries = (size_t)g->start[n];
  if (!perp_run_allows(run, (double)entries * (sizeof *g->column + sizeof *g->value)))
    return PERP_OK;
  if (!PERP_TAKE(run->arena, PERP_ARRAY(g->column, entries), PERP_ARRAY(g->value, entries)))
    return perp_run_no_memory(run);
  for (int i = 0; i < g->n; i++) {
    if (perp_run_expired_at(run, i)) {
      g->column = NULL;
      return PERP_OK;
    }
    const int count = take_row(A, i, column, value, &at);
    if (count != g->start[i + 1] - g->start[i])
      return perp_run_fail(
          run, PERP_ERROR_CALLBACK,
          "row %d of A: the first call of the row callback gave %lld entries, the second %d", i,
          (long long)(g->start[i + 1] - g->start[i]), count);
    g->diagonal[i] = g->start[i] + at;
    for (int k = 0; k < count; k++) {
      g->column[g->start[i] + k] = column[k];
      g->value[g->start[i] + k] = value[k];
    }
  }
  return PERP_OK;
}

bool perp_gather_again(perp_run *run, perp_gathered *g)
{
  perp_gathered now;
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  const bool same = run->problem->A->n == g->n && perp_gather(run, &now) == PERP_OK && now.column &&
                    memcmp(now.start, g->start, ((size_t)g->n + 1) * sizeof *g->start) == 0 &&
                    memcmp(now.column, g->column, (size_t)g->start[g->n] * sizeof *g->column) == 0;
  if (same)
    perp_copy(g->start[g->n], now.value, g->value);
  perp_arena_release(run->arena, mark);
  return same;
}

perp_error perp_run_diagonal(perp_run *run, double *d)
{
  const char *method = perp_run_method(run);
  const perp_error error = perp_operator_diagonal(run->problem->A, d, NULL);
  if (error)
    return perp_run_fail(run, error, "%s needs the diagonal of A, and this operator cannot give it",
                         method);
  for (int i = 0; i < run->problem->K.n; i++)
    if (!(d[i] > 0 && d[i] < INFINITY))
      return perp_run_fail(run, PERP_ERROR_UNSUPPORTED,
                           "%s needs a positive diagonal, but A(%d,%d) = %g", method, i, i, d[i]);
  return PERP_OK;
}

bool perp_has_positive_diagonal(const perp_operator *A, double *d)
{
  if (perp_operator_diagonal(A, d, NULL) != PERP_OK)
    return false;
  for (int i = 0; i < A->n; i++)
    if (!(d[i] > 0 && d[i] < INFINITY))
      return false;
  return true;
}

bool perp_product_is_symmetric(perp_run *run, double *u, double *v, double *t)
{
  bool symmetric;
  perp_operator_try_symmetry(run->problem->A, &run->work, u, v, t, &symmetric, NULL);
  return symmetric;
}

/* Power iterations with D^-1 A. */
double perp_largest_eigenvalue(perp_run *run, const double *D, int steps, double *w, double *z)
{
  const int n = run->problem->K.n;
  perp_random random = perp_random_from(run->options->seed + 1);
  for (int i = 0; i < n; i++)
    w[i] = run->ranks ? run->ranks->direction[i] : perp_random_between(&random, -1, 1);
  double lambda = 0;
  for (int k = 0; k < steps && !perp_run_expired(run); k++) {
    perp_run_apply(run, w, z);
    double sums[2] = {0, 0}; /* |w|_D^2 and |D^-1 A w|_D^2 */
    for (int i = 0; i < n; i++) {
      sums[0] += D[i] * w[i] * w[i];
      z[i] /= D[i];
      sums[1] += D[i] * z[i] * z[i];
    }
    perp_run_sum(run, 2, sums);
    const double before = sums[0], after = sums[1];
    if (!(after > 0) || !(before > 0) || isinf(after))
      break;
    lambda = perp_max(lambda, sqrt(after / before));
    const double scale = 1 / sqrt(after);
    for (int i = 0; i < n; i++)
      w[i] = z[i] * scale;
  }
  return lambda > 0 ? lambda : 1;
}

double perp_start_choose(perp_run *run, double *x, double *y, double *other)
{
  const perp_problem *p = run->problem;
  const int n = p->K.n;
  double *other_y = other + n;
  perp_set_project(&p->K, x, x);
  perp_run_gradient(run, x, y);
  const double residual = perp_problem_residual(p, x, y);
  if (residual <= run->target)
    return residual;
  perp_fill(n, 0, other);
  perp_set_project(&p->K, other, other);
  if (perp_all_zero(n, other))
    perp_copy(n, p->b, other_y);
  else
    perp_run_gradient(run, other, other_y);
  const double without = perp_problem_residual(p, other, other_y);
  if (residual <= without)
    return residual;
  perp_copy(n, other, x);
  perp_copy(n, other_y, y);
  return without;
}

perp_sparse_factor *perp_run_analyse(perp_run *run, const perp_sparse *A)
{
  if (run->options->logger && !perp_sparse_cholmod())
    perp_run_misses(run, "CHOLMOD", "using the built-in sparse factorisation, which is slower");
  return perp_sparse_analyse(A, run->arena, run->options->memory_limit);
}
