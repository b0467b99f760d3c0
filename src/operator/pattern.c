/* pattern.c: checks, copies and transposes the structure of compressed rows */
#include "operator/pattern.h"

#include "linalg/vector.h"

#include <inttypes.h>
#include <string.h>

/* Returns true if the entries of every row ascend within 0 .. columns - 1, given valid starts:
 * columns may descend only from one row to the next. */
static bool columns_ascend(int rows, int columns, const int64_t *start, const int *column)
{
  enum { STRETCH = 1 << 20 }; /* short enough to count in an int, which doubles the SIMD lanes */
  int64_t descents = 0;
  for (int64_t from = 1; from < start[rows]; from += STRETCH) {
    const int64_t to = from + STRETCH < start[rows] ? from + STRETCH : start[rows];
    int count = 0;
    for (int64_t k = from; k < to; k++)
      count += column[k] <= column[k - 1];
    descents += count;
  }
  for (int i = 0; i < rows; i++) {
    const int64_t begin = start[i], end = start[i + 1];
    if (begin == end)
      continue;
    if (column[begin] < 0 || column[end - 1] >= columns)
      return false;
    descents -= begin > 0 && column[begin] <= column[begin - 1];
  }
  return descents == 0;
}

perp_error perp_pattern_check(const char *name, const char *line, int rows, int columns,
                              const int64_t *start, const int *column, perp_message *why)
{
  const char *across = strcmp(line, "column") == 0 ? "row" : "column";
  if (start[0] != 0)
    return perp_fail(why, PERP_ERROR_PROBLEM, "%s: %s 0 starts at entry %" PRId64 ", not at 0",
                     name, line, start[0]);
  for (int i = 0; i < rows; i++) {
    if (start[i + 1] < start[i])
      return perp_fail(why, PERP_ERROR_PROBLEM,
                       "%s: %s %d starts at entry %" PRId64 " and ends before %" PRId64, name, line,
                       i, start[i], start[i + 1]);
    if (start[i + 1] - start[i] > columns)
      return perp_fail(why, PERP_ERROR_PROBLEM,
                       "%s: %s %d has %" PRId64 " entries, but there are %d %ss", name, line, i,
                       start[i + 1] - start[i], columns, across);
    if (start[i + 1] > start[i] && !column)
      return perp_fail(why, PERP_ERROR_ARGUMENT, "%s: %s %d has entries, but %s is NULL", name,
                       line, i, across);
  }
  if (columns_ascend(rows, columns, start, column))
    return PERP_OK;
  for (int i = 0; i < rows; i++)
    for (int64_t k = start[i]; k < start[i + 1]; k++) {
      if (column[k] < 0 || column[k] >= columns)
        return perp_fail(why, PERP_ERROR_PROBLEM, "%s: %s %d has %s %d outside 0 .. %d", name, line,
                         i, across, column[k], columns - 1);
      if (k > start[i] && column[k] == column[k - 1])
        return perp_fail(why, PERP_ERROR_PROBLEM, "%s: %s %d has %s %d twice", name, line, i,
                         across, column[k]);
      if (k > start[i] && column[k] < column[k - 1])
        return perp_fail(why, PERP_ERROR_PROBLEM,
                         "%s: %s %d has %s %d after %s %d, they must ascend", name, line, i, across,
                         column[k], across, column[k - 1]);
    }
  return PERP_OK;
}

perp_error perp_pattern_check_values(const char *name, int rows, const int64_t *start,
                                     const int *column, const double *value, perp_message *why)
{
  if (start[rows] > 0 && !value)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "%s: there are entries, but value is NULL", name);
  if (perp_all_finite(start[rows], value))
    return PERP_OK;
  for (int i = 0; i < rows; i++)
    for (int64_t k = start[i]; k < start[i + 1]; k++)
      if (!isfinite(value[k]))
        return perp_fail(why, PERP_ERROR_PROBLEM, "%s(%d,%d) = %g is not finite", name, i,
                         column[k], value[k]);
  return PERP_OK;
}

perp_error perp_pattern_copy(perp_pattern *p, int64_t values, const double **value,
                             perp_operator *A)
{
  const size_t n = (size_t)p->n;
  int64_t *start = perp_alloc_copy(p->start, n + 1, sizeof *start);
  int *column = perp_alloc_copy(p->column, (size_t)p->start[n], sizeof *column);
  double *copy = perp_alloc_copy(*value, (size_t)values, sizeof *copy);
  perp_operator_adopt(A, start);
  perp_operator_adopt(A, column);
  perp_operator_adopt(A, copy);
  if (!start || !column || !copy)
    return PERP_ERROR_MEMORY;
  p->start = start;
  p->column = column;
  *value = copy;
  return PERP_OK;
}

/* Row by row, the entries (i, j) of a column j appear with ascending i; the structure is symmetric
 * if row j lists the same indices for every j. `cursor` has n entries. */
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
  int64_t *t_start = perp_alloc(n + 1, sizeof *t_start);
  int64_t *t_entry = perp_alloc(entries, sizeof *t_entry);
  int *t_row = perp_alloc(entries, sizeof *t_row);
  perp_operator_adopt(A, t_start);
  perp_operator_adopt(A, t_entry);
  perp_operator_adopt(A, t_row);
  if (!t_start || !t_entry || !t_row)
    return PERP_ERROR_MEMORY;
  perp_transpose(p->n, p->n, p->start, p->column, NULL, t_start, t_row, NULL, t_entry);
  p->t_start = t_start;
  p->t_entry = t_entry;
  p->t_row = t_row;
  const int tallest = longest_line(p->n, t_start);
  if (tallest > p->longest)
    p->longest = tallest;
  return PERP_OK;
}
