/* recognise.c: recognises grids in matrices given by compressed rows
 *
 * Row 0 of a grid in natural order is a corner: its columns 0, 1, nx and nx ny give the sides. Then
 * every entry must lead to a neighbour within the grid and have the same weight from both ends. One
 * pass over the entries. Memory: 8 bytes per cell and axis, and 8 for the diagonal. */
#include "linalg/sparse_factor.h"
#include "operator/stencil/stencil.h"

#include <math.h>

/* Finds the sides from the columns of row 0; returns false if these do not belong to a grid. */
static bool sides_of(const perp_sparse *A, int sides[3])
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

/* If the next entry of row c leads to the lower neighbour along an axis, compares it with the
 * weight stored there. Returns false if the weights differ or the neighbour has none. */
static bool take_lower(const perp_sparse *A, int64_t end, const double *w, int c, int step, int at,
                       int64_t *k, int64_t *count)
{
  if (*k == end || A->column[*k] != c - step)
    return true;
  const double value = A->value[*k];
  *k += 1;
  *count += 1;
  return at > 0 && fabs(w[c - step] + value) <= 1e-12 * fabs(value);
}

static bool take_upper(const perp_sparse *A, int64_t end, double *w, int c, int step, int left,
                       int64_t *k, int64_t *count)
{
  if (*k == end || A->column[*k] != c + step)
    return true;
  w[c] = -A->value[*k];
  *k += 1;
  *count += 1;
  return left > 0;
}

/* Entries of a row ascend: lower neighbours along z, y, x, the diagonal, upper neighbours along x,
 * y, z. Returns true if every weight was found from both ends, which is checked by counting
 * entries. */
static bool read_rows(const perp_sparse *A, const int sides[3], double *const w[3],
                      double *diagonal)
{
  const int step[3] = {1, sides[0], sides[0] * sides[1]};
  const int axes = sides[2] > 1 ? 3 : sides[1] > 1 ? 2 : 1;
  int64_t upper = 0, lower = 0;
  int at[3] = {0, 0, 0};
  for (int c = 0; c < A->n; c++) {
    const int64_t end = A->start[c + 1];
    int64_t k = A->start[c];
    bool good = true;
    for (int axis = axes - 1; axis >= 0; axis--)
      good = good && take_lower(A, end, w[axis], c, step[axis], at[axis], &k, &lower);
    if (!good || k == end || A->column[k] != c)
      return false;
    diagonal[c] = A->value[k++];
    for (int axis = 0; axis < axes; axis++)
      good = good &&
             take_upper(A, end, w[axis], c, step[axis], sides[axis] - 1 - at[axis], &k, &upper);
    if (!good || k != end)
      return false;
    for (int axis = 0; axis < 3 && ++at[axis] == sides[axis]; axis++)
      at[axis] = 0;
  }
  return upper == lower;
}

perp_error perp_stencil_recognise(const perp_operator *A, perp_arena *arena, perp_stencil **s)
{
  perp_sparse r = {.n = A->n};
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
  const perp_stencil_data data = {.size = sizeof(perp_stencil_data),
                                  .nx = sides[0],
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
