/* test_band.c: banded factors, and block pivoting that uses them. Oracles: products with the
 * submatrix, planted solutions. */
#include "linalg/band.h"
#include "problems.h"

enum { MOST_ROWS = 4000, MOST_BAND = 8 };

/* Compressed rows of a banded matrix, filled by the tests. */
typedef struct {
  int n;
  int64_t start[MOST_ROWS + 1];
  int column[MOST_ROWS * (2 * MOST_BAND + 1)];
  double value[MOST_ROWS * (2 * MOST_BAND + 1)];
} banded;

/* Off-diagonal entries from [least, most), some left out; the diagonal exceeds the sum of their
 * magnitudes by `margin`. */
static void make_banded(banded *m, int n, int below, int above, double least, double most,
                        double margin, perp_random *random)
{
  m->n = n;
  m->start[0] = 0;
  for (int i = 0; i < n; i++) {
    int64_t k = m->start[i], middle = -1;
    double sum = margin;
    for (int j = i - below < 0 ? 0 : i - below; j <= i + above && j < n; j++) {
      if (j != i && perp_random_below(random, 8) == 0)
        continue;
      if (j == i)
        middle = k;
      else
        sum += fabs(m->value[k] = perp_random_between(random, least, most));
      m->column[k++] = j;
    }
    m->value[middle] = sum;
    m->start[i + 1] = k;
  }
}

/* -1 2 -1, with `end` on the diagonal at both ends: 2 if they are held, 1 if not. */
static void make_string(banded *m, int n, double end)
{
  m->n = n;
  m->start[0] = 0;
  for (int i = 0; i < n; i++) {
    int64_t k = m->start[i];
    for (int j = i - 1; j <= i + 1; j++)
      if (j >= 0 && j < n) {
        m->column[k] = j;
        m->value[k++] = i != j ? -1 : i == 0 || i == n - 1 ? end : 2;
      }
    m->start[i + 1] = k;
  }
}

static void banded_times(const banded *m, const double *x, double *y)
{
  for (int i = 0; i < m->n; i++) {
    y[i] = 0;
    for (int64_t k = m->start[i]; k < m->start[i + 1]; k++)
      y[i] += m->value[k] * x[m->column[k]];
  }
}

static void factors_solve_every_submatrix(void)
{
  static banded m;
  perp_random random = perp_random_from(1);
  for (int trial = 0; trial < 300; trial++) {
    const int n = 1 + trial % 60, below = perp_random_below(&random, MOST_BAND + 1),
              above = perp_random_below(&random, MOST_BAND + 1);
    make_banded(&m, n, below, above, -1, 1, 0.01, &random);
    const perp_sparse A = {n, m.start, m.column, m.value};
    int found_below, found_above, S[60], count = 0;
    CHECK(perp_band_is_narrow(&A, MOST_BAND, &found_below, &found_above));
    CHECK(found_below <= below && found_above <= above);
    perp_arena arena = {0};
    perp_band f;
    CHECK(perp_band_create(&f, &A, found_below, found_above, &arena));
    double d[60], x[60] = {0}, y[60], z[60];
    for (int i = 0; i < n; i++) {
      d[i] = perp_random_uniform(&random);
      if (perp_random_below(&random, 3)) {
        S[count++] = i;
        x[i] = perp_random_between(&random, -1, 1);
      }
    }
    banded_times(&m, x, y);
    for (int t = 0; t < count; t++)
      z[t] = y[S[t]] + d[S[t]] * x[S[t]];
    CHECK_EQUAL_INT(perp_band_factorise(&f, count, S, d), -1);
    perp_band_solve(&f, z);
    for (int t = 0; t < count; t++)
      CHECK_SAY(fabs(z[t] - x[S[t]]) <= 1e-11, "trial %d, row %d: %g, not %g", trial, S[t], z[t],
                x[S[t]]);
    perp_arena_free(&arena);
  }
}

static void a_pivot_that_is_not_positive_is_named(void)
{
  /* rows 0 and 2: [[1, .], [., 1]]; rows 1 and 2: [[1, 2], [2, 1]], with determinant -3 */
  const int64_t start[] = {0, 1, 3, 5};
  const int column[] = {0, 1, 2, 1, 2};
  const double value[] = {1, 1, 2, 2, 1}, none[3] = {0}, enough[3] = {0, 0, 4};
  const perp_sparse A = {3, start, column, value};
  int below, above;
  CHECK(perp_band_is_narrow(&A, 1, &below, &above) && below == 1 && above == 1);
  CHECK(!perp_band_is_narrow(&A, 0, &below, &above));
  perp_arena arena = {0};
  perp_band f;
  CHECK(perp_band_create(&f, &A, 1, 1, &arena));
  CHECK_EQUAL_INT(perp_band_factorise(&f, 2, (int[]){0, 2}, none), -1);
  CHECK_EQUAL_INT(perp_band_factorise(&f, 3, (int[]){0, 1, 2}, none), 2);
  CHECK_EQUAL_INT(perp_band_factorise(&f, 3, (int[]){0, 1, 2}, enough), -1);
  perp_arena_free(&arena);
}

/* Solves with blockpivot and checks the answer against `expected`. Returns the steps taken. */
static int64_t solve_as(const banded *m, const double *b, const double *lo, const double *hi,
                        const double *expected, double accuracy, const char *what)
{
  perp_operator *A = NULL;
  CHECK(perp_operator_csr(m->n, m->start, m->column, m->value, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = lo ? perp_problem_boxed(A, b, lo, hi) : perp_problem_lcp(A, b);
  double *x = calloc((size_t)m->n, sizeof *x);
  perp_options o = perp_options_default();
  o.tol = 1e-12;
  perp_result r = perp_result_empty();
  CHECK(perp_solve("blockpivot", &p, &o, x, &r) == PERP_OK);
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", what, r.message.text);
  for (int i = 0; i < m->n; i++)
    CHECK_SAY(fabs(x[i] - expected[i]) <= accuracy, "%s: row %d: %g, not %g", what, i, x[i],
              expected[i]);
  free(x);
  perp_operator_destroy(A);
  return r.counts.iterations;
}

/* Free intervals of many lengths, for tridiagonal M-matrices that are not symmetric: the passes
 * find all of them, so that one factor is enough. */
static void tridiagonal_m_matrices_take_one_factor(void)
{
  static banded m;
  static double x[MOST_ROWS], y[MOST_ROWS], b[MOST_ROWS];
  perp_random random = perp_random_from(2);
  for (int trial = 0; trial < 200; trial++) {
    const int n = 16 + perp_random_below(&random, trial % 10 ? 300 : MOST_ROWS - 16);
    make_banded(&m, n, 1, 1, -1, 0, trial % 2 ? 1e-4 : 0.1, &random);
    const int longest = 1 + perp_random_below(&random, n);
    bool is_free = true;
    for (int i = 0, left = 0; i < n; i++, left--) {
      if (left <= 0) {
        left = 1 + perp_random_below(&random, longest);
        is_free = !is_free;
      }
      x[i] = is_free ? perp_random_between(&random, 0.1, 1) : 0;
    }
    banded_times(&m, x, y);
    for (int i = 0; i < n; i++)
      b[i] = (x[i] > 0 ? 0 : perp_random_between(&random, 0.1, 1)) - y[i];
    CHECK_EQUAL_INT((int)solve_as(&m, b, NULL, NULL, x, 1e-7, "planted"), 1);
  }
}

/* A string under constant load above the ground, pulled up at its ends. b < 0 only near the ends,
 * so the free boundary must move by hundreds of rows. */
static void a_free_boundary_runs_in_one_pass(void)
{
  static banded m;
  enum { N = 2001, HEIGHT = 2 };
  make_string(&m, N, 2);
  /* u'' = f where u > 0, u = u' = 0 at the free boundary, which is sqrt(2 HEIGHT / f) from the end */
  static double b[N], x[N];
  const double f = 1e-5;
  for (int i = 0; i < N; i++)
    b[i] = f - (i == 0 || i == N - 1 ? HEIGHT : 0);
  perp_operator *A = NULL;
  CHECK(perp_operator_csr(N, m.start, m.column, m.value, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  perp_result r = perp_result_empty();
  perp_options o = perp_options_default();
  o.tol = 1e-13;
  CHECK(perp_solve("blockpivot", &p, &o, x, &r) == PERP_OK);
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s", r.message.text);
  CHECK_EQUAL_INT((int)r.counts.iterations, 1);
  int rows = 0;
  while (rows < N && x[rows] > 0)
    rows++;
  CHECK(fabs(rows - sqrt(2 * HEIGHT / f)) <= 2);
  for (int i = 0; i < N; i++)
    CHECK(fabs(x[i] - x[N - 1 - i]) <= 1e-10);
  perp_operator_destroy(A);
}

/* Narrow bands of any signs, in boxes of all sorts, against planted solutions. */
static void boxes_in_a_band_are_found(void)
{
  static banded m;
  static double x[400], y[400], b[400], lo[400], hi[400];
  perp_random random = perp_random_from(3);
  for (int trial = 0; trial < 200; trial++) {
    const int n = 16 + perp_random_below(&random, 300);
    make_banded(&m, n, 1 + perp_random_below(&random, MOST_BAND),
                perp_random_below(&random, MOST_BAND), -1, trial % 3 ? 1 : 0, 0.5, &random);
    double side[400];
    for (int i = 0; i < n; i++) {
      lo[i] = perp_random_below(&random, 4) ? perp_random_between(&random, -1, 1) : -INFINITY;
      hi[i] =
          perp_random_below(&random, 2) ? fmax(lo[i], -1) + perp_random_uniform(&random) : INFINITY;
      const int place = perp_random_below(&random, 3);
      side[i] = 0;
      x[i] = isfinite(lo[i]) && isfinite(hi[i]) ? 0.5 * (lo[i] + hi[i])
             : isfinite(lo[i])                  ? lo[i] + 1
             : isfinite(hi[i])                  ? hi[i] - 1
                                                : 0.3;
      if (place == 1 && isfinite(lo[i])) {
        x[i] = lo[i];
        side[i] = perp_random_between(&random, 0.1, 1);
      } else if (place == 2 && isfinite(hi[i])) {
        x[i] = hi[i];
        side[i] = -perp_random_between(&random, 0.1, 1);
      }
    }
    banded_times(&m, x, y);
    for (int i = 0; i < n; i++)
      b[i] = side[i] - y[i];
    CHECK(solve_as(&m, b, lo, hi, x, 1e-8, "a box") >= 1);
  }
}

/* -1 2 -1 with free ends: singular, and a load that cannot be carried. No pivot may be trusted. */
static void a_singular_string_ends(void)
{
  static banded m;
  enum { N = 50 };
  make_string(&m, N, 1);
  for (int sign = -1; sign <= 1; sign += 2) {
    double b[N], x[N] = {0};
    for (int i = 0; i < N; i++)
      b[i] = sign * 1.0 + (i % 2 ? 0.5 : -0.5);
    perp_operator *A = NULL;
    CHECK(perp_operator_csr(N, m.start, m.column, m.value, PERP_BORROW, &A, NULL) == PERP_OK);
    const perp_problem p = perp_problem_lcp(A, b);
    perp_result r = perp_result_empty();
    CHECK(perp_solve("blockpivot", &p, NULL, x, &r) == PERP_OK);
    CHECK_SAY((r.outcome == PERP_SOLVED) == (sign > 0), "%s", perp_outcome_name(r.outcome));
    perp_operator_destroy(A);
  }
}

static const test_case tests[] = {
    TEST(factors_solve_every_submatrix),
    TEST(a_pivot_that_is_not_positive_is_named),
    TEST(tridiagonal_m_matrices_take_one_factor),
    TEST(a_free_boundary_runs_in_one_pass),
    TEST(boxes_in_a_band_are_found),
    TEST(a_singular_string_ends),
};

TEST_MAIN(tests)
