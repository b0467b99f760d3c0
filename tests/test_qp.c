/* test_qp.c: quadratic programs against an oracle that tries all active sets */
#include "qp_samples.h"

/* ---- Against the oracle ---- */

static void compare(const small_qp *p, const char *method, const char *what, uint64_t seed)
{
  perp_operator *P;
  const perp_qp qp = to_library(p, &P);
  double x[QP_MOST], z[QP_MOST], w[QP_MOST], ray[QP_MOST];
  long double right[QP_MOST];
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result result = perp_qp_result_empty();
  options.z = z, options.w = w, options.ray = ray;
  const perp_error error = perp_qp_solve(method, &qp, &options, x, &result);
  CHECK_SAY(error == PERP_OK, "%s %s %d: %s", what, method, (int)seed, result.message.text);
  if (oracle_qp(p, right)) {
    CHECK_SAY(result.outcome == PERP_SOLVED, "%s %s %d: %s, %g %g %g %g", what, method, (int)seed,
              perp_outcome_name(result.outcome), result.primal, result.dual, result.gap,
              result.complementarity);
    const double here = verdict(p, x, z, w);
    CHECK_SAY(here <= 1.0001e-8, "%s %s %d: %g", what, method, (int)seed, here);
    const double best = (double)oracle_objective(p, right);
    CHECK_SAY(fabs(result.objective - best) <= 1e-6 * (1 + fabs(best)), "%s %s %d: %.12g, %.12g",
              what, method, (int)seed, result.objective, best);
  } else {
    CHECK_SAY(result.outcome == PERP_INFEASIBLE, "%s %s %d: %s, %g %g %g", what, method, (int)seed,
              perp_outcome_name(result.outcome), result.primal, result.dual, result.gap);
    if (result.ray) {
      bool holds;
      CHECK(perp_qp_certificate_judge(&qp, PERP_INFEASIBLE, ray, &holds, NULL) == PERP_OK);
      CHECK(holds);
    }
  }
  perp_operator_destroy(P);
}

static void try_kind(const sample_kind *kind, const char *what, const char *method, int samples)
{
  const int share = test_share(what, 5);
  for (int k = 0; k < samples; k += share) {
    const int n = 1 + k % 4, m = k / 4 % 4;
    const small_qp p = make_sample(kind, n, m, (uint64_t)(1000 + k));
    compare(&p, method, what, (uint64_t)(1000 + k));
  }
}

static void strictly_convex_programs_match_the_oracle(void)
{
  const sample_kind kind = {.whole = false, .rank = -1, .equal = 0.2};
  try_kind(&kind, "convex", "auto", 200);
}

static void degenerate_programs_match_the_oracle(void)
{
  const sample_kind kind = {.whole = true, .rank = -1, .equal = 0.2};
  try_kind(&kind, "degenerate", "auto", 200);
}

static void singular_programs_match_the_oracle(void)
{
  const sample_kind kind = {.whole = true, .rank = 1, .boxed = true, .equal = 0.2};
  try_kind(&kind, "singular", "auto", 200);
}

static void linear_programs_match_the_oracle(void)
{
  const sample_kind kind = {.whole = false, .rank = 0, .boxed = true, .equal = 0.2};
  try_kind(&kind, "linear", "auto", 200);
}

static void infeasible_programs_are_recognised(void)
{
  const sample_kind kind = {.whole = false, .rank = 2, .boxed = true, .equal = 0.2, .around = -1};
  try_kind(&kind, "shifted", "auto", 200);
}

static void whole_infeasible_programs_are_recognised(void)
{
  const sample_kind kind = {.whole = true, .rank = -1, .equal = 0.3, .around = -1};
  try_kind(&kind, "whole shifted", "auto", 200);
}

static void other_methods_match_the_oracle(void)
{
  const sample_kind kind = {.whole = false, .rank = -1, .boxed = true, .equal = 0.2};
  static const char *const methods[] = {"ipm", "admm", "kkt:auto"};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
    try_kind(&kind, "methods", methods[k], 60);
}

/* From an empty active set; with n = 1 and 2 sets cannot cycle. */
static void active_sets_match_the_oracle(void)
{
  const sample_kind kind = {.whole = false, .rank = -1, .boxed = true};
  for (int k = 0; k < 100; k++) {
    const small_qp p = make_sample(&kind, 1 + k % 2, 0, (uint64_t)(3000 + k));
    compare(&p, "active", "active", (uint64_t)(3000 + k));
  }
}

/* A program in other units: x_j in units of 10^a, rows in units of 10^b, the objective in units of
 * 10^c. */
static void units_do_not_matter(void)
{
  const sample_kind kind = {.whole = false, .rank = -1, .equal = 0.2};
  for (int k = 0; k < 120; k++) {
    small_qp p = make_sample(&kind, 1 + k % 4, k / 4 % 4, (uint64_t)(5000 + k));
    const double x_unit = pow(10, k % 7 - 3), row_unit = pow(10, k % 5 - 2),
                 value = pow(10, k % 9 - 4);
    for (int i = 0; i < p.n; i++) {
      for (int j = 0; j < p.n; j++)
        p.P[i * p.n + j] *= value / x_unit / x_unit;
      p.q[i] *= value / x_unit;
      p.L[i] *= x_unit;
      p.U[i] *= x_unit;
    }
    for (int r = 0; r < p.m; r++) {
      for (int j = 0; j < p.n; j++)
        p.G[r * p.n + j] *= row_unit / x_unit;
      p.L[p.n + r] *= row_unit;
      p.U[p.n + r] *= row_unit;
    }
    perp_operator *P;
    const perp_qp qp = to_library(&p, &P);
    double x[QP_MOST], z[QP_MOST], w[QP_MOST];
    perp_qp_options options = perp_qp_options_default();
    perp_qp_result result = perp_qp_result_empty();
    options.z = z, options.w = w;
    CHECK(perp_qp_solve(NULL, &qp, &options, x, &result) == PERP_OK);
    CHECK_SAY(result.outcome == PERP_SOLVED, "%d: %s", k, perp_outcome_name(result.outcome));
    CHECK(verdict(&p, x, z, w) <= 1.0001e-8);
    perp_operator_destroy(P);
  }
}

/* ---- No solution ---- */

/* x_0 decreases without limit: no curvature, no bound, and q_0 = -1. */
static void unbounded_programs_are_recognised(void)
{
  const sample_kind kind = {.whole = true, .rank = -1, .equal = 0.2};
  for (int k = 0; k < 60; k++) {
    small_qp p = make_sample(&kind, 2 + k % 3, k / 3 % 4, (uint64_t)(7000 + k));
    for (int j = 0; j < p.n; j++)
      p.P[j] = p.P[j * p.n] = 0;
    for (int r = 0; r < p.m; r++)
      p.G[r * p.n] = 0;
    for (int r = 0; r < p.m; r++) { /* any x is feasible for these rows now */
      p.L[p.n + r] = -1e6;
      p.U[p.n + r] = 1e6;
    }
    p.q[0] = -1;
    p.L[0] = 0;
    p.U[0] = INFINITY;
    perp_operator *P;
    const perp_qp qp = to_library(&p, &P);
    double x[QP_MOST], ray[QP_MOST];
    perp_qp_options options = perp_qp_options_default();
    perp_qp_result result = perp_qp_result_empty();
    options.ray = ray;
    CHECK(perp_qp_solve(NULL, &qp, &options, x, &result) == PERP_OK);
    CHECK_SAY(result.outcome == PERP_UNBOUNDED, "%d: %s", k, perp_outcome_name(result.outcome));
    CHECK(result.primal <= 1e-6);
    CHECK(result.ray != NULL);
    /* by hand: P d = 0, q'd < 0, d stays within the bounds */
    double slope = 0;
    for (int i = 0; i < p.n; i++) {
      double Pd = 0;
      slope += p.q[i] * ray[i];
      for (int j = 0; j < p.n; j++)
        Pd += p.P[i * p.n + j] * ray[j];
      CHECK(Pd == 0);
      CHECK(ray[i] <= 0 || isinf(p.U[i]));
      CHECK(ray[i] >= 0 || isinf(p.L[i]));
    }
    CHECK(slope < 0);
    ray[0] = -ray[0];
    bool holds;
    CHECK(perp_qp_certificate_judge(&qp, PERP_UNBOUNDED, ray, &holds, NULL) == PERP_OK);
    CHECK(!holds);
    perp_operator_destroy(P);
  }
}

/* As above, but the last two rows contradict each other: G x <= b and G x >= b + gap. Without a feasible
 * point nothing falls, so that every method has to say infeasible. */
static void no_feasible_point_is_never_unbounded(void)
{
  static const char *const methods[] = {"auto", "ipm", "active", "admm"};
  const sample_kind kind = {.whole = true, .rank = -1, .equal = 0.2};
  int infeasible = 0;
  enum { COUNT = 200 };
  for (int k = 0; k < COUNT; k++) {
    small_qp p = make_sample(&kind, 2 + k % 3, 2 + k / 3 % 3, (uint64_t)(9100 + k));
    const int above = p.m - 2, below = p.m - 1;
    for (int j = 0; j < p.n; j++) {
      p.P[j] = p.P[j * p.n] = 0;
      p.G[below * p.n + j] = p.G[above * p.n + j];
    }
    if (k % 2) /* 0 x = b too */
      for (int j = 0; j < p.n; j++)
        p.G[below * p.n + j] = p.G[above * p.n + j] = 0;
    for (int r = 0; r < p.m; r++)
      p.G[r * p.n] = 0;
    p.L[p.n + above] = -INFINITY, p.U[p.n + above] = k % 5;
    p.L[p.n + below] = k % 5 + (k % 3 ? 1 : 0.125), p.U[p.n + below] = INFINITY;
    p.q[0] = -1;
    p.L[0] = k % 4 ? 0 : -INFINITY;
    p.U[0] = INFINITY;
    perp_operator *P;
    const perp_qp qp = to_library(&p, &P);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
      double x[QP_MOST], ray[QP_MOST];
      bool holds = false;
      perp_qp_options options = perp_qp_options_default();
      perp_qp_result result = perp_qp_result_empty();
      options.ray = ray;
      CHECK(perp_qp_solve(methods[m], &qp, &options, x, &result) == PERP_OK);
      CHECK_SAY(result.outcome == PERP_INFEASIBLE, "%d, %s: %s", k, methods[m],
                perp_outcome_name(result.outcome));
      if (result.ray)
        CHECK(perp_qp_certificate_judge(&qp, PERP_INFEASIBLE, ray, &holds, NULL) == PERP_OK &&
              holds);
      infeasible += holds;
    }
    perp_operator_destroy(P);
  }
  CHECK_SAY(infeasible >= 3 * COUNT, "%d rays", infeasible);
}

/* The solutions are (-8, s + 6, -2, s), s >= -5: x grows along them, and with the multiplier 2e13 of
 * x_2 the rounding of q'x looks like a slope. */
static void a_face_of_solutions_is_no_ray(void)
{
  const small_qp p = {.n = 4,
                      .m = 1,
                      .P = {9, 3, -15, -3, 3, 2, -4, -2, -15, -4, 26, 4, -3, -2, 4, 2},
                      .q = {24, 4, 21990232555476, -4},
                      .G = {5, 0, 1, -1},
                      .L = {-INFINITY, -INFINITY, -2, -INFINITY, -INFINITY},
                      .U = {-7, INFINITY, INFINITY, INFINITY, -37}};
  perp_operator *P;
  const perp_qp qp = to_library(&p, &P);
  double x[QP_MOST];
  perp_qp_result result = perp_qp_result_empty();
  CHECK(perp_qp_solve(NULL, &qp, NULL, x, &result) == PERP_OK);
  CHECK_SAY(result.outcome == PERP_SOLVED || result.outcome == PERP_STAGNATED, "%s",
            perp_outcome_name(result.outcome));
  perp_operator_destroy(P);
}

/* Free unknowns: equations must hold exactly along a ray, but rounded iterates do not satisfy them.
 * The exact linear program finds a ray. */
static void what_is_decided_exactly_has_a_ray(void)
{
  static const char *const methods[] = {"ipm", "active", "admm"};
  const double G[6] = {1, -1, 0, 3, 0, -7}, q[3] = {-1, -1, -1}, l[2] = {-1, -1}, u[2] = {1, 1};
  const double H[6] = {1, 1, 1, 3, 3, 3}, below[2] = {0, -INFINITY}, above[2] = {INFINITY, -1};
  for (int k = 0; k < 6; k++) {
    const bool unbounded = k < 3;
    perp_qp qp = perp_qp_default();
    qp.n = 3, qp.m = 2, qp.q = q, qp.G_value = unbounded ? G : H;
    qp.l = unbounded ? l : below, qp.u = unbounded ? u : above;
    const perp_outcome outcome = unbounded ? PERP_UNBOUNDED : PERP_INFEASIBLE;
    double x[3], ray[3] = {0};
    bool holds = false;
    perp_qp_options options = perp_qp_options_default();
    perp_qp_result result = perp_qp_result_empty();
    options.ray = ray;
    CHECK(perp_qp_solve(methods[k % 3], &qp, &options, x, &result) == PERP_OK);
    CHECK_SAY(result.outcome == outcome && result.ray, "%s: %s", methods[k % 3],
              result.message.text);
    CHECK(perp_qp_certificate_judge(&qp, outcome, ray, &holds, NULL) == PERP_OK && holds);
    if (unbounded) /* by hand: along (7, 7, 3) */
      CHECK(ray[0] > 0 && ray[0] == ray[1] && 3 * ray[0] == 7 * ray[2]);
    else /* and 3 (x + y + z) <= -1, but x + y + z >= 0 */
      CHECK(ray[1] > 0 && ray[0] == -3 * ray[1]);
  }
}

/* An empty row says 0 <= -3e-17, as rounding makes them: its multiplier is a proof, but of less than
 * the tolerance. */
static void contradictions_by_rounding_are_no_proof(void)
{
  const double P[4] = {1, 0, 0, 1}, q[2] = {-2, 1}, G[6] = {0, 0, 1, 1, -1, -1};
  for (int k = 0; k < 2; k++) {
    const double u[3] = {k == 0 ? -3e-17 : -1e-3, 3, 3};
    double x[2];
    perp_operator *A;
    perp_qp qp = perp_qp_default();
    perp_qp_result result = perp_qp_result_empty();
    CHECK(perp_operator_dense(2, P, 2, PERP_BORROW, &A, NULL) == PERP_OK);
    qp.n = 2, qp.m = 3, qp.P = A, qp.q = q, qp.G_value = G, qp.u = u;
    CHECK(perp_qp_solve("ipm", &qp, NULL, x, &result) == PERP_OK);
    CHECK_SAY(result.outcome == (k == 0 ? PERP_SOLVED : PERP_INFEASIBLE), "%d: %s", k,
              perp_outcome_name(result.outcome));
    if (k == 0)
      CHECK(fabs(x[0] - 2) < 1e-7 && fabs(x[1] + 1) < 1e-7);
    perp_operator_destroy(A);
  }
}

/* A certificate of infeasibility holds by hand, and one with another sign does not. */
static void certificates_are_checked(void)
{
  /* x + y >= 3, x <= 1, y <= 1 */
  const double P[4] = {1, 0, 0, 1}, G[2] = {1, 1}, l[1] = {3}, ub[2] = {1, 1};
  perp_operator *A;
  CHECK(perp_operator_dense(2, P, 2, PERP_BORROW, &A, NULL) == PERP_OK);
  perp_qp qp = perp_qp_default();
  qp.n = 2, qp.m = 1, qp.P = A, qp.G_value = G, qp.l = l, qp.ub = ub;
  double x[2], ray[2];
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result result = perp_qp_result_empty();
  options.ray = ray;
  CHECK(perp_qp_solve(NULL, &qp, &options, x, &result) == PERP_OK);
  CHECK_EQUAL_TEXT(perp_outcome_name(result.outcome), "infeasible");
  CHECK(ray[0] < 0);
  bool holds;
  perp_message why = {""};
  const double wrong[1] = {1};
  CHECK(perp_qp_certificate_judge(&qp, PERP_INFEASIBLE, ray, &holds, &why) == PERP_OK && holds);
  CHECK(perp_qp_certificate_judge(&qp, PERP_INFEASIBLE, wrong, &holds, &why) == PERP_OK);
  CHECK(!holds);
  CHECK_EQUAL_TEXT(why.text, "row 2: u > 0, but hi is finite; u is the ray in the conditions of "
                             "optimality, x before G x");
  CHECK(perp_qp_certificate_judge(&qp, PERP_SOLVED, ray, &holds, &why) == PERP_ERROR_ARGUMENT);
  perp_operator_destroy(A);
}

static void a_p_that_is_not_convex_is_named(void)
{
  for (int k = 0; k < 60; k++) {
    const int n = 2 + k % 4;
    perp_random random = perp_random_from((uint64_t)(9000 + k));
    double P[QP_MOST * QP_MOST] = {0}, x[QP_MOST], ray[QP_MOST];
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        P[i * n + j] = P[j * n + i] = perp_random_between(&random, -1, 1);
    P[0] = -fabs(P[0]); /* so e_0'P e_0 <= 0, and with any coupling some d'Pd < 0 */
    perp_operator *A;
    CHECK(perp_operator_dense(n, P, n, PERP_BORROW, &A, NULL) == PERP_OK);
    perp_qp qp = perp_qp_default();
    perp_qp_options options = perp_qp_options_default();
    perp_qp_result result = perp_qp_result_empty();
    qp.n = n, qp.P = A;
    options.ray = ray;
    CHECK(perp_qp_solve(NULL, &qp, &options, x, &result) == PERP_OK);
    CHECK_EQUAL_TEXT(perp_outcome_name(result.outcome), "not-convex");
    long double sum = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        sum += (long double)ray[i] * P[i * n + j] * ray[j];
    CHECK(sum < 0);
    CHECK(strstr(result.message.text, "not positive semi-definite"));
    perp_operator_destroy(A);
  }
}

static const test_case tests[] = {
    TEST(strictly_convex_programs_match_the_oracle),
    TEST(degenerate_programs_match_the_oracle),
    TEST(singular_programs_match_the_oracle),
    TEST(linear_programs_match_the_oracle),
    TEST(infeasible_programs_are_recognised),
    TEST(whole_infeasible_programs_are_recognised),
    TEST(other_methods_match_the_oracle),
    TEST(active_sets_match_the_oracle),
    TEST(units_do_not_matter),
    TEST(unbounded_programs_are_recognised),
    TEST(no_feasible_point_is_never_unbounded),
    TEST(a_face_of_solutions_is_no_ray),
    TEST(what_is_decided_exactly_has_a_ray),
    TEST(contradictions_by_rounding_are_no_proof),
    TEST(certificates_are_checked),
    TEST(a_p_that_is_not_convex_is_named),
};

TEST_MAIN(tests)
