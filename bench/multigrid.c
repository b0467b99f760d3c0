/* multigrid.c: mg on grids: cycles, nanoseconds per unknown, red-black sweeps that take as long, how
 * both grow with the grid, and the price of the bounds
 *
 * A sweep is that of `pgs` in red-black order on the same problem in the same round. The linear
 * equation is the same matrix and right-hand side with every row free. Times are those of a second
 * solve with the same solver, set-up of the hierarchy and all checks included; the processor's, so
 * that other work on the machine counts little. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include "kit/numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIZES = 5, ROUNDS = 3 };

typedef struct family {
  const char *label, *format; /* with the side of the grid */
  int sides[SIZES];           /* 0: no more */
  bool membrane;              /* "points" counts the boundary too */
} family;

static const family families[] = {
    {"obstacle", "obstacle:points=%d", {128, 256, 512, 1024, 2048}, true},
    {"obstacle plain lcp",
     "obstacle:points=%d,variant=plain,form=lcp",
     {128, 256, 512, 1024, 2048},
     true},
    {"obstacle waves", "obstacle:points=%d,variant=waves", {128, 256, 512, 1024, 2048}, true},
    {"torsion", "torsion:points=%d", {128, 256, 512, 1024, 2048}, true},
    {"journal", "journal:grid=%d", {128, 256, 512, 1024, 2048}, false},
    {"fluid dam", "fluid:grid=%d", {128, 256, 512, 1024, 2048}, false},
    {"fluid drop", "fluid:grid=%d,scene=drop", {128, 256, 512, 1024, 2048}, false},
    {"fluid tilted", "fluid:grid=%d,scene=tilted", {128, 256, 512, 1024, 2048}, false},
    {"fluid tank", "fluid:grid=%d,scene=tank", {128, 256, 512, 1024, 2048}, false},
    {"fluid dam 3D", "fluid:grid=%d,dimension=3", {32, 64, 128}, false},
    {"fluid drop 3D", "fluid:grid=%d,dimension=3,scene=drop", {32, 64, 128}, false},
    {"fluid tank 3D", "fluid:grid=%d,dimension=3,scene=tank", {32, 64, 128}, false},
};

typedef struct measured {
  int n;
  int64_t cycles;
  double seconds, sweep, linear; /* linear: of the equation without bounds */
  int64_t linear_cycles;
} measured;

static perp_instance made(const family *f, int side)
{
  char text[128];
  perp_instance instance;
  perp_message why;
  snprintf(text, sizeof text, f->format, side + (f->membrane ? 2 : 0));
  if (perp_generate(text, &instance, &why))
    bench_die("%s: %s", text, why.text);
  return instance;
}

static double processor_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds of so many red-black sweeps, set-up and one check included. */
static double sweeps_timed(const perp_problem *p, int count, double *x)
{
  perp_options o = perp_options_default();
  perp_result r = perp_result_empty();
  perp_solver *solver = NULL;
  o.tol = 0;
  o.max_iterations = count;
  o.check_every = 1 << 30;
  memset(x, 0, (size_t)p->K.n * sizeof *x);
  if (perp_solver_create("pgs", &solver, &r.message) ||
      perp_solver_set_text(solver, "order", "coloured", &r.message))
    bench_die("%s", r.message.text);
  const double begin = processor_now();
  if (perp_solver_solve(solver, p, &o, x, &r))
    bench_die("%s", r.message.text);
  const double seconds = processor_now() - begin;
  perp_solver_destroy(solver);
  return seconds;
}

/* Seconds of a solve from zero; NaN where it is not solved. */
static double timed(perp_solver *solver, const perp_problem *p, double *x, int64_t *cycles)
{
  perp_result r = perp_result_empty();
  memset(x, 0, (size_t)p->K.n * sizeof *x);
  const double begin = processor_now();
  if (perp_solver_solve(solver, p, NULL, x, &r))
    bench_die("%s", r.message.text);
  *cycles = r.counts.cycles;
  return r.outcome == PERP_SOLVED ? processor_now() - begin : NAN;
}

static perp_solver *solver_mg(void)
{
  perp_solver *solver = NULL;
  perp_message why;
  if (perp_solver_create("mg", &solver, &why))
    bench_die("%s", why.text);
  return solver;
}

static measured measure(const family *f, int side)
{
  perp_instance instance = made(f, side);
  const perp_problem p = perp_instance_problem(&instance);
  const size_t n = (size_t)p.K.n;
  double *x = calloc(n, sizeof *x), *lo = malloc(n * sizeof *lo), *hi = malloc(n * sizeof *hi);
  if (!x || !lo || !hi)
    bench_die("no memory for %zu numbers", n);
  for (size_t i = 0; i < n; i++) {
    lo[i] = -INFINITY;
    hi[i] = INFINITY;
  }
  const perp_problem equation = perp_problem_boxed(p.A, p.b, lo, hi);
  perp_solver *bounded = solver_mg(), *linear = solver_mg();
  measured m = {.n = p.K.n};
  double seconds[ROUNDS], sweep[ROUNDS], without[ROUNDS];
  for (int k = -1; k < ROUNDS; k++) { /* the first warms up */
    const double a = timed(bounded, &p, x, &m.cycles);
    const double b = timed(linear, &equation, x, &m.linear_cycles);
    const double c = (sweeps_timed(&p, 41, x) - sweeps_timed(&p, 1, x)) / 40;
    if (k >= 0) {
      seconds[k] = a;
      without[k] = b;
      sweep[k] = c;
    }
  }
  m.seconds = kit_median(ROUNDS, seconds);
  m.linear = kit_median(ROUNDS, without);
  m.sweep = kit_median(ROUNDS, sweep);
  perp_solver_destroy(bounded);
  perp_solver_destroy(linear);
  free(x);
  free(lo);
  free(hi);
  perp_instance_destroy(&instance);
  return m;
}

/* Slope of log seconds over log n. */
static double exponent(int count, const measured *m)
{
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (int k = 0; k < count; k++) {
    const double a = log(m[k].n), b = log(m[k].seconds);
    sx += a;
    sy += b;
    sxx += a * a;
    sxy += a * b;
  }
  return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

static void bench_family(const family *f, int most)
{
  measured m[SIZES];
  int count = 0;
  double least = INFINITY, worst = 0;
  for (; count < SIZES && f->sides[count] > 0 && f->sides[count] <= most; count++) {
    m[count] = measure(f, f->sides[count]);
    least = fmin(least, (double)m[count].cycles);
    worst = fmax(worst, (double)m[count].cycles);
    printf("%-20s %5d %9d %7lld %10.1f %8.1f %9.2f\n", f->label, f->sides[count], m[count].n,
           (long long)m[count].cycles, 1e9 * m[count].seconds / m[count].n,
           m[count].seconds / m[count].sweep, m[count].seconds / m[count].linear);
    fflush(stdout);
  }
  if (count > 1)
    printf("%-20s cycles x %.2f (goal <= 1.30), time ~ n^%.2f (goal <= 1.10)\n", "", worst / least,
           exponent(count, m));
}

/* In a process of its own: the greatest amount of memory that it ever had. */
static void bench_memory(void)
{
  fflush(stdout);
  const pid_t child = fork();
  if (child < 0)
    bench_die("fork fails");
  if (child == 0) {
    const family f = {"", "obstacle:points=%d,variant=plain,form=lcp", {4096}, true};
    perp_instance instance = made(&f, 4096);
    const perp_problem p = perp_instance_problem(&instance);
    perp_solver *solver = solver_mg();
    double *x = calloc((size_t)p.K.n, sizeof *x);
    int64_t cycles;
    if (!x)
      bench_die("no memory");
    const double seconds = timed(solver, &p, x, &cycles);
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    printf("4096^2 unknowns: %lld cycles, %.1f s, %.2f GiB at the most (goal <= 2.50)\n",
           (long long)cycles, seconds, (double)use.ru_maxrss / (1 << 20));
    fflush(stdout);
    _exit(0);
  }
  waitpid(child, NULL, 0);
}

/* multigrid [SIDE]: grids up to that side */
int main(int argc, char **argv)
{
  const int most = argc > 1 ? atoi(argv[1]) : 2048;
  printf("mg to a relative natural residual of 1e-8, one thread\n%-20s %5s %9s %7s %10s %8s %9s\n",
         "", "side", "n", "cycles", "ns/unknown", "sweeps", "/ linear");
  for (size_t k = 0; k < sizeof families / sizeof *families; k++)
    bench_family(&families[k], most);
  if (most >= 2048)
    bench_memory();
  return 0;
}
