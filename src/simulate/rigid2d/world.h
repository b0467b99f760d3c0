/* rigid2d/world.h: discs and convex polygons in a plane, and the contacts between them
 *
 * What they share with bodies in space, a step and its energies, is in rigid/world.h. */
#pragma once

#include "simulate/rigid/world.h"

enum { PERP_CORNERS = 8 };

/* What is around the centre of mass of a body. */
typedef struct perp_outline2 {
  int corners;                     /* 0: a disc, of the radius of its body */
  double corner[2 * PERP_CORNERS]; /* counterclockwise */
  double now[2 * PERP_CORNERS];    /* where they are now */
} perp_outline2;

extern const char *const perp_operator2_names[];

/* The rows of a parameter table for the perp_world_parameters called `world` of a struct. */
#define PERP_WORLD2_ROWS(type)                                                                     \
  PERP_WORLD_FRICTION(type),                                                                       \
      PERP_ROW(type, "operator", PERP_TYPE_CHOICE, world.assembled, 0, 0, 1, perp_operator2_names, \
               "A kept as J M^-1 J^T + C, or assembled"),                                          \
      PERP_WORLD_ROWS(type, 0.4, 0.01), PERP_WORLD_CFM(type)

/* ---- Building (world.c) ---- */

/* A body at rest; density 0: fixed. Its index, -1 when out of memory. */
int perp_world2_disc(perp_world *world, double x, double y, double radius, double density);
int perp_world2_polygon(perp_world *world, double x, double y, double angle, int corners,
                        const double *corner, double density);
int perp_world2_box(perp_world *world, double x, double y, double angle, double width,
                    double height, double density);
/* A floor and two walls around [lo, hi], open above. False when out of memory. */
bool perp_world2_container(perp_world *world, double x0, double x1, double top);

/* Arrays for the view, made when the scene is built and when bodies come or go; false when out of
 * memory. */
bool perp_world2_prepare(perp_world *world);

/* ---- Moving ---- */

perp_error perp_world2_step(perp_world *world, perp_stepper *stepper, perp_message *why);
/* Fills world->contact; the bodies' corners are where they are now (broad.c). */
perp_error perp_world2_collide(perp_world *world, perp_message *why);
/* The contacts of one pair go behind the others; false when out of memory (collide.c). */
bool perp_world2_collide_pair(perp_world *world, int a, int b, double reach);

/* ---- For the tables of scenes, whose states are a perp_world ---- */

/* The scene is built if `fine`: hands it over, else frees it. world may be NULL. */
perp_error perp_world2_finish(perp_world *world, bool fine, void **state, perp_message *why);
void perp_world2_destroy_scene(void *state);
perp_error perp_world2_step_scene(void *state, perp_stepper *stepper, perp_message *why);
perp_error perp_world2_act(void *state, const perp_action *action, perp_message *why); /* act.c */
perp_error perp_world2_follow(void *state, const void *from, perp_message *why);
