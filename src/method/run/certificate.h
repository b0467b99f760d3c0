/* certificate.h: a ray as a proof that there is no solution */
#pragma once

#include "method/run/method.h"

/* Returns true if *ray proves it exactly (perp_prove), as given or with its rounding removed
 * in one of several ways; *ray is then the proof, in the run's arena. */
bool perp_certificate_holds(perp_run *run, const double **ray);

/* Claims PERP_INFEASIBLE if the ray proves it; otherwise gives the memory back. */
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
