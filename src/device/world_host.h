/* world_host.h: the kernel of contact worlds on the processor */
#pragma once

#include "device/world/world.h"

/* The world that is begun as number `at`, by a team of one lane with perp_world_bytes of memory. */
void perp_world_host(const perp_world_job *job, int at, double *memory);
