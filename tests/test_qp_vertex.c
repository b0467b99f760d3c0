/* test_qp_vertex.c: proofs of infeasibility that doubles do not hold
 *
 * More equations than free x: the only ray consists of minors, which are not doubles. And whatever a
 * vector looks like, it does not prove a program infeasible that has a known feasible point. `auto`
 * finds certificates for optimality conditions in the same way. */
#include "test.h"

#include "base/random.h"
#include "linalg/exact_lp.h"
#include "model/qp/qp.h"
#include <perp/perp.h>

#include <string.h>

enum { N = 40, M = N + 1 };

/* G x = G x0 with whole numbers, or a right hand side that is off by `shift` in one row */
static perp_outcome solve_equations(uint64_t seed, bool whole, double shift)
{
  perp_random random = perp_random_from(seed);
  double G[M * N], b[M], x0[N], x[N];
  perp_qp qp = perp_qp_default();
  perp_qp_result result = perp_qp_result_empty();
  for (int i = 0; i < N; i++)
    x0[i] = perp_random_below(&random, 9) - 4;
  for (int r = 0; r < M; r++) {
    b[r] = 0;
    for (int i = 0; i < N; i++) {
      const double v = perp_random_between(&random, -4, 4);
      G[r * N + i] = whole ? floor(v + 0.5) : v;
      b[r] += G[r * N + i] * x0[i];
    }
  }
  b[perp_random_below(&random, M)] += shift;
  qp.n = N, qp.m = M, qp.G_value = G, qp.l = b, qp.u = b;
  CHECK(perp_qp_solve("ipm", &qp, NULL, x, &result) == PERP_OK);
  return result.outcome;
}

static void equations_that_contradict_one_another_are_proven_infeasible(void)
{
  const int share = test_share("systems of equations", 5);
  for (int k = 0; k < 10; k += share) {
    const perp_outcome outcome = solve_equations((uint64_t)(300 + k), k % 2, 1);
    CHECK_SAY(outcome == PERP_INFEASIBLE, "%d: %s", k, perp_outcome_name(outcome));
    const perp_outcome other = solve_equations((uint64_t)(400 + k), true, 0);
    CHECK_SAY(other == PERP_SOLVED, "%d: %s", k, perp_outcome_name(other));
  }
}

/* A program with the feasible point x0, on many of its bounds. */
static void make_feasible(perp_random *random, int n, int m, double *G, double *low, double *high)
{
  double x0[12], t[24];
  for (int i = 0; i < n; i++)
    t[i] = x0[i] = perp_random_below(random, 7) - 3;
  for (int r = 0; r < m; r++) {
    t[n + r] = 0;
    for (int i = 0; i < n; i++) {
      G[r * n + i] = perp_random_uniform(random) < 0.5 ? perp_random_below(random, 9) - 4 : 0;
      t[n + r] += G[r * n + i] * x0[i];
    }
  }
  for (int k = 0; k < n + m; k++) {
    const int kind = perp_random_below(random, 5);
    low[k] = kind < 3 ? t[k] - perp_random_below(random, 2) : -INFINITY;
    high[k] = kind == 0 || kind == 3 ? t[k] + perp_random_below(random, 2) : INFINITY;
  }
}

static void a_feasible_program_has_no_proof(void)
{
  int tried = 0;
  const int share = test_share("feasible programs", 8);
  for (int k = 0; k < 400; k += share) {
    perp_random random = perp_random_from((uint64_t)(7000 + k));
    const int n = 1 + perp_random_below(&random, 12), m = 1 + perp_random_below(&random, 12);
    double G[144], low[24], high[24], z[12];
    make_feasible(&random, n, m, G, low, high);
    perp_qp qp = perp_qp_default();
    qp.n = n, qp.m = m, qp.G_value = G, qp.lb = low, qp.ub = high, qp.l = low + n, qp.u = high + n;
    perp_qp_solver *s;
    perp_message why = {""};
    CHECK_SAY(perp_qp_solver_create("ipm", &qp, &s, &why) == PERP_OK, "%s", why.text);
    perp_qp_options options = perp_qp_options_default();
    for (int trial = 0; trial < 10; trial++, tried++) {
      perp_qp_run run = {.solver = s, .options = &options};
      for (int i = 0; i < m; i++) {
        z[i] = perp_random_between(&random, -1, 1);
        z[i] = trial % 2 ? floor(4 * z[i]) : z[i];
      }
      CHECK_SAY(!perp_qp_prove_vertex(&run, z), "%d %d", k, trial);
      CHECK(!run.proven && run.claim == PERP_NOT_RUN);
    }
    perp_qp_solver_destroy(s);
  }
  printf("     %d vectors\n", tried);
}

/* The optimality conditions of: minimise 1/2 |x|^2 subject to G x >= g, x free, with whole numbers. The
 * last row of G is minus a positive combination of others; with `gap` 1 these rows contradict one
 * another. All columns of G z = 0 are equations, so that no u with rounding is a certificate. */
static void solve_conditions(uint64_t seed, int gap)
{
  enum { X = 190, ROWS = 130, ALL = X + ROWS, PER_ROW = 3, PARTS = 6 };
  static int G[ROWS][X];
  static double A[ALL * ALL], b[ALL], lo[ALL], hi[ALL], x[ALL];
  perp_random random = perp_random_from(seed);
  memset(G, 0, sizeof G);
  memset(A, 0, sizeof A);
  long g[ROWS], last = 0;
  for (int r = 0; r < ROWS - 1; r++) {
    for (int k = 0; k < PER_ROW; k++)
      G[r][perp_random_below(&random, X)] = 1 + perp_random_below(&random, 9);
    g[r] = perp_random_below(&random, 21) - 10;
  }
  for (int part = 0; part < PARTS; part++) {
    const int r = perp_random_below(&random, ROWS - 1), times = 1 + perp_random_below(&random, 7);
    for (int j = 0; j < X; j++)
      G[ROWS - 1][j] -= times * G[r][j];
    last -= times * g[r];
  }
  g[ROWS - 1] = last + gap; /* sum of times (G x)_r <= sum of times g_r - gap */
  for (int i = 0; i < ALL; i++) {
    lo[i] = -INFINITY;
    hi[i] = i < X ? INFINITY : 0;
    b[i] = i < X ? 0 : (double)g[i - X];
    A[i * ALL + i] = i < X;
    for (int j = 0; j < X && i >= X; j++) {
      A[i * ALL + j] = -G[i - X][j];
      A[j * ALL + i] = G[i - X][j];
    }
  }
  perp_message why = {""};
  perp_operator *sparse = NULL;
  int64_t start[ALL + 1], at = 0;
  static int column[ALL * ALL];
  static double value[ALL * ALL];
  for (int i = 0; i < ALL; i++) {
    start[i] = at;
    for (int j = 0; j < ALL; j++)
      if (A[i * ALL + j] != 0) {
        column[at] = j;
        value[at++] = A[i * ALL + j];
      }
  }
  start[ALL] = at;
  CHECK_SAY(perp_operator_csr(ALL, start, column, value, PERP_BORROW, &sparse, &why) == PERP_OK,
            "%s", why.text);
  const perp_problem p = perp_problem_boxed(sparse, b, lo, hi);
  perp_solver *solver = NULL;
  perp_result result = perp_result_empty();
  memset(x, 0, sizeof x);
  CHECK(perp_solver_create("auto", &solver, &why) == PERP_OK);
  CHECK(perp_solver_solve(solver, &p, NULL, x, &result) == PERP_OK);
  CHECK_SAY(result.outcome == (gap ? PERP_INFEASIBLE : PERP_SOLVED), "%d, gap %d: %s (%s)",
            (int)seed, gap, perp_outcome_name(result.outcome), result.message.text);
  const double *u = result.outcome == PERP_INFEASIBLE ? result.ray : NULL;
  if (u) { /* whole numbers below 2^53: every sum is exact */
    double smallest = INFINITY, value_of_b = 0;
    for (int i = X; i < ALL; i++)
      if (u[i] < 0)
        smallest = fmin(smallest, -u[i]);
    for (int j = 0; j < ALL; j++) {
      double sum = 0;
      for (int i = 0; i < ALL; i++)
        sum += A[i * ALL + j] * (u[i] / smallest);
      CHECK_SAY(j < X ? sum == 0 : sum >= 0, "column %d: %g", j, sum);
      CHECK(j < X ? u[j] == 0 : u[j] <= 0);
      value_of_b += b[j] * u[j];
    }
    CHECK(value_of_b < 0);
  }
  perp_solver_destroy(solver);
  perp_operator_destroy(sparse);
}

static void auto_proves_that_conditions_of_optimality_have_no_solution(void)
{
  const int share = test_share("conditions of optimality", 5);
  for (int k = 0; k < 5; k += share) {
    solve_conditions((uint64_t)(900 + k), 1);
    solve_conditions((uint64_t)(900 + k), 0);
  }
}

/* The optimality conditions of: minimise q^T x subject to G x >= g, x >= 0, with entries that are not whole
 * numbers. The last row of G is below minus a combination of others, so that rays have interior points;
 * x and z share no row, and with `dual` there is no feasible z either. */
static void solve_linear_conditions(uint64_t seed, bool dual)
{
  enum { X = 150, ROWS = 80, ALL = X + ROWS, PER_ROW = 5, PARTS = 12 };
  static double G[ROWS][X], value[2 * ROWS * X];
  static int column[2 * ROWS * X];
  double b[ALL], lo[ALL], hi[ALL], x[ALL] = {0};
  int64_t start[ALL + 1], at = 0;
  perp_random random = perp_random_from(seed);
  memset(G, 0, sizeof G);
  for (int j = 0; j < X; j++)
    b[j] = perp_random_uniform(&random);
  b[ALL - 1] = 1;
  for (int r = 0; r < ROWS - 1; r++) {
    for (int k = 0; k < PER_ROW; k++)
      G[r][perp_random_below(&random, X)] = perp_random_between(&random, -4, 4);
    b[X + r] = perp_random_between(&random, -1, 1);
  }
  for (int part = 0; part < PARTS; part++) {
    const int r = perp_random_below(&random, ROWS - 1);
    const double times = perp_random_between(&random, 0.1, 3);
    for (int j = 0; j < X; j++)
      G[ROWS - 1][j] -= times * G[r][j];
    b[ALL - 1] -= times * b[X + r];
  }
  for (int j = 0; j < X; j++)
    G[ROWS - 1][j] -= 0.1 * perp_random_uniform(&random);
  if (dual) /* x_0 in no row, with a cost below 0 */
    b[0] = -1;
  for (int r = 0; r < ROWS && dual; r++)
    G[r][0] = 0;
  for (int i = 0; i < ALL; i++) {
    start[i] = at;
    lo[i] = i < X ? 0 : -INFINITY;
    hi[i] = i < X ? INFINITY : 0;
    for (int j = 0; j < (i < X ? ROWS : X); j++) {
      const double v = i < X ? G[j][i] : -G[i - X][j];
      if (v != 0) {
        column[at] = i < X ? X + j : j;
        value[at++] = v;
      }
    }
  }
  start[ALL] = at;
  perp_operator *A = NULL;
  perp_message why = {""};
  CHECK(perp_operator_csr(ALL, start, column, value, PERP_BORROW, &A, &why) == PERP_OK);
  const perp_problem p = perp_problem_boxed(A, b, lo, hi);
  double u[ALL] = {0};
  perp_options options = perp_options_default();
  perp_result result = perp_result_empty();
  options.ray = u;
  CHECK(perp_solve("auto", &p, &options, x, &result) == PERP_OK);
  bool holds = false;
  CHECK(perp_certificate_judge(&p, u, &holds, &why) == PERP_OK);
  CHECK_SAY(result.outcome == PERP_INFEASIBLE && holds, "%d: %s (%s)", (int)seed,
            perp_outcome_name(result.outcome), result.message.text);
  perp_operator_destroy(A);
}

static void auto_proves_linear_programs_infeasible(void)
{
  for (int k = 0; k < 6; k++)
    solve_linear_conditions((uint64_t)(1100 + k), k % 2);
}

/* x_0 >= 1, x_0 <= 0 beside x_1 + x_2 <= 1, x_1 >= 0, with x_2 free: by hand */
static void the_error_of_a_ray_is_that_of_its_best_part(void)
{
  const int64_t start[] = {0, 1, 2, 4};
  const int column[] = {0, 0, 1, 2};
  const double value[] = {1, 2, 1, 1};
  const double L[] = {-INFINITY, 0, -INFINITY, 1, -INFINITY, -INFINITY};
  const double U[] = {INFINITY, INFINITY, INFINITY, INFINITY, 0, 1};
  const perp_inequalities s = {
      .n = 3, .m = 3, .start = start, .column = column, .value = value, .L = L, .U = U};
  int part[6];
  double numbers[4][6], *const work[] = {numbers[0], numbers[1], numbers[2], numbers[3]};
  double z[] = {-2, 1, 3};
  CHECK(perp_ray_error(&s, z, part, work) == 0 && z[0] == -2 && z[1] == 1 && z[2] == 0);
  double off[] = {-2, 1.5, 3}; /* (G^T z)_0 = 1, |z| = 2, gap -2 */
  CHECK(perp_ray_error(&s, off, part, work) == 0.5 && off[2] == 0);
  double wrong[] = {2, 1, -1};
  CHECK(isinf(perp_ray_error(&s, wrong, part, work)) && wrong[0] == 0 && wrong[2] == 0);
}

static const test_case tests[] = {
    TEST(auto_proves_linear_programs_infeasible),
    TEST(the_error_of_a_ray_is_that_of_its_best_part),
    TEST(auto_proves_that_conditions_of_optimality_have_no_solution),
    TEST(equations_that_contradict_one_another_are_proven_infeasible),
    TEST(a_feasible_program_has_no_proof),
};

TEST_MAIN(tests)
