/* network.c: coarse grids as networks, built from the grid above, and updated after a change
 *
 * Most cells are inside: all their neighbours are free, without a sink in any direction. Plain
 * loops build rows of such cells; the other cells are built one by one, as on devices
 * (kernel/coarse.h). The coarse diagonal is the sum of the coarse sink and faces, and gain is its
 * inverse. kernel/cells.h has the formulas of a face, of a sink and of the gain.
 *
 * With w the faces and s the sink of each fine cell, a coarse face along an axis that is halved is
 * the sum over its fine faces of the paths
 *
 *   p = 1 / (1 / w_face + 1 / (2 w_inside) + 1 / (2 w_inside')),
 *
 * without the half faces that are closed or lead to a cell that is not free; along an axis that is
 * not halved it is the sum of the fine faces. A fine face that leads to a cell that is not free is
 * a sink. So is the share of s in a direction of dirs (s is divided equally among them). A sink is
 * lengthened by the half face towards the centre,
 *
 *   s' = 1 / (1 / s + 1 / (2 w_inside)),   only outward and if the other half is free,
 *
 * and is added to the coarse sink, its direction to the coarse dirs. A sink without a direction is
 * added unchanged. The resistance of a half face is r / a with r = 1, or r = 0 and a = 1 if there
 * is no such half face, so that nothing is divided by zero.
 *
 * A coarse cell depends only on its own cells and on its neighbours' cells along the axes. So after
 * some cells of a grid became free or stopped being free, the coarse cells over them and next to
 * them are built again; then, on the grid below, the cells over the changed ones. Cost of a whole
 * build: about a dozen sweeps over the coarse grid. */
#include "method/multilevel/grid/grid.h"
#include "method/multilevel/grid/kernel/coarse.h"

#include <string.h>

enum { QUEUED = 128 }; /* in dirs: the cell is in a list */
enum { MANY = 16 };    /* all rows are built if more than one cell in MANY changed */

/* Not inlined, so that there is one copy of the kernel. */
__attribute__((noinline)) static bool cell_make(const perp_grid *g, int I, int J, int K)
{
  return perp_cell_make(g, g + 1, I, J, K, 0, 1);
}

/* ---- A whole coarse grid ---- */

/* all_I <- the code bits common to all cells of coarse cell I in row (J, K); the first axis is
 * halved. */
static void survey_row(const perp_grid *g, int nx, int J, int K, uint8_t *restrict all)
{
  const int j0 = g->halve[1] ? 2 * J : J, k0 = g->halve[2] ? 2 * K : K;
  const int j1 = j0 + g->halve[1], k1 = k0 + g->halve[2];
  const bool whole = j1 < g->n[1] && k1 < g->n[2];
  memset(all, whole ? 255 : 0, (size_t)nx);
  for (int k = k0; k <= k1 && whole; k++)
    for (int j = j0; j <= j1; j++)
      for (int colour = 0; colour < 2; colour++) {
        const int length = perp_grid_length(g, (j + k + colour) & 1);
        const uint8_t *code = g->code + perp_grid_row(g, j, k, colour);
        for (int m = 0; m < length; m++)
          all[m] &= code[m];
      }
  if (g->n[0] % 2)
    all[nx - 1] = 0;
}

/* Half of a face, a whole one and half of another; NaN, if a face is closed, is not used. */
static inline float path(float inner, float face, float beyond)
{
  const perp_half in = {2 * inner, 1}, out = {2 * beyond, 1};
  return PERP_PATH(face, in, out);
}

/* Returns the faces along an axis from slot c on; of equal weights a row of copies. */
static const float *faces(const perp_grids *grids, const perp_grid *g, int axis, int64_t c)
{
  return g->w[axis] ? g->w[axis] + c : grids->buffer;
}

/* Computes the row (J, K) of coarse cells as if all their cells were inside, the first axis halved:
 * faces and sinks, by column, into rows of `length` each. Cells 2I and 2I + 1 of a fine row are
 * both at place I of their colours. */
static void network_row(const perp_grids *grids, int level, int J, int K, int length,
                        float *restrict w[3], float *restrict sink)
{
  const perp_grid *g = &grids->grid[level];
  const int j0 = g->halve[1] ? 2 * J : J, k0 = g->halve[2] ? 2 * K : K;
  const int j1 = j0 + g->halve[1], k1 = k0 + g->halve[2];
  for (int axis = 0; axis < g->axes; axis++)
    memset(w[axis], 0, (size_t)length * sizeof(float));
  memset(sink, 0, (size_t)length * sizeof *sink);
  for (int k = k0; k <= k1; k++)
    for (int j = j0; j <= j1; j++) {
      const int colour = (j + k) & 1;
      const int64_t even = perp_grid_row(g, j, k, colour), odd = perp_grid_row(g, j, k, 1 - colour);
      for (int I = 0; I < length; I++)
        sink[I] = (sink[I] + g->sink[even + I]) + g->sink[odd + I];
      const float *inner = faces(grids, g, 0, even), *face = faces(grids, g, 0, odd);
      for (int I = 0; I < length; I++)
        w[0][I] += path(inner[I], face[I], inner[I + 1]);
      for (int axis = 1; axis < g->axes; axis++) {
        const int64_t step = axis == 1 ? g->row : g->plane;
        for (int h = 0; h < 2; h++) { /* neighbours along these axes have the other colour */
          const int64_t own = h ? odd : even, other = h ? even : odd;
          const float *f = faces(grids, g, axis, own);
          if (!g->halve[axis]) {
            for (int I = 0; I < length; I++)
              w[axis][I] += f[I];
          } else if (axis == 1 ? j == j1 : k == k1) {
            const float *before = faces(grids, g, axis, other - step);
            const float *beyond = faces(grids, g, axis, other + step);
            for (int I = 0; I < length; I++)
              w[axis][I] += path(before[I], f[I], beyond[I]);
          }
        }
      }
    }
}

/* Rows j0 <= j <= j1 with k0 <= k <= k1. */
typedef struct band {
  int j0, j1, k0, k1;
} band;

static band all_rows(const perp_grid *g)
{
  return (band){0, g->n[1] - 1, 0, g->n[2] - 1};
}

/* Widens the band by this number of rows on either side, if they exist. */
static band band_widened(const perp_grid *g, band b, int lower, int upper)
{
  const int j0 = b.j0 - lower, j1 = b.j1 + upper, k0 = b.k0 - lower, k1 = b.k1 + upper;
  return (band){j0 > 0 ? j0 : 0, j1 < g->n[1] ? j1 : g->n[1] - 1, k0 > 0 ? k0 : 0,
                k1 < g->n[2] ? k1 : g->n[2] - 1};
}

static void gain_cells(const perp_grid *g, int j, int k, int colour, int begin, int end)
{
  const int h = (j + k + colour) & 1;
  const int64_t c = perp_grid_row(g, j, k, colour);
  const int64_t other = colour ? c - g->colour : c + g->colour;
  const float *wx = g->w[0] + c, *wx_side = g->w[0] + other + h - 1;
  const float *wy = g->w[1] + c, *wy_up = g->w[1] + other - g->row;
  const float *wz = g->axes == 3 ? g->w[2] + c : NULL;
  const float *wz_front = wz ? g->w[2] + other - g->plane : NULL;
  float *restrict gain = g->gain + c;
  for (int m = begin; m < end; m++) {
    float d = g->sink[c + m] + ((wx[m] + wx_side[m]) + (wy[m] + wy_up[m]));
    if (wz)
      d += wz[m] + wz_front[m];
    gain[m] = perp_gain(d, g->state[c + m]);
  }
}

static void gain_rows(const perp_grid *g, band b)
{
  for (int k = b.k0; k <= b.k1; k++)
    for (int j = b.j0; j <= b.j1; j++)
      for (int colour = 0; colour < 2; colour++)
        gain_cells(g, j, k, colour, 0, perp_grid_length(g, (j + k + colour) & 1));
}

/* The next cells along each axis read the faces of the cell itself. */
static void gain_around(const perp_grid *g, int number)
{
  int at[3];
  perp_grid_cell(g, number, at);
  for (int axis = -1; axis < g->axes; axis++) {
    int next[3] = {at[0], at[1], at[2]};
    if (axis >= 0 && ++next[axis] == g->n[axis])
      continue;
    gain_cells(g, next[1], next[2], (next[0] + next[1] + next[2]) & 1, next[0] / 2,
               next[0] / 2 + 1);
  }
}

void perp_grid_gains(const perp_grid *g, const int *cells, int64_t count)
{
  if (count < 0)
    gain_rows(g, all_rows(g));
  for (int64_t q = 0; q < count; q++)
    gain_around(g, cells[q]);
}

/* Stores a row of coarse cells whose cells are all inside. */
static void store_row(const perp_grid *g, int J, int K, float *const w[3], const float *sink)
{
  for (int h = 0; h < 2; h++) {
    const int64_t c = perp_grid_row(g, J, K, (J + K + h) & 1);
    const int length = perp_grid_length(g, h);
    for (int axis = 0; axis < g->axes; axis++) {
      float *restrict to = g->w[axis] + c;
      for (int m = 0; m < length; m++)
        to[m] = w[axis][2 * m + h];
    }
    float *restrict to = g->sink + c;
    for (int m = 0; m < length; m++)
      to[m] = sink[2 * m + h];
    memset(g->state + c, PERP_CELL_FREE | PERP_CELL_UNKNOWN, (size_t)length);
    memset(g->dirs + c, 0, (size_t)length);
  }
}

/* all_I loses PERP_CODE_INSIDE unless the cells of the next coarse cell along an axis, whose codes
 * have the bits next_I in common, are halves of open paths. */
static void survey_next(int axis, int count, const uint8_t *next, uint8_t *all)
{
  const uint8_t others = (uint8_t)~PERP_CODE_INSIDE;
  for (int I = 0; I < count; I++)
    all[I] &= next[I] & PERP_CODE_BETWEEN << axis ? 255 : others;
}

/* all_I <- PERP_CODE_INSIDE if network_row may compute cell I, else 0: its cells are inside, and
 * so are the paths to the next cells. */
static void survey_inside(const perp_grid *g, int nx, int J, int K, uint8_t *all, uint8_t *other)
{
  const perp_grid *coarse = g + 1;
  survey_row(g, nx, J, K, all);
  for (int axis = 1; axis < g->axes; axis++) {
    const int at[3] = {0, J, K};
    if (!g->halve[axis] || at[axis] + 1 >= coarse->n[axis])
      continue;
    survey_row(g, nx, J + (axis == 1), K + (axis == 2), other);
    survey_next(axis, nx, other, all);
  }
  memcpy(other, all, (size_t)nx);
  survey_next(0, nx - 1, other + 1, all);
  for (int I = 0; I < nx; I++)
    all[I] &= PERP_CODE_INSIDE;
  all[nx - 1] = 0;
}

static void code_rows(const perp_grid *g, band b)
{
  for (int k = b.k0; k <= b.k1; k++)
    for (int j = b.j0; j <= b.j1; j++)
      for (int colour = 0; colour < 2; colour++)
        for (int m = 0; m < perp_grid_length(g, (j + k + colour) & 1);)
          m = perp_grid_code_from(g, j, k, colour, m);
}

/* Returns true if rows of the next grid are built by plain loops. For rows of at most SHORT cells
 * single cells take less time. */
static bool has_plain_rows(const perp_grid *g)
{
  enum { SHORT = 6 };
  return g->halve[0] && g[1].n[0] > SHORT;
}

static void build_row(perp_grids *grids, int level, int J, int K)
{
  const perp_grid *g = &grids->grid[level], *coarse = g + 1;
  const int nx = coarse->n[0];
  uint8_t *all = grids->bytes, *other = all + nx;
  float *w[3], *sink = grids->rows;
  bool some = false;
  for (int axis = 0; axis < 3; axis++)
    w[axis] = grids->rows + (axis + 1) * (nx + 1);
  memset(all, 0, (size_t)nx);
  if (has_plain_rows(g))
    survey_inside(g, nx, J, K, all, other);
  for (int I = 0; I < nx; I++)
    some |= all[I] != 0;
  if (some) {
    network_row(grids, level, J, K, nx, w, sink);
    store_row(coarse, J, K, w, sink);
  }
  for (int I = 0; I < nx; I++)
    if (!all[I])
      cell_make(g, I, J, K);
}

/* Rebuilds after changes in some rows of a grid. Returns the rows of the grid below that may have
 * changed. */
static band build_rows(perp_grids *grids, int level, band rows)
{
  const perp_grid *g = &grids->grid[level], *coarse = g + 1;
  const band over = {rows.j0 >> g->halve[1], rows.j1 >> g->halve[1], rows.k0 >> g->halve[2],
                     rows.k1 >> g->halve[2]};
  const band below = band_widened(coarse, over, 1, 1);
  for (int i = 0; i < g->n[0] && !g->w[0]; i++)
    grids->buffer[i] = g->weight;
  if (has_plain_rows(g)) /* otherwise cell_make has all codes */
    code_rows(g, band_widened(g, rows, 1, 1));
  for (int K = below.k0; K <= below.k1; K++)
    for (int J = below.j0; J <= below.j1; J++)
      build_row(grids, level, J, K);
  gain_rows(coarse, band_widened(coarse, below, 0, 1)); /* these read the faces of the previous
                                                         * row */
  return below;
}

void perp_grids_build(perp_grids *grids, int level)
{
  build_rows(grids, level, all_rows(&grids->grid[level]));
}

/* ---- Changes ---- */

/* Adds a cell, if it is not in the list and the list has room. */
static int64_t enlist(const perp_grid *g, const int at[3], int64_t room, int *list, int64_t count)
{
  uint8_t *dirs = g->dirs + perp_grid_slot(g, at[0], at[1], at[2]);
  if (*dirs & QUEUED || count == room)
    return count;
  *dirs |= QUEUED;
  list[count] = (at[2] * g->n[1] + at[1]) * g->n[0] + at[0];
  return count + 1;
}

/* Lists the coarse cells that depend on the listed cells: those over them and their neighbours. If
 * the list is full, some may be missing. */
static int64_t list_coarse(const perp_grid *g, const int *cells, int64_t count, int64_t room,
                           int *list)
{
  const perp_grid *coarse = g + 1;
  int64_t found = 0;
  for (int64_t q = 0; q < count; q++) {
    int at[3];
    perp_grid_cell(g, cells[q], at);
    for (int axis = 0; axis < 3; axis++)
      at[axis] >>= g->halve[axis];
    found = enlist(coarse, at, room, list, found);
    for (int axis = 0; axis < g->axes; axis++)
      for (int step = -1; step <= 1; step += 2) {
        int next[3] = {at[0], at[1], at[2]};
        next[axis] += step;
        if (next[axis] >= 0 && next[axis] < coarse->n[axis])
          found = enlist(coarse, next, room, list, found);
      }
  }
  return found;
}

/* Builds the listed coarse cells. Lists the changed ones and returns their number. */
static int64_t build_listed(const perp_grid *g, const int *list, int64_t count, int *cells)
{
  const perp_grid *coarse = g + 1;
  int64_t changed = 0;
  int at[3];
  for (int64_t q = 0; q < count; q++) {
    perp_grid_cell(coarse, list[q], at);
    coarse->dirs[perp_grid_slot(coarse, at[0], at[1], at[2])] &= (uint8_t)~QUEUED;
    if (cell_make(g, at[0], at[1], at[2]))
      cells[changed++] = list[q];
  }
  for (int64_t q = 0; q < count; q++) {
    perp_grid_cell(coarse, list[q], at);
    gain_cells(coarse, at[1], at[2], (at[0] + at[1] + at[2]) & 1, at[0] / 2, at[0] / 2 + 1);
  }
  return changed;
}

/* Updates the grid below after the listed cells changed. Returns -1 and does nothing if too many
 * cells depend on them. */
static int64_t follow_listed(perp_grids *grids, int level, int64_t count)
{
  const perp_grid *g = &grids->grid[level];
  int *cells = grids->changed[0], *list = grids->changed[1];
  const int64_t found = list_coarse(g, cells, count, grids->room, list);
  return found < grids->room ? build_listed(g, list, found, cells) : -1;
}

static band rows_listed(const perp_grid *g, const int *cells, int64_t count)
{
  band b = {g->n[1], 0, g->n[2], 0};
  for (int64_t q = 0; q < count; q++) {
    const int row = cells[q] / g->n[0], j = row % g->n[1], k = row / g->n[1];
    b = (band){j < b.j0 ? j : b.j0, j > b.j1 ? j : b.j1, k < b.k0 ? k : b.k0, k > b.k1 ? k : b.k1};
  }
  return b;
}

void perp_grids_follow(perp_grids *grids, int level, int64_t count)
{
  int l = level;
  band rows = all_rows(&grids->grid[level]);
  for (; l < grids->count - 1 && count > 0; l++) {
    const perp_grid *g = &grids->grid[l];
    rows = rows_listed(g, grids->changed[0], count);
    count = MANY * count > g->cells ? -1 : follow_listed(grids, l, count);
    if (count < 0)
      break;
  }
  for (; l < grids->count - 1 && count < 0; l++)
    rows = build_rows(grids, l, rows);
}
