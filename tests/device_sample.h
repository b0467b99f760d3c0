/* device_sample.h: a problem with two vectors of its size, and a solve of it by mg that counts memory */
#pragma once

#include "device_memory.h"

#include <perp/lab.h>

#include <stdlib.h>
#include <string.h>

typedef struct sample {
  perp_instance instance;
  perp_problem p;
  size_t n, bytes;
  double *here, *there;
} sample;

static sample sample_make(const char *text)
{
  sample s = {.n = 0};
  perp_message why = {""};
  CHECK_SAY(perp_generate(text, &s.instance, &why) == PERP_OK, "%s: %s", text, why.text);
  s.p = perp_instance_problem(&s.instance);
  s.n = (size_t)s.p.K.n;
  s.bytes = s.n * sizeof *s.here;
  s.here = calloc(s.n, sizeof *s.here);
  s.there = calloc(s.n, sizeof *s.there);
  return s;
}

static void sample_free(sample *s)
{
  perp_instance_destroy(&s->instance);
  free(s->here);
  free(s->there);
}

static perp_error sample_solve(perp_solver *solver, perp_device *device, void *context)
{
  const sample *s = context;
  perp_options o = perp_options_default();
  perp_result r = perp_result_empty();
  o.device = device;
  memset(s->there, 0, s->bytes);
  const perp_error error = perp_solver_solve(solver, &s->p, &o, s->there, &r);
  CHECK(error || (r.outcome == PERP_SOLVED && perp_device_facts(device).taken > 0));
  return error;
}

/* With each allocation failing; prepare: see device_call. */
static void sample_memory(perp_error (*prepare)(perp_device *device, void *context))
{
  sample s = sample_make("obstacle:points=18");
  check_device_memory(&(device_call){"mg", false, prepare, sample_solve, &s});
  sample_free(&s);
}
