/* test_frame_alloc.c: islands and the drop-in for ODE over many frames
 *
 * They take nothing from the heap from the second frame on if the structure repeats, and whatever
 * came before, a frame has the bits of an object that is made for it. */
#include "count_alloc.h"
#include "test.h"

#include "base/random.h"
#include <perp/lab.h>
#include <perp/ode.h>
#include <perp/perp.h>

enum { PARTS = 5, SIZE = 6, N = PARTS * SIZE, FRAMES = 8 };

/* PARTS full blocks of SIZE rows each, row i in part i % PARTS, as a dense matrix and as a CSR one;
 * friction rows by threes. `apart`: the last part splits into single rows. */
typedef struct scene {
  double a[N * N], b[N], lo[N], hi[N];
  int findex[N];
  int64_t start[N + 1];
  int column[N * N];
  double value[N * N];
} scene;

static void scene_fill(scene *s, uint64_t seed, bool apart)
{
  perp_random random = perp_random_from(seed);
  memset(s->a, 0, sizeof s->a);
  for (int i = 0; i < N; i++) {
    const int part = i % PARTS, inner = i / PARTS;
    const bool single = apart && part == PARTS - 1;
    for (int j = part; j < i && !single; j += PARTS)
      s->a[i * N + j] = s->a[j * N + i] = perp_random_between(&random, 0.1, 1);
    s->a[i * N + i] = perp_random_between(&random, SIZE, SIZE + 1);
    s->b[i] = perp_random_between(&random, -2, 1);
    const bool friction = inner % 3 != 0 && !single;
    s->findex[i] = friction ? inner / 3 * 3 * PARTS + part : -1;
    s->lo[i] = friction ? -0.5 : 0;
    s->hi[i] = friction ? 0.5 : INFINITY;
  }
  int64_t entries = 0;
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++)
      if (s->a[i * N + j] != 0) {
        s->column[entries] = j;
        s->value[entries++] = s->a[i * N + j];
      }
    s->start[i + 1] = entries;
  }
}

/* x from objects made for this frame. */
static void solve_fresh(const char *method, const perp_problem *p, double *x)
{
  perp_islands *fresh = NULL;
  perp_result result = perp_result_empty();
  CHECK(perp_islands_create(method, &fresh, NULL) == PERP_OK);
  CHECK(perp_islands_solve(fresh, p, NULL, x, &result) == PERP_OK);
  CHECK_SAY(result.outcome == PERP_SOLVED, "%s: %s", method, result.message.text);
  perp_islands_destroy(fresh);
}

/* The first frame that allocates nothing. A cold start and a warm one are different classes for
 * `auto`, so it may meet other methods in the second frame. */
static int settled(const char *method)
{
  return strcmp(method, "auto") == 0 ? 2 : 1;
}

/* Frames of one structure, other numbers in each second frame, other b in each. */
static void check_frames(const char *method, const perp_problem *p, perp_operator *A, scene *s,
                         double *values)
{
  perp_islands *islands = NULL;
  perp_result result = perp_result_empty();
  CHECK(perp_islands_create(method, &islands, NULL) == PERP_OK);
  double x[N] = {0};
  for (int frame = 0; frame < FRAMES; frame++) {
    double expected[N];
    if (frame % 2)
      for (int k = 0; k < (values == s->a ? N * N : s->start[N]); k++)
        values[k] *= 1.01;
    CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
    s->b[frame] -= 0.25;
    memcpy(expected, x, sizeof x); /* warm */
    solve_fresh(method, p, expected);
    allocations = 0;
    CHECK(perp_islands_solve(islands, p, NULL, x, &result) == PERP_OK);
    CHECK_SAY(frame < settled(method) || allocations == 0, "%s on %s, frame %d: %lld allocations",
              method, perp_operator_kind(A), frame, (long long)allocations);
    CHECK_SAY(memcmp(x, expected, sizeof x) == 0, "%s on %s, frame %d: other bits", method,
              perp_operator_kind(A), frame);
    CHECK_EQUAL_INT(result.outcome, PERP_SOLVED);
  }
  perp_islands_destroy(islands);
}

static const char *const methods[] = {"pgs", "psor", "bgs", "dantzig", "lemke", "ssn", "auto"};
enum { METHODS = sizeof methods / sizeof *methods };

static void frames_of_islands_allocate_nothing(void)
{
  static scene s;
  for (int m = 0; m < METHODS; m++)
    for (int kind = 0; kind < 2; kind++) {
      scene_fill(&s, 7, false);
      perp_operator *A = NULL;
      CHECK((kind ? perp_operator_csr(N, s.start, s.column, s.value, PERP_BORROW, &A, NULL)
                  : perp_operator_dense(N, s.a, N, PERP_BORROW, &A, NULL)) == PERP_OK);
      const perp_problem p = perp_problem_friction(A, s.b, s.lo, s.hi, s.findex);
      check_frames(methods[m], &p, A, &s, kind ? s.value : s.a);
      perp_operator_destroy(A);
    }
}

/* Contacts between pairs of bodies: three rows each, one island per pair. */
static void frames_of_contacts_allocate_nothing(void)
{
  enum { PAIRS = 4, ROWS = 6 * PAIRS };
  for (int m = 0; m < METHODS; m++) {
    perp_random random = perp_random_from(3);
    double J[12 * ROWS], Minv[2 * PAIRS * 36] = {0}, v[12 * PAIRS], b[ROWS], lo[ROWS], hi[ROWS];
    int body[4 * PAIRS], findex[ROWS];
    for (int k = 0; k < 2 * PAIRS; k++)
      for (int i = 0; i < 6; i++)
        Minv[36 * k + 7 * i] = 1 + 0.1 * k;
    for (int c = 0; c < 2 * PAIRS; c++) { /* two contacts to a pair, one with the world */
      body[2 * c] = c;
      body[2 * c + 1] = c % 2 ? -1 : c + 1;
      for (int i = 3 * c; i < 3 * c + 3; i++) {
        findex[i] = i == 3 * c ? -1 : 3 * c;
        lo[i] = i == 3 * c ? 0 : -0.4;
        hi[i] = i == 3 * c ? INFINITY : 0.4;
        for (int k = 0; k < 12; k++)
          J[12 * i + k] = perp_random_between(&random, -1, 1);
      }
    }
    perp_contact_bodies data = perp_contact_bodies_default();
    data.rows = ROWS;
    data.bodies = 2 * PAIRS;
    data.together = 3;
    data.body = body;
    data.J = J;
    data.Minv = Minv;
    data.cfm = 0.01;
    perp_operator *A = NULL;
    CHECK(perp_operator_contact_bodies(&data, PERP_BORROW, &A, NULL) == PERP_OK);
    const perp_problem p = perp_problem_friction(A, b, lo, hi, findex);
    perp_islands *islands = NULL;
    perp_result result = perp_result_empty();
    CHECK(perp_islands_create(methods[m], &islands, NULL) == PERP_OK);
    double x[ROWS] = {0}, expected[ROWS];
    for (int frame = 0; frame < FRAMES; frame++) {
      for (int k = 0; k < 12 * PAIRS; k++)
        v[k] = perp_random_between(&random, -1, 1);
      for (int k = 0; k < 12 * ROWS; k++)
        J[k] += perp_random_between(&random, -0.01, 0.01);
      CHECK(perp_operator_refresh(A, NULL) == PERP_OK);
      CHECK(perp_contact_bias(A, v, NULL, b, NULL) == PERP_OK);
      memcpy(expected, x, sizeof x);
      solve_fresh(methods[m], &p, expected);
      allocations = 0;
      CHECK(perp_islands_solve(islands, &p, NULL, x, &result) == PERP_OK);
      CHECK(strstr(result.message.text, "4 islands"));
      CHECK_SAY(frame < settled(methods[m]) || allocations == 0, "%s, frame %d: %lld allocations",
                methods[m], frame, (long long)allocations);
      CHECK_SAY(memcmp(x, expected, sizeof x) == 0, "%s, frame %d: other bits", methods[m], frame);
    }
    perp_islands_destroy(islands);
    perp_operator_destroy(A);
  }
}

/* Other kinds, other structures and failures in between have no effect. */
static void any_frame_may_follow_any_other(void)
{
  static scene s;
  perp_random random = perp_random_from(11);
  perp_islands *islands = NULL;
  perp_result result = perp_result_empty();
  CHECK(perp_islands_create("dantzig", &islands, NULL) == PERP_OK);
  for (int frame = 0; frame < 200; frame++) {
    scene_fill(&s, 1 + (uint64_t)perp_random_below(&random, 3), perp_random_below(&random, 2));
    perp_operator *A = NULL;
    CHECK((perp_random_below(&random, 2)
               ? perp_operator_csr(N, s.start, s.column, s.value, PERP_BORROW, &A, NULL)
               : perp_operator_dense(N, s.a, N, PERP_BORROW, &A, NULL)) == PERP_OK);
    const perp_problem p = perp_problem_friction(A, s.b, s.lo, s.hi, s.findex);
    double x[N] = {0}, expected[N] = {0};
    if (frame % 3 == 0) { /* a frame that fails */
      x[3] = NAN;
      CHECK(perp_islands_solve(islands, &p, NULL, x, &result) == PERP_ERROR_ARGUMENT);
      CHECK_SAY(strstr(result.message.text, "island 3"), "%s", result.message.text);
      x[3] = 0;
    } else if (frame % 3 == 1) {
      s.lo[4] = 2;
      s.hi[4] = 1;
      CHECK(perp_islands_solve(islands, &p, NULL, x, &result) == PERP_ERROR_PROBLEM);
      s.lo[4] = 0;
      s.hi[4] = INFINITY;
    }
    solve_fresh("dantzig", &p, expected);
    CHECK(perp_islands_solve(islands, &p, NULL, x, &result) == PERP_OK);
    CHECK(memcmp(x, expected, sizeof x) == 0);
    perp_operator_destroy(A);
  }
  perp_islands_destroy(islands);
}

/* More islands than are kept, each of one row. */
static void many_single_rows(void)
{
  enum { ROWS = 5000 };
  static int64_t start[ROWS + 1];
  static int column[ROWS];
  static double value[ROWS], b[ROWS], x[ROWS];
  for (int i = 0; i < ROWS; i++) {
    start[i + 1] = i + 1;
    column[i] = i;
    value[i] = 2;
    b[i] = i % 2 ? 1 : -i;
  }
  perp_operator *A = NULL;
  perp_islands *islands = NULL;
  perp_result result = perp_result_empty();
  CHECK(perp_operator_csr(ROWS, start, column, value, PERP_BORROW, &A, NULL) == PERP_OK);
  CHECK(perp_islands_create("pgs", &islands, NULL) == PERP_OK);
  const perp_problem p = perp_problem_lcp(A, b);
  for (int frame = 0; frame < 2; frame++) {
    memset(x, 0, sizeof x);
    CHECK(perp_islands_solve(islands, &p, NULL, x, &result) == PERP_OK);
    CHECK_EQUAL_TEXT(result.message.text, "5000 islands, all solved");
    for (int i = 0; i < ROWS; i++)
      CHECK(x[i] == (i % 2 ? 0 : i / 2.0));
  }
  perp_islands_destroy(islands);
  perp_operator_destroy(A);
}

/* The parameters of perp_islands_solver apply to every island, from the next frame on. */
static void parameters_hold_for_all_islands(void)
{
  static scene s;
  scene_fill(&s, 5, false);
  perp_operator *A = NULL;
  CHECK(perp_operator_dense(N, s.a, N, PERP_BORROW, &A, NULL) == PERP_OK);
  const perp_problem p = perp_problem_friction(A, s.b, s.lo, s.hi, s.findex);
  perp_islands *islands = NULL;
  perp_result result = perp_result_empty();
  CHECK(perp_islands_create("psor", &islands, NULL) == PERP_OK);
  int64_t sweeps[3];
  for (int k = 0; k < 3; k++) {
    double x[N] = {0};
    CHECK(perp_solver_set(perp_islands_solver(islands), "omega", k == 1 ? 0.3 : 1, NULL) ==
          PERP_OK);
    CHECK(perp_islands_solve(islands, &p, NULL, x, &result) == PERP_OK);
    CHECK(result.outcome == PERP_SOLVED);
    sweeps[k] = result.counts.sweeps;
  }
  CHECK(sweeps[1] > 2 * sweeps[0] && sweeps[2] == sweeps[0]);
  CHECK(!perp_islands_solver(NULL));
  perp_islands_destroy(islands);
  perp_islands_destroy(NULL);
  perp_operator_destroy(A);
  perp_message why;
  CHECK(perp_islands_create("nonsense", &islands, &why) == PERP_ERROR_ARGUMENT && !islands);
  CHECK(strstr(why.text, "nonsense"));
  CHECK(perp_islands_create("pgs", NULL, &why) == PERP_ERROR_ARGUMENT);
}

/* ---- ODE ---- */

static void ode_allocates_nothing(void)
{
  enum { MOST = 30, STRIDE = 32 };
  static double a[MOST * STRIDE], b[MOST], lo[MOST], hi[MOST], x[MOST], w[MOST], expected[MOST];
  int findex[MOST];
  perp_random random = perp_random_from(17);
  perp_ode *ode = NULL;
  perp_result result = perp_result_empty();
  CHECK(perp_ode_create(NULL, &ode, NULL) == PERP_OK);
  for (int frame = 0; frame < 100; frame++) {
    const int n = frame ? 1 + perp_random_below(&random, MOST) : MOST;
    const int stride = perp_ode_stride(n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++)
        a[i * stride + j] = i == j ? n + 1 : perp_random_between(&random, 0, 1);
      b[i] = perp_random_between(&random, -1, 2);
      findex[i] = i % 3 ? i - i % 3 : -1;
      lo[i] = i % 3 ? -0.5 : 0;
      hi[i] = i % 3 ? 0.5 : INFINITY;
    }
    perp_ode *fresh = NULL;
    CHECK(perp_ode_create(NULL, &fresh, NULL) == PERP_OK);
    CHECK(perp_ode_solve(fresh, n, a, expected, b, NULL, 0, lo, hi, findex, NULL, &result) ==
          PERP_OK);
    perp_ode_destroy(fresh);
    allocations = 0;
    CHECK(perp_ode_solve(ode, n, a, x, b, w, 0, lo, hi, findex, NULL, &result) == PERP_OK);
    CHECK_SAY(frame == 0 || allocations == 0, "frame %d: %lld allocations", frame,
              (long long)allocations);
    CHECK(memcmp(x, expected, (size_t)n * sizeof *x) == 0);
    CHECK_EQUAL_INT(result.outcome, PERP_SOLVED);
  }
  perp_ode_destroy(ode);
}

static const test_case tests[] = {
    TEST(frames_of_islands_allocate_nothing), TEST(frames_of_contacts_allocate_nothing),
    TEST(any_frame_may_follow_any_other),     TEST(many_single_rows),
    TEST(parameters_hold_for_all_islands),    TEST(ode_allocates_nothing),
};
TEST_MAIN(tests)
