/* Devices: GPU kernels, run by the device "host", against the same method on the CPU and against
 * planted solutions; a requested device is never ignored silently. PERP_TEST_DEVICE=cuda:0 in the
 * environment runs this on a GPU. */
#include "device.h"
#include "device_memory.h"
#include "problems.h"
#include "test.h"

#include <perp/batch.h>

enum { MOST = 96, COUNT = 40 };

/* Problems of n rows each, dense and one after another. */
typedef struct sample {
  int n, count;
  double *A, *b, *lo, *hi, *planted;
  double *x;
  perp_batch_end *each;
} sample;

static void sample_free(sample *s)
{
  perp_free(s->A);
  perp_free(s->b);
  perp_free(s->lo);
  perp_free(s->hi);
  perp_free(s->planted);
  perp_free(s->x);
  perp_free(s->each);
}

static sample sample_alloc(int n, int count)
{
  const size_t rows = (size_t)n * (size_t)count;
  return (sample){.n = n,
                  .count = count,
                  .A = perp_alloc_zero(rows * (size_t)n, sizeof(double)),
                  .b = perp_alloc_zero(rows, sizeof(double)),
                  .lo = perp_alloc_zero(rows, sizeof(double)),
                  .hi = perp_alloc_zero(rows, sizeof(double)),
                  .planted = perp_alloc_zero(rows, sizeof(double)),
                  .x = perp_alloc_zero(rows, sizeof(double)),
                  .each = perp_alloc_zero((size_t)count, sizeof(perp_batch_end))};
}

/* A with a dominant diagonal; for the nonsymmetric case the entries left of the diagonal are
 * halved, which leaves a P-matrix. */
static sample sample_make(int n, perp_form form, bool symmetric, uint64_t seed)
{
  sample s = sample_alloc(n, COUNT);
  for (int k = 0; k < COUNT; k++) {
    perp_instance p = problem_random(n, form, 0.5, seed * 1000 + (uint64_t)k);
    const double *a;
    int64_t stride;
    CHECK(perp_operator_dense_array(p.A, &a, &stride) == PERP_OK);
    double *A = s.A + (size_t)k * (size_t)n * (size_t)n;
    for (int i = 0; i < n; i++) {
      const int row = k * n + i;
      double change = 0;
      for (int j = 0; j < n; j++) {
        A[i * n + j] = !symmetric && j < i ? 0.5 * a[i * stride + j] : a[i * stride + j];
        change += (a[i * stride + j] - A[i * n + j]) * p.x[j];
      }
      s.planted[row] = p.x[i];
      s.b[row] = p.b[i] + change;
      s.lo[row] = p.lo ? p.lo[i] : 0;
      s.hi[row] = p.hi ? p.hi[i] : INFINITY;
    }
    perp_instance_destroy(&p);
  }
  return s;
}

static perp_batch batch_of(const sample *s, perp_form form)
{
  perp_batch batch = perp_batch_dense(s->count, s->n, s->A, s->b);
  if (form != PERP_FORM_LCP) {
    batch.lo = s->lo;
    batch.hi = s->hi;
  }
  return batch;
}

static perp_solver *open_solver(const char *method)
{
  perp_solver *solver = NULL;
  CHECK(perp_solver_create(method, &solver, NULL) == PERP_OK);
  return solver;
}

static void solve(sample *s, const perp_batch *batch, perp_solver *solver, perp_device *device,
                  int threads, perp_result *whole)
{
  perp_options options = perp_options_default();
  options.device = device;
  options.threads = threads;
  memset(s->x, 0, (size_t)s->n * (size_t)s->count * sizeof *s->x);
  CHECK_SAY(perp_batch_solve(solver, batch, &options, s->x, s->each, whole) == PERP_OK, "%s",
            whole->message.text);
}

/* Compares with the method on the CPU, problem by problem. */
static void compare(const sample *s, perp_form form, const double *x, const perp_batch_end *each)
{
  for (int k = 0; k < s->count; k++) {
    double alone[MOST] = {0}, size = 1;
    const int at = k * s->n;
    perp_operator *A = problem_dense(s->n, s->A + (size_t)at * (size_t)s->n);
    perp_problem p = perp_problem_lcp(A, s->b + at);
    if (form != PERP_FORM_LCP)
      p = perp_problem_boxed(A, s->b + at, s->lo + at, s->hi + at);
    perp_result r = perp_result_empty();
    CHECK(perp_solve("blockpivot", &p, NULL, alone, &r) == PERP_OK);
    CHECK_SAY(each[k].error == PERP_OK && each[k].outcome == r.outcome, "problem %d: %s", k,
              perp_outcome_name(each[k].outcome));
    CHECK(each[k].relative_residual <= 1e-8 && each[k].iterations >= 0);
    CHECK_EQUAL_TEXT(each[k].method, "blockpivot");
    for (int i = 0; i < s->n; i++)
      size = fmax(size, fabs(s->planted[at + i]));
    for (int i = 0; i < s->n; i++) {
      CHECK_SAY(fabs(x[at + i] - alone[i]) <= 1e-12 * size, "problem %d row %d: %g and %g", k, i,
                x[at + i], alone[i]);
      CHECK_SAY(fabs(x[at + i] - s->planted[at + i]) <= 1e-10 * size,
                "problem %d row %d: %g, not %g", k, i, x[at + i], s->planted[at + i]);
    }
    double residual, scale;
    CHECK(perp_problem_judge(&p, x + at, &residual, &scale, NULL) == PERP_OK);
    CHECK(residual == each[k].residual && residual / scale == each[k].relative_residual);
    perp_operator_destroy(A);
  }
}

static void as_on_the_processor(void)
{
  static const perp_form forms[] = {PERP_FORM_LCP, PERP_FORM_MIXED, PERP_FORM_BOXED};
  static const int sizes[] = {1, 2, 7, 16, 33, 48, 96};
  perp_device *device = open_device();
  perp_solver *solver = open_solver("blockpivot");
  for (size_t f = 0; f < 3; f++)
    for (size_t z = 0; z < sizeof sizes / sizeof *sizes; z++)
      for (int symmetric = 0; symmetric < 2; symmetric++) {
        sample s = sample_make(sizes[z], forms[f], symmetric, 100 * f + 10 * z + 1);
        const perp_batch batch = batch_of(&s, forms[f]);
        perp_result whole = perp_result_empty();
        solve(&s, &batch, solver, device, 1, &whole);
        CHECK_SAY(whole.outcome == PERP_SOLVED, "%s", whole.message.text);
        CHECK(strstr(whole.message.text, "40 problems, all solved"));
        compare(&s, forms[f], s.x, s.each);
        sample_free(&s);
      }
  perp_solver_destroy(solver);
  perp_device_destroy(device);
}

/* Free rows are all in the basis, whose factor then has more rows than fit in the first kernel's
 * memory. */
static void large_bases(void)
{
  perp_device *device = open_device();
  perp_solver *solver = open_solver("blockpivot");
  for (int n = 40; n <= MOST; n += 28) {
    sample s = sample_make(n, PERP_FORM_MIXED, true, 31);
    for (int i = 0; i < n * (COUNT / 2); i++) { /* of the first half; planted with y = 0 */
      const double *A = s.A + (size_t)i * (size_t)n;
      s.lo[i] = -INFINITY;
      s.b[i] = 0;
      for (int j = 0; j < n; j++)
        s.b[i] -= A[j] * s.planted[i / n * n + j];
    }
    const perp_batch batch = batch_of(&s, PERP_FORM_MIXED);
    perp_result whole = perp_result_empty();
    for (int judge = 0; judge < 2; judge++) {
      perp_device_set_judge(device, judge ? PERP_JUDGE_DEVICE : PERP_JUDGE_HOST);
      solve(&s, &batch, solver, device, 2, &whole);
      CHECK_SAY(whole.outcome == PERP_SOLVED, "%s", whole.message.text);
      if (!judge)
        compare(&s, PERP_FORM_MIXED, s.x, s.each);
    }
    sample_free(&s);
  }
  perp_solver_destroy(solver);
  perp_device_destroy(device);
}

/* Every number of threads, every judge and every run gives the same bits; the two judges agree. */
static void same_bits(void)
{
  perp_device *device = open_device();
  perp_solver *solver = open_solver("blockpivot");
  sample s = sample_make(29, PERP_FORM_BOXED, true, 7);
  const size_t bytes = 29 * COUNT * sizeof(double);
  const perp_batch batch = batch_of(&s, PERP_FORM_BOXED);
  perp_result whole = perp_result_empty();
  solve(&s, &batch, solver, device, 1, &whole);
  double *first = perp_alloc_copy(s.x, 29 * COUNT, sizeof *first);
  double residual[COUNT], y[29 * COUNT], y_host[29 * COUNT];
  for (int k = 0; k < COUNT; k++)
    residual[k] = s.each[k].residual;
  perp_options options = perp_options_default();
  options.device = device;
  for (int judge = 0; judge < 2; judge++)
    for (int threads = 1; threads <= 4; threads++) {
      perp_device_set_judge(device, judge ? PERP_JUDGE_DEVICE : PERP_JUDGE_HOST);
      options.threads = threads;
      options.y = judge ? y : y_host;
      memset(s.x, 0, bytes);
      CHECK(perp_batch_solve(solver, &batch, &options, s.x, s.each, &whole) == PERP_OK);
      CHECK(whole.outcome == PERP_SOLVED && memcmp(first, s.x, bytes) == 0);
      for (int k = 0; k < COUNT; k++)
        CHECK(fabs(s.each[k].residual - residual[k]) <= 1e-15);
    }
  for (int i = 0; i < 29 * COUNT; i++)
    CHECK(fabs(y[i] - y_host[i]) <= 1e-15 * fmax(1, fabs(y[i])));
  perp_free(first);
  sample_free(&s);
  perp_solver_destroy(solver);
  perp_device_destroy(device);
}

/* An error in one problem is reported for that problem; the others keep their bits. */
static void failures_stay_alone(void)
{
  enum { N = 12, NAN_A = 3, NAN_B = 8, INVERTED = 15, START = 21, NO_SOLUTION = 30 };
  perp_device *device = open_device();
  perp_solver *solver = open_solver("blockpivot");
  for (int judge = 0; judge < 2; judge++) {
    sample s = sample_make(N, PERP_FORM_BOXED, true, 9);
    const perp_batch batch = batch_of(&s, PERP_FORM_BOXED);
    perp_result whole = perp_result_empty();
    perp_device_set_judge(device, judge ? PERP_JUDGE_DEVICE : PERP_JUDGE_HOST);
    solve(&s, &batch, solver, device, 2, &whole);
    double *clean = perp_alloc_copy(s.x, N * COUNT, sizeof *clean);
    memset(s.x, 0, N * COUNT * sizeof *s.x);
    s.A[NAN_A * N * N + 2 * N + 5] = NAN;
    s.b[NAN_B * N + 4] = -INFINITY;
    s.lo[INVERTED * N + 7] = 5;
    s.x[START * N + 1] = NAN;
    memset(s.A + NO_SOLUTION * N * N, 0, N * N * sizeof *s.A);
    for (int i = NO_SOLUTION * N; i < (NO_SOLUTION + 1) * N; i++) {
      s.lo[i] = 0;
      s.hi[i] = INFINITY;
      s.b[i] = -1;
    }
    perp_options options = perp_options_default();
    options.device = device;
    CHECK(perp_batch_solve(solver, &batch, &options, s.x, s.each, &whole) == PERP_OK);
    CHECK(s.each[NAN_A].error == PERP_ERROR_PROBLEM && !s.each[NAN_A].method);
    CHECK(s.each[NAN_B].error == PERP_ERROR_PROBLEM && isinf(s.each[NAN_B].residual));
    CHECK(s.each[INVERTED].error == PERP_ERROR_PROBLEM);
    CHECK(s.each[START].error == PERP_ERROR_ARGUMENT);
    CHECK(s.each[NO_SOLUTION].error == PERP_OK && s.each[NO_SOLUTION].outcome == PERP_STAGNATED);
    CHECK(s.each[NO_SOLUTION].residual == 1);
    CHECK_SAY(strstr(whole.message.text, "35 of 40 problems solved; problem 3: A(2,5) = nan"), "%s",
              whole.message.text);
    for (int i = 0; i < N * COUNT; i++) {
      const int k = i / N;
      if (s.each[k].outcome == PERP_SOLVED)
        CHECK(s.x[i] == clean[i]);
      else
        CHECK_SAY(i == START * N + 1 ? isnan(s.x[i]) : s.x[i] == 0, "x is as it was: problem %d",
                  k);
    }
    perp_free(clean);
    sample_free(&s);
  }
  perp_solver_destroy(solver);
  perp_device_destroy(device);
}

/* Ragged: a problem with too many rows fails without affecting the others. */
static void too_large_fails_alone(void)
{
  enum { LARGE = MOST + 1 };
  static double A[16 + LARGE * LARGE + 9], b[4 + LARGE + 3], x[4 + LARGE + 3];
  const int rows[] = {4, LARGE, 3};
  int64_t at = 0;
  for (int k = 0, from = 0; k < 3; from += rows[k++])
    for (int i = 0; i < rows[k]; i++, at += rows[k]) {
      A[at + i] = 2;
      b[from + i] = -1;
    }
  perp_device *device = open_device();
  perp_solver *solver = open_solver("blockpivot");
  perp_batch batch = perp_batch_dense(3, 0, A, b);
  batch.rows = rows;
  perp_batch_end each[3];
  perp_result whole = perp_result_empty();
  perp_options options = perp_options_default();
  options.device = device;
  CHECK(perp_batch_solve(solver, &batch, &options, x, each, &whole) == PERP_OK);
  CHECK(each[0].outcome == PERP_SOLVED && each[2].outcome == PERP_SOLVED);
  CHECK(each[1].error == PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(whole.message.text, "at most n = 96, this problem has n = 97"), "%s",
            whole.message.text);
  for (int i = 0; i < 4 + LARGE + 3; i++)
    CHECK(x[i] == (i < 4 || i >= 4 + LARGE ? 0.5 : 0));
  perp_solver_destroy(solver);
  perp_device_destroy(device);
}

static void never_in_silence(void)
{
  perp_device *device = NULL;
  perp_message why = {""};
  CHECK(perp_device_create("abacus", &device, &why) == PERP_ERROR_ARGUMENT && !device);
  CHECK(perp_device_create("cuda:x", &device, &why) != PERP_OK && !device);
  CHECK(perp_device_create("host:1", &device, &why) == PERP_ERROR_BACKEND && !device);
  CHECK(perp_device_create(NULL, &device, &why) == PERP_ERROR_ARGUMENT);
  const perp_error error = perp_device_create("cuda:0", &device, &why);
  if (error) /* not built, no driver or no GPU: reported in one line */
    CHECK_SAY(error == PERP_ERROR_BACKEND && !device && why.text[0], "%s", why.text);
  perp_device_destroy(device);

  device = open_device();
  CHECK_EQUAL_TEXT(perp_device_facts(device).name, device_name());
  CHECK(!perp_device_facts(NULL).name);
  perp_instance p = problem_random(6, PERP_FORM_LCP, 1, 3);
  const perp_problem problem = perp_instance_problem(&p);
  perp_options options = perp_options_default();
  options.device = device;
  perp_result r = perp_result_empty();
  double x[6] = {0};
  for (int k = 0; k < perp_method_count(); k++) {
    const char *name = perp_method_at(k).name;
    const perp_error e = perp_solve(name, &problem, &options, x, &r);
    if (strcmp(name, "blockpivot") == 0) {
      CHECK(e == PERP_OK && r.outcome == PERP_SOLVED && x[0] == x[0]);
      memset(x, 0, sizeof x);
      continue;
    }
    CHECK_SAY(e == PERP_ERROR_UNSUPPORTED, "%s", name);
    CHECK_SAY(strstr(r.message.text, name) && strstr(r.message.text, device_name()), "%s",
              r.message.text);
    CHECK(x[0] == 0 && r.outcome == PERP_NOT_RUN);
  }
  perp_solver *solver = open_solver("blockpivot"), *other = open_solver("pgs");
  const int findex[6] = {-1, 0, 0, -1, 3, 3};
  const double mu[2] = {1, 1}, a[36] = {0};
  perp_batch batch = perp_batch_dense(1, 6, a, p.b);
  CHECK(perp_batch_solve(other, &batch, &options, x, NULL, &r) == PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(r.message.text, "pgs"), "%s", r.message.text);
  batch.findex = findex;
  CHECK(perp_batch_solve(solver, &batch, &options, x, NULL, &r) == PERP_ERROR_UNSUPPORTED);
  batch.findex = NULL;
  batch.mu = mu;
  CHECK(perp_batch_solve(solver, &batch, &options, x, NULL, &r) == PERP_ERROR_UNSUPPORTED);
  batch = perp_batch_problems(1, &problem);
  CHECK(perp_batch_solve(solver, &batch, &options, x, NULL, &r) == PERP_ERROR_UNSUPPORTED);
  perp_solver_destroy(solver);
  perp_solver_destroy(other);
  perp_instance_destroy(&p);
  perp_device_destroy(device);
}

/* One problem by perp_solver_solve: the driver judges it. */
static void one_problem(void)
{
  perp_device *device = open_device();
  perp_solver *solver = open_solver("blockpivot");
  perp_options options = perp_options_default();
  options.device = device;
  for (int n = 1; n <= MOST; n += 5) {
    perp_instance p = problem_random(n, PERP_FORM_BOXED, 1, (uint64_t)n);
    perp_problem problem = perp_instance_problem(&p);
    double x[MOST] = {0}, alone[MOST] = {0};
    perp_result r = perp_result_empty(), there = perp_result_empty();
    CHECK(perp_solver_solve(solver, &problem, &options, x, &there) == PERP_OK);
    CHECK(perp_solver_solve(solver, &problem, NULL, alone, &r) == PERP_OK);
    CHECK_SAY(there.outcome == PERP_SOLVED && r.outcome == PERP_SOLVED, "%s", there.message.text);
    for (int i = 0; i < n; i++)
      CHECK_CLOSE(x[i], alone[i], 1e-12);
    /* from its own solution no step is needed */
    memcpy(alone, x, sizeof x);
    CHECK(perp_solver_solve(solver, &problem, &options, x, &there) == PERP_OK);
    CHECK(memcmp(alone, x, sizeof x) == 0 && there.counts.iterations == 0);
    perp_instance_destroy(&p);
  }
  const int64_t start[2] = {0, 1};
  const int column[1] = {0};
  const double value[1] = {1}, b[1] = {-1};
  double x[1] = {0};
  perp_operator *A = NULL;
  perp_result r = perp_result_empty();
  CHECK(perp_operator_csr(1, start, column, value, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem sparse = perp_problem_lcp(A, b);
  CHECK(perp_solver_solve(solver, &sparse, &options, x, &r) == PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(r.message.text, "dense matrices, this one is csr"), "%s", r.message.text);
  perp_operator_destroy(A);
  perp_solver_destroy(solver);
  perp_device_destroy(device);
}

/* Block steps cycle on this P-matrix: its principal minors are 1, the determinant 1 + 4^5. The
 * finite rule ends it, with the solution of a method that shares no code. */
static void the_finite_rule(void)
{
  enum { N = 5 };
  const double a[N * N] = {1, 4, 0, 0, 0, 0, 1, 4, 0, 0, 0, 0, 1,
                           4, 0, 0, 0, 0, 1, 4, 4, 0, 0, 0, 1};
  const double b[N] = {-2, 5, 5, -2, -9};
  double x[N] = {0}, other[N] = {0};
  perp_device *device = open_device();
  perp_solver *solver = open_solver("blockpivot");
  perp_options options = perp_options_default();
  options.device = device;
  options.max_iterations = 1000;
  const perp_batch batch = perp_batch_dense(1, N, a, b);
  perp_result r = perp_result_empty();
  CHECK(perp_solver_set(solver, "trials", 1000000, NULL) == PERP_OK);
  CHECK(perp_batch_solve(solver, &batch, &options, x, NULL, &r) == PERP_OK);
  CHECK_SAY(r.outcome == PERP_ITERATION_LIMIT, "%s", r.message.text);
  perp_operator *A = problem_dense(N, a);
  const perp_problem p = perp_problem_lcp(A, b);
  CHECK(perp_solve("lemke", &p, NULL, other, &r) == PERP_OK && r.outcome == PERP_SOLVED);
  for (int trials = 0; trials <= 10; trials += 5) {
    memset(x, 0, sizeof x);
    CHECK(perp_solver_set(solver, "trials", trials, NULL) == PERP_OK);
    CHECK(perp_batch_solve(solver, &batch, &options, x, NULL, &r) == PERP_OK);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s", r.message.text);
    for (int i = 0; i < N; i++)
      CHECK_CLOSE(x[i], other[i], 1e-13);
  }
  perp_operator_destroy(A);

  /* with single exchanges only, on problems of some size: the same x by more steps */
  sample s = sample_make(24, PERP_FORM_LCP, true, 5);
  const perp_batch more = batch_of(&s, PERP_FORM_LCP);
  perp_result single = perp_result_empty();
  solve(&s, &more, solver, device, 1, &r);
  CHECK(perp_solver_set(solver, "trials", 0, NULL) == PERP_OK);
  solve(&s, &more, solver, device, 1, &single);
  CHECK_SAY(single.outcome == PERP_SOLVED, "%s", single.message.text);
  CHECK(single.counts.iterations > 2 * r.counts.iterations);
  compare(&s, PERP_FORM_LCP, s.x, s.each);
  sample_free(&s);
  perp_solver_destroy(solver);
  perp_device_destroy(device);
}

/* A claim is not a verdict: with a tolerance below rounding no problem is solved; the result says
 * that a limit was reached, and x is no worse than the start. */
static void limits_are_told(void)
{
  perp_device *device = open_device();
  perp_solver *solver = open_solver("blockpivot");
  sample s = sample_make(40, PERP_FORM_LCP, true, 11);
  const perp_batch batch = batch_of(&s, PERP_FORM_LCP);
  perp_options options = perp_options_default();
  options.device = device;
  perp_result whole = perp_result_empty();
  for (int judge = 0; judge < 2; judge++) {
    perp_device_set_judge(device, judge ? PERP_JUDGE_DEVICE : PERP_JUDGE_HOST);
    options.tol = 0;
    options.max_iterations = 0;
    memset(s.x, 0, 40 * COUNT * sizeof *s.x);
    CHECK(perp_batch_solve(solver, &batch, &options, s.x, s.each, &whole) == PERP_OK);
    int refuted = 0;
    for (int k = 0; k < COUNT; k++)
      refuted += s.each[k].outcome == PERP_REFUTED && s.each[k].residual > 0;
    CHECK_SAY(refuted > COUNT / 2, "%d refuted", refuted);

    options.tol = 1e-8;
    int improved = 0;
    for (int limit = 1; limit <= 2; limit++) {
      options.max_iterations = limit;
      memset(s.x, 0, 40 * COUNT * sizeof *s.x);
      CHECK(perp_batch_solve(solver, &batch, &options, s.x, s.each, &whole) == PERP_OK);
      for (int k = 0; k < COUNT; k++) {
        double start = 0; /* the residual of x = 0 */
        for (int i = 0; i < 40; i++)
          start = fmax(start, -s.b[k * 40 + i]);
        CHECK_SAY(s.each[k].outcome == PERP_ITERATION_LIMIT || limit > 1, "%s",
                  perp_outcome_name(s.each[k].outcome));
        CHECK(s.each[k].residual <= start && s.each[k].iterations == limit);
        improved += s.each[k].outcome == PERP_ITERATION_LIMIT && s.each[k].residual < start;
      }
    }
    CHECK_SAY(improved > 0, "the last iterate is never taken");
  }
  perp_device_set_judge(device, PERP_JUDGE_HOST);
  options.max_iterations = 0;
  options.time_limit = 1e-9;
  memset(s.x, 0, 40 * COUNT * sizeof *s.x);
  CHECK(perp_batch_solve(solver, &batch, &options, s.x, s.each, &whole) == PERP_OK);
  for (int k = 0; k < COUNT; k++)
    CHECK(s.each[k].outcome == PERP_TIME_LIMIT && isfinite(s.each[k].residual));
  for (int i = 0; i < 40 * COUNT; i++)
    CHECK(s.x[i] == 0);
  sample_free(&s);
  perp_solver_destroy(solver);
  perp_device_destroy(device);
}

/* One matrix and one set for all; arrays on the device. */
static void shared_and_placed(void)
{
  enum { N = 9, PROBLEMS = 25 };
  perp_random random = perp_random_from(4);
  double *a = problem_dominant(N, 0.5, &random), b[N * PROBLEMS], x[N * PROBLEMS] = {0};
  double lo[N], hi[N], placed_x[N * PROBLEMS];
  for (int i = 0; i < N * PROBLEMS; i++)
    b[i] = perp_random_between(&random, -2, 2);
  for (int i = 0; i < N; i++) {
    lo[i] = -0.1 * i;
    hi[i] = i % 2 ? 1e300 : 0.2;
  }
  perp_device *device = open_device();
  perp_solver *solver = open_solver("blockpivot");
  perp_options options = perp_options_default();
  perp_batch batch = perp_batch_dense(PROBLEMS, N, a, b);
  batch.lo = lo;
  batch.hi = hi;
  batch.same_A = batch.same_K = 1;
  perp_result whole = perp_result_empty();
  CHECK(perp_batch_solve(solver, &batch, &options, x, NULL, &whole) == PERP_OK);
  CHECK(whole.outcome == PERP_SOLVED);
  options.device = device;
  void *there = NULL, *there_x = NULL;
  CHECK(perp_device_alloc(device, N * N * sizeof *a, &there, NULL) == PERP_OK);
  CHECK(perp_device_alloc(device, sizeof x, &there_x, NULL) == PERP_OK);
  CHECK(perp_device_upload(device, there, a, N * N * sizeof *a, NULL) == PERP_OK);
  memset(placed_x, 0, sizeof placed_x);
  CHECK(perp_device_upload(device, there_x, placed_x, sizeof x, NULL) == PERP_OK);
  batch.A = there;
  CHECK(perp_batch_solve(solver, &batch, &options, there_x, NULL, &whole) == PERP_OK);
  CHECK_SAY(whole.outcome == PERP_SOLVED, "%s", whole.message.text);
  CHECK(perp_device_download(device, placed_x, there_x, sizeof x, NULL) == PERP_OK);
  for (int i = 0; i < N * PROBLEMS; i++)
    CHECK_CLOSE(placed_x[i], x[i], 1e-13);
  perp_device_free(device, there);
  perp_device_free(device, there_x);
  perp_solver_destroy(solver);
  perp_device_destroy(device);
  perp_free(a);
}

static perp_error solve_once(perp_solver *solver, perp_device *device, void *context)
{
  const sample *s = context;
  const perp_batch batch = batch_of(s, PERP_FORM_LCP);
  perp_options options = perp_options_default();
  perp_result whole = perp_result_empty();
  options.device = device;
  memset(s->x, 0, 10 * COUNT * sizeof *s->x);
  const perp_error error = perp_batch_solve(solver, &batch, &options, s->x, s->each, &whole);
  CHECK(error || fail_at >= 0 || whole.outcome == PERP_SOLVED); /* else a single problem may fail */
  CHECK(error || perp_device_facts(device).taken > 0);
  return error;
}

static void memory(void)
{
  sample s = sample_make(10, PERP_FORM_LCP, false, 13);
  check_device_memory(&(device_call){"blockpivot", false, NULL, solve_once, &s});
  sample_free(&s);
}

static const test_case TESTS[] = {
    TEST(as_on_the_processor),
    TEST(large_bases),
    TEST(same_bits),
    TEST(failures_stay_alone),
    TEST(too_large_fails_alone),
    TEST(never_in_silence),
    TEST(one_problem),
    TEST(the_finite_rule),
    TEST(limits_are_told),
    TEST(shared_and_placed),
    TEST(memory),
};
TEST_MAIN(TESTS)
