/* rigid3d/collide_ode.c: contacts found by ODE, and steps made by ODE; the only file that uses ODE
 *
 * ODE reports where shapes overlap, not how far apart they are. We enlarge each shape by a margin,
 * the distance that its body may move in the step. ODE then finds an overlap `depth`, and
 *
 *   gap = margin_a + margin_b - depth.
 *
 * Enlarged spheres and capsules remain spheres and capsules, so this gap is the true distance. If
 * one of them meets a box, it also takes the margin of the box, and the box keeps its size.
 * Enlarging the box would be wrong if the axis of a capsule came to be inside: ODE then treats the
 * capsule as a box, with corners that it does not have. Two boxes grow by at most a quarter of
 * their thickness, and points on their corners are moved back onto the original shapes.
 *
 * ODE aborts the program if one of its assertions fails, so we avoid such calls. No shape is in an
 * ODE space: spaces need bounded cells and memory quadratic in the number of shapes, so broad.c
 * finds the pairs. All bodies are within the world. For two boxes we request all eight possible
 * points, because ODE's selection among them fails if they span no area.
 *
 * ODE's reference count is not thread-safe; a lock protects the two calls that change it. */
#include "base/elementary.h"
#include "simulate/rigid3d/world.h"

#ifdef PERP_HAVE_ODE

#include "base/clock.h"

#include <ode/ode.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct perp_collider3 {
  int parts;
  dGeomID *geom;     /* of each part */
  dGeomID end;       /* a sphere, for the ends of capsules */
  double *margin;    /* of each part */
  perp_box3 *box;    /* of each part */
  perp_arena memory; /* holds these, and body */
  perp_arena pairs;
  /* only for ODE's engines */
  dWorldID world;
  dJointGroupID contacts;
  dBodyID *body; /* NULL: fixed */
  int feedback_room;
  dJointFeedback *feedback;
};

static atomic_flag counting = ATOMIC_FLAG_INIT;

/* The first message that ODE would have printed in this step, such as a failure of its LCP solver;
 * one per thread. */
static _Thread_local perp_message complaint;

static void complain(int number, const char *format, va_list arguments)
{
  (void)number;
  if (complaint.text[0])
    return;
  vsnprintf(complaint.text, sizeof complaint.text, format, arguments);
  complaint.text[strcspn(complaint.text, "\n")] = 0;
  if (!complaint.text[0])
    memcpy(complaint.text, "?", 2);
}

static bool enter_ode(void)
{
  while (atomic_flag_test_and_set(&counting))
    ;
  const bool fine = dInitODE2(0) != 0;
  dSetMessageHandler(complain);
  atomic_flag_clear(&counting);
  return fine;
}

static void leave_ode(void)
{
  while (atomic_flag_test_and_set(&counting))
    ;
  dCloseODE();
  atomic_flag_clear(&counting);
}

/* ---- Making ---- */

/* Computes the size of a part for collisions, enlarged by `m`. The ground extends to the end of the
 * world and equally far down, so that its upper side is nearest to anything inside it. */
static void size_of(const perp_world *world, const perp_part3 *p, double m, double size[3])
{
  const int grows = p->kind == PERP_SHAPE_BOX ? 3 : 1;
  for (int k = 0; k < 3; k++)
    size[k] = p->ground ? 2 * world->far : p->size[k] + (k < grows ? m : 0);
}

static bool make_geoms(perp_collider3 *c, const perp_world *world)
{
  c->end = dCreateSphere(NULL, 1);
  if (!c->end)
    return false;
  for (; c->parts < world->parts; c->parts++) {
    const perp_part3 *p = &world->part[c->parts];
    double s[3];
    size_of(world, p, 0, s);
    dGeomID geom = p->kind == PERP_SHAPE_SPHERE ? dCreateSphere(NULL, s[0])
                   : p->kind == PERP_SHAPE_BOX  ? dCreateBox(NULL, 2 * s[0], 2 * s[1], 2 * s[2])
                                                : dCreateCapsule(NULL, s[0], 2 * s[1]);
    if (!geom)
      return false;
    c->geom[c->parts] = geom;
  }
  return true;
}

/* Moves ODE's bodies to the positions of ours. */
static void place_bodies(perp_collider3 *c, const perp_world *world)
{
  for (int k = 0; k < world->bodies; k++) {
    const perp_rigid_body *b = &world->body[k];
    if (!c->body[k])
      continue;
    dBodySetPosition(c->body[k], b->at[0], b->at[1], b->at[2]);
    dBodySetQuaternion(c->body[k], b->turn);
    dBodySetLinearVel(c->body[k], b->v[0], b->v[1], b->v[2]);
    dBodySetAngularVel(c->body[k], b->spin[0], b->spin[1], b->spin[2]);
  }
}

static void make_bodies(perp_collider3 *c, const perp_world *world)
{
  for (int k = 0; k < world->bodies; k++) {
    const perp_rigid_body *b = &world->body[k];
    if (b->mass_inverse == 0)
      continue;
    const double *I = b->inertia;
    dMass mass;
    dMassSetParameters(&mass, b->mass, 0, 0, 0, I[0], I[4], I[8], I[1], I[2], I[5]);
    c->body[k] = dBodyCreate(c->world);
    dBodySetMass(c->body[k], &mass);
  }
  place_bodies(c, world);
}

static void make_joints(perp_collider3 *c, const perp_world *world)
{
  for (int k = 0; k < world->joints; k++) {
    const perp_joint3 *j = &world->joint[k];
    const perp_rigid_body *a = &world->body[j->body[0]];
    double at[3], axis[3];
    perp_q_rotate(a->turn, j->at[0], at);
    perp_v3_add(a->at, 1, at, at);
    perp_q_rotate(a->turn, j->axis[0], axis);
    dJointID joint = j->kind == PERP_JOINT3_BALL    ? dJointCreateBall(c->world, NULL)
                     : j->kind == PERP_JOINT3_HINGE ? dJointCreateHinge(c->world, NULL)
                                                    : dJointCreateFixed(c->world, NULL);
    dJointAttach(joint, c->body[j->body[0]], c->body[j->body[1]]);
    if (j->kind == PERP_JOINT3_BALL) {
      dJointSetBallAnchor(joint, at[0], at[1], at[2]);
    } else if (j->kind == PERP_JOINT3_HINGE) {
      dJointSetHingeAnchor(joint, at[0], at[1], at[2]);
      dJointSetHingeAxis(joint, axis[0], axis[1], axis[2]);
    } else {
      dJointSetFixed(joint);
    }
  }
}

/* ODE adds cfm / h to the diagonal, by default 1e-10 / h. This is negligible compared with 1 / m of
 * very light bodies: ODE's factorisation then meets zero pivots, and an assertion aborts the
 * program at the first velocity that is NaN. */
static double mixing_for(const perp_world *world)
{
  double lightest = INFINITY;
  for (int k = 0; k < world->bodies; k++)
    if (world->body[k].mass_inverse > 0)
      lightest = perp_min(lightest, world->body[k].mass);
  return perp_max(perp_max(1e-10, world->par.cfm * world->par.h), 1e-11 * world->par.h / lightest);
}

static void make_world(perp_collider3 *c, const perp_world *world)
{
  const perp_world_parameters *par = &world->par;
  c->world = dWorldCreate();
  c->contacts = dJointGroupCreate(0);
  dWorldSetGravity(c->world, 0, 0, -par->gravity);
  dWorldSetERP(c->world, par->erp);
  dWorldSetCFM(c->world, mixing_for(world));
  dWorldSetContactSurfaceLayer(c->world, par->slop);
  dWorldSetContactMaxCorrectingVel(c->world, par->push);
  dWorldSetQuickStepNumIterations(c->world, par->iterations);
  make_bodies(c, world);
  make_joints(c, world);
}

perp_error perp_collider3_create(const perp_world *world, perp_collider3 **collider,
                                 perp_message *why)
{
  perp_collider3 *c = perp_alloc_zero(1, sizeof *c);
  if (!c)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for collisions");
  if (!enter_ode()) {
    perp_free(c);
    return perp_fail(why, PERP_ERROR_BACKEND, "ODE cannot be initialised");
  }
  if (!PERP_TAKE_ZERO(&c->memory, PERP_ARRAY(c->geom, world->parts),
                      PERP_ARRAY(c->margin, world->parts), PERP_ARRAY(c->box, world->parts),
                      PERP_ARRAY(c->body, world->bodies)) ||
      !make_geoms(c, world)) {
    perp_collider3_destroy(c);
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d bodies", world->bodies);
  }
  if (world->par.engine != PERP_ENGINE3_PERP)
    make_world(c, world);
  *collider = c;
  return PERP_OK;
}

void perp_collider3_destroy(perp_collider3 *c)
{
  if (!c)
    return;
  if (c->contacts)
    dJointGroupDestroy(c->contacts);
  if (c->world)
    dWorldDestroy(c->world);
  if (c->end)
    dGeomDestroy(c->end);
  for (int k = 0; k < c->parts; k++)
    dGeomDestroy(c->geom[k]);
  leave_ode();
  perp_arena_free(&c->pairs);
  perp_arena_free(&c->memory);
  perp_free(c->feedback);
  perp_free(c);
}

/* ---- Contacts ---- */

/* Returns how far a part may move in the step. Rotation moves it at most around its body, and a
 * motion of many times its size cannot be predicted. ODE's own engines use no margin, except in
 * their first step after one of ours. */
static double margin_of(const perp_world *world, const perp_part3 *p)
{
  const perp_rigid_body *b = &world->body[p->body];
  const bool taken_over = world->par.after > 0 && world->steps == world->par.after;
  if (b->mass_inverse == 0 || !(perp_world3_is_ours(world) || taken_over))
    return 0;
  const double h = world->par.h, gravity = h * fabs(world->par.gravity);
  const double far =
      h * (perp_v3_norm(b->v) + gravity) + perp_min(h * perp_v3_norm(b->spin), 1) * b->radius;
  if (p->kind != PERP_SHAPE_BOX)
    return perp_min(far, 4 * b->radius);
  return perp_min(far, 0.25 * perp_min(p->size[0], perp_min(p->size[1], p->size[2])));
}

/* Moves the shape of a part to its body and computes its bounding box with the margin. */
static void place_part(perp_world *world, int k)
{
  perp_collider3 *c = world->collider;
  const perp_part3 *p = &world->part[k];
  const perp_rigid_body *b = &world->body[p->body];
  const double m = c->margin[k] = margin_of(world, p);
  double at[3], turn[4], R[9], s[3];
  perp_q_rotate(b->turn, p->at, at);
  perp_v3_add(b->at, 1, at, at);
  perp_q_multiply(b->turn, p->turn, turn);
  size_of(world, p, m, s);
  if (p->ground) /* keep its upper side in place */
    at[2] += p->size[2] - s[2];
  dGeomSetPosition(c->geom[k], at[0], at[1], at[2]);
  dGeomSetQuaternion(c->geom[k], turn);
  perp_q_matrix(turn, R);
  for (int j = 0; j < 3; j++) {
    const double *row = R + 3 * j;
    const double half = p->kind == PERP_SHAPE_SPHERE ? s[0]
                        : p->kind == PERP_SHAPE_CAPSULE
                            ? s[0] + fabs(row[2]) * s[1]
                            : fabs(row[0]) * s[0] + fabs(row[1]) * s[1] + fabs(row[2]) * s[2];
    c->box[k].lo[j] = at[j] - half;
    c->box[k].hi[j] = at[j] + half;
  }
}

/* Moves all shapes to their bodies. */
static void place(perp_world *world)
{
  for (int k = 0; k < world->parts; k++)
    if (world->body[world->part[k].body].gone)
      world->collider->box[k] = (perp_box3){.lo = {1}, .hi = {-1}};
    else
      place_part(world, k);
}

/* Computes the point of the original part nearest to p on the side that faces `normal`. */
static void point_on(const perp_world *world, const perp_part3 *part, dGeomID geom,
                     const double p[3], double sign, const double normal[3], double on[3])
{
  const dReal *at = dGeomGetPosition(geom), *R = dGeomGetRotation(geom); /* rows of 4 */
  double arm[3], local[3], size[3];
  size_of(world, part, 0, size);
  for (int k = 0; k < 3; k++)
    arm[k] = p[k] - at[k];
  for (int k = 0; k < 3; k++)
    local[k] = R[k] * arm[0] + R[4 + k] * arm[1] + R[8 + k] * arm[2];
  for (int k = 0; k < 3; k++) {
    const double most = part->kind == PERP_SHAPE_BOX                 ? size[k]
                        : part->kind == PERP_SHAPE_CAPSULE && k == 2 ? size[1]
                                                                     : 0;
    local[k] = perp_max(-most, perp_min(most, local[k]));
  }
  for (int k = 0; k < 3; k++)
    on[k] = at[k] + R[4 * k] * local[0] + R[4 * k + 1] * local[1] + R[4 * k + 2] * local[2];
  if (part->kind != PERP_SHAPE_BOX)
    perp_v3_add(on, sign * part->size[0], normal, on);
}

/* Returns an index that identifies a point of a pair: its quadrant around the middle of the points
 * in the first body's frame, across the axis nearest to the normal. */
static unsigned quarter(dGeomID geom, const double normal[3], const double from_middle[3])
{
  const dReal *R = dGeomGetRotation(geom);
  double along[3], side[3];
  for (int k = 0; k < 3; k++) {
    along[k] = fabs(R[k] * normal[0] + R[4 + k] * normal[1] + R[8 + k] * normal[2]);
    side[k] = R[k] * from_middle[0] + R[4 + k] * from_middle[1] + R[8 + k] * from_middle[2];
  }
  const int axis = along[0] > along[1] ? along[0] > along[2] ? 0 : 2 : along[1] > along[2] ? 1 : 2;
  return (side[(axis + 1) % 3] > 0 ? 1u : 0u) | (side[(axis + 2) % 3] > 0 ? 2u : 0u);
}

/* Moves at most `most` of the points to the front: the deepest one, then repeatedly the point
 * farthest from the points already chosen. */
static int spread(int count, int most, dContactGeom *found)
{
  for (int chosen = 0; chosen < count && chosen < most; chosen++) {
    int best = chosen;
    double farthest = -1;
    for (int k = chosen; k < count; k++) {
      double nearest = chosen == 0 ? found[k].depth : INFINITY;
      for (int j = 0; j < chosen; j++) {
        double apart[3];
        perp_v3_add(found[k].pos, -1, found[j].pos, apart);
        nearest = perp_min(nearest, perp_v3_dot(apart, apart));
      }
      if (nearest > farthest) {
        farthest = nearest;
        best = k;
      }
    }
    const dContactGeom taken = found[best];
    found[best] = found[chosen];
    found[chosen] = taken;
  }
  return count < most ? count : most;
}

/* Returns false when out of memory. */
static bool add_points(perp_world *world, dGeomID geoms[2], const perp_part3 *part[2], int count,
                       const dContactGeom *found)
{
  const perp_collider3 *c = world->collider;
  const int local[2] = {(int)(part[0] - world->part) - world->body[part[0]->body].first_part,
                        (int)(part[1] - world->part) - world->body[part[1]->body].first_part};
  const double margin = c->margin[part[0] - world->part] + c->margin[part[1] - world->part];
  double middle[3] = {0};
  for (int k = 0; k < count; k++)
    perp_v3_add(middle, 1.0 / count, found[k].pos, middle);
  for (int k = 0; k < count; k++) {
    perp_scene_contact *contact = perp_world_add_contact(world);
    if (!contact)
      return false;
    double on[2][3], off[3];
    contact->a = part[0]->body;
    contact->b = part[1]->body;
    contact->gap = margin - found[k].depth;
    /* ODE's normal points into the first shape */
    for (int j = 0; j < 3; j++)
      contact->normal[j] = -found[k].normal[j];
    point_on(world, part[0], geoms[0], found[k].pos, 1, contact->normal, on[0]);
    point_on(world, part[1], geoms[1], found[k].pos, -1, contact->normal, on[1]);
    for (int j = 0; j < 3; j++)
      contact->at[j] = 0.5 * (on[0][j] + on[1][j]);
    perp_v3_add(found[k].pos, -1, middle, off);
    contact->id = (uint64_t)contact->a << 40 | (uint64_t)contact->b << 16 |
                  (uint64_t)(local[0] & 127) << 9 | (uint64_t)(local[1] & 127) << 2 |
                  quarter(geoms[0], contact->normal, off);
  }
  return true;
}

static void resize(const perp_world *world, dGeomID geom, const perp_part3 *p, double m)
{
  double s[3];
  size_of(world, p, m, s);
  if (p->kind == PERP_SHAPE_SPHERE)
    dGeomSphereSetRadius(geom, s[0]);
  else if (p->kind == PERP_SHAPE_BOX)
    dGeomBoxSetLengths(geom, 2 * s[0], 2 * s[1], 2 * s[2]);
  else
    dGeomCapsuleSetParams(geom, s[0], 2 * s[1]);
}

/* Sets the margins of a pair: two boxes grow by their own margins, a round shape also takes the
 * margin of a box. */
static void grow_pair(const perp_world *world, const int k[2], dGeomID geoms[2])
{
  const double *m = world->collider->margin;
  const perp_part3 *part[2] = {&world->part[k[0]], &world->part[k[1]]};
  const bool box[2] = {part[0]->kind == PERP_SHAPE_BOX, part[1]->kind == PERP_SHAPE_BOX};
  for (int side = 0; side < 2; side++) {
    const double own = m[k[side]], other = m[k[1 - side]];
    resize(world, geoms[side], part[side],
           box[side] == box[1 - side] ? own
           : box[side]                ? 0
                                      : own + other);
  }
}

enum { POINTS = 8 }; /* most points of two boxes */

/* Finds the contacts of a capsule, geoms[side], and a box. ODE reports only the nearest point, so
 * an end that swings down next to it would be noticed only inside the box. We therefore test both
 * end spheres against the box too and keep their points if they are away from the first one. If the
 * axis of the capsule is inside the box, ODE treats the capsule as a box; we then use only the end
 * spheres. */
static int collide_capsule(const perp_world *world, dGeomID geoms[2], int side,
                           const perp_part3 *capsule, dContactGeom found[POINTS])
{
  dGeomID end = world->collider->end, pair[2] = {geoms[0], geoms[1]};
  const dReal *at = dGeomGetPosition(geoms[side]), *R = dGeomGetRotation(geoms[side]);
  dReal radius, length;
  dGeomCapsuleGetParams(geoms[side], &radius, &length);
  int count = dCollide(geoms[0], geoms[1], POINTS - 2, found, sizeof *found), ends = 0;
  const bool inside = count > 0 && found[0].depth > radius;
  dContactGeom more[2];
  pair[side] = end;
  dGeomSphereSetRadius(end, radius);
  for (int k = -1; k <= 1; k += 2) {
    const double l = 0.5 * k * length;
    double apart[3] = {INFINITY, 0, 0};
    dGeomSetPosition(end, at[0] + l * R[2], at[1] + l * R[6], at[2] + l * R[10]);
    if (dCollide(pair[0], pair[1], 1, &more[ends], sizeof *more) == 0)
      continue;
    if (count > 0 && !inside)
      perp_v3_add(more[ends].pos, -1, found[0].pos, apart);
    ends += perp_v3_norm(apart) > capsule->size[0];
  }
  if (inside && ends > 0)
    count = 0;
  for (int k = 0; k < ends; k++)
    found[count++] = more[k];
  return count;
}

static bool meet(void *context, int first, int second)
{
  perp_world *world = context;
  const bool ordered = world->part[first].body <= world->part[second].body;
  const int k[2] = {ordered ? first : second, ordered ? second : first};
  const perp_part3 *part[2] = {&world->part[k[0]], &world->part[k[1]]};
  const int a = part[0]->body, b = part[1]->body;
  if (a == b || (world->body[a].mass_inverse == 0 && world->body[b].mass_inverse == 0) ||
      perp_world3_joined(world, a, b))
    return true;
  dGeomID geoms[2] = {world->collider->geom[k[0]], world->collider->geom[k[1]]};
  dContactGeom found[POINTS];
  grow_pair(world, k, geoms);
  const int side = part[1]->kind == PERP_SHAPE_CAPSULE; /* the side of a capsule, if there is one */
  int count = part[side]->kind == PERP_SHAPE_CAPSULE && part[1 - side]->kind == PERP_SHAPE_BOX
                  ? collide_capsule(world, geoms, side, part[side], found)
                  : dCollide(geoms[0], geoms[1], POINTS, found, sizeof *found);
  count = spread(count, world->par.points, found);
  return add_points(world, geoms, part, count, found);
}

/* Orders by name; points of one name keep their order. */
static int by_name(const void *a, const void *b)
{
  const perp_scene_contact *p = a, *q = b;
  if (p->id != q->id)
    return p->id < q->id ? -1 : 1;
  for (int k = 0; k < 3; k++)
    if (p->at[k] != q->at[k])
      return p->at[k] < q->at[k] ? -1 : 1;
  return 0;
}

perp_error perp_collider3_collide(perp_world *world, perp_message *why)
{
  perp_collider3 *c = world->collider;
  world->contacts = 0;
  dAllocateODEDataForThread(
      (unsigned)dAllocateMaskAll); /* does nothing if this thread has already called it */
  place(world);
  perp_arena_reset(&c->pairs);
  if (!perp_boxes3_meet(c->parts, c->box, &c->pairs, meet, world))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d contacts", world->contacts);
  if (world->contacts > 1)
    qsort(world->contact, (size_t)world->contacts, sizeof *world->contact, by_name);
  return PERP_OK;
}

/* ---- Steps made by ODE ---- */

static void join_contacts(perp_world *world)
{
  perp_collider3 *c = world->collider;
  const perp_world_parameters *par = &world->par;
  for (int k = 0; k < world->contacts; k++) {
    const perp_scene_contact *p = &world->contact[k];
    dContact contact = {0};
    contact.surface.mode = dContactApprox1 | (par->restitution > 0 ? dContactBounce : 0);
    contact.surface.mu = par->friction == PERP_FRICTION_NONE ? 0 : par->mu;
    contact.surface.bounce = par->restitution;
    contact.surface.bounce_vel = 2 * fabs(par->gravity) * par->h;
    for (int j = 0; j < 3; j++) {
      contact.geom.pos[j] = p->at[j];
      contact.geom.normal[j] = -p->normal[j];
    }
    contact.geom.depth = -p->gap;
    dJointID joint = dJointCreateContact(c->world, c->contacts, &contact);
    dJointAttach(joint, c->body[p->a], c->body[p->b]);
    dJointSetFeedback(joint, &c->feedback[k]);
  }
}

static void read_back(perp_world *world)
{
  const perp_collider3 *c = world->collider;
  for (int k = 0; k < world->bodies; k++) {
    perp_rigid_body *b = &world->body[k];
    if (!c->body[k] || b->gone)
      continue;
    const dReal *at = dBodyGetPosition(c->body[k]), *turn = dBodyGetQuaternion(c->body[k]);
    const dReal *v = dBodyGetLinearVel(c->body[k]), *spin = dBodyGetAngularVel(c->body[k]);
    b->gone = !perp_world3_holds(world, at, turn, v, spin);
    if (b->gone)
      continue;
    memcpy(b->at, at, sizeof b->at);
    memcpy(b->turn, turn, sizeof b->turn);
    memcpy(b->v, v, sizeof b->v);
    memcpy(b->spin, spin, sizeof b->spin);
  }
  for (int k = 0; k < world->contacts; k++) {
    const perp_scene_contact *p = &world->contact[k];
    const dJointFeedback *f = &c->feedback[k];
    const int bodies[2] = {p->a, p->b};
    /* the force on the first of the two bodies that moves */
    const double size = world->par.h * perp_v3_norm(c->body[p->a] ? f->f1 : f->f2);
    for (int side = 0; side < 2; side++) {
      world->load[bodies[side]] += size;
      world->state[bodies[side]] += size > 0;
    }
  }
}

void perp_collider3_take_out(perp_world *world)
{
  const perp_collider3 *c = world->collider;
  for (int k = 0; k < world->bodies && c->world; k++) {
    const perp_rigid_body *b = &world->body[k];
    if (!b->gone || !c->body[k])
      continue;
    for (int j = 0; j < dBodyGetNumJoints(c->body[k]); j++)
      dJointDisable(dBodyGetJoint(c->body[k], j));
    dBodySetPosition(c->body[k], b->at[0], b->at[1], b->at[2]);
    dBodySetQuaternion(c->body[k], b->turn);
    dBodySetLinearVel(c->body[k], 0, 0, 0);
    dBodySetAngularVel(c->body[k], 0, 0, 0);
    dBodyDisable(c->body[k]);
  }
}

perp_error perp_collider3_step(perp_world *world, perp_stepper *stepper, perp_message *why)
{
  perp_collider3 *c = world->collider;
  perp_step *frame = stepper->frame;
  if (world->contacts > c->feedback_room) {
    perp_free(c->feedback);
    c->feedback_room = 2 * world->contacts;
    c->feedback = perp_alloc_zero((size_t)c->feedback_room, sizeof *c->feedback);
    if (!c->feedback) {
      c->feedback_room = 0;
      return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d contacts", world->contacts);
    }
  }
  if (world->par.after > 0 && world->steps == world->par.after)
    place_bodies(c, world);
  join_contacts(world);
  dRandSetSeed((unsigned long)frame->index); /* its sweeps use a random order */
  const bool quick = world->par.engine == PERP_ENGINE3_QUICKSTEP;
  complaint.text[0] = 0;
  const double begin = perp_clock_seconds();
  const int fine =
      quick ? dWorldQuickStep(c->world, world->par.h) : dWorldStep(c->world, world->par.h);
  frame->solve_seconds = perp_clock_seconds() - begin;
  frame->residual = frame->relative_residual = NAN; /* ODE does not report it */
  frame->outcome = complaint.text[0] ? PERP_STAGNATED : PERP_NOT_RUN;
  if (complaint.text[0])
    perp_fail(&stepper->trouble, PERP_OK, "ODE reported: %.300s", complaint.text);
  if (fine)
    read_back(world);
  dJointGroupEmpty(c->contacts);
  return fine ? PERP_OK
              : perp_fail(why, PERP_ERROR_BACKEND,
                          "frame %lld: ODE is out of memory for %d contacts",
                          (long long)frame->index, world->contacts);
}

#endif
