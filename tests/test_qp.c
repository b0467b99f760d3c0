/* test_qp.c: quadratic programs against an oracle that tries all active sets */
#include "qp_oracle.h"
#include "test.h"

#include "base/random.h"
#include <perp/perp.h>
#include <perp/qp.h>

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

/* The conditions of optimality in long double, each relative to the greatest of its terms. */
static double optimality(const small_qp *p, const double *x, const double *z, const double *w)
{
  const int n = p->n;
  long double worst = 0, dual = 1, primal = 1; /* the data are near 1 */
  for (int i = 0; i < n; i++) {
    long double sum = p->q[i] + (long double)w[i], size = fabsl(p->q[i]) + fabsl(w[i]);
    for (int j = 0; j < n; j++) {
      sum += (long double)p->P[i * n + j] * x[j];
      size = fmaxl(size, fabsl((long double)p->P[i * n + j] * x[j]));
    }
    for (int r = 0; r < p->m; r++) {
      sum += (long double)p->G[r * n + i] * z[r];
      size = fmaxl(size, fabsl((long double)p->G[r * n + i] * z[r]));
    }
    dual = fmaxl(dual, size);
    worst = fmaxl(worst, fabsl(sum));
  }
  worst /= dual;
  for (int i = 0; i < n; i++)
    primal = fmaxl(primal, fabsl((long double)x[i]));
  for (int k = 0; k < n + p->m; k++) {
    long double t = 0;
    for (int j = 0; j < n; j++)
      t += oracle_entry(p, k, j) * x[j];
    const long double v = k < n ? w[k] : z[k - n];
    worst = fmaxl(worst, fmaxl(p->L[k] - t, t - p->U[k]) / primal);
    if (v > 0 || v < 0) {
      const long double gap = v > 0 ? p->U[k] - t : t - p->L[k];
      worst =
          fmaxl(worst, isinf(gap) ? fabsl(v) / dual : fminl(fabsl(v) / dual, fabsl(gap) / primal));
    }
  }
  return (double)worst;
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
    const double error_here = optimality(p, x, z, w);
    CHECK_SAY(error_here <= 1e-7, "%s %s %d: %g", what, method, (int)seed, error_here);
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

static const test_case tests[] = {
    TEST(strictly_convex_programs_match_the_oracle), TEST(degenerate_programs_match_the_oracle),
    TEST(singular_programs_match_the_oracle),        TEST(linear_programs_match_the_oracle),
    TEST(infeasible_programs_are_recognised),        TEST(whole_infeasible_programs_are_recognised),
};

TEST_MAIN(tests)
