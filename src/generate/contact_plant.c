/* contact_plant.c: impulses and velocities of one contact that satisfy the contact law
 *
 * The states of a contact, y = (y_n, y_t) its velocity:
 *
 *   open        x = 0, y_n > 0, y_t anything
 *   sticking    x_n > 0, x_t inside its bounds, y = 0
 *   sliding     x_n > 0, x_t at its bound against y_t, y_n = 0
 *   grazing     x = 0, y_n = 0 (between open and the others)
 *   impending   x_n > 0, x_t at its bound, y = 0 (between sticking and sliding)
 *
 * The cone in De Saxce's form: u = y + mu |y_t| e_n has to be in the dual cone mu |u_t| <= u_n and
 * normal to x. Sliding: y_t = -s x_t / |x_t|, |x_t| = mu x_n, y_n = 0 give u_n = mu s and
 * x^T u = x_n mu s - mu x_n s = 0. Open: u_n = y_n + mu |y_t| >= mu |u_t|.
 *
 * The polyhedron: with the tangential velocity w, y_k = beta + d_k^T w and
 * beta = max_k (-d_k^T w). Sliding against d_k: w = -s d_k, x_k = mu x_n, so that beta = s,
 * y_k = 0, all other y >= 0 and mu x_n - sum x = 0. */
#include "base/elementary.h"
#include "generate/scene.h"

#include <math.h>

typedef enum { OPEN, STICKING, SLIDING, GRAZING, IMPENDING } contact_state;

static contact_state deal(const perp_contact_options *options, perp_random *random)
{
  const double lot = perp_random_uniform(random), next = perp_random_uniform(random);
  if (lot < options->active)
    return next < options->sliding ? SLIDING : STICKING;
  if (lot < options->active + options->degenerate)
    return next < 0.5 ? GRAZING : IMPENDING;
  return OPEN;
}

static double magnitude(perp_random *random)
{
  return perp_random_between(random, 0.1, 1);
}

/* A direction of the plane, by drawing points of the square until one is in the disc. */
static void draw_direction(perp_random *random, double d[2])
{
  double square;
  do {
    d[0] = perp_random_between(random, -1, 1);
    d[1] = perp_random_between(random, -1, 1);
    square = d[0] * d[0] + d[1] * d[1];
  } while (square < 1e-4 || square > 1);
  d[0] /= sqrt(square);
  d[1] /= sqrt(square);
}

/* Tangential rows of their own, each within mu x_n. If one slides the other may stick. */
static void plant_box(double mu, contact_state state, perp_random *random, double *x, double *y)
{
  const int alone = perp_random_below(random, 3); /* 1, 2: only that row is at its bound */
  for (int k = 1; k < 3; k++) {
    const double place = perp_random_between(random, -0.9, 0.9), speed = magnitude(random);
    const double side = perp_random_below(random, 2) ? 1 : -1;
    const bool at_bound = (state == SLIDING || state == IMPENDING) && (alone == 0 || alone == k);
    x[k] = at_bound ? side * (mu * x[0]) : place * (mu * x[0]);
    y[k] = x[0] == 0 ? side * speed : at_bound && state == SLIDING ? -side * speed : 0;
  }
}

static void plant_cone(double mu, contact_state state, perp_random *random, double *x, double *y)
{
  double d[2];
  draw_direction(random, d);
  const double place = perp_random_uniform(random), speed = magnitude(random);
  const double reach = state == STICKING ? 0.9 * place : 1;
  const double slip = state == SLIDING || x[0] == 0 ? speed : 0;
  for (int k = 0; k < 2; k++) {
    x[1 + k] = reach * mu * x[0] * d[k];
    y[1 + k] = -slip * d[k];
  }
}

static void plant_polyhedron(double mu, int K, contact_state state, perp_random *random, double *x,
                             double *y)
{
  const int k = perp_random_below(random, K), next = (k + 1) % K;
  const double place = perp_random_uniform(random), speed = magnitude(random);
  const double reach = state == STICKING ? perp_random_between(random, 0.1, 0.9) : 1;
  double w[2] = {0, 0};
  for (int e = 1; e <= K; e++)
    x[e] = 0;
  if (state == SLIDING) {
    perp_scene_turn(k, K, &w[0], &w[1]);
    x[1 + k] = mu * x[0];
  } else if (x[0] > 0) {
    x[1 + k] = place * (reach * mu * x[0]);
    x[1 + next] = (1 - place) * (reach * mu * x[0]);
  } else {
    draw_direction(random, w);
  }
  double beta = 0;
  for (int e = 0; e < K; e++) {
    double c, s;
    perp_scene_turn(e, K, &c, &s);
    y[1 + e] = -speed * (c * w[0] + s * w[1]);
    beta = perp_max(beta, -y[1 + e]);
  }
  for (int e = 0; e < K; e++)
    y[1 + e] += beta;
  x[1 + K] = beta;
  y[1 + K] = 0; /* not used: mu x_n - sum x, whatever that is */
}

void perp_contact_plant(const perp_contact_options *options, perp_random *random,
                        perp_contact_state *contact)
{
  double *x = contact->x, *y = contact->y;
  contact_state state = deal(options, random);
  const double size = magnitude(random);
  const bool frictionless =
      options->form == PERP_CONTACT_LCP || options->form == PERP_CONTACT_MIXED;
  /* without a friction bound nothing impends: the degenerate state is grazing */
  if (state == IMPENDING && (frictionless || options->form == PERP_CONTACT_STICK))
    state = GRAZING;
  x[0] = state == OPEN || state == GRAZING ? 0 : size;
  y[0] = state == OPEN ? size : 0;
  switch ((perp_contact_form)options->form) {
  case PERP_CONTACT_LCP:
  case PERP_CONTACT_MIXED:
    break;
  case PERP_CONTACT_STICK:
    for (int k = 1; k < 3; k++) {
      x[k] = perp_random_between(random, -1, 1);
      y[k] = 0;
    }
    break;
  case PERP_CONTACT_FINDEX:
    plant_box(options->mu, state, random, x, y);
    break;
  case PERP_CONTACT_POLYHEDRAL:
    plant_polyhedron(options->mu, options->directions, state, random, x, y);
    break;
  case PERP_CONTACT_CONE:
    plant_cone(options->mu, state, random, x, y);
    break;
  }
}
