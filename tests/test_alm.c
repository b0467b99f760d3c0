/* test_alm.c: alm against matrices multiplied out, enumeration, pivoting and jammed piles */
#include "contacts.h"
#include <perp/generate.h>
#include <perp/simulate.h>

static void small_problems_agree_with_others(void)
{
  check_small("alm");
}

static void medium_problems_agree_with_dantzig(void)
{
  check_medium("alm");
}

/* No compliance: far more rows than velocities, all rows twice, masses from 1 to 1e6, a body that does not
 * move; x is one of many. */
static void redundant_contacts_are_solved(void)
{
  for (int form = PERP_FORM_LCP; form <= PERP_FORM_BOXED; form++) {
    const perp_form f = (perp_form)form;
    check_against("alm", NULL, &(shape){3, 6, 300, f, 0, 10, false, false, true}, 4, 0);
    check_against("alm", NULL, &(shape){8, 6, 120, f, 0, 10, true, false, true}, 8, 0);
    check_against("alm", NULL, &(shape){12, 6, 120, f, 0, 1e6, false, false, true}, 8, 0);
    check_against("alm", NULL, &(shape){6, 0, 60, f, 0, 10, false, true, true}, 8, 0);
  }
}

static void friction_is_solved(void)
{
  const perp_form f = PERP_FORM_FINDEX;
  check_against("alm", NULL, &(shape){1, 6, 3, f, 0.1, 1, false, false, false}, 60, 0);
  check_against("alm", NULL, &(shape){3, 3, 12, f, 0.1, 3, false, false, false}, 30, 0);
  check_against("alm", NULL, &(shape){10, 6, 60, f, 0.2, 3, false, false, false}, 10, 0);
}

/* From the negated solution, or one a million times too large, as from 0. */
static void bad_starts_do_no_harm(void)
{
  static const char *const methods[] = {"alm", "ipm"};
  perp_random random = perp_random_from(23);
  for (int round = 0; round < 20; round++) {
    sample *s =
        make_sample(&(shape){4, 6, 12, PERP_FORM_FINDEX, 0.1, 3, false, false, false}, &random);
    for (size_t k = 0; k < 2; k++)
      for (int turn = 0; turn < 2; turn++) {
        double x[MAX_ROWS], residual, scale;
        perp_result r = run_method(methods[k], &s->p, 1e-9, x);
        CHECK_SAY(r.outcome == PERP_SOLVED, "%s, round %d: %s", methods[k], round, r.message.text);
        for (int i = 0; i < s->p.K.n; i++)
          x[i] *= turn ? -1 : 1e6;
        CHECK(perp_solve(methods[k], &s->p, NULL, x, &r) == PERP_OK);
        CHECK_SAY(r.outcome == PERP_SOLVED, "%s, round %d: %s", methods[k], round, r.message.text);
        CHECK(perp_problem_judge(&s->p, x, &residual, &scale, NULL) == PERP_OK);
        CHECK(residual <= 1.01e-8 * scale);
      }
    free_sample(s);
  }
}

/* 120 rows that touch 60 bodies of one velocity each: 432,000 couplings are 8 MB. */
static void memory_is_asked_for(void)
{
  enum { ROWS = 120, BODIES = 60 };
  static double J[ROWS * BODIES], Minv[BODIES], b[ROWS], x[ROWS];
  static int column[ROWS * BODIES];
  int64_t start[ROWS + 1] = {0};
  perp_random random = perp_random_from(3);
  for (int i = 0; i < ROWS; i++) {
    for (int v = 0; v < BODIES; v++) {
      column[i * BODIES + v] = v;
      J[i * BODIES + v] = perp_random_between(&random, -1, 1);
      Minv[v] = 1;
    }
    start[i + 1] = (i + 1) * BODIES;
    b[i] = perp_random_between(&random, 0, 1) - 0.2;
  }
  const perp_contact_data data = {.size = sizeof(perp_contact_data),
                                  .rows = ROWS,
                                  .velocities = BODIES,
                                  .J_start = start,
                                  .J_column = column,
                                  .J_value = J,
                                  .blocks = BODIES,
                                  .Minv = Minv};
  perp_operator *A = NULL;
  CHECK(perp_operator_contact(&data, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  perp_options o = perp_options_default();
  perp_result r = perp_result_empty();
  o.memory_limit = 1000000;
  CHECK(perp_solve("alm", &p, &o, x, &r) == PERP_ERROR_MEMORY);
  CHECK_SAY(strstr(r.message.text, "120 contacts"), "%s", r.message.text);
  o.memory_limit = 0;
  CHECK(perp_solve("alm", &p, &o, x, &r) == PERP_OK);
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s", r.message.text);
  perp_operator_destroy(A);
}

/* An independent judge: x of every step against the law, A by products. */
static double law(const perp_problem *p, const double *x)
{
  const int n = p->K.n;
  double *y = calloc((size_t)n + 1, sizeof *y), most = 0, scale = 0;
  double *scratch = calloc(perp_operator_scratch(p->A) + 1, sizeof *scratch);
  CHECK(perp_operator_apply(p->A, x, y, scratch, NULL) == PERP_OK);
  for (int i = 0; i < n; i++) {
    const double r = p->K.findex && p->K.findex[i] >= 0 ? fabs(x[p->K.findex[i]]) : 1;
    const double lo = p->K.lo ? p->K.lo[i] * r : 0;
    const double hi = p->K.hi && p->K.hi[i] < 1e300 ? p->K.hi[i] * r : INFINITY;
    const double to = fmin(fmax(x[i] - y[i] - p->b[i], lo), hi);
    most = fmax(most, fabs(x[i] - to));
    scale = fmax(scale, fabs(p->b[i]));
  }
  free(y);
  free(scratch);
  return most / (scale > 0 ? scale : 1);
}

/* Forty discs and pebbles fall into a box: every step, without friction and with. */
static void piles_are_solved_in_every_step(void)
{
  static const char *const scenes[] = {"discs:n=40,friction=none", "pebbles:n=40,friction=none",
                                       "discs:n=40", "pebbles:n=20"};
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
    perp_options o = perp_options_default();
    perp_simulation *sim = NULL;
    perp_step step;
    perp_message why;
    o.tol = 1e-8;
    CHECK_SAY(perp_simulation_create(scenes[k], "alm", &o, &sim, &why) == PERP_OK, "%s", why.text);
    for (int frame = 1; frame <= 200; frame++) {
      CHECK_SAY(perp_simulation_step(sim, &step, &why) == PERP_OK, "%s", why.text);
      CHECK_SAY(step.outcome == PERP_SOLVED, "%s, frame %d: %s", scenes[k], frame,
                perp_simulation_trouble(sim));
      const perp_problem *p = perp_simulation_problem(sim);
      if (p)
        CHECK(law(p, perp_simulation_solution(sim)) <= 1.01e-8);
    }
    perp_simulation_destroy(sim);
  }
}

/* Bodies enough for the sparse factor, and blocks too wide for the small one. */
static void many_bodies_are_solved(void)
{
  perp_instance made = {0};
  perp_message why;
  CHECK_SAY(perp_generate("stack:n=1100,form=lcp,operator=contact", &made, &why) == PERP_OK, "%s",
            why.text);
  const perp_problem p = perp_instance_problem(&made);
  double *x = calloc((size_t)p.K.n, sizeof *x);
  perp_result r = perp_result_empty();
  CHECK_SAY(perp_solve("alm", &p, NULL, x, &r) == PERP_OK, "%s", r.message.text);
  CHECK_SAY(r.outcome == PERP_SOLVED, "%s", r.message.text);
  CHECK(law(&p, x) <= 1.01e-8);
  free(x);
  perp_instance_destroy(&made);
  check_against(
      "alm", "dantzig",
      &(shape){
          .bodies = 1, .size = 9, .rows = 60, .form = PERP_FORM_LCP, .compliance = 0.1, .ratio = 1},
      4, 1e-6);
}

static const test_case tests[] = {
    TEST(small_problems_agree_with_others),
    TEST(medium_problems_agree_with_dantzig),
    TEST(redundant_contacts_are_solved),
    TEST(friction_is_solved),
    TEST(bad_starts_do_no_harm),
    TEST(memory_is_asked_for),
    TEST(piles_are_solved_in_every_step),
    TEST(many_bodies_are_solved),
};

TEST_MAIN(tests)
