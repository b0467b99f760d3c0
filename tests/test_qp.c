/* test_qp.c: quadratic programs against an oracle that tries all active sets */
#include "qp_oracle.h"
#include "test.h"

#include "base/random.h"
#include <perp/lab.h>
#include <perp/perp.h>

/* ---- Programs ---- */

/* kind: how many digits the data have and which bounds there are. */
typedef struct sample_kind {
  bool whole;    /* small whole numbers: many ties */
  int rank;      /* of P; -1: n */
  bool boxed;    /* lb and ub are finite */
  double equal;  /* share of rows with l = u */
  double around; /* bounds of rows are about this far from G x at a random x; below 0: infeasible
                    ones come up too */
} sample_kind;

static double draw(perp_random *random, bool whole)
{
  const double v = perp_random_between(random, -4, 4);
  return whole ? floor(v + 0.5) : v;
}

static small_qp make_sample(const sample_kind *kind, int n, int m, uint64_t seed)
{
  small_qp p = {.n = n, .m = m};
  perp_random random = perp_random_from(seed);
  double F[QP_MOST * QP_MOST] = {0}, x[QP_MOST];
  const int rank = kind->rank < 0 ? n : kind->rank < n ? kind->rank : n;
  for (int r = 0; r < rank; r++)
    for (int i = 0; i < n; i++)
      F[r * n + i] = draw(&random, kind->whole);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      for (int r = 0; r < rank; r++)
        p.P[i * n + j] += F[r * n + i] * F[r * n + j];
      if (i == j && kind->rank < 0)
        p.P[i * n + j] += 1;
    }
  for (int i = 0; i < n; i++) {
    p.q[i] = draw(&random, kind->whole) * 3;
    x[i] = draw(&random, kind->whole);
    const double below = fabs(draw(&random, kind->whole)), above = fabs(draw(&random, kind->whole));
    p.L[i] = kind->boxed || perp_random_uniform(&random) < 0.4 ? x[i] - below : -INFINITY;
    p.U[i] = kind->boxed || perp_random_uniform(&random) < 0.4 ? x[i] + above : INFINITY;
  }
  for (int r = 0; r < m; r++) {
    double t = 0;
    for (int j = 0; j < n; j++) {
      p.G[r * n + j] = perp_random_uniform(&random) < 0.7 ? draw(&random, kind->whole) : 0;
      t += p.G[r * n + j] * x[j];
    }
    const double shift = kind->around < 0 ? 4 * draw(&random, kind->whole) : 0;
    const double below = fabs(draw(&random, kind->whole)), above = fabs(draw(&random, kind->whole));
    p.L[n + r] = t + shift - below;
    p.U[n + r] = t + shift + above;
    if (perp_random_uniform(&random) < kind->equal)
      p.U[n + r] = p.L[n + r] = t + shift;
    else if (perp_random_uniform(&random) < 0.3)
      p.L[n + r] = -INFINITY;
    else if (perp_random_uniform(&random) < 0.4)
      p.U[n + r] = INFINITY;
  }
  return p;
}

/* The program of the library, with borrowed arrays; P is the caller's to destroy. */
static perp_qp to_library(const small_qp *p, perp_operator **P)
{
  perp_qp qp = perp_qp_default();
  CHECK(perp_operator_dense(p->n, p->P, p->n, PERP_BORROW, P, NULL) == PERP_OK);
  qp.n = p->n, qp.m = p->m, qp.P = *P, qp.q = p->q, qp.G_value = p->G;
  qp.lb = p->L, qp.ub = p->U, qp.l = p->L + p->n, qp.u = p->U + p->n;
  return qp;
}

/* The verdict as <perp/qp.h> defines it, in long double: the worst of the three numbers. */
static double verdict(const small_qp *p, const double *x, const double *z, const double *w)
{
  const int n = p->n, all = n + p->m;
  long double P_max = 0, q_max = 0, unit = INFINITY, stationarity = 0, dual, primal, violated = 0;
  long double Ex[2 * QP_MOST], v[2 * QP_MOST];
  for (int i = 0; i < n; i++) {
    q_max = fmaxl(q_max, fabsl((long double)p->q[i]));
    for (int j = 0; j < n; j++)
      P_max = fmaxl(P_max, fabsl((long double)p->P[i * n + j]));
  }
  for (int k = 0; k < all; k++) {
    v[k] = k < n ? w[k] : z[k - n];
    Ex[k] = 0;
    for (int j = 0; j < n; j++)
      Ex[k] += oracle_entry(p, k, j) * x[j];
    if (p->L[k] != 0)
      unit = fminl(unit, fabsl((long double)p->L[k]));
    if (p->U[k] != 0)
      unit = fminl(unit, fabsl((long double)p->U[k]));
  }
  if (q_max > 0 && P_max > 0)
    unit = fminl(unit, q_max / P_max);
  if (isinf(unit))
    unit = 1;
  dual = q_max > 0 ? q_max : P_max > 0 ? P_max * unit : 1;
  for (int i = 0; i < n; i++) {
    long double Px = 0, Gz = 0;
    for (int j = 0; j < n; j++)
      Px += (long double)p->P[i * n + j] * x[j];
    for (int r = 0; r < p->m; r++)
      Gz += (long double)p->G[r * n + i] * z[r];
    dual = fmaxl(fmaxl(dual, fabsl(Px)), fmaxl(fabsl(Gz), fabsl(v[i])));
    stationarity = fmaxl(stationarity, fabsl(Px + p->q[i] + Gz + w[i]));
  }
  primal = unit;
  for (int k = 0; k < all; k++) {
    if (isinf(p->L[k]) && isinf(p->U[k]))
      continue;
    const long double below = p->L[k] - Ex[k], above = Ex[k] - p->U[k];
    primal = fmaxl(primal, fabsl(Ex[k]));
    if (below > 0 || (v[k] < 0 && !isinf(p->L[k])))
      primal = fmaxl(primal, fabsl((long double)p->L[k]));
    if (above > 0 || (v[k] > 0 && !isinf(p->U[k])))
      primal = fmaxl(primal, fabsl((long double)p->U[k]));
    violated = fmaxl(violated, fmaxl(below, above));
  }
  long double worst = violated / primal;
  for (int k = 0; k < all; k++) {
    const double bound = v[k] > 0 ? p->U[k] : p->L[k];
    if (v[k] == 0)
      continue;
    if (isinf(bound))
      stationarity = fmaxl(stationarity, fabsl(v[k]));
    else
      worst = fmaxl(worst, fminl(fabsl(v[k]) / dual, fabsl(bound - Ex[k]) / primal));
  }
  return (double)fmaxl(worst, stationarity / dual);
}

/* ---- Against the oracle ---- */

static void compare(const small_qp *p, const char *method, const char *what, uint64_t seed)
{
  perp_operator *P;
  const perp_qp qp = to_library(p, &P);
  double x[QP_MOST], z[QP_MOST], w[QP_MOST], ray[QP_MOST];
  long double right[QP_MOST];
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result result = perp_qp_result_empty();
  options.method = method;
  options.z = z, options.w = w, options.ray = ray;
  const perp_error error = perp_qp_solve(&qp, &options, x, &result);
  CHECK_SAY(error == PERP_OK, "%s %s %d: %s", what, method, (int)seed, result.message.text);
  if (oracle_qp(p, right)) {
    CHECK_SAY(result.outcome == PERP_QP_SOLVED, "%s %s %d: %s, %g %g %g", what, method, (int)seed,
              perp_qp_outcome_name(result.outcome), result.stationarity, result.feasibility,
              result.complementarity);
    const double here = verdict(p, x, z, w);
    CHECK_SAY(here <= 1.0001e-8, "%s %s %d: %g", what, method, (int)seed, here);
    const double best = (double)oracle_objective(p, right);
    CHECK_SAY(fabs(result.objective - best) <= 1e-6 * (1 + fabs(best)), "%s %s %d: %.12g, %.12g",
              what, method, (int)seed, result.objective, best);
  } else {
    CHECK_SAY(result.outcome == PERP_QP_INFEASIBLE, "%s %s %d: %s, %g %g %g", what, method,
              (int)seed, perp_qp_outcome_name(result.outcome), result.stationarity,
              result.feasibility, result.complementarity);
    if (result.ray) {
      bool holds;
      CHECK(perp_qp_certificate_check(&qp, PERP_QP_INFEASIBLE, ray, &holds, NULL) == PERP_OK);
      CHECK(holds);
    }
  }
  perp_operator_destroy(P);
}

static void try_kind(const sample_kind *kind, const char *what, const char *method, int samples)
{
  const int share = test_share(what, 5);
  for (int k = 0; k < samples; k += share) {
    const int n = 1 + k % 4, m = k / 4 % 4;
    const small_qp p = make_sample(kind, n, m, (uint64_t)(1000 + k));
    compare(&p, method, what, (uint64_t)(1000 + k));
  }
}

static void strictly_convex_programs_match_the_oracle(void)
{
  const sample_kind kind = {.whole = false, .rank = -1, .equal = 0.2};
  try_kind(&kind, "convex", "auto", 200);
}

static void degenerate_programs_match_the_oracle(void)
{
  const sample_kind kind = {.whole = true, .rank = -1, .equal = 0.2};
  try_kind(&kind, "degenerate", "auto", 200);
}

static void singular_programs_match_the_oracle(void)
{
  const sample_kind kind = {.whole = true, .rank = 1, .boxed = true, .equal = 0.2};
  try_kind(&kind, "singular", "auto", 200);
}

static void linear_programs_match_the_oracle(void)
{
  const sample_kind kind = {.whole = false, .rank = 0, .boxed = true, .equal = 0.2};
  try_kind(&kind, "linear", "auto", 200);
}

static void infeasible_programs_are_recognised(void)
{
  const sample_kind kind = {.whole = false, .rank = 2, .boxed = true, .equal = 0.2, .around = -1};
  try_kind(&kind, "shifted", "auto", 200);
}

static void whole_infeasible_programs_are_recognised(void)
{
  const sample_kind kind = {.whole = true, .rank = -1, .equal = 0.3, .around = -1};
  try_kind(&kind, "whole shifted", "auto", 200);
}

static void other_methods_match_the_oracle(void)
{
  const sample_kind kind = {.whole = false, .rank = -1, .boxed = true, .equal = 0.2};
  static const char *const methods[] = {"ipm", "admm", "kkt:auto", "dual:auto", "dual:dantzig"};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
    try_kind(&kind, "methods", methods[k], 60);
}

/* From no active rows at all; with n = 1 and 2 sets cannot cycle. */
static void active_sets_match_the_oracle(void)
{
  const sample_kind kind = {.whole = false, .rank = -1, .boxed = true};
  for (int k = 0; k < 100; k++) {
    const small_qp p = make_sample(&kind, 1 + k % 2, 0, (uint64_t)(3000 + k));
    compare(&p, "active", "active", (uint64_t)(3000 + k));
  }
}

/* The same program in other units: x_j in units of 10^a, rows in units of 10^b, the objective in
 * units of 10^c. */
static void units_do_not_matter(void)
{
  const sample_kind kind = {.whole = false, .rank = -1, .equal = 0.2};
  for (int k = 0; k < 120; k++) {
    small_qp p = make_sample(&kind, 1 + k % 4, k / 4 % 4, (uint64_t)(5000 + k));
    const double x_unit = pow(10, k % 7 - 3), row_unit = pow(10, k % 5 - 2),
                 value = pow(10, k % 9 - 4);
    for (int i = 0; i < p.n; i++) {
      for (int j = 0; j < p.n; j++)
        p.P[i * p.n + j] *= value / x_unit / x_unit;
      p.q[i] *= value / x_unit;
      p.L[i] *= x_unit;
      p.U[i] *= x_unit;
    }
    for (int r = 0; r < p.m; r++) {
      for (int j = 0; j < p.n; j++)
        p.G[r * p.n + j] *= row_unit / x_unit;
      p.L[p.n + r] *= row_unit;
      p.U[p.n + r] *= row_unit;
    }
    perp_operator *P;
    const perp_qp qp = to_library(&p, &P);
    double x[QP_MOST], z[QP_MOST], w[QP_MOST];
    perp_qp_options options = perp_qp_options_default();
    perp_qp_result result = perp_qp_result_empty();
    options.z = z, options.w = w;
    CHECK(perp_qp_solve(&qp, &options, x, &result) == PERP_OK);
    CHECK_SAY(result.outcome == PERP_QP_SOLVED, "%d: %s", k, perp_qp_outcome_name(result.outcome));
    CHECK(verdict(&p, x, z, w) <= 1.0001e-8);
    perp_operator_destroy(P);
  }
}

/* ---- No solution ---- */

/* x_0 falls for ever: no curvature, no bound, and q_0 = -1. */
static void unbounded_programs_are_recognised(void)
{
  const sample_kind kind = {.whole = true, .rank = -1, .equal = 0.2};
  for (int k = 0; k < 60; k++) {
    small_qp p = make_sample(&kind, 2 + k % 3, k / 3 % 4, (uint64_t)(7000 + k));
    for (int j = 0; j < p.n; j++)
      p.P[j] = p.P[j * p.n] = 0;
    for (int r = 0; r < p.m; r++)
      p.G[r * p.n] = 0;
    for (int r = 0; r < p.m; r++) { /* any x is feasible for these rows now */
      p.L[p.n + r] = -1e6;
      p.U[p.n + r] = 1e6;
    }
    p.q[0] = -1;
    p.L[0] = 0;
    p.U[0] = INFINITY;
    perp_operator *P;
    const perp_qp qp = to_library(&p, &P);
    double x[QP_MOST], ray[QP_MOST];
    perp_qp_options options = perp_qp_options_default();
    perp_qp_result result = perp_qp_result_empty();
    options.ray = ray;
    CHECK(perp_qp_solve(&qp, &options, x, &result) == PERP_OK);
    CHECK_SAY(result.outcome == PERP_QP_UNBOUNDED, "%d: %s", k,
              perp_qp_outcome_name(result.outcome));
    CHECK(result.feasibility <= 1e-6);
    CHECK(result.ray != NULL);
    /* by hand: P d = 0, q'd < 0, d stays within the bounds */
    double slope = 0;
    for (int i = 0; i < p.n; i++) {
      double Pd = 0;
      slope += p.q[i] * ray[i];
      for (int j = 0; j < p.n; j++)
        Pd += p.P[i * p.n + j] * ray[j];
      CHECK(Pd == 0);
      CHECK(ray[i] <= 0 || isinf(p.U[i]));
      CHECK(ray[i] >= 0 || isinf(p.L[i]));
    }
    CHECK(slope < 0);
    ray[0] = -ray[0];
    bool holds;
    CHECK(perp_qp_certificate_check(&qp, PERP_QP_UNBOUNDED, ray, &holds, NULL) == PERP_OK);
    CHECK(!holds);
    perp_operator_destroy(P);
  }
}

/* A certificate of infeasibility holds by hand, and one with another sign does not. */
static void certificates_are_checked(void)
{
  /* x + y >= 3, x <= 1, y <= 1 */
  const double P[4] = {1, 0, 0, 1}, G[2] = {1, 1}, l[1] = {3}, ub[2] = {1, 1};
  perp_operator *A;
  CHECK(perp_operator_dense(2, P, 2, PERP_BORROW, &A, NULL) == PERP_OK);
  perp_qp qp = perp_qp_default();
  qp.n = 2, qp.m = 1, qp.P = A, qp.G_value = G, qp.l = l, qp.ub = ub;
  double x[2], ray[2];
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result result = perp_qp_result_empty();
  options.ray = ray;
  CHECK(perp_qp_solve(&qp, &options, x, &result) == PERP_OK);
  CHECK_EQUAL_TEXT(perp_qp_outcome_name(result.outcome), "infeasible");
  CHECK(ray[0] < 0);
  bool holds;
  perp_message why = {""};
  const double wrong[1] = {1};
  CHECK(perp_qp_certificate_check(&qp, PERP_QP_INFEASIBLE, ray, &holds, &why) == PERP_OK && holds);
  CHECK(perp_qp_certificate_check(&qp, PERP_QP_INFEASIBLE, wrong, &holds, &why) == PERP_OK);
  CHECK(!holds && why.text[0]);
  CHECK(perp_qp_certificate_check(&qp, PERP_QP_SOLVED, ray, &holds, &why) == PERP_ERROR_ARGUMENT);
  perp_operator_destroy(A);
}

static void a_p_that_is_not_convex_is_named(void)
{
  for (int k = 0; k < 60; k++) {
    const int n = 2 + k % 4;
    perp_random random = perp_random_from((uint64_t)(9000 + k));
    double P[QP_MOST * QP_MOST] = {0}, x[QP_MOST], ray[QP_MOST];
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= i; j++)
        P[i * n + j] = P[j * n + i] = perp_random_between(&random, -1, 1);
    P[0] = -fabs(P[0]); /* so e_0'P e_0 <= 0, and with any coupling some d'Pd < 0 */
    perp_operator *A;
    CHECK(perp_operator_dense(n, P, n, PERP_BORROW, &A, NULL) == PERP_OK);
    perp_qp qp = perp_qp_default();
    perp_qp_options options = perp_qp_options_default();
    perp_qp_result result = perp_qp_result_empty();
    qp.n = n, qp.P = A;
    options.ray = ray;
    CHECK(perp_qp_solve(&qp, &options, x, &result) == PERP_OK);
    CHECK_EQUAL_TEXT(perp_qp_outcome_name(result.outcome), "not-convex");
    long double sum = 0;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        sum += (long double)ray[i] * P[i * n + j] * ray[j];
    CHECK(sum < 0);
    CHECK(strstr(result.message.text, "not positive semi-definite"));
    perp_operator_destroy(A);
  }
}

/* ---- Sequences ---- */

/* One solver through many q, l, u, lb, ub: as good as a fresh one, and as the oracle. */
static void warm_equals_cold(void)
{
  const sample_kind kind = {.whole = false, .rank = -1, .equal = 0.2};
  int warm = 0, steps = 0;
  for (int k = 0; k < 40; k++) {
    const int n = 2 + k % 3, m = 1 + k % 3;
    small_qp p = make_sample(&kind, n, m, (uint64_t)(11000 + k));
    perp_operator *P;
    const perp_qp qp = to_library(&p, &P);
    perp_qp_solver *solver;
    CHECK(perp_qp_solver_create(&qp, &solver, NULL) == PERP_OK);
    for (int step = 0; step < 12; step++) {
      /* other numbers for the same P and G: small changes, and now and then great ones */
      const small_qp other = make_sample(&kind, n, m, (uint64_t)(12000 + 12 * k + step / 4));
      perp_random random = perp_random_from((uint64_t)(13000 + 12 * k + step));
      double x0[QP_MOST];
      for (int i = 0; i < n; i++) {
        p.q[i] = other.q[i] + 0.05 * perp_random_between(&random, -1, 1);
        p.L[i] = other.L[i];
        p.U[i] = other.U[i];
        x0[i] = isinf(p.L[i]) ? (isinf(p.U[i]) ? 0 : p.U[i]) : p.L[i];
      }
      for (int r = 0; r < m; r++) {
        double t = 0;
        for (int j = 0; j < n; j++)
          t += p.G[r * n + j] * x0[j];
        p.L[n + r] = t - 0.5;
        p.U[n + r] = t + (r == 0 ? -0.5 : 0.3 * perp_random_uniform(&random));
      }
      double x[QP_MOST];
      long double right[QP_MOST];
      perp_qp_result result = perp_qp_result_empty();
      perp_message why = {""};
      CHECK_SAY(perp_qp_solver_set(solver, p.q, p.L + n, p.U + n, p.L, p.U, &why) == PERP_OK, "%s",
                why.text);
      CHECK(perp_qp_solver_solve(solver, NULL, x, &result) == PERP_OK);
      const bool solvable = oracle_qp(&p, right);
      CHECK_SAY(result.outcome == (solvable ? PERP_QP_SOLVED : PERP_QP_INFEASIBLE), "%d %d: %s", k,
                step, perp_qp_outcome_name(result.outcome));
      warm += !strcmp(result.method, "active");
      if (!solvable)
        continue;
      steps++;
      CHECK(verdict(&p, x, result.z, result.w) <= 1.0001e-8);
      for (int i = 0; i < n; i++)
        CHECK_CLOSE(x[i], (double)right[i], 1e-5 * (1 + fabs((double)right[i])));
    }
    perp_qp_solver_destroy(solver);
    perp_operator_destroy(P);
  }
  CHECK_SAY(steps > 200 && warm > steps / 2, "%d of %d", warm, steps);
}

static void a_start_from_the_solution_takes_one_round(void)
{
  perp_qp_instance instance;
  CHECK(perp_qp_generate("mpc:horizon=10,seed=41", &instance, NULL) == PERP_OK);
  const perp_qp qp = perp_qp_instance_program(&instance);
  double *x = calloc((size_t)qp.n, sizeof *x), *z = calloc((size_t)qp.m, sizeof *z),
         *w = calloc((size_t)qp.n, sizeof *w);
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result result = perp_qp_result_empty();
  options.z = z, options.w = w;
  CHECK(perp_qp_solve(&qp, &options, x, &result) == PERP_OK);
  CHECK(result.outcome == PERP_QP_SOLVED);
  perp_qp_solver *solver;
  CHECK(perp_qp_solver_create(&qp, &solver, NULL) == PERP_OK);
  CHECK(perp_qp_solver_start(solver, x, z, w, NULL) == PERP_OK);
  CHECK(perp_qp_solver_solve(solver, NULL, x, &result) == PERP_OK);
  CHECK(result.outcome == PERP_QP_SOLVED);
  CHECK_EQUAL_TEXT(result.method, "active");
  CHECK_EQUAL_INT(result.iterations, 1);
  x[3] = NAN;
  perp_message why = {""};
  CHECK(perp_qp_solver_start(solver, x, z, w, &why) == PERP_ERROR_PROBLEM);
  CHECK(strstr(why.text, "x[3]"));
  perp_qp_solver_destroy(solver);
  perp_qp_instance_destroy(&instance);
  free(x);
  free(z);
  free(w);
}

/* ---- Larger programs ---- */

/* Every kind that can be generated, judged by the library's own check of the caller's numbers, of
 * which the tests above have an independent one. */
static void generated_programs_are_solved(void)
{
  static const char *const texts[] = {"mpc:horizon=5",
                                      "mpc:states=3,inputs=2",
                                      "lasso:features=20,samples=40",
                                      "lasso:density=0.1",
                                      "svm:features=8,samples=60",
                                      "portfolio:assets=60,factors=6",
                                      "portfolio:gamma=0.01",
                                      "discs:columns=6,rows=4",
                                      "random",
                                      "random:degenerate=1",
                                      "random:rank=0",
                                      "random:n=80,m=20,rank=80",
                                      "random:equal=0.6,m=30",
                                      "random:n=20,m=120",
                                      "random:n=1,m=0,rank=1,density=1"};
  for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
    for (int seed = 1; seed <= 6; seed++) {
      char text[128];
      perp_qp_instance instance;
      perp_message why = {""};
      snprintf(text, sizeof text, "%s%cseed=%d", texts[t], strchr(texts[t], ':') ? ',' : ':', seed);
      CHECK_SAY(perp_qp_generate(text, &instance, &why) == PERP_OK, "%s", why.text);
      const perp_qp qp = perp_qp_instance_program(&instance);
      double *x = calloc((size_t)qp.n + 1, sizeof *x), *z = calloc((size_t)qp.m + 1, sizeof *z),
             *w = calloc((size_t)qp.n + 1, sizeof *w);
      perp_qp_options options = perp_qp_options_default();
      perp_qp_result result = perp_qp_result_empty();
      options.z = z, options.w = w;
      CHECK(perp_qp_solve(&qp, &options, x, &result) == PERP_OK);
      CHECK_SAY(result.outcome == PERP_QP_SOLVED, "%s: %s %g %g %g", text,
                perp_qp_outcome_name(result.outcome), result.stationarity, result.feasibility,
                result.complementarity);
      perp_qp_result judged = perp_qp_result_empty();
      CHECK(perp_qp_judge(&qp, x, z, w, 1e-8, &judged) == PERP_OK);
      CHECK(judged.outcome == PERP_QP_SOLVED);
      CHECK(judged.stationarity == result.stationarity && judged.objective == result.objective);
      x[0] += 1;
      CHECK(perp_qp_judge(&qp, x, z, w, 1e-8, &judged) == PERP_OK);
      CHECK_SAY(judged.outcome != PERP_QP_SOLVED, "%s: x_0 + 1 is no solution", text);
      perp_qp_instance_destroy(&instance);
      free(x);
      free(z);
      free(w);
    }
}

static void defects_are_found(void)
{
  for (int k = 0; k < 24; k++) {
    char text[128];
    perp_qp_instance instance;
    snprintf(text, sizeof text, "random:n=%d,m=%d,rank=%d,defect=%s,seed=%d", 8 + 4 * (k % 5), 10,
             6, k % 2 ? "infeasible" : "unbounded", 50 + k);
    CHECK(perp_qp_generate(text, &instance, NULL) == PERP_OK);
    const perp_qp qp = perp_qp_instance_program(&instance);
    double x[64], ray[64];
    perp_qp_options options = perp_qp_options_default();
    perp_qp_result result = perp_qp_result_empty();
    options.ray = ray;
    CHECK(perp_qp_solve(&qp, &options, x, &result) == PERP_OK);
    const perp_qp_outcome expected = k % 2 ? PERP_QP_INFEASIBLE : PERP_QP_UNBOUNDED;
    CHECK_SAY(result.outcome == expected, "%s: %s", text, perp_qp_outcome_name(result.outcome));
    if (result.ray) {
      bool holds;
      CHECK(perp_qp_certificate_check(&qp, expected, ray, &holds, NULL) == PERP_OK && holds);
    }
    perp_qp_instance_destroy(&instance);
  }
}

/* ---- Forms of a program ---- */

static int apply_tridiagonal(void *context, const double *x, double *y)
{
  const int n = *(const int *)context;
  for (int i = 0; i < n; i++)
    y[i] = 2 * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < n ? x[i + 1] : 0);
  return 0;
}

/* P by its product alone: admm, and the same objective as with its entries. */
static void p_may_be_applied_only(void)
{
  enum { N = 30 };
  int n = N;
  double a[N * N] = {0}, q[N], lb[N], x[N], y[N], G[N], one[1] = {4};
  for (int i = 0; i < N; i++) {
    a[i * N + i] = 2;
    if (i + 1 < N)
      a[i * N + i + 1] = a[(i + 1) * N + i] = -1;
    q[i] = sin(i);
    lb[i] = -0.3;
    G[i] = 1;
  }
  perp_shell shell = perp_shell_default();
  shell.context = &n;
  shell.apply = apply_tridiagonal;
  perp_operator *entries, *product;
  CHECK(perp_operator_dense(N, a, N, PERP_BORROW, &entries, NULL) == PERP_OK);
  CHECK(perp_operator_shell(N, &shell, &product, NULL) == PERP_OK);
  perp_qp qp = perp_qp_default();
  perp_qp_result with = perp_qp_result_empty(), without = perp_qp_result_empty();
  qp.n = N, qp.m = 1, qp.q = q, qp.lb = lb, qp.G_value = G, qp.l = qp.u = one, qp.P = entries;
  CHECK(perp_qp_solve(&qp, NULL, x, &with) == PERP_OK && with.outcome == PERP_QP_SOLVED);
  qp.P = product;
  CHECK(perp_qp_solve(&qp, NULL, y, &without) == PERP_OK);
  CHECK_EQUAL_TEXT(perp_qp_outcome_name(without.outcome), "solved");
  CHECK_EQUAL_TEXT(without.method, "admm");
  CHECK_CLOSE(with.objective, without.objective, 1e-6 * fabs(with.objective));
  perp_qp_options options = perp_qp_options_default();
  options.method = "ipm";
  CHECK(perp_qp_solve(&qp, &options, y, &without) == PERP_ERROR_UNSUPPORTED);
  CHECK(strstr(without.message.text, "only applied"));
  perp_operator_destroy(entries);
  perp_operator_destroy(product);
}

static void sparse_and_dense_rows_are_the_same(void)
{
  const sample_kind kind = {.whole = false, .rank = -1, .boxed = true, .equal = 0.2};
  for (int k = 0; k < 30; k++) {
    const small_qp p = make_sample(&kind, 4, 3, (uint64_t)(15000 + k));
    perp_operator *P, *csr;
    perp_qp qp = to_library(&p, &P);
    int64_t start[QP_MOST + 1] = {0};
    int column[QP_MOST * QP_MOST];
    double value[QP_MOST * QP_MOST], x[QP_MOST], y[QP_MOST];
    int64_t at = 0;
    for (int r = 0; r < p.m; r++) {
      for (int j = 0; j < p.n; j++)
        if (p.G[r * p.n + j] != 0) {
          column[at] = j;
          value[at++] = p.G[r * p.n + j];
        }
      start[r + 1] = at;
    }
    perp_qp_result result = perp_qp_result_empty();
    CHECK(perp_qp_solve(&qp, NULL, x, &result) == PERP_OK);
    CHECK(perp_operator_to_csr(P, 0, &csr, NULL) == PERP_OK);
    qp.P = csr, qp.G_start = start, qp.G_column = column, qp.G_value = value;
    CHECK(perp_qp_solve(&qp, NULL, y, &result) == PERP_OK);
    CHECK(memcmp(x, y, (size_t)p.n * sizeof *x) == 0);
    perp_operator_destroy(P);
    perp_operator_destroy(csr);
  }
}

static void empty_programs(void)
{
  double x[3] = {7, 7, 7};
  perp_qp qp = perp_qp_default();
  perp_qp_result result = perp_qp_result_empty();
  CHECK(perp_qp_solve(&qp, NULL, x, &result) == PERP_OK && result.outcome == PERP_QP_SOLVED);
  /* no P: a linear program over a box; no q either: any point */
  const double q[3] = {1, -1, 0}, lb[3] = {-1, -2, -3}, ub[3] = {1, 2, 3};
  qp.n = 3, qp.q = q, qp.lb = lb, qp.ub = ub;
  CHECK(perp_qp_solve(&qp, NULL, x, &result) == PERP_OK && result.outcome == PERP_QP_SOLVED);
  CHECK(x[0] == -1 && x[1] == 2);
  qp.q = NULL;
  CHECK(perp_qp_solve(&qp, NULL, x, &result) == PERP_OK && result.outcome == PERP_QP_SOLVED);
  /* all x fixed, and a row that this violates */
  const double fixed[3] = {1, 2, 3}, G[3] = {1, 1, 1}, l[1] = {7};
  qp.lb = qp.ub = fixed, qp.m = 1, qp.G_value = G, qp.l = l;
  CHECK(perp_qp_solve(&qp, NULL, x, &result) == PERP_OK);
  CHECK_EQUAL_TEXT(perp_qp_outcome_name(result.outcome), "infeasible");
  qp.l = NULL;
  CHECK(perp_qp_solve(&qp, NULL, x, &result) == PERP_OK && result.outcome == PERP_QP_SOLVED);
  CHECK(x[0] == 1 && x[1] == 2 && x[2] == 3);
}

/* ---- Limits and bad input ---- */

static bool stop_now(void *context)
{
  ++*(int *)context;
  return true;
}

static void limits_end_a_solve(void)
{
  perp_qp_instance instance;
  CHECK(perp_qp_generate("random:n=60,m=60,rank=60", &instance, NULL) == PERP_OK);
  const perp_qp qp = perp_qp_instance_program(&instance);
  double x[64];
  int calls = 0;
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result result = perp_qp_result_empty();
  options.max_iterations = 1;
  CHECK(perp_qp_solve(&qp, &options, x, &result) == PERP_OK);
  CHECK_EQUAL_TEXT(perp_qp_outcome_name(result.outcome), "iteration-limit");
  CHECK(result.stationarity < INFINITY);
  options = perp_qp_options_default();
  options.time_limit = 1e-9;
  CHECK(perp_qp_solve(&qp, &options, x, &result) == PERP_OK);
  CHECK_EQUAL_TEXT(perp_qp_outcome_name(result.outcome), "time-limit");
  options = perp_qp_options_default();
  options.interrupted = stop_now;
  options.interrupted_context = &calls;
  CHECK(perp_qp_solve(&qp, &options, x, &result) == PERP_OK);
  CHECK_EQUAL_TEXT(perp_qp_outcome_name(result.outcome), "stopped");
  CHECK(calls > 0);
  perp_qp_instance_destroy(&instance);
}

static void refuse(const perp_qp *qp, perp_error expected, const char *words)
{
  perp_message why = {""};
  double x[4] = {1, 2, 3, 4};
  perp_qp_result result = perp_qp_result_empty();
  CHECK_SAY(perp_qp_check(qp, &why) == expected, "%s: %s", words, why.text);
  CHECK_SAY(strstr(why.text, words) != NULL, "\"%s\" in \"%s\"", words, why.text);
  CHECK(perp_qp_solve(qp, NULL, x, &result) == expected);
  CHECK_EQUAL_TEXT(result.message.text, why.text);
  CHECK(x[0] == 1 && x[1] == 2); /* nothing was lost */
}

static void bad_input_is_named(void)
{
  double P[4] = {2, 1, 1, 2}, q[2] = {1, 1}, G[4] = {1, 2, 3, 4}, l[2] = {0, 0}, u[2] = {1, 1};
  double lb[2] = {0, 0}, ub[2] = {1, 1};
  const int64_t start[3] = {0, 1, 2};
  int column[2] = {0, 1};
  perp_operator *A;
  CHECK(perp_operator_dense(2, P, 2, PERP_BORROW, &A, NULL) == PERP_OK);
  perp_qp qp = perp_qp_default();
  qp.n = 2, qp.m = 2, qp.P = A, qp.q = q, qp.G_value = G, qp.l = l, qp.u = u, qp.lb = lb,
  qp.ub = ub;
  const perp_qp good = qp;
  CHECK(perp_qp_check(&qp, NULL) == PERP_OK);
  P[1] = 1.5;
  CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
  refuse(&qp, PERP_ERROR_PROBLEM, "P is not symmetric: P[0, 1] = 1.5, but P[1, 0] = 1");
  P[1] = 1;
  CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
  q[1] = NAN;
  refuse(&qp, PERP_ERROR_PROBLEM, "q[1] = nan is not finite");
  q[1] = 1;
  l[1] = 2;
  refuse(&qp, PERP_ERROR_PROBLEM, "l[1] = 2 is above u[1] = 1");
  l[1] = INFINITY;
  u[1] = INFINITY;
  refuse(&qp, PERP_ERROR_PROBLEM, "l[1] = inf");
  l[1] = 0, u[1] = NAN;
  refuse(&qp, PERP_ERROR_PROBLEM, "u[1] is NaN");
  u[1] = 1, ub[0] = -1;
  refuse(&qp, PERP_ERROR_PROBLEM, "lb[0] = 0 is above ub[0] = -1");
  ub[0] = 1, G[2] = INFINITY;
  refuse(&qp, PERP_ERROR_PROBLEM, "G[1, 0] = inf is not finite");
  G[2] = 3;
  qp.n = 3;
  refuse(&qp, PERP_ERROR_PROBLEM, "P has 2 rows, but n = 3");
  qp = good, qp.n = -1;
  refuse(&qp, PERP_ERROR_ARGUMENT, "n = -1");
  qp = good, qp.G_value = NULL;
  refuse(&qp, PERP_ERROR_ARGUMENT, "there is no G");
  qp = good, qp.G_stride = 1;
  refuse(&qp, PERP_ERROR_ARGUMENT, "G_stride = 1 is below n = 2");
  qp = good, qp.G_start = start, qp.G_column = column;
  CHECK(perp_qp_check(&qp, NULL) == PERP_OK);
  column[1] = 2;
  refuse(&qp, PERP_ERROR_PROBLEM, "column 2 in row 1");
  qp = good, qp.size = 3;
  refuse(&qp, PERP_ERROR_ARGUMENT, "perp_qp_default()");
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result result = perp_qp_result_empty();
  double x[2];
  options.method = "simplex";
  CHECK(perp_qp_solve(&good, &options, x, &result) == PERP_ERROR_PARAMETER);
  CHECK(strstr(result.message.text, "\"simplex\""));
  options.method = "kkt:nobody";
  CHECK(perp_qp_solve(&good, &options, x, &result) == PERP_ERROR_PARAMETER);
  options = perp_qp_options_default();
  options.tol = NAN;
  CHECK(perp_qp_solve(&good, &options, x, &result) == PERP_ERROR_ARGUMENT);
  /* a solver keeps what it has if the new numbers are wrong */
  perp_qp_solver *solver;
  perp_message why = {""};
  CHECK(perp_qp_solver_create(&good, &solver, &why) == PERP_OK);
  const double wrong[2] = {5, 5};
  CHECK(perp_qp_solver_set(solver, NULL, wrong, NULL, NULL, NULL, &why) == PERP_ERROR_PROBLEM);
  CHECK(strstr(why.text, "l[0] = 5 is above u[0] = 1"));
  CHECK(perp_qp_solver_solve(solver, NULL, x, &result) == PERP_OK);
  CHECK(result.outcome == PERP_QP_SOLVED);
  perp_qp_solver_destroy(solver);
  perp_operator_destroy(A);
}

static void repeats_have_the_same_bits(void)
{
  perp_qp_instance instance;
  CHECK(perp_qp_generate("svm:features=10,samples=80", &instance, NULL) == PERP_OK);
  const perp_qp qp = perp_qp_instance_program(&instance);
  double x[100], y[100];
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result result = perp_qp_result_empty();
  options.cold = 1;
  perp_qp_solver *solver;
  CHECK(perp_qp_solver_create(&qp, &solver, NULL) == PERP_OK);
  CHECK(perp_qp_solver_solve(solver, &options, x, &result) == PERP_OK);
  for (int k = 0; k < 3; k++) {
    CHECK(perp_qp_solver_solve(solver, &options, y, &result) == PERP_OK);
    CHECK(memcmp(x, y, (size_t)qp.n * sizeof *x) == 0);
  }
  perp_qp_solver_destroy(solver);
  perp_qp_instance_destroy(&instance);
}

static const test_case tests[] = {
    TEST(strictly_convex_programs_match_the_oracle),
    TEST(degenerate_programs_match_the_oracle),
    TEST(singular_programs_match_the_oracle),
    TEST(linear_programs_match_the_oracle),
    TEST(infeasible_programs_are_recognised),
    TEST(whole_infeasible_programs_are_recognised),
    TEST(other_methods_match_the_oracle),
    TEST(active_sets_match_the_oracle),
    TEST(units_do_not_matter),
    TEST(unbounded_programs_are_recognised),
    TEST(certificates_are_checked),
    TEST(a_p_that_is_not_convex_is_named),
    TEST(warm_equals_cold),
    TEST(a_start_from_the_solution_takes_one_round),
    TEST(generated_programs_are_solved),
    TEST(defects_are_found),
    TEST(p_may_be_applied_only),
    TEST(sparse_and_dense_rows_are_the_same),
    TEST(empty_programs),
    TEST(limits_end_a_solve),
    TEST(bad_input_is_named),
    TEST(repeats_have_the_same_bits),
};

TEST_MAIN(tests)
