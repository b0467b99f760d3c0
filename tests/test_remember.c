/* test_remember.c: a solver that has solved before gives the bits of a new one
 *
 * For every method and kind of operator, one solver goes through a sequence of solves: another b
 * for the same A, other values, another operator of the same structure, one of another structure,
 * solves that fail or are cut short. After each, x, outcome and residual are compared bit by bit
 * with those of a new solver. If the values of A change before every solve, so that no factor can
 * be kept, all counts are compared too. Heap memory is filled with different numbers each time; a
 * used solver finds its own there. */
#include "base/random.h"
#include "generated.h"
#include "operator/operator.h"
#include "test.h"
#include <perp/lab.h>
#include <perp/perp.h>

static const char *const kinds[] = {
    "pd:n=24,form=boxed",
    "psd:n=20,ratio=0.5",
    "nonsym:n=24,form=mixed",
    "pd:n=40",
    "nonsym:n=36",
    "obstacle:points=17",
    "fluid:grid=12",
    "spd-sparse:n=150",
    "pile:n=10,form=cone,operator=contact",
    "pile:n=10,form=findex,operator=contact",
    "pile:n=10,form=findex,operator=csr",
    "stack:n=1,form=findex,operator=csr",
    "spd-sparse:n=12",
    "stack:n=3,form=cone,operator=csr",
    "stack:n=1,form=elliptic,operator=contact",
    "stack:n=1,form=discs,operator=csr",
};

static unsigned blocks_taken;

/* Blocks begin with zeros, with NaN, or with small numbers. */
static void *take_block(void *context, size_t bytes)
{
  enum { MOST = 1 << 15 }; /* numbers: unused pages are not touched */
  unsigned *taken = context;
  double *block = malloc(bytes);
  const unsigned kind = block ? (*taken)++ % 3 : 0;
  for (size_t k = 0; block && k < bytes / sizeof *block && k < MOST; k++)
    block[k] = kind == 0 ? 0 : kind == 1 ? NAN : (double)(1 + (7 * k + *taken) % 13);
  return block;
}

static void drop_block(void *context, void *block)
{
  (void)context;
  free(block);
}

static void memory_has_numbers_in_it(void)
{
  perp_memory_hooks hooks = perp_memory_hooks_default();
  hooks.allocate = take_block;
  hooks.release = drop_block;
  hooks.context = &blocks_taken;
  CHECK(perp_memory_hooks_install(&hooks, NULL) == PERP_OK);
}

static perp_instance make(const char *kind, int seed)
{
  return generated_as("%s%sseed=%d", kind, strchr(kind, ':') ? "," : ":", seed);
}

/* Changes the right-hand side by a few percent. */
static void change_b(double *b, int n, perp_random *random)
{
  for (int i = 0; i < n; i++)
    b[i] *= 1 + 0.05 * perp_random_between(random, -1, 1);
}

/* Multiplies all numbers of A, which owns them, by a factor. */
static void change_values(perp_operator *A, double factor)
{
  const int64_t *start;
  const int *column;
  const double *value;
  int64_t stride;
  const int n = perp_operator_size(A);
  perp_contact_data contact = perp_contact_data_default();
  perp_stencil_data stencil = perp_stencil_data_default();
  if (perp_operator_csr_arrays(A, &start, &column, &value) == PERP_OK)
    for (int64_t k = 0; k < start[n]; k++)
      ((double *)value)[k] *= factor;
  else if (perp_operator_dense_array(A, &value, &stride) == PERP_OK)
    for (int64_t k = 0; k < n * stride; k++)
      ((double *)value)[k] *= factor;
  else if (perp_operator_contact_data(A, &contact) == PERP_OK)
    for (int64_t k = 0; k < contact.J_start[n]; k++)
      ((double *)contact.J_value)[k] *= factor;
  else if (perp_operator_stencil_data(A, &stencil) == PERP_OK && stencil.diagonal)
    for (int k = 0; k < stencil.nx * stencil.ny * stencil.nz; k++)
      ((double *)stencil.diagonal)[k] *= factor;
  CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
}

typedef struct walk {
  const char *method, *kind, *step;
  perp_solver *solver;
  int64_t kept, fresh; /* factorisations */
  bool counts;         /* all counts are compared */
} walk;

/* One solve by both. NULL for `start`: from 0. The solution goes to `x` if it is not NULL. */
static void both(walk *w, const perp_problem *p, const double *start, int64_t limit, double *x)
{
  const size_t n = (size_t)p->K.n, bytes = n * sizeof(double);
  double *u = calloc(n + 1, sizeof *u), *v = calloc(n + 1, sizeof *v);
  if (start) {
    memcpy(u, start, bytes);
    memcpy(v, start, bytes);
  }
  perp_options o = perp_options_default();
  o.max_iterations = limit;
  perp_result r = perp_result_empty(), s = perp_result_empty();
  perp_solver *fresh = NULL;
  CHECK(perp_solver_create(w->method, &fresh, NULL) == PERP_OK);
  const perp_error error = perp_solver_solve(w->solver, p, &o, u, &r);
  CHECK_EQUAL_INT(perp_solver_solve(fresh, p, &o, v, &s), error);
  CHECK_SAY(memcmp(u, v, bytes) == 0, "%s on %s, %s: other bits than a fresh solver", w->method,
            w->kind, w->step);
  CHECK_SAY(r.outcome == s.outcome && r.residual == s.residual,
            "%s on %s, %s: %s at %g, a fresh solver %s at %g", w->method, w->kind, w->step,
            perp_outcome_name(r.outcome), r.residual, perp_outcome_name(s.outcome), s.residual);
  CHECK_SAY(!w->counts || memcmp(&r.counts, &s.counts, sizeof r.counts) == 0,
            "%s on %s, %s: other counts than a fresh solver, factorisations %lld and %lld",
            w->method, w->kind, w->step, (long long)r.counts.factorisations,
            (long long)s.counts.factorisations);
  w->kept += r.counts.factorisations;
  w->fresh += s.counts.factorisations;
  if (x)
    memcpy(x, u, bytes);
  perp_solver_destroy(fresh);
  free(u);
  free(v);
}

static bool takes(const char *method, const perp_problem *p)
{
  const perp_method_info info = perp_method_at(perp_method_find(method));
  return (info.takes & (1u << perp_set_form(&p->K))) &&
         !(info.needs & ~perp_operator_abilities(p->A)) &&
         (!info.most_unknowns || p->K.n <= info.most_unknowns);
}

static void walk_through(const char *method, const char *kind)
{
  perp_instance a = make(kind, 3), same = make(kind, 3), other = make(kind, 4);
  perp_problem p = perp_instance_problem(&a);
  const perp_problem twin = perp_instance_problem(&same), q = perp_instance_problem(&other);
  if (!takes(method, &p))
    goto end;
  perp_random random = perp_random_from(5);
  walk w = {.method = method, .kind = kind, .step = "first"};
  CHECK(perp_solver_create(method, &w.solver, NULL) == PERP_OK);
  double *x = calloc((size_t)p.K.n + 1, sizeof *x);
  both(&w, &p, NULL, 0, x);
  w.step = "the same again";
  both(&w, &p, NULL, 0, NULL);
  w.step = "from the solution";
  both(&w, &p, x, 0, NULL);
  for (int k = 0; k < 3; k++) {
    change_b((double *)p.b, p.K.n, &random);
    w.step = "another b";
    both(&w, &p, x, 0, x);
  }
  w.step = "cut short";
  both(&w, &p, NULL, 1, NULL);
  w.step = "after a solve that was cut short";
  both(&w, &p, NULL, 0, NULL);
  x[0] = NAN;
  w.step = "a start that is not finite";
  both(&w, &p, x, 0, NULL);
  x[0] = 0;
  w.step = "after an error";
  both(&w, &p, x, 0, NULL);
  change_values(a.A, 1.25);
  w.step = "other values";
  both(&w, &p, x, 0, NULL);
  w.step = "another operator of the same structure";
  both(&w, &twin, x, 0, NULL);
  w.step = "another operator";
  both(&w, &q, NULL, 0, NULL);
  w.step = "back to the first one";
  both(&w, &p, x, 0, NULL);
  change_values(a.A, 1.25);
  change_b((double *)p.b, p.K.n, &random);
  w.step = "other values and another b";
  both(&w, &p, NULL, 0, x);
  w.step = "the same at its solution";
  both(&w, &p, x, 0, NULL);
  CHECK_SAY(w.kept <= w.fresh, "%s on %s: %lld factorisations, fresh solvers %lld", method, kind,
            (long long)w.kept, (long long)w.fresh);
  perp_solver_destroy(w.solver);
  free(x);
end:
  perp_instance_destroy(&a);
  perp_instance_destroy(&same);
  perp_instance_destroy(&other);
}

/* Frames: other numbers in A and b each time, from the last solution. These methods include every
 * family that keeps data. */
static void walk_through_values(const char *method, const char *kind)
{
  static const double factors[] = {1.25, 0.875, 1.0625, 1};
  perp_instance a = make(kind, 5);
  const perp_problem p = perp_instance_problem(&a);
  if (takes(method, &p)) {
    perp_random random = perp_random_from(7);
    walk w = {.method = method, .kind = kind, .step = "refreshed values", .counts = true};
    double *x = calloc((size_t)p.K.n + 1, sizeof *x);
    CHECK(perp_solver_create(method, &w.solver, NULL) == PERP_OK);
    for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
      change_values(a.A, factors[k]);
      change_b((double *)p.b, p.K.n, &random);
      both(&w, &p, x, 0, x);
    }
    perp_solver_destroy(w.solver);
    free(x);
  }
  perp_instance_destroy(&a);
}

static void refreshed_values_give_the_bits_and_counts_of_a_fresh_solver(void)
{
  static const char *const methods[] = {"auto", "dantzig", "keller", "lemke", "blockpivot",
                                        "ipm",  "pgssm",   "alm",    "ssn",   "mg"};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
    for (size_t j = 0; j < sizeof kinds / sizeof *kinds; j++)
      walk_through_values(methods[k], kinds[j]);
}

static void every_method_gives_the_bits_of_a_fresh_solver(void)
{
  const size_t share = (size_t)test_share("kinds of problems for each method", 4);
  for (int k = 0; k < perp_method_count(); k++)
    for (size_t j = (size_t)k % share; j < sizeof kinds / sizeof *kinds; j += share) {
      /* enumerate keeps nothing, and takes seconds each time */
      if (strcmp(perp_method_at(k).name, "enumerate") != 0)
        walk_through(perp_method_at(k).name, kinds[j]);
    }
}

/* Contacts with dim are solved by a copy of the matrix: it serves while A, the units and the parts of
 * K are the same, and a solve then takes no block of the heap. */
static void contacts_of_another_law_get_another_copy(void)
{
  static const char *const methods[] = {"auto", "ssn", "ipm", "apgd", "bgs"};
  for (int k = 0; k < 5; k++) {
    perp_instance a = make("stack:n=1,form=elliptic,operator=contact", 3);
    walk w = {.method = methods[k], .kind = "contacts", .step = "elliptic"};
    CHECK(perp_solver_create(methods[k], &w.solver, NULL) == PERP_OK);
    int *law = calloc((size_t)a.cones, sizeof *law);
    perp_problem p = perp_instance_problem(&a);
    p.K.law = law;
    for (int i = 0; i < 5 * a.cones; i++) /* so that units are 1 in both laws */
      a.mu[i] = a.mu[i] > 0 ? 0.25 : 0;
    both(&w, &p, NULL, 0, NULL);
    w.step = "the same again";
    both(&w, &p, NULL, 0, NULL);
    double *x = calloc((size_t)p.K.n, sizeof *x);
    const unsigned before = blocks_taken;
    perp_options options = perp_options_default();
    perp_result r = perp_result_empty();
    CHECK(perp_solver_solve(w.solver, &p, &options, x, &r) == PERP_OK);
    CHECK_SAY(blocks_taken == before, "%s: %u blocks of the heap in a third solve", methods[k],
              blocks_taken - before);
    w.step = "discs";
    for (int c = 0; c < a.cones; c++)
      law[c] = PERP_FRICTION_DISCS;
    both(&w, &p, NULL, 0, NULL);
    w.step = "other units";
    for (int c = 0; c < a.cones; c++)
      a.mu[5 * c] = 0.375;
    both(&w, &p, NULL, 0, NULL);
    perp_solver_destroy(w.solver);
    perp_instance_destroy(&a);
    free(law);
    free(x);
  }
}

static const test_case tests[] = {
    TEST(memory_has_numbers_in_it),
    TEST(every_method_gives_the_bits_of_a_fresh_solver),
    TEST(refreshed_values_give_the_bits_and_counts_of_a_fresh_solver),
    TEST(contacts_of_another_law_get_another_copy),
};

TEST_MAIN(tests)
