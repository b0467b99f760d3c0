/* interior/friction.h: the interior point method on problems with a friction index */
#ifndef PERP_METHOD_INTERIOR_FRICTION_H
#define PERP_METHOD_INTERIOR_FRICTION_H

#include "method/run/method.h"

perp_error perp_interior_friction(perp_run *run, double *x);

#endif
