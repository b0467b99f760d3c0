/* mesh_verdict.c: the natural residual of x computed from the data, cell by cell
 *
 *   max over the unknowns of |x_c - P_c(x_c - y_c)|,   y = A x + b in twice the precision
 *
 * It shares no code with the sweeps and fetches the copies of other ranks' cells again. */
#include "backend/petsc/mesh.h"
#include "verdict/natural.h"
#include "verdict/verdict.h"

static const int AS_GIVEN[3] = {0, 0, 0};

/* Updates the copies of other ranks' cells in an array by cell of the part. */
static PetscErrorCode fetch(const perp_layout *layout, double *x)
{
  const perp_box part = perp_layout_part(layout, AS_GIVEN, layout->rank);
  const perp_box own = perp_layout_own(layout, AS_GIVEN, layout->rank);
  PetscSF sf;
  if (layout->levels == 0)
    return 0;
  const perp_place cells = {perp_layout_part, perp_box_cell_at};
  PetscCall(perp_layout_exchange(layout, AS_GIVEN, &part, &own, (PetscInt)perp_box_cells(&part),
                                 cells, cells, &sf));
  PetscCall(PetscSFBcastBegin(sf, MPI_DOUBLE, x, x, MPI_REPLACE));
  PetscCall(PetscSFBcastEnd(sf, MPI_DOUBLE, x, x, MPI_REPLACE));
  PetscCall(PetscSFDestroy(&sf));
  return 0;
}

/* y of one cell of a part; at: relative to the part's first cell */
static double gradient(const perp_mesh_data *d, const int n[3], const int at[3], const double *x)
{
  const int64_t step[3] = {1, n[0], (int64_t)n[0] * n[1]};
  const int64_t c = at[0] + at[1] * step[1] + at[2] * step[2];
  double y = d->b[c], rest = 0;
  perp_twice_add(d->diagonal[c], x[c], &y, &rest);
  for (int axis = 0; axis < 3; axis++) {
    const int64_t lower = c - step[axis], upper = c + step[axis];
    if (at[axis] > 0 && (!d->unknown || d->unknown[lower]))
      perp_twice_add(-d->w[axis][lower], x[lower], &y, &rest);
    if (at[axis] + 1 < n[axis] && (!d->unknown || d->unknown[upper]))
      perp_twice_add(-d->w[axis][c], x[upper], &y, &rest);
  }
  return y + rest;
}

PetscErrorCode perp_mesh_residual(const perp_layout *layout, const perp_mesh_data *d, double *x,
                                  double *residual, double *scale)
{
  const perp_box part = perp_layout_part(layout, AS_GIVEN, layout->rank);
  const perp_box own = perp_layout_own(layout, AS_GIVEN, layout->rank);
  const int n[3] = {perp_box_length(&part, 0), perp_box_length(&part, 1),
                    perp_box_length(&part, 2)};
  double most[2] = {0, 0};
  PetscCall(fetch(layout, x));
  for (int k = own.begin[2]; k < own.end[2]; k++)
    for (int j = own.begin[1]; j < own.end[1]; j++)
      for (int i = own.begin[0]; i < own.end[0]; i++) {
        const int at[3] = {i - part.begin[0], j - part.begin[1], k - part.begin[2]};
        const int64_t c = perp_box_cell(&part, i, j, k);
        if (d->unknown && !d->unknown[c])
          continue;
        const double y = gradient(d, n, at, x);
        const double below = x[c] - (d->lo ? d->lo[c] : 0);
        const double above = x[c] - (d->hi ? d->hi[c] : INFINITY);
        most[0] = perp_max(most[0], perp_natural_row(x[c], y, below, above));
        most[1] = perp_max(most[1], fabs(d->b[c]));
      }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, layout->comm));
  *residual = most[0];
  *scale = perp_verdict_scale(most[1]);
  return 0;
}
