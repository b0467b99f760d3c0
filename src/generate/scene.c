/* scene.c: bodies, contact points and joints as lists, and their geometry
 *
 * Solid box of mass m and half extents (a, b, c): inertia m/3 (b^2 + c^2, a^2 + c^2, a^2 + b^2);
 * solid ball of radius r: 2/5 m r^2. Rotated by R, an inverse inertia D becomes R D R^T. */
#include "generate/scene.h"

#include <math.h>
#include <string.h>

void perp_scene_free(perp_scene *scene)
{
  perp_free(scene->body);
  perp_free(scene->touch);
  perp_free(scene->joint);
  *scene = (perp_scene){0};
}

/* Appends an item to a list; returns NULL if there is no memory. */
static void *next(perp_scene *scene, void *list, int *count, int *room, size_t size)
{
  void *item = perp_list_next(list, count, room, size);
  scene->failed = scene->failed || !item;
  return item;
}

static int add_body(perp_scene *scene, const perp_body *body)
{
  perp_body *added = next(scene, &scene->body, &scene->bodies, &scene->body_room, sizeof *added);
  if (!added)
    return 0;
  *added = *body;
  return scene->bodies - 1;
}

int perp_scene_box(perp_scene *scene, double mass, const double half[3], const double position[3],
                   double c, double s)
{
  perp_body body = {.mass_inverse = 1 / mass};
  const double xx = half[0] * half[0], yy = half[1] * half[1], zz = half[2] * half[2];
  const double d[3] = {3 / (mass * (yy + zz)), 3 / (mass * (xx + zz)), 3 / (mass * (xx + yy))};
  memcpy(body.position, position, sizeof body.position);
  /* body axes in the world: (c, 0, s), (0, 1, 0), (-s, 0, c) */
  double *I = body.inertia_inverse;
  I[0] = d[0] * (c * c) + d[2] * (s * s);
  I[2] = I[6] = (d[0] - d[2]) * (c * s);
  I[4] = d[1];
  I[8] = d[0] * (s * s) + d[2] * (c * c);
  return add_body(scene, &body);
}

int perp_scene_ball(perp_scene *scene, double mass, double radius, const double position[3])
{
  perp_body body = {.mass_inverse = 1 / mass};
  memcpy(body.position, position, sizeof body.position);
  for (int k = 0; k < 9; k += 4)
    body.inertia_inverse[k] = 2.5 / (mass * (radius * radius));
  return add_body(scene, &body);
}

/* Returns true if the next contact is kept; otherwise at most its bodies are. */
static bool keeps(perp_scene *scene, int a, int b)
{
  perp_pieces *p = scene->pieces;
  const int low = a < b ? a : b, high = a < b ? b : a, first = low == PERP_WORLD ? high : low;
  p->seen++;
  if (p->part)
    return p->part[first] == p->rank;
  int *pair = next(scene, &p->pair, &p->contacts, &p->room, 2 * sizeof *pair);
  if (pair) {
    pair[0] = first;
    pair[1] = low == PERP_WORLD ? -1 : high;
  }
  return false;
}

void perp_scene_touch(perp_scene *scene, int a, int b, const double point[3],
                      const double normal[3], double gap)
{
  if (scene->pieces && !keeps(scene, a, b))
    return;
  perp_scene_contact *touch =
      next(scene, &scene->touch, &scene->touches, &scene->touch_room, sizeof *touch);
  if (!touch)
    return;
  *touch = (perp_scene_contact){.a = b, .b = a, .gap = gap};
  if (scene->pieces)
    touch->id = (uint64_t)scene->pieces->seen - 1;
  memcpy(touch->at, point, sizeof touch->at);
  memcpy(touch->normal, normal, sizeof touch->normal);
}

void perp_scene_joint(perp_scene *scene, int a, int b, const double point[3])
{
  perp_joint *joint = next(scene, &scene->joint, &scene->joints, &scene->joint_room, sizeof *joint);
  if (!joint)
    return;
  *joint = (perp_joint){.a = a, .b = b};
  memcpy(joint->point, point, sizeof joint->point);
}

void perp_scene_escape(perp_scene *scene, double spread, double lift)
{
  for (int k = 0; k < scene->bodies; k++) {
    perp_body *body = &scene->body[k];
    body->escape[0] = spread * body->position[0];
    body->escape[1] = spread * body->position[1];
    body->escape[2] = body->position[2] + lift;
  }
}

void perp_scene_frame(const double n[3], double t[3], double o[3])
{
  int k = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(n[i]) < fabs(n[k]))
      k = i;
  /* t = e_k - (n . e_k) n, its length sqrt(1 - n_k^2) */
  for (int i = 0; i < 3; i++)
    t[i] = (i == k ? 1 : 0) - n[k] * n[i];
  const double length = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
  for (int i = 0; i < 3; i++)
    t[i] /= length;
  o[0] = n[1] * t[2] - n[2] * t[1];
  o[1] = n[2] * t[0] - n[0] * t[2];
  o[2] = n[0] * t[1] - n[1] * t[0];
}
