/* few.c: see few.h
 *
 * For a dozen rows to read a sparse matrix takes longer than to solve with it, so a solver that is
 * asked again for the same matrix does not read it again. */
#include "method/pivoting/few.h"

#include "linalg/vector.h"
#include "method/run/factor_cache.h"

static const double NEGLIGIBLE = 1e-15; /* differences of A_ij and A_ji, of sqrt(A_ii A_jj) */

/* Up to rounding: each pair differs by an epsilon or so of what its two rows weigh. A product
 * J Minv J^T that is summed up entry by entry is not symmetric to the last bit, and to take one of
 * the two for both is a change of A by as much as its own rounding. */
static bool is_symmetric(int n, const double *a)
{
  bool symmetric = true;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      const double difference = a[i * n + j] - a[j * n + i], weight = a[i * n + i] * a[j * n + j];
      symmetric &= difference == 0 || difference * difference <= NEGLIGIBLE * NEGLIGIBLE * weight;
    }
  return symmetric;
}

/* n^2 numbers, and room for one row, from the arena. NULL: no memory. */
static perp_few *read_rows(const perp_operator *A, perp_arena *arena)
{
  const int n = A->n;
  const size_t capacity = (size_t)perp_operator_row_capacity(A);
  perp_few *few = perp_arena_alloc(arena, 1, sizeof *few);
  double *a = perp_arena_alloc_zero(arena, (size_t)n * (size_t)n, sizeof *a);
  double *value = perp_arena_alloc(arena, capacity, sizeof *value);
  int *column = perp_arena_alloc(arena, capacity, sizeof *column);
  if (!few || !a || !value || !column)
    return NULL;
  for (int i = 0; i < n; i++)
    for (int k = A->table->row(A, i, column, value) - 1; k >= 0; k--)
      a[i * n + column[k]] = value[k];
  *few = (perp_few){a, n, is_symmetric(n, a)};
  return few;
}

bool perp_few_open(perp_run *run, perp_few *few)
{
  static const char maker;
  const perp_operator *A = run->problem->A;
  few->symmetric = A->symmetric;
  if (perp_operator_dense_array(A, &few->a, &few->stride) == PERP_OK)
    return true;
  const size_t limit = run->options->memory_limit, n = (size_t)A->n;
  if (!A->table->row || (limit > 0 && n * n * sizeof(double) > limit))
    return false;
  perp_kept *kept = perp_run_kept(run, &maker);
  perp_few *state = kept && perp_kept_holds(kept, run) ? kept->state : NULL;
  if (!state) {
    if (kept)
      perp_kept_clear(kept);
    state = read_rows(A, kept ? &kept->arena : run->arena);
    if (kept)
      kept->state = state;
  }
  perp_kept_done(kept, run);
  if (state)
    *few = *state;
  return state != NULL;
}
