/* certificate.h: whether a ray proves that there is no solution; for the driver and methods */
#pragma once

#include "method/run/method.h"

/* Whether *ray proves it exactly (problem/prove.h), as it is, or with its rounding taken off in one of
 * several ways; *ray is then what proves it, in the run's arena. */
bool perp_certificate_holds(perp_run *run, const double **ray);

/* If it does, claims PERP_INFEASIBLE with it; otherwise the memory is given back. */
static inline bool perp_certificate_claim(perp_run *run, const double *ray)
{
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  const bool holds = perp_certificate_holds(run, &ray);
  if (holds) {
    perp_run_ray(run, ray);
    perp_run_claim(run, PERP_INFEASIBLE);
  } else {
    perp_arena_release(run->arena, mark);
  }
  return holds;
}
