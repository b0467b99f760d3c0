/* mg on a device: the GPU kernels, run by the device "host", against the same method on the CPU:
 * the same outcomes and cycles, x to 1e-12 of its largest entry. PERP_TEST_DEVICE=cuda:0 in the
 * environment runs this on a GPU. */
#include "device.h"
#include "device_sample.h"

#include <math.h>
#include <string.h>

static perp_result solve(const perp_problem *p, perp_device *device, double tol, double *x)
{
  perp_result r = perp_result_empty();
  perp_options o = perp_options_default();
  o.device = device;
  o.tol = tol;
  CHECK_SAY(perp_solve("mg", p, &o, x, &r) == PERP_OK, "%s", r.message.text);
  return r;
}

/* The greatest difference over the greatest number. */
static double difference(const sample *s)
{
  double most = 0, size = 0;
  for (size_t i = 0; i < s->n; i++) {
    most = fmax(most, fabs(s->here[i] - s->there[i]));
    size = fmax(size, fabs(s->here[i]));
  }
  return most / (size > 0 ? size : 1);
}

static void compare(const char *text, perp_device *device, double tol, double close)
{
  sample s = sample_make(text);
  const perp_result here = solve(&s.p, NULL, tol, s.here);
  const perp_result there = solve(&s.p, device, tol, s.there);
  CHECK_SAY(here.outcome == there.outcome, "%s: %s and %s", text, perp_outcome_name(here.outcome),
            perp_outcome_name(there.outcome));
  CHECK_SAY(here.counts.cycles == there.counts.cycles, "%s: %d and %d cycles", text,
            (int)here.counts.cycles, (int)there.counts.cycles);
  CHECK_SAY(difference(&s) <= close, "%s: %g", text, difference(&s));
  sample_free(&s);
}

/* Constant stencils, masks, walls, weights and boxes; sides that are odd, of one cell, or long; axes of
 * weak couplings, which are not halved. */
static void as_on_the_processor(void)
{
  static const char *const texts[] = {
      "obstacle:points=35",
      "obstacle:points=130",
      "obstacle:points=66,operator=csr",
      "obstacle:points=66,variant=waves",
      "torsion:points=66",
      "journal:grid=64",
      "fluid:grid=40",
      "fluid:grid=41,scene=drop",
      "fluid:grid=50,scene=tilted",
      "fluid:grid=33,scene=tank",
      "fluid:dimension=3,grid=16,scene=tank",
      "fluid:dimension=3,grid=17,scene=dam",
      "fluid:dimension=3,nx=9,ny=20,nz=31,scene=drop",
  };
  perp_device *device = open_device();
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
    compare(texts[k], device, 1e-8, 1e-12);
  /* a condition number of a million: x is accurate to 1e-12 only with a tolerance as small */
  compare("fluid:nx=300,ny=3,scene=tank", device, 1e-12, 1e-12);
  perp_device_destroy(device);
}

/* An n x n x m box with weights that differ from axis to axis and from face to face, and bounds on
 * both sides. */
typedef struct weighted {
  double *wx, *wy, *wz, *diagonal, *b, *lo, *hi, *here, *there;
  perp_operator *A;
  int cells;
} weighted;

enum { PLAIN, BOXED, FREE };

static double drawn(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 40) / (1 << 24);
}

static weighted weighted_make(int nx, int ny, int nz, const double size[3], int form)
{
  const int cells = nx * ny * nz;
  weighted w = {.cells = cells};
  double **arrays[] = {&w.wx, &w.wy, &w.wz, &w.diagonal, &w.b, &w.lo, &w.hi, &w.here, &w.there};
  uint64_t state = 7;
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    *arrays[k] = calloc((size_t)cells, sizeof(double));
  for (int c = 0; c < cells; c++) {
    w.wx[c] = size[0] * (0.5 + drawn(&state));
    w.wy[c] = size[1] * (0.5 + drawn(&state));
    w.wz[c] = size[2] * (0.5 + drawn(&state));
    w.b[c] = drawn(&state) - 0.6;
    w.lo[c] = form == BOXED ? -0.1 * drawn(&state) : form == FREE ? -INFINITY : 0;
    w.hi[c] = form == BOXED ? 0.5 + drawn(&state) : INFINITY;
  }
  for (int c = 0; c < cells; c++) { /* neighbours, and a little more */
    const int i = c % nx, j = c / nx % ny, k = c / nx / ny;
    w.diagonal[c] = 0.05 + (i + 1 < nx ? w.wx[c] : 0) + (i > 0 ? w.wx[c - 1] : 0) +
                    (j + 1 < ny ? w.wy[c] : 0) + (j > 0 ? w.wy[c - nx] : 0) +
                    (k + 1 < nz ? w.wz[c] : 0) + (k > 0 ? w.wz[c - nx * ny] : 0);
  }
  perp_stencil_data data = perp_stencil_data_default();
  data.nx = nx;
  data.ny = ny;
  data.nz = nz;
  data.wx = w.wx;
  data.wy = w.wy;
  data.wz = nz > 1 ? w.wz : NULL;
  data.diagonal = w.diagonal;
  CHECK(perp_operator_stencil(&data, PERP_BORROW, &w.A, NULL) == PERP_OK);
  return w;
}

static void weighted_free(weighted *w)
{
  double *arrays[] = {w->wx, w->wy, w->wz, w->diagonal, w->b, w->lo, w->hi, w->here, w->there};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    free(arrays[k]);
  perp_operator_destroy(w->A);
}

static void weights_and_boxes(void)
{
  static const double sizes[3][3] = {{1, 1, 1}, {1, 0.01, 1}, {0.001, 1, 0.1}};
  perp_device *device = open_device();
  for (int k = 0; k < 3; k++)
    for (int form = PLAIN; form <= FREE; form++)
      for (int solid = 0; solid < 2; solid++) {
        weighted w = solid ? weighted_make(13, 18, 11, sizes[k], form)
                           : weighted_make(40, 37, 1, sizes[k], form);
        const perp_problem p = perp_problem_boxed(w.A, w.b, w.lo, w.hi);
        const perp_result here = solve(&p, NULL, 1e-12, w.here);
        const perp_result there = solve(&p, device, 1e-12, w.there);
        sample s = {.n = (size_t)w.cells, .here = w.here, .there = w.there};
        CHECK(here.outcome == PERP_SOLVED && there.outcome == PERP_SOLVED);
        CHECK_SAY(here.counts.cycles == there.counts.cycles, "case %d %d %d: %d and %d cycles", k,
                  form, solid, (int)here.counts.cycles, (int)there.counts.cycles);
        CHECK_SAY(difference(&s) <= 1e-12, "case %d %d %d: %g", k, form, solid, difference(&s));
        weighted_free(&w);
      }
  perp_device_destroy(device);
}

/* A warm start, a solve without bounds, and one solver on several problems in a row: the bits of a
 * fresh solver and device. */
static void same_bits(void)
{
  perp_device *device = open_device();
  sample a = sample_make("obstacle:points=66"), b = sample_make("fluid:grid=30,scene=drop");
  solve(&a.p, device, 1e-8, a.here);
  solve(&b.p, device, 1e-8, b.here);
  for (int k = 0; k < 2; k++) {
    memset(a.there, 0, a.n * sizeof *a.there);
    memset(b.there, 0, b.n * sizeof *b.there);
    solve(&a.p, device, 1e-8, a.there);
    CHECK(memcmp(a.here, a.there, a.n * sizeof *a.here) == 0);
    solve(&b.p, device, 1e-8, b.there);
    CHECK(memcmp(b.here, b.there, b.n * sizeof *b.here) == 0);
  }
  const perp_result again = solve(&a.p, device, 1e-8, a.there);
  CHECK(again.outcome == PERP_SOLVED && again.counts.cycles == 0);
  sample_free(&a);
  sample_free(&b);
  perp_device_destroy(device);
}

/* One solver keeps the hierarchy of an operator: another b has the bits of a fresh solver. */
static void hierarchy_is_kept(void)
{
  perp_device *device = open_device(), *fresh = open_device();
  sample s = sample_make("fluid:dimension=3,grid=12,scene=dam");
  perp_solver *solver = NULL;
  double *b = malloc(s.n * sizeof *b);
  perp_options o = perp_options_default();
  CHECK(perp_solver_create("mg", &solver, NULL) == PERP_OK);
  for (int turn = 0; turn < 3; turn++) {
    perp_result r = perp_result_empty();
    perp_problem p = s.p;
    for (size_t i = 0; i < s.n; i++)
      b[i] = s.p.b[i] * (1 + 0.1 * turn * (double)(i % 3));
    p.b = b;
    memset(s.here, 0, s.n * sizeof *s.here);
    memset(s.there, 0, s.n * sizeof *s.there);
    o.device = device;
    CHECK(perp_solver_solve(solver, &p, &o, s.there, &r) == PERP_OK);
    CHECK(r.outcome == PERP_SOLVED);
    solve(&p, fresh, o.tol, s.here);
    CHECK(memcmp(s.here, s.there, s.n * sizeof *s.here) == 0);
  }
  free(b);
  perp_solver_destroy(solver);
  sample_free(&s);
  perp_device_destroy(device);
  perp_device_destroy(fresh);
}

/* One cell, without a coarse grid: a second solve keeps the first one's data. */
static void one_cell(void)
{
  static const double size[3] = {1, 1, 1};
  perp_device *device = open_device();
  weighted w = weighted_make(1, 1, 1, size, PLAIN);
  const perp_problem p = perp_problem_boxed(w.A, w.b, w.lo, w.hi);
  for (int turn = 0; turn < 3; turn++) {
    w.b[0] = turn - 1;
    w.there[0] = 0;
    CHECK(solve(&p, device, 1e-12, w.there).outcome == PERP_SOLVED);
    CHECK_CLOSE(w.there[0], fmax(0, -w.b[0] / w.diagonal[0]), 1e-12);
  }
  weighted_free(&w);
  perp_device_destroy(device);
}

/* Different solves on one device, some cut short or with overflow, two after a refresh of the
 * operator: kept grids, and the grids of full multigrid, equal new ones to the last bit. */
static void kept_grids_are_as_new(void)
{
  static const double size[3] = {1, 1, 1};
  static const int cut[] = {1, 1000, 2, 1000, 1, 1000};
  perp_device *device = open_device();
  weighted w = weighted_make(45, 38, 33, size, BOXED);
  for (int k = 0; k < 6; k++) {
    const perp_problem p =
        k < 3 ? perp_problem_lcp(w.A, w.b) : perp_problem_boxed(w.A, w.b, w.lo, w.hi);
    perp_device *fresh = open_device();
    perp_options o = perp_options_default();
    perp_result r = perp_result_empty();
    const double scale = k == 4 ? 1e304 : 1;
    for (int c = 0; c < w.cells; c++) {
      w.b[c] = scale * (cos(0.3 * (k + 1) * c) - 0.1 * k);
      w.here[c] = w.there[c] = 0;
    }
    if (k == 2 || k == 5) { /* other numbers in the same arrays */
      for (int c = 0; c < w.cells; c++) {
        w.wx[c] *= 0.9;
        w.diagonal[c] += 0.1 * (c % 3);
      }
      CHECK(perp_operator_refresh(w.A, NULL) == PERP_OK);
    }
    o.max_iterations = cut[k];
    o.device = fresh;
    const perp_error error = perp_solve("mg", &p, &o, w.here, &r);
    const perp_outcome outcome = r.outcome;
    o.device = device;
    CHECK(perp_solve("mg", &p, &o, w.there, &r) == error && r.outcome == outcome);
    CHECK_SAY(memcmp(w.here, w.there, (size_t)w.cells * sizeof(double)) == 0, "solve %d", k);
    perp_device_destroy(fresh);
  }
  weighted_free(&w);
  perp_device_destroy(device);
}

static void never_in_silence(void)
{
  perp_device *device = open_device();
  sample s = sample_make("pd:n=20");
  perp_result r = perp_result_empty();
  perp_options o = perp_options_default();
  o.device = device;
  CHECK(perp_solve("mg", &s.p, &o, s.there, &r) == PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(r.message.text, "device") != NULL, "%s", r.message.text);
  CHECK(perp_solve("coloured-not-there", &s.p, &o, s.there, &r) != PERP_OK);
  sample_free(&s);
  perp_device_destroy(device);
}

static void limits_are_told(void)
{
  perp_device *device = open_device();
  sample s = sample_make("obstacle:points=66");
  perp_result r = perp_result_empty();
  perp_options o = perp_options_default();
  o.device = device;
  o.tol = 1e-12;
  o.max_iterations = 2;
  CHECK(perp_solve("mg", &s.p, &o, s.there, &r) == PERP_OK);
  CHECK(r.outcome == PERP_ITERATION_LIMIT && r.relative_residual > 1e-12);
  const double there = r.relative_residual;
  o.device = NULL;
  CHECK(perp_solve("mg", &s.p, &o, s.here, &r) == PERP_OK);
  CHECK_CLOSE(there, r.relative_residual, 1e-4 * there);
  CHECK(difference(&s) <= 1e-6); /* the iterate came back from the device */
  sample_free(&s);
  perp_device_destroy(device);
}

static void memory(void)
{
  sample_memory(NULL);
}

static const test_case TESTS[] = {
    TEST(as_on_the_processor), TEST(weights_and_boxes), TEST(same_bits),
    TEST(hierarchy_is_kept),   TEST(one_cell),          TEST(kept_grids_are_as_new),
    TEST(never_in_silence),    TEST(limits_are_told),   TEST(memory),
};
TEST_MAIN(TESTS)
