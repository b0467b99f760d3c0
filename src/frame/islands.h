/* frame/islands.h: the independent parts of a problem, and their matrices
 *
 * All memory is in an arena; nothing is kept from one frame to the next. */
#pragma once

#include "base/memory.h"
#include "operator/operator.h"
#include <perp/problem.h>

/* Computes island[i] (perp_islands_find) for a checked problem. */
perp_error perp_islands_number(const perp_problem *problem, perp_arena *arena, int *island,
                               int *count, perp_message *why);

/* Rows by island, in order: island k has row[start[k]] .. row[start[k + 1] - 1]. */
typedef struct perp_island_rows {
  int count;
  int *start; /* count + 1 */
  int *row;   /* n */
  int *place; /* n: index of each row within its island */
} perp_island_rows;

/* The matrix of one island as plain arrays: dense or contact if A is, otherwise CSR. */
typedef enum perp_island_kind {
  PERP_ISLAND_DENSE,
  PERP_ISLAND_CSR,
  PERP_ISLAND_CONTACT
} perp_island_kind;

enum {
  PERP_ISLAND_VALUE, /* dense: all of A; csr: its values; contact: the values of J */
  PERP_ISLAND_START,
  PERP_ISLAND_COLUMN,
  PERP_ISLAND_BLOCK_START,
  PERP_ISLAND_MINV,
  PERP_ISLAND_C_START,
  PERP_ISLAND_C_COLUMN,
  PERP_ISLAND_C_VALUE,
  PERP_ISLAND_ARRAYS
};

typedef struct perp_island_matrix {
  perp_island_kind kind;
  int rows, velocities, blocks;
  struct {
    const void *at; /* NULL: none */
    size_t bytes;
  } array[PERP_ISLAND_ARRAYS];
} perp_island_matrix;

/* Computes matrix[k] of each island. The caller's thread reads the rows of A. */
perp_error perp_islands_cut(const perp_operator *A, const perp_island_rows *rows, const int *island,
                            perp_arena *arena, perp_island_matrix *matrix, perp_message *why);
