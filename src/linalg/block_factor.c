/* block_factor.c: the order of elimination of a block-sparse matrix, and the places of its factor
 *
 * Column j of L is one tall panel, the blocks below the diagonal stacked, so the rows i of column k
 * that meet column j are read in one run.
 *
 * The order is minimum degree on the graph of the blocks (sparse_order.c). */
#include "linalg/block_factor.h"

#include "linalg/sparse_factor.h"

#include <assert.h>

/* ---- Analysis ---- */

/* Walks from the entries of each row up the elimination tree, which it finds: these are the columns
 * of that row of L (Liu 1990). f->map[j] is the next place in column j; `store` writes the rows
 * there, which ascend. */
static void walk_rows(perp_block_factor *f, const int64_t *start, const int *neighbour, bool store,
                      int *mark)
{
  for (int k = 0; k < f->blocks; k++) {
    const int i = f->order[k];
    mark[k] = k;
    f->parent[k] = store ? f->parent[k] : -1;
    for (int64_t e = start[i]; e < start[i + 1]; e++)
      for (int j = f->place[neighbour[e]]; j < k && mark[j] != k; j = f->parent[j]) {
        mark[j] = k;
        if (f->parent[j] < 0)
          f->parent[j] = k;
        if (store)
          f->row[f->map[j]] = k;
        f->map[j]++;
      }
  }
}

/* Lists the rows of each column. Returns false when out of memory. */
static bool list_columns(perp_block_factor *f, const int64_t *start, const int *neighbour,
                         perp_arena *arena)
{
  int *mark = f->offset; /* set later */
  for (int j = 0; j < f->blocks; j++)
    f->map[j] = 0;
  walk_rows(f, start, neighbour, false, mark);
  f->list[0] = 0;
  for (int j = 0; j < f->blocks; j++) {
    f->list[j + 1] = f->list[j] + f->map[j];
    f->map[j] = f->list[j];
  }
  const int64_t below = f->list[f->blocks];
  if (!PERP_TAKE(arena, PERP_ARRAY(f->row, below), PERP_ARRAY(f->block, below),
                 PERP_ARRAY(f->row_entry, below), PERP_ARRAY(f->row_column, below)))
    return false;
  walk_rows(f, start, neighbour, true, mark);
  return true;
}

/* Sets the start of each column's numbers, and the cost of a factorisation. */
static void lay_out(perp_block_factor *f)
{
  int64_t at = 0, diagonal = 0;
  for (int j = 0; j < f->blocks; j++) {
    const int64_t size = f->size[j];
    int64_t rows = size;
    f->panel[j] = at;
    f->diagonal[j] = diagonal;
    diagonal += size * size;
    for (int64_t e = f->list[j]; e < f->list[j + 1]; e++) {
      f->block[e] = at + rows * size;
      rows += f->size[f->row[e]];
    }
    at += rows * size;
    f->flops += size * rows * (rows + 1) / 2;
  }
  f->panel[f->blocks] = at;
  f->diagonal[f->blocks] = diagonal;
}

/* Lists the entries by row: columns ascend, since they are stored in order. While counts are summed
 * they are one place higher; afterwards the array holds the starts. */
static void list_rows(perp_block_factor *f)
{
  for (int j = 0; j <= f->blocks + 1; j++)
    f->row_list[j] = 0;
  for (int64_t e = 0; e < f->list[f->blocks]; e++)
    f->row_list[f->row[e] + 2]++;
  for (int j = 1; j <= f->blocks + 1; j++)
    f->row_list[j] += f->row_list[j - 1];
  for (int j = 0; j < f->blocks; j++)
    for (int64_t e = f->list[j]; e < f->list[j + 1]; e++) {
      const int64_t t = f->row_list[f->row[e] + 1]++;
      f->row_entry[t] = e;
      f->row_column[t] = j;
    }
}

perp_block_factor *perp_block_analyse(int blocks, const int *first, const int64_t *start,
                                      const int *neighbour, perp_arena *arena)
{
  const perp_sparse graph = {.n = blocks, .start = start, .column = neighbour};
  const size_t size = (size_t)blocks;
  perp_block_factor *f = perp_arena_alloc_zero(arena, 1, sizeof *f);
  if (!f)
    return NULL;
  f->blocks = blocks;
  f->n = first[blocks];
  f->first = first;
  if (!PERP_TAKE_INTEGERS(arena, size + 1, &f->order, &f->place, &f->size, &f->offset,
                          &f->parent) ||
      !PERP_TAKE(arena, PERP_ARRAY(f->list, size + 1), PERP_ARRAY(f->panel, size + 1),
                 PERP_ARRAY(f->diagonal, size + 1), PERP_ARRAY(f->row_list, size + 2),
                 PERP_ARRAY(f->map, size)) ||
      !perp_sparse_order_degree(&graph, arena, f->order))
    return NULL;
  for (int j = 0; j < blocks; j++)
    f->place[f->order[j]] = j;
  if (!list_columns(f, start, neighbour, arena))
    return NULL;
  f->offset[0] = 0;
  for (int j = 0; j < blocks; j++) {
    f->size[j] = first[f->order[j] + 1] - first[f->order[j]];
    f->offset[j + 1] = f->offset[j] + f->size[j];
    f->equal = j == 0 || f->size[j] == f->equal ? f->size[j] : 0;
  }
  lay_out(f);
  list_rows(f);
  const bool there =
      PERP_TAKE(arena, PERP_ARRAY(f->L, f->panel[blocks]),
                PERP_ARRAY(f->inverse, f->diagonal[blocks]), PERP_ARRAY(f->work, f->n));
  return there ? f : NULL;
}

int64_t perp_block_find(const perp_block_factor *f, int i, int j)
{
  const int row = f->place[i], column = f->place[j];
  assert(row >= column);
  if (row == column)
    return f->panel[column];
  const int64_t at = perp_row_find(f->list, f->row, column, row);
  assert(at >= 0);
  return f->block[at];
}
