/* world_host.h: the kernel of contact worlds, a batch of perp_world_job */
#pragma once

#include "device/world/world.h"

extern const perp_kernel perp_kernel_worlds;
