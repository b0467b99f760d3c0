/* test_minor.c: the basis of the pivoting methods: factors that follow an index set, sparse factors.
 * Oracles: elimination of the test's own, planted solutions. */
#include "box_oracle.h"
#include "linalg/sparse_factor.h"
#include "method/pivoting/minor.h"

/* A run with only an arena, options and a problem: all that perp_minor needs. */
static void minors_follow_their_set(void)
{
  enum { N = 14 };
  for (int symmetric = 0; symmetric < 2; symmetric++)
    for (uint64_t seed = 1; seed <= 20; seed++) {
      perp_random random = perp_random_from(seed);
      double *a = problem_dominant(N, 0.3, &random);
      for (int i = 0; i < N && !symmetric; i++)
        for (int j = 0; j < i; j++)
          a[i * N + j] = -a[i * N + j];
      perp_operator *A = problem_dense(N, a);
      const double b[N] = {0};
      const perp_problem p = perp_problem_lcp(A, b);
      const perp_options options = perp_options_default();
      perp_arena arena = {0};
      perp_run run = {.problem = &p, .options = &options, .arena = &arena};
      perp_minor f;
      CHECK(perp_minor_create(&f, &run, false) == PERP_OK);
      CHECK(f.symmetric == (symmetric == 1));
      for (int i = 0; i < N; i++)
        f.shift[i] = seed % 2 ? 0.1 * i : 0;
      for (int step = 0; step < 60; step++) {
        const int j = perp_random_below(&random, N);
        double pivot, noise, r[N], x[N], M[N * N];
        if (f.place[j] >= 0) {
          perp_minor_delete(&f, j);
        } else {
          CHECK(perp_minor_reach(&f, j, &pivot, &noise) == PERP_OK && pivot > noise);
          perp_minor_append(&f, j, pivot);
        }
        for (int t = 0; t < f.count; t++) {
          CHECK_EQUAL_INT(f.place[f.index[t]], t);
          r[t] = x[t] = perp_random_between(&random, -1, 1);
          for (int s = 0; s < f.count; s++)
            M[t * f.count + s] =
                a[f.index[t] * N + f.index[s]] + (t == s ? f.shift[f.index[t]] : 0);
        }
        double expected[N];
        CHECK(oracle_solve(f.count, M, r, expected));
        perp_minor_solve(&f, x);
        for (int t = 0; t < f.count; t++)
          CHECK_CLOSE(x[t], expected[t], 1e-12);
        if (step % 20 == 19) {
          int list[N], failed;
          memcpy(list, f.index, sizeof list);
          CHECK(perp_minor_factor(&f, f.count, list, &failed) == PERP_OK && failed == -1);
          memcpy(x, r, sizeof x);
          perp_minor_solve(&f, x);
          for (int t = 0; t < f.count; t++)
            CHECK_CLOSE(x[t], expected[t], 1e-12);
          perp_minor_clear(&f);
        }
      }
      perp_arena_free(&arena);
      perp_operator_destroy(A);
      perp_free(a);
    }
}

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
    int order[N], queue[N], level[N], seen[N] = {0};
    perp_sparse_order(&S, order, queue, level);
    for (int k = 0; k < N; k++)
      CHECK(order[k] >= 0 && order[k] < N && !seen[order[k]]++);
    perp_arena arena = {0};
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
      CHECK(perp_sparse_solve(f, x) && perp_sparse_fill(f) >= 0);
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
    TEST(minors_follow_their_set),
    TEST(sparse_factors_solve),
};

TEST_MAIN(tests)
