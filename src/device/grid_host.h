/* grid_host.h: the kernels of grids, one operation (perp_grid_op) of a perp_grid_task at a time */
#pragma once

#include "device/device.h"
#include "device/grid/cells.h"

extern const perp_kernel perp_kernel_grid;
