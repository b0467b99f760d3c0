/* block_graph.h: which blocks of a matrix are there, where it is a sum of pieces over a few of them each */
#ifndef PERP_LINALG_BLOCK_GRAPH_H
#define PERP_LINALG_BLOCK_GRAPH_H

#include "base/memory.h"
#include "linalg/sparse_factor.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct perp_block_graph {
  int64_t *start; /* blocks + 1 */
  int *neighbour; /* ascending for each block, the block itself among them */
} perp_block_graph;

/* Every two members of a set are neighbours: set s is member[set_start[s]] .. member[set_start[s + 1] - 1].
 * False when out of memory. */
bool perp_block_couple(int blocks, int sets, const int64_t *set_start, const int *member,
                       perp_arena *arena, perp_block_graph *g);
/* The rows of the matrix, of a block the same columns in each; first: blocks + 1, the first row of each
 * block. *value is theirs, not filled. False when out of memory. */
bool perp_block_rows(const perp_block_graph *g, int blocks, const int *first, perp_arena *arena,
                     perp_sparse *M, double **value);

#endif
