/* rigid2d/world.c: bodies, their motion, their energy, and what there is to see */
#include "simulate/rigid2d/world.h"

#include "base/elementary.h"

#include <math.h>
#include <string.h>

const char *const perp_friction2_names[] = {"none", "polyhedral", "findex", "cone", NULL};
const char *const perp_operator2_names[] = {"contact", "csr", NULL};

void perp_world2_init(perp_world2 *world, const perp_world2_parameters *par)
{
  *world = (perp_world2){.par = *par, .lo = {-1, -1}, .hi = {1, 1}};
}

void perp_world2_free(perp_world2 *world)
{
  perp_operator_destroy(world->A);
  perp_arena_free(&world->frame);
  perp_free(world->body);
  perp_free(world->contact);
  perp_free(world->old_id);
  perp_free(world->old_x);
  perp_free(world->shape);
  perp_free(world->pose);
  perp_free(world->load);
  perp_free(world->state);
}

/* ---- Bodies ---- */

static void place_corners(perp_body2 *body)
{
  const double c = perp_cos(body->angle), s = perp_sin(body->angle);
  for (int k = 0; k < body->corners; k++) {
    const double u = body->corner[2 * k], v = body->corner[2 * k + 1];
    body->at[2 * k] = body->x + c * u - s * v;
    body->at[2 * k + 1] = body->y + s * u + c * v;
  }
}

static int add_body(perp_world2 *world, const perp_body2 *body)
{
  world->crowded = world->bodies >= PERP_BODIES2;
  if (world->crowded)
    return -1;
  if (world->bodies == world->room) {
    const int room = 2 * world->room + 64;
    perp_body2 *grown = perp_alloc((size_t)room, sizeof *grown);
    if (!grown)
      return -1;
    if (world->bodies > 0)
      memcpy(grown, world->body, (size_t)world->bodies * sizeof *grown);
    perp_free(world->body);
    world->body = grown;
    world->room = room;
  }
  perp_body2 *added = &world->body[world->bodies];
  *added = *body;
  added->mass_inverse = body->mass > 0 ? 1 / body->mass : 0;
  added->inertia_inverse = body->inertia > 0 ? 1 / body->inertia : 0;
  place_corners(added);
  return world->bodies++;
}

int perp_world2_disc(perp_world2 *world, double x, double y, double radius, double density)
{
  const double mass = density * 3.14159265358979323846 * radius * radius;
  return add_body(
      world,
      &(perp_body2){
          .x = x, .y = y, .radius = radius, .mass = mass, .inertia = 0.5 * mass * radius * radius});
}

/* Area, centre and second moment by triangles from the first corner: of one with the corners 0, p, q
 * about 0 the area is p x q / 2 and the moment (p x q) (p.p + p.q + q.q) / 12. */
int perp_world2_polygon(perp_world2 *world, double x, double y, double angle, int corners,
                        const double *corner, double density)
{
  perp_body2 body = {.x = x, .y = y, .angle = angle, .corners = corners};
  double area = 0, cx = 0, cy = 0, moment = 0;
  for (int k = 0; k < corners; k++) {
    const double *p = corner + 2 * k, *q = corner + 2 * ((k + 1) % corners);
    const double cross = p[0] * q[1] - p[1] * q[0];
    area += cross / 2;
    cx += cross * (p[0] + q[0]) / 6;
    cy += cross * (p[1] + q[1]) / 6;
    moment += cross *
              (p[0] * p[0] + p[1] * p[1] + p[0] * q[0] + p[1] * q[1] + q[0] * q[0] + q[1] * q[1]) /
              12;
  }
  cx /= area;
  cy /= area;
  body.mass = density * area;
  body.inertia = density * (moment - area * (cx * cx + cy * cy));
  for (int k = 0; k < corners; k++) {
    body.corner[2 * k] = corner[2 * k] - cx;
    body.corner[2 * k + 1] = corner[2 * k + 1] - cy;
    body.radius = perp_max(body.radius, perp_hypot(body.corner[2 * k], body.corner[2 * k + 1]));
  }
  return add_body(world, &body);
}

int perp_world2_box(perp_world2 *world, double x, double y, double angle, double width,
                    double height, double density)
{
  const double u = width / 2, v = height / 2;
  const double corner[] = {-u, -v, u, -v, u, v, -u, v};
  return perp_world2_polygon(world, x, y, angle, 4, corner, density);
}

bool perp_world2_container(perp_world2 *world, double x0, double x1, double top)
{
  const double thick = 0.1 * (x1 - x0);
  world->lo[0] = x0 - thick / 4;
  world->hi[0] = x1 + thick / 4;
  world->lo[1] = -thick / 4;
  world->hi[1] = top;
  return perp_world2_box(world, (x0 + x1) / 2, -thick / 2, 0, x1 - x0 + 2 * thick, thick, 0) >= 0 &&
         perp_world2_box(world, x0 - thick / 2, top, 0, thick, 2 * top, 0) >= 0 &&
         perp_world2_box(world, x1 + thick / 2, top, 0, thick, 2 * top, 0) >= 0;
}

/* ---- A step ---- */

static void account(const perp_world2 *world, perp_step *frame)
{
  frame->kinetic = frame->potential = frame->penetration = 0;
  for (int k = 0; k < world->bodies; k++) {
    const perp_body2 *b = &world->body[k];
    if (b->mass_inverse == 0)
      continue;
    frame->kinetic +=
        0.5 * (b->mass * (b->vx * b->vx + b->vy * b->vy) + b->inertia * b->spin * b->spin);
    /* in the middle of the step (world.h) */
    frame->potential += b->mass * world->par.gravity * (b->y - 0.5 * world->par.h * b->vy);
  }
  for (int k = 0; k < world->contacts; k++)
    frame->penetration = perp_max(frame->penetration, -world->contact[k].gap);
  frame->contacts = world->contacts;
  frame->time = world->time;
}

perp_error perp_world2_step(perp_world2 *world, perp_stepper *stepper, perp_message *why)
{
  perp_error error = perp_world2_collide(world, why);
  if (!error)
    error = perp_world2_solve(world, stepper, why);
  if (error)
    return error;
  const double h = world->par.h;
  for (int k = 0; k < world->bodies; k++) {
    perp_body2 *b = &world->body[k];
    b->x += h * b->vx;
    b->y += h * b->vy;
    b->angle += h * b->spin;
    place_corners(b);
  }
  world->time += h;
  account(world, stepper->frame);
  return PERP_OK;
}

/* ---- The view ---- */

static void describe(const perp_world2 *world)
{
  for (int k = 0; k < world->bodies; k++) {
    const perp_body2 *b = &world->body[k];
    world->shape[k] = (perp_shape){
        .kind = b->corners ? PERP_SHAPE_POLYGON : PERP_SHAPE_DISC,
        .fixed = b->mass_inverse == 0,
        .size = {b->radius},
        .corners = b->corners,
        .corner = b->corner,
    };
    world->load[k] = 0;
    world->state[k] = 0;
  }
}

/* Arrays for the view are made once: the bodies of a scene stay the same. */
static bool prepare_view(perp_world2 *world)
{
  const size_t n = (size_t)world->bodies;
  world->shape = perp_alloc(n, sizeof *world->shape);
  world->pose = perp_alloc(3 * n, sizeof *world->pose);
  world->load = perp_alloc(n, sizeof *world->load);
  world->state = perp_alloc(n, sizeof *world->state);
  if (!world->shape || !world->pose || !world->load || !world->state)
    return false;
  describe(world);
  return true;
}

static void place_view(perp_world2 *world)
{
  for (int k = 0; k < world->bodies; k++) {
    const perp_body2 *b = &world->body[k];
    memcpy(world->pose + 3 * (size_t)k, (double[]){b->x, b->y, b->angle}, 3 * sizeof *world->pose);
  }
}

/* ---- For the tables of scenes ---- */

void perp_world2_destroy_scene(void *state)
{
  perp_world2_free(state);
  perp_free(state);
}

perp_error perp_world2_step_scene(void *state, perp_stepper *stepper, perp_message *why)
{
  const perp_error error = perp_world2_step(state, stepper, why);
  place_view(state);
  return error;
}

void perp_world2_view_scene(const void *state, perp_view *view)
{
  const perp_world2 *world = state;
  *view = (perp_view){
      .dimension = 2,
      .lo = {world->lo[0], world->lo[1]},
      .hi = {world->hi[0], world->hi[1]},
      .shapes = world->bodies,
      .shape = world->shape,
      .pose = world->pose,
      .load = world->load,
      .state = world->state,
  };
}

perp_error perp_world2_finish(perp_world2 *world, void **state, perp_message *why)
{
  const int bodies = world->bodies;
  if (!prepare_view(world)) {
    perp_world2_destroy_scene(world);
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for %d bodies", bodies);
  }
  place_view(world);
  *state = world;
  return PERP_OK;
}
