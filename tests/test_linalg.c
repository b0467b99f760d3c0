/* test_linalg.c: kernels, factors and updates against naive counterparts and closed formulas */
#include "linalg/dense.h"
#include "linalg/vector.h"
#include "reals.h"

#include <float.h>

/* S_ij = sum_k B_ik s_k B_jk over the first `rank` columns of a random B; s = NULL: all ones */
static void random_congruent(perp_random *random, int n, int rank, const double *s, double *A,
                             int64_t ld)
{
  double *B = random_matrix(random, n, n + 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i * ld + j] = 0;
      for (int k = 0; k < rank; k++)
        A[i * ld + j] += B[i * (n + 1) + k] * (s ? s[k] : 1) * B[j * (n + 1) + k];
    }
  perp_free(B);
}

/* max |(L L^T - A)_ij| over the lower triangle */
static double cholesky_error(int n, const double *L, int64_t ldl, const double *A, int64_t lda)
{
  double most = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double s = 0;
      for (int k = 0; k <= j; k++)
        s += L[i * ldl + k] * L[j * ldl + k];
      most = fmax(most, fabs(s - A[i * lda + j]));
    }
  return most;
}

static double naive_residual(int n, const double *A, int64_t ld, bool transposed, const double *x,
                             const double *b)
{
  double most = 0;
  for (int i = 0; i < n; i++) {
    long double s = -(long double)b[i];
    for (int j = 0; j < n; j++)
      s += (long double)(transposed ? A[j * ld + i] : A[i * ld + j]) * x[j];
    most = fmax(most, fabs((double)s));
  }
  return most;
}

/* ---- Vectors ---- */

static void vector_sums(void)
{
  perp_random random = perp_random_from(1);
  for (int n = 0; n <= 70; n++) {
    double *x = random_matrix(&random, 2, n + 1), *y = x + n + 1;
    long double dot = 0, norm1 = 0, square = 0;
    double most = 0, apart = 0;
    for (int i = 0; i < n; i++) {
      dot += (long double)x[i] * y[i];
      norm1 += fabs(x[i]);
      square += (long double)x[i] * x[i];
      most = fmax(most, fabs(x[i]));
      apart = fmax(apart, fabs(x[i] - y[i]));
    }
    const double tol = (n + 1) * DBL_EPSILON * (1 + (double)norm1);
    CHECK_CLOSE(perp_dot(n, x, y), dot, tol);
    CHECK_CLOSE(perp_norm1(n, x), norm1, tol);
    CHECK_CLOSE(perp_norm2(n, x), sqrt((double)square), tol);
    CHECK(perp_norm_inf(n, x) == most);
    CHECK(perp_distance_inf(n, x, y) == apart);
    CHECK(perp_all_finite(n, x) && perp_first_not_finite(n, x) == -1);
    CHECK_CLOSE(perp_dot_exact(n, x, y, 0.5), 0.5L + dot, 2 * DBL_EPSILON);

    /* the same bits wherever the vector lies */
    double *moved = reals(n + 3);
    for (int shift = 0; shift < 3; shift++) {
      memcpy(moved + shift, x, (size_t)n * sizeof *x);
      CHECK(perp_dot(n, moved + shift, y) == perp_dot(n, x, y));
    }
    perp_free(moved);
    perp_free(x);
  }
}

static void vector_updates(void)
{
  perp_random random = perp_random_from(2);
  for (int n = 0; n < 40; n++) {
    double *x = random_matrix(&random, 5, n + 1), *y = x + n + 1, *z = y + n + 1;
    memcpy(z, y, (size_t)n * sizeof *y);
    perp_axpy(n, 0.5, x, z);
    for (int i = 0; i < n; i++)
      CHECK(z[i] == y[i] + 0.5 * x[i]);
    memcpy(z, y, (size_t)n * sizeof *y);
    perp_xpay(n, x, -0.25, z);
    for (int i = 0; i < n; i++)
      CHECK(z[i] == x[i] - 0.25 * y[i]);
    perp_subtract(n, x, y, z);
    for (int i = 0; i < n; i++)
      CHECK(z[i] == x[i] - y[i]);
    perp_copy(n, x, z);
    perp_multiply(n, 3, z);
    for (int i = 0; i < n; i++)
      CHECK(z[i] == 3 * x[i]);
    z[n] = 7;
    perp_fill(n, -1, z);
    for (int i = 0; i < n; i++)
      CHECK(z[i] == -1);
    CHECK(z[n] == 7);
    perp_free(x);
  }
}

static void vector_keeps_what_is_not_finite(void)
{
  const double odd[] = {NAN, INFINITY, -INFINITY};
  for (int n = 1; n < 40; n++)
    for (int at = 0; at < n; at++)
      for (int kind = 0; kind < 3; kind++) {
        double x[40], y[40] = {0};
        for (int i = 0; i < n; i++)
          x[i] = i == at ? odd[kind] : 1e3;
        CHECK(!(perp_norm_inf(n, x) < INFINITY));
        CHECK(!(perp_distance_inf(n, x, y) < INFINITY));
        CHECK(!(perp_distance_inf(n, x, x) < INFINITY));
        CHECK(!(perp_norm2(n, x) < INFINITY));
        CHECK(!isfinite(perp_dot(n, x, x)));
        CHECK(!isfinite(perp_norm1(n, x)));
        CHECK(!perp_all_finite(n, x));
        CHECK_EQUAL_INT(perp_first_not_finite(n, x), at);
      }
}

static void vector_norm_of_any_size(void)
{
  const double sizes[] = {1e-310, 1e-200, 1e-150, 1, 1e150, 1e200, 5e307};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    const double x[3] = {0.6 * sizes[k], -0.8 * sizes[k], 0};
    CHECK_CLOSE(perp_norm2(3, x) / sizes[k], 1, 1e-13);
  }
  const double mixed[2] = {1e200, 1e-200};
  CHECK(perp_norm2(2, mixed) == 1e200);
  const double zero[2] = {0, -0.0};
  CHECK(perp_norm2(2, zero) == 0);
}

static void vector_exact_dot(void)
{
  const double x[4] = {1e16, 1, -1e16, 134217729}, y[4] = {1, 1, 1, 134217729};
  /* 134217729^2 = 2^54 + 2^28 + 1 needs 55 bits */
  CHECK(perp_dot_exact(4, x, y, -18014398777917440.0) == 2);
  const double u[3] = {1e20, 1, -1e20};
  const double one[3] = {1, 1, 1};
  CHECK(perp_dot_exact(3, u, one, 0) == 1);
}

/* Several rows at once give the bits of single rows, and both keep digits that a plain sum
 * loses. */
static void exact_dots(void)
{
  perp_random random = perp_random_from(77);
  enum { ROWS = 11 };
  double a[ROWS * 40], x[40], start[ROWS], dot[ROWS];
  for (int trial = 0; trial < 200; trial++) {
    const int n = perp_random_below(&random, 40), rows = perp_random_below(&random, ROWS + 1);
    for (int k = 0; k < ROWS * 40; k++)
      a[k] = perp_random_between(&random, -1, 1) * pow(10, perp_random_below(&random, 30));
    for (int k = 0; k < 40; k++)
      x[k] = perp_random_between(&random, -1, 1);
    for (int r = 0; r < ROWS; r++)
      start[r] = perp_random_between(&random, -1, 1);
    perp_dot_exact_rows(rows, n, a, 40, x, start, dot);
    for (int r = 0; r < rows; r++)
      CHECK(dot[r] == perp_dot_exact(n, a + 40 * r, x, start[r]));
  }
  const double big[3] = {1e17, 1, -1e17}, one[3] = {1, 1, 1};
  CHECK(perp_dot_exact(3, big, one, 0) == 1);
}

/* ---- Dense ---- */

static void dense_products(void)
{
  perp_random random = perp_random_from(3);
  for (int round = 0; round < 200; round++) {
    const int m = perp_random_below(&random, 60), n = perp_random_below(&random, 120);
    const int k = perp_random_below(&random, 60), pad = perp_random_below(&random, 4);
    double *A = random_matrix(&random, m + 1, k + pad), *B = random_matrix(&random, k + 1, n + pad);
    double *C = random_matrix(&random, m + 1, n + pad), *D = reals((m + 1) * (n + pad));
    double *x = random_matrix(&random, 1, m + n + 1), *y = reals(m + n + 1);
    memcpy(D, C, (size_t)((m + 1) * (n + pad)) * sizeof *C);
    perp_dense_subtract_product(m, n, k, A, k + pad, B, n + pad, C, n + pad);
    for (int i = 0; i <= m; i++)
      for (int j = 0; j < n + pad; j++) {
        double s = D[i * (n + pad) + j];
        for (int l = 0; l < k && i < m && j < n; l++)
          s -= A[i * (k + pad) + l] * B[l * (n + pad) + j];
        CHECK_CLOSE(C[i * (n + pad) + j], s, 1e-13);
      }
    perp_dense_apply(m, n, C, n + pad, x, y);
    for (int i = 0; i < m; i++) {
      double s = 0;
      for (int j = 0; j < n; j++)
        s += C[i * (n + pad) + j] * x[j];
      CHECK_CLOSE(y[i], s, 1e-12);
    }
    perp_dense_apply_t(m, n, C, n + pad, x, y);
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int i = 0; i < m; i++)
        s += C[i * (n + pad) + j] * x[i];
      CHECK_CLOSE(y[j], s, 1e-12);
    }
    perp_free(A), perp_free(B), perp_free(C), perp_free(D), perp_free(x), perp_free(y);
  }
}

static void cholesky_random(void)
{
  perp_random random = perp_random_from(4);
  const int share = test_share("symmetric matrices", 3);
  for (int round = 0; round < 200; round += share) {
    const int n = round < 60 ? round : perp_random_below(&random, 160);
    const int64_t ld = n + 1 + perp_random_below(&random, 3);
    double *A = reals(n * ld + 1), *L = reals(n * ld + 1), *b = random_matrix(&random, 2, n + 1);
    double *x = b + n + 1;
    random_congruent(&random, n, n, NULL, A, ld);
    for (int i = 0; i < n; i++)
      A[i * ld + i] += 1;
    for (int i = 0; i < n; i++)
      for (int64_t j = 0; j < ld; j++)
        L[i * ld + j] = j <= i ? A[i * ld + j] : 1e3 + (double)j;
    CHECK_EQUAL_INT(perp_cholesky(n, L, ld, 0), n);
    CHECK(cholesky_error(n, L, ld, A, ld) <= 1e-14 * (n + 1) * (n + 1));
    for (int i = 0; i < n; i++)
      for (int64_t j = i + 1; j < ld; j++)
        CHECK(L[i * ld + j] == 1e3 + (double)j);
    memcpy(x, b, (size_t)n * sizeof *b);
    perp_cholesky_solve(n, L, ld, x);
    CHECK(naive_residual(n, A, ld, false, x, b) <= 1e-14 * (n + 1) * (n + 1));
    perp_free(A), perp_free(L), perp_free(b);
  }
}

/* A = L D L^T with the first negative entry of D in row k: it must stop there */
static void cholesky_names_the_row(void)
{
  perp_random random = perp_random_from(5);
  for (int n = 1; n < 130; n += 3)
    for (int round = 0; round < 3; round++) {
      const int bad = perp_random_below(&random, n);
      double *L = random_matrix(&random, n, n), *A = reals(n * n);
      for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
          double s = 0;
          for (int k = 0; k <= j; k++)
            s += (i == k ? 1 : L[i * n + k] / n) * (j == k ? 1 : L[j * n + k] / n) *
                 (k == bad ? (round == 1 ? -1e-3 : -1) : 1);
          A[i * n + j] = s;
        }
      CHECK_EQUAL_INT(perp_cholesky(n, A, n, 0), bad);
      perp_free(L), perp_free(A);
    }
  double tiny[1] = {1e-9}, nan[1] = {NAN}, infinite[1] = {INFINITY}, zero[1] = {0};
  CHECK_EQUAL_INT(perp_cholesky(1, tiny, 1, 1e-8), 0);
  CHECK_EQUAL_INT(perp_cholesky(1, tiny, 1, 1e-10), 1);
  CHECK_EQUAL_INT(perp_cholesky(1, nan, 1, 0), 0);
  CHECK_EQUAL_INT(perp_cholesky(1, infinite, 1, 0), 0);
  CHECK_EQUAL_INT(perp_cholesky(1, zero, 1, 0), 0);
}

/* max |(P A Q - L U)_ij| */
static double complete_error(const perp_complete_lu *f, const double *A, int64_t lda)
{
  double most = 0;
  for (int i = 0; i < f->n; i++)
    for (int j = 0; j < f->n; j++) {
      double s = 0;
      for (int k = 0; k < f->rank && k <= i && k <= j; k++)
        s += (i == k ? 1 : f->LU[i * f->ld + k]) * f->LU[k * f->ld + j];
      most = fmax(most, fabs(s - A[f->row[i] * lda + f->column[j]]));
    }
  return most;
}

static void fill_places(int n, int *row, int *column)
{
  for (int k = 0; k < n; k++)
    row[k] = column[k] = k;
}

static void complete_lu_random(void)
{
  perp_random random = perp_random_from(6);
  for (int round = 0; round < 300; round++) {
    const int n = perp_random_below(&random, 50),
              rank = round % 3 ? perp_random_below(&random, n + 1) : n;
    const int64_t ld = n + perp_random_below(&random, 3);
    double *A = reals(n * ld + 1), *F = reals(n * ld + 1), *work = reals(n);
    double *s = reals(n), *x = reals(n), *b = reals(n);
    int *row = perp_alloc((size_t)n, sizeof *row), *column = perp_alloc((size_t)n, sizeof *column);
    for (int k = 0; k < rank; k++)
      s[k] = round % 2 && perp_random_below(&random, 2) ? -1 : 1;
    random_congruent(&random, n, rank, s, A, ld);
    memcpy(F, A, (size_t)(n * ld) * sizeof *A);
    fill_places(n, row, column);
    perp_complete_lu f = perp_complete_lu_factor(n, F, ld, 1e-11 * n, row, column, (perp_alarm){0});
    CHECK_EQUAL_INT(f.rank, rank);
    CHECK(complete_error(&f, A, ld) <= 1e-13 * (n + 1) * (n + 1));
    for (int i = 0; i < n; i++)
      for (int k = 0; k < i && k < rank; k++)
        CHECK(fabs(F[i * ld + k]) <= 1);

    /* consistent right-hand side */
    for (int i = 0; i < n; i++)
      s[i] = perp_random_between(&random, -1, 1);
    perp_dense_apply(n, n, A, ld, s, b);
    memcpy(x, b, (size_t)n * sizeof *b);
    perp_complete_lu_solve(&f, x, work);
    const double size = 1 + perp_norm_inf(n, x);
    CHECK(naive_residual(n, A, ld, false, x, b) <= 1e-13 * (n + 1) * (n + 1) * size);
    perp_free(A), perp_free(F), perp_free(work), perp_free(s), perp_free(x);
    perp_free(b), perp_free(row), perp_free(column);
  }
}

static void complete_lu_small(void)
{
  double work[3];
  int row[3], column[3];
  double swap[4] = {0, 1, 1, 0}, x[2] = {3, 5};
  fill_places(2, row, column);
  perp_complete_lu f = perp_complete_lu_factor(2, swap, 2, 1e-15, row, column, (perp_alarm){0});
  CHECK_EQUAL_INT(f.rank, 2);
  perp_complete_lu_solve(&f, x, work);
  CHECK(x[0] == 5 && x[1] == 3);
  double zero[9] = {0}, nan[4] = {1, 0, NAN, 1}, infinite[4] = {1, 0, 0, INFINITY};
  fill_places(3, row, column);
  CHECK_EQUAL_INT(perp_complete_lu_factor(3, zero, 3, 0, row, column, (perp_alarm){0}).rank, 0);
  CHECK(perp_complete_lu_factor(2, nan, 2, 0, row, column, (perp_alarm){0}).rank < 2);
  CHECK(perp_complete_lu_factor(2, infinite, 2, 0, row, column, (perp_alarm){0}).rank < 2);
}

/* Full matrices, then such with a band, whose zeros are left out. */
static void lu_random(void)
{
  perp_random random = perp_random_from(7);
  const int share = test_share("matrices", 3);
  for (int round = 0; round < 300; round += share) {
    const int n = round < 60 ? round : perp_random_below(&random, 150);
    const int64_t ld = n + perp_random_below(&random, 3);
    double *A = random_matrix(&random, n + 1, ld), *F = reals((n + 1) * ld + 1);
    double *b = random_matrix(&random, 2, n + 1), *x = b + n + 1;
    int *swap = perp_alloc((size_t)n, sizeof *swap);
    const int below = perp_random_below(&random, 40), above = perp_random_below(&random, 40);
    for (int i = 0; i < n && round >= 250; i++)
      for (int j = 0; j < n; j++)
        if (i - j > below || j - i > above)
          A[i * ld + j] = 0;
    memcpy(F, A, (size_t)(n * ld) * sizeof *A);
    perp_lu f = perp_lu_factor(n, F, ld, swap);
    CHECK_EQUAL_INT(f.singular, -1);
    /* rows exchanged one after another, then P A = L U entry by entry */
    double *P = reals(n * ld + 1);
    memcpy(P, A, (size_t)(n * ld) * sizeof *A);
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) {
        const double t = P[k * ld + j];
        P[k * ld + j] = P[swap[k] * ld + j];
        P[swap[k] * ld + j] = t;
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        double s = 0;
        for (int k = 0; k <= i && k <= j; k++)
          s += (k == i ? 1 : F[i * ld + k]) * F[k * ld + j];
        CHECK_CLOSE(s, P[i * ld + j], 1e-14 * (n + 1) * (n + 1));
        CHECK(j >= i || fabs(F[i * ld + j]) <= 1);
      }
    for (int transposed = 0; transposed < 2; transposed++) {
      memcpy(x, b, (size_t)n * sizeof *b);
      if (transposed)
        perp_lu_solve_t(&f, x);
      else
        perp_lu_solve(&f, x);
      const double size = 1 + perp_norm_inf(n, x);
      CHECK(naive_residual(n, A, ld, transposed, x, b) <= 1e-14 * (n + 1) * (n + 1) * size);
    }
    perp_free(A), perp_free(F), perp_free(P), perp_free(b), perp_free(swap);
  }
}

/* Large enough for LAPACK, if it is built in: too small pivots are named, and every run gives the
 * same bits. */
static void large_factors_are_exact_about_pivots(void)
{
  enum { N = 200 };
  perp_random random = perp_random_from(17);
  double *A = reals(N * N), *F = reals(N * N), *G = reals(N * N);
  int swap[2][N];
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++)
      A[i * N + j] = A[j * N + i] = perp_random_between(&random, -1, 1) / N;
    A[i * N + i] = 1;
  }
  for (int bad = 0; bad < N; bad += 19) {
    memcpy(F, A, N * N * sizeof *A);
    F[bad * N + bad] = 1e-3; /* of which less than that is left */
    const int found = perp_cholesky(N, F, N, 1e-3);
    CHECK_EQUAL_INT(found, bad);
    memcpy(F, A, N * N * sizeof *A);
    F[bad * N + bad] = NAN;
    CHECK(perp_cholesky(N, F, N, 0) == bad);
  }
  for (int k = 0; k < 2; k++) {
    double *a = k ? G : F;
    memcpy(a, A, N * N * sizeof *A);
    CHECK_EQUAL_INT(perp_cholesky(N, a, N, 0), N);
  }
  CHECK(memcmp(F, G, N * N * sizeof *F) == 0);
  for (int k = 0; k < 2; k++) {
    double *a = k ? G : F;
    memcpy(a, A, N * N * sizeof *A);
    CHECK_EQUAL_INT(perp_lu_factor(N, a, N, swap[k]).singular, -1);
  }
  CHECK(memcmp(F, G, N * N * sizeof *F) == 0 && memcmp(swap[0], swap[1], sizeof swap[0]) == 0);
  /* a column of zeros: the pivot there is 0, whatever the others are */
  for (int i = 0; i < N; i++)
    A[i * N + 150] = 0;
  CHECK_EQUAL_INT(perp_lu_factor(N, A, N, swap[0]).singular, 150);
  perp_free(A), perp_free(F), perp_free(G);
}

static void lu_singular(void)
{
  int swap[3];
  double A[9] = {1, 2, 3, 2, 4, 7, 4, 8, 5}; /* column 1 is twice column 0 */
  CHECK_EQUAL_INT(perp_lu_factor(3, A, 3, swap).singular, 1);
  double zero[1] = {0}, nan[4] = {1, 2, NAN, 3};
  CHECK_EQUAL_INT(perp_lu_factor(1, zero, 1, swap).singular, 0);
  CHECK_EQUAL_INT(perp_lu_factor(2, nan, 2, swap).singular, 0);
}

static double binomial(int n, int k)
{
  return k == 0 ? 1 : binomial(n - 1, k - 1) * n / k;
}

/* The inverse of the Hilbert matrix of order 8 has integer entries and condition 1.5e10: with an
 * integer x the right-hand side is exact, and refinement must find x to the last bit. */
static void refinement(void)
{
  enum { N = 8 };
  static const double known[N] = {1, 2, 3, 1, 2, 3, 1, 2};
  double A[N * N], F[N * N], b[N], x[N], r[N];
  int swap[N];
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++) {
      const double c = binomial(i + j - 2, i - 1);
      A[(i - 1) * N + j - 1] = ((i + j) % 2 ? -1 : 1) * (i + j - 1) * binomial(N + i - 1, N - j) *
                               binomial(N + j - 1, N - i) * c * c;
    }
  perp_dense_apply(N, N, A, N, known, b); /* sums of integers below 2^53: exact */
  memcpy(F, A, sizeof A);
  const perp_lu f = perp_lu_factor(N, F, N, swap);
  memcpy(x, b, sizeof b);
  perp_lu_solve(&f, x);
  CHECK(perp_distance_inf(N, x, known) > 1e-10);
  for (int step = 0; step < 10; step++) {
    for (int i = 0; i < N; i++)
      r[i] = -perp_dot_exact(N, A + i * N, x, -b[i]);
    perp_lu_solve(&f, r);
    perp_axpy(N, 1, r, x);
  }
  for (int i = 0; i < N; i++)
    CHECK(x[i] == known[i]);
}

/* ---- Updates ---- */

/* Appends a last row and column a to the matrix of L. Returns the new pivot; row n of L is that of the
 * factor if the pivot is above `least`. */
static double append(int n, double *L, int64_t ld, const double *a, double least)
{
  double *row = L + n * ld;
  perp_copy(n, a, row);
  perp_lower_solve(n, L, ld, row);
  const double pivot = a[n] - perp_dot(n, row, row);
  if (pivot > least)
    row[n] = sqrt(pivot);
  return pivot;
}

/* Thousands of rows in and out: the factor stays that of the current rows, without drift. */
static void update_sequence(void)
{
  enum { POOL = 40, STEPS = 6000 };
  perp_random random = perp_random_from(8);
  double A[POOL * POOL], L[POOL * (POOL + 1)], F[POOL * POOL], a[POOL], work[3 * POOL];
  int S[POOL], n = 0;
  bool inside[POOL] = {false};
  random_congruent(&random, POOL, POOL, NULL, A, POOL);
  for (int i = 0; i < POOL; i++)
    A[i * POOL + i] += 0.1;

  for (int step = 0; step < STEPS; step++) {
    const bool grow = n == 0 || (n < POOL && perp_random_below(&random, 100) < 52);
    if (grow) {
      int row = perp_random_below(&random, POOL);
      while (inside[row])
        row = (row + 1) % POOL;
      for (int k = 0; k < n; k++)
        a[k] = A[row * POOL + S[k]];
      a[n] = A[row * POOL + row];
      CHECK(append(n, L, POOL + 1, a, 0) > 0);
      inside[row] = true;
      S[n++] = row;
    } else {
      const int k = perp_random_below(&random, n);
      perp_cholesky_delete(n, L, POOL + 1, k, NULL, work);
      inside[S[k]] = false;
      memmove(S + k, S + k + 1, (size_t)(n - 1 - k) * sizeof *S);
      n--;
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        F[i * POOL + j] = A[S[i] * POOL + S[j]];
    CHECK(cholesky_error(n, L, POOL + 1, F, POOL) <= 2e-12);
    for (int i = 0; i < n; i++)
      CHECK(L[i * (POOL + 1) + i] > 0);
    if (step % 50)
      continue;
    CHECK_EQUAL_INT(perp_cholesky(n, F, POOL, 0), n);
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        CHECK_CLOSE(L[i * (POOL + 1) + j], F[i * POOL + j], 1e-10);
  }
}

/* A = B B^T with rows of B near unit vectors, or combinations of earlier rows: the factor accepts
 * the first kind and refuses the second, and a refusal leaves it unchanged */
static void update_refuses_dependent_rows(void)
{
  enum { N = 24 };
  perp_random random = perp_random_from(9);
  for (int round = 0; round < 300; round++) {
    double B[N * N] = {0}, A[N * N], L[N * N], a[N], F[N * N];
    bool fresh[N];
    int units = 0;
    for (int i = 0; i < N; i++) {
      fresh[i] = i == 0 || perp_random_below(&random, 2);
      double *row = B + i * N;
      for (int k = 0; k < N && fresh[i]; k++)
        row[k] = (k == units) + perp_random_between(&random, -0.2, 0.2) / N;
      units += fresh[i];
      for (int l = 0; l < i && !fresh[i]; l++) {
        const double c = fresh[l] ? perp_random_between(&random, -1, 1) : 0;
        for (int k = 0; k < N; k++)
          row[k] += c * B[l * N + k];
      }
    }
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        A[i * N + j] = perp_dot(N, B + i * N, B + j * N);

    int kept[N], count = 0;
    for (int row = 0; row < N; row++) {
      for (int k = 0; k < count; k++)
        a[k] = A[row * N + kept[k]];
      a[count] = A[row * N + row];
      const double pivot = append(count, L, N, a, 1e-10);
      CHECK_EQUAL_INT(pivot > 1e-10, fresh[row]);
      CHECK(fresh[row] ? pivot > 0.1 : fabs(pivot) < 1e-13);
      if (fresh[row])
        kept[count++] = row;
    }
    for (int i = 0; i < count; i++)
      for (int j = 0; j <= i; j++)
        F[i * N + j] = A[kept[i] * N + kept[j]];
    CHECK(cholesky_error(count, L, N, F, N) <= 1e-14);
  }
}

static const test_case tests[] = {
    TEST(exact_dots),
    TEST(vector_sums),
    TEST(vector_updates),
    TEST(vector_keeps_what_is_not_finite),
    TEST(vector_norm_of_any_size),
    TEST(vector_exact_dot),
    TEST(dense_products),
    TEST(cholesky_random),
    TEST(cholesky_names_the_row),
    TEST(complete_lu_random),
    TEST(complete_lu_small),
    TEST(lu_random),
    TEST(large_factors_are_exact_about_pivots),
    TEST(lu_singular),
    TEST(refinement),
    TEST(update_sequence),
    TEST(update_refuses_dependent_rows),
};

TEST_MAIN(tests)
