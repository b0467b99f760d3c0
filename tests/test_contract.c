/* test_contract.c: every method of the registry x every promise of the driver and the headers.
 * `expected_failures` lists by name what a method cannot do, with the reason; {0} ends it. */
#include "problems.h"

static const struct {
  const char *method, *problem, *why;
} expected_failures[] = {{0}};

static bool is_expected(const char *method, const char *problem)
{
  for (size_t k = 0; expected_failures[k].method; k++)
    if (!strcmp(expected_failures[k].method, method) &&
        !strcmp(expected_failures[k].problem, problem))
      return true;
  return false;
}

/* y = A x + b, and for a certificate u >= 0, A^T u <= 0, b^T u < 0; summed up here, from all entries
 * of A. */
static void check_vectors(const char *method, const perp_problem *p, const double *x,
                          const double *y, const double *u)
{
  const int n = p->K.n;
  perp_operator *A = NULL;
  const double *a = NULL;
  int64_t stride = 0;
  CHECK(perp_operator_to_dense(p->A, 0, &A, NULL) == PERP_OK);
  CHECK(perp_operator_dense_array(A, &a, &stride) == PERP_OK);
  long double product = 0;
  for (int i = 0; i < n; i++) {
    long double sum = p->b[i], size = fabsl(sum), column = 0, column_size = 0;
    for (int j = 0; j < n; j++) {
      sum += (long double)a[i * stride + j] * x[j];
      size += fabsl((long double)a[i * stride + j] * x[j]);
      column += u ? (long double)a[j * stride + i] * u[j] : 0;
      column_size += u ? fabsl((long double)a[j * stride + i] * u[j]) : 0;
    }
    CHECK_SAY(fabsl(sum - y[i]) <= 1e-14L * (n + 8) * size, "%s: y[%d] = %.17g against %.17Lg",
              method, i, y[i], sum);
    CHECK(!u || (u[i] >= 0 && column <= 1e-14L * (n + 8) * column_size));
    product += u ? (long double)p->b[i] * u[i] : -1;
  }
  CHECK(product < 0);
  perp_operator_destroy(A);
}

/* Solves and compares the result with an independent judgement of x. The ray is no longer valid on
 * return. */
static perp_result solve(const char *method, const perp_instance *instance,
                         const perp_options *options, double *x, perp_error *error)
{
  const perp_problem p = perp_instance_problem(instance);
  const size_t n = (size_t)p.K.n;
  perp_options o = options ? *options : perp_options_default();
  o.y = malloc((n + 1) * sizeof *o.y);
  o.ray = malloc((n + 1) * sizeof *o.ray);
  CHECK(o.y && o.ray);
  o.y[n] = o.ray[n] = 12345;
  perp_result result = perp_result_empty();
  *error = perp_solve(method, &p, &o, x, &result);
  CHECK(result.message.text[0] && o.y[n] == 12345 && o.ray[n] == 12345);
  if (*error) {
    CHECK_EQUAL_INT(result.outcome, PERP_NOT_RUN);
    CHECK(!result.y && !result.ray && isinf(result.relative_residual));
  } else {
    const bool ray = result.outcome == PERP_RAY || result.outcome == PERP_INFEASIBLE;
    CHECK(n == 0 || result.y == o.y);
    CHECK(result.outcome != PERP_INFEASIBLE || result.ray == o.ray);
    CHECK(!result.ray || (ray && result.ray == o.ray));
    CHECK(result.relative_residual == result.residual / result.scale);
    if (n > 0)
      check_vectors(method, &p, x, o.y, result.outcome == PERP_INFEASIBLE ? o.ray : NULL);
  }
  free(o.y);
  free(o.ray);
  result.y = result.ray = NULL;
  if (*error)
    return result;
  double residual, scale;
  CHECK(perp_problem_judge(&p, x, &residual, &scale, NULL) == PERP_OK);
  CHECK_SAY(isfinite(residual), "%s hands back numbers that are not finite", method);
  const double tol = options ? options->tol : 1e-8;
  CHECK_SAY((result.outcome == PERP_SOLVED) == (residual <= tol * scale),
            "%s: outcome %s, residual %g", method, perp_outcome_name(result.outcome), residual);
  CHECK_SAY(result.residual == residual && result.scale == scale, "%s: %g against %g", method,
            result.residual, residual);
  return result;
}

static void each_method(void (*body)(const perp_method_info *method))
{
  for (int k = 0; k < perp_method_count(); k++) {
    const perp_method_info info = perp_method_at(k);
    body(&info);
  }
}

static bool takes(const perp_method_info *m, perp_form form, int n)
{
  return (m->takes & PERP_TAKES(form)) && (m->most_unknowns == 0 || n <= m->most_unknowns);
}

/* For problems other than contact operators with compliance: indefinite or singular ones. */
static bool takes_any(const perp_method_info *m)
{
  return (m->takes & PERP_TAKES(PERP_FORM_LCP)) && !(m->needs & PERP_CAN_VELOCITIES);
}

/* n, or the most unknowns that the method takes */
static int size_for(const perp_method_info *m, int n)
{
  return m->most_unknowns > 0 && m->most_unknowns < n ? m->most_unknowns : n;
}

static void descriptions_are_complete(void)
{
  CHECK(perp_method_count() >= 5);
  for (int k = 0; k < perp_method_count(); k++) {
    const perp_method_info m = perp_method_at(k);
    CHECK(m.name[0] && m.title[0] && m.family[0] && m.source[0]);
    CHECK_EQUAL_INT(perp_method_find(m.name), k);
    CHECK(m.takes & PERP_TAKES(PERP_FORM_LCP) || m.takes & PERP_TAKES(PERP_FORM_CONE));
    CHECK(m.max_iterations > 0);
    CHECK_SAY(m.works && m.works[0], "%s does not say on what it works", m.name);
    CHECK_SAY(m.iteration && m.iteration[0], "%s does not say what it iterates", m.name);
    perp_solver *solver = NULL;
    CHECK(perp_solver_create(m.name, &solver, NULL) == PERP_OK);
    double unknown;
    perp_message why = {""};
    CHECK_EQUAL_INT(perp_solver_get(solver, "nonsense", &unknown, &why), PERP_ERROR_PARAMETER);
    CHECK_SAY(strstr(why.text, "no parameter 'nonsense'") != NULL, "%s", why.text);
    for (const perp_parameter *p = m.parameters; p->name; p++) {
      double value;
      CHECK_SAY(p->text && p->text[0], "%s.%s has no documentation", m.name, p->name);
      CHECK_SAY(p->value >= p->least && p->value <= p->most, "%s.%s", m.name, p->name);
      CHECK(perp_solver_get(solver, p->name, &value, NULL) == PERP_OK);
      CHECK(value == p->value);
      CHECK_EQUAL_INT(perp_solver_set(solver, p->name, p->most + 1, NULL), PERP_ERROR_PARAMETER);
      CHECK_EQUAL_INT(perp_solver_set(solver, p->name, NAN, NULL), PERP_ERROR_PARAMETER);
      CHECK(perp_solver_set(solver, p->name, p->least, NULL) == PERP_OK);
      if (p->type == PERP_TYPE_CHOICE) {
        int words = 0;
        while (p->choices[words])
          words++;
        CHECK_SAY(words == (int)p->most + 1, "%s.%s has %d words", m.name, p->name, words);
      }
    }
    CHECK_EQUAL_INT(perp_solver_set(solver, "no-such-parameter", 1, NULL), PERP_ERROR_PARAMETER);
    perp_solver_destroy(solver);
  }
  CHECK_EQUAL_INT(perp_method_find("no-such-method"), -1);
}

static void solve_forms(const perp_method_info *m)
{
  const char *name = m->name;
  const int sizes[] = {1, 2, 3, 5, 12, 30, 61};
  for (int form = PERP_FORM_LCP; form <= PERP_FORM_FINDEX; form++)
    for (int k = 0; k < 7; k++)
      for (uint64_t seed = 1; seed <= 4; seed++) {
        const int n = form == PERP_FORM_FINDEX ? (sizes[k] + 2) / 3 * 3 : sizes[k];
        perp_instance p = problem_for(m, n, (perp_form)form, 0.5, seed);
        double *x = calloc((size_t)n, sizeof *x);
        perp_error error;
        const perp_result r = solve(name, &p, NULL, x, &error);
        const perp_problem problem = perp_instance_problem(&p);
        if (takes(m, perp_set_form(&problem.K), n)) {
          CHECK_SAY(!error, "%s: %s", name, r.message.text);
          CHECK_SAY(r.outcome == PERP_SOLVED || is_expected(name, perp_form_name((perp_form)form)),
                    "%s on %s, n = %d, seed %d: %s", name, perp_form_name((perp_form)form), n,
                    (int)seed, r.message.text);
        } else {
          CHECK_SAY(error == PERP_ERROR_UNSUPPORTED, "%s takes what it says it does not", name);
        }
        free(x);
        perp_instance_destroy(&p);
      }
}

static void every_form_is_solved_or_refused(void)
{
  each_method(solve_forms);
}

static void solve_tiny(const perp_method_info *m)
{
  const char *name = m->name;
  const double sign[] = {-1, 0, 2};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      perp_instance p = problem_single(sign[i], sign[j]);
      if (m->needs & PERP_CAN_VELOCITIES && sign[i] > 0)
        problem_to_contact(&p, 0.5);
      double x[1] = {0};
      perp_error error;
      const perp_result r = solve(name, &p, NULL, x, &error);
      if (!takes(m, PERP_FORM_LCP, 1)) {
        CHECK_SAY(error == PERP_ERROR_UNSUPPORTED && strstr(r.message.text, "'lcp'"), "%s: %s",
                  name, r.message.text);
        perp_instance_destroy(&p);
        continue;
      }
      /* b >= 0: x = 0 is a solution for every a; a > 0: there is always a solution. A zero or
       * negative diagonal may be refused, but by name and row. */
      if (error) {
        CHECK_SAY(error == PERP_ERROR_UNSUPPORTED && sign[i] <= 0, "%s: %s", name, r.message.text);
        CHECK_SAY(strstr(r.message.text, takes_any(m) ? "A(0,0)" : "velocities"), "%s: %s", name,
                  r.message.text);
      } else if (sign[j] >= 0 || sign[i] > 0) {
        CHECK_SAY(r.outcome == PERP_SOLVED || is_expected(name, "single"), "%s: a = %g, b = %g: %s",
                  name, sign[i], sign[j], r.message.text);
      } else {
        CHECK(r.outcome != PERP_SOLVED);
      }
      perp_instance_destroy(&p);
    }
  perp_operator *A = problem_dense(0, NULL);
  const perp_problem empty = perp_problem_lcp(A, NULL);
  perp_result r = perp_result_empty();
  if (takes(m, PERP_FORM_LCP, 1)) {
    CHECK(perp_solve(name, &empty, NULL, NULL, &r) == PERP_OK);
    CHECK_EQUAL_INT(r.outcome, PERP_SOLVED);
    CHECK(r.residual == 0);
  }
  perp_operator_destroy(A);
}

static void tiny_problems_in_every_sign(void)
{
  each_method(solve_tiny);
}

/* Not solvable: no method may say solved (solve() above checks), crash, or run on after its
 * limits. */
static int unsolvable_share;
static void solve_unsolvable(const perp_method_info *m)
{
  const char *name = m->name;
  if (!takes_any(m))
    return;
  perp_options o = perp_options_default();
  o.time_limit = 5;
  for (int n = 2; n <= size_for(m, 20); n += 6 * unsolvable_share) {
    perp_instance p = problem_infeasible(n);
    double *x = calloc((size_t)n, sizeof *x);
    perp_error error;
    const perp_result r = solve(name, &p, &o, x, &error);
    CHECK(error || r.outcome != PERP_SOLVED);
    if (!error && r.outcome == PERP_INFEASIBLE)
      CHECK(strcmp(name, "jacobi") && strcmp(name, "pgs"));
    free(x);
    perp_instance_destroy(&p);
  }
}

static void nothing_solves_the_infeasible(void)
{
  unsolvable_share = test_share("sizes of problems without a solution", 2);
  each_method(solve_unsolvable);
}

static void solve_singular(const perp_method_info *m)
{
  const char *name = m->name;
  if (!takes_any(m))
    return;
  perp_options o = perp_options_default();
  o.tol = 1e-6;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    perp_instance p = problem_singular(size_for(m, 9), seed);
    double x[9] = {0};
    perp_error error;
    const perp_result r = solve(name, &p, &o, x, &error);
    CHECK_SAY(!error && (r.outcome == PERP_SOLVED || is_expected(name, "singular")), "%s: %s", name,
              r.message.text);
    perp_instance_destroy(&p);
  }
}

static void semidefinite_problems_are_solved(void)
{
  each_method(solve_singular);
}

/* Two solves by one thread and one by two; with a share of 2, the first and the last. */
static int repeat_share;
static void repeat_bits(const perp_method_info *m)
{
  const char *name = m->name;
  if (!(m->takes & PERP_TAKES(PERP_FORM_LCP)))
    return;
  const int n = size_for(m, 400);
  perp_instance p = problem_for(m, n, PERP_FORM_LCP, 0.5, 8);
  const perp_problem problem = perp_instance_problem(&p);
  double *x[3];
  perp_result r[3];
  perp_solver *solver = NULL;
  CHECK(perp_solver_create(name, &solver, NULL) == PERP_OK);
  for (int k = 0; k < 3; k += repeat_share) {
    perp_options o = perp_options_default();
    o.threads = k == 2 ? 2 : 1;
    x[k] = calloc((size_t)n, sizeof *x[k]);
    r[k] = perp_result_empty();
    CHECK(perp_solver_solve(solver, &problem, &o, x[k], &r[k]) == PERP_OK);
  }
  for (int k = repeat_share; k < 3; k += repeat_share) {
    CHECK_SAY(!memcmp(x[0], x[k], (size_t)n * sizeof(double)), "%s differs on run %d", name, k);
    CHECK(r[0].residual == r[k].residual && r[0].counts.iterations == r[k].counts.iterations);
  }
  check_vectors(name, &problem, x[2], r[2].y, NULL); /* the solver's own */
  for (int k = 0; k < 3; k += repeat_share)
    free(x[k]);
  perp_solver_destroy(solver);
  perp_instance_destroy(&p);
}

static void same_bits_on_repetition_and_with_two_threads(void)
{
  repeat_share = test_share("repetitions", 2);
  each_method(repeat_bits);
}

static void warm_start(const perp_method_info *m)
{
  const char *name = m->name;
  if (!(m->takes & PERP_TAKES(PERP_FORM_LCP)))
    return;
  const int n = size_for(m, 50);
  perp_instance p = problem_for(m, n, PERP_FORM_LCP, 0.5, 3);
  double x[50];
  memcpy(x, p.x, (size_t)n * sizeof *x);
  perp_error error;
  const perp_result r = solve(name, &p, NULL, x, &error);
  CHECK(!error && r.outcome == PERP_SOLVED);
  CHECK_SAY(r.counts.iterations == 0, "%s: %lld iterations", name, (long long)r.counts.iterations);
  CHECK(!memcmp(x, p.x, (size_t)n * sizeof *x));
  perp_instance_destroy(&p);
}

static void a_solution_as_start_is_kept(void)
{
  each_method(warm_start);
}

static bool stop_at_once(void *context, const perp_progress *progress)
{
  ++*(int *)context;
  return progress->iteration < 1;
}

static void observe(const perp_method_info *m)
{
  const char *name = m->name;
  if (!(m->takes & PERP_TAKES(PERP_FORM_LCP)))
    return;
  perp_instance p = problem_for(m, size_for(m, 40), PERP_FORM_LCP, 0.01, 5);
  int calls = 0;
  perp_options o = perp_options_default();
  o.observer = stop_at_once;
  o.observer_context = &calls;
  o.tol = 0;
  double x[40] = {0};
  perp_error error;
  const perp_result r = solve(name, &p, &o, x, &error);
  CHECK(!error && calls >= 1);
  /* a method that needs only one iteration cannot be stopped */
  CHECK_SAY(r.outcome == PERP_STOPPED || calls == 1, "%s: %s", name, r.message.text);
  CHECK_SAY(calls <= 2, "%s goes on after %d calls", name, calls);
  perp_instance_destroy(&p);
}

static void observers_stop_every_method(void)
{
  each_method(observe);
}

/* One matrix as every kind of operator. */
static void kinds(const perp_method_info *m)
{
  const char *name = m->name;
  enum { SIDE = 8, UNKNOWNS = SIDE * SIDE };
  if (!takes(m, PERP_FORM_LCP, UNKNOWNS) || !takes_any(m))
    return;
  const perp_stencil_data data = {
      .size = sizeof(perp_stencil_data), .nx = SIDE, .ny = SIDE, .nz = 1, .weight = 1};
  perp_operator *A[5] = {NULL};
  CHECK(perp_operator_stencil(&data, PERP_COPY, &A[0], NULL) == PERP_OK);
  CHECK(perp_operator_to_dense(A[0], 0, &A[1], NULL) == PERP_OK);
  CHECK(perp_operator_to_csr(A[0], 0, &A[2], NULL) == PERP_OK);
  const int64_t *start;
  const int *column;
  const double *value;
  CHECK(perp_operator_csr_arrays(A[2], &start, &column, &value) == PERP_OK);
  CHECK(perp_operator_bsr(UNKNOWNS, 1, start, column, value, PERP_COPY, &A[3], NULL) == PERP_OK);
  /* J = 0, C = A */
  const int64_t nothing[UNKNOWNS + 1] = {0};
  const perp_contact_data contact = {.size = sizeof(perp_contact_data),
                                     .rows = UNKNOWNS,
                                     .velocities = 0,
                                     .J_start = nothing,
                                     .blocks = 0,
                                     .C_start = start,
                                     .C_column = column,
                                     .C_value = value};
  CHECK(perp_operator_contact(&contact, PERP_COPY, &A[4], NULL) == PERP_OK);
  double b[UNKNOWNS];
  perp_random random = perp_random_from(11);
  for (int i = 0; i < UNKNOWNS; i++)
    b[i] = perp_random_between(&random, -1, 0.6);
  for (int k = 0; k < 5; k++) {
    double x[UNKNOWNS] = {0};
    const perp_problem p = perp_problem_lcp(A[k], b);
    perp_result r = perp_result_empty();
    CHECK(perp_solve(name, &p, NULL, x, &r) == PERP_OK);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s on %s: %s", name, perp_operator_kind(A[k]),
              r.message.text);
  }
  for (int k = 0; k < 5; k++)
    perp_operator_destroy(A[k]);
}

static void every_operator_kind_is_taken(void)
{
  each_method(kinds);
}

static const test_case tests[] = {
    TEST(descriptions_are_complete),        TEST(every_form_is_solved_or_refused),
    TEST(tiny_problems_in_every_sign),      TEST(nothing_solves_the_infeasible),
    TEST(semidefinite_problems_are_solved), TEST(same_bits_on_repetition_and_with_two_threads),
    TEST(a_solution_as_start_is_kept),      TEST(observers_stop_every_method),
    TEST(every_operator_kind_is_taken),
};

TEST_MAIN(tests)
