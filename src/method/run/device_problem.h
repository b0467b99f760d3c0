/* device_problem.h: a problem on a grid on a device: its checks, its vectors, its verdict */
#pragma once

#include "method/run/driver.h"

#include "method/run/device_problem_kernel.h"

typedef struct perp_placed {
  perp_device *device;
  perp_problem problem; /* with arrays that the device reads */
  perp_rows_task task;  /* with the arrays that the kernels read */
  double *x;            /* on the device; equals `callers` if that is on the device */
  double *callers;
  double *y, *start, *best; /* on the device */
  double scale;             /* max |b|, or 1 */
  bool cold;                /* x is 0 */
  perp_placed_facts facts;
  perp_error error; /* the first failure of the device */
  perp_message why;
} perp_placed;

/* Returns true if the problem is judged on the options' device: because the options say so and the
 * method can, or because the CPU cannot read one of its arrays. */
bool perp_placed_is_wanted(const perp_method *method, const perp_problem *p, const perp_options *o,
                           const double *x);

/* Copies missing arrays to the device and checks b, the bounds and x there, with the errors and
 * messages of perp_problem_validate and of a start that is not finite. If A is not a grid, *placed
 * is NULL. All memory belongs to the arena and the device. */
perp_error perp_placed_open(const perp_problem *p, const perp_options *o, perp_arena *arena,
                            double *x, perp_placed **placed, perp_message *why);
/* Copies x and, if `y` is not NULL, y to the caller's arrays. */
perp_error perp_placed_fetch(perp_placed *placed, const double *y, double *callers_y,
                             perp_message *why);
/* Computes the natural residual of x on the CPU, with copies of the arrays that only the device
 * has. */
perp_error perp_placed_judge_on_cpu(perp_placed *placed, const perp_work *work, perp_arena *arena,
                                    double *residual, perp_message *why);

extern const perp_driver_vectors perp_device_vectors;
