/* test_shell.c: callbacks of the caller's own matrix that fail, and hints about it */
#include "test.h"

#include "base/random.h"
#include <perp/perp.h>

enum { N = 12, CALLS = 20 };

/* A matrix whose k-th callback call fails: the first n rows and columns of a. */
typedef struct faulty {
  int n;
  double a[N * N];
  int calls;
  int fail_at; /* 0: never */
  int lose_at; /* from this call on rows have no entries; 0: never */
} faulty;

static bool fails(faulty *f)
{
  return ++f->calls == f->fail_at;
}

static int apply(void *context, const double *x, double *y)
{
  faulty *f = context;
  for (int i = 0; i < f->n; i++) {
    y[i] = 0;
    for (int j = 0; j < f->n; j++)
      y[i] += f->a[i * N + j] * x[j];
  }
  return fails(f) ? 71 : 0;
}

static int diagonal(void *context, double *d)
{
  faulty *f = context;
  for (int i = 0; i < f->n; i++)
    d[i] = f->a[i * N + i];
  return fails(f) ? 72 : 0;
}

static int row(void *context, int i, int *column, double *value)
{
  faulty *f = context;
  int count = 0;
  for (int j = 0; j < f->n; j++)
    if (f->a[i * N + j] != 0) {
      column[count] = j;
      value[count++] = f->a[i * N + j];
    }
  if (f->lose_at && f->calls + 1 >= f->lose_at)
    count = 0;
  return fails(f) ? -73 : count;
}

static int relax(void *context, const double *b, const perp_set *K, double omega, perp_order order,
                 double *x)
{
  faulty *f = context;
  if (order == PERP_COLOURED) /* rows are all coupled, so ascending is by colour */
    order = PERP_FORWARD;
  for (int k = 0; k < f->n; k++) {
    const int i = order == PERP_FORWARD ? k : f->n - 1 - k;
    double sum = b[i], lo, hi;
    for (int j = 0; j < f->n; j++)
      sum += f->a[i * N + j] * x[j];
    perp_set_bounds(K, x, i, &lo, &hi);
    const double t = x[i] - omega * sum / f->a[i * N + i];
    x[i] = t < lo ? lo : t > hi ? hi : t;
  }
  return fails(f) ? 74 : 0;
}

/* B B^T + I, full. */
static void fill(faulty *f)
{
  perp_random random = perp_random_from(5);
  f->n = N;
  double B[N * N];
  for (int k = 0; k < N * N; k++)
    B[k] = perp_random_normal(&random);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double sum = i == j ? N : 0;
      for (int k = 0; k < N; k++)
        sum += B[i * N + k] * B[j * N + k];
      f->a[i * N + j] = sum;
    }
}

typedef enum { BARE, SYMMETRIC, WITH_DIAGONAL, ROWS, OWN_SWEEP, KINDS } kind;
static const char *const kind_names[] = {"bare", "symmetric", "diagonal", "rows", "own sweep"};

static perp_operator *operator_of(kind k, faulty *f)
{
  perp_shell shell = perp_shell_default();
  shell.context = f;
  shell.apply = apply;
  if (k == SYMMETRIC)
    shell.hints = PERP_HINT_SYMMETRIC | PERP_HINT_DEFINITE;
  if (k == WITH_DIAGONAL || k == OWN_SWEEP)
    shell.diagonal = diagonal;
  if (k == ROWS || k == OWN_SWEEP)
    shell.row = row;
  if (k == OWN_SWEEP)
    shell.relax = relax;
  perp_operator *A = NULL;
  CHECK(perp_operator_shell(f->n, &shell, &A, NULL) == PERP_OK);
  return A;
}

static perp_problem problem_of(perp_form form, const perp_operator *A)
{
  static double b[N], lo[N], hi[N];
  static const double mu[N / 3] = {0.5, 0.1, 1, 0};
  static int findex[N];
  for (int i = 0; i < N; i++) {
    b[i] = i % 3 == 0 ? -4 - i : 0.7 * i - 3;
    lo[i] = form == PERP_FORM_BOXED ? -0.1 : i % 3 == 0 ? 0 : -0.5;
    hi[i] = form == PERP_FORM_BOXED ? 0.2 : i % 3 == 0 ? INFINITY : 0.5;
    if (form == PERP_FORM_MIXED) {
      lo[i] = i % 2 ? 0 : -INFINITY;
      hi[i] = INFINITY;
    }
    findex[i] = i % 3 ? i / 3 * 3 : -1;
  }
  switch (form) {
  case PERP_FORM_LCP:
    return perp_problem_lcp(A, b);
  case PERP_FORM_FINDEX:
    return perp_problem_friction(A, b, lo, hi, findex);
  case PERP_FORM_CONE:
    return perp_problem_cone(A, b, mu);
  default:
    return perp_problem_boxed(A, b, lo, hi);
  }
}

/* The k-th call fails: the solve reports it, and the next one, whose calls all succeed, gives the
 * bits of the first. Returns the number of failures tried. */
static int try_failures(perp_solver *solver, const perp_problem *p, faulty *f, const char *what)
{
  double x[N] = {0}, first[N] = {0};
  perp_result result = perp_result_empty();
  f->fail_at = f->calls = 0;
  const perp_error error = perp_solver_solve(solver, p, NULL, first, &result);
  const int total = f->calls;
  if (error == PERP_ERROR_UNSUPPORTED)
    return 0;
  CHECK_SAY(error == PERP_OK, "%s: %s", what, result.message.text);
  int tried = 0;
  for (int k = 1; k <= CALLS && k <= total; k++, tried++) {
    for (int i = 0; i < N; i++)
      x[i] = 0;
    f->calls = 0;
    f->fail_at = k;
    const perp_error failed = perp_solver_solve(solver, p, NULL, x, &result);
    CHECK_SAY(failed == PERP_ERROR_CALLBACK, "%s, call %d of %d: %s, %s", what, k, total,
              perp_error_name(failed), result.message.text);
    CHECK_SAY(strstr(result.message.text, "the callback ") && strstr(result.message.text, "7"),
              "%s, call %d: %s", what, k, result.message.text);
    CHECK(result.outcome == PERP_NOT_RUN && result.residual == INFINITY && !result.ray);
    for (int i = 0; i < N; i++)
      CHECK(x[i] == 0);
  }
  f->fail_at = 0;
  CHECK(perp_solver_solve(solver, p, NULL, x, &result) == PERP_OK);
  CHECK_SAY(memcmp(x, first, sizeof x) == 0, "%s: other bits after failures", what);
  return tried;
}

static void failures_end_every_method(void)
{
  static faulty f;
  fill(&f);
  for (int m = 0; m < perp_method_count(); m++) {
    const perp_method_info method = perp_method_at(m);
    f.n = method.most_unknowns && method.most_unknowns < N ? method.most_unknowns : N;
    int tried = 0;
    bool takes_shells = false;
    for (kind k = BARE; k < KINDS; k++) {
      perp_operator *A = operator_of(k, &f);
      for (int form = PERP_FORM_LCP; form <= PERP_FORM_CONE; form++) {
        if (!(method.takes & PERP_TAKES(form)) || (method.needs & ~perp_operator_abilities(A)))
          continue;
        takes_shells = true;
        const perp_problem p = problem_of((perp_form)form, A);
        char what[128];
        snprintf(what, sizeof what, "%s, %s, %s", method.name, kind_names[k],
                 perp_form_name((perp_form)form));
        perp_solver *solver = NULL;
        CHECK(perp_solver_create(method.name, &solver, NULL) == PERP_OK);
        tried += try_failures(solver, &p, &f, what);
        perp_solver_destroy(solver);
      }
      perp_operator_destroy(A);
    }
    CHECK_SAY(!takes_shells || tried > 0, "%s was never tried", method.name);
  }
}

/* A matrix that changes while it is read: a method notices, or reads within bounds (checked by the
 * sanitizer build). */
static void rows_that_vanish_are_refused(void)
{
  static faulty f;
  fill(&f);
  int noticed = 0;
  perp_operator *A = operator_of(ROWS, &f);
  const perp_problem p = problem_of(PERP_FORM_LCP, A);
  for (int m = 0; m < perp_method_count(); m++) {
    const perp_method_info method = perp_method_at(m);
    if (!(method.takes & PERP_TAKES(PERP_FORM_LCP)) ||
        (method.needs & ~perp_operator_abilities(A)) ||
        (method.most_unknowns && method.most_unknowns < N))
      continue;
    for (f.lose_at = 1; f.lose_at < 5 * N; f.lose_at++) {
      double x[N] = {0};
      perp_result r = perp_result_empty();
      perp_options o = perp_options_default();
      o.max_iterations = 20;
      f.calls = 0;
      perp_solve(method.name, &p, &o, x, &r);
      noticed += strstr(r.message.text, "of the row callback gave") != NULL;
    }
  }
  CHECK_SAY(noticed > N, "noticed %d times", noticed);
  perp_operator_destroy(A);
}

/* Calls without a solver. */
static void failures_of_single_calls(void)
{
  static faulty f;
  fill(&f);
  perp_operator *bare = operator_of(BARE, &f), *rows = operator_of(ROWS, &f), *made = NULL;
  double x[N] = {0}, y[N], full[N * N], residual, scale;
  int column[N], count, island[N];
  const perp_problem p = problem_of(PERP_FORM_LCP, rows), q = problem_of(PERP_FORM_LCP, bare);
  perp_message why;
  perp_facts facts;
  perp_plan plan;
  const int S[2] = {3, 5};
#define FAILS(call)                                                                                \
  do {                                                                                             \
    f.calls = 0;                                                                                   \
    f.fail_at = 1;                                                                                 \
    why.text[0] = 0;                                                                               \
    CHECK((call) == PERP_ERROR_CALLBACK);                                                          \
    CHECK(strstr(why.text, "the callback "));                                                      \
  } while (0)
  FAILS(perp_operator_apply(bare, x, y, NULL, &why));
  CHECK(isnan(y[0]) && isnan(y[N - 1]));
  CHECK_EQUAL_TEXT(why.text, "the callback apply of A returned 71");
  FAILS(perp_operator_row(rows, 4, column, y, &count, &why));
  CHECK_EQUAL_TEXT(why.text, "the callback row of A, called for 4, returned -73");
  CHECK_EQUAL_INT(count, 0);
  FAILS(perp_operator_diagonal(rows, y, &why));
  FAILS(perp_operator_principal(rows, 2, S, full, &why));
  FAILS(perp_operator_block_diagonal(rows, 1, (int[]){0, 3}, full, &why));
  FAILS(perp_operator_to_dense(bare, 0, &made, &why));
  FAILS(perp_operator_to_csr(bare, 0, &made, &why));
  FAILS(perp_operator_to_csr(rows, 0, &made, &why));
  FAILS(perp_problem_judge(&q, x, &residual, &scale, &why));
  FAILS(perp_problem_facts(&p, &facts, &why));
  FAILS(perp_problem_plan(&p, &plan, &why));
  FAILS(perp_islands_find(&p, island, &count, &why));
#undef FAILS
  perp_operator_destroy(bare);
  perp_operator_destroy(rows);
}

/* Columns that do not ascend, out of range, or too many. */
static int wrong_row(void *context, int i, int *column, double *value)
{
  const int wrong = *(const int *)context;
  column[0] = wrong == 0 ? 1 : i;
  column[1] = wrong == 0 ? 1 : wrong == 1 ? -1 : 3;
  value[0] = value[1] = 2;
  return wrong == 3 ? 4 : 2;
}

static int apply_identity(void *context, const double *x, double *y)
{
  (void)context;
  memcpy(y, x, 3 * sizeof *x);
  return 0;
}

static void rows_are_checked(void)
{
  for (int wrong = 0; wrong < 4; wrong++) {
    perp_shell shell = perp_shell_default();
    shell.context = &wrong;
    shell.apply = apply_identity;
    shell.row = wrong_row;
    perp_operator *A = NULL;
    CHECK(perp_operator_shell(3, &shell, &A, NULL) == PERP_OK);
    const double b[3] = {-1, -1, -1};
    double x[3] = {0};
    const perp_problem p = perp_problem_lcp(A, b);
    perp_result result = perp_result_empty();
    CHECK(perp_solve("lemke", &p, NULL, x, &result) == PERP_ERROR_CALLBACK);
    CHECK_SAY(strstr(result.message.text, "the callback row"), "%s", result.message.text);
    perp_operator_destroy(A);
  }
}

static void hints_and_sizes(void)
{
  static faulty f;
  fill(&f);
  f.fail_at = 0;
  perp_operator *A = operator_of(SYMMETRIC, &f);
  CHECK_EQUAL_INT(perp_operator_hints(A),
                  PERP_HINT_SYMMETRIC | PERP_HINT_SEMIDEFINITE | PERP_HINT_DEFINITE);
  CHECK(perp_operator_abilities(A) & PERP_CAN_APPLY_T); /* A^T = A */
  CHECK(!(perp_operator_abilities(A) & PERP_CAN_COLUMN));
  double x[N], y[N], z[N];
  for (int i = 0; i < N; i++)
    x[i] = i - 3;
  CHECK(perp_operator_apply(A, x, y, NULL, NULL) == PERP_OK);
  CHECK(perp_operator_apply_t(A, x, z, NULL, NULL) == PERP_OK);
  CHECK(memcmp(y, z, sizeof y) == 0);
  perp_operator_destroy(A);

  perp_message why;
  perp_shell shell = perp_shell_default();
  CHECK(perp_operator_shell(N, &shell, &A, &why) == PERP_ERROR_ARGUMENT && !A);
  CHECK(strstr(why.text, "apply"));
  shell.apply = apply;
  shell.context = &f;
  shell.hints = 64;
  CHECK(perp_operator_shell(N, &shell, &A, &why) == PERP_ERROR_ARGUMENT);
  CHECK(strstr(why.text, "hints = 64"));
  shell.hints = 0;
  shell.size = 0;
  CHECK(perp_operator_shell(N, &shell, &A, &why) == PERP_ERROR_ARGUMENT);
  CHECK(strstr(why.text, "perp_shell_default"));

  /* a client with fewer fields, and one with more */
  shell.row = row;
  shell.size = offsetof(perp_shell, row);
  CHECK(perp_operator_shell(N, &shell, &A, &why) == PERP_OK);
  CHECK(!(perp_operator_abilities(A) & PERP_CAN_ROW)); /* not read: it lies behind the size */
  perp_operator_destroy(A);
  struct {
    perp_shell known;
    double more[4];
  } newer;
  perp_shell_init(&newer.known, sizeof newer);
  CHECK(newer.known.size == sizeof newer && newer.more[3] == 0);
  newer.known.apply = apply;
  newer.known.row = row;
  newer.known.context = &f;
  CHECK(perp_operator_shell(N, &newer.known, &A, &why) == PERP_OK);
  CHECK(perp_operator_abilities(A) & PERP_CAN_ROW);
  perp_operator_destroy(A);
}

/* ---- Too large to be examined ---- */

enum { LARGE = 3000 };

static int apply_string(void *context, const double *x, double *y)
{
  const double shift = *(const double *)context;
  for (int i = 0; i < LARGE; i++)
    y[i] = (2 + shift) * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < LARGE ? x[i + 1] : 0);
  return 0;
}

static void facts_believe_hints(void)
{
  static double b[LARGE];
  for (int hinted = 0; hinted < 3; hinted++) {
    const double shift = hinted == 2 ? -1 : 1; /* with -1 the hint is a lie */
    perp_shell shell = perp_shell_default();
    shell.context = (void *)&shift;
    shell.apply = apply_string;
    shell.hints = hinted ? PERP_HINT_SYMMETRIC | PERP_HINT_DEFINITE : 0;
    perp_operator *A = NULL;
    CHECK(perp_operator_shell(LARGE, &shell, &A, NULL) == PERP_OK);
    const perp_problem p = perp_problem_lcp(A, b);
    perp_facts facts;
    CHECK(perp_problem_facts(&p, &facts, NULL) == PERP_OK);
    CHECK(!facts.entries_seen && facts.symmetric == (hinted > 0));
    CHECK_EQUAL_INT(facts.definite, hinted == 0   ? PERP_DEFINITE_UNKNOWN
                                    : hinted == 1 ? PERP_DEFINITE_POSITIVE
                                                  : PERP_DEFINITE_NOT);
    perp_operator_destroy(A);
  }
}

static const test_case tests[] = {
    TEST(failures_end_every_method), TEST(failures_of_single_calls),
    TEST(rows_are_checked),          TEST(hints_and_sizes),
    TEST(facts_believe_hints),       TEST(rows_that_vanish_are_refused),
};
TEST_MAIN(tests)
