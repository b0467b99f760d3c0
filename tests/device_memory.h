/* device_memory.h: a call on the device "host" with the k-th allocation failing, for every k
 *
 * Those of the device are among them. Whatever fails, nothing is lost; after a whole call, and a second
 * one that may keep something for the next, nothing is allocated any more. */
#pragma once

#include "count_alloc.h"
#include "test.h"

#include <perp/perp.h>

typedef struct device_call {
  const char *method;
  bool strict;                                               /* no allocation may be done without */
  perp_error (*prepare)(perp_device *device, void *context); /* or NULL */
  perp_error (*solve)(perp_solver *solver, perp_device *device, void *context);
  void *context;
} device_call;

static perp_error call_device(const device_call *call, perp_device **device, perp_solver **solver)
{
  perp_error error = perp_device_create("host", device, NULL); /* a driver allocates on its own */
  if (!error && call->prepare)
    error = call->prepare(*device, call->context);
  if (!error)
    error = perp_solver_create(call->method, solver, NULL);
  return error ? error : call->solve(*solver, *device, call->context);
}

static void check_device_memory(const device_call *call)
{
  const int64_t live = live_blocks;
  bool ended = false;
  for (int64_t k = 0; !ended; k++) {
    perp_device *device = NULL;
    perp_solver *solver = NULL;
    allocations = 0;
    fail_at = k;
    const perp_error error = call_device(call, &device, &solver);
    fail_at = -1;
    ended = allocations <= k;
    CHECK_SAY(error == PERP_ERROR_MEMORY || (error == PERP_OK && (ended || !call->strict)),
              "allocation %d: %s", (int)k, perp_error_name(error));
    for (int turn = 0; ended && turn < 2; turn++) {
      CHECK(error == PERP_OK);
      allocations = 0;
      CHECK(call->solve(solver, device, call->context) == PERP_OK);
      CHECK_SAY(turn == 0 || allocations == 0, "%d allocations", (int)allocations);
    }
    perp_solver_destroy(solver);
    perp_device_destroy(device);
    CHECK(live_blocks == live);
  }
}
