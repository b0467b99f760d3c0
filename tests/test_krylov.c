/* test_krylov.c: Krylov solvers against Gaussian elimination */
#include "linalg/krylov.h"

#include "base/memory.h"
#include "krylov_systems.h"

/* ---- Products, preconditioners, norms ---- */

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

/* ---- One solver on one system ---- */

typedef enum { CG, GMRES } solver;
static const char *const names[] = {"cg", "gmres"};

static perp_krylov_end run_solver(solver which, const perp_krylov *k, const double *b, double *x,
                                  double *work)
{
  return which == CG ? perp_cg(k, b, x, work) : perp_gmres(k, k->n < 30 ? k->n : 30, b, x, work);
}

static int64_t room(solver which, int n)
{
  return which == CG ? perp_cg_work(n) : perp_gmres_work(n, n < 30 ? n : 30);
}

/* With guard bytes behind the workspace. */
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
  check_systems(INDEFINITE, GMRES, 1e-10, 0.97);
}

static void general_systems_are_solved(void)
{
  check_systems(GENERAL, GMRES, 1e-10, 1);
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
    for (solver which = CG; which <= GMRES; which++) {
      double x[MOST] = {0};
      A.calls = 0;
      const perp_krylov_end end = attempt(which, &A, NULL, 1e-9 * norm(n, b), 20 * n, b, x);
      CHECK_SAY(end.state == PERP_KRYLOV_CONVERGED, "%s, trial %d, n = %d: %g, state %d",
                names[which], trial, n, end.residual / norm(n, b), (int)end.state);
      CHECK(true_residual(&A, b, x) <= 1e-9 * norm(n, b) * (1 + 1e-6));
    }
  }
}

/* No solution: every solver reports it, and x stays finite. */
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
      double x[MOST] = {0};
      A.calls = 0;
      const perp_krylov_end end = attempt(which, &A, NULL, 1e-10 * norm(n, b), 20 * n, b, x);
      CHECK(end.state != PERP_KRYLOV_CONVERGED);
      for (int i = 0; i < n; i++)
        CHECK(isfinite(x[i]));
      CHECK(true_residual(&A, b, x) <= norm(n, b) * (1 + 1e-12));
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

/* With k distinct eigenvalues both end after k products (and one that confirms). */
static void few_eigenvalues_take_few_steps(void)
{
  matrix A = {.n = 40};
  for (int i = 0; i < 40; i++)
    A.a[i * 40 + i] = 1 + 3 * (i % 4);
  double b[MOST];
  perp_random random = perp_random_from(8);
  random_vector(40, b, &random);
  for (solver which = CG; which <= GMRES; which++) {
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
                           .alarm = {.rings = always},
                           .target = 1e-14,
                           .limit = 100};
    memset(x, 0, sizeof x);
    CHECK(run_solver(which, &k, b, x, work).state == PERP_KRYLOV_EXPIRED);
    perp_free(work);
  }
}

/* 0.99 of the least number is the least number again, and r^T r is 0: no step, and no decrease. */
static void the_least_right_side_ends(void)
{
  perp_random random = perp_random_from(12);
  matrix A;
  make(&A, 2, SPD, &random);
  for (solver which = CG; which <= GMRES; which++) {
    const double b[2] = {0, 5e-324};
    double x[2] = {0};
    A.calls = 0;
    CHECK(isfinite(attempt(which, &A, NULL, 0, 100, b, x).residual));
    CHECK(isfinite(x[0]) && isfinite(x[1]));
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
    TEST(the_least_right_side_ends),
    TEST(gmres_bears_a_changing_preconditioner),
};

TEST_MAIN(tests)
