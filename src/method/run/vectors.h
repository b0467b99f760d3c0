/* vectors.h: what the driver does with vectors of n numbers
 *
 * The verdict is one piece of code, verdict.c. It touches vectors by this table alone, of which there
 * are two versions: for vectors of the processor (vectors.c), and for a problem that lies on a device
 * (placed.c), where kernels read the arrays as they were given or uploaded. Who says "solved" does not
 * change. */
#pragma once

#include "method/run/method.h"

typedef struct perp_vectors {
  bool (*is_same)(perp_run *run, const double *a, const double *b); /* to the last bit */
  bool (*is_zero)(perp_run *run, const double *a);
  bool (*is_finite)(perp_run *run, const double *a);
  void (*copy)(perp_run *run, const double *from, double *to);
  /* The natural residual at x, y = A x + b recomputed: as checks take it, with `zero` if x is 0; and
   * as the verdict takes it, with the y of the driver. */
  double (*fresh)(perp_run *run, const double *x, bool zero);
  double (*judge)(perp_run *run, const double *x);
  /* problem/floor.h, for matrices of which it is known */
  double (*floor)(perp_run *run, const double *x);
} perp_vectors;

extern const perp_vectors perp_vectors_here;
