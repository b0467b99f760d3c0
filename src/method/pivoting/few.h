/* few.h: a small A by dense rows, whatever its kind */
#pragma once

#include "method/run/method.h"

typedef struct perp_few {
  const double *a;
  int64_t stride; /* from row to row */
  bool symmetric; /* up to rounding */
} perp_few;

/* The rows of the run's A: its own if it is dense; else a copy, which the solver keeps for as long as
 * the numbers of A stay. False if A has no rows, or there is no memory for them. */
bool perp_few_open(perp_run *run, perp_few *few);
