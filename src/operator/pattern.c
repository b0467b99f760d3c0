#include "operator/pattern.h"

#include <inttypes.h>

perp_error perp_pattern_check(int n, const int64_t *start, const int *column, const char *line,
                              perp_message *why)
{
  if (start[0] != 0)
    return perp_fail(why, PERP_ERROR_PROBLEM, "A: %s 0 starts at entry %" PRId64 ", not at 0", line,
                     start[0]);
  for (int i = 0; i < n; i++) {
    if (start[i + 1] < start[i])
      return perp_fail(why, PERP_ERROR_PROBLEM,
                       "A: %s %d starts at entry %" PRId64 " and ends before %" PRId64, line, i,
                       start[i], start[i + 1]);
    if (start[i + 1] - start[i] > n)
      return perp_fail(why, PERP_ERROR_PROBLEM,
                       "A: %s %d has %" PRId64 " entries, but there are %d columns", line, i,
                       start[i + 1] - start[i], n);
    if (start[i + 1] > start[i] && !column)
      return perp_fail(why, PERP_ERROR_ARGUMENT, "A: %s %d has entries, but column is NULL", line,
                       i);
    for (int64_t k = start[i]; k < start[i + 1]; k++) {
      if (column[k] < 0 || column[k] >= n)
        return perp_fail(why, PERP_ERROR_PROBLEM, "A: %s %d has column %d outside 0 .. %d", line, i,
                         column[k], n - 1);
      if (k > start[i] && column[k] == column[k - 1])
        return perp_fail(why, PERP_ERROR_PROBLEM, "A: %s %d has column %d twice", line, i,
                         column[k]);
      if (k > start[i] && column[k] < column[k - 1])
        return perp_fail(why, PERP_ERROR_PROBLEM, "A: %s %d has column %d after column %d", line, i,
                         column[k], column[k - 1]);
    }
  }
  return PERP_OK;
}

/* Row by row, the entries (i, j) of one column j come with ascending i; if row j lists the same
 * indices for every j, the structure is symmetric. `cursor` has n entries. */
static bool structure_is_symmetric(const perp_pattern *p, int64_t *cursor)
{
  for (int i = 0; i < p->n; i++)
    cursor[i] = p->start[i];
  for (int i = 0; i < p->n; i++)
    for (int64_t k = p->start[i]; k < p->start[i + 1]; k++) {
      const int j = p->column[k];
      if (cursor[j] == p->start[j + 1] || p->column[cursor[j]] != i)
        return false;
      cursor[j]++;
    }
  return true;
}

/* t_start[j] is first the count of column j-1, then its sum, then the cursor of column j-1. */
static void transpose(const perp_pattern *p, int64_t *t_start, int64_t *t_entry, int *t_row)
{
  const int n = p->n;
  for (int j = 0; j <= n + 1; j++)
    t_start[j] = 0;
  for (int64_t k = 0; k < p->start[n]; k++)
    t_start[p->column[k] + 2]++;
  for (int j = 2; j <= n + 1; j++)
    t_start[j] += t_start[j - 1];
  for (int i = 0; i < n; i++)
    for (int64_t k = p->start[i]; k < p->start[i + 1]; k++) {
      const int64_t t = t_start[p->column[k] + 1]++;
      t_entry[t] = k;
      t_row[t] = i;
    }
}

static int longest_line(int n, const int64_t *start)
{
  int64_t longest = 0;
  for (int i = 0; i < n; i++)
    if (start[i + 1] - start[i] > longest)
      longest = start[i + 1] - start[i];
  return (int)longest;
}

static bool structure_is_diagonal(const perp_pattern *p)
{
  for (int i = 0; i < p->n; i++)
    for (int64_t e = p->start[i]; e < p->start[i + 1]; e++)
      if (p->column[e] != i)
        return false;
  return true;
}

perp_error perp_pattern_complete(perp_pattern *p, perp_operator *A)
{
  const size_t n = (size_t)p->n, entries = (size_t)p->start[n];
  bool symmetric = structure_is_diagonal(p);
  if (!symmetric) {
    int64_t *cursor = perp_alloc(n, sizeof *cursor);
    if (!cursor)
      return PERP_ERROR_MEMORY;
    symmetric = structure_is_symmetric(p, cursor);
    perp_free(cursor);
  }

  p->t_start = p->t_entry = NULL;
  p->t_row = NULL;
  p->longest = longest_line(p->n, p->start);
  if (symmetric)
    return PERP_OK;
  int64_t *t_start = perp_alloc(n + 2, sizeof *t_start);
  int64_t *t_entry = perp_alloc(entries, sizeof *t_entry);
  int *t_row = perp_alloc(entries, sizeof *t_row);
  perp_operator_adopt(A, t_start);
  perp_operator_adopt(A, t_entry);
  perp_operator_adopt(A, t_row);
  if (!t_start || !t_entry || !t_row)
    return PERP_ERROR_MEMORY;
  transpose(p, t_start, t_entry, t_row);
  p->t_start = t_start;
  p->t_entry = t_entry;
  p->t_row = t_row;
  const int tallest = longest_line(p->n, t_start);
  if (tallest > p->longest)
    p->longest = tallest;
  return PERP_OK;
}
