/* test_subspace.c: pgssm, kz and ipm against enumeration, planted solutions and their own promises */
#include "generated.h"
#include "problems.h"

#include <float.h>

typedef struct {
  const char *method, *parameter, *value;
} candidate;

static const candidate candidates[] = {
    {"pgssm", "accelerate", "no"}, {"pgssm", "caution", "0"}, {"pgssm", NULL, NULL},
    {"pgssm", "k_gs", "1"},        {"pgssm", "k_sm", "1"},    {"pgssm", "k_sm", "1000"},
    {"pgssm", "solver", "cg"},     {"kz", NULL, NULL},        {"ipm", NULL, NULL},
    {"ipm", "variant", "plain"},   {"ipm", "crossover", "0"}, {"ipm", "solver", "gmres"},
};
enum { CANDIDATES = (int)(sizeof candidates / sizeof *candidates) };

static perp_result solve(const candidate *c, const perp_instance *instance,
                         const perp_options *options, double *x)
{
  const perp_problem p = perp_instance_problem(instance);
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  CHECK(perp_solver_create(c->method, &solver, NULL) == PERP_OK);
  if (c->parameter)
    CHECK(perp_solver_set_text(solver, c->parameter, c->value, NULL) == PERP_OK);
  CHECK_SAY(perp_solver_solve(solver, &p, options, x, &r) == PERP_OK, "%s: %s", c->method,
            r.message.text);
  r.ray = NULL; /* it dies with the solver */
  perp_solver_destroy(solver);
  double residual, scale;
  CHECK(perp_problem_judge(&p, x, &residual, &scale, NULL) == PERP_OK);
  CHECK_SAY((r.outcome == PERP_SOLVED) == (residual <= (options ? options->tol : 1e-8) * scale),
            "%s: %s at %g", c->method, perp_outcome_name(r.outcome), residual);
  return r;
}

/* ---- Enumeration: every row at lo, at hi or inside, by elimination with row exchanges ---- */

enum { TINY = 5 };

static bool eliminate(int m, double a[TINY][TINY + 1], double *z)
{
  for (int k = 0; k < m; k++) {
    int best = k;
    for (int i = k + 1; i < m; i++)
      if (fabs(a[i][k]) > fabs(a[best][k]))
        best = i;
    if (a[best][k] == 0)
      return false;
    for (int j = 0; j <= m; j++) {
      const double t = a[k][j];
      a[k][j] = a[best][j];
      a[best][j] = t;
    }
    for (int i = k + 1; i < m; i++)
      for (int j = m; j >= k; j--)
        a[i][j] -= a[i][k] / a[k][k] * a[k][j];
  }
  for (int k = m - 1; k >= 0; k--) {
    z[k] = a[k][m];
    for (int j = k + 1; j < m; j++)
      z[k] -= a[k][j] * z[j];
    z[k] /= a[k][k];
  }
  return true;
}

/* Finds x with the right signs up to rounding; returns false if no state of the rows gives one. */
static bool enumerate(int n, const double *A, const double *b, const double *lo, const double *hi,
                      double *x)
{
  int states = 1;
  for (int i = 0; i < n; i++)
    states *= 3;
  for (int s = 0; s < states; s++) {
    int inside[TINY], m = 0, code = s;
    bool possible = true;
    double a[TINY][TINY + 1] = {{0}}, z[TINY];
    for (int i = 0; i < n; i++, code /= 3) {
      x[i] = 0;
      if (code % 3 == 0)
        inside[m++] = i;
      else
        x[i] = code % 3 == 1 ? lo[i] : hi[i];
      possible = possible && isfinite(x[i]);
    }
    for (int k = 0; k < m && possible; k++) {
      a[k][m] = -b[inside[k]];
      for (int j = 0; j < n; j++)
        a[k][m] -= A[inside[k] * n + j] * x[j];
      for (int l = 0; l < m; l++)
        a[k][l] = A[inside[k] * n + inside[l]];
    }
    if (!possible || !eliminate(m, a, z))
      continue;
    for (int k = 0; k < m; k++)
      x[inside[k]] = z[k];
    for (int i = 0; i < n && possible; i++) {
      double y = b[i];
      for (int j = 0; j < n; j++)
        y += A[i * n + j] * x[j];
      possible = x[i] >= lo[i] - 1e-12 && x[i] <= hi[i] + 1e-12 &&
                 (y < 1e-12 || x[i] <= lo[i] + 1e-12) && (y > -1e-12 || x[i] >= hi[i] - 1e-12);
    }
    if (possible)
      return true;
  }
  return false;
}

/* G^T G + I/10, with a skew part on request. */
static void definite(int n, bool skew, double *A, perp_random *random)
{
  double g[TINY * TINY];
  for (int k = 0; k < n * n; k++)
    g[k] = perp_random_between(random, -1, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      A[i * n + j] = i == j ? 0.1 : 0;
      for (int k = 0; k < n; k++)
        A[i * n + j] += g[k * n + i] * g[k * n + j];
    }
  for (int i = 0; i < n && skew; i++)
    for (int j = 0; j < i; j++) {
      const double t = perp_random_between(random, -1, 1);
      A[i * n + j] += t;
      A[j * n + i] -= t;
    }
}

static void against_enumeration(bool skew, const candidate *c, uint64_t seed)
{
  perp_random random = perp_random_from(seed);
  const int n = 1 + (int)(seed % TINY);
  double A[TINY * TINY], b[TINY], lo[TINY], hi[TINY], x[TINY] = {0}, expected[TINY];
  definite(n, skew, A, &random);
  for (int i = 0; i < n; i++) {
    const int kind = perp_random_below(&random, 4); /* plain, free, box, fixed or upper bound */
    b[i] = perp_random_between(&random, -1, 1);
    lo[i] = kind == 0 ? 0 : kind == 2 ? perp_random_between(&random, -1, 0) : -INFINITY;
    hi[i] = kind <= 1 ? INFINITY : perp_random_between(&random, 0, 1);
    if (kind == 2 && seed % 7 == 0)
      hi[i] = lo[i];
  }
  CHECK(enumerate(n, A, b, lo, hi, expected));
  perp_instance p = {.A = problem_dense(n, A), .b = b, .lo = lo, .hi = hi};
  const perp_result r = solve(c, &p, NULL, x);
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s %s, seed %d: %s", c->method,
            c->parameter ? c->parameter : "", (int)seed, r.message.text);
  for (int i = 0; i < n; i++)
    CHECK_SAY(fabs(x[i] - expected[i]) < 1e-6, "%s, seed %d: x[%d] = %.9g against %.9g", c->method,
              (int)seed, i, x[i], expected[i]);
  perp_operator_destroy(p.A);
}

static void symmetric_problems_agree_with_enumeration(void)
{
  const unsigned share = (unsigned)test_share("symmetric problems", 5);
  for (int c = 0; c < CANDIDATES; c++)
    for (uint64_t seed = 1; seed <= 300; seed += share)
      against_enumeration(false, &candidates[c], seed);
}

static void interior_points_take_matrices_that_are_not_symmetric(void)
{
  const unsigned share = (unsigned)test_share("problems that are not symmetric", 5);
  for (int c = 0; c < CANDIDATES; c++)
    if (!strcmp(candidates[c].method, "ipm"))
      for (uint64_t seed = 1; seed <= 300; seed += share)
        against_enumeration(true, &candidates[c], seed);
}

/* ---- Larger problems with planted solutions ---- */

static void planted_solutions_are_found(void)
{
  static const char *const kinds[] = {
      "wall:size=nb235_nc1044,plant=yes,active=0.22,degenerate=0",
      "wall:size=nb235_nc1044,plant=yes,active=0.6,degenerate=0,operator=contact",
      "torsion:n=2500,plant=yes",
      "journal:n=2500,plant=yes",
      "journal:n=400,plant=yes,operator=csr",
  };
  static const candidate methods[] = {
      {"pgssm", NULL, NULL}, {"ipm", NULL, NULL}, {"kz", NULL, NULL}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    perp_instance p = generated(kinds[k]);
    const int n = perp_operator_size(p.A);
    double *x = calloc((size_t)n, sizeof *x);
    for (int c = 0; c < 3; c++) {
      memset(x, 0, (size_t)n * sizeof *x);
      const perp_result r = solve(&methods[c], &p, NULL, x);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s on %s: %s", methods[c].method, kinds[k],
                r.message.text);
      for (int i = 0; i < n; i++)
        CHECK_SAY(fabs(x[i] - p.x[i]) < 1e-4, "%s on %s: x[%d] = %g against %g", methods[c].method,
                  kinds[k], i, x[i], p.x[i]);
      /* if sweeps suffice no factor is needed */
      CHECK_SAY(r.counts.solves > 0 || (c != 1 && r.counts.iterations == 1), "%s on %s",
                methods[c].method, kinds[k]);
      CHECK((r.counts.factorisations > 0) == (r.counts.solves > 0));
      CHECK((r.counts.sweeps > 0) == (c != 1) && (r.counts.cycles > 0) == (c != 1));
    }
    free(x);
    perp_instance_destroy(&p);
  }
}

static void ill_conditioned_walls_take_few_factors(void)
{
  static const candidate pgssm = {"pgssm", NULL, NULL};
  static const char *const kinds[] = {"wall:size=nb235_nc1044", "wall:size=nb449_nc1821",
                                      "wall:size=nb907_nc5832,plant=yes,active=0.22,degenerate=0"};
  for (int k = 0; k < 3; k++) {
    perp_instance p = generated(kinds[k]);
    double *x = calloc((size_t)perp_operator_size(p.A), sizeof *x);
    const perp_result r = solve(&pgssm, &p, NULL, x);
    CHECK_EQUAL_INT(r.outcome, PERP_SOLVED);
    CHECK_SAY(r.counts.factorisations <= 10, "%s: %d factors", kinds[k],
              (int)r.counts.factorisations);
    free(x);
    perp_instance_destroy(&p);
  }
}

/* A = M + S with M dominant, S skew, five entries to a row, and a planted solution. */
static void sparse_matrices_that_are_not_symmetric(void)
{
  enum { N = 700 };
  static const candidate ipm = {"ipm", NULL, NULL};
  for (uint64_t seed = 1; seed <= 5; seed++) {
    perp_random random = perp_random_from(seed);
    int64_t start[N + 1] = {0};
    static int column[3 * N];
    static double value[3 * N], x[N], expected[N], b[N];
    for (int i = 0; i < N; i++) {
      start[i + 1] = start[i];
      for (int j = i - 1; j <= i + 1; j++)
        if (j >= 0 && j < N) {
          column[start[i + 1]] = j;
          value[start[i + 1]++] = i == j ? 2.5 : j < i ? -1 - 0.8 : -1 + 0.8;
        }
      expected[i] = perp_random_below(&random, 2) ? perp_random_between(&random, 0.1, 1) : 0;
      x[i] = 0;
    }
    for (int i = 0; i < N; i++) {
      b[i] = expected[i] > 0 ? 0 : perp_random_between(&random, 0.1, 1);
      for (int64_t e = start[i]; e < start[i + 1]; e++)
        b[i] -= value[e] * expected[column[e]];
    }
    perp_instance p = {.b = b};
    CHECK(perp_operator_csr(N, start, column, value, PERP_COPY, &p.A, NULL) == PERP_OK);
    const perp_result r = solve(&ipm, &p, NULL, x);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s", r.message.text);
    for (int i = 0; i < N; i++)
      CHECK_CLOSE(x[i], expected[i], 1e-6);
    perp_operator_destroy(p.A);
  }
}

/* ---- Matrices that are not definite ---- */

static void singular_problems_are_solved(void)
{
  static const candidate methods[] = {{"pgssm", NULL, NULL},     {"kz", NULL, NULL},
                                      {"ipm", NULL, NULL},       {"ipm", "variant", "plain"},
                                      {"pgssm", "solver", "cg"}, {"ipm", "crossover", "0"}};
  for (size_t c = 0; c < sizeof methods / sizeof *methods; c++)
    for (uint64_t seed = 1; seed <= 100; seed++) {
      const int n = 2 + (int)(seed % 38);
      perp_instance p = problem_singular(n, seed);
      double x[40] = {0};
      const perp_result r = solve(&methods[c], &p, NULL, x);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s %s, n = %d, seed %d: %s", methods[c].method,
                methods[c].parameter ? methods[c].parameter : "", n, (int)seed, r.message.text);
      perp_instance_destroy(&p);
    }
}

/* Symmetric with a positive diagonal and eigenvalues of both signs: there may be no solution, and a
 * method may fail, but it ends with a true outcome (solve() checks); some are solved. */
static void indefinite_problems_end(void)
{
  perp_options o = perp_options_default();
  o.max_iterations = 300;
  int solved[CANDIDATES] = {0};
  for (int c = 0; c < CANDIDATES; c++)
    for (uint64_t seed = 1; seed <= 60; seed++) {
      perp_random random = perp_random_from(seed);
      const int n = 2 + (int)(seed % 12);
      double a[14 * 14], b[14], x[14] = {0};
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
          a[i * n + j] = perp_random_between(&random, -1, 1);
          a[j * n + i] = seed % 3 ? a[i * n + j] : perp_random_between(&random, -1, 1);
        }
        a[i * n + i] = perp_random_between(&random, 0.1, 1);
        b[i] = perp_random_between(&random, -1, 1);
      }
      perp_instance p = {.A = problem_dense(n, a), .b = b};
      solved[c] += solve(&candidates[c], &p, &o, x).outcome == PERP_SOLVED;
      perp_operator_destroy(p.A);
    }
  for (int c = 0; c < CANDIDATES; c++)
    CHECK_SAY(solved[c] > 5, "%s %s: %d of 60", candidates[c].method,
              candidates[c].parameter ? candidates[c].parameter : "", solved[c]);
}

/* ---- No solution ---- */

/* u >= 0, A^T u <= 0, b^T u < 0, for the matrix of problem_infeasible: A u = 0 in rows 0 and 1. */
static void infeasible_problems_are_proven_so(void)
{
  static const char *const methods[] = {"ipm", "pgssm"};
  for (int k = 0; k < 2; k++)
    for (int n = 2; n <= 30; n += 4) {
      perp_instance p = problem_infeasible(n);
      const perp_problem problem = perp_instance_problem(&p);
      perp_solver *solver = NULL;
      perp_result r = perp_result_empty();
      double x[30] = {0};
      CHECK(perp_solver_create(methods[k], &solver, NULL) == PERP_OK);
      CHECK(perp_solver_solve(solver, &problem, NULL, x, &r) == PERP_OK);
      CHECK_SAY(r.outcome == PERP_INFEASIBLE, "%s, n = %d: %s", methods[k], n, r.message.text);
      double scaled = 0;
      for (int i = 0; i < n; i++) {
        CHECK(r.ray[i] >= 0);
        scaled += p.b[i] * r.ray[i];
      }
      CHECK(scaled < 0);
      CHECK_CLOSE(r.ray[0], r.ray[1], 1e-12 * r.ray[0]);
      for (int i = 2; i < n; i++)
        CHECK(r.ray[i] <= 1e-12 * r.ray[0]);
      perp_solver_destroy(solver);
      perp_instance_destroy(&p);
    }
}

/* ---- Convergence ---- */

typedef struct {
  int count;
  double residual[64];
  bool feasible;
  const double *lo, *hi;
} trace;

static bool watch(void *context, const perp_progress *progress)
{
  trace *t = context;
  if (t->count < 64)
    t->residual[t->count++] = progress->residual / progress->scale;
  for (int i = 0; i < progress->n && progress->x; i++)
    t->feasible = t->feasible && progress->x[i] >= (t->lo ? t->lo[i] : 0) &&
                  progress->x[i] <= (t->hi ? t->hi[i] : INFINITY);
  return true;
}

/* If the right rows are at their bounds, one system finishes: the last step goes from far away to
 * rounding. Every iterate is in the box. */
static void one_system_ends_it(void)
{
  static const candidate methods[] = {
      {"pgssm", NULL, NULL}, {"pgssm", "k_gs", "5"}, {"kz", NULL, NULL}};
  for (int c = 0; c < 3; c++)
    for (uint64_t seed = 1; seed <= 40; seed++) {
      perp_instance p = problem_random(60, seed % 2 ? PERP_FORM_BOXED : PERP_FORM_LCP, 1e-3, seed);
      trace t = {.feasible = true, .lo = p.lo, .hi = p.hi};
      perp_options o = perp_options_default();
      o.tol = 1e-13;
      o.observer = watch;
      o.observer_context = &t;
      double x[60] = {0};
      const perp_result r = solve(&methods[c], &p, &o, x);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s, seed %d: %s", methods[c].method, (int)seed,
                r.message.text);
      CHECK(t.feasible && t.count >= 2);
      const double last = t.residual[t.count - 1], before = t.residual[t.count - 2];
      CHECK_SAY(before > 1e-13 && last < 1e-13, "%s, seed %d: %g after %g", methods[c].method,
                (int)seed, last, before);
      perp_instance_destroy(&p);
    }
}

/* From a start that has the right rows at their bounds: one factor. */
static void a_start_on_the_right_face_takes_one_factor(void)
{
  static const candidate pgssm = {"pgssm", NULL, NULL};
  perp_instance p = generated("wall:size=nb235_nc1044,plant=yes,active=0.22,degenerate=0");
  const int n = perp_operator_size(p.A);
  double *x = calloc((size_t)n, sizeof *x);
  for (int i = 0; i < n; i++)
    x[i] = 1.0001 * p.x[i];
  const perp_result r = solve(&pgssm, &p, NULL, x);
  CHECK_EQUAL_INT(r.outcome, PERP_SOLVED);
  CHECK_EQUAL_INT(r.counts.factorisations, 1);
  free(x);
  perp_instance_destroy(&p);
}

static void without_subspaces_it_is_gauss_seidel(void)
{
  static const candidate pgs = {"pgs", NULL, NULL};
  perp_instance p = problem_random(30, PERP_FORM_BOXED, 0.5, 7);
  double x[30] = {0}, z[30] = {0};
  perp_options o = perp_options_default();
  o.tol = 0;
  o.max_iterations = 1;
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  const perp_problem problem = perp_instance_problem(&p);
  CHECK(perp_solver_create("pgssm", &solver, NULL) == PERP_OK);
  CHECK(perp_solver_set(solver, "k_sm", 0, NULL) == PERP_OK);
  CHECK(perp_solver_set(solver, "accelerate", 0, NULL) == PERP_OK);
  CHECK(perp_solver_solve(solver, &problem, &o, x, &r) == PERP_OK);
  perp_solver_destroy(solver);
  CHECK(r.counts.sweeps > 0 && r.counts.factorisations == 0);
  o.max_iterations = r.counts.sweeps;
  solve(&pgs, &p, &o, z);
  for (int i = 0; i < 30; i++)
    CHECK_CLOSE(x[i], z[i], 1e-14);
  perp_instance_destroy(&p);
}

typedef struct {
  const perp_instance *instance;
  double *y, phi;
  int raised, seen;
} descent;

/* phi(x) = 1/2 x^T A x + b^T x, by the operator */
static bool watch_phi(void *context, const perp_progress *progress)
{
  descent *d = context;
  if (!progress->x || progress->iteration == 0) /* the start may be outside the box */
    return true;
  const int n = perp_operator_size(d->instance->A);
  double phi = 0, size = 0;
  CHECK(perp_operator_apply(d->instance->A, progress->x, d->y, d->y + n, NULL) == PERP_OK);
  for (int i = 0; i < n; i++) {
    phi += progress->x[i] * (d->y[i] / 2 + d->instance->b[i]);
    size += fabs(progress->x[i]) * (fabs(d->y[i]) + fabs(d->instance->b[i]));
  }
  d->raised += phi > d->phi + 1e-13 * size;
  d->seen++;
  d->phi = phi;
  return true;
}

/* Sweeps with conjugate directions, and no subspaces between them. */
static void check_descent(const perp_instance *p, const char *name)
{
  static const candidate sweeps = {"pgssm", "k_sm", "0"};
  const int n = perp_operator_size(p->A);
  descent d = {.instance = p,
               .y = calloc((size_t)n + perp_operator_scratch(p->A) + 1, sizeof(double)),
               .phi = INFINITY};
  double *x = calloc((size_t)n, sizeof *x);
  perp_options o = perp_options_default();
  o.tol = 0;
  o.max_iterations = 30;
  o.check_every = 1;
  o.observer = watch_phi;
  o.observer_context = &d;
  const perp_result r = solve(&sweeps, p, &o, x);
  CHECK(r.counts.factorisations == 0 && d.seen > 0);
  CHECK_SAY(d.raised == 0, "%s: phi rose %d times", name, d.raised);
  free(x);
  free(d.y);
}

/* Rows 0 .. k-1: stiff, with b of either sign. The others: a loose chain under an even load, whose
 * steps are long and change little. The chain sets beta, which stays near 1 and keeps the stiff
 * rows oscillating: without a safeguard sweeps would raise phi here. */
static perp_instance stiff_rows_beside_a_loose_chain(uint64_t seed)
{
  enum { CHAIN = 40, STIFF = 10, MOST = CHAIN + STIFF };
  static const double weight = 1e-10, step = 100;
  perp_random random = perp_random_from(seed);
  const int k = 2 + (int)(seed % (STIFF - 1)), n = k + CHAIN;
  double a[MOST * MOST] = {0}, lo[MOST], G[(STIFF + 2) * STIFF];
  perp_instance p = {.b = perp_alloc((size_t)n, sizeof *p.b)};
  for (int i = 0; i < (k + 2) * k; i++)
    G[i] = perp_random_between(&random, -1, 1);
  for (int i = 0; i < k; i++) { /* G^T G + I/1000 */
    p.b[i] = perp_random_between(&random, -1, 1);
    a[i * n + i] = 1e-3;
    for (int j = 0; j < k; j++)
      for (int l = 0; l < k + 2; l++)
        a[i * n + j] += G[l * k + i] * G[l * k + j];
  }
  for (int i = k; i < n; i++) {
    p.b[i] = -2 * weight * step;
    a[i * n + i] = 2 * weight;
    if (i > k)
      a[i * n + i - 1] = a[(i - 1) * n + i] = -weight;
  }
  for (int i = 0; i < n; i++)
    lo[i] = -INFINITY;
  p.A = problem_dense(n, a);
  p.lo = perp_alloc_copy(lo, (size_t)n, sizeof *lo);
  return p;
}

static void accelerated_sweeps_lower_phi(void)
{
  static const char *const texts[] = {"wall:size=nb8_nc48", "wall:size=nb235_nc1044",
                                      "wall:rows=6,columns=6,cfm=1e-7", "obstacle:n=400",
                                      "journal:n=400"};
  for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
    perp_instance p = generated(texts[t]);
    check_descent(&p, texts[t]);
    perp_instance_destroy(&p);
  }
  const unsigned share = (unsigned)test_share("loose chains", 5);
  for (uint64_t seed = 1; seed <= 300; seed += share) {
    perp_instance p = stiff_rows_beside_a_loose_chain(seed);
    check_descent(&p, "a loose chain");
    perp_instance_destroy(&p);
  }
}

static void a_limit_on_iterations_changes_nothing_before_it(void)
{
  static const candidate ipm = {"ipm", NULL, NULL};
  perp_instance p = generated("wall:size=nb235_nc1044");
  const int n = perp_operator_size(p.A);
  double *x = calloc((size_t)n, sizeof *x);
  int64_t iterations[2];
  for (int k = 0; k < 2; k++) {
    perp_options o = perp_options_default();
    o.max_iterations = k ? 10000 : 60;
    memset(x, 0, (size_t)n * sizeof *x);
    const perp_result r = solve(&ipm, &p, &o, x);
    CHECK_EQUAL_INT(r.outcome, PERP_SOLVED);
    iterations[k] = r.counts.iterations;
  }
  CHECK_EQUAL_INT(iterations[0], iterations[1]);
  free(x);
  perp_instance_destroy(&p);
}

/* Time limit reached: the best iterate so far, in the box and better than the start. */
static void time_limits_are_kept(void)
{
  static const candidate methods[] = {{"pgssm", NULL, NULL}, {"kz", NULL, NULL}};
  perp_instance p = generated("wall:size=nb907_nc5832");
  const perp_problem problem = perp_instance_problem(&p);
  const int n = perp_operator_size(p.A);
  double *x = calloc((size_t)n, sizeof *x);
  for (int c = 0; c < 2; c++) {
    memset(x, 0, (size_t)n * sizeof *x);
    double before, scale;
    CHECK(perp_problem_judge(&problem, x, &before, &scale, NULL) == PERP_OK);
    perp_options o = perp_options_default();
    o.time_limit = 0.2;
    const perp_result r = solve(&methods[c], &p, &o, x);
    CHECK_EQUAL_INT(r.outcome, PERP_TIME_LIMIT);
    CHECK(r.residual < before);
    for (int i = 0; i < n; i++)
      CHECK(x[i] >= p.lo[i]);
  }
  free(x);
  perp_instance_destroy(&p);
}

/* Numbers of any size, and NaN. */
static void sizes_do_not_matter(void)
{
  for (int c = 0; c < CANDIDATES; c++)
    for (int e = -100; e <= 100; e += 50) {
      const double f = pow(10, e), a[4] = {2 * f, -f, -f, 2 * f};
      double b[2] = {-3, 1}, x[2] = {0};
      perp_instance p = {.A = problem_dense(2, a), .b = b};
      const perp_result r = solve(&candidates[c], &p, NULL, x);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s %s at 1e%d: %s", candidates[c].method,
                candidates[c].parameter ? candidates[c].parameter : "", e, r.message.text);
      b[1] = NAN;
      perp_result bad = perp_result_empty();
      const perp_problem problem = perp_instance_problem(&p);
      CHECK(perp_solve(candidates[c].method, &problem, NULL, x, &bad) == PERP_ERROR_PROBLEM);
      perp_operator_destroy(p.A);
    }
}

static const test_case tests[] = {
    TEST(symmetric_problems_agree_with_enumeration),
    TEST(interior_points_take_matrices_that_are_not_symmetric),
    TEST(planted_solutions_are_found),
    TEST(ill_conditioned_walls_take_few_factors),
    TEST(sparse_matrices_that_are_not_symmetric),
    TEST(singular_problems_are_solved),
    TEST(indefinite_problems_end),
    TEST(infeasible_problems_are_proven_so),
    TEST(one_system_ends_it),
    TEST(a_start_on_the_right_face_takes_one_factor),
    TEST(without_subspaces_it_is_gauss_seidel),
    TEST(accelerated_sweeps_lower_phi),
    TEST(a_limit_on_iterations_changes_nothing_before_it),
    TEST(time_limits_are_kept),
    TEST(sizes_do_not_matter),
};

TEST_MAIN(tests)
