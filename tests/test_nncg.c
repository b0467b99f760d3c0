/* test_nncg.c: conjugate sweeps by contact, for Coulomb cones
 *
 * Oracles: the recurrence of the method on a dense matrix, with local problems solved by thousands
 * of fixed-point steps; natural residuals by judge.h. Neither shares code with the method. */
#include "contact_oracles.h"
#include "generated.h"
#include "judge.h"
#include "test.h"

#include <math.h>
#include <string.h>

/* setting: "name=value", or "". */
static perp_result solve_with(const char *method, const char *setting, const perp_problem *p,
                              const perp_options *options, double *x)
{
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  CHECK(perp_solver_create(method, &solver, NULL) == PERP_OK);
  if (*setting) {
    char name[32];
    const char *equals = strchr(setting, '=');
    snprintf(name, sizeof name, "%.*s", (int)(equals - setting), setting);
    CHECK(perp_solver_set_text(solver, name, equals + 1, NULL) == PERP_OK);
  }
  const perp_error error = perp_solver_solve(solver, p, options, x, &r);
  CHECK_SAY(error == PERP_OK, "%s: %s", method, r.message.text);
  perp_solver_destroy(solver);
  return r;
}

/* ---- The recurrence, slowly ---- */

static void project(double mu, double *z)
{
  const double s = hypot(z[1], z[2]);
  if (s <= mu * z[0])
    return;
  if (mu * s <= -z[0]) {
    z[0] = z[1] = z[2] = 0;
    return;
  }
  const double c = (z[0] + mu * s) / (1 + mu * mu);
  z[1] *= mu * c / s;
  z[2] *= mu * c / s;
  z[0] = c;
}

/* z <- P(z - rho (y_n + mu |y_t|, y_t)), y = W z + q, until it stands still. */
static void solve_local(const double *a, int n, int row, const double *q, double mu, double *z)
{
  const double *W = a + row * n + row;
  const double rho = 1 / (W[0] + W[n + 1] + W[2 * n + 2]);
  double moved = 1;
  for (int k = 0; k < 100000 && moved > 1e-15; k++) {
    double y[3], next[3];
    for (int t = 0; t < 3; t++)
      y[t] = q[t] + W[t * n] * z[0] + W[t * n + 1] * z[1] + W[t * n + 2] * z[2];
    y[0] += mu * hypot(y[1], y[2]);
    for (int t = 0; t < 3; t++)
      next[t] = z[t] - rho * y[t];
    project(mu, next);
    moved = 0;
    for (int t = 0; t < 3; t++) {
      moved = fmax(moved, fabs(next[t] - z[t]) / (1 + fabs(z[t])));
      z[t] = next[t];
    }
  }
}

/* One sweep over the cones, backward or not; returns the square of its step. */
static double sweep(const double *a, const perp_problem *p, bool backward, double *x)
{
  const int n = p->K.n;
  double moved = 0;
  for (int k = 0; k < p->K.cones; k++) {
    const int c = backward ? p->K.cones - 1 - k : k, row = 3 * c;
    double q[3], old[3];
    for (int t = 0; t < 3; t++) {
      q[t] = p->b[row + t];
      for (int j = 0; j < n; j++)
        if (j < row || j > row + 2)
          q[t] += a[(row + t) * n + j] * x[j];
      old[t] = x[row + t];
    }
    solve_local(a, n, row, q, p->K.mu[c], x + row);
    for (int t = 0; t < 3; t++)
      moved += (x[row + t] - old[t]) * (x[row + t] - old[t]);
  }
  return moved;
}

/* Computes x after `iterations` iterations from 0, few enough for the slack of 0.05. *extrapolated
 * counts iterations with a direction, *nearest is the smallest margin of a decision. */
static void iterate(const double *a, const perp_problem *p, bool backward, int iterations,
                    double *x, int *extrapolated, double *nearest)
{
  const int n = p->K.n;
  double *z = calloc((size_t)n, sizeof *z), last = INFINITY;
  for (int k = 0; k < iterations; k++) {
    const double now = sweep(a, p, backward, x), beta = now / last;
    *nearest = fmin(*nearest, fabs(beta - 1.05));
    last = now;
    for (int i = 0; i < n; i++) {
      const double next = beta <= 1.05 ? x[i] + fmin(beta, 1) * (x[i] - z[i]) : x[i];
      z[i] = x[i];
      x[i] = next;
    }
    for (int c = 0; c < p->K.cones; c++)
      project(p->K.mu[c], x + 3 * c);
    *extrapolated += beta > 0 && beta <= 1.05;
  }
  free(z);
}

/* On dense, csr and contact operators, all of the same problem. */
static void compare_iterates(const perp_instance *instance, const char *text, bool backward,
                             int *extrapolated, int *compared)
{
  enum { ITERATIONS = 12 };
  const perp_problem p = perp_instance_problem(instance);
  const int n = p.K.n;
  double *a = dense_of(p.A), *expected = calloc((size_t)n, sizeof *expected);
  double nearest = INFINITY;
  iterate(a, &p, backward, ITERATIONS, expected, extrapolated, &nearest);
  perp_operator *A[3] = {instance->A, NULL, NULL};
  CHECK(perp_operator_to_csr(A[0], 0, &A[1], NULL) == PERP_OK);
  CHECK(perp_operator_dense(n, a, n, PERP_BORROW, &A[2], NULL) == PERP_OK);
  for (int k = 0; k < 3 && nearest > 1e-4; k++) {
    double *x = calloc((size_t)n, sizeof *x);
    perp_problem same = p;
    same.A = A[k];
    perp_options o = perp_options_default();
    o.tol = 0;
    o.max_iterations = ITERATIONS;
    o.check_every = ITERATIONS;
    const perp_result r =
        solve_with("nncg", backward ? "order=backward" : "order=forward", &same, &o, x);
    for (int i = 0; i < n && r.counts.sweeps == ITERATIONS; i++)
      CHECK_SAY(fabs(x[i] - expected[i]) <= 1e-7 * (1 + fabs(expected[i])),
                "%s on %s, row %d: %.12g against %.12g", text, perp_operator_kind(A[k]), i, x[i],
                expected[i]);
    *compared += r.counts.sweeps == ITERATIONS && r.residual > 1e-6;
    free(x);
  }
  perp_operator_destroy(A[1]);
  perp_operator_destroy(A[2]);
  free(a);
  free(expected);
}

/* The driver returns the best iterate. So we compare only runs whose last iterate was the best, or
 * the only one checked; check_every makes it the only one besides the start. */
static void iterates_are_those_of_the_recurrence(void)
{
  static const char *const kinds[] = {"stack:n=3,form=cone", "pile:n=6,layout=random,form=cone",
                                      "arch:n=5,form=cone", "wall:rows=2,columns=2,form=cone"};
  int extrapolated = 0, compared = 0;
  for (int k = 0; k < 4; k++)
    for (int seed = 100; seed < 130; seed++) {
      char text[128];
      snprintf(text, sizeof text, "%s,mu=0.4,cfm=1e-2,operator=contact,jitter=0.1,seed=%d",
               kinds[k], seed);
      perp_instance instance = generated(text);
      compare_iterates(&instance, text, seed % 2, &extrapolated, &compared);
      perp_instance_destroy(&instance);
    }
  CHECK_SAY(extrapolated > 800, "%d of %d", extrapolated, 4 * 30 * 12);
  CHECK_SAY(compared > 240, "%d of %d", compared, 4 * 30 * 3);
}

/* ---- Solutions ---- */

/* Returns true if it is solved, and checks that claim. */
static bool solves(const char *text, const char *setting)
{
  perp_instance instance = generated(text);
  const perp_problem p = perp_instance_problem(&instance);
  double *x = calloc((size_t)p.K.n + 1, sizeof *x);
  perp_options o = perp_options_default();
  o.max_iterations = 20000;
  const perp_result r = solve_with("nncg", setting, &p, &o, x);
  judge j;
  CHECK(judge_open(&j, &p));
  long double rounding;
  const long double residual = judge_residual(&j, x, &rounding);
  CHECK_SAY(r.outcome != PERP_SOLVED || residual <= 1e-8L * j.scale + rounding, "%s %s: %Lg", text,
            setting, residual);
  perp_operator_destroy(j.A);
  free(x);
  perp_instance_destroy(&instance);
  return r.outcome == PERP_SOLVED;
}

/* Planted solutions with sticking, sliding, open and degenerate contacts. One pile of mu = 0.6
 * makes sweeps cycle for every omega, including bgs. */
static void hundreds_of_planted_problems_are_solved(void)
{
  static const char *const kinds[] = {"stack:n=3", "pile:n=12", "arch:n=7",
                                      "wall:rows=2,columns=3,cfm=1e-3"};
  static const char *const settings[] = {"", "order=backward", "order=symmetric", "omega=0.8",
                                         "omega=0.9"};
  const int share = test_share("seeds of planted problems", 4);
  int solved = 0, tried = 0;
  for (int seed = 200; seed < 300; seed += share)
    for (int k = 0; k < 4; k++, tried++) {
      char text[128];
      snprintf(text, sizeof text, "%s,form=cone,plant=yes,mu=%g,operator=%s,seed=%d", kinds[k],
               0.1 * (1 + seed % 6), seed % 2 ? "csr" : "contact", seed);
      solved += solves(text, settings[seed % 5]);
    }
  CHECK_SAY(100 * solved >= 99 * tried, "%d of %d", solved, tried);
}

static void cones_without_friction_are_solved(void)
{
  CHECK(solves("stack:form=cone,mu=0", ""));
  CHECK(solves("pile:n=20,form=cone,mu=0,operator=contact", ""));
}

/* ---- Speed ---- */

enum { MOST_SWEEPS = 30000 };

/* MOST_SWEEPS if they are not enough. */
static int64_t sweeps_to(const char *method, const char *text, double tol)
{
  perp_instance instance = generated(text);
  const perp_problem p = perp_instance_problem(&instance);
  double *x = calloc((size_t)p.K.n, sizeof *x);
  perp_options o = perp_options_default();
  o.tol = tol;
  o.max_iterations = MOST_SWEEPS;
  const perp_result r = solve_with(method, "", &p, &o, x);
  free(x);
  perp_instance_destroy(&instance);
  return r.outcome == PERP_SOLVED ? r.counts.sweeps : MOST_SWEEPS;
}

/* The constants of the method were chosen on seeds 1 to 5. */
static void sweeps_are_half_of_those_of_bgs(void)
{
  static const char *const kinds[] = {
      "pile:n=25",
      "pile:n=40,layout=random",
      "wall:rows=3,columns=4",
      "arch:n=11",
      "stack:n=6",
      "stack:n=12",
      "stack:n=5,ratio=30",
      "cards:n=3",
      "wall:rows=3,columns=5,mu=0.3,speed=0",
  };
  enum { KINDS = sizeof kinds / sizeof *kinds };
  static const double tols[] = {1e-6, 1e-8};
  for (int t = 0; t < 2; t++) {
    double sum = 0;
    for (int k = 0; k < KINDS; k++)
      for (int seed = 31; seed < 34; seed++) {
        char text[128];
        snprintf(text, sizeof text, "%s,form=cone,operator=%s,seed=%d", kinds[k],
                 seed % 2 ? "contact" : "csr", seed);
        const int64_t nncg = sweeps_to("nncg", text, tols[t]);
        const int64_t bgs = sweeps_to("bgs", text, tols[t]);
        CHECK_SAY(nncg < MOST_SWEEPS || bgs == MOST_SWEEPS, "%s: bgs %lld", text, (long long)bgs);
        sum += log((double)nncg / (double)bgs);
      }
    const double mean = exp(sum / (3 * KINDS));
    CHECK_SAY(mean < 0.5, "to %g: %.3f", tols[t], mean);
  }
}

/* Sweeps with omega = 1 cycle on this problem, with and without directions. */
static void sweeps_that_circle_are_damped(void)
{
  const char *root = getenv("PERP_CORPUS");
  if (!root || !*root)
    root = PERP_TEST_DATA "/../../shared/corpus";
  char path[512];
  perp_instance instance;
  snprintf(path, sizeof path, "%.400s/siconos/fc3d_OneObject-i100000-499", root);
  if (perp_folder_read(path, &instance, NULL))
    test_skip("no corpus beside the repository");
  const perp_problem p = perp_instance_problem(&instance);
  double *x = calloc((size_t)p.K.n, sizeof *x);
  const perp_result r = solve_with("nncg", "", &p, NULL, x);
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s", r.message.text);
  free(x);
  perp_instance_destroy(&instance);
}

static void coloured_sweeps_refuse_cones(void)
{
  perp_instance instance = generated("stack:n=2,form=cone");
  const perp_problem p = perp_instance_problem(&instance);
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  double x[24] = {0};
  CHECK(p.K.n <= 24);
  CHECK(perp_solver_create("nncg", &solver, NULL) == PERP_OK);
  CHECK(perp_solver_set_text(solver, "order", "coloured", NULL) == PERP_OK);
  CHECK(perp_solver_solve(solver, &p, NULL, x, &r) == PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(r.message.text, "coloured") && strstr(r.message.text, "cones"), "%s",
            r.message.text);
  perp_solver_destroy(solver);
  perp_instance_destroy(&instance);
}

static const test_case tests[] = {
    TEST(iterates_are_those_of_the_recurrence), TEST(hundreds_of_planted_problems_are_solved),
    TEST(cones_without_friction_are_solved),    TEST(sweeps_are_half_of_those_of_bgs),
    TEST(sweeps_that_circle_are_damped),        TEST(coloured_sweeps_refuse_cones),
};

TEST_MAIN(tests)
