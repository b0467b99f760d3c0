/* interior/friction.h: the interior point method on problems with a friction index */
#pragma once

#include "method/run/method.h"

perp_error perp_interior_friction(perp_run *run, double *x);
