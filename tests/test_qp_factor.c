/* test_qp_factor.c: the order of elimination and the factor of quasi-definite matrices
 *
 * The oracle of the factor is Gauss elimination with full pivoting in long double; that of the fill is
 * elimination on a dense pattern. */
#include "gauss.h"
#include "test.h"

#include "base/random.h"
#include "linalg/sparse_factor.h"
#include "model/qp/qp.h"

enum { MOST = 160 };

typedef struct matrix {
  int n;
  double a[MOST * MOST]; /* symmetric; its diagonal is given apart */
  double diagonal[MOST];
  signed char sign[MOST];
  int64_t start[MOST + 1];
  int column[MOST * MOST];
  double value[MOST * MOST];
} matrix;

/* Rows 0 .. p-1 have positive, the others negative diagonals; within a group the entries form a
 * diagonally dominant matrix. */
static void make_matrix(matrix *A, int n, double density, uint64_t seed)
{
  perp_random random = perp_random_from(seed);
  const int p = 1 + perp_random_below(&random, n);
  memset(A->a, 0, sizeof A->a);
  A->n = n;
  for (int i = 0; i < n; i++) {
    A->sign[i] = i < p ? 1 : -1;
    A->diagonal[i] = A->sign[i] * perp_random_between(&random, 0.01, 1);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (perp_random_uniform(&random) < density) {
        const double v = perp_random_between(&random, -1, 1);
        A->a[i * n + j] = A->a[j * n + i] = v;
        if (A->sign[i] == A->sign[j]) {
          A->diagonal[i] += A->sign[i] * fabs(v);
          A->diagonal[j] += A->sign[j] * fabs(v);
        }
      }
  int64_t at = 0;
  for (int i = 0; i < n; i++) {
    A->start[i] = at;
    for (int j = 0; j < n; j++)
      if (A->a[i * n + j] != 0 || i == j) { /* the diagonal is stored too, but not read */
        A->column[at] = j;
        A->value[at++] = i == j ? 7 : A->a[i * n + j];
      }
  }
  A->start[n] = at;
}

static bool solve_dense(const matrix *A, const double *r, double *x)
{
  const int n = A->n;
  static long double K[MOST][MOST + 1];
  long double found[MOST];
  int column[MOST];
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      K[i][j] = i == j ? A->diagonal[i] : A->a[i * n + j];
    K[i][n] = r[i];
  }
  if (!gauss_solve(n, MOST + 1, K[0], 0, column, found))
    return false;
  for (int i = 0; i < n; i++)
    x[i] = (double)found[i];
  return true;
}

/* Counts the entries of L below the diagonal for this order of elimination. */
static int64_t count_fill(const matrix *A, const int *order)
{
  static bool full[MOST][MOST];
  bool gone[MOST] = {false};
  int64_t fill = 0;
  for (int i = 0; i < A->n; i++)
    for (int j = 0; j < A->n; j++)
      full[i][j] = A->a[i * A->n + j] != 0;
  for (int k = 0; k < A->n; k++) {
    const int p = order[k];
    gone[p] = true;
    for (int i = 0; i < A->n; i++) {
      if (gone[i] || !full[p][i])
        continue;
      fill++;
      for (int j = 0; j < A->n; j++)
        full[i][j] = full[i][j] || (!gone[j] && full[p][j]);
    }
  }
  return fill;
}

static perp_qp_rows rows_of(matrix *A)
{
  return (perp_qp_rows){A->n, A->n, A->start, A->column, A->value};
}

static void the_order_is_a_permutation_and_saves_fill(void)
{
  static matrix A;
  int64_t natural = 0, ours = 0;
  for (int k = 0; k < 200; k++) {
    int order[MOST], first[MOST];
    bool seen[MOST] = {false};
    make_matrix(&A, 1 + k % 60, 0.02 + 0.001 * (k % 70), (uint64_t)(100 + k));
    perp_arena arena = {0};
    CHECK(perp_sparse_order_degree(&(perp_sparse){A.n, A.start, A.column, NULL}, &arena, order));
    perp_arena_free(&arena);
    for (int i = 0; i < A.n; i++) {
      CHECK(order[i] >= 0 && order[i] < A.n && !seen[order[i]]);
      seen[order[i]] = true;
      first[i] = i;
    }
    natural += count_fill(&A, first);
    ours += count_fill(&A, order);
  }
  CHECK_SAY((double)ours < 0.6 * (double)natural, "%lld against %lld", (long long)ours,
            (long long)natural);
}

/* An arrow that points up-left is full if its head is eliminated first; a chain has no fill at all
 * from its ends. */
static void arrows_and_chains_have_no_fill(void)
{
  static matrix A;
  int order[MOST];
  make_matrix(&A, 40, 0, 1);
  for (int i = 1; i < 40; i++)
    A.a[i] = A.a[i * 40] = 1;
  int64_t at = 0;
  for (int pass = 0; pass < 2; pass++) {
    at = 0;
    for (int i = 0; i < 40; i++) {
      A.start[i] = at;
      for (int j = 0; j < 40; j++)
        if (A.a[i * 40 + j] != 0)
          A.column[at++] = j;
    }
    A.start[40] = at;
    perp_arena arena = {0};
    CHECK(perp_sparse_order_degree(&(perp_sparse){40, A.start, A.column, NULL}, &arena, order));
    perp_arena_free(&arena);
    CHECK_EQUAL_INT(count_fill(&A, order), 39);
    memset(A.a, 0, sizeof A.a);
    for (int i = 1; i < 40; i++)
      A.a[i * 40 + i - 1] = A.a[(i - 1) * 40 + i] = 1;
  }
}

static void the_factor_solves(void)
{
  static matrix A;
  for (int k = 0; k < 300; k++) {
    /* full ones above 64 rows have a dense tail */
    make_matrix(&A, 1 + k * 7 % (k % 10 == 0 ? MOST : 60),
                k % 3 == 0 ? 0.9 : 0.03 + 0.002 * (k % 80), (uint64_t)(900 + k));
    perp_arena arena = {0};
    const perp_qp_rows rows = rows_of(&A);
    perp_qp_factor *f = perp_qp_factor_create(&rows, &arena);
    const perp_alarm never = {0};
    double x[MOST], y[MOST], r[MOST];
    perp_random random = perp_random_from((uint64_t)(2000 + k));
    CHECK(f != NULL);
    for (int turn = 0; turn < 2; turn++) {
      for (int i = 0; i < A.n; i++) {
        x[i] = r[i] = perp_random_between(&random, -1, 1);
        A.diagonal[i] *= turn ? 3 : 1; /* another diagonal, the same pattern */
      }
      CHECK(perp_qp_factorise(f, A.diagonal, A.sign, 0, 1, &never, NULL) == 0);
      perp_qp_factor_solve(f, x);
      CHECK(solve_dense(&A, r, y));
      double most = 0;
      for (int i = 0; i < A.n; i++)
        most = fmax(most, fabs(y[i]));
      for (int i = 0; i < A.n; i++)
        CHECK_CLOSE(x[i], y[i], 1e-9 * most);
    }
    perp_arena_free(&arena);
  }
}

/* A row with an infinite diagonal has no effect. */
static void infinite_diagonals_remove_rows(void)
{
  static matrix A, B;
  for (int k = 0; k < 100; k++) {
    make_matrix(&A, k % 10 ? 4 + k % 50 : 140, 0.2, (uint64_t)(5000 + k));
    perp_arena arena = {0};
    perp_random random = perp_random_from((uint64_t)(6000 + k));
    const perp_qp_rows rows = rows_of(&A);
    perp_qp_factor *f = perp_qp_factor_create(&rows, &arena);
    const perp_alarm never = {0};
    double x[MOST], y[MOST], r[MOST], diagonal[MOST];
    CHECK(f != NULL);
    B = A;
    for (int i = 0; i < A.n; i++) {
      const bool out = perp_random_uniform(&random) < 0.4;
      x[i] = r[i] = perp_random_between(&random, -1, 1);
      diagonal[i] = out ? A.sign[i] * INFINITY : A.diagonal[i];
      if (!out)
        continue;
      r[i] = 0;
      for (int j = 0; j < A.n; j++)
        B.a[i * A.n + j] = B.a[j * A.n + i] = 0;
    }
    CHECK(perp_qp_factorise(f, diagonal, A.sign, 0, 1, &never, NULL) == 0);
    perp_qp_factor_solve(f, x);
    CHECK(solve_dense(&B, r, y));
    for (int i = 0; i < A.n; i++)
      CHECK_CLOSE(x[i], y[i], 1e-8 * (1 + fabs(y[i])));
    perp_arena_free(&arena);
  }
}

static bool ring(void *count)
{
  return ++*(int *)count > 0;
}

static void a_wrong_sign_is_counted_and_an_alarm_heard(void)
{
  static matrix A;
  make_matrix(&A, 150, 0.3, 77);
  perp_arena arena = {0};
  const perp_qp_rows rows = rows_of(&A);
  perp_qp_factor *f = perp_qp_factor_create(&rows, &arena);
  const perp_alarm never = {0};
  int first = -1;
  CHECK(f != NULL);
  A.diagonal[0] = -1000; /* it should be positive */
  CHECK(perp_qp_factorise(f, A.diagonal, A.sign, 0, 1, &never, &first) > 0);
  CHECK_EQUAL_INT(first, 0);
  double d[MOST];
  perp_qp_factor_direction(f, first, d);
  long double sum = 0;
  for (int i = 0; i < A.n; i++)
    for (int j = 0; j < A.n; j++)
      sum += (long double)d[i] * (i == j ? A.diagonal[i] : A.a[i * A.n + j]) * d[j];
  CHECK(sum < 0);
  perp_arena_free(&arena);
  /* the clock is read at every 128th row */
  enum { LONG = 300 };
  static int64_t start[LONG + 1];
  static double diagonal[LONG];
  static signed char sign[LONG];
  int column = 0, calls = 0;
  double value = 0;
  const perp_qp_rows none = {LONG, LONG, start, &column, &value};
  for (int i = 0; i < LONG; i++)
    diagonal[i] = sign[i] = 1;
  f = perp_qp_factor_create(&none, &arena);
  CHECK(f != NULL);
  const perp_alarm alarm = {ring, &calls};
  CHECK_EQUAL_INT(perp_qp_factorise(f, diagonal, sign, 0, 1, &alarm, NULL), -1);
  CHECK_EQUAL_INT(perp_qp_factorise(f, diagonal, sign, 0, 1, &never, NULL), 0);
  perp_arena_free(&arena);
}

static const test_case tests[] = {
    TEST(the_order_is_a_permutation_and_saves_fill),
    TEST(arrows_and_chains_have_no_fill),
    TEST(the_factor_solves),
    TEST(infinite_diagonals_remove_rows),
    TEST(a_wrong_sign_is_counted_and_an_alarm_heard),
};

TEST_MAIN(tests)
