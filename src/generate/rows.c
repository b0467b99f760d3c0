/* rows.c: a sparse matrix in the making, row by row */
#include "generate/rows.h"

#include <stdlib.h>

perp_error perp_rows_make(const char *owner, perp_rows *rows, int n, int64_t capacity,
                          perp_message *why)
{
  *rows = (perp_rows){.start = perp_alloc_zero((size_t)n + 1, sizeof *rows->start),
                      .column = perp_alloc((size_t)capacity, sizeof *rows->column),
                      .value = perp_alloc((size_t)capacity, sizeof *rows->value)};
  if (rows->start && rows->column && rows->value)
    return PERP_OK;
  perp_rows_free(rows);
  return perp_generate_no_memory(owner, why);
}

void perp_rows_free(perp_rows *rows)
{
  perp_free(rows->start);
  perp_free(rows->column);
  perp_free(rows->value);
  *rows = (perp_rows){0};
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
