/* test_minmap.c: Newton's method on the minimum map: planted and published problems, the speed of
 * its convergence, its memory on grids. perp_problem_judge judges every result; unique planted
 * solutions are compared directly. */
#include "count_alloc.h"
#include "problems.h"

/* ---- Solving ---- */

typedef struct {
  const char *name, *value;
} setting;

static double *zeros(int n)
{
  double *x = perp_alloc_zero((size_t)n + 1, sizeof *x);
  CHECK(x != NULL);
  return x;
}

static perp_result solve_with(const perp_problem *p, const perp_options *options, int count,
                              const setting *settings, double *x)
{
  perp_solver *solver = NULL;
  perp_message why;
  perp_result result = perp_result_empty();
  CHECK(perp_solver_create("minmap", &solver, &why) == PERP_OK);
  for (int k = 0; k < count; k++)
    CHECK_SAY(perp_solver_set_text(solver, settings[k].name, settings[k].value, &why) == PERP_OK,
              "%s", why.text);
  const perp_error error = perp_solver_solve(solver, p, options, x, &result);
  CHECK_SAY(error == PERP_OK, "%s", result.message.text);
  perp_solver_destroy(solver);
  return result;
}

static void check_solved(const char *what, const perp_problem *p, const perp_result *result,
                         const double *x, double tol)
{
  double residual, scale;
  CHECK_SAY(result->outcome == PERP_SOLVED, "%s: %s", what, result->message.text);
  CHECK(perp_problem_judge(p, x, &residual, &scale, NULL) == PERP_OK);
  CHECK_SAY(residual <= tol * scale, "%s: relative residual %g", what, residual / scale);
}

/* The iterations that a generated problem takes to tol. */
static int64_t iterations_on(const char *text, double tol)
{
  perp_instance instance;
  perp_message why;
  CHECK_SAY(perp_generate(text, &instance, &why) == PERP_OK, "%s: %s", text, why.text);
  const perp_problem p = perp_instance_problem(&instance);
  double *x = zeros(p.K.n);
  perp_options options = perp_options_default();
  options.tol = tol;
  const perp_result result = solve_with(&p, &options, 0, NULL, x);
  check_solved(text, &p, &result, x, tol);
  perp_free(x);
  perp_instance_destroy(&instance);
  return result.counts.iterations;
}

/* ---- Random problems with known answers ---- */

static void planted_solutions_are_found(void)
{
  const uint64_t seeds = 150 / (uint64_t)test_share("seeds of planted solutions", 5);
  for (uint64_t seed = 1; seed <= seeds; seed++)
    for (perp_form form = PERP_FORM_LCP; form <= PERP_FORM_BOXED; form++) {
      const int n = 1 + (int)(seed % 30);
      perp_instance instance = problem_random(n, form, 0.5, seed);
      const perp_problem p = perp_instance_problem(&instance);
      double *x = zeros(n);
      const perp_result result = solve_with(&p, NULL, 0, NULL, x);
      check_solved(perp_form_name(form), &p, &result, x, 1e-8);
      for (int i = 0; i < n; i++)
        CHECK_SAY(fabs(x[i] - instance.x[i]) <= 1e-6, "seed %d, %s: x[%d] = %g, not %g", (int)seed,
                  perp_form_name(form), i, x[i], instance.x[i]);
      perp_free(x);
      perp_instance_destroy(&instance);
    }
}

static void singular_matrices_are_solved(void)
{
  for (uint64_t seed = 1; seed <= 100; seed++) {
    perp_instance instance = problem_singular(2 + (int)(seed % 40), seed);
    const perp_problem p = perp_instance_problem(&instance);
    double *x = zeros(p.K.n);
    const perp_result result = solve_with(&p, NULL, 0, NULL, x);
    check_solved("singular", &p, &result, x, 1e-8);
    perp_free(x);
    perp_instance_destroy(&instance);
  }
  for (int ratio = 1; ratio <= 8; ratio++)
    for (int seed = 1; seed <= 6; seed++) {
      char text[80];
      snprintf(text, sizeof text, "psd:n=60,ratio=0.%d,degenerate=%s,seed=%d", ratio,
               seed % 2 ? "0" : "0.2", seed);
      iterations_on(text, 1e-8);
    }
}

static void badly_scaled_rows_count_as_others(void)
{
  for (int seed = 1; seed <= 10; seed++) {
    char text[64];
    snprintf(text, sizeof text, "scaled:n=60,seed=%d", seed);
    CHECK(iterations_on(text, 1e-8) <= 6);
  }
}

/* ---- The problems of the notes ---- */

static void notes_contact_problems_are_solved(void)
{
  static const char *const sides[] = {"planted", "notes"};
  const int seeds = 100 / test_share("seeds of contact-notes", 5);
  for (int seed = 1; seed <= seeds; seed++)
    for (int k = 0; k < 2; k++) {
      char text[80];
      snprintf(text, sizeof text, "contact-notes:n=180,rhs=%s,seed=%d", sides[k], seed);
      iterations_on(text, 1e-8);
    }
}

static void notes_fluid_problems_take_few_iterations(void)
{
  CHECK(iterations_on("fluid-notes:n=1000,rhs=notes", 1e-8) <= 4);
  CHECK(iterations_on("fluid-notes:n=1000", 1e-10) <= 10);
}

/* ---- Convergence ---- */

enum { KEPT = 256 };
typedef struct {
  int count;
  double residual[KEPT]; /* over scale */
} history;

static bool keep(void *context, const perp_progress *progress)
{
  history *h = context;
  if (h->count < KEPT)
    h->residual[h->count++] = progress->residual / progress->scale;
  return true;
}

/* With direct solves the last step jumps to rounding: F is identified, and H is linear. With Krylov
 * solves and forcing terms the last steps converge quadratically. */
static void convergence_ends_fast(void)
{
  const setting krylov[] = {{"solver", "cg"}, {"smooth", "no"}};
  for (int seed = 1; seed <= 20; seed++)
    for (int inexact = 0; inexact < 2; inexact++) {
      char text[64];
      perp_instance instance;
      snprintf(text, sizeof text, "pd:n=60,seed=%d", seed);
      CHECK(perp_generate(text, &instance, NULL) == PERP_OK);
      const perp_problem p = perp_instance_problem(&instance);
      double *x = zeros(p.K.n);
      history h = {0};
      perp_options options = perp_options_default();
      options.tol = 1e-12;
      options.observer = keep;
      options.observer_context = &h;
      const perp_result result = solve_with(&p, &options, 2 * inexact, krylov, x);
      check_solved(text, &p, &result, x, 1e-12);
      CHECK(h.count >= 2);
      const double last = h.residual[h.count - 1], before = h.residual[h.count - 2];
      if (inexact)
        CHECK_SAY(last <= fmax(10 * pow(before, 1.5), 1e-12), "%s: %g after %g", text, last,
                  before);
      else
        CHECK_SAY(last <= 1e-13 && before > 1e-6, "%s: %g after %g", text, last, before);
      perp_free(x);
      perp_instance_destroy(&instance);
    }
}

/* ---- Grids ---- */

static perp_result solve_grid(int grid, size_t memory_limit, int count, const setting *settings,
                              int *n, double **x)
{
  char text[64];
  perp_instance instance;
  snprintf(text, sizeof text, "fluid:grid=%d", grid);
  CHECK(perp_generate(text, &instance, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  perp_options options = perp_options_default();
  options.memory_limit = memory_limit;
  *n = p.K.n;
  *x = zeros(p.K.n);
  bytes_taken = 0;
  const perp_result result = solve_with(&p, &options, count, settings, *x);
  check_solved(text, &p, &result, *x, 1e-8);
  perp_instance_destroy(&instance);
  return result;
}

/* One byte allowed for matrices changes nothing, because none is made. Memory per unknown stays the
 * same, at most 60 vectors (the dam fills a quarter of its box; chunks of the arena double). */
static void grids_are_solved_without_a_matrix(void)
{
  int64_t iterations[3];
  for (int k = 0; k < 3; k++) {
    int n;
    double *x, *same;
    const int grid = 32 << k;
    const perp_result result = solve_grid(grid, 0, 0, NULL, &n, &x);
    const int64_t bytes = bytes_taken;
    iterations[k] = result.counts.iterations;
    CHECK_SAY(bytes <= 2 * 60 * 8 * (int64_t)n + 100000, "%lld bytes for %d unknowns",
              (long long)bytes, n);
    solve_grid(grid, 1, 0, NULL, &n, &same);
    CHECK(memcmp(x, same, (size_t)n * sizeof *x) == 0);
    CHECK(bytes_taken == bytes);
    perp_free(x);
    perp_free(same);
  }
  CHECK_SAY(iterations[2] <= 2 * iterations[0], "%d, then %d iterations", (int)iterations[0],
            (int)iterations[2]);
}

static void every_solver_and_preconditioner_serves(void)
{
  static const char *const solvers[] = {"direct", "cg", "gmres"};
  static const char *const preconditioners[] = {"none", "jacobi", "ic"};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int n;
      double *x;
      const setting settings[] = {{"solver", solvers[i]}, {"preconditioner", preconditioners[j]}};
      solve_grid(16, 0, 2, settings, &n, &x);
      perp_free(x);
    }
}

/* ---- Endings ---- */

/* y = a x + b with one unknown: each sign of a and b, and a = 0. */
static void one_unknown_ends_as_it_must(void)
{
  for (int k = 0; k < 9; k++) {
    const double a = k / 3 - 1, b = k % 3 - 1;
    perp_instance instance = problem_single(a, b);
    const perp_problem p = perp_instance_problem(&instance);
    double x[1] = {0};
    const bool solvable = b >= 0 || a > 0;
    const perp_result result = solve_with(&p, NULL, 0, NULL, x);
    CHECK_SAY((result.outcome == PERP_SOLVED) == solvable, "a = %g, b = %g: %s", a, b,
              perp_outcome_name(result.outcome));
    CHECK(isfinite(x[0]));
    perp_instance_destroy(&instance);
  }
}

static void what_has_no_solution_is_not_solved(void)
{
  for (int n = 2; n <= 20; n++) {
    perp_instance instance = problem_infeasible(n);
    const perp_problem p = perp_instance_problem(&instance);
    double *x = zeros(n);
    const perp_result result = solve_with(&p, NULL, 0, NULL, x);
    CHECK_SAY(result.outcome == PERP_LOCAL_MINIMUM || result.outcome == PERP_STAGNATED ||
                  result.outcome == PERP_ITERATION_LIMIT,
              "%s", perp_outcome_name(result.outcome));
    for (int i = 0; i < n; i++)
      CHECK(isfinite(x[i]));
    perp_free(x);
    perp_instance_destroy(&instance);
  }
}

static const test_case tests[] = {
    TEST(planted_solutions_are_found),
    TEST(singular_matrices_are_solved),
    TEST(badly_scaled_rows_count_as_others),
    TEST(notes_contact_problems_are_solved),
    TEST(notes_fluid_problems_take_few_iterations),
    TEST(convergence_ends_fast),
    TEST(grids_are_solved_without_a_matrix),
    TEST(every_solver_and_preconditioner_serves),
    TEST(one_unknown_ends_as_it_must),
    TEST(what_has_no_solution_is_not_solved),
};

TEST_MAIN(tests)
