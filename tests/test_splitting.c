/* test_splitting.c: the local problems of one contact, and sweeps by blocks
 *
 * Oracles: natural residuals written out here for the local problems, perp_problem_judge for the rest,
 * planted solutions of the generators, and one block sweep over an assembled matrix. */
#include "operator/block_relax.h"
#include "problem/local_contact.h"
#include "set/cone.h"
#include "sweeps.h"

/* ---- One contact ---- */

static void project_cone(double mu, double *z)
{
  const double s = hypot(z[1], z[2]);
  if (z[0] >= 0 && s <= mu * z[0])
    return;
  if (mu * s <= -z[0]) {
    z[0] = z[1] = z[2] = 0;
    return;
  }
  const double c = (z[0] + mu * s) / (1 + mu * mu), t = s > 0 ? mu * c / s : 0;
  z[0] = c;
  z[1] *= t;
  z[2] *= t;
}

static void local_product(int m, const double *W, const double *q, const double *z, double *y)
{
  for (int i = 0; i < m; i++) {
    y[i] = q[i];
    for (int j = 0; j < m; j++)
      y[i] += W[i * m + j] * z[j];
  }
}

/* The scale of rounding errors: the largest number in y = W z + q. */
static double local_size(int m, const double *W, const double *q, const double *z)
{
  double size = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      size = fmax(size, fmax(fabs(q[i]), fabs(W[i * m + j] * z[j])));
  return size;
}

static double cone_residual(const double *W, const double *q, double mu, const double *z)
{
  double y[3], worst = 0;
  local_product(3, W, q, z, y);
  double t[3] = {z[0] - y[0] - mu * hypot(y[1], y[2]), z[1] - y[1], z[2] - y[2]};
  project_cone(mu, t);
  for (int i = 0; i < 3; i++)
    worst = fmax(worst, fabs(z[i] - t[i]));
  return worst;
}

/* W = G^T G of the given rank with rows of very different size, and with `skew` a nonsymmetric
 * part. */
static void random_W(int m, int rank, double spread, bool skew, perp_random *random, double *W)
{
  double scale[3];
  for (int i = 0; i < m; i++)
    scale[i] = pow(10, perp_random_between(random, -spread, spread));
  for (int e = 0; e < m * m; e++)
    W[e] = 0;
  for (int k = 0; k < rank; k++) {
    double g[3];
    for (int i = 0; i < m; i++)
      g[i] = scale[i] * perp_random_normal(random);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < m; j++)
        W[i * m + j] += g[i] * g[j];
  }
  for (int i = 0; i < m; i++)
    for (int j = 0; skew && j < i; j++) {
      const double e = 0.1 * perp_random_normal(random) * sqrt(W[i * m + i]) * sqrt(W[j * m + j]);
      W[i * m + j] += e;
      W[j * m + i] -= e;
    }
}

static void one_cone_is_solved_exactly(void)
{
  static const double mus[] = {0, 1e-6, 0.1, 0.5, 1, 2, 10, 1e3, 1e6};
  perp_random random = perp_random_from(3);
  int seen[3] = {0}; /* take off, stick, slide */
  for (int k = 0; k < 100000; k++) {
    double W[9], q[3], z[3], slip = perp_random_below(&random, 2) ? 0 : 3.7;
    const double mu = mus[perp_random_below(&random, 9)];
    const int rank = perp_random_below(&random, 8) ? 4 : 2;
    random_W(3, rank, 1, perp_random_below(&random, 4) == 0, &random, W);
    for (int i = 0; i < 3; i++)
      q[i] = perp_random_normal(&random) * sqrt(W[4 * i]);
    q[0] = perp_random_below(&random, 5) ? -fabs(q[0]) : q[0];
    if (perp_random_below(&random, 10) == 0)
      q[0] *= perp_random_below(&random, 2) ? 1e-8 : 0;
    if (perp_random_below(&random, 10) == 0)
      q[1] = q[2] = 0;
    const perp_cone_matrix cone = perp_cone_make(W);
    const double omega = perp_random_below(&random, 3) ? 1 : 0.25;
    CHECK(perp_cone_solve(&cone, omega, q, mu, &slip, z));
    for (int e = 0; e < 9; e++)
      W[e] /= omega;
    /* mu |y_t| enters the residual, so rounding counts mu times */
    const double size = local_size(3, W, q, z) * fmax(1, mu);
    CHECK_SAY(cone_residual(W, q, mu, z) <= 2e-11 * size, "case %d: mu = %g, residual %g", k, mu,
              cone_residual(W, q, mu, z) / size);
    seen[z[0] == 0 ? 0 : hypot(z[1], z[2]) < 0.999999 * mu * z[0] ? 1 : 2]++;
  }
  for (int k = 0; k < 3; k++)
    CHECK_SAY(seen[k] > 5000, "state %d was seen %d times", k, seen[k]);
}

/* No solution is promised here, but finite numbers in the cone are. */
static void one_cone_of_any_matrix_is_finite(void)
{
  perp_random random = perp_random_from(5);
  for (int k = 0; k < 20000; k++) {
    double W[9], q[3], z[3], slip = 0;
    const double mu = pow(10, perp_random_between(&random, -3, 3));
    for (int e = 0; e < 9; e++)
      W[e] = perp_random_normal(&random) * pow(10, perp_random_between(&random, -5, 5));
    for (int i = 0; i < 3; i++) {
      W[4 * i] = fabs(W[4 * i]) + 1e-9;
      q[i] = perp_random_normal(&random);
    }
    const perp_cone_matrix cone = perp_cone_make(W);
    perp_cone_solve(&cone, 1, q, mu, &slip, z);
    CHECK(isfinite(z[0]) && isfinite(z[1]) && isfinite(z[2]));
    CHECK(z[0] >= 0 && hypot(z[1], z[2]) <= mu * z[0] * (1 + 1e-6));
  }
}

static double box_residual(int m, const double *W, const double *q, const double *lo,
                           const double *hi, bool friction, const double *z)
{
  double y[3], worst = 0;
  local_product(m, W, q, z, y);
  for (int i = 0; i < m; i++) {
    const double factor = friction && i > 0 ? fabs(z[0]) : 1;
    const double low = isinf(lo[i]) ? lo[i] : lo[i] * factor;
    const double high = isinf(hi[i]) ? hi[i] : hi[i] * factor;
    worst = fmax(worst, fabs(z[i] - fmin(fmax(z[i] - y[i], low), high)));
  }
  return worst;
}

static void one_block_of_bounded_rows_is_solved_exactly(void)
{
  perp_random random = perp_random_from(7);
  for (int k = 0; k < 60000; k++) {
    const int m = 1 + k % 3;
    const bool friction = perp_random_below(&random, 2);
    double W[9], q[3], lo[3], hi[3], z[3];
    int state = perp_random_below(&random, m == 1 ? 4 : m == 2 ? 12 : 36);
    random_W(m, 4, 1, perp_random_below(&random, 4) == 0, &random, W);
    const double mu =
        perp_random_below(&random, 5) ? pow(10, perp_random_between(&random, -2, 1)) : 0;
    for (int i = 0; i < m; i++) {
      q[i] = perp_random_normal(&random) * sqrt(W[i * m + i]);
      lo[i] = friction && i > 0 ? -mu : perp_random_below(&random, 3) ? 0 : -INFINITY;
      hi[i] = friction && i > 0 ? mu : perp_random_below(&random, 3) ? INFINITY : 0.3;
    }
    if (friction)
      lo[0] = perp_random_below(&random, 6) ? 0 : -0.2;
    CHECK_SAY(perp_local_box(m, W, q, lo, hi, friction, &state, z), "case %d, mu = %g", k, mu);
    const double size = local_size(m, W, q, z);
    CHECK_SAY(box_residual(m, W, q, lo, hi, friction, z) <= 1e-9 * size,
              "case %d: m = %d, friction %d, residual %g", k, m, friction,
              box_residual(m, W, q, lo, hi, friction, z) / size);
    double swept[3] = {0};
    if (!friction) { /* convex if W is symmetric: one solution, found by both */
      if (perp_local_sweeps(m, W, q, lo, hi, friction, NULL, 1e-14, swept))
        for (int i = 0; i < m; i++)
          CHECK_CLOSE(swept[i], z[i], 1e-6 * (fabs(z[i]) + size));
    }
  }
}

/* ---- Whole problems ---- */

static void blocks_solve_coulomb_cones(void)
{
  static const char *const problems[] = {
      "stack:form=cone,plant=yes", "stack:form=cone,plant=yes,operator=contact",
      "arch:form=cone,plant=yes",  "arch:form=cone,plant=yes,operator=contact",
      "pile:form=cone,n=40",       "pile:form=cone,n=40,operator=contact",
      "stack:form=cone,mu=0",      "stack:form=cone,mu=2,plant=yes,operator=contact",
  };
  for (size_t k = 0; k < sizeof problems / sizeof *problems; k++)
    expect_solved("bgs", "", problems[k], 1e-8, 20000);
  expect_solved("bgs", "order=symmetric", "arch:form=cone,plant=yes", 1e-8, 20000);
  expect_solved("bgs", "order=random", "arch:form=cone,plant=yes,operator=contact", 1e-8, 20000);
  expect_solved("bgs", "order=backward omega=1.2", "stack:form=cone,plant=yes", 1e-8, 20000);
  expect_solved("bjacobi", "", "stack:form=cone,plant=yes", 1e-8, 20000);
  expect_solved("bjacobi", "accelerate=yes", "pile:n=30,cfm=1,form=cone,operator=contact", 1e-8,
                150);
  expect_solved("bjacobi", "", "stack:form=cone,plant=yes,operator=contact", 1e-8, 20000);
}

static void every_sweep_method_solves_contacts_with_friction_indices(void)
{
  static const candidate all[] = {
      {"bgs", ""},
      {"bgs", "order=random"},
      {"bgs", "order=symmetric omega=1.3"},
      {"bjacobi", ""},
      {"bjacobi", "accelerate=yes"},
      {"coloured", ""},
      {"coloured", "omega=1"},
      {"nncg", ""},
      {"nncg", "order=coloured"},
      {"nncg", "order=symmetric"},
      {"psor", ""},
      {"psor", "order=random"},
      {"psor", "order=symmetric omega=1.2"},
      {"pgs", "order=random"},
      {"pgs", "order=symmetric"},
      {"spsor", ""},
  };
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    expect_solved(all[k].method, all[k].settings, "stack:form=findex,plant=yes", 1e-7, 50000);
    expect_solved(all[k].method, all[k].settings, "stack:form=findex,plant=yes,operator=contact",
                  1e-7, 50000);
    expect_solved(all[k].method, all[k].settings, "wall:size=nb8_nc48,form=findex", 1e-7, 50000);
    expect_solved(all[k].method, all[k].settings, "wall:size=nb8_nc45,form=stick,operator=contact",
                  1e-7, 50000);
  }
}

/* Contact problems collected by others, if they are next to the repository; with omega = 1 the
 * sweeps on OneObject-i100000-499 cycle. */
static void blocks_solve_the_collected_contacts(void)
{
  static const char *const names[] = {
      "1c",         "Capsules-i101-404",   "Capsules-i125-1213", "Confeti-ex03-Fc3D-SBM",
      "Example1",   "NESpheres_10_1",      "Rover1039",          "OneObject-i100000-499",
      "Rover11035", "OneObject-i1028-138", "Rover4144",          "Rover4396",
      "Rover9770",
  };
  const char *root = getenv("PERP_CORPUS");
  if (!root || !*root)
    root = PERP_TEST_DATA "/../../shared/corpus";
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    char path[512];
    perp_instance instance;
    snprintf(path, sizeof path, "%.400s/siconos/fc3d_%s", root, names[k]);
    if (perp_folder_read(path, &instance, NULL))
      test_skip("no corpus beside the repository");
    const perp_problem p = perp_instance_problem(&instance);
    double *x = calloc((size_t)p.K.n, sizeof *x);
    const perp_result r = solve_with("bgs", "", &p, NULL, x);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", names[k], r.message.text);
    free(x);
    perp_instance_destroy(&instance);
  }
}

/* ---- Block sweeps against the same matrix assembled ---- */

/* One problem as dense, CSR, BSR and contact operator: the iterates of bgs agree. */
static void block_sweeps_agree_on_all_kinds(void)
{
  static const char *const forms[] = {"cone", "findex", "stick"};
  for (int f = 0; f < 3; f++) {
    char text[64];
    snprintf(text, sizeof text, "arch:form=%s,plant=yes,operator=contact", forms[f]);
    perp_instance instance = generated(text);
    perp_operator *A[4] = {instance.A, NULL, NULL, NULL};
    CHECK(perp_operator_to_csr(A[0], 0, &A[1], NULL) == PERP_OK);
    CHECK(perp_operator_to_dense(A[0], 0, &A[2], NULL) == PERP_OK);
    const int n = perp_operator_size(A[0]);
    const double *a;
    int64_t stride;
    CHECK(perp_operator_dense_array(A[2], &a, &stride) == PERP_OK);
    /* all blocks 3 x 3 of the dense matrix, the zeros too */
    const int blocks = n / 3;
    int64_t *start = calloc((size_t)blocks + 1, sizeof *start);
    int *column = calloc((size_t)(blocks * blocks), sizeof *column);
    double *value = calloc((size_t)(n * n), sizeof *value);
    for (int I = 0; I < blocks; I++) {
      start[I + 1] = start[I] + blocks;
      for (int J = 0; J < blocks; J++) {
        column[start[I] + J] = J;
        for (int e = 0; e < 9; e++)
          value[(start[I] + J) * 9 + e] = a[(3 * I + e / 3) * stride + 3 * J + e % 3];
      }
    }
    CHECK(perp_operator_bsr(blocks, 3, start, column, value, PERP_BORROW, &A[3], NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&instance);
    for (int order = 0; order < 4; order++) {
      const char *const orders[] = {"order=forward block=3", "order=backward block=3",
                                    "order=symmetric omega=0.8 block=3", "order=random block=3"};
      double *x[4];
      for (int k = 0; k < 4; k++) {
        perp_problem same = p;
        same.A = A[k];
        perp_options o = perp_options_default();
        o.tol = 0;
        o.max_iterations = 6;
        o.check_every = 6;
        x[k] = calloc((size_t)n, sizeof **x);
        solve_with("bgs", orders[order], &same, &o, x[k]);
        for (int i = 0; i < n; i++)
          CHECK_SAY(fabs(x[k][i] - x[0][i]) <= 1e-9 * (1 + fabs(x[0][i])),
                    "%s %s on %s, row %d: %.12g against %.12g", forms[f], orders[order],
                    perp_operator_kind(A[k]), i, x[k][i], x[0][i]);
      }
      for (int k = 0; k < 4; k++)
        free(x[k]);
    }
    for (int k = 1; k < 4; k++)
      perp_operator_destroy(A[k]);
    free(start);
    free(column);
    free(value);
    perp_instance_destroy(&instance);
  }
}

/* After a block's turn its rows satisfy their law given the other rows: checked in the last block
 * of a forward sweep. */
static void the_last_block_of_a_sweep_is_solved(void)
{
  perp_instance instance = generated("pile:form=cone,n=30");
  const perp_problem p = perp_instance_problem(&instance);
  const int n = p.K.n, last = n / 3 - 1;
  perp_options o = perp_options_default();
  o.tol = 0;
  double *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y);
  for (int sweeps = 1; sweeps < 4; sweeps++) {
    o.max_iterations = 1;
    o.check_every = 1;
    solve_with("bgs", "omega=1", &p, &o, x);
    CHECK(perp_operator_apply(p.A, x, y, NULL, NULL) == PERP_OK);
    double local[3], none[9] = {0};
    for (int i = 0; i < 3; i++)
      local[i] = y[3 * last + i] + p.b[3 * last + i];
    CHECK(cone_residual(none, local, p.K.mu[last], x + 3 * last) <= 1e-10);
  }
  free(x);
  free(y);
  perp_instance_destroy(&instance);
}

/* Cones, plain rows, and friction rows on the normal of a cone, all in one set. */
static void mixed_sets_are_cut_into_blocks(void)
{
  enum { N = 12 };
  perp_random random = perp_random_from(17);
  for (int k = 0; k < 100; k++) {
    double *a = problem_dominant(N, 0.5, &random);
    perp_operator *A = problem_dense(N, a);
    const double mu[2] = {0.5, 0};
    /* rows 6: box, 7: friction of 6, 8: friction of cone 0, 9: free, 10 and 11: friction of 9 */
    const double lo[N] = {0, 0, 0, 0, 0, 0, 0, -0.3, -0.4, -INFINITY, -0.5, -0.5};
    const double hi[N] = {0, 0, 0, 0, 0, 0, INFINITY, 0.3, 0.4, INFINITY, 0.5, 0.5};
    const int findex[N] = {-1, -1, -1, -1, -1, -1, -1, 6, 0, -1, 9, 9};
    double b[N], x[N];
    for (int i = 0; i < N; i++)
      b[i] = perp_random_between(&random, -2, 1);
    const perp_problem p = {
        .A = A, .b = b, .K = {.n = N, .lo = lo, .hi = hi, .findex = findex, .mu = mu, .cones = 2}};
    CHECK(perp_problem_validate(&p, NULL) == PERP_OK);
    static const candidate all[] = {{"bgs", ""}, {"bgs", "block=4 order=random"}, {"bjacobi", ""}};
    for (int m = 0; m < 3; m++) {
      memset(x, 0, sizeof x);
      const perp_result r = solve_with(all[m].method, all[m].settings, &p, NULL, x);
      CHECK_SAY(r.outcome == PERP_SOLVED, "case %d, %s %s: %s", k, all[m].method, all[m].settings,
                r.message.text);
    }
    perp_operator_destroy(A);
    perp_free(a);
  }
}

/* Blocks of any size from the parameter, solved by enumeration or inner sweeps. */
static void given_blocks_solve_and_save_sweeps(void)
{
  perp_instance instance = generated("obstacle:n=225");
  const perp_problem p = perp_instance_problem(&instance);
  double *x = calloc((size_t)p.K.n, sizeof *x);
  int64_t rows = 0;
  static const char *const blocks[] = {"block=1", "block=2", "block=3", "block=5", "block=15"};
  for (int k = 0; k < 5; k++) {
    memset(x, 0, (size_t)p.K.n * sizeof *x);
    const perp_result r = solve_with("bgs", blocks[k], &p, NULL, x);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s: %s", blocks[k], r.message.text);
    if (k == 0)
      rows = r.counts.sweeps;
    CHECK_SAY(r.counts.sweeps <= rows, "%s: %lld sweeps against %lld", blocks[k],
              (long long)r.counts.sweeps, (long long)rows);
    CHECK(k < 4 || 3 * r.counts.sweeps <= 2 * rows);
  }
  free(x);
  perp_instance_destroy(&instance);
}

static const test_case tests[] = {
    TEST(one_cone_is_solved_exactly),
    TEST(one_cone_of_any_matrix_is_finite),
    TEST(one_block_of_bounded_rows_is_solved_exactly),
    TEST(blocks_solve_coulomb_cones),
    TEST(every_sweep_method_solves_contacts_with_friction_indices),
    TEST(blocks_solve_the_collected_contacts),
    TEST(block_sweeps_agree_on_all_kinds),
    TEST(the_last_block_of_a_sweep_is_solved),
    TEST(mixed_sets_are_cut_into_blocks),
    TEST(given_blocks_solve_and_save_sweeps),
};

TEST_MAIN(tests)
