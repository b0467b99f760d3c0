/* newton.c: the Newton methods beside that of Siconos, and on grids that grow
 *
 * 1. Dense problems on one thread: Siconos' NEWTON_MIN_FBLSA, its fastest, runs to its tolerance and
 *    its answer is judged by perp_check; ours then has to reach that residual. Processor time,
 *    medians of ratios within one round. Siconos runs in a process of its own (peers/client.h), and
 *    is left out without its package.
 * 2. The liquid of `fluid` on a stencil: seconds for each unknown from 128^2 to 512^2 cells, and the
 *    greatest memory that the process ever held. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include "kit/numbers.h"
#include "peers/client.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const char *const methods[] = {"minmap"};

static const char *const dense[] = {
    "pd:n=400",
    "pd:n=400,degenerate=0.2",
    "psd:n=400,ratio=0.3",
    "nonsym:n=400",
    "pmatrix:n=400",
    "scaled:n=400",
    "contact-notes:n=402",
};

static void *take(size_t count, size_t size)
{
  void *block = calloc(count + 1, size);
  if (!block)
    bench_die("no memory for %zu numbers", count);
  return block;
}

static double processor_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds of one solve from zero. */
static double run_ours(perp_solver *solver, const perp_problem *p, double tol, double *x,
                       perp_result *result)
{
  perp_options options = perp_options_default();
  options.tol = tol;
  options.time_limit = 60;
  memset(x, 0, (size_t)p->K.n * sizeof *x);
  const double began = processor_seconds();
  if (perp_solver_solve(solver, p, &options, x, result))
    bench_die("%s", result->message.text);
  return processor_seconds() - began;
}

/* ---- 1. ---- */

/* The residual of what Siconos finds, over scale; infinity where it finds nothing. */
static double run_peer(peer *siconos, const perp_problem *p, double *x, double *seconds)
{
  bool gave_up = false;
  double residual, scale;
  if (!peer_solve(siconos, 1, 1e-10, 20, seconds, x, &gave_up))
    return INFINITY;
  if (perp_check(p, x, &residual, &scale, NULL))
    bench_die("the answer cannot be judged");
  return residual / scale;
}

static void compare(const char *text, const char *method)
{
  perp_instance instance;
  perp_operator *A = NULL;
  perp_message why;
  if (perp_generate(text, &instance, &why) || perp_operator_to_dense(instance.A, 0, &A, &why))
    bench_die("%s: %s", text, why.text);
  perp_problem p = perp_instance_problem(&instance);
  p.A = A;
  const size_t n = (size_t)p.K.n;
  double *x = take(n, sizeof *x), ratio[BENCH_ROUNDS];
  double ours[BENCH_ROUNDS], theirs = 0, reached = INFINITY;
  perp_solver *solver = NULL;
  perp_result result = perp_result_empty();
  if (perp_solver_create(method, &solver, &why))
    bench_die("%s", why.text);
  peer siconos;
  peer_start(&siconos, BENCH_PEERS, "siconos", "newton", &p);
  for (int round = 0; round < BENCH_ROUNDS; round++) {
    if (round == 0 || siconos.state == PEER_ALIVE)
      reached = run_peer(&siconos, &p, x, &theirs);
    const bool solved = reached <= 1e-6;
    ours[round] = run_ours(solver, &p, solved ? fmax(reached, 1e-14) : 1e-8, x, &result);
    ratio[round] = solved ? theirs / ours[round] : INFINITY;
  }
  const double median = kit_median(BENCH_ROUNDS, ratio);
  printf("  %-8s %-26s %8.2f ms  %3d iterations  %.1e %-8s siconos %.1e  ", method, text,
         1e3 * kit_median(BENCH_ROUNDS, ours), (int)result.counts.iterations,
         result.residual / result.scale, perp_outcome_name(result.outcome), reached);
  if (siconos.state == PEER_ABSENT)
    printf("absent\n");
  else if (!isfinite(median))
    printf("not solved (%s)\n", peer_state_name(siconos.state));
  else
    printf("%6.1fx  %s\n", median, median >= 2 ? "met" : "NOT MET");
  fflush(stdout);
  peer_stop(&siconos);
  perp_solver_destroy(solver);
  perp_operator_destroy(A);
  perp_instance_destroy(&instance);
  free(x);
}

/* ---- 2. ---- */

/* Seconds for each unknown; megabytes held by the process at the most. */
static double grow(const char *method, const char *scene, int grid)
{
  enum { ROUNDS = 3 };
  char text[64];
  perp_instance instance;
  perp_message why;
  snprintf(text, sizeof text, "fluid:scene=%s,grid=%d", scene, grid);
  if (perp_generate(text, &instance, &why))
    bench_die("%s: %s", text, why.text);
  const perp_problem p = perp_instance_problem(&instance);
  double *x = take((size_t)p.K.n, sizeof *x), seconds[ROUNDS];
  perp_solver *solver = NULL;
  perp_result result = perp_result_empty();
  if (perp_solver_create(method, &solver, &why))
    bench_die("%s", why.text);
  for (int round = 0; round < ROUNDS; round++)
    seconds[round] = run_ours(solver, &p, 1e-8, x, &result);
  const double each = kit_median(ROUNDS, seconds) / p.K.n;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("  %-8s %-24s n %7d  %3d iterations  %4d products  %6.2f us/unknown  %5.0f MB  %s\n",
         method, text, p.K.n, (int)result.counts.iterations, (int)result.counts.applies, 1e6 * each,
         (double)usage.ru_maxrss / 1024, perp_outcome_name(result.outcome));
  fflush(stdout);
  perp_solver_destroy(solver);
  perp_instance_destroy(&instance);
  free(x);
  return each;
}

int main(void)
{
  static const char *const scenes[] = {"dam", "drop", "tilted"};
  printf("dense, beside Siconos' NEWTON_MIN_FBLSA to the same residual, %d rounds; goal >= 2\n",
         BENCH_ROUNDS);
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
    for (size_t k = 0; k < sizeof dense / sizeof *dense; k++)
      compare(dense[k], methods[m]);
  printf("liquids on a stencil, no matrix; goal: at most 2.2 times from 128 to 512\n");
  for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
    const double few = grow("minmap", scenes[k], 128);
    grow("minmap", scenes[k], 256);
    const double growth = grow("minmap", scenes[k], 512) / few;
    printf("  %-8s %.2fx  %s\n", scenes[k], growth, growth <= 2.2 ? "met" : "NOT MET");
  }
  return 0;
}
