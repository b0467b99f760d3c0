/* enumerate.h: every solution of a small problem */
#pragma once

#include "base/memory.h"
#include <perp/problem.h>

enum { PERP_ENUMERATE_MOST = 20 };

typedef struct perp_enumerated {
  const double *x; /* n, valid during the call */
  uint32_t basis;  /* bit i: x_i lies strictly between its bounds */
  bool isolated;   /* no other solution is near */
} perp_enumerated;

typedef struct perp_enumeration {
  int64_t solutions; /* reported: points, and one inner point for each face of solutions */
  int64_t isolated;
  double cases;  /* that there are */
  int64_t tried; /* systems of inequalities decided: the others follow from them */
  int64_t pivots;
  bool exact;   /* the entries of A are exact: nothing was rounded */
  bool stopped; /* by `found`, by the limit, or by too many solutions */
} perp_enumeration;

/* Called for each solution, and with NULL every 64 systems; false stops the enumeration. */
typedef bool (*perp_enumerate_found)(void *context, const perp_enumerated *solution);

/* Tries every case, each row at lo, between its bounds or at hi, for n <= PERP_ENUMERATE_MOST;
 * decides at most `limit` systems, 0: all. Returns PERP_ERROR_UNSUPPORTED for cones, friction rows
 * whose normal may be negative, larger n, and if the entries of A, b and the bounds span too many
 * digits. If a case holds a whole polyhedron of solutions, one point is reported, strictly between
 * the bounds in every row in which any point of it is, as not isolated; every other reported
 * solution on that polyhedron is not isolated either. */
perp_error perp_enumerate(const perp_problem *p, int64_t limit, perp_arena *arena,
                          perp_enumerate_found found, void *context, perp_enumeration *counts,
                          perp_message *why);
