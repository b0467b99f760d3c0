/* rigid2d/world.c: bodies, their motion, and what there is to see */
#include "simulate/rigid2d/world.h"

#include "base/elementary.h"

#include <math.h>
#include <string.h>

const char *const perp_operator2_names[] = {"contact", "csr", NULL};

/* ---- Bodies ---- */

static void place_corners(const perp_rigid_body *body, perp_outline2 *o)
{
  const double c = perp_cos(body->angle), s = perp_sin(body->angle);
  for (int k = 0; k < o->corners; k++) {
    const double u = o->corner[2 * k], v = o->corner[2 * k + 1];
    o->now[2 * k] = body->at[0] + c * u - s * v;
    o->now[2 * k + 1] = body->at[1] + s * u + c * v;
  }
}

static int add_body(perp_world *world, double x, double y, double angle, double mass,
                    double inertia, double radius, perp_outline2 *outline)
{
  const perp_rigid_body body = {
      .at = {x, y},
      .turn = {1},
      .angle = angle,
      .mass = mass,
      .inertia = {[8] = inertia},
      .inertia_inverse = {[8] = inertia > 0 ? 1 / inertia : 0},
      .radius = radius,
  };
  const int k = perp_world_add(world, &body);
  int outlines = k;
  perp_outline2 *added =
      k < 0 ? NULL
            : perp_list_next(&world->outline, &outlines, &world->outline_room, sizeof *added);
  if (!added)
    return -1;
  place_corners(&body, outline);
  *added = *outline;
  return k;
}

int perp_world2_disc(perp_world *world, double x, double y, double radius, double density)
{
  const double mass = density * 3.14159265358979323846 * radius * radius;
  return add_body(world, x, y, 0, mass, 0.5 * mass * radius * radius, radius, &(perp_outline2){0});
}

/* Area, centre and second moment by triangles from the first corner: of one with the corners 0, p,
 * q about 0 the area is p x q / 2 and the moment (p x q) (p.p + p.q + q.q) / 12. */
int perp_world2_polygon(perp_world *world, double x, double y, double angle, int corners,
                        const double *corner, double density)
{
  perp_outline2 o = {.corners = corners};
  double area = 0, cx = 0, cy = 0, moment = 0, radius = 0;
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
  for (int k = 0; k < corners; k++) {
    o.corner[2 * k] = corner[2 * k] - cx;
    o.corner[2 * k + 1] = corner[2 * k + 1] - cy;
    radius = perp_max(radius, perp_hypot(o.corner[2 * k], o.corner[2 * k + 1]));
  }
  return add_body(world, x, y, angle, density * area,
                  density * (moment - area * (cx * cx + cy * cy)), radius, &o);
}

int perp_world2_box(perp_world *world, double x, double y, double angle, double width,
                    double height, double density)
{
  const double u = width / 2, v = height / 2;
  const double corner[] = {-u, -v, u, -v, u, v, -u, v};
  return perp_world2_polygon(world, x, y, angle, 4, corner, density);
}

bool perp_world2_container(perp_world *world, double x0, double x1, double top)
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

perp_error perp_world2_step(perp_world *world, perp_stepper *stepper, perp_message *why)
{
  perp_arena_reset(&world->frame);
  perp_error error = perp_world2_collide(world, why);
  if (!error) {
    perp_world_fall(world);
    error = perp_world_solve(world, 0, NULL, stepper, why);
  }
  if (error)
    return error;
  const double h = world->par.h;
  for (int k = 0; k < world->bodies; k++) {
    perp_rigid_body *b = &world->body[k];
    b->at[0] += h * b->v[0];
    b->at[1] += h * b->v[1];
    b->angle += h * b->spin[2];
    place_corners(b, &world->outline[k]);
  }
  perp_world_account(world, stepper->frame);
  return PERP_OK;
}

/* ---- The view: a shape for each body ---- */

static void place_view(perp_world *world)
{
  for (int k = 0; k < world->bodies; k++) {
    const perp_rigid_body *b = &world->body[k];
    const double pose[3] = {b->at[0], b->at[1], b->angle};
    memcpy(world->pose + 3 * (size_t)k, pose, sizeof pose);
    world->shape_load[k] = world->load[k];
    world->shape_state[k] = world->state[k];
  }
}

bool perp_world2_prepare(perp_world *world)
{
  if (!perp_world_prepare(world, world->bodies))
    return false;
  for (int k = 0; k < world->bodies; k++) {
    const perp_rigid_body *b = &world->body[k];
    const perp_outline2 *o = &world->outline[k];
    world->shape[k] = (perp_shape){
        .kind = o->corners ? PERP_SHAPE_POLYGON : PERP_SHAPE_DISC,
        .fixed = b->mass_inverse == 0,
        .size = {b->radius},
        .corners = o->corners,
        .corner = o->corner,
    };
  }
  place_view(world);
  return true;
}

/* ---- For the tables of scenes ---- */

void perp_world2_destroy_scene(void *state)
{
  perp_world *world = state;
  perp_free(world->outline);
  perp_world_free(world);
  perp_free(world);
}

perp_error perp_world2_step_scene(void *state, perp_stepper *stepper, perp_message *why)
{
  const perp_error error = perp_world2_step(state, stepper, why);
  place_view(state);
  return error;
}

perp_error perp_world2_finish(perp_world *world, bool fine, void **state, perp_message *why)
{
  const perp_error error =
      perp_world_check(world, world && fine && perp_world2_prepare(world), why);
  if (!error)
    *state = world;
  else if (world)
    perp_world2_destroy_scene(world);
  return error;
}
