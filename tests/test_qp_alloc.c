/* test_qp_alloc.c: quadratic programs when memory runs out; a second solve allocates nothing */
#include "count_alloc.h"
#include "test.h"

#include <perp/lab.h>
#include <perp/perp.h>

static const char *const texts[] = {
    "mpc:horizon=3,states=3,inputs=2", "svm:features=4,samples=12", "random:n=8,m=6,rank=5",
    "random:n=8,m=6,rank=5,defect=infeasible", "random:n=8,m=6,rank=5,defect=unbounded"};
enum { TEXTS = sizeof texts / sizeof *texts };

/* Everything from the text to the answer; x is written only if it succeeded. */
static perp_error whole_run(const char *text, const char *method, perp_qp_result *result, double *x)
{
  perp_qp_instance instance;
  perp_qp_options options = perp_qp_options_default();
  double z[64], w[64], ray[64];
  options.z = z, options.w = w, options.ray = ray;
  perp_error error = perp_qp_generate(text, &instance, &result->message);
  if (error)
    return error;
  const perp_qp qp = perp_qp_instance_program(&instance);
  error = perp_qp_solve(method, &qp, &options, x, result);
  perp_qp_instance_destroy(&instance);
  return error;
}

/* Each allocation fails once: a memory error and no leak; or, if only a proof lacks memory, an
 * outcome that claims less. */
static void every_allocation_may_fail(void)
{
  static const char *const methods[] = {"auto", "kkt:auto", "admm"};
  for (int t = 0; t < TEXTS; t++)
    for (int m = 0; m < 3; m++) {
      perp_qp_result right = perp_qp_result_empty();
      double x[64] = {0};
      if (m == 2 && t > 2)
        continue; /* admm would run to its limit */
      CHECK(whole_run(texts[t], methods[m], &right, x) == PERP_OK);
      for (int64_t k = 0;; k++) {
        perp_qp_result result = perp_qp_result_empty();
        double y[64] = {0};
        const int64_t live = live_blocks;
        allocations = 0;
        fail_at = k;
        const perp_error error = whole_run(texts[t], methods[m], &result, y);
        const bool reached = allocations > k;
        fail_at = -1;
        CHECK_SAY(live_blocks == live, "%s %s: %lld blocks lost at allocation %lld", texts[t],
                  methods[m], (long long)(live_blocks - live), (long long)k);
        if (!reached) {
          CHECK(k > 10);
          CHECK(error == PERP_OK && result.outcome == right.outcome);
          break;
        }
        CHECK_SAY(error == PERP_OK || error == PERP_ERROR_MEMORY, "%s at %lld: %s", texts[t],
                  (long long)k, result.message.text);
        if (error)
          for (int i = 0; i < 64; i++)
            CHECK(y[i] == 0);
        else if (right.outcome == PERP_SOLVED)
          CHECK(result.outcome == PERP_SOLVED);
        else
          CHECK(result.outcome != PERP_SOLVED);
      }
    }
}

static void solving_again_allocates_nothing(void)
{
  for (int t = 0; t < 3; t++) {
    perp_qp_instance instance;
    CHECK(perp_qp_generate(texts[t], &instance, NULL) == PERP_OK);
    const perp_qp qp = perp_qp_instance_program(&instance);
    perp_qp_solver *solver;
    CHECK(perp_qp_solver_create(NULL, &qp, &solver, NULL) == PERP_OK);
    double x[64], q[64];
    perp_qp_options options = perp_qp_options_default();
    perp_qp_result result = perp_qp_result_empty();
    for (int k = 0; k < 6; k++) {
      options.cold = k % 2;
      for (int i = 0; i < qp.n; i++)
        q[i] = qp.q[i] * (1 + 0.1 * k);
      allocations = 0;
      CHECK(perp_qp_solver_set(solver, q, NULL, NULL, NULL, NULL, NULL) == PERP_OK);
      CHECK(perp_qp_solver_solve(solver, &options, x, &result) == PERP_OK);
      CHECK_SAY(allocations == 0, "%s: %lld in solve %d", texts[t], (long long)allocations, k);
      CHECK(result.outcome == PERP_SOLVED);
    }
    perp_qp_solver_destroy(solver);
    perp_qp_instance_destroy(&instance);
  }
}

static const test_case tests[] = {
    TEST(every_allocation_may_fail),
    TEST(solving_again_allocates_nothing),
};

TEST_MAIN(tests)
