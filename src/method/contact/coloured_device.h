/* coloured_device.h: sweeps by colours on a device, for contacts of rigid bodies */
#pragma once

#include "method/run/method.h"
#include "operator/contact/rigid_kernel.h"

/* Creates a relaxer whose sweeps run on the run's device; x is copied back when it is stored. */
perp_error perp_coloured_create(perp_run *run, double *x, perp_relaxer **relaxer);
/* Returns the failure of a kernel or a copy, with the run's message; the run ends with the next
 * sweep. */
perp_error perp_coloured_failure(const perp_relaxer *relaxer);

/* Runs a perp_rigids_op with beta between sweeps; *square <- the square of a step. */
perp_error perp_coloured_vectors(perp_relaxer *relaxer, int op, double beta, double *square);
