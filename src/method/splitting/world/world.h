/* world.h: batches of contact worlds for kernels
 *
 *   A = J Minv J^T + C,   a row of J touches at most two bodies
 *
 * A perp_job_end (job.h) says how each world of a batch ended. Read by C and by C++. */
#pragma once

#include "device/job.h"
#include "verdict/everywhere.h"

enum {
  PERP_WORLD_ROWS = 768, /* of the largest world: it fits into the memory of a multiprocessor */
  PERP_WORLD_BODIES = 768,
  PERP_WORLD_COLOURS = 64,   /* about the contacts of one body */
  PERP_WORLD_SWEEPS = 20000, /* most sweeps of one world: a running kernel cannot be stopped */
};

typedef struct perp_world_job {
  /* with arrays that the kernel reads; n and bodies: of each world, or of the largest that fits */
  perp_batch batch;
  perp_contact_bodies worlds;
  const int64_t *rows, *bodies; /* count + 1: start of the rows and bodies of each; NULL: k n, k
                                 * bodies */
  const int *order;             /* count: the order in which worlds begin; NULL: as stored */
  int *sort;                    /* count: memory for an order by end[k].iterations, or NULL */
  double *x;         /* starts on entry, iterates on return; unchanged if the data is bad */
  double *y;         /* A x + b, or NULL */
  perp_job_end *end; /* count */
  double tol, omega; /* omega 0: adaptive */
  int most;          /* sweeps */
  bool single;       /* sweeps in single precision: see kernel/single.h; omega is then not 0 */
} perp_world_job;

/* Velocities of a body in the memory of a team; stored with a stride one larger, to use other
 * banks. */
static inline int perp_world_width(int freedom)
{
  return freedom > 4 ? 6 : 4;
}

/* The numbers that follow the 2 width numbers of G_i; the last two only with cones. */
enum {
  PERP_WORLD_INVERSE,  /* 1 / A_ii */
  PERP_WORLD_RHS,      /* b_i */
  PERP_WORLD_COUPLING, /* with the next row of the group, cyclically */
  PERP_WORLD_DIAGONAL, /* A_ii */
  PERP_WORLD_SLIP,     /* in the first row of a cone: its last slip, see set/cone.h */
};

enum { PERP_WORLD_PARTS = 32 }; /* of a sum over all rows */

EVERYWHERE int perp_world_numbers(int width, bool cones)
{
  return 2 * width + (cones ? PERP_WORLD_SLIP + 1 : PERP_WORLD_COUPLING + 1);
}

/* Returns the doubles behind the velocities of the bodies, width + 1 each: parts of a sum, or, for the
 * verdict, the rest of velocities in two doubles each. */
EVERYWHERE int perp_world_rest_room(int width, int bodies)
{
  const int rest = (width - 1) * bodies;
  return rest > PERP_WORLD_PARTS ? rest : PERP_WORLD_PARTS;
}

/* The numbers that follow the 2 width numbers of G_i in single precision. All numbers of a row are
 * contiguous, and groups of three rows are an odd multiple of 16 bytes apart: lanes that read four
 * numbers at once, each from its own group, use all banks. */
enum {
  PERP_SINGLE_INVERSE,  /* 1 / A_ii */
  PERP_SINGLE_COUPLING, /* as above */
  PERP_SINGLE_OWN,      /* C_ii */
  PERP_SINGLE_LEAST, /* bounds as given: factors of |x| of the normal, if there is one; of a cone */
  PERP_SINGLE_MOST,  /* the cosine and the sine of its turn (second and third row), and mu */
  PERP_SINGLE_RHS,   /* (A X + b)_i */
  PERP_SINGLE_LOWER, /* bounds of the change of x while the normal does not change; of a cone */
  PERP_SINGLE_UPPER, /* -X_n, mu X_n - |X_t|; C between its tangents, |X_t| (second row) */
  PERP_SINGLE_NUMBERS,
  PERP_SINGLE_APART = 12 + PERP_SINGLE_NUMBERS, /* from row to row */
  PERP_SINGLE_BODY = 8,                         /* from body to body */
  PERP_SINGLE_SUMS = 5,                         /* of the acceleration, of PARTS each */
};

/* Returns the memory of a team for the worlds of a job. */
static inline size_t perp_world_bytes(const perp_world_job *job)
{
  const size_t width = (size_t)perp_world_width(job->worlds.freedom), rows = (size_t)job->batch.n;
  const size_t bodies = (width + 1) * (size_t)job->worlds.bodies;
  const size_t integers = rows + PERP_WORLD_COLOURS + 1, shorts = 3 * rows + 1;
  size_t reals, singles = 0;
  if (job->single) {
    const size_t room = (rows + 3) / 4 * 4; /* numbers of slots are moved four at once */
    reals = 2 * room;
    singles = PERP_SINGLE_APART * rows + 5 * room + rows +
              3 * PERP_SINGLE_BODY * ((size_t)job->worlds.bodies + 1) +
              PERP_SINGLE_SUMS * (PERP_WORLD_PARTS + 4);
  } else {
    reals = (size_t)perp_world_numbers((int)width, job->batch.mu != NULL) * (rows | 1) +
            (size_t)(job->batch.mu ? 3 : 2) * rows + bodies +
            (size_t)perp_world_rest_room((int)width, job->worlds.bodies);
  }
  return (reals * sizeof(double) + singles * sizeof(float) + integers * sizeof(int) +
          shorts * sizeof(int16_t) + 15) /
         16 * 16;
}

/* Returns true if a kernel can solve it. */
static inline bool perp_world_fits(int64_t rows, int64_t bodies)
{
  return rows <= PERP_WORLD_ROWS && bodies <= PERP_WORLD_BODIES;
}

extern const perp_kernel perp_kernel_worlds; /* a batch of perp_world_job */
