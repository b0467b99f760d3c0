/* perp/batch.h: many problems in one call
 *
 *   perp_batch batch = perp_batch_dense(8192, 16, A, b);    // 8192 matrices, one after another
 *   perp_options options = perp_options_default();
 *   options.threads = 8;
 *   perp_result whole = perp_result_empty();
 *   perp_batch_solve(solver, &batch, &options, x, each, &whole);
 *
 * Contact worlds: each array of perp_contact_bodies holds the numbers of all worlds, one world after
 * another.
 *
 *   perp_contact_bodies world = perp_contact_bodies_default();
 *   world.rows = 162, world.bodies = 27, world.together = 3; // of each
 *   world.body = body, world.J = J, world.Minv = Minv;       // of all
 *   perp_batch batch = perp_batch_worlds(8192, &world, b);
 *   batch.lo = lo, batch.hi = hi, batch.findex = findex;
 *
 * Problems are independent: an invalid or unsolvable problem does not affect the others. The bits of x
 * are the same as in single solves, for every number of threads. */
#ifndef PERP_BATCH_H
#define PERP_BATCH_H

#include <perp/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Only from perp_batch_dense(), perp_batch_worlds() and perp_batch_problems(). The vectors of all
 * problems follow one another: problem k of n rows has the numbers k n .. k n + n - 1 of b, and so on.
 * All arrays are the caller's. */
typedef struct perp_batch {
  size_t size;
  int count; /* number of problems */
  int n;     /* rows of each, unless `rows` says otherwise */
  /* Problems with operators of any kind, instead of all fields below. Several problems may share an
   * operator. NULL: the fields below describe the problems */
  const perp_problem *problems;
  const int *rows; /* count: rows of each; NULL: n */
  const double *A; /* row major, one after another */
  const double *b;
  int same_A;            /* not 0: A is one matrix, used for every problem */
  int same_K;            /* not 0: lo, hi, findex and mu of one problem, used for every problem */
  const double *lo, *hi; /* as in perp_set; NULL: 0 and infinity */
  const int *findex;     /* row numbers within each problem, from 0; NULL: none */
  const double *mu;      /* all rows are cones (n, t, o), one number for each; NULL: no cones */
  /* Contact operators A = J Minv J^T + C instead of A. worlds->rows is not read, but n and rows above
   * are; body numbers count within each world. NULL: none */
  const perp_contact_bodies *worlds;
  const int *bodies; /* count: bodies of each world; NULL: worlds->bodies */
  /* perp_batch_queue, contact worlds: `count` numbers of device memory to work in. The worlds that took
   * the most iterations in the earlier call that wrote `verdicts` start first, which is faster; x does
   * not depend on it. NULL: in the order of storage */
  int *order;
} perp_batch;

PERP_API void perp_batch_init(perp_batch *batch, size_t size);

/* Returns a batch of LCPs with full matrices of n rows; the caller may set lo, hi and the others. */
static inline perp_batch perp_batch_dense(int count, int n, const double *A, const double *b)
{
  perp_batch batch;
  perp_batch_init(&batch, sizeof batch);
  batch.count = count;
  batch.n = n;
  batch.A = A;
  batch.b = b;
  return batch;
}

/* Returns a batch of contact worlds of world->rows rows and world->bodies bodies each; the caller may
 * set `rows`, `bodies`, lo, hi and the others. The arrays that world points to hold the numbers of all
 * worlds. */
static inline perp_batch perp_batch_worlds(int count, const perp_contact_bodies *world,
                                           const double *b)
{
  perp_batch batch;
  perp_batch_init(&batch, sizeof batch);
  batch.count = count;
  batch.n = world->rows;
  batch.worlds = world;
  batch.b = b;
  return batch;
}

/* Returns a batch of any problems, each with its operator. */
static inline perp_batch perp_batch_problems(int count, const perp_problem *problems)
{
  perp_batch batch;
  perp_batch_init(&batch, sizeof batch);
  batch.count = count;
  batch.problems = problems;
  return batch;
}

/* Result of one problem. */
typedef struct perp_batch_end {
  perp_error error; /* not PERP_OK: the problem was refused, and its x is unchanged */
  perp_outcome outcome;
  double residual, relative_residual; /* as in perp_result */
  int64_t iterations;
  const char *method; /* the method that found x; NULL after an error */
  int64_t reserved[3];
} perp_batch_end;

/* Solves all problems of a batch. x holds all starts on entry and all solutions on return. each: one
 * entry per problem, or NULL.
 *
 * whole->outcome is PERP_SOLVED if all are solved, otherwise the outcome of the first problem that is
 * not (PERP_NOT_RUN if it had an error). Its residuals are the maxima and its counts the sums over all
 * problems; its message says how many were solved and describes the first failure. options->y and
 * options->ray hold the numbers of all problems, one after another; the ray of a problem that has none
 * is 0. The time limit is for all problems together. The observer is not called.
 *
 * The solver keeps the memory: from the second batch of the same shape on, nothing is allocated unless
 * the method itself allocates. Returns an error only if the batch as a whole is refused; an error of
 * one problem is in `each`. */
PERP_API perp_error perp_batch_solve(perp_solver *solver, const perp_batch *batch,
                                     const perp_options *options, double *x, perp_batch_end *each,
                                     perp_result *whole);

/* ---- Batches that stay on a device ---- */

/* Result of one problem of a queued batch. The kernel that solves the problem also judges it and writes
 * this. */
typedef struct perp_batch_verdict {
  double residual; /* natural, with y in twice the precision; infinite if the problem was not run */
  double scale;    /* max |b_i|, or 1: solved means residual <= tol * scale */
  double value;    /* the number that caused the error, if any */
  int state;       /* for perp_batch_verdict_message */
  int iterations;
  int row, column; /* where the error is */
  int outcome;     /* perp_outcome */
  int error;       /* perp_error: if not PERP_OK, the problem was refused, and its x is unchanged */
} perp_batch_verdict;

/* Queues a batch on the stream of options->device (perp_device_set_stream) and returns: nothing is
 * copied, allocated or waited for, so CUDA graphs can capture the call. Every array of the batch, x,
 * options->y and `verdicts` (`count` entries) must be in memory that the device's kernels can access;
 * the caller must not change them until the stream has executed this call. x and the verdicts are
 * complete after perp_device_wait, or after the caller's own synchronisation. Several calls may be in
 * flight, on several streams too, if they write to different arrays.
 *
 * All problems have the same size: `rows`, `bodies` and `problems` must be NULL. The methods, the
 * parameters, tol and max_iterations are those of perp_batch_solve, and x has the same bits. There is
 * no time limit, since the caller does not wait. The device "host" solves the batch before it returns.
 * An error is returned if the batch as a whole cannot be queued; `why` may be NULL. */
PERP_API perp_error perp_batch_queue(const perp_solver *solver, const perp_batch *batch,
                                     const perp_options *options, double *x,
                                     perp_batch_verdict *verdicts, perp_message *why);

/* Writes one line that says how the problem ended. method: the name of the method; worlds: not 0 for
 * contact worlds; n: rows of the problem. */
PERP_API void perp_batch_verdict_message(const perp_batch_verdict *verdict, const char *method,
                                         int worlds, int n, perp_message *text);

#ifdef __cplusplus
}
#endif
#endif
