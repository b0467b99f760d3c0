/* qp.c: perp qp, quadratic programs from a folder, a file or a generator */
#define _POSIX_C_SOURCE 200809L
#include "app.h"
#include "json.h"
#include "watch.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct request {
  const char *where, *method, *out, *out_z, *out_w, *out_ray, *write;
  bool list, print;
  perp_qp_options options;
} request;

typedef struct work {
  perp_qp_instance instance;
  double *x, *z, *w, *ray;
  perp_qp_result result;
} work;

static const char *kind_at(const void *unused, int i)
{
  (void)unused;
  return i < perp_qp_generator_count() ? perp_qp_generator_at(i).name : NULL;
}

static perp_error load(const char *where, perp_qp_instance *instance, perp_message *why)
{
  struct stat found;
  if (stat(where, &found) == 0)
    return S_ISDIR(found.st_mode) ? perp_qp_folder_read(where, instance, why)
                                  : perp_qp_mps_read(where, instance, why);
  if (errno != ENOENT && errno != ENAMETOOLONG) {
    snprintf(why->text, sizeof why->text, "%.300s: %s", where, strerror(errno));
    return PERP_ERROR_FILE;
  }
  const perp_error error = perp_qp_generate(where, instance, why);
  if (error != PERP_ERROR_ARGUMENT)
    return error;
  char kind[64];
  snprintf(kind, sizeof kind, "%.*s", (int)strcspn(where, ":"), where);
  const app_hint hint = app_suggest(kind, kind_at, NULL, "perp qp --list names them");
  snprintf(why->text, sizeof why->text,
           "%.300s: neither a file, a folder nor a kind of quadratic program%s", where, hint.text);
  return PERP_ERROR_FILE;
}

/* ---- Output ---- */

/* The objective of the file: (f + constant), negated if the file maximises. */
static double file_objective(const work *k)
{
  const double f = k->result.objective + k->instance.constant;
  return k->instance.maximised ? -f : f;
}

static int ray_length(const work *k)
{
  return k->result.outcome == PERP_INFEASIBLE ? k->instance.m : k->instance.n;
}

static void print_result(const request *r, const work *k)
{
  const perp_qp_result *t = &k->result;
  const app_count counts[] = {
      {"factorisations", t->counts.factorisations}, {"solves", t->counts.solves}, {NULL, 0}};
  const char *asked = r->method ? r->method : "auto";
  app_line_method(t->method[0] ? t->method : "none", "", strcmp(asked, "auto") == 0);
  app_line("problem", "%s (n %d, rows %d, qp)", r->where, k->instance.n, k->instance.m);
  app_line_outcome(t->outcome);
  app_line("residual", "primal %.3g, dual %.3g, gap %.3g, complementarity %.3g (tol %g)", t->primal,
           t->dual, t->gap, t->complementarity, r->options.tol);
  app_line("objective", "%.15g", file_objective(k));
  app_line("active", "%lld bounds with a multiplier", (long long)t->active);
  app_line("iterations", "%lld", (long long)t->counts.iterations);
  app_line_work(counts);
  app_line("time", "%s", app_duration(t->seconds).text);
  if (t->message.text[0])
    app_line("message", "%s", t->message.text);
  const char *const files[][2] = {
      {"x", r->out}, {"z", r->out_z}, {"w", r->out_w}, {"ray", t->ray ? r->out_ray : NULL}};
  for (size_t f = 0; f < sizeof files / sizeof *files; f++)
    if (files[f][1])
      app_line(files[f][0], "%s", files[f][1]);
}

static void json_result(const request *r, const work *k, const char *message, perp_error error)
{
  const perp_qp_result *t = &k->result;
  json j = json_open(stdout);
  json_text(&j, "problem", r->where);
  json_text(&j, "method", r->method ? r->method : "auto");
  json_text(&j, "chosen", t->method);
  json_text(&j, "outcome", perp_outcome_name(t->outcome));
  json_bool(&j, "solved", t->outcome == PERP_SOLVED);
  json_integer(&j, "n", k->instance.n);
  json_integer(&j, "rows", k->instance.m);
  json_real(&j, "objective", file_objective(k));
  json_real(&j, "residual", fmax(fmax(t->primal, t->dual), fmax(t->gap, t->complementarity)));
  json_real(&j, "primal", t->primal);
  json_real(&j, "dual", t->dual);
  json_real(&j, "gap", t->gap);
  json_real(&j, "complementarity", t->complementarity);
  json_real(&j, "primal_scale", t->primal_scale);
  json_real(&j, "dual_scale", t->dual_scale);
  json_real(&j, "tol", r->options.tol);
  json_integer(&j, "iterations", t->counts.iterations);
  json_integer(&j, "factorisations", t->counts.factorisations);
  json_integer(&j, "solves", t->counts.solves);
  json_integer(&j, "active", t->active);
  json_real(&j, "seconds", t->seconds);
  json_vector(&j, "x", k->instance.n, k->x, r->print);
  json_vector(&j, "z", k->instance.m, k->z, r->print);
  json_vector(&j, "w", k->instance.n, k->w, r->print);
  json_vector(&j, "ray", ray_length(k), t->ray ? k->ray : NULL, true);
  json_text(&j, "message", message);
  json_text(&j, "out", error ? NULL : r->out);
  json_text(&j, "error", error ? perp_error_name(error) : NULL);
  json_close(&j);
}

/* The kinds that can be generated, with their parameters. */
static int list_kinds(void)
{
  for (int k = 0; k < perp_qp_generator_count(); k++) {
    const perp_generator_info info = perp_qp_generator_at(k);
    printf("%-10s  %s\n", info.name, info.title);
    for (const perp_parameter *p = info.parameters; p->name; p++) {
      if (p->type == PERP_TYPE_CHOICE) {
        printf("  %-10s  %-8s  %s:", p->name, p->choices[(int)p->value], p->text);
        for (int c = 0; p->choices[c]; c++)
          printf(" %s", p->choices[c]);
        printf("\n");
      } else {
        printf("  %-10s  %-8g  %s\n", p->name, p->value, p->text);
      }
    }
  }
  return APP_FINE;
}

/* ---- The command ---- */

static perp_error write_one(const char *path, int n, const double *v, const char *comment,
                            perp_message *why)
{
  return path ? app_vector_write(path, n, v, comment, why) : PERP_OK;
}

static perp_error write_outputs(const request *r, const work *k, perp_message *why)
{
  perp_error error = write_one(r->out, k->instance.n, k->x, "x", why);
  if (!error)
    error = write_one(r->out_z, k->instance.m, k->z, "z, the multipliers of l <= G x <= u", why);
  if (!error)
    error = write_one(r->out_w, k->instance.n, k->w, "w, the multipliers of lb <= x <= ub", why);
  if (!error && k->result.ray)
    error = write_one(r->out_ray, ray_length(k), k->ray, perp_outcome_name(k->result.outcome), why);
  return error;
}

static int carry_out(const app_call *app, request *r, work *k)
{
  const size_t n = (size_t)k->instance.n, m = (size_t)k->instance.m;
  k->x = calloc(n + 1, sizeof *k->x);
  k->z = calloc(m + 1, sizeof *k->z);
  k->w = calloc(n + 1, sizeof *k->w);
  k->ray = calloc(n + m + 1, sizeof *k->ray);
  if (!k->x || !k->z || !k->w || !k->ray)
    return refuse(app, PERP_ERROR_MEMORY, "%s: out of memory", r->where);
  r->options.z = k->z;
  r->options.w = k->w;
  r->options.ray = k->ray;
  r->options.interrupted = watch_asked;
  watch_signals();
  const perp_qp qp = perp_qp_instance_program(&k->instance);
  perp_error error = perp_qp_solve(r->method, &qp, &r->options, k->x, &k->result);
  if (error)
    return refuse(app, error, "%s: %s", r->where, k->result.message.text);
  perp_message why = {""};
  error = write_outputs(r, k, &why);
  if (app->json)
    json_result(r, k, error ? why.text : k->result.message.text, error);
  else if (!r->out || !app_is_stdout(r->out))
    print_result(r, k);
  if (r->print && !app->json)
    app_print_x(k->instance.n, k->x);
  if (error) {
    complain("%s", why.text);
    return APP_WRONG;
  }
  return k->result.outcome == PERP_SOLVED ? APP_FINE : APP_NOT_SOLVED;
}

int command_qp(const app_call *app, int argc, char **argv)
{
  bool ignored = false, verbose = false;
  request r = {.options = perp_qp_options_default()};
  const app_option options[] = {
      {"method", APP_TEXT, &r.method, 0, 0, "NAME",
       "auto, ipm, active, admm or kkt:NAME (a method of perp list)"},
      {"tol", APP_REAL, &r.options.tol, 0, DBL_MAX, "T",
       "of each part of the verdict; default 1e-8"},
      {"max-iter", APP_COUNT, &r.options.max_iterations, 0, 1e15, "N", "default: the method's own"},
      {"time-limit", APP_REAL, &r.options.time_limit, 0, DBL_MAX, "S", "seconds; 0: none"},
      {"out", APP_TEXT, &r.out, 0, 0, "x.mtx", "write x; - is standard output"},
      {"out-z", APP_TEXT, &r.out_z, 0, 0, "z.mtx", "write the multipliers of the rows of G"},
      {"out-w", APP_TEXT, &r.out_w, 0, 0, "w.mtx", "write the multipliers of the bounds of x"},
      {"out-ray", APP_TEXT, &r.out_ray, 0, 0, "d.mtx", "write the ray that proves the outcome"},
      {"write", APP_TEXT, &r.write, 0, 0, "DIR",
       "write the program as a folder, and solve nothing"},
      {"list", APP_FLAG, &r.list, 0, 0, NULL, "name the kinds that can be generated"},
      {"verbose", APP_FLAG, &verbose, 0, 0, NULL,
       "a line for each iteration on stderr: residual, step, seconds"},
      {"print", APP_FLAG, &r.print, 0, 0, NULL,
       "show x; with --json all of x, z and w, also if they have more than 10,000 numbers"},
      {"json", APP_FLAG, &ignored, 0, 0, NULL,
       "print one JSON object; a number that is not finite is null"},
      {0},
  };
  const app_usage usage = {
      .call = "qp DIR|FILE.qps|FILE.mps|KIND:key=value,... [options]",
      .about =
          "Solves a quadratic program, minimise 1/2 x'P x + q'x subject to l <= G x <= u and\n"
          "lb <= x <= ub. The folder has P.mtx, q.mtx, G.mtx, l.mtx, u.mtx, lb.mtx and ub.mtx;\n"
          "a file that is missing stands for 0 (P, q, G) or for infinite bounds. A file is read "
          "as\n"
          "MPS or QPS, fixed or free format, compressed by gzip or not. Exit status 0: solved;\n"
          "1: not solved, the best x is written; 2: the input or the call is wrong.\n",
      .options = options,
      .most_operands = 1,
  };
  app_operands operands;
  int status;
  if (!app_parse(app, &usage, argc, argv, &operands, &status))
    return status;
  if (r.list)
    return list_kinds();
  if (operands.count == 0)
    return refuse(app, PERP_ERROR_ARGUMENT,
                  "no problem given: name a file, a folder or a kind (perp qp --list)");
  r.where = operands.item[0];
  r.options.verbose = verbose;
  if (r.print && r.out && app_is_stdout(r.out))
    return refuse(app, PERP_ERROR_ARGUMENT, "--out - and --print both write to standard output");
  work k = {.result = perp_qp_result_empty()};
  perp_message why = {""};
  const char *const outputs[] = {r.out, r.out_z, r.out_w, r.out_ray};
  perp_error error = PERP_OK;
  app_output prepared;
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs && !error; i++)
    if (outputs[i] && !app_is_stdout(outputs[i]))
      error = app_output_prepare(outputs[i], &prepared, &why);
  if (!error)
    error = load(r.where, &k.instance, &why);
  if (!error && r.write)
    error = perp_qp_folder_write(r.write, &k.instance, &why);
  if (error)
    status = refuse(app, error, "%s", why.text);
  else
    status = r.write ? APP_FINE : carry_out(app, &r, &k);
  free(k.x);
  free(k.z);
  free(k.w);
  free(k.ray);
  perp_qp_instance_destroy(&k.instance);
  return status;
}
