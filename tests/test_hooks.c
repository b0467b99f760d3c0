/* test_hooks.c: a caller's hooks: memory, log, observer, interrupt
 *
 * main installs the memory hooks first, so every test runs with them. Callbacks record the thread
 * that calls them. */
#include "test.h"

#include <perp/lab.h>
#include <perp/perp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/* ---- Memory ---- */

typedef struct counter {
  atomic_llong taken, given, fail_at; /* fail_at: the allocation that fails; 0: none */
  int fill;                           /* what fresh memory is full of */
} counter;

static counter memory;

static void *count_allocate(void *context, size_t bytes)
{
  counter *c = context;
  const long long number = atomic_fetch_add(&c->taken, 1) + 1;
  if (number == atomic_load(&c->fail_at)) {
    atomic_fetch_add(&c->given, 1);
    return NULL;
  }
  /* 16 bytes beyond what malloc gives: free would not take this pointer */
  char *raw = malloc(bytes + 16);
  if (raw)
    memset(raw, c->fill, bytes + 16);
  return raw ? raw + 16 : NULL;
}

static void count_release(void *context, void *block)
{
  counter *c = context;
  atomic_fetch_add(&c->given, 1);
  free((char *)block - 16);
}

static void everything(void)
{
  perp_instance instance;
  perp_message why = {""};
  CHECK_SAY(perp_generate("pile:n=12,form=cone,operator=contact,jitter=0.1", &instance, &why) ==
                PERP_OK,
            "%s", why.text);
  const perp_problem p = perp_instance_problem(&instance);
  double *x = calloc((size_t)p.K.n, sizeof *x);
  perp_result r = perp_result_empty();
  CHECK(perp_solve("auto", &p, NULL, x, &r) == PERP_OK);
  perp_islands *islands = NULL;
  perp_options o = perp_options_default();
  o.threads = 4;
  CHECK(perp_islands_create("bgs", &islands, NULL) == PERP_OK);
  CHECK(perp_islands_solve(islands, &p, &o, x, &r) == PERP_OK);
  perp_islands_destroy(islands);
  perp_simulation *simulation = NULL;
  perp_step step;
  CHECK(perp_simulation_create("discs:n=5", "nncg", NULL, &simulation, NULL) == PERP_OK);
  for (int k = 0; k < 5; k++)
    CHECK(perp_simulation_step(simulation, &step, NULL) == PERP_OK);
  perp_simulation_destroy(simulation);
  perp_instance_destroy(&instance);
  free(x);
}

static void all_memory_goes_through_the_hooks(void)
{
  const long long before = memory.taken;
  everything();
  CHECK_SAY(memory.taken > before + 20, "%lld allocations", memory.taken - before);
  CHECK_SAY(memory.taken == memory.given, "%lld taken, %lld given back", (long long)memory.taken,
            (long long)memory.given);
}

/* Whichever allocation fails, the call reports it, without a leak. */
static void failing_hooks_are_errors(void)
{
  static const double a[9] = {2, -1, 0, -1, 2, -1, 0, -1, 2}, b[3] = {-1, 0.5, -1};
  int failed = 0;
  for (int k = 1; k < 50; k++) {
    perp_operator *A = NULL;
    perp_result r = perp_result_empty();
    double x[3] = {0};
    atomic_store(&memory.fail_at, memory.taken + k);
    perp_error error = perp_operator_dense(3, a, 3, PERP_COPY, &A, &r.message);
    if (!error) {
      const perp_problem p = perp_problem_lcp(A, b);
      error = perp_solve("auto", &p, NULL, x, &r);
    }
    atomic_store(&memory.fail_at, 0);
    CHECK_SAY(error == PERP_OK || (error == PERP_ERROR_MEMORY && r.message.text[0]), "%d: %s",
              error, r.message.text);
    failed += error != PERP_OK;
    perp_operator_destroy(A);
    CHECK_EQUAL_INT(memory.taken, memory.given);
  }
  CHECK_SAY(failed >= 3 && failed < 49, "%d failed", failed);
}

/* After a failed allocation islands solve as if nothing had happened, without a leak. */
static void islands_outlive_a_failed_allocation(void)
{
  static const double a[4] = {2, -1, -1, 2}, b[2] = {-1, 0.8};
  int failed = 0;
  for (int k = 1; k < 40; k++) {
    perp_operator *A = NULL;
    perp_islands *islands = NULL;
    perp_result r = perp_result_empty();
    double x[2] = {0};
    CHECK(perp_operator_dense(2, a, 2, PERP_BORROW, &A, NULL) == PERP_OK);
    CHECK(perp_islands_create("auto", &islands, NULL) == PERP_OK);
    const perp_problem p = perp_problem_lcp(A, b);
    atomic_store(&memory.fail_at, memory.taken + k);
    const perp_error error = perp_islands_solve(islands, &p, NULL, x, &r);
    atomic_store(&memory.fail_at, 0);
    CHECK(error == PERP_OK || error == PERP_ERROR_MEMORY);
    failed += error != PERP_OK;
    CHECK_SAY(perp_islands_solve(islands, &p, NULL, x, &r) == PERP_OK && r.outcome == PERP_SOLVED,
              "allocation %d: %s", k, r.message.text);
    perp_islands_destroy(islands);
    perp_operator_destroy(A);
    CHECK_EQUAL_INT(memory.taken, memory.given);
  }
  CHECK_SAY(failed >= 3 && failed < 39, "%d failed", failed);
}

/* x from fresh memory full of this byte. */
static void solve_over(int fill, const char *method, const perp_problem *p, const double *start,
                       double *x, perp_result *r)
{
  memory.fill = fill;
  *r = perp_result_empty();
  perp_options o = perp_options_default();
  o.check_every = 4;
  o.max_iterations = 300;
  memcpy(x, start, (size_t)p->K.n * sizeof *x);
  perp_solve(method, p, &o, x, r);
  memory.fill = 0;
}

/* Whatever fresh memory holds, every method finds the same x, bit by bit, from 0 and from
 * elsewhere: it reads no uninitialised memory. */
static void nothing_unwritten_is_read(void)
{
  static const char *const specs[] = {
      "pd:n=2",        "banded:n=80,band=1",     "spd-sparse:n=90",
      "nonsym:n=20",   "pd:n=20,form=boxed",     "pile:n=6,form=findex,operator=contact",
      "obstacle:n=81", "banded:n=70,form=mixed", "pile:n=6,form=cone,operator=csr",
  };
  for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
    perp_instance instance;
    CHECK(perp_generate(specs[s], &instance, NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&instance);
    double start[128] = {0}, x[128], other[128];
    CHECK(p.K.n <= 128);
    for (int warm = 0; warm < 2; warm++) {
      for (int i = 0; warm && i < p.K.n; i++)
        start[i] = i % 3 ? 0 : 1;
      for (int k = 0; k < perp_method_count(); k++) {
        const perp_method_info method = perp_method_at(k);
        if (!(method.takes & PERP_TAKES(perp_set_form(&p.K))) ||
            (method.most_unknowns && p.K.n > method.most_unknowns))
          continue;
        perp_result r, again;
        solve_over(0, method.name, &p, start, x, &r);
        solve_over(0xff, method.name, &p, start, other, &again);
        CHECK_SAY(r.outcome == again.outcome && memcmp(x, other, (size_t)p.K.n * sizeof *x) == 0,
                  "%s on %s%s: %s, and %s over memory full of 0xff", method.name, specs[s],
                  warm ? " warm" : "", perp_outcome_name(r.outcome),
                  perp_outcome_name(again.outcome));
      }
    }
    perp_instance_destroy(&instance);
  }
}

static void hooks_are_installed_once(void)
{
  perp_message why = {""};
  perp_memory_hooks hooks = perp_memory_hooks_default();
  CHECK(perp_memory_hooks_install(&hooks, &why) == PERP_ERROR_ARGUMENT);
  CHECK_EQUAL_TEXT(why.text, "memory hooks cannot be installed: hooks are already installed; "
                             "install them before any other call");
  CHECK(perp_memory_hooks_install(NULL, &why) == PERP_ERROR_ARGUMENT);
  hooks.release = NULL;
  CHECK(perp_memory_hooks_install(&hooks, &why) == PERP_ERROR_ARGUMENT);
  CHECK_EQUAL_TEXT(why.text, "memory hooks: allocate or release is NULL; set both");
}

/* ---- The log ---- */

typedef struct listener {
  int lines, warnings;
  char text[8192];
} listener;

static void listen(void *context, perp_log_level level, const char *line)
{
  listener *l = context;
  l->lines++;
  l->warnings += level == PERP_LOG_WARNING;
  CHECK(line[0] && !strchr(line, '\n'));
  const size_t used = strlen(l->text);
  snprintf(l->text + used, sizeof l->text - used, "%s\n", line);
}

static perp_error solve_logged(const char *method, const char *problem, int64_t most, listener *l,
                               perp_result *r)
{
  perp_instance instance;
  CHECK(perp_generate(problem, &instance, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  double *x = calloc((size_t)p.K.n, sizeof *x);
  perp_options o = perp_options_default();
  o.logger = listen;
  o.logger_context = l;
  o.max_iterations = most;
  *r = perp_result_empty();
  *l = (listener){0};
  const perp_error error = perp_solve(method, &p, &o, x, r);
  free(x);
  perp_instance_destroy(&instance);
  return error;
}

static void the_log_says_what_auto_chose(void)
{
  listener l;
  perp_result r;
  CHECK(solve_logged("auto", "spd-sparse:n=3000", 0, &l, &r) == PERP_OK);
  CHECK(r.outcome == PERP_SOLVED);
  char expected[200];
  snprintf(expected, sizeof expected, "auto: %s; methods", r.plan.class_name);
  CHECK_SAY(strstr(l.text, expected) != NULL, "%s", l.text);
  CHECK_SAY(strstr(l.text, r.plan.method[0]) != NULL, "%s", l.text);
  snprintf(expected, sizeof expected, "auto: %s: %s after", r.attempt[0].method,
           perp_outcome_name(r.attempt[0].outcome));
  CHECK_SAY(strstr(l.text, expected) != NULL, "%s", l.text);
  CHECK_SAY(strstr(l.text, "auto: solved: ") != NULL && l.lines >= 3, "%s", l.text);

  CHECK(solve_logged("pgs", "pd:n=50", 1, &l, &r) == PERP_OK);
  CHECK_SAY(l.lines == 1 && l.warnings == 1 && strstr(l.text, "pgs: iteration-limit: "), "%s",
            l.text);
  CHECK(solve_logged("pgs", "pile:n=5,form=cone", 0, &l, &r) == PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(l.warnings == 1 && strstr(l.text, "pgs: unsupported: "), "%s", l.text);
}

static bool has_component(const char *name)
{
  for (const perp_component *c = perp_components(); c->name; c++)
    if (strcmp(c->name, name) == 0)
      return c->present;
  return false;
}

/* ipm factors a large sparse matrix: the log reports once if CHOLMOD is missing. */
static void a_missing_component_is_a_warning(void)
{
  listener l;
  perp_result r;
  CHECK(solve_logged("ipm", "spd-sparse:n=4000", 0, &l, &r) == PERP_OK);
  const char *found = strstr(l.text, "CHOLMOD is not installed");
  CHECK_SAY((found != NULL) == !has_component("cholmod"), "%s", l.text);
  CHECK(!found || !strstr(found + 1, "CHOLMOD"));
}

/* ---- Threads ---- */

static pthread_t caller;
static atomic_int observed, logged, asked, elsewhere;

static bool observe_thread(void *context, const perp_progress *progress)
{
  (void)context, (void)progress;
  observed++;
  elsewhere += !pthread_equal(pthread_self(), caller);
  return true;
}

static void log_thread(void *context, perp_log_level level, const char *line)
{
  (void)context, (void)level, (void)line;
  logged++;
  elsewhere += !pthread_equal(pthread_self(), caller);
}

static bool ask_thread(void *context)
{
  (void)context;
  asked++;
  return false;
}

/* With four threads observer and log are called only by the caller's thread, for every method. */
static void callbacks_come_from_the_calling_thread(void)
{
  perp_instance instance;
  CHECK(perp_generate("obstacle:n=3969", &instance, NULL) == PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  double *x = malloc((size_t)p.K.n * sizeof *x);
  perp_options o = perp_options_default();
  o.threads = 4;
  o.observer = observe_thread;
  o.logger = log_thread;
  o.interrupted = ask_thread;
  o.max_iterations = 20;
  caller = pthread_self();
  observed = logged = asked = elsewhere = 0;
  for (int k = 0; k < perp_method_count(); k++) {
    const perp_method_info method = perp_method_at(k);
    if (method.reference || !(method.takes & PERP_TAKES(PERP_FORM_LCP)))
      continue;
    memset(x, 0, (size_t)p.K.n * sizeof *x);
    perp_result r = perp_result_empty();
    o.time_limit = 0.5;
    perp_solve(method.name, &p, &o, x, &r);
  }
  CHECK_SAY(observed > 100 && logged > 20 && asked > 100, "%d, %d, %d", observed, logged, asked);
  CHECK_EQUAL_INT(elsewhere, 0);
  free(x);
  perp_instance_destroy(&instance);
}

/* Islands ask for an interrupt in every thread, and log in the caller's. */
static void islands_log_in_the_calling_thread(void)
{
  enum { N = 64 };
  static double a[N * N], b[N];
  for (int i = 0; i < N; i++) {
    a[i * N + i] = 2;
    b[i] = -1;
  }
  perp_operator *dense = NULL, *A = NULL;
  CHECK(perp_operator_dense(N, a, N, PERP_BORROW, &dense, NULL) == PERP_OK);
  CHECK(perp_operator_to_csr(dense, 0, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  perp_options o = perp_options_default();
  o.threads = 4;
  o.observer = observe_thread;
  o.logger = log_thread;
  o.interrupted = ask_thread;
  caller = pthread_self();
  observed = logged = asked = elsewhere = 0;
  perp_islands *islands = NULL;
  perp_result r = perp_result_empty();
  double x[N] = {0};
  CHECK(perp_islands_create("psor", &islands, NULL) == PERP_OK);
  CHECK(perp_islands_solve(islands, &p, &o, x, &r) == PERP_OK && r.outcome == PERP_SOLVED);
  CHECK(x[0] == 0.5 && x[N - 1] == 0.5);
  CHECK_SAY(observed == 0 && logged == 2 && asked >= N, "%d, %d, %d", observed, logged, asked);
  CHECK_EQUAL_INT(elsewhere, 0);
  perp_islands_destroy(islands);
  perp_operator_destroy(A);
  perp_operator_destroy(dense);
}

/* Eight islands of one row, two of three: the log names the methods by which auto solved each
 * kind. */
static void islands_say_what_auto_chose(void)
{
  enum { N = 14 };
  static double a[N * N], b[N];
  for (int i = 0; i < N; i++) {
    a[i * N + i] = 4;
    b[i] = -1;
    for (int j = 8; i >= 8 && j < N; j++)
      if (j != i && (i - 8) / 3 == (j - 8) / 3)
        a[i * N + j] = 1;
  }
  perp_operator *dense = NULL, *A = NULL;
  CHECK(perp_operator_dense(N, a, N, PERP_BORROW, &dense, NULL) == PERP_OK);
  CHECK(perp_operator_to_csr(dense, 0, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  listener l = {0};
  perp_options o = perp_options_default();
  o.logger = listen;
  o.logger_context = &l;
  perp_islands *islands = NULL;
  perp_result r = perp_result_empty();
  double x[N] = {0};
  CHECK(perp_islands_create("auto", &islands, NULL) == PERP_OK);
  CHECK(perp_islands_solve(islands, &p, &o, x, &r) == PERP_OK && r.outcome == PERP_SOLVED);
  CHECK_SAY(strstr(l.text, "islands: 8 of 1 to 1 rows, lcp ") != NULL, "%s", l.text);
  CHECK_SAY(strstr(l.text, "islands: 2 of 3 to 3 rows, lcp ") != NULL, "%s", l.text);
  CHECK_SAY(l.lines == 3 && l.warnings == 0, "%s", l.text);
  perp_islands_destroy(islands);
  perp_operator_destroy(A);
  perp_operator_destroy(dense);
}

static const test_case tests[] = {
    TEST(all_memory_goes_through_the_hooks), TEST(failing_hooks_are_errors),
    TEST(hooks_are_installed_once),          TEST(the_log_says_what_auto_chose),
    TEST(a_missing_component_is_a_warning),  TEST(callbacks_come_from_the_calling_thread),
    TEST(islands_log_in_the_calling_thread), TEST(islands_outlive_a_failed_allocation),
    TEST(nothing_unwritten_is_read),         TEST(islands_say_what_auto_chose),
};

int main(int argc, char **argv)
{
  perp_memory_hooks hooks = perp_memory_hooks_default();
  hooks.allocate = count_allocate;
  hooks.release = count_release;
  hooks.context = &memory;
  if (perp_memory_hooks_install(&hooks, NULL) != PERP_OK)
    return 1;
  return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
