/* Batches against one solve after another by a new solver each: the same bits for every number of
 * threads, whatever else is in the batch. */
#include "count_alloc.h"
#include "problems.h"
#include "test.h"

#include <perp/batch.h>

enum { COUNT = 60, MOST_ROWS = 12, ROOM = COUNT * MOST_ROWS };

/* Random problems of one form, as a batch and one by one. */
typedef struct sample {
  perp_instance instance[COUNT];
  perp_problem problem[COUNT];
  int rows[COUNT];
  double A[COUNT * MOST_ROWS * MOST_ROWS], b[ROOM], lo[ROOM], hi[ROOM], mu[ROOM];
  int findex[ROOM];
  int total;
} sample;

static void append(sample *s, int k)
{
  const perp_instance *p = &s->instance[k];
  const int n = p->A ? perp_operator_size(p->A) : 0;
  const double *a;
  int64_t stride;
  CHECK(perp_operator_dense_array(p->A, &a, &stride) == PERP_OK);
  static int64_t at_A; /* of the sample being made */
  if (k == 0)
    at_A = s->total = 0;
  for (int i = 0; i < n; i++) {
    memcpy(s->A + at_A + (int64_t)i * n, a + i * stride, (size_t)n * sizeof *a);
    s->b[s->total + i] = p->b[i];
    s->lo[s->total + i] = p->lo ? p->lo[i] : 0;
    s->hi[s->total + i] = p->hi ? p->hi[i] : INFINITY;
    s->findex[s->total + i] = p->findex ? p->findex[i] : -1;
  }
  for (int c = 0; c < p->cones; c++)
    s->mu[s->total / 3 + c] = p->mu[c];
  s->problem[k] = perp_instance_problem(p);
  s->rows[k] = n;
  s->total += n;
  at_A += (int64_t)n * n;
}

static void sample_make(sample *s, perp_form form, bool ragged, uint64_t seed)
{
  perp_random random = perp_random_from(seed);
  for (int k = 0; k < COUNT; k++) {
    const int n = ragged ? 3 * (1 + perp_random_below(&random, MOST_ROWS / 3)) : MOST_ROWS;
    perp_instance *p = &s->instance[k];
    *p = problem_random(n, form == PERP_FORM_CONE ? PERP_FORM_LCP : form, 1,
                        seed * 1000 + (uint64_t)k);
    if (form == PERP_FORM_CONE) {
      p->cones = n / 3;
      p->mu = perp_alloc((size_t)n / 3, sizeof *p->mu);
      for (int c = 0; c < n / 3; c++)
        p->mu[c] = perp_random_between(&random, 0.1, 1);
    }
    append(s, k);
  }
}

static void sample_destroy(sample *s)
{
  for (int k = 0; k < COUNT; k++)
    perp_instance_destroy(&s->instance[k]);
}

static perp_batch batch_of(const sample *s, perp_form form)
{
  perp_batch batch = perp_batch_dense(COUNT, MOST_ROWS, s->A, s->b);
  batch.rows = s->rows;
  if (form == PERP_FORM_CONE) {
    batch.mu = s->mu;
  } else if (form != PERP_FORM_LCP) {
    batch.lo = s->lo;
    batch.hi = s->hi;
    batch.findex = form == PERP_FORM_FINDEX ? s->findex : NULL;
  }
  return batch;
}

static void compare(const sample *s, const char *method, const double *x, const double *y,
                    const perp_batch_end *each)
{
  int at = 0;
  for (int k = 0; k < COUNT; k++) {
    double alone[MOST_ROWS] = {0}, y_alone[MOST_ROWS];
    perp_options options = perp_options_default();
    options.y = y_alone;
    perp_result r = perp_result_empty();
    CHECK(perp_solve(method, &s->problem[k], &options, alone, &r) == PERP_OK);
    CHECK_SAY(memcmp(alone, x + at, (size_t)s->rows[k] * sizeof *x) == 0, "x of problem %d", k);
    CHECK_SAY(memcmp(y_alone, y + at, (size_t)s->rows[k] * sizeof *x) == 0, "y of problem %d", k);
    CHECK(each[k].error == PERP_OK && each[k].outcome == r.outcome);
    CHECK(each[k].residual == r.residual && each[k].relative_residual == r.relative_residual);
    CHECK(each[k].iterations == r.counts.iterations);
    CHECK(strcmp(each[k].method, r.method) == 0);
    at += s->rows[k];
  }
}

static void same_bits_as_one_by_one(void)
{
  static sample s;
  static const perp_form forms[] = {PERP_FORM_LCP, PERP_FORM_MIXED, PERP_FORM_BOXED,
                                    PERP_FORM_FINDEX, PERP_FORM_CONE};
  for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
    for (int ragged = 0; ragged < 2; ragged++) {
      sample_make(&s, forms[f], ragged, 10 + f);
      perp_solver *solver = NULL;
      CHECK(perp_solver_create("auto", &solver, NULL) == PERP_OK);
      for (int threads = 1; threads <= 4; threads++) {
        static double x[ROOM], y[ROOM];
        static perp_batch_end each[COUNT];
        memset(x, 0, sizeof x);
        perp_options options = perp_options_default();
        options.threads = threads;
        options.y = y;
        const perp_batch dense = batch_of(&s, forms[f]);
        const perp_batch list = perp_batch_problems(COUNT, s.problem);
        perp_result whole = perp_result_empty();
        CHECK_SAY(perp_batch_solve(solver, threads % 2 ? &dense : &list, &options, x, each,
                                   &whole) == PERP_OK,
                  "%s", whole.message.text);
        CHECK_SAY(whole.outcome == PERP_SOLVED, "%s", whole.message.text);
        CHECK(strstr(whole.message.text, "60 problems, all solved"));
        CHECK(whole.relative_residual <= 1e-8 && whole.counts.iterations > 0);
        compare(&s, "auto", x, y, each);
      }
      perp_solver_destroy(solver);
      sample_destroy(&s);
    }
}

/* Parameters of the caller's solver apply, including those set between two batches. */
static void parameters_hold(void)
{
  static sample s;
  sample_make(&s, PERP_FORM_LCP, false, 77);
  perp_solver *solver = NULL, *alone = NULL;
  CHECK(perp_solver_create("psor", &solver, NULL) == PERP_OK);
  CHECK(perp_solver_create("psor", &alone, NULL) == PERP_OK);
  const perp_batch batch = batch_of(&s, PERP_FORM_LCP);
  const double omegas[] = {0.7, 1.3};
  for (int round = 0; round < 2; round++) {
    static double x[ROOM];
    memset(x, 0, sizeof x);
    CHECK(perp_solver_set(solver, "omega", omegas[round], NULL) == PERP_OK);
    CHECK(perp_solver_set(alone, "omega", omegas[round], NULL) == PERP_OK);
    perp_result whole = perp_result_empty();
    CHECK(perp_batch_solve(solver, &batch, NULL, x, NULL, &whole) == PERP_OK);
    for (int k = 0; k < COUNT; k++) {
      double z[MOST_ROWS] = {0};
      perp_result r = perp_result_empty();
      CHECK(perp_solver_solve(alone, &s.problem[k], NULL, z, &r) == PERP_OK);
      CHECK_SAY(memcmp(z, x + k * MOST_ROWS, sizeof z) == 0, "problem %d", k);
    }
  }
  perp_solver_destroy(solver);
  perp_solver_destroy(alone);
  sample_destroy(&s);
}

/* A NaN, a problem without a solution, an inverted bound and a wrong start do not affect other
 * problems. */
static void failures_stay_alone(void)
{
  static sample s;
  static double clean[ROOM], x[ROOM], ray[ROOM];
  static perp_batch_end each[COUNT];
  sample_make(&s, PERP_FORM_BOXED, false, 5);
  perp_solver *solver = NULL;
  CHECK(perp_solver_create("auto", &solver, NULL) == PERP_OK);
  const perp_batch batch = batch_of(&s, PERP_FORM_BOXED);
  perp_options options = perp_options_default();
  options.threads = 3;
  perp_result whole = perp_result_empty();
  CHECK(perp_batch_solve(solver, &batch, &options, clean, each, &whole) == PERP_OK);
  CHECK(whole.outcome == PERP_SOLVED);

  enum { NOT_A_NUMBER = 7, INFEASIBLE = 20, INVERTED = 33, BAD_START = 51 };
  s.A[NOT_A_NUMBER * MOST_ROWS * MOST_ROWS + 3] = NAN;
  s.lo[INVERTED * MOST_ROWS + 2] = s.hi[INVERTED * MOST_ROWS + 2] + 1;
  memset(s.A + INFEASIBLE * MOST_ROWS * MOST_ROWS, 0, MOST_ROWS * MOST_ROWS * sizeof *s.A);
  for (int i = INFEASIBLE * MOST_ROWS; i < (INFEASIBLE + 1) * MOST_ROWS; i++) {
    s.lo[i] = 0;
    s.hi[i] = INFINITY;
    s.b[i] = -1; /* y = b < 0 for every x */
  }
  x[BAD_START * MOST_ROWS] = INFINITY;
  options.ray = ray;
  CHECK(perp_batch_solve(solver, &batch, &options, x, each, &whole) == PERP_OK);
  CHECK(each[NOT_A_NUMBER].error == PERP_ERROR_PROBLEM);
  CHECK(each[INVERTED].error == PERP_ERROR_PROBLEM);
  CHECK(each[BAD_START].error == PERP_ERROR_ARGUMENT);
  CHECK(each[NOT_A_NUMBER].method == NULL && isinf(each[NOT_A_NUMBER].residual));
  CHECK(each[INFEASIBLE].error == PERP_OK && each[INFEASIBLE].outcome == PERP_INFEASIBLE);
  CHECK(whole.outcome == PERP_NOT_RUN);
  CHECK_SAY(strstr(whole.message.text, "56 of 60 problems solved; problem 7: A(0,3) = nan"), "%s",
            whole.message.text);
  bool has_ray = false;
  for (int i = 0; i < ROOM; i++) {
    const int k = i / MOST_ROWS;
    if (k == INFEASIBLE)
      has_ray |= ray[i] != 0;
    else
      CHECK_SAY(ray[i] == 0, "row %d of all: %g", i, ray[i]);
    if (k == NOT_A_NUMBER || k == INVERTED)
      CHECK(x[i] == 0);
    else if (k != INFEASIBLE && k != BAD_START)
      CHECK_SAY(x[i] == clean[i], "row %d of problem %d", i % MOST_ROWS, k);
  }
  CHECK(has_ray);
  perp_solver_destroy(solver);
  sample_destroy(&s);
}

static void one_matrix_for_all(void)
{
  static double x[40 * 6], b[40 * 6];
  const double lo[6] = {0}, hi[6] = {1, 1, 1, 1, 1, 1};
  perp_random random = perp_random_from(3);
  double *a = problem_dominant(6, 0.5, &random);
  for (int i = 0; i < 40 * 6; i++)
    b[i] = perp_random_between(&random, -2, 2);
  perp_batch batch = perp_batch_dense(40, 6, a, b);
  batch.lo = lo;
  batch.hi = hi;
  batch.same_A = batch.same_K = 1;
  perp_solver *solver = NULL;
  CHECK(perp_solver_create("auto", &solver, NULL) == PERP_OK);
  for (int threads = 1; threads < 4; threads++) {
    perp_options options = perp_options_default();
    options.threads = threads;
    perp_result whole = perp_result_empty();
    memset(x, 0, sizeof x);
    CHECK(perp_batch_solve(solver, &batch, &options, x, NULL, &whole) == PERP_OK);
    CHECK_SAY(whole.outcome == PERP_SOLVED, "%s", whole.message.text);
    perp_operator *A = problem_dense(6, a);
    for (int k = 0; k < 40; k++) {
      double z[6] = {0};
      const perp_problem p = perp_problem_boxed(A, b + 6 * k, lo, hi);
      perp_result r = perp_result_empty();
      CHECK(perp_solve("auto", &p, NULL, z, &r) == PERP_OK);
      CHECK_SAY(memcmp(z, x + 6 * k, sizeof z) == 0, "problem %d", k);
    }
    perp_operator_destroy(A);
    a[0] += 0.25; /* in place: the next batch has another matrix */
  }
  perp_solver_destroy(solver);
  perp_free(a);
}

static void wrong_batches_are_refused(void)
{
  const double a[4] = {1, 0, 0, 1}, b[2] = {-1, -1};
  double x[2] = {0};
  const int rows[2] = {1, -1}, unequal[2] = {1, 2};
  perp_solver *solver = NULL;
  CHECK(perp_solver_create("auto", &solver, NULL) == PERP_OK);
  perp_result r = perp_result_empty();
  perp_batch good = perp_batch_dense(1, 2, a, b), batch = good;
  CHECK(perp_batch_solve(NULL, &batch, NULL, x, NULL, &r) == PERP_ERROR_ARGUMENT);
  CHECK(perp_batch_solve(solver, NULL, NULL, x, NULL, &r) == PERP_ERROR_ARGUMENT);
  CHECK(perp_batch_solve(solver, &batch, NULL, NULL, NULL, &r) == PERP_ERROR_ARGUMENT);
  CHECK(perp_batch_solve(solver, &batch, NULL, x, NULL, NULL) == PERP_ERROR_ARGUMENT);
  batch.count = -1;
  CHECK(perp_batch_solve(solver, &batch, NULL, x, NULL, &r) == PERP_ERROR_ARGUMENT);
  batch = good;
  batch.A = NULL;
  CHECK(perp_batch_solve(solver, &batch, NULL, x, NULL, &r) == PERP_ERROR_ARGUMENT);
  batch = perp_batch_dense(2, 1, a, b);
  batch.rows = rows;
  CHECK(perp_batch_solve(solver, &batch, NULL, x, NULL, &r) == PERP_ERROR_ARGUMENT);
  CHECK_SAY(strstr(r.message.text, "rows[1] = -1 is negative"), "%s", r.message.text);
  batch.rows = unequal;
  batch.same_A = 1;
  CHECK(perp_batch_solve(solver, &batch, NULL, x, NULL, &r) == PERP_ERROR_ARGUMENT);
  perp_options options = perp_options_default();
  options.threads = 0;
  CHECK(perp_batch_solve(solver, &good, &options, x, NULL, &r) == PERP_ERROR_ARGUMENT);
  CHECK(x[0] == 0 && x[1] == 0);
  batch = perp_batch_dense(0, 2, NULL, NULL);
  CHECK(perp_batch_solve(solver, &batch, NULL, NULL, NULL, &r) == PERP_OK);
  CHECK(r.outcome == PERP_SOLVED);
  CHECK(perp_batch_solve(solver, &good, NULL, x, NULL, &r) == PERP_OK && x[0] == 1);
  perp_solver_destroy(solver);
}

/* The k-th allocation fails, for every k: an error or a batch as it should be, and nothing leaks; then
 * the second batch of the same shape allocates nothing. */
static void memory(void)
{
  static sample s;
  static double x[ROOM];
  sample_make(&s, PERP_FORM_LCP, false, 9);
  const perp_batch batch = batch_of(&s, PERP_FORM_LCP);
  const int64_t live = live_blocks;
  bool ended = false;
  for (int64_t k = 0; !ended; k++) {
    perp_solver *solver = NULL;
    perp_result whole = perp_result_empty();
    allocations = 0;
    fail_at = k;
    memset(x, 0, sizeof x);
    perp_error error = perp_solver_create("lemke", &solver, NULL);
    if (!error)
      error = perp_batch_solve(solver, &batch, NULL, x, NULL, &whole);
    fail_at = -1;
    ended = allocations <= k;
    CHECK_SAY(error == PERP_OK || error == PERP_ERROR_MEMORY, "allocation %d", (int)k);
    if (ended) {
      CHECK(error == PERP_OK && whole.outcome == PERP_SOLVED);
      memset(x, 0, sizeof x);
      allocations = 0;
      CHECK(perp_batch_solve(solver, &batch, NULL, x, NULL, &whole) == PERP_OK);
      CHECK_SAY(allocations == 0, "%d allocations", (int)allocations);
    }
    perp_solver_destroy(solver);
    CHECK(live_blocks == live);
  }
  sample_destroy(&s);
}

/* The limit applies to the batch: problems that are not reached say so. */
static void time_limit_holds_for_all(void)
{
  static sample s;
  static double x[ROOM];
  static perp_batch_end each[COUNT];
  sample_make(&s, PERP_FORM_LCP, false, 12);
  perp_solver *solver = NULL;
  CHECK(perp_solver_create("pgs", &solver, NULL) == PERP_OK);
  const perp_batch batch = batch_of(&s, PERP_FORM_LCP);
  perp_options options = perp_options_default();
  options.tol = 0;
  options.max_iterations = 1000000000;
  options.time_limit = 1e-9;
  perp_result whole = perp_result_empty();
  CHECK(perp_batch_solve(solver, &batch, &options, x, each, &whole) == PERP_OK);
  CHECK(each[COUNT - 1].error == PERP_OK && each[COUNT - 1].outcome == PERP_TIME_LIMIT);
  perp_solver_destroy(solver);
  sample_destroy(&s);
}

static const test_case TESTS[] = {
    TEST(same_bits_as_one_by_one),  TEST(parameters_hold),           TEST(failures_stay_alone),
    TEST(one_matrix_for_all),       TEST(wrong_batches_are_refused), TEST(memory),
    TEST(time_limit_holds_for_all),
};
TEST_MAIN(TESTS)
