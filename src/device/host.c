/* host.c: the device "host": GPU kernels compiled for the CPU
 *
 * Its memory is the CPU's, so it copies nothing. Problems are distributed over threads; each thread
 * is a team of one lane with separate memory. */
#include "base/clock.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/threads.h"
#include "device/device.h"

#include <stdio.h>
#include <string.h>

static perp_error host_open(int index, perp_device **device, perp_message *why)
{
  if (index != 0)
    return perp_fail(why, PERP_ERROR_BACKEND, "there is no host:%d; the only host device is host:0",
                     index);
  perp_device *d = perp_alloc_zero(1, sizeof *d);
  if (!d)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for a device");
  d->table = &perp_device_host;
  d->processors = 1;
  snprintf(d->name, sizeof d->name, "host");
  snprintf(d->title, sizeof d->title, "the CPU, running the GPU kernels");
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

/* ---- Kernels ---- */

static const perp_rooms rooms = {.count = 1}; /* the memory of all teams */

/* The problems of a batch, one range per team. */
typedef struct spread {
  const perp_kernel *kernel;
  const perp_launch *launch;
  int teams;
  char *memory;
  size_t bytes; /* of each team */
} spread;

static void solve_stretch(void *context, int64_t begin, int64_t end)
{
  const spread *s = context;
  const perp_launch *l = s->launch;
  for (int64_t team = begin; team < end; team++) {
    const int from = l->first + (int)(l->count * team / s->teams);
    const int to = l->first + (int)(l->count * (team + 1) / s->teams);
    double *memory = (double *)(void *)(s->memory + (size_t)team * s->bytes);
    for (int k = from; k < to; k++)
      s->kernel->problem(l->task, k, memory);
  }
}

static perp_error solve_batch(perp_device *d, const perp_kernel *kernel, const perp_launch *launch,
                              perp_message *why)
{
  spread s = {kernel, launch, 0, NULL, 0};
  s.teams = launch->threads < launch->count ? launch->threads : launch->count;
  s.bytes = (kernel->problem_bytes(launch->task) + 63) / 64 * 64;
  s.memory = perp_device_room(d, &rooms, 0, (size_t)s.teams * s.bytes);
  if (!s.memory)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d teams of %zu bytes", s.teams,
                     s.bytes);
  perp_parallel_for(s.teams, s.teams, 1, solve_stretch, &s);
  return PERP_OK;
}

static perp_error host_launch(perp_device *d, const perp_kernel *kernel, const perp_launch *launch,
                              perp_message *why)
{
  const double began = perp_clock_seconds();
  perp_error error = PERP_OK;
  if (kernel->problem)
    error = solve_batch(d, kernel, launch, why);
  else
    kernel->run(launch->op, launch->task);
  d->kernel_seconds += perp_clock_seconds() - began;
  return error;
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
    .launch = host_launch,
};
