/* rigid3d/act.c: bodies that a person puts into a scene in space, or takes out of it
 *
 * A body that is taken out is one that has left the world (world.h), with all that hangs on it by
 * joints: its number stays, and its parts have no size any more. */
#include "simulate/rigid3d/world.h"

#include <string.h>

static perp_error no_memory(perp_message *why)
{
  return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for one more body");
}

/* Collisions are found for other bodies from now on. */
static perp_error collide_anew(perp_world *world, perp_message *why)
{
  perp_collider3_destroy(world->collider);
  world->collider = NULL;
  return perp_collider3_create(world, &world->collider, why);
}

static perp_error add(perp_world *world, const perp_action *action, perp_message *why)
{
  const perp_shape *body = action->body;
  const bool round = body && (body->kind == PERP_SHAPE_SPHERE || body->kind == PERP_SHAPE_CAPSULE);
  const bool box = body && body->kind == PERP_SHAPE_BOX && body->size[1] > 0 && body->size[2] > 0;
  if (!(round || box) || !(body->size[0] > 0) || !(body->size[1] >= 0) || !(action->value > 0))
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "a sphere, box or capsule of a positive size and density is needed");
  const perp_part3 part = {body->kind,
                           {body->size[0], body->size[1], body->size[2]},
                           {0},
                           {1},
                           .density = action->value};
  const int k = perp_world3_body(world, action->at, NULL, 1, &part);
  if (k < 0 || !perp_world3_prepare(world))
    return no_memory(why);
  memcpy(world->body[k].v, action->to, sizeof world->body[k].v);
  world->arrow = NULL;
  return collide_anew(world, why);
}

static void take_out(perp_world *world, int body)
{
  perp_rigid_body *b = &world->body[body];
  if (b->mass_inverse == 0)
    return;
  b->gone = true;
  b->mass_inverse = 0;
  memset(b->inertia_inverse, 0, sizeof b->inertia_inverse);
  memset(b->v, 0, sizeof b->v);
  memset(b->spin, 0, sizeof b->spin);
  if (world->grip.holds && world->grip.body == body)
    world->grip.holds = false;
  for (int k = 0; k < b->parts; k++)
    memset(world->part[b->first_part + k].size, 0, sizeof world->part[k].size);
  for (int k = b->joint; k >= 0;) { /* a chain of bodies is a few deep */
    const perp_joint3 *joint = &world->joint[k];
    const int side = joint->body[1] == body;
    take_out(world, joint->body[1 - side]);
    k = joint->next[side];
  }
}

static perp_error remove_body(perp_world *world, int body, perp_message *why)
{
  if (body < 0 || world->body[body].mass_inverse == 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "this shape cannot be removed");
  take_out(world, body);
  perp_world_forget(world);
  world->contacts = 0;
  perp_collider3_take_out(world);
  return perp_world3_prepare(world) ? PERP_OK : no_memory(why);
}

perp_error perp_world3_act(void *state, const perp_action *action, perp_message *why)
{
  perp_world *world = state;
  const bool known = action->shape >= 0 && action->shape < world->parts;
  const int body = known ? world->part[action->shape].body : -1;
  if (action->kind == PERP_ACT_ADD)
    return add(world, action, why);
  if (action->kind == PERP_ACT_REMOVE)
    return remove_body(world, body, why);
  return perp_world_act(world, action, body, why);
}

perp_error perp_world3_follow(void *state, const void *from, perp_message *why)
{
  perp_world *world = state;
  const perp_world *other = from;
  if (world->parts != other->parts)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "%d shapes cannot follow %d", world->parts,
                     other->parts);
  const perp_error error = perp_world_follow(world, other, why);
  if (error)
    return error;
  memcpy(world->part, other->part, (size_t)world->parts * sizeof *world->part);
  world->gone = other->gone;
  return perp_world3_prepare(world) ? PERP_OK : no_memory(why);
}
