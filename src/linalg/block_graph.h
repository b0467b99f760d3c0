/* block_graph.h: the block pattern of a matrix that is a sum of pieces, each over a few blocks */
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

/* Every two members of a set are neighbours: set s is member[set_start[s]] .. member[set_start[s +
 * 1] - 1]. False when out of memory. */
bool perp_block_couple(int blocks, int sets, const int64_t *set_start, const int *member,
                       perp_arena *arena, perp_block_graph *g);
/* The rows of the matrix; the rows of a block have the same columns. first: blocks + 1, the first
 * row of each block. *value is allocated, not filled. False when out of memory. */
bool perp_block_rows(const perp_block_graph *g, int blocks, const int *first, perp_arena *arena,
                     perp_sparse *M, double **value);

#endif
