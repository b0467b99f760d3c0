/* face.h: the solutions of an LCP on one singular basis */
#pragma once

#include <stdbool.h>

/* {z >= 0 in R^d: E z = e, G z + g >= 0}, d <= rows. Row i of T holds (E e) or (G g); `equal[i]`
 * tells which; ld >= d + 1. */
typedef enum perp_face { PERP_FACE_EMPTY, PERP_FACE_POINT, PERP_FACE_MANY } perp_face;

/* z: d numbers, a point of it in the relative interior. work: perp_face_work(rows, d) doubles,
 * basis: rows ints. */
perp_face perp_face_examine(int rows, int d, const double *T, int ld, const bool *equal, double *z,
                            double *work, int *basis);
int perp_face_work(int rows, int d);
