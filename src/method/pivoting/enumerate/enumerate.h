/* enumerate.h: every solution of a small LCP */
#pragma once

#include "base/memory.h"
#include <perp/problem.h>

enum { PERP_ENUMERATE_MOST = 20 };

typedef struct perp_enumerated {
  const double *x; /* n, valid during the call */
  uint32_t basis;  /* bit i: x_i > 0 */
  bool isolated;   /* no other solution is near */
} perp_enumerated;

typedef struct perp_enumeration {
  int64_t solutions; /* reported: points, and one inner point for each face of solutions */
  int64_t isolated;
  int64_t bases;    /* tried, in each of two passes */
  int64_t singular; /* of them */
  int64_t pivots;
  bool stopped; /* by `found` */
} perp_enumeration;

/* Called for each solution, and with NULL every 1024 bases; false stops the enumeration. */
typedef bool (*perp_enumerate_found)(void *context, const perp_enumerated *solution);

/* Every x with x_i > 0 in some set alpha and 0 elsewhere that solves the LCP, over all 2^n alpha,
 * n <= PERP_ENUMERATE_MOST. PERP_ERROR_UNSUPPORTED for other forms and larger n. If alpha holds a
 * whole polyhedron of solutions, one point with x_i > 0 in all of alpha is reported, as not
 * isolated, and so is every other reported solution on that polyhedron. */
perp_error perp_enumerate(const perp_problem *p, perp_arena *arena, perp_enumerate_found found,
                          void *context, perp_enumeration *counts, perp_message *why);
