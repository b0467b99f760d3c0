/* test_sweeps.c: orders, threads, relaxations and ends of the sweep methods, judged by perp_problem_judge */
#include "sweeps.h"

/* ---- Orders, threads, relaxation ---- */

static void random_sweeps_follow_their_number(void)
{
  perp_instance instance = generated("stack:form=findex,plant=yes,operator=contact");
  const perp_problem p = perp_instance_problem(&instance);
  const size_t bytes = (size_t)p.K.n * sizeof(double);
  static const char *const methods[] = {"pgs", "psor", "nncg", "bgs"};
  for (int m = 0; m < 4; m++) {
    double *x[3];
    for (int k = 0; k < 3; k++) {
      perp_options o = perp_options_default();
      o.seed = k == 2 ? 99 : 5;
      o.tol = 0;
      o.max_iterations = 10;
      x[k] = calloc(1, bytes);
      solve_with(methods[m], "order=random", &p, &o, x[k]);
    }
    CHECK(!memcmp(x[0], x[1], bytes));
    CHECK(memcmp(x[0], x[2], bytes));
    for (int k = 0; k < 3; k++)
      free(x[k]);
  }
  perp_instance_destroy(&instance);
}

static void the_bits_do_not_depend_on_threads(void)
{
  static const struct {
    const char *method, *problem;
  } cases[] = {
      {"coloured", "obstacle:n=16129"},
      {"coloured", "pile:form=findex,n=150"},
      {"coloured", "pile:form=findex,n=150,operator=contact"},
      {"coloured", "pile:form=lcp,n=150"},
      {"bjacobi", "pile:form=cone,n=150"},
      {"bjacobi", "pile:form=findex,n=150,operator=contact"},
      {"nncg", "obstacle:n=3969"},
  };
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    perp_instance instance = generated(cases[c].problem);
    const perp_problem p = perp_instance_problem(&instance);
    const size_t bytes = (size_t)p.K.n * sizeof(double);
    double *x[3];
    for (int k = 0; k < 3; k++) {
      perp_options o = perp_options_default();
      o.threads = 1 + k;
      o.max_iterations = 40;
      x[k] = calloc(1, bytes);
      solve_with(cases[c].method, "", &p, &o, x[k]);
      CHECK_SAY(!memcmp(x[0], x[k], bytes), "%s on %s with %d threads", cases[c].method,
                cases[c].problem, k + 1);
    }
    for (int k = 0; k < 3; k++)
      free(x[k]);
    perp_instance_destroy(&instance);
  }
}

static int64_t sweeps_to(const char *method, const char *settings, const char *text, double tol)
{
  perp_instance instance = generated(text);
  const perp_problem p = perp_instance_problem(&instance);
  perp_options o = perp_options_default();
  o.tol = tol;
  o.max_iterations = 100000;
  double *x = calloc((size_t)p.K.n, sizeof *x);
  const perp_result r = solve_with(method, settings, &p, &o, x);
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s %s on %s: %s", method, settings, text, r.message.text);
  free(x);
  perp_instance_destroy(&instance);
  return r.counts.sweeps;
}

static void conjugate_sweeps_are_a_third_on_walls(void)
{
  static const char *const walls[] = {
      "wall:size=nb449_nc1821,form=stick",
      "wall:size=nb449_nc1821,form=findex",
  };
  for (int k = 0; k < 2; k++) {
    const int64_t pgs = sweeps_to("pgs", "", walls[k], 1e-6);
    const int64_t nncg = sweeps_to("nncg", "", walls[k], 1e-6);
    CHECK_SAY(3 * nncg <= pgs, "%s: nncg %lld, pgs %lld", walls[k], (long long)nncg,
              (long long)pgs);
  }
}

/* On a grid of m x m cells the best relaxation is 2 / (1 + sin(pi / (m + 1))) and takes O(m)
 * sweeps; Gauss-Seidel takes O(m^2). */
static void the_relaxation_is_found_on_the_run(void)
{
  static const candidate found[] = {{"psor", ""}, {"coloured", ""}};
  for (int k = 0; k < 2; k++) {
    const char *method = found[k].method, *grid = "obstacle:n=3969";
    const int64_t plain = sweeps_to(method, "omega=1", grid, 1e-6);
    const int64_t best = sweeps_to(method, "omega=1.9", grid, 1e-6);
    const int64_t own = sweeps_to(method, "omega=0", grid, 1e-6);
    CHECK_SAY(6 * own <= plain && own <= 2 * best, "%s: %lld sweeps, %lld with 1, %lld with 1.9",
              method, (long long)own, (long long)plain, (long long)best);
  }
}

/* ---- When to check ---- */

/* The sweeps of a run with a check after each, or one more, and products only for the start and the
 * end. */
static void sweeps_tell_when_they_are_done(void)
{
  static const char *const problems[] = {
      "pd:n=24,shift=300",
      "pd:n=27,shift=300,free=0.5,form=boxed",
      "stack:n=2,form=findex,cfm=1000",
      "banded:n=60,margin=20",
      "banded:n=60,margin=20,form=boxed",
      "stack:n=2,form=findex,cfm=1000,operator=csr",
  };
  static const candidate sweeps[] = {
      {"pgs", ""}, {"pgs", "order=backward"}, {"psor", ""}, {"psor", "omega=1.05"}, {"spsor", ""}};
  for (size_t k = 0; k < sizeof problems / sizeof *problems; k++)
    for (size_t m = 0; m < sizeof sweeps / sizeof *sweeps; m++) {
      perp_instance instance = generated(problems[k]);
      const perp_problem p = perp_instance_problem(&instance);
      perp_options always = perp_options_default();
      always.check_every = 1;
      double x[256] = {0}, y[256] = {0};
      const perp_result slow = solve_with(sweeps[m].method, sweeps[m].settings, &p, &always, x);
      const perp_result r = solve_with(sweeps[m].method, sweeps[m].settings, &p, NULL, y);
      CHECK_SAY(slow.outcome == PERP_SOLVED && r.outcome == PERP_SOLVED, "%s, %s", problems[k],
                sweeps[m].method);
      CHECK_SAY(r.counts.iterations <= slow.counts.iterations + 1 && r.counts.applies <= 4 &&
                    (slow.counts.iterations < 3 || r.counts.applies < slow.counts.applies),
                "%s, %s %s: %lld iterations, %lld products, not %lld and %lld", problems[k],
                sweeps[m].method, sweeps[m].settings, (long long)r.counts.iterations,
                (long long)r.counts.applies, (long long)slow.counts.iterations,
                (long long)slow.counts.applies);
      perp_instance_destroy(&instance);
    }
}

/* Each row adds a million times the next: after two sweeps the steps are small, and x far off. */
static void small_steps_are_not_taken_for_a_solution(void)
{
  enum { N = 4 };
  double a[N * N] = {0};
  const double gain = 1e6, b[N] = {-1, 0, 0, -1e-13};
  for (int i = 0; i < N; i++) {
    a[i * N + i] = 1;
    if (i + 1 < N)
      a[i * N + i + 1] = -gain;
  }
  perp_operator *dense = problem_dense(N, a), *csr = NULL;
  CHECK(perp_operator_to_csr(dense, 0, &csr, NULL) == PERP_OK);
  for (int kind = 0; kind < 2; kind++) {
    const perp_problem p = perp_problem_lcp(kind ? csr : dense, b);
    double x[N] = {0};
    const perp_result r = solve_with("pgs", "", &p, NULL, x);
    CHECK(r.outcome == PERP_SOLVED && r.residual <= 1e-8 && r.counts.iterations >= 4);
    CHECK_CLOSE(x[0], 100001, 1e-6);
  }
  perp_operator_destroy(csr);
  perp_operator_destroy(dense);
}

/* ---- Rows without entries ---- */

/* x_i moves to the bound given by the sign of b_i, in boxes and in friction rows; if that side is
 * unbounded there is no solution, and none is claimed. */
static void rows_without_entries_go_to_their_bounds(void)
{
  enum { N = 6 };
  const double I = INFINITY;
  double a[N * N] = {0};
  a[0] = 2;
  a[4 * N + 4] = 3;
  a[4 * N + 1] = 0.5; /* a column with an entry, of a row without */
  const double b[N] = {-4, -1, 1, 0, -6, 0.5}, lo[N] = {0, 0, -3, -1, -I, -0.5},
               hi[N] = {I, 7, 5, 1, I, 0.5}, expected[N] = {2, 7, -3, 0, 2 - 3.5 / 3, -1};
  const int findex[N] = {-1, -1, -1, -1, -1, 0};
  perp_operator *dense = problem_dense(N, a), *csr = NULL;
  CHECK(perp_operator_to_csr(dense, 0, &csr, NULL) == PERP_OK);
  static const char *const methods[] = {"pgs", "psor", "spsor", "coloured"};
  for (int kind = 0; kind < 2; kind++)
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
      const perp_problem p = perp_problem_friction(kind ? csr : dense, b, lo, hi, findex);
      double x[N] = {0};
      const perp_result r = solve_with(methods[m], "", &p, NULL, x);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", methods[m], r.message.text);
      for (int i = 0; i < N; i++)
        CHECK_CLOSE(x[i], expected[i], 1e-8);
      const perp_problem none = perp_problem_lcp(kind ? csr : dense, b);
      memset(x, 0, sizeof x);
      CHECK(solve_with(methods[m], "", &none, NULL, x).outcome != PERP_SOLVED);
    }
  perp_operator_destroy(csr);
  perp_operator_destroy(dense);
}

/* ---- Bad input ---- */

static const char *const splitting[] = {"jacobi",   "pgs", "psor",    "spsor",
                                        "coloured", "bgs", "bjacobi", "nncg"};

/* Rows that feed each other: sweeps without damping grow by a factor of 4 or more. */
static void divergence_ends_with_the_best_iterate(void)
{
  enum { N = 6 };
  double a[N * N] = {0}, b[N];
  for (int i = 0; i < N; i++) {
    a[i * N + i] = 1;
    a[i * N + (i + 1) % N] = -3;
    a[i * N + (i + 2) % N] = 2;
    b[i] = i % 2 ? -1 : 0.5;
  }
  perp_operator *A = problem_dense(N, a);
  const perp_problem p = perp_problem_lcp(A, b);
  for (size_t m = 0; m < sizeof splitting / sizeof *splitting; m++) {
    double x[N] = {0}, start, scale;
    CHECK(perp_problem_judge(&p, x, &start, &scale, NULL) == PERP_OK);
    const perp_result r = solve_with(splitting[m], "", &p, NULL, x);
    CHECK_SAY(r.residual <= start, "%s: residual %g, at the start %g", splitting[m], r.residual,
              start);
    CHECK_SAY(r.outcome != PERP_SOLVED || r.residual <= 1e-8 * scale, "%s", splitting[m]);
    if (!strcmp(splitting[m], "pgs") || !strcmp(splitting[m], "bgs"))
      CHECK_SAY(r.outcome == PERP_DIVERGED || r.outcome == PERP_NON_FINITE, "%s: %s", splitting[m],
                r.message.text);
  }
  perp_operator_destroy(A);
}

static void a_zero_diagonal_is_refused_by_row(void)
{
  double a[9] = {1, 0, 0, 0, 0, 1, 0, 1, 2};
  const double b[3] = {-1, -1, -1}, mu[1] = {0.5};
  perp_operator *A = problem_dense(3, a);
  for (size_t m = 0; m < sizeof splitting / sizeof *splitting; m++)
    for (int random = 0; random < 2; random++) {
      const perp_problem p = perp_problem_lcp(A, b);
      perp_solver *solver = NULL;
      perp_result r = perp_result_empty();
      double x[3] = {0};
      CHECK(perp_solver_create(splitting[m], &solver, NULL) == PERP_OK);
      if (random)
        perp_solver_set_text(solver, "order", "random", NULL);
      CHECK(perp_solver_solve(solver, &p, NULL, x, &r) == PERP_ERROR_UNSUPPORTED);
      CHECK_SAY(strstr(r.message.text, "A(1,1) = 0") && strstr(r.message.text, splitting[m]), "%s",
                r.message.text);
      perp_solver_destroy(solver);
    }
  const perp_problem cone = perp_problem_cone(A, b, mu);
  perp_result r = perp_result_empty();
  double x[3] = {0};
  CHECK(perp_solve("bgs", &cone, NULL, x, &r) == PERP_ERROR_UNSUPPORTED);
  CHECK(strstr(r.message.text, "A(1,1) = 0"));
  CHECK(perp_solve("pgs", &cone, NULL, x, &r) == PERP_ERROR_UNSUPPORTED);
  perp_operator_destroy(A);
}

/* Cones over indefinite matrices: any outcome except a wrong one. */
static void cones_of_any_matrix_end(void)
{
  perp_random random = perp_random_from(23);
  for (int k = 0; k < 60; k++) {
    enum { N = 9 };
    double a[N * N], b[N], mu[3], x[N] = {0};
    for (int e = 0; e < N * N; e++)
      a[e] = perp_random_normal(&random);
    for (int i = 0; i < N; i++) {
      a[i * N + i] = fabs(a[i * N + i]) + 0.1;
      b[i] = perp_random_normal(&random);
    }
    for (int c = 0; c < 3; c++)
      mu[c] = pow(10, perp_random_between(&random, -2, 2));
    perp_operator *A = problem_dense(N, a);
    const perp_problem p = perp_problem_cone(A, b, mu);
    perp_options o = perp_options_default();
    o.max_iterations = 500;
    solve_with("bgs", "", &p, &o, x);
    memset(x, 0, sizeof x);
    solve_with("bjacobi", "", &p, &o, x);
    perp_operator_destroy(A);
  }
}

static const test_case tests[] = {
    TEST(random_sweeps_follow_their_number),       TEST(the_bits_do_not_depend_on_threads),
    TEST(conjugate_sweeps_are_a_third_on_walls),   TEST(the_relaxation_is_found_on_the_run),
    TEST(sweeps_tell_when_they_are_done),          TEST(small_steps_are_not_taken_for_a_solution),
    TEST(rows_without_entries_go_to_their_bounds), TEST(divergence_ends_with_the_best_iterate),
    TEST(a_zero_diagonal_is_refused_by_row),       TEST(cones_of_any_matrix_end),
};

TEST_MAIN(tests)
