/* layout.h: which cells of a grid belong to which rank, and exchanges between their arrays */
#pragma once

#include <petscsf.h>

#include <stdbool.h>
#include <stdint.h>

/* Cells begin <= i < end along each axis. */
typedef struct perp_box {
  int begin[3], end[3];
} perp_box;

static inline int perp_box_length(const perp_box *b, int axis)
{
  return b->end[axis] - b->begin[axis];
}

static inline int64_t perp_box_cells(const perp_box *b)
{
  return (int64_t)perp_box_length(b, 0) * perp_box_length(b, 1) * perp_box_length(b, 2);
}

static inline bool perp_box_holds(const perp_box *b, int i, int j, int k)
{
  return i >= b->begin[0] && i < b->end[0] && j >= b->begin[1] && j < b->end[1] &&
         k >= b->begin[2] && k < b->end[2];
}

/* The number of a cell in a box, row by row. */
static inline int64_t perp_box_cell(const perp_box *b, int i, int j, int k)
{
  return ((int64_t)(k - b->begin[2]) * perp_box_length(b, 1) + (j - b->begin[1])) *
             perp_box_length(b, 0) +
         (i - b->begin[0]);
}

/* A grid over the ranks of a communicator. Those from the product of ranks[] on own nothing; they
 * have copies of the first cells, so that every rank has a grid. */
typedef struct perp_layout {
  MPI_Comm comm;
  int rank, size;
  int n[3], axes;
  int ranks[3];
  int levels;  /* of grids in parts; the next one is whole on every rank. 0: so is the first */
  int copies;  /* layers of other ranks' cells around a part: even */
  int *cut[3]; /* ranks[axis] + 1: where parts begin, multiples of 2^levels; owned */
} perp_layout;

PetscErrorCode perp_layout_create(MPI_Comm comm, const int n[3], perp_layout *layout);
PetscErrorCode perp_layout_destroy(perp_layout *layout);

/* After an axis was halved halved[axis] times: what a rank owns, and that with copies around it. */
perp_box perp_layout_own(const perp_layout *layout, const int halved[3], int rank);
perp_box perp_layout_part(const perp_layout *layout, const int halved[3], int rank);
/* The owner of a cell of the first grid; if that is whole everywhere, rank 0. */
int perp_layout_owner(const perp_layout *layout, const int halved[3], const int at[3]);

/* Arrays of the cells that each rank has of a grid: their box, and the place of a cell of it. */
typedef struct perp_place {
  perp_box (*box)(const perp_layout *layout, const int *halved, int rank);
  int64_t (*at)(const perp_box *box, int axes, const int at[3]);
} perp_place;

/* Cells of `to`, without those of `except` if it is given, at the places of `leaf` on this rank,
 * from the places of `root` at their owners. `halved` is that of the grid of these cells. */
PetscErrorCode perp_layout_exchange(const perp_layout *layout, const int halved[3],
                                    const perp_box *to, const perp_box *except, perp_place root,
                                    perp_place leaf, PetscSF *sf);
