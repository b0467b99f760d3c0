/* rows.h: a sparse matrix in the making, row by row */
#pragma once

#include "generate/generate.h"

typedef struct perp_entry {
  int column;
  double value;
} perp_entry;

/* Compressed rows with room for `capacity` entries. */
typedef struct perp_rows {
  int64_t *start;
  int *column;
  double *value;
  int64_t used;
} perp_rows;

/* Room for `capacity` entries in n rows, of the scratch. */
perp_error perp_rows_make(perp_making *m, perp_rows *rows, int n, int64_t capacity);
/* instance->A <- the n rows, which are copied. */
perp_error perp_rows_operator(perp_making *m, int n, const perp_rows *rows);
/* Sorts `count` entries by column, adds up those of one column and appends them as row i. */
void perp_rows_append(perp_rows *rows, int i, perp_entry *entries, int count);
/* By column, for qsort and bsearch. */
int perp_entry_compare(const void *a, const void *b);
