/* list.c: every experiment, one line each, in the order of the report */
#include "experiment.h"

#define EVERY(do)                                                                                                                               \
  do                                                                                                                                            \
  (fill) do(convergence) do(strategies) do(relaxation) do(scaling) do(robustness) do(warmstart) do(overdetermined) do(properties) do(signs) do( \
      lemke) do(rates) do(spectra) do(prox_r) do(prox_zeta) do(wall_sweeps) do(wall_interior) do(wall_errors) do(wall_gradient) do(multigrid) do(pivoting) do(cones)

#define DECLARE(name) extern const experiment_info experiment_##name;
EVERY(DECLARE)

#define LIST(name) &experiment_##name,
const experiment_info *const experiments[] = {EVERY(LIST) NULL};
