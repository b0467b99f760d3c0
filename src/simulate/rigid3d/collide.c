/* rigid3d/collide.c: contacts of bodies in space */
#include "base/elementary.h"
#include "scene/vector.h"
#include "simulate/rigid3d/world.h"

#include <string.h>

/* ---- Two shapes ----
 *
 * Round shapes are points or segments with a radius. The signed distance of a point p to a box with
 * the half edges s is, in the frame of the box and with q = |p| - s,
 *
 *   | max(q, 0) | + min(max(q_0, q_1, q_2), 0),
 *
 * a convex function. Its minimum along the segment of a capsule is found by ternary search; the
 * ends of the segment are added if they are away from the minimiser.
 *
 * For two boxes we find the best separating axis among 15: the face normals and the cross products
 * of the edges (Gottschalk, Lin and Manocha 1996). If it is a face normal, the most opposed face of
 * the other box is clipped to that face, and the four outermost corners within reach are kept. If
 * it is a cross product, the contact is one point between the two nearest edges. */

/* Returns column k of the rotation, the axis k of the shape. */
static void axis_of(const perp_placed3 *p, int k, double axis[3])
{
  for (int i = 0; i < 3; i++)
    axis[i] = p->R[3 * i + k];
}

static double clamp(double v, double most)
{
  return perp_max(-most, perp_min(most, v));
}

/* ---- Round shapes ---- */

/* Computes the point t in [-1, 1] along the segment; a sphere is a segment of length 0. */
static void along(const perp_placed3 *p, double t, double x[3])
{
  double axis[3];
  axis_of(p, 2, axis);
  perp_v3_add(p->at, p->kind == PERP_SHAPE_CAPSULE ? t * p->size[1] : 0, axis, x);
}

/* Adds the contact of two spheres with radii r and s at p and q. */
static bool add_round(const double p[3], double r, const double q[3], double s, double reach,
                      unsigned place, perp_point3 *point)
{
  double d[3];
  perp_v3_add(q, -1, p, d);
  const double distance = perp_v3_norm(d);
  *point = (perp_point3){.gap = distance - r - s, .place = place, .normal = {0, 0, 1}};
  if (distance > 0)
    perp_v3_scale(1 / distance, memcpy(point->normal, d, sizeof d));
  perp_v3_add(p, r + point->gap / 2, point->normal, point->at);
  return point->gap <= reach;
}

/* Computes the parameters in [-1, 1] of the nearest points of two segments (Ericson 2005,
 * 5.1.9). */
static void nearest(const perp_placed3 *a, const perp_placed3 *b, double t[2])
{
  double u[3], v[3], w[3];
  axis_of(a, 2, u);
  axis_of(b, 2, v);
  perp_v3_add(a->at, -1, b->at, w);
  const double la = a->kind == PERP_SHAPE_CAPSULE ? a->size[1] : 0;
  const double lb = b->kind == PERP_SHAPE_CAPSULE ? b->size[1] : 0;
  const double uv = perp_v3_dot(u, v), uw = perp_v3_dot(u, w), vw = perp_v3_dot(v, w);
  const double det = 1 - uv * uv;
  double s = det > 1e-9 ? clamp((uv * vw - uw) / det, la) : 0;
  const double r = clamp(vw + uv * s, lb);
  s = clamp(uv * r - uw, la);
  t[0] = la > 0 ? s / la : 0;
  t[1] = lb > 0 ? r / lb : 0;
}

/* Adds the nearest points, and for parallel capsules also their ends. */
static int round_round(const perp_placed3 *a, const perp_placed3 *b, double reach,
                       perp_point3 *point)
{
  double t[2], p[3], q[3], apart[3];
  int count = 0;
  nearest(a, b, t);
  along(a, t[0], p);
  along(b, t[1], q);
  count += add_round(p, a->size[0], q, b->size[0], reach, 0, &point[0]);
  for (int k = 0; k < 2 && count > 0 && a->kind == PERP_SHAPE_CAPSULE; k++) {
    perp_placed3 end = {.kind = PERP_SHAPE_SPHERE};
    along(a, k ? 1 : -1, end.at);
    nearest(&end, b, t);
    along(b, t[1], q);
    if (!add_round(end.at, a->size[0], q, b->size[0], reach, (unsigned)k + 1, &point[count]))
      continue;
    perp_v3_add(point[count].at, -1, point[0].at, apart);
    count += perp_v3_norm(apart) > a->size[0];
  }
  return count;
}

/* ---- A round shape and a box ---- */

/* Returns the signed distance of x from the box, and its outward normal. */
static double box_distance(const perp_placed3 *box, const double x[3], double normal[3])
{
  double d[3], local[3], n[3] = {0, 0, 0}, most = -INFINITY;
  int deepest = 0;
  perp_v3_add(x, -1, box->at, d);
  perp_m3_apply_t(box->R, d, local);
  for (int k = 0; k < 3; k++) {
    const double q = fabs(local[k]) - box->size[k];
    n[k] = q > 0 ? local[k] > 0 ? q : -q : 0;
    if (q > most) {
      most = q;
      deepest = k;
    }
  }
  double distance = perp_v3_norm(n);
  if (distance == 0) { /* inside: distance to the nearest side */
    distance = most;
    n[deepest] = local[deepest] > 0 ? 1 : -1;
  } else
    perp_v3_scale(1 / distance, n);
  perp_m3_apply(box->R, n, normal);
  return distance;
}

static bool add_in_box(const perp_placed3 *round, double t, const perp_placed3 *box, double reach,
                       unsigned place, perp_point3 *point)
{
  double x[3];
  along(round, t, x);
  const double distance = box_distance(box, x, point->normal);
  point->gap = distance - round->size[0];
  point->place = place;
  perp_v3_add(x, -(round->size[0] + point->gap / 2), point->normal, point->at);
  return point->gap <= reach;
}

/* Normals point from the box to the round shape. */
static int round_box(const perp_placed3 *round, const perp_placed3 *box, double reach,
                     perp_point3 *point)
{
  enum { CUTS = 40 };
  double lo = -1, hi = 1, x[3], n[3];
  for (int k = 0; k < CUTS && round->kind == PERP_SHAPE_CAPSULE; k++) { /* ternary search */
    const double s = lo + (hi - lo) / 3, t = hi - (hi - lo) / 3;
    along(round, s, x);
    const double at_s = box_distance(box, x, n);
    along(round, t, x);
    const double at_t = box_distance(box, x, n);
    if (at_s <= at_t)
      hi = t;
    if (at_s >= at_t)
      lo = s;
  }
  int count = add_in_box(round, 0.5 * (lo + hi), box, reach, 0, &point[0]);
  for (int k = 0; k < 2 && count > 0 && round->kind == PERP_SHAPE_CAPSULE; k++) {
    double apart[3];
    if (!add_in_box(round, k ? 1 : -1, box, reach, (unsigned)k + 1, &point[count]))
      continue;
    perp_v3_add(point[count].at, -1, point[0].at, apart);
    count += perp_v3_norm(apart) > round->size[0];
  }
  return count;
}

/* ---- Two boxes ---- */

typedef struct best_axis {
  double gap, normal[3]; /* from a to b */
  int face;              /* 0 to 2 of a, 3 to 5 of b; -1: edges */
  int edge[2];
} best_axis;

static double half_along(const perp_placed3 *p, const double n[3])
{
  double axis[3], sum = 0;
  for (int k = 0; k < 3; k++) {
    axis_of(p, k, axis);
    sum += p->size[k] * fabs(perp_v3_dot(axis, n));
  }
  return sum;
}

/* `more`: how much better an axis must be than the best one before it. */
static bool try_axis(const perp_placed3 *a, const perp_placed3 *b, const double axis[3],
                     double more, best_axis *best)
{
  double d[3], n[3];
  perp_v3_add(b->at, -1, a->at, d);
  memcpy(n, axis, sizeof n);
  if (perp_v3_dot(d, n) < 0)
    perp_v3_scale(-1, n);
  const double gap = perp_v3_dot(d, n) - half_along(a, n) - half_along(b, n);
  if (gap <= best->gap + more)
    return false;
  best->gap = gap;
  memcpy(best->normal, n, sizeof n);
  return true;
}

static best_axis find_axis(const perp_placed3 *a, const perp_placed3 *b)
{
  best_axis best = {.gap = -INFINITY};
  double u[3], v[3], n[3];
  /* The order is faces of a, faces of b, edges: without it nearly equal axes would alternate
   * between steps. */
  const double small = 1e-3 * perp_min(perp_v3_norm(a->size), perp_v3_norm(b->size));
  for (int k = 0; k < 6; k++) {
    axis_of(k < 3 ? a : b, k % 3, n);
    if (try_axis(a, b, n, k == 0 ? 0 : k < 3 ? 1e-12 : small, &best))
      best.face = k;
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      axis_of(a, i, u);
      axis_of(b, j, v);
      perp_v3_cross(u, v, n);
      const double length = perp_v3_norm(n);
      if (length < 1e-3)
        continue;
      perp_v3_scale(1 / length, n);
      if (try_axis(a, b, n, small, &best)) {
        best.face = -1;
        best.edge[0] = i;
        best.edge[1] = j;
      }
    }
  return best;
}

/* Returns the edge of a box along its axis k that is farthest along n, as a capsule of radius 0. */
static perp_placed3 edge_of(const perp_placed3 *p, int k, const double n[3])
{
  perp_placed3 edge = {.kind = PERP_SHAPE_CAPSULE, .size = {0, p->size[k], 0}};
  memcpy(edge.at, p->at, sizeof edge.at);
  for (int j = 0; j < 3; j++) {
    double axis[3];
    axis_of(p, j, axis);
    for (int i = 0; j == k && i < 3; i++)
      edge.R[3 * i + 2] = axis[i];
    if (j != k)
      perp_v3_add(edge.at, perp_v3_dot(axis, n) > 0 ? p->size[j] : -p->size[j], axis, edge.at);
  }
  return edge;
}

static int edge_edge(const perp_placed3 *a, const perp_placed3 *b, const best_axis *best,
                     perp_point3 *point)
{
  double back[3], t[2], p[3], q[3];
  memcpy(back, best->normal, sizeof back);
  perp_v3_scale(-1, back);
  const perp_placed3 e = edge_of(a, best->edge[0], best->normal),
                     f = edge_of(b, best->edge[1], back);
  nearest(&e, &f, t);
  along(&e, t[0], p);
  along(&f, t[1], q);
  point[0] = (perp_point3){.gap = best->gap};
  memcpy(point[0].normal, best->normal, sizeof best->normal);
  for (int k = 0; k < 3; k++)
    point[0].at[k] = 0.5 * (p[k] + q[k]);
  return 1;
}

enum { CORNERS = 12 }; /* of a square clipped four times, with a reserve */

/* Clips a polygon to axis . (x - at) <= most. */
static int cut(int count, double x[CORNERS][3], const double axis[3], const double at[3],
               double most)
{
  double kept[CORNERS][3];
  int left = 0;
  for (int k = 0; k < count; k++) {
    const double *p = x[k], *q = x[(k + 1) % count];
    double d[3];
    perp_v3_add(p, -1, at, d);
    const double of_p = perp_v3_dot(axis, d) - most;
    perp_v3_add(q, -1, at, d);
    const double of_q = perp_v3_dot(axis, d) - most;
    if (of_p <= 0 && left < CORNERS)
      memcpy(kept[left++], p, sizeof d);
    if ((of_p < 0) != (of_q < 0) && of_p != of_q && left < CORNERS) {
      perp_v3_add(q, -1, p, d);
      perp_v3_add(p, of_p / (of_p - of_q), d, kept[left++]);
    }
  }
  memcpy(x, kept, sizeof kept);
  return left;
}

/* Computes the corners of the face of a box that is most opposed to n. */
static int face_against(const perp_placed3 *p, const double n[3], double x[CORNERS][3])
{
  int face = 0;
  double most = -1, axis[3], middle[3];
  for (int k = 0; k < 3; k++) {
    axis_of(p, k, axis);
    if (fabs(perp_v3_dot(axis, n)) > most) {
      most = fabs(perp_v3_dot(axis, n));
      face = k;
    }
  }
  axis_of(p, face, axis);
  perp_v3_add(p->at, perp_v3_dot(axis, n) > 0 ? -p->size[face] : p->size[face], axis, middle);
  const int u = (face + 1) % 3, v = (face + 2) % 3;
  for (int k = 0; k < 4; k++) {
    axis_of(p, u, axis);
    perp_v3_add(middle, k == 1 || k == 2 ? p->size[u] : -p->size[u], axis, x[k]);
    axis_of(p, v, axis);
    perp_v3_add(x[k], k >= 2 ? p->size[v] : -p->size[v], axis, x[k]);
  }
  return 4;
}

/* Keeps the outermost corners along +-u +-v within reach of the plane n . (x - at) = 0, each once;
 * the direction gives the corner its place. */
static int keep_outermost(int count, double x[CORNERS][3], const double n[3], const double at[3],
                          const double u[3], const double v[3], double reach, perp_point3 *point)
{
  int kept = 0, taken[PERP_PLACES3] = {-1, -1, -1, -1};
  for (unsigned place = 0; place < PERP_PLACES3; place++) {
    double most = -INFINITY, d[3];
    int best = -1;
    for (int k = 0; k < count; k++) {
      perp_v3_add(x[k], -1, at, d);
      const double far =
          (place & 1 ? 1 : -1) * perp_v3_dot(u, d) + (place & 2 ? 1 : -1) * perp_v3_dot(v, d);
      if (perp_v3_dot(n, d) <= reach && far > most) {
        most = far;
        best = k;
      }
    }
    bool fresh = best >= 0;
    for (int k = 0; k < kept; k++)
      fresh = fresh && taken[k] != best;
    if (!fresh)
      continue;
    perp_v3_add(x[best], -1, at, d);
    perp_point3 *p = &point[kept];
    *p = (perp_point3){.gap = perp_v3_dot(n, d), .place = place};
    memcpy(p->normal, n, sizeof p->normal);
    perp_v3_add(x[best], -p->gap / 2, n, p->at);
    taken[kept++] = best;
  }
  return kept;
}

static int face_face(const perp_placed3 *a, const perp_placed3 *b, const best_axis *best,
                     double reach, perp_point3 *point)
{
  const bool swapped = best->face >= 3;
  const perp_placed3 *reference = swapped ? b : a, *other = swapped ? a : b;
  const int face = best->face % 3, sides[2] = {(face + 1) % 3, (face + 2) % 3};
  double n[3], axis[2][3], back[3], on[3], x[CORNERS][3];
  memcpy(n, best->normal, sizeof n);
  if (swapped)
    perp_v3_scale(-1, n);
  perp_v3_add(reference->at, reference->size[face], n, on);
  int count = face_against(other, n, x);
  for (int k = 0; k < 2; k++) {
    axis_of(reference, sides[k], axis[k]);
    memcpy(back, axis[k], sizeof back);
    perp_v3_scale(-1, back);
    count = cut(count, x, axis[k], reference->at, reference->size[sides[k]]);
    count = cut(count, x, back, reference->at, reference->size[sides[k]]);
  }
  count = keep_outermost(count, x, n, on, axis[0], axis[1], reach, point);
  for (int k = 0; k < count && swapped; k++)
    perp_v3_scale(-1, point[k].normal);
  return count;
}

/* ---- Any two ---- */

/* Finds the corners of a box, or the ends of a round shape, within reach of the ground's upper
 * side. */
static int above_ground(const perp_placed3 *ground, const perp_placed3 *p, double reach,
                        perp_point3 *point)
{
  const double n[3] = {0, 0, 1}, top[3] = {p->at[0], p->at[1], ground->at[2] + ground->size[2]};
  double axis[2][3] = {{1, 0, 0}, {0, 1, 0}}, x[CORNERS][3];
  int count = 0;
  if (p->kind == PERP_SHAPE_BOX)
    count = face_against(p, n, x);
  for (int k = 0; k < (p->kind == PERP_SHAPE_CAPSULE ? 2 : 1) && p->kind != PERP_SHAPE_BOX; k++) {
    along(p, k ? 1 : -1, x[count]);
    x[count++][2] -= p->size[0];
  }
  /* the two most horizontal axes of the box identify its corners */
  for (int k = 0, flat = 0; k < 3 && flat < 2 && p->kind == PERP_SHAPE_BOX; k++) {
    double of[3];
    axis_of(p, k, of);
    if (fabs(of[2]) < 0.8)
      memcpy(axis[flat++], of, sizeof of);
  }
  return keep_outermost(count, x, n, top, axis[0], axis[1], reach, point);
}

int perp_shapes3_touch(const perp_placed3 *a, const perp_placed3 *b, double reach,
                       perp_point3 point[PERP_PLACES3])
{
  const bool box_a = a->kind == PERP_SHAPE_BOX, box_b = b->kind == PERP_SHAPE_BOX;
  if (!a->ground && (b->ground || (box_b && !box_a))) { /* the ground or a box comes first */
    const int count = perp_shapes3_touch(b, a, reach, point);
    for (int k = 0; k < count; k++)
      perp_v3_scale(-1, point[k].normal);
    return count;
  }
  if (a->ground)
    return above_ground(a, b, reach, point);
  if (!box_b)
    return box_a ? round_box(b, a, reach, point) : round_round(a, b, reach, point);
  const best_axis best = find_axis(a, b);
  if (best.gap > reach)
    return 0;
  return best.face < 0 ? edge_edge(a, b, &best, point) : face_face(a, b, &best, reach, point);
}

/* ---- All bodies ---- */

/* Returns how far a part may move in the step. ODE's own engines take only shapes that overlap,
 * except in their first step after one of ours. */
static double reach_of(const perp_world *world, const perp_rigid_body *b)
{
  const bool taken_over = world->par.after > 0 && world->steps == world->par.after;
  if (b->mass_inverse == 0 || !(perp_world3_is_ours(world) || taken_over))
    return 0;
  const double h = world->par.h, gravity = h * fabs(world->par.gravity);
  return perp_min(4 * b->radius, h * (perp_v3_norm(b->v) + gravity) +
                                     perp_min(1, h * perp_v3_norm(b->spin)) * b->radius);
}

static void place_part(perp_world *world, int k)
{
  const perp_part3 *p = &world->part[k];
  const perp_rigid_body *b = &world->body[p->body];
  perp_placed3 *to = &world->placed[k];
  double turn[4], arm[3];
  *to = (perp_placed3){.kind = p->kind, .ground = p->ground};
  memcpy(to->size, p->size, sizeof to->size);
  perp_q_rotate(b->turn, p->at, arm);
  perp_v3_add(b->at, 1, arm, to->at);
  perp_q_multiply(b->turn, p->turn, turn);
  perp_q_matrix(turn, to->R);
  world->reach[k] = reach_of(world, b);
  for (int j = 0; j < 3; j++) {
    const double *row = to->R + 3 * j, *s = to->size;
    double half = p->kind == PERP_SHAPE_SPHERE ? s[0]
                  : p->kind == PERP_SHAPE_CAPSULE
                      ? s[0] + fabs(row[2]) * s[1]
                      : fabs(row[0]) * s[0] + fabs(row[1]) * s[1] + fabs(row[2]) * s[2];
    half = (p->ground ? 2 * world->far : half) + world->reach[k];
    world->box[k].lo[j] = to->at[j] - half;
    world->box[k].hi[j] = to->at[j] + half;
  }
}

static bool meet(void *context, int first, int second)
{
  perp_world *world = context;
  const bool ordered = world->part[first].body <= world->part[second].body;
  const int k[2] = {ordered ? first : second, ordered ? second : first};
  const int a = world->part[k[0]].body, b = world->part[k[1]].body;
  if (a == b || (world->body[a].mass_inverse == 0 && world->body[b].mass_inverse == 0) ||
      perp_world3_joined(world, a, b))
    return true;
  perp_point3 point[PERP_PLACES3];
  int count = perp_shapes3_touch(&world->placed[k[0]], &world->placed[k[1]],
                                 world->reach[k[0]] + world->reach[k[1]], point);
  if (count > world->par.points)
    count = world->par.points;
  const uint64_t parts = (uint64_t)((k[0] - world->body[a].first_part) & 127) << 9 |
                         (uint64_t)((k[1] - world->body[b].first_part) & 127) << 2;
  for (int i = 0; i < count; i++) {
    perp_scene_contact *contact = perp_world_add_contact(world);
    if (!contact)
      return false;
    *contact = (perp_scene_contact){.a = a, .b = b, .gap = point[i].gap};
    memcpy(contact->at, point[i].at, sizeof contact->at);
    memcpy(contact->normal, point[i].normal, sizeof contact->normal);
    contact->id = (uint64_t)a << 40 | (uint64_t)b << 16 | parts | point[i].place;
  }
  return true;
}

perp_error perp_world3_collide(perp_world *world, perp_message *why)
{
  for (int k = 0; k < world->parts; k++)
    if (world->body[world->part[k].body].gone)
      world->box[k] = (perp_box){.lo = {1}, .hi = {-1}};
    else
      place_part(world, k);
  return perp_world_meet(world, world->parts, world->box, meet, why);
}
