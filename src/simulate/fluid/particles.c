/* fluid/particles.c: particles, their slabs, and the transfer between particles and grid */
#include "base/elementary.h"
#include "base/kernel.h"
#include "simulate/fluid/fluid.h"

#include <math.h>
#include <string.h>

/* ---- Parallel loops whose bits do not depend on the number of threads ----
 *
 * Loops over cells and over particles write only to their own entries. Sums on the grid must run
 * over the particles in order. So the grid is divided into slabs of THICK planes along its second
 * axis, each with an ordered list of the particles that touch it, and one thread adds all
 * contributions to a slab. Counting builds the lists, one piece of the particles at a time. A
 * particle near two slabs is in both lists. */

enum { THICK = 8, PIECE = 1 << 15 };

void perp_fluid_over_cells(perp_fluid *f, perp_range_body body)
{
  perp_parallel_for(f->threads, f->size, PERP_FLUID_CELLS, body, f);
}

void perp_fluid_over_particles(perp_fluid *f, perp_range_body body)
{
  perp_parallel_for(f->threads, f->particles, PIECE, body, f);
}

/* ---- Particles by slabs ---- */

static int slab_count(const perp_fluid *f)
{
  return (f->n[1] + THICK) / THICK;
}

static int64_t piece_count(const perp_fluid *f)
{
  return ((int64_t)f->particles + PIECE - 1) / PIECE;
}

/* Finds the first and the last slab that particle q contributes to: the planes of its cell and one
 * on each side, clamped to the grid. */
static void slabs_of(const perp_fluid *f, int64_t q, int *first, int *last)
{
  const int n = f->n[1], at = (int)floor((f->x[q * f->dim + 1] - f->origin[1]) / f->dx);
  const int low = at - 1 < n - 2 ? at - 1 : n - 2, high = at + 1 > 1 ? at + 1 : 1;
  *first = (low < 0 ? 0 : low) / THICK;
  *last = (high > n ? n : high) / THICK;
}

/* Each piece has a position in each slab's list, advanced by every particle of both; `put` stores
 * the particle there, otherwise it is only counted. */
static void go_through(perp_fluid *f, int64_t begin, int64_t end, bool put)
{
  const int slabs = slab_count(f);
  for (int64_t q = begin; q < end; q++) {
    int first, last;
    slabs_of(f, q, &first, &last);
    for (int s = first; s <= last; s++) {
      int64_t *place = &f->slab_place[q / PIECE * slabs + s];
      if (put)
        f->slab_particle[*place] = (int)q;
      ++*place;
    }
  }
}

static void count_pieces(void *context, int64_t begin, int64_t end)
{
  go_through(context, begin, end, false);
}

static void fill_pieces(void *context, int64_t begin, int64_t end)
{
  go_through(context, begin, end, true);
}

bool perp_fluid_sort(perp_fluid *f)
{
  const int slabs = slab_count(f);
  const size_t room = (size_t)f->particle_room;
  if (f->threads <= 1)
    return true;
  if (f->slab_room < f->particle_room) {
    const size_t places = (room / PIECE + 1) * (size_t)slabs;
    if (!PERP_TAKE(&f->memory, PERP_ARRAY(f->slab_particle, 2 * room),
                   PERP_ARRAY(f->slab_place, places), PERP_ARRAY(f->slab_start, slabs + 1)))
      return false;
    f->slab_room = f->particle_room;
  }
  const int64_t pieces = piece_count(f);
  memset(f->slab_place, 0, (size_t)(pieces * slabs) * sizeof *f->slab_place);
  perp_fluid_over_particles(f, count_pieces);
  int64_t at = 0;
  for (int s = 0; s < slabs; s++) {
    f->slab_start[s] = at;
    for (int64_t k = 0; k < pieces; k++) {
      const int64_t count = f->slab_place[k * slabs + s];
      f->slab_place[k * slabs + s] = at;
      at += count;
    }
  }
  f->slab_start[slabs] = at;
  perp_fluid_over_particles(f, fill_pieces);
  return true;
}

typedef struct adding {
  perp_fluid *f;
  perp_slab_add add;
} adding;

static void add_slabs(void *context, int64_t begin, int64_t end)
{
  const adding *a = context;
  for (int64_t s = begin; s < end; s++) {
    const int64_t from = a->f->slab_start[s];
    a->add(a->f, a->f->slab_particle + from, a->f->slab_start[s + 1] - from, (int)s * THICK,
           (int)(s + 1) * THICK);
  }
}

void perp_fluid_add(perp_fluid *f, perp_slab_add add)
{
  if (f->threads <= 1)
    add(f, NULL, f->particles, 0, f->n[1] + 1);
  else
    perp_parallel_for(f->threads, slab_count(f), 1, add_slabs, &(adding){f, add});
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
    double moved[3 * 8];
    perp_random_fill(random, 0.05, 0.45, dim << dim, moved);
    for (int c = 0; c < 1 << dim; c++) {
      const int cell[3] = {i, j, k};
      double x[3] = {0, 0, 0};
      for (int m = 0; m < dim; m++)
        x[m] = f->origin[m] + f->dx * (cell[m] + 0.5 * (c >> m & 1) + moved[c * dim + m]);
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

KERNEL void add_listed(perp_fluid *f, const int *particle, int64_t count, int from, int to, int dim)
{
  for (int64_t k = 0; k < count; k++)
    add_particle(f, particle ? particle[k] : k, from, to, !particle, dim);
}

static void add_particles(perp_fluid *f, const int *particle, int64_t count, int from, int to)
{
  if (f->dim == 2)
    add_listed(f, particle, count, from, to, 2);
  else
    add_listed(f, particle, count, from, to, 3);
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
  perp_fluid_add(f, add_particles);
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
