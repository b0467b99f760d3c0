/* start.c: full multigrid
 *
 * The problem on a coarse grid: the network of grid.h, b summed over the cells of a coarse cell,
 * bounds their means. b of the cells at the boundary contains nonzero boundary values, times the
 * conductance to the boundary. The coarse conductance p to the boundary is smaller than the
 * conductance B of the grid above, so that part of b must shrink with it. Since a load is smooth,
 * the difference to b of the next inner cell estimates that part:
 *
 *   b_C = sum_c b_c + sum_c (b_inner(c) - b_c) (1 - p / B)
 *
 * The free boundary moves like the square root of an error in the solution: with the plain sum the
 * contact region of the start would be wrong by dozens of cells. */
#include "method/multilevel/grid/finest.h"
#include "method/multilevel/grid/kernel/coarse.h"

#include <string.h>

/* ---- Data of the coarse problems ---- */

/* f / gain of a cell of a coarse grid. */
static float load_flat(const void *task, const int at[3], int64_t c)
{
  const perp_grid *g = &((const perp_grid_task *)task)->g;
  (void)c;
  return g->flat[((int64_t)at[2] * g->n[1] + at[1]) * g->n[0] + at[0]];
}

/* ---- Coarse problems ---- */

perp_grid_set perp_finest_set(const perp_finest *f)
{
  return f->g->unbounded ? PERP_GRID_LINEAR : f->g->lo ? PERP_GRID_BOX : PERP_GRID_PLAIN;
}

void perp_start_interpolate(perp_finest *f, int level, perp_grid_set set, int colour, bool add)
{
  const perp_grid *g = &f->grids.grid[level];
  float *v = f->grids.buffer;
  for (int k = 0; k < g->n[2]; k++)
    for (int j = 0; j < g->n[1]; j++) {
      const int count = perp_grid_length(g, (j + k + colour) & 1);
      const int64_t c = perp_grid_row(g, j, k, colour);
      perp_grid_interpolate_row(g, g + 1, j, k, colour, add ? g->share : PERP_SHARE_LINEAR, v);
      for (int m = 0; m < count; m++)
        g->x[c + m] = perp_cell_project(g, (int)set, c + m, add ? g->x[c + m] + v[m] : v[m]);
    }
}

void perp_start_mark(perp_finest *f, int level, perp_grid_set set)
{
  const perp_grid *g = &f->grids.grid[level];
  int64_t count = 0;
  for (int row = 0; row < g->n[1] * g->n[2]; row++)
    for (int colour = 0; colour < 2; colour++) {
      const int j = row % g->n[1], k = row / g->n[1], h = (j + k + colour) & 1;
      const int64_t c = perp_grid_row(g, j, k, colour);
      const int length = perp_grid_length(g, h);
      for (int m = 0; m < length; m++) {
        if (!perp_cell_mark(g, (int)set, c + m))
          continue;
        if (count < f->grids.room)
          f->grids.changed[0][count] = row * g->n[0] + 2 * m + h;
        count++;
      }
    }
  perp_grids_follow(&f->grids, level, count < f->grids.room ? count : -1);
}

static void problem_cycle(perp_finest *f, int level, perp_grid_set set, perp_smoothing fine,
                          perp_smoothing coarse)
{
  const perp_grid *g = &f->grids.grid[level];
  for (int s = 0; s < fine.pre; s++)
    perp_grid_sweep(g, set);
  if (set != PERP_GRID_LINEAR)
    perp_start_mark(f, level, set);
  perp_grids_descend(&f->grids, level, coarse);
  perp_start_interpolate(f, level, set, 1, true);
  for (int s = 0; s < fine.post; s++)
    perp_grid_sweep(g, set);
}

void perp_start_load(perp_finest *f, int level)
{
  const perp_grid *g = &f->grids.grid[level], *coarse = g + 1;
  const perp_grid_task task = {.g = *g,
                               .below = *coarse,
                               .top = {.lo = f->g->lo,
                                       .hi = f->g->hi,
                                       .size = f->size,
                                       .offset = f->g->offset,
                                       .scale = f->g->scale,
                                       .diagonal = f->diagonal,
                                       .common = f->common}};
  const bool box = perp_finest_set(f) == PERP_GRID_BOX;
  float *flat = coarse->flat;
  for (int K = 0; K < coarse->n[2]; K++)
    for (int J = 0; J < coarse->n[1]; J++)
      for (int I = 0; I < coarse->n[0]; I++) {
        *flat++ = perp_cell_load_below(&task, level > 0 ? load_flat : perp_load_fine, I, J, K);
        if (box)
          perp_cell_bounds_below(&task, level == 0, I, J, K);
      }
}

void perp_start_solve(perp_finest *f, int first, int cycles, perp_smoothing fine,
                      perp_smoothing coarse)
{
  const perp_grids *grids = &f->grids;
  const perp_grid_set set = perp_finest_set(f);
  for (int level = first; level + 1 < grids->count; level++)
    perp_start_load(f, level);
  for (int level = first; level < grids->count; level++)
    perp_grid_receive(&grids->grid[level]);
  const perp_grid *last = &grids->grid[grids->count - 1];
  last->x[0] = perp_cell_project(last, (int)set, 0, last->x[0]);
  for (int level = grids->count - 2; level >= first; level--) {
    perp_grid_send(&grids->grid[level + 1]);
    for (int colour = 0; colour < 2; colour++)
      perp_start_interpolate(f, level, set, colour, false);
    for (int c = 0; c < cycles; c++)
      problem_cycle(f, level, set, fine, coarse);
  }
}

void perp_finest_start(perp_finest *f, int cycles, perp_smoothing fine, perp_smoothing coarse)
{
  if (f->grids.count == 1)
    return;
  perp_start_load(f, 0);
  perp_start_solve(f, 1, cycles, fine, coarse);
  perp_grid_send(&f->grids.grid[1]);
  perp_finest_prolong(f);
}
