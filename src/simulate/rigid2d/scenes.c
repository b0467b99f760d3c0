/* rigid2d/scenes.c: discs in a box, pebbles, a brick wall that settles, a tower of growing mass */
#include "base/elementary.h"
#include "simulate/rigid2d/world.h"

#include <math.h>

/* ---- Discs ---- */

typedef struct discs_parameters {
  int n;
  double spread, density;
  perp_world_parameters world;
} discs_parameters;

static const perp_parameter discs_table[] = {
    PERP_INTEGER(discs_parameters, n, 100, 1, 1000000, "bodies"),
    PERP_REAL(discs_parameters, spread, 0.5, 0, 0.9, "difference of radii, to the mean"),
    PERP_REAL(discs_parameters, density, 100, 1e-6, 1e6, "mass to area"),
    PERP_WORLD2_ROWS(discs_parameters),
    {0},
};

/* Puts a body of that radius at the middle (x, y) of a place; false when out of memory. */
typedef bool add_body(perp_world *world, perp_random *random, double x, double y, double radius,
                      double place, double density);

/* Rows of places wide enough for the largest, in a box about as high as wide. */
static perp_error fill_box(const discs_parameters *par, uint64_t seed, add_body *add, void **state,
                           perp_message *why)
{
  perp_random random = perp_random_from(seed);
  perp_world *world = perp_world_begin(&par->world, true);
  const double mean = 0.1, place = 2.05 * mean * (1 + par->spread);
  const int columns = (int)ceil(sqrt(1.2 * par->n));
  const int rows = (par->n + columns - 1) / columns;
  bool fine = world && perp_world2_container(world, 0, columns * place, 1.1 * rows * place + 0.5);
  for (int k = 0; k < par->n && fine; k++) {
    const double radius = mean * (1 + par->spread * perp_random_between(&random, -1, 1));
    fine = add(world, &random, (k % columns + 0.5) * place, (k / columns + 0.5) * place + 0.3,
               radius, place, par->density);
  }
  return perp_world2_finish(world, fine, state, why);
}

/* Anywhere within its place, so that discs do not fall on each other's heads. */
static bool add_disc(perp_world *world, perp_random *random, double x, double y, double radius,
                     double place, double density)
{
  const double room = place / 2 - radius;
  return perp_world2_disc(world, x + room * perp_random_between(random, -1, 1), y, radius,
                          density) >= 0;
}

static perp_error discs_create(const void *params, uint64_t seed, void **state, perp_message *why)
{
  return fill_box(params, seed, add_disc, state, why);
}

/* ---- Pebbles ---- */

static bool add_pebble(perp_world *world, perp_random *random, double x, double y, double radius,
                       double place, double density)
{
  (void)place; /* the circle around it touches no other */
  const int corners = 3 + perp_random_below(random, PERP_CORNERS - 2);
  const double turn = perp_random_between(random, 0, 6.283185307179586);
  double corner[2 * PERP_CORNERS];
  for (int k = 0; k < corners; k++) {
    /* on a circle, so that the polygon is convex whatever is drawn */
    const double angle =
        turn + 6.283185307179586 * (k + 0.35 * perp_random_between(random, -1, 1)) / corners;
    corner[2 * k] = radius * perp_cos(angle);
    corner[2 * k + 1] = radius * perp_sin(angle);
  }
  return perp_world2_polygon(world, x, y, 0, corners, corner, density) >= 0;
}

static perp_error pebbles_create(const void *params, uint64_t seed, void **state, perp_message *why)
{
  return fill_box(params, seed, add_pebble, state, why);
}

/* ---- A brick wall ---- */

typedef struct bricks_parameters {
  int rows, columns;
  double loose, density;
  int ball;
  perp_world_parameters world;
} bricks_parameters;

static const perp_parameter bricks_table[] = {
    PERP_INTEGER(bricks_parameters, rows, 10, 1, 10000, "courses"),
    PERP_INTEGER(bricks_parameters, columns, 8, 1, 10000, "bricks in a course"),
    PERP_REAL(bricks_parameters, loose, 0.01, 0, 1,
              "gap between courses at first, to their height"),
    PERP_REAL(bricks_parameters, density, 100, 1e-6, 1e6, "mass to area"),
    PERP_FLAG(bricks_parameters, ball, 0, "a heavy disc is thrown at it"),
    PERP_WORLD2_ROWS(bricks_parameters),
    {0},
};

/* Bricks of 0.4 x 0.2, every second course moved by half a brick with half bricks at its ends. */
static perp_error bricks_create(const void *params, uint64_t seed, void **state, perp_message *why)
{
  (void)seed; /* a wall leaves nothing to chance */
  const bricks_parameters *par = params;
  perp_world *world = perp_world_begin(&par->world, true);
  const double width = 0.4, height = 0.2, pitch = height * (1 + par->loose);
  const double length = par->columns * width;
  bool fine = world && perp_world2_box(world, length / 2, -0.25, 0, 20 * length + 20, 0.5, 0) >= 0;
  for (int r = 0; r < par->rows && fine; r++) {
    const double y = height / 2 + r * pitch + par->loose * height;
    const bool half = r % 2 == 1;
    for (int c = 0; c < par->columns + half && fine; c++) {
      const bool end_brick = half && (c == 0 || c == par->columns);
      const double x = half ? (c == 0              ? width / 4
                               : c == par->columns ? length - width / 4
                                                   : c * width)
                            : (c + 0.5) * width;
      fine = perp_world2_box(world, x, y, 0, (end_brick ? 0.5 : 1) * width * 0.995, height,
                             par->density) >= 0;
    }
  }
  if (fine && par->ball) {
    const int k = perp_world2_disc(world, -2, 0.6 * par->rows * pitch, 0.4, 5 * par->density);
    fine = k >= 0;
    if (fine)
      world->body[k].v[0] = 12;
  }
  if (fine) {
    world->lo[0] = -0.6 * length - 1;
    world->hi[0] = 1.6 * length + 1;
    world->lo[1] = -0.15;
    world->hi[1] = 1.25 * par->rows * pitch + 0.3;
  }
  return perp_world2_finish(world, fine, state, why);
}

/* ---- A tower ---- */

typedef struct tower_parameters {
  int n;
  double ratio;
  perp_world_parameters world;
} tower_parameters;

static const perp_parameter tower_table[] = {
    PERP_INTEGER(tower_parameters, n, 8, 1, 10000, "boxes"),
    PERP_REAL(tower_parameters, ratio, 1000, 1e-9, 1e9,
              "mass of the top box to that of the lowest"),
    PERP_WORLD2_ROWS(tower_parameters),
    {0},
};

static perp_error tower_create(const void *params, uint64_t seed, void **state, perp_message *why)
{
  (void)seed;
  const tower_parameters *par = params;
  perp_world *world = perp_world_begin(&par->world, true);
  bool fine = world && perp_world2_box(world, 0, -0.25, 0, 20, 0.5, 0) >= 0;
  for (int k = 0; k < par->n && fine; k++) {
    const double share = par->n > 1 ? (double)k / (par->n - 1) : 0;
    fine = perp_world2_box(world, 0, 0.251 + 0.501 * k, 0, 0.5, 0.5,
                           100 * perp_pow(par->ratio, share)) >= 0;
  }
  if (fine) {
    world->lo[0] = -0.3 * par->n - 0.5;
    world->hi[0] = 0.3 * par->n + 0.5;
    world->lo[1] = -0.2;
    world->hi[1] = 0.55 * par->n + 0.2;
  }
  return perp_world2_finish(world, fine, state, why);
}

#define SCENE2(name, title, table, type)                                                           \
  {                                                                                                \
#name, title, "rigid2d", table, sizeof(type), name##_create, perp_world2_destroy_scene,        \
        perp_world2_step_scene, perp_world_view, perp_world2_act, perp_world2_follow               \
  }

const perp_scene perp_scenes_plane[] = {
    SCENE2(discs, "discs of many sizes fall into a box", discs_table, discs_parameters),
    SCENE2(pebbles, "convex polygons fall into a box", discs_table, discs_parameters),
    SCENE2(bricks, "a brick wall settles, or is hit by a ball", bricks_table, bricks_parameters),
    SCENE2(tower, "boxes on top of each other, the heaviest highest", tower_table,
           tower_parameters),
    {0},
};
