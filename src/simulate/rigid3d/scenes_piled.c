/* rigid3d/scenes_piled.c: a wall, a wrecking ball, a tower of growing masses, a silo */
#include "base/elementary.h"
#include "simulate/rigid3d/scenes.h"

/* ---- A brick wall ---- */

typedef struct bricks {
  int rows, columns;
  double loose, density;
} bricks;

/* The rows of a parameter table for the bricks called `wall` of a struct. */
#define BRICK_ROWS(type, default_rows, default_columns, default_loose)                             \
  PERP_ROW(type, "rows", PERP_TYPE_INTEGER, wall.rows, default_rows, 1, 10000, NULL,               \
           "courses; 30 of 30 bricks are 915 bodies"),                                             \
      PERP_ROW(type, "columns", PERP_TYPE_INTEGER, wall.columns, default_columns, 1, 10000, NULL,  \
               "bricks in a course"),                                                              \
      PERP_ROW(type, "loose", PERP_TYPE_REAL, wall.loose, default_loose, 0, 1, NULL,               \
               "gap between courses at first, to their height"),                                   \
      PERP_ROW(type, "density", PERP_TYPE_REAL, wall.density, 500, 1e-6, 1e6, NULL,                \
               "mass of bricks to volume")

/* Bricks of 0.4 x 0.2 x 0.2 around x = 0, every second course moved by half a brick with half
 * bricks at its ends. */
static const double WIDTH = 0.4, HEIGHT = 0.2;

static bool add_wall(perp_world *world, const bricks *par)
{
  const double pitch = HEIGHT * (1 + par->loose), length = par->columns * WIDTH;
  bool fine = true;
  for (int r = 0; r < par->rows && fine; r++) {
    const bool moved = r % 2 == 1;
    for (int c = 0; c < par->columns + moved && fine; c++) {
      const bool end_brick = moved && (c == 0 || c == par->columns);
      const double x = !moved              ? (c + 0.5) * WIDTH
                       : c == 0            ? WIDTH / 4
                       : c == par->columns ? length - WIDTH / 4
                                           : c * WIDTH;
      const double at[3] = {x - length / 2, 0, HEIGHT / 2 + r * pitch + par->loose * HEIGHT};
      const double half[3] = {(end_brick ? 0.25 : 0.5) * WIDTH - 0.004, HEIGHT / 2, HEIGHT / 2};
      fine = perp_world3_box(world, at, NULL, half, par->density) >= 0;
    }
  }
  return fine;
}

static bool add_ground(perp_world *world, const bricks *par, double before, double above)
{
  const double length = par->columns * WIDTH, high = par->rows * HEIGHT * (1 + par->loose);
  return perp_world3_ground(world, (double[]){-0.6 * length - 0.4, -before, 0},
                            (double[]){0.6 * length + 0.4, before, high + above});
}

typedef struct wall3d_parameters {
  bricks wall;
  int ball;
  perp_world_parameters world;
} wall3d_parameters;

static const perp_parameter wall3d_table[] = {
    BRICK_ROWS(wall3d_parameters, 10, 8, 0.01),
    PERP_FLAG(wall3d_parameters, ball, 0, "a heavy ball is thrown at it"),
    PERP_WORLD3_ROWS(wall3d_parameters, 0.5, 0.01),
    {0},
};

static perp_error wall3d_create(const void *params, uint64_t seed, void **state, perp_message *why)
{
  (void)seed; /* a wall leaves nothing to chance */
  const wall3d_parameters *par = params;
  perp_world *world = perp_world_begin(&par->world, false);
  bool fine = world && add_ground(world, &par->wall, par->ball ? 2.5 : 1, 0.3) &&
              add_wall(world, &par->wall);
  if (fine && par->ball) {
    const double at[3] = {0.1, -2, 0.6 * par->wall.rows * HEIGHT};
    const int k = perp_world3_sphere(world, at, 0.3, 5 * par->wall.density);
    fine = k >= 0;
    if (fine)
      world->body[k].v[1] = 10;
  }
  return perp_world3_finish(world, fine, state, why);
}

/* ---- A wrecking ball ---- */

typedef struct wrecking_parameters {
  bricks wall;
  int links;
  double angle, heavy;
  perp_world_parameters world;
} wrecking_parameters;

static const perp_parameter wrecking_table[] = {
    BRICK_ROWS(wrecking_parameters, 12, 12, 0),
    PERP_INTEGER(wrecking_parameters, links, 8, 1, 1000, "links of the chain"),
    PERP_REAL(wrecking_parameters, angle, 1, 0, 1.5, "of the chain to the vertical at first"),
    PERP_REAL(wrecking_parameters, heavy, 5, 1e-6, 1e6, "density of the ball to that of bricks"),
    PERP_WORLD3_ROWS(wrecking_parameters, 0.5, 0.01),
    {0},
};

/* Light links under a heavy load swing to and fro with sqrt(T / (m l)), which h must resolve: the
 * rows of a joint hold for one direction of the link throughout a step. */
static const double STEEL = 7800;

/* Links of a chain from `top` to a ball, all along the direction (0, -sin, -cos) of `angle`. */
static bool add_chain(perp_world *world, const wrecking_parameters *par, const double top[3],
                      double length, double radius)
{
  const double down[3] = {0, -perp_sin(par->angle), -perp_cos(par->angle)}, axis[3] = {1, 0, 0};
  const double link = (length - radius) / par->links, thin = perp_min(0.05, 0.3 * link);
  double turn[4], at[3];
  perp_q_about(axis, -par->angle, turn);
  int last = perp_world3_box(world, top, NULL, (double[]){0.1, 0.1, 0.1}, 0);
  bool fine = last >= 0;
  for (int k = 0; k <= par->links && fine; k++) {
    const bool ball = k == par->links;
    perp_v3_add(top, ball ? length : (k + 0.5) * link, down, at);
    const int body = ball ? perp_world3_sphere(world, at, radius, par->heavy * par->wall.density)
                          : perp_world3_capsule(world, at, turn, thin, 0.5 * link - thin, STEEL);
    perp_v3_add(top, k * link, down, at);
    fine = body >= 0 && perp_world3_joint(world, PERP_JOINT3_BALL, last, body, at, NULL) >= 0;
    last = body;
  }
  return fine;
}

static perp_error wrecking_create(const void *params, uint64_t seed, void **state,
                                  perp_message *why)
{
  (void)seed;
  const wrecking_parameters *par = params;
  perp_world *world = perp_world_begin(&par->world, false);
  const double high = par->wall.rows * HEIGHT, radius = 0.3 + 0.01 * par->wall.rows;
  const double length = high + 1.2, hit = perp_max(0.6 * high, radius + 0.1);
  /* the ball comes down in front of the wall, to touch it where the chain hangs */
  const double top[3] = {0.1, -radius - HEIGHT / 2, hit + length};
  bool fine = world &&
              add_ground(world, &par->wall, 0.9 * length + radius, hit + length + 0.2 - high) &&
              add_wall(world, &par->wall) && add_chain(world, par, top, length, radius);
  return perp_world3_finish(world, fine, state, why);
}

/* ---- A tower ---- */

typedef struct tower3d_parameters {
  int n;
  double ratio;
  perp_world_parameters world;
} tower3d_parameters;

static const perp_parameter tower3d_table[] = {
    PERP_INTEGER(tower3d_parameters, n, 8, 1, 10000, "boxes"),
    PERP_REAL(tower3d_parameters, ratio, 1000, 1e-9, 1e9,
              "mass of the top box to that of the lowest"),
    PERP_WORLD3_ROWS(tower3d_parameters, 0.5, 0.01),
    {0},
};

static perp_error tower3d_create(const void *params, uint64_t seed, void **state, perp_message *why)
{
  (void)seed;
  const tower3d_parameters *par = params;
  perp_world *world = perp_world_begin(&par->world, false);
  const double wide = 0.3 * par->n + 0.5;
  bool fine = world && perp_world3_ground(world, (double[]){-wide, -wide, 0},
                                          (double[]){wide, wide, 0.51 * par->n + 0.2});
  for (int k = 0; k < par->n && fine; k++) {
    const double share = par->n > 1 ? (double)k / (par->n - 1) : 0;
    const double at[3] = {0, 0, 0.251 + 0.501 * k};
    fine = perp_world3_box(world, at, NULL, (double[]){0.25, 0.25, 0.25},
                           100 * perp_pow(par->ratio, share)) >= 0;
  }
  return perp_world3_finish(world, fine, state, why);
}

/* ---- A silo ---- */

typedef struct silo_parameters {
  int n;
  double spread, density, outlet;
  perp_world_parameters world;
} silo_parameters;

static const perp_parameter silo_table[] = {
    PERP_INTEGER(silo_parameters, n, 2000, 1, 1000000, "spheres"),
    PERP_REAL(silo_parameters, spread, 0.2, 0, 0.9, "difference of radii, to the mean of 0.1"),
    PERP_REAL(silo_parameters, density, 1000, 1e-6, 1e6, "mass to volume"),
    PERP_REAL(silo_parameters, outlet, 1, 0, 100, "width of the opening below; 0: closed"),
    PERP_WORLD3_ROWS(silo_parameters, 0.4, 0.01),
    {0},
};

/* A plate of the four around the axis, number k: half extents across, along and through it, `in`
 * from the axis to its middle, tilted by `tilt` so that its inner side looks up. */
static bool add_plate(perp_world *world, int k, const double half[3], double in, double z,
                      double tilt)
{
  static const double vertical[3] = {0, 0, 1}, across[3] = {0, 1, 0};
  double about[4], lean[4], turn[4], at[3];
  perp_q_about(vertical, k * 1.5707963267948966, about);
  perp_q_about(across, -tilt, lean);
  perp_q_multiply(about, lean, turn);
  perp_q_rotate(about, (double[]){in, 0, 0}, at);
  at[2] = z;
  const perp_part3 part = {PERP_SHAPE_BOX, {half[0], half[1], half[2]}, {0}, {1}, .wire = true};
  return perp_world3_body(world, at, turn, 1, &part) >= 0;
}

/* Upright walls above a funnel at 45 degrees above a tray. */
static bool add_silo(perp_world *world, double width, double outlet, double funnel, double top)
{
  const double thick = 0.1, drop = (width - outlet) / 2, root = sqrt(0.5);
  const double slope[3] = {0.5 * drop / root, width / 2 + thick, thick};
  const double upright[3] = {thick, width / 2 + 2 * thick, (top - funnel) / 2};
  const double rim[3] = {thick, width + 2 * thick, 0.3};
  bool fine = true;
  for (int k = 0; k < 4 && fine; k++)
    fine = add_plate(world, k, upright, width / 2 + thick, (top + funnel) / 2, 0) &&
           add_plate(world, k, slope, (width + outlet) / 4 + thick * root,
                     funnel - drop / 2 - thick * root, 0.7853981633974483) &&
           add_plate(world, k, rim, width + thick, 0.3, 0);
  return fine;
}

static perp_error silo_create(const void *params, uint64_t seed, void **state, perp_message *why)
{
  const silo_parameters *par = params;
  perp_random random = perp_random_from(seed);
  perp_world *world = perp_world_begin(&par->world, false);
  const double mean = 0.1, place = 2.05 * mean * (1 + par->spread);
  int across = 1; /* the cube root of n / 2, rounded up */
  while (2 * (int64_t)across * across * across < par->n)
    across++;
  const int layers = (par->n - 1) / (across * across) + 1;
  const double width = perp_max(across * place, 6 * mean),
               outlet = perp_min(par->outlet, 0.9 * width);
  const double funnel = 0.8 + (width - outlet) / 2, top = funnel + layers * place + 0.3;
  const double wide = width + 0.3;
  bool fine = world &&
              perp_world3_ground(world, (double[]){-wide, -wide, 0}, (double[]){wide, wide, top}) &&
              add_silo(world, width, outlet, funnel, top);
  for (int k = 0; k < par->n && fine; k++) {
    const double radius = mean * (1 + par->spread * perp_random_between(&random, -1, 1));
    const double room = place / 2 - radius;
    const double at[3] = {
        (k % across - 0.5 * (across - 1)) * place + room * perp_random_between(&random, -1, 1),
        (k / across % across - 0.5 * (across - 1)) * place +
            room * perp_random_between(&random, -1, 1),
        funnel + (k / (across * across) + 0.5) * place,
    };
    fine = perp_world3_sphere(world, at, radius, par->density) >= 0;
  }
  return perp_world3_finish(world, fine, state, why);
}

const perp_scene perp_scenes_piled[] = {
    PERP_SCENE3(wall3d, "a wall of bricks settles, or is hit by a ball", wall3d_parameters),
    PERP_SCENE3(wrecking, "a wrecking ball on a chain swings into a wall", wrecking_parameters),
    PERP_SCENE3(tower3d, "boxes on top of each other, the heaviest highest", tower3d_parameters),
    PERP_SCENE3(silo, "spheres run out of a silo", silo_parameters),
    {0},
};
