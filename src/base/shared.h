/* shared.h: marks the functions that libperp exports to libperp-lab
 *
 * Functions marked PERP_SHARED are exported only for libperp-lab of the same version: no public
 * header declares them, and they may change from one version to the next. */
#pragma once

#include <perp/base.h>

#define PERP_SHARED PERP_API
