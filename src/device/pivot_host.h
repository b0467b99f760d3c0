/* pivot_host.h: the kernel of pivot.h on the processor */
#pragma once

#include "device/job.h"

/* Of the memory of one team for problems of up to n rows. */
size_t perp_pivot_host_bytes(int n);

/* Problem k; its end says how. */
void perp_pivot_host(const perp_job *job, int k, double *memory);
