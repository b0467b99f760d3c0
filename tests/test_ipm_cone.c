/* test_ipm_cone.c: ipm and pgssm with Coulomb cones against planted solutions and Coulomb's law itself */
#include "contact_oracles.h"
#include "generated.h"
#include "linalg/vector.h"
#include "method/interior/coulomb/coulomb.h"
#include "problems.h"
#include <perp/simulate.h>

#include <string.h>

enum { MOST = 90 };

/* Each of the following tests runs with each of these methods. */
static const char *const methods[] = {"ipm", "pgssm"};
enum { METHODS = (int)(sizeof methods / sizeof *methods) };

static perp_result solve(const char *method, const perp_instance *instance, double *x)
{
  const perp_problem p = perp_instance_problem(instance);
  perp_result r = perp_result_empty();
  CHECK_SAY(perp_solve(method, &p, NULL, x, &r) == PERP_OK, "%s: %s", method, r.message.text);
  return r;
}

/* Checks Coulomb's law up to 1e-7, with an independent product for y: the force is in its cone, no
 * penetration, no force if the contact opens, and maximal dissipation, mu x_n |y_t| + x_t y_t = 0:
 * friction is opposite to the slip and as large as allowed. */
static bool obeys(const perp_instance *p, const double *x)
{
  double *a = dense_of(p->A), *y = velocity_of(p, a, x), worst = 0;
  for (int c = 0; c < p->cones; c++) {
    const double *u = x + 3 * c, *v = y + 3 * c;
    const double force = sqrt(u[1] * u[1] + u[2] * u[2]), slip = sqrt(v[1] * v[1] + v[2] * v[2]);
    const double bound = p->mu[c] * u[0], loss = bound * slip + u[1] * v[1] + u[2] * v[2];
    worst = fmax(worst, fmax(force - bound, fabs(fmin(u[0], v[0]))));
    worst = fmax(worst, fabs(loss) / (1 + fmax(bound, force) + slip));
  }
  free(a);
  free(y);
  return worst <= 1e-7 * scale_of(p);
}

/* ---- Planted solutions, the matrix dense, by rows, and as contacts ---- */

/* x and y of one contact: open, sticking, sliding, or touching without force */
static void plant_contact(perp_random *random, double mu, double *x, double *y)
{
  const int state = perp_random_below(random, 4);
  const double size = perp_random_between(random, 0.1, 1);
  const double angle = perp_random_between(random, 0, 6.28), u[2] = {cos(angle), sin(angle)};
  for (int k = 0; k < 3; k++)
    x[k] = y[k] = 0;
  if (state == 0) {
    y[0] = size;
    y[1] = 0.3 * u[0];
    y[2] = 0.3 * u[1];
  } else if (state < 3) {
    x[0] = size;
    for (int k = 0; k < 2; k++) {
      x[1 + k] = (state == 1 ? 0.7 : 1) * mu * size * u[k];
      y[1 + k] = state == 1 ? 0 : -perp_random_between(random, 0.1, 1) * u[k];
    }
    if (state == 2) { /* opposite to the force, to the last bit */
      const double slip = sqrt(y[1] * y[1] + y[2] * y[2]);
      y[1] = -slip * u[0];
      y[2] = -slip * u[1];
    }
  }
}

static perp_instance planted(int cones, double mu, uint64_t seed)
{
  const int n = 3 * cones;
  perp_random random = perp_random_from(seed);
  double *a = problem_dominant(n, 1, &random), x[MOST], y[MOST];
  perp_instance p = {.cones = cones, .mu = perp_alloc((size_t)cones, sizeof(double))};
  for (int c = 0; c < cones; c++) {
    p.mu[c] = mu;
    plant_contact(&random, mu, x + 3 * c, y + 3 * c);
  }
  problem_plant(&p, n, a, x, y);
  p.A = problem_dense(n, a);
  perp_free(a);
  return p;
}

static void find_planted(const char *method)
{
  const uint64_t step = (uint64_t)test_share("planted solutions", 5);
  for (uint64_t seed = 1; seed <= 200; seed += step) {
    const int cones = 1 + (int)(seed % (seed % 10 ? 6 : MOST / 3));
    for (int kind = 0; kind < 3; kind++) {
      perp_instance p = planted(cones, seed % 3 ? 0.4 : 0.1, seed);
      if (kind == 1) {
        perp_operator *sparse = NULL;
        CHECK(perp_operator_to_csr(p.A, 0, &sparse, NULL) == PERP_OK);
        perp_operator_destroy(p.A);
        p.A = sparse;
      } else if (kind == 2) {
        problem_to_contact(&p, 0.5);
      }
      double x[MOST] = {0}, off = 0;
      const perp_result r = solve(method, &p, x);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s, seed %d, kind %d: %s", method, (int)seed, kind,
                r.message.text);
      for (int i = 0; i < 3 * cones; i++)
        off = fmax(off, fabs(x[i] - p.x[i]));
      CHECK_SAY(off < 1e-6, "%s, seed %d, kind %d: off by %g", method, (int)seed, kind, off);
      perp_instance_destroy(&p);
    }
  }
}

static void planted_solutions_are_found(void)
{
  for (int m = 0; m < METHODS; m++)
    find_planted(methods[m]);
}

/* ---- Matrices of low rank ---- */

static double normal(perp_random *random)
{
  double sum = 0;
  for (int k = 0; k < 12; k++)
    sum += perp_random_between(random, -0.5, 0.5);
  return sum;
}

/* A = G G^T + reg I, where G has a third as many columns as rows; b is such that y = 0 is nearly
 * attainable. */
static perp_instance low_rank(int cones, double reg, double mu, perp_random *random)
{
  const int n = 3 * cones, rank = n / 3 > 3 ? n / 3 : 3;
  double *G = perp_alloc((size_t)(n * rank), sizeof *G);
  double *a = perp_alloc((size_t)(n * n), sizeof *a), x[MOST];
  perp_instance p = {.cones = cones,
                     .mu = perp_alloc((size_t)cones, sizeof(double)),
                     .b = perp_alloc_zero((size_t)n, sizeof(double))};
  for (int k = 0; k < n * rank; k++)
    G[k] = normal(random);
  for (int i = 0; i < n; i++) {
    x[i] = 0.5 * normal(random);
    for (int j = 0; j < n; j++) {
      a[i * n + j] = i == j ? reg : 0;
      for (int k = 0; k < rank; k++)
        a[i * n + j] += G[i * rank + k] * G[j * rank + k] / rank;
    }
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      p.b[i] += a[i * n + j] * x[j];
    if (i % 3 == 0)
      p.b[i] -= perp_random_between(random, 0, 0.5);
  }
  for (int c = 0; c < cones; c++)
    p.mu[c] = mu;
  p.A = problem_dense(n, a);
  perp_free(G);
  perp_free(a);
  return p;
}

static void low_rank_is_solved(void)
{
  enum { COUNT = 160 };
  int unsolved = 0;
  const uint64_t step = (uint64_t)test_share("matrices of low rank", 5);
  for (uint64_t seed = 1; seed <= COUNT; seed += step) {
    perp_random random = perp_random_from(9000 + seed);
    const int cones = 2 + perp_random_below(&random, 29);
    const double reg = pow(10, perp_random_between(&random, -8, -4));
    const double mu = perp_random_between(&random, 0.2, 1);
    perp_instance p = low_rank(cones, reg, mu, &random);
    double x[MOST] = {0};
    const perp_result r = solve("ipm", &p, x);
    /* with x of 1e7 and more, rounding may exceed the tolerance: that is the end */
    if (r.outcome == PERP_PRECISION)
      CHECK_SAY(r.residual <= 4 * r.floor, "seed %d: %g, floor %g", (int)seed, r.residual, r.floor);
    else
      unsolved += r.outcome != PERP_SOLVED;
    if (r.outcome == PERP_SOLVED)
      CHECK_SAY(obeys(&p, x), "seed %d: solved, but the law does not hold", (int)seed);
    perp_instance_destroy(&p);
  }
  CHECK_SAY(unsolved <= COUNT / 80, "%d of %d are not solved", unsolved, COUNT);
}

/* ---- Stacks, walls and piles, which sweeps do not solve ---- */

static void scenes_are_solved(void)
{
  enum { HEAVY = 3 }; /* the first ones only for ipm: sweeps fail there */
  static const char *const specs[] = {
      "stack:n=20,ratio=1e4,form=cone,operator=contact",
      "stack:n=20,ratio=1e6,form=cone,operator=contact",
      "stack:n=20,ratio=1e6,form=cone,operator=csr",
      "wall:rows=6,columns=6,speed=0,form=cone,operator=contact",
      "wall:rows=6,columns=6,form=cone,operator=csr",
      "wall:rows=4,columns=4,form=cone,operator=contact,cfm=1e-3",
      "pile:n=60,form=cone,operator=contact",
      "pile:n=80,layout=random,form=cone,operator=contact,plant=yes,seed=31",
      "arch:n=21,form=cone,operator=contact",
  };
  const int count = (int)(sizeof specs / sizeof *specs), step = test_share("scenes", 2);
  for (int k = 0; k < METHODS * count; k += step) {
    const char *spec = specs[k % count], *method = methods[k / count];
    if (k >= count && k < count + HEAVY)
      continue;
    perp_instance p;
    CHECK(perp_generate(spec, &p, NULL) == PERP_OK);
    const int n = perp_operator_size(p.A);
    double *x = perp_alloc_zero((size_t)n, sizeof *x);
    const perp_result r = solve(method, &p, x);
    CHECK_SAY(r.outcome == PERP_SOLVED, "%s, %s: %s", method, spec, r.message.text);
    CHECK_SAY(obeys(&p, x), "%s, %s: the law does not hold", method, spec);
    perp_free(x);
    perp_instance_destroy(&p);
  }
}

/* Arches whose faces are warped by some tolerances: the rows of four corners have rank 6 in 12, and
 * no motion of the stones makes the velocities of all four 0, so that a corner that carries a force
 * must open. */
static void warped_faces_are_solved(void)
{
  enum { COUNT = 24, CORNERS = 4, FACTORS = 250 };
  static const double signs[CORNERS] = {1, -1, 1, -1};
  const int step = test_share("warped faces", 4);
  for (int seed = 1; seed <= COUNT; seed += step) {
    perp_random random = perp_random_from(7000 + (uint64_t)seed);
    const double warp = pow(10, perp_random_between(&random, -7.5, -6));
    perp_instance p = generated_as("arch:n=%d,form=cone,operator=contact,mu=0.7,slop=0,jitter=1e-5,"
                                   "seed=%d",
                                   7 + 2 * perp_random_below(&random, 10), seed);
    double *x = perp_alloc_zero((size_t)perp_operator_size(p.A), sizeof *x), height = 0;
    const double size = warp * scale_of(&p);
    for (int c = 0; c < p.cones; c++) {
      if (c % CORNERS == 0)
        height = perp_random_between(&random, -size, size);
      p.b[3 * c] += signs[c % CORNERS] * height;
    }
    const perp_result r = solve("ipm", &p, x);
    CHECK_SAY(r.outcome == PERP_SOLVED && r.counts.factorisations <= FACTORS,
              "seed %d, warp %g: %d factors, %s", seed, warp, (int)r.counts.factorisations,
              r.message.text);
    CHECK_SAY(obeys(&p, x), "seed %d: the law does not hold", seed);
    perp_free(x);
    perp_instance_destroy(&p);
  }
}

/* ---- A frame loop: the pattern stays, the numbers change, each frame starts from the last ---- */

static void frames_give_the_bits_of_fresh_solvers(void)
{
  enum { FRAMES = 4 };
  perp_solver *solver = NULL;
  CHECK(perp_solver_create("ipm", &solver, NULL) == PERP_OK);
  for (int k = 0; k < FRAMES; k++) {
    char spec[120];
    snprintf(spec, sizeof spec, "stack:n=8,form=cone,operator=%s,jitter=%d,seed=%d",
             k < 2 ? "contact" : "csr", k % 2, 40 + k);
    perp_instance p;
    CHECK(perp_generate(spec, &p, NULL) == PERP_OK);
    const perp_problem problem = perp_instance_problem(&p);
    const size_t n = (size_t)perp_operator_size(p.A);
    double *x = perp_alloc_zero(n, sizeof *x), *z = perp_alloc_zero(n, sizeof *z);
    perp_result r = perp_result_empty();
    CHECK(perp_solver_solve(solver, &problem, NULL, x, &r) == PERP_OK);
    CHECK_EQUAL_INT((int)r.outcome, (int)PERP_SOLVED);
    solve("ipm", &p, z);
    CHECK(memcmp(x, z, n * sizeof *x) == 0);
    /* from a good start the proximal steps are enough */
    for (size_t i = 0; i < n; i++)
      x[i] *= 1 + 1e-4;
    CHECK(perp_solver_solve(solver, &problem, NULL, x, &r) == PERP_OK);
    CHECK_SAY(r.outcome == PERP_SOLVED && r.counts.iterations <= 12, "%s: %d iterations", spec,
              (int)r.counts.iterations);
    perp_free(x);
    perp_free(z);
    perp_instance_destroy(&p);
  }
  perp_solver_destroy(solver);
}

/* ---- Cones together with rows of every kind ---- */

/* A = I: a cone, a row that follows its normal like rolling friction, a box, a cone without
 * friction. The result is known by hand. */
static void rows_of_every_kind(void)
{
  enum { N = 8 };
  const double b[N] = {-2, -3, 4, -1, 5, -3, 0.5, 3}, mu[2] = {0.5, 0};
  const double lo[N] = {0, 0, 0, 0, 0, 0, -0.25, -1}, hi[N] = {0, 0, 0, 0, 0, 0, 0.25, 2};
  const int findex[N] = {-1, -1, -1, -1, -1, -1, 0, -1};
  const double x[N] = {2, 0.6, -0.8, 1, 0, 0, -0.5, -1};
  double a[N * N] = {0}, z[N] = {0};
  for (int i = 0; i < N; i++)
    a[i * (N + 1)] = 1;
  perp_operator *A = problem_dense(N, a);
  perp_set K = perp_set_default(N);
  K.mu = mu;
  K.cones = 2;
  K.lo = lo;
  K.hi = hi;
  K.findex = findex;
  perp_problem p = perp_problem_product(A, b, &K);
  perp_result r = perp_result_empty();
  for (int m = 0; m < METHODS; m++) {
    memset(z, 0, sizeof z);
    CHECK_SAY(perp_solve(methods[m], &p, NULL, z, &r) == PERP_OK, "%s", r.message.text);
    CHECK_EQUAL_INT((int)r.outcome, (int)PERP_SOLVED);
    for (int i = 0; i < N; i++)
      CHECK_CLOSE(z[i], x[i], 1e-6);
  }

  /* ipm refuses a row that follows a tangent */
  const int odd[N] = {-1, -1, -1, -1, -1, -1, 1, -1};
  K.findex = odd;
  p = perp_problem_product(A, b, &K);
  const perp_error error = perp_solve("ipm", &p, NULL, z, &r);
  CHECK_SAY(error == PERP_ERROR_UNSUPPORTED || error == PERP_ERROR_PROBLEM, "%s", r.message.text);
  perp_operator_destroy(A);
}

/* ---- Steps near the boundary ---- */

/* A test method: checks that steps of sliding contacts whose force and slip are `slack` away from
 * their cones solve their linear system, with the whole of convex friction. */
static double tested_slack;

static perp_error check_steps(perp_run *run, const perp_problem *p, const void *unused, double *x)
{
  (void)unused;
  const int n = p->K.n;
  const double angle = 1.1, cosine = cos(angle), sine = sin(angle);
  perp_contact_list contacts;
  perp_point point;
  perp_coupled *system = NULL;
  CHECK(perp_contact_list_create(run, &contacts) == PERP_OK);
  CHECK(perp_point_create(run, &contacts, x, &point) == PERP_OK);
  double *Ad = perp_run_reals(run, (size_t)n), *Kd = perp_run_reals(run, (size_t)n);
  CHECK(Ad && Kd && perp_coupled_open(run, &contacts, &system) == PERP_OK);
  perp_point_start(&point, 1, 1);
  for (int c = 0; c < point.cones; c++) {
    const perp_point_cone *k = point.cone + c;
    double *f = point.f + k->at, *z = point.z + k->at;
    const double force = (f[0] = k->mu) - tested_slack, slip = (z[0] = 1) - tested_slack;
    x[k->row] = f[1] = force * cosine;
    x[k->row + 1] = f[2] = force * sine;
    z[1] = -slip * cosine;
    z[2] = -slip * sine;
  }
  for (int k = 0; k < point.pairs; k++)
    point.b[k] = tested_slack;
  point.omega = 1;
  for (int c = 0; c < point.cones; c++) { /* A x + b = Y */
    point.y[point.cone[c].normal] = tested_slack;
    perp_copy(2, point.z + point.cone[c].at + 1, point.y + point.cone[c].row);
  }
  perp_point_imbalance(&point);
  CHECK(perp_point_factor(&point, system) && perp_point_step(&point, system, 0, false, true));
  perp_run_apply(run, point.dx, Ad);
  perp_coupled_times(&contacts, point.K, point.dx, Kd);
  double error = 0;
  for (int i = 0; i < n; i++)
    error = fmax(error, fabs(point.r[i] - Ad[i] - Kd[i]));
  CHECK_SAY(error <= 1e-6 * perp_norm_inf(n, point.r), "slack %g: error %g of %g", tested_slack,
            error, perp_norm_inf(n, point.r));
  perp_coupled_close(system);
  perp_fill(n, 0, x);
  perp_run_claim(run, PERP_STAGNATED);
  return PERP_OK;
}

/* Solves by a method that `check` is. */
static void run_as_method(perp_error (*check)(perp_run *, const perp_problem *, const void *,
                                              double *),
                          const perp_problem *p, double *x)
{
  static const perp_parameter none[] = {{0}};
  const perp_method method = {.name = "check",
                              .title = "",
                              .family = "interior",
                              .source = "",
                              .takes = PERP_TAKES_CONTACTS,
                              .needs = PERP_CAN_APPLY,
                              .max_iterations = 1000,
                              .works = "",
                              .parameters = none,
                              .parameter_bytes = 1,
                              .solve = check};
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  CHECK(perp_solver_create_with(&method, &solver, NULL) == PERP_OK);
  CHECK_SAY(perp_solver_solve(solver, p, NULL, x, &r) == PERP_OK, "%s", r.message.text);
  perp_solver_destroy(solver);
}

static void steps_are_accurate_near_the_cones(void)
{
  perp_instance p = generated("wall:rows=4,columns=4,form=cone,mu=1,operator=contact");
  const perp_problem problem = perp_instance_problem(&p);
  double *x = perp_alloc_zero((size_t)problem.K.n, sizeof *x);
  for (tested_slack = 1e-2; tested_slack > 1e-7; tested_slack /= 10)
    run_as_method(check_steps, &problem, x);
  perp_free(x);
  perp_instance_destroy(&p);
}

/* ---- The start near an x ---- */

/* The problem of rows_of_every_kind, and free rows and one-sided ones; A = I. */
enum { KINDS = 11 };
static const double near_x[KINDS] = {2, 0.5, -0.9, 1e-9, 3, 0, -0.5, -1, 4, 0, 7};
static const double near_y[KINDS] = {1e-9, -0.3, 0.2, 2, 0, 1, 2, 0.5, 0, 0.1, 1};

/* A test method: checks that all products of the point are tau, and that x - Y is the given x - y. */
static perp_error check_start(perp_run *run, const perp_problem *p, const void *unused, double *x)
{
  (void)unused;
  double inside[KINDS] = {0};
  perp_contact_list contacts;
  perp_point point;
  CHECK(perp_contact_list_create(run, &contacts) == PERP_OK);
  CHECK(perp_point_create(run, &contacts, inside, &point) == PERP_OK);
  for (double tau = 1e-2; tau > 1e-9; tau /= 1e3) {
    perp_point_start_near(&point, near_x, near_y, tau);
    CHECK_CLOSE(perp_point_gap(&point, 0) / tau, 1, 1e-6);
    CHECK_CLOSE(perp_point_centrality(&point, 0, tau), 1, 1e-6);
    perp_fill(p->K.n, 0, point.y);
    perp_point_imbalance(&point); /* error <- Y */
    for (int i = 0; i < p->K.n; i++)
      if (point.in[i])
        CHECK_CLOSE(inside[i] - point.error[i], near_x[i] - near_y[i],
                    1e-6 * (1 + fabs(near_y[i])));
  }
  perp_fill(p->K.n, 0, x);
  perp_run_claim(run, PERP_STAGNATED);
  return PERP_OK;
}

static void a_start_near_x_is_on_the_path(void)
{
  const double b[KINDS] = {1}, mu[2] = {0.5, 0}, inf = INFINITY;
  const double lo[KINDS] = {0, 0, 0, 0, 0, 0, -0.25, -1, -inf, 2, -inf};
  const double hi[KINDS] = {0, 0, 0, 0, 0, 0, 0.25, 2, inf, inf, 5};
  const int findex[KINDS] = {-1, -1, -1, -1, -1, -1, 0, -1, -1, -1, -1};
  double a[KINDS * KINDS] = {0}, x[KINDS] = {0};
  for (int i = 0; i < KINDS; i++)
    a[i * (KINDS + 1)] = 1;
  perp_operator *A = problem_dense(KINDS, a);
  perp_set K = perp_set_default(KINDS);
  K.mu = mu;
  K.cones = 2;
  K.lo = lo;
  K.hi = hi;
  K.findex = findex;
  const perp_problem p = perp_problem_product(A, b, &K);
  run_as_method(check_start, &p, x);
  perp_operator_destroy(A);
}

/* ---- Newton's path from piece to piece ---- */

/* Returns the sign of det (I + T A), by elimination with row exchanges, in long double. */
static int sign_of_system(const perp_contact_list *g, const double *T, const double *a)
{
  enum { N = 165 };
  static long double M[N][N];
  const int n = g->n;
  CHECK(n <= N);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      M[i][j] = i == j;
  for (int c = 0; c < g->count; c++)
    for (int i = 0, size = perp_contact_rows(g, c); i < size; i++)
      for (int k = 0; k < size; k++)
        for (int j = 0; j < n; j++)
          M[g->row[g->start[c] + i]][j] +=
              (long double)T[g->block[c] + i * size + k] * a[g->row[g->start[c] + k] * n + j];
  int sign = 1;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      best = fabsl(M[i][k]) > fabsl(M[best][k]) ? i : best;
    for (int j = 0; j < n && best != k; j++) {
      const long double t = M[k][j];
      M[k][j] = M[best][j];
      M[best][j] = t;
    }
    sign *= (best != k) == (M[k][k] < 0) ? 1 : -1;
    for (int i = k + 1; i < n; i++) {
      const long double l = M[i][k] / M[k][k];
      for (int j = k; j < n; j++)
        M[i][j] -= l * M[k][j];
    }
  }
  return sign;
}

static int negative_signs, positive_signs;

/* A test method: compares the signs of determinants with random T. */
static perp_error check_signs(perp_run *run, const perp_problem *p, const void *unused, double *x)
{
  (void)unused;
  perp_contact_list contacts;
  perp_coupled *system = NULL;
  CHECK(perp_contact_list_create(run, &contacts) == PERP_OK);
  const int64_t size = contacts.block[contacts.count];
  double *T = perp_run_reals(run, (size_t)size), *a = dense_of(p->A);
  CHECK(T && perp_coupled_open(run, &contacts, &system) == PERP_OK);
  const double *own = perp_coupled_own(system);
  for (int i = 0; i < p->K.n; i++)
    a[i * (p->K.n + 1)] -= own[i];
  perp_random random = perp_random_from(11);
  for (int round = 0; round < 40; round++) {
    for (int64_t k = 0; k < size; k++)
      T[k] = perp_random_between(&random, -3, 3);
    CHECK(perp_coupled_set(system, T));
    const int sign = perp_coupled_sign(system);
    CHECK_EQUAL_INT(sign, sign_of_system(&contacts, T, a));
    negative_signs += sign < 0;
    positive_signs += sign > 0;
  }
  free(a);
  perp_coupled_close(system);
  perp_fill(p->K.n, 0, x);
  perp_run_claim(run, PERP_STAGNATED);
  return PERP_OK;
}

static void signs_of_determinants(void)
{
  static const char *const specs[] = {"wall:rows=2,columns=2,form=cone,operator=contact",
                                      "pile:n=8,form=cone,operator=contact,cfm=1e-2",
                                      "pile:n=6,form=cone,operator=csr",   /* dense LU */
                                      "pile:n=16,form=cone,operator=csr"}; /* its bodies */
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    perp_instance p = generated(specs[k]);
    const perp_problem problem = perp_instance_problem(&p);
    double x[165] = {0};
    negative_signs = positive_signs = 0;
    run_as_method(check_signs, &problem, x);
    CHECK_SAY(negative_signs > 5 && positive_signs > 5, "%s: %d negative signs", specs[k],
              negative_signs);
    perp_instance_destroy(&p);
  }
}

enum { FACTORS = 30 };

static int solved_by_pieces;

/* A test method: the path alone, from x = 0. */
static perp_error check_pieces(perp_run *run, const perp_problem *p, const void *unused, double *x)
{
  (void)unused;
  perp_contact_list contacts;
  perp_coupled *system = NULL;
  CHECK(perp_contact_list_create(run, &contacts) == PERP_OK);
  perp_pieces *s = perp_pieces_open(run, &contacts);
  double *y = perp_run_reals(run, (size_t)p->K.n);
  CHECK(s && y && perp_coupled_open(run, &contacts, &system) == PERP_OK);
  const double residual = perp_pieces_follow(s, system, FACTORS, x, y);
  CHECK_CLOSE(residual, perp_problem_residual(p, x, y), 0);
  solved_by_pieces += residual <= run->target;
  CHECK(run->count.factorisations <= FACTORS);
  perp_coupled_close(system);
  perp_run_claim(run, PERP_STAGNATED);
  return PERP_OK;
}

static void pieces_lead_to_solutions(void)
{
  enum { SEEDS = 20 };
  static const char *const kinds[] = {"contact", "contact,cfm=1", "csr"};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    solved_by_pieces = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      perp_instance p =
          generated_as("pile:n=8,layout=random,form=cone,seed=%d,operator=%s", seed, kinds[k]);
      const perp_problem problem = perp_instance_problem(&p);
      double *x = perp_alloc_zero((size_t)problem.K.n, sizeof *x);
      const int before = solved_by_pieces;
      run_as_method(check_pieces, &problem, x);
      CHECK_SAY(solved_by_pieces == before || obeys(&p, x), "%s, seed %d: the law does not hold",
                kinds[k], seed);
      perp_free(x);
      perp_instance_destroy(&p);
    }
    CHECK_SAY(solved_by_pieces == SEEDS, "%s: %d of %d", kinds[k], solved_by_pieces, SEEDS);
  }
}

/* The first steps of a house of cards that slides apart: 4,800 iterations, and 79,800 without this path. */
static void falling_cards_are_solved(void)
{
  enum { STEPS = 40, MOST_ITERATIONS = 15000 };
  int64_t iterations = 0;
  perp_simulation *house = NULL;
  perp_message why;
  CHECK(perp_simulation_create("cards:levels=4,mu=0.45,friction=cone,h=0.00416666666666666667",
                               "auto", NULL, &house, &why) == PERP_OK);
  perp_simulation_options(house)->tol = 1e-8;
  for (int k = 0; k < STEPS; k++) {
    perp_step step;
    CHECK(perp_simulation_step(house, &step, &why) == PERP_OK);
    CHECK_SAY(step.outcome == PERP_SOLVED, "step %d: %d iterations", k, (int)step.iterations);
    iterations += step.iterations;
    if (step.iterations < 60)
      continue;
    const perp_problem *p = perp_simulation_problem(house);
    const double *x = perp_simulation_solution(house);
    const int n = p->K.n;
    double *a = dense_of(p->A), scale = 0, worst = 0;
    for (int i = 0; i < n; i++)
      scale = fmax(scale, fabs(p->b[i]));
    for (int c = 0; c < p->K.cones; c++) {
      double y[3];
      for (int i = 0; i < 3; i++) {
        long double sum = p->b[3 * c + i];
        for (int j = 0; j < n; j++)
          sum += (long double)a[(3 * c + i) * n + j] * x[j];
        y[i] = (double)sum;
      }
      const double force = sqrt(x[3 * c + 1] * x[3 * c + 1] + x[3 * c + 2] * x[3 * c + 2]);
      const double slip = sqrt(y[1] * y[1] + y[2] * y[2]), bound = p->K.mu[c] * x[3 * c];
      const double loss = bound * slip + x[3 * c + 1] * y[1] + x[3 * c + 2] * y[2];
      worst = fmax(worst, fmax(force - bound, fabs(fmin(x[3 * c], y[0]))));
      worst = fmax(worst, fabs(loss) / (1 + fmax(bound, force) + slip));
    }
    free(a);
    CHECK_SAY(worst <= 1e-7 * scale, "step %d: the law is violated by %g of %g", k, worst, scale);
  }
  CHECK_SAY(iterations <= MOST_ITERATIONS, "%d iterations", (int)iterations);
  perp_simulation_destroy(house);
}

static const test_case tests[] = {
    TEST(a_start_near_x_is_on_the_path),
    TEST(steps_are_accurate_near_the_cones),
    TEST(planted_solutions_are_found),
    TEST(low_rank_is_solved),
    TEST(scenes_are_solved),
    TEST(warped_faces_are_solved),
    TEST(frames_give_the_bits_of_fresh_solvers),
    TEST(rows_of_every_kind),
    TEST(signs_of_determinants),
    TEST(pieces_lead_to_solutions),
    TEST(falling_cards_are_solved),
};

TEST_MAIN(tests)
