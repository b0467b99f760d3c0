/* test_alloc.c: the library when memory runs out; a second solve allocates nothing */
#define _POSIX_C_SOURCE 200809L
#include "count_alloc.h"
#include "folders.h"
#include "problems.h"

/* Runs `scenario` with the k-th allocation failing for k = 0, 1, ... until it needs fewer. It
 * returns true on success; on failure it must have freed everything. `optional` allocations are
 * those it can do without (a faster way, a tidier folder). */
static void with_every_allocation_failing(const char *what, bool (*scenario)(const void *),
                                          const void *context, int optional)
{
  for (int64_t k = 0;; k++) {
    const int64_t before = live_blocks;
    allocations = 0;
    fail_at = k;
    const bool done = scenario(context);
    const int64_t used = allocations;
    fail_at = -1;
    CHECK_SAY(live_blocks == before, "%s, allocation %lld failing: %lld blocks left", what,
              (long long)k, (long long)(live_blocks - before));
    if (used <= k) {
      CHECK_SAY(done, "%s fails with all its memory", what);
      return;
    }
    CHECK_SAY(!done || optional-- > 0, "%s succeeds without its allocation %lld", what,
              (long long)k);
    CHECK_SAY(k < 100000, "%s never ends", what);
  }
}

static bool takes(const perp_method_info *m, perp_form form)
{
  return m->takes & PERP_TAKES(form);
}

/* 30 unknowns, or the most that the method takes; of enumerate, whose work doubles with each, 12 */
static int size_for(const perp_method_info *m)
{
  return m->most_unknowns > 12 ? 12 : m->most_unknowns > 0 ? m->most_unknowns : 30;
}

typedef struct {
  const char *method;
  const perp_instance *instance;
} method_case;

static bool solve_once(const void *context)
{
  const method_case *c = context;
  const perp_problem p = perp_instance_problem(c->instance);
  double x[30] = {0};
  perp_result r = perp_result_empty();
  const perp_error error = perp_solve(c->method, &p, NULL, x, &r);
  if (error)
    CHECK(error == PERP_ERROR_MEMORY && r.message.text[0] && r.outcome == PERP_NOT_RUN &&
          x[0] == 0);
  return error == PERP_OK;
}

/* A solver that keeps what it can; what it cannot keep for lack of memory it computes again. */
static bool solve_twice(const void *context)
{
  const method_case *c = context;
  const perp_problem p = perp_instance_problem(c->instance);
  double x[30] = {0};
  perp_result r = perp_result_empty();
  perp_solver *solver = NULL;
  perp_error error = perp_solver_create(c->method, &solver, NULL);
  for (int k = 0; k < 2 && !error; k++)
    error = perp_solver_solve(solver, &p, NULL, x, &r);
  perp_solver_destroy(solver);
  if (error)
    CHECK(error == PERP_ERROR_MEMORY);
  return error == PERP_OK;
}

static void every_method_survives_every_failing_allocation(void)
{
  for (int form = PERP_FORM_LCP; form <= PERP_FORM_FINDEX; form++) {
    for (int k = 0; k < perp_method_count(); k++) {
      const perp_method_info m = perp_method_at(k);
      perp_instance p = problem_for(&m, size_for(&m), (perp_form)form, 0.5, 2);
      if (takes(&m, (perp_form)form)) {
        with_every_allocation_failing(m.name, solve_once, &(method_case){m.name, &p}, 0);
        with_every_allocation_failing(m.name, solve_twice, &(method_case){m.name, &p}, 4);
      }
      perp_instance_destroy(&p);
    }
  }
}

/* A second solve of the same shape with other numbers does not use the heap. */
static void second_solve_allocates_nothing(void)
{
  for (int form = PERP_FORM_LCP; form <= PERP_FORM_FINDEX; form++) {
    for (int k = 0; k < perp_method_count(); k++) {
      const perp_method_info m = perp_method_at(k);
      if (!takes(&m, (perp_form)form))
        continue;
      perp_instance p = problem_for(&m, size_for(&m), (perp_form)form, 0.5, 2);
      perp_instance q = problem_for(&m, size_for(&m), (perp_form)form, 0.5, 4);
      const perp_problem first = perp_instance_problem(&p), second = perp_instance_problem(&q);
      perp_solver *solver = NULL;
      CHECK(perp_solver_create(m.name, &solver, NULL) == PERP_OK);
      perp_result r = perp_result_empty();
      double x[30] = {0}, z[30] = {0};
      CHECK(perp_solver_solve(solver, &first, NULL, x, &r) == PERP_OK);
      allocations = 0;
      CHECK(perp_solver_solve(solver, &second, NULL, z, &r) == PERP_OK);
      CHECK_SAY(allocations == 0, "%s allocates %lld times in its second solve", m.name,
                (long long)allocations);
      CHECK_EQUAL_INT(r.outcome, PERP_SOLVED);
      perp_solver_destroy(solver);
      perp_instance_destroy(&p);
      perp_instance_destroy(&q);
    }
  }
}

static bool make_operators(const void *context)
{
  (void)context;
  const double a[4] = {2, -1, -1, 2};
  const int64_t start[3] = {0, 2, 4}, J_start[3] = {0, 1, 2};
  const int column[4] = {0, 1, 0, 1}, J_column[2] = {0, 1};
  const double Minv[4] = {1, 0, 0, 1};
  const perp_stencil_data grid = {
      .size = sizeof(perp_stencil_data), .nx = 2, .ny = 1, .nz = 1, .weight = 1};
  const perp_contact_data contact = {.size = sizeof(perp_contact_data),
                                     .rows = 2,
                                     .velocities = 2,
                                     .J_start = J_start,
                                     .J_column = J_column,
                                     .J_value = a,
                                     .blocks = 1,
                                     .Minv = Minv,
                                     .C_start = start,
                                     .C_column = column,
                                     .C_value = a};
  perp_contact_data mass = contact;
  mass.blocks = 0;
  mass.Minv = NULL;
  mass.M_start = start;
  mass.M_column = column;
  mass.M_value = a;
  perp_operator *A[8] = {NULL};
  const bool done =
      !perp_operator_dense(2, a, 2, PERP_COPY, &A[0], NULL) &&
      !perp_operator_csr(2, start, column, a, PERP_COPY, &A[1], NULL) &&
      !perp_operator_bsr(2, 1, start, column, a, PERP_COPY, &A[2], NULL) &&
      !perp_operator_stencil(&grid, PERP_COPY, &A[3], NULL) &&
      !perp_operator_contact(&contact, PERP_COPY, &A[4], NULL) &&
      !perp_operator_to_csr(A[4], 0, &A[5], NULL) &&
      !perp_operator_to_dense(A[3], 0, &A[6], NULL) &&
      !perp_operator_contact_csr(A[1], 2, J_start, J_column, a, NULL, PERP_COPY, &A[7], NULL) &&
      !perp_operator_contact_replace(A[4], &mass, PERP_COPY, NULL);
  for (int k = 0; k < 8; k++)
    perp_operator_destroy(A[k]);
  return done;
}

static void operators_free_what_they_took(void)
{
  with_every_allocation_failing("operators", make_operators, NULL, 0);
}

static bool write_and_read(const void *context)
{
  const perp_instance *p = context;
  const char *folder = in_scratch("p");
  perp_instance copy = {0};
  if (perp_folder_write(folder, p, NULL) || perp_folder_read(folder, &copy, NULL))
    return false;
  perp_instance_destroy(&copy);
  return true;
}

static void folders_free_what_they_took(void)
{
  perp_instance p = problem_random(6, PERP_FORM_FINDEX, 0.5, 2);
  fresh_scratch();
  with_every_allocation_failing("folder", write_and_read, &p, 0);
  perp_instance_destroy(&p);
}

static bool find_facts(const void *context)
{
  const perp_instance *instance = context;
  const perp_problem p = perp_instance_problem(instance);
  perp_facts facts;
  return perp_problem_facts(&p, &facts, NULL) == PERP_OK;
}

static bool find_spectrum(const void *context)
{
  const perp_instance *instance = context;
  double eigenvalues[12];
  return perp_operator_spectrum(instance->A, eigenvalues, NULL) == PERP_OK;
}

static void facts_free_what_they_took(void)
{
  perp_instance p = problem_random(12, PERP_FORM_LCP, 0.5, 2);
  with_every_allocation_failing("facts", find_facts, &p, 1);
  with_every_allocation_failing("spectrum", find_spectrum, &p, 0);
  perp_instance_destroy(&p);
}

static const test_case tests[] = {
    TEST(every_method_survives_every_failing_allocation),
    TEST(second_solve_allocates_nothing),
    TEST(operators_free_what_they_took),
    TEST(folders_free_what_they_took),
    TEST(facts_free_what_they_took),
};

TEST_MAIN(tests)
