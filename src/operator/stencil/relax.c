/* relax.c: the relaxer of a stencil operator
 *
 * It keeps x, b, K and the varying coefficients of A in the layout of stencil.h for the sweeps of
 * sweep.c, and converts x. Friction rows, and sweeps in an order of unknowns that does not ascend
 * with the cells, are done one unknown at a time.
 *
 * Load and store: one pass over x. Workspace: one padded array for each array that a sweep reads,
 * 8 bytes per unknown for masked cells. */
#include "operator/relax.h"
#include "operator/stencil/stencil.h"

#include "base/threads.h"

enum { GRAIN_CELLS = 1 << 16 };

/* Position of an unknown in the lattice. */
typedef struct place {
  int64_t slot;
  int colour, h;
} place;

typedef struct stencil_relaxer {
  perp_relaxer base;
  const perp_stencil *s;
  perp_lattice grid;
  bool by_unknown;       /* lexicographic sweeps use `places` */
  bool friction;         /* coloured ones too */
  const int64_t *places; /* 4 slot + 2 colour + h, by unknown; NULL if not needed */
  const double *from;    /* subtracted from x, by unknown; NULL: 0 */
} stencil_relaxer;

static inline int64_t place_pack(place at)
{
  return 4 * at.slot + 2 * at.colour + at.h;
}

static inline place place_unpack(int64_t code)
{
  return (place){.slot = code >> 2, .colour = (int)(code >> 1 & 1), .h = (int)(code & 1)};
}

/* ---- Sweeps ---- */

static void relax_unknown(const stencil_relaxer *relaxer, double omega, int u)
{
  const perp_lattice *g = &relaxer->grid;
  const perp_set *K = relaxer->base.K;
  const place at = place_unpack(relaxer->places[u]);
  double lo = perp_set_lo(K, u), hi = perp_set_hi(K, u);
  const double t =
      (1 - omega) * g->x[at.slot] + omega * perp_lattice_relaxed(g, at.slot, at.colour, at.h);
  if (perp_set_is_friction(K, u)) {
    const double normal = fabs(g->x[place_unpack(relaxer->places[K->findex[u]]).slot]);
    lo = perp_bound_times(lo, normal);
    hi = perp_bound_times(hi, normal);
  }
  g->x[at.slot] = perp_clamp(t, lo, hi);
}

static void sweep(perp_relaxer *base, double omega, perp_order order)
{
  const stencil_relaxer *relaxer = (const stencil_relaxer *)base;
  const int n = base->A->n;
  if (order == PERP_COLOURED && !relaxer->friction) {
    perp_lattice_sweep_coloured(&relaxer->grid, omega, base->threads);
  } else if (order == PERP_COLOURED) {
    for (int colour = 0; colour < 2; colour++)
      for (int u = 0; u < n; u++)
        if (place_unpack(relaxer->places[u]).colour == colour)
          relax_unknown(relaxer, omega, u);
  } else if (relaxer->by_unknown) {
    for (int k = 0; k < n; k++)
      relax_unknown(relaxer, omega, order == PERP_FORWARD ? k : n - 1 - k);
  } else {
    perp_lattice_sweep_cells(&relaxer->grid, omega, order == PERP_BACKWARD);
  }
}

/* ---- Between the natural order and the lattice ---- */

/* The even and the odd cells of grid row `row` (j + ny k). */
typedef struct row_halves {
  double *even, *odd;
} row_halves;

static row_halves halves_of(const perp_lattice *g, int64_t row)
{
  const int j = (int)(row % g->ny), k = (int)(row / g->ny), colour = (j + k) & 1;
  return (row_halves){.even = g->x + perp_lattice_row(g, j, k, colour),
                      .odd = g->x + perp_lattice_row(g, j, k, 1 - colour)};
}

/* even, odd <- x - from (NULL: 0) */
static void row_split(const double *x, const double *from, int nx, double *restrict even,
                      double *restrict odd)
{
  for (int m = 0; m < nx / 2; m++) {
    even[m] = x[2 * m] - (from ? from[2 * m] : 0);
    odd[m] = x[2 * m + 1] - (from ? from[2 * m + 1] : 0);
  }
  if (nx % 2)
    even[nx / 2] = x[nx - 1] - (from ? from[nx - 1] : 0);
}

static void row_join(const double *even, const double *odd, const double *from, int nx,
                     double *restrict x)
{
  for (int m = 0; m < nx / 2; m++) {
    x[2 * m] = even[m] + (from ? from[2 * m] : 0);
    x[2 * m + 1] = odd[m] + (from ? from[2 * m + 1] : 0);
  }
  if (nx % 2)
    x[nx - 1] = even[nx / 2] + (from ? from[nx - 1] : 0);
}

static const double *row_from(const stencil_relaxer *relaxer, int64_t row)
{
  return relaxer->from ? relaxer->from + row * relaxer->grid.nx : NULL;
}

static void load_rows(void *context, int64_t begin, int64_t end)
{
  const stencil_relaxer *relaxer = context;
  const int nx = relaxer->grid.nx;
  for (int64_t row = begin; row < end; row++) {
    const row_halves r = halves_of(&relaxer->grid, row);
    row_split(relaxer->base.x + row * nx, row_from(relaxer, row), nx, r.even, r.odd);
  }
}

static void store_rows(void *context, int64_t begin, int64_t end)
{
  const stencil_relaxer *relaxer = context;
  const int nx = relaxer->grid.nx;
  for (int64_t row = begin; row < end; row++) {
    const row_halves r = halves_of(&relaxer->grid, row);
    row_join(r.even, r.odd, row_from(relaxer, row), nx, relaxer->base.x + row * nx);
  }
}

static void over_rows(const stencil_relaxer *relaxer, perp_range_body body, void *context)
{
  const perp_lattice *g = &relaxer->grid;
  perp_parallel_for(relaxer->base.threads, (int64_t)g->ny * g->nz, 1 + GRAIN_CELLS / g->nx, body,
                    context);
}

static void load(perp_relaxer *base)
{
  stencil_relaxer *relaxer = (stencil_relaxer *)base;
  if (relaxer->s->full) {
    over_rows(relaxer, load_rows, relaxer);
    return;
  }
  for (int u = 0; u < base->A->n; u++)
    relaxer->grid.x[place_unpack(relaxer->places[u]).slot] =
        base->x[u] - (relaxer->from ? relaxer->from[u] : 0);
}

static void store(perp_relaxer *base)
{
  stencil_relaxer *relaxer = (stencil_relaxer *)base;
  if (relaxer->s->full) {
    over_rows(relaxer, store_rows, relaxer);
    return;
  }
  for (int u = 0; u < base->A->n; u++)
    base->x[u] = relaxer->grid.x[place_unpack(relaxer->places[u]).slot] +
                 (relaxer->from ? relaxer->from[u] : 0);
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
                             const perp_set *K, int64_t *places)
{
  for (int k = 0, cell = 0; k < g->nz; k++) {
    for (int j = 0; j < g->ny; j++) {
      for (int i = 0; i < g->nx; i++, cell++) {
        const int u = perp_stencil_unknown(s, cell), colour = (i + j + k) & 1;
        if (u < 0)
          continue;
        const int64_t c = perp_lattice_row(g, j, k, colour) + i / 2;
        lattice_fill(g, s, b, K, u, (int[3]){i, j, k}, cell, c);
        if (places)
          places[u] = place_pack((place){c, colour, i % 2});
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
  stencil_relaxer *relaxer = perp_arena_alloc_zero(arena, 1, sizeof *relaxer);
  if (!relaxer)
    return PERP_ERROR_MEMORY;
  relaxer->base = (perp_relaxer){.sweep = sweep, .store = store, .load = load};
  relaxer->s = s;
  relaxer->friction = part == PERP_PART_FINDEX;
  relaxer->by_unknown = relaxer->friction || (!s->ascending && (orders & lexicographic));

  perp_lattice *g = &relaxer->grid;
  g->mode = s->mode;
  if (g->mode == PERP_STENCIL_UNIFORM && !s->full)
    g->mode = PERP_STENCIL_DIAGONAL; /* masked cells are marked by their gain */
  if (relaxer->by_unknown)
    g->mode = PERP_STENCIL_WEIGHTED;
  g->scale = part == PERP_PART_PLAIN ? 0.5 : 1;
  g->unbounded = part == PERP_PART_BOX && perp_set_is_unbounded(K);
  lattice_shape(g, s);
  int64_t *places = NULL;
  if (!s->full || relaxer->by_unknown) {
    places = perp_arena_alloc(arena, (size_t)A->n, sizeof *places);
    if (!places)
      return PERP_ERROR_MEMORY;
  }
  if (!lattice_allocate(g, part == PERP_PART_BOX && !g->unbounded, arena))
    return PERP_ERROR_MEMORY;
  lattice_fill_all(g, s, b, K, places);
  relaxer->places = places;
  *result = &relaxer->base;
  return PERP_OK;
}
