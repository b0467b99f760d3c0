/* scene_pile.c: a heap of balls in the shape of a tetrahedron
 *
 * Ball (i, j, k) with i + j + k < s lies in layer k; it rests on (i, j, k-1), (i+1, j, k-1) and
 * (i, j+1, k-1). Layers are filled from the ground up until there are n balls.
 *
 * hexagonal: equal balls, closest packing, centre at i a_1 + j a_2 + k a_3 with three unit vectors
 * 60 degrees apart. Neighbours of a layer touch too, so a ball far inside has 12 contacts, and
 * without friction the contacts outnumber the 3 n ways to move: A is only semi-definite.
 *
 * random: pebbles. The lattice is stretched sideways so that neighbours of a layer stay apart, and
 * every centre is displaced at random; each pebble touches its three (pebbles are a little out of
 * round), half way between the centres. That is as many contacts as it has ways to move: J without
 * friction is block triangular with full rank, and A is positive definite without cfm.
 *
 * In both a dilation opens every contact, since the normal joins the centres.
 *
 * Joints: a ball and one of its earlier neighbours, each in one pair at the most, are joined where
 * they touch, and have no contact then. */
#include "generate/scene.h"

#include <math.h>

typedef struct pile_parameters {
  int n, layout;
  double spread;
  perp_contact_options contact;
} pile_parameters;

enum { HEXAGONAL, RANDOM };
static const char *const layouts[] = {"hexagonal", "random", NULL};

static const perp_parameter parameters[] = {
    PERP_INTEGER(pile_parameters, n, 100, 1, 10000000, "balls"),
    PERP_CHOICE(pile_parameters, layout, HEXAGONAL, 1, layouts,
                "closest packing, or displaced pebbles"),
    PERP_REAL(pile_parameters, spread, 0.2, 0, 0.3,
              "displacement to radius, and difference of masses, layout = random"),
    PERP_CONTACT_LCP_ROWS(pile_parameters),
    {0},
};

static const double RADIUS = 0.5;
static const double STRETCH = 1.1; /* of a random pile */

/* Side of the smallest tetrahedron with n balls: s (s + 1) (s + 2) / 6 >= n. */
static int64_t side_for(int n)
{
  int64_t s = 1;
  while (s * (s + 1) * (s + 2) / 6 < n)
    s++;
  return s;
}

typedef struct pile {
  perp_scene *scene;
  const pile_parameters *par;
  int64_t side;
  bool *paired; /* by ball: has a joint already */
} pile;

/* Number of ball (i, j, k): layers below, then rows j of m - j balls. -1 if there is none. */
static int64_t number(const pile *p, int64_t i, int64_t j, int64_t k)
{
  const int64_t s = p->side, m = s - k;
  if (i < 0 || j < 0 || k < 0 || i + j + k >= s)
    return -1;
  const int64_t below = (s * (s + 1) * (s + 2) - m * (m + 1) * (m + 2)) / 6;
  return below + j * m - j * (j - 1) / 2 + i;
}

/* The contact of ball a with the earlier ball b, half way, or a joint there. */
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

static void add_ball(pile *p, perp_random *random, int64_t i, int64_t j, int64_t k)
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

static perp_error make(perp_making *m)
{
  const pile_parameters *par = m->parameters;
  const perp_error error = perp_contact_check(m, &par->contact);
  if (error)
    return error;
  perp_scene scene = {.pieces = m->pieces};
  pile p = {
      .scene = &scene,
      .par = par,
      .side = side_for(par->n),
      .paired = perp_arena_alloc_zero(&m->arena, (size_t)par->n, sizeof *p.paired),
  };
  scene.failed = !p.paired;
  for (int64_t k = 0; k < p.side; k++)
    for (int64_t j = 0; j + k < p.side; j++)
      for (int64_t i = 0; i + j + k < p.side && scene.bodies < par->n && !scene.failed; i++)
        add_ball(&p, &m->random, i, j, k);
  /* so high a lift that the ground contacts open too, however far out they are */
  perp_scene_escape(&scene, 1, 1e6 * (double)p.side);
  return perp_contact_problem(m, &par->contact, &scene);
}

const perp_generator perp_generators_scene_pile[] = {
    {"pile", "a heap of balls", "contact", "stewart-trinkle-1996", parameters,
     sizeof(pile_parameters), make},
    {0},
};
