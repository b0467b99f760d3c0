/* scene_arch.c: a semicircular arch of wedge-shaped stones without mortar
 *
 * n stones between radii 4 and 5, depth 1, meet at radial faces at the angles pi k / n,
 * k = 0 .. n; faces 0 and n stand on the ground. Four contacts at the corners of each face, normal
 * along the arch. A stone has the mass and inertia of a box as long as its middle arc. With enough
 * friction it stands, since a line of thrust fits inside it; the impulses that hold it are not
 * unique, since the four normal rows of a face have rank three.
 *
 * Joints: ball joints in the middle of the two faces on the ground and of the one at the crown, in
 * place of their contacts: the arch of three hinges. */
#include "generate/scene.h"

#include <math.h>

typedef struct arch_parameters {
  int n;
  perp_contact_options contact;
} arch_parameters;

static const perp_parameter parameters[] = {
    PERP_INTEGER(arch_parameters, n, 11, 3, 1000000, "stones"),
    PERP_CONTACT_LCP_ROWS(arch_parameters),
    {0},
};

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
  const arch_parameters *par = m->parameters;
  const perp_error error = perp_contact_check(m, &par->contact);
  if (error)
    return error;
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

const perp_generator perp_generators_scene_arch[] = {
    {"arch", "a stone arch", "contact", "kaufman-sueda-james-pai-2008", parameters,
     sizeof(arch_parameters), make},
    {0},
};
