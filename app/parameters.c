/* parameters.c: parameters set by --set, and their tables in words and in JSON */
#include "parameters.h"

#include <string.h>

static const char *parameter_at(const void *method, int i)
{
  const perp_parameter *p = ((const perp_method_info *)method)->parameters;
  return p ? p[i].name : NULL;
}

/* KEY=VALUE */
static perp_error set_parameter(perp_solver *solver, const perp_method_info *method,
                                const char *text, perp_message *why)
{
  char key[64], what[400];
  const char *equals = strchr(text, '=');
  snprintf(what, sizeof what, "--set \"%.300s\"", text);
  if (!equals || equals == text || (size_t)(equals - text) >= sizeof key)
    return app_say(why, PERP_ERROR_ARGUMENT, what, " is not of the form KEY=VALUE");
  snprintf(key, sizeof key, "%.*s", (int)(equals - text), text);
  for (int i = 0; parameter_at(method, i); i++)
    if (strcmp(parameter_at(method, i), key) == 0)
      return perp_solver_set_text(solver, key, equals + 1, why);
  snprintf(what, sizeof what, "method %s has no parameter \"%s\"", method->name, key);
  char all[64];
  snprintf(all, sizeof all, "perp list %.32s lists them", method->name);
  const char *otherwise = parameter_at(method, 0) ? all : "it has none";
  return app_say(why, PERP_ERROR_PARAMETER, what,
                 app_suggest(key, parameter_at, method, otherwise).text);
}

perp_error app_set_parameters(perp_solver *solver, const app_list *set, perp_message *why)
{
  const perp_method_info method = perp_solver_method(solver);
  perp_error error = PERP_OK;
  for (int i = 0; i < set->count && !error; i++)
    error = set_parameter(solver, &method, set->item[i], why);
  return error;
}

static const char *type_name(perp_parameter_type type)
{
  switch (type) {
  case PERP_TYPE_REAL:
    return "real";
  case PERP_TYPE_INTEGER:
    return "integer";
  case PERP_TYPE_FLAG:
    return "flag";
  case PERP_TYPE_CHOICE:
    return "choice";
  }
  return "";
}

/* "omega=1 (real, 0.01 to 1.99): ...", "order=forward (forward, backward): ...", "exact=no (yes,
 * no): ..." */
static void print_parameter(const char *option, const perp_parameter *p, const char *given)
{
  printf("  %s%s=", option, p->name);
  if (given)
    printf("%.*s (", (int)strcspn(given, ","), given);
  else if (p->type == PERP_TYPE_CHOICE)
    printf("%s (", p->choices[(int)p->value]);
  else if (p->type == PERP_TYPE_FLAG)
    printf("%s (", p->value != 0 ? "yes" : "no");
  else
    printf("%.15g (", p->value);
  if (p->type == PERP_TYPE_CHOICE)
    for (int i = 0; p->choices[i]; i++)
      printf("%s%s", i ? ", " : "", p->choices[i]);
  else if (p->type == PERP_TYPE_FLAG)
    printf("yes, no");
  else
    printf("%s, %.15g to %.15g", type_name(p->type), p->least, p->most);
  printf("): %s\n", p->text);
}

static void json_parameter(json *j, const perp_parameter *p, const char *given)
{
  json_begin_object(j, NULL);
  json_text(j, "name", p->name);
  json_text(j, "type", type_name(p->type));
  if (p->type == PERP_TYPE_CHOICE) {
    json_text(j, "default", p->choices[(int)p->value]);
    json_begin_array(j, "choices");
    for (int i = 0; p->choices[i]; i++)
      json_text(j, NULL, p->choices[i]);
    json_end_array(j);
  } else if (p->type == PERP_TYPE_FLAG) {
    json_bool(j, "default", p->value != 0);
  } else {
    json_real(j, "default", p->value);
    json_real(j, "least", p->least);
    json_real(j, "most", p->most);
  }
  if (given) {
    char value[128];
    snprintf(value, sizeof value, "%.*s", (int)strcspn(given, ","), given);
    json_text(j, "value", value);
  }
  json_text(j, "text", p->text);
  json_end_object(j);
}

static const char *value_of(app_values values, const perp_parameter *p)
{
  return values.of ? values.of(values.context, p->name) : NULL;
}

void app_print_parameters(const char *option, const perp_parameter *table, app_values values)
{
  for (const perp_parameter *p = table; p && p->name; p++)
    print_parameter(option, p, value_of(values, p));
}

void app_json_parameter_items(json *j, const perp_parameter *table, app_values values)
{
  for (const perp_parameter *p = table; p && p->name; p++)
    json_parameter(j, p, value_of(values, p));
}

void app_json_parameters(json *j, const perp_parameter *table)
{
  json_begin_array(j, "parameters");
  app_json_parameter_items(j, table, (app_values){0});
  json_end_array(j);
}
