/* version.c: perp version */
#include "app.h"
#include "json.h"
#include "robot.h"

static void print_components(const perp_component *c)
{
  for (; c->name; c++)
    printf("  %-8s  %s%s%s\n", c->name, c->present ? "yes" : "no",
           c->present && c->version[0] ? ", " : "", c->present ? c->version : "");
}

static void json_components(json *j, const perp_component *c)
{
  for (; c->name; c++) {
    json_begin_object(j, c->name);
    json_bool(j, "present", c->present);
    json_text(j, "version", c->version[0] ? c->version : NULL);
    json_end_object(j);
  }
}

int command_version(const app_call *app, int argc, char **argv)
{
  bool ignored = false;
  const app_option options[] = {
      {"json", APP_FLAG, &ignored, 0, 0, NULL, "print one JSON object"},
      {0},
  };
  const app_usage usage = {
      .call = "version [--json]",
      .about = "The version, and the optional components that this program was built with.\n",
      .options = options,
  };
  app_operands operands;
  int status;
  if (!app_parse(app, &usage, argc, argv, &operands, &status))
    return status;
  if (!app->json) {
    printf("perp %s\n", perp_version());
    print_components(perp_components());
    print_components(perp_lab_components());
    print_components(robot_components());
    return APP_FINE;
  }
  json j = json_open(stdout);
  json_text(&j, "version", perp_version());
  json_begin_object(&j, "components");
  json_components(&j, perp_components());
  json_components(&j, perp_lab_components());
  json_components(&j, robot_components());
  json_end_object(&j);
  json_close(&j);
  return APP_FINE;
}
