/* web/scene.c: scenes that run side by side, each in its own slot
 *
 * A step leaves its numbers and the addresses of what there is to see in one array of doubles, which
 * JavaScript reads without any text between. */
#include "play.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { PLACES = 4, NUMBERS = 32 };

static perp_simulation *scene[PLACES];
static double numbers[NUMBERS];
static perp_message trouble;

static bool is_there(int place)
{
  return place >= 0 && place < PLACES && scene[place];
}

PLAY void play_scene_end(int place)
{
  if (is_there(place)) {
    perp_simulation_destroy(scene[place]);
    scene[place] = NULL;
  }
}

PLAY const char *play_scene_options(int place, double tol, double iterations, double seconds,
                                    int warm)
{
  if (!is_there(place))
    return play_error("no scene is loaded");
  perp_options *o = perp_simulation_options(scene[place]);
  o->tol = tol;
  o->max_iterations = (int64_t)iterations;
  o->time_limit = seconds;
  perp_simulation_set_warm(scene[place], warm != 0);
  play_begin();
  play_add("{}");
  return play_end();
}

static void add_shapes(const perp_view *view)
{
  static const char *const kinds[] = {"disc", "polygon", "sphere", "box", "capsule"};
  play_add("{\"dimension\":%d,\"lo\":[%.9g,%.9g,%.9g],\"hi\":[%.9g,%.9g,%.9g],\"shapes\":[",
           view->dimension, view->lo[0], view->lo[1], view->lo[2], view->hi[0], view->hi[1],
           view->hi[2]);
  for (int k = 0; k < view->shapes; k++) {
    const perp_shape *s = &view->shape[k];
    play_add("%s{\"kind\":\"%s\",\"fixed\":%s,\"wire\":%s,\"size\":[%.6g,%.6g,%.6g]", k ? "," : "",
             kinds[s->kind], s->fixed ? "true" : "false", s->wire ? "true" : "false", s->size[0],
             s->size[1], s->size[2]);
    for (int c = 0; c < 2 * s->corners; c++)
      play_add("%s%.6g", c ? "," : ",\"corner\":[", s->corner[c]);
    play_add(s->corners ? "]}" : "}");
  }
  play_add("]}");
}

/* The shapes, which stay until bodies come or go. */
PLAY const char *play_scene_shapes(int place)
{
  if (!is_there(place))
    return play_error("no scene is loaded");
  perp_view view;
  perp_simulation_view(scene[place], &view);
  play_begin();
  add_shapes(&view);
  return play_end();
}

PLAY const char *play_scene_create(int place, const char *text, const char *method, double tol,
                                   double iterations, double seconds, int warm)
{
  perp_message why = {""};
  if (place < 0 || place >= PLACES)
    return play_error("unknown slot for a scene");
  play_scene_end(place);
  if (perp_simulation_create(text, method, NULL, &scene[place], &why))
    return play_error(why.text);
  play_scene_options(place, tol, iterations, seconds, warm);
  return play_scene_shapes(place);
}

static double address(const void *p)
{
  return (double)(uintptr_t)p;
}

/* The current view, from number 16 on: shapes, pose, load, state, particles, particle, shade,
 * pressure, touch, contacts, contact. */
static void put_view(int place)
{
  perp_view view;
  perp_simulation_view(scene[place], &view);
  const double seen[] = {view.shapes,           address(view.pose),     address(view.load),
                         address(view.state),   view.particles,         address(view.particle),
                         address(view.shade),   address(view.pressure), address(view.touch),
                         (double)view.contacts, address(view.contact)};
  memcpy(numbers + 16, seen, sizeof seen);
}

PLAY const double *play_scene_view(int place)
{
  memset(numbers, 0, sizeof numbers);
  if (is_there(place))
    put_view(place);
  return numbers;
}

/* Number 0: 1 if the step is done. */
PLAY const double *play_scene_step(int place)
{
  memset(numbers, 0, sizeof numbers);
  trouble.text[0] = 0;
  if (!is_there(place))
    return numbers;
  perp_step s;
  if (perp_simulation_step(scene[place], &s, &trouble))
    return numbers;
  const double told[] = {
      1,
      (double)s.index,
      s.time,
      s.rows,
      s.contacts,
      s.active,
      s.outcome == PERP_SOLVED,
      s.relative_residual,
      (double)s.iterations,
      1e3 * s.solve_seconds,
      1e3 * s.step_seconds,
      s.kinetic,
      s.potential,
      s.penetration,
      s.volume,
      s.outcome,
  };
  memcpy(numbers, told, sizeof told);
  snprintf(trouble.text, sizeof trouble.text, "%s", perp_simulation_trouble(scene[place]));
  put_view(place);
  return numbers;
}

PLAY const char *play_scene_trouble(void)
{
  return trouble.text;
}

static const char *say(perp_error error, const perp_message *why)
{
  if (error)
    return play_error(why->text);
  play_begin();
  play_add("{}");
  return play_end();
}

/* at and to: 3 numbers each; body: kind and three sizes, then corners and their coordinates. */
PLAY const char *play_scene_act(int place, int kind, int shape, const char *name, double value,
                                double radius, const double *at, const double *body)
{
  perp_message why = {""};
  if (!is_there(place))
    return play_error("no scene is loaded");
  perp_action action = perp_action_default((perp_action_kind)kind);
  action.shape = shape;
  action.name = name;
  action.value = value;
  action.radius = radius;
  memcpy(action.at, at, sizeof action.at);
  memcpy(action.to, at + 3, sizeof action.to);
  const perp_shape like = {.kind = (perp_shape_kind)(int)body[0],
                           .size = {body[1], body[2], body[3]},
                           .corners = (int)body[4],
                           .corner = body + 5};
  action.body = &like;
  return say(perp_simulation_act(scene[place], &action, &why), &why);
}

PLAY const char *play_scene_follow(int place, int from)
{
  perp_message why = {""};
  if (!is_there(place) || !is_there(from))
    return play_error("no scene is loaded");
  return say(perp_simulation_follow(scene[place], scene[from], &why), &why);
}

/* The problem of the last step and its solution, as a folder. */
PLAY const char *play_scene_write(int place, const char *path)
{
  perp_message why = {""};
  const perp_problem *p = is_there(place) ? perp_simulation_problem(scene[place]) : NULL;
  if (!p)
    return play_error("the last step had no problem to solve");
  return say(perp_problem_write(path, p, perp_simulation_solution(scene[place]), &why), &why);
}

/* FNV-1a of 64 bits of all positions, as tests/test_bits.c has it. */
PLAY const char *play_scene_hash(int place)
{
  if (!is_there(place))
    return play_error("no scene is loaded");
  perp_view view;
  perp_simulation_view(scene[place], &view);
  const double *const list[] = {view.pose, view.particle};
  const int64_t count[] = {(view.dimension == 2 ? 3 : 7) * (int64_t)view.shapes,
                           view.dimension * (int64_t)view.particles};
  uint64_t hash = 0xcbf29ce484222325u;
  for (int l = 0; l < 2; l++)
    for (int64_t k = 0; k < count[l]; k++) {
      uint64_t bits;
      memcpy(&bits, &list[l][k], sizeof bits);
      for (int byte = 0; byte < 8; byte++)
        hash = (hash ^ (bits >> (8 * byte) & 0xff)) * 0x100000001b3u;
    }
  play_begin();
  play_add("{\"hash\":\"%016llx\"}", (unsigned long long)hash);
  return play_end();
}
