/* primal against explicit matrices, enumeration, pivoting and planted solutions, and its error
 * messages. */
#include "contacts.h"

/* ---- Tests ---- */

static void small_problems_agree_with_enumeration(void)
{
  check_small("primal");
}

static void medium_problems_agree_with_dantzig(void)
{
  check_medium("primal");
}

/* 300 rows on three bodies; all rows twice; masses from 1 to 1e6; a body that does not move. */
static void hard_scenes_are_solved(void)
{
  for (int form = PERP_FORM_LCP; form <= PERP_FORM_BOXED; form++) {
    const perp_form f = (perp_form)form;
    check_against("primal", NULL, &(shape){3, 6, 300, f, 1e-3, 10, false, false, false}, 4, 0);
    check_against("primal", NULL, &(shape){8, 6, 120, f, 1e-4, 10, true, false, false}, 8, 0);
    check_against("primal", NULL, &(shape){12, 6, 120, f, 1e-3, 1e6, false, false, false}, 8, 0);
    check_against("primal", NULL, &(shape){6, 0, 60, f, 1e-3, 10, false, true, false}, 8, 0);
  }
}

/* A_ii is about 1: far more rows than velocities, with almost no compliance. */
static void little_compliance_is_enough(void)
{
  const double compliance[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10};
  for (int k = 0; k < 5; k++)
    for (int form = PERP_FORM_LCP; form <= PERP_FORM_BOXED; form++)
      check_against("primal", NULL,
                    &(shape){.bodies = 5,
                             .size = 6,
                             .rows = 60,
                             .form = (perp_form)form,
                             .compliance = compliance[k],
                             .ratio = 3,
                             .redundant = k % 2 == 1,
                             .planted = true},
                    8, 0);
}

/* Generated contact scenes, 20 seeds each. */
static void scenes_are_solved(void)
{
  static const char *const cases[] = {
      "pile:n=30,form=lcp,cfm=1e-3,jitter=0.3",
      "pile:n=30,form=mixed,cfm=1e-6,jitter=0.3",
      "stack:n=8,form=lcp,cfm=1e-8,jitter=0.3",
      "wall:rows=4,columns=4,form=stick,cfm=1e-6,jitter=0.1",
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    for (int seed = 1; seed <= 20; seed++) {
      char text[200];
      snprintf(text, sizeof text, "%s,operator=contact,seed=%d", cases[k], seed);
      perp_instance instance;
      perp_message why;
      CHECK_SAY(perp_generate(text, &instance, &why) == PERP_OK, "%s", why.text);
      const perp_problem p = perp_instance_problem(&instance);
      double *x = calloc((size_t)p.K.n, sizeof *x), residual, scale;
      const perp_result r = run_method("primal", &p, 1e-8, x);
      CHECK(perp_problem_judge(&p, x, &residual, &scale, NULL) == PERP_OK);
      CHECK_SAY(r.outcome == PERP_SOLVED && residual <= 1e-8 * scale, "%s: %g", text, residual);
      free(x);
      perp_instance_destroy(&instance);
    }
}

/* Newton's method on a piecewise quadratic function terminates: few factorisations at every
 * size. */
static void few_steps_are_needed(void)
{
  perp_random random = perp_random_from(3);
  for (int round = 0; round < 20; round++) {
    sample *s =
        make_sample(&(shape){20, 6, 300, PERP_FORM_LCP, 0.02, 3, false, false, false}, &random);
    double x[MAX_ROWS];
    const perp_result r = run_method("primal", &s->p, 1e-12, x);
    CHECK_EQUAL_INT(r.outcome, PERP_SOLVED);
    CHECK_SAY(r.counts.factorisations <= 25, "%lld", (long long)r.counts.factorisations);
    free_sample(s);
  }
}

/* ---- Refusals, and numbers of any size ---- */

/* Two rows on one velocity. */
static perp_error solve_two(const double C[2], const double *Minv, double b, perp_result *r)
{
  const int64_t start[3] = {0, 1, 2};
  const int J_column[2] = {0, 0}, C_column[2] = {0, 1};
  const double J[2] = {1, -2};
  const perp_contact_data data = {.size = sizeof(perp_contact_data),
                                  .rows = 2,
                                  .velocities = 1,
                                  .J_start = start,
                                  .J_column = J_column,
                                  .J_value = J,
                                  .blocks = 1,
                                  .Minv = Minv,
                                  .C_start = C ? start : NULL,
                                  .C_column = C_column,
                                  .C_value = C};
  perp_operator *A = NULL;
  CHECK(perp_operator_contact(&data, PERP_COPY, &A, NULL) == PERP_OK);
  const double rhs[2] = {-b, 3 * b}; /* feasible without C too: x = (b, 0), y = (0, b) */
  const perp_problem p = perp_problem_lcp(A, rhs);
  double x[2] = {0};
  *r = perp_result_empty();
  const perp_error error = perp_solve("primal", &p, NULL, x, r);
  perp_operator_destroy(A);
  return error;
}

static void what_it_cannot_do_is_refused_by_name(void)
{
  const double one = 1, negative = -1;
  perp_result r;
  CHECK_EQUAL_INT(solve_two(NULL, &one, 1, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_TEXT(r.message.text, "primal needs compliance in every row, but C(0,0) = 0");
  CHECK_EQUAL_INT(solve_two((double[]){1, 0}, &one, 1, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_TEXT(r.message.text, "primal needs compliance in every row, but C(1,1) = 0");
  CHECK_EQUAL_INT(solve_two((double[]){1, -3}, &one, 1, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_TEXT(r.message.text, "primal needs compliance in every row, but C(1,1) = -3");
  CHECK_EQUAL_INT(solve_two((double[]){1, 1}, &negative, 1, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_TEXT(r.message.text, "primal needs a positive semi-definite Minv, block 0 is not");
  const double a = 2, b = -1;
  double x = 0;
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(1, &a, 1, PERP_COPY, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, &b);
  CHECK_EQUAL_INT(perp_solve("primal", &p, NULL, &x, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_TEXT(r.message.text,
                   "primal needs the ability 'velocities', which this dense operator lacks");
  perp_operator_destroy(A);
}

static void friction_is_refused(void)
{
  perp_random random = perp_random_from(5);
  sample *s =
      make_sample(&(shape){2, 6, 6, PERP_FORM_FINDEX, 0.1, 1, false, false, false}, &random);
  double x[MAX_ROWS] = {0};
  perp_result r = perp_result_empty();
  CHECK_EQUAL_INT(perp_solve("primal", &s->p, NULL, x, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_TEXT(r.message.text, "primal does not take problems of the form 'findex'");
  free_sample(s);
  perp_instance instance;
  CHECK(perp_generate("pile:n=4,form=polyhedral,operator=contact,cfm=1e-2", &instance, NULL) ==
        PERP_OK);
  const perp_problem p = perp_instance_problem(&instance);
  double *z = calloc((size_t)p.K.n, sizeof *z);
  CHECK_EQUAL_INT(perp_solve("primal", &p, NULL, z, &r), PERP_ERROR_UNSUPPORTED);
  CHECK_EQUAL_TEXT(r.message.text,
                   "primal needs a diagonal compliance C, this C has other entries");
  free(z);
  perp_instance_destroy(&instance);
}

static void numbers_of_any_size_end_truly(void)
{
  const double sizes[] = {1e-300, 1e-150, 1e-12, 1, 1e12, 1e150, 1e300};
  for (int c = 0; c < 7; c++)
    for (int m = 0; m < 7; m++)
      for (int b = 0; b < 7; b++) {
        perp_result r;
        const perp_error error = solve_two((double[]){sizes[c], sizes[c]}, &sizes[m], sizes[b], &r);
        CHECK(error == PERP_OK || error == PERP_ERROR_UNSUPPORTED);
        CHECK(r.message.text[0]);
        /* away from the ends of the range it must succeed */
        if (c > 1 && c < 5 && m > 1 && m < 5 && b > 1 && b < 5)
          CHECK_SAY(error == PERP_OK && r.outcome == PERP_SOLVED, "C %g, Minv %g, b %g: %s",
                    sizes[c], sizes[m], sizes[b], r.message.text);
      }
  /* nothing moves: x = -b / C */
  const double zero = 0;
  perp_result r;
  CHECK(solve_two((double[]){2, 2}, &zero, 1, &r) == PERP_OK);
  CHECK_EQUAL_INT(r.outcome, PERP_SOLVED);
}

static const test_case tests[] = {
    TEST(small_problems_agree_with_enumeration),
    TEST(medium_problems_agree_with_dantzig),
    TEST(hard_scenes_are_solved),
    TEST(little_compliance_is_enough),
    TEST(scenes_are_solved),
    TEST(few_steps_are_needed),
    TEST(what_it_cannot_do_is_refused_by_name),
    TEST(friction_is_refused),
    TEST(numbers_of_any_size_end_truly),
};

TEST_MAIN(tests)
