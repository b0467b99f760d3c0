/* Contact sweeps on a device: the kernel of a GPU, run by the device "host", against the sweeps by
 * colours of the processor: the same outcomes and sweeps, x to 1e-12 of its greatest number.
 * PERP_TEST_DEVICE=cuda:0 in the environment runs the same on a GPU. */
#include "device.h"
#include "device_memory.h"
#include "test.h"

#include <perp/lab.h>
#include <perp/perp.h>

#include <math.h>
#include <string.h>

static perp_result solve(const perp_problem *p, perp_device *device, int64_t sweeps, double *x)
{
  perp_result r = perp_result_empty();
  perp_options o = perp_options_default();
  o.device = device;
  o.tol = 1e-6;
  o.max_iterations = sweeps;
  CHECK_SAY(perp_solve("coloured", p, &o, x, &r) == PERP_OK, "%s", r.message.text);
  return r;
}

static double difference(size_t n, const double *a, const double *b)
{
  double most = 0, size = 0;
  for (size_t i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
    size = fmax(size, fabs(a[i]));
  }
  return most / (size > 0 ? size : 1);
}

/* In space and in the plane; without friction and with friction by index; joints, whose rows
 * are free; groups of one to three rows, and bodies that do not move. */
static void as_on_the_processor(void)
{
  static const char *const texts[] = {
      "pile:n=30,form=findex,operator=contact",
      "pile:n=30,form=lcp,operator=contact",
      "pile:n=30,form=findex,operator=contact,cfm=1e-2",
      "pile:n=20,form=mixed,operator=contact,cfm=1e-2",
      "wall:form=findex,operator=contact,cfm=1e-2",
      "stack:n=5,form=findex,operator=contact,cfm=1e-2",
      "stack:n=5,form=stick,operator=contact,cfm=1e-2",
      "pile:n=20,form=stick,operator=contact,cfm=1e-2",
  };
  perp_device *device = open_device();
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    perp_instance instance;
    perp_message why = {""};
    CHECK_SAY(perp_generate(texts[k], &instance, &why) == PERP_OK, "%s: %s", texts[k], why.text);
    const perp_problem p = perp_instance_problem(&instance);
    const size_t n = (size_t)p.K.n;
    double *here = calloc(n, sizeof *here), *there = calloc(n, sizeof *there);
    const perp_result a = solve(&p, NULL, 60, here), b = solve(&p, device, 60, there);
    CHECK_SAY(a.outcome == b.outcome && a.counts.sweeps == b.counts.sweeps, "%s: %s and %s",
              texts[k], perp_outcome_name(a.outcome), perp_outcome_name(b.outcome));
    CHECK_SAY(difference(n, here, there) <= 1e-12, "%s: %g", texts[k], difference(n, here, there));
    memset(here, 0, n * sizeof *here);
    solve(&p, device, 60, here);
    CHECK(memcmp(here, there, n * sizeof *here) == 0); /* two runs, the same bits */
    free(here);
    free(there);
    perp_instance_destroy(&instance);
  }
  perp_device_close(device);
}

/* nncg by colours: the same iterates to rounding, the same outcomes; two runs, the same bits. */
static void nncg(void)
{
  static const char *const texts[] = {
      "pile:n=30,form=findex,operator=contact",
      "pile:n=60,form=findex,operator=contact,cfm=1e-2",
      "wall:form=findex,operator=contact,cfm=1e-2",
      "stack:n=5,form=stick,operator=contact,cfm=1e-2",
  };
  perp_device *device = open_device();
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    perp_instance instance;
    CHECK(perp_generate(texts[k], &instance, NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&instance);
    const size_t n = (size_t)p.K.n;
    double *x[3];
    perp_result r[3];
    for (int limited = 1; limited >= 0; limited--) {
      for (int way = 0; way < 3; way++) {
        perp_solver *solver = NULL;
        perp_options o = perp_options_default();
        x[way] = calloc(n, sizeof *x[way]);
        r[way] = perp_result_empty();
        o.tol = 1e-6;
        o.max_iterations = limited ? 12 : 2000;
        o.device = way > 0 ? device : NULL;
        CHECK(perp_solver_create("nncg", &solver, NULL) == PERP_OK);
        CHECK(perp_solver_set_text(solver, "order", "coloured", NULL) == PERP_OK);
        CHECK_SAY(perp_solver_solve(solver, &p, &o, x[way], &r[way]) == PERP_OK, "%s",
                  r[way].message.text);
        perp_solver_destroy(solver);
      }
      CHECK_SAY(r[0].outcome == r[1].outcome, "%s: %s and %s", texts[k],
                perp_outcome_name(r[0].outcome), perp_outcome_name(r[1].outcome));
      CHECK_SAY(!limited || difference(n, x[0], x[1]) <= 1e-12, "%s: %g", texts[k],
                difference(n, x[0], x[1]));
      CHECK(memcmp(x[1], x[2], n * sizeof *x[1]) == 0);
      for (int way = 0; way < 3; way++)
        free(x[way]);
    }
    perp_instance_destroy(&instance);
  }
  perp_device_close(device);
}

/* bgs on cones: contact after contact on the processor, by colours here; both solve. */
static void cones(void)
{
  static const char *const texts[] = {
      "pile:n=30,form=cone,operator=contact",
      "pile:n=60,form=cone,operator=contact,cfm=1e-2",
      "wall:form=cone,operator=contact,cfm=1e-2",
      "stack:n=5,form=cone,operator=contact,cfm=1e-2",
  };
  perp_device *device = open_device();
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    perp_instance instance;
    CHECK(perp_generate(texts[k], &instance, NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&instance);
    const size_t n = (size_t)p.K.n;
    double *x = calloc(n, sizeof *x), *again = calloc(n, sizeof *again);
    perp_options o = perp_options_default();
    perp_result here = perp_result_empty(), there = perp_result_empty();
    o.tol = 1e-6;
    CHECK(perp_solve("bgs", &p, &o, x, &here) == PERP_OK);
    o.device = device;
    memset(x, 0, n * sizeof *x);
    CHECK_SAY(perp_solve("bgs", &p, &o, x, &there) == PERP_OK, "%s", there.message.text);
    CHECK_SAY(here.outcome == there.outcome && there.outcome == PERP_SOLVED, "%s: %s and %s",
              texts[k], perp_outcome_name(here.outcome), perp_outcome_name(there.outcome));
    CHECK(perp_solve("bgs", &p, &o, again, &there) == PERP_OK);
    CHECK(memcmp(x, again, n * sizeof *x) == 0);
    free(x);
    free(again);
    perp_instance_destroy(&instance);
  }
  perp_device_close(device);
}

static void never_in_silence(void)
{
  perp_device *device = open_device();
  perp_instance instance;
  perp_result r = perp_result_empty();
  perp_options o = perp_options_default();
  double x[400] = {0};
  o.device = device;
  CHECK(perp_generate("pile:n=5,form=findex", &instance, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  CHECK(p.K.n <= 400 && perp_solve("coloured", &p, &o, x, &r) == PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(r.message.text, "csr") && strstr(r.message.text, "device"), "%s",
            r.message.text);
  CHECK(perp_solve("pgs", &p, &o, x, &r) == PERP_ERROR_UNSUPPORTED);
  perp_instance_destroy(&instance);
  perp_device_close(device);
}

static perp_error solve_once(perp_solver *solver, perp_device *device, void *context)
{
  const perp_problem *p = context;
  double x[64] = {0};
  perp_options o = perp_options_default();
  perp_result r = perp_result_empty();
  o.device = device;
  o.max_iterations = 5;
  CHECK(p->K.n <= 64);
  return perp_solver_solve(solver, p, &o, x, &r);
}

static void memory(void)
{
  perp_instance instance;
  CHECK(perp_generate("pile:n=4,form=findex,operator=contact", &instance, NULL) == PERP_OK);
  perp_problem p = perp_instance_problem(&instance);
  check_device_memory(&(device_call){"coloured", true, NULL, solve_once, &p});
  perp_instance_destroy(&instance);
}

static const test_case TESTS[] = {
    TEST(as_on_the_processor), TEST(nncg), TEST(cones), TEST(never_in_silence), TEST(memory),
};
TEST_MAIN(TESTS)
