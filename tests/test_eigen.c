/* test_eigen.c: eigenvalues against naive counterparts, planted spectra and closed formulas */
#include "linalg/eigen.h"
#include "linalg/vector.h"
#include "reals.h"

static const double pi = 3.14159265358979323846;

/* ---- Eigenvalues ---- */

/* Cyclic Jacobi rotations: slow, short and independent */
static void jacobi_eigenvalues(int n, double *A, double *w)
{
  for (int sweep = 0; sweep < 60; sweep++)
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) {
        if (A[p * n + q] == 0)
          continue;
        const double angle = 0.5 * atan2(2 * A[p * n + q], A[p * n + p] - A[q * n + q]);
        const double c = cos(angle), s = sin(angle);
        for (int k = 0; k < n; k++) {
          const double x = A[k * n + p], y = A[k * n + q];
          A[k * n + p] = c * x + s * y;
          A[k * n + q] = c * y - s * x;
        }
        for (int k = 0; k < n; k++) {
          const double x = A[p * n + k], y = A[q * n + k];
          A[p * n + k] = c * x + s * y;
          A[q * n + k] = c * y - s * x;
        }
        A[p * n + q] = A[q * n + p] = 0;
      }
  for (int i = 0; i < n; i++)
    w[i] = A[i * n + i];
}

static int compare_reals(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void eigen_random(void)
{
  perp_random random = perp_random_from(11);
  for (int round = 0; round < 300; round++) {
    const int n = 1 + perp_random_below(&random, 25);
    const int64_t ld = n + round % 3;
    const double scale = round % 5 == 0 ? 1e200 : round % 5 == 1 ? 1e-200 : 1;
    double *A = random_matrix(&random, n, ld), *B = reals(n * ld), *J = reals(n * n);
    double *w = reals(n), *oracle = reals(n), *Z = reals(n * n), *work = reals(3 * n);
    const bool sparse = round % 4 == 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++) {
        if (sparse && perp_random_below(&random, 3))
          A[i * ld + j] = 0;
        A[j * ld + i] = A[i * ld + j];
        J[i * n + j] = J[j * n + i] = A[i * ld + j];
        B[i * ld + j] = B[j * ld + i] = scale * A[i * ld + j];
      }
    jacobi_eigenvalues(n, J, oracle);
    qsort(oracle, (size_t)n, sizeof *oracle, compare_reals);
    CHECK(perp_eigen_symmetric(n, B, ld, w, Z, work));
    for (int k = 0; k < n; k++) {
      CHECK_CLOSE(w[k] / scale, oracle[k], 1e-14 * (n + 1));
      CHECK(k == 0 || w[k - 1] <= w[k]);
      for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++)
          s += A[i * ld + j] * Z[k * n + j];
        CHECK_CLOSE(s, w[k] / scale * Z[k * n + i], 2e-14 * (n + 1));
      }
      for (int l = 0; l <= k; l++)
        CHECK_CLOSE(perp_dot(n, Z + k * n, Z + l * n), k == l, 1e-14 * (n + 1));
    }
    perp_free(A), perp_free(B), perp_free(J), perp_free(w), perp_free(oracle), perp_free(Z);
    perp_free(work);
  }
}

static void eigen_planted(void)
{
  perp_random random = perp_random_from(12);
  for (int round = 0; round < 40; round++) {
    const int n = 20 + perp_random_below(&random, 60);
    double *A = reals(n * n), *planted = reals(n), *w = reals(n), *work = reals(5 * n);
    double trace = 0, square = 0;
    for (int singular = 0; singular < 2; singular++) {
      perp_fill(n * n, 0, A);
      for (int i = 0; i < n; i++) /* repeated values, and a kernel in every third matrix */
        planted[i] =
            round % 3 == 0 && i < 4 ? 0 : pow(10, -(i % 7)) * (i % 2 && !singular ? -1 : 1);
      for (int i = 0; i < n; i++)
        A[i * n + i] = planted[i];
      for (int k = 0; k < 4; k++) {
        if (singular) {
          reflect_randomly(&random, n, A, true, false);
          reflect_randomly(&random, n, A, false, true);
        } else {
          reflect_randomly(&random, n, A, true, true);
        }
      }
      if (!singular)
        for (int i = 0; i < n; i++)
          for (int j = 0; j < i; j++)
            A[j * n + i] = A[i * n + j];
      qsort(planted, (size_t)n, sizeof *planted, compare_reals);
      CHECK(singular ? perp_singular_values(n, A, n, w, work)
                     : perp_eigen_symmetric(n, A, n, w, NULL, work));
      for (int i = 0; i < n; i++) {
        CHECK_CLOSE(w[i], planted[i], 2e-14);
        trace += w[i] - planted[i];
        square += w[i] * w[i] - planted[i] * planted[i];
      }
      CHECK_CLOSE(trace, 0, 1e-12);
      CHECK_CLOSE(square, 0, 1e-12);
    }
    perp_free(A), perp_free(planted), perp_free(w), perp_free(work);
  }
}

/* Spectrum of the grid Laplacian with zero around: sums of 2 - 2 cos(k pi / (m + 1)) */
static void eigen_laplacian(void)
{
  for (int m = 1; m <= 14; m++) {
    const int n = m * m;
    double *A = reals(n * n), *known = reals(n), *w = reals(n), *work = reals(3 * n);
    perp_fill(n * n, 0, A);
    for (int c = 0; c < n; c++) {
      A[c * n + c] = 4;
      if (c % m + 1 < m)
        A[c * n + c + 1] = A[(c + 1) * n + c] = -1;
      if (c + m < n)
        A[c * n + c + m] = A[(c + m) * n + c] = -1;
      known[c] = 4 - 2 * cos((c % m + 1) * pi / (m + 1)) - 2 * cos((c / m + 1) * pi / (m + 1));
    }
    qsort(known, (size_t)n, sizeof *known, compare_reals);
    CHECK(perp_eigen_symmetric(n, A, n, w, NULL, work));
    for (int i = 0; i < n; i++)
      CHECK_CLOSE(w[i], known[i], 1e-13);
    perp_free(A), perp_free(known), perp_free(w), perp_free(work);
  }
}

static void eigen_edges(void)
{
  double w[3], work[15], zero[9] = {0}, one[1] = {-3}, nan[4] = {1, NAN, NAN, 2};
  double infinite[4] = {INFINITY, 0, 0, 1};
  CHECK(perp_eigen_symmetric(0, NULL, 0, w, NULL, work));
  CHECK(perp_eigen_symmetric(1, one, 1, w, NULL, work) && w[0] == -3);
  CHECK(perp_eigen_symmetric(3, zero, 3, w, NULL, work) && w[0] == 0 && w[2] == 0);
  CHECK(!perp_eigen_symmetric(2, nan, 2, w, NULL, work));
  CHECK(!perp_eigen_symmetric(2, infinite, 2, w, NULL, work));
  CHECK(!perp_singular_values(2, nan, 2, w, work));
  one[0] = -3;
  CHECK(perp_singular_values(1, one, 1, w, work) && fabs(w[0] - 3) < 1e-15);
  CHECK(perp_singular_values(3, zero, 3, w, work) && w[0] == 0 && w[2] == 0);
  double shift[4] = {0, 1e300, 0, 0}; /* nilpotent: eigenvalues would say nothing */
  CHECK(perp_singular_values(2, shift, 2, w, work));
  CHECK(w[0] < 1e284 && fabs(w[1] / 1e300 - 1) < 1e-15);
}

/* ---- Lanczos ---- */

static void apply_grid(void *context, const double *x, double *y)
{
  const int m = *(const int *)context;
  for (int c = 0; c < m * m; c++)
    y[c] = 4 * x[c] - (c % m ? x[c - 1] : 0) - (c % m + 1 < m ? x[c + 1] : 0) -
           (c >= m ? x[c - m] : 0) - (c + m < m * m ? x[c + m] : 0);
}

static void lanczos_grid(void)
{
  for (int m = 2; m <= 32; m += 5)
    for (int full = 0; full < 2; full++) {
      const int n = m * m, steps = 200;
      double *work = reals(perp_lanczos_work(n, steps, full));
      const perp_lanczos r = perp_lanczos_extremes(n, apply_grid, &m, steps, full, 1e-12, work);
      const double least = 4 - 4 * cos(pi / (m + 1)), most = 8 - least;
      CHECK(r.finite && r.steps <= steps);
      CHECK_CLOSE(r.eigen_min, least, 1e-8);
      CHECK_CLOSE(r.eigen_max, most, 1e-8);
      /* never outside the spectrum, and the bounds hold */
      CHECK(r.eigen_min >= least - 1e-13 && r.eigen_max <= most + 1e-13);
      perp_free(work);
    }
}

static void apply_diagonal(void *context, const double *x, double *y)
{
  const double *d = context;
  for (int i = 0; i < (int)d[0]; i++)
    y[i] = d[1 + i] * x[i];
}

static void lanczos_few_steps_and_edges(void)
{
  perp_random random = perp_random_from(13);
  double d[301], *work = reals(perp_lanczos_work(300, 40, true));
  for (int round = 0; round < 100; round++) {
    d[0] = 300;
    for (int i = 1; i <= 300; i++)
      d[i] = perp_random_between(&random, -1, 1);
    const bool full = round % 2;
    const perp_lanczos r =
        perp_lanczos_extremes(300, apply_diagonal, d, 1 + round % 40, full, 0, work);
    double near_min = INFINITY, near_max = INFINITY;
    for (int i = 1; i <= 300; i++) {
      near_min = fmin(near_min, fabs(d[i] - r.eigen_min));
      near_max = fmin(near_max, fabs(d[i] - r.eigen_max));
    }
    CHECK(near_min <= r.error_min + 1e-13 && near_max <= r.error_max + 1e-13);
  }
  /* an invariant subspace is detected: the identity after one step, three values after three */
  for (int i = 1; i <= 300; i++)
    d[i] = 2;
  perp_lanczos r = perp_lanczos_extremes(300, apply_diagonal, d, 40, true, 0, work);
  CHECK(r.steps == 1 && fabs(r.eigen_min - 2) < 1e-14 && fabs(r.eigen_max - 2) < 1e-14);
  for (int i = 1; i <= 300; i++)
    d[i] = i % 3 - 1;
  r = perp_lanczos_extremes(300, apply_diagonal, d, 40, true, 1e-12, work);
  CHECK(r.steps <= 10);
  CHECK_CLOSE(r.eigen_min, -1, 1e-13);
  CHECK_CLOSE(r.eigen_max, 1, 1e-13);
  d[7] = NAN;
  CHECK(!perp_lanczos_extremes(300, apply_diagonal, d, 40, true, 0, work).finite);
  d[0] = 1, d[1] = -5;
  r = perp_lanczos_extremes(1, apply_diagonal, d, 40, true, 0, work);
  CHECK(r.steps == 1 && r.eigen_min == -5 && r.eigen_max == -5);
  d[1] = 0;
  r = perp_lanczos_extremes(1, apply_diagonal, d, 40, false, 0, work);
  CHECK(r.steps == 1 && r.eigen_min == 0);
  perp_free(work);
}

static const test_case tests[] = {
    TEST(eigen_random), TEST(eigen_planted), TEST(eigen_laplacian),
    TEST(eigen_edges),  TEST(lanczos_grid),  TEST(lanczos_few_steps_and_edges),
};

TEST_MAIN(tests)
