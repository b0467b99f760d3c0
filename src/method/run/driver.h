/* driver.h: one run of a method, from its start to the verdict; private to this folder */
#pragma once

#include "method/run/method.h"
#include "verdict/verdict.h"

enum { PERP_MISSING = 4 };

/* Vector operations of the driver: one table for vectors of the CPU (driver.c), one for a
 * problem on a device (device_problem.c), whose arrays kernels read. Both share the code of the
 * verdict. */
typedef struct perp_driver_vectors {
  bool (*is_same)(perp_run *run, const double *a, const double *b); /* to the last bit */
  bool (*is_zero)(perp_run *run, const double *a);
  bool (*is_finite)(perp_run *run, const double *a);
  void (*copy)(perp_run *run, const double *from, double *to);
  /* The natural residual at x with y = A x + b recomputed: for checks, with `zero` if x is 0; and
   * for the verdict, which also sets the driver's y. */
  double (*fresh)(perp_run *run, const double *x, bool zero);
  double (*judge)(perp_run *run, const double *x);
  /* perp_problem_floor, for matrices that have a known floor */
  double (*floor)(perp_run *run, const double *x);
} perp_driver_vectors;

typedef struct perp_driver {
  const perp_method *method;
  const perp_driver_vectors *vectors; /* reads the vectors below and the method's */
  perp_result *result;
  double *y;             /* n: A x + b as the driver computes it */
  int64_t y_count;       /* number of times y was written */
  int64_t best_y;        /* y_count when y belonged to the best iterate, if that was judged */
  int64_t verdict_y;     /* y_count when y belonged to the last verdict's x */
  void *room;            /* for perp_judge */
  double *start;         /* n: the caller's start */
  double *best;          /* n: the best iterate seen, initially the start */
  bool best_judged;      /* the verdict computed its residual */
  double best_residual;  /* infinity until the first check */
  double start_residual; /* by the driver's own y, infinity until then */
  double start_checked;  /* by the gradient of the sweeps, infinity if unknown */
  double began, deadline;
  double lap;    /* end of the last part of the run: the plan of auto, or an attempt */
  int64_t limit; /* iterations */
  int64_t next_check;
  int64_t first_iteration; /* of the current method: auto runs several */
  bool distrust;           /* the method's own y was wrong: it is no longer used */

  double residual; /* at the last check */
  double merit, first_merit;
  double stale_residual; /* stagnation: the residual to improve on, and its iteration */
  int64_t stale_since;
  int rises; /* consecutive checks at which the residual grew */

  /* precision: a residual to halve and its iteration; when to estimate the floor */
  double halved_residual;
  int64_t halved_since, next_floor;
  /* an attempt that ends if its rate is too low for its limit: iterations and best residual at the
   * last measurement */
  bool watched;
  double rate_gain; /* factor by which the rate may still improve */
  int64_t marked;
  double marked_residual;
  bool at_floor; /* the best residual can hardly fall any further */

  const char *missing[PERP_MISSING]; /* missing components that the log has named */
  int missed;

  int failures; /* of the callbacks of A before the run */

  const char *last_method; /* the last method: auto runs several */
  const char *best_method; /* the method of the best iterate */
  bool ended;
  perp_outcome ending;
  const double *ray;
} perp_driver;

/* Runs `method` on a checked problem. Memory comes from the arena; `memory`, which may be NULL,
 * holds data that outlives the run. x is the start on entry and the answer on return. Fills every
 * field of the result except its size. The deadline is the earlier of the options' and the given
 * one, which belongs to an enclosing run. with_y: the result has y too, which may take a
 * product. */
perp_error perp_driver_run(const perp_method *method, const void *parameters,
                           const perp_services *services, const perp_problem *problem,
                           const perp_options *options, double deadline, perp_arena *arena,
                           struct perp_memory *memory, double *x, bool with_y, perp_result *result);

/* Returns true if a callback of A has failed: no number of this run is reliable. */
bool perp_driver_failed(const perp_run *run);
bool perp_driver_late(const perp_driver *d); /* the time limit has passed */
double perp_driver_lap(perp_driver *d);      /* ends a part of the run and returns its seconds */
static inline bool perp_driver_is_same(perp_run *run, const double *x, const double *other)
{
  return x == other || run->driver->vectors->is_same(run, x, other);
}

/* Return the natural residual at x with y recomputed: for checks; for the verdict; and for the
 * verdict unless x is the best iterate and was judged. */
double perp_driver_fresh(perp_run *run, const double *x);
double perp_driver_judged(perp_run *run, const double *x);
double perp_driver_verdict(perp_run *run, const double *x);
bool perp_driver_proves(perp_run *run); /* returns true if the ray is a certificate */
/* Estimates the floor at x. Returns true if it is above the target and the residual of x is near
 * it. */
bool perp_driver_is_at_floor(perp_run *run, const double *x, double residual);
/* Returns true if an ending may come from the rounding of x: the method could not continue. */
bool perp_driver_is_stuck(perp_outcome ending);
void perp_driver_keep(perp_run *run, const double *x, double residual, bool judged);
/* Ends a run: returns the best of the method's last iterate, the best one seen and the start,
 * judged again if necessary; never numbers that are not finite, and the start is finite. */
void perp_driver_settle(perp_run *run, double *x, bool with_y);
void perp_driver_tell(perp_run *run); /* writes the result's message, unless the method left one */
/* Fills the result of a failed call, except its message. */
void perp_result_fail(perp_result *result);
/* Calls the observer, if there is one; x is NULL if it is not available. */
void perp_driver_observe(perp_run *run, const double *x, bool checked);

/* ---- The problem that methods solve (cones_first.c) ---- */

/* The matrix of the last problem, which a solver keeps: it serves again while the numbers of A, the
 * order, the units and the parts of K are the same. All zero: none. */
typedef struct perp_ordered_copy {
  perp_arena arena;
  perp_operator *A;
  uint64_t values; /* of the caller's A */
  int n, cones;
  const int *row, *findex, *disc; /* n each; the last two may be NULL */
  const double *d;                /* n, or NULL */
} perp_ordered_copy;

void perp_ordered_copy_free(perp_ordered_copy *copy);

typedef struct perp_ordered {
  perp_problem problem;
  perp_options options; /* the caller's, whose observer sees x in the caller's order */
  double *x;            /* n: the start on entry, the answer on return */
  const int *row;       /* row k of this problem is row[k] of the caller's */
  const double *d;      /* n: x of the caller's is d x; NULL: 1 */
  perp_operator *A;     /* the problem's, destroyed by perp_ordered_end unless a copy keeps it */
  bool kept;
  bool same; /* a copy of the caller's stored rows, bit by bit: its verdict is the caller's too */
  const perp_options *callers;
  double *seen; /* n: for the observer */
} perp_ordered;

/* Memory comes from the arena; A from the heap, or from `copy`, unless that is NULL. `o` must not
 * move until perp_ordered_end. */
perp_error perp_ordered_begin(const perp_problem *p, const perp_options *options, const double *x,
                              perp_arena *arena, perp_ordered_copy *copy, perp_ordered *o,
                              perp_message *why);
/* to[row[k]] = from[k] d_k^power, power 1 for x and certificates, -1 for y */
void perp_ordered_return(const perp_ordered *o, const double *from, int power, double *to);
void perp_ordered_end(perp_ordered *o);

/* ---- A solution in two doubles, x + low (refine.c) ---- */

/* The parameters of the repeated run, as for perp_driver_run. */
typedef struct perp_refiner {
  const perp_method *method;
  const void *parameters;
  const perp_services *services;
  perp_arena *arena;
  struct perp_memory *memory;
} perp_refiner;

/* Returns PERP_ERROR_UNSUPPORTED, with the reason, if x + low is not available for this problem and
 * method. */
perp_error perp_refine_check(const perp_method *method, const perp_problem *p, perp_message *why);

/* Solves from x as perp_driver_run does, with y; then corrects x + options->x_low until it meets
 * the tolerance. */
perp_error perp_refine_run(const perp_refiner *r, const perp_problem *p,
                           const perp_options *options, double *x, perp_result *result);
