/* mesh.h: truncated nonsmooth Newton multigrid on grids of 5 and 7 points, a part on each rank,
 * without a matrix: the sweeps and networks of method/multilevel/grid on each part */
#pragma once

#include "backend/petsc/layout.h"

/* By cell of this rank's part (perp_layout_part), row by row; a rank's copies of others' cells too.
 *
 *   (A x)_c = diagonal_c x_c - sum over the neighbours d of c of w_cd x_d
 *
 * wx[c] couples c with its neighbour at i + 1, wy and wz at j + 1 and k + 1. */
typedef struct perp_mesh_data {
  const double *diagonal, *w[3];
  const unsigned char *unknown; /* 0: the cell is none; NULL: all are */
  const double *b;
  const double *lo, *hi; /* NULL: 0, and infinity */
} perp_mesh_data;

typedef struct perp_mesh perp_mesh;

typedef struct perp_mesh_options {
  double target;  /* for max |x - P(x - y)| */
  int max_cycles; /* */
  int start;      /* cycles on each coarse grid if x = 0 at the beginning; 0: none */
  /* NULL, or called after each cycle, on every rank; *stop, false before: the same on all of them */
  PetscErrorCode (*monitor)(void *context, int cycle, double residual, bool *stop);
  void *context;
} perp_mesh_options;

typedef struct perp_mesh_result {
  int cycles;
  double residual;         /* as the method has it */
  bool stagnated, stopped; /* stopped: by the monitor */
  /* of this rank, setting up included */
  int64_t exchanges, reductions; /* with its neighbours; over all ranks */
  double bytes;                  /* received in exchanges */
  double waiting;                /* processor seconds in both */
} perp_mesh_result;

/* The arrays are borrowed. */
PetscErrorCode perp_mesh_create(const perp_layout *layout, const perp_mesh_data *data,
                                perp_mesh **mesh);
/* x by cell of the part: the start, then the solution, copies included. */
PetscErrorCode perp_mesh_solve(perp_mesh *mesh, const perp_mesh_options *options, double *x,
                               perp_mesh_result *result);
PetscErrorCode perp_mesh_destroy(perp_mesh **mesh);

double perp_mesh_clock(void); /* processor seconds of this rank */
/* Copies of other ranks' cells in an array by cell of the part. */
PetscErrorCode perp_mesh_fetch(const perp_layout *layout, double *x);
/* The natural residual from the data alone, and max |b| (1 if b = 0), over all ranks; the copies in
 * x are fetched again. */
PetscErrorCode perp_mesh_residual(const perp_layout *layout, const perp_mesh_data *data, double *x,
                                  double *residual, double *scale);
