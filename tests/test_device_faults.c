/* Devices that fail. Kernels that do not run: no problem is solved. The k-th allocation fails, for
 * every k: PERP_ERROR_MEMORY, no leak, and the same device then solves with the bits that it had
 * before. On the device "host", and on a GPU if there is one; PERP_TEST_DEVICE=cuda:0 in the
 * environment requires one. */
#include "test.h"

#include "../bench/worlds.h"
#include "device/device.h"
#include "method/splitting/world/world.h"

#include <perp/lab.h>
#include <perp/perp.h>

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
} kind;

typedef struct call {
  kind of;
  perp_instance instance;
  worlds all;
  size_t n;
} call;

static perp_error solve(call *c, perp_device *device, double *x)
{
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
      {"mg", "obstacle:points=34", PERP_JUDGE_HOST},
      {"mg", "obstacle:points=34", PERP_JUDGE_DEVICE},
      {"mg", "fluid:dimension=3,scene=tank,grid=12", PERP_JUDGE_HOST},
      {"coloured", "pile:n=6,form=lcp,operator=contact", PERP_JUDGE_HOST},
      {"nncg", "pile:n=6,form=findex,operator=contact", PERP_JUDGE_HOST},
      {"apgd", "pile:n=6,form=findex,operator=contact", PERP_JUDGE_HOST},
      {"bgs", "pile:n=6,form=cone,operator=contact", PERP_JUDGE_HOST},
      {"blockpivot", "pd:n=20", PERP_JUDGE_HOST},
      {"coloured", NULL, PERP_JUDGE_HOST},
      {"coloured", NULL, PERP_JUDGE_DEVICE},
  };
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    call c = {.of = kinds[k]};
    perp_message why = {""};
    if (c.of.text) {
      CHECK_SAY(perp_generate(c.of.text, &c.instance, &why) == PERP_OK, "%s", why.text);
      c.n = (size_t)perp_instance_problem(&c.instance).K.n;
    } else {
      for (int w = 0; w < 3; w++)
        CHECK(worlds_generate(&c.all, "pile:n=4,form=findex,operator=contact", &why) == PERP_OK);
      c.n = (size_t)c.all.all_rows;
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
