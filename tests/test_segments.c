/* test_segments.c: ipm's path of segments on its own, against all cases of small problems in long
 * double */
#include "gauss.h"
#include "method/interior/coulomb/coulomb.h"
#include "test.h"

#include "base/random.h"
#include <perp/perp.h>

#include <float.h>

/* ---- The path as a method ---- */

static int segments_left = 5000;

static perp_error solve(perp_run *run, const perp_problem *p, const void *params, double *x)
{
  (void)params;
  perp_contact_list contacts;
  perp_coupled *system = NULL;
  perp_error error = perp_contact_list_create(run, &contacts);
  double *y = perp_run_reals(run, (size_t)p->K.n);
  if (error || !y)
    return error ? error : perp_run_no_memory(run);
  if (!perp_segments_fit(run))
    return perp_run_fail(run, PERP_ERROR_UNSUPPORTED, "no path of segments");
  perp_segments *s = perp_segments_open(run, &contacts);
  if (!s)
    return perp_run_no_memory(run);
  perp_run_gradient(run, x, y);
  if (!perp_run_next(run, x, y))
    return PERP_OK;
  error = perp_coupled_open(run, &contacts, &system);
  if (!error && !perp_run_expired(run))
    perp_segments_follow(s, system, segments_left, x, y);
  perp_coupled_close(system);
  return error;
}

static const perp_method segments = {.name = "segments",
                                     .title = "the path of segments",
                                     .family = "interior",
                                     .takes = PERP_TAKES(PERP_FORM_FINDEX),
                                     .needs = PERP_CAN_APPLY,
                                     .max_iterations = 100000,
                                     PERP_SOLVES_WITHOUT_PARAMETERS};

/* ---- Scenes ---- */

enum { BODIES = 4, SIZE = 6, VELOCITIES = BODIES * SIZE, ROWS = 24 };

typedef struct scene {
  int rows, tangents, size; /* tangents of a contact, velocities of a body */
  double J[ROWS][VELOCITIES], M[VELOCITIES], C[ROWS], b[ROWS], lo[ROWS], hi[ROWS];
  int findex[ROWS];
} scene;

/* The first body is fixed. b = J u: y = 0 can be reached, and the problem has a solution. */
static void make_scene(scene *s, int contacts, int tangents, double mu, perp_random *random)
{
  const int size = tangents == 1 ? 3 : 6;
  *s = (scene){.rows = contacts * (1 + tangents), .tangents = tangents, .size = size};
  double u[VELOCITIES];
  for (int k = 0; k < BODIES * size; k++) {
    s->M[k] = k < size ? 0 : perp_random_between(random, 0.3, 3);
    u[k] = k < size ? 0 : perp_random_between(random, -1, 1);
  }
  for (int i = 0; i < s->rows; i++) {
    const int c = i / (1 + tangents), t = i % (1 + tangents), one = c % BODIES,
              other = (one + 1 + c / BODIES) % BODIES;
    for (int k = 0; k < size; k++) {
      s->J[i][size * one + k] = perp_random_between(random, -1, 1);
      s->J[i][size * other + k] = perp_random_between(random, -1, 1);
    }
    for (int k = 0; k < BODIES * size; k++)
      s->b[i] += s->J[i][k] * u[k];
    s->findex[i] = t ? i - t : -1;
    s->lo[i] = t ? -mu : 0;
    s->hi[i] = t ? mu : INFINITY;
  }
}

static perp_operator *contact_operator(const scene *s)
{
  int64_t start[ROWS + 1], count = 0;
  int column[ROWS * VELOCITIES];
  double value[ROWS * VELOCITIES], Minv[BODIES * SIZE * SIZE] = {0};
  for (int i = 0; i < s->rows; i++) {
    start[i] = count;
    for (int k = 0; k < BODIES * s->size; k++)
      if (s->J[i][k] != 0) {
        column[count] = k;
        value[count++] = s->J[i][k];
      }
  }
  start[s->rows] = count;
  for (int k = 0; k < BODIES * s->size; k++)
    Minv[(k / s->size) * s->size * s->size + (k % s->size) * (s->size + 1)] = s->M[k];
  int block_start[BODIES + 1];
  for (int k = 0; k <= BODIES; k++)
    block_start[k] = k * s->size;
  const perp_contact_data data = {.size = sizeof(perp_contact_data),
                                  .rows = s->rows,
                                  .velocities = BODIES * s->size,
                                  .J_start = start,
                                  .J_column = column,
                                  .J_value = value,
                                  .blocks = BODIES,
                                  .block_start = block_start,
                                  .Minv = Minv,
                                  .C_diagonal = s->C};
  perp_operator *A = NULL;
  perp_message why;
  CHECK_SAY(perp_operator_contact(&data, PERP_COPY, &A, &why) == PERP_OK, "%s", why.text);
  return A;
}

static long double entry(const scene *s, int i, int j)
{
  long double sum = i == j ? s->C[i] : 0;
  for (int k = 0; k < BODIES * s->size; k++)
    sum += (long double)s->J[i][k] * s->M[k] * s->J[j][k];
  return sum;
}

/* max |x_i - clamp(x_i - y_i)| / max |b_i| */
static double residual_of(const scene *s, const double *x)
{
  double most = 0, scale = 0;
  for (int i = 0; i < s->rows; i++) {
    long double y = s->b[i];
    for (int j = 0; j < s->rows; j++)
      y += entry(s, i, j) * x[j];
    const double r = s->findex[i] >= 0 ? fabs(x[s->findex[i]]) : 1;
    const double low = s->lo[i] * r, high = s->findex[i] >= 0 ? s->hi[i] * r : s->hi[i];
    most = fmax(most, fabs(x[i] - fmin(fmax(x[i] - (double)y, low), high)));
    scale = fmax(scale, fabs(s->b[i]));
  }
  return most / (scale > 0 ? scale : 1);
}

/* Follows the path from x. Returns true if it is solved, which the residual must confirm. */
static bool solves(const scene *s, double *x)
{
  perp_operator *A = contact_operator(s);
  const perp_problem p = perp_problem_friction(A, s->b, s->lo, s->hi, s->findex);
  perp_solver *solver = NULL;
  CHECK(perp_solver_create_with(&segments, &solver, NULL) == PERP_OK);
  perp_result r = perp_result_empty();
  CHECK_SAY(perp_solver_solve(solver, &p, NULL, x, &r) == PERP_OK, "%s", r.message.text);
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
  if (r.outcome == PERP_SOLVED)
    CHECK_SAY(residual_of(s, x) < 1.1e-8, "residual %g", residual_of(s, x));
  return r.outcome == PERP_SOLVED;
}

/* ---- All cases of a problem ---- */

/* Solves the case with state[i]: -1 and 1 at a bound, 0 inside; tangents of a closed normal are 0.
 * Returns true if x is a solution. */
static bool try_case(const scene *s, const int *state, double *x)
{
  long double K[ROWS * (ROWS + 1)], solution[ROWS];
  int column[ROWS];
  const int n = s->rows, stride = n + 1;
  for (int i = 0; i < n; i++) {
    const int j = s->findex[i];
    for (int k = 0; k < n; k++)
      K[i * stride + k] = state[i] == 0 ? entry(s, i, k) : i == k;
    K[i * stride + n] = state[i] == 0 ? -(long double)s->b[i] : 0;
    if (state[i] != 0 && j >= 0)
      K[i * stride + j] -= state[i] > 0 ? s->hi[i] : s->lo[i];
  }
  if (!gauss_solve(n, stride, K, 1e-12L, column, solution))
    return false;
  for (int i = 0; i < n; i++)
    x[i] = (double)solution[i];
  return residual_of(s, x) < 1e-10;
}

/* Returns the least distance of x to a solution, over all cases. */
static double distance_to_solutions(const scene *s, const double *x)
{
  const int n = s->rows;
  int state[ROWS];
  double nearest = INFINITY, found[ROWS];
  for (int i = 0; i < n; i++)
    state[i] = -1;
  for (bool more = true; more;) {
    bool twice = false; /* a closed contact counts once */
    for (int i = 0; i < n; i++)
      twice = twice || (s->findex[i] >= 0 && state[s->findex[i]] != 0 && state[i] != -1);
    if (!twice && try_case(s, state, found)) {
      double far = 0;
      for (int i = 0; i < n; i++)
        far = fmax(far, fabs(found[i] - x[i]));
      nearest = fmin(nearest, far);
    }
    more = false;
    for (int i = 0; i < n && !more; i++) {
      const int last = s->findex[i] >= 0 ? 1 : 0;
      more = state[i] < last;
      state[i] = more ? state[i] + 1 : -1;
    }
  }
  return nearest;
}

static void random_start(const scene *s, double *x, perp_random *random)
{
  for (int i = 0; i < s->rows; i++)
    x[i] = perp_random_between(random, s->findex[i] >= 0 ? -0.5 : 0, 0.5);
}

static void the_end_is_one_of_all_solutions(void)
{
  perp_random random = perp_random_from(44);
  int solved = 0, tried = 0;
  for (int k = 0; k < 300; k += test_share("small problems", 10)) {
    scene s;
    const int tangents = 1 + k % 2;
    make_scene(&s, tangents == 1 ? 4 : 3, tangents, k % 3 ? 0.4 : 1.2, &random);
    double x[ROWS];
    random_start(&s, x, &random);
    tried++;
    if (!solves(&s, x))
      continue;
    solved++;
    const double off = distance_to_solutions(&s, x);
    CHECK_SAY(off < 1e-5, "problem %d: %g from all solutions", k, off);
  }
  CHECK_SAY(20 * solved >= 19 * tried, "%d of %d solved", solved, tried);
}

/* ---- Degenerate contacts ---- */

/* Doubles a contact, with its rows. */
static void double_contact(scene *s, int c)
{
  const int size = 1 + s->tangents;
  for (int t = 0; t < size; t++) {
    const int from = c * size + t, to = s->rows + t;
    memcpy(s->J[to], s->J[from], sizeof s->J[to]);
    s->b[to] = s->b[from];
    s->lo[to] = s->lo[from];
    s->hi[to] = s->hi[from];
    s->findex[to] = t ? s->rows : -1;
  }
  s->rows += size;
}

typedef enum defect { DOUBLED, MASSES, SMOOTH, VANISHED, COMPLIANT, FIXED, DEFECTS } defect;

static void spoil(scene *s, defect what, perp_random *random)
{
  const int size = 1 + s->tangents;
  if (what == DOUBLED) {
    double_contact(s, 0);
    double_contact(s, 1);
  }
  for (int k = s->size; what == MASSES && k < 2 * s->size; k++)
    s->M[k] *= 1e-9;
  for (int i = 0; i < s->rows; i++) {
    const bool here = i / size % 2 == 0;
    if (what == SMOOTH && here && s->findex[i] >= 0)
      s->lo[i] = s->hi[i] = 0;
    if (what == VANISHED && here) {
      memset(s->J[i], 0, sizeof s->J[i]);
      s->b[i] = s->findex[i] < 0 ? perp_random_between(random, 0, 1) : 0;
    }
    if (what == COMPLIANT)
      s->C[i] = here ? 0.1 : 1e-6;
    if (what == FIXED && !here && s->findex[i] >= 0)
      s->lo[i] = s->hi[i] = 0.3;
  }
}

static void degenerate_contacts_are_solved(void)
{
  static const char *const names[] = {"doubled",  "mass ratio 1e9", "no friction",
                                      "vanished", "compliant",      "fixed share"};
  perp_random random = perp_random_from(45);
  for (int what = 0; what < DEFECTS; what++) {
    int solved = 0, tried = 0;
    for (int k = 0; k < 60; k += test_share("degenerate contacts", 6)) {
      scene s;
      make_scene(&s, 5, 1 + k % 2, 0.5, &random);
      spoil(&s, (defect)what, &random);
      double x[ROWS];
      random_start(&s, x, &random);
      tried++;
      solved += solves(&s, x);
    }
    printf("  %s: %d of %d\n", names[what], solved, tried);
    CHECK_SAY(10 * solved >= 9 * tried, "%s: %d of %d solved", names[what], solved, tried);
  }
}

/* ---- What has no path ---- */

static void other_bounds_are_refused(void)
{
  perp_random random = perp_random_from(46);
  scene s;
  for (int k = 0; k < 3; k++) {
    make_scene(&s, 3, 1, 0.5, &random);
    if (k == 0)
      s.hi[1] = INFINITY;
    else if (k == 1)
      s.hi[0] = 2;
    else
      s.lo[0] = -1;
    perp_operator *A = contact_operator(&s);
    const perp_problem p = perp_problem_friction(A, s.b, s.lo, s.hi, s.findex);
    perp_solver *solver = NULL;
    CHECK(perp_solver_create_with(&segments, &solver, NULL) == PERP_OK);
    double x[ROWS] = {0};
    perp_result r = perp_result_empty();
    CHECK(perp_solver_solve(solver, &p, NULL, x, &r) == PERP_ERROR_UNSUPPORTED);
    perp_solver_destroy(solver);
    perp_operator_destroy(A);
  }
}

static const test_case tests[] = {
    TEST(the_end_is_one_of_all_solutions),
    TEST(degenerate_contacts_are_solved),
    TEST(other_bounds_are_refused),
};

TEST_MAIN(tests)
