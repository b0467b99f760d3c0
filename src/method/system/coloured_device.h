/* coloured_device.h: sweeps by colours on a device, for contact operators */
#pragma once

#include "device/contact/contacts.h"
#include "method/run/method.h"

/* A relaxer whose sweeps run on the device of the run; x comes back when it is stored. */
perp_error perp_coloured_relaxer_there(perp_run *run, double *x, perp_relaxer **relaxer);
/* What a kernel or a copy of it met, with the run's message; the run ends with the sweep after. */
perp_error perp_coloured_failure(const perp_relaxer *relaxer);
/* Worlds first .. first + count - 1 of a job, see perp_method.worlds_device. */
perp_error perp_coloured_worlds_there(perp_device *device, struct perp_world_job *job, int first,
                                      int count, int threads, double omega, perp_message *why);
/* Between sweeps, for nncg: one of perp_rigids_op with beta; *square <- that of a step.
 * PERP_ERROR_UNSUPPORTED if the contacts are not those of rigid bodies. */
perp_error perp_coloured_vectors(perp_relaxer *relaxer, int op, double beta, double *square);
/* For apgd: *rigids <- those of the relaxer, with vectors that are x and memory for what else a
 * perp_descent has. The relaxer stores rigids->x, wherever that points to. */
perp_error perp_coloured_descent(perp_relaxer *relaxer, perp_rigids **rigids);
/* A step of it; value <- PERP_DESCENT_VALUES of WEIGH, or NULL. */
perp_error perp_coloured_descend(perp_relaxer *relaxer, int op, double *value);
