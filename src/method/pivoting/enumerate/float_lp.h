/* float_lp.h: proofs in floating point that inequalities contradict each other */
#pragma once

#include <stdbool.h>

enum { PERP_QUICK_MOST = 20 };

/* y = A x + b; variables 0 .. n-1 are x, n .. 2n-1 are y, as in linalg/exact_lp.h. */
typedef struct perp_quick {
  int n;
  double a[PERP_QUICK_MOST][PERP_QUICK_MOST + 1]; /* (A b) */
  double t[PERP_QUICK_MOST][PERP_QUICK_MOST + 1]; /* the dictionary x_B = T x_N + t */
  int basic[PERP_QUICK_MOST], nonbasic[PERP_QUICK_MOST], place[2 * PERP_QUICK_MOST];
  /* the bounds are the caller's to change */
  double lo[2 * PERP_QUICK_MOST], hi[2 * PERP_QUICK_MOST], value[2 * PERP_QUICK_MOST];
  int pivots; /* since the last recomputation */
} perp_quick;

typedef enum perp_quick_verdict {
  PERP_QUICK_FEASIBLE,   /* up to rounding; `value` has the solution, of all variables */
  PERP_QUICK_INFEASIBLE, /* proved */
  PERP_QUICK_UNKNOWN,
} perp_quick_verdict;

void perp_quick_start(perp_quick *q);
perp_quick_verdict perp_quick_decide(perp_quick *q);
