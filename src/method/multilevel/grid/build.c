/* build.c: building a hierarchy, and grid 0
 *
 * Grid 0 is the network of the stencil: with the couplings -w_cd of cell c and its diagonal A_cc,
 * both divided by the unit, the faces weigh w_cd and the sink is the surplus of the diagonal,
 *
 *   s_c = A_cc - sum over d of |w_cd|;
 *
 * at a Dirichlet boundary it lies in the directions without a neighbour. Each further grid halves
 * the axes whose faces weigh at least a third of the largest mean, until one cell is left: along an
 * axis of weak couplings errors are not smooth after a sweep, and a coarse grid could not represent
 * them. Cost: a pass over the cells of grid 0, and network.c. Memory: at most 16 bytes per cell of
 * grid 0, and 40 per cell of the other grids. */
#include "base/elementary.h"
#include "method/multilevel/grid/grid.h"

#include "linalg/vector.h"

perp_error perp_grids_stencil(perp_run *run, perp_arena *arena, const perp_stencil **s)
{
  const perp_operator *A = run->problem->A;
  perp_stencil *seen = NULL;
  *s = NULL;
  if (perp_operator_is_stencil(A))
    *s = (const perp_stencil *)A;
  else if (perp_stencil_recognise(A, arena, &seen))
    return perp_run_no_memory(run);
  else
    *s = seen;
  return PERP_OK;
}

/* ---- Shapes and memory ---- */

enum { SPARE = 64 };

void perp_grid_shape(perp_grid *g, const int n[3], int axes, int unit)
{
  memcpy(g->n, n, sizeof g->n);
  g->axes = axes;
  g->cells = (int64_t)n[0] * n[1] * n[2];
  g->row = (perp_grid_length(g, 0) + unit) / unit * unit;
  g->plane = (n[1] + 1) * g->row;
  g->colour = n[2] * g->plane + g->row + (g->axes == 3 ? g->plane : 0);
  g->segments = (n[0] + PERP_SEGMENT - 1) / PERP_SEGMENT;
}

void *perp_grid_part(perp_grid_memory *l, size_t count, size_t size)
{
  void *at = l->block ? l->block + l->bytes : NULL;
  l->bytes += (count * size + 255) / 256 * 256;
  return at;
}

void *perp_grid_cells(perp_grid_memory *l, const perp_grid *g, size_t size)
{
  const int64_t margin = g->row + (g->axes == 3 ? g->plane : 0), lead = (margin + 63) / 64 * 64;
  char *array = perp_grid_part(l, (size_t)(lead + 2 * g->colour + g->row) + SPARE, size);
  return array ? array + (size_t)lead * size : NULL;
}

void perp_grid_lay(perp_grid_memory *l, perp_grid *g, bool weighted, int values)
{
  g->sink = perp_grid_cells(l, g, sizeof *g->sink);
  g->dirs = perp_grid_cells(l, g, 1);
  g->state = perp_grid_cells(l, g, 1);
  g->code = perp_grid_cells(l, g, 1);
  for (int axis = 0; weighted && axis < g->axes; axis++)
    g->w[axis] = perp_grid_cells(l, g, sizeof(float));
  float **const arrays[] = {&g->gain, &g->x, &g->f, &g->lo, &g->hi};
  for (int k = 0; k < values; k++)
    *arrays[k] = perp_grid_cells(l, g, sizeof(float));
}

static bool allocate(perp_grid *g, bool weighted, int values, perp_arena *arena)
{
  perp_grid_memory l = {NULL, 0};
  for (int pass = 0; pass < 2; pass++) {
    l.bytes = 0;
    perp_grid_lay(&l, g, weighted, values);
    float *flat = values > 0 ? perp_grid_part(&l, (size_t)g->cells + 2, sizeof *flat) : NULL;
    g->flat = flat ? flat + 1 : NULL;
    if (pass == 0 && !(l.block = perp_arena_alloc_zero(arena, l.bytes, 1)))
      return false;
  }
  return true;
}

/* Returns the mean weight of the open faces along an axis; between rows there are zeros. */
static double mean_weight(const perp_grid *g, int axis)
{
  const float *w = g->w[axis];
  double sum = 0;
  int64_t faces = 0;
  if (g->n[axis] == 1 || !w)
    return g->n[axis] == 1 ? 0 : g->weight;
  for (int64_t c = 0; c < 2 * g->colour; c++) {
    sum += (double)w[c];
    faces += w[c] > 0;
  }
  return faces ? sum / (double)faces : 0;
}

/* Chooses the axes whose faces weigh at least a third of the heaviest; without faces, all axes that
 * can be halved. */
void perp_grid_choose_axes(perp_grid *g, const double mean[3], const int n[3])
{
  const double most = perp_max(mean[0], perp_max(mean[1], mean[2]));
  int halved = 0;
  for (int axis = 0; axis < 3; axis++) {
    g->halve[axis] = n[axis] > 1 && 3 * mean[axis] >= most;
    halved += g->halve[axis];
  }
  g->share = halved == 3 ? 0.16f : 0.22f;
}

/* ---- Grid 0 ---- */

/* Fills the inner cells of a row of equal face weights: only the diagonal must be read. */
static void fill_row(const perp_grids *grids, const perp_stencil *s, int j, int k)
{
  const perp_grid *g = &grids->grid[0];
  const double faces = (g->axes == 3 ? 6 : 4) * fabs(s->weight);
  const int64_t cell = ((int64_t)k * g->n[1] + j) * g->n[0];
  const double *d = s->mode == PERP_STENCIL_UNIFORM ? NULL : s->data.diagonal + cell;
  for (int h = 0; h < 2; h++) {
    const int64_t c = perp_grid_row(g, j, k, (j + k + h) & 1);
    const int length = perp_grid_length(g, h);
    memset(g->state + c, PERP_CELL_FREE | PERP_CELL_UNKNOWN, (size_t)length);
    for (int m = 0; m < length; m++) {
      const double diagonal = d ? d[2 * m + h] : s->diagonal, sink = diagonal - faces;
      g->sink[c + m] = perp_network_is_sink(sink, diagonal) ? perp_to_float(sink / grids->unit) : 0;
    }
  }
}

/* Fills a row of different face weights; the first and the last cell of the row are not right
 * yet. */
static void fill_row_weighted(const perp_grids *grids, const perp_stencil *s, int j, int k)
{
  const perp_grid *g = &grids->grid[0];
  const int64_t row = g->n[0], plane = row * g->n[1], cell = (k * (int64_t)g->n[1] + j) * row;
  const double *const w[3] = {s->wx, s->wy, s->wz}, per_unit = 1 / grids->unit;
  for (int h = 0; h < 2; h++) {
    const int64_t c = perp_grid_row(g, j, k, (j + k + h) & 1), first = cell + h;
    const int length = perp_grid_length(g, h);
    const double *d = s->data.diagonal + first, *x = s->wx + first, *y = s->wy + first;
    const double *z = g->axes == 3 ? s->wz + first : NULL;
    memset(g->state + c, PERP_CELL_FREE | PERP_CELL_UNKNOWN, (size_t)length);
    for (int m = 0; m < 2 * length; m += 2) {
      double sum = fabs(x[m - 1]) + fabs(x[m]) + fabs(y[m - row]) + fabs(y[m]);
      if (z)
        sum += fabs(z[m - plane]) + fabs(z[m]);
      const double sink = d[m] - sum;
      g->sink[c + m / 2] = perp_network_is_sink(sink, d[m]) ? perp_to_float(per_unit * sink) : 0;
    }
    for (int axis = 0; axis < g->axes; axis++) {
      const double *from = w[axis] + first;
      float *restrict to = g->w[axis] + c;
      for (int m = 0; m < length; m++)
        to[m] = from[2 * m] > 0 ? perp_to_float(per_unit * from[2 * m]) : 0;
    }
  }
}

static void fill(const perp_grids *grids, const perp_stencil *s)
{
  const perp_grid *g = &grids->grid[0];
  perp_stencil_cells A;
  perp_stencil_view(s, &A);
  const bool weighted = s->mode == PERP_STENCIL_WEIGHTED;
  const bool even = s->full && (weighted || !g->w[0]);
  for (int k = 0; k < g->n[2]; k++)
    for (int j = 0; j < g->n[1]; j++) {
      const bool border =
          j == 0 || j == g->n[1] - 1 || (g->axes == 3 && (k == 0 || k == g->n[2] - 1));
      if (even && !border && weighted)
        fill_row_weighted(grids, s, j, k);
      else if (even && !border)
        fill_row(grids, s, j, k);
      for (int i = 0; i < g->n[0]; i++) {
        const int cell = (k * g->n[1] + j) * g->n[0] + i;
        if (even && !border && i > 0 && i < g->n[0] - 1)
          i = g->n[0] - 2; /* the last cell of the row is next */
        else if (perp_stencil_unknown(s, cell) >= 0)
          perp_grid_fill_cell(g, &A, grids->unit, 0, i, j, k);
      }
    }
}

double perp_grids_unit(const perp_stencil *s)
{
  double most = 0;
  if (s->mode == PERP_STENCIL_UNIFORM)
    most = fabs(s->diagonal);
  else
    for (int u = 0; u < s->base.n; u++)
      most = perp_max(most, fabs(perp_stencil_diagonal(s, perp_stencil_cell(s, u))));
  return most > 0 ? most : 1;
}

/* ---- The hierarchy ---- */

bool perp_grids_begin(const perp_stencil *s, double unit, bool relaxing, perp_arena *arena,
                      perp_grids *grids)
{
  *grids = (perp_grids){.count = 1, .unit = unit};
  perp_grid *g = grids->grid;
  perp_grid_shape(g, (int[3]){s->data.nx, s->data.ny, s->data.nz}, s->solid ? 3 : 2, 2);
  g->weight = perp_to_float(perp_max(s->weight, 0) / grids->unit);
  grids->room = g->cells / 4 + 1024;
  const int64_t four = 4 * ((int64_t)g->n[0] + 2);
  if (!PERP_TAKE(arena, PERP_ARRAY(grids->changed[0], grids->room),
                 PERP_ARRAY(grids->changed[1], grids->room),
                 PERP_ARRAY(grids->buffer, g->n[0] + 64), PERP_ARRAY(grids->rows, four),
                 PERP_ARRAY(grids->bytes, four)) ||
      !allocate(g, relaxing || s->mode == PERP_STENCIL_WEIGHTED, relaxing ? PERP_GRID_VALUES : 0,
                arena))
    return false;
  fill(grids, s);
  return true;
}

bool perp_grid_create(const int n[3], int axes, perp_arena *arena, perp_grid *g)
{
  perp_grid_shape(g, n, axes, 2);
  return allocate(g, true, PERP_GRID_BOUNDED, arena);
}

bool perp_grids_extend(perp_grids *grids, perp_arena *arena)
{
  perp_grid *g = &grids->grid[grids->count - 1];
  while (g->cells > 1 && grids->count < PERP_GRIDS_MOST) {
    double mean[3];
    int n[3];
    for (int axis = 0; axis < 3; axis++)
      mean[axis] = axis < g->axes ? mean_weight(g, axis) : 0;
    perp_grid_choose_axes(g, mean, g->n);
    for (int axis = 0; axis < 3; axis++)
      n[axis] = g->halve[axis] ? (g->n[axis] + 1) / 2 : g->n[axis];
    if (!perp_grid_create(n, g->axes, arena, g + 1))
      return false;
    perp_grids_build(grids, grids->count - 1);
    grids->count++;
    g++;
  }
  return true;
}

void perp_grids_release(perp_grids *grids)
{
  const perp_grid *g = &grids->grid[0];
  for (int64_t c = 0; c < 2 * g->colour; c++)
    g->state[c] = g->state[c] & PERP_CELL_UNKNOWN ? PERP_CELL_FREE | PERP_CELL_UNKNOWN : 0;
}

void perp_grids_restrict_to(perp_grids *grids, const perp_stencil *s, int m, const int *F,
                            const double *d)
{
  const perp_grid *g = &grids->grid[0];
  perp_stencil_cells A;
  perp_stencil_view(s, &A);
  for (int u = 0; u < s->base.n; u++) {
    int at[3];
    perp_grid_cell(g, perp_stencil_cell(s, u), at);
    g->state[perp_grid_slot(g, at[0], at[1], at[2])] = PERP_CELL_UNKNOWN;
  }
  for (int q = 0; q < m; q++) {
    int at[3];
    perp_grid_cell(g, perp_stencil_cell(s, F[q]), at);
    if (d)
      perp_grid_fill_cell(g, &A, grids->unit, d[F[q]], at[0], at[1], at[2]);
    g->state[perp_grid_slot(g, at[0], at[1], at[2])] = PERP_CELL_FREE | PERP_CELL_UNKNOWN;
  }
  perp_grid_gains(g, NULL, -1);
  perp_grids_follow(grids, 0, -1);
}
