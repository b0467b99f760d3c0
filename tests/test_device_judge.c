/* Grid problems checked and judged on a device, with host or device arrays: the same errors,
 * outcomes, residuals and bits as with the verdict on the CPU. PERP_TEST_DEVICE=cuda:0 in the
 * environment runs this on a GPU. */
#include "device.h"
#include "device_sample.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void clear(const sample *s)
{
  memset(s->here, 0, s->bytes);
  memset(s->there, 0, s->bytes);
}

static perp_result solve_as(const perp_problem *p, perp_device *device, perp_judge_place judge,
                            perp_options o, double *x)
{
  perp_result r = perp_result_empty();
  o.device = device;
  perp_device_set_judge(device, judge);
  CHECK_SAY(perp_solve("mg", p, &o, x, &r) == PERP_OK, "%s", r.message.text);
  return r;
}

/* Error bound of the plain sums that the CPU uses for grids; the device's sums are exact. */
static double rounding(const sample *s, const double *x)
{
  double *diagonal = calloc(s->n, sizeof *diagonal), most = 0, size = 0;
  CHECK(perp_operator_diagonal(s->p.A, diagonal, NULL) == PERP_OK);
  for (size_t i = 0; i < s->n; i++) {
    most = fmax(most, diagonal[i]);
    size = fmax(size, fabs(x[i]));
  }
  free(diagonal);
  return 8 * DBL_EPSILON * most * size;
}

static const char *const texts[] = {
    "obstacle:points=66",
    "obstacle:points=66,operator=csr",
    "obstacle:points=40,variant=waves",
    "torsion:points=50",
    "journal:grid=40",
    "fluid:grid=41,scene=drop",
    "fluid:dimension=3,grid=12,scene=dam",
};

/* A solution, an iterate in the middle, and one at the rounding floor. */
static void same_verdict(void)
{
  static const double tols[] = {1e-8, 1e-8, 1e-17};
  static const int limits[] = {0, 2, 0};
  perp_device *device = open_device();
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
    for (int way = 0; way < 3; way++) {
      sample s = sample_make(texts[k]);
      perp_options o = perp_options_default();
      o.tol = tols[way];
      o.max_iterations = limits[way];
      const perp_result a = solve_as(&s.p, device, PERP_JUDGE_HOST, o, s.here);
      const perp_result b = solve_as(&s.p, device, PERP_JUDGE_DEVICE, o, s.there);
      double residual = NAN, scale = NAN;
      CHECK(perp_problem_judge(&s.p, s.there, &residual, &scale, NULL) == PERP_OK);
      CHECK_SAY(a.outcome == b.outcome, "%s: %s and %s", texts[k], perp_outcome_name(a.outcome),
                perp_outcome_name(b.outcome));
      CHECK(b.scale == scale && (way == 2 || a.counts.cycles == b.counts.cycles));
      CHECK_SAY(fabs(b.residual - residual) <= rounding(&s, s.there), "%s: %g and %g", texts[k],
                b.residual, residual);
      CHECK(way != 0 || b.outcome == PERP_SOLVED);
      if (way < 2)
        CHECK_SAY(memcmp(s.here, s.there, s.bytes) == 0, "%s, way %d", texts[k], way);
      sample_free(&s);
    }
  perp_device_destroy(device);
}

/* b, lo, hi, x and y only on the device, for either judge. */
static void arrays_of_the_device(void)
{
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    perp_device *device = open_device();
    sample s = sample_make(texts[k]);
    const double *const from[3] = {s.p.b, s.p.K.lo, s.p.K.hi};
    void *array[5] = {NULL};
    for (int q = 0; q < 5; q++) {
      CHECK(perp_device_alloc(device, s.bytes, &array[q], NULL) == PERP_OK);
      if (q < 3 && from[q])
        CHECK(perp_device_upload(device, array[q], from[q], s.bytes, NULL) == PERP_OK);
    }
    perp_problem p = s.p;
    p.b = array[0];
    p.K.lo = s.p.K.lo ? array[1] : NULL;
    p.K.hi = s.p.K.hi ? array[2] : NULL;
    perp_options o = perp_options_default();
    double *y = calloc(s.n, sizeof *y), *y_there = calloc(s.n, sizeof *y_there);
    o.y = y;
    solve_as(&s.p, device, PERP_JUDGE_HOST, o, s.here);
    CHECK(perp_operator_place(s.instance.A, device, NULL) ==
          (strstr(texts[k], "csr") ? PERP_ERROR_UNSUPPORTED : PERP_OK));
    for (int judge = PERP_JUDGE_HOST; judge <= PERP_JUDGE_DEVICE; judge++) {
      memset(s.there, 0, s.bytes);
      CHECK(perp_device_upload(device, array[3], s.there, s.bytes, NULL) == PERP_OK);
      o.y = array[4];
      const perp_result r = solve_as(&p, device, (perp_judge_place)judge, o, array[3]);
      CHECK_SAY(r.outcome == PERP_SOLVED && r.relative_residual <= o.tol, "%s", r.message.text);
      CHECK(perp_device_download(device, s.there, array[3], s.bytes, NULL) == PERP_OK);
      CHECK(memcmp(s.here, s.there, s.bytes) == 0);
      if (judge == PERP_JUDGE_DEVICE) { /* the CPU's judge writes no y */
        CHECK(perp_device_download(device, y_there, array[4], s.bytes, NULL) == PERP_OK);
        const double close = rounding(&s, s.here);
        for (size_t i = 0; i < s.n; i++)
          CHECK_CLOSE(y_there[i], y[i], close);
      }
    }
    for (int q = 0; q < 5; q++)
      perp_device_free(device, array[q]);
    free(y);
    free(y_there);
    perp_device_destroy(device); /* before A, part of which is on the device */
    sample_free(&s);
  }
}

/* Kernels find the errors of a problem, and the messages are those of the CPU. */
static void same_errors(void)
{
  perp_device *device = open_device();
  sample s = sample_make("torsion:points=34");
  double *b = malloc(s.bytes), *lo = malloc(s.bytes), *hi = malloc(s.bytes);
  for (int way = 0; way < 7; way++) {
    perp_message said[2];
    perp_error error[2];
    const size_t at = s.n - 1 - 17 * (size_t)way;
    clear(&s);
    memcpy(b, s.p.b, s.bytes);
    memcpy(lo, s.p.K.lo, s.bytes);
    memcpy(hi, s.p.K.hi, s.bytes);
    if (way == 0 || way == 6)
      b[at] = way ? INFINITY : NAN;
    if (way == 1)
      lo[at] = hi[at] + 1;
    if (way == 2)
      hi[at] = NAN;
    if (way == 3)
      lo[at] = hi[at] = 1e301;
    if (way == 4)
      s.here[at] = INFINITY;
    if (way == 5) { /* two of them: the first is named */
      lo[at] = NAN;
      lo[at - 900] = NAN;
    }
    const perp_problem p = perp_problem_boxed(s.p.A, b, lo, hi);
    for (int judge = 0; judge < 2; judge++) {
      perp_result r = perp_result_empty();
      perp_options o = perp_options_default();
      o.device = device;
      perp_device_set_judge(device, judge ? PERP_JUDGE_DEVICE : PERP_JUDGE_HOST);
      error[judge] = perp_solve("mg", &p, &o, s.here, &r);
      CHECK(r.outcome == PERP_NOT_RUN);
      said[judge] = r.message;
    }
    CHECK_SAY(error[0] == error[1] && error[0] != PERP_OK, "way %d", way);
    CHECK_SAY(strcmp(said[0].text, said[1].text) == 0, "%s; %s", said[0].text, said[1].text);
  }
  free(b);
  free(lo);
  free(hi);
  sample_free(&s);
  perp_device_destroy(device);
}

/* Changed arrays of a placed operator take effect after a refresh, as on the CPU; an operator that
 * is destroyed, placed elsewhere or unplaced frees its device memory. */
static void placed_operators(void)
{
  enum { SIDE = 20, CELLS = SIDE * SIDE };
  perp_device *device = open_device(), *other = open_device();
  double diagonal[CELLS], b[CELLS], x[CELLS], again[CELLS];
  perp_operator *A = NULL;
  perp_stencil_data data = perp_stencil_data_default();
  for (int c = 0; c < CELLS; c++) {
    diagonal[c] = 4.1;
    b[c] = c % 7 - 3.5;
  }
  data.nx = data.ny = SIDE;
  data.diagonal = diagonal;
  CHECK(perp_operator_stencil(&data, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  const int64_t before = perp_device_facts(device).taken;
  CHECK(perp_operator_place(A, device, NULL) == PERP_OK);
  for (int turn = 0; turn < 2; turn++) {
    for (int judge = PERP_JUDGE_HOST; judge <= PERP_JUDGE_DEVICE; judge++) {
      memset(x, 0, sizeof x);
      memset(again, 0, sizeof again);
      const perp_options o = perp_options_default();
      const perp_result r = solve_as(&p, device, (perp_judge_place)judge, o, x);
      const perp_result s = solve_as(&p, other, (perp_judge_place)judge, o, again);
      CHECK(r.outcome == PERP_SOLVED && s.outcome == PERP_SOLVED);
      CHECK(memcmp(x, again, sizeof x) == 0);
    }
    for (int c = 0; c < CELLS; c++)
      diagonal[c] = 4.1 + 0.01 * (c % 3);
    CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
  }
  CHECK(perp_operator_place(A, device, NULL) == PERP_OK);
  CHECK(perp_device_facts(device).taken > before);
  CHECK(perp_operator_place(A, other, NULL) == PERP_OK);
  CHECK(perp_operator_place(A, NULL, NULL) == PERP_OK);
  CHECK(perp_operator_place(NULL, device, NULL) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_place(A, device, NULL) == PERP_OK);
  perp_operator_destroy(A);
  perp_device_destroy(device);
  perp_device_destroy(other);
}

static perp_error place(perp_device *device, void *context)
{
  const sample *s = context;
  perp_device_set_judge(device, PERP_JUDGE_DEVICE);
  return perp_operator_place(s->instance.A, device, NULL);
}

static void memory(void)
{
  sample_memory(place);
}

static const test_case TESTS[] = {
    TEST(same_verdict), TEST(arrays_of_the_device), TEST(same_errors), TEST(placed_operators),
    TEST(memory),
};
TEST_MAIN(TESTS)
