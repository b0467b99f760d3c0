/* place.h: a stencil operator where the kernels of a device read it */
#pragma once

#include "device/device.h"
#include "device/grid/cells.h"
#include "operator/stencil/stencil.h"

/* *g <- the size of the grid, and in *top what the operator has by cell: as perp_operator_place left it
 * on this device, or copies in rooms of the device. */
perp_error perp_stencil_place(const perp_stencil *s, perp_device *device, perp_cells *g,
                              perp_fine *top, perp_message *why);
