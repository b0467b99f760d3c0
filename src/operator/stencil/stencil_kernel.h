/* stencil_kernel.h: a stencil operator in the form that kernels read, on a device or on the CPU: by
 * cell, row by row, with the arrays as given */
#pragma once

#include "device/team.h"

typedef struct perp_stencil_cells {
  int n[3];
  int axes;           /* 2 or 3 */
  const int *unknown; /* by cell, -1: none; NULL: cell c is unknown c */
  const double *diagonal,
      *w[3];             /* w: by the cell at the lower end of the face; NULL: all are equal */
  double weight, common; /* the common values of the faces and of the diagonal */
} perp_stencil_cells;

TEAM int64_t perp_stencil_number(const perp_stencil_cells *s, int i, int j, int k)
{
  return ((int64_t)k * s->n[1] + j) * s->n[0] + i;
}

/* Returns the unknown of a cell, or -1. */
TEAM int64_t perp_stencil_row(const perp_stencil_cells *s, int64_t cell)
{
  return s->unknown ? s->unknown[cell] : cell;
}

TEAM double perp_stencil_entry(const perp_stencil_cells *s, int64_t cell)
{
  return s->diagonal ? s->diagonal[cell] : s->common;
}

/* Returns the weight of the face of a cell on one side, 0 if there is no unknown beyond it; *next
 * is that unknown, or -1. */
TEAM double perp_stencil_face(const perp_stencil_cells *s, const int at[3], int axis, int upper,
                              int64_t *next)
{
  const int64_t cell = perp_stencil_number(s, at[0], at[1], at[2]);
  const int64_t step = axis == 0 ? 1 : axis == 1 ? s->n[0] : (int64_t)s->n[0] * s->n[1];
  const int64_t there = upper ? cell + step : cell - step;
  *next = -1;
  if (upper ? at[axis] + 1 >= s->n[axis] : at[axis] == 0)
    return 0;
  *next = perp_stencil_row(s, there);
  if (*next < 0)
    return 0;
  const double *w = axis == 0 ? s->w[0] : axis == 1 ? s->w[1] : s->w[2];
  return w ? w[upper ? cell : there] : s->weight;
}
