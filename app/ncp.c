/* ncp.c: perp solve ncp:NAME[,start=K]: nonlinear problems of the literature */
#include "ncp.h"

#include "json.h"
#include "watch.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct ncp_work {
  perp_ncp_sample *sample;
  const perp_ncp *problem;
  perp_ncp_options options;
  perp_ncp_result result;
  app_output out, out_y;
  double *x, *y;
} ncp_work;

bool ncp_is(const char *where)
{
  return strncmp(where, "ncp:", 4) == 0;
}

static const char *sample_name_at(const void *unused, int i)
{
  (void)unused;
  return perp_ncp_sample_at(i).name;
}

static const char *method_name_at(const void *unused, int i)
{
  (void)unused;
  return perp_ncp_method_name(i);
}

/* --set linear=NAME and restarts=N */
static perp_error read_settings(const ncp_request *r, perp_ncp_options *o, perp_message *why)
{
  for (int k = 0; k < r->set->count; k++) {
    const char *item = r->set->item[k];
    if (strncmp(item, "linear=", 7) == 0) {
      o->linear = item + 7;
    } else if (strncmp(item, "restarts=", 9) == 0) {
      char *end;
      errno = 0;
      o->restarts = strtoll(item + 9, &end, 10);
      if (end == item + 9 || *end || errno || o->restarts < 0 || o->restarts > INT_MAX)
        return app_say(why, PERP_ERROR_PARAMETER, item, ": restarts is a whole number >= 0");
    } else {
      return app_say(why, PERP_ERROR_PARAMETER, item,
                     ": nonlinear problems have the parameters linear and restarts");
    }
  }
  return PERP_OK;
}

static perp_error check_method(const ncp_request *r, perp_message *why)
{
  for (int k = 0; perp_ncp_method_name(k); k++)
    if (!r->method || strcmp(perp_ncp_method_name(k), r->method) == 0)
      return PERP_OK;
  char what[400];
  snprintf(what, sizeof what, "no method \"%.100s\" for nonlinear problems", r->method);
  const app_hint hint = app_suggest(r->method, method_name_at, NULL,
                                    "use auto, josephy, fischer, minmap, homotopy or interior");
  return app_say(why, PERP_ERROR_ARGUMENT, what, hint.text);
}

static perp_error open_sample(const ncp_request *r, ncp_work *w, perp_message *why)
{
  perp_message said = {""};
  const char *name = r->where + 4;
  const perp_error error = perp_ncp_sample_create(name, &w->sample, &said);
  if (!error)
    return PERP_OK;
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)strcspn(name, ","), name);
  bool known = false;
  for (int k = 0; perp_ncp_sample_at(k).name; k++)
    known = known || strcmp(perp_ncp_sample_at(k).name, word) == 0;
  const app_hint hint = app_suggest(word, sample_name_at, NULL, "perp list ncp names them all");
  return app_say(why, error, said.text, known ? "" : hint.text);
}

static perp_error prepare(const ncp_request *r, ncp_work *w, perp_message *why)
{
  w->options = perp_ncp_options_default();
  w->options.tol = r->tol;
  w->options.time_limit = r->time_limit;
  w->options.seed = r->seed;
  w->options.verbose = r->verbose;
  if (r->max_iterations > 0)
    w->options.max_iterations = r->max_iterations;
  perp_error error = check_method(r, why);
  if (!error)
    error = read_settings(r, &w->options, why);
  if (!error && r->out)
    error = app_output_prepare(r->out, &w->out, why);
  if (!error && r->out_y)
    error = app_output_prepare(r->out_y, &w->out_y, why);
  if (!error)
    error = open_sample(r, w, why);
  if (error)
    return error;
  w->problem = perp_ncp_sample_problem(w->sample);
  const int n = (int)w->problem->n;
  int length;
  double *start = NULL;
  w->x = malloc(((size_t)n + 1) * sizeof *w->x);
  w->y = malloc(((size_t)n + 1) * sizeof *w->y);
  if (!w->x || !w->y)
    return app_say(why, PERP_ERROR_MEMORY, "out of memory for x", "");
  if (r->start)
    error = perp_vector_read(r->start, n, &start, &length, why);
  if (!error)
    memcpy(w->x, start ? start : perp_ncp_sample_start(w->sample), (size_t)n * sizeof *w->x);
  perp_free(start);
  return error;
}

static perp_error write_vectors(const ncp_request *r, const ncp_work *w, perp_message *why)
{
  char comment[200];
  snprintf(comment, sizeof comment, "perp %s, method %s: %s, natural residual %.3g", perp_version(),
           w->result.method, perp_outcome_name(w->result.outcome), w->result.residual);
  const int n = (int)w->problem->n;
  perp_error error = r->out ? app_vector_write(w->out.path, n, w->x, comment, why) : PERP_OK;
  if (r->out_y && !error)
    error = app_vector_write(w->out_y.path, n, w->y, comment, why);
  return error;
}

static void print_json(const ncp_request *r, const ncp_work *w, perp_error error,
                       const char *message)
{
  const perp_ncp_result *result = &w->result;
  json j = json_open(stdout);
  json_text(&j, "method", result->method);
  json_text(&j, "problem", r->where);
  json_integer(&j, "n", w->problem->n);
  json_text(&j, "form", "ncp");
  json_text(&j, "outcome", perp_outcome_name(result->outcome));
  json_bool(&j, "solved", result->outcome == PERP_SOLVED);
  json_real(&j, "residual", result->residual);
  json_real(&j, "tol", r->tol);
  json_integer(&j, "iterations", result->counts.iterations);
  json_real(&j, "seconds", result->seconds);
  json_real(&j, "linear_seconds", result->linear_seconds);
  json_begin_object(&j, "counts");
  json_integer(&j, "evaluations", result->evaluations);
  json_integer(&j, "jacobians", result->jacobians);
  json_integer(&j, "linear", result->counts.solves);
  json_integer(&j, "undefined", result->undefined);
  json_integer(&j, "restarts", result->counts.restarts);
  json_end_object(&j);
  json_text(&j, "message", message);
  json_vector(&j, "x", w->problem->n, w->x, r->print);
  json_vector(&j, "y", w->problem->n, w->y, r->print);
  json_text(&j, "error", error ? perp_error_name(error) : NULL);
  json_close(&j);
}

static void print_words(const ncp_request *r, const ncp_work *w)
{
  const perp_ncp_result *result = &w->result;
  const app_count counts[] = {{"evaluations", result->evaluations},
                              {"jacobians", result->jacobians},
                              {"linear solves", result->counts.solves},
                              {"restarts", result->counts.restarts},
                              {NULL, 0}};
  app_line_method(result->method, "", false);
  app_line("problem", "%s (n %lld, ncp)", r->where, (long long)w->problem->n);
  app_line_outcome(result->outcome);
  app_line("residual", "%.4g (tol %g)", result->residual, r->tol);
  app_line("iterations", "%lld", (long long)result->counts.iterations);
  app_line_work(counts);
  app_line("time", "%s", app_duration(result->seconds).text);
  app_line("message", "%s", result->message.text);
  if (r->out)
    app_line("x", "%s", r->out);
  if (r->out_y)
    app_line("y", "%s", r->out_y);
}

static int carry_out(const app_call *app, const ncp_request *r, ncp_work *w)
{
  watch watching = watch_begin(NULL, r->tol);
  watching.terminal = watching.terminal && !r->verbose;
  w->options.observer = watch_observe;
  w->options.observer_context = &watching;
  w->options.interrupted = watch_asked;
  watch_signals();
  perp_error error = perp_ncp_solve(r->method, w->problem, &w->options, w->x, &w->result);
  watch_end(&watching);
  if (error)
    return refuse(app, error, "%s: %s", r->where, w->result.message.text);
  if (w->problem->F(w->problem->context, w->x, w->y) != 0)
    for (int64_t i = 0; i < w->problem->n; i++)
      w->y[i] = NAN;
  perp_message why = {""};
  error = write_vectors(r, w, &why);
  if (app->json)
    print_json(r, w, error, error ? why.text : w->result.message.text);
  else if (!app_is_stdout(r->out))
    print_words(r, w);
  if (r->print && !app->json)
    app_print_x(w->problem->n, w->x);
  if (error) {
    complain("%s", why.text);
    return APP_WRONG;
  }
  return w->result.outcome == PERP_SOLVED ? APP_FINE : APP_NOT_SOLVED;
}

int ncp_solve(const app_call *app, const ncp_request *r)
{
  ncp_work w = {.result = perp_ncp_result_empty()};
  perp_message why = {""};
  const perp_error error = prepare(r, &w, &why);
  const int status = error ? refuse(app, error, "%s", why.text) : carry_out(app, r, &w);
  perp_ncp_sample_destroy(w.sample);
  free(w.x);
  free(w.y);
  return status;
}

int ncp_list(const app_call *app)
{
  json j;
  if (app->json) {
    j = json_open(stdout);
    json_begin_array(&j, "problems");
  }
  for (int k = 0; perp_ncp_sample_at(k).name; k++) {
    const perp_ncp_sample_info info = perp_ncp_sample_at(k);
    if (!app->json) {
      printf("%-26s n %-5lld starts %lld  %s\n", info.name, (long long)info.n,
             (long long)info.starts, info.title);
      continue;
    }
    json_begin_object(&j, NULL);
    json_text(&j, "name", info.name);
    json_text(&j, "title", info.title);
    json_text(&j, "source", info.source);
    json_integer(&j, "n", info.n);
    json_integer(&j, "starts", info.starts);
    json_end_object(&j);
  }
  if (app->json) {
    json_end_array(&j);
    json_close(&j);
  } else {
    printf("methods:");
    for (int k = 0; perp_ncp_method_name(k); k++)
      printf(" %s", perp_ncp_method_name(k));
    printf("\n");
  }
  return APP_FINE;
}
