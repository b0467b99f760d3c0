/* batch_device.c: a batch on a device
 *
 * Arrays that the device cannot read are copied to it. A kernel of the method then solves all
 * problems and reports its claim for each. perp_device_set_judge selects who gives the verdict: the
 * kernel, or the library's judge on the host, for which device arrays are copied back. In both
 * cases a problem is solved if its natural residual is at most tol * scale.
 *
 * With a time limit the problems go to the device in pieces, and the clock is read between them. */
#include "base/clock.h"
#include "base/sized.h"
#include "base/threads.h"
#include "frame/batch_run.h"
#include "method/run/method.h"
#include "method/splitting/world/world.h"
#include "operator/operator.h"
#include "problem/judge.h"

#include <math.h>
#include <string.h>

enum { PIECE = 256 };

typedef struct device_run {
  perp_batch_run *batch;
  const char *method; /* its name */
  const perp_job_end *end;
  double *y;    /* of all problems, or NULL: each worker has y of its current problem in `room` */
  double *room; /* of each worker */
  size_t room_each, scratch; /* scratch: for a product, at the end of the room */
  bool judge;                /* here */
} device_run;

/* ---- To the device ---- */

static perp_error refuse(const perp_batch_run *r, perp_message *why)
{
  const perp_batch *batch = r->batch;
  const char *what = batch->problems               ? "separate operators"
                     : batch->findex && !r->bodies ? "a friction index"
                     : batch->mu && !r->bodies     ? "cones"
                     : r->options->x_low           ? "x_low"
                                                   : NULL;
  if (what)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, "%s on a device takes batches of %s, not %s",
                     perp_solver_method(r->model).name,
                     r->bodies ? "contact worlds" : "dense matrices with bounds", what);
  return r->bodies ? perp_solver_worlds_device(r->model, r->options->device, NULL, 0, 0, 1, why)
                   : perp_solver_batch_device(r->model, r->options->device, NULL, 0, 0, 1, why);
}

/* Returns true if the problems go to the device in pieces. */
static bool is_watched(const perp_batch_run *r)
{
  return r->options->time_limit > 0 || r->options->interrupted;
}

/* Solves the pieces one after another until the time limit; *done counts the problems solved. */
static perp_error solve_pieces(const perp_batch_run *r, perp_job *job, perp_world_job *worlds,
                               int *done, perp_message *why)
{
  const perp_options *o = r->options;
  const int all = r->batch->count;
  perp_error error = PERP_OK;
  for (*done = 0; *done < all && !error;) {
    const int left = all - *done, count = is_watched(r) && left > PIECE ? PIECE : left;
    const bool late = o->time_limit > 0 && perp_clock_seconds() - r->begin >= o->time_limit;
    if (late || (o->interrupted && o->interrupted(o->interrupted_context)))
      break;
    error =
        worlds
            ? perp_solver_worlds_device(r->model, o->device, worlds, *done, count, o->threads, why)
            : perp_solver_batch_device(r->model, o->device, job, *done, count, o->threads, why);
    *done += count;
  }
  return error;
}

/* ---- The verdict ---- */

/* Says why a problem was refused or is not solved. */
static perp_error say(const perp_job_end *end, const char *name, bool world, int n,
                      perp_outcome outcome, double relative_residual, perp_message *why)
{
  switch ((perp_job_state)end->state) {
  case PERP_JOB_BAD_A:
    return world ? perp_fail(why, PERP_OK, "J of row %d holds %g, which is not finite", end->row,
                             end->value)
                 : perp_fail(why, PERP_OK, "A(%d,%d) = %g is not finite", end->row, end->column,
                             end->value);
  case PERP_JOB_BAD_B:
    return perp_fail(why, PERP_OK, "b[%d] = %g is not finite", end->row, end->value);
  case PERP_JOB_BAD_BOUNDS:
    return perp_fail(why, PERP_OK, "row %d: lo is not <= hi", end->row);
  case PERP_JOB_BAD_START:
    return perp_fail(why, PERP_OK, "the start x[%d] = %g is not finite", end->row, end->value);
  case PERP_JOB_BAD_BODY:
    return perp_fail(why, PERP_OK,
                     "contact %d names a body that does not exist, or the same body twice",
                     end->row);
  case PERP_JOB_BAD_MASS:
    return perp_fail(why, PERP_OK, "Minv of body %d is not finite, or not symmetric", end->row);
  case PERP_JOB_BAD_C:
    return perp_fail(why, PERP_OK, "C(%d,%d) = %g is not finite", end->row, end->row, end->value);
  case PERP_JOB_BAD_FINDEX:
    return perp_fail(why, PERP_OK, "findex[%d] is out of range or names another friction row",
                     end->row);
  case PERP_JOB_BAD_MU:
    return perp_fail(why, PERP_OK, "mu[%d] = %g, but a friction coefficient is >= 0", end->row,
                     end->value);
  case PERP_JOB_NO_CONE:
    return perp_fail(why, PERP_OK,
                     "%s on a device: the rows of cone %d do not touch the same bodies", name,
                     end->row);
  case PERP_JOB_NO_DIAGONAL:
    return perp_fail(why, PERP_OK, "%s needs a positive diagonal, but A(%d,%d) is not positive",
                     name, end->row, end->row);
  case PERP_JOB_NO_FACTOR:
    return perp_fail(why, PERP_OK,
                     "%s on a device needs a positive definite Minv, but the Minv that row %d uses "
                     "is not",
                     name, end->row);
  case PERP_JOB_NO_SINGLE:
    return perp_fail(why, PERP_OK, "%s: A(%d,%d) is not within the range of single precision", name,
                     end->row, end->row);
  case PERP_JOB_COLOURS:
    return perp_fail(
        why, PERP_OK,
        "%s on a device takes worlds of at most %d colours, and each contact of a body "
        "needs its own",
        name, PERP_WORLD_COLOURS);
  case PERP_JOB_TOO_LARGE:
    return world ? perp_fail(why, PERP_OK,
                             "%s on a device takes worlds of at most %d rows and %d bodies, this "
                             "has %d rows%s",
                             name, PERP_WORLD_ROWS, PERP_WORLD_BODIES, n,
                             n <= PERP_WORLD_ROWS ? " and more bodies" : "")
                 : perp_fail(why, PERP_OK,
                             "%s on a device takes at most n = %d, this problem has n = %d", name,
                             PERP_JOB_ROWS, n);
  case PERP_JOB_SINGULAR:
    return perp_fail(why, PERP_OK, "%s: the basis with row %d is singular; relative residual %.2e",
                     name, end->row, relative_residual);
  default:
    return perp_fail(why, PERP_OK, "%s: %s; relative residual %.2e", name,
                     perp_outcome_name(outcome), relative_residual);
  }
}

/* Judges problem k: its residual if the host is the judge, its outcome, and its entry in the
 * batch. */
static void judge_one(const device_run *d, perp_worker *w, int worker, int k)
{
  const perp_batch_run *r = d->batch;
  const perp_job_end *end = &d->end[k];
  perp_result *result = &w->result;
  perp_error error = perp_job_error(end->state);
  const int64_t at = r->rows[k];
  result->outcome = PERP_NOT_RUN;
  result->residual = result->relative_residual = INFINITY;
  result->method = d->method;
  result->counts =
      r->bodies ? (perp_counts){.iterations = end->iterations, .sweeps = end->iterations}
                : (perp_counts){.iterations = end->iterations, .factorisations = end->iterations};
  result->message.text[0] = 0;
  if (!error) {
    result->residual = end->residual;
    result->scale = end->scale;
    if (d->judge) {
      double *own = d->room + (size_t)worker * d->room_each, *y = d->y ? d->y + at : own;
      double *room = own + perp_batch_rows(r, k), *scratch = own + d->room_each - d->scratch;
      perp_problem p;
      error = perp_batch_problem(r, w, k, &p);
      if (!error) {
        result->scale = perp_problem_scale(&p);
        result->residual =
            perp_judge(&p, r->x + at, y, &(perp_work){.threads = 1, .scratch = scratch}, room);
        result->counts.checks = result->counts.applies = 1;
      }
    }
  }
  if (!error) {
    result->relative_residual = result->residual / result->scale;
    result->outcome =
        perp_verdict_outcome(result->residual, perp_verdict_target(r->options->tol, result->scale),
                             perp_job_outcome(end->state));
  }
  if (result->outcome != PERP_SOLVED && !result->message.text[0])
    say(end, d->method, r->bodies != NULL, perp_batch_rows(r, k), result->outcome,
        result->relative_residual, &result->message);
  perp_batch_enter(r, w, k, error);
}

static void judge_stretch(void *context, int64_t begin, int64_t end)
{
  const device_run *d = context;
  const perp_batch_run *r = d->batch;
  for (int64_t s = begin; s < end; s++) {
    const int last = s + 1 < r->workers ? perp_batch_stretch(r, (int)s + 1) : r->batch->count;
    for (int k = perp_batch_stretch(r, (int)s); k < last; k++)
      judge_one(d, &r->shop->worker[s], (int)s, k);
  }
}

/* Returns the caller's array, or a host copy of a device array. */
static perp_error show(perp_batch_run *r, const void *array, size_t bytes, const void **shown,
                       perp_message *why)
{
  perp_device *d = r->options->device;
  *shown = array;
  if (!array || bytes == 0 || d->table->shows(d, array))
    return PERP_OK;
  void *copy = perp_arena_alloc(&r->shop->arena, bytes, 1);
  *shown = copy;
  if (!copy)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a copy of %zu bytes", bytes);
  return perp_device_download(d, copy, array, bytes, why);
}

/* Lists the arrays of the batch, with their pointers in *batch and *worlds. */
static void list_arrays(const perp_batch_run *r, perp_batch *batch, perp_contact_bodies *worlds,
                        perp_named_array arrays[PERP_BATCH_ARRAYS])
{
  const int count = batch->count;
  perp_batch_arrays(batch, worlds, r->rows[count], r->matrix[batch->same_A ? 1 : count],
                    r->bodies ? r->bodies[count] : 0, arrays);
}

/* Makes all data readable for the judge. */
static perp_error show_all(perp_batch_run *r, perp_batch *shown, perp_message *why)
{
  const void *x = r->x;
  perp_named_array arrays[PERP_BATCH_ARRAYS];
  *shown = *r->batch;
  list_arrays(r, shown, &r->worlds, arrays);
  perp_error error = show(r, x, (size_t)r->rows[shown->count] * sizeof *r->x, &x, why);
  for (int k = 0; k < PERP_BATCH_ARRAYS && !error; k++)
    error = show(r, arrays[k].array, arrays[k].count * arrays[k].each, arrays[k].at, why);
  r->x = (double *)x; /* the caller's, or a copy owned by this run */
  r->batch = shown;
  return error;
}

/* ---- All of it ---- */

/* Orders the worlds by descending number of sweeps in the last batch of this size, because a batch
 * lasts as long as its slowest world. Equal counts keep their order. Worlds that are solved in
 * pieces keep their order too, since the last pieces may be left out. */
enum { MANY = 1000 }; /* larger counts are treated as this one */

/* 0: first, ..., MANY: last */
static int turn_of(const perp_batch_run *r, int k)
{
  const int sweeps = r->shop->sweeps[k];
  return is_watched(r) ? 0 : sweeps < MANY ? MANY - sweeps : 0;
}

static perp_error order_worlds(const perp_batch_run *r, const int **order, perp_message *why)
{
  perp_workshop *shop = r->shop;
  const int count = r->batch->count;
  int *list, start[MANY + 2] = {0};
  if (shop->worlds != count) {
    perp_free(shop->sweeps);
    shop->sweeps = perp_alloc_zero((size_t)count, sizeof *shop->sweeps);
    shop->worlds = shop->sweeps ? count : 0;
  }
  if (!shop->sweeps || !PERP_TAKE(&shop->arena, PERP_ARRAY(list, count)))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d worlds", count);
  for (int k = 0; k < count; k++)
    start[turn_of(r, k) + 1]++;
  for (int t = 0; t <= MANY; t++)
    start[t + 1] += start[t];
  for (int k = 0; k < count; k++)
    list[start[turn_of(r, k)]++] = k;
  *order = list;
  return PERP_OK;
}

static perp_world_job world_job(const perp_solver *solver, const perp_batch *batch,
                                const perp_contact_bodies *w, const perp_options *o, double *x,
                                double *y, perp_job_end *end)
{
  const int64_t most =
      o->max_iterations > 0 ? o->max_iterations : perp_solver_method(solver).max_iterations;
  return (perp_world_job){.batch = *batch,
                          .worlds = *w,
                          .x = x,
                          .y = y,
                          .end = end,
                          .tol = o->tol,
                          .most = most < PERP_WORLD_SWEEPS ? (int)most : PERP_WORLD_SWEEPS};
}

/* Sets the sizes of worlds that differ. A world too large for the kernels is refused and does not
 * count for the memory of a team. */
static void set_sizes(const perp_batch_run *r, perp_world_job *job)
{
  int n = 0, m = 0;
  for (int k = 0; k < r->batch->count; k++) {
    const int rows = perp_batch_rows(r, k), bodies = (int)(r->bodies[k + 1] - r->bodies[k]);
    if (perp_world_fits(rows, bodies)) {
      n = rows > n ? rows : n;
      m = bodies > m ? bodies : m;
    }
  }
  if (r->batch->rows)
    job->batch.n = n;
  if (r->batch->bodies)
    job->worlds.bodies = m;
}

static perp_job dense_job(const perp_batch *batch, int n, const perp_options *o, double *x,
                          double *y, perp_job_end *end)
{
  const int64_t most = o->max_iterations;
  return (perp_job){.count = batch->count,
                    .n = n,
                    .A = batch->A,
                    .b = batch->b,
                    .lo = batch->lo,
                    .hi = batch->hi,
                    .same_A = batch->same_A,
                    .same_K = batch->same_K,
                    .x = x,
                    .y = y,
                    .end = end,
                    .tol = o->tol,
                    .most = most > 0 && most < PERP_JOB_STEPS ? (int)most : PERP_JOB_STEPS};
}

/* The data of a batch where a device reads it. */
typedef struct placed {
  perp_batch batch;
  perp_contact_bodies worlds;
  const int64_t *rows, *matrix, *bodies; /* NULL: the same for all problems */
  const int *order;
  double *x, *y;
  perp_job_end *end;
} placed;

enum {
  ROOM_ROWS = PERP_BATCH_ARRAYS,
  ROOM_MATRIX,
  ROOM_BODIES,
  ROOM_ORDER,
  ROOM_X,
  ROOM_Y,
  ROOM_END,
  ROOMS
};
static const perp_rooms rooms = {.count = ROOMS};

/* Replaces the arrays that the device cannot read by copies; y is not copied. */
static perp_error place(const perp_batch_run *r, placed *p, perp_message *why)
{
  perp_device *d = r->options->device;
  const size_t count = (size_t)r->batch->count, offsets = (count + 1) * sizeof *p->rows;
  const size_t vector = (size_t)r->rows[count] * sizeof *p->x;
  perp_named_array arrays[PERP_BATCH_ARRAYS];
  list_arrays(r, &p->batch, &p->worlds, arrays);
  const perp_placing others[] = {
      {ROOM_ROWS, p->rows, offsets, (const void **)&p->rows},
      {ROOM_MATRIX, p->matrix, offsets, (const void **)&p->matrix},
      {ROOM_BODIES, p->bodies, offsets, (const void **)&p->bodies},
      {ROOM_ORDER, p->order, count * sizeof *p->order, (const void **)&p->order},
      {ROOM_X, p->x, vector, (const void **)&p->x},
      {ROOM_END, p->end, count * sizeof *p->end, (const void **)&p->end},
  };
  perp_error error = perp_device_place(d, &rooms, sizeof others / sizeof *others, others, why);
  for (int k = 0; k < PERP_BATCH_ARRAYS && !error; k++) {
    const perp_named_array *a = &arrays[k];
    const perp_placing one = {k, a->array, a->count * a->each, a->at};
    error = perp_device_place(d, &rooms, 1, &one, why);
  }
  return error ? error
               : perp_device_place_result(d, &rooms, ROOM_Y, p->y, vector, false, (void **)&p->y,
                                          why);
}

/* Solves the problems, and copies x, y and the ends back. *done: how many there was time for. */
static perp_error solve_there(const perp_batch_run *r, int n, double *y, perp_job_end *end,
                              int *done, perp_message *why)
{
  const perp_batch *batch = r->batch;
  const perp_options *o = r->options;
  placed p = {.batch = *batch, .worlds = r->worlds, .x = r->x, .y = y, .end = end};
  const size_t vector = (size_t)r->rows[batch->count] * sizeof *y;
  if (batch->rows) {
    p.rows = r->rows;
    p.matrix = r->bodies ? NULL : r->matrix;
  }
  if (batch->bodies)
    p.bodies = r->bodies;
  perp_error error = r->bodies ? order_worlds(r, &p.order, why) : PERP_OK;
  if (!error)
    error = place(r, &p, why);
  if (!error && r->bodies) {
    perp_world_job job = world_job(r->model, &p.batch, &p.worlds, o, p.x, p.y, p.end);
    set_sizes(r, &job);
    job.rows = p.rows;
    job.bodies = p.bodies;
    job.order = p.order;
    error = solve_pieces(r, NULL, &job, done, why);
  } else if (!error) {
    perp_job job = dense_job(&p.batch, n, o, p.x, p.y, p.end);
    job.rows = p.rows;
    job.matrix = p.matrix;
    error = solve_pieces(r, &job, NULL, done, why);
  }
  if (!error)
    error = perp_device_fetch(o->device, r->x, p.x, vector, why);
  if (!error)
    error = perp_device_fetch(o->device, y, p.y, vector, why);
  if (!error)
    error = perp_device_fetch(o->device, end, p.end, (size_t)batch->count * sizeof *end, why);
  for (int k = 0; k < *done && !error && r->bodies; k++)
    r->shop->sweeps[k] = end[k].iterations;
  return error;
}

static void forget_ends(perp_job_end *end, int from, int to)
{
  for (int k = from; k < to; k++)
    end[k] = (perp_job_end){.residual = INFINITY, .scale = 1, .state = PERP_JOB_NOT_RUN};
}

perp_error perp_batch_on_device(perp_batch_run *r, perp_message *why)
{
  const perp_batch *batch = r->batch;
  const perp_contact_bodies worlds = r->worlds;
  const perp_options *o = r->options;
  perp_error error = refuse(r, why);
  if (error || batch->count == 0)
    return error;
  const int count = batch->count;
  int n = 0, bodies = 0; /* of the largest problem */
  for (int k = 0; k < count; k++) {
    const int more = r->bodies ? (int)(r->bodies[k + 1] - r->bodies[k]) : 0;
    n = perp_batch_rows(r, k) > n ? perp_batch_rows(r, k) : n;
    bodies = more > bodies ? more : bodies;
  }
  device_run d = {.batch = r,
                  .method = perp_solver_method(r->model).name,
                  .judge = o->device->judge == PERP_JUDGE_HOST,
                  .scratch = (size_t)bodies * (size_t)worlds.freedom,
                  .y = o->y};
  d.room_each = 4 * (size_t)n + 8 + 5 * d.scratch; /* y, and the room of perp_judge */
  perp_job_end *end = NULL;
  if (!PERP_TAKE(&r->shop->arena, PERP_ARRAY(end, count),
                 PERP_ARRAY(d.room, d.room_each * (size_t)r->workers)))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d problems", count);
  d.end = end;
  forget_ends(end, 0, count); /* entries that no kernel writes must not look like verdicts */
  int done = 0;
  double *y = d.judge ? NULL : o->y;
  error = solve_there(r, n, y, end, &done, why);
  if (error)
    return error;
  forget_ends(end, done, count);
  perp_batch shown;
  if (d.judge)
    error = show_all(r, &shown, why);
  if (!error && o->ray)
    memset(o->ray, 0, (size_t)r->rows[count] * sizeof *o->ray);
  if (!error)
    perp_parallel_for(r->workers, r->workers, 1, judge_stretch, &d);
  r->batch = batch;
  r->worlds = worlds;
  return error;
}

/* ---- Batches that stay there ---- */

void perp_batch_verdict_message(const perp_batch_verdict *verdict, const char *method, int worlds,
                                int n, perp_message *text)
{
  const double relative = verdict->residual / verdict->scale;
  if (!verdict->error && verdict->outcome == PERP_SOLVED)
    perp_fail(text, PERP_OK, "solved, relative residual %.2e", relative);
  else
    say(verdict, method, worlds != 0, n, (perp_outcome)verdict->outcome, relative, text);
}

/* Names what a queued batch cannot have; NULL if there is nothing. */
static const char *cannot_queue(const perp_batch *batch, const perp_options *o)
{
  return batch->problems                       ? "separate operators"
         : batch->rows || batch->bodies        ? "problems of different sizes"
         : batch->findex && !batch->worlds     ? "a friction index without contact worlds"
         : batch->mu && !batch->worlds         ? "cones without contact worlds"
         : o->time_limit > 0 || o->interrupted ? "a time limit or a stop by the caller"
         : o->ray || o->x_low                  ? "a ray or x_low"
                                               : NULL;
}

perp_error perp_batch_queue(const perp_solver *solver, const perp_batch *batch,
                            const perp_options *options, double *x, perp_batch_verdict *verdicts,
                            perp_message *why)
{
  perp_batch own = {0};
  perp_options o = perp_options_default();
  perp_contact_bodies worlds = perp_contact_bodies_default();
  if (!solver || !batch || !options)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "solver, batch or options is NULL");
  perp_error error = perp_sized_read("perp_batch", batch, &own, sizeof own, why);
  if (!error && !(error = perp_sized_read("perp_options", options, &o, sizeof o, why)))
    error = perp_options_check(&o, why);
  if (!error && !o.device)
    error = perp_fail(why, PERP_ERROR_ARGUMENT,
                      "options.device is NULL: a batch is queued on a device");
  if (!error && cannot_queue(&own, &o))
    error = perp_fail(why, PERP_ERROR_UNSUPPORTED, "a queued batch does not take %s",
                      cannot_queue(&own, &o));
  if (error || (error = perp_device_batch_check(o.device, &own, &worlds, why)) || own.count == 0)
    return error;
  const size_t count = (size_t)own.count, rows = count * (size_t)own.n;
  const perp_named_array results[] = {{"x", x, rows, sizeof *x, NULL},
                                      {"options.y", o.y, rows, sizeof *o.y, NULL},
                                      {"verdicts", verdicts, count, sizeof *verdicts, NULL},
                                      {"order", own.order, count, sizeof *own.order, NULL}};
  if (!x || !verdicts)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "x or verdicts is NULL");
  error = perp_device_readable(o.device, 4, results, why);
  if (error)
    return error;
  o.device->queued = true;
  if (own.worlds) {
    perp_world_job job = world_job(solver, &own, &worlds, &o, x, o.y, verdicts);
    job.sort = own.order;
    error = perp_solver_worlds_device(solver, o.device, &job, 0, own.count, o.threads, why);
  } else {
    perp_job job = dense_job(&own, own.n, &o, x, o.y, verdicts);
    error = perp_solver_batch_device(solver, o.device, &job, 0, own.count, o.threads, why);
  }
  o.device->queued = false;
  return error;
}
