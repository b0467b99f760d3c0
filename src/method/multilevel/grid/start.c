/* start.c: the steps of V-cycles and of full multigrid on the CPU
 *
 * kernel/flow.h has their order. Steps on many cells go by rows (cycle.c); the others are the
 * kernels of devices, cell by cell.
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
#include "base/kernel.h"
#include "method/multilevel/grid/finest.h"
#include "method/multilevel/grid/kernel/flow.h"

perp_grid_set perp_finest_set(const perp_finest *f)
{
  return f->g->unbounded ? PERP_GRID_LINEAR : f->g->lo ? PERP_GRID_BOX : PERP_GRID_PLAIN;
}

/* x <- P(x + v) or P(v) from slot c on */
KERNEL void put_row(const perp_grid *g, int64_t c, int count, const float *v, int set, bool add)
{
  float *x = g->x;
  for (int m = 0; m < count; m++)
    x[c + m] = perp_cell_project(g, set, c + m, add ? x[c + m] + v[m] : v[m]);
}

void perp_grids_interpolate(const perp_grids *grids, int level, int set, int colour, bool add)
{
  const perp_grid *g = &grids->grid[level];
  const float share = add ? g->share : PERP_SHARE_LINEAR;
  float *v = grids->buffer;
  for (int k = 0; k < g->n[2]; k++)
    for (int j = 0; j < g->n[1]; j++) {
      const int count = perp_grid_length(g, (j + k + colour) & 1);
      const int64_t c = perp_grid_row(g, j, k, colour);
      perp_grid_interpolate_row(g, g + 1, j, k, colour, share, v);
      if (set == PERP_GRID_LINEAR)
        put_row(g, c, count, v, PERP_GRID_LINEAR, add);
      else if (set == PERP_GRID_PLAIN)
        put_row(g, c, count, v, PERP_GRID_PLAIN, add);
      else
        put_row(g, c, count, v, PERP_GRID_BOX, add);
    }
}

/* Determines the free cells, and updates all grids below. */
static void mark(perp_grids *grids, int level, int set)
{
  const perp_grid *g = &grids->grid[level];
  int64_t count = 0;
  for (int row = 0; row < g->n[1] * g->n[2]; row++)
    for (int colour = 0; colour < 2; colour++) {
      const int j = row % g->n[1], k = row / g->n[1], h = (j + k + colour) & 1;
      const int64_t c = perp_grid_row(g, j, k, colour);
      for (int m = 0; m < perp_grid_length(g, h); m++) {
        if (!perp_cell_mark(g, set, c + m))
          continue;
        if (count < grids->room)
          grids->changed[0][count] = row * g->n[0] + 2 * m + h;
        count++;
      }
    }
  perp_grids_follow(grids, level, count < grids->room ? count : -1);
}

static perp_grid_task task_of(const perp_finest *f, int level, int set)
{
  const perp_grid *g = &f->grids.grid[level];
  return (perp_grid_task){.g = *g,
                          .below = g[level + 1 < f->grids.count],
                          .set = set,
                          .top = {.lo = f->g->lo,
                                  .hi = f->g->hi,
                                  .size = f->size,
                                  .shrink = 1 / (f->g->scale * f->size),
                                  .offset = f->g->offset,
                                  .scale = f->g->scale,
                                  .diagonal = f->diagonal,
                                  .common = f->common}};
}

bool perp_grid_op_interpolates(int op)
{
  return op == PERP_GRID_ADD || op == PERP_GRID_INTERPOLATE || op == PERP_GRID_CORRECT ||
         op == PERP_GRID_PROLONG || op == PERP_GRID_STEP;
}

static void own_step_finest(perp_finest *f, int op)
{
  switch (op) {
  case PERP_GRID_SWEEP:
    perp_lattice_sweep_coloured(f->g, 1, f->place.run->options->threads);
    break;
  case PERP_GRID_NATURAL:
    f->natural = perp_finest_residual(f);
    break;
  case PERP_GRID_PREPARE:
    f->changed = perp_finest_mark(f);
    break;
  case PERP_GRID_PROLONG:
    perp_finest_prolong(f);
    break;
  case PERP_GRID_CORRECT:
    perp_finest_correct(f);
    break;
  case PERP_GRID_STEP:
    if (!perp_finest_search(f, f->energy))
      f->place.failure = perp_run_no_memory(f->place.run);
    break;
  default: /* GO */
    perp_finest_step(f, f->length);
  }
}

void perp_finest_own_step(perp_finest *f, int op, int level, int colour, int set)
{
  perp_grids *grids = &f->grids;
  const perp_grid *g = &grids->grid[level];
  switch (op) {
  case PERP_GRID_SWEEP:
  case PERP_GRID_NATURAL:
  case PERP_GRID_PREPARE:
  case PERP_GRID_PROLONG:
  case PERP_GRID_CORRECT:
  case PERP_GRID_STEP:
  case PERP_GRID_GO:
    own_step_finest(f, op);
    break;
  case PERP_GRID_RELAX:
    if (colour == PERP_BOTH)
      perp_grid_sweep(g, (perp_grid_set)set);
    else
      perp_grid_half_sweep(g, colour);
    break;
  case PERP_GRID_REMAINDER:
    perp_grids_restrict(grids, level);
    break;
  case PERP_GRID_GATHER:
    perp_grid_receive(g + 1);
    break;
  case PERP_GRID_ADD:
    perp_grids_interpolate(grids, level, set, colour, true);
    break;
  case PERP_GRID_INTERPOLATE:
    for (int half = 0; half < 2; half++)
      perp_grids_interpolate(grids, level, set, half, false);
    break;
  case PERP_GRID_MARK:
    mark(grids, level, set);
    break;
  case PERP_GRID_BUILD: /* as part of MARK */
  case PERP_GRID_GAINS:
  case PERP_GRID_FILL:
    break;
  default: {
    const perp_grid_task task = task_of(f, level, set);
    perp_kernel_grid.run(op, &task);
  }
  }
}

void perp_finest_flow_step(void *finest, int op, int level, int colour, int set)
{
  perp_finest *f = finest;
  if (perp_grid_op_interpolates(op))
    perp_grid_send(&f->grids.grid[level + 1]);
  perp_finest_own_step(f, op, level, colour, set);
}

void perp_finest_make(perp_finest *f, int op)
{
  f->flow.step(f->flow.who, op, 0, 0, 0);
}
