/* other_engine.c: perp simulate --engine, a scene inside DART, Bullet or ODE
 *
 * The engines are C++ libraries that this program does not link.  Their scenes are separate programs (adapters/scenes): each prints its table and writes a trace of every run, by the engine's own
 * solvers and by perp, which becomes one page here. They are looked for in the folder PERP_ENGINES,
 * in ../libexec/perp from this program, and in ../tests of a build. */
#define _POSIX_C_SOURCE 200809L
#include "simulate.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROGRAMS = 2, LINE = 1 << 20 };

/* The engine's own solvers and ours are two programs for ODE, whose solver is replaced by linking. */
static const struct {
  const char *name, *program[PROGRAMS];
} engines[] = {
    {"dart", {"scenes_dart", NULL}},
    {"bullet", {"scenes_bullet", NULL}},
    {"ode", {"scenes_ode_alone", "scenes_ode"}},
};

static const char *engine_at(const void *unused, int i)
{
  (void)unused;
  return i < (int)(sizeof engines / sizeof *engines) ? engines[i].name : NULL;
}

static bool find_program(const char *name, char path[4096])
{
  char self[3000] = "";
  const char *given = getenv("PERP_ENGINES");
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  self[length > 0 ? length : 0] = 0;
  char *slash = strrchr(self, '/');
  if (slash)
    *slash = 0;
  const struct {
    const char *folder, *below;
  } places[] = {{given, ""}, {self, "/../libexec/perp"}, {self, "/../tests"}};
  for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
    if (!places[k].folder || !*places[k].folder)
      continue;
    snprintf(path, 4096, "%s%s/%s", places[k].folder, places[k].below, name);
    if (access(path, X_OK) == 0)
      return true;
  }
  return false;
}

enum { NOT_RUN = 127 }; /* as a shell has it */

/* Runs the program; its standard output is its table, which --json discards. Returns its exit status, NOT_RUN if it could not be run, and 128 + the signal that ended it. */
static int run_program(const app_call *app, char *const arguments[])
{
  fflush(stdout);
  const pid_t child = fork();
  if (child < 0)
    return NOT_RUN;
  if (child == 0) {
    const int nowhere = app->json ? open("/dev/null", O_WRONLY) : -1;
    if (nowhere >= 0)
      dup2(nowhere, STDOUT_FILENO);
    execv(arguments[0], arguments);
    _exit(NOT_RUN);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return NOT_RUN;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Turns the exit status into this program's. A program that refuses its arguments has said why. */
static int judge_status(const app_call *app, const char *path, int status)
{
  if (status == NOT_RUN)
    return refuse(app, PERP_ERROR_FILE, "%s cannot be run", path);
  if (status > 128)
    return refuse(app, PERP_ERROR_FILE, "%s was ended by signal %d: %s", path, status - 128,
                  strsignal(status - 128));
  return status > 1 ? APP_WRONG : status;
}

/* ---- the trace (adapters/scenes/trace.hpp) ---- */

typedef struct reader {
  runs *all;
  sim_run *run; /* the one being read */
  perp_shape *shape;
  double *pose;
  int shapes, room;
} reader;

static perp_error begin_run(reader *in, const sim_request *r, const char *rest, perp_message *why)
{
  const bool ours = strncmp(rest, "ours ", 5) == 0;
  if (!ours && strncmp(rest, "own ", 4) != 0)
    return app_say(why, PERP_ERROR_FILE, "trace: unknown kind of run: ", rest);
  if (in->all->count == RUNS)
    return app_say(why, PERP_ERROR_FILE, "trace", ": more runs than a page can show");
  in->run = &in->all->item[in->all->count++];
  *in->run = (sim_run){.inside = true, .paged = true, .worst_residual = NAN};
  rest += ours ? 5 : 4;
  snprintf(in->run->scene, sizeof in->run->scene, "%s", r->scene);
  snprintf(in->run->title, sizeof in->run->title, "%s: %s", r->engine, rest);
  snprintf(in->run->label, sizeof in->run->label, "%s", rest);
  snprintf(in->run->stepper, sizeof in->run->stepper, "%s", rest);
  in->run->engine = ours ? ENGINE_PERP : ENGINE_STEP;
  in->shapes = 0;
  return PERP_OK;
}

static perp_error add_shape(reader *in, const char *rest, perp_message *why)
{
  perp_shape shape = {0};
  char kind[16];
  int fixed;
  if (sscanf(rest, "%15s %d %lf %lf %lf", kind, &fixed, &shape.size[0], &shape.size[1],
             &shape.size[2]) != 5)
    return app_say(why, PERP_ERROR_FILE, "trace: unknown shape: ", rest);
  shape.kind = strcmp(kind, "sphere") == 0 ? PERP_SHAPE_SPHERE : PERP_SHAPE_BOX;
  shape.fixed = fixed;
  if (in->shapes == in->room) {
    in->room = 2 * in->room + 64;
    perp_shape *grown = realloc(in->shape, (size_t)in->room * sizeof *grown);
    in->shape = grown ? grown : in->shape;
    double *pose = realloc(in->pose, 7 * (size_t)in->room * sizeof *pose);
    in->pose = pose ? pose : in->pose;
    if (!grown || !pose)
      return app_say(why, PERP_ERROR_MEMORY, "out of memory", " for a trace");
  }
  in->shape[in->shapes++] = shape;
  return PERP_OK;
}

static perp_error add_step(reader *in, const char *rest, perp_message *why)
{
  sim_run *run = in->run;
  perp_step step = {.size = sizeof step, .index = run->steps + 1, .relative_residual = NAN};
  long long unsolved;
  if (sscanf(rest, "%lf %d %lld %lf %lf %lf %lf", &step.time, &step.contacts, &unsolved,
             &step.kinetic, &step.potential, &step.penetration, &step.step_seconds) != 7)
    return app_say(why, PERP_ERROR_FILE, "trace: not a step: ", rest);
  const bool ours = run->engine == ENGINE_PERP;
  step.solve_seconds = step.step_seconds;
  step.rows = ours ? 1 + step.contacts : 0; /* 0: not perp's, and not judged */
  step.outcome = unsolved > 0 ? PERP_STAGNATED : ours ? PERP_SOLVED : PERP_NOT_RUN;
  run_account(run, &step);
  run->whole = run->seconds;
  run->unsolved.count += ours && unsolved > 0;
  return run_keep_step(run, &step, why);
}

/* Sets the viewed box of the scene: the first poses of moving bodies, with some room around them. */
static void look_around(const reader *in, perp_view *view)
{
  for (int a = 0; a < 3; a++) {
    view->lo[a] = INFINITY;
    view->hi[a] = -INFINITY;
    for (int k = 0; k < in->shapes; k++) {
      const double reach =
          fmax(in->shape[k].size[0], fmax(in->shape[k].size[1], in->shape[k].size[2]));
      if (in->shape[k].fixed)
        continue;
      view->lo[a] = fmin(view->lo[a], in->pose[7 * k + a] - reach - 0.5);
      view->hi[a] = fmax(view->hi[a], in->pose[7 * k + a] + reach + 0.5);
    }
  }
}

static perp_error add_pose(reader *in, const char *rest, perp_message *why)
{
  char *end;
  for (int k = 0; k < 7 * in->shapes; k++, rest = end) {
    in->pose[k] = strtod(rest, &end);
    if (end == rest)
      return app_say(why, PERP_ERROR_FILE, "trace", ": a pose has too few numbers");
  }
  perp_view view = {.dimension = 3, .shapes = in->shapes, .shape = in->shape, .pose = in->pose};
  look_around(in, &view);
  return run_keep_view(in->run, view, in->run->steps, why);
}

static perp_error read_line(reader *in, const sim_request *r, char *line, perp_message *why)
{
  line[strcspn(line, "\n")] = 0;
  char *rest = strchr(line, ' ');
  if (!rest || (!in->run && strncmp(line, "run ", 4) != 0))
    return app_say(why, PERP_ERROR_FILE, "trace: unexpected line: ", line);
  *rest++ = 0;
  if (strcmp(line, "run") == 0)
    return begin_run(in, r, rest, why);
  if (strcmp(line, "shape") == 0)
    return add_shape(in, rest, why);
  if (strcmp(line, "step") == 0)
    return add_step(in, rest, why);
  if (strcmp(line, "pose") == 0)
    return add_pose(in, rest, why);
  long long failed;
  if (sscanf(rest, "%lld %lf %lf", &failed, &in->run->drift, &in->run->violation) != 3)
    return app_say(why, PERP_ERROR_FILE, "trace: unexpected line: ", line);
  return PERP_OK;
}

static perp_error read_trace(const char *path, const sim_request *r, runs *all, perp_message *why)
{
  reader in = {.all = all};
  char *line = malloc(LINE);
  FILE *file = fopen(path, "r");
  perp_error error = PERP_OK;
  if (!line || !file)
    error = app_say(why, PERP_ERROR_FILE, path, ": cannot be read");
  while (!error && fgets(line, LINE, file))
    error = read_line(&in, r, line, why);
  if (file)
    fclose(file);
  free(line);
  free(in.shape);
  free(in.pose);
  return error;
}

/* ---- the command ---- */

/* One program: its table, and its runs if there is a page. */
static int play(const app_call *app, const sim_request *r, const char *name, runs *all)
{
  char path[4096], steps[32], every[32], trace[] = "/tmp/perp-trace-XXXXXX";
  perp_message why = {""};
  if (!find_program(name, path))
    return refuse(
        app, PERP_ERROR_UNSUPPORTED,
        "%s not found: install the engine and build the tests, or set PERP_ENGINES to its folder",
        name);
  char list[] = "--list", scene[] = "--scene", count[] = "--steps", out[] = "--trace",
       kept[] = "--every";
  char *const ask[] = {path, list, NULL};
  if (r->list)
    return judge_status(app, path, run_program(app, ask));
  const int file = mkstemp(trace);
  if (file < 0)
    return refuse(app, PERP_ERROR_FILE, "%s: %s", trace, strerror(errno));
  close(file);
  snprintf(steps, sizeof steps, "%lld", (long long)r->steps);
  snprintf(every, sizeof every, "%d", r->every);
  char name_of_scene[256];
  snprintf(name_of_scene, sizeof name_of_scene, "%s", r->scene);
  char *const call[] = {path, scene, name_of_scene, count, steps, out, trace, kept, every, NULL};
  const int status = run_program(app, call);
  const perp_error error = status > 1 ? PERP_OK : read_trace(trace, r, all, &why);
  unlink(trace);
  if (error)
    return refuse(app, error, "%s", why.text);
  return judge_status(app, path, status);
}

int inside_run(const app_call *app, const sim_request *r)
{
  static runs all; /* large */
  int index = 0, status = APP_FINE;
  perp_message why = {""};
  if (r->for_perp || r->compare || r->files.csv || r->files.frames)
    return refuse(app, PERP_ERROR_ARGUMENT,
                  "--engine can only be combined with --steps, --html and --every");
  while (engine_at(NULL, index) && strcmp(engine_at(NULL, index), r->engine) != 0)
    index++;
  if (!engine_at(NULL, index))
    return refuse(app, PERP_ERROR_ARGUMENT, "there is no engine \"%s\"%s", r->engine,
                  app_suggest(r->engine, engine_at, NULL, "use dart, bullet or ode").text);
  for (int k = 0; k < PROGRAMS && engines[index].program[k] && status != APP_WRONG; k++) {
    const int one = play(app, r, engines[index].program[k], &all);
    status = one > status ? one : status;
    if (r->list)
      return status;
  }
  if (status != APP_WRONG && r->files.html) {
    const perp_error error = page_write(r, &all, &why);
    if (error)
      status = refuse(app, error, "%s", why.text);
  }
  if (status != APP_WRONG && app->json)
    runs_print(app, r, &all);
  for (int k = 0; k < all.count; k++)
    run_free(&all.item[k]);
  return status;
}
