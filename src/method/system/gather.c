/* gather.c: see gather.h. Rows are computed twice: counted, then stored. */
#include "method/system/gather.h"

#include "base/elementary.h"

#include <math.h>

bool perp_run_allows(const perp_run *run, double bytes)
{
  const size_t limit = run->options->memory_limit;
  return limit == 0 || bytes <= (double)limit;
}

/* The place of column j in a row, whose entry is put in if it is missing; returns the count. */
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

/* One row as it is stored, with entries at the diagonal and in column j >= 0. */
static int take_row(const perp_operator *A, int i, int j, bool lower, int *column, double *value,
                    int *at, int *beside)
{
  int count = A->table->row(A, i, column, value);
  if (j >= 0)
    count = place(j, count, column, value, beside);
  count = place(i, count, column, value, at);
  if (j >= 0)
    count = place(j, count, column, value, beside);
  return lower ? *at + 1 : count;
}

perp_error perp_gather(perp_run *run, bool lower, perp_gathered *g)
{
  return perp_gather_tied(run, lower, NULL, g);
}

perp_error perp_gather_tied(perp_run *run, bool lower, const int *normal, perp_gathered *g)
{
  const perp_operator *A = run->problem->A;
  const size_t n = (size_t)A->n, room = (size_t)perp_operator_row_capacity(A) + 2;
  int *column = perp_run_integers(run, room);
  double *value = perp_run_reals(run, room);
  *g = (perp_gathered){.n = A->n,
                       .start = perp_arena_alloc(run->arena, n + 1, sizeof *g->start),
                       .diagonal = perp_arena_alloc(run->arena, n, sizeof *g->diagonal)};
  if (normal)
    g->beside = perp_arena_alloc(run->arena, n, sizeof *g->beside);
  if (!column || !value || !g->start || !g->diagonal || (normal && !g->beside))
    return perp_run_no_memory(run);
  int at, beside;
  g->start[0] = 0;
  for (int i = 0; i < g->n; i++) {
    if (perp_run_expired_at(run, i))
      return PERP_OK;
    g->start[i + 1] =
        g->start[i] + take_row(A, i, normal ? normal[i] : -1, lower, column, value, &at, &beside);
  }
  const size_t entries = (size_t)g->start[n];
  if (!perp_run_allows(run, (double)entries * (sizeof *g->column + sizeof *g->value)))
    return PERP_OK;
  g->column = perp_run_integers(run, entries);
  g->value = perp_run_reals(run, entries);
  if (!g->column || !g->value)
    return perp_run_no_memory(run);
  for (int i = 0; i < g->n; i++) {
    if (perp_run_expired_at(run, i)) {
      g->column = NULL;
      return PERP_OK;
    }
    const int j = normal ? normal[i] : -1;
    const int count = take_row(A, i, j, lower, column, value, &at, &beside);
    g->diagonal[i] = g->start[i] + at;
    if (normal)
      g->beside[i] = j >= 0 ? g->start[i] + beside : -1;
    for (int k = 0; k < count; k++) {
      g->column[g->start[i] + k] = column[k];
      g->value[g->start[i] + k] = value[k];
    }
  }
  return PERP_OK;
}

bool perp_gathered_is_symmetric(const perp_gathered *g, int64_t *cursor)
{
  double largest = 0, apart = 0;
  for (int i = 0; i < g->n; i++)
    cursor[i] = g->diagonal[i] + 1;
  for (int i = 0; i < g->n; i++)
    for (int64_t e = g->start[i]; e < g->diagonal[i]; e++) {
      const int j = g->column[e];
      /* what row j has before column i was not met in a row above: it has no counterpart */
      for (; cursor[j] < g->start[j + 1] && g->column[cursor[j]] < i; cursor[j]++)
        apart = perp_max(apart, fabs(g->value[cursor[j]]));
      const bool met = cursor[j] < g->start[j + 1] && g->column[cursor[j]] == i;
      const double counterpart = met ? g->value[cursor[j]] : 0;
      cursor[j] += met;
      largest = perp_max(largest, fabs(g->value[e]));
      apart = perp_max(apart, fabs(g->value[e] - counterpart));
    }
  for (int j = 0; j < g->n; j++)
    for (; cursor[j] < g->start[j + 1]; cursor[j]++)
      apart = perp_max(apart, fabs(g->value[cursor[j]]));
  return apart <= 1e-12 * largest;
}
