/* test_clock.c: how often methods read the clock, and what follows, without any timing
 *
 * The library is linked with the clock below. It counts the reads, stands still, and jumps past
 * every deadline at the read that a test selects. So each read of each method is tried as the one
 * that finds the time limit reached: the result is never worse than the start, and almost no work
 * follows. The work between two reads is counted too, by an operator that counts the entries it
 * returns. */
#include "base/clock.h"
#include "judge.h"
#include "operator/operator.h"

/* ---- The clock ---- */

static struct {
  int64_t looks;   /* so far */
  int64_t half_at; /* from this read on 6e5 seconds have passed; 0: never */
  int64_t late_at; /* from this read on it is late; 0: never */
  double tick;     /* seconds from one read to the next, if it is never late */
  int64_t entries; /* entries of A requested since the last read */
  int64_t most;    /* of them between two looks */
} watch;

static void note_look(void)
{
  watch.looks++;
  if (watch.entries > watch.most)
    watch.most = watch.entries;
  watch.entries = 0;
}

double
__wrap_perp_clock_seconds(void); /* called in place of perp_clock_seconds, see CMakeLists.txt */
double __wrap_perp_clock_seconds(void)
{
  note_look();
  if (watch.late_at > 0 && watch.looks >= watch.late_at)
    return 1e9;
  if (watch.half_at > 0 && watch.looks >= watch.half_at)
    return 6e5;
  return watch.tick * (double)watch.looks;
}

static void set_clock(int64_t late_at)
{
  watch.looks = watch.entries = watch.most = 0;
  watch.late_at = late_at;
}

/* ---- An operator that counts ----
 *
 * Rows, products and the diagonal of another; all else comes by the rows. */

typedef struct counting {
  perp_operator base;
  const perp_operator *of;
} counting;

static const perp_operator *counted(const perp_operator *A)
{
  return ((const counting *)A)->of;
}

static void count_apply(const perp_operator *A, const double *x, double *y, const perp_work *work)
{
  watch.entries += A->nonzeros;
  counted(A)->table->apply(counted(A), x, y, work);
}

static void count_apply_t(const perp_operator *A, const double *x, double *y, const perp_work *work)
{
  watch.entries += A->nonzeros;
  counted(A)->table->apply_t(counted(A), x, y, work);
}

static void count_diagonal(const perp_operator *A, double *d)
{
  watch.entries += A->n;
  counted(A)->table->diagonal(counted(A), d);
}

static int count_row(const perp_operator *A, int i, int *column, double *value)
{
  const int count = counted(A)->table->row(counted(A), i, column, value);
  watch.entries += count;
  return count;
}

static const perp_operator_table counting_table = {
    .kind = "counting",
    .apply = count_apply,
    .apply_t = count_apply_t,
    .diagonal = count_diagonal,
    .row = count_row,
};

static perp_problem counting_problem(const perp_problem *p, counting *A)
{
  *A = (counting){.base = *p->A, .of = p->A};
  A->base.table = &counting_table;
  perp_problem counted_p = *p;
  counted_p.A = &A->base;
  return counted_p;
}

/* ---- Runs ---- */

static const char *const kinds[] = {
    "obstacle:points=20",
    "obstacle:points=20,variant=plain,form=lcp,operator=csr",
    "mmatrix:n=320",
    "pd:n=60",
    "nonsym:n=60",
    "spd-sparse:n=220,form=mixed",
    "pile:n=14,form=findex,operator=contact",
    "pile:n=14,form=cone",
    "wall:rows=2,columns=2,form=findex,operator=contact,cfm=0.01",
};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct run {
  perp_error error;
  perp_result result;
  int64_t looks;
} run;

/* From x0, for some iterations at most; x is a scratch of n. */
static run solve(const char *method, const perp_problem *p, const perp_options *options,
                 const double *x0, double *x)
{
  run r = {.result = perp_result_empty()};
  memcpy(x, x0, (size_t)p->K.n * sizeof *x);
  r.error = perp_solve(method, p, options, x, &r.result);
  note_look();
  r.looks = watch.looks - 1;
  return r;
}

static perp_options few_iterations(void)
{
  perp_options o = perp_options_default();
  o.time_limit = 1e6;
  o.max_iterations = 12;
  return o;
}

/* A nonzero start, in the box if that is wide enough. */
static void make_start(const perp_problem *p, bool warm, double *x0)
{
  for (int i = 0; i < p->K.n; i++)
    x0[i] = warm ? 0.01 * fabs(sin(1.0 + i)) : 0;
}

/* The next read to be late at: all of the first ones, then fewer and fewer. */
static int64_t after(int64_t k)
{
  return k < 12 ? k + 1 : k + k / 4;
}

/* Every share-th of the reads, from the first on. */
static void try_every_look(const char *method, const char *kind, const judge *j, const double *x0,
                           double *x, long double start, int first, int share)
{
  /* every inner loop reads once more on its way out; each method that auto tries has some of
   * these */
  const int64_t most_after = strcmp(method, "auto") == 0 ? 60 : 30;
  const perp_problem *p = j->p;
  const perp_options o = few_iterations();
  long double rounding;
  set_clock(0);
  const run whole = solve(method, p, &o, x0, x);
  if (whole.error) {
    CHECK_SAY(whole.error == PERP_ERROR_UNSUPPORTED, "%s on %s: %s", method, kind,
              whole.result.message.text);
    return;
  }
  /* the first read is at the beginning of the run, the last at its end */
  int count = first;
  for (int64_t k = 2; k < whole.looks; k = after(k)) {
    if (count++ % share)
      continue;
    set_clock(k);
    const run r = solve(method, p, &o, x0, x);
    CHECK_SAY(!r.error, "%s on %s, look %lld: %s", method, kind, (long long)k,
              r.result.message.text);
    CHECK_SAY(r.looks <= k + most_after,
              "%s on %s: %lld looks after that which was late, the %lldth", method, kind,
              (long long)(r.looks - k), (long long)k);
    const long double residual = judge_residual(j, x, &rounding);
    CHECK_SAY(residual <= 1.0000001L * start + 2 * rounding,
              "%s on %s, look %lld: residual %Lg, at the start %Lg, %s", method, kind, (long long)k,
              residual, start, r.result.message.text);
    CHECK_SAY(r.result.outcome != PERP_SOLVED ||
                  residual <= 1.01L * o.tol * j->scale + 2 * rounding,
              "%s on %s, look %lld: solved with %Lg", method, kind, (long long)k, residual);
    for (int i = 0; i < p->K.n; i++)
      CHECK_SAY(isfinite(x[i]), "%s on %s, look %lld: x[%d] = %g", method, kind, (long long)k, i,
                x[i]);
  }
}

/* A generated problem, its judge, a start of zeros and room for x. It must not move: the judge
 * points into it. */
typedef struct trial {
  perp_instance instance;
  perp_problem p;
  judge j;
  double *x0, *x;
} trial;

static void open_trial(const char *kind, trial *t)
{
  CHECK(perp_generate(kind, &t->instance, NULL) == PERP_OK);
  t->p = perp_instance_problem(&t->instance);
  CHECK(judge_open(&t->j, &t->p));
  t->x0 = calloc((size_t)t->p.K.n, sizeof *t->x0);
  t->x = calloc((size_t)t->p.K.n, sizeof *t->x);
}

static void close_trial(trial *t)
{
  free(t->x0);
  free(t->x);
  perp_operator_destroy(t->j.A);
  perp_instance_destroy(&t->instance);
}

/* ---- Tests ---- */

static void any_look_may_be_late(void)
{
  const int share = test_share("looks of each solve", 3);
  for (int q = 0; q < KINDS; q++) {
    trial t;
    open_trial(kinds[q], &t);
    for (int warm = 0; warm < 2; warm++) {
      make_start(&t.p, warm, t.x0);
      long double rounding;
      const long double start = judge_residual(&t.j, t.x0, &rounding);
      for (int m = 0; m < perp_method_count(); m++)
        try_every_look(perp_method_at(m).name, kinds[q], &t.j, t.x0, t.x, start, q + warm + m,
                       share);
    }
    close_trial(&t);
  }
}

/* Between two reads no method uses more than this multiple of the entries of A: a sweep or a
 * product, a check and a verdict, and some additional reading. */
static void looks_come_often(void)
{
  enum { PASSES = 8 };
  static const char *const some[] = {
      "obstacle:points=26,operator=csr", "mmatrix:n=500",       "banded:n=500",
      "pile:n=60,form=findex",           "pile:n=60,form=cone",
  };
  int runs = 0;
  for (size_t q = 0; q < sizeof some / sizeof *some; q++) {
    perp_instance instance;
    CHECK(perp_generate(some[q], &instance, NULL) == PERP_OK);
    const perp_problem stored = perp_instance_problem(&instance);
    counting A;
    const perp_problem p = counting_problem(&stored, &A);
    double *x0 = calloc((size_t)p.K.n, sizeof *x0), *x = calloc((size_t)p.K.n, sizeof *x);
    const perp_options o = few_iterations();
    for (int warm = 0; warm < 2; warm++)
      for (int m = 0; m < perp_method_count(); m++) {
        const char *method = perp_method_at(m).name;
        make_start(&p, warm, x0);
        set_clock(0);
        const run r = solve(method, &p, &o, x0, x);
        if (r.error)
          continue;
        runs++;
        CHECK_SAY(watch.most <= PASSES * A.base.nonzeros, "%s on %s: %.1f passes without a look",
                  method, some[q], (double)watch.most / (double)A.base.nonzeros);
      }
    free(x0);
    free(x);
    perp_instance_destroy(&instance);
  }
  CHECK(runs > 150);
}

/* Without a limit the clock is read only for the seconds in the result. */
static void without_a_limit_nobody_looks(void)
{
  perp_instance instance;
  CHECK(perp_generate("obstacle:points=24", &instance, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  double *x0 = calloc((size_t)p.K.n, sizeof *x0), *x = calloc((size_t)p.K.n, sizeof *x);
  perp_options o = few_iterations();
  o.time_limit = 0;
  set_clock(0);
  CHECK(solve("pgs", &p, &o, x0, x).looks == 2);
  free(x0);
  free(x);
  perp_instance_destroy(&instance);
}

/* Ordering the rows of a factor would take longer than the time left: it is not begun. */
static void an_order_is_not_begun_out_of_time(void)
{
  perp_instance instance;
  CHECK(perp_generate("obstacle:points=65", &instance, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  double *x0 = calloc((size_t)p.K.n, sizeof *x0), *x = calloc((size_t)p.K.n, sizeof *x);
  perp_options o = few_iterations();
  o.time_limit = 1e-9;
  set_clock(0);
  const run r = solve("blockpivot", &p, &o, x0, x);
  CHECK(!r.error && r.result.outcome == PERP_TIME_LIMIT);
  CHECK_SAY(strstr(r.result.message.text, "the ordering of a factor"), "%s", r.result.message.text);
  free(x0);
  free(x);
  perp_instance_destroy(&instance);
}

/* With the forces of a frame as its start, auto begins with Newton's method. If half of the time is over,
 * sweeps have the rest. */
static void contacts_keep_time_for_sweeps(void)
{
  perp_instance instance;
  CHECK(perp_generate("wall:rows=6,columns=6,form=cone,operator=contact", &instance, NULL) ==
        PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  double *x0 = calloc((size_t)p.K.n, sizeof *x0), *x = calloc((size_t)p.K.n, sizeof *x);
  perp_options o = few_iterations();
  o.max_iterations = 0;
  make_start(&p, true, x0);
  set_clock(0);
  watch.half_at = 20;
  const run r = solve("auto", &p, &o, x0, x);
  watch.half_at = 0;
  CHECK(!r.error && r.result.attempts > 1);
  CHECK_SAY(r.result.attempt[0].outcome == PERP_TIME_LIMIT &&
                strcmp(r.result.attempt[0].method, "ssn") == 0 &&
                strcmp(r.result.attempt[1].method, "nncg") == 0,
            "%s", r.result.message.text);
  free(x0);
  free(x);
  perp_instance_destroy(&instance);
}

/* A frame from a start that is not its solution, with that many reads of the clock. */
static perp_result frame(perp_solver *solver, const perp_problem *p, double reads, double *x)
{
  perp_options o = perp_options_default();
  o.time_limit = reads;
  perp_result r = perp_result_empty();
  make_start(p, true, x);
  set_clock(0);
  CHECK(perp_solver_solve(solver, p, &o, x, &r) == PERP_OK);
  CHECK(r.attempts > 0);
  return r;
}

static bool began_with(const perp_result *r, const char *method)
{
  return strcmp(r->attempt[0].method, method) == 0;
}

/* After a late frame ipm comes first; not if an earlier one has shown that the time holds too few of its
 * iterations, nor after a frame in time. */
static void late_frames_go_to_ipm_if_it_fits(void)
{
  enum { FEW = 40, PLENTY = 100000 };
  perp_instance instance;
  CHECK(perp_generate("wall:rows=6,columns=6,form=cone,operator=contact", &instance, NULL) ==
        PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  double *x = calloc((size_t)p.K.n, sizeof *x);
  perp_solver *solver = NULL;
  CHECK(perp_solver_create("auto", &solver, NULL) == PERP_OK);
  watch.tick = 1;
  perp_result r = frame(solver, &p, FEW, x);
  CHECK(r.outcome == PERP_TIME_LIMIT && began_with(&r, "ssn"));
  r = frame(solver, &p, PLENTY, x);
  CHECK(r.outcome == PERP_SOLVED && began_with(&r, "ipm"));
  r = frame(solver, &p, FEW, x);
  CHECK(r.outcome == PERP_TIME_LIMIT && began_with(&r, "ssn"));
  r = frame(solver, &p, FEW, x);
  CHECK_SAY(r.outcome == PERP_TIME_LIMIT && began_with(&r, "ssn"), "%s", r.message.text);
  r = frame(solver, &p, PLENTY, x);
  CHECK(r.outcome == PERP_SOLVED && began_with(&r, "ipm"));
  watch.tick = 0;
  perp_solver_destroy(solver);
  free(x);
  perp_instance_destroy(&instance);
}

/* ---- A caller that interrupts ---- */

typedef struct caller {
  int64_t asked, wants; /* from this question on */
} caller;

static bool wants_it_back(void *context)
{
  caller *c = context;
  return ++c->asked >= c->wants;
}

static void x_is_handed_back_when_asked_for(void)
{
  for (int q = 0; q < KINDS; q++) {
    trial t;
    open_trial(kinds[q], &t);
    long double rounding;
    const long double start = judge_residual(&t.j, t.x0, &rounding);
    for (int m = 0; m < perp_method_count(); m++)
      for (int64_t wants = 1; wants < 100; wants *= 3) {
        const char *method = perp_method_at(m).name;
        caller c = {.wants = wants};
        perp_options o = few_iterations();
        o.time_limit = 0;
        o.interrupted = wants_it_back;
        o.interrupted_context = &c;
        set_clock(0);
        const run r = solve(method, &t.p, &o, t.x0, t.x);
        if (r.error || c.asked < wants)
          break;
        CHECK_SAY(r.result.outcome == PERP_STOPPED || r.result.outcome == PERP_SOLVED,
                  "%s on %s, question %lld: %s", method, kinds[q], (long long)wants,
                  perp_outcome_name(r.result.outcome));
        CHECK_SAY(c.asked <= wants + 60, "%s on %s: asked %lld times more", method, kinds[q],
                  (long long)(c.asked - wants));
        CHECK_SAY(judge_residual(&t.j, t.x, &rounding) <= 1.0000001L * start + 2 * rounding,
                  "%s on %s, question %lld: worse than the start", method, kinds[q],
                  (long long)wants);
      }
    close_trial(&t);
  }
}

/* Islands use the same clock and ask the same caller. */
static void islands_stop_too(void)
{
  perp_instance instance;
  CHECK(perp_generate("blocked:n=300", &instance, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  double *x = calloc((size_t)p.K.n, sizeof *x);
  caller c = {.wants = 5};
  perp_options o = perp_options_default();
  o.interrupted = wants_it_back;
  o.interrupted_context = &c;
  perp_result r = perp_result_empty();
  set_clock(0);
  perp_islands *islands = NULL;
  CHECK(perp_islands_create("ssn", &islands, NULL) == PERP_OK);
  CHECK(perp_islands_solve(islands, &p, &o, x, &r) == PERP_OK);
  CHECK_SAY(r.outcome == PERP_STOPPED, "%s", perp_outcome_name(r.outcome));
  perp_islands_destroy(islands);
  free(x);
  perp_instance_destroy(&instance);
}

static const test_case tests[] = {
    TEST(any_look_may_be_late),
    TEST(looks_come_often),
    TEST(without_a_limit_nobody_looks),
    TEST(an_order_is_not_begun_out_of_time),
    TEST(contacts_keep_time_for_sweeps),
    TEST(late_frames_go_to_ipm_if_it_fits),
    TEST(x_is_handed_back_when_asked_for),
    TEST(islands_stop_too),
};
TEST_MAIN(tests)
