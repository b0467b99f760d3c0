/* rigid3d/world.c: bodies in space with their masses and joints, motion, view and user actions */
#include "simulate/rigid3d/world.h"
#include "base/elementary.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

/* ---- Masses ----
 *
 * Of unit density, with the radius r and the half length l of a capsule along z:
 *
 *   sphere   4/3 pi r^3,                inertia 2/5 m r^2
 *   box      8 a b c,                   inertia m (b^2 + c^2) / 3 about the first axis, and so on
 *   capsule  pi r^2 2 l + 4/3 pi r^3,   a cylinder and two halves of a sphere, each half with its
 *                                       centre of mass 3/8 r from its face
 *
 * A body's mass and inertia are the sums over its parts, each shifted by the parallel axis theorem.
 * Overlapping parts count their mass twice. */

/* Returns the mass of one part and its inertia about its own centre and axes; *radius is that of
 * its bounding sphere. */
static double part_mass(const perp_part3 *p, double inertia[3], double *radius)
{
  const double r = p->size[0], l = p->size[1];
  double m;
  if (p->kind == PERP_SHAPE_SPHERE) {
    m = p->density * 4 / 3 * PI * r * r * r;
    inertia[0] = inertia[1] = inertia[2] = 0.4 * m * r * r;
    *radius = r;
  } else if (p->kind == PERP_SHAPE_BOX) {
    const double *s = p->size;
    m = p->density * 8 * s[0] * s[1] * s[2];
    for (int k = 0; k < 3; k++) {
      const double b = s[(k + 1) % 3], c = s[(k + 2) % 3];
      inertia[k] = m * (b * b + c * c) / 3;
    }
    *radius = perp_v3_norm(s);
  } else {
    const double tube = p->density * PI * r * r * 2 * l, ends = p->density * 4 / 3 * PI * r * r * r;
    m = tube + ends;
    inertia[2] = 0.5 * tube * r * r + 0.4 * ends * r * r;
    /* tube: r^2/4 + (2 l)^2/12; caps: 2/5 r^2 about the centres of the spheres, less (3/8 r)^2 to
     * the centre of mass of a half, and from there (l + 3/8 r)^2 */
    inertia[0] = inertia[1] =
        tube * (r * r / 4 + l * l / 3) + ends * (0.4 * r * r + l * l + 0.75 * l * r);
    *radius = l + r;
  }
  return m;
}

/* Computes mass, centre and inertia of all parts in the frame of the parts. */
static void add_masses(perp_rigid_body *body, int parts, const perp_part3 *part, double centre[3])
{
  double masses = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < parts; k++) {
      const perp_part3 *p = &part[k];
      double own[3], radius, R[9], turned[9], arm[3];
      const double m = part_mass(p, own, &radius);
      if (pass == 0) {
        /* fixed parts have no mass; any centre will do */
        const double weight = m > 0 ? m : 1;
        body->mass += m;
        perp_v3_add(centre, weight, p->at, centre);
        masses += weight;
        if (k == parts - 1)
          perp_v3_scale(1 / masses, centre);
        continue;
      }
      perp_q_matrix(p->turn, R);
      perp_m3_turn(R, (double[9]){own[0], 0, 0, 0, own[1], 0, 0, 0, own[2]}, turned);
      perp_v3_add(p->at, -1, centre, arm);
      const double square = perp_v3_dot(arm, arm);
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          body->inertia[3 * i + j] +=
              turned[3 * i + j] + m * ((i == j ? square : 0) - arm[i] * arm[j]);
      body->radius = perp_max(body->radius, sqrt(square) + radius);
    }
}

/* ---- Bodies ---- */

int perp_world3_body(perp_world *world, const double at[3], const double turn[4], int parts,
                     const perp_part3 *part)
{
  perp_rigid_body body = {.first_part = world->parts, .parts = parts, .joint = -1};
  double centre[3] = {0}, moved[3];
  memcpy(body.turn, turn ? turn : (const double[4]){1, 0, 0, 0}, sizeof body.turn);
  add_masses(&body, parts, part, centre);
  perp_q_rotate(body.turn, centre, moved);
  perp_v3_add(at, 1, moved, body.at);
  if (body.mass > 0)
    perp_m3_invert(body.inertia, body.inertia_inverse);
  for (int k = 0; k < parts; k++) {
    perp_part3 *added =
        perp_list_next(&world->part, &world->parts, &world->part_room, sizeof *added);
    world->failed = world->failed || !added;
    if (!added)
      return -1;
    *added = part[k];
    added->body = world->bodies;
    perp_v3_add(part[k].at, -1, centre, added->at);
  }
  return perp_world_add(world, &body);
}

int perp_world3_sphere(perp_world *world, const double at[3], double radius, double density)
{
  const perp_part3 part = {PERP_SHAPE_SPHERE, {radius}, {0}, {1}, .density = density};
  return perp_world3_body(world, at, NULL, 1, &part);
}

int perp_world3_box(perp_world *world, const double at[3], const double turn[4],
                    const double half[3], double density)
{
  const perp_part3 part = {
      PERP_SHAPE_BOX, {half[0], half[1], half[2]}, {0}, {1}, .density = density};
  return perp_world3_body(world, at, turn, 1, &part);
}

int perp_world3_capsule(perp_world *world, const double at[3], const double turn[4], double radius,
                        double half, double density)
{
  const perp_part3 part = {PERP_SHAPE_CAPSULE, {radius, half}, {0}, {1}, .density = density};
  return perp_world3_body(world, at, turn, 1, &part);
}

void perp_world3_ground(perp_world *world, const double lo[3], const double hi[3])
{
  const double wide = 2 * perp_max(hi[0] - lo[0], hi[1] - lo[1]) + 2;
  const double at[3] = {0.5 * (lo[0] + hi[0]), 0.5 * (lo[1] + hi[1]), -0.5};
  for (int k = 0; k < 3; k++) {
    world->lo[k] = lo[k];
    world->hi[k] = hi[k];
  }
  const perp_part3 part = {PERP_SHAPE_BOX, {wide, wide, 0.5}, {0}, {1}, .ground = true};
  perp_world3_body(world, at, NULL, 1, &part);
}

/* ---- Joints ---- */

int perp_world3_joint(perp_world *world, perp_joint3_kind kind, int a, int b, const double at[3],
                      const double axis[3])
{
  const int number = world->joints;
  perp_joint3 *joint = a < 0 || b < 0 ? NULL
                                      : perp_list_next(&world->joint, &world->joints,
                                                       &world->joint_room, sizeof *joint);
  world->failed = world->failed || !joint;
  if (!joint)
    return -1;
  *joint = (perp_joint3){.kind = kind, .body = {a, b}};
  for (int side = 0; side < 2; side++) {
    perp_rigid_body *body = &world->body[joint->body[side]];
    double back[4], arm[3];
    perp_q_conjugate(body->turn, back);
    perp_v3_add(at, -1, body->at, arm);
    perp_q_rotate(back, arm, joint->at[side]);
    if (kind == PERP_JOINT3_HINGE)
      perp_q_rotate(back, axis, joint->axis[side]);
    if (side == 0)
      perp_q_multiply(back, world->body[b].turn, joint->turn);
    joint->next[side] = body->joint;
    body->joint = number;
  }
  return number;
}

bool perp_world3_joined(const perp_world *world, int a, int b)
{
  for (int k = world->body[a].joint; k >= 0;) {
    const perp_joint3 *joint = &world->joint[k];
    const int side = joint->body[1] == a;
    if (joint->body[1 - side] == b)
      return true;
    k = joint->next[side];
  }
  return false;
}

/* ---- Limits ---- */

static double quaternion_norm(const double q[4])
{
  return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

bool perp_world3_holds(const perp_world *world, const double at[3], const double turn[4],
                       const double v[3], const double spin[3])
{
  /* angular velocity at which a step's rotation has no accurate digits left */
  const double fast = 1e6 / world->par.h;
  bool fine = fabs(quaternion_norm(turn) - 1) < 1e-3;
  for (int k = 0; k < 3; k++) /* written so that a NaN fails */
    fine = fine && fabs(at[k] - world->middle[k]) <= world->far && fabs(spin[k]) <= fast &&
           fabs(v[k]) * world->par.h <= 2 * world->far;
  return fine;
}

bool perp_world3_is_ours(const perp_world *world)
{
  return world->par.engine == PERP_ENGINE3_PERP || world->steps < world->par.after;
}

/* ---- The rows of a joint ----
 *
 * With the current anchors p_a and p_b, the axes s_a and s_b of a hinge, and e the rotation error
 * of b relative to a,
 *
 *   ball    e_k . (velocity of p_b - velocity of p_a) = 0,     error  (p_b - p_a)_k
 *   hinge   u . (spin_b - spin_a) = 0 for u across s_a,        error  (s_a x s_b) . u
 *   fixed   e_k . (spin_b - spin_a) = 0,                       error  2 (vector part of e)_k
 *
 * For a small rotation theta of b relative to a, s_b = s_a + theta x s_a. So s_a x s_b is the part
 * of theta across the axis, and the vector part of the quaternion is theta / 2. */

static void turn_row(const double axis[3], double error, perp_joint_row *row)
{
  *row = (perp_joint_row){.error = error};
  memcpy(row->turn[0], axis, sizeof row->turn[0]);
  memcpy(row->turn[1], axis, sizeof row->turn[1]);
}

static int hinge_rows(const perp_world *world, const perp_joint3 *joint, perp_joint_row row[2])
{
  double s[2][3], off[3], u[2][3];
  for (int side = 0; side < 2; side++)
    perp_q_rotate(world->body[joint->body[side]].turn, joint->axis[side], s[side]);
  perp_v3_cross(s[0], s[1], off);
  perp_v3_frame(s[0], u[0], u[1]);
  for (int k = 0; k < 2; k++)
    turn_row(u[k], perp_v3_dot(off, u[k]), &row[k]);
  return 2;
}

static int fixed_rows(const perp_world *world, const perp_joint3 *joint, perp_joint_row row[3])
{
  double should[4], back[4], e[4];
  perp_q_multiply(world->body[joint->body[0]].turn, joint->turn, should);
  perp_q_conjugate(should, back);
  perp_q_multiply(world->body[joint->body[1]].turn, back, e);
  for (int k = 0; k < 3; k++) {
    const double axis[3] = {k == 0, k == 1, k == 2};
    turn_row(axis, (e[0] < 0 ? -2 : 2) * e[k + 1], &row[k]);
  }
  return 3;
}

int perp_joint3_make_rows(const perp_world *world, const perp_joint3 *joint, perp_joint_row row[6])
{
  double arm[2][3], point[2][3];
  for (int side = 0; side < 2; side++) {
    const perp_rigid_body *body = &world->body[joint->body[side]];
    if (body->gone)
      return 0;
    perp_q_rotate(body->turn, joint->at[side], arm[side]);
    perp_v3_add(body->at, 1, arm[side], point[side]);
  }
  for (int k = 0; k < 3; k++) {
    row[k] =
        (perp_joint_row){.linear = {k == 0, k == 1, k == 2}, .error = point[1][k] - point[0][k]};
    for (int side = 0; side < 2; side++)
      perp_v3_cross(arm[side], row[k].linear, row[k].turn[side]);
  }
  int count = 3;
  if (joint->kind == PERP_JOINT3_HINGE)
    count += hinge_rows(world, joint, row + 3);
  else if (joint->kind == PERP_JOINT3_FIXED)
    count += fixed_rows(world, joint, row + 3);
  for (int k = 0; k < count; k++)
    memcpy(row[k].body, joint->body, sizeof row[k].body);
  row[0].first = true;
  return count;
}

/* ---- Motion ----
 *
 * Positions. q' = exp(h spin / 2) q, an exact rotation by h |spin| about the spin. It preserves the
 * spin in the body's frame, and so the energy.
 *
 * The gyroscopic torque is integrated implicitly in the body's frame,
 *
 *   I (w' - w) + h w' x I w' = 0,
 *
 * by Newton's method. From w' . I w' = w' . I w follows |w'| <= |w| in the norm of I: the energy
 * does not grow, as it could with an explicit step. */

const char *const perp_engine3_names[] = {"perp", "ode-step", "ode-quickstep", NULL};

/* ---- A step ---- */

/* Solves M x = b by cofactors. */
static void solve3(const double M[9], const double b[3], double x[3])
{
  double c[3][3];
  for (int i = 0; i < 3; i++)
    perp_v3_cross(M + 3 * ((i + 1) % 3), M + 3 * ((i + 2) % 3), c[i]);
  const double determinant = perp_v3_dot(M, c[0]);
  for (int k = 0; k < 3; k++)
    x[k] = (b[0] * c[0][k] + b[1] * c[1][k] + b[2] * c[2][k]) / determinant;
}

static double norm_in(const double I[9], const double w[3])
{
  double Iw[3];
  perp_m3_apply(I, w, Iw);
  return sqrt(perp_v3_dot(w, Iw));
}

static void gyrate(perp_rigid_body *body, double h)
{
  enum { STEPS = 4 };
  const double *I = body->inertia;
  double R[9], w[3], now[3], f[3], Iw[3];
  perp_q_matrix(body->turn, R);
  perp_m3_apply_t(R, body->spin, w);
  memcpy(now, w, sizeof now);
  for (int step = 0; step < STEPS; step++) {
    double change[3], J[9], correction[3];
    perp_m3_apply(I, now, Iw);
    perp_v3_cross(now, Iw, f);
    perp_v3_scale(h, f);
    if (step == 0 && perp_v3_norm(f) <= 1e-15 * perp_v3_norm(Iw))
      return; /* rotates about a principal axis */
    perp_v3_add(now, -1, w, change);
    for (int i = 0; i < 3; i++)
      f[i] += perp_v3_dot(I + 3 * i, change);
    /* column k of the derivative: I e_k + h (e_k x I w + w x I e_k) */
    for (int k = 0; k < 3; k++) {
      const double e[3] = {k == 0, k == 1, k == 2}, Ie[3] = {I[k], I[3 + k], I[6 + k]};
      double first[3], second[3];
      perp_v3_cross(e, Iw, first);
      perp_v3_cross(now, Ie, second);
      for (int i = 0; i < 3; i++)
        J[3 * i + k] = Ie[i] + h * (first[i] + second[i]);
    }
    solve3(J, f, correction);
    perp_v3_add(now, -1, correction, now);
  }
  /* Preserves the energy even if Newton's method has not converged. */
  const double before = norm_in(I, w), after = norm_in(I, now);
  if (!(after < INFINITY))
    return;
  if (after > before)
    perp_v3_scale(before / after, now);
  perp_m3_apply(R, now, body->spin);
}

/* Moves a body. A body that would leave the world keeps its position and is marked as gone. */
static void move(const perp_world *world, perp_rigid_body *body)
{
  const double h = world->par.h, speed = perp_v3_norm(body->spin);
  double at[3], turn[4];
  perp_v3_add(body->at, h, body->v, at);
  memcpy(turn, body->turn, sizeof turn);
  if (speed > 0) {
    const double axis[3] = {body->spin[0] / speed, body->spin[1] / speed, body->spin[2] / speed};
    double by[4];
    perp_q_about(axis, h * speed, by);
    perp_q_multiply(by, body->turn, turn);
    const double norm = quaternion_norm(turn);
    for (int k = 0; k < 4; k++)
      turn[k] /= norm;
  }
  body->gone = !perp_world3_holds(world, at, turn, body->v, body->spin);
  if (body->gone)
    return;
  memcpy(body->at, at, sizeof at);
  memcpy(body->turn, turn, sizeof turn);
}

/* Removes a body with all bodies joined to it, whose chains are short; from now on they count as
 * fixed. Returns their number. */
static int remove_joined(perp_world *world, int body)
{
  perp_rigid_body *b = &world->body[body];
  if (b->mass_inverse == 0)
    return 0;
  int count = 1;
  b->gone = true;
  b->mass_inverse = 0;
  memset(b->inertia_inverse, 0, sizeof b->inertia_inverse);
  memset(b->v, 0, sizeof b->v);
  memset(b->spin, 0, sizeof b->spin);
  if (world->grip.body == body)
    world->grip.holds = false;
  for (int k = b->joint; k >= 0;) {
    const perp_joint3 *joint = &world->joint[k];
    const int side = joint->body[1] == body;
    count += remove_joined(world, joint->body[1 - side]);
    k = joint->next[side];
  }
  return count;
}

/* Removes the bodies that left in this step. */
static void take_out(perp_world *world, perp_stepper *stepper)
{
  int found = 0;
  for (int k = 0; k < world->bodies; k++)
    found += world->body[k].gone ? remove_joined(world, k) : 0;
  if (found == 0)
    return;
  world->gone += found;
  if (world->ode)
    world->ode->take_out(world);
  perp_message before = stepper->trouble;
  perp_fail(&stepper->trouble, PERP_OK, "removed %d %s more than %.3g away from the scene%s%.300s",
            found, found == 1 ? "body" : "bodies", world->far, before.text[0] ? "; " : "",
            before.text);
}

/* A step by perp's own solver. */
static perp_error step_ours(perp_world *world, perp_stepper *stepper, perp_message *why)
{
  perp_joint_row *row;
  int joints = 0;
  if (!PERP_TAKE(&world->frame, PERP_ARRAY(row, 6 * (size_t)world->joints)))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d joints", world->joints);
  for (int k = 0; k < world->joints; k++)
    joints += perp_joint3_make_rows(world, &world->joint[k], row + joints);
  for (int k = 0; k < world->bodies; k++)
    if (world->body[k].mass_inverse > 0)
      gyrate(&world->body[k], world->par.h);
  perp_world_fall(world);
  const perp_error error = perp_world_solve(world, joints, row, stepper, why);
  for (int k = 0; k < world->bodies && !error; k++)
    if (world->body[k].mass_inverse > 0)
      move(world, &world->body[k]);
  return error;
}

static perp_error move_bodies(perp_world *world, perp_stepper *stepper, perp_message *why)
{
  const perp_error error = perp_world3_is_ours(world) ? step_ours(world, stepper, why)
                                                      : world->ode->step(world, stepper, why);
  if (!error)
    take_out(world, stepper);
  return error;
}

/* ---- The view ---- */

static void pose(const perp_world *world, int shape, double *pose)
{
  const perp_part3 *p = &world->part[shape];
  const perp_rigid_body *b = &world->body[p->body];
  double arm[3];
  perp_q_rotate(b->turn, p->at, arm);
  perp_v3_add(b->at, 1, arm, pose);
  perp_q_multiply(b->turn, p->turn, pose + 3);
}

/* The world is a thousand times as large as the scene. */
static void set_limits(perp_world *world)
{
  double lo[3], hi[3];
  world->far = 1;
  for (int k = 0; k < 3; k++) {
    lo[k] = hi[k] = world->bodies > 0 ? world->body[0].at[k] : 0;
    for (int b = 0; b < world->bodies; b++) {
      lo[k] = perp_min(lo[k], world->body[b].at[k]);
      hi[k] = perp_max(hi[k], world->body[b].at[k]);
    }
    world->middle[k] = 0.5 * (lo[k] + hi[k]);
    world->far = perp_max(world->far, hi[k] - lo[k]);
  }
  world->far *= 1000;
}

/* Also sets the limits of the world. */
static bool prepare(perp_world *world)
{
  if (!perp_world_prepare(world, world->parts) ||
      !PERP_TAKE(&world->memory, PERP_ARRAY(world->placed, world->parts),
                 PERP_ARRAY(world->box, world->parts), PERP_ARRAY(world->reach, world->parts)))
    return false;
  for (int k = 0; k < world->parts; k++) {
    const perp_part3 *p = &world->part[k];
    world->shape_body[k] = p->body;
    world->shape[k] = (perp_shape){.kind = p->kind,
                                   .fixed = world->body[p->body].mass_inverse == 0,
                                   .wire = p->wire || world->body[p->body].gone,
                                   .size = {p->size[0], p->size[1], p->size[2]}};
  }
  set_limits(world);
  return true;
}

/* Creates ODE's engine, if it makes steps, for the current bodies. */
static perp_error make_engine(perp_world *world, perp_message *why)
{
  if (world->ode)
    world->ode->destroy(world->ode);
  world->ode = NULL;
  return world->par.engine == PERP_ENGINE3_PERP ? PERP_OK
                                                : perp_ode3_create(world, &world->ode, why);
}

/* ---- Bodies that a user adds or removes ----
 *
 * A removed body is treated as one that has left the world (world.h), with all bodies joined to it:
 * it keeps its index, and its parts have size 0. */

static perp_error add(perp_world *world, const perp_action *action, perp_message *why)
{
  const perp_shape *body = action->body;
  const bool round = body && (body->kind == PERP_SHAPE_SPHERE || body->kind == PERP_SHAPE_CAPSULE);
  const bool box = body && body->kind == PERP_SHAPE_BOX && body->size[1] > 0 && body->size[2] > 0;
  if (!(round || box) || !(body->size[0] > 0) || !(body->size[1] >= 0) || !(action->value >= 0))
    return perp_fail(
        why, PERP_ERROR_ARGUMENT,
        "action.body must be a sphere, box or capsule of positive size, its density at least 0");
  const perp_part3 part = {body->kind,
                           {body->size[0], body->size[1], body->size[2]},
                           {0},
                           {1},
                           .density = action->value};
  const int k = perp_world3_body(world, action->at, NULL, 1, &part);
  if (k < 0)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for one more body");
  memcpy(world->body[k].v, action->to, sizeof world->body[k].v);
  world->arrow = NULL;
  const perp_error error = perp_world_changed(world, why);
  return error ? error : make_engine(world, why);
}

static perp_error remove_body(perp_world *world, int body, perp_message *why)
{
  remove_joined(world, body);
  for (int k = 0; k < world->parts; k++)
    if (world->body[world->part[k].body].gone)
      memset(world->part[k].size, 0, sizeof world->part[k].size);
  perp_world_forget(world);
  world->contacts = 0;
  if (world->ode)
    world->ode->take_out(world);
  return perp_world_changed(world, why);
}

static perp_error join(perp_world *world, const perp_action *action, int body, int other,
                       perp_message *why)
{
  static const char *const kinds[] = {"ball", "hinge", "fixed"};
  const char *name = action->name ? action->name : "";
  int kind = 0;
  while (kind < 3 && strcmp(kinds[kind], name) != 0)
    kind++;
  if (kind == 3)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "'%.64s' is not one of ball, hinge, fixed", name);
  if (body < 0 || other < 0 || body == other || world->body[body].gone || world->body[other].gone ||
      world->body[body].mass_inverse + world->body[other].mass_inverse == 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "shapes %d and %lld are not two bodies of which one moves", action->shape,
                     (long long)action->other);
  const double length = perp_v3_norm(action->to);
  if (kind == PERP_JOINT3_HINGE && !(length > 0))
    return perp_fail(why, PERP_ERROR_ARGUMENT, "action.to, the axis of a hinge, is 0");
  double axis[3] = {0};
  if (length > 0)
    perp_v3_add(axis, 1 / length, action->to, axis);
  if (perp_world3_joint(world, (perp_joint3_kind)kind, body, other, action->at, axis) < 0)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for one more joint");
  perp_world_forget(world);
  return make_engine(world, why);
}

static void copy(perp_world *world, const perp_world *from)
{
  memcpy(world->part, from->part, (size_t)world->parts * sizeof *world->part);
}

const perp_world_kind perp_world_space = {.prepare = prepare,
                                          .equip = make_engine,
                                          .collide = perp_world3_collide,
                                          .move = move_bodies,
                                          .pose = pose,
                                          .copy = copy,
                                          .add = add,
                                          .remove = remove_body,
                                          .join = join};
