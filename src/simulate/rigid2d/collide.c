/* rigid2d/collide.c: collision detection in the plane */
#include "base/elementary.h"
#include "simulate/rigid2d/world.h"

#include <math.h>
#include <string.h>

/* ---- Two bodies ----
 *
 * If two polygons are disjoint, a face normal of one of them separates them. The face with the
 * greatest separation is the reference face. The most opposed edge of the other polygon is clipped
 * to the width of the reference face; its end points within reach are the contacts, at most two. If
 * two corners face each other, this gap is less than the true distance and the bodies stay slightly
 * farther apart for that step. */

/* Adds a contact at (x, y) of the bodies a and b; the normal n points from a to b. */
static bool add(perp_world *world, int a, int b, double x, double y, double nx, double ny,
                double gap, uint64_t id)
{
  perp_scene_contact *contact = perp_world_add_contact(world);
  if (contact)
    *contact = (perp_scene_contact){a, b, {x, y}, {nx, ny}, gap, id};
  return contact;
}

/* Bodies have 24 bits each, features the rest. */
static uint64_t name(int a, int b, unsigned feature)
{
  return (uint64_t)a << 40 | (uint64_t)b << 16 | (feature & 0xffff);
}

static bool disc_disc(perp_world *world, int a, int b, double reach)
{
  const perp_rigid_body *p = &world->body[a], *q = &world->body[b];
  const double dx = q->at[0] - p->at[0], dy = q->at[1] - p->at[1], distance = perp_hypot(dx, dy);
  const double gap = distance - p->radius - q->radius;
  if (gap > reach)
    return true;
  const double nx = distance > 0 ? dx / distance : 0, ny = distance > 0 ? dy / distance : 1;
  const double out = p->radius + gap / 2;
  return add(world, a, b, p->at[0] + nx * out, p->at[1] + ny * out, nx, ny, gap, name(a, b, 0));
}

/* Computes the outward unit normal of face k. */
static void face_normal(const perp_outline2 *p, int k, double n[2])
{
  const double *u = p->now + 2 * k, *v = p->now + 2 * ((k + 1) % p->corners);
  const double ex = v[0] - u[0], ey = v[1] - u[1], length = perp_hypot(ex, ey);
  n[0] = ey / length;
  n[1] = -ex / length;
}

/* Returns the greatest separation of q from the faces of p, and that face. */
static double separation(const perp_outline2 *p, const perp_outline2 *q, int *face)
{
  double most = -INFINITY;
  for (int k = 0; k < p->corners; k++) {
    double n[2], least = INFINITY;
    face_normal(p, k, n);
    for (int c = 0; c < q->corners; c++)
      least = perp_min(least, n[0] * (q->now[2 * c] - p->now[2 * k]) +
                                  n[1] * (q->now[2 * c + 1] - p->now[2 * k + 1]));
    if (least > most) {
      most = least;
      *face = k;
    }
  }
  return most;
}

static bool polygon_disc(perp_world *world, int a, int b, double reach)
{
  const perp_outline2 *p = &world->outline[a];
  const perp_rigid_body *q = &world->body[b];
  const perp_outline2 centre = {.corners = 1, .now = {q->at[0], q->at[1]}};
  int face = 0;
  const double most = separation(p, &centre, &face);
  double gap = most - q->radius, n[2];
  face_normal(p, face, n);
  if (gap > reach)
    return true;
  if (most > 0) { /* the centre is outside: the nearest point of the face may be a corner */
    const double *u = p->now + 2 * face, *v = p->now + 2 * ((face + 1) % p->corners);
    const double ex = v[0] - u[0], ey = v[1] - u[1];
    const double t = ((q->at[0] - u[0]) * ex + (q->at[1] - u[1]) * ey) / (ex * ex + ey * ey);
    const double *corner = t < 0 ? u : t > 1 ? v : NULL;
    if (corner) {
      const double dx = q->at[0] - corner[0], dy = q->at[1] - corner[1],
                   distance = perp_hypot(dx, dy);
      gap = distance - q->radius;
      if (gap > reach || distance == 0)
        return true;
      n[0] = dx / distance;
      n[1] = dy / distance;
    }
  }
  const double in = q->radius + gap / 2;
  return add(world, a, b, q->at[0] - n[0] * in, q->at[1] - n[1] * in, n[0], n[1], gap,
             name(a, b, 0));
}

/* Clips a segment to d . (point - origin) >= 0. */
static void cut(double end[2][2], const double origin[2], const double d[2])
{
  double side[2];
  for (int k = 0; k < 2; k++)
    side[k] = d[0] * (end[k][0] - origin[0]) + d[1] * (end[k][1] - origin[1]);
  for (int k = 0; k < 2; k++)
    if (side[k] < 0 && side[1 - k] > 0) {
      const double t = side[k] / (side[k] - side[1 - k]);
      for (int j = 0; j < 2; j++)
        end[k][j] += t * (end[1 - k][j] - end[k][j]);
      side[k] = 0;
    }
}

static bool polygon_polygon(perp_world *world, int a, int b, double reach)
{
  const perp_outline2 *p = &world->outline[a], *q = &world->outline[b];
  int face_p = 0, face_q = 0;
  const double of_p = separation(p, q, &face_p), of_q = separation(q, p, &face_q);
  if (perp_max(of_p, of_q) > reach)
    return true;
  /* Without a margin nearly equal faces would alternate from frame to frame. */
  const bool swapped = of_q > of_p + 1e-3 * world->body[a].radius;
  const perp_outline2 *reference = swapped ? q : p, *incident = swapped ? p : q;
  const int face = swapped ? face_q : face_p;
  double n[2];
  face_normal(reference, face, n);
  int edge = 0;
  double against = INFINITY;
  for (int k = 0; k < incident->corners; k++) {
    double m[2];
    face_normal(incident, k, m);
    if (m[0] * n[0] + m[1] * n[1] < against) {
      against = m[0] * n[0] + m[1] * n[1];
      edge = k;
    }
  }
  const double *u = reference->now + 2 * face,
               *v = reference->now + 2 * ((face + 1) % reference->corners);
  const double along[2] = {v[0] - u[0], v[1] - u[1]}, back[2] = {-along[0], -along[1]};
  double end[2][2];
  memcpy(end[0], incident->now + 2 * edge, sizeof end[0]);
  memcpy(end[1], incident->now + 2 * ((edge + 1) % incident->corners), sizeof end[1]);
  cut(end, u, along);
  cut(end, v, back);
  bool fine = true;
  for (int k = 0; k < 2 && fine; k++) {
    const double gap = n[0] * (end[k][0] - u[0]) + n[1] * (end[k][1] - u[1]);
    if (gap > reach)
      continue;
    const double sign = swapped ? -1 : 1;
    const unsigned feature = (unsigned)(swapped << 12 | face << 8 | edge << 4 | k);
    fine = add(world, a, b, end[k][0] - 0.5 * gap * n[0], end[k][1] - 0.5 * gap * n[1], sign * n[0],
               sign * n[1], gap, name(a, b, feature));
  }
  return fine;
}

bool perp_world2_collide_pair(perp_world *world, int a, int b, double reach)
{
  const bool disc_a = world->outline[a].corners == 0, disc_b = world->outline[b].corners == 0;
  if (disc_a && disc_b)
    return disc_disc(world, a, b, reach);
  if (disc_a)
    return polygon_disc(world, b, a, reach);
  if (disc_b)
    return polygon_disc(world, a, b, reach);
  return polygon_polygon(world, a, b, reach);
}

/* ---- All bodies ---- */

/* Returns how far a body may move in a step, plus the overlap that is tolerated. */
static double reach_of(const perp_world *world, const perp_rigid_body *b)
{
  return world->par.slop +
         world->par.h * (perp_hypot(b->v[0], b->v[1]) + fabs(b->spin[2]) * b->radius);
}

static bool meet(void *context, int a, int b)
{
  perp_world *world = context;
  const perp_rigid_body *p = &world->body[a], *q = &world->body[b];
  return (p->mass_inverse == 0 && q->mass_inverse == 0) ||
         perp_world2_collide_pair(world, a < b ? a : b, a < b ? b : a,
                                  reach_of(world, p) + reach_of(world, q));
}

perp_error perp_world2_collide(perp_world *world, perp_message *why)
{
  perp_box *box;
  if (!PERP_TAKE(&world->frame, PERP_ARRAY(box, world->bodies)))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d bodies", world->bodies);
  for (int k = 0; k < world->bodies; k++) {
    const perp_rigid_body *b = &world->body[k];
    const double far = b->radius + reach_of(world, b), x = b->at[0], y = b->at[1];
    box[k] = (perp_box){.lo = {x - far, y - far}, .hi = {x + far, y + far}};
  }
  return perp_world_meet(world, world->bodies, box, meet, why);
}
