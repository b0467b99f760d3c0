/* promises.c: what the interface promises besides solving, tested as a user would
 *
 * It uses only the public headers and an installed library. Each promise is one function; broken
 * promises are named, and the program then exits with 1. */
#include <perp/frame.h>
#include <perp/ode.h>
#include <perp/perp.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int broken;

#define PROMISE(holds)                                                                             \
  do {                                                                                             \
    if (!(holds)) {                                                                                \
      printf("%s:%d: does not hold: %s\n", __func__, __LINE__, #holds);                            \
      broken++;                                                                                    \
    }                                                                                              \
  } while (0)

static bool is_near(double u, double v)
{
  return fabs(u - v) <= 1e-7;
}

static perp_operator *dense(int n, const double *a)
{
  perp_operator *A = NULL;
  PROMISE(perp_operator_dense(n, a, n, PERP_COPY, &A, NULL) == PERP_OK);
  return A;
}

/* Two times the unit matrix. */
static perp_operator *twice(int n)
{
  static double a[64 * 64];
  memset(a, 0, sizeof a);
  for (int i = 0; i < n; i++)
    a[i * n + i] = 2;
  return dense(n, a);
}

/* A leftover row is not a cone of one row, and cones may come in any order with boxes. */
static void cones(void)
{
  perp_operator *A = twice(7);
  const double b[7] = {-2, -3, 0, 4, -2, -1, 0}, mu[2] = {0.5, 0.5};
  double lo[7], hi[7], x[7] = {0};
  perp_message why = {""};
  const perp_problem seven = perp_problem_cone(A, b, mu);
  PROMISE(perp_problem_validate(&seven, &why) != PERP_OK && why.text[0]);

  /* row 0 in [0, 0.5], a cone in rows 1 to 3, row 4 >= 0, a planar contact in rows 5 and 6 */
  const int first[1] = {1};
  int findex[7];
  for (int i = 0; i < 7; i++) {
    lo[i] = 0;
    hi[i] = i == 0 ? 0.5 : 1e300;
    findex[i] = -1;
  }
  perp_set_planar(5, 6, 0.25, lo, hi, findex);
  perp_set K = perp_set_default(7);
  K.lo = lo;
  K.hi = hi;
  K.findex = findex;
  K.mu = mu;
  K.cones = 1;
  K.cone = first;
  const perp_problem mixed = perp_problem_product(A, b, &K);
  perp_result r = perp_result_empty();
  const perp_error error = perp_solve("auto", &mixed, NULL, x, &r);
  PROMISE(error == PERP_OK && r.outcome == PERP_SOLVED);
  PROMISE(is_near(x[0], 0.5) && is_near(x[4], 1) && is_near(x[5], 0.5));
  PROMISE(hypot(x[2], x[3]) <= mu[0] * x[1] + 1e-7);
  perp_operator_destroy(A);
}

/* No x >= 0 makes -x - 1 >= 0: the certificate is returned, even by a call that keeps no solver. */
static void certificates(void)
{
  const double a[1] = {-1}, b[1] = {-1};
  double x[1] = {0}, y[1] = {NAN}, u[1] = {0};
  perp_operator *A = dense(1, a);
  const perp_problem p = perp_problem_lcp(A, b);
  perp_options o = perp_options_default();
  o.y = y;
  o.ray = u;
  perp_result r = perp_result_empty();
  bool holds = false;
  PROMISE(perp_solve("auto", &p, &o, x, &r) == PERP_OK && r.outcome == PERP_INFEASIBLE);
  PROMISE(r.ray == u && perp_certificate_judge(&p, u, &holds, NULL) == PERP_OK && holds);
  PROMISE(r.y == y && y[0] == -x[0] - 1);
  PROMISE(r.residual == r.relative_residual * r.scale && r.scale == 1);
  perp_operator_destroy(A);
}

/* The result owns y = A x + b, which lives as long as the solver. */
static void gradient(void)
{
  const double a[4] = {2, -1, -1, 2}, b[2] = {-1, 0.8};
  double x[2] = {0};
  perp_operator *A = dense(2, a);
  const perp_problem p = perp_problem_lcp(A, b);
  perp_solver *solver = NULL;
  PROMISE(perp_solver_create("auto", &solver, NULL) == PERP_OK);
  for (int k = 0; k < 3; k++) {
    perp_result r = perp_result_empty();
    memset(x, 0, sizeof x);
    PROMISE(perp_solver_solve(solver, &p, NULL, x, &r) == PERP_OK && r.outcome == PERP_SOLVED);
    PROMISE(r.y && is_near(r.y[0], 0) && is_near(r.y[1], 0.3) && is_near(x[0], 0.5));
  }
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
}

/* ---- Shells ---- */

typedef struct chain {
  int n, calls, fail_at;
} chain;

static int multiply(void *context, const double *x, double *y)
{
  chain *c = context;
  if (++c->calls == c->fail_at)
    return 42;
  for (int i = 0; i < c->n; i++)
    y[i] = 2.01 * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < c->n ? x[i + 1] : 0);
  return 0;
}

/* A shell declares itself definite, which auto trusts, and its callbacks may fail. */
static void shells(void)
{
  enum { N = 2000 };
  static double b[N], x[N];
  chain c = {.n = N};
  perp_shell shell = perp_shell_default();
  shell.apply = multiply;
  shell.context = &c;
  shell.hints = PERP_HINT_DEFINITE | PERP_HINT_SYMMETRIC;
  perp_operator *A = NULL;
  PROMISE(perp_operator_shell(N, &shell, &A, NULL) == PERP_OK);
  PROMISE(perp_operator_hints(A) & PERP_HINT_SEMIDEFINITE);
  for (int i = 0; i < N; i++)
    b[i] = i % 3 ? -1 : 0.5;
  const perp_problem p = perp_problem_lcp(A, b);
  perp_result r = perp_result_empty();
  PROMISE(perp_solve("auto", &p, NULL, x, &r) == PERP_OK && r.outcome == PERP_SOLVED);
  PROMISE(c.calls < N); /* nobody has read A column by column */

  memset(x, 0, sizeof x);
  c.fail_at = c.calls + 5;
  r = perp_result_empty();
  PROMISE(perp_solve("auto", &p, NULL, x, &r) == PERP_ERROR_CALLBACK);
  PROMISE(strstr(r.message.text, "apply") && strstr(r.message.text, "42") && x[1] == 0);
  double y[1];
  perp_message why = {""};
  PROMISE(perp_operator_apply(A, NULL, y, NULL, &why) == PERP_ERROR_ARGUMENT && why.text[0]);
  perp_operator_destroy(A);
}

/* ---- Contacts ---- */

/* A ball of mass 2 that falls on the ground, by bodies and by compressed rows: the same A, with
 * C = cfm I; checks the velocities before and after the contact. */
static void contacts(void)
{
  const double J[12] = {0, 0, 1, 0, 0, 0},
               Minv[36] = {[0] = 0.5, [7] = 0.5, [14] = 0.5, [21] = 1, [28] = 1, [35] = 1};
  const int body[2] = {0, -1};
  perp_contact_bodies ball = perp_contact_bodies_default();
  ball.rows = 1;
  ball.bodies = 1;
  ball.body = body;
  ball.J = J;
  ball.Minv = Minv;
  ball.cfm = 1e-3;
  const int64_t start[2] = {0, 6};
  const int column[6] = {0, 1, 2, 3, 4, 5};
  perp_contact_data data = perp_contact_data_default();
  data.rows = 1;
  data.velocities = 6;
  data.J_start = start;
  data.J_column = column;
  data.J_value = J;
  data.blocks = 1;
  data.Minv = Minv;
  data.cfm = 1e-3;
  perp_operator *A[2] = {NULL, NULL};
  PROMISE(perp_operator_contact_bodies(&ball, PERP_COPY, &A[0], NULL) == PERP_OK);
  PROMISE(perp_operator_contact(&data, PERP_COPY, &A[1], NULL) == PERP_OK);
  for (int k = 0; k < 2; k++) {
    const double v[6] = {1, 0, -3, 0, 0, 0};
    double b[1], x[1] = {0}, after[6], d[1];
    PROMISE(perp_operator_diagonal(A[k], d, NULL) == PERP_OK && is_near(d[0], 0.501));
    PROMISE(perp_contact_bias(A[k], v, NULL, b, NULL) == PERP_OK && b[0] == -3);
    const perp_problem p = perp_problem_lcp(A[k], b);
    perp_result r = perp_result_empty();
    PROMISE(perp_solve("auto", &p, NULL, x, &r) == PERP_OK && r.outcome == PERP_SOLVED);
    PROMISE(perp_contact_velocities(A[k], v, x, after, NULL) == PERP_OK);
    PROMISE(is_near(x[0], 3 / 0.501) && after[0] == 1 && is_near(after[2], -3 + 0.5 * x[0]));
    perp_operator_destroy(A[k]);
  }
}

/* ---- Hooks ---- */

static int blocks, lines;

static void *allocate(void *context, size_t bytes)
{
  (void)context;
  blocks++;
  return malloc(bytes);
}

static void release(void *context, void *block)
{
  (void)context;
  blocks -= block != NULL;
  free(block);
}

static void listen(void *context, perp_log_level level, const char *line)
{
  (void)level;
  lines++;
  if (strstr(line, "auto"))
    *(int *)context = 1;
}

static void hooks_and_log(void)
{
  PROMISE(blocks == 0);
  perp_operator *A = twice(5);
  PROMISE(blocks > 0);
  const double b[5] = {-1, 1, -1, 1, -1};
  double x[5] = {0};
  int said = 0;
  perp_options o = perp_options_default();
  o.logger = listen;
  o.logger_context = &said;
  const perp_problem p = perp_problem_lcp(A, b);
  perp_result r = perp_result_empty();
  PROMISE(perp_solve("auto", &p, &o, x, &r) == PERP_OK && said && lines > 1);
  perp_islands *islands = NULL;
  PROMISE(perp_islands_create("auto", &islands, NULL) == PERP_OK);
  lines = 0;
  memset(x, 0, sizeof x);
  PROMISE(perp_islands_solve(islands, &p, &o, x, &r) == PERP_OK && r.outcome == PERP_SOLVED);
  PROMISE(lines > 1 && x[0] == 0.5); /* what was chosen, and how it ended */
  perp_islands_destroy(islands);
  perp_operator_destroy(A);
  PROMISE(blocks == 0);
}

/* ---- The drop-in for ODE, and errors ---- */

static void ode(void)
{
  const double a[8] = {2, 0, 0, 0, 1, 2, 0, 0}, lo[2] = {0, 0}, hi[2] = {1e300, 0.5};
  const double b[2] = {4, 5};
  double x[2], w[2];
  perp_ode *solver = NULL;
  PROMISE(perp_ode_create(NULL, &solver, NULL) == PERP_OK);
  perp_result r = perp_result_empty();
  PROMISE(perp_ode_solve(solver, 2, a, x, b, w, 0, lo, hi, NULL, NULL, &r) == PERP_OK);
  int before = 0;
  for (int k = 0; k < 4; k++) {
    before = blocks;
    PROMISE(perp_ode_solve(solver, 2, a, x, b, w, 0, lo, hi, NULL, NULL, &r) == PERP_OK);
  }
  PROMISE(blocks == before && r.outcome == PERP_SOLVED);
  PROMISE(is_near(x[1], 0.5) && is_near(x[0], 1.75) && is_near(w[1], 1.75 + 1 - 5));
  PROMISE(perp_ode_solve(solver, 2, NULL, x, b, w, 0, lo, hi, NULL, NULL, &r) ==
              PERP_ERROR_ARGUMENT &&
          r.message.text[0]);
  PROMISE(perp_islands_solve(NULL, NULL, NULL, x, &r) == PERP_ERROR_ARGUMENT && r.message.text[0]);
  PROMISE(perp_solver_solve(NULL, NULL, NULL, x, &r) == PERP_ERROR_ARGUMENT && r.message.text[0]);
  perp_ode_destroy(solver);
}

/* Every form has its bit, by one rule. */
static void forms(void)
{
  unsigned all = 0;
  for (int form = PERP_FORM_LCP; form <= PERP_FORM_CONTACT; form++)
    all |= PERP_TAKES(form);
  const perp_method_info m = perp_method_at(perp_method_find("auto"));
  PROMISE(m.takes == all && m.size == sizeof m);
}

int main(void)
{
  perp_memory_hooks hooks = perp_memory_hooks_default();
  hooks.allocate = allocate;
  hooks.release = release;
  if (perp_memory_hooks_install(&hooks, NULL) != PERP_OK)
    return 1;
  hooks_and_log();
  cones();
  certificates();
  gradient();
  shells();
  contacts();
  ode();
  forms();
  printf("%s\n", broken ? "promises are broken" : "every promise holds");
  return broken != 0;
}
