/* test_dantzig_small.c: dantzig on dense friction problems of up to 64 rows, which it tries on the
 * stack first
 *
 * Every x is judged by perp_problem_judge. Scenes are solved as dense matrices here; test_dantzig.c has
 * them sparse, and the oracle that tries all sides. */
#include "problems.h"

enum { MOST = 96 };

static perp_result solve_dense(const perp_problem *p, const perp_options *options, double *x)
{
  perp_result r = perp_result_empty();
  CHECK_SAY(perp_solve("dantzig", p, options, x, &r) == PERP_OK, "%s", r.message.text);
  double residual, scale;
  CHECK(perp_problem_judge(p, x, &residual, &scale, NULL) == PERP_OK);
  CHECK_SAY((r.outcome == PERP_SOLVED) == (residual <= 1e-8 * scale), "%s, residual %g",
            perp_outcome_name(r.outcome), residual / scale);
  return r;
}

/* Solved, with the same bits again and from the sparse rows, and from its own solution without a
 * pivot or a factor. */
static void expect_dense(const char *text)
{
  perp_instance scene;
  perp_operator *A;
  perp_message why;
  CHECK_SAY(perp_generate(text, &scene, &why) == PERP_OK, "%s", why.text);
  CHECK(perp_operator_to_dense(scene.A, 0, &A, NULL) == PERP_OK);
  perp_problem p = perp_instance_problem(&scene);
  p.A = A;
  double x[MOST] = {0}, again[MOST] = {0};
  CHECK(p.K.n <= MOST);
  const perp_result r = solve_dense(&p, NULL, x);
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", text, r.message.text);
  solve_dense(&p, NULL, again);
  CHECK_SAY(memcmp(x, again, sizeof x) == 0, "%s: other bits", text);
  const perp_problem sparse = perp_instance_problem(&scene);
  double of_rows[MOST] = {0};
  solve_dense(&sparse, NULL, of_rows);
  CHECK_SAY(p.K.n > 64 || memcmp(x, of_rows, sizeof x) == 0, "%s: other bits by rows", text);
  const perp_result warm = solve_dense(&p, NULL, again);
  CHECK(warm.counts.factorisations == 0 && warm.counts.pivots == 0);
  perp_operator_destroy(A);
  perp_instance_destroy(&scene);
}

/* Sticking, sliding and opening contacts; redundant ones where cfm = 0. */
static void scenes_of_every_size(void)
{
  static const char *const kinds[] = {"stack:n=1", "stack:n=2", "stack:n=3",
                                      "stack:n=4", "stack:n=5", "stack:n=7",
                                      "pile:n=3",  "pile:n=6",  "pile:n=6,layout=random"};
  static const char *const mu[] = {"0", "0.1", "0.5", "1"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int m = 0; m < 4; m++)
      for (int seed = 1; seed <= 8; seed++) {
        char text[128];
        snprintf(text, sizeof text, "%s,form=findex,mu=%s,cfm=%s,jitter=%s,seed=%d", kinds[k],
                 mu[m], seed % 2 ? "0" : "1e-3", seed % 4 < 2 ? "0" : "0.3", seed);
        expect_dense(text);
      }
}

/* Every start, near or far. */
static void any_start_will_do(void)
{
  for (uint64_t seed = 1; seed <= 100; seed++) {
    const int n = 3 * (1 + (int)(seed % 21));
    perp_instance made = problem_random(n, PERP_FORM_FINDEX, 0.5, seed);
    const perp_problem p = perp_instance_problem(&made);
    double x[MOST];
    for (int i = 0; i < n; i++)
      x[i] = seed % 3 == 0 ? 1e3 * sin(7.0 * i) : seed % 3 == 1 ? 1e-3 * i : -1;
    CHECK(solve_dense(&p, NULL, x).outcome == PERP_SOLVED);
    perp_instance_destroy(&made);
  }
}

/* Infinite bounds are absent for every normal. */
static void friction_without_a_limit(void)
{
  const int findex[6] = {-1, 0, 0, -1, 3, 3};
  const double lo[6] = {0, -INFINITY, -0.5, 0, -0.2, -1e300};
  const double hi[6] = {INFINITY, INFINITY, 1e300, INFINITY, INFINITY, 0.1};
  perp_random random = perp_random_from(5);
  for (int trial = 0; trial < 200; trial++) {
    double *a = problem_dominant(6, 0.5, &random), b[6], x[6] = {0};
    for (int i = 0; i < 6; i++)
      b[i] = perp_random_between(&random, -1, 1);
    perp_operator *A = problem_dense(6, a);
    const perp_problem p = perp_problem_friction(A, b, lo, hi, findex);
    CHECK(solve_dense(&p, NULL, x).outcome == PERP_SOLVED);
    perp_operator_destroy(A);
    perp_free(a);
  }
}

/* Symmetry is tested when values are set: a matrix that loses it is solved as not symmetric. */
static void values_change_in_place(void)
{
  enum { N = 12 };
  for (uint64_t seed = 1; seed <= 50; seed++) {
    perp_instance made = problem_random(N, PERP_FORM_FINDEX, 0.5, seed);
    const double *values;
    int64_t stride;
    double a[N * N], x[N] = {0};
    CHECK(perp_operator_dense_array(made.A, &values, &stride) == PERP_OK);
    for (int i = 0; i < N; i++)
      memcpy(a + i * N, values + i * stride, N * sizeof *a);
    perp_problem p = perp_instance_problem(&made);
    perp_operator *A;
    CHECK(perp_operator_dense(N, a, N, PERP_BORROW, &A, NULL) == PERP_OK);
    p.A = A;
    CHECK(solve_dense(&p, NULL, x).outcome == PERP_SOLVED);
    perp_random random = perp_random_from(seed);
    for (int i = 0; i < N * N; i++)
      a[i] *= 1 + 1e-2 * perp_random_between(&random, -1, 1);
    CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
    CHECK(solve_dense(&p, NULL, x).outcome == PERP_SOLVED);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < i; j++)
        a[i * N + j] = a[j * N + i];
    CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
    CHECK(solve_dense(&p, NULL, x).outcome == PERP_SOLVED);
    perp_operator_destroy(A);
    perp_instance_destroy(&made);
  }
}

static bool stop_at_once(void *context, const perp_progress *progress)
{
  ++*(int *)context;
  return progress->iteration < 0;
}

/* An observer sees the start and may stop there; a refused x is unchanged. */
static void observers_see_the_start(void)
{
  perp_instance made = problem_random(12, PERP_FORM_FINDEX, 0.5, 3);
  const perp_problem p = perp_instance_problem(&made);
  int seen = 0;
  perp_options o = perp_options_default();
  o.observer = stop_at_once;
  o.observer_context = &seen;
  double x[12] = {0};
  CHECK_EQUAL_INT(solve_dense(&p, &o, x).outcome, PERP_STOPPED);
  CHECK_EQUAL_INT(seen, 1);
  for (int i = 0; i < 12; i++)
    CHECK(x[i] == 0);
  perp_instance_destroy(&made);
}

/* A box on four corners, one more than needed: the normal that must push replaces another, and
 * block pivots finish without sweeps. */
static void a_corner_too_many(void)
{
  for (int seed = 1; seed <= 60; seed++) {
    char text[64];
    snprintf(text, sizeof text, "stack:n=1,form=findex,seed=%d", seed);
    perp_instance scene;
    CHECK(perp_generate(text, &scene, NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&scene);
    double x[12] = {0};
    const perp_result r = solve_dense(&p, NULL, x);
    CHECK_SAY(r.outcome == PERP_SOLVED && r.counts.sweeps == 0 && r.counts.factorisations <= 6,
              "%s: %d sweeps, %d factors", text, (int)r.counts.sweeps,
              (int)r.counts.factorisations);
    perp_instance_destroy(&scene);
  }
}

static const test_case tests[] = {
    TEST(scenes_of_every_size),   TEST(any_start_will_do),       TEST(friction_without_a_limit),
    TEST(values_change_in_place), TEST(observers_see_the_start), TEST(a_corner_too_many),
};

TEST_MAIN(tests)
