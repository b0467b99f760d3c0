/* grid_host.h: the kernels of grids on the processor */
#pragma once

#include "device/grid/cells.h"

void perp_grid_host(perp_grid_op op, const perp_grid_task *task);
