/* fluid/volume.c: how much room the liquid takes
 *
 * Particles never get lost, but they may crowd: what is measured is the room they take. Cells
 * within the liquid count in full, however many particles they happen to hold; those at its surface
 * and in spray, which is where they and their neighbours hold less than THIN of what fits, by what
 * they hold. A surface that crosses the cells makes this swing by some percent of a small body of
 * liquid, from step to step. So it is the mean over 2^dim grids, each moved by half a cell along
 * some of the axes. */
#include "base/kernel.h"
#include "simulate/fluid/fluid.h"

#include <math.h>
#include <string.h>

static const double THIN = 0.7;

static int bits_of(int set)
{
  int count = 0;
  for (; set; set &= set - 1)
    count++;
  return count;
}

/* Adds a particle or a place for one to its cell in each grid, if that is in the planes from .. to - 1;
 * bit d of a grid's number moves it along axis d. */
KERNEL void count(const perp_fluid *f, int *held, const double *x, int from, int to, int dim)
{
  int64_t at[3][2] = {{0, 0}, {0, 0}, {0, 0}};
  const int64_t first = from * f->step[1], last = to * f->step[1];
  for (int m = 0; m < dim; m++) {
    const double place = (x[m] - f->origin[m]) / f->dx;
    for (int half = 0; half < 2; half++) {
      const int cell = (int)floor(place + 0.5 * half);
      at[m][half] = f->step[m] * (cell < 0 ? 0 : cell > f->n[m] ? f->n[m] : cell);
    }
  }
  for (int moved = 0; moved < 1 << dim; moved++) {
    const int64_t plane = at[1][moved >> 1 & 1];
    if (plane < first || plane >= last)
      continue;
    held[moved * f->size + at[0][moved & 1] + at[1][moved >> 1 & 1] +
         (dim == 3 ? at[2][moved >> 2] : 0)]++;
  }
}

/* Cells that are full hold what fits in their halves or quarters in the container. */
bool perp_fluid_measure_begin(perp_fluid *f)
{
  const int grids = 1 << f->dim;
  const size_t n = (size_t)f->size;
  if (!PERP_TAKE(&f->memory, PERP_ARRAY(f->grid_held, n * (size_t)grids),
                 PERP_ARRAY(f->room_taken, perp_fluid_pieces(f->size))) ||
      !PERP_TAKE_ZERO(&f->memory, PERP_ARRAY(f->grid_full, n * (size_t)grids)))
    return false;
  f->full = f->grid_full; /* the first is the grid as it stands */
  perp_fluid_count_full(f);
  return true;
}

/* Which of the places of a cell are in the container, as bits. */
static int places_within(const perp_fluid *f, const int cell[3])
{
  int within = 0;
  for (int c = 0; c < 1 << f->dim; c++) {
    double x[3] = {0, 0, 0};
    for (int m = 0; m < f->dim; m++)
      x[m] = f->origin[m] + f->dx * (cell[m] + 0.25 + 0.5 * (c >> m & 1));
    within |= (perp_fluid_room(f, x) > 0) << c;
  }
  return within;
}

/* Adds the places of a line of cells to one of the grids. Moved by half a cell along an axis, it has the
 * upper half of a cell's places in its next cell: those whose bits along the moved axes are `far` are
 * together. begin .. end - 1 are cells amid the container; of the others `within` has the places. */
static void count_line(perp_fluid *f, int moved, int64_t line, const int *within, int begin,
                       int end)
{
  const int places = 1 << f->dim;
  for (int far = moved;; far = (far - 1) & moved) { /* all subsets of the bits of moved */
    int64_t step = 0;
    int together = 0;
    for (int m = 0; m < f->dim; m++)
      step += far >> m & 1 ? f->step[m] : 0;
    for (int c = 0; c < places; c++)
      together |= ((c & moved) == far) << c;
    const int whole = bits_of(together);
    int *full = f->grid_full + moved * f->size + line + step;
    for (int i = 0; i < begin; i++)
      full[i] += bits_of(within[i] & together);
    for (int i = begin; i < end; i++)
      full[i] += whole;
    for (int i = end; i < f->n[0]; i++)
      full[i] += bits_of(within[i] & together);
    if (far == 0)
      break;
  }
}

void perp_fluid_count_full(perp_fluid *f)
{
  const int grids = 1 << f->dim;
  memset(f->grid_full, 0, (size_t)f->size * (size_t)grids * sizeof *f->grid_full);
  for (int k = 0; k < f->n[2]; k++)
    for (int j = 0; j < f->n[1]; j++) {
      int begin, end, *within = f->reached;
      perp_fluid_amid(f, 0.5, j + 0.5, k + 0.5, &begin, &end);
      for (int i = 0; i < f->n[0]; i++)
        if (i < begin || i >= end)
          within[i] = places_within(f, (int[3]){i, j, k});
      for (int moved = 0; moved < grids; moved++)
        count_line(f, moved, perp_fluid_at(f, 0, j, k), within, begin, end);
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

KERNEL void count_listed(const perp_fluid *f, const int *particle, int64_t number, int from, int to,
                         int dim)
{
  for (int64_t k = 0; k < number; k++)
    count(f, f->grid_held, f->x + (particle ? particle[k] : k) * dim, from, to, dim);
}

static void count_particles(perp_fluid *f, const int *particle, int64_t number, int from, int to)
{
  if (f->dim == 2)
    count_listed(f, particle, number, from, to, 2);
  else
    count_listed(f, particle, number, from, to, 3);
}

/* Of the cells begin .. end - 1 in all grids, left by piece. */
static void measure_cells(void *context, int64_t begin, int64_t end)
{
  const perp_fluid *f = context;
  int64_t sum = 0;
  for (int moved = 0; moved < 1 << f->dim; moved++) {
    const int *held = f->grid_held + moved * f->size, *full = f->grid_full + moved * f->size;
    for (int64_t at = begin; at < end; at++)
      if (held[at] > 0)
        sum += is_within(f, held, full, at) ? full[at] : held[at];
  }
  f->room_taken[begin / PERP_FLUID_CELLS] = sum;
}

double perp_fluid_measure(perp_fluid *f)
{
  const int grids = 1 << f->dim;
  int64_t sum = 0;
  perp_fluid_clear(f, f->grid_held, (size_t)f->size * (size_t)grids * sizeof *f->grid_held);
  memset(f->room_taken, 0, perp_fluid_pieces(f->size) * sizeof *f->room_taken);
  perp_fluid_add(f, count_particles);
  perp_fluid_over_cells(f, measure_cells);
  for (size_t k = 0; k < perp_fluid_pieces(f->size); k++)
    sum += f->room_taken[k];
  return (double)sum / grids;
}
