/* fluid/pressure.c: the volume of the liquid, and the pressure solve on a stencil operator */
#include "base/elementary.h"
#include "base/kernel.h"
#include "simulate/fluid/fluid.h"

#include <math.h>
#include <string.h>

/* ---- The volume ----
 *
 * Particles are never lost, but they may crowd, so we measure the space that they take. A cell
 * inside the liquid counts in full, whatever its number of particles. A cell at the surface or in
 * spray (it and its neighbours hold less than THIN of the full number) counts by its particles. As
 * the surface crosses cells, this measure fluctuates by some percent for a small body of liquid. So
 * we average over 2^dim grids, each shifted by half a cell along some of the axes. */

static const double THIN = 0.7;

/* Adds a particle, or a possible position of one, to its cell in each grid, if that cell is in the
 * planes from .. to - 1; bit d of a grid's index shifts it along axis d. */
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

static size_t piece_count(const perp_fluid *f)
{
  return (size_t)((f->size + PERP_FLUID_CELLS - 1) / PERP_FLUID_CELLS);
}

/* A full cell holds one particle for each possible position inside the container. */
bool perp_fluid_measure_begin(perp_fluid *f)
{
  const int grids = 1 << f->dim;
  const size_t n = (size_t)f->size;
  if (!PERP_TAKE(&f->memory, PERP_ARRAY(f->grid_held, n * (size_t)grids),
                 PERP_ARRAY(f->room_taken, piece_count(f))) ||
      !PERP_TAKE_ZERO(&f->memory, PERP_ARRAY(f->grid_full, n * (size_t)grids)))
    return false;
  f->full = f->grid_full; /* grid 0 is not shifted */
  perp_fluid_count_full(f);
  return true;
}

void perp_fluid_count_full(perp_fluid *f)
{
  const int all = f->n[1] + 1;
  memset(f->grid_full, 0, ((size_t)f->size << f->dim) * sizeof *f->grid_full);
  for (int k = 0; k < f->n[2]; k++)
    for (int j = 0; j < f->n[1]; j++)
      for (int i = 0; i < f->n[0]; i++)
        for (int c = 0; c < 1 << f->dim; c++) {
          const int cell[3] = {i, j, k};
          double x[3] = {0, 0, 0};
          for (int m = 0; m < f->dim; m++)
            x[m] = f->origin[m] + f->dx * (cell[m] + 0.25 + 0.5 * (c >> m & 1));
          if (perp_fluid_room(f, x) > 0)
            count(f, f->grid_full, x, 0, all, f->dim);
        }
}

/* Returns true if a cell counts in full. */
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

static void count_particles(void *context, int64_t begin, int64_t end)
{
  const perp_fluid *f = context;
  const int from = (int)begin, to = (int)end;
  const bool all = perp_fluid_has_all(f, from, to);
  for (int64_t q = 0; q < f->particles; q++)
    if (!all && !perp_fluid_touches(f, q, from, to))
      continue;
    else if (f->dim == 2)
      count(f, f->grid_held, f->x + q * 2, from, to, 2);
    else
      count(f, f->grid_held, f->x + q * 3, from, to, 3);
}

/* Measures the cells begin .. end - 1 in all grids; one result per piece. */
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
  memset(f->grid_held, 0, (size_t)f->size * (size_t)grids * sizeof *f->grid_held);
  memset(f->room_taken, 0, piece_count(f) * sizeof *f->room_taken);
  perp_fluid_over_planes(f, count_particles);
  perp_fluid_over_cells(f, measure_cells);
  for (size_t k = 0; k < piece_count(f); k++)
    sum += f->room_taken[k];
  return (double)sum / grids;
}

/* ---- The pressure ----
 *
 * Multiplied by dx^2 rho / dt the problem of fluid.h has
 *
 *   A_cc = sum_f w_f over all open faces of c, air beyond them or liquid,
 *   A_cd = -w_f for cells with liquid on both sides,   b_c = rho dx / dt (sum_f +-w_f u_f - dx s_c)
 *
 * (the outflow of the cell less its prescribed divergence). This is the form of the stencil
 * operator: face weights and a diagonal. Cells with liquid but no open face are left out. Then
 * u_f <- u_f - dt/rho (p_d - p_c)/dx. */

static const double density = 1000;

/* Gains of the correction for local excess, missing volume, and its sum over time. */
static const double LOCAL = 0.05, GLOBAL = 0.5, SUM = 0.01;

/* The cell's index in the stencil, without the extra layer of the arrays. */
static int stencil_cell(const perp_fluid *f, const int at[3])
{
  return (at[2] * f->n[1] + at[1]) * f->n[0] + at[0];
}

/* Returns true if a neighbour of the cell could hold liquid and does not. */
static bool is_at_surface(const perp_fluid *f, int64_t at)
{
  for (int d = 0; d < f->dim; d++)
    for (int side = -1; side <= 1; side += 2) {
      const int64_t to = at + side * f->step[d];
      if (to >= 0 && to < f->size && f->full[to] > 0 && f->held[to] == 0)
        return true;
    }
  return false;
}

/* Returns the prescribed divergence of a cell: the volume to leave it per second, relative to the
 * cell's volume; 0 at the surface, because cells there may be partly full. */
static double swelling(const perp_fluid *f, int64_t at)
{
  if (is_at_surface(f, at) || f->full[at] == 0)
    return 0;
  int held = f->held[at], full = f->full[at];
  for (int d = 0; d < f->dim; d++)
    for (int side = -1; side <= 1; side += 2) {
      const int64_t to = at + side * f->step[d];
      const bool there = to >= 0 && to < f->size;
      held += there ? f->held[to] : 0;
      full += there ? f->full[to] : 0;
    }
  const double crowded = (double)held / full - 1, missing = 1 - f->volume / f->first_volume;
  const double share = (double)f->full[at] / (1 << f->dim);
  return share * (LOCAL * perp_min(1, crowded) + GLOBAL * missing + SUM * f->missed) / f->par.h;
}

/* Computes weights and diagonal of lines of cells; stores the number of pressures of a line in
 * line[line + 1]. */
static void weigh_lines(void *context, int64_t begin, int64_t end)
{
  perp_fluid *f = context;
  double *const weight[3] = {f->wx, f->wy, f->wz};
  for (int64_t line = begin; line < end; line++) {
    const int j = (int)(line % f->n[1]), k = (int)(line / f->n[1]);
    int count = 0;
    for (int i = 0; i < f->n[0]; i++) {
      const int at3[3] = {i, j, k}, cell = stencil_cell(f, at3);
      const int64_t at = perp_fluid_at(f, i, j, k);
      double sum = 0;
      for (int d = 0; d < f->dim; d++) {
        const double below = f->open[d][at], above = f->open[d][at + f->step[d]];
        sum += below + above;
        weight[d][cell] = above;
      }
      f->diagonal[cell] = sum;
      if (f->unknown[at] >= 0 && sum == 0)
        f->unknown[at] = -1;
      count += f->unknown[at] >= 0;
    }
    f->line[line + 1] = count;
  }
}

/* Fills the unknowns of a line; the first has index line[line]. */
static void fill_lines(void *context, int64_t begin, int64_t end)
{
  perp_fluid *f = context;
  const double scale = density * f->dx / f->par.h;
  for (int64_t line = begin; line < end; line++) {
    const int j = (int)(line % f->n[1]), k = (int)(line / f->n[1]);
    int c = f->line[line];
    for (int i = 0; i < f->n[0]; i++) {
      const int at3[3] = {i, j, k};
      const int64_t at = perp_fluid_at(f, i, j, k);
      double outflow = 0;
      bool wall = false;
      if (f->unknown[at] < 0)
        continue;
      for (int d = 0; d < f->dim; d++) {
        const double below = f->open[d][at], above = f->open[d][at + f->step[d]];
        outflow += above * f->u[d][at + f->step[d]] - below * f->u[d][at];
        wall = wall || below < 1 || above < 1;
      }
      f->unknown[at] = c;
      f->cell[c] = stencil_cell(f, at3);
      f->b[c] = scale * (outflow - f->dx * swelling(f, at));
      f->p[c] = f->pressure[at];
      f->at_wall[c] = wall;
      c++;
    }
  }
}

/* Runs the body over the lines of cells along the first axis. */
static void over_lines(perp_fluid *f, perp_range_body body)
{
  perp_parallel_for(f->threads, (int64_t)f->n[1] * f->n[2], 16, body, f);
}

/* Returns the pressure of a cell, 0 in air. */
static double pressure_at(const perp_fluid *f, int64_t at)
{
  return f->unknown[at] >= 0 ? f->p[f->unknown[at]] : 0;
}

static void correct_lines(void *context, int64_t begin, int64_t end)
{
  const perp_fluid *f = context;
  const double scale = f->par.h / (density * f->dx);
  for (int64_t line = begin; line < end; line++) {
    const int j = (int)(line % f->n[1]), k = (int)(line / f->n[1]);
    for (int i = 0; i < f->n[0]; i++) {
      const int64_t at = perp_fluid_at(f, i, j, k);
      const int index[3] = {i, j, k};
      for (int d = 0; d < f->dim; d++) {
        const int64_t below = at - f->step[d];
        if (index[d] == 0 || (f->unknown[at] < 0 && f->unknown[below] < 0))
          continue;
        if (f->open[d][at] > 0)
          f->u[d][at] -= scale * (pressure_at(f, at) - pressure_at(f, below));
        f->known[d * f->size + at] = 1;
      }
    }
  }
}

static void keep_pressures(void *context, int64_t begin, int64_t end)
{
  const perp_fluid *f = context;
  for (int64_t at = begin; at < end; at++)
    f->pressure[at] = pressure_at(f, at);
}

perp_error perp_fluid_pressure(perp_fluid *f, perp_stepper *stepper, perp_message *why)
{
  const int lines = f->n[1] * f->n[2];
  over_lines(f, weigh_lines);
  f->line[0] = 0;
  for (int line = 0; line < lines; line++)
    f->line[line + 1] += f->line[line];
  f->unknowns = f->line[lines];
  over_lines(f, fill_lines);
  for (int c = 0; c < f->unknowns; c++) {
    const bool free = f->par.walls == PERP_WALLS_STICK || !f->at_wall[c];
    f->lo[c] = free ? -INFINITY : 0;
    f->hi[c] = INFINITY;
    if (!stepper->warm)
      f->p[c] = 0;
  }
  if (f->unknowns == 0)
    return PERP_OK;
  perp_operator_destroy(f->A);
  f->A = NULL;
  const perp_stencil_data data = {
      .size = sizeof(perp_stencil_data),
      .nx = f->n[0],
      .ny = f->n[1],
      .nz = f->n[2],
      .unknowns = f->unknowns,
      .cells = f->cell,
      .wx = f->wx,
      .wy = f->wy,
      .wz = f->wz,
      .diagonal = f->diagonal,
  };
  perp_error error = perp_operator_stencil(&data, PERP_BORROW, &f->A, why);
  const perp_problem p = perp_problem_boxed(f->A, f->b, f->lo, f->hi);
  if (error || (error = perp_stepper_solve(stepper, &p, NULL, f->p, why)))
    return error;
  perp_fluid_over_cells(f, keep_pressures);
  memset(f->known, 0, (size_t)f->dim * (size_t)f->size);
  over_lines(f, correct_lines);
  return PERP_OK;
}
