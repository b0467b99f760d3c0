/* test_ncp.c: nonlinear complementarity problems
 *
 * The collection of the literature, from all of its starts, by every method; the judge is the natural
 * residual, computed here. Published solutions test the data of the problems. */
#include "count_alloc.h"
#include "test.h"

#include "base/clock.h"
#include "base/random.h"
#include <perp/lab.h>
#include <perp/perp.h>

/* max |x - mid(lo, x - F, hi)| */
static double residual(const perp_ncp *p, const double *x)
{
  double *F = malloc((size_t)p->n * sizeof *F), worst = 0;
  CHECK(p->F(p->context, x, F) == 0);
  for (int64_t i = 0; i < p->n; i++) {
    const double lo = p->lo ? p->lo[i] : 0, hi = p->hi ? p->hi[i] : INFINITY;
    const double at = fmin(fmax(x[i] - F[i], lo), hi);
    CHECK(x[i] >= lo && x[i] <= hi);
    worst = fmax(worst, fabs(x[i] - at));
  }
  free(F);
  return worst;
}

static perp_ncp_sample *open_sample(const char *name, int64_t start)
{
  char text[96];
  perp_ncp_sample *s = NULL;
  perp_message why = {""};
  snprintf(text, sizeof text, "%s,start=%lld", name, (long long)start);
  CHECK_SAY(perp_ncp_sample_create(text, &s, &why) == PERP_OK, "%s", why.text);
  return s;
}

/* ---- The collection ---- */

static void published_solutions_are_solutions(void)
{
  int known = 0;
  for (int k = 0; k < perp_ncp_sample_count(); k++) {
    const perp_ncp_sample_info info = perp_ncp_sample_at(k);
    perp_ncp_sample *s = open_sample(info.name, 0);
    const double *x = perp_ncp_sample_solution(s);
    if (x) {
      const double r = residual(perp_ncp_sample_problem(s), x);
      /* to all published digits */
      CHECK_SAY(r <= 2e-3, "%s: %g", info.name, r);
      known++;
    }
    perp_ncp_sample_destroy(s);
  }
  CHECK(known >= 25);
}

static void jacobians_are_those_of_differences(void)
{
  for (int k = 0; k < perp_ncp_sample_count(); k++) {
    const perp_ncp_sample_info info = perp_ncp_sample_at(k);
    for (int64_t start = 0; start < info.starts; start++) {
      perp_ncp_sample *s = open_sample(info.name, start);
      const perp_ncp *p = perp_ncp_sample_problem(s);
      const size_t n = (size_t)p->n;
      double *x = malloc(n * sizeof *x), *J = calloc(p->start ? 5 * n : n * n, sizeof *J);
      double *up = malloc(n * sizeof *up), *down = malloc(n * sizeof *down);
      perp_random random = perp_random_from((uint64_t)start + 1);
      for (size_t i = 0; i < n; i++) /* away from the start, at which some F have corners */
        x[i] = perp_ncp_sample_start(s)[i] * 1.01 + perp_random_between(&random, 0.01, 0.1);
      CHECK(p->jacobian(p->context, x, J) == 0);
      for (size_t j = 0; j < n; j += p->start ? 97 : 1) {
        const double at = x[j], h = 1e-6 * fmax(1, fabs(at));
        x[j] = at + h;
        CHECK(p->F(p->context, x, up) == 0);
        x[j] = at - h;
        CHECK(p->F(p->context, x, down) == 0);
        x[j] = at;
        for (size_t i = 0; i < n; i++) {
          double entry = p->start ? 0 : J[i * n + j];
          for (int64_t e = p->start ? p->start[i] : 0; p->start && e < p->start[i + 1]; e++)
            entry += p->column[e] == (int)j ? J[e] : 0;
          const double slope = (up[i] - down[i]) / (2 * h);
          const double size = fabs(entry) + 1e-9 * (fabs(up[i]) + fabs(down[i])) / h;
          CHECK_SAY(fabs(slope - entry) <= 1e-4 * size + 1e-4, "%s: J[%d][%d] = %g, slope %g",
                    info.name, (int)i, (int)j, entry, slope);
        }
      }
      free(x);
      free(J);
      free(up);
      free(down);
      perp_ncp_sample_destroy(s);
    }
  }
}

/* Returns true if it was solved; always checks the claim. */
static bool run_sample(const char *method, const perp_ncp_sample_info *info, int64_t start,
                       const perp_ncp_options *options, perp_ncp_result *result)
{
  perp_ncp_sample *s = open_sample(info->name, start);
  const perp_ncp *p = perp_ncp_sample_problem(s);
  double *x = malloc((size_t)p->n * sizeof *x);
  memcpy(x, perp_ncp_sample_start(s), (size_t)p->n * sizeof *x);
  const perp_error error = perp_ncp_solve(method, p, options, x, result);
  CHECK_SAY(error == PERP_OK, "%s, %s: %s", method ? method : "default", info->name,
            result->message.text);
  const double r = residual(p, x);
  CHECK_SAY((r <= (options ? options->tol : 1e-8)) == (result->outcome == PERP_SOLVED),
            "%s, %s: %s at %g", method ? method : "default", info->name,
            perp_outcome_name(result->outcome), r);
  free(x);
  perp_ncp_sample_destroy(s);
  return result->outcome == PERP_SOLVED;
}

static void the_default_solves_the_collection(void)
{
  int solved = 0, all = 0;
  CHECK(perp_ncp_sample_count() >= 30);
  for (int k = 0; k < perp_ncp_sample_count(); k++) {
    const perp_ncp_sample_info info = perp_ncp_sample_at(k);
    for (int64_t start = 0; start < info.starts; start++) {
      perp_ncp_result result = perp_ncp_result_empty();
      const bool done = run_sample(NULL, &info, start, NULL, &result);
      if (!done)
        printf("  %s, start %d: %s\n", info.name, (int)start, result.message.text);
      solved += done;
      all++;
    }
  }
  printf("  %d problems, %d of %d starts solved\n", perp_ncp_sample_count(), solved, all);
  CHECK(solved >= 0.95 * all);
}

static void other_methods_are_judged_too(void)
{
  for (int m = 1; perp_ncp_method_name(m); m++) {
    int solved = 0, all = 0;
    for (int k = 0; k < perp_ncp_sample_count(); k++) {
      const perp_ncp_sample_info info = perp_ncp_sample_at(k);
      for (int64_t start = 0; start < info.starts; start++, all++) {
        perp_ncp_result result = perp_ncp_result_empty();
        solved += run_sample(perp_ncp_method_name(m), &info, start, NULL, &result);
      }
    }
    printf("  %s: %d of %d\n", perp_ncp_method_name(m), solved, all);
    CHECK(solved >= 0.8 * all);
  }
}

/* ---- Planted problems: F = M x + c x^3 + q, strongly monotone, so that the planted x is the only one ---- */

enum { PLANTED = 12 };

typedef struct planted {
  double M[PLANTED * PLANTED], c[PLANTED], q[PLANTED], lo[PLANTED], hi[PLANTED], x[PLANTED];
  int64_t start[PLANTED + 1];
  int column[PLANTED * PLANTED];
} planted;

static int planted_F(void *context, const double *x, double *F)
{
  const planted *p = context;
  for (int i = 0; i < PLANTED; i++) {
    F[i] = p->q[i] + p->c[i] * x[i] * x[i] * x[i];
    for (int j = 0; j < PLANTED; j++)
      F[i] += p->M[i * PLANTED + j] * x[j];
  }
  return 0;
}

static int planted_dense(void *context, const double *x, double *J)
{
  const planted *p = context;
  for (int i = 0; i < PLANTED; i++)
    for (int j = 0; j < PLANTED; j++)
      J[i * PLANTED + j] = p->M[i * PLANTED + j] + (i == j ? 3 * p->c[i] * x[i] * x[i] : 0);
  return 0;
}

static int planted_rows(void *context, const double *x, double *J)
{
  const planted *p = context;
  for (int i = 0; i < PLANTED; i++)
    for (int64_t e = p->start[i]; e < p->start[i + 1]; e++)
      J[e] = p->M[i * PLANTED + p->column[e]] + (p->column[e] == i ? 3 * p->c[i] * x[i] * x[i] : 0);
  return 0;
}

/* A third of the rows inside, a third on a bound, a third degenerate; some without bounds. */
static void plant(planted *p, uint64_t seed)
{
  perp_random random = perp_random_from(seed);
  double F[PLANTED];
  int64_t e = 0;
  for (int i = 0; i < PLANTED; i++) {
    for (int j = 0; j < PLANTED; j++)
      p->M[i * PLANTED + j] =
          i != j && perp_random_below(&random, 3) == 0 ? perp_random_between(&random, -1, 1) : 0;
    double sum = 1;
    for (int j = 0; j < PLANTED; j++)
      sum += fabs(p->M[i * PLANTED + j]);
    p->M[i * PLANTED + i] = 2 * sum;
    p->c[i] = perp_random_between(&random, 0, 2);
    p->q[i] = 0;
    p->start[i] = e;
    for (int j = 0; j < PLANTED; j++)
      if (p->M[i * PLANTED + j] != 0)
        p->column[e++] = j;
  }
  p->start[PLANTED] = e;
  double y[PLANTED];
  for (int i = 0; i < PLANTED; i++) {
    const int state = perp_random_below(&random, 3), kind = perp_random_below(&random, 4);
    const double size = perp_random_between(&random, 0.1, 2);
    p->lo[i] = kind == 0 ? -INFINITY : -perp_random_between(&random, 0, 1);
    p->hi[i] = kind == 1 ? p->lo[i] + 1 : INFINITY;
    const bool up = kind == 1 && perp_random_below(&random, 2);
    p->x[i] = kind == 0 ? size - 1 : state == 0 ? p->lo[i] + 0.5 : up ? p->hi[i] : p->lo[i];
    y[i] = kind == 0 || state != 1 ? 0 : up ? -size : size;
  }
  planted_F(p, p->x, F);
  for (int i = 0; i < PLANTED; i++)
    p->q[i] = y[i] - F[i];
}

static void planted_solutions_are_found(void)
{
  const int step = test_share("planted problems", 5);
  for (int seed = 0; seed < 300; seed += step)
    for (int m = 0; perp_ncp_method_name(m); m++) {
      planted p;
      plant(&p, (uint64_t)seed);
      perp_ncp ncp = perp_ncp_default();
      ncp.n = PLANTED;
      ncp.lo = p.lo;
      ncp.hi = p.hi;
      ncp.F = planted_F;
      ncp.jacobian = seed % 3 == 0 ? NULL : seed % 3 == 1 ? planted_dense : planted_rows;
      ncp.start = seed % 3 == 2 ? p.start : NULL;
      ncp.column = p.column;
      ncp.context = &p;
      perp_ncp_result result = perp_ncp_result_empty();
      double x[PLANTED] = {0};
      CHECK(perp_ncp_solve(perp_ncp_method_name(m), &ncp, NULL, x, &result) == PERP_OK);
      CHECK_SAY(result.outcome == PERP_SOLVED, "%s, %d: %s", result.method, seed,
                result.message.text);
      for (int i = 0; i < PLANTED; i++)
        CHECK_CLOSE(x[i], p.x[i], 1e-7);
    }
}

/* josephy with other methods for its linear problems. */
static void linear_methods_may_be_chosen(void)
{
  static const char *const linear[] = {"lemke", "ssn", "fischer"};
  static const char *const names[] = {"kojshin", "nash5", "braess", "hs43", "nash10"};
  for (int m = 0; m < 3; m++)
    for (int k = 0; k < 5; k++) {
      perp_ncp_options options = perp_ncp_options_default();
      perp_ncp_result result = perp_ncp_result_empty();
      perp_ncp_sample_info info = {.name = names[k]};
      options.linear = linear[m];
      CHECK_SAY(run_sample("josephy", &info, 0, &options, &result), "%s by %s: %s", names[k],
                linear[m], result.message.text);
    }
}

/* A method that does not take the bounds is refused by name. */
static void linear_methods_that_do_not_fit_say_so(void)
{
  perp_ncp_sample *s = open_sample("hs71", 0);
  perp_ncp_options options = perp_ncp_options_default();
  perp_ncp_result result = perp_ncp_result_empty();
  double x[6];
  memcpy(x, perp_ncp_sample_start(s), sizeof x);
  options.linear = "lemke";
  CHECK(perp_ncp_solve(NULL, perp_ncp_sample_problem(s), &options, x, &result) ==
        PERP_ERROR_UNSUPPORTED);
  CHECK(strstr(result.message.text, "lemke"));
  CHECK(memcmp(x, perp_ncp_sample_start(s), sizeof x) == 0);
  perp_ncp_sample_destroy(s);
}

/* ---- Callbacks ---- */

typedef struct counted {
  int calls, fail_at, code;
  double number; /* returned instead of F, if it is not 0 */
} counted;

/* x^2 - 2 for x > 0.5: not defined below that */
static int root_of_two(void *context, const double *x, double *F)
{
  counted *c = context;
  c->calls++;
  F[0] = c->number != 0 && c->calls >= c->fail_at ? c->number : x[0] * x[0] - 2;
  if (c->code && c->calls >= c->fail_at)
    return c->code;
  return x[0] < 0.5 ? PERP_NCP_UNDEFINED : 0;
}

static int slope_of_root(void *context, const double *x, double *J)
{
  (void)context;
  J[0] = 2 * x[0];
  return 0;
}

static void undefined_points_shorten_the_step(void)
{
  for (int m = 0; perp_ncp_method_name(m); m++)
    for (int differences = 0; differences < 2; differences++) {
      counted c = {0};
      perp_ncp p = perp_ncp_default();
      p.n = 1;
      p.F = root_of_two;
      p.jacobian = differences ? NULL : slope_of_root;
      p.context = &c;
      /* from 9 a full step of 1 - 1/x^2 goes far below 0.5 */
      double x = 9;
      perp_ncp_result result = perp_ncp_result_empty();
      CHECK(perp_ncp_solve(perp_ncp_method_name(m), &p, NULL, &x, &result) == PERP_OK);
      CHECK_SAY(result.outcome == PERP_SOLVED, "%s", result.message.text);
      CHECK_CLOSE(x, sqrt(2), 1e-8);
      CHECK_EQUAL_INT(result.differences, differences);
      x = 0.1; /* not defined here: it starts further from the bound */
      CHECK(perp_ncp_solve(perp_ncp_method_name(m), &p, NULL, &x, &result) == PERP_OK);
      CHECK_CLOSE(x, sqrt(2), 1e-8);
      x = 0.1; /* nor anywhere below 0.4 */
      const double hi = 0.4;
      p.hi = &hi;
      CHECK(perp_ncp_solve(perp_ncp_method_name(m), &p, NULL, &x, &result) == PERP_ERROR_CALLBACK);
      CHECK(x == 0.1 && result.outcome == PERP_NOT_RUN && strstr(result.message.text, "start"));
    }
}

/* sqrt(x_i) + x_j - 1, whose slope at 0 is infinite */
static int roots(void *context, const double *x, double *F)
{
  (void)context;
  F[0] = sqrt(x[0]) + x[1] - 1;
  F[1] = sqrt(x[1]) + 2;
  return 0;
}

static int slopes_of_roots(void *context, const double *x, double *J)
{
  const int last = context ? 2 : 3; /* compressed rows have no J_10 */
  J[0] = 0.5 / sqrt(x[0]);
  J[1] = 1;
  J[last] = 0.5 / sqrt(x[1]);
  return context && x[1] == 0 ? PERP_NCP_UNDEFINED : 0;
}

static void differences_stand_in_for_infinite_slopes(void)
{
  const int64_t start[3] = {0, 2, 3};
  const int column[3] = {0, 1, 1};
  for (int k = 0; k < 8; k++) {
    const char *method = perp_ncp_method_name(k / 2);
    int rows = 1;
    perp_ncp p = perp_ncp_default();
    p.n = 2, p.F = roots, p.jacobian = slopes_of_roots;
    if (k % 2)
      p.start = start, p.column = column, p.context = &rows;
    double x[2] = {4, 0};
    perp_ncp_result result = perp_ncp_result_empty();
    CHECK(perp_ncp_solve(method, &p, NULL, x, &result) == PERP_OK);
    CHECK_SAY(result.outcome == PERP_SOLVED, "%s: %s", method, result.message.text);
    CHECK_CLOSE(x[0], 1, 1e-7);
    CHECK(x[1] == 0 && result.differences == 1);
    CHECK(strstr(result.message.text, "does not define it") != NULL);
  }
}

/* 1 / x - 4, which Newton overshoots: x = 1 gives -2, clamped to 0, where F is not defined */
static int inverse(void *context, const double *x, double *F)
{
  ++*(int *)context;
  F[0] = 4 - 1 / x[0];
  return x[0] > 0 ? 0 : PERP_NCP_UNDEFINED;
}

static void the_number_of_undefined_points_is_told(void)
{
  int calls = 0;
  perp_ncp p = perp_ncp_default();
  p.n = 1;
  p.F = inverse;
  p.context = &calls;
  double x = 1;
  perp_ncp_result result = perp_ncp_result_empty();
  CHECK(perp_ncp_solve("fischer", &p, NULL, &x, &result) == PERP_OK);
  CHECK_EQUAL_INT(result.outcome, PERP_SOLVED);
  CHECK_CLOSE(x, 0.25, 1e-8);
  CHECK(result.undefined > 0);
  CHECK_EQUAL_INT(result.evaluations, calls);
}

static perp_ncp root_problem(counted *c)
{
  perp_ncp p = perp_ncp_default();
  p.n = 1;
  p.F = root_of_two;
  p.jacobian = slope_of_root;
  p.context = c;
  return p;
}

static void failing_callbacks_end_the_solve(void)
{
  for (int m = 0; perp_ncp_method_name(m); m++)
    for (int at = 1; at < 4; at++) {
      counted c = {.fail_at = at, .code = 7};
      const perp_ncp p = root_problem(&c);
      double x = 9;
      perp_ncp_result result = perp_ncp_result_empty();
      CHECK(perp_ncp_solve(perp_ncp_method_name(m), &p, NULL, &x, &result) == PERP_ERROR_CALLBACK);
      CHECK(x == 9 && strstr(result.message.text, "7"));
      /* NaN at the start is an error, later a point to avoid; it is never a solution */
      c = (counted){.fail_at = at, .number = NAN};
      result = perp_ncp_result_empty();
      const perp_error error = perp_ncp_solve(perp_ncp_method_name(m), &p, NULL, &x, &result);
      CHECK(at == 1 ? error == PERP_ERROR_CALLBACK && x == 9 : result.outcome != PERP_SOLVED);
      CHECK_SAY(at > 1 || strstr(result.message.text, "F[0] = nan at x[0] = 9"), "%s",
                result.message.text);
    }
}

/* The last call of F belongs to the verdict. */
static void a_verdict_that_fails_changes_nothing(void)
{
  for (int m = 0; perp_ncp_method_name(m); m++) {
    counted c = {0};
    const perp_ncp p = root_problem(&c);
    double x = 9;
    perp_ncp_result result = perp_ncp_result_empty();
    CHECK(perp_ncp_solve(perp_ncp_method_name(m), &p, NULL, &x, &result) == PERP_OK);
    c = (counted){.fail_at = (int)result.evaluations, .code = 7};
    x = 9;
    CHECK(perp_ncp_solve(perp_ncp_method_name(m), &p, NULL, &x, &result) == PERP_ERROR_CALLBACK);
    CHECK_SAY(x == 9 && strstr(result.message.text, "returned 7"), "%s", result.message.text);
  }
}

/* -1 - (x - 1)^2, which has no solution, and is defined near 1 only */
static int island(void *context, const double *x, double *F)
{
  (void)context;
  F[0] = -1 - (x[0] - 1) * (x[0] - 1);
  return fabs(x[0] - 1) > 1e-9 ? PERP_NCP_UNDEFINED : 0;
}

static int slope_of_island(void *context, const double *x, double *J)
{
  (void)context;
  J[0] = -2 * (x[0] - 1);
  return 0;
}

/* Starts at which F is not defined are skipped: the outcome stays, and limits hold. */
static void starts_may_be_undefined(void)
{
  for (int m = 0; perp_ncp_method_name(m); m++) {
    perp_ncp p = perp_ncp_default();
    p.n = 1;
    p.F = island;
    p.jacobian = slope_of_island;
    double x = 1;
    perp_ncp_options options = perp_ncp_options_default();
    perp_ncp_result result = perp_ncp_result_empty();
    CHECK(perp_ncp_solve(perp_ncp_method_name(m), &p, NULL, &x, &result) == PERP_OK);
    CHECK_SAY(result.outcome == PERP_LOCAL_MINIMUM, "%s", result.message.text);
    options.restarts = INT64_MAX - 1;
    options.time_limit = 0.01;
    CHECK(perp_ncp_solve(perp_ncp_method_name(m), &p, &options, &x, &result) == PERP_OK);
    CHECK_EQUAL_INT(result.outcome, PERP_TIME_LIMIT);
    options.max_iterations = 0;
    CHECK(perp_ncp_solve(perp_ncp_method_name(m), &p, &options, &x, &result) == PERP_OK);
    CHECK_EQUAL_INT(result.outcome, PERP_TIME_LIMIT);
  }
}

static int steep(void *context, const double *x, double *F)
{
  (void)context;
  F[0] = 1e306 * (x[0] - 699);
  return 0;
}

static int slope_of_steep(void *context, const double *x, double *J)
{
  (void)context;
  (void)x;
  J[0] = 1e306;
  return 0;
}

/* J x overflows, F and J do not. */
static void a_product_that_overflows_is_no_error(void)
{
  perp_ncp p = perp_ncp_default();
  p.n = 1;
  p.F = steep;
  p.jacobian = slope_of_steep;
  double x = 700;
  perp_ncp_result result = perp_ncp_result_empty();
  CHECK_SAY(perp_ncp_solve("josephy", &p, NULL, &x, &result) == PERP_OK, "%s", result.message.text);
  CHECK(result.outcome != PERP_NOT_RUN);
}

/* ---- Bad input ---- */

static void bad_input_is_refused(void)
{
  counted c = {0};
  perp_ncp p = perp_ncp_default();
  perp_ncp_options options = perp_ncp_options_default();
  perp_ncp_result result = perp_ncp_result_empty();
  perp_message why;
  double x = 9, r;
  const double up = 3, down = 2, nan = NAN;
  const int64_t start[2] = {0, 1}, wrong[2] = {0, -1};
  const int column = 0, outside = 4;
  CHECK(perp_ncp_solve(NULL, NULL, NULL, &x, &result) == PERP_ERROR_ARGUMENT);
  CHECK(perp_ncp_solve(NULL, &p, NULL, &x, NULL) == PERP_ERROR_ARGUMENT);
  p.n = 1;
  CHECK(perp_ncp_solve(NULL, &p, NULL, &x, &result) == PERP_ERROR_ARGUMENT); /* no F */
  p.F = root_of_two;
  p.context = &c;
  CHECK(perp_ncp_solve(NULL, &p, NULL, NULL, &result) == PERP_ERROR_ARGUMENT);
  CHECK(perp_ncp_solve("nothing", &p, NULL, &x, &result) == PERP_ERROR_ARGUMENT);
  CHECK(strstr(result.message.text, "nothing"));
  p.lo = &up;
  p.hi = &down;
  CHECK(perp_ncp_solve(NULL, &p, NULL, &x, &result) == PERP_ERROR_PROBLEM);
  CHECK(strstr(result.message.text, "lo[0] = 3 and hi[0] = 2") && x == 9);
  p.lo = &nan;
  CHECK(perp_ncp_solve(NULL, &p, NULL, &x, &result) == PERP_ERROR_PROBLEM);
  p.lo = p.hi = NULL;
  p.start = start;
  CHECK(perp_ncp_solve(NULL, &p, NULL, &x, &result) == PERP_ERROR_ARGUMENT); /* no jacobian */
  p.jacobian = slope_of_root;
  p.column = &outside;
  CHECK(perp_ncp_solve(NULL, &p, NULL, &x, &result) == PERP_ERROR_PROBLEM);
  CHECK(strstr(result.message.text, "Jacobian: row 0 has column 4"));
  p.start = wrong;
  CHECK(perp_ncp_solve(NULL, &p, NULL, &x, &result) == PERP_ERROR_PROBLEM);
  p.start = start;
  p.column = &column;
  CHECK(perp_ncp_solve(NULL, &p, NULL, &x, &result) == PERP_OK); /* now it is right */
  CHECK_EQUAL_INT(result.outcome, PERP_SOLVED);
  x = INFINITY;
  CHECK(perp_ncp_solve(NULL, &p, NULL, &x, &result) == PERP_ERROR_ARGUMENT);
  CHECK(strstr(result.message.text, "x[0] = inf"));
  x = 9;
  options.tol = -1;
  CHECK(perp_ncp_solve(NULL, &p, &options, &x, &result) == PERP_ERROR_ARGUMENT);
  options = perp_ncp_options_default();
  options.linear = "nothing";
  CHECK(perp_ncp_solve(NULL, &p, &options, &x, &result) == PERP_ERROR_PARAMETER);
  CHECK(perp_ncp_judge(&p, &x, NULL, &why) == PERP_ERROR_ARGUMENT);
  CHECK(perp_ncp_judge(&p, &x, &r, &why) == PERP_OK);
  CHECK_CLOSE(r, 9, 0); /* F = 79, and x >= 0 is 9 away */
  x = NAN;
  CHECK(perp_ncp_judge(&p, &x, &r, &why) == PERP_OK && isinf(r));
  perp_ncp_sample *sample = NULL;
  CHECK(perp_ncp_sample_create("nothing", &sample, &why) == PERP_ERROR_PARAMETER && !sample);
  CHECK(perp_ncp_sample_create("nash5,start=9", &sample, &why) == PERP_ERROR_PARAMETER && !sample);
  CHECK(perp_ncp_sample_create("nash5,n=9", &sample, &why) == PERP_ERROR_PARAMETER && !sample);
  CHECK(perp_ncp_sample_create("nash5,start", &sample, &why) == PERP_ERROR_PARAMETER && !sample);
  CHECK(perp_ncp_sample_create(NULL, &sample, &why) == PERP_ERROR_ARGUMENT && !sample);
}

static int nothing(void *context, const double *x, double *F)
{
  (void)context, (void)x, (void)F;
  return 0;
}

static void no_rows(void)
{
  for (int m = 0; perp_ncp_method_name(m); m++) {
    perp_ncp p = perp_ncp_default();
    perp_ncp_result result = perp_ncp_result_empty();
    p.F = nothing;
    CHECK(perp_ncp_solve(perp_ncp_method_name(m), &p, NULL, NULL, &result) == PERP_OK);
    CHECK(result.outcome == PERP_SOLVED && result.residual == 0);
  }
}

static bool stop_at_three(void *context, const perp_progress *progress)
{
  CHECK(progress->n == 10 && progress->x && progress->residual > 0);
  return ++*(int *)context < 3;
}

static void observers_and_limits_end_it(void)
{
  const perp_ncp_sample_info nash = {.name = "nash10"};
  perp_ncp_options options = perp_ncp_options_default();
  perp_ncp_result result = perp_ncp_result_empty();
  int seen = 0;
  options.observer = stop_at_three;
  options.observer_context = &seen;
  CHECK(!run_sample(NULL, &nash, 0, &options, &result));
  CHECK(result.outcome == PERP_STOPPED && seen == 3);
  options = perp_ncp_options_default();
  options.max_iterations = 1;
  options.restarts = 0;
  CHECK(!run_sample("josephy", &nash, 0, &options, &result));
  CHECK_EQUAL_INT(result.outcome, PERP_ITERATION_LIMIT);
  CHECK_EQUAL_INT(result.counts.iterations, 1);
}

static void every_failing_allocation_is_survived(void)
{
  static const char *const names[] = {"kojshin", "pies", "bratu,n=3"};
  for (int m = 0; perp_ncp_method_name(m); m++)
    for (int k = 0; k < 3; k++) {
      perp_ncp_sample *s = NULL;
      CHECK(perp_ncp_sample_create(names[k], &s, NULL) == PERP_OK);
      const perp_ncp *p = perp_ncp_sample_problem(s);
      perp_ncp_options options = perp_ncp_options_default();
      options.max_iterations = 3;
      options.restarts = 0;
      bool done = false;
      for (int64_t at = 0; !done; at++) {
        const int64_t before = live_blocks;
        double x[64];
        perp_ncp_result result = perp_ncp_result_empty();
        memcpy(x, perp_ncp_sample_start(s), (size_t)p->n * sizeof *x);
        allocations = 0;
        fail_at = at;
        const perp_error error = perp_ncp_solve(perp_ncp_method_name(m), p, &options, x, &result);
        done = allocations <= at;
        fail_at = -1;
        CHECK_SAY(error == PERP_OK || error == PERP_ERROR_MEMORY, "%s", result.message.text);
        CHECK(!done || error == PERP_OK);
        CHECK_EQUAL_INT(live_blocks, before);
      }
      perp_ncp_sample_destroy(s);
    }
}

/* The nonlinear obstacle: the terms that josephy adds to its linear problems. */
static void an_obstacle_costs_little_more_than_its_linear_problems(void)
{
  perp_ncp_sample *s = NULL;
  CHECK(perp_ncp_sample_create("bratu,n=64", &s, NULL) == PERP_OK);
  const perp_ncp *p = perp_ncp_sample_problem(s);
  double *x = calloc((size_t)p->n, sizeof *x);
  perp_ncp_result result = perp_ncp_result_empty();
  CHECK(perp_ncp_solve(NULL, p, NULL, x, &result) == PERP_OK);
  CHECK_SAY(result.outcome == PERP_SOLVED, "%s", result.message.text);
  CHECK(residual(p, x) <= 1e-8);
  printf("  %d iterations, %.2f of the time in linear problems\n", (int)result.counts.iterations,
         result.linear_seconds / result.seconds);
  int on = 0;
  for (int64_t i = 0; i < p->n; i++)
    on += x[i] == 0.5;
  CHECK(on > 100 && on < p->n); /* a part of the square touches the obstacle */
  free(x);
  perp_ncp_sample_destroy(s);
}

typedef struct timed {
  const perp_ncp *p;
  double seconds;
} timed;

static int timed_function(void *context, const double *x, double *F)
{
  timed *t = context;
  const double before = perp_clock_seconds();
  const int code = t->p->F(t->p->context, x, F);
  t->seconds += perp_clock_seconds() - before;
  return code;
}

static int timed_jacobian(void *context, const double *x, double *J)
{
  timed *t = context;
  const double before = perp_clock_seconds();
  const int code = t->p->jacobian(t->p->context, x, J);
  t->seconds += perp_clock_seconds() - before;
  return code;
}

/* Prints the cost of a solve as a multiple of its factors, solves, F and J. */
static void most_of_a_step_is_its_factor(void)
{
  perp_ncp_sample *s = NULL;
  CHECK(perp_ncp_sample_create("bratu,n=64", &s, NULL) == PERP_OK);
  timed t = {perp_ncp_sample_problem(s), 0};
  perp_ncp p = *t.p;
  p.F = timed_function;
  p.jacobian = timed_jacobian;
  p.context = &t;
  double *x = malloc((size_t)p.n * sizeof *x);
  static const char *const names[] = {"josephy", "fischer", "homotopy", "interior"};
  for (int k = 0; k < 4; k++) {
    perp_ncp_result result = perp_ncp_result_empty();
    memset(x, 0, (size_t)p.n * sizeof *x);
    t.seconds = 0;
    const perp_error error = perp_ncp_solve(names[k], &p, NULL, x, &result);
    if (error == PERP_ERROR_BACKEND) /* no UMFPACK */
      continue;
    CHECK(error == PERP_OK && result.outcome == PERP_SOLVED);
    CHECK_SAY(result.linear_seconds > 0 && t.seconds > 0 &&
                  result.linear_seconds + t.seconds <= result.seconds,
              "%s: %g + %g of %g s", names[k], result.linear_seconds, t.seconds, result.seconds);
    printf("  %s: %.2f times its factors, solves, F and J\n", names[k],
           result.seconds / (result.linear_seconds + t.seconds));
  }
  free(x);
  perp_ncp_sample_destroy(s);
}

static const test_case tests[] = {
    TEST(published_solutions_are_solutions),
    TEST(jacobians_are_those_of_differences),
    TEST(the_default_solves_the_collection),
    TEST(other_methods_are_judged_too),
    TEST(planted_solutions_are_found),
    TEST(linear_methods_may_be_chosen),
    TEST(linear_methods_that_do_not_fit_say_so),
    TEST(undefined_points_shorten_the_step),
    TEST(differences_stand_in_for_infinite_slopes),
    TEST(the_number_of_undefined_points_is_told),
    TEST(failing_callbacks_end_the_solve),
    TEST(a_verdict_that_fails_changes_nothing),
    TEST(starts_may_be_undefined),
    TEST(a_product_that_overflows_is_no_error),
    TEST(bad_input_is_refused),
    TEST(no_rows),
    TEST(observers_and_limits_end_it),
    TEST(every_failing_allocation_is_survived),
    TEST(an_obstacle_costs_little_more_than_its_linear_problems),
    TEST(most_of_a_step_is_its_factor),
};

TEST_MAIN(tests)
