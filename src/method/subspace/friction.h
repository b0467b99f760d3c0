/* subspace/friction.h: subspace minimisation for problems with friction, by index and by cones */
#pragma once

#include "method/run/method.h"

typedef struct perp_cycle_plan {
  int sweeps;      /* in a cycle */
  int factors;     /* in a cycle, at the most, unless they have an effect */
  bool accelerate; /* conjugate directions over the sweeps */
} perp_cycle_plan;

perp_error perp_subspace_friction(perp_run *run, const perp_cycle_plan *plan, double *x);
