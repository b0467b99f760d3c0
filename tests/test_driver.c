/* test_driver.c: the driver with methods that make false claims, wander, stall, diverge or never
 * end */
#include "test.h"

#include "base/clock.h"
#include "method/run/method.h"

enum { N = 4 };

/* A = 2 I, b = -2: the solution is x = 1. */
static perp_operator *twice_identity(void)
{
  static const double a[N * N] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2};
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(N, a, N, PERP_BORROW, &A, NULL) == PERP_OK);
  return A;
}

static const double minus_two[N] = {-2, -2, -2, -2};

static perp_result run_method(const perp_method *method, const perp_options *options, double *x)
{
  perp_operator *A = twice_identity();
  const perp_problem p = perp_problem_lcp(A, minus_two);
  perp_solver *solver = NULL;
  CHECK(perp_solver_create_with(method, &solver, NULL) == PERP_OK);
  perp_result result = perp_result_empty();
  CHECK(perp_solver_solve(solver, &p, options, x, &result) == PERP_OK);
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
  result.ray = NULL;
  return result;
}

static perp_method fake(perp_error (*solve)(perp_run *, const perp_problem *, const void *,
                                            double *))
{
  static const perp_parameter none[] = {{0}};
  return (perp_method){.name = "fake",
                       .title = "a method of the tests",
                       .family = "test",
                       .source = "",
                       .takes = 31,
                       .needs = PERP_CAN_APPLY,
                       .max_iterations = 1000,
                       .parameters = none,
                       .solve = solve};
}

static void fill(double *x, double value)
{
  for (int i = 0; i < N; i++)
    x[i] = value;
}

static perp_error claim_nan(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p, (void)params;
  fill(x, NAN);
  perp_run_claim(run, PERP_SOLVED);
  return PERP_OK;
}

static perp_error claim_zero(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p, (void)params;
  fill(x, 0); /* y = b < 0 */
  perp_run_claim(run, PERP_SOLVED);
  return PERP_OK;
}

static void claims_are_checked(void)
{
  const perp_method nan_liar = fake(claim_nan), zero_liar = fake(claim_zero);
  double x[N] = {0.5, 0.5, 0.5, 0.5};
  perp_result r = run_method(&nan_liar, NULL, x);
  CHECK_EQUAL_INT(r.outcome, PERP_REFUTED);
  CHECK(x[0] == 0.5 && r.residual == 1); /* the start is better than NaN: y = -1 */
  r = run_method(&zero_liar, NULL, x);
  CHECK_EQUAL_INT(r.outcome, PERP_REFUTED);
  CHECK(strstr(r.message.text, "claims a solution"));
  CHECK(x[0] == 0.5);
}

/* Reports a false y = 0 each time, while x creeps towards the solution. */
static perp_error false_gradient(perp_run *run, const perp_problem *p, const void *params,
                                 double *x)
{
  (void)p, (void)params;
  const double y[N] = {0};
  while (perp_run_next(run, x, y))
    for (int i = 0; i < N; i++)
      x[i] += (1 - x[i]) / 2;
  return PERP_OK;
}

static void gradients_at_hand_are_verified(void)
{
  const perp_method method = fake(false_gradient);
  double x[N] = {0};
  perp_options o = perp_options_default();
  const perp_result r = run_method(&method, &o, x);
  CHECK_EQUAL_INT(r.outcome, PERP_SOLVED);
  CHECK_CLOSE(x[2], 1, 1e-7);
  CHECK(r.counts.iterations > 20);
}

/* Reports a residual of 0 each time. */
static perp_error false_residual(perp_run *run, const perp_problem *p, const void *params,
                                 double *x)
{
  (void)p, (void)params;
  while (perp_run_next_iterate(run, perp_iterate_measured(x, 0)))
    for (int i = 0; i < N; i++)
      x[i] += (1 - x[i]) / 2;
  return PERP_OK;
}

static perp_error false_for_ever(perp_run *run, const perp_problem *p, const void *params,
                                 double *x)
{
  (void)p, (void)params;
  while (perp_run_next_iterate(run, perp_iterate_measured(x, 0)))
    fill(x, 0.5);
  return PERP_OK;
}

static void known_residuals_are_verified(void)
{
  const perp_method creeping = fake(false_residual), lying = fake(false_for_ever);
  double x[N] = {0};
  perp_result r = run_method(&creeping, NULL, x);
  CHECK_EQUAL_INT(r.outcome, PERP_SOLVED);
  CHECK_CLOSE(x[2], 1, 1e-7);
  CHECK(r.counts.iterations > 20);
  perp_options o = perp_options_default();
  o.max_iterations = INT64_MAX / 2;
  o.time_limit = 0.02;
  fill(x, 0);
  r = run_method(&lying, &o, x);
  CHECK_EQUAL_INT(r.outcome, PERP_TIME_LIMIT);
}

static perp_error improve_then_nan(perp_run *run, const perp_problem *p, const void *params,
                                   double *x)
{
  (void)p, (void)params;
  while (perp_run_next(run, x, NULL))
    fill(x, run->count.iterations < 3 ? 0.25 * (double)(run->count.iterations + 1) : NAN);
  return PERP_OK;
}

static void nan_hands_back_the_best_iterate(void)
{
  const perp_method method = fake(improve_then_nan);
  double x[N] = {0};
  const perp_result r = run_method(&method, NULL, x);
  CHECK_EQUAL_INT(r.outcome, PERP_NON_FINITE);
  CHECK(x[0] == 0.75 && r.residual == 0.5);
}

/* Wanders: close at iteration 5, far before and after. */
static perp_error wander(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p, (void)params;
  while (perp_run_next(run, x, NULL))
    fill(x, run->count.iterations == 4 ? 1.125 : 3 + (double)run->count.iterations);
  return PERP_OK;
}

static void best_of_a_wandering_run(void)
{
  const perp_method method = fake(wander);
  perp_options o = perp_options_default();
  o.max_iterations = 20;
  o.check_every = 1;
  double x[N] = {0};
  const perp_result r = run_method(&method, &o, x);
  CHECK_EQUAL_INT(r.outcome, PERP_ITERATION_LIMIT);
  CHECK_EQUAL_INT(r.counts.iterations, 20);
  CHECK(x[3] == 1.125 && r.residual == 0.25);
}

/* The best iterate has a stored y that flatters it: the verdict still chooses the truly better
 * one. */
static perp_error flatter(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p, (void)params;
  const double y[N] = {1e-6, 1e-6, 1e-6, 1e-6};
  while (perp_run_next(run, x, y))
    fill(x, 1 + 1 / (double)(run->count.iterations + 1));
  return PERP_OK;
}

static void flattered_iterates_do_not_win(void)
{
  const perp_method method = fake(flatter);
  perp_options o = perp_options_default();
  o.max_iterations = 50;
  double x[N] = {9, 9, 9, 9};
  const perp_result r = run_method(&method, &o, x);
  CHECK_EQUAL_INT(r.outcome, PERP_ITERATION_LIMIT);
  CHECK_CLOSE(x[0], 1 + 1.0 / 50, 1e-15);
  CHECK_CLOSE(r.residual, 2.0 / 50, 1e-14);
}

static perp_error never_end(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p, (void)params;
  while (perp_run_next(run, x, NULL))
    fill(x, 0.5);
  return PERP_OK;
}

static void time_limit_ends_it(void)
{
  const perp_method method = fake(never_end);
  perp_options o = perp_options_default();
  o.max_iterations = INT64_MAX / 2;
  o.time_limit = 0.02;
  o.stagnation = 0;
  double x[N] = {0};
  const perp_result r = run_method(&method, &o, x);
  CHECK_EQUAL_INT(r.outcome, PERP_TIME_LIMIT);
  CHECK(r.seconds >= 0.02 && x[0] == 0.5);
}

static void standing_still_is_stagnation(void)
{
  const perp_method method = fake(never_end);
  perp_options o = perp_options_default();
  o.stagnation = 10;
  double x[N] = {0};
  const perp_result r = run_method(&method, &o, x);
  CHECK_EQUAL_INT(r.outcome, PERP_STAGNATED);
  CHECK(r.counts.iterations < 30);
}

/* With tol = 0 the sweeps continue until no bit changes: they end at the floor. */
static void sweeps_that_stand_still_end(void)
{
  static const double a[4] = {3, -1, -1, 7}, b[2] = {-0.1, -0.7};
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(2, a, 2, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  perp_options o = perp_options_default();
  o.tol = 0;
  double x[2] = {0};
  perp_result r = perp_result_empty();
  CHECK(perp_solve("pgs", &p, &o, x, &r) == PERP_OK);
  CHECK(r.outcome == PERP_PRECISION || r.outcome == PERP_SOLVED);
  CHECK(r.residual < 1e-15 && r.counts.iterations < 100);
  perp_operator_destroy(A);
}

/* tol * scale overflows, the residual is infinite: not a solution. */
static void an_infinite_residual_is_never_solved(void)
{
  static const double a[1] = {1e300}, b[1] = {1e300};
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(1, a, 1, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  perp_options o = perp_options_default();
  o.tol = 1e10;
  o.max_iterations = 3;
  double x[1] = {1e100};
  perp_result r = perp_result_empty();
  CHECK(perp_solve("jacobi", &p, &o, x, &r) == PERP_OK);
  CHECK(isfinite(x[0]) && (r.outcome == PERP_SOLVED) == isfinite(r.residual));
  perp_operator_destroy(A);
}

/* Every product overflows: of three infinite residuals only the start has finite numbers. */
static void numbers_that_are_not_finite_never_come_back(void)
{
  static const double a[4] = {1, 1e308, 1e308, 1}, b[2] = {-1, -1};
  static const double lo[2] = {-INFINITY, -INFINITY};
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(2, a, 2, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_boxed(A, b, lo, NULL);
  for (int k = 0; k < perp_method_count(); k++)
    for (int spacing = 0; spacing < 4; spacing++) {
      perp_options o = perp_options_default();
      o.check_every = spacing;
      double x[2] = {10, 10};
      perp_result r = perp_result_empty();
      if (perp_solve(perp_method_at(k).name, &p, &o, x, &r))
        continue;
      CHECK_SAY(isfinite(x[0]) && isfinite(x[1]), "%s hands back %g, %g", perp_method_at(k).name,
                x[0], x[1]);
    }
  perp_operator_destroy(A);
}

/* y_0 = x_0 + 1e17 + 1 - 1e17 with all four at 1 but the first free: a plain sum loses the 1. */
static void the_verdict_sums_with_care(void)
{
  static const double a[16] = {1, 1e17, 1, -1e17, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  static const double b[4] = {0, 1, 1, 1}, lo[4] = {-INFINITY, 1, 1, 1},
                      hi[4] = {INFINITY, 1, 1, 1};
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(4, a, 4, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_boxed(A, b, lo, hi);
  const double wrong[4] = {0, 1, 1, 1}, right[4] = {-1, 1, 1, 1};
  double residual, scale;
  CHECK(perp_problem_judge(&p, wrong, &residual, &scale, NULL) == PERP_OK);
  CHECK(residual == 1);
  CHECK(perp_problem_judge(&p, right, &residual, &scale, NULL) == PERP_OK);
  CHECK(residual == 0);
  double x[4] = {0, 1, 1, 1};
  perp_result r = perp_result_empty();
  CHECK(perp_solve("pgs", &p, NULL, x, &r) == PERP_OK);
  CHECK((r.outcome == PERP_SOLVED) == (fabs(x[0] + 1) <= 1e-8));
  perp_operator_destroy(A);
}

static void a_refused_refresh_is_remembered(void)
{
  double a[1] = {2};
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(1, a, 1, PERP_BORROW, &A, NULL) == PERP_OK);
  const double b[1] = {-2};
  const perp_problem p = perp_problem_lcp(A, b);
  a[0] = NAN;
  CHECK_EQUAL_INT(perp_operator_refresh(A, NULL), PERP_ERROR_PROBLEM);
  a[0] = 2;
  perp_message why = {""};
  CHECK_EQUAL_INT(perp_problem_validate(&p, &why), PERP_ERROR_PROBLEM);
  CHECK_EQUAL_TEXT(why.text, "the last refresh of A failed; refresh it with valid data");
  CHECK(perp_operator_refresh(A, NULL) == PERP_OK && perp_problem_validate(&p, NULL) == PERP_OK);
  perp_operator_destroy(A);
}

static perp_error blow_up(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p, (void)params;
  while (perp_run_next(run, x, NULL))
    fill(x, 2 + 3 * x[0]);
  return PERP_OK;
}

static void growth_is_divergence(void)
{
  const perp_method method = fake(blow_up);
  double x[N] = {0.9, 0.9, 0.9, 0.9};
  const perp_result r = run_method(&method, NULL, x);
  CHECK_EQUAL_INT(r.outcome, PERP_DIVERGED);
  CHECK(x[0] == 0.9 && r.counts.iterations < 40);
}

static perp_error falling_merit(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)p, (void)params;
  double merit = 8;
  perp_run_merit(run, merit);
  while (perp_run_next(run, x, NULL)) {
    fill(x, x[0] * 0.5);
    perp_run_merit(run, merit /= 2);
  }
  return PERP_OK;
}

static void merit_tests_end_without_a_false_verdict(void)
{
  const perp_method method = fake(falling_merit);
  perp_options o = perp_options_default();
  o.merit_tol = 1;
  double x[N] = {0.5, 0.5, 0.5, 0.5};
  perp_result r = run_method(&method, &o, x);
  CHECK_EQUAL_INT(r.outcome, PERP_MERIT_REACHED);
  CHECK_EQUAL_INT(r.counts.iterations, 3);
  CHECK(r.merit == 1);
  o.merit_tol = 0;
  o.merit_rel_tol = 0.0625;
  r = run_method(&method, &o, x);
  CHECK_EQUAL_INT(r.outcome, PERP_MERIT_REACHED);
  CHECK_EQUAL_INT(r.counts.iterations, 4);
}

typedef struct {
  int64_t calls, checked, stop_at;
  bool ordered;
} watch;

static bool watcher(void *context, const perp_progress *progress)
{
  watch *w = context;
  w->ordered = w->ordered && progress->iteration == w->calls && progress->n == N && progress->x &&
               progress->scale == 2 && progress->seconds >= 0 &&
               progress->relative_residual == progress->residual / 2;
  w->calls++;
  w->checked += progress->checked;
  return w->calls <= w->stop_at;
}

static void observer_sees_every_iteration_and_can_stop(void)
{
  const perp_method method = fake(wander);
  watch w = {.stop_at = 1000000, .ordered = true};
  perp_options o = perp_options_default();
  o.observer = watcher;
  o.observer_context = &w;
  o.max_iterations = 200;
  double x[N] = {0};
  perp_result r = run_method(&method, &o, x);
  CHECK(w.ordered);
  CHECK_EQUAL_INT(w.calls, 201); /* the start, and after each iteration */
  CHECK_EQUAL_INT(w.checked, 201);

  w = (watch){.stop_at = 1000000, .ordered = true};
  o.check_every = -1;
  r = run_method(&method, &o, x);
  CHECK(w.calls == 201 && w.checked < 60);
  CHECK(r.counts.checks >= w.checked && r.counts.checks <= w.checked + 3);

  w = (watch){.stop_at = 7, .ordered = true};
  r = run_method(&method, &o, x);
  CHECK_EQUAL_INT(r.outcome, PERP_STOPPED);
  CHECK_EQUAL_INT(r.counts.iterations, 7);
}

/* Without an observer checks are spaced: at most an eighth of the iterations, and a few. */
static void checks_are_spaced(void)
{
  const perp_method method = fake(never_end);
  perp_options o = perp_options_default();
  o.max_iterations = 1000;
  double x[N] = {0};
  const perp_result r = run_method(&method, &o, x);
  CHECK_SAY(r.counts.checks <= 16 + 40, "%lld checks", (long long)r.counts.checks);
  CHECK_EQUAL_INT(r.counts.applies, r.counts.checks);
}

static void solved_start_takes_no_iteration(void)
{
  const perp_method method = fake(wander);
  double x[N] = {1, 1, 1, 1};
  const perp_result r = run_method(&method, NULL, x);
  CHECK_EQUAL_INT(r.outcome, PERP_SOLVED);
  CHECK_EQUAL_INT(r.counts.iterations, 0);
  CHECK(x[0] == 1);
}

/* u = (1, 1): A^T u <= 0 and b^T u < 0 */
static perp_error claim_infeasible(perp_run *run, const perp_problem *p, const void *params,
                                   double *x)
{
  (void)params, (void)x;
  double *u = perp_run_reals(run, (size_t)p->K.n);
  if (!u)
    return perp_run_no_memory(run);
  for (int i = 0; i < p->K.n; i++)
    u[i] = 1;
  perp_run_ray(run, u);
  perp_run_claim(run, PERP_INFEASIBLE);
  return PERP_OK;
}

static void certificates_are_checked(void)
{
  const perp_method method = fake(claim_infeasible);
  static const double none[4] = {-1, 0, 0, -1}, some[4] = {-1, 2, 0, -1}, b[2] = {-1, -1};
  for (int k = 0; k < 2; k++) {
    perp_operator *A = NULL;
    CHECK(perp_operator_dense(2, k ? some : none, 2, PERP_BORROW, &A, NULL) == PERP_OK);
    const perp_problem p = perp_problem_lcp(A, b);
    perp_solver *solver = NULL;
    CHECK(perp_solver_create_with(&method, &solver, NULL) == PERP_OK);
    perp_result r = perp_result_empty();
    double x[2] = {0};
    CHECK(perp_solver_solve(solver, &p, NULL, x, &r) == PERP_OK);
    CHECK_EQUAL_INT(r.outcome, k ? PERP_RAY : PERP_INFEASIBLE);
    CHECK(r.ray && r.ray[0] == 1);
    perp_solver_destroy(solver);
    perp_operator_destroy(A);
  }
}

/* Singular except for 1e-11: u looks like a certificate compared with b^T u, but there is a
 * solution. */
static void near_certificates_are_refused(void)
{
  static const double a[4] = {1, -1, -1, 1.00000000001}, b[2] = {-1, -2};
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(2, a, 2, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  for (int k = 0; k < perp_method_count(); k++) {
    perp_options o = perp_options_default();
    o.max_iterations = 1000;
    double x[2] = {0};
    perp_result r = perp_result_empty();
    if (perp_solve(perp_method_at(k).name, &p, &o, x, &r) == PERP_OK)
      CHECK_SAY(r.outcome != PERP_INFEASIBLE, "%s calls it infeasible", perp_method_at(k).name);
  }
  perp_operator_destroy(A);
}

/* A box and a matrix that is not symmetric: the pivoting methods refuse it, sweeps solve it. */
static void auto_goes_on_after_a_refusal(void)
{
  static const double a[9] = {3, -1, 0, -0.5, 3, -1, -1, 0, 4}, b[3] = {-1, 0.5, -2};
  static const double lo[3] = {-0.5, -0.5, -0.5}, hi[3] = {0.2, 1, 1};
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(3, a, 3, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_boxed(A, b, lo, hi);
  double x[3] = {0};
  perp_result r = perp_result_empty();
  CHECK(perp_solve("auto", &p, NULL, x, &r) == PERP_OK);
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s", r.message.text);
  perp_operator_destroy(A);
}

/* Invalid calls leave x unchanged and give the reason in one line. */
static void wrong_calls_are_errors(void)
{
  perp_operator *A = twice_identity();
  perp_problem p = perp_problem_lcp(A, minus_two);
  perp_solver *solver = NULL;
  perp_message why = {""};
  CHECK_EQUAL_INT(perp_solver_create("nonsense", &solver, &why), PERP_ERROR_ARGUMENT);
  CHECK_EQUAL_TEXT(why.text, "there is no method 'nonsense'");
  CHECK(perp_solver_create("pgs", &solver, NULL) == PERP_OK);
  perp_result r = perp_result_empty();
  double x[N] = {3, 3, 3, 3};

  perp_options o = perp_options_default();
  o.size--;
  CHECK_EQUAL_INT(perp_solver_solve(solver, &p, &o, x, &r), PERP_ERROR_ARGUMENT);
  CHECK(strstr(r.message.text, "perp_options_default()"));
  CHECK_EQUAL_INT(r.outcome, PERP_NOT_RUN);
  o = perp_options_default();
  o.tol = NAN;
  CHECK_EQUAL_INT(perp_solver_solve(solver, &p, &o, x, &r), PERP_ERROR_ARGUMENT);
  o = perp_options_default();
  o.threads = 0;
  CHECK_EQUAL_INT(perp_solver_solve(solver, &p, &o, x, &r), PERP_ERROR_ARGUMENT);
  CHECK_EQUAL_INT(perp_solver_solve(solver, &p, NULL, NULL, &r), PERP_ERROR_ARGUMENT);
  CHECK_EQUAL_INT(perp_solver_solve(NULL, &p, NULL, x, &r), PERP_ERROR_ARGUMENT);
  CHECK_EQUAL_INT(perp_solver_solve(solver, NULL, NULL, x, &r), PERP_ERROR_ARGUMENT);
  CHECK_EQUAL_INT(perp_solver_solve(solver, &p, NULL, x, NULL), PERP_ERROR_ARGUMENT);
  perp_result unmade = {0};
  CHECK_EQUAL_INT(perp_solver_solve(solver, &p, NULL, x, &unmade), PERP_ERROR_ARGUMENT);
  x[2] = NAN;
  CHECK_EQUAL_INT(perp_solver_solve(solver, &p, NULL, x, &r), PERP_ERROR_ARGUMENT);
  CHECK_EQUAL_TEXT(r.message.text, "the start x[2] = nan is not finite");
  x[2] = 3;
  const double mu[1] = {0.5};
  p.K.mu = mu;
  p.K.cones = 1;
  CHECK_EQUAL_INT(perp_solver_solve(solver, &p, NULL, x, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_TEXT(r.message.text, "pgs does not take problems of the form 'cone'");
  CHECK(x[0] == 3 && x[1] == 3 && x[2] == 3 && x[3] == 3);
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
}

static void defaults_fill_every_field(void)
{
  perp_options o;
  memset(&o, 0xff, sizeof o);
  perp_options_init(&o, sizeof o);
  CHECK(o.size == sizeof o && o.tol == 1e-8 && o.max_iterations == 0 && o.time_limit == 0);
  CHECK(o.merit_tol == 0 && o.merit_rel_tol == 0 && o.check_every == 0);
  CHECK(o.stagnation == 0 && o.threads == 1 && o.seed == 0 && o.memory_limit == 0);
  CHECK(!o.observer && !o.observer_context);
  perp_result r;
  memset(&r, 0xff, sizeof r);
  perp_result_init(&r, sizeof r);
  CHECK(r.size == sizeof r && r.outcome == PERP_NOT_RUN && r.residual == INFINITY);
  CHECK(r.scale == 1 && r.seconds == 0 && isnan(r.merit) && !r.ray && !r.message.text[0]);
  CHECK(r.counts.iterations == 0 && r.counts.restarts == 0 && r.counts.sweeps == 0);
}

static void check_judges_any_x(void)
{
  perp_operator *A = twice_identity();
  const perp_problem p = perp_problem_lcp(A, minus_two);
  double residual, scale;
  const double good[N] = {1, 1, 1, 1}, bad[N] = {1, 1, NAN, 1}, off[N] = {1, 1, 1, 1.25};
  CHECK(perp_problem_judge(&p, good, &residual, &scale, NULL) == PERP_OK);
  CHECK(residual == 0 && scale == 2);
  CHECK(perp_problem_judge(&p, bad, &residual, &scale, NULL) == PERP_OK);
  CHECK(residual == INFINITY);
  CHECK(perp_problem_judge(&p, off, &residual, &scale, NULL) == PERP_OK);
  CHECK(residual == 0.5);
  perp_operator_destroy(A);
}

static const test_case tests[] = {
    TEST(claims_are_checked),
    TEST(gradients_at_hand_are_verified),
    TEST(known_residuals_are_verified),
    TEST(nan_hands_back_the_best_iterate),
    TEST(best_of_a_wandering_run),
    TEST(flattered_iterates_do_not_win),
    TEST(time_limit_ends_it),
    TEST(standing_still_is_stagnation),
    TEST(sweeps_that_stand_still_end),
    TEST(an_infinite_residual_is_never_solved),
    TEST(numbers_that_are_not_finite_never_come_back),
    TEST(the_verdict_sums_with_care),
    TEST(a_refused_refresh_is_remembered),
    TEST(growth_is_divergence),
    TEST(merit_tests_end_without_a_false_verdict),
    TEST(observer_sees_every_iteration_and_can_stop),
    TEST(checks_are_spaced),
    TEST(solved_start_takes_no_iteration),
    TEST(certificates_are_checked),
    TEST(near_certificates_are_refused),
    TEST(auto_goes_on_after_a_refusal),
    TEST(wrong_calls_are_errors),
    TEST(defaults_fill_every_field),
    TEST(check_judges_any_x),
};

TEST_MAIN(tests)
