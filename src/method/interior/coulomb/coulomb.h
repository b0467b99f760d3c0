/* interior/coulomb/coulomb.h: the interior point method on problems with friction */
#pragma once

#include "method/run/method.h"

perp_error perp_interior_coulomb(perp_run *run, double *x);
