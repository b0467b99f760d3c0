/* scenes.c: heaps, stacks, walls, cards and arches, as contact problems */
#include "generate/scene.h"

#include <math.h>
#include <string.h>

/* Parameters of scenes: each table has some of them, with its own defaults. */
typedef struct settings {
  perp_contact_options contact;
  int n, layout, size, rows, columns;
  double spread, ratio, open, ball, speed;
} settings;

/* ---- A heap of balls ----
 *
 * Ball (i, j, k) with i + j + k < s is in layer k; it rests on (i, j, k-1), (i+1, j, k-1) and (i,
 * j+1, k-1). Layers are filled from the ground up until there are n balls.
 *
 * hexagonal: equal balls, closest packing, centre at i a_1 + j a_2 + k a_3 with three unit vectors
 * 60 degrees apart; neighbours in a layer touch too.
 *
 * random: pebbles. The lattice is stretched sideways so that neighbours of a layer stay apart, and
 * every centre is displaced at random; each pebble touches its three (pebbles are slightly out of
 * round), half way between the centres.
 *
 * In both cases a dilation opens every contact, since the normal joins the centres.
 *
 * Joints: a ball and one of its earlier neighbours, each in at most one pair, are joined at their
 * contact point instead of a contact. */

enum { HEXAGONAL, RANDOM };
static const char *const layouts[] = {"hexagonal", "random", NULL};

static const perp_parameter pile_table[] = {
    PERP_INTEGER(settings, n, 100, 1, 10000000, "balls"),
    PERP_CHOICE(settings, layout, HEXAGONAL, 1, layouts, "closest packing, or displaced pebbles"),
    PERP_REAL(settings, spread, 0.2, 0, 0.3,
              "displacement to radius, and difference of masses, layout = random"),
    PERP_CONTACT_LCP_ROWS(settings),
    {0}};

static const double RADIUS = 0.5;
static const double STRETCH = 1.1; /* of a random pile */

typedef struct pile {
  perp_scene *scene;
  const settings *par;
  int64_t side;
  bool *paired; /* by ball: has a joint already */
} pile;

/* Returns the index of ball (i, j, k): layers below, then rows j of m - j balls; or -1. */
static int64_t number(const pile *p, int64_t i, int64_t j, int64_t k)
{
  const int64_t s = p->side, m = s - k;
  if (i < 0 || j < 0 || k < 0 || i + j + k >= s)
    return -1;
  const int64_t below = (s * (s + 1) * (s + 2) - m * (m + 1) * (m + 2)) / 6;
  return below + j * m - j * (j - 1) / 2 + i;
}

/* Adds the contact of ball a with the earlier ball b, half way, or a joint there. */
static void connect(pile *p, int a, int b)
{
  const double *pa = p->scene->body[a].position, *pb = p->scene->body[b].position;
  double normal[3], point[3], square = 0;
  for (int e = 0; e < 3; e++)
    square += (pa[e] - pb[e]) * (pa[e] - pb[e]);
  for (int e = 0; e < 3; e++) {
    normal[e] = (pa[e] - pb[e]) / sqrt(square);
    point[e] = 0.5 * (pa[e] + pb[e]);
  }
  if (perp_contact_jointed(&p->par->contact) && !p->paired[a] && !p->paired[b]) {
    p->paired[a] = p->paired[b] = true;
    perp_scene_joint(p->scene, a, b, point);
  } else {
    perp_scene_touch(p->scene, a, b, point, normal, 0);
  }
}

/* On the lattice: d between centres of a layer, and between layers the height h of a tetrahedron
 * with base d and sides 2 r, h^2 = 4 r^2 - d^2 / 3. */
static void place(const pile *p, perp_random *random, int64_t i, int64_t j, int64_t k,
                  double centre[3])
{
  const bool displaced = p->par->layout == RANDOM;
  const double d = 2 * RADIUS * (displaced ? STRETCH : 1);
  const double height = sqrt(4 * RADIUS * RADIUS - d * d / 3);
  const double di = (double)i, dj = (double)j, dk = (double)k;
  centre[0] = d * (di + 0.5 * dj + 0.5 * dk);
  centre[1] = d * (0.5 * sqrt(3) * dj + 0.5 / sqrt(3) * dk);
  centre[2] = RADIUS + height * dk;
  const double most = p->par->spread * RADIUS;
  for (int e = 0; displaced && e < (k > 0 ? 3 : 2); e++)
    centre[e] += perp_random_between(random, -most, most);
}

static void pile_add_ball(pile *p, perp_random *random, int64_t i, int64_t j, int64_t k)
{
  const bool equal = p->par->layout == HEXAGONAL;
  const double up[3] = {0, 0, 1}, spread = p->par->spread;
  double centre[3];
  place(p, random, i, j, k, centre);
  const double mass = equal ? 1 : perp_random_between(random, 1 - spread, 1 + spread);
  const int ball = perp_scene_ball(p->scene, mass, RADIUS, centre);
  if (p->scene->failed)
    return;
  if (k == 0) {
    const double foot[3] = {centre[0], centre[1], 0};
    perp_scene_touch(p->scene, ball, PERP_WORLD, foot, up, 0);
  }
  const int64_t earlier[6] = {
      number(p, i, j, k - 1), number(p, i + 1, j, k - 1), number(p, i, j + 1, k - 1),
      number(p, i - 1, j, k), number(p, i, j - 1, k),     number(p, i + 1, j - 1, k),
  };
  for (int e = 0; e < (equal ? 6 : 3); e++)
    if (earlier[e] >= 0)
      connect(p, ball, (int)earlier[e]);
}

static perp_error pile_make(perp_making *m)
{
  const settings *par = m->parameters;
  perp_scene scene = {.pieces = m->pieces};
  pile p = {
      .scene = &scene,
      .par = par,
      .side = 1,
      .paired = perp_arena_alloc_zero(&m->arena, (size_t)par->n, sizeof *p.paired),
  };
  while (p.side * (p.side + 1) * (p.side + 2) / 6 < par->n) /* balls of a tetrahedron */
    p.side++;
  scene.failed = !p.paired;
  for (int64_t k = 0; k < p.side; k++)
    for (int64_t j = 0; j + k < p.side; j++)
      for (int64_t i = 0; i + j + k < p.side && scene.bodies < par->n && !scene.failed; i++)
        pile_add_ball(&p, &m->random, i, j, k);
  /* a lift large enough to open the ground contacts too, however far out they are */
  perp_scene_escape(&scene, 1, 1e6 * (double)p.side);
  return perp_contact_problem(m, &par->contact, &scene);
}

/* ---- A stack ----
 *
 * stack: n boxes 1 x 1 x 0.5, box 0 on the ground, four contacts at the corners of every face. Masses
 * alternate: 1, ratio, 1, ratio, ... Joints: every second face, from the second on, is a ball joint at its
 * centre in place of its contacts.
 *
 * chain: n links of length 1 in zigzag below a hook, each hooked into the one above: the lower link
 * pushes down on the upper one at their common point, normal upwards. Masses as in the stack. Joints:
 * every second hook is a ball joint. */

static const perp_parameter stack_table[] = {
    PERP_INTEGER(settings, n, 10, 1, 10000000, "boxes"),
    PERP_REAL(settings, ratio, 1, 1e-9, 1e9, "mass of every second box to that below it"),
    PERP_CONTACT_LCP_ROWS(settings),
    {0}};

static const perp_parameter chain_table[] = {
    PERP_INTEGER(settings, n, 20, 1, 10000000, "links"),
    PERP_REAL(settings, ratio, 100, 1e-9, 1e9, "mass of every second link to the others"),
    PERP_CONTACT_LCP_ROWS(settings),
    {0}};

static double mass_of(const settings *par, int k)
{
  return k % 2 ? par->ratio : 1;
}

static perp_error make_stack(perp_making *m)
{
  const settings *par = m->parameters;
  const double half[3] = {0.5, 0.5, 0.25}, up[3] = {0, 0, 1};
  perp_scene scene = {.pieces = m->pieces};
  for (int k = 0; k < par->n && !scene.failed; k++) {
    const double floor = 0.5 * k, centre[3] = {0, 0, floor + half[2]};
    const int box = perp_scene_box(&scene, mass_of(par, k), half, centre, 1, 0);
    const int below = k > 0 ? box - 1 : PERP_WORLD;
    if (perp_contact_jointed(&par->contact) && k % 2) {
      const double middle[3] = {0, 0, floor};
      perp_scene_joint(&scene, box, below, middle);
      continue;
    }
    for (int corner = 0; corner < 4; corner++) {
      const double point[3] = {corner % 2 ? half[0] : -half[0], corner / 2 ? half[1] : -half[1],
                               floor};
      perp_scene_touch(&scene, box, below, point, up, 0);
    }
  }
  perp_scene_escape(&scene, 1, 0);
  return perp_contact_problem(m, &par->contact, &scene);
}

static perp_error make_chain(perp_making *m)
{
  const settings *par = m->parameters;
  /* a link leans by 16 degrees to either side in turn: sine 7/25, cosine 24/25 */
  const double half[3] = {0.05, 0.05, 0.5}, up[3] = {0, 0, 1}, lean = 0.28, drop = 0.96;
  perp_scene scene = {.pieces = m->pieces};
  for (int k = 0; k < par->n && !scene.failed; k++) {
    const double side = k % 2 ? -lean : lean;
    const double hook[3] = {k % 2 ? lean : 0, 0, -drop * k};
    const double centre[3] = {hook[0] + 0.5 * side, 0, hook[2] - 0.5 * drop};
    /* the body's z axis (-s, 0, c) runs up along the link */
    const int link = perp_scene_box(&scene, mass_of(par, k), half, centre, drop, side);
    const int above = k > 0 ? link - 1 : PERP_WORLD;
    if (perp_contact_jointed(&par->contact) && k % 2)
      perp_scene_joint(&scene, link, above, hook);
    else
      perp_scene_touch(&scene, link, above, hook, up, 0);
  }
  /* a hook opens if the lower link rises faster than the upper one */
  for (int k = 0; k < scene.bodies; k++)
    scene.body[k].escape[2] = k + 1;
  return perp_contact_problem(m, &par->contact, &scene);
}

/* ---- A wall ----
 *
 * Bricks 2 x 1 x 0.5 of mass 1 are laid in rows, every second row shifted by half a brick, so that
 * a brick rests on two (at the ends on one). Bed joints (between rows and on the ground) and head
 * joints (between neighbours in a row) have contacts at their corners. A ball touches the middle of
 * a brick face with the given speed.
 *
 * Named sizes: the problems of Morales, Nocedal and Smelyanskiy (2008, table 1), nbB_ncR with B
 * bodies and R rows. The R/3 contacts of three rows each (forms stick, findex, cone) are assigned
 * one to each bed joint from the ground up, one to each head joint, then a second to each, and so
 * on; bricks whose beds get none are unsupported. By default cfm then gives A the condition number
 * of the table: A without C is singular (except the smallest), so it is (lambda_max + cfm) / cfm.
 *
 * Joints: the ball hangs from the world on three links, with four ball joints. */

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

static const perp_parameter wall_table[] = {
    PERP_CHOICE(settings, size, 0, 10, size_names,
                "rows and columns, or bodies and rows of a published problem"),
    PERP_INTEGER(settings, rows, 8, 1, 3000, "rows of bricks, size = custom"),
    PERP_INTEGER(settings, columns, 8, 1, 3000, "bricks in a row, size = custom"),
    PERP_REAL(settings, open, 0, 0, 1, "share of the faces that have opened, size = custom"),
    PERP_REAL(settings, ball, 100, 1e-6, 1e9, "mass of the ball, a brick has 1"),
    PERP_REAL(settings, speed, 10, -1e6, 1e6, "of the ball against the wall"),
    PERP_CONTACT_ROWS(settings, PERP_CONTACT_STICK, -1,
                      "constraint force mixing, C = cfm I; -1: as published, custom: 0"),
    {0}};

static const double BRICK[3] = {1, 0.5, 0.25}; /* half a brick: along the wall, across, up */

/* The face between two bricks: a rectangle with half sides u along the wall or up, BRICK[1]
 * across. */
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

static void wall_add_face(wall *w, int a, int b, bool head, int x, double z)
{
  w->face[w->faces++] = (face){
      .a = a,
      .b = b,
      .head = head,
      .x = x * BRICK[0],
      .z = z,
      /* a brick covers half of one below, all of the ground */
      .u = head              ? BRICK[2]
           : b == PERP_WORLD ? BRICK[0]
                             : 0.5 * BRICK[0],
  };
  w->beds += !head;
}

/* Lists bricks row by row, and the beds of each; x of a bed counts half bricks. */
static void lay_bricks(wall *w)
{
  for (int k = 0; k < w->bricks && !w->scene.failed; k++) {
    const int r = k / w->columns, c = k % w->columns, left = left_end(r, c);
    const double floor = 2 * BRICK[2] * r;
    const double centre[3] = {(left + 1) * BRICK[0], 0, floor + BRICK[2]};
    perp_scene_box(&w->scene, 1, BRICK, centre, 1, 0);
    if (r == 0) {
      wall_add_face(w, k, PERP_WORLD, false, left + 1, floor);
      continue;
    }
    const int first = r % 2 ? c : c - 1; /* of the two below */
    for (int d = first; d <= first + 1; d++)
      if (d >= 0 && d < w->columns)
        wall_add_face(w, k, (r - 1) * w->columns + d, false, 0, floor);
  }
}

static void lay_heads(wall *w)
{
  for (int k = 0; k < w->bricks; k++) {
    const int r = k / w->columns, c = k % w->columns;
    if (c > 0)
      wall_add_face(w, k, k - 1, true, left_end(r, c), 2 * BRICK[2] * r + BRICK[2]);
  }
}

/* Returns the middle of the common part of two bricks. */
static void centre_beds(wall *w)
{
  for (int f = 0; f < w->beds; f++) {
    face *bed = &w->face[f];
    if (bed->b != PERP_WORLD)
      bed->x = 0.5 * (w->scene.body[bed->a].position[0] + w->scene.body[bed->b].position[0]);
  }
}

/* Puts contacts at all corners of all faces, except for a random share of them. */
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

/* Orders the corners of a face: starts at a random one and continues with the one opposite. */
static void touch_face(perp_scene *scene, const face *f, perp_random *random)
{
  const double up[3] = {0, 0, 1}, along[3] = {1, 0, 0};
  const int first = perp_random_below(random, 4);
  for (int k = 0; k < f->points; k++) {
    const int corner = first ^ ((k & 1 ? 3 : 0) ^ (k & 2 ? 1 : 0));
    const double u = corner & 1 ? f->u : -f->u, y = corner & 2 ? BRICK[1] : -BRICK[1];
    const double point[3] = {f->head ? f->x : f->x + u, y, f->head ? f->z + u : f->z};
    perp_scene_touch(scene, f->a, f->b, point, f->head ? along : up, 0);
  }
}

/* Adds the ball in front of the brick, on its links if it hangs. */
static void add_ball(wall *w, const settings *par, int brick)
{
  const double radius = 1, back[3] = {0, -1, 0}, link_half[3] = {0.05, 0.05, 0.5};
  perp_scene *scene = &w->scene;
  double point[3], centre[3];
  for (int e = 0; e < 3; e++) {
    point[e] = scene->body[brick].position[e] + BRICK[1] * back[e];
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

/* False when out of memory. */
static bool wall_build(perp_making *m, wall *w, const settings *par)
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
  const int contacts = size->rows / 3 - 1;        /* one is the ball's */
  for (int k = 0; par->size && k < contacts; k++) /* on each face in turn */
    w->face[k % w->faces].points++;
  if (!par->size && !deal_custom(m, w, par->open))
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
  /* mostly upwards, so that beds open faster than they slide; the ball goes straight back */
  perp_scene_escape(&w->scene, 1e-9, 1);
  double *escape = w->scene.body[w->bricks].escape;
  memcpy(escape, w->scene.body[hit].escape, sizeof w->scene.body->escape);
  escape[1] -= 1;
  return true;
}

static perp_error wall_make(perp_making *m)
{
  settings par = *(const settings *)m->parameters;
  if (par.size && perp_contact_jointed(&par.contact))
    return perp_making_refuse(m, "size = %s has no joints: use form = stick, not mixed",
                              size_names[par.size]);
  if (par.contact.cfm < 0)
    par.contact.cfm = sizes[par.size].cfm;
  wall w = {.scene = {.pieces = m->pieces}};
  if (!wall_build(m, &w, &par))
    w.scene.failed = true;
  return perp_contact_problem(m, &par.contact, &w.scene);
}

/* ---- A house of cards ----
 *
 * Level l of n has n - l pairs of cards that lean on each other at 30 degrees to the vertical, and
 * n - l - 1 horizontal cards on their tops carry the next level. All cards are 1 long and 0.7 deep;
 * contacts are placed as if they had no thickness. Every edge touches in two points, 0.35 to either
 * side: the feet on the ground or on the end of the card below, normal upwards; the tops of a pair
 * against each other, normal sideways; a horizontal card on the inner tops at its two ends.
 *
 * Joints: the tops of each pair are a ball joint in their middle in place of their contacts. */

static const perp_parameter cards_table[] = {
    PERP_INTEGER(settings, n, 3, 1, 1000, "levels"), PERP_CONTACT_LCP_ROWS(settings), {0}};

static const double HALF[3] = {0.01, 0.35, 0.5}; /* thickness, depth, length along z, halved */
static const double MASS = 1;
static const double LEAN = 0.5; /* sine of 30 degrees */

/* Two contacts on the line in depth through (x, z). */
static void touch_edge(perp_scene *scene, int a, int b, double x, double z, const double normal[3])
{
  for (int side = -1; side < 2; side += 2) {
    const double point[3] = {x, side * HALF[1], z};
    perp_scene_touch(scene, a, b, point, normal, 0);
  }
}

/* Adds the leaning pair whose tops meet at x and whose feet are on `under` at the height z. Returns
 * the index of the left card; the right one is the next. */
static int add_pair(perp_scene *scene, bool jointed, double x, double z, int under)
{
  const double up[3] = {0, 0, 1}, right_hand[3] = {1, 0, 0};
  const double rise = sqrt(1 - LEAN * LEAN), top[3] = {x, 0, z + rise};
  const double left_centre[3] = {x - 0.5 * LEAN, 0, z + 0.5 * rise};
  const double right_centre[3] = {x + 0.5 * LEAN, 0, z + 0.5 * rise};
  /* the body's z axis (-s, 0, c) runs from foot to top */
  const int left = perp_scene_box(scene, MASS, HALF, left_centre, rise, -LEAN);
  const int right = perp_scene_box(scene, MASS, HALF, right_centre, rise, LEAN);
  touch_edge(scene, left, under, x - LEAN, z, up);
  touch_edge(scene, right, under, x + LEAN, z, up);
  if (jointed)
    perp_scene_joint(scene, right, left, top);
  else
    touch_edge(scene, right, left, x, z + rise, right_hand);
  return left;
}

/* Levels from the ground: `under` is the first lying card of the level below, `pair` the first
 * leaning card of this one. */
static void build(perp_scene *scene, int levels, bool jointed)
{
  const double up[3] = {0, 0, 1}, rise = sqrt(1 - LEAN * LEAN);
  int under = PERP_WORLD;
  for (int l = 0; l < levels && !scene->failed; l++) {
    const int pair = scene->bodies;
    for (int i = 0; i < levels - l; i++)
      add_pair(scene, jointed, (2 * i + l) * LEAN, l * rise, l > 0 ? under + i : PERP_WORLD);
    under = scene->bodies;
    for (int i = 0; i < levels - l - 1; i++) {
      const double centre[3] = {(2 * i + l + 1) * LEAN, 0, (l + 1) * rise};
      /* lying: the body's long axis z is turned onto -x */
      const int lying = perp_scene_box(scene, MASS, HALF, centre, 0, 1);
      touch_edge(scene, lying, pair + 2 * i + 1, centre[0] - LEAN, centre[2], up);
      touch_edge(scene, lying, pair + 2 * i + 2, centre[0] + LEAN, centre[2], up);
    }
  }
}

static perp_error cards_make(perp_making *m)
{
  const settings *par = m->parameters;
  perp_scene scene = {.pieces = m->pieces};
  build(&scene, par->n, perp_contact_jointed(&par->contact));
  /* mostly upwards, and level by level: tops of a pair part at equal height, without sliding */
  perp_scene_escape(&scene, 1e-9, 1);
  return perp_contact_problem(m, &par->contact, &scene);
}

/* ---- An arch ----
 *
 * n stones between radii 4 and 5, depth 1, meet at radial faces at the angles pi k / n, k = 0 .. n;
 * faces 0 and n are on the ground. Four contacts at the corners of each face, normal along the
 * arch. A stone has the mass and inertia of a box as long as its middle arc.
 *
 * Joints: ball joints in the middle of the two faces on the ground and of the one at the crown, in
 * place of their contacts: the arch of three hinges. */

static const perp_parameter parameters[] = {
    PERP_INTEGER(settings, n, 11, 3, 1000000, "stones"), PERP_CONTACT_LCP_ROWS(settings), {0}};

static const double INNER = 4, OUTER = 5, DEPTH = 1, DENSITY = 1;
static const double PI = 3.14159265358979323846;

static void add_stone(perp_scene *scene, int k, int n)
{
  const double middle = 0.5 * (INNER + OUTER), arc = PI * middle / n;
  const double half[3] = {0.5 * (OUTER - INNER), 0.5 * DEPTH, 0.5 * arc};
  double c, s;
  perp_scene_turn(2 * k + 1, 4 * n, &c, &s);
  const double centre[3] = {middle * c, 0, middle * s};
  /* the body's x axis points along the radius */
  perp_scene_box(scene, DENSITY * 8 * (half[0] * half[1] * half[2]), half, centre, c, s);
}

/* Face k between stones k - 1 and k. Seen along growing angles the normal of stone k is
 * (-sin, 0, cos); at the last face the ground is behind, and the stone is pushed back. */
static void add_face(perp_scene *scene, int k, int n, bool joint)
{
  double c, s;
  perp_scene_turn(k, 2 * n, &c, &s);
  const int a = k < n ? k : n - 1, b = k == 0 || k == n ? PERP_WORLD : k - 1;
  const double forward = k < n ? 1 : -1, normal[3] = {-forward * s, 0, forward * c};
  if (joint) {
    const double middle = 0.5 * (INNER + OUTER), point[3] = {middle * c, 0, middle * s};
    perp_scene_joint(scene, a, b, point);
    return;
  }
  for (int corner = 0; corner < 4; corner++) {
    const double r = corner % 2 ? OUTER : INNER;
    const double point[3] = {r * c, corner / 2 ? 0.5 * DEPTH : -0.5 * DEPTH, r * s};
    perp_scene_touch(scene, a, b, point, normal, 0);
  }
}

static perp_error make(perp_making *m)
{
  const settings *par = m->parameters;
  const bool jointed = perp_contact_jointed(&par->contact);
  perp_scene scene = {.pieces = m->pieces};
  for (int k = 0; k < par->n; k++)
    add_stone(&scene, k, par->n);
  for (int k = 0; k <= par->n && !scene.failed; k++)
    add_face(&scene, k, par->n, jointed && (k == 0 || k == par->n / 2 || k == par->n));
  /* a dilation about the centre parts every two stones; the lift takes both feet off the ground */
  perp_scene_escape(&scene, 1, 1e6);
  return perp_contact_problem(m, &par->contact, &scene);
}

const perp_generator perp_generators_scenes[] = {
    {"pile", "a heap of balls", "contact", "stewart-trinkle-1996", pile_table, sizeof(settings),
     pile_make, NULL},
    {"stack", "boxes on top of each other", "contact", "stewart-trinkle-1996", stack_table,
     sizeof(settings), make_stack, NULL},
    {"chain", "a hanging chain of light and heavy links", "contact", "stewart-trinkle-1996",
     chain_table, sizeof(settings), make_chain, NULL},
    {"wall", "a brick wall and a wrecking ball", "contact", "morales-nocedal-smelyanskiy-2008",
     wall_table, sizeof(settings), wall_make, NULL},
    {"cards", "a house of cards", "contact", "kaufman-sueda-james-pai-2008", cards_table,
     sizeof(settings), cards_make, NULL},
    {"arch", "a stone arch", "contact", "kaufman-sueda-james-pai-2008", parameters,
     sizeof(settings), make, NULL},
    {0}};
