/* batch_worlds.c: many contact worlds in one call: on one CPU thread and on a device
 *
 * Each case has `problems` worlds of the generator with other seeds, solved to 1e-6 by coloured
 * sweeps (`steps`) with relaxation 1.4, at most 1000 of them, since a call lasts until its slowest world
 * ends, and some worlds cycle. This relaxation has the least mean number of steps among
 * 1.2, 1.3, 1.35, 1.4, 1.45, 1.5 and 1.6 on the seeds 200001 to 201000 of n=17, none of which is
 * measured here. Five ways: the CPU, with an eighth of the worlds; a device that holds all
 * arrays, and judges; that device with sweeps in single precision, without and with a limit of 300; and
 * a device to which everything is copied, with the verdict on the CPU. `G flop/s` counts only the
 * multiply-adds of the sweeps, two operations each, 12 for G u and 12 for G^T d in a row. Compare it
 * with the double precision rate of the device, not with its bandwidth: a world is read once and stays
 * in a multiprocessor. */
#include "bench.h"
#include "kit/numbers.h"
#include "suite.h"
#include "worlds.h"

#include <stdio.h>

enum { ROUNDS = 5, WAYS = 5, ARRAYS = 8 };
enum { PROCESSOR, THERE, SINGLE, BRIEF, COPIED }; /* ways */

typedef struct crowd {
  const bench_task *t;
  worlds w;
  double *x;
  perp_batch_end *each;
  perp_device *device;
  perp_solver *solver;
  void *there[ARRAYS], *x_device;
  double wall[WAYS][ROUNDS + 1], kernel[WAYS][ROUNDS + 1];
  perp_result result[WAYS];
} crowd;

static perp_error draw(crowd *c, int count)
{
  perp_error error = PERP_OK;
  for (int k = 0; k < count && !error; k++) {
    char text[300];
    snprintf(text, sizeof text, "%s,seed=%d", c->t->text, k + 1);
    error = worlds_generate(&c->w, text, c->t->why);
  }
  if (error)
    return error;
  c->x = malloc((size_t)c->w.all_rows * sizeof *c->x);
  c->each = malloc((size_t)count * sizeof *c->each);
  return c->x && c->each ? PERP_OK : PERP_ERROR_MEMORY;
}

/* A copy of an array on the device. */
static perp_error put(crowd *c, const void *array, size_t bytes, void **there)
{
  const perp_error error = perp_device_alloc(c->device, bytes, there, c->t->why);
  return error ? error : perp_device_upload(c->device, *there, array, bytes, c->t->why);
}

static perp_error place(crowd *c)
{
  const worlds *w = &c->w;
  const size_t rows = (size_t)w->all_rows, real = sizeof(double);
  const struct {
    const void *array;
    size_t bytes;
  } arrays[ARRAYS] = {{w->body, 2 * rows * sizeof *w->body},
                      {w->J, 12 * rows * real},
                      {w->Minv, 36 * (size_t)w->all_bodies * real},
                      {w->C, rows * real},
                      {w->b, rows * real},
                      {w->lo, rows * real},
                      {w->hi, rows * real},
                      {w->findex, rows * sizeof *w->findex}};
  perp_error error =
      perp_device_create(c->t->s->device ? c->t->s->device : "host", &c->device, c->t->why);
  for (int k = 0; k < ARRAYS && !error; k++)
    error = put(c, arrays[k].array, arrays[k].bytes, &c->there[k]);
  return error ? error : perp_device_alloc(c->device, rows * real, &c->x_device, c->t->why);
}

/* One call, from x = 0; *count worlds. */
static perp_error call(crowd *c, int way, int *count, double *wall, double *kernel)
{
  const size_t bytes = (size_t)c->w.all_rows * sizeof(double);
  *count = way == PROCESSOR ? (c->w.count + 7) / 8 : c->w.count;
  perp_batch batch = worlds_batch(&c->w, *count);
  perp_options o = perp_options_default();
  perp_result *r = &c->result[way];
  double *x = c->x;
  perp_error error = PERP_OK;
  memset(c->x, 0, bytes);
  if (way == THERE || way == SINGLE || way == BRIEF) {
    c->w.data.body = c->there[0];
    c->w.data.J = c->there[1];
    c->w.data.Minv = c->there[2];
    c->w.data.C_diagonal = c->there[3];
    batch.b = c->there[4];
    batch.lo = c->there[5];
    batch.hi = c->there[6];
    batch.findex = c->there[7];
    x = c->x_device;
    error = perp_device_upload(c->device, x, c->x, bytes, c->t->why);
  }
  o.tol = 1e-6;
  o.max_iterations = way == BRIEF ? 300 : 1000;
  o.device = way == PROCESSOR ? NULL : c->device;
  perp_device_set_judge(c->device, way == COPIED ? PERP_JUDGE_HOST : PERP_JUDGE_DEVICE);
  perp_device_set_precision(c->device, way == SINGLE || way == BRIEF ? PERP_PRECISION_SINGLE
                                                                     : PERP_PRECISION_DOUBLE);
  *r = perp_result_empty();
  *kernel = perp_device_facts(c->device).kernel_seconds;
  *wall = bench_now();
  if (!error)
    error = perp_batch_solve(c->solver, &batch, &o, x, c->each, r);
  *wall = (bench_now() - *wall) / *count;
  *kernel = (perp_device_facts(c->device).kernel_seconds - *kernel) / *count;
  if (error)
    *c->t->why = r->message;
  return error;
}

static perp_error tell(const crowd *c, int way, int count, int solved)
{
  static const char *const names[] = {"n",  "problems",  "solved",       "worst",    "steps",
                                      "us", "kernel us", "times faster", "G flop/s", "most steps"};
  char title[40];
  const double rows = (double)c->w.all_rows / c->w.count;
  const double sweeps = (double)c->result[way].counts.sweeps / count;
  const double wall = kit_median(ROUNDS, (double *)c->wall[way] + 1);
  const double kernel = way == PROCESSOR ? NAN : kit_median(ROUNDS, (double *)c->kernel[way] + 1);
  int64_t most = 0;
  for (int k = 0; k < count; k++)
    most = c->each[k].iterations > most ? c->each[k].iterations : most;
  snprintf(title, sizeof title,
           way == PROCESSOR ? "processor"
           : way == THERE   ? "%s, data there"
           : way == SINGLE  ? "%s, single, data there"
           : way == BRIEF   ? "%s, single, at most 300"
                            : "%s, from the host",
           perp_device_facts(c->device).name);
  const double values[] = {rows,
                           count,
                           solved,
                           c->result[way].relative_residual,
                           sweeps,
                           1e6 * wall,
                           1e6 * kernel,
                           kit_median(ROUNDS, (double *)c->wall[0] + 1) / wall,
                           48e-9 * rows * sweeps / (way == PROCESSOR ? wall : kernel),
                           (double)most};
  return bench_add_figures(c->t, title, 10, names, values);
}

perp_error bench_batch_worlds(const bench_task *t)
{
  crowd c = {.t = t};
  perp_error error = draw(&c, t->s->size == BENCH_QUICK ? 64 : 8192);
  if (!error)
    error = place(&c);
  if (!error)
    error = perp_solver_create("coloured", &c.solver, t->why);
  if (!error)
    error = perp_solver_set(c.solver, "omega", 1.4, t->why);
  for (int way = 0; way < WAYS && !error; way++) {
    int count = 0, solved = 0;
    for (int k = 0; k <= ROUNDS && !error; k++) /* the first warms up */
      error = call(&c, way, &count, &c.wall[way][k], &c.kernel[way][k]);
    for (int p = 0; p < count && !error; p++)
      solved += c.each[p].outcome == PERP_SOLVED;
    if (!error)
      error = tell(&c, way, count, solved);
  }
  for (int k = 0; k < ARRAYS; k++)
    perp_device_free(c.device, c.there[k]);
  perp_device_free(c.device, c.x_device);
  perp_solver_destroy(c.solver);
  perp_device_destroy(c.device);
  worlds_free(&c.w);
  free(c.x);
  free(c.each);
  return error;
}
