/* simulate.c: scenes in motion against their goals, and beside ODE's own steppers
 *
 *   pile        100 bodies that fall into a box, every step solved to 1e-6
 *   dam         a dam that breaks on 256 x 256 cells: pressure as an LCP, and as a linear equation
 *   step        a wall of 900 bricks beside dWorldStep
 *   quickstep   the same beside dWorldQuickStep, at equal time
 *
 * All times are those of the processor, of whole steps: collisions, the problem and its solution. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <math.h>
#include <perp/simulate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct motion {
  int steps, solved;
  double median, mean, most;   /* milliseconds of a step */
  double late;                 /* the mean over the second half */
  double penetration, kinetic; /* the deepest of all steps, and at the end */
  double residual;             /* the worst */
  int contacts;                /* of the last step */
} motion;

/* Solved to tol in at most so many iterations, 0: as many as the method takes at most. */
static motion move(const char *scene, const char *method, double tol, int iterations, int steps)
{
  perp_options options = perp_options_default();
  perp_simulation *sim = NULL;
  perp_message why = {""};
  double *times = calloc((size_t)steps, sizeof *times);
  options.tol = tol;
  options.max_iterations = iterations;
  if (!times || perp_simulation_create(scene, method, &options, &sim, &why))
    bench_die("%s: %s", scene, why.text);
  motion m = {.steps = steps};
  for (int k = 0; k < steps; k++) {
    perp_step step;
    const double begin = bench_processor();
    if (perp_simulation_step(sim, &step, &why))
      bench_die("%s: %s", scene, why.text);
    times[k] = 1e3 * (bench_processor() - begin);
    m.mean += times[k] / steps;
    m.late += 2 * k >= steps ? times[k] / (steps - (steps + 1) / 2) : 0;
    m.most = fmax(m.most, times[k]);
    m.solved += step.outcome == PERP_SOLVED;
    m.penetration = fmax(m.penetration, step.penetration);
    m.residual = fmax(m.residual, step.residual);
    m.kinetic = step.kinetic;
    m.contacts = step.contacts;
  }
  m.median = bench_median(steps, times);
  perp_simulation_destroy(sim);
  free(times);
  return m;
}

static void report(const char *what, double value, double goal, bool at_most)
{
  const bool met = at_most ? value <= goal : value >= goal;
  printf("  %-58s %8.3g  goal %s %g  %s\n", what, value, at_most ? "<=" : ">=", goal,
         met ? "met" : "NOT MET");
  fflush(stdout);
}

/* ---- A pile of 100 ---- */

static void pile(void)
{
  static const struct {
    const char *scene, *method;
  } cases[] = {
      {"discs:n=100,friction=none", "auto"},
      {"discs:n=100", "auto"},
      {"pebbles:n=100,friction=none", "auto"},
      {"silo:n=100,outlet=0,friction=none", "auto"},
  };
  enum { STEPS = 400 };
  printf("\n100 bodies fall into a box: milliseconds of each of %d steps, solved to 1e-6\n"
         "%-36s %8s %8s %8s %8s %8s %8s\n",
         STEPS, "", "median", "mean", "of late", "most", "solved", "contacts");
  motion first = {0};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const motion m = move(cases[k].scene, cases[k].method, 1e-6, 0, STEPS);
    printf("%-36s %8.3f %8.3f %8.3f %8.3f %8d %8d\n", cases[k].scene, m.median, m.mean, m.late,
           m.most, m.solved, m.contacts);
    fflush(stdout);
    if (k == 1)
      first = m;
  }
  report("discs with friction: median of the steps", first.median, 1, true);
  report("discs with friction: mean of the second half, where they lie", first.late, 1, true);
  report("discs with friction: mean of all steps, the fall included", first.mean, 1, true);
}

/* ---- A wall ---- */

typedef struct pivoted {
  int contacts;
  double ms;
} pivoted;

/* A step by ODE's pivoting with the most contacts that it comes to: after `limit` seconds of the
 * processor the process that makes the steps is ended by the system, in the middle of one. */
static pivoted move_pivoting(const char *scene, int steps, int limit, bool *ended)
{
  int ends[2];
  if (pipe(ends))
    bench_die("no pipe");
  fflush(stdout);
  const pid_t child = fork();
  if (child < 0)
    bench_die("no process");
  if (child == 0) {
    perp_simulation *sim = NULL;
    perp_step step;
    const struct rlimit most = {(rlim_t)limit, (rlim_t)limit};
    if (setrlimit(RLIMIT_CPU, &most) || perp_simulation_create(scene, "auto", NULL, &sim, NULL))
      _exit(1);
    for (int k = 0; k < steps; k++) {
      const double begin = bench_processor();
      if (perp_simulation_step(sim, &step, NULL))
        _exit(1);
      const pivoted p = {step.contacts, 1e3 * (bench_processor() - begin)};
      if (write(ends[1], &p, sizeof p) != sizeof p)
        _exit(1);
    }
    _exit(0);
  }
  close(ends[1]);
  pivoted most = {0}, p;
  int status;
  while (read(ends[0], &p, sizeof p) == sizeof p)
    if (p.contacts >= most.contacts)
      most = p;
  close(ends[0]);
  *ended = waitpid(child, &status, 0) == child && WIFEXITED(status);
  return most;
}

/* The bricks are laid a hair apart: where they touch exactly, ODE's pivoting fails. */
static void wall_pivoting(void)
{
  static const int sizes[] = {4, 6, 8, 30};
  enum { LIMIT = 25, SWEEPS = 40, STEPS = 40, SMALL = 8 };
  printf("\nA wall beside dWorldStep: milliseconds of a step\n%8s %9s %12s | %9s %10s %10s\n",
         "bricks", "contacts", "dWorldStep", "contacts", "40 sweeps", "to 1e-6");
  double ratio = 0;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    char scene[96], text[120];
    bool ended;
    snprintf(scene, sizeof scene, "wall3d:rows=%d,columns=%d,loose=0.001", sizes[k], sizes[k]);
    snprintf(text, sizeof text, "%s,engine=ode-step", scene);
    const pivoted theirs = move_pivoting(text, sizes[k] + 6, LIMIT, &ended);
    const motion m = move(scene, "nncg", 1e-6, SWEEPS, STEPS);
    printf("%8d %9d %12.1f | %9d %10.2f", sizes[k] * sizes[k] + sizes[k] / 2, theirs.contacts,
           theirs.ms, m.contacts, m.mean);
    if (sizes[k] <= SMALL)
      printf(" %10.2f", move(scene, "auto", 1e-6, 0, STEPS).mean);
    printf("%s\n", ended ? "" : "  (ended there, contacts were to come)");
    fflush(stdout);
    ratio = theirs.ms / m.mean;
  }
  report("915 bricks: dWorldStep with a part of the contacts / perp", ratio, 5, false);
}

static void wall_sweeps(void)
{
  static const int sweeps[] = {10, 20, 40, 80};
  enum { STEPS = 100, RUNS = 4 };
  const char *const scene = "wall3d:rows=30,columns=30,loose=0";
  motion ours[RUNS], theirs[RUNS];
  printf(
      "\n915 bricks beside dWorldQuickStep, %d steps: what each number of sweeps takes and leaves\n"
      "%16s %8s %10s %12s %10s\n",
      STEPS, "", "sweeps", "ms a step", "penetration", "kinetic");
  for (int k = 0; k < RUNS; k++) {
    char text[120];
    snprintf(text, sizeof text, "%s,engine=ode-quickstep,iterations=%d", scene, sweeps[k]);
    theirs[k] = move(text, "auto", 1e-6, 0, STEPS);
    ours[k] = move(scene, "nncg", 1e-6, sweeps[k], STEPS);
    printf("%16s %8d %10.2f %12.6f %10.4g\n", "dWorldQuickStep", sweeps[k], theirs[k].mean,
           theirs[k].penetration, theirs[k].kinetic);
    printf("%16s %8d %10.2f %12.6f %10.4g\n", "perp (nncg)", sweeps[k], ours[k].mean,
           ours[k].penetration, ours[k].kinetic);
    fflush(stdout);
  }
  /* the best of ours in no more time than each of theirs */
  double worst = 0;
  for (int k = 0; k < RUNS; k++) {
    double least = INFINITY;
    for (int j = 0; j < RUNS; j++)
      if (ours[j].mean <= theirs[k].mean)
        least = fmin(least, ours[j].penetration);
    if (least < INFINITY)
      worst = fmax(worst, least / theirs[k].penetration);
  }
  report("penetration, perp / dWorldQuickStep, in no more time", worst, 1, true);
}

/* ---- A dam ---- */

static void dam(void)
{
  static const char *const methods[] = {"auto", "mprgp", "gpcg", "mg"};
  enum { STEPS = 20, METHODS = sizeof methods / sizeof *methods };
  printf("\nA dam on 256 x 256 cells, %d steps solved to 1e-6: milliseconds of a step, medians\n"
         "%-8s %10s %10s %8s %8s\n",
         STEPS, "", "linear", "LCP", "ratio", "solved");
  double linear = INFINITY, lcp = INFINITY;
  for (int k = 0; k < METHODS; k++) {
    const motion a = move("dam:cells=256,walls=stick", methods[k], 1e-6, 0, STEPS);
    const motion b = move("dam:cells=256,walls=separate", methods[k], 1e-6, 0, STEPS);
    printf("%-8s %10.2f %10.2f %8.2f %5d/%d\n", methods[k], a.median, b.median, b.median / a.median,
           a.solved, b.solved);
    fflush(stdout);
    if (a.solved == STEPS)
      linear = fmin(linear, a.median);
    if (b.solved == STEPS)
      lcp = fmin(lcp, b.median);
  }
  report("the best LCP over the best linear pressure", lcp / linear, 1.3, true);
}

int main(int argc, char **argv)
{
  const char *const part = argc > 1 ? argv[1] : "";
  static const struct {
    const char *name;
    void (*body)(void);
    bool space;
  } parts[] = {{"pile", pile, false},
               {"dam", dam, false},
               {"step", wall_pivoting, true},
               {"quickstep", wall_sweeps, true}};
  perp_simulation *sim = NULL;
  const bool space = perp_simulation_create("tower3d:n=1", "auto", NULL, &sim, NULL) == PERP_OK;
  perp_simulation_destroy(sim);
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
    if ((!*part || !strcmp(part, parts[k].name)) && (space || !parts[k].space))
      parts[k].body();
  return 0;
}
