/* prove.h: checks exactly if a vector u proves that a problem has no solution */
#pragma once

#include "base/memory.h"
#include <perp/problem.h>

/* Returns true if u is a certificate, without rounding, for the exact doubles of the problem;
 * prove.c has the conditions. Also returns false if this cannot be decided: A computes its entries,
 * or memory ran out; `why`, which may be NULL, gives the reason. Temporary memory is from the arena
 * and released. */
bool perp_prove(const perp_problem *p, const double *u, perp_arena *arena, perp_message *why);
