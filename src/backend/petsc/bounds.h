/* bounds.h: vectors between bounds, for all types of this folder */
#pragma once

#include <petscvec.h>

static inline PetscReal perp_between(PetscReal a, PetscReal lo, PetscReal hi)
{
  return a < lo ? lo : a > hi ? hi : a;
}

/* Checks that no bound is NaN and lo <= hi; otherwise returns the same error on every rank, which
 * names the row and its bounds. */
PetscErrorCode perp_bounds_check(Vec lo, Vec hi);
/* x <- P(x) */
PetscErrorCode perp_bounds_project(Vec lo, Vec hi, Vec x);
/* max |x - P(x - y)| over all ranks; infinite if x or y is not finite. */
PetscErrorCode perp_bounds_natural(Vec lo, Vec hi, Vec x, Vec y, PetscReal *residual);
/* Returns true in *cold if x = P(0); overwrites work. */
PetscErrorCode perp_bounds_cold(Vec lo, Vec hi, Vec x, Vec work, PetscBool *cold);
/* max |x_i|; infinite if one is NaN, because the maximum over ranks may lose a NaN of one rank. */
PetscErrorCode perp_bounds_size(Vec x, PetscReal *size);
