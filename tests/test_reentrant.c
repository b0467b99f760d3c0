/* Solvers are independent: threads that solve at the same time, with an operator in common, give
 * the bits of the same solves made one after the other. Under ThreadSanitizer this also shows
 * that the library shares nothing behind their backs. */
#define _POSIX_C_SOURCE 200809L
#include "test.h"

#include <perp/perp.h>
#include <pthread.h>

enum { N = 40, WORKERS = 4, METHODS_MAX = 64 };

typedef struct worker {
  const perp_operator *A;
  int index; /* scales b, so that every worker has a problem of its own */
  int methods;
  perp_error error[METHODS_MAX];
  perp_outcome outcome[METHODS_MAX];
  double x[METHODS_MAX][N];
} worker;

/* Each method of the registry once; what is refused is refused in the same way. */
static void *work(void *context)
{
  worker *w = context;
  double b[N];
  for (int i = 0; i < N; i++)
    b[i] = (w->index + 1) * ((i * 7) % 5 - 2.0);
  const perp_problem problem = perp_problem_lcp(w->A, b);
  perp_options options = perp_options_default();
  options.max_iterations = 200;
  for (int m = 0; m < w->methods; m++) {
    perp_result result = perp_result_empty();
    memset(w->x[m], 0, sizeof w->x[m]);
    w->error[m] = perp_solve(perp_method_at(m).name, &problem, &options, w->x[m], &result);
    w->outcome[m] = result.outcome;
  }
  return NULL;
}

static void concurrent_solves_give_the_same_bits(void)
{
  static double a[N * N]; /* tridiagonal -1, 2.5, -1 */
  for (int i = 0; i < N; i++) {
    a[i * N + i] = 2.5;
    if (i > 0)
      a[i * N + i - 1] = a[(i - 1) * N + i] = -1;
  }
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(N, a, N, PERP_BORROW, &A, NULL) == PERP_OK);
  CHECK(perp_method_count() <= METHODS_MAX);

  static worker alone[WORKERS], together[WORKERS];
  pthread_t thread[WORKERS];
  for (int k = 0; k < WORKERS; k++)
    alone[k] = together[k] = (worker){.A = A, .index = k, .methods = perp_method_count()};
  for (int k = 0; k < WORKERS; k++)
    CHECK(pthread_create(&thread[k], NULL, work, &together[k]) == 0);
  for (int k = 0; k < WORKERS; k++)
    CHECK(pthread_join(thread[k], NULL) == 0);
  int solved = 0;
  for (int k = 0; k < WORKERS; k++) {
    work(&alone[k]);
    for (int m = 0; m < alone[k].methods; m++) {
      const char *name = perp_method_at(m).name;
      CHECK_SAY(alone[k].error[m] == together[k].error[m], "%s", name);
      CHECK_SAY(alone[k].outcome[m] == together[k].outcome[m], "%s", name);
      CHECK_SAY(!memcmp(alone[k].x[m], together[k].x[m], sizeof alone[k].x[m]), "%s", name);
      solved += alone[k].outcome[m] == PERP_SOLVED;
    }
  }
  CHECK(solved > 0);
  perp_operator_destroy(A);
}

static const test_case tests[] = {
    TEST(concurrent_solves_give_the_same_bits),
};
TEST_MAIN(tests)
