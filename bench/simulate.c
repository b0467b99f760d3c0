/* simulate.c: scenes in motion against their goals, and beside ODE's own steppers
 *
 *   pile        100 bodies that fall into a box, every step solved to 1e-6
 *   dam         a dam that breaks on 256 x 256 cells: pressure as an LCP, and as a linear equation
 *   step        walls of up to 300 bricks beside dWorldStep, on the same contacts; ODE is ended after a
 *               minute each. With --full 900 bricks as well, and after ten minutes
 *   quickstep   a wall of 900 beside dWorldQuickStep, at equal time
 *
 * All times are those of the processor, of whole steps: collisions, the problem and its solution. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include "kit/numbers.h"

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
  options.check_every = iterations; /* so few sweeps are made whatever they lead to */
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
  m.median = kit_median(steps, times);
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

static void pile(bool full)
{
  (void)full;
  static const struct {
    const char *scene, *method;
  } cases[] = {
      {"discs:n=100,seed=1", "auto"},
      {"discs:n=100,seed=2", "auto"},
      {"discs:n=100,seed=3", "auto"},
      {"discs:n=100,friction=none", "auto"},
      {"pebbles:n=100", "auto"},
      {"pebbles:n=100,friction=none", "auto"},
      {"silo:n=100,outlet=0,friction=none", "auto"},
  };
  enum { STEPS = 400 };
  printf("\n100 bodies fall into a box: milliseconds of each of %d steps, solved to 1e-6\n"
         "%-36s %8s %8s %8s %8s %8s %8s\n",
         STEPS, "", "median", "mean", "of late", "most", "solved", "contacts");
  enum { SEEDS = 3 }; /* of discs with friction, the first cases */
  motion worst = {0};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const motion m = move(cases[k].scene, cases[k].method, 1e-6, 0, STEPS);
    printf("%-36s %8.3f %8.3f %8.3f %8.3f %8d %8d\n", cases[k].scene, m.median, m.mean, m.late,
           m.most, m.solved, m.contacts);
    fflush(stdout);
    if (k < SEEDS) {
      worst.median = fmax(worst.median, m.median);
      worst.late = fmax(worst.late, m.late);
      worst.mean = fmax(worst.mean, m.mean);
    }
  }
  report("discs with friction, the worst seed: median of the steps", worst.median, 1, true);
  report("the same: mean of the second half, where they lie", worst.late, 1, true);
  report("the same: mean of all steps, the fall included", worst.mean, 1, true);
}

/* ---- A wall ---- */

/* The last of steps + 1 steps, cold, beside the same step by ODE: what it found, and took. */
typedef struct last_step {
  int contacts;
  double penetration, ms;
  bool fine; /* solved; of ODE's steps: without complaint */
} last_step;

/* Where limit > 0 the system ends the process after so many seconds of the processor in that step. */
static last_step step_last(const char *scene, int steps, int limit)
{
  perp_options options = perp_options_default();
  perp_simulation *sim = NULL;
  perp_message why = {""};
  perp_step step;
  double begin = 0;
  options.tol = 1e-6;
  options.max_iterations = 1000000;
  if (perp_simulation_create(scene, "nncg", &options, &sim, &why))
    bench_die("%s: %s", scene, why.text);
  for (int k = 0; k <= steps; k++) {
    begin = bench_processor();
    const struct rlimit most = {(rlim_t)(begin + limit + 1), (rlim_t)(begin + limit + 1)};
    if (k == steps && limit > 0 && setrlimit(RLIMIT_CPU, &most))
      bench_die("no limit of time");
    perp_simulation_warm(sim, k < steps);
    if (perp_simulation_step(sim, &step, &why))
      bench_die("%s: %s", scene, why.text);
  }
  const double ms = 1e3 * (bench_processor() - begin);
  perp_simulation_destroy(sim);
  const bool fine = step.outcome == (step.by_ode ? PERP_NOT_RUN : PERP_SOLVED);
  return (last_step){step.contacts, step.penetration, ms, fine};
}

/* The same in a process of its own; false where it was ended. */
static bool step_last_within(const char *scene, int steps, int limit, last_step *last)
{
  int ends[2], status;
  if (pipe(ends))
    bench_die("no pipe");
  fflush(stdout);
  const pid_t child = fork();
  if (child < 0)
    bench_die("no process");
  if (child == 0) {
    const last_step found = step_last(scene, steps, limit);
    _exit(write(ends[1], &found, sizeof found) == sizeof found ? 0 : 1);
  }
  close(ends[1]);
  const bool fine = read(ends[0], last, sizeof *last) == sizeof *last;
  close(ends[0]);
  waitpid(child, &status, 0);
  return fine;
}

/* A step of a wall that has come to rest, from the same state with the same contacts by both, and from
 * forces of 0. The bricks are laid a hair apart, and have to rest: else ODE's pivoting fails. Its time grows
 * with the third power of the contacts or more, so that it is ended after `limit` seconds, and the ratio is
 * then a lower bound. */
static void wall_pivoting(bool full)
{
  static const int sizes[] = {6, 10, 17, 30};
  enum { STEPS = 6, SIZES = sizeof sizes / sizeof *sizes };
  const int limit = full ? 600 : 60;
  printf("\nA wall at rest beside dWorldStep, one step with the same contacts: milliseconds\n"
         "%8s %9s %7s %12s %12s %8s\n",
         "bricks", "contacts", "rows", "dWorldStep", "perp, 1e-6", "ratio");
  double ratio = 0;
  for (int k = 0; k < (full ? SIZES : SIZES - 1); k++) {
    char scene[96], text[128];
    last_step theirs;
    snprintf(scene, sizeof scene, "wall3d:rows=%d,columns=%d,loose=0.001", sizes[k], sizes[k]);
    snprintf(text, sizeof text, "%s,engine=ode-step,after=%d", scene, STEPS);
    const last_step ours = step_last(scene, STEPS, 0);
    printf("%8d %9d %7d", sizes[k] * sizes[k] + sizes[k] / 2, ours.contacts, 3 * ours.contacts);
    fflush(stdout);
    const bool ended = step_last_within(text, STEPS, limit, &theirs);
    if (ended && (theirs.contacts != ours.contacts || theirs.penetration != ours.penetration))
      bench_die("the contacts differ: %d and %d", theirs.contacts, ours.contacts);
    const double ms = ended ? theirs.ms : 1e3 * limit;
    ratio = ours.fine ? ms / ours.ms : 0;
    printf(" %s%11.1f %12.2f %s%7.1f%s%s\n", ended ? " " : ">", ms, ours.ms, ended ? " " : ">",
           ratio, ended && !theirs.fine ? "  dWorldStep fails" : "",
           ours.fine ? "" : "  perp fails");
    fflush(stdout);
  }
  report(full ? "915 bricks: dWorldStep / perp on the same contacts"
              : "297 bricks: dWorldStep / perp on the same contacts",
         ratio, 5, false);
}

static void print_sweeps(const char *name, int sweeps, const motion *m)
{
  printf("%16s %8d %10.2f %12.6f %10.4g\n", name, sweeps, m->mean, m->penetration, m->kinetic);
  fflush(stdout);
}

static void wall_sweeps(bool full)
{
  (void)full;
  static const int sweeps[] = {6, 10, 20, 40, 80};
  enum { STEPS = 100, RUNS = sizeof sweeps / sizeof *sweeps };
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
    print_sweeps("dWorldQuickStep", sweeps[k], &theirs[k]);
    ours[k] = move(scene, "nncg", 1e-6, sweeps[k], STEPS);
    print_sweeps("perp (nncg)", sweeps[k], &ours[k]);
  }
  /* the best of ours in no more time than each of theirs from 10 sweeps on; ODE's own number is 20 */
  double worst = 0;
  for (int k = 1; k < RUNS; k++) {
    double least = INFINITY;
    for (int j = 0; j < RUNS; j++)
      if (ours[j].mean <= theirs[k].mean)
        least = fmin(least, ours[j].penetration);
    worst = fmax(worst, least / theirs[k].penetration);
  }
  report("penetration, perp / dWorldQuickStep, in no more time", worst, 1, true);
}

/* ---- A dam ---- */

static void dam(bool full)
{
  (void)full;
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

/* simulate [PART] [--full] */
int main(int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*body)(bool full);
    bool space;
  } parts[] = {{"pile", pile, false},
               {"dam", dam, false},
               {"step", wall_pivoting, true},
               {"quickstep", wall_sweeps, true}};
  const char *part = "";
  bool full = false;
  for (int k = 1; k < argc; k++)
    if (strcmp(argv[k], "--full") == 0)
      full = true;
    else
      part = argv[k];
  perp_simulation *sim = NULL;
  const bool space = perp_simulation_create("tower3d:n=1", "auto", NULL, &sim, NULL) == PERP_OK;
  perp_simulation_destroy(sim);
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
    if ((!*part || !strcmp(part, parts[k].name)) && (space || !parts[k].space))
      parts[k].body(full);
  return 0;
}
