/* bounds.c: projection onto bounds, the natural residual, and a check of the user's bounds
 *
 *   r = max_i | x_i - P_i(x_i - y_i) |,   P_i(a) = min(max(a, lo_i), hi_i)
 *
 * r = 0 exactly at a solution of lo <= x <= hi, y _|_ x. One pass over the vectors, one reduction.
 */
#include "backend/petsc/quadratic.h"

#include "verdict/natural.h"

/* Finds the first row with wrong bounds over all ranks, and its bounds; row = n if none. */
static PetscErrorCode first_wrong(Vec lo, Vec hi, PetscInt *row, PetscReal pair[2])
{
  const PetscScalar *l, *h;
  PetscInt begin, end, n, mine;
  MPI_Comm comm = PetscObjectComm((PetscObject)lo);
  PetscCall(VecGetOwnershipRange(lo, &begin, &end));
  PetscCall(VecGetSize(lo, &n));
  PetscCall(VecGetArrayRead(lo, &l));
  PetscCall(VecGetArrayRead(hi, &h));
  mine = n;
  for (PetscInt i = end - begin - 1; i >= 0; i--)
    if (!(l[i] <= h[i]))
      mine = begin + i;
  PetscCall(MPIU_Allreduce(&mine, row, 1, MPIU_INT, MPI_MIN, comm));
  PetscReal own[2] = {-INFINITY, -INFINITY};
  if (*row >= begin && *row < end) {
    own[0] = l[*row - begin];
    own[1] = h[*row - begin];
  }
  PetscCall(VecRestoreArrayRead(lo, &l));
  PetscCall(VecRestoreArrayRead(hi, &h));
  if (*row < n)
    PetscCall(MPIU_Allreduce(own, pair, 2, MPIU_REAL, MPIU_MAX, comm));
  return 0;
}

PetscErrorCode perp_bounds_check(Vec lo, Vec hi)
{
  PetscInt row, n;
  PetscReal pair[2] = {0, 0};
  PetscCall(VecGetSize(lo, &n));
  PetscCall(first_wrong(lo, hi, &row, pair));
  PetscCheck(row == n, PetscObjectComm((PetscObject)lo), PETSC_ERR_ARG_OUTOFRANGE,
             "row %" PetscInt_FMT ": lower bound %g is not below upper bound %g", row,
             (double)pair[0], (double)pair[1]);
  return 0;
}

PetscErrorCode perp_bounds_project(Vec lo, Vec hi, Vec x)
{
  PetscCall(VecPointwiseMax(x, x, lo));
  PetscCall(VecPointwiseMin(x, x, hi));
  return 0;
}

PetscErrorCode perp_bounds_natural(Vec lo, Vec hi, Vec x, Vec y, PetscReal *residual)
{
  const PetscScalar *l, *h, *a, *b;
  PetscInt n;
  PetscReal most = 0;
  PetscCall(VecGetLocalSize(x, &n));
  PetscCall(VecGetArrayRead(lo, &l));
  PetscCall(VecGetArrayRead(hi, &h));
  PetscCall(VecGetArrayRead(x, &a));
  PetscCall(VecGetArrayRead(y, &b));
  for (PetscInt i = 0; i < n; i++) {
    const PetscReal r = perp_natural_row(a[i], b[i], a[i] - l[i], a[i] - h[i]);
    most = r <= most ? most : r;
  }
  PetscCall(VecRestoreArrayRead(lo, &l));
  PetscCall(VecRestoreArrayRead(hi, &h));
  PetscCall(VecRestoreArrayRead(x, &a));
  PetscCall(VecRestoreArrayRead(y, &b));
  PetscCall(
      MPIU_Allreduce(&most, residual, 1, MPIU_REAL, MPIU_MAX, PetscObjectComm((PetscObject)x)));
  return 0;
}

PetscErrorCode perp_bounds_cold(Vec lo, Vec hi, Vec x, Vec work, PetscBool *cold)
{
  PetscReal size;
  PetscCall(VecSet(work, 0));
  PetscCall(perp_bounds_project(lo, hi, work));
  PetscCall(VecAXPY(work, -1, x));
  PetscCall(VecNorm(work, NORM_INFINITY, &size));
  *cold = size == 0 ? PETSC_TRUE : PETSC_FALSE;
  return 0;
}

PetscErrorCode perp_bounds_size(Vec x, PetscReal *size)
{
  const PetscScalar *a;
  PetscInt n;
  PetscReal most = 0;
  PetscCall(VecGetLocalSize(x, &n));
  PetscCall(VecGetArrayRead(x, &a));
  for (PetscInt i = 0; i < n; i++)
    most = fabs(a[i]) <= most ? most : isfinite(a[i]) ? fabs(a[i]) : INFINITY;
  PetscCall(VecRestoreArrayRead(x, &a));
  PetscCall(MPIU_Allreduce(&most, size, 1, MPIU_REAL, MPIU_MAX, PetscObjectComm((PetscObject)x)));
  return 0;
}
