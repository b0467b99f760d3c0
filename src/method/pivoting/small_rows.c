/* small_rows.c: reads a few rows of any operator */
#include "method/pivoting/small_pivots.h"
#include "method/run/factor_cache.h"

/* Returns true if each pair differs by about epsilon relative to its two rows. A product J Minv J^T
 * summed entry by entry is not symmetric to the last bit, and using one of the two for both changes
 * A by as much as its rounding. */
static bool is_symmetric(int n, const double *a)
{
  static const double NEGLIGIBLE = 1e-15; /* A_ij - A_ji relative to sqrt(A_ii A_jj) */
  bool symmetric = true;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      const double difference = a[i * n + j] - a[j * n + i], weight = a[i * n + i] * a[j * n + j];
      symmetric &= difference == 0 || difference * difference <= NEGLIGIBLE * NEGLIGIBLE * weight;
    }
  return symmetric;
}

/* Reads n^2 numbers into the arena. Returns NULL if out of memory. */
static perp_dense_rows *read_rows(const perp_operator *A, perp_arena *arena)
{
  const int n = A->n;
  perp_dense_rows *rows = perp_arena_alloc(arena, 1, sizeof *rows);
  double *a = perp_arena_alloc_zero(arena, (size_t)n * (size_t)n, sizeof *a);
  if (!rows || !a || !perp_operator_fill_dense(A, arena, (perp_alarm){0}, a, n))
    return NULL;
  *rows = (perp_dense_rows){a, n, is_symmetric(n, a)};
  return rows;
}

bool perp_small_open_rows(perp_run *run, perp_dense_rows *rows)
{
  static const char maker;
  const perp_operator *A = run->problem->A;
  rows->symmetric = A->symmetric;
  if (perp_operator_dense_array(A, &rows->a, &rows->stride) == PERP_OK)
    return true;
  const size_t limit = run->options->memory_limit, n = (size_t)A->n;
  if (!A->table->row || (limit > 0 && n * n * sizeof(double) > limit))
    return false;
  perp_kept *kept = perp_run_kept(run, &maker);
  perp_dense_rows *state = kept && perp_kept_holds(kept, run) ? kept->state : NULL;
  if (!state) {
    if (kept)
      perp_kept_clear(kept);
    state = read_rows(A, kept ? &kept->arena : run->arena);
    if (kept)
      kept->state = state;
  }
  perp_kept_done(kept, run);
  if (state)
    *rows = *state;
  return state != NULL;
}
