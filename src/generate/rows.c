/* rows.c: a sparse matrix in the making, row by row */
#include "generate/rows.h"

#include <stdlib.h>

perp_error perp_rows_make(perp_making *m, perp_rows *rows, int n, int64_t capacity)
{
  *rows = (perp_rows){0};
  return PERP_TAKE_ZERO(&m->arena, PERP_ARRAY(rows->start, n + 1)) &&
                 PERP_TAKE(&m->arena, PERP_ARRAY(rows->column, capacity),
                           PERP_ARRAY(rows->value, capacity))
             ? PERP_OK
             : perp_making_no_memory(m);
}

perp_error perp_rows_operator(perp_making *m, int n, const perp_rows *rows)
{
  return perp_operator_csr(n, rows->start, rows->column, rows->value, PERP_COPY, &m->instance->A,
                           m->why);
}

int perp_entry_compare(const void *a, const void *b)
{
  const perp_entry *x = a, *y = b;
  return x->column < y->column ? -1 : x->column > y->column;
}

/* Entries of one column are added up: by value too, since qsort may leave equal ones in any order. */
static int compare_values(const void *a, const void *b)
{
  const perp_entry *x = a, *y = b;
  const int columns = perp_entry_compare(a, b);
  return columns ? columns : x->value < y->value ? -1 : x->value > y->value;
}

void perp_rows_append(perp_rows *rows, int i, perp_entry *entries, int count)
{
  qsort(entries, (size_t)count, sizeof *entries, compare_values);
  const int64_t first = rows->used;
  for (int k = 0; k < count; k++)
    if (rows->used > first && rows->column[rows->used - 1] == entries[k].column) {
      rows->value[rows->used - 1] += entries[k].value;
    } else {
      rows->column[rows->used] = entries[k].column;
      rows->value[rows->used++] = entries[k].value;
    }
  rows->start[i + 1] = rows->used;
}
