/* fluid/volume.c: how much room the liquid takes
 *
 * Particles never get lost, but they may crowd: what is measured is the room they take. Cells
 * within the liquid count in full, however many particles they happen to hold; those at its surface
 * and in spray, which is where they and their neighbours hold less than THIN of what fits, by what
 * they hold. A surface that crosses the cells makes this swing by some percent of a small body of
 * liquid, from step to step. So it is the mean over 2^dim grids, each moved by half a cell along
 * some of the axes. */
#include "simulate/fluid/fluid.h"

#include <math.h>
#include <string.h>

static const double THIN = 0.7;

/* The cell of grid `moved`, of whose bits each moves it along an axis. */
static int64_t cell_in(const perp_fluid *f, int moved, const double *x)
{
  int at[3] = {0, 0, 0};
  for (int m = 0; m < f->dim; m++) {
    at[m] = (int)floor((x[m] - f->origin[m]) / f->dx + 0.5 * (moved >> m & 1));
    at[m] = at[m] < 0 ? 0 : at[m] > f->n[m] ? f->n[m] : at[m];
  }
  return perp_fluid_at(f, at[0], at[1], at[2]);
}

/* Cells that are full hold what fits in their halves or quarters in the container. */
bool perp_fluid_measure_begin(perp_fluid *f)
{
  const int grids = 1 << f->dim;
  const size_t n = (size_t)f->size;
  if (!PERP_TAKE(&f->memory, PERP_ARRAY(f->grid_held, n)) ||
      !PERP_TAKE_ZERO(&f->memory, PERP_ARRAY(f->grid_full, n * (size_t)grids)))
    return false;
  f->full = f->grid_full; /* the first is the grid as it stands */
  perp_fluid_count_full(f);
  return true;
}

void perp_fluid_count_full(perp_fluid *f)
{
  const int grids = 1 << f->dim;
  memset(f->grid_full, 0, (size_t)f->size * (size_t)grids * sizeof *f->grid_full);
  for (int k = 0; k < f->n[2]; k++)
    for (int j = 0; j < f->n[1]; j++)
      for (int i = 0; i < f->n[0]; i++)
        for (int c = 0; c < 1 << f->dim; c++) {
          const int cell[3] = {i, j, k};
          double x[3] = {0, 0, 0};
          for (int m = 0; m < f->dim; m++)
            x[m] = f->origin[m] + f->dx * (cell[m] + 0.25 + 0.5 * (c >> m & 1));
          if (perp_fluid_room(f, x) > 0)
            for (int moved = 0; moved < grids; moved++)
              f->grid_full[moved * f->size + cell_in(f, moved, x)]++;
        }
}

/* Whether a cell counts in full. */
static bool is_within(const perp_fluid *f, const int *held, const int *full, int64_t at)
{
  int sum_held = held[at], sum_full = full[at];
  if (held[at] >= full[at])
    return true;
  for (int d = 0; d < f->dim; d++)
    for (int side = -1; side <= 1; side += 2) {
      const int64_t to = at + side * f->step[d];
      if (to < 0 || to >= f->size || full[to] == 0)
        continue;
      if (held[to] == 0)
        return false;
      sum_held += held[to];
      sum_full += full[to];
    }
  return sum_held >= THIN * sum_full;
}

double perp_fluid_measure(perp_fluid *f)
{
  const int grids = 1 << f->dim;
  int64_t sum = 0;
  for (int moved = 0; moved < grids; moved++) {
    const int *full = f->grid_full + moved * f->size;
    memset(f->grid_held, 0, (size_t)f->size * sizeof *f->grid_held);
    for (int64_t q = 0; q < f->particles; q++)
      f->grid_held[cell_in(f, moved, f->x + q * f->dim)]++;
    for (int64_t at = 0; at < f->size; at++)
      if (f->grid_held[at] > 0)
        sum += is_within(f, f->grid_held, full, at) ? full[at] : f->grid_held[at];
  }
  return (double)sum / grids;
}
