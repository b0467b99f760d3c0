/* job.h: dense problems in the form that kernels read, how each of them ended, and the arrays of a
 * batch
 *
 * For C and C++. */
#pragma once

#include "device/device.h"
#include "verdict/verdict.h"

#include <perp/batch.h>

enum {
  PERP_JOB_ROWS =
      96, /* of the largest problem: its factor fits into the shared memory of a multiprocessor */
  PERP_JOB_STEPS = 5000, /* most steps of one problem: a running kernel cannot be stopped */
};

typedef enum perp_job_state {
  PERP_JOB_NOT_RUN,  /* */
  PERP_JOB_CLAIMED,  /* the kernel takes x for a solution; the judge decides */
  PERP_JOB_LIMIT,    /* limit of `most` steps reached */
  PERP_JOB_SINGULAR, /* a basis A_FF of row `row` has no factor */
  PERP_JOB_SKEW,     /* A is not symmetric: left to the kernel for such matrices, never reported */
  PERP_JOB_CROWDED,  /* the factor has too many rows for the memory: likewise */
  PERP_JOB_TOO_LARGE,
  PERP_JOB_BAD_A,      /* A(row, column) = value is not finite */
  PERP_JOB_BAD_B,      /* b[row] = value */
  PERP_JOB_BAD_BOUNDS, /* of `row` */
  PERP_JOB_BAD_START,  /* x[row] = value */
  /* of problems with bodies */
  PERP_JOB_BAD_BODY,    /* contact `row` names a body that does not exist, or one twice */
  PERP_JOB_BAD_MASS,    /* Minv of body `row` is not finite, or not symmetric */
  PERP_JOB_BAD_C,       /* C(row, row) = value */
  PERP_JOB_BAD_FINDEX,  /* of `row` */
  PERP_JOB_BAD_MU,      /* of cone `row`: value */
  PERP_JOB_NO_CONE,     /* the rows of cone `row` do not touch the same bodies */
  PERP_JOB_NO_DIAGONAL, /* A(row, row) is not positive */
  PERP_JOB_NO_FACTOR,   /* Minv of a body of row `row` is not definite */
  PERP_JOB_NO_SINGLE,   /* A(row, row) or its inverse is not a positive number in single
                         * precision */
  PERP_JOB_COLOURS,     /* a body has too many contacts */
  PERP_JOB_NON_FINITE,  /* x, or A x + b */
  PERP_JOB_STILL,       /* sweeps no longer move x */
} perp_job_state;

typedef perp_batch_verdict perp_job_end;

/* Returns the error that a state means for its problem. */
EVERYWHERE perp_error perp_job_error(int state)
{
  return state == PERP_JOB_BAD_START                              ? PERP_ERROR_ARGUMENT
         : state >= PERP_JOB_BAD_A && state <= PERP_JOB_BAD_MU    ? PERP_ERROR_PROBLEM
         : state == PERP_JOB_TOO_LARGE                            ? PERP_ERROR_UNSUPPORTED
         : state >= PERP_JOB_NO_CONE && state <= PERP_JOB_COLOURS ? PERP_ERROR_UNSUPPORTED
                                                                  : PERP_OK;
}

/* Returns the outcome of a problem that is not solved. */
EVERYWHERE perp_outcome perp_job_outcome(int state)
{
  return state == PERP_JOB_NOT_RUN      ? PERP_TIME_LIMIT
         : state == PERP_JOB_LIMIT      ? PERP_ITERATION_LIMIT
         : state == PERP_JOB_CLAIMED    ? PERP_REFUTED
         : state == PERP_JOB_NON_FINITE ? PERP_NON_FINITE
                                        : PERP_STAGNATED;
}

/* Gives the verdict, from the residual, the scale and the state. */
EVERYWHERE void perp_job_judge(perp_job_end *end, double tol)
{
  const double target = perp_verdict_target(tol, end->scale);
  const perp_outcome judged =
      perp_verdict_outcome(end->residual, target, perp_job_outcome(end->state));
  end->error = (int)perp_job_error(end->state);
  end->outcome = (int)(end->error ? PERP_NOT_RUN : judged);
}

typedef struct perp_job {
  int count;
  int n;                        /* rows of each problem, or of the largest */
  const int64_t *rows, *matrix; /* count + 1: starts of vectors and matrices; NULL: k n, k n n */
  int64_t lead;                 /* stride of the rows of A; 0: the rows of the problem */
  const double *A, *b;
  const double *lo, *hi; /* NULL: 0 and infinity */
  int same_A, same_K;    /* not 0: one for all problems */
  double *x;             /* starts on entry, iterates on return; unchanged if the data is bad */
  double *y;             /* A x + b, or NULL */
  perp_job_end *end;     /* count */
  double tol;
  int most;   /* steps */
  int trials; /* a parameter of the method */
} perp_job;

/* ---- The arrays of a batch ---- */

typedef struct perp_named_array {
  const char *name;
  const void *array;  /* or NULL */
  size_t count, each; /* numbers, and bytes of one */
  const void **at;    /* the pointer to it, for those who replace it; or NULL */
} perp_named_array;

enum { PERP_BATCH_ARRAYS = 10 };

/* Lists the arrays of a batch with this many rows, entries of A and bodies in all. Without contact
 * worlds `worlds` holds none. */
void perp_batch_arrays(perp_batch *batch, perp_contact_bodies *worlds, int64_t rows,
                       int64_t entries, int64_t bodies, perp_named_array arrays[PERP_BATCH_ARRAYS]);
/* Returns an error that names the first array that is not aligned, or that begins or ends where the kernels of the
 * device cannot read. */
perp_error perp_device_readable(perp_device *device, int count, const perp_named_array *arrays,
                                perp_message *why);
/* Checks a batch of problems of one size and where its arrays are, and reads the description of its
 * contact operators, if it has some. */
perp_error perp_device_batch_check(perp_device *device, const perp_batch *batch,
                                   perp_contact_bodies *contacts, perp_message *why);
