/* cells.h: grids as kernels see them, and what kernels do with them
 *
 * The mathematics is that of method/multilevel/grid (grid.h there has the formulas); here every
 * cell is computed by itself, so that a GPU may do all of them at once. A kernel is a function of a
 * task and a cell (m, j, k). It is written once, in the headers beside this one, and compiled for
 * CUDA and for the device "host".
 *
 * Arrays have the layout of operator/stencil/stencil.h: the colours apart, zeros around, and the
 * pointer at cell (0, 0, 0). Read by C and by C++. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PERP_GRIDS_MOST = 96 };

/* Bits of a cell's state. BACK, on grid 0 only: it stopped being free once (finest.c). */
enum { PERP_CELL_FREE = 1, PERP_CELL_UNKNOWN = 2, PERP_CELL_BACK = 4 };

/* Bits of a cell's code: how it takes part in transfers. */
enum {
  PERP_CODE_FREE = 1,
  PERP_CODE_BETWEEN = 2,  /* << axis: lies between its coarse cell and the next one or a sink */
  PERP_CODE_NEXT = 16,    /* << axis: ... and that is the next coarse cell, behind a free cell */
  PERP_CODE_INSIDE = 128, /* all neighbours along all axes are free, and no sink lies beside it */
};

/* What a relaxed value is projected on. */
typedef enum perp_grid_set { PERP_GRID_LINEAR, PERP_GRID_PLAIN, PERP_GRID_BOX } perp_grid_set;

/* What varies from cell to cell of grid 0; the numbers of perp_stencil_mode. */
enum { PERP_CELLS_UNIFORM, PERP_CELLS_DIAGONAL, PERP_CELLS_WEIGHTED };

enum { PERP_SEGMENT = 32 }; /* cells of a row that are built again together */

/* One grid of a hierarchy. */
typedef struct perp_cells {
  int n[3];
  int axes;                   /* 2 or 3 */
  int halve[3];               /* whether the next grid halves the axis */
  int segments;               /* of PERP_SEGMENT cells in a row, both colours */
  int64_t row, plane, colour; /* distances */
  float share;                /* theta of corrections */
  float weight;               /* of every face, if w is NULL */
  float *w[3];                /* by the cell at the lower end of the face */
  float *sink, *gain;         /* gain and what follows: not on grid 0, except for r */
  float *x, *f, *lo, *hi;     /* A x = f / gain */
  float *r;                   /* residuals of red cells */
  uint8_t *dirs, *state, *code;
  uint8_t *dirty;      /* by segment: cells of the grid above changed in it */
  uint8_t *dirty_next; /* the same of the next grid; NULL: there is none */
} perp_cells;

/* Grid 0 in double precision, where the problem itself is relaxed, and the problem in the order of
 * unknowns. */
typedef struct perp_fine {
  double *x, *offset, *gains, *wx, *wy, *wz, *lo, *hi, *step;
  float *diagonal; /* divided by the unit; NULL: `common` for all */
  float common;
  int mode, set;
  double gain, scale; /* scale weight / diagonal; 1/2 if x >= 0, else 1 */
  double size, unit;  /* of x in the units of the hierarchy; the greatest diagonal entry */
  double near;        /* for marks: the residual in the units of x */
  double length;      /* of a step */
  int back;           /* PERP_CELL_BACK, or 0 in the first mark */
  /* by unknown */
  double *by_x, *by_y;
  const double *b, *from, *by_lo, *by_hi; /* from: what x is counted from, or NULL */
  /* by cell, as the operator has them */
  const int *unknown; /* NULL: every cell */
  const double *a_diagonal, *a_wx, *a_wy, *a_wz;
  double a_weight, a_common; /* if all are equal */
} perp_fine;

/* Words that kernels leave for the processor. */
typedef enum perp_grid_word {
  PERP_WORD_NATURAL,  /* bits of the greatest natural residual */
  PERP_WORD_RESTRICT, /* bits of the greatest residual of a coarse cell */
  PERP_WORD_CHANGED,  /* cells that became free or stopped being free */
  PERP_WORD_EXCEEDS,  /* cells above a bound that was left out */
  PERP_WORD_SLOPE,    /* bits of sums */
  PERP_WORD_BEND,
  PERP_WORDS,
} perp_grid_word;

/* How a hierarchy is worked through. */
typedef struct perp_grid_plan {
  int count;                /* of grids */
  int tail;                 /* grids from this one on are small: one team does all of them */
  int pre, post;            /* sweeps of a V-cycle */
  int fine_pre, fine_post;  /* and of a problem on a coarse grid */
  int cycles;               /* on each coarse grid of full multigrid */
  int set;                  /* of coarse problems */
  const perp_cells *levels; /* where kernels read it; for the tail */
} perp_grid_plan;

typedef struct perp_grid_task {
  perp_cells g, below; /* a grid, and the next coarse one */
  perp_fine top;
  perp_grid_plan plan;
  int level, colour, set;
  uint64_t *words; /* PERP_WORDS */
  double *partial; /* PERP_PARTIAL sums of a part of the cells, two numbers each */
  void *bytes;     /* to be filled with `value` */
  int64_t count;
  uint8_t value;
} perp_grid_task;

/* How the cells of an operation are numbered: (m, j, k). */
typedef enum perp_grid_domain {
  PERP_OVER_COLOUR,    /* m: places of a colour in a row */
  PERP_OVER_CELLS,     /* m: cells of a row */
  PERP_OVER_BELOW,     /* cells of the next grid */
  PERP_OVER_TWO_BELOW, /* m: pairs of them in a row */
  PERP_OVER_PAIRS,     /* m: pairs of places, k: several planes at once */
  PERP_OVER_ROWS,      /* j: so many unknowns at once, m: one of them; of `count` */
} perp_grid_domain;

enum { PERP_PARTIAL = 4096 };
enum { PERP_PLANES = 4 };        /* that one lane goes through, PERP_OVER_PAIRS */
enum { PERP_ROW_LENGTH = 1024 }; /* PERP_OVER_ROWS */

/* name, domain, what becomes of the number that each cell gives: NONE, MAX (of numbers that are
 * not negative, NaN above all) or COUNT (their sum), and the word for it. FINE: on grid 0 in doubles; the
 * others are also done by the tail. */
#define PERP_GRID_FINE_OPS(OP)                                                                     \
  OP(fill_cell, PERP_OVER_CELLS, NONE, 0)                                                          \
  OP(release, PERP_OVER_CELLS, NONE, 0)                                                            \
  OP(fill_lattice, PERP_OVER_CELLS, NONE, 0)                                                       \
  OP(take_lower, PERP_OVER_CELLS, NONE, 0)                                                         \
  OP(take_problem, PERP_OVER_CELLS, NONE, 0)                                                       \
  OP(give_x, PERP_OVER_CELLS, NONE, 0)                                                             \
  OP(exceeds, PERP_OVER_CELLS, COUNT, PERP_WORD_EXCEEDS)                                           \
  OP(correct, PERP_OVER_COLOUR, NONE, 0)                                                           \
  OP(prolong, PERP_OVER_COLOUR, NONE, 0)                                                           \
  OP(step, PERP_OVER_COLOUR, NONE, 0)                                                              \
  OP(go, PERP_OVER_COLOUR, NONE, 0)                                                                \
  OP(load_fine, PERP_OVER_BELOW, NONE, 0)                                                          \
  OP(bounds_fine, PERP_OVER_BELOW, NONE, 0)                                                        \
  OP(wrong_b, PERP_OVER_ROWS, MAX, PERP_WORD_NATURAL)                                              \
  OP(wrong_bounds, PERP_OVER_ROWS, MAX, PERP_WORD_NATURAL)                                         \
  OP(wrong_x, PERP_OVER_ROWS, MAX, PERP_WORD_NATURAL)                                              \
  OP(size_b, PERP_OVER_ROWS, MAX, PERP_WORD_NATURAL)                                               \
  OP(size_lo, PERP_OVER_ROWS, MAX, PERP_WORD_NATURAL)                                              \
  OP(above_0, PERP_OVER_ROWS, MAX, PERP_WORD_NATURAL)                                              \
  OP(near_hi, PERP_OVER_ROWS, COUNT, PERP_WORD_CHANGED)                                            \
  OP(not_plain, PERP_OVER_ROWS, COUNT, PERP_WORD_CHANGED)                                          \
  OP(bounded, PERP_OVER_ROWS, COUNT, PERP_WORD_CHANGED)                                            \
  OP(not_zero, PERP_OVER_ROWS, COUNT, PERP_WORD_CHANGED)                                           \
  OP(differ, PERP_OVER_ROWS, COUNT, PERP_WORD_CHANGED)                                             \
  OP(judge, PERP_OVER_CELLS, MAX, PERP_WORD_NATURAL)                                               \
  OP(rounding, PERP_OVER_CELLS, MAX, PERP_WORD_NATURAL)

/* On grid 0: functions of its mode and of 2 or 3 axes besides (fine.h). */
#define PERP_GRID_MARCH_OPS(OP)                                                                    \
  OP(natural, PERP_OVER_PAIRS, MAX, PERP_WORD_NATURAL)                                             \
  OP(prepare, PERP_OVER_PAIRS, COUNT, PERP_WORD_CHANGED)

#define PERP_GRID_COARSE_OPS(OP)                                                                   \
  OP(relax, PERP_OVER_COLOUR, NONE, 0)                                                             \
  OP(remainder, PERP_OVER_COLOUR, NONE, 0)                                                         \
  OP(gather, PERP_OVER_TWO_BELOW, MAX, PERP_WORD_RESTRICT)                                         \
  OP(forget, PERP_OVER_BELOW, NONE, 0)                                                             \
  OP(add, PERP_OVER_COLOUR, NONE, 0)                                                               \
  OP(interpolate, PERP_OVER_CELLS, NONE, 0)                                                        \
  OP(mark, PERP_OVER_CELLS, NONE, 0)                                                               \
  OP(build, PERP_OVER_BELOW, NONE, 0)                                                              \
  OP(gains, PERP_OVER_BELOW, NONE, 0)                                                              \
  OP(load, PERP_OVER_BELOW, NONE, 0)                                                               \
  OP(bounds, PERP_OVER_BELOW, NONE, 0)                                                             \
  OP(receive, PERP_OVER_CELLS, NONE, 0)

#define PERP_GRID_NAME(name, domain, what, word) PERP_GRID_##name,

typedef enum perp_grid_op {
  PERP_GRID_FINE_OPS(PERP_GRID_NAME) PERP_GRID_MARCH_OPS(PERP_GRID_NAME)
      PERP_GRID_COARSE_OPS(PERP_GRID_NAME)
          PERP_GRID_sweep, /* half a sweep of grid 0, PERP_OVER_PAIRS */
  /* of the small grids, all at once */
  PERP_GRID_tail_cycle,
  PERP_GRID_tail_follow,
  PERP_GRID_tail_start,
  PERP_GRID_fill,  /* `bytes` <- value, count of them */
  PERP_GRID_faces, /* sum and number of the open faces along axis `set`, in the same words */
  /* the sums of the line search, in PERP_WORD_SLOPE and PERP_WORD_BEND */
  PERP_GRID_line,
  PERP_GRID_OPS,
} perp_grid_op;

#undef PERP_GRID_NAME

#ifdef __CUDACC__
#define PERP_HERE_AND_THERE static inline __host__ __device__
#else
#define PERP_HERE_AND_THERE static inline
#endif

/* How many m, j and k an operation has. */
PERP_HERE_AND_THERE void perp_grid_extent(const perp_grid_task *t, perp_grid_domain domain,
                                          int extent[3])
{
  const bool next = domain == PERP_OVER_BELOW || domain == PERP_OVER_TWO_BELOW;
  const perp_cells *g = next ? &t->below : &t->g;
  const int places = (g->n[0] + 1) / 2;
  if (domain == PERP_OVER_ROWS) {
    extent[0] = PERP_ROW_LENGTH;
    extent[1] = (int)((t->count + PERP_ROW_LENGTH - 1) / PERP_ROW_LENGTH);
    extent[2] = 1;
    return;
  }
  extent[0] = g->n[0];
  if (domain == PERP_OVER_COLOUR || domain == PERP_OVER_TWO_BELOW)
    extent[0] = places;
  else if (domain == PERP_OVER_PAIRS)
    extent[0] = (places + 1) / 2;
  extent[1] = g->n[1];
  extent[2] = domain == PERP_OVER_PAIRS ? (g->n[2] + PERP_PLANES - 1) / PERP_PLANES : g->n[2];
}
