/* test_fischer.c: Newton methods on Fischer and Burmeister's equations: fischer and pfischer.
 * Oracles: enumeration of all faces with an elimination of the test's own, planted solutions, and the
 * driver's verdict. test_fischer_map.c has the equations themselves. */
#include "problems.h"

static const char *const methods[] = {"fischer", "pfischer"};
enum { METHODS = 2 };

/* ---- Small problems, against enumeration ---- */

/* Solves the k x k system in place by elimination; returns false if it is singular. */
static bool eliminate(int k, long double *a, long double *b)
{
  for (int c = 0; c < k; c++) {
    int best = c;
    for (int r = c; r < k; r++)
      if (fabsl(a[r * k + c]) > fabsl(a[best * k + c]))
        best = r;
    if (fabsl(a[best * k + c]) < 1e-14L)
      return false;
    for (int j = 0; j < k; j++) {
      const long double t = a[c * k + j];
      a[c * k + j] = a[best * k + j];
      a[best * k + j] = t;
    }
    const long double t = b[c];
    b[c] = b[best];
    b[best] = t;
    for (int r = 0; r < k; r++) {
      const long double l = r == c ? 0 : a[r * k + c] / a[c * k + c];
      for (int j = c; j < k; j++)
        a[r * k + j] -= l * a[c * k + j];
      b[r] -= l * b[c];
    }
  }
  for (int c = 0; c < k; c++)
    b[c] /= a[c * k + c];
  return true;
}

enum { SMALL = 5 };

/* Computes x of the face with row i at lo (0), at hi (1) or between (2); returns true if it is a
 * solution. */
static bool solves_on_face(int n, const double *a, const double *b, const double *lo,
                           const double *hi, const int *state, double *x)
{
  long double M[SMALL * SMALL], r[SMALL];
  int free[SMALL], k = 0;
  for (int i = 0; i < n; i++)
    if (state[i] == 2)
      free[k++] = i;
    else if (!isfinite(x[i] = state[i] ? hi[i] : lo[i]))
      return false;
  for (int e = 0; e < k; e++) {
    r[e] = -b[free[e]];
    for (int j = 0; j < n; j++)
      if (state[j] != 2)
        r[e] -= a[free[e] * n + j] * x[j];
    for (int g = 0; g < k; g++)
      M[e * k + g] = a[free[e] * n + free[g]];
  }
  if (!eliminate(k, M, r))
    return false;
  for (int e = 0; e < k; e++)
    x[free[e]] = (double)r[e];
  for (int i = 0; i < n; i++) {
    double y = b[i];
    for (int j = 0; j < n; j++)
      y += a[i * n + j] * x[j];
    if (x[i] < lo[i] - 1e-12 || x[i] > hi[i] + 1e-12 || (state[i] == 0 && y < -1e-12) ||
        (state[i] == 1 && y > 1e-12))
      return false;
  }
  return true;
}

static bool enumerate(int n, const double *a, const double *b, const double *lo, const double *hi,
                      double *x)
{
  int state[SMALL] = {0}, faces = 1;
  for (int i = 0; i < n; i++)
    faces *= 3;
  for (int f = 0; f < faces; f++) {
    for (int i = 0, rest = f; i < n; i++, rest /= 3)
      state[i] = rest % 3;
    if (solves_on_face(n, a, b, lo, hi, state, x))
      return true;
  }
  return false;
}

/* Positive definite, not symmetric, b with zeros: corners at the start. */
static void small_problems_have_the_enumerated_solution(void)
{
  perp_random random = perp_random_from(6);
  const int share = test_share("small problems", 7);
  for (int k = 0; k < 600; k += share) {
    const int n = 1 + k % SMALL;
    double g[SMALL * SMALL], a[SMALL * SMALL], b[SMALL], lo[SMALL], hi[SMALL], x[SMALL];
    for (int i = 0; i < n * n; i++)
      g[i] = perp_random_between(&random, -1, 1);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        a[i * n + j] = i == j ? 0.2 : i < j ? 0.3 : -0.3;
        for (int e = 0; e < n; e++)
          a[i * n + j] += g[i * n + e] * g[j * n + e];
      }
      b[i] = perp_random_below(&random, 4) ? perp_random_between(&random, -1, 1) : 0;
      const int form = k % 3 ? perp_random_below(&random, 4) : 0;
      lo[i] = form == 0 ? 0 : form == 1 ? -INFINITY : -0.3;
      hi[i] = form == 2 ? 0.2 : INFINITY;
    }
    CHECK(enumerate(n, a, b, lo, hi, x));
    perp_operator *A = problem_dense(n, a);
    const perp_problem p = perp_problem_boxed(A, b, lo, hi);
    for (int m = 0; m < METHODS; m++) {
      double z[SMALL] = {0};
      perp_options o = perp_options_default();
      o.tol = 1e-12;
      perp_result r = perp_result_empty();
      CHECK(perp_solve(methods[m], &p, &o, z, &r) == PERP_OK);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s, case %d: %s", methods[m], k, r.message.text);
      for (int i = 0; i < n; i++)
        CHECK_SAY(fabs(z[i] - x[i]) < 1e-9, "%s, case %d, x[%d] = %.15g, not %.15g", methods[m], k,
                  i, z[i], x[i]);
    }
    perp_operator_destroy(A);
  }
}

/* ---- Generated problems ---- */

typedef struct outcome {
  perp_result result;
  bool solved;
} outcome;

/* `setting` is NAME=VALUE or NULL. x may be NULL. */
static outcome solve_generated(const char *method, const char *setting, const char *problem,
                               double tol, double merit_tol)
{
  perp_instance p = {0};
  perp_message why = {{0}};
  CHECK_SAY(perp_generate(problem, &p, &why) == PERP_OK, "%s", why.text);
  const perp_problem problem_seen = perp_instance_problem(&p);
  perp_solver *solver = NULL;
  CHECK(perp_solver_create(method, &solver, NULL) == PERP_OK);
  if (setting) {
    char name[64];
    const char *equals = strchr(setting, '=');
    snprintf(name, sizeof name, "%.*s", (int)(equals - setting), setting);
    CHECK_SAY(perp_solver_set_text(solver, name, equals + 1, &why) == PERP_OK, "%s", why.text);
  }
  perp_options o = perp_options_default();
  o.tol = tol;
  o.merit_tol = merit_tol;
  double *x = calloc((size_t)problem_seen.K.n + 1, sizeof *x);
  outcome end = {.result = perp_result_empty()};
  CHECK(perp_solver_solve(solver, &problem_seen, &o, x, &end.result) == PERP_OK);
  double residual, scale;
  CHECK(perp_problem_judge(&problem_seen, x, &residual, &scale, NULL) == PERP_OK);
  end.solved = residual <= tol * scale;
  CHECK(end.solved == (end.result.outcome == PERP_SOLVED));
  end.result.ray = NULL;
  free(x);
  perp_solver_destroy(solver);
  perp_instance_destroy(&p);
  return end;
}

static int64_t expect_solved(const char *method, const char *setting, const char *problem)
{
  const outcome end = solve_generated(method, setting, problem, 1e-8, 0);
  CHECK_SAY(end.solved, "%s %s on %s: %s", method, setting ? setting : "", problem,
            end.result.message.text);
  return end.result.counts.iterations;
}

/* The notes solve all 100 in 14.54 iterations on average. */
static void contact_problems_of_the_notes(void)
{
  int64_t iterations = 0;
  enum { SEEDS = 30 };
  for (int seed = 1; seed <= SEEDS; seed++)
    for (int k = 0; k < 2; k++) {
      char text[80];
      snprintf(text, sizeof text, "contact-notes:n=180,seed=%d,rhs=%s", seed,
               k ? "notes" : "planted");
      iterations += expect_solved("fischer", NULL, text);
    }
  CHECK_SAY((double)iterations / (2 * SEEDS) <= 12, "%g", (double)iterations / (2 * SEEDS));
}

static void fluid_problems_of_the_notes(void)
{
  for (int seed = 1; seed <= 2; seed++) {
    char text[80];
    snprintf(text, sizeof text, "fluid-notes:n=729,seed=%d", seed);
    const outcome loose = solve_generated("fischer", NULL, text, 1e-14, 1e-3);
    CHECK_EQUAL_INT(loose.result.outcome, PERP_MERIT_REACHED);
    CHECK(loose.result.counts.iterations <= 6);
    const outcome tight = solve_generated("fischer", NULL, text, 1e-10, 0);
    CHECK(tight.solved && tight.result.counts.iterations <= 10);
  }
}

static void every_strategy_solves_degenerate_problems(void)
{
  static const char *const strategies[] = {"strategy=random", "strategy=zero",
                                           "strategy=perturbation", "strategy=approximation",
                                           "strategy=analytic"};
  for (int k = 0; k < 5; k++)
    for (int seed = 1; seed <= 6; seed++) {
      char text[80];
      snprintf(text, sizeof text, "degenerate:n=60,seed=%d", seed);
      expect_solved("fischer", strategies[k], text);
      snprintf(text, sizeof text, "pd:n=50,degenerate=0.4,form=boxed,seed=%d", seed);
      expect_solved("fischer", strategies[k], text);
      snprintf(text, sizeof text, "contact-notes:n=60,rhs=notes,seed=%d", seed);
      expect_solved("fischer", strategies[k], text);
      expect_solved("pfischer", strategies[k], text);
    }
}

static void singular_problems_are_solved(void)
{
  static const double ratios[] = {0.1, 0.3, 0.5, 0.7, 0.8};
  static const char *const forms[] = {"lcp", "mixed", "boxed"};
  for (int k = 0; k < 5; k++)
    for (int form = 0; form < 3; form++)
      for (int m = 0; m < METHODS; m++)
        for (int seed = 1; seed <= 3; seed++) {
          char text[120];
          snprintf(text, sizeof text, "psd:n=80,ratio=%g,form=%s,degenerate=%g,seed=%d", ratios[k],
                   forms[form], seed == 3 ? 0.2 : 0, seed);
          expect_solved(methods[m], NULL, text);
        }
}

static void friction_pyramids_of_scenes(void)
{
  static const char *const scenes[] = {"stack:n=2", "stack:n=4", "wall:rows=1,columns=3",
                                       "wall:rows=2,columns=2", "arch:n=7"};
  for (int k = 0; k < 5; k++)
    for (int seed = 1; seed <= 3; seed++) {
      char text[120];
      snprintf(text, sizeof text, "%s,form=polyhedral,seed=%d", scenes[k], seed);
      expect_solved("fischer", NULL, text);
      expect_solved("pfischer", NULL, text);
    }
}

static void settings_lead_to_the_same_end(void)
{
  static const char *const settings[] = {"window=1",   "window=10",    "weighted=no",
                                         "restarts=0", "solver=gmres", "preconditioner=jacobi"};
  for (int k = 0; k < 6; k++)
    for (int seed = 1; seed <= 3; seed++) {
      char text[80];
      snprintf(text, sizeof text, "pd:n=60,form=boxed,seed=%d", seed);
      expect_solved("fischer", settings[k], text);
      snprintf(text, sizeof text, "nonsym:n=60,seed=%d", seed);
      expect_solved("fischer", settings[k], text);
    }
}

/* ---- Rates ---- */

enum { LONGEST = 100 };
typedef struct history {
  int count;
  double residual[LONGEST];
} history;

static bool remember(void *context, const perp_progress *progress)
{
  history *h = context;
  if (h->count < LONGEST)
    h->residual[h->count++] = progress->residual / progress->scale;
  return true;
}

/* r' <= C r^2, seen as: once below 1e-2, the next but one is below 1e-6. */
static void convergence_is_quadratic(void)
{
  for (int k = 0; k < 20; k++) {
    perp_instance p = {0};
    char text[80];
    snprintf(text, sizeof text, "%s:n=100,seed=%d", k % 2 ? "pd" : "nonsym", k + 1);
    CHECK(perp_generate(text, &p, NULL) == PERP_OK);
    const perp_problem problem = perp_instance_problem(&p);
    history h = {0};
    perp_options o = perp_options_default();
    o.tol = 1e-12;
    o.observer = remember;
    o.observer_context = &h;
    double x[100] = {0};
    perp_result r = perp_result_empty();
    CHECK(perp_solve(k % 4 < 2 ? "fischer" : "pfischer", &problem, &o, x, &r) == PERP_OK);
    CHECK_EQUAL_INT(r.outcome, PERP_SOLVED);
    /* the last three: orders, not factors */
    const double a = h.residual[h.count - 3], b = h.residual[h.count - 2];
    const double c = fmax(h.residual[h.count - 1], 1e-15);
    CHECK_SAY(b < 1e-15 || c == 1e-15 || log(c / b) / log(b / a) > 1.4, "%s: %g %g %g", text, a, b,
              c);
    perp_instance_destroy(&p);
  }
}

/* ---- Odd input ---- */

/* A problem in other units takes the same steps. */
static void units_do_not_matter(void)
{
  const double units[] = {1e-200, 1e-20, 1e20, 1e150};
  for (int m = 0; m < METHODS; m++)
    for (uint64_t seed = 1; seed <= 4; seed++) {
      perp_instance p = problem_random(20, PERP_FORM_LCP, 0.1, seed);
      perp_problem problem = perp_instance_problem(&p);
      double x[20] = {0}, b[20];
      perp_result first = perp_result_empty();
      CHECK(perp_solve(methods[m], &problem, NULL, x, &first) == PERP_OK);
      CHECK_EQUAL_INT(first.outcome, PERP_SOLVED);
      for (int k = 0; k < 4; k++) {
        double z[20] = {0};
        for (int i = 0; i < 20; i++)
          b[i] = units[k] * p.b[i];
        problem.b = b;
        perp_result r = perp_result_empty();
        CHECK(perp_solve(methods[m], &problem, NULL, z, &r) == PERP_OK);
        CHECK_SAY(r.outcome == PERP_SOLVED, "%s, unit %g: %s", methods[m], units[k],
                  r.message.text);
        CHECK_SAY(llabs((long long)(r.counts.iterations - first.counts.iterations)) <= 1,
                  "%s, unit %g: %lld iterations against %lld", methods[m], units[k],
                  (long long)r.counts.iterations, (long long)first.counts.iterations);
      }
      perp_instance_destroy(&p);
    }
}

typedef struct matrix {
  int n;
  const double *a;
  bool poisoned;
} matrix;

static int apply(void *context, const double *x, double *y)
{
  const matrix *m = context;
  for (int i = 0; i < m->n; i++) {
    y[i] = m->poisoned ? NAN : 0;
    for (int j = 0; j < m->n; j++)
      y[i] += m->a[i * m->n + j] * x[j];
  }
  return 0;
}

/* Only products: no rows, no diagonal, no transpose. */
static void products_are_enough(void)
{
  perp_random random = perp_random_from(7);
  for (int k = 0; k < 20; k++) {
    enum { N = 15 };
    double *a = problem_dominant(N, 0.5, &random), b[N];
    if (k % 2)
      a[1] += 0.25; /* not symmetric */
    for (int i = 0; i < N; i++)
      b[i] = perp_random_between(&random, -1, 1);
    matrix m = {N, a, false};
    const perp_shell shell = {.size = sizeof(perp_shell), .context = &m, .apply = apply};
    perp_operator *A = NULL;
    CHECK(perp_operator_shell(N, &shell, &A, NULL) == PERP_OK);
    const perp_problem p = perp_problem_lcp(A, b);
    for (int s = 0; s < METHODS + 1; s++) {
      double x[N] = {0};
      perp_solver *solver = NULL;
      CHECK(perp_solver_create(s < METHODS ? methods[s] : "fischer", &solver, NULL) == PERP_OK);
      if (s == METHODS)
        CHECK(perp_solver_set_text(solver, "strategy", "approximation", NULL) == PERP_OK);
      perp_result r = perp_result_empty();
      CHECK(perp_solver_solve(solver, &p, NULL, x, &r) == PERP_OK);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%d: %s", s, r.message.text);
      m.poisoned = true;
      CHECK(perp_solver_solve(solver, &p, NULL, x, &r) == PERP_OK);
      CHECK_EQUAL_INT(r.outcome, PERP_NON_FINITE);
      m.poisoned = false;
      perp_solver_destroy(solver);
    }
    perp_operator_destroy(A);
    perp_free(a);
  }
}

/* y = -x + 1 / 4 - ... : theta has minima that are not solutions, and A = -1 has no solution. */
static void what_has_no_solution_ends_truly(void)
{
  for (int m = 0; m < METHODS; m++) {
    perp_instance p = problem_infeasible(6);
    const perp_problem problem = perp_instance_problem(&p);
    double x[6] = {0};
    perp_result r = perp_result_empty();
    CHECK(perp_solve(methods[m], &problem, NULL, x, &r) == PERP_OK);
    CHECK_SAY(r.outcome == PERP_LOCAL_MINIMUM || r.outcome == PERP_STAGNATED ||
                  r.outcome == PERP_NON_DESCENT || r.outcome == PERP_ITERATION_LIMIT ||
                  r.outcome == PERP_DIVERGED,
              "%s", r.message.text);
    perp_instance_destroy(&p);

    perp_instance q = problem_single(-1, -1);
    const perp_problem single = perp_instance_problem(&q);
    CHECK(perp_solve(methods[m], &single, NULL, x, &r) == PERP_OK);
    CHECK(r.outcome != PERP_SOLVED && isfinite(x[0]));
    perp_instance_destroy(&q);
  }
}

/* A = -1, b = -1, no restarts: F is smallest at one point, where its slope is zero. */
static void local_minima_are_named(void)
{
  perp_instance q = problem_single(-1, -1);
  const perp_problem single = perp_instance_problem(&q);
  perp_solver *solver = NULL;
  CHECK(perp_solver_create("fischer", &solver, NULL) == PERP_OK);
  CHECK(perp_solver_set(solver, "restarts", 0, NULL) == PERP_OK);
  double x[1] = {3};
  perp_result r = perp_result_empty();
  CHECK(perp_solver_solve(solver, &single, NULL, x, &r) == PERP_OK);
  CHECK_SAY(r.outcome == PERP_LOCAL_MINIMUM, "%s: %s", perp_outcome_name(r.outcome),
            r.message.text);
  perp_solver_destroy(solver);
  perp_instance_destroy(&q);
}

/* b of 1e-92 and a start of 1: theta overflows at the start, and old data in the solver's memory
 * must not affect the result. */
static void a_merit_that_overflows_repeats_to_the_bit(void)
{
  enum { N = 12 };
  perp_random random = perp_random_from(11);
  for (int k = 0; k < 40; k++) {
    double a[N * N], tiny[N], whole[N];
    for (int i = 0; i < N; i++) {
      a[i * N + i] = perp_random_below(&random, 2);
      for (int j = 0; j < i; j++)
        a[j * N + i] = -(a[i * N + j] = perp_random_between(&random, -1, 1));
      whole[i] = perp_random_between(&random, -1, 0);
      tiny[i] = 1e-92 * whole[i];
    }
    perp_operator *A = NULL;
    CHECK(perp_operator_dense(N, a, N, PERP_BORROW, &A, NULL) == PERP_OK);
    const perp_problem other = perp_problem_lcp(A, whole), problem = perp_problem_lcp(A, tiny);
    const char *method = methods[k % 2];
    perp_solver *solver = NULL;
    CHECK(perp_solver_create(method, &solver, NULL) == PERP_OK);
    double x[3][N];
    perp_result r = perp_result_empty();
    for (int run = 0; run < 3; run++) { /* fresh, after itself, after another problem */
      for (int i = 0; i < N; i++)
        x[run][i] = i % 3;
      if (run == 2) {
        double used[N] = {0};
        CHECK(perp_solver_solve(solver, &other, NULL, used, &r) == PERP_OK);
      }
      CHECK(perp_solver_solve(solver, &problem, NULL, x[run], &r) == PERP_OK);
      CHECK_SAY(memcmp(x[run], x[0], sizeof x[0]) == 0, "%s, problem %d, solve %d", method, k, run);
    }
    perp_solver_destroy(solver);
    perp_operator_destroy(A);
  }
}

static const test_case tests[] = {
    TEST(small_problems_have_the_enumerated_solution),
    TEST(contact_problems_of_the_notes),
    TEST(fluid_problems_of_the_notes),
    TEST(every_strategy_solves_degenerate_problems),
    TEST(singular_problems_are_solved),
    TEST(friction_pyramids_of_scenes),
    TEST(settings_lead_to_the_same_end),
    TEST(convergence_is_quadratic),
    TEST(units_do_not_matter),
    TEST(products_are_enough),
    TEST(what_has_no_solution_ends_truly),
    TEST(local_minima_are_named),
    TEST(a_merit_that_overflows_repeats_to_the_bit),
};

TEST_MAIN(tests)
