/* fluid/fluid.h: liquid in a container, as particles and a staggered grid, in two or three
 * dimensions
 *
 * A step (Zhu and Bridson 2005; Batty, Bertails and Bridson 2007):
 *
 *   1. particles hand their velocities to the faces of the grid, gravity is added;
 *   2. pressure p in the cells with liquid makes the flow free of divergence. With w_f the share of
 *      face f that is open, and p = 0 in air,
 *
 *        y_c = sum_f w_f (u_f . n - dt/rho (p_d - p_c)/dx) / dx  =  (A p + b)_c
 *
 *      stick:     y_c = 0 in every cell: liquid at a wall stays there, pulled by p < 0
 *      separate:  0 <= p_c perp y_c >= 0 in cells at a wall: liquid may leave it, none is pulled
 *      Particles come closer to each other by what is rounded off in moving them, and the liquid
 *      would shrink by a tenth or more. So cells below the surface have to let out a little more
 *      than 0, or take in: as far as they and their neighbours are more crowded than when they were
 *      filled, and by how much volume is missing of the whole, now and on the sum (after Kim, Liu,
 *      Llamas, Jiao and Rossignac 2007).
 *   3. the new velocities go back: a share `flip` of the particle's own plus the change, the rest
 *      as the grid has it;
 *   4. particles are moved through the grid's velocities.
 *
 * All arrays of the grid have one layout, cell (i, j, k) at (k (ny+1) + j) (nx+1) + i, with one
 * more in each direction than there are cells: face d of a cell is the one at its lower end. */
#pragma once

#include "base/threads.h"
#include "simulate/simulate.h"

typedef struct perp_fluid_parameters {
  int cells; /* across the container */
  int solid; /* three dimensions */
  int walls; /* perp_walls */
  double gravity, h, flip;
} perp_fluid_parameters;

enum { PERP_WALLS_STICK, PERP_WALLS_SEPARATE };

typedef struct perp_fluid perp_fluid;

/* What makes a scene of the simulator. Lengths are in metres. */
typedef struct perp_fluid_scene {
  double width, height, depth; /* of the container; the last in three dimensions alone */
  double tilt;                 /* of the container about its centre, upright to the depth */
  double rise;                 /* velocity upwards of the liquid that `thrown` says */
  /* across, up and deep, from the lowest corner of the container as it stands untilted */
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
  int64_t step[3]; /* distance of neighbours in the arrays */
  int64_t size;    /* of each array */
  double dx, time;
  double origin[3], extent[3];
  double turn[2]; /* cosine and sine of the container's tilt */
  double down[3]; /* where gravity points to, of length 1 */
  double
      *wall; /* of each corner of the cells: distance to the walls that a person built, below 0 in
                   them; NULL: there are none */

  double *open[3]; /* share of a face that is open */
  double *u[3], *old[3], *weight[3];
  int *held;            /* of each cell: particles in it */
  const int *full;      /* and how many it has if it is full, 0 outside the container */
  int *unknown;         /* of each cell: number of its pressure, -1: no liquid */
  unsigned char *known; /* which faces have a velocity */
  int *reached;         /* faces in the order in which they got one from their neighbours */
  int threads;          /* of the step in progress */
  int *line;            /* of each line of cells: pressures before it */

  int particles, particle_room;
  perp_random random;          /* of poured particles */
  double *x, *v;               /* dim numbers of each */
  double *shade, *felt;        /* speed; pressure in the cell where it was in the last solve */
  int *touch;                  /* perp_touch of that cell */
  double volume, first_volume; /* of the liquid, in particles of full cells */
  int *grid_held, *grid_full;  /* to measure it (pressure.c) */
  double missed;               /* the sum over all steps of the share that was missing */

  int slab_room; /* of the lists of slabs, in particles; 0: there are none yet */
  int *slab_particle;
  int64_t *slab_place, *slab_start;
  double fastest;      /* speed of a particle */
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

enum { PERP_FLUID_CELLS = 1 << 16 }; /* of a piece */
static inline size_t perp_fluid_pieces(int64_t cells)
{
  return (size_t)((cells + PERP_FLUID_CELLS - 1) / PERP_FLUID_CELLS);
}

/* The point of the grid's arrays. */
static inline int64_t perp_fluid_at(const perp_fluid *f, int i, int j, int k)
{
  return i * f->step[0] + j * f->step[1] + k * f->step[2];
}

/* fluid.c */
size_t perp_fluid_sums(int particles); /* numbers in `sums` */
perp_error perp_fluid_create(const perp_fluid_parameters *par, const perp_fluid_scene *scene,
                             uint64_t seed, void **state, perp_message *why);
void perp_fluid_destroy(void *state);
perp_error perp_fluid_step(void *state, perp_stepper *stepper, perp_message *why);
void perp_fluid_view(const void *state, perp_view *view);

/* particles.c: bodies of loops get the liquid; over pieces of its cells and over its particles */
void perp_fluid_over_cells(perp_fluid *f, perp_range_body body);
void perp_fluid_over_particles(perp_fluid *f, perp_range_body body);
void perp_fluid_clear(const perp_fluid *f, void *array, size_t bytes);
/* The particles of each slab as they are now; false: out of memory. */
bool perp_fluid_sort(perp_fluid *f);
/* Adds particles to the planes from .. to - 1 of the grid; particle: which, NULL: 0, 1, ... */
typedef void (*perp_slab_add)(perp_fluid *f, const int *particle, int64_t count, int from, int to);
void perp_fluid_add(perp_fluid *f, perp_slab_add add);

/* grid.c */
double perp_fluid_room(const perp_fluid *f, const double x[3]); /* above 0 within the container */
/* The places (i + shift, j, k), in cells, that are further from all walls than a cell is wide: i in
 * *begin .. *end - 1, as the container is convex. None if a person built walls. */
void perp_fluid_amid(const perp_fluid *f, double shift, double j, double k, int *begin, int *end);
void perp_fluid_open_faces(perp_fluid *f);
/* Nothing flows through a closed face. */
void perp_fluid_close_faces(perp_fluid *f);
/* Values for faces next to those that have one, `layers` times. */
void perp_fluid_extend(perp_fluid *f, int layers);

/* particles.c */
bool perp_fluid_seed(perp_fluid *f, uint64_t seed);
/* Room for so many particles; those that are there stay. False: out of memory. */
bool perp_fluid_reserve(perp_fluid *f, int particles);
int64_t perp_fluid_cell(const perp_fluid *f, const double *x);
void perp_fluid_gather(perp_fluid *f); /* u from the particles, and which cells hold liquid */
/* Steps 3 and 4 for each particle; pressure and walls where it was. */
void perp_fluid_carry(perp_fluid *f);
/* pressure.c */
bool perp_fluid_measure_begin(perp_fluid *f); /* false: out of memory */
void perp_fluid_count_full(perp_fluid *f);    /* again, if walls have changed */
double perp_fluid_measure(perp_fluid *f);     /* in particles of full cells */
perp_error perp_fluid_pressure(perp_fluid *f, perp_stepper *stepper, perp_message *why);
