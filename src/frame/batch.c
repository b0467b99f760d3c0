/* batch.c: solves many independent problems in one call
 *
 * The problems are divided into one range per thread, with about the same number of entries of A
 * each. Each range has its own worker: a solver with the parameters of the caller's solver, and a
 * dense or contact operator that takes one matrix after another. A solver gives the same bits
 * whatever it solved before, so x depends neither on the number of workers nor on the order. The
 * caller's solver owns the workers and keeps them from batch to batch. */
#include "base/clock.h"
#include "base/elementary.h"
#include "base/message.h"
#include "base/sized.h"
#include "base/threads.h"
#include "frame/batch_run.h"
#include "method/run/method.h"
#include "operator/operator.h"

#include <limits.h>
#include <math.h>
#include <string.h>

void perp_batch_init(perp_batch *batch, size_t size)
{
  const perp_batch empty = {0};
  if (batch)
    perp_sized_write(&empty, sizeof empty, batch, size);
}

static void workshop_destroy(void *object)
{
  perp_workshop *shop = object;
  for (int k = 0; k < shop->workers; k++) {
    perp_solver_destroy(shop->worker[k].solver);
    perp_operator_destroy(shop->worker[k].A);
    perp_operator_destroy(shop->worker[k].world);
  }
  perp_free(shop->worker);
  perp_free(shop->sweeps);
  perp_arena_free(&shop->arena);
  perp_free(shop);
}

/* Returns the workshop of the solver with at least `workers` workers; NULL if there is no
 * memory. */
static perp_workshop *workshop_of(perp_solver *solver, int workers)
{
  perp_workshop *shop = perp_solver_companion(solver);
  if (!shop) {
    shop = perp_alloc_zero(1, sizeof *shop);
    if (!shop)
      return NULL;
    perp_solver_set_companion(solver, shop, workshop_destroy);
  }
  if (workers > shop->workers) {
    perp_worker *more = perp_alloc_zero((size_t)workers, sizeof *more);
    if (!more)
      return NULL;
    if (shop->workers > 0)
      memcpy(more, shop->worker, (size_t)shop->workers * sizeof *more);
    perp_free(shop->worker);
    shop->worker = more;
    shop->workers = workers;
  }
  return shop;
}

/* ---- One problem ---- */

static void solve_one(const perp_batch_run *r, perp_worker *w, int k, const perp_options *all)
{
  perp_options options = *all;
  const int64_t at = r->rows[k];
  options.y = all->y ? all->y + at : NULL;
  options.ray = all->ray ? all->ray + at : NULL;
  options.x_low = all->x_low ? all->x_low + at : NULL;
  if (options.ray)
    memset(options.ray, 0, (size_t)perp_batch_rows(r, k) * sizeof *options.ray);
  if (all->time_limit > 0) /* the time left, but never 0, which would mean no limit */
    options.time_limit = perp_max(all->time_limit - (perp_clock_seconds() - r->begin), 1e-9);
  perp_problem p;
  perp_error error = perp_batch_problem(r, w, k, &p);
  if (error) {
    w->result.outcome = PERP_NOT_RUN;
    w->result.residual = w->result.relative_residual = INFINITY;
  } else {
    error = perp_solver_solve(w->solver, &p, &options, r->x + at, &w->result);
  }
  perp_batch_enter(r, w, k, error);
}

/* ---- All of them ---- */

static void solve_stretch(void *context, int64_t begin, int64_t end)
{
  const perp_batch_run *r = context;
  perp_options options = *r->options;
  options.threads = 1;
  options.observer = NULL;
  options.logger = NULL; /* this thread may not be the caller's */
  for (int64_t s = begin; s < end; s++) {
    perp_worker *w = &r->shop->worker[s];
    const int last = s + 1 < r->workers ? perp_batch_stretch(r, (int)s + 1) : r->batch->count;
    for (int k = perp_batch_stretch(r, (int)s); k < last; k++)
      solve_one(r, w, k, &options);
  }
}

static perp_error check_batch(const perp_batch *batch, perp_message *why)
{
  if (batch->count < 0 || batch->n < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "count = %d and n = %d: neither may be negative",
                     batch->count, batch->n);
  if (batch->problems || batch->count == 0)
    return PERP_OK;
  if (batch->worlds && batch->same_A)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "same_A is not available for contact worlds");
  for (int k = 0; batch->rows && k < batch->count; k++) {
    if (batch->rows[k] < 0)
      return perp_fail(why, PERP_ERROR_ARGUMENT, "rows[%d] = %d is negative", k, batch->rows[k]);
    if ((batch->same_A || batch->same_K) && batch->rows[k] != batch->rows[0])
      return perp_fail(why, PERP_ERROR_ARGUMENT,
                       "same_A or same_K is set, but problem %d has %d rows and problem 0 has %d",
                       k, batch->rows[k], batch->rows[0]);
  }
  if ((!batch->A && !batch->worlds) || !batch->b)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "batch.%s is NULL", batch->b ? "A" : "b");
  return PERP_OK;
}

/* Checks the data that all worlds share and finds where the bodies of each begin; each world is
 * checked when it is solved. */
static perp_error prepare_worlds(perp_batch_run *r, perp_message *why)
{
  const perp_batch *batch = r->batch;
  const perp_contact_bodies *w = &r->worlds;
  perp_error error =
      perp_sized_read("perp_contact_bodies", batch->worlds, &r->worlds, sizeof r->worlds, why);
  if (error)
    return error;
  if ((w->freedom != 3 && w->freedom != 6) || w->together < 1)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "worlds: freedom = %d must be 3 or 6, and together = %d must be >= 1",
                     w->freedom, w->together);
  r->bodies = perp_arena_alloc(&r->shop->arena, (size_t)batch->count + 1, sizeof *r->bodies);
  if (!r->bodies)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d worlds", batch->count);
  r->bodies[0] = 0;
  for (int k = 0; k < batch->count; k++) {
    const int bodies = batch->bodies ? batch->bodies[k] : w->bodies;
    if (bodies < 0 || perp_batch_rows(r, k) % w->together != 0)
      return perp_fail(why, PERP_ERROR_ARGUMENT,
                       "world %d: bodies = %d is negative, or its %d rows are not a multiple of "
                       "%d, the rows per contact",
                       k, bodies, perp_batch_rows(r, k), w->together);
    r->bodies[k + 1] = r->bodies[k] + bodies;
  }
  if ((r->rows[batch->count] > 0 && (!w->body || !w->J)) ||
      (r->bodies[batch->count] > 0 && !w->Minv))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "worlds: body, J or Minv is NULL");
  return PERP_OK;
}

static perp_error prepare(perp_batch_run *r, perp_solver *solver, perp_message *why)
{
  const perp_batch *batch = r->batch;
  const int count = batch->count;
  r->workers = r->options->threads < count ? r->options->threads : count;
  if (r->workers < 1)
    r->workers = 1;
  r->shop = workshop_of(solver, r->workers);
  if (!r->shop)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d workers", r->workers);
  perp_arena_reset(&r->shop->arena);
  if (!PERP_TAKE(&r->shop->arena, PERP_ARRAY(r->rows, count + 1), PERP_ARRAY(r->matrix, count + 1)))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d problems", count);
  r->rows[0] = r->matrix[0] = 0;
  for (int k = 0; k < count; k++) {
    const int64_t n = batch->problems ? batch->problems[k].K.n
                      : batch->rows   ? batch->rows[k]
                                      : batch->n;
    if (n < 0)
      return perp_fail(why, PERP_ERROR_ARGUMENT, "problem %d has %lld rows", k, (long long)n);
    r->rows[k + 1] = r->rows[k] + n;
    r->matrix[k + 1] = r->matrix[k] + n * n;
  }
  const perp_error failed = batch->worlds && !batch->problems ? prepare_worlds(r, why) : PERP_OK;
  if (failed)
    return failed;
  if (r->rows[count] > 0 && !r->x)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "x is NULL");
  for (int k = 0; k < r->workers; k++) {
    perp_worker *w = &r->shop->worker[k];
    const perp_error error = perp_solver_like(solver, &w->solver, why);
    if (error)
      return error;
    w->result = perp_result_empty();
    w->has_A = false;
    w->solved = 0;
    w->first_failure = INT_MAX;
    w->residual = w->relative_residual = 0;
    w->counts = (perp_counts){0};
  }
  return PERP_OK;
}

static void summarise(const perp_batch_run *r, perp_result *whole)
{
  const perp_worker *failed = NULL;
  int64_t solved = 0;
  whole->residual = whole->relative_residual = 0;
  for (int k = 0; k < r->workers; k++) {
    const perp_worker *w = &r->shop->worker[k];
    solved += w->solved;
    perp_counts_add(&whole->counts, &w->counts);
    whole->counts.iterations += w->counts.iterations;
    whole->residual = perp_max(whole->residual, w->residual);
    whole->relative_residual = perp_max(whole->relative_residual, w->relative_residual);
    if (!failed && w->first_failure != INT_MAX)
      failed = w;
  }
  whole->seconds = perp_clock_seconds() - r->begin;
  whole->method = perp_solver_method(r->model).name;
  whole->outcome = failed ? failed->outcome : PERP_SOLVED;
  if (!failed)
    perp_fail(&whole->message, PERP_OK, "%d problems, all solved", r->batch->count);
  else
    perp_fail(&whole->message, PERP_OK, "%lld of %d problems solved; problem %d: %.400s",
              (long long)solved, r->batch->count, failed->first_failure, failed->message.text);
}

/* perp_batch_solve with structs of this library's sizes. */
static perp_error solve_batch(perp_solver *solver, const perp_batch *batch,
                              const perp_options *options, double *x, perp_batch_end *each,
                              perp_result *whole)
{
  perp_batch_run r = {.batch = batch,
                      .model = solver,
                      .options = options,
                      .begin = perp_clock_seconds(),
                      .x = x,
                      .each = each};
  perp_error error = perp_options_check(options, &whole->message);
  if (error || (error = check_batch(batch, &whole->message)) ||
      (error = prepare(&r, solver, &whole->message)))
    return error;
  if (options->device)
    error = perp_batch_on_device(&r, &whole->message);
  else
    perp_parallel_for(r.workers, r.workers, 1, solve_stretch, &r);
  if (error)
    return error;
  summarise(&r, whole);
  return PERP_OK;
}

perp_error perp_batch_solve(perp_solver *solver, const perp_batch *batch,
                            const perp_options *options, double *x, perp_batch_end *each,
                            perp_result *whole)
{
  perp_call c;
  if (!perp_call_begin(&c, options, whole))
    return PERP_ERROR_ARGUMENT;
  perp_message *why = &c.result->message;
  perp_batch own = {0};
  perp_error error = c.options ? PERP_OK : PERP_ERROR_ARGUMENT;
  if (!error && (!solver || !batch))
    error = perp_fail(why, PERP_ERROR_ARGUMENT, "solver or batch is NULL");
  if (!error && !(error = perp_sized_read("perp_batch", batch, &own, sizeof own, why)))
    error = solve_batch(solver, &own, c.options, x, each, c.result);
  return perp_call_end(&c, "batch", error);
}
