/* rigid3d/shapes.h: contact points of two spheres, boxes or capsules that touch or may touch within
 * a step (collide.c) */
#pragma once

#include <perp/simulate.h>

typedef struct perp_placed3 {
  perp_shape_kind kind;
  double size[3]; /* as in perp_shape */
  double at[3], R[9];
  bool ground; /* a box of which only the upper side counts, extended without end */
} perp_placed3;

typedef struct perp_point3 {
  double at[3];     /* in the middle between the two */
  double normal[3]; /* from a to b */
  double gap;       /* below 0 if they overlap */
  unsigned place;   /* 0 to 3: identifies a point of a pair from step to step */
} perp_point3;

enum { PERP_PLACES3 = 4 };

/* Finds the points whose gap is at most `reach` and returns their count. If a shape is round, the
 * gap is the distance. For two boxes it is the gap along the best separating axis, which is less
 * than the distance if corners or edges are nearest. */
int perp_shapes3_touch(const perp_placed3 *a, const perp_placed3 *b, double reach,
                       perp_point3 point[PERP_PLACES3]);
