/* rigid3d/scenes.c: walls, towers, a silo, cards, an arch, dolls on stairs, and single bodies whose
 * motion under friction is known */
#include "base/elementary.h"
#include "simulate/rigid3d/world.h"

/* ---- A brick wall ---- */

#define BRICK_ROWS(default_rows, default_columns, default_loose)                                   \
  PERP_INTEGER(perp_setting, rows, default_rows, 1, 10000,                                         \
               "courses; 30 of 30 bricks are 915 bodies"),                                         \
      PERP_INTEGER(perp_setting, columns, default_columns, 1, 10000, "bricks in a course"),        \
      PERP_REAL(perp_setting, loose, default_loose, 0, 1,                                          \
                "gap between courses at first, to their height"),                                  \
      PERP_REAL(perp_setting, density, 500, 1e-6, 1e6, "mass of bricks to volume")

/* Bricks of 0.4 x 0.2 x 0.2 around x = 0. Every second course is shifted by half a brick and has
 * half bricks at its ends. */
static const double WIDTH = 0.4, HEIGHT = 0.2;

static void add_wall(perp_world *world, const perp_setting *par)
{
  const double pitch = HEIGHT * (1 + par->loose), length = par->columns * WIDTH;
  for (int r = 0; r < par->rows; r++) {
    const bool moved = r % 2 == 1;
    for (int c = 0; c < par->columns + moved && !world->failed; c++) {
      const bool end_brick = moved && (c == 0 || c == par->columns);
      const double x = perp_brick_at(par->columns, WIDTH, moved, c);
      const double at[3] = {x - length / 2, 0, HEIGHT / 2 + r * pitch + par->loose * HEIGHT};
      const double half[3] = {(end_brick ? 0.25 : 0.5) * WIDTH - 0.004, HEIGHT / 2, HEIGHT / 2};
      perp_world3_box(world, at, NULL, half, par->density);
    }
  }
}

static void add_ground(perp_world *world, const perp_setting *par, double before, double above)
{
  const double length = par->columns * WIDTH, high = par->rows * HEIGHT * (1 + par->loose);
  perp_world3_ground(world, (double[]){-0.6 * length - 0.4, -before, 0},
                     (double[]){0.6 * length + 0.4, before, high + above});
}

static const perp_parameter wall3d_table[] = {
    BRICK_ROWS(10, 8, 0.01),
    PERP_FLAG(perp_setting, ball, 0, "a heavy ball is thrown at it"),
    PERP_WORLD3_ROWS(0.5, 0.01),
    {0}};

static void wall3d_build(perp_world *world, const perp_setting *par)
{
  const double at[3] = {0.1, -2, 0.6 * par->rows * HEIGHT};
  add_ground(world, par, par->ball ? 2.5 : 1, 0.3);
  add_wall(world, par);
  if (par->ball)
    perp_world_start(world, perp_world3_sphere(world, at, 0.3, 5 * par->density),
                     (double[]){0, 10, 0}, NULL);
}

/* ---- A wrecking ball ---- */

static const perp_parameter wrecking_table[] = {
    BRICK_ROWS(12, 12, 0),
    PERP_INTEGER(perp_setting, links, 8, 1, 1000, "links of the chain"),
    PERP_REAL(perp_setting, angle, 1, 0, 1.5, "of the chain to the vertical at first"),
    PERP_REAL(perp_setting, heavy, 5, 1e-6, 1e6, "density of the ball to that of bricks"),
    PERP_WORLD3_ROWS(0.5, 0.01),
    {0}};

/* Light links under a heavy load oscillate with frequency sqrt(T / (m l)), which h must resolve:
 * the joint rows assume that the direction of a link is constant over the step. */
static const double STEEL = 7800;

/* Adds the links of a chain from `top` to a ball, along the direction (0, -sin, -cos) of
 * `angle`. */
static void add_chain(perp_world *world, const perp_setting *par, const double top[3],
                      double length, double radius)
{
  const double down[3] = {0, -perp_sin(par->angle), -perp_cos(par->angle)}, axis[3] = {1, 0, 0};
  const double link = (length - radius) / par->links, thin = perp_min(0.05, 0.3 * link);
  double turn[4], at[3];
  perp_q_about(axis, -par->angle, turn);
  int last = perp_world3_box(world, top, NULL, (double[]){0.1, 0.1, 0.1}, 0);
  for (int k = 0; k <= par->links; k++) {
    const bool ball = k == par->links;
    perp_v3_add(top, ball ? length : (k + 0.5) * link, down, at);
    const int body = ball ? perp_world3_sphere(world, at, radius, par->heavy * par->density)
                          : perp_world3_capsule(world, at, turn, thin, 0.5 * link - thin, STEEL);
    perp_v3_add(top, k * link, down, at);
    perp_world3_joint(world, PERP_JOINT3_BALL, last, body, at, NULL);
    last = body;
  }
}

static void wrecking_build(perp_world *world, const perp_setting *par)
{
  const double high = par->rows * HEIGHT, radius = 0.3 + 0.01 * par->rows;
  const double length = high + 1.2, hit = perp_max(0.6 * high, radius + 0.1);
  /* the ball swings down in front of the wall and touches it when the chain is vertical */
  const double top[3] = {0.1, -radius - HEIGHT / 2, hit + length};
  add_ground(world, par, 0.9 * length + radius, hit + length + 0.2 - high);
  add_wall(world, par);
  add_chain(world, par, top, length, radius);
}

/* ---- A tower ---- */

static const perp_parameter tower3d_table[] = {
    PERP_INTEGER(perp_setting, n, 8, 1, 10000, "boxes"),
    PERP_REAL(perp_setting, ratio, 1000, 1e-9, 1e9, "mass of the top box to that of the lowest"),
    PERP_WORLD3_ROWS(0.5, 0.01),
    {0}};

static void tower3d_build(perp_world *world, const perp_setting *par)
{
  const double wide = 0.3 * par->n + 0.5;
  perp_world3_ground(world, (double[]){-wide, -wide, 0},
                     (double[]){wide, wide, 0.51 * par->n + 0.2});
  for (int k = 0; k < par->n; k++) {
    const double share = par->n > 1 ? (double)k / (par->n - 1) : 0;
    const double at[3] = {0, 0, 0.251 + 0.501 * k};
    perp_world3_box(world, at, NULL, (double[]){0.25, 0.25, 0.25},
                    100 * perp_pow(par->ratio, share));
  }
}

/* ---- A silo ---- */

static const perp_parameter silo_table[] = {
    PERP_INTEGER(perp_setting, n, 2000, 1, 1000000, "spheres"),
    PERP_REAL(perp_setting, spread, 0.2, 0, 0.9, "difference of radii, to the mean of 0.1"),
    PERP_REAL(perp_setting, density, 1000, 1e-6, 1e6, "mass to volume"),
    PERP_REAL(perp_setting, outlet, 1, 0, 100, "width of the opening below; 0: closed"),
    PERP_WORLD3_ROWS(0.4, 0.01),
    {0}};

/* Adds plate k of the four around the axis: half extents across, along and through it, `in` from
 * the axis to its middle, tilted by `tilt` so that its inner side faces up. */
static void add_plate(perp_world *world, int k, const double half[3], double in, double z,
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
  perp_world3_body(world, at, turn, 1, &part);
}

/* Vertical walls above a funnel at 45 degrees above a tray. */
static void add_silo(perp_world *world, double width, double outlet, double funnel, double top)
{
  const double thick = 0.1, drop = (width - outlet) / 2, root = sqrt(0.5);
  const double slope[3] = {0.5 * drop / root, width / 2 + thick, thick};
  const double upright[3] = {thick, width / 2 + 2 * thick, (top - funnel) / 2};
  const double rim[3] = {thick, width + 2 * thick, 0.3};
  for (int k = 0; k < 4; k++) {
    add_plate(world, k, upright, width / 2 + thick, (top + funnel) / 2, 0);
    add_plate(world, k, slope, (width + outlet) / 4 + thick * root,
              funnel - drop / 2 - thick * root, 0.7853981633974483);
    add_plate(world, k, rim, width + thick, 0.3, 0);
  }
}

static void silo_build(perp_world *world, const perp_setting *par)
{
  perp_random *random = &world->random;
  const double mean = 0.1, place = 2.05 * mean * (1 + par->spread);
  int across = 1; /* the cube root of n / 2, rounded up */
  while (2 * (int64_t)across * across * across < par->n)
    across++;
  const int layers = (par->n - 1) / (across * across) + 1;
  const double width = perp_max(across * place, 6 * mean),
               outlet = perp_min(par->outlet, 0.9 * width);
  const double funnel = 0.8 + (width - outlet) / 2, top = funnel + layers * place + 0.3;
  const double wide = width + 0.3;
  perp_world3_ground(world, (double[]){-wide, -wide, 0}, (double[]){wide, wide, top});
  add_silo(world, width, outlet, funnel, top);
  for (int k = 0; k < par->n && !world->failed; k++) {
    const double radius = mean * (1 + par->spread * perp_random_between(random, -1, 1));
    const double room = place / 2 - radius;
    const double at[3] = {
        (k % across - 0.5 * (across - 1)) * place + room * perp_random_between(random, -1, 1),
        (k / across % across - 0.5 * (across - 1)) * place +
            room * perp_random_between(random, -1, 1),
        funnel + (k / (across * across) + 0.5) * place,
    };
    perp_world3_sphere(world, at, radius, par->density);
  }
}

/* ---- Cards ---- */

static const perp_parameter cards_table[] = {
    PERP_INTEGER(perp_setting, levels, 3, 1, 100, "levels"),
    PERP_FLAG(perp_setting, ball, 0, "a heavy ball is thrown at it"),
    PERP_WORLD3_ROWS(0.7, 0.005),
    {0}};

/* A card that leans by the angle a under a load far above its weight pushes along itself: at the
 * ground at the angle a to the normal, at the face of its neighbour at pi/2 - 2 a. It needs
 * friction of at least tan a and cot 2 a. Both bounds equal 0.58 at a = pi/6, the best angle. */
static const double LONG = 0.5, DEEP = 0.35, THIN = 0.01; /* half extents of a card */
static const double LEAN = 0.5;                           /* angle to the vertical */
static const double CARD = 200;                           /* density */

static void add_card(perp_world *world, double x, double z, double angle)
{
  static const double across[3] = {0, 1, 0};
  double turn[4];
  perp_q_about(across, angle, turn);
  perp_world3_box(world, (double[]){x, 0, z}, turn, (double[]){THIN, DEEP, LONG}, CARD);
}

/* Two cards that stand on z and meet near x: the upper edge of the right card leans against the
 * face of the left one, DOWN below its end, because two edges have no common normal.
 *
 * With s, c = sin, cos of its lean, a card on the right has its upper right edge at LONG (s, c) +
 * THIN (c, -s) from its centre, and its lowest edge LONG c + THIN s below the centre, so the upper
 * edge is 2 LONG c above the ground. The same holds for the mirrored card, and its lean follows
 * from that height. */
static const double DOWN = 0.02;

static double mirrored_lean(void)
{
  const double cosine = (2 * LONG - DOWN) * perp_cos(LEAN) / (2 * LONG);
  double lean = LEAN; /* Newton's method from a nearby start */
  for (int k = 0; k < 6; k++)
    lean += (perp_cos(lean) - cosine) / perp_sin(lean);
  return lean;
}

static void add_pair(perp_world *world, double x, double z)
{
  const double s = perp_sin(LEAN), c = perp_cos(LEAN), lean = mirrored_lean();
  add_card(world, x - LONG * s - THIN * c, z + LONG * c + THIN * s, LEAN);
  add_card(world, x - DOWN * s + LONG * perp_sin(lean) + THIN * perp_cos(lean),
           z + LONG * perp_cos(lean) + THIN * perp_sin(lean), -lean);
}

/* Level l has levels - l pairs; one board on their tops carries the next level. */
static void cards_build(perp_world *world, const perp_setting *par)
{
  /* the feet of a pair are 2 LONG sin + 2 THIN cos of the leans to either side, with a gap of 2 THIN
   * between neighbouring pairs */
  const double lean = mirrored_lean();
  const double pitch = 2 * LONG * (perp_sin(LEAN) + perp_sin(lean)) +
                       2 * THIN * (perp_cos(LEAN) + perp_cos(lean)) - DOWN * perp_sin(LEAN) +
                       2 * THIN;
  const double wide = par->levels * pitch;
  const double rise = 2 * (LONG * perp_cos(LEAN) + THIN * perp_sin(LEAN)), storey = rise + 2 * THIN;
  perp_world3_ground(world, (double[]){-0.6 * wide, -0.8, 0},
                     (double[]){0.6 * wide, 0.8, par->levels * storey});
  for (int l = 0; l < par->levels; l++) {
    const int pairs = par->levels - l;
    for (int i = 0; i < pairs; i++)
      add_pair(world, (i - 0.5 * (pairs - 1)) * pitch, l * storey);
    const double board[3] = {0.5 * (pairs - 1) * pitch + 0.1, DEEP, THIN};
    if (pairs > 1)
      perp_world3_box(world, (double[]){0, 0, l * storey + rise + THIN}, NULL, board, CARD);
  }
  if (par->ball)
    perp_world_start(world,
                     perp_world3_sphere(world, (double[]){-0.6 * wide, 0.1, 0.6}, 0.2, 20 * CARD),
                     (double[]){9, 0, 0}, NULL);
}

/* ---- An arch ---- */

static const perp_parameter arch3d_table[] = {
    PERP_INTEGER(perp_setting, n, 15, 3, 1000, "stones"),
    PERP_REAL(perp_setting, thick, 0.3, 0.02, 1, "thickness, to the inner radius"),
    PERP_FLAG(perp_setting, ball, 0, "a ball falls on it"),
    PERP_INTEGER(perp_setting, knock, 0, 0, 1000000000,
                 "step in which the keystone is knocked out; 0: never"),
    PERP_WORLD3_ROWS(0.7, 0.01),
    {0}};

/* Adds a wedge of the angle `turn` as two boxes, each with one side on one of the two joints, so
 * that their union has both faces. Each box is as wide as fits between the joints at the inner
 * radius. */
static void add_stone(perp_world *world, double angle, double turn, double inner, double outer)
{
  static const double across[3] = {0, 1, 0};
  const double wide = 0.9 * inner * perp_sin(turn), middle = (inner + outer) / 2;
  const double c = perp_cos(turn / 2), s = perp_sin(turn / 2);
  perp_part3 part[2];
  double pose[4];
  for (int side = 0; side < 2; side++) {
    const double sign = side ? -1 : 1; /* the joint is at -sign turn / 2 */
    part[side] = (perp_part3){
        .kind = PERP_SHAPE_BOX,
        .size = {(outer - inner) / 2, 0.2, wide / 2},
        .at = {middle * c + wide / 2 * s, 0, sign * (-middle * s + wide / 2 * c)},
        .density = 1000,
    };
    perp_q_about(across, sign * turn / 2, part[side].turn);
  }
  perp_q_about(across, -angle, pose);
  perp_world3_body(world, (double[]){0, 0, 0}, pose, 2, part);
}

static void arch3d_build(perp_world *world, const perp_setting *par)
{
  const double inner = 1, outer = inner * (1 + par->thick), turn = 3.141592653589793 / par->n;
  perp_world3_ground(world, (double[]){-outer - 0.3, -0.7, 0},
                     (double[]){outer + 0.3, 0.7, outer + 0.2});
  for (int k = 0; k < par->n; k++)
    add_stone(world, (k + 0.5) * turn, turn, inner, outer);
  world->blow.step = par->knock; /* 12 m/s against the friction of both joints */
  world->blow.body = world->bodies - 1 - par->n / 2;
  world->blow.v[1] = 12;
  if (par->ball)
    perp_world3_sphere(world, (double[]){0.3, 0, outer + 1}, 0.15, 2000);
}

/* ---- Dolls on stairs ---- */

static const perp_parameter ragdolls_table[] = {
    PERP_INTEGER(perp_setting, n, 4, 1, 1000, "dolls, of 10 bodies and 9 joints each"),
    PERP_INTEGER(perp_setting, stairs, 8, 1, 1000, "stairs"),
    PERP_WORLD3_ROWS(0.4, 0.01),
    {0}};

enum { BONES = 10, BALL = PERP_JOINT3_BALL, HINGE = PERP_JOINT3_HINGE };

/* A doll that stands at the origin with its arms out: bones, each with its joint to an earlier
 * bone. A bone is along x if `lying`, else along z. */
static const struct bone {
  perp_shape_kind shape;
  double size[3], at[3];
  bool lying;
  int to, kind; /* perp_joint3_kind */
  double joint[3];
} bones[BONES] = {
    {PERP_SHAPE_BOX, {0.16, 0.09, 0.25}, {0, 0, 1.2}, false, -1, 0, {0}},
    {PERP_SHAPE_SPHERE, {0.12}, {0, 0, 1.6}, false, 0, BALL, {0, 0, 1.48}},
    {PERP_SHAPE_CAPSULE, {0.05, 0.1}, {0.36, 0, 1.38}, true, 0, BALL, {0.2, 0, 1.38}},
    {PERP_SHAPE_CAPSULE, {0.05, 0.1}, {-0.36, 0, 1.38}, true, 0, BALL, {-0.2, 0, 1.38}},
    {PERP_SHAPE_CAPSULE, {0.045, 0.1}, {0.66, 0, 1.38}, true, 2, HINGE, {0.51, 0, 1.38}},
    {PERP_SHAPE_CAPSULE, {0.045, 0.1}, {-0.66, 0, 1.38}, true, 3, HINGE, {-0.51, 0, 1.38}},
    {PERP_SHAPE_CAPSULE, {0.07, 0.14}, {0.09, 0, 0.72}, false, 0, BALL, {0.09, 0, 0.93}},
    {PERP_SHAPE_CAPSULE, {0.07, 0.14}, {-0.09, 0, 0.72}, false, 0, BALL, {-0.09, 0, 0.93}},
    {PERP_SHAPE_CAPSULE, {0.055, 0.16}, {0.09, 0, 0.28}, false, 6, HINGE, {0.09, 0, 0.5}},
    {PERP_SHAPE_CAPSULE, {0.055, 0.16}, {-0.09, 0, 0.28}, false, 7, HINGE, {-0.09, 0, 0.5}},
};

/* Adds a doll with its feet at `at`, rotated by `heading` about the vertical. */
static void add_doll(perp_world *world, const double at[3], double heading, const double v[3])
{
  static const double up[3] = {0, 0, 1}, across[3] = {0, 1, 0};
  const double quarter = 1.5707963267948966;
  const int first = world->bodies;
  double turn[4], lie[4];
  perp_q_about(up, heading, turn);
  perp_q_about(across, quarter, lie);
  for (int k = 0; k < BONES; k++) {
    const struct bone *bone = &bones[k];
    const double *size = bone->size;
    const perp_part3 part = {bone->shape, {size[0], size[1], size[2]}, {0}, {1}, .density = 1000};
    double place[3], point[3], axis[3], pose[4];
    perp_q_rotate(turn, bone->at, place);
    perp_v3_add(at, 1, place, place);
    perp_q_multiply(turn, lie, pose);
    const int body = perp_world3_body(world, place, bone->lying ? pose : turn, 1, &part);
    if (body < 0)
      return;
    perp_world_start(world, body, v, NULL);
    if (bone->to < 0)
      continue;
    perp_q_rotate(turn, bone->joint, point);
    perp_v3_add(at, 1, point, point);
    /* elbows rotate about the vertical, knees about the line between the hips */
    perp_q_rotate(turn, bone->lying ? up : (double[]){1, 0, 0}, axis);
    perp_world3_joint(world, (perp_joint3_kind)bone->kind, first + bone->to, body, point, axis);
  }
}

/* Stairs descend along x from a landing; a stair is 0.4 deep and 0.22 high. */
static void ragdolls_build(perp_world *world, const perp_setting *par)
{
  perp_random *random = &world->random;
  const double deep = 0.4, high = 0.22, landing = 2, side = 2.9, top = par->stairs * high;
  const double length = par->stairs * deep, apart = 1.8; /* wider than a doll with its arms out */
  perp_world3_ground(world, (double[]){-landing, -side, 0},
                     (double[]){length + 2, side, top + 2 * ((par->n + 2) / 3)});
  for (int k = 0; k < par->stairs; k++) {
    const double z = (par->stairs - k) * high, back = k ? 0 : landing;
    perp_world3_box(world, (double[]){(k + 0.5) * deep - back / 2, 0, z / 2}, NULL,
                    (double[]){(deep + back) / 2, side, z / 2}, 0);
  }
  for (int k = 0; k < par->n && !world->failed; k++) {
    const double at[3] = {-0.9, (k % 3 - 1) * apart, top + 0.1 + 2 * (k / 3)};
    const double v[3] = {2.5 + perp_random_uniform(random), 0, 1};
    add_doll(world, at, perp_random_between(random, -3, 3), v);
  }
}

/* ---- A ground ---- */

static const perp_parameter ground3d_table[] = {
    PERP_REAL(perp_setting, size, 10, 1e-3, 1e6, "side of the ground"),
    PERP_WORLD3_ROWS(0.5, 0.01),
    {0}};

static void ground3d_build(perp_world *world, const perp_setting *par)
{
  const double half = par->size / 2;
  perp_world3_ground(world, (double[]){-half, -half, 0}, (double[]){half, half, half});
}

/* ---- Single bodies ----
 *
 * incline     A block on a slope of slope = tan(angle). It sticks if slope <= mu, else it slides with
 *             the acceleration g (sin - mu cos) of the angle. With mu_static it sticks if slope <=
 *             mu_static, unless it slides at first. On slope = 0 a block that spins about the vertical
 *             has corners of speed spin r, r^2 = 0.2^2 + 0.15^2: mu m g r brakes m r^2 / 3, however
 *             the corners share its weight, so it stops after r spin / (3 mu g).
 * rolling     A ball of radius 0.1 on a slope with friction against rolling (friction=discs): about
 *             its contact m g (r sin - roll cos) turns 7/5 m r^2. It stays if slope <= roll / r, else it
 *             rolls with the acceleration 5/7 g (sin - roll / r cos).
 * spinner     A ball of radius 0.1 that spins about the vertical: torsion m g brakes 2/5 m r^2, so it
 *             stops after 2/5 r^2 spin / (torsion g).
 * backspin    A sliding ball of radius 0.1 that spins backwards. Friction about its contact keeps
 *             r v + 2/5 r^2 spin, so it rolls at the end with (5 v - 2 r spin) / 7: backwards if spin
 *             > 5 v / (2 r).
 * turntable   A block 0.5 from the axis of a heavy table. It turns with the table if spin^2 0.5 <=
 *             mu g, else it slides off.
 * painleve    A rod that slides with its lower end ahead of its centre of mass. If mu is above
 *             about 4/3, forces that hold the end on the ground may push it into the ground
 *             (Painleve 1895); the step then stops the end by an impulse without collision. */

static void add_floor(perp_world *world)
{
  perp_world3_ground(world, (double[]){-1.5, -1.5, 0}, (double[]){1.5, 1.5, 1.5});
}

static const perp_parameter incline_table[] = {
    PERP_REAL(perp_setting, slope, 0.5, 0, 1e6, "tangent of the angle"),
    PERP_REAL(perp_setting, v, 0, -1e3, 1e3, "velocity at first, down the slope"),
    PERP_REAL(perp_setting, spin, 0, -1e4, 1e4, "spin at first, about the normal of the slope"),
    PERP_WORLD3_ROWS(0.5, 0.01),
    {0}};

/* Gravity along a slope. */
static void incline(perp_world *world, double slope)
{
  const double cosine = 1 / sqrt(1 + slope * slope);
  world->down[0] = slope * cosine;
  world->down[2] = -cosine;
}

static void incline_build(perp_world *world, const perp_setting *par)
{
  const double half[3] = {0.2, 0.15, 0.05};
  add_floor(world);
  incline(world, par->slope);
  perp_world_start(world, perp_world3_box(world, (double[]){0, 0, half[2]}, NULL, half, 1000),
                   (double[]){par->v, 0, 0}, (double[]){0, 0, par->spin});
}

static const perp_parameter backspin_table[] = {
    PERP_REAL(perp_setting, v, 1, -1e3, 1e3, "velocity at first"),
    PERP_REAL(perp_setting, spin, 40, -1e4, 1e4, "spin at first, against rolling"),
    PERP_WORLD3_ROWS(0.3, 0.005),
    {0}};

static void backspin_build(perp_world *world, const perp_setting *par)
{
  add_floor(world);
  perp_world_start(world, perp_world3_sphere(world, (double[]){0, 0, 0.1}, 0.1, 1000),
                   (double[]){par->v, 0, 0}, (double[]){0, -par->spin, 0});
}

static const perp_parameter rolling_table[] = {
    PERP_REAL(perp_setting, slope, 0.05, 0, 1e6, "tangent of the angle"),
    PERP_REAL(perp_setting, v, 0, -1e3, 1e3, "velocity at first, rolling down the slope"),
    PERP_WORLD3_ROWS(0.5, 0.005),
    {0}};

static const perp_parameter spinner_table[] = {
    PERP_REAL(perp_setting, spin, 20, -1e4, 1e4, "spin at first"),
    PERP_WORLD3_ROWS(0.5, 0.005),
    {0}};

/* A ball that rolls down a slope and spins about the vertical. */
static void rolling_build(perp_world *world, const perp_setting *par)
{
  add_floor(world);
  incline(world, par->slope);
  perp_world_start(world, perp_world3_sphere(world, (double[]){0, 0, 0.1}, 0.1, 1000),
                   (double[]){par->v, 0, 0}, (double[]){0, par->v / 0.1, par->spin});
}

static const perp_parameter turntable_table[] = {
    PERP_REAL(perp_setting, spin, 2.5, -1e3, 1e3, "spin of the table"),
    PERP_WORLD3_ROWS(0.5, 0.005),
    {0}};

static void turntable_build(perp_world *world, const perp_setting *par)
{
  const double at[3] = {0, 0, 0.3}, up[3] = {0, 0, 1}, half[3] = {0.05, 0.05, 0.05};
  const double spin[3] = {0, 0, par->spin};
  add_floor(world);
  const int base =
      perp_world3_box(world, (double[]){0, 0, 0.1}, NULL, (double[]){0.1, 0.1, 0.1}, 0);
  const int table = perp_world3_box(world, at, NULL, (double[]){0.8, 0.8, 0.05}, 1e6);
  const int block = perp_world3_box(world, (double[]){0.5, 0, 0.4}, NULL, half, 100);
  perp_world3_joint(world, PERP_JOINT3_HINGE, base, table, at, up);
  perp_world_start(world, table, (double[]){0, 0, 0}, spin);
  perp_world_start(world, block, (double[]){0, 0.5 * par->spin, 0}, spin);
}

static const perp_parameter painleve_table[] = {
    PERP_REAL(perp_setting, angle, 0.9, 0.01, 1.5, "of the rod to the ground at first"),
    PERP_REAL(perp_setting, v, 3, -1e3, 1e3, "velocity at first"),
    PERP_WORLD3_ROWS(2, 0.005),
    {0}};

static void painleve_build(perp_world *world, const perp_setting *par)
{
  static const double across[3] = {0, 1, 0};
  const double radius = 0.01, half = 0.5;
  double turn[4];
  perp_q_about(across, par->angle - 1.5707963267948966, turn); /* the upper end is behind */
  const double at[3] = {0, 0, radius + half * perp_sin(par->angle)};
  add_floor(world);
  perp_world_start(world, perp_world3_capsule(world, at, turn, radius, half, 1000),
                   (double[]){par->v, 0, 0}, NULL);
}

static const perp_simulator simulator = PERP_WORLD_SIMULATOR("rigid3d", &perp_world_space);

#define SCENE(name, title, build)                                                                  \
  {                                                                                                \
#name, title, &simulator, name##_table, build, NULL                                            \
  }

const perp_scene perp_scenes_space[] = {
    SCENE(wall3d, "a wall of bricks settles, or is hit by a ball", wall3d_build),
    SCENE(wrecking, "a wrecking ball on a chain swings into a wall", wrecking_build),
    SCENE(tower3d, "boxes on top of each other, the heaviest highest", tower3d_build),
    SCENE(silo, "spheres run out of a silo", silo_build),
    SCENE(cards, "a house of cards", cards_build),
    SCENE(arch3d, "an arch of stones without mortar", arch3d_build),
    SCENE(ragdolls, "dolls fall down stairs", ragdolls_build),
    SCENE(ground3d, "a ground, for bodies that are added", ground3d_build),
    SCENE(incline, "a block on a slope sticks or slides", incline_build),
    SCENE(backspin, "a ball with backspin slides, then rolls back", backspin_build),
    SCENE(rolling, "a ball on a slope rolls or stays, by friction against rolling", rolling_build),
    SCENE(spinner, "a spinning ball comes to rest by torsion", rolling_build),
    SCENE(turntable, "a block on a turntable", turntable_build),
    SCENE(painleve, "Painleve's rod slides, jams and topples", painleve_build),
    {0}};
