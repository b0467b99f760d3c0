/* grid_network.c: coarse grids as networks, built from the grid above, and after a change again
 *
 * Over a fine cell lies one coarse cell. With w the faces and s the sink of each fine cell, halved
 * along an axis, a coarse face is the sum over its fine faces of the paths
 *
 *   p = 1 / (1 / (2 w_inside) + 1 / w_face + 1 / (2 w_inside')),
 *
 * without the half faces that are closed or lead to a cell that is not free; along an axis that is
 * not halved it is the sum of the fine faces. A fine face that leads to a cell that is not free is a
 * sink, and so is the share of s, in equal parts for each direction in dirs, that lies in that
 * direction: it is lengthened by the half face towards the centre,
 *
 *   s' = 1 / (1 / s + 1 / (2 w_inside)),   outward alone and where the other half is free,
 *
 * and is added to the coarse sink, its direction to the coarse dirs. What has no direction is added as
 * it is. The coarse diagonal is the sum of the coarse sink and faces, and gain is its inverse.
 *
 * Most cells are inside: all their neighbours are free, and no sink lies in a direction. Whole coarse
 * rows are made as if all were so, in loops that become vector code, and the other cells one by one.
 *
 * A coarse cell depends on its own cells and those of its neighbours along the axes alone, so after
 * some cells of a grid became free or ceased to be, the coarse cells over them and next to them are
 * built anew, and on the grid below those over what has changed: in all a few times as many as cells
 * that changed. Cost of a whole build: about that of a dozen sweeps over the coarse grid. */
#include "method/multilevel/grid.h"

#include <string.h>

enum { QUEUED = 128 }; /* in dirs: the cell is in a list */

static inline float series(float a, float b)
{
  return a * b / (a + b);
}

/* ---- One coarse cell ---- */

/* A cell of a grid by its slot, its colour and whether its first coordinate is odd. */
typedef struct place {
  int64_t slot;
  int colour, h;
} place;

/* The cell next to it along an axis, perhaps one of the zeros beyond the border. */
static inline place place_next(const perp_grid *g, place at, int axis, int side)
{
  const int64_t other = at.colour ? at.slot - g->colour : at.slot + g->colour;
  const int64_t step = axis == 1 ? g->row : g->plane;
  if (axis == 0)
    return (place){other - 1 + at.h + side, 1 - at.colour, 1 - at.h};
  return (place){side ? other + step : other - step, 1 - at.colour, at.h};
}

/* A cell's neighbour along an axis. */
typedef struct link {
  bool free;
  float w; /* 0: closed, or beyond the border */
} link;

static inline link link_of(const perp_grid *g, place at, int axis, int side)
{
  const int64_t next = place_next(g, at, axis, side).slot, lower = side ? at.slot : next;
  const uint8_t state = g->state[next];
  const float w = g->w[axis] ? g->w[axis][lower] : state & PERP_CELL_UNKNOWN ? g->weight : 0;
  return (link){(state & PERP_CELL_FREE) != 0, w};
}

typedef struct network_cell {
  uint8_t state, dirs;
  float w[3], sink;
} network_cell;

static int bits_of(uint8_t dirs)
{
  int count = 0;
  for (; dirs; dirs &= (uint8_t)(dirs - 1))
    count++;
  return count;
}

/* What the free cell `at` adds to its coarse cell along an axis; share: of its sink, for each of
 * its directions. */
static void add_axis(const perp_grid *g, place at, int axis, int odd, uint8_t dirs, float share,
                     network_cell *cell)
{
  const bool halve = g->halve[axis];
  const link links[2] = {link_of(g, at, axis, 0), link_of(g, at, axis, 1)};
  const link inner = links[1 - odd];
  const float inside = halve && inner.free ? inner.w : 0;
  for (int side = 0; side < 2; side++) {
    const bool outward = halve && side == odd;
    const uint8_t bit = (uint8_t)(1 << (2 * axis + side));
    float w = links[side].w, sink = dirs & bit ? share : 0;
    if (!links[side].free) {
      sink += w;
      w = 0;
    }
    if (sink > 0) {
      cell->sink += outward && inside > 0 ? series(sink, 2 * inside) : sink;
      cell->dirs |= bit;
    }
    if (w > 0 && side == 1 && (!halve || outward)) {
      if (halve) { /* half a face here, and one beyond where the next cell has its other half */
        const link beyond = link_of(g, place_next(g, at, axis, 1), axis, 1);
        w = inside > 0 ? series(w, 2 * inside) : w;
        w = beyond.free && beyond.w > 0 ? series(w, 2 * beyond.w) : w;
      }
      cell->w[axis] += w;
    }
  }
}

/* What a cell adds that is inside: no sinks but its own, and paths upward. */
static void add_inside(const perp_grid *g, place at, const int odd[3], network_cell *cell)
{
  cell->sink += g->sink[at.slot];
  for (int axis = 0; axis < g->axes; axis++) {
    float w = g->w[axis] ? g->w[axis][at.slot] : g->weight;
    if (g->halve[axis]) {
      if (!odd[axis])
        continue;
      const link beyond = link_of(g, place_next(g, at, axis, 1), axis, 1);
      w = series(w, 2 * link_of(g, at, axis, 0).w);
      w = beyond.free && beyond.w > 0 ? series(w, 2 * beyond.w) : w;
    }
    cell->w[axis] += w;
  }
}

static network_cell cell_build(const perp_grid *g, int I, int J, int K)
{
  const int C[3] = {I, J, K};
  int from[3], to[3];
  for (int axis = 0; axis < 3; axis++) {
    from[axis] = g->halve[axis] ? 2 * C[axis] : C[axis];
    to[axis] = from[axis] + (g->halve[axis] ? 2 : 1);
    to[axis] = to[axis] < g->n[axis] ? to[axis] : g->n[axis];
  }
  network_cell cell = {0};
  for (int k = from[2]; k < to[2]; k++)
    for (int j = from[1]; j < to[1]; j++)
      for (int i = from[0]; i < to[0]; i++) {
        const int64_t slot = perp_grid_slot(g, i, j, k);
        cell.state |= g->state[slot] & (PERP_CELL_FREE | PERP_CELL_UNKNOWN);
        if (!(g->state[slot] & PERP_CELL_FREE))
          continue;
        const int odd[3] = {i & 1, j & 1, k & 1};
        const place at = {slot, (i + j + k) & 1, i & 1};
        if (g->code[slot] & PERP_CODE_INSIDE) {
          add_inside(g, at, odd, &cell);
          continue;
        }
        const uint8_t dirs = g->dirs[slot] & (uint8_t)~QUEUED;
        const float share = dirs ? g->sink[slot] / (float)bits_of(dirs) : 0;
        if (!dirs)
          cell.sink += g->sink[slot];
        for (int axis = 0; axis < g->axes; axis++)
          add_axis(g, at, axis, odd[axis], dirs, share, &cell);
      }
  return cell;
}

/* Writes it; whether anything is new. */
static bool cell_store(const perp_grid *g, int64_t slot, const network_cell *cell)
{
  bool same = g->state[slot] == cell->state && g->sink[slot] == cell->sink &&
              (g->dirs[slot] & ~QUEUED) == cell->dirs;
  for (int axis = 0; axis < g->axes; axis++) {
    same = same && g->w[axis][slot] == cell->w[axis];
    g->w[axis][slot] = cell->w[axis];
  }
  g->state[slot] = cell->state;
  g->sink[slot] = cell->sink;
  g->dirs[slot] = cell->dirs | (g->dirs[slot] & QUEUED);
  return !same;
}

/* ---- All of a coarse grid ---- */

/* For each coarse cell in row (J, K): `all` has the bits that the codes of its cells share, `any`
 * those that one of them has. */
static void survey_row(const perp_grid *g, int nx, int J, int K, uint8_t *restrict all,
                       uint8_t *restrict any)
{
  const int j0 = g->halve[1] ? 2 * J : J, k0 = g->halve[2] ? 2 * K : K;
  const int j1 = j0 + g->halve[1], k1 = k0 + g->halve[2];
  const bool whole = j1 < g->n[1] && k1 < g->n[2];
  memset(all, whole ? 255 : 0, (size_t)nx);
  memset(any, 0, (size_t)nx);
  for (int k = k0; k <= k1 && k < g->n[2]; k++)
    for (int j = j0; j <= j1 && j < g->n[1]; j++)
      for (int colour = 0; colour < 2; colour++) {
        const int h = (j + k + colour) & 1, length = perp_grid_length(g, h);
        const uint8_t *code = g->code + perp_grid_row(g, j, k, colour);
        const int step = g->halve[0] ? 1 : 2, first = g->halve[0] ? 0 : h;
        if (step == 1)
          for (int m = 0; m < length; m++) {
            all[m] &= code[m];
            any[m] |= code[m];
          }
        else
          for (int m = 0; m < length; m++) {
            all[first + 2 * m] &= code[m];
            any[first + 2 * m] |= code[m];
          }
      }
  if (g->halve[0] && g->n[0] % 2)
    all[nx - 1] = 0;
}

/* Two half faces and a whole one; what is no number where a face is closed is not used. */
static inline float path(float a, float b, float c)
{
  return 2 * a * b * c / (b * c + 2 * a * c + a * b);
}

/* The row (J, K) of coarse cells as if all their cells were inside, the first axis halved: faces
 * and sinks, by column, into rows of `length` each. Cells 2I and 2I + 1 of a fine row are both at
 * place I of their colours. */
static void network_row(const perp_grid *g, int J, int K, int length, float *restrict w[3],
                        float *restrict sink)
{
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
        sink[I] += g->sink[even + I] + g->sink[odd + I];
      const float *inner = g->w[0] + even, *face = g->w[0] + odd;
      for (int I = 0; I < length; I++)
        w[0][I] += path(inner[I], face[I], inner[I + 1]);
      for (int axis = 1; axis < g->axes; axis++) {
        const int64_t step = axis == 1 ? g->row : g->plane;
        for (int h = 0; h < 2; h++) { /* neighbours along these axes have the other colour */
          const int64_t own = h ? odd : even, other = h ? even : odd;
          const float *f = g->w[axis] + own;
          if (!g->halve[axis]) {
            for (int I = 0; I < length; I++)
              w[axis][I] += f[I];
          } else if (axis == 1 ? j == j1 : k == k1) {
            const float *before = g->w[axis] + other - step, *beyond = g->w[axis] + other + step;
            for (int I = 0; I < length; I++)
              w[axis][I] += path(before[I], f[I], beyond[I]);
          }
        }
      }
    }
}

/* The same where all faces weigh the same. */
static void network_row_even(const perp_grid *g, int J, int K, int length, float *restrict w[3],
                             float *restrict sink)
{
  const int j0 = g->halve[1] ? 2 * J : J, k0 = g->halve[2] ? 2 * K : K;
  const int j1 = j0 + g->halve[1], k1 = k0 + g->halve[2];
  const int cells = (1 + g->halve[0]) * (1 + g->halve[1]) * (1 + g->halve[2]);
  memset(sink, 0, (size_t)length * sizeof *sink);
  for (int axis = 0; axis < g->axes; axis++) {
    /* halved: half the cells have a path, which is half as good as a face */
    const float face = g->weight * (float)cells * (g->halve[axis] ? 0.25f : 1);
    for (int I = 0; I < length; I++)
      w[axis][I] = face;
  }
  for (int k = k0; k <= k1; k++)
    for (int j = j0; j <= j1; j++) {
      const float *a = g->sink + perp_grid_row(g, j, k, 0);
      const float *b = g->sink + perp_grid_row(g, j, k, 1);
      for (int I = 0; I < length; I++)
        sink[I] += a[I] + b[I];
    }
}

static void gain_row(const perp_grid *g, int j, int k)
{
  for (int colour = 0; colour < 2; colour++) {
    const int h = (j + k + colour) & 1;
    const int64_t c = perp_grid_row(g, j, k, colour);
    const int64_t other = colour ? c - g->colour : c + g->colour;
    const float *wx = g->w[0] + c, *wx_side = g->w[0] + other + h - 1;
    const float *wy = g->w[1] + c, *wy_up = g->w[1] + other - g->row;
    for (int m = 0; m < perp_grid_length(g, h); m++) {
      float d = g->sink[c + m] + ((wx[m] + wx_side[m]) + (wy[m] + wy_up[m]));
      if (g->axes == 3)
        d += g->w[2][c + m] + g->w[2][other - g->plane + m];
      g->gain[c + m] = d >= FLT_MIN && (g->state[c + m] & PERP_CELL_FREE) ? 1 / d : 0;
    }
  }
}

void perp_grid_gains(const perp_grid *g)
{
  for (int k = 0; k < g->n[2]; k++)
    for (int j = 0; j < g->n[1]; j++)
      gain_row(g, j, k);
}

static void gain_cell(const perp_grid *g, const int at[3])
{
  const int64_t slot = perp_grid_slot(g, at[0], at[1], at[2]);
  const place here = {slot, (at[0] + at[1] + at[2]) & 1, at[0] & 1};
  float d = g->sink[slot];
  for (int axis = 0; axis < g->axes; axis++)
    d += link_of(g, here, axis, 0).w + link_of(g, here, axis, 1).w;
  g->gain[slot] = d >= FLT_MIN && (g->state[slot] & PERP_CELL_FREE) ? 1 / d : 0;
}

/* A row of cells whose cells are all inside. */
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

/* A coarse cell none of whose cells is free: only whether it is an unknown matters. */
static network_cell cell_of_none(const perp_grid *g, int I, int J, int K)
{
  network_cell cell = {0};
  for (int dk = 0; dk <= g->halve[2]; dk++)
    for (int dj = 0; dj <= g->halve[1]; dj++)
      for (int di = 0; di <= g->halve[0]; di++) {
        const int i = (I << g->halve[0]) + di, j = (J << g->halve[1]) + dj;
        const int k = (K << g->halve[2]) + dk;
        if (i < g->n[0] && j < g->n[1] && k < g->n[2])
          cell.state |= g->state[perp_grid_slot(g, i, j, k)] & PERP_CELL_UNKNOWN;
      }
  return cell;
}

/* What a walk along coarse rows has found, by column. */
typedef struct survey {
  uint8_t *all, *any; /* of this row */
  uint8_t *other;     /* both, of a row next to it */
} survey;

/* all_I <- whether cell I and the next ones along all axes are inside */
static void survey_inside(const perp_grid *g, int nx, int J, int K, survey s)
{
  const perp_grid *coarse = g + 1;
  survey_row(g, nx, J, K, s.all, s.any);
  for (int axis = 1; axis < g->axes; axis++) {
    const int at[3] = {0, J, K};
    if (!g->halve[axis] || at[axis] + 1 >= coarse->n[axis])
      continue;
    survey_row(g, nx, J + (axis == 1), K + (axis == 2), s.other, s.other + nx);
    for (int I = 0; I < nx; I++)
      s.all[I] &= s.other[I];
  }
  for (int I = 0; I + 1 < nx; I++)
    s.all[I] &= s.all[I + 1];
  for (int I = 0; I < nx; I++)
    s.all[I] &= PERP_CODE_INSIDE;
  s.all[nx - 1] = 0;
}

/* A coarse row is made as if its cells, and those of the next ones, were inside; then anew those
 * cells that are not. */
void perp_grids_build(perp_grids *grids, int level)
{
  const perp_grid *g = &grids->grid[level], *coarse = g + 1;
  const int nx = coarse->n[0], ny = coarse->n[1], nz = coarse->n[2];
  perp_grid_code_all(g);
  const survey s = {grids->bytes, grids->bytes + nx, grids->bytes + 2 * nx};
  float *w[3], *sink = grids->rows;
  for (int axis = 0; axis < 3; axis++)
    w[axis] = grids->rows + (axis + 1) * (nx + 1);
  for (int K = 0; K < nz; K++)
    for (int J = 0; J < ny; J++) {
      if (g->halve[0]) {
        survey_inside(g, nx, J, K, s);
        if (g->w[0])
          network_row(g, J, K, nx, w, sink);
        else
          network_row_even(g, J, K, nx, w, sink);
        store_row(coarse, J, K, w, sink);
      } else {
        survey_row(g, nx, J, K, s.all, s.any);
        memset(s.all, 0, (size_t)nx);
      }
      for (int I = 0; I < nx; I++)
        if (!s.all[I]) {
          const network_cell cell = s.any[I] ? cell_build(g, I, J, K) : cell_of_none(g, I, J, K);
          cell_store(coarse, perp_grid_slot(coarse, I, J, K), &cell);
        }
    }
  perp_grid_gains(coarse);
  grids->rebuilt += coarse->cells;
}

/* ---- What changed ---- */

static int cell_number(const perp_grid *g, const int at[3])
{
  return (at[2] * g->n[1] + at[1]) * g->n[0] + at[0];
}

static void recode(const perp_grid *g, const int *cells, int64_t count)
{
  for (int64_t q = 0; q < count; q++) {
    int at[3];
    perp_grid_cell(g, cells[q], at);
    perp_grid_code_cell(g, at[0], at[1], at[2]);
    for (int axis = 0; axis < g->axes; axis++)
      for (int step = -1; step <= 1; step += 2) {
        int next[3] = {at[0], at[1], at[2]};
        next[axis] += step;
        if (next[axis] >= 0 && next[axis] < g->n[axis])
          perp_grid_code_cell(g, next[0], next[1], next[2]);
      }
  }
}

static int64_t enlist(const perp_grid *g, const int at[3], int *list, int64_t count)
{
  uint8_t *dirs = g->dirs + perp_grid_slot(g, at[0], at[1], at[2]);
  if (*dirs & QUEUED)
    return count;
  *dirs |= QUEUED;
  list[count] = cell_number(g, at);
  return count + 1;
}

/* The coarse cells that depend on the cells listed: those over them and their neighbours. */
static int64_t list_coarse(const perp_grid *g, const int *cells, int64_t count, int *list)
{
  const perp_grid *coarse = g + 1;
  int64_t found = 0;
  for (int64_t q = 0; q < count; q++) {
    int at[3];
    perp_grid_cell(g, cells[q], at);
    for (int axis = 0; axis < 3; axis++)
      at[axis] = g->halve[axis] ? at[axis] / 2 : at[axis];
    found = enlist(coarse, at, list, found);
    for (int axis = 0; axis < g->axes; axis++)
      for (int step = -1; step <= 1; step += 2) {
        int next[3] = {at[0], at[1], at[2]};
        next[axis] += step;
        if (next[axis] >= 0 && next[axis] < coarse->n[axis])
          found = enlist(coarse, next, list, found);
      }
  }
  return found;
}

/* Builds the coarse cells listed; those that did change remain in the list. */
static int64_t build_listed(perp_grids *grids, int level, int *list, int64_t count)
{
  const perp_grid *g = &grids->grid[level], *coarse = g + 1;
  int64_t kept = 0;
  for (int64_t q = 0; q < count; q++) {
    int at[3];
    perp_grid_cell(coarse, list[q], at);
    const int64_t slot = perp_grid_slot(coarse, at[0], at[1], at[2]);
    const network_cell cell = cell_build(g, at[0], at[1], at[2]);
    coarse->dirs[slot] &= (uint8_t)~QUEUED;
    /* a list of all: the gains come after all faces */
    if (cell_store(coarse, slot, &cell)) {
      const int swap = list[kept];
      list[kept++] = list[q];
      list[q] = swap;
    }
  }
  for (int64_t q = 0; q < count; q++) {
    int at[3];
    perp_grid_cell(coarse, list[q], at);
    gain_cell(coarse, at);
  }
  grids->rebuilt += count;
  return kept;
}

void perp_grids_follow(perp_grids *grids, int level, int64_t count)
{
  for (int l = level; l < grids->count - 1; l++) {
    const perp_grid *g = &grids->grid[l];
    int *cells = grids->changed[(l - level) % 2], *coarse = grids->changed[(l - level + 1) % 2];
    /* each cell listed gives at most seven; and where many changed, all rows are quicker */
    if (count >= 0 && (7 * count > grids->room || 16 * count > g->cells))
      count = -1;
    if (count < 0) {
      perp_grids_build(grids, l);
    } else {
      recode(g, cells, count);
      count = build_listed(grids, l, coarse, list_coarse(g, cells, count, coarse));
    }
    if (count == 0)
      return;
  }
}
