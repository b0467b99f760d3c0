/* coloured_device.h: sweeps by colours on a device, for contact operators */
#pragma once

#include "method/run/method.h"
#include "operator/contact/rigid_kernel.h"

/* Creates a relaxer whose sweeps run on the run's device; x is copied back when it is stored. */
perp_error perp_coloured_create(perp_run *run, double *x, perp_relaxer **relaxer);
/* Returns the failure of a kernel or a copy, with the run's message; the run ends with the next
 * sweep. */
perp_error perp_coloured_failure(const perp_relaxer *relaxer);

/* Runs a perp_rigids_op with beta between sweeps; *square <- the square of a step. Returns
 * PERP_ERROR_UNSUPPORTED if the contacts are not contacts of rigid bodies. */
perp_error perp_coloured_vectors(perp_relaxer *relaxer, int op, double beta, double *square);

/* For methods with their own kernels: the contacts of the relaxer, with memory for the parts of
 * that many values. The relaxer stores rigids->x, wherever it points. */
perp_error perp_coloured_rigids(perp_relaxer *relaxer, int values, perp_rigids **rigids);
/* Copies the first `count` numbers of the start, in the order of rigids->x, to the device. */
perp_error perp_coloured_upload(perp_relaxer *relaxer, size_t count, double *to);
/* Launches a kernel; value <- the sums, then the maxima, over the parts in rigids->part, or NULL. */
perp_error perp_coloured_launch(perp_relaxer *relaxer, const perp_kernel *kernel, int op,
                                const void *task, int sums, int maxima, double *value);
