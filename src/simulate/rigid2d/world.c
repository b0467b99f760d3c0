/* rigid2d/world.c: bodies in the plane, their motion, scenes and user actions */
#include "simulate/rigid2d/world.h"
#include "base/elementary.h"
#include "scene/vector.h"

#include <math.h>
#include <string.h>

static const char *const operator_names[] = {"contact", "csr", NULL};

#define WORLD_ROWS                                                                                 \
  PERP_WORLD_FRICTION(perp_planar_friction_names, PERP_FRICTION_CONE),                             \
      PERP_ROW(perp_setting, "operator", PERP_TYPE_CHOICE, world.assembled, 0, 0, 1,               \
               operator_names, "A kept as J M^-1 J^T + C, or assembled"),                          \
      PERP_WORLD_ROWS(0.4, 0.01), PERP_WORLD_CFM

/* ---- Bodies ---- */

/* Sets what follows from the angle: the rotation, and the corners now. */
static void place(perp_rigid_body *body, perp_outline2 *o)
{
  const double c = perp_cos(body->angle), s = perp_sin(body->angle), up[3] = {0, 0, 1};
  perp_q_about(up, body->angle, body->turn);
  for (int k = 0; k < o->corners; k++) {
    const double u = o->corner[2 * k], v = o->corner[2 * k + 1];
    o->now[2 * k] = body->at[0] + c * u - s * v;
    o->now[2 * k + 1] = body->at[1] + s * u + c * v;
  }
}

static int add_body(perp_world *world, double x, double y, double angle, double mass,
                    double inertia, double radius, perp_outline2 *outline)
{
  perp_rigid_body body = {
      .at = {x, y},
      .angle = angle,
      .mass = mass,
      .inertia = {[8] = inertia},
      .inertia_inverse = {[8] = inertia > 0 ? 1 / inertia : 0},
      .radius = radius,
  };
  place(&body, outline);
  const int k = perp_world_add(world, &body);
  int outlines = k;
  perp_outline2 *added =
      k < 0 ? NULL
            : perp_list_next(&world->outline, &outlines, &world->outline_room, sizeof *added);
  world->failed = world->failed || !added;
  if (!added)
    return -1;
  *added = *outline;
  return k;
}

int perp_world2_disc(perp_world *world, double x, double y, double radius, double density)
{
  const double mass = density * 3.14159265358979323846 * radius * radius;
  return add_body(world, x, y, 0, mass, 0.5 * mass * radius * radius, radius, &(perp_outline2){0});
}

/* Computes area, centre and second moment by triangles from the first corner. A triangle 0, p, q
 * has the area p x q / 2 and the moment (p x q) (p.p + p.q + q.q) / 12 about 0. */
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

static void set_view(perp_world *world, double x0, double x1, double y0, double y1)
{
  world->lo[0] = x0;
  world->hi[0] = x1;
  world->lo[1] = y0;
  world->hi[1] = y1;
}

/* ---- The view: a shape for each body ---- */

static void pose(const perp_world *world, int shape, double *pose)
{
  const perp_rigid_body *b = &world->body[shape];
  memcpy(pose, (double[3]){b->at[0], b->at[1], b->angle}, 3 * sizeof *pose);
}

static bool prepare(perp_world *world)
{
  if (!perp_world_prepare(world, world->bodies))
    return false;
  for (int k = 0; k < world->bodies; k++) {
    const perp_rigid_body *b = &world->body[k];
    const perp_outline2 *o = &world->outline[k];
    world->shape_body[k] = k;
    world->shape[k] = (perp_shape){
        .kind = o->corners ? PERP_SHAPE_POLYGON : PERP_SHAPE_DISC,
        .fixed = b->mass_inverse == 0,
        .size = {b->radius},
        .corners = o->corners,
        .corner = o->corner,
    };
  }
  return true;
}

static void copy(perp_world *world, const perp_world *from)
{
  memcpy(world->outline, from->outline, (size_t)world->bodies * sizeof *world->outline);
}

static perp_error move(perp_world *world, perp_stepper *stepper, perp_message *why)
{
  perp_world_fall(world);
  const perp_error error = perp_world_solve(world, 0, NULL, stepper, why);
  const double h = world->par.h;
  for (int k = 0; k < world->bodies && !error; k++) {
    perp_rigid_body *b = &world->body[k];
    b->at[0] += h * b->v[0];
    b->at[1] += h * b->v[1];
    b->angle += h * b->spin[2];
    place(b, &world->outline[k]);
  }
  return error;
}

/* ---- Bodies that a user adds or removes ---- */

/* Returns true if the corners are counterclockwise and convex: any two adjacent edges have a
 * positive cross product. */
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
      !(action->value >= 0))
    return perp_fail(why, PERP_ERROR_ARGUMENT,
                     "action.body must be a disc or a convex polygon, its density at least 0");
  const double *at = action->at, density = action->value;
  const int k =
      disc ? perp_world2_disc(world, at[0], at[1], body->size[0], density)
           : perp_world2_polygon(world, at[0], at[1], 0, body->corners, body->corner, density);
  if (k < 0)
    return perp_fail(why, PERP_ERROR_MEMORY, "out of memory for one more body");
  memcpy(world->body[k].v, action->to, 2 * sizeof *action->to);
  world->arrow = NULL;
  return perp_world_changed(world, why);
}

/* Later bodies move down by one index, which changes the names of their contacts. */
static perp_error remove_body(perp_world *world, int shape, perp_message *why)
{
  const size_t behind = (size_t)(world->bodies - shape - 1);
  memmove(world->body + shape, world->body + shape + 1, behind * sizeof *world->body);
  memmove(world->outline + shape, world->outline + shape + 1, behind * sizeof *world->outline);
  world->bodies--;
  if (world->grip.holds && world->grip.body >= shape) {
    world->grip.holds = world->grip.body != shape;
    world->grip.body--;
  }
  int pairs = 0;
  for (int k = 0; k < world->pairs; k++) {
    perp_pair_restitution *pair = &world->pair[k];
    const bool stays = pair->body[0] != shape && pair->body[1] != shape;
    for (int side = 0; side < 2; side++)
      pair->body[side] -= pair->body[side] > shape;
    world->pair[pairs] = *pair;
    pairs += stays;
  }
  world->pairs = pairs;
  perp_world_forget(world);
  world->contacts = 0;
  return perp_world_changed(world, why);
}

const perp_world_kind perp_world_plane = {.planar = true,
                                          .prepare = prepare,
                                          .collide = perp_world2_collide,
                                          .move = move,
                                          .pose = pose,
                                          .copy = copy,
                                          .add = add,
                                          .remove = remove_body};

/* ---- Discs ---- */

static const perp_parameter discs_table[] = {
    PERP_INTEGER(perp_setting, n, 100, 1, 1000000, "bodies"),
    PERP_REAL(perp_setting, spread, 0.5, 0, 0.9, "difference of radii, to the mean"),
    PERP_REAL(perp_setting, density, 100, 1e-6, 1e6, "mass to area"),
    WORLD_ROWS,
    {0}};

/* Adds a body of this radius centred at (x, y). */
typedef void put_body(perp_world *world, double x, double y, double radius, double place,
                      double density);

/* Fills a roughly square box with rows of places wide enough for the largest body. */
static void fill_box(perp_world *world, const perp_setting *par, put_body *put)
{
  const double mean = 0.1, place = 2.05 * mean * (1 + par->spread);
  const int columns = (int)ceil(sqrt(1.2 * par->n));
  const int rows = (par->n + columns - 1) / columns;
  const double wide = columns * place, top = 1.1 * rows * place + 0.5, thick = 0.1 * wide;
  set_view(world, -thick / 4, wide + thick / 4, -thick / 4, top); /* a floor and two walls */
  perp_world2_box(world, wide / 2, -thick / 2, 0, wide + 2 * thick, thick, 0);
  perp_world2_box(world, -thick / 2, top, 0, thick, 2 * top, 0);
  perp_world2_box(world, wide + thick / 2, top, 0, thick, 2 * top, 0);
  for (int k = 0; k < par->n && !world->failed; k++) {
    const double radius = mean * (1 + par->spread * perp_random_between(&world->random, -1, 1));
    put(world, (k % columns + 0.5) * place, (k / columns + 0.5) * place + 0.3, radius, place,
        par->density);
  }
}

/* Adds a disc at a random point of its place, so that discs are not stacked exactly. */
static void add_disc(perp_world *world, double x, double y, double radius, double place,
                     double density)
{
  const double room = place / 2 - radius;
  perp_world2_disc(world, x + room * perp_random_between(&world->random, -1, 1), y, radius,
                   density);
}

static void discs_build(perp_world *world, const perp_setting *par)
{
  fill_box(world, par, add_disc);
}

/* ---- Pebbles ---- */

static void add_pebble(perp_world *world, double x, double y, double radius, double place,
                       double density)
{
  (void)place; /* its circumscribed circle touches no other */
  perp_random *random = &world->random;
  const int corners = 3 + perp_random_below(random, PERP_CORNERS - 2);
  const double turn = perp_random_between(random, 0, 6.283185307179586);
  double corner[2 * PERP_CORNERS];
  for (int k = 0; k < corners; k++) {
    /* on a circle, so that the polygon is always convex */
    const double angle =
        turn + 6.283185307179586 * (k + 0.35 * perp_random_between(random, -1, 1)) / corners;
    corner[2 * k] = radius * perp_cos(angle);
    corner[2 * k + 1] = radius * perp_sin(angle);
  }
  perp_world2_polygon(world, x, y, 0, corners, corner, density);
}

static void pebbles_build(perp_world *world, const perp_setting *par)
{
  fill_box(world, par, add_pebble);
}

/* ---- A brick wall ---- */

static const perp_parameter bricks_table[] = {
    PERP_INTEGER(perp_setting, rows, 10, 1, 10000, "courses"),
    PERP_INTEGER(perp_setting, columns, 8, 1, 10000, "bricks in a course"),
    PERP_REAL(perp_setting, loose, 0.01, 0, 1, "gap between courses at first, to their height"),
    PERP_REAL(perp_setting, density, 100, 1e-6, 1e6, "mass to area"),
    PERP_FLAG(perp_setting, ball, 0, "a heavy disc is thrown at it"),
    WORLD_ROWS,
    {0}};

/* Bricks of 0.4 x 0.2; every second course is shifted by half a brick and has half bricks at its
 * ends. */
static void bricks_build(perp_world *world, const perp_setting *par)
{
  const double width = 0.4, height = 0.2, pitch = height * (1 + par->loose);
  const double length = par->columns * width;
  perp_world2_box(world, length / 2, -0.25, 0, 20 * length + 20, 0.5, 0);
  for (int r = 0; r < par->rows; r++) {
    const double y = height / 2 + r * pitch + par->loose * height;
    const bool half = r % 2 == 1;
    for (int c = 0; c < par->columns + half && !world->failed; c++) {
      const bool end_brick = half && (c == 0 || c == par->columns);
      const double x = perp_brick_at(par->columns, width, half, c);
      perp_world2_box(world, x, y, 0, (end_brick ? 0.5 : 1) * width * 0.995, height, par->density);
    }
  }
  if (par->ball)
    perp_world_start(world,
                     perp_world2_disc(world, -2, 0.6 * par->rows * pitch, 0.4, 5 * par->density),
                     (double[3]){12}, NULL);
  set_view(world, -0.6 * length - 1, 1.6 * length + 1, -0.15, 1.25 * par->rows * pitch + 0.3);
}

/* ---- A tower ---- */

static const perp_parameter tower_table[] = {
    PERP_INTEGER(perp_setting, n, 8, 1, 10000, "boxes"),
    PERP_REAL(perp_setting, ratio, 1000, 1e-9, 1e9, "mass of the top box to that of the lowest"),
    WORLD_ROWS,
    {0}};

static void tower_build(perp_world *world, const perp_setting *par)
{
  perp_world2_box(world, 0, -0.25, 0, 20, 0.5, 0);
  for (int k = 0; k < par->n; k++) {
    const double share = par->n > 1 ? (double)k / (par->n - 1) : 0;
    perp_world2_box(world, 0, 0.251 + 0.501 * k, 0, 0.5, 0.5, 100 * perp_pow(par->ratio, share));
  }
  set_view(world, -0.3 * par->n - 0.5, 0.3 * par->n + 0.5, -0.2, 0.55 * par->n + 0.2);
}

/* ---- A ground ---- */

static const perp_parameter ground_table[] = {
    PERP_REAL(perp_setting, size, 10, 1e-3, 1e6, "length of the ground"), WORLD_ROWS, {0}};

static void ground_build(perp_world *world, const perp_setting *par)
{
  const double size = par->size, thick = 0.05 * size;
  perp_world2_box(world, 0, -thick / 2, 0, size, thick, 0);
  set_view(world, -size / 2, size / 2, -thick, size / 2);
}

static const perp_simulator simulator = PERP_WORLD_SIMULATOR("rigid2d", &perp_world_plane);

const perp_scene perp_scenes_plane[] = {
    {"discs", "discs of many sizes fall into a box", &simulator, discs_table, discs_build, NULL},
    {"pebbles", "convex polygons fall into a box", &simulator, discs_table, pebbles_build, NULL},
    {"bricks", "a brick wall settles, or is hit by a ball", &simulator, bricks_table, bricks_build,
     NULL},
    {"tower", "boxes on top of each other, the heaviest highest", &simulator, tower_table,
     tower_build, NULL},
    {"ground", "a ground, for bodies that are added", &simulator, ground_table, ground_build, NULL},
    {0}};
