/* test_derivative_limits.c: derivatives of degenerate solutions and singular systems, of larger
 * problems in every way, and with bad input or too little memory */
#include "count_alloc.h"
#include "derivative_samples.h"
#include "linalg/dense.h"
#include "linalg/krylov.h"

/* ---- Degenerate rows ---- */

/* y = x + b with b = 0: x = max(0, -b). To the right the bound holds, to the left it is released. */
static void degenerate_rows_take_the_side_that_was_asked_for(void)
{
  const double a = 1, b = 0, x = 0, change = 1;
  perp_operator *A = problem_dense(1, &a);
  const perp_problem p = perp_problem_lcp(A, &b);
  for (int side = 0; side < 2; side++) {
    perp_derivative_options options = perp_derivative_options_default();
    options.degenerate = (perp_degenerate)side;
    perp_derivative *d = NULL;
    double dx;
    CHECK(perp_derivative_create(&p, &x, &options, &d, NULL) == PERP_OK);
    CHECK_EQUAL_INT(perp_derivative_get(d).degenerate, 1);
    perp_change c = perp_change_default();
    c.b = &change;
    CHECK(perp_derivative_jvp(d, &c, &dx, NULL) == PERP_OK);
    CHECK(dx == (side == PERP_DEGENERATE_HOLD ? 0 : -1));
    perp_derivative_destroy(d);
  }
  perp_operator_destroy(A);
}

/* A cone with A = I and b = (-1, 0, t): x = P(-b) is known if y_n = 0. At t = mu it is about to
 * slide, and at b = 0 it touches without force. The one-sided differences of x are derived by
 * hand. */
static void degenerate_cones_take_the_side_that_was_asked_for(void)
{
  const double mu = 0.5, a[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double b[2][3] = {{-1, 0, 0.5}, {0, 0, 0}};
  const double x[2][3] = {{1, 0, -0.5}, {0, 0, 0}};
  /* db and dx: sliding (x_n = 1 - db_n, |x_t| = mu x_n), sticking (x = -b), at rest, with a force */
  const double db[2][2][3] = {{{0.2, 0, 0.3}, {-0.2, 0, -0.3}}, {{0.1, 0, 0}, {-1, 0.1, 0}}};
  const double dx[2][2][3] = {{{-0.2, 0, 0.1}, {0.2, 0, 0.3}}, {{0, 0, 0}, {1, -0.1, 0}}};
  perp_operator *A = problem_dense(3, a);
  for (int k = 0; k < 2; k++)
    for (int side = 0; side < 2; side++) {
      const perp_problem p = perp_problem_cone(A, b[k], &mu);
      perp_derivative_options options = perp_derivative_options_default();
      options.degenerate = (perp_degenerate)side;
      perp_derivative *d = NULL;
      double moved[3], near[3], with[3];
      CHECK(perp_derivative_create(&p, x[k], &options, &d, NULL) == PERP_OK);
      CHECK_EQUAL_INT(perp_derivative_get(d).degenerate, 1);
      perp_change c = perp_change_default();
      c.b = db[k][side];
      CHECK(perp_derivative_jvp(d, &c, moved, NULL) == PERP_OK);
      const double h = 1e-6;
      perp_options precise = perp_options_default();
      perp_result result = perp_result_empty();
      precise.tol = 1e-14;
      for (int i = 0; i < 3; i++) {
        with[i] = b[k][i] + h * db[k][side][i];
        near[i] = x[k][i];
      }
      const perp_problem after = perp_problem_cone(A, with, &mu);
      CHECK(perp_solve("ssn", &after, &precise, near, &result) == PERP_OK);
      for (int i = 0; i < 3; i++) {
        CHECK_CLOSE(moved[i], dx[k][side][i], 1e-12);
        CHECK_CLOSE((near[i] - x[k][i]) / h, dx[k][side][i], 1e-5);
      }
      perp_derivative_destroy(d);
    }
  perp_operator_destroy(A);
}

/* ---- Singular systems ---- */

/* Every contact twice and no compliance: the forces are not determined, the velocities are. */
static void velocities_of_redundant_contacts_have_a_gradient(void)
{
  enum { ROWS = 6, SIZE = 3 };
  for (uint64_t seed = 0; seed < 50; seed++)
    for (int way = PERP_DERIVATIVE_DENSE; way <= PERP_DERIVATIVE_KRYLOV; way++) {
      perp_random random = perp_random_from(seed);
      double J[ROWS * SIZE], x[ROWS], b[ROWS], y[ROWS], w[ROWS], db[ROWS], bar[ROWS];
      const double Minv[SIZE * SIZE] = {2, 0, 0, 0, 1, 0, 0, 0, 0.5}, v[SIZE] = {0.3, -1, 0.7};
      int64_t start[ROWS + 1] = {0};
      int column[ROWS * SIZE];
      for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < SIZE; k++) {
          J[i * SIZE + k] = i % 2 ? J[(i - 1) * SIZE + k] : perp_random_between(&random, -1, 1);
          column[i * SIZE + k] = k;
        }
        start[i + 1] = (i + 1) * SIZE;
        x[i] = i < 4 ? perp_random_between(&random, 0.5, 1) : 0;
        y[i] = i < 4 ? 0 : i == 4 ? perp_random_between(&random, 0.5, 1) : y[4];
        db[i] = i % 2 ? db[i - 1] : perp_random_between(&random, -1, 1);
      }
      perp_contact_data data = perp_contact_data_default();
      data.rows = ROWS;
      data.velocities = SIZE;
      data.J_start = start;
      data.J_column = column;
      data.J_value = J;
      data.blocks = 1;
      data.Minv = Minv;
      perp_operator *A = NULL;
      double scratch[16];
      CHECK(perp_operator_contact(&data, PERP_COPY, &A, NULL) == PERP_OK);
      CHECK(perp_operator_scratch(A) <= 16);
      CHECK(perp_operator_apply(A, x, b, scratch, NULL) == PERP_OK);
      for (int i = 0; i < ROWS; i++)
        b[i] = y[i] - b[i];
      const perp_problem p = perp_problem_lcp(A, b);
      perp_derivative_options options = perp_derivative_options_default();
      options.way = (perp_derivative_way)way;
      perp_derivative *d = NULL;
      perp_message why;
      CHECK_SAY(perp_derivative_create(&p, x, &options, &d, &why) == PERP_OK, "%s", why.text);
      /* the loss v^T Minv J^T x; its w is J Minv v, the same for both rows of a contact */
      for (int i = 0; i < ROWS; i++) {
        w[i] = 0;
        for (int k = 0; k < SIZE; k++)
          w[i] += J[i * SIZE + k] * Minv[4 * k] * v[k];
      }
      perp_gradient g = perp_gradient_default();
      g.b = bar;
      CHECK(perp_derivative_vjp(d, w, &g, NULL) == PERP_OK);
      CHECK(perp_derivative_get(d).error <= 1e-10);
      if (perp_derivative_get(d).way != PERP_DERIVATIVE_KRYLOV)
        CHECK_EQUAL_INT(perp_derivative_get(d).deficiency, 2);
      /* With only the free rows 0 and 2 the velocities are the same: an independent problem. */
      const double *j0 = J, *j2 = J + 2 * SIZE;
      double m00 = 0, m02 = 0, m22 = 0;
      for (int k = 0; k < SIZE; k++) {
        m00 += j0[k] * Minv[4 * k] * j0[k];
        m02 += j0[k] * Minv[4 * k] * j2[k];
        m22 += j2[k] * Minv[4 * k] * j2[k];
      }
      const double det = m00 * m22 - m02 * m02;
      const double q0 = (m22 * -db[0] - m02 * -db[2]) / det;
      const double q2 = (m00 * -db[2] - m02 * -db[0]) / det;
      const double expected = w[0] * q0 + w[2] * q2;
      double found = 0;
      for (int i = 0; i < ROWS; i++)
        found += bar[i] * db[i];
      CHECK_CLOSE(found, expected, 1e-9 * (1 + fabs(expected)));
      /* least norm: the two rows of a contact share the load */
      CHECK_CLOSE(bar[0], bar[1], 1e-9 * (1 + fabs(bar[0])));
      CHECK_CLOSE(bar[2], bar[3], 1e-9 * (1 + fabs(bar[2])));
      perp_derivative_destroy(d);
      perp_operator_destroy(A);
    }
}

typedef struct square {
  int m;
  const double *B;
} square;

static void square_product(void *context, const double *x, double *y)
{
  const square *s = context;
  for (int i = 0; i < s->m; i++) {
    y[i] = 0;
    for (int j = 0; j < s->m; j++)
      y[i] += s->B[i * s->m + j] * x[j];
  }
}

static void square_product_t(void *context, const double *x, double *y)
{
  const square *s = context;
  for (int j = 0; j < s->m; j++) {
    y[j] = 0;
    for (int i = 0; i < s->m; i++)
      y[j] += s->B[i * s->m + j] * x[i];
  }
}

/* B = Q diag(s) Z^T with s = 1, 2, ... up to the rank, Q and Z reflections: B^+ b is known. */
static void lsqr_finds_the_least_norm(void)
{
  enum { M = 10 };
  perp_random random = perp_random_from(8);
  for (int rank = 1; rank <= M; rank++) {
    double u[M], v[M], B[M * M], b[M], expected[M] = {0}, x[M], work[3 * M], uu = 0, vv = 0;
    for (int i = 0; i < M; i++) {
      u[i] = perp_random_between(&random, -1, 1);
      v[i] = perp_random_between(&random, -1, 1);
      b[i] = perp_random_between(&random, -1, 1);
      uu += u[i] * u[i];
      vv += v[i] * v[i];
    }
    memset(B, 0, sizeof B);
    for (int k = 0; k < rank; k++) {
      double q[M], z[M], part = 0;
      for (int i = 0; i < M; i++) {
        q[i] = (i == k) - 2 * u[i] * u[k] / uu;
        z[i] = (i == k) - 2 * v[i] * v[k] / vv;
        part += q[i] * b[i];
      }
      for (int i = 0; i < M; i++) {
        expected[i] += z[i] * part / (k + 1);
        for (int j = 0; j < M; j++)
          B[i * M + j] += (k + 1) * q[i] * z[j];
      }
    }
    square s = {M, B};
    const perp_lsqr l = {.n = M,
                         .product = square_product,
                         .product_t = square_product_t,
                         .context = &s,
                         .tol = 1e-13,
                         .limit = 200};
    perp_lsqr_solve(&l, b, x, work);
    for (int i = 0; i < M; i++)
      CHECK_CLOSE(x[i], expected[i], 1e-10);
  }
}

/* ---- Larger ones: the ways agree ---- */

static void ways_agree_on_a_grid(void)
{
  enum { SIDE = 30, CELLS = SIDE * SIDE };
  static double b[CELLS], x[CELLS], w[CELLS], bar[4][CELLS], lo[4][CELLS];
  perp_random random = perp_random_from(9);
  perp_stencil_data data = perp_stencil_data_default();
  data.nx = data.ny = SIDE;
  perp_operator *A = NULL;
  CHECK(perp_operator_stencil(&data, PERP_COPY, &A, NULL) == PERP_OK);
  for (int i = 0; i < CELLS; i++) {
    b[i] = perp_random_between(&random, -0.2, 0.5);
    w[i] = perp_random_between(&random, -1, 1);
  }
  const perp_problem p = perp_problem_lcp(A, b);
  perp_options precise = perp_options_default();
  perp_result result = perp_result_empty();
  precise.tol = 1e-13;
  CHECK(perp_solve("blockpivot", &p, &precise, x, &result) == PERP_OK);
  CHECK_EQUAL_INT(result.outcome, PERP_SOLVED);
  for (int way = 0; way < 4; way++) {
    perp_derivative_options options = perp_derivative_options_default();
    options.way = (perp_derivative_way)way;
    perp_derivative *d = NULL;
    CHECK(perp_derivative_create(&p, x, &options, &d, NULL) == PERP_OK);
    perp_gradient g = perp_gradient_default();
    g.b = bar[way];
    g.lo = lo[way];
    CHECK(perp_derivative_vjp(d, w, &g, NULL) == PERP_OK);
    CHECK(perp_derivative_get(d).error < 1e-12);
    if (way > 0)
      CHECK_EQUAL_INT(perp_derivative_get(d).way, way);
    for (int i = 0; i < CELLS; i++) {
      CHECK_CLOSE(bar[way][i], bar[0][i], 1e-10);
      CHECK_CLOSE(lo[way][i], lo[0][i], 1e-10);
    }
    perp_derivative_destroy(d);
  }
  perp_operator_destroy(A);
}

/* ---- Bad input ---- */

static void bad_input_is_refused(void)
{
  sample *s = sample_make(SAMPLE_DENSE, SAMPLE_BOXED, 3);
  perp_derivative *d = NULL;
  perp_message why;
  double dx[SAMPLE_ROWS], bar[SAMPLE_ROWS], x[SAMPLE_ROWS];
  CHECK(perp_derivative_create(&s->p, s->x, NULL, NULL, &why) == PERP_ERROR_ARGUMENT);
  CHECK(perp_derivative_create(NULL, s->x, NULL, &d, &why) == PERP_ERROR_ARGUMENT && !d);
  CHECK(perp_derivative_create(&s->p, NULL, NULL, &d, &why) == PERP_ERROR_ARGUMENT && !d);
  memcpy(x, s->x, sizeof x);
  x[2] = NAN;
  CHECK(perp_derivative_create(&s->p, x, NULL, &d, &why) == PERP_ERROR_ARGUMENT && !d);
  CHECK(strstr(why.text, "x[2]"));
  x[2] = s->x[2] + 1;
  CHECK(perp_derivative_create(&s->p, x, NULL, &d, &why) == PERP_ERROR_PROBLEM && !d);
  CHECK_SAY(strstr(why.text, "natural residual"), "%s", why.text);
  perp_problem wrong = s->p;
  wrong.K.n++;
  CHECK(perp_derivative_create(&wrong, s->x, NULL, &d, &why) == PERP_ERROR_PROBLEM && !d);
  perp_derivative_options options = perp_derivative_options_default();
  options.near = NAN;
  CHECK(perp_derivative_create(&s->p, s->x, &options, &d, &why) == PERP_ERROR_ARGUMENT && !d);
  options = perp_derivative_options_default();
  options.way = (perp_derivative_way)7;
  CHECK(perp_derivative_create(&s->p, s->x, &options, &d, &why) == PERP_ERROR_ARGUMENT && !d);
  options = perp_derivative_options_default();
  options.size = 3;
  CHECK(perp_derivative_create(&s->p, s->x, &options, &d, &why) == PERP_ERROR_ARGUMENT && !d);

  CHECK(perp_derivative_create(&s->p, s->x, NULL, &d, &why) == PERP_OK);
  perp_gradient g = perp_gradient_default();
  perp_change c = perp_change_default();
  CHECK(perp_derivative_vjp(d, NULL, &g, &why) == PERP_ERROR_ARGUMENT);
  CHECK(perp_derivative_vjp(d, s->w, NULL, &why) == PERP_ERROR_ARGUMENT);
  CHECK(perp_derivative_vjp(NULL, s->w, &g, &why) == PERP_ERROR_ARGUMENT);
  CHECK(perp_derivative_jvp(d, &c, NULL, &why) == PERP_ERROR_ARGUMENT);
  x[2] = INFINITY;
  g.b = bar;
  CHECK(perp_derivative_vjp(d, x, &g, &why) == PERP_ERROR_ARGUMENT && strstr(why.text, "w[2]"));
  c.b = x;
  CHECK(perp_derivative_jvp(d, &c, dx, &why) == PERP_ERROR_ARGUMENT && strstr(why.text, "b[2]"));
  c.b = NULL;
  c.J = dx;
  CHECK(perp_derivative_jvp(d, &c, dx, &why) == PERP_ERROR_ARGUMENT && strstr(why.text, "dense"));
  g.wx = bar;
  CHECK(perp_derivative_vjp(d, s->w, &g, &why) == PERP_ERROR_ARGUMENT && strstr(why.text, "wx"));
  /* other numbers in A: the derivative belongs to the earlier problem */
  g.wx = NULL;
  CHECK(perp_derivative_vjp(d, s->w, &g, &why) == PERP_OK);
  CHECK(perp_operator_refresh(s->A, NULL) == PERP_OK);
  CHECK(perp_derivative_vjp(d, s->w, &g, &why) == PERP_ERROR_ARGUMENT);
  perp_derivative_destroy(d);
  perp_derivative_destroy(NULL);
  sample_free(s);
}

static int apply_only(void *context, const double *x, double *y)
{
  const int *fail = context;
  y[0] = 2 * x[0] + x[1];
  y[1] = 3 * x[1];
  return *fail;
}

/* Without a transpose there is a jvp, and no vjp; a callback that fails is named. */
static void shells_that_lack_something_say_so(void)
{
  const double b[2] = {-3, -3}, x[2] = {1, 1}, db[2] = {1, 0};
  int fail = 0;
  double dx[2], bar[2];
  perp_shell shell = perp_shell_default();
  shell.apply = apply_only;
  shell.context = &fail;
  perp_operator *A = NULL;
  perp_derivative *d = NULL;
  perp_message why;
  CHECK(perp_operator_shell(2, &shell, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  CHECK(perp_derivative_create(&p, x, NULL, &d, &why) == PERP_OK);
  perp_change c = perp_change_default();
  c.b = db;
  CHECK(perp_derivative_jvp(d, &c, dx, &why) == PERP_OK);
  CHECK_CLOSE(dx[0], -0.5, 1e-12);
  CHECK_CLOSE(dx[1], 0, 1e-12);
  perp_gradient g = perp_gradient_default();
  g.b = bar;
  CHECK(perp_derivative_vjp(d, db, &g, &why) == PERP_ERROR_UNSUPPORTED);
  CHECK(strstr(why.text, "apply_t"));
  fail = 7;
  CHECK(perp_derivative_jvp(d, &c, dx, &why) == PERP_ERROR_CALLBACK && strstr(why.text, "7"));
  perp_derivative_destroy(d);
  CHECK(perp_derivative_create(&p, x, NULL, &d, &why) == PERP_ERROR_CALLBACK && !d);
  perp_operator_destroy(A);
}

/* ---- Memory ---- */

static void every_failing_allocation_is_survived(void)
{
  for (int kind = 0; kind < SAMPLE_KINDS; kind++)
    for (int way = 0; way < 4; way++) {
      sample *s = sample_make((sample_kind)kind, SAMPLE_PRODUCT, 77);
      perp_derivative_options options = perp_derivative_options_default();
      options.way = (perp_derivative_way)way;
      bool done = false;
      for (int64_t k = 0; !done; k++) {
        const int64_t before = live_blocks;
        perp_derivative *d = NULL;
        double bar[SAMPLE_ROWS];
        perp_gradient g = perp_gradient_default();
        g.b = bar;
        allocations = 0;
        fail_at = k;
        perp_error error = perp_derivative_create(&s->p, s->x, &options, &d, NULL);
        if (!error)
          error = perp_derivative_vjp(d, s->w, &g, NULL);
        done = allocations <= k;
        fail_at = -1;
        perp_derivative_destroy(d);
        CHECK_SAY(error == PERP_OK || error == PERP_ERROR_MEMORY, "%s", perp_error_name(error));
        CHECK(!done || error == PERP_OK);
        CHECK_SAY(live_blocks == before, "%s, allocation %d: %d blocks left", s->name, (int)k,
                  (int)(live_blocks - before));
        CHECK(k < 1000);
      }
      sample_free(s);
    }
}

/* vjp and jvp do not use the heap. */
static void calls_allocate_nothing(void)
{
  for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
    sample *s = sample_make((sample_kind)kind, SAMPLE_PRODUCT, 78);
    perp_derivative *d = NULL;
    double bar[SAMPLE_ROWS], dx[SAMPLE_ROWS];
    perp_gradient g = perp_gradient_default();
    perp_change c = perp_change_default();
    g.b = g.lo = bar;
    c.b = c.lo = s->w;
    CHECK(perp_derivative_create(&s->p, s->x, NULL, &d, NULL) == PERP_OK);
    allocations = 0;
    CHECK(perp_derivative_vjp(d, s->w, &g, NULL) == PERP_OK);
    CHECK(perp_derivative_jvp(d, &c, dx, NULL) == PERP_OK);
    CHECK_EQUAL_INT(allocations, 0);
    perp_derivative_destroy(d);
    sample_free(s);
  }
}

static void no_rows(void)
{
  perp_operator *A = NULL;
  perp_derivative *d = NULL;
  CHECK(perp_operator_dense(0, NULL, 0, PERP_COPY, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, NULL);
  CHECK(perp_derivative_create(&p, NULL, NULL, &d, NULL) == PERP_OK);
  const perp_gradient g = perp_gradient_default();
  const perp_change c = perp_change_default();
  CHECK(perp_derivative_vjp(d, NULL, &g, NULL) == PERP_OK);
  CHECK(perp_derivative_jvp(d, &c, NULL, NULL) == PERP_OK);
  perp_derivative_destroy(d);
  perp_operator_destroy(A);
}

static const test_case tests[] = {
    TEST(degenerate_rows_take_the_side_that_was_asked_for),
    TEST(degenerate_cones_take_the_side_that_was_asked_for),
    TEST(velocities_of_redundant_contacts_have_a_gradient),
    TEST(lsqr_finds_the_least_norm),
    TEST(ways_agree_on_a_grid),
    TEST(bad_input_is_refused),
    TEST(shells_that_lack_something_say_so),
    TEST(every_failing_allocation_is_survived),
    TEST(calls_allocate_nothing),
    TEST(no_rows),
};

TEST_MAIN(tests)
