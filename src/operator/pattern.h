/* operator/pattern.h: the structure of compressed rows, by columns too
 *
 * Column j of a matrix with symmetric structure has its entries in the rows that row j lists, so
 * each is found by bisection and nothing needs to be stored. If the structure is not
 * symmetric a transposed list is built once: 12 bytes for each entry. Values are not known here,
 * so they may change without anything being rebuilt. The rows may be rows of blocks. */
#pragma once

#include "operator/operator.h"

typedef struct perp_pattern {
  int n;
  const int64_t *start;
  const int *column;
  const int64_t *t_start; /* NULL: symmetric structure */
  const int64_t *t_entry; /* position in `column` of each entry of the transposed list */
  const int *t_row;
  int longest; /* entries of the longest row or column */
} perp_pattern;

/* How many entries of row i stand before its diagonal. */
static inline int perp_pattern_below(const perp_pattern *p, int i)
{
  enum { FEW = 16 }; /* so many are looked at one after another */
  const int *column = p->column + p->start[i];
  int least = 0, most = (int)(p->start[i + 1] - p->start[i]);
  while (most - least > FEW) {
    const int middle = least + (most - least) / 2;
    if (column[middle] < i)
      least = middle + 1;
    else
      most = middle;
  }
  while (least < most && column[least] < i)
    least++;
  return least;
}

/* start ascends from 0, columns are within 0 .. columns - 1 and ascend strictly in each row. For
 * the message: `name` of the matrix, and what a `line` of it is: "row", "block row" or "column". */
perp_error perp_pattern_check(const char *name, const char *line, int rows, int columns,
                              const int64_t *start, const int *column, perp_message *why);
/* There are values if there are entries, and they are finite. */
perp_error perp_pattern_check_values(const char *name, int rows, const int64_t *start,
                                     const int *column, const double *value, perp_message *why);

/* Puts copies in the place of start, column and the `values` numbers of *value. They are handed
 * to A. */
perp_error perp_pattern_copy(perp_pattern *pattern, int64_t values, const double **value,
                             perp_operator *A);

/* Fills all that follows from n, start and column. What is allocated is handed to A. */
perp_error perp_pattern_complete(perp_pattern *pattern, perp_operator *A);

/* Position of entry (i, j), -1 if there is none. */
static inline int64_t perp_pattern_find(const perp_pattern *pattern, int i, int j)
{
  int64_t begin = pattern->start[i], end = pattern->start[i + 1];
  while (begin < end) {
    const int64_t middle = begin + (end - begin) / 2;
    if (pattern->column[middle] < j)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin < pattern->start[i + 1] && pattern->column[begin] == j ? begin : -1;
}

static inline int perp_pattern_column_count(const perp_pattern *pattern, int j)
{
  const int64_t *start = pattern->t_start ? pattern->t_start : pattern->start;
  return (int)(start[j + 1] - start[j]);
}

/* The k-th entry of column j, rows ascending: its row and its position. */
static inline int64_t perp_pattern_column_entry(const perp_pattern *pattern, int j, int k, int *row)
{
  if (pattern->t_start) {
    const int64_t t = pattern->t_start[j] + k;
    *row = pattern->t_row[t];
    return pattern->t_entry[t];
  }
  *row = pattern->column[pattern->start[j] + k];
  return perp_pattern_find(pattern, *row, j);
}
