/* rigid3d/collide_ode.c: contacts found by ODE, and steps made by ODE; the only file that knows it
 *
 * ODE tells where shapes overlap, not how far they are apart. So its shapes are made larger by a
 * margin, what the body may move in the step: it then finds an overlap `depth` where
 *
 *   gap = margin_a + margin_b - depth.
 *
 * For spheres and capsules, which stay what they are when they grow, that is the true distance; boxes
 * grow by a quarter of their thickness at most, and points on their corners are moved back onto the
 * shapes as they are.
 *
 * ODE counts who uses it in numbers of its own that are not safe between threads; a lock is held
 * around the two calls that change them. */
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
  dSpaceID space;
  dGeomID *geom;  /* of each part */
  double *margin; /* of each part */
  /* engines of ODE alone */
  dWorldID world;
  dJointGroupID contacts;
  dBodyID *body; /* NULL: fixed */
  int feedback_room;
  dJointFeedback *feedback;
};

static atomic_flag counting = ATOMIC_FLAG_INIT;

/* What ODE would print, such as that its LCP solver failed: the first of a step, by the thread that steps. */
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

static void make_geoms(perp_collider3 *c, const perp_world3 *world)
{
  c->space = dHashSpaceCreate(NULL);
  dHashSpaceSetLevels(c->space, -6, 6);
  for (; c->parts < world->parts; c->parts++) {
    const perp_part3 *p = &world->part[c->parts];
    const double *s = p->size;
    dGeomID geom = p->kind == PERP_SHAPE_SPHERE ? dCreateSphere(c->space, s[0])
                   : p->kind == PERP_SHAPE_BOX  ? dCreateBox(c->space, 2 * s[0], 2 * s[1], 2 * s[2])
                                                : dCreateCapsule(c->space, s[0], 2 * s[1]);
    dGeomSetData(geom, (void *)p);
    c->geom[c->parts] = geom;
  }
}

/* Bodies of ODE to where ours are. */
static void place_bodies(perp_collider3 *c, const perp_world3 *world)
{
  for (int k = 0; k < world->bodies; k++) {
    const perp_body3 *b = &world->body[k];
    if (!c->body[k])
      continue;
    dBodySetPosition(c->body[k], b->at[0], b->at[1], b->at[2]);
    dBodySetQuaternion(c->body[k], b->turn);
    dBodySetLinearVel(c->body[k], b->v[0], b->v[1], b->v[2]);
    dBodySetAngularVel(c->body[k], b->spin[0], b->spin[1], b->spin[2]);
  }
}

static void make_bodies(perp_collider3 *c, const perp_world3 *world)
{
  for (int k = 0; k < world->bodies; k++) {
    const perp_body3 *b = &world->body[k];
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

static void make_joints(perp_collider3 *c, const perp_world3 *world)
{
  for (int k = 0; k < world->joints; k++) {
    const perp_joint3 *j = &world->joint[k];
    const perp_body3 *a = &world->body[j->body[0]];
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

static void make_world(perp_collider3 *c, const perp_world3 *world)
{
  const perp_world3_parameters *par = &world->par;
  c->world = dWorldCreate();
  c->contacts = dJointGroupCreate(0);
  dWorldSetGravity(c->world, 0, 0, -par->gravity);
  dWorldSetERP(c->world, par->erp);
  if (par->cfm > 0)
    dWorldSetCFM(c->world, par->cfm * par->h); /* ODE adds cfm / h; else as it comes, 1e-10 */
  dWorldSetContactSurfaceLayer(c->world, par->slop);
  dWorldSetContactMaxCorrectingVel(c->world, par->push);
  dWorldSetQuickStepNumIterations(c->world, par->iterations);
  make_bodies(c, world);
  make_joints(c, world);
}

perp_error perp_collider3_create(const perp_world3 *world, perp_collider3 **collider,
                                 perp_message *why)
{
  perp_collider3 *c = perp_alloc_zero(1, sizeof *c);
  if (!c)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for collisions");
  if (!enter_ode()) {
    perp_free(c);
    return perp_fail(why, PERP_ERROR_BACKEND, "ODE cannot be set up");
  }
  c->geom = perp_alloc_zero((size_t)world->parts, sizeof *c->geom);
  c->margin = perp_alloc_zero((size_t)world->parts, sizeof *c->margin);
  c->body = perp_alloc_zero((size_t)world->bodies, sizeof *c->body);
  if (!c->geom || !c->margin || !c->body) {
    perp_collider3_destroy(c);
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d bodies", world->bodies);
  }
  make_geoms(c, world);
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
  if (c->space)
    dSpaceDestroy(c->space); /* and the shapes in it */
  leave_ode();
  perp_free(c->geom);
  perp_free(c->margin);
  perp_free(c->body);
  perp_free(c->feedback);
  perp_free(c);
}

/* ---- Contacts ---- */

/* What a part may move in the step; ODE's own engines know no contact before there is one, but for the
 * first step that they make after one of ours. */
static double margin_of(const perp_world3 *world, const perp_part3 *p)
{
  const perp_body3 *b = &world->body[p->body];
  const bool taken_over = world->par.after > 0 && world->steps == world->par.after;
  if (b->mass_inverse == 0 || !(perp_world3_is_ours(world) || taken_over))
    return 0;
  const double h = world->par.h;
  const double speed =
      perp_v3_norm(b->v) + perp_v3_norm(b->spin) * b->radius + h * fabs(world->par.gravity);
  if (p->kind != PERP_SHAPE_BOX)
    return h * speed;
  return fmin(h * speed, 0.25 * fmin(p->size[0], fmin(p->size[1], p->size[2])));
}

/* Shapes to where the bodies are, larger by their margins. */
static void place(perp_world3 *world)
{
  perp_collider3 *c = world->collider;
  for (int k = 0; k < world->parts; k++) {
    const perp_part3 *p = &world->part[k];
    const perp_body3 *b = &world->body[p->body];
    const double m = c->margin[k] = margin_of(world, p), *s = p->size;
    double at[3], turn[4];
    perp_q_rotate(b->turn, p->at, at);
    perp_v3_add(b->at, 1, at, at);
    perp_q_multiply(b->turn, p->turn, turn);
    dGeomSetPosition(c->geom[k], at[0], at[1], at[2]);
    dGeomSetQuaternion(c->geom[k], turn);
    dGeomSetData(c->geom[k], (void *)p);
    if (p->kind == PERP_SHAPE_SPHERE)
      dGeomSphereSetRadius(c->geom[k], s[0] + m);
    else if (p->kind == PERP_SHAPE_BOX)
      dGeomBoxSetLengths(c->geom[k], 2 * (s[0] + m), 2 * (s[1] + m), 2 * (s[2] + m));
    else
      dGeomCapsuleSetParams(c->geom[k], s[0] + m, 2 * s[1]);
  }
}

/* The point of a part as it is, nearest to p where it looks along `normal`. */
static void point_on(const perp_part3 *part, dGeomID geom, const double p[3], double sign,
                     const double normal[3], double on[3])
{
  const dReal *at = dGeomGetPosition(geom), *R = dGeomGetRotation(geom); /* rows of 4 */
  double arm[3], local[3];
  for (int k = 0; k < 3; k++)
    arm[k] = p[k] - at[k];
  for (int k = 0; k < 3; k++)
    local[k] = R[k] * arm[0] + R[4 + k] * arm[1] + R[8 + k] * arm[2];
  for (int k = 0; k < 3; k++) {
    const double most = part->kind == PERP_SHAPE_BOX                 ? part->size[k]
                        : part->kind == PERP_SHAPE_CAPSULE && k == 2 ? part->size[1]
                                                                     : 0;
    local[k] = fmax(-most, fmin(most, local[k]));
  }
  for (int k = 0; k < 3; k++)
    on[k] = at[k] + R[4 * k] * local[0] + R[4 * k + 1] * local[1] + R[4 * k + 2] * local[2];
  if (part->kind != PERP_SHAPE_BOX)
    perp_v3_add(on, sign * part->size[0], normal, on);
}

/* Which of the points of a pair it is: its quarter around their middle, as the first body sees it,
 * across the axis of that body nearest to the normal. */
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

typedef struct search {
  perp_world3 *world;
  bool failed; /* out of memory */
} search;

static void add_points(perp_world3 *world, dGeomID geoms[2], const perp_part3 *part[2], int count,
                       const dContactGeom *found, bool *failed)
{
  const perp_collider3 *c = world->collider;
  const int local[2] = {(int)(part[0] - world->part) - world->body[part[0]->body].first_part,
                        (int)(part[1] - world->part) - world->body[part[1]->body].first_part};
  const double margin = c->margin[part[0] - world->part] + c->margin[part[1] - world->part];
  double middle[3] = {0};
  for (int k = 0; k < count; k++)
    perp_v3_add(middle, 1.0 / count, found[k].pos, middle);
  for (int k = 0; k < count && !*failed; k++) {
    perp_contact3 *contact = perp_world3_add_contact(world);
    if (!contact) {
      *failed = true;
      break;
    }
    double on[2][3], off[3];
    contact->a = part[0]->body;
    contact->b = part[1]->body;
    contact->gap = margin - found[k].depth;
    /* ODE's normal leads into the first shape */
    for (int j = 0; j < 3; j++)
      contact->normal[j] = -found[k].normal[j];
    point_on(part[0], geoms[0], found[k].pos, 1, contact->normal, on[0]);
    point_on(part[1], geoms[1], found[k].pos, -1, contact->normal, on[1]);
    for (int j = 0; j < 3; j++)
      contact->at[j] = 0.5 * (on[0][j] + on[1][j]);
    perp_v3_add(found[k].pos, -1, middle, off);
    contact->id = (uint64_t)contact->a << 40 | (uint64_t)contact->b << 16 |
                  (uint64_t)(local[0] & 127) << 9 | (uint64_t)(local[1] & 127) << 2 |
                  quarter(geoms[0], contact->normal, off);
  }
}

static void meet(void *context, dGeomID first, dGeomID second)
{
  search *s = context;
  const perp_world3 *world = s->world;
  dGeomID geoms[2] = {first, second};
  const perp_part3 *part[2] = {dGeomGetData(first), dGeomGetData(second)};
  if (part[0]->body > part[1]->body) {
    geoms[0] = second;
    geoms[1] = first;
    part[0] = dGeomGetData(second);
    part[1] = dGeomGetData(first);
  }
  const int a = part[0]->body, b = part[1]->body;
  if (a == b || s->failed || perp_world3_joined(world, a, b) ||
      (world->body[a].mass_inverse == 0 && world->body[b].mass_inverse == 0))
    return;
  dContactGeom found[PERP_POINTS3];
  const int count = dCollide(geoms[0], geoms[1], world->par.points, found, sizeof *found);
  add_points(s->world, geoms, part, count, found, &s->failed);
}

/* By name, and points of one name as they were found. */
static int by_name(const void *a, const void *b)
{
  const perp_contact3 *p = a, *q = b;
  if (p->id != q->id)
    return p->id < q->id ? -1 : 1;
  for (int k = 0; k < 3; k++)
    if (p->at[k] != q->at[k])
      return p->at[k] < q->at[k] ? -1 : 1;
  return 0;
}

perp_error perp_collider3_collide(perp_world3 *world, perp_message *why)
{
  search s = {.world = world};
  world->contacts = 0;
  dAllocateODEDataForThread(
      (unsigned)dAllocateMaskAll); /* nothing where this thread was here before */
  place(world);
  dSpaceCollide(world->collider->space, &s, meet);
  if (s.failed)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d contacts", world->contacts);
  if (world->contacts > 1)
    qsort(world->contact, (size_t)world->contacts, sizeof *world->contact, by_name);
  return PERP_OK;
}

/* ---- Steps made by ODE ---- */

static void join_contacts(perp_world3 *world)
{
  perp_collider3 *c = world->collider;
  const perp_world3_parameters *par = &world->par;
  for (int k = 0; k < world->contacts; k++) {
    const perp_contact3 *p = &world->contact[k];
    dContact contact = {0};
    contact.surface.mode = dContactApprox1 | (par->restitution > 0 ? dContactBounce : 0);
    contact.surface.mu = par->friction == PERP_FRICTION3_NONE ? 0 : par->mu;
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

static void read_back(perp_world3 *world)
{
  const perp_collider3 *c = world->collider;
  for (int k = 0; k < world->bodies; k++) {
    perp_body3 *b = &world->body[k];
    if (!c->body[k])
      continue;
    memcpy(b->at, dBodyGetPosition(c->body[k]), sizeof b->at);
    memcpy(b->turn, dBodyGetQuaternion(c->body[k]), sizeof b->turn);
    memcpy(b->v, dBodyGetLinearVel(c->body[k]), sizeof b->v);
    memcpy(b->spin, dBodyGetAngularVel(c->body[k]), sizeof b->spin);
  }
  for (int k = 0; k < world->contacts; k++) {
    const perp_contact3 *p = &world->contact[k];
    const dJointFeedback *f = &c->feedback[k];
    const int bodies[2] = {p->a, p->b};
    /* the force on the first of the two that moves */
    const double size = world->par.h * perp_v3_norm(c->body[p->a] ? f->f1 : f->f2);
    for (int side = 0; side < 2; side++) {
      world->load[bodies[side]] += size;
      world->state[bodies[side]] += size > 0;
    }
  }
}

perp_error perp_collider3_step(perp_world3 *world, perp_stepper *stepper, perp_message *why)
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
  dRandSetSeed((unsigned long)frame->index); /* its sweeps go in a random order */
  const bool quick = world->par.engine == PERP_ENGINE3_QUICKSTEP;
  complaint.text[0] = 0;
  const double begin = perp_clock_seconds();
  const int fine =
      quick ? dWorldQuickStep(c->world, world->par.h) : dWorldStep(c->world, world->par.h);
  frame->solve_seconds = perp_clock_seconds() - begin;
  frame->by_ode = true;
  frame->residual = NAN; /* ODE does not tell */
  frame->outcome = complaint.text[0] ? PERP_STAGNATED : PERP_NOT_RUN;
  if (complaint.text[0])
    perp_fail(&stepper->trouble, PERP_OK, "ODE complained: %.300s", complaint.text);
  if (fine)
    read_back(world);
  dJointGroupEmpty(c->contacts);
  return fine ? PERP_OK
              : perp_fail(why, PERP_ERROR_BACKEND, "frame %lld: ODE has no memory for %d contacts",
                          (long long)frame->index, world->contacts);
}

#else

static perp_error missing(perp_message *why)
{
  return perp_fail(why, PERP_ERROR_BACKEND,
                   "perp was built without ODE, which finds the contacts of bodies in space");
}

perp_error perp_collider3_create(const perp_world3 *world, perp_collider3 **collider,
                                 perp_message *why)
{
  (void)world;
  (void)collider;
  return missing(why);
}

void perp_collider3_destroy(perp_collider3 *collider)
{
  (void)collider;
}

perp_error perp_collider3_collide(perp_world3 *world, perp_message *why)
{
  (void)world;
  return missing(why);
}

perp_error perp_collider3_step(perp_world3 *world, perp_stepper *stepper, perp_message *why)
{
  (void)world;
  (void)stepper;
  return missing(why);
}

#endif
