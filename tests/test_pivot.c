/* test_pivot.c: keller, murty and blockpivot. Oracles: enumeration of bases, planted solutions. */
#include "box_oracle.h"

static const char *const methods[] = {"keller", "murty", "blockpivot"};
enum { METHODS = 3 };

static perp_error solve(const char *method, const perp_problem *p, double time_limit, double *x,
                        perp_result *r)
{
  perp_options o = perp_options_default();
  o.time_limit = time_limit;
  *r = perp_result_empty();
  const perp_error error = perp_solve(method, p, &o, x, r);
  if (!error) {
    double residual, scale;
    CHECK(perp_problem_judge(p, x, &residual, &scale, NULL) == PERP_OK);
    CHECK_SAY((r->outcome == PERP_SOLVED) == (residual <= 1e-8 * scale), "%s: %s with %g", method,
              perp_outcome_name(r->outcome), residual / scale);
  }
  return error;
}

/* P-matrices of both kinds, boxes of all sorts, against enumeration. */
static void random_boxes_agree_with_enumeration(void)
{
  perp_random random = perp_random_from(4);
  const int share = test_share("boxes", 5);
  for (int trial = 0; trial < 400; trial += share) {
    const int n = 1 + trial % 6;
    double A[36], b[6], lo[6], hi[6], expected[6], G[36];
    for (int i = 0; i < n * n; i++)
      G[i] = perp_random_between(&random, -1, 1);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        A[i * n + j] = 0.05 * (i == j);
        for (int k = 0; k < n; k++)
          A[i * n + j] += G[k * n + i] * G[k * n + j];
        /* a skew part keeps it positive definite */
        if (trial % 3 == 0 && i != j)
          A[i * n + j] += (i < j ? 1 : -1) * 0.7 * ((i + j) % 3);
      }
    for (int i = 0; i < n; i++) {
      b[i] = perp_random_between(&random, -1, 1);
      lo[i] = trial % 2 && perp_random_below(&random, 5) == 0 ? -INFINITY
              : trial % 2                                     ? -perp_random_uniform(&random)
                                                              : 0;
      hi[i] = trial % 2 && perp_random_below(&random, 3) ? perp_random_uniform(&random) : INFINITY;
    }
    CHECK(oracle_box(n, A, b, lo, hi, expected));
    perp_operator *O = problem_dense(n, A);
    const perp_problem p = perp_problem_boxed(O, b, lo, hi);
    for (int k = 0; k < METHODS; k++)
      for (int start = 0; start < 3; start++) {
        double x[6];
        for (int i = 0; i < n; i++)
          x[i] = start == 0 ? 0 : perp_random_between(&random, -2, 2);
        perp_result r;
        const perp_error error = solve(methods[k], &p, 5, x, &r);
        if (k == 0 && error) {
          CHECK_SAY(trial % 3 == 0 && n > 1 && strstr(r.message.text, "symmetric"), "%s",
                    r.message.text);
          continue;
        }
        CHECK_SAY(!error && r.outcome == PERP_SOLVED, "%s, trial %d, n = %d, start %d: %s",
                  methods[k], trial, n, start, r.message.text);
        for (int i = 0; i < n; i++)
          CHECK_SAY(fabs(x[i] - expected[i]) <= 1e-6, "%s, trial %d: %g against %g", methods[k],
                    trial, x[i], expected[i]);
      }
    perp_operator_destroy(O);
  }
}

/* One line per generated problem and method; `fails` names the methods that need not solve it, with
 * the outcome or error that they must then return. */
static void solve_kind(const char *text, const char *refuses, double accuracy)
{
  perp_instance instance;
  perp_message why;
  CHECK_SAY(perp_generate(text, &instance, &why) == PERP_OK, "%s", why.text);
  const perp_problem p = perp_instance_problem(&instance);
  double *x = perp_alloc((size_t)p.K.n, sizeof *x);
  for (int k = 0; k < METHODS; k++) {
    perp_result r;
    memset(x, 0, (size_t)p.K.n * sizeof *x);
    const perp_error error = solve(methods[k], &p, 20, x, &r);
    if (strstr(refuses, methods[k])) {
      CHECK_SAY(error == PERP_ERROR_UNSUPPORTED, "%s on %s: %s", methods[k], text, r.message.text);
      continue;
    }
    CHECK_SAY(!error && r.outcome == PERP_SOLVED, "%s on %s: %s", methods[k], text, r.message.text);
    for (int i = 0; instance.x && accuracy > 0 && i < p.K.n; i++)
      CHECK_SAY(fabs(x[i] - instance.x[i]) <= accuracy * (1 + fabs(instance.x[i])),
                "%s on %s, row %d: %.12g against %.12g", methods[k], text, i, x[i], instance.x[i]);
  }
  perp_free(x);
  perp_instance_destroy(&instance);
}

static void planted_solutions_are_found(void)
{
  static const struct {
    const char *kind, *refuses;
    double accuracy;
  } kinds[] = {
      {"pd:n=60", "", 1e-7},
      {"psd:n=60", "", 0},
      {"nonsym:n=30", "keller", 1e-7},
      {"pmatrix:n=30", "keller", 1e-7},
      {"mmatrix:n=80", "keller", 1e-7},
      {"banded:n=300", "", 1e-7},
      {"blocked:n=150", "", 1e-7},
      {"spd-sparse:n=200,cond=1e3", "", 1e-6},
  };
  const char *const forms[] = {"lcp", "mixed", "boxed"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int form = 0; form < 3; form++)
      for (int degenerate = 0; degenerate < 2; degenerate++)
        for (int seed = 1; seed <= 4; seed++) {
          char text[128];
          snprintf(text, sizeof text, "%s,form=%s,degenerate=%g,seed=%d", kinds[k].kind,
                   forms[form], degenerate * 0.4, seed);
          solve_kind(text, kinds[k].refuses, kinds[k].accuracy);
        }
}

static void hard_kinds_are_solved(void)
{
  solve_kind("kostreva", "keller", 1e-12);
  solve_kind("fathi:n=14", "", 1e-6);
  for (int n = 1; n <= 12; n++) {
    char text[64];
    snprintf(text, sizeof text, "murty:n=%d", n);
    solve_kind(text, n > 1 ? "keller" : "", 1e-9);
    snprintf(text, sizeof text, "degenerate:n=%d", 10 * n);
    solve_kind(text, "", 0);
    for (int spread = 0; spread <= 6; spread += 2) {
      snprintf(text, sizeof text, "scaled:n=40,spread=%d,seed=%d", spread, n);
      solve_kind(text, "", 0);
    }
  }
}

static void contact_scenes_are_solved(void)
{
  for (int boxes = 6; boxes <= 48; boxes *= 2)
    for (int ratio = 0; ratio <= 6; ratio += 3)
      for (int kind = 0; kind < 2; kind++) {
        char text[128];
        snprintf(text, sizeof text, "stack:n=%d,form=lcp,ratio=1e%d,operator=%s", boxes, ratio,
                 kind ? "contact" : "csr");
        solve_kind(text, "", 0);
        snprintf(text, sizeof text, "arch:n=%d,form=lcp,operator=%s", boxes,
                 kind ? "contact" : "csr");
        solve_kind(text, "", 0);
      }
  solve_kind("stack:n=12,form=stick", "", 0);
  solve_kind("stack:n=6,form=polyhedral", "keller", 0);
  solve_kind("wall:form=lcp,rows=4,columns=6", "", 0);
}

static void a_slight_asymmetry_is_met(void)
{
  enum { N = 30 };
  for (uint64_t seed = 1; seed <= 10; seed++) {
    perp_random random = perp_random_from(seed);
    double *a = problem_dominant(N, 0.5, &random);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < i; j++)
        a[i * N + j] *= 1 + 1e-3 * perp_random_between(&random, -1, 1);
    perp_operator *A = problem_dense(N, a);
    double b[N];
    for (int i = 0; i < N; i++)
      b[i] = perp_random_between(&random, -1, 1);
    const perp_problem p = perp_problem_lcp(A, b);
    for (int k = 0; k < METHODS; k++) {
      double x[N] = {0};
      perp_result r;
      const perp_error error = solve(methods[k], &p, 5, x, &r);
      if (k == 0)
        CHECK(error == PERP_ERROR_UNSUPPORTED && strstr(r.message.text, "A["));
      else
        CHECK_SAY(!error && r.outcome == PERP_SOLVED, "%s: %s", methods[k], r.message.text);
    }
    perp_operator_destroy(A);
    perp_free(a);
  }
}

/* D A D with D from 1e-6 to 1e6: entries from 1e-12 to 1e12. */
static void entries_of_all_sizes(void)
{
  enum { N = 25 };
  for (uint64_t seed = 1; seed <= 10; seed++) {
    perp_random random = perp_random_from(seed);
    double *a = problem_dominant(N, 0.5, &random), d[N], z[N], y[N];
    for (int i = 0; i < N; i++) {
      d[i] = pow(10, perp_random_between(&random, -6, 6));
      z[i] = i % 2 ? perp_random_between(&random, 0.1, 1) : 0;
      y[i] = i % 2 ? 0 : perp_random_between(&random, 0.1, 1);
    }
    perp_instance p = {0};
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        a[i * N + j] *= d[i] * d[j];
    for (int i = 0; i < N; i++) {
      z[i] /= d[i];
      y[i] *= d[i];
    }
    problem_plant(&p, N, a, z, y);
    p.A = problem_dense(N, a);
    const perp_problem problem = perp_instance_problem(&p);
    for (int k = 0; k < METHODS; k++) {
      double x[N] = {0};
      perp_result r;
      CHECK(solve(methods[k], &problem, 5, x, &r) == PERP_OK);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s, seed %d: %s", methods[k], (int)seed, r.message.text);
    }
    perp_free(a);
    perp_instance_destroy(&p);
  }
}

static void single_rows_and_zero_matrices(void)
{
  const double sign[] = {-1, 0, 1};
  for (int k = 0; k <= METHODS; k++) {
    const char *method = k < METHODS ? methods[k] : "direct";
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        perp_instance p = problem_single(sign[i], sign[j]);
        const perp_problem problem = perp_instance_problem(&p);
        double x[1] = {0};
        perp_result r;
        CHECK(solve(method, &problem, 5, x, &r) == PERP_OK);
        if (sign[j] >= 0 || sign[i] > 0) {
          CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", method, r.message.text);
          CHECK(sign[j] < 0 || r.counts.pivots == 0);
        } else {
          CHECK(r.outcome != PERP_SOLVED);
          CHECK_SAY(k != 0 || r.outcome == PERP_INFEASIBLE, "%s: %s", method, r.message.text);
        }
        perp_instance_destroy(&p);
      }
    const double zero[9] = {0}, good[3] = {1, 0, 2}, bad[3] = {1, -1, 2};
    perp_operator *A = problem_dense(3, zero);
    for (int feasible = 0; feasible < 2; feasible++) {
      const perp_problem p = perp_problem_lcp(A, feasible ? good : bad);
      double x[3] = {0};
      perp_result r;
      CHECK(solve(method, &p, 5, x, &r) == PERP_OK);
      CHECK((r.outcome == PERP_SOLVED) == (feasible == 1));
      CHECK_SAY(feasible || r.outcome == PERP_INFEASIBLE, "%s: %s", method, r.message.text);
    }
    perp_operator_destroy(A);
  }
}

static void nonnegative_b_takes_no_pivot(void)
{
  perp_instance p = problem_random(40, PERP_FORM_LCP, 0.5, 1);
  for (int i = 0; i < 40; i++)
    p.b[i] = i % 3;
  const perp_problem problem = perp_instance_problem(&p);
  for (int k = 0; k < METHODS; k++) {
    double x[40] = {0};
    perp_result r;
    CHECK(solve(methods[k], &problem, 5, x, &r) == PERP_OK);
    CHECK(r.outcome == PERP_SOLVED && r.counts.pivots == 0 && r.counts.iterations == 0);
    CHECK(r.counts.factorisations == 0);
  }
  perp_instance_destroy(&p);
}

/* A = G^T G with a null vector v > 0 and b^T v < 0, in integers: infeasible. */
static perp_instance without_solution(int n, uint64_t seed)
{
  perp_random random = perp_random_from(seed);
  perp_instance p = {0};
  double *g = perp_alloc((size_t)(n * n), sizeof *g), *v = perp_alloc((size_t)n, sizeof *v);
  double *a = perp_alloc_zero((size_t)(n * n), sizeof *a);
  p.b = perp_alloc((size_t)n, sizeof *p.b);
  double bv = 0;
  for (int i = 0; i < n; i++) {
    v[i] = i == 0 ? 1 : 1 + perp_random_below(&random, 4);
    p.b[i] = perp_random_below(&random, 9) - 4;
    bv += p.b[i] * v[i];
  }
  for (int k = 0; k < n; k++) {
    double gv = 0;
    for (int i = 0; i < n; i++)
      gv += (g[k * n + i] = perp_random_below(&random, 9) - 4) * v[i];
    g[k * n] -= gv; /* v_0 = 1 */
  }
  p.b[0] -= bv + 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        a[i * n + j] += g[k * n + i] * g[k * n + j];
  p.A = problem_dense(n, a);
  perp_free(g);
  perp_free(v);
  perp_free(a);
  return p;
}

static void infeasible_problems_get_a_certificate(void)
{
  for (int n = 2; n <= 30; n += 7)
    for (uint64_t seed = 1; seed <= 8; seed++) {
      perp_instance p = without_solution(n, seed);
      const perp_problem problem = perp_instance_problem(&p);
      const double *a;
      int64_t stride;
      CHECK(perp_operator_dense_array(p.A, &a, &stride) == PERP_OK);
      for (int k = 0; k < METHODS; k++) {
        perp_solver *solver;
        double x[30] = {0};
        perp_result r = perp_result_empty();
        CHECK(perp_solver_create(methods[k], &solver, NULL) == PERP_OK);
        CHECK(perp_solver_solve(solver, &problem, NULL, x, &r) == PERP_OK);
        CHECK_SAY(r.outcome == PERP_INFEASIBLE, "%s, n = %d, seed %d: %s, %s", methods[k], n,
                  (int)seed, perp_outcome_name(r.outcome), r.message.text);
        double most = 0, product = 0;
        for (int i = 0; i < n; i++) {
          CHECK(r.ray[i] >= 0);
          product += r.ray[i] * p.b[i];
          most = fmax(most, r.ray[i]);
        }
        for (int j = 0; j < n; j++) {
          double z = 0;
          for (int i = 0; i < n; i++)
            z += a[i * stride + j] * r.ray[i];
          CHECK(z <= 0);
        }
        CHECK(product < -1e-3 * most);
        perp_solver_destroy(solver);
      }
      perp_instance_destroy(&p);
    }
}

/* Indefinite matrices: every run ends, and `solved` is solved (solve checks). keller finds a
 * stationary point, or the energy has no bound. */
static void indefinite_matrices_end(void)
{
  int solved = 0, rays = 0;
  const unsigned share = (unsigned)test_share("indefinite matrices", 5);
  for (uint64_t seed = 1; seed <= 300; seed += share) {
    perp_random random = perp_random_from(seed);
    const int n = 2 + (int)(seed % 9);
    double a[121], b[11];
    for (int i = 0; i < n; i++) {
      b[i] = perp_random_between(&random, -1, 1);
      for (int j = 0; j <= i; j++) {
        a[i * n + j] = perp_random_between(&random, -1, 1) + (i == j);
        a[j * n + i] = seed % 2 || i == j ? a[i * n + j] : perp_random_between(&random, -1, 1);
      }
    }
    perp_operator *A = problem_dense(n, a);
    const perp_problem p = perp_problem_lcp(A, b);
    for (int k = 0; k < METHODS; k++) {
      double x[11] = {0};
      perp_result r;
      const perp_error error = solve(methods[k], &p, 5, x, &r);
      CHECK_SAY(!error || (k == 0 && seed % 2 == 0), "%s: %s", methods[k], r.message.text);
      if (k == 0 && !error) {
        CHECK_SAY(r.outcome == PERP_SOLVED || r.outcome == PERP_RAY || r.outcome == PERP_INFEASIBLE,
                  "keller, seed %d: %s", (int)seed, r.message.text);
        solved += r.outcome == PERP_SOLVED;
        rays += r.outcome != PERP_SOLVED;
      }
      CHECK(error || r.outcome != PERP_TIME_LIMIT);
    }
    perp_operator_destroy(A);
  }
  CHECK(solved > 20 / (int)share && rays > 20 / (int)share);
}

/* Games are neither P-matrices nor semi-definite: no promise, and the outcome gives the reason. */
static void games_end_with_a_reason(void)
{
  int solved = 0;
  for (int seed = 1; seed <= 40; seed++)
    for (int k = 0; k < METHODS; k++) {
      char text[64];
      perp_instance instance;
      snprintf(text, sizeof text, "bimatrix:n=%d,seed=%d", 4 + 2 * (seed % 9), seed);
      CHECK(perp_generate(text, &instance, NULL) == PERP_OK);
      const perp_problem p = perp_instance_problem(&instance);
      double x[22] = {0};
      perp_result r;
      const perp_error error = solve(methods[k], &p, 5, x, &r);
      solved += !error && r.outcome == PERP_SOLVED;
      if (error)
        CHECK_SAY(strstr(r.message.text, "symmetric"), "%s: %s", methods[k], r.message.text);
      else if (r.outcome != PERP_SOLVED)
        CHECK_SAY(strstr(r.message.text, "minor") || strstr(r.message.text, "repeats") ||
                      strstr(r.message.text, "singular"),
                  "%s on %s: %s", methods[k], text, r.message.text);
      perp_instance_destroy(&instance);
    }
  CHECK(solved > 0);
}

static void limits_are_kept(void)
{
  perp_instance instance;
  CHECK(perp_generate("murty:n=40", &instance, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  double x[40] = {0};
  perp_result r = perp_result_empty();
  perp_options o = perp_options_default();
  o.max_iterations = 500;
  CHECK(perp_solve("murty", &p, &o, x, &r) == PERP_OK);
  CHECK_EQUAL_INT(r.outcome, PERP_ITERATION_LIMIT);
  o.max_iterations = 0;
  o.time_limit = 0.02;
  memset(x, 0, sizeof x);
  CHECK(perp_solve("murty", &p, &o, x, &r) == PERP_OK);
  CHECK(r.outcome == PERP_TIME_LIMIT || r.outcome == PERP_ITERATION_LIMIT);
  perp_instance_destroy(&instance);

  /* a dense factor beyond the memory limit is refused by name */
  perp_instance big = problem_random(60, PERP_FORM_LCP, 0.5, 1);
  const perp_problem q = perp_instance_problem(&big);
  o = perp_options_default();
  o.memory_limit = 1000;
  for (int k = 0; k < METHODS; k++) {
    double z[60] = {0};
    CHECK(perp_solve(methods[k], &q, &o, z, &r) == PERP_ERROR_MEMORY);
    CHECK_SAY(strstr(r.message.text, "limit"), "%s", r.message.text);
  }
  double z[60] = {0};
  CHECK(perp_solve("direct", &q, NULL, z, &r) == PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(r.message.text, "n = 60"), "%s", r.message.text);
  perp_instance_destroy(&big);
}

static void large_sparse_problems_are_solved(void)
{
  static const char *const kinds[] = {"spd-sparse:n=20000", "banded:n=20000",
                                      "banded:n=20000,form=boxed", "obstacle:points=65",
                                      "fluid:grid=50"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    perp_instance instance;
    perp_message why;
    CHECK_SAY(perp_generate(kinds[k], &instance, &why) == PERP_OK, "%s", why.text);
    const perp_problem p = perp_instance_problem(&instance);
    double *x = perp_alloc_zero((size_t)p.K.n, sizeof *x);
    perp_result r;
    CHECK(solve("blockpivot", &p, 60, x, &r) == PERP_OK);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", kinds[k], r.message.text);
    CHECK(r.counts.iterations < 200);
    perp_free(x);
    perp_instance_destroy(&instance);
  }
}

static const test_case tests[] = {
    TEST(random_boxes_agree_with_enumeration),
    TEST(planted_solutions_are_found),
    TEST(hard_kinds_are_solved),
    TEST(contact_scenes_are_solved),
    TEST(a_slight_asymmetry_is_met),
    TEST(entries_of_all_sizes),
    TEST(single_rows_and_zero_matrices),
    TEST(nonnegative_b_takes_no_pivot),
    TEST(infeasible_problems_get_a_certificate),
    TEST(indefinite_matrices_end),
    TEST(games_end_with_a_reason),
    TEST(limits_are_kept),
    TEST(large_sparse_problems_are_solved),
};

TEST_MAIN(tests)
