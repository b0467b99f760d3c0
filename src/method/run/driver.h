/* driver.h: one run of a method, from its start to the verdict; for this folder alone */
#pragma once

#include "method/run/method.h"
#include "verdict/verdict.h"

enum { PERP_MISSING = 4 };

/* How the driver reads vectors of n numbers. There are two such tables: for vectors of the CPU
 * (driver.c), and for a problem that lies on a device (device_problem.c), where kernels read the arrays. The
 * verdict is one piece of code for both. */
typedef struct perp_vectors {
  bool (*is_same)(perp_run *run, const double *a, const double *b); /* to the last bit */
  bool (*is_zero)(perp_run *run, const double *a);
  bool (*is_finite)(perp_run *run, const double *a);
  void (*copy)(perp_run *run, const double *from, double *to);
  /* The natural residual at x, y = A x + b recomputed: as checks take it, with `zero` if x is 0; and
   * as the verdict takes it, with the y of the driver. */
  double (*fresh)(perp_run *run, const double *x, bool zero);
  double (*judge)(perp_run *run, const double *x);
  /* problem/floor.h, for matrices of which it is known */
  double (*floor)(perp_run *run, const double *x);
} perp_vectors;

typedef struct perp_driver {
  const perp_method *method;
  const perp_vectors *vectors; /* how the vectors below, and those of the method, are read */
  perp_result *result;
  double *y;             /* n: A x + b as the driver computes it */
  int64_t y_count;       /* how often y was written */
  int64_t best_y;        /* y_count when y was that of the best iterate, if that was judged */
  int64_t verdict_y;     /* y_count when y was that of the last verdict's x */
  void *room;            /* for perp_judge */
  double *start;         /* n: as the caller gave it */
  double *best;          /* n: the best iterate seen, at first the start */
  bool best_judged;      /* its residual is that of the verdict */
  double best_residual;  /* infinity until the first check */
  double start_residual; /* by a y of the driver's own, infinity until there is one */
  double start_checked;  /* as the sweeps' own gradient had it, infinity where that was not asked */
  double began, deadline;
  double lap;    /* when the last part of the run ended: the plan of auto, or an attempt */
  int64_t limit; /* iterations */
  int64_t next_check;
  int64_t first_iteration; /* of the method that runs: auto runs several */
  bool distrust;           /* the method's own y was found wrong: it is no longer used */

  double residual; /* at the latest check */
  double merit, first_merit;
  double stale_residual; /* stagnation: the residual to improve on, and when it was seen */
  int64_t stale_since;
  int rises; /* checks in a row at which the residual grew */

  /* the end of the digits: a residual to halve, and when it was seen; when to estimate the floor */
  double halved_residual;
  int64_t halved_since, next_floor;
  /* an attempt that ends if its rate is too low for its limit: iterations and the best residual when
   * the rate was measured the last time */
  bool watched;
  double hope; /* times the rate so far that it may yet have */
  int64_t marked;
  double marked_residual;
  bool at_floor; /* it was found that the best residual can hardly fall any more */

  const char *missing[PERP_MISSING]; /* components that the log has named */
  int missed;

  int failures; /* of the callbacks of A, before the run */

  const char *last_method; /* that ran last: auto runs several */
  const char *best_method; /* that showed the best iterate */
  bool ended;
  perp_outcome ending;
  const double *ray;
} perp_driver;

/* The run of `method` on a checked problem; memory comes from the arena, and from `memory`, which may
 * be NULL, what outlives the run. x is the start on entry
 * and the answer on return. Fills every field of the result but its size. The deadline is that of the
 * options, or the one given where that comes first: of a run that this one is within. with_y: y is
 * in the result too, which may take a product. */
perp_error perp_driver_run(const perp_method *method, const void *parameters,
                           const perp_services *services, const perp_problem *problem,
                           const perp_options *options, double deadline, perp_arena *arena,
                           struct perp_memory *memory, double *x, bool with_y, perp_result *result);

/* How the run ends; what was said first stays. */
void perp_driver_end(perp_driver *d, perp_outcome outcome);
/* Whether a callback of A has failed: no number of this run is to be trusted. */
bool perp_driver_failed(const perp_run *run);
bool perp_driver_late(const perp_driver *d); /* the time limit has passed */
double perp_driver_lap(perp_driver *d);      /* ends a part of the run: its seconds */
static inline bool perp_driver_is_same(perp_run *run, const double *x, const double *other)
{
  return x == other || run->driver->vectors->is_same(run, x, other);
}

/* The natural residual at x with y recomputed: as checks take it, as the verdict takes it, and as the
 * verdict takes it unless the best iterate is this x and was judged. */
double perp_driver_fresh(perp_run *run, const double *x);
double perp_driver_judged(perp_run *run, const double *x);
double perp_driver_verdict(perp_run *run, const double *x);
bool perp_driver_proves(perp_run *run); /* whether the ray is a certificate */
/* Estimates the floor at x: whether it is above the target, and the residual of x near it. */
bool perp_driver_is_at_floor(perp_run *run, const double *x, double residual);
/* Whether an ending may come from the rounding of x: the method found no way to go on. */
bool perp_driver_is_stuck(perp_outcome ending);
void perp_driver_keep(perp_run *run, const double *x, double residual, bool judged);
/* The end of a run: the best of the method's last iterate, the best one seen and the start, judged anew
 * where one may be; numbers that are not finite are never handed back, and the start is finite. */
void perp_driver_settle(perp_run *run, double *x, bool with_y);
void perp_driver_tell(perp_run *run); /* the message of the result, unless the method left one */
/* The result of a call that could not be carried out, but for its message. */
void perp_result_fail(perp_result *result);
/* Calls the observer, where there is one; x is NULL where it is not at hand. */
void perp_driver_observe(perp_run *run, const double *x, bool checked);
