/* solve_report.c: what perp solve says about a solve, in words and as JSON */
#include "json.h"
#include "solve.h"

#include <string.h>

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

static void print_solutions(const solve_found *f)
{
  for (int k = 0; k < f->count; k++) {
    printf("solution    %d, %s:", k, f->isolated[k] ? "isolated" : "in a continuum");
    for (int i = 0; i < f->n; i++)
      printf(" %.10g", f->x[k * f->n + i]);
    printf("\n");
  }
}

void solve_print(const solve_request *r, const solve_work *w, const perp_problem *p, bool written)
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
  if (written && r->out_u && solve_has_certificate(w))
    printf("u           %s\n", r->out_u);
  if (written && r->out_low)
    printf("x_low       %s\n", r->out_low);
  if (written && r->trace)
    printf("trace       %s\n", r->trace);
}

/* ---- for programs ---- */

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

static void json_solutions(json *j, const solve_found *f)
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

void solve_print_json(const solve_request *r, const solve_work *w, const perp_problem *p,
                      perp_error error, const char *message)
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
  json_vector(&j, "u", p->K.n, solve_has_certificate(w) ? w->u : NULL);
  if (r->all)
    json_solutions(&j, &w->found);
  json_text(&j, "out", error ? NULL : r->out);
  json_text(&j, "out_y", error ? NULL : r->out_y);
  json_text(&j, "out_u", error || !solve_has_certificate(w) ? NULL : r->out_u);
  json_text(&j, "out_low", error ? NULL : r->out_low);
  json_text(&j, "trace", error ? NULL : r->trace);
  json_text(&j, "record", r->recorder.last.text[0] ? r->recorder.last.text : NULL);
  json_text(&j, "error", error ? perp_error_name(error) : NULL);
  json_close(&j);
}
