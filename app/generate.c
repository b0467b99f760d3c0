/* generate.c: perp generate, problems made to order */
#include "parameters.h"

#include <limits.h>
#include <string.h>

static void print_kind(const perp_generator_info *g)
{
  printf("%s: %s (%s%s%s)\n", g->name, g->title, g->family, g->source[0] ? "; " : "", g->source);
  app_print_parameters("--set ", g->parameters, (app_values){0});
  printf("  --seed 1 (a whole number): another problem of the same kind\n");
}

static void json_kind(json *j, const perp_generator_info *g)
{
  json_begin_object(j, NULL);
  json_text(j, "name", g->name);
  json_text(j, "title", g->title);
  json_text(j, "family", g->family);
  json_text(j, "source", g->source);
  app_json_parameters(j, g->parameters);
  json_end_object(j);
}

static int list_kinds(const app_call *app, const char *only)
{
  json j;
  if (app->json) {
    j = json_open(stdout);
    json_begin_array(&j, "kinds");
  }
  for (int i = 0, shown = 0; i < perp_generator_count(); i++) {
    const perp_generator_info g = perp_generator_at(i);
    if (only && strcmp(only, g.name) != 0)
      continue;
    if (app->json) {
      json_kind(&j, &g);
    } else {
      printf("%s", shown ? "\n" : "");
      print_kind(&g);
    }
    shown++;
  }
  if (app->json) {
    json_end_array(&j);
    json_close(&j);
  }
  return APP_FINE;
}

/* KIND[:settings] with the options added as further settings; false if it gets too long. */
static bool compose(const char *kind, const char *n, const char *seed, const app_list *set,
                    char *text, size_t size)
{
  size_t used = (size_t)snprintf(text, size, "%s", kind);
  char separator = strchr(kind, ':') ? ',' : ':';
  const char *const keys[] = {"n", "seed"}, *const values[] = {n, seed};
  for (int k = 0; k < 2 && used < size; k++)
    if (values[k]) {
      used += (size_t)snprintf(text + used, size - used, "%c%s=%s", separator, keys[k], values[k]);
      separator = ',';
    }
  for (int k = 0; k < set->count && used < size; k++) {
    used += (size_t)snprintf(text + used, size - used, "%c%s", separator, set->item[k]);
    separator = ',';
  }
  return used < size;
}

static void report(const app_call *app, const char *out, const perp_instance *instance)
{
  const perp_problem problem = perp_instance_problem(instance);
  if (!app->json) {
    printf("%s: %s\n", out, app_describe(instance).text);
    return;
  }
  json j = json_open(stdout);
  json_text(&j, "out", out);
  json_text(&j, "name", instance->name);
  json_integer(&j, "n", problem.K.n);
  json_text(&j, "form", perp_form_name(perp_set_form(&problem.K)));
  json_text(&j, "operator", perp_operator_kind(problem.A));
  json_integer(&j, "nonzeros", perp_operator_nonzeros(problem.A));
  json_text(&j, "kind", perp_kind_name(instance->kind));
  json_bool(&j, "solution", instance->x != NULL);
  json_bool(&j, "certificate", instance->u != NULL);
  json_close(&j);
}

static int generate(const app_call *app, const char *text, const char *out)
{
  perp_instance instance = {0};
  perp_message why = {""};
  perp_error error = perp_generate(text, &instance, &why);
  if (!error)
    error = app_store(out, &instance, &why);
  int status = APP_FINE;
  if (error)
    status = refuse(app, error, "%s", why.text);
  else
    report(app, out, &instance);
  perp_instance_destroy(&instance);
  return status;
}

int command_generate(const app_call *app, int argc, char **argv)
{
  bool list = false, ignored = false, force = false;
  const char *n = NULL, *seed = NULL, *out = NULL;
  app_list set = {0};
  const app_option options[] = {
      {"list", APP_FLAG, &list, 0, 0, NULL, "list the kinds with their parameters, or only KIND"},
      {"n", APP_TEXT, &n, 0, 0, "N", "unknowns: short for --set n=N"},
      {"seed", APP_TEXT, &seed, 0, 0, "S", "another problem of the same kind; default 1"},
      {"set", APP_LIST, &set, 0, 0, "KEY=VALUE", "a parameter of the kind; may be repeated"},
      {"out", APP_TEXT, &out, 0, 0, "DIR",
       "the problem folder, or a file that ends with .mat or .hdf5"},
      {"force", APP_FLAG, &force, 0, 0, NULL, "replace the problem that DIR already holds"},
      {"json", APP_FLAG, &ignored, 0, 0, NULL, "print one JSON object"},
      {0},
  };
  const app_usage usage = {
      .call = "generate KIND [--n N] [--seed S] [--set KEY=VALUE]... --out DIR",
      .about =
          "Makes a problem of a known class, in most kinds with a known solution (x.mtx). The\n"
          "same kind, seed and parameters give the same bytes on every machine. Wherever the\n"
          "program takes a problem folder, KIND:key=value,... makes one in memory instead.\n",
      .options = options,
      .most_operands = 1,
  };
  app_operands operands;
  int status;
  if (!app_parse(app, &usage, argc, argv, &operands, &status))
    return status;
  const char *kind = operands.count ? operands.item[0] : NULL;
  const app_hint hint = app_suggest_kind(kind ? kind : "");
  if (kind && strcspn(kind, ":") == strlen(kind) && perp_generator_find(kind) < 0)
    return refuse(app, PERP_ERROR_ARGUMENT, "there is no kind of problem \"%s\"%s", kind,
                  hint.text);
  if (list)
    return list_kinds(app, kind);
  if (!kind)
    return refuse(app, PERP_ERROR_ARGUMENT,
                  "no kind of problem given; perp generate --list names them");
  if (!out)
    return refuse(app, PERP_ERROR_ARGUMENT, "--out DIR is missing: the folder for the problem");
  const char *reason = app_objection(out, force);
  if (reason)
    return refuse(app, PERP_ERROR_FILE, "%s: %s", out, reason);
  char text[4096];
  if (!compose(kind, n, seed, &set, text, sizeof text))
    return refuse(app, PERP_ERROR_ARGUMENT, "%s: the parameters are too long", kind);
  return generate(app, text, out);
}
