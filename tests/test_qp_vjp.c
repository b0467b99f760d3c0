/* test_qp_vjp.c: derivatives of quadratic programs against differences of solutions, and batches */
#include "test.h"

#include "base/random.h"

#include <perp/perp.h>

enum { N = 6, M = 5 };

/* A strictly convex program; rows 0 is an equation. */
typedef struct {
  double P[N * N], q[N], G[M * N], l[M], u[M], lb[N], ub[N];
} program;

static program make(uint64_t seed)
{
  perp_random random = perp_random_from(seed);
  program p = {0};
  double B[N * N];
  for (int k = 0; k < N * N; k++)
    B[k] = perp_random_normal(&random);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      p.P[i * N + j] = i == j;
      for (int k = 0; k < N; k++)
        p.P[i * N + j] += B[k * N + i] * B[k * N + j];
    }
  for (int j = 0; j < N; j++) {
    p.q[j] = 5 * perp_random_normal(&random);
    p.lb[j] = -0.5 * perp_random_uniform(&random);
    p.ub[j] = perp_random_uniform(&random);
  }
  for (int i = 0; i < M; i++) {
    double at = 0; /* G x at a point within the box */
    for (int j = 0; j < N; j++) {
      p.G[i * N + j] = perp_random_normal(&random);
      at += 0.5 * (p.lb[j] + p.ub[j]) * p.G[i * N + j];
    }
    p.l[i] = at - (i ? 0.2 * perp_random_uniform(&random) : 0);
    p.u[i] = at + (i ? 0.2 * perp_random_uniform(&random) : 0);
  }
  return p;
}

static perp_qp to_library(const program *p, perp_operator **P)
{
  perp_qp qp = perp_qp_default();
  CHECK(perp_operator_dense(N, p->P, N, PERP_BORROW, P, NULL) == PERP_OK);
  qp.n = N, qp.m = M, qp.P = *P, qp.q = p->q, qp.G_value = p->G;
  qp.l = p->l, qp.u = p->u, qp.lb = p->lb, qp.ub = p->ub;
  return qp;
}

static double loss(const program *p, const double *g)
{
  perp_operator *P;
  const perp_qp qp = to_library(p, &P);
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result r = perp_qp_result_empty();
  double x[N], sum = 0;
  options.tol = 1e-11;
  CHECK(perp_qp_solve(NULL, &qp, &options, x, &r) == PERP_OK && r.outcome == PERP_SOLVED);
  for (int j = 0; j < N; j++)
    sum += g[j] * x[j];
  perp_operator_destroy(P);
  return sum;
}

/* Compares a derivative with a difference; at a kink the one-sided differences disagree, and nothing
 * is compared. Returns true if it was. */
static bool compare(program *p, const double *g, double *value, double derivative, const char *what,
                    int seed)
{
  const double h = 1e-5, middle = *value, here = loss(p, g);
  *value = middle + h;
  const double above = loss(p, g);
  *value = middle - h;
  const double below = loss(p, g);
  *value = middle;
  const double right = (above - here) / h, left = (here - below) / h;
  if (fabs(right - left) > 1e-3 * (1 + fabs(right)))
    return false;
  CHECK_SAY(fabs(0.5 * (right + left) - derivative) <= 1e-4 * (1 + fabs(derivative)),
            "%s %d: %.9g, by differences %.9g", what, seed, derivative, 0.5 * (right + left));
  return true;
}

static void derivatives_match_differences(void)
{
  int compared = 0;
  for (int seed = 1; seed <= 60; seed++) {
    program p = make((uint64_t)seed);
    perp_random random = perp_random_from(1000 + (uint64_t)seed);
    perp_operator *P;
    const perp_qp qp = to_library(&p, &P);
    perp_qp_solver *solver;
    perp_message why = {""};
    perp_qp_result r = perp_qp_result_empty();
    perp_qp_options options = perp_qp_options_default();
    double x[N], g[N], q[N], l[M], u[M], lb[N], ub[N];
    options.tol = 1e-11;
    for (int j = 0; j < N; j++)
      g[j] = perp_random_normal(&random);
    CHECK(perp_qp_solver_create(NULL, &qp, &solver, &why) == PERP_OK);
    CHECK(perp_qp_solver_vjp(solver, g, q, l, u, lb, ub, &why) == PERP_ERROR_PROBLEM);
    CHECK(perp_qp_solver_solve(solver, &options, x, &r) == PERP_OK && r.outcome == PERP_SOLVED);
    CHECK_SAY(perp_qp_solver_vjp(solver, g, q, l, u, lb, ub, &why) == PERP_OK, "%s", why.text);
    for (int j = 0; j < N; j++) {
      compared += compare(&p, g, &p.q[j], q[j], "q", seed);
      compared += compare(&p, g, &p.lb[j], lb[j], "lb", seed);
      compared += compare(&p, g, &p.ub[j], ub[j], "ub", seed);
    }
    for (int i = 1; i < M; i++) {
      compared += compare(&p, g, &p.l[i], l[i], "l", seed);
      compared += compare(&p, g, &p.u[i], u[i], "u", seed);
      for (int j = 0; j < N; j++) /* the entries of G from the vectors */
        compared +=
            compare(&p, g, &p.G[i * N + j], r.z[i] * q[j] - (l[i] + u[i]) * x[j], "G", seed);
    }
    perp_qp_solver_destroy(solver);
    perp_operator_destroy(P);
  }
  CHECK_SAY(compared > 2000, "%d compared", compared);
}

/* x_0 + x_1 = 1 without an objective: any loss that tells them apart has no derivative. */
static void a_face_of_solutions_is_refused(void)
{
  const double q[2] = {0, 0}, G[2] = {1, 1}, b[1] = {1}, g[2] = {1, -1};
  double x[2], q_bar[2];
  perp_qp qp = perp_qp_default();
  perp_qp_result r = perp_qp_result_empty();
  perp_qp_solver *solver;
  perp_message why = {""};
  qp.n = 2, qp.m = 1, qp.q = q, qp.G_value = G, qp.l = qp.u = b;
  CHECK(perp_qp_solver_create(NULL, &qp, &solver, &why) == PERP_OK);
  CHECK(perp_qp_solver_solve(solver, NULL, x, &r) == PERP_OK && r.outcome == PERP_SOLVED);
  CHECK(perp_qp_solver_vjp(solver, g, q_bar, NULL, NULL, NULL, NULL, &why) == PERP_ERROR_PROBLEM);
  CHECK(strstr(why.text, "not unique"));
  perp_qp_solver_destroy(solver);
}

static void batches_have_the_bits_of_single_solves(void)
{
  enum { COUNT = 40 };
  static program p[COUNT];
  static double x[COUNT][N];
  perp_operator *P[COUNT];
  perp_qp qp[COUNT];
  perp_qp_result r[COUNT];
  const perp_qp *programs[COUNT];
  double *solutions[COUNT];
  perp_qp_result *results[COUNT];
  for (int k = 0; k < COUNT; k++) {
    p[k] = make(500 + (uint64_t)k);
    qp[k] = to_library(&p[k], &P[k]);
    r[k] = perp_qp_result_empty();
    programs[k] = &qp[k], solutions[k] = x[k], results[k] = &r[k];
  }
  CHECK(perp_qp_batch_solve(NULL, COUNT, programs, NULL, 3, solutions, results) == PERP_OK);
  for (int k = 0; k < COUNT; k++) {
    double y[N];
    perp_qp_result one = perp_qp_result_empty();
    CHECK(perp_qp_solve(NULL, &qp[k], NULL, y, &one) == PERP_OK);
    CHECK(one.outcome == r[k].outcome && one.objective == r[k].objective);
    CHECK(memcmp(y, x[k], sizeof y) == 0);
  }
  qp[3].n = -1; /* one bad program: its error, and the others are solved */
  for (int k = 0; k < COUNT; k++)
    r[k] = perp_qp_result_empty();
  CHECK(perp_qp_batch_solve(NULL, COUNT, programs, NULL, 3, solutions, results) != PERP_OK);
  CHECK(r[3].message.text[0] && r[4].outcome == PERP_SOLVED);
  for (int k = 0; k < COUNT; k++)
    perp_operator_destroy(P[k]);
}

/* P as its upper triangle gives the bits of the whole matrix. */
static void an_upper_triangle_is_symmetric(void)
{
  for (int seed = 1; seed <= 20; seed++) {
    program p = make(900 + (uint64_t)seed), half = p;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < i; j++) {
        half.P[i * N + j] = 0;
        p.P[i * N + j] = p.P[j * N + i];
      }
    perp_operator *P[2];
    const perp_qp qp[2] = {to_library(&p, &P[0]), to_library(&half, &P[1])};
    double x[2][N];
    for (int k = 0; k < 2; k++) {
      perp_qp_result r = perp_qp_result_empty();
      CHECK(perp_qp_solve(NULL, &qp[k], NULL, x[k], &r) == PERP_OK && r.outcome == PERP_SOLVED);
      perp_operator_destroy(P[k]);
    }
    CHECK(memcmp(x[0], x[1], sizeof x[0]) == 0);
  }
}

static const test_case tests[] = {
    TEST(derivatives_match_differences),
    TEST(a_face_of_solutions_is_refused),
    TEST(batches_have_the_bits_of_single_solves),
    TEST(an_upper_triangle_is_symmetric),
};

TEST_MAIN(tests)
