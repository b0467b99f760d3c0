/* test_precision.c: limits of double precision: the floor, the outcome `precision`, and x in two
 * doubles
 *
 * The oracle is the natural residual in numbers of 113 bits. Problems: a row of masses on springs,
 * or a random definite matrix, whose x is held at bounds of about 1 while b is small: then tol
 * max|b| is below what rounding makes of A x. */
#include "test.h"

#include "base/random.h"
#include "method/run/method.h"
#include "quad.h"
#include <perp/frame.h>
#include <perp/lab.h>

enum { MOST = 40 };

typedef struct sample {
  int n;
  double a[MOST * MOST], b[MOST], lo[MOST], hi[MOST];
  perp_operator *A;
  perp_problem p;
} sample;

static void fill_springs(sample *s)
{
  for (int i = 0; i < s->n; i++)
    for (int j = 0; j < s->n; j++)
      s->a[i * s->n + j] = i == j ? 2 : i - j == 1 || j - i == 1 ? -1 : 0;
}

/* B^T B + I / 8 */
static void fill_definite(sample *s, perp_random *random)
{
  double B[MOST][MOST];
  const int n = s->n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      B[i][j] = perp_random_between(random, -1, 1);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = i == j ? 0.125 : 0;
      for (int k = 0; k < n; k++)
        sum += B[k][i] * B[k][j];
      s->a[i * n + j] = sum;
    }
}

static void make_csr(sample *s)
{
  int64_t start[MOST + 1] = {0};
  int column[MOST * MOST];
  double value[MOST * MOST];
  int64_t count = 0;
  for (int i = 0; i < s->n; i++) {
    for (int j = 0; j < s->n; j++)
      if (s->a[i * s->n + j] != 0) {
        column[count] = j;
        value[count++] = s->a[i * s->n + j];
      }
    start[i + 1] = count;
  }
  CHECK(perp_operator_csr(s->n, start, column, value, PERP_COPY, &s->A, NULL) == PERP_OK);
}

/* b of the size `load`; a third of the rows free, the others held from below or from both sides. */
static void open_sample(sample *s, uint64_t seed, double load)
{
  perp_random random = perp_random_from(seed);
  s->n = 3 + perp_random_below(&random, MOST - 2);
  if (seed % 2)
    fill_springs(s);
  else
    fill_definite(s, &random);
  for (int i = 0; i < s->n; i++) {
    const double kind = perp_random_uniform(&random);
    s->b[i] = load * perp_random_between(&random, -1, 1);
    s->lo[i] = kind < 0.3 ? -INFINITY : perp_random_between(&random, 0.5, 1);
    s->hi[i] = kind < 0.6 ? INFINITY : s->lo[i] + perp_random_uniform(&random);
  }
  if (seed % 4 < 2)
    CHECK(perp_operator_dense(s->n, s->a, s->n, PERP_BORROW, &s->A, NULL) == PERP_OK);
  else
    make_csr(s);
  s->p = perp_problem_boxed(s->A, s->b, s->lo, s->hi);
}

static quad magnitude(quad v)
{
  return v < 0 ? -v : v;
}

/* The natural residual of x + low, relative; low may be NULL. */
static double truth(const sample *s, const double *x, const double *low)
{
  quad worst = 0, scale = 0;
  for (int i = 0; i < s->n; i++) {
    const quad X = (quad)x[i] + (low ? low[i] : 0);
    quad r = s->b[i];
    for (int j = 0; j < s->n; j++)
      r += s->a[i * s->n + j] * ((quad)x[j] + (low ? low[j] : 0));
    if (isfinite(s->lo[i]) && r > X - s->lo[i])
      r = X - s->lo[i];
    if (isfinite(s->hi[i]) && r < X - s->hi[i])
      r = X - s->hi[i];
    worst = magnitude(r) > worst ? magnitude(r) : worst;
    scale = magnitude(s->b[i]) > scale ? magnitude(s->b[i]) : scale;
  }
  return (double)(worst / scale);
}

static perp_result solve(const sample *s, const char *method, double tol, double *x, double *low)
{
  perp_options options = perp_options_default();
  perp_result result = perp_result_empty();
  options.tol = tol;
  options.x_low = low;
  memset(x, 0, (size_t)s->n * sizeof *x);
  const perp_error error = perp_solve(method, &s->p, &options, x, &result);
  CHECK_SAY(error == PERP_OK, "%s: %s", method, result.message.text);
  return result;
}

static const char *const methods[] = {"auto",   "blockpivot", "pgssm",   "ipm",  "dantzig", "murty",
                                      "keller", "minmap",     "fischer", "nncg", "gpcg"};
enum { METHODS = sizeof methods / sizeof *methods };

/* ---- Two doubles ---- */

static void two_doubles_meet_any_tolerance(void)
{
  static const double tols[] = {1e-8, 1e-12, 1e-18};
  const int share = test_share("problems", 10);
  for (int k = 0; k < 300; k += share) {
    sample s;
    const double load = pow(10, -(double)(k % 11));
    open_sample(&s, 1000 + (uint64_t)k, load);
    const char *method = methods[k % METHODS];
    double x[MOST], low[MOST], residual, scale;
    const double tol = tols[k % 3];
    const perp_result r = solve(&s, method, tol, x, low);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%d: %s, load %g, tol %g: %s: %s", k, method, load, tol,
              perp_outcome_name(r.outcome), r.message.text);
    CHECK_SAY(truth(&s, x, low) <= 1.0001 * tol, "%d: %s: %g above %g", k, method,
              truth(&s, x, low), tol);
    CHECK(perp_problem_judge_low(&s.p, x, low, &residual, &scale, NULL) == PERP_OK);
    CHECK(residual == r.residual && residual / scale <= tol);
    for (int i = 0; i < s.n; i++) {
      CHECK(x[i] + low[i] == x[i]); /* x is x + low, rounded */
      CHECK(x[i] >= s.lo[i] && x[i] <= s.hi[i]);
    }
    perp_operator_destroy(s.A);
  }
}

/* ---- The floor ---- */

/* The reported floor holds for the rounded solution and is not much too high. */
static void the_floor_is_where_rounding_leaves_a_solution(void)
{
  double nearest = 0;
  int named = 0;
  for (int k = 0; k < 300; k++) {
    sample s;
    open_sample(&s, 5000 + (uint64_t)k, 1e-9);
    double x[MOST], low[MOST];
    CHECK(solve(&s, "blockpivot", 1e-20, x, low).outcome == PERP_SOLVED);
    const double rounded = truth(&s, x, NULL);
    double other[MOST];
    const perp_result r = solve(&s, methods[k % METHODS], 1e-3 * rounded, other, NULL);
    if (r.outcome == PERP_PRECISION) {
      const double floor = r.floor / r.scale;
      named++;
      CHECK_SAY(rounded <= floor, "%d: the rounded solution has %g, the floor is %g", k, rounded,
                floor);
      CHECK_SAY(r.relative_residual <= 4 * floor && floor <= 1e-4, "%d: %g at a floor of %g", k,
                r.relative_residual, floor);
      CHECK(1e-3 * rounded < floor && strstr(r.message.text, "x_low"));
      nearest = rounded / floor > nearest ? rounded / floor : nearest;
    } else {
      CHECK_SAY(r.outcome != PERP_SOLVED || truth(&s, other, NULL) <= rounded, "%d: %s", k,
                r.message.text);
    }
    perp_operator_destroy(s.A);
  }
  printf("  of 300 runs %d ended at the floor; rounding alone made up to %.2f of it\n", named,
         nearest);
  CHECK(named >= 240 && nearest > 0.1);
}

/* ---- Who decides ---- */

/* Test methods that stay at a point whose residual is `off` floors. */
static double off;
static const double *solution;

static perp_error stand_still(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params;
  double floor = 0;
  for (int i = 0; i < p->K.n; i++)
    x[i] = solution[i];
  for (int j = 0; j < p->K.n; j++)
    floor = fmax(floor, 0x1p-52 * 4 * fabs(x[j]));
  x[p->K.n / 2] += off * floor / 2; /* A_ii = 2 */
  while (perp_run_next(run, x, NULL)) {
  }
  return PERP_OK;
}

static perp_error give_up(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params;
  for (int i = 0; i < p->K.n; i++)
    x[i] = solution[i] * (1 + off * 0x1p-52);
  perp_run_claim(run, PERP_STAGNATED);
  return PERP_OK;
}

static perp_method fake(perp_error (*run)(perp_run *, const perp_problem *, const void *, double *))
{
  static const perp_parameter none[] = {{0}};
  return (perp_method){.name = "fake",
                       .title = "a method of the tests",
                       .family = "test",
                       .source = "",
                       .takes = 31,
                       .needs = PERP_CAN_APPLY,
                       .max_iterations = 100000,
                       .parameters = none,
                       .solve = run};
}

static perp_result run_fake(const perp_method *method, const sample *s, double tol)
{
  double x[MOST] = {0};
  perp_solver *solver = NULL;
  perp_options options = perp_options_default();
  perp_result r = perp_result_empty();
  options.tol = tol;
  CHECK(perp_solver_create_with(method, &solver, NULL) == PERP_OK);
  CHECK(perp_solver_solve(solver, &s->p, &options, x, &r) == PERP_OK);
  perp_solver_destroy(solver);
  return r;
}

static void only_what_is_at_the_floor_ends_there(void)
{
  const perp_method still = fake(stand_still), stuck = fake(give_up);
  sample s;
  double x[MOST], low[MOST];
  for (uint64_t seed = 1; seed < 80; seed += 2) { /* springs */
    open_sample(&s, seed, 1e-9);
    CHECK(solve(&s, "blockpivot", 1e-20, x, low).outcome == PERP_SOLVED);
    solution = x;
    const double floor = 0x1p-52 * 4 / 1e-9; /* about: x is about 1 */
    static const double far[] = {0.2, 20, 1e3, 1e6};
    for (int k = 0; k < 4; k++) {
      off = far[k];
      const perp_result r = run_fake(&still, &s, 1e-5 * floor);
      const perp_outcome expected = k == 0 ? PERP_PRECISION : PERP_ITERATION_LIMIT;
      CHECK_SAY(r.outcome == expected, "seed %d, %g floors: %s: %s", (int)seed, off,
                perp_outcome_name(r.outcome), r.message.text);
      CHECK(k > 0 || r.counts.iterations < 100);
      const perp_result g = run_fake(&stuck, &s, 1e-5 * floor);
      CHECK_SAY(k < 2 || g.outcome == PERP_STAGNATED, "seed %d, %g off: %s: %s", (int)seed, off,
                perp_outcome_name(g.outcome), g.message.text);
      CHECK(k > 0 || g.outcome == PERP_PRECISION);
      /* if doubles can meet the tolerance, precision is not the reason */
      CHECK(run_fake(&stuck, &s, 1e-2).outcome == (k < 3 ? PERP_SOLVED : PERP_STAGNATED) || k == 3);
    }
    perp_operator_destroy(s.A);
  }
}

/* ---- What "precision" says ---- */

enum { FEW = 6 };

/* A singular, nearly singular or arbitrary LCP of entries up to 2^300 or down to 2^-300, with a planted x of
 * doubles. Returns false if b overflows. */
static bool plant(uint64_t seed, sample *s, double *x)
{
  perp_random random = perp_random_from(seed);
  const int n = s->n = 1 + perp_random_below(&random, FEW), style = perp_random_below(&random, 6);
  const int spread = 30 * perp_random_below(&random, 3) * (perp_random_below(&random, 2) ? 1 : 20);
  const int rank = style < 4 ? (n + 1) / 2 : n;
  double g[FEW * FEW];
  for (int k = 0; k < n * n; k++)
    g[k] =
        ldexp(style % 2 ? perp_random_between(&random, -1, 1) : perp_random_below(&random, 7) - 3,
              perp_random_below(&random, spread + 1) - spread / 2);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < rank; k++)
        sum += g[i * n + k] * g[j * n + k];
      s->a[i * n + j] = style < 2 ? g[i * n + j] : sum;
    }
  if (n > 1 && perp_random_below(&random, 2)) { /* two rows equal, or nearly */
    memcpy(s->a + n, s->a, (size_t)n * sizeof *s->a);
    s->a[n] *= 1 + 0x1p-52 * perp_random_below(&random, 5);
  }
  bool finite = true, any = false;
  for (int i = 0; i < n; i++) {
    x[i] = ldexp(perp_random_uniform(&random), perp_random_below(&random, spread + 1) - spread / 2);
    x[i] = perp_random_below(&random, 2) ? rint(8 * x[i]) : x[i];
    x[i] *= perp_random_below(&random, 3) > 0;
    s->lo[i] = 0;
    s->hi[i] = INFINITY;
  }
  for (int i = 0; i < n; i++) {
    quad sum = 0;
    for (int j = 0; j < n; j++)
      sum -= (quad)s->a[i * n + j] * x[j];
    s->b[i] = (double)sum;
    s->b[i] += x[i] == 0 && perp_random_below(&random, 2) ? fabs(s->b[i]) : 0;
    finite = finite && isfinite(s->b[i]);
    any = any || s->b[i] != 0;
  }
  return finite && any;
}

/* Returns the largest change of a row of A x if every x_j moves to the next double. */
static quad change_by_last_digits(const sample *s, const double *x)
{
  quad most = 0;
  for (int i = 0; i < s->n; i++) {
    quad sum = 0;
    for (int j = 0; j < s->n; j++)
      sum += magnitude(s->a[i * s->n + j] * ((quad)nextafter(x[j], INFINITY) - x[j]));
    most = sum > most ? sum : most;
  }
  return most;
}

/* "precision" is not a proof: some of these problems have a double x within the tolerance. It says that the residual
 * is near the floor, the floor is above the target, and the last digits of x change y by half the floor or more. */
static void precision_claims_only_what_holds(void)
{
  static const char *const some[] = {"auto", "enumerate", "lemke", "blockpivot", "ssn", "ipm"};
  int said = 0, reachable = 0, by_auto = 0, problems = 0;
  for (int k = 0; k < 900; k++) {
    sample s;
    double planted[FEW], x[MOST];
    const double tol = pow(10, -12 - k % 6);
    if (!plant(70000 + (uint64_t)k, &s, planted))
      continue;
    const bool within = truth(&s, planted, NULL) <= 0.999 * tol;
    problems += within;
    CHECK(perp_operator_dense(s.n, s.a, s.n, PERP_BORROW, &s.A, NULL) == PERP_OK);
    s.p = perp_problem_lcp(s.A, s.b);
    for (int m = 0; m < 6; m++) {
      const perp_result r = solve(&s, some[m], tol, x, NULL);
      CHECK(r.outcome != PERP_SOLVED || truth(&s, x, NULL) <= (1 + 1e-12) * tol);
      if (r.outcome != PERP_PRECISION)
        continue;
      said++;
      reachable += within;
      by_auto += within && m == 0 && tol > 0.9e-15;
      CHECK(fabs(truth(&s, x, NULL) - r.relative_residual) <= 1e-9 * r.relative_residual);
      CHECK(tol * r.scale < r.floor && r.residual <= 4 * r.floor);
      CHECK_SAY(change_by_last_digits(&s, x) >= 0.4999 * r.floor, "%d, %s: floor %g, digits %g", k,
                some[m], r.floor, (double)change_by_last_digits(&s, x));
      CHECK_SAY(strstr(r.message.text, "rounding floor") && strstr(r.message.text, "x_low"), "%s",
                r.message.text);
    }
    perp_operator_destroy(s.A);
  }
  printf(
      "  %d of %d runs ended with precision, %d of them on the %d problems with an x of doubles\n",
      said, 6 * 900, reachable, problems);
  CHECK(said > 100 && reachable > 10);
  CHECK_EQUAL_INT(by_auto, 0);
}

/* A grid as fine as in the observed case: b is about h^2. */
static void a_fine_grid_names_its_floor(void)
{
  static const char *const grid_methods[] = {"mg", "auto", "pgssm", "blockpivot", "minmap"};
  for (int m = 0; m < 5; m++) {
    perp_instance grid = {0};
    CHECK(perp_generate("obstacle:points=65,load=1e-5", &grid, NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&grid);
    double *x = calloc((size_t)p.K.n, sizeof *x), *low = calloc((size_t)p.K.n, sizeof *low);
    perp_result r = perp_result_empty();
    CHECK(x && low && perp_solve(grid_methods[m], &p, NULL, x, &r) == PERP_OK);
    CHECK_SAY(r.outcome == PERP_PRECISION, "%s: %s: %s", grid_methods[m],
              perp_outcome_name(r.outcome), r.message.text);
    CHECK(r.floor > 1e-8 * r.scale && r.residual <= 4 * r.floor && r.counts.iterations < 1000);
    perp_options options = perp_options_default();
    options.x_low = low;
    options.tol = 1e-12;
    memset(x, 0, (size_t)p.K.n * sizeof *x);
    CHECK(perp_solve(grid_methods[m], &p, &options, x, &r) == PERP_OK);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", grid_methods[m], r.message.text);
    free(x);
    free(low);
    perp_instance_destroy(&grid);
  }
}

/* ---- Forms it takes ---- */

static void refuse(const perp_problem *p, const char *method, const char *word)
{
  double x[8] = {0}, low[8] = {0}, residual, scale;
  perp_options options = perp_options_default();
  perp_result r = perp_result_empty();
  perp_message why = {""};
  options.x_low = low;
  CHECK(perp_solve(method, p, &options, x, &r) == PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(r.message.text, "x_low") && strstr(r.message.text, word), "%s", r.message.text);
  CHECK(r.outcome == PERP_NOT_RUN && x[0] == 0);
  if (strcmp(method, "lemke") != 0) {
    CHECK(perp_problem_judge_low(p, x, low, &residual, &scale, &why) == PERP_ERROR_UNSUPPORTED);
    CHECK_SAY(strstr(why.text, word), "%s", why.text);
  }
}

static int twice(void *context, const double *x, double *y)
{
  (void)context;
  for (int i = 0; i < 3; i++)
    y[i] = 2 * x[i];
  return 0;
}

static void what_cannot_be_had_is_refused_by_name(void)
{
  static const double a[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, b[3] = {-1, 1, 0}, mu[1] = {0.5};
  static const double lo[3] = {0, -0.5, -0.5}, hi[3] = {1e300, 0.5, 0.5};
  static const int findex[3] = {-1, 0, 0};
  perp_operator *A = NULL, *B = NULL;
  CHECK(perp_operator_dense(3, a, 3, PERP_BORROW, &A, NULL) == PERP_OK);
  perp_problem p = perp_problem_lcp(A, b);
  refuse(&p, "lemke", "lemke");
  p.K.mu = mu;
  p.K.cones = 1;
  refuse(&p, "auto", "cone");
  p = perp_problem_boxed(A, b, lo, hi);
  p.K.findex = findex;
  refuse(&p, "pgs", "findex");
  perp_shell shell = perp_shell_default();
  shell.apply = twice;
  CHECK(perp_operator_shell(3, &shell, &B, NULL) == PERP_OK);
  p = perp_problem_lcp(B, b);
  refuse(&p, "spg", "shell");
  perp_islands *islands = NULL;
  double x[3] = {0}, low[3] = {0};
  perp_options options = perp_options_default();
  perp_result r = perp_result_empty();
  options.x_low = low;
  p = perp_problem_lcp(A, b);
  CHECK(perp_islands_create("pgs", &islands, NULL) == PERP_OK);
  CHECK(perp_islands_solve(islands, &p, &options, x, &r) == PERP_ERROR_UNSUPPORTED);
  perp_islands_destroy(islands);
  perp_operator_destroy(A);
  perp_operator_destroy(B);
}

typedef struct listener {
  int64_t heard, last;
  double residual;
  int64_t stop_at;
} listener;

static bool listen(void *context, const perp_progress *progress)
{
  listener *l = context;
  l->heard++;
  l->last = progress->iteration;
  l->residual = progress->relative_residual;
  return l->heard != l->stop_at;
}

static void limits_and_observers_hold_for_corrections(void)
{
  sample s;
  double x[MOST] = {0}, low[MOST];
  open_sample(&s, 7, 1e-9);
  listener l = {0};
  perp_options options = perp_options_default();
  perp_result r = perp_result_empty();
  options.x_low = low;
  options.tol = 1e-18;
  options.observer = listen;
  options.observer_context = &l;
  CHECK(perp_solve("nncg", &s.p, &options, x, &r) == PERP_OK && r.outcome == PERP_SOLVED);
  CHECK_EQUAL_INT(l.last, r.counts.iterations);
  CHECK(l.residual < 1e-15);
  const int64_t all = l.heard, iterations = r.counts.iterations;
  for (int64_t stop = 1; stop < all; stop++) {
    l = (listener){.stop_at = stop};
    memset(x, 0, sizeof x);
    CHECK(perp_solve("nncg", &s.p, &options, x, &r) == PERP_OK);
    CHECK_SAY(l.heard == stop && (r.outcome == PERP_STOPPED || r.relative_residual <= 1e-18),
              "%lld of %lld: %s", (long long)stop, (long long)all, perp_outcome_name(r.outcome));
    CHECK(fabs(truth(&s, x, low) - r.relative_residual) <= 1e-3 * r.relative_residual + 1e-12);
  }
  options.observer = NULL;
  for (int64_t limit = 1; limit < iterations; limit++) {
    memset(x, 0, sizeof x);
    options.max_iterations = limit;
    CHECK(perp_solve("nncg", &s.p, &options, x, &r) == PERP_OK && r.counts.iterations <= limit);
    /* The driver looks once more at a limit, and may find solved what it would have gone on with. */
    CHECK_SAY(r.outcome == PERP_ITERATION_LIMIT || r.outcome == PERP_PRECISION ||
                  (r.outcome == PERP_SOLVED && truth(&s, x, low) <= 1.0001e-18),
              "%lld: %s", (long long)limit, perp_outcome_name(r.outcome));
  }
  perp_operator_destroy(s.A);
}

/* The bits of x and x_low do not depend on earlier solves. */
static void a_second_solve_gives_the_same(void)
{
  sample s;
  open_sample(&s, 4, 1e-9);
  for (int m = 0; m < METHODS; m++) {
    perp_solver *solver = NULL;
    perp_options options = perp_options_default();
    double x[3][MOST] = {{0}}, low[3][MOST] = {{0}};
    CHECK(perp_solver_create(methods[m], &solver, NULL) == PERP_OK);
    options.tol = 1e-16;
    for (int k = 0; k < 3; k++) {
      perp_result r = perp_result_empty();
      options.x_low = k == 1 ? NULL : low[k];
      CHECK(perp_solver_solve(solver, &s.p, &options, x[k], &r) == PERP_OK);
      CHECK_SAY(k == 1 || r.outcome == PERP_SOLVED, "%s: %s", methods[m], r.message.text);
    }
    CHECK(memcmp(x[0], x[2], sizeof x[0]) == 0 && memcmp(low[0], low[2], sizeof low[0]) == 0);
    perp_solver_destroy(solver);
  }
  perp_operator_destroy(s.A);
}

static const test_case tests[] = {
    TEST(two_doubles_meet_any_tolerance),
    TEST(the_floor_is_where_rounding_leaves_a_solution),
    TEST(only_what_is_at_the_floor_ends_there),
    TEST(precision_claims_only_what_holds),
    TEST(a_fine_grid_names_its_floor),
    TEST(what_cannot_be_had_is_refused_by_name),
    TEST(limits_and_observers_hold_for_corrections),
    TEST(a_second_solve_gives_the_same),
};

TEST_MAIN(tests)
