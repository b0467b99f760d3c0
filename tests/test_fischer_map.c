/* test_fischer_map.c: Fischer and Burmeister's equations themselves: values, derivatives, elements of the
 * Jacobian and the gradient of the merit. Oracle: the formulas in long double with central differences.
 * test_fischer.c has the methods that solve them. */
#include "method/newton/fischer_map.h"
#include "problems.h"

/* ---- phi ---- */

static long double exact_pair(const perp_phi *f, long double a, long double b)
{
  const long double root = sqrtl(a * a + b * b + 2 * (long double)f->mu);
  /* without the cancellation that affects even long double */
  const long double fischer = a + b > 0 ? 2 * (a * b - f->mu) / (a + b + root) : a + b - root;
  const long double both = a > 0 && b > 0 ? a * b : 0;
  return f->lambda * fischer + (1 - (long double)f->lambda) * both;
}

static long double exact_box(const perp_phi *f, long double x, long double y, double lo, double hi)
{
  const long double g = hi < INFINITY ? -exact_pair(f, hi - x, -y) : y;
  return lo > -INFINITY ? exact_pair(f, x - lo, g) : g;
}

/* d/dt of f along (dx, dy), by Richardson's extrapolation of central differences */
static long double difference(const perp_phi *f, double x, double y, double lo, double hi,
                              long double dx, long double dy)
{
  const long double h = 1e-4L;
  const long double coarse = (exact_box(f, x + h * dx, y + h * dy, lo, hi) -
                              exact_box(f, x - h * dx, y - h * dy, lo, hi)) /
                             (2 * h);
  const long double fine = (exact_box(f, x + h / 2 * dx, y + h / 2 * dy, lo, hi) -
                            exact_box(f, x - h / 2 * dx, y - h / 2 * dy, lo, hi)) /
                           h;
  return (4 * fine - coarse) / 3;
}

static double any_size(perp_random *random, double decades)
{
  const double size = pow(10, perp_random_between(random, -decades, decades));
  return perp_random_below(random, 2) ? size : -size;
}

static const perp_phi functions[] = {{1, 0}, {0.7, 0}, {1, 1e-3}, {1, 2}, {0.4, 0}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void values_keep_their_digits(void)
{
  perp_random random = perp_random_from(1);
  for (int k = 0; k < 20000; k++) {
    const perp_phi f = functions[k % FUNCTIONS];
    const double a = any_size(&random, 12), b = any_size(&random, 12);
    const long double exact = exact_pair(&f, a, b);
    const double found = perp_phi_pair(&f, a, b, 0, 0).value;
    /* with mu the zeros are at a b = mu: digits are lost only near them */
    const double size = f.mu > 0 ? fmax(fmin(fabs(a), fabs(b)), sqrt(f.mu)) : fabs((double)exact);
    CHECK_SAY(fabsl(found - exact) <= 1e-14 * fmax(size, fabs((double)exact)),
              "phi(%g, %g) = %g, not %Lg", a, b, found, exact);
  }
}

static void derivatives_agree_with_differences(void)
{
  perp_random random = perp_random_from(2);
  const double lo[] = {0, -1, -INFINITY, -INFINITY, -0.5, 0.25},
               hi[] = {INFINITY, INFINITY, 1, INFINITY, 0.75, 0.25};
  int checked = 0;
  for (int k = 0; k < 30000; k++) {
    const perp_phi f = functions[k % FUNCTIONS];
    const int c = perp_random_below(&random, 6);
    const double x = perp_random_between(&random, -2, 2), y = perp_random_between(&random, -2, 2);
    /* differences are not valid at kinks of the penalised part and at corners */
    const double inner = hi[c] < INFINITY ? (double)-exact_pair(&f, hi[c] - x, -y) : y;
    if (fabs(x - lo[c]) < 0.05 || fabs(x - hi[c]) < 0.05 || fabs(y) < 0.05 || fabs(inner) < 0.05)
      continue;
    const perp_slopes s = perp_phi_box(&f, x, y, lo[c], hi[c], 0, 0);
    const long double fx = difference(&f, x, y, lo[c], hi[c], 1, 0);
    const long double fy = difference(&f, x, y, lo[c], hi[c], 0, 1);
    CHECK_CLOSE(s.value, exact_box(&f, x, y, lo[c], hi[c]), 1e-14);
    CHECK_SAY(fabsl(s.a - fx) < 1e-9 && fabsl(s.b - fy) < 1e-9,
              "box %d at (%g, %g): %g %g, %Lg %Lg", c, x, y, s.a, s.b, fx, fy);
    CHECK(s.a >= 0 && s.b >= 0);
    checked++;
  }
  CHECK(checked > 10000);
}

/* (1 - p)^2 + (1 - q)^2 = 1 wherever the function is differentiable, to full precision. */
static void small_derivatives_keep_their_digits(void)
{
  perp_random random = perp_random_from(3);
  const perp_phi f = {1, 0};
  for (int k = 0; k < 5000; k++) {
    const double a = any_size(&random, 9), b = any_size(&random, 9);
    const perp_slopes s = perp_phi_pair(&f, a, b, 0, 0);
    const long double root = sqrtl((long double)a * a + (long double)b * b);
    const long double p = a > 0 ? (long double)b * b / (root * (root + a)) : 1 - a / root;
    const long double q = b > 0 ? (long double)a * a / (root * (root + b)) : 1 - b / root;
    CHECK_SAY(fabsl(s.a - p) <= 1e-14 * p && fabsl(s.b - q) <= 1e-14 * q, "at (%g, %g)", a, b);
  }
}

static void corners_have_an_element_of_the_jacobian(void)
{
  perp_random random = perp_random_from(4);
  const perp_phi f = {1, 0};
  for (int k = 0; k < 500; k++) {
    const double da = perp_random_between(&random, -1, 1), db = perp_random_between(&random, -1, 1);
    const perp_slopes s = perp_phi_pair(&f, 0, 0, da, db),
                      near = perp_phi_pair(&f, 1e-9 * da, 1e-9 * db, 0, 0);
    CHECK_CLOSE(hypot(1 - s.a, 1 - s.b), 1, 1e-14);
    CHECK(fabs(s.a - near.a) < 1e-13 && fabs(s.b - near.b) < 1e-13);
    /* at the lower and the upper corner of a box, the limit along the direction */
    const double lo = k % 2 ? 0 : -1, hi = lo + 1;
    const perp_slopes t = perp_phi_box(&f, 0, 0, lo, hi, da, db);
    const perp_slopes u = perp_phi_box(&f, 1e-9 * da, 1e-9 * db, lo, hi, 0, 0);
    CHECK_SAY(fabs(t.a - u.a) < 1e-7 && fabs(t.b - u.b) < 1e-7, "%g %g against %g %g", t.a, t.b,
              u.a, u.b);
  }
  const perp_slopes middle = perp_phi_pair(&f, 0, 0, 0, 0);
  CHECK(middle.value == 0 && middle.a == 1 && middle.b == 1);
}

/* ---- The map ---- */

/* Examines the map from inside a run; the results are in the context below. */
enum { MAP_ROWS = 12 };
static struct {
  double worst_gradient, worst_corner;
} seen;

static double theta_at(perp_run *run, const perp_map *map, const double *x, double *F)
{
  double y[MAP_ROWS];
  perp_run_gradient(run, x, y);
  return perp_map_value(map, x, y, F);
}

static perp_error look_at_map(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params;
  const int n = p->K.n;
  perp_map map;
  if (perp_map_create(run, (perp_phi){1, 0}, PERP_STRATEGY_ANALYTIC, true, &map))
    return perp_run_no_memory(run);
  double F[MAP_ROWS], g[MAP_ROWS], y[MAP_ROWS], z[MAP_ROWS], p0[MAP_ROWS], q0[MAP_ROWS];
  /* grad theta */
  theta_at(run, &map, x, F);
  perp_run_gradient(run, x, y);
  perp_map_linearise(&map, x, y);
  CHECK(perp_map_transposed(&map, F, g));
  for (int j = 0; j < n; j++) {
    const double h = 1e-5, at = x[j];
    double scratch[MAP_ROWS];
    x[j] = at + h;
    const double above = theta_at(run, &map, x, scratch);
    x[j] = at - h;
    const double below = theta_at(run, &map, x, scratch);
    x[j] = at;
    seen.worst_gradient = fmax(seen.worst_gradient, fabs(g[j] - (above - below) / (2 * h)));
  }
  /* D_p, D_q at x = 0 where b_i = 0 are those at t z, t -> 0, z = 1 there */
  for (int i = 0; i < n; i++)
    z[i] = 0;
  perp_run_gradient(run, z, y);
  perp_map_linearise(&map, z, y);
  memcpy(p0, map.p, sizeof p0);
  memcpy(q0, map.q, sizeof q0);
  for (int i = 0; i < n; i++)
    z[i] = p->b[i] == 0 && p->K.lo[i] == 0 ? 1e-9 : 0;
  perp_run_gradient(run, z, y);
  perp_map_linearise(&map, z, y);
  for (int i = 0; i < n; i++)
    seen.worst_corner =
        fmax(seen.worst_corner, fmax(fabs(p0[i] - map.p[i]), fabs(q0[i] - map.q[i])));
  return PERP_OK;
}

static void the_map_has_the_right_gradient_and_corners(void)
{
  static const perp_parameter none[] = {{0}};
  const perp_method method = {.name = "look",
                              .title = "look",
                              .family = "test",
                              .source = "none",
                              .takes = PERP_TAKES(PERP_FORM_LCP) | PERP_TAKES(PERP_FORM_MIXED) |
                                       PERP_TAKES(PERP_FORM_BOXED),
                              .needs = PERP_CAN_APPLY,
                              .max_iterations = 1,
                              .works = "any",
                              .parameters = none,
                              .solve = look_at_map};
  perp_random random = perp_random_from(5);
  seen.worst_gradient = seen.worst_corner = 0;
  for (int k = 0; k < 60; k++) {
    double a[MAP_ROWS * MAP_ROWS], b[MAP_ROWS], x[MAP_ROWS], lo[MAP_ROWS], hi[MAP_ROWS];
    for (int i = 0; i < MAP_ROWS * MAP_ROWS; i++)
      a[i] = perp_random_between(&random, -1, 1);
    for (int i = 0; i < MAP_ROWS; i++) {
      a[i * MAP_ROWS + i] = i % 4 ? perp_random_between(&random, 0.1, 10) : 0;
      b[i] = i % 3 ? perp_random_between(&random, -1, 1) : 0;
      x[i] = perp_random_between(&random, -1, 1);
      lo[i] = i % 5 == 4 ? -INFINITY : 0;
      hi[i] = i % 5 == 3 ? 2 : INFINITY;
    }
    perp_operator *A = problem_dense(MAP_ROWS, a);
    const perp_problem p = perp_problem_boxed(A, b, lo, hi);
    perp_solver *solver = NULL;
    CHECK(perp_solver_create_with(&method, &solver, NULL) == PERP_OK);
    perp_result r = perp_result_empty();
    CHECK(perp_solver_solve(solver, &p, NULL, x, &r) == PERP_OK);
    perp_solver_destroy(solver);
    perp_operator_destroy(A);
  }
  CHECK_SAY(seen.worst_gradient > 0 && seen.worst_gradient < 1e-6, "%g", seen.worst_gradient);
  CHECK_SAY(seen.worst_corner < 1e-6, "%g", seen.worst_corner);
}

static const test_case tests[] = {
    TEST(values_keep_their_digits),
    TEST(derivatives_agree_with_differences),
    TEST(small_derivatives_keep_their_digits),
    TEST(corners_have_an_element_of_the_jacobian),
    TEST(the_map_has_the_right_gradient_and_corners),
};

TEST_MAIN(tests)
