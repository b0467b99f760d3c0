/* test_migrate.c: the functions of docs/migrate.md and migrate-solvers.md, compiled from the pages,
 * solve the problems of the libraries they replace */
#include "test.h"

#include <perp/ode.h>
#include <perp/perp.h>

#include "migrate_blocks.c"

#include "migrate-solvers_blocks.c"

/* A = [2 1; 1 2] with bounds, by hand. */
static void ode(void)
{
  const double A[8] = {2, 0, 0, 0, 1, 2, 0, 0}, b[2] = {4, 5}, lo[2] = {0, 0}, hi[2] = {9, 0.5};
  double x[2], w[2];
  perp_ode *object = NULL;
  CHECK(perp_ode_create(NULL, &object, NULL) == PERP_OK);
  CHECK(solve_for_ode(object, 2, A, x, b, w, 0, lo, hi, NULL));
  /* x_1 is at its bound: 2 x_0 + 0.5 = 4, and w_1 = x_0 + 1 - 5 < 0 */
  CHECK_CLOSE(x[0], 1.75, 1e-9);
  CHECK_CLOSE(x[1], 0.5, 1e-9);
  CHECK_CLOSE(w[1], -2.25, 1e-9);
  const int itself[2] = {-1, 1};
  CHECK(!solve_for_ode(object, 2, A, x, b, w, 0, lo, hi, itself)); /* names itself: refused */
  perp_ode_destroy(object);
}

/* A normal and a tangent that slides: |x_1| = 0.5 x_0. */
static void bullet(void)
{
  const double A[4] = {2, 0, 0, 2}, b[2] = {-4, -30}, lo[2] = {0, -0.5}, hi[2] = {INFINITY, 0.5};
  const int dependency[2] = {-1, 0};
  double x[2] = {1, 1};
  CHECK(solve_mlcp(2, A, b, x, lo, hi, dependency));
  CHECK_CLOSE(x[0], 2, 1e-7);
  CHECK_CLOSE(x[1], 1, 1e-7);
}

static void dart(void)
{
  const double M[4] = {2, 1, 1, 2}, q[2] = {-5, -6}, none[4] = {0, 0, 0, -1};
  double z[2];
  CHECK_EQUAL_INT(solve_lemke(2, M, q, z), 0);
  CHECK_CLOSE(z[0], 4 / 3.0, 1e-9);
  CHECK_CLOSE(z[1], 7 / 3.0, 1e-9);
  CHECK_EQUAL_INT(solve_lemke(2, none, q, z), 2); /* y <= q < 0 */
  const double wrong[4] = {NAN, 0, 0, 1};
  CHECK_EQUAL_INT(solve_lemke(2, wrong, q, z), 4);
}

/* One contact, M not symmetric so that swapped columns and rows would be noticed: it slides along t
 * with r_t = -mu r_n, and the velocity is u = M r + q. */
static void siconos(void)
{
  const double M[9] = {2, 0.5, 0, 0, 2, 0, 0, 0, 2}, q[3] = {-4, 30, 0}, mu[1] = {0.5};
  double r[3] = {0}, u[3];
  CHECK_EQUAL_INT(solve_fc3d(1, M, q, mu, 1e-10, r, u), 0);
  /* u_n = 2 r_n + 0.5 r_t - 4 = 0 and r_t = -0.5 r_n: r_n = 4 / 1.75 */
  CHECK_CLOSE(r[0], 4 / 1.75, 1e-7);
  CHECK_CLOSE(r[1], -2 / 1.75, 1e-7);
  CHECK_CLOSE(u[0], 0, 1e-7);
  CHECK_CLOSE(u[1], 2 * r[1] + 30, 1e-7);
}

static void path(void)
{
  /* the example of PATHSolver.jl: z = (2.8, 0, 0.8, 1.2) */
  const double M[4][4] = {{0, 0, -1, -1}, {0, 0, 1, -2}, {1, -1, 2, -2}, {1, 2, -2, 4}};
  const double q[4] = {2, 2, -2, -6}, lb[4] = {0, 0, 0, 0};
  const double ub[4] = {INFINITY, INFINITY, INFINITY, INFINITY}, expected[4] = {2.8, 0, 0.8, 1.2};
  int start[5] = {0}, row[16], nnz = 0;
  double value[16], z[4] = {0};
  for (int j = 0; j < 4; j++) {
    for (int i = 0; i < 4; i++)
      if (M[i][j] != 0) {
        row[nnz] = i;
        value[nnz++] = M[i][j];
      }
    start[j + 1] = nnz;
  }
  CHECK_EQUAL_INT(solve_simple_lcp(4, start, row, value, q, lb, ub, z), PERP_SOLVED);
  for (int i = 0; i < 4; i++)
    CHECK_CLOSE(z[i], expected[i], 1e-6);
}

static const test_case tests[] = {
    TEST(ode), TEST(bullet), TEST(dart), TEST(siconos), TEST(path),
};
TEST_MAIN(tests)
