/* test_prox.c: prox, staggered and shock
 *
 * Oracles: planted and closed-form solutions of the generators, the merit and the law of friction
 * written out here, and perp_problem_judge for the rest. */
#include "generated.h"
#include "problems.h"

typedef struct setting {
  const char *name, *value;
} setting;

/* Solves from zero with up to three settings; x may be NULL. The result is judged by perp_problem_judge. */
static perp_result solve(const char *method, const setting *settings, const perp_instance *instance,
                         double tol, int64_t limit, double *x)
{
  const perp_problem p = perp_instance_problem(instance);
  const int n = p.K.n;
  double *z = calloc((size_t)n + 1, sizeof *z);
  perp_solver *solver = NULL;
  CHECK(perp_solver_create(method, &solver, NULL) == PERP_OK);
  for (; settings && settings->name; settings++)
    CHECK(perp_solver_set_text(solver, settings->name, settings->value, NULL) == PERP_OK);
  perp_options o = perp_options_default();
  o.tol = tol;
  o.max_iterations = limit;
  o.time_limit = 20;
  perp_result r = perp_result_empty();
  const perp_error error = perp_solver_solve(solver, &p, &o, z, &r);
  CHECK_SAY(!error, "%s: %s", method, r.message.text);
  double residual, scale;
  CHECK(perp_problem_judge(&p, z, &residual, &scale, NULL) == PERP_OK);
  CHECK_SAY((r.outcome == PERP_SOLVED) == (residual <= tol * scale), "%s: %s at %g", method,
            perp_outcome_name(r.outcome), residual);
  CHECK(isfinite(residual));
  if (x)
    memcpy(x, z, (size_t)n * sizeof *x);
  free(z);
  perp_solver_destroy(solver);
  return r;
}

static double distance(int n, const double *x, const double *z)
{
  double most = 0;
  for (int i = 0; i < n; i++)
    most = fmax(most, fabs(x[i] - z[i]));
  return most;
}

/* ---- The particle ---- */

/* Gravity just beyond 5: fixed r takes hundreds of iterations almost everywhere, adaptive r at most
 * 60, and both find the closed-form solution. */
static void adaptive_r_cures_the_particle(void)
{
  const double gravity[] = {5.0001, 5.001, 5.01, 5.05, 5.1, 6, 10, 100};
  for (int k = 0; k < 8; k++)
    for (int form = 0; form < 2; form++) {
      perp_instance p =
          generated_as("particle:gravity=%.17g,form=%s", gravity[k], form ? "conic" : "linearised");
      const int n = form ? 3 : 6;
      double x[6];
      const perp_result r = solve("prox", NULL, &p, 1e-6, 0, x);
      CHECK_SAY(r.outcome == PERP_SOLVED && r.counts.iterations <= 60, "gravity %g: %lld, %s",
                gravity[k], (long long)r.counts.iterations, r.message.text);
      const perp_result exact = solve("prox", NULL, &p, 1e-10, 0, x);
      CHECK_SAY(exact.outcome == PERP_SOLVED && exact.counts.iterations <= 120, "gravity %g: %lld",
                gravity[k], (long long)exact.counts.iterations);
      if (p.kind == PERP_KIND_SOLVABLE)
        CHECK_SAY(distance(n, x, p.x) < 1e-8, "gravity %g", gravity[k]);
      perp_instance_destroy(&p);
    }
}

static void fixed_r_takes_hundreds_of_iterations(void)
{
  perp_instance p = generated_as("particle:gravity=5.01");
  int slow = 0, tried = 0;
  for (double r = 0.2; r < 2.01; r += 0.1, tried++) {
    char text[32];
    snprintf(text, sizeof text, "%.2f", r);
    const setting s[] = {{"strategy", "fixed"}, {"r", text}, {0}};
    const perp_result result = solve("prox", s, &p, 1e-6, 300, NULL);
    slow += result.outcome != PERP_SOLVED;
  }
  CHECK_SAY(slow >= tried - 2, "%d of %d", slow, tried);
  const perp_result adaptive = solve("prox", NULL, &p, 1e-6, 300, NULL);
  CHECK_SAY(adaptive.outcome == PERP_SOLVED && adaptive.counts.iterations <= 60, "%lld",
            (long long)adaptive.counts.iterations);
  perp_instance_destroy(&p);
}

/* Masses and speeds of other sizes: the adaptation is independent of units. */
static void adaptive_r_has_no_unit(void)
{
  const char *masses[] = {"1e-4", "0.1", "30", "1e5"};
  for (int k = 0; k < 4; k++)
    for (int form = 0; form < 2; form++) {
      perp_instance p = generated_as("particle:gravity=6,mass=%s,form=%s", masses[k],
                                     form ? "conic" : "linearised");
      const perp_result r = solve("prox", NULL, &p, 1e-6, 0, NULL);
      CHECK_SAY(r.outcome == PERP_SOLVED && r.counts.iterations <= 300, "mass %s: %lld, %s",
                masses[k], (long long)r.counts.iterations, r.message.text);
      perp_instance_destroy(&p);
    }
}

/* ---- prox on random problems ---- */

static void every_style_finds_planted_solutions(void)
{
  static const setting settings[][4] = {
      {{0}},
      {{"style", "gauss-seidel"}, {0}},
      {{"style", "gauss-seidel"}, {"strategy", "contact"}, {0}},
      {{"strategy", "star"}, {0}},
      {{"zeta", "0.5"}, {0}},
      {{"style", "gauss-seidel"}, {"zeta", "0.5"}, {0}},
      {{"strategy", "contact"}, {"r", "0.4"}, {0}},
  };
  for (int form = PERP_FORM_LCP; form <= PERP_FORM_FINDEX; form++)
    for (uint64_t seed = 1; seed <= 12; seed++)
      for (int k = 0; k < 7; k++) {
        const int n = 3 * (1 + (int)seed);
        perp_instance p = problem_random(n, (perp_form)form, 0.5, seed);
        double x[64];
        const perp_result r = solve("prox", settings[k], &p, 1e-9, 0, x);
        CHECK_SAY(r.outcome == PERP_SOLVED, "form %d, seed %d, setting %d: %s", form, (int)seed, k,
                  r.message.text);
        if (form != PERP_FORM_FINDEX) /* friction may have other solutions */
          CHECK_SAY(distance(n, x, p.x) < 1e-6, "form %d, seed %d, setting %d: %g", form, (int)seed,
                    k, distance(n, x, p.x));
        perp_instance_destroy(&p);
      }
}

static void star_is_two_over_the_sum_of_extremes(void)
{
  const double a[9] = {1, 0, 0, 0, 3, 0, 0, 0, 2};
  perp_instance p = {.A = problem_dense(3, a)};
  const double b[3] = {-1, -2, -3};
  p.b = perp_alloc_copy(b, 3, sizeof *b);
  const setting star[] = {{"strategy", "star"}, {0}};
  const setting fixed[] = {{"strategy", "fixed"}, {"r", "0.5"}, {0}};
  for (int limit = 1; limit < 6; limit++) {
    double x[3], z[3];
    solve("prox", star, &p, 0, limit, x);
    solve("prox", fixed, &p, 0, limit, z);
    CHECK_SAY(distance(3, x, z) < 1e-12, "%g", distance(3, x, z));
  }
  perp_instance_destroy(&p);
}

/* A = Q S Q^T + shift I with Q a reflection and S skew, its singular values in [0.5, 1] (one more is
 * zero where n is odd). */
static void make_skew(int n, double shift, perp_random *random, double *a)
{
  double v[12], S[144] = {0}, square = 0;
  for (int i = 0; i < n; i++) {
    v[i] = perp_random_normal(random);
    square += v[i] * v[i];
  }
  for (int i = 0; i + 1 < n; i += 2)
    S[(i + 1) * n + i] = -(S[i * n + i + 1] = perp_random_between(random, 0.5, 1));
  for (int side = 0; side < 2; side++) /* S <- (Q S)^T, twice */
    for (int j = 0; j < n; j++) {
      double dot = 0;
      for (int i = 0; i < n; i++)
        dot += v[i] * S[i * n + j];
      for (int i = 0; i < n; i++)
        a[j * n + i] = S[i * n + j] - 2 * v[i] * dot / square;
      if (j == n - 1)
        memcpy(S, a, (size_t)(n * n) * sizeof *S);
    }
  for (int i = 0; i < n; i++)
    a[i * n + i] += shift;
}

/* Monotone, but almost without a symmetric part: a plain step moves outwards for every r. */
static void skew_problems_are_solved(void)
{
  perp_random random = perp_random_from(4);
  for (int k = 0; k < 100; k++) {
    const int n = 2 + perp_random_below(&random, 10);
    double a[144], b[12] = {0}, x[12], lo[12], hi[12];
    make_skew(n, k % 2 ? 0 : 1e-3, &random, a);
    perp_instance p = {.A = problem_dense(n, a)};
    for (int i = 0; i < n; i++) { /* inside, at zero with y > 0 */
      x[i] = i % 3 ? perp_random_between(&random, 0.1, 1) : 0;
      lo[i] = k % 3 ? 0 : -2;
      hi[i] = k % 3 ? INFINITY : 2;
    }
    for (int i = 0; i < n; i++) {
      b[i] = i % 3 ? 0 : perp_random_between(&random, 0.1, 1);
      if (k % 3 == 0)
        b[i] = 0;
      for (int j = 0; j < n; j++)
        b[i] -= a[i * n + j] * x[j];
    }
    p.b = perp_alloc_copy(b, (size_t)n, sizeof *b);
    p.lo = perp_alloc_copy(lo, (size_t)n, sizeof *lo);
    p.hi = perp_alloc_copy(hi, (size_t)n, sizeof *hi);
    const perp_result r = solve("prox", NULL, &p, 1e-8, 0, x);
    CHECK_SAY(r.outcome == PERP_SOLVED, "case %d, n = %d: %s", k, n, r.message.text);
    perp_instance_destroy(&p);
  }
}

static void a_step_too_long_ends_honestly(void)
{
  perp_instance p = generated_as("pd:n=30");
  const setting s[] = {{"strategy", "fixed"}, {"r", "1000"}, {0}};
  const perp_result r = solve("prox", s, &p, 1e-8, 0, NULL);
  CHECK_SAY(r.outcome == PERP_DIVERGED || r.outcome == PERP_NON_FINITE, "%s",
            perp_outcome_name(r.outcome));
  CHECK(r.counts.iterations < 1000);
  perp_instance_destroy(&p);
}

/* 1/2 sum (0.7 phi_FB + 0.3 x+ y+)^2, at an x far from a solution */
static void merit_is_that_of_chen_chen_and_kanzow(void)
{
  perp_instance p = problem_random(9, PERP_FORM_LCP, 0.5, 6);
  const perp_problem problem = perp_instance_problem(&p);
  double x[9], y[9], sum = 0;
  const perp_result r = solve("prox", NULL, &p, 1e-12, 1, x);
  CHECK(r.outcome == PERP_ITERATION_LIMIT);
  CHECK(perp_operator_apply(problem.A, x, y, NULL, NULL) == PERP_OK);
  for (int i = 0; i < 9; i++) {
    y[i] += p.b[i];
    const double phi = x[i] + y[i] - sqrt(x[i] * x[i] + y[i] * y[i]);
    const double t = 0.7 * phi + 0.3 * fmax(x[i], 0) * fmax(y[i], 0);
    sum += t * t / 2;
  }
  const double least = r.residual; /* the returned x is the last iterate here */
  CHECK(least > 0);
  CHECK_SAY(fabs(r.merit - sum) <= 1e-12 * fmax(1, sum), "%g against %g", r.merit, sum);
  perp_instance_destroy(&p);
}

/* ---- Scenes ---- */

typedef struct scene {
  const char *text, *method;
  setting settings[3];
} scene;

static void scenes_are_solved(void)
{
  static const scene scenes[] = {
      {"stack:n=8,form=lcp", "prox", {{0}}},
      {"stack:n=5,form=findex,operator=contact", "prox", {{0}}},
      {"stack:n=5,form=cone,operator=contact", "prox", {{0}}},
      {"stack:n=5,form=cone", "prox", {{"style", "gauss-seidel"}, {0}}},
      {"pile:n=30,form=lcp,operator=contact", "prox", {{0}}},
      {"pile:n=30,form=findex", "prox", {{0}}},
      {"pile:n=20,form=cone,operator=contact", "prox", {{0}}},
      {"pile:n=20,form=cone,operator=contact", "prox", {{"style", "gauss-seidel"}, {0}}},
      {"pile:n=30,form=findex,operator=contact", "prox", {{"style", "gauss-seidel"}, {0}}},
      {"arch:form=findex", "prox", {{0}}},
      {"cards:form=findex", "prox", {{0}}},
      {"wall:size=custom,rows=4,columns=4,form=lcp", "prox", {{0}}},
      {"stack:n=8,form=lcp", "staggered", {{0}}},
      {"stack:n=8,form=findex,operator=contact", "staggered", {{0}}},
      {"stack:n=8,form=findex", "staggered", {{"inner", "dantzig"}, {0}}},
      {"pile:n=30,form=findex", "staggered", {{"inner", "nncg"}, {0}}},
      {"arch:form=findex,operator=contact", "staggered", {{"inner", "bgs"}, {0}}},
      {"cards:form=findex", "staggered", {{"inner", "blockpivot"}, {0}}},
      {"stack:n=20,form=lcp,operator=contact", "shock", {{0}}},
      {"stack:n=20,form=lcp", "shock", {{0}}},
      {"stack:n=8,form=findex,operator=contact", "shock", {{"order", "backward"}, {0}}},
      {"pile:n=30,form=findex,operator=contact", "shock", {{0}}},
      {"pile:n=30,form=findex", "shock", {{0}}},
      {"wall:size=custom,rows=4,columns=4,form=lcp,operator=contact", "shock", {{0}}},
      {"arch:form=findex,operator=contact", "shock", {{0}}},
      {"obstacle:n=225", "shock", {{0}}},
  };
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
    perp_instance p = generated_as("%s", scenes[k].text);
    const perp_result r = solve(scenes[k].method, scenes[k].settings, &p, 1e-6, 0, NULL);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s on %s: %s", scenes[k].method, scenes[k].text,
              r.message.text);
    perp_instance_destroy(&p);
  }
}

/* ---- staggered ---- */

static void every_inner_method_serves(void)
{
  const perp_method_info m = perp_method_at(perp_method_find("staggered"));
  int tried = 0;
  for (const perp_parameter *parameter = m.parameters; parameter->name; parameter++)
    for (int k = 0; parameter->choices && parameter->choices[k]; k++) {
      const char *inner = parameter->choices[k];
      if (perp_method_find(inner) < 0)
        continue;
      for (uint64_t seed = 1; seed <= 4; seed++) {
        perp_instance p = problem_random(30, PERP_FORM_FINDEX, 0.5, seed);
        const setting s[] = {{"inner", inner}, {0}};
        const perp_result r = solve("staggered", s, &p, 1e-8, 0, NULL);
        CHECK_SAY(r.outcome == PERP_SOLVED, "%s, seed %d: %s", inner, (int)seed, r.message.text);
        CHECK_SAY(r.counts.sweeps + r.counts.pivots + r.counts.factorisations + r.counts.solves +
                          r.counts.applies >
                      r.counts.iterations,
                  "%s: what it does is not counted", inner);
        perp_instance_destroy(&p);
      }
      tried++;
    }
  CHECK_SAY(tried >= 5, "%d", tried);
}

static int apply_twice(void *context, const double *x, double *y)
{
  (void)context;
  y[0] = 2 * x[0];
  y[1] = 2 * x[1];
  return 0;
}

/* A shell without rows: pgs is not available, and the message says so. */
static void an_inner_method_that_refuses_is_named(void)
{
  const perp_shell shell = {.size = sizeof(perp_shell), .apply = apply_twice};
  perp_operator *A = NULL;
  CHECK(perp_operator_shell(2, &shell, &A, NULL) == PERP_OK);
  const double b[2] = {-1, 1};
  double x[2] = {0};
  const perp_problem p = perp_problem_lcp(A, b);
  perp_result r = perp_result_empty();
  CHECK_EQUAL_INT(perp_solve("staggered", &p, NULL, x, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(r.message.text, "pgs"), "%s", r.message.text);
  CHECK(perp_solve("prox", &p, NULL, x, &r) == PERP_OK);
  CHECK(r.outcome == PERP_SOLVED && fabs(x[0] - 0.5) < 1e-7 && x[1] == 0);
  perp_operator_destroy(A);
}

static void inner_solves_keep_the_time_limit(const char *method)
{
  perp_instance p = generated_as("wall:size=custom,rows=12,columns=12,form=findex");
  const perp_problem problem = perp_instance_problem(&p);
  double *x = calloc((size_t)problem.K.n, sizeof *x);
  perp_options o = perp_options_default();
  o.tol = 1e-14;
  o.time_limit = 0.05;
  perp_result r = perp_result_empty();
  CHECK(perp_solve(method, &problem, &o, x, &r) == PERP_OK);
  CHECK_SAY(r.outcome == PERP_TIME_LIMIT, "%s", r.message.text);
  free(x);
  perp_instance_destroy(&p);
}

static void turns_keep_the_time_limit(void)
{
  inner_solves_keep_the_time_limit("staggered");
}

/* ---- shock ---- */

/* Rows in an order unrelated to the layers: three bodies stacked in one dimension, the ground
 * contact listed in the middle, and one body in the air. */
static void layers_do_not_depend_on_the_numbering(void)
{
  const int64_t J_start[] = {0, 2, 3, 5, 7};
  const int J_column[] = {1, 2, 0, 0, 1, 2, 3};
  const double J_value[] = {-1, 1, 1, -1, 1, -1, 1}, Minv[] = {1, 0.5, 0.25, 1};
  const perp_contact_data data = {.size = sizeof(perp_contact_data),
                                  .rows = 4,
                                  .velocities = 4,
                                  .J_start = J_start,
                                  .J_column = J_column,
                                  .J_value = J_value,
                                  .blocks = 4,
                                  .Minv = Minv};
  perp_operator *A = NULL;
  CHECK(perp_operator_contact(&data, PERP_COPY, &A, NULL) == PERP_OK);
  /* bodies fall with speed 1, the fourth rises: the third contact opens. Masses 1, 2, 4: the
   * ground carries 7, then 6, then 4. */
  const double b[] = {0, -1, 0, 2}, expected[] = {4, 7, 6, 0};
  const perp_problem p = perp_problem_lcp(A, b);
  double x[4] = {0};
  perp_options o = perp_options_default();
  o.tol = 1e-12;
  perp_result r = perp_result_empty();
  CHECK(perp_solve("shock", &p, &o, x, &r) == PERP_OK);
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s", r.message.text);
  CHECK_SAY(distance(4, x, expected) < 1e-10, "%g %g %g %g", x[0], x[1], x[2], x[3]);
  perp_operator_destroy(A);
}

static const test_case tests[] = {
    TEST(adaptive_r_cures_the_particle),
    TEST(fixed_r_takes_hundreds_of_iterations),
    TEST(adaptive_r_has_no_unit),
    TEST(every_style_finds_planted_solutions),
    TEST(star_is_two_over_the_sum_of_extremes),
    TEST(skew_problems_are_solved),
    TEST(a_step_too_long_ends_honestly),
    TEST(merit_is_that_of_chen_chen_and_kanzow),
    TEST(scenes_are_solved),
    TEST(every_inner_method_serves),
    TEST(an_inner_method_that_refuses_is_named),
    TEST(turns_keep_the_time_limit),
    TEST(layers_do_not_depend_on_the_numbering),
};

TEST_MAIN(tests)
