/* grid.h: a hierarchy of grids under a stencil operator
 *
 * Grid 0 has the cells of the operator. A cell of each further grid joins two by two (by two) cells
 * of the previous grid, or two along the axes of strong couplings only. A cell that is not free has
 * the value zero, as at a Dirichlet boundary. All numbers are floats: a correction need not be more
 * exact. They are scaled so that the largest diagonal entry of grid 0 is 1.
 *
 * Coarse operators are networks of conductances. The cells of one coarse cell lie half a width from
 * its centre, so a path from centre to centre is a series of two half faces and a whole one, and
 * parallel paths are added:
 *
 *   1 / p = 1 / (2 w_inside) + 1 / w_face + 1 / (2 w_inside')
 *
 * A path that ends at a cell that is not free, or at a Dirichlet boundary, is a sink; its direction
 * is stored, since the next grid lengthens it by half a width again. For equal weights this is the
 * discretisation on the coarse grid, with the right place of the boundary; and for cells that are
 * not free it is the truncation that a correction needs (Kornhuber 1994), computed without a triple
 * product.
 *
 * Corrections are interpolated linearly from the coarse cell and its nearest neighbours (Kwak
 * 1999),
 *
 *   v = C + theta (D_x - C) + theta (D_y - C) (+ theta (D_z - C)),
 *
 * D = 0 beyond a sink; an axis that ends at a wall, or whose other half is not free, has no such
 * term. Residuals are restricted by the transpose. theta = 1/4 keeps linear functions linear and is
 * used for values. The energy of a correction is then less than its energy on the coarse grid, by a
 * fifth if it varies from cell to cell, and every cycle corrects too little by that much. With
 * theta = 0.22 (0.16 if three axes are halved; found by measurement) half of that remains.
 * Piecewise constants, theta = 0, are twice too stiff, and with these operators they diverge.
 *
 * After a sweep that ends with black the black residuals are zero, and a sweep that begins with red
 * reads no red values: restriction reads the red cells, interpolation writes the black ones. */
#pragma once

#include "method/multilevel/grid/kernel/cells.h"
#include "method/run/method.h"
#include "operator/stencil/stencil.h"

#include <float.h>

/* theta of values; each grid has its own theta of corrections. */
static const float PERP_SHARE_LINEAR = 0.25f;

typedef struct perp_grids {
  int count;
  double unit; /* the largest diagonal entry: A is unit times the network */
  perp_grid grid[PERP_GRIDS_MOST];
  float *buffer;   /* a row of grid 0 */
  float *rows;     /* four rows */
  uint8_t *bytes;  /* four rows */
  int *changed[2]; /* lists of cells by number, `room` each */
  int64_t room;
} perp_grids;

static inline int64_t perp_grid_row(const perp_grid *g, int j, int k, int colour)
{
  return colour * g->colour + k * g->plane + j * g->row;
}

static inline perp_around perp_grid_around(const perp_grid *g, int j, int k, int colour)
{
  return perp_around_row(g->n[0], g->row, g->plane, g->colour, j, k, colour);
}

/* at <- the coordinates of a cell by its number, row by row. */
static inline void perp_grid_cell(const perp_grid *g, int number, int at[3])
{
  at[0] = number % g->n[0];
  at[1] = number / g->n[0] % g->n[1];
  at[2] = number / g->n[0] / g->n[1];
}

/* Returns the number of cells of a row with i = 2m + h. */
static inline int perp_grid_length(const perp_grid *g, int h)
{
  return (g->n[0] + 1 - h) / 2;
}

/* ---- build.c ---- */

/* *s <- the run's operator if it is a stencil, the stencil of a csr matrix with that structure, in
 * `arena`, or NULL. */
perp_error perp_grids_stencil(perp_run *run, perp_arena *arena, const perp_stencil **s);
/* Make grid 0, divided by `unit`, and the grids below the last one, with every unknown free. With
 * `relaxing` grid 0 can be relaxed too. Return false if memory is exhausted. */
bool perp_grids_begin(const perp_stencil *s, double unit, bool relaxing, perp_arena *arena,
                      perp_grids *grids);
bool perp_grids_extend(perp_grids *grids, perp_arena *arena);
/* Makes every unknown of grid 0 free again; the grids below do not follow. */
void perp_grids_release(perp_grids *grids);
/* Sets sizes and distances only; rows begin at multiples of `unit` places. */
void perp_grid_shape(perp_grid *g, const int n[3], int axes, int unit);
/* A block of memory with arrays; they are only counted while there is no block. */
typedef struct perp_grid_memory {
  char *block;
  size_t bytes;
} perp_grid_memory;
void *perp_grid_part(perp_grid_memory *l, size_t count, size_t size);
/* An array by cell, with zeros around as in the lattice of stencil.h, and room for reads by blocks
 * beyond the end of the last row. */
void *perp_grid_cells(perp_grid_memory *l, const perp_grid *g, size_t size);
/* The numbers of arrays of the linear system of a grid, and of that of a coarse grid. */
enum { PERP_GRID_VALUES = 3, PERP_GRID_BOUNDED = 5 };
/* The arrays of the network, and the first `values` of its linear system. */
void perp_grid_lay(perp_grid_memory *l, perp_grid *g, bool weighted, int values);
/* Makes one coarse grid, all zero. */
bool perp_grid_create(const int n[3], int axes, perp_arena *arena, perp_grid *g);
/* Chooses the axes of a grid of n that the next grid halves, by the mean weights of the faces along
 * each. */
void perp_grid_choose_axes(perp_grid *g, const double mean[3], const int n[3]);
/* Returns the largest diagonal entry. */
double perp_grids_unit(const perp_stencil *s);
/* Adds a diagonal d (by unknown, NULL: none) to grid 0, makes exactly the cells in F free, and
 * rebuilds all coarse grids. */
void perp_grids_restrict_to(perp_grids *grids, const perp_stencil *s, int m, const int *F,
                            const double *d);

/* ---- network.c ---- */

/* Builds the codes of grid `level`, and all of the grid below it. */
void perp_grids_build(perp_grids *grids, int level);
/* Updates codes and all grids below `level` after the states of `count` cells in changed[0]
 * changed; count < 0: of any cells. */
void perp_grids_follow(perp_grids *grids, int level, int64_t count);
/* gain <- 1 / diagonal after `count` cells changed; count < 0: in all cells. */
void perp_grid_gains(const perp_grid *g, const int *cells, int64_t count);

/* ---- cycle.c: transfers and sweeps; kernel/flow.h has the V-cycles ---- */

/* Computes the codes of some cells from place m on in a row. Returns the place behind the last. */
int perp_grid_code_from(const perp_grid *g, int j, int k, int colour, int m);
/* Adds the restriction of a row of residuals to the coarse grid's flat array. */
void perp_grid_restrict_row(const perp_grid *fine, const perp_grid *coarse, int j, int k,
                            int colour, const float *r);
/* v <- the interpolated values of a row, from the coarse grid's flat array; share: theta. */
void perp_grid_interpolate_row(const perp_grid *fine, const perp_grid *coarse, int j, int k,
                               int colour, float share, float *v);
/* x <- the result of a red half sweep from zero. */
void perp_grid_begin(const perp_grid *g);
/* f <- gain flat, and x as above. */
void perp_grid_receive(const perp_grid *g);
/* flat <- x, and x <- flat. */
void perp_grid_send(const perp_grid *g);
void perp_grid_fetch(const perp_grid *g);

/* Makes half a sweep of the linear system, or a whole sweep, red first, over all rows. */
void perp_grid_half_sweep(const perp_grid *g, int colour);
void perp_grid_sweep(const perp_grid *g, perp_grid_set set);
/* Restricts the red residuals of grid `level` into the next grid's flat array. */
void perp_grids_restrict(perp_grids *grids, int level);
/* x <- P(x + correction) if `add`, else P(interpolated values), from the next grid's flat array, on
 * one colour (start.c). */
void perp_grids_interpolate(const perp_grids *grids, int level, int set, int colour, bool add);
/* A symmetric V-cycle: a preconditioner for conjugate gradients. */
void perp_grids_cycle_symmetric(perp_grids *grids, int level, int sweeps);

/* ---- The grid of mg: on the CPU (finest.c), on a device (device_grid.c), or a part of it on each of
 * several processes (backend/petsc/mesh.c) ---- */

typedef struct perp_mg_place perp_mg_place;
struct perp_mg_place {
  perp_run *run;
  perp_relaxer *relaxer; /* its store brings x up to date */
  bool cold;             /* x is 0 on entry */
  perp_error failure;    /* of a device or for lack of memory, with the run's message */
  perp_grid_plan plan;   /* cycles = 0: no full multigrid */
  int64_t unknowns;      /* of all processes */
  double length;         /* of GO */
  /* Returns the natural residual at x, close to exact. */
  double (*residual)(perp_mg_place *p);
  /* Makes a step of grid 0 (perp_grid_op). */
  void (*step)(perp_mg_place *p, int op);
  /* Determines the free cells and the number that changed, restricts the residual, and returns an
   * estimate of it. */
  double (*prepare)(perp_mg_place *p, int64_t *changed);
  /* Makes a V-cycle from grid 1 on for the restricted residual; start: full multigrid instead. */
  void (*cycle)(perp_mg_place *p, bool start);
  /* energy <- the products of STEP's step with y and with A step. */
  void (*search)(perp_mg_place *p, double energy[2]);
  /* Returns true if x exceeds an ignored bound; the grid is then opened again with all bounds. */
  bool (*exceeds)(perp_mg_place *p);
  perp_error (*reopen)(perp_mg_place *p, double *x);
};

/* *place in the run's arena; NULL if A is not a grid. It is not usable if the run has ended. */
perp_error perp_mg_on_cpu(perp_run *run, double *x, perp_mg_place **place);
perp_error perp_mg_on_device(perp_run *run, double *x, perp_mg_place **place);

/* The loop of mg, with the sweeps of p->plan (mg.c). */
perp_error perp_mg_iterate(perp_mg_place *p, double *x);
