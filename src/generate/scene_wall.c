/* scene_wall.c: a brick wall in running bond, hit by a wrecking ball
 *
 * Bricks 2 x 1 x 0.5 of mass 1 lie in rows, every second row shifted by half a brick, so that a
 * brick rests on two (at the ends on one). The faces where bricks meet or stand on the ground (bed
 * joints), and where neighbours of a row meet (head joints), have contacts at their corners. A ball
 * touches the middle of a brick face with the given speed.
 *
 * Named sizes: the problems of Morales, Nocedal and Smelyanskiy (2008, table 1), nbB_ncR with B
 * bodies and R rows. The R/3 contacts of three rows each (forms stick, findex, cone) are dealt
 * one to each bed joint from the ground up, one to each head joint, then a second to each, and so
 * on; bricks whose beds get none are taken to fly. By default cfm is then such that the condition
 * number of A is that of the table: A without C is singular (but for the smallest), which makes it
 * (lambda_max + cfm) / cfm.
 *
 * Joints: the ball hangs from the world on three links, with four ball joints. */
#include "generate/scene.h"

#include <math.h>

typedef struct wall_parameters {
  int size, rows, columns;
  double open, ball, speed;
  perp_contact_options contact;
} wall_parameters;

/* The table, by its names; the first is a wall of rows and columns. */
static const char *const size_names[] = {
    "custom",       "nb7_nc18",     "nb8_nc45",     "nb8_nc48",     "nb235_nc1044", "nb449_nc1821",
    "nb907_nc5832", "nb948_nc7344", "nb966_nc8220", "nb976_nc8745", "nb977_nc9534", NULL};

typedef struct wall_size {
  int bodies, rows, columns;
  double cfm; /* for the condition number of the table, with form = stick and seed = 1 */
} wall_size;

static const wall_size sizes[] = {
    {0, 0, 0, 0},
    {7, 18, 3, 0.24474},
    {8, 45, 3, 0.0095166},
    {8, 48, 3, 0.0118266},
    {235, 1044, 18, 0.00059779},
    {449, 1821, 32, 0.000665475},
    {907, 5832, 30, 7.49456e-07},
    {948, 7344, 32, 4.49333e-07},
    {966, 8220, 32, 4.30643e-07},
    {976, 8745, 39, 6.32836e-07},
    {977, 9534, 61, 4.96235e-07},
};

static const perp_parameter parameters[] = {
    PERP_CHOICE(wall_parameters, size, 0, 10, size_names,
                "rows and columns, or bodies and rows of a published problem"),
    PERP_INTEGER(wall_parameters, rows, 8, 1, 3000, "rows of bricks, size = custom"),
    PERP_INTEGER(wall_parameters, columns, 8, 1, 3000, "bricks in a row, size = custom"),
    PERP_REAL(wall_parameters, open, 0, 0, 1, "share of the faces that have opened, size = custom"),
    PERP_REAL(wall_parameters, ball, 100, 1e-6, 1e9, "mass of the ball, a brick has 1"),
    PERP_REAL(wall_parameters, speed, 10, -1e6, 1e6, "of the ball against the wall"),
    PERP_CONTACT_ROWS(wall_parameters, PERP_CONTACT_STICK, -1,
                      "constraint force mixing, C = cfm I; -1: as published, custom: 0"),
    {0},
};

static const double HALF[3] = {1, 0.5, 0.25}; /* half a brick: along the wall, across, up */

/* Where two bricks meet: a rectangle with half sides u along the wall or up, HALF[1] across. */
typedef struct face {
  int a, b;
  bool head; /* between neighbours of a row, normal along the wall; else a bed, normal upwards */
  double x, z, u;
  int points;
} face;

typedef struct wall {
  perp_scene scene;
  face *face;
  int bricks, columns, faces, beds;
} wall;

/* Left end of brick c of row r, in half bricks. */
static int left_end(int r, int c)
{
  return 2 * c + r % 2;
}

static void add_face(wall *w, int a, int b, bool head, int x, double z)
{
  w->face[w->faces++] = (face){
      .a = a,
      .b = b,
      .head = head,
      .x = x * HALF[0],
      .z = z,
      /* a brick covers half of one below, all of the ground */
      .u = head              ? HALF[2]
           : b == PERP_WORLD ? HALF[0]
                             : 0.5 * HALF[0],
  };
  w->beds += !head;
}

/* Bricks row by row, the beds of each; x of a bed counts half bricks. */
static void lay_bricks(wall *w)
{
  for (int k = 0; k < w->bricks && !w->scene.failed; k++) {
    const int r = k / w->columns, c = k % w->columns, left = left_end(r, c);
    const double floor = 2 * HALF[2] * r;
    const double centre[3] = {(left + 1) * HALF[0], 0, floor + HALF[2]};
    perp_scene_box(&w->scene, 1, HALF, centre, 1, 0);
    if (r == 0) {
      add_face(w, k, PERP_WORLD, false, left + 1, floor);
      continue;
    }
    const int first = r % 2 ? c : c - 1; /* of the two below */
    for (int d = first; d <= first + 1; d++)
      if (d >= 0 && d < w->columns)
        add_face(w, k, (r - 1) * w->columns + d, false, 0, floor);
  }
}

static void lay_heads(wall *w)
{
  for (int k = 0; k < w->bricks; k++) {
    const int r = k / w->columns, c = k % w->columns;
    if (c > 0)
      add_face(w, k, k - 1, true, left_end(r, c), 2 * HALF[2] * r + HALF[2]);
  }
}

/* The middle of what two bricks have in common. */
static void centre_beds(wall *w)
{
  for (int f = 0; f < w->beds; f++) {
    face *bed = &w->face[f];
    if (bed->b != PERP_WORLD)
      bed->x = 0.5 * (w->scene.body[bed->a].position[0] + w->scene.body[bed->b].position[0]);
  }
}

/* All faces whole, but for a share of them, chosen at random. */
static bool deal_custom(perp_making *m, wall *w, double open)
{
  int *order;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(order, w->faces)))
    return false;
  const int opened = (int)(open * w->faces);
  perp_random_permutation(&m->random, w->faces, order);
  for (int k = 0; k < w->faces; k++)
    w->face[order[k]].points = k < opened ? 0 : 4;
  return true;
}

/* One contact to a face in turn. */
static void deal_named(wall *w, int contacts)
{
  for (int k = 0; k < contacts; k++)
    w->face[k % w->faces].points++;
}

/* The corners of a face in an order that starts anywhere and goes on with the one opposite. */
static void touch_face(perp_scene *scene, const face *f, perp_random *random)
{
  const double up[3] = {0, 0, 1}, along[3] = {1, 0, 0};
  const int first = perp_random_below(random, 4);
  for (int k = 0; k < f->points; k++) {
    const int corner = first ^ ((k & 1 ? 3 : 0) ^ (k & 2 ? 1 : 0));
    const double u = corner & 1 ? f->u : -f->u, y = corner & 2 ? HALF[1] : -HALF[1];
    const double point[3] = {f->head ? f->x : f->x + u, y, f->head ? f->z + u : f->z};
    perp_scene_touch(scene, f->a, f->b, point, f->head ? along : up, 0);
  }
}

/* The ball before the brick, on its links where it hangs. */
static void add_ball(wall *w, const wall_parameters *par, int brick)
{
  const double radius = 1, back[3] = {0, -1, 0}, link_half[3] = {0.05, 0.05, 0.5};
  perp_scene *scene = &w->scene;
  double point[3], centre[3];
  for (int e = 0; e < 3; e++) {
    point[e] = scene->body[brick].position[e] + HALF[1] * back[e];
    centre[e] = point[e] + radius * back[e];
  }
  const int ball = perp_scene_ball(scene, par->ball, radius, centre);
  perp_scene_touch(scene, ball, brick, point, back, 0);
  if (scene->failed)
    return;
  scene->body[ball].velocity[1] = par->speed;
  if (!perp_contact_jointed(&par->contact))
    return;
  double hook[3] = {centre[0], centre[1], centre[2] + radius};
  int below = ball;
  for (int k = 0; k < 3; k++) {
    const double middle[3] = {hook[0], hook[1], hook[2] + link_half[2]};
    const int link = perp_scene_box(scene, 1, link_half, middle, 1, 0);
    perp_scene_joint(scene, link, below, hook);
    hook[2] += 2 * link_half[2];
    below = link;
  }
  perp_scene_joint(scene, below, PERP_WORLD, hook);
}

/* Mostly upwards, so that beds open faster than they slide; the ball goes straight back. */
static void set_escape(perp_scene *scene, int brick, int ball)
{
  perp_scene_escape(scene, 1e-9, 1);
  for (int e = 0; e < 3; e++)
    scene->body[ball].escape[e] = scene->body[brick].escape[e];
  scene->body[ball].escape[1] -= 1;
}

/* False when out of memory. */
static bool build(perp_making *m, wall *w, const wall_parameters *par)
{
  const wall_size *size = &sizes[par->size];
  w->bricks = par->size ? size->bodies - 1 : par->rows * par->columns;
  w->columns = par->size ? size->columns : par->columns;
  if (!PERP_TAKE(&m->arena, PERP_ARRAY(w->face, 3 * (size_t)w->bricks)))
    return false;
  lay_bricks(w);
  if (w->scene.failed)
    return false;
  lay_heads(w);
  centre_beds(w);
  const int contacts = size->rows / 3 - 1; /* one is the ball's */
  if (par->size)
    deal_named(w, contacts);
  else if (!deal_custom(m, w, par->open))
    return false;
  for (int f = 0; f < w->faces; f++)
    touch_face(&w->scene, &w->face[f], &m->random);
  /* in the middle of the wall, or of the rows that have contacts */
  const int covered = par->size && contacts < w->beds ? w->face[contacts].a : w->bricks;
  const int brick = covered / w->columns / 2 * w->columns + w->columns / 2;
  const int hit = brick < w->bricks ? brick : w->bricks - 1;
  add_ball(w, par, hit);
  if (w->scene.failed)
    return false;
  set_escape(&w->scene, hit, w->bricks);
  return true;
}

static perp_error make(perp_making *m)
{
  wall_parameters par = *(const wall_parameters *)m->parameters;
  if (par.size && perp_contact_jointed(&par.contact))
    return perp_making_refuse(m, "size = %s has no joints, so its form is not mixed but stick",
                              size_names[par.size]);
  if (par.contact.cfm < 0)
    par.contact.cfm = sizes[par.size].cfm;
  const perp_error error = perp_contact_check(m, &par.contact);
  if (error)
    return error;
  wall w = {.scene = {.pieces = m->pieces}};
  if (!build(m, &w, &par))
    w.scene.failed = true;
  return perp_contact_problem(m, &par.contact, &w.scene);
}

const perp_generator perp_generators_scene_wall[] = {
    {"wall", "a brick wall and a wrecking ball", "contact", "morales-nocedal-smelyanskiy-2008",
     parameters, sizeof(wall_parameters), make},
    {0},
};
