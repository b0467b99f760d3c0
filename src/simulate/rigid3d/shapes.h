/* rigid3d/shapes.h: where two spheres, boxes or capsules touch, or may within a step
 *
 * For builds without ODE (collide_own.c). */
#pragma once

#include <perp/simulate.h>

typedef struct perp_placed3 {
  perp_shape_kind kind;
  double size[3]; /* as in perp_shape */
  double at[3], R[9];
  bool ground; /* a box of which only the upper side counts, which goes on for ever */
} perp_placed3;

typedef struct perp_point3 {
  double at[3];     /* in the middle between the two */
  double normal[3]; /* from a to b */
  double gap;       /* below 0 if they overlap */
  unsigned place;   /* 0 to 3: which of the points of a pair, the same from step to step */
} perp_point3;

enum { PERP_PLACES3 = 4 };

/* Points whose gap is at most `reach`; how many there are. The gap of two round shapes, or of one and
 * a box, is their distance; that of two boxes is one along the axis that separates them best, which is
 * less than the distance if corners or edges are nearest. */
int perp_shapes3_touch(const perp_placed3 *a, const perp_placed3 *b, double reach,
                       perp_point3 point[PERP_PLACES3]);
