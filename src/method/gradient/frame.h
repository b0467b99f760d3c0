/* frame.h: the convex problem that replaces the given one while a gradient method runs, and its
 * metric
 *   minimise 1/2 x^T A x + (b + s)^T x   over  K' = boxes [lo, hi] x cones,   in the norm of D
 *
 * LCP, mixed and boxed problems are of this kind already: s = 0, K' = K. Two parts of K are not
 * convex, and both become so when something is held fixed:
 *
 *   friction rows   [lo_i, hi_i] = [lo_i |x_j|, hi_i |x_j|] at a fixed x_j;
 *   Coulomb cones   s_n = mu |(y_t, y_o)| at a fixed y (De Saxce and Feng 1998).
 *
 * An outer fixed point iteration updates the two (Acary, Cadoux, Lemarechal, Malick 2011). It is
 * inexact: the frame moves to x and y as soon as the residual within the frame is small beside the
 * lag, the distance of the frame from x and y. So no inner problem is solved more exactly than the
 * outer one needs. The fixed point iteration need not contract: if it cycles, its steps become
 * shorter.
 *
 * D = diag(A), in a cone the greatest of its three entries, so that the projection onto a cone is
 * the Euclidean one; D = I if the diagonal is not available or not positive. */
#pragma once

#include "method/run/method.h"
#include "method/system/gather.h"

/* For the table of a parameter struct with these two: int scale, double patience. */
#define PERP_FRAME_PARAMETERS(type)                                                                \
  PERP_REAL(type, patience, 2, 0, 1e6,                                                             \
            "cones and friction: residual over lag at which the outer fixed point moves on"),      \
      PERP_FLAG(type, scale, 1, "steps in the metric of the diagonal, where A has one")

typedef struct perp_frame {
  const perp_run *run;
  const perp_problem *p;
  int n;
  double *D;
  double *s;           /* n: De Saxce's shift in the normal rows of cones, 0 elsewhere */
  double *lo, *hi;     /* n: the boxes of K'; of no meaning in cones */
  int moving;          /* cones and friction rows: 0 if the frame never changes */
  double patience;     /* follow at residual <= patience * lag */
  double step;         /* of the fixed point: 1, less if it cycles */
  double best, recent; /* least residual of the problem before, and within, this window */
  int64_t calls;
} perp_frame;

/* The frame at x and y = A x + b. scaled: D = diag(A), else I. */
perp_error perp_frame_create(perp_run *run, const double *x, const double *y, bool scaled,
                             double patience, perp_frame *frame);
/* z <- P_K'(z) */
void perp_frame_project(const perp_frame *frame, double *z);
/* Moves the frame to x and y if it is time to; whether it did. */
bool perp_frame_follow(perp_frame *frame, const double *x, const double *y);
/* The fixed point need not be a contraction: if the residual of the problem, given at every iteration,
 * has not fallen over a whole window of them, the frame cycles, and takes shorter steps. */
void perp_frame_damp(perp_frame *frame, double residual);

/* D alone: D_i = A_ii, 1 everywhere if the diagonal is not to be had or not positive. */
void perp_metric(const perp_problem *p, bool scaled, double *D);
/* 1/2 x^T A x + b^T x, given y = A x + b. */
double perp_energy(const perp_problem *p, const double *x, const double *y);
