/* test_derivative_lent.c: derivatives that reuse the solver's last factor
 *
 * Compared with derivatives computed from the problem: the same numbers to 1e-13 for every array,
 * with or without a lent factor, and after the solver has solved something else. */
#include "count_alloc.h"
#include "problems.h"

enum { ROWS = 240 };

/* ---- Planted problems without degenerate rows ---- */

typedef struct planted {
  int n;
  double *a, *b, *lo, *hi, *x, *w;
  perp_operator *A;
  perp_problem p;
} planted;

/* Some seven entries a row, at random places, so that no band is narrow. */
static double *sparse_matrix(int n, bool symmetric, perp_random *random)
{
  double *a = perp_alloc_zero((size_t)n * (size_t)n, sizeof *a);
  for (int k = 0; k < 3 * n; k++) {
    const int i = perp_random_below(random, n), j = perp_random_below(random, n);
    a[i * n + j] = perp_random_between(random, -1, 1);
    a[j * n + i] = symmetric ? a[i * n + j] : perp_random_between(random, -1, 1);
  }
  for (int i = 0; i < n; i++) {
    double sum = 0.1;
    for (int j = 0; j < n; j++)
      sum += i == j ? 0 : fabs(a[i * n + j]);
    a[i * n + i] = sum;
  }
  return a;
}

static perp_operator *compressed(int n, const double *a)
{
  int64_t *start = perp_alloc((size_t)n + 1, sizeof *start), e = 0;
  int *column = perp_alloc((size_t)n * (size_t)n, sizeof *column);
  double *value = perp_alloc((size_t)n * (size_t)n, sizeof *value);
  for (int i = 0; i < n; i++) {
    start[i] = e;
    for (int j = 0; j < n; j++)
      if (a[i * n + j] != 0) {
        column[e] = j;
        value[e++] = a[i * n + j];
      }
  }
  start[n] = e;
  perp_operator *A = NULL;
  CHECK(perp_operator_csr(n, start, column, value, PERP_COPY, &A, NULL) == PERP_OK);
  perp_free(start);
  perp_free(column);
  perp_free(value);
  return A;
}

static planted plant(int n, perp_form form, bool dense, bool symmetric, uint64_t seed)
{
  perp_random random = perp_random_from(seed);
  planted s = {.n = n};
  s.a = sparse_matrix(n, symmetric, &random);
  double **const arrays[] = {&s.b, &s.lo, &s.hi, &s.x, &s.w};
  for (int k = 0; k < 5; k++)
    *arrays[k] = perp_alloc((size_t)n, sizeof(double));
  for (int i = 0; i < n; i++) {
    const int state = perp_random_below(&random, 3);
    const double size = perp_random_between(&random, 0.2, 1);
    const bool free = form == PERP_FORM_MIXED && i % 3 == 0;
    s.lo[i] = free ? -INFINITY : form == PERP_FORM_BOXED ? -0.5 : 0;
    s.hi[i] = form == PERP_FORM_BOXED ? 1.5 : INFINITY;
    s.x[i] = free || state == 0 ? size : state == 1 || isinf(s.hi[i]) ? s.lo[i] : s.hi[i];
    s.b[i] = s.x[i] == s.lo[i] ? size : s.x[i] == s.hi[i] ? -size : 0; /* y */
    s.w[i] = perp_random_between(&random, -1, 1);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      s.b[i] -= s.a[i * n + j] * s.x[j];
  s.A = dense ? problem_dense(n, s.a) : compressed(n, s.a);
  s.p =
      form == PERP_FORM_LCP ? perp_problem_lcp(s.A, s.b) : perp_problem_boxed(s.A, s.b, s.lo, s.hi);
  return s;
}

static void planted_free(planted *s)
{
  perp_operator_destroy(s->A);
  double *const arrays[] = {s->a, s->b, s->lo, s->hi, s->x, s->w};
  for (int k = 0; k < 6; k++)
    perp_free(arrays[k]);
}

/* ---- Both derivatives ---- */

typedef struct numbers {
  double b[ROWS], lo[ROWS], dx[ROWS], *A;
} numbers;

static void differentiate(perp_derivative *d, const planted *s, numbers *to)
{
  perp_message why = {""};
  perp_gradient g = perp_gradient_default();
  perp_change c = perp_change_default();
  g.b = to->b;
  g.lo = to->lo;
  g.A = to->A;
  c.b = s->w;
  CHECK_SAY(perp_derivative_vjp(d, s->w, &g, &why) == PERP_OK, "%s", why.text);
  CHECK_SAY(perp_derivative_jvp(d, &c, to->dx, &why) == PERP_OK, "%s", why.text);
  CHECK(perp_derivative_get(d).error <= 1e-12);
}

static double distance(int64_t n, const double *u, const double *v)
{
  double most = 0, size = 1;
  for (int64_t i = 0; i < n; i++) {
    most = fmax(most, fabs(u[i] - v[i]));
    size = fmax(size, fabs(v[i]));
  }
  return most / size;
}

static double worst;

static void compare(const char *name, int64_t entries, int n, const numbers *u, const numbers *v)
{
  const double most = fmax(fmax(distance(n, u->b, v->b), distance(n, u->lo, v->lo)),
                           fmax(distance(n, u->dx, v->dx), distance(entries, u->A, v->A)));
  worst = fmax(worst, most);
  CHECK_SAY(most <= 1e-14, "%s: differs by %.2e", name, most);
}

static void solve_with(perp_solver *solver, const planted *s, double *x)
{
  perp_result result = perp_result_empty();
  perp_options options = perp_options_default();
  options.tol = 1e-12;
  memset(x, 0, (size_t)s->n * sizeof *x);
  CHECK(perp_solver_solve(solver, &s->p, &options, x, &result) == PERP_OK);
  CHECK_SAY(result.outcome == PERP_SOLVED, "%s", result.message.text);
  CHECK(distance(s->n, x, s->x) <= 1e-9);
}

typedef struct lender {
  const char *method;
  perp_form form;
  bool dense, symmetric, lends;
} lender;

static void check_lender(const lender *l, uint64_t seed)
{
  char name[80];
  planted s = plant(ROWS, l->form, l->dense, l->symmetric, seed);
  snprintf(name, sizeof name, "%s, %s, %s, %s", l->method, perp_form_name(l->form),
           l->dense ? "dense" : "csr", l->symmetric ? "symmetric" : "not symmetric");
  perp_solver *solver = NULL;
  perp_derivative *own = NULL, *lent = NULL;
  perp_message why = {""};
  double x[ROWS];
  numbers u, v;
  u.A = perp_alloc_zero(ROWS * ROWS, sizeof(double));
  v.A = perp_alloc_zero(ROWS * ROWS, sizeof(double));
  CHECK(perp_solver_create(l->method, &solver, &why) == PERP_OK);
  if (strcmp(l->method, "pgssm") == 0) /* with many sweeps no factor would be needed */
    CHECK(perp_solver_set(solver, "k_gs", 1, &why) == PERP_OK);
  solve_with(solver, &s, x);
  CHECK(perp_derivative_create(&s.p, x, NULL, &own, &why) == PERP_OK);
  CHECK_SAY(perp_derivative_from_solver(solver, &s.p, x, NULL, &lent, &why) == PERP_OK, "%s",
            why.text);
  CHECK_SAY(perp_derivative_get(lent).lent == l->lends, "%s: lent is %d", name,
            (int)perp_derivative_get(lent).lent);
  CHECK(perp_derivative_get(lent).deficiency == 0);
  const int64_t entries = perp_derivative_get(own).A_count;
  differentiate(own, &s, &u);
  differentiate(lent, &s, &v);
  compare(name, entries, s.n, &u, &v);
  CHECK(perp_derivative_get(lent).lent == l->lends); /* what it gave was good enough */
  /* the solver solves another problem, and is destroyed */
  planted other = plant(ROWS, l->form, l->dense, l->symmetric, seed + 1);
  solve_with(solver, &other, x);
  differentiate(lent, &s, &v);
  compare(name, entries, s.n, &u, &v);
  CHECK(perp_derivative_get(lent).lent == 0);
  solve_with(solver, &s, x);
  perp_derivative_destroy(lent);
  CHECK(perp_derivative_from_solver(solver, &s.p, x, NULL, &lent, &why) == PERP_OK);
  perp_solver_destroy(solver);
  differentiate(lent, &s, &v);
  compare(name, entries, s.n, &u, &v);
  perp_derivative_destroy(lent);
  perp_derivative_destroy(own);
  perp_free(u.A);
  perp_free(v.A);
  planted_free(&s);
  planted_free(&other);
}

static void lent_factors_give_the_same_numbers(void)
{
  static const lender lenders[] = {
      {"blockpivot", PERP_FORM_LCP, true, true, true},
      {"blockpivot", PERP_FORM_MIXED, true, false, true},
      {"blockpivot", PERP_FORM_BOXED, false, true, true},
      {"blockpivot", PERP_FORM_LCP, false, false, true},
      {"dantzig", PERP_FORM_BOXED, true, true, true},
      {"dantzig", PERP_FORM_LCP, false, true, true},
      {"baraff", PERP_FORM_MIXED, true, true, true},
      {"pgssm", PERP_FORM_LCP, true, true, true},
      {"pgssm", PERP_FORM_BOXED, false, true, true},
      {"minmap", PERP_FORM_LCP, true, true, true},
      {"minmap", PERP_FORM_BOXED, false, true, true},
      {"psor", PERP_FORM_LCP, true, true, false},
      {"lemke", PERP_FORM_LCP, true, true, false},
      {"auto", PERP_FORM_LCP, true, true, true},
      {"auto", PERP_FORM_BOXED, false, true, true},
  };
  worst = 0;
  for (size_t k = 0; k < sizeof lenders / sizeof *lenders; k++)
    check_lender(&lenders[k], 10 + 2 * k);
  printf("  the same numbers to %.1e\n", worst);
}

/* ---- Factors that must not be used ---- */

/* x of another b, with other free rows; A with other numbers; friction rows that follow their normals. */
static void factors_of_other_rows_or_numbers_are_left_alone(void)
{
  planted s = plant(ROWS, PERP_FORM_LCP, true, true, 5);
  perp_solver *solver = NULL;
  perp_derivative *d = NULL;
  perp_message why;
  double x[ROWS];
  CHECK(perp_solver_create("blockpivot", &solver, NULL) == PERP_OK);
  CHECK(perp_derivative_from_solver(solver, &s.p, s.x, NULL, &d, &why) == PERP_OK);
  CHECK(perp_derivative_get(d).lent == 0); /* nothing was solved */
  perp_derivative_destroy(d);
  solve_with(solver, &s, x);
  for (int i = 0; i < ROWS; i++) /* all rows at 0 */
    s.b[i] = 1, x[i] = 0;
  CHECK(perp_derivative_from_solver(solver, &s.p, x, NULL, &d, &why) == PERP_OK);
  CHECK(perp_derivative_get(d).lent == 0 && perp_derivative_get(d).free == 0);
  perp_derivative_destroy(d);
  for (int i = 0; i < ROWS; i++) /* the same number of rows, but different ones */
    s.b[i] = s.x[i] > 0 ? 1 : -1;
  perp_result result = perp_result_empty();
  CHECK(perp_solve("blockpivot", &s.p, NULL, x, &result) == PERP_OK);
  CHECK(perp_derivative_from_solver(solver, &s.p, x, NULL, &d, &why) == PERP_OK);
  CHECK(perp_derivative_get(d).lent == 0);
  perp_derivative_destroy(d);
  solve_with(solver, &(planted){.n = ROWS, .p = s.p, .x = x}, x);
  CHECK(perp_operator_refresh(s.A, NULL) == PERP_OK);
  CHECK(perp_derivative_from_solver(solver, &s.p, x, NULL, &d, &why) == PERP_OK);
  CHECK(perp_derivative_get(d).lent == 0);
  perp_derivative_destroy(d);
  /* a requested way is used */
  CHECK(perp_solver_solve(solver, &s.p, NULL, x, &result) == PERP_OK);
  perp_derivative_options options = perp_derivative_options_default();
  options.way = PERP_DERIVATIVE_KRYLOV;
  CHECK(perp_derivative_from_solver(solver, &s.p, x, &options, &d, &why) == PERP_OK);
  CHECK(perp_derivative_get(d).way == PERP_DERIVATIVE_KRYLOV && perp_derivative_get(d).lent == 0);
  perp_derivative_destroy(d);
  CHECK(perp_derivative_from_solver(NULL, &s.p, x, NULL, &d, &why) == PERP_ERROR_ARGUMENT && !d);
  perp_solver_destroy(solver);
  planted_free(&s);
}

static void friction_rows_that_slide_make_their_own(void)
{
  perp_instance instance;
  perp_message why = {""};
  CHECK(perp_generate("arch:form=findex,cfm=1e-2", &instance, &why) == PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  const size_t n = (size_t)p.K.n;
  double *x = perp_alloc_zero(4 * n, sizeof *x), *w = x + n, *one = w + n, *two = one + n;
  perp_solver *solver = NULL;
  perp_derivative *own = NULL, *lent = NULL;
  perp_options options = perp_options_default();
  perp_result result = perp_result_empty();
  options.tol = 1e-12;
  CHECK(perp_solver_create("dantzig", &solver, NULL) == PERP_OK);
  CHECK(perp_solver_solve(solver, &p, &options, x, &result) == PERP_OK);
  CHECK(result.outcome == PERP_SOLVED);
  for (size_t i = 0; i < n; i++)
    w[i] = (double)(i % 5) - 2;
  CHECK(perp_derivative_create(&p, x, NULL, &own, &why) == PERP_OK);
  CHECK(perp_derivative_from_solver(solver, &p, x, NULL, &lent, &why) == PERP_OK);
  CHECK(perp_derivative_get(lent).lent == 0);
  perp_gradient g = perp_gradient_default();
  g.b = one;
  CHECK(perp_derivative_vjp(own, w, &g, NULL) == PERP_OK);
  g.b = two;
  CHECK(perp_derivative_vjp(lent, w, &g, NULL) == PERP_OK);
  CHECK(memcmp(one, two, n * sizeof *one) == 0);
  perp_derivative_destroy(own);
  perp_derivative_destroy(lent);
  perp_solver_destroy(solver);
  perp_instance_destroy(&instance);
  perp_free(x);
}

/* ---- Memory ---- */

static void every_failing_allocation_is_survived(void)
{
  planted s = plant(40, PERP_FORM_LCP, true, true, 3);
  bool done = false;
  for (int64_t k = 0; !done; k++) {
    const int64_t before = live_blocks;
    perp_solver *solver = NULL;
    perp_derivative *d = NULL;
    double x[40] = {0}, bar[40];
    perp_result result = perp_result_empty();
    perp_gradient g = perp_gradient_default();
    g.b = bar;
    allocations = 0;
    fail_at = k;
    perp_error error = perp_solver_create("pgssm", &solver, NULL);
    if (!error)
      error = perp_solver_solve(solver, &s.p, NULL, x, &result);
    if (!error)
      error = perp_derivative_from_solver(solver, &s.p, x, NULL, &d, NULL);
    if (!error)
      error = perp_derivative_vjp(d, s.w, &g, NULL);
    perp_solver_destroy(solver);
    if (!error)
      error = perp_derivative_vjp(d, s.w, &g, NULL);
    done = allocations <= k;
    fail_at = -1;
    perp_derivative_destroy(d);
    CHECK_SAY(error == PERP_OK || error == PERP_ERROR_MEMORY, "%s", perp_error_name(error));
    CHECK(!done || error == PERP_OK);
    CHECK_SAY(live_blocks == before, "allocation %d: %d blocks left", (int)k,
              (int)(live_blocks - before));
    CHECK(k < 1000);
  }
  planted_free(&s);
}

static const test_case tests[] = {
    TEST(lent_factors_give_the_same_numbers),
    TEST(factors_of_other_rows_or_numbers_are_left_alone),
    TEST(friction_rows_that_slide_make_their_own),
    TEST(every_failing_allocation_is_survived),
};

TEST_MAIN(tests)
