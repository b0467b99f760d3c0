/* test_endure.c: many solves in a row, and many threads at once
 *
 *   test_endure [NAME [COUNT [SECONDS]]]
 *
 * COUNT small solves, 20,000 by default, go through one solver, and the same number through
 * one-shot calls. The library's memory, counted by its hooks, must stay at its value after the
 * first thousand, and the process must not grow. 24 threads with a solver each give the bits of
 * sequential solves, repeatedly for SECONDS. tools/test-nightly has the nightly counts. */
#define _POSIX_C_SOURCE 200809L
#include "test.h"

#include <perp/lab.h>
#include <perp/perp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { N = 12, THREADS = 24, ROUNDS = 40, WARM = 1000 };

static long solves = 20000;
static double seconds; /* of the threads */

/* ---- Counted memory ---- */

static atomic_long live; /* blocks */

static void *count_alloc(void *context, size_t bytes)
{
  (void)context;
  atomic_fetch_add(&live, 1);
  return malloc(bytes);
}

static void count_free(void *context, void *block)
{
  (void)context;
  atomic_fetch_sub(&live, 1);
  free(block);
}

static void count_memory(void)
{
  static bool counts;
  if (counts)
    return;
  counts = true;
  perp_memory_hooks hooks = perp_memory_hooks_default();
  hooks.allocate = count_alloc;
  hooks.release = count_free;
  perp_message why = {""};
  CHECK_SAY(perp_memory_hooks_install(&hooks, &why) == PERP_OK, "%s", why.text);
}

/* Resident pages of the process; 0 if the system does not report them, under a sanitizer, which
 * keeps freed blocks for a while, and under an emulator, which owns these pages. */
static long pages(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(PERP_EMULATED)
  return 0;
#endif
  long size = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file && fscanf(file, "%ld %ld", &size, &resident) != 2)
    resident = 0;
  if (file)
    fclose(file);
  return resident;
}

/* ---- One thread ---- */

/* A small problem that changes from solve to solve, as in a loop over frames. */
typedef struct sample {
  perp_instance instance;
  perp_problem problem;
  double b[N], x[N];
} sample;

static sample make(const char *spec)
{
  sample s = {0};
  perp_message why = {""};
  CHECK_SAY(perp_generate(spec, &s.instance, &why) == PERP_OK, "%s", why.text);
  s.problem = perp_instance_problem(&s.instance);
  CHECK(s.problem.K.n <= N);
  return s;
}

static void next_problem(sample *s, long k)
{
  const int n = s->problem.K.n;
  for (int i = 0; i < n; i++) {
    s->b[i] = s->instance.b[i] * (1 + 0.001 * (double)((k * 7 + i) % 13));
    s->x[i] = 0;
  }
  s->problem.b = s->b;
}

/* Does `count` solves by `solve`, and checks what they leave: no block more, and hardly a page. */
static void endure(long count, perp_error (*solve)(void *solver, sample *s, perp_result *result),
                   void *solver)
{
  static const char *const specs[] = {"pd:n=10", "pd:n=12,form=boxed", "stack:n=1,form=findex"};
  sample samples[3];
  for (int k = 0; k < 3; k++)
    samples[k] = make(specs[k]);
  long blocks = 0, begun = 0, unsolved = 0;
  for (long k = 0; k < count + WARM; k++) {
    sample *s = &samples[k % 3];
    perp_result result = perp_result_empty();
    if (k == WARM) {
      blocks = atomic_load(&live);
      begun = pages();
    }
    next_problem(s, k);
    CHECK_SAY(solve(solver, s, &result) == PERP_OK, "%ld: %s", k, result.message.text);
    unsolved += result.outcome != PERP_SOLVED;
  }
  CHECK_EQUAL_INT(unsolved, 0);
  CHECK_EQUAL_INT(atomic_load(&live) - blocks, 0);
  const long grown = pages() - begun;
  printf("  %ld solves, %ld pages more\n", count, grown);
  CHECK_SAY(grown <= 64, "%ld pages more", grown);
  for (int k = 0; k < 3; k++)
    perp_instance_destroy(&samples[k].instance);
}

static perp_error solve_kept(void *solver, sample *s, perp_result *result)
{
  return perp_solver_solve(solver, &s->problem, NULL, s->x, result);
}

static perp_error solve_once(void *unused, sample *s, perp_result *result)
{
  (void)unused;
  return perp_solve("auto", &s->problem, NULL, s->x, result);
}

static void one_solver_does_not_grow(void)
{
  perp_solver *solver;
  count_memory();
  const long before = atomic_load(&live);
  CHECK(perp_solver_create("auto", &solver, NULL) == PERP_OK);
  endure(solves, solve_kept, solver);
  perp_solver_destroy(solver);
  CHECK_EQUAL_INT(atomic_load(&live) - before, 0);
}

static void one_shot_calls_do_not_grow(void)
{
  count_memory();
  const long before = atomic_load(&live);
  endure(solves, solve_once, NULL);
  CHECK_EQUAL_INT(atomic_load(&live) - before, 0);
}

/* ---- Threads ---- */

typedef struct worker {
  sample sample;
  double x[ROUNDS][N];
  int unsolved;
} worker;

static void *work(void *context)
{
  worker *w = context;
  perp_solver *solver = NULL;
  w->unsolved = perp_solver_create("auto", &solver, NULL) != PERP_OK;
  for (int k = 0; k < ROUNDS && solver; k++) {
    perp_result result = perp_result_empty();
    next_problem(&w->sample, k);
    w->unsolved += perp_solver_solve(solver, &w->sample.problem, NULL, w->sample.x, &result) ||
                   result.outcome != PERP_SOLVED;
    memcpy(w->x[k], w->sample.x, sizeof w->x[k]);
  }
  perp_solver_destroy(solver);
  return NULL;
}

static void start_threads(void)
{
  static worker together[THREADS], alone[THREADS];
  pthread_t thread[THREADS];
  count_memory();
  const long before = atomic_load(&live);
  for (int k = 0; k < THREADS; k++) {
    char spec[64];
    snprintf(spec, sizeof spec, k % 2 ? "pd:n=%d,seed=%d" : "pd:form=boxed,n=%d,seed=%d", 4 + k % 9,
             k);
    together[k].sample = make(spec);
    alone[k].sample = make(spec);
  }
  for (int k = 0; k < THREADS; k++)
    CHECK(pthread_create(&thread[k], NULL, work, &together[k]) == 0);
  for (int k = 0; k < THREADS; k++)
    CHECK(pthread_join(thread[k], NULL) == 0);
  for (int k = 0; k < THREADS; k++) {
    work(&alone[k]);
    CHECK_EQUAL_INT(together[k].unsolved + alone[k].unsolved, 0);
    CHECK_SAY(memcmp(together[k].x, alone[k].x, sizeof alone[k].x) == 0, "worker %d", k);
    perp_instance_destroy(&together[k].sample.instance);
    perp_instance_destroy(&alone[k].sample.instance);
  }
  CHECK_EQUAL_INT(atomic_load(&live) - before, 0);
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void many_threads_with_a_solver_each(void)
{
  const double begun = now();
  long rounds = 0;
  do {
    start_threads();
    rounds++;
  } while (now() - begun < seconds);
  printf("  %ld times %d threads, %d solves each\n", rounds, THREADS, ROUNDS);
}

static const test_case tests[] = {
    TEST(one_solver_does_not_grow),
    TEST(one_shot_calls_do_not_grow),
    TEST(many_threads_with_a_solver_each),
};

int main(int argc, char **argv)
{
  if (argc > 2)
    solves = atol(argv[2]);
  if (argc > 3)
    seconds = atof(argv[3]);
  return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
