/* bench.c: clocks, sweeps and solves that are timed */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void bench_die(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  fputs("bench: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(2);
}

double bench_processor(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_read_bandwidth(void)
{
  enum { LANES = 16 };
  static double *array;
  static volatile double sink;
  const size_t count = (size_t)1 << 24; /* 128 MiB */
  if (!array) {
    array = malloc(count * sizeof *array);
    if (!array)
      bench_die("no memory for the bandwidth loop");
    for (size_t i = 0; i < count; i++)
      array[i] = (double)(i % 7);
  }
  const double began = bench_processor();
  double sum[LANES] = {0};
  for (size_t i = 0; i < count; i += LANES)
    for (int k = 0; k < LANES; k++)
      sum[k] += array[i + (size_t)k];
  for (int k = 1; k < LANES; k++)
    sum[0] += sum[k];
  sink = sum[0];
  (void)sink;
  return (double)(count * sizeof *array) / (bench_processor() - began);
}

/* Remembers when the first sweep was done and when the last one was. */
typedef struct {
  int64_t first, last;
  double (*clock)(void);
  double began, ended;
} stopwatch;

static bool watch(void *context, const perp_progress *progress)
{
  stopwatch *w = context;
  if (progress->iteration == w->first)
    w->began = w->clock();
  if (progress->iteration == w->last)
    w->ended = w->clock();
  return true;
}

double bench_sweep_seconds(const char *method, const char *order, const perp_problem *problem,
                           int threads, int sweeps)
{
  perp_solver *solver = NULL;
  perp_result result = perp_result_empty();
  double *x = calloc((size_t)problem->K.n, sizeof *x);
  if (!x || perp_solver_create(method, &solver, &result.message) ||
      perp_solver_set_text(solver, "order", order, &result.message))
    bench_die("%s", result.message.text);
  stopwatch w = {
      .first = 1, .last = 1 + sweeps, .clock = threads > 1 ? bench_now : bench_processor};
  perp_options options = perp_options_default();
  options.tol = 0;
  options.threads = threads;
  options.max_iterations = w.last;
  options.check_every = 1 << 30;
  options.observer = watch;
  options.observer_context = &w;
  if (perp_solver_solve(solver, problem, &options, x, &result))
    bench_die("%s", result.message.text);
  if (result.counts.iterations != w.last)
    bench_die("%s ended after %lld sweeps: %s", method, (long long)result.counts.iterations,
              result.message.text);
  perp_solver_destroy(solver);
  free(x);
  return (w.ended - w.began) / sweeps;
}

/* ---- Solves by CPU time ---- */

typedef struct budget {
  double wall;   /* seconds after which the CPU clock is read, which is slower */
  double finish; /* on that clock */
} budget;

static bool within(void *context, const perp_progress *progress)
{
  const budget *b = context;
  return progress->seconds < b->wall || bench_processor() < b->finish;
}

static perp_options options_at(double tol)
{
  perp_options o = perp_options_default();
  o.tol = tol;
  o.memory_limit = (size_t)1 << 30;
  return o;
}

double bench_solve_from(perp_solver *solver, const perp_problem *p, double tol, double limit,
                        double *x, perp_error *error, perp_result *result)
{
  /* On a busy machine CPU time is shorter than wall time; the method's own limit is wall time, and is
   * stretched by the ratio in the last solves. */
  static double stretch = 1;
  const double began = bench_processor(), began_wall = bench_now();
  budget b = {.wall = limit, .finish = began + limit};
  perp_options o = options_at(tol);
  *result = perp_result_empty();
  o.time_limit = stretch * limit;
  o.check_every = -1; /* as if nobody listened */
  o.observer = within;
  o.observer_context = &b;
  *error = perp_solver_solve(solver, p, &o, x, result);
  const double spent = bench_processor() - began, wall = bench_now() - began_wall;
  if (spent > 0.02)
    stretch = fmin(8, fmax(1, 0.5 * (stretch + 1.1 * wall / spent)));
  return spent;
}

double bench_solve(perp_solver *solver, const perp_problem *p, double tol, double limit, double *x,
                   perp_error *error, perp_result *result)
{
  memset(x, 0, (size_t)p->K.n * sizeof *x);
  return bench_solve_from(solver, p, tol, limit, x, error, result);
}

double bench_solve_batch(perp_solver *solver, const perp_problem *p, double tol, int batch,
                         double *x, perp_error *error, perp_result *result)
{
  const perp_options o = options_at(tol);
  *result = perp_result_empty();
  const double began = bench_processor();
  *error = PERP_OK;
  for (int k = 0; k < batch && !*error; k++) {
    memset(x, 0, (size_t)p->K.n * sizeof *x);
    *error = perp_solver_solve(solver, p, &o, x, result);
  }
  return (bench_processor() - began) / batch;
}
