/* relax.c: the relaxer of a stencil operator
 *
 * It keeps x, b, K and the varying coefficients of A in the layout of stencil.h for the sweeps of
 * sweep.c, and converts x. With friction rows, or for sweeps in an order of unknowns that does not
 * ascend with the cells, the relaxer of row access takes its place (operator/relax.c).
 *
 * Load and store: one pass over x. Workspace: one padded array for each array that a sweep reads. */
#include "operator/relax.h"
#include "operator/stencil/stencil.h"

#include "base/kernel.h"
#include "base/threads.h"

enum { GRAIN_CELLS = 1 << 16 };

typedef struct stencil_relaxer {
  perp_relaxer base;
  const perp_stencil *s;
  perp_lattice grid;
  const double *from; /* subtracted from x, by unknown; NULL: 0 */
} stencil_relaxer;

static void sweep(perp_relaxer *base, double omega, perp_order order)
{
  const stencil_relaxer *relaxer = (const stencil_relaxer *)base;
  if (order == PERP_COLOURED)
    perp_lattice_sweep_coloured(&relaxer->grid, omega, base->threads);
  else
    perp_lattice_sweep_cells(&relaxer->grid, omega, order == PERP_BACKWARD);
}

/* ---- Between the natural order and the lattice ---- */

/* Copies x of grid rows begin .. end-1 to the lattice, or `back`. */
KERNEL void copy_rows(const stencil_relaxer *relaxer, int64_t begin, int64_t end, bool back)
{
  const perp_lattice *g = &relaxer->grid;
  const double *from = relaxer->from;
  double *x = relaxer->base.x;
  for (int64_t row = begin; row < end; row++)
    for (int h = 0; h < 2; h++) {
      const int j = (int)(row % g->ny), k = (int)(row / g->ny), cell = (int)row * g->nx + h;
      double *own = g->x + perp_lattice_row(g, j, k, (j + k + h) & 1);
      for (int m = 0; m < perp_lattice_length(g, h); m++) {
        const int u = perp_stencil_unknown(relaxer->s, cell + 2 * m);
        if (u >= 0 && back)
          x[u] = own[m] + (from ? from[u] : 0);
        else if (u >= 0)
          own[m] = x[u] - (from ? from[u] : 0);
      }
    }
}

KERNEL_BODY(load_rows, copy_rows, false)
KERNEL_BODY(store_rows, copy_rows, true)

static void over_rows(perp_relaxer *base, perp_range_body body)
{
  const perp_lattice *g = &((stencil_relaxer *)base)->grid;
  perp_parallel_for(base->threads, (int64_t)g->ny * g->nz, 1 + GRAIN_CELLS / g->nx, body, base);
}

static void load(perp_relaxer *base)
{
  over_rows(base, load_rows);
}

static void store(perp_relaxer *base)
{
  over_rows(base, store_rows);
}

/* ---- Construction ---- */

static void lattice_shape(perp_lattice *g, const perp_stencil *s)
{
  g->nx = s->data.nx;
  g->ny = s->data.ny;
  g->nz = s->data.nz;
  g->row = (perp_lattice_length(g, 0) + 2) / 2 * 2; /* a zero at the end, 16-byte aligned */
  g->plane = (g->ny + 1) * g->row;
  g->colour = g->nz * g->plane + g->row + (s->solid ? g->plane : 0);
  g->gain = g->scale * s->weight / s->diagonal;
}

double *perp_lattice_array(const perp_lattice *g, perp_arena *arena)
{
  const int64_t margin = g->row + (g->nz > 1 ? g->plane : 0), lead = (margin + 7) / 8 * 8;
  double *array = perp_arena_alloc_zero(arena, (size_t)(lead + 2 * g->colour), sizeof *array);
  return array ? array + lead : NULL;
}

static bool lattice_allocate(perp_lattice *g, bool box, perp_arena *arena)
{
  const bool weighted = g->mode == PERP_STENCIL_WEIGHTED;
  const struct {
    double **array;
    bool wanted;
  } arrays[] = {
      {&g->x, true},      {&g->offset, true}, {&g->gains, g->mode != PERP_STENCIL_UNIFORM},
      {&g->wx, weighted}, {&g->wy, weighted}, {&g->wz, weighted && g->nz > 1},
      {&g->lo, box},      {&g->hi, box},
  };
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    if (arrays[k].wanted && !(*arrays[k].array = perp_lattice_array(g, arena)))
      return false;
  return true;
}

/* Fills the arrays for unknown u, in cell (i, j, k) with index `cell`, at slot c. */
static void lattice_fill(const perp_lattice *g, const perp_stencil *s, const double *b,
                         const perp_set *K, int u, const int at[3], int cell, int64_t c)
{
  const double inverse = g->scale / perp_stencil_diagonal(s, cell);
  g->offset[c] = -b[u] * inverse;
  if (g->mode == PERP_STENCIL_DIAGONAL)
    g->gains[c] = s->weight * inverse;
  if (g->mode == PERP_STENCIL_WEIGHTED) {
    const int size[3] = {g->nx, g->ny, g->nz}, step[3] = {1, g->nx, g->nx * g->ny};
    const double *const w[3] = {s->wx, s->wy, s->wz};
    double *const to[3] = {g->wx, g->wy, g->wz};
    g->gains[c] = inverse;
    for (int axis = 0; axis < 3; axis++)
      if (at[axis] < size[axis] - 1 && perp_stencil_unknown(s, cell + step[axis]) >= 0)
        to[axis][c] = perp_stencil_weight(s, w[axis], cell);
  }
  if (g->lo) {
    g->lo[c] = perp_set_lo(K, u);
    g->hi[c] = perp_set_hi(K, u);
  }
}

static void lattice_fill_all(const perp_lattice *g, const perp_stencil *s, const double *b,
                             const perp_set *K)
{
  for (int k = 0, cell = 0; k < g->nz; k++) {
    for (int j = 0; j < g->ny; j++) {
      for (int i = 0; i < g->nx; i++, cell++) {
        const int u = perp_stencil_unknown(s, cell), colour = (i + j + k) & 1;
        if (u < 0)
          continue;
        const int64_t c = perp_lattice_row(g, j, k, colour) + i / 2;
        lattice_fill(g, s, b, K, u, (int[3]){i, j, k}, cell, c);
      }
    }
  }
}

bool perp_set_is_unbounded(const perp_set *K)
{
  for (int u = 0; u < K->n; u++)
    if (perp_set_lo(K, u) > -INFINITY || perp_set_hi(K, u) < INFINITY)
      return false;
  return true;
}

perp_lattice *perp_stencil_lattice(perp_relaxer *relaxer)
{
  return &((stencil_relaxer *)relaxer)->grid;
}

void perp_stencil_count_from(perp_relaxer *relaxer, const double *from)
{
  ((stencil_relaxer *)relaxer)->from = from;
  load(relaxer);
}

perp_error perp_stencil_relaxer(const perp_operator *A, const double *b, const perp_set *K,
                                unsigned orders, perp_arena *arena, perp_relaxer **result)
{
  const perp_stencil *s = (const perp_stencil *)A;
  const perp_part part = perp_set_part(K);
  const unsigned lexicographic = 1u << PERP_FORWARD | 1u << PERP_BACKWARD;
  if (part == PERP_PART_FINDEX || (!s->ascending && (orders & lexicographic)))
    return perp_row_relaxer_create(A, K, orders, arena, result);
  stencil_relaxer *relaxer = perp_arena_alloc_zero(arena, 1, sizeof *relaxer);
  if (!relaxer)
    return PERP_ERROR_MEMORY;
  relaxer->base = (perp_relaxer){.sweep = sweep, .store = store, .load = load};
  relaxer->s = s;

  perp_lattice *g = &relaxer->grid;
  g->mode = s->mode;
  if (g->mode == PERP_STENCIL_UNIFORM && !s->full)
    g->mode = PERP_STENCIL_DIAGONAL; /* masked cells are marked by their gain */
  g->scale = part == PERP_PART_PLAIN ? 0.5 : 1;
  g->unbounded = part == PERP_PART_BOX && perp_set_is_unbounded(K);
  lattice_shape(g, s);
  if (!lattice_allocate(g, part == PERP_PART_BOX && !g->unbounded, arena))
    return PERP_ERROR_MEMORY;
  lattice_fill_all(g, s, b, K);
  *result = &relaxer->base;
  return PERP_OK;
}
