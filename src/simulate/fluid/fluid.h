/* fluid/fluid.h: liquid in a container, as particles and a staggered grid, in two or three
 * dimensions
 *
 * A step (Zhu and Bridson 2005; Batty, Bertails and Bridson 2007):
 *
 *   1. particle velocities are interpolated to the faces of the grid, gravity is added;
 *   2. pressure p in the cells with liquid makes the flow free of divergence. With w_f the open
 *      fraction of face f, and p = 0 in air,
 *
 *        y_c = sum_f w_f (u_f . n - dt/rho (p_d - p_c)/dx) / dx  =  (A p + b)_c
 *
 *      stick:     y_c = 0 in every cell: p < 0 holds the liquid at a wall
 *      separate:  0 <= p_c perp y_c >= 0 in cells at a wall: liquid may leave the wall freely
 *      Errors in moving the particles make them crowd, and the liquid would lose a tenth or more of
 *      its volume. So the divergence in cells below the surface is not exactly 0: it depends on how
 *      crowded a cell and its neighbours are compared with the start, and on the missing volume of
 *      the whole liquid and its sum over time (after Kim, Liu, Llamas, Jiao and Rossignac 2007).
 *   3. particles get their new velocities: a fraction `flip` of their old velocity plus the change
 *      on the grid, the rest interpolated from the grid;
 *   4. particles move with the velocities of the grid.
 *
 * All arrays of the grid have one layout, cell (i, j, k) at (k (ny+1) + j) (nx+1) + i, with one
 * entry more in each direction than there are cells: face d of a cell is the one at its lower end.
 */
#pragma once

#include "base/threads.h"
#include "simulate/simulate.h"

#include <math.h>

typedef struct perp_fluid_parameters {
  int cells; /* across the container */
  int solid; /* three dimensions */
  int walls; /* perp_walls */
  double gravity, h, flip;
} perp_fluid_parameters;

enum { PERP_WALLS_STICK, PERP_WALLS_SEPARATE };

typedef struct perp_fluid perp_fluid;

/* The definition of a scene. Lengths are in metres. */
typedef struct perp_fluid_scene {
  double width, height, depth; /* of the container; depth only in three dimensions */
  double tilt;                 /* of the container about its centre, around the depth axis */
  double rise;                 /* initial upward velocity of the liquid selected by `thrown` */
  /* across, up and deep, from the lowest corner of the untilted container */
  bool (*liquid)(const double at[3]);
  bool (*thrown)(const double at[3]); /* NULL: none */
} perp_fluid_scene;

struct perp_fluid {
  perp_arena memory; /* of all arrays */
  perp_fluid_parameters par;
  perp_fluid_scene scene;
  int dim, n[3];   /* cells */
  int up;          /* the axis that points upwards: the last */
  double width[3]; /* of the container along each axis */
  int64_t step[3]; /* stride of neighbours in the arrays */
  int64_t size;    /* of each array */
  double dx, time;
  double origin[3], extent[3];
  double turn[2]; /* cosine and sine of the container's tilt */
  double down[3]; /* direction of gravity, a unit vector */
  double *wall; /* of each corner of the cells: distance to the walls that a user built, below 0 in
              *                    them; NULL: there are none */

  double *open[3]; /* open fraction of each face */
  double *u[3], *old[3], *weight[3];
  int *held;            /* of each cell: number of particles in it */
  const int *full;      /* and the number in a full cell, 0 outside the container */
  int *unknown;         /* of each cell: index of its pressure, -1: no liquid */
  unsigned char *known; /* which faces have a velocity */
  int *reached;         /* faces in the order in which they were extended from their neighbours */
  int threads;          /* of the current step */
  int *line;            /* of each line of cells: number of pressures before it */

  int particles, particle_room;
  perp_random random;          /* for poured particles */
  double *x, *v;               /* dim numbers of each */
  double *shade, *felt;        /* speed; pressure in the cell where it was in the last solve */
  int *touch;                  /* perp_touch of that cell */
  double volume, first_volume; /* of the liquid, in units of one particle of a full cell */
  int *grid_held, *grid_full;  /* to measure it (pressure.c) */
  double missed;               /* missing fraction of the volume, summed over all steps */

  double fastest;      /* largest speed of a particle */
  double *sums;        /* of pieces of the particles: see account in fluid.c */
  int64_t *room_taken; /* of pieces of the cells (pressure.c) */

  /* the problem */
  int unknowns;
  perp_operator *A;
  int *cell;                       /* in the numbering of the stencil */
  double *wx, *wy, *wz, *diagonal; /* by that numbering too */
  bool *at_wall;                   /* of each unknown */
  double *b, *lo, *hi, *p;
  double *pressure; /* of each cell, from the last step */
  perp_shape shape[4];
  double corner[4][8], pose[4 * 7];
};

enum { PERP_FLUID_CELLS = 1 << 16 }; /* cells per piece */

/* The index in the grid's arrays. */
static inline int64_t perp_fluid_at(const perp_fluid *f, int i, int j, int k)
{
  return i * f->step[0] + j * f->step[1] + k * f->step[2];
}

/* fluid.c */
size_t perp_fluid_sums(int particles); /* entries in `sums` */
perp_error perp_fluid_create(const perp_fluid_parameters *par, const perp_fluid_scene *scene,
                             uint64_t seed, void **state, perp_message *why);
void perp_fluid_destroy(void *state);
perp_error perp_fluid_step(void *state, perp_stepper *stepper, perp_message *why);
void perp_fluid_view(const void *state, perp_view *view);

/* particles.c: parallel loops over pieces of the cells and over the particles; the body's context
 * is f */
void perp_fluid_over_cells(perp_fluid *f, perp_range_body body);
void perp_fluid_over_particles(perp_fluid *f, perp_range_body body);
/* Loops over the planes of the grid along its second axis, one range for each thread. */
void perp_fluid_over_planes(perp_fluid *f, perp_range_body body);

static inline bool perp_fluid_has_all(const perp_fluid *f, int from, int to)
{
  return from == 0 && to > f->n[1];
}

/* Returns true if particle q may contribute to the planes from .. to - 1: the plane of its cell and
 * one on each side, clamped to the grid. */
static inline bool perp_fluid_touches(const perp_fluid *f, int64_t q, int from, int to)
{
  const int n = f->n[1], at = (int)floor((f->x[q * f->dim + 1] - f->origin[1]) / f->dx);
  const int low = at - 1 < n - 2 ? at - 1 : n - 2, high = at + 1 > 1 ? at + 1 : 1;
  return (low < 0 ? 0 : low) < to && (high > n ? n : high) >= from;
}

/* grid.c */
double perp_fluid_room(const perp_fluid *f, const double x[3]); /* above 0 inside the container */
void perp_fluid_open_faces(perp_fluid *f);
/* Sets the velocity through closed faces to 0. */
void perp_fluid_close_faces(perp_fluid *f);
/* Extends velocities to neighbouring faces without one, in `layers` layers. */
void perp_fluid_extend(perp_fluid *f, int layers);

/* particles.c */
bool perp_fluid_seed(perp_fluid *f, uint64_t seed);
/* Makes room for this number of particles and keeps the existing ones. Returns false when out of
 * memory. */
bool perp_fluid_reserve(perp_fluid *f, int particles);
int64_t perp_fluid_cell(const perp_fluid *f, const double *x);
void perp_fluid_gather(perp_fluid *f); /* computes u from the particles, and which cells hold
                                        * liquid */
/* Does steps 3 and 4 for each particle; records pressure and walls at its old position. */
void perp_fluid_carry(perp_fluid *f);
/* pressure.c */
bool perp_fluid_measure_begin(perp_fluid *f); /* false: out of memory */
void perp_fluid_count_full(perp_fluid *f);    /* to be repeated if walls have changed */
double perp_fluid_measure(perp_fluid *f);     /* in units of one particle of a full cell */
perp_error perp_fluid_pressure(perp_fluid *f, perp_stepper *stepper, perp_message *why);
