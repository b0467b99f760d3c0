/* rigid3d/build.c: bodies with their masses, joints, and queries about a world
 *
 * Masses of unit density, with the radius r and the half length l of a capsule along z:
 *
 *   sphere   4/3 pi r^3,                inertia 2/5 m r^2
 *   box      8 a b c,                   inertia m (b^2 + c^2) / 3 about the first axis, and so on
 *   capsule  pi r^2 2 l + 4/3 pi r^3,   a cylinder and two halves of a sphere, each half with its
 *                                       centre of mass 3/8 r from its face
 *
 * A body's mass and inertia are the sums over its parts, each shifted by the parallel axis theorem.
 * Overlapping parts count their mass twice. */
#include "base/elementary.h"
#include "simulate/rigid3d/world.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

/* ---- Masses ---- */

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

static const double no_turn[4] = {1, 0, 0, 0};

int perp_world3_body(perp_world *world, const double at[3], const double turn[4], int parts,
                     const perp_part3 *part)
{
  perp_rigid_body body = {.first_part = world->parts, .parts = parts, .joint = -1};
  double centre[3] = {0}, moved[3];
  memcpy(body.turn, turn ? turn : no_turn, sizeof body.turn);
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

bool perp_world3_holds(const perp_world *world, const double at[3], const double turn[4],
                       const double v[3], const double spin[3])
{
  /* angular velocity at which a step's rotation has no accurate digits left */
  const double fast = 1e6 / world->par.h;
  bool fine =
      fabs(sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]) -
           1) < 1e-3;
  for (int k = 0; k < 3; k++) /* written so that a NaN fails */
    fine = fine && fabs(at[k] - world->middle[k]) <= world->far && fabs(spin[k]) <= fast &&
           fabs(v[k]) * world->par.h <= 2 * world->far;
  return fine;
}

bool perp_world3_is_ours(const perp_world *world)
{
  return world->par.engine == PERP_ENGINE3_PERP || world->steps < world->par.after;
}
