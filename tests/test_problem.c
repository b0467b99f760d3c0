/* test_problem.c: forms, checks, projection, residuals and merits against naive definitions written
 * out here */
#include "test.h"

#include "../experiments/mixed_error.h"
#include "base/random.h"
#include "judge.h"
#include "set/set.h"
#include <perp/lab.h>
#include <perp/perp.h>

#include <float.h>

enum { N = 7 };

static perp_operator *identity(int n)
{
  double *a = calloc((size_t)(n * n) + 1, sizeof *a);
  for (int i = 0; i < n; i++)
    a[i * n + i] = 1;
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(n, a, n, PERP_COPY, &A, NULL) == PERP_OK);
  free(a);
  return A;
}

static void forms_are_told_by_value(void)
{
  double lo[N], hi[N];
  int findex[N];
  for (int i = 0; i < N; i++)
    lo[i] = 0, hi[i] = INFINITY, findex[i] = -1;
  perp_set K = {.n = N};
  CHECK_EQUAL_INT(perp_set_form(&K), PERP_FORM_LCP);
  K = (perp_set){.n = N, .lo = lo, .hi = hi, .findex = findex};
  CHECK_EQUAL_INT(perp_set_form(&K), PERP_FORM_LCP);
  hi[2] = 1e300;
  CHECK_EQUAL_INT(perp_set_form(&K), PERP_FORM_LCP);
  lo[3] = -INFINITY;
  CHECK_EQUAL_INT(perp_set_form(&K), PERP_FORM_MIXED);
  hi[3] = 4;
  CHECK_EQUAL_INT(perp_set_form(&K), PERP_FORM_BOXED);
  findex[5] = 1;
  CHECK_EQUAL_INT(perp_set_form(&K), PERP_FORM_FINDEX);
  const double mu[2] = {0.5, 0.5};
  K = (perp_set){.n = 6, .mu = mu, .cones = 2};
  CHECK_EQUAL_INT(perp_set_form(&K), PERP_FORM_CONE);
}

/* Every broken problem is refused with one line that names the row and the value. */
static void broken_problems_are_refused(void)
{
  perp_operator *A = identity(N);
  double b[N] = {0}, lo[N], hi[N];
  const double mu_bad[2] = {0.5, -0.25}, mu_nan[1] = {NAN};
  int findex[N];
  const struct {
    const char *what, *expected;
  } cases[] = {
      {"b nan", "b[3] = nan is not finite"},
      {"b inf", "b[4] = inf is not finite"},
      {"lo hi", "lo[2] = 3 is above hi[2] = 1"},
      {"lo nan", "lo[1] is NaN"},
      {"empty", "row 6 has the empty box [inf, inf]"},
      {"far", "findex[5] = 7 is out of range, n = 7"},
      {"below", "findex[5] = -2 is out of range, n = 7"},
      {"self", "findex[5] = 5 points at its own row"},
      {"chain", "findex[5] = 4 points at another friction row (findex[4] = 0)"},
      {"mu", "mu[1] = -0.25, but a friction coefficient is >= 0"},
      {"mu nan", "mu[0] = nan, but a friction coefficient is >= 0"},
      {"cones", "3 cones take 3 rows each, but A has 7 rows"},
      {"size", "K has dimension 6, but A is 7 x 7"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    for (int i = 0; i < N; i++)
      b[i] = 1, lo[i] = 0, hi[i] = INFINITY, findex[i] = -1;
    perp_problem p = perp_problem_friction(A, b, lo, hi, findex);
    const char *what = cases[k].what;
    CHECK(perp_problem_validate(&p, NULL) == PERP_OK);
    if (!strcmp(what, "b nan"))
      b[3] = NAN;
    else if (!strcmp(what, "b inf"))
      b[4] = INFINITY;
    else if (!strcmp(what, "lo hi"))
      lo[2] = 3, hi[2] = 1;
    else if (!strcmp(what, "lo nan"))
      lo[1] = NAN;
    else if (!strcmp(what, "empty"))
      lo[6] = INFINITY;
    else if (!strcmp(what, "far"))
      findex[5] = 7;
    else if (!strcmp(what, "below"))
      findex[5] = -2;
    else if (!strcmp(what, "self"))
      findex[5] = 5;
    else if (!strcmp(what, "chain"))
      findex[5] = 4, findex[4] = 0;
    else if (!strcmp(what, "mu"))
      p.K.mu = mu_bad, p.K.cones = 2;
    else if (!strcmp(what, "mu nan"))
      p.K.mu = mu_nan, p.K.cones = 1;
    else if (!strcmp(what, "cones"))
      p.K.mu = mu_bad, p.K.cones = 3;
    else
      p.K.n = 6;
    perp_message why = {""};
    CHECK_EQUAL_INT(perp_problem_validate(&p, &why), PERP_ERROR_PROBLEM);
    CHECK_EQUAL_TEXT(why.text, cases[k].expected);
  }
  perp_problem p = perp_problem_lcp(A, NULL);
  CHECK_EQUAL_INT(perp_problem_validate(&p, NULL), PERP_ERROR_ARGUMENT);
  CHECK_EQUAL_INT(perp_problem_validate(NULL, NULL), PERP_ERROR_ARGUMENT);
  perp_operator_destroy(A);
}

/* The nearest point of the cone, by a search over the angle of the generator ray. */
static void cone_projection_is_nearest(void)
{
  perp_random random = perp_random_from(3);
  for (int trial = 0; trial < 500; trial++) {
    const double mu = trial % 10 == 0 ? 0 : perp_random_between(&random, 0.05, 2);
    double z[3], p[3];
    for (int k = 0; k < 3; k++)
      p[k] = z[k] = perp_random_between(&random, -1, 1);
    perp_set_project_cone(mu, p);
    CHECK(hypot(p[1], p[2]) <= mu * p[0] + 1e-14);
    const double distance = sqrt(pow(z[0] - p[0], 2) + pow(z[1] - p[1], 2) + pow(z[2] - p[2], 2));
    for (int probe = 0; probe < 200; probe++) {
      const double n = perp_random_between(&random, 0, 2);
      const double s = mu * n * perp_random_uniform(&random);
      const double angle = perp_random_between(&random, 0, 6.283185307179586);
      const double other =
          sqrt(pow(z[0] - n, 2) + pow(z[1] - s * cos(angle), 2) + pow(z[2] - s * sin(angle), 2));
      CHECK(other >= distance - 1e-12);
    }
  }
}

/* Friction coefficients and numbers near the ends of the range. */
static void cone_projection_does_not_overflow(void)
{
  double z[3] = {-1, 1e200, 0};
  perp_set_project_cone(1e160, z); /* nearly a half-space: the point hardly moves */
  CHECK(isfinite(z[0]) && z[1] == 1e200 && z[2] == 0);
  const double mu[1] = {1e160}, b[3] = {1, 0, 0}, x[3] = {0, 1e200, 0}, y[3] = {1, 0, 0};
  perp_operator *A = identity(3);
  const perp_problem p = perp_problem_cone(A, b, mu);
  CHECK_SAY(perp_problem_residual(&p, x, y) > 1e39, "%g", perp_problem_residual(&p, x, y));
  perp_operator_destroy(A);
}

static void missing_things_are_refused_not_followed(void)
{
  const double b[1] = {1};
  const perp_problem p = perp_problem_lcp(NULL, b);
  perp_message why = {""};
  CHECK_EQUAL_INT(perp_problem_validate(&p, &why), PERP_ERROR_ARGUMENT);
  CHECK_EQUAL_TEXT(why.text, "problem or problem.A is NULL");
  perp_operator *A = NULL;
  CHECK_EQUAL_INT(perp_operator_contact(NULL, PERP_COPY, &A, NULL), PERP_ERROR_ARGUMENT);
  CHECK_EQUAL_INT(perp_operator_stencil(NULL, PERP_COPY, &A, NULL), PERP_ERROR_ARGUMENT);
  CHECK(perp_operator_size(NULL) == 0 && perp_operator_abilities(NULL) == 0);
  CHECK_EQUAL_TEXT(perp_outcome_name((perp_outcome)99), "unknown");
  CHECK_EQUAL_TEXT(perp_form_name((perp_form)99), "unknown");
  CHECK(!perp_method_at(-1).name && !perp_method_at(1000).name && !perp_generator_at(-1).name);
  const int64_t start[3] = {0, 2, INT64_MAX};
  const int column[4] = {0, 1, 0, 1};
  const double value[4] = {1, 0, 0, 1};
  CHECK_EQUAL_INT(perp_operator_csr(2, start, column, value, PERP_BORROW, &A, &why),
                  PERP_ERROR_PROBLEM);
  CHECK(strstr(why.text, "row 1 has"));
}

/* max |x - P(x - y)| with the projection written out row by row. */
static double naive_residual(const perp_problem *p, const double *x, const double *y)
{
  double worst = 0;
  for (int i = 0; i < p->K.n; i++) {
    double lo = p->K.lo ? p->K.lo[i] : 0, hi = p->K.hi ? p->K.hi[i] : INFINITY;
    if (p->K.findex && p->K.findex[i] >= 0) {
      lo *= fabs(x[p->K.findex[i]]);
      hi *= fabs(x[p->K.findex[i]]);
    }
    worst = fmax(worst, fabs(x[i] - fmin(fmax(x[i] - y[i], lo), hi)));
  }
  return worst;
}

static void residual_is_the_definition(void)
{
  perp_random random = perp_random_from(4);
  double x[N], y[N], lo[N], hi[N], b[N] = {0};
  int findex[N];
  perp_operator *A = identity(N);
  for (int trial = 0; trial < 2000; trial++) {
    for (int i = 0; i < N; i++) {
      x[i] = perp_random_between(&random, -1, 1);
      y[i] = perp_random_between(&random, -1, 1);
      lo[i] = trial % 3 == 0 ? 0 : -perp_random_uniform(&random);
      hi[i] = trial % 3 == 0 ? INFINITY : perp_random_uniform(&random);
      if (trial % 3 == 1 && i == 2)
        lo[i] = -INFINITY, hi[i] = INFINITY;
      findex[i] = -1;
    }
    if (trial % 3 == 2)
      findex[3] = 0, findex[1] = 6;
    perp_problem p = perp_problem_friction(A, b, lo, hi, findex);
    CHECK_CLOSE(perp_problem_residual(&p, x, y), naive_residual(&p, x, y), 1e-15);
    p = perp_problem_lcp(A, b);
    CHECK_CLOSE(perp_problem_residual(&p, x, y), naive_residual(&p, x, y), 1e-15);
  }
  perp_operator_destroy(A);
}

/* A NaN or infinity anywhere makes the residual infinite, in every lane and every form. */
static void residual_sees_every_bad_number(void)
{
  enum { LONG = 37 };
  double x[LONG], y[LONG], b[LONG] = {0}, lo[LONG] = {0};
  perp_operator *A = identity(LONG);
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int form = 0; form < 2; form++)
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < LONG; i++) {
        for (int j = 0; j < LONG; j++)
          x[j] = 0, y[j] = 1;
        perp_problem p = form ? perp_problem_boxed(A, b, lo, NULL) : perp_problem_lcp(A, b);
        CHECK(perp_problem_residual(&p, x, y) == 0);
        x[i] = bad[k];
        CHECK(perp_problem_residual(&p, x, y) == INFINITY);
        x[i] = 0;
        y[i] = bad[k];
        CHECK(perp_problem_residual(&p, x, y) == INFINITY);
      }
  perp_operator_destroy(A);
}

/* A small y next to a large x is not lost; forming x - y would lose it. */
static void residual_keeps_small_gradients(void)
{
  double x[1] = {1e12}, y[1] = {1e-5}, b[1] = {1}, lo[1] = {-1e13}, hi[1] = {1e13};
  perp_operator *A = identity(1);
  perp_problem p = perp_problem_lcp(A, b);
  CHECK(perp_problem_residual(&p, x, y) == 1e-5);
  p = perp_problem_boxed(A, b, lo, hi);
  CHECK(perp_problem_residual(&p, x, y) == 1e-5);
  perp_operator_destroy(A);
}

/* A sliding, a sticking and a separating contact in De Saxce's form. */
static void cone_residual_knows_coulomb(void)
{
  const double mu[1] = {0.5}, b[3] = {0};
  perp_operator *A = identity(3);
  perp_problem p = perp_problem_cone(A, b, mu);
  const double stick_x[3] = {2, 0.3, -0.4}, stick_y[3] = {0, 0, 0};
  const double slide_x[3] = {2, 0.6, 0.8}, slide_y[3] = {0, -1.5, -2};
  const double part_x[3] = {0, 0, 0}, part_y[3] = {1, 3, -2};
  CHECK(perp_problem_residual(&p, stick_x, stick_y) == 0);
  CHECK_CLOSE(perp_problem_residual(&p, slide_x, slide_y), 0, 1e-15);
  CHECK(perp_problem_residual(&p, part_x, part_y) == 0);
  const double wrong_y[3] = {0, 1.5, 2}; /* friction along the motion */
  CHECK(perp_problem_residual(&p, slide_x, wrong_y) > 0.1);
  perp_operator_destroy(A);
}

/* Sliding, sticking and separating cones with small and large perturbations, and mu up to 1e17: the
 * residual in quad, in which mu |y_t| leaves room for the other terms. */
static void cone_residual_of_any_mu(void)
{
  perp_random random = perp_random_from(23);
  perp_operator *A = identity(3);
  for (int trial = 0; trial < 100000; trial++) {
    const double mu[1] = {pow(10, perp_random_between(&random, -3, 17))}, b[3] = {0};
    const perp_problem p = perp_problem_cone(A, b, mu);
    const double angle = perp_random_between(&random, 0, 6.3),
                 state = perp_random_below(&random, 4);
    const double normal = pow(10, perp_random_between(&random, -20, 2)) * (state < 3);
    const double slip = pow(10, perp_random_between(&random, -20, 2)) * (state > 0);
    const double force = mu[0] * normal * (state > 0 ? 1 : perp_random_between(&random, 0, 1));
    double x[3] = {normal, force * cos(angle), force * sin(angle)};
    double y[3] = {state == 3 ? slip : 0, -slip * cos(angle), -slip * sin(angle)};
    const double off =
        perp_random_below(&random, 2) ? 0 : pow(10, perp_random_between(&random, -16, 1));
    for (int k = 0; k < 3; k++) {
      x[k] += off * perp_random_between(&random, -1, 1) * (fabs(x[k]) + off);
      y[k] += off * perp_random_between(&random, -1, 1) * (fabs(y[k]) + off);
    }
    const long double exact_y[3] = {y[0], y[1], y[2]};
    const double residual = perp_problem_residual(&p, x, y);
    const long double exact = cone_residual(mu[0], x, exact_y);
    const double size =
        fmax(fmax(hypot(x[1], x[2]), hypot(y[1], y[2])), fmax(fabs(x[0]), fabs(y[0])));
    CHECK_SAY(fabsl(residual - exact) <= 4e-15L * (size + exact),
              "trial %d, mu = %g, x = %g %g %g, y = %g %g %g: %g against %Lg", trial, mu[0], x[0],
              x[1], x[2], y[0], y[1], y[2], residual, exact);
  }
  perp_operator_destroy(A);
}

static double fischer(double a, double b)
{
  return a + b - sqrt(a * a + b * b);
}

static void merits_are_their_definitions(void)
{
  perp_random random = perp_random_from(5);
  double x[N], y[N], b[N];
  perp_operator *A = identity(N);
  for (int trial = 0; trial < 500; trial++) {
    double minmap = 0, fb = 0, cck = 0, comp = 0, energy = 0;
    for (int i = 0; i < N; i++) {
      x[i] = perp_random_between(&random, -2, 2);
      b[i] = perp_random_between(&random, -2, 2);
      y[i] = x[i] + b[i]; /* A = I */
      const double f = fischer(x[i], y[i]);
      const double c = 0.7 * f + 0.3 * fmax(x[i], 0) * fmax(y[i], 0);
      minmap += 0.5 * pow(fmin(x[i], y[i]), 2);
      fb += 0.5 * f * f;
      cck += 0.5 * c * c;
      comp += x[i] * fabs(y[i]);
      energy += 0.5 * x[i] * x[i] + b[i] * x[i];
    }
    const perp_problem p = perp_problem_lcp(A, b);
    const double expected[] = {perp_problem_residual(&p, x, y), minmap, fb, cck, comp, energy};
    for (int kind = 0; kind < 6; kind++) {
      double value;
      CHECK(perp_problem_merit(&p, (perp_merit_kind)kind, 0.7, x, y, &value) == PERP_OK);
      CHECK_CLOSE(value, expected[kind], 1e-12);
    }
  }
  perp_operator_destroy(A);
}

/* The Fischer merit over a box is zero at solutions and nowhere else; a free row counts |y|. */
static void box_merit_vanishes_at_solutions_only(void)
{
  const double lo[1] = {-1}, hi[1] = {2}, b[1] = {0};
  const double free_lo[1] = {-INFINITY}, free_hi[1] = {INFINITY};
  perp_operator *A = identity(1);
  const perp_problem box = perp_problem_boxed(A, b, lo, hi);
  const perp_problem free = perp_problem_boxed(A, b, free_lo, free_hi);
  for (int i = -8; i <= 12; i++)
    for (int j = -8; j <= 8; j++) {
      const double x[1] = {i / 4.0}, y[1] = {j / 4.0};
      double value;
      CHECK(perp_problem_merit(&box, PERP_MERIT_FISCHER, 1, x, y, &value) == PERP_OK);
      CHECK((value < 1e-20) == (perp_problem_residual(&box, x, y) == 0));
      CHECK(perp_problem_merit(&box, PERP_MERIT_PENALISED, 0.7, x, y, &value) == PERP_OK);
      CHECK((value < 1e-20) == (perp_problem_residual(&box, x, y) == 0));
      CHECK(perp_problem_merit(&free, PERP_MERIT_FISCHER, 1, x, y, &value) == PERP_OK);
      CHECK_CLOSE(value, 0.5 * y[0] * y[0], 1e-15);
    }
  perp_operator_destroy(A);
}

static void mixed_residuals_are_those_of_the_paper(void)
{
  const double lo[4] = {-INFINITY, 0, 0, 0}, hi[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
  const double b[4] = {-3, 1, -4, 2};
  const double x[4] = {1, 0.5, 0, 2}, y[4] = {-0.25, 0.75, -0.125, 0.0625};
  perp_operator *A = identity(4);
  perp_problem p = perp_problem_boxed(A, b, lo, hi);
  mixed_error r;
  CHECK(mixed_error_of(&p, x, y, &r));
  CHECK(r.equation == 0.25);
  CHECK(r.complementarity == 0.5);
  CHECK(r.feasibility == 0.125);
  CHECK_CLOSE(r.scaled, fmax(0.25 / 4, fmax(0.5 / 5, 0.125 / 17)), 1e-16);
  const double box_hi[4] = {1, 1, 1, 1};
  p.K.hi = box_hi;
  CHECK(!mixed_error_of(&p, x, y, &r));
  perp_operator_destroy(A);
}

static void scale_is_the_largest_b(void)
{
  const double b[3] = {0.5, -4, 3}, zero[3] = {0};
  perp_operator *A = identity(3);
  perp_problem p = perp_problem_lcp(A, b);
  CHECK(perp_problem_scale(&p) == 4);
  p.b = zero;
  CHECK(perp_problem_scale(&p) == 1);
  perp_operator_destroy(A);
}

static void solved_is_at_most_tol_times_scale(void)
{
  CHECK(perp_residual_solved(0x1p-20, 0x1p-22, 4));
  CHECK(!perp_residual_solved(nextafter(0x1p-20, 1), 0x1p-22, 4));
  CHECK(perp_residual_solved(0, 0, 1) && !perp_residual_solved(0x1p-1074, 0, 1));
  /* no tolerance makes an infinite residual, or one that is not a number, solved */
  CHECK(!perp_residual_solved(INFINITY, INFINITY, 1) && !perp_residual_solved(NAN, 1, 1));
  CHECK(!perp_residual_solved(INFINITY, DBL_MAX, DBL_MAX) &&
        !perp_residual_solved(0x1p-1074, NAN, 1));
}

/* Friction bounds come from the projected normals, whatever the order of the rows. */
static void projection_takes_normals_first(void)
{
  const double lo[3] = {-0.5, 0, -0.5}, hi[3] = {0.5, INFINITY, 0.5};
  const int findex[3] = {1, -1, 1};
  const perp_set K = {.n = 3, .lo = lo, .hi = hi, .findex = findex};
  double z[3] = {3, -1, -3};
  perp_set_project(&K, z, z);
  CHECK(z[0] == 0 && z[1] == 0 && z[2] == 0);
  double w[3] = {3, 4, -3};
  perp_set_project(&K, w, w);
  CHECK(w[0] == 2 && w[1] == 4 && w[2] == -2);
  const double wide_lo[3] = {-INFINITY, 0, -INFINITY}, wide_hi[3] = {1e300, INFINITY, 1e300};
  const perp_set wide = {.n = 3, .lo = wide_lo, .hi = wide_hi, .findex = findex};
  double v[3] = {3, -1, -3};
  perp_set_project(&wide, v, v);
  CHECK(v[0] == 3 && v[1] == 0 && v[2] == -3);
}

static const test_case tests[] = {
    TEST(forms_are_told_by_value),
    TEST(broken_problems_are_refused),
    TEST(cone_projection_is_nearest),
    TEST(cone_projection_does_not_overflow),
    TEST(missing_things_are_refused_not_followed),
    TEST(residual_is_the_definition),
    TEST(residual_sees_every_bad_number),
    TEST(residual_keeps_small_gradients),
    TEST(cone_residual_knows_coulomb),
    TEST(cone_residual_of_any_mu),
    TEST(merits_are_their_definitions),
    TEST(box_merit_vanishes_at_solutions_only),
    TEST(mixed_residuals_are_those_of_the_paper),
    TEST(scale_is_the_largest_b),
    TEST(solved_is_at_most_tol_times_scale),
    TEST(projection_takes_normals_first),
};

TEST_MAIN(tests)
