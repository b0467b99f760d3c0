/* laws.h: the linear laws of rows near a solution
 *
 * With dy = A dx + g, g = dA x + db, every part of K gives one equation per row:
 *
 *   free          dy_i = 0
 *   on a bound    dx_i = dlo_i or dhi_i;  friction row i of normal j, c its lo_i or hi_i:
 *                 dx_i = c s_j dx_j + |x_j| dc,  s_j = sign x_j
 *   separate      dx = 0
 *   stick         dy = 0
 *   slide         dy_n = 0;  with tau = y_t / |y_t|, sigma perpendicular to it, kappa = mu x_n / |y_t|,
 *                 x_t = -mu x_n tau is  tau dx_t = -mu dx_n - x_n dmu,  sigma dx_t = -kappa sigma dy_t
 *
 * The last is the derivative of De Saxce's natural map, x = P(x - u), at a sliding point, solved
 * for dx. All laws together are
 *
 *   dx = Z q + p,   W^T dy + D q = 0
 *
 * with m unknowns q: one for each free row, one for the normal of a sliding cone and one for its
 * direction sigma, for which D = 1 / kappa. p is linear in dlo, dhi and dmu. A row of Z has at most
 * two entries: a friction row on its bound repeats the row of its normal; a row of W has at most
 * one. So
 *
 *   (W^T A Z + D) q = -W^T (A p + g). */
#pragma once

#include "base/memory.h"
#include "set/law.h"
#include <perp/derivative.h>

/* A cone that slides. */
typedef struct perp_slide {
  int cone, row;  /* its number and its first row */
  double force;   /* x_n */
  double slip[2]; /* tau; 0 without a direction */
} perp_slide;

typedef struct perp_laws {
  int n, m;
  unsigned char *law; /* n: perp_law */
  int *parent;        /* n: j of a friction row on a bound, else -1 */
  double *factor;     /* n: c s_j of such a row */
  double *normal;     /* n: |x_j| of such a row */
  int *Z_column;      /* 2 n, -1: none */
  double *Z_value;    /* 2 n */
  int *W_column;      /* n, -1: none */
  double *W_value;    /* n */
  int *W_row;         /* m: first row of each column of W; a direction has the next row too */
  double *D;          /* m */
  int slides;
  perp_slide *slide;
  bool skew; /* W differs from Z: the matrix is not symmetric even if A is */
  int64_t bound, stick, sliding, separate, degenerate;
} perp_laws;

/* Finds the laws at x with y = A x + b: entries of x up to near_x, and of y up to near_y, count as
 * 0. Arrays from the arena. Returns false if it is exhausted. */
bool perp_laws_find(const perp_set *K, const double *x, const double *y, double near_x,
                    double near_y, perp_degenerate side, perp_arena *arena, perp_laws *laws);

/* x <- Z q, q <- Z^T x, x <- W q, q <- W^T x */
void perp_laws_Z(const perp_laws *laws, const double *q, double *x);
void perp_laws_Z_t(const perp_laws *laws, const double *x, double *q);
void perp_laws_W(const perp_laws *laws, const double *q, double *x);
void perp_laws_W_t(const perp_laws *laws, const double *x, double *q);

/* Computes p of a change; an array may be NULL: 0. */
void perp_laws_shift(const perp_laws *laws, const double *dlo, const double *dhi, const double *dmu,
                     double *p);
/* The transposed map: overwrites p; an array may be NULL: not wanted. mu has `cones` numbers. */
void perp_laws_shift_t(const perp_laws *laws, double *p, double *lo, double *hi, int cones,
                       double *mu);
