/* fluid/particles.c: particles, and the transfer between particles and grid */
#include "base/elementary.h"
#include "base/kernel.h"
#include "simulate/fluid/fluid.h"

#include <math.h>
#include <string.h>

/* ---- Parallel loops whose bits do not depend on the number of threads ----
 *
 * Loops over cells and over particles write only to their own entries. Sums on the grid must run
 * over the particles in order. So the planes of the grid along its second axis are divided among the
 * threads, and each goes through all particles and adds those that touch its planes. */

enum { PIECE = 1 << 15 };

void perp_fluid_over_cells(perp_fluid *f, perp_range_body body)
{
  perp_parallel_for(f->threads, f->size, PERP_FLUID_CELLS, body, f);
}

void perp_fluid_over_particles(perp_fluid *f, perp_range_body body)
{
  perp_parallel_for(f->threads, f->particles, PIECE, body, f);
}

void perp_fluid_over_planes(perp_fluid *f, perp_range_body body)
{
  const int planes = f->n[1] + 1, threads = f->threads > 1 ? f->threads : 1;
  perp_parallel_for(threads, planes, (planes + threads - 1) / threads, body, f);
}

/* ---- Particles ----
 *
 * Component d of the velocity is stored at the centre of face d. A particle at x is between 2^dim
 * of these, with weights linear in each direction. Its position in cells, (x - origin) / dx, is
 * computed once for all components. At 128^2 cells a step spends most of its time here, so the
 * loops are compiled separately for two and three dimensions. */

/* Computes x in cells from the lowest corner of the grid. */
KERNEL void place_of(const perp_fluid *f, const double *x, double place[3], int dim)
{
  for (int m = 0; m < dim; m++)
    place[m] = (x[m] - f->origin[m]) / f->dx;
}

/* Returns the lowest of the faces of component d around a position, and the fractions of the way to
 * the next along each axis. */
KERNEL int64_t around(const perp_fluid *f, int d, const double place[3], double t[3], int at[3],
                      int dim)
{
  for (int m = 0; m < dim; m++) {
    const double s = place[m] - (m == d ? 0 : 0.5);
    const int most = f->n[m] - (m == d ? 1 : 2);
    at[m] = (int)floor(s);
    at[m] = at[m] < 0 ? 0 : at[m] > most ? most : at[m];
    t[m] = perp_min(1, perp_max(0, s - at[m]));
  }
  return at[0] + at[1] * f->step[1] + (dim == 3 ? at[2] * f->step[2] : 0);
}

/* Returns the index of corner c of 2^dim, and its weight. */
KERNEL int64_t corner_of(const perp_fluid *f, int64_t lowest, const double t[3], int c,
                         double *weight, int dim)
{
  *weight = 1;
  for (int m = 0; m < dim; m++) {
    const bool far = c >> m & 1;
    *weight *= far ? t[m] : 1 - t[m];
    lowest += far ? f->step[m] : 0;
  }
  return lowest;
}

/* Returns component d at a position; if `before` is not NULL, also its value before the
 * pressure. */
KERNEL double sample(const perp_fluid *f, int d, const double place[3], double *before, int dim)
{
  double t[3], sum = 0, old = 0;
  int cell[3];
  const int64_t lowest = around(f, d, place, t, cell, dim);
  for (int c = 0; c < 1 << dim; c++) {
    double weight;
    const int64_t at = corner_of(f, lowest, t, c, &weight, dim);
    sum += weight * f->u[d][at];
    old += before ? weight * f->old[d][at] : 0;
  }
  if (before)
    *before = old;
  return sum;
}

KERNEL int64_t cell_at(const perp_fluid *f, const double place[3], int dim)
{
  int at[3] = {0, 0, 0};
  for (int m = 0; m < dim; m++) {
    at[m] = (int)floor(place[m]);
    at[m] = at[m] < 0 ? 0 : at[m] >= f->n[m] ? f->n[m] - 1 : at[m];
  }
  return perp_fluid_at(f, at[0], at[1], at[2]);
}

int64_t perp_fluid_cell(const perp_fluid *f, const double *x)
{
  double place[3] = {0, 0, 0};
  place_of(f, x, place, f->dim);
  return cell_at(f, place, f->dim);
}

/* ---- Initial state ---- */

bool perp_fluid_reserve(perp_fluid *f, int particles)
{
  if (particles <= f->particle_room)
    return true;
  const int room = f->particle_room ? particles + particles / 2 : particles;
  const size_t numbers = (size_t)room * (size_t)f->dim, now = (size_t)f->particles;
  const perp_fluid old = *f;
  /* the old arrays stay in the arena: since the room grows geometrically, their total is small */
  if (!PERP_TAKE_ZERO(&f->memory, PERP_ARRAY(f->x, numbers), PERP_ARRAY(f->v, numbers),
                      PERP_ARRAY(f->shade, room), PERP_ARRAY(f->felt, room),
                      PERP_ARRAY(f->touch, room), PERP_ARRAY(f->sums, perp_fluid_sums(room))))
    return false;
  f->particle_room = room;
  if (now == 0)
    return true;
  memcpy(f->x, old.x, now * (size_t)f->dim * sizeof *f->x);
  memcpy(f->v, old.v, now * (size_t)f->dim * sizeof *f->v);
  memcpy(f->shade, old.shade, now * sizeof *f->shade);
  memcpy(f->felt, old.felt, now * sizeof *f->felt);
  memcpy(f->touch, old.touch, now * sizeof *f->touch);
  return true;
}

/* Places the particles of a line of cells, two along each axis of a cell, each at random within its
 * part of the cell. Stores them from `to`, or only counts if to < 0; returns their number. */
KERNEL int seed_line(perp_fluid *f, int j, int k, perp_random *random, int64_t to, int dim)
{
  int count = 0;
  for (int i = 0; i < f->n[0]; i++) {
    for (int c = 0; c < 1 << dim; c++) {
      const int cell[3] = {i, j, k};
      double x[3] = {0, 0, 0};
      for (int m = 0; m < dim; m++)
        x[m] = f->origin[m] +
               f->dx * (cell[m] + 0.5 * (c >> m & 1) + perp_random_between(random, 0.05, 0.45));
      const double at[3] = {x[0], x[dim - 1], dim == 3 ? x[1] : 0};
      if (!f->scene.liquid(at) || perp_fluid_room(f, x) <= 0)
        continue;
      if (to >= 0) {
        memcpy(f->x + (to + count) * dim, x, (size_t)dim * sizeof *x);
        if (f->scene.thrown && f->scene.thrown(at))
          f->v[(to + count) * dim + f->up] = f->scene.rise;
      }
      count++;
    }
  }
  return count;
}

/* The first pass counts, the second repeats its draws. */
bool perp_fluid_seed(perp_fluid *f, uint64_t seed)
{
  int count = 0;
  for (int pass = 0; pass < 2; pass++) {
    perp_random random = perp_random_from(seed);
    if (pass == 1 && !perp_fluid_reserve(f, count))
      return false;
    count = 0;
    for (int k = 0; k < f->n[2]; k++)
      for (int j = 0; j < f->n[1]; j++) {
        const int64_t to = pass == 1 ? count : -1;
        count +=
            f->dim == 2 ? seed_line(f, j, k, &random, to, 2) : seed_line(f, j, k, &random, to, 3);
      }
  }
  f->particles = count;
  return true;
}

/* ---- Transfer to the grid and back ---- */

/* Marks cells as liquid that a wall leaves too small for any particle but that are next to liquid.
 * As air they would have p = 0 deep below the surface and let liquid shoot into the wall. */
static void fill_slivers(void *context, int64_t begin, int64_t end)
{
  const perp_fluid *f = context;
  for (int64_t at = begin; at < end; at++)
    for (int d = 0; d < f->dim && f->full[at] == 0 && f->unknown[at] < 0; d++) {
      const int64_t below = at - f->step[d], above = at + f->step[d];
      if ((f->open[d][at] > 0 && f->held[below] > 0) ||
          (above < f->size && f->open[d][above] > 0 && f->held[above] > 0))
        f->unknown[at] = 0;
    }
}

/* Adds particle q to the planes from .. to - 1: weighted velocities, weights, and its count in its
 * cell; `all`: these are all planes. */
KERNEL void add_particle(perp_fluid *f, int64_t q, int from, int to, bool all, int dim)
{
  double place[3], t[3];
  int cell[3];
  place_of(f, f->x + q * dim, place, dim);
  for (int d = 0; d < dim; d++) {
    const int64_t lowest = around(f, d, place, t, cell, dim);
    for (int c = 0; c < 1 << dim; c++) {
      const int plane = cell[1] + (c >> 1 & 1);
      double weight;
      const int64_t at = corner_of(f, lowest, t, c, &weight, dim);
      if (!all && (plane < from || plane >= to))
        continue;
      f->u[d][at] += weight * f->v[q * dim + d];
      f->weight[d][at] += weight;
    }
  }
  const int64_t at = cell_at(f, place, dim);
  const int64_t plane = at / f->step[1] % (f->n[1] + 1);
  if (all || (plane >= from && plane < to))
    f->held[at]++;
}

static void add_particles(void *context, int64_t begin, int64_t end)
{
  perp_fluid *f = context;
  const int from = (int)begin, to = (int)end;
  const bool all = perp_fluid_has_all(f, from, to);
  for (int64_t q = 0; q < f->particles; q++)
    if (!all && !perp_fluid_touches(f, q, from, to))
      continue;
    else if (f->dim == 2)
      add_particle(f, q, from, to, all, 2);
    else
      add_particle(f, q, from, to, all, 3);
}

/* Divides the sums by the weights and marks the cells with liquid; the pressure solve numbers
 * them. */
static void divide(void *context, int64_t begin, int64_t end)
{
  perp_fluid *f = context;
  for (int d = 0; d < f->dim; d++) {
    for (int64_t at = begin; at < end; at++)
      if (f->weight[d][at] > 1e-6) {
        f->u[d][at] /= f->weight[d][at];
        f->known[d * f->size + at] = 1;
      }
    memcpy(f->old[d] + begin, f->u[d] + begin, (size_t)(end - begin) * sizeof(double));
  }
  for (int64_t at = begin; at < end; at++)
    f->unknown[at] = f->held[at] > 0 ? 0 : -1;
}

void perp_fluid_gather(perp_fluid *f)
{
  const size_t n = (size_t)f->size;
  memset(f->known, 0, 3 * n);
  memset(f->held, 0, n * sizeof *f->held);
  for (int d = 0; d < f->dim; d++) {
    memset(f->u[d], 0, n * sizeof *f->u[d]);
    memset(f->weight[d], 0, n * sizeof *f->weight[d]);
  }
  perp_fluid_over_planes(f, add_particles);
  perp_fluid_over_cells(f, divide);
  perp_fluid_over_cells(f, fill_slivers);
}

/* Records pressure and walls at particle q. */
static void feel(perp_fluid *f, int64_t q, int64_t at)
{
  const double p = f->unknown[at] >= 0 ? f->pressure[at] : 0;
  bool wall = false;
  for (int d = 0; d < f->dim; d++)
    wall = wall || f->open[d][at] < 1 || f->open[d][at + f->step[d]] < 1;
  f->felt[q] = p;
  f->touch[q] = !wall   ? PERP_TOUCH_NONE
                : p > 0 ? PERP_TOUCH_PRESS
                : p < 0 ? PERP_TOUCH_PULL
                        : PERP_TOUCH_LEAVE;
}

/* Moves a particle back into the container, slightly off the wall, and removes its velocity into
 * the wall. */
static void keep_inside(const perp_fluid *f, double *x, double *v)
{
  const double least = 0.05 * f->dx;
  for (int again = 0; again < 3; again++) { /* a corner touches several walls */
    double at[3] = {0, 0, 0}, gradient[3] = {0, 0, 0}, norm = 0, into = 0;
    memcpy(at, x, (size_t)f->dim * sizeof *x);
    const double room = perp_fluid_room(f, at);
    if (room >= least)
      return;
    for (int m = 0; m < f->dim; m++) {
      double ahead[3], behind[3];
      memcpy(ahead, at, sizeof ahead);
      memcpy(behind, at, sizeof behind);
      ahead[m] += 1e-4 * f->dx;
      behind[m] -= 1e-4 * f->dx;
      gradient[m] = perp_fluid_room(f, ahead) - perp_fluid_room(f, behind);
      norm += gradient[m] * gradient[m];
    }
    norm = sqrt(norm);
    if (norm == 0)
      return;
    for (int m = 0; m < f->dim; m++) {
      gradient[m] /= norm;
      x[m] += (least - room) * gradient[m];
      into += v[m] * gradient[m];
    }
    for (int m = 0; m < f->dim && into < 0; m++)
      v[m] -= into * gradient[m];
  }
}

/* Updates the velocities, then moves the particles by the midpoint rule in the grid's
 * velocities. */
KERNEL void carry(perp_fluid *f, int64_t begin, int64_t end, int dim)
{
  const double h = f->par.h, flip = f->par.flip;
  for (int64_t q = begin; q < end; q++) {
    double *x = f->x + q * dim, *v = f->v + q * dim, place[3], middle[3], step[3];
    place_of(f, x, place, dim);
    for (int d = 0; d < dim; d++) {
      double before;
      const double now = sample(f, d, place, &before, dim);
      v[d] = flip * (v[d] + now - before) + (1 - flip) * now;
      middle[d] = x[d] + 0.5 * h * now;
    }
    feel(f, q, cell_at(f, place, dim));
    place_of(f, middle, place, dim);
    for (int d = 0; d < dim; d++)
      step[d] = h * sample(f, d, place, NULL, dim);
    for (int d = 0; d < dim; d++)
      x[d] += step[d];
    keep_inside(f, x, v);
  }
}

KERNEL_BODY(carry_plane, carry, 2)
KERNEL_BODY(carry_space, carry, 3)

void perp_fluid_carry(perp_fluid *f)
{
  perp_fluid_over_particles(f, f->dim == 2 ? carry_plane : carry_space);
}
