/* test_active.c: the factor that follows an index set, against explicit matrices */
#include "gram.h"
#include "linalg/active.h"
#include "linalg/vector.h"

/* A = B B^T for a B of full rank with a band of that width, rows in random order in every second
 * sample: full of zeros. */
static double *banded_gram(int n, int band, bool shuffled, perp_random *random)
{
  double *b = calloc((size_t)(n * n), sizeof *b), *a = calloc((size_t)(n * n), sizeof *a);
  int order[40];
  for (int i = 0; i < n; i++) {
    order[i] = i;
    for (int j = i - band < 0 ? 0 : i - band; j <= i; j++)
      b[i * n + j] = j == i ? 2 : perp_random_between(random, -1, 1);
  }
  for (int i = n - 1; i > 0 && shuffled; i--) {
    const int j = perp_random_below(random, i + 1), t = order[i];
    order[i] = order[j];
    order[j] = t;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        a[i * n + j] += b[order[i] * n + k] * b[order[j] * n + k];
  free(b);
  return a;
}

static void check_factor(const perp_active *f, const double *a, int n)
{
  for (int p = 0; p < f->count; p++)
    for (int q = 0; q < f->first[p]; q++)
      CHECK(f->L[p * f->ld + q] == 0);
  for (int p = 0; p < f->count; p++) {
    const int i = f->index[p];
    CHECK_EQUAL_INT(f->place[i], p);
    for (int q = 0; q <= p; q++) {
      const int j = f->index[q];
      double sum = 0;
      for (int k = 0; k <= q; k++)
        sum += f->L[p * f->ld + k] * f->L[q * f->ld + k];
      CHECK_CLOSE(sum, a[i * n + j], 1e-12 * sqrt(a[i * n + i] * a[j * n + j]));
    }
  }
  int inside = 0;
  for (int i = 0; i < n; i++)
    inside += f->place[i] >= 0;
  CHECK_EQUAL_INT(inside, f->count);
}

/* Rows are added singly and in batches, and removed, in random order; the rank is found in any
 * order. */
static void factor_follows_its_set(void)
{
  perp_random random = perp_random_from(5);
  for (int trial = 0; trial < 300; trial++) {
    const bool banded = trial % 2;
    const int n = 1 + perp_random_below(&random, 40);
    const int rank = banded ? n : 1 + perp_random_below(&random, n);
    double *a = banded ? banded_gram(n, perp_random_below(&random, 6), trial % 4 == 1, &random)
                       : gram(n, rank, trial % 3 ? 0 : 3, &random);
    double *reals = calloc((size_t)perp_active_reals(n), sizeof *reals), d[40];
    int *integers = calloc((size_t)perp_active_integers(n), sizeof *integers), rows[40];
    perp_active f;
    perp_active_init(&f, n, a, n, reals, integers);
    for (int step = 0; step < 30; step++) {
      const int row = perp_random_below(&random, n), kind = perp_random_below(&random, 4);
      if (kind == 0) {
        int count = 0;
        for (int i = 0; i < n; i++)
          if (f.place[i] < 0 && perp_random_below(&random, 2))
            rows[count++] = i;
        perp_active_extend(&f, count, rows, d);
      } else if (f.place[row] >= 0) {
        perp_active_delete(&f, f.place[row]);
      } else {
        perp_active_reach(&f, row);
        if (perp_active_independent(&f, d))
          perp_active_append(&f);
      }
      CHECK(f.count <= rank);
      check_factor(&f, a, n);
    }
    int count = 0;
    for (int i = 0; i < n; i++)
      if (f.place[i] < 0)
        rows[count++] = i;
    perp_active_extend(&f, count, rows, d);
    CHECK_EQUAL_INT(f.count, rank);
    /* A_CC z = r: multiplied out */
    double z[40], r[40];
    for (int k = 0; k < f.count; k++)
      z[k] = r[k] = perp_random_between(&random, -1, 1);
    perp_active_solve(&f, z);
    for (int p = 0; p < f.count; p++) {
      double sum = -r[p], size = fabs(r[p]);
      for (int q = 0; q < f.count; q++) {
        sum += a[f.index[p] * n + f.index[q]] * z[q];
        size += fabs(a[f.index[p] * n + f.index[q]] * z[q]);
      }
      CHECK(fabs(sum) <= 1e-12 * size);
    }
    free(a);
    free(reals);
    free(integers);
  }
}

static const test_case tests[] = {
    TEST(factor_follows_its_set),
};

TEST_MAIN(tests)
