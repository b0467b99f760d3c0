/* frames.c: frames with a deadline
 *
 * `auto` moves a scene, each frame to 1e-6 from the impulses of the frame before. The problem of each
 * frame and its warm start are kept, and every method solves it from there. The figures are the shares
 * of frames solved to 1e-6 within 16 ms, and within 100 ms, the limit. Times are CPU times of the
 * solve.
 *
 * Then nncg moves the scene again, stopped in each frame at the deadline, and ODE's quickstep with the
 * number of sweeps that takes the same time: a step with collision detection takes about a + b sweeps,
 * and two short runs give a and b. The deepest overlap of each frame shows the effect of impulses that
 * were not found. */
#include "bench.h"
#include "kit/numbers.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct scene {
  bench_size from; /* the size of a run from which it takes part */
  const char *text;
  int frames;
} scene;

static const scene scenes[] = {
    {BENCH_QUICK, "discs:n=100", 60},
    {BENCH_QUICK, "silo:n=100", 60},
    {BENCH_QUICK, "wall3d:rows=4,columns=4,ball=yes", 60},
    {BENCH_QUICK, "ragdolls:n=2", 60},
    {BENCH_NORMAL, "discs:n=1000", 200},
    {BENCH_NORMAL, "silo:n=2000", 200},
    {BENCH_NORMAL, "wall3d:rows=20,columns=20,ball=yes", 200},
    {BENCH_NORMAL, "ragdolls", 200},
    {BENCH_FULL, "discs:n=1000,friction=cone", 200},
    {BENCH_FULL, "silo:n=2000,friction=cone", 200},
    {BENCH_FULL, "wall3d:rows=20,columns=20,ball=yes,friction=cone", 200},
    {BENCH_FULL, "ragdolls:friction=cone", 200},
};

/* Methods for frame loops. */
static const char *const methods[] = {"auto", "nncg", "bgs", "psor", "dantzig",
                                      "ssn",  "alm",  "ipm", "pgssm"};
enum { METHODS = sizeof methods / sizeof *methods };

static const double TOL = 1e-6, SOON = 0.016, LATE = 0.1, LONGEST = 10; /* seconds */

/* ---- One scene, kept frame by frame ---- */

/* A method in all frames so far. */
typedef struct replay {
  perp_solver *solver; /* NULL: it takes no part */
  double *seconds;     /* by frame; those given up count as LATE */
  int frames, soon, late;
} replay;

typedef struct film {
  int frames, rows;
  double *x;      /* room for one solution */
  double longest; /* step of the scene itself */
  replay of[METHODS];
} film;

static perp_error replay_frame(replay *r, const perp_problem *p, const double *start, double *x,
                               perp_message *why)
{
  perp_result result;
  perp_error error;
  memcpy(x, start, (size_t)p->K.n * sizeof *x);
  const double spent = bench_solve_from(r->solver, p, TOL, LATE, x, &error, &result);
  *why = result.message;
  if (error == PERP_ERROR_UNSUPPORTED || error == PERP_ERROR_MEMORY) { /* or above its limit */
    perp_solver_destroy(r->solver);
    r->solver = NULL;
    return PERP_OK;
  }
  const bool solved = result.outcome == PERP_SOLVED;
  r->soon += solved && spent <= SOON;
  r->late += solved && spent <= LATE;
  r->seconds[r->frames++] = solved ? spent : LATE;
  return error;
}

/* One step of the scene, and the frame by all methods. */
static perp_error take_frame(perp_simulation *sim, film *f, perp_message *why)
{
  perp_step step;
  const double began = bench_now();
  perp_error error = perp_simulation_step(sim, &step, why);
  f->longest = fmax(f->longest, bench_now() - began);
  const perp_problem *p = perp_simulation_problem(sim);
  const double *start = perp_simulation_start(sim);
  if (error || !p || step.rows == 0)
    return error; /* or nothing touches */
  if (!start)
    return PERP_ERROR_MEMORY;
  double *x = realloc(f->x, (size_t)p->K.n * sizeof *x);
  if (!x)
    return PERP_ERROR_MEMORY;
  f->x = x;
  f->frames++;
  f->rows = step.rows > f->rows ? step.rows : f->rows;
  for (int m = 0; m < METHODS && !error; m++)
    if (f->of[m].solver)
      error = replay_frame(&f->of[m], p, start, x, why);
  return error;
}

static perp_error open_film(const bench_settings *s, int frames, film *f, perp_message *why)
{
  perp_error error = PERP_OK;
  *f = (film){.longest = 0};
  for (int m = 0; m < METHODS && !error; m++) {
    f->of[m].seconds = calloc((size_t)frames, sizeof *f->of[m].seconds);
    if (!f->of[m].seconds)
      error = PERP_ERROR_MEMORY;
    else if (bench_wants(s, methods[m]))
      error = perp_solver_create(methods[m], &f->of[m].solver, why);
  }
  return error;
}

static void close_film(film *f)
{
  for (int m = 0; m < METHODS; m++) {
    perp_solver_destroy(f->of[m].solver);
    free(f->of[m].seconds);
  }
  free(f->x);
}

/* ---- Figures ---- */

typedef struct figures {
  double frames, rows, soon, late, median, most, longest, sweeps, step, overlap, deepest;
} figures;

static perp_error add_figures(const bench_task *t, const char *method, const figures *f)
{
  static const char *const names[] = {"frames",    "rows",    "16 ms %", "100 ms %",
                                      "median ms", "most ms", "step s",  "sweeps",
                                      "step ms",   "overlap", "deepest"};
  return bench_add_figures(t, method, 11, names,
                           (double[]){f->frames, f->rows, f->soon, f->late, f->median, f->most,
                                      f->longest, f->sweeps, f->step, f->overlap, f->deepest});
}

static figures no_figures(void)
{
  const double none = NAN;
  return (figures){none, none, none, none, none, none, none, none, none, none, none};
}

static perp_error report_film(const bench_task *t, film *f)
{
  perp_error error = PERP_OK;
  for (int m = 0; m < METHODS && !error; m++) {
    replay *r = &f->of[m];
    if (!r->solver || r->frames == 0)
      continue;
    figures found = no_figures();
    found.frames = r->frames;
    found.rows = f->rows;
    found.soon = 100.0 * r->soon / r->frames;
    found.late = 100.0 * r->late / r->frames;
    found.median = 1e3 * kit_median(r->frames, r->seconds);
    found.most = 1e3 * r->seconds[r->frames - 1]; /* sorted by now */
    if (m == 0)
      found.longest = f->longest;
    error = add_figures(t, methods[m], &found);
  }
  return error;
}

static perp_error replay_scene(const bench_task *t, const scene *c)
{
  film f;
  perp_simulation *sim = NULL;
  perp_options o = perp_options_default();
  o.tol = TOL;
  o.time_limit = fmin(t->s->seconds, LONGEST);
  perp_error error = open_film(t->s, c->frames, &f, t->why);
  if (!error)
    error = perp_simulation_create(c->text, "auto", &o, &sim, t->why);
  for (int k = 0; k < c->frames && !error; k++)
    error = take_frame(sim, &f, t->why);
  if (!error)
    error = report_film(t, &f);
  perp_simulation_destroy(sim);
  close_film(&f);
  return error;
}

/* ---- Overlap in equal time ---- */

typedef struct motion {
  double step;             /* seconds, the mean */
  double overlap, deepest; /* the mean of the deepest of each frame, and the deepest of all */
} motion;

/* The CPU time of a solve, which excludes other load on the machine. */
typedef struct deadline {
  double limit, began;
} deadline;

static bool is_in_time(void *context, const perp_progress *progress)
{
  deadline *d = context;
  const double now = bench_processor();
  if (progress->iteration == 0)
    d->began = now;
  return now - d->began < d->limit;
}

static perp_error move(const char *text, int frames, double limit, motion *m, perp_message *why)
{
  deadline d = {.limit = limit};
  perp_simulation *sim = NULL;
  perp_options o = perp_options_default();
  o.tol = TOL;
  o.time_limit = LONGEST;
  o.observer = is_in_time;
  o.observer_context = &d;
  o.check_every = -1; /* as if nobody listened */
  *m = (motion){0};
  perp_error error = perp_simulation_create(text, "nncg", &o, &sim, why);
  for (int k = 0; k < frames && !error; k++) {
    perp_step step;
    const double began = bench_processor();
    error = perp_simulation_step(sim, &step, why);
    m->step += (bench_processor() - began) / frames;
    m->overlap += step.penetration / frames;
    m->deepest = fmax(m->deepest, step.penetration);
  }
  perp_simulation_destroy(sim);
  return error;
}

static perp_error move_by_ode(const scene *c, int sweeps, int frames, motion *m, perp_message *why)
{
  char text[160];
  snprintf(text, sizeof text, "%s%sengine=ode-quickstep,iterations=%d", c->text,
           strchr(c->text, ':') ? "," : ":", sweeps);
  return move(text, frames, 0, m, why);
}

/* As many sweeps of quickstep as make its steps as long as that; they say how long steps are with
 * few and with many. */
static perp_error match_sweeps(const scene *c, double step, int *sweeps, perp_message *why)
{
  enum { FEW = 10, MANY = 200, MOST = 20000 };
  const int frames = c->frames;
  motion few, many;
  perp_error error = move_by_ode(c, FEW, frames, &few, why);
  if (!error)
    error = move_by_ode(c, MANY, frames, &many, why);
  if (error)
    return error;
  const double slope = (many.step - few.step) / (MANY - FEW);
  const double count = slope > 0 ? FEW + (step - few.step) / slope : MANY;
  *sweeps = (int)fmin(fmax(count, 1), MOST);
  return PERP_OK;
}

static perp_error add_motion(const bench_task *t, const char *method, const motion *m, int sweeps)
{
  figures f = no_figures();
  if (sweeps > 0)
    f.sweeps = sweeps;
  f.step = 1e3 * m->step;
  f.overlap = m->overlap;
  f.deepest = m->deepest;
  return add_figures(t, method, &f);
}

static perp_error compare_overlap(const bench_task *t, const scene *c)
{
  motion ours, theirs;
  int sweeps;
  if (!bench_wants(t->s, "nncg"))
    return PERP_OK;
  perp_error error = move(c->text, c->frames, SOON, &ours, t->why);
  if (!error)
    error = add_motion(t, "nncg, moving in 16 ms", &ours, 0);
  if (error || strncmp(c->text, "discs", 5) == 0) /* in the plane: not by ODE */
    return error;
  if ((error = match_sweeps(c, ours.step, &sweeps, t->why)) ||
      (error = move_by_ode(c, sweeps, c->frames, &theirs, t->why)))
    return error;
  return add_motion(t, "ode-quickstep, as long", &theirs, sweeps);
}

perp_error bench_frames(const bench_task *t)
{
  const int count = (int)(sizeof scenes / sizeof *scenes);
  perp_error error = PERP_OK;
  for (int k = 0; k < count && !error; k++) {
    if (scenes[k].from > t->s->size || !bench_wants_case(t->s, scenes[k].text))
      continue;
    if (t->s->progress && !t->s->progress(t->suite->name, k, count))
      break;
    bench_task of = *t;
    of.text = scenes[k].text;
    error = replay_scene(&of, &scenes[k]);
    if (!error)
      error = compare_overlap(&of, &scenes[k]);
    if (error == PERP_ERROR_BACKEND) /* no ODE */
      error = PERP_OK;
  }
  return error;
}
