/* test_calls.c: problems from plain arrays in one call, other layouts of A, and lines for people */
#define _POSIX_C_SOURCE 200809L
#include "test.h"
#include <perp/perp.h>
#include <unistd.h>

static const double dense[4] = {2, -1, -1, 2}, rhs[2] = {-1, 0.8};

/* ---- One call ---- */

static void dense_in_one_call(void)
{
  double x[2] = {0}, y[2] = {0}, same[2] = {0};
  perp_result result = perp_result_empty(), other = perp_result_empty();
  perp_options options = perp_options_default();
  options.y = y;
  CHECK(perp_solve_dense(2, dense, rhs, NULL, &options, x, &result) == PERP_OK);
  CHECK(result.outcome == PERP_SOLVED && x[0] == 0.5 && x[1] == 0);
  CHECK(result.y == y);
  CHECK_CLOSE(y[1], 0.3, 1e-15);

  perp_operator *A = NULL;
  CHECK(perp_operator_dense(2, dense, 2, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem problem = perp_problem_lcp(A, rhs);
  CHECK(perp_solve(NULL, &problem, NULL, same, &other) == PERP_OK); /* NULL is auto */
  perp_operator_destroy(A);
  CHECK(same[0] == x[0] && same[1] == x[1] && strcmp(result.method, other.method) == 0);

  const double lo[2] = {-1, -1}, hi[2] = {0.25, 1};
  perp_set K = perp_set_default(2);
  K.lo = lo, K.hi = hi;
  CHECK(perp_solve_dense(2, dense, rhs, &K, NULL, x, &result) == PERP_OK);
  CHECK(result.outcome == PERP_SOLVED && x[0] == 0.25);
  CHECK_CLOSE(x[1], -0.275, 1e-8);

  CHECK(perp_solve_dense(0, NULL, NULL, NULL, NULL, NULL, &result) == PERP_OK);
  CHECK(result.outcome == PERP_SOLVED);
}

static void dense_refuses(void)
{
  const double infinite[4] = {2, -1, INFINITY, 2}, nan[2] = {NAN, 1};
  double x[2] = {3, 4};
  perp_result result = perp_result_empty();
  CHECK(perp_solve_dense(-1, dense, rhs, NULL, NULL, x, &result) == PERP_ERROR_ARGUMENT);
  CHECK(result.outcome == PERP_NOT_RUN && strstr(result.message.text, "-1"));
  CHECK(perp_solve_dense(2, NULL, rhs, NULL, NULL, x, &result) == PERP_ERROR_ARGUMENT);
  CHECK(perp_solve_dense(2, dense, NULL, NULL, NULL, x, &result) != PERP_OK);
  CHECK(perp_solve_dense(2, dense, rhs, NULL, NULL, NULL, &result) == PERP_ERROR_ARGUMENT);
  CHECK(perp_solve_dense(2, dense, rhs, NULL, NULL, x, NULL) == PERP_ERROR_ARGUMENT);
  CHECK(perp_solve_dense(2, infinite, rhs, NULL, NULL, x, &result) == PERP_ERROR_PROBLEM);
  CHECK(strstr(result.message.text, "(1,0)") || strstr(result.message.text, "1, 0"));
  CHECK(perp_solve_dense(2, dense, nan, NULL, NULL, x, &result) == PERP_ERROR_PROBLEM);
  perp_options options = perp_options_default();
  options.tol = NAN;
  CHECK(perp_solve_dense(2, dense, rhs, NULL, &options, x, &result) == PERP_ERROR_ARGUMENT);
  options.size = 3;
  CHECK(perp_solve_dense(-1, dense, rhs, NULL, &options, x, &result) == PERP_ERROR_ARGUMENT);
  CHECK(x[0] == 3 && x[1] == 4);
}

static const int64_t start64[3] = {0, 2, 4};
static const int column[4] = {0, 1, 0, 1};

static void csr_in_one_call(void)
{
  const int wrong[4] = {0, 2, 0, 1};
  double x[2] = {0};
  perp_result result = perp_result_empty();
  CHECK(perp_solve_csr(2, start64, column, dense, rhs, NULL, NULL, x, &result) == PERP_OK);
  CHECK(result.outcome == PERP_SOLVED);
  CHECK_CLOSE(x[0], 0.5, 1e-8);
  CHECK(perp_solve_csr(2, start64, wrong, dense, rhs, NULL, NULL, x, &result) ==
        PERP_ERROR_PROBLEM);
  CHECK(strstr(result.message.text, "row 0 has column 2"));
  CHECK(perp_solve_csr(2, NULL, column, dense, rhs, NULL, NULL, x, &result) == PERP_ERROR_ARGUMENT);
  CHECK(perp_solve_csr(-2, start64, column, dense, rhs, NULL, NULL, x, &result) ==
        PERP_ERROR_ARGUMENT);
  CHECK(perp_solve_csr(2, start64, column, dense, rhs, NULL, NULL, x, NULL) == PERP_ERROR_ARGUMENT);
}

/* A box that slides on the ground with two corners in contact: the steps of docs/contacts.md. */
static void contacts_in_one_call(void)
{
  const double J[24] = {0, 1, -0.5, 0, 0, 0, 1, 0, 0.5, 0, 0, 0,
                        0, 1, 0.5,  0, 0, 0, 1, 0, 0.5, 0, 0, 0};
  const double Minv[9] = {1, 0, 0, 0, 1, 0, 0, 0, 6};
  const int body[4] = {0, -1, 0, -1}, findex[4] = {-1, 0, -1, 2};
  const double lo[4] = {0, -0.5, 0, -0.5}, hi[4] = {INFINITY, 0.5, INFINITY, 0.5};
  const double before[3] = {0.02, -0.0981, 0};
  double v[3], x[4] = {0}, steps_x[4] = {0}, steps_v[3], b[4];
  memcpy(v, before, sizeof v);
  perp_contact_bodies data = perp_contact_bodies_default();
  data.rows = 4, data.bodies = 1, data.freedom = 3, data.together = 2;
  data.body = body, data.J = J, data.Minv = Minv, data.cfm = 1e-9;
  perp_set K = perp_set_default(4);
  K.lo = lo, K.hi = hi, K.findex = findex;
  perp_result result = perp_result_empty();
  CHECK(perp_solve_contacts(&data, NULL, &K, NULL, v, x, &result) == PERP_OK);
  CHECK(result.outcome == PERP_SOLVED && fabs(v[1]) < 1e-6);

  perp_operator *A = NULL;
  CHECK(perp_operator_contact_bodies(&data, PERP_BORROW, &A, NULL) == PERP_OK);
  CHECK(perp_contact_bias(A, before, NULL, b, NULL) == PERP_OK);
  const perp_problem problem = perp_problem_friction(A, b, lo, hi, findex);
  CHECK(perp_solve("auto", &problem, NULL, steps_x, &result) == PERP_OK);
  CHECK(perp_contact_velocities(A, before, steps_x, steps_v, NULL) == PERP_OK);
  perp_operator_destroy(A);
  CHECK(memcmp(x, steps_x, sizeof x) == 0 && memcmp(v, steps_v, sizeof v) == 0);

  const double nan[4] = {0, NAN, 0, 0};
  memcpy(v, before, sizeof v);
  CHECK(perp_solve_contacts(NULL, NULL, &K, NULL, v, x, &result) == PERP_ERROR_ARGUMENT);
  CHECK(perp_solve_contacts(&data, NULL, &K, NULL, NULL, x, &result) == PERP_ERROR_ARGUMENT);
  CHECK(perp_solve_contacts(&data, nan, &K, NULL, v, x, &result) == PERP_ERROR_PROBLEM);
  CHECK(perp_solve_contacts(&data, NULL, &K, NULL, v, NULL, &result) == PERP_ERROR_ARGUMENT);
  CHECK(perp_solve_contacts(&data, NULL, &K, NULL, v, x, NULL) == PERP_ERROR_ARGUMENT);
  data.rows = -4;
  CHECK(perp_solve_contacts(&data, NULL, &K, NULL, v, x, &result) != PERP_OK);
  CHECK(memcmp(v, before, sizeof v) == 0 && memcmp(x, steps_x, sizeof x) == 0);
}

/* ---- Compressed columns, and starts of 32 bits ---- */

/* 3 x 3, not symmetric, its structure neither: rows {1 2 0; 0 3 4; 5 0 6} */
static const double full[9] = {1, 2, 0, 0, 3, 4, 5, 0, 6};
static const int r_start[4] = {0, 2, 4, 6}, r_column[6] = {0, 1, 1, 2, 0, 2};
static const double r_value[6] = {1, 2, 3, 4, 5, 6};
static const int c_start[4] = {0, 2, 4, 6}, c_row[6] = {0, 2, 0, 1, 1, 2};
static const double c_value[6] = {1, 5, 2, 3, 4, 6};

static void check_is(const perp_operator *A, const double *a)
{
  double got[9];
  const int all[3] = {0, 1, 2};
  CHECK(perp_operator_size(A) == 3 && perp_operator_nonzeros(A) == 6);
  CHECK_EQUAL_TEXT(perp_operator_kind(A), "csr");
  CHECK(perp_operator_principal(A, 3, all, got, NULL) == PERP_OK);
  CHECK(memcmp(got, a, sizeof got) == 0);
}

static void other_layouts(void)
{
  const int64_t c_start64[4] = {0, 2, 4, 6};
  for (int storage = 0; storage < 2; storage++) {
    const perp_storage how = storage ? PERP_COPY : PERP_BORROW;
    perp_operator *A = NULL;
    perp_message why;
    CHECK(perp_operator_csr32(3, r_start, r_column, r_value, how, &A, &why) == PERP_OK);
    check_is(A, full);
    perp_operator_destroy(A);
    CHECK(perp_operator_csc(3, c_start64, c_row, c_value, how, &A, &why) == PERP_OK);
    check_is(A, full);
    perp_operator_destroy(A);
    CHECK(perp_operator_csc32(3, c_start, c_row, c_value, how, &A, &why) == PERP_OK);
    check_is(A, full);
    perp_operator_destroy(A);
    CHECK(perp_operator_csr32(0, NULL, NULL, NULL, how, &A, &why) == PERP_OK);
    perp_operator_destroy(A);
    CHECK(perp_operator_csc(0, NULL, NULL, NULL, how, &A, &why) == PERP_OK);
    perp_operator_destroy(A);
  }
}

static void columns_are_refreshed(void)
{
  double value[6], changed[9];
  memcpy(value, c_value, sizeof value);
  memcpy(changed, full, sizeof changed);
  perp_operator *borrowed = NULL, *copied = NULL;
  perp_message why;
  CHECK(perp_operator_csc32(3, c_start, c_row, value, PERP_BORROW, &borrowed, &why) == PERP_OK);
  CHECK(perp_operator_csc32(3, c_start, c_row, value, PERP_COPY, &copied, &why) == PERP_OK);
  value[1] = changed[6] = 7;
  CHECK(perp_operator_refresh(borrowed, &why) == PERP_OK);
  CHECK(perp_operator_refresh(copied, &why) == PERP_OK);
  check_is(borrowed, changed);
  check_is(copied, full);
  value[1] = NAN;
  CHECK(perp_operator_refresh(borrowed, &why) == PERP_ERROR_PROBLEM);
  CHECK(strstr(why.text, "A(2,0) = nan"));
  perp_operator_destroy(borrowed);
  perp_operator_destroy(copied);
}

static void layouts_refuse(void)
{
  const int twice[6] = {0, 0, 0, 1, 1, 2}, outside[6] = {0, 3, 0, 1, 1, 2}, falls[4] = {0, 4, 2, 6};
  const double nan[6] = {1, 5, NAN, 3, 4, 6};
  perp_operator *A = (perp_operator *)1;
  perp_message why;
  CHECK(perp_operator_csc32(3, c_start, twice, c_value, PERP_BORROW, &A, &why) ==
        PERP_ERROR_PROBLEM);
  CHECK_EQUAL_TEXT(why.text, "A: column 0 has row 0 twice");
  CHECK(!A);
  CHECK(perp_operator_csc32(3, c_start, outside, c_value, PERP_BORROW, &A, &why) ==
        PERP_ERROR_PROBLEM);
  CHECK_EQUAL_TEXT(why.text, "A: column 0 has row 3 outside 0 .. 2");
  CHECK(perp_operator_csc32(3, c_start, c_row, nan, PERP_COPY, &A, &why) == PERP_ERROR_PROBLEM);
  CHECK(strstr(why.text, "A(0,1) = nan"));
  CHECK(perp_operator_csc32(3, c_start, c_row, NULL, PERP_COPY, &A, &why) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_csc32(3, c_start, NULL, c_value, PERP_COPY, &A, &why) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_csc32(3, NULL, c_row, c_value, PERP_COPY, &A, &why) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_csc32(-3, c_start, c_row, c_value, PERP_COPY, &A, &why) ==
        PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_csc(-3, NULL, c_row, c_value, PERP_COPY, &A, &why) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_csc(3, NULL, c_row, c_value, PERP_COPY, &A, &why) == PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_csr32(3, falls, r_column, r_value, PERP_BORROW, &A, &why) ==
        PERP_ERROR_PROBLEM);
  CHECK(perp_operator_csr32(-3, r_start, r_column, r_value, PERP_BORROW, &A, &why) ==
        PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_csr32(3, NULL, r_column, r_value, PERP_BORROW, &A, &why) ==
        PERP_ERROR_ARGUMENT);
  CHECK(!A);
  CHECK(perp_operator_csr32(3, r_start, r_column, r_value, PERP_BORROW, NULL, NULL) ==
        PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_csc32(3, c_start, c_row, c_value, PERP_BORROW, NULL, NULL) ==
        PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_csc(3, start64, c_row, c_value, PERP_BORROW, NULL, NULL) ==
        PERP_ERROR_ARGUMENT);
}

static void columns_give_the_bits_of_rows(void)
{
  const double b[3] = {-1, -2, -3};
  double x[3] = {0}, other[3] = {0};
  perp_operator *rows = NULL, *columns = NULL;
  perp_result result = perp_result_empty();
  CHECK(perp_operator_csr32(3, r_start, r_column, r_value, PERP_BORROW, &rows, NULL) == PERP_OK);
  CHECK(perp_operator_csc32(3, c_start, c_row, c_value, PERP_COPY, &columns, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(rows, b), q = perp_problem_lcp(columns, b);
  CHECK(perp_solve("lemke", &p, NULL, x, &result) == PERP_OK);
  CHECK(perp_solve("lemke", &q, NULL, other, &result) == PERP_OK);
  CHECK(memcmp(x, other, sizeof x) == 0);
  perp_operator_destroy(rows);
  perp_operator_destroy(columns);
}

/* ---- Lines for people ---- */

typedef struct heard {
  int lines, iterations, seen;
  char first[200], last[700];
} heard;

static void listen(void *context, perp_log_level level, const char *line)
{
  heard *h = context;
  (void)level;
  snprintf(h->lines == 0 ? h->first : h->last, sizeof h->first, "%.180s", line);
  h->iterations += line[0] == ' ' && line[9] >= '0' && line[9] <= '9';
  h->lines++;
}

static bool look(void *context, const perp_progress *progress)
{
  (void)progress;
  ((heard *)context)->seen++;
  return true;
}

static void verbose_tells_each_iteration(void)
{
  heard h = {0}, quiet = {0};
  perp_operator *A = NULL;
  const double b[2] = {-1, -1};
  double x[2] = {0};
  perp_result result = perp_result_empty();
  CHECK(perp_operator_dense(2, dense, 2, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  perp_options options = perp_options_default();
  options.logger = listen;
  options.logger_context = &quiet;
  options.observer = look;
  options.observer_context = &quiet;
  CHECK(perp_solve("pgs", &p, &options, x, &result) == PERP_OK);
  CHECK(quiet.iterations == 0 && quiet.seen > 3);

  options.verbose = 1;
  options.logger_context = options.observer_context = &h;
  x[0] = x[1] = 0;
  CHECK(perp_solve("pgs", &p, &options, x, &result) == PERP_OK);
  CHECK(result.outcome == PERP_SOLVED);
  CHECK_EQUAL_TEXT(h.first, " iteration    residual       merit    seconds");
  CHECK(h.seen == quiet.seen && h.iterations == h.seen); /* the caller's observer sees them too */
  CHECK(strstr(h.last, "pgs: solved"));

  options.verbose = 3;
  h = (heard){0};
  x[0] = x[1] = 0;
  CHECK(perp_solve("pgs", &p, &options, x, &result) == PERP_OK);
  CHECK(h.iterations == (h.seen + 2) / 3);
  options.verbose = -1;
  CHECK(perp_solve("pgs", &p, &options, x, &result) == PERP_ERROR_ARGUMENT);
  CHECK(strstr(result.message.text, "verbose = -1"));
  perp_operator_destroy(A);
}

static int square(void *context, const double *x, double *F)
{
  (void)context;
  F[0] = x[0] * x[0] - 2;
  return 0;
}

static void verbose_tells_of_nonlinear_problems(void)
{
  heard h = {0};
  double x[1] = {5};
  perp_ncp ncp = perp_ncp_default();
  ncp.n = 1, ncp.F = square;
  perp_ncp_options options = perp_ncp_options_default();
  perp_ncp_result result = perp_ncp_result_empty();
  options.logger = listen, options.logger_context = &h, options.verbose = 1;
  options.observer = look, options.observer_context = &h;
  CHECK(perp_ncp_solve(NULL, &ncp, &options, x, &result) == PERP_OK);
  CHECK(result.outcome == PERP_SOLVED && h.iterations == h.seen && h.seen > 2);
  options.verbose = -2;
  CHECK(perp_ncp_solve(NULL, &ncp, &options, x, &result) == PERP_ERROR_ARGUMENT);
}

/* minimise x'x/2 - x1 - x2 with x1 + x2 <= 1 */
static perp_qp small_program(perp_operator **P)
{
  static const double identity[4] = {1, 0, 0, 1}, q[2] = {-1, -1}, G[2] = {1, 1}, u[1] = {1};
  CHECK(perp_operator_dense(2, identity, 2, PERP_BORROW, P, NULL) == PERP_OK);
  perp_qp qp = perp_qp_default();
  qp.n = 2, qp.m = 1, qp.P = *P, qp.q = q, qp.G_value = G, qp.u = u;
  return qp;
}

static void verbose_tells_of_quadratic_programs(void)
{
  static const char *const methods[] = {NULL, "ipm", "active", "admm", "kkt:auto"};
  perp_operator *P = NULL;
  const perp_qp qp = small_program(&P);
  perp_qp_options options = perp_qp_options_default();
  perp_qp_result result = perp_qp_result_empty();
  double x[2];
  for (int m = 0; m < 5; m++) {
    heard h = {0};
    options.logger = listen, options.logger_context = &h, options.verbose = 0;
    CHECK(perp_qp_solve(methods[m], &qp, &options, x, &result) == PERP_OK);
    CHECK(result.outcome == PERP_SOLVED && h.iterations == 0);
    options.verbose = 1;
    CHECK(perp_qp_solve(methods[m], &qp, &options, x, &result) == PERP_OK);
    CHECK_SAY(result.outcome == PERP_SOLVED && h.iterations > 0, "%s: %d lines",
              methods[m] ? methods[m] : "auto", h.iterations);
    CHECK_CLOSE(x[0], 0.5, 1e-7);
  }
  options.verbose = -1;
  CHECK(perp_qp_solve(NULL, &qp, &options, x, &result) == PERP_ERROR_ARGUMENT);
  perp_operator_destroy(P);
}

static void programs_take_another_method(void)
{
  perp_operator *P = NULL;
  const perp_qp qp = small_program(&P);
  perp_qp_solver *solver = (perp_qp_solver *)1;
  perp_qp_result result = perp_qp_result_empty();
  perp_message why = {""};
  double x[2];
  CHECK(perp_qp_solver_create("simplex", &qp, &solver, &why) == PERP_ERROR_PARAMETER && !solver);
  CHECK(strstr(why.text, "simplex"));
  CHECK(perp_qp_solver_create("ipm", &qp, &solver, &why) == PERP_OK);
  CHECK(perp_qp_solver_solve(solver, NULL, x, &result) == PERP_OK);
  CHECK_EQUAL_TEXT(result.method, "ipm");
  CHECK(perp_qp_solver_set_method(solver, "kkt:nobody", &why) == PERP_ERROR_PARAMETER);
  CHECK(perp_qp_solver_set_method(NULL, "ipm", &why) == PERP_ERROR_ARGUMENT);
  CHECK(perp_qp_solver_solve(solver, NULL, x, &result) == PERP_OK);
  CHECK_EQUAL_TEXT(result.method, "ipm");
  CHECK(perp_qp_solver_set_method(solver, "admm", &why) == PERP_OK);
  CHECK(perp_qp_solver_solve(solver, NULL, x, &result) == PERP_OK);
  CHECK_EQUAL_TEXT(result.method, "admm");
  CHECK(perp_qp_solver_set_method(solver, NULL, &why) == PERP_OK);
  CHECK(perp_qp_solver_solve(solver, NULL, x, &result) == PERP_OK);
  CHECK(result.outcome == PERP_SOLVED && result.counts.iterations > 0);
  perp_qp_solver_destroy(solver);
  perp_operator_destroy(P);
}

/* Without a logger the lines go to stderr, but only if requested. */
static void verbose_prints_to_stderr(void)
{
  double x[2] = {0};
  perp_result result = perp_result_empty();
  perp_options options = perp_options_default();
  char name[] = "/tmp/perp-calls-XXXXXX";
  FILE *kept = NULL;
  fflush(stderr);
  const int file = mkstemp(name), before = dup(2);
  CHECK(file >= 0 && before >= 0 && dup2(file, 2) == 2);
  const perp_error silent = perp_solve_dense(2, dense, rhs, NULL, &options, x, &result);
  fflush(stderr);
  const long quiet = lseek(file, 0, SEEK_END);
  options.verbose = 1;
  const perp_error told = perp_solve_dense(2, dense, rhs, NULL, &options, x, &result);
  fflush(stderr);
  dup2(before, 2);
  CHECK(silent == PERP_OK && told == PERP_OK && quiet == 0);
  kept = fdopen(file, "r");
  CHECK(kept != NULL);
  rewind(kept);
  char line[200];
  CHECK(fgets(line, sizeof line, kept));
  bool solved = false;
  while (fgets(line, sizeof line, kept))
    solved = solved || strstr(line, "auto: solved");
  CHECK(solved);
  fclose(kept);
  close(before);
  remove(name);
}

static const test_case tests[] = {
    TEST(dense_in_one_call),
    TEST(dense_refuses),
    TEST(csr_in_one_call),
    TEST(contacts_in_one_call),
    TEST(other_layouts),
    TEST(columns_are_refreshed),
    TEST(layouts_refuse),
    TEST(columns_give_the_bits_of_rows),
    TEST(verbose_tells_each_iteration),
    TEST(verbose_tells_of_nonlinear_problems),
    TEST(verbose_tells_of_quadratic_programs),
    TEST(programs_take_another_method),
    TEST(verbose_prints_to_stderr),
};

TEST_MAIN(tests)
