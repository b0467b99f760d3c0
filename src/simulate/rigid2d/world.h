/* rigid2d/world.h: discs and convex polygons in a plane, and the contacts between them
 *
 * The step and the energies, shared with bodies in space, are in rigid/world.h. */
#pragma once

#include "simulate/rigid/world.h"

enum { PERP_CORNERS = 8 };

/* The outline of a body around its centre of mass. */
typedef struct perp_outline2 {
  int corners;                     /* 0: a disc with the radius of its body */
  double corner[2 * PERP_CORNERS]; /* counterclockwise */
  double now[2 * PERP_CORNERS];    /* their current positions */
} perp_outline2;

/* ---- Building ---- */

/* Adds a body at rest; density 0: fixed. Returns its index, -1 when out of memory. */
int perp_world2_disc(perp_world *world, double x, double y, double radius, double density);
int perp_world2_polygon(perp_world *world, double x, double y, double angle, int corners,
                        const double *corner, double density);
int perp_world2_box(perp_world *world, double x, double y, double angle, double width,
                    double height, double density);

/* ---- Moving ---- */

/* Fills world->contact from the current corners of the bodies. */
perp_error perp_world2_collide(perp_world *world, perp_message *why);
/* Appends the contacts of one pair; returns false when out of memory (collide.c). */
bool perp_world2_collide_pair(perp_world *world, int a, int b, double reach);

extern const perp_world_kind perp_world_plane;
