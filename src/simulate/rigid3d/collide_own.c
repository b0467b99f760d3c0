/* rigid3d/collide_own.c: contacts in space without ODE, for builds that have none, as in a browser
 *
 * Compiled with PERP_OWN_CONTACTS alone. ODE's own engines are then not there. */
#include "base/elementary.h"
#include "simulate/rigid3d/shapes.h"
#include "simulate/rigid3d/world.h"

#ifdef PERP_OWN_CONTACTS

#include <string.h>

struct perp_collider3 {
  perp_placed3 *placed; /* of each part */
  double *reach;        /* of each part: what it may move in the step */
  perp_box3 *box;       /* of each part, with its reach */
  perp_arena memory, pairs;
};

perp_error perp_collider3_create(const perp_world *world, perp_collider3 **collider,
                                 perp_message *why)
{
  if (world->par.engine != PERP_ENGINE3_PERP)
    return perp_fail(why, PERP_ERROR_BACKEND, "perp was built without ODE: engine=perp alone");
  perp_collider3 *c = perp_alloc_zero(1, sizeof *c);
  const size_t n = (size_t)world->parts;
  if (!c || !PERP_TAKE_ZERO(&c->memory, PERP_ARRAY(c->placed, n), PERP_ARRAY(c->reach, n),
                            PERP_ARRAY(c->box, n))) {
    perp_collider3_destroy(c);
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d bodies", world->bodies);
  }
  *collider = c;
  return PERP_OK;
}

void perp_collider3_destroy(perp_collider3 *c)
{
  if (!c)
    return;
  perp_arena_free(&c->pairs);
  perp_arena_free(&c->memory);
  perp_free(c);
}

static void place_part(const perp_world *world, perp_collider3 *c, int k)
{
  const perp_part3 *p = &world->part[k];
  const perp_rigid_body *b = &world->body[p->body];
  perp_placed3 *to = &c->placed[k];
  double turn[4], arm[3];
  const double h = world->par.h, gravity = h * fabs(world->par.gravity);
  *to = (perp_placed3){.kind = p->kind, .ground = p->ground};
  memcpy(to->size, p->size, sizeof to->size);
  perp_q_rotate(b->turn, p->at, arm);
  perp_v3_add(b->at, 1, arm, to->at);
  perp_q_multiply(b->turn, p->turn, turn);
  perp_q_matrix(turn, to->R);
  c->reach[k] =
      b->mass_inverse == 0
          ? 0
          : perp_min(4 * b->radius, world->par.slop + h * (perp_v3_norm(b->v) + gravity) +
                                        perp_min(1, h * perp_v3_norm(b->spin)) * b->radius);
  for (int j = 0; j < 3; j++) {
    const double *row = to->R + 3 * j, *s = to->size;
    double half = p->kind == PERP_SHAPE_SPHERE ? s[0]
                  : p->kind == PERP_SHAPE_CAPSULE
                      ? s[0] + fabs(row[2]) * s[1]
                      : fabs(row[0]) * s[0] + fabs(row[1]) * s[1] + fabs(row[2]) * s[2];
    half = (p->ground ? 2 * world->far : half) + c->reach[k];
    c->box[k].lo[j] = to->at[j] - half;
    c->box[k].hi[j] = to->at[j] + half;
  }
}

static bool meet(void *context, int first, int second)
{
  perp_world *world = context;
  const perp_collider3 *c = world->collider;
  const bool ordered = world->part[first].body <= world->part[second].body;
  const int k[2] = {ordered ? first : second, ordered ? second : first};
  const int a = world->part[k[0]].body, b = world->part[k[1]].body;
  if (a == b || (world->body[a].mass_inverse == 0 && world->body[b].mass_inverse == 0) ||
      perp_world3_joined(world, a, b))
    return true;
  perp_point3 point[PERP_PLACES3];
  int count = perp_shapes3_touch(&c->placed[k[0]], &c->placed[k[1]],
                                 c->reach[k[0]] + c->reach[k[1]], point);
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

perp_error perp_collider3_collide(perp_world *world, perp_message *why)
{
  perp_collider3 *c = world->collider;
  world->contacts = 0;
  for (int k = 0; k < world->parts; k++)
    if (world->body[world->part[k].body].gone)
      c->box[k] = (perp_box3){.lo = {1}, .hi = {-1}};
    else
      place_part(world, c, k);
  perp_arena_reset(&c->pairs);
  if (!perp_boxes3_meet(world->parts, c->box, &c->pairs, meet, world))
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d contacts", world->contacts);
  return PERP_OK;
}

void perp_collider3_take_out(perp_world *world)
{
  (void)world; /* what is gone is passed over when contacts are found */
}

perp_error perp_collider3_step(perp_world *world, perp_stepper *stepper, perp_message *why)
{
  (void)world;
  (void)stepper;
  return perp_fail(why, PERP_ERROR_BACKEND, "perp was built without ODE, which makes these steps");
}

#endif
