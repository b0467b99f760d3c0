/* list.c: every experiment, one line each, in the order of the report */
#include "experiment.h"

extern const experiment_info experiment_fill;
extern const experiment_info experiment_convergence;
extern const experiment_info experiment_strategies;
extern const experiment_info experiment_relaxation;

/* clang-format off */
const experiment_info *const experiments[] = {
    &experiment_fill,
    &experiment_convergence,
    &experiment_strategies,
    &experiment_relaxation,
    NULL,
};
/* clang-format on */
