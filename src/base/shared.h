/* shared.h: what libperp shares with libperp-lab
 *
 * Functions marked PERP_SHARED are exported for libperp-lab of the same version and for nobody
 * else: they stand in no public header and may change from one version to the next. */
#pragma once

#include <perp/base.h>

#define PERP_SHARED PERP_API
