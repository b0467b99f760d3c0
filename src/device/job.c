/* job.c: the arrays of a batch, and checks of those that stay on a device */
#include "device/job.h"

#include "base/message.h"
#include "base/sized.h"

void perp_batch_arrays(perp_batch *batch, perp_contact_bodies *w, int64_t all, int64_t entries,
                       int64_t bodies, perp_named_array arrays[PERP_BATCH_ARRAYS])
{
  const bool dense = !batch->worlds;
  const size_t real = sizeof(double), rows = (size_t)all, freedom = (size_t)w->freedom;
  const size_t set = batch->same_K ? rows / (size_t)batch->count : rows;
  const size_t sides = dense ? 0 : 2 * rows / (size_t)w->together;
  const struct {
    const char *name;
    const void **at;
    size_t count, each;
  } list[PERP_BATCH_ARRAYS] = {
      {"A", (const void **)&batch->A, dense ? (size_t)entries : 0, real},
      {"b", (const void **)&batch->b, rows, real},
      {"body", (const void **)&w->body, sides, sizeof *w->body},
      {"J", (const void **)&w->J, 2 * freedom * rows, real},
      {"Minv", (const void **)&w->Minv, freedom * freedom * (size_t)bodies, real},
      {"lo", (const void **)&batch->lo, set, real},
      {"hi", (const void **)&batch->hi, set, real},
      {"mu", (const void **)&batch->mu, set / 3, real},
      {"findex", (const void **)&batch->findex, set, sizeof *batch->findex},
      {"C_diagonal", (const void **)&w->C_diagonal, rows, real},
  };
  for (int k = 0; k < PERP_BATCH_ARRAYS; k++)
    arrays[k] =
        (perp_named_array){list[k].name, *list[k].at, list[k].count, list[k].each, list[k].at};
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
  const int64_t n = batch->n, rows = batch->count * n;
  perp_batch own = *batch;
  perp_named_array arrays[PERP_BATCH_ARRAYS];
  perp_batch_arrays(&own, c, rows, batch->same_A ? n * n : rows * n,
                    (int64_t)batch->count * c->bodies, arrays);
  for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
    if (needed[k] && !arrays[k].array)
      return perp_fail(why, PERP_ERROR_ARGUMENT, "%s is NULL", arrays[k].name);
  return perp_device_readable(d, PERP_BATCH_ARRAYS, arrays, why);
}
