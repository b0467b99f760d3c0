/* scene_cards.c: a house of cards
 *
 * Level l of n has n - l pairs of cards that lean on each other at 30 degrees to the vertical, and
 * on their tops lie n - l - 1 cards that carry the next level. All cards are 1 long and 0.7 deep;
 * they are taken as thin when contacts are placed. Every edge touches in two points, 0.35 to
 * either side: the feet on the ground or on the end of the card below, normal upwards; the tops of
 * a pair against each other, normal sideways; a lying card on the inner tops at its two ends.
 *
 * Joints: the tops of each pair are a ball joint in their middle in place of their contacts. */
#include "generate/scene.h"

#include <math.h>

typedef struct cards_parameters {
  int n;
  perp_contact_options contact;
} cards_parameters;

static const perp_parameter parameters[] = {
    PERP_INTEGER(cards_parameters, n, 3, 1, 1000, "levels"),
    PERP_CONTACT_LCP_ROWS(cards_parameters),
    {0},
};

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

/* The leaning pair whose tops meet at x and whose feet stand on `under` at the height z. Returns
 * the number of the left card; the right one is the next. */
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

static perp_error make(perp_making *m)
{
  const cards_parameters *par = m->parameters;
  const perp_error error = perp_contact_check(m, &par->contact);
  if (error)
    return error;
  perp_scene scene = {.pieces = m->pieces};
  build(&scene, par->n, perp_contact_jointed(&par->contact));
  /* mostly upwards, and level by level: tops of a pair part at equal height, without sliding */
  perp_scene_escape(&scene, 1e-9, 1);
  return perp_contact_problem(m, &par->contact, &scene);
}

const perp_generator perp_generators_scene_cards[] = {
    {"cards", "a house of cards", "contact", "kaufman-sueda-james-pai-2008", parameters,
     sizeof(cards_parameters), make},
    {0},
};
