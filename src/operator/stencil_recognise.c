/* stencil_recognise.c: grids that come as matrices in compressed rows
 *
 * Row 0 of a grid in natural order is a corner: its columns 0, 1, nx and nx ny give the sides away.
 * Then every entry must lead to a neighbour within the grid, and weigh the same from both ends.
 * One pass over the entries. Memory: 8 bytes per cell and axis, and 8 for the diagonal. */
#include "operator/stencil.h"

#include <math.h>

typedef struct rows {
  int n;
  const int64_t *start;
  const int *column;
  const double *value;
} rows;

/* The sides, from the columns of row 0; false where they cannot be those of a grid. */
static bool sides_of(const rows *A, int sides[3])
{
  const int64_t count = A->start[1] - A->start[0];
  const int *column = A->column;
  sides[0] = sides[1] = sides[2] = 1;
  if (count < 2 || count > 4 || column[0] != 0 || column[1] != 1)
    return false;
  sides[0] = count > 2 ? column[2] : A->n;
  const int plane = count > 3 ? column[3] : A->n;
  if (sides[0] < 2 || plane % sides[0] || A->n % plane)
    return false;
  sides[1] = plane / sides[0];
  sides[2] = A->n / plane;
  return true;
}

/* Entry (c, d) of the grid: into the arrays, or compared with what its other end said. */
static bool take(const int sides[3], double *const w[3], int c, int d, double value)
{
  const int step[3] = {1, sides[0], sides[0] * sides[1]};
  const int at[3] = {c % sides[0], c / step[1] % sides[1], c / step[2]};
  for (int axis = 0; axis < 3; axis++) {
    if (sides[axis] == 1)
      continue;
    if (d == c + step[axis] && at[axis] + 1 < sides[axis]) {
      w[axis][c] = -value;
      return true;
    }
    if (d == c - step[axis] && at[axis] > 0) /* an entry that has no other end fails here */
      return fabs(w[axis][d] + value) <= 1e-12 * fabs(value);
  }
  return false;
}

/* Whether all weights that row c was given were met again from below; counts of entries do it. */
static bool read_rows(const rows *A, const int sides[3], double *const w[3], double *diagonal)
{
  int64_t upper = 0, lower = 0;
  for (int c = 0; c < A->n; c++) {
    bool on_diagonal = false;
    for (int64_t k = A->start[c]; k < A->start[c + 1]; k++) {
      const int d = A->column[k];
      if (d == c) {
        diagonal[c] = A->value[k];
        on_diagonal = true;
      } else if (!take(sides, w, c, d, A->value[k])) {
        return false;
      } else {
        upper += d > c;
        lower += d < c;
      }
    }
    if (!on_diagonal)
      return false;
  }
  return upper == lower;
}

perp_error perp_stencil_recognise(const perp_operator *A, perp_arena *arena, perp_stencil **s)
{
  rows r = {.n = A->n};
  int sides[3];
  *s = NULL;
  if (perp_operator_csr_arrays(A, &r.start, &r.column, &r.value) || r.n < 2 || !sides_of(&r, sides))
    return PERP_OK;
  const perp_arena_mark mark = perp_arena_hold(arena);
  const size_t n = (size_t)r.n;
  perp_stencil *made = perp_arena_alloc(arena, 1, sizeof *made);
  double *w[3] = {NULL, NULL, NULL}, *diagonal = perp_arena_alloc(arena, n, sizeof *diagonal);
  double *zeros = perp_arena_alloc_zero(arena, (size_t)sides[0], sizeof *zeros);
  bool good = made && diagonal && zeros;
  for (int axis = 0; axis < (sides[2] > 1 ? 3 : 2); axis++)
    good = good && (w[axis] = perp_arena_alloc_zero(arena, n, sizeof(double)));
  if (!good)
    return PERP_ERROR_MEMORY;
  const perp_stencil_data data = {.nx = sides[0],
                                  .ny = sides[1],
                                  .nz = sides[2],
                                  .wx = w[0],
                                  .wy = w[1],
                                  .wz = w[2],
                                  .diagonal = diagonal};
  if (read_rows(&r, sides, w, diagonal) && perp_stencil_borrow(&data, zeros, made, NULL) == PERP_OK)
    *s = made;
  else
    perp_arena_release(arena, mark);
  return PERP_OK;
}
