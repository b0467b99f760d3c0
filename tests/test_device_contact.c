/* Contact sweeps on a device: the GPU kernel, run by the device "host", against coloured sweeps on
 * the CPU: the same outcomes and sweeps, x to 1e-12 of its largest entry. PERP_TEST_DEVICE=cuda:0
 * in the environment runs this on a GPU. */
#include "device.h"
#include "device_memory.h"
#include "test.h"

#include <perp/lab.h>
#include <perp/perp.h>

#include <math.h>
#include <string.h>

/* Solves from x = 0 with coloured sweeps, on the CPU too if the method has them. */
static perp_result solve(const char *method, const perp_problem *p, perp_device *device,
                         int64_t iterations, double *x)
{
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  perp_options o = perp_options_default();
  o.device = device;
  o.tol = 1e-6;
  o.max_iterations = iterations;
  memset(x, 0, (size_t)p->K.n * sizeof *x);
  CHECK(perp_solver_create(method, &solver, NULL) == PERP_OK);
  CHECK(strcmp(method, "nncg") != 0 || p->K.cones > 0 ||
        perp_solver_set_text(solver, "order", "coloured", NULL) == PERP_OK);
  CHECK_SAY(perp_solver_solve(solver, p, &o, x, &r) == PERP_OK, "%s", r.message.text);
  perp_solver_destroy(solver);
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

/* Compares one solve on the CPU with two on the device: equal outcomes; the two device solves have
 * equal bits; if the sweeps have the same order, also equal counts and x. */
static void compare(perp_device *device, const char *method, const char *text, int64_t iterations,
                    bool same_x, bool solved)
{
  perp_instance instance;
  perp_message why = {""};
  CHECK_SAY(perp_generate(text, &instance, &why) == PERP_OK, "%s: %s", text, why.text);
  const perp_problem p = perp_instance_problem(&instance);
  const size_t n = (size_t)p.K.n;
  double *here = calloc(n, sizeof *here), *there = calloc(n, sizeof *there);
  const perp_result a = solve(method, &p, NULL, iterations, here);
  const perp_result b = solve(method, &p, device, iterations, there);
  CHECK_SAY(a.outcome == b.outcome && (!solved || b.outcome == PERP_SOLVED), "%s: %s and %s", text,
            perp_outcome_name(a.outcome), perp_outcome_name(b.outcome));
  if (same_x) {
    CHECK_SAY(a.counts.sweeps == b.counts.sweeps, "%s", text);
    CHECK_SAY(difference(n, here, there) <= 1e-12, "%s: %g", text, difference(n, here, there));
  }
  solve(method, &p, device, iterations, here);
  CHECK(memcmp(here, there, n * sizeof *here) == 0);
  free(here);
  free(there);
  perp_instance_destroy(&instance);
}

/* Friction by index and rows without bounds, compliance, round bodies and boxes, and bodies that do
 * not move. */
static void as_on_the_processor(void)
{
  static const char *const texts[] = {
      "pile:n=30,form=findex,operator=contact",
      "pile:n=30,form=findex,operator=contact,cfm=1e-2",
      "wall:form=findex,operator=contact,cfm=1e-2",
      "stack:n=5,form=findex,operator=contact,cfm=1e-2",
      "stack:n=5,form=stick,operator=contact,cfm=1e-2",
      "pile:n=20,form=stick,operator=contact,cfm=1e-2",
  };
  perp_device *device = open_device();
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
    compare(device, "coloured", texts[k], 60, true, false);
  perp_device_destroy(device);
}

/* Iterates agree to rounding for some time, and outcomes agree. */
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
    compare(device, "nncg", texts[k], 12, true, false);
    compare(device, "nncg", texts[k], 2000, false, false);
  }
  perp_device_destroy(device);
}

/* bgs and nncg on cones: contact after contact on the CPU, by colours on the device; both solve. */
static void cones(void)
{
  static const char *const texts[] = {
      "pile:n=30,form=cone,operator=contact",
      "pile:n=60,form=cone,operator=contact,cfm=1e-2",
      "wall:form=cone,operator=contact,cfm=1e-2",
      "stack:n=5,form=cone,operator=contact,cfm=1e-2",
  };
  perp_device *device = open_device();
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
    for (int m = 0; m < 2; m++)
      compare(device, m ? "nncg" : "bgs", texts[k], 0, false, true);
  perp_device_destroy(device);
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
  /* contacts without friction have one row each */
  CHECK(perp_generate("pile:n=5,form=lcp,operator=contact", &instance, NULL) == PERP_OK);
  const perp_problem single = perp_instance_problem(&instance);
  CHECK(single.K.n <= 400 && perp_solve("coloured", &single, &o, x, &r) == PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(r.message.text, "three rows"), "%s", r.message.text);
  perp_instance_destroy(&instance);
  /* kernels have cones of three rows */
  static const char *const methods[] = {"bgs", "nncg"};
  CHECK(perp_generate("pile:n=5,form=discs,operator=contact", &instance, NULL) == PERP_OK);
  const perp_problem wide = perp_instance_problem(&instance);
  for (int m = 0; m < 2; m++) {
    CHECK(wide.K.n <= 400 && perp_solve(methods[m], &wide, &o, x, &r) == PERP_ERROR_UNSUPPORTED);
    CHECK_SAY(strstr(r.message.text, "device") && strstr(r.message.text, "dim"), "%s: %s",
              methods[m], r.message.text);
  }
  perp_instance_destroy(&instance);
  perp_device_destroy(device);
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
  check_device_memory(&(device_call){"nncg", true, NULL, solve_once, &p});
  perp_instance_destroy(&instance);
}

static const test_case TESTS[] = {
    TEST(as_on_the_processor), TEST(nncg), TEST(cones), TEST(never_in_silence), TEST(memory),
};
TEST_MAIN(TESTS)
