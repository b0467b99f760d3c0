/* perp/batch.h: many problems in one call
 *
 *   perp_batch batch = perp_batch_dense(8192, 16, A, b);    // 8192 matrices, one after another
 *   perp_options options = perp_options_default();
 *   options.threads = 8;
 *   perp_result whole = perp_result_empty();
 *   perp_batch_solve(solver, &batch, &options, x, each, &whole);
 *
 * Contact worlds: the arrays of perp_contact_bodies, those of all worlds one after another.
 *
 *   perp_contact_bodies world = perp_contact_bodies_default();
 *   world.rows = 162, world.bodies = 27, world.together = 3; // of each
 *   world.body = body, world.J = J, world.Minv = Minv;       // of all
 *   perp_batch batch = perp_batch_worlds(8192, &world, b);
 *   batch.lo = lo, batch.hi = hi, batch.findex = findex;
 *
 * Problems are independent: one that is wrong or has no solution fails alone. The bits of x are those
 * of one solve after another, for every number of threads. */
#ifndef PERP_BATCH_H
#define PERP_BATCH_H

#include <perp/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Only from perp_batch_dense(), perp_batch_worlds() and perp_batch_problems(). Vectors of all
 * problems lie one after another: problem k of n rows has the numbers k n .. k n + n - 1 of b, and so
 * on. All arrays are the caller's. */
typedef struct perp_batch {
  size_t size;
  int count; /* of problems */
  int n;     /* rows of each, unless `rows` says otherwise */
  /* Problems with operators of any kind, in place of all that follows. An operator may belong to
   * several of them. NULL: full matrices */
  const perp_problem *problems;
  const int *rows; /* count: rows of each; NULL: n */
  const double *A; /* row major, one after another */
  const double *b;
  int same_A;            /* not 0: A is one matrix, that of every problem */
  int same_K;            /* not 0: what follows is that of one problem, for every problem */
  const double *lo, *hi; /* as in perp_set; NULL: 0 and infinity */
  const int *findex;     /* rows of its own problem, from 0 on; NULL: none */
  const double *mu;      /* all rows are cones (n, t, o), one number for each; NULL: no cones */
  /* Contact operators A = J Minv J^T + C in place of A. Its `rows` is not read, but n and rows
   * above are; body numbers are those of its own world. NULL: none */
  const perp_contact_bodies *worlds;
  const int *bodies; /* count: bodies of each world; NULL: worlds->bodies */
} perp_batch;

PERP_API void perp_batch_init(perp_batch *batch, size_t size);

/* LCPs with full matrices of n rows; lo, hi and the others may be filled in. */
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

/* Contact worlds of world->rows rows and world->bodies bodies each; `rows` and `bodies` of the batch
 * may be filled in, and lo, hi and the others. The arrays that world points to hold those of all
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

/* Any problems, with operators of their own. */
static inline perp_batch perp_batch_problems(int count, const perp_problem *problems)
{
  perp_batch batch;
  perp_batch_init(&batch, sizeof batch);
  batch.count = count;
  batch.problems = problems;
  return batch;
}

/* How one problem ended. */
typedef struct perp_batch_end {
  perp_error error; /* the problem could not be solved as it is: its x is unchanged */
  perp_outcome outcome;
  double residual, relative_residual; /* as in perp_result */
  int64_t iterations;
  const char *method; /* that made x; NULL if there was an error */
  int64_t reserved[3];
} perp_batch_end;

/* x holds all starts on entry and all solutions on return. each: one for every problem, or NULL.
 *
 * whole->outcome is PERP_SOLVED if all are solved, otherwise that of the first which is not
 * (PERP_NOT_RUN if that was an error); its residuals are the largest of all, its counts sums, and its
 * message says how many were solved and what the first failure was. options->y and options->ray hold
 * numbers of all problems one after another; the ray of a problem that has none is 0. The time limit
 * holds for all problems together. The observer is not called.
 *
 * The memory for this stays with the solver: from the second batch of the same shape on, nothing is
 * allocated unless the method itself does. An error is returned only if the batch as a whole cannot be
 * read. */
PERP_API perp_error perp_batch_solve(perp_solver *solver, const perp_batch *batch,
                                     const perp_options *options, double *x, perp_batch_end *each,
                                     perp_result *whole);

#ifdef __cplusplus
}
#endif
#endif
