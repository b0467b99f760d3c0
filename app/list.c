/* list.c: perp list, the registry in words */
#include "app.h"
#include "ncp.h"
#include "parameters.h"

#include <limits.h>
#include <string.h>

typedef struct name_of_bit {
  unsigned bit;
  const char *name;
} name_of_bit;

static const name_of_bit forms[] = {
    {PERP_TAKES(PERP_FORM_LCP), "lcp"},
    {PERP_TAKES(PERP_FORM_MIXED), "mixed"},
    {PERP_TAKES(PERP_FORM_BOXED), "boxed"},
    {PERP_TAKES(PERP_FORM_FINDEX), "findex"},
    {PERP_TAKES(PERP_FORM_CONE), "cone"},
    {PERP_TAKES(PERP_FORM_CONTACT), "contact"},
    {0, NULL},
};

static const name_of_bit abilities[] = {
    {PERP_CAN_APPLY, "apply"},           {PERP_CAN_APPLY_T, "apply_t"},
    {PERP_CAN_DIAGONAL, "diagonal"},     {PERP_CAN_ROW, "row"},
    {PERP_CAN_COLUMN, "column"},         {PERP_CAN_RELAX, "relax"},
    {PERP_CAN_PRINCIPAL, "principal"},   {PERP_CAN_BLOCK_DIAGONAL, "block_diagonal"},
    {PERP_CAN_VELOCITIES, "velocities"}, {0, NULL},
};

static void print_bits(const char *title, unsigned bits, const name_of_bit *names)
{
  printf("  %s:", title);
  for (const name_of_bit *b = names; b->name; b++)
    if (bits & b->bit)
      printf(" %s", b->name);
  printf("%s\n", bits ? "" : " nothing");
}

static void print_method(const perp_method_info *m)
{
  printf("%s: %s (%s; %s)\n", m->name, m->title, m->family ? m->family : "-",
         m->source ? m->source : "-");
  print_bits("takes", m->takes, forms);
  print_bits("needs", m->needs, abilities);
  if (m->iteration)
    printf("  iterates: %s\n", m->iteration);
  if (m->works)
    printf("  works: %s\n", m->works);
  if (m->reference)
    printf("  reference: for comparison, never used by auto\n");
  if (m->most_unknowns > 0)
    printf("  unknowns: at most %d\n", m->most_unknowns);
  if (m->max_iterations > 0)
    printf("  iterations: at most %d, without --max-iter\n", m->max_iterations);
  app_print_parameters("--set ", m->parameters, (app_values){0});
}

/* One line: name, family, forms, title. */
static void print_brief(const perp_method_info *m)
{
  char takes[64] = "";
  unsigned all = 0;
  for (const name_of_bit *b = forms; b->name; b++) {
    all |= b->bit;
    if (m->takes & b->bit)
      snprintf(takes + strlen(takes), sizeof takes - strlen(takes), "%s%s", takes[0] ? " " : "",
               b->name);
  }
  printf("%-10s  %-10s  %-22s  %s\n", m->name, m->family ? m->family : "-",
         (m->takes & all) == all ? "all forms" : takes, m->title);
}

static void json_bits(json *j, const char *key, unsigned bits, const name_of_bit *names)
{
  json_begin_array(j, key);
  for (const name_of_bit *b = names; b->name; b++)
    if (bits & b->bit)
      json_text(j, NULL, b->name);
  json_end_array(j);
}

static void json_method(json *j, const perp_method_info *m)
{
  json_begin_object(j, NULL);
  json_text(j, "name", m->name);
  json_text(j, "title", m->title);
  json_text(j, "family", m->family);
  json_text(j, "source", m->source);
  json_bits(j, "takes", m->takes, forms);
  json_bits(j, "needs", m->needs, abilities);
  json_text(j, "iteration", m->iteration);
  json_text(j, "works", m->works);
  json_bool(j, "reference", m->reference);
  json_integer(j, "most_unknowns", m->most_unknowns);
  json_integer(j, "max_iterations", m->max_iterations);
  app_json_parameters(j, m->parameters);
  json_end_object(j);
}

static const char *method_name_at(const void *unused, int i)
{
  (void)unused;
  return i < perp_method_count() ? perp_method_at(i).name : NULL;
}

app_hint app_suggest_method(const char *mistyped)
{
  return app_suggest(mistyped, method_name_at, NULL, "perp list names them all");
}

static bool is_wanted(const app_operands *names, const char *name)
{
  for (int i = 0; i < names->count; i++)
    if (strcmp(names->item[i], name) == 0)
      return true;
  return names->count == 0;
}

int command_list(const app_call *app, int argc, char **argv)
{
  bool ignored = false;
  const app_option options[] = {
      {"json", APP_FLAG, &ignored, 0, 0, NULL, "print one JSON object"},
      {0},
  };
  const app_usage usage = {
      .call = "list [METHOD]... [--json]",
      .about =
          "Lists the methods, one line each: family, forms of problem, title. For the methods\n"
          "that are named it also shows the abilities of the matrix that they need, and their\n"
          "parameters with default and range; --json shows all of this for every method.\n"
          "perp list ncp shows the nonlinear problems of perp solve ncp:NAME, and the methods\n"
          "for them.\n",
      .options = options,
      .most_operands = INT_MAX,
  };
  app_operands names;
  int status;
  if (!app_parse(app, &usage, argc, argv, &names, &status))
    return status;
  if (names.count == 1 && strcmp(names.item[0], "ncp") == 0)
    return ncp_list(app);
  for (int i = 0; i < names.count; i++)
    if (perp_method_find(names.item[i]) < 0)
      return refuse(app, PERP_ERROR_ARGUMENT, "there is no method \"%s\"%s", names.item[i],
                    app_suggest_method(names.item[i]).text);
  json j;
  if (app->json) {
    j = json_open(stdout);
    json_begin_array(&j, "methods");
  }
  bool first = true;
  const bool brief = names.count == 0;
  for (int i = 0; i < perp_method_count(); i++) {
    const perp_method_info m = perp_method_at(i);
    if (!is_wanted(&names, m.name))
      continue;
    if (app->json) {
      json_method(&j, &m);
    } else if (brief) {
      print_brief(&m);
    } else {
      printf("%s", first ? "" : "\n");
      print_method(&m);
    }
    first = false;
  }
  if (app->json) {
    json_end_array(&j);
    json_close(&j);
  } else if (brief) {
    printf("\nperp list NAME shows what a method needs and its parameters.\n");
  }
  return APP_FINE;
}
