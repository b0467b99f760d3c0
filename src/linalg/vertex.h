/* vertex.h: an exact proof that inequalities contradict each other, from a ray up to rounding */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* L <= (x, G x) <= U */
typedef struct perp_inequalities {
  int n, m;
  const int64_t *start, *t_start; /* G by rows, and G^T */
  const int *column, *t_column;
  const double *value, *t_value;
  const double *L, *U; /* n + m */
  const double *D;     /* n + m powers of two: entries G_ij D_(n+i) D_j are about 1 */
  bool (*go_on)(void *context);
  /* Gets each exact proof z, rounded to doubles. If it returns false, another one is tried. */
  bool (*holds)(void *context, const double *z);
  void *context;
} perp_inequalities;

/* Removes the entries of z that have the wrong sign for the bounds of G x. Then keeps the part of z
 * that is nearest to a proof: parts have no x in common. Returns its error, 0 for a proof without
 * rounding, or infinity: the largest (G^T z)_j that no bound of x_j allows, relative to the smaller
 * of |z| and the gap. D may be NULL: units of 1. part and the arrays of work have n + m entries. */
double perp_ray_error(const perp_inequalities *s, double *z, int *part, double *const work[4]);

/* Tries the vertex of the cone of rays near z, m numbers: sup z^T G x over the bounds of G x is less
 * than inf over those of x. Returns true if there is a proof, also if doubles do not hold it. */
bool perp_vertex_prove(const perp_inequalities *s, const double *z);
