/* test_ipm_friction.c: ipm and pgssm with a friction index against planted solutions and an
 * independent residual */
#include "problems.h"

#include <float.h>

/* max |x_i - clamp(x_i - y_i)| over max |b_i|, with the bounds of friction rows from the x_j that
 * they follow. */
static double natural_residual(int n, const double *x, const double *y, const double *b,
                               const double *lo, const double *hi, const int *findex)
{
  double most = 0, scale = 0;
  for (int i = 0; i < n; i++) {
    const double r = findex[i] >= 0 ? fabs(x[findex[i]]) : 1;
    const double low = lo[i] > -1e300 ? lo[i] * r : -INFINITY;
    const double high = hi[i] < 1e300 ? hi[i] * r : INFINITY;
    const double to = fmin(fmax(x[i] - y[i], low), high);
    most = fmax(most, fabs(x[i] - to));
    scale = fmax(scale, fabs(b[i]));
  }
  return most / (scale > 0 ? scale : 1);
}

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

/* ---- Planted solutions, the matrix dense, by rows, and as contacts ---- */

static void find_planted(const char *method)
{
  enum { MOST = 60 };
  const uint64_t step = (uint64_t)test_share("planted solutions", 5);
  for (uint64_t seed = 1; seed <= 300; seed += step) {
    const int n = 3 * (1 + (int)(seed % (seed % 10 ? 7 : MOST / 3)));
    for (int kind = 0; kind < 3; kind++) {
      perp_instance p = problem_random(n, PERP_FORM_FINDEX, 1, seed);
      if (kind == 1) {
        perp_operator *sparse = NULL;
        CHECK(perp_operator_to_csr(p.A, 0, &sparse, NULL) == PERP_OK);
        perp_operator_destroy(p.A);
        p.A = sparse;
      } else if (kind == 2) {
        problem_to_contact(&p, 0.5);
      }
      double x[MOST + 1] = {0};
      const perp_result r = solve(method, &p, x);
      CHECK_SAY(r.outcome == PERP_SOLVED, "%s, seed %d, kind %d: %s", method, (int)seed, kind,
                r.message.text);
      double off = 0;
      for (int i = 0; i < n; i++)
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

/* ---- Redundant contacts between a few bodies ---- */

enum { BODIES = 4, SIZE = 3, VELOCITIES = BODIES * SIZE, CONTACTS = 12, ROWS = 3 * CONTACTS };

typedef struct {
  double J[ROWS][VELOCITIES], M[VELOCITIES]; /* Minv diagonal, the first body fixed */
  double b[ROWS], lo[ROWS], hi[ROWS];
  int findex[ROWS];
} scene;

/* b = J u for some u: at rest y = 0 can be reached, so there is a solution. */
static void make_scene(scene *s, double mu, perp_random *random)
{
  *s = (scene){0};
  double u[VELOCITIES];
  for (int k = 0; k < VELOCITIES; k++) {
    s->M[k] = k < SIZE ? 0 : perp_random_between(random, 0.3, 3);
    u[k] = k < SIZE ? 0 : perp_random_between(random, -1, 1);
  }
  for (int i = 0; i < ROWS; i++) {
    const int c = i / 3, a = c % BODIES, other = (a + 1 + c / BODIES % (BODIES - 1)) % BODIES;
    for (int k = 0; k < SIZE; k++) {
      s->J[i][SIZE * a + k] = perp_random_between(random, -1, 1);
      s->J[i][SIZE * other + k] = perp_random_between(random, -1, 1);
    }
    for (int k = 0; k < VELOCITIES; k++)
      s->b[i] += s->J[i][k] * u[k];
    s->findex[i] = i % 3 ? 3 * c : -1;
    s->lo[i] = i % 3 ? -mu : 0;
    s->hi[i] = i % 3 ? mu : INFINITY;
  }
}

static perp_operator *contact_operator(const scene *s)
{
  int64_t start[ROWS + 1];
  int column[ROWS * VELOCITIES];
  double value[ROWS * VELOCITIES], Minv[BODIES * SIZE * SIZE] = {0};
  int64_t count = 0;
  for (int i = 0; i < ROWS; i++) {
    start[i] = count;
    for (int k = 0; k < VELOCITIES; k++)
      if (s->J[i][k] != 0) {
        column[count] = k;
        value[count++] = s->J[i][k];
      }
  }
  start[ROWS] = count;
  for (int k = 0; k < VELOCITIES; k++)
    Minv[(k / SIZE) * SIZE * SIZE + (k % SIZE) * (SIZE + 1)] = s->M[k];
  const perp_contact_data data = {.size = sizeof(perp_contact_data),
                                  .rows = ROWS,
                                  .velocities = VELOCITIES,
                                  .J_start = start,
                                  .J_column = column,
                                  .J_value = value,
                                  .blocks = BODIES,
                                  .Minv = Minv};
  perp_operator *A = NULL;
  CHECK(perp_operator_contact(&data, PERP_COPY, &A, NULL) == PERP_OK);
  return A;
}

static double residual_of(const scene *s, const double *x)
{
  double v[VELOCITIES] = {0}, y[ROWS];
  for (int k = 0; k < VELOCITIES; k++)
    for (int i = 0; i < ROWS; i++)
      v[k] += s->M[k] * s->J[i][k] * x[i];
  for (int i = 0; i < ROWS; i++) {
    y[i] = s->b[i];
    for (int k = 0; k < VELOCITIES; k++)
      y[i] += s->J[i][k] * v[k];
  }
  return natural_residual(ROWS, x, y, s->b, s->lo, s->hi, s->findex);
}

static void solve_redundant(const char *method)
{
  int unsolved = 0;
  const uint64_t step = (uint64_t)test_share("redundant contacts", 5);
  for (uint64_t seed = 1; seed <= 200; seed += step) {
    perp_random random = perp_random_from(seed);
    scene s;
    make_scene(&s, seed % 4 == 0 ? 0.1 : 0.3, &random);
    perp_instance p = {
        .A = contact_operator(&s), .b = s.b, .lo = s.lo, .hi = s.hi, .findex = s.findex};
    double x[ROWS] = {0};
    const perp_result r = solve(method, &p, x);
    unsolved += r.outcome != PERP_SOLVED;
    CHECK_SAY((r.outcome == PERP_SOLVED) == (residual_of(&s, x) <= 1.001e-8),
              "%s, seed %d: %s at %g", method, (int)seed, perp_outcome_name(r.outcome),
              residual_of(&s, x));
    perp_operator_destroy(p.A);
  }
  CHECK_EQUAL_INT(unsolved, 0);
}

static void redundant_contacts_are_solved(void)
{
  for (int m = 0; m < METHODS; m++)
    solve_redundant(methods[m]);
}

/* ---- Walls and piles, which sweeps and Newton's method do not solve ---- */

static void solve_scene(const char *method, const char *spec)
{
  perp_instance p;
  CHECK(perp_generate(spec, &p, NULL) == PERP_OK);
  const int n = perp_operator_size(p.A);
  double *x = perp_alloc_zero((size_t)n, sizeof *x);
  const perp_result r = solve(method, &p, x);
  const perp_problem problem = perp_instance_problem(&p);
  double residual, scale;
  CHECK(perp_problem_judge(&problem, x, &residual, &scale, NULL) == PERP_OK);
  CHECK_SAY(r.outcome == PERP_SOLVED && residual <= 1e-8 * scale, "%s, %s: %s", method, spec,
            r.message.text);
  perp_free(x);
  perp_instance_destroy(&p);
}

static void walls_are_solved(void)
{
  static const char *const specs[] = {
      "wall:rows=4,columns=4,form=findex,operator=contact",
      "wall:rows=6,columns=6,form=findex,operator=contact",
      "wall:rows=10,columns=10,mu=0.2,form=findex,operator=contact",
      "wall:rows=4,columns=4,form=findex",
      "wall:rows=6,columns=6,form=findex,operator=contact,cfm=1e-4",
      "pile:n=40,form=findex,operator=contact",
      "pile:n=100,layout=random,form=findex,operator=contact",
      "arch:n=21,form=findex,operator=contact",
  };
  const size_t step = (size_t)test_share("scenes", 2);
  for (int m = 0; m < METHODS; m++)
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k += step)
      solve_scene(methods[m], specs[k]);
}

/* Below some tau every path has folds. */
static void folds_are_followed(void)
{
  solve_scene("ipm", "wall:rows=6,columns=6,mu=1,form=findex,operator=contact,seed=5");
  solve_scene("ipm", "wall:rows=8,columns=8,mu=0.8,form=findex,operator=contact,seed=22");
  solve_scene("ipm", "wall:rows=8,columns=8,mu=0.8,form=cone,operator=contact,seed=21");
}

/* ---- Bounds of every kind ---- */

/* One contact and one row with separate bounds, A = I: the result is known by hand. */
static perp_outcome solve_small(const char *method, const double b[4], const double lo[4],
                                const double hi[4], double x[4])
{
  double a[16] = {0};
  for (int i = 0; i < 4; i++)
    a[5 * i] = 1;
  int findex[4] = {-1, 0, 0, -1};
  perp_instance p = {.A = problem_dense(4, a),
                     .b = (double *)b,
                     .lo = (double *)lo,
                     .hi = (double *)hi,
                     .findex = findex};
  const perp_result r = solve(method, &p, x);
  perp_operator_destroy(p.A);
  return r.outcome;
}

static void bounds_of_every_kind(void)
{
  const double b[4] = {-2, -3, 3, -3};
  const struct {
    double lo[4], hi[4], x[4];
  } all[] = {
      {{0, -0.5, -0.5, 0}, {INFINITY, 0.5, 0.5, 1}, {2, 1, -1, 1}},
      {{0, -0.5, -INFINITY, -INFINITY}, {INFINITY, INFINITY, 0.5, INFINITY}, {2, 3, -3, 3}},
      {{0, 0, 0, 0}, {INFINITY, 0, 0.5, 1}, {2, 0, 0, 1}},          /* no friction: fixed at 0 */
      {{1, -0.5, -0.5, 1}, {1, 0.5, 0.5, 1}, {1, 0.5, -0.5, 1}},    /* a normal that is given */
      {{0, -0.5, -0.5, 0}, {0, 0.5, 0.5, 1}, {0, 0, 0, 1}},         /* and one that is 0 */
      {{0.5, -2, 0.1, 0}, {1, -1, 0.2, INFINITY}, {1, -1, 0.1, 3}}, /* 0 is outside */
  };
  for (int m = 0; m < METHODS; m++)
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
      double x[4] = {0};
      CHECK_EQUAL_INT((int)solve_small(methods[m], b, all[k].lo, all[k].hi, x), (int)PERP_SOLVED);
      for (int i = 0; i < 4; i++)
        CHECK_CLOSE(x[i], all[k].x[i], 1e-6);
    }
}

static void what_it_does_not_take_is_said(void)
{
  const double b[4] = {-2, -3, 3, -3};
  const struct {
    double lo[4], hi[4];
    const char *word;
  } all[] = {
      {{-1, -0.5, -0.5, 0}, {INFINITY, 0.5, 0.5, 1}, "normal rows with lo >= 0"},
      {{0, 0.5, -0.5, 0}, {INFINITY, 0.5, 0.5, 1}, "bounds with lo < hi"},
  };
  const double a[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  int findex[4] = {-1, 0, 0, -1};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    perp_operator *A = problem_dense(4, a);
    const perp_problem p = perp_problem_friction(A, b, all[k].lo, all[k].hi, findex);
    double x[4] = {0};
    perp_result r = perp_result_empty();
    CHECK(perp_solve("ipm", &p, NULL, x, &r) == PERP_ERROR_UNSUPPORTED);
    CHECK_SAY(strstr(r.message.text, all[k].word), "%s", r.message.text);
    perp_operator_destroy(A);
  }
}

/* ---- A caller that interrupts ---- */

typedef struct caller {
  int asked, wants; /* from this question on */
} caller;

static bool wants_it_back(void *context)
{
  caller *c = context;
  return ++c->asked >= c->wants;
}

/* From close to the solution, so that the polish comes before the path; stops at every question. */
static void a_good_start_is_handed_back(void)
{
  const char *const all[] = {"wall:rows=3,columns=3,form=findex,operator=contact",
                             "wall:rows=3,columns=3,form=cone,operator=contact",
                             "pile:n=12,form=findex,operator=csr"};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    perp_instance instance;
    CHECK(perp_generate(all[k], &instance, NULL) == PERP_OK);
    const perp_problem p = perp_instance_problem(&instance);
    const size_t n = (size_t)p.K.n;
    double *x = calloc(n, sizeof *x), *start = calloc(n, sizeof *start);
    CHECK(solve("ipm", &instance, start).outcome == PERP_SOLVED);
    for (size_t i = 0; i < n; i++)
      start[i] *= 1 + 1e-6 * (double)(i % 3);
    caller c = {.wants = 0};
    do {
      c = (caller){.wants = c.wants + 1};
      perp_options o = perp_options_default();
      o.interrupted = wants_it_back;
      o.interrupted_context = &c;
      perp_result r = perp_result_empty();
      memcpy(x, start, n * sizeof *x);
      CHECK(perp_solve("ipm", &p, &o, x, &r) == PERP_OK);
      CHECK(r.outcome == PERP_SOLVED || (c.asked >= c.wants && r.outcome == PERP_STOPPED));
    } while (c.asked >= c.wants && c.wants < 1000);
    CHECK(c.wants > 5);
    free(x);
    free(start);
    perp_instance_destroy(&instance);
  }
}

static const test_case tests[] = {
    TEST(planted_solutions_are_found),
    TEST(redundant_contacts_are_solved),
    TEST(walls_are_solved),
    TEST(folds_are_followed),
    TEST(bounds_of_every_kind),
    TEST(what_it_does_not_take_is_said),
    TEST(a_good_start_is_handed_back),
};

TEST_MAIN(tests)
