/* rigid2d/act.c: bodies that a person puts into a scene in the plane, or takes out of it */
#include "base/elementary.h"
#include "simulate/rigid2d/world.h"

#include <string.h>

/* Counterclockwise, and none of its corners inwards: twice the area of each two edges is above 0. */
static bool is_convex(const perp_shape *body)
{
  bool fine = body->corners >= 3 && body->corners <= PERP_CORNERS && body->corner;
  for (int k = 0; k < body->corners && fine; k++) {
    const double *p = body->corner + 2 * k, *q = body->corner + 2 * ((k + 1) % body->corners);
    const double *r = body->corner + 2 * ((k + 2) % body->corners);
    fine = (q[0] - p[0]) * (r[1] - q[1]) - (q[1] - p[1]) * (r[0] - q[0]) > 0;
  }
  return fine;
}

static perp_error add(perp_world *world, const perp_action *action, perp_message *why)
{
  const perp_shape *body = action->body;
  const bool disc = body && body->kind == PERP_SHAPE_DISC && body->size[0] > 0;
  if (!(disc || (body && body->kind == PERP_SHAPE_POLYGON && is_convex(body))) ||
      !(action->value > 0))
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "a disc or a convex polygon of a positive density is needed");
  const double *at = action->at, density = action->value;
  const int k =
      disc ? perp_world2_disc(world, at[0], at[1], body->size[0], density)
           : perp_world2_polygon(world, at[0], at[1], 0, body->corners, body->corner, density);
  if (k < 0 || !perp_world2_prepare(world))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for one more body");
  memcpy(world->body[k].v, action->to, 2 * sizeof *action->to);
  world->arrow = NULL;
  return PERP_OK;
}

/* Those behind it move up by one: the names of their contacts change. */
static perp_error remove_body(perp_world *world, int shape, perp_message *why)
{
  if (shape < 0 || shape >= world->bodies || world->body[shape].mass_inverse == 0)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "shape %d cannot be removed", shape);
  const size_t behind = (size_t)(world->bodies - shape - 1);
  memmove(world->body + shape, world->body + shape + 1, behind * sizeof *world->body);
  memmove(world->outline + shape, world->outline + shape + 1, behind * sizeof *world->outline);
  world->bodies--;
  if (world->grip.holds && world->grip.body >= shape) {
    world->grip.holds = world->grip.body != shape;
    world->grip.body--;
  }
  perp_world_forget(world);
  world->contacts = 0;
  return perp_world2_prepare(world)
             ? PERP_OK
             : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d bodies", world->bodies);
}

perp_error perp_world2_act(void *state, const perp_action *action, perp_message *why)
{
  perp_world *world = state;
  if (action->kind == PERP_ACT_ADD)
    return add(world, action, why);
  if (action->kind == PERP_ACT_REMOVE)
    return remove_body(world, action->shape, why);
  const bool known = action->shape >= 0 && action->shape < world->bodies;
  return perp_world_act(world, action, known ? action->shape : -1, why);
}

perp_error perp_world2_follow(void *state, const void *from, perp_message *why)
{
  perp_world *world = state;
  const perp_world *other = from;
  perp_error error = perp_world_follow(world, other, why);
  if (error)
    return error;
  memcpy(world->outline, other->outline, (size_t)world->bodies * sizeof *world->outline);
  return perp_world2_prepare(world)
             ? PERP_OK
             : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d bodies", world->bodies);
}
