/* pivot_host.h: the kernel of block principal pivoting, a batch of perp_job */
#pragma once

#include "device/job.h"

extern const perp_kernel perp_kernel_pivot;
