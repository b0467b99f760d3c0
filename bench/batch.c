/* batch.c: many small dense problems in one call: on one CPU thread and on a device
 *
 * Each case has `problems` matrices of the generator, each with a b drawn from (-1, 1): more
 * steps than the generator's own, in which half of the rows are planted. Three ways: the
 * CPU; a device that holds A, b and x, and judges; and a device to which everything is copied from CPU
 * memory, with the verdict on the CPU. Times are wall times of a whole call divided by the number of
 * problems, medians of alternating rounds; `kernel us` is the kernel time that the device reports. */
#include "bench.h"
#include "kit/numbers.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 5, WAYS = 3 };

typedef struct many {
  const bench_task *t;
  int n, count;
  double *A, *b, *x;
  perp_batch_end *each;
  perp_device *device;
  void *A_there, *b_device, *x_device;
  perp_solver *solver;
  double wall[WAYS][ROUNDS + 1], kernel[WAYS][ROUNDS + 1];
  perp_result result[WAYS];
} many;

/* The problem of the task with other seeds; the matrices one after another. */
static perp_error draw(many *m)
{
  const bench_task *t = m->t;
  uint64_t state = 1;
  perp_error error = PERP_OK;
  for (int k = 0; k < m->count && !error; k++) {
    char text[300];
    perp_instance one;
    const double *a;
    int64_t stride;
    snprintf(text, sizeof text, "%s,seed=%d", t->text, k + 1);
    error = perp_generate(text, &one, t->why);
    if (error)
      break;
    if (perp_operator_size(one.A) != m->n || one.lo || one.hi ||
        perp_operator_dense_array(one.A, &a, &stride)) {
      snprintf(t->why->text, sizeof t->why->text, "%.100s: not dense, or not an LCP", text);
      error = PERP_ERROR_UNSUPPORTED;
    }
    for (int i = 0; i < m->n && !error; i++)
      memcpy(m->A + ((size_t)k * (size_t)m->n + (size_t)i) * (size_t)m->n, a + i * stride,
             (size_t)m->n * sizeof *a);
    for (int i = 0; i < m->n && !error; i++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      m->b[(size_t)k * (size_t)m->n + (size_t)i] = (double)(state >> 40) / (1 << 23) - 1;
    }
    perp_instance_destroy(&one);
  }
  return error;
}

static perp_error place(many *m)
{
  const size_t vector = (size_t)m->count * (size_t)m->n * sizeof(double);
  const size_t matrix = vector * (size_t)m->n;
  perp_message *why = m->t->why;
  perp_error error =
      perp_device_create(m->t->s->device ? m->t->s->device : "host", &m->device, why);
  if (!error)
    error = perp_device_alloc(m->device, matrix, &m->A_there, why);
  if (!error)
    error = perp_device_alloc(m->device, vector, &m->b_device, why);
  if (!error)
    error = perp_device_alloc(m->device, vector, &m->x_device, why);
  if (!error)
    error = perp_device_upload(m->device, m->A_there, m->A, matrix, why);
  return error ? error : perp_device_upload(m->device, m->b_device, m->b, vector, why);
}

/* Solves the batch once from x = 0. */
static perp_error call(many *m, int way, double *wall, double *kernel)
{
  const size_t bytes = (size_t)m->count * (size_t)m->n * sizeof(double);
  const bool there = way == 1;
  perp_batch batch = perp_batch_dense(m->count, m->n, m->A, m->b);
  perp_options o = perp_options_default();
  double *x = m->x;
  memset(m->x, 0, bytes);
  if (there) {
    batch = perp_batch_dense(m->count, m->n, m->A_there, m->b_device);
    x = m->x_device;
    const perp_error error = perp_device_upload(m->device, x, m->x, bytes, m->t->why);
    if (error)
      return error;
  }
  o.device = way > 0 ? m->device : NULL;
  perp_device_set_judge(m->device, there ? PERP_JUDGE_DEVICE : PERP_JUDGE_HOST);
  perp_result *r = &m->result[way];
  *kernel = perp_device_facts(m->device).kernel_seconds;
  *wall = bench_now();
  const perp_error error = perp_batch_solve(m->solver, &batch, &o, x, m->each, r);
  *wall = bench_now() - *wall;
  *kernel = perp_device_facts(m->device).kernel_seconds - *kernel;
  if (error)
    *m->t->why = r->message;
  return error;
}

/* One round. With its data there a device is done before its clocks have risen: the median of
 * many calls. */
static perp_error play(many *m, int way, int round)
{
  enum { TURNS = 51 };
  double wall[TURNS], kernel[TURNS];
  const int turns = way == 1 && m->t->s->size != BENCH_QUICK ? TURNS : 1;
  perp_error error = PERP_OK;
  for (int k = 0; k < turns && !error; k++)
    error = call(m, way, &wall[k], &kernel[k]);
  if (!error) {
    m->wall[way][round] = kit_median(turns, wall);
    m->kernel[way][round] = kit_median(turns, kernel);
  }
  return error;
}

static perp_error tell(many *m, int way, int solved)
{
  static const char *const names[] = {"n",     "problems", "solved",    "worst",
                                      "steps", "us",       "kernel us", "times faster"};
  char title[32];
  const char *device = perp_device_facts(m->device).name;
  const double each = 1e6 / m->count;
  double ratio[ROUNDS];
  snprintf(title, sizeof title,
           way == 0   ? "processor"
           : way == 1 ? "%s, data there"
                      : "%s, from the host",
           device);
  for (int k = 0; k < ROUNDS; k++)
    ratio[k] = m->wall[0][k + 1] / m->wall[way][k + 1];
  const double values[] = {m->n,
                           m->count,
                           solved,
                           m->result[way].relative_residual,
                           (double)m->result[way].counts.iterations / m->count,
                           each * kit_median(ROUNDS, m->wall[way] + 1),
                           way == 0 ? NAN : each * kit_median(ROUNDS, m->kernel[way] + 1),
                           kit_median(ROUNDS, ratio)};
  return bench_add_figures(m->t, title, 8, names, values);
}

static perp_error measure(many *m)
{
  perp_error error = perp_solver_create("blockpivot", &m->solver, m->t->why);
  int solved[WAYS] = {0};
  for (int k = 0; k <= ROUNDS && !error; k++) /* the first warms up */
    for (int way = 0; way < WAYS && !error; way++) {
      m->result[way] = perp_result_empty();
      error = play(m, way, k);
      solved[way] = 0;
      for (int p = 0; p < m->count && !error; p++)
        solved[way] += m->each[p].outcome == PERP_SOLVED;
    }
  for (int way = 0; way < WAYS && !error; way++)
    error = tell(m, way, solved[way]);
  return error;
}

perp_error bench_batch(const bench_task *t)
{
  if (strcmp(perp_operator_kind(t->p.A), "contact") == 0)
    return bench_batch_worlds(t);
  many m = {.t = t, .n = t->p.K.n, .count = t->s->size == BENCH_QUICK ? 512 : 8192};
  const size_t rows = (size_t)m.count * (size_t)m.n;
  m.A = malloc(rows * (size_t)m.n * sizeof *m.A);
  m.b = malloc(rows * sizeof *m.b);
  m.x = malloc(rows * sizeof *m.x);
  m.each = malloc((size_t)m.count * sizeof *m.each);
  perp_error error = m.A && m.b && m.x && m.each ? draw(&m) : PERP_ERROR_MEMORY;
  if (!error)
    error = place(&m);
  if (!error)
    error = measure(&m);
  perp_device_free(m.device, m.A_there);
  perp_device_free(m.device, m.b_device);
  perp_device_free(m.device, m.x_device);
  perp_solver_destroy(m.solver);
  perp_device_destroy(m.device);
  free(m.A);
  free(m.b);
  free(m.x);
  free(m.each);
  return error;
}
