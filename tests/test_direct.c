/* test_direct.c: the basis of the pivoting methods: small problems by their cones, factors that
 * follow an index set, sparse factors. Oracles: exact integer arithmetic, enumeration of bases. */
#include "box_oracle.h"
#include "linalg/sparse_factor.h"

/* Decides exactly if an LCP of integers has a solution: every vertex x_S = -A_RS^-1 b_R, with its
 * inequalities multiplied by the determinant. */
static long long determinant(int k, long long M[3][3])
{
  if (k == 0)
    return 1;
  if (k == 1)
    return M[0][0];
  if (k == 2)
    return M[0][0] * M[1][1] - M[0][1] * M[1][0];
  return M[0][0] * (M[1][1] * M[2][2] - M[1][2] * M[2][1]) -
         M[0][1] * (M[1][0] * M[2][2] - M[1][2] * M[2][0]) +
         M[0][2] * (M[1][0] * M[2][1] - M[1][1] * M[2][0]);
}

static bool exact_vertex(int n, const int *A, const int *b, int rows, int columns)
{
  int R[3], S[3], k = 0, l = 0;
  for (int i = 0; i < n; i++) {
    if (rows >> i & 1)
      R[k++] = i;
    if (columns >> i & 1)
      S[l++] = i;
  }
  if (k != l)
    return false;
  long long M[3][3] = {{0}}, x[3] = {0, 0, 0};
  for (int p = 0; p < k; p++)
    for (int q = 0; q < k; q++)
      M[p][q] = A[R[p] * n + S[q]];
  const long long det = determinant(k, M), sign = det < 0 ? -1 : 1;
  if (det == 0)
    return false;
  for (int q = 0; q < k; q++) {
    long long N[3][3];
    memcpy(N, M, sizeof N);
    for (int p = 0; p < k; p++)
      N[p][q] = -b[R[p]];
    x[S[q]] = sign * determinant(k, N); /* |det| x */
    if (x[S[q]] < 0)
      return false;
  }
  for (int i = 0; i < n; i++) {
    long long y = sign * det * b[i];
    for (int j = 0; j < n; j++)
      y += A[i * n + j] * x[j];
    if (y < 0 || (y > 0 && x[i] > 0))
      return false;
  }
  return true;
}

static bool exact_exists(int n, const int *A, const int *b)
{
  for (int S = 0; S < 1 << n; S++)
    for (int R = 0; R < 1 << n; R++)
      if (exact_vertex(n, A, b, R, S))
        return true;
  return false;
}

/* Natural residual of an LCP, relative to the terms of y. */
static double small_residual(int n, const double *A, const double *b, const double *x)
{
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double y = b[i], size = fabs(b[i]);
    for (int j = 0; j < n; j++) {
      y += A[i * n + j] * x[j];
      size += fabs(A[i * n + j] * x[j]);
    }
    const double r = fabs(fmin(x[i], y));
    if (r > 0)
      worst = fmax(worst, r / size);
  }
  return worst;
}

/* The outcome of the method `direct`; u: n numbers for its certificate, or NULL. */
static perp_outcome solve_direct(int n, const double *A, const double *b, const double *lo,
                                 const double *hi, double *x, double *u)
{
  perp_operator *op = problem_dense(n, A);
  const perp_problem p = perp_problem_boxed(op, b, lo, hi);
  perp_options o = perp_options_default();
  perp_result r = perp_result_empty();
  o.ray = u;
  memset(x, 0, (size_t)n * sizeof *x);
  CHECK(perp_solve("direct", &p, &o, x, &r) == PERP_OK);
  perp_operator_destroy(op);
  return r.outcome;
}

/* ---- Small problems ---- */

/* Small integers give every kind of degeneracy: flat cones, b on facets, zero rows. */
static void small_integers_agree_with_exact_arithmetic(void)
{
  perp_random random = perp_random_from(1);
  int solvable = 0, not_solvable = 0, infeasible = 0;
  for (int trial = 0; trial < 60000; trial++) {
    const int n = 1 + trial % 3, range = 1 + trial % 4;
    int A[9], b[3];
    double a[9], q[3], x[3], u[3];
    for (int i = 0; i < n * n; i++)
      a[i] = A[i] = perp_random_below(&random, 2 * range + 1) - range;
    for (int i = 0; i < n; i++)
      q[i] = b[i] = perp_random_below(&random, 2 * range + 1) - range;
    const perp_outcome outcome = solve_direct(n, a, q, NULL, NULL, x, u);
    const bool exists = exact_exists(n, A, b), found = outcome == PERP_SOLVED;
    CHECK_SAY(exists == found, "n = %d, trial %d: %d against %d", n, trial, found, exists);
    if (found)
      CHECK_SAY(small_residual(n, a, q, x) <= 1e-15, "n = %d, trial %d: %g", n, trial,
                small_residual(n, a, q, x));
    solvable += exists;
    not_solvable += !exists;
    if (outcome == PERP_INFEASIBLE) {
      CHECK(!exists);
      infeasible++;
      double product = 0;
      for (int j = 0; j < n; j++) {
        double z = 0;
        for (int i = 0; i < n; i++)
          z += a[i * n + j] * u[i];
        CHECK(u[j] >= 0 && z <= 0);
        product += q[j] * u[j];
      }
      CHECK(product < 0);
    }
  }
  CHECK(solvable > 1000 && not_solvable > 1000 && infeasible > 1000);
}

/* x_i = 0 = y_i in some rows: b on a facet, an edge or at the apex of a cone. */
static void facets_are_met_at_rounding(void)
{
  perp_random random = perp_random_from(2);
  for (int trial = 0; trial < 30000; trial++) {
    const int n = 1 + trial % 3;
    double A[9], b[3], x[3], planted[3], G[9];
    for (int i = 0; i < n * n; i++)
      G[i] = perp_random_between(&random, -1, 1);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        A[i * n + j] = (i == j) * 0.05;
        for (int k = 0; k < n; k++)
          A[i * n + j] += G[k * n + i] * G[k * n + j];
      }
    for (int i = 0; i < n; i++)
      planted[i] = perp_random_below(&random, 2) * perp_random_between(&random, 0, 1);
    for (int i = 0; i < n; i++) {
      b[i] = planted[i] == 0 ? perp_random_below(&random, 2) * 0.5 : 0;
      for (int j = 0; j < n; j++)
        b[i] -= A[i * n + j] * planted[j];
    }
    CHECK(solve_direct(n, A, b, NULL, NULL, x, NULL) == PERP_SOLVED);
    CHECK_SAY(small_residual(n, A, b, x) <= 1e-15, "trial %d: %g", trial,
              small_residual(n, A, b, x));
    for (int i = 0; i < n; i++)
      CHECK_CLOSE(x[i], planted[i], 1e-12);
  }
}

static void small_boxes_agree_with_enumeration(void)
{
  perp_random random = perp_random_from(3);
  for (int trial = 0; trial < 6000; trial++) {
    const int n = 1 + trial % 3;
    double A[9], b[3], lo[3], hi[3], x[3], expected[3];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++)
        A[i * n + j] = perp_random_between(&random, -1, 1) + (i == j) * 3.2;
      b[i] = perp_random_between(&random, -4, 4);
      lo[i] = perp_random_below(&random, 4) ? -perp_random_uniform(&random) : -INFINITY;
      hi[i] = perp_random_below(&random, 4) ? perp_random_uniform(&random) : INFINITY;
      if (perp_random_below(&random, 10) == 0)
        lo[i] = hi[i] = 0.25;
    }
    CHECK(oracle_box(n, A, b, lo, hi, expected));
    CHECK(solve_direct(n, A, b, lo, hi, x, NULL) == PERP_SOLVED);
    for (int i = 0; i < n; i++)
      CHECK_CLOSE(x[i], expected[i], 1e-12);
  }
}

/* ---- Factors ---- */

static void sparse_factors_solve(void)
{
  enum { N = 200 };
  for (uint64_t seed = 1; seed <= 12; seed++) {
    char text[64];
    snprintf(text, sizeof text, "spd-sparse:n=%d,seed=%d", N, (int)seed);
    perp_instance instance;
    CHECK(perp_generate(text, &instance, NULL) == PERP_OK);
    perp_sparse S = {.n = N};
    CHECK(perp_operator_csr_arrays(instance.A, &S.start, &S.column, &S.value) == PERP_OK);
    int order[N], seen[N] = {0};
    perp_arena arena = {0};
    CHECK(perp_sparse_order_degree(&S, &arena, order));
    for (int k = 0; k < N; k++)
      CHECK(order[k] >= 0 && order[k] < N && !seen[order[k]]++);
    perp_sparse_factor *f = perp_sparse_analyse(&S, &arena, 0);
    CHECK(f);
    perp_random random = perp_random_from(seed);
    for (int trial = 0; trial < 6; trial++) {
      int list[N], m = 0;
      double d[N], x[N], planted[N], full[N] = {0}, y[N];
      for (int i = 0; i < N; i++) {
        d[i] = trial % 2 ? perp_random_uniform(&random) : 0;
        if (trial == 0 || perp_random_below(&random, 3))
          list[m++] = i;
      }
      for (int t = 0; t < m; t++)
        full[list[t]] = planted[t] = perp_random_between(&random, -1, 1);
      CHECK(perp_operator_apply(instance.A, full, y, NULL, NULL) == PERP_OK);
      for (int t = 0; t < m; t++)
        x[t] = y[list[t]] + d[list[t]] * planted[t];
      CHECK_EQUAL_INT(perp_sparse_factorise(f, m, list, d), PERP_SPARSE_OK);
      CHECK(perp_sparse_solve(f, x) && f->fill >= 0);
      for (int t = 0; t < m; t++)
        CHECK_CLOSE(x[t], planted[t], 1e-10);
      /* minus the diagonal is not positive definite */
      for (int i = 0; i < N; i++)
        d[i] = -1e6;
      CHECK_EQUAL_INT(perp_sparse_factorise(f, m, list, d), PERP_SPARSE_INDEFINITE);
    }
    perp_sparse_free(f);
    perp_arena_free(&arena);
    perp_instance_destroy(&instance);
  }
}

static const test_case tests[] = {
    TEST(small_integers_agree_with_exact_arithmetic),
    TEST(facets_are_met_at_rounding),
    TEST(small_boxes_agree_with_enumeration),
    TEST(sparse_factors_solve),
};

TEST_MAIN(tests)
