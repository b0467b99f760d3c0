/* rigid/world.c: the lists of a world, gravity, energies and what there is to see */
#include "simulate/rigid/world.h"

#include "base/elementary.h"
#include "scene/vector.h"

const char *const perp_friction_names[] = {"none", "polyhedral", "findex", "cone", NULL};

void perp_world_init(perp_world *world, const perp_world_parameters *par, bool planar)
{
  *world = (perp_world){
      .par = *par, .planar = planar, .lo = {-1, -1, planar ? 0 : -1}, .hi = {1, 1, planar ? 0 : 1}};
  world->down[planar ? 1 : 2] = -1;
}

perp_world *perp_world_begin(const perp_world_parameters *par, bool planar)
{
  perp_world *world = perp_alloc(1, sizeof *world);
  if (world)
    perp_world_init(world, par, planar);
  return world;
}

void perp_world_free(perp_world *world)
{
  perp_operator_destroy(world->A);
  perp_arena_free(&world->frame);
  perp_free(world->body);
  perp_free(world->contact);
  for (int k = 0; k < 2; k++) {
    perp_free(world->kept[k].name);
    perp_free(world->kept[k].x);
  }
  perp_arena_free(&world->memory);
}

int perp_world_add(perp_world *world, const perp_rigid_body *body)
{
  world->crowded = world->bodies >= PERP_BODIES;
  if (world->crowded)
    return -1;
  perp_rigid_body *added =
      perp_list_next(&world->body, &world->bodies, &world->body_room, sizeof *added);
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

perp_error perp_world_check(const perp_world *world, bool fine, perp_message *why)
{
  if (world && world->crowded)
    return perp_fail(why, PERP_ERROR_ARGUMENT, "a scene of more than %d bodies", PERP_BODIES);
  return fine ? PERP_OK : perp_fail(why, PERP_ERROR_MEMORY, "out of memory for the scene");
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
                   PERP_ARRAY(world->pose, numbers));
}

void perp_world_fall(perp_world *world)
{
  const double added = world->par.h * world->par.gravity;
  for (int k = 0; k < world->bodies; k++)
    for (int j = 0; j < 3 && world->body[k].mass_inverse > 0; j++)
      if (world->down[j] != 0)
        world->body[k].v[j] += added * world->down[j];
  if (world->grip.holds)
    perp_world_pull(world);
}

void perp_world_account(perp_world *world, perp_step *frame)
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
    frame->penetration = perp_max(frame->penetration, -world->contact[k].gap);
  frame->contacts = world->contacts;
  world->steps++;
  frame->time = world->time += world->par.h;
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
