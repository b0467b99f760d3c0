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

/* ---- Proofs in floating point that inequalities contradict each other (float_lp.c) ---- */

enum { PERP_QUICK_MOST = PERP_ENUMERATE_MOST };

/* y = A x + b; variables 0 .. n-1 are x, n .. 2n-1 are y, as in linalg/exact_lp.h. */
typedef struct perp_quick {
  int n;
  double a[PERP_QUICK_MOST][PERP_QUICK_MOST + 1]; /* (A b) */
  double t[PERP_QUICK_MOST][PERP_QUICK_MOST + 1]; /* the dictionary x_B = T x_N + t */
  int basic[PERP_QUICK_MOST], nonbasic[PERP_QUICK_MOST], place[2 * PERP_QUICK_MOST];
  double lo[2 * PERP_QUICK_MOST], hi[2 * PERP_QUICK_MOST], value[2 * PERP_QUICK_MOST];
  int pivots; /* since the last recomputation */
} perp_quick;

typedef enum perp_quick_verdict {
  PERP_QUICK_FEASIBLE,   /* up to rounding; `value` has the solution, of all variables */
  PERP_QUICK_INFEASIBLE, /* proved */
  PERP_QUICK_UNKNOWN,
} perp_quick_verdict;

void perp_quick_start(perp_quick *q);
void perp_quick_set_bounds(perp_quick *q, int variable, double lo, double hi);
perp_quick_verdict perp_quick_decide(perp_quick *q);
