/* difference.h: Newton's direction by GMRES on differences of F alone */
#ifndef PERP_METHOD_NEWTON_DIFFERENCE_H
#define PERP_METHOD_NEWTON_DIFFERENCE_H

#include "method/newton/direction.h"

perp_error perp_difference_open(perp_map *map, struct perp_difference **difference);
/* As perp_direction_newton. */
double perp_difference_newton(perp_direction *direction, double eta);

#endif
