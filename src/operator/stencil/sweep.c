/* sweep.c: projected relaxation sweeps over a grid in the layout of stencil.h
 *
 *   t = (sum over the neighbours d of c of w_cd x_d - b_c) / A_cc
 *   x_c <- P_c( (1 - omega) x_c + omega t ),          cell after cell in the order of the sweep
 *
 * If K is plain, all of t is halved (scale 1/2, exact) and max(2 t, 0) = t + |t|: two instructions
 * on every vector unit, and NaN passes through.
 *
 * Red-black. The cells of a colour in a row are contiguous, and so is all data they read. Red goes
 * before black in bands of rows that fit a cache. Black may follow when the red cells of the
 * adjacent rows are done: `lag` rows behind, one row in the plane and a plane of rows in a solid
 * grid. So memory is streamed about once per sweep, not twice. Threads process slabs of rows; the
 * black rows at both ends of a slab wait until all slabs are done. Values do not depend on the
 * slabs: each red cell reads old black cells, each black cell new red ones.
 *
 * Lexicographic. Each cell waits for the one before it. Four rows, each two cells behind the row
 * before it, keep four such chains in flight and give the textbook values.
 *
 * Traffic of a sweep in bytes per cell: x 16, offset 8; gains 8 and each direction's weights 8 if
 * they vary; bounds 16 if K is a box. Workspace: none. */
#include "operator/relax.h"
#include "operator/stencil/stencil.h"

#include "base/kernel.h"
#include "base/threads.h"

enum { CHAINS = 4, BAND_CELLS = 1 << 16, SLAB_CELLS = 1 << 17, SLAB_LAGS = 4 };

/* The set that relaxed values are projected onto. */
typedef enum bounds { PLAIN, BOX, NONE } bounds;

static bounds bounds_of(const perp_lattice *g)
{
  return g->unbounded ? NONE : g->lo ? BOX : PLAIN;
}

/* Parameters of a sweep: x <- P(keep x + omega t), keep = (1 - omega) scale. */
typedef struct relaxation {
  double omega, keep;
} relaxation;

static relaxation relaxation_of(const perp_lattice *g, double omega)
{
  return (relaxation){omega, (1 - omega) * g->scale};
}

/* One loop of a kernel for each mode, set and dimension, its last three arguments. */
#define FOR_DIMENSION(kernel, g, ...)                                                              \
  ((g)->nz > 1 ? kernel(g, __VA_ARGS__, true) : kernel(g, __VA_ARGS__, false))
#define FOR_SET(kernel, g, ...)                                                                    \
  (bounds_of(g) == PLAIN ? FOR_DIMENSION(kernel, g, __VA_ARGS__, PLAIN)                            \
   : bounds_of(g) == BOX ? FOR_DIMENSION(kernel, g, __VA_ARGS__, BOX)                              \
                         : FOR_DIMENSION(kernel, g, __VA_ARGS__, NONE))
#define FOR_MODE(kernel, g, ...)                                                                   \
  ((g)->mode == PERP_STENCIL_UNIFORM    ? FOR_SET(kernel, g, __VA_ARGS__, PERP_STENCIL_UNIFORM)    \
   : (g)->mode == PERP_STENCIL_DIAGONAL ? FOR_SET(kernel, g, __VA_ARGS__, PERP_STENCIL_DIAGONAL)   \
                                        : FOR_SET(kernel, g, __VA_ARGS__, PERP_STENCIL_WEIGHTED))

/* ---- Red-black ---- */

/* Offsets a pointer to an array that may be absent. */
static inline const double *part_of(const double *array, int64_t at)
{
  return array ? array + at : NULL;
}

/* Relaxes a row of one colour; x is g->x + r.c, not aliased by other pointers. */
KERNEL void row_kernel(const perp_lattice *g, relaxation how, perp_around r, double *restrict x,
                       bool over, perp_stencil_mode mode, bounds set, bool solid)
{
  const double *x_side = g->x + r.side, *x_up = g->x + r.up, *x_down = g->x + r.down;
  const double *x_front = solid ? g->x + r.front : NULL, *x_back = solid ? g->x + r.back : NULL;
  const double *wx = part_of(g->wx, r.c), *wx_side = part_of(g->wx, r.side);
  const double *wy = part_of(g->wy, r.c), *wy_up = part_of(g->wy, r.up);
  const double *wz = part_of(g->wz, r.c), *wz_front = part_of(g->wz, r.front);
  const double *lo = part_of(g->lo, r.c), *hi = part_of(g->hi, r.c);
  const double gain = g->gain, *gains = part_of(g->gains, r.c), *offset = g->offset + r.c;
  for (int m = 0; m < r.count; m++) {
    double sum;
    if (mode == PERP_STENCIL_WEIGHTED) {
      sum = (wx_side[m - 1] * x_side[m - 1] + wx[m] * x_side[m]) +
            (wy_up[m] * x_up[m] + wy[m] * x_down[m]);
      if (solid)
        sum += wz_front[m] * x_front[m] + wz[m] * x_back[m];
    } else {
      sum = (x_side[m - 1] + x_side[m]) + (x_up[m] + x_down[m]);
      if (solid)
        sum += x_front[m] + x_back[m];
    }
    const double relaxed = (mode == PERP_STENCIL_UNIFORM ? gain : gains[m]) * sum + offset[m];
    const double t = over ? how.keep * x[m] + how.omega * relaxed : relaxed;
    x[m] = set == BOX ? perp_clamp(t, lo[m], hi[m]) : set == PLAIN ? t + fabs(t) : t;
  }
}

/* Relaxes rows begin .. end-1 (j + ny k) of one colour. */
KERNEL void rows_kernel(const perp_lattice *g, relaxation how, int64_t begin, int64_t end,
                        int colour, bool over, perp_stencil_mode mode, bounds set, bool solid)
{
  for (int64_t row = begin; row < end; row++) {
    const int j = (int)(row % g->ny), k = (int)(row / g->ny);
    const perp_around r = perp_lattice_around(g, j, k, colour);
    row_kernel(g, how, r, g->x + r.c, over, mode, set, solid);
  }
}

static void rows_relax(const perp_lattice *g, relaxation how, int64_t begin, int64_t end,
                       int colour)
{
  if (how.omega == 1)
    FOR_MODE(rows_kernel, g, how, begin, end, colour, false);
  else
    FOR_MODE(rows_kernel, g, how, begin, end, colour, true);
}

typedef struct coloured {
  const perp_lattice *g;
  relaxation how;
  int64_t rows, lag, band;
} coloured;

/* Finds the black rows first .. last-1 of a slab that do not depend on other slabs. */
static void slab_inside(const coloured *s, int64_t begin, int64_t end, int64_t *first,
                        int64_t *last)
{
  *first = begin == 0 ? 0 : begin + s->lag < end ? begin + s->lag : end;
  *last = end == s->rows ? end : end - s->lag > *first ? end - s->lag : *first;
}

static void slab_sweep(void *context, int64_t begin, int64_t end)
{
  const coloured *s = context;
  int64_t black, last;
  slab_inside(s, begin, end, &black, &last);
  for (int64_t red = begin; red < end; red += s->band) {
    const int64_t done = red + s->band < end ? red + s->band : end;
    const int64_t ready = done == end ? last : done - s->lag;
    rows_relax(s->g, s->how, red, done, 0);
    if (ready > black) {
      rows_relax(s->g, s->how, black, ready, 1);
      black = ready;
    }
  }
}

/* Relaxes the black rows that slab_sweep left. */
static void slab_finish(void *context, int64_t begin, int64_t end)
{
  const coloured *s = context;
  int64_t first, last;
  slab_inside(s, begin, end, &first, &last);
  rows_relax(s->g, s->how, begin, first, 1);
  rows_relax(s->g, s->how, last, end, 1);
}

void perp_lattice_sweep_coloured(const perp_lattice *g, double omega, int threads)
{
  coloured s = {.g = g,
                .how = relaxation_of(g, omega),
                .rows = (int64_t)g->ny * g->nz,
                .lag = g->nz > 1 ? g->ny : 1,
                .band = 1 + BAND_CELLS / g->nx};
  const int64_t least = SLAB_LAGS * s.lag, wanted = SLAB_CELLS / g->nx;
  const int64_t grain = wanted < least ? least : wanted;
  perp_parallel_for(threads, s.rows, grain, slab_sweep, &s);
  perp_parallel_for(threads, s.rows, grain, slab_finish, &s);
}

/* ---- Lexicographic ---- */

/* Returns t of the cell at slot c with the other colour at slot `other`. The side whose value
 * arrives last is added last, because the chain of updates along the row waits for it. */
KERNEL double cell_value(const perp_lattice *g, const double *x, int64_t c, int64_t other, int h,
                         bool backward, perp_stencil_mode mode, bool solid)
{
  const int64_t right = other + h, left = right - 1, up = other - g->row, down = other + g->row;
  double sum, l = x[left], r = x[right];
  if (mode == PERP_STENCIL_WEIGHTED) {
    sum = g->wy[up] * x[up] + g->wy[c] * x[down];
    if (solid)
      sum += g->wz[other - g->plane] * x[other - g->plane] + g->wz[c] * x[other + g->plane];
    l *= g->wx[left];
    r *= g->wx[c];
  } else {
    sum = x[up] + x[down];
    if (solid)
      sum += x[other - g->plane] + x[other + g->plane];
  }
  sum = backward ? (sum + l) + r : (sum + r) + l;
  return (mode == PERP_STENCIL_UNIFORM ? g->gain : g->gains[c]) * sum + g->offset[c];
}

KERNEL void cell_relax(const perp_lattice *g, relaxation how, int64_t c, int64_t other, int h,
                       bool backward, perp_stencil_mode mode, bounds set, bool solid)
{
  double *x = g->x;
  const double t =
      how.keep * x[c] + how.omega * cell_value(g, x, c, other, h, backward, mode, solid);
  x[c] = set == BOX ? perp_clamp(t, g->lo[c], g->hi[c]) : set == PLAIN ? t + fabs(t) : t;
}

/* Relaxes cells 2m and 2m + 1 of a row whose even and odd cells start at the given slots. */
KERNEL void pair_relax(const perp_lattice *g, relaxation how, int64_t even, int64_t odd, int m,
                       bool backward, perp_stencil_mode mode, bounds set, bool solid)
{
  const bool both = 2 * m + 1 < g->nx;
  if (both && backward)
    cell_relax(g, how, odd + m, even + m, 1, backward, mode, set, solid);
  cell_relax(g, how, even + m, odd + m, 0, backward, mode, set, solid);
  if (both && !backward)
    cell_relax(g, how, odd + m, even + m, 1, backward, mode, set, solid);
}

/* Relaxes `rows` rows from (j, k) on, upwards or downwards; row q is q pairs late. */
KERNEL void chains_relax(const perp_lattice *lattice, relaxation how, int j, int k, int rows,
                         bool backward, perp_stencil_mode mode, bounds set, bool solid)
{
  const perp_lattice g = *lattice;
  const int pairs = perp_lattice_length(&g, 0);
  int64_t even[CHAINS], odd[CHAINS];
  for (int q = 0; q < CHAINS; q++) {
    const int row = backward ? j - q : j + q, colour = (row + k) & 1;
    even[q] = perp_lattice_row(&g, row, k, colour);
    odd[q] = perp_lattice_row(&g, row, k, 1 - colour);
  }
  for (int time = 0; time < pairs + rows - 1; time++) {
    for (int q = 0; q < CHAINS; q++) {
      const int m = time - q;
      if (q < rows && m >= 0 && m < pairs)
        pair_relax(&g, how, even[q], odd[q], backward ? pairs - 1 - m : m, backward, mode, set,
                   solid);
    }
  }
}

KERNEL void chains_by_form(const perp_lattice *g, relaxation how, int j, int k, int rows,
                           bool backward)
{
  FOR_MODE(chains_relax, g, how, j, k, rows, backward);
}

void perp_lattice_sweep_cells(const perp_lattice *g, double omega, bool backward)
{
  const relaxation how = relaxation_of(g, omega);
  for (int plane = 0; plane < g->nz; plane++)
    for (int done = 0; done < g->ny; done += CHAINS) {
      const int rows = g->ny - done < CHAINS ? g->ny - done : CHAINS;
      if (backward)
        chains_by_form(g, how, g->ny - 1 - done, g->nz - 1 - plane, rows, true);
      else
        chains_by_form(g, how, done, plane, rows, false);
    }
}
