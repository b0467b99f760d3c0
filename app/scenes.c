/* scenes.c: the scenes of perp simulate in words and in JSON, and what is wrong with a call for one */
#include "json.h"
#include "parameters.h"
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

int scenes_list(const app_call *app, const char *only)
{
  char name[64];
  const int index = only ? find_scene(only, name) : -1;
  json j;
  if (app->json) {
    j = json_open(stdout);
    json_begin_array(&j, "scenes");
  }
  for (int i = 0; i < perp_scene_count(); i++) {
    const perp_scene_info s = perp_scene_at(i);
    if (only && i != index)
      continue;
    if (app->json) {
      json_begin_object(&j, NULL);
      json_text(&j, "name", s.name);
      json_text(&j, "title", s.title);
      json_text(&j, "family", s.family);
      app_json_parameters(&j, s.parameters);
      json_end_object(&j);
    } else {
      printf("%s%s: %s (%s)\n", i && !only ? "\n" : "", s.name, s.title, s.family);
      app_print_parameters("", s.parameters);
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
  char name[64];
  return has(perp_scene_at(find_scene(scene, name)).parameters, key);
}

int scenes_check(const app_call *app, const char *scene, const char *method, const app_list *set)
{
  char name[64];
  const int index = find_scene(scene, name);
  const app_hint hint = app_suggest(name, scene_at, NULL);
  if (index < 0)
    return refuse(app, PERP_ERROR_ARGUMENT, "there is no scene \"%s\"%s", name,
                  hint.text[0] ? hint.text : "; perp simulate --list names them");
  const app_hint other = app_suggest(method ? method : "", app_method_name_at, NULL);
  if (method && perp_method_find(method) < 0)
    return refuse(app, PERP_ERROR_ARGUMENT, "there is no method \"%s\"%s", method,
                  other.text[0] ? other.text : "; perp list names them all");
  const perp_method_info with = perp_method_at(method ? perp_method_find(method) : -1);
  for (int i = 0; i < set->count && method; i++)
    if (!has(with.parameters, set->item[i]) && has(perp_scene_at(index).parameters, set->item[i]))
      return refuse(app, PERP_ERROR_PARAMETER,
                    "--set is for the method; a parameter of the scene is set by its name: %s%c%s",
                    scene, strchr(scene, ':') ? ',' : ':', set->item[i]);
  return APP_FINE;
}
