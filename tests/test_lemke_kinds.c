/* test_lemke_kinds.c: Lemke's method on generated problems and on friction
 *
 * Problems have a planted solution, a known number of pivots, a solution by hand, or are judged by
 * a residual with an independent product. */
#include "lemke.h"

#include "linalg/vector.h"
#include "method/pivoting/lemke/basis.h"
#include <perp/generate.h>
#include <perp/simulate.h>

/* ---- Generated problems ---- */

/* If the planted solution is unique, x must equal it. */
static void solve_generated(const char *format, int n, int seeds, double x_tol)
{
  for (int seed = 1; seed <= seeds; seed++) {
    char text[128];
    perp_instance in;
    perp_message why = {""};
    snprintf(text, sizeof text, format, n, seed);
    CHECK_SAY(perp_generate(text, &in, &why) == PERP_OK, "%s", why.text);
    const perp_problem p = perp_instance_problem(&in);
    double *x = calloc((size_t)p.K.n, sizeof *x);
    const perp_result r = lemke(&p, x);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", text, r.message.text);
    if (in.x && in.kind == PERP_KIND_SOLVABLE && x_tol > 0) {
      const double size = perp_norm_inf(p.K.n, in.x);
      CHECK_SAY(perp_distance_inf(p.K.n, x, in.x) <= x_tol * size, "%s: x off by %g", text,
                perp_distance_inf(p.K.n, x, in.x) / size);
    }
    free(x);
    perp_instance_destroy(&in);
  }
}

static void random_kinds_are_solved(void)
{
  for (int n = 3; n <= 130; n += 31) {
    solve_generated("pd:n=%d,seed=%d", n, 8, 1e-8);
    solve_generated("psd:n=%d,seed=%d", n, 8, 0);
    solve_generated("nonsym:n=%d,seed=%d", n, 8, 1e-8);
    solve_generated("mmatrix:n=%d,seed=%d", n, 4, 1e-8);
    solve_generated("banded:n=%d,seed=%d", n, 4, 1e-8);
    solve_generated("spd-sparse:n=%d,seed=%d", n, 4, 0);
    solve_generated("degenerate:n=%d,seed=%d", n, 8, 1e-8);
  }
  solve_generated("pmatrix:n=%d,seed=%d", 30, 10, 0);
}

static void hard_kinds_are_solved(void)
{
  solve_generated("scaled:n=%d,spread=6,seed=%d", 50, 12, 0);
  solve_generated("scaled:n=%d,spread=8,seed=%d", 30, 12, 0);
  /* separate scales of rows and columns, for which one scale is not enough */
  solve_generated("pmatrix:n=%d,spread=8,seed=%d", 30, 12, 0);
  /* only the free block of A is left, and all of y is 0: rounding must not produce a ray */
  solve_generated("psd:n=%d,ratio=0.9,degenerate=0.5,form=mixed,seed=%d", 40, 12, 0);

  for (int n = 2; n <= 14; n += 3) {
    solve_generated("murty:n=%d,seed=%d", n, 1, 1e-12);
    solve_generated("fathi:n=%d,seed=%d", n, 1, 1e-12);
  }
  for (int n = 4; n <= 60; n += 14)
    solve_generated("bimatrix:n=%d,seed=%d", n, 12, 0);
}

/* Pivots of `method` on fathi of n unknowns, or on it with its rows in reverse; -1: not solved. */
static int64_t pivots_on_fathi(int n, bool reverse, const char *method)
{
  char text[32];
  perp_instance in;
  snprintf(text, sizeof text, "fathi:n=%d", n);
  if (perp_generate(text, &in, NULL))
    return -1;
  double *a = calloc((size_t)n * (size_t)n + 3 * (size_t)n, sizeof *a);
  double *e = a + n * n, *b = e + n, *x = b + n;
  for (int j = 0; j < n; j++) {
    const int to = reverse ? n - 1 - j : j;
    memset(e, 0, (size_t)n * sizeof *e);
    e[j] = 1;
    perp_operator_apply(in.A, e, x, NULL, NULL);
    for (int i = 0; i < n; i++)
      a[(reverse ? n - 1 - i : i) * n + to] = x[i];
    b[to] = in.b[j];
  }
  memset(x, 0, (size_t)n * sizeof *x);
  perp_operator *A = NULL;
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  const perp_options o = perp_options_default();
  CHECK(perp_operator_dense(n, a, n, PERP_BORROW, &A, NULL) == PERP_OK);
  CHECK(perp_solver_create(method, &solver, NULL) == PERP_OK);
  if (strcmp(method, "lemke") == 0)
    CHECK(perp_solver_set_text(solver, "cover", "ones", NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  perp_solver_solve(solver, &p, &o, x, &r);
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
  perp_instance_destroy(&in);
  free(a);
  return r.outcome == PERP_SOLVED ? r.counts.pivots : -1;
}

/* The claim of docs/problems.md for the kind, also counted in exact arithmetic. */
static void fathi_takes_every_cone(void)
{
  for (int n = 1; n <= 11; n++) {
    const int64_t all = ((int64_t)1 << n) - 1;
    CHECK_EQUAL_INT(pivots_on_fathi(n, false, "lemke"), all);
    CHECK_EQUAL_INT(pivots_on_fathi(n, true, "murty"), all);
    CHECK_EQUAL_INT(pivots_on_fathi(n, false, "murty"), 1);
  }
}

/* Four-point contacts of boxes: rank-deficient, masses 1 to 1e6. */
static void box_stacks_are_solved(void)
{
  for (int n = 6; n <= 48; n *= 2) {
    solve_generated("stack:n=%d,seed=%d", n, 3, 0);
    solve_generated("stack:n=%d,ratio=1e3,seed=%d", n, 3, 0);
    solve_generated("stack:n=%d,ratio=1e6,seed=%d", n, 3, 0);
    solve_generated("stack:n=%d,ratio=1e-6,seed=%d", n, 3, 0);
  }
  for (int n = 6; n <= 24; n *= 2)
    solve_generated("stack:n=%d,form=polyhedral,seed=%d", n, 2, 0);
  solve_generated("chain:n=%d,seed=%d", 40, 2, 0);
}

/* Not quite symmetric, by 1e-3 of the entries. */
static void nearly_symmetric_matrices_are_solved(void)
{
  perp_random random = perp_random_from(6);
  for (int k = 0; k < 40; k++) {
    const int n = 40;
    double *a = problem_dominant(n, 0.5, &random), b[40], x[40] = {0};
    for (int i = 0; i < n * n; i++)
      a[i] *= 1 + 1e-3 * perp_random_between(&random, -1, 1);
    for (int i = 0; i < n; i++)
      b[i] = perp_random_between(&random, -1, 0.5);
    perp_instance in = instance_of(n, a, b);
    const perp_problem p = perp_instance_problem(&in);
    CHECK(lemke(&p, x).outcome == PERP_SOLVED);
    perp_free(a);
    perp_instance_destroy(&in);
  }
}

/* Every ratio ties: equal rows and columns, equal b. */
static void ties_everywhere(void)
{
  for (int n = 2; n <= 60; n += 7)
    for (int kind = 0; kind < 4; kind++) {
      double *a = calloc((size_t)(n * n), sizeof *a), b[64], x[64] = {0};
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
          a[i * n + j] = kind == 0   ? 1            /* rank one */
                         : kind == 1 ? 1 + (i == j) /* definite */
                         : kind == 2 ? (i == j            ? 2
                                        : abs(i - j) == 1 ? -1
                                                          : 0) /* a string */
                                     : (i / 2 == j / 2);       /* rank n/2 */
        b[i] = -1;
      }
      perp_instance in = instance_of(n, a, b);
      const perp_problem p = perp_instance_problem(&in);
      const perp_result r = lemke(&p, x);
      CHECK_SAY(r.outcome == PERP_SOLVED, "n = %d, kind %d: %s", n, kind, r.message.text);
      CHECK(r.counts.pivots <= 4 * n);
      free(a);
      perp_instance_destroy(&in);
    }
}

/* ---- Friction ---- */

/* Discs that fall on each other, until they jam: the frames from `first` on, every `step`-th. */
static void discs_are_solved(const char *scene, int first, int last, int step)
{
  perp_simulation *simulation = NULL;
  perp_message why;
  CHECK_SAY(!perp_simulation_create(scene, "dantzig", NULL, &simulation, &why), "%s", why.text);
  int solved = 0;
  for (int k = 1; k <= last; k++) {
    perp_step frame;
    CHECK_SAY(!perp_simulation_step(simulation, &frame, &why), "%s", why.text);
    const perp_problem *p = perp_simulation_problem(simulation);
    if (k < first || (k - first) % step || !p || perp_set_form(&p->K) != PERP_FORM_FINDEX)
      continue;
    double *x = calloc((size_t)p->K.n, sizeof *x), residual, scale;
    const perp_result r = lemke(p, x);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s, frame %d, n = %d: %s", scene, k, p->K.n,
              r.message.text);
    CHECK(!perp_problem_judge(p, x, &residual, &scale, NULL) && residual <= 1e-8 * scale);
    CHECK(r.counts.pivots > 0 && r.counts.iterations >= r.counts.pivots);
    solved++;
    free(x);
  }
  CHECK(solved > 0);
  perp_simulation_destroy(simulation);
}

static void jammed_discs_are_solved(void)
{
  discs_are_solved("discs:n=30", 60, 140, 10);
  discs_are_solved("pebbles:n=20", 60, 140, 10);
  discs_are_solved("bricks:rows=3,columns=3", 20, 60, 10);
}

static void friction_kinds_are_solved(void)
{
  static const char *const kinds[] = {"pile:n=8",  "stack:n=5", "wall:rows=2,columns=2",
                                      "cards:n=1", "arch:n=5",  "chain:n=8"};
  for (int k = 0; k < 6; k++)
    for (int variant = 0; variant < 8; variant++) {
      char text[128];
      snprintf(text, sizeof text, "%s,form=findex,operator=%s,plant=%d,mu=%g,seed=%d", kinds[k],
               variant % 2 ? "contact" : "csr", variant / 2 % 2, variant < 4 ? 0.5 : 0.05,
               variant + 1);
      perp_instance in;
      CHECK(perp_generate(text, &in, NULL) == PERP_OK);
      const perp_problem p = perp_instance_problem(&in);
      double *x = calloc((size_t)p.K.n, sizeof *x), residual, scale;
      const perp_result r = lemke(&p, x);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", text, r.message.text);
      CHECK(!perp_problem_judge(&p, x, &residual, &scale, NULL) && residual <= 1e-8 * scale);
      free(x);
      perp_instance_destroy(&in);
    }
}

/* One contact by hand: y = x + b with a normal, its friction and a row that is free. */
static void one_contact_by_hand(void)
{
  const double a[9] = {1, 0, 0, 0, 1, 0, 0, 0, 2};
  const double lo[3] = {0, -0.5, -INFINITY}, hi[3] = {INFINITY, 0.5, INFINITY};
  const int findex[3] = {-1, 0, -1};
  const double cases[][4] = {/* b_n, b_t, x_n, x_t */
                             {-2, 0.3, 2, -0.3}, {-2, 3, 2, -1}, {-2, -3, 2, 1},
                             {-2, 1, 2, -1},     {1, 3, 0, 0},   {-2, 0, 2, 0}};
  perp_operator *A = problem_dense(3, a);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const double b[3] = {cases[k][0], cases[k][1], -4};
    const perp_problem p = perp_problem_friction(A, b, lo, hi, findex);
    double x[3] = {0};
    CHECK_EQUAL_INT(lemke(&p, x).outcome, PERP_SOLVED);
    CHECK_CLOSE(x[0], cases[k][2], 1e-12);
    CHECK_CLOSE(x[1], cases[k][3], 1e-12);
    CHECK_CLOSE(x[2], 2, 1e-12);
  }
  perp_operator_destroy(A);
}

static void other_friction_is_refused_by_name(void)
{
  static const struct {
    double lo[3], hi[3];
    const char *says;
  } cases[] = {
      {{0, -0.5, 0}, {INFINITY, 0.4, INFINITY}, "[-mu, mu]: row 1 has [-0.5, 0.4]"},
      {{-INFINITY, -0.5, 0}, {INFINITY, 0.5, INFINITY}, "normal is x >= 0: row 1 has normal row 0"},
      {{0, -0.5, 0}, {INFINITY, 0.5, 7}, "row 2 has [0, 7]"},
  };
  const double a[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 1, 1};
  const int findex[3] = {-1, 0, -1};
  perp_operator *A = problem_dense(3, a);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const perp_problem p = perp_problem_friction(A, b, cases[k].lo, cases[k].hi, findex);
    double x[3] = {0};
    perp_error error;
    const perp_result r = run_with(&perp_method_lemke, &p, NULL, NULL, NULL, x, &error);
    CHECK_EQUAL_INT(error, PERP_ERROR_UNSUPPORTED);
    CHECK_SAY(strstr(r.message.text, cases[k].says), "%s", r.message.text);
  }
  perp_operator_destroy(A);
}

/* An observer sees the problem's own x, and stops it; a solution as the start stays one. */
static void friction_is_watched(void)
{
  perp_instance in;
  CHECK(perp_generate("stack:n=5,form=findex", &in, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&in);
  double *x = calloc((size_t)p.K.n, sizeof *x);
  perp_options o = perp_options_default();
  perp_error error;
  witness w = {.stop_at = 100000};
  o.observer = watch;
  o.observer_context = &w;
  perp_result r = run_with(&perp_method_lemke, &p, &o, NULL, NULL, x, &error);
  CHECK(!error && r.outcome == PERP_SOLVED && w.calls > 5);
  const perp_result again = lemke(&p, x);
  CHECK(again.outcome == PERP_SOLVED && again.counts.pivots == 0);
  w = (witness){.stop_at = 5};
  memset(x, 0, (size_t)p.K.n * sizeof *x);
  r = run_with(&perp_method_lemke, &p, &o, NULL, NULL, x, &error);
  CHECK_SAY(!error && r.outcome == PERP_STOPPED && w.calls <= 7, "%s, %d calls", r.message.text,
            (int)w.calls);
  free(x);
  perp_instance_destroy(&in);
}

/* ---- The basis ---- */

/* Products for the rows with basic w_i: a basis of every third row; no other number of `out` may
 * change. Rounding there, where the rate is 0, would mislead the ratio test into adding a row that
 * is already in the basis. */
static perp_error multiply_outside(perp_run *run, const perp_problem *p, const void *params,
                                   double *x)
{
  (void)params, (void)x;
  enum { EVERY = 3 };
  const double mark = 7;
  const int n = p->K.n;
  perp_lemke s;
  bool regular = true;
  CHECK(perp_lemke_create(&s, run, PERP_LEMKE_SCALE_SYMMETRIC) == PERP_OK);
  perp_fill(n, 0, s.cover);
  for (int i = 0; i < n; i += EVERY)
    CHECK(perp_lemke_list(&s, i, i) == PERP_OK);
  CHECK(perp_lemke_factor(&s, &regular) == PERP_OK && regular);
  double *zeta = calloc((size_t)n, sizeof *zeta), *out = calloc((size_t)n, sizeof *out);
  double *all = calloc((size_t)n, sizeof *all);
  for (int i = 0; i < n; i++) {
    zeta[i] = 1 + i % 5;
    out[i] = mark;
  }
  perp_lemke_product(&s, p->b, -1, zeta, false, out);
  perp_lemke_product(&s, p->b, -1, zeta, true, all);
  for (int i = 0; i < n; i++) {
    const bool right =
        i % EVERY == 0 ? out[i] == mark : fabs(out[i] - all[i]) <= 1e-12 * fabs(all[i]);
    CHECK_SAY(right, "%s: row %d of %d: %g, %g", perp_operator_kind(p->A), i, n, out[i], all[i]);
  }
  free(zeta);
  free(out);
  free(all);
  perp_lemke_close(&s);
  perp_run_claim(run, PERP_STAGNATED);
  return PERP_OK;
}

static void rows_of_the_basis_have_no_rates(void)
{
  static const char *const kinds[] = {"pd:n=70", "spd-sparse:n=300", "mmatrix:n=300"};
  static const perp_parameter none[] = {{0}};
  const perp_method method = {.name = "multiply",
                              .title = "",
                              .family = "pivoting",
                              .source = "",
                              .takes = PERP_TAKES(PERP_FORM_LCP),
                              .needs = PERP_CAN_APPLY,
                              .max_iterations = 1,
                              .works = "",
                              .parameters = none,
                              .parameter_bytes = 1,
                              .solve = multiply_outside};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    perp_instance in;
    perp_error error;
    CHECK(perp_generate(kinds[k], &in, NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&in);
    double *x = calloc((size_t)p.K.n, sizeof *x);
    run_with(&method, &p, NULL, NULL, NULL, x, &error);
    CHECK(error == PERP_OK);
    free(x);
    perp_instance_destroy(&in);
  }
}

static const test_case tests[] = {
    TEST(rows_of_the_basis_have_no_rates),
    TEST(random_kinds_are_solved),
    TEST(hard_kinds_are_solved),
    TEST(fathi_takes_every_cone),
    TEST(box_stacks_are_solved),
    TEST(nearly_symmetric_matrices_are_solved),
    TEST(ties_everywhere),
    TEST(one_contact_by_hand),
    TEST(other_friction_is_refused_by_name),
    TEST(friction_kinds_are_solved),
    TEST(friction_is_watched),
    TEST(jammed_discs_are_solved),
};

TEST_MAIN(tests)
