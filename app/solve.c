/* solve.c: perp solve
 *
 * Everything that can be wrong with the call is checked first, from cheap to costly: arguments,
 * method and parameters, the outputs, the problem, the start. Then the solve, which Ctrl-C ends
 * with the best iterate; then the files; then the words. */
#define _POSIX_C_SOURCE 200809L
#include "solve.h"
#include "ncp.h"
#include "nl.h"
#include "parameters.h"
#include "watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* ---- method and parameters ---- */

/* A record holds everything that a solve needs; the call adds limits of time and files. */
static perp_error open_record(solve_request *r, solve_work *w, perp_message *why)
{
  perp_error error = perp_record_read(r->where, &w->record, why);
  if (error)
    return error;
  r->method = perp_solver_method(w->record.solver).name;
  r->options = perp_options_copy(w->record.options);
  w->solver = w->record.solver;
  w->instance = w->record.instance;
  /* owned by the work from here on */
  w->record.solver = NULL;
  w->record.instance = (perp_instance){0};
  const size_t n = (size_t)perp_operator_size(w->instance.A);
  w->x = calloc(n + 1, sizeof *w->x);
  if (!w->x)
    return app_say(why, PERP_ERROR_MEMORY, "out of memory for x", "");
  memcpy(w->x, w->record.start, n * sizeof *w->x);
  return PERP_OK;
}

static perp_error make_solver(const solve_request *r, solve_work *w, perp_message *why)
{
  const int index = perp_method_find(r->method);
  if (index < 0) {
    char what[400];
    snprintf(what, sizeof what, "there is no method \"%.300s\"", r->method);
    return app_say(why, PERP_ERROR_ARGUMENT, what, app_suggest_method(r->method).text);
  }
  const perp_error error = perp_solver_create(r->method, &w->solver, why);
  return error ? error : app_set_parameters(w->solver, &r->set, why);
}

/* ---- the problem ---- */

static perp_error read_start(const char *path, int n, double *x, perp_message *why)
{
  int length;
  double *start = NULL;
  struct stat found;
  if (stat(path, &found) == 0 && S_ISFIFO(found.st_mode)) /* reading a pipe may block */
    return app_say(why, PERP_ERROR_FILE, path, ": is a pipe; --start takes a file");
  perp_error error = perp_vector_read(path, n, &start, &length, why);
  for (int i = 0; i < n && !error; i++) {
    x[i] = start[i];
    if (!isfinite(x[i])) {
      char detail[64];
      snprintf(detail, sizeof detail, ": x[%d] = %g is not finite", i, x[i]);
      error = app_say(why, PERP_ERROR_FILE, path, detail);
    }
  }
  perp_free(start);
  return error;
}

static perp_error load(const solve_request *r, solve_work *w, perp_message *why)
{
  if (r->replay)
    return PERP_OK;
  const solve_parts *p = &r->parts;
  perp_error error = p->count > 0 ? perp_parts_read(p->count, p->names, p->paths, &w->instance, why)
                                  : app_load(r->where, &w->instance, why);
  if (error)
    return error;
  const int n = perp_operator_size(w->instance.A);
  w->x = calloc((size_t)n + 1, sizeof *w->x);
  if (!w->x)
    return app_say(why, PERP_ERROR_MEMORY, "out of memory for x", "");
  return r->start ? read_start(r->start, n, w->x, why) : PERP_OK;
}

static void release(solve_work *w)
{
  app_file_discard(&w->trace);
  free(w->x);
  free(w->y);
  free(w->u);
  free(w->low);
  free(w->found.x);
  free(w->found.isolated);
  perp_record_destroy(&w->record);
  perp_solver_destroy(w->solver);
  perp_instance_destroy(&w->instance);
  perp_device_destroy(w->device);
}

/* ---- the files ---- */

/* Returns an error if writing `path` would overwrite a part of the problem. */
static perp_error check_output(const solve_request *r, const char *option, const char *asked,
                               const char *path, bool solution, perp_message *why)
{
  char said[64];
  bool input = app_is_input(r->where, path, solution);
  for (int k = 0; k < r->parts.count; k++)
    input = input || app_is_input(r->parts.paths[k], path, true);
  snprintf(said, sizeof said, ": --%s would overwrite the problem", option);
  return input ? app_say(why, PERP_ERROR_ARGUMENT, asked, said) : PERP_OK;
}

/* Checks before the solve that all files can be written and that none is an input. */
static perp_error prepare_outputs(const solve_request *r, solve_work *w, perp_message *why)
{
  app_output trace = {""};
  const struct {
    const char *option, *asked;
    app_output *output;
    bool solution; /* x.mtx of the folder counts as an input */
  } files[] = {{"out", r->out, &w->out, false},
               {"out-y", r->out_y, &w->out_y, true},
               {"out-u", r->out_u, &w->out_u, true},
               {"out-low", r->out_low, &w->out_low, true},
               {"trace", r->trace, &trace, true}};
  enum { FILES = sizeof files / sizeof *files };
  perp_error error = PERP_OK;
  for (int k = 0; k < FILES && !error; k++)
    if (files[k].asked)
      error = app_output_prepare(files[k].asked, files[k].output, why);
  for (int k = 0; k < FILES && !error; k++)
    if (files[k].asked)
      error = check_output(r, files[k].option, files[k].asked, files[k].output->path,
                           files[k].solution, why);
  if (error || !r->trace)
    return error;
  if (r->start && app_is_input(r->start, trace.path, true))
    return app_say(why, PERP_ERROR_ARGUMENT, r->trace, ": --trace would overwrite the start");
  if (r->out && (strcmp(r->out, r->trace) == 0 || app_is_input(w->out.path, trace.path, true)))
    return app_say(why, PERP_ERROR_ARGUMENT, r->trace, ": --out and --trace are the same file");
  return app_file_open(trace.path, &w->trace, why);
}

/* Writes one vector of the result, with a comment line on its origin. */
static perp_error write_vector(const solve_request *r, const solve_work *w, const char *path, int n,
                               const double *v, perp_message *why)
{
  char comment[200];
  snprintf(comment, sizeof comment, "perp %s, method %s: %s, natural residual %.3g", perp_version(),
           r->method, perp_outcome_name(w->result.outcome), w->result.residual);
  return app_vector_write(path, n, v, comment, why);
}

/* Writes x, y, u and the trace; all are tried. */
static perp_error write_outputs(const solve_request *r, solve_work *w, int n, perp_message *why)
{
  perp_error error = PERP_OK;
  if (w->trace.stream)
    error = app_file_close(&w->trace, why);
  const struct {
    const char *asked, *path;
    const double *v;
  } vectors[] = {{r->out, w->out.path, w->x},
                 {r->out_y, w->out_y.path, w->y},
                 {r->out_low, w->out_low.path, w->low},
                 {solve_has_certificate(w) ? r->out_u : NULL, w->out_u.path, w->u}};
  for (int k = 0; k < 4; k++) {
    const perp_error written =
        vectors[k].asked ? write_vector(r, w, vectors[k].path, n, vectors[k].v, why) : PERP_OK;
    error = written ? written : error;
  }
  return error;
}

/* ---- the command ---- */

/* Repeats the solve, with warm caches and without an observer; x is unchanged at the end. */
static perp_error repeat(const solve_request *r, solve_work *w, const perp_problem *problem,
                         const double *start)
{
  const size_t bytes = (size_t)problem->K.n * sizeof *start;
  double *x = malloc(bytes + 1);
  if (!x)
    return PERP_ERROR_MEMORY;
  perp_options options = r->options;
  options.observer = NULL;
  options.verbose = 0;
  options.check_every = 0;
  options.found = NULL;
  if (w->result.seconds < 1e-3)
    options.interrupted = NULL; /* as callers have it who solve a few rows again and again */
  if (options.time_limit == 0)
    options.time_limit = 1e6; /* else those are not timed */
  perp_error error = PERP_OK;
  for (int k = 1; k < r->repeat && !error; k++) {
    memcpy(x, start, bytes);
    perp_result again = perp_result_empty();
    error = perp_solver_solve(w->solver, problem, &options, x, &again);
    w->result.seconds = fmin(w->result.seconds, again.seconds);
  }
  free(x);
  return error;
}

static bool keep_found(void *context, const perp_solution *solution)
{
  solve_found *f = context;
  if (f->count == f->room) {
    const int room = f->room ? 2 * f->room : 16;
    double *x = realloc(f->x, (size_t)room * (size_t)solution->n * sizeof *x);
    f->x = x ? x : f->x;
    bool *isolated = realloc(f->isolated, (size_t)room * sizeof *isolated);
    f->isolated = isolated ? isolated : f->isolated;
    f->full = !x || !isolated;
    f->room = f->full ? f->room : room;
  }
  if (f->full)
    return false;
  f->n = solution->n;
  f->isolated[f->count] = solution->isolated;
  memcpy(f->x + f->count++ * f->n, solution->x, (size_t)f->n * sizeof *f->x);
  return true;
}

/* Sets the arrays for y, the ray and the solutions. */
static void collect(solve_request *r, solve_work *w, int n)
{
  w->y = calloc((size_t)n + 1, sizeof *w->y);
  w->u = calloc((size_t)n + 1, sizeof *w->u);
  r->options.y = w->y;
  r->options.ray = w->u;
  if (r->out_low)
    r->options.x_low = w->low = calloc((size_t)n + 1, sizeof *w->low);
  if (r->all) {
    r->options.found = keep_found;
    r->options.found_context = &w->found;
  }
}

/* The solve, the files and the words; everything before it succeeded. */
static int carry_out(const app_call *app, solve_request *r, solve_work *w)
{
  const perp_problem problem = perp_instance_problem(&w->instance);
  watch watching = watch_begin(w->trace.stream, r->options.tol);
  watching.terminal = watching.terminal && !r->options.verbose;
  r->options.observer = watch_observe;
  r->options.observer_context = &watching;
  r->options.interrupted = watch_asked;
  collect(r, w, problem.K.n);
  watch_signals();
  double *start = NULL;
  if (r->repeat > 1 && (start = malloc((size_t)problem.K.n * sizeof *start + 1)))
    memcpy(start, w->x, (size_t)problem.K.n * sizeof *start);
  const clock_t began = clock();
  perp_error error =
      perp_solver_solve_recorded(w->solver, &problem, &r->options, w->x, &w->result, &r->recorder);
  w->cpu_seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
  watch_end(&watching);
  if (!error && start && w->result.outcome == PERP_SOLVED)
    error = repeat(r, w, &problem, start);
  free(start);
  if (error)
    return refuse(app, error, "%s: %s", r->where, w->result.message.text);
  perp_message why = {""};
  error = write_outputs(r, w, problem.K.n, &why);
  if (app->json)
    solve_print_json(r, w, &problem, error, error ? why.text : w->result.message.text);
  else if (!app_is_stdout(r->out))
    solve_print(r, w, &problem, !error);
  if (r->print && !app->json)
    app_print_x(problem.K.n, w->x);
  if (error) {
    complain("%s", why.text);
    return APP_WRONG;
  }
  return w->result.outcome == PERP_SOLVED ? APP_FINE : APP_NOT_SOLVED;
}

/* Refuses options that do not apply to nonlinear problems. */
static int solve_nonlinear(const app_call *app, const solve_request *r)
{
  const char *other = r->all                   ? "all"
                      : r->trace               ? "trace"
                      : r->out_u               ? "out-u"
                      : r->recorder.folder     ? "record"
                      : r->replay              ? "replay"
                      : r->repeat > 1          ? "repeat"
                      : r->options.threads > 1 ? "threads"
                                               : NULL;
  if (other)
    return refuse(app, PERP_ERROR_ARGUMENT, "--%s is not available for nonlinear problems", other);
  const ncp_request asked = {.where = r->where,
                             .method = r->method,
                             .start = r->start,
                             .out = r->out,
                             .out_y = r->out_y,
                             .set = &r->set,
                             .tol = r->options.tol,
                             .time_limit = r->options.time_limit,
                             .max_iterations = r->options.max_iterations,
                             .seed = r->options.seed,
                             .verbose = r->options.verbose,
                             .print = r->print};
  return (nl_is(r->where) ? nl_solve : ncp_solve)(app, &asked);
}

int command_solve(const app_call *app, int argc, char **argv)
{
  solve_request r;
  int status;
  if (!solve_parse(app, argc, argv, &r, &status))
    return status;
  if (ncp_is(r.where) || nl_is(r.where))
    return solve_nonlinear(app, &r);
  solve_work w = {.result = perp_result_empty()};
  perp_message why = {""};
  perp_error error = r.replay ? open_record(&r, &w, &why) : make_solver(&r, &w, &why);
  if (!error && r.device)
    error = perp_device_create(r.device, &w.device, &why);
  if (r.judge && strcmp(r.judge, "device") == 0)
    perp_device_set_judge(w.device, PERP_JUDGE_DEVICE);
  r.options.device = w.device;
  if (!error)
    error = prepare_outputs(&r, &w, &why);
  if (!error)
    error = load(&r, &w, &why);
  status = error ? refuse(app, error, "%s", why.text) : carry_out(app, &r, &w);
  release(&w);
  return status;
}
