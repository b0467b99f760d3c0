/* cells.h: grids for kernels and the CPU, the places of cells, and the formulas of a cell
 *
 * grid.h has the mathematics. On a device every cell is computed independently, so that a GPU can
 * compute all of them at once; the CPU goes through rows in vector code. Both share the formulas
 * here. A kernel is a function of a task and a cell (m, j, k); it is compiled for CUDA and for the
 * device "host".
 *
 * Arrays have the layout of operator/stencil/stencil.h: the colours apart, zeros around, and the
 * pointer at cell (0, 0, 0). Read by C and by C++. */
#pragma once

#include "device/device.h"
#include "device/values.h"
#include "operator/stencil/stencil_kernel.h"

#include <math.h>

extern const perp_kernel perp_kernel_grid; /* a perp_grid_op of perp_grid_task (device_grid.c) */

enum { PERP_GRIDS_MOST = 96 };

/* Bits of a cell's state. BACK, on grid 0 only: it stopped being free once (perp_cell_marked). */
enum { PERP_CELL_FREE = 1, PERP_CELL_UNKNOWN = 2, PERP_CELL_BACK = 4 };

/* Bits of a cell's code for transfers. */
enum {
  PERP_CODE_FREE = 1,
  PERP_CODE_BETWEEN = 2,  /* << axis: lies between its coarse cell and the next one or a sink */
  PERP_CODE_NEXT = 16,    /* << axis: the same, and it is the next coarse cell, behind a free
                           * cell */
  PERP_CODE_INSIDE = 128, /* all neighbours along all axes are free, without a sink among them */
};

/* The set for the projection of relaxed values. */
typedef enum perp_grid_set { PERP_GRID_LINEAR, PERP_GRID_PLAIN, PERP_GRID_BOX } perp_grid_set;

/* The data that vary from cell to cell of grid 0; the numbers of perp_stencil_mode. */
enum { PERP_CELLS_UNIFORM, PERP_CELLS_DIAGONAL, PERP_CELLS_WEIGHTED };

enum { PERP_SEGMENT = 32 }; /* cells of a row that a device rebuilds together */

/* One grid of a hierarchy. */
typedef struct perp_grid {
  int n[3];
  int axes;                   /* 2 or 3 */
  int halve[3];               /* 1 if the next grid halves the axis */
  int segments;               /* of PERP_SEGMENT cells in a row, both colours */
  int64_t cells;              /* n[0] n[1] n[2] */
  int64_t row, plane, colour; /* distances */
  float share;                /* theta of corrections */
  float weight;               /* of every face, if w is NULL */
  float *w[3];                /* by the cell at the lower end of the face */
  float *sink;                /* the surplus of the diagonal over its faces */
  uint8_t *dirs;              /* 1 << (2 axis + upper): direction of the sink; 0: in the cell */
  uint8_t *state, *code;
  /* NULL on grid 0 from here on, except for r and for a preconditioner. */
  float *gain;    /* 1 / diagonal, 0 if not free */
  float *x, *f;   /* A x = f / gain */
  float *lo, *hi; /* if the coarse problems have bounds other than x >= 0 */
  /* on the CPU */
  float *flat; /* by cell, row by row, a zero at both ends: input and output of transfers */
  /* on a device */
  float *r;            /* residuals of red cells */
  uint8_t *dirty;      /* by segment: cells of the grid above changed in it */
  uint8_t *dirty_next; /* the same for the next grid; NULL: none */
} perp_grid;

/* Grid 0 in double precision, on which the problem itself is relaxed, and the problem in the order
 * of unknowns. */
typedef struct perp_fine {
  double *x, *offset, *gains, *wx, *wy, *wz, *lo, *hi, *step;
  float *diagonal; /* divided by the unit; NULL: `common` for all */
  float common;
  int mode, set;
  double gain, scale; /* scale weight / diagonal; 1/2 if x >= 0, else 1 */
  double size, unit;  /* of x in the units of the hierarchy; the largest diagonal entry */
  double shrink;      /* 1 / (scale size) */
  double near;        /* for marks: the residual in the units of x */
  double length;      /* of a step */
  int back;           /* PERP_CELL_BACK, or 0 in the first mark */
  /* by unknown */
  double *by_x, *by_y;
  const double *b, *from, *by_lo, *by_hi; /* from: the origin of x, or NULL */
  perp_stencil_cells A;                   /* the operator itself */
} perp_fine;

/* Words that kernels return to the CPU. */
typedef enum perp_grid_word {
  PERP_WORD_NATURAL,  /* bits of the largest natural residual */
  PERP_WORD_RESTRICT, /* bits of the largest residual of a coarse cell */
  PERP_WORD_CHANGED,  /* cells that became free or stopped being free */
  PERP_WORD_EXCEEDS,  /* cells above an ignored bound */
  PERP_WORD_SLOPE,    /* bits of sums */
  PERP_WORD_BEND,
  PERP_WORDS,
} perp_grid_word;

/* Sweeps of a problem after a correction, and of a V-cycle. */
enum { PERP_POST = 1, PERP_PRE_COARSE = 2, PERP_POST_COARSE = 2 };

/* The schedule of a hierarchy. */
typedef struct perp_grid_plan {
  int count;               /* number of grids */
  int tail;                /* grids from this one on are small: one team handles all of them */
  int fine_pre;            /* sweeps of a problem before a correction */
  int cycles;              /* on each coarse grid of full multigrid */
  int set;                 /* of coarse problems */
  const perp_grid *levels; /* in memory that kernels read; for the tail */
} perp_grid_plan;

enum { PERP_BOTH = 2 }; /* as a colour: red, then black */

typedef struct perp_grid_task {
  perp_grid g, below; /* a grid, and the next coarse one */
  perp_fine top;
  perp_grid_plan plan;
  int level, colour, set;
  uint64_t *words; /* PERP_WORDS */
  double *partial; /* PERP_PARTIAL partial sums over the cells, two numbers each */
  void *bytes;     /* to be filled with `value` */
  int64_t count;
  uint8_t value;
} perp_grid_task;

/* The numbering (m, j, k) of the cells of an operation. */
typedef enum perp_grid_domain {
  PERP_OVER_COLOUR, /* m: places of a colour in a row */
  PERP_OVER_CELLS,  /* m: cells of a row */
  PERP_OVER_BELOW,  /* cells of the next grid */
  PERP_OVER_PAIRS,  /* m: pairs of places, k: several planes at once */
} perp_grid_domain;

enum { PERP_PARTIAL = 4096 };
enum { PERP_PLANES = 4 }; /* planes per lane, PERP_OVER_PAIRS */

/* The order is that of perp_grid_way_of. Those on grid 0 alone are in doubles; the tail makes those on
 * coarse grids too. */
typedef enum perp_grid_op {
  /* PERP_OVER_CELLS */
  PERP_GRID_FILL_CELL,    /* grid 0 as a network */
  PERP_GRID_RELEASE,      /* grid 0: every unknown is free again */
  PERP_GRID_FILL_LATTICE, /* grid 0: A in the layout of sweeps */
  PERP_GRID_TAKE_LOWER,   /* grid 0: b of x - lo */
  PERP_GRID_TAKE_PROBLEM, /* grid 0: x, b and the bounds, by cell */
  PERP_GRID_GIVE_X,       /* grid 0: x by unknown */
  PERP_GRID_EXCEEDS,      /* grid 0: x above an ignored bound */
  PERP_GRID_INTERPOLATE,  /* x <- P(interpolated values) */
  PERP_GRID_MARK,         /* free cells */
  PERP_GRID_RECEIVE,      /* f <- gain f */
  /* PERP_OVER_COLOUR */
  PERP_GRID_CORRECT,   /* grid 0: x <- P(x + correction) */
  PERP_GRID_PROLONG,   /* grid 0: x <- P(interpolated values) */
  PERP_GRID_STEP,      /* grid 0: step <- P(x + correction) - x */
  PERP_GRID_GO,        /* grid 0: x <- P(x + length step) */
  PERP_GRID_RELAX,     /* half a sweep */
  PERP_GRID_REMAINDER, /* r <- f / gain - A x in red cells */
  PERP_GRID_ADD,       /* x <- P(x + correction) */
  /* PERP_OVER_BELOW */
  PERP_GRID_LOAD,   /* the load of the next grid, and its bounds */
  PERP_GRID_BOUNDS, /* */
  PERP_GRID_BUILD,  /* the next grid */
  PERP_GRID_GAINS,  /* and its diagonal */
  PERP_GRID_GATHER, /* f and x of the next grid <- the restricted residual */
  PERP_GRID_FORGET, /* f and x of the next grid <- 0 */
  /* PERP_OVER_PAIRS: on grid 0; compiled for each mode and 2 or 3 axes */
  PERP_GRID_NATURAL,  /* the natural residual */
  PERP_GRID_PREPARE,  /* free cells, and the residuals of red cells */
  PERP_GRID_SWEEP,    /* half a sweep */
  PERP_GRID_CELL_OPS, /* the number of operations above */
  /* on the small grids, all at once */
  PERP_GRID_TAIL_CYCLE = PERP_GRID_CELL_OPS,
  PERP_GRID_TAIL_FOLLOW,
  PERP_GRID_TAIL_START,
  PERP_GRID_FILL,  /* `bytes` <- value, count of them */
  PERP_GRID_FACES, /* sum and number of the open faces along axis `set`, in the words of LINE */
  PERP_GRID_LINE,  /* the sums of the line search, in PERP_WORD_SLOPE and PERP_WORD_BEND */
} perp_grid_op;

/* Reduction over the cells: the largest of nonnegative numbers, NaN above all, or
 * their sum. */
enum { PERP_KEEP_NOTHING, PERP_KEEP_MOST, PERP_KEEP_COUNT };

typedef struct perp_grid_way {
  perp_grid_domain domain;
  int keep;
  int word; /* the word of the result */
} perp_grid_way;

#ifdef __CUDACC__
#define PERP_HERE_AND_THERE static inline constexpr __host__ __device__
#else
#define PERP_HERE_AND_THERE static inline
#endif

PERP_HERE_AND_THERE perp_grid_way perp_grid_way_of(int op)
{
  perp_grid_way way = {PERP_OVER_CELLS, PERP_KEEP_NOTHING, 0};
  way.domain = op < PERP_GRID_CORRECT   ? PERP_OVER_CELLS
               : op < PERP_GRID_LOAD    ? PERP_OVER_COLOUR
               : op < PERP_GRID_NATURAL ? PERP_OVER_BELOW
                                        : PERP_OVER_PAIRS;
  if (op == PERP_GRID_GATHER || op == PERP_GRID_NATURAL) {
    way.keep = PERP_KEEP_MOST;
    way.word = op == PERP_GRID_GATHER ? PERP_WORD_RESTRICT : PERP_WORD_NATURAL;
  } else if (op == PERP_GRID_EXCEEDS || op == PERP_GRID_PREPARE) {
    way.keep = PERP_KEEP_COUNT;
    way.word = op == PERP_GRID_EXCEEDS ? PERP_WORD_EXCEEDS : PERP_WORD_CHANGED;
  }
  return way;
}

/* Computes the numbers of m, j and k of an operation. */
PERP_HERE_AND_THERE void perp_grid_extent(const perp_grid_task *t, perp_grid_domain domain,
                                          int extent[3])
{
  const perp_grid *g = domain == PERP_OVER_BELOW ? &t->below : &t->g;
  const int places = (g->n[0] + 1) / 2;
  extent[0] = g->n[0];
  if (domain == PERP_OVER_COLOUR)
    extent[0] = places;
  else if (domain == PERP_OVER_PAIRS)
    extent[0] = (places + 1) / 2;
  extent[1] = g->n[1];
  extent[2] = domain == PERP_OVER_PAIRS ? (g->n[2] + PERP_PLANES - 1) / PERP_PLANES : g->n[2];
}

/* ---- Places ---- */

TEAM int64_t perp_grid_slot(const perp_grid *g, int i, int j, int k)
{
  return ((i + j + k) & 1) * g->colour + k * g->plane + j * g->row + i / 2;
}

/* Returns the number of places of a row of the next grid along an axis. */
TEAM int perp_cell_halved(const perp_grid *g, int axis)
{
  return g->halve[axis] ? (g->n[axis] + 1) / 2 : g->n[axis];
}

/* A cell of a colour, and the slots around it. */
typedef struct perp_spot {
  int at[3];
  int colour;
  int64_t slot, other; /* other: the same place in the other colour */
} perp_spot;

TEAM perp_spot perp_spot_at(const perp_grid *g, int i, int j, int k)
{
  perp_spot s;
  s.at[0] = i;
  s.at[1] = j;
  s.at[2] = k;
  s.colour = (i + j + k) & 1;
  s.slot = perp_grid_slot(g, i, j, k);
  s.other = s.colour ? s.slot - g->colour : s.slot + g->colour;
  return s;
}

/* Returns the slot of the neighbour along an axis; beyond the border it holds a zero. */
TEAM int64_t perp_spot_next(const perp_grid *g, const perp_spot *s, int axis, int upper)
{
  const int64_t step = axis == 1 ? g->row : g->plane;
  return axis == 0 ? s->other - 1 + (s->at[0] & 1) + upper : s->other + (upper ? step : -step);
}

/* Marks the segment of a changed cell for the grid below. */
TEAM void perp_cell_touch(const perp_grid *g, int i, int j, int k)
{
  if (!g->dirty_next)
    return;
  const int I = g->halve[0] ? i / 2 : i, J = g->halve[1] ? j / 2 : j, K = g->halve[2] ? k / 2 : k;
  const int segments = (perp_cell_halved(g, 0) + PERP_SEGMENT - 1) / PERP_SEGMENT;
  g->dirty_next[((int64_t)K * perp_cell_halved(g, 1) + J) * segments + I / PERP_SEGMENT] = 1;
}

/* Marks the cell itself as changed since it was built. */
TEAM void perp_cell_touch_own(const perp_grid *g, int i, int j, int k)
{
  g->dirty[((int64_t)k * g->n[1] + j) * g->segments + i / PERP_SEGMENT] = 1;
}

/* Returns true if a cell must be rebuilt: something changed in its segment or in a neighbouring
 * one. */
TEAM bool perp_cell_is_dirty(const perp_grid *g, int I, int J, int K)
{
  const uint8_t *own = g->dirty + ((int64_t)K * g->n[1] + J) * g->segments;
  const int s = I / PERP_SEGMENT;
  int any = own[s];
  any |= I > 0 ? own[(I - 1) / PERP_SEGMENT] : 0;
  any |= I + 1 < g->n[0] ? own[(I + 1) / PERP_SEGMENT] : 0;
  any |= J > 0 ? own[s - g->segments] : 0;
  any |= J + 1 < g->n[1] ? own[s + g->segments] : 0;
  any |= K > 0 ? own[s - (int64_t)g->n[1] * g->segments] : 0;
  any |= K + 1 < g->n[2] ? own[s + (int64_t)g->n[1] * g->segments] : 0;
  return any != 0;
}

/* ---- Formulas: the network ---- */

/* Clamps a number outside the range of floats to the largest float. */
TEAM float perp_to_float(double a)
{
  const double most = 3.40282346638528859812e38; /* FLT_MAX */
  const double below = a < most ? a : most;
  return (float)(below > -most ? below : -most);
}

/* Grid 0 as a network: the weight of a face, and the surplus s = A_cc - sum |w| of the diagonal as
 * a sink. An entry that the network cannot represent (a negative weight, a diagonal that is not
 * dominant) is omitted: the hierarchy is then that of a nearby matrix. */
TEAM float perp_network_face(double w, double unit)
{
  return perp_to_float((w > 0 ? w : 0) / unit);
}

TEAM bool perp_network_is_sink(double sink, double diagonal)
{
  return sink > 1e-13 * diagonal;
}

/* Fills a cell of grid 0 that is an unknown, with `more` added to its diagonal. */
TEAM void perp_grid_fill_cell(const perp_grid *g, const perp_stencil_cells *A, double unit,
                              double more, int i, int j, int k)
{
  const int64_t slot = perp_grid_slot(g, i, j, k);
  const int at[3] = {i, j, k};
  double sum = 0;
  uint8_t closed = 0;
  for (int axis = 0; axis < g->axes; axis++)
    for (int upper = 0; upper < 2; upper++) {
      int64_t next;
      const double w = perp_stencil_face(A, at, axis, upper, &next);
      if (next < 0)
        closed |= (uint8_t)(1 << (2 * axis + upper));
      sum += fabs(w);
      if (upper && g->w[axis])
        g->w[axis][slot] = perp_network_face(w, unit);
    }
  const double diagonal = perp_stencil_entry(A, perp_stencil_number(A, i, j, k));
  const double sink = diagonal + more - sum;
  const bool dominant = perp_network_is_sink(sink, diagonal);
  g->sink[slot] = dominant ? perp_to_float(sink / unit) : 0;
  g->dirs[slot] = dominant ? closed : 0;
  g->state[slot] = PERP_CELL_FREE | PERP_CELL_UNKNOWN;
}

/* A half face to a free cell, as r / a; r = 0 and a = 1 if there is none. */
typedef struct perp_half {
  float a, r;
} perp_half;

TEAM perp_half perp_half_of(bool free, float w)
{
  const float half = free ? w + w : 0;
  perp_half h;
  h.r = half > 0 ? 1 : 0;
  h.a = half > 0 ? half : 1;
  return h;
}

/* 1 / (1 / s + r / a): a sink, lengthened by the half face towards the centre; and
 * 1 / (1 / w + r / a + r' / a'): a face and the half faces on both sides. */
#define PERP_LENGTHENED(sink, in) ((sink) * (in).a / ((in).a + (sink) * (in).r))
#define PERP_PATH(w, in, out)                                                                      \
  ((w) * ((in).a * (out).a) / ((in).a * (out).a + (w) * ((in).r * (out).a + (out).r * (in).a)))

/* Returns the inverse of a diagonal entry. */
TEAM float perp_gain(float diagonal, uint8_t state)
{
  return diagonal >= 1.17549435e-38f && (state & PERP_CELL_FREE) ? 1 / diagonal : 0; /* FLT_MIN */
}

/* Returns the sweeps of grid `level` in addition to the sweeps of grid 1 (cycle.c). */
PERP_HERE_AND_THERE int perp_grids_more(int level)
{
  return level < 3 ? level - 1 : 2;
}

/* ---- Formulas: transfers ---- */

/* Returns the bits of a code for a halved axis: `in` and `out` are 1 if the neighbour on that side
 * is free and the face to it open, `open` if the outer face is open, `sink` if there is a sink. */
TEAM uint8_t perp_code_axis(uint8_t in, uint8_t out, uint8_t open, uint8_t sink, int axis)
{
  const uint8_t between = (uint8_t)(PERP_CODE_BETWEEN << axis),
                next = (uint8_t)(PERP_CODE_NEXT << axis);
  return (uint8_t)((in & (open | sink) ? between : 0) | (in & out ? next : 0));
}

/* Returns the share of its residual that a cell keeps, and the weight of its own coarse value. */
TEAM float perp_code_own(uint8_t code, float share)
{
  const int between = (code >> 1 & 1) + (code >> 2 & 1) + (code >> 3 & 1);
  return (float)(code & PERP_CODE_FREE) * (1 - share * (float)between);
}

/* Returns the share for the next coarse cell along an axis. */
TEAM float perp_code_next(uint8_t code, int axis, float share)
{
  return (float)(code >> (4 + axis) & 1) * share;
}

/* Returns the interpolated value, from its coarse cell and the next ones. */
TEAM float perp_code_value(uint8_t code, float share, float own, float x, float y, float z)
{
  const float sum = (code & PERP_CODE_NEXT ? x : 0) +
                    ((code & PERP_CODE_NEXT << 1 ? y : 0) + (code & PERP_CODE_NEXT << 2 ? z : 0));
  return perp_code_own(code, share) * own + share * sum;
}

/* ---- Formulas: free cells and corrections ---- */

/* Corrections are too short for the energy, by a tenth if they vary from one coarse cell to the
 * next; this is the best factor for all of them together, found by measurement. */
#define PERP_FINE_OVER 1.05

/* Returns the state of a cell of grid 0 with x at least `above` above its lower bound and `below`
 * below its upper one. A cell that is not free becomes free if its distance from the bound is above
 * 0.05 times the residual in the units of x (`near`), or 0.5 times if it was free before. If the
 * solution lies on a bound with y = 0, the error lifts the cell off the bound in every other cycle.
 * Holding it there adds at most this distance to the residual, and the hierarchy does not
 * change. */
TEAM uint8_t perp_cell_marked(uint8_t state, double above, double below, double near, int back)
{
  const bool was = state & PERP_CELL_FREE;
  const double away = was ? 0 : (state & PERP_CELL_BACK ? 0.5 : 0.05) * near;
  const bool is = above > away && below > away;
  if (!(state & PERP_CELL_UNKNOWN) || is == was)
    return state;
  return (uint8_t)((state ^ PERP_CELL_FREE) | (was ? back : 0));
}
