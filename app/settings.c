/* settings.c: all parameters of a run, given or of default, for the page */
#include "kit/html.h"
#include "robot.h"
#include "simulate.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

typedef struct sheet {
  FILE *out;
  int rows;
} sheet;

static void write_row(sheet *s, const char *group, const char *name, const char *value, bool given,
                      const char *about)
{
  fputs(s->rows++ ? ",\n[" : "[", s->out);
  html_script_text(s->out, group);
  fputc(',', s->out);
  html_script_text(s->out, name);
  fputc(',', s->out);
  html_script_text(s->out, value);
  fputs(given ? ",1," : ",0,", s->out);
  html_script_text(s->out, about);
  fputc(']', s->out);
}

/* given: the value in the call, up to a comma or the end; NULL: not given. */
static void write_parameter(sheet *s, const char *group, const perp_parameter *p, const char *given)
{
  char value[128];
  if (given)
    snprintf(value, sizeof value, "%.*s", (int)strcspn(given, ","), given);
  else if (p->type == PERP_TYPE_CHOICE)
    snprintf(value, sizeof value, "%s", p->choices[(int)p->value]);
  else if (p->type == PERP_TYPE_FLAG)
    snprintf(value, sizeof value, "%s", p->value != 0 ? "yes" : "no");
  else
    snprintf(value, sizeof value, "%.15g", p->value);
  write_row(s, group, p->name, value, given, p->text);
}

/* Returns the value of the last --set of that name; NULL: none. */
static const char *find_set(const app_list *set, const char *name)
{
  const size_t length = strlen(name);
  const char *found = NULL;
  for (int k = 0; k < set->count; k++)
    if (strncmp(set->item[k], name, length) == 0 && set->item[k][length] == '=')
      found = set->item[k] + length + 1;
  return found;
}

/* A number, or the word for none. */
static void write_option(sheet *s, const char *name, double value, bool given, const char *none,
                         const char *about)
{
  char text[40];
  snprintf(text, sizeof text, "%.15g", value);
  write_row(s, "solves", name, none ? none : text, given, about);
}

static void write_solves(sheet *s, const sim_request *r, const sim_run *run)
{
  const perp_options *o = &r->options;
  write_option(s, "tol", o->tol, r->own_tol, NULL, "relative residual of a solved step");
  write_option(s, "max-iter", (double)run->max_iterations, run->max_iterations > 0,
               run->max_iterations > 0 ? NULL : "the method's own",
               "iterations of a solve at most");
  write_option(s, "check-every", o->check_every, o->check_every > 0,
               o->check_every > 0 ? NULL : "growing", "iterations between checks of the residual");
  write_option(s, "time-limit", o->time_limit, o->time_limit > 0, o->time_limit > 0 ? NULL : "none",
               "seconds of a solve at most");
  write_option(s, "threads", o->threads, o->threads > 1, NULL, "at most");
  write_option(s, "device", 0, r->device, r->device ? r->device : "none", "where solves run");
  write_option(s, "cold", 0, r->cold, r->cold ? "yes" : "no", "each solve starts from 0");
  write_option(s, "islands", 0, r->islands, r->islands ? "yes" : "no",
               "parts that nothing connects are solved one by one");
}

/* Writes the measurements of a run inside another engine. */
static void write_measured(sheet *s, const sim_run *run)
{
  char text[64];
  snprintf(text, sizeof text, "%lld", (long long)(run->unsolved.count + run->complaints));
  write_row(s, "measured", "steps failed", text, true, "as the solver itself says");
  snprintf(text, sizeof text, "%.3g m", run->drift);
  write_row(s, "measured", "drift", text, true, "of bodies that should rest");
  snprintf(text, sizeof text, "%.3g", run->violation);
  write_row(s, "measured", "error", text, true, "of what the scene holds together");
  snprintf(text, sizeof text, "%.3g m", run->deepest);
  write_row(s, "measured", "overlap", text, true, "the deepest of all steps");
  write_row(s, "measured", "time of a step",
            app_duration(run->whole / (double)(run->steps ? run->steps : 1)).text, true,
            "on the CPU, the mean");
}

void settings_write(FILE *out, const sim_request *r, const sim_run *run)
{
  sheet s = {.out = out};
  if (run->inside) {
    fputc('[', out);
    write_measured(&s, run);
    fputc(']', out);
    return;
  }
  const char *seed = scene_find_value(run->scene, "seed");
  const perp_scene_info info = scene_info(run->scene);
  char text[512];
  fputc('[', out);
  snprintf(text, sizeof text, "%.*s", (int)strcspn(run->scene, ":"), run->scene);
  write_row(&s, "scene", "name", text, true, info.title);
  for (const perp_parameter *p = info.parameters; p && p->name; p++)
    write_parameter(&s, "scene", p, scene_find_value(run->scene, p->name));
  snprintf(text, sizeof text, "%.*s", seed ? (int)strcspn(seed, ",") : 1, seed ? seed : "1");
  if (!robot_is(run->scene))
    write_row(&s, "scene", "seed", text, seed, "of what is left to chance");
  snprintf(text, sizeof text, "%lld", (long long)r->steps);
  write_row(&s, "scene", "steps", text, r->steps != 300, "asked for");
  if (run->engine == ENGINE_PERP || run->after > 0) {
    const perp_method_info method = perp_method_at(perp_method_find(run->method));
    write_row(&s, "method", "name", run->method, true, method.title);
    for (const perp_parameter *p = method.parameters; p && p->name; p++)
      write_parameter(&s, "method", p, find_set(&r->set, p->name));
    write_solves(&s, r, run);
  }
  fputc(']', out);
}

static bool is_plain(const char *word)
{
  for (const char *c = word; *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("-_.,:=/+%@", *c))
      return false;
  return *word;
}

void settings_write_call(FILE *out, const sim_request *r)
{
  char call[8192] = "perp";
  size_t used = strlen(call);
  for (int k = 0; k < r->argc && used < sizeof call - 8; k++) {
    const char *word = r->argv[k];
    const bool plain = is_plain(word);
    used += (size_t)snprintf(call + used, 3, plain ? " " : " '");
    for (; *word && used < sizeof call - 8; word++)
      if (*word == '\'')
        used += (size_t)snprintf(call + used, 5, "'\\''");
      else
        call[used++] = *word;
    if (!plain)
      call[used++] = '\'';
    call[used] = 0;
  }
  html_script_text(out, call);
}
