/* rigid/world.c: lists, gravity, energies, view and user actions of a rigid-body world */
#include "simulate/rigid/world.h"
#include "base/elementary.h"
#include "scene/vector.h"

#include <string.h>

/* ---- User actions: pulling bodies, changing gravity and friction ----
 *
 * A grip is a critically damped spring of frequency w between the point p of a body and the target
 * `to`. It is integrated implicitly and so stable for every h: with k = m w^2, c = 2 m w and the
 * point's velocity u,
 *
 *   P = -h (k (p + h u' - to) + c u'),   u' = u + K P,   K = 1/m I - [r] I^-1 [r]
 *
 * which gives (K + g I) P = -(u + g h k (p - to)) with g = 1 / (h (c + h k)). Like gravity, P acts
 * before the contacts are solved. Its size is limited. */

static const double FREQUENCY = 25; /* w in 1/s: four oscillations a second */
static const double STRENGTH = 400; /* limit of the body's acceleration by a grip */

/* Adds the impulse of the grip to the velocities. */
static void pull(perp_world *world)
{
  perp_rigid_body *b = &world->body[world->grip.body];
  const double h = world->par.h, k = b->mass * FREQUENCY * FREQUENCY, c = 2 * b->mass * FREQUENCY;
  const double g = 1 / (h * (c + h * k));
  double R[9], I_inverse[9], r[3], K[9], rhs[3], P[3], inverse[9], turn[3];
  perp_q_matrix(b->turn, R);
  perp_m3_turn(R, b->inertia_inverse, I_inverse);
  perp_q_rotate(b->turn, world->grip.arm, r);
  const double X[9] = {0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0};
  for (int j = 0; j < 3; j++) { /* column j of -[r] I^-1 [r] */
    const double column[3] = {X[j], X[3 + j], X[6 + j]};
    double w[3], v[3];
    perp_m3_apply(I_inverse, column, w);
    perp_v3_cross(w, r, v);
    for (int i = 0; i < 3; i++)
      K[3 * i + j] = v[i] + (i == j ? b->mass_inverse + g : 0);
  }
  perp_v3_cross(b->spin, r, rhs);
  for (int i = 0; i < 3; i++)
    rhs[i] = -(rhs[i] + b->v[i] + g * h * k * (b->at[i] + r[i] - world->grip.to[i]));
  if (world->planar)
    rhs[2] = 0;
  perp_m3_invert(K, inverse);
  perp_m3_apply(inverse, rhs, P);
  const double size = perp_v3_norm(P), most = h * STRENGTH * b->mass;
  if (size > most)
    perp_v3_scale(most / size, P);
  perp_v3_add(b->v, b->mass_inverse, P, b->v);
  perp_v3_cross(r, P, turn);
  perp_m3_apply(I_inverse, turn, rhs);
  perp_v3_add(b->spin, 1, rhs, b->spin);
}

/* Grips the body at the point `at` of its own frame. If it is already held, only the target
 * changes. */
static void hold(perp_world *world, const perp_action *action, int body)
{
  perp_grip *grip = &world->grip;
  const perp_rigid_body *b = &world->body[body];
  if (!grip->holds || grip->body != body) {
    double back[4], r[3];
    perp_v3_add(action->at, -1, b->at, r);
    if (world->planar)
      r[2] = 0;
    perp_q_conjugate(b->turn, back);
    perp_q_rotate(back, r, grip->arm);
  }
  memcpy(grip->to, action->to, sizeof grip->to);
  if (world->planar)
    grip->to[2] = 0;
  grip->body = body;
  grip->holds = true;
}

static perp_error set(perp_world *world, const perp_action *action, perp_message *why)
{
  const char *name = action->name ? action->name : "";
  perp_world_parameters *par = &world->par;
  const double value = action->value;
  const bool finite = fabs(value) <= 1e6;
  if (strcmp(name, "mu") == 0 && finite && value >= 0)
    par->mu = value;
  else if (strcmp(name, "mu_static") == 0 && finite && value >= 0)
    par->mu_static = value;
  else if (strcmp(name, "restitution") == 0 && value >= 0 && value <= 1)
    par->restitution = value;
  else if (strcmp(name, "gravity") == 0 && finite)
    par->gravity = value;
  else if (strcmp(name, "tilt") == 0 && finite) {
    world->down[0] = perp_sin(value);
    world->down[world->planar ? 1 : 2] = -perp_cos(value);
  } else
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "cannot set '%.64s' to %.6g: bodies have mu, mu_static, restitution, gravity "
                     "and tilt",
                     name, value);
  return PERP_OK;
}

/* Returns where the pair is listed, the number of pairs if it is not. */
static int find_pair(const perp_world *world, int a, int b)
{
  int k = 0;
  while (k < world->pairs && !(world->pair[k].body[0] == a && world->pair[k].body[1] == b) &&
         !(world->pair[k].body[0] == b && world->pair[k].body[1] == a))
    k++;
  return k;
}

double perp_world_restitution(const perp_world *world, int a, int b)
{
  const int k = find_pair(world, a, b);
  const perp_rigid_body *p = &world->body[a], *q = &world->body[b];
  const double e = p->has_restitution ? p->restitution : world->par.restitution;
  const double f = q->has_restitution ? q->restitution : world->par.restitution;
  return k < world->pairs ? world->pair[k].value : e > f ? e : f;
}

static perp_error set_pair(perp_world *world, int a, int b, double value, perp_message *why)
{
  const int k = find_pair(world, a, b);
  if (k == world->pairs &&
      !perp_list_next(&world->pair, &world->pairs, &world->pair_room, sizeof *world->pair))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for one more pair");
  world->pair[k] = (perp_pair_restitution){{a, b}, value};
  return PERP_OK;
}

static perp_error set_restitution(perp_world *world, const perp_action *action, int body, int other,
                                  perp_message *why)
{
  const bool pair = action->name && strcmp(action->name, "pair") == 0;
  if (body < 0 || !(action->value >= 0 && action->value <= 1))
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "shape %d: restitution %g must be from 0 to 1, of a body of the scene",
                     action->shape, action->value);
  if (pair && (other < 0 || other == body))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "shapes %d and %lld are not two bodies",
                     action->shape, (long long)action->other);
  if (pair)
    return set_pair(world, body, other, action->value, why);
  world->body[body].restitution = action->value;
  world->body[body].has_restitution = true;
  return PERP_OK;
}

/* v <- v + P / m, spin <- spin + I^-1 (r x P) */
static void push(perp_world *world, const perp_action *action, int body)
{
  perp_rigid_body *b = &world->body[body];
  double R[9], I_inverse[9], r[3], P[3], torque[3], turn[3];
  memcpy(P, action->to, sizeof P);
  perp_v3_add(action->at, -1, b->at, r);
  if (world->planar)
    P[2] = r[2] = 0;
  perp_q_matrix(b->turn, R);
  perp_m3_turn(R, b->inertia_inverse, I_inverse);
  perp_v3_cross(r, P, torque);
  perp_m3_apply(I_inverse, torque, turn);
  perp_v3_add(b->v, b->mass_inverse, P, b->v);
  perp_v3_add(b->spin, 1, turn, b->spin);
}

/* Returns the body of a shape, -1 if there is no such shape. */
static int body_of(const perp_world *world, int64_t shape)
{
  return shape >= 0 && shape < world->shapes ? world->shape_body[shape] : -1;
}

perp_error perp_world_act(void *state, const perp_action *action, perp_message *why)
{
  perp_world *world = state;
  const int body = body_of(world, action->shape), other = body_of(world, action->other);
  if ((action->kind == PERP_ACT_HOLD || action->kind == PERP_ACT_PUSH ||
       action->kind == PERP_ACT_REMOVE) &&
      (body < 0 || world->body[body].mass_inverse == 0))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "shape %d cannot be %s: it is fixed, or not a body",
                     action->shape, action->kind == PERP_ACT_REMOVE ? "removed" : "moved");
  switch (action->kind) {
  case PERP_ACT_SET:
    return set(world, action, why);
  case PERP_ACT_HOLD:
    hold(world, action, body);
    return PERP_OK;
  case PERP_ACT_RELEASE:
    world->grip.holds = false;
    return PERP_OK;
  case PERP_ACT_PUSH:
    push(world, action, body);
    return PERP_OK;
  case PERP_ACT_RESTITUTION:
    return set_restitution(world, action, body, other, why);
  case PERP_ACT_ADD:
    return world->kind->add(world, action, why);
  case PERP_ACT_REMOVE:
    return world->kind->remove(world, body, why);
  default:
    if (action->kind == PERP_ACT_JOIN && world->kind->join)
      return world->kind->join(world, action, body, other, why);
    return perp_fail(why, PERP_ERROR_UNSUPPORTED, "bodies do not support this action");
  }
}

void perp_world_forget(perp_world *world)
{
  for (int k = 0; k < 2; k++)
    world->kept[k].contacts = world->kept[k].joints = 0;
  world->arrow = NULL;
}

perp_error perp_world_follow(void *state, const void *other, perp_message *why)
{
  perp_world *world = state;
  const perp_world *from = other;
  if (world->bodies != from->bodies || world->shapes != from->shapes)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "a scene of %d bodies of %d shapes cannot copy the state of one with %d of %d",
                     world->bodies, world->shapes, from->bodies, from->shapes);
  world->pairs = 0;
  for (int k = 0; k < from->pairs; k++) {
    const perp_pair_restitution *pair = &from->pair[k];
    const perp_error error = set_pair(world, pair->body[0], pair->body[1], pair->value, why);
    if (error)
      return error;
  }
  memcpy(world->body, from->body, (size_t)world->bodies * sizeof *world->body);
  memcpy(world->down, from->down, sizeof world->down);
  world->par.mu = from->par.mu;
  world->par.mu_static = from->par.mu_static;
  world->par.restitution = from->par.restitution;
  world->par.gravity = from->par.gravity;
  world->grip = from->grip;
  world->time = from->time;
  world->steps = from->steps;
  world->gone = from->gone;
  world->kind->copy(world, from);
  perp_world_forget(world);
  return perp_world_changed(world, why);
}

/* ---- Worlds ---- */

const char *const perp_planar_friction_names[] = {"none", "polyhedral", "findex", "cone", NULL};
const char *const perp_friction_names[] = {"none",     "polyhedral", "findex", "cone",
                                           "elliptic", "discs",      NULL};

void perp_world_init(perp_world *world, const perp_world_parameters *par,
                     const perp_world_kind *kind)
{
  const bool planar = kind->planar;
  *world = (perp_world){.par = *par,
                        .kind = kind,
                        .planar = planar,
                        .lo = {-1, -1, planar ? 0 : -1},
                        .hi = {1, 1, planar ? 0 : 1}};
  world->down[planar ? 1 : 2] = -1;
}

perp_error perp_world_create(const perp_scene *scene, const void *par, uint64_t seed, void **state,
                             perp_message *why)
{
  const perp_setting *setting = par;
  perp_world *world = perp_alloc(1, sizeof *world);
  if (world) {
    perp_world_init(world, &setting->world, scene->simulator->kind);
    world->random = perp_random_from(seed);
    scene->build(world, setting);
  }
  return perp_world_finish(world, state, why);
}

/* Moves the shapes of the view to their bodies. */
static void place_view(perp_world *world)
{
  for (int k = 0; k < world->shapes; k++) {
    world->kind->pose(world, k, world->pose + (world->planar ? 3 : 7) * (size_t)k);
    world->shape_load[k] = world->load[world->shape_body[k]];
    world->shape_state[k] = world->state[world->shape_body[k]];
  }
}

perp_error perp_world_changed(perp_world *world, perp_message *why)
{
  if (!world->kind->prepare(world))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d bodies", world->bodies);
  place_view(world);
  return PERP_OK;
}

perp_error perp_world_finish(perp_world *world, void **state, perp_message *why)
{
  perp_error error = PERP_OK;
  if (world && world->crowded)
    error = perp_fail(why, PERP_ERROR_ARGUMENT, "the scene would have more than %d bodies",
                      PERP_BODIES);
  else if (!world || world->failed)
    error = perp_fail(why, PERP_ERROR_MEMORY, "out of memory for the scene");
  else
    error = perp_world_changed(world, why);
  if (!error && world->kind->equip)
    error = world->kind->equip(world, why);
  if (!error)
    *state = world;
  else if (world)
    perp_world_destroy(world);
  return error;
}

void perp_world_start(perp_world *world, int body, const double v[3], const double spin[3])
{
  if (body < 0)
    return;
  memcpy(world->body[body].v, v, sizeof world->body->v);
  if (spin)
    memcpy(world->body[body].spin, spin, sizeof world->body->spin);
}

void perp_world_destroy(void *state)
{
  perp_world *world = state;
  if (world->ode)
    world->ode->destroy(world->ode);
  perp_operator_destroy(world->A);
  perp_arena_free(&world->frame);
  void *const owned[] = {
      world->body,  world->contact,      world->pair,      world->outline,      world->part,
      world->joint, world->kept[0].name, world->kept[0].x, world->kept[1].name, world->kept[1].x};
  for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
    perp_free(owned[k]);
  perp_arena_free(&world->memory);
  perp_free(world);
}

int perp_world_add(perp_world *world, const perp_rigid_body *body)
{
  world->crowded = world->bodies >= PERP_BODIES;
  perp_rigid_body *added = world->crowded ? NULL
                                          : perp_list_next(&world->body, &world->bodies,
                                                           &world->body_room, sizeof *added);
  world->failed = world->failed || !added;
  if (!added)
    return -1;
  *added = *body;
  added->mass_inverse = body->mass > 0 ? 1 / body->mass : 0;
  return world->bodies - 1;
}

perp_scene_contact *perp_world_add_contact(perp_world *world)
{
  return perp_list_next(&world->contact, &world->contacts, &world->contact_room,
                        sizeof *world->contact);
}

bool perp_world_prepare(perp_world *world, int shapes)
{
  const size_t numbers = (world->planar ? 3 : 7) * (size_t)shapes;
  world->shapes = shapes;
  perp_arena_reset(&world->memory);
  return PERP_TAKE_ZERO(&world->memory, PERP_ARRAY(world->load, world->bodies),
                        PERP_ARRAY(world->state, world->bodies),
                        PERP_ARRAY(world->shape_load, shapes),
                        PERP_ARRAY(world->shape_state, shapes)) &&
         PERP_TAKE(&world->memory, PERP_ARRAY(world->shape, shapes),
                   PERP_ARRAY(world->shape_body, shapes), PERP_ARRAY(world->pose, numbers));
}

void perp_world_fall(perp_world *world)
{
  const double added = world->par.h * world->par.gravity;
  for (int k = 0; k < world->bodies; k++)
    for (int j = 0; j < 3 && world->body[k].mass_inverse > 0; j++)
      if (world->down[j] != 0)
        world->body[k].v[j] += added * world->down[j];
  if (world->grip.holds)
    pull(world);
}

/* Finishes the step: time, energies, contacts and penetration of the frame. */
static void account(perp_world *world, perp_step *frame)
{
  frame->kinetic = frame->potential = frame->penetration = 0;
  for (int k = 0; k < world->bodies; k++) {
    const perp_rigid_body *b = &world->body[k];
    if (b->mass_inverse == 0)
      continue;
    double R[9], w[3], Iw[3], middle[3];
    perp_q_matrix(b->turn, R);
    perp_m3_apply_t(R, b->spin, w);
    perp_m3_apply(b->inertia, w, Iw);
    frame->kinetic += 0.5 * (b->mass * perp_v3_dot(b->v, b->v) + perp_v3_dot(w, Iw));
    /* in the middle of the step (world.h) */
    perp_v3_add(b->at, -0.5 * world->par.h, b->v, middle);
    frame->potential -= b->mass * world->par.gravity * perp_v3_dot(world->down, middle);
  }
  for (int k = 0; k < world->contacts; k++)
    frame->penetration = perp_max(-world->contact[k].gap, frame->penetration); /* 0, not -0 */
  frame->contacts = world->contacts;
  world->steps++;
  frame->time = world->time += world->par.h;
}

perp_error perp_world_step(void *state, perp_stepper *stepper, perp_message *why)
{
  perp_world *world = state;
  if (world->blow.step > 0 && world->blow.step == world->steps + 1)
    memcpy(world->body[world->blow.body].v, world->blow.v, sizeof world->blow.v);
  perp_arena_reset(&world->frame);
  world->arrow = NULL;
  perp_error error = world->kind->collide(world, why);
  if (error)
    return error;
  memset(world->load, 0, (size_t)world->bodies * sizeof *world->load);
  memset(world->state, 0, (size_t)world->bodies * sizeof *world->state);
  error = world->kind->move(world, stepper, why);
  if (error)
    return error;
  account(world, stepper->frame);
  place_view(world);
  return PERP_OK;
}

void perp_world_view(const void *state, perp_view *view)
{
  const perp_world *world = state;
  *view = (perp_view){
      .dimension = world->planar ? 2 : 3,
      .lo = {world->lo[0], world->lo[1], world->lo[2]},
      .hi = {world->hi[0], world->hi[1], world->hi[2]},
      .shapes = world->shapes,
      .shape = world->shape,
      .pose = world->pose,
      .load = world->shape_load,
      .state = world->shape_state,
      .contacts = world->arrow ? world->contacts : 0,
      .contact = world->arrow,
  };
}
