/* mesh.h: matrix-free truncated nonsmooth Newton multigrid on grids of 5 and 7 points, a part on
 * each rank, with the sweeps and networks of method/multilevel/grid on each part */
#pragma once

#include <petscdmda.h>
#include <petscsf.h>
#include <petscsnes.h>

#include <stdbool.h>
#include <stdint.h>

/* ---- Ownership of the cells of a grid, and exchanges between arrays (layout.c) ---- */

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

/* Returns the index of a cell in a box, row by row. */
static inline int64_t perp_box_cell(const perp_box *b, int i, int j, int k)
{
  return ((int64_t)(k - b->begin[2]) * perp_box_length(b, 1) + (j - b->begin[1])) *
             perp_box_length(b, 0) +
         (i - b->begin[0]);
}

/* The same as perp_place.at. */
static inline int64_t perp_box_cell_at(const perp_box *b, int axes, const int at[3])
{
  (void)axes;
  return perp_box_cell(b, at[0], at[1], at[2]);
}

/* A grid over the ranks of a communicator. Ranks beyond the product of ranks[] own nothing; they
 * have copies of the first cells, so that every rank has a grid. */
typedef struct perp_layout {
  MPI_Comm comm;
  int rank, size;
  int n[3], axes;
  int ranks[3];
  int levels;  /* number of distributed grids; the next one is whole on every rank. 0: so is the
                * first */
  int copies;  /* layers of other ranks' cells around a part; even */
  int *cut[3]; /* ranks[axis] + 1: starts of the parts, multiples of 2^levels; owned */
} perp_layout;

PetscErrorCode perp_layout_create(MPI_Comm comm, const int n[3], perp_layout *layout);
PetscErrorCode perp_layout_destroy(perp_layout *layout);

/* Returns the box that a rank owns after an axis was halved halved[axis] times, and that box with
 * copies around it. */
perp_box perp_layout_own(const perp_layout *layout, const int halved[3], int rank);
perp_box perp_layout_part(const perp_layout *layout, const int halved[3], int rank);

/* Arrays of a rank's cells of a grid: their box, and the index of a cell in it. */
typedef struct perp_place {
  perp_box (*box)(const perp_layout *layout, const int *halved, int rank);
  int64_t (*at)(const perp_box *box, int axes, const int at[3]);
} perp_place;

/* Creates an exchange to the cells of `to`, without the cells of `except` if given, at the places
 * of `leaf` on this rank, from the places of `root` at their owners; this rank has `roots` of those.
 * `halved` belongs to the grid of these cells. */
PetscErrorCode perp_layout_exchange(const perp_layout *layout, const int halved[3],
                                    const perp_box *to, const perp_box *except, PetscInt roots,
                                    perp_place root, perp_place leaf, PetscSF *sf);

/* ---- The method ---- */

/* By cell of this rank's part (perp_layout_part), row by row, including copies of other ranks'
 * cells.
 *
 *   (A x)_c = diagonal_c x_c - sum over the neighbours d of c of w_cd x_d
 *
 * wx[c] couples c with its neighbour at i + 1, wy and wz at j + 1 and k + 1. */
typedef struct perp_mesh_data {
  const double *diagonal, *w[3];
  const unsigned char *unknown; /* 0: the cell is not an unknown; NULL: all are */
  const double *b;
  const double *lo, *hi; /* NULL: 0, and infinity */
} perp_mesh_data;

typedef struct perp_mesh_options {
  double target; /* for max |x - P(x - y)| */
  int max_cycles;
  int start; /* cycles on each coarse grid if x = 0 at the start; 0: none */
  /* NULL, or called after each cycle, on every rank; *stop, false on entry, must be set alike on
   * all ranks */
  PetscErrorCode (*monitor)(void *context, int cycle, double residual, bool *stop);
  void *context;
} perp_mesh_options;

typedef struct perp_mesh_result {
  int cycles;
  double residual;         /* as computed by the method */
  bool stagnated, stopped; /* stopped: by the monitor */
  double setup;            /* seconds of this rank before the first cycle */
  /* of this rank, including set-up */
  int64_t exchanges, reductions; /* with its neighbours; over all ranks */
  double bytes;                  /* received in exchanges */
  double waiting;                /* CPU seconds in both */
} perp_mesh_result;

/* x by cell of the part, including copies: the start, then the solution. */
PetscErrorCode perp_mesh_solve(const perp_layout *layout, const perp_mesh_data *data,
                               const perp_mesh_options *options, double *x,
                               perp_mesh_result *result);

double perp_mesh_clock(void); /* CPU seconds of this rank */
/* Computes the natural residual from the data, and max |b| (1 if b = 0), over all ranks; fetches
 * the copies in x again. */
PetscErrorCode perp_mesh_residual(const perp_layout *layout, const perp_mesh_data *data, double *x,
                                  double *residual, double *scale);

/* ---- An affine F on a DMDA with 5 or 7 points per row as such a grid (star.c) ---- */

typedef struct perp_star perp_star;

/* Examines F of a SNES around x, where its value is F. *star is NULL, and *why gives the reason, if
 * F is not affine, not symmetric or has other entries, or if the DM is not a DMDA with one number
 * per point. Rows that contain only x_i (boundary values) are solved at once, which changes x
 * there. Collective. */
PetscErrorCode perp_star_find(SNES snes, Vec F, Vec x, perp_star **star, const char **why);
/* Runs cycles from x, or with options->start from 0, towards `target`; x becomes the result. F: its
 * value at x on entry. */
PetscErrorCode perp_star_solve(perp_star *star, const perp_mesh_options *options, Vec lo, Vec hi,
                               Vec F, Vec x, perp_mesh_result *result);
PetscErrorCode perp_star_destroy(perp_star **star);
