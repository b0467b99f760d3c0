/* solve_report.c: the result of perp solve, in words and as JSON */
#include "json.h"
#include "solve.h"

#include <string.h>

enum { COUNTS = 9 };

static void name_counts(const perp_counts *c, app_count named[COUNTS])
{
  const app_count all[COUNTS] = {
      {"sweeps", c->sweeps},
      {"applies", c->applies},
      {"checks", c->checks},
      {"pivots", c->pivots},
      {"factorisations", c->factorisations},
      {"solves", c->solves},
      {"cycles", c->cycles},
      {"restarts", c->restarts},
      {NULL, 0},
  };
  memcpy(named, all, sizeof all);
}

/* The class that auto found, its plan, and the result of each step. */
static void print_plan(const perp_result *r)
{
  if (r->plan.steps == 0)
    return;
  printf("plan        %s:", r->plan.class_name);
  for (int k = 0; k < r->plan.steps; k++)
    printf("%s %s", k ? "," : "", r->plan.method[k]);
  printf("%s (found in %s)\n", r->plan.scaled ? ", scaled by the diagonal" : "",
         app_duration(r->plan_seconds).text);
  for (int k = 0; k < r->attempts; k++) {
    const perp_attempt *a = &r->attempt[k];
    app_line("step", "%s: %s after %lld iterations, residual %.3g, %s", a->method,
             perp_outcome_name(a->outcome), (long long)a->iterations, a->residual / r->scale,
             app_duration(a->seconds).text);
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
  app_count counts[COUNTS];
  name_counts(&result->counts, counts);
  app_line_method(name, perp_method_at(perp_method_find(name)).title, strcmp(name, r->method) != 0);
  app_line("problem", "%s (%s)", r->where, app_summarise(p).text);
  if (w->device)
    app_line("device", "%s, %s", perp_device_facts(w->device).name,
             perp_device_facts(w->device).title);
  app_line_outcome(result->outcome);
  app_line("residual", "%.4g relative (tol %g), %.4g absolute", result->relative_residual,
           r->options.tol, result->residual);
  if (result->floor > 0)
    app_line(
        "floor",
        "%.4g relative (rounding floor: the last digits of x change the residual by up to this)",
        result->floor / result->scale);
  app_line("iterations", "%lld", (long long)result->counts.iterations);
  app_line_work(counts);
  app_line("time", "%s", app_duration(result->seconds).text);
  print_plan(result);
  if (result->message.text[0])
    app_line("message", "%s", result->message.text);
  if (r->recorder.last.text[0])
    app_line("record", "%s", r->recorder.last.text);
  print_solutions(&w->found);
  const bool proven = solve_has_certificate(w);
  const char *const files[][2] = {{"x", r->out},
                                  {"y", r->out_y},
                                  {"u", proven ? r->out_u : NULL},
                                  {"x_low", r->out_low},
                                  {"trace", r->trace}};
  for (size_t k = 0; k < sizeof files / sizeof *files && written; k++)
    if (files[k][1])
      app_line(files[k][0], "%s", files[k][1]);
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

static void json_solutions(json *j, const solve_found *f)
{
  json_begin_array(j, "solutions");
  for (int k = 0; k < f->count; k++) {
    json_begin_object(j, NULL);
    json_bool(j, "isolated", f->isolated[k]);
    json_vector(j, "x", f->n, f->x + k * f->n, false);
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
  json_real(&j, "cpu_seconds", w->cpu_seconds);
  json_begin_object(&j, "counts");
  app_count counts[COUNTS];
  name_counts(&result->counts, counts);
  for (int i = 0; counts[i].name; i++)
    json_integer(&j, counts[i].name, counts[i].value);
  json_end_object(&j);
  json_plan(&j, result);
  json_text(&j, "message", message);
  json_vector(&j, "x", p->K.n, w->x, r->print);
  if (r->out_low)
    json_vector(&j, "x_low", p->K.n, w->low, r->print);
  json_vector(&j, "y", p->K.n, w->y, r->print);
  json_vector(&j, "u", p->K.n, solve_has_certificate(w) ? w->u : NULL, r->print);
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
