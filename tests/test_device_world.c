/* Batches of contact worlds: the GPU kernel, run by the device "host", against one solve after
 * another on the CPU. With a fixed number of sweeps x agrees to 1e-12 of its largest entry; with a
 * tolerance the outcomes agree, and the library computes every residual. PERP_TEST_DEVICE=cuda:0 in
 * the environment runs this on a GPU. */
#include "device.h"
#include "device_memory.h"
#include "test.h"

#include "../bench/worlds.h"

#include <stdio.h>

enum { MOST_ROWS = 60000, MANY = 102 /* worlds */ };

static double here[MOST_ROWS], there[MOST_ROWS], again[MOST_ROWS];
static perp_batch_end ends[2][200];

static perp_result solve(worlds *w, int count, perp_device *device, int threads, int64_t sweeps,
                         double tol, double omega, double *x, perp_batch_end *each)
{
  perp_solver *solver = NULL;
  perp_result r = perp_result_empty();
  perp_options o = perp_options_default();
  const perp_batch batch = worlds_batch(w, count);
  o.device = device;
  o.threads = threads;
  o.tol = tol;
  o.max_iterations = sweeps;
  memset(x, 0, (size_t)w->all_rows * sizeof *x);
  CHECK(w->all_rows <= MOST_ROWS && count <= 200);
  CHECK(perp_solver_create("coloured", &solver, NULL) == PERP_OK);
  CHECK(perp_solver_set(solver, "omega", omega, NULL) == PERP_OK);
  CHECK_SAY(perp_batch_solve(solver, &batch, &o, x, each, &r) == PERP_OK, "%s", r.message.text);
  perp_solver_destroy(solver);
  return r;
}

/* One more world: balls or bricks; without friction, with friction by index, with joints; compliance
 * or none. */
static void draw_one(worlds *w, int k)
{
  static const char *const texts[] = {
      "pile:n=%d,form=findex,operator=contact,seed=%d",
      "pile:n=%d,form=lcp,operator=contact,seed=%d",
      "pile:n=%d,layout=random,form=findex,operator=contact,seed=%d",
      "pile:n=%d,form=mixed,operator=contact,cfm=1e-2,seed=%d",
      "stack:n=%d,form=findex,operator=contact,cfm=1e-2,seed=%d",
      "arch:n=%d,form=findex,operator=contact,cfm=1e-2,jitter=0.1,seed=%d",
  };
  char text[120];
  perp_message why = {""};
  snprintf(text, sizeof text, texts[k % 6], 3 + k * 7 % 13, k + 1);
  CHECK_SAY(worlds_generate(w, text, &why) == PERP_OK, "%s: %s", text, why.text);
}

static worlds draw(int count)
{
  worlds w = {0};
  for (int k = 0; k < count; k++)
    draw_one(&w, k);
  return w;
}

static double difference(int n, const double *a, const double *b)
{
  double most = 0, size = 0;
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
    size = fmax(size, fabs(a[i]));
  }
  return most / (size > 0 ? size : 1);
}

static void as_on_the_processor(void)
{
  const int count = MANY / test_share("worlds", 6);
  perp_device *device = open_device();
  worlds w = draw(count);
  /* the same sweeps */
  solve(&w, count, NULL, 2, 20, 0, 1, here, ends[0]);
  solve(&w, count, device, 1, 20, 0, 1, there, ends[1]);
  for (int k = 0, at = 0; k < count; at += w.rows[k++])
    CHECK_SAY(ends[1][k].error == PERP_OK && difference(w.rows[k], here + at, there + at) <= 1e-12,
              "world %d: %g", k, difference(w.rows[k], here + at, there + at));
  /* to a tolerance, with automatic relaxation; two runs, and threads */
  solve(&w, count, NULL, 2, 0, 1e-6, 0, here, ends[0]);
  const perp_result r = solve(&w, count, device, 1, 0, 1e-6, 0, there, ends[1]);
  int solved = 0;
  for (int k = 0; k < count; k++) {
    CHECK_SAY(ends[1][k].error == PERP_OK && ends[1][k].outcome == ends[0][k].outcome,
              "world %d: %s and %s", k, perp_outcome_name(ends[0][k].outcome),
              perp_outcome_name(ends[1][k].outcome));
    CHECK(ends[1][k].outcome != PERP_SOLVED || ends[1][k].relative_residual <= 1e-6);
    solved += ends[1][k].outcome == PERP_SOLVED;
  }
  CHECK_SAY(solved >= count * 9 / 10, "%d of %d: %s", solved, count, r.message.text);
  solve(&w, count, device, 3, 0, 1e-6, 0, again, ends[0]);
  CHECK(memcmp(there, again, (size_t)w.all_rows * sizeof *again) == 0);
  /* the kernel's verdict */
  perp_device_set_judge(device, PERP_JUDGE_DEVICE);
  solve(&w, count, device, 1, 0, 1e-6, 0, again, ends[0]);
  CHECK(memcmp(there, again, (size_t)w.all_rows * sizeof *again) == 0);
  for (int k = 0; k < count; k++)
    CHECK_SAY(ends[0][k].outcome == ends[1][k].outcome &&
                  fabs(ends[0][k].relative_residual - ends[1][k].relative_residual) <= 1e-12,
              "world %d: %g and %g", k, ends[0][k].relative_residual, ends[1][k].relative_residual);
  worlds_free(&w);
  perp_device_destroy(device);
}

/* An infeasible world, one with a NaN and one that is too large fail as on the CPU (except for the
 * size), and the others keep their bits. */
static void each_for_itself(void)
{
  enum { COUNT = 12, PULLED = 2, NAN_J = 4, LARGE = 6, STRAY = 8 };
  perp_device *device = open_device();
  worlds plain = draw(COUNT), w = {0};
  solve(&plain, COUNT, device, 1, 0, 1e-6, 0, here, ends[0]);
  for (int k = 0; k < COUNT; k++) {
    static const char *const others[] = {
        "pile:n=2,form=lcp,operator=contact", "pile:n=8,form=findex,operator=contact",
        "pile:n=200,form=findex,operator=contact", "pile:n=9,form=findex,operator=contact"};
    const int which = k == PULLED ? 0 : k == NAN_J ? 1 : k == LARGE ? 2 : k == STRAY ? 3 : -1;
    if (which >= 0)
      CHECK(worlds_generate(&w, others[which], NULL) == PERP_OK);
    else
      draw_one(&w, k);
    const int at = w.all_rows - w.rows[k];
    if (k == PULLED) { /* two rows that push one body against itself, both required to open */
      w.rows[k] = 2;
      w.all_rows = at + 2;
      memcpy(w.J + 12 * (at + 1), w.J + 12 * at, 12 * sizeof *w.J);
      for (int e = 0; e < 12; e++)
        w.J[12 * (at + 1) + e] *= -1;
      memcpy(w.body + 2 * (at + 1), w.body + 2 * at, 2 * sizeof *w.body);
      w.b[at] = w.b[at + 1] = -1;
      w.C[at] = w.C[at + 1] = 0;
    } else if (k == NAN_J) {
      w.J[12 * at + 7] = w.J[12 * at + 1] = NAN;
    } else if (k == STRAY) {
      w.body[2 * (at + 3)] = w.bodies[k];
    }
  }
  solve(&w, COUNT, NULL, 2, 0, 1e-6, 0, again, ends[0]);
  const perp_result r = solve(&w, COUNT, device, 1, 0, 1e-6, 0, there, ends[1]);
  CHECK(r.outcome != PERP_SOLVED);
  CHECK(ends[1][PULLED].error == PERP_OK && ends[1][PULLED].outcome == ends[0][PULLED].outcome &&
        ends[1][PULLED].outcome != PERP_SOLVED);
  CHECK(ends[1][NAN_J].error == PERP_ERROR_PROBLEM && ends[0][NAN_J].error == PERP_ERROR_PROBLEM);
  CHECK(ends[1][STRAY].error == PERP_ERROR_PROBLEM && ends[0][STRAY].error == PERP_ERROR_PROBLEM);
  CHECK(ends[1][LARGE].error == PERP_ERROR_UNSUPPORTED && ends[0][LARGE].error == PERP_OK);
  for (int k = 0, at = 0, plain_at = 0; k < COUNT; at += w.rows[k], plain_at += plain.rows[k++])
    if (k == NAN_J || k == LARGE || k == STRAY)
      for (int i = 0; i < w.rows[k]; i++)
        CHECK(there[at + i] == 0); /* unchanged */
    else if (k != PULLED)
      CHECK_SAY(memcmp(there + at, here + plain_at, (size_t)w.rows[k] * sizeof *here) == 0,
                "world %d", k);
  worlds_free(&plain);
  worlds_free(&w);
  perp_device_destroy(device);
}

/* Cones by bgs: contact after contact on the CPU, by colours on the device; in single precision to 1e-11,
 * and every time with the same bits. All solve. */
static void cones(void)
{
  enum { COUNT = 24 };
  perp_device *device = open_device();
  static double mu[MOST_ROWS / 3];
  worlds w = {0};
  for (int k = 0; k < COUNT; k++) {
    char text[120];
    snprintf(text, sizeof text, "pile:n=%d,form=findex,operator=contact,seed=%d", 3 + k % 14,
             k + 1);
    CHECK(worlds_generate(&w, text, NULL) == PERP_OK);
  }
  for (int c = 0; c < w.all_rows / 3; c++)
    mu[c] = c % 5 == 0 ? 0 : 0.1 * (c % 9);
  perp_solver *solver = NULL;
  CHECK(perp_solver_create("bgs", &solver, NULL) == PERP_OK);
  perp_batch batch = worlds_batch(&w, COUNT);
  perp_options o = perp_options_default();
  batch.findex = NULL;
  batch.lo = batch.hi = NULL;
  batch.mu = mu;
  o.tol = 1e-6;
  for (int way = 0; way < 5; way++) {
    perp_result r = perp_result_empty();
    double *x = way == 0 ? here : way == 4 ? again : there;
    memset(x, 0, (size_t)w.all_rows * sizeof *x);
    o.device = way > 0 ? device : NULL;
    o.tol = way < 3 ? 1e-6 : 1e-11;
    perp_device_set_judge(device, way == 2 ? PERP_JUDGE_DEVICE : PERP_JUDGE_HOST);
    perp_device_set_precision(device, way < 3 ? PERP_PRECISION_DOUBLE : PERP_PRECISION_SINGLE);
    CHECK_SAY(perp_batch_solve(solver, &batch, &o, x, ends[way > 0], &r) == PERP_OK, "%s",
              r.message.text);
    for (int k = 0; k < COUNT; k++)
      CHECK_SAY(ends[way > 0][k].outcome == PERP_SOLVED &&
                    ends[way > 0][k].relative_residual <= o.tol,
                "world %d, way %d: %s, %g", k, way, perp_outcome_name(ends[way > 0][k].outcome),
                ends[way > 0][k].relative_residual);
  }
  CHECK(memcmp(there, again, (size_t)w.all_rows * sizeof *again) == 0);
  mu[1] = -1;
  perp_result r = perp_result_empty();
  for (int precision = 0; precision < 2; precision++) {
    perp_device_set_precision(device, precision ? PERP_PRECISION_SINGLE : PERP_PRECISION_DOUBLE);
    CHECK(perp_batch_solve(solver, &batch, &o, there, ends[0], &r) == PERP_OK);
    CHECK(ends[0][0].error == PERP_ERROR_PROBLEM && ends[0][1].outcome == PERP_SOLVED);
  }
  batch.mu = NULL;
  CHECK(perp_batch_solve(solver, &batch, &o, there, NULL, &r) == PERP_ERROR_UNSUPPORTED);
  perp_solver_destroy(solver);
  worlds_free(&w);
  perp_device_destroy(device);
}

/* Sweeps in single precision: the outcomes of double precision, with residuals far below single
 * precision, in fewer sweeps, because they are accelerated; two runs have the same bits, and bad
 * data affects only its own world. */
static void single(void)
{
  const int all = MANY / test_share("worlds in single precision", 6);
  perp_device *device = open_device();
  worlds w = draw(all);
  for (int way = 0; way < 2; way++) {
    const double tol = way == 0 ? 1e-6 : 1e-11;
    const int64_t sweeps = way == 0 ? 2000 : 20000;
    const int count = way == 0 || all < MANY / 3 ? all : MANY / 3;
    int solved = 0, lost = 0;
    perp_device_set_precision(device, PERP_PRECISION_DOUBLE);
    const perp_result plain = solve(&w, count, device, 1, sweeps, tol, 1.1, here, ends[0]);
    perp_device_set_precision(device, PERP_PRECISION_SINGLE);
    const perp_result r = solve(&w, count, device, 1, sweeps, tol, 1.1, there, ends[1]);
    for (int k = 0; k < count; k++) {
      CHECK(ends[1][k].error == PERP_OK);
      CHECK(ends[1][k].outcome != PERP_SOLVED || ends[1][k].relative_residual <= tol);
      solved += ends[1][k].outcome == PERP_SOLVED;
      lost += ends[0][k].outcome == PERP_SOLVED && ends[1][k].outcome != PERP_SOLVED;
    }
    CHECK_SAY(solved >= count * 3 / 4 && lost <= count / 50, "%g: %d of %d, %d lost: %s", tol,
              solved, count, lost, r.message.text);
    CHECK_SAY((double)r.counts.sweeps < 0.7 * (double)plain.counts.sweeps,
              "%g: %g sweeps, plain %g", tol, (double)r.counts.sweeps, (double)plain.counts.sweeps);
    solve(&w, count, device, 3, sweeps, tol, 1.1, again, ends[0]);
    CHECK(memcmp(there, again, (size_t)w.all_rows * sizeof *again) == 0);
  }
  /* NaN, masses beyond single precision, and no omega */
  const int third = w.rows[0] + w.rows[1];
  w.b[third] = NAN;
  for (int e = 0; e < 36 * w.bodies[0]; e++)
    w.Minv[e] *= 1e-60;
  solve(&w, all, device, 1, 2000, 1e-6, 1.1, there, ends[1]);
  CHECK(ends[1][0].error == PERP_ERROR_UNSUPPORTED && ends[1][2].error == PERP_ERROR_PROBLEM);
  for (int k = 3; k < all; k++)
    CHECK(ends[1][k].error == PERP_OK);
  perp_solver *solver = NULL;
  perp_options o = perp_options_default();
  perp_result r = perp_result_empty();
  const perp_batch batch = worlds_batch(&w, 2);
  o.device = device;
  CHECK(perp_solver_create("coloured", &solver, NULL) == PERP_OK);
  CHECK(perp_solver_set(solver, "omega", 0, NULL) == PERP_OK);
  CHECK(perp_batch_solve(solver, &batch, &o, there, NULL, &r) == PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(r.message.text, "omega"), "%s", r.message.text);
  perp_solver_destroy(solver);
  worlds_free(&w);
  perp_device_destroy(device);
}

static bool at_once(void *context)
{
  (void)context;
  return true;
}

/* A solver begins with the worlds that took the most sweeps last time. x and the ends are the same
 * with such counts for all worlds and, after an interrupted batch, without them. */
static void in_any_order(void)
{
  enum { COUNT = 24 };
  worlds w = draw(COUNT);
  perp_device *device = open_device();
  const perp_batch batch = worlds_batch(&w, COUNT);
  perp_solver *solver = NULL;
  perp_options o = perp_options_default(), stopped;
  o.device = device;
  o.tol = 1e-6;
  o.max_iterations = 300;
  stopped = o;
  stopped.interrupted = at_once;
  CHECK(perp_solver_create("coloured", &solver, NULL) == PERP_OK);
  for (int turn = 0; turn < 4; turn++) {
    double *x = turn == 0 ? here : there;
    perp_result r = perp_result_empty();
    if (turn % 2 == 0) /* no world is begun */
      CHECK(perp_batch_solve(solver, &batch, &stopped, again, ends[1], &r) == PERP_OK);
    memset(x, 0, (size_t)w.all_rows * sizeof *x);
    CHECK(perp_batch_solve(solver, &batch, &o, x, ends[turn > 0], &r) == PERP_OK);
    CHECK(memcmp(x, here, (size_t)w.all_rows * sizeof *x) == 0);
    for (int k = 0; k < COUNT; k++)
      CHECK(ends[turn > 0][k].outcome == ends[0][k].outcome &&
            ends[turn > 0][k].iterations == ends[0][k].iterations);
  }
  perp_solver_destroy(solver);
  perp_device_destroy(device);
  worlds_free(&w);
}

static void never_in_silence(void)
{
  perp_device *device = open_device();
  worlds w = draw(3);
  perp_batch batch = worlds_batch(&w, 3);
  perp_options o = perp_options_default();
  perp_result r = perp_result_empty();
  perp_solver *solver = NULL;
  double mu[MOST_ROWS / 3] = {0};
  o.device = device;
  CHECK(perp_solver_create("pgs", &solver, NULL) == PERP_OK);
  CHECK(perp_batch_solve(solver, &batch, &o, here, NULL, &r) == PERP_ERROR_UNSUPPORTED);
  perp_solver_destroy(solver);
  CHECK(perp_solver_create("coloured", &solver, NULL) == PERP_OK);
  batch.mu = mu;
  CHECK(perp_batch_solve(solver, &batch, &o, here, NULL, &r) == PERP_ERROR_UNSUPPORTED);
  CHECK_SAY(strstr(r.message.text, "cones"), "%s", r.message.text);
  batch.mu = NULL;
  w.data.freedom = 5;
  CHECK(perp_batch_solve(solver, &batch, &o, here, NULL, &r) == PERP_ERROR_ARGUMENT);
  w.data.freedom = 6;
  w.data.together = 2;
  w.rows[1] = 3;
  CHECK(perp_batch_solve(solver, &batch, &o, here, NULL, &r) == PERP_ERROR_ARGUMENT);
  CHECK_SAY(strstr(r.message.text, "world 1"), "%s", r.message.text);
  perp_solver_destroy(solver);
  worlds_free(&w);
  perp_device_destroy(device);
}

/* The judge's operators: if one has no memory, only its world fails. */
static perp_error solve_once(perp_solver *solver, perp_device *device, void *context)
{
  worlds *w = context;
  const perp_batch batch = worlds_batch(w, 3);
  perp_options o = perp_options_default();
  perp_result r = perp_result_empty();
  o.device = device;
  o.max_iterations = 5;
  memset(here, 0, (size_t)w->all_rows * sizeof *here);
  perp_error error = perp_batch_solve(solver, &batch, &o, here, ends[0], &r);
  for (int e = 0; e < 3 && !error; e++)
    error = ends[0][e].error;
  return error;
}

static void memory(void)
{
  worlds w = draw(3);
  check_device_memory(&(device_call){"coloured", true, NULL, solve_once, &w});
  worlds_free(&w);
}

static const test_case TESTS[] = {
    TEST(as_on_the_processor), TEST(each_for_itself),  TEST(cones),  TEST(single),
    TEST(in_any_order),        TEST(never_in_silence), TEST(memory),
};
TEST_MAIN(TESTS)
