/* batch.c: gradients of a batch on a device; the kernel is vjp_kernel.h */
#include "base/message.h"
#include "base/sized.h"
#include "device/job.h"
#include "method/splitting/world/world.h"
#include "model/derivative/vjp_kernel.h"

#include <perp/derivative.h>

void perp_batch_gradient_init(perp_batch_gradient *gradient, size_t size)
{
  const perp_batch_gradient empty = {.size = sizeof empty, .near = 1e-9};
  perp_sized_write(&empty, sizeof empty, gradient, size);
}

/* ---- The kernel on the CPU ---- */

static size_t team_bytes(const void *task)
{
  const perp_vjp_job *job = task;
  return perp_vjp_bytes(job) + perp_vjp_matrix(job->batch.n) * sizeof(double);
}

static void differentiate(const void *task, int k, double *memory)
{
  const perp_vjp_job *job = task;
  const int n = job->batch.n;
  perp_vjp_one(perp_team_alone, job, k, n, 0, memory + perp_vjp_matrix(n), memory);
}

const perp_kernel perp_kernel_vjp = {
    .title = "gradients", .problem = differentiate, .problem_bytes = team_bytes};

/* ---- Calls ---- */

static perp_error check_size(const perp_batch *batch, const perp_contact_bodies *w,
                             perp_message *why)
{
  if (batch->worlds && !perp_world_fits(batch->n, w->bodies))
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "gradients on a device are available for worlds of at most %d rows and %d "
                     "bodies, these have %d and %d",
                     PERP_WORLD_ROWS, PERP_WORLD_BODIES, batch->n, w->bodies);
  if (!batch->worlds && batch->n > PERP_JOB_ROWS)
    return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                     "gradients on a device are available for dense problems of at most %d rows, "
                     "these have %d",
                     PERP_JOB_ROWS, batch->n);
  return PERP_OK;
}

static size_t workspace_bytes(const perp_device *device, const perp_batch *batch,
                              const perp_contact_bodies *w)
{
  const perp_vjp_job job = {.batch = *batch, .worlds = *w};
  if (!batch->worlds || !perp_vjp_is_large(&job) || device->table == &perp_device_host)
    return 0;
  const int64_t blocks = batch->count < device->processors ? batch->count : device->processors;
  return (size_t)blocks * perp_vjp_matrix(batch->n) * sizeof(double);
}

size_t perp_batch_vjp_bytes(const perp_device *device, const perp_batch *batch)
{
  perp_batch own = {0};
  perp_contact_bodies worlds = perp_contact_bodies_default();
  if (!device || !batch || perp_sized_read("perp_batch", batch, &own, sizeof own, NULL) ||
      !own.worlds ||
      perp_sized_read("perp_contact_bodies", own.worlds, &worlds, sizeof worlds, NULL) ||
      own.count <= 0 || own.n <= 0 || check_size(&own, &worlds, NULL))
    return 0;
  return workspace_bytes(device, &own, &worlds);
}

/* Returns the name of a requested array that this kind of batch does not have; NULL if none. */
static const char *foreign_array(const perp_batch *batch, const perp_batch_gradient *g)
{
  return batch->worlds && g->A                         ? "A"
         : !batch->worlds && (g->J || g->Minv || g->C) ? "J, Minv or C"
         : !batch->mu && g->mu                         ? "mu"
         : batch->mu && (g->lo || g->hi)               ? "lo or hi"
                                                       : NULL;
}

perp_error perp_batch_vjp(perp_device *device, const perp_batch *batch, const double *x,
                          const double *y, const perp_batch_verdict *verdicts, const double *w,
                          const perp_batch_gradient *gradient, perp_message *why)
{
  perp_batch own = {0};
  perp_batch_gradient g = perp_batch_gradient_default();
  perp_contact_bodies worlds = perp_contact_bodies_default();
  if (!device || !batch || !gradient)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "device, batch or gradient is NULL");
  perp_error error = perp_sized_read("perp_batch", batch, &own, sizeof own, why);
  if (!error)
    error = perp_sized_read("perp_batch_gradient", gradient, &g, sizeof g, why);
  if (!error && (own.problems || own.rows || own.bodies))
    error = perp_fail(why, PERP_ERROR_UNSUPPORTED,
                      "gradients of a batch on a device need problems of one size");
  if (!error && (!(g.near >= 0) || (unsigned)g.degenerate_side > PERP_DEGENERATE_RELEASE))
    error = perp_fail(why, PERP_ERROR_ARGUMENT,
                      "near = %g must be >= 0, and degenerate_side = %d "
                      "a value of its enum",
                      g.near, (int)g.degenerate_side);
  if (!error)
    error = perp_device_batch_check(device, &own, &worlds, why);
  if (!error)
    error = check_size(&own, &worlds, why);
  if (error || own.count == 0 || own.n == 0)
    return error;
  if (foreign_array(&own, &g))
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "gradient.%s must be NULL: this batch has no such array",
                     foreign_array(&own, &g));
  if (!x || !y || !verdicts || !w || !g.error)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "x, y, verdicts, w or gradient.error is NULL");
  if (!g.workspace && workspace_bytes(device, &own, &worlds) > 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "gradient.workspace is NULL: gradients of worlds of %d rows need %zu bytes "
                     "(perp_batch_vjp_bytes)",
                     own.n, workspace_bytes(device, &own, &worlds));
  const size_t real = sizeof(double), n = (size_t)own.n, count = (size_t)own.count,
               rows = count * n;
  const size_t freedom = (size_t)worlds.freedom, bodies = count * (size_t)worlds.bodies;
  const perp_named_array arrays[] = {
      {"x", x, rows, real, NULL},
      {"y", y, rows, real, NULL},
      {"verdicts", verdicts, count, sizeof *verdicts, NULL},
      {"w", w, rows, real, NULL},
      {"the gradient of b", g.b, rows, real, NULL},
      {"the gradient of lo", g.lo, rows, real, NULL},
      {"the gradient of hi", g.hi, rows, real, NULL},
      {"the gradient of mu", g.mu, rows / 3, real, NULL},
      {"the gradient of A", g.A, rows * n, real, NULL},
      {"the gradient of J", g.J, 2 * freedom * rows, real, NULL},
      {"the gradient of Minv", g.Minv, bodies * freedom * freedom, real, NULL},
      {"the gradient of C", g.C, rows, real, NULL},
      {"gradient.error", g.error, count, real, NULL},
      {"gradient.degenerate", g.degenerate, count, sizeof *g.degenerate, NULL},
      {"gradient.workspace", g.workspace, workspace_bytes(device, &own, &worlds) / real, real,
       NULL}};
  error = perp_device_readable(device, sizeof arrays / sizeof *arrays, arrays, why);
  if (error)
    return error;
  const perp_vjp_job job = {own, worlds, g, x, y, w, verdicts};
  device->queued = true;
  error = perp_device_launch_batch(device, &perp_kernel_vjp, &job, 0, own.count,
                                   g.threads > 0 ? (int)g.threads : 1, why);
  device->queued = false;
  return error;
}
