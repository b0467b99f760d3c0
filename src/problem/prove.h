/* prove.h: whether numbers u prove that a problem has no solution, exactly */
#ifndef PERP_PROBLEM_PROVE_H
#define PERP_PROBLEM_PROVE_H

#include "base/memory.h"
#include <perp/problem.h>

/* Whether u is a certificate, without rounding, for the very doubles of the problem; prove.c has the
 * conditions. False also where that cannot be told: entries of A that are computed and not given, or
 * no memory; `why`, which may be NULL, says what is wrong. Memory comes from the arena and goes back
 * to it. */
bool perp_prove(const perp_problem *p, const double *u, perp_arena *arena, perp_message *why);

#endif
