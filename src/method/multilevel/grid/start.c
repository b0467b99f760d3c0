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
  const perp_lattice *fine = f->g;
  return (perp_grid_task){.g = *g,
                          .below = g[level + 1 < f->grids.count],
                          .level = level,
                          .set = set,
                          .top = {.x = fine->x,
                                  .offset = fine->offset,
                                  .gains = fine->gains,
                                  .wx = fine->wx,
                                  .wy = fine->wy,
                                  .wz = fine->wz,
                                  .lo = fine->lo,
                                  .hi = fine->hi,
                                  .step = f->step,
                                  .diagonal = f->diagonal,
                                  .common = f->common,
                                  .mode = (int)fine->mode,
                                  .set = (int)perp_finest_set(f),
                                  .gain = fine->gain,
                                  .scale = fine->scale,
                                  .size = f->size,
                                  .unit = f->grids.unit,
                                  .shrink = 1 / (fine->scale * f->size),
                                  .length = f->place.length}};
}

/* Makes a kernel of both colours of grid 0. */
static perp_grid_task both_colours(const perp_finest *f, int op)
{
  perp_grid_task task = task_of(f, 0, 0);
  for (task.colour = 0; task.colour < 2; task.colour++)
    perp_kernel_grid.run(op, &task);
  return task;
}

/* step <- P(x + correction) - x in all cells, energy <- its product with y and with A step, over
 * the own cells. */
static void search(perp_finest *f)
{
  if (!f->step && !(f->step = perp_lattice_array(f->g, f->place.run->arena))) {
    f->place.failure = perp_run_no_memory(f->place.run);
    return;
  }
  perp_grid_fetch(&f->grids.grid[1]);
  perp_grid_task task = both_colours(f, PERP_GRID_STEP);
  f->energy[0] = f->energy[1] = 0;
  for (int k = f->own[2][0]; k < f->own[2][1]; k++)
    for (int j = f->own[1][0]; j < f->own[1][1]; j++)
      for (int i = f->own[0][0]; i < f->own[0][1]; i++) {
        task.colour = (i + j + k) & 1;
        const perp_grid_sums sums = perp_fine_line(&task, i / 2, j, k);
        f->energy[0] += sums.slope;
        f->energy[1] += sums.bend;
      }
}

bool perp_grid_op_interpolates(int op)
{
  return op == PERP_GRID_ADD || op == PERP_GRID_INTERPOLATE || op == PERP_GRID_CORRECT ||
         op == PERP_GRID_PROLONG || op == PERP_GRID_STEP;
}

/* Makes a step of grid 0 in doubles; returns false if it is another step. */
static bool own_step_finest(perp_finest *f, int op)
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
    search(f);
    break;
  case PERP_GRID_GO:
    both_colours(f, op);
    break;
  default:
    return false;
  }
  return true;
}

void perp_finest_own_step(perp_finest *f, int op, int level, int colour, int set)
{
  perp_grids *grids = &f->grids;
  const perp_grid *g = &grids->grid[level];
  if (own_step_finest(f, op))
    return;
  switch (op) {
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
