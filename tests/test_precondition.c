/* test_precondition.c: preconditioners, and the reduced systems that they and the Krylov solvers are
 * made into, against dense matrices and Gaussian elimination */
#include "krylov_systems.h"
#include "linalg/incomplete.h"
#include "method/run/method.h"
#include "method/system/linear.h"
#include "operator/stencil/stencil.h"
#include "problems.h"

/* ---- Preconditioners ---- */

/* On a full pattern no fill is dropped: ILU(0) is exact, for any F and any d. SSOR by its
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
    double LU[MOST * MOST], d[MOST], r[MOST], z[MOST], sub[MOST * MOST], right[MOST], exact[MOST];
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
    perp_incomplete f = {.n = n,
                         .start = start,
                         .column = column,
                         .value = A.a,
                         .diagonal = diagonal,
                         .in = in,
                         .LU = LU,
                         .place = place};
    CHECK(perp_incomplete_factor(&f, d));
    CHECK(f.shift == 0);
    perp_incomplete_solve(&f, r, z);
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
  perp_incomplete f = {.n = 2,
                       .start = start,
                       .column = column,
                       .value = value,
                       .diagonal = diagonal,
                       .in = in,
                       .LU = LU,
                       .place = place};
  CHECK(perp_incomplete_factor(&f, NULL));
  CHECK(f.shift > 0);
  perp_incomplete_solve(&f, r, z);
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
  const perp_stencil_data data = {.size = sizeof(perp_stencil_data),
                                  .nx = nx,
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

/* ---- Reduced systems: a method that solves some and checks itself ---- */

typedef struct {
  int solver, preconditioner;
} reduced_parameters;
static const perp_parameter reduced_table[] = {
    PERP_CHOICE(reduced_parameters, solver, 0, 5, perp_linear_solvers, "solver"),
    PERP_CHOICE(reduced_parameters, preconditioner, 0, 7, perp_linear_preconditioners,
                "preconditioner"),
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
  perp_linear_system *s = NULL;
  const perp_error error = perp_linear_open(
      run,
      &(perp_linear_plan){.solver = (perp_linear_solver)par->solver,
                          .preconditioner = (perp_linear_preconditioner)par->preconditioner},
      &s);
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
    const bool regular = perp_linear_set(s, m, F, shift);
    const double reached = perp_linear_solve(s, r, 1e-10, z);
    CHECK(regular);
    CHECK_SAY(reached <= 1e-10, "n = %d, m = %d, %s, %s, %s: %g", n, m, perp_operator_kind(p->A),
              perp_linear_solvers[par->solver], perp_linear_preconditioners[par->preconditioner],
              reached);
    CHECK(eliminate(m, sub, right, exact));
    for (int k = 0, i = 0; i < n; i++) {
      const double want = k < m && F[k] == i ? exact[k++] : 0;
      CHECK_SAY(fabs(z[i] - want) <= 1e-7 * (1 + fabs(want)), "z[%d] = %.12g, not %.12g", i, z[i],
                want);
    }
    solved_systems++;
  }
  perp_linear_close(s);
  return error;
}

static const perp_method reduced_method = {
    .name = "reduced",
    .title = "reduced systems",
    .family = "test",
    .source = "none",
    .takes = PERP_TAKES(PERP_FORM_LCP),
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

static int shell_apply(void *context, const double *x, double *y)
{
  times(context, x, y);
  return 0;
}

static int shell_diagonal(void *context, double *d)
{
  const matrix *A = context;
  for (int i = 0; i < A->n; i++)
    d[i] = A->a[i * A->n + i];
  return 0;
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
    const perp_shell shell = {.size = sizeof(perp_shell),
                              .context = &G,
                              .apply = shell_apply,
                              .diagonal = shell_diagonal};
    CHECK(perp_operator_shell(n, &shell, &kinds[5], NULL) == PERP_OK);
    for (int k = 0; k < 6; k++) {
      const bool symmetric = k != 1 && k != 3 && k != 5;
      for (int which = PERP_LINEAR_AUTO; which <= PERP_LINEAR_GMRES; which++) {
        if (!symmetric && which == PERP_LINEAR_CG)
          continue;
        for (int m = PERP_PRECONDITION_AUTO; m <= PERP_PRECONDITION_MG; m++) {
          const bool needs_rows = m == PERP_PRECONDITION_IC || m == PERP_PRECONDITION_ILU;
          const bool lacks = k == 5 && needs_rows;
          /* an incomplete Cholesky factor does not apply to an unsymmetric matrix, nor may the
           * preconditioner of CG be unsymmetric */
          if ((!symmetric && m == PERP_PRECONDITION_IC && !lacks) || m == PERP_PRECONDITION_MG ||
              (m == PERP_PRECONDITION_ILU && which == PERP_LINEAR_CG))
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
    TEST(full_patterns_are_factored_exactly),
    TEST(a_zero_pivot_shifts_the_factor),
    TEST(grid_factors_keep_the_entries_of_the_matrix),
    TEST(every_solver_and_preconditioner_solves_reduced_systems),
};

TEST_MAIN(tests)
