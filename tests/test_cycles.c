/* test_cycles.c: the number of cycles of mg on its kinds of problems, and their
 * behaviour on hard ones
 *
 * Oracles: perp_problem_judge for every result; counts of cycles; results from other starts. */
#include "method/multilevel/algebraic/aggregation.h"
#include "method/run/method.h"
#include "problems.h"

#include <float.h>

/* ---- Counts of cycles ---- */

static perp_result solve_kind(const char *kind, const char *method)
{
  perp_instance instance;
  perp_message why;
  CHECK_SAY(perp_generate(kind, &instance, &why) == PERP_OK, "%s", why.text);
  const perp_problem p = perp_instance_problem(&instance);
  double *x = perp_alloc_zero((size_t)p.K.n, sizeof *x);
  perp_result r = perp_result_empty();
  CHECK_SAY(perp_solve(method, &p, NULL, x, &r) == PERP_OK, "%s", r.message.text);
  double residual, scale;
  CHECK(perp_problem_judge(&p, x, &residual, &scale, NULL) == PERP_OK);
  CHECK_SAY((r.outcome == PERP_SOLVED) == (residual <= 1e-8 * scale), "%s: %s", kind,
            r.message.text);
  perp_free(x);
  perp_instance_destroy(&instance);
  return r;
}

static void cycles_do_not_grow(void)
{
  static const struct {
    const char *small, *large;
  } pairs[] = {
      {"obstacle:points=66", "obstacle:points=259"},
      {"obstacle:points=66,variant=waves", "obstacle:points=259,variant=waves"},
      {"obstacle:points=66,variant=plain,form=lcp", "obstacle:points=259,variant=plain,form=lcp"},
      {"torsion:points=66", "torsion:points=259"},
      {"journal:grid=64", "journal:grid=257"},
      {"fluid:grid=64", "fluid:grid=255"},
      {"fluid:grid=64,scene=drop", "fluid:grid=255,scene=drop"},
      {"fluid:grid=64,scene=tilted", "fluid:grid=255,scene=tilted"},
      {"fluid:grid=64,scene=tank", "fluid:grid=255,scene=tank"},
      {"fluid:grid=100,nx=37", "fluid:grid=300,nx=111"},
      {"fluid:grid=12,dimension=3", "fluid:grid=40,dimension=3"},
      {"fluid:grid=12,dimension=3,scene=drop", "fluid:grid=40,dimension=3,scene=drop"},
      {"fluid:grid=12,dimension=3,scene=tank", "fluid:grid=40,dimension=3,scene=tank"},
  };
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
    const perp_result small = solve_kind(pairs[k].small, "mg");
    const perp_result large = solve_kind(pairs[k].large, "mg");
    CHECK_SAY(small.outcome == PERP_SOLVED && large.outcome == PERP_SOLVED, "%s", pairs[k].large);
    CHECK_SAY(large.counts.cycles <= 15, "%s: %d cycles", pairs[k].large, (int)large.counts.cycles);
    CHECK_SAY((double)large.counts.cycles <= 1.3 * (double)small.counts.cycles + 1,
              "%s: %d cycles after %d", pairs[k].large, (int)large.counts.cycles,
              (int)small.counts.cycles);
  }
}

static void aggregation_needs_few_cycles(void)
{
  const perp_result r = solve_kind("spd-sparse:n=2000", "mg");
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s", r.message.text);
  perp_instance instance;
  CHECK(perp_generate("fluid:grid=100,scene=drop,operator=csr,form=lcp", &instance, NULL) ==
        PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  double *x = perp_alloc_zero((size_t)p.K.n, sizeof *x);
  perp_result s = perp_result_empty();
  CHECK(perp_solve("mg", &p, NULL, x, &s) == PERP_OK);
  CHECK_SAY(s.outcome == PERP_SOLVED && s.counts.cycles <= 80, "%s, %d cycles", s.message.text,
            (int)s.counts.cycles);
  perp_free(x);
  perp_instance_destroy(&instance);
}

/* ---- Hard cases ---- */

/* From the solutions on aggregates the free set is nearly right: a few iterations, and no more on a
 * grid with four times the cells. */
static void nested_starts_find_the_free_set(void)
{
  static const char *const kinds[] = {
      "obstacle:points=66,variant=plain,operator=csr", "obstacle:points=130,operator=csr",
      "obstacle:points=130,variant=plain,form=lcp,operator=csr", "torsion:points=130,operator=csr",
      "fluid:grid=24,dimension=3,operator=csr"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    perp_instance instance;
    CHECK(perp_generate(kinds[k], &instance, NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&instance);
    double *x[2];
    int64_t iterations[2];
    for (int start = 0; start < 2; start++) {
      perp_solver *solver = NULL;
      perp_result r = perp_result_empty();
      x[start] = perp_alloc_zero((size_t)p.K.n, sizeof(double));
      CHECK(perp_solver_create("mg", &solver, NULL) == PERP_OK);
      CHECK(perp_solver_set_text(solver, "hierarchy", "algebraic", NULL) == PERP_OK);
      CHECK(perp_solver_set_text(solver, "start", start ? "1" : "0", NULL) == PERP_OK);
      CHECK(perp_solver_solve(solver, &p, NULL, x[start], &r) == PERP_OK);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", kinds[k], r.message.text);
      iterations[start] = r.counts.iterations;
      perp_solver_destroy(solver);
    }
    CHECK_SAY(iterations[1] < iterations[0] && iterations[1] <= 9, "%s: %d iterations, cold %d",
              kinds[k], (int)iterations[1], (int)iterations[0]);
    for (int i = 0; i < p.K.n; i++)
      CHECK_CLOSE(x[0][i], x[1][i], 1e-6);
    perp_free(x[0]);
    perp_free(x[1]);
    perp_instance_destroy(&instance);
  }
}

static void singular_and_infeasible_pressures(void)
{
  const perp_result still = solve_kind("fluid:grid=33,scene=tank,drain=0", "mg");
  CHECK_SAY(still.outcome == PERP_SOLVED, "%s", still.message.text);
  const perp_result drawn = solve_kind("fluid:grid=33,scene=tank,drain=0.1", "mg");
  CHECK_SAY(drawn.outcome == PERP_SOLVED, "%s", drawn.message.text);
  const perp_result blown = solve_kind("fluid:grid=33,scene=tank,drain=-0.1", "mg");
  CHECK(blown.outcome != PERP_SOLVED);
  CHECK(blown.counts.iterations < 1000);
}

/* All rows free: a linear system, also one whose matrix is singular but consistent. */
static void without_bounds_it_is_linear(void)
{
  enum { SIDE = 60, N = SIDE * SIDE };
  for (int walls = 0; walls < 2; walls++) {
    perp_operator *A = NULL;
    double *d = perp_alloc((size_t)N, sizeof *d), *b = perp_alloc((size_t)N, sizeof *b);
    double *x = perp_alloc_zero((size_t)N, sizeof *x), *lo = perp_alloc((size_t)N, sizeof *lo);
    double *hi = perp_alloc((size_t)N, sizeof *hi), sum = 0;
    perp_random random = perp_random_from(5);
    for (int c = 0; c < N; c++) {
      const int i = c % SIDE, j = c / SIDE;
      d[c] = walls ? 4 - (i == 0) - (i == SIDE - 1) - (j == 0) - (j == SIDE - 1) : 4;
      b[c] = perp_random_between(&random, -1, 1);
      sum += b[c];
      lo[c] = -INFINITY;
      hi[c] = INFINITY;
    }
    for (int c = 0; c < N && walls; c++)
      b[c] -= sum / N;
    const perp_stencil_data data = {.size = sizeof(perp_stencil_data),
                                    .nx = SIDE,
                                    .ny = SIDE,
                                    .nz = 1,
                                    .weight = 1,
                                    .diagonal = d};
    CHECK(perp_operator_stencil(&data, PERP_COPY, &A, NULL) == PERP_OK);
    const perp_problem p = perp_problem_boxed(A, b, lo, hi);
    perp_result r = perp_result_empty();
    CHECK(perp_solve("mg", &p, NULL, x, &r) == PERP_OK);
    CHECK_SAY(r.outcome == PERP_SOLVED && r.counts.cycles <= 12, "%s, %d cycles", r.message.text,
              (int)r.counts.cycles);
    perp_operator_destroy(A);
    perp_free(d);
    perp_free(b);
    perp_free(x);
    perp_free(lo);
    perp_free(hi);
  }
}

/* Numbers near the ends of the range of doubles: the hierarchy uses floats. */
static void huge_and_tiny_numbers(void)
{
  static const double sizes[] = {1e-200, 1e-30, 1, 1e30, 1e150};
  enum { SIDE = 20, N = SIDE * SIDE };
  for (int a = 0; a < 5; a++)
    for (int c = 0; c < 5; c++) {
      perp_operator *A = NULL;
      const perp_stencil_data data = {
          .size = sizeof(perp_stencil_data), .nx = SIDE, .ny = SIDE, .nz = 1, .weight = sizes[a]};
      CHECK(perp_operator_stencil(&data, PERP_COPY, &A, NULL) == PERP_OK);
      double b[N], x[N] = {0};
      perp_random random = perp_random_from(9);
      for (int i = 0; i < N; i++)
        b[i] = sizes[c] * perp_random_between(&random, -1, 0.5);
      const perp_problem p = perp_problem_lcp(A, b);
      perp_result r = perp_result_empty();
      CHECK(perp_solve("mg", &p, NULL, x, &r) == PERP_OK);
      double residual, scale;
      CHECK(perp_problem_judge(&p, x, &residual, &scale, NULL) == PERP_OK);
      CHECK((r.outcome == PERP_SOLVED) == (residual <= 1e-8 * scale));
      /* min(x, y) ignores units, so solvability depends on the sizes */
      if (sizes[a] == 1 && sizes[c] >= 1e-30)
        CHECK_SAY(r.outcome == PERP_SOLVED, "weights %g, b %g: %s", sizes[a], sizes[c],
                  r.message.text);
      perp_operator_destroy(A);
    }
}

/* The result does not depend on the number of threads; a second solve gives the same bits. */
static void same_bits(void)
{
  static const char *const kinds[] = {"fluid:grid=300,scene=drop", "obstacle:points=300",
                                      "fluid:grid=60,dimension=3,scene=tank"};
  for (size_t k = 0; k < 3; k++) {
    perp_instance instance;
    CHECK(perp_generate(kinds[k], &instance, NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&instance);
    const size_t n = (size_t)p.K.n;
    double *x[2];
    for (int t = 0; t < 2; t++) {
      perp_options o = perp_options_default();
      perp_result r = perp_result_empty();
      o.threads = 1 + t;
      x[t] = perp_alloc_zero(n, sizeof(double));
      CHECK(perp_solve("mg", &p, &o, x[t], &r) == PERP_OK);
    }
    CHECK(!memcmp(x[0], x[1], n * sizeof(double)));
    perp_free(x[0]);
    perp_free(x[1]);
    perp_instance_destroy(&instance);
  }
}

/* From the solution of a problem nearby: fewer cycles than from nothing. */
static void warm_starts_help(void)
{
  perp_instance instance;
  CHECK(perp_generate("fluid:grid=120,scene=drop", &instance, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  double *x = perp_alloc_zero((size_t)p.K.n, sizeof *x);
  perp_result cold = perp_result_empty(), warm = perp_result_empty();
  CHECK(perp_solve("mg", &p, NULL, x, &cold) == PERP_OK);
  for (int i = 0; i < p.K.n; i++)
    x[i] *= 1 + 1e-6 * (i % 3 - 1);
  CHECK(perp_solve("mg", &p, NULL, x, &warm) == PERP_OK);
  CHECK_SAY(warm.outcome == PERP_SOLVED && warm.counts.cycles < cold.counts.cycles, "%d, %d cycles",
            (int)warm.counts.cycles, (int)cold.counts.cycles);
  perp_free(x);
  perp_instance_destroy(&instance);
}

static void what_is_no_grid_is_refused_by_name(void)
{
  const double a[4] = {2, 1, 1, 2}, b[2] = {-1, -1};
  perp_operator *A = problem_dense(2, a);
  const perp_problem p = perp_problem_lcp(A, b);
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  double x[2] = {0};
  CHECK(perp_solver_create("mg", &solver, NULL) == PERP_OK);
  CHECK(perp_solver_set_text(solver, "hierarchy", "grid", NULL) == PERP_OK);
  CHECK_EQUAL_INT(perp_solver_solve(solver, &p, NULL, x, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(r.message.text, "needs a grid"), "%s", r.message.text);
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
}

/* With scales near the smallest double, 0.99 times a number may be the number itself: every loop
 * within an iteration counts towards a limit. The time limit is for loops that do not. */
static void subnormal_scales_end(void)
{
  static const double scales[] = {5e-324, 1e-320, 1e-308, 1e-300};
  static const double a[4] = {2, 1, 0, 1}, s[4] = {2, -1, -1, 2};
  for (int m = 0; m < perp_method_count(); m++)
    for (int k = 0; k < 4; k++)
      for (int kind = 0; kind < 4; kind++) {
        const double b[2] = {0, -scales[k]}, *of = kind % 2 ? s : a;
        double entries[4], x[2] = {0};
        for (int i = 0; i < 4; i++)
          entries[i] = kind < 2 ? of[i] : of[i] * 1e-300;
        perp_operator *A = problem_dense(2, entries);
        const perp_problem p = perp_problem_lcp(A, b);
        const char *name = perp_method_at(m).name;
        perp_options options = perp_options_default();
        options.time_limit = 20;
        perp_result r = perp_result_empty();
        perp_solve(name, &p, &options, x, &r);
        CHECK_SAY(r.outcome != PERP_TIME_LIMIT, "%s, b of %g, kind %d: %s", name, scales[k], kind,
                  r.message.text);
        perp_operator_destroy(A);
      }
}

static const test_case tests[] = {
    TEST(cycles_do_not_grow),
    TEST(aggregation_needs_few_cycles),
    TEST(nested_starts_find_the_free_set),
    TEST(singular_and_infeasible_pressures),
    TEST(without_bounds_it_is_linear),
    TEST(huge_and_tiny_numbers),
    TEST(same_bits),
    TEST(warm_starts_help),
    TEST(what_is_no_grid_is_refused_by_name),
    TEST(subnormal_scales_end),
};

TEST_MAIN(tests)
