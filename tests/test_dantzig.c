/* test_dantzig.c: dantzig and baraff
 *
 * Oracles: all 3^n sides of a small problem tried with Gaussian elimination here; planted
 * solutions; certificates multiplied out. Every x is judged by perp_problem_judge. */
#include "gram.h"
#include "problems.h"

static const char *const methods[] = {"dantzig", "baraff"};

/* Solves from x and compares the outcome with perp_problem_judge. */
static perp_result run_from(const char *method, const perp_problem *p, const perp_options *options,
                            double *x)
{
  perp_result r = perp_result_empty();
  CHECK_SAY(perp_solve(method, p, options, x, &r) == PERP_OK, "%s", r.message.text);
  double residual, scale;
  CHECK(perp_problem_judge(p, x, &residual, &scale, NULL) == PERP_OK);
  const double tol = options ? options->tol : 1e-8;
  CHECK_SAY((r.outcome == PERP_SOLVED) == (residual <= tol * scale), "%s: %s, residual %g", method,
            perp_outcome_name(r.outcome), residual / scale);
  return r;
}

/* baraff as published: right rows stay right from the first pivot. */
static perp_result run_strictly(const perp_problem *p, double *x)
{
  perp_solver *solver;
  perp_result r = perp_result_empty();
  CHECK(perp_solver_create("baraff", &solver, NULL) == PERP_OK);
  CHECK(perp_solver_set_text(solver, "strict", "yes", NULL) == PERP_OK);
  CHECK(perp_solver_solve(solver, p, NULL, x, &r) == PERP_OK);
  perp_solver_destroy(solver);
  return r;
}

static void expect_solved(const char *method, const perp_instance *p, const char *name)
{
  const perp_problem problem = perp_instance_problem(p);
  double *x = calloc((size_t)problem.K.n, sizeof *x);
  const perp_result r = run_from(method, &problem, NULL, x);
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s on %s: %s, %s", method, name,
            perp_outcome_name(r.outcome), r.message.text);
  if (strcmp(method, "baraff") == 0) {
    memset(x, 0, (size_t)problem.K.n * sizeof *x);
    const perp_result strict = run_strictly(&problem, x);
    CHECK_SAY(strict.outcome == PERP_SOLVED, "strict on %s: %s", name,
              perp_outcome_name(strict.outcome));
  }
  free(x);
}

static void expect_generated(const char *method, const char *text)
{
  perp_instance p;
  perp_message why;
  CHECK_SAY(perp_generate(text, &p, &why) == PERP_OK, "%s", why.text);
  expect_solved(method, &p, text);
  perp_instance_destroy(&p);
}

/* ---- Small problems against all sides ---- */

enum { SMALL = 6 };

/* Gaussian elimination with row exchanges; returns false if a pivot is tiny. */
static bool eliminate(int n, double m[SMALL][SMALL + 1], double *z)
{
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(m[i][k]) > fabs(m[best][k]))
        best = i;
    if (fabs(m[best][k]) < 1e-10)
      return false;
    for (int j = 0; j <= n; j++) {
      const double t = m[k][j];
      m[k][j] = m[best][j];
      m[best][j] = t;
    }
    for (int i = k + 1; i < n; i++) {
      const double factor = m[i][k] / m[k][k];
      for (int j = k; j <= n; j++)
        m[i][j] -= factor * m[k][j];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    z[i] = m[i][n];
    for (int j = i + 1; j < n; j++)
      z[i] -= m[i][j] * z[j];
    z[i] /= m[i][i];
  }
  return true;
}

/* Finds x by trying all sides: 0 inside, 1 at lo, 2 at hi. Friction rows (findex, NULL: none) have
 * the bounds of the solution's own normals. Returns false if no sides fit. */
static bool try_all_sides(int n, const double *a, const double *b, const double *lo,
                          const double *hi, const int *findex, double *x)
{
  int total = 1;
  for (int i = 0; i < n; i++)
    total *= 3;
  for (int code = 0; code < total; code++) {
    double m[SMALL][SMALL + 1] = {{0}};
    int side[SMALL];
    bool fits = true;
    for (int i = 0, rest = code; i < n; i++, rest /= 3) {
      side[i] = rest % 3;
      const double bound = side[i] == 1 ? lo[i] : hi[i];
      if (side[i] == 0) {
        memcpy(m[i], a + i * n, (size_t)n * sizeof *a);
        m[i][n] = -b[i];
      } else {
        fits = fits && isfinite(bound);
        m[i][i] = 1;
        if (findex && findex[i] >= 0)
          m[i][findex[i]] = -bound; /* normals are at least 0 in these problems */
        else
          m[i][n] = bound;
      }
    }
    if (!fits || !eliminate(n, m, x))
      continue;
    for (int i = 0; fits && i < n; i++) {
      double y = b[i];
      for (int j = 0; j < n; j++)
        y += a[i * n + j] * x[j];
      const double normal = findex && findex[i] >= 0 ? fabs(x[findex[i]]) : 1;
      fits = side[i] == 0   ? x[i] >= lo[i] * normal - 1e-11 && x[i] <= hi[i] * normal + 1e-11
             : side[i] == 1 ? y >= -1e-11
                            : y <= 1e-11;
    }
    if (fits)
      return true;
  }
  return false;
}

/* A symmetric positive definite, boxes of every sort. */
static void small_boxes_against_all_sides(void)
{
  perp_random random = perp_random_from(11);
  for (int trial = 0; trial < 400; trial++) {
    const int n = 1 + perp_random_below(&random, SMALL);
    double *a = gram(n, n + 2, 0, &random), b[SMALL], lo[SMALL], hi[SMALL], oracle[SMALL];
    for (int i = 0; i < n; i++) {
      a[i * n + i] += 0.05;
      b[i] = perp_random_between(&random, -1, 1);
      const int kind = trial % 3 == 0 ? 0 : perp_random_below(&random, 5);
      lo[i] = kind == 1 ? -INFINITY : kind == 2 ? -0.2 : kind == 4 ? 0.1 : 0;
      hi[i] = kind == 2 ? 0.3 : kind == 3 ? 0.5 : kind == 4 ? 0.1 : INFINITY;
    }
    perp_operator *A = problem_dense(n, a);
    const perp_problem p = trial % 3 ? perp_problem_boxed(A, b, lo, hi) : perp_problem_lcp(A, b);
    CHECK(try_all_sides(n, a, b, lo, hi, NULL, oracle));
    for (int m = 0; m < 2; m++) {
      double x[SMALL] = {0};
      CHECK(run_from(methods[m], &p, NULL, x).outcome == PERP_SOLVED);
      for (int i = 0; i < n; i++)
        CHECK_CLOSE(x[i], oracle[i], 1e-9);
    }
    double x[SMALL] = {0};
    CHECK(run_strictly(&p, x).outcome == PERP_SOLVED);
    for (int i = 0; i < n; i++)
      CHECK_CLOSE(x[i], oracle[i], 1e-9);
    perp_operator_destroy(A);
    free(a);
  }
}

/* Two contacts with rows (n, t, o), dominant A: few enough sides to enumerate, and a unique
 * solution for mu = 0.3. With outer = 1: ODE's two stages, each a separate box problem. */
static void small_friction_against_all_sides(void)
{
  perp_random random = perp_random_from(12);
  const int findex[SMALL] = {-1, 0, 0, -1, 3, 3};
  int sliding = 0;
  for (int trial = 0; trial < 200; trial++) {
    double *a = problem_dominant(SMALL, 0.5, &random), b[SMALL], lo[SMALL], hi[SMALL];
    double oracle[SMALL], stage[SMALL], stage_lo[SMALL], stage_hi[SMALL];
    for (int i = 0; i < SMALL; i++) {
      b[i] = i % 3 ? perp_random_between(&random, -1, 1) : perp_random_between(&random, -2, 0.3);
      lo[i] = i % 3 ? -0.3 : 0;
      hi[i] = i % 3 ? 0.3 : INFINITY;
      stage_lo[i] = 0;
      stage_hi[i] = i % 3 ? 0 : INFINITY;
    }
    perp_operator *A = problem_dense(SMALL, a);
    const perp_problem p = perp_problem_friction(A, b, lo, hi, findex);
    CHECK(try_all_sides(SMALL, a, b, lo, hi, findex, oracle));
    double x[SMALL] = {0};
    CHECK(run_from("dantzig", &p, NULL, x).outcome == PERP_SOLVED);
    for (int i = 0; i < SMALL; i++) {
      CHECK_CLOSE(x[i], oracle[i], 1e-9);
      sliding += i % 3 && fabs(x[i]) > 0 && fabs(fabs(x[i]) - 0.3 * x[i - i % 3]) < 1e-12;
    }

    CHECK(try_all_sides(SMALL, a, b, stage_lo, stage_hi, NULL, stage));
    for (int i = 0; i < SMALL; i++)
      if (i % 3) {
        stage_hi[i] = 0.3 * stage[i - i % 3];
        stage_lo[i] = -stage_hi[i];
      }
    CHECK(try_all_sides(SMALL, a, b, stage_lo, stage_hi, NULL, oracle));
    for (int blocks = 0; blocks <= 20; blocks += 20) {
      perp_solver *solver;
      perp_result r = perp_result_empty();
      CHECK(perp_solver_create("dantzig", &solver, NULL) == PERP_OK);
      CHECK(perp_solver_set(solver, "outer", 1, NULL) == PERP_OK);
      CHECK(perp_solver_set(solver, "blocks", blocks, NULL) == PERP_OK);
      memset(x, 0, sizeof x);
      CHECK(perp_solver_solve(solver, &p, NULL, x, &r) == PERP_OK);
      for (int i = 0; i < SMALL; i++)
        CHECK_CLOSE(x[i], oracle[i], 1e-9);
      perp_solver_destroy(solver);
    }
    perp_operator_destroy(A);
    perp_free(a);
  }
  CHECK_SAY(sliding > 100, "%d rows slide: too few to tell", sliding);
}

/* ---- Corners ---- */

static void one_row_in_every_sign(void)
{
  const double value[] = {-1, 0, 2};
  for (int m = 0; m < 2; m++)
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        const double a = value[i], b = value[j];
        perp_instance p = problem_single(a, b);
        const perp_problem problem = perp_instance_problem(&p);
        double x = 0;
        const perp_result r = run_from(methods[m], &problem, NULL, &x);
        if (b >= 0 || a > 0)
          CHECK(r.outcome == PERP_SOLVED && x == (b < 0 ? -b / a : 0));
        else
          CHECK_SAY(r.outcome == PERP_INFEASIBLE, "%s: %s", methods[m],
                    perp_outcome_name(r.outcome));
        perp_instance_destroy(&p);
      }
}

static void zero_matrix(void)
{
  enum { N = 7 };
  double a[N * N] = {0}, b[N], lo[N], hi[N];
  for (int i = 0; i < N; i++) {
    b[i] = i % 3 - 1.0;
    lo[i] = -1 - i;
    hi[i] = 2 + i;
  }
  perp_operator *A = problem_dense(N, a);
  const perp_problem boxed = perp_problem_boxed(A, b, lo, hi), plain = perp_problem_lcp(A, b);
  for (int m = 0; m < 2; m++) {
    double x[N] = {0};
    CHECK(run_from(methods[m], &boxed, NULL, x).outcome == PERP_SOLVED);
    for (int i = 0; i < N; i++)
      CHECK(x[i] == (b[i] > 0 ? lo[i] : b[i] < 0 ? hi[i] : x[i]));
    memset(x, 0, sizeof x);
    CHECK(run_from(methods[m], &plain, NULL, x).outcome == PERP_INFEASIBLE);
  }
  perp_operator_destroy(A);
}

static void nothing_to_do_takes_no_pivot(void)
{
  perp_random random = perp_random_from(3);
  double *a = gram(20, 10, 0, &random), b[20], x[20] = {0};
  for (int i = 0; i < 20; i++)
    b[i] = i % 4 ? perp_random_between(&random, 0, 1) : 0;
  perp_operator *A = problem_dense(20, a);
  const perp_problem p = perp_problem_lcp(A, b);
  for (int m = 0; m < 2; m++) {
    const perp_result r = run_from(methods[m], &p, NULL, x);
    CHECK(r.outcome == PERP_SOLVED);
    CHECK_EQUAL_INT(r.counts.pivots + r.counts.factorisations, 0);
    for (int i = 0; i < 20; i++)
      CHECK(x[i] == 0);
  }
  perp_operator_destroy(A);
  free(a);
}

/* All rows equal, or equal in groups: every ratio ties with every other. */
static void ties_everywhere(void)
{
  for (int groups = 1; groups <= 12; groups++)
    for (int m = 0; m < 2; m++) {
      const int n = 4 * groups;
      double *a = calloc((size_t)(n * n), sizeof *a);
      perp_instance p = {.b = perp_alloc((size_t)n, sizeof *p.b)};
      for (int i = 0; i < n; i++) {
        p.b[i] = -1;
        for (int j = 0; j < n; j++)
          a[i * n + j] = (i / 4 == j / 4) + 0.25 * (i / 4 == j / 4 + 1 || j / 4 == i / 4 + 1);
      }
      p.A = problem_dense(n, a);
      expect_solved(methods[m], &p, "groups of equal rows");
      perp_instance_destroy(&p);
      free(a);
    }
  for (int seed = 1; seed <= 20; seed++)
    for (int m = 0; m < 2; m++) {
      char text[80];
      snprintf(text, sizeof text, "degenerate:n=%d,seed=%d", 10 + 5 * seed, seed);
      expect_generated(methods[m], text);
    }
}

/* Keeping rows right costs pivots: strict takes more of them, and never fewer than it has rows
 * inside; both reach the one solution. */
static void strictness_costs_pivots(void)
{
  for (int seed = 1; seed <= 5; seed++) {
    char text[80];
    perp_instance p;
    double x[120] = {0}, strict[120] = {0};
    snprintf(text, sizeof text, "pd:n=120,seed=%d", seed);
    CHECK(perp_generate(text, &p, NULL) == PERP_OK);
    const perp_problem problem = perp_instance_problem(&p);
    const perp_result r = run_from("baraff", &problem, NULL, x), s = run_strictly(&problem, strict);
    int inside = 0;
    for (int i = 0; i < 120; i++) {
      CHECK_CLOSE(x[i], strict[i], 1e-9);
      inside += x[i] > 0;
    }
    CHECK_SAY(r.counts.pivots >= inside && s.counts.pivots > r.counts.pivots, "%lld and %lld",
              (long long)r.counts.pivots, (long long)s.counts.pivots);
    perp_instance_destroy(&p);
  }
}

static void semidefinite_of_every_rank(void)
{
  for (int m = 0; m < 2; m++)
    for (int tenths = 1; tenths <= 8; tenths++)
      for (int seed = 1; seed <= 8; seed++) {
        char text[80];
        snprintf(text, sizeof text, "psd:n=%d,ratio=0.%d,seed=%d", 10 * seed, tenths, seed);
        expect_generated(methods[m], text);
      }
}

/* Stacked boxes: four contacts per face, of which three would do. */
static void stacks_of_boxes(void)
{
  char text[96];
  for (int boxes = 1; boxes <= 48; boxes += boxes < 6 ? 1 : 6)
    for (int m = 0; m < 2; m++) {
      snprintf(text, sizeof text, "stack:n=%d", boxes);
      expect_generated(methods[m], text);
      if (boxes > 1) {
        snprintf(text, sizeof text, "stack:n=%d,form=mixed", boxes);
        expect_generated(methods[m], text);
      }
      if (m == 0 && boxes <= 30) {
        snprintf(text, sizeof text, "stack:n=%d,form=findex", boxes);
        expect_generated(methods[m], text);
      }
    }
  for (int exponent = 1; exponent <= 6; exponent++)
    for (int m = 0; m < 2; m++) {
      snprintf(text, sizeof text, "stack:n=12,ratio=1e%d", exponent);
      expect_generated(methods[m], text);
      for (int boxes = 6; boxes <= 48 && exponent >= 5; boxes *= 2) {
        snprintf(text, sizeof text, "stack:n=%d,ratio=1e%d,form=mixed", boxes, exponent);
        expect_generated(methods[m], text);
        snprintf(text, sizeof text, "stack:n=%d,ratio=1e-%d,form=stick", boxes, exponent);
        expect_generated(methods[m], text);
      }
      snprintf(text, sizeof text, "stack:n=8,ratio=1e%d,form=findex", exponent);
      if (m == 0)
        expect_generated(methods[m], text);
    }
}

static void other_scenes(void)
{
  static const char *const scenes[] = {"chain:form=findex", "cards:form=findex", "arch:form=findex",
                                       "pile:n=25,form=findex",
                                       "stack:n=8,form=findex,operator=contact"};
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++)
    expect_generated("dantzig", scenes[k]);
  for (int m = 0; m < 2; m++) {
    expect_generated(methods[m], "arch");
    expect_generated(methods[m], "cards:operator=contact");
    expect_generated(methods[m], "pile:n=40,operator=contact");
  }
}

/* Entries from 1e-12 to 1e12, planted: A = D A0 D. */
static void wide_scales(void)
{
  for (int m = 0; m < 2; m++)
    for (int spread = 1; spread <= 6; spread++)
      for (int seed = 1; seed <= 5; seed++) {
        char text[80];
        snprintf(text, sizeof text, "scaled:n=40,spread=%d,seed=%d", spread, seed);
        expect_generated(methods[m], text);
      }
}

/* A slightly unsymmetric matrix is solved as it is; a thoroughly unsymmetric one is refused. */
static void unsymmetric_matrices(void)
{
  for (uint64_t seed = 1; seed <= 40; seed++)
    for (int form = PERP_FORM_LCP; form <= PERP_FORM_FINDEX; form++) {
      perp_instance p = problem_random(30, (perp_form)form, 0.5, seed);
      const double *a;
      int64_t stride;
      CHECK(perp_operator_dense_array(p.A, &a, &stride) == PERP_OK);
      double *skewed = calloc(30 * 30, sizeof *skewed);
      perp_random random = perp_random_from(seed);
      for (int i = 0; i < 30; i++)
        for (int j = 0; j < 30; j++)
          skewed[i * 30 + j] = a[i * stride + j] * (1 + 1e-3 * perp_random_between(&random, -1, 1));
      perp_operator_destroy(p.A);
      p.A = problem_dense(30, skewed);
      expect_solved("dantzig", &p, "unsymmetric by 1e-3");
      if (form != PERP_FORM_FINDEX)
        expect_solved("baraff", &p, "unsymmetric by 1e-3");
      perp_instance_destroy(&p);
      free(skewed);
    }
  perp_instance p;
  CHECK(perp_generate("bimatrix:n=10", &p, NULL) == PERP_OK);
  const perp_problem game = perp_instance_problem(&p);
  for (int m = 0; m < 2; m++) {
    double x[10] = {0};
    perp_result r = perp_result_empty();
    CHECK_EQUAL_INT(perp_solve(methods[m], &game, NULL, x, &r), PERP_ERROR_UNSUPPORTED);
    CHECK_SAY(strstr(r.message.text, "A["), "%s", r.message.text);
  }
  perp_instance_destroy(&p);
}

/* ---- Without a solution ---- */

/* A d = 0 for a d >= 0 with b^T d < 0, exactly, in integers; the returned ray is compared with the
 * definition. */
static void certificates_of_infeasibility(void)
{
  perp_random random = perp_random_from(21);
  for (int trial = 0; trial < 100; trial++) {
    const int n = 3 + perp_random_below(&random, 25), rank = n - 1;
    double *g = calloc((size_t)(rank * n), sizeof *g), *a = calloc((size_t)(n * n), sizeof *a);
    double *b = calloc((size_t)n, sizeof *b), *d = calloc((size_t)n, sizeof *d);
    double *x = calloc((size_t)n, sizeof *x), product = 0;
    for (int i = 0; i < n; i++) {
      d[i] = i == 0                                    ? 1
             : i == 1 || perp_random_below(&random, 2) ? 1 + perp_random_below(&random, 4)
                                                       : 0;
      b[i] = perp_random_below(&random, 9) - 4;
    }
    for (int k = 0; k < rank; k++) {
      double sum = 0;
      for (int i = 0; i < n; i++) {
        g[k * n + i] = perp_random_below(&random, 9) - 4;
        sum += g[k * n + i] * d[i];
      }
      g[k * n] -= sum; /* d_0 = 1 */
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < rank; k++)
          a[i * n + j] += g[k * n + i] * g[k * n + j];
    for (int i = 0; i < n; i++)
      product += b[i] * d[i];
    b[0] -= product + 1; /* b^T d = -1 */
    perp_operator *A = problem_dense(n, a);
    const perp_problem p = perp_problem_lcp(A, b);
    for (int m = 0; m < 2; m++) {
      perp_solver *solver;
      perp_result r = perp_result_empty();
      memset(x, 0, (size_t)n * sizeof *x);
      CHECK(perp_solver_create(methods[m], &solver, NULL) == PERP_OK);
      CHECK(perp_solver_solve(solver, &p, NULL, x, &r) == PERP_OK);
      CHECK_SAY(r.outcome == PERP_INFEASIBLE && r.ray, "%s, n = %d, rank %d: %s", methods[m], n,
                rank, perp_outcome_name(r.outcome));
      double downhill = 0;
      for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
          sum += a[j * n + i] * r.ray[j];
        CHECK(r.ray[i] >= 0 && sum <= 0);
        downhill += b[i] * r.ray[i];
      }
      CHECK(downhill < 0);
      perp_solver_destroy(solver);
    }
    perp_operator_destroy(A);
    free(g);
    free(a);
    free(b);
    free(d);
    free(x);
  }
}

/* ---- Starts, limits, kinds of operator ---- */

static void starts_give_the_sets(void)
{
  for (uint64_t seed = 1; seed <= 20; seed++)
    for (int m = 0; m < 2; m++) {
      const perp_form form = m == 0 ? PERP_FORM_FINDEX : PERP_FORM_BOXED;
      perp_instance p = problem_random(45, form, 0.5, seed);
      const perp_problem problem = perp_instance_problem(&p);
      double cold[45] = {0}, warm[45];
      const perp_result first = run_from(methods[m], &problem, NULL, cold);
      /* rows inside move a little and stay inside */
      for (int i = 0; i < 45; i++) {
        double lo, hi;
        perp_set_bounds(&problem.K, cold, i, &lo, &hi);
        const double room = fmin(fmin(cold[i] - lo, hi - cold[i]), 1);
        warm[i] = cold[i] + (room > 1e-6 ? 1e-3 * room : 0);
      }
      const perp_result second = run_from(methods[m], &problem, NULL, warm);
      CHECK(first.outcome == PERP_SOLVED && second.outcome == PERP_SOLVED);
      CHECK_SAY(second.counts.pivots <= 4 && second.counts.sweeps <= first.counts.sweeps,
                "%s: %lld pivots", methods[m], (long long)second.counts.pivots);
      /* wild starts do no harm */
      for (int i = 0; i < 45; i++)
        warm[i] = 1e3 * sin(7.0 * i + (double)seed);
      CHECK(run_from(methods[m], &problem, NULL, warm).outcome == PERP_SOLVED);
      perp_instance_destroy(&p);
    }
}

static void limits_are_kept(void)
{
  perp_instance p;
  CHECK(perp_generate("pd:n=600", &p, NULL) == PERP_OK);
  const perp_problem problem = perp_instance_problem(&p);
  double *x = calloc(600, sizeof *x);
  for (int m = 0; m < 2; m++) {
    perp_options o = perp_options_default();
    o.time_limit = 1e-6;
    memset(x, 0, 600 * sizeof *x);
    CHECK_EQUAL_INT(run_from(methods[m], &problem, &o, x).outcome, PERP_TIME_LIMIT);
    o = perp_options_default();
    o.memory_limit = 1000000;
    perp_result r = perp_result_empty();
    CHECK_EQUAL_INT(perp_solve(methods[m], &problem, &o, x, &r), PERP_ERROR_MEMORY);
    CHECK(strstr(r.message.text, "600"));
  }
  free(x);
  perp_instance_destroy(&p);
}

/* One problem as CSR, contact and dense operator. */
static void every_kind_gives_the_same_answer(void)
{
  perp_instance p;
  CHECK(perp_generate("pile:n=12,cfm=1e-3,operator=contact", &p, NULL) == PERP_OK);
  perp_operator *csr, *dense;
  CHECK(perp_operator_to_csr(p.A, 0, &csr, NULL) == PERP_OK);
  CHECK(perp_operator_to_dense(p.A, 0, &dense, NULL) == PERP_OK);
  const perp_operator *kinds[] = {dense, csr, p.A};
  const int n = perp_operator_size(p.A);
  for (int m = 0; m < 2; m++) {
    double *x[3];
    for (int k = 0; k < 3; k++) {
      perp_problem problem = perp_instance_problem(&p);
      problem.A = kinds[k];
      x[k] = calloc((size_t)n, sizeof *x[k]);
      CHECK(run_from(methods[m], &problem, NULL, x[k]).outcome == PERP_SOLVED);
      for (int i = 0; i < n; i++)
        CHECK_CLOSE(x[k][i], x[0][i], 1e-9 * fmax(1, fabs(x[0][i])));
    }
    for (int k = 0; k < 3; k++)
      free(x[k]);
  }
  perp_operator_destroy(csr);
  perp_operator_destroy(dense);
  perp_instance_destroy(&p);
}

static const test_case tests[] = {
    TEST(small_boxes_against_all_sides),
    TEST(small_friction_against_all_sides),
    TEST(one_row_in_every_sign),
    TEST(zero_matrix),
    TEST(nothing_to_do_takes_no_pivot),
    TEST(ties_everywhere),
    TEST(strictness_costs_pivots),
    TEST(semidefinite_of_every_rank),
    TEST(stacks_of_boxes),
    TEST(other_scenes),
    TEST(wide_scales),
    TEST(unsymmetric_matrices),
    TEST(certificates_of_infeasibility),
    TEST(starts_give_the_sets),
    TEST(limits_are_kept),
    TEST(every_kind_gives_the_same_answer),
};

TEST_MAIN(tests)
