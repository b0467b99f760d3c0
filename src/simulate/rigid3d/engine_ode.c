/* rigid3d/engine_ode.c: steps made by ODE for comparison, from the contacts of collide.c; the only
 * file that uses ODE
 *
 * ODE aborts the program if one of its assertions fails, so we avoid such calls. All bodies are
 * within the world. ODE's reference count is not thread-safe; a lock protects the two calls that
 * change it. */
#include "base/elementary.h"
#include "simulate/rigid3d/world.h"

#ifdef PERP_HAVE_ODE

#include "base/clock.h"

#include <ode/ode.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

typedef struct ode {
  perp_ode3 calls; /* first */
  dWorldID world;
  dJointGroupID contacts;
  dBodyID *body; /* NULL: fixed */
  int feedback_room;
  dJointFeedback *feedback;
} ode;

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

/* Moves ODE's bodies to the positions of ours. */
static void place_bodies(ode *c, const perp_world *world)
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

static void make_joints(ode *c, const perp_world *world)
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

static void make_world(ode *c, const perp_world *world)
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
  for (int k = 0; k < world->bodies; k++) {
    const perp_rigid_body *b = &world->body[k];
    const double *I = b->inertia;
    if (b->mass_inverse == 0)
      continue;
    dMass mass;
    dMassSetParameters(&mass, b->mass, 0, 0, 0, I[0], I[4], I[8], I[1], I[2], I[5]);
    c->body[k] = dBodyCreate(c->world);
    dBodySetMass(c->body[k], &mass);
  }
  place_bodies(c, world);
  make_joints(c, world);
}

static perp_error refuse_static_friction(const perp_world_parameters *par, perp_message *why)
{
  if (par->mu_static <= par->mu || par->friction == PERP_FRICTION_NONE)
    return PERP_OK;
  return perp_fail(why, PERP_ERROR_UNSUPPORTED,
                   "mu_static %g is above mu %g: ODE has no static friction, engine=perp has it",
                   par->mu_static, par->mu);
}

static void destroy(perp_ode3 *engine)
{
  ode *c = (ode *)engine;
  dJointGroupDestroy(c->contacts);
  dWorldDestroy(c->world);
  leave_ode();
  perp_free(c->body);
  perp_free(c->feedback);
  perp_free(c);
}

/* ---- Steps made by ODE ---- */

static void join_contacts(perp_world *world)
{
  ode *c = (ode *)world->ode;
  const perp_world_parameters *par = &world->par;
  for (int k = 0; k < world->contacts; k++) {
    const perp_scene_contact *p = &world->contact[k];
    dContact contact = {0};
    const double e = perp_world_restitution(world, p->a, p->b);
    contact.surface.mode = dContactApprox1 | (e > 0 ? dContactBounce : 0);
    contact.surface.mu = par->friction == PERP_FRICTION_NONE ? 0 : par->mu;
    contact.surface.bounce = e;
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
  const ode *c = (const ode *)world->ode;
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

static void take_out(perp_world *world)
{
  const ode *c = (const ode *)world->ode;
  for (int k = 0; k < world->bodies; k++) {
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

static perp_error step(perp_world *world, perp_stepper *stepper, perp_message *why)
{
  ode *c = (ode *)world->ode;
  perp_step *frame = stepper->frame;
  const perp_world_parameters *par = &world->par;
  const perp_error refused = refuse_static_friction(par, why); /* an action may have set it */
  if (refused)
    return refused;
  if (world->contacts > c->feedback_room) {
    perp_free(c->feedback);
    c->feedback_room = 2 * world->contacts;
    c->feedback = perp_alloc_zero((size_t)c->feedback_room, sizeof *c->feedback);
    if (!c->feedback) {
      c->feedback_room = 0;
      return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d contacts", world->contacts);
    }
  }
  if (par->after > 0 && world->steps == par->after)
    place_bodies(c, world);
  join_contacts(world);
  dRandSetSeed((unsigned long)frame->index); /* its sweeps use a random order */
  const bool quick = par->engine == PERP_ENGINE3_QUICKSTEP;
  complaint.text[0] = 0;
  const double begin = perp_clock_seconds();
  const int fine = quick ? dWorldQuickStep(c->world, par->h) : dWorldStep(c->world, par->h);
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

perp_error perp_ode3_create(const perp_world *world, perp_ode3 **engine, perp_message *why)
{
  const perp_error refused = refuse_static_friction(&world->par, why);
  if (refused)
    return refused;
  ode *c = perp_alloc_zero(1, sizeof *c);
  dBodyID *body = perp_alloc_zero((size_t)world->bodies, sizeof *body);
  const bool memory = c && body, fine = memory && enter_ode();
  if (!fine) {
    perp_free(body);
    perp_free(c);
    return memory ? perp_fail(why, PERP_ERROR_BACKEND, "ODE cannot be initialised")
                  : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d bodies", world->bodies);
  }
  c->calls = (perp_ode3){destroy, step, take_out};
  c->body = body;
  make_world(c, world);
  *engine = &c->calls;
  return PERP_OK;
}

#else

perp_error perp_ode3_create(const perp_world *world, perp_ode3 **engine, perp_message *why)
{
  (void)world;
  (void)engine;
  return perp_fail(why, PERP_ERROR_BACKEND,
                   "perp was built without ODE; only engine=perp is available");
}

#endif
