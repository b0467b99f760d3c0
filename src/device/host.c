/* host.c: the device "host": the kernels of a GPU, compiled for the processor
 *
 * Its memory is the processor's, so nothing is copied. Problems are spread over threads, each of
 * which is a team of one lane with memory of its own. */
#include "base/clock.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/threads.h"
#include "device/contact_host.h"
#include "device/grid_host.h"
#include "device/pivot_host.h"
#include "device/world_host.h"

#include <stdio.h>
#include <string.h>

static perp_error host_open(int index, perp_device **device, perp_message *why)
{
  if (index != 0)
    return perp_fail(why, PERP_ERROR_BACKEND, "there is one device host:0, not host:%d", index);
  perp_device *d = perp_alloc_zero(1, sizeof *d);
  if (!d)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a device");
  d->table = &perp_device_host;
  d->processors = 1;
  snprintf(d->name, sizeof d->name, "host");
  snprintf(d->title, sizeof d->title, "the processor, with the kernels of a GPU");
  *device = d;
  return PERP_OK;
}

static void host_close(perp_device *device)
{
  perp_free(device);
}

static void *host_allocate(perp_device *device, size_t bytes)
{
  (void)device;
  return perp_alloc(bytes, 1);
}

static void host_release(perp_device *device, void *block)
{
  (void)device;
  perp_free(block);
}

static bool host_reads(perp_device *device, const void *memory)
{
  (void)device;
  return memory != NULL;
}

static perp_error host_copy(perp_device *device, void *to, const void *from, size_t bytes,
                            perp_message *why)
{
  (void)device;
  (void)why;
  if (bytes > 0)
    memcpy(to, from, bytes);
  return PERP_OK;
}

/* Problems first .. first + count - 1, a stretch of them for each team. */
typedef struct spread {
  const void *job;
  void (*one)(const void *job, int k, double *memory);
  int first, count, teams;
  char *memory;
  size_t bytes; /* of each team */
} spread;

static void solve_stretch(void *context, int64_t begin, int64_t end)
{
  const spread *s = context;
  for (int64_t team = begin; team < end; team++) {
    const int from = s->first + (int)(s->count * team / s->teams);
    const int to = s->first + (int)(s->count * (team + 1) / s->teams);
    double *memory = (double *)(void *)(s->memory + (size_t)team * s->bytes);
    for (int k = from; k < to; k++)
      s->one(s->job, k, memory);
  }
}

static perp_error solve_spread(perp_device *d, spread *s, int threads, perp_message *why)
{
  const double began = perp_clock_seconds();
  s->teams = threads < s->count ? threads : s->count;
  s->bytes = (s->bytes + 63) / 64 * 64;
  s->memory = perp_device_room(d, PERP_ROOM_WORK, (size_t)s->teams * s->bytes);
  if (!s->memory)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d teams of %zu bytes", s->teams,
                     s->bytes);
  perp_parallel_for(s->teams, s->teams, 1, solve_stretch, s);
  d->kernel_seconds += perp_clock_seconds() - began;
  return PERP_OK;
}

static void pivot_one(const void *job, int k, double *memory)
{
  perp_pivot_host(job, k, memory);
}

static perp_error host_pivot(perp_device *d, const perp_job *job, int first, int count, int threads,
                             perp_message *why)
{
  const int n = job->n < PERP_JOB_ROWS ? job->n : PERP_JOB_ROWS;
  spread s = {.job = job, .one = pivot_one, .first = first, .count = count};
  s.bytes = perp_pivot_host_bytes(n);
  return solve_spread(d, &s, threads, why);
}

static void world_one(const void *job, int k, double *memory)
{
  perp_world_host(job, k, memory);
}

static perp_error host_worlds(perp_device *d, const perp_world_job *job, int first, int count,
                              int threads, perp_message *why)
{
  spread s = {.job = job, .one = world_one, .first = first, .count = count};
  s.bytes = perp_world_bytes(job);
  return solve_spread(d, &s, threads, why);
}

static perp_error host_grid(perp_device *d, perp_grid_op op, const perp_grid_task *task,
                            perp_message *why)
{
  (void)why;
  const double began = perp_clock_seconds();
  perp_grid_host(op, task);
  d->kernel_seconds += perp_clock_seconds() - began;
  return PERP_OK;
}

static perp_error host_contacts(perp_device *d, const perp_contacts *c, perp_message *why)
{
  (void)why;
  const double began = perp_clock_seconds();
  perp_contacts_host(c);
  d->kernel_seconds += perp_clock_seconds() - began;
  return PERP_OK;
}

static perp_error host_rigids(perp_device *d, perp_rigids_op op, const perp_rigids *s,
                              perp_message *why)
{
  (void)why;
  const double began = perp_clock_seconds();
  perp_rigids_host(op, s);
  d->kernel_seconds += perp_clock_seconds() - began;
  return PERP_OK;
}

const perp_device_table perp_device_host = {
    .kind = "host",
    .open = host_open,
    .close = host_close,
    .allocate = host_allocate,
    .release = host_release,
    .reads = host_reads,
    .shows = host_reads,
    .copy_in = host_copy,
    .copy_out = host_copy,
    .pivot = host_pivot,
    .worlds = host_worlds,
    .grid = host_grid,
    .contacts = host_contacts,
    .rigids = host_rigids,
};
