/* fluid/slabs.c: loops of a step over threads, with the bits of one
 *
 * Loops over cells and over particles write to their own places alone. What particles add to the grid
 * is a sum in the order of the particles: so the grid is cut into slabs of THICK planes along its
 * second axis, every slab has a list of the particles that touch it, in their order, and who has a slab
 * adds what falls into it. The lists are made by counting, a piece of the particles at a time.
 * Particles near two slabs are in both lists. */
#include "simulate/fluid/fluid.h"

#include <math.h>
#include <string.h>

enum { THICK = 8, PIECE = 1 << 15 };

void perp_fluid_over_cells(perp_fluid *f, perp_range_body body)
{
  perp_parallel_for(f->threads, f->size, PERP_FLUID_CELLS, body, f);
}

void perp_fluid_over_particles(perp_fluid *f, perp_range_body body)
{
  perp_parallel_for(f->threads, f->particles, PIECE, body, f);
}

void perp_fluid_over_lines(perp_fluid *f, perp_range_body body)
{
  perp_parallel_for(f->threads, (int64_t)f->n[1] * f->n[2], 16, body, f);
}

static void clear(void *array, int64_t begin, int64_t end)
{
  memset((char *)array + begin, 0, (size_t)(end - begin));
}

void perp_fluid_clear(const perp_fluid *f, void *array, size_t bytes)
{
  perp_parallel_for(f->threads, (int64_t)bytes, 1 << 20, clear, array);
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

/* The first and the last slab with a plane that particle q adds to: that of its cell, and one on each
 * side; those beyond the grid add to its end. */
static void slabs_of(const perp_fluid *f, int64_t q, int *first, int *last)
{
  const int n = f->n[1], at = (int)floor((f->x[q * f->dim + 1] - f->origin[1]) / f->dx);
  const int low = at - 1 < n - 2 ? at - 1 : n - 2, high = at + 1 > 1 ? at + 1 : 1;
  *first = (low < 0 ? 0 : low) / THICK;
  *last = (high > n ? n : high) / THICK;
}

/* Each piece has a place for each slab, which goes on by one with every particle of both; the particle
 * is put there if it is not only counted. */
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
