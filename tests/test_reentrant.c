/* Solvers are independent: threads that solve at the same time, different problems or one with a
 * common operator, give the bits of sequential solves. Under ThreadSanitizer this also shows that
 * the library has no hidden shared state. */
#define _POSIX_C_SOURCE 200809L
#include "test.h"

#include <perp/lab.h>
#include <perp/perp.h>
#include <pthread.h>

enum { N = 200, WORKERS = 8, METHODS_MAX = 64 };

/* Eight problems of every form, each in the kind of operator that its family has. */
static const char *const problems[WORKERS] = {
    "pd:n=40",
    "psd:n=30,form=mixed",
    "spd-sparse:n=60,form=boxed",
    "obstacle:points=9",
    "pile:n=4,form=findex,operator=contact,plant=1",
    "stack:n=3,form=cone,operator=contact,plant=1",
    "stack:n=3,form=findex,plant=1",
    "fluid:grid=8",
};

typedef struct worker {
  const perp_problem *problem;
  int methods;
  perp_error error[METHODS_MAX];
  perp_outcome outcome[METHODS_MAX];
  double x[METHODS_MAX][N];
} worker;

/* Each method of the registry once; refusals are the same too. */
static void *work(void *context)
{
  worker *w = context;
  perp_options options = perp_options_default();
  options.max_iterations = 200;
  for (int m = 0; m < w->methods; m++) {
    perp_result result = perp_result_empty();
    memset(w->x[m], 0, sizeof w->x[m]);
    w->error[m] = perp_solve(perp_method_at(m).name, w->problem, &options, w->x[m], &result);
    w->outcome[m] = result.outcome;
  }
  return NULL;
}

/* Worker k has the k-th problem, or all have the first. */
static void work_together(const perp_problem *problem, const char *const *names, bool same)
{
  static worker alone[WORKERS], together[WORKERS];
  pthread_t thread[WORKERS];
  CHECK(perp_method_count() <= METHODS_MAX);
  for (int k = 0; k < WORKERS; k++)
    alone[k] = together[k] =
        (worker){.problem = &problem[same ? 0 : k], .methods = perp_method_count()};
  for (int k = 0; k < WORKERS; k++)
    CHECK(pthread_create(&thread[k], NULL, work, &together[k]) == 0);
  for (int k = 0; k < WORKERS; k++)
    CHECK(pthread_join(thread[k], NULL) == 0);
  for (int k = 0; k < WORKERS; k++) {
    const char *what = names[same ? 0 : k];
    int solved = 0;
    work(&alone[k]);
    for (int m = 0; m < alone[k].methods; m++) {
      const char *name = perp_method_at(m).name;
      CHECK_SAY(alone[k].error[m] == together[k].error[m], "%s on %s", name, what);
      CHECK_SAY(alone[k].outcome[m] == together[k].outcome[m], "%s on %s", name, what);
      CHECK_SAY(!memcmp(alone[k].x[m], together[k].x[m], sizeof alone[k].x[m]), "%s on %s", name,
                what);
      solved += alone[k].outcome[m] == PERP_SOLVED;
    }
    CHECK_SAY(solved > 0, "nothing solves %s", what);
  }
}

static void concurrent_solves_give_the_same_bits(void)
{
  perp_instance instance[WORKERS];
  perp_problem problem[WORKERS];
  for (int k = 0; k < WORKERS; k++) {
    perp_message why;
    CHECK_SAY(perp_generate(problems[k], &instance[k], &why) == PERP_OK, "%s", why.text);
    problem[k] = perp_instance_problem(&instance[k]);
    CHECK_SAY(problem[k].K.n <= N, "%s has %d rows", problems[k], problem[k].K.n);
  }
  work_together(problem, problems, false);
  for (int k = 0; k < WORKERS; k += 4) /* one operator in common: dense, contact */
    work_together(problem + k, problems + k, true);
  for (int k = 0; k < WORKERS; k++)
    perp_instance_destroy(&instance[k]);
}

static const test_case tests[] = {
    TEST(concurrent_solves_give_the_same_bits),
};
TEST_MAIN(tests)
