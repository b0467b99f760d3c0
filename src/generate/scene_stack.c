/* scene_stack.c: boxes on top of each other, and a hanging chain: one body after another
 *
 * stack: n boxes 1 x 1 x 0.5, box 0 on the ground, four contacts at the corners of every face.
 * Three of the four rows of a face without friction determine the fourth: A has rank 3 n and is
 * semi-definite. Masses go 1, ratio, 1, ratio, ... Joints: every second face, from the second on,
 * is a ball joint at its centre in place of its contacts.
 *
 * chain: n links of length 1 in zigzag below a hook, each hooked into the one above: the lower
 * link pushes down on the upper one at their common point, normal upwards. One contact to a link,
 * J without friction has full rank and A is positive definite, tridiagonal, with a condition
 * number that grows with n^2 and with the ratio of the masses, which alternate as in the stack.
 * Joints: every second hook is a ball joint. */
#include "generate/scene.h"

typedef struct line_parameters {
  int n;
  double ratio;
  perp_contact_options contact;
} line_parameters;

static const perp_parameter stack_parameters[] = {
    PERP_INTEGER(line_parameters, n, 10, 1, 10000000, "boxes"),
    PERP_REAL(line_parameters, ratio, 1, 1e-9, 1e9, "mass of every second box to that below it"),
    PERP_CONTACT_LCP_ROWS(line_parameters),
    {0},
};

static const perp_parameter chain_parameters[] = {
    PERP_INTEGER(line_parameters, n, 20, 1, 10000000, "links"),
    PERP_REAL(line_parameters, ratio, 100, 1e-9, 1e9, "mass of every second link to the others"),
    PERP_CONTACT_LCP_ROWS(line_parameters),
    {0},
};

static double mass_of(const line_parameters *par, int k)
{
  return k % 2 ? par->ratio : 1;
}

static perp_error make_stack(perp_making *m)
{
  const line_parameters *par = m->parameters;
  const double half[3] = {0.5, 0.5, 0.25}, up[3] = {0, 0, 1};
  const perp_error error = perp_contact_check(m, &par->contact);
  if (error)
    return error;
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
  const line_parameters *par = m->parameters;
  /* a link leans by 16 degrees to either side in turn: sine 7/25, cosine 24/25 */
  const double half[3] = {0.05, 0.05, 0.5}, up[3] = {0, 0, 1}, lean = 0.28, drop = 0.96;
  const perp_error error = perp_contact_check(m, &par->contact);
  if (error)
    return error;
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

const perp_generator perp_generators_scene_stack[] = {
    {"stack", "boxes on top of each other", "contact", "stewart-trinkle-1996", stack_parameters,
     sizeof(line_parameters), make_stack},
    {"chain", "a hanging chain of light and heavy links", "contact", "stewart-trinkle-1996",
     chain_parameters, sizeof(line_parameters), make_chain},
    {0},
};
