/* solve.c: perp solve
 *
 * Everything that can be wrong with the call is checked first, from cheap to costly: arguments,
 * method and parameters, the outputs, the problem, the start. Then the solve, which Ctrl-C ends
 * with the best iterate; then the files; then the words. */
#define _POSIX_C_SOURCE 200809L
#include "app.h"
#include "json.h"
#include "ncp.h"
#include "parameters.h"
#include "watch.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* Files that are given one by one: names[k] is the part "A" or "lo", and paths[k] its file. */
enum { PARTS = 6 };
typedef struct parts {
  int count;
  const char *names[PARTS], *paths[PARTS];
} parts;

typedef struct request {
  const char *where;
  const char *method, *start, *out, *out_y, *out_u, *out_low, *trace;
  const char *device, *judge;
  parts parts; /* of a problem that is no folder */
  app_list set;
  perp_options options;
  bool replay, print, all;
  int repeat;
  perp_recorder recorder;
} request;

/* The solutions of enumerate, for --all. */
typedef struct found_list {
  int n, count, room;
  double *x; /* count * n */
  bool *isolated;
  bool full; /* no memory for more */
} found_list;

/* What the call made, and owns until release. */
typedef struct work {
  perp_device *device;
  perp_record record; /* with --replay: the solver, the problem and the start come from it */
  perp_solver *solver;
  perp_instance instance;
  double *x;
  double *y, *u; /* A x + b; the ray, if there is one */
  double *low;   /* x_low, with --out-low */
  found_list found;
  app_output out, out_y, out_u, out_low;
  app_file trace;
  perp_result result;
  double processor_seconds; /* of the solve; the best measure on a machine that others use too */
} work;

/* ---- the call ---- */

/* The files of A.mtx b.mtx --lo ...: those that are given move to the front of the list. */
static bool take_parts(const app_call *app, const app_operands *operands, request *r, int *status)
{
  static const char *const names[PARTS] = {"A", "b", "lo", "hi", "mu", "findex"};
  parts *p = &r->parts;
  const bool files = operands->count == 2 && app_is_mtx(operands->item[0]);
  *status = APP_WRONG;
  if (operands->count == 2 && !files)
    refuse(app, PERP_ERROR_ARGUMENT, "%s: \"%s\" is one argument too many; two are A.mtx b.mtx",
           operands->item[0], operands->item[1]);
  else if (files && r->replay)
    refuse(app, PERP_ERROR_ARGUMENT, "--replay takes a record, which is a folder");
  else
    *status = APP_FINE;
  for (int k = 0; k < operands->count && files; k++)
    p->paths[k] = operands->item[k];
  for (int k = 0; k < PARTS && !*status; k++) {
    if (!p->paths[k])
      continue;
    if (!files)
      *status = refuse(app, PERP_ERROR_ARGUMENT, "--%s goes with A.mtx b.mtx, not with a folder",
                       names[k]);
    p->names[p->count] = names[k];
    p->paths[p->count++] = p->paths[k];
  }
  if (!*status && app_is_stdout(r->out) && (app->json || r->print))
    *status = refuse(app, PERP_ERROR_ARGUMENT, "--out - and --%s both write to standard output",
                     app->json ? "json" : "print");
  return *status == APP_FINE;
}

static bool parse(const app_call *app, int argc, char **argv, request *r, int *status)
{
  bool ignored = false;
  *r = (request){
      .options = perp_options_default(),
      .repeat = 1,
      .recorder = perp_recorder_default(NULL),
  };
  /* -1: growing steps between checks, although there is an observer; a trace needs every
   * iteration */
  r->options.check_every = -1;
  int check_every = 0;
  const app_option options[] = {
      {"method", APP_TEXT, &r->method, 0, 0, "NAME", "see perp list; default auto"},
      {"tol", APP_REAL, &r->options.tol, 0, DBL_MAX, "T",
       "solved at natural residual <= T max|b_i|; default 1e-8"},
      {"max-iter", APP_COUNT, &r->options.max_iterations, 1, 0x1p53, "N",
       "iterations at most; default: the method's own"},
      {"time-limit", APP_REAL, &r->options.time_limit, DBL_MIN, DBL_MAX, "S",
       "seconds at most; default: none"},
      {"set", APP_LIST, &r->set, 0, 0, "KEY=VALUE", "a parameter of the method; may be repeated"},
      {"start", APP_TEXT, &r->start, 0, 0, "x0.mtx", "start there; default: 0"},
      {"out", APP_TEXT, &r->out, 0, 0, "x.mtx",
       "write the solution, or the best iterate, there; -: on\n"
       "standard output, and nothing else"},
      {"out-y", APP_TEXT, &r->out_y, 0, 0, "y.mtx", "write y = A x + b there"},
      {"out-u", APP_TEXT, &r->out_u, 0, 0, "u.mtx",
       "if the outcome is infeasible: write the certificate there, for perp check --certificate"},
      {"out-low", APP_TEXT, &r->out_low, 0, 0, "x_low.mtx",
       "more digits: x + x_low meets the tolerance, and x_low is written there, for perp\n"
       "check --low"},
      {"all", APP_FLAG, &r->all, 0, 0, NULL, "show every solution; with --method enumerate"},
      {"trace", APP_TEXT, &r->trace, 0, 0, "t.csv", "write a row per iteration there"},
      {"check-every", APP_INT, &check_every, 1, INT_MAX, "K",
       "iterations between checks of the residual; default: growing, 1 with --trace"},
      {"threads", APP_INT, &r->options.threads, 1, 1024, "N",
       "threads at most, default 1; the result does not depend on it"},
      {"device", APP_TEXT, &r->device, 0, 0, "NAME",
       "solve on cuda:0, ... or on host, which runs the kernels of a GPU on the processor; "
       "default:\n"
       "on the processor"},
      {"judge", APP_TEXT, &r->judge, 0, 0, "host|device",
       "who computes the residual of the verdict: the processor, the default, or the device of "
       "--device"},
      {"seed", APP_SEED, &r->options.seed, 0, 0, "S", "for methods that draw random numbers"},
      {"record", APP_TEXT, &r->recorder.folder, 0, 0, "DIR",
       "if it is not solved: keep problem, start and options as a folder in DIR"},
      {"record-keep", APP_INT, &r->recorder.keep, 1, INT_MAX, "N",
       "the newest N records stay; default 10"},
      {"record-most", APP_COUNT, &r->recorder.most_bytes, 1, 0x1p53, "B",
       "problems of more than B bytes are not recorded; default 100 MiB"},
      {"replay", APP_FLAG, &r->replay, 0, 0, NULL,
       "PROBLEM is a record: solve it with the method, options and start it holds"},
      {"repeat", APP_INT, &r->repeat, 1, INT_MAX, "N",
       "once solved, solve again from the start, N times in all; the least time counts"},
      {"lo", APP_TEXT, &r->parts.paths[2], 0, 0, "lo.mtx", "lower bounds, beside A.mtx b.mtx"},
      {"hi", APP_TEXT, &r->parts.paths[3], 0, 0, "hi.mtx", "upper bounds"},
      {"mu", APP_TEXT, &r->parts.paths[4], 0, 0, "mu.mtx", "friction of the cones"},
      {"findex", APP_TEXT, &r->parts.paths[5], 0, 0, "findex.mtx", "friction indices, from 0"},
      {"print", APP_FLAG, &r->print, 0, 0, NULL, "show x; with --json: its member x"},
      {"json", APP_FLAG, &ignored, 0, 0, NULL,
       "print one JSON object; a number that is not finite is null"},
      {0},
  };
  const app_usage usage = {
      .call = "solve PROBLEM | A.mtx b.mtx [--method NAME] [options]",
      .about =
          "PROBLEM is a problem folder, a .mat file, or KIND:key=value,... for one that is made "
          "in\n"
          "memory (perp generate --list has the kinds), or ncp:NAME[,start=K] for a nonlinear one\n"
          "(perp list ncp has their names). The verdict is the natural residual\n"
          "max_i |x_i - P(x - y)_i| with y = A x + b, recomputed at the end; it is shown\n"
          "relative to max|b_i|. Ctrl-C ends the solve with the best iterate so far, a second one\n"
          "at once. Exit status 0: solved, 1: not solved (the best iterate is still written).\n",
      .options = options,
      .least_operands = 1,
      .most_operands = 2,
  };
  app_operands operands;
  if (!app_parse(app, &usage, argc, argv, &operands, status))
    return false;
  r->where = operands.item[0];
  if (!take_parts(app, &operands, r, status))
    return false;
  if (check_every > 0)
    r->options.check_every = check_every;
  else if (r->trace)
    r->options.check_every = 0;
  if (r->replay && (r->method || r->start || r->set.count > 0)) {
    *status = refuse(app, PERP_ERROR_ARGUMENT,
                     "--replay takes method, parameters and start from the record");
    return false;
  }
  if (r->judge && strcmp(r->judge, "host") != 0 && strcmp(r->judge, "device") != 0) {
    *status = refuse(app, PERP_ERROR_ARGUMENT, "--judge %s: the judge is host or device", r->judge);
    return false;
  }
  if (r->judge && strcmp(r->judge, "device") == 0 && !r->device) {
    *status = refuse(app, PERP_ERROR_ARGUMENT, "--judge device is for solves with --device");
    return false;
  }
  if (ncp_is(r->where) && r->device) {
    *status = refuse(app, PERP_ERROR_UNSUPPORTED, "ncp: problems do not run on devices");
    return false;
  }
  if (ncp_is(r->where))
    return true;
  if (!r->method)
    r->method = "auto";
  if (r->all && strcmp(r->method, "enumerate") != 0) {
    *status = refuse(app, PERP_ERROR_ARGUMENT,
                     "--all: only --method enumerate finds every solution, not %s", r->method);
    return false;
  }
  return true;
}

/* ---- method and parameters ---- */

/* A record holds everything that a solve needs; the call adds limits of time and files. */
static perp_error open_record(request *r, work *w, perp_message *why)
{
  perp_error error = perp_record_read(r->where, &w->record, why);
  if (error)
    return error;
  r->method = perp_solver_method(w->record.solver).name;
  r->options = perp_options_copy(w->record.options);
  w->solver = w->record.solver;
  w->instance = w->record.instance;
  w->x = w->record.start;
  /* owned by the work from here on */
  w->record.solver = NULL;
  w->record.instance = (perp_instance){0};
  w->record.start = NULL;
  return PERP_OK;
}

static perp_error make_solver(const request *r, work *w, perp_message *why)
{
  const int index = perp_method_find(r->method);
  if (index < 0) {
    char what[400];
    snprintf(what, sizeof what, "unknown method \"%.300s\"", r->method);
    const app_hint hint = app_suggest(r->method, app_method_name_at, NULL);
    return app_say(why, PERP_ERROR_ARGUMENT, what,
                   hint.text[0] ? hint.text : "; perp list names them all");
  }
  const perp_error error = perp_solver_create(r->method, &w->solver, why);
  return error ? error : app_set_parameters(w->solver, &r->set, why);
}

/* ---- files ---- */

static perp_error prepare_outputs(const request *r, work *w, perp_message *why)
{
  app_output trace = {""};
  perp_error error = PERP_OK;
  if (r->out)
    error = app_output_prepare(r->out, &w->out, why);
  if (r->out_y && !error)
    error = app_output_prepare(r->out_y, &w->out_y, why);
  if (r->out_u && !error)
    error = app_output_prepare(r->out_u, &w->out_u, why);
  if (r->out_low && !error)
    error = app_output_prepare(r->out_low, &w->out_low, why);
  if (r->trace && !error)
    error = app_output_prepare(r->trace, &trace, why);
  if (error)
    return error;
  for (int k = 0; k < r->parts.count; k++) {
    if (r->out && app_is_input(r->parts.paths[k], w->out.path, true))
      return app_say(why, PERP_ERROR_ARGUMENT, r->out, ": --out would overwrite the problem");
    if (r->trace && app_is_input(r->parts.paths[k], trace.path, true))
      return app_say(why, PERP_ERROR_ARGUMENT, r->trace, ": --trace would overwrite the problem");
  }
  if (r->out && app_is_input(r->where, w->out.path, false))
    return app_say(why, PERP_ERROR_ARGUMENT, r->out, ": --out would overwrite the problem");
  if (r->out_y && app_is_input(r->where, w->out_y.path, true))
    return app_say(why, PERP_ERROR_ARGUMENT, r->out_y, ": --out-y would overwrite the problem");
  if (r->out_u && app_is_input(r->where, w->out_u.path, true))
    return app_say(why, PERP_ERROR_ARGUMENT, r->out_u, ": --out-u would overwrite the problem");
  if (r->out_low && app_is_input(r->where, w->out_low.path, true))
    return app_say(why, PERP_ERROR_ARGUMENT, r->out_low, ": --out-low would overwrite the problem");
  if (!r->trace)
    return PERP_OK;
  if (app_is_input(r->where, trace.path, true))
    return app_say(why, PERP_ERROR_ARGUMENT, r->trace, ": --trace would overwrite the problem");
  if (r->start && app_is_input(r->start, trace.path, true))
    return app_say(why, PERP_ERROR_ARGUMENT, r->trace, ": --trace would overwrite the start");
  if (r->out && (strcmp(r->out, r->trace) == 0 || app_is_input(w->out.path, trace.path, true)))
    return app_say(why, PERP_ERROR_ARGUMENT, r->trace, ": --out and --trace are the same file");
  return app_file_open(trace.path, &w->trace, why);
}

static perp_error read_start(const char *path, int n, double **x, perp_message *why)
{
  int length;
  struct stat found;
  if (stat(path, &found) == 0 && S_ISFIFO(found.st_mode)) /* its reader may wait for ever */
    return app_say(why, PERP_ERROR_FILE, path, ": is a pipe; --start takes a file");
  const perp_error error = perp_vector_read(path, n, x, &length, why);
  for (int i = 0; i < n && !error; i++)
    if (!isfinite((*x)[i])) {
      char detail[64];
      snprintf(detail, sizeof detail, ": x[%d] = %g is not finite", i, (*x)[i]);
      return app_say(why, PERP_ERROR_FILE, path, detail);
    }
  return error;
}

static perp_error load(const request *r, work *w, perp_message *why)
{
  if (r->replay)
    return PERP_OK;
  const parts *p = &r->parts;
  perp_error error = p->count > 0 ? perp_parts_read(p->count, p->names, p->paths, &w->instance, why)
                                  : app_load(r->where, &w->instance, why);
  if (error)
    return error;
  const int n = perp_operator_size(w->instance.A);
  if (r->start)
    return read_start(r->start, n, &w->x, why);
  w->x = calloc((size_t)n + 1, sizeof *w->x);
  return w->x ? PERP_OK : app_say(why, PERP_ERROR_MEMORY, "not enough memory for x", "");
}

/* One vector of the result, with a line that says where it is from. */
static perp_error write_vector(const request *r, const work *w, const char *path, int n,
                               const double *v, perp_message *why)
{
  char comment[200];
  snprintf(comment, sizeof comment, "perp %s, method %s: %s, natural residual %.3g", perp_version(),
           r->method, perp_outcome_name(w->result.outcome), w->result.residual);
  return app_vector_write(path, n, v, comment, why);
}

static bool has_certificate(const work *w)
{
  return w->result.outcome == PERP_INFEASIBLE && w->u;
}

/* Writes x, y, u and the trace; all are tried. */
static perp_error write_outputs(const request *r, work *w, int n, perp_message *why)
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
                 {has_certificate(w) ? r->out_u : NULL, w->out_u.path, w->u}};
  for (int k = 0; k < 4; k++) {
    const perp_error written =
        vectors[k].asked ? write_vector(r, w, vectors[k].path, n, vectors[k].v, why) : PERP_OK;
    error = written ? written : error;
  }
  return error;
}

static void release(work *w)
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
  perp_device_close(w->device);
}

/* ---- the output ---- */

typedef struct named_count {
  const char *name;
  int64_t value;
} named_count;

enum { COUNTS = 8 };

static void name_counts(const perp_counts *c, named_count named[COUNTS])
{
  const named_count all[COUNTS] = {
      {"sweeps", c->sweeps},
      {"applies", c->applies},
      {"checks", c->checks},
      {"pivots", c->pivots},
      {"factorisations", c->factorisations},
      {"solves", c->solves},
      {"cycles", c->cycles},
      {"restarts", c->restarts},
  };
  memcpy(named, all, sizeof all);
}

/* What auto found out, its plan, and the result of each step. */
static void print_plan(const perp_result *r)
{
  if (r->plan.steps == 0)
    return;
  printf("plan        %s:", r->plan.class_name);
  for (int k = 0; k < r->plan.steps; k++)
    printf("%s %s", k ? "," : "", r->plan.method[k]);
  printf("%s (%.3g s to see)\n", r->plan.scaled ? ", scaled by the diagonal" : "", r->plan_seconds);
  for (int k = 0; k < r->attempts; k++) {
    const perp_attempt *a = &r->attempt[k];
    printf("step        %s: %s after %lld iterations, residual %.3g, %.3g s\n", a->method,
           perp_outcome_name(a->outcome), (long long)a->iterations, a->residual / r->scale,
           a->seconds);
  }
}

static void print_solutions(const found_list *f)
{
  for (int k = 0; k < f->count; k++) {
    printf("solution    %d, %s:", k, f->isolated[k] ? "isolated" : "in a continuum");
    for (int i = 0; i < f->n; i++)
      printf(" %.10g", f->x[k * f->n + i]);
    printf("\n");
  }
}

static void print_result(const request *r, const work *w, const perp_problem *p, bool written)
{
  const perp_result *result = &w->result;
  const char *name = result->method ? result->method : r->method;
  printf("method      %s, %s%s\n", name, perp_method_at(perp_method_find(name)).title,
         strcmp(name, r->method) == 0 ? "" : " (chosen by auto)");
  printf("problem     %s (%s)\n", r->where, app_summarise(p).text);
  if (w->device)
    printf("device      %s, %s\n", perp_device_facts(w->device).name,
           perp_device_facts(w->device).title);
  printf("outcome     %s%s%s\n",
         app_paint(stdout, result->outcome == PERP_SOLVED ? APP_GOOD : APP_BAD),
         perp_outcome_name(result->outcome), app_paint(stdout, APP_PLAIN));
  printf("residual    %.4g relative (tol %g), %.4g absolute\n", result->relative_residual,
         r->options.tol, result->residual);
  if (result->floor > 0)
    printf("floor       %.4g relative: below it the residual of doubles is luck\n",
           result->floor / result->scale);
  printf("iterations  %lld\n", (long long)result->counts.iterations);
  named_count counts[COUNTS];
  name_counts(&result->counts, counts);
  bool first = true;
  for (int i = 0; i < COUNTS; i++)
    if (counts[i].value > 0) {
      printf("%s%lld %s", first ? "work        " : ", ", (long long)counts[i].value,
             counts[i].name);
      first = false;
    }
  printf("%sseconds     %.4g\n", first ? "" : "\n", result->seconds);
  print_plan(result);
  if (result->message.text[0])
    printf("message     %s\n", result->message.text);
  if (r->recorder.last.text[0])
    printf("record      %s\n", r->recorder.last.text);
  print_solutions(&w->found);
  if (written && r->out)
    printf("x           %s\n", r->out);
  if (written && r->out_y)
    printf("y           %s\n", r->out_y);
  if (written && r->out_u && has_certificate(w))
    printf("u           %s\n", r->out_u);
  if (written && r->out_low)
    printf("x_low       %s\n", r->out_low);
  if (written && r->trace)
    printf("trace       %s\n", r->trace);
}

/* The same for programs. */
static void json_plan(json *j, const perp_result *r)
{
  json_text(j, "class", r->plan.steps ? r->plan.class_name : NULL);
  json_begin_array(j, "plan");
  for (int k = 0; k < r->plan.steps; k++)
    json_text(j, NULL, r->plan.method[k]);
  json_end_array(j);
  json_integer(j, "plan_scaled", r->plan.scaled);
  json_real(j, "plan_seconds", r->plan_seconds);
  json_begin_array(j, "steps");
  for (int k = 0; k < r->attempts; k++) {
    const perp_attempt *a = &r->attempt[k];
    json_begin_object(j, NULL);
    json_text(j, "method", a->method);
    json_text(j, "outcome", perp_outcome_name(a->outcome));
    json_real(j, "residual", a->residual / r->scale);
    json_integer(j, "iterations", a->iterations);
    json_real(j, "seconds", a->seconds);
    json_end_object(j);
  }
  json_end_array(j);
}

static void json_parameters(json *j, const char *method, const perp_solver *solver)
{
  json_begin_object(j, "parameters");
  const perp_parameter *p = perp_method_at(perp_method_find(method)).parameters;
  for (; p && p->name; p++) {
    double value;
    if (perp_solver_get(solver, p->name, &value, NULL) != PERP_OK)
      continue;
    if (p->type == PERP_TYPE_CHOICE)
      json_text(j, p->name, p->choices[(int)value]);
    else if (p->type == PERP_TYPE_FLAG)
      json_bool(j, p->name, value != 0);
    else
      json_real(j, p->name, value);
  }
  json_end_object(j);
}

/* Null if there is none; more numbers than anyone reads are left to --out-y and --out-u. */
static void json_vector(json *j, const char *key, int n, const double *v)
{
  enum { MOST = 10000 };
  if (!v || n > MOST) {
    json_text(j, key, NULL);
    return;
  }
  json_begin_array(j, key);
  for (int i = 0; i < n; i++)
    json_real(j, NULL, v[i]);
  json_end_array(j);
}

static void json_solutions(json *j, const found_list *f)
{
  json_begin_array(j, "solutions");
  for (int k = 0; k < f->count; k++) {
    json_begin_object(j, NULL);
    json_bool(j, "isolated", f->isolated[k]);
    json_vector(j, "x", f->n, f->x + k * f->n);
    json_end_object(j);
  }
  json_end_array(j);
}

static void json_result(const request *r, const work *w, const perp_problem *p, perp_error error,
                        const char *message)
{
  const perp_result *result = &w->result;
  json j = json_open(stdout);
  json_text(&j, "method", r->method);
  json_text(&j, "chosen", result->method);
  json_text(&j, "problem", r->where);
  json_integer(&j, "n", p->K.n);
  const int64_t nonzeros = perp_operator_nonzeros(p->A);
  if (nonzeros >= 0)
    json_integer(&j, "nonzeros", nonzeros);
  else
    json_text(&j, "nonzeros", NULL);
  json_text(&j, "form", perp_form_name(perp_set_form(&p->K)));
  json_text(&j, "operator", perp_operator_kind(p->A));
  json_text(&j, "device", perp_device_facts(w->device).name);
  json_parameters(&j, r->method, w->solver);
  json_text(&j, "outcome", perp_outcome_name(result->outcome));
  json_bool(&j, "solved", result->outcome == PERP_SOLVED);
  json_real(&j, "residual", result->relative_residual);
  json_real(&j, "residual_absolute", result->residual);
  json_real(&j, "scale", result->scale);
  json_real(&j, "floor", result->floor / result->scale);
  json_real(&j, "tol", r->options.tol);
  json_real(&j, "merit", result->merit);
  json_integer(&j, "iterations", result->counts.iterations);
  json_real(&j, "seconds", result->seconds);
  json_real(&j, "processor_seconds", w->processor_seconds);
  json_begin_object(&j, "counts");
  named_count counts[COUNTS];
  name_counts(&result->counts, counts);
  for (int i = 0; i < COUNTS; i++)
    json_integer(&j, counts[i].name, counts[i].value);
  json_end_object(&j);
  json_plan(&j, result);
  json_text(&j, "message", message);
  if (r->print) {
    json_begin_array(&j, "x");
    for (int i = 0; i < p->K.n; i++)
      json_real(&j, NULL, w->x[i]);
    json_end_array(&j);
  }
  if (r->out_low)
    json_vector(&j, "x_low", p->K.n, w->low);
  json_vector(&j, "y", p->K.n, w->y);
  json_vector(&j, "u", p->K.n, has_certificate(w) ? w->u : NULL);
  if (r->all)
    json_solutions(&j, &w->found);
  json_text(&j, "out", error ? NULL : r->out);
  json_text(&j, "out_y", error ? NULL : r->out_y);
  json_text(&j, "out_u", error || !has_certificate(w) ? NULL : r->out_u);
  json_text(&j, "out_low", error ? NULL : r->out_low);
  json_text(&j, "trace", error ? NULL : r->trace);
  json_text(&j, "record", r->recorder.last.text[0] ? r->recorder.last.text : NULL);
  json_text(&j, "error", error ? perp_error_name(error) : NULL);
  json_close(&j);
}

/* ---- the command ---- */

/* Repeats the solve, with warm caches and without an observer; x is unchanged at the end. */
static perp_error repeat(const request *r, work *w, const perp_problem *problem,
                         const double *start)
{
  const size_t bytes = (size_t)problem->K.n * sizeof *start;
  double *x = malloc(bytes + 1);
  if (!x)
    return PERP_ERROR_MEMORY;
  perp_options options = r->options;
  options.observer = NULL;
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
  found_list *f = context;
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

/* Where y, the ray and the solutions go. */
static void collect(request *r, work *w, int n)
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
static int carry_out(const app_call *app, request *r, work *w)
{
  const perp_problem problem = perp_instance_problem(&w->instance);
  watch watching = watch_begin(w->trace.stream, r->options.tol);
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
  w->processor_seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
  watch_end(&watching);
  if (!error && start && w->result.outcome == PERP_SOLVED)
    error = repeat(r, w, &problem, start);
  free(start);
  if (error)
    return refuse(app, error, "%s: %s", r->where, w->result.message.text);
  perp_message why = {""};
  error = write_outputs(r, w, problem.K.n, &why);
  if (app->json)
    json_result(r, w, &problem, error, error ? why.text : w->result.message.text);
  else if (!app_is_stdout(r->out))
    print_result(r, w, &problem, !error);
  for (int i = 0; i < problem.K.n && r->print && !app->json; i++)
    printf("x[%d] = %.17g\n", i, w->x[i]);
  if (error) {
    complain("%s", why.text);
    return APP_WRONG;
  }
  return w->result.outcome == PERP_SOLVED ? APP_FINE : APP_NOT_SOLVED;
}

/* Options that say nothing about a nonlinear problem are refused. */
static int solve_nonlinear(const app_call *app, const request *r)
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
    return refuse(app, PERP_ERROR_ARGUMENT, "--%s does not go with nonlinear problems", other);
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
                             .print = r->print};
  return ncp_solve(app, &asked);
}

int command_solve(const app_call *app, int argc, char **argv)
{
  request r;
  int status;
  if (!parse(app, argc, argv, &r, &status))
    return status;
  if (ncp_is(r.where))
    return solve_nonlinear(app, &r);
  work w = {.result = perp_result_empty()};
  perp_message why = {""};
  perp_error error = r.replay ? open_record(&r, &w, &why) : make_solver(&r, &w, &why);
  if (!error && r.device)
    error = perp_device_open(r.device, &w.device, &why);
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
