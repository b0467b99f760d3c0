/* frame/islands.h: which rows of a problem belong together, and the matrices of the parts
 *
 * The memory is that of an arena; nothing here is kept from one frame to the next. */
#pragma once

#include "base/memory.h"
#include "operator/operator.h"
#include <perp/problem.h>

/* island[i], see perp_islands_find, of a problem that was checked. */
perp_error perp_islands_number(const perp_problem *problem, perp_arena *arena, int *island,
                               int *count, perp_message *why);

/* Rows by island, in order: island k has row[start[k]] .. row[start[k + 1] - 1]. */
typedef struct perp_island_rows {
  int count;
  int *start; /* count + 1 */
  int *row;   /* n */
  int *place; /* n: of each row within its island */
} perp_island_rows;

/* The matrix of one island as plain arrays: dense or contact if A is, and csr otherwise. */
typedef enum perp_island_kind {
  PERP_ISLAND_DENSE,
  PERP_ISLAND_CSR,
  PERP_ISLAND_CONTACT
} perp_island_kind;

enum {
  PERP_ISLAND_VALUE, /* dense: all of A; csr: its values; contact: those of J */
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

/* matrix[k] of each island. Rows of A are read by the caller's thread. */
perp_error perp_islands_cut(const perp_operator *A, const perp_island_rows *rows, const int *island,
                            perp_arena *arena, perp_island_matrix *matrix, perp_message *why);
