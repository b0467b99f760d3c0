/* test_sparse.c: sparse factors of one index set after another, by every back end, against a
 * separate dense Cholesky factor for each set */
#include "linalg/sparse_factor.h"
#include "problems.h"

#include <float.h>

enum { MOST = 60 };

typedef struct {
  int n;
  int64_t start[MOST + 1];
  int column[MOST * MOST];
  double value[MOST * MOST];
  double dense[MOST * MOST];
} sample;

/* Symmetric, about `filled` of the entries, dominant by `margin`. */
static void make(sample *s, int n, double filled, double margin, perp_random *random)
{
  memset(s->dense, 0, sizeof s->dense);
  s->n = n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (perp_random_uniform(random) < filled)
        s->dense[i * n + j] = s->dense[j * n + i] = perp_random_between(random, -1, 1);
  int64_t e = 0;
  for (int i = 0; i < n; i++) {
    double sum = margin;
    for (int j = 0; j < n; j++)
      sum += fabs(s->dense[i * n + j]);
    s->dense[i * n + i] = sum;
    s->start[i] = e;
    for (int j = 0; j < n; j++)
      if (s->dense[i * n + j] != 0) {
        s->column[e] = j;
        s->value[e++] = s->dense[i * n + j];
      }
  }
  s->start[n] = e;
}

/* |A_SS x + d x - r| over max |r|, by the dense entries. */
static double error_of(const sample *s, int m, const int *S, const double *d, const double *r,
                       const double *x)
{
  double worst = 0, size = DBL_MIN;
  for (int a = 0; a < m; a++) {
    double sum = d[S[a]] * x[a] - r[a];
    for (int b = 0; b < m; b++)
      sum += s->dense[S[a] * s->n + S[b]] * x[b];
    worst = fmax(worst, fabs(sum));
    size = fmax(size, fabs(r[a]));
  }
  return worst / size;
}

static int list_of(int n, const bool *in, int *S)
{
  int m = 0;
  for (int i = 0; i < n; i++)
    if (in[i])
      S[m++] = i;
  return m;
}

/* Sets that change by few rows, by many, not at all, and diagonals that change in between. */
static void walk(const perp_sparse_back *back, uint64_t seed)
{
  static sample s;
  perp_random random = perp_random_from(seed);
  const int n = 1 + perp_random_below(&random, MOST);
  make(&s, n, seed % 3 == 0 ? 0.5 : 4.0 / n, 0.1, &random);
  perp_arena arena = {0};
  const perp_sparse A = {n, s.start, s.column, s.value};
  perp_sparse_factor *f = perp_sparse_analyse_by(back, &A, &arena, 0);
  CHECK(f);
  bool in[MOST];
  double d[MOST] = {0}, r[MOST], x[MOST];
  int S[MOST];
  for (int i = 0; i < n; i++)
    in[i] = perp_random_below(&random, 2);
  for (int step = 0; step < 20; step++) {
    const int flips = step % 7 == 6 ? n : perp_random_below(&random, 3);
    for (int k = 0; k < flips; k++) {
      const int i = perp_random_below(&random, n);
      in[i] = !in[i];
    }
    if (step % 5 == 4)
      for (int i = 0; i < n; i++)
        d[i] = perp_random_uniform(&random);
    const int m = list_of(n, in, S);
    CHECK(perp_sparse_factorise(f, m, S, d) == PERP_SPARSE_OK);
    for (int a = 0; a < m; a++)
      x[a] = r[a] = perp_random_between(&random, -1, 1);
    CHECK(perp_sparse_solve(f, x));
    const double error = error_of(&s, m, S, d, r, x);
    CHECK_SAY(error < 1e-12, "n = %d, step %d, %d rows: %g", n, step, m, error);
  }
  perp_sparse_free(f);
  perp_arena_free(&arena);
}

static void own_factors_solve(void)
{
  for (uint64_t seed = 1; seed <= 100; seed++)
    walk(&perp_sparse_own, seed);
}

static void cholmod_factors_solve(void)
{
  if (!perp_sparse_cholmod())
    test_skip("built without CHOLMOD");
  for (uint64_t seed = 1; seed <= 100; seed++)
    walk(perp_sparse_cholmod(), seed);
}

/* Computes the solution for a set with a separate factor. */
static void solve_alone(const perp_sparse_back *back, const perp_sparse *A, int m, const int *S,
                        const double *d, double *x)
{
  perp_arena arena = {0};
  perp_sparse_factor *f = perp_sparse_analyse_by(back, A, &arena, 0);
  CHECK(f && perp_sparse_factorise(f, m, S, d) == PERP_SPARSE_OK && perp_sparse_solve(f, x));
  perp_sparse_free(f);
  perp_arena_free(&arena);
}

/* All rows, some, all again, others, with another diagonal each time, as in interior point methods,
 * and rows exchanged in between: every factor has the bits of a new one for its set. Sparse samples, and full ones, whose factors CHOLMOD stores in blocks. */
static void sets_that_come_back_give_the_same_bits(void)
{
  static sample s;
  const perp_sparse_back *const backs[] = {&perp_sparse_own, perp_sparse_cholmod()};
  for (uint64_t seed = 1; seed <= 40; seed++) {
    perp_random random = perp_random_from(seed);
    const int n = seed % 2 ? MOST : 2 + perp_random_below(&random, MOST - 2);
    make(&s, n, seed % 2 ? 1 : 4.0 / n, 0.1, &random);
    const perp_sparse A = {n, s.start, s.column, s.value};
    for (int k = 0; k < 2 && backs[k]; k++) {
      perp_arena arena = {0};
      perp_sparse_factor *f = perp_sparse_analyse_by(backs[k], &A, &arena, 0);
      CHECK(f);
      double d[MOST], x[MOST], alone[MOST];
      bool in[MOST];
      int S[MOST];
      for (int step = 0; step < 24; step++) {
        for (int i = 0; i < n; i++) {
          in[i] = step % 2 == 0 || i % (2 + step % 3) != 0 || (step % 8 == 7 && i % 5 == 0);
          d[i] = step % 6 == 5 ? d[i] : perp_random_uniform(&random);
        }
        const int m = list_of(n, in, S);
        for (int a = 0; a < m; a++)
          x[a] = alone[a] = perp_random_between(&random, -1, 1);
        CHECK(perp_sparse_factorise(f, m, S, d) == PERP_SPARSE_OK && perp_sparse_solve(f, x));
        solve_alone(backs[k], &A, m, S, d, alone);
        CHECK_SAY(memcmp(x, alone, (size_t)m * sizeof *x) == 0, "n = %d, step %d, %d rows", n, step,
                  m);
      }
      perp_sparse_free(f);
      perp_arena_free(&arena);
    }
  }
}

/* Singular and indefinite sets are detected, and later sets are not affected. */
static void singular_sets_are_told(void)
{
  const perp_sparse_back *const backs[] = {&perp_sparse_own, perp_sparse_cholmod()};
  /* rows 0 and 1 are the same; row 3 has a negative diagonal, row 4 none at all */
  const double a[25] = {2, 2, 1, 0, 0, 2, 2, 1, 0, 0, 1, 1, 3, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0};
  int64_t start[6] = {0};
  int column[25];
  double value[25];
  for (int i = 0; i < 5; i++) {
    start[i + 1] = start[i];
    for (int j = 0; j < 5; j++)
      if (a[5 * i + j] != 0) {
        column[start[i + 1]] = j;
        value[start[i + 1]++] = a[5 * i + j];
      }
  }
  const perp_sparse A = {5, start, column, value};
  for (int k = 0; k < 2 && backs[k]; k++) {
    perp_arena arena = {0};
    perp_sparse_factor *f = perp_sparse_analyse_by(backs[k], &A, &arena, 0);
    CHECK(f);
    const int whole[] = {0, 2}, twice[] = {0, 1, 2}, negative[] = {0, 2, 3}, empty[] = {0, 2, 4};
    for (int round = 0; round < 2; round++) {
      CHECK(perp_sparse_factorise(f, 2, whole, NULL) == PERP_SPARSE_OK);
      double x[2] = {2 + 2, 1 + 6};
      CHECK(perp_sparse_solve(f, x));
      CHECK_CLOSE(x[0], 1, 1e-14);
      CHECK_CLOSE(x[1], 2, 1e-14);
      CHECK(perp_sparse_factorise(f, 3, twice, NULL) == PERP_SPARSE_INDEFINITE);
      CHECK(perp_sparse_factorise(f, 2, whole, NULL) == PERP_SPARSE_OK);
      CHECK(perp_sparse_factorise(f, 3, negative, NULL) == PERP_SPARSE_INDEFINITE);
      CHECK(perp_sparse_factorise(f, 3, empty, NULL) == PERP_SPARSE_INDEFINITE);
      CHECK(perp_sparse_factorise(f, 0, NULL, NULL) == PERP_SPARSE_OK);
      CHECK(perp_sparse_solve(f, NULL));
    }
    perp_sparse_free(f);
    perp_arena_free(&arena);
  }
}

/* Entries of rounding, whose counterpart is 0 and not stored, count as symmetric. */
static void every_row_has_a_place_in_the_order(void)
{
  enum { N = 30 };
  perp_random random = perp_random_from(31);
  for (int round = 0; round < 200; round++) {
    int64_t start[N + 1] = {0};
    int column[N * N], order[N], seen[N] = {0};
    for (int i = 0; i < N; i++) {
      start[i + 1] = start[i];
      for (int j = 0; j < N; j++)
        if (i == j || perp_random_below(&random, N) < 1 + round % 3)
          column[start[i + 1]++] = j;
    }
    for (int k = 0; k < N; k++)
      order[k] = -1;
    perp_arena arena = {0};
    const perp_sparse A = {.n = N, .start = start, .column = column};
    CHECK(perp_sparse_order_degree(&A, &arena, order));
    perp_arena_free(&arena);
    for (int k = 0; k < N; k++)
      CHECK(order[k] >= 0 && order[k] < N && !seen[order[k]]++);
  }
}

static const test_case tests[] = {
    TEST(own_factors_solve),
    TEST(cholmod_factors_solve),
    TEST(sets_that_come_back_give_the_same_bits),
    TEST(singular_sets_are_told),
    TEST(every_row_has_a_place_in_the_order),
};

TEST_MAIN(tests)
