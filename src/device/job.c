/* job.c: copies the arrays of a job to a device and back */
#include "device/job.h"

#include "base/message.h"
#include "base/sized.h"

enum { ROOM_A, ROOM_B, ROOM_LO, ROOM_HI, ROOM_ROWS, ROOM_MATRIX, ROOM_X, ROOM_Y, ROOM_END, ROOMS };
static const perp_rooms rooms = {.count = ROOMS};

/* Returns the number of rows of all problems. Reads offsets on the host, before they are copied. */
static int64_t all_rows(const perp_job *job)
{
  return job->rows ? job->rows[job->count] : (int64_t)job->count * job->n;
}

static int64_t matrix_entries(const perp_job *job)
{
  return (job->lead > job->n ? job->lead : job->n) * (int64_t)job->n;
}

static int64_t all_entries(const perp_job *job)
{
  return job->same_A   ? matrix_entries(job)
         : job->matrix ? job->matrix[job->count]
                       : job->count * matrix_entries(job);
}

perp_error perp_job_place(perp_device *d, const perp_job *job, perp_job *there, perp_message *why)
{
  const size_t real = sizeof(double), vectors = (size_t)all_rows(job) * real;
  const size_t matrices = (size_t)all_entries(job) * real;
  const size_t bounds = job->same_K ? (size_t)job->n * real : vectors;
  const size_t offsets = ((size_t)job->count + 1) * sizeof *job->rows;
  *there = *job;
  const perp_placing inputs[] = {
      {ROOM_A, job->A, matrices, (const void **)&there->A},
      {ROOM_B, job->b, vectors, (const void **)&there->b},
      {ROOM_LO, job->lo, bounds, (const void **)&there->lo},
      {ROOM_HI, job->hi, bounds, (const void **)&there->hi},
      {ROOM_ROWS, job->rows, offsets, (const void **)&there->rows},
      {ROOM_MATRIX, job->matrix, offsets, (const void **)&there->matrix},
  };
  perp_error error = perp_device_place(d, &rooms, sizeof inputs / sizeof *inputs, inputs, why);
  if (!error)
    error =
        perp_device_place_result(d, &rooms, ROOM_X, job->x, vectors, true, (void **)&there->x, why);
  if (!error)
    error = perp_device_place_result(d, &rooms, ROOM_Y, job->y, vectors, false, (void **)&there->y,
                                     why);
  if (!error)
    error = perp_device_place_result(d, &rooms, ROOM_END, job->end,
                                     (size_t)job->count * sizeof *job->end, true,
                                     (void **)&there->end, why);
  return error;
}

perp_error perp_job_fetch(perp_device *d, const perp_job *job, const perp_job *there,
                          perp_message *why)
{
  const size_t vectors = (size_t)all_rows(job) * sizeof(double);
  perp_error error = perp_device_fetch(d, job->x, there->x, vectors, why);
  if (!error)
    error = perp_device_fetch(d, job->y, there->y, vectors, why);
  if (!error)
    error = perp_device_fetch(d, job->end, there->end, (size_t)job->count * sizeof *job->end, why);
  return error;
}

perp_error perp_device_readable(perp_device *d, int count, const perp_named_array *arrays,
                                perp_message *why)
{
  for (int k = 0; k < count; k++) {
    const perp_named_array *a = &arrays[k];
    const size_t bytes = a->count * a->each,
                 unit = a->each < sizeof(double) ? a->each : sizeof(double);
    if (!a->array || bytes == 0)
      continue;
    if (!d->table->reads(d, a->array))
      return perp_fail(
          why, PERP_ERROR_ARGUMENT,
          "%s is not in the memory of %s; a queued batch copies nothing, so upload it first",
          a->name, d->name);
    if ((uintptr_t)a->array % unit != 0)
      return perp_fail(why, PERP_ERROR_ARGUMENT,
                       "%s begins at %p, which is not a multiple of %zu, the size of its numbers",
                       a->name, a->array, unit);
    if (!d->table->reads(d, (const char *)a->array + bytes - 1))
      return perp_fail(
          why, PERP_ERROR_ARGUMENT,
          "%s has %zu bytes in a batch of this size, but ends outside of the memory of %s", a->name,
          bytes, d->name);
  }
  return PERP_OK;
}

static perp_error check_contacts(const perp_batch *batch, perp_contact_bodies *c, perp_message *why)
{
  const perp_error error = perp_sized_read("perp_contact_bodies", batch->worlds, c, sizeof *c, why);
  if (error)
    return error;
  if (batch->same_A)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "same_A is not available for contact operators");
  if ((c->freedom != 3 && c->freedom != 6) || c->together < 1 || c->bodies < 0 ||
      batch->n % c->together != 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "worlds: freedom = %d must be 3 or 6, n = %d a multiple of together = %d, and "
                     "bodies = %d not negative",
                     c->freedom, batch->n, c->together, c->bodies);
  if (batch->mu && batch->n % 3 != 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "n = %d is not a multiple of 3, but all rows are cones", batch->n);
  return PERP_OK;
}

perp_error perp_device_batch_check(perp_device *d, const perp_batch *batch, perp_contact_bodies *c,
                                   perp_message *why)
{
  if (batch->count < 0 || batch->n < 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "count = %d and n = %d: neither may be negative",
                     batch->count, batch->n);
  const perp_error error = batch->worlds ? check_contacts(batch, c, why) : PERP_OK;
  if (error || batch->count == 0 || batch->n == 0)
    return error;
  const bool dense = !batch->worlds;
  const bool needed[] = {dense, true, !dense, !dense, c->bodies > 0};
  const size_t real = sizeof(double), n = (size_t)batch->n, rows = (size_t)batch->count * n;
  const size_t set = batch->same_K ? n : rows, freedom = (size_t)c->freedom;
  const size_t masses = (size_t)batch->count * (size_t)c->bodies * freedom * freedom;
  const size_t sides = dense ? 0 : 2 * rows / (size_t)c->together;
  const perp_named_array arrays[] = {
      {"A", dense ? batch->A : NULL, batch->same_A ? n * n : rows * n, real},
      {"b", batch->b, rows, real},
      {"body", c->body, sides, sizeof *c->body},
      {"J", c->J, 2 * freedom * rows, real},
      {"Minv", c->Minv, masses, real},
      {"lo", batch->lo, set, real},
      {"hi", batch->hi, set, real},
      {"mu", batch->mu, set / 3, real},
      {"findex", batch->findex, set, sizeof *batch->findex},
      {"C_diagonal", c->C_diagonal, rows, real}};
  for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
    if (needed[k] && !arrays[k].array)
      return perp_fail(why, PERP_ERROR_ARGUMENT, "%s is NULL", arrays[k].name);
  return perp_device_readable(d, sizeof arrays / sizeof *arrays, arrays, why);
}
