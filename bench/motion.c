/* motion.c: scenes in motion: structures with exact friction that must stand or fall, and scenes
 * compared with ODE's engine or with another formulation
 *
 * Each run is a separate process, killed at its time limit: the time of dWorldStep grows with the third
 * power of the contacts or more. (A limit set by setrlimit makes the CPU clock coarse.) Times are for
 * whole steps: collisions, the problem and its solution to 1e-6, or to 1e-8 with an expected end. The last step
 * of the others starts from impulses of 0, as each step of ODE does, and is reported separately. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"
#include "kit/numbers.h"
#include "suite.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The expected end: the potential energy stays, or falls by a hundredth. */
typedef enum expected { ANY, STANDS, FALLS, COMES_TO_REST } expected;

typedef struct scene {
  bench_size from; /* the size of a run from which it takes part */
  const char *text, *method;
  const char *beside; /* the same by another engine, or as another problem; NULL: none */
  int steps;
  int sweeps; /* limit for a step; 0: none */
  expected end;
} scene;

/* A wall at rest, one step of it by dWorldStep: its bricks lie a hair apart, else the pivoting of
 * ODE fails. */
#define AT_REST(from, side)                                                                        \
  {                                                                                                \
    from, "wall3d:rows=" side ",columns=" side ",loose=0.001", "nncg",                             \
        "wall3d:rows=" side ",columns=" side ",loose=0.001,engine=ode-step,after=6", 7, 0, ANY     \
  }
/* 915 bricks, with `count` sweeps in each step, by nncg and by dWorldQuickStep. */
#define SWEEPS(from, count)                                                                        \
  {                                                                                                \
    from, "wall3d:rows=30,columns=30,loose=0", "nncg",                                             \
        "wall3d:rows=30,columns=30,loose=0,engine=ode-quickstep,iterations=" #count, 100, count,   \
        ANY                                                                                        \
  }
/* Pressure as an LCP, compared with a linear equation. */
#define DAM(from, method)                                                                          \
  {                                                                                                \
    from, "dam:cells=256,walls=separate", method, "dam:cells=256,walls=stick", 20, 0, ANY          \
  }
/* Exact friction at 240 steps a second: all steps are solved to 1e-8. */
#define EXACT(from, text, steps, end)                                                              \
  {                                                                                                \
    from, text ",friction=cone,h=0.00416666666666666667", "auto", NULL, steps, 0, end              \
  }
static const scene scenes[] = {
    EXACT(BENCH_QUICK, "cards:levels=4", 2400, STANDS),
    EXACT(BENCH_QUICK, "cards:levels=5", 2400, STANDS),
    EXACT(BENCH_NORMAL, "cards:levels=10", 2400, STANDS),
    EXACT(BENCH_NORMAL, "cards:levels=4,mu=0.5", 1200, FALLS),
    EXACT(BENCH_QUICK, "cards:levels=4,ball=yes", 1200, FALLS),
    EXACT(BENCH_QUICK, "arch3d:n=25", 2400, STANDS),
    EXACT(BENCH_NORMAL, "arch3d:n=101,thick=0.15", 2400, STANDS),
    EXACT(BENCH_QUICK, "arch3d:n=25,ball=yes", 1200, FALLS),
    EXACT(BENCH_NORMAL, "arch3d:n=25,knock=60", 600, FALLS),
    EXACT(BENCH_QUICK, "incline:slope=0.499999999", 1200, STANDS),
    EXACT(BENCH_QUICK, "incline:slope=0.7", 240, FALLS),
    EXACT(BENCH_QUICK, "backspin:spin=40", 600, ANY),
    EXACT(BENCH_QUICK, "turntable:spin=2.5", 600, STANDS),
    EXACT(BENCH_QUICK, "painleve:mu=2", 1200, COMES_TO_REST),
    EXACT(BENCH_NORMAL, "ragdolls:n=4", 1200, FALLS),
    {BENCH_QUICK, "discs:n=100,seed=1", "auto", NULL, 400, 0, ANY},
    {BENCH_NORMAL, "discs:n=100,seed=2", "auto", NULL, 400, 0, ANY},
    {BENCH_NORMAL, "discs:n=100,seed=3", "auto", NULL, 400, 0, ANY},
    {BENCH_QUICK, "discs:n=100,friction=none", "auto", NULL, 400, 0, ANY},
    {BENCH_QUICK, "pebbles:n=100", "auto", NULL, 400, 0, ANY},
    {BENCH_NORMAL, "pebbles:n=100,friction=none", "auto", NULL, 400, 0, ANY},
    {BENCH_NORMAL, "silo:n=100,outlet=0,friction=none", "auto", NULL, 400, 0, ANY},
    {BENCH_FULL, "wall3d:rows=20", "auto", NULL, 150, 0, ANY},
    {BENCH_FULL, "silo:n=2000", "auto", NULL, 150, 0, ANY},
    {BENCH_FULL, "discs:n=1000", "auto", NULL, 300, 0, ANY},
    DAM(BENCH_QUICK, "auto"),
    DAM(BENCH_NORMAL, "mprgp"),
    DAM(BENCH_NORMAL, "gpcg"),
    DAM(BENCH_NORMAL, "mg"),
    AT_REST(BENCH_QUICK, "6"),
    AT_REST(BENCH_NORMAL, "10"),
    AT_REST(BENCH_NORMAL, "17"),
    AT_REST(BENCH_FULL, "30"),
    SWEEPS(BENCH_NORMAL, 6),
    SWEEPS(BENCH_NORMAL, 10),
    SWEEPS(BENCH_QUICK, 20),
    SWEEPS(BENCH_NORMAL, 40),
    SWEEPS(BENCH_NORMAL, 80),
};

typedef struct motion {
  perp_error error;
  perp_message why;
  int solved;                            /* steps; of ODE's those without complaint */
  int contacts;                          /* of the last step */
  double median, mean, late, most;       /* milliseconds of a step; late: over the second half */
  double last;                           /* of the last one */
  double residual, penetration, kinetic; /* the worst, the deepest, at the end */
  double in_16, in_100;                  /* per cent of the steps within 16.7 and 100 ms */
  double as_expected;                    /* 1: the end, 0: another one; NAN: no end is expected */
} motion;

static double judge_end(expected end, double first, double last, double kinetic)
{
  const double fallen = (first - last) / fabs(first);
  return end == ANY      ? (double)NAN
         : end == STANDS ? fabs(fallen) < 1e-3
         : end == FALLS  ? fallen > 1e-2
                         : kinetic < 1e-9 * fabs(first);
}

static motion move(const char *text, const scene *c)
{
  motion m = {.residual = 0};
  perp_options options = perp_options_default();
  perp_simulation *sim = NULL;
  double *times = calloc((size_t)c->steps, sizeof *times);
  double potential = 0;
  options.tol = c->end != ANY || strstr(text, "friction=cone") ? 1e-8 : 1e-6;
  options.max_iterations = c->sweeps ? c->sweeps : 1000000;
  options.check_every = c->sweeps; /* so few sweeps are made whatever they lead to */
  m.error =
      times ? perp_simulation_create(text, c->method, &options, &sim, &m.why) : PERP_ERROR_MEMORY;
  const int timed = c->steps - 1;
  for (int k = 0; k < c->steps && !m.error; k++) {
    perp_step step;
    perp_simulation_set_warm(sim, k < timed || c->end != ANY);
    const double began = bench_processor();
    m.error = perp_simulation_step(sim, &step, &m.why);
    times[k] = 1e3 * (bench_processor() - began);
    if (k < timed) {
      m.mean += times[k] / timed;
      m.late += 2 * k >= timed ? times[k] / (timed - (timed + 1) / 2) : 0;
      m.most = fmax(m.most, times[k]);
      m.in_16 += times[k] <= 1e3 / 60 ? 100.0 / timed : 0;
      m.in_100 += times[k] <= 100 ? 100.0 / timed : 0;
    }
    m.last = times[k];
    /* a step that ODE made has no rows, and no verdict of ours */
    m.solved += step.outcome == PERP_SOLVED || (step.rows == 0 && step.outcome == PERP_NOT_RUN);
    m.penetration = fmax(m.penetration, step.penetration);
    m.residual = fmax(m.residual, step.relative_residual);
    m.kinetic = step.kinetic;
    m.contacts = step.contacts;
    if (k == 0)
      potential = step.potential;
    m.as_expected = judge_end(c->end, potential, step.potential, step.kinetic);
  }
  if (!m.error)
    m.median = kit_median(timed, times);
  perp_simulation_destroy(sim);
  free(times);
  return m;
}

/* Runs it in a separate process; returns false if that was killed. */
static bool move_within(const char *text, const scene *c, double limit, motion *m)
{
  int ends[2];
  if (pipe(ends))
    return false;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGINT, SIG_DFL); /* what the program does about them is not for this one */
    signal(SIGTERM, SIG_DFL);
    const motion found = move(text, c);
    _exit(write(ends[1], &found, sizeof found) == sizeof found ? 0 : 1);
  }
  close(ends[1]);
  struct pollfd told = {.fd = ends[0], .events = POLLIN};
  const bool fine = child > 0 && poll(&told, 1, (int)(1e3 * limit)) > 0 &&
                    read(ends[0], m, sizeof *m) == sizeof *m;
  close(ends[0]);
  if (child > 0) {
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
  }
  return fine;
}

static perp_error record(const bench_task *t, const scene *c, const char *method, const motion *m,
                         double beside)
{
  static const char *const names[] = {
      "median ms",        "mean ms",   "late ms",  "most ms",        "last ms",
      "solved",           "contacts",  "residual", "penetration",    "kinetic",
      "beside over this", "16.7 ms %", "100 ms %", "end as expected"};
  bench_task of = *t;
  of.text = c->text;
  return bench_add_figures(&of, method, 14, names,
                           (double[]){m->median, m->mean, m->late, m->most, m->last, m->solved,
                                      m->contacts, m->residual, m->penetration, m->kinetic, beside,
                                      m->in_16, m->in_100, m->as_expected});
}

/* "nncg, 20 sweeps", "ode-quickstep, 20 sweeps", "auto,walls=stick". */
static void name_of(const scene *c, const char *text, char name[32])
{
  const char *engine = strstr(text, "engine="), *last = strrchr(text, ',');
  char sweeps[16] = "";
  if (c->sweeps)
    snprintf(sweeps, sizeof sweeps, ", %d sweeps", c->sweeps);
  if (engine)
    snprintf(name, 32, "%.*s%s", (int)strcspn(engine + 7, ","), engine + 7, sweeps);
  else
    snprintf(name, 32, "%s%s%.16s", c->method, sweeps, text == c->beside ? last : "");
}

static perp_error run(const bench_task *t, const scene *c)
{
  const double limit = 30 * t->s->seconds; /* on the wall */
  char name[32];
  motion m, other;
  if (!bench_wants(t->s, c->method) || !move_within(c->text, c, limit, &m))
    return PERP_OK;
  *t->why = m.why;
  if (m.error)
    return m.error;
  const bool both = c->beside && move_within(c->beside, c, limit, &other) && !other.error;
  /* "after=": all but the last step are by us in both */
  const bool last = both && strstr(c->beside, "after=");
  const double ratio = !both ? (double)NAN : last ? other.last / m.last : other.median / m.median;
  name_of(c, c->text, name);
  perp_error error = record(t, c, name, &m, ratio);
  if (both && !error) {
    name_of(c, c->beside, name);
    error = record(t, c, name, &other, NAN);
  }
  return error;
}

perp_error bench_motion(const bench_task *t)
{
  const bench_settings *s = t->s;
  const int count = (int)(sizeof scenes / sizeof *scenes);
  perp_error error = PERP_OK;
  for (int k = 0; k < count && !error; k++) {
    if (scenes[k].from > s->size || !bench_wants_case(s, scenes[k].text))
      continue;
    if (s->progress && !s->progress(t->suite->name, k, count))
      break;
    error = run(t, &scenes[k]);
  }
  return error;
}
