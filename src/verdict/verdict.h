/* verdict.h: the definition of "solved", for every judge
 *
 *   natural residual <= tol * scale,   scale = max |b_i|, or 1 if b = 0
 *
 * C, CUDA and the PETSc back end compile this text. */
#pragma once

#include "verdict/everywhere.h"

#include <perp/solver.h>

#include <float.h>
#include <stdbool.h>

/* Returns the scale, given max |b_i|. */
EVERYWHERE double perp_verdict_scale(double largest)
{
  return largest > 0 ? largest : 1;
}

/* Returns the target of the residual: finite, so that an infinite residual never meets it, and 0 if
 * it is not a number. */
EVERYWHERE double perp_verdict_target(double tol, double scale)
{
  const double target = tol * scale;
  return target <= DBL_MAX ? target : target > DBL_MAX ? DBL_MAX : 0;
}

/* Returns true if a residual meets its target; false if it is not a number. */
EVERYWHERE bool perp_verdict_solved(double residual, double target)
{
  return residual <= target;
}

/* Returns PERP_SOLVED if the residual meets its target, else `otherwise`. */
EVERYWHERE perp_outcome perp_verdict_outcome(double residual, double target, perp_outcome otherwise)
{
  return perp_verdict_solved(residual, target) ? PERP_SOLVED : otherwise;
}
