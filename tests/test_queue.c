/* Batches that stay on a device: perp_batch_queue gives the bits and the verdicts of perp_batch_solve,
 * for any order of the problems and any division into batches; a bad problem says so and harms no
 * other. PERP_TEST_DEVICE=cuda:0 in the environment runs this on a GPU. */
#include "device.h"
#include "problems.h"
#include "test.h"

#include "../bench/worlds.h"

#include <perp/derivative.h>

enum { COUNT = 48, MOST_ROWS = 300 };

/* A batch in device memory, with its arrays and results. */
typedef struct placed {
  perp_device *device;
  perp_batch batch;
  perp_contact_bodies worlds;
  double *x;
  perp_batch_verdict *verdicts;
  void *blocks[32];
  int used;
} placed;

static void *place(placed *p, const void *from, size_t bytes)
{
  void *block = NULL;
  if (!from)
    return NULL;
  CHECK(perp_device_alloc(p->device, bytes, &block, NULL) == PERP_OK);
  p->blocks[p->used++] = block;
  CHECK(perp_device_upload(p->device, block, from, bytes, NULL) == PERP_OK);
  return block;
}

static void placed_free(placed *p)
{
  while (p->used > 0)
    perp_device_free(p->device, p->blocks[--p->used]);
}

static size_t rows_of(const perp_batch *batch)
{
  return (size_t)batch->count * (size_t)batch->n;
}

static placed place_batch(perp_device *device, const perp_batch *from)
{
  static const double zeros[COUNT * MOST_ROWS];
  static const perp_batch_verdict none[COUNT];
  placed p = {.device = device, .batch = *from};
  const size_t rows = rows_of(from), real = sizeof(double);
  CHECK(from->count <= COUNT && from->n <= MOST_ROWS);
  p.batch.A = place(&p, from->A, rows * (size_t)from->n * real);
  p.batch.b = place(&p, from->b, rows * real);
  p.batch.lo = place(&p, from->lo, rows * real);
  p.batch.hi = place(&p, from->hi, rows * real);
  p.batch.mu = place(&p, from->mu, rows / 3 * real);
  p.batch.findex = place(&p, from->findex, rows * sizeof *from->findex);
  if (from->worlds) {
    p.worlds = *from->worlds;
    const size_t bodies = (size_t)from->count * (size_t)p.worlds.bodies;
    const size_t contacts = rows / (size_t)p.worlds.together;
    p.worlds.body = place(&p, p.worlds.body, 2 * contacts * sizeof *p.worlds.body);
    p.worlds.J = place(&p, p.worlds.J, 12 * rows * real);
    p.worlds.Minv = place(&p, p.worlds.Minv, 36 * bodies * real);
    p.worlds.C_diagonal = place(&p, p.worlds.C_diagonal, rows * real);
  }
  p.x = place(&p, zeros, rows * real);
  p.verdicts = place(&p, none, (size_t)from->count * sizeof *none);
  return p;
}

static perp_solver *open_solver(const char *method)
{
  perp_solver *solver = NULL;
  CHECK(perp_solver_create(method, &solver, NULL) == PERP_OK);
  return solver;
}

static perp_error queue(const perp_solver *solver, placed *p, double tol, double *y,
                        perp_message *why)
{
  perp_options o = perp_options_default();
  o.device = p->device;
  o.tol = tol;
  o.y = y;
  if (p->batch.worlds)
    p->batch.worlds = &p->worlds;
  return perp_batch_queue(solver, &p->batch, &o, p->x, p->verdicts, why);
}

/* Queues a batch and fetches what it wrote. */
static void solve(const char *method, perp_device *device, const perp_batch *batch, double tol,
                  double *x, perp_batch_verdict *verdicts)
{
  perp_message why = {""};
  perp_solver *solver = open_solver(method);
  placed p = place_batch(device, batch);
  CHECK_SAY(queue(solver, &p, tol, NULL, &why) == PERP_OK, "%s", why.text);
  CHECK(perp_device_wait(device, &why) == PERP_OK);
  CHECK(perp_device_download(device, x, p.x, rows_of(batch) * sizeof *x, NULL) == PERP_OK);
  CHECK(perp_device_download(device, verdicts, p.verdicts, (size_t)batch->count * sizeof *verdicts,
                             NULL) == PERP_OK);
  placed_free(&p);
  perp_solver_destroy(solver);
}

/* ---- Samples ---- */

typedef struct sample {
  const char *method;
  double tol;
  perp_batch batch;
  worlds w;
  double *A, *b, *lo, *hi, *mu;
} sample;

static void sample_free(sample *s)
{
  worlds_free(&s->w);
  free(s->A);
  free(s->b);
  free(s->lo);
  free(s->hi);
  free(s->mu);
}

static sample dense_sample(int n, bool symmetric)
{
  const size_t rows = (size_t)COUNT * (size_t)n;
  sample s = {.method = "blockpivot", .tol = 1e-10};
  s.A = calloc(rows * (size_t)n, sizeof *s.A);
  s.b = calloc(rows, sizeof *s.b);
  s.lo = calloc(rows, sizeof *s.lo);
  s.hi = calloc(rows, sizeof *s.hi);
  for (int k = 0; k < COUNT; k++) {
    perp_instance p = problem_random(n, PERP_FORM_BOXED, 0.5, 77 * (uint64_t)n + (uint64_t)k);
    const double *a;
    int64_t stride;
    CHECK(perp_operator_dense_array(p.A, &a, &stride) == PERP_OK);
    for (int i = 0; i < n; i++) {
      const size_t row = (size_t)(k * n + i);
      for (int j = 0; j < n; j++)
        s.A[row * (size_t)n + (size_t)j] = (symmetric || j >= i ? 1 : 0.5) * a[i * stride + j];
      s.b[row] = p.b[i];
      s.lo[row] = p.lo[i];
      s.hi[row] = p.hi[i];
    }
    perp_instance_destroy(&p);
  }
  s.batch = perp_batch_dense(COUNT, n, s.A, s.b);
  s.batch.lo = s.lo;
  s.batch.hi = s.hi;
  return s;
}

/* Piles of the same size. Cones: the same contacts with their own coefficient. */
static sample world_sample(const char *pile, int count, bool cones)
{
  sample s = {.method = cones ? "bgs" : "coloured", .tol = 1e-8};
  for (uint64_t seed = 1001; s.w.count < count; seed++) {
    char text[120];
    snprintf(text, sizeof text, "%s,form=findex,operator=contact,seed=%d,cfm=1e-3", pile,
             (int)seed);
    CHECK(worlds_generate(&s.w, text, NULL) == PERP_OK);
    CHECK(s.w.rows[s.w.count - 1] == s.w.rows[0] && s.w.bodies[s.w.count - 1] == s.w.bodies[0]);
  }
  s.batch = worlds_batch(&s.w, count);
  s.batch.n = s.w.rows[0];
  s.w.data.bodies = s.w.bodies[0];
  s.batch.rows = s.batch.bodies = NULL;
  if (cones) {
    s.mu = calloc(rows_of(&s.batch) / 3, sizeof *s.mu);
    for (size_t c = 0; c < rows_of(&s.batch) / 3; c++)
      s.mu[c] = 0.1 * (double)(c % 8);
    s.batch.mu = s.mu;
    s.batch.lo = s.batch.hi = NULL;
    s.batch.findex = NULL;
  }
  return s;
}

static void sample_make(int k, sample *s)
{
  static const int n[] = {5, 40, 96, 24};
  *s = k < 4 ? dense_sample(n[k], k != 3) : world_sample("pile:n=9", COUNT, k == 5);
  if (s->batch.worlds)
    s->batch.worlds = &s->w.data;
}

enum { SAMPLES = 6 };

/* Moves a pointer to the numbers of problem k, `each` of them a problem. */
static const double *at(const double *array, int k, size_t each)
{
  return array ? array + (size_t)k * each : NULL;
}

/* The problems first .. first + count - 1 as a batch; *data holds its worlds. */
static perp_batch part_of(const sample *s, int first, int count, perp_contact_bodies *data)
{
  perp_batch part = s->batch;
  const size_t n = (size_t)part.n;
  part.count = count;
  part.A = at(part.A, first, n * n);
  part.b = at(part.b, first, n);
  part.lo = at(part.lo, first, n);
  part.hi = at(part.hi, first, n);
  part.mu = at(part.mu, first, n / 3);
  part.findex = part.findex ? part.findex + (size_t)first * n : NULL;
  if (part.worlds) {
    *data = s->w.data;
    data->body += 2 * (size_t)first * (n / (size_t)data->together);
    data->J = at(data->J, first, 12 * n);
    data->Minv = at(data->Minv, first, 36 * (size_t)data->bodies);
    data->C_diagonal = at(data->C_diagonal, first, n);
    part.worlds = data;
  }
  return part;
}

/* ---- Tests ---- */

static double x[COUNT * MOST_ROWS], other[COUNT * MOST_ROWS];
static perp_batch_verdict verdicts[COUNT], others[COUNT];
static perp_batch_end ends[COUNT];

static void as_a_batch_that_is_waited_for(void)
{
  perp_device *device = open_device();
  for (int k = 0; k < SAMPLES; k++) {
    sample s;
    sample_make(k, &s);
    perp_solver *solver = open_solver(s.method);
    perp_options o = perp_options_default();
    perp_result r = perp_result_empty();
    o.device = device;
    o.tol = s.tol;
    memset(other, 0, rows_of(&s.batch) * sizeof *other);
    CHECK_SAY(perp_batch_solve(solver, &s.batch, &o, other, ends, &r) == PERP_OK, "%s",
              r.message.text);
    solve(s.method, device, &s.batch, s.tol, x, verdicts);
    CHECK(memcmp(x, other, rows_of(&s.batch) * sizeof *x) == 0);
    for (int j = 0; j < COUNT; j++) {
      const perp_batch_verdict *v = &verdicts[j];
      CHECK_SAY(v->error == PERP_OK && v->outcome == PERP_SOLVED &&
                    ends[j].outcome == PERP_SOLVED && v->iterations == ends[j].iterations,
                "sample %d, problem %d: %s", k, j, perp_outcome_name((perp_outcome)v->outcome));
      CHECK(v->residual <= s.tol * v->scale);
      CHECK_CLOSE(v->residual / v->scale, ends[j].relative_residual, 1e-13);
    }
    perp_solver_destroy(solver);
    sample_free(&s);
  }
  perp_device_destroy(device);
}

/* The bits of a problem depend only on its numbers: neither on the place in the batch nor on the
 * others. */
static void same_bits_in_any_batch(void)
{
  perp_device *device = open_device();
  for (int k = 0; k < SAMPLES; k++) {
    sample s;
    sample_make(k, &s);
    const size_t n = (size_t)s.batch.n;
    solve(s.method, device, &s.batch, s.tol, x, verdicts);
    for (int size = 1; size <= COUNT; size += 1 + size / 2)
      for (int first = COUNT - size; first >= 0; first -= size) { /* from the last to the first */
        perp_contact_bodies data;
        const perp_batch part = part_of(&s, first, size, &data);
        solve(s.method, device, &part, s.tol, other, others);
        CHECK_SAY(memcmp(x + (size_t)first * n, other, (size_t)size * n * sizeof *x) == 0,
                  "sample %d, %d problems from %d on", k, size, first);
        CHECK(memcmp(verdicts + first, others, (size_t)size * sizeof *others) == 0);
      }
    sample_free(&s);
  }
  perp_device_destroy(device);
}

/* One bad number among many problems. */
static void the_bad_one_says_so(void)
{
  enum { BAD = 17 };
  perp_device *device = open_device();
  for (int k = 0; k < SAMPLES; k++) {
    sample s;
    sample_make(k, &s);
    const size_t n = (size_t)s.batch.n;
    solve(s.method, device, &s.batch, s.tol, x, verdicts);
    ((double *)s.batch.b)[BAD * n + 2] = NAN;
    solve(s.method, device, &s.batch, s.tol, other, others);
    perp_message text = {""};
    perp_batch_verdict_message(&others[BAD], s.method, k >= 4, s.batch.n, &text);
    CHECK(others[BAD].error == PERP_ERROR_PROBLEM && others[BAD].outcome == PERP_NOT_RUN &&
          others[BAD].row == 2 && !(others[BAD].residual < HUGE_VAL));
    CHECK_SAY(strncmp(text.text, "b[2] = ", 7) == 0, "%s", text.text);
    for (size_t j = 0; j < COUNT; j++) {
      if (j != BAD)
        CHECK(memcmp(x + j * n, other + j * n, n * sizeof *x) == 0);
      for (size_t i = 0; j == BAD && i < n; i++)
        CHECK(other[j * n + i] == 0); /* its start */
    }
    perp_batch_verdict_message(&others[0], s.method, k >= 4, s.batch.n, &text);
    CHECK(strncmp(text.text, "solved", 6) == 0);
    sample_free(&s);
  }
  perp_device_destroy(device);
}

/* Each refusal names its reason, and the device works afterwards. */
static void refusals(void)
{
  perp_device *device = open_device();
  sample s = dense_sample(6, true);
  perp_solver *solver = open_solver("blockpivot"), *sweeps = open_solver("pgs");
  placed p = place_batch(device, &s.batch);
  perp_options o = perp_options_default();
  perp_message why = {""};
  const int rows[COUNT] = {0}, findex[6] = {0};
  const double mu[2] = {0};
  perp_batch batch = p.batch;
#define REFUSED(error, ...)                                                                        \
  CHECK_SAY(perp_batch_queue(__VA_ARGS__) == error && why.text[0], "%s", why.text)
  REFUSED(PERP_ERROR_ARGUMENT, NULL, &batch, &o, p.x, p.verdicts, &why);
  REFUSED(PERP_ERROR_ARGUMENT, solver, &batch, &o, p.x, p.verdicts, &why); /* no device */
  o.device = device;
  REFUSED(PERP_ERROR_ARGUMENT, solver, &batch, &o, NULL, p.verdicts, &why);
  REFUSED(PERP_ERROR_ARGUMENT, solver, &batch, &o, p.x, NULL, &why);
  REFUSED(PERP_ERROR_UNSUPPORTED, sweeps, &batch, &o, p.x, p.verdicts, &why);
  batch.rows = rows;
  REFUSED(PERP_ERROR_UNSUPPORTED, solver, &batch, &o, p.x, p.verdicts, &why);
  batch = p.batch;
  batch.findex = findex;
  REFUSED(PERP_ERROR_UNSUPPORTED, solver, &batch, &o, p.x, p.verdicts, &why);
  batch = p.batch;
  batch.mu = mu;
  REFUSED(PERP_ERROR_UNSUPPORTED, solver, &batch, &o, p.x, p.verdicts, &why);
  batch = p.batch;
  batch.b = NULL;
  REFUSED(PERP_ERROR_ARGUMENT, solver, &batch, &o, p.x, p.verdicts, &why);
  batch = p.batch;
  batch.b = (const double *)(const void *)((const char *)p.batch.b + 4);
  REFUSED(PERP_ERROR_ARGUMENT, solver, &batch, &o, p.x, p.verdicts, &why);
  CHECK_SAY(strstr(why.text, "not a multiple of 8"), "%s", why.text);
  o.time_limit = 1;
  REFUSED(PERP_ERROR_UNSUPPORTED, solver, &p.batch, &o, p.x, p.verdicts, &why);
  o = perp_options_default();
  o.device = device;
  o.tol = -1;
  REFUSED(PERP_ERROR_ARGUMENT, solver, &p.batch, &o, p.x, p.verdicts, &why);
  if (strcmp(device_name(), "host") == 0) {
    CHECK(perp_device_set_stream(device, &o, &why) == PERP_ERROR_ARGUMENT);
  } else { /* the CPU's memory */
    batch = p.batch;
    batch.lo = s.lo;
    o.tol = 1e-8;
    REFUSED(PERP_ERROR_ARGUMENT, solver, &batch, &o, p.x, p.verdicts, &why);
    CHECK(strncmp(why.text, "lo is not in the memory of", 26) == 0);
    batch = p.batch;
    batch.count = 100 * 1000 * 1000; /* A has 29 GB */
    REFUSED(PERP_ERROR_ARGUMENT, solver, &batch, &o, p.x, p.verdicts, &why);
    CHECK_SAY(strstr(why.text, "A has 28800000000 bytes"), "%s", why.text);
    /* no memory at that address: refused before the driver reads it */
    CHECK(perp_device_set_stream(device, (void *)(intptr_t)12345, &why) == PERP_ERROR_ARGUMENT);
    CHECK_SAY(strstr(why.text, "not a stream"), "%s", why.text);
  }
  CHECK(perp_device_set_stream(NULL, NULL, &why) == PERP_ERROR_ARGUMENT &&
        perp_device_wait(NULL, &why) == PERP_ERROR_ARGUMENT &&
        perp_device_set_stream(device, NULL, &why) == PERP_OK);
#undef REFUSED
  batch = p.batch;
  batch.count = 0;
  o.tol = 1e-8;
  CHECK(perp_batch_queue(solver, &batch, &o, NULL, NULL, &why) == PERP_OK);
  placed_free(&p);
  solve("blockpivot", device, &s.batch, 1e-10, x, verdicts);
  CHECK(verdicts[0].outcome == PERP_SOLVED);
  perp_solver_destroy(solver);
  perp_solver_destroy(sweeps);
  sample_free(&s);
  perp_device_destroy(device);
}

/* ---- Gradients ---- */

enum { B, LO, HI, MU, A, J, MINV, C, ARRAYS };

/* Compares the gradients of problem k with those of perp_derivative. */
static void compare_gradients(const sample *s, int k, const double *solution, const double *w,
                              double *const bars[ARRAYS], const size_t each[ARRAYS])
{
  perp_contact_bodies data = perp_contact_bodies_default();
  const perp_batch part = part_of(s, k, 1, &data);
  perp_operator *matrix = NULL;
  perp_derivative *derivative = NULL;
  perp_message why = {""};
  const int n = part.n;
  data.rows = n;
  const perp_error made = part.worlds
                              ? perp_operator_contact_bodies(&data, PERP_BORROW, &matrix, &why)
                              : perp_operator_dense(n, part.A, n, PERP_BORROW, &matrix, &why);
  CHECK_SAY(made == PERP_OK, "%s", why.text);
  perp_problem p = perp_problem_lcp(matrix, part.b);
  p.K.lo = part.lo;
  p.K.hi = part.hi;
  p.K.findex = part.findex;
  p.K.mu = part.mu;
  p.K.cones = part.mu ? n / 3 : 0;
  const double *own_x = solution + (size_t)k * (size_t)n;
  CHECK_SAY(perp_derivative_create(&p, own_x, NULL, &derivative, &why) == PERP_OK, "%s", why.text);
  const perp_derivative_facts facts = perp_derivative_get(derivative);
  const size_t rows = (size_t)n, cones = part.mu ? rows / 3 : 0;
  const size_t counts[ARRAYS] = {rows,
                                 rows,
                                 rows,
                                 cones,
                                 (size_t)facts.A_count,
                                 (size_t)facts.J_count,
                                 (size_t)facts.Minv_count,
                                 (size_t)facts.C_count};
  double *own[ARRAYS], most = 0;
  perp_gradient g = perp_gradient_default();
  double **const fields[ARRAYS] = {&g.b, &g.lo, &g.hi, &g.mu, &g.A, &g.J, &g.Minv, &g.C};
  for (int a = 0; a < ARRAYS; a++) {
    own[a] = calloc(counts[a] + 1, sizeof(double));
    *fields[a] = counts[a] > 0 ? own[a] : NULL;
  }
  CHECK_SAY(perp_derivative_vjp(derivative, w + (size_t)k * rows, &g, &why) == PERP_OK, "%s",
            why.text);
  for (int a = 0; a < ARRAYS; a++)
    for (size_t e = 0; e < counts[a]; e++)
      most = fmax(most, fabs(own[a][e]));
  perp_contact_data stored = {0};
  if (part.worlds)
    CHECK(perp_operator_contact_data(matrix, &stored) == PERP_OK);
  for (int a = 0; a < ARRAYS; a++) {
    const double *bar = bars[a] ? bars[a] + (size_t)k * each[a] : NULL;
    for (size_t e = 0, row = 0; bar && e < counts[a]; e++) {
      size_t place = e;
      if (a == J) { /* compressed rows: the entries of up to two bodies */
        while ((int64_t)e >= stored.J_start[row + 1])
          row++;
        const int *pair = data.body + 2 * (row / (size_t)data.together);
        const int column = stored.J_column[e];
        place = 12 * row + (size_t)(pair[0] == column / 6 ? 0 : 6) + (size_t)(column % 6);
      }
      CHECK_SAY(fabs(bar[place] - own[a][e]) <= 1e-7 * most, "problem %d, array %d [%d]: %g and %g",
                k, a, (int)e, bar[place], own[a][e]);
    }
  }
  for (int a = 0; a < ARRAYS; a++)
    free(own[a]);
  perp_derivative_destroy(derivative);
  perp_operator_destroy(matrix);
}

/* Frees the sample, which is number k. */
static void check_gradients(perp_device *device, sample s, int k)
{
  enum { BAD = 5 };
  static double w[COUNT * MOST_ROWS], error[COUNT];
  static int degenerate[COUNT];
  const int count = s.batch.count;
  const size_t n = (size_t)s.batch.n, rows = rows_of(&s.batch), real = sizeof(double);
  const size_t bodies = (size_t)s.w.data.bodies;
  const size_t judged = (size_t)count * sizeof *verdicts;
  const bool world = s.batch.worlds, cones = s.batch.mu;
  const size_t each[ARRAYS] = {n, n, n, n / 3, n * n, 12 * n, 36 * bodies, n};
  const bool wanted[ARRAYS] = {true, !cones, !cones, cones, !world, world, world, world};
  for (size_t i = 0; i < rows; i++)
    w[i] = sin(1.7 * (double)i) + 0.2;
  perp_message why = {""};
  perp_solver *solver = open_solver(s.method);
  placed p = place_batch(device, &s.batch);
  double *y = place(&p, x, rows * real);
  CHECK_SAY(queue(solver, &p, 1e-12, y, &why) == PERP_OK, "%s", why.text);
  CHECK(perp_device_wait(device, NULL) == PERP_OK);
  CHECK(perp_device_download(device, x, p.x, rows * real, NULL) == PERP_OK);
  CHECK(perp_device_download(device, verdicts, p.verdicts, judged, NULL) == PERP_OK);
  for (int j = 0; j < count; j++)
    CHECK_SAY(verdicts[j].outcome == PERP_SOLVED, "sample %d, problem %d: %g", k, j,
              verdicts[j].residual);
  verdicts[BAD].outcome = PERP_STAGNATED; /* as if it were not solved */
  CHECK(perp_device_upload(device, p.verdicts, verdicts, judged, NULL) == PERP_OK);
  double *bars[ARRAYS] = {NULL}, *there[ARRAYS] = {NULL};
  perp_batch_gradient g = perp_batch_gradient_default();
  double **const fields[ARRAYS] = {&g.b, &g.lo, &g.hi, &g.mu, &g.A, &g.J, &g.Minv, &g.C};
  for (int a = 0; a < ARRAYS; a++)
    if (wanted[a]) {
      bars[a] = calloc((size_t)count * each[a], real);
      *fields[a] = there[a] = place(&p, bars[a], (size_t)count * each[a] * real);
    }
  g.error = place(&p, error, sizeof error);
  g.degenerate = place(&p, degenerate, sizeof degenerate);
  const double *w_there = place(&p, w, rows * real);
  const size_t bytes = perp_batch_vjp_bytes(device, &p.batch);
  const bool gpu = strcmp(device_name(), "host") != 0;
  CHECK_SAY((bytes > 0) == (gpu && n > 160), "sample %d: %zu bytes", k, bytes);
  if (bytes > 0) {
    CHECK(perp_batch_vjp(device, &p.batch, p.x, y, p.verdicts, w_there, &g, &why) ==
          PERP_ERROR_ARGUMENT);
    CHECK_SAY(strstr(why.text, "gradient.workspace is NULL"), "%s", why.text);
    CHECK(perp_device_alloc(device, bytes, &g.workspace, NULL) == PERP_OK);
    p.blocks[p.used++] = g.workspace;
  }
  CHECK_SAY(perp_batch_vjp(device, &p.batch, p.x, y, p.verdicts, w_there, &g, &why) == PERP_OK,
            "%s", why.text);
  CHECK(perp_device_wait(device, NULL) == PERP_OK);
  CHECK(perp_device_download(device, error, g.error, sizeof error, NULL) == PERP_OK);
  for (int a = 0; a < ARRAYS; a++)
    CHECK(!bars[a] || perp_device_download(device, bars[a], there[a],
                                           (size_t)count * each[a] * real, NULL) == 0);
  for (int j = 0; j < count; j++) {
    if (j == BAD) { /* every number of it says so */
      for (size_t i = 0; i < n; i++)
        CHECK(isnan(bars[B][(size_t)j * n + i]));
      CHECK(isnan(error[j]));
      continue;
    }
    CHECK_SAY(error[j] <= 1e-12, "sample %d, problem %d: %g", k, j, error[j]);
    compare_gradients(&s, j, x, w, bars, each);
  }
  /* NaN in w of one problem: its gradient says so, the others keep their bits */
  enum { SPOILT = 7 };
  double *again = calloc(rows, real);
  for (size_t i = 0; i < n; i++)
    w[SPOILT * n + i] = NAN;
  CHECK(perp_device_upload(device, (void *)w_there, w, rows * real, NULL) == PERP_OK);
  CHECK(perp_batch_vjp(device, &p.batch, p.x, y, p.verdicts, w_there, &g, &why) == PERP_OK);
  CHECK(perp_device_wait(device, NULL) == PERP_OK);
  CHECK(perp_device_download(device, again, there[B], rows * real, NULL) == PERP_OK);
  CHECK(perp_device_download(device, error, g.error, sizeof error, NULL) == PERP_OK);
  int spoilt = 0;
  for (size_t i = 0; i < n; i++)
    spoilt += isnan(again[SPOILT * n + i]);
  CHECK_SAY(spoilt > 0 && isnan(error[SPOILT]), "sample %d: %d NaN, error %g", k, spoilt,
            error[SPOILT]);
  CHECK(memcmp(again, bars[B], SPOILT * n * real) == 0);
  CHECK(memcmp(again + (SPOILT + 1) * n, bars[B] + (SPOILT + 1) * n,
               ((size_t)count - SPOILT - 1) * n * real) == 0);
  free(again);
  g.zero_unsolved = 1;
  CHECK(perp_batch_vjp(device, &p.batch, p.x, y, p.verdicts, w_there, &g, &why) == PERP_OK);
  CHECK(perp_device_wait(device, NULL) == PERP_OK);
  CHECK(perp_device_download(device, bars[B], there[B], rows * real, NULL) == PERP_OK);
  CHECK(bars[B][BAD * n] == 0 && bars[B][BAD * n + n - 1] == 0);
  g.error = NULL;
  CHECK(perp_batch_vjp(device, &p.batch, p.x, y, p.verdicts, w_there, &g, &why) ==
        PERP_ERROR_ARGUMENT);
  CHECK(perp_batch_vjp(NULL, &p.batch, p.x, y, p.verdicts, w_there, &g, &why) ==
        PERP_ERROR_ARGUMENT);
  for (int a = 0; a < ARRAYS; a++)
    free(bars[a]);
  placed_free(&p);
  perp_solver_destroy(solver);
  sample_free(&s);
}

static void gradients(void)
{
  perp_device *device = open_device();
  for (int k = 0; k < SAMPLES; k++) {
    sample s;
    sample_make(k, &s);
    check_gradients(device, s, k);
  }
  perp_device_destroy(device);
}

/* Worlds of 171 rows, whose matrix does not fit into the memory of a block on a GPU. */
static void gradients_of_large_worlds(void)
{
  perp_device *device = open_device();
  for (int cones = 0; cones < 2; cones++) {
    sample s = world_sample("pile:n=29,layout=random", 9, cones);
    CHECK_SAY(s.batch.n == 171, "%d", s.batch.n);
    s.batch.worlds = &s.w.data;
    check_gradients(device, s, SAMPLES + cones);
  }
  perp_device_destroy(device);
}

static const test_case TESTS[] = {TEST(as_a_batch_that_is_waited_for),
                                  TEST(same_bits_in_any_batch),
                                  TEST(the_bad_one_says_so),
                                  TEST(refusals),
                                  TEST(gradients),
                                  TEST(gradients_of_large_worlds)};
TEST_MAIN(TESTS)
