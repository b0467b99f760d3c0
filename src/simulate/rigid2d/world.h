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

/* ---- Building ---- */

/* A body at rest; density 0: fixed. Its index, -1 when out of memory. */
int perp_world2_disc(perp_world *world, double x, double y, double radius, double density);
int perp_world2_polygon(perp_world *world, double x, double y, double angle, int corners,
                        const double *corner, double density);
int perp_world2_box(perp_world *world, double x, double y, double angle, double width,
                    double height, double density);

/* ---- Moving ---- */

perp_error perp_world2_step(perp_world *world, perp_stepper *stepper, perp_message *why);
/* Fills world->contact; the bodies' corners are where they are now. */
perp_error perp_world2_collide(perp_world *world, perp_message *why);
/* The contacts of one pair go behind the others; false when out of memory (collide.c). */
bool perp_world2_collide_pair(perp_world *world, int a, int b, double reach);

/* ---- For the tables of scenes, whose states are a perp_world ---- */

/* The scene is built if `fine`: hands it over, else frees it. world may be NULL. */
perp_error perp_world2_finish(perp_world *world, bool fine, void **state, perp_message *why);
void perp_world2_destroy_scene(void *state);
