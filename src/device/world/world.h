/* world.h: contact worlds as kernels take them
 *
 *   A = J Minv J^T + C,   a row of J touches at most two bodies
 *
 * Arrays are those of perp_contact_bodies, of all worlds one after another. How each ended is a
 * perp_job_end (job.h). Read by C and by C++. */
#pragma once

#include "device/job.h"

enum {
  PERP_WORLD_ROWS = 768,     /* of the largest world: it fits into the memory of a multiprocessor */
  PERP_WORLD_BODIES = 768,   /* */
  PERP_WORLD_COLOURS = 64,   /* contacts of one body, about */
  PERP_WORLD_SWEEPS = 20000, /* of one world at most: nobody can stop a kernel that runs */
};

typedef struct perp_world_job {
  int count;
  int n, m;                     /* rows and bodies of each world, or of the largest that fits */
  const int64_t *rows, *bodies; /* count + 1: where those of each begin; NULL: k n, k m */
  int freedom;                  /* velocities of a body: 6 or 3 */
  int together;                 /* rows of a contact */
  const int *body;              /* 2 for each contact; -1: one that never moves */
  const double *J, *Minv;
  const double *C; /* diagonal; NULL: cfm in every row */
  double cfm;
  const double *b;
  const double *lo, *hi; /* NULL: 0 and infinity */
  const int *findex;     /* rows of its own world; NULL: none */
  const double *mu;      /* all rows are cones, a number for each; NULL: none is */
  int same_K;            /* not 0: one for all worlds */
  double *x;             /* starts on entry, iterates on return; unchanged if the data is bad */
  double *y;             /* A x + b, or NULL */
  perp_job_end *end;     /* count */
  double tol, omega;     /* omega 0: found on the run */
  int most;              /* sweeps */
} perp_world_job;

/* Velocities of a body in the memory of a team; they lie one more apart, in other banks. */
static inline int perp_world_width(int freedom)
{
  return freedom > 4 ? 6 : 4;
}

/* Numbers of a row: G_i, and those of contact/contacts.h. */
enum { PERP_WORLD_EXTRA = 6, PERP_WORLD_VECTORS = 3, PERP_WORLD_LISTS = 4 };

/* Memory of a team for worlds of up to n rows and m bodies. */
static inline size_t perp_world_bytes(int n, int m, int freedom, bool cones)
{
  const size_t width = (size_t)perp_world_width(freedom), rows = (size_t)n, pitch = rows | 1;
  const size_t numbers = (2 * width + PERP_WORLD_EXTRA) * pitch;
  const size_t reals =
      numbers + (PERP_WORLD_VECTORS + (cones ? 1 : 0)) * rows + (width + 1) * (size_t)m;
  const size_t lists = PERP_WORLD_LISTS * rows + 1 + PERP_WORLD_COLOURS + 1;
  return (reals * sizeof(double) + lists * sizeof(int) + 15) / 16 * 16;
}

/* Whether a kernel can take it. */
static inline bool perp_world_fits(int64_t rows, int64_t bodies)
{
  return rows <= PERP_WORLD_ROWS && bodies <= PERP_WORLD_BODIES;
}

/* Rows and bodies of all worlds. */
int64_t perp_world_rows(const perp_world_job *job);
int64_t perp_world_bodies(const perp_world_job *job);

/* As perp_job_place and perp_job_fetch. */
perp_error perp_world_place(perp_device *device, const perp_world_job *job, perp_world_job *there,
                            perp_message *why);
perp_error perp_world_fetch(perp_device *device, const perp_world_job *job,
                            const perp_world_job *there, perp_message *why);
