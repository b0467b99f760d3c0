/* certificate.h: whether a ray proves that an LCP has no solution; used by the driver alone */
#pragma once

#include "method/run/method.h"

/* Whether *ray proves it, as it is or polished; *ray is then what proves it, in the run's arena.
 * False for other forms and for operators without rows. z: n numbers of room. */
bool perp_certificate_holds(perp_run *run, double *z, const double **ray);

/* If it does, claims PERP_INFEASIBLE with it; otherwise the memory is given back. */
static inline bool perp_certificate_claim(perp_run *run, double *z, const double *ray)
{
  const perp_arena_mark mark = perp_arena_hold(run->arena);
  const bool holds = perp_certificate_holds(run, z, &ray);
  if (holds) {
    perp_run_ray(run, ray);
    perp_run_claim(run, PERP_INFEASIBLE);
  } else {
    perp_arena_release(run->arena, mark);
  }
  return holds;
}
