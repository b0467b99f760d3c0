/* test_brief.c: the short path for a few rows gives the results of the full path
 *
 * A logger makes a solve take the long way, with a driver, which is the oracle: x, y, residual,
 * counts and plan are the same to the last bit, whatever the solver has solved before, and so is
 * what a wrong input gets. That the short way was taken shows in the seconds, which only it leaves
 * at 0. */
#include "base/random.h"
#include "test.h"

#include <perp/lab.h>
#include <perp/perp.h>

enum { MOST = 64 };

typedef struct answer {
  perp_error error;
  double x[MOST];
  perp_result result;
} answer;

static void ignore(void *context, perp_log_level level, const char *line)
{
  (void)context, (void)level, (void)line;
}

/* From `start`, 0 if it is NULL. */
static void ask(perp_solver *solver, const perp_problem *p, perp_options options, bool in_full,
                const double *start, answer *to)
{
  options.logger = in_full ? ignore : NULL;
  to->result = perp_result_empty();
  memset(to->x, 0, sizeof to->x);
  if (start)
    memcpy(to->x, start, (size_t)p->K.n * sizeof *start);
  to->error = perp_solver_solve(solver, p, &options, to->x, &to->result);
}

static void check_plans(const perp_plan *p, const perp_plan *q)
{
  CHECK(strcmp(p->class_name, q->class_name) == 0 && p->steps == q->steps &&
        p->scaled == q->scaled);
  for (int k = 0; k < p->steps; k++)
    CHECK(p->method[k] == q->method[k] && p->limit[k] == q->limit[k]);
}

static void check_same(const answer *a, const answer *b, int n)
{
  const perp_result *r = &a->result, *s = &b->result;
  CHECK(a->error == b->error);
  CHECK(memcmp(a->x, b->x, sizeof a->x) == 0);
  CHECK(r->outcome == s->outcome && strcmp(r->message.text, s->message.text) == 0);
  CHECK(memcmp(&r->residual, &s->residual, sizeof r->residual) == 0);
  CHECK(memcmp(&r->relative_residual, &s->relative_residual, sizeof r->residual) == 0);
  CHECK(r->scale == s->scale);
  perp_counts counts = r->counts;
  if (r->seconds > 0) /* the full path too: it may have found factors of an earlier solve */
    counts.factorisations = s->counts.factorisations;
  CHECK(memcmp(&counts, &s->counts, sizeof counts) == 0);
  CHECK(!r->method == !s->method && (!r->method || strcmp(r->method, s->method) == 0));
  CHECK(isnan(r->merit) == isnan(s->merit));
  CHECK(!r->y == !s->y && r->ray == s->ray);
  CHECK(!r->y || memcmp(r->y, s->y, (size_t)n * sizeof *r->y) == 0);
  check_plans(&r->plan, &s->plan);
  CHECK(r->attempts == s->attempts);
  for (int k = 0; k < r->attempts; k++)
    CHECK(r->attempt[k].method == s->attempt[k].method &&
          r->attempt[k].outcome == s->attempt[k].outcome &&
          r->attempt[k].residual == s->attempt[k].residual &&
          r->attempt[k].iterations == s->attempt[k].iterations);
}

/* Solves repeatedly with one solver, and in full with another. Returns how often the short path was
 * used. */
static int compare(perp_solver *solver, perp_solver *other, const perp_problem *p,
                   const perp_options *options)
{
  int taken = 0;
  answer full, brief;
  ask(other, p, *options, true, NULL, &full);
  CHECK(full.error == PERP_OK && full.result.seconds > 0);
  for (int k = 0; k < 3; k++) {
    ask(solver, p, *options, false, NULL, &brief);
    check_same(&brief, &full, p->K.n);
    taken += brief.result.outcome == PERP_SOLVED && brief.result.seconds == 0;
  }
  return taken;
}

static const char *const kinds[] = {
    "pd:n=%d,seed=%d",
    "pd:n=%d,form=mixed,seed=%d",
    "pd:n=%d,form=boxed,seed=%d",
    "pd:n=%d,form=findex,seed=%d",
    "pd:n=%d,shift=10,seed=%d",
    "pd:n=%d,shift=30,form=boxed,seed=%d",
    "pd:n=%d,shift=30,form=findex,seed=%d",
    "pd:n=%d,shift=1000,form=findex,seed=%d",
    "pd:n=%d,active=0,seed=%d",
    "psd:n=%d,ratio=0.4,seed=%d",
    "psd:n=%d,ratio=0.4,form=boxed,seed=%d",
    "nonsym:n=%d,seed=%d",
    "nonsym:n=%d,form=mixed,seed=%d",
    "pmatrix:n=%d,seed=%d",
    "banded:n=%d,band=2,form=boxed,seed=%d",
    "banded:n=%d,margin=20,form=findex,seed=%d",
    "banded:n=%d,margin=20,holes=0.3,form=lcp,seed=%d",
    "banded:n=%d,margin=20,holes=0.3,form=boxed,seed=%d",
};

static void is_the_same_as_in_full(void)
{
  const int share = test_share("problems", 4);
  perp_solver *solver, *other;
  CHECK(perp_solver_create("auto", &solver, NULL) == PERP_OK);
  CHECK(perp_solver_create("auto", &other, NULL) == PERP_OK);
  perp_options options = perp_options_default();
  int taken = 0, solves = 0;
  for (int seed = 11; seed < 19; seed += share)
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
      for (int n = 1; n <= MOST; n += n < 12 ? 1 : n < 30 ? 6 : 11) {
        char text[80];
        perp_instance instance;
        snprintf(text, sizeof text, kinds[k], n, seed);
        CHECK(perp_generate(text, &instance, NULL) == PERP_OK);
        const perp_problem p = perp_instance_problem(&instance);
        options.tol = seed % 2 ? 1e-8 : 1e-5;
        taken += compare(solver, other, &p, &options);
        solves += 3;
        perp_instance_destroy(&instance);
      }
  printf("  the short way in %d of %d solves\n", taken, solves);
  CHECK(taken > solves / 3);
  perp_solver_destroy(solver);
  perp_solver_destroy(other);
}

/* Methods that have a short path for small problems, by name and with default parameters. */
static void methods_are_the_same_as_in_full(void)
{
  static const char *const methods[] = {"blockpivot", "dantzig", "pgs", "spsor"};
  const int share = test_share("problems", 4);
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    perp_solver *solver;
    CHECK(perp_solver_create(methods[m], &solver, NULL) == PERP_OK);
    int taken = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
      for (int n = 1; n <= 33; n += n < 12 ? share : 7) {
        char text[80];
        perp_instance instance;
        snprintf(text, sizeof text, kinds[k], n, 23);
        CHECK(perp_generate(text, &instance, NULL) == PERP_OK);
        const perp_problem p = perp_instance_problem(&instance);
        answer brief, full;
        ask(solver, &p, perp_options_default(), false, NULL, &brief);
        const bool short_way = brief.result.outcome == PERP_SOLVED && brief.result.seconds == 0;
        double y[MOST] = {0};
        if (brief.result.y) { /* the solver's y, checked again */
          memcpy(y, brief.result.y, (size_t)p.K.n * sizeof *y);
          brief.result.y = y;
        }
        ask(solver, &p, perp_options_default(), true, NULL, &full);
        if (strcmp(methods[m], "dantzig") == 0 && short_way) {
          brief.result.counts.applies = full.result.counts.applies;
          brief.result.counts.checks = full.result.counts.checks;
        }
        check_same(&brief, &full, p.K.n);
        taken += short_way;
        perp_instance_destroy(&instance);
      }
    printf("  %s: the short way %d times\n", methods[m], taken);
    CHECK(taken * share > 20);
    perp_solver_destroy(solver);
  }
}

/* Cones of three rows; the same solver meets new b and mu, new numbers in A, and another A. */
static void cones_are_the_same_as_in_full(void)
{
  enum { TIMES = 240, MOST_CONES = 7, MOST_ROWS = 3 * MOST_CONES };
  static const char *const methods[] = {"auto", "bgs", "ssn"};
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    perp_random random = perp_random_from(5 + m);
    perp_solver *solver;
    perp_operator *A = NULL;
    double a[MOST_ROWS * MOST_ROWS], b[MOST_ROWS], mu[MOST_CONES];
    int cones = 0, taken = 0;
    CHECK(perp_solver_create(methods[m], &solver, NULL) == PERP_OK);
    for (int t = 0; t < TIMES; t++) {
      const bool other = t % 8 == 0, new_numbers = t % 4 == 0;
      cones = other ? 1 + (int)perp_random_below(&random, MOST_CONES) : cones;
      const int n = 3 * cones;
      const double couples = perp_random_between(&random, 0, 0.6);
      for (int i = 0; i < n && new_numbers; i++)
        for (int j = 0; j <= i; j++)
          a[i * n + j] = a[j * n + i] = (i == j           ? 2
                                         : i / 3 == j / 3 ? 0.5
                                                          : couples) *
                                        perp_random_between(&random, 0.5, 1);
      if (other) {
        perp_operator_destroy(A);
        CHECK(perp_operator_dense(n, a, n, PERP_BORROW, &A, NULL) == PERP_OK);
      } else if (new_numbers) {
        CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
      }
      for (int i = 0; i < n; i++)
        b[i] = perp_random_between(&random, i % 3 == 0 ? -2 : -1, 1);
      for (int c = 0; c < cones; c++)
        mu[c] = c % 3 == 2 ? 0 : perp_random_between(&random, 0, 1);
      const perp_problem p = perp_problem_cone(A, b, mu);
      perp_options options = perp_options_default();
      options.tol = t % 2 ? 1e-8 : 1e-4;
      answer brief, full;
      perp_solver *fresh;
      CHECK(perp_solver_create(methods[m], &fresh, NULL) == PERP_OK);
      ask(fresh, &p, options, true, NULL, &full);
      ask(solver, &p, options, false, NULL, &brief);
      const bool short_way = brief.result.outcome == PERP_SOLVED && brief.result.seconds == 0;
      taken += short_way;
      if (short_way && strcmp(methods[m], "ssn") == 0) { /* the check of the start */
        brief.result.counts.applies--;
        brief.result.counts.checks--;
      }
      check_same(&brief, &full, n);
      perp_solver_destroy(fresh);
    }
    printf("  %s: the short way %d times\n", methods[m], taken);
    CHECK(taken > TIMES / 4);
    perp_solver_destroy(solver);
    perp_operator_destroy(A);
  }
}

/* A parameter that was set takes effect: one backward sweep ends elsewhere than one forward
 * sweep. */
static void parameters_are_heeded(void)
{
  const double a[9] = {4, 1, 0, 1, 4, 1, 0, 1, 4}, b[3] = {-1, -2, -3};
  perp_operator *A;
  perp_solver *solver;
  answer forward, backward;
  CHECK(perp_operator_dense(3, a, 3, PERP_BORROW, &A, NULL) == PERP_OK);
  CHECK(perp_solver_create("pgs", &solver, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  ask(solver, &p, perp_options_default(), false, NULL, &forward);
  CHECK(perp_solver_set_text(solver, "order", "backward", NULL) == PERP_OK);
  ask(solver, &p, perp_options_default(), false, NULL, &backward);
  CHECK(forward.result.outcome == PERP_SOLVED && backward.result.outcome == PERP_SOLVED);
  CHECK(memcmp(forward.x, backward.x, sizeof forward.x) != 0);
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
}

/* Other numbers in the same place, other bounds, another start, limits: no stale data is used. */
static void follows_changes(void)
{
  enum { N = 7, TIMES = 400 };
  perp_random random = perp_random_from(3);
  double a[N * N], b[N], lo[N], hi[N], start[N];
  int findex[N], taken = 0;
  perp_solver *solver;
  CHECK(perp_solver_create("auto", &solver, NULL) == PERP_OK);
  for (int i = 0; i < N * N; i++)
    a[i] = 0;
  for (int i = 0; i < N; i++)
    a[i * (N + 1)] = 1;
  perp_operator *A;
  CHECK(perp_operator_dense(N, a, N, PERP_BORROW, &A, NULL) == PERP_OK);
  for (int t = 0; t < TIMES; t++) {
    if (t % 3 == 0) {
      const double diagonal = perp_random_below(&random, 2) ? 2 * N : N;
      for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
          a[i * N + j] = a[j * N + i] = i == j ? diagonal : perp_random_between(&random, -1, 1);
      CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
    }
    const int form = (int)perp_random_below(&random, 4);
    for (int i = 0; i < N; i++) {
      b[i] = perp_random_between(&random, -1, 1);
      findex[i] = form == 3 && i % 3 > 0 ? i - i % 3 : -1;
      lo[i] = findex[i] >= 0 ? -0.5 : form == 1 && i % 2 ? -INFINITY : form == 2 ? -0.01 : 0;
      hi[i] = findex[i] >= 0 ? 0.5 : form == 2 ? 0.02 : INFINITY;
      start[i] = perp_random_between(&random, 0, 1);
    }
    const perp_problem p = form == 0   ? perp_problem_lcp(A, b)
                           : form == 3 ? perp_problem_friction(A, b, lo, hi, findex)
                                       : perp_problem_boxed(A, b, lo, hi);
    perp_options options = perp_options_default();
    options.max_iterations = t % 5 == 4 ? 1 : 0;
    options.tol = t % 7 == 6 ? 0 : 1e-10;
    answer brief, full;
    perp_solver *fresh;
    CHECK(perp_solver_create("auto", &fresh, NULL) == PERP_OK);
    ask(solver, &p, options, false, t % 4 == 3 ? start : NULL, &brief);
    ask(fresh, &p, options, true, t % 4 == 3 ? start : NULL, &full);
    check_same(&brief, &full, N);
    taken += brief.result.outcome == PERP_SOLVED && brief.result.seconds == 0;
    perp_solver_destroy(fresh);
  }
  CHECK(taken > 30); /* another form always gives another plan */
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
}

/* A time limit is observed, so the clock is read. */
static void reads_the_clock_under_a_limit(void)
{
  const double a[4] = {2, -1, -1, 2}, b[2] = {-1, 0.8};
  perp_operator *A;
  perp_solver *solver;
  CHECK(perp_operator_dense(2, a, 2, PERP_BORROW, &A, NULL) == PERP_OK);
  CHECK(perp_solver_create("auto", &solver, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  perp_options options = perp_options_default();
  double y[2];
  options.time_limit = 1;
  options.y = y;
  for (int k = 0; k < 3; k++) {
    answer got;
    ask(solver, &p, options, false, NULL, &got);
    CHECK(got.error == PERP_OK && got.result.outcome == PERP_SOLVED && got.result.seconds > 0);
    CHECK(got.x[0] == 0.5 && got.x[1] == 0);
    CHECK(y[0] == got.result.y[0] && y[1] == got.result.y[1] && y[1] == 0.8 - 0.5);
  }
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
}

typedef struct questions {
  int asked;
  bool answer;
} questions;

static bool note_question(void *context)
{
  questions *q = context;
  q->asked++;
  return q->answer;
}

/* A caller that may stop is asked once; then the solve takes the short path or ends. */
static void asks_whether_to_go_on(void)
{
  const double a[4] = {2, -1, -1, 2}, b[2] = {-1, 0.8};
  perp_operator *A;
  perp_solver *solver;
  CHECK(perp_operator_dense(2, a, 2, PERP_BORROW, &A, NULL) == PERP_OK);
  CHECK(perp_solver_create("auto", &solver, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  questions q = {0};
  perp_options options = perp_options_default();
  options.interrupted = note_question;
  options.interrupted_context = &q;
  answer got, plain;
  ask(solver, &p, options, false, NULL, &got);
  CHECK(q.asked == 1 && got.result.seconds == 0);
  ask(solver, &p, perp_options_default(), false, NULL, &plain);
  check_same(&got, &plain, 2);
  q.answer = true;
  ask(solver, &p, options, false, NULL, &got);
  CHECK(got.error == PERP_OK && got.result.outcome == PERP_STOPPED);
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
}

/* Wrong input is refused with the same message, and the next solve is not affected. */
static void refuses_as_in_full(void)
{
  enum { N = 6, CASES = 16 };
  double a[N * N], b[N], lo[N], hi[N], start[N];
  int findex[N];
  for (int i = 0; i < N * N; i++)
    a[i] = i % (N + 1) == 0 ? 3 : 0.1;
  perp_operator *A;
  perp_solver *solver, *other;
  CHECK(perp_operator_dense(N, a, N, PERP_BORROW, &A, NULL) == PERP_OK);
  CHECK(perp_solver_create("auto", &solver, NULL) == PERP_OK);
  CHECK(perp_solver_create("auto", &other, NULL) == PERP_OK);
  for (int wrong = 0; wrong < CASES; wrong++) {
    for (int i = 0; i < N; i++) {
      findex[i] = i % 3 > 0 ? i - i % 3 : -1;
      lo[i] = findex[i] >= 0 ? -0.5 : 0;
      hi[i] = findex[i] >= 0 ? 0.5 : INFINITY;
      b[i] = i % 2 ? -1 : 0.5 - i;
      start[i] = 0;
    }
    perp_problem p = perp_problem_friction(A, b, lo, hi, findex);
    perp_options options = perp_options_default();
    answer good, brief, full;
    for (int k = 0; k < 2; k++)
      ask(solver, &p, options, false, NULL, &good);
    CHECK(good.result.outcome == PERP_SOLVED && good.result.seconds == 0);
    if (wrong % 4 == 3) /* a box, whose loop is another one */
      p.K.findex = NULL;
    switch (wrong) {
    case 0:
    case 3:
      b[4] = NAN;
      break;
    case 1:
      b[0] = -INFINITY;
      break;
    case 2:
      lo[5] = 0.6;
      break;
    case 4:
      findex[1] = N;
      break;
    case 5:
      findex[1] = -2;
      break;
    case 6:
      findex[1] = 2;
      break;
    case 7:
      lo[3] = INFINITY;
      break;
    case 8:
      p.K.n = N - 1;
      break;
    case 9:
      p.K.reserved[0] = b;
      break;
    case 10:
      options.tol = -1;
      break;
    case 11:
      hi[2] = NAN;
      break;
    case 12:
      options.threads = 0;
      break;
    case 13:
      start[2] = NAN;
      break;
    case 14:
      p.b = NULL;
      break;
    default:
      lo[0] = 1, hi[0] = -1;
      break;
    }
    ask(solver, &p, options, false, start, &brief);
    ask(other, &p, options, true, start, &full);
    CHECK(full.error != PERP_OK && brief.error == full.error);
    CHECK(strcmp(brief.result.message.text, full.result.message.text) == 0);
    CHECK(memcmp(brief.x, full.x, sizeof brief.x) == 0 && !brief.result.y &&
          brief.result.outcome == PERP_NOT_RUN && brief.result.plan.steps == 0);
  }
  perp_solver_destroy(solver);
  perp_solver_destroy(other);
  perp_operator_destroy(A);
}

/* A box on the ground: friction rows on which block pivots from 0 often cycle. */
static void friction_rows_begin_again(void)
{
  enum { SEEDS = 10 };
  int taken = 0;
  for (int seed = 50; seed < 50 + SEEDS; seed++) {
    char text[64];
    snprintf(text, sizeof text, "stack:n=1,form=findex,seed=%d", seed);
    perp_instance instance;
    perp_message why;
    CHECK_SAY(perp_generate(text, &instance, &why) == PERP_OK, "%s", why.text);
    const perp_problem p = perp_instance_problem(&instance);
    perp_solver *solver = NULL;
    CHECK(perp_solver_create("dantzig", &solver, NULL) == PERP_OK);
    answer brief, full;
    ask(solver, &p, perp_options_default(), false, NULL, &brief);
    ask(solver, &p, perp_options_default(), true, NULL, &full);
    CHECK(brief.result.outcome == PERP_SOLVED && full.result.outcome == PERP_SOLVED);
    CHECK(memcmp(brief.x, full.x, sizeof full.x) == 0);
    taken += brief.result.seconds == 0;
    perp_solver_destroy(solver);
    perp_instance_destroy(&instance);
  }
  CHECK_SAY(taken == SEEDS, "%d of %d", taken, SEEDS);
}

/* Two contacts whose matrix is symmetric up to rounding, like a product summed entry by entry: it
 * takes the short path, and one with a larger difference does not. */
static void rounding_is_no_asymmetry(void)
{
  const int64_t start[] = {0, 4, 8, 12, 16};
  const int column[] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
  const double b[] = {-1, 0.3, -0.5, -0.2}, lo[] = {0, -0.5, 0, -0.5},
               hi[] = {1e300, 0.5, 1e300, 0.5};
  const int findex[] = {-1, 0, -1, 2};
  for (int k = 0; k < 3; k++) {
    const double off = k == 0 ? 0 : k == 1 ? 1e-16 : 1e-13;
    const double a[] = {2, 0.1, 0.4, 0, 0.1 + off, 1, 0, 0.2, 0.4, 0, 2, 0.1, 0, 0.2, 0.1, 1};
    perp_operator *A = NULL;
    perp_solver *solver = NULL;
    CHECK(perp_operator_csr(4, start, column, a, PERP_COPY, &A, NULL) == PERP_OK);
    CHECK(perp_solver_create("dantzig", &solver, NULL) == PERP_OK);
    const perp_problem p = perp_problem_friction(A, b, lo, hi, findex);
    answer got;
    ask(solver, &p, perp_options_default(), false, NULL, &got);
    CHECK(got.error == PERP_OK && got.result.outcome == PERP_SOLVED);
    CHECK_SAY((got.result.seconds == 0) == (k < 2), "off by %g", off);
    perp_solver_destroy(solver);
    perp_operator_destroy(A);
  }
}

/* A box with a strong diagonal ends after one Jacobi step: with one factor, or none. */
static void boxes_begin_near_their_end(void)
{
  enum { SEEDS = 20 };
  int64_t iterations = 0;
  for (int seed = 30; seed < 30 + SEEDS; seed++) {
    char text[64];
    snprintf(text, sizeof text, "pd:n=10,shift=300,form=boxed,seed=%d", seed);
    perp_instance instance;
    CHECK(perp_generate(text, &instance, NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&instance);
    perp_solver *solver = NULL;
    CHECK(perp_solver_create("blockpivot", &solver, NULL) == PERP_OK);
    answer got;
    ask(solver, &p, perp_options_default(), false, NULL, &got);
    CHECK(got.result.outcome == PERP_SOLVED);
    iterations += got.result.counts.iterations;
    perp_solver_destroy(solver);
    perp_instance_destroy(&instance);
  }
  CHECK_SAY(iterations < 2 * SEEDS, "%lld iterations", (long long)iterations);
}

static const test_case tests[] = {
    TEST(is_the_same_as_in_full),
    TEST(methods_are_the_same_as_in_full),
    TEST(cones_are_the_same_as_in_full),
    TEST(parameters_are_heeded),
    TEST(follows_changes),
    TEST(reads_the_clock_under_a_limit),
    TEST(asks_whether_to_go_on),
    TEST(refuses_as_in_full),
    TEST(friction_rows_begin_again),
    TEST(rounding_is_no_asymmetry),
    TEST(boxes_begin_near_their_end),
};

TEST_MAIN(tests)
