/* refine.h: a solution in two doubles, x + low; for solver.c */
#pragma once

#include "method/run/method.h"

/* The parameters of the repeated run, as for perp_driver_run. */
typedef struct perp_refiner {
  const perp_method *method;
  const void *parameters;
  const perp_services *services;
  perp_arena *arena;
  struct perp_memory *memory;
} perp_refiner;

/* Returns PERP_ERROR_UNSUPPORTED, with the reason, if x + low is not available for this problem and
 * method. */
perp_error perp_refine_check(const perp_method *method, const perp_problem *p, perp_message *why);

/* Solves from x as perp_driver_run does, with y; then corrects x + options->x_low until it meets
 * the tolerance. */
perp_error perp_refine_run(const perp_refiner *r, const perp_problem *p,
                           const perp_options *options, double *x, perp_result *result);
