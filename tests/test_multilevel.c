/* test_multilevel.c: mg, policy, multigrid as a preconditioner, aggregation
 *
 * Oracles: planted solutions of random positive definite grids, assembled here by their own loops;
 * coarse operators by the formula on paper; coarse grids that followed a changing free set against
 * grids built anew; symmetry and definiteness of the preconditioners by products; counts of cycles. */
#include "method/method.h"
#include "method/multilevel/aggregation.h"
#include "method/multilevel/grid.h"
#include "method/reduced.h"
#include "problems.h"

#include <float.h>

/* ---- Random grids ---- */

typedef struct grid_case {
  perp_stencil_data data;
  perp_instance p;
} grid_case;

/* Beside the forms of problem.h: lower bounds alone, and upper ones far off, of which some hold. */
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
        } else if (perp_random_below(random, 2)) { /* open to where x = 0; else a wall */
          diagonal[c] += 2;
        }
      }
    diagonal[c] += perp_random_below(random, 4) ? 1e-3 : 0.5;
    a[u * n + u] = diagonal[c];
  }
  const perp_stencil_data data = {.nx = nx,
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

/* Solves with one parameter in text (NULL: none) and holds x against the planted solution. */
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
    if (form == PERP_FORM_LCP)
      solve_planted("policy", NULL, NULL, &g.p, what);
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

/* x is counted from the lower bounds on, and upper ones are found though they were left out. */
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
    /* entries of b are up to a hundred times those of the other tests */
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

/* The same answer as mg, in far fewer products than with the diagonal. */
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

/* ---- Coarse grids ---- */

static const perp_stencil *stencil_of(const perp_operator *A)
{
  return (const perp_stencil *)A;
}

static void equal_weights_give_the_coarse_discretisation(void)
{
  perp_arena arena = {0};
  perp_operator *A = NULL;
  const perp_stencil_data data = {.nx = 16, .ny = 16, .nz = 1, .weight = 3};
  CHECK(perp_operator_stencil(&data, PERP_COPY, &A, NULL) == PERP_OK);
  perp_grids grids;
  CHECK(perp_grids_create(stencil_of(A), false, false, &arena, &grids));
  CHECK_EQUAL_INT(grids.count, 5);
  CHECK(grids.unit == 12);
  for (int level = 1; level < 3; level++) {
    const perp_grid *g = &grids.grid[level];
    const int last = g->n[0] - 1;
    CHECK_EQUAL_INT(g->n[0], 16 >> level);
    /* a face as long as it is far across weighs as on grid 0; the boundary lies half a fine cell
     * beyond the border, (2^level + 1)/2 fine cells from the centre */
    const double inner = 0.25, outer = 0.25 * (1 << level) / (0.5 * ((1 << level) + 1));
    const int64_t edge = perp_grid_slot(g, 0, 1, 0), corner = perp_grid_slot(g, last, last, 0);
    CHECK_CLOSE(g->w[0][edge], inner, 1e-6);
    CHECK_CLOSE(g->w[1][edge], inner, 1e-6);
    CHECK_CLOSE(g->sink[edge], outer, 1e-6);
    CHECK_CLOSE(g->sink[corner], 2 * outer, 1e-6);
    CHECK_CLOSE(1 / g->gain[corner], 2 * inner + 2 * outer, 1e-6);
  }
  perp_operator_destroy(A);
  perp_arena_free(&arena);
}

/* Cells free and not at random, a few changed at a time: the grids that followed are the grids
 * built anew, to rounding. */
static void grids_follow_the_free_set(void)
{
  perp_random random = perp_random_from(7);
  for (int k = 0; k < 60; k++) {
    perp_arena arena = {0};
    perp_operator *A = NULL;
    const bool solid = k % 3 == 2;
    const int nx = 2 + perp_random_below(&random, solid ? 12 : 90);
    const int ny = 1 + perp_random_below(&random, solid ? 12 : 40), nz = solid ? 9 : 1;
    const int cells = nx * ny * nz;
    double *w = perp_alloc((size_t)cells, sizeof *w), *d = perp_alloc((size_t)cells, sizeof *d);
    for (int c = 0; c < cells; c++) {
      w[c] = perp_random_between(&random, 0.5, 2);
      d[c] = 13;
    }
    const perp_stencil_data weighted = {
        .nx = nx, .ny = ny, .nz = nz, .wx = w, .wy = w, .wz = solid ? w : NULL, .diagonal = d};
    const perp_stencil_data even = {.nx = nx, .ny = ny, .nz = nz, .weight = 1};
    CHECK(perp_operator_stencil(k % 2 ? &weighted : &even, PERP_COPY, &A, NULL) == PERP_OK);
    perp_grids follows, anew;
    CHECK(perp_grids_create(stencil_of(A), false, false, &arena, &follows));
    CHECK(perp_grids_create(stencil_of(A), false, false, &arena, &anew));
    for (int round = 0; round < 12; round++) {
      const int changes = 1 + perp_random_below(&random, 1 + cells / (round % 2 ? 100 : 10));
      int64_t count = 0;
      for (int q = 0; q < changes; q++) {
        const int c = perp_random_below(&random, cells);
        const int64_t slot = perp_grid_slot(follows.grid, c % nx, c / nx % ny, c / nx / ny);
        bool listed = false;
        for (int64_t e = 0; e < count; e++)
          listed = listed || follows.changed[0][e] == c;
        if (listed)
          continue;
        follows.grid->state[slot] ^= PERP_CELL_FREE;
        anew.grid->state[slot] ^= PERP_CELL_FREE;
        follows.changed[0][count++] = c;
      }
      perp_grids_follow(&follows, 0, count);
      perp_grids_follow(&anew, 0, -1);
      for (int level = 0; level < follows.count; level++) {
        const perp_grid *f = &follows.grid[level], *g = &anew.grid[level];
        for (int c = 0; c < f->cells; c++) {
          const int64_t s =
              perp_grid_slot(f, c % f->n[0], c / f->n[0] % f->n[1], c / f->n[0] / f->n[1]);
          CHECK_SAY(f->state[s] == g->state[s] && f->dirs[s] == g->dirs[s], "level %d, cell %d",
                    level, c);
          CHECK(level == follows.count - 1 || f->code[s] == g->code[s]);
          if (level == 0)
            continue;
          CHECK_SAY(fabsf(f->sink[s] - g->sink[s]) <= 1e-5f * g->sink[s], "level %d: %g against %g",
                    level, (double)f->sink[s], (double)g->sink[s]);
          for (int axis = 0; axis < f->axes; axis++)
            CHECK_SAY(fabsf(f->w[axis][s] - g->w[axis][s]) < 1e-6f, "level %d, axis %d", level,
                      axis);
          CHECK(fabsf(f->gain[s] - g->gain[s]) <= 1e-4f * g->gain[s]);
        }
      }
    }
    perp_free(w);
    perp_free(d);
    perp_operator_destroy(A);
    perp_arena_free(&arena);
  }
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
  const perp_error error = perp_reduced_multigrid->open(run, &state);
  if (error)
    return error;
  int *F = perp_run_integers(run, (size_t)out->n), m = 0;
  double *e = perp_run_reals(run, (size_t)out->n), *d = perp_run_reals(run, (size_t)out->n);
  for (int i = 0; i < out->n; i++) {
    d[i] = 0.1 * (i % 3);
    e[i] = 0;
    F[i] = i;
  }
  perp_reduced_multigrid->set(state, out->n, F, NULL); /* of all first: it must not stay */
  for (int i = 0; i < out->n; i++)
    if (i % 4 != 3)
      F[m++] = i;
  perp_reduced_multigrid->set(state, m, F, d);
  for (int j = 0; j < out->n; j++) {
    e[j] = 1;
    perp_reduced_multigrid->apply(state, e, out->M + (size_t)j * (size_t)out->n);
    e[j] = 0;
  }
  return PERP_OK;
}

static const perp_parameter no_parameters[] = {{0}};
static const perp_method probe_method = {.name = "probe",
                                         .title = "probe",
                                         .family = "test",
                                         .source = "none",
                                         .takes = PERP_TAKES_LCP | PERP_TAKES_MIXED,
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

/* ---- Counts of cycles ---- */

static perp_result solve_kind(const char *kind, const char *method)
{
  perp_instance instance;
  perp_message why;
  CHECK_SAY(perp_generate(kind, &instance, &why) == PERP_OK, "%s", why.text);
  const perp_problem p = perp_instance_problem(&instance);
  double *x = perp_alloc_zero((size_t)p.K.n, sizeof *x);
  perp_result r = perp_result_empty();
  CHECK_SAY(perp_solve(method, &p, NULL, x, &r) == PERP_OK, "%s", r.message.text);
  double residual, scale;
  CHECK(perp_check(&p, x, &residual, &scale, NULL) == PERP_OK);
  CHECK_SAY((r.outcome == PERP_SOLVED) == (residual <= 1e-8 * scale), "%s: %s", kind,
            r.message.text);
  perp_free(x);
  perp_instance_destroy(&instance);
  return r;
}

static void cycles_do_not_grow(void)
{
  static const struct {
    const char *small, *large;
  } pairs[] = {
      {"obstacle:points=66", "obstacle:points=259"},
      {"obstacle:points=66,variant=waves", "obstacle:points=259,variant=waves"},
      {"obstacle:points=66,variant=plain,form=lcp", "obstacle:points=259,variant=plain,form=lcp"},
      {"torsion:points=66", "torsion:points=259"},
      {"journal:grid=64", "journal:grid=257"},
      {"fluid:grid=64", "fluid:grid=255"},
      {"fluid:grid=64,scene=drop", "fluid:grid=255,scene=drop"},
      {"fluid:grid=64,scene=tilted", "fluid:grid=255,scene=tilted"},
      {"fluid:grid=64,scene=tank", "fluid:grid=255,scene=tank"},
      {"fluid:grid=100,nx=37", "fluid:grid=300,nx=111"},
      {"fluid:grid=12,dimension=3", "fluid:grid=40,dimension=3"},
      {"fluid:grid=12,dimension=3,scene=drop", "fluid:grid=40,dimension=3,scene=drop"},
      {"fluid:grid=12,dimension=3,scene=tank", "fluid:grid=40,dimension=3,scene=tank"},
  };
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
    const perp_result small = solve_kind(pairs[k].small, "mg");
    const perp_result large = solve_kind(pairs[k].large, "mg");
    CHECK_SAY(small.outcome == PERP_SOLVED && large.outcome == PERP_SOLVED, "%s", pairs[k].large);
    CHECK_SAY(large.counts.cycles <= 15, "%s: %d cycles", pairs[k].large, (int)large.counts.cycles);
    CHECK_SAY((double)large.counts.cycles <= 1.3 * (double)small.counts.cycles + 1,
              "%s: %d cycles after %d", pairs[k].large, (int)large.counts.cycles,
              (int)small.counts.cycles);
  }
}

static void policies_are_few(void)
{
  static const char *const kinds[] = {"obstacle:points=259,variant=plain,form=lcp",
                                      "journal:grid=200", "fluid:grid=200,scene=drop",
                                      "fluid:grid=30,dimension=3,scene=tank"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    const perp_result r = solve_kind(kinds[k], "policy");
    CHECK_SAY(r.outcome == PERP_SOLVED && r.counts.iterations <= 12, "%s: %s, %d iterations",
              kinds[k], r.message.text, (int)r.counts.iterations);
    CHECK_SAY(r.counts.cycles <= 40 && r.counts.cycles > 0, "%s: %d cycles", kinds[k],
              (int)r.counts.cycles);
  }
}

static void aggregation_needs_few_cycles(void)
{
  const perp_result r = solve_kind("spd-sparse:n=2000", "mg");
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s", r.message.text);
  perp_instance instance;
  CHECK(perp_generate("fluid:grid=100,scene=drop,operator=csr,form=lcp", &instance, NULL) ==
        PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  double *x = perp_alloc_zero((size_t)p.K.n, sizeof *x);
  perp_result s = perp_result_empty();
  CHECK(perp_solve("mg", &p, NULL, x, &s) == PERP_OK);
  CHECK_SAY(s.outcome == PERP_SOLVED && s.counts.cycles <= 80, "%s, %d cycles", s.message.text,
            (int)s.counts.cycles);
  perp_free(x);
  perp_instance_destroy(&instance);
}

/* ---- Hard cases ---- */

/* From the answers on aggregates the free set is nearly right: a few iterations, and no more on a grid
 * of four times the cells. */
static void nested_starts_find_the_free_set(void)
{
  static const char *const kinds[] = {
      "obstacle:points=66,variant=plain,operator=csr", "obstacle:points=130,operator=csr",
      "obstacle:points=130,variant=plain,form=lcp,operator=csr", "torsion:points=130,operator=csr",
      "fluid:grid=24,dimension=3,operator=csr"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    perp_instance instance;
    CHECK(perp_generate(kinds[k], &instance, NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&instance);
    double *x[2];
    int64_t iterations[2];
    for (int start = 0; start < 2; start++) {
      perp_solver *solver = NULL;
      perp_result r = perp_result_empty();
      x[start] = perp_alloc_zero((size_t)p.K.n, sizeof(double));
      CHECK(perp_solver_create("mg", &solver, NULL) == PERP_OK);
      CHECK(perp_solver_set_text(solver, "hierarchy", "algebraic", NULL) == PERP_OK);
      CHECK(perp_solver_set_text(solver, "start", start ? "1" : "0", NULL) == PERP_OK);
      CHECK(perp_solver_solve(solver, &p, NULL, x[start], &r) == PERP_OK);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", kinds[k], r.message.text);
      iterations[start] = r.counts.iterations;
      perp_solver_destroy(solver);
    }
    CHECK_SAY(iterations[1] < iterations[0] && iterations[1] <= 9, "%s: %d iterations, cold %d",
              kinds[k], (int)iterations[1], (int)iterations[0]);
    for (int i = 0; i < p.K.n; i++)
      CHECK_CLOSE(x[0][i], x[1][i], 1e-6);
    perp_free(x[0]);
    perp_free(x[1]);
    perp_instance_destroy(&instance);
  }
}

static void singular_and_infeasible_pressures(void)
{
  const perp_result still = solve_kind("fluid:grid=33,scene=tank,drain=0", "mg");
  CHECK_SAY(still.outcome == PERP_SOLVED, "%s", still.message.text);
  const perp_result drawn = solve_kind("fluid:grid=33,scene=tank,drain=0.1", "mg");
  CHECK_SAY(drawn.outcome == PERP_SOLVED, "%s", drawn.message.text);
  const perp_result blown = solve_kind("fluid:grid=33,scene=tank,drain=-0.1", "mg");
  CHECK(blown.outcome != PERP_SOLVED);
  CHECK(blown.counts.iterations < 1000);
  CHECK(solve_kind("fluid:grid=17,scene=tank,drain=-0.1", "policy").outcome != PERP_SOLVED);
}

/* All rows free: a linear system, also one whose matrix is singular but consistent. */
static void without_bounds_it_is_linear(void)
{
  enum { SIDE = 60, N = SIDE * SIDE };
  for (int walls = 0; walls < 2; walls++) {
    perp_operator *A = NULL;
    double *d = perp_alloc((size_t)N, sizeof *d), *b = perp_alloc((size_t)N, sizeof *b);
    double *x = perp_alloc_zero((size_t)N, sizeof *x), *lo = perp_alloc((size_t)N, sizeof *lo);
    double *hi = perp_alloc((size_t)N, sizeof *hi), sum = 0;
    perp_random random = perp_random_from(5);
    for (int c = 0; c < N; c++) {
      const int i = c % SIDE, j = c / SIDE;
      d[c] = walls ? 4 - (i == 0) - (i == SIDE - 1) - (j == 0) - (j == SIDE - 1) : 4;
      b[c] = perp_random_between(&random, -1, 1);
      sum += b[c];
      lo[c] = -INFINITY;
      hi[c] = INFINITY;
    }
    for (int c = 0; c < N && walls; c++)
      b[c] -= sum / N;
    const perp_stencil_data data = {.nx = SIDE, .ny = SIDE, .nz = 1, .weight = 1, .diagonal = d};
    CHECK(perp_operator_stencil(&data, PERP_COPY, &A, NULL) == PERP_OK);
    const perp_problem p = perp_problem_boxed(A, b, lo, hi);
    perp_result r = perp_result_empty();
    CHECK(perp_solve("mg", &p, NULL, x, &r) == PERP_OK);
    CHECK_SAY(r.outcome == PERP_SOLVED && r.counts.cycles <= 12, "%s, %d cycles", r.message.text,
              (int)r.counts.cycles);
    perp_operator_destroy(A);
    perp_free(d);
    perp_free(b);
    perp_free(x);
    perp_free(lo);
    perp_free(hi);
  }
}

/* Numbers at the ends of what doubles hold: the hierarchy has floats. */
static void huge_and_tiny_numbers(void)
{
  static const double sizes[] = {1e-200, 1e-30, 1, 1e30, 1e150};
  enum { SIDE = 20, N = SIDE * SIDE };
  for (int a = 0; a < 5; a++)
    for (int c = 0; c < 5; c++) {
      perp_operator *A = NULL;
      const perp_stencil_data data = {.nx = SIDE, .ny = SIDE, .nz = 1, .weight = sizes[a]};
      CHECK(perp_operator_stencil(&data, PERP_COPY, &A, NULL) == PERP_OK);
      double b[N], x[N] = {0};
      perp_random random = perp_random_from(9);
      for (int i = 0; i < N; i++)
        b[i] = sizes[c] * perp_random_between(&random, -1, 0.5);
      const perp_problem p = perp_problem_lcp(A, b);
      perp_result r = perp_result_empty();
      CHECK(perp_solve("mg", &p, NULL, x, &r) == PERP_OK);
      double residual, scale;
      CHECK(perp_check(&p, x, &residual, &scale, NULL) == PERP_OK);
      CHECK((r.outcome == PERP_SOLVED) == (residual <= 1e-8 * scale));
      /* min(x, y) is taken without units: what can be solved depends on the sizes */
      if (sizes[a] == 1 && sizes[c] >= 1e-30)
        CHECK_SAY(r.outcome == PERP_SOLVED, "weights %g, b %g: %s", sizes[a], sizes[c],
                  r.message.text);
      perp_operator_destroy(A);
    }
}

/* The result does not depend on the number of threads; a second solve gives the same bits. */
static void same_bits(void)
{
  static const char *const kinds[] = {"fluid:grid=300,scene=drop", "obstacle:points=300",
                                      "fluid:grid=60,dimension=3,scene=tank"};
  for (size_t k = 0; k < 3; k++) {
    perp_instance instance;
    CHECK(perp_generate(kinds[k], &instance, NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&instance);
    const size_t n = (size_t)p.K.n;
    double *x[2];
    for (int t = 0; t < 2; t++) {
      perp_options o = perp_options_default();
      perp_result r = perp_result_empty();
      o.threads = 1 + t;
      x[t] = perp_alloc_zero(n, sizeof(double));
      CHECK(perp_solve("mg", &p, &o, x[t], &r) == PERP_OK);
    }
    CHECK(!memcmp(x[0], x[1], n * sizeof(double)));
    perp_free(x[0]);
    perp_free(x[1]);
    perp_instance_destroy(&instance);
  }
}

/* From the solution of a problem nearby: fewer cycles than from nothing. */
static void warm_starts_help(void)
{
  perp_instance instance;
  CHECK(perp_generate("fluid:grid=120,scene=drop", &instance, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  double *x = perp_alloc_zero((size_t)p.K.n, sizeof *x);
  perp_result cold = perp_result_empty(), warm = perp_result_empty();
  CHECK(perp_solve("mg", &p, NULL, x, &cold) == PERP_OK);
  for (int i = 0; i < p.K.n; i++)
    x[i] *= 1 + 1e-6 * (i % 3 - 1);
  CHECK(perp_solve("mg", &p, NULL, x, &warm) == PERP_OK);
  CHECK_SAY(warm.outcome == PERP_SOLVED && warm.counts.cycles < cold.counts.cycles, "%d, %d cycles",
            (int)warm.counts.cycles, (int)cold.counts.cycles);
  perp_free(x);
  perp_instance_destroy(&instance);
}

static void what_is_no_grid_is_refused_by_name(void)
{
  const double a[4] = {2, 1, 1, 2}, b[2] = {-1, -1};
  perp_operator *A = problem_dense(2, a);
  const perp_problem p = perp_problem_lcp(A, b);
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  double x[2] = {0};
  CHECK(perp_solver_create("mg", &solver, NULL) == PERP_OK);
  CHECK(perp_solver_set_text(solver, "hierarchy", "grid", NULL) == PERP_OK);
  CHECK_EQUAL_INT(perp_solver_solve(solver, &p, NULL, x, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(r.message.text, "no grid"), "%s", r.message.text);
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
}

static const test_case tests[] = {
    TEST(planted_solutions_on_random_grids),
    TEST(planted_solutions_over_lower_bounds),
    TEST(gradient_methods_take_multigrid),
    TEST(multigrid_spares_products),
    TEST(equal_weights_give_the_coarse_discretisation),
    TEST(grids_follow_the_free_set),
    TEST(preconditioners_are_symmetric_and_positive),
    TEST(cycles_do_not_grow),
    TEST(policies_are_few),
    TEST(aggregation_needs_few_cycles),
    TEST(nested_starts_find_the_free_set),
    TEST(singular_and_infeasible_pressures),
    TEST(without_bounds_it_is_linear),
    TEST(huge_and_tiny_numbers),
    TEST(same_bits),
    TEST(warm_starts_help),
    TEST(what_is_no_grid_is_refused_by_name),
};

TEST_MAIN(tests)
