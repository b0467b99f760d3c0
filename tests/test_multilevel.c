/* test_multilevel.c: mg and multigrid as a preconditioner, on random grids
 *
 * Oracles: planted solutions of random positive definite grids, assembled here by their own loops;
 * symmetry and definiteness of the preconditioners by products. */
#include "method/run/method.h"
#include "method/system/linear.h"
#include "problems.h"

#include <float.h>

/* ---- Random grids ---- */

typedef struct grid_case {
  perp_stencil_data data;
  perp_instance p;
} grid_case;

/* Additional forms to those of problem.h: only lower bounds, and distant upper ones, some of which
 * hold. */
enum { FORM_LOWER = 100, FORM_FAR };

/* A grid with random weights (some of them 0), a random mask, walls and open faces, any numbering.
 * a: the dense matrix, assembled cell by cell. */
static double *random_grid(perp_random *random, int form, grid_case *g)
{
  const bool solid = perp_random_below(random, 3) == 0;
  const int most = solid ? 5 : 9;
  const int nx = 1 + perp_random_below(random, most), ny = 1 + perp_random_below(random, most);
  const int nz = solid ? 1 + perp_random_below(random, most) : 1, cells = nx * ny * nz;
  const bool weighted = perp_random_below(random, 2), masked = perp_random_below(random, 2);
  const double share = perp_random_between(random, 0.3, 1);
  double *w[3] = {NULL, NULL, NULL};
  double *diagonal = perp_alloc_zero((size_t)cells, sizeof *diagonal);
  int *list = perp_alloc((size_t)cells, sizeof *list),
      *where = perp_alloc((size_t)cells, sizeof *where);
  int n = 0;
  for (int c = 0; c < cells; c++)
    if (!masked || perp_random_uniform(random) < share || (c == cells - 1 && n == 0))
      list[n++] = c;
  for (int k = n - 1; k > 0 && masked; k--) {
    const int q = perp_random_below(random, k + 1), t = list[k];
    list[k] = list[q];
    list[q] = t;
  }
  for (int c = 0; c < cells; c++)
    where[c] = -1;
  for (int u = 0; u < n; u++)
    where[list[u]] = u;
  for (int axis = 0; axis < 3; axis++) {
    w[axis] = perp_alloc((size_t)cells, sizeof(double));
    for (int c = 0; c < cells; c++)
      w[axis][c] = !weighted                           ? 2
                   : perp_random_below(random, 8) == 0 ? 0
                                                       : perp_random_between(random, 0.01, 3);
  }
  double *a = perp_alloc_zero((size_t)n * (size_t)n, sizeof *a);
  const int size[3] = {nx, ny, nz}, step[3] = {1, nx, nx * ny};
  for (int u = 0; u < n; u++) {
    const int c = list[u], at[3] = {c % nx, c / nx % ny, c / nx / ny};
    for (int axis = 0; axis < 3; axis++)
      for (int side = -1; side <= 1; side += 2) {
        const int d = c + side * step[axis], next = at[axis] + side;
        const bool in = next >= 0 && next < size[axis];
        if (in && where[d] >= 0) {
          const double weight = w[axis][side > 0 ? c : d];
          a[u * n + where[d]] = -weight;
          diagonal[c] += weight;
        } else if (perp_random_below(random, 2)) { /* open to x = 0; else a wall */
          diagonal[c] += 2;
        }
      }
    diagonal[c] += perp_random_below(random, 4) ? 1e-3 : 0.5;
    a[u * n + u] = diagonal[c];
  }
  const perp_stencil_data data = {.size = sizeof(perp_stencil_data),
                                  .nx = nx,
                                  .ny = ny,
                                  .nz = nz,
                                  .unknowns = n,
                                  .cells = masked ? list : NULL,
                                  .wx = weighted ? w[0] : NULL,
                                  .wy = weighted ? w[1] : NULL,
                                  .wz = weighted && nz > 1 ? w[2] : NULL,
                                  .weight = 2,
                                  .diagonal = diagonal};
  *g = (grid_case){.data = data};
  CHECK(perp_operator_stencil(&data, PERP_COPY, &g->p.A, NULL) == PERP_OK);
  double *x = perp_alloc_zero((size_t)n, sizeof *x), *y = perp_alloc_zero((size_t)n, sizeof *y);
  if (form != PERP_FORM_LCP) {
    g->p.lo = perp_alloc((size_t)n, sizeof(double));
    g->p.hi = perp_alloc((size_t)n, sizeof(double));
  }
  for (int i = 0; i < n; i++) {
    const int state = perp_random_below(random, 3);
    const double gap = perp_random_between(random, 0.1, 1);
    if (form >= FORM_LOWER) {
      g->p.lo[i] = perp_random_between(random, i ? -1 : 1, 2);
      g->p.hi[i] = form == FORM_FAR ? perp_random_between(random, 300, 400) : INFINITY;
      x[i] = state ? g->p.lo[i] : g->p.lo[i] + gap;
      y[i] = state == 1 ? gap : 0;
      if (form == FORM_FAR && perp_random_below(random, 3) == 0) {
        x[i] = g->p.hi[i];
        y[i] = -gap;
      }
    } else if (g->p.lo) {
      const bool is_free = form == PERP_FORM_MIXED && perp_random_below(random, 2);
      g->p.lo[i] = is_free                   ? -INFINITY
                   : form == PERP_FORM_BOXED ? perp_random_between(random, -2, 0)
                                             : 0;
      g->p.hi[i] = form == PERP_FORM_BOXED ? perp_random_between(random, 0.5, 2) : INFINITY;
      x[i] = is_free ? gap - 0.5 : state ? g->p.lo[i] : g->p.lo[i] + 0.4 * gap;
      y[i] = !is_free && state == 1 ? gap : 0;
      if (form == PERP_FORM_BOXED && perp_random_below(random, 3) == 0) {
        x[i] = g->p.hi[i];
        y[i] = state == 1 ? -gap : 0;
      }
    } else {
      x[i] = state ? 0 : gap;
      y[i] = state == 1 ? gap : 0;
    }
  }
  problem_plant(&g->p, n, a, x, y);
  perp_free(x);
  perp_free(y);
  perp_free(list);
  perp_free(where);
  perp_free(diagonal);
  for (int axis = 0; axis < 3; axis++)
    perp_free(w[axis]);
  return a;
}

/* Solves with one parameter as text (NULL: none) and compares x with the planted solution. */
static perp_result solve_planted_to(double tol, const char *method, const char *key,
                                    const char *word, const perp_instance *p, const char *what)
{
  const perp_problem problem = perp_instance_problem(p);
  const int n = problem.K.n;
  perp_solver *solver = NULL;
  perp_options o = perp_options_default();
  perp_result r = perp_result_empty();
  o.tol = tol;
  CHECK(perp_solver_create(method, &solver, NULL) == PERP_OK);
  if (key)
    CHECK(perp_solver_set_text(solver, key, word, NULL) == PERP_OK);
  double *x = perp_alloc_zero((size_t)n + 1, sizeof *x);
  const perp_error error = perp_solver_solve(solver, &problem, &o, x, &r);
  CHECK_SAY(!error && r.outcome == PERP_SOLVED, "%s on %s, n = %d: %s", method, what, n,
            r.message.text);
  /* the least eigenvalue is at least 1e-3, and residuals are at most 1e-10 max |b| */
  for (int i = 0; i < n; i++)
    CHECK_SAY(fabs(x[i] - p->x[i]) <= 1e-5, "%s on %s, row %d of %d: %g against %g", method, what,
              i, n, x[i], p->x[i]);
  perp_free(x);
  perp_solver_destroy(solver);
  return r;
}

static perp_result solve_planted(const char *method, const char *key, const char *word,
                                 const perp_instance *p, const char *what)
{
  return solve_planted_to(1e-10, method, key, word, p, what);
}

static void planted_solutions_on_random_grids(void)
{
  perp_random random = perp_random_from(41);
  for (int k = 0; k < 400; k++) {
    char what[64];
    grid_case g;
    const int form = k % 3;
    double *a = random_grid(&random, form, &g);
    snprintf(what, sizeof what, "%d x %d x %d, case %d", g.data.nx, g.data.ny, g.data.nz, k);
    solve_planted("mg", NULL, NULL, &g.p, what);
    solve_planted("mg", "start", "0", &g.p, what);
    perp_operator *csr = NULL, *stencil = g.p.A;
    CHECK(perp_operator_to_csr(stencil, 0, &csr, NULL) == PERP_OK);
    g.p.A = csr;
    solve_planted("mg", NULL, NULL, &g.p, what);
    solve_planted("mg", "hierarchy", "algebraic", &g.p, what);
    g.p.A = stencil;
    perp_operator_destroy(csr);
    perp_free(a);
    perp_instance_destroy(&g.p);
  }
}

/* x is relative to the lower bounds, and upper ones are found although they were left out. */
static void planted_solutions_over_lower_bounds(void)
{
  perp_random random = perp_random_from(43);
  int upper = 0;
  for (int k = 0; k < 300; k++) {
    char what[64];
    grid_case g;
    const int form = k % 2 ? FORM_FAR : FORM_LOWER;
    double *a = random_grid(&random, form, &g);
    const perp_problem p = perp_instance_problem(&g.p);
    snprintf(what, sizeof what, "%d x %d x %d over bounds, case %d", g.data.nx, g.data.ny,
             g.data.nz, k);
    for (int i = 0; i < p.K.n; i++)
      upper += g.p.x[i] == g.p.hi[i];
    /* entries of b are up to a hundred times as large as in the other tests */
    solve_planted_to(1e-12, "mg", NULL, NULL, &g.p, what);
    solve_planted_to(1e-12, "mg", "start", "0", &g.p, what);
    perp_free(a);
    perp_instance_destroy(&g.p);
  }
  CHECK(upper > 300);
}

/* mprgp and gpcg on a face, with a cycle of a grid or of aggregates. */
static void gradient_methods_take_multigrid(void)
{
  perp_random random = perp_random_from(44);
  for (int k = 0; k < 200; k++) {
    char what[64];
    grid_case g;
    double *a = random_grid(&random, k % 3, &g);
    snprintf(what, sizeof what, "%d x %d x %d with mg, case %d", g.data.nx, g.data.ny, g.data.nz,
             k);
    perp_operator *csr = NULL, *stencil = g.p.A;
    CHECK(perp_operator_to_csr(stencil, 0, &csr, NULL) == PERP_OK);
    for (int kind = 0; kind < 2; kind++) {
      g.p.A = kind ? csr : stencil;
      solve_planted("mprgp", "precondition", "mg", &g.p, what);
      solve_planted("gpcg", "precondition", "mg", &g.p, what);
    }
    g.p.A = stencil;
    perp_operator_destroy(csr);
    perp_free(a);
    perp_instance_destroy(&g.p);
  }
}

/* The solution of mg, in far fewer products than with the diagonal. */
static void multigrid_spares_products(void)
{
  static const char *const words[] = {"jacobi", "mg"};
  perp_instance instance;
  CHECK(perp_generate("torsion:points=66", &instance, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  const size_t n = (size_t)p.K.n;
  double *x = perp_alloc_zero(n, sizeof *x), *reference = perp_alloc_zero(n, sizeof *x);
  perp_result r = perp_result_empty();
  CHECK(perp_solve("mg", &p, NULL, reference, &r) == PERP_OK && r.outcome == PERP_SOLVED);
  int64_t products[2];
  for (int k = 0; k < 2; k++) {
    perp_solver *solver = NULL;
    CHECK(perp_solver_create("mprgp", &solver, NULL) == PERP_OK);
    CHECK(perp_solver_set_text(solver, "precondition", words[k], NULL) == PERP_OK);
    for (size_t i = 0; i < n; i++)
      x[i] = 0;
    CHECK(perp_solver_solve(solver, &p, NULL, x, &r) == PERP_OK && r.outcome == PERP_SOLVED);
    products[k] = r.counts.applies;
    for (size_t i = 0; i < n; i++)
      CHECK_CLOSE(x[i], reference[i], 1e-6);
    perp_solver_destroy(solver);
  }
  CHECK_SAY(5 * products[1] < products[0], "%lld products with mg, %lld with the diagonal",
            (long long)products[1], (long long)products[0]);
  perp_free(x);
  perp_free(reference);
  perp_instance_destroy(&instance);
}

/* ---- Preconditioners ---- */

typedef struct probe {
  int n;
  double *M; /* n x n: the preconditioner by columns; of the method below */
} probe;

static perp_error probe_solve(perp_run *run, const perp_problem *p, const void *parameters,
                              double *x)
{
  probe *out;
  memcpy(&out, &p->K.mu, sizeof out); /* the test's own, in a field that no cone reads */
  (void)parameters;
  (void)x;
  void *state = NULL;
  const perp_error error = run->services->multigrid->open(run, &state);
  if (error)
    return error;
  int *F = perp_run_integers(run, (size_t)out->n), m = 0;
  double *e = perp_run_reals(run, (size_t)out->n), *d = perp_run_reals(run, (size_t)out->n);
  for (int i = 0; i < out->n; i++) {
    d[i] = 0.1 * (i % 3);
    e[i] = 0;
    F[i] = i;
  }
  run->services->multigrid->set(state, out->n, F, NULL); /* of all first: it must not stay */
  for (int i = 0; i < out->n; i++)
    if (i % 4 != 3)
      F[m++] = i;
  run->services->multigrid->set(state, m, F, d);
  for (int j = 0; j < out->n; j++) {
    e[j] = 1;
    run->services->multigrid->apply(state, e, out->M + (size_t)j * (size_t)out->n);
    e[j] = 0;
  }
  return PERP_OK;
}

static const perp_parameter no_parameters[] = {{0}};
static const perp_method probe_method = {.name = "probe",
                                         .title = "probe",
                                         .family = "test",
                                         .source = "none",
                                         .takes = PERP_TAKES(PERP_FORM_LCP) |
                                                  PERP_TAKES(PERP_FORM_MIXED),
                                         .max_iterations = 1,
                                         .parameters = no_parameters,
                                         .parameter_bytes = 1,
                                         .solve = probe_solve};

/* Cholesky of a small dense matrix succeeds. */
static bool is_positive(int n, double *a)
{
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < j; k++)
      a[j * n + j] -= a[j * n + k] * a[j * n + k];
    if (!(a[j * n + j] > 0))
      return false;
    a[j * n + j] = sqrt(a[j * n + j]);
    for (int i = j + 1; i < n; i++) {
      for (int k = 0; k < j; k++)
        a[i * n + j] -= a[i * n + k] * a[j * n + k];
      a[i * n + j] /= a[j * n + j];
    }
  }
  return true;
}

static void check_preconditioner(const perp_operator *A, bool single)
{
  const int n = perp_operator_size(A);
  probe out = {.n = n, .M = perp_alloc_zero((size_t)n * (size_t)n, sizeof(double))};
  double *b = perp_alloc_zero((size_t)n, sizeof *b), *x = perp_alloc_zero((size_t)n, sizeof *x);
  b[0] = -1;
  perp_problem p = perp_problem_lcp(A, b);
  const probe *address = &out;
  memcpy(&p.K.mu, &address, sizeof address);
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  CHECK(perp_solver_create_with(&probe_method, &solver, NULL) == PERP_OK);
  CHECK_SAY(perp_solver_solve(solver, &p, NULL, x, &r) == PERP_OK, "%s", r.message.text);
  double *inner = perp_alloc_zero((size_t)n * (size_t)n, sizeof *inner);
  int m = 0;
  double most = 0;
  for (int i = 0; i < n * n; i++)
    most = fmax(most, fabs(out.M[i]));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i % 4 == 3 || j % 4 == 3)
        CHECK(out.M[i * n + j] == 0);
      CHECK_SAY(fabs(out.M[i * n + j] - out.M[j * n + i]) <= (single ? 3e-6 : 1e-12) * most,
                "%d, %d: %g against %g", i, j, out.M[i * n + j], out.M[j * n + i]);
    }
  for (int i = 0; i < n; i++)
    if (i % 4 != 3) {
      int q = 0;
      for (int j = 0; j < n; j++)
        if (j % 4 != 3)
          inner[m * (n - n / 4) + q++] = 0.5 * (out.M[i * n + j] + out.M[j * n + i]);
      m++;
    }
  CHECK_EQUAL_INT(m, n - n / 4);
  CHECK(is_positive(m, inner));
  perp_free(inner);
  perp_free(out.M);
  perp_free(b);
  perp_free(x);
  perp_solver_destroy(solver);
}

static void preconditioners_are_symmetric_and_positive(void)
{
  perp_random random = perp_random_from(3);
  for (int k = 0; k < 40; k++) {
    grid_case g;
    double *a = random_grid(&random, PERP_FORM_LCP, &g);
    const int n = perp_operator_size(g.p.A);
    if (n > 1) {
      perp_operator *dense = problem_dense(n, a);
      check_preconditioner(g.p.A, true);
      check_preconditioner(dense, false);
      perp_operator_destroy(dense);
    }
    perp_free(a);
    perp_instance_destroy(&g.p);
  }
}

static const test_case tests[] = {
    TEST(planted_solutions_on_random_grids),
    TEST(planted_solutions_over_lower_bounds),
    TEST(gradient_methods_take_multigrid),
    TEST(multigrid_spares_products),
    TEST(preconditioners_are_symmetric_and_positive),
};

TEST_MAIN(tests)
