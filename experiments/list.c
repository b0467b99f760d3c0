/* list.c: every experiment, one line each, in the order of the report */
#include "experiment.h"

extern const experiment_info experiment_fill;
extern const experiment_info experiment_convergence;
extern const experiment_info experiment_strategies;
extern const experiment_info experiment_relaxation;
extern const experiment_info experiment_scaling;
extern const experiment_info experiment_robustness;
extern const experiment_info experiment_warmstart;
extern const experiment_info experiment_overdetermined;
extern const experiment_info experiment_properties;
extern const experiment_info experiment_signs;
extern const experiment_info experiment_lemke;
extern const experiment_info experiment_rates;
extern const experiment_info experiment_spectra;
extern const experiment_info experiment_prox_r;
extern const experiment_info experiment_prox_zeta;
extern const experiment_info experiment_wall_sweeps;
extern const experiment_info experiment_wall_interior;
extern const experiment_info experiment_wall_errors;
extern const experiment_info experiment_wall_gradient;
extern const experiment_info experiment_multigrid;
extern const experiment_info experiment_pivoting;
extern const experiment_info experiment_cones;

/* clang-format off */
const experiment_info *const experiments[] = {
    &experiment_fill,
    &experiment_convergence,
    &experiment_strategies,
    &experiment_relaxation,
    &experiment_scaling,
    &experiment_robustness,
    &experiment_warmstart,
    &experiment_overdetermined,
    &experiment_properties,
    &experiment_signs,
    &experiment_lemke,
    &experiment_rates,
    &experiment_spectra,
    &experiment_prox_r,
    &experiment_prox_zeta,
    &experiment_wall_sweeps,
    &experiment_wall_interior,
    &experiment_wall_errors,
    &experiment_wall_gradient,
    &experiment_multigrid,
    &experiment_pivoting,
    &experiment_cones,
    NULL,
};
/* clang-format on */
