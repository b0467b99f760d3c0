/* scene.c: bodies, contact points and joints as lists, and the little geometry they need
 *
 * Solid box of mass m and half extents (a, b, c): inertia m/3 (b^2 + c^2, a^2 + c^2, a^2 + b^2);
 * solid ball of radius r: 2/5 m r^2. Turned by R, an inverse inertia D becomes R D R^T. */
#include "generate/scene.h"

#include <math.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

void perp_scene_free(perp_scene *scene)
{
  perp_free(scene->body);
  perp_free(scene->touch);
  perp_free(scene->joint);
  *scene = (perp_scene){0};
}

/* The list with room for one more, or NULL, and then the old one is still whole. */
static void *grow(void *list, int count, int *room, size_t size)
{
  if (count < *room)
    return list;
  const int wanted = *room ? 2 * *room : FIRST_ROOM;
  char *longer = wanted > *room ? perp_alloc((size_t)wanted, size) : NULL;
  if (!longer)
    return NULL;
  if (count > 0)
    memcpy(longer, list, (size_t)count * size);
  perp_free(list);
  *room = wanted;
  return longer;
}

static int add_body(perp_scene *scene, const perp_body *body)
{
  perp_body *list = grow(scene->body, scene->bodies, &scene->body_room, sizeof *list);
  if (!list) {
    scene->failed = true;
    return 0;
  }
  scene->body = list;
  list[scene->bodies] = *body;
  return scene->bodies++;
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

void perp_scene_touch(perp_scene *scene, int a, int b, const double point[3],
                      const double normal[3], double gap)
{
  perp_scene_contact *list = grow(scene->touch, scene->touches, &scene->touch_room, sizeof *list);
  if (!list) {
    scene->failed = true;
    return;
  }
  scene->touch = list;
  perp_scene_contact *touch = &list[scene->touches++];
  *touch = (perp_scene_contact){.a = a, .b = b, .gap = gap};
  memcpy(touch->point, point, sizeof touch->point);
  memcpy(touch->normal, normal, sizeof touch->normal);
}

void perp_scene_joint(perp_scene *scene, int a, int b, const double point[3])
{
  perp_joint *list = grow(scene->joint, scene->joints, &scene->joint_room, sizeof *list);
  if (!list) {
    scene->failed = true;
    return;
  }
  scene->joint = list;
  perp_joint *joint = &list[scene->joints++];
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

/* Cosine and sine of 0 <= a <= pi/4 by their series, the smallest terms summed first. */
static void turn_small(double a, double *c, double *s)
{
  const double aa = a * a;
  double cosine = 1, sine = 1;
  for (int k = 18; k > 0; k -= 2) {
    cosine = 1 - aa / (k * (k - 1)) * cosine;
    sine = 1 - aa / (k * (k + 1)) * sine;
  }
  *c = cosine;
  *s = a * sine;
}

void perp_scene_turn(int k, int of, double *c, double *s)
{
  const double quarter_pi = 0.78539816339744830962;
  /* 8 k / of = octant + part / of */
  const int64_t eighths = 8 * (int64_t)(k % of);
  const int octant = (int)(eighths / of);
  int64_t part = eighths - (int64_t)octant * of;
  /* odd octants are measured back from their end, so that the angle is at most pi/4 from an axis */
  if (octant % 2)
    part = of - part;
  double u, v;
  turn_small((double)part / of * quarter_pi, &u, &v);
  const double across[8] = {u, v, -v, -u, -u, -v, v, u};
  const double up[8] = {v, u, u, v, -v, -u, -u, -v};
  *c = across[octant];
  *s = up[octant];
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
