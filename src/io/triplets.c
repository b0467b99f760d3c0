/* triplets.c: lists of entries, and compressed rows from them by two counting sorts (Gustavson 1978) */
#include "io/mtx.h"

#include "base/memory.h"

#include <string.h>

/* start[k+1] <- number of entries with index k, summed up. */
static void count_starts(const int *index, int64_t count, int n, int64_t *start)
{
  memset(start, 0, ((size_t)n + 1) * sizeof *start);
  for (int64_t e = 0; e < count; e++)
    start[index[e] + 1]++;
  for (int k = 0; k < n; k++)
    start[k + 1] += start[k];
}

bool perp_mtx_compress(const perp_triplets *t, int rows, int columns, perp_mtx *matrix)
{
  const size_t count = (size_t)t->count, most = (size_t)(rows > columns ? rows : columns);
  *matrix = (perp_mtx){
      .path = matrix->path, .sparse = true, .rows = rows, .columns = columns, .entries = t->count};
  matrix->start = perp_alloc((size_t)rows + 1, sizeof *matrix->start);
  matrix->column = perp_alloc(count, sizeof *matrix->column);
  matrix->value = perp_alloc(count, sizeof *matrix->value);
  int64_t *by_column = perp_alloc(count, sizeof *by_column);
  int64_t *next = perp_alloc(most + 1, sizeof *next);
  const bool taken = matrix->start && matrix->column && matrix->value && by_column && next;
  if (taken) {
    count_starts(t->column, t->count, columns, next);
    for (int64_t e = 0; e < t->count; e++)
      by_column[next[t->column[e]]++] = e;
    count_starts(t->row, t->count, rows, matrix->start);
    memcpy(next, matrix->start, ((size_t)rows + 1) * sizeof *next);
    for (int64_t k = 0; k < t->count; k++) {
      const int64_t e = by_column[k], at = next[t->row[e]]++;
      matrix->column[at] = t->column[e];
      matrix->value[at] = t->value[e];
    }
  }
  perp_free(by_column);
  perp_free(next);
  return taken;
}

void perp_mtx_merge(perp_mtx *A)
{
  int64_t to = 0, from = 0;
  for (int i = 0; i < A->rows; i++) {
    const int64_t first = to, stop = A->start[i + 1];
    for (; from < stop; from++)
      if (to > first && A->column[to - 1] == A->column[from]) {
        A->value[to - 1] += A->value[from];
      } else {
        A->column[to] = A->column[from];
        A->value[to++] = A->value[from];
      }
    A->start[i] = first;
  }
  A->start[A->rows] = A->entries = to;
}

bool perp_triplets_alloc(perp_triplets *t, size_t room)
{
  *t = (perp_triplets){.row = perp_alloc(room, sizeof *t->row),
                       .column = perp_alloc(room, sizeof *t->column),
                       .value = perp_alloc(room, sizeof *t->value)};
  return t->row && t->column && t->value;
}

bool perp_triplets_push(perp_triplets *t, int row, int column, double value)
{
  if (t->count == t->room) {
    const size_t used = (size_t)t->count, more = 2 * used + 1024;
    if (!perp_alloc_longer(&t->row, used, more, sizeof *t->row) ||
        !perp_alloc_longer(&t->column, used, more, sizeof *t->column) ||
        !perp_alloc_longer(&t->value, used, more, sizeof *t->value))
      return false;
    t->room = (int64_t)more;
  }
  perp_triplets_add(t, row, column, value);
  return true;
}

void perp_triplets_free(perp_triplets *t)
{
  perp_free(t->row);
  perp_free(t->column);
  perp_free(t->value);
}

void perp_mtx_free(perp_mtx *matrix)
{
  perp_free(matrix->start);
  perp_free(matrix->column);
  perp_free(matrix->value);
  *matrix = (perp_mtx){0};
}
