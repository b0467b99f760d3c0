/* test_facts.c: perp_problem_facts against planted spectra and matrices of known definiteness */
#include "problem/entries.h"
#include "reals.h"
#include <perp/problem.h>

#include <float.h>

static const double pi = 3.14159265358979323846;

/* The facts of an LCP with this matrix, which is destroyed. */
static perp_facts facts_of(perp_operator *A)
{
  double *b = reals(perp_operator_size(A));
  const perp_problem p = perp_problem_lcp(A, b);
  perp_facts facts;
  perp_message why;
  const perp_error error = perp_problem_facts(&p, &facts, &why);
  CHECK_SAY(error == PERP_OK, "%s", why.text);
  CHECK_EQUAL_INT(facts.n, perp_operator_size(A));
  CHECK(facts.form == PERP_FORM_LCP && facts.free_rows == 0 && facts.cones == 0);
  perp_free(b);
  perp_operator_destroy(A);
  return facts;
}

static perp_operator *dense(int n, const double *a)
{
  perp_operator *A;
  CHECK(perp_operator_dense(n, a, n, PERP_COPY, &A, NULL) == PERP_OK);
  return A;
}

static perp_operator *csr_of(int n, const double *a)
{
  perp_operator *A = dense(n, a), *csr;
  CHECK(perp_operator_to_csr(A, 0, &csr, NULL) == PERP_OK);
  perp_operator_destroy(A);
  return csr;
}

/* Symmetric with the eigenvalues w */
static double *plant(perp_random *random, int n, const double *w)
{
  double *A = reals((int64_t)n * n);
  for (int i = 0; i < n; i++)
    A[i * n + i] = w[i];
  for (int k = 0; k < 3; k++)
    reflect_randomly(random, n, A, true, true);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      A[j * n + i] = A[i * n + j];
  return A;
}

/* ---- Spectra ---- */

static void planted_spectra(void)
{
  perp_random random = perp_random_from(1);
  for (int round = 0; round < 300; round++) {
    const int n = 1 + perp_random_below(&random, 30), sort = round % 3;
    double w[30], least = INFINITY, most = -INFINITY, near = INFINITY, far = 0;
    for (int i = 0; i < n; i++) {
      w[i] = perp_random_between(&random, 0.01, 10);
      if (sort == 1 && i == 0)
        w[i] = 0;
      if (sort == 2 && i == n / 2)
        w[i] = -perp_random_between(&random, 1e-9, 1);
      least = fmin(least, w[i]);
      most = fmax(most, w[i]);
      near = fmin(near, fabs(w[i]));
      far = fmax(far, fabs(w[i]));
    }
    double *A = plant(&random, n, w);
    const perp_facts f = facts_of(round % 2 ? dense(n, A) : csr_of(n, A));
    CHECK(f.exact && f.entries_seen && f.symmetric && f.asymmetry == 0);
    CHECK_CLOSE(f.eigen_min, least, 1e-13 * far);
    CHECK_CLOSE(f.eigen_max, most, 1e-13 * far);
    CHECK_EQUAL_INT(f.definite, sort == 0   ? PERP_DEFINITE_POSITIVE
                                : sort == 1 ? PERP_DEFINITE_SEMI
                                            : PERP_DEFINITE_NOT);
    if (sort == 1)
      CHECK(f.condition == INFINITY);
    else if (near > 1e-6)
      CHECK_CLOSE(f.condition * near / far, 1, 1e-6);
    perp_free(A);
  }
}

static void planted_singular_values(void)
{
  perp_random random = perp_random_from(2);
  for (int round = 0; round < 100; round++) {
    const int n = 2 + perp_random_below(&random, 25);
    double *A = reals(n * n), *S = reals(n * n);
    for (int i = 0; i < n; i++)
      A[i * n + i] = i == 0 ? 1e3 : i == 1 ? (round % 4 ? 1e-2 : 0) : 1;
    for (int k = 0; k < 3; k++) {
      reflect_randomly(&random, n, A, true, false);
      reflect_randomly(&random, n, A, false, true);
    }
    const perp_facts f = facts_of(dense(n, A));
    CHECK(f.exact && !f.symmetric && f.asymmetry > 1e-12);
    if (round % 4)
      CHECK_CLOSE(f.condition, 1e5, 1e-4);
    else
      CHECK(f.condition == INFINITY);
    /* these are the eigenvalues of the symmetric part */
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        S[i * n + j] = 0.5 * (A[i * n + j] + A[j * n + i]);
    const perp_facts s = facts_of(dense(n, S));
    CHECK_CLOSE(f.eigen_min, s.eigen_min, 1e-10);
    CHECK_CLOSE(f.eigen_max, s.eigen_max, 1e-10);
    CHECK_EQUAL_INT(f.definite, s.definite);
    perp_free(A), perp_free(S);
  }
}

/* ---- Never positive without being so ---- */

/* B B^T with integer B of fewer columns than rows is singular exactly; one unit on the diagonal
 * of each row of the kernel's support makes it definite */
static void integer_semidefinite(void)
{
  perp_random random = perp_random_from(3);
  for (int round = 0; round < 300; round++) {
    const int n = 2 + perp_random_below(&random, 30), rank = perp_random_below(&random, n);
    double *A = reals(n * n), *B = reals(n * n);
    for (int i = 0; i < n * n; i++)
      B[i] = perp_random_below(&random, 7) - 3;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < rank; k++)
          A[i * n + j] += B[i * n + k] * B[j * n + k];
    perp_facts f = facts_of(round % 2 ? dense(n, A) : csr_of(n, A));
    CHECK_EQUAL_INT(f.definite, PERP_DEFINITE_SEMI);
    CHECK(f.condition == INFINITY && f.diagonal_negatives == 0);
    for (int i = 0; i < n; i++)
      A[i * n + i] += 1;
    f = facts_of(dense(n, A));
    CHECK_EQUAL_INT(f.definite, PERP_DEFINITE_POSITIVE);
    for (int i = 0; i < n; i++)
      A[i * n + i] -= 2;
    f = facts_of(dense(n, A));
    CHECK_EQUAL_INT(f.definite, PERP_DEFINITE_NOT);
    perp_free(A), perp_free(B);
  }
}

/* Graph Laplacians with integer weights: semi-definite with one zero per connected component, and
 * definite once each component has additional weight on its diagonal, even 1e-9. For sizes beyond
 * full factorisations this relies on diagonal dominance. */
static void graph_laplacian(int n, int parts, bool grounded, double ground, perp_definite expected)
{
  perp_random random = perp_random_from((uint64_t)(n + parts));
  int64_t *start = perp_alloc((size_t)n + 1, sizeof *start);
  int *column = perp_alloc(3 * (size_t)n, sizeof *column);
  double *value = reals(3 * (int64_t)n), *weight = reals(n + 1);
  for (int i = 1; i < n; i++) /* a path, cut into parts */
    weight[i] = i % (n / parts) == 0 ? 0 : 1 + perp_random_below(&random, 9);
  int64_t k = 0;
  for (int i = 0; i < n; i++) {
    start[i] = k;
    const bool leader = i == 0 || weight[i] == 0;
    if (weight[i] != 0)
      column[k] = i - 1, value[k++] = -weight[i];
    column[k] = i;
    value[k++] = weight[i] + weight[i + 1] + (grounded && leader ? ground : 0);
    if (weight[i + 1] != 0)
      column[k] = i + 1, value[k++] = -weight[i + 1];
  }
  start[n] = k;
  perp_operator *A;
  CHECK(perp_operator_csr(n, start, column, value, PERP_COPY, &A, NULL) == PERP_OK);
  const perp_facts f = facts_of(A);
  CHECK_EQUAL_INT(f.definite, expected);
  CHECK(f.symmetric && f.z_matrix && f.entries_seen && f.nonzeros == k);
  CHECK_EQUAL_INT(f.exact, n <= 1000);
  perp_free(start), perp_free(column), perp_free(value), perp_free(weight);
}

static void graph_laplacians(void)
{
  const int sizes[] = {10, 200, 1100};
  for (int s = 0; s < 3; s++)
    for (int parts = 1; parts <= 5; parts += 4) {
      graph_laplacian(sizes[s], parts, false, 0, PERP_DEFINITE_SEMI);
      graph_laplacian(sizes[s], parts, true, 1, PERP_DEFINITE_POSITIVE);
      graph_laplacian(sizes[s], parts, true, 0x1p-30, PERP_DEFINITE_POSITIVE);
    }
  graph_laplacian(1100, 1, true, -1, PERP_DEFINITE_NOT);
}

static void scales_far_apart(void)
{
  /* below rounding of the largest entry, and still definite: diagonal */
  double A[9] = {1e12, 0, 0, 0, 1e-12, 0, 0, 0, 1};
  perp_facts f = facts_of(dense(3, A));
  CHECK_EQUAL_INT(f.definite, PERP_DEFINITE_POSITIVE);
  CHECK_CLOSE(f.condition / 1e24, 1, 1e-12);
  A[4] = -1e-12;
  CHECK_EQUAL_INT(facts_of(dense(3, A)).definite, PERP_DEFINITE_NOT);
  double huge[4] = {1e308, -1e308, -1e308, 1e308};
  f = facts_of(dense(2, huge));
  CHECK(f.definite == PERP_DEFINITE_SEMI && f.condition == INFINITY);
}

/* Beyond the exact limit: definite by Cholesky, singular, indefinite */
static void cholesky_decides(void)
{
  enum { N = 1010 };
  perp_random random = perp_random_from(4);
  double *w = reals(N);
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < N; i++)
      w[i] = 1 + i % 17;
    if (round)
      w[3] = round == 1 ? 0 : -0.1;
    double *A = plant(&random, N, w);
    for (int i = 0; i < N && round == 0; i++) /* a skew part changes nothing */
      for (int j = 0; j < i; j++) {
        const double skew = perp_random_between(&random, -1, 1);
        A[i * N + j] += skew;
        A[j * N + i] -= skew;
      }
    const perp_facts f = facts_of(dense(N, A));
    CHECK(!f.exact && f.symmetric == (round > 0));
    CHECK_CLOSE(f.eigen_max, 17, 1e-8);
    CHECK_CLOSE(f.eigen_min, round == 0 ? 1 : w[3], 1e-8);
    CHECK_EQUAL_INT(f.definite, round == 0   ? PERP_DEFINITE_POSITIVE
                                : round == 1 ? PERP_DEFINITE_UNKNOWN
                                             : PERP_DEFINITE_NOT);
    perp_free(A);
  }
  perp_free(w);
}

/* ---- Entries ---- */

static void entries_random(void)
{
  perp_random random = perp_random_from(5);
  for (int round = 0; round < 400; round++) {
    const int size = 1 + perp_random_below(&random, 3), blocks = 1 + perp_random_below(&random, 8);
    const int n = size * blocks;
    double *a = reals(n * n), most = 0, difference = 0, least = INFINITY, greatest = -INFINITY;
    int zeros = 0, negatives = 0;
    bool z_matrix = true;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (perp_random_below(&random, 3) == 0)
          a[i * n + j] = round % 2 && i != j ? -perp_random_uniform(&random)
                                             : perp_random_between(&random, -1, 1);
    for (int i = 0; i < n; i++) {
      zeros += a[i * n + i] == 0;
      negatives += a[i * n + i] < 0;
      least = fmin(least, a[i * n + i]);
      greatest = fmax(greatest, a[i * n + i]);
      for (int j = 0; j < n; j++) {
        if (round % 3 == 0 && j < i)
          a[i * n + j] = a[j * n + i];
        most = fmax(most, fabs(a[i * n + j]));
        z_matrix = z_matrix && (i == j || a[i * n + j] <= 0);
      }
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        difference = fmax(difference, fabs(a[i * n + j] - a[j * n + i]));
    perp_operator *A = csr_of(n, a);
    if (round % 4 == 1) {
      perp_operator_destroy(A);
      A = dense(n, a);
    } else if (round % 4 == 2) { /* all blocks, row major */
      double *value = reals(n * n);
      int64_t start[9];
      int column[64];
      for (int I = 0; I < blocks; I++) {
        start[I] = I * blocks;
        for (int J = 0; J < blocks; J++) {
          column[I * blocks + J] = J;
          for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
              value[((I * blocks + J) * size + i) * size + j] =
                  a[(I * size + i) * n + J * size + j];
        }
      }
      start[blocks] = blocks * blocks;
      perp_operator_destroy(A);
      CHECK(perp_operator_bsr(blocks, size, start, column, value, PERP_COPY, &A, NULL) == PERP_OK);
      perp_free(value);
    }
    const perp_facts f = facts_of(A);
    CHECK(f.entries_seen);
    CHECK_CLOSE(f.asymmetry, most > 0 ? difference / most : 0, 1e-15);
    CHECK_EQUAL_INT(f.symmetric, f.asymmetry <= 1e-12);
    CHECK(f.diagonal_min == least && f.diagonal_max == greatest);
    CHECK(f.diagonal_zeros == zeros && f.diagonal_negatives == negatives);
    CHECK_EQUAL_INT(f.z_matrix, z_matrix);
    if (negatives)
      CHECK_EQUAL_INT(f.definite, PERP_DEFINITE_NOT);
    perp_free(a);
  }
}

/* ---- Grids and contacts ---- */

static void stencils(void)
{
  const int sides[] = {1, 5, 20, 40, 240};
  for (int k = 0; k < 5; k++) {
    const int m = sides[k], n = m * m;
    perp_stencil_data data = {
        .size = sizeof(perp_stencil_data), .nx = m, .ny = m, .nz = 1, .weight = 2};
    perp_operator *A;
    CHECK(perp_operator_stencil(&data, PERP_COPY, &A, NULL) == PERP_OK);
    perp_facts f = facts_of(A);
    const double least = 8 - 8 * cos(pi / (m + 1)), most = 16 - least;
    CHECK_EQUAL_INT(f.definite, PERP_DEFINITE_POSITIVE);
    CHECK(f.symmetric && f.z_matrix && f.diagonal_min == 8 && f.diagonal_max == 8);
    CHECK_EQUAL_INT(f.exact, n <= 1000);
    if (f.exact) {
      CHECK_CLOSE(f.eigen_min, least, 1e-12);
      CHECK_CLOSE(f.condition * least / most, 1, 1e-10);
    }
    /* estimates stay inside the spectrum */
    CHECK(f.eigen_min >= least - 1e-12 && f.eigen_max <= most + 1e-12);
    CHECK(f.eigen_max > 0.99 * most && f.condition <= most / least * (1 + 1e-10));

    if (m == 240) /* that was for Lanczos steps without a basis */
      break;
    /* no wall around: constants are the kernel */
    double *diagonal = reals(n);
    for (int c = 0; c < n; c++)
      diagonal[c] = 2 * ((c % m > 0) + (c % m + 1 < m) + (c >= m) + (c + m < n));
    data.diagonal = diagonal;
    CHECK(perp_operator_stencil(&data, PERP_COPY, &A, NULL) == PERP_OK);
    f = facts_of(A);
    CHECK_EQUAL_INT(f.definite, PERP_DEFINITE_SEMI);
    diagonal[n / 2] += 1e-3; /* an outlet */
    CHECK(perp_operator_stencil(&data, PERP_COPY, &A, NULL) == PERP_OK);
    f = facts_of(A);
    CHECK_EQUAL_INT(f.definite, PERP_DEFINITE_POSITIVE);
    perp_free(diagonal);
  }
}

/* n rows on one body of six velocities: rank at most 6, so semi-definite, and definite with C */
static void contacts(void)
{
  perp_random random = perp_random_from(6);
  for (int round = 0; round < 60; round++) {
    const int n = round < 59 ? 7 + perp_random_below(&random, 20) : 1020;
    int64_t *start = perp_alloc((size_t)n + 1, sizeof *start);
    int *column = perp_alloc(6 * (size_t)n, sizeof *column);
    double *J = reals(6 * n), *C = reals(n), Minv[36] = {0};
    int64_t *C_start = perp_alloc((size_t)n + 1, sizeof *C_start);
    int *C_column = perp_alloc((size_t)n, sizeof *C_column);
    for (int i = 0; i <= n; i++) {
      start[i] = 6 * i;
      C_start[i] = i;
      for (int k = 0; k < 6 && i < n; k++) {
        column[6 * i + k] = k;
        J[6 * i + k] = perp_random_between(&random, -1, 1);
      }
      if (i < n) {
        C_column[i] = i;
        C[i] = 0.5;
      }
    }
    for (int k = 0; k < 6; k++)
      Minv[7 * k] = k < 3 ? 2 : 1 + k;
    Minv[22] = Minv[27] = 0.5; /* (3,4) and (4,3) */
    perp_contact_data data = {.size = sizeof(perp_contact_data),
                              .rows = n,
                              .velocities = 6,
                              .J_start = start,
                              .J_column = column,
                              .J_value = J,
                              .blocks = 1,
                              .Minv = Minv};
    perp_operator *A;
    CHECK(perp_operator_contact(&data, PERP_COPY, &A, NULL) == PERP_OK);
    perp_facts f = facts_of(A);
    CHECK_EQUAL_INT(f.definite, PERP_DEFINITE_SEMI);
    CHECK(f.symmetric && f.entries_seen && f.diagonal_min > 0);
    if (n <= 1000)
      CHECK(f.condition == INFINITY);

    data.C_start = C_start, data.C_column = C_column, data.C_value = C;
    CHECK(perp_operator_contact(&data, PERP_COPY, &A, NULL) == PERP_OK);
    f = facts_of(A);
    CHECK_EQUAL_INT(f.definite, PERP_DEFINITE_POSITIVE);
    CHECK_CLOSE(f.eigen_min, 0.5, 1e-9 * f.eigen_max);
    /* one negative entry in C, within the kernel of a rank-6 matrix: no longer definite */
    for (int i = 0; i < n; i++)
      C[i] = -0.5;
    CHECK(perp_operator_contact(&data, PERP_COPY, &A, NULL) == PERP_OK);
    CHECK_EQUAL_INT(facts_of(A).definite, PERP_DEFINITE_NOT);
    perp_free(start), perp_free(column), perp_free(J), perp_free(C), perp_free(C_start);
    perp_free(C_column);
  }
}

static void contact_with_skew_compliance(void)
{
  const int64_t start[3] = {0, 1, 2}, C_start[3] = {0, 2, 4};
  const int column[2] = {0, 0}, C_column[4] = {0, 1, 0, 1};
  const double J[2] = {1, 2}, Minv[1] = {1}, C[4] = {1, 0.25, -0.25, 1};
  perp_contact_data data = perp_contact_data_default();
  data.rows = 2;
  data.velocities = data.blocks = 1;
  data.J_start = start, data.J_column = column, data.J_value = J;
  data.Minv = Minv;
  data.C_start = C_start, data.C_column = C_column, data.C_value = C;
  perp_operator *A;
  CHECK(perp_operator_contact(&data, PERP_COPY, &A, NULL) == PERP_OK);
  /* A = (2 2.25; 1.75 5) */
  const perp_facts f = facts_of(A);
  CHECK_CLOSE(f.asymmetry, 0.1, 1e-15);
  CHECK(!f.symmetric && f.definite == PERP_DEFINITE_POSITIVE);
}

/* ---- Shells ---- */

typedef struct shell_matrix {
  int n;
  double spoiled; /* A_11, 2 unless told */
} shell_matrix;

/* tridiag(-1, 2, -0.5), upper -0.5 */
static int shell_apply(void *context, const double *x, double *y)
{
  const shell_matrix *s = context;
  for (int i = 0; i < s->n; i++)
    y[i] =
        (i == 1 ? s->spoiled : 2) * x[i] - (i ? x[i - 1] : 0) - (i + 1 < s->n ? 0.5 * x[i + 1] : 0);
  return 0;
}

static int shell_apply_t(void *context, const double *x, double *y)
{
  const shell_matrix *s = context;
  for (int i = 0; i < s->n; i++)
    y[i] =
        (i == 1 ? s->spoiled : 2) * x[i] - (i ? 0.5 * x[i - 1] : 0) - (i + 1 < s->n ? x[i + 1] : 0);
  return 0;
}

static int shell_diagonal(void *context, double *d)
{
  const shell_matrix *s = context;
  for (int i = 0; i < s->n; i++)
    d[i] = i == 1 ? s->spoiled : 2;
  return 0;
}

static int shell_row(void *context, int i, int *column, double *value)
{
  const shell_matrix *s = context;
  int count = 0;
  if (i > 0)
    column[count] = i - 1, value[count++] = -1;
  column[count] = i, value[count++] = i == 1 ? s->spoiled : 2;
  if (i + 1 < s->n)
    column[count] = i + 1, value[count++] = -0.5;
  return count;
}

static perp_operator *shell(shell_matrix *context, bool transposed, bool diagonal, bool rows)
{
  const perp_shell callbacks = {
      .size = sizeof(perp_shell),
      .context = context,
      .apply = shell_apply,
      .apply_t = transposed ? shell_apply_t : NULL,
      .diagonal = diagonal ? shell_diagonal : NULL,
      .row = rows ? shell_row : NULL,
      .row_capacity = 3,
  };
  perp_operator *A;
  CHECK(perp_operator_shell(context->n, &callbacks, &A, NULL) == PERP_OK);
  return A;
}

static void shells(void)
{
  /* small: everything by n products */
  shell_matrix small = {50, 2}, large = {2100, 2}, broken = {50, NAN};
  perp_facts f = facts_of(shell(&small, false, false, false));
  CHECK(f.exact && f.entries_seen && !f.symmetric && f.z_matrix);
  CHECK_CLOSE(f.asymmetry, 0.25, 1e-15);
  CHECK_EQUAL_INT(f.definite, PERP_DEFINITE_POSITIVE);
  CHECK_CLOSE(f.eigen_min, 2 - 1.5 * cos(pi / 51), 1e-13);

  /* large, only by products: no claim */
  f = facts_of(shell(&large, false, false, false));
  CHECK(!f.exact && !f.entries_seen && isnan(f.asymmetry) && !f.symmetric);
  CHECK(isnan(f.eigen_min) && isnan(f.condition) && isnan(f.diagonal_min));
  CHECK_EQUAL_INT(f.definite, PERP_DEFINITE_UNKNOWN);

  /* with the transpose: estimates; with the diagonal: that too */
  f = facts_of(shell(&large, true, true, false));
  CHECK(!f.entries_seen && f.diagonal_min == 2 && f.diagonal_max == 2);
  CHECK_EQUAL_INT(f.definite, PERP_DEFINITE_UNKNOWN);
  CHECK(f.eigen_min >= 0.5 && f.eigen_min < 0.51 && f.eigen_max <= 3.5 && f.eigen_max > 3.49);
  CHECK(f.condition > 6.9 && f.condition <= 7 + 1e-9); /* (2 + 1.5) / (2 - 1.5) at most */

  /* with rows: dominance proves it */
  f = facts_of(shell(&large, false, false, true));
  CHECK(f.entries_seen && f.z_matrix && isnan(f.eigen_min));
  CHECK_CLOSE(f.asymmetry, 0.25, 1e-15);
  CHECK_EQUAL_INT(f.definite, PERP_DEFINITE_POSITIVE);

  large.spoiled = -1;
  CHECK_EQUAL_INT(facts_of(shell(&large, false, true, false)).definite, PERP_DEFINITE_NOT);
  CHECK_EQUAL_INT(facts_of(shell(&large, true, false, false)).definite, PERP_DEFINITE_NOT);

  /* a value that is not finite is an error that names the place */
  double *b = reals(50);
  perp_operator *A = shell(&broken, true, true, true);
  const perp_problem p = perp_problem_lcp(A, b);
  perp_facts facts;
  perp_message why;
  CHECK_EQUAL_INT(perp_problem_facts(&p, &facts, &why), PERP_ERROR_PROBLEM);
  CHECK_EQUAL_TEXT(why.text, "A[1][1] = nan is not finite");
  perp_operator_destroy(A);
  perp_free(b);
}

/* ---- Forms and edges ---- */

static void forms(void)
{
  double a[49] = {0}, b[7] = {0}, mu[1] = {0.5};
  for (int i = 0; i < 7; i++)
    a[8 * i] = 1;
  perp_operator *A = dense(7, a);
  const double lo[7] = {0, 0, 0, -INFINITY, -1e300, -1, 0};
  const double hi[7] = {0, 0, 0, INFINITY, 1e301, 1, INFINITY};
  const int findex[7] = {-1, -1, -1, -1, -1, 6, -1};
  perp_problem p = perp_problem_friction(A, b, lo, hi, findex);
  perp_facts f;
  CHECK(perp_problem_facts(&p, &f, NULL) == PERP_OK);
  CHECK(f.form == PERP_FORM_FINDEX && f.free_rows == 2 && f.friction_rows == 1 && f.cones == 0);
  p.K.mu = mu;
  p.K.cones = 1;
  CHECK(perp_problem_facts(&p, &f, NULL) == PERP_OK);
  CHECK(f.form == PERP_FORM_CONE && f.free_rows == 2 && f.friction_rows == 1 && f.cones == 1);
  perp_operator_destroy(A);
}

/* The eigenvalues are planted in the symmetric part; the skew part does not count. */
static void whole_spectra(void)
{
  perp_random random = perp_random_from(7);
  for (int round = 0; round < 300; round++) {
    const int n = 1 + perp_random_below(&random, 30);
    double w[30], found[30], far = 0;
    for (int i = 0; i < n; i++) {
      w[i] = i > 0 && round % 3 == 1 ? w[i - 1] : perp_random_between(&random, -10, 10);
      far = fmax(far, fabs(w[i]));
    }
    double *A = plant(&random, n, w);
    for (int i = 0; i < n && round % 2; i++)
      for (int j = 0; j < i; j++) {
        const double skew = perp_random_between(&random, -1, 1);
        A[i * n + j] += skew;
        A[j * n + i] -= skew;
      }
    for (int i = 1; i < n; i++) /* sorted by insertion */
      for (int j = i; j > 0 && w[j] < w[j - 1]; j--) {
        const double swap = w[j];
        w[j] = w[j - 1];
        w[j - 1] = swap;
      }
    perp_operator *op = round % 4 < 2 ? dense(n, A) : csr_of(n, A);
    perp_message why;
    const perp_error error = perp_operator_spectrum(op, found, &why);
    CHECK_SAY(error == PERP_OK, "%s", why.text);
    for (int i = 0; i < n && !error; i++)
      CHECK_CLOSE(found[i], w[i], 1e-13 * fmax(far, 1));
    perp_operator_destroy(op);
    perp_free(A);
  }
  double none = 3;
  perp_operator *empty = dense(0, &none);
  CHECK(perp_operator_spectrum(empty, &none, NULL) == PERP_OK && none == 3);
  CHECK_EQUAL_INT(perp_operator_spectrum(empty, NULL, NULL), PERP_ERROR_ARGUMENT);
  CHECK_EQUAL_INT(perp_operator_spectrum(NULL, &none, NULL), PERP_ERROR_ARGUMENT);
  perp_operator_destroy(empty);
}

static void edges(void)
{
  perp_facts f;
  perp_message why;
  CHECK_EQUAL_INT(perp_problem_facts(NULL, &f, &why), PERP_ERROR_ARGUMENT);
  double zero[9] = {0}, one[1] = {-2};
  f = facts_of(dense(0, zero));
  CHECK(f.symmetric && f.definite == PERP_DEFINITE_POSITIVE && isnan(f.eigen_min));
  f = facts_of(dense(3, zero));
  CHECK(f.symmetric && f.definite == PERP_DEFINITE_SEMI && f.condition == INFINITY);
  CHECK(f.diagonal_zeros == 3 && f.eigen_max == 0);
  f = facts_of(dense(1, one));
  CHECK(f.definite == PERP_DEFINITE_NOT && f.eigen_min == -2 && f.condition == 1);
  CHECK_EQUAL_TEXT(perp_definite_name(PERP_DEFINITE_UNKNOWN), "unknown");
  CHECK_EQUAL_TEXT(perp_definite_name(PERP_DEFINITE_POSITIVE), "positive-definite");
  CHECK_EQUAL_TEXT(perp_definite_name(PERP_DEFINITE_SEMI), "positive-semidefinite");
  CHECK_EQUAL_TEXT(perp_definite_name(PERP_DEFINITE_NOT), "not-semidefinite");
}

/* Compressed rows with entries anywhere, some across from each other, some equal, some rows without
 * a diagonal; against all pairs of the dense matrix. */
static void one_glance_tells_what_all_pairs_do(void)
{
  perp_random random = perp_random_from(21);
  int64_t cursor[12];
  for (int k = 0; k < 600; k++) {
    const int n = 1 + perp_random_below(&random, 12), share = 1 + perp_random_below(&random, 5);
    const bool symmetric = k % 3 == 0;
    double a[144] = {0}, difference = 0, greatest = 0, least = INFINITY, most = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        if (perp_random_below(&random, share) == 0)
          a[i * n + j] = perp_random_between(&random, -1, 1);
        if (j < i && (symmetric || perp_random_below(&random, 2)))
          a[i * n + j] = a[j * n + i];
      }
    int64_t positive = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        difference = fmax(difference, fabs(a[i * n + j] - a[j * n + i]));
        greatest = fmax(greatest, fabs(a[i * n + j]));
        positive += a[i * n + j] > 0;
      }
      least = fmin(least, a[i * n + i]);
      most = fmax(most, a[i * n + i]);
    }
    perp_operator *A = csr_of(n, a), *full = dense(n, a);
    perp_glance g;
    CHECK(perp_entries_glance(A, cursor, &g) && !perp_entries_glance(full, cursor, &g));
    CHECK(perp_entries_glance(A, cursor, &g));
    CHECK_SAY(g.difference == difference, "%g, not %g", g.difference, difference);
    CHECK(g.greatest == (difference > 0 ? greatest : 0));
    CHECK(g.diagonal_min == least && g.diagonal_max == most && g.positive == positive);
    perp_operator_destroy(A);
    perp_operator_destroy(full);
  }
}

static const test_case tests[] = {
    TEST(one_glance_tells_what_all_pairs_do),
    TEST(planted_spectra),
    TEST(planted_singular_values),
    TEST(integer_semidefinite),
    TEST(graph_laplacians),
    TEST(scales_far_apart),
    TEST(cholesky_decides),
    TEST(entries_random),
    TEST(stencils),
    TEST(contacts),
    TEST(contact_with_skew_compliance),
    TEST(shells),
    TEST(forms),
    TEST(whole_spectra),
    TEST(edges),
};

TEST_MAIN(tests)
