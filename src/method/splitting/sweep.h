/* splitting/sweep.h: what the sweep methods share: the order of a sweep, and a relaxation that is
 * found on the run */
#pragma once

#include "method/contact/blocks.h"

/* The first three are those of perp_order. */
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
  perp_relaxer *relaxer;    /* for perp_run_next_relaxed */
  double moved, before;     /* by the last sweep, and by the one before it; NaN: not known */
  int sweeps;               /* so far */
  perp_block_sweeps random; /* in use if the order is random */
  perp_blocks *blocks;      /* */
} perp_sweeper;

perp_error perp_sweeper_create(perp_run *run, double *x, perp_sweep_order order,
                               perp_sweeper *sweeper);
/* perp_run_next for a method that does nothing but sweep: the first sweeps tell themselves when a
 * check is due. */
bool perp_sweeper_next(perp_sweeper *sweeper);
/* For perp_method.few: sweeps until they say that a check is due; false if that takes too many. */
bool perp_sweeper_few(perp_run *run, double *x, perp_sweep_order order, double omega);
/* One sweep (symmetric: two), counted. */
void perp_sweeper_sweep(perp_sweeper *sweeper, double omega);

/* Over-relaxation with the omega that the sweeps themselves suggest; see sweep.c. */
typedef struct perp_tuner {
  double omega;
  double most;        /* omega stays below: the growth of a step brought it down */
  double *before;     /* n: x before a sweep that is measured */
  double first;       /* length of the first step of this period */
  int period, sweeps; /* of it, and how many are done */
} perp_tuner;

perp_error perp_tuner_create(perp_run *run, perp_tuner *tuner);
void perp_tuner_sweep(perp_tuner *tuner, perp_sweeper *sweeper);
