/* rigid3d/joints.c: the rows of a joint
 *
 * With the anchors p_a and p_b where they are now, the axes s_a and s_b of a hinge, and e the turn
 * that b is off from where it should be beside a,
 *
 *   ball    e_k . (velocity of p_b - velocity of p_a) = 0,     error  (p_b - p_a)_k
 *   hinge   u . (spin_b - spin_a) = 0 for u across s_a,        error  (s_a x s_b) . u
 *   fixed   e_k . (spin_b - spin_a) = 0,                       error  2 (vector part of e)_k
 *
 * For small turns of b beside a by theta, s_b = s_a + theta x s_a, so s_a x s_b is the part of
 * theta across the axis, and the vector part of a quaternion is half the turn. */
#include "simulate/rigid3d/world.h"

#include <string.h>

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
