/* blockpivot_device.h: block principal pivoting on a device, for blockpivot.c */
#pragma once

#include "method/run/method.h"

/* As perp_method.solve_device and .batch_device, with the parameter of the method. */
perp_error perp_blockpivot_solve_device(perp_run *run, const perp_problem *p, int trials,
                                        double *x);
perp_error perp_blockpivot_batch_device(perp_device *device, struct perp_job *job, int first,
                                        int count, int threads, int trials, perp_message *why);
