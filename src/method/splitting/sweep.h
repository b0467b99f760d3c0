/* splitting/sweep.h: the order of the rows in a sweep, for psor and nncg */
#pragma once

#include "method/contact/contacts.h"

/* The first three are equal to perp_order. */
typedef enum perp_sweep_order {
  PERP_SWEEP_FORWARD,
  PERP_SWEEP_BACKWARD,
  PERP_SWEEP_COLOURED,
  PERP_SWEEP_SYMMETRIC, /* forward, then backward: two sweeps */
  PERP_SWEEP_RANDOM,    /* a new permutation for each sweep, from options->seed */
} perp_sweep_order;

/* For parameter tables; the last is number 4. */
extern const char *const perp_sweep_orders[];

/* Projected relaxation of rows in one of the orders. Random sweeps run on blocks of one row. */
typedef struct perp_sweeper {
  perp_run *run;
  perp_sweep_order order;
  perp_relaxer *relaxer; /* for perp_run_next_relaxed */
  double moved, before;  /* lengths of the last sweep and of the one before; NaN: unknown */
  int sweeps;            /* so far */
  perp_blocks *blocks;   /* used if the order is random */
} perp_sweeper;

/* Returns the bits 1 << order of the sweeps of an order, for perp_relaxer_create. */
unsigned perp_sweep_orders_of(perp_sweep_order order);
perp_error perp_sweeper_create(perp_run *run, double *x, perp_sweep_order order,
                               perp_sweeper *sweeper);
/* Makes one sweep (symmetric: two), counted. */
void perp_sweeper_sweep(perp_sweeper *sweeper, double omega);
