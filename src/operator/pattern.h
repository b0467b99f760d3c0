/* operator/pattern.h: the structure of compressed rows, with access by columns
 *
 * Column j of a matrix with symmetric structure has its entries in the rows that row j lists, so
 * bisection finds each of them and nothing needs to be stored. For a structure that is not
 * symmetric a transposed list is built once: 12 bytes per entry. Values are not stored here and may
 * change without a rebuild. The rows may be rows of blocks. */
#pragma once

#include "linalg/vector.h"
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

/* Checks that start ascends from 0, and that columns are within 0 .. columns - 1 and ascend
 * strictly in each row. For the message: `name` of the matrix, and what a `line` of it is: "row",
 * "block row" or "column". */
perp_error perp_pattern_check(const char *name, const char *line, int rows, int columns,
                              const int64_t *start, const int *column, perp_message *why);
/* Checks that there are values if there are entries, and that they are finite. */
perp_error perp_pattern_check_values(const char *name, int rows, const int64_t *start,
                                     const int *column, const double *value, perp_message *why);

/* Replaces start, column and the `values` numbers of *value by copies, which A owns. */
perp_error perp_pattern_copy(perp_pattern *pattern, int64_t values, const double **value,
                             perp_operator *A);

/* Fills the fields that follow from n, start and column. A owns what is allocated. */
perp_error perp_pattern_complete(perp_pattern *pattern, perp_operator *A);

static inline int perp_pattern_column_count(const perp_pattern *pattern, int j)
{
  const int64_t *start = pattern->t_start ? pattern->t_start : pattern->start;
  return (int)(start[j + 1] - start[j]);
}

/* Returns the position of the k-th entry of column j, rows ascending, and its row. */
static inline int64_t perp_pattern_column_entry(const perp_pattern *pattern, int j, int k, int *row)
{
  if (pattern->t_start) {
    const int64_t t = pattern->t_start[j] + k;
    *row = pattern->t_row[t];
    return pattern->t_entry[t];
  }
  *row = pattern->column[pattern->start[j] + k];
  return perp_row_find(pattern->start, pattern->column, *row, j);
}
