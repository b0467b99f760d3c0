/* test_krylov.c: Krylov solvers, preconditioners, and the reduced systems made of them, against
 * dense matrices and Gaussian elimination written here */
#include "linalg/krylov.h"

#include "base/random.h"
#include "linalg/ilu.h"
#include "method/method.h"
#include "method/reduced.h"
#include "operator/stencil_incomplete.h"
#include "problems.h"

enum { MOST = 64 };

/* ---- The oracle ---- */

typedef struct {
  int n;
  double a[MOST * MOST];
  double diagonal[MOST]; /* of the Jacobi preconditioner */
  int calls;
  double poison; /* written into every product where it is not 0 */
} matrix;

static void times(const matrix *A, const double *x, double *y)
{
  for (int i = 0; i < A->n; i++) {
    y[i] = 0;
    for (int j = 0; j < A->n; j++)
      y[i] += A->a[i * A->n + j] * x[j];
  }
}

static void product(void *context, const double *x, double *y)
{
  matrix *A = context;
  A->calls++;
  times(A, x, y);
  if (A->poison != 0)
    y[A->n / 2] = A->poison;
}

static void jacobi(void *context, const double *r, double *z)
{
  const matrix *A = context;
  for (int i = 0; i < A->n; i++)
    z[i] = r[i] / A->diagonal[i];
}

/* changes from call to call */
static void restless(void *context, const double *r, double *z)
{
  const matrix *A = context;
  for (int i = 0; i < A->n; i++)
    z[i] = r[i] / (1 + 0.5 * ((i + A->calls) % 3));
}

/* Gaussian elimination with partial pivoting on a copy; false where a pivot vanishes. */
static bool eliminate(int n, const double *a, const double *b, double *x)
{
  double M[MOST * (MOST + 1)];
  for (int i = 0; i < n; i++) {
    memcpy(M + i * (n + 1), a + i * n, (size_t)n * sizeof *M);
    M[i * (n + 1) + n] = b[i];
  }
  for (int k = 0; k < n; k++) {
    int p = k;
    for (int i = k; i < n; i++)
      if (fabs(M[i * (n + 1) + k]) > fabs(M[p * (n + 1) + k]))
        p = i;
    if (fabs(M[p * (n + 1) + k]) < 1e-12)
      return false;
    for (int j = 0; j <= n; j++) {
      const double t = M[k * (n + 1) + j];
      M[k * (n + 1) + j] = M[p * (n + 1) + j];
      M[p * (n + 1) + j] = t;
    }
    for (int i = k + 1; i < n; i++) {
      const double l = M[i * (n + 1) + k] / M[k * (n + 1) + k];
      for (int j = k; j <= n; j++)
        M[i * (n + 1) + j] -= l * M[k * (n + 1) + j];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    x[i] = M[i * (n + 1) + n];
    for (int j = i + 1; j < n; j++)
      x[i] -= M[i * (n + 1) + j] * x[j];
    x[i] /= M[i * (n + 1) + i];
  }
  return true;
}

static double norm(int n, const double *x)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sqrt(sum);
}

/* |b - A x| by the oracle's own product */
static double true_residual(const matrix *A, const double *b, const double *x)
{
  double r[MOST];
  times(A, x, r);
  for (int i = 0; i < A->n; i++)
    r[i] = b[i] - r[i];
  return norm(A->n, r);
}

/* ---- Matrices ---- */

typedef enum { SPD, INDEFINITE, GENERAL, SINGULAR } sort;

/* G diag(s) G^T with G random, or a general one dominated by its diagonal and a skew part. Singular:
 * half of the s are 0. */
static void make(matrix *A, int n, sort kind, perp_random *random)
{
  double G[MOST * MOST], s[MOST];
  *A = (matrix){.n = n};
  for (int k = 0; k < n * n; k++)
    G[k] = perp_random_between(random, -1, 1) / sqrt(n);
  for (int k = 0; k < n; k++) {
    s[k] = perp_random_between(random, 0.5, 2);
    if (kind == INDEFINITE && k % 2)
      s[k] = -s[k];
    if (kind == SINGULAR && k % 2)
      s[k] = 0;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += G[i * n + k] * s[k] * G[j * n + k];
      if (kind == GENERAL)
        sum = G[i * n + j] + (i == j);
      if (kind == SPD && i == j)
        sum += 0.1 + 10.0 * i / n;
      if (kind == INDEFINITE && i == j)
        sum += (i % 2 ? -1 : 1) * (0.5 + 3.0 * i / n);
      A->a[i * n + j] = sum;
    }
  for (int i = 0; i < n; i++)
    A->diagonal[i] = fabs(A->a[i * n + i]) + 1e-3;
}

static void random_vector(int n, double *x, perp_random *random)
{
  for (int i = 0; i < n; i++)
    x[i] = perp_random_between(random, -1, 1);
}

/* ---- One solver on one system ---- */

typedef enum { CG, MINRES, BICGSTAB, GMRES } solver;
static const char *const names[] = {"cg", "minres", "bicgstab", "gmres"};

static perp_krylov_end run_solver(solver which, const perp_krylov *k, const double *b, double *x,
                                  double *work)
{
  switch (which) {
  case CG:
    return perp_cg(k, b, x, work);
  case MINRES:
    return perp_minres(k, b, x, work);
  case BICGSTAB:
    return perp_bicgstab(k, b, x, work);
  default:
    return perp_gmres(k, k->n < 30 ? k->n : 30, b, x, work);
  }
}

static int64_t room(solver which, int n)
{
  return which == CG         ? perp_cg_work(n)
         : which == MINRES   ? perp_minres_work(n)
         : which == BICGSTAB ? perp_bicgstab_work(n)
                             : perp_gmres_work(n, n < 30 ? n : 30);
}

/* With a guard behind the workspace that must stay as it is. */
static perp_krylov_end attempt(solver which, matrix *A, perp_product precondition, double target,
                               int limit, const double *b, double *x)
{
  const int64_t size = room(which, A->n);
  double *work = perp_alloc((size_t)size + 1, sizeof *work);
  for (int64_t i = 0; i <= size; i++)
    work[i] = 12345.678;
  const perp_krylov k = {.n = A->n,
                         .product = product,
                         .context = A,
                         .precondition = precondition,
                         .precondition_context = A,
                         .target = target,
                         .limit = limit};
  const perp_krylov_end end = run_solver(which, &k, b, x, work);
  CHECK(work[size] == 12345.678);
  perp_free(work);
  CHECK_EQUAL_INT(end.products, A->calls);
  return end;
}

static void check_systems(sort kind, solver which, double accuracy, double least_converged)
{
  perp_random random = perp_random_from(17 + (uint64_t)kind);
  enum { CASES = 300 };
  int converged = 0;
  for (int trial = 0; trial < CASES; trial++) {
    const int n = 1 + perp_random_below(&random, 40);
    matrix A;
    double b[MOST], x[MOST], start[MOST] = {0}, exact[MOST];
    make(&A, n, kind, &random);
    random_vector(n, b, &random);
    random_vector(n, start, &random);
    memcpy(x, start, sizeof x);
    const double target = accuracy * norm(n, b);
    const perp_krylov_end end =
        attempt(which, &A, trial % 2 ? jacobi : NULL, target, 20 * n + 20, b, x);
    const double reached = true_residual(&A, b, x);
    CHECK_SAY(fabs(reached - end.residual) <= 1e-12 * (1 + reached), "%s, n = %d: %g, said %g",
              names[which], n, reached, end.residual);
    CHECK(reached <= true_residual(&A, b, start) * (1 + 1e-12));
    CHECK((end.state == PERP_KRYLOV_CONVERGED) == (end.residual <= target));
    converged += end.state == PERP_KRYLOV_CONVERGED;
    if (end.state != PERP_KRYLOV_CONVERGED || !eliminate(n, A.a, b, exact))
      continue;
    /* |x - exact| <= |A^-1| residual, with |A^-1| from below by the solution itself */
    double apart = 0, size = 0;
    for (int i = 0; i < n; i++) {
      apart = fmax(apart, fabs(x[i] - exact[i]));
      size = fmax(size, fabs(exact[i]));
    }
    CHECK_SAY(apart <= 1e4 * accuracy * (1 + size), "%s, n = %d, trial %d: %g", names[which], n,
              trial, apart);
  }
  CHECK_SAY(converged >= least_converged * CASES, "%s converged in %d of %d", names[which],
            converged, CASES);
}

static void definite_systems_are_solved(void)
{
  for (solver which = CG; which <= GMRES; which++)
    check_systems(SPD, which, 1e-10, 1);
}

static void indefinite_systems_are_solved(void)
{
  check_systems(INDEFINITE, MINRES, 1e-10, 1);
  check_systems(INDEFINITE, GMRES, 1e-10, 0.97);
}

static void general_systems_are_solved(void)
{
  check_systems(GENERAL, GMRES, 1e-10, 1);
  check_systems(GENERAL, BICGSTAB, 1e-10, 0.95);
}

/* b = A v */
static void singular_systems_with_a_solution_are_solved(void)
{
  perp_random random = perp_random_from(5);
  for (int trial = 0; trial < 300; trial++) {
    const int n = 2 + perp_random_below(&random, 30);
    matrix A;
    double v[MOST], b[MOST];
    make(&A, n, SINGULAR, &random);
    random_vector(n, v, &random);
    times(&A, v, b);
    const solver which[] = {CG, MINRES, GMRES};
    for (int k = 0; k < 3; k++) {
      double x[MOST] = {0};
      A.calls = 0;
      const perp_krylov_end end = attempt(which[k], &A, NULL, 1e-9 * norm(n, b), 20 * n, b, x);
      CHECK_SAY(end.state == PERP_KRYLOV_CONVERGED, "%s, trial %d, n = %d: %g, state %d",
                names[which[k]], trial, n, end.residual / norm(n, b), (int)end.state);
      CHECK(true_residual(&A, b, x) <= 1e-9 * norm(n, b) * (1 + 1e-6));
    }
  }
}

/* No solution: every solver says so, x stays finite; MINRES finds the least residual, where
 * A^T (b - A x) = 0. */
static void singular_systems_without_a_solution_end(void)
{
  perp_random random = perp_random_from(6);
  for (int trial = 0; trial < 300; trial++) {
    const int n = 2 + perp_random_below(&random, 30);
    matrix A;
    double b[MOST];
    make(&A, n, SINGULAR, &random);
    random_vector(n, b, &random);
    for (solver which = CG; which <= GMRES; which++) {
      double x[MOST] = {0}, r[MOST], Ar[MOST];
      A.calls = 0;
      const perp_krylov_end end = attempt(which, &A, NULL, 1e-10 * norm(n, b), 20 * n, b, x);
      CHECK(end.state != PERP_KRYLOV_CONVERGED);
      for (int i = 0; i < n; i++)
        CHECK(isfinite(x[i]));
      CHECK(true_residual(&A, b, x) <= norm(n, b) * (1 + 1e-12));
      if (which != MINRES)
        continue;
      times(&A, x, r);
      for (int i = 0; i < n; i++)
        r[i] = b[i] - r[i];
      times(&A, r, Ar);
      CHECK_SAY(norm(n, Ar) <= 1e-6 * norm(n, b), "trial %d, n = %d: |A r| = %g", trial, n,
                norm(n, Ar));
    }
  }
}

static void negative_curvature_is_shown(void)
{
  matrix A = {.n = 3, .a = {1, 0, 0, 0, -2, 0, 0, 0, 1}, .diagonal = {1, 1, 1}};
  const double b[3] = {1, 1, 1};
  double x[3] = {0}, work[5 * 3], Ap[3];
  const perp_krylov k = {.n = 3, .product = product, .context = &A, .target = 1e-12, .limit = 10};
  const perp_krylov_end end = perp_cg(&k, b, x, work);
  CHECK(end.state == PERP_KRYLOV_NEGATIVE);
  times(&A, work, Ap);
  CHECK(work[0] * Ap[0] + work[1] * Ap[1] + work[2] * Ap[2] <= 0 && norm(3, work) > 0);
}

/* With k distinct eigenvalues CG and MINRES end after k products (and one that confirms). */
static void few_eigenvalues_take_few_steps(void)
{
  matrix A = {.n = 40};
  for (int i = 0; i < 40; i++)
    A.a[i * 40 + i] = 1 + 3 * (i % 4);
  double b[MOST];
  perp_random random = perp_random_from(8);
  random_vector(40, b, &random);
  for (solver which = CG; which <= GMRES; which++) {
    if (which == BICGSTAB)
      continue;
    double x[MOST] = {0};
    A.calls = 0;
    const perp_krylov_end end = attempt(which, &A, NULL, 1e-11 * norm(40, b), 100, b, x);
    CHECK(end.state == PERP_KRYLOV_CONVERGED);
    CHECK_SAY(end.products <= 5, "%s: %d products", names[which], end.products);
  }
}

static void one_unknown_zero_right_side_and_nan(void)
{
  for (solver which = CG; which <= GMRES; which++) {
    matrix A = {.n = 1, .a = {4}, .diagonal = {4}};
    double b[MOST] = {2}, x[MOST] = {0};
    CHECK(attempt(which, &A, NULL, 1e-14, 10, b, x).state == PERP_KRYLOV_CONVERGED);
    CHECK_CLOSE(x[0], 0.5, 1e-14);

    b[0] = 0;
    x[0] = 0;
    A.calls = 0;
    const perp_krylov_end end = attempt(which, &A, NULL, 0, 10, b, x);
    CHECK(end.state == PERP_KRYLOV_CONVERGED && end.residual == 0 && end.products == 0);

    A.a[0] = 0; /* 0 x = 1 */
    b[0] = 1;
    A.calls = 0;
    CHECK(attempt(which, &A, NULL, 1e-14, 10, b, x).state != PERP_KRYLOV_CONVERGED);
    CHECK(x[0] == 0);

    perp_random random = perp_random_from(9);
    make(&A, 12, SPD, &random);
    random_vector(12, b, &random);
    const double bad[] = {NAN, INFINITY};
    for (int k = 0; k < 2; k++) {
      memset(x, 0, sizeof x);
      A.calls = 0;
      A.poison = bad[k];
      CHECK(attempt(which, &A, jacobi, 1e-10, 100, b, x).state == PERP_KRYLOV_BREAKDOWN);
      for (int i = 0; i < 12; i++)
        CHECK(isfinite(x[i]));
    }
    A.poison = 0;
    A.calls = 0;
    b[3] = NAN;
    memset(x, 0, sizeof x);
    CHECK(attempt(which, &A, NULL, 1e-10, 100, b, x).state == PERP_KRYLOV_BREAKDOWN);
    CHECK(x[0] == 0);
  }
}

static bool always(void *context)
{
  return context == NULL;
}

static void limits_are_kept(void)
{
  perp_random random = perp_random_from(10);
  matrix A;
  double b[MOST];
  make(&A, 40, SPD, &random);
  random_vector(40, b, &random);
  for (solver which = CG; which <= GMRES; which++) {
    double x[MOST] = {0};
    A.calls = 0;
    const perp_krylov_end end = attempt(which, &A, NULL, 1e-14, 4, b, x);
    CHECK(end.state == PERP_KRYLOV_LIMIT);
    CHECK_SAY(end.products <= 6, "%s: %d", names[which], end.products);
    double *work = perp_alloc((size_t)room(which, 40), sizeof *work);
    const perp_krylov k = {.n = 40,
                           .product = product,
                           .context = &A,
                           .expired = always,
                           .target = 1e-14,
                           .limit = 100};
    memset(x, 0, sizeof x);
    CHECK(run_solver(which, &k, b, x, work).state == PERP_KRYLOV_EXPIRED);
    perp_free(work);
  }
}

static void gmres_bears_a_changing_preconditioner(void)
{
  perp_random random = perp_random_from(11);
  for (int trial = 0; trial < 100; trial++) {
    const int n = 1 + perp_random_below(&random, 40);
    matrix A;
    double b[MOST], x[MOST] = {0};
    make(&A, n, GENERAL, &random);
    random_vector(n, b, &random);
    CHECK(attempt(GMRES, &A, restless, 1e-10 * norm(n, b), 20 * n + 20, b, x).state ==
          PERP_KRYLOV_CONVERGED);
    CHECK(true_residual(&A, b, x) <= 1.001e-10 * norm(n, b));
  }
}

/* ---- Preconditioners ---- */

/* On a full pattern nothing is dropped: ILU(0) is exact, in any F and with any d. SSOR by its
 * definition. */
static void full_patterns_are_factored_exactly(void)
{
  perp_random random = perp_random_from(12);
  for (int trial = 0; trial < 200; trial++) {
    const int n = 1 + perp_random_below(&random, 20);
    matrix A;
    make(&A, n, GENERAL, &random);
    int64_t start[MOST + 1], diagonal[MOST], place[MOST];
    int column[MOST * MOST];
    double LU[MOST * MOST], d[MOST], r[MOST], z[MOST], sub[MOST * MOST], right[MOST], exact[MOST],
        D[MOST];
    bool in[MOST];
    int F[MOST], m = 0;
    for (int i = 0; i < n; i++) {
      start[i] = i * n;
      diagonal[i] = i * n + i;
      place[i] = -1;
      d[i] = perp_random_between(&random, 0, 3);
      in[i] = perp_random_below(&random, 4) > 0;
      if (in[i])
        F[m++] = i;
      for (int j = 0; j < n; j++)
        column[i * n + j] = j;
    }
    start[n] = n * n;
    random_vector(n, r, &random);
    perp_ilu f = {.n = n,
                  .start = start,
                  .column = column,
                  .value = A.a,
                  .diagonal = diagonal,
                  .in = in,
                  .LU = LU,
                  .place = place};
    CHECK(perp_ilu_factor(&f, d));
    CHECK(f.shift == 0);
    perp_ilu_solve(&f, r, z);
    for (int k = 0; k < m; k++) {
      right[k] = r[F[k]];
      for (int l = 0; l < m; l++)
        sub[k * m + l] = A.a[F[k] * n + F[l]] + (k == l ? d[F[k]] : 0);
    }
    CHECK(eliminate(m, sub, right, exact));
    for (int k = 0; k < m; k++)
      CHECK_CLOSE(z[F[k]], exact[k], 1e-9);
    for (int i = 0; i < n; i++)
      CHECK(in[i] || z[i] == 0);

    /* M z = r with M = (D + L) D^-1 (D + U) */
    for (int i = 0; i < n; i++)
      D[i] = 1 + fabs(A.a[i * n + i]);
    perp_ssor_solve(&f, D, r, z);
    double t[MOST];
    for (int k = 0; k < m; k++) {
      t[k] = z[F[k]];
      for (int l = k + 1; l < m; l++)
        t[k] += A.a[F[k] * n + F[l]] * z[F[l]] / D[F[k]];
    }
    for (int k = 0; k < m; k++) {
      double sum = D[F[k]] * t[k];
      for (int l = 0; l < k; l++)
        sum += A.a[F[k] * n + F[l]] * t[l];
      CHECK_CLOSE(sum, r[F[k]], 1e-10);
    }
  }
}

static void a_zero_pivot_shifts_the_factor(void)
{
  const int64_t start[] = {0, 2, 4}, diagonal[] = {0, 3};
  const int column[] = {0, 1, 0, 1};
  const double value[] = {0, 1, 1, 0};
  const bool in[] = {true, true};
  double LU[4], r[2] = {1, 2}, z[2];
  int64_t place[] = {-1, -1};
  perp_ilu f = {2, start, column, value, diagonal, in, LU, place, 0};
  CHECK(perp_ilu_factor(&f, NULL));
  CHECK(f.shift > 0);
  perp_ilu_solve(&f, r, z);
  CHECK(isfinite(z[0]) && isfinite(z[1]));
}

static perp_operator *random_stencil(int nx, int ny, int nz, bool weighted, bool masked,
                                     perp_random *random)
{
  const int cells = nx * ny * nz;
  double w[3][MOST], diagonal[MOST];
  int list[MOST], count = 0;
  for (int c = 0; c < cells; c++) {
    for (int axis = 0; axis < 3; axis++)
      w[axis][c] = weighted ? perp_random_between(random, 0.2, 2) : 1;
    diagonal[c] = weighted ? 12.5 : nz > 1 ? 6 : 4;
    if (!masked || c == 0 || perp_random_below(random, 4))
      list[count++] = c;
  }
  const perp_stencil_data data = {.nx = nx,
                                  .ny = ny,
                                  .nz = nz,
                                  .unknowns = count,
                                  .cells = masked ? list : NULL,
                                  .wx = weighted ? w[0] : NULL,
                                  .wy = weighted ? w[1] : NULL,
                                  .wz = weighted ? w[2] : NULL,
                                  .weight = 1,
                                  .diagonal = diagonal};
  perp_operator *A = NULL;
  CHECK(perp_operator_stencil(&data, PERP_COPY, &A, NULL) == PERP_OK);
  return A;
}

static void dense_of(const perp_operator *A, double *a)
{
  perp_operator *dense = NULL;
  const double *from;
  int64_t stride;
  CHECK(perp_operator_to_dense(A, 0, &dense, NULL) == PERP_OK);
  CHECK(perp_operator_dense_array(dense, &from, &stride) == PERP_OK);
  const int n = perp_operator_size(A);
  for (int i = 0; i < n; i++)
    memcpy(a + i * n, from + i * stride, (size_t)n * sizeof *a);
  perp_operator_destroy(dense);
}

/* M^-1 column by column, inverted by elimination: M has the entries of A_FF + d off its diagonal,
 * wherever A has one, and is symmetric positive definite; on a grid of one row it is A_FF + d. */
static void grid_factors_keep_the_entries_of_the_matrix(void)
{
  perp_random random = perp_random_from(13);
  perp_arena arena = {0};
  for (int trial = 0; trial < 120; trial++) {
    const bool line = trial % 4 == 0;
    const int nx = 1 + perp_random_below(&random, 4), ny = line ? 1 : 2,
              nz = trial % 4 == 1 ? 3 : 1;
    perp_operator *A = random_stencil(nx, ny, nz, trial % 3 == 0, trial % 2 == 0, &random);
    const int n = perp_operator_size(A);
    double a[MOST * MOST], d[MOST], inverse[MOST * MOST], M[MOST * MOST];
    bool in[MOST];
    for (int i = 0; i < n; i++) {
      in[i] = i == 0 || perp_random_below(&random, 5) > 0;
      d[i] = perp_random_between(&random, 0, 1);
    }
    dense_of(A, a);
    perp_arena_reset(&arena);
    perp_stencil_incomplete f;
    CHECK(perp_stencil_incomplete_create(A, &arena, &f));
    perp_stencil_incomplete_factor(&f, in, trial % 5 ? d : NULL);
    for (int j = 0; j < n; j++) {
      double e[MOST] = {0}, z[MOST];
      e[j] = 1;
      perp_stencil_incomplete_solve(&f, e, z);
      for (int i = 0; i < n; i++) {
        CHECK((in[i] && in[j]) || z[i] == 0);
        inverse[i * n + j] = in[i] ? z[i] : (double)(i == j);
      }
    }
    for (int j = 0; j < n; j++) {
      double e[MOST] = {0}, z[MOST];
      e[j] = 1;
      CHECK(eliminate(n, inverse, e, z));
      for (int i = 0; i < n; i++)
        M[i * n + j] = z[i];
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        if (!in[i] || !in[j])
          continue;
        CHECK_CLOSE(M[i * n + j], M[j * n + i], 1e-10);
        if (i != j && a[i * n + j] != 0)
          CHECK_CLOSE(M[i * n + j], a[i * n + j], 1e-10);
        if (line && i == j)
          CHECK_CLOSE(M[i * n + i], a[i * n + i] + (trial % 5 ? d[i] : 0), 1e-10);
      }
    perp_operator_destroy(A);
  }
  perp_arena_free(&arena);
}

/* ---- Reduced systems: a method that solves some and is judged from within ---- */

typedef struct {
  int solver, preconditioner;
} reduced_parameters;
static const char *const solvers[] = {PERP_REDUCED_SOLVERS, NULL};
static const char *const preconditioners[] = {PERP_REDUCED_PRECONDITIONERS, NULL};
static const perp_parameter reduced_table[] = {
    PERP_CHOICE(reduced_parameters, solver, 0, 5, solvers, "solver"),
    PERP_CHOICE(reduced_parameters, preconditioner, 0, 7, preconditioners, "preconditioner"),
    {0},
};

static int solved_systems;

static perp_error solve_reduced(perp_run *run, const perp_problem *p, const void *parameters,
                                double *x)
{
  const reduced_parameters *par = parameters;
  const int n = p->K.n;
  double a[MOST * MOST], d[MOST], r[MOST], z[MOST], sub[MOST * MOST], right[MOST], exact[MOST];
  int F[MOST];
  (void)x;
  dense_of(p->A, a);
  perp_reduced *s = NULL;
  const perp_error error = perp_reduced_open(run, (perp_reduced_solver)par->solver,
                                             (perp_reduced_preconditioner)par->preconditioner, &s);
  perp_random random = perp_random_from(14);
  for (int trial = 0; !error && trial < 6; trial++) {
    int m = 0;
    for (int i = 0; i < n; i++) {
      d[i] = perp_random_between(&random, 0, 1);
      r[i] = perp_random_between(&random, -1, 1);
      if (trial == 0 || perp_random_below(&random, 3))
        F[m++] = i;
    }
    const double *shift = trial % 2 ? d : NULL;
    for (int k = 0; k < m; k++) {
      right[k] = r[F[k]];
      for (int l = 0; l < m; l++)
        sub[k * m + l] = a[F[k] * n + F[l]] + (k == l && shift ? d[F[k]] : 0);
    }
    const bool regular = perp_reduced_set(s, m, F, shift);
    const double reached = perp_reduced_solve(s, r, 1e-10, z);
    CHECK(regular);
    CHECK_SAY(reached <= 1e-10, "n = %d, m = %d, %s, %s, %s: %g", n, m, perp_operator_kind(p->A),
              solvers[par->solver], preconditioners[par->preconditioner], reached);
    CHECK(eliminate(m, sub, right, exact));
    for (int k = 0, i = 0; i < n; i++) {
      const double want = k < m && F[k] == i ? exact[k++] : 0;
      CHECK_SAY(fabs(z[i] - want) <= 1e-7 * (1 + fabs(want)), "z[%d] = %.12g, not %.12g", i, z[i],
                want);
    }
    solved_systems++;
  }
  perp_reduced_close(s);
  return error;
}

static const perp_method reduced_method = {
    .name = "reduced",
    .title = "reduced systems",
    .family = "test",
    .source = "none",
    .takes = PERP_TAKES_LCP,
    .needs = PERP_CAN_APPLY,
    .max_iterations = 1,
    .works = "any",
    .parameters = reduced_table,
    .parameter_bytes = sizeof(reduced_parameters),
    .solve = solve_reduced,
};

static perp_error reduced_on(const perp_operator *A, int which, int preconditioner)
{
  const double b[MOST] = {1};
  double x[MOST] = {0};
  const perp_problem p = perp_problem_lcp(A, b);
  perp_solver *s = NULL;
  perp_result result = perp_result_empty();
  CHECK(perp_solver_create_with(&reduced_method, &s, NULL) == PERP_OK);
  CHECK(perp_solver_set(s, "solver", which, NULL) == PERP_OK);
  CHECK(perp_solver_set(s, "preconditioner", preconditioner, NULL) == PERP_OK);
  const perp_error error = perp_solver_solve(s, &p, NULL, x, &result);
  perp_solver_destroy(s);
  CHECK(error == PERP_OK || result.message.text[0]);
  return error;
}

static void shell_apply(void *context, const double *x, double *y)
{
  times(context, x, y);
}

static void shell_diagonal(void *context, double *d)
{
  const matrix *A = context;
  for (int i = 0; i < A->n; i++)
    d[i] = A->a[i * A->n + i];
}

/* dense, csr, stencil and shell, every solver with every preconditioner that fits. */
static void every_solver_and_preconditioner_solves_reduced_systems(void)
{
  perp_random random = perp_random_from(15);
  for (int trial = 0; trial < 5; trial++) {
    matrix S, G;
    const int n = 4 + 9 * trial;
    make(&S, n, SPD, &random);
    make(&G, n, GENERAL, &random);
    for (int i = 0; i < n; i++) /* sparse, and still dominated by the diagonal */
      for (int j = 0; j < n; j++)
        if (abs(i - j) > 3) {
          S.a[i * n + j] = G.a[i * n + j] = 0;
        } else if (i == j) {
          S.a[i * n + j] += 2;
          G.a[i * n + j] += 2;
        }
    perp_operator *kinds[6] = {problem_dense(n, S.a), problem_dense(n, G.a)};
    CHECK(perp_operator_to_csr(kinds[0], 0, &kinds[2], NULL) == PERP_OK);
    CHECK(perp_operator_to_csr(kinds[1], 0, &kinds[3], NULL) == PERP_OK);
    kinds[4] = random_stencil(4, 1 + 2 * trial, 1, trial % 2, trial % 3 == 0, &random);
    const perp_shell shell = {.context = &G, .apply = shell_apply, .diagonal = shell_diagonal};
    CHECK(perp_operator_shell(n, &shell, &kinds[5], NULL) == PERP_OK);
    for (int k = 0; k < 6; k++) {
      const bool symmetric = k != 1 && k != 3 && k != 5;
      for (int which = PERP_REDUCED_AUTO; which <= PERP_REDUCED_GMRES; which++) {
        if (!symmetric && (which == PERP_REDUCED_CG || which == PERP_REDUCED_MINRES))
          continue;
        for (int m = PERP_PRECONDITION_AUTO; m <= PERP_PRECONDITION_MG; m++) {
          const bool needs_rows = m >= PERP_PRECONDITION_BLOCK && m <= PERP_PRECONDITION_ILU;
          const bool lacks = (k == 5 && needs_rows) || m == PERP_PRECONDITION_MG;
          /* an incomplete Cholesky factor says nothing of an unsymmetric matrix, nor may the
           * preconditioner of CG and MINRES be unsymmetric */
          if ((!symmetric && m == PERP_PRECONDITION_IC) || (lacks && perp_reduced_multigrid) ||
              (m == PERP_PRECONDITION_ILU &&
               (which == PERP_REDUCED_CG || which == PERP_REDUCED_MINRES)))
            continue;
          CHECK_EQUAL_INT(reduced_on(kinds[k], which, m), lacks ? PERP_ERROR_UNSUPPORTED : PERP_OK);
        }
      }
    }
    for (int k = 0; k < 6; k++)
      perp_operator_destroy(kinds[k]);
  }
  CHECK(solved_systems > 1000);
}

static const test_case tests[] = {
    TEST(definite_systems_are_solved),
    TEST(indefinite_systems_are_solved),
    TEST(general_systems_are_solved),
    TEST(singular_systems_with_a_solution_are_solved),
    TEST(singular_systems_without_a_solution_end),
    TEST(negative_curvature_is_shown),
    TEST(few_eigenvalues_take_few_steps),
    TEST(one_unknown_zero_right_side_and_nan),
    TEST(limits_are_kept),
    TEST(gmres_bears_a_changing_preconditioner),
    TEST(full_patterns_are_factored_exactly),
    TEST(a_zero_pivot_shifts_the_factor),
    TEST(grid_factors_keep_the_entries_of_the_matrix),
    TEST(every_solver_and_preconditioner_solves_reduced_systems),
};

TEST_MAIN(tests)
