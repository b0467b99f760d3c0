/* device_problem.h: a problem on a grid on a device: its checks, its vectors, its verdict */
#pragma once

#include "method/run/driver.h"

#include "method/run/device_problem_kernel.h"

typedef struct perp_placed {
  perp_device *device;
  perp_problem problem; /* with arrays that the device reads */
  perp_rows_task task;  /* with what the kernels read */
  double *x;            /* there; `callers` itself if that lies there */
  double *callers;
  double *y, *start, *best; /* there */
  double scale;             /* max |b|, or 1 */
  bool cold;                /* x is 0 */
  perp_placed_facts facts;
  perp_error error; /* the first failure of the device */
  perp_message why;
} perp_placed;

/* Whether the problem is judged on the options' device: the device was told so and the method can, or
 * the processor cannot read an array of it. */
bool perp_placed_is_wanted(const perp_method *method, const perp_problem *p, const perp_options *o,
                           const double *x);

/* Copies to the device what is not there, and checks b, the bounds and x there: errors and messages
 * are those of perp_problem_validate and of a start that is not finite. If A is no grid, *placed is
 * NULL. All memory is the arena's and the device's. */
perp_error perp_placed_open(const perp_problem *p, const perp_options *o, perp_arena *arena,
                            double *x, perp_placed **placed, perp_message *why);
/* x and, if `y` is not NULL, y to where the caller has them. */
perp_error perp_placed_fetch(perp_placed *placed, const double *y, double *callers_y,
                             perp_message *why);
/* The natural residual of x as the processor judges it, with copies of what lies on the device
 * alone. */
perp_error perp_placed_judge_here(perp_placed *placed, const perp_work *work, perp_arena *arena,
                                  double *residual, perp_message *why);

extern const perp_vectors perp_vectors_there;
