/* nl.c: models of AMPL, Pyomo and JuMP: perp solve MODEL.nl, and perp STUB -AMPL as these call a solver
 *
 * As a solver the program follows AMPL's conventions ("Hooking your solver to AMPL", D. M. Gay): options
 * come from $perp_options and from the call, STUB.sol holds the result, and the exit status is 0
 * if it was written. */
#include "nl.h"

#include "json.h"
#include "watch.h"

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct nl_call {
  perp_nl *model;
  perp_nl_options options;
  perp_nl_result result;
  double *x, *y;
} nl_call;

static bool ends_with(const char *text, const char *end)
{
  const size_t length = strlen(text), tail = strlen(end);
  return length > tail && strcmp(text + length - tail, end) == 0;
}

bool nl_is(const char *where)
{
  return ends_with(where, ".nl");
}

static perp_error open_model(const char *path, nl_call *c, perp_message *why)
{
  c->result = perp_nl_result_empty();
  perp_error error = perp_nl_read(path, &c->model, why);
  if (error)
    return error;
  c->x = malloc(((size_t)perp_nl_variables(c->model) + 1) * sizeof *c->x);
  c->y = calloc((size_t)perp_nl_rows(c->model) + 1, sizeof *c->y);
  if (!c->x || !c->y)
    return app_say(why, PERP_ERROR_MEMORY, path, ": not enough memory");
  perp_nl_start(c->model, c->x);
  return PERP_OK;
}

static void close_model(nl_call *c)
{
  perp_nl_destroy(c->model);
  free(c->x);
  free(c->y);
}

static perp_error solve(nl_call *c)
{
  c->options.interrupted = watch_asked;
  watch_signals();
  return perp_nl_solve(c->model, &c->options, c->x, c->y, &c->result);
}

/* ---- perp solve MODEL.nl ---- */

static void print_json(const ncp_request *r, const nl_call *c)
{
  const perp_nl_result *result = &c->result;
  json j = json_open(stdout);
  json_text(&j, "method", result->method);
  json_text(&j, "problem", r->where);
  json_integer(&j, "n", perp_nl_variables(c->model));
  json_integer(&j, "rows", perp_nl_rows(c->model));
  json_integer(&j, "unknowns", result->n);
  json_integer(&j, "nonzeros", result->nonzeros);
  json_text(&j, "form", result->kind);
  json_text(&j, "outcome", perp_outcome_name(result->outcome));
  json_bool(&j, "solved", result->outcome == PERP_SOLVED);
  json_integer(&j, "solve_result_num", result->code);
  json_real(&j, "residual", result->residual);
  json_real(&j, "objective", result->objective);
  json_real(&j, "tol", r->tol);
  json_integer(&j, "iterations", result->iterations);
  json_integer(&j, "restarts", result->restarts);
  json_integer(&j, "evaluations", result->evaluations);
  json_integer(&j, "jacobians", result->jacobians);
  json_real(&j, "seconds", result->seconds);
  json_text(&j, "message", result->message.text);
  json_vector(&j, "x", perp_nl_variables(c->model), c->x, r->print);
  json_vector(&j, "y", perp_nl_rows(c->model), c->y, r->print);
  json_close(&j);
}

static void print_words(const ncp_request *r, const nl_call *c)
{
  const perp_nl_result *result = &c->result;
  app_line_method(result->method, "", false);
  app_line("problem", "%s (%d variables, %d rows; %s, n %lld, nonzeros %lld)", r->where,
           perp_nl_variables(c->model), perp_nl_rows(c->model), result->kind, (long long)result->n,
           (long long)result->nonzeros);
  app_line_outcome(result->outcome);
  app_line("residual", "%.4g (tol %g)", result->residual, r->tol);
  app_line("iterations", "%lld", (long long)result->iterations);
  app_line("time", "%s", app_duration(result->seconds).text);
  app_line("message", "%s", result->message.text);
}

static void print_named(int count, const double *x, const perp_nl *model,
                        void (*name_of)(const perp_nl *model, int i, perp_message *name))
{
  for (int i = 0; i < count; i++) {
    perp_message name;
    name_of(model, i, &name);
    printf("%-24s %.10g\n", name.text, x[i]);
  }
}

static perp_error write_vectors(const ncp_request *r, const nl_call *c, perp_message *why)
{
  char comment[200];
  snprintf(comment, sizeof comment, "perp %s, method %s: %s, residual %.3g", perp_version(),
           c->result.method, perp_outcome_name(c->result.outcome), c->result.residual);
  perp_error error = PERP_OK;
  if (r->out)
    error = app_vector_write(r->out, perp_nl_variables(c->model), c->x, comment, why);
  if (r->out_y && !error)
    error = app_vector_write(r->out_y, perp_nl_rows(c->model), c->y, comment, why);
  return error;
}

static perp_error read_start(const ncp_request *r, nl_call *c, perp_message *why)
{
  int length;
  double *start = NULL;
  const int n = perp_nl_variables(c->model);
  const perp_error error = r->start ? perp_vector_read(r->start, n, &start, &length, why) : PERP_OK;
  if (!error && start)
    memcpy(c->x, start, (size_t)n * sizeof *c->x);
  perp_free(start);
  return error;
}

int nl_solve(const app_call *app, const ncp_request *r)
{
  nl_call c = {.options = perp_nl_options_default()};
  perp_message why = {""};
  app_output unused;
  c.options.tol = r->tol;
  c.options.method = r->method;
  c.options.time_limit = r->time_limit;
  c.options.max_iterations = r->max_iterations;
  c.options.seed = r->seed;
  c.options.verbose = r->verbose;
  perp_error error = r->out ? app_output_prepare(r->out, &unused, &why) : PERP_OK;
  if (!error && r->out_y)
    error = app_output_prepare(r->out_y, &unused, &why);
  if (!error)
    error = open_model(r->where, &c, &why);
  if (!error)
    error = read_start(r, &c, &why);
  if (!error) {
    error = solve(&c);
    if (error)
      snprintf(why.text, sizeof why.text, "%.200s: %.300s", r->where, c.result.message.text);
  }
  if (!error)
    error = write_vectors(r, &c, &why);
  int status = c.result.outcome == PERP_SOLVED ? APP_FINE : APP_NOT_SOLVED;
  if (error)
    status = refuse(app, error, "%s", why.text);
  else if (app->json)
    print_json(r, &c);
  else if (!app_is_stdout(r->out))
    print_words(r, &c);
  if (!error && r->print && !app->json)
    print_named(perp_nl_variables(c.model), c.x, c.model, perp_nl_variable_name);
  close_model(&c);
  return status;
}

/* ---- perp STUB -AMPL ---- */

typedef struct ampl_call {
  nl_call nl;
  const char *stub;
  bool ampl, write;
  double wantsol, outlev;
  char method[64];
} ampl_call;

typedef struct ampl_word {
  const char *name, *text;
  double least, most;
} ampl_word;

enum { TOL, MAXIT, TIMELIM, OUTLEV, WANTSOL, RESTARTS, SEED, METHOD, WORDS };

static const ampl_word words[WORDS] = {
    [TOL] = {"tol", "solved if the residual is at most this; default 1e-6", DBL_MIN, DBL_MAX},
    [MAXIT] = {"maxit", "iterations of each attempt at most; 0: the method's own", 0, 1e15},
    [TIMELIM] = {"timelim", "seconds at most; 0: no limit", 0, DBL_MAX},
    [OUTLEV] = {"outlev", "1: a line for each iteration", 0, 1},
    [WANTSOL] = {"wantsol",
                 "without -AMPL, the sum of 1: write STUB.sol, 2: print x, 4: print y, "
                 "8: print no message",
                 0, 15},
    [RESTARTS] = {"restarts", "starts that are moved at random, if the first fails", 0, 1e6},
    [SEED] = {"seed", "of these starts", 0, 1e15},
    [METHOD] = {"method", "see perp list, perp list ncp and perp qp --help", 0, 0},
};

/* Names that users of other solvers know. */
static const struct {
  const char *name;
  int word;
} synonyms[] = {{"convergence_tolerance", TOL},   {"max_iter", MAXIT},
                {"major_iteration_limit", MAXIT}, {"time_limit", TIMELIM},
                {"max_cpu_time", TIMELIM},        {"print_level", OUTLEV}};

static int find_word(const char *name)
{
  for (int k = 0; k < WORDS; k++)
    if (strcmp(words[k].name, name) == 0)
      return k;
  for (size_t k = 0; k < sizeof synonyms / sizeof *synonyms; k++)
    if (strcmp(synonyms[k].name, name) == 0)
      return synonyms[k].word;
  return -1;
}

static void set_word(ampl_call *c, int word, double value)
{
  perp_nl_options *o = &c->nl.options;
  switch (word) {
  case TOL:
    o->tol = value;
    break;
  case MAXIT:
    o->max_iterations = (int64_t)value;
    break;
  case TIMELIM:
    o->time_limit = value;
    break;
  case OUTLEV:
    c->outlev = value;
    break;
  case WANTSOL:
    c->wantsol = value;
    break;
  case RESTARTS:
    o->restarts = (int64_t)value;
    break;
  default:
    o->seed = (uint64_t)value;
    break;
  }
}

static const char *word_at(const void *unused, int k)
{
  (void)unused;
  return k < WORDS ? words[k].name : NULL;
}

/* Reads "key=value key value ..."; `text` is changed. */
static bool read_words(ampl_call *c, char *text)
{
  const char *blanks = " \t\n,";
  for (char *at = text + strspn(text, blanks); *at; at += strspn(at, blanks)) {
    const size_t length = strcspn(at, " \t\n,=");
    char *value = at + length + strspn(at + length, " \t\n=");
    at[length] = 0;
    const int word = find_word(at);
    if (word < 0) {
      complain("unknown option \"%s\"%s", at,
               app_suggest(at, word_at, NULL, "perp -= lists them").text);
      return false;
    }
    char *end = value + strcspn(value, blanks);
    const bool last = !*end;
    *end = 0;
    if (word == METHOD) {
      snprintf(c->method, sizeof c->method, "%s", value);
      c->nl.options.method = c->method;
    } else {
      char *stop;
      const double number = strtod(value, &stop);
      if (stop == value || *stop || !(number >= words[word].least && number <= words[word].most)) {
        complain("option %s=%s: it must be from %g to %g", words[word].name, value,
                 words[word].least, words[word].most);
        return false;
      }
      set_word(c, word, number);
    }
    at = last ? end : end + 1;
  }
  return true;
}

bool nl_is_ampl_call(int argc, char **argv)
{
  for (int k = 1; k < argc; k++)
    if (strcmp(argv[k], "-AMPL") == 0)
      return true;
  return argc > 1 && (nl_is(argv[1]) || (argv[1][0] == '-' && argv[1][1] && !argv[1][2] &&
                                         strchr("se=?v", argv[1][1])));
}

static void print_usage(void)
{
  printf("usage: perp [-s] STUB [-AMPL] [key=value ...]\n\n"
         "STUB.nl is a model of AMPL, Pyomo or JuMP. With -AMPL or -s, STUB.sol holds the result.\n"
         "Options, also in $perp_options:\n\n");
  for (int k = 0; k < WORDS; k++)
    printf("  %-9s  %s\n", words[k].name, words[k].text);
}

/* Reads the arguments. Returns false if the program ends with *status. */
static bool read_call(ampl_call *c, int argc, char **argv, int *status)
{
  *status = APP_FINE;
  const char *variable = getenv("perp_options");
  char *text = variable ? malloc(strlen(variable) + 1) : NULL;
  if (text) {
    memcpy(text, variable, strlen(variable) + 1);
    if (!read_words(c, text))
      *status = APP_WRONG;
    free(text);
  }
  for (int k = 1; k < argc && *status == APP_FINE; k++) {
    if (strcmp(argv[k], "-AMPL") == 0) {
      c->ampl = true;
    } else if (strcmp(argv[k], "-s") == 0) {
      c->write = true;
    } else if (strcmp(argv[k], "-v") == 0) {
      printf("perp %s\n", perp_version());
      return false;
    } else if (strcmp(argv[k], "-?") == 0 || strcmp(argv[k], "-=") == 0) {
      print_usage();
      return false;
    } else if (strcmp(argv[k], "-e") == 0) {
      continue; /* echoes no options, as always */
    } else if (!c->stub) {
      c->stub = argv[k];
    } else if (!read_words(c, argv[k])) {
      *status = APP_WRONG;
    }
  }
  if (*status == APP_FINE && !c->stub) {
    complain("no model: perp STUB [-AMPL] [key=value ...]");
    *status = APP_WRONG;
  }
  return *status == APP_FINE;
}

static void print_line(void *context, perp_log_level level, const char *line)
{
  (void)context;
  (void)level;
  printf("%s\n", line);
}

int nl_ampl(int argc, char **argv)
{
  ampl_call c = {.nl.options = perp_nl_options_default()};
  perp_message why = {""};
  int status;
  if (!read_call(&c, argc, argv, &status))
    return status;
  perp_error error = open_model(c.stub, &c.nl, &why);
  if (!error) {
    c.nl.options.verbose = c.outlev > 0;
    c.nl.options.logger = c.outlev > 0 ? print_line : NULL;
    char text[600];
    const perp_error failed = solve(&c.nl);
    snprintf(text, sizeof text, "perp %s: %s", perp_version(), c.nl.result.message.text);
    if (failed)
      complain("%s: %s", c.stub, c.nl.result.message.text);
    const int shown = (int)c.wantsol;
    if (c.ampl || c.write || shown & 1)
      error = perp_nl_sol_write(c.nl.model, NULL, text, failed ? 500 : c.nl.result.code, c.nl.x,
                                c.nl.y, &why);
    if (!c.ampl && !(shown & 8))
      printf("%s\n", text);
    if (!c.ampl && shown & 2)
      print_named(perp_nl_variables(c.nl.model), c.nl.x, c.nl.model, perp_nl_variable_name);
    if (!c.ampl && shown & 4)
      print_named(perp_nl_rows(c.nl.model), c.nl.y, c.nl.model, perp_nl_row_name);
    status = c.ampl || !failed ? APP_FINE : APP_WRONG;
    if (!c.ampl && !failed && c.nl.result.outcome != PERP_SOLVED)
      status = APP_NOT_SOLVED;
  }
  if (error) {
    complain("%s", why.text);
    status = APP_WRONG;
  }
  close_model(&c.nl);
  return status;
}
