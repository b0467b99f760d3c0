/* block_graph.c: see block_graph.h
 *
 * Every pair of every set is filed with its first block, then the list of each block is sorted and
 * repetitions are removed, in place. While pairs are filed, start[k + 1] is the next free place of
 * block k; at the end it is the start of the next block. Cost: the squares of the sets, and sorting
 * of short lists by insertion. */
#include "linalg/block_graph.h"

/* Sorts the list of each block and removes repetitions. last: the last block that had this
 * neighbour. */
static void thin_out(int blocks, int64_t *start, int *filed, int *last)
{
  int64_t count = 0;
  for (int k = 0; k < blocks; k++)
    last[k] = -1;
  for (int k = 0; k < blocks; k++) {
    const int64_t begin = count;
    for (int64_t e = start[k]; e < start[k + 1]; e++) {
      const int b = filed[e];
      if (last[b] == k)
        continue;
      last[b] = k;
      int64_t at = count++;
      for (; at > begin && filed[at - 1] > b; at--)
        filed[at] = filed[at - 1];
      filed[at] = b;
    }
    start[k] = begin;
  }
  start[blocks] = count;
}

bool perp_block_couple(int blocks, int sets, const int64_t *set_start, const int *member,
                       perp_arena *arena, perp_block_graph *g)
{
  int64_t room = blocks;
  for (int s = 0; s < sets; s++)
    room += (set_start[s + 1] - set_start[s]) * (set_start[s + 1] - set_start[s]);
  int64_t *start = perp_arena_alloc_zero(arena, (size_t)blocks + 2, sizeof *start);
  int *last = perp_arena_alloc(arena, (size_t)blocks, sizeof *last);
  int *filed = perp_arena_alloc(arena, (size_t)room, sizeof *filed);
  if (!start || !last || !filed)
    return false;
  for (int s = 0; s < sets; s++)
    for (int64_t e = set_start[s]; e < set_start[s + 1]; e++)
      start[member[e] + 2] += set_start[s + 1] - set_start[s];
  for (int k = 0; k < blocks; k++)
    start[k + 2] += start[k + 1] + 1; /* one more for itself */
  for (int k = 0; k < blocks; k++)
    filed[start[k + 1]++] = k;
  for (int s = 0; s < sets; s++)
    for (int64_t e = set_start[s]; e < set_start[s + 1]; e++)
      for (int64_t f = set_start[s]; f < set_start[s + 1]; f++)
        filed[start[member[e] + 1]++] = member[f];
  thin_out(blocks, start, filed, last);
  *g = (perp_block_graph){start, filed};
  return true;
}

bool perp_block_rows(const perp_block_graph *g, int blocks, const int *first, perp_arena *arena,
                     perp_sparse *M, double **value)
{
  const int n = first[blocks];
  int64_t *start = perp_arena_alloc(arena, (size_t)n + 1, sizeof *start);
  if (!start)
    return false;
  start[0] = 0;
  for (int k = 0; k < blocks; k++) {
    int64_t length = 0;
    for (int64_t e = g->start[k]; e < g->start[k + 1]; e++)
      length += first[g->neighbour[e] + 1] - first[g->neighbour[e]];
    for (int v = first[k]; v < first[k + 1]; v++)
      start[v + 1] = start[v] + length;
  }
  int *column = perp_arena_alloc(arena, (size_t)start[n], sizeof *column);
  *value = perp_arena_alloc(arena, (size_t)start[n], sizeof **value);
  if (!column || !*value)
    return false;
  for (int k = 0; k < blocks; k++)
    for (int v = first[k]; v < first[k + 1]; v++) {
      int64_t at = start[v];
      for (int64_t e = g->start[k]; e < g->start[k + 1]; e++)
        for (int w = first[g->neighbour[e]]; w < first[g->neighbour[e] + 1]; w++)
          column[at++] = w;
    }
  *M = (perp_sparse){.n = n, .start = start, .column = column, .value = *value};
  return true;
}
