/* Devices that fail. Kernels that do not run: no problem is solved. The k-th allocation fails, for
 * every k, the caller's for queued batches and gradients too: PERP_ERROR_MEMORY, no leak, and the
 * same device then solves with the bits that it had before. On the device "host", and on a GPU if
 * there is one; PERP_TEST_DEVICE=cuda:0 in the environment requires one. */
#include "test.h"

#include "../bench/worlds.h"
#include "device/device.h"
#include "method/splitting/world/world.h"

#include <perp/derivative.h>
#include <perp/lab.h>
#include <perp/perp.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The table of the device with counted allocations; device_memory.h makes host allocations fail. */
static perp_device_table counting;
static const perp_device_table *counted;
static int64_t allocations, fail_at, live;

static void *allocate(perp_device *device, size_t bytes)
{
  void *block = allocations++ == fail_at ? NULL : counted->allocate(device, bytes);
  live += block != NULL;
  return block;
}

static void release(perp_device *device, void *block)
{
  live -= block != NULL;
  counted->release(device, block);
}

/* Makes "host" copy, as a GPU does. */
static bool reads_nothing(perp_device *device, const void *memory)
{
  (void)device;
  (void)memory;
  return false;
}

static perp_device *open_counted(const char *name)
{
  perp_device *device = NULL;
  perp_message why = {""};
  CHECK_SAY(perp_device_create(name, &device, &why) == PERP_OK, "%s", why.text);
  counted = device->table;
  counting = *counted;
  counting.allocate = allocate;
  counting.release = release;
  counting.reads = reads_nothing;
  device->table = &counting;
  fail_at = -1;
  return device;
}

typedef struct kind {
  const char *method, *text; /* text NULL: worlds */
  perp_judge_place judge;
  const char *queued; /* worlds of this kind that are queued, and their gradients; or NULL */
} kind;

typedef struct call {
  kind of;
  perp_instance instance;
  worlds all;
  size_t n;
} call;

/* Device memory of the caller, filled from `from` if that is not NULL. */
typedef struct caller_memory {
  perp_device *device;
  void *block[16];
  int used;
  perp_error error; /* the first; nothing is allocated after it */
  perp_message why;
} caller_memory;

static void *take(caller_memory *m, const void *from, size_t bytes)
{
  void *block = NULL;
  if (m->error || bytes == 0)
    return NULL;
  m->error = perp_device_alloc(m->device, bytes, &block, &m->why);
  if (m->error)
    return NULL;
  m->block[m->used++] = block;
  if (from)
    m->error = perp_device_upload(m->device, block, from, bytes, &m->why);
  return block;
}

/* Queues the worlds and the gradient with respect to b; x receives both. */
static perp_error queue_both(call *c, perp_device *device, double *x)
{
  const worlds *w = &c->all;
  const size_t rows = (size_t)w->all_rows, count = (size_t)w->count, real = sizeof(double);
  caller_memory m = {.device = device};
  perp_batch batch = worlds_batch(&c->all, w->count);
  perp_contact_bodies bodies = w->data;
  perp_options o = perp_options_default();
  perp_batch_gradient g = perp_batch_gradient_default();
  perp_solver *solver = NULL;
  counting.reads = counted->reads;
  memset(x, 0, c->n * sizeof *x);
  bodies.bodies = w->bodies[0];
  bodies.body = take(&m, w->body, 2 * rows / (size_t)bodies.together * sizeof *w->body);
  bodies.J = take(&m, w->J, 12 * rows * real);
  bodies.Minv = take(&m, w->Minv, 36 * (size_t)w->all_bodies * real);
  bodies.C_diagonal = take(&m, w->C, rows * real);
  batch.worlds = &bodies;
  batch.n = w->rows[0];
  batch.rows = batch.bodies = NULL;
  batch.b = take(&m, w->b, rows * real);
  batch.lo = take(&m, w->lo, rows * real);
  batch.hi = take(&m, w->hi, rows * real);
  batch.findex = take(&m, w->findex, rows * sizeof *w->findex);
  batch.order = take(&m, NULL, count * sizeof *batch.order);
  double *x_there = take(&m, x, rows * real), *y = take(&m, NULL, rows * real);
  perp_batch_verdict *verdicts = take(&m, NULL, count * sizeof *verdicts);
  g.b = take(&m, NULL, rows * real);
  g.error = take(&m, NULL, count * real);
  g.workspace = take(&m, NULL, perp_batch_vjp_bytes(device, &batch));
  o.device = device;
  o.y = y;
  o.tol = 1e-9;
  o.max_iterations = 5000;
  CHECK(perp_solver_create(c->of.method, &solver, NULL) == PERP_OK);
  perp_error error = m.error;
  if (error)
    CHECK_SAY(strstr(m.why.text, "out of memory"), "%s", m.why.text);
  if (!error)
    error = perp_batch_queue(solver, &batch, &o, x_there, verdicts, &m.why);
  if (!error)
    error = perp_batch_vjp(device, &batch, x_there, y, verdicts, y, &g, &m.why);
  CHECK(error == m.error || error == PERP_ERROR_MEMORY);
  if (!error) {
    CHECK(perp_device_wait(device, NULL) == PERP_OK);
    CHECK(perp_device_download(device, x, x_there, rows * real, NULL) == PERP_OK);
    CHECK(perp_device_download(device, x + rows, g.b, rows * real, NULL) == PERP_OK);
    perp_batch_verdict judged[8];
    CHECK(perp_device_download(device, judged, verdicts, count * sizeof *judged, NULL) == PERP_OK);
    for (size_t k = 0; k < count; k++) {
      perp_batch_verdict_message(&judged[k], c->of.method, true, batch.n, &m.why);
      CHECK_SAY(judged[k].outcome == PERP_SOLVED, "%s: %s", c->of.queued, m.why.text);
    }
    for (size_t i = 0; i < 2 * rows; i++)
      CHECK_SAY(isfinite(x[i]), "%s, number %d", c->of.queued, (int)i); /* NaN: not solved */
  }
  while (m.used > 0)
    perp_device_free(device, m.block[--m.used]);
  perp_solver_destroy(solver);
  return error;
}

static perp_error solve(call *c, perp_device *device, double *x)
{
  if (c->of.queued)
    return queue_both(c, device, x);
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  perp_options o = perp_options_default();
  perp_error error = PERP_OK;
  o.device = device;
  o.tol = 1e-6;
  o.max_iterations = 30;
  memset(x, 0, c->n * sizeof *x);
  perp_device_set_judge(device, c->of.judge);
  CHECK(perp_solver_create(c->of.method, &solver, NULL) == PERP_OK);
  if (c->of.text) {
    const perp_problem p = perp_instance_problem(&c->instance);
    error = perp_solver_solve(solver, &p, &o, x, &r);
  } else {
    const perp_batch batch = worlds_batch(&c->all, c->all.count);
    error = perp_batch_solve(solver, &batch, &o, x, NULL, &r);
  }
  if (error)
    CHECK_SAY(strstr(r.message.text, "memory"), "%s: %s", c->of.method, r.message.text);
  perp_solver_destroy(solver);
  return error;
}

/* Uses a new device for each k, so that it starts without memory. */
static void check_call(const char *name, call *c)
{
  double *first = malloc(c->n * sizeof *first), *x = malloc(c->n * sizeof *x);
  perp_device *device = open_counted(name);
  allocations = live = 0;
  CHECK(solve(c, device, first) == PERP_OK);
  const int64_t all = allocations;
  CHECK_SAY(all > 0, "%s", c->of.method);
  perp_device_destroy(device);
  CHECK(live == 0);
  for (int64_t k = 0; k < all; k++) {
    device = open_counted(name);
    allocations = 0;
    fail_at = k;
    const perp_error error = solve(c, device, x);
    CHECK_SAY(error == PERP_ERROR_MEMORY, "%s, allocation %d of %d: %s", c->of.method, (int)k,
              (int)all, perp_error_name(error));
    fail_at = -1;
    CHECK(solve(c, device, x) == PERP_OK);
    CHECK_SAY(memcmp(first, x, c->n * sizeof *x) == 0, "%s, after allocation %d", c->of.method,
              (int)k);
    perp_device_destroy(device);
    CHECK(live == 0);
  }
  free(first);
  free(x);
}

static void check_device(const char *name)
{
  static const kind kinds[] = {
      {"mg", "obstacle:points=34", PERP_JUDGE_HOST, NULL},
      {"mg", "obstacle:points=34", PERP_JUDGE_DEVICE, NULL},
      {"mg", "fluid:dimension=3,scene=tank,grid=12", PERP_JUDGE_HOST, NULL},
      {"coloured", "pile:n=6,form=findex,operator=contact", PERP_JUDGE_HOST, NULL},
      {"nncg", "pile:n=6,form=findex,operator=contact", PERP_JUDGE_HOST, NULL},
      {"nncg", "pile:n=6,form=cone,operator=contact", PERP_JUDGE_HOST, NULL},
      {"bgs", "pile:n=6,form=cone,operator=contact", PERP_JUDGE_HOST, NULL},
      {"blockpivot", "pd:n=20", PERP_JUDGE_HOST, NULL},
      {"coloured", NULL, PERP_JUDGE_HOST, NULL},
      {"coloured", NULL, PERP_JUDGE_DEVICE, NULL},
      {"coloured", NULL, PERP_JUDGE_HOST, "pile:n=4,cfm=1e-2"},
      {"coloured", NULL, PERP_JUDGE_HOST, "pile:n=29,layout=random,cfm=1e-2"}, /* 171 rows */
  };
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    call c = {.of = kinds[k]};
    perp_message why = {""};
    if (c.of.text) {
      CHECK_SAY(perp_generate(c.of.text, &c.instance, &why) == PERP_OK, "%s", why.text);
      c.n = (size_t)perp_instance_problem(&c.instance).K.n;
    } else {
      char text[120];
      snprintf(text, sizeof text, "%s,form=findex,operator=contact",
               c.of.queued ? c.of.queued : "pile:n=4");
      for (int w = 0; w < 3; w++)
        CHECK(worlds_generate(&c.all, text, &why) == PERP_OK);
      c.n = (c.of.queued ? 2 : 1) * (size_t)c.all.all_rows;
    }
    check_call(name, &c);
    if (c.of.text)
      perp_instance_destroy(&c.instance);
    else
      worlds_free(&c.all);
  }
}

static perp_error run_nothing(perp_device *device, const perp_kernel *kernel,
                              const perp_launch *launch, perp_message *why)
{
  (void)device, (void)kernel, (void)launch, (void)why;
  return PERP_OK;
}

/* The verdicts of an earlier call are still in device memory. */
static void kernels_that_do_not_run(void)
{
  const char *asked = getenv("PERP_TEST_DEVICE");
  double A[4 * 9] = {0}, b[4 * 3], x[2][64];
  worlds w = {0};
  perp_message why = {""};
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < 3; i++) {
      A[9 * k + 4 * i] = 1 + i;
      b[3 * k + i] = -1;
    }
    CHECK(worlds_generate(&w, "pile:n=2,form=findex,operator=contact", &why) == PERP_OK);
  }
  CHECK(w.all_rows <= 64);
  const perp_batch batch[2] = {perp_batch_dense(4, 3, A, b), worlds_batch(&w, 4)};
  perp_device *device = open_counted(asked ? asked : "host");
  perp_options o = perp_options_default();
  o.device = device;
  o.tol = 1e-6;
  perp_device_set_judge(device, PERP_JUDGE_DEVICE);
  for (int dead = 0; dead < 2; dead++) {
    for (int which = 0; which < 2; which++) {
      perp_solver *solver = NULL;
      perp_result r = perp_result_empty();
      perp_batch_end each[4];
      memset(x[which], 0, sizeof x[which]);
      CHECK(perp_solver_create(which == 0 ? "blockpivot" : "coloured", &solver, NULL) == PERP_OK);
      CHECK_SAY(perp_batch_solve(solver, &batch[which], &o, x[which], each, &r) == PERP_OK, "%s",
                r.message.text);
      for (int k = 0; k < 4; k++)
        CHECK_SAY((each[k].outcome == PERP_SOLVED) == !dead, "%d, %d: %s", which, dead,
                  perp_outcome_name(each[k].outcome));
      perp_solver_destroy(solver);
    }
    counting.launch = run_nothing;
  }
  perp_device_destroy(device);
  worlds_free(&w);
}

static void on_the_processor(void)
{
  check_device("host");
}

static void on_a_gpu(void)
{
  const char *asked = getenv("PERP_TEST_DEVICE"), *name = asked ? asked : "cuda:0";
  perp_device *device = NULL;
  perp_message why = {""};
  const perp_error error = perp_device_create(name, &device, &why);
  perp_device_destroy(device);
  if (error && !asked)
    test_skip("no GPU");
  check_device(name);
}

static const test_case TESTS[] = {TEST(kernels_that_do_not_run), TEST(on_the_processor),
                                  TEST(on_a_gpu)};
TEST_MAIN(TESTS)
