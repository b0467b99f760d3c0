/* scenes.c: the scenes of perp simulate in words and in JSON, and the checks of a scene argument */
#include "json.h"
#include "parameters.h"
#include "robot.h"
#include "simulate.h"

#include <string.h>

static const char *scene_at(const void *unused, int i)
{
  (void)unused;
  return i < perp_scene_count() ? perp_scene_at(i).name : NULL;
}

static int find_scene(const char *scene, char name[64])
{
  snprintf(name, 64, "%.*s", (int)strcspn(scene, ":"), scene);
  return perp_scene_find(name);
}

int scene_index(const char *scene)
{
  char name[64];
  return find_scene(scene, name);
}

perp_scene_info scene_info(const char *scene)
{
  perp_scene_info info = perp_scene_at(scene_index(scene));
  if (robot_is(scene)) {
    info.name = scene;
    info.title = "a robot";
    info.family = "mujoco";
    info.parameters = robot_parameters;
  }
  return info;
}

const char *scene_find_value(const char *scene, const char *key)
{
  const size_t length = strlen(key);
  const char *found = NULL;
  for (const char *at = strchr(scene, ':'); at; at = strchr(at + 1, ','))
    if (strncmp(at + 1, key, length) == 0 && at[1 + length] == '=')
      found = at + length + 2;
  return found;
}

/* Returns the value of a parameter in the text of a scene; NULL: its default. The context is that
 * text. */
static const char *value_in(const void *scene, const char *key)
{
  return scene ? scene_find_value(scene, key) : NULL;
}

/* Every scene has the parameter seed besides its own: a whole number, default 1. */
static const char SEED[] = "another scene of the kind, if it has anything random";

static void print_seed(const char *given)
{
  const int length = given ? (int)strcspn(given, ",") : 1;
  printf("  seed=%.*s (integer, from 0): %s\n", length, given ? given : "1", SEED);
}

/* Settings that no such scene has are reported before the list. */
static int check_settings(const app_call *app, const char *scene)
{
  sim_world world = {0};
  perp_message why = {""};
  const perp_options options = perp_options_default();
  const perp_error error =
      strchr(scene, ':') ? world_create(scene, "auto", &options, &world, &why) : PERP_OK;
  world_destroy(&world);
  return error ? refuse(app, error, "%s", why.text) : APP_FINE;
}

static void json_seed(json *j, const char *given)
{
  json_begin_object(j, NULL);
  json_text(j, "name", "seed");
  json_text(j, "type", "integer");
  json_integer(j, "default", 1);
  json_integer(j, "least", 0);
  if (given) {
    char value[24];
    snprintf(value, sizeof value, "%.*s", (int)strcspn(given, ","), given);
    json_text(j, "value", value);
  }
  json_text(j, "text", SEED);
  json_end_object(j);
}

int scenes_list(const app_call *app, const char *only)
{
  const bool model = only && robot_is(only);
  const int index = only ? scene_index(only) : -1, count = model ? 1 : perp_scene_count();
  const app_values values = {value_in, only};
  if (only && check_settings(app, only))
    return APP_WRONG;
  json j;
  if (app->json) {
    j = json_open(stdout);
    json_begin_array(&j, "scenes");
  }
  for (int i = 0; i < count; i++) {
    const perp_scene_info s = model ? scene_info(only) : perp_scene_at(i);
    if (only && !model && i != index)
      continue;
    if (app->json) {
      json_begin_object(&j, NULL);
      json_text(&j, "name", s.name);
      json_text(&j, "title", s.title);
      json_text(&j, "family", s.family);
      json_begin_array(&j, "parameters");
      app_json_parameter_items(&j, s.parameters, values);
      if (!model)
        json_seed(&j, only ? scene_find_value(only, "seed") : NULL);
      json_end_array(&j);
      json_end_object(&j);
    } else {
      printf("%s%s: %s (%s)\n", i && !only ? "\n" : "", s.name, s.title, s.family);
      app_print_parameters("", s.parameters, values);
      if (!model)
        print_seed(only ? scene_find_value(only, "seed") : NULL);
    }
  }
  if (app->json) {
    json_end_array(&j);
    json_close(&j);
  }
  return APP_FINE;
}

/* Does the table have what "key=value" sets? */
static bool has(const perp_parameter *table, const char *text)
{
  const size_t length = strcspn(text, "=");
  for (const perp_parameter *p = table; p && p->name; p++)
    if (strlen(p->name) == length && strncmp(p->name, text, length) == 0)
      return true;
  return false;
}

bool scene_has(const char *scene, const char *key)
{
  return has(scene_info(scene).parameters, key);
}

int scenes_check(const app_call *app, const char *scene, const char *method, const app_list *set)
{
  char name[64];
  const int index = find_scene(scene, name);
  const app_hint hint = app_suggest(name, scene_at, NULL, "perp simulate --list names them");
  if (index < 0 && !robot_is(scene))
    return refuse(app, PERP_ERROR_ARGUMENT, "there is no scene \"%s\"%s", name, hint.text);
  if (method && perp_method_find(method) < 0)
    return refuse(app, PERP_ERROR_ARGUMENT, "there is no method \"%s\"%s", method,
                  app_suggest_method(method).text);
  const perp_method_info with = perp_method_at(method ? perp_method_find(method) : -1);
  for (int i = 0; i < set->count && method; i++)
    if (!has(with.parameters, set->item[i]) && has(scene_info(scene).parameters, set->item[i]))
      return refuse(app, PERP_ERROR_PARAMETER,
                    "--set is for the method; a parameter of the scene is set by its name: %s%c%s",
                    scene, strchr(scene, ':') ? ',' : ':', set->item[i]);
  return APP_FINE;
}
