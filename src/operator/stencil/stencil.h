/* stencil.h: internal interface of the stencil operator, its relaxer and its sweeps */
#pragma once

#include "device/device.h"
#include "operator/operator.h"
#include "operator/stencil/stencil_kernel.h"

/* Coefficients that a kernel reads besides x. */
typedef enum perp_stencil_mode {
  PERP_STENCIL_UNIFORM,  /* one weight, one diagonal: none */
  PERP_STENCIL_DIAGONAL, /* one weight: the diagonal of each cell */
  PERP_STENCIL_WEIGHTED, /* the diagonal and the face weights */
} perp_stencil_mode;

typedef struct perp_stencil {
  perp_operator base;
  perp_stencil_data data;     /* as given, or with owned copies for arrays */
  int cells;                  /* nx ny nz */
  bool solid;                 /* nz > 1 */
  bool full;                  /* unknown c is cell c, for every cell */
  bool ascending;             /* cells ascend with the unknowns */
  int *unknown;               /* by cell, -1: none; NULL if full; owned */
  const double *wx, *wy, *wz; /* all axes of this dimension, or all NULL */
  perp_stencil_mode mode;     /* from the values of the used entries */
  double weight, diagonal;    /* the common values, if the mode has them */
  double *zeros;              /* nx zeros, the row beyond the border; owned */
} perp_stencil;

/* Returns the unknown in a cell, or -1. */
static inline int perp_stencil_unknown(const perp_stencil *s, int cell)
{
  return s->full ? cell : s->unknown[cell];
}

static inline int perp_stencil_cell(const perp_stencil *s, int unknown)
{
  return s->full ? unknown : s->data.cells[unknown];
}

static inline double perp_stencil_diagonal(const perp_stencil *s, int cell)
{
  return s->mode == PERP_STENCIL_UNIFORM ? s->diagonal : s->data.diagonal[cell];
}

/* Returns the weight of the face between a cell and its neighbour at +1 in the array's
 * direction. */
static inline double perp_stencil_weight(const perp_stencil *s, const double *w, int cell)
{
  return s->mode == PERP_STENCIL_WEIGHTED ? w[cell] : s->weight;
}

bool perp_operator_is_stencil(const perp_operator *A);

/* Creates a stencil in the caller's memory without using the heap: every cell is an unknown, all
 * arrays are given and borrowed, including nx zeros. It is not destroyed. */
perp_error perp_stencil_borrow(const perp_stencil_data *data, double *zeros, perp_stencil *s,
                               perp_message *why);
/* Views a CSR matrix that is a grid in natural order as a stencil (recognise.c): *s is in the
 * arena, NULL if A is not such a grid. Returns PERP_ERROR_MEMORY when out of memory. */
perp_error perp_stencil_recognise(const perp_operator *A, perp_arena *arena, perp_stencil **s);

/* The operator in the form that kernels read: on the CPU, and on a device, with the arrays of
 * perp_operator_place or copies in rooms of the device. */
void perp_stencil_view(const perp_stencil *s, perp_stencil_cells *view);
perp_error perp_stencil_place(const perp_stencil *s, perp_device *device, perp_stencil_cells *there,
                              perp_message *why);

bool perp_set_is_unbounded(const perp_set *K);

/* The relaxer entry of the table (relax.c). */
perp_error perp_stencil_relaxer(const perp_operator *A, const double *b, const perp_set *K,
                                unsigned orders, perp_arena *arena, perp_relaxer **result);

/* ---- The layout of sweeps ----
 *
 * Cells with (i + j + k) even are red, the others black, and each colour is stored separately. In a
 * grid row one colour has the even cells and the other the odd ones: cell i is at m = i / 2 of its
 * colour's row. The neighbours of cell i = 2m + h all have the other colour, at m - 1 + h and m + h
 * in the same row and at m in the adjacent rows.
 *
 *   red    x0 x2 x4 ... 0 | x1 x3 ... 0 0 | x0 x2 x4 ... 0        rows j = 0, 1, 2 at k = 0
 *   black  x1 x3 ... 0 0  | x0 x2 x4 ... 0 | x1 x3 ... 0 0
 *
 * Each packed row ends with at least one zero, each plane with a row of zeros, and planes of zeros
 * surround a solid grid: cells beyond the border read as zero, at both ends of a row. A masked cell
 * has gain and offset zero and so stays zero. */
typedef struct perp_lattice {
  int nx, ny, nz;
  perp_stencil_mode mode;
  int64_t row, plane, colour; /* strides: of rows, of planes, from a red row to the black one */
  double scale;               /* 1/2 if K is plain (sweep.c), else 1 */
  bool unbounded;             /* all rows are unbounded: a linear system, no projection */
  double gain;                /* scale weight / diagonal, if all are equal */
  /* from cell (0, 0, 0) on; NULL if the mode and K do not need them */
  double *x;
  double *offset;       /* -scale b_c / A_cc */
  double *gains;        /* scale weight / A_cc, or scale / A_cc if there are weights */
  double *wx, *wy, *wz; /* by the cell at the lower end of the face, 0 at the border */
  double *lo, *hi;
} perp_lattice;

/* Returns the start of row (j, k) of a colour. */
static inline int64_t perp_lattice_row(const perp_lattice *g, int j, int k, int colour)
{
  return colour * g->colour + k * g->plane + j * g->row;
}

/* Returns the number of cells of a row with i = 2m + h. */
static inline int perp_lattice_length(const perp_lattice *g, int h)
{
  return (g->nx + 1 - h) / 2;
}

/* The cells of one colour in a row, `count` from c on, and the positions of the first one's
 * neighbours. */
typedef struct perp_around {
  int count;
  int64_t c, side, up, down, front, back; /* side: the upper neighbour along the row */
} perp_around;

/* Returns the cells of a colour in row (j, k) of any lattice of this layout: nx cells to a row, strides
 * as above. */
static inline perp_around perp_around_row(int nx, int64_t row, int64_t plane, int64_t colours,
                                          int j, int k, int colour)
{
  const int h = (j + k + colour) & 1;
  const int64_t c = colour * colours + k * plane + j * row;
  const int64_t other = colour ? c - colours : c + colours;
  return (perp_around){.count = (nx + 1 - h) / 2,
                       .c = c,
                       .side = other + h,
                       .up = other - row,
                       .down = other + row,
                       .front = other - plane,
                       .back = other + plane};
}

static inline perp_around perp_lattice_around(const perp_lattice *g, int j, int k, int colour)
{
  return perp_around_row(g->nx, g->row, g->plane, g->colour, j, k, colour);
}

/* Allocates an array of the lattice, all zeros, and returns a pointer to cell (0, 0, 0). There are
 * zeros before the red cells, between the colours and after the black ones. */
double *perp_lattice_array(const perp_lattice *g, perp_arena *arena);

/* Returns the lattice of a stencil's relaxer; it lives as long as the relaxer. */
perp_lattice *perp_stencil_lattice(perp_relaxer *relaxer);

/* Replaces x by x - from, and b and K accordingly: load subtracts `from` (by unknown; the caller's
 * array) from x and store adds it. Loads. */
void perp_stencil_count_from(perp_relaxer *relaxer, const double *from);

/* One sweep; K is plain or a box. Lexicographic sweeps go by cells. */
void perp_lattice_sweep_coloured(const perp_lattice *g, double omega, int threads);
void perp_lattice_sweep_cells(const perp_lattice *g, double omega, bool backward);

/* ---- incomplete.c: modified incomplete Cholesky factors ----
 *
 *   A_FF + diag(d_F) ~ (E + L) E^-1 (E + L^T),   L the strictly lower part of A_FF
 *
 * one number per cell and no matrix (Gustafsson 1978). The dropped fill-in is subtracted from the
 * diagonal, so that M reproduces smooth vectors and the condition of M^-1 A grows like 1/h instead
 * of 1/h^2. */

typedef struct perp_stencil_incomplete {
  const perp_stencil *s;
  double *inverse; /* by cell: 1 / E_c, 0 if the cell is not in F */
  double *t;       /* by cell, with zeros before the first and after the last */
} perp_stencil_incomplete;

/* A must be a stencil. Returns false when out of memory. */
bool perp_stencil_incomplete_create(const perp_operator *A, perp_arena *arena,
                                    perp_stencil_incomplete *f);
/* Factors A_FF + diag(d_F). in: true if unknown u is in F; d: by unknown, NULL: 0. */
void perp_stencil_incomplete_factor(perp_stencil_incomplete *f, const bool *in, const double *d);
/* z <- M^-1 r in F, 0 elsewhere; z may be r; r is read only in F. */
void perp_stencil_incomplete_solve(perp_stencil_incomplete *f, const double *r, double *z);
