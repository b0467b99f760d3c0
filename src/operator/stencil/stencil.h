/* stencil.h: what the stencil operator, its relaxer and its sweeps share */
#pragma once

#include "device/device.h"
#include "operator/operator.h"
#include "operator/stencil/stencil_kernel.h"

/* What a kernel has to read beside x. */
typedef enum perp_stencil_mode {
  PERP_STENCIL_UNIFORM,  /* one weight, one diagonal: nothing */
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
  int *unknown;               /* by cell, -1 where there is none; NULL where full; owned */
  const double *wx, *wy, *wz; /* all there are in this dimension, or all NULL */
  perp_stencil_mode mode;     /* by the values of the used entries */
  double weight, diagonal;    /* the common values, as far as the mode says they are common */
  double *zeros;              /* nx zeros, the row beyond the border; owned */
} perp_stencil;

/* The unknown in a cell, -1 where there is none. */
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

/* The weight of the face between a cell and its neighbour at +1 in the array's direction. */
static inline double perp_stencil_weight(const perp_stencil *s, const double *w, int cell)
{
  return s->mode == PERP_STENCIL_WEIGHTED ? w[cell] : s->weight;
}

/* Whether A is of this kind. */
bool perp_operator_is_stencil(const perp_operator *A);

/* A stencil in memory of the caller's, for whoever may not touch the heap: every cell an unknown,
 * all arrays given and borrowed, nx zeros too. It is not destroyed. */
perp_error perp_stencil_borrow(const perp_stencil_data *data, double *zeros, perp_stencil *s,
                               perp_message *why);
/* A csr matrix that is a grid in natural order, seen as one (recognise.c): *s in the arena;
 * NULL where it is none. PERP_ERROR_MEMORY. */
perp_error perp_stencil_recognise(const perp_operator *A, perp_arena *arena, perp_stencil **s);

/* The operator as kernels read it: on the CPU, and on a device, where its arrays are as
 * perp_operator_place left them or copies in rooms of the device. */
void perp_stencil_view(const perp_stencil *s, perp_stencil_cells *view);
perp_error perp_stencil_place(const perp_stencil *s, perp_device *device, perp_stencil_cells *there,
                              perp_message *why);

/* Whether there is no bound in any row. */
bool perp_set_is_unbounded(const perp_set *K);

/* The relaxer entry of the table (relax.c). */
perp_error perp_stencil_relaxer(const perp_operator *A, const double *b, const perp_set *K,
                                int threads, unsigned orders, perp_arena *arena,
                                perp_relaxer **result);

/* ---- The layout of sweeps ----
 *
 * Cells with (i + j + k) even are red, the others black, and the colours are stored apart. In a
 * grid row one colour has the even cells and the other the odd ones: cell i sits at m = i / 2 of
 * its colour's row. The neighbours of cell i = 2m + h are all of the other colour, in the same
 * row at m - 1 + h and m + h, in the rows around it at m again.
 *
 *   red    x0 x2 x4 ... 0 | x1 x3 ... 0 0 | x0 x2 x4 ... 0        rows j = 0, 1, 2 at k = 0
 *   black  x1 x3 ... 0 0  | x0 x2 x4 ... 0 | x1 x3 ... 0 0
 *
 * Each packed row ends with at least one zero, each plane with a row of zeros, and planes of
 * zeros lie around a solid grid: what is beyond the border reads as zero, at both ends of a row.
 * A masked cell has gain and offset zero and so stays zero. */
typedef struct perp_lattice {
  int nx, ny, nz;
  perp_stencil_mode mode;
  int64_t row, plane, colour; /* distances: of rows, of planes, from a red row to the black one */
  double scale;               /* 1/2 where K is plain (sweep.c), else 1 */
  bool unbounded;             /* no bound in any row: a linear system, nothing is projected */
  double gain;                /* scale weight / diagonal, where all are equal */
  /* from cell (0, 0, 0) on; NULL where the mode or K do not need them */
  double *x;
  double *offset;       /* -scale b_c / A_cc */
  double *gains;        /* scale weight / A_cc, or scale / A_cc where there are weights */
  double *wx, *wy, *wz; /* by the cell at the lower end of the face, 0 where it leads nowhere */
  double *lo, *hi;
} perp_lattice;

/* Where the row (j, k) of a colour starts. */
static inline int64_t perp_lattice_row(const perp_lattice *g, int j, int k, int colour)
{
  return colour * g->colour + k * g->plane + j * g->row;
}

/* How many cells of a row have i = 2m + h. */
static inline int perp_lattice_length(const perp_lattice *g, int h)
{
  return (g->nx + 1 - h) / 2;
}

/* The cells of one colour in a row, `count` from c on, and where the neighbours of the first are. */
typedef struct perp_around {
  int count;
  int64_t c, side, up, down, front, back; /* side: the upper one along the row */
} perp_around;

/* Of row (j, k), for any lattice of this layout: nx cells to a row, the distances as above. */
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

/* The lattice that a stencil's relaxer works on; alive as long as the relaxer. */
perp_lattice *perp_stencil_lattice(perp_relaxer *relaxer);

/* From here on the relaxer's x, b and K are those of x - from: load takes `from` (by unknown; the
 * caller's) off x and store adds it. Loads. */
void perp_stencil_count_from(perp_relaxer *relaxer, const double *from);

/* Unscaled relaxed value of one cell, weights read. */
double perp_lattice_relaxed(const perp_lattice *g, int64_t slot, int colour, int h);
/* One sweep; K plain or a box. Lexicographic ones go by cells. */
void perp_lattice_sweep_coloured(const perp_lattice *g, double omega, int threads);
void perp_lattice_sweep_forward(const perp_lattice *g, double omega);
void perp_lattice_sweep_backward(const perp_lattice *g, double omega);

/* ---- incomplete.c: modified incomplete Cholesky factors ----
 *
 *   A_FF + diag(d_F) ~ (E + L) E^-1 (E + L^T),   L the strictly lower part of A_FF
 *
 * one number for each cell and no matrix (Gustafsson 1978). What the factor drops is taken off its
 * diagonal, so that M reproduces smooth vectors and the condition of M^-1 A grows like 1/h and not
 * like 1/h^2. */

typedef struct perp_stencil_incomplete {
  const perp_stencil *s;
  double *inverse; /* by cell: 1 / E_c, 0 where the cell is not in F */
  double *t;       /* by cell, with zeros before the first and behind the last */
} perp_stencil_incomplete;

/* A is a stencil. False when out of memory. */
bool perp_stencil_incomplete_create(const perp_operator *A, perp_arena *arena,
                                    perp_stencil_incomplete *f);
/* in: whether unknown u is in F; d: by unknown, NULL: 0. */
void perp_stencil_incomplete_factor(perp_stencil_incomplete *f, const bool *in, const double *d);
/* z <- M^-1 r in F, 0 elsewhere; z may be r, which is read in F alone. */
void perp_stencil_incomplete_solve(perp_stencil_incomplete *f, const double *r, double *z);
