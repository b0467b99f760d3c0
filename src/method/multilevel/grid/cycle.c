/* cycle.c: relaxation on coarse grids and V-cycles
 *
 *   x_c <- gain_c sum over the neighbours d of c of w_cd x_d + f_c
 *
 * in red-black order, projected if the coarse problem has bounds. Black rows follow one row (in
 * solid grids one plane) behind the red ones, so that memory is read once per sweep. A V-cycle: on
 * each grid `pre` sweeps from zero, the residual, the coarse grid, `post` sweeps; on the next grid
 * one sweep more of each, and two more on all further grids (the variable V-cycle; Bramble and
 * Pasciak 1987). If a boundary lies across the grid, a coarse cell that it cuts has one value
 * although the solution has a slope, and is too stiff. The more levels there are, the less the
 * error beside the boundary is corrected: 0.2 of it is missing on a grid of 2048^2. Sweeps on those
 * grids cost next to nothing. The last grid has one cell and is solved by its gain. Cost: about
 * (pre + post + 1) 3/2 sweeps of the first grid in the plane, 8/7 in solid grids. */
#include "base/kernel.h"
#include "method/multilevel/grid/grid.h"

#include <string.h>

static inline float max_float(float a, float b)
{
  return a > b ? a : b;
}

static inline float min_float(float a, float b)
{
  return a < b ? a : b;
}

/* out_m <- gain sum w x + f, projected. */
KERNEL void row_kernel(const perp_grid *g, perp_around r, float *restrict out, perp_grid_set set,
                       bool solid)
{
  const float *x = g->x, *gain = g->gain + r.c, *f = g->f + r.c;
  const float *wx = g->w[0] + r.c, *wx_side = g->w[0] + r.side, *x_side = x + r.side;
  const float *wy = g->w[1] + r.c, *wy_up = g->w[1] + r.up, *x_up = x + r.up, *x_down = x + r.down;
  const float *wz = solid ? g->w[2] + r.c : NULL, *wz_front = solid ? g->w[2] + r.front : NULL;
  const float *x_front = x + (solid ? r.front : 0), *x_back = x + (solid ? r.back : 0);
  const float *lo = set == PERP_GRID_BOX ? g->lo + r.c : NULL;
  const float *hi = set == PERP_GRID_BOX ? g->hi + r.c : NULL;
  for (int m = 0; m < r.count; m++) {
    float sum = (wx_side[m - 1] * x_side[m - 1] + wx[m] * x_side[m]) +
                (wy_up[m] * x_up[m] + wy[m] * x_down[m]);
    if (solid)
      sum += wz_front[m] * x_front[m] + wz[m] * x_back[m];
    float t = gain[m] * sum + f[m];
    if (set == PERP_GRID_PLAIN)
      t = max_float(t, 0);
    if (set == PERP_GRID_BOX)
      t = min_float(max_float(t, lo[m]), hi[m]);
    out[m] = t;
  }
}

static void row_relax(const perp_grid *g, perp_grid_set set, int row, int colour)
{
  const perp_around r = perp_grid_around(g, row % g->n[1], row / g->n[1], colour);
  float *x = g->x + r.c;
  if (set == PERP_GRID_LINEAR && g->axes == 2)
    row_kernel(g, r, x, PERP_GRID_LINEAR, false);
  else if (set == PERP_GRID_LINEAR)
    row_kernel(g, r, x, PERP_GRID_LINEAR, true);
  else if (set == PERP_GRID_PLAIN)
    row_kernel(g, r, x, PERP_GRID_PLAIN, g->axes == 3);
  else
    row_kernel(g, r, x, PERP_GRID_BOX, g->axes == 3);
}

void perp_grid_half_sweep(const perp_grid *g, perp_grid_set set, int colour)
{
  for (int row = 0; row < g->n[1] * g->n[2]; row++)
    row_relax(g, set, row, colour);
}

void perp_grid_sweep(const perp_grid *g, perp_grid_set set)
{
  const int rows = g->n[1] * g->n[2], lag = g->axes == 3 ? g->n[1] : 1;
  for (int row = 0; row < rows + lag; row++) {
    if (row < rows)
      row_relax(g, set, row, 0);
    if (row >= lag)
      row_relax(g, set, row - lag, 1);
  }
}

/* r <- the residuals of a row, f / gain - A x. */
static void residual_row(const perp_grid *g, int j, int k, int colour, float *restrict r)
{
  const perp_around at = perp_grid_around(g, j, k, colour);
  const float *x = g->x + at.c, *gain = g->gain + at.c;
  row_kernel(g, at, r, PERP_GRID_LINEAR, g->axes == 3);
  for (int m = 0; m < at.count; m++)
    r[m] = gain[m] > 0 ? (r[m] - x[m]) / gain[m] : 0;
}

static void flat_clear(const perp_grid *g)
{
  memset(g->flat, 0, (size_t)g->cells * sizeof *g->flat);
}

void perp_grids_restrict(perp_grids *grids, int level)
{
  const perp_grid *g = &grids->grid[level];
  flat_clear(g + 1);
  for (int k = 0; k < g->n[2]; k++)
    for (int j = 0; j < g->n[1]; j++) {
      residual_row(g, j, k, 0, grids->buffer);
      perp_grid_restrict_row(g, g + 1, j, k, 0, grids->buffer);
    }
}

void perp_grids_add(perp_grids *grids, int level, int colour)
{
  const perp_grid *g = &grids->grid[level];
  for (int k = 0; k < g->n[2]; k++)
    for (int j = 0; j < g->n[1]; j++) {
      const int count = perp_grid_length(g, (j + k + colour) & 1);
      float *x = g->x + perp_grid_row(g, j, k, colour);
      perp_grid_interpolate_row(g, g + 1, j, k, colour, g->share, grids->buffer);
      for (int m = 0; m < count; m++)
        x[m] += grids->buffer[m];
    }
}

void perp_grids_descend(perp_grids *grids, int level, perp_smoothing how)
{
  perp_grids_restrict(grids, level);
  perp_grid_receive(&grids->grid[level + 1]);
  perp_grids_cycle(grids, level + 1, how);
  perp_grid_send(&grids->grid[level + 1]);
}

void perp_grids_cycle(perp_grids *grids, int level, perp_smoothing how)
{
  const perp_grid *g = &grids->grid[level];
  const int more = perp_grids_more(level);
  if (level == grids->count - 1)
    return;
  perp_grid_half_sweep(g, PERP_GRID_LINEAR, 1); /* the red half is in receive */
  for (int s = 1; s < how.pre + more; s++)
    perp_grid_sweep(g, PERP_GRID_LINEAR);
  perp_grids_descend(grids, level, how);
  perp_grids_add(grids, level, 1);
  for (int s = 0; s < how.post + more; s++)
    perp_grid_sweep(g, PERP_GRID_LINEAR);
}

/* Before the coarse grid red then black, after it black then red; so the red cells are
 * corrected. */
void perp_grids_cycle_symmetric(perp_grids *grids, int level, int sweeps)
{
  const perp_grid *g = &grids->grid[level];
  if (level == grids->count - 1)
    return;
  perp_grid_half_sweep(g, PERP_GRID_LINEAR, 1);
  for (int s = 1; s < sweeps; s++)
    perp_grid_sweep(g, PERP_GRID_LINEAR);
  perp_grids_restrict(grids, level);
  perp_grid_receive(g + 1);
  perp_grids_cycle_symmetric(grids, level + 1, sweeps);
  perp_grid_send(g + 1);
  perp_grids_add(grids, level, 0);
  for (int s = 0; s < sweeps; s++) {
    perp_grid_half_sweep(g, PERP_GRID_LINEAR, 1);
    perp_grid_half_sweep(g, PERP_GRID_LINEAR, 0);
  }
}
